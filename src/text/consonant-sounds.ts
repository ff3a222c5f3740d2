/**
 * Names that sound alike in two scripts: "롤링홀" is Rolling Hall, "كايرو جاز كلوب" is Cairo Jazz Club. Spelling says
 * nothing there; what remains of a name in another script are its consonants, roughly.
 */
import anyAscii from 'any-ascii';

/** Consonants that languages take for each other, as in Soundex; r and l too, which some scripts do not tell apart. */
const consonantClasses: Record<string, string> = {
  ...consonantClass('bfpv', '1'),
  ...consonantClass('cgjkqsxz', '2'),
  ...consonantClass('dt', '3'),
  ...consonantClass('lr', '4'),
  ...consonantClass('mn', '5'),
};
function consonantClass(letters: string, digit: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter) => [letter, digit]));
}

/** Names with fewer consonants sound like too many others. */
const minConsonants = 3;
/** With so many, one of them may be heard otherwise. */
const minConsonantsForDifference = 6;

/**
 * Scripts that are read as they are written. Han characters are not: their reading depends on the language and on the name.
 */
const noHanCharacters = /^[^\p{Script=Han}]*$/u;
const latin = /\p{Script=Latin}/u;
const otherLetters = /(?!\p{Script=Latin})\p{L}/u;

/** Whether a name is written in another script than Latin, all but a word or two of it. */
export const isNonLatin = (name: string): boolean => otherLetters.test(name) && !latin.test(name);

/** Whether one name is in Latin letters and the other in others, so that their spellings cannot be compared. */
export const isCrossScript = (a: string, b: string): boolean =>
  (isNonLatin(a) && latin.test(b) && !otherLetters.test(b)) ||
  (isNonLatin(b) && latin.test(a) && !otherLetters.test(a));

/** Sounds that one script writes with two letters and another with one. */
const digraphs: [RegExp, string][] = [
  [/t?ch|sch|sh|ck|kh/g, 'k'],
  [/ph/g, 'f'],
  [/[td][sz]/g, 'z'],
  [/[kc]s/g, 'x'],
];

/** The consonants of a name as classes, and its numbers as they are. */
function phoneticKey(name: string): string {
  const letters = digraphs
    .reduce((text, [pair, one]) => text.replace(pair, one), anyAscii(name).toLowerCase())
    .replace(/([a-z])\1+/g, '$1');
  return [...letters]
    .map((letter) => (/\d/.test(letter) ? `#${letter}` : (consonantClasses[letter] ?? '')))
    .join('');
}
const digitsInKey = (sound: string): string => (sound.match(/#./g) ?? []).join('');

/** Whether the sounds differ in at most one place: one more, one less, or another. */
function differsByAtMostOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(a, at + 1) === rest(b, at + 1) || rest(a, at) === rest(b, at + 1) || rest(a, at + 1) === rest(b, at)
  );
}

/**
 * Whether two names in two scripts sound alike.
 * @returns null where that cannot be said: both in one script, characters that are no sounds, or names too short
 */
export function soundsAlike(a: string, b: string): boolean | null {
  if (!isCrossScript(a, b) || !noHanCharacters.test(a) || !noHanCharacters.test(b)) return null;
  const [one, other] = [phoneticKey(a), phoneticKey(b)];
  if (Math.min(one.length, other.length) < minConsonants) return null;
  if (one === other) return true;
  const isLong = Math.min(one.length, other.length) >= minConsonantsForDifference;
  return isLong && digitsInKey(one) === digitsInKey(other) && differsByAtMostOne(one, other);
}
