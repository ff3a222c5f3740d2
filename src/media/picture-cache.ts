/**
 * The folder of converted pictures: one file per picture, named by the digest of its address. A file starts with the
 * length of a header in JSON, then the header, then the sizes. The least recently used files are removed. Several
 * processes may share a folder: files appear by renaming, a missing one is a miss, and all add what they write to one
 * tally, so that together they keep the limit.
 */
import { randomBytes } from 'node:crypto';
import {
  appendFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SizedPicture } from './sizes.ts';

/** A failed attempt to fetch or convert a picture. */
export type FailedPicture = { attempts: number; untilMs: number; reason: string };

type SizeHeader = { width: number; height: number; length: number };

const pictureEnding = '.picture';
const failureEnding = '.failed';
const draftEnding = '.draft';
const ownFile = /^[0-9a-f]{32}\.(?:picture|failed)$/;
const draftFile = /\.draft$/;
/** Its length is what all processes stored since the folder was measured, in blocks of `minFileBytes`. */
const tallyFile = '.tally';
/** Files count at least as much as file systems give them. */
const minFileBytes = 4_096;
const maxHeaderBytes = 4_096;
/** No size of a picture is larger; a damaged header may state more. */
const maxSizeBytes = 50_000_000;
/** Drafts of processes that died are removed after this time. */
const draftAgeMs = 3_600_000;
/** How often the time of use of one file is noted. */
const touchMs = 3_600_000;

/** Stores converted pictures, and notes of failed downloads, in a folder of limited size. */
export class PictureCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Bytes in the folder when it was last measured, and what this process wrote since; null: not measured yet. */
  #bytes: number | null = null;
  #tidying: Promise<void> | null = null;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Reads the size of a picture that fits a width; null if the picture is not there. */
  async read(digest: string, select: (sizes: readonly SizeHeader[]) => SizeHeader | undefined) {
    const path = this.#pathOf(digest, pictureEnding);
    const file = await open(path, 'r').catch(ignoreMissing);
    if (file === null) return null;
    try {
      const start = Buffer.alloc(maxHeaderBytes);
      const { bytesRead } = await file.read(start, 0, maxHeaderBytes, 0);
      const sizes = parseHeader(start.subarray(0, bytesRead));
      const size = sizes === null ? undefined : select(sizes.list);
      if (sizes === null || size === undefined) return null;
      const before = sizes.list.slice(0, sizes.list.indexOf(size));
      const offset = sizes.end + before.reduce((sum, { length }) => sum + length, 0);
      const bytes = Buffer.alloc(size.length);
      const read = await file.read(bytes, 0, size.length, offset);
      if (read.bytesRead !== size.length) return null;
      const { mtimeMs } = await file.stat();
      const now = Date.now();
      if (now - mtimeMs > touchMs) await utimes(path, now / 1000, now / 1000).catch(() => {});
      return { width: size.width, height: size.height, bytes };
    } finally {
      await file.close();
    }
  }

  /** Stores a picture in all its sizes, and removes the note of an earlier failure. */
  async write(digest: string, sizes: readonly SizedPicture[]): Promise<void> {
    const list = sizes.map(
      ({ width, height, bytes }): SizeHeader => ({ width, height, length: bytes.length }),
    );
    const header = Buffer.from(JSON.stringify(list));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(header.length);
    await this.#store(
      this.#pathOf(digest, pictureEnding),
      Buffer.concat([length, header, ...sizes.map((size) => size.bytes)]),
    );
    await rm(this.#pathOf(digest, failureEnding), { force: true });
  }

  /** Reads the note of a failure; null without one. */
  async readFailure(digest: string): Promise<FailedPicture | null> {
    const text = await readFile(this.#pathOf(digest, failureEnding), 'utf8').catch(ignoreMissing);
    if (text === null) return null;
    try {
      const { attempts, untilMs, reason } = JSON.parse(text) as FailedPicture;
      return typeof attempts === 'number' && typeof untilMs === 'number'
        ? { attempts, untilMs, reason }
        : null;
    } catch {
      return null;
    }
  }

  async writeFailure(digest: string, failure: FailedPicture): Promise<void> {
    await this.#store(this.#pathOf(digest, failureEnding), Buffer.from(JSON.stringify(failure)));
  }

  /** Waits for the removal of files that goes on. */
  async close(): Promise<void> {
    await this.#tidying;
  }

  #pathOf(digest: string, ending: string): string {
    return join(this.#folder, `${digest}${ending}`);
  }

  async #store(path: string, content: Buffer): Promise<void> {
    await makeFolder(this.#folder);
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}${draftEnding}`;
    try {
      await writeFile(draft, content, { flag: 'wx' });
      await rename(draft, path);
    } catch (failure) {
      await rm(draft, { force: true });
      throw failure;
    }
    const blocks = Math.ceil(content.length / minFileBytes) || 1;
    await appendFile(this.#tally, '.'.repeat(blocks));
    if (this.#bytes !== null) this.#bytes += blocks * minFileBytes;
    if (this.#bytes === null || Math.max(this.#bytes, await this.#tallied()) > this.#maxBytes)
      await this.#tidy();
  }

  get #tally(): string {
    return join(this.#folder, tallyFile);
  }

  /** The bytes in the folder, by what all processes noted. */
  async #tallied(): Promise<number> {
    return ((await stat(this.#tally).catch(ignoreMissing))?.size ?? 0) * minFileBytes;
  }

  /** Measures the folder, and removes the least recently used files until a tenth of the limit is free. */
  #tidy(): Promise<void> {
    this.#tidying ??= this.#removeOldest().finally(() => {
      this.#tidying = null;
    });
    return this.#tidying;
  }

  async #removeOldest(): Promise<void> {
    const talliedBefore = await this.#tallied();
    const files: { path: string; bytes: number; usedMs: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const isDraft = draftFile.test(name);
      // The operator may have named a folder with other files in it.
      if (!isDraft && !ownFile.test(name)) continue;
      const facts = await stat(path).catch(ignoreMissing);
      if (facts === null) continue;
      const blocks = Math.ceil(facts.size / minFileBytes) || 1;
      if (!isDraft) files.push({ path, bytes: blocks * minFileBytes, usedMs: facts.mtimeMs });
      else if (Date.now() - facts.mtimeMs > draftAgeMs) await rm(path, { force: true });
    }
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > this.#maxBytes) {
      files.sort((one, other) => one.usedMs - other.usedMs);
      for (const file of files) {
        if (bytes <= this.#maxBytes * 0.9) break;
        await rm(file.path, { force: true });
        bytes -= file.bytes;
      }
    }
    this.#bytes = bytes;
    // What others stored meanwhile may have been measured or not; it counts.
    const meanwhile = Math.max(0, (await this.#tallied()) - talliedBefore);
    await truncate(this.#tally, (bytes + meanwhile) / minFileBytes).catch(ignoreMissing);
  }
}

/** Creates a folder and its parents one at a time: Node's recursive mode does not return in places such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = async () => {
    try {
      await mkdir(folder);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
    }
  };
  try {
    await make();
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw failure;
    await makeFolder(dirname(folder));
    await make();
  }
}

const ignoreMissing = (failure: NodeJS.ErrnoException): null => {
  if (failure.code === 'ENOENT') return null;
  throw failure;
};

/** Parses the header of a file; null if it is damaged. */
function parseHeader(start: Buffer): { list: SizeHeader[]; end: number } | null {
  const length = start.length < 4 ? 0 : start.readUInt32LE(0);
  if (length < 2 || length + 4 > start.length) return null;
  try {
    const list = JSON.parse(start.toString('utf8', 4, 4 + length)) as SizeHeader[];
    const isCount = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= maxSizeBytes;
    const isWhole = list.every((size) => [size.width, size.height, size.length].every(isCount));
    return isWhole ? { list, end: 4 + length } : null;
  } catch {
    return null;
  }
}
