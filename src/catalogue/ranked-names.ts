/**
 * Names in the order of search hits: records with content by prominence; upcoming events, soonest first; records
 * without prominence; past events, latest first.
 */
import { dayMs } from '../clock.ts';
import { eventIdOf, firstEventRowId, firstRowIdOfDay, firstUnrankedRowId } from '../store/search/row-ids.ts';
import type { NameHit, NameQuery, RowIdBounds, SearchIndex } from '../store/search/search-index.ts';

/** Names that were read, by row id. */
export type KnownNames = Map<number, NameHit>;
/**
 * The first row ids of the names of a source; they are all if there are fewer than `size`. Row ids tell the order,
 * so that names are read only as far as hits are needed.
 */
export type FirstPage = { ids: readonly number[]; size: number; known: KnownNames };

/** Page sizes for names of one word, and for names of several words, which are slower to query again. */
export const pageSize = 32;
export const largePageSize = 128;
/** As many names are read first, which is enough for most searches. */
const firstChunk = 12;
/** Each further page has this factor times as many names, up to its size. */
const growth = 4;
/** Events that began earlier than this before now are listed with the past ones, even if they still run. */
const maxRunningMs = 31 * dayMs;

/** @param known names that other pages of the search have read; those of this one are added */
export function readFirstPage(
  index: SearchIndex,
  source: NameQuery,
  size: number,
  known: KnownNames = new Map(),
): FirstPage {
  // The row ids of some kinds are not known without the names. Few names are read with their row ids.
  if ('match' in source && size > pageSize && !index.isOfSomeKinds)
    return { ids: index.rowIds(source.match, size), size, known };
  const names = index.names(source, {}, size);
  for (const nameHit of names) known.set(nameHit.id, nameHit);
  return { ids: names.map(({ id }) => id), size, known };
}

/** Whether a first page has all names of its source. */
export const isWhole = ({ ids, size }: FirstPage): boolean => ids.length < size;

/** Reads all names of a page. */
export const namesOf = (index: SearchIndex, { ids, known }: FirstPage): NameHit[] =>
  readKnown(index, ids, known);

/** Yields the names of a source by rank, fetched on demand. */
export function* ranked(
  index: SearchIndex,
  source: NameQuery,
  now: number,
  first: FirstPage,
): Generator<NameHit> {
  // Most sources fit in the first page.
  if (isWhole(first)) yield* readInChunks(index, split(index, first.ids, now).flat(), first.known);
  else for (const phase of phases(index, source, now, first)) yield* phase;
}

/** Like `ranked`, with further names among those of the source. An event may be yielded twice. */
export function* rankedWith(
  others: readonly NameHit[],
  index: SearchIndex,
  source: NameQuery,
  now: number,
  first: FirstPage,
): Generator<NameHit> {
  const byId = new Map(others.map((nameHit) => [nameHit.id, nameHit]));
  const otherParts = split(index, [...byId.keys()], now);
  for (const [at, phase] of phases(index, source, now, first).entries()) {
    const own = (otherParts[at] as number[]).map((id) => byId.get(id) as NameHit);
    yield* merge(phase, own, at === 3);
  }
}

/** Sorts names that were read by row id in the order of `ranked`. */
export function sortByRank(index: SearchIndex, names: readonly NameHit[], now: number): NameHit[] {
  const byId = new Map(names.map((nameHit) => [nameHit.id, nameHit]));
  return split(index, [...byId.keys()], now).flatMap((part) => part.map((id) => byId.get(id) as NameHit));
}

/** The four parts of the order. */
function split(index: SearchIndex, ids: readonly number[], now: number): number[][] {
  const events = ids.filter((id) => id >= firstEventRowId);
  // The row of an event that has surely ended is not read.
  const firstRunning = events.length === 0 ? 0 : firstRowIdOfDay(now - index.maxDurationMs());
  const endsLater = endsAfter(index, now);
  const isUpcoming = (id: number) => id >= firstRunning && endsLater(id);
  const upcoming = new Set(events.filter(isUpcoming));
  return [
    ids.filter((id) => id < firstUnrankedRowId),
    [...upcoming],
    ids.filter((id) => id >= firstUnrankedRowId && id < firstEventRowId),
    events.filter((id) => !upcoming.has(id)).reverse(),
  ];
}

/**
 * Returns whether the event of a name ends after a time (ms). The row of an event that begins on a later day is not
 * read.
 */
function endsAfter(index: SearchIndex, timeMs: number): (id: number) => boolean {
  const firstOfNextDay = firstRowIdOfDay(timeMs, 1);
  return (id) => id >= firstOfNextDay || (index.endsAtMs(eventIdOf(id)) ?? 0) > timeMs;
}

/** The same parts, each fetched on demand. */
function phases(index: SearchIndex, source: NameQuery, now: number, first: FirstPage): Iterable<NameHit>[] {
  const { ids, size, known } = first;
  const inChunks = (part: readonly number[]) => readInChunks(index, part, known);
  if (isWhole(first)) return split(index, ids, now).map(inChunks);
  const prominent = ids.filter((id) => id < firstUnrankedRowId);
  const obscure = ids.filter((id) => id >= firstUnrankedRowId && id < firstEventRowId);
  const runningMs = Math.min(index.maxDurationMs(), maxRunningMs);
  const read = (reach: RowIdBounds) =>
    'match' in source && !index.isOfSomeKinds
      ? readByIds(index, source.match, reach, size, known)
      : readPages(index, source, reach, size);
  const afterLast = (part: readonly number[], start: number) => (part.at(-1) ?? start - 1) + 1;
  return [
    prominent.length < size
      ? inChunks(prominent)
      : chain(inChunks(prominent), read({ low: afterLast(prominent, 0), high: firstUnrankedRowId })),
    read({ low: firstRowIdOfDay(now - runningMs), upcomingAt: now }),
    // Events have the highest row ids: a page that reached them contains all remaining records.
    prominent.length + obscure.length < size
      ? inChunks(obscure)
      : chain(
          inChunks(obscure),
          read({ low: afterLast(obscure, firstUnrankedRowId), high: firstEventRowId }),
        ),
    read({ low: firstEventRowId, high: firstRowIdOfDay(now, 1), descending: true }),
  ];
}

/** Reads names by row id, in this order: few at first, then more. Only those that are wanted are read. */
function* readInChunks(
  index: SearchIndex,
  ids: readonly number[],
  known: KnownNames,
  isWanted: (id: number) => boolean = () => true,
): Generator<NameHit> {
  for (let at = 0, chunk = firstChunk; at < ids.length; at += chunk, chunk *= growth)
    yield* readKnown(index, ids.slice(at, at + chunk).filter(isWanted), known);
}

/** Reads the names with these row ids, in this order, except those that are known. */
function readKnown(index: SearchIndex, ids: readonly number[], known: KnownNames): NameHit[] {
  for (const nameHit of index.byRowIds(ids.filter((id) => !known.has(id)))) known.set(nameHit.id, nameHit);
  return ids.flatMap((id) => known.get(id) ?? []);
}

function* chain(first: Iterable<NameHit>, rest: Iterable<NameHit>): Generator<NameHit> {
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

/** Reads row ids page by page, and names only as far as they are needed. */
function* readByIds(
  index: SearchIndex,
  match: string,
  { upcomingAt, ...reach }: RowIdBounds,
  size: number,
  known: KnownNames,
): Generator<NameHit> {
  const isUpcoming = upcomingAt === undefined ? () => true : endsAfter(index, upcomingAt);
  for (let bounds = reach; ; ) {
    const ids = index.rowIds(match, size, bounds);
    yield* readInChunks(index, ids, known, isUpcoming);
    const last = ids.at(-1);
    if (last === undefined || ids.length < size) return;
    bounds = reach.descending ? { ...bounds, high: last } : { ...bounds, low: last + 1 };
  }
}

function* readPages(
  index: SearchIndex,
  source: NameQuery,
  reach: RowIdBounds,
  size: number,
): Generator<NameHit> {
  let bounds = reach;
  for (let limit = Math.min(size, pageSize); ; limit = Math.min(size, limit * growth)) {
    const page = index.names(source, bounds, limit);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    bounds = reach.descending ? { ...bounds, high: last.id } : { ...bounds, low: last.id + 1 };
  }
}
