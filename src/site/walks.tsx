/** Lists on pages: part by part, with links to the next. */
import type { VNode } from 'preact';
import type { Shown } from '../contract/records.ts';
import type { Key, ListSource } from '../store/list.ts';
import type { PastKey, PastOf } from '../store/site-events.ts';
import { EventDays, PastEvents } from './listings.tsx';
import { Below } from './parts.tsx';
import { type Ask, asked } from './site.ts';

export type Part<T> = { items: T[]; next: string | null };

/** A path with these parameters of a query; those that are empty are left out. */
export function withQuery(path: string, parameters: Record<string, string | null | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/**
 * The part of a list at which `cursor` of the query stands, else its first, or the one from `start` on.
 * @param filters what the list is restricted to: its cursors are bound to that and to the path
 * @throws Problem `invalid_cursor`
 */
export function walk<T>(
  ask: Ask,
  source: ListSource,
  {
    limit,
    filters = {},
    start = null,
  }: { limit: number; filters?: Record<string, string>; start?: Key | null },
): Part<T> {
  const { reader, path } = ask;
  const binding = () => JSON.stringify(['site', path, filters]);
  const cursor = asked(ask, 'cursor', 2_000);
  const begin = start === null ? null : { key: start, revision: reader.state().revision };
  const position = cursor === '' ? begin : reader.position(cursor, binding());
  const { items, next } = reader.page(source, { limit, position, binding });
  return { items: items.map((item) => JSON.parse(item) as T), next };
}

type EventItem = Shown<'EventItem'>;
/** A record's events: those to come, and those that are over where it has a list of these. */
export type EventsOf = {
  source: ListSource;
  past: { of: PastOf; id: number } | null;
  /** All are at this one venue. */
  at?: 'venue' | null;
};

const onRecord = 20;
const onList = 50;
const pastOnRecord = 10;

/** What of a record's events the query asks for; `main` is the record's own page. */
export function eventsMode(ask: Ask): 'main' | 'upcoming' | 'past' {
  if (asked(ask, 'cursor') !== '') return 'upcoming';
  return asked(ask, 'past') === '' ? 'main' : 'past';
}

function pastKey(text: string): PastKey | null {
  const [, start, id] = /^(-?\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return start === undefined ? null : { start: Number(start), id: Number(id) };
}

/** The upcoming events of a record's page; null where there are none. */
export function upcomingEvents(
  ask: Ask,
  { source, at = null }: EventsOf,
): { items: EventItem[]; content: VNode } | null {
  const { items, next } = walk<EventItem>(ask, source, { limit: onRecord });
  if (items.length === 0) return null;
  const href = next === null ? null : withQuery(ask.place.prefix + ask.path, { cursor: next });
  return {
    items,
    content: (
      <>
        <EventDays ask={ask} events={items} at={at} />
        <Below links={[href === null ? null : { href, label: 'More upcoming events', rel: 'next' }]} />
      </>
    ),
  };
}

/** The latest events that are over, for a record's page; null where there are none. */
export function latestPast(ask: Ask, { past, at = null }: EventsOf): VNode | null {
  if (past === null) return null;
  const rows = ask.site.events.past(past.of, past.id, ask.now, null, pastOnRecord + 1);
  if (rows.length === 0) return null;
  const events = rows.slice(0, pastOnRecord).map(({ item }) => JSON.parse(item) as EventItem);
  const href = rows.length > pastOnRecord ? withQuery(ask.place.prefix + ask.path, { past: 'all' }) : null;
  return (
    <>
      <PastEvents ask={ask} events={events} at={at} />
      <Below links={[href === null ? null : { href, label: 'All past events' }]} />
    </>
  );
}

/** A whole page of a record's events, whichever the query asks for. */
export function eventsPage(
  ask: Ask,
  { source, past, at = null }: EventsOf,
): { title: string; content: VNode } {
  const own = ask.place.prefix + ask.path;
  if (eventsMode(ask) === 'upcoming' || past === null) {
    const { items, next } = walk<EventItem>(ask, source, { limit: onList });
    return {
      title: 'Upcoming events',
      content: (
        <>
          <EventDays ask={ask} events={items} at={at} />
          <Below
            links={[
              { href: own, label: 'Back to the first' },
              next === null ? null : { href: withQuery(own, { cursor: next }), label: 'Next', rel: 'next' },
            ]}
          />
        </>
      ),
    };
  }
  const rows = ask.site.events.past(past.of, past.id, ask.now, pastKey(asked(ask, 'past')), onList + 1);
  const shown = rows.slice(0, onList);
  const last = shown.at(-1);
  return {
    title: 'Past events',
    content: (
      <>
        <PastEvents ask={ask} events={shown.map(({ item }) => JSON.parse(item) as EventItem)} at={at} />
        <Below
          links={[
            { href: own, label: 'Back' },
            rows.length > onList && last
              ? { href: withQuery(own, { past: `${last.start}.${last.id}` }), label: 'Earlier', rel: 'next' }
              : null,
          ]}
        />
      </>
    ),
  };
}
