/** Calculates run times of sources (docs/spec/imports.md#sources: daily by default). All times in ms. */
import { dayMs, formatDuration, parseDurationWithin } from '../../clock.ts';

const minuteMs = 60_000;
const firstRetryMs = 5 * minuteMs;
/** Random share of the interval, so that not all services request a source in the same minute. */
const jitterShare = 0.1;
const maxJitterMs = 60 * minuteMs;

/** Parses an interval such as `24h`, `90m` or `2w`, from five minutes to 31 days. Returns ms, or null if invalid. */
export const parseInterval = (text: string): number | null =>
  parseDurationWithin(text, firstRetryMs, 31 * dayMs);

/** Formats an interval in the shortest form that `parseInterval` accepts. A day is `24h`, as the documentation has it. */
export const formatInterval = (ms: number): string => (ms === dayMs ? '24h' : formatDuration(ms));

/** The next run of a source that started at `startedAt`, at most `every` later. `chance` is in [0, 1). */
export const nextRun = (startedAt: number, every: number, chance = Math.random()): number =>
  startedAt + every - Math.floor(Math.min(every * jitterShare, maxJitterMs) * chance);

/**
 * The next attempt after a number of consecutive failures: five minutes, doubled each time, but not later than the
 * regular run.
 */
export function nextRetry(now: number, every: number, failures: number, chance = Math.random()): number {
  const wait = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 20), every);
  return nextRun(now, wait, chance);
}
