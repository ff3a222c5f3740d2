/** Finds events within the price that a question names. Prices are no filter of the lists, so events are read for it. */

import type { ApiRecord } from '../contract/records.ts';
import { type EventQuery, type EventResults, findEvents, maxQueryLength } from './find-events.ts';
import { isWithin, type PriceLimit, splitPrice } from './price-phrases.ts';
import type { Catalogue } from './request.ts';

type EventItem = ApiRecord<'EventItem'>;

/** Events that are read to find those with a price. */
export const maxPricedEvents = 300;

/** The price that a question names, and the events that it leaves out. */
export type PriceReading = {
  limit: PriceLimit;
  /** Events without a known price. */
  unknown: number;
  /** Events that cost more, or whose currency is another one. */
  others: number;
  /** Whether more than `maxPricedEvents` events fit all but the price, so that the later ones were not read. */
  isPartial: boolean;
};

/** The events of a query within its price; `query` is the query without the words for the price. */
export type PricedResults = { query: EventQuery; results: EventResults; price: PriceReading | null };

/**
 * Finds events like `findEvents`, and keeps those within the price in the free text: "techno under 20 euros". Words that
 * are part of an event's name stay words.
 * @throws Problem `invalid_parameter` if `from` or `to` cannot be read
 */
export function findWithinPrice(written: EventQuery, catalogue: Catalogue): PricedResults {
  const query = truncate(written);
  const { rest, price: limit } = splitPrice(query.query ?? '');
  if (limit === null) return { query, results: findEvents(query, catalogue), price: null };
  const named = findEvents(query, catalogue);
  if (named.named !== null) return { query, results: named, price: null };
  const asked = { ...query, query: rest };
  const all = findEvents({ ...asked, limit: maxPricedEvents, countTo: maxPricedEvents }, catalogue);
  const read = all.items.map((json) => ({ json, event: JSON.parse(json) as EventItem }));
  const within = read.filter(({ event }) => isWithin(limit, event));
  const unknown = read.filter(({ event }) => event.price_min === null).length;
  const results = {
    ...all,
    items: within.slice(0, query.limit).map(({ json }) => json),
    hasMore: within.length > query.limit,
    count: within.length > query.countTo ? null : within.length,
  };
  const others = read.length - within.length - unknown;
  return { query: asked, results, price: { limit, unknown, others, isPartial: all.hasMore } };
}

/** A text of a megabyte would be normalized several times, which takes 80 ms. */
const truncate = (query: EventQuery): EventQuery =>
  query.query === undefined ? query : { ...query, query: query.query.slice(0, maxQueryLength) };
