/**
 * Compares and copies data files page by page, without SQLite. All functions are synchronous and run in the thread of
 * `page-thread.ts`. Files are given by their descriptors: closing one would release the locks that SQLite holds on it.
 */
import { hash } from 'node:crypto';
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { Failure } from '../../failure.ts';

/** How much of a file is read at once. */
export const chunkBytes = 8 << 20;
const hashBytes = 32;
/** Hashes in a node of the tree. */
const treeWidth = 128;

/** What proves that two files are equal byte for byte. */
export type PageSummary = { pageSize: number; pageCount: number; root: string };

/** The SHA-256 of each page of a file. */
export class PageHashes {
  #hashes = Buffer.alloc(1024 * hashBytes);

  /** Stores the hash of a page, which begins at 0. */
  set(page: number, content: Uint8Array): void {
    const end = (page + 1) * hashBytes;
    if (end > this.#hashes.length) {
      const longer = Buffer.alloc(Math.max(end, this.#hashes.length * 2));
      this.#hashes.copy(longer);
      this.#hashes = longer;
    }
    hash('sha256', content, 'buffer').copy(this.#hashes, page * hashBytes);
  }

  /** Returns the root of the Merkle tree over the hashes of the first `pageCount` pages. */
  summarize(pageSize: number, pageCount: number): PageSummary {
    let level = this.#hashes.subarray(0, pageCount * hashBytes);
    const width = treeWidth * hashBytes;
    while (level.length > width) {
      const above = Buffer.alloc(Math.ceil(level.length / width) * hashBytes);
      for (let at = 0; at * width < level.length; at++)
        hash('sha256', level.subarray(at * width, (at + 1) * width), 'buffer').copy(above, at * hashBytes);
      level = above;
    }
    const head = Buffer.from(`pages ${pageSize} ${pageCount}\n`);
    return { pageSize, pageCount, root: hash('sha256', Buffer.concat([head, level])) };
  }
}

/** Fills the buffer from a file, with zeros beyond its end. Returns the number of bytes that the file has there. */
export function readAt(file: number, target: Buffer, position: number): number {
  let length = 0;
  while (length < target.length) {
    const count = readSync(file, target, length, target.length - length, position + length);
    if (count === 0) break;
    length += count;
  }
  target.fill(0, length);
  return length;
}

/** Writes the whole buffer. */
export function writeAt(file: number, content: Uint8Array, position: number): void {
  for (let length = 0; length < content.length; )
    length += writeSync(file, content, length, content.length - length, position + length);
}

/** A file is not made of pages. */
export class NotPages extends Failure {}

/** The summary of a file that is not made of pages: no publication has this root. */
export const noPages: Readonly<PageSummary> = { pageSize: 0, pageCount: 0, root: '' };

/** Reads the size of the pages, and their number. Throws `NotPages` if the file is not made of pages. */
export function measurePages(file: number): { pageSize: number; pageCount: number } {
  const header = Buffer.alloc(18);
  readAt(file, header, 0);
  const stated = header.readUInt16BE(16);
  const pageSize = stated === 1 ? 65_536 : stated;
  const { size } = fstatSync(file);
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3' || pageSize < 512 || size % pageSize !== 0)
    throw new NotPages('A slot of the catalogue is damaged: it is not a data file.');
  return { pageSize, pageCount: size / pageSize };
}

/** One step through a file: pages from `first` on, with the same pages of another file. */
export type PageChunk = { first: number; pages: number; content: Buffer; other: Buffer; otherBytes: number };

/** Reads a file in chunks, with the same range of another file beside each. The buffers are reused. */
export function* readChunks(
  file: number,
  other: number | null,
  bytes: number = chunkBytes,
): Generator<PageChunk> {
  const { pageSize, pageCount } = measurePages(file);
  const perChunk = bytes / pageSize;
  const buffers = [Buffer.alloc(bytes), Buffer.alloc(other === null ? 0 : bytes)] as const;
  for (let first = 0; first < pageCount; first += perChunk) {
    const pages = Math.min(perChunk, pageCount - first);
    const content = buffers[0].subarray(0, pages * pageSize);
    if (readAt(file, content, first * pageSize) < content.length)
      throw new NotPages('A slot of the catalogue became shorter while it was read.');
    const beside = buffers[1].subarray(0, pages * pageSize);
    const otherBytes = other === null ? 0 : readAt(other, beside, first * pageSize);
    yield { first, pages, content, other: beside, otherBytes };
  }
}

/** Computes the summary of a whole file. */
export function summarizeFile(file: number): PageSummary {
  const pieces = summarizeInPieces(file, chunkBytes);
  for (;;) {
    const piece = pieces.next();
    if (piece.done) return piece.value;
  }
}

/**
 * Computes the summary of a whole file, and yields after each piece.
 * @param bytes the size of a piece, a multiple of 65,536
 */
export function* summarizeInPieces(file: number, bytes: number): Generator<void, PageSummary> {
  const { pageSize, pageCount } = measurePages(file);
  const hashes = new PageHashes();
  for (const { first, pages, content } of readChunks(file, null, bytes)) {
    for (let at = 0; at < pages; at++)
      hashes.set(first + at, content.subarray(at * pageSize, (at + 1) * pageSize));
    yield;
  }
  return hashes.summarize(pageSize, pageCount);
}

/**
 * Makes `to` equal to `from`, and writes only the pages that differ.
 * @param hashes gets the hashes of all pages
 * @returns the summary of `from`, and the number of pages written
 */
export function alignPages(from: number, to: number, hashes: PageHashes): PageSummary & { copied: number } {
  const { pageSize, pageCount } = measurePages(from);
  let copied = 0;
  for (const { first, pages, content, other, otherBytes } of readChunks(from, to)) {
    for (let at = 0; at < pages; at++) {
      const [start, end] = [at * pageSize, (at + 1) * pageSize];
      const page = content.subarray(start, end);
      hashes.set(first + at, page);
      if (end <= otherBytes && page.equals(other.subarray(start, end))) continue;
      writeAt(to, page, (first + at) * pageSize);
      copied += 1;
    }
  }
  ftruncateSync(to, pageCount * pageSize);
  return { ...hashes.summarize(pageSize, pageCount), copied };
}
