/** The page of an event: time, venue, line-up, tickets. */

import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import { isSampleEvent } from '../../store/schedule/sample-events.ts';
import { localDate, TimeRange } from '../components/dates.tsx';
import { Address, Lineup, MapLink, maxTickets, Tickets } from '../components/lineup.tsx';
import { ExternalLink } from '../components/links.tsx';
import { mapSection } from '../components/map.tsx';
import { countFitting, estimatedBytes, pageBudgetBytes, totalBytes } from '../components/page-budget.ts';
import { withQuery } from '../components/pagination.tsx';
import {
  aboutSection,
  chipsSection,
  cityText,
  descriptionBytes,
  Facts,
  Heading,
  NavigationLinks,
  type PageSection,
  PageSections,
  StatusTag,
  venueText,
} from '../components/parts.tsx';
import { RecordPicture } from '../components/pictures.tsx';
import type { Crumb } from '../formats/json-ld.ts';
import { eventThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { editionPath, isHttpUrl, type PageContext, recordPath, unprefixedPath } from '../page-context.ts';

const maxActs = 200;
/** Size reserved for genres and sources, in bytes. */
const otherBytes = 5_000;

/** An event with its line-up, tickets and sources. */
export function eventPage(context: PageContext, id: number): PageView {
  const { reader, site, messages } = context;
  const event = JSON.parse(reader.details.event(id)) as ApiRecord<'Event'>;
  const venueId = event.venue.slug === null ? null : reader.find('venue', event.venue.slug);
  const venue = venueId === null ? null : reader.details.venue(venueId, reader.upcoming(context.now));
  const tickets = reader.nestedLists
    .all('tickets', id)
    .map(([json]) => JSON.parse(json) as ApiRecord<'TicketLink'>);
  const lineup = site.relations.lineup(id, maxActs + 1);
  const room =
    pageBudgetBytes -
    otherBytes -
    estimatedBytes.performers(lineup) -
    totalBytes(tickets.slice(0, maxTickets), estimatedBytes.ticket) -
    descriptionBytes(event.description);
  const isOver = site.events.isOver(id, context.now);
  return {
    title: messages.event.title(event.name, event.venue.name, messages.formats.longDate(event.date)),
    description: eventDescription(messages, event),
    section: '/events',
    type: 'article',
    isSample: isSampleEvent(event.sources),
    crumbs: crumbsOf(messages, event),
    structuredData: [
      eventThing(context, event, {
        venue,
        tickets: tickets.slice(0, maxTickets),
        summary: eventDescription(messages, event),
        previousStart: site.events.previousStart(id),
      }),
    ],
    children: (
      <article>
        <EventHeading {...{ context, event, venue, isOver }} />
        <PageSections sides={sectionsOf(context, event, { lineup, tickets, venue, isOver, room })} />
      </article>
    ),
  };
}

function EventHeading({
  context,
  event,
  venue,
  isOver,
}: {
  context: PageContext;
  event: ApiRecord<'Event'>;
  venue: ApiRecord<'Venue'> | null;
  isOver: boolean;
}): VNode {
  const { messages } = context;
  return (
    <Heading
      kind={messages.kinds.event}
      name={event.name}
      picture={<RecordPicture context={context} record={event} framing="whole" group={event.venue.name} />}
    >
      {isSampleEvent(event.sources) && <p class="notice">{messages.event.sample}</p>}
      <p class="lead strong">
        <StatusTag status={event.status} />{' '}
        {isOver && event.status !== 'cancelled' && <span class="tag">{messages.statuses.over}</span>}{' '}
        <TimeRange event={event} />
      </p>
      <Facts facts={factsOf(context, event, venue)} />
    </Heading>
  );
}

type EventContents = {
  lineup: Parameters<typeof Lineup>[0]['lineup'];
  tickets: readonly ApiRecord<'TicketLink'>[];
  venue: ApiRecord<'Venue'> | null;
  isOver: boolean;
  /** Maximum size of the line-up, in bytes. */
  room: number;
};

function sectionsOf(
  context: PageContext,
  event: ApiRecord<'Event'>,
  { lineup, tickets, venue, isOver, room }: EventContents,
): (PageSection | null | false)[] {
  const { messages } = context;
  const { common } = messages;
  const isOff = event.status === 'cancelled';
  return [
    // A description usually names the acts. The sentence that the line-up is still open would contradict it.
    (lineup.length > 0 || !(isOver || isOff || event.description !== null)) && {
      title: common.lineup,
      id: 'lineup',
      content:
        lineup.length > 0 ? (
          <Lineup
            context={context}
            lineup={lineup}
            most={Math.min(maxActs, countFitting(lineup, estimatedBytes.act, room))}
          />
        ) : (
          <p class="soft">{messages.event.lineupUnknown}</p>
        ),
    },
    tickets.length > 0 && {
      title: common.tickets,
      id: 'tickets',
      content: <Tickets tickets={tickets} />,
    },
    aboutSection(messages, event.description),
    chipsSection(context, { title: common.genres, id: 'genres' }, 'genre', event.genres),
    venue !== null && mapSection(context, venue.name, venue.location, 'venue'),
    !isOver &&
      !isOff && {
        title: messages.event.calendar,
        id: 'calendar',
        content: <CalendarLinks context={context} event={event} />,
      },
    !isOver && isOff && insteadSection(context, event),
    event.sources.length > 0 && {
      title: messages.event.sources,
      id: 'sources',
      content: <EventSources sources={event.sources} />,
    },
  ];
}

function eventDescription(messages: Messages, event: ApiRecord<'Event'>): string {
  const { state: states, withActs } = messages.event;
  const who = event.lineup.slice(0, 6).map(({ name }) => name);
  const { status } = event;
  const state = status === 'cancelled' || status === 'postponed' ? `${states[status]}: ` : '';
  const where = venueText(messages, event.venue);
  const date = messages.formats.longDate(event.date);
  return `${state}${event.name}, ${date}${where ? `, ${where}` : ''}.${
    who.length > 0 ? ` ${withActs(who.join(', '))}` : ''
  }`;
}

function crumbsOf(messages: Messages, { city, venue, name, slug }: ApiRecord<'Event'>): Crumb[] {
  return [
    { name: messages.lists.events, path: '/events' },
    ...(city === null
      ? []
      : [
          {
            name: cityText(messages, city.name, city.country),
            path: unprefixedPath('city', city.slug),
          },
        ]),
    ...(venue.slug === null
      ? []
      : [{ name: venue.name ?? venue.slug, path: unprefixedPath('venue', venue.slug) }]),
    { name, path: unprefixedPath('event', slug) },
  ];
}

function factsOf(
  context: PageContext,
  event: ApiRecord<'Event'>,
  venue: ApiRecord<'Venue'> | null,
): Parameters<typeof Facts>[0]['facts'] {
  const { festival_edition: of } = event;
  const { event: words, common } = context.messages;
  return [
    [common.where, <EventLocation context={context} event={event} venue={venue} key="where" />],
    of && [
      words.festival,
      <span key="festival">
        <a href={editionPath(context, of.festival.slug, of.edition)}>{`${of.festival.name} ${of.edition}`}</a>
      </span>,
    ],
    event.minimum_age !== null && [words.age, words.ageAndOver(event.minimum_age)],
    event.timezone === null && [words.time, words.timeUncertain],
  ];
}

function EventLocation({
  context,
  event,
  venue,
}: {
  context: PageContext;
  event: ApiRecord<'Event'>;
  venue: ApiRecord<'Venue'> | null;
}): VNode {
  const { slug, name, city, country } = event.venue;
  const code = country ?? event.city?.country ?? null;
  const town = event.city ?? { slug: null, name: city };
  return (
    <>
      {slug === null ? (
        (name ?? context.messages.event.venueUnknown)
      ) : (
        <a href={recordPath(context, 'venue', slug)}>{name}</a>
      )}
      {(town.name ?? code) !== null && ', '}
      <Address context={context} location={venue?.location ?? null} city={town} code={code} />
      <MapLink location={venue?.location ?? null} />
    </>
  );
}

/** Where the visitor of a cancelled event finds another one: the same day in the city, and the venue; null without both. */
function insteadSection(
  context: PageContext,
  { city, venue, start_at }: ApiRecord<'Event'>,
): PageSection | null {
  if (city === null && venue.slug === null) return null;
  const { event: words, days, formats } = context.messages;
  const date = localDate(start_at);
  return {
    title: words.instead,
    id: 'instead',
    content: (
      <NavigationLinks
        links={[
          city === null
            ? null
            : {
                href: withQuery(recordPath(context, 'city', city.slug), { when: date }),
                label: days.inCity(
                  formats.weekdayDate(date),
                  cityText(context.messages, city.name, city.country),
                ),
              },
          venue.slug !== null && {
            href: recordPath(context, 'venue', venue.slug),
            label: venue.name ?? words.venueUnknown,
          },
        ]}
      />
    ),
  };
}

function CalendarLinks({ context, event }: { context: PageContext; event: ApiRecord<'Event'> }): VNode {
  const venue = event.venue.slug;
  const { event: words } = context.messages;
  return (
    <p class="below">
      <a href={`${recordPath(context, 'event', event.slug)}.ics`}>{words.saveDate}</a>
      {venue !== null && (
        <a href={recordPath(context, 'venue', venue)}>{words.subscribeToVenue(event.venue.name)}</a>
      )}
    </p>
  );
}

function EventSources({ sources }: { sources: ApiRecord<'Event'>['sources'] }): VNode {
  const { event: words } = useMessages();
  return (
    <>
      <p class="soft small">{sources.length === 1 ? words.listedBy : words.combines}</p>
      <ul class="chips">
        {sources.slice(0, 20).map(({ name, url, external_id }) => (
          <li key={`${name} ${external_id}`}>
            {isHttpUrl(url) ? <ExternalLink href={url}>{name}</ExternalLink> : <span>{name}</span>}
          </li>
        ))}
      </ul>
      {creditsOf(sources).map((source) => (
        <SourceCredit key={source.name} source={source} />
      ))}
    </>
  );
}

type EventSource = ApiRecord<'Event'>['sources'][number];
type CreditedSource = Extract<EventSource, { license: unknown }>;

/** The sources with a licence or an attribution, each once. */
const creditsOf = (sources: readonly EventSource[]): CreditedSource[] => [
  ...new Map(sources.flatMap((source) => ('license' in source ? [[source.name, source]] : []))).values(),
];

function SourceCredit({ source: { name, license, attribution } }: { source: CreditedSource }): VNode {
  const { event: words } = useMessages();
  const text = attribution?.text ?? name;
  const url = attribution?.url ?? null;
  return (
    <p class="soft small">
      {isHttpUrl(url) ? <ExternalLink href={url}>{text}</ExternalLink> : text}
      {license !== null && (
        <>
          {`, ${words.licence}: `}
          <ExternalLink href={licenseUrl(license)}>{licenseName(license)}</ExternalLink>
        </>
      )}
    </p>
  );
}

const licenseUrl = (license: string): string =>
  isHttpUrl(license) ? license : `https://spdx.org/licenses/${encodeURIComponent(license)}.html`;
const licenseName = (license: string): string =>
  isHttpUrl(license) ? new URL(license).host + new URL(license).pathname : license;
