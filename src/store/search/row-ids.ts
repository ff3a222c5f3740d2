/** Row ids of the index of names, in the order of rank: prominent records first, then events by their start. */
import { dayMs } from '../../clock.ts';

const firstDay = Date.UTC(1900, 0, 1) / dayMs;
const lastDay = 2 ** 17 - 1;
const prominenceBuckets = 255;
/** First row id of records without prominence; `firstEventRowId` is the first of events. */
export const firstUnrankedRowId = prominenceBuckets * 2 ** 44;
export const firstEventRowId = 2 ** 52;
/** All row ids are lower. */
export const rowIdLimit = 2 ** 53;

/** Row ids of one day, and of one event within it: `firstRowIdOfDay` + id * `rowIdsPerEvent` + the number of the name. */
export const rowIdsPerDay = 2 ** 35;
export const rowIdsPerEvent = 16;

/** The lowest row id of events that start on the UTC day of `ts` (ms), or `days` after it. */
export function firstRowIdOfDay(ts: number, days = 0): number {
  const day = Math.floor(ts / dayMs) - firstDay + days;
  return firstEventRowId + Math.min(lastDay, Math.max(0, day)) * rowIdsPerDay;
}

/** The event of a name with this row id. */
export const eventIdOf = (rowId: number): number => Math.floor((rowId % rowIdsPerDay) / rowIdsPerEvent);

/** From when (inclusive) to when (exclusive) the events start whose names have row ids from `first` to `last` (ms). */
export function startsOfRowIds(first: number, last: number): { from: number; to: number } {
  const dayOf = (rowId: number) => Math.floor((rowId - firstEventRowId) / rowIdsPerDay);
  const [from, to] = [dayOf(first), dayOf(last)];
  // The first and the last day have all events before and after them.
  return {
    from: from <= 0 ? -Number.MAX_SAFE_INTEGER : (firstDay + from) * dayMs,
    to: to >= lastDay ? Number.MAX_SAFE_INTEGER : (firstDay + to + 1) * dayMs,
  };
}

/** The rank of a name: prominence, or the start of an event (ms). */
export type NameRank = { prominence: number } | { startTs: number };

const bucketOf = (prominence: number): number =>
  Math.min(prominenceBuckets, Math.round(16 * Math.log2(1 + Math.max(0, prominence))));

/** The first row id of a record, and how many it may use. */
export function rowIdRange(recordId: number, rank: NameRank): { first: number; room: number } {
  if ('startTs' in rank)
    return { first: firstRowIdOfDay(rank.startTs) + recordId * rowIdsPerEvent, room: rowIdsPerEvent };
  return { first: (prominenceBuckets - bucketOf(rank.prominence)) * 2 ** 44 + recordId * 256, room: 256 };
}
