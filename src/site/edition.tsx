/** The page of a festival edition: its timetable, its line-up, its tickets. */

import type { VNode } from 'preact';
import type { Shown } from '../contract/records.ts';
import type { LineupRow } from '../store/site-relations.ts';
import { Bill, Geo, mostTickets, Tickets } from './bill.tsx';
import type { Leaf } from './frame.tsx';
import type { Crumb } from './json-ld.ts';
import { EventDays } from './listings.tsx';
import { About, Below, country, Facts, Heading, placeText, Sides, Status } from './parts.tsx';
import { countText } from './record.tsx';
import { type Ask, asked, pathOf, plainPath } from './site.ts';
import { editionThing } from './things.ts';
import { dayOf, SetTables, stagesOf, type Timed, Timetable } from './timetable.tsx';
import { withQuery } from './walks.tsx';
import { Days, dateIn, longDate, weekDate, zoneText } from './when.tsx';

const isTimed = <T extends LineupRow>(act: T): act is T & Timed => act.set_start_at !== null;
const mostRead = 5_000;
/** A day of more sets is shown as tables alone: the picture would make the page too heavy. */
const mostDrawn = 170;
const mostSets = 400;
const actsOnPage = 200;

/** @param id the edition's record */
export function editionPage(ask: Ask, id: number): Leaf {
  const { reader, site } = ask;
  const edition = reader.details.edition(id);
  const venueId = edition.venue.slug === null ? null : reader.find('venue', edition.venue.slug);
  const venue = venueId === null ? null : reader.details.venue(venueId, reader.upcoming(ask.now));
  const tickets = reader.inner.all('tickets', id).map(([json]) => JSON.parse(json) as Shown<'TicketLink'>);
  const lineup = site.relations.lineup(id, mostRead);
  const days = [...new Set(lineup.filter(isTimed).map(({ set_start_at }) => dayOf(set_start_at)))].sort();
  const day = days.find((one) => one === asked(ask, 'day')) ?? null;
  const events = site.events.ofEdition(id, 41).map((item) => JSON.parse(item) as Shown<'EventItem'>);
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
    things: [editionThing(ask, edition, { lineup, tickets: tickets.slice(0, mostTickets), venue })],
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
            days.length > 0 && {
              title: 'Timetable',
              id: 'timetable',
              wide: true,
              content: (
                <Programme ask={ask} lineup={lineup} days={days} day={day ?? dayNow(ask, days, lineup)} />
              ),
            },
            ...untimed(ask, lineup, days.length > 0),
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
                  <EventDays ask={ask} events={events.slice(0, 40)} />
                  {events.length > 40 && <p class="soft">and more</p>}
                </>
              ),
            },
          ]}
        />
      </>
    ),
  };
}

function described(edition: Shown<'Edition'>, lineup: readonly LineupRow[]): string {
  const who = [...new Set(lineup.map(({ name }) => name))].slice(0, 6).join(', ');
  const when = edition.start_at === null ? '' : `, from ${longDate(dateIn(edition.start_at))}`;
  const where = placeText(edition.venue.name, edition.city, country(edition.country));
  return `${edition.name}${when}${where ? `, ${where}` : ''}. ${countText(edition.lineup_count, 'set')}${who ? ` with ${who} and more` : ''}.`;
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
  const where = placeText(edition.city, country(edition.country));
  const { slug, name } = edition.venue;
  return [
    [
      'Festival',
      <a href={pathOf(ask, 'festival', edition.festival.slug)} key="f">
        {edition.festival.name}
      </a>,
    ],
    (name !== null || where !== '') && [
      'Where',
      <span key="w">
        {slug === null ? name : <a href={pathOf(ask, 'venue', slug)}>{name}</a>}
        {name !== null && where !== '' && ', '}
        {where}
        <Geo location={venue?.location ?? null} />
      </span>,
    ],
    edition.lineup_count > 0 && ['Line-up', countText(edition.lineup_count, 'set')],
  ];
}

/** The day that is on, else the first that has a tenth of what the fullest has: a lone set may come before all. */
function dayNow({ now }: Ask, days: readonly string[], lineup: readonly LineupRow[]): string {
  const today = new Date(now).toISOString().slice(0, 10);
  if (days.includes(today)) return today;
  const sets = new Map<string, number>();
  for (const { set_start_at } of lineup.filter(isTimed)) {
    const day = dayOf(set_start_at);
    sets.set(day, (sets.get(day) ?? 0) + 1);
  }
  const full = Math.max(...sets.values()) / 10;
  return days.find((day) => (sets.get(day) ?? 0) >= full) as string;
}

function Programme({
  ask,
  lineup,
  days,
  day,
}: {
  ask: Ask;
  lineup: readonly LineupRow[];
  days: readonly string[];
  day: string;
}): VNode {
  const sets = lineup.filter(isTimed).filter(({ set_start_at }) => dayOf(set_start_at) === day);
  const stages = stagesOf(sets.slice(0, mostSets));
  const isDrawn =
    sets.length <= mostDrawn && stages.some((stage) => stage.sets.some(({ lane }) => lane >= 0));
  const own = ask.place.prefix + ask.path;
  return (
    <>
      <nav aria-label="Days">
        <ul class="chips">
          {days.slice(0, 40).map((one) => (
            <li key={one}>
              <a
                href={withQuery(own, { day: one })}
                {...(one === day ? { 'aria-current': 'page' as const } : {})}
              >
                {weekDate(one)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h3>{longDate(day)}</h3>
      {isDrawn && <Timetable stages={stages} day={longDate(day)} />}
      <SetTables ask={ask} stages={stages} />
      {sets.length > mostSets && <p class="soft">and {sets.length - mostSets} more</p>}
    </>
  );
}

/** Who plays at a time that is not known; page by page where they are many. */
function untimed(ask: Ask, lineup: readonly (LineupRow & { position: number })[], beside: boolean) {
  const after = Number(/^\d{1,9}$/.exec(asked(ask, 'after'))?.[0] ?? 0);
  const acts = lineup.filter((act) => !isTimed(act) && act.position > after);
  if (acts.length === 0) return [];
  const shown = acts.slice(0, actsOnPage);
  const own = ask.place.prefix + ask.path;
  const last = shown.at(-1)?.position ?? 0;
  return [
    {
      title: beside ? 'Also playing' : 'Line-up',
      id: 'lineup',
      content: (
        <>
          <Bill ask={ask} lineup={shown} most={actsOnPage} />
          <Below
            links={[
              after > 0 ? { href: own, label: 'Back to the first' } : null,
              acts.length > actsOnPage
                ? { href: withQuery(own, { after: String(last) }), label: `More of the line-up`, rel: 'next' }
                : null,
            ]}
          />
        </>
      ),
    },
  ];
}
