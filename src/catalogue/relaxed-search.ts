/** What else is on, where little or nothing was found: for an answer that helps on. */

import { buildFilters, fetchEvents } from './event-filters.ts';
import type { EventQuery, EventResults } from './find-events.ts';
import type { Catalogue } from './handlers.ts';

/** Such events as were asked for, but for one thing. */
export type RelaxedResults = {
  /** Whether there are such events that are over. */
  hasPast: boolean;
  /**
   * How many there are without the words that their names must have, counted to one more than `countTo`; null where no
   * words are asked for.
   */
  withoutWords: number | null;
};

/** Looks for events that what was found excludes. */
export function findRelaxed(asked: EventQuery, found: EventResults, catalogue: Catalogue): RelaxedResults {
  const has = (changed: EventQuery, words: string, most: number) =>
    fetchEvents(catalogue, buildFilters(changed, found, found.window, catalogue), words, most).length;
  const hasOther = found.names.length > 0 || found.country !== null || found.reading !== null;
  return {
    hasPast: !asked.includePast && has({ ...asked, includePast: true }, found.words, 1) > 0,
    withoutWords: found.words !== '' && hasOther ? has(asked, '', asked.countTo + 1) : null,
  };
}

/** Whether such events as were asked for are on in another city. */
export function hasEventsInCity(
  asked: EventQuery,
  found: EventResults,
  city: number,
  catalogue: Catalogue,
): boolean {
  const names = found.names.filter(({ kind }) => kind !== 'city');
  const filters = buildFilters(asked, { ...found, names }, found.window, catalogue);
  const there = filters.map((filter) => ({ ...filter, cityId: city }));
  return fetchEvents(catalogue, there, found.words, 1).length > 0;
}
