/** The page of an event: time, venue, line-up, tickets. */

import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { isSampleEvent } from '../../store/schedule/sample-events.ts';
import { longDate, TimeRange } from '../components/dates.tsx';
import { Address, Lineup, MapLink, maxTickets, Tickets } from '../components/lineup.tsx';
import { ExternalLink } from '../components/links.tsx';
import { countFitting, estimatedBytes, pageBudgetBytes, totalBytes } from '../components/page-budget.ts';
import {
  Description,
  descriptionBytes,
  Facts,
  Heading,
  LinkChips,
  PageSections,
  StatusTag,
  venueText,
} from '../components/parts.tsx';
import type { Crumb } from '../formats/json-ld.ts';
import { eventThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { editionPath, isHttpUrl, type PageContext, recordPath, unprefixedPath } from '../page-context.ts';

const maxActs = 200;
/** Size reserved for genres and sources, in bytes. */
const otherBytes = 5_000;

/** An event with its line-up, tickets and sources. */
export function eventPage(context: PageContext, id: number): PageView {
  const { reader, site } = context;
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
  const isOff = event.status === 'cancelled';
  const invented = isSampleEvent(event.sources);
  return {
    title: `${event.name}${event.venue.name ? ` at ${event.venue.name}` : ''}, ${longDate(event.date)}`,
    description: eventDescription(event),
    section: '/events',
    type: 'article',
    image: event.image_url,
    isSample: invented,
    crumbs: crumbsOf(event),
    structuredData: [
      eventThing(context, event, {
        venue,
        tickets: tickets.slice(0, maxTickets),
        summary: eventDescription(event),
      }),
    ],
    children: (
      <article>
        <Heading kind="Event" name={event.name}>
          {invented && (
            <p class="notice">Sample event: invented for trying things out. It does not take place.</p>
          )}
          <p class="lead strong">
            <StatusTag status={event.status} /> {isOver && !isOff && <span class="tag">Over</span>}{' '}
            <TimeRange event={event} />
          </p>
          <Facts facts={factsOf(context, event, venue)} />
        </Heading>
        <PageSections
          sides={[
            (lineup.length > 0 || !(isOver || isOff)) && {
              title: 'Line-up',
              id: 'lineup',
              content:
                lineup.length > 0 ? (
                  <Lineup
                    context={context}
                    lineup={lineup}
                    most={Math.min(maxActs, countFitting(lineup, estimatedBytes.act, room))}
                  />
                ) : (
                  <p class="soft">The line-up is not announced yet.</p>
                ),
            },
            tickets.length > 0 && { title: 'Tickets', id: 'tickets', content: <Tickets tickets={tickets} /> },
            event.description !== null && {
              title: 'About',
              id: 'about',
              content: <Description text={event.description} />,
            },
            event.genres.length > 0 && {
              title: 'Genres',
              id: 'genres',
              content: <LinkChips context={context} kind="genre" refs={event.genres} />,
            },
            !isOver && {
              title: 'In your calendar',
              id: 'calendar',
              content: <CalendarLinks context={context} event={event} />,
            },
            event.sources.length > 0 && {
              title: 'Sources',
              id: 'sources',
              content: <EventSources sources={event.sources} />,
            },
          ]}
        />
      </article>
    ),
  };
}

function eventDescription(event: ApiRecord<'Event'>): string {
  const who = event.lineup.slice(0, 6).map(({ name }) => name);
  const state = event.status === 'cancelled' || event.status === 'postponed' ? `${event.status}: ` : '';
  return `${state}${event.name}, ${longDate(event.date)}${venueText(event.venue) ? `, ${venueText(event.venue)}` : ''}${
    who.length > 0 ? `. With ${who.join(', ')}.` : '.'
  }`;
}

function crumbsOf({ city, venue, name, slug }: ApiRecord<'Event'>): Crumb[] {
  return [
    { name: 'Events', path: '/events' },
    ...(city === null ? [] : [{ name: city.name, path: unprefixedPath('city', city.slug) }]),
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
  return [
    ['Where', <EventLocation context={context} event={event} venue={venue} key="where" />],
    of && [
      'Festival',
      <span key="festival">
        <a href={editionPath(context, of.festival.slug, of.edition)}>{`${of.festival.name} ${of.edition}`}</a>
      </span>,
    ],
    event.minimum_age !== null && ['Age', `${event.minimum_age} and over`],
    event.timezone === null && ['Time', 'Uncertain; only the date is shown'],
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
        (name ?? 'Venue not announced')
      ) : (
        <a href={recordPath(context, 'venue', slug)}>{name}</a>
      )}
      {(town.name ?? code) !== null && ', '}
      <Address context={context} location={venue?.location ?? null} city={town} code={code} />
      <MapLink location={venue?.location ?? null} />
    </>
  );
}

function CalendarLinks({ context, event }: { context: PageContext; event: ApiRecord<'Event'> }): VNode {
  const venue = event.venue.slug;
  return (
    <p>
      <a href={`${recordPath(context, 'event', event.slug)}.ics`}>Save the date as an iCalendar file</a>
      {venue !== null && (
        <>
          {', or '}
          <a href={recordPath(context, 'venue', venue)}>subscribe to all of {event.venue.name}</a>
        </>
      )}
      .
    </p>
  );
}

function EventSources({ sources }: { sources: ApiRecord<'Event'>['sources'] }): VNode {
  return (
    <>
      <p class="soft small">
        {sources.length === 1 ? 'This event is listed by' : 'This event combines these listings:'}
      </p>
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
  const text = attribution?.text ?? name;
  const url = attribution?.url ?? null;
  return (
    <p class="soft small">
      {isHttpUrl(url) ? <ExternalLink href={url}>{text}</ExternalLink> : text}
      {license !== null && (
        <>
          , licence: <ExternalLink href={licenseUrl(license)}>{licenseName(license)}</ExternalLink>
        </>
      )}
    </p>
  );
}

const licenseUrl = (license: string): string =>
  isHttpUrl(license) ? license : `https://spdx.org/licenses/${encodeURIComponent(license)}.html`;
const licenseName = (license: string): string =>
  isHttpUrl(license) ? new URL(license).host + new URL(license).pathname : license;
