/**
 * What a free text asks for: "techno in Berlin this weekend", "Berghain Berlin", "Âme b2b Dixon", or words of an event's
 * name. Names that are known stand for what they name; what is left are words of names of events.
 */
import { searchWords } from '../store/fold.ts';
import type { NameableKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Choice, choose, isSure } from './choose.ts';
import { otherForm } from './choose-artists.ts';
import { cityShort } from './city-abbreviations.ts';
import { citiesOfRegion } from './city-places.ts';
import { countryWord } from './countries.ts';
import { roomBehind } from './name-forms.ts';
import { idleWords } from './question-words.ts';
import { splitFeast, splitLikelyTime, splitTime, type Timed, type Times } from './time-words.ts';

/** A country, and how it was written. */
export type CountryRead = { code: string; text: string };

/** A free text, read. */
export type Wording = {
  /** Records that are named, each kind but artists once. */
  names: Choice[];
  /** Further names of a kind that has one already, or that stand behind "or". */
  surplus: Choice[];
  /** Whether "or" stands before one of those: then they are no words of a name. */
  isEither: boolean;
  country: CountryRead | null;
  times: Times | null;
  /** What is left, run by run of words that stand together. */
  rest: string[][];
};

/** "Which clubs are open", "wo kann man tanzen": alone, "open" and "man" are words of names. */
const opening =
  /(?<!\p{L})(?:(?:is|are)\s+open(?!\p{L}|\s+air)|kann\s+man(?!\p{L}))|(?<=^\W*(?:when|is|are|what|which|who)\b.*)\s+open(?=[\s?.!]*$)/giu;
const longestName = 6;
const mostWords = 16;

/** A run of words: what it names, or that it names nothing. */
type Run = { words: string[]; choice: Choice | null; country: CountryRead | null };

/**
 * The ways to read a free text, the likeliest first, each worked out when it is wanted: a single word that names an
 * artist or venue may also just be a word of an event's name ("open air"), and so may a weekday or a feast.
 */
export function* readWording(catalogue: Catalogue, text: string): Generator<Wording> {
  const timed = splitTime(text);
  if (timed.times !== null) {
    yield* readRest(catalogue, timed);
    return;
  }
  const likely = splitLikelyTime(text);
  const other = likely.times === null ? splitFeast(text) : likely;
  if (likely.times !== null && isTimeOnly(catalogue, text, likely)) {
    yield* readRest(catalogue, likely);
    return;
  }
  yield* readRest(catalogue, timed);
  if (other.times !== null) yield* readRest(catalogue, other);
}

/** Whether words for a time stand beside nothing that they could be the name of an event with. */
function isTimeOnly(catalogue: Catalogue, text: string, timed: Timed): boolean {
  const [first] = wordsOf(timed.text);
  const runs = split(catalogue, wordsOf(text));
  const at = runs.findIndex(({ words }) => words[0] === first);
  const isNamed = runs.some(({ choice, country }) => choice !== null || country !== null);
  const count = wordsOf(timed.text).length;
  return isNamed && at >= 0 && !isUnknown(runs[at - 1]) && !isUnknown(runs[at + count]);
}

/** Marks that stand alone, as in "Berlin ?" or "Berlin - techno". */
const mark = /^[?!.,:|–—-]{1,2}$/u;

function wordsOf(text: string): string[] {
  const words = text
    .replace(opening, ' ')
    .split(/[\s;]+/u)
    .map((word) => word.replace(/^["'“”„(¿¡]+|["'“”?!.,;:)]+$/gu, '') || word)
    .filter((word) => word !== '')
    .slice(0, mostWords);
  const worded = words.filter((word) => !mark.test(word));
  return worded.length > 0 ? worded : words;
}

function* readRest(catalogue: Catalogue, { times, rest }: Timed): Generator<Wording> {
  const words = wordsOf(rest);
  const whole = words.length > 0 && words.every(isIdle) ? sureName(catalogue, words.join(' ')) : null;
  if (whole) {
    yield { ...gather([{ words, choice: whole, country: null }]), times };
    return;
  }
  const runs = split(catalogue, words);
  const strict = runs.map((run, at) =>
    run.choice && isDoubtful(run) && [runs[at - 1], runs[at + 1]].some(isUnknown) ? unknown(run.words) : run,
  );
  // Words that ask for nothing may still be an event's name; the same without them asks for all there is.
  if (words.length > 0 && runs.every(isNothing) && times === null)
    yield { names: [], surplus: [], isEither: false, country: null, times, rest: [words] };
  else yield { ...gather(strict), times };
  if (strict.some((run, at) => run !== runs[at])) yield { ...gather(runs), times };
  if (runs.every(isNothing) && words.some((word) => searchWords(word) !== ''))
    yield { names: [], surplus: [], isEither: false, country: null, times, rest: [] };
}

const unknown = (words: string[]): Run => ({ words, choice: null, country: null });
const isUnknown = (run: Run | undefined): boolean =>
  run !== undefined && run.choice === null && run.country === null && !run.words.every(isIdle);
const isNothing = ({ words, choice, country }: Run): boolean =>
  choice === null && country === null && words.every(isIdle);
const isIdle = (word: string): boolean => idleWords.has(word.toLowerCase().replace('’', "'"));
const isDoubtful = ({ words, choice }: Run): boolean =>
  words.length === 1 && (choice?.kind === 'artist' || choice?.kind === 'venue');

/** The words from left to right: the longest name there is, else a word alone. */
function split(catalogue: Catalogue, words: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < words.length; ) {
    const run = longestAt(catalogue, words, at);
    runs.push(run);
    at += run.words.length;
  }
  return runs;
}

function longestAt(catalogue: Catalogue, words: readonly string[], at: number): Run {
  for (let count = Math.min(longestName, words.length - at); count > 0; count--) {
    const part = words.slice(at, at + count);
    const text = part.join(' ');
    const short = shortCity(catalogue, text, words[at - 1]);
    const areFillers = isIdle(part[0] as string) && (count === 1 || isIdle(part.at(-1) as string));
    if (!short && areFillers && !areCapital(part)) continue;
    const placed = isPlacedBy(words[at - 1]) ? placeName(catalogue, text) : null;
    const choice = placed ?? (short?.isPlaced ? short.choice : (sureName(catalogue, text) ?? short?.choice));
    if (choice) return { words: part, choice, country: null };
    const code = countryWord(text);
    if (code !== null) return { words: part, choice: null, country: { code, text } };
    const region = isPlacedOrCapital(part, words[at - 1]) ? regionName(catalogue, text) : null;
    if (region) return { words: part, choice: region, country: null };
    if (isFestival(catalogue, part)) return unknown(part);
  }
  return unknown([words[at] as string]);
}

const kinds: readonly NameableKind[] = ['genre', 'city', 'venue', 'artist'];

/** The region that is called so, where an artist or venue is as well: "in Goa" is no club. */
function placeName(catalogue: Catalogue, text: string): Choice | null {
  const { named } = catalogue.reader;
  if (named.isCalled('city', text) || named.isCalled('genre', text) || countryWord(text) !== null)
    return null;
  return regionName(catalogue, text);
}

/** What is called just so. */
function sureName(catalogue: Catalogue, text: string): Choice | null {
  for (const kind of kinds) {
    if (catalogue.reader.named.isCalled(kind, text)) {
      const choice = choose(catalogue, kind, text);
      if (isSure(choice)) return choice;
    }
  }
  // "fabric Room 1": the house.
  const house = roomBehind(text) === null ? null : choose(catalogue, 'venue', text);
  return house !== null && isSure(house) ? house : otherForm(catalogue, text);
}

/** A festival that has words in its name which say nothing elsewhere: "Time Warp" is no "Warp". */
const isFestival = (catalogue: Catalogue, words: readonly string[]): boolean =>
  words.length > 1 && words.some(isIdle) && catalogue.reader.named.isCalled('festival', words.join(' '));

/** Words with capitals, each of them: a name, though they be words that say nothing elsewhere. */
const areCapital = (words: readonly string[]): boolean =>
  words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));

/** Behind these words stands a place. */
const placing = new Set(['in', 'near', 'around', 'nach', 'à', 'en', 'a', 'em', 'na', 'no', 'bei', 'um']);
const isPlacedBy = (wordBefore: string | undefined): boolean =>
  wordBefore !== undefined && placing.has(wordBefore.toLowerCase());
/** Names of regions are words too ("North", "Central"). */
const isPlacedOrCapital = ([first = '']: readonly string[], wordBefore: string | undefined): boolean =>
  isPlacedBy(wordBefore) || /^\p{Lu}/u.test(first);

/** The cities of the region that is called just so. */
function regionName(catalogue: Catalogue, text: string): Choice | null {
  if (citiesOfRegion(catalogue, text).length === 0) return null;
  const choice = choose(catalogue, 'city', text);
  return choice.region === null ? null : choice;
}

/**
 * The city that a text is short for, and whether a word before it says that it is a place: otherwise what is called so
 * goes first, and two small letters are a word.
 */
function shortCity(
  catalogue: Catalogue,
  text: string,
  wordBefore: string | undefined,
): { choice: Choice; isPlaced: boolean } | null {
  if (cityShort(text) === null) return null;
  const isPlaced = isPlacedBy(wordBefore);
  if (!isPlaced && text.length <= 2 && /\p{Ll}/u.test(text)) return null;
  const choice = choose(catalogue, 'city', text);
  return isSure(choice) ? { choice, isPlaced } : null;
}

const either = new Set(['or', 'oder', 'ou', 'o', 'of', '/']);

/** One reading of the runs: of each kind but artists the first name counts, and so does what stands before an "or". */
function gather(runs: readonly Run[]): Omit<Wording, 'times'> {
  const names: Choice[] = [];
  const surplus: Choice[] = [];
  const rest: string[][] = [];
  let country: CountryRead | null = null;
  let isEither = false;
  for (const [at, run] of runs.entries()) {
    const { choice, words } = run;
    const before = runs[at - 1]?.words;
    const isOther = before?.length === 1 && either.has((before[0] as string).toLowerCase());
    if (choice) {
      const hasOne = names.some(({ kind }) => kind === choice.kind);
      if (!hasOne || (choice.kind === 'artist' && !isOther)) names.push(choice);
      else {
        surplus.push(choice);
        isEither ||= isOther;
      }
    } else if (run.country !== null && country === null) country = run.country;
    else if (!words.every(isIdle)) {
      if (at > 0 && isUnknown(runs[at - 1])) rest.at(-1)?.push(...words);
      else rest.push([...words]);
    }
  }
  return { names, surplus, isEither, country, rest };
}
