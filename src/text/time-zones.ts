/** Converts between instants and local clock times, with cached offsets of each time zone. */

import { dayMs } from '../clock.ts';
import { getOrCreate } from '../memoize.ts';

/**
 * Length of a block in ms. If the offset is the same at both ends of a block, it is the same within: since 1900, no zone
 * changed its offset and changed it back within less than 3.9 days (Africa/Freetown in 1939).
 */
const blockMs = 3 * dayMs;
/** Cached blocks per zone: twenty years of events on all days. */
const maxBlocksPerZone = 2_500;

class TimeZone {
  readonly #format: Intl.DateTimeFormat;
  /** The offset in ms within each block; null if it changes there. */
  readonly #blocks = new Map<number, number | null>();
  /** The offset in ms at the start of each block: two blocks share it. */
  readonly #starts = new Map<number, number>();

  /** @throws RangeError for an unknown zone */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      timeZoneName: 'longOffset',
      year: 'numeric',
    });
  }

  offsetAt(ts: number): number {
    const block = Math.floor(ts / blockMs);
    let offset = this.#blocks.get(block);
    if (offset === undefined) {
      if (this.#blocks.size >= maxBlocksPerZone) {
        this.#blocks.clear();
        this.#starts.clear();
      }
      const before = this.#startOffset(block);
      offset = before === this.#startOffset(block + 1) ? before : null;
      this.#blocks.set(block, offset);
    }
    return offset ?? this.#read(ts);
  }

  #startOffset(block: number): number {
    return getOrCreate(this.#starts, block, () => this.#read(block * blockMs));
  }

  /** Reads the offset from a text such as `2026, GMT+01:00`, or `1890, GMT-00:44:30`. */
  #read(ts: number): number {
    const match = offsetPattern.exec(this.#format.format(ts));
    if (match === null) return 0;
    const [, sign, hours, minutes, seconds = 0] = match;
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -ms : ms;
  }
}

const offsetPattern = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
const zones = new Map<string, TimeZone>();

/**
 * The offset of a zone from UTC in milliseconds at an instant (ms since 1970).
 * @throws RangeError for an unknown zone
 */
export const offsetAt = (zone: string, ts: number): number =>
  getOrCreate(zones, zone, () => new TimeZone(zone)).offsetAt(ts);

/**
 * The instant (ms since 1970) at which clocks of a zone show `wallMs` (ms, as if in UTC). A clock time skipped by daylight
 * saving time moves forward by the gap. A clock time that occurs twice means the first.
 */
export function instantAt(zone: string, wallMs: number): number {
  const before = offsetAt(zone, wallMs - dayMs);
  const after = offsetAt(zone, wallMs + dayMs);
  if (before === after && offsetAt(zone, wallMs - before) === before) return wallMs - before;
  const fits = [before, after]
    .map((offset) => ({ offset, ts: wallMs - offset }))
    .filter(({ offset, ts }) => offsetAt(zone, ts) === offset);
  if (fits.length > 0) return Math.min(...fits.map(({ ts }) => ts));
  return wallMs - before;
}
