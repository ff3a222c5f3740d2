/**
 * Search (docs/spec/search.md). Matches are tiered: exact name, exact alias, name prefix, word prefix. Within a tier,
 * more prominent records come first, and upcoming events before past ones. Names are stored in rank order, so each
 * tier is read only as far as hits are needed.
 */

import type Database from 'better-sqlite3';
import { dayMs } from '../clock.ts';
import { nameStartMark } from '../store/search/index-terms.ts';
import {
  firstEventRowId,
  firstRowIdOfDay,
  firstUnrankedRowId,
  type SearchableKind,
  searchableKinds,
} from '../store/search/name-index.ts';
import { PrefixFilter } from '../store/search/prefix-filter.ts';
import { type NameHit, type NameQuery, type RowIdBounds, SearchIndex } from '../store/search/search-index.ts';
import { isSmallKind, SmallKindSearch, type SmallSearchKind } from '../store/search/small-kinds.ts';
import { fold, normalizeForSearch } from '../text/fold.ts';
import { guessWords, type SpellingGuess } from './linking/typos.ts';
import { type MatchType, matchTypeOf } from './match-types.ts';
import { findInSmallKinds, joinByTier } from './small-kind-search.ts';

export type CatalogueSearch = {
  /**
   * Returns the `limit` best records for the query `q` at the time `now` (ms), best first, each as the JSON text of a
   * SearchHit with the base URL placeholder of `store/records/serialize.ts`. Any text is a valid query.
   * @param types only records of these kinds; without it, of those that are searched by default
   */
  search(q: string, limit: number, now: number, types?: readonly SearchType[]): string[];
  /** Returns the `limit` best records of one kind for a name, best first. */
  findByName(kind: SingleSearchKind, text: string, limit: number): NamedHit[];
  /**
   * Loads more of the name words into memory, for a millisecond or less. Results are the same without it, but each
   * spelling variant of a mistyped word is looked up in the file. Servers call it repeatedly.
   * @returns whether all words are loaded
   */
  loadWords(): boolean;
};

/** The kinds that a search can be limited to. */
export type SearchType = SearchableKind | SmallSearchKind;
/** Kinds that can be searched alone. Event names are searched with filters, see `store/search/event-names.ts`. */
export type SingleSearchKind = Exclude<SearchableKind, 'event'>;
export type NamedHit = {
  id: number;
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  how: MatchType;
};

/** Opens search over the names in the file; read-only. */
export function openSearch(sqlite: Database.Database): CatalogueSearch {
  const filter = new PrefixFilter(sqlite);
  const index = new SearchIndex(sqlite, filter);
  const small = new SmallKindSearch(sqlite);
  const ofKinds = new Map<string, SearchIndex>();
  const indexOf = (kinds: readonly SearchableKind[]): SearchIndex => {
    const key = kinds.join(' ');
    const own = ofKinds.get(key) ?? new SearchIndex(sqlite, filter, kinds);
    ofKinds.set(key, own);
    return own;
  };
  return {
    loadWords: () => filter.loadNext(),
    findByName(kind, text, limit) {
      const own = indexOf([kind]);
      const hits = new HitCollector(limit);
      const q = text.slice(0, maxQueryLength).toWellFormed();
      // Events are excluded, so the time has no effect.
      collectHits(own, q, 0, hits);
      const words = normalizeForSearch(q);
      return hits.names.flatMap((nameHit) => {
        const hit = own.toHit(nameHit);
        if (hit === null) return [];
        const { slug, name, city, country } = hit;
        return [{ id: nameHit.record_id, slug, name, city, country, how: matchTypeOf(words, nameHit) }];
      });
    },
    search(q, limit, now, types) {
      const text = q.slice(0, maxQueryLength).toWellFormed();
      const kinds = types && searchableKinds.filter((kind) => types.includes(kind));
      const hits = new HitCollector(limit);
      const own = kinds === undefined ? index : indexOf(kinds);
      if (kinds?.length !== 0) collectHits(own, text, now, hits);
      const fewKinds = (types ?? []).filter(isSmallKind);
      const found = hits.names.map((nameHit) => ({ nameHit, toHit: () => own.toHit(nameHit) }));
      const others = findInSmallKinds(small, [...new Set(fewKinds)], text).map((nameHit) => ({
        nameHit,
        toHit: () => small.toHit(nameHit),
      }));
      return joinByTier(text, found, others)
        .slice(0, limit)
        .flatMap(({ toHit }) => {
          const hit = toHit();
          return hit === null ? [] : [JSON.stringify(hit)];
        });
    },
  };
}

const maxQueryLength = 200;
const maxQueryWords = 16;
/** Maximum number of names checked for a corrected prefix. */
const maxGuessedNames = 1000;
/** Maximum number of combinations tried for a whole name. */
const maxReadings = 1000;
/** Events that began earlier than this before now are listed with the past ones, even if they still run. */
const maxRunningMs = 31 * dayMs;

/** Collects hits, one per record: from the best tier, and names before aliases. */
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

  /** Adds names in rank order until the limit is reached. */
  add(ranked: Iterable<NameHit>, fits: (nameHit: NameHit) => boolean = () => true): void {
    if (this.isFull) return;
    for (const nameHit of ranked) {
      if (this.#byRecord.has(nameHit.record_id) || !fits(nameHit)) continue;
      this.#byRecord.set(nameHit.record_id, nameHit);
      if (this.isFull) return;
    }
  }
}

/** Collects the tiers of the query; without a hit, of its chunks joined; without a hit again, of corrected spellings. */
function collectHits(index: SearchIndex, q: string, now: number, hits: HitCollector): void {
  const words = normalizeForSearch(q);
  if (words === '') {
    // A name of symbols only is found by its exact text.
    const folded = fold(q).trim();
    if (folded === '') return;
    for (const alias of [0, 1] as const) hits.add(ranked(index, { folded, alias }, now));
    return;
  }
  collectTiers(index, words, now, hits);
  if (!hits.isEmpty) return;
  const joined = joinChunks(q);
  if (joined !== words) collectTiers(index, joined, now, hits);
  if (!hits.isEmpty) return;
  for (const guess of guessWords(index, words.split(' ').slice(0, maxQueryWords))) {
    collectGuess(index, guess, now, hits);
    if (!hits.isEmpty) return;
  }
}

/** Joins chunks that punctuation separates: "a-ha" becomes "aha". */
const joinChunks = (q: string): string =>
  q
    .split(/\s+/u)
    .map((chunk) => normalizeForSearch(chunk).replaceAll(' ', ''))
    .filter(Boolean)
    .join(' ');

/** Collects the four tiers of a query as written. */
function collectTiers(index: SearchIndex, words: string, now: number, hits: HitCollector): void {
  collectExact(index, [words], now, hits);
  if (hits.isFull) return;
  const each = words.split(' ').slice(0, maxQueryWords);
  const opening =
    each.length === 1 ? `${nameStartMark}${words}` : `${nameStartMark}${each[0]} ${each.join(' ')}`;
  const page = each.length === 1 ? pageSize : largePageSize;
  const openingMatch = prefixExpression(index, opening);
  if (openingMatch !== null)
    hits.add(ranked(index, { match: openingMatch }, now, page), (nameHit) => nameHit.words.startsWith(words));
  if (hits.isFull) return;
  const last = each.pop() as string;
  const lastMatch = prefixExpression(index, last);
  if (lastMatch === null) return;
  const terms = [...[...new Set(each)].map(quoteFts), lastMatch];
  hits.add(ranked(index, { match: terms.join(' AND ') }, now, page));
}

/** Collects the four tiers of a corrected query. */
function collectGuess(index: SearchIndex, guess: SpellingGuess, now: number, hits: HitCollector): void {
  const wholes = index.existingNames(readings(guess.words));
  if (wholes.length > 0) collectExact(index, wholes, now, hits);
  if (hits.isFull) return;
  const opens = (nameHit: NameHit) => startsWithGuess(nameHit.words.split(' '), guess);
  const fewNames = findFewNames(index, guess);
  if (fewNames) {
    const names = sortByRank(index, fewNames, now);
    hits.add(names, opens);
    hits.add(names);
    return;
  }
  const opening = guessExpression(index, guess, nameStartMark);
  if (opening !== null)
    hits.add(takeFirst(maxGuessedNames, ranked(index, { match: opening }, now, maxFewNames)), opens);
  const match = guessExpression(index, guess);
  if (match !== null) hits.add(ranked(index, { match }, now, maxFewNames));
}

/**
 * Returns all names that contain one variant of each word, or null if there are many. FTS5 would collect every
 * completion of the last word first, so for few names it is faster to compare them here.
 */
function findFewNames(index: SearchIndex, guess: SpellingGuess): NameHit[] | null {
  const others = { words: guess.words.slice(0, -1), beginnings: [] };
  const match = others.words.length > 0 ? guessExpression(index, others) : null;
  const names = match === null ? null : allIfFew(index, { match });
  if (names) {
    const isLast = matchesLastWord(guess);
    return names.filter(({ terms }) => terms.split(' ').some(isLast));
  }
  const whole = guessExpression(index, guess);
  return whole === null ? [] : allIfFew(index, { match: whole });
}

/** Up to this number of names are read at once and filtered in memory. */
const maxFewNames = 500;

/** Returns all names of a source by row id, or null if there are more than `maxFewNames`. */
function allIfFew(index: SearchIndex, source: NameQuery): NameHit[] | null {
  const names = index.names(source, {}, maxFewNames);
  return names.length < maxFewNames ? names : null;
}

/** Collects tiers one and two: names, then aliases, that consist of exactly these words. */
function collectExact(index: SearchIndex, words: string[], now: number, hits: HitCollector): void {
  for (const alias of [0, 1] as const) hits.add(ranked(index, { words, alias }, now));
}

/** Returns all combinations of one variant per word; empty if there are too many. */
function readings(words: readonly string[][]): string[] {
  const count = words.reduce((product, variants) => product * variants.length, 1);
  if (count === 0 || count > maxReadings) return [];
  return words.reduce<string[]>(
    (soFar, variants, at) =>
      at === 0 ? variants : soFar.flatMap((reading) => variants.map((word) => `${reading} ${word}`)),
    [],
  );
}

/**
 * Builds an FTS5 expression for names with one variant of each word; `mark` precedes the first. Null if a word has no
 * variant.
 */
function guessExpression(index: SearchIndex, { words, beginnings }: SpellingGuess, mark = ''): string | null {
  const each = words.map((variants, at) => {
    const before = at === 0 ? mark : '';
    const terms = variants.map((word) => quoteFts(before + word));
    if (at === words.length - 1)
      terms.push(...beginnings.flatMap((text) => prefixExpression(index, before + text) ?? []));
    return terms;
  });
  return each.some((terms) => terms.length === 0)
    ? null
    : each.map((terms) => `(${terms.join(' OR ')})`).join(' AND ');
}

/** Whether a name starts with variants of the words, word by word. */
function startsWithGuess(name: readonly string[], guess: SpellingGuess): boolean {
  const last = guess.words.length - 1;
  const isLast = matchesLastWord(guess);
  return guess.words.every((variants, at) => {
    const own = name[at];
    return own !== undefined && (at === last ? isLast(own) : variants.includes(own));
  });
}

/** Returns a test for variants of the query's last word. */
const matchesLastWord =
  ({ words, beginnings }: SpellingGuess) =>
  (word: string): boolean =>
    (words.at(-1)?.includes(word) ?? false) || beginnings.some((text) => word.startsWith(text));

/** Quotes a text for FTS5; quoted text contains no operators. */
const quoteFts = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Builds an FTS5 expression for a phrase whose last word may go on; null if no word begins so. It names the words that
 * begin so: for a prefix, FTS5 would collect all their names before it returns the first.
 */
function prefixExpression(index: SearchIndex, phrase: string): string | null {
  const at = phrase.lastIndexOf(' ') + 1;
  const words = index.completions(phrase.slice(at));
  if (words === null) return `${quoteFts(phrase)} *`;
  const phrases = words.map((word) => quoteFts(phrase.slice(0, at) + word));
  return phrases.length === 0
    ? null
    : phrases.length === 1
      ? (phrases[0] ?? null)
      : `(${phrases.join(' OR ')})`;
}

function* takeFirst<T>(count: number, all: Iterable<T>): Generator<T> {
  let left = count;
  for (const one of all) {
    if (left-- === 0) return;
    yield one;
  }
}

/** Page sizes for names of one word, and for names of several words, which are slower to query again. */
const pageSize = 32;
const largePageSize = 128;

/**
 * Yields the names of a source by rank, fetched on demand: records with content by prominence; upcoming events,
 * soonest first; records without prominence; past events, latest first.
 */
function* ranked(index: SearchIndex, source: NameQuery, now: number, page = pageSize): Generator<NameHit> {
  const first = index.names(source, {}, page);
  // Most sources fit in the first page.
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
  // Events have the highest row ids: a page that reached them contains all remaining records.
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

/** Sorts names that were read by row id in the order of `ranked`. */
function sortByRank(index: SearchIndex, names: NameHit[], now: number): NameHit[] {
  const events = names.filter(({ id }) => id >= firstEventRowId);
  const upcoming = new Set(events.filter((nameHit) => (index.endsAtMs(nameHit.record_id) ?? 0) > now));
  return [
    ...names.filter(({ id }) => id < firstUnrankedRowId),
    ...upcoming,
    ...names.filter(({ id }) => id >= firstUnrankedRowId && id < firstEventRowId),
    ...events.filter((nameHit) => !upcoming.has(nameHit)).reverse(),
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
