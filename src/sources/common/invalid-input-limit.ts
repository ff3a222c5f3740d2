/** Streams of lines that hold nothing: given up, for they may go on for ever. */
import { Failure } from '../../failure.ts';

/** So much may come without a line that can be read: one line of a dump may be spoilt, and long. */
const maxMiB = 256;
const maxLines = 10_000;

export class InvalidInputLimit {
  readonly #name: string;
  #bytes = 0;
  #lines = 0;

  /** @param name of what is read, as it may be shown */
  constructor(name: string) {
    this.#name = name;
  }

  /** Passes bytes on; a `Failure` once there were too many since the last good line. */
  async *limitBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      this.#bytes += piece.length;
      if (this.#bytes > maxMiB * 1024 * 1024) throw this.#failure(`${maxMiB} MiB`);
      yield piece;
    }
  }

  countValid(): void {
    this.#bytes = 0;
    this.#lines = 0;
  }

  /** Throws a `Failure` where nothing but bad lines came. */
  countInvalid(): void {
    this.#lines++;
    if (this.#lines >= maxLines) throw this.#failure(`${maxLines.toLocaleString('en')} lines`);
  }

  #failure(much: string): Failure {
    return new Failure(`${this.#name} goes on for ${much} without one that can be read. It was left there.`);
  }
}
