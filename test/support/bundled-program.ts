/**
 * The program as one file, like the executable's, which starts three times as fast as the source. It is made once for
 * each state of the source and kept below `node_modules/.cache`, with the code that V8 compiled of it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { toAscii } from '../../bin/ascii-script.mjs';
import { bundleOptions } from '../../bin/bundle-options.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/cratebase/test-program');
/** Bundles of other states of the source are removed after this time, in ms: a run of all tests may use them for hours. */
const keptMs = 6 * 3_600_000;

/**
 * The main file, which does what `bin/executable-main.cjs` does. Without a code cache, it writes that of all functions that
 * the process has called.
 */
const mainCode = `'use strict';
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');
const [filename, cache] = ['bundle.cjs', 'bundle.cache'].map((name) => join(__dirname, name));
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
if (cachedData === undefined) {
  // V8 refuses a cache that was made with other flags than those of a start, and commands set some.
  require('node:v8').setFlagsFromString = () => {};
  process.on('exit', () => writeFileSync(cache, script.createCachedData()));
}
script.runInThisContext()(exports, require, module, __filename, __dirname);
`;

/**
 * The environment of the program in tests. With huge pages for large buffers, a command takes a seventh less processor time
 * on virtual machines, where page faults are slow. Other systems than Linux with glibc ignore it.
 */
export const bundleEnvironment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Returns the path of the program's main file. Threads and child processes start with it, too. */
export function bundleProgram(): string {
  const folder = join(cache, digestOfSource());
  const main = join(folder, 'main.cjs');
  if (existsSync(main)) return main;
  // Tests that run at the same time may each make one; the first that is complete stays.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  removeOld();
  writeBundle(join(draft, 'bundle.cjs'));
  writeFileSync(join(draft, 'main.cjs'), mainCode);
  recordCodeCache(draft);
  try {
    renameSync(draft, folder);
  } catch (failure) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(main)) throw failure;
  }
  return main;
}

/** A digest of the names, sizes and times of the files that the bundle is made of. */
function digestOfSource(): string {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const others = ['package-lock.json', 'bin/ascii-script.mjs', 'bin/bundle-options.mjs'];
  for (const path of [...sources.sort(), ...others.map((name) => join(root, name))]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Writes the bundle as `build.mjs` does, except that it reads its assets and natives from the repository. */
function writeBundle(path: string): void {
  buildSync({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    outfile: path,
    // An uncaught error prints its line.
    lineLimit: 200,
    external: [...(bundleOptions.external ?? []), 'better-sqlite3', '@node-rs/argon2'],
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/assets.ts')).href) },
  });
  const code = toAscii(readFileSync(path, 'utf8'));
  writeFileSync(path, `(function (exports, require, module, __filename, __dirname) {${code}\n})`);
}

/** Makes the code cache from a command that reads a feed. */
function recordCodeCache(folder: string): void {
  const data = join(folder, 'recorded.db');
  const args = [join(folder, 'main.cjs'), 'import', '-', '--source', 'one', '--data', data, '--json'];
  const input = '{"kind":"artist","external_id":"1","name":"One"}\n';
  const env = { PATH: process.env.PATH };
  const { status, stderr } = spawnSync(process.execPath, args, { input, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the bundled program failed: ${stderr}`);
  rmSync(data);
}
