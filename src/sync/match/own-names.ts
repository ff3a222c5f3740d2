/** The names that a record gives itself: its name without what is no part of it, and what it says in brackets. */
import anyAscii from 'any-ascii';
import { remembered } from '../../remembered.ts';
import { searchWords } from '../../store/fold.ts';
import { plain } from '../reading/plain.ts';
import { countryOf } from '../sources/countries.ts';
import { areOfTwoScripts } from './letters.ts';
import { initialsOf, wordsOf } from './words.ts';

export type OwnNames = {
  /** The name, and other writings of it that stand beside it. */
  names: readonly string[];
  /** The country in brackets: "Justice (UK)". */
  country: string | null;
  /** What else stands in brackets: it tells one of several of a name, or whose label it is. */
  aside: string | null;
};

const bracketed = /^(.*?)\s*[([]([^()[\]]+)[)\]]\s*$/s;
/** What is said of a performance, and not of who performs. */
const performance =
  /^(?:live|live set|live act|live pa|live a\/v|a\/v|a\/v live|dj|dj[- ]?set|djset|hybrid(?: set)?|official|solo|solo live|extended set|all night long|b2b)$/i;
const performing =
  /(?<=\S)\s+(?:[-–|]\s*)?(?:\(?(?:live set|live act|live pa|live a\/v|dj[- ]set|djset|hybrid set)\)?)$|(?<=\S)\s+[-–|]\s+live$/i;
const liveBehind = /(?<=[)\]])\s+live$/i;
/** "Above & Beyond pres. OceanLab": it is OceanLab, whoever presents it. */
const presented = /^.*\s(?:pres\.?|presents|präsentiert|présente)\s+(?=\S{3})/i;
/** Anthony "Shake" Shakir, "Little" Louie Vega. */
const byname = /["“”„«»][^"“”„«»]{1,20}["“”„«»]/g;
const quotes = /["“”„«»]/g;
const areSigns = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** Codes that no standard has, or that behind a name mean another country than there. */
const otherCodes: Readonly<Record<string, string>> = {
  SA: 'ZA',
  GER: 'DE',
  HOL: 'NL',
  ENG: 'GB',
  SCO: 'GB',
  WAL: 'GB',
};

/** The country that a mark stands for: a code in capitals, or a name; null where it is none. */
const countryIn = (mark: string): string | null =>
  mark.length > 3 || mark === mark.toUpperCase() ? (otherCodes[mark] ?? countryOf(mark)) : null;

/**
 * "Justice (3)", "KINK (BG) live", "Floating Points (DJ Set)": who is meant. "페기 구 (Peggy Gou)", "MAW (Masters at Work)",
 * "!!! (Chk Chk Chk)": the same name twice.
 */
export const ownNames: (name: string) => OwnNames = remembered(20_000, readOwnNames);

function readOwnNames(name: string): OwnNames {
  const written = plain(name).replace(/\n/g, ' ').replace(presented, '').trim();
  const bare = written.replace(byname, ' ').replace(/\s+/g, ' ').trim();
  const beside = bare !== written && wordsOf(bare).length > 1 ? [bare] : [];
  let text = written.replace(quotes, '').trim();
  let [country, aside]: [string | null, string | null] = [null, null];
  for (let rest = takeOff(text); rest !== null; rest = takeOff(text)) {
    const { before, mark } = rest;
    text = before;
    if (/^\d{1,3}$/.test(mark) || performance.test(mark)) continue;
    const code = countryIn(mark);
    if (code !== null) country ??= code;
    else if (isAnotherWriting(before, mark)) beside.push(mark);
    else aside ??= wordsOf(mark).join(' ');
  }
  return { names: [text === '' ? name : text, ...beside], country, aside };
}

/** A name without the last thing behind it that is no part of it; null where there is none. */
function takeOff(text: string): { before: string; mark: string } | null {
  const bare = text.replace(liveBehind, '').replace(performing, '').trim();
  if (bare !== text && bare !== '') return { before: bare, mark: 'live' };
  const [, before = '', mark = ''] = bracketed.exec(text) ?? [];
  return before === '' ? null : { before, mark: mark.trim() };
}

/** Whether what stands in brackets is the name once more: in other letters, by its initials, or in words for signs. */
function isAnotherWriting(name: string, mark: string): boolean {
  if (areSigns(mark)) return false;
  if (areSigns(name) || areOfTwoScripts(name, mark)) return true;
  const [words, others] = [wordsOf(name), wordsOf(mark)];
  return areInitials(words, others) || areInitials(others, words);
}

const areInitials = (short: readonly string[], long: readonly string[]): boolean =>
  long.length >= 2 && short.join('').length >= 2 && short.join('') === initialsOf(long);

/** A name by which two writings of it are found alike: squeezed, in Latin letters, umlauts however they are written. */
export function squeezed(text: string): string {
  const words = searchWords(plain(text).replace(/\s*[&+]\s*/g, ' and '));
  const latin = /^[\x20-\x7e]*$/.test(words) ? words : searchWords(anyAscii(words));
  const all = latin === '' ? plain(text).trim().toLowerCase() : latin;
  return all.replaceAll(' ', '').replace(/([aou])e(?=[^aeiou]|$)/g, '$1');
}

const joint = /\s*(?:&|\+|,|\band\b|\bund\b|\bet\b|\by\b|\bb2b\b|\bvs\.?|\/)\s*/i;

/** "Ben Klock & Marcel Dettmann", "Marcel Dettmann & Ben Klock": those of a joint name in one order; null where it is none. */
export function jointKey(name: string): string | null {
  const parts = name.split(joint).map(squeezed);
  return parts.length > 1 && parts.every((part) => part !== '') ? parts.toSorted().join(' ') : null;
}
