/** Words of titles and names, as matching compares them: folded, without what says nothing. */
import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { memoize } from '../memoize.ts';
import { fold, normalizeForSearch } from './fold.ts';
import { termsOf, wordSet } from './lexicon.ts';
import { normalizeText } from './normalize.ts';
import { hasNonLatin } from './scripts.ts';

const maxCachedTexts = 20_000;

/** The folded words of a text in Latin letters, styled letters and emoji read as what they mean. */
export function tokenize(text: string): readonly string[] {
  return text.length < 200 ? cachedTokens(text) : tokenizeText(text);
}

const tokenizeText = (text: string): readonly string[] =>
  ascii.test(text) ? tokenizeAscii(text) : tokenizeUnicode(normalizeText(text));
/** Names of houses, cities and acts come again and again. */
const cachedTokens = memoize(maxCachedTexts, tokenizeText);

const ascii = /^[\x20-\x7e]*$/;
/** Scripts that are written without spaces, beside Latin ones: "恵比寿LIQUIDROOM" is two words. */
const scriptBoundary =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])(?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])/gu;

/** "N.A.A.F.I", "D.A.F.": one word. */
const dottedInitials = /(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;

/** What `readWords` makes of plain letters, in fewer steps: most names are of them. */
function tokenizeAscii(text: string): readonly string[] {
  let lower = text.toLowerCase();
  if (lower.includes('.')) lower = lower.replace(dottedInitials, (all) => all.replaceAll('.', ''));
  if (/['`&]/.test(lower)) lower = lower.replace(/['`]/g, '').replaceAll('&', ' and ');
  return lower.match(/[a-z0-9]+/g) ?? signTokens(text);
}

/** A name of signs alone ("∄", "!!!") is itself. */
function signTokens(text: string): string[] {
  const folded = fold(text).replace(/\s+/g, '');
  return folded === '' ? [] : [folded];
}

/** One seller writes "Клуб Ялта", the other "Yalta Club": both are read in Latin letters. */
function tokenizeUnicode(text: string): readonly string[] {
  const joined = text.includes('.') ? text.replace(dottedInitials, (all) => all.replaceAll('.', '')) : text;
  const folded = normalizeForSearch(joined.replace(scriptBoundary, ' ').replace(/&/g, ' and '));
  if (folded === '') return signTokens(text);
  if (!hasNonLatin(folded)) return folded.split(' ');
  return folded.split(' ').flatMap((word) => (hasNonLatin(word) ? toLatin(word) : [word]));
}

function toLatin(word: string): string[] {
  const written = normalizeForSearch(anyAscii(word)).replaceAll(' ', '').replaceAll('dzh', 'j');
  return [written === '' ? word : written];
}

/** Words that join others, in the languages that listings are most often written in. */
export const stopWords = wordSet('title-words', 'join');

/** Words that most event titles could have; they distinguish no event. */
export const titleStopWords = wordSet('title-words', 'stop');

/** Styles of music, which tell little beside another word. */
export const genreWords = wordSet('title-words', 'genre');

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** The weekday (0 is Sunday) that a word names. */
export const weekdays: ReadonlyMap<string, number> = new Map(
  dayNames.flatMap((name, day) => termsOf('calendar', name).map((term) => [term, day] as const)),
);

/** Names of months, as they stand beside a day. */
export const months = wordSet('calendar', 'month');

/** Words that many venues have in their names. */
export const venueStopWords = wordSet('venue-words', 'stop');

/** Words for parts of a venue. */
export const roomWords = wordSet('venue-words', 'room');

/** "Muenchen" as "Munchen". */
export const foldUmlauts = (word: string): string => word.replace(/([aou])e(?=[^aeiou]|$)/g, '$1');
const digits = /\d/;

/** Longer texts are compared as they stand: letter by letter takes long. */
const maxComparedLength = 150;

/** Whether two words are one but for a slip of the pen; words with digits must be equal. */
export function areSimilarWords(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (
    shorter < 4 ||
    shorter > maxComparedLength ||
    Math.abs(a.length - b.length) > 2 ||
    digits.test(a) ||
    digits.test(b)
  )
    return false;
  // "Muenchen" is "München", "Koehncke" is "Köhncke".
  if (foldUmlauts(a) === foldUmlauts(b)) return true;
  if (shorter < 5) return false;
  return distance(a, b) <= (shorter >= 9 ? 2 : 1);
}

/** How many words of `a` have a word of `b` like them, each word counted once. */
export function countSharedWords(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  let shared = 0;
  for (const word of a) {
    let at = left.indexOf(word);
    if (at < 0) at = left.findIndex((other) => areSimilarWords(word, other));
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared;
}

/** Whether two short texts are one but for slips of the pen, by their letters alone. */
export function areSimilarTexts(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5 || shorter > maxComparedLength || Math.abs(a.length - b.length) > 2) return false;
  const between = distance(a, b);
  if (between > 4) return false;
  // Numbers in a name are no slips: "Studio 54" is not "Studio 55".
  if ((digits.test(a) || digits.test(b)) && a.replace(/\D/g, '') !== b.replace(/\D/g, '')) return false;
  return between <= (shorter >= 10 ? 2 : 1) || foldUmlauts(a) === foldUmlauts(b);
}

/** A number with a few letters beside it: "p0", "1a", "dvs1". Longer words beside a number are words of their own. */
const code = /^(?:[a-z]{1,3}\d+[a-z]{0,3}|\d+[a-z]{1,3})$/;

/** The words of a name that are codes, which tell one room or hall from the next: a letter in them is no slip. */
export const codesIn = (words: readonly string[]): readonly string[] =>
  words.filter((word) => word.length > 1 && digits.test(word) && code.test(word));

/** Whether a name has a code that does not stand in the other. "K 4" has the code of "K4". */
export function differInCodes(a: readonly string[], b: readonly string[]): boolean {
  const lacks = (codes: readonly string[], words: readonly string[]) =>
    codes.length > 0 && codes.some((one) => !words.join('').includes(one));
  return lacks(codesIn(a), b) || lacks(codesIn(b), a);
}

/** What is written short or long in names of cities and houses, each as it is compared. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saint: 'st',
    sankt: 'st',
    sint: 'st',
    street: 'st',
    fort: 'ft',
    mount: 'mt',
    road: 'rd',
    avenue: 'ave',
    square: 'sq',
    company: 'co',
    brothers: 'bros',
    university: 'univ',
    amphitheatre: 'amp',
    amphitheater: 'amp',
    international: 'intl',
  }),
);
/** Words with what is often abbreviated in its short form: "7th Street Entry", "7th St. Entry". */
export const abbreviate = (words: readonly string[]): readonly string[] =>
  words.length > 1 && words.some((word) => abbreviations.has(word))
    ? words.map((word, at) =>
        mustStaySpelledOut(word, at, words.length) ? word : (abbreviations.get(word) ?? word),
      )
    : words;
/** No saint has his name in front, no street begins with the word: "Street Food Hall". */
const mustStaySpelledOut = (word: string, at: number, count: number): boolean =>
  word === 'street' ? at === 0 : word === 'saint' && at === count - 1;

/** The words of a city's name: "Saint Paul" is "St. Paul", "Foxborough" is "Foxboro". */
export const cityTokens: (name: string) => readonly string[] = memoize(maxCachedTexts, (name) =>
  abbreviate(tokenize(name)).map((word) => word.replace(/(?<=...)borough$/, 'boro')),
);

/** A city without the region or country behind it: "Seattle, WA". */
export const cityWithoutRegion = (city: string): string => city.split(',', 1)[0]?.trim() || city;

/** The first letters of words that follow each other, as one text: an abbreviation of them stands in it. */
export const initialsOf = (words: readonly string[]): string => words.map((word) => word[0]).join('');

/** Whether `part` stands in `whole`, word after word. */
export function containsSequence(whole: readonly string[], part: readonly string[]): boolean {
  if (part.length === 0 || part.length > whole.length) return false;
  for (let start = 0; start + part.length <= whole.length; start++) {
    if (
      part.every(
        (word, at) => word === whole[start + at] || areSimilarWords(word, whole[start + at] as string),
      )
    )
      return true;
  }
  return false;
}
