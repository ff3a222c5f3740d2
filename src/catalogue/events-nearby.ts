/** What else is on, where little or nothing was found: for an answer that helps on. */
import type { Catalogue } from './answers.ts';
import { eventsOf, filtersOf } from './event-filters.ts';
import type { EventsAsked, EventsFound } from './find-events.ts';

/** Such events as were asked for, but for one thing. */
export type Nearby = {
  /** Whether there are such events that are over. */
  hasPast: boolean;
  /**
   * How many there are without the words that their names must have, counted to one more than `countTo`; null where no
   * words are asked for.
   */
  withoutWords: number | null;
};

/** Looks for events that what was found excludes. */
export function findNearby(asked: EventsAsked, found: EventsFound, catalogue: Catalogue): Nearby {
  const has = (changed: EventsAsked, words: string, most: number) =>
    eventsOf(catalogue, filtersOf(changed, found, found.window, catalogue), words, most).length;
  const hasOther = found.names.length > 0 || found.country !== null || found.reading !== null;
  return {
    hasPast: !asked.includePast && has({ ...asked, includePast: true }, found.words, 1) > 0,
    withoutWords: found.words !== '' && hasOther ? has(asked, '', asked.countTo + 1) : null,
  };
}

/** Whether such events as were asked for are on in another city. */
export function hasEvents(
  asked: EventsAsked,
  found: EventsFound,
  city: number,
  catalogue: Catalogue,
): boolean {
  const names = found.names.filter(({ kind }) => kind !== 'city');
  const filters = filtersOf(asked, { ...found, names }, found.window, catalogue);
  const there = filters.map((filter) => ({ ...filter, cityId: city }));
  return eventsOf(catalogue, there, found.words, 1).length > 0;
}
