/**
 * Finds the names of a corrected query. A name has one variant of each word. Most variants are words of few names, and
 * FTS5 compares all variants at each name of a common one. So names of rare words are read by their row ids and
 * compared here, and FTS5 gets only common words. No name has the words as written, so FTS5 does not look for these again.
 */
import { getOrCreate } from '../memoize.ts';
import { nameStartMark } from '../store/search/index-terms.ts';
import type { NameHit, SearchIndex } from '../store/search/search-index.ts';
import type { SpellingGuess } from './linking/typos.ts';
import { anyOf, prefixExpressions, quoteFts } from './name-expressions.ts';
import { type FirstPage, isWhole, namesOf, rankedWith, readFirstPage, sortByRank } from './ranked-names.ts';

/** Where the hits go, best first. */
type Collector = {
  readonly isFull: boolean;
  add(ranked: Iterable<NameHit>, fits?: (nameHit: NameHit) => boolean): void;
};

/** Up to this number of names are read at once and compared in memory. */
const maxFewNames = 500;
/** All names of the rare variants of one word are compared in memory, if they are not more than this. */
const maxRareNames = 600;
/** More names of rare variants are joined with the other words by FTS5 before they are read. */
const maxReadNames = 200;
/** Maximum number of names checked for a corrected prefix. */
const maxGuessedNames = 1000;

/** An expression is not split into more parts. */
const maxParts = 4;

/** The variants of one word of the query. */
type Slot = { variants: readonly Variant[]; fits: (word: string) => boolean };
/** An expression with the text that it looks for. `isTried`: the reading that was tried before has it, too. */
type Variant = { expression: string; text: string; isPrefix: boolean; isTried: boolean };

/** Reads each expression once for all corrections of a query: they share words. */
export class GuessReader {
  readonly #index: SearchIndex;
  readonly #rowIds = new Map<string, number[]>();
  readonly #pages = new Map<string, FirstPage>();

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** The first row ids of names that match an expression. */
  rowIds(match: string, limit: number): number[] {
    return getOrCreate(this.#rowIds, `${limit} ${match}`, () => this.#index.rowIds(match, limit));
  }

  /** The first names that match an expression. */
  firstPage(match: string): FirstPage {
    return getOrCreate(this.#pages, match, () => readFirstPage(this.#index, { match }, maxFewNames));
  }
}

/**
 * Collects tiers three and four of a corrected query: names that begin with its words, then the others.
 * @param tried a reading of the query that no name has
 */
export function collectGuess(
  index: SearchIndex,
  guess: SpellingGuess,
  tried: SpellingGuess,
  now: number,
  hits: Collector,
  reader: GuessReader,
): void {
  const slots = slotsOf(index, guess, tried);
  const opens = ({ words }: NameHit) => startsWith(words.split(' '), slots);
  const { names, common } = findRare(index, slots, reader);
  if (common === null) {
    const all = sortByRank(index, names, now);
    hits.add(all, opens);
    hits.add(all);
    return;
  }
  const source = { match: matchAll(index, common, '') };
  const first = reader.firstPage(source.match);
  if (!isWhole(first)) {
    const opening = { match: matchAll(index, common, nameStartMark) };
    const openingNames = names.filter(({ terms }) => slots[0]?.fits(firstWord(terms)));
    const ranked =
      opening.match === ''
        ? sortByRank(index, openingNames, now)
        : rankedWith(openingNames, index, opening, now, reader.firstPage(opening.match));
    hits.add(takeFirst(maxGuessedNames, ranked), opens);
    hits.add(rankedWith(names, index, source, now, first));
    return;
  }
  const byId = new Map([...names, ...namesOf(index, first)].map((nameHit) => [nameHit.id, nameHit]));
  const sorted = sortByRank(
    index,
    [...byId.values()].sort((a, b) => a.id - b.id),
    now,
  );
  hits.add(sorted, opens);
  hits.add(sorted);
}

function slotsOf(index: SearchIndex, { words, beginnings }: SpellingGuess, tried: SpellingGuess): Slot[] {
  return words.map((own, at) => {
    const isLast = at === words.length - 1;
    const triedWords = new Set((tried.words[at] as string[]).map(quoteFts));
    const variantOf = (text: string, expression: string): Variant => ({
      expression,
      text,
      isPrefix: expression.endsWith('*'),
      isTried:
        triedWords.has(expression) ||
        (isLast && tried.beginnings.some((beginning) => expression.startsWith(`"${beginning}`))),
    });
    const variants = own.map((text) => variantOf(text, quoteFts(text)));
    if (isLast) {
      for (const text of beginnings)
        for (const expression of prefixExpressions(index, text)) variants.push(variantOf(text, expression));
    }
    const ownWords = new Set(own);
    return {
      variants: [...new Map(variants.map((one) => [one.expression, one])).values()],
      fits: (word) => ownWords.has(word) || (isLast && beginnings.some((text) => word.startsWith(text))),
    };
  });
}

/**
 * Returns the names that have a rare variant of some word, by row id, and the common variants of each word; null if the
 * names are all that match.
 */
function findRare(
  index: SearchIndex,
  slots: readonly Slot[],
  reader: GuessReader,
): { names: NameHit[]; common: Slot[] | null } {
  if (slots.some(({ variants }) => variants.length === 0)) return { names: [], common: null };
  const few: number[][] = [];
  for (const { variants } of slots) {
    const ids = reader.rowIds(anyOfVariants(variants), maxFewNames);
    if (ids.length < maxFewNames) few.push(ids);
    if (ids.length === 0) break;
  }
  if (few.length > 0) return { names: read(index, inAll(few), slots), common: null };
  const rare: number[][] = [];
  const common = slots.map((slot, at): Slot => {
    const isRare = ({ expression, isPrefix }: Slot['variants'][number]) =>
      !isPrefix && index.isRare(expression);
    const own = slot.variants.filter(isRare);
    if (own.length === 0) return slot;
    const ids = reader.rowIds(anyOfVariants(own), maxRareNames + 1);
    if (ids.length > maxRareNames) return slot;
    rare.push(ids.length <= maxReadNames ? ids : reader.rowIds(matchAlso(own, slots, at), maxRareNames));
    return { ...slot, variants: slot.variants.filter((one) => !own.includes(one)) };
  });
  const ids = [...new Set(rare.flat())].sort((a, b) => a - b);
  const names = read(index, ids, slots);
  return { names, common: isWithoutNames(common) ? null : common };
}

/** Whether no name has a variant of each word: a word has no variant, or all have been tried. */
const isWithoutNames = (slots: readonly Slot[]): boolean =>
  slots.some(({ variants }) => variants.length === 0) ||
  slots.every(({ variants }) => variants.every(({ isTried }) => isTried));

/** The expression for names with one of the variants of a word, and a variant of each other word. */
const matchAlso = (own: readonly Variant[], slots: readonly Slot[], at: number): string =>
  slots.map(({ variants }, other) => anyOfVariants(other === at ? own : variants)).join(' AND ');

const anyOfVariants = (variants: readonly Variant[]): string =>
  anyOf(variants.map(({ expression }) => expression));

/** The row ids that all lists have. */
function inAll(lists: readonly number[][]): number[] {
  const [shortest = [], ...others] = [...lists].sort((a, b) => a.length - b.length);
  const sets = others.map((ids) => new Set(ids));
  return shortest.filter((id) => sets.every((ids) => ids.has(id)));
}

/** Reads the names that have a variant of each word. */
const read = (index: SearchIndex, ids: readonly number[], slots: readonly Slot[]): NameHit[] =>
  index.byRowIds(ids).filter(({ terms }) => {
    const words = terms.split(betweenWords);
    return slots.every(({ fits }) => words.some(fits));
  });

/** What separates words for FTS5. */
const betweenWords = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;
const firstWord = (terms: string): string =>
  (terms.split(betweenWords, 1)[0] ?? '').slice(nameStartMark.length);

/**
 * The expression for names with a variant of each word; `mark` precedes the first. It leaves out the variants that have
 * been tried together: the first word that is not such a variant is the first, the second... It is empty if no name begins
 * with a variant after the mark.
 */
function matchAll(index: SearchIndex, slots: readonly Slot[], mark: string): string {
  const tried = slots.map(({ variants }) => variants.filter(({ isTried }) => isTried));
  const parts = slots.flatMap(({ variants }, at) => {
    const words = slots.map((slot, other) => (other < at ? (tried[other] as Variant[]) : slot.variants));
    words[at] = variants.filter(({ isTried }) => !isTried);
    return words.some((own) => own.length === 0) ? [] : [words];
  });
  const whole = slots.map((slot) => slot.variants);
  const readings = parts.length > maxParts ? [whole] : parts;
  return readings
    .flatMap((words) => matchEach(index, words, mark) ?? [])
    .map((match) => `(${match})`)
    .join(' OR ');
}

/** The expression for names with a variant of each word; null if no name begins with one of the first. */
function matchEach(index: SearchIndex, words: readonly (readonly Variant[])[], mark: string): string | null {
  const [first = [], ...others] = words;
  const beginnings = first.flatMap(({ expression, text, isPrefix }) => {
    if (mark === '') return expression;
    return isPrefix ? prefixExpressions(index, mark + text) : expression.replace('"', `"${mark}`);
  });
  if (beginnings.length === 0) return null;
  return [anyOf(beginnings), ...others.map(anyOfVariants)].join(' AND ');
}

/** Whether a name starts with variants of the words, word by word. */
const startsWith = (name: readonly string[], slots: readonly Slot[]): boolean =>
  slots.every(({ fits }, at) => {
    const own = name[at];
    return own !== undefined && fits(own);
  });

function* takeFirst<T>(count: number, all: Iterable<T>): Generator<T> {
  let remaining = count;
  for (const one of all) {
    if (remaining-- === 0) return;
    yield one;
  }
}
