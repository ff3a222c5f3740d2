/** Whether an alias is another writing of a name, or another name altogether (docs/spec/imports.md#promises, promise 3: Aphex Twin, AFX). */
import { distance } from 'fastest-levenshtein';
import { nameSimilarity } from '../reading/names.ts';
import { actKey } from './acts.ts';
import { soundAlike } from './letters.ts';
import { jointKey, ownNames, squeezed } from './own-names.ts';
import { alikeTexts, differInCodes, wordsOf } from './words.ts';

/** Words that alone tell nobody from others. */
const shortest = 4;
/** Longer names are compared as they are: letter by letter takes long. */
const longest = 100;

/**
 * "Persuader" for "The Persuader", "C. Lekebusch" for "Cari Lekebusch", "Herbert" for "Matthew Herbert". Only for names of
 * which a source says that they are one's: many are called Herbert. Pure and symmetric.
 */
export const isVariant = (a: string, b: string): boolean =>
  isSpelling(a, b) || (Math.max(a.length, b.length) <= longest && isPart(a, b));

/** Whether two names are alike enough to be worth a look: letters that differ, other scripts, signs between words. */
export function areNearlyOne(a: string, b: string): boolean {
  return ownNames(a).names.some((one) =>
    ownNames(b).names.some(
      (two) =>
        isSlip(squeezed(one), squeezed(two), one, two) ||
        soundAlike(one, two) ||
        (jointKey(one) !== null && jointKey(one) === jointKey(two)),
    ),
  );
}

/** The same but for how it is spelt: no words are left out. */
export function isSpelling(a: string, b: string): boolean {
  const [one, two] = [actKey(a), actKey(b)];
  if (one === two || Math.max(a.length, b.length) > longest) return one === two;
  return isSlip(one, two, a, b) || (nameSimilarity(a, b) >= 0.9 && !differInCodes(wordsOf(a), wordsOf(b)));
}

/** Whether two names are one but for a slip of the pen, by these writings of theirs. */
const isSlip = (one: string, two: string, a: string, b: string): boolean =>
  alikeTexts(one, two) && !differInCodes(wordsOf(a), wordsOf(b));

function isPart(a: string, b: string): boolean {
  const [words, others] = [a, b].map((name) => bareOf(wordsOf(name))) as [
    readonly string[],
    readonly string[],
  ];
  return isWithin(words, others) || isWithin(others, words) || areInitials(words, others);
}

/** All words of the shorter name stand in the longer, or its first letters do. */
function isWithin(short: readonly string[], long: readonly string[]): boolean {
  return (
    short.length < long.length &&
    short.some((word) => word.length >= shortest) &&
    short.every(
      (word) => long.includes(word) || (word.length === 1 && long.some((other) => other[0] === word)),
    )
  );
}

/** "C. Lekebush", "Christian S.": one word is the same, and of the others the first letters. */
function areInitials(a: readonly string[], b: readonly string[]): boolean {
  if (a.length < 2 || a.length !== b.length) return false;
  const isWhole = (word: string, at: number) =>
    word.length >= shortest && distance(word, b[at] as string) <= (word.length >= 8 ? 2 : 1);
  return a.some(isWhole) && a.every((word, at) => isWhole(word, at) || word[0] === b[at]?.[0]);
}

const bareOf = (words: readonly string[]): readonly string[] =>
  words.length > 1 && /^(?:dj|the|mc)$/.test(words[0] as string) ? words.slice(1) : words;
