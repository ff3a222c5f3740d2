/** Folds names for ordering and search (docs/spec/lists.md#order-by-name, docs/spec/search.md). */
import { memoize } from '../memoize.ts';

/** Replacements for letters that Unicode does not decompose. */
const letterReplacements: Record<string, string> = {
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
  ŧ: 't',
  ĸ: 'k',
  ə: 'e',
  ƒ: 'f',
  ɓ: 'b',
  ɗ: 'd',
  ɛ: 'e',
  ɔ: 'o',
  ƙ: 'k',
  ƴ: 'y',
  ǝ: 'e',
  ɨ: 'i',
  ʉ: 'u',
  ȼ: 'c',
  ɇ: 'e',
  ɉ: 'j',
  ɍ: 'r',
  ɏ: 'y',
  ƀ: 'b',
  ƶ: 'z',
  ⱥ: 'a',
  ⱦ: 't',
};
const undecomposed = new RegExp(`[${Object.keys(letterReplacements).join('')}]`, 'g');
const ascii = /^[\x20-\x7e]*$/;

/**
 * Folds a name for ordering and comparing: compatibility decomposition, no marks, lower case, replaced letters. Folded
 * names are compared by code point, as SQLite compares UTF-8.
 */
export const fold = (name: string): string => (ascii.test(name) ? name.toLowerCase() : foldCached(name));

const foldCached = memoize(20_000, foldLetters);

function foldLetters(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(undecomposed, (letter) => letterReplacements[letter] as string);
}

/** Normalizes a name for search: folded, without apostrophes, any other run of punctuation as one space. Empty for `!!!`. */
export function normalizeForSearch(name: string): string {
  return fold(name)
    .replace(/['’‘ʼ`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
