/**
 * Reads the text files that are part of the program: `schema.sql`, `package.json`, everything in `seed/`, the word
 * lists of `src/text/lexicon`, the guides, the recorded examples, the service and proxy examples, and the reference viewer (`collectTexts` of
 * build.mjs lists them).
 * From source, they are read from the repository. In the executable, `build.mjs` replaces this module by one that
 * contains the texts, so no other files are needed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const root = new URL('../', import.meta.url);

/** Returns the text of a file by its path in the repository. Throws if it does not exist. */
export function readAsset(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Returns the paths of the starter catalogue's files, sorted by name. */
export function seedPaths(): string[] {
  return readdirSync(new URL('seed/', root))
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => `seed/${name}`);
}

/**
 * Returns the starter catalogue as a prebuilt data file, which makes the first start of the executable fast; null
 * from source, where the seed is imported.
 */
export function starterFile(): Uint8Array | null {
  return null;
}

/**
 * Starts a worker thread of the store.
 * @param name the path of its module below `src`, without extension
 * @param workerData structured-cloneable input
 */
export function startThread(name: string, workerData: unknown): Worker {
  return new Worker(new URL(`src/${name}.ts`, root), {
    workerData,
    execArgv: [],
    // Closing a handle of the data file would release all locks of this process on it.
    trackUnmanagedFds: false,
  });
}
