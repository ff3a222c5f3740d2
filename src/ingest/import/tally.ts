/** Counts the outcomes of an import by kind and collects rejected lines. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RejectedItem, RuleCounts } from '../../contract/source-summaries.ts';
import type { RuleVerdict } from '../rules/rule-filter.ts';
import type { ImportOptions, ImportReport, KindCounts } from './import-options.ts';

/** Maximum rejected lines in a report: a feed of millions of invalid lines must not fill the memory. */
const maxListedRejections = 10_000;

export type CountsByKind = ImportReport['kinds'];

/** The counts and rejections of one import. `kinds` is replaced by a snapshot after a rollback; the rest is reported once. */
export class Tally {
  readonly rejected: RejectedItem[] = [];
  rejectedCount = 0;
  kinds: CountsByKind = {};
  /** The number of records that each rule of the source skipped. */
  readonly rules: RuleCounts = {};
  /** Takes forgotten people out of places and reasons. */
  scrub: (text: string) => string = (text) => text;
  readonly #onRejected: ImportOptions['onRejected'];
  readonly #onSkipped: ImportOptions['onSkipped'];

  constructor({ onRejected, onSkipped }: Pick<ImportOptions, 'onRejected' | 'onSkipped'>) {
    this.#onRejected = onRejected;
    this.#onSkipped = onSkipped;
  }

  /** Counts one outcome of a kind. */
  count(kind: FeedKind, what: keyof KindCounts): void {
    this.kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.kinds[kind][what]++;
  }

  /** Returns a copy of the counts that can be restored after a rollback (`kinds = …`). */
  snapshot(): CountsByKind {
    return structuredClone(this.kinds);
  }

  /** Counts a rejected line, and lists it while there are fewer than 10,000. `where` is used for items that are no lines. */
  reject({ number: line, where }: { number: number; where?: string }, text: string): void {
    this.rejectedCount++;
    const reason = this.scrub(text);
    const item = where === undefined ? { line, reason } : { line, where: this.scrub(where), reason };
    this.#onRejected?.(item);
    if (this.rejected.length < maxListedRejections) this.rejected.push(item);
  }

  /** Counts a record that a rule of the source skips. */
  skip(where: string, { rule, reason }: RuleVerdict): void {
    this.rules[rule] = (this.rules[rule] ?? 0) + 1;
    this.#onSkipped?.({ where: this.scrub(where), reason: this.scrub(reason) });
  }
}
