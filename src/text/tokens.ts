/** Splits titles and names into folded words, and compares words: stop words, similar words, abbreviations. */
import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { memoize } from '../memoize.ts';
import { fold, normalizeForSearch } from './fold.ts';
import { termsOf, wordSet } from './lexicon.ts';
import { normalizeText } from './normalize.ts';
import { hasNonLatin } from './scripts.ts';

const maxCachedTexts = 20_000;

/** Splits a text into folded words in Latin letters; the text is normalized first. */
export function tokenize(text: string): readonly string[] {
  return text.length < 200 ? cachedTokens(text) : tokenizeText(text);
}

const tokenizeText = (text: string): readonly string[] =>
  ascii.test(text) ? tokenizeAscii(text) : tokenizeUnicode(normalizeText(text));
/** Names of venues, cities and acts are tokenized often. */
const cachedTokens = memoize(maxCachedTexts, tokenizeText);

const ascii = /^[\x20-\x7e]*$/;
/** Boundaries between Latin letters and scripts without spaces: "恵比寿LIQUIDROOM" is two words. */
const scriptBoundary =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])(?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])/gu;

/** Dotted initials, which are one word: "N.A.A.F.I", "D.A.F.". */
const dottedInitials = /(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;

/** The words of an ASCII text: the result of `tokenizeUnicode` in fewer steps, because most names are ASCII. */
function tokenizeAscii(text: string): readonly string[] {
  let lower = text.toLowerCase();
  if (lower.includes('.')) lower = lower.replace(dottedInitials, (all) => all.replaceAll('.', ''));
  if (/['`&]/.test(lower)) lower = lower.replace(/['`]/g, '').replaceAll('&', ' and ');
  return lower.match(/[a-z0-9]+/g) ?? signTokens(text);
}

/** The only token of a name of symbols alone ("∄", "!!!"). */
function signTokens(text: string): string[] {
  const folded = fold(text).replace(/\s+/g, '');
  return folded === '' ? [] : [folded];
}

/** The words of a text, in Latin letters: one seller writes "Клуб Ялта", another "Yalta Club". */
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

/** Words that join others: articles, prepositions, "presents". */
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

export const months = wordSet('calendar', 'month');

/** Words that many venues have in their names. */
export const venueStopWords = wordSet('venue-words', 'stop');

/** Words for parts of a venue. */
export const roomWords = wordSet('venue-words', 'room');

/** Replaces "ae", "oe" and "ue" by one vowel: "Muenchen" becomes "Munchen". */
export const foldUmlauts = (word: string): string => word.replace(/([aou])e(?=[^aeiou]|$)/g, '$1');
const digits = /\d/;

/** Longer texts must be equal: an edit distance takes too long. */
export const maxComparedLength = 150;

/** Whether two words differ by typing errors at most; words with digits must be equal. */
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
  // "Muenchen" is "München", "Koehncke" is "Köhncke". Folding keeps the first letter.
  if (a[0] === b[0] && foldUmlauts(a) === foldUmlauts(b)) return true;
  if (shorter < 5) return false;
  return distance(a, b) <= (shorter >= 9 ? 2 : 1);
}

/** The number of words of `a` with a similar word in `b`; each word counts once. */
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

/** Whether two short texts differ by typing errors at most. */
export function areSimilarTexts(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5 || shorter > maxComparedLength || Math.abs(a.length - b.length) > 2) return false;
  const between = distance(a, b);
  if (between > 4) return false;
  const [one, two] = [traitsOf(a), traitsOf(b)];
  // Emoji differ by one unit of UTF-16, and are no typing error.
  if (one.hasEmoji || two.hasEmoji) return false;
  // Numbers must be equal: "Studio 54" is not "Studio 55".
  if (one.digits !== two.digits) return false;
  return between <= (shorter >= 10 ? 2 : 1) || one.withoutUmlauts === two.withoutUmlauts;
}

/** What a text is compared by besides its letters. A name is compared with hundreds of others. */
const traitsOf = memoize(maxCachedTexts, (text: string) => ({
  hasEmoji: /\p{Extended_Pictographic}/u.test(text),
  digits: digits.test(text) ? text.replace(/\D/g, '') : '',
  withoutUmlauts: foldUmlauts(text),
}));

/** A number with a few letters beside it: "p0", "1a", "dvs1". A longer word beside a number is not part of a code. */
const code = /^(?:[a-z]{1,3}\d+[a-z]{0,3}|\d+[a-z]{1,3})$/;

/** The words of a name that are codes, which distinguish rooms and halls and must be equal. */
export const codesIn = (words: readonly string[]): readonly string[] =>
  words.filter((word) => word.length > 1 && digits.test(word) && code.test(word));

/** Whether one name has a code that the other lacks. "K 4" has the code "K4". */
export function differInCodes(a: readonly string[], b: readonly string[]): boolean {
  const lacks = (codes: readonly string[], words: readonly string[]) =>
    codes.length > 0 && codes.some((one) => !words.join('').includes(one));
  return lacks(codesIn(a), b) || lacks(codesIn(b), a);
}

/** Abbreviations of words in names of cities and venues. */
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
/** Replaces words by their abbreviations: "7th Street Entry" becomes "7th St Entry". */
export const abbreviate = (words: readonly string[]): readonly string[] =>
  words.length > 1 && words.some((word) => abbreviations.has(word))
    ? words.map((word, at) =>
        mustStaySpelledOut(word, at, words.length) ? word : (abbreviations.get(word) ?? word),
      )
    : words;
/** Whether a word is not abbreviated: "street" at the beginning ("Street Food Hall"), "saint" at the end. */
const mustStaySpelledOut = (word: string, at: number, count: number): boolean =>
  word === 'street' ? at === 0 : word === 'saint' && at === count - 1;

/** The words of a city's name, abbreviated: "Saint Paul" equals "St. Paul", "Foxborough" equals "Foxboro". */
export const cityTokens: (name: string) => readonly string[] = memoize(maxCachedTexts, (name) =>
  abbreviate(tokenize(name)).map((word) => word.replace(/(?<=...)borough$/, 'boro')),
);

/** A city without the region or country behind it: "Seattle, WA". */
export const cityWithoutRegion = (city: string): string => city.split(',', 1)[0]?.trim() || city;

/** The first letters of words as one text. */
export const initialsOf = (words: readonly string[]): string => words.map((word) => word[0]).join('');

/** Whether the words of `part` stand in `whole` in the same order without a gap; words may be similar. */
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
