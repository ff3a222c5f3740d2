/**
 * The program in parts, like the executable's, which starts four times as fast as the source. It is made once for each
 * state of the source and kept below `node_modules/.cache`, with the code that V8 compiled of it.
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
import { makeStarter } from '../../bin/build-starter.mjs';
import { makePack } from '../../bin/part-pack.cjs';
import { makeParts, partOptions } from '../../bin/program-parts.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/cratebase/test-program');
/** Bundles of other states of the source are removed after this time, in ms: a run of all tests may use them for hours. */
const keptMs = 6 * 3_600_000;

/**
 * The main file, which does what `bin/executable-main.cjs` does. Without code caches, it writes those of all functions that
 * the process has called.
 */
const mainCode = `'use strict';
const { existsSync, openSync, readSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { openPack } = require(${JSON.stringify(join(root, 'bin/part-pack.cjs'))});
const { recordCaches, runParts } = require(${JSON.stringify(join(root, 'bin/run-parts.cjs'))});
const cachePath = join(__dirname, 'program.cache');
const open = (path) => {
  const file = openSync(path);
  return openPack((start, length) => {
    const piece = Buffer.allocUnsafe(length);
    readSync(file, piece, 0, length, start);
    return piece;
  });
};
const code = open(join(__dirname, 'program.parts'));
const values = [require, module, exports, __filename, __dirname];
if (existsSync(cachePath)) runParts(code, open(cachePath), values);
else recordCaches(code, values, (caches) => writeFileSync(cachePath, caches));
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
  // Importing the seed into each new file takes three seconds.
  makeStarter(root, join(draft, 'starter.db'));
  writeParts(join(draft, 'program.parts'));
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
  const sources = ['src', 'seed', 'bin']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const others = ['schema.sql', 'package-lock.json'];
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

/** What `starterFile` of `src/assets.ts` is in the parts without the starter catalogue, and with it. */
const noStarter = 'function starterFile(){return null}';
const starter =
  'function starterFile(){return new Uint8Array(require("node:fs").readFileSync(require("node:path").join(__dirname,"starter.db")))}';

/**
 * Writes the parts as `build.mjs` does, with the starter catalogue beside them, except that the program reads its other
 * assets and its natives from the repository.
 */
function writeParts(path: string): void {
  const { outputFiles = [] } = buildSync({
    ...partOptions,
    absWorkingDir: root,
    // An uncaught error prints its line.
    lineLimit: 200,
    external: [...(partOptions.external ?? []), 'better-sqlite3', '@node-rs/argon2'],
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/assets.ts')).href) },
  });
  const parts = makeParts(outputFiles);
  const [assets] = [...parts].find(([, code]) => code.includes(noStarter)) ?? [];
  if (assets === undefined) throw new Error('the program has another starterFile() than expected');
  parts.set(assets, (parts.get(assets) as string).replace(noStarter, starter));
  writeFileSync(path, makePack([...parts].map(([name, code]) => [name, Buffer.from(code, 'latin1')])));
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
