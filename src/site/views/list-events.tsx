/** The list of all events, filtered by place, genre and days. */
import type { VNode } from 'preact';
import type { SelectedDays } from '../../catalogue/dates/selected-days.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { type Messages, useMessages } from '../../pages/messages/messages.ts';
import { EventsByDay } from '../components/event-lists.tsx';
import { FilterTags, type Tag } from '../components/filter-tags.tsx';
import { readListPart, withQuery } from '../components/pagination.tsx';
import { NavigationLinks, nextLink, SubscribeLinks } from '../components/parts.tsx';
import { feedLinks } from '../components/record-sections.tsx';
import { DayLinks, GenreChips } from '../days/day-links.tsx';
import { type FilterValues, filterNames, type ListFilters, readListFilters } from '../days/list-filters.ts';
import { maxFilterLength } from '../days/named-values.ts';
import { daysParameter, filterOf, genreNames, genresText, requestedDays } from '../days/scope.ts';
import { answerDays, daysTitle } from '../days/selection.tsx';
import { collectionPage } from '../formats/json-ld.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, queryParameter } from '../page-context.ts';

const pageSize = 40;

/** Upcoming events, those of selected days, or those that match the filters. */
export function eventListPage(context: PageContext): PageView {
  const filters = readListFilters(context);
  const requested = requestedDays(context, filters.scope.zone);
  const days = requested !== null && !('unknown' in requested) ? requested : null;
  const notices =
    requested !== null && 'unknown' in requested
      ? [...filters.messages, context.messages.days.notDays(requested.unknown)]
      : filters.messages;
  const title = eventListTitle(context, filters, days);
  // A feed lists all upcoming events: it leaves the days out.
  const feedTitle = eventListTitle(context, { ...filters, days: {} }, null);
  const isWhole =
    days === null &&
    filterNames.every((name) => filters.values[name] === '') &&
    queryParameter(context, 'cursor') === '';
  const { eventList: words, lists } = context.messages;
  const { scope, values } = filters;
  const { from: _, to: __, ...query } = values;
  const isFiltered = Object.values(query).some((text) => text !== '');
  return {
    title,
    description: words.description(title),
    section: '/events',
    canonical: isWhole ? '/events' : null,
    crumbs: [{ name: lists.events, path: '/events' }],
    structuredData: isWhole ? [collectionPage(context, title, '/events')] : [],
    feeds: filters.isNothing ? [] : feedLinks(context.messages, '/events', feedTitle, query),
    children: (
      <>
        <h1>{title}</h1>
        <DayLinks
          context={context}
          scope={scope}
          days={days}
          all={withQuery(scope.basePath, { ...scope.keep, genre: genresText(scope.genres) })}
          near
        />
        <FilterTags tags={tagsOf(filters, days)} />
        {notices.map((text) => (
          <p class="notice bad" key={text}>
            {text}
          </p>
        ))}
        {days === null ? (
          <UpcomingList context={context} filters={filters} />
        ) : (
          <DaysList context={context} filters={filters} days={days} />
        )}
        {isFiltered && !filters.isNothing && (
          <SubscribeLinks context={context} path="/events" name={feedTitle} query={query} />
        )}
        <EventFilters basePath={scope.basePath} values={values} days={days} />
      </>
    ),
  };
}

/** The values of the filters as tags. The genres of selected days are among the links to the other genres. */
const tagsOf = ({ tags, values, scope }: ListFilters, days: SelectedDays | null): Tag[] =>
  tags
    .filter(
      ({ name, label }) =>
        days === null || name !== 'genre' || !scope.genres.some((genre) => genre.name === label),
    )
    .map(({ name, label, rest }) => ({
      label,
      href: withQuery(scope.basePath, { ...values, [daysParameter]: days?.value, [name]: rest }),
    }));

/** The title of the list: its genre, places and days. */
export function eventListTitle(
  { messages: texts }: PageContext,
  { values, scope, places, acts, days: span }: ListFilters,
  days: SelectedDays | null,
): string {
  const { eventList: words } = texts;
  if (days !== null) {
    const title = daysTitle(texts, days);
    const names = [...places, ...[acts.artist, acts.festival].filter((name) => name !== null)];
    const placed = names.length === 0 ? title : texts.days.inCity(title, names.join(', '));
    return scope.genres.length === 0 ? placed : texts.days.ofGenre(genreNames(texts, scope.genres), placed);
  }
  const what = scope.genres.length === 0 ? words.events : words.ofGenre(genreNames(texts, scope.genres));
  const where = values.venue === '' ? words.places : words.at;
  const parts = [
    what,
    ...(acts.artist === null ? [] : [words.withArtist(acts.artist)]),
    ...(acts.festival === null ? [] : [words.ofFestival(acts.festival)]),
    ...(places.length > 0 ? [where(places.join(', '))] : []),
    ...daysText(texts, values, span),
  ];
  return parts.length === 1 && scope.genres.length === 0 ? words.title : parts.join(' ');
}

function DaysList({
  context,
  filters: { scope },
  days,
}: {
  context: PageContext;
  filters: ListFilters;
  days: SelectedDays;
}): VNode {
  const { title, content, genres, isExact } = answerDays(context, scope, days);
  return (
    <>
      <GenreChips context={context} scope={scope} when={days.value} genres={genres} exact={isExact} />
      <section class="flow spaced" aria-labelledby="list">
        <h2 class="hidden" id="list">
          {title}
        </h2>
        {content}
      </section>
    </>
  );
}

function UpcomingList({ context, filters }: { context: PageContext; filters: ListFilters }): VNode {
  const { reader, now, messages } = context;
  const { eventList: words, common } = messages;
  const { values, scope, days, isNothing } = filters;
  const isUpcoming = days.from === undefined && days.to === undefined;
  const filter = { ...filterOf(scope), ...days, ...(isUpcoming ? { upcomingAt: now } : {}) };
  const { items, next } = readListPart<ApiRecord<'EventItem'>>(
    context,
    isNothing ? reader.emptyList : reader.events.source(filter),
    { limit: pageSize, filters: values },
  );
  return (
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
          queryParameter(context, 'cursor') !== '' && {
            href: withQuery(scope.basePath, values),
            label: common.backToFirst,
          },
          next !== null && nextLink(withQuery(scope.basePath, { ...values, cursor: next }), common.next),
        ]}
      />
    </section>
  );
}

/** The requested days in words. */
function daysText(
  { eventList, formats }: Messages,
  values: FilterValues,
  filter: ListFilters['days'],
): string[] {
  const [from, to] = (['from', 'to'] as const).map((name) =>
    filter[name] ? formats.longDate(values[name]) : '',
  );
  if (from && from === to) return [eventList.onDay(from)];
  return [...(from ? [eventList.fromDay(from)] : []), ...(to ? [eventList.toDay(to)] : [])];
}

function EventFilters({
  basePath,
  values,
  days,
}: {
  basePath: string;
  values: FilterValues;
  days: SelectedDays | null;
}): VNode {
  const { eventList: words, common } = useMessages();
  // Selected days and a period exclude each other.
  const names = days === null ? filterNames : filterNames.filter((name) => name !== 'from' && name !== 'to');
  return (
    <form class="filters many" action={basePath} method="get" aria-label={words.filter}>
      {days !== null && <input type="hidden" name={daysParameter} value={days.value} />}
      {names.map((name) => (
        <div class="field" key={name}>
          <label for={`filter-${name}`}>{words[name]}</label>
          {name === 'from' || name === 'to' ? (
            <input id={`filter-${name}`} name={name} type="date" value={values[name]} />
          ) : (
            <input
              id={`filter-${name}`}
              name={name}
              type="text"
              value={values[name]}
              maxlength={maxFilterLength}
              autocomplete="off"
            />
          )}
        </div>
      ))}
      <div class="actions">
        <button type="submit">{common.show}</button>
        {filterNames.some((name) => values[name] !== '') && <a href={basePath}>{common.clear}</a>}
      </div>
    </form>
  );
}
