/**
 * Parses free-text queries such as "techno in Berlin this weekend", "Berghain Berlin" or "Âme b2b Dixon". Known names
 * become records; the remaining words are searched in event names.
 */

import type { NameableKind } from '../store/search/named-records.ts';
import { normalizeForSearch } from '../text/fold.ts';
import { likelyNow, likelyTomorrow, likelyWeekend, separateNights } from './dates/date-phrases.ts';
import {
  splitHoliday,
  splitLikelyTime,
  splitTime,
  type TimeExpression,
  type TimeSplit,
} from './dates/time-expressions.ts';
import { splitExcluded } from './exclusions.ts';
import { linkWithOtherJoiner } from './linking/artists.ts';
import { type EntityLink, isExactLink, linkEntity } from './linking/entity-linking.ts';
import { roomAfterVenue } from './linking/name-forms.ts';
import { citiesOfRegion } from './places/cities.ts';
import { cityByAbbreviation } from './places/city-abbreviations.ts';
import { countryCodeInSentence } from './places/countries.ts';
import type { Catalogue } from './request.ts';
import { compoundEnds, stopWords } from './stop-words.ts';

/** A country, and the text that named it. */
export type CountryMatch = { code: string; text: string };

/** A parsed free-text query. */
export type ParsedQuery = {
  /** Linked records; at most one per kind, except artists. */
  names: EntityLink[];
  /** Further names of a kind that is already present, or names after "or". */
  surplus: EntityLink[];
  /** Whether a surplus name follows "or"; such names are not event words. */
  hasAlternative: boolean;
  country: CountryMatch | null;
  times: TimeExpression | null;
  /** The remaining words, grouped by adjacency. */
  rest: string[][];
  /** Names that the text rules out, with the word that does: "without techno". They restrict nothing. */
  excluded: string[];
};

/** "Which clubs are open", "wo kann man tanzen". Outside such openings, "open" and "man" may be part of names. */
const opening =
  /(?<!\p{L})(?:(?:is|are)\s+open(?!\p{L}|\s+air)|kann\s+man(?!\p{L}))|(?<=^\W*(?:when|is|are|what|which|who)\b.*)\s+open(?=[\s?.!]*$)/giu;
/** Words that say together what kind of event is asked for, though each may name a record. */
const kindsOfEvent = new Set(['open air', 'open airs']);
const kinds: readonly NameableKind[] = ['genre', 'city', 'venue', 'artist'];
const maxNameWords = 6;
const maxQueryWords = 16;

/** A run of words and the record or country that it names; both null if it names nothing. */
type WordRun = { words: string[]; choice: EntityLink | null; country: CountryMatch | null };

/**
 * Yields the interpretations of a query, likeliest first, computed on demand. A word that names an artist or venue, a
 * weekday or a holiday may also be a word of an event's name ("open air").
 */
export function* parseQuery(catalogue: Catalogue, query: string): Generator<ParsedQuery> {
  const text = separateNights(query);
  const timed = splitTime(text);
  if (timed.times !== null) {
    yield* parseRest(catalogue, timed);
    return;
  }
  const likely = splitLikelyTime(text);
  const other = likely.times === null ? splitHoliday(text) : likely;
  if (likely.times !== null && isUnambiguousTime(catalogue, text, likely)) {
    yield* parseRest(catalogue, likely);
    return;
  }
  yield* parseRest(catalogue, { ...timed, rest: query });
  if (other.times !== null) yield* parseRest(catalogue, other);
}

const wordsForDayOrMoment: readonly string[] = [...likelyNow, ...likelyTomorrow, ...likelyWeekend];

/** Whether the words around a time expression cannot form an event name with it. */
function isUnambiguousTime(catalogue: Catalogue, text: string, timed: TimeSplit): boolean {
  const [first] = wordsOf(timed.text);
  const runs = splitIntoRuns(catalogue, withoutCompounds(catalogue, wordsOf(text)));
  const at = runs.findIndex(({ words }) => words[0] === first);
  // "Domani in Berlin" may mean the artist.
  const isDayOrMoment = wordsForDayOrMoment.includes(normalizeForSearch(timed.text));
  if (isDayOrMoment && runs[at]?.choice !== null) return false;
  // "Was läuft jetzt?" has no other words.
  if (isDayOrMoment && wordsOf(timed.rest).every(isStopWord)) return linkExactName(catalogue, text) === null;
  const isNamed = runs.some(({ choice, country }) => choice !== null || country !== null);
  const count = wordsOf(timed.text).length;
  return isNamed && at >= 0 && !isUnknown(runs[at - 1]) && !isUnknown(runs[at + count]);
}

/** Separate punctuation, as in "Berlin ?" or "Berlin - techno". */
const mark = /^[?!.,:|–—-]{1,2}$/u;

function wordsOf(text: string): string[] {
  const words = text
    .replace(opening, ' ')
    .split(/[\s;]+/u)
    .map((word) => word.replace(/^["'“”„(¿¡]+|["'“”?!.,;:)]+$/gu, '') || word)
    .filter((word) => word !== '')
    .slice(0, maxQueryWords);
  const worded = words.filter((word) => !mark.test(word));
  return worded.length > 0 ? worded : words;
}

const compound = new RegExp(`^(.{2,}?)-?(?:${compoundEnds.join('|')})$`, 'iu');
const maxGenreWords = 3;

/** Leaves the kind of event out of compounds with a genre: "Technoparty", "Drum and Bass-Partys". */
const withoutCompounds = (catalogue: Catalogue, words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const [, base] = compound.exec(word) ?? [];
    const { namedRecords: named } = catalogue.reader;
    if (base === undefined || kinds.some((kind) => named.hasName(kind, word))) return [word];
    const isGenre = Array.from({ length: maxGenreWords }, (_, before) =>
      [...words.slice(Math.max(0, at - before), at), base].join(' '),
    ).some((text) => named.hasName('genre', text));
    return isGenre ? [base] : [word];
  });

function* parseRest(catalogue: Catalogue, { times, rest }: TimeSplit): Generator<ParsedQuery> {
  const words = withoutCompounds(catalogue, wordsOf(rest));
  const whole =
    words.length > 0 && words.every(isStopWord) ? linkExactName(catalogue, words.join(' ')) : null;
  if (whole) {
    yield { ...toParsedQuery([{ words, choice: whole, country: null }]), times, excluded: [] };
    return;
  }
  const { runs, excluded } = splitExcluded(splitIntoRuns(catalogue, words));
  const strict = runs.map((run, at) =>
    run.choice && isDoubtful(run) && [runs[at - 1], runs[at + 1]].some(isUnknown) ? unknown(run.words) : run,
  );
  // Stop words may be an event's name. Without them the query would match all events.
  if (words.length > 0 && runs.every(isStopWordRun) && times === null && excluded.length === 0)
    yield { ...toParsedQuery([]), times, rest: [words], excluded: [] };
  else yield { ...toParsedQuery(strict), times, excluded };
  if (strict.some((run, at) => run !== runs[at])) yield { ...toParsedQuery(runs), times, excluded };
  if (
    runs.every(isStopWordRun) &&
    excluded.length === 0 &&
    words.some((word) => normalizeForSearch(word) !== '')
  )
    yield { ...toParsedQuery([]), times, excluded: [] };
}

const unknown = (words: string[]): WordRun => ({ words, choice: null, country: null });
const isUnknown = (run: WordRun | undefined): boolean =>
  run !== undefined && run.choice === null && run.country === null && !run.words.every(isStopWord);
const isStopWordRun = ({ words, choice, country }: WordRun): boolean =>
  choice === null && country === null && words.every(isStopWord);
const isStopWord = (word: string): boolean => stopWords.has(word.toLowerCase().replace('’', "'"));
const isDoubtful = ({ words, choice }: WordRun): boolean =>
  words.length === 1 && (choice?.kind === 'artist' || choice?.kind === 'venue');

/** Splits the words from left to right into the longest names, and single words. */
function splitIntoRuns(catalogue: Catalogue, words: readonly string[]): WordRun[] {
  const runs: WordRun[] = [];
  for (let at = 0; at < words.length; ) {
    const run = longestRunAt(catalogue, words, at);
    runs.push(run);
    at += run.words.length;
  }
  return withOneVenue(catalogue, runs);
}

/** Of two venues, one whose name an artist has means the artist: "Kraftwerk at Tresor". */
function withOneVenue(catalogue: Catalogue, runs: readonly WordRun[]): WordRun[] {
  const venues = runs.filter(({ choice }) => choice?.kind === 'venue');
  const asArtist = (run: WordRun): EntityLink | null => {
    const text = run.words.join(' ');
    if (!catalogue.reader.namedRecords.hasName('artist', text)) return null;
    const artist = linkEntity(catalogue, 'artist', text);
    return isExactLink(artist) ? artist : null;
  };
  const artistRuns = venues.length < 2 ? [] : venues.filter((run) => asArtist(run) !== null);
  // If all of them are artists as well, the first one plays at the last one.
  const acts = artistRuns.length === venues.length ? artistRuns.slice(0, -1) : artistRuns;
  return runs.map((run) => (acts.includes(run) ? { ...run, choice: asArtist(run) } : run));
}

function longestRunAt(catalogue: Catalogue, words: readonly string[], at: number): WordRun {
  for (let count = Math.min(maxNameWords, words.length - at); count > 0; count--) {
    const part = words.slice(at, at + count);
    const text = part.join(' ');
    if (kindsOfEvent.has(text.toLowerCase())) return unknown(part);
    const short = linkAbbreviatedCity(catalogue, text, words[at - 1]);
    const areFillers = isStopWord(part[0] as string) && (count === 1 || isStopWord(part.at(-1) as string));
    if (!short && areFillers && !areCapital(part)) continue;
    const placed = isPlacedBy(words[at - 1]) ? linkPlaceRegion(catalogue, text) : null;
    const choice =
      placed ?? (short?.isPlaced ? short.choice : (linkExactName(catalogue, text) ?? short?.choice));
    if (choice) return { words: part, choice, country: null };
    const code = countryCodeInSentence(text);
    if (code !== null) return { words: part, choice: null, country: { code, text } };
    const region = isPlacedOrCapital(part, words[at - 1]) ? linkRegionName(catalogue, text) : null;
    if (region) return { words: part, choice: region, country: null };
    if (isFestival(catalogue, part)) return unknown(part);
  }
  return unknown([words[at] as string]);
}

/** Returns the region after a place preposition, even if an artist or venue has the same name: "in Goa". */
function linkPlaceRegion(catalogue: Catalogue, text: string): EntityLink | null {
  const { namedRecords: named } = catalogue.reader;
  if (named.hasName('city', text) || named.hasName('genre', text) || countryCodeInSentence(text) !== null)
    return null;
  return linkRegionName(catalogue, text);
}

function linkExactName(catalogue: Catalogue, text: string): EntityLink | null {
  for (const kind of kinds) {
    if (catalogue.reader.namedRecords.hasName(kind, text)) {
      const choice = linkEntity(catalogue, kind, text);
      if (isExactLink(choice)) return choice;
    }
  }
  // "Ostgut Ton" means the label, not the venue "Ostgut". A label of one word may be a word of any kind.
  if (/\S\s+\S/u.test(text) && catalogue.reader.namedRecords.hasName('label', text)) {
    const label = linkEntity(catalogue, 'label', text);
    if (isExactLink(label)) return label;
  }
  // "fabric Room 1" means the venue.
  const venue = roomAfterVenue(text) === null ? null : linkEntity(catalogue, 'venue', text);
  return venue !== null && isExactLink(venue) ? venue : linkWithOtherJoiner(catalogue, text);
}

/** Whether the words name a festival; its name may contain stop words: "Time Warp" is not "Warp". */
const isFestival = (catalogue: Catalogue, words: readonly string[]): boolean =>
  words.length > 1 &&
  words.some(isStopWord) &&
  catalogue.reader.namedRecords.hasName('festival', words.join(' '));

/** Whether all words are capitalised, which suggests a name even if they are stop words. */
const areCapital = (words: readonly string[]): boolean =>
  words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));

/** Prepositions that are followed by a place. */
const placePrepositions = new Set([
  'in',
  'near',
  'around',
  'nach',
  'à',
  'en',
  'a',
  'em',
  'na',
  'no',
  'bei',
  'um',
]);
const isPlacedBy = (wordBefore: string | undefined): boolean =>
  wordBefore !== undefined && placePrepositions.has(wordBefore.toLowerCase());
/** Whether a region name is capitalised or follows a preposition: regions such as "North" and "Central" are also words. */
const isPlacedOrCapital = ([first = '']: readonly string[], wordBefore: string | undefined): boolean =>
  isPlacedBy(wordBefore) || /^\p{Lu}/u.test(first);

/** Returns the cities of the region with exactly this name. */
function linkRegionName(catalogue: Catalogue, text: string): EntityLink | null {
  if (citiesOfRegion(catalogue, text).length === 0) return null;
  const choice = linkEntity(catalogue, 'city', text);
  return choice.region === null ? null : choice;
}

/**
 * Returns the city for an abbreviation. Without a preposition before it, records with that name take precedence, and
 * two lower-case letters are a word.
 */
function linkAbbreviatedCity(
  catalogue: Catalogue,
  text: string,
  wordBefore: string | undefined,
): { choice: EntityLink; isPlaced: boolean } | null {
  if (cityByAbbreviation(text) === null) return null;
  const isPlaced = isPlacedBy(wordBefore);
  if (!isPlaced && text.length <= 2 && /\p{Ll}/u.test(text)) return null;
  const choice = linkEntity(catalogue, 'city', text);
  return isExactLink(choice) ? { choice, isPlaced } : null;
}

const alternativeWords = new Set(['or', 'oder', 'ou', 'o', 'of', '/']);

/**
 * Combines the runs into a parsed query. The first name of each kind counts, except for artists, and the name before
 * an "or".
 */
function toParsedQuery(runs: readonly WordRun[]): Omit<ParsedQuery, 'times' | 'excluded'> {
  const names: EntityLink[] = [];
  const surplus: EntityLink[] = [];
  const rest: string[][] = [];
  let country: CountryMatch | null = null;
  let isEither = false;
  for (const [at, run] of runs.entries()) {
    const { choice, words } = run;
    const before = runs[at - 1]?.words;
    const isOther = before?.length === 1 && alternativeWords.has((before[0] as string).toLowerCase());
    if (choice) {
      const hasOne = names.some(({ kind }) => kind === choice.kind);
      if (!hasOne || (choice.kind === 'artist' && !isOther)) names.push(choice);
      else {
        surplus.push(choice);
        isEither ||= isOther;
      }
    } else if (run.country !== null && country === null) country = run.country;
    else if (!words.every(isStopWord)) {
      if (at > 0 && isUnknown(runs[at - 1])) rest.at(-1)?.push(...words);
      else rest.push([...words]);
    }
  }
  return { names, surplus, hasAlternative: isEither, country, rest };
}
