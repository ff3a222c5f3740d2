/** A calendar as its events see it. */
import type { RecurrenceWindow } from './recurrence.ts';
import type { CalendarZone, ZoneRegistry } from './time-zones.ts';

/** What holds for all events of a calendar. */
export type CalendarContext = {
  zones: ZoneRegistry;
  /** The zone of times that name none; null where it is not known. */
  defaultZone: (CalendarZone & { type: 'iana' }) | null;
  horizon: RecurrenceWindow;
  /** The calendar calls all of them off (RFC 5546, CANCEL). */
  isCancelled: boolean;
  options: Readonly<Record<string, string>>;
};
