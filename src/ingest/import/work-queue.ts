/** The items to apply, and those that the open batch applied: after a rollback they are queued again. */
import type { RecordKey } from '../../sources/common/input-items.ts';
import type { ParsedItem } from './parse-items.ts';
import type { ParsedRecord } from './parse-record.ts';

/**
 * An item to apply: a parsed or invalid line, or the key of a skipped line's record, which is still listed. `held`: the
 * record itself, which waits for an editor.
 */
export type Item = ParsedItem | { listed: RecordKey; held?: ParsedRecord };

export class WorkQueue {
  #items: Item[] = [];
  #next = 0;
  /** Items that the open batch applied. */
  #done: Item[] = [];

  fill(items: Item[]): void {
    this.#items = items;
    this.#next = 0;
  }

  get isOver(): boolean {
    return this.#next >= this.#items.length;
  }
  /** Number of items left, including the current one. */
  get left(): number {
    return this.#items.length - this.#next;
  }
  /** The current item. */
  get current(): Item {
    return this.#items[this.#next] as Item;
  }
  set current(item: Item) {
    this.#items[this.#next] = item;
  }
  /** Number of items that the open batch applied. */
  get doneCount(): number {
    return this.#done.length;
  }
  /** The item that the open batch applied last. */
  get lastDone(): Item | undefined {
    return this.#done.at(-1);
  }

  /** Moves to the next item. */
  advance(): void {
    this.#next++;
  }
  /** Records that the open batch applied an item. */
  done(item: Item): void {
    this.#done.push(item);
  }
  /** Removes the item that was recorded last. */
  undoLast(): void {
    this.#done.pop();
  }
  /** Forgets the applied items when a batch begins or ends. */
  clearDone(): void {
    this.#done = [];
  }

  /**
   * Queues the applied items of a rolled-back batch again, before the rest. `advance` then leads to the first of them.
   */
  undo(): void {
    this.#items = [...this.#done, ...this.#items.slice(this.#next + 1)];
    this.#next = -1;
    this.#done = [];
  }

  /**
   * Like `undo`, but replaces the current item.
   * @param isOpen whether a batch was open, that is whether there are items to replay
   */
  replaceCurrent(instead: readonly Item[], isOpen: boolean): void {
    const item = this.current;
    const done = isOpen ? this.#done.filter((one) => one !== item) : [];
    this.#items = [...done, ...instead, ...this.#items.slice(this.#next + 1)];
    this.#next = 0;
    this.#done = [];
  }
}
