/**
 * Names that sound alike in two scripts: "롤링홀" is Rolling Hall, "كايرو جاز كلوب" is Cairo Jazz Club. Spelling says
 * nothing there; what remains of a name in another script are its consonants, roughly.
 */
import anyAscii from 'any-ascii';

/** Consonants that languages take for each other, as in Soundex; r and l too, which some scripts do not tell apart. */
const classes: Record<string, string> = {
  ...classOf('bfpv', '1'),
  ...classOf('cgjkqsxz', '2'),
  ...classOf('dt', '3'),
  ...classOf('lr', '4'),
  ...classOf('mn', '5'),
};
function classOf(letters: string, digit: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter) => [letter, digit]));
}

/** Names with fewer consonants sound like too many others. */
const fewest = 3;
/** With so many, one of them may be heard otherwise. */
const enoughForASlip = 6;

/**
 * Scripts that are read as they are written. Han characters are not: their reading depends on the language and on the name.
 */
const spelled = /^[^\p{Script=Han}]*$/u;
const latin = /\p{Script=Latin}/u;
const otherLetters = /(?!\p{Script=Latin})\p{L}/u;

/** Whether a name is written in another script than Latin, all but a word or two of it. */
export const isForeign = (name: string): boolean => otherLetters.test(name) && !latin.test(name);

/** Whether one name is in Latin letters and the other in others, so that their spellings cannot be compared. */
export const areOfTwoScripts = (a: string, b: string): boolean =>
  (isForeign(a) && latin.test(b) && !otherLetters.test(b)) ||
  (isForeign(b) && latin.test(a) && !otherLetters.test(a));

/** Sounds that one script writes with two letters and another with one. */
const pairs: [RegExp, string][] = [
  [/t?ch|sch|sh|ck|kh/g, 'k'],
  [/ph/g, 'f'],
  [/[td][sz]/g, 'z'],
  [/[kc]s/g, 'x'],
];

/** The consonants of a name as classes, and its numbers as they are. */
function soundOf(name: string): string {
  const letters = pairs
    .reduce((text, [pair, one]) => text.replace(pair, one), anyAscii(name).toLowerCase())
    .replace(/([a-z])\1+/g, '$1');
  return [...letters].map((letter) => (/\d/.test(letter) ? `#${letter}` : (classes[letter] ?? ''))).join('');
}
const numbersOf = (sound: string): string => (sound.match(/#./g) ?? []).join('');

/** Whether the sounds differ in at most one place: one more, one less, or another. */
function isNearly(a: string, b: string): boolean {
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
export function soundAlike(a: string, b: string): boolean | null {
  if (!areOfTwoScripts(a, b) || !spelled.test(a) || !spelled.test(b)) return null;
  const [one, other] = [soundOf(a), soundOf(b)];
  if (Math.min(one.length, other.length) < fewest) return null;
  if (one === other) return true;
  const isLong = Math.min(one.length, other.length) >= enoughForASlip;
  return isLong && numbersOf(one) === numbersOf(other) && isNearly(one, other);
}
