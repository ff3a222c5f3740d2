/** The words under which the full-text index holds a name. */
import anyAscii from 'any-ascii';
import { memoize } from '../../memoize.ts';
import { normalizeForSearch } from '../../text/fold.ts';

/** Stands before the first word of a name, in a term of its own: says "here the name begins". */
export const nameStartMark = '\uE000';

/** Signs that stand for letters. */
const letterSigns: Record<string, string> = { '¥': 'y', $: 's', '€': 'e' };
/** The same between letters only: elsewhere they mean themselves. */
const letterSignsWithin: Record<string, string> = { '!': 'i', '1': 'i', '3': 'e', '0': 'o', '4': 'a' };
const apostrophes = /['’‘ʼ`´]/g;
/** A joined spelling longer than this is a list or an address, not a word that anybody types. */
const maxJoinedLength = 16;

/**
 * What the full-text index holds of a name: its first word marked as the beginning, its words in order, and after
 * them the words by which it is also typed ("acdc" for AC/DC, "yousuke" for ¥ØU$UK€, "dianqi" for 電気).
 * @param countWords the name as `normalizeForSearch` gives it
 */
export function indexTerms(name: string, words = normalizeForSearch(name)): string {
  const also = /^[\w ]*$/.test(name) ? [] : otherSpellings(name);
  if (words === '') return also.join(' ');
  const own = words.split(' ');
  const extra = also.filter((word) => !own.includes(word));
  return [`${nameStartMark}${own[0]}`, ...own, ...extra].join(' ');
}

function otherSpellings(name: string): string[] {
  const found = new Set<string>();
  for (const chunk of name.normalize('NFC').toLowerCase().split(/\s+/u)) {
    if (plainChunk.test(chunk)) continue;
    for (const spelling of spellingsOf(chunk)) found.add(spelling);
  }
  return [...found];
}

/** A word of ASCII letters with nothing in it, though perhaps a sign around it: it has no other spelling. */
const plainChunk = /^[^\w¥$€'’‘ʼ`´\x80-\uffff]*[a-z]*[^\w¥$€'’‘ʼ`´\x80-\uffff]*$/;
/** The other ways in which one chunk of a name, in lower case, is typed; most names are made of words that others have too. */
const spellingsOf: (chunk: string) => readonly string[] = memoize(20_000, computeSpellings);

function computeSpellings(chunk: string): string[] {
  const found = new Set<string>();
  const parts = split(chunk);
  const joined = parts.join('');
  if (parts.length > 1 && joined.length <= maxJoinedLength && !/[¥$€]/.test(chunk)) found.add(joined);
  if (parts.length === 1) {
    for (const part of split(chunk.replace(apostrophes, ' '))) if (part.length > 1) found.add(part);
  }
  const signless = chunk.replace(/[¥$€]/g, (sign) => letterSigns[sign] as string);
  const latin = latinWords(signless);
  const letters = latinWords(
    signless.replace(/(?<=\p{L})[!1304](?=\p{L})/gu, (sign) => letterSignsWithin[sign] as string),
  );
  if (signless !== chunk || isForeign(chunk)) for (const word of latin) found.add(word);
  if (letters.join() !== latin.join()) for (const word of letters) found.add(word);
  return [...found];
}

const split = (text: string): string[] => normalizeForSearch(text).split(' ').filter(Boolean);
/** Letters that folding alone does not bring to ASCII. */
const isForeign = (chunk: string): boolean => /[^\x20-\x7e]/.test(normalizeForSearch(chunk));
/** Transliterated from the letters as written: folding would take the marks that Japanese tells sounds apart by. */
const latinWords = (chunk: string): string[] => split(anyAscii(chunk.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')));
