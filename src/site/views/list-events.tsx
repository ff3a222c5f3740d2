/** The list of all events, filtered by place, genre and days. */
import type { VNode } from 'preact';
import { countryCode } from '../../catalogue/places/countries.ts';
import { parseDate } from '../../contract/parameters.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import type { ListSource } from '../../store/lists/pagination.ts';
import { fold } from '../../text/fold.ts';
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
  const { eventList: words, common, lists } = context.messages;
  return {
    title,
    description: words.description(title),
    section: '/events',
    canonical: isWhole ? '/events' : null,
    crumbs: [{ name: lists.events, path: '/events' }],
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
            {words.byDay}
          </h2>
          {items.length === 0 ? (
            <p class="empty">{words.none}</p>
          ) : (
            <EventsByDay context={context} events={items} />
          )}
          <NavigationLinks
            links={[
              queryParameter(context, 'cursor') === ''
                ? null
                : { href: withQuery(basePath, filters), label: common.backToFirst },
              next === null
                ? null
                : {
                    href: withQuery(basePath, { ...filters, cursor: next }),
                    label: common.next,
                    rel: 'next',
                  },
            ]}
          />
        </section>
      </>
    ),
  };
}

function parseFilters(context: PageContext, filters: FilterValues): EventListQuery {
  const { reader, now, messages: texts } = context;
  const { eventList: words, common, formats } = texts;
  const filter: EventFilter = {};
  const places: string[] = [];
  let what = words.events;
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
    if (code === null) messages.push(common.unknownCountry(filters.country));
    else {
      filter.country = code;
      places.push(formats.country(code));
    }
  }
  if (filters.genre !== '') {
    const id =
      reader.find('genre', filters.genre.toLowerCase()) ??
      reader.namedRecords.byExactName('genre', filters.genre)[0]?.id;
    if (id === undefined) {
      messages.push(words.unknownGenre(filters.genre));
      isNothing = true;
    } else {
      filter.genre = id;
      what = words.ofGenre(reader.namedRecords.byId('genre', id)?.name ?? filters.genre);
    }
  }
  for (const name of ['from', 'to'] as const) {
    if (filters[name] === '') continue;
    const date = parseDate(filters[name]);
    if (date === null) messages.push(words.notADate(filters[name]));
    else {
      filter[name] = { date };
    }
  }
  if (!filter.from && !filter.to) filter.upcomingAt = now;
  const parts = [
    what,
    ...(places.length > 0 ? [words.places(places.join(', '))] : []),
    ...daysText(texts, filters, filter),
  ];
  const title = parts.length === 1 && what === words.events ? words.title : parts.join(' ');
  return { source: isNothing ? reader.emptyList : reader.events.source(filter), title, messages };
}

/** The requested days in words. */
function daysText({ eventList, formats }: Messages, filters: FilterValues, filter: EventFilter): string[] {
  const [from, to] = (['from', 'to'] as const).map((name) =>
    filter[name] ? formats.longDate(filters[name]) : '',
  );
  if (from && from === to) return [eventList.onDay(from)];
  return [...(from ? [eventList.fromDay(from)] : []), ...(to ? [eventList.toDay(to)] : [])];
}

function EventFilters({ basePath, filters }: { basePath: string; filters: FilterValues }): VNode {
  const { eventList: words, common } = useMessages();
  return (
    <form class="filters many" action={basePath} method="get" aria-label={words.filter}>
      {filterNames.map((name) => (
        <div class="field" key={name}>
          <label for={`filter-${name}`}>{words[name]}</label>
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
        <button type="submit">{common.show}</button>
        {filterNames.some((name) => filters[name] !== '') && <a href={basePath}>{common.clear}</a>}
      </div>
    </form>
  );
}
