/** A calendar as its events see it. */
import type { Window } from './ical-rules.ts';
import type { Zone, Zones } from './ical-zones.ts';

/** What holds for all events of a calendar. */
export type Calendar = {
  zones: Zones;
  /** The zone of times that name none; null where it is not known. */
  zone: (Zone & { type: 'iana' }) | null;
  window: Window;
  /** The calendar calls all of them off (RFC 5546, CANCEL). */
  cancelled: boolean;
  options: Readonly<Record<string, string>>;
};
