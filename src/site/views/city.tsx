/** The page of a city: what is on, by day and genre, then its venues and festivals. */
import type { VNode } from 'preact';
import type { SelectedDays } from '../../catalogue/dates/selected-days.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { zoneText } from '../components/dates.tsx';
import { MapLink } from '../components/lineup.tsx';
import { mapSection } from '../components/map.tsx';
import {
  eventsMode,
  pastEventsSection,
  type RecordEvents,
  upcomingEvents,
  withQuery,
} from '../components/pagination.tsx';
import {
  chipsSection,
  cityText,
  countryText,
  Facts,
  Heading,
  LinkChips,
  NavigationLinks,
  type PageSection,
  PageSections,
  placeText,
  SubscribeLinks,
} from '../components/parts.tsx';
import { feedLinks, recordEventsPage } from '../components/record-sections.tsx';
import { CityChoice } from '../days/city-choice.tsx';
import { CityFestivals } from '../days/city-festivals.tsx';
import { DayLinks, GenreChips } from '../days/day-links.tsx';
import { TonightLine } from '../days/nothing-found.tsx';
import {
  countScope,
  type DayScope,
  filterOf,
  genreNames,
  genresText,
  readGenres,
  requestedDays,
} from '../days/scope.ts';
import { answerDays, daysTitle } from '../days/selection.tsx';
import { cityThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, unprefixedPath } from '../page-context.ts';

const maxVenues = 60;
type CityParts = { city: ApiRecord<'City'>; id: number; scope: DayScope; path: string; notices: string[] };

/** The events of a city on the selected days, or its upcoming events, venues and festivals. */
export function cityPage(context: PageContext, id: number): PageView {
  const { reader, now, messages } = context;
  const record = reader.details.city(id, reader.upcoming(now));
  const city = { ...record, name: cityText(messages, record.name, record.country) };
  const path = unprefixedPath('city', city.slug);
  const { genres, unknown } = readGenres(context);
  const scope: DayScope = {
    basePath: context.siteUrl.prefix + path,
    keep: {},
    genres,
    filter: { cityId: id },
    zone: city.timezone,
    city: { slug: city.slug, name: city.name },
  };
  const days = requestedDays(context, scope.zone);
  const notices = [
    ...unknown.map(messages.eventList.unknownGenre),
    ...(days !== null && 'unknown' in days ? [messages.days.notDays(days.unknown)] : []),
  ];
  const parts = { city, id, scope, path, notices };
  if (days !== null && !('unknown' in days)) return daysPage(context, parts, days);
  const events: RecordEvents = {
    source: reader.events.source({ ...filterOf(scope), upcomingAt: now }),
    past: { of: 'city', id },
    at: 'city',
    filters: genres.length === 0 ? {} : { genre: genresText(genres) },
  };
  const heading = { kind: messages.kinds.city, name: city.name, section: '/cities' };
  if (eventsMode(context) !== 'main')
    return recordEventsPage(context, heading, events, crumbsOf(context, parts));
  return mainPage(context, parts, events);
}

const crumbsOf = ({ messages }: PageContext, { city, path }: CityParts) => [
  { name: messages.lists.cities, path: '/cities' },
  { name: city.name, path },
];

function headOf(
  context: PageContext,
  { city, path, scope, notices }: CityParts,
  days: SelectedDays | null,
  hasEvents = false,
): VNode {
  const { messages } = context;
  const place = placeText(
    city.region === city.name ? null : city.region,
    countryText(messages, city.country),
  );
  return (
    <>
      <Heading
        kind={messages.kinds.city}
        name={
          days === null
            ? city.name
            : messages.days.inCity(
                days.kind === 'week' ? messages.days.week : daysTitle(messages, days),
                city.name,
              )
        }
      >
        <div class="place">
          <p class="lead strong">{days === null ? place : daysLead(context, days)}</p>
          {days === null && <CityChoice context={context} city={city} />}
        </div>
      </Heading>
      {notices.map((text) => (
        <p class="notice bad" key={text}>
          {text}
        </p>
      ))}
      {days === null && hasEvents && <TonightLine context={context} scope={scope} />}
      <DayLinks
        context={context}
        scope={scope}
        days={days}
        all={withQuery(context.siteUrl.prefix + path, { genre: genresText(scope.genres) })}
      />
    </>
  );
}

/** The dates of relative days: "Friday 27 November 2026". */
function daysLead({ messages }: PageContext, { kind, value, first, last }: SelectedDays): string {
  const { longDate } = messages.formats;
  if (kind === 'tonight' || value === 'tomorrow') return longDate(first);
  if (kind === 'week' || (kind === 'weekend' && first !== last))
    return messages.days.weekOf(longDate(first), longDate(last));
  return '';
}

function daysPage(context: PageContext, parts: CityParts, days: SelectedDays): PageView {
  const { messages } = context;
  const { days: words } = messages;
  const { city, scope, path } = parts;
  const { title, content, genres, isExact } = answerDays(context, scope, days);
  const whole = words.inCity(title, city.name);
  return {
    title: scope.genres.length === 0 ? whole : words.ofGenre(genreNames(messages, scope.genres), whole),
    description: messages.eventList.description(whole),
    section: '/cities',
    canonical: path,
    crumbs: crumbsOf(context, parts),
    feeds: feedLinks(messages, path, city.name, { genre: genresText(scope.genres) }),
    children: (
      <>
        {headOf(context, parts, days)}
        <GenreChips context={context} scope={scope} when={days.value} genres={genres} exact={isExact} />
        <CityFestivals
          context={context}
          city={{ id: parts.id, name: city.name }}
          days={{ first: days.first, last: days.last, zone: city.timezone }}
        />
        <section class="flow spaced" aria-labelledby="events">
          <h2 class="hidden" id="events">
            {title}
          </h2>
          {content}
        </section>
        <Feeds context={context} parts={parts} />
      </>
    ),
  };
}

function Feeds({ context, parts: { scope, city, path } }: { context: PageContext; parts: CityParts }): VNode {
  const { genres } = scope;
  const query = { genre: genresText(genres) };
  const name = genres.length === 0 ? city.name : `${genreNames(context.messages, genres)}, ${city.name}`;
  return <SubscribeLinks context={context} path={path} name={name} query={query} />;
}

function mainPage(context: PageContext, parts: CityParts, events: RecordEvents): PageView {
  const { site, messages } = context;
  const { common, counts, city: words } = messages;
  const { city, id, scope, path } = parts;
  const upcoming = upcomingEvents(context, events);
  const ids = site.selection.ids(countScope(scope, false) ?? {}, upcomingPeriod(context), maxCounted);
  const past = pastEventsSection(context, events);
  const festivals = site.relations.related('festivals of city', id, 60);
  const isWhole = scope.genres.length === 0;
  return {
    title: words.title(city.name, countryText(messages, city.country)),
    description: words.description(
      city.name,
      counts.upcomingEvents(city.upcoming_event_count),
      counts.venues(city.venue_count),
    ),
    section: '/cities',
    crumbs: crumbsOf(context, parts),
    structuredData: [cityThing(context, city)],
    feeds: feedLinks(messages, path, city.name, isWhole ? {} : { genre: genresText(scope.genres) }),
    children: (
      <>
        {headOf(context, parts, null, upcoming !== null)}
        <GenreChips
          context={context}
          scope={scope}
          when={undefined}
          genres={site.selection.genres(ids)}
          exact={ids.length < maxCounted}
        />
        <PageSections
          sides={[
            {
              title: common.upcomingEvents,
              id: 'upcoming',
              content: (
                <>
                  {upcoming?.content ?? <p class="empty">{common.noEvents}</p>}
                  <Feeds context={context} parts={parts} />
                </>
              ),
            },
            venuesSection(context, parts),
            chipsSection(context, { title: common.festivals, id: 'festivals' }, 'festival', festivals),
            mapSection(context, city.name, city, 'city'),
            isWhole && past !== null && { title: common.pastEvents, id: 'past', content: past },
            factsSection(context, city, upcoming !== null),
          ]}
        />
      </>
    ),
  };
}

/** Events counted at most for the genres of all upcoming events. */
const maxCounted = 1_000;
const endOfDates = 99_991_231;

/** All that is to come, as a counted period. */
export function upcomingPeriod({ reader, now }: PageContext): { from: number; to: number; now: number } {
  const { since } = reader.upcoming(now);
  const dayMs = 86_400_000;
  const from = Number(new Date(since - dayMs).toISOString().slice(0, 10).replaceAll('-', ''));
  return { from, to: endOfDates, now };
}

function venuesSection(context: PageContext, { city, id }: CityParts): PageSection | null {
  const { site, messages, siteUrl } = context;
  const { common, counts } = messages;
  const venues = site.relations.related('venues of city', id, maxVenues);
  if (venues.length === 0) return null;
  return {
    title: common.venues,
    id: 'venues',
    content: (
      <>
        <LinkChips context={context} kind="venue" refs={venues} />
        <NavigationLinks
          links={[
            city.venue_count > maxVenues && {
              href: withQuery(`${siteUrl.prefix}/venues`, { city: city.slug }),
              label: common.all(counts.venues(city.venue_count)),
            },
          ]}
        />
      </>
    ),
  };
}

function factsSection(
  { messages, now }: PageContext,
  city: ApiRecord<'City'>,
  hasEvents: boolean,
): PageSection | null {
  const { common, counts, formats, city: words } = messages;
  return {
    title: common.about,
    id: 'about',
    content: (
      <>
        <Facts
          facts={[
            city.population !== null && [words.inhabitants, formats.number(city.population)],
            city.timezone && [common.timeZone, zoneText(formats, city.timezone, new Date(now).toISOString())],
            hasEvents && [common.upcoming, counts.events(city.upcoming_event_count)],
            city.venue_count > 0 && [common.venues, formats.number(city.venue_count)],
          ]}
        />
        <p>
          <MapLink
            location={{
              address: null,
              postal_code: null,
              latitude: city.latitude,
              longitude: city.longitude,
            }}
          />
        </p>
      </>
    ),
  };
}
