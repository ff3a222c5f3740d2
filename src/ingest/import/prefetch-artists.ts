/**
 * Finds and creates the artists of records with long lists before the transaction that writes the record, which would
 * otherwise hold the lock for long (docs/decisions/15-write-lock.md).
 */
import type { FeedKind, FeedLineupEntry, FeedRecordContent } from '../../contract/feed.ts';
import { readMoment, readSpan, TimeOutOfRange } from '../../text/feed-time.ts';
import { isPlaceholderArtist } from '../../text/lineup/entry.ts';
import { isJointEntry, splitEntries } from '../records/lineup-entries.ts';
import type { NamedReference, ReferenceResolver, SourceRun } from '../resolution/reference-resolver.ts';

/** Maximum number of artists that are created together with the record. */
const maxArtistsInline = 50;

/** Whether a record lists too many artists to look them up while the lock is held. */
export function hasLongArtistList(kind: FeedKind, statement: FeedRecordContent<FeedKind>): boolean {
  if (kind === 'label')
    return ((statement as FeedRecordContent<'label'>).artists?.length ?? 0) > maxArtistsInline;
  if (kind === 'episode') {
    const { artists, tracklist } = statement as FeedRecordContent<'episode'>;
    return Math.max(artists?.length ?? 0, tracklist?.length ?? 0) > maxArtistsInline;
  }
  if (kind !== 'event' && kind !== 'edition') return false;
  return ((statement as FeedRecordContent<'event' | 'edition'>).lineup?.length ?? 0) > maxArtistsInline;
}

/**
 * Looks up the artists of a long list by reading only, which fills the cache for the write.
 * @returns the artists that do not exist yet, in the order in which writing the record would create them; empty for a
 *   record that will be rejected
 */
export function unknownArtists(
  resolver: ReferenceResolver,
  kind: FeedKind,
  statement: FeedRecordContent<FeedKind>,
  sourceRun: SourceRun,
): NamedReference[] {
  const references = artistReferences(resolver, kind, statement);
  resolver.prefetchArtists(references.filter((one) => one.external_id == null).map(({ name }) => name));
  return references.filter((one) => resolver.findArtist(one, sourceRun) === null);
}

function artistReferences(
  resolver: ReferenceResolver,
  kind: FeedKind,
  statement: FeedRecordContent<FeedKind>,
): NamedReference[] {
  if (kind === 'label') {
    const { artists } = statement as FeedRecordContent<'label'>;
    return (artists ?? []).filter(({ name }) => !isPlaceholderArtist(name));
  }
  if (kind === 'episode') {
    const { artists, published_at: published } = statement as FeedRecordContent<'episode'>;
    if (!hasValidTimes({ start_at: published ?? null })) return [];
    return (artists ?? []).filter(({ name }) => !isPlaceholderArtist(name));
  }
  const { lineup } = statement as FeedRecordContent<'event' | 'edition'>;
  if (lineup == null || !hasValidTimes(statement as TimedStatement)) return [];
  // Entries that may name two acts are resolved after all other artists exist.
  return splitEntries(lineup, (name) => resolver.isArtist(name)).filter((entry) => !isJointEntry(entry));
}

type TimedStatement = {
  timezone?: string | null;
  start_at?: string | null;
  end_at?: string | null;
  lineup?: readonly FeedLineupEntry[] | null;
};

/** Whether all times of a record can be parsed. If not, the record is rejected and none of its artists are created. */
function hasValidTimes({ timezone, start_at: start, end_at: end, lineup }: TimedStatement): boolean {
  const zone = timezone ?? 'UTC';
  try {
    if (start != null) readSpan(start, end ?? null, zone, 'instant');
    for (const { set_start_at: from, set_end_at: to } of lineup ?? [])
      for (const time of [from, to]) if (time != null) readMoment(time, zone, 'instant');
    return true;
  } catch (failure) {
    if (failure instanceof TimeOutOfRange) return false;
    throw failure;
  }
}
