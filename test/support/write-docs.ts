/** `npm run docs`: writes generated parts of the documentation: recorded responses, tables, images. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { guides } from '../../src/contract/guides.ts';
import { generatedPages, withTables } from './guide-tables.ts';
import { drawTerminal, pictureFolder, takePages } from './pictures.ts';
import { recordExamples } from './reference-examples.ts';

const root = new URL('../../', import.meta.url);

const examples = `${JSON.stringify(await recordExamples(), null, 2)}\n`;
writeFileSync(new URL('src/contract/examples.json', root), examples);
for (const page of [...guides.map(({ name }) => `docs/guides/${name}.md`), ...generatedPages]) {
  const path = new URL(page, root);
  writeFileSync(path, withTables(readFileSync(path, 'utf8')));
}

const pictures = new URL(`${pictureFolder}/`, root);
mkdirSync(pictures, { recursive: true });
writeFileSync(new URL('terminal.svg', pictures), await drawTerminal());
const pages = await takePages();
if (pages === null)
  process.stderr.write(`Chromium is not installed: the screenshots in ${pictureFolder} are unchanged.\n`);
for (const [name, picture] of pages ?? []) writeFileSync(new URL(name, pictures), picture);
