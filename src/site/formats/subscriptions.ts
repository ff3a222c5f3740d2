/** Loads the upcoming events that an Atom feed or a calendar lists: those of a record, or of the event list. */
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import { pageUrl } from '../../store/records/serialize.ts';
import { withQuery } from '../components/pagination.tsx';
import { readListFilters } from '../days/list-filters.ts';
import { filterOf, genreFilter, genreNames, genresText, readGenres } from '../days/scope.ts';
import { absoluteUrl, type PageContext, resolveUrl } from '../page-context.ts';

export type EventDetails = Pick<ApiRecord<'Event'>, 'description'>;
export type SubscriptionEntry = ApiRecord<'EventItem'> & { changed: number; rest: EventDetails | null };
export type Subscription = {
  /** Name of the record that has these events. */
  name: string;
  /** Absolute URL of the record's page. */
  url: string;
  /** Last change of the record or one of its events, in ms since 1970. */
  changed: number;
  entries: SubscriptionEntry[];
};

/** Maximum number of events in a feed or calendar; subscribers poll it. */
const maxEntries = { atom: 100, ics: 250 } as const;

/** The numeric part of a record's public id. */
export const numberIn = (id: string): number => Number.parseInt(id.slice(id.indexOf('_') + 1), 36);

/** Loads the upcoming events of an artist, venue, city or label; for an event, the event itself. */
export function loadSubscription(
  context: PageContext,
  kind: Kind,
  id: number,
  format: 'atom' | 'ics',
): Subscription {
  const { name, slug, updated_at } = loadRecord(context, kind, id);
  const { genres, values } = readGenres(context);
  const items =
    values.length > 0 && genres.length === 0
      ? []
      : upcomingItems(context, kind, id, maxEntries[format], genreFilter(genres));
  return withEntries(
    context,
    {
      name: genres.length === 0 ? name : `${genreNames(context.messages, genres)}, ${name}`,
      url: withQuery(resolveUrl(context, pageUrl(kind, slug)), { genre: genresText(genres) }),
      changed: Date.parse(updated_at),
    },
    items,
  );
}

/** Loads the upcoming events that match the filters of the event list. */
export function loadListSubscription(context: PageContext, format: 'atom' | 'ics'): Subscription {
  const { reader, now } = context;
  const { scope, places, acts, isNothing } = readListFilters(context);
  const source = isNothing ? reader.emptyList : reader.events.source({ ...filterOf(scope), upcomingAt: now });
  const { items } = reader.page(source, {
    limit: maxEntries[format],
    position: null,
    cursorScope: () => '',
  });
  const genres = scope.genres.length === 0 ? null : genreNames(context.messages, scope.genres);
  const names = [genres, acts.artist, acts.festival, ...places].filter((name) => name !== null);
  const path = withQuery('/events', { ...scope.keep, genre: genresText(scope.genres) });
  return withEntries(
    context,
    {
      name: names.length === 0 ? context.siteUrl.name : names.join(', '),
      url: absoluteUrl(context, path),
      changed: reader.state().lastSyncedTs ?? 0,
    },
    items.map((item) => JSON.parse(item) as ApiRecord<'EventItem'>),
  );
}

function withEntries(
  { site, now }: PageContext,
  feed: Omit<Subscription, 'entries'>,
  items: readonly ApiRecord<'EventItem'>[],
): Subscription {
  const ids = items.map((item) => numberIn(item.id));
  const changed = site.events.lastChanged(ids);
  const details = site.events.details(ids);
  const entries = items.map((item, index): SubscriptionEntry => {
    const rest = details.get(ids[index] as number);
    return {
      ...item,
      changed: changed.get(ids[index] as number) ?? now,
      rest: rest === undefined ? null : (JSON.parse(`{${rest}}`) as EventDetails),
    };
  });
  const latest = entries.reduce((last, entry) => Math.max(last, entry.changed), feed.changed);
  return { ...feed, changed: latest, entries };
}

function upcomingItems(
  context: PageContext,
  kind: Kind,
  id: number,
  limit: number,
  ofGenre: EventFilter,
): ApiRecord<'EventItem'>[] {
  const { reader, now } = context;
  if (kind === 'event') return [JSON.parse(reader.details.event(id)) as ApiRecord<'EventItem'>];
  const source =
    kind === 'label'
      ? reader.events.sourceForLabel(id, { ...ofGenre, upcomingAt: now })
      : reader.events.source({ ...listFilter(kind, id), ...ofGenre, upcomingAt: now });
  const { items } = reader.page(source, { limit, position: null, cursorScope: () => '' });
  return items.map((item) => JSON.parse(item) as ApiRecord<'EventItem'>);
}

const listFilter = (kind: Kind, id: number) =>
  kind === 'artist' ? { artist: id } : kind === 'venue' ? { venue: id } : { cityId: id };

function loadRecord(
  { reader, now }: PageContext,
  kind: Kind,
  id: number,
): { name: string; slug: string; updated_at: string } {
  const upcoming = reader.upcoming(now);
  switch (kind) {
    case 'artist':
      return reader.details.artist(id, upcoming);
    case 'venue':
      return reader.details.venue(id, upcoming);
    case 'city':
      return reader.details.city(id, upcoming);
    case 'label':
      return reader.details.label(id, now);
    default:
      return JSON.parse(reader.details.event(id)) as ApiRecord<'Event'>;
  }
}
