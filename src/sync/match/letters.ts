/** Names in two scripts: "실리카겔" and "Silica Gel", "ديسكو مصر" and "Disco Misr" sound alike, letter by letter they do not. */
import anyAscii from 'any-ascii';

const foreign = /[^\p{Script=Latin}\P{L}]/u;
const latin = /\p{Script=Latin}/u;
/** Letters that stand for a meaning and not for a sound: nothing is known of how they are read. */
const meaning = /\p{Script=Han}/u;

/** Whether a name is written in other letters than Latin ones, and in those alone. */
export const isForeign = (text: string): boolean =>
  !plainly.test(text) && foreign.test(text) && !latin.test(text);
const plainly = /^[\x20-\x7e]*$/;

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
  if (meaning.test(text)) return null;
  const letters = anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  const sound = sounds.reduce((rest, [pattern, to]) => rest.replace(pattern, to), letters);
  return sound.length >= 4 ? sound : null;
}

/** Whether two names in two scripts sound alike. */
export function soundAlike(a: string, b: string): boolean {
  if (!areOfTwoScripts(a, b)) return false;
  const sound = soundOf(a);
  return sound !== null && sound === soundOf(b);
}
