/**
 * Text files that travel with the program: `schema.sql`, `package.json`, everything in `seed/`, the word
 * lists of `src/text/lexicon`, the guides, the recorded examples and the viewer of the reference (`collectTexts` of build.mjs has them all).
 * Run from source they are read from the repository; in the executable `build.mjs` replaces this module by one
 * that holds their texts, so nothing has to lie beside it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const root = new URL('../', import.meta.url);

/** The text of one file, by its path from the top of the repository; throws where there is none. */
export function readAsset(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** The paths of all files of the starter catalogue, in the order of their names. */
export function seedPaths(): string[] {
  return readdirSync(new URL('seed/', root))
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => `seed/${name}`);
}

/**
 * The starter catalogue as a data file, ready to be taken over, which the executable carries so that its first start is
 * quick; null run from source, where the seed is read in instead.
 */
export function starterFile(): Uint8Array | null {
  return null;
}

/**
 * Starts a thread of the store.
 *
 * @param name the path of its module below `src`, without its ending
 * @param workerData what it is to work on; anything that can be cloned
 */
export function startThread(name: string, workerData: unknown): Worker {
  return new Worker(new URL(`src/${name}.ts`, root), {
    workerData,
    execArgv: [],
    // Closing a handle of the data file would let go the locks of the whole process on it.
    trackUnmanagedFds: false,
  });
}
