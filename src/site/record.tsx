/** What the pages of several kinds of records share. */
import type { Leaf } from './frame.tsx';
import type { Crumb } from './json-ld.ts';
import { Heading, type Side, Sides, Subscribe } from './parts.tsx';
import type { Ask } from './site.ts';
import { type EventsOf, eventsPage, type upcomingEvents, type walk } from './walks.tsx';

/** "1 event", "2,300 events". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The feed and the calendar of a record's upcoming events, for the head of its page. */
export const feedsOf = (path: string, name: string) => [
  { path: `${path}.atom`, type: 'application/atom+xml', title: `${name}: upcoming events` },
  { path: `${path}.ics`, type: 'text/calendar', title: `${name}: upcoming events` },
];

/** The upcoming events of a record, and how to be told of new ones. @param none what is said where there are none */
export function upcomingSide(
  ask: Ask,
  { path, name }: { path: string; name: string },
  upcoming: ReturnType<typeof upcomingEvents>,
  none: string,
): Side {
  return {
    title: 'Upcoming events',
    id: 'upcoming',
    content: (
      <>
        {upcoming?.content ?? <p class="empty">{none}</p>}
        <Subscribe ask={ask} path={path} name={name} />
      </>
    ),
  };
}

/** A page that shows one of a record's lists and nothing else of it. */
export function onlyEvents(
  ask: Ask,
  record: { kind: string; name: string; section: string },
  events: EventsOf,
  crumbs: Crumb[],
): Leaf {
  const { title, content } = eventsPage(ask, events);
  return {
    title: `${title}: ${record.name}`,
    description: `${title} of ${record.name}.`,
    section: record.section,
    canonical: null,
    crumbs: [...crumbs, { name: title, path: ask.path }],
    children: (
      <>
        <Heading kind={record.kind} name={record.name} />
        <Sides sides={[{ title, id: 'events', content }]} />
      </>
    ),
  };
}

/** The slug of a city of this name; null where none is on record. */
export const citySlug = ({ reader }: Ask, name: string | null, country: string | null): string | null =>
  name === null
    ? null
    : (reader.named.called('city', name).find((city) => country === null || city.country === country)?.slug ??
      null);

/** The first entries of a list that is not walked. */
export function walkAll<T>(ask: Ask, source: Parameters<typeof walk>[1], limit: number): T[] {
  return ask.reader
    .page(source, { limit, position: null, binding: () => '' })
    .items.map((item) => JSON.parse(item) as T);
}
