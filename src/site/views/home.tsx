/** The home page. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { SearchBox } from '../../pages/header.tsx';
import { cityDays } from '../cached-figures.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import { countryText, EditionList, NavigationLinks, PageSections } from '../components/parts.tsx';
import { countText } from '../components/record-sections.tsx';
import { webSite } from '../formats/json-ld.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, recordPath } from '../page-context.ts';
import { EpisodeList } from './podcasts.tsx';

const hourMs = 3_600_000;
/** Events that began within this time (ms) count as current. */
const recentlyStartedMs = 4 * hourMs;

/** An introduction, a search box, and the next events and festivals. */
export function homePage(context: PageContext): PageView {
  const { site, now, figures, siteUrl } = context;
  const stats = figures.stats(now);
  const events = site.events
    .upcomingFrom(now - recentlyStartedMs, now, 10)
    .map((item) => JSON.parse(item) as ApiRecord<'EventItem'>);
  const editions = site.relations.nextEditions(now, 8);
  const cities = figures.cities(now);
  const episodes = figures.newestEpisodes(now);
  return {
    title: 'Electronic music: events, artists, festivals, mixes',
    description: `${siteUrl.name} is an open catalogue of electronic music: ${countText(stats.upcoming_events, 'upcoming event')}, ${countText(stats.artists, 'artist')}, ${countText(stats.venues, 'venue')}, ${countText(stats.festivals, 'festival')}.`,
    structuredData: [webSite(context)],
    hasSearchBox: true,
    children: (
      <>
        <h1>Who plays where, and when</h1>
        <p class="lead">
          An open catalogue of electronic music: events, artists, venues, festivals, labels and mixes, from
          many sources, each event once.
        </p>
        <SearchBox prefix={context.siteUrl.prefix} size="large" />
        <PageSections
          sides={[
            { title: 'Next up', id: 'next', content: <NextEvents context={context} events={events} /> },
            cities.length > 0 && {
              title: 'Cities',
              id: 'cities',
              content: <CityCounts context={context} cities={cities} />,
            },
            editions.length > 0 && {
              title: 'Next festivals',
              id: 'festivals',
              content: (
                <>
                  <EditionList context={context} editions={editions} />
                  <NavigationLinks
                    links={[{ href: `${siteUrl.prefix}/festivals`, label: 'All festivals' }]}
                  />
                </>
              ),
            },
            episodes.length > 0 && {
              title: 'Latest mixes',
              id: 'mixes',
              content: (
                <>
                  <EpisodeList context={context} episodes={episodes} named />
                  <NavigationLinks links={[{ href: `${siteUrl.prefix}/podcasts`, label: 'All podcasts' }]} />
                </>
              ),
            },
            {
              title: 'In the catalogue',
              id: 'counts',
              content: <CatalogueCounts context={context} stats={stats} />,
            },
          ]}
        />
      </>
    ),
  };
}

function NextEvents({
  context,
  events,
}: {
  context: PageContext;
  events: readonly ApiRecord<'EventItem'>[];
}): VNode {
  if (events.length === 0) return <p class="empty">There are no upcoming events yet.</p>;
  return (
    <>
      <EventsByDay context={context} events={events} />
      <NavigationLinks links={[{ href: `${context.siteUrl.prefix}/events`, label: 'All upcoming events' }]} />
    </>
  );
}

function CityCounts({
  context,
  cities,
}: {
  context: PageContext;
  cities: ReturnType<PageContext['figures']['cities']>;
}): VNode {
  return (
    <>
      <ul class="names">
        {cities.map((city) => (
          <li key={city.slug}>
            <a href={recordPath(context, 'city', city.slug)}>{city.name}</a>
            <span class="soft small">
              {' '}
              {countryText(city.country)}, {countText(city.events, 'event')}
            </span>
          </li>
        ))}
      </ul>
      <p class="soft small">Events of the next {cityDays} days.</p>
    </>
  );
}

const countedFields = [
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
const listPaths: Partial<Record<(typeof countedFields)[number], string>> = {
  upcoming_events: '/events',
  artists: '/artists',
  venues: '/venues',
  festivals: '/festivals',
  cities: '/cities',
  labels: '/labels',
  genres: '/genres',
  podcasts: '/podcasts',
};

/** The number of records of each kind. */
export function CatalogueCounts({
  context,
  stats,
}: {
  context: PageContext;
  stats: ApiRecord<'Stats'>;
}): VNode {
  return (
    <dl class="counts">
      {countedFields.map((name) => {
        const label = name === 'upcoming_events' ? 'upcoming events' : name;
        const path = listPaths[name];
        return (
          <div key={name}>
            <dt>{path === undefined ? label : <a href={context.siteUrl.prefix + path}>{label}</a>}</dt>
            <dd>{stats[name].toLocaleString('en')}</dd>
          </div>
        );
      })}
    </dl>
  );
}
