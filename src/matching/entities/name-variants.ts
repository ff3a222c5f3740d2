/** Tells whether an alias is a variant of a name, or another name (docs/spec/imports.md#promises, promise 3: Aphex Twin, AFX). */
import { distance } from 'fastest-levenshtein';
import { artistNameKey, compactKey, jointKey, parseArtistName } from '../../text/artist-name.ts';
import { nameSimilarity } from '../../text/name-similarity.ts';
import { soundsAlike } from '../../text/scripts.ts';
import { areSimilarTexts, differInCodes, tokenize } from '../../text/tokens.ts';

/** Shorter words do not distinguish a name. */
const minTokenLength = 4;
/** Longer names are compared for equality: comparing letter by letter takes long. */
const maxNameLength = 100;

/**
 * "Persuader" for "The Persuader", "C. Lekebusch" for "Cari Lekebusch", "Herbert" for "Matthew Herbert". Only for names of
 * which a source says that they are one's: many are called Herbert. Pure and symmetric.
 */
export const isNameVariant = (a: string, b: string): boolean =>
  isSpellingVariant(a, b) || (Math.max(a.length, b.length) <= maxNameLength && isPartialName(a, b));

/** Whether two names are alike enough to be worth a look: letters that differ, other scripts, signs between words. */
export function areSimilarNames(a: string, b: string): boolean {
  return parseArtistName(a).names.some((one) =>
    parseArtistName(b).names.some(
      (two) =>
        isSlip(compactKey(one), compactKey(two), one, two) ||
        soundsAlike(one, two) ||
        (jointKey(one) !== null && jointKey(one) === jointKey(two)),
    ),
  );
}

/** The same but for how it is spelt: no words are left out. */
export function isSpellingVariant(a: string, b: string): boolean {
  const [one, two] = [artistNameKey(a), artistNameKey(b)];
  if (one === two || Math.max(a.length, b.length) > maxNameLength) return one === two;
  return isSlip(one, two, a, b) || (nameSimilarity(a, b) >= 0.9 && !differInCodes(tokenize(a), tokenize(b)));
}

/** Whether two names are one but for a slip of the pen, by these writings of theirs. */
const isSlip = (one: string, two: string, a: string, b: string): boolean =>
  areSimilarTexts(one, two) && !differInCodes(tokenize(a), tokenize(b));

function isPartialName(a: string, b: string): boolean {
  const [words, others] = [a, b].map((name) => withoutPrefix(tokenize(name))) as [
    readonly string[],
    readonly string[],
  ];
  return containsAllTokens(words, others) || containsAllTokens(others, words) || areInitials(words, others);
}

/** All words of the shorter name stand in the longer, or its first letters do. */
function containsAllTokens(short: readonly string[], long: readonly string[]): boolean {
  return (
    short.length < long.length &&
    short.some((word) => word.length >= minTokenLength) &&
    short.every(
      (word) => long.includes(word) || (word.length === 1 && long.some((other) => other[0] === word)),
    )
  );
}

/** "C. Lekebush", "Christian S.": one word is the same, and of the others the first letters. */
function areInitials(a: readonly string[], b: readonly string[]): boolean {
  if (a.length < 2 || a.length !== b.length) return false;
  const isWhole = (word: string, at: number) =>
    word.length >= minTokenLength && distance(word, b[at] as string) <= (word.length >= 8 ? 2 : 1);
  return a.some(isWhole) && a.every((word, at) => isWhole(word, at) || word[0] === b[at]?.[0]);
}

const withoutPrefix = (words: readonly string[]): readonly string[] =>
  words.length > 1 && /^(?:dj|the|mc)$/.test(words[0] as string) ? words.slice(1) : words;
