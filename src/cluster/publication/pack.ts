/**
 * Packs pages of a data file into objects, and writes the pages of objects into a file.
 *
 * An object holds groups of pages. A group is: number of pages (u32), length of the packed bytes (u32), the pages'
 * numbers (u32 each, from 0), and the packed bytes (zstd). In a difference, each page is XORed with the parent's page;
 * a base holds the pages as they are. Numbers are little-endian.
 */
import { ftruncateSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { measurePages, PageHashes, type PageSummary, readAt, readChunks, writeAt } from './pages.ts';
import { nameOf, seal, unseal } from './seal.ts';

/** The largest object before encryption; a group is never split. */
const maxObjectBytes = 8 << 20;
/** A group of a difference has 256 pages of the usual size, one of a base 4 MB. */
const groupBytes = { difference: 1 << 20, base: 4 << 20 };
const level = { difference: 3, base: 1 };

/** An object of a publication: its name is the SHA-256 of the stored bytes. */
export type ObjectEntry = { sha256: string; bytes: number; firstPage: number; pages: number };
export type PackedObject = ObjectEntry & { content: Uint8Array };
export type PackSummary = PageSummary & { changed: number };

/**
 * Packs the pages of a file that differ from its parent.
 * @param parent the descriptor of the parent's file; null packs all pages, as a base
 * @param file the descriptor of the file
 * @returns the summary of the file, with the number of packed pages
 */
export function* packPages(
  parent: number | null,
  file: number,
  key: Uint8Array,
): Generator<PackedObject, PackSummary> {
  const { pageSize, pageCount } = measurePages(file);
  const packer = new Packer(pageSize, parent === null ? 'base' : 'difference', key);
  const hashes = new PageHashes();
  let changed = 0;
  for (const { first, pages, content, other, otherBytes } of readChunks(file, parent)) {
    for (let at = 0; at < pages; at++) {
      const [start, end] = [at * pageSize, (at + 1) * pageSize];
      const page = content.subarray(start, end);
      hashes.set(first + at, page);
      const before = parent === null ? null : other.subarray(start, end);
      if (before !== null && end <= otherBytes && page.equals(before)) continue;
      changed += 1;
      const object = packer.add(first + at, page, before);
      if (object !== null) yield object;
    }
  }
  yield* packer.finish();
  return { ...hashes.summarize(pageSize, pageCount), changed };
}

class Packer {
  readonly #pageSize: number;
  readonly #kind: 'base' | 'difference';
  readonly #key: Uint8Array;
  readonly #group: Buffer;
  #numbers: number[] = [];
  #parts: Buffer[] = [];
  #bytes = 0;
  #pages = 0;
  #firstPage = 0;

  constructor(pageSize: number, kind: 'base' | 'difference', key: Uint8Array) {
    this.#pageSize = pageSize;
    this.#kind = kind;
    this.#key = key;
    this.#group = Buffer.alloc(groupBytes[kind]);
  }

  /** Adds a page. Returns an object if one is full. */
  add(number: number, page: Buffer, before: Buffer | null): PackedObject | null {
    const start = this.#numbers.length * this.#pageSize;
    const place = this.#group.subarray(start, start + this.#pageSize);
    page.copy(place);
    if (before !== null) xor(place, before);
    this.#numbers.push(number);
    return start + this.#pageSize === this.#group.length ? this.#closeGroup() : null;
  }

  /** Returns the last objects. */
  *finish(): Generator<PackedObject, void> {
    const full = this.#numbers.length > 0 ? this.#closeGroup() : null;
    if (full !== null) yield full;
    const last = this.#closeObject();
    if (last !== null) yield last;
  }

  #closeGroup(): PackedObject | null {
    const content = this.#group.subarray(0, this.#numbers.length * this.#pageSize);
    const packed = zstdCompressSync(content, {
      params: { [constants.ZSTD_c_compressionLevel]: level[this.#kind] },
    });
    const head = Buffer.from(Uint32Array.of(this.#numbers.length, packed.length, ...this.#numbers).buffer);
    const isFull = this.#bytes > 0 && this.#bytes + head.length + packed.length > maxObjectBytes;
    const object = isFull ? this.#closeObject() : null;
    if (this.#parts.length === 0) this.#firstPage = this.#numbers[0] as number;
    this.#parts.push(head, packed);
    this.#bytes += head.length + packed.length;
    this.#pages += this.#numbers.length;
    this.#numbers = [];
    return object;
  }

  #closeObject(): PackedObject | null {
    if (this.#parts.length === 0) return null;
    const content = seal(Buffer.concat(this.#parts), this.#key);
    const { length: bytes } = content;
    const object = {
      sha256: nameOf(content),
      bytes,
      firstPage: this.#firstPage,
      pages: this.#pages,
      content,
    };
    this.#parts = [];
    this.#bytes = 0;
    this.#pages = 0;
    return object;
  }
}

/** Writes `target XOR other` into `target`. */
function xor(target: Uint8Array, other: Uint8Array): void {
  // Pages begin at multiples of their size in buffers of their own.
  const words = new Uint32Array(target.buffer, target.byteOffset, target.length / 4);
  const others = new Uint32Array(other.buffer, other.byteOffset, other.length / 4);
  for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) ^ (others[at] as number);
}

/** Writes the pages of objects into a file, one publication after the other, and knows the hashes of all pages. */
export class PageWriter {
  readonly #file: number;
  readonly #key: Uint8Array;
  readonly #hashes: PageHashes;

  /** @param hashes those of the pages that the file has; none for a base */
  constructor(file: number, key: Uint8Array, hashes = new PageHashes()) {
    this.#file = file;
    this.#key = key;
    this.#hashes = hashes;
  }

  /** Writes the pages of an object. Returns false, and writes nothing, if the object is not the one named. */
  apply(sealed: Uint8Array, { sha256 }: ObjectEntry, pageSize: number, isBase: boolean): boolean {
    if (nameOf(sealed) !== sha256) return false;
    const content = unseal(sealed, this.#key);
    const before = Buffer.alloc(pageSize);
    for (let at = 0; at < content.length; ) {
      const [count, packedBytes] = [content.readUInt32LE(at), content.readUInt32LE(at + 4)];
      const start = at + 8 + count * 4;
      const pages = unpack(content.subarray(start, start + packedBytes), count * pageSize);
      for (let place = 0; place < count; place++) {
        const number = content.readUInt32LE(at + 8 + place * 4);
        const page = pages.subarray(place * pageSize, (place + 1) * pageSize);
        if (!isBase) {
          readAt(this.#file, before, number * pageSize);
          xor(page, before);
        }
        writeAt(this.#file, page, number * pageSize);
        this.#hashes.set(number, page);
      }
      at = start + packedBytes;
    }
    return true;
  }

  /** Gives the file its length, once all objects of a publication are applied. Returns what the file is now. */
  finish(pageSize: number, pageCount: number): PageSummary {
    ftruncateSync(this.#file, pageCount * pageSize);
    return this.#hashes.summarize(pageSize, pageCount);
  }
}

/** Unpacks into a buffer of its own, which begins at a multiple of four. */
function unpack(packed: Uint8Array, bytes: number): Buffer {
  const unpacked = zstdDecompressSync(packed, { maxOutputLength: bytes });
  if (unpacked.length !== bytes) throw new Error('an object of the catalogue has a group of another length');
  return unpacked.byteOffset % 4 === 0 ? unpacked : Buffer.from(new Uint8Array(unpacked).buffer);
}
