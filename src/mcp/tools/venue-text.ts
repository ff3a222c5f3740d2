/** The venue of an answer: the record of REST, and the line of text that says the same. */
import type { EventResults } from '../../catalogue/find-events.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { lineSegment } from '../sanitize-text.ts';
import type { ToolContext } from '../tool.ts';
import { withOwnUrls } from './format.ts';

const maxLinks = 3;

/** Returns the record of the venue that the query names; null if it names none. */
export function venueOf(
  { names }: EventResults,
  { catalogue: { reader }, now, baseUrl }: ToolContext,
): ApiRecord<'Venue'> | null {
  const match = names.find(({ kind }) => kind === 'venue')?.match;
  if (!match) return null;
  const venue = reader.details.venue(match.id, reader.upcoming(now));
  return withOwnUrls(venue, baseUrl);
}

/** Formats a venue on one line: address, capacity, website, links, page. */
export function venueLine(venue: ApiRecord<'Venue'>): string {
  const { name, location, city, country, capacity, website, links, url } = venue;
  const address = [location.address, [location.postal_code, city].filter(Boolean).join(' '), country];
  const addresses = [...new Set([website, ...links.slice(0, maxLinks).map((link) => link.url), url])];
  const parts = [
    `Address: ${address.filter(Boolean).join(', ')}`,
    ...(capacity === null ? [] : [`Capacity: ${capacity}`]),
    `Links: ${addresses.filter(Boolean).join(', ')}`,
  ];
  return lineSegment(`${name}. ${parts.join('. ')}`);
}
