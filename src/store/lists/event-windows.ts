/**
 * Reads pairs of large filters window by window. A window is a range of starts. Testing an event of one filter for
 * another is a look-up, which takes longer than reading its id from an index. So if the first events do not
 * fill a page, the ids of both filters are read and intersected (docs/decisions/39-pairs-of-filters.md).
 */
import type Database from 'better-sqlite3';
import type { Area } from '../areas.ts';
import { type CountedFilter, type CountedScans, type StartRange, sizeConditions } from './event-scans.ts';

/** Ids of another filter are read if they are fewer than this factor times the events of the window. */
const maxSizeRatio = 8;
/** Windows with more common events fill a page within few look-ups. */
const maxCommonEvents = 1_000;
/** Each window has this factor times as many events as the one before. */
const growth = 4;

/** How many events the windows have; tests set less, because their catalogues are small. */
export type WindowSizes = { first: number; largest: number };
export const defaultWindowSizes: WindowSizes = { first: 500, largest: 130_000 };

type WindowParams = StartRange & { value: number | string };
type Box = { west: number; south: number; east: number; north: number };

/** Divides a range of starts into windows, and intersects the events of two filters in one window. */
export class EventWindows {
  readonly #sizes: WindowSizes;
  readonly #ends: Record<CountedFilter, Database.Statement>;
  readonly #counts: Record<CountedFilter, Database.Statement>;
  readonly #ids: Record<CountedFilter, Database.Statement>;

  constructor(sqlite: Database.Database, sizes: WindowSizes = defaultWindowSizes) {
    this.#sizes = sizes;
    const prepareEach = (text: (from: string, id: string, by: CountedFilter) => string) =>
      Object.fromEntries(
        Object.entries(sizeConditions).map(([by, condition]) => {
          const id = condition.startsWith('events ') ? 'id' : 'event_id';
          const from = `${condition} AND start_ts BETWEEN @lower AND @upper`;
          return [by, sqlite.prepare(text(from, id, by as CountedFilter)).pluck()];
        }),
      ) as Record<CountedFilter, Database.Statement>;
    this.#ends = prepareEach(
      (from, id) => `SELECT start_ts FROM ${from} ORDER BY start_ts, ${id} LIMIT 1 OFFSET @rows`,
    );
    this.#counts = prepareEach((from) => `SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT @max)`);
    this.#ids = prepareEach((from, id, by) => {
      const box = 'latitude BETWEEN @south AND @north AND longitude BETWEEN @west AND @east';
      return `SELECT ${id} FROM ${from}${isPlace(by) ? ` AND ${box}` : ''} ORDER BY start_ts, ${id}`;
    });
  }

  /** Returns windows that together are the range, in order; `isFirst` is the smallest, which the page may need alone. */
  *over(scans: CountedScans, range: StartRange): Generator<StartRange & { isFirst: boolean }> {
    const { first, largest } = this.#sizes;
    let lower = range.lower;
    for (let rows = first; ; rows = Math.min(largest, rows * growth)) {
      const end = this.#endOf(scans, { lower, upper: range.upper }, rows);
      yield { lower, upper: end ?? range.upper, isFirst: rows === first && lower === range.lower };
      if (end === null) return;
      // Starts are whole milliseconds.
      lower = end + 1;
    }
  }

  /** The latest start of a window with about `rows` events; null if the range has fewer. */
  #endOf({ by, values }: CountedScans, range: StartRange, rows: number): number | null {
    const ends = values.map((value) =>
      this.#ends[by].get({ value, ...range, rows: Math.ceil(rows / values.length) }),
    );
    const times = ends.filter((end): end is number => typeof end === 'number');
    return times.length === 0 ? null : Math.min(...times);
  }

  /**
   * The events of a window that `scans` and one of `others` have in common, in the order of `scans`. Events near the
   * border of an area may be outside it. Null if look-ups are faster: the others are large, or most events are common.
   */
  common(
    scans: CountedScans,
    others: readonly CountedScans[],
    range: StartRange,
    area: Area | undefined,
  ): number[] | null {
    const own = this.#count(scans, range, Number.MAX_SAFE_INTEGER);
    let [smallest, size]: [CountedScans | null, number] = [null, own * maxSizeRatio];
    for (const other of others) {
      // The indexes of areas hold these columns.
      if (isPlace(scans.by) && (other.by === 'country' || other.by === 'rareStatus')) continue;
      const count = this.#count(other, range, size);
      if (count < size) [smallest, size] = [other, count];
    }
    if (smallest === null) return null;
    const box = boxOf(area);
    const inOther = membership(this.#idsOf(smallest, range, box));
    const ids = new Set<number>();
    for (const id of this.#idsOf(scans, range, box)) {
      if (inOther(id)) ids.add(id);
    }
    return ids.size > maxCommonEvents ? null : [...ids];
  }

  #count({ by, values }: CountedScans, range: StartRange, max: number): number {
    let count = 0;
    for (const value of values) {
      if (count >= max) break;
      count += this.#counts[by].get({ value, ...range, max: max - count }) as number;
    }
    return count;
  }

  #idsOf({ by, values }: CountedScans, range: StartRange, box: Box): number[] {
    const place = isPlace(by) ? box : {};
    const each = values.map(
      (value) => this.#ids[by].all({ value, ...range, ...place } satisfies WindowParams) as number[],
    );
    return each.length === 1 ? (each[0] as number[]) : each.flat();
  }
}

const isPlace = (by: CountedFilter): boolean => by === 'cell' || by === 'region';

/** More ids are marked in an array of bytes, which takes a tenth of the time of a set. */
const maxSet = 2_000;
/** An array of bytes has at most this length. */
const maxMarks = 16_000_000;

/** Returns whether an id is one of `ids`. */
function membership(ids: readonly number[]): (id: number) => boolean {
  let last = 0;
  for (const id of ids) if (id > last) last = id;
  if (ids.length <= maxSet || last >= maxMarks) {
    const set = new Set(ids);
    return (id) => set.has(id);
  }
  const marks = new Uint8Array(last + 1);
  for (const id of ids) marks[id] = 1;
  return (id) => marks[id] === 1;
}

/** The box of an area; one that crosses the antimeridian has every longitude. */
const boxOf = (area: Area | undefined): Box =>
  area === undefined || area.west > area.east
    ? { west: -180, east: 180, south: area?.south ?? -90, north: area?.north ?? 90 }
    : { west: area.west, east: area.east, south: area.south, north: area.north };
