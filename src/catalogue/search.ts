/**
 * Search (docs/spec/search.md): tiers of exact name, exact alias, name prefix, word prefix, and within each
 * the more prominent first, upcoming events before past ones. Names are numbered by rank in the file, so every tier is
 * read from its best name on, and only as far as hits are wanted.
 */

import type Database from 'better-sqlite3';
import { dayMs } from '../clock.ts';
import { nameStartMark } from '../store/search/index-terms.ts';
import {
  firstEventRowId,
  firstRowIdOfDay,
  firstUnrankedRowId,
  type SearchableKind,
} from '../store/search/name-index.ts';
import { PrefixFilter } from '../store/search/prefix-filter.ts';
import { type NameHit, type NameQuery, type RowIdBounds, SearchIndex } from '../store/search/search-index.ts';
import { fold, normalizeForSearch } from '../text/fold.ts';
import { guessWords, type SpellingGuess } from './linking/typos.ts';

export type CatalogueSearch = {
  /**
   * The best `limit` records for the query `q` at the time `now` (ms), best first, each as the JSON text of a SearchHit
   * with the placeholder of `store/records/serialize.ts` for the base address. Whatever text `q` is, there is an answer.
   */
  search(q: string, limit: number, now: number): string[];
  /** The best `limit` records of one kind for a name as people write it, best first. */
  findByName(kind: SingleSearchKind, text: string, limit: number): NamedHit[];
  /**
   * Learns more of the words that names have, for a millisecond or less. Search gives the same answers without, but looks
   * up every spelling that a mistyped word may stand for. To be called now and then by whoever answers for long.
   * @returns whether all words are known
   */
  loadWords(): boolean;
};

/** The kinds that may be looked for alone: names of events are looked for with filters, see `store/search/event-names.ts`. */
export type SingleSearchKind = Exclude<SearchableKind, 'event'>;
/** In what way a name was met: wholly, at its beginning, in some words, or as what may have been meant. */
export type MatchType = 'name' | 'alias' | 'beginning' | 'words' | 'guess' | 'part of a guess';
export type NamedHit = {
  id: number;
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  how: MatchType;
};

/** Opens search over the names in the file; only reads. */
export function openSearch(sqlite: Database.Database): CatalogueSearch {
  const filter = new PrefixFilter(sqlite);
  const index = new SearchIndex(sqlite, filter);
  const ofKind = new Map<SingleSearchKind, SearchIndex>();
  return {
    loadWords: () => filter.loadNext(),
    findByName(kind, text, limit) {
      const own = ofKind.get(kind) ?? new SearchIndex(sqlite, filter, kind);
      ofKind.set(kind, own);
      const found = new HitCollector(limit);
      const q = text.slice(0, maxQueryLength).toWellFormed();
      // No event is looked for, so what is upcoming makes no difference.
      collectHits(own, q, 0, found);
      const words = normalizeForSearch(q);
      return found.names.flatMap((met) => {
        const hit = own.toHit(met);
        if (hit === null) return [];
        const { slug, name, city, country } = hit;
        return [{ id: met.record_id, slug, name, city, country, how: matchTypeOf(words, met) }];
      });
    },
    search(q, limit, now) {
      const found = new HitCollector(limit);
      collectHits(index, q.slice(0, maxQueryLength).toWellFormed(), now, found);
      return found.names.flatMap((met) => {
        const hit = index.toHit(met);
        return hit === null ? [] : [JSON.stringify(hit)];
      });
    },
  };
}

/** In what way a query, as `normalizeForSearch` gives it, met a name. */
export function matchTypeOf(query: string, met: Pick<NameHit, 'words' | 'terms' | 'is_alias'>): MatchType {
  const joined = (words: string) => words.replaceAll(' ', '');
  if (joined(met.words) === joined(query)) return met.is_alias ? 'alias' : 'name';
  if (met.words.startsWith(query)) return 'beginning';
  const own = met.terms.split(' ');
  const asked = query.split(' ');
  const last = asked.pop() as string;
  if (asked.every((word) => own.includes(word)) && own.some((word) => word.startsWith(last))) return 'words';
  return met.words.split(' ').length === asked.length + 1 ? 'guess' : 'part of a guess';
}

const maxQueryLength = 200;
const maxQueryWords = 16;
/** How many names are looked at for one that begins as it may have been meant. */
const maxGuessedNames = 1000;
/** How many ways to read a whole name are tried. */
const maxReadings = 1000;
/** Events that began earlier than this are looked for among the past ones, be they over or not. */
const maxRunningMs = 31 * dayMs;

/** The names found, one for each record: the best tier's, the name rather than an alias. */
class HitCollector {
  readonly #limit: number;
  readonly #byRecord = new Map<number, NameHit>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get names(): NameHit[] {
    return [...this.#byRecord.values()];
  }
  get isEmpty(): boolean {
    return this.#byRecord.size === 0;
  }
  get isFull(): boolean {
    return this.#byRecord.size >= this.#limit;
  }

  /** Adds names in the order of rank until there are enough. */
  add(ranked: Iterable<NameHit>, fits: (met: NameHit) => boolean = () => true): void {
    if (this.isFull) return;
    for (const met of ranked) {
      if (this.#byRecord.has(met.record_id) || !fits(met)) continue;
      this.#byRecord.set(met.record_id, met);
      if (this.isFull) return;
    }
  }
}

/** The tiers of the query; where they give nothing, of its chunks joined; where they don't, of what may be meant. */
function collectHits(index: SearchIndex, q: string, now: number, found: HitCollector): void {
  const words = normalizeForSearch(q);
  if (words === '') {
    // A name of symbols alone is found by its exact text.
    const folded = fold(q).trim();
    if (folded === '') return;
    for (const alias of [0, 1] as const) found.add(ranked(index, { folded, alias }, now));
    return;
  }
  collectTiers(index, words, now, found);
  if (!found.isEmpty) return;
  const joined = joinChunks(q);
  if (joined !== words) collectTiers(index, joined, now, found);
  if (!found.isEmpty) return;
  for (const guess of guessWords(index, words.split(' ').slice(0, maxQueryWords))) {
    collectGuess(index, guess, now, found);
    if (!found.isEmpty) return;
  }
}

/** The words of the query where punctuation within them parts nothing: "a-ha" as "aha". */
const joinChunks = (q: string): string =>
  q
    .split(/\s+/u)
    .map((chunk) => normalizeForSearch(chunk).replaceAll(' ', ''))
    .filter(Boolean)
    .join(' ');

/** The four tiers of a query as it is written. */
function collectTiers(index: SearchIndex, words: string, now: number, found: HitCollector): void {
  collectExact(index, [words], now, found);
  if (found.isFull) return;
  const each = words.split(' ').slice(0, maxQueryWords);
  const opening =
    each.length === 1 ? `${nameStartMark}${words}` : `${nameStartMark}${each[0]} ${each.join(' ')}`;
  const page = each.length === 1 ? pageSize : largePageSize;
  found.add(ranked(index, { match: `${quoteFts(opening)} *` }, now, page), (met) =>
    met.words.startsWith(words),
  );
  if (found.isFull) return;
  const last = each.pop() as string;
  const terms = [...[...new Set(each)].map(quoteFts), `${quoteFts(last)} *`];
  found.add(ranked(index, { match: terms.join(' AND ') }, now, page));
}

/** The four tiers of what the query may have been meant to be. */
function collectGuess(index: SearchIndex, guess: SpellingGuess, now: number, found: HitCollector): void {
  const wholes = index.existingNames(readings(guess.words));
  if (wholes.length > 0) collectExact(index, wholes, now, found);
  if (found.isFull) return;
  const opens = (met: NameHit) => startsWithGuess(met.words.split(' '), guess);
  const meant = findFewNames(index, guess);
  if (meant) {
    const names = sortByRank(index, meant, now);
    found.add(names, opens);
    found.add(names);
    return;
  }
  const opening = guessExpression(guess, nameStartMark);
  if (opening !== null)
    found.add(takeFirst(maxGuessedNames, ranked(index, { match: opening }, now, maxFewNames)), opens);
  const match = guessExpression(guess);
  if (match !== null) found.add(ranked(index, { match }, now, maxFewNames));
}

/**
 * All names with words that may be meant, where they are few; else null. The last word has many beginnings, each of
 * which FTS5 gathers whole before it gives one name: better to look for them here, in names that have the other words.
 */
function findFewNames(index: SearchIndex, guess: SpellingGuess): NameHit[] | null {
  const others = { words: guess.words.slice(0, -1), beginnings: [] };
  const match = others.words.length > 0 ? guessExpression(others) : null;
  const names = match === null ? null : allIfFew(index, { match });
  if (names) {
    const isLast = matchesLastWord(guess);
    return names.filter(({ terms }) => terms.split(' ').some(isLast));
  }
  const whole = guessExpression(guess);
  return whole === null ? [] : allIfFew(index, { match: whole });
}

/** So many names are few: read at once, and sorted out here. */
const maxFewNames = 500;

/** All names of a source by row id; null where they are more than few. */
function allIfFew(index: SearchIndex, source: NameQuery): NameHit[] | null {
  const names = index.names(source, {}, maxFewNames);
  return names.length < maxFewNames ? names : null;
}

/** Tiers one and two: names, then aliases, that consist of just these words. */
function collectExact(index: SearchIndex, words: string[], now: number, found: HitCollector): void {
  for (const alias of [0, 1] as const) found.add(ranked(index, { words, alias }, now));
}

/** All ways to take one of each; none where there are too many. */
function readings(words: readonly string[][]): string[] {
  const count = words.reduce((product, meant) => product * meant.length, 1);
  if (count === 0 || count > maxReadings) return [];
  return words.reduce<string[]>(
    (soFar, meant, at) =>
      at === 0 ? meant : soFar.flatMap((reading) => meant.map((word) => `${reading} ${word}`)),
    [],
  );
}

/** A name with one of each of these words, as FTS5 has it; `mark` stands before the first. Null where none can be. */
function guessExpression({ words, beginnings }: SpellingGuess, mark = ''): string | null {
  const each = words.map((meant, at) => {
    const before = at === 0 ? mark : '';
    const terms = meant.map((word) => quoteFts(before + word));
    if (at === words.length - 1) terms.push(...beginnings.map((text) => `${quoteFts(before + text)} *`));
    return terms;
  });
  return each.some((terms) => terms.length === 0)
    ? null
    : each.map((terms) => `(${terms.join(' OR ')})`).join(' AND ');
}

/** Whether a name, word by word, begins with words that may be meant. */
function startsWithGuess(name: readonly string[], guess: SpellingGuess): boolean {
  const last = guess.words.length - 1;
  const isLast = matchesLastWord(guess);
  return guess.words.every((meant, at) => {
    const own = name[at];
    return own !== undefined && (at === last ? isLast(own) : meant.includes(own));
  });
}

/** Whether a word may be meant by the last one of the query. */
const matchesLastWord =
  ({ words, beginnings }: SpellingGuess) =>
  (word: string): boolean =>
    (words.at(-1)?.includes(word) ?? false) || beginnings.some((text) => word.startsWith(text));

/** A string of FTS5, whatever stands in it: nothing in quotes is an operator. */
const quoteFts = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function* takeFirst<T>(count: number, all: Iterable<T>): Generator<T> {
  let left = count;
  for (const one of all) {
    if (left-- === 0) return;
    yield one;
  }
}

/** Names of one word are fetched so many at a time, of several words so many: those are dearer to look for again. */
const pageSize = 32;
const largePageSize = 128;

/**
 * The names of a source by rank, fetched as they are asked for: of records that the catalogue holds something of, by
 * prominence; of upcoming events, soonest first; of records without prominence; of past events, latest first.
 */
function* ranked(index: SearchIndex, source: NameQuery, now: number, page = pageSize): Generator<NameHit> {
  const first = index.names(source, {}, page);
  // Most sources hold so few names that one read had them all.
  if (first.length < page) {
    yield* sortByRank(index, first, now);
    return;
  }
  const prominent = first.filter(({ id }) => id < firstUnrankedRowId);
  yield* prominent;
  if (prominent.length === page) {
    yield* readPages(index, source, { low: (prominent.at(-1)?.id ?? 0) + 1, high: firstUnrankedRowId }, page);
  }
  const running = Math.min(index.maxDurationMs(), maxRunningMs);
  yield* readPages(index, source, { low: firstRowIdOfDay(now - running), upcomingAt: now }, page);
  const obscure = first.filter(({ id }) => id >= firstUnrankedRowId && id < firstEventRowId);
  yield* obscure;
  // Events come last by row id: a page that reached them had all of the rest.
  if (prominent.length + obscure.length === page) {
    yield* readPages(
      index,
      source,
      { low: (obscure.at(-1)?.id ?? firstUnrankedRowId - 1) + 1, high: firstEventRowId },
      page,
    );
  }
  yield* readPages(
    index,
    source,
    { low: firstEventRowId, high: firstRowIdOfDay(now, 1), descending: true },
    page,
  );
}

/** Names that come by row id, as `ranked` has them. */
function sortByRank(index: SearchIndex, names: NameHit[], now: number): NameHit[] {
  const events = names.filter(({ id }) => id >= firstEventRowId);
  const upcoming = new Set(events.filter((met) => (index.endsAtMs(met.record_id) ?? 0) > now));
  return [
    ...names.filter(({ id }) => id < firstUnrankedRowId),
    ...upcoming,
    ...names.filter(({ id }) => id >= firstUnrankedRowId && id < firstEventRowId),
    ...events.filter((met) => !upcoming.has(met)).reverse(),
  ];
}

function* readPages(
  index: SearchIndex,
  source: NameQuery,
  reach: RowIdBounds,
  size: number,
): Generator<NameHit> {
  for (let left = reach; ; ) {
    const page = index.names(source, left, size);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    left = reach.descending ? { ...left, high: last.id } : { ...left, low: last.id + 1 };
  }
}
