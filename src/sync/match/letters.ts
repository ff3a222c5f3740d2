/** Names in two scripts: "실리카겔" and "Silica Gel", "ديسكو مصر" and "Disco Misr" sound alike, letter by letter they do not. */
import anyAscii from 'any-ascii';
import { remembered } from '../../remembered.ts';

const foreign = /[^\p{Script=Latin}\P{L}]/u;
const latin = /\p{Script=Latin}/u;
/** Letters that stand for a meaning and not for a sound: nothing is known of how they are read. */
const meaning = /\p{Script=Han}/u;
const meanings = /\p{Script=Han}+/gu;

/** Whether a name is written in other letters than Latin ones, and in those alone. */
export const isForeign = (text: string): boolean =>
  !plainly.test(text) && foreign.test(text) && !latin.test(text);
const plainly = /^[\x20-\x7e]*$/;

/** Whether there are letters in a text that are no Latin ones. */
export const hasForeign = (text: string): boolean => foreign.test(text);

/** Whether one of two names is in Latin letters and the other is not. */
export const areOfTwoScripts = (a: string, b: string): boolean =>
  (isForeign(a) && isLatin(b)) || (isForeign(b) && isLatin(a));
const isLatin = (text: string): boolean => latin.test(text) && !foreign.test(text);

/** Countries where names of houses and acts are often written in other letters. */
const elsewhere = new Set(
  'JP KR KP CN TW HK MO TH RU UA BY BG RS MK GR CY IL PS LB SY JO IQ IR SA AE QA KW BH OM YE EG SD LY TN DZ MA GE AM KZ KG MN IN NP BD LK MM KH LA'.split(
    ' ',
  ),
);
/** Whether a name that is said there may be written in other letters by somebody else. */
export const isWrittenTwice = (country: string | null | undefined, text: string): boolean =>
  foreign.test(text) || (country != null && elsewhere.has(country.toUpperCase()));

/** Sounds that one script tells apart and another does not. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/kh|dzh/g, 'k'],
  [/dh/g, 's'],
  [/ph/g, 'f'],
  [/[cqgj]|x/g, 'k'],
  [/d/g, 't'],
  [/b/g, 'p'],
  [/v/g, 'f'],
  [/z/g, 's'],
  [/r/g, 'l'],
  [/(.)\1+/g, '$1'],
  [/[aeiouyw]/g, ''],
];

/** The consonants of a name as they sound; null where its letters do not tell, or too few remain to go by. */
export function soundOf(text: string): string | null {
  return meaning.test(text) ? null : skeletonOf(lettersOf(text));
}

const lettersOf = (text: string): string =>
  anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

function skeletonOf(letters: string, least = 4): string | null {
  const sound = sounds.reduce((rest, [pattern, to]) => rest.replace(pattern, to), letters);
  return sound.length >= least ? sound : null;
}

/** As Japanese and Korean write English words: "Billboard Live" is "birubodo raibu". */
const asHeard = (letters: string): string | null =>
  skeletonOf(
    letters
      .replace(/r(?![aeiouy])/g, '')
      .replace(/v/g, 'b')
      .replace(/th/g, 't'),
  );

/** The sounds that a name is looked for by, however much of it can be read: all that two writings of it may have in common. */
export const soundsToFind: (text: string) => readonly string[] = remembered(10_000, (text) => {
  const letters = lettersOf(text.replace(meanings, ' '));
  const sounds = [...new Set([skeletonOf(letters), asHeard(letters)])].filter((sound) => sound !== null);
  return sounds.length > 0 || letters.length < 5 ? sounds : [spellingOf(letters)];
});

/** Letters that are one sound, in names too short to go by their consonants alone. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/ck|[cq]/g, 'k'],
  [/x/g, 'ks'],
  [/[rl]/g, 'l'],
  [/y/g, 'i'],
  [/ou|oo/g, 'u'],
  [/(.)\1+/g, '$1'],
];
const spellingOf = (letters: string): string =>
  spellings.reduce((rest, [pattern, to]) => rest.replace(pattern, to), letters);

/** Whether two names in two scripts sound alike, the whole of them. */
export function soundAlike(a: string, b: string): boolean {
  if (!areOfTwoScripts(a, b)) return false;
  if (meaning.test(a) || meaning.test(b)) return readsLike(a, b) || readsLike(b, a);
  if (areHeardAlike(lettersOf(a), lettersOf(b))) return true;
  // "Ali Azimi", "علی عظیمی": two names together say more than one as short.
  const short = [a, b].map((name) => (/\S\s+\S/.test(name) ? skeletonOf(lettersOf(name), 3) : null));
  return short[0] != null && short[0] === short[1];
}

function areHeardAlike(a: string, b: string): boolean {
  const [one, two] = [skeletonOf(a), asHeard(a)];
  if ((one !== null && one === skeletonOf(b)) || (two !== null && two === asHeard(b))) return true;
  // "John", "Джон": what is hardly heard is not written by all.
  const three = skeletonOf(a.replace(/(?<![ksdpcgtz])h/g, ''));
  if (three !== null && three === skeletonOf(b.replace(/(?<![ksdpcgtz])h/g, ''))) return true;
  return Math.min(a.length, b.length) >= 5 && spellingOf(a) === spellingOf(b);
}

/**
 * "田中フミヤ" and "Fumiya Tanaka", "梅田シャングリラ" and "Umeda Shangri-La": what is written by its sound stands in the
 * other name, which has something left for what is not.
 */
function readsLike(mixed: string, other: string): boolean {
  const heard = mixed.replace(meanings, ' ').trim();
  if (!meaning.test(mixed) || heard === '' || !isLatin(other)) return false;
  const letters = lettersOf(heard);
  const words = other.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const runs = words.flatMap((_, start) =>
    [1, 2, 3]
      .filter((count) => count < words.length && start + count <= words.length)
      .map((count) => lettersOf(words.slice(start, start + count).join(''))),
  );
  return letters.length >= 4 && runs.some((run) => run === letters || areHeardAlike(letters, run));
}

/** A name without what is written in letters other than Latin ones, where it is written in both; else null. */
export function latinPartOf(text: string): string | null {
  if (plainly.test(text) || !foreign.test(text) || !latin.test(text)) return null;
  const part = text
    // A number beside other letters belongs to them: "제2전시장 9홀".
    .replace(/\d*[^\p{Script=Latin}\P{L}]+\d*/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return part === '' ? null : part;
}
