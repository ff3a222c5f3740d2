/** Writes text to a file that is compressed with gzip, and waits while the disk is slower. */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';

const gzipLevel = 6;

/**
 * A new file whose text is compressed with gzip. The path must not exist: the first failure is thrown by `write` or
 * `close`.
 */
export class CompressedFile {
  readonly path: string;
  readonly #gzip: Gzip;
  readonly #file: WriteStream;
  readonly #done: Promise<void>;
  #failure: unknown = null;

  constructor(path: string) {
    this.path = path;
    this.#gzip = createGzip({ level: gzipLevel });
    this.#file = createWriteStream(path, { flags: 'wx', mode: 0o644 });
    this.#gzip.on('error', (failure) => this.#fail(failure));
    this.#file.on('error', (failure) => {
      this.#fail(failure);
      this.#gzip.destroy();
    });
    this.#done = finished(this.#gzip.pipe(this.#file));
    // Reported by `write` or `close`.
    this.#done.catch(() => {});
  }

  #fail(failure: unknown): void {
    this.#failure ??= failure;
  }

  async write(text: string): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (text === '' || this.#gzip.write(text)) return;
    await Promise.race([once(this.#gzip, 'drain'), this.#done]);
    if (this.#failure !== null) throw this.#failure;
  }

  /** Resolves when the file is complete. */
  async close(): Promise<void> {
    this.#gzip.end();
    await this.#done;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Ends without a complete file. Destroying the compressor alone would leave the file open. */
  abandon(): void {
    this.#gzip.destroy();
    this.#file.destroy();
  }
}
