/** Parses names of artists and labels: other spellings, countries and qualifiers in brackets, performance marks; and builds keys of names. */
import anyAscii from 'any-ascii';
import { memoize } from '../memoize.ts';
import { parseCountry } from './countries.ts';
import { emojiKey, emojiWords } from './emoji-words.ts';
import { normalizeForSearch } from './fold.ts';
import { isEmojiName, normalizeName, normalizeText } from './normalize.ts';
import { areInDifferentScripts } from './scripts.ts';
import { foldUmlauts, initialsOf, tokenize } from './tokens.ts';

export type ArtistName = {
  /** The name, and other spellings of it that it contains. */
  names: readonly string[];
  /** The country in brackets: "Justice (UK)". */
  country: string | null;
  /** Any other text in brackets, which distinguishes several artists of one name or names a label's owner. */
  qualifier: string | null;
};

const bracketedSuffix = /^(.*?)\s*[([]([^()[\]]+)[)\]]\s*$/s;
/** Words that describe a performance, not the performer. */
const performancePattern =
  /^(?:live|live set|live act|live pa|live a\/v|a\/v|a\/v live|dj|dj[- ]?set|djset|hybrid(?: set)?|official|solo|solo live|extended set|all night long|b2b)$/i;
const performanceSuffix =
  /(?<=\S)\s+(?:[-–|]\s*)?(?:\(?(?:live set|live act|live pa|live a\/v|dj[- ]set|djset|hybrid set)\)?)$|(?<=\S)\s+[-–|]\s+live$/i;
const trailingLive = /(?<=[)\]])\s+live$/i;
/** "Above & Beyond pres. OceanLab": names OceanLab. */
const presenterPrefix = /^.*\s(?:pres\.?|presents|präsentiert|présente)\s+(?=\S{3})/i;
/** Anthony "Shake" Shakir, "Little" Louie Vega. */
const quotedNickname = /["“”„«»][^"“”„«»]{1,20}["“”„«»]/g;
const quotes = /["“”„«»]/g;
const isOnlySigns = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** Country codes that are not in ISO 3166-1, or that mean another country behind a name. */
const nonStandardCodes: ReadonlyMap<string, string> = new Map([
  ['SA', 'ZA'],
  ['GER', 'DE'],
  ['HOL', 'NL'],
  ['ENG', 'GB'],
  ['SCO', 'GB'],
  ['WAL', 'GB'],
]);

/** The country that a text in brackets names by a code in capitals or a name; null if it names none. */
const countryOfMark = (mark: string): string | null =>
  mark.length > 3 || mark === mark.toUpperCase() ? (nonStandardCodes.get(mark) ?? parseCountry(mark)) : null;

/**
 * Parses an artist's name. Removes marks: "Justice (3)", "KINK (BG) live", "Floating Points (DJ Set)". Keeps other
 * spellings: "페기 구 (Peggy Gou)", "MAW (Masters at Work)", "!!! (Chk Chk Chk)".
 */
export const parseArtistName: (name: string) => ArtistName = memoize(20_000, readArtistName);

function readArtistName(name: string): ArtistName {
  const written = normalizeName(name).replace(/\n/g, ' ').replace(presenterPrefix, '').trim();
  const bare = written.replace(quotedNickname, ' ').replace(/\s+/g, ' ').trim();
  const beside = bare !== written && tokenize(bare).length > 1 ? [bare] : [];
  let text = written.replace(quotes, '').trim();
  let [country, aside]: [string | null, string | null] = [null, null];
  for (let rest = stripSuffix(text); rest !== null; rest = stripSuffix(text)) {
    const { before, mark } = rest;
    text = before;
    if (/^\d{1,3}$/.test(mark) || performancePattern.test(mark)) continue;
    const code = countryOfMark(mark);
    if (code !== null) country ??= code;
    else if (isAnotherSpelling(before, mark)) beside.push(mark);
    else aside ??= tokenize(mark).join(' ');
  }
  return { names: [text === '' ? name : text, ...beside], country, qualifier: aside };
}

/** Splits the last suffix off a name; null if the name has none. */
function stripSuffix(text: string): { before: string; mark: string } | null {
  const bare = text.replace(trailingLive, '').replace(performanceSuffix, '').trim();
  if (bare !== text && bare !== '') return { before: bare, mark: 'live' };
  const [, before = '', mark = ''] = bracketedSuffix.exec(text) ?? [];
  return before === '' ? null : { before, mark: mark.trim() };
}

/** Whether the text in brackets is the same name in another script, as initials, or as words for symbols. */
function isAnotherSpelling(name: string, mark: string): boolean {
  if (isOnlySigns(mark)) return false;
  if (isOnlySigns(name) || areInDifferentScripts(name, mark)) return true;
  const [words, others] = [tokenize(name), tokenize(mark)];
  return areInitials(words, others) || areInitials(others, words);
}

const areInitials = (short: readonly string[], long: readonly string[]): boolean =>
  long.length >= 2 && short.join('').length >= 2 && short.join('') === initialsOf(long);

/** Maximum number of names in each cache, and of joint names, which may be long. */
const maxCachedNames = 20_000;
const maxCachedJointNames = 2_000;
/** Longer names have a smaller cache. */
const maxShortLength = 200;
const maxCachedLongNames = 500;

/** A name folded in Latin letters with "and" for "&" and "+"; empty where no letter or digit remains. */
const latinWords = (name: string): string =>
  name.length < maxShortLength ? shortLatinWords(name) : longLatinWords(name);
/** A name is compared with those of all candidates, and so are its parts. */
const shortLatinWords = memoize(maxCachedNames, foldToLatin);
const longLatinWords = memoize(maxCachedLongNames, foldToLatin);

function foldToLatin(name: string): string {
  const key = emojiKey(name);
  if (key !== null) return key;
  const words = normalizeForSearch(normalizeText(name).replace(/\s*[&+]\s*/g, ' and '));
  return /^[\x20-\x7e]*$/.test(words) ? words : normalizeForSearch(anyAscii(words));
}

/** The key under which an artist or label is indexed: Latin letters without spaces, "ae", "oe" and "ue" as one vowel. */
export function compactKey(name: string): string {
  const latin = latinWords(name);
  return foldUmlauts((latin === '' ? normalizeText(name).trim().toLowerCase() : latin).replaceAll(' ', ''));
}

/** The key under which an artist is searched. Names of one key may be two: "DJ 🎧" has that of "DJ Headphones". */
export const candidateKey = (name: string): string =>
  isEmojiName(name) ? foldUmlauts(emojiWords(name).replaceAll(' ', '')) : compactKey(name);

/** The key by which acts of line-ups are compared: `latinWords` without spaces, a leading "DJ" or "The" and a trailing "live". */
export function artistNameKey(name: string): string {
  const key = emojiKey(name);
  if (key !== null) return key.replaceAll(' ', '');
  const bare = latinWords(name)
    .replace(/^(?:dj|the|mc) (?=\S)/, '')
    .replace(/ (?:live|dj set|official)$/, '');
  return (bare === '' ? normalizeText(name).trim() : bare).replaceAll(' ', '');
}

const jointSeparator = /\s*(?:&|\+|,|\band\b|\bund\b|\bet\b|\by\b|\bb2b\b|\bvs\.?|\/)\s*/i;

/** "Ben Klock & Marcel Dettmann", "Marcel Dettmann & Ben Klock": the keys of a joint name's parts, sorted; null if it is not a joint name. */
export const jointKey = memoize(maxCachedJointNames, (name: string): string | null => {
  const parts = name.split(jointSeparator).map(compactKey);
  return parts.length > 1 && parts.every((part) => part !== '') ? parts.toSorted().join(' ') : null;
});
