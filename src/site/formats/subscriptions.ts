/** The upcoming events that a feed or a calendar tells of. */
import type { Kind } from '../../contract/fields.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { pageUrl } from '../../store/records/serialize.ts';
import { type PageContext, resolveUrl } from '../page-context.ts';

export type EventDetails = Pick<ApiRecord<'Event'>, 'description' | 'genres' | 'minimum_age'>;
export type SubscriptionEntry = ApiRecord<'EventItem'> & { changed: number; rest: EventDetails | null };
export type Subscription = {
  /** Whose events they are. */
  name: string;
  /** Whole address of the page that they stand on. */
  url: string;
  /** When the record or one of its events last changed (ms). */
  changed: number;
  entries: SubscriptionEntry[];
};

/** What a feed or calendar holds at most: those who subscribe look again and again. */
const maxEntries = { atom: 100, ics: 250 } as const;

/** The number in a record's public id. */
const numberIn = (id: string): number => Number.parseInt(id.slice(id.indexOf('_') + 1), 36);

/** The upcoming events of an artist, venue, city or label; of an event, itself. */
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
      return reader.details.label(id);
    default:
      return JSON.parse(reader.details.event(id)) as ApiRecord<'Event'>;
  }
}
