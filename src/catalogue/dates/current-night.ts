/** The present day and night of a time zone. All questions, pages and agents ask here. */
import { Temporal } from 'temporal-polyfill';

/** A night ends in the morning: an event that began at 23:00 is still tonight at 02:00. */
export const nightEndHour = 6;

/** Returns the local date at `now` (ms) in a zone, or in UTC. */
export function todayIn(zone: string | null, now: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone ?? 'UTC')
    .toPlainDate();
}

/** The date on which the present night began: before 06:00 the day before. @param now ms since 1970 */
export const nightOf = (zone: string | null, now: number): Temporal.PlainDate =>
  todayIn(zone, now - nightEndHour * 3_600_000);

/** The end of the night that began on a date, in ms since 1970. */
export const endOfNight = (zone: string | null, date: Temporal.PlainDate): number =>
  date.add({ days: 1 }).toZonedDateTime({ timeZone: zone ?? 'UTC', plainTime: `0${nightEndHour}:00` })
    .epochMilliseconds;
