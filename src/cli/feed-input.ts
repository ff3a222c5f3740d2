/** The bytes of feeds: files one after the other or standard input, unpacked where they are gzipped. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../failure.ts';
import { maxHeadBytes } from './detect-format.ts';

const lineFeed = 10;

/** Where a line of the whole input stands: the file and its number there. */
export type LineLocation = { file: string; line: number };

export class FeedInput {
  readonly #files: readonly string[];
  /** Size of all files as they lie on disk; null where standard input is one of them. */
  readonly totalBytes: number | null;
  /** Bytes read from disk so far. */
  bytesRead = 0;
  /** The first bytes, as they were; null before anything was read. */
  head: Uint8Array | null = null;
  /** Of each file begun: how many lines of the whole input stand before it. */
  readonly #fileStarts: { file: string; before: number }[] = [];

  /** @param files paths, `-` for standard input; throws a `Failure` where one is not there */
  constructor(files: readonly string[]) {
    this.#files = uniqueFiles(files.flatMap(expandFolder));
    if (files.filter((file) => file === '-').length > 1) {
      throw new Failure('Standard input (-) can be read only once.', 2);
    }
    let total = 0;
    for (const file of this.#files.filter((name) => name !== '-')) total += fileSize(file);
    this.totalBytes = files.includes('-') ? null : total;
  }

  /** Whether lines have to be told by their file too. */
  get hasSeveralFiles(): boolean {
    return this.#files.length > 1;
  }

  /** Where line `number` of the whole input comes from. To be asked while or after it is read. */
  locate(number: number): LineLocation {
    const begin = this.#fileStarts.findLast(({ before }) => before < number);
    return { file: begin?.file ?? '-', line: number - (begin?.before ?? 0) };
  }

  /** The bytes of all files. Each but the last ends with a line feed, so that no two files share a line. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    let lines = 0;
    for (const file of this.#files) {
      this.#fileStarts.push({ file, before: lines });
      let last = lineFeed;
      for await (const chunk of this.#decompressed(file)) {
        lines += countLines(chunk);
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
      if (last === lineFeed) continue;
      lines++;
      yield Uint8Array.of(lineFeed);
    }
  }

  async *#decompressed(file: string): AsyncGenerator<Uint8Array> {
    const shown = file === '-' ? 'standard input' : file;
    const source: Readable = file === '-' ? process.stdin : createReadStream(file);
    try {
      const packed = this.#countBytes(source);
      const first = await packed.next();
      if (first.done) {
        this.head ??= new Uint8Array(0);
        return;
      }
      const head = await readMagicBytes(first.value, packed);
      if (!isGzip(head)) {
        checkText(head, file);
        yield* withoutBom(head, packed);
      } else {
        const unpacked = gunzip(head, packed);
        const start = await unpacked.next();
        if (!start.done) yield* withoutBom(start.value, unpacked);
      }
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException;
      if (code?.startsWith('Z_')) {
        throw new Failure(
          `${shown} is not a complete gzip file (${(failure as Error).message}). Records before the error are imported.`,
        );
      }
      if (code === undefined || failure instanceof Failure) throw failure;
      throw new Failure(`${shown} cannot be read (${code}).`);
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

/** Files without those that were named before, be it by another path. */
export const uniqueFiles = (files: readonly string[]): string[] => [
  ...new Map(files.map((file) => [file === '-' ? file : resolve(file), file])).values(),
];

const feedFilePattern = /\.(?:ndjson|jsonl)(?:\.gz)?$/i;

/** The feeds of a folder by their names; of anything else, itself. Throws a `Failure` where there is none. */
function expandFolder(file: string): string[] {
  if (file === '-') return [file];
  if (!existsSync(file))
    throw new Failure(`The file ${file} does not exist. Name a file, or - for standard input.`);
  if (!statSync(file).isDirectory()) return [file];
  const feeds = readdirSync(file, { withFileTypes: true })
    .filter(({ name }) => feedFilePattern.test(name) && !name.startsWith('.'))
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(file, name))
    .sort();
  if (feeds.length > 0) return feeds;
  throw new Failure(
    `${file} is a folder without .ndjson files. For other files, set --type, such as --type ical.`,
  );
}

const fileSize = (file: string): number => statSync(file).size;

function countLines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** A pipe may give a single byte first. */
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
 * Throws a `Failure` where a file is called .gz, but holds neither gzip nor text. Text is read: some programs unpack a
 * file and leave its name.
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

/** A byte order mark stands at the beginning of a file only. */
async function* withoutBom(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
  yield* rest;
}

async function* gunzip(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  async function* packed(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* rest;
  }
  const unpacked = createGunzip();
  // What goes wrong on the way is thrown where the result is read.
  pipeline(Readable.from(packed()), unpacked, () => {});
  yield* unpacked as AsyncIterable<Uint8Array>;
}
