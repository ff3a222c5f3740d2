/** The page of a festival edition: its timetable, its line-up, its tickets. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../../contract/records.ts';
import type { Messages } from '../../../pages/messages/messages.ts';
import type { SiteLineupRow } from '../../../store/site/relations.ts';
import { DateRange, localDate, zoneText } from '../../components/dates.tsx';
import { EventsByDay } from '../../components/event-lists.tsx';
import { Address, MapLink, maxTickets, Tickets } from '../../components/lineup.tsx';
import { countFitting, estimatedBytes, pageBudgetBytes, totalBytes } from '../../components/page-budget.ts';
import { withQuery } from '../../components/pagination.tsx';
import {
  aboutSection,
  cityText,
  countryText,
  descriptionBytes,
  Facts,
  Heading,
  type PageSection,
  PageSections,
  placeText,
  StatusTag,
} from '../../components/parts.tsx';
import { RecordPicture } from '../../components/pictures.tsx';
import { citySlug } from '../../components/record-sections.tsx';
import type { Crumb } from '../../formats/json-ld.ts';
import { editionThing } from '../../formats/schema-org.ts';
import type { PageView } from '../../layout.tsx';
import { type PageContext, queryParameter, recordPath, unprefixedPath } from '../../page-context.ts';
import { festivalSections } from './festival-sections.tsx';
import { daysOf, programmeSections } from './programme.tsx';

const maxLineup = 5_000;
const maxEvents = 30;
/** Size reserved for other editions, in bytes. */
const otherBytes = 4_000;

/** An edition with its timetable, line-up and tickets. */
export function editionPage(context: PageContext, id: number): PageView {
  const { reader, site, messages } = context;
  const { common, formats, edition: words } = messages;
  const edition = reader.details.festivals.edition(id);
  const venueId = edition.venue.slug === null ? null : reader.find('venue', edition.venue.slug);
  const venue = venueId === null ? null : reader.details.venue(venueId, reader.upcoming(context.now));
  const tickets = reader.nestedLists
    .all('tickets', id)
    .map(([json]) => JSON.parse(json) as ApiRecord<'TicketLink'>);
  const lineup = site.relations.lineup(id, maxLineup);
  const day = daysOf(lineup).find((one) => one === queryParameter(context, 'day')) ?? null;
  const events = site.events
    .ofEdition(id, maxEvents + 1)
    .map((item) => JSON.parse(item) as ApiRecord<'EventItem'>);
  const shownEvents = events.slice(
    0,
    Math.min(maxEvents, countFitting(events, estimatedBytes.event, pageBudgetBytes / 4)),
  );
  // The pages that continue the programme have nothing else below it.
  const isContinued = queryParameter(context, 'after') !== '';
  const restBytes =
    totalBytes(tickets.slice(0, maxTickets), estimatedBytes.ticket) +
    totalBytes(shownEvents, estimatedBytes.event) +
    descriptionBytes(edition.description);
  const room =
    pageBudgetBytes - otherBytes - (isContinued ? 0 : estimatedBytes.performers(lineup) + restBytes);
  const canonical = day === null ? context.path : withQuery(context.path, { day });
  return {
    title: day === null ? words.title(edition.name) : words.dayTitle(edition.name, formats.longDate(day)),
    description: editionDescription(messages, edition, lineup),
    section: '/festivals',
    type: 'article',
    canonical: isContinued ? null : canonical,
    crumbs: crumbsOf(messages, edition),
    structuredData: isContinued
      ? []
      : [
          editionThing(context, edition, {
            lineup,
            tickets: tickets.slice(0, maxTickets),
            venue,
            summary: editionDescription(messages, edition, lineup),
          }),
        ],
    children: (
      <>
        <EditionHeading context={context} edition={edition} venue={venue} />
        <PageSections
          sides={[
            ...programmeSections(context, lineup, day, room),
            lineup.length === 0 && {
              title: common.lineup,
              id: 'lineup',
              content: (
                <p class="soft">{isPast(context, edition) ? words.lineupUnknown : words.notAnnounced}</p>
              ),
            },
            ...(isContinued
              ? []
              : [
                  ...ownSections(context, edition, { tickets, events, shownEvents }),
                  ...festivalSections(context, edition, lineup.length === 0),
                ]),
          ]}
        />
      </>
    ),
  };
}

function EditionHeading({
  context,
  edition,
  venue,
}: {
  context: PageContext;
  edition: ApiRecord<'Edition'>;
  venue: ApiRecord<'Venue'> | null;
}): VNode {
  const { formats, kinds, edition: words } = context.messages;
  return (
    <Heading
      kind={kinds.edition}
      name={edition.name}
      picture={
        <RecordPicture context={context} record={edition} framing="whole" group={edition.festival.name} />
      }
    >
      <p class="lead strong">
        <StatusTag status={edition.status} /> <DateRange event={edition} />
        {edition.timezone !== null && edition.start_at !== null && (
          <span class="zone">{words.timesIn(zoneText(formats, edition.timezone, edition.start_at))}</span>
        )}
      </p>
      <Facts facts={factsOf(context, edition, venue)} />
    </Heading>
  );
}

/**
 * The tickets, the description and the events of an edition.
 * @param shownEvents those of `events` that the page has room for
 */
function ownSections(
  context: PageContext,
  edition: ApiRecord<'Edition'>,
  {
    tickets,
    events,
    shownEvents,
  }: {
    tickets: readonly ApiRecord<'TicketLink'>[];
    events: readonly ApiRecord<'EventItem'>[];
    shownEvents: readonly ApiRecord<'EventItem'>[];
  },
): (PageSection | null | false)[] {
  const { common, edition: words } = context.messages;
  return [
    tickets.length > 0 && { title: common.tickets, id: 'tickets', content: <Tickets tickets={tickets} /> },
    aboutSection(context.messages, edition.description),
    events.length > 0 && {
      title: words.events,
      id: 'events',
      content: (
        <>
          <EventsByDay context={context} events={shownEvents} />
          {events.length > shownEvents.length && <p class="soft">{common.andMore}</p>}
        </>
      ),
    },
  ];
}

/** Whether the last day of the edition is over, in UTC. */
const isPast = ({ now }: PageContext, { start_at, end_at }: ApiRecord<'Edition'>): boolean => {
  const last = end_at ?? start_at;
  return last !== null && localDate(last) < new Date(now).toISOString().slice(0, 10);
};

function editionDescription(
  messages: Messages,
  edition: ApiRecord<'Edition'>,
  lineup: readonly SiteLineupRow[],
): string {
  const { edition: words, counts, formats } = messages;
  const names = [...new Set(lineup.map(({ name }) => name))];
  const who = names.slice(0, 6).join(', ') + (names.length > 6 ? words.andMoreNames : '');
  const sets = edition.lineup_count === 0 ? '' : ` ${counts.sets(edition.lineup_count)}`;
  const when = edition.start_at === null ? '' : words.fromDay(formats.longDate(localDate(edition.start_at)));
  const town = cityText(messages, edition.city, edition.country);
  const where = placeText(edition.venue.name, town, countryText(messages, edition.country));
  return `${edition.name}${when}${where ? `, ${where}` : ''}.${sets}${who ? words.withNames(who) : ''}${sets && '.'}`;
}

const crumbsOf = ({ lists }: Messages, { festival, name, edition }: ApiRecord<'Edition'>): Crumb[] => [
  { name: lists.festivals, path: '/festivals' },
  { name: festival.name, path: unprefixedPath('festival', festival.slug) },
  { name, path: `${unprefixedPath('festival', festival.slug)}/editions/${encodeURIComponent(edition)}` },
];

function factsOf(
  context: PageContext,
  edition: ApiRecord<'Edition'>,
  venue: ApiRecord<'Venue'> | null,
): Parameters<typeof Facts>[0]['facts'] {
  const { slug, name } = edition.venue;
  const { common, counts, edition: words } = context.messages;
  const city = {
    slug: venue?.city_slug ?? citySlug(context, edition.city, edition.country),
    name: edition.city,
  };
  return [
    [
      words.festival,
      <a href={recordPath(context, 'festival', edition.festival.slug)} key="f">
        {edition.festival.name}
      </a>,
    ],
    (name ?? edition.city ?? edition.country) !== null && [
      common.where,
      <span key="w">
        {slug === null ? name : <a href={recordPath(context, 'venue', slug)}>{name}</a>}
        {name !== null && (edition.city ?? edition.country) !== null && ', '}
        <Address context={context} location={venue?.location ?? null} city={city} code={edition.country} />
        <MapLink location={venue?.location ?? null} />
      </span>,
    ],
    edition.lineup_count > 0 && [common.lineup, counts.sets(edition.lineup_count)],
  ];
}
