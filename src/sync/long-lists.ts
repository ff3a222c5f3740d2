/**
 * Records that name very many artists: they are looked for, and put on record, before the transaction that writes the
 * record, which would hold the lock for long otherwise (docs/decisions/15-write-lock.md).
 */
import type { FeedKind, LineupStatement, Statement } from '../contract/feed.ts';
import { isNobody } from './reading/entry.ts';
import { actsOf, isJoint } from './records/lineup-said.ts';
import type { NamedReference, Resolver, Speaker } from './resolver.ts';
import { readMoment, readSpan, TimeOutOfRange } from './time.ts';

/** A record that names at most so many is written as one. */
const mostAtOnce = 50;

/** Whether a record has a list of artists that is too long to be looked for while the lock is held. */
export function namesMany(kind: FeedKind, statement: Statement<FeedKind>): boolean {
  if (kind === 'label') return ((statement as Statement<'label'>).artists?.length ?? 0) > mostAtOnce;
  if (kind === 'episode') {
    const { artists, tracklist } = statement as Statement<'episode'>;
    return Math.max(artists?.length ?? 0, tracklist?.length ?? 0) > mostAtOnce;
  }
  if (kind !== 'event' && kind !== 'edition') return false;
  return ((statement as Statement<'event' | 'edition'>).lineup?.length ?? 0) > mostAtOnce;
}

/**
 * Finds the artists of a long list by reading alone, so that they are at hand when the record is written.
 * @returns those that are not on record, in the order in which writing the record would put them there; empty for a
 * record that is going to be rejected
 */
export function strangersOf(
  resolver: Resolver,
  kind: FeedKind,
  statement: Statement<FeedKind>,
  speaker: Speaker,
): NamedReference[] {
  return namedBy(resolver, kind, statement).filter((one) => resolver.knownArtist(one, speaker) === null);
}

function namedBy(resolver: Resolver, kind: FeedKind, statement: Statement<FeedKind>): NamedReference[] {
  if (kind === 'label') {
    const { artists } = statement as Statement<'label'>;
    return (artists ?? []).filter(({ name }) => !isNobody(name));
  }
  if (kind === 'episode') {
    const { artists, published_at: published } = statement as Statement<'episode'>;
    if (!hasTimes({ start_at: published ?? null })) return [];
    return (artists ?? []).filter(({ name }) => !isNobody(name));
  }
  const { lineup } = statement as Statement<'event' | 'edition'>;
  if (lineup == null || !hasTimes(statement as Timed)) return [];
  // Those that may be two acts are read when all others are on record.
  return actsOf(lineup, (name) => resolver.isArtist(name)).filter((entry) => !isJoint(entry));
}

type Timed = {
  timezone?: string | null;
  start_at?: string | null;
  end_at?: string | null;
  lineup?: readonly LineupStatement[] | null;
};

/** Whether all times of a statement can be told: else it is rejected, and nothing that it names is put on record. */
function hasTimes({ timezone, start_at: start, end_at: end, lineup }: Timed): boolean {
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
