/**
 * Names in the order of search hits: records with content by prominence; upcoming events, soonest first; records
 * without prominence; past events, latest first.
 */
import { dayMs } from '../clock.ts';
import { firstEventRowId, firstRowIdOfDay, firstUnrankedRowId } from '../store/search/row-ids.ts';
import type { NameHit, NameQuery, RowIdBounds, SearchIndex } from '../store/search/search-index.ts';

/** The first names of a source, by row id; they are all of its names if there are fewer than `size`. */
export type FirstPage = { names: readonly NameHit[]; size: number };

/** Page sizes for names of one word, and for names of several words, which are slower to query again. */
export const pageSize = 32;
export const largePageSize = 128;
/** Events that began earlier than this before now are listed with the past ones, even if they still run. */
const maxRunningMs = 31 * dayMs;

export const readFirstPage = (index: SearchIndex, source: NameQuery, size: number): FirstPage => ({
  names: index.names(source, {}, size),
  size,
});

export const isWhole = ({ names, size }: FirstPage): boolean => names.length < size;

/** Yields the names of a source by rank, fetched on demand. */
export function* ranked(
  index: SearchIndex,
  source: NameQuery,
  now: number,
  first: FirstPage,
): Generator<NameHit> {
  for (const phase of phases(index, source, now, first)) yield* phase;
}

/** Like `ranked`, with further names among those of the source. An event may be yielded twice. */
export function* rankedWith(
  others: readonly NameHit[],
  index: SearchIndex,
  source: NameQuery,
  now: number,
  first: FirstPage,
): Generator<NameHit> {
  const added = split(index, others, now);
  for (const [at, phase] of phases(index, source, now, first).entries())
    yield* merge(phase, added[at] as NameHit[], at === 3);
}

/** Sorts names that were read by row id in the order of `ranked`. */
export const sortByRank = (index: SearchIndex, names: readonly NameHit[], now: number): NameHit[] =>
  split(index, names, now).flat();

/** The four parts of the order. */
function split(index: SearchIndex, names: readonly NameHit[], now: number): NameHit[][] {
  const events = names.filter(({ id }) => id >= firstEventRowId);
  const upcoming = new Set(events.filter((nameHit) => (index.endsAtMs(nameHit.record_id) ?? 0) > now));
  return [
    names.filter(({ id }) => id < firstUnrankedRowId),
    [...upcoming],
    names.filter(({ id }) => id >= firstUnrankedRowId && id < firstEventRowId),
    events.filter((nameHit) => !upcoming.has(nameHit)).reverse(),
  ];
}

/** The same parts, each fetched on demand. */
function phases(index: SearchIndex, source: NameQuery, now: number, first: FirstPage): Iterable<NameHit>[] {
  // Most sources fit in the first page.
  if (isWhole(first)) return split(index, first.names, now);
  const { names, size } = first;
  const prominent = names.filter(({ id }) => id < firstUnrankedRowId);
  const obscure = names.filter(({ id }) => id >= firstUnrankedRowId && id < firstEventRowId);
  const running = Math.min(index.maxDurationMs(), maxRunningMs);
  const read = (reach: RowIdBounds) => readPages(index, source, reach, size);
  const afterLast = (part: readonly NameHit[], start: number) => (part.at(-1)?.id ?? start - 1) + 1;
  return [
    prominent.length < size
      ? prominent
      : chain(prominent, read({ low: afterLast(prominent, 0), high: firstUnrankedRowId })),
    read({ low: firstRowIdOfDay(now - running), upcomingAt: now }),
    // Events have the highest row ids: a page that reached them contains all remaining records.
    prominent.length + obscure.length < size
      ? obscure
      : chain(obscure, read({ low: afterLast(obscure, firstUnrankedRowId), high: firstEventRowId })),
    read({ low: firstEventRowId, high: firstRowIdOfDay(now, 1), descending: true }),
  ];
}

function* chain(first: readonly NameHit[], rest: Iterable<NameHit>): Generator<NameHit> {
  yield* first;
  yield* rest;
}

/** Merges two parts by row id. */
function* merge(
  part: Iterable<NameHit>,
  others: readonly NameHit[],
  isDescending: boolean,
): Generator<NameHit> {
  let at = 0;
  for (const nameHit of part) {
    for (let other = others[at]; other !== undefined; other = others[at]) {
      if (isDescending ? other.id < nameHit.id : other.id > nameHit.id) break;
      yield other;
      at += 1;
    }
    yield nameHit;
  }
  yield* others.slice(at);
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
