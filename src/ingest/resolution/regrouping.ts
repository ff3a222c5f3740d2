/** What the regrouping of events and that of entities have in common. */
import type { FeedKind } from '../../contract/feed.ts';
import { type CandidatePair, compareRecordKeys, type SourceRecordKey } from '../../matching/clustering.ts';
import { type ExplainedEvidence, explainMatch } from '../../matching/explain.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { WriteContext } from '../write-context.ts';
import type { DecisionLookup } from './decision-lookup.ts';

/** The source records of a record, and the best score of one. */
type ScoredRecord = { others: readonly SourceRecordKey[]; score: number };

/** Highest score first; ties by source record key. */
export const byScore = (a: ScoredRecord, b: ScoredRecord): number =>
  b.score - a.score || compareRecordKeys(a.others[0] as SourceRecordKey, b.others[0] as SourceRecordKey);

/** The records of the source records about which an operator decided together with this one. */
export function partnerRecords(
  { sources }: WriteContext,
  decisions: DecisionLookup,
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

/** Parses the reasons of a possible match, as `storePossibleMatches` stores them. */
export const parseReasons = (reasons: string): ExplainedEvidence[] => JSON.parse(reasons);

/** Stores pairs as possible matches, with their reasons. */
export function storePossibleMatches(
  store: MatchStore,
  kind: FeedKind,
  pairs: readonly CandidatePair<SourceRecordKey>[],
): void {
  for (const { a, b, result } of pairs) {
    const { score, rule, reasons } = explainMatch(result);
    store.addPossibleMatch({
      kind,
      a_source: a.source,
      a_external_id: a.externalId,
      b_source: b.source,
      b_external_id: b.externalId,
      score,
      rule,
      reasons: JSON.stringify(reasons),
    });
  }
}
