/** Streams of lines that hold nothing: given up, for they may go on for ever. */
import { Failure } from '../../failure.ts';

/** So much may come without a line that can be read: one line of a dump may be spoilt, and long. */
const mostMiB = 256;
const mostLines = 10_000;

export class Barren {
  readonly #name: string;
  #bytes = 0;
  #lines = 0;

  /** @param name of what is read, as it may be shown */
  constructor(name: string) {
    this.#name = name;
  }

  /** Passes bytes on; a `Failure` once there were too many since the last good line. */
  async *watch(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      this.#bytes += piece.length;
      if (this.#bytes > mostMiB * 1024 * 1024) throw this.#failure(`${mostMiB} MiB`);
      yield piece;
    }
  }

  good(): void {
    this.#bytes = 0;
    this.#lines = 0;
  }

  /** Throws a `Failure` where nothing but bad lines came. */
  bad(): void {
    this.#lines++;
    if (this.#lines >= mostLines) throw this.#failure(`${mostLines.toLocaleString('en')} lines`);
  }

  #failure(much: string): Failure {
    return new Failure(`${this.#name} goes on for ${much} without one that can be read. It was left there.`);
  }
}
