/** Finds events within the price and age that a question names. Neither is a filter of the lists, so events are read. */

import type { ApiRecord } from '../contract/records.ts';
import { type AgeLimit, isOfAge, splitAge } from './age-phrases.ts';
import { type EventQuery, type EventResults, findEvents, maxQueryLength } from './find-events.ts';
import { isWithin, type PriceLimit, splitPrice } from './price-phrases.ts';
import type { Catalogue } from './request.ts';

type EventItem = ApiRecord<'EventItem'>;

/** Events that are read to find those within limits. */
export const maxLimitedEvents = 300;

/** The price and the age that a question names; at least one of them is set. */
export type EventLimits = { price: PriceLimit | null; age: AgeLimit | null };

/** Separates the price and the age from a question; `limits` is null if it names neither. */
export function splitLimits(text: string): { rest: string; limits: EventLimits | null } {
  const { rest: withoutPrice, price } = splitPrice(text);
  const { rest, age } = splitAge(withoutPrice);
  return { rest, limits: price === null && age === null ? null : { price, age } };
}

/** Whether an event is within the limits. One whose price or age is not known is not. */
export const fitsLimits = ({ price, age }: EventLimits, event: EventItem): boolean =>
  (price === null || isWithin(price, event)) && (age === null || isOfAge(age, event));

/** The events that a limit leaves out. */
export type LeftOut = {
  /** Events that do not state it. */
  unknown: number;
  /** Events that cost more, have another currency or another minimum age. */
  others: number;
};

/** The limits that a question names, and the events that they leave out. */
export type LimitReading = {
  limits: EventLimits;
  price: LeftOut;
  age: LeftOut;
  /** Whether more than `maxLimitedEvents` events fit all but the limits, so that the later ones were not read. */
  isPartial: boolean;
};

/** The events of a query within its limits; `query` is the query without the words for them. */
export type LimitedResults = { query: EventQuery; results: EventResults; reading: LimitReading | null };

/**
 * Finds events like `findEvents`, and keeps those within the price and age in the free text: "techno under 20 euros",
 * "parties for 17 year olds". Words that are part of an event's name stay words.
 * @throws Problem `invalid_parameter` if `from` or `to` cannot be read
 */
export function findWithinLimits(fullQuery: EventQuery, catalogue: Catalogue): LimitedResults {
  const query = truncate(fullQuery);
  const { rest, limits } = splitLimits(query.query ?? '');
  if (limits === null) return { query, results: findEvents(query, catalogue), reading: null };
  const named = findEvents(query, catalogue);
  if (named.named !== null) return { query, results: named, reading: null };
  const restQuery = { ...query, query: rest };
  const all = findEvents({ ...restQuery, limit: maxLimitedEvents, countTo: maxLimitedEvents }, catalogue);
  const candidates = all.items.map((json) => ({ json, event: JSON.parse(json) as EventItem }));
  const within = candidates.filter(({ event }) => fitsLimits(limits, event));
  const results = {
    ...all,
    items: within.slice(0, query.limit).map(({ json }) => json),
    hasMore: within.length > query.limit,
    count: within.length > query.countTo ? null : within.length,
  };
  const events = candidates.map(({ event }) => event);
  const { price, age } = limits;
  return {
    query: restQuery,
    results,
    reading: {
      limits,
      price: leftOut(events, 'price_min', (event) => price === null || isWithin(price, event)),
      age: leftOut(events, 'minimum_age', (event) => age === null || isOfAge(age, event)),
      isPartial: all.hasMore,
    },
  };
}

function leftOut(
  events: readonly EventItem[],
  member: 'price_min' | 'minimum_age',
  fits: (event: EventItem) => boolean,
): LeftOut {
  const outside = events.filter((event) => !fits(event));
  const unknown = outside.filter((event) => event[member] === null).length;
  return { unknown, others: outside.length - unknown };
}

/** A text of a megabyte would be normalized several times, which takes 80 ms. */
const truncate = (query: EventQuery): EventQuery =>
  query.query === undefined ? query : { ...query, query: query.query.slice(0, maxQueryLength) };
