/** Types and functions that the regrouping of events and that of entities share. */
import type { FeedKind } from '../../contract/feed.ts';
import { type CandidatePair, compareRecordKeys, type SourceRecordKey } from '../../matching/clustering.ts';
import { explainMatch } from '../../matching/explain.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { WriteContext } from '../write-context.ts';
import { type DecisionLookup, mergeKey } from './decision-lookup.ts';
import type { RecordMerger } from './merge-records.ts';

/** What the matchers of events and of entities work with. */
export type MatchTools = {
  context: WriteContext;
  store: MatchStore;
  decisions: DecisionLookup;
  merger: RecordMerger;
};

type SourceRecordId = { sourceId: number; externalId: string };

/** Whether two source records have one source and one id there. Both must be of one kind. */
export const isSameSourceRecord = (a: SourceRecordId, b: SourceRecordId): boolean =>
  a.sourceId === b.sourceId && a.externalId === b.externalId;

/** The source records of a record, with the one that is about to be stored replacing its predecessor. */
export function withPending<T extends SourceRecordId>(records: T[], pending: T): T[] {
  const isSame = (one: T) => isSameSourceRecord(one, pending);
  return records.some(isSame) ? records.map((one) => (isSame(one) ? pending : one)) : [...records, pending];
}

/** The source records of a record, and the best score of one. */
type ScoredRecord = { others: readonly SourceRecordKey[]; score: number };

/** Highest score first; ties by source record key. */
export const byScore = (a: ScoredRecord, b: ScoredRecord): number =>
  b.score - a.score || compareRecordKeys(a.others[0] as SourceRecordKey, b.others[0] as SourceRecordKey);

/** The records of the source records about which an operator decided together with this one. */
export function partnerRecords(
  { context: { sources }, decisions }: MatchTools,
  kind: FeedKind,
  sourceRecord: SourceRecordKey,
): number[] {
  return decisions.partners(kind, sourceRecord).flatMap(({ source, externalId }) => {
    const id = sources.findSource(source)?.id;
    const record = id === undefined ? null : sources.find({ source: id, kind, externalId })?.record_id;
    return record == null ? [] : [record];
  });
}

/** Removes the stored possible matches of source records. */
export function dropPossibleMatches(
  store: MatchStore,
  kind: FeedKind,
  sourceRecords: Iterable<SourceRecordKey>,
): void {
  for (const { source, externalId } of sourceRecords) store.removePossibleMatches(kind, source, externalId);
}

/** Stores pairs as possible matches, with their reasons. */
export function storePossibleMatches(
  store: MatchStore,
  kind: FeedKind,
  pairs: readonly CandidatePair<SourceRecordKey>[],
): void {
  for (const { a, b, result } of pairs) {
    const { score, rule, reasons } = explainMatch(result);
    store.addPossibleMatch({ ...mergeKey(kind, a, b), score, rule, reasons: JSON.stringify(reasons) });
  }
}
