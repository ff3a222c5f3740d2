/** Finds alternatives with one condition dropped, for results with few or no events. */

import { buildFilters, fetchEvents } from './event-filters.ts';
import type { EventQuery, EventResults } from './find-events.ts';
import type { Catalogue } from './request.ts';

/** Events that match the query with one condition dropped. */
export type RelaxedResults = {
  /** Whether past events match. */
  hasPast: boolean;
  /** Number of events without the required words, counted up to `countTo` + 1; null if the query has no words. */
  withoutWords: number | null;
};

/** Finds events that match the query with one condition dropped. */
export function findRelaxed(query: EventQuery, results: EventResults, catalogue: Catalogue): RelaxedResults {
  const has = (changed: EventQuery, words: string, limit: number) =>
    fetchEvents(catalogue, buildFilters(changed, results, results.window, catalogue), words, limit).length;
  const hasOther = results.names.length > 0 || results.country !== null || results.reading !== null;
  return {
    hasPast: !query.includePast && has({ ...query, includePast: true }, results.words, 1) > 0,
    withoutWords: results.words !== '' && hasOther ? has(query, '', query.countTo + 1) : null,
  };
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
