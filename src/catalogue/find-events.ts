/** Finds events by names, free text and a time window in words. Names become records, and records become list filters. */

import { normalizeForSearch } from '../text/fold.ts';
import { endsInPast, resolveWindow, type WindowReading } from './dates/event-window.ts';
import { isOfNight } from './dates/nights.ts';
import { containsWords, type EventOrder, splitOrder } from './dates/order-words.ts';
import type { TimeExpression } from './dates/time-expressions.ts';
import type { TimeWindow } from './dates/time-window.ts';
import { buildFilters, fetchEvents, withOtherGenres } from './event-filters.ts';
import {
  combineLeniently,
  combineNames,
  combineStrictly,
  type EventQuery,
  interpretFields,
  type QueryInterpretation,
  withoutGuesses,
} from './event-query.ts';
import type { EntityLink } from './linking/entity-linking.ts';
import { type EventPhrase, findEventPhrase } from './named-events.ts';
import { type CountryMatch, type ParsedQuery, parseQuery } from './query-parser.ts';
import type { Catalogue } from './request.ts';
import { nearMe } from './stop-words.ts';
import { isGuess } from './unmatched-terms.ts';

export type { EventQuery } from './event-query.ts';

export type EventResults = {
  /** All names in the query, artists first, with their links. */
  names: readonly EntityLink[];
  country: CountryMatch | null;
  window: TimeWindow;
  /** How the window was interpreted; null if none was requested. */
  reading: WindowReading | null;
  /** Words that must occur in the event names. */
  words: string;
  /** Words of the free text that were ignored, as written. */
  unread: readonly string[];
  /** Names of the free text that were ignored because another name of their kind is present. */
  surplus: readonly EntityLink[];
  /** Further genres after "or": events of any of them are found. */
  otherGenres: readonly EntityLink[];
  /** Names similar to ignored words of the free text. */
  guesses: readonly EntityLink[];
  /** List items as JSON text with the base URL placeholder of `store/records/serialize.ts`. */
  items: string[];
  hasMore: boolean;
  /** The number of events; null if it exceeds `countTo`. */
  count: number | null;
  /** Whether the newest event comes first, because the window is past. */
  isNewestFirst: boolean;
  /** The order that the free text asks for ("the last klubnacht"); null if it has none. */
  order: EventOrder | null;
  /** The event name that the free text contains, and how many of the first items have it; null if there is none. */
  named: NamedEvents | null;
};

/** `count` events with the name `text` are the first items; with `isOnly` there is no other reading. */
export type NamedEvents = { readonly text: string; readonly count: number; readonly isOnly: boolean };

/**
 * Finds events, soonest first. Past events are included only if the window asks for them. An unknown name matches no
 * event.
 * @throws Problem `invalid_parameter` if `from` or `to` cannot be read
 */
export function findEvents(query: EventQuery, catalogue: Catalogue): EventResults {
  const text = (query.query ?? '').slice(0, maxQueryLength);
  const [near] = nearMe.exec(text) ?? [];
  if (near === undefined) return findOrdered(query, catalogue);
  const results = findAroundNearMe(query, text.replace(near, ' '), catalogue);
  const isPlaced =
    results.country !== null || results.names.some(({ kind }) => kind === 'city' || kind === 'venue');
  return isPlaced ? results : { ...results, unread: [...results.unread, near.replace(/\s+/gu, ' ')] };
}

/** Leaves "near me" out of the text, unless it is part of the name of an event. */
function findAroundNearMe(query: EventQuery, rest: string, catalogue: Catalogue): EventResults {
  const whole = findOrdered(query, catalogue);
  const isPartOfName = whole.named !== null || (whole.words !== '' && whole.items.length > 0);
  return isPartOfName ? whole : findOrdered({ ...query, query: rest }, catalogue);
}

/** Longer texts are truncated. */
export const maxQueryLength = 500;

/**
 * Reads "last" and "next" as the order of events if the rest of the text names some: "last klubnacht at Berghain". Words of
 * a name or a time stay what they are.
 */
function findOrdered(query: EventQuery, catalogue: Catalogue): EventResults {
  const results = findNamedOrInterpreted(query, catalogue);
  const text = (query.query ?? '').slice(0, maxQueryLength).toWellFormed().trim();
  const ordered = splitOrder(text);
  // Without past events, the next ones are the first.
  if (ordered === null || (ordered.order === 'next' && !query.includePast)) return results;
  const { order, words, rest } = ordered;
  const isName = [...results.names.map((name) => name.text), results.named?.text ?? ''].some((name) =>
    containsWords(normalizeForSearch(name), words),
  );
  const isInNames = results.items.length > 0 && containsWords(results.words, words);
  if (isName || isInNames) return results;
  const restQuery = { ...query, query: rest, order, includePast: query.includePast && order === 'last' };
  const other = findNamedOrInterpreted(restQuery, catalogue);
  const isNamed =
    other.words !== '' ||
    other.named !== null ||
    other.names.some(({ kind, match }) => match !== null && !placesAndGenres.has(kind));
  // Without past events, the latest one is named besides those to come.
  const isAnswer = other.items.length > 0 || !query.includePast;
  return isNamed && other.unread.length === 0 && isAnswer ? other : results;
}

const placesAndGenres: ReadonlySet<string> = new Set(['city', 'genre']);

/**
 * Tries the free text as the name of an event first, then as names and words, and joins both: the events of that name
 * come first, or in the order of their start if the name is also that of a record or time.
 */
function findNamedOrInterpreted(query: EventQuery, catalogue: Catalogue): EventResults {
  const text = (query.query ?? '').slice(0, maxQueryLength).toWellFormed().trim();
  const phrase = text === '' ? null : findEventPhrase(catalogue, text);
  if (phrase === null) return findInterpreted(query, catalogue);
  const exact = findByPhrase(query, phrase, catalogue);
  const results = findInterpreted(query, catalogue);
  if (exact.items.length === 0) return results;
  const isRead = results.names.length > 0 && results.unread.length === 0 && results.guesses.length === 0;
  if (!isRead && !phrase.isAmbiguous)
    return { ...exact, named: { text: phrase.text, count: exact.items.length, isOnly: true } };
  return joinResults(query, exact, results, phrase);
}

/** Finds the events with a name; the text around the name may have a place and a time. */
function findByPhrase(query: EventQuery, phrase: EventPhrase, catalogue: Catalogue): EventResults {
  const fields = interpretFields(query, catalogue);
  const wordings = phrase.rest === '' ? [] : [...parseQuery(catalogue, phrase.rest)];
  const wording = wordings.find(({ times }) => times !== null) ?? wordings[0];
  const around = wording === undefined ? fields : combineNames(fields, wording, catalogue).interpretation;
  const results = runQuery(query, { ...around, words: phrase.words }, catalogue);
  const exact = results.items.filter(
    (json) => normalizeForSearch((JSON.parse(json) as { name: string }).name) === phrase.words,
  );
  if (exact.length === 0 || exact.length === results.items.length) return results;
  return { ...results, items: exact, hasMore: false, count: exact.length };
}

function joinResults(
  query: EventQuery,
  exact: EventResults,
  results: EventResults,
  { text, isAmbiguous }: EventPhrase,
): EventResults {
  const exactItems = new Set(exact.items);
  const rest = results.items.filter((json) => !exactItems.has(json));
  if (rest.length === results.items.length && rest.length === 0)
    return { ...exact, named: { text, count: exact.items.length, isOnly: true } };
  // Of an ambiguous name, the other reading is the likelier one.
  const own = isAmbiguous ? exact.items.slice(0, maxAmbiguous) : exact.items;
  const others = rest.slice(0, query.limit - own.length);
  const newItems = own.filter((json) => !results.items.includes(json)).length;
  const items = isAmbiguous ? sortByStart([...own, ...others], results.isNewestFirst) : [...own, ...others];
  return {
    ...results,
    items,
    hasMore: results.hasMore || others.length < rest.length,
    count: results.count === null ? null : results.count + newItems,
    named: isAmbiguous ? null : { text, count: own.length, isOnly: false },
  };
}

const maxAmbiguous = 3;
const startOf = (json: string): number => Date.parse((JSON.parse(json) as { start_at: string }).start_at);
const sortByStart = (items: readonly string[], isNewestFirst: boolean): string[] =>
  items
    .map((json) => ({ json, start: startOf(json) }))
    .sort((a, b) => (isNewestFirst ? b.start - a.start : a.start - b.start))
    .map(({ json }) => json);

function findInterpreted(query: EventQuery, catalogue: Catalogue): EventResults {
  const fields = interpretFields(query, catalogue);
  const text = (query.query ?? '').slice(0, maxQueryLength).toWellFormed().trim();
  if (text === '') return runQuery(query, fields, catalogue);
  const wordings: ParsedQuery[] = [];
  for (const wording of parseQuery(catalogue, text)) {
    wordings.push(wording);
    const interpretation = combineStrictly(fields, wording, catalogue);
    if (interpretation === null) continue;
    const results = runQuery(query, interpretation, catalogue);
    if (results.items.length > 0) return results;
  }
  // No event name contains all remaining words: the likeliest interpretation wins.
  let first: EventResults | null = null;
  for (const wording of wordings.reverse()) {
    const interpretation = combineLeniently(fields, wording, query, catalogue);
    const results = runQuery(query, interpretation, catalogue);
    const sure =
      results.items.length === 0 ? withoutGuesses(interpretation, fields, isGuess) : interpretation;
    const other = sure === interpretation ? results : runQuery(query, sure, catalogue);
    if (other.items.length > 0) return other;
    const isUnderstood = isFullyUnderstood(results) || isEventAtTime(sure, query, catalogue);
    if (results.items.length > 0 || isUnderstood) return results;
    first ??= results;
  }
  return first as EventResults;
}

/** Whether all of a free text was understood. Then even an empty result is the answer. */
const isFullyUnderstood = ({ unread, words }: EventResults): boolean => unread.length === 0 && words === '';

/** Whether all of a free text is a time and words of an upcoming event, which may be on another day: "Klubnacht morgen". */
const isEventAtTime = (
  { times, words, unread }: QueryInterpretation,
  { now }: EventQuery,
  { reader }: Catalogue,
): boolean =>
  times !== null &&
  words !== '' &&
  unread.length === 0 &&
  reader.eventNames.has(normalizeForSearch(words), { upcomingAt: now });

/** Maximum number of events of unknown time among those of a night, which may belong to the next day. */
const maxUnknownTimeEvents = 50;

function runQuery(
  query: EventQuery,
  interpretation: QueryInterpretation,
  catalogue: Catalogue,
): EventResults {
  const { window, reading, isUnread } = resolveWindow(query, interpretation, catalogue);
  const size = Math.max(query.limit, query.countTo) + 1;
  const { otherGenres = [] } = interpretation;
  const { order = null, now } = query;
  const isPast = order === 'last' && query.includePast;
  const all = buildFilters(query, interpretation, window, catalogue);
  const bounded = isPast ? all.map((filter) => ({ ...filter, pastAt: now })) : all;
  const filters = withOtherGenres(bounded, otherGenres);
  const { night } = window;
  const isNewestFirst = isPast || (query.includePast && endsInPast(window, reading?.present ?? null, now));
  const fetched = fetchEvents(
    catalogue,
    filters,
    interpretation.words,
    (night ? size + maxUnknownTimeEvents : size) * (otherGenres.length + 1),
    isNewestFirst,
  );
  const unique = otherGenres.length === 0 ? fetched : [...new Set(fetched)];
  const items = (night ? unique.filter((json) => isOfNight(json, night)) : unique).slice(0, size);
  const { names, country, words, unread, surplus, guesses } = interpretation;
  return {
    names,
    country,
    window,
    reading,
    words,
    unread: isUnread && interpretation.times ? [...unread, ...timeTerms(interpretation.times)] : unread,
    surplus,
    otherGenres,
    guesses,
    items: items.slice(0, query.limit),
    hasMore: items.length > query.limit,
    count: items.length === size ? null : items.length,
    isNewestFirst,
    order,
    named: null,
  };
}

const timeTerms = ({ from, to }: TimeExpression): string[] => [from, to].flatMap((text) => text ?? []);
