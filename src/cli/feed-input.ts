/** Input of `import`: files one after the other, or standard input. Gzip is decompressed. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fileChunkBytes } from '../app.ts';
import { Failure } from '../failure.ts';
import { plural } from '../plural.ts';
import { maxHeadBytes } from './detect-format.ts';

const lineFeed = 10;

/** A file and the number of a line in it, from 1. */
export type LineLocation = { file: string; line: number };

/** The bytes of several feeds as one stream of lines, with the file and line of each line of the whole. */
export class FeedInput {
  readonly #files: readonly string[];
  /** Size of all files on disk; null if standard input is one of them. */
  readonly totalBytes: number | null;
  /** Bytes read from disk so far. */
  bytesRead = 0;
  /** First bytes before decompression; null before the first read. */
  head: Uint8Array | null = null;
  /** The files that were begun, with the number of input lines before each. */
  readonly #fileStarts: { file: string; before: number }[] = [];
  /** The number of lines read. */
  #lines = 0;

  /** @param files paths, `-` for standard input; throws a `Failure` if one does not exist */
  constructor(files: readonly string[]) {
    this.#files = uniqueFiles(files.flatMap(expandFolder));
    if (files.filter((file) => file === '-').length > 1) {
      throw new Failure('Standard input (-) can be read only once.', 2);
    }
    let total = 0;
    for (const file of this.#files.filter((name) => name !== '-')) total += fileSize(file);
    this.totalBytes = files.includes('-') ? null : total;
  }

  get hasSeveralFiles(): boolean {
    return this.#files.length > 1;
  }

  /** Returns the location of line `number` of the whole input, which must have been read. */
  locate(number: number): LineLocation {
    const begin = this.#fileStarts.findLast(({ before }) => before < number);
    return { file: begin?.file ?? '-', line: number - (begin?.before ?? 0) };
  }

  /** Yields the bytes of all files. A missing line feed at the end of a file is added, so that no line spans two files. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for (const file of this.#files) {
      this.#fileStarts.push({ file, before: this.#lines });
      let last = lineFeed;
      for await (const chunk of this.#decompressed(file)) {
        this.#lines += countLines(chunk);
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
      if (last === lineFeed) continue;
      this.#lines++;
      yield Uint8Array.of(lineFeed);
    }
  }

  async *#decompressed(file: string): AsyncGenerator<Uint8Array> {
    const label = file === '-' ? 'standard input' : file;
    const source: Readable =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: fileChunkBytes });
    try {
      const compressed = this.#countBytes(source);
      const first = await compressed.next();
      if (first.done) {
        this.head ??= new Uint8Array(0);
        return;
      }
      const head = await readMagicBytes(first.value, compressed);
      if (!isGzip(head)) {
        checkText(head, file);
        yield* withoutBom(head, compressed);
      } else {
        const decompressed = gunzip(head, compressed);
        const start = await decompressed.next();
        if (!start.done) yield* withoutBom(start.value, decompressed);
      }
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException;
      if (code?.startsWith('Z_')) {
        const lines = this.#lines - (this.#fileStarts.at(-1)?.before ?? 0);
        throw new Failure(
          `${label} is not a complete gzip file (${(failure as Error).message}). ${plural(lines, 'line')} before the error ${lines === 1 ? 'was' : 'were'} read.`,
        );
      }
      if (code === undefined || failure instanceof Failure) throw failure;
      throw new Failure(`${label} cannot be read (${code}).`);
    } finally {
      source.destroy();
    }
  }

  async *#countBytes(source: Readable): AsyncGenerator<Uint8Array> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      this.bytesRead += chunk.length;
      this.head ??= chunk.slice(0, maxHeadBytes);
      yield chunk;
    }
  }
}

/** Removes repeated files, also if they are named by different paths. */
export const uniqueFiles = (files: readonly string[]): string[] => [
  ...new Map(files.map((file) => [file === '-' ? file : resolve(file), file])).values(),
];

const feedFilePattern = /\.(?:ndjson|jsonl)(?:\.gz)?$/i;

/** Returns the feeds in a folder, by name; for a file, the file. Throws a `Failure` if there is none. */
function expandFolder(file: string): string[] {
  if (file === '-') return [file];
  if (!existsSync(file)) {
    const isAddress = /^https?:\/\//i.test(file);
    throw new Failure(
      isAddress
        ? '`import` reads files. For an address, run `cratebase add ADDRESS`.'
        : `The file ${file} does not exist. Name a file, or - for standard input.`,
    );
  }
  if (!statSync(file).isDirectory()) return [file];
  const feeds = readOrFail(file, () => readdirSync(file, { withFileTypes: true }))
    .filter(({ name }) => feedFilePattern.test(name) && !name.startsWith('.'))
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(file, name))
    .sort();
  if (feeds.length > 0) return feeds;
  throw new Failure(
    `${file} is a folder without .ndjson files. For other files, set --type, such as --type ical.`,
  );
}

const fileSize = (file: string): number => readOrFail(file, () => statSync(file).size);

/** Runs a read of a file or folder. Throws a `Failure` if the system refuses it, also for a broken link. */
function readOrFail<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (failure) {
    throw new Failure(`${file} cannot be read (${(failure as NodeJS.ErrnoException).code}).`);
  }
}

function countLines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** Reads at least three bytes, enough for the gzip header and the byte order mark: a pipe may give one byte first. */
async function readMagicBytes(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head = first;
  while (head.length < 3) {
    const next = await rest.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

/**
 * Throws a `Failure` if a file is named .gz but has neither gzip nor text. Text is accepted: some programs decompress a
 * file and keep its name.
 */
function checkText(head: Uint8Array, file: string): void {
  if (!/\.gz$/i.test(file)) return;
  // A chunk may end within a character.
  if (!head.includes(0) && isUtf8(head.subarray(0, head.lastIndexOf(lineFeed) + 1 || undefined))) return;
  throw new Failure(
    `${file} is not a gzip file, although its name ends with .gz: its first bytes are not those of gzip (1f 8b). Nothing of it was read.`,
  );
}

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Yields the bytes of a file without its byte order mark. */
async function* withoutBom(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
  yield* rest;
}

/** So much is decompressed at once. A piece with an error is lost, and a piece may become a thousand times as long. */
const compressedPieceBytes = 1_024;

/** Decompresses a file. What comes before an error is yielded before it is thrown; a pipe of streams would drop all it holds. */
async function* gunzip(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGunzip();
  const decompressed: Uint8Array[] = [];
  stream.on('data', (chunk: Uint8Array) => decompressed.push(chunk));
  let failure: Error | null = null;
  const end = new Promise<void>((resolve) => {
    stream.once('end', resolve);
    stream.once('error', (error) => {
      failure = error;
      resolve();
    });
  });
  const feed = (piece: Uint8Array) => new Promise<void>((resolve) => stream.write(piece, () => resolve()));
  try {
    for (let chunk: Uint8Array | undefined = head; chunk && !failure; chunk = (await rest.next()).value) {
      for (let from = 0; from < chunk.length && !failure; from += compressedPieceBytes) {
        await Promise.race([feed(chunk.subarray(from, from + compressedPieceBytes)), end]);
        yield* decompressed.splice(0);
      }
    }
    stream.end();
    await end;
    yield* decompressed.splice(0);
    if (failure !== null) throw failure;
  } finally {
    stream.destroy();
  }
}
