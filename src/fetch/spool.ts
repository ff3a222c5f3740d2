/**
 * Takes a body from the network as fast as it comes, while its reader may be slow: a server that has to wait for a
 * parser closes the connection, and what it has sent by then is lost.
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

export type SpoolLimits = {
  /** So many bytes wait in memory; more go to the file. */
  memoryBytes: number;
  /** So many bytes wait in the file at most; then the network has to wait. */
  fileBytes: number;
};

const defaultLimits: SpoolLimits = { memoryBytes: 4 * 1024 * 1024, fileBytes: 1024 ** 3 };
/** So much of the free space of the disk the file may take: the service writes there, too. */
const maxFreeSpaceShare = 1 / 4;
/** What is read from the file at a time. */
const chunkBytes = 256 * 1024;

/**
 * The bytes of a stream in order. They wait in memory, then in a file without a name in `folder` that is used as a ring:
 * it is gone with the process, however that ends. Where no file can be made or written, memory is all there is.
 * Ends the stream when the reader stops.
 *
 * @param sent a stream of bytes that was not read yet
 * @param folder where the file is made, such as the folder of the data file
 * @throws what the stream failed with, after all that came before it
 */
export async function* spoolStream(
  sent: Readable,
  folder: string,
  bounds: SpoolLimits = defaultLimits,
): AsyncGenerator<Uint8Array> {
  const spool = new RingSpool(folder, bounds);
  let wake = () => {};
  let end: { failure: unknown } | null = null;
  const stop = finished(sent, { writable: false }, (failure) => {
    end = { failure: failure ?? null };
    wake();
  });
  const take = (piece: Uint8Array) => {
    spool.push(piece);
    if (spool.isFull) sent.pause();
    wake();
  };
  sent.on('data', take);
  try {
    for (;;) {
      const piece = spool.shift();
      if (piece !== null) {
        if (sent.isPaused() && !spool.isFull) sent.resume();
        yield piece;
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
    stop();
    sent.off('data', take);
    // What a stream that is given up says of that is of no interest.
    sent.on('error', () => {});
    sent.destroy();
    spool.close();
  }
}

/** First in, first out: the oldest bytes in memory, later ones in the file, the latest in memory again where it is full. */
class RingSpool {
  readonly #folder: string;
  readonly #memoryBytes: number;
  /** The size of the ring; 0 where there is none. */
  #fileBytes: number;
  #file: number | null = null;
  /** What comes before the file, and after it. */
  #early: Uint8Array[] = [];
  #late: Uint8Array[] = [];
  #held = 0;
  /** Bytes written to the ring and read from it since it was empty. */
  #written = 0;
  #read = 0;

  constructor(folder: string, { memoryBytes, fileBytes }: SpoolLimits) {
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
    this.#fileBytes = fileBytes;
  }

  get #inFile(): number {
    return this.#written - this.#read;
  }

  /** Whether the network has to wait. */
  get isFull(): boolean {
    if (this.#late.length > 0) return true;
    return this.#held >= this.#memoryBytes && this.#inFile >= this.#fileBytes;
  }

  push(piece: Uint8Array): void {
    if (this.#inFile === 0 && this.#late.length === 0 && this.#held < this.#memoryBytes) {
      this.#early.push(piece);
      this.#held += piece.length;
    } else if (this.#late.length > 0 || !this.#toFile(piece)) this.#late.push(piece);
  }

  /** The oldest bytes; null where none are waiting. */
  shift(): Uint8Array | null {
    const early = this.#early.shift();
    if (early !== undefined) {
      this.#held -= early.length;
      return early;
    }
    if (this.#inFile > 0) return this.#fromFile();
    return this.#late.shift() ?? null;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    this.#early = [];
    this.#late = [];
  }

  /** False where there is no room for the piece, and for good where there is no file. */
  #toFile(piece: Uint8Array): boolean {
    this.#file ??= this.#open();
    if (this.#file === null || this.#inFile + piece.length > this.#fileBytes) return false;
    try {
      for (let done = 0; done < piece.length; ) {
        const at = (this.#written + done) % this.#fileBytes;
        const room = Math.min(piece.length - done, this.#fileBytes - at);
        done += writeSync(this.#file, piece, done, room, at);
      }
    } catch {
      // A full disk: the piece waits in memory, and the network with it.
      return false;
    }
    this.#written += piece.length;
    return true;
  }

  #fromFile(): Uint8Array {
    const at = this.#read % this.#fileBytes;
    const piece = Buffer.allocUnsafe(Math.min(chunkBytes, this.#inFile, this.#fileBytes - at));
    const length = readSync(this.#file as number, piece, 0, piece.length, at);
    if (length === 0)
      throw new Error('The temporary file of a transfer is shorter than what was written to it.');
    this.#read += length;
    if (this.#inFile === 0) {
      ftruncateSync(this.#file as number, 0);
      this.#written = 0;
      this.#read = 0;
    }
    return piece.subarray(0, length);
  }

  /** A new file that has lost its name already; null, and never again, where there can be none. */
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
