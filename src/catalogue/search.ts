/**
 * Search (docs/spec/search.md). Matches are tiered: exact name, exact alias, name prefix, word prefix. Within a tier,
 * more prominent records come first, and upcoming events before past ones. Names are stored in rank order, so each
 * tier is read only as far as hits are needed.
 */

import type Database from 'better-sqlite3';
import { inSteps } from '../divided-work.ts';
import { getOrCreate } from '../memoize.ts';
import { nameStartMark } from '../store/search/index-terms.ts';
import { type SearchableKind, searchableKinds } from '../store/search/name-index.ts';
import { PrefixFilter } from '../store/search/prefix-filter.ts';
import { type NameHit, type NameQuery, SearchIndex } from '../store/search/search-index.ts';
import { isSmallKind, SmallKindSearch, type SmallSearchKind } from '../store/search/small-kinds.ts';
import { fold, normalizeForSearch } from '../text/fold.ts';
import { asWritten, guessWords } from './linking/typos.ts';
import { type MatchType, matchTypeOf } from './match-types.ts';
import { prefixExpression, quoteFts } from './name-expressions.ts';
import {
  isWhole,
  type KnownNames,
  largePageSize,
  namesOf,
  pageSize,
  ranked,
  readFirstPage,
  sortByRank,
} from './ranked-names.ts';
import { findInSmallKinds, joinByTier } from './small-kind-search.ts';
import { collectGuess, GuessReader } from './spelling-search.ts';

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
  const openIndex = (kinds?: readonly SearchableKind[]) =>
    inSteps(new SearchIndex(sqlite, filter, kinds), ['names', 'rowIds', 'byRowIds', 'namesOfWords']);
  const index = openIndex();
  const small = new SmallKindSearch(sqlite);
  const ofKinds = new Map<string, SearchIndex>();
  const indexOf = (kinds: readonly SearchableKind[]): SearchIndex =>
    getOrCreate(ofKinds, kinds.join(' '), () => openIndex(kinds));
  const search: CatalogueSearch = {
    loadWords: () => filter.loadNext(),
    findByName(kind, text, limit) {
      const own = indexOf([kind]);
      const hits = new HitCollector(limit);
      const q = text.slice(0, maxQueryLength).toWellFormed();
      // Events are excluded, so the time has no effect.
      collectHits(own, q, 0, hits);
      const words = normalizeForSearch(q);
      const { names } = hits;
      const ownHits = own.toHits(names);
      return names.flatMap((nameHit, at) => {
        const hit = ownHits[at] ?? null;
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
      const { names } = hits;
      const ownHits = own.toHits(names);
      const ownMatches = names.map((nameHit, at) => ({ nameHit, toHit: () => ownHits[at] ?? null }));
      const others = findInSmallKinds(small, [...new Set(fewKinds)], text).map((nameHit) => ({
        nameHit,
        toHit: () => small.toHit(nameHit),
      }));
      return joinByTier(text, ownMatches, others)
        .slice(0, limit)
        .flatMap(({ toHit }) => {
          const hit = toHit();
          return hit === null ? [] : [JSON.stringify(hit)];
        });
    },
  };
  return inSteps(search, ['findByName', 'search']);
}

const maxQueryLength = 200;
const maxQueryWords = 16;
/** Maximum number of combinations tried for a whole name. */
const maxReadings = 1000;

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
    const foldedQuery = fold(q).trim();
    if (foldedQuery === '') return;
    for (const alias of [0, 1] as const) collectSource(index, { folded: foldedQuery, alias }, now, hits);
    return;
  }
  collectTiers(index, words, now, hits);
  if (!hits.isEmpty) return;
  const joinedWords = joinChunks(q);
  if (joinedWords !== words) collectTiers(index, joinedWords, now, hits);
  if (!hits.isEmpty) return;
  const reader = new GuessReader(index);
  const each = words.split(' ').slice(0, maxQueryWords);
  let tried = asWritten(each);
  for (const guess of guessWords(index, each)) {
    const wholes = index.existingNames(readings(guess.words));
    if (wholes.length > 0) collectExact(index, wholes, now, hits);
    if (!hits.isFull) collectGuess(index, guess, tried, now, hits, reader);
    if (!hits.isEmpty) return;
    tried = guess;
  }
}

/** Joins chunks that punctuation separates: "a-ha" becomes "aha". */
const joinChunks = (q: string): string =>
  q
    .split(/\s+/u)
    .map((chunk) => normalizeForSearch(chunk).replaceAll(' ', ''))
    .filter(Boolean)
    .join(' ');

/** Words that are terms of the full-text index as they are. */
const plainWords = /^[a-z0-9 ]+$/;

/** Collects the four tiers of a query as written. */
function collectTiers(index: SearchIndex, words: string, now: number, hits: HitCollector): void {
  const each = words.split(' ').slice(0, maxQueryWords);
  const last = each.at(-1) as string;
  // No name consists of the words if one is no term. The terms that begin with the last one are read anyway.
  const isUnknown = plainWords.test(words) && index.completions(last)?.includes(last) === false;
  if (!isUnknown) collectExact(index, [words], now, hits);
  if (hits.isFull) return;
  // Names of other kinds are passed over, which takes longer than a second reading of the first names.
  if (each.length === 1 && !index.isOfSomeKinds) collectWord(index, words, now, hits);
  else collectWords(index, words, each, now, hits);
}

/** Collects tiers three and four of one word. */
function collectWord(index: SearchIndex, word: string, now: number, hits: HitCollector): void {
  const knownNames: KnownNames = new Map();
  for (const phrase of [`${nameStartMark}${word}`, word]) {
    const match = prefixExpression(index, phrase);
    if (match === null) continue;
    const first = readFirstPage(index, { match }, pageSize, knownNames);
    hits.add(ranked(index, { match }, now, first), ({ words }) => phrase === word || words.startsWith(word));
    if (hits.isFull) return;
  }
}

/** As many names of several words are read to find those that begin with the words. */
const maxReadNames = 24;

/** Collects tiers three and four. Names that begin with the words are among those that contain them. */
function collectWords(
  index: SearchIndex,
  words: string,
  each: readonly string[],
  now: number,
  hits: HitCollector,
): void {
  const lastMatch = prefixExpression(index, each.at(-1) as string);
  if (lastMatch === null) return;
  const source = { match: [...new Set(each.slice(0, -1).map(quoteFts)), lastMatch].join(' AND ') };
  const size = each.length === 1 ? pageSize : largePageSize;
  const first = readFirstPage(index, source, size);
  const opens = (nameHit: NameHit) => nameHit.words.startsWith(words);
  if (isWhole(first) && (first.ids.length <= maxReadNames || index.isOfSomeKinds)) {
    const all = sortByRank(index, namesOf(index, first), now);
    hits.add(all, opens);
    hits.add(all);
    return;
  }
  const rest = each.length === 1 ? '' : ` ${each.join(' ')}`;
  const match = prefixExpression(index, `${nameStartMark}${each[0]}${rest}`);
  if (match !== null) {
    const opening = readFirstPage(index, { match }, size, first.known);
    hits.add(ranked(index, { match }, now, opening), opens);
  }
  hits.add(ranked(index, source, now, first));
}

/** Collects tiers one and two: names, then aliases, that consist of exactly these words. */
function collectExact(index: SearchIndex, readings: string[], now: number, hits: HitCollector): void {
  const names = readings.length === 1 ? index.namesOfWords(readings[0] as string, pageSize) : null;
  for (const alias of [0, 1] as const) {
    // One look-up finds names and aliases, unless they are more than a page.
    if (names === null || names.length === pageSize)
      collectSource(index, { words: readings, alias }, now, hits);
    else {
      const own = names.filter(({ is_alias }) => is_alias === alias);
      hits.add(sortByRank(index, own, now));
    }
  }
}

function collectSource(index: SearchIndex, source: NameQuery, now: number, hits: HitCollector): void {
  hits.add(ranked(index, source, now, readFirstPage(index, source, pageSize)));
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
