/** Places that stand beside a name: "Berghain, Berlin, DE", "Tresor in Berlin", "Portland, OR". */
import { fold } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { cityShort } from './city-abbreviations.ts';
import { countryWord } from './countries.ts';
import { regionCountries } from './regions.ts';

/** Where a record has to be; a city by its name. */
export type Place = { city?: string; country?: string };

/** Whether a record lies there. */
export function isIn(record: { city: string | null; country: string | null }, place: Place): boolean {
  if (place.country !== undefined && record.country !== place.country) return false;
  return place.city === undefined || (record.city !== null && fold(record.city) === fold(place.city));
}

const mostPlaceWords = 4;

/**
 * A text that ends or begins with a city or a country, or both: "Berghain, Berlin, DE", "Tresor in Berlin". Only a
 * country stands beside cities, and behind artists.
 */
export function splitPlace(
  catalogue: Catalogue,
  kind: NameableKind,
  text: string,
): { name: string; within: Place } {
  const within: Place = {};
  let words = text.split(/[\s,;()]+/u).filter(Boolean);
  for (;;) {
    const found = placeAside(catalogue, kind, words, within);
    if (found === null) break;
    Object.assign(within, found.place);
    words = found.rest;
    while (words.length > 1 && /^(?:in|at|@|the|[-–])$/iu.test(words.at(-1) as string))
      words = words.slice(0, -1);
  }
  return { name: Object.keys(within).length > 0 ? words.join(' ') : text, within };
}

/** The longest place at the end or the beginning of the words, and the words without it. */
function placeAside(
  catalogue: Catalogue,
  kind: NameableKind,
  words: readonly string[],
  known: Place,
): { place: Place; rest: string[] } | null {
  for (let count = Math.min(mostPlaceWords, words.length - 1); count > 0; count--) {
    const atEnd = placeOf(catalogue, kind, words.slice(-count).join(' '), known);
    if (atEnd) return { place: atEnd, rest: words.slice(0, -count) };
    const atBeginning =
      kind === 'venue' ? placeOf(catalogue, kind, words.slice(0, count).join(' '), known) : null;
    if (atBeginning) return { place: atBeginning, rest: words.slice(count) };
  }
  return null;
}

/** What a text adds to a place that is known in part; null where it is no city and no country. */
function placeOf({ reader }: Catalogue, kind: NameableKind, text: string, known: Place): Place | null {
  if (kind === 'venue' && known.city === undefined) {
    const short = cityShort(text);
    const called = reader.named.called('city', text);
    const city = [...called, ...(short ? reader.named.called('city', short.name) : [])].find(
      ({ country }) => known.country === undefined || country === known.country,
    );
    if (city) return { city: city.name, ...(city.country !== null && { country: city.country }) };
  }
  const country = known.country === undefined ? countryWord(text) : null;
  return country === null ? null : { country };
}

/** A city with a state or province behind it, which may be one of several countries; null where there is none. */
export function splitRegion(text: string): { name: string; countries: readonly string[] } | null {
  const words = text.split(/[\s,]+/u).filter(Boolean);
  for (let count = Math.min(mostPlaceWords, words.length - 1); count > 0; count--) {
    const countries = regionCountries(words.slice(-count).join(' '));
    if (countries.length > 0) return { name: words.slice(0, -count).join(' '), countries };
  }
  return null;
}
