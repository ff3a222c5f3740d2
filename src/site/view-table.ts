/** The tables of page functions by kind of record and by list. */
import type { Kind } from '../contract/fields.ts';
import { offlinePage } from './app/offline.tsx';
import type { PageView } from './layout.tsx';
import type { PageContext } from './page-context.ts';
import type { Route } from './route.ts';
import { aboutPage } from './views/about.tsx';
import { artistPage } from './views/artist.tsx';
import { cityPage } from './views/city.tsx';
import { editionPage } from './views/edition/edition.tsx';
import { eventPage } from './views/event.tsx';
import { festivalPage } from './views/festival.tsx';
import { genreListPage, genrePage } from './views/genres.tsx';
import { homePage } from './views/home.tsx';
import { labelPage } from './views/label.tsx';
import { eventListPage } from './views/list-events.tsx';
import { nameListPage } from './views/list-names.tsx';
import { episodePage, podcastPage } from './views/podcasts.tsx';
import { searchPage } from './views/search.tsx';
import { statsPage } from './views/stats.tsx';
import { venuePage } from './views/venue.tsx';

const recordPages: Record<Kind, (context: PageContext, id: number) => PageView> = {
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

/** Renders the page of a record. */
export const recordPage = (context: PageContext, kind: Kind, id: number): PageView =>
  recordPages[kind](context, id);

/** The current slug of a record. */
export function currentSlug({ site }: PageContext, kind: Exclude<Kind, 'edition'>, id: number): string {
  return site.map.slug(kind, id);
}

/** Renders the page of a list, or a page without a record. */
export function listPage(context: PageContext, route: Route): PageView {
  if (route.to === 'search') return searchPage(context);
  if (route.to === 'stats') return statsPage(context);
  if (route.to === 'offline') return offlinePage(context);
  if (route.to === 'about') return aboutPage(context);
  if (route.to !== 'list') return homePage(context);
  if (route.kind === 'event') return eventListPage(context);
  return route.kind === 'genre' ? genreListPage(context) : nameListPage(context, route.kind);
}
