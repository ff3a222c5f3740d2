/** Interprets a query for events: its fields become links to records, and its free text names, words and a time. */

import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { isNonBlank } from './dates/event-window.ts';
import type { EventOrder } from './dates/order-words.ts';
import type { TimeExpression } from './dates/time-expressions.ts';
import { linkArtists } from './linking/artists.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import { findCity } from './places/cities.ts';
import type { PlaceConstraint } from './places/place-suffix.ts';
import type { CountryMatch, ParsedQuery } from './query-parser.ts';
import type { Catalogue } from './request.ts';
import { isWeakGuess, resolveUnmatchedTerms } from './unmatched-terms.ts';

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
  /** With `includePast`, `last` restricts the result to past events, the newest first. */
  order?: EventOrder | undefined;
  limit: number;
  /** Maximum count, if there are more than `limit`. */
  countTo: number;
  /** Slug of the city in whose time zone days are if the query names no place; by default, they are in UTC. */
  homeCity?: string | null | undefined;
  /** ms since 1970. */
  now: number;
};

/** The names and filters of one interpretation of a query. */
export type QueryInterpretation = {
  names: readonly EntityLink[];
  country: CountryMatch | null;
  words: string;
  times: TimeExpression | null;
  unread: readonly string[];
  surplus: readonly EntityLink[];
  otherGenres?: readonly EntityLink[];
  guesses: readonly EntityLink[];
};

/** Links the fields of a query to records; the free text is left out. */
export function interpretFields(query: EventQuery, catalogue: Catalogue): QueryInterpretation {
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
export function placeConstraintOf(
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
export function combineStrictly(
  fields: QueryInterpretation,
  wording: ParsedQuery,
  catalogue: Catalogue,
): QueryInterpretation | null {
  const { interpretation, left } = combineNames(fields, wording, catalogue);
  if (wording.hasAlternative) return null;
  const words = [...left, ...wording.rest, ...wording.surplus.map(({ text }) => [text])];
  const phrases = words.map((run) => normalizeForSearch(run.join(' '))).filter(Boolean);
  if (phrases.length < words.length) return null;
  return { ...interpretation, words: phrases.join(' '), unread: wording.excluded };
}

/** Like `combineStrictly`, but words are required only if some event name contains them. */
export function combineLeniently(
  fields: QueryInterpretation,
  wording: ParsedQuery,
  { includePast, now }: EventQuery,
  catalogue: Catalogue,
): QueryInterpretation {
  const { interpretation, left, place } = combineNames(fields, wording, catalogue);
  const namedKinds = new Set(interpretation.names.map(({ kind }) => kind));
  const upcomingAt = includePast ? undefined : now;
  const terms = resolveUnmatchedTerms(catalogue, [...left, ...wording.rest], namedKinds, place, upcomingAt);
  const names = [...interpretation.names];
  const otherGenres = alternativeGenres(wording, fields);
  const surplus = wording.surplus.filter((choice) => !otherGenres.includes(choice));
  for (const choice of terms.names) {
    const isFirst = choice.kind === 'artist' || names.every(({ kind }) => kind !== choice.kind);
    if (isFirst) names.push(choice);
    else surplus.push(choice);
  }
  const { excluded } = wording;
  // If only a time was understood, the rest asks for something that is not in the catalogue.
  const isNothing = names.length + terms.words.length === 0 && interpretation.country === null;
  const words = (isNothing ? terms.unread : terms.words).join(' ');
  const all = {
    ...interpretation,
    names: sortByKind(names),
    surplus,
    otherGenres,
    words,
    unread: isNothing ? excluded : [...terms.unread, ...excluded],
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
export function withoutGuesses(
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
export function combineNames(
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
