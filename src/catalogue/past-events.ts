/** Counts the past events of a query and finds the latest, for questions such as "when did X last play?". */
import { dayMs } from '../clock.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { buildFilters, fetchEvents, type QueryFilter } from './event-filters.ts';
import type { EventQuery, EventResults } from './find-events.ts';
import type { Catalogue } from './request.ts';

export type PastEvents = {
  /** Null if there are more than are counted. */
  count: number | null;
  /** The latest as JSON text of a list item. */
  latest: string;
};

/** Counting takes a microsecond per event. */
const maxCounted = 10_000;
/** Without a name that selects a part of the events, fewer are counted. */
const maxCountedAnywhere = 1_000;
const maxByName = 500;

/** Returns the past events that match a query; null if there are none, or if the query has no condition. */
export function findPastEvents(
  query: EventQuery,
  results: EventResults,
  catalogue: Catalogue,
): PastEvents | null {
  const { names, country, words, window } = results;
  if (names.length === 0 && country === null && words === '' && !window.from && !window.to) return null;
  const { night: _, ...days } = window;
  const filters = buildFilters({ includePast: true, now: query.now }, results, days, catalogue).map(
    (filter) => ({
      ...filter,
      pastAt: query.now,
    }),
  );
  const isByName =
    words !== '' && filters.every(({ label, editions }) => label === undefined && editions === undefined);
  if (isByName) return findByName(catalogue, filters, words);
  const isRead = words !== '' || filters.some(({ label }) => label !== undefined);
  const all = fetchEvents(catalogue, filters, words, isRead ? maxByName : 1, true);
  const [latest] = all;
  if (latest === undefined) return null;
  if (isRead) return { count: all.length < maxByName ? all.length : null, latest };
  const isSelective = names.some(({ kind }) => kind !== 'genre');
  const max = isSelective ? maxCounted : maxCountedAnywhere;
  let count = 0;
  for (const filter of filters) {
    count += catalogue.reader.events.count(filter, max + 1);
    if (count > max) return { count: null, latest };
  }
  return { count, latest };
}

/** Past events are found by name in spans of this length, each in short steps. The last span has no start. */
const spanMs = 500 * dayMs;
const maxSpans = 4;

/** Finds past events by the words of their names, in one span of time after the other. */
function findByName(catalogue: Catalogue, filters: readonly QueryFilter[], words: string): PastEvents | null {
  const name = normalizeForSearch(words);
  const divided = filters.map(inSpans);
  let count = 0;
  let latest: string | undefined;
  for (let at = 0; at < maxSpans; at++) {
    const ofSpan = divided.flatMap((spans) => spans[at] ?? []);
    latest ??= fetchEvents(catalogue, ofSpan, words, 1, true)[0];
    // No event of this span or a later one matches.
    if (latest === undefined) continue;
    for (const { label: _, ...filter } of ofSpan) {
      count += catalogue.reader.eventNames.count(name, filter, maxByName - count);
      if (count >= maxByName) return { count: null, latest };
    }
  }
  return latest === undefined ? null : { count, latest };
}

/** Divides a filter without a window into filters of spans, the latest first. Each event is in one of them. */
function inSpans(filter: QueryFilter): QueryFilter[] {
  const { pastAt, from, to } = filter;
  if (pastAt === undefined || from !== undefined || to !== undefined) return [filter];
  const bounds = Array.from({ length: maxSpans - 1 }, (_, at) => pastAt - (at + 1) * spanMs);
  return [...bounds, null].map((first, at) => ({
    ...filter,
    ...(first !== null && { from: { instant: first } }),
    ...(at > 0 && { to: { instant: (bounds[at - 1] as number) - 1 } }),
  }));
}
