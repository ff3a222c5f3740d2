/**
 * Describes events that a source lists at venues that closed before. The events are taken: the date of the end may be
 * wrong, or the venue may have opened again. The venue stays closed until a person or a source changes it
 * (docs/decisions/27-closed-and-ended.md).
 */
import type Database from 'better-sqlite3';
import type { ClosedVenueNotice } from '../../contract/source-summaries.ts';
import { ClosedVenueEvents, type ClosedVenueRow } from '../../store/schedule/closed-venues.ts';

const maxVenues = 20;

/** What one source lists at closed venues: all are counted, at most 20 venues are named. `now` in ms since 1970. */
export const closedVenuesOf = (sqlite: Database.Database, source: string, now: number): ClosedVenueNotice =>
  toNotice(new ClosedVenueEvents(sqlite).list(source, now));

/** What each source lists at closed venues, by its name; sources that list nothing there are missing. */
export function closedVenuesBySource(sqlite: Database.Database, now: number): Map<string, ClosedVenueNotice> {
  const rows = Map.groupBy(new ClosedVenueEvents(sqlite).list(null, now), ({ source }) => source);
  return new Map([...rows].map(([source, venues]) => [source, toNotice(venues)]));
}

export const noClosedVenues: ClosedVenueNotice = { events: 0, venue_count: 0, venues: [] };

const toNotice = (rows: readonly ClosedVenueRow[]): ClosedVenueNotice => ({
  events: rows.reduce((sum, { events }) => sum + events, 0),
  venue_count: rows.length,
  venues: rows.slice(0, maxVenues).map(({ source: _, ...venue }) => venue),
});
