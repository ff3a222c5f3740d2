/**
 * Finds the record of a new source record of a city, genre, podcast, edition or episode by folded name and parent.
 * Other kinds are compared by evidence (`entity-matcher.ts`, `event-matcher.ts`).
 */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import { readMoment } from '../../text/feed-time.ts';
import { fold } from '../../text/fold.ts';
import { namesRemovedArtist } from '../../text/removed-artist.ts';
import type { WriteContext } from '../write-context.ts';
import type { SourceRun } from './reference-resolver.ts';
import { isNamedBySource } from './source-names.ts';

/** The removed city or genre of this name; the removed records of other kinds are found by `byName`. */
function findRemoved(
  { removed }: WriteContext['lookup'],
  kind: FeedKind,
  folded: string,
  place: string | null,
): number | null {
  if (kind !== 'city' && kind !== 'genre') return null;
  const matches = removed.byName(kind, folded).filter((one) => kind === 'genre' || one.country === place);
  return matches[0]?.id ?? null;
}

/**
 * The event that an export of another catalogue names by its slug: the same name, first day and venue. Null if there is none,
 * or if the source has bound it to another id.
 */
export function findEventOfSlug(
  { lookup, sources }: WriteContext,
  slug: string,
  { name, start_at, timezone, venue }: FeedRecordContent<'event'>,
  { sourceId }: SourceRun,
): number | null {
  const event = lookup.eventOfSlug(slug);
  if (event === undefined || fold(event.name) !== fold(name)) return null;
  if (event.date !== readMoment(start_at, timezone ?? null, 'instant').date) return null;
  const [one, other] = [event.venue, venue?.name];
  if (one != null && other != null && fold(one) !== fold(other)) return null;
  return sources.hasRecord(sourceId, 'event', event.id) ? null : event.id;
}

/** The matching record, unless the source has bound it to another id; null if there is none. */
export function findExactMatch(
  context: WriteContext,
  kind: FeedKind,
  statement: FeedRecordContent<FeedKind>,
  sourceRun: SourceRun,
): number | null {
  const { lookup, resolver, sources } = context;
  const isFree = (id: number) => !sources.hasRecord(sourceRun.sourceId, kind, id);
  switch (kind) {
    case 'edition': {
      const { festival, edition } = statement as FeedRecordContent<'edition'>;
      return lookup.edition(resolver.festival(festival, sourceRun), edition);
    }
    case 'episode': {
      const { podcast, name } = statement as FeedRecordContent<'episode'>;
      const episodes = lookup.episodes(resolver.podcast(podcast, sourceRun), fold(name));
      return episodes.find(isFree) ?? null;
    }
    default: {
      const { name, country = null } = statement as { name: string; country?: string | null };
      // The podcasts of two forgotten people may have one name now.
      if (namesRemovedArtist(name)) return null;
      const folded = fold(name);
      const place = kind === 'city' ? country : null;
      const matches = lookup.byName(kind, folded).filter(({ id }) => isFree(id));
      const possible =
        kind === 'city'
          ? resolver.cities.rankCandidates(matches, statement as FeedRecordContent<'city'>)
          : matches;
      const isOwn = (one: NameMatch) => one.is_alias === 0 && (kind !== 'city' || one.country === country);
      const own = possible.find(isOwn);
      // A name of a merged record, at its place, means the survivor.
      const match = own ?? possible.find(({ id }) => isNamedBySource(context, id, { folded, place }));
      const id = match?.id ?? findRemoved(lookup, kind, folded, place);
      return id === null && kind === 'city'
        ? resolver.cities.underOtherName(statement as FeedRecordContent<'city'>, isFree)
        : id;
    }
  }
}
