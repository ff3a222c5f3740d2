/**
 * Records that name very many artists: they are looked for, and put on record, before the transaction that writes the
 * record, which would hold the lock for long otherwise (docs/decisions/15-write-lock.md).
 */
import type { FeedKind, FeedLineupEntry, FeedRecordContent } from '../../contract/feed.ts';
import { readMoment, readSpan, TimeOutOfRange } from '../../text/feed-time.ts';
import { isPlaceholderArtist } from '../../text/lineup/entry.ts';
import { isJointEntry, splitEntries } from '../records/lineup-entries.ts';
import type { NamedReference, ReferenceResolver, SourceRun } from '../resolution/reference-resolver.ts';

/** A record that names at most so many is written as one. */
const maxArtistsInline = 50;

/** Whether a record has a list of artists that is too long to be looked for while the lock is held. */
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
 * Finds the artists of a long list by reading alone, so that they are at hand when the record is written.
 * @returns those that are not on record, in the order in which writing the record would put them there; empty for a
 * record that is going to be rejected
 */
export function unknownArtists(
  resolver: ReferenceResolver,
  kind: FeedKind,
  statement: FeedRecordContent<FeedKind>,
  sourceRun: SourceRun,
): NamedReference[] {
  return artistReferences(resolver, kind, statement).filter(
    (one) => resolver.findArtist(one, sourceRun) === null,
  );
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
  // Those that may be two acts are read when all others are on record.
  return splitEntries(lineup, (name) => resolver.isArtist(name)).filter((entry) => !isJointEntry(entry));
}

type TimedStatement = {
  timezone?: string | null;
  start_at?: string | null;
  end_at?: string | null;
  lineup?: readonly FeedLineupEntry[] | null;
};

/** Whether all times of a statement can be told: else it is rejected, and nothing that it names is put on record. */
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
