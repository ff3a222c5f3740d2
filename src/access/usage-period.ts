/** The days and months of usage, in UTC. */
import { dayMs } from '../clock.ts';

export type UsagePeriod = {
  /** yyyy-mm */
  month: string;
  /** yyyy-mm-dd */
  day: string;
  /** The start of the next month, in ms. */
  monthEnd: number;
  dayStart: number;
  dayEnd: number;
};

/** The day and month of an instant in ms. */
export function usagePeriodAt(now: number): UsagePeriod {
  const date = new Date(now);
  const day = date.toISOString().slice(0, 10);
  const dayStart = Math.floor(now / dayMs) * dayMs;
  return {
    month: day.slice(0, 7),
    day,
    monthEnd: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
    dayStart,
    dayEnd: dayStart + dayMs,
  };
}
