/** Finds row numbers by a number without a list for each: imports add hundreds of thousands of rows. */

/** No row. */
const none = -1;

/** The rows of each number are a chain, the latest row first. */
export class RowChains {
  readonly #latest = new Map<number, number>();
  /** The row before each row that has the same number. */
  #before: number[] = [];

  get rowCount(): number {
    return this.#before.length;
  }

  /** Adds the next row under a number. */
  add(number: number): void {
    const row = this.#before.length;
    this.#before.push(this.latest(number));
    this.#latest.set(number, row);
  }

  /** The latest row of a number; -1 without one. */
  latest(number: number): number {
    return this.#latest.get(number) ?? none;
  }

  /** The row before a row that has the same number; -1 without one. */
  before(row: number): number {
    return this.#before[row] as number;
  }

  clear(): void {
    this.#latest.clear();
    this.#before = [];
  }
}
