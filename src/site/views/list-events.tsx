/** All events: what is to come, by place, genre and days. */
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
/** What the filters mean: which list, in words, and what of them nobody understands. */
type EventListQuery = { source: ListSource; title: string; unknown: string[] };

/** Upcoming events, or those of the days, place and genre asked for. */
export function eventListPage(context: PageContext): PageView {
  const given = Object.fromEntries(
    filterNames.map((name) => [name, queryParameter(context, name, 100)]),
  ) as FilterValues;
  const { source, title, unknown } = parseFilters(context, given);
  const { items, next } = readListPart<ApiRecord<'EventItem'>>(context, source, {
    limit: pageSize,
    filters: given,
  });
  const isWhole = filterNames.every((name) => given[name] === '') && queryParameter(context, 'cursor') === '';
  const own = `${context.siteUrl.prefix}/events`;
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
        <EventFilters own={own} given={given} />
        {unknown.map((text) => (
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
                : { href: withQuery(own, given), label: 'Back to the first page' },
              next === null
                ? null
                : { href: withQuery(own, { ...given, cursor: next }), label: 'Next', rel: 'next' },
            ]}
          />
        </section>
      </>
    ),
  };
}

function parseFilters(context: PageContext, given: FilterValues): EventListQuery {
  const { reader, now } = context;
  const filter: EventFilter = {};
  const places: string[] = [];
  let what = 'Events';
  const unknown: string[] = [];
  let isNothing = false;
  if (given.city !== '') {
    const id =
      reader.find('city', given.city.toLowerCase()) ??
      reader.namedRecords.byExactName('city', given.city)[0]?.id;
    if (id === undefined) filter.cityText = fold(given.city).trim();
    else filter.cityId = id;
    places.push(id === undefined ? given.city : (reader.namedRecords.byId('city', id)?.name ?? given.city));
  }
  if (given.country !== '') {
    const code = countryCode(given.country);
    if (code === null)
      unknown.push(
        `No country is called “${given.country}”. Write its name in English, or a code such as DE.`,
      );
    else {
      filter.country = code;
      places.push(countryName(code) ?? code);
    }
  }
  if (given.genre !== '') {
    const id =
      reader.find('genre', given.genre.toLowerCase()) ??
      reader.namedRecords.byExactName('genre', given.genre)[0]?.id;
    if (id === undefined) {
      unknown.push(`No genre is called “${given.genre}”.`);
      isNothing = true;
    } else {
      filter.genre = id;
      what = `${reader.namedRecords.byId('genre', id)?.name ?? given.genre} events`;
    }
  }
  for (const name of ['from', 'to'] as const) {
    if (given[name] === '') continue;
    const date = parseDate(given[name]);
    if (date === null) unknown.push(`“${given[name]}” is no date. Write it as 2026-12-31.`);
    else {
      filter[name] = { date };
    }
  }
  if (!filter.from && !filter.to) filter.upcomingAt = now;
  const words = [what, ...(places.length > 0 ? ['in', places.join(', ')] : []), ...daysText(given, filter)];
  const title = words.length === 1 && what === 'Events' ? 'Upcoming events' : words.join(' ');
  return { source: isNothing ? reader.emptyList : reader.events.source(filter), title, unknown };
}

/** The days asked for, in words. */
function daysText(given: FilterValues, filter: EventFilter): string[] {
  const [from, to] = (['from', 'to'] as const).map((name) => (filter[name] ? longDate(given[name]) : ''));
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

function EventFilters({ own, given }: { own: string; given: FilterValues }): VNode {
  return (
    <form class="filters many" action={own} method="get" aria-label="Filter events">
      {filterNames.map((name) => (
        <div class="field" key={name}>
          <label for={`filter-${name}`}>{filterLabels[name]}</label>
          {name === 'from' || name === 'to' ? (
            <input id={`filter-${name}`} name={name} type="date" value={given[name]} />
          ) : (
            <input
              id={`filter-${name}`}
              name={name}
              type="text"
              value={given[name]}
              maxlength={100}
              autocomplete="off"
            />
          )}
        </div>
      ))}
      <div class="actions">
        <button type="submit">Show</button>
        {filterNames.some((name) => given[name] !== '') && <a href={own}>Clear</a>}
      </div>
    </form>
  );
}
