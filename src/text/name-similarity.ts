/** Compares names of acts as different sellers write them. */
import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { memoize } from '../memoize.ts';
import { emojiKey } from './emoji-words.ts';
import { fold, normalizeForSearch } from './fold.ts';
import { isEmojiName, normalizeText } from './normalize.ts';
import { hasNonLatin } from './scripts.ts';

/** Words before names that some sellers leave out. */
const leadingTitle = /^(?:the|dj|mc|live|die|das|les|los|las) (?=.*[\p{L}\p{N}])/u;
const trailingTitle = /(?<=.) (?:dj|live|official|music|band|soundsystem|sound system|dj set|live set)$/u;

/** The key by which names are compared: folded, in Latin letters, without punctuation, leading "DJ" and "The". */
export const nameKey: (name: string) => string = memoize(50_000, computeNameKey);

function computeNameKey(name: string): string {
  const words = latinize(name).replace(/ (?:and|und|et|y) /g, ' ');
  const bare = words.replace(leadingTitle, '').replace(trailingTitle, '');
  // A name of symbols alone ("!!!", "///") is its own key.
  return bare || words || fold(normalizeText(name)).replace(/\s+/g, ' ');
}

/** Transliterates a text to folded words in Latin letters: "Нина Кравиц" becomes "nina kravits". */
export function latinize(text: string): string {
  const key = emojiKey(text);
  if (key !== null) return key;
  const words = normalizeForSearch(
    symbolsToLetters(normalizeText(text).replace(/(?<=\p{L})\.(?=\p{L}(?:\.|$|\s))/gu, '')),
  );
  if (/^[\x20-\x7e]*$/.test(words)) return words;
  return normalizeForSearch(
    words.replace(/\p{L}+/gu, (word) => (/[^\x20-\x7e]/.test(word) ? anyAscii(word) : word)),
  );
}

/** Replaces symbols inside names by the letters they stand for: A$AP, ¥ØU$UK€. */
const symbolsToLetters = (text: string): string =>
  text
    .replace(/&/g, ' and ')
    .replace(/(?<=[\p{L}¥€])\$|\$(?=[\p{L}])/gu, 's')
    .replace(/€(?=\p{L})|(?<=\p{L})€/gu, 'e')
    .replace(/(?<=\p{L})@(?=\p{L})/gu, 'a')
    .replace(/¥(?=\p{L})/gu, 'y')
    .replace(/(?<=\p{L})!(?=\p{L})/gu, 'i');

/** The similarity of two names, from 0 (nothing in common) to 1 (the same key). Deterministic and symmetric. */
export function nameSimilarity(a: string, b: string): number {
  const [one, other] = [nameKey(a), nameKey(b)];
  if (one === other) return one === '' ? 0 : 1;
  // Two emoji are two names, not a typing error.
  if (isEmojiName(a) || isEmojiName(b)) return 0;
  const [close, far] = [one.replaceAll(' ', ''), other.replaceAll(' ', '')];
  if (close === far) return 0.99;
  // Transcriptions differ by more than typing errors do.
  const transcribed = hasNonLatin(a) !== hasNonLatin(b);
  return Math.max(
    typoSimilarity(close, far, transcribed),
    wordOrderSimilarity(one, other),
    initialsSimilarity(one, other),
  );
}

/** Whether two names are spellings of one name (typos, initials, "DJ"/"The", & for and, diacritics, other scripts). */
export function isSameName(a: string, b: string): boolean {
  return nameSimilarity(a, b) >= 0.9;
}

/** Similarity by typing errors: one in five letters or more, two in twelve or more; digits must be equal. */
function typoSimilarity(a: string, b: string, transcribed: boolean): number {
  const length = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > 3) return Math.max(0, 0.6 - Math.abs(a.length - b.length) / 10);
  const errors = isTransposition(a, b) ? 1 : distance(a, b);
  const allowed = transcribed ? Math.ceil(length / 5) : length >= 12 ? 2 : length >= 5 ? 1 : 0;
  const digits = (text: string): string => text.replace(/\D/g, '');
  if (digits(a) !== digits(b)) return Math.min(0.6, 1 - errors / length);
  // "Marco V" and "Marco X", "Kink" and "Kank": short names differ by a letter; the first letter is seldom mistyped.
  if (errors <= allowed && a[0] === b[0] && !(length < 7 && a.length === b.length && !isTransposition(a, b)))
    return Math.max(0.9, 0.97 - errors * 0.02);
  return Math.min(0.88, 1 - (errors * 1.2) / length);
}

/** Whether two names differ only in the order of two neighbouring letters. */
function isTransposition(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Similarity of the same words in another order ("Dettmann, Marcel"), or by the share of equal words. */
function wordOrderSimilarity(a: string, b: string): number {
  const [one, other] = [a.split(' '), b.split(' ')];
  if (
    one.length > 1 &&
    one.length === other.length &&
    [...one].sort().join(' ') === [...other].sort().join(' ')
  )
    return 0.95;
  const shared = one.filter((word) => other.includes(word)).length;
  return (shared / Math.max(one.length, other.length)) * 0.8;
}

/** Similarity by initials: "M. Dettmann" and "Marcel Dettmann". The last name must be equal and have four letters or more. */
function initialsSimilarity(a: string, b: string): number {
  const [one, other] = [a.split(' '), b.split(' ')];
  if (one.length !== other.length || one.length < 2 || one.at(-1) !== other.at(-1)) return 0;
  if ((one.at(-1) as string).length < 4) return 0;
  const fits = one.slice(0, -1).every((word, at) => {
    const across = other[at] as string;
    return word === across || ((word.length === 1 || across.length === 1) && word[0] === across[0]);
  });
  return fits ? 0.92 : 0;
}
