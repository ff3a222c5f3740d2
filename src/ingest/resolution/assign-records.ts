/**
 * Assigns clusters of source records to catalogue records: which record each cluster keeps, which source records move,
 * and which records merge.
 */

import type { FeedKind } from '../../contract/feed.ts';
import { type AssignedSourceRecord, recordKeyText, type SourceRecordKey } from '../../matching/clustering.ts';
import { getOrCreate } from '../../memoize.ts';
import type { WriteContext } from '../write-context.ts';
import type { RecordMerger } from './merge-records.ts';

export type Assignment = {
  /** The record of the source record; null for a new one. */
  record: number | null;
  /** Other records whose source records changed and that must be rebuilt. */
  changed: number[];
};

/** An assignment prepared by reading only. Calling it writes; call it within a transaction, before any other write. */
export type PreparedAssignment = () => Assignment;

export type OnMoved<N> = (record: N, from: number, to: number) => void;

/** Assigns a record to every cluster: the oldest record of its members of which no other cluster has more members. */
export function assignRecords<N extends AssignedSourceRecord>(
  kind: FeedKind,
  clusters: N[][],
  subject: SourceRecordKey,
  tools: { context: WriteContext; merger: RecordMerger; onMoved: OnMoved<N> },
): Assignment {
  const { context, merger, onMoved } = tools;
  const homes = survivingRecords(clusters);
  const changedRecords = new Set<number>();
  const movesByRecord = new Map<number, Map<number, number>>();
  let own: number | null = null;
  for (const [at, members] of clusters.entries()) {
    let home = homes[at] ?? null;
    for (const sourceRecord of members) {
      const { record: from, sourceId: source, externalId } = sourceRecord;
      if (from === null || from === homes[at]) continue;
      const into = home ?? context.writer.newRecord(kind);
      home = into;
      const destinations = getOrCreate(movesByRecord, from, () => new Map<number, number>());
      destinations.set(into, (destinations.get(into) ?? 0) + 1);
      changedRecords.add(into).add(from);
      if (!sourceRecord.isPlaceholder) context.sources.move({ source, kind, externalId }, into);
      onMoved(sourceRecord, from, into);
    }
    if (members.some((sourceRecord) => recordKeyText(sourceRecord) === recordKeyText(subject))) own = home;
  }
  for (const [from, destinations] of movesByRecord) {
    if (homes.includes(from)) continue;
    const [into] = [...destinations].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0] as [number, number];
    changedRecords.delete(from);
    merger.merge(kind, from, into);
  }
  if (own !== null) changedRecords.delete(own);
  return { record: own, changed: [...changedRecords] };
}

/** For each cluster the record it keeps, or null if it keeps none. */
function survivingRecords(clusters: AssignedSourceRecord[][]): (number | null)[] {
  const claims = clusters.flatMap((members, at) => {
    const counts = new Map<number, number>();
    for (const { record } of members) if (record !== null) counts.set(record, (counts.get(record) ?? 0) + 1);
    return [...counts].map(([record, count]) => ({ record, count, at }));
  });
  const homes: (number | null)[] = clusters.map(() => null);
  const assigned = new Set<number>();
  // The oldest record first; if clusters share it, the one with more of its source records keeps it.
  for (const { record, at } of claims.toSorted(
    (a, b) => a.record - b.record || b.count - a.count || a.at - b.at,
  )) {
    if (homes[at] !== null || assigned.has(record)) continue;
    homes[at] = record;
    assigned.add(record);
  }
  return homes;
}
