/** Notes of an answer about events: ignored words, other meanings of names and places, nearby cities, festivals. */

import { findFestivals } from '../../catalogue/festival-names.ts';
import type { EventQuery, EventResults } from '../../catalogue/find-events.ts';
import type { EntityLink } from '../../catalogue/linking/entity-linking.ts';
import { citiesNear, citiesOfRegion } from '../../catalogue/places/cities.ts';
import { cityByAbbreviation } from '../../catalogue/places/city-abbreviations.ts';
import {
  countryCode,
  countryName,
  countryNameWithArticle,
  isCountryCode,
  isPartOfCountry,
} from '../../catalogue/places/countries.ts';
import type { CountryMatch } from '../../catalogue/query-parser.ts';
import { hasEventsInCity } from '../../catalogue/relaxed-search.ts';
import { lineSegment } from '../sanitize-text.ts';
import type { ToolContext } from '../tool.ts';
import { locationOf } from './format.ts';

/** Characters of a quoted input. */
export const maxQuoteLength = 200;

/** Returns notes about parts of a free text that were not used. */
export function unusedTextNotes({ unread, surplus, names, guesses }: EventResults): string[] {
  const words = unread.join(' ').slice(0, maxQuoteLength);
  return [
    ...(words === '' ? [] : [`Not understood, and left out: "${words}".`]),
    ...guesses.flatMap(({ kind, text, match }) =>
      match === null
        ? []
        : [lineSegment(`If "${text}" means the ${kind} ${match.name}, pass ${kind} "${match.slug}".`)],
    ),
    ...surplus.map(({ kind, match, text }) => {
      const first = names.find((choice) => choice.kind === kind);
      const name = first?.match?.name ?? first?.text ?? '';
      return `One ${kind} per call: this is ${name}. Call again with ${kind} "${match?.name ?? text}".`;
    }),
  ];
}

/** Returns notes about festivals with a name of the query: the tools find their days only as single events. */
export function festivalLines(
  query: EventQuery,
  results: EventResults,
  { catalogue, baseUrl }: ToolContext,
): string[] {
  const { names, unread, words, items } = results;
  const isAsked = items.length === 0 || unread.length > 0;
  if (!isAsked) return [];
  const unmatched = names.filter(({ match }) => match === null).map(({ text }) => text);
  const text = items.length === 0 ? (query.query ?? '').slice(0, maxQuoteLength) : '';
  return findFestivals(catalogue, [...unmatched, unread.join(' '), words, text]).map(
    ({ slug, name, city, country }) => {
      const place = locationOf([city, country]);
      return lineSegment(
        `${name} is a festival on record${place === null ? '' : ` (${place})`}: ${baseUrl}/festivals/${slug} has its editions and their line-ups.`,
      );
    },
  );
}

/** Returns notes about other meanings of a place: a name or short form may be that of a city and of a country. */
export function placeLines(query: EventQuery, results: EventResults, call: ToolContext): string[] {
  const { names, country, items, hasMore } = results;
  const city = names.find(({ kind }) => kind === 'city');
  const isAlone = names.every(({ kind }) => kind !== 'venue');
  return [
    ...(city ? cityLines(city) : []),
    ...(city?.match && isAlone && !hasMore && items.length < nearbyThreshold
      ? nearbyLines(city, query, results, call)
      : []),
    ...(country ? countryLines(country, country !== query.country, call) : []),
  ];
}

/** With fewer events, nearby cities are named. */
const nearbyThreshold = 5;
const maxNearby = 6;
/** Without any event, cities that are further away are named too. */
const maxFarKm = 50;

/** Returns a note about nearby cities with matching events, such as the other cities of an island. */
function nearbyLines(
  { match, region }: EntityLink,
  query: EventQuery,
  results: EventResults,
  call: ToolContext,
): string[] {
  if (match === null || region !== null) return [];
  const near = citiesNear(call.catalogue, match.slug, results.items.length === 0 ? maxFarKm : undefined)
    .slice(0, maxNearby)
    .filter(({ id }) => hasEventsInCity(query, results, id, call.catalogue));
  if (near.length === 0) return [];
  const cities = near.map(({ name, slug }) => `${name} [${slug}]`).join(', ');
  return [lineSegment(`Nearby cities with such events: ${cities}. Pass one as city.`)];
}

function cityLines({ text, match, region }: EntityLink): string[] {
  const code = countryCode(text);
  const name = code === null ? null : countryName(code);
  if (code === null || name === match?.name) return [];
  if (match === null) return [`"${text}" is a country: pass it as country "${code}".`];
  const what = region === null ? 'city' : 'region';
  return [`"${text}" is read as the ${what}; for the country ${name} pass country "${code}" and no city.`];
}

function countryLines(
  { code, text }: CountryMatch,
  isGuessed: boolean,
  { catalogue }: ToolContext,
): string[] {
  const name = countryName(code);
  const city = cityByAbbreviation(text);
  if (city && city.name !== name)
    return [
      `"${text}" is read as the country ${name}; for the city ${city.name} pass city "${city.name}" and no country.`,
    ];
  if (isPartOfCountry(text)) {
    const isRegion = citiesOfRegion(catalogue, text).length > 0;
    const way = isRegion ? `; for its cities alone pass city "${text}" and no country` : '';
    return [`"${text}" is read as the whole of ${countryNameWithArticle(code)}${way}.`];
  }
  return isGuessed && isCountryCode(text) ? [`Country: "${text}" is read as ${name} (${code}).`] : [];
}

/** Says that a named venue has closed, or that a named artist has ended. */
export function endingLines({ names }: EventResults, { catalogue: { reader }, now }: ToolContext): string[] {
  return names.flatMap(({ kind, match }) => {
    if (match === null) return [];
    const name = lineSegment(match.name);
    if (kind === 'venue') {
      const { status, closed_at } = reader.details.venue(match.id, reader.upcoming(now));
      return status === 'closed' ? [`${name} has been closed since ${closed_at}.`] : [];
    }
    if (kind !== 'artist') return [];
    const { status, ended_at } = reader.details.artist(match.id, reader.upcoming(now));
    return status === 'ended' ? [`${name} was active until ${ended_at}.`] : [];
  });
}
