/** Counts what an import did, by kind, and keeps what it rejected. */
import type { FeedKind } from '../contract/feed.ts';
import type { ImportOptions, ImportReport, KindCounts, Rejected } from './import-options.ts';

/** How many rejected lines a report lists: a feed of millions of bad lines must not fill the memory. */
const mostRejected = 10_000;

export type Counts = ImportReport['kinds'];

export class Tally {
  readonly rejected: Rejected[] = [];
  rejectedCount = 0;
  kinds: Counts = {};
  readonly #onRejected: ImportOptions['onRejected'];

  constructor(onRejected: ImportOptions['onRejected']) {
    this.#onRejected = onRejected;
  }

  count(kind: FeedKind, what: keyof KindCounts): void {
    this.kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.kinds[kind][what]++;
  }

  /** A copy of the counts, to which they go back (`kinds = …`) where what was counted is undone. */
  snapshot(): Counts {
    return structuredClone(this.kinds);
  }

  reject({ number: line, where }: { number: number; where?: string }, reason: string): void {
    this.rejectedCount++;
    const rejected = where === undefined ? { line, reason } : { line, where, reason };
    this.#onRejected?.(rejected);
    if (this.rejected.length < mostRejected) this.rejected.push(rejected);
  }
}
