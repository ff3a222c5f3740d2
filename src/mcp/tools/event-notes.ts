/** What an answer about events says besides: what it left out, and what a place or name may mean as well. */

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

/** So much of somebody's words is quoted. */
export const maxQuoteLength = 200;

/** What of a free text the answer does not heed. */
export function unusedTextNotes({ unread, surplus, names, guesses }: EventResults): string[] {
  const words = unread.join(' ').slice(0, maxQuoteLength);
  return [
    ...(words === '' ? [] : [`Not understood, and left out: "${words}".`]),
    ...guesses.flatMap(({ kind, text, match }) =>
      match === null
        ? []
        : [lineSegment(`Should "${text}" be the ${kind} ${match.name}, pass ${kind} "${match.slug}".`)],
    ),
    ...surplus.map(({ kind, match, text }) => {
      const first = names.find((choice) => choice.kind === kind);
      const read = first?.match?.name ?? first?.text ?? '';
      return `One ${kind} a call: this is ${read}. Ask again with ${kind} "${match?.name ?? text}".`;
    }),
  ];
}

/** What was asked for that is a festival: the tools know its days only as far as they are events. */
export function festivalLines(
  asked: EventQuery,
  found: EventResults,
  { catalogue, baseUrl }: ToolContext,
): string[] {
  const { names, unread, words, items } = found;
  const isAsked = items.length === 0 || unread.length > 0;
  if (!isAsked) return [];
  const nobody = names.filter(({ match }) => match === null).map(({ text }) => text);
  const query = items.length === 0 ? (asked.query ?? '').slice(0, maxQuoteLength) : '';
  return findFestivals(catalogue, [...nobody, unread.join(' '), words, query]).map(
    ({ slug, name, city, country }) => {
      const place = locationOf([city, country]);
      return lineSegment(
        `${name} is a festival on record${place === null ? '' : ` (${place})`}: ${baseUrl}/festivals/${slug} has its editions and their line-ups.`,
      );
    },
  );
}

/** What a place may mean as well: a city's name or short form may be a country's, and the other way round. */
export function placeLines(asked: EventQuery, found: EventResults, call: ToolContext): string[] {
  const { names, country, items, hasMore } = found;
  const city = names.find(({ kind }) => kind === 'city');
  const isAlone = names.every(({ kind }) => kind !== 'venue');
  return [
    ...(city ? cityLines(city) : []),
    ...(city?.match && isAlone && !hasMore && items.length < nearbyThreshold
      ? nearbyLines(city, asked, found, call)
      : []),
    ...(country ? countryLines(country, country !== asked.country, call) : []),
  ];
}

/** With fewer events than this it is worth saying what is on in the next town. */
const nearbyThreshold = 5;
const maxNearby = 6;

/** Towns around a city where something is on that fits: an island is more than the town that it is called after. */
function nearbyLines(
  { match, region }: EntityLink,
  asked: EventQuery,
  found: EventResults,
  call: ToolContext,
): string[] {
  if (match === null || region !== null) return [];
  const near = citiesNear(call.catalogue, match.slug)
    .slice(0, maxNearby)
    .filter(({ id }) => hasEventsInCity(asked, found, id, call.catalogue));
  if (near.length === 0) return [];
  const towns = near.map(({ name, slug }) => `${name} [${slug}]`).join(', ');
  return [lineSegment(`Nearby, with such events as well: ${towns}. Pass one as city.`)];
}

function cityLines({ text, match, region }: EntityLink): string[] {
  const code = countryCode(text);
  const name = code === null ? null : countryName(code);
  if (code === null || name === match?.name) return [];
  if (match === null) return [`"${text}" is a country: pass it as country "${code}".`];
  const what = region === null ? 'city' : 'region';
  return [`"${text}" is taken for the ${what}; for the country ${name} pass country "${code}" and no city.`];
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
