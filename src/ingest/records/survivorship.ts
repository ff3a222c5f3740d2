/** What several sources say of one record, as one statement (docs/spec/imports.md#promises, promise 7: fields have an owner). */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';

/** One source's statement of a record. */
export type SourceRecord<K extends FeedKind> = {
  sourceId: number;
  sourceName: string;
  trust: number;
  clock: 'instant' | 'local';
  externalId: string;
  statedTs: number;
  withdrawnTs: number | null;
  statement: FeedRecordContent<K>;
};

/** Statements in the order in which they own fields: higher trust first, then the newer, then the older source. */
export function sortByTrust<K extends FeedKind>(records: SourceRecord<K>[]): SourceRecord<K>[] {
  return records.toSorted(
    (a, b) =>
      b.trust - a.trust ||
      b.statedTs - a.statedTs ||
      a.sourceId - b.sourceId ||
      (a.externalId < b.externalId ? -1 : 1),
  );
}

/**
 * The owner of a member: the first of the statements, in order of trust, that says anything about it (null says
 * "none"). Undefined where none does.
 */
export function fieldOwner<K extends FeedKind, M extends keyof FeedRecordContent<K>>(
  records: SourceRecord<K>[],
  member: M,
): SourceRecord<K> | undefined {
  return records.find(({ statement }) => statement[member] !== undefined);
}

/** The value of a member as its owner gives it; null where nobody says anything. */
export function fieldValue<K extends FeedKind, M extends keyof FeedRecordContent<K>>(
  records: SourceRecord<K>[],
  member: M,
): NonNullable<FeedRecordContent<K>[M]> | null {
  return fieldOwner(records, member)?.statement[member] ?? null;
}

/** The entries of a list member of all statements, in order, each once by `identity`. */
export function unionOfLists<K extends FeedKind, M extends keyof FeedRecordContent<K>, E>(
  records: SourceRecord<K>[],
  member: M,
  identity: (entry: E) => string,
): E[] {
  const found = new Map<string, E>();
  for (const { statement } of records) {
    for (const entry of (statement[member] ?? []) as E[]) {
      const key = identity(entry);
      if (!found.has(key)) found.set(key, entry);
    }
  }
  return [...found.values()];
}

/** External ids of all statements; of each service the first in order of trust. */
export function mergeExternalIds(
  records: { statement: { external_ids?: Record<string, unknown> | null | undefined } }[],
): string {
  return JSON.stringify(
    Object.assign({}, ...records.map(({ statement }) => statement.external_ids ?? {}).reverse()),
  );
}
