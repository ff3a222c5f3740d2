/**
 * The blocking keys of listings: hashes of what two listings of one event usually share (a word of the title or of the name
 * of an act, the venue, a page), with the day. Listings without a key in common are never compared.
 */
import { dayMs } from '../../clock.ts';
import type { FeedLineupEntry, FeedRecordContent } from '../../contract/feed.ts';
import { memoize } from '../../memoize.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { isNonLatin, mayBeTransliterated, phoneticKeys } from '../../text/scripts.ts';
import {
  cityTokens,
  cityWithoutRegion,
  initialsOf,
  months,
  stopWords,
  titleStopWords,
  tokenize,
  venueStopWords,
  weekdays,
} from '../../text/tokens.ts';
import { blockingHash, dayRange, prefixLength } from '../blocking-hash.ts';
import { pagesOf } from '../page-links.ts';

/** A blocking key, and how it is searched. */
export type BlockingKey = {
  /** The hash with the day. */
  value: number;
  /** Searched on the neighbouring days as well. */
  perDay: boolean;
  /** Sharing it suffices, whatever the names of the cities. */
  crossCity: boolean;
  /** Compared within one source only: two ids for one event. */
  sameSourceOnly: boolean;
};

const maxActs = 6;
const maxTitleTokens = 4;
const maxPages = 3;

/** The longest word of a name, which presumably few other names have. */
const distinctiveToken: (name: string) => string | null = memoize(20_000, (name) => {
  let best: string | null = null;
  for (const word of tokenize(name)) {
    if (
      !stopWords.has(word) &&
      word !== 'live' &&
      word !== 'dj' &&
      (best === null || word.length > best.length)
    )
      best = word;
  }
  return best;
});

const isDistinctive = (word: string): boolean =>
  word.length > 2 &&
  !stopWords.has(word) &&
  !titleStopWords.has(word) &&
  !weekdays.has(word) &&
  !months.has(word) &&
  !/^\d{1,4}$/.test(word);

/** The words of the title and line-up of an event that make keys, as prefixes. */
function eventTokens(title: readonly string[], lineup: FeedRecordContent<'event'>['lineup']): Set<string> {
  const words = new Set<string>();
  const actCount = Math.min(lineup?.length ?? 0, maxActs);
  for (let at = 0; at < actCount; at++) {
    const word = distinctiveToken((lineup as FeedLineupEntry[])[at]?.name as string);
    if (word !== null) words.add(word.slice(0, prefixLength));
  }
  const distinctive = title.filter(isDistinctive);
  if (distinctive.length > 1) distinctive.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  for (const word of distinctive.slice(0, maxTitleTokens)) words.add(word.slice(0, prefixLength));
  return words;
}

/** The distinctive words of the name of a venue, as prefixes: the two longest, its initials, an abbreviation in it. */
export const venueTokens: (name: string) => readonly string[] = memoize(20_000, readVenueTokens);

function readVenueTokens(name: string): string[] {
  if (isPlaceholderVenue(name)) return [];
  // "DC-10" is "DC10".
  const words = tokenize(name.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const distinct = words.filter((word) => !venueStopWords.has(word));
  const longest = (distinct.length > 0 ? distinct : words)
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, 2);
  const initials = words.length >= 3 && words.length <= 6 ? [initialsOf(words)] : [];
  const short = words.find((word) => /^[a-z]{3,6}$/.test(word) && name.includes(word.toUpperCase()));
  const all = [...longest, ...initials, ...(short === undefined ? [] : [short])];
  // "Yu Yu" is "YuYu".
  const joinedWords =
    distinct.length > 1 && distinct.every((word) => word.length <= 4) ? [distinct.join('')] : [];
  return [...new Set([...all, ...joinedWords].map((word) => word.slice(0, prefixLength)))];
}

/** The day of a start as written, in days since 1970; memoized, since it is read for each comparison. */
export const writtenDay = memoize(5_000, (startAt: string): number => {
  const day = Date.parse(`${startAt.slice(0, 10)}T00:00Z`) / dayMs;
  return Number.isFinite(day) ? ((day % dayRange) + dayRange) % dayRange : 0;
});

const cachedKeys = new WeakMap<FeedRecordContent<'event'>, { source: string; keys: BlockingKey[] }>();

/** A page is searched this many days before and after a date: a season. */
const pageRangeDays = 366;

/** The first and last key of a page, within a year of a date. */
export function pageRange(page: string, startAt: string): [number, number] {
  const [first, day] = [blockingHash(pageKeyText(page)) * dayRange, writtenDay(startAt)];
  return [first + Math.max(0, day - pageRangeDays), first + Math.min(dayRange - 1, day + pageRangeDays)];
}
const pageKeyText = (page: string): string => `l ${page}`;

/** The blocking keys of a listing, each once. Cached for the object of the statement. */
export function eventBlockingKeys(source: string, statement: FeedRecordContent<'event'>): BlockingKey[] {
  let cached = cachedKeys.get(statement);
  if (cached?.source !== source) {
    cached = { source, keys: makeKeys(source, statement) };
    cachedKeys.set(statement, cached);
  }
  return cached.keys;
}

function makeKeys(source: string, statement: FeedRecordContent<'event'>): BlockingKey[] {
  const day = writtenDay(statement.start_at);
  const keys = new Map<number, BlockingKey>();
  const title = tokenize(statement.name);
  for (const word of eventTokens(title, statement.lineup)) addDatedKey(keys, `w ${word}`, day, false);
  if (statement.venue)
    for (const word of venueTokens(statement.venue.name)) addDatedKey(keys, `v ${word}`, day, true);
  for (const sound of phoneticTokens(statement)) addDatedKey(keys, `s ${sound}`, day, true);
  for (const page of pagesOf(statement).slice(0, maxPages)) {
    if (page.isSpecific) addDatedKey(keys, pageKeyText(page.key), day, true);
  }
  const value = blockingHash(`o ${source} ${statement.start_at} ${title.join(' ')}`) * dayRange;
  if (!keys.has(value)) keys.set(value, { value, perDay: false, crossCity: true, sameSourceOnly: true });
  return [...keys.values()];
}

function addDatedKey(keys: Map<number, BlockingKey>, text: string, day: number, crossCity: boolean): void {
  const value = blockingHash(text) * dayRange + day;
  if (!keys.has(value)) keys.set(value, { value, perDay: true, crossCity, sameSourceOnly: false });
}

/** Phonetic keys of venue and headliner, where names may be in several scripts. */
function phoneticTokens({ name, venue, country, lineup }: FeedRecordContent<'event'>): string[] {
  const at = venue?.country ?? country;
  const venueName = venue && !isPlaceholderVenue(venue.name) ? venue.name : null;
  const names = [venueName, lineup?.[0]?.name ?? null].filter((text) => text !== null);
  return names
    .filter((text) => mayBeTransliterated(at, text) || isNonLatin(name))
    .flatMap(phoneticKeys)
    .map((sound) => sound.slice(0, prefixLength));
}

const cityBuckets = 2 ** 20;

const cityHash: (city: string) => number = memoize(
  20_000,
  (city) => 1 + (blockingHash(cityTokens(cityWithoutRegion(city)).join(' ')) % (cityBuckets - 1)),
);

/** A source and a city as one number; 0 for a city that is not known. */
export const scopeOf = (sourceId: number, city: string | null | undefined): number =>
  sourceId * cityBuckets + (city ? cityHash(city) : 0);
/** The source id of a scope. */
export const sourceOfScope = (scope: number): number => Math.floor(scope / cityBuckets);
/** Whether two scopes may be of one city. */
export const mayBeSameCity = (a: number, b: number): boolean =>
  a % cityBuckets === 0 || b % cityBuckets === 0 || a % cityBuckets === b % cityBuckets;
