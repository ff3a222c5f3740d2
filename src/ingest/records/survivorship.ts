/** Survivorship: chooses field values from several source records (docs/spec/imports.md#promises, promise 7). */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { ParsedSourceRow } from '../../store/resolution/source-records.ts';

/** The edits of a record, for rules that hold although every statement says the same (`record-edits.ts`). */
export type AppliedEdits = {
  /** Whether an editor set the field as a whole. */
  sets(field: string): boolean;
  /** Whether an editor took an entry of this name away. */
  removes(field: string, name: string): boolean;
  /** The entries that an editor added to a list. */
  added(field: string): readonly unknown[];
};

/** One source's record. */
export type SourceRecord<K extends FeedKind> = {
  sourceId: number;
  sourceName: string;
  trust: number;
  clock: 'instant' | 'local';
  externalId: string;
  statedTs: number;
  withdrawnTs: number | null;
  statement: FeedRecordContent<K>;
  /** The edits of the record, which are applied to the statement already. */
  edits?: AppliedEdits;
};

/** Converts a stored source record. */
export const toSourceRecord = <K extends FeedKind>(row: ParsedSourceRow<K>): SourceRecord<K> => ({
  sourceId: row.source_id,
  sourceName: row.source_name,
  trust: row.trust,
  clock: row.clock as 'instant' | 'local',
  externalId: row.external_id,
  statedTs: row.content_updated_ts,
  withdrawnTs: row.withdrawn_ts,
  statement: row.statement,
});

/** Sorts source records by precedence: higher trust first, then newer, then the older source. */
export function sortByTrust<K extends FeedKind>(records: SourceRecord<K>[]): SourceRecord<K>[] {
  if (records.length < 2) return records;
  return records.toSorted(
    (a, b) =>
      b.trust - a.trust ||
      b.statedTs - a.statedTs ||
      a.sourceId - b.sourceId ||
      (a.externalId < b.externalId ? -1 : 1),
  );
}

/**
 * Returns the field owner: the first source record, in order of trust, that has the member (null means "none").
 * Undefined if no source record has it.
 */
export function fieldOwner<K extends FeedKind, M extends keyof FeedRecordContent<K>>(
  records: SourceRecord<K>[],
  member: M,
): SourceRecord<K> | undefined {
  return records.find(({ statement }) => statement[member] !== undefined);
}

/** The value from the field owner; null if no source record has one. */
export function fieldValue<K extends FeedKind, M extends keyof FeedRecordContent<K>>(
  records: SourceRecord<K>[],
  member: M,
): NonNullable<FeedRecordContent<K>[M]> | null {
  return fieldOwner(records, member)?.statement[member] ?? null;
}

/** The values of several members, each from its field owner; null for a member that no source record has. */
export const fieldValues = <K extends FeedKind, M extends keyof FeedRecordContent<K>>(
  records: SourceRecord<K>[],
  members: readonly M[],
) => {
  const values: { [N in M]?: NonNullable<FeedRecordContent<K>[N]> | null } = {};
  for (const member of members) values[member] = fieldValue(records, member);
  return values as { [N in M]-?: NonNullable<FeedRecordContent<K>[N]> | null };
};

/** The external ids of all source records; for each service the most trusted one. */
export function mergeExternalIds(
  records: readonly { statement: { external_ids?: Record<string, unknown> | null | undefined } }[],
): Record<string, unknown> {
  return Object.assign({}, ...records.map(({ statement }) => statement.external_ids ?? {}).reverse());
}
