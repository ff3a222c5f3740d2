/** Looks up operators' decisions about pairs: merge, split, never-merge (docs/spec/imports.md#promises, promise 4). */
import type { FeedKind } from '../../contract/feed.ts';
import {
  compareRecordKeys,
  type MatchDecision,
  recordKeyText,
  type SourceRecordKey,
} from '../../matching/clustering.ts';
import type { DecisionRow, MatchStore, RecordPairKey } from '../../store/resolution/match-store.ts';

/** The same pair in the other order. */
export const swapSides = (row: RecordPairKey): RecordPairKey => ({
  kind: row.kind,
  a_source: row.b_source,
  a_external_id: row.b_external_id,
  b_source: row.a_source,
  b_external_id: row.a_external_id,
});

/** The key of a merge decision: the survivor first, then the merged record. */
export const mergeKey = (
  kind: FeedKind,
  survivor: SourceRecordKey,
  merged: SourceRecordKey,
): RecordPairKey => ({
  kind,
  a_source: survivor.source,
  a_external_id: survivor.externalId,
  b_source: merged.source,
  b_external_id: merged.externalId,
});

/** The key of a pair, independent of the order. */
export const pairKey = (kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey): RecordPairKey =>
  compareRecordKeys(a, b) <= 0 ? mergeKey(kind, a, b) : mergeKey(kind, b, a);

/** Decisions about source records by their keys. Only reads. */
export class DecisionLookup {
  readonly #store: MatchStore;

  constructor(store: MatchStore) {
    this.#store = store;
  }

  /** Whether the file has decisions at all. The answer is cached. */
  hasAny(): boolean {
    return this.#store.hasDecisions();
  }

  /** The decisions about a source record; most catalogues have none at all. */
  of(kind: FeedKind, one: SourceRecordKey): DecisionRow[] {
    return this.#store.hasDecisions() ? this.#store.decisionsOf(kind, one.source, one.externalId) : [];
  }

  /** Whether there are decisions about a record from when it was known by name only; `slug` is the one it had then. */
  hasDecisionForName(kind: FeedKind, slug: string): boolean {
    return this.of(kind, { source: '', externalId: slug }).length > 0;
  }

  /** The decision about a pair. */
  between(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey): MatchDecision | undefined {
    if (!this.hasAny()) return undefined;
    const text = recordKeyText(b);
    return this.of(kind, a).find((row) => recordKeyText(otherSide(row, a)) === text)?.verdict;
  }

  /** Whether an operator merged `one` into any of the others, not the other way round. */
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

  /** The keys that were decided to match this one. */
  partners(kind: FeedKind, one: SourceRecordKey): SourceRecordKey[] {
    return this.of(kind, one)
      .filter(({ verdict }) => verdict === 'same')
      .map((row) => otherSide(row, one));
  }
}

/** The other key of a decided pair. */
export const otherSide = (row: RecordPairKey, one: SourceRecordKey): SourceRecordKey =>
  row.a_source === one.source && row.a_external_id === one.externalId
    ? { source: row.b_source, externalId: row.b_external_id }
    : { source: row.a_source, externalId: row.a_external_id };
