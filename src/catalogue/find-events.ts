/** Finds events by names, free text and a time window in words. Names become records, and records become list filters. */

import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { endsInPast, isNonBlank, resolveWindow, type WindowReading } from './dates/event-window.ts';
import { isOfNight } from './dates/nights.ts';
import type { TimeExpression } from './dates/time-expressions.ts';
import type { TimeWindow } from './dates/time-window.ts';
import { buildFilters, fetchEvents, withOtherGenres } from './event-filters.ts';
import { linkArtists } from './linking/artists.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import { type EventPhrase, findEventPhrase } from './named-events.ts';
import { findCity } from './places/cities.ts';
import type { PlaceConstraint } from './places/place-suffix.ts';
import { type CountryMatch, type ParsedQuery, parseQuery } from './query-parser.ts';
import type { Catalogue } from './request.ts';
import { nearMe } from './stop-words.ts';
import { isGuess, isWeakGuess, resolveUnmatchedTerms } from './unmatched-terms.ts';

/** A query for events; missing members do not restrict the result. */
export type EventQuery = {
  query?: string | undefined;
  artist?: string | undefined;
  venue?: string | undefined;
  genre?: string | undefined;
  city?: string | undefined;
  festival?: string | undefined;
  label?: string | undefined;
  country?: CountryMatch | undefined;
  from?: string | undefined;
  to?: string | undefined;
  includePast: boolean;
  limit: number;
  /** Maximum count, if there are more than `limit`. */
  countTo: number;
  /** ms since 1970. */
  now: number;
};

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
  /** The event name that the free text contains, and how many of the first items have it; null if there is none. */
  named: NamedEvents | null;
};

/** `count` events with the name `text` are the first items; with `isOnly` there is no other reading. */
export type NamedEvents = { readonly text: string; readonly count: number; readonly isOnly: boolean };

/** The names and filters of one interpretation of a query. */
type QueryInterpretation = {
  names: readonly EntityLink[];
  country: CountryMatch | null;
  words: string;
  times: TimeExpression | null;
  unread: readonly string[];
  surplus: readonly EntityLink[];
  otherGenres?: readonly EntityLink[];
  guesses: readonly EntityLink[];
};

/**
 * Finds events, soonest first. Past events are included only if the window asks for them. An unknown name matches no
 * event.
 * @throws Problem `invalid_parameter` if `from` or `to` cannot be read
 */
export function findEvents(query: EventQuery, catalogue: Catalogue): EventResults {
  const results = findNamedOrInterpreted(query, catalogue);
  const [near] = nearMe.exec((query.query ?? '').slice(0, maxQueryLength)) ?? [];
  const isPlaced =
    results.country !== null || results.names.some(({ kind }) => kind === 'city' || kind === 'venue');
  if (near === undefined || isPlaced) return results;
  return { ...results, unread: [...results.unread, near.replace(/\s+/gu, ' ')] };
}

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
  const [wording] = phrase.rest === '' ? [] : parseQuery(catalogue, phrase.rest);
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
  const known = new Set(exact.items);
  const rest = results.items.filter((json) => !known.has(json));
  if (rest.length === results.items.length && rest.length === 0)
    return { ...exact, named: { text, count: exact.items.length, isOnly: true } };
  // Of an ambiguous name, the other reading is the likelier one.
  const own = isAmbiguous ? exact.items.slice(0, maxAmbiguous) : exact.items;
  const shown = rest.slice(0, query.limit - own.length);
  const added = own.filter((json) => !results.items.includes(json)).length;
  const items = isAmbiguous ? sortByStart([...own, ...shown], results.isNewestFirst) : [...own, ...shown];
  return {
    ...results,
    items,
    hasMore: results.hasMore || shown.length < rest.length,
    count: results.count === null ? null : results.count + added,
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
    if (results.items.length > 0 || isFullyUnderstood(results)) return results;
    first ??= results;
  }
  return first as EventResults;
}

/** Whether all of a free text was understood. Then even an empty result is the answer. */
const isFullyUnderstood = ({ unread, words }: EventResults): boolean => unread.length === 0 && words === '';

/** Longer texts are truncated. */
const maxQueryLength = 500;

function interpretFields(query: EventQuery, catalogue: Catalogue): QueryInterpretation {
  const country = query.country ?? null;
  const inCountry: PlaceConstraint = country === null ? {} : { country: country.code };
  const names: EntityLink[] = isNonBlank(query.artist) ? [...linkArtists(catalogue, query.artist)] : [];
  const city = isNonBlank(query.city) ? linkEntity(catalogue, 'city', query.city, inCountry) : null;
  if (isNonBlank(query.venue))
    names.push(linkEntity(catalogue, 'venue', query.venue, placeConstraintOf(catalogue, inCountry, city)));
  if (isNonBlank(query.genre)) names.push(linkEntity(catalogue, 'genre', query.genre));
  if (city) names.push(city);
  if (isNonBlank(query.festival)) names.push(linkEntity(catalogue, 'festival', query.festival));
  if (isNonBlank(query.label)) names.push(linkEntity(catalogue, 'label', query.label));
  return { names, country, words: '', times: null, unread: [], surplus: [], guesses: [] };
}

/** Returns the required location of a venue: the cities of a link, or a city by name. */
function placeConstraintOf(
  catalogue: Catalogue,
  country: PlaceConstraint,
  city: EntityLink | null | undefined,
): PlaceConstraint {
  if (!city) return country;
  if (city.match === null) return { ...country, city: city.text };
  const own = findCity(catalogue, city.match.slug);
  const cities = city.region?.cities ?? (own === null ? [] : [own]);
  return { ...country, cities };
}

const kindOrder: readonly NameableKind[] = ['artist', 'venue', 'genre', 'city', 'festival', 'label'];
const sortByKind = (names: readonly EntityLink[]): EntityLink[] =>
  [...names].sort((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind));

/**
 * Combines the fields with a free text whose remaining words must all occur in event names. Fields take precedence
 * over names in the text, which then count as words. Null if a part cannot be words.
 */
function combineStrictly(
  fields: QueryInterpretation,
  wording: ParsedQuery,
  catalogue: Catalogue,
): QueryInterpretation | null {
  const { interpretation, left } = combineNames(fields, wording, catalogue);
  if (wording.hasAlternative) return null;
  const words = [...left, ...wording.rest, ...wording.surplus.map(({ text }) => [text])];
  const read = words.map((run) => normalizeForSearch(run.join(' '))).filter(Boolean);
  if (read.length < words.length) return null;
  return { ...interpretation, words: read.join(' ') };
}

/** Like `combineStrictly`, but words are required only if some event name contains them. */
function combineLeniently(
  fields: QueryInterpretation,
  wording: ParsedQuery,
  { includePast, now }: EventQuery,
  catalogue: Catalogue,
): QueryInterpretation {
  const { interpretation, left, place } = combineNames(fields, wording, catalogue);
  const namedKinds = new Set(interpretation.names.map(({ kind }) => kind));
  const upcomingAt = includePast ? undefined : now;
  const read = resolveUnmatchedTerms(catalogue, [...left, ...wording.rest], namedKinds, place, upcomingAt);
  const names = [...interpretation.names];
  const otherGenres = alternativeGenres(wording, fields);
  const surplus = wording.surplus.filter((choice) => !otherGenres.includes(choice));
  for (const choice of read.names) {
    const isFirst = choice.kind === 'artist' || names.every(({ kind }) => kind !== choice.kind);
    if (isFirst) names.push(choice);
    else surplus.push(choice);
  }
  const { unread } = read;
  // If only a time was understood, the rest asks for something that is not in the catalogue.
  const isNothing = names.length + read.words.length === 0 && interpretation.country === null;
  const words = (isNothing ? unread : read.words).join(' ');
  const all = {
    ...interpretation,
    names: sortByKind(names),
    surplus,
    otherGenres,
    words,
    unread: isNothing ? [] : unread,
  };
  return withoutGuesses(all, fields, isWeakGuess);
}

/** The genres after "or" in a free text; a genre in a field is the only one. */
function alternativeGenres(
  { hasAlternative, names, surplus }: ParsedQuery,
  fields: QueryInterpretation,
): EntityLink[] {
  const isGenre = ({ kind, match }: EntityLink) => kind === 'genre' && match !== null;
  const isRead = hasAlternative && names.some(isGenre) && !fields.names.some(isGenre);
  return isRead ? surplus.filter(isGenre) : [];
}

/** Drops guessed names if other parts were understood: a guess is then an ordinary word. */
function withoutGuesses(
  interpretation: QueryInterpretation,
  fields: QueryInterpretation,
  isOut: (choice: EntityLink) => boolean,
): QueryInterpretation {
  const guesses = interpretation.names.filter((choice) => !fields.names.includes(choice) && isOut(choice));
  const names = interpretation.names.filter((choice) => !guesses.includes(choice));
  const hasOther =
    names.length > 0 ||
    interpretation.country !== null ||
    interpretation.times !== null ||
    interpretation.words !== '';
  if (guesses.length === 0 || !hasOther) return interpretation;
  const unread = [...interpretation.unread, ...guesses.map(({ text }) => text)];
  return { ...interpretation, names, unread, guesses: [...interpretation.guesses, ...guesses] };
}

/** Combines the names of fields and text. Returns the text's names that count as words, and the required place. */
function combineNames(
  fields: QueryInterpretation,
  wording: ParsedQuery,
  catalogue: Catalogue,
): { interpretation: QueryInterpretation; left: string[][]; place: PlaceConstraint } {
  const names = [...fields.names];
  const left: string[][] = [];
  const country = fields.country ?? wording.country;
  for (const choice of wording.names) {
    const same = names.filter(({ kind }) => kind === choice.kind);
    if (same.some(({ match }) => match?.id === choice.match?.id)) continue;
    if (choice.kind === 'artist' || same.length === 0) names.push(choice);
    else left.push([choice.text]);
  }
  const inCountry: PlaceConstraint = country === null ? {} : { country: country.code };
  const city = names.find(({ kind }) => kind === 'city');
  const place = placeConstraintOf(catalogue, inCountry, city);
  const placed = names.flatMap((choice) => {
    const link = fields.names.includes(choice) ? choice : relinkInPlace(choice, inCountry, place, catalogue);
    // There is no such name in that place, so these are ordinary words.
    if (link === null) left.push([choice.text]);
    return link ?? [];
  });
  const { times } = wording;
  return { interpretation: { ...fields, names: sortByKind(placed), country, times }, left, place };
}

/** Links a name again, now with its place; null if there is none in that place. */
function relinkInPlace(
  choice: EntityLink,
  country: PlaceConstraint,
  place: PlaceConstraint,
  catalogue: Catalogue,
): EntityLink | null {
  if (choice.kind === 'city') return linkEntity(catalogue, 'city', choice.text, country);
  if (choice.kind !== 'venue') return choice;
  const venue = linkEntity(catalogue, 'venue', choice.text, place);
  if (isExactLink(venue)) return venue;
  const artist = linkEntity(catalogue, 'artist', choice.text);
  return isExactLink(artist) ? artist : null;
}

/** Maximum number of events of unknown time among those of a night, which may belong to the next day. */
const maxUnknownTimeEvents = 50;

function runQuery(
  query: EventQuery,
  interpretation: QueryInterpretation,
  catalogue: Catalogue,
): EventResults {
  const { window, reading, isUnread } = resolveWindow(query, interpretation, catalogue);
  const wanted = Math.max(query.limit, query.countTo) + 1;
  const { otherGenres = [] } = interpretation;
  const filters = withOtherGenres(buildFilters(query, interpretation, window, catalogue), otherGenres);
  const { night } = window;
  const isNewestFirst = query.includePast && endsInPast(window, reading?.today ?? null, query.now);
  const all = fetchEvents(
    catalogue,
    filters,
    interpretation.words,
    (night ? wanted + maxUnknownTimeEvents : wanted) * (otherGenres.length + 1),
    isNewestFirst,
  );
  const unique = otherGenres.length === 0 ? all : [...new Set(all)];
  const items = (night ? unique.filter((json) => isOfNight(json, night)) : unique).slice(0, wanted);
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
    count: items.length === wanted ? null : items.length,
    isNewestFirst,
    named: null,
  };
}

const timeTerms = ({ from, to }: TimeExpression): string[] => [from, to].flatMap((text) => text ?? []);
