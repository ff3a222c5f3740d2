/** Spelling correction: one typo is accepted in each word of four letters or more. */
import type { SearchIndex } from '../../store/search/search-index.ts';
import { isCorrectable } from '../../text/one-edit.ts';

/** Corrected words: for each query word the matching name words, for the last one also matching prefixes. */
export type SpellingGuess = { words: string[][]; beginnings: string[] };

/** The query itself: its words, the last one as a prefix. */
export const asWritten = (query: readonly string[]): SpellingGuess => ({
  words: query.map((word, at) => (at < query.length - 1 ? [word] : [])),
  beginnings: query.slice(-1),
});

/** Further words are not corrected. */
const maxCorrectedWords = 6;

const alphabets: [script: RegExp, letters: string[]][] = [
  [/^[a-z0-9]+$/, [...'abcdefghijklmnopqrstuvwxyz0123456789']],
  [/^[\u0430-\u045f\u0491]+$/, [...'абвгдежзиклмнопрстуфхцчшщъыьэюяієћђјљњџ']],
  [/^[\u03b1-\u03c9]+$/, [...'αβγδεζηθικλμνξοπρσςτυφχψω']],
];

/**
 * Yields the corrections of a query, likeliest first: with the last typed letter correct, then possibly wrong. The second
 * leaves out the variants of the first. Yields nothing if a word resembles no word of any name.
 * @param query the words as returned by `normalizeForSearch`
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
    const variants = mayForgive(word) ? index.existingWords(readings(word)) : [word];
    if (variants.length === 0) return;
    complete.push(variants);
  }
  const last = query.at(-1) ?? '';
  if (!mayForgive(last)) {
    // The uncorrected query has already been tried.
    if (complete.some((variants, at) => variants.length > 1 || variants[0] !== query[at]))
      yield { words: [...complete, []], beginnings: [last] };
    return;
  }
  const prefixes = index.existingPrefixes(readings(last));
  const words = [...complete, prefixes.filter(({ whole }) => whole).map(({ text }) => text)];
  const kept = new Set(readings(last, true));
  const beginnings = prefixes.map(({ text }) => text).filter((text) => kept.has(text));
  yield { words, beginnings };
  // The variants above have been tried.
  yield { words: [...complete, []], beginnings: [[...last].slice(0, -1).join('')] };
}

/**
 * Returns all results of one insertion, deletion, substitution or transposition. `keepLast` keeps only results with
 * the same last letter, or with the last two letters swapped.
 * @param mayBegin false for a prefix that no word has; results with such a prefix are skipped where this
 * saves work
 */
export function oneEditVariants(
  word: string,
  keepLast = false,
  mayBegin?: (text: string) => boolean,
): string[] {
  const letters = [...word];
  const alphabet = alphabets.find(([script]) => script.test(word))?.[1] ?? [];
  const variants = new Set<string>();
  const end = letters.length - (keepLast ? 1 : 0);
  for (let at = 0; at <= end; at++) {
    const before = letters.slice(0, at).join('');
    // All further results start with this prefix.
    if (mayBegin && !mayBegin(before)) break;
    const after = letters.slice(at).join('');
    for (const letter of alphabet) variants.add(before + letter + after);
    if (at === end) break;
    const rest = letters.slice(at + 1).join('');
    variants.add(before + rest);
    for (const letter of alphabet) variants.add(before + letter + rest);
  }
  for (let at = 0; at + 1 < letters.length; at++) {
    const turned = [...letters];
    turned.splice(at, 2, letters[at + 1] as string, letters[at] as string);
    variants.add(turned.join(''));
  }
  variants.delete(word);
  return [...variants];
}
