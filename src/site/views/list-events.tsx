/** The list of all events, filtered by place, genre and days. */
import type { VNode } from 'preact';
import { countryCode, countryName } from '../../catalogue/places/countries.ts';
import { parseDate } from '../../contract/parameters.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import type { ListSource } from '../../store/lists/pagination.ts';
import { fold } from '../../text/fold.ts';
import { longDate } from '../components/dates.tsx';
import { EventsByDay } from '../components/event-lists.tsx';
import { readListPart, withQuery } from '../components/pagination.tsx';
import { NavigationLinks } from '../components/parts.tsx';
import { collectionPage } from '../formats/json-ld.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, queryParameter } from '../page-context.ts';

const pageSize = 50;
const filterNames = ['city', 'country', 'genre', 'from', 'to'] as const;
type FilterValues = Record<(typeof filterNames)[number], string>;
/** The resolved filters: the list, its title, and messages about invalid filters. */
type EventListQuery = { source: ListSource; title: string; messages: string[] };

/** Upcoming events, or those that match the filters. */
export function eventListPage(context: PageContext): PageView {
  const filters = Object.fromEntries(
    filterNames.map((name) => [name, queryParameter(context, name, 100)]),
  ) as FilterValues;
  const { source, title, messages } = parseFilters(context, filters);
  const { items, next } = readListPart<ApiRecord<'EventItem'>>(context, source, {
    limit: pageSize,
    filters,
  });
  const isWhole =
    filterNames.every((name) => filters[name] === '') && queryParameter(context, 'cursor') === '';
  const basePath = `${context.siteUrl.prefix}/events`;
  return {
    title,
    description: `${title}: electronic music by day, with line-ups, venues and tickets.`,
    section: '/events',
    canonical: isWhole ? '/events' : null,
    crumbs: [{ name: 'Events', path: '/events' }],
    structuredData: isWhole ? [collectionPage(context, title, '/events')] : [],
    children: (
      <>
        <h1>{title}</h1>
        <EventFilters basePath={basePath} filters={filters} />
        {messages.map((text) => (
          <p class="notice bad" key={text}>
            {text}
          </p>
        ))}
        <section class="flow spaced" aria-labelledby="list">
          <h2 class="hidden" id="list">
            By day
          </h2>
          {items.length === 0 ? (
            <p class="empty">No event matches. Remove a filter, or choose other days.</p>
          ) : (
            <EventsByDay context={context} events={items} />
          )}
          <NavigationLinks
            links={[
              queryParameter(context, 'cursor') === ''
                ? null
                : { href: withQuery(basePath, filters), label: 'Back to the first page' },
              next === null
                ? null
                : { href: withQuery(basePath, { ...filters, cursor: next }), label: 'Next', rel: 'next' },
            ]}
          />
        </section>
      </>
    ),
  };
}

function parseFilters(context: PageContext, filters: FilterValues): EventListQuery {
  const { reader, now } = context;
  const filter: EventFilter = {};
  const places: string[] = [];
  let what = 'Events';
  const messages: string[] = [];
  let isNothing = false;
  if (filters.city !== '') {
    const id =
      reader.find('city', filters.city.toLowerCase()) ??
      reader.namedRecords.byExactName('city', filters.city)[0]?.id;
    if (id === undefined) filter.cityText = fold(filters.city).trim();
    else filter.cityId = id;
    places.push(
      id === undefined ? filters.city : (reader.namedRecords.byId('city', id)?.name ?? filters.city),
    );
  }
  if (filters.country !== '') {
    const code = countryCode(filters.country);
    if (code === null)
      messages.push(
        `No country is called “${filters.country}”. Write its name in English, or a code such as DE.`,
      );
    else {
      filter.country = code;
      places.push(countryName(code) ?? code);
    }
  }
  if (filters.genre !== '') {
    const id =
      reader.find('genre', filters.genre.toLowerCase()) ??
      reader.namedRecords.byExactName('genre', filters.genre)[0]?.id;
    if (id === undefined) {
      messages.push(`No genre is called “${filters.genre}”.`);
      isNothing = true;
    } else {
      filter.genre = id;
      what = `${reader.namedRecords.byId('genre', id)?.name ?? filters.genre} events`;
    }
  }
  for (const name of ['from', 'to'] as const) {
    if (filters[name] === '') continue;
    const date = parseDate(filters[name]);
    if (date === null) messages.push(`“${filters[name]}” is not a date. Write it as 2026-12-31.`);
    else {
      filter[name] = { date };
    }
  }
  if (!filter.from && !filter.to) filter.upcomingAt = now;
  const words = [what, ...(places.length > 0 ? ['in', places.join(', ')] : []), ...daysText(filters, filter)];
  const title = words.length === 1 && what === 'Events' ? 'Upcoming events' : words.join(' ');
  return { source: isNothing ? reader.emptyList : reader.events.source(filter), title, messages };
}

/** The requested days in words. */
function daysText(filters: FilterValues, filter: EventFilter): string[] {
  const [from, to] = (['from', 'to'] as const).map((name) => (filter[name] ? longDate(filters[name]) : ''));
  if (from && from === to) return ['on', from];
  return [...(from ? ['from', from] : []), ...(to ? ['to', to] : [])];
}

const filterLabels: FilterValues = {
  city: 'City',
  country: 'Country',
  genre: 'Genre',
  from: 'From',
  to: 'To',
};

function EventFilters({ basePath, filters }: { basePath: string; filters: FilterValues }): VNode {
  return (
    <form class="filters many" action={basePath} method="get" aria-label="Filter events">
      {filterNames.map((name) => (
        <div class="field" key={name}>
          <label for={`filter-${name}`}>{filterLabels[name]}</label>
          {name === 'from' || name === 'to' ? (
            <input id={`filter-${name}`} name={name} type="date" value={filters[name]} />
          ) : (
            <input
              id={`filter-${name}`}
              name={name}
              type="text"
              value={filters[name]}
              maxlength={100}
              autocomplete="off"
            />
          )}
        </div>
      ))}
      <div class="actions">
        <button type="submit">Show</button>
        {filterNames.some((name) => filters[name] !== '') && <a href={basePath}>Clear</a>}
      </div>
    </form>
  );
}
