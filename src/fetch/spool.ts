/**
 * Buffers a body from the network in memory and in a temporary file, so that a slow reader does not slow down the
 * connection. A server that waits too long closes the connection, and the unread data is lost.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { finished, type Readable } from 'node:stream';

type SpoolLimits = {
  /** Max bytes buffered in memory; more go to the file. */
  memoryBytes: number;
  /** Max bytes buffered in the file; beyond that the network waits. */
  fileBytes: number;
};

const defaultLimits: SpoolLimits = { memoryBytes: 4 * 1024 * 1024, fileBytes: 1024 ** 3 };
/** Max share of the free disk space that the file may use: the service needs the disk as well. */
const maxFreeSpaceShare = 1 / 4;
/** Bytes read from the file at a time. */
const chunkBytes = 256 * 1024;

/**
 * Yields the bytes of a stream in order. They are buffered in memory, then in an unlinked file in `folder` that is used
 * as a ring. The file disappears with the process. If no file can be created or written, only memory is used. Ends the
 * stream when the reader stops.
 * @param source an unread stream of bytes
 * @param folder folder of the file, such as the folder of the data file
 * @throws the error of the stream, after all bytes that came before it
 */
export async function* spoolStream(
  source: Readable,
  folder: string,
  limits: SpoolLimits = defaultLimits,
): AsyncGenerator<Uint8Array> {
  const spool = new RingSpool(folder, limits);
  let wake = () => {};
  let end: { failure: unknown } | null = null;
  const removeListeners = finished(source, { writable: false }, (failure) => {
    end = { failure: failure ?? null };
    wake();
  });
  const receive = (chunk: Uint8Array) => {
    spool.push(chunk);
    if (spool.isFull) source.pause();
    wake();
  };
  source.on('data', receive);
  try {
    for (;;) {
      const chunk = spool.shift();
      if (chunk !== null) {
        if (source.isPaused() && !spool.isFull) source.resume();
        yield chunk;
      } else if (end !== null) {
        const { failure } = end as { failure: unknown };
        if (failure !== null) throw failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    removeListeners();
    source.off('data', receive);
    // Errors of an abandoned stream are ignored.
    source.on('error', () => {});
    source.destroy();
    spool.close();
  }
}

/** A queue of bytes: the oldest in memory, later ones in the file, the newest in memory again when the file is full. */
class RingSpool {
  readonly #folder: string;
  readonly #memoryBytes: number;
  /** Size of the ring; 0 without a file. */
  #fileBytes: number;
  #file: number | null = null;
  /** Chunks before and after those in the file. */
  #early: Uint8Array[] = [];
  #late: Uint8Array[] = [];
  #earlyBytes = 0;
  /** Bytes written to and read from the ring since it was last empty. */
  #written = 0;
  #read = 0;

  constructor(folder: string, { memoryBytes, fileBytes }: SpoolLimits) {
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
    this.#fileBytes = fileBytes;
  }

  get #fileLength(): number {
    return this.#written - this.#read;
  }

  /** Whether the network must wait. */
  get isFull(): boolean {
    if (this.#late.length > 0) return true;
    return this.#earlyBytes >= this.#memoryBytes && this.#fileLength >= this.#fileBytes;
  }

  push(chunk: Uint8Array): void {
    if (this.#fileLength === 0 && this.#late.length === 0 && this.#earlyBytes < this.#memoryBytes) {
      this.#early.push(chunk);
      this.#earlyBytes += chunk.length;
    } else if (this.#late.length > 0 || !this.#writeToFile(chunk)) this.#late.push(chunk);
  }

  /** Removes and returns the oldest chunk; null when the queue is empty. */
  shift(): Uint8Array | null {
    const early = this.#early.shift();
    if (early !== undefined) {
      this.#earlyBytes -= early.length;
      return early;
    }
    if (this.#fileLength > 0) return this.#readFromFile();
    return this.#late.shift() ?? null;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    this.#early = [];
    this.#late = [];
  }

  /**
   * Writes a chunk to the file.
   * @returns false without room for it, and always without a file
   */
  #writeToFile(chunk: Uint8Array): boolean {
    this.#file ??= this.#open();
    if (this.#file === null || this.#fileLength + chunk.length > this.#fileBytes) return false;
    try {
      for (let done = 0; done < chunk.length; ) {
        const at = (this.#written + done) % this.#fileBytes;
        const room = Math.min(chunk.length - done, this.#fileBytes - at);
        done += writeSync(this.#file, chunk, done, room, at);
      }
    } catch {
      // The disk is full: the chunk stays in memory, and the network waits.
      return false;
    }
    this.#written += chunk.length;
    return true;
  }

  #readFromFile(): Uint8Array {
    const at = this.#read % this.#fileBytes;
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, this.#fileLength, this.#fileBytes - at));
    const length = readSync(this.#file as number, chunk, 0, chunk.length, at);
    if (length === 0)
      throw new Error('The temporary file of a transfer is shorter than what was written to it.');
    this.#read += length;
    if (this.#fileLength === 0) {
      ftruncateSync(this.#file as number, 0);
      this.#written = 0;
      this.#read = 0;
    }
    return chunk.subarray(0, length);
  }

  /** Creates and unlinks a file; null, from then on, where that is impossible. */
  #open(): number | null {
    if (this.#fileBytes === 0) return null;
    const path = join(this.#folder, `.cratebase-spool-${process.pid}-${randomBytes(6).toString('hex')}`);
    try {
      const { bavail, bsize } = statfsSync(this.#folder);
      this.#fileBytes = Math.min(this.#fileBytes, Math.floor(bavail * bsize * maxFreeSpaceShare));
      if (this.#fileBytes < chunkBytes) throw new Error('no room');
      return openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    } catch {
      this.#fileBytes = 0;
      return null;
    } finally {
      if (existsSync(path)) rmSync(path, { force: true });
    }
  }
}
