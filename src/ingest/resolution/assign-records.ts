/** From clusters of statements to records: who keeps which, what moves, what goes into what. */
import type { FeedKind } from '../../contract/feed.ts';
import { type AssignedSourceRecord, recordKeyText, type SourceRecordKey } from '../../matching/clustering.ts';
import type { RecordMerger } from './merge-records.ts';
import type { ResolutionContext } from './resolution-context.ts';

/** What became of a statement. */
export type Assignment = {
  /** The record it speaks of; null where it is a new one. */
  record: number | null;
  /** Other records whose statements changed, to be worked out again. */
  changed: number[];
};

/**
 * A placement that was worked out by reading alone. Calling it writes what follows from it: within a transaction, and
 * before anything else is written to the catalogue.
 */
export type PreparedAssignment = () => Assignment;

export type OnMoved<N> = (node: N, from: number, to: number) => void;

/** Gives every cluster its record: the oldest of those its statements stand in that no other cluster has more of. */
export function assignRecords<N extends AssignedSourceRecord>(
  kind: FeedKind,
  clusters: N[][],
  subject: SourceRecordKey,
  tools: { desk: ResolutionContext; merging: RecordMerger; moved: OnMoved<N> },
): Assignment {
  const { desk, merging, moved } = tools;
  const homes = survivingRecords(clusters);
  const changed = new Set<number>();
  const left = new Map<number, Map<number, number>>();
  let own: number | null = null;
  for (const [at, members] of clusters.entries()) {
    const strangers = members.filter(({ record }) => record !== null && record !== homes[at]);
    let home = homes[at] ?? null;
    if (home === null && strangers.length > 0) home = desk.writer.newRecord(kind);
    for (const node of home === null ? [] : strangers) {
      const from = node.record as number;
      const goes = left.get(from) ?? new Map<number, number>();
      goes.set(home as number, (goes.get(home as number) ?? 0) + 1);
      left.set(from, goes);
      changed.add(home as number).add(from);
      if (!node.isPlaceholder)
        desk.sources.move({ source: node.sourceId, kind, externalId: node.externalId }, home as number);
      moved(node, from, home as number);
    }
    if (members.some((node) => recordKeyText(node) === recordKeyText(subject))) own = home;
  }
  for (const [from, goes] of left) {
    if (homes.includes(from)) continue;
    const [into] = [...goes].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0] as [number, number];
    changed.delete(from);
    merging.merge(kind, from, into);
  }
  if (own !== null) changed.delete(own);
  return { record: own, changed: [...changed] };
}

/** For each cluster the record it keeps; null where it has none of its own. */
function survivingRecords(clusters: AssignedSourceRecord[][]): (number | null)[] {
  const claims = clusters.flatMap((members, at) => {
    const counts = new Map<number, number>();
    for (const { record } of members) if (record !== null) counts.set(record, (counts.get(record) ?? 0) + 1);
    return [...counts].map(([record, count]) => ({ record, count, at }));
  });
  const homes: (number | null)[] = clusters.map(() => null);
  const taken = new Set<number>();
  // The older record first; of clusters that share one, the one with more of its statements keeps it.
  for (const { record, at } of claims.toSorted(
    (a, b) => a.record - b.record || b.count - a.count || a.at - b.at,
  )) {
    if (homes[at] !== null || taken.has(record)) continue;
    homes[at] = record;
    taken.add(record);
  }
  return homes;
}
