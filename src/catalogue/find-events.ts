/**
 * Events by what people and models say of them: names in place of slugs, a free text, a window in words. Names become
 * records, and records the filters that lists of events have.
 */

import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { isNonBlank, resolveWindow, type WindowReading } from './dates/event-window.ts';
import { isOfNight } from './dates/nights.ts';
import type { TimeExpression } from './dates/time-expressions.ts';
import type { TimeWindow } from './dates/time-window.ts';
import { buildFilters, fetchEvents } from './event-filters.ts';
import type { Catalogue } from './handlers.ts';
import { linkArtists } from './linking/artists.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import { findCity } from './places/cities.ts';
import type { PlaceConstraint } from './places/place-suffix.ts';
import { type CountryMatch, type ParsedQuery, parseQuery } from './query-parser.ts';
import { nearMe } from './stop-words.ts';
import { isGuess, isWeakGuess, resolveUnmatchedTerms } from './unmatched-terms.ts';

/** What is asked; absent members restrict nothing. */
export type EventQuery = {
  query?: string | undefined;
  artist?: string | undefined;
  venue?: string | undefined;
  genre?: string | undefined;
  city?: string | undefined;
  country?: CountryMatch | undefined;
  from?: string | undefined;
  to?: string | undefined;
  includePast: boolean;
  limit: number;
  /** How many are counted, should there be more than `limit`. */
  countTo: number;
  /** ms since 1970. */
  now: number;
};

export type EventResults = {
  /** All names that were given, artists first, and what they mean. */
  names: readonly EntityLink[];
  country: CountryMatch | null;
  window: TimeWindow;
  /** How the window was read; null where none was asked for. */
  reading: WindowReading | null;
  /** Words that the names of the events have. */
  words: string;
  /** Words of the free text that were left out, as they were written. */
  unread: readonly string[];
  /** Names of the free text that were left out, since one of their kind is there already. */
  surplus: readonly EntityLink[];
  /** Names that words of the free text are like, which were left out with those words. */
  guesses: readonly EntityLink[];
  /** List items as JSON texts, with the placeholder of `store/records/serialize.ts` for the base address. */
  items: string[];
  hasMore: boolean;
  /** How many there are; null where they are more than `countTo`. */
  count: number | null;
};

/** Names and filters of one reading of what is asked. */
type QueryInterpretation = {
  names: readonly EntityLink[];
  country: CountryMatch | null;
  words: string;
  times: TimeExpression | null;
  unread: readonly string[];
  surplus: readonly EntityLink[];
  guesses: readonly EntityLink[];
};

/**
 * Finds events, soonest first: those that are not over, unless past ones are wanted. A name that nobody has finds none.
 * @throws Problem `invalid_parameter` where `from` or `wordEnd` cannot be read
 */
export function findEvents(asked: EventQuery, catalogue: Catalogue): EventResults {
  const found = findInterpreted(asked, catalogue);
  const [near] = nearMe.exec((asked.query ?? '').slice(0, maxQueryLength)) ?? [];
  const isPlaced =
    found.country !== null || found.names.some(({ kind }) => kind === 'city' || kind === 'venue');
  if (near === undefined || isPlaced) return found;
  return { ...found, unread: [...found.unread, near.replace(/\s+/gu, ' ')] };
}

function findInterpreted(asked: EventQuery, catalogue: Catalogue): EventResults {
  const given = interpretFields(asked, catalogue);
  const text = (asked.query ?? '').slice(0, maxQueryLength).toWellFormed().trim();
  if (text === '') return runQuery(asked, given, catalogue);
  const wordings: ParsedQuery[] = [];
  for (const wording of parseQuery(catalogue, text)) {
    wordings.push(wording);
    const meant = combineStrictly(given, wording, catalogue);
    if (meant === null) continue;
    const found = runQuery(asked, meant, catalogue);
    if (found.items.length > 0) return found;
  }
  // No event has all that was left in its name: the reading that understands most comes first.
  let first: EventResults | null = null;
  for (const wording of wordings.reverse()) {
    const meant = combineLeniently(given, wording, asked, catalogue);
    const found = runQuery(asked, meant, catalogue);
    const sure = found.items.length === 0 ? withoutGuesses(meant, given, isGuess) : meant;
    const other = sure === meant ? found : runQuery(asked, sure, catalogue);
    if (other.items.length > 0) return other;
    if (found.items.length > 0 || isFullyUnderstood(found)) return found;
    first ??= found;
  }
  return first as EventResults;
}

/** Whether all of a free text was understood: then it is answered, though it be that there is nothing. */
const isFullyUnderstood = ({ unread, words }: EventResults): boolean => unread.length === 0 && words === '';

/** More of a free text is not read. */
const maxQueryLength = 500;

function interpretFields(asked: EventQuery, catalogue: Catalogue): QueryInterpretation {
  const country = asked.country ?? null;
  const inCountry: PlaceConstraint = country === null ? {} : { country: country.code };
  const names: EntityLink[] = isNonBlank(asked.artist) ? [...linkArtists(catalogue, asked.artist)] : [];
  const city = isNonBlank(asked.city) ? linkEntity(catalogue, 'city', asked.city, inCountry) : null;
  if (isNonBlank(asked.venue))
    names.push(linkEntity(catalogue, 'venue', asked.venue, placeConstraintOf(catalogue, inCountry, city)));
  if (isNonBlank(asked.genre)) names.push(linkEntity(catalogue, 'genre', asked.genre));
  if (city) names.push(city);
  return { names, country, words: '', times: null, unread: [], surplus: [], guesses: [] };
}

/** Where a venue has to be: in the cities that a name stands for, or in one of that name. */
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

const kindOrder: readonly NameableKind[] = ['artist', 'venue', 'genre', 'city'];
const sortByKind = (names: readonly EntityLink[]): EntityLink[] =>
  [...names].sort((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind));

/**
 * What the fields mean together with a free text, where events have to have all words of it in their names that name
 * nothing: fields go before names in the text, which then are mere words. Null where some of it cannot be words.
 */
function combineStrictly(
  given: QueryInterpretation,
  wording: ParsedQuery,
  catalogue: Catalogue,
): QueryInterpretation | null {
  const { meant, left } = combineNames(given, wording, catalogue);
  if (wording.hasAlternative) return null;
  const words = [...left, ...wording.rest, ...wording.surplus.map(({ text }) => [text])];
  const read = words.map((run) => normalizeForSearch(run.join(' '))).filter(Boolean);
  if (read.length < words.length) return null;
  return { ...meant, words: read.join(' ') };
}

/** The same, where words are only asked for if there are events that have them in their names. */
function combineLeniently(
  given: QueryInterpretation,
  wording: ParsedQuery,
  { includePast, now }: EventQuery,
  catalogue: Catalogue,
): QueryInterpretation {
  const { meant, left, place } = combineNames(given, wording, catalogue);
  const taken = new Set(meant.names.map(({ kind }) => kind));
  const upcomingAt = includePast ? undefined : now;
  const read = resolveUnmatchedTerms(catalogue, [...left, ...wording.rest], taken, place, upcomingAt);
  const names = [...meant.names];
  const surplus = [...wording.surplus];
  for (const choice of read.names) {
    const isFirst = choice.kind === 'artist' || names.every(({ kind }) => kind !== choice.kind);
    if (isFirst) names.push(choice);
    else surplus.push(choice);
  }
  const { unread } = read;
  // Where nothing of it was understood but a time, it asks for something that there is not.
  const isNothing = names.length + read.words.length === 0 && meant.country === null;
  const words = (isNothing ? unread : read.words).join(' ');
  const all = { ...meant, names: sortByKind(names), surplus, words, unread: isNothing ? [] : unread };
  return withoutGuesses(all, given, isWeakGuess);
}

/** The same without names that are only guessed at, where more than those was understood: an ordinary word is no name. */
function withoutGuesses(
  meant: QueryInterpretation,
  given: QueryInterpretation,
  isOut: (choice: EntityLink) => boolean,
): QueryInterpretation {
  const guesses = meant.names.filter((choice) => !given.names.includes(choice) && isOut(choice));
  const names = meant.names.filter((choice) => !guesses.includes(choice));
  const hasOther = names.length > 0 || meant.country !== null || meant.times !== null || meant.words !== '';
  if (guesses.length === 0 || !hasOther) return meant;
  const unread = [...meant.unread, ...guesses.map(({ text }) => text)];
  return { ...meant, names, unread, guesses: [...meant.guesses, ...guesses] };
}

/** The names of fields and text together, what of the text are mere words then, and where things have to be. */
function combineNames(
  given: QueryInterpretation,
  wording: ParsedQuery,
  catalogue: Catalogue,
): { meant: QueryInterpretation; left: string[][]; place: PlaceConstraint } {
  const names = [...given.names];
  const left: string[][] = [];
  const country = given.country ?? wording.country;
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
    const found = given.names.includes(choice) ? choice : relinkInPlace(choice, inCountry, place, catalogue);
    // Nobody of that name there: then these are words like others.
    if (found === null) left.push([choice.text]);
    return found ?? [];
  });
  const { times } = wording;
  return { meant: { ...given, names: sortByKind(placed), country, times }, left, place };
}

/** A name from a text, chosen again now that its place is known; null where it is nobody's there. */
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

/** So many events whose clock is not known may stand among those of a night and be the next day's. */
const maxUnknownTimeEvents = 50;

function runQuery(asked: EventQuery, meant: QueryInterpretation, catalogue: Catalogue): EventResults {
  const { window, reading, isUnread } = resolveWindow(asked, meant, catalogue);
  const wanted = Math.max(asked.limit, asked.countTo) + 1;
  const filters = buildFilters(asked, meant, window, catalogue);
  const { night } = window;
  const all = fetchEvents(catalogue, filters, meant.words, night ? wanted + maxUnknownTimeEvents : wanted);
  const items = (night ? all.filter((json) => isOfNight(json, night)) : all).slice(0, wanted);
  const { names, country, words, unread, surplus, guesses } = meant;
  return {
    names,
    country,
    window,
    reading,
    words,
    unread: isUnread && meant.times ? [...unread, ...timeTerms(meant.times)] : unread,
    surplus,
    guesses,
    items: items.slice(0, asked.limit),
    hasMore: items.length > asked.limit,
    count: items.length === wanted ? null : items.length,
  };
}

const timeTerms = ({ from, to }: TimeExpression): string[] => [from, to].flatMap((text) => text ?? []);
