/** Sections and texts that pages of several kinds share. */

import type { Messages } from '../../pages/messages/messages.ts';
import type { Crumb } from '../formats/json-ld.ts';
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';
import { knownServices, type LinkedRecord, linkList } from './links.tsx';
import {
  fullEventList,
  type RecordEvents,
  type readListPart,
  type upcomingEvents,
  withQuery,
} from './pagination.tsx';
import { Heading, type PageSection, PageSections, SubscribeLinks } from './parts.tsx';

/** `link` elements for the feed and calendar of a record's upcoming events. */
export const feedLinks = (
  { common }: Messages,
  path: string,
  name: string,
  query: Record<string, string> = {},
) => [
  {
    path: withQuery(`${path}.atom`, query),
    type: 'application/atom+xml',
    title: common.upcomingFeed(name),
  },
  { path: withQuery(`${path}.ics`, query), type: 'text/calendar', title: common.upcomingFeed(name) },
];

/**
 * The section of upcoming events with links to feed and calendar; null without events of a record that has ended.
 * @param none text if there are no events
 */
export function upcomingSection(
  context: PageContext,
  { path, name, isEnded }: { path: string; name: string; isEnded: boolean },
  upcoming: ReturnType<typeof upcomingEvents>,
  none: string,
): PageSection | null {
  if (isEnded && upcoming === null) return null;
  return {
    title: context.messages.common.upcomingEvents,
    id: 'upcoming',
    content: (
      <>
        {upcoming?.content ?? <p class="empty">{none}</p>}
        <SubscribeLinks context={context} path={path} name={name} />
      </>
    ),
  };
}

/** The section of a record's links, with the services that have an id for it; null if it has no links. */
export function linkSection(
  messages: Messages,
  record: LinkedRecord & { external_ids: Record<string, string | null> },
): PageSection | null {
  const links = linkList(messages, record);
  if (links === null) return null;
  const services = knownServices(record.external_ids);
  const content = (
    <>
      {links}
      {services !== '' && <p class="soft small">{messages.common.knownTo(services)}</p>}
    </>
  );
  return { title: messages.common.elsewhere, id: 'links', content };
}

/** A page with one list of a record. */
export function recordEventsPage(
  context: PageContext,
  record: { kind: string; name: string; section: string },
  events: RecordEvents,
  crumbs: Crumb[],
): PageView {
  const { title, content } = fullEventList(context, events);
  return {
    title: `${title}: ${record.name}`,
    description: context.messages.common.ofRecord(title, record.name),
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

/** Finds the slug of the city with this name; null if there is none. */
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

/** Reads the first entries of a list without pagination. */
export function readFirst<T>(
  context: PageContext,
  source: Parameters<typeof readListPart>[1],
  limit: number,
): T[] {
  return context.reader
    .page(source, { limit, position: null, cursorScope: () => '' })
    .items.map((item) => JSON.parse(item) as T);
}
