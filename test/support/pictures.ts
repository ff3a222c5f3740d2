/** Images of the documentation: the home page in a browser, and the program in a terminal, with the starter catalogue. */
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import { readServeConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { skipWithoutBrowser, startBrowser } from './browser.ts';
import { temporaryFolder } from './program.ts';
import { recordedAt } from './reference-examples.ts';
import { terminalPicture } from './terminal-picture.ts';

/** Folder of the images, relative to the repository. */
export const pictureFolder = 'docs/images';
/** Size of a page's picture in CSS pixels; one of them is one of the picture. */
export const pageSize = { width: 1120, height: 760 };
/** Maximum size of an image, bytes. */
export const maxImageBytes = 150_000;

/** Returns the result of `use` on a data file with the starter catalogue at `recordedAt`, and on its server. */
async function withStarter<T>(use: (data: string, url: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  const data = join(folder.path, 'cratebase.db');
  const config = readServeConfig({ data, port: '0', dev: true, now: recordedAt, noSync: true }, {});
  const app = openApp({ data, create: true, clock: frozenClock(config.now as number) });
  await app.starter.request();
  await app.starter.import();
  const server = await startServer(app, { config, log: () => {} });
  try {
    return await use(data, `http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
    app.close();
    folder.remove();
  }
}

/** Returns a terminal session as SVG. */
export const drawTerminal = (): Promise<string> => withStarter(async (data) => terminalPicture(data));

/** Returns screenshots of the home page with search suggestions, light and dark, as PNG by file name; null without a browser. */
export async function takePages(): Promise<Map<string, Buffer> | null> {
  if (skipWithoutBrowser !== false) return null;
  const browser = await startBrowser();
  try {
    return await withStarter(async (_, url) => {
      const taken = new Map<string, Buffer>();
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ viewport: pageSize, colorScheme, reducedMotion: 'reduce' });
        await page.goto(url);
        await page.getByRole('combobox').pressSequentially('berl');
        await page.getByRole('option').first().waitFor();
        taken.set(`home-${colorScheme}.png`, await page.screenshot({ caret: 'hide' }));
        await page.close();
      }
      return taken;
    });
  } finally {
    await browser.close();
  }
}
