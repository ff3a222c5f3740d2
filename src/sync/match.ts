/**
 * Which record a source's new statement of a city, genre, podcast, edition or episode speaks of: by folded name and
 * parent. Shows, venues, artists, labels and festivals are weighed (match/).
 */
import type { FeedKind, Statement } from '../contract/feed.ts';
import { fold } from '../store/fold.ts';
import type { Candidate } from '../store/lookup.ts';
import type { Sources } from '../store/sources.ts';
import { isCalled } from './match/called.ts';
import type { Context } from './records/context.ts';
import type { Speaker } from './resolver.ts';

/** The record that is meant, of those that the source does not know under another id already; null where it is a new one. */
export function matchRecord(
  context: Context,
  sources: Sources,
  kind: FeedKind,
  statement: Statement<FeedKind>,
  speaker: Speaker,
): number | null {
  const isFree = (id: number) => !sources.knows(speaker.sourceId, kind, id);
  switch (kind) {
    case 'edition': {
      const { festival, edition } = statement as Statement<'edition'>;
      return context.lookup.edition(context.resolver.festival(festival, speaker), edition);
    }
    case 'episode': {
      const { podcast, name } = statement as Statement<'episode'>;
      const found = context.lookup.episodes(context.resolver.podcast(podcast, speaker), fold(name));
      return found.find(isFree) ?? null;
    }
    default: {
      const { name, country = null } = statement as { name: string; country?: string | null };
      const folded = fold(name);
      const place = kind === 'city' ? country : null;
      const known = context.lookup.byName(kind, folded).filter(({ id }) => isFree(id));
      const free =
        kind === 'city' ? context.resolver.cities.likely(known, statement as Statement<'city'>) : known;
      const isOwn = (one: Candidate) => one.is_alias === 0 && (kind !== 'city' || one.country === country);
      const own = free.find(isOwn);
      // What went into another record is that one, under its name and at its place.
      return (
        (own ?? free.find(({ id }) => isCalled(context.lookup, sources, id, { folded, place })))?.id ?? null
      );
    }
  }
}
