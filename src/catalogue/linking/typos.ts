/** One typo forgiven in each word of four letters or more: what the words of a query may have been meant to be. */
import type { SearchIndex } from '../../store/search/search-index.ts';

/** What may have been meant: for each word the words that names have, for the last also how such a word may begin. */
export type SpellingGuess = { words: string[][]; beginnings: string[] };

const minWordLength = 4;
const maxWordLength = 24;
/** Further words are taken as they stand. */
const maxCorrectedWords = 6;

const alphabets: [script: RegExp, letters: string[]][] = [
  [/^[a-z0-9]+$/, [...'abcdefghijklmnopqrstuvwxyz0123456789']],
  [/^[\u0430-\u045f\u0491]+$/, [...'абвгдежзиклмнопрстуфхцчшщъыьэюяієћђјљњџ']],
  [/^[\u03b1-\u03c9]+$/, [...'αβγδεζηθικλμνξοπρσςτυφχψω']],
];

/**
 * The readings of a query, likelier first: the last letter typed is right; then, it may be wrong as well. None where
 * some word is like no word of any name. `query` is what `normalizeForSearch` gives, word by word.
 */
export function* guessWords(index: SearchIndex, query: readonly string[]): Generator<SpellingGuess> {
  const filter = index.prefixFilter();
  const readings = (word: string, keepLast = false): string[] => {
    const all = [word, ...oneEditVariants(word, keepLast, filter ?? undefined)];
    return filter === null ? all : all.filter(filter);
  };
  const complete: string[][] = [];
  let forgiven = 0;
  const mayForgive = (word: string) => isCorrectable(word) && ++forgiven <= maxCorrectedWords;
  for (const word of query.slice(0, -1)) {
    const meant = mayForgive(word) ? index.existingWords(readings(word)) : [word];
    if (meant.length === 0) return;
    complete.push(meant);
  }
  const last = query.at(-1) ?? '';
  if (!mayForgive(last)) {
    // What every word stands for as it is has been looked for already.
    if (complete.some((meant, at) => meant.length > 1 || meant[0] !== query[at]))
      yield { words: [...complete, []], beginnings: [last] };
    return;
  }
  const known = index.existingPrefixes(readings(last));
  const words = [...complete, known.filter(({ whole }) => whole).map(({ text }) => text)];
  const kept = new Set(readings(last, true));
  const beginnings = known.map(({ text }) => text).filter((text) => kept.has(text));
  yield { words, beginnings };
  const shorter = [...last].slice(0, -1).join('');
  yield { words, beginnings: [...beginnings.filter((text) => !text.startsWith(shorter)), shorter] };
}

const isCorrectable = (word: string): boolean => {
  const { length } = [...word];
  return length >= minWordLength && length <= maxWordLength;
};

/**
 * All that the word is after one insertion, deletion, substitution or transposition of neighbours. `keepLast`: only
 * what still ends in its last letter, or has the last two changed over.
 * @param mayContainPrefix false for a text that no word begins with: what begins so is left out, as far as that saves work
 */
export function oneEditVariants(
  word: string,
  keepLast = false,
  mayBegin?: (text: string) => boolean,
): string[] {
  const letters = [...word];
  const alphabet = alphabets.find(([script]) => script.test(word))?.[1] ?? [];
  const made = new Set<string>();
  const end = letters.length - (keepLast ? 1 : 0);
  for (let at = 0; at <= end; at++) {
    const before = letters.slice(0, at).join('');
    // All that is made from here on begins so.
    if (mayBegin && !mayBegin(before)) break;
    const after = letters.slice(at).join('');
    for (const letter of alphabet) made.add(before + letter + after);
    if (at === end) break;
    const rest = letters.slice(at + 1).join('');
    made.add(before + rest);
    for (const letter of alphabet) made.add(before + letter + rest);
  }
  for (let at = 0; at + 1 < letters.length; at++) {
    const turned = [...letters];
    turned.splice(at, 2, letters[at + 1] as string, letters[at] as string);
    made.add(turned.join(''));
  }
  made.delete(word);
  return [...made];
}

/** Whether one text becomes the other by one insertion, deletion, substitution or transposition of neighbours. */
export function isOneEditApart(left: string, right: string): boolean {
  if (left === right) return false;
  const [a, b] = [[...left], [...right]];
  if (a.length > b.length) return isOneEditApart(right, left);
  if (b.length - a.length > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (letters: string[], from: number) => letters.slice(from).join('');
  if (a.length < b.length) return rest(a, at) === rest(b, at + 1);
  if (rest(a, at + 1) === rest(b, at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2);
}

/** Whether the words are each the same, or one typo apart where they are long enough to be forgiven one. */
export function areWordsOneEditApart(asked: readonly string[], meant: readonly string[]): boolean {
  return (
    asked.length === meant.length &&
    asked.every(
      (word, at) => word === meant[at] || (isCorrectable(word) && isOneEditApart(word, meant[at] as string)),
    )
  );
}
