/** Finds alternatives with one condition dropped, for results with few or no events. */

import type { ApiRecord } from '../contract/records.ts';
import type { TimeWindow } from './dates/time-window.ts';
import { buildFilters, fetchEvents, withOtherGenres } from './event-filters.ts';
import type { EventQuery, EventResults } from './find-events.ts';
import type { Catalogue } from './request.ts';

/** Events that match the query with one condition dropped. */
type RelaxedResults = {
  /** Whether past events match. */
  hasPast: boolean;
  /** Number of events without the required words, counted up to `countTo` + 1; null if the query has no words. */
  withoutWords: number | null;
  /** The nearest day; null if no window was asked for, or no event is to come. */
  nextDay: NextDay | null;
};

/**
 * The nearest day with events that match all but the window. `events` is null if they exceed `countTo`. `time` is the local
 * time (hh:mm) of the first one if the window is the present moment; null for other windows, and if it is unknown.
 */
export type NextDay = { date: string; events: number | null; time: string | null };

/** Finds events that match the query with one condition dropped. */
export function findRelaxed(query: EventQuery, results: EventResults, catalogue: Catalogue): RelaxedResults {
  const has = (variant: EventQuery, words: string, limit: number) =>
    matching(variant, results, results.window, words, limit, catalogue).length;
  const hasOther = results.names.length > 0 || results.country !== null || results.reading !== null;
  return {
    hasPast: !query.includePast && has({ ...query, includePast: true }, results.words, 1) > 0,
    withoutWords: results.words !== '' && hasOther ? has(query, '', query.countTo + 1) : null,
    nextDay: findNextDay(query, results, catalogue),
  };
}

/** Fetches events of any of the genres of the query. */
function matching(
  query: EventQuery,
  results: EventResults,
  window: TimeWindow,
  words: string,
  limit: number,
  catalogue: Catalogue,
): string[] {
  const filters = withOtherGenres(buildFilters(query, results, window, catalogue), results.otherGenres);
  return fetchEvents(catalogue, filters, words, limit);
}

/**
 * The first day after the window with events that match all else, otherwise the first one that is to come. After the present
 * moment, that may be the rest of its day.
 */
export function findNextDay(query: EventQuery, results: EventResults, catalogue: Catalogue): NextDay | null {
  const { window, words } = results;
  const last = lastDate(window);
  if (last === null) return null;
  const upcoming = { ...query, includePast: false };
  const firstOf = (more: TimeWindow): ApiRecord<'EventItem'> | null => {
    const [item] = matching(upcoming, results, more, words, 1, catalogue);
    return item === undefined ? null : (JSON.parse(item) as ApiRecord<'EventItem'>);
  };
  const isMoment = window.night?.isMoment === true;
  const after: TimeWindow = { from: isMoment ? { instant: query.now + 1 } : { date: last + 1 } };
  const first = firstOf(after) ?? firstOf({});
  if (first === null) return null;
  const date = first.start_at.slice(0, 10);
  const day = { date: Number(date.replaceAll('-', '')) };
  const limit = query.countTo + 1;
  const { size } = new Set(matching(upcoming, results, { from: day, to: day }, words, limit, catalogue));
  const time = isMoment && first.timezone !== null ? first.start_at.slice(11, 16) : null;
  return { date, events: size > query.countTo ? null : size, time };
}

/** The last day of a window as the number yyyymmdd; null without a window. */
function lastDate({ night, from, to }: TimeWindow): number | null {
  if (night !== undefined) return Number(night.date.replaceAll('-', ''));
  const bound = to ?? from;
  if (bound === undefined) return null;
  if ('date' in bound) return bound.date;
  return Number(new Date(bound.instant).toISOString().slice(0, 10).replaceAll('-', ''));
}

/** Whether matching events exist in another city. */
export function hasEventsInCity(
  query: EventQuery,
  results: EventResults,
  city: number,
  catalogue: Catalogue,
): boolean {
  const names = results.names.filter(({ kind }) => kind !== 'city');
  const filters = buildFilters(query, { ...results, names }, results.window, catalogue);
  const there = filters.map((filter) => ({ ...filter, cityId: city }));
  return fetchEvents(catalogue, there, results.words, 1).length > 0;
}
