/** Says which events a source lists at venues that closed before, and what to do. */
import type { ClosedVenueNotice } from '../../contract/source-summaries.ts';
import { plural } from '../../plural.ts';

/** Venues that are named; --json has up to 20. */
const maxShown = 5;

/** The lines of the notice, each after `prefix`; none if the source lists nothing at closed venues. */
export function describeClosedVenues(
  { events, venue_count, venues }: ClosedVenueNotice,
  prefix = '',
): string[] {
  if (events === 0) return [];
  const firstVenues = venues.slice(0, maxShown);
  const more = venue_count - firstVenues.length;
  return [
    `${prefix}${plural(events, 'event')} at ${plural(venue_count, 'venue')} that closed before. They are in the catalogue. Check the dates:`,
    ...firstVenues.map(
      ({ slug, name, city, closed_at, events: count, next_date }) =>
        `  ${name} (${city === null ? '' : `${city}, `}closed ${closed_at}): ${plural(count, 'event')}, ${next_date}. If it opened again: cratebase edit venue/${slug} closed=`,
    ),
    ...(more > 0 ? [`  … and ${more} more (see --json)`] : []),
  ];
}
