/** The front page: what this is, a search box, and what is on next. */
import type { VNode } from 'preact';
import type { Shown } from '../contract/records.ts';
import { SearchBox } from '../pages/bar.tsx';
import { cityDays } from './figures.ts';
import type { Leaf } from './frame.tsx';
import { webSite } from './json-ld.ts';
import { EventDays } from './listings.tsx';
import { Below, country, Editions, Sides } from './parts.tsx';
import { Episodes } from './podcasts.tsx';
import { countText } from './record.tsx';
import { type Ask, pathOf } from './site.ts';

const hourMs = 3_600_000;
/** What began so long ago is what is on now. */
const justBegun = 4 * hourMs;

/** What this is, a search box, what is on next. */
export function homePage(ask: Ask): Leaf {
  const { site, now, figures, place } = ask;
  const stats = figures.stats(now);
  const events = site.events
    .later(now - justBegun, now, 10)
    .map((item) => JSON.parse(item) as Shown<'EventItem'>);
  const editions = site.relations.nextEditions(now, 8);
  const cities = figures.cities(now);
  const episodes = figures.newestEpisodes(now);
  return {
    title: 'Electronic music: events, artists, festivals, mixes',
    description: `${place.name} is an open catalogue of electronic music: ${countText(stats.upcoming_events, 'upcoming event')}, ${countText(stats.artists, 'artist')}, ${countText(stats.venues, 'venue')}, ${countText(stats.festivals, 'festival')}.`,
    things: [webSite(ask)],
    searches: true,
    children: (
      <>
        <h1>Who plays where, and when</h1>
        <p class="lead">
          An open catalogue of electronic music: events, artists, venues, festivals, labels and mixes, from
          many sources, each event once.
        </p>
        <SearchBox prefix={ask.place.prefix} size="large" />
        <Sides
          sides={[
            { title: 'Next up', id: 'next', content: <Next ask={ask} events={events} /> },
            cities.length > 0 && {
              title: 'Cities',
              id: 'cities',
              content: <Cities ask={ask} cities={cities} />,
            },
            editions.length > 0 && {
              title: 'Festivals next up',
              id: 'festivals',
              content: (
                <>
                  <Editions ask={ask} editions={editions} />
                  <Below links={[{ href: `${place.prefix}/festivals`, label: 'All festivals' }]} />
                </>
              ),
            },
            episodes.length > 0 && {
              title: 'Latest mixes',
              id: 'mixes',
              content: (
                <>
                  <Episodes ask={ask} episodes={episodes} named />
                  <Below links={[{ href: `${place.prefix}/podcasts`, label: 'All podcasts' }]} />
                </>
              ),
            },
            { title: 'In the catalogue', id: 'counts', content: <Counts ask={ask} stats={stats} /> },
          ]}
        />
      </>
    ),
  };
}

function Next({ ask, events }: { ask: Ask; events: readonly Shown<'EventItem'>[] }): VNode {
  if (events.length === 0) return <p class="empty">No events to come are on record yet.</p>;
  return (
    <>
      <EventDays ask={ask} events={events} />
      <Below links={[{ href: `${ask.place.prefix}/events`, label: 'All upcoming events' }]} />
    </>
  );
}

function Cities({ ask, cities }: { ask: Ask; cities: ReturnType<Ask['figures']['cities']> }): VNode {
  return (
    <>
      <ul class="names">
        {cities.map((city) => (
          <li key={city.slug}>
            <a href={pathOf(ask, 'city', city.slug)}>{city.name}</a>
            <span class="soft small">
              {' '}
              {country(city.country)}, {countText(city.events, 'event')}
            </span>
          </li>
        ))}
      </ul>
      <p class="soft small">Events of the next {cityDays} days.</p>
    </>
  );
}

const counted = [
  'upcoming_events',
  'events',
  'artists',
  'venues',
  'festivals',
  'cities',
  'labels',
  'genres',
  'podcasts',
  'episodes',
  'tracks',
] as const;
const paths: Partial<Record<(typeof counted)[number], string>> = {
  upcoming_events: '/events',
  artists: '/artists',
  venues: '/venues',
  festivals: '/festivals',
  cities: '/cities',
  labels: '/labels',
  genres: '/genres',
  podcasts: '/podcasts',
};

/** How many of what there are. */
export function Counts({ ask, stats }: { ask: Ask; stats: Shown<'Stats'> }): VNode {
  return (
    <dl class="counts">
      {counted.map((name) => {
        const label = name === 'upcoming_events' ? 'upcoming events' : name;
        const path = paths[name];
        return (
          <div key={name}>
            <dt>{path === undefined ? label : <a href={ask.place.prefix + path}>{label}</a>}</dt>
            <dd>{stats[name].toLocaleString('en')}</dd>
          </div>
        );
      })}
    </dl>
  );
}
