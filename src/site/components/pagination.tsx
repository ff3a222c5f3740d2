/** Paginated lists of the pages: parts of a list, and the upcoming and past events of a record. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import type { ListSource, SortKey } from '../../store/lists/pagination.ts';
import type { PastEventKey, PastEventScope } from '../../store/site/events.ts';
import { type PageContext, queryParameter, withQuery } from '../page-context.ts';
import { EventsByDay, PastEvents, type SharedPlace } from './event-lists.tsx';
import { countEvents, recordEventsBudget } from './page-budget.ts';
import { NavigationLinks, nextLink } from './parts.tsx';

export { withQuery } from '../page-context.ts';

export type ListPart<T> = { items: T[]; next: string | null };

/**
 * Reads a page of a list: the one at the query's `cursor`, otherwise the first or the one that begins at `start`.
 * @param filters restrictions of the list; cursors are bound to them and to the path
 * @param fit returns how many of the first items the page has room for; the next page follows them
 * @throws Problem `invalid_cursor`
 */
export function readListPart<T>(
  context: PageContext,
  source: ListSource,
  {
    limit,
    filters = {},
    start = null,
    fit,
  }: {
    limit: number;
    filters?: Record<string, string>;
    start?: SortKey | null;
    fit?: (items: readonly T[]) => number;
  },
): ListPart<T> {
  const { reader, path } = context;
  const binding = () => JSON.stringify(['site', path, filters]);
  const cursor = queryParameter(context, 'cursor', 2_000);
  const begin = start === null ? null : { key: start, revision: reader.state().revision };
  const position = cursor === '' ? begin : reader.decodeCursor(cursor, binding());
  let items: T[] = [];
  const fitting = (texts: string[]): number => {
    items = texts.map((text) => JSON.parse(text) as T);
    return Math.max(1, fit === undefined ? items.length : fit(items));
  };
  const page = reader.page(source, { limit, position, cursorScope: binding, fit: fitting });
  return { items: items.slice(0, page.items.length), next: page.nextCursor };
}

type EventItem = ApiRecord<'EventItem'>;
/** The lists of a record's events: upcoming ones, and past ones if it has such a list. */
export type RecordEvents = {
  source: ListSource;
  past: { of: PastEventScope; id: number } | null;
  /** All events take place here, so entries omit it. */
  at?: SharedPlace;
  /** Restrictions of the list of upcoming events, as query parameters. */
  filters?: Record<string, string>;
};

const eventsOnRecordPage = 20;
const eventsOnListPage = 40;
const pastOnRecordPage = 10;

/** Which list of a record's events the query requests; `main` is the record's own page. */
export function eventsMode(context: PageContext): 'main' | 'upcoming' | 'past' {
  if (queryParameter(context, 'cursor') !== '') return 'upcoming';
  return queryParameter(context, 'past') === '' ? 'main' : 'past';
}

function pastKey(text: string): PastEventKey | null {
  const [, start, id] = /^(-?\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return start === undefined ? null : { start: Number(start), id: Number(id) };
}

/** The upcoming events on a record's page; null if there are none. */
export function upcomingEvents(
  context: PageContext,
  { source, at = null, filters = {} }: RecordEvents,
): { items: EventItem[]; content: VNode } | null {
  const { items, next } = readListPart<EventItem>(context, source, {
    limit: eventsOnRecordPage,
    filters,
    fit: (events) => countEvents(events, recordEventsBudget.upcoming),
  });
  if (items.length === 0) return null;
  const href =
    next === null ? null : withQuery(context.siteUrl.prefix + context.path, { ...filters, cursor: next });
  return {
    items,
    content: (
      <>
        <EventsByDay context={context} events={items} at={at} />
        <NavigationLinks
          links={[href === null ? null : { href, label: context.messages.common.moreUpcoming, rel: 'next' }]}
        />
      </>
    ),
  };
}

/** The latest past events on a record's page; null if there are none. */
export function pastEventsSection(context: PageContext, { past, at = null }: RecordEvents): VNode | null {
  if (past === null) return null;
  const rows = context.site.events.past(past.of, past.id, context.now, null, pastOnRecordPage + 1);
  if (rows.length === 0) return null;
  const latest = rows.slice(0, pastOnRecordPage).map(({ item }) => JSON.parse(item) as EventItem);
  const events = latest.slice(0, countEvents(latest, recordEventsBudget.past));
  const href =
    rows.length > events.length ? withQuery(context.siteUrl.prefix + context.path, { past: 'all' }) : null;
  return (
    <>
      <PastEvents context={context} events={events} at={at} />
      <NavigationLinks links={[href === null ? null : { href, label: context.messages.common.allPast }]} />
    </>
  );
}

/** A page with one list of a record's events, as the query requests. */
export function fullEventList(
  context: PageContext,
  { source, past, at = null, filters = {} }: RecordEvents,
): { title: string; content: VNode } {
  const basePath = context.siteUrl.prefix + context.path;
  const { common } = context.messages;
  if (eventsMode(context) === 'upcoming' || past === null) {
    const { items, next } = readListPart<EventItem>(context, source, { limit: eventsOnListPage, filters });
    return {
      title: common.upcomingEvents,
      content: (
        <>
          <EventsByDay context={context} events={items} at={at} />
          <NavigationLinks
            links={[
              { href: withQuery(basePath, filters), label: common.backToFirst },
              next !== null && nextLink(withQuery(basePath, { ...filters, cursor: next }), common.next),
            ]}
          />
        </>
      ),
    };
  }
  const rows = context.site.events.past(
    past.of,
    past.id,
    context.now,
    pastKey(queryParameter(context, 'past')),
    eventsOnListPage + 1,
  );
  const page = rows.slice(0, eventsOnListPage);
  const last = page.at(-1);
  return {
    title: common.pastEvents,
    content: (
      <>
        <PastEvents
          context={context}
          events={page.map(({ item }) => JSON.parse(item) as EventItem)}
          at={at}
        />
        <NavigationLinks
          links={[
            { href: basePath, label: common.back },
            rows.length > eventsOnListPage &&
              last !== undefined &&
              nextLink(withQuery(basePath, { past: `${last.start}.${last.id}` }), common.earlier),
          ]}
        />
      </>
    ),
  };
}
