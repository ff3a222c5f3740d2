/**
 * The items to apply, and those that the open batch applied: after a rollback they are queued again.
 *
 * The time limit may interrupt the work wherever a function is entered or a loop repeats, but not between two statements
 * without a call. Each method that runs within the limit therefore changes the queue at once.
 */
import type { RecordKey } from '../../sources/common/input-items.ts';
import type { ParsedItem } from './parse-items.ts';
import type { ParsedRecord } from './parse-record.ts';

/**
 * The key of a skipped line's record, which is still listed; null if it could not be read. `held`: the record itself,
 * which waits for an editor.
 */
export type ListedItem = { listed: RecordKey | null; held?: ParsedRecord | undefined };
/** An item to apply: a parsed or invalid line, or what is left of a skipped one. */
export type Item = ParsedItem | ListedItem;

/** A queue of items with a position. See the file header for the condition on its methods. */
export class WorkQueue {
  #items: Item[] = [];
  #next = 0;
  /** Items that the open batch applied. */
  #done: Item[] = [];
  /** Reports of skipped lines that are not delivered yet. */
  #reports: (() => void)[] = [];

  /** Replaces all items and begins with the first. Applied items of the open batch stay recorded. */
  fill(items: Item[]): void {
    this.#items = items;
    this.#next = 0;
  }

  /** Whether the last item was passed. */
  get isOver(): boolean {
    return this.#next >= this.#items.length;
  }
  /** Number of items left, including the current one. */
  get left(): number {
    return this.#items.length - this.#next;
  }
  /** The current item; undefined after the last one. */
  get current(): Item | undefined {
    return this.#items[this.#next];
  }
  /** Number of items that the open batch applied. */
  get doneCount(): number {
    return this.#done.length;
  }
  /** The item that the open batch applied last. */
  get lastDone(): Item | undefined {
    return this.#done.at(-1);
  }

  /** Replaces the current item, which is skipped, and keeps its report, so that both happen exactly once. */
  settle(item: ListedItem, report: () => void): void {
    this.#items[this.#next] = item;
    this.#reports[this.#reports.length] = report;
  }
  /** Delivers the reports of skipped lines. Must be called outside the time limit. */
  deliverReports(): void {
    const reports = this.#reports;
    this.#reports = [];
    for (const report of reports) report();
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
   * Queues the applied items of a rolled-back batch again, before the rest. Must be called outside the time limit.
   * @param current replaces the current item, if any
   * @param isOpen whether a batch was open, that is whether there are items to replay
   */
  replay(current: readonly Item[], isOpen: boolean): void {
    const { current: item } = this;
    const doneItems = isOpen ? this.#done.filter((one) => one !== item) : [];
    this.#items = [...doneItems, ...current, ...this.#items.slice(this.#next + 1)];
    this.#next = 0;
    this.#done = [];
  }
}
