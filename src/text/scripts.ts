/** Compares names in two scripts by their sound: "실리카겔" and "Silica Gel", "ديسكو مصر" and "Disco Misr". */
import anyAscii from 'any-ascii';
import { memoize } from '../memoize.ts';

const nonLatinLetter = /[^\p{Script=Latin}\P{L}]/u;
const latinLetter = /\p{Script=Latin}/u;
/** Letters that stand for a meaning: their pronunciation is unknown. */
const logogram = /\p{Script=Han}/u;
const logogramRuns = /\p{Script=Han}+/gu;

/** Whether a name has non-Latin letters and no Latin ones. */
export const isNonLatin = (text: string): boolean =>
  !asciiOnly.test(text) && nonLatinLetter.test(text) && !latinLetter.test(text);
const asciiOnly = /^[\x20-\x7e]*$/;

/** Whether a text has a letter that is not Latin. */
export const hasNonLatin = (text: string): boolean => nonLatinLetter.test(text);

/** Whether one of two names has only Latin letters and the other only non-Latin letters. */
export const areInDifferentScripts = (a: string, b: string): boolean =>
  (isNonLatin(a) && isLatin(b)) || (isNonLatin(b) && isLatin(a));
const isLatin = (text: string): boolean => latinLetter.test(text) && !nonLatinLetter.test(text);

/** Countries where names of venues and acts are often written in non-Latin letters. */
const nonLatinCountries = new Set(
  'JP KR KP CN TW HK MO TH RU UA BY BG RS MK GR CY IL PS LB SY JO IQ IR SA AE QA KW BH OM YE EG SD LY TN DZ MA GE AM KZ KG MN IN NP BD LK MM KH LA'.split(
    ' ',
  ),
);
/** Whether another source in this country may write the name in another script. */
export const mayBeTransliterated = (country: string | null | undefined, text: string): boolean =>
  nonLatinLetter.test(text) || (country != null && nonLatinCountries.has(country.toUpperCase()));

/** Sounds that some scripts do not distinguish. */
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

/** The consonants of a name by sound; null if it has logograms or fewer than four consonants. */
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

/** The skeleton of an English word as Japanese and Korean write it: "Billboard Live" is "birubodo raibu". */
const loanwordSkeleton = (letters: string): string | null =>
  skeleton(
    letters
      .replace(/r(?![aeiouy])/g, '')
      .replace(/v/g, 'b')
      .replace(/th/g, 't'),
  );

/** The phonetic keys under which a name is indexed, from the part of it that is not written in logograms. */
export const phoneticKeys: (text: string) => readonly string[] = memoize(10_000, (text) => {
  const letters = toLatinLetters(text.replace(logogramRuns, ' '));
  const sounds = [...new Set([skeleton(letters), loanwordSkeleton(letters)])].filter(
    (sound) => sound !== null,
  );
  return sounds.length > 0 || letters.length < 5 ? sounds : [normalizeSpelling(letters)];
});

/** Letters of one sound, for names too short to compare by consonants. */
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

/** Whether two names in different scripts sound alike as a whole. */
export function soundsAlike(a: string, b: string): boolean {
  if (!areInDifferentScripts(a, b)) return false;
  if (logogram.test(a) || logogram.test(b)) return readsLike(a, b) || readsLike(b, a);
  const [one, other] = [toLatinLetters(a), toLatinLetters(b)];
  if ([a, b].some((name) => scriptWithR.test(name)) && liquids(one) !== liquids(other)) return false;
  if (lettersSoundAlike(one, other)) return true;
  // "Ali Azimi", "علی عظیمی": two short words are stronger evidence than one.
  const short = [a, b].map((name) => (/\S\s+\S/.test(name) ? skeleton(toLatinLetters(name), 3) : null));
  return short[0] != null && short[0] === short[1];
}

/** Scripts that write "r" and "l" apart, so that "Акропаль" is neither "Calibre" nor "Kelley Polar". */
const scriptWithR =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const liquids = (letters: string): string => letters.replace(/(.)\1+/g, '$1').replace(/[^rl]/g, '');

function lettersSoundAlike(a: string, b: string): boolean {
  const [one, two] = [skeleton(a), loanwordSkeleton(a)];
  if ((one !== null && one === skeleton(b)) || (two !== null && two === loanwordSkeleton(b))) return true;
  // "John", "Джон": a silent "h" is not transliterated.
  const three = skeleton(a.replace(/(?<![ksdpcgtz])h/g, ''));
  if (three !== null && three === skeleton(b.replace(/(?<![ksdpcgtz])h/g, ''))) return true;
  return Math.min(a.length, b.length) >= 5 && normalizeSpelling(a) === normalizeSpelling(b);
}

/**
 * Whether the phonetic part of a name with logograms stands in the Latin name, which has other words as well:
 * "田中フミヤ" and "Fumiya Tanaka", "梅田シャングリラ" and "Umeda Shangri-La".
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

/** The Latin part of a name with letters of both kinds; null for other names. */
export function latinPart(text: string): string | null {
  if (asciiOnly.test(text) || !nonLatinLetter.test(text) || !latinLetter.test(text)) return null;
  const part = text
    // A number beside other letters belongs to them: "제2전시장 9홀".
    .replace(/\d*[^\p{Script=Latin}\P{L}]+\d*/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return part === '' ? null : part;
}
