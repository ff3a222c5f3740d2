/** The id of a reference to a record that an editor chose, in place of a source's own id. */

/** Ids of sources have no control characters (`contract/feed.ts`). */
const prefix = '\u0002';

/** @param record the public id of the record */
export const chosenKey = (record: string): string => prefix + record;

/** The public id of the record that was chosen; null for the id of a source. */
export const chosenRecord = (externalId: string | null | undefined): string | null =>
  externalId?.startsWith(prefix) ? externalId.slice(prefix.length) : null;
