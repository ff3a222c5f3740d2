/** The page of a festival edition: its timetable, its line-up, its tickets. */

import type { Shown } from '../contract/records.ts';
import type { LineupRow } from '../store/site-relations.ts';
import { Address, Geo, mostTickets, Tickets } from './bill.tsx';
import { ofFestival } from './edition-festival.tsx';
import { daysOf, programme } from './edition-programme.tsx';
import type { Leaf } from './frame.tsx';
import type { Crumb } from './json-ld.ts';
import { EventDays } from './listings.tsx';
import { About, aboutWeight, country, Facts, Heading, placeText, Sides, Status } from './parts.tsx';
import { citySlug, countText } from './record.tsx';
import { type Ask, asked, pathOf, plainPath } from './site.ts';
import { editionThing } from './things.ts';
import { withQuery } from './walks.tsx';
import { fitting, roomOnPage, total, weights } from './weight.ts';
import { Days, dateIn, longDate, zoneText } from './when.tsx';

const mostRead = 5_000;
const mostEvents = 30;
/** What an edition has beside what is weighed (bytes): other editions. */
const besides = 4_000;

/** @param id the edition's record */
export function editionPage(ask: Ask, id: number): Leaf {
  const { reader, site } = ask;
  const edition = reader.details.edition(id);
  const venueId = edition.venue.slug === null ? null : reader.find('venue', edition.venue.slug);
  const venue = venueId === null ? null : reader.details.venue(venueId, reader.upcoming(ask.now));
  const tickets = reader.inner.all('tickets', id).map(([json]) => JSON.parse(json) as Shown<'TicketLink'>);
  const lineup = site.relations.lineup(id, mostRead);
  const day = daysOf(lineup).find((one) => one === asked(ask, 'day')) ?? null;
  const events = site.events
    .ofEdition(id, mostEvents + 1)
    .map((item) => JSON.parse(item) as Shown<'EventItem'>);
  const shownEvents = events.slice(0, Math.min(mostEvents, fitting(events, weights.event, roomOnPage / 4)));
  const room =
    roomOnPage -
    besides -
    weights.performers(lineup) -
    total(tickets.slice(0, mostTickets), weights.ticket) -
    total(shownEvents, weights.event) -
    aboutWeight(edition.description);
  const canonical = day === null ? ask.path : withQuery(ask.path, { day });
  return {
    title:
      day === null
        ? `${edition.name}: line-up, times, tickets`
        : `${edition.name}, ${longDate(day)}: timetable`,
    description: described(edition, lineup),
    section: '/festivals',
    type: 'article',
    image: edition.image_url,
    canonical: asked(ask, 'after') === '' ? canonical : null,
    crumbs: crumbsOf(edition),
    things: [
      editionThing(ask, edition, {
        lineup,
        tickets: tickets.slice(0, mostTickets),
        venue,
        summary: described(edition, lineup),
      }),
    ],
    children: (
      <>
        <Heading kind="Festival edition" name={edition.name}>
          <p class="lead strong">
            <Status status={edition.status} /> <Days event={edition} />
            {edition.timezone !== null && edition.start_at !== null && (
              <span class="zone"> times in {zoneText(edition.timezone, edition.start_at)}</span>
            )}
          </p>
          <Facts facts={factsOf(ask, edition, venue)} />
        </Heading>
        <Sides
          sides={[
            ...programme(ask, lineup, day, room),
            lineup.length === 0 && {
              title: 'Line-up',
              id: 'lineup',
              content: (
                <p class="soft">{isPast(ask, edition) ? 'No line-up is on record.' : 'Not announced yet.'}</p>
              ),
            },
            tickets.length > 0 && { title: 'Tickets', id: 'tickets', content: <Tickets tickets={tickets} /> },
            edition.description !== null && {
              title: 'About',
              id: 'about',
              content: <About text={edition.description} />,
            },
            events.length > 0 && {
              title: 'Events',
              id: 'events',
              content: (
                <>
                  <EventDays ask={ask} events={shownEvents} />
                  {events.length > shownEvents.length && <p class="soft">and more</p>}
                </>
              ),
            },
            ...ofFestival(ask, edition, lineup.length === 0),
          ]}
        />
      </>
    ),
  };
}

/** Whether its last day is over, in UTC. */
const isPast = ({ now }: Ask, { start_at, end_at }: Shown<'Edition'>): boolean => {
  const last = end_at ?? start_at;
  return last !== null && dateIn(last) < new Date(now).toISOString().slice(0, 10);
};

function described(edition: Shown<'Edition'>, lineup: readonly LineupRow[]): string {
  const names = [...new Set(lineup.map(({ name }) => name))];
  const who = names.slice(0, 6).join(', ') + (names.length > 6 ? ' and more' : '');
  const sets = edition.lineup_count === 0 ? '' : ` ${countText(edition.lineup_count, 'set')}`;
  const when = edition.start_at === null ? '' : `, from ${longDate(dateIn(edition.start_at))}`;
  const where = placeText(edition.venue.name, edition.city, country(edition.country));
  return `${edition.name}${when}${where ? `, ${where}` : ''}.${sets}${who ? ` with ${who}` : ''}${sets && '.'}`;
}

const crumbsOf = ({ festival, name, edition }: Shown<'Edition'>): Crumb[] => [
  { name: 'Festivals', path: '/festivals' },
  { name: festival.name, path: plainPath('festival', festival.slug) },
  { name, path: `${plainPath('festival', festival.slug)}/editions/${encodeURIComponent(edition)}` },
];

function factsOf(
  ask: Ask,
  edition: Shown<'Edition'>,
  venue: Shown<'Venue'> | null,
): Parameters<typeof Facts>[0]['facts'] {
  const { slug, name } = edition.venue;
  const city = { slug: venue?.city_slug ?? citySlug(ask, edition.city, edition.country), name: edition.city };
  return [
    [
      'Festival',
      <a href={pathOf(ask, 'festival', edition.festival.slug)} key="f">
        {edition.festival.name}
      </a>,
    ],
    (name ?? edition.city ?? edition.country) !== null && [
      'Where',
      <span key="w">
        {slug === null ? name : <a href={pathOf(ask, 'venue', slug)}>{name}</a>}
        {name !== null && (edition.city ?? edition.country) !== null && ', '}
        <Address ask={ask} location={venue?.location ?? null} city={city} code={edition.country} />
        <Geo location={venue?.location ?? null} />
      </span>,
    ],
    edition.lineup_count > 0 && ['Line-up', countText(edition.lineup_count, 'set')],
  ];
}
