/**
 * Which record on file a source's new statement speaks of: by folded name and place, of a record that this source does
 * not know under another id already. Events are their source's own here; shows are told apart and together elsewhere.
 */
import type { FeedKind, Statement } from '../contract/feed.ts';
import { fold } from '../store/fold.ts';
import type { Candidate } from '../store/lookup.ts';
import type { Sources } from '../store/sources.ts';
import type { Context } from './records/context.ts';
import type { Speaker } from './resolver.ts';

/** The record that is meant; null where it is a new one. */
export function matchRecord(
  context: Context,
  sources: Sources,
  kind: FeedKind,
  statement: Statement<FeedKind>,
  speaker: Speaker,
): number | null {
  const isFree = (id: number) => !sources.knows(speaker.sourceId, kind, id);
  switch (kind) {
    case 'event':
      return null;
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
      const named = statement as { name: string; country?: string | null };
      const fits = fitting(context, kind, statement, speaker);
      const found = context.lookup
        .byName(kind, fold(named.name))
        .filter((candidate) => fits(candidate) && isFree(candidate.id));
      return found.find((candidate) => candidate.is_alias === 0)?.id ?? null;
    }
  }
}

/** Whether what is known of a candidate's place agrees with the statement. */
function fitting(
  context: Context,
  kind: FeedKind,
  statement: Statement<FeedKind>,
  speaker: Speaker,
): (candidate: Candidate) => boolean {
  if (kind === 'venue') {
    const { city, country } = statement as Statement<'venue'>;
    const cityId = context.resolver.city(city, country, speaker);
    return (candidate) => candidate.city_id === cityId;
  }
  const country = (statement as { country?: string | null }).country ?? null;
  if (kind === 'city') return (candidate) => candidate.country === country;
  return (candidate) => country === null || candidate.country === null || candidate.country === country;
}
