/** Finds the code blocks of Markdown pages and runs them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programCommand } from './program.ts';

export type Block = { language: string; info: string; text: string; line: number };

/** Returns the fenced code blocks of a text in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+) ?([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] as string,
    info: match[2] as string,
    text: match[3] as string,
    line: markdown.slice(0, match.index).split('\n').length,
  }));
}

/** Languages of blocks that are shown only. All other blocks must run. */
export const shownLanguages = ['html', 'console', 'text', 'json', 'ini', 'nginx', 'sql'];

/** Makes a folder with the commands `cratebase` and `npx`, for the PATH of the examples. */
export function makeBin(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const quoted = programCommand.map((part) => `'${part}'`).join(' ');
  const scripts = { cratebase: `exec ${quoted} "$@"`, npx: `shift\nexec ${quoted} "$@"` };
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

export type Place = { folder: string; bin: string; url: string; key: string };
export type Ran = { status: number | null; stdout: string; stderr: string };

/** The environment without settings of cratebase or of a test runner. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(CRATEBASE|NODE_TEST|npm_)/.test(name)),
);

/** Runs a program in a place, with the address of a server and a key for it. */
export function runIn(place: Place, command: string, args: readonly string[]): Ran {
  const { folder, bin, url, key } = place;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    env: {
      ...environment,
      PATH: `${bin}:${environment.PATH}`,
      TMPDIR: folder,
      BASE: url,
      KEY: key,
      START_CRATEBASE: join(bin, 'cratebase'),
    },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, stdout, stderr };
}

const mark = '@@ block ';

/** Runs the shell blocks of a page in one shell, as a reader would. Returns what each of them printed. */
export function runShell(place: Place, blocks: readonly Block[]): { ran: Ran; printed: string[] } {
  const script = blocks.map(({ text }, index) => `echo; echo '${mark}${index}'\n${text}`).join('\n');
  const ran = runIn(place, 'sh', ['-euc', script]);
  return {
    ran,
    printed: ran.stdout
      .split(new RegExp(`^${mark}\\d+\\n`, 'm'))
      .slice(1)
      .map((text) => text.trim()),
  };
}
