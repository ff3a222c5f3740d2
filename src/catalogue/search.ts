/**
 * Search (docs/spec/search.md): tiers of exact name, exact alias, name prefix, word prefix, and within each
 * the more prominent first, upcoming events before past ones. Names are numbered by rank in the file, so every tier is
 * read from its best name on, and only as far as hits are wanted.
 */
import type Database from 'better-sqlite3';
import { fold, searchWords } from '../store/fold.ts';
import { dayRow, eventRows, obscureRows, type SearchedKind } from '../store/names.ts';
import { type MetName, type Reach, SearchIndex, type Source } from '../store/search.ts';
import { beginning } from '../store/search-terms.ts';
import { WordFilter } from '../store/word-filter.ts';
import { type Guess, guessWords } from './typos.ts';

export type Search = {
  /**
   * The best `limit` records for the query `q` at the time `now` (ms), best first, each as the JSON text of a SearchHit
   * with the placeholder of `store/show.ts` for the base address. Whatever text `q` is, there is an answer.
   */
  search(q: string, limit: number, now: number): string[];
  /** The best `limit` records of one kind for a name as people write it, best first. */
  named(kind: NamedKind, text: string, limit: number): Named[];
  /**
   * Learns more of the words that names have, for a millisecond or less. Search gives the same answers without, but looks
   * up every spelling that a mistyped word may stand for. To be called now and then by whoever answers for long.
   * @returns whether all words are known
   */
  learnWords(): boolean;
};

/** The kinds that may be looked for alone: names of events are looked for with filters, see `store/event-names.ts`. */
export type NamedKind = Exclude<SearchedKind, 'event'>;
/** In what way a name was met: wholly, at its beginning, in some words, or as what may have been meant. */
export type Meeting = 'name' | 'alias' | 'beginning' | 'words' | 'guess' | 'part of a guess';
export type Named = {
  id: number;
  slug: string;
  name: string;
  city: string | null;
  country: string | null;
  how: Meeting;
};

/** Opens search over the names in the file; only reads. */
export function openSearch(sqlite: Database.Database): Search {
  const filter = new WordFilter(sqlite);
  const index = new SearchIndex(sqlite, filter);
  const ofKind = new Map<NamedKind, SearchIndex>();
  return {
    learnWords: () => filter.step(),
    named(kind, text, limit) {
      const own = ofKind.get(kind) ?? new SearchIndex(sqlite, filter, kind);
      ofKind.set(kind, own);
      const found = new Found(limit);
      const q = text.slice(0, longestQuery).toWellFormed();
      // No event is looked for, so what is upcoming makes no difference.
      find(own, q, 0, found);
      const words = searchWords(q);
      return found.names.flatMap((met) => {
        const hit = own.hit(met);
        if (hit === null) return [];
        const { slug, name, city, country } = hit;
        return [{ id: met.record_id, slug, name, city, country, how: howMet(words, met) }];
      });
    },
    search(q, limit, now) {
      const found = new Found(limit);
      find(index, q.slice(0, longestQuery).toWellFormed(), now, found);
      return found.names.flatMap((met) => {
        const hit = index.hit(met);
        return hit === null ? [] : [JSON.stringify(hit)];
      });
    },
  };
}

/** In what way a query, as `searchWords` gives it, met a name. */
export function howMet(query: string, met: Pick<MetName, 'words' | 'terms' | 'is_alias'>): Meeting {
  const joined = (words: string) => words.replaceAll(' ', '');
  if (joined(met.words) === joined(query)) return met.is_alias ? 'alias' : 'name';
  if (met.words.startsWith(query)) return 'beginning';
  const own = met.terms.split(' ');
  const asked = query.split(' ');
  const last = asked.pop() as string;
  if (asked.every((word) => own.includes(word)) && own.some((word) => word.startsWith(last))) return 'words';
  return met.words.split(' ').length === asked.length + 1 ? 'guess' : 'part of a guess';
}

const longestQuery = 200;
const mostWords = 16;
/** How many names are looked at for one that begins as it may have been meant. */
const mostGuessed = 1000;
/** How many ways to read a whole name are tried. */
const mostReadings = 1000;
const dayMs = 86_400_000;
/** Events that began earlier than this are looked for among the past ones, be they over or not. */
const longestRunningMs = 31 * dayMs;

/** The names found, one for each record: the best tier's, the name rather than an alias. */
class Found {
  readonly #limit: number;
  readonly #byRecord = new Map<number, MetName>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get names(): MetName[] {
    return [...this.#byRecord.values()];
  }
  get isEmpty(): boolean {
    return this.#byRecord.size === 0;
  }
  get isFull(): boolean {
    return this.#byRecord.size >= this.#limit;
  }

  /** Adds names in the order of rank until there are enough. */
  add(ranked: Iterable<MetName>, fits: (met: MetName) => boolean = () => true): void {
    if (this.isFull) return;
    for (const met of ranked) {
      if (this.#byRecord.has(met.record_id) || !fits(met)) continue;
      this.#byRecord.set(met.record_id, met);
      if (this.isFull) return;
    }
  }
}

/** The tiers of the query; where they give nothing, of its chunks joined; where they don't, of what may be meant. */
function find(index: SearchIndex, q: string, now: number, found: Found): void {
  const words = searchWords(q);
  if (words === '') {
    // A name of symbols alone is found by its exact text.
    const folded = fold(q).trim();
    if (folded === '') return;
    for (const alias of [0, 1] as const) found.add(ranked(index, { folded, alias }, now));
    return;
  }
  findWords(index, words, now, found);
  if (!found.isEmpty) return;
  const joined = joinChunks(q);
  if (joined !== words) findWords(index, joined, now, found);
  if (!found.isEmpty) return;
  for (const guess of guessWords(index, words.split(' ').slice(0, mostWords))) {
    findGuess(index, guess, now, found);
    if (!found.isEmpty) return;
  }
}

/** The words of the query where punctuation within them parts nothing: "a-ha" as "aha". */
const joinChunks = (q: string): string =>
  q
    .split(/\s+/u)
    .map((chunk) => searchWords(chunk).replaceAll(' ', ''))
    .filter(Boolean)
    .join(' ');

/** The four tiers of a query as it is written. */
function findWords(index: SearchIndex, words: string, now: number, found: Found): void {
  findExact(index, [words], now, found);
  if (found.isFull) return;
  const each = words.split(' ').slice(0, mostWords);
  const opening = each.length === 1 ? `${beginning}${words}` : `${beginning}${each[0]} ${each.join(' ')}`;
  const page = each.length === 1 ? pageSize : largePageSize;
  found.add(ranked(index, { match: `${quote(opening)} *` }, now, page), (met) => met.words.startsWith(words));
  if (found.isFull) return;
  const last = each.pop() as string;
  const terms = [...[...new Set(each)].map(quote), `${quote(last)} *`];
  found.add(ranked(index, { match: terms.join(' AND ') }, now, page));
}

/** The four tiers of what the query may have been meant to be. */
function findGuess(index: SearchIndex, guess: Guess, now: number, found: Found): void {
  const wholes = index.knownNames(readings(guess.words));
  if (wholes.length > 0) findExact(index, wholes, now, found);
  if (found.isFull) return;
  const opens = (met: MetName) => beginsAs(met.words.split(' '), guess);
  const meant = fewMeant(index, guess);
  if (meant) {
    const names = inOrder(index, meant, now);
    found.add(names, opens);
    found.add(names);
    return;
  }
  const opening = allOf(guess, beginning);
  if (opening !== null) found.add(atMost(mostGuessed, ranked(index, { match: opening }, now, few)), opens);
  const match = allOf(guess);
  if (match !== null) found.add(ranked(index, { match }, now, few));
}

/**
 * All names with words that may be meant, where they are few; else null. The last word has many beginnings, each of
 * which FTS5 gathers whole before it gives one name: better to look for them here, in names that have the other words.
 */
function fewMeant(index: SearchIndex, guess: Guess): MetName[] | null {
  const others = { words: guess.words.slice(0, -1), beginnings: [] };
  const match = others.words.length > 0 ? allOf(others) : null;
  const names = match === null ? null : all(index, { match });
  if (names) {
    const isLast = endsAs(guess);
    return names.filter(({ terms }) => terms.split(' ').some(isLast));
  }
  const whole = allOf(guess);
  return whole === null ? [] : all(index, { match: whole });
}

/** So many names are few: read at once, and sorted out here. */
const few = 500;

/** All names of a source by row id; null where they are more than few. */
function all(index: SearchIndex, source: Source): MetName[] | null {
  const names = index.names(source, {}, few);
  return names.length < few ? names : null;
}

/** Tiers one and two: names, then aliases, that consist of just these words. */
function findExact(index: SearchIndex, words: string[], now: number, found: Found): void {
  for (const alias of [0, 1] as const) found.add(ranked(index, { words, alias }, now));
}

/** All ways to take one of each; none where there are too many. */
function readings(words: readonly string[][]): string[] {
  const count = words.reduce((product, meant) => product * meant.length, 1);
  if (count === 0 || count > mostReadings) return [];
  return words.reduce<string[]>(
    (soFar, meant, at) =>
      at === 0 ? meant : soFar.flatMap((reading) => meant.map((word) => `${reading} ${word}`)),
    [],
  );
}

/** A name with one of each of these words, as FTS5 has it; `mark` stands before the first. Null where none can be. */
function allOf({ words, beginnings }: Guess, mark = ''): string | null {
  const each = words.map((meant, at) => {
    const before = at === 0 ? mark : '';
    const terms = meant.map((word) => quote(before + word));
    if (at === words.length - 1) terms.push(...beginnings.map((text) => `${quote(before + text)} *`));
    return terms;
  });
  return each.some((terms) => terms.length === 0)
    ? null
    : each.map((terms) => `(${terms.join(' OR ')})`).join(' AND ');
}

/** Whether a name, word by word, begins with words that may be meant. */
function beginsAs(name: readonly string[], guess: Guess): boolean {
  const last = guess.words.length - 1;
  const isLast = endsAs(guess);
  return guess.words.every((meant, at) => {
    const own = name[at];
    return own !== undefined && (at === last ? isLast(own) : meant.includes(own));
  });
}

/** Whether a word may be meant by the last one of the query. */
const endsAs =
  ({ words, beginnings }: Guess) =>
  (word: string): boolean =>
    (words.at(-1)?.includes(word) ?? false) || beginnings.some((text) => word.startsWith(text));

/** A string of FTS5, whatever stands in it: nothing in quotes is an operator. */
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function* atMost<T>(count: number, all: Iterable<T>): Generator<T> {
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
function* ranked(index: SearchIndex, source: Source, now: number, page = pageSize): Generator<MetName> {
  const first = index.names(source, {}, page);
  // Most sources hold so few names that one read had them all.
  if (first.length < page) {
    yield* inOrder(index, first, now);
    return;
  }
  const prominent = first.filter(({ id }) => id < obscureRows);
  yield* prominent;
  if (prominent.length === page) {
    yield* walk(index, source, { low: (prominent.at(-1)?.id ?? 0) + 1, high: obscureRows }, page);
  }
  const running = Math.min(index.longest(), longestRunningMs);
  yield* walk(index, source, { low: dayRow(now - running), upcomingAt: now }, page);
  const obscure = first.filter(({ id }) => id >= obscureRows && id < eventRows);
  yield* obscure;
  // Events come last by row id: a page that reached them had all of the rest.
  if (prominent.length + obscure.length === page) {
    yield* walk(index, source, { low: (obscure.at(-1)?.id ?? obscureRows - 1) + 1, high: eventRows }, page);
  }
  yield* walk(index, source, { low: eventRows, high: dayRow(now, 1), descending: true }, page);
}

/** Names that come by row id, as `ranked` has them. */
function inOrder(index: SearchIndex, names: MetName[], now: number): MetName[] {
  const events = names.filter(({ id }) => id >= eventRows);
  const upcoming = new Set(events.filter((met) => (index.overTs(met.record_id) ?? 0) > now));
  return [
    ...names.filter(({ id }) => id < obscureRows),
    ...upcoming,
    ...names.filter(({ id }) => id >= obscureRows && id < eventRows),
    ...events.filter((met) => !upcoming.has(met)).reverse(),
  ];
}

function* walk(index: SearchIndex, source: Source, reach: Reach, size: number): Generator<MetName> {
  for (let left = reach; ; ) {
    const page = index.names(source, left, size);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < size) return;
    left = reach.descending ? { ...left, high: last.id } : { ...left, low: last.id + 1 };
  }
}
