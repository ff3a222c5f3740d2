/** Finds row numbers by a number in typed arrays: a map of lists would create three objects for each row. */

const minCapacity = 4_096;
/** No row, or no number in a slot. */
const none = -1;

/** The rows of each number are a chain, the latest row first. */
export class RowChains {
  /** The numbers by slot, and the latest row of each. A number is in the first free slot from that of its hash on. */
  #numbers = new Float64Array(minCapacity).fill(none);
  #latest = new Int32Array(minCapacity);
  #usedSlots = 0;
  /** The row before each row that has the same number. */
  #before = new Int32Array(minCapacity);
  #rowCount = 0;

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Adds the next row, under a number that is not negative. */
  add(number: number): void {
    const row = this.#rowCount++;
    if (row === this.#before.length) this.#before = grown(this.#before);
    let slot = this.#slotOf(number);
    if (this.#numbers[slot] === none) {
      if (2 * ++this.#usedSlots > this.#numbers.length) {
        this.#doubleSlots();
        slot = this.#slotOf(number);
      }
      this.#numbers[slot] = number;
      this.#latest[slot] = none;
    }
    this.#before[row] = this.#latest[slot] as number;
    this.#latest[slot] = row;
  }

  /** The latest row of a number; -1 without one. */
  latest(number: number): number {
    const slot = this.#slotOf(number);
    return this.#numbers[slot] === none ? none : (this.#latest[slot] as number);
  }

  /** The row before a row that has the same number; -1 without one. */
  before(row: number): number {
    return this.#before[row] as number;
  }

  clear(): void {
    if (this.#rowCount === 0) return;
    this.#numbers.fill(none);
    this.#usedSlots = 0;
    this.#rowCount = 0;
  }

  /** The slot of a number, or the free one where it belongs. */
  #slotOf(number: number): number {
    const mask = this.#numbers.length - 1;
    let slot = hashOf(number) & mask;
    while (this.#numbers[slot] !== none && this.#numbers[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }

  #doubleSlots(): void {
    const [numbers, latest] = [this.#numbers, this.#latest];
    this.#numbers = new Float64Array(2 * numbers.length).fill(none);
    this.#latest = new Int32Array(2 * numbers.length);
    for (const [old, number] of numbers.entries()) {
      if (number === none) continue;
      const slot = this.#slotOf(number);
      this.#numbers[slot] = number;
      this.#latest[slot] = latest[old] as number;
    }
  }
}

function grown(rows: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * rows.length);
  longer.set(rows);
  return longer;
}

/** Mixes all bits of a whole number of up to 53 bits. */
function hashOf(number: number): number {
  const mixed = Math.imul((number >>> 0) ^ Math.imul(number / 2 ** 32, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
