/** Selects the names of a title that are certainly acts. */

import { alternatives, readLexicon } from '../lexicon.ts';
import { isInstrumentList } from '../lineup/instruments.ts';
import { isGenreName } from '../lineup/non-artist.ts';
import { latinize } from '../name-similarity.ts';
import * as words from '../patterns.ts';
import type { ParsedAct, TitleContext } from '../types.ts';
import * as title from './patterns.ts';

/** Maximum number of words of an act's name in a title. */
const maxWords = 6;
const nonActEnding = new RegExp(
  `${words.wordStart}(?:open stage|open mic|jam(?: session)?|live music|art show|afters?|after ?part(?:y|ies)|showcases?|workshops?|exhibition|market|karaoke|dj workshop|performances?|drinks|food|visuals|lectures?|talks?|screening|live visuals|surprises?|special guests?|residents|artists|djs|takeover|edition|festival|part(?:y|ies)|rave|label ?night|club ?night|open air|indoor|outdoor|day ?time|brunch|dinner|tickets?|entry|presale)$`,
  'iu',
);

/** What a show has rather than who plays: "Orchestra", "her band", "Free Drinks". */
const descriptionPattern = words.wholePattern(alternatives('placeholder-names', 'description'));
/** Whether the words behind "with" describe the show: "Orchestra", "live percussion", "a twist". "The Heritage Orchestra" is an act. */
const isDescription = (name: string): boolean =>
  descriptionPattern.test(name) ||
  /^an? \p{Ll}/u.test(name) ||
  isInstrumentList(name.replace(/^live /iu, ''));

/**
 * Removes names that are not certainly acts: genres, descriptions, side events, the place, parts of sentences. The first name of a list
 * is removed if it sounds like a series.
 * @param isNamed whether the title has a series or presenter beside the list
 * @param isOccasion whether it is an opening, a birthday or the like
 */
export function filterActs(
  acts: readonly ParsedAct[],
  isNamed: boolean,
  isOccasion: boolean,
  context: TitleContext,
): ParsedAct[] {
  const place = placeNames(context);
  if (
    /^(?:an? (?:night|evening|celebration|journey|tribute)|(?:the )?best of|celebrating) /iu.test(
      acts[0]?.name ?? '',
    )
  )
    return [];
  // "Ann – dark wave. Bob – deep, immersive".
  if (acts.some(({ name }) => /\p{L}{3}\. \p{Lu}/u.test(name))) return [];
  const genres = acts.filter(({ name }) => isGenreName(name)).length;
  if (genres > 1 && genres * 2 >= acts.length) return [];
  // "House – Town, NY".
  const state =
    acts.length > 2 ? -1 : acts.findIndex(({ name }, at) => at > 0 && stateCodePattern.test(name));
  if (state > 0) return [];
  const surely = acts.filter(({ name, alternatives }, at) => {
    if (
      nonActEnding.test(name) ||
      isSeriesWordOnly(name) ||
      isDescription(name) ||
      name.split(' ').length > maxWords ||
      /^[^\p{L}\p{N}]*$/u.test(name)
    )
      return false;
    if (/\d.*\s(?:acts|artists|djs|floors|stages)$/iu.test(name)) return false;
    // "Party mit deutschen Texten".
    if (acts.length === 1 && /^\p{Ll}+(?:en|em|er|es)\s\p{Lu}\p{Ll}/u.test(name)) return false;
    if (/[()[\]{}]/.test(name) && !/\p{L}[([]\p{L}+[)\]]\p{L}/u.test(name)) return false;
    if (
      /^(?:\p{Ll}|(?:die|der|das|the) \p{Lu}).*\s(?:und|and|mit|with|zu|to)\s/u.test(name) &&
      alternatives.length === 0
    )
      return false;
    if (isGenreName(name) && (genres > 1 || acts.length < 3)) return false;
    if (place.has(latinize(name)) || / w /.test(name)) return false;
    return isNamed || at > 0 || !soundsLikeSeries(name, isOccasion);
  });
  // "Ann x Bob, Town" may be two series or two acts.
  const isCrossed = surely.every(({ group, tags: marks }) => group !== null && !marks.includes('b2b'));
  return !isNamed && surely.length < acts.length && isCrossed ? [] : surely;
}

/** Whether a name consists of words of series: "Klubnacht", "Ancient Wisdom Session". */
const isSeriesWordOnly = (name: string): boolean =>
  name.replace(title.seriesWordPattern, '').trim() === '' || /^(?:\S+ ){3,}sessions?$/iu.test(name);

/** Whether a name contains a word of series ("Revolver Party"); only at the end if the title names an occasion. */
function soundsLikeSeries(name: string, isOccasion: boolean): boolean {
  const last = [...name.matchAll(title.seriesWordPattern)].at(-1);
  return last !== undefined && (!isOccasion || last.index + last[0].length === name.length);
}

/** The folded names of venue and city, with the city's names in other languages. */
function placeNames({ venue, city }: TitleContext): Set<string> {
  const names = new Set<string>();
  for (const name of [
    venue,
    city,
    ...(city?.split(/\s*[/,]\s*/) ?? []),
    ...(venue?.split(/\s*[|,/]\s*|\s[–-]\s/) ?? []),
  ])
    if (name) names.add(latinize(name));
  for (const same of exonyms)
    if (same.some((name) => names.has(name))) for (const name of same) names.add(name);
  names.delete('');
  return names;
}
/** Codes of states of the USA. */
const stateCodePattern =
  /^(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY])$/;
const exonyms = [...Map.groupBy(readLexicon('city-exonyms'), (entry) => entry.class).values()].map(
  (entries) => entries.map(({ term }) => term),
);
