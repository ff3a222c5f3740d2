/** Which function makes the page of which kind of record, and of which list. */
import type { Kind } from '../contract/fields.ts';
import { artistPage } from './artist.tsx';
import { editionPage } from './edition.tsx';
import { eventPage } from './event.tsx';
import { festivalPage } from './festival.tsx';
import type { Leaf } from './frame.tsx';
import { genrePage, genresIndex } from './genres.tsx';
import { homePage } from './home.tsx';
import { eventsIndex } from './index-events.tsx';
import { namesIndex } from './index-names.tsx';
import { labelPage } from './label.tsx';
import { cityPage, venuePage } from './places.tsx';
import { episodePage, podcastPage } from './podcasts.tsx';
import type { Route } from './route.ts';
import { searchPage } from './search.tsx';
import type { Ask } from './site.ts';
import { statsPage } from './stats.tsx';

const makers: Record<Kind, (ask: Ask, id: number) => Leaf> = {
  event: eventPage,
  artist: artistPage,
  venue: venuePage,
  festival: festivalPage,
  edition: editionPage,
  city: cityPage,
  label: labelPage,
  genre: genrePage,
  podcast: podcastPage,
  episode: episodePage,
};

/** The page of a record. */
export const leafOf = (ask: Ask, kind: Kind, id: number): Leaf => makers[kind](ask, id);

/** The slug that a record has now. */
export function slugOf({ site }: Ask, kind: Exclude<Kind, 'edition'>, id: number): string {
  return site.map.slug(kind, id);
}

/** The page of a list, or of no record at all. */
export function listPage(ask: Ask, route: Route): Leaf {
  if (route.to === 'search') return searchPage(ask);
  if (route.to === 'stats') return statsPage(ask);
  if (route.to !== 'list') return homePage(ask);
  if (route.kind === 'event') return eventsIndex(ask);
  return route.kind === 'genre' ? genresIndex(ask) : namesIndex(ask, route.kind);
}
