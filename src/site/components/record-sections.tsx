/** What the pages of several kinds of records share. */

import type { Crumb } from '../formats/json-ld.ts';
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';
import { fullEventList, type RecordEvents, type readListPart, type upcomingEvents } from './pagination.tsx';
import { Heading, type PageSection, PageSections, SubscribeLinks } from './parts.tsx';

/** "1 event", "2,300 events". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The feed and the calendar of a record's upcoming events, for the head of its page. */
export const feedLinks = (path: string, name: string) => [
  { path: `${path}.atom`, type: 'application/atom+xml', title: `${name}: upcoming events` },
  { path: `${path}.ics`, type: 'text/calendar', title: `${name}: upcoming events` },
];

/** The upcoming events of a record, and how to be told of new ones. @param none what is said where there are none */
export function upcomingSection(
  context: PageContext,
  { path, name }: { path: string; name: string },
  upcoming: ReturnType<typeof upcomingEvents>,
  none: string,
): PageSection {
  return {
    title: 'Upcoming events',
    id: 'upcoming',
    content: (
      <>
        {upcoming?.content ?? <p class="empty">{none}</p>}
        <SubscribeLinks context={context} path={path} name={name} />
      </>
    ),
  };
}

/** A page that shows one of a record's lists and nothing else of it. */
export function recordEventsPage(
  context: PageContext,
  record: { kind: string; name: string; section: string },
  events: RecordEvents,
  crumbs: Crumb[],
): PageView {
  const { title, content } = fullEventList(context, events);
  return {
    title: `${title}: ${record.name}`,
    description: `${title} of ${record.name}.`,
    section: record.section,
    canonical: null,
    crumbs: [...crumbs, { name: title, path: context.path }],
    children: (
      <>
        <Heading kind={record.kind} name={record.name} />
        <PageSections sides={[{ title, id: 'events', content }]} />
      </>
    ),
  };
}

/** The slug of a city of this name; null where none is on record. */
export const citySlug = (
  { reader }: PageContext,
  name: string | null,
  country: string | null,
): string | null =>
  name === null
    ? null
    : (reader.namedRecords
        .byExactName('city', name)
        .find((city) => country === null || city.country === country)?.slug ?? null);

/** The first entries of a list that is not walked. */
export function readFirst<T>(
  context: PageContext,
  source: Parameters<typeof readListPart>[1],
  limit: number,
): T[] {
  return context.reader
    .page(source, { limit, position: null, cursorScope: () => '' })
    .items.map((item) => JSON.parse(item) as T);
}
