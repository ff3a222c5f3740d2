/** The home page. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { SearchBox } from '../../pages/header.tsx';
import { cityDays } from '../cached-figures.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import {
  countryText,
  EditionList,
  NavigationLinks,
  type PageSection,
  PageSections,
} from '../components/parts.tsx';
import { readFirst } from '../components/record-sections.tsx';
import { webSite } from '../formats/json-ld.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, recordPath } from '../page-context.ts';
import { EpisodeList } from './podcasts.tsx';

const hourMs = 3_600_000;
/** Events that began within this time (ms) count as current. */
const recentlyStartedMs = 4 * hourMs;

/** Number of events of the home city. */
const homeCityEvents = 10;

/** An introduction, a search box, and the next events and festivals. */
export function homePage(context: PageContext): PageView {
  const { site, now, figures, siteUrl, messages } = context;
  const { home: words, counts } = messages;
  const stats = figures.stats(now);
  const events = site.events
    .upcomingFrom(now - recentlyStartedMs, now, 10)
    .map((item) => JSON.parse(item) as ApiRecord<'EventItem'>);
  const editions = site.relations.nextEditions(now, 8);
  const cities = figures.cities(now);
  const episodes = figures.newestEpisodes(now);
  const isWithoutEvents = stats.events === 0;
  return {
    title: words.title,
    description: words.description(
      siteUrl.name,
      [
        counts.upcomingEvents(stats.upcoming_events),
        counts.artists(stats.artists),
        counts.venues(stats.venues),
        counts.festivals(stats.festivals),
      ].join(', '),
    ),
    structuredData: [webSite(context)],
    hasSearchBox: true,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p class="lead">{words.lead}</p>
        <SearchBox prefix={context.siteUrl.prefix} size="large" />
        <PageSections
          sides={[
            homeCitySection(context),
            isWithoutEvents && {
              title: words.addCity,
              id: 'add-city',
              content: <AddCity context={context} />,
            },
            !isWithoutEvents && {
              title: words.nextUp,
              id: 'next',
              content: <NextEvents context={context} events={events} />,
            },
            cities.length > 0 && {
              title: words.cities,
              id: 'cities',
              content: <CityCounts context={context} cities={cities} />,
            },
            editions.length > 0 && {
              title: words.nextFestivals,
              id: 'festivals',
              content: (
                <>
                  <EditionList context={context} editions={editions} />
                  <NavigationLinks
                    links={[{ href: `${siteUrl.prefix}/festivals`, label: words.allFestivals }]}
                  />
                </>
              ),
            },
            episodes.length > 0 && {
              title: words.latestMixes,
              id: 'mixes',
              content: (
                <>
                  <EpisodeList context={context} episodes={episodes} named />
                  <NavigationLinks
                    links={[{ href: `${siteUrl.prefix}/podcasts`, label: words.allPodcasts }]}
                  />
                </>
              ),
            },
            {
              title: words.inCatalogue,
              id: 'counts',
              content: <CatalogueCounts context={context} stats={stats} />,
            },
          ]}
        />
      </>
    ),
  };
}

/** The next events of the city that the operator chose; null if there is no such city. */
function homeCitySection(context: PageContext): PageSection | null {
  const { reader, now, siteUrl, messages } = context;
  const { homeCity } = siteUrl.identity;
  const id = homeCity === null ? null : reader.find('city', homeCity);
  if (id === null) return null;
  const { name, slug } = reader.details.city(id, reader.upcoming(now));
  const { home: words } = messages;
  const events = readFirst<ApiRecord<'EventItem'>>(
    context,
    reader.events.source({ cityId: id, upcomingAt: now }),
    homeCityEvents,
  );
  return {
    title: words.nextIn(name),
    id: 'home-city',
    content:
      events.length === 0 ? (
        <p class="empty">{words.nothingIn(name)}</p>
      ) : (
        <>
          <EventsByDay context={context} events={events} />
          <NavigationLinks links={[{ href: recordPath(context, 'city', slug), label: words.allIn(name) }]} />
        </>
      ),
  };
}

/** Leads the operator of a catalogue without events to its first source. */
function AddCity({ context }: { context: PageContext }): VNode {
  const { home: words } = context.messages;
  const { prefix } = context.siteUrl;
  return (
    <>
      <p class="lead">{words.addCityText}</p>
      <NavigationLinks
        links={[
          { href: `${prefix}/admin/sources/add`, label: words.addSource },
          { href: `${prefix}/docs/guides/filling`, label: words.addCityGuide },
        ]}
      />
    </>
  );
}

function NextEvents({
  context,
  events,
}: {
  context: PageContext;
  events: readonly ApiRecord<'EventItem'>[];
}): VNode {
  const { home: words } = context.messages;
  if (events.length === 0) return <p class="empty">{words.noEvents}</p>;
  return (
    <>
      <EventsByDay context={context} events={events} />
      <NavigationLinks links={[{ href: `${context.siteUrl.prefix}/events`, label: words.allEvents }]} />
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
  const { messages } = context;
  return (
    <>
      <ul class="names">
        {cities.map((city) => (
          <li key={city.slug}>
            <a href={recordPath(context, 'city', city.slug)}>{city.name}</a>
            <span class="soft small">
              {' '}
              {countryText(messages, city.country)}, {messages.counts.events(city.events)}
            </span>
          </li>
        ))}
      </ul>
      <p class="soft small">{messages.home.nextDays(cityDays)}</p>
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
  const { countLabels, formats } = context.messages;
  return (
    <dl class="counts">
      {countedFields.map((name) => {
        const label = countLabels[name];
        const path = listPaths[name];
        return (
          <div key={name}>
            <dt>{path === undefined ? label : <a href={context.siteUrl.prefix + path}>{label}</a>}</dt>
            <dd>{formats.number(stats[name])}</dd>
          </div>
        );
      })}
    </dl>
  );
}
