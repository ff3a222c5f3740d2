/** A source of the current time. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
};

/** 24 hours in ms. */
export const dayMs = 86_400_000;

const unitMs = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs } as const;

/** Parses a time span such as `90m`, `24h`, `30d` or `2w`. Returns ms, or undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim().toLowerCase()) ?? [];
  return count === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** Parses a time span between two bounds. Returns ms, or null if it is invalid. */
export function parseDurationWithin(text: string, minMs: number, maxMs: number): number | null {
  const ms = parseDuration(text);
  return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : null;
}

/** Formats a time span in the shortest form that `parseDuration` accepts, rounded to minutes. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms % dayMs === 0) return `${ms / dayMs}d`;
  return ms > 0 && ms % unitMs.h === 0 ? `${ms / unitMs.h}h` : `${Math.round(ms / unitMs.m)}m`;
}

/** Formats a time in ms since 1970 in UTC to the second, such as `2027-03-04T22:00:00Z`. */
export const formatUtc = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Whether a wait is not over. One that lasts longer than it can was set by a clock that was wrong, and is over.
 * @param untilMs end of the wait, in ms since 1970
 * @param maxMs the longest wait
 */
export const isWaiting = (untilMs: number, nowMs: number, maxMs: number): boolean =>
  untilMs > nowMs && untilMs - nowMs <= maxMs;

/** Returns a clock with a fixed time, for offline work (`serve --dev --now`). */
export const frozenClock = (instant: number): Clock => ({ now: () => instant });

const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Parses a date (`2027-01-01`, which means 00:00 UTC) or a timestamp with an offset (`2027-01-01T12:00Z`). Returns ms
 * since 1970, or undefined if it is invalid.
 */
export function parseInstant(text: string): number | undefined {
  const match = instantPattern.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Date.parse accepts 30 February as 2 March.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : time;
}
