/** The events of selected days: as a list, a week by day, a month calendar or by city; without events, links to others. */
import type { VNode } from 'preact';
import { nightOf } from '../../catalogue/dates/current-night.ts';
import { datesBetween, type SelectedDays, tonightFilter } from '../../catalogue/dates/selected-days.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import type { GenreCount } from '../../store/site/selection.ts';
import { EventRow, EventsByDay } from '../components/event-lists.tsx';
import { readListPart } from '../components/pagination.tsx';
import { NavigationLinks, nextLink } from '../components/parts.tsx';
import { numberIn } from '../formats/subscriptions.ts';
import { type PageContext, queryParameter } from '../page-context.ts';
import { CityGroups } from './city-groups.tsx';
import { MonthCalendar } from './month.tsx';
import { NothingFound } from './nothing-found.tsx';
import { maxRead, readEvents } from './read-days.ts';
import { countScope, type DayScope, dateNumber, filterOf, genresText, periodOf, viewPath } from './scope.ts';

type DaysProps = { context: PageContext; scope: DayScope; days: SelectedDays };

type EventItem = ApiRecord<'EventItem'>;
/** What a page shows of selected days. */
export type DaysAnswer = {
  title: string;
  content: VNode;
  genres: readonly GenreCount[];
  /** Whether the counts of the genres are complete. */
  isExact: boolean;
};

/** Reads the events of the place and the days, of all genres, once. */
type ReadAll = () => { items: EventItem[]; isAll: boolean };

const pageSize = 40;
const maxCountedIds = 1_000;
const maxPerDay = 8;

/** Reads the events of selected days and writes them as a section of a page. */
export function answerDays(context: PageContext, scope: DayScope, days: SelectedDays): DaysAnswer {
  // Many cities need the same events for the groups and for the genres.
  let all: ReturnType<ReadAll> | undefined;
  const readAll: ReadAll = () => {
    all ??= readEvents(context, { ...scope, genres: [] }, days, maxRead);
    return all;
  };
  const eventIds = countGenres(context, scope, days, readAll);
  return {
    title: daysTitle(context.messages, days),
    content: contentOf(context, scope, days, readAll),
    genres: context.site.selection.genres(eventIds.ids),
    isExact: eventIds.isExact,
  };
}

/** "Tonight", "Friday 27 November 2026", "November 2026". */
export function daysTitle(
  { days: words, formats }: Messages,
  { kind, value, first, last }: SelectedDays,
): string {
  switch (kind) {
    case 'tonight':
      return words.tonight;
    case 'weekend':
      return words.weekend;
    case 'week':
      return words.weekOf(formats.weekdayDate(first), formats.weekdayDate(last));
    case 'month':
      return formats.monthName(value);
    default:
      return value === 'tomorrow' ? words.tomorrow : formats.longDate(first);
  }
}

function countGenres(
  context: PageContext,
  scope: DayScope,
  days: SelectedDays,
  read: ReadAll,
): { ids: number[]; isExact: boolean } {
  const place = countScope(scope, false);
  if (place !== null && days.kind !== 'tonight') {
    const ids = context.site.selection.ids(place, periodOf(days), maxCountedIds);
    return { ids, isExact: ids.length < maxCountedIds };
  }
  const isEverywhere = Object.keys(filterOf({ ...scope, genres: [] })).length === 0;
  if (scope.genres.length > 0 && isEverywhere && days.kind !== 'tonight') {
    // The page shows events of the genres only: of the others, the ids suffice.
    const ids = context.site.selection.ids({}, periodOf(days), maxRead + 1);
    return { ids: ids.slice(0, maxRead), isExact: ids.length <= maxRead };
  }
  const { items, isAll } = read();
  return { ids: items.map(({ id }) => numberIn(id)), isExact: isAll };
}

function contentOf(context: PageContext, scope: DayScope, days: SelectedDays, read: ReadAll): VNode {
  const isCounted = countScope(scope) !== null;
  if (days.kind === 'month' && isCounted) return <Month context={context} scope={scope} days={days} />;
  if (days.kind === 'week' && scope.city !== null && isCounted)
    return <Week context={context} scope={scope} days={days} />;
  if (scope.city === null && scope.filter.venue === undefined && queryParameter(context, 'cursor') === '')
    return <ManyCities context={context} scope={scope} days={days} read={read} />;
  return <DayList context={context} scope={scope} days={days} />;
}

function ManyCities({
  context,
  scope,
  days,
  read,
}: {
  context: PageContext;
  scope: DayScope;
  days: SelectedDays;
  read: ReadAll;
}): VNode {
  const { items, isAll } = scope.genres.length === 0 ? read() : readEvents(context, scope, days, maxRead);
  if (items.length === 0) return <NothingFound context={context} scope={scope} days={days} />;
  return (
    <>
      <CityGroups
        context={context}
        events={items}
        when={days.value}
        genre={genresText(scope.genres)}
        by={days.first === days.last ? 'time' : 'day'}
      />
      {!isAll && <p class="soft">{context.messages.days.firstOnly(items.length)}</p>}
      <Around context={context} scope={scope} days={days} />
    </>
  );
}

/** A list of the events, by day, in pages. */
function DayList({ context, scope, days }: DaysProps): VNode {
  const { reader, now, messages } = context;
  const source = reader.events.source({ ...filterOf(scope), ...days.filter });
  const { items, next } = readListPart<EventItem>(context, source, {
    limit: pageSize,
    filters: { ...scope.keep, when: days.value, genre: genresText(scope.genres) },
  });
  const events = days.kind === 'tonight' ? items.filter(tonightFilter(scope.zone, now)) : items;
  const isFirst = queryParameter(context, 'cursor') === '';
  if (events.length === 0 && isFirst) return <NothingFound context={context} scope={scope} days={days} />;
  return (
    <>
      <EventsByDay
        context={context}
        events={events}
        at={scope.filter.venue !== undefined ? 'venue' : scope.city === null ? null : 'city'}
      />
      <NavigationLinks
        links={[
          !isFirst && { href: viewPath(scope, { when: days.value }), label: messages.common.backToFirst },
          next !== null &&
            nextLink(viewPath(scope, { when: days.value, cursor: next }), messages.common.next),
        ]}
      />
      <Around context={context} scope={scope} days={days} />
    </>
  );
}

/** Seven days with the first events of each. */
function Week({ context, scope, days }: DaysProps): VNode {
  const { site, reader, messages } = context;
  const { days: words, formats } = messages;
  const counts = new Map(
    site.selection.byDay(countScope(scope) ?? {}, periodOf(days)).map(({ date, events }) => [date, events]),
  );
  if (counts.size === 0) return <NothingFound context={context} scope={scope} days={days} />;
  // Days that are over have nothing to offer in a list of upcoming events.
  const today = nightOf(scope.zone, context.now).toString();
  const isPast = days.filter.upcomingAt === undefined;
  const shownDates = datesBetween(days.first, days.last).filter((date) => isPast || date >= today);
  return (
    <>
      <div class="listing">
        {shownDates.map((date) => {
          const number = dateNumber(date);
          const events = counts.get(number) ?? 0;
          const filter: EventFilter = {
            ...filterOf(scope),
            ...days.filter,
            from: { date: number },
            to: { date: number },
          };
          const items = events === 0 ? [] : reader.events.source(filter).fetch(null, maxPerDay, null);
          return (
            <div key={date}>
              <h3>
                <a href={viewPath(scope, { when: date })}>{formats.longDate(date)}</a>
              </h3>
              {events === 0 && <p class="nothing">{words.noneOnDay}</p>}
              <ul>
                {items.map(([json]) => {
                  const event = JSON.parse(json) as EventItem;
                  const at = scope.filter.venue === undefined ? 'city' : 'venue';
                  return <EventRow context={context} event={event} by="time" at={at} key={event.id} />;
                })}
              </ul>
              {events > items.length && (
                <p class="more">
                  <a href={viewPath(scope, { when: date })}>
                    {words.moreOn(formats.weekdayDate(date), events - items.length)}
                  </a>
                </p>
              )}
            </div>
          );
        })}
      </div>
      <Around context={context} scope={scope} days={days} />
    </>
  );
}

function Month({ context, scope, days }: DaysProps): VNode {
  const counts = context.site.selection.byDay(countScope(scope) ?? {}, periodOf(days));
  const byDate = new Map(counts.map(({ date, events }) => [date, events]));
  return (
    <>
      {counts.length === 0 && <NothingFound context={context} scope={scope} days={days} />}
      <MonthCalendar
        context={context}
        scope={scope}
        days={days}
        counts={byDate}
        today={nightOf(scope.zone, context.now).toString()}
      />
      <Around context={context} scope={scope} days={days} />
    </>
  );
}

/** Links to the day, week or month before and after. */
function Around({ context, scope, days }: DaysProps): VNode | null {
  const { around, kind } = days;
  if (around === null || (kind !== 'day' && kind !== 'week' && kind !== 'month')) return null;
  const { days: words } = context.messages;
  return (
    <NavigationLinks
      links={[
        { href: viewPath(scope, { when: around.before }), label: words.earlierOf[kind], rel: 'prev' },
        { href: viewPath(scope, { when: around.after }), label: words.laterOf[kind], rel: 'next' },
      ]}
    />
  );
}
