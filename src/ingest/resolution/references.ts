/** References in feeds: an id of the source, a name, or both; and the keys by which they are cached. */
import type { FeedKind } from '../../contract/feed.ts';
import { fold } from '../../text/fold.ts';

export type NamedReference = { external_id?: string | null | undefined; name: string };
/** The source of a reference, and its current run. */
export type SourceRun = { sourceId: number; run: number };

/** An id of a source means the same record regardless of name and place. */
export const sourceKey = (kind: FeedKind, source: number, externalId: string): string =>
  `${kind}\0#${source}\0${externalId}`;

/** The cache key of a reference: the source's own id, otherwise name and place. */
export function cacheKey(
  kind: FeedKind,
  { external_id: external, name }: NamedReference,
  { sourceId }: SourceRun,
  place: string,
): string {
  return external == null ? `${kind}\0${place}\0${fold(name)}` : sourceKey(kind, sourceId, external);
}

/** Ids of sources have no control characters (`contract/feed.ts`). */
const prefix = '\u0002';

/**
 * The id of a reference to a record that an editor chose, in place of a source's own id.
 * @param record the public id of the record
 */
export const chosenKey = (record: string): string => prefix + record;

/** The public id of the record that was chosen; null for the id of a source. */
export const chosenRecord = (externalId: string | null | undefined): string | null =>
  externalId?.startsWith(prefix) ? externalId.slice(prefix.length) : null;
