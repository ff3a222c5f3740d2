/** The page of an event: when, where, who, for how much. */

import type { VNode } from 'preact';
import type { Shown } from '../contract/records.ts';
import { isSample } from '../store/samples.ts';
import { Address, Bill, Geo, mostTickets, Tickets } from './bill.tsx';
import type { Leaf } from './frame.tsx';
import type { Crumb } from './json-ld.ts';
import { Out } from './links.tsx';
import { About, aboutWeight, Chips, Facts, Heading, Sides, Status, venueText } from './parts.tsx';
import { type Ask, editionPath, isWeb, pathOf, plainPath } from './site.ts';
import { eventThing } from './things.ts';
import { fitting, roomOnPage, total, weights } from './weight.ts';
import { longDate, Span } from './when.tsx';

const mostActs = 200;
/** What an event has beside what is weighed (bytes): genres, sources. */
const besides = 5_000;

/** @param id the event's record */
export function eventPage(ask: Ask, id: number): Leaf {
  const { reader, site } = ask;
  const event = JSON.parse(reader.details.event(id)) as Shown<'Event'>;
  const venueId = event.venue.slug === null ? null : reader.find('venue', event.venue.slug);
  const venue = venueId === null ? null : reader.details.venue(venueId, reader.upcoming(ask.now));
  const tickets = reader.inner.all('tickets', id).map(([json]) => JSON.parse(json) as Shown<'TicketLink'>);
  const lineup = site.relations.lineup(id, mostActs + 1);
  const room =
    roomOnPage -
    besides -
    weights.performers(lineup) -
    total(tickets.slice(0, mostTickets), weights.ticket) -
    aboutWeight(event.description);
  const isOver = site.events.isOver(id, ask.now);
  const isOff = event.status === 'cancelled';
  const invented = isSample(event.sources);
  return {
    title: `${event.name}${event.venue.name ? ` at ${event.venue.name}` : ''}, ${longDate(event.date)}`,
    description: described(event),
    section: '/events',
    type: 'article',
    image: event.image_url,
    invented,
    crumbs: crumbsOf(event),
    things: [
      eventThing(ask, event, {
        venue,
        tickets: tickets.slice(0, mostTickets),
        summary: described(event),
      }),
    ],
    children: (
      <article>
        <Heading kind="Event" name={event.name}>
          {invented && <p class="notice">Sample event: invented, for trying things out.</p>}
          <p class="lead strong">
            <Status status={event.status} /> {isOver && !isOff && <span class="tag">Over</span>}{' '}
            <Span event={event} />
          </p>
          <Facts facts={factsOf(ask, event, venue)} />
        </Heading>
        <Sides
          sides={[
            (lineup.length > 0 || !(isOver || isOff)) && {
              title: 'Line-up',
              id: 'lineup',
              content:
                lineup.length > 0 ? (
                  <Bill
                    ask={ask}
                    lineup={lineup}
                    most={Math.min(mostActs, fitting(lineup, weights.act, room))}
                  />
                ) : (
                  <p class="soft">Nobody is announced yet.</p>
                ),
            },
            tickets.length > 0 && { title: 'Tickets', id: 'tickets', content: <Tickets tickets={tickets} /> },
            event.description !== null && {
              title: 'About',
              id: 'about',
              content: <About text={event.description} />,
            },
            event.genres.length > 0 && {
              title: 'Genres',
              id: 'genres',
              content: <Chips ask={ask} kind="genre" refs={event.genres} />,
            },
            !isOver && {
              title: 'In your calendar',
              id: 'calendar',
              content: <Calendar ask={ask} event={event} />,
            },
            event.sources.length > 0 && {
              title: 'Sources',
              id: 'sources',
              content: <Sources sources={event.sources} />,
            },
          ]}
        />
      </article>
    ),
  };
}

function described(event: Shown<'Event'>): string {
  const who = event.lineup.slice(0, 6).map(({ name }) => name);
  const state = event.status === 'cancelled' || event.status === 'postponed' ? `${event.status}: ` : '';
  return `${state}${event.name}, ${longDate(event.date)}${venueText(event.venue) ? `, ${venueText(event.venue)}` : ''}${
    who.length > 0 ? `. With ${who.join(', ')}.` : '.'
  }`;
}

function crumbsOf({ city, venue, name, slug }: Shown<'Event'>): Crumb[] {
  return [
    { name: 'Events', path: '/events' },
    ...(city === null ? [] : [{ name: city.name, path: plainPath('city', city.slug) }]),
    ...(venue.slug === null
      ? []
      : [{ name: venue.name ?? venue.slug, path: plainPath('venue', venue.slug) }]),
    { name, path: plainPath('event', slug) },
  ];
}

function factsOf(
  ask: Ask,
  event: Shown<'Event'>,
  venue: Shown<'Venue'> | null,
): Parameters<typeof Facts>[0]['facts'] {
  const { festival_edition: of } = event;
  return [
    ['Where', <Where ask={ask} event={event} venue={venue} key="where" />],
    of && [
      'Festival',
      <span key="festival">
        <a href={editionPath(ask, of.festival.slug, of.edition)}>{`${of.festival.name} ${of.edition}`}</a>
      </span>,
    ],
    event.minimum_age !== null && ['Age', `${event.minimum_age} and over`],
    event.timezone === null && ['Time', 'Not known for sure; only the date is shown'],
  ];
}

function Where({
  ask,
  event,
  venue,
}: {
  ask: Ask;
  event: Shown<'Event'>;
  venue: Shown<'Venue'> | null;
}): VNode {
  const { slug, name, city, country } = event.venue;
  const code = country ?? event.city?.country ?? null;
  const town = event.city ?? { slug: null, name: city };
  return (
    <>
      {slug === null ? (name ?? 'Venue not announced') : <a href={pathOf(ask, 'venue', slug)}>{name}</a>}
      {(town.name ?? code) !== null && ', '}
      <Address ask={ask} location={venue?.location ?? null} city={town} code={code} />
      <Geo location={venue?.location ?? null} />
    </>
  );
}

function Calendar({ ask, event }: { ask: Ask; event: Shown<'Event'> }): VNode {
  const venue = event.venue.slug;
  return (
    <p>
      <a href={`${pathOf(ask, 'event', event.slug)}.ics`}>Save the date as iCalendar file</a>
      {venue !== null && (
        <>
          {', or '}
          <a href={pathOf(ask, 'venue', venue)}>subscribe to all of {event.venue.name}</a>
        </>
      )}
      .
    </p>
  );
}

function Sources({ sources }: { sources: Shown<'Event'>['sources'] }): VNode {
  return (
    <>
      <p class="soft small">
        {sources.length === 1 ? 'This event was listed by' : 'These listings are one event:'}
      </p>
      <ul class="chips">
        {sources.slice(0, 20).map(({ name, url, external_id }) => (
          <li key={`${name} ${external_id}`}>
            {isWeb(url) ? <Out href={url}>{name}</Out> : <span>{name}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
