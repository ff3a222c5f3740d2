/** The home page. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { SearchBox } from '../../pages/header.tsx';
import { cityDays } from '../cached-figures.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import {
  cityText,
  countryText,
  EditionList,
  NavigationLinks,
  type PageSection,
  PageSections,
} from '../components/parts.tsx';
import { feedLinks, readFirst } from '../components/record-sections.tsx';
import { CityChoice } from '../days/city-choice.tsx';
import { CityGroups } from '../days/city-groups.tsx';
import { DayLinks } from '../days/day-links.tsx';
import { TonightLine } from '../days/nothing-found.tsx';
import { eventsAfter, tonightAndAfter, tonightEvents } from '../days/read-days.ts';
import type { DayScope } from '../days/scope.ts';
import { webSite } from '../formats/json-ld.ts';
import { numberIn } from '../formats/subscriptions.ts';
import type { PageView } from '../layout.tsx';
import { homeCityOf, type PageContext, recordPath } from '../page-context.ts';
import { EpisodeList } from './podcasts.tsx';

/** Number of the next events of the whole catalogue. */
const maxNext = 10;
/** Events of the whole catalogue read at most to find those of other cities than the home city. */
const maxReadElsewhere = 60;
/** Number of events of the home city. */
const homeCityEvents = 10;
/** Number of events of tonight. */
const maxTonight = 12;
/** Number of the next festival editions. */
const maxFestivals = 8;
/** Events of tonight read at most to group them by city. */
const maxTonightEverywhere = 150;

/** An introduction, a search box, and the next events and festivals. */
export function homePage(context: PageContext): PageView {
  const { now, figures, siteUrl, messages } = context;
  const { home: words, counts } = messages;
  const stats = figures.stats(now);
  const city = homeCity(context);
  const scope = homeScope(context, city);
  const { tonight, after: events } = firstEvents(context, city, scope);
  const isWithoutEvents = events.length + tonight.length === 0 && stats.upcoming_events === 0;
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
    feeds: feedLinks(messages, '/events', siteUrl.name),
    hasSearchBox: true,
    children: (
      <>
        <div class="home">
          <h1>{words.heading}</h1>
          <p class="lead">{words.lead}</p>
        </div>
        <SearchBox prefix={context.siteUrl.prefix} size="large" />
        {(events.length + tonight.length > 0 || city !== null) && (
          <DayLinks context={context} scope={scope} days={null} near />
        )}
        <PageSections
          sides={[
            city === null
              ? tonightEverywhere(context, tonight)
              : tonightInCity(context, scope, city, tonight),
            city !== null && homeCitySection(context, city, tonight),
            isWithoutEvents
              ? { title: words.addCity, id: 'add-city', content: <AddCity context={context} /> }
              : nextSection(context, city, events, tonight),
            citiesSection(context),
            festivalsSection(context),
            mixesSection(context),
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

type EventItem = ApiRecord<'EventItem'>;

/** The events of tonight, in the home city if there is one, and the next ones of the whole catalogue. */
function firstEvents(
  context: PageContext,
  city: HomeCity | null,
  scope: DayScope,
): { tonight: EventItem[]; after: EventItem[] } {
  if (city === null) return tonightAndAfter(context, maxTonightEverywhere, maxNext);
  const tonight = tonightEvents(context, scope, maxTonight);
  const events = eventsAfter(context, tonight, maxReadElsewhere);
  const cities = context.site.events.cities(events.map(({ id }) => numberIn(id)));
  // Those of the home city have a section of their own.
  const after = events.filter(({ id }) => cities.get(numberIn(id))?.slug !== city.slug);
  return { tonight, after: after.slice(0, maxNext) };
}

/** A city with its name in the language of the page. */
type HomeCity = ApiRecord<'City'> & { recordId: number };

function homeCity(context: PageContext): HomeCity | null {
  const { reader, now, messages } = context;
  const slug = homeCityOf(context);
  const recordId = slug === null ? null : reader.find('city', slug);
  if (recordId === null) return null;
  const city = reader.details.city(recordId, reader.upcoming(now));
  return { ...city, name: cityText(messages, city.name, city.country), recordId };
}

function homeScope(context: PageContext, city: HomeCity | null): DayScope {
  return {
    basePath: city === null ? `${context.siteUrl.prefix}/events` : recordPath(context, 'city', city.slug),
    keep: {},
    genres: [],
    filter: city === null ? {} : { cityId: city.recordId },
    zone: city?.timezone ?? null,
    city: city === null ? null : { slug: city.slug, name: city.name },
  };
}

/** The events of tonight in the city, or the next day that has some. */
function tonightInCity(
  context: PageContext,
  scope: DayScope,
  city: HomeCity,
  events: readonly EventItem[],
): PageSection {
  const { days: words } = context.messages;
  return {
    title: words.inCity(words.tonight, city.name),
    id: 'tonight',
    content: (
      <>
        <TonightLine context={context} scope={scope} />
        {events.length > 0 && <EventsByDay context={context} events={events} at="city" />}
        {context.rememberedCity === city.slug && <CityChoice context={context} city={city} />}
      </>
    ),
  };
}

/** The events of tonight by city; null if there are none. */
function tonightEverywhere(context: PageContext, events: readonly EventItem[]): PageSection | null {
  if (events.length === 0) return null;
  return {
    title: context.messages.days.tonight,
    id: 'tonight',
    content: (
      <CityGroups context={context} events={events} when="tonight" genre="" by="time" most={maxTonight} />
    ),
  };
}

/** The next events of the city without those of tonight, which are above; null if these are all. */
function homeCitySection(
  context: PageContext,
  { name, slug, recordId }: HomeCity,
  tonight: readonly EventItem[],
): PageSection | null {
  const { reader, now, messages } = context;
  const { home: words } = messages;
  const tonightIds = new Set(tonight.map(({ id }) => id));
  const events = readFirst<EventItem>(
    context,
    reader.events.source({ cityId: recordId, upcomingAt: now }),
    homeCityEvents + tonight.length,
  )
    .filter(({ id }) => !tonightIds.has(id))
    .slice(0, homeCityEvents);
  if (events.length === 0 && tonight.length > 0) return null;
  return {
    title: words.nextIn(name),
    id: 'home-city',
    content:
      events.length === 0 ? (
        <p class="empty">{words.nothingIn(name)}</p>
      ) : (
        <>
          <EventsByDay context={context} events={events} at="city" />
          <NavigationLinks links={[{ href: recordPath(context, 'city', slug), label: words.allIn(name) }]} />
        </>
      ),
  };
}

/** Leads the operator of a catalogue without upcoming events to a source. */
function AddCity({ context }: { context: PageContext }): VNode {
  const { home: words } = context.messages;
  const { prefix } = context.siteUrl;
  return (
    <>
      <p class="lead">{words.addCityText}</p>
      <NavigationLinks
        links={[
          { href: `${prefix}/admin/sources/add`, label: words.addSource },
          { href: `${prefix}/docs/guides/your-city`, label: words.addCityGuide },
        ]}
      />
    </>
  );
}

/**
 * The next events of the whole catalogue; null if the sections above have all. Without any event, it says so.
 * @param events those that are shown
 */
function nextSection(
  context: PageContext,
  city: HomeCity | null,
  events: readonly EventItem[],
  tonight: readonly EventItem[],
): PageSection | null {
  const { home: words } = context.messages;
  if (events.length === 0 && (tonight.length > 0 || city !== null)) return null;
  return {
    title: city === null ? words.nextUp : words.nextElsewhere,
    id: 'next',
    content:
      events.length === 0 ? (
        <p class="empty">{words.noEvents}</p>
      ) : (
        <>
          <EventsByDay context={context} events={events} />
          <NavigationLinks links={[{ href: `${context.siteUrl.prefix}/events`, label: words.allEvents }]} />
        </>
      ),
  };
}

/** The cities with the most events; null without any. */
function citiesSection(context: PageContext): PageSection | null {
  const { figures, now, messages } = context;
  const cities = figures.cities(now);
  if (cities.length === 0) return null;
  return {
    title: messages.home.cities,
    id: 'cities',
    content: <CityCounts context={context} cities={cities} />,
  };
}

/** The next festival editions; null without any. */
function festivalsSection(context: PageContext): PageSection | null {
  const { site, now, siteUrl, messages } = context;
  const { home: words } = messages;
  const editions = site.relations.nextEditions(now, maxFestivals);
  if (editions.length === 0) return null;
  return {
    title: words.nextFestivals,
    id: 'festivals',
    content: (
      <>
        <EditionList context={context} editions={editions} />
        <NavigationLinks links={[{ href: `${siteUrl.prefix}/festivals`, label: words.allFestivals }]} />
      </>
    ),
  };
}

/** The newest episodes of podcasts; null without any. */
function mixesSection(context: PageContext): PageSection | null {
  const { figures, now, siteUrl, messages } = context;
  const { home: words } = messages;
  const episodes = figures.newestEpisodes(now);
  if (episodes.length === 0) return null;
  return {
    title: words.latestMixes,
    id: 'mixes',
    content: (
      <>
        <EpisodeList context={context} episodes={episodes} named />
        <NavigationLinks links={[{ href: `${siteUrl.prefix}/podcasts`, label: words.allPodcasts }]} />
      </>
    ),
  };
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
            <a href={recordPath(context, 'city', city.slug)}>{cityText(messages, city.name, city.country)}</a>
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
