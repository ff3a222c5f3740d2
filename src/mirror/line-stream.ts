/** Sends lines to a client as fast as it reads them. */
import type { ServerResponse } from 'node:http';
import { createGzip, type Gzip } from 'node:zlib';

/** A client that takes nothing for this time, in ms, is disconnected. */
const stallMs = 60_000;
const gzipLevel = 4;

/** Writes text to a response, and waits while the client does not take it. */
export class LineStream {
  readonly #response: ServerResponse;
  readonly #target: ServerResponse | Gzip;

  /** @param isCompressed whether the body is compressed with gzip, in threads of their own */
  constructor(response: ServerResponse, isCompressed: boolean) {
    this.#response = response;
    this.#target = response;
    if (!isCompressed) return;
    const gzip = createGzip({ level: gzipLevel });
    gzip.pipe(response);
    gzip.on('error', () => response.destroy());
    response.on('close', () => gzip.destroy());
    this.#target = gzip;
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.closed;
  }

  /** Writes text. Resolves when more can be written, or the client is gone. */
  async write(text: string): Promise<void> {
    if (this.isClosed || text === '' || this.#target.write(text)) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#target.off('drain', finish);
        this.#response.off('close', finish);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#response.destroy();
        finish();
      }, stallMs);
      timer.unref();
      this.#target.once('drain', finish);
      this.#response.once('close', finish);
    });
  }

  end(): void {
    if (!this.isClosed) this.#target.end();
  }
}
