/** Computes the words by which the full-text index finds a name. */
import anyAscii from 'any-ascii';
import { memoize } from '../../memoize.ts';
import { normalizeForSearch } from '../../text/fold.ts';

/** Precedes the first word of a name in a separate term that marks the start of the name. */
export const nameStartMark = '\uE000';

/** Signs that replace letters. */
const letterSigns: Record<string, string> = { '¥': 'y', $: 's', '€': 'e' };
/** Signs and digits that replace letters only between letters. */
const letterSignsWithin: Record<string, string> = { '!': 'i', '1': 'i', '3': 'e', '0': 'o', '4': 'a' };
const apostrophes = /['’‘ʼ`´]/g;
/** A longer joined spelling is a list or an address rather than a word that people type. */
const maxJoinedLength = 16;

/**
 * The terms of a name in the full-text index: the marked first word, its words in order, then alternative
 * spellings ("acdc" for AC/DC, "yousuke" for ¥ØU$UK€, "dianqi" for 電気).
 * @param words the name as returned by `normalizeForSearch`
 */
export function indexTerms(name: string, words = normalizeForSearch(name)): string {
  const also = /^[\w ]*$/.test(name) ? [] : otherSpellings(name);
  if (words === '') return also.join(' ');
  const own = words.split(' ');
  const extra = also.filter((word) => !own.includes(word));
  return [`${nameStartMark}${own[0]}`, ...own, ...extra].join(' ');
}

function otherSpellings(name: string): string[] {
  const spellings = new Set<string>();
  for (const chunk of name.normalize('NFC').toLowerCase().split(/\s+/u)) {
    if (plainChunk.test(chunk)) continue;
    for (const spelling of spellingsOf(chunk)) spellings.add(spelling);
  }
  return [...spellings];
}

/** A word of ASCII letters, perhaps between signs: it has no other spelling. */
const plainChunk = /^[^\w¥$€'’‘ʼ`´\x80-\uffff]*[a-z]*[^\w¥$€'’‘ʼ`´\x80-\uffff]*$/;
/** The alternative spellings of one lower-case chunk of a name, cached because names share words. */
const spellingsOf: (chunk: string) => readonly string[] = memoize(20_000, computeSpellings);

function computeSpellings(chunk: string): string[] {
  const spellings = new Set<string>();
  const parts = split(chunk);
  const joinedParts = parts.join('');
  if (parts.length > 1 && joinedParts.length <= maxJoinedLength && !/[¥$€]/.test(chunk))
    spellings.add(joinedParts);
  if (parts.length === 1) {
    for (const part of split(chunk.replace(apostrophes, ' '))) if (part.length > 1) spellings.add(part);
  }
  const signless = chunk.replace(/[¥$€]/g, (sign) => letterSigns[sign] as string);
  const latin = latinWords(signless);
  const letters = latinWords(
    signless.replace(/(?<=\p{L})[!1304](?=\p{L})/gu, (sign) => letterSignsWithin[sign] as string),
  );
  if (signless !== chunk || isForeign(chunk)) for (const word of latin) spellings.add(word);
  if (letters.join() !== latin.join()) for (const word of letters) spellings.add(word);
  return [...spellings];
}

const split = (text: string): string[] => normalizeForSearch(text).split(' ').filter(Boolean);
/** Whether folding leaves letters outside ASCII. */
const isForeign = (chunk: string): boolean => /[^\x20-\x7e]/.test(normalizeForSearch(chunk));
/** Transliterates the unfolded text: folding would remove marks that distinguish Japanese sounds. */
const latinWords = (chunk: string): string[] => split(anyAscii(chunk.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')));
