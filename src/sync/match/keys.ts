/**
 * Where a listing is looked for: hashes of what two listings of one show have in common as a rule (a word of the title
 * or of an act's name, the house, a page), with the day. Listings that share none are never compared.
 */
import type { Statement } from '../../contract/feed.ts';
import { remembered } from '../../remembered.ts';
import { isForeign, isWrittenTwice, soundsToFind } from './letters.ts';
import { pagesOf } from './links.ts';
import { isNoPlace } from './no-place.ts';
import {
  cityWords,
  houseWords,
  initialsOf,
  joiners,
  months,
  titleNoise,
  townOf,
  weekdays,
  wordsOf,
} from './words.ts';

/** A key, and how it is looked for. */
export type Key = {
  /** Of the hash and the day. */
  at: number;
  /** Looked for on the days around as well. */
  dated: boolean;
  /** Shared, it is worth a look whatever the cities are called. */
  strong: boolean;
  /** Shared with the same source alone: two ids for one show. */
  own: boolean;
};

const days = 2 ** 17;
const mostActs = 6;
const mostTitleWords = 4;
const mostPages = 3;
/** Words are looked for by their beginnings: endings are where slips and plurals are. */
const lead = 5;

/** A hash of 34 bits (two FNV-1a of 17). */
export function hash(text: string): number {
  let [one, two] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x5bd1e995) + 0x27d4eb2f;
  }
  return ((one >>> 0) % days) * days + ((two >>> 0) % days);
}

/** The word of a name that few other names have, presumably: its longest. */
const tellingWord: (name: string) => string | null = remembered(20_000, (name) => {
  let best: string | null = null;
  for (const word of wordsOf(name)) {
    if (
      !joiners.has(word) &&
      word !== 'live' &&
      word !== 'dj' &&
      (best === null || word.length > best.length)
    )
      best = word;
  }
  return best;
});

const isTelling = (word: string): boolean =>
  word.length > 2 &&
  !joiners.has(word) &&
  !titleNoise.has(word) &&
  !weekdays.has(word) &&
  !months.has(word) &&
  !/^\d{1,4}$/.test(word);

/** The words that a show is looked for by, cut to their beginnings. */
function wordsOfShow({ name, lineup }: Pick<Statement<'event'>, 'name' | 'lineup'>): Set<string> {
  const words = new Set<string>();
  for (const act of (lineup ?? []).slice(0, mostActs)) {
    const word = tellingWord(act.name);
    if (word !== null) words.add(word.slice(0, lead));
  }
  const title = wordsOf(name)
    .filter(isTelling)
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  for (const word of title.slice(0, mostTitleWords)) words.add(word.slice(0, lead));
  return words;
}

/** The words of a house's name that others lack, presumably: the two longest, and what its first letters make. */
export const houseKeys: (name: string) => readonly string[] = remembered(20_000, readHouse);

function readHouse(name: string): string[] {
  if (isNoPlace(name)) return [];
  // "DC-10" is "DC10".
  const words = wordsOf(name.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const distinct = words.filter((word) => !houseWords.has(word));
  const longest = (distinct.length > 0 ? distinct : words)
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, 2);
  const initials = words.length >= 3 && words.length <= 6 ? [initialsOf(words)] : [];
  const short = words.find((word) => /^[a-z]{3,6}$/.test(word) && name.includes(word.toUpperCase()));
  const all = [...longest, ...initials, ...(short === undefined ? [] : [short])];
  // "Yu Yu" is "YuYu".
  const joined = distinct.length > 1 && distinct.every((word) => word.length <= 4) ? [distinct.join('')] : [];
  return [...new Set([...all, ...joined].map((word) => word.slice(0, lead)))];
}

/** The day a listing begins, as it is written; days since 1970. */
export function writtenDay(startAt: string): number {
  const day = Date.parse(`${startAt.slice(0, 10)}T00:00Z`) / 86_400_000;
  return Number.isFinite(day) ? ((day % days) + days) % days : 0;
}

const made = new WeakMap<Statement<'event'>, { source: string; keys: Key[] }>();

/** So many days on either side a page is looked for, whatever the date: a season. */
const season = 366;

/** The first and last key of a page, within a year of a date. */
export function pageRange(page: string, startAt: string): [number, number] {
  const [first, day] = [hash(pageText(page)) * days, writtenDay(startAt)];
  return [first + Math.max(0, day - season), first + Math.min(days - 1, day + season)];
}
const pageText = (page: string): string => `l ${page}`;

/** All keys of a statement of a source. */
export function eventKeys(source: string, statement: Statement<'event'>): Key[] {
  let known = made.get(statement);
  if (known?.source !== source) {
    known = { source, keys: makeKeys(source, statement) };
    made.set(statement, known);
  }
  return known.keys;
}

function makeKeys(source: string, statement: Statement<'event'>): Key[] {
  const day = writtenDay(statement.start_at);
  const keys = new Map<number, Key>();
  const add = (text: string, dated: boolean, strong: boolean, own = false) => {
    const at = hash(text) * days + (dated ? day : 0);
    if (!keys.has(at)) keys.set(at, { at, dated, strong, own });
  };
  for (const word of wordsOfShow(statement)) add(`w ${word}`, true, false);
  if (statement.venue) for (const word of houseKeys(statement.venue.name)) add(`v ${word}`, true, true);
  for (const sound of soundsOf(statement)) add(`s ${sound}`, true, true);
  for (const page of pagesOf(statement).slice(0, mostPages)) {
    if (page.specific) add(pageText(page.key), true, true);
  }
  add(`o ${source} ${statement.start_at} ${wordsOf(statement.name).join(' ')}`, false, true, true);
  return [...keys.values()];
}

/** Where names are written in several scripts, house and headliner are looked for by their sounds as well. */
function soundsOf({ name, venue, country, lineup }: Statement<'event'>): string[] {
  const at = venue?.country ?? country;
  const house = venue && !isNoPlace(venue.name) ? venue.name : null;
  const said = [house, lineup?.[0]?.name ?? null].filter((text) => text !== null);
  return said
    .filter((text) => isWrittenTwice(at, text) || isForeign(name))
    .flatMap(soundsToFind)
    .map((sound) => sound.slice(0, lead));
}

const cities = 2 ** 20;

const cityHash: (city: string) => number = remembered(
  20_000,
  (city) => 1 + (hash(cityWords(townOf(city)).join(' ')) % (cities - 1)),
);

/** A source and a city as one number; 0 for a city that is not known. */
export const tagOf = (sourceId: number, city: string | null | undefined): number =>
  sourceId * cities + (city ? cityHash(city) : 0);
export const sourceOfTag = (tag: number): number => Math.floor(tag / cities);
/** Whether two tags may be of one city. */
export const mayBeOneCity = (a: number, b: number): boolean =>
  a % cities === 0 || b % cities === 0 || a % cities === b % cities;
