/** Reads the events of selected days, and finds the nearest day that has some. */
import { parseSelectedDays, type SelectedDays, tonightFilter } from '../../catalogue/dates/selected-days.ts';
import type { ApiRecord } from '../../contract/records.ts';
import type { EventFilter } from '../../store/lists/events.ts';
import type { PageContext } from '../page-context.ts';
import { countScope, type DayScope, dateNumber, dateText, filterOf } from './scope.ts';

type EventItem = ApiRecord<'EventItem'>;

/** Events read at most to group them by city, or to count their genres: reading 300 took up to 15 ms at a million events. */
export const maxRead = 150;

/**
 * Of the whole catalogue, events that began within this time (ms) are read: older ones would cost a scan of all that run. An
 * event with a date alone lasts for nearly a day.
 */
const recentMs = 24 * 3_600_000;

/** Reads the first events of the days. Events of unknown time belong to their date. */
export function readEvents(
  context: PageContext,
  scope: DayScope,
  days: SelectedDays,
  limit: number,
): { items: EventItem[]; isAll: boolean } {
  const { reader, site, now } = context;
  const filter = filterOf(scope);
  const isTonightOnly = days.kind === 'tonight';
  const isEverywhere = Object.keys(filter).length === 0;
  const texts =
    isTonightOnly && isEverywhere
      ? site.events.upcomingFrom(now - recentMs, now, limit + 1)
      : reader.events
          .source({ ...filter, ...days.filter })
          .fetch(null, limit + 1, null)
          .map(([json]) => json);
  const items = texts.map((json) => JSON.parse(json) as EventItem);
  const own = isTonightOnly ? items.filter(tonightFilter(scope.zone, now)) : items;
  return { items: own.slice(0, limit), isAll: items.length <= limit || own.length < items.length };
}

/**
 * The next day with events after the selected ones, otherwise the first one that is to come; null without any.
 * @param isMoment whether only the present moment is over: the next event may be one of the same day. Its local time (hh:mm)
 * is returned if it is known.
 */
export function nearestDay(
  { reader, site, now }: PageContext,
  scope: DayScope,
  days: SelectedDays,
  isMoment = false,
): { date: string; events: number; time: string | null } | null {
  const filter = filterOf(scope);
  const first = (more: EventFilter): EventItem | null => {
    const [entry] = reader.events.source({ ...filter, upcomingAt: now, ...more }).fetch(null, 1, null);
    return entry === undefined ? null : (JSON.parse(entry[0]) as EventItem);
  };
  const event =
    first({ from: isMoment ? { instant: now + 1 } : { date: dateNumber(days.last) + 1 } }) ?? first({});
  if (event === null) return null;
  const date = event.start_at.slice(0, 10);
  const time = isMoment && event.timezone !== null ? event.start_at.slice(11, 16) : null;
  const indexed = countScope(scope);
  const number = dateNumber(date);
  if (indexed !== null) {
    const [day] = site.selection.byDay(indexed, { from: number, to: number, now });
    return { date, events: day?.events ?? 1, time };
  }
  const all = reader.events
    .source({ ...filter, upcomingAt: now, from: { date: number }, to: { date: number } })
    .fetch(null, maxRead, null);
  return { date: dateText(number), events: all.length, time };
}

/** The days of tonight in the zone of a scope. */
export const tonight = ({ now }: PageContext, { zone }: DayScope): SelectedDays =>
  parseSelectedDays('tonight', zone, now) as SelectedDays;

/** The first events of tonight in a scope, at most `limit`. */
export const tonightEvents = (context: PageContext, scope: DayScope, limit: number): EventItem[] =>
  readEvents(context, scope, tonight(context, scope), limit).items;

/** The first events of the whole catalogue that are to come or still run, without those of `shown`. */
export function eventsAfter(
  { site, now }: PageContext,
  shown: readonly EventItem[],
  limit: number,
): EventItem[] {
  const ids = new Set(shown.map(({ id }) => id));
  return site.events
    .upcomingFrom(now - recentMs, now, limit + ids.size)
    .map((item) => JSON.parse(item) as EventItem)
    .filter(({ id }) => !ids.has(id))
    .slice(0, limit);
}

/**
 * The first events of the whole catalogue: those of tonight in the zone of each, at most `maxTonight`, and the first
 * `limit` others. One read serves both.
 */
export function tonightAndAfter(
  { site, now }: PageContext,
  maxTonight: number,
  limit: number,
): { tonight: EventItem[]; after: EventItem[] } {
  const items = site.events
    .upcomingFrom(now - recentMs, now, maxTonight + limit)
    .map((json) => JSON.parse(json) as EventItem);
  const own = items
    .slice(0, maxTonight + 1)
    .filter(tonightFilter(null, now))
    .slice(0, maxTonight);
  const ids = new Set(own.map(({ id }) => id));
  return { tonight: own, after: items.filter(({ id }) => !ids.has(id)).slice(0, limit) };
}
