/** Counts what an import did, by kind, and keeps what it rejected. */
import type { FeedKind } from '../../contract/feed.ts';
import type { ImportOptions, ImportReport, KindCounts, RejectedItem } from './import-options.ts';

/** How many rejected lines a report lists: a feed of millions of bad lines must not fill the memory. */
const maxListedRejections = 10_000;

export type CountsByKind = ImportReport['kinds'];

export class Tally {
  readonly rejected: RejectedItem[] = [];
  rejectedCount = 0;
  kinds: CountsByKind = {};
  readonly #onRejected: ImportOptions['onRejected'];

  constructor(onRejected: ImportOptions['onRejected']) {
    this.#onRejected = onRejected;
  }

  count(kind: FeedKind, what: keyof KindCounts): void {
    this.kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.kinds[kind][what]++;
  }

  /** A copy of the counts, to which they go back (`kinds = …`) where what was counted is undone. */
  snapshot(): CountsByKind {
    return structuredClone(this.kinds);
  }

  reject({ number: line, where }: { number: number; where?: string }, reason: string): void {
    this.rejectedCount++;
    const rejected = where === undefined ? { line, reason } : { line, where, reason };
    this.#onRejected?.(rejected);
    if (this.rejected.length < maxListedRejections) this.rejected.push(rejected);
  }
}
