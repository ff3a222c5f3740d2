/** Comparing names of acts as different sellers write them. */
import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { remembered } from '../../remembered.ts';
import { fold, searchWords } from '../../store/fold.ts';
import type { Act } from './act.ts';
import { plain } from './plain.ts';

/** Titles before names that one seller writes and another leaves out. */
const leading = /^(?:the|dj|mc|live|die|das|les|los|las) (?=.*[\p{L}\p{N}])/u;
const trailing = /(?<=.) (?:dj|live|official|music|band|soundsystem|sound system|dj set|live set)$/u;

/** A name as two writings of it are compared: folded, written in Latin letters, without punctuation, "DJ" and "The" in front. */
export const nameKey: (name: string) => string = remembered(50_000, makeKey);

function makeKey(name: string): string {
  const words = latinWords(name).replace(/ (?:and|und|et|y) /g, ' ');
  const bare = words.replace(leading, '').replace(trailing, '');
  // A name of signs alone ("!!!", "///") is itself.
  return bare || words || fold(plain(name)).replace(/\s+/g, ' ');
}

/** Folded words in Latin letters: "Нина Кравиц" is "nina kravits". */
export function latinWords(text: string): string {
  const words = searchWords(symbolsAsLetters(plain(text).replace(/(?<=\p{L})\.(?=\p{L}(?:\.|$|\s))/gu, '')));
  if (/^[\x20-\x7e]*$/.test(words)) return words;
  return searchWords(
    words.replace(/\p{L}+/gu, (word) => (/[^\x20-\x7e]/.test(word) ? anyAscii(word) : word)),
  );
}

/** "$" and "€" inside names are letters: A$AP, ¥ØU$UK€. */
const symbolsAsLetters = (text: string): string =>
  text
    .replace(/&/g, ' and ')
    .replace(/(?<=[\p{L}¥€])\$|\$(?=[\p{L}])/gu, 's')
    .replace(/€(?=\p{L})|(?<=\p{L})€/gu, 'e')
    .replace(/(?<=\p{L})@(?=\p{L})/gu, 'a')
    .replace(/¥(?=\p{L})/gu, 'y')
    .replace(/(?<=\p{L})!(?=\p{L})/gu, 'i');

/** How alike two names of acts are: 1 the same key, 0 nothing in common. Deterministic and symmetric. */
export function nameSimilarity(a: string, b: string): number {
  const [one, other] = [nameKey(a), nameKey(b)];
  if (one === other) return one === '' ? 0 : 1;
  const [close, far] = [one.replaceAll(' ', ''), other.replaceAll(' ', '')];
  if (close === far) return 0.99;
  const transcribed = isTranscribed(a) !== isTranscribed(b);
  return Math.max(typed(close, far, transcribed), turned(one, other), initialled(one, other));
}

/** Written in other letters than Latin ones: transcriptions differ by more than typing errors do. */
const isTranscribed = (name: string): boolean => /[^\p{Script=Latin}\P{L}]/u.test(name);

/** Whether two names are writings of one name (typos, initials, "DJ"/"The", & for and, diacritics, other scripts). */
export function sameName(a: string, b: string): boolean {
  return nameSimilarity(a, b) >= 0.9;
}

/** Likeness by typing errors: one in names of five letters or more, two in twelve or more; digits are never errors. */
function typed(a: string, b: string, transcribed: boolean): number {
  const length = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > 3) return Math.max(0, 0.6 - Math.abs(a.length - b.length) / 10);
  const errors = swapped(a, b) ? 1 : distance(a, b);
  const allowed = transcribed ? Math.ceil(length / 5) : length >= 12 ? 2 : length >= 5 ? 1 : 0;
  const digits = (text: string): string => text.replace(/\D/g, '');
  if (digits(a) !== digits(b)) return Math.min(0.6, 1 - errors / length);
  // "Marco V" and "Marco X", "Kink" and "Kank": short names differ by a letter; the first letter is seldom mistyped.
  if (errors <= allowed && a[0] === b[0] && !(length < 7 && a.length === b.length && !swapped(a, b)))
    return Math.max(0.9, 0.97 - errors * 0.02);
  return Math.min(0.88, 1 - (errors * 1.2) / length);
}

/** Two neighbouring letters in the other order. */
function swapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** The same words in another order ("Dettmann, Marcel"), or one name with a word more. */
function turned(a: string, b: string): number {
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

/** "M. Dettmann" and "Marcel Dettmann": the surname whole and not short, the rest by first letters. */
function initialled(a: string, b: string): number {
  const [one, other] = [a.split(' '), b.split(' ')];
  if (one.length !== other.length || one.length < 2 || one.at(-1) !== other.at(-1)) return 0;
  if ((one.at(-1) as string).length < 4) return 0;
  const fits = one.slice(0, -1).every((word, at) => {
    const across = other[at] as string;
    return word === across || ((word.length === 1 || across.length === 1) && word[0] === across[0]);
  });
  return fits ? 0.92 : 0;
}

/** How two line-ups meet; an act written "A & B" meets A, B and "A and B". */
export type Overlap = {
  /** Acts of the first that the second has too. */
  shared: number;
  /** Acts of the one that the other lacks. */
  onlyA: number;
  onlyB: number;
};
type Named = Pick<Act, 'name' | 'alternatives'>;

/** Compares two line-ups, whatever their order. */
export function compareActs(a: readonly Named[], b: readonly Named[]): Overlap {
  const [ones, others] = [a.flatMap((act) => namesOf(act, b)), b.flatMap((act) => namesOf(act, a))];
  const left = new Set(others.keys());
  let shared = 0;
  for (const name of ones) {
    const met =
      [...left].find((at) => nameKey(others[at] as string) === nameKey(name)) ??
      [...left].find((at) => sameName(others[at] as string, name));
    if (met === undefined) continue;
    left.delete(met);
    shared++;
  }
  return { shared, onlyA: ones.length - shared, onlyB: left.size };
}

/** "A & B" counts as two acts where the other line-up has one of them by itself. */
function namesOf(act: Named, others: readonly Named[]): string[] {
  const apart = act.alternatives.some((name) => others.some((other) => sameName(other.name, name)));
  return apart ? act.alternatives : [act.name];
}
