/** Finds the events that a person asks for: upcoming ones, unless the question is about past ones. */
import { endsInPast } from './dates/event-window.ts';
import { splitOrder } from './dates/order-words.ts';
import { type EventQuery, type EventResults, findEvents } from './find-events.ts';
import type { Catalogue } from './request.ts';

/** The events of a question, and the query that found them. */
export type AskedEvents = {
  query: EventQuery;
  results: EventResults;
  /** The words that ask for the latest past events; null without any. */
  lastWords: string | null;
  /** Whether no past event answers these words, so that the events are upcoming ones. */
  isWithoutPast: boolean;
};

/**
 * Finds the latest past events for "last", "zuletzt" and such words, those of days that are over ("in May 2024"), and
 * otherwise upcoming events.
 * @param query a query without past events
 */
export function findAskedEvents(query: EventQuery, catalogue: Catalogue): AskedEvents {
  const ordered = splitOrder(query.query ?? '');
  const upcoming = { query, lastWords: null, isWithoutPast: false };
  if (ordered?.order !== 'last') return { ...upcoming, ...findOnDays(query, catalogue) };
  const past = { ...query, includePast: true };
  const results = findEvents(past, catalogue);
  if (results.order === 'last')
    return { query: past, results, lastWords: ordered.words, isWithoutPast: false };
  const next = findEvents(query, catalogue);
  // Without past events, the words were not read; the rest of the question still finds those that are to come.
  if (next.order !== 'last') return { ...upcoming, results: next };
  return { query, results: next, lastWords: ordered.words, isWithoutPast: true };
}

/**
 * Finds upcoming events, or those of days that are over ("last weekend", "in May 2024"), or the latest past events with the
 * name that no upcoming one has.
 */
function findOnDays(query: EventQuery, catalogue: Catalogue): Pick<AskedEvents, 'query' | 'results'> {
  const results = findEvents(query, catalogue);
  const { items, reading, window } = results;
  const isOver = items.length === 0 && reading !== null && endsInPast(window, reading.present, query.now);
  if (!isOver) return findPastOfName(query, results, catalogue) ?? { query, results };
  const past = { ...query, includePast: true };
  const found = findEvents(past, catalogue);
  return found.items.length > 0 ? { query: past, results: found } : { query, results };
}

/** Finds past events if all words that were not understood are together the name of some: "Klubnacht Berghain". */
function findPastOfName(
  query: EventQuery,
  { reading, unread }: EventResults,
  catalogue: Catalogue,
): Pick<AskedEvents, 'query' | 'results'> | null {
  if (reading !== null || unread.length === 0) return null;
  if (!catalogue.reader.namedRecords.hasName('event', unread.join(' '))) return null;
  const past: EventQuery = { ...query, includePast: true, order: 'last' };
  const results = findEvents(past, catalogue);
  return results.items.length > 0 && results.unread.length === 0 ? { query: past, results } : null;
}
