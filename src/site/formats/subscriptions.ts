/** The upcoming events of a feed or calendar. */
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { pageUrl } from '../../store/records/serialize.ts';
import { type PageContext, resolveUrl } from '../page-context.ts';

export type EventDetails = Pick<ApiRecord<'Event'>, 'description' | 'genres' | 'minimum_age'>;
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
const numberIn = (id: string): number => Number.parseInt(id.slice(id.indexOf('_') + 1), 36);

/** Loads the upcoming events of an artist, venue, city or label; for an event, the event itself. */
export function loadSubscription(
  context: PageContext,
  kind: Kind,
  id: number,
  format: 'atom' | 'ics',
): Subscription {
  const { site, now } = context;
  const { name, slug, updated_at } = loadRecord(context, kind, id);
  const items = upcomingItems(context, kind, id, maxEntries[format]);
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
  const latest = entries.reduce((last, entry) => Math.max(last, entry.changed), Date.parse(updated_at));
  return { name, url: resolveUrl(context, pageUrl(kind, slug)), changed: latest, entries };
}

function upcomingItems(
  context: PageContext,
  kind: Kind,
  id: number,
  limit: number,
): ApiRecord<'EventItem'>[] {
  const { reader, now } = context;
  if (kind === 'event') return [JSON.parse(reader.details.event(id)) as ApiRecord<'EventItem'>];
  const source =
    kind === 'label'
      ? reader.events.sourceForLabel(id, { upcomingAt: now })
      : reader.events.source({ ...listFilter(kind, id), upcomingAt: now });
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
