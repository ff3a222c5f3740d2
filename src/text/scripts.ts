/** Names in two scripts: "실리카겔" and "Silica Gel", "ديسكو مصر" and "Disco Misr" sound alike, letter by letter they do not. */
import anyAscii from 'any-ascii';
import { memoize } from '../memoize.ts';

const nonLatinLetter = /[^\p{Script=Latin}\P{L}]/u;
const latinLetter = /\p{Script=Latin}/u;
/** Letters that stand for a meaning and not for a sound: nothing is known of how they are read. */
const logogram = /\p{Script=Han}/u;
const logogramRuns = /\p{Script=Han}+/gu;

/** Whether a name is written in other letters than Latin ones, and in those alone. */
export const isNonLatin = (text: string): boolean =>
  !asciiOnly.test(text) && nonLatinLetter.test(text) && !latinLetter.test(text);
const asciiOnly = /^[\x20-\x7e]*$/;

/** Whether there are letters in a text that are no Latin ones. */
export const hasNonLatin = (text: string): boolean => nonLatinLetter.test(text);

/** Whether one of two names is in Latin letters and the other is not. */
export const areInDifferentScripts = (a: string, b: string): boolean =>
  (isNonLatin(a) && isLatin(b)) || (isNonLatin(b) && isLatin(a));
const isLatin = (text: string): boolean => latinLetter.test(text) && !nonLatinLetter.test(text);

/** Countries where names of houses and acts are often written in other letters. */
const nonLatinCountries = new Set(
  'JP KR KP CN TW HK MO TH RU UA BY BG RS MK GR CY IL PS LB SY JO IQ IR SA AE QA KW BH OM YE EG SD LY TN DZ MA GE AM KZ KG MN IN NP BD LK MM KH LA'.split(
    ' ',
  ),
);
/** Whether a name that is said there may be written in other letters by somebody else. */
export const mayBeTransliterated = (country: string | null | undefined, text: string): boolean =>
  nonLatinLetter.test(text) || (country != null && nonLatinCountries.has(country.toUpperCase()));

/** Sounds that one script tells apart and another does not. */
const soundRules: readonly (readonly [RegExp, string])[] = [
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
export function consonantSkeleton(text: string): string | null {
  return logogram.test(text) ? null : skeleton(toLatinLetters(text));
}

const toLatinLetters = (text: string): string =>
  anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z]/g, '');

function skeleton(letters: string, minLength = 4): string | null {
  const sound = soundRules.reduce((rest, [pattern, to]) => rest.replace(pattern, to), letters);
  return sound.length >= minLength ? sound : null;
}

/** As Japanese and Korean write English words: "Billboard Live" is "birubodo raibu". */
const loanwordSkeleton = (letters: string): string | null =>
  skeleton(
    letters
      .replace(/r(?![aeiouy])/g, '')
      .replace(/v/g, 'b')
      .replace(/th/g, 't'),
  );

/** The sounds that a name is looked for by, however much of it can be read: all that two writings of it may have in common. */
export const phoneticKeys: (text: string) => readonly string[] = memoize(10_000, (text) => {
  const letters = toLatinLetters(text.replace(logogramRuns, ' '));
  const sounds = [...new Set([skeleton(letters), loanwordSkeleton(letters)])].filter(
    (sound) => sound !== null,
  );
  return sounds.length > 0 || letters.length < 5 ? sounds : [normalizeSpelling(letters)];
});

/** Letters that are one sound, in names too short to go by their consonants alone. */
const spellingRules: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/ck|[cq]/g, 'k'],
  [/x/g, 'ks'],
  [/[rl]/g, 'l'],
  [/y/g, 'i'],
  [/ou|oo/g, 'u'],
  [/(.)\1+/g, '$1'],
];
const normalizeSpelling = (letters: string): string =>
  spellingRules.reduce((rest, [pattern, to]) => rest.replace(pattern, to), letters);

/** Whether two names in two scripts sound alike, the whole of them. */
export function soundsAlike(a: string, b: string): boolean {
  if (!areInDifferentScripts(a, b)) return false;
  if (logogram.test(a) || logogram.test(b)) return readsLike(a, b) || readsLike(b, a);
  if (lettersSoundAlike(toLatinLetters(a), toLatinLetters(b))) return true;
  // "Ali Azimi", "علی عظیمی": two names together say more than one as short.
  const short = [a, b].map((name) => (/\S\s+\S/.test(name) ? skeleton(toLatinLetters(name), 3) : null));
  return short[0] != null && short[0] === short[1];
}

function lettersSoundAlike(a: string, b: string): boolean {
  const [one, two] = [skeleton(a), loanwordSkeleton(a)];
  if ((one !== null && one === skeleton(b)) || (two !== null && two === loanwordSkeleton(b))) return true;
  // "John", "Джон": what is hardly heard is not written by all.
  const three = skeleton(a.replace(/(?<![ksdpcgtz])h/g, ''));
  if (three !== null && three === skeleton(b.replace(/(?<![ksdpcgtz])h/g, ''))) return true;
  return Math.min(a.length, b.length) >= 5 && normalizeSpelling(a) === normalizeSpelling(b);
}

/**
 * "田中フミヤ" and "Fumiya Tanaka", "梅田シャングリラ" and "Umeda Shangri-La": what is written by its sound stands in the
 * other name, which has something left for what is not.
 */
function readsLike(mixed: string, other: string): boolean {
  const heard = mixed.replace(logogramRuns, ' ').trim();
  if (!logogram.test(mixed) || heard === '' || !isLatin(other)) return false;
  const letters = toLatinLetters(heard);
  const words = other.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const runs = words.flatMap((_, start) =>
    [1, 2, 3]
      .filter((count) => count < words.length && start + count <= words.length)
      .map((count) => toLatinLetters(words.slice(start, start + count).join(''))),
  );
  return letters.length >= 4 && runs.some((run) => run === letters || lettersSoundAlike(letters, run));
}

/** A name without what is written in letters other than Latin ones, where it is written in both; else null. */
export function latinPart(text: string): string | null {
  if (asciiOnly.test(text) || !nonLatinLetter.test(text) || !latinLetter.test(text)) return null;
  const part = text
    // A number beside other letters belongs to them: "제2전시장 9홀".
    .replace(/\d*[^\p{Script=Latin}\P{L}]+\d*/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return part === '' ? null : part;
}
