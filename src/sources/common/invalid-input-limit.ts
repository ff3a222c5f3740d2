/** Stops streams without valid lines, because they can be endless. */
import { Failure } from '../../failure.ts';

/** Max input without a valid line. One line of a dump may be broken and long. */
const maxMiB = 256;
const maxLines = 10_000;

/** Ends the reading of a resource after too many bytes or lines without a valid line. */
export class InvalidInputLimit {
  readonly #name: string;
  #bytes = 0;
  #lines = 0;

  /** @param name name of the resource in messages */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Passes bytes on.
   * @throws Failure after too many bytes since the last valid line
   */
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

  /**
   * Counts an invalid line.
   * @throws Failure after too many of them in a row
   */
  countInvalid(): void {
    this.#lines++;
    if (this.#lines >= maxLines) throw this.#failure(`${maxLines.toLocaleString('en')} lines`);
  }

  #failure(amount: string): Failure {
    return new Failure(`${this.#name} contains ${amount} without a readable one. Reading stopped there.`);
  }
}
