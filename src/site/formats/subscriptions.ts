/** Loads the upcoming events that an Atom feed or a calendar lists: those of a record, or of the event list. */
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { CursorPosition } from '../../store/lists/cursor.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import type { ListSource } from '../../store/lists/pagination.ts';
import type { CatalogueReader } from '../../store/reader.ts';
import { pageUrl } from '../../store/records/serialize.ts';
import { withQuery } from '../components/pagination.tsx';
import { readListFilters } from '../days/list-filters.ts';
import { filterOf, genreFilter, genreNames, genresText, readGenres } from '../days/scope.ts';
import { absoluteUrl, type PageContext, resolveUrl } from '../page-context.ts';

type EventDetails = Pick<ApiRecord<'Event'>, 'description'>;
/** `acts` and `description` are shortened; empty if the event has none. */
export type SubscriptionEntry = Omit<ApiRecord<'EventItem'>, 'lineup'> & {
  changed: number;
  acts: string;
  description: string;
};
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
/**
 * No further events are read after this many characters of JSON: a feed or calendar of events with thousands of acts each
 * would hold the event loop. 250 usual events have 200,000.
 */
const maxItemsLength = 1_000_000;
/** Events that are read at once. */
const pageSize = 25;
/** Names of a line-up, and characters of a description, in an entry. Its page has the rest. */
const maxActs = 60;
const maxDescriptionLength = 3_000;

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

/** Loads the upcoming events that match the filters of the event list, except its days: a subscription lists all. */
export function loadListSubscription(context: PageContext, format: 'atom' | 'ics'): Subscription {
  const { reader, now } = context;
  const { scope, places, acts, isNothing } = readListFilters(context);
  const source = isNothing ? reader.emptyList : reader.events.source({ ...filterOf(scope), upcomingAt: now });
  const items = readItems(reader, source, maxEntries[format]);
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
    items,
  );
}

/** Reads the first events of a list. */
function readItems(reader: CatalogueReader, source: ListSource, limit: number): ApiRecord<'EventItem'>[] {
  const items: ApiRecord<'EventItem'>[] = [];
  let [length, position]: [number, CursorPosition | null] = [0, null];
  while (items.length < limit && length < maxItemsLength) {
    const page = reader.page(source, {
      limit: Math.min(pageSize, limit - items.length),
      position,
      cursorScope: () => '',
    });
    for (const item of page.items) {
      length += item.length;
      items.push(JSON.parse(item) as ApiRecord<'EventItem'>);
    }
    if (page.nextCursor === null) break;
    position = reader.decodeCursor(page.nextCursor, '');
  }
  return items;
}

function withEntries(
  { site, now }: PageContext,
  feed: Omit<Subscription, 'entries'>,
  items: readonly ApiRecord<'EventItem'>[],
): Subscription {
  const ids = items.map((item) => numberIn(item.id));
  const changeTimes = site.events.lastChanged(ids);
  const details = site.events.details(ids);
  const entries = items.map(({ lineup, ...item }, index): SubscriptionEntry => {
    const rest = details.get(ids[index] as number);
    const { description } = JSON.parse(`{${rest ?? ''}}`) as Partial<EventDetails>;
    return {
      ...item,
      changed: changeTimes.get(ids[index] as number) ?? now,
      acts: actsText(lineup),
      description: shorten(description ?? ''),
    };
  });
  const latest = entries.reduce((last, entry) => Math.max(last, entry.changed), feed.changed);
  return { ...feed, changed: latest, entries };
}

/** The names of a line-up as one text. */
function actsText(lineup: ApiRecord<'EventItem'>['lineup']): string {
  const names = lineup.slice(0, maxActs).map(({ name }) => name);
  const text = names.join(', ');
  return lineup.length > maxActs ? `${text} and ${lineup.length - maxActs} more` : text;
}

/** Shortens a text at the end of a word, never within a character. */
function shorten(text: string): string {
  if (text.length <= maxDescriptionLength) return text;
  const cut = text.slice(0, maxDescriptionLength).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxDescriptionLength / 2)).trimEnd()} …`;
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
  return readItems(reader, source, limit);
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
