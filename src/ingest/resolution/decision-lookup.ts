/** What operators decided of pairs: merge, split, never-merge (docs/spec/imports.md#promises, promise 4). */
import type { FeedKind } from '../../contract/feed.ts';
import {
  compareRecordKeys,
  type MatchDecision,
  recordKeyText,
  type SourceRecordKey,
} from '../../matching/clustering.ts';
import type { DecisionRow, MatchStore, RecordPairKey } from '../../store/resolution/match-store.ts';

/** The same pair, named the other way round. */
export const swapSides = (row: RecordPairKey): RecordPairKey => ({
  kind: row.kind,
  a_source: row.b_source,
  a_external_id: row.b_external_id,
  b_source: row.a_source,
  b_external_id: row.a_external_id,
});

/** The key of a merge: the first is what stays, the second what goes into it. */
export const mergeKey = (kind: FeedKind, stays: SourceRecordKey, goes: SourceRecordKey): RecordPairKey => ({
  kind,
  a_source: stays.source,
  a_external_id: stays.externalId,
  b_source: goes.source,
  b_external_id: goes.externalId,
});

/** The key of a pair, whichever is named first. */
export function pairKey(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey): RecordPairKey {
  const [one, two] = compareRecordKeys(a, b) <= 0 ? [a, b] : [b, a];
  return {
    kind,
    a_source: one.source,
    a_external_id: one.externalId,
    b_source: two.source,
    b_external_id: two.externalId,
  };
}

export class DecisionLookup {
  readonly #store: MatchStore;

  constructor(store: MatchStore) {
    this.#store = store;
  }

  /** Whether anything was ever decided. */
  hasAny(): boolean {
    return this.#store.hasDecisions();
  }

  /** What was decided of one; most files have no decision at all. */
  of(kind: FeedKind, one: SourceRecordKey): DecisionRow[] {
    return this.#store.hasDecisions() ? this.#store.decisionsOf(kind, one.source, one.externalId) : [];
  }

  /** Whether anything was decided of a record when it was known by name alone; `slugColumn` is the one it had then. */
  hasDecisionForName(kind: FeedKind, slug: string): boolean {
    return this.of(kind, { source: '', externalId: slug }).length > 0;
  }

  /** What was decided of two. */
  between(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey): MatchDecision | undefined {
    if (!this.hasAny()) return undefined;
    const text = recordKeyText(b);
    return this.of(kind, a).find((row) => recordKeyText(otherSide(row, a)) === text)?.verdict;
  }

  /** Whether an operator merged `one` into any of the others, rather than any of them into it. */
  isMergedInto(kind: FeedKind, one: SourceRecordKey, others: readonly SourceRecordKey[]): boolean {
    const into = new Set(others.map(recordKeyText));
    return this.of(kind, one).some(
      (row) =>
        row.verdict === 'same' &&
        row.b_source === one.source &&
        row.b_external_id === one.externalId &&
        into.has(recordKeyText(otherSide(row, one))),
    );
  }

  /** Those that were decided to be the same as this one. */
  partners(kind: FeedKind, one: SourceRecordKey): SourceRecordKey[] {
    return this.of(kind, one)
      .filter(({ verdict }) => verdict === 'same')
      .map((row) => otherSide(row, one));
  }
}

/** The other one of a decided pair. */
export const otherSide = (row: RecordPairKey, one: SourceRecordKey): SourceRecordKey =>
  row.a_source === one.source && row.a_external_id === one.externalId
    ? { source: row.b_source, externalId: row.b_external_id }
    : { source: row.a_source, externalId: row.a_external_id };
