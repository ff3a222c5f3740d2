/** When a source is read next (docs/spec/imports.md#sources: each at least daily unless set otherwise). All times in ms. */
import { dayMs } from '../../clock.ts';

const minuteMs = 60_000;
const firstRetryMs = 5 * minuteMs;
/** So much of the way to the next run is left to chance, so that not all services ask a source at the same minute. */
const jitterShare = 0.1;
const maxJitterMs = 60 * minuteMs;

const unitMs: Record<string, number> = { m: minuteMs, h: 60 * minuteMs, d: dayMs };

/** A span such as `24h`, `90m` or `7d`, from five minutes to 31 days, in ms; null where it is none. */
export function parseInterval(text: string): number | null {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text.trim().toLowerCase()) ?? [];
  if (number === undefined) return null;
  const ms = Number(number) * (unitMs[unit as string] as number);
  return ms >= firstRetryMs && ms <= 31 * dayMs ? ms : null;
}

/** The shortest writing of a span that `parseInterval` reads. */
export function formatInterval(ms: number): string {
  if (ms % dayMs === 0 && ms > dayMs) return `${ms / dayMs}d`;
  return ms % (unitMs.h as number) === 0 ? `${ms / (unitMs.h as number)}h` : `${ms / minuteMs}m`;
}

/** When a source is due that was begun at `began`: never later than `every` after it. `chance` is in [0, 1). */
export const nextRun = (began: number, every: number, chance = Math.random()): number =>
  began + every - Math.floor(Math.min(every * jitterShare, maxJitterMs) * chance);

/**
 * When a source is tried again that has failed `failureTitles` times in a row: five minutes, then twice as long each time,
 * and no later than it would be due.
 */
export function nextRetry(now: number, every: number, failures: number, chance = Math.random()): number {
  const wait = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 20), every);
  return nextRun(now, wait, chance);
}
