/** Calculates run times of sources (docs/spec/imports.md#sources: daily by default). All times in ms. */
import { dayMs } from '../../clock.ts';

const minuteMs = 60_000;
const firstRetryMs = 5 * minuteMs;
/** Random share of the interval, so that not all services request a source in the same minute. */
const jitterShare = 0.1;
const maxJitterMs = 60 * minuteMs;

const hourMs = 60 * minuteMs;
const unitMs: Record<string, number> = { m: minuteMs, h: hourMs, d: dayMs };

/** Parses an interval such as `24h`, `90m` or `7d`, from five minutes to 31 days. Returns ms, or null if invalid. */
export function parseInterval(text: string): number | null {
  const [, number, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text.trim().toLowerCase()) ?? [];
  if (number === undefined) return null;
  const ms = Number(number) * (unitMs[unit] ?? 0);
  return ms >= firstRetryMs && ms <= 31 * dayMs ? ms : null;
}

/** Formats an interval in the shortest form that `parseInterval` accepts. */
export function formatInterval(ms: number): string {
  if (ms % dayMs === 0 && ms > dayMs) return `${ms / dayMs}d`;
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${ms / minuteMs}m`;
}

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
