/** Checks the stored renderings of events against their columns. */
import type Database from 'better-sqlite3';
import { pageUrl, publicId } from '../records/serialize.ts';
import { prepareValue } from '../statement.ts';

type EventRow = Record<(typeof itemColumns)[number] | (typeof detailColumns)[number], unknown> & {
  id: number;
  slug: string;
  start_date: number;
  venue_name: string | null;
  venue_slug: string | null;
  city: string | null;
  country: string | null;
  item_json: string;
  detail_json: string | null;
};
type SlugAndName = { slug: string; name: string };
type Place = { city: string | null; country: string | null };

/** Members of the list item and of the detail that equal the column of the same name. */
const itemColumns = [
  ...(['slug', 'name', 'start_at', 'end_at', 'timezone', 'status'] as const),
  ...(['image_url', 'minimum_age'] as const),
] as const;
const detailColumns = ['description'] as const;

/**
 * Counts events whose rendering differs from their columns, venue or artists, and list rows with another time
 * than their event. Records that wait to be recomputed are skipped.
 */
export function findEventProblems(sqlite: Database.Database): string[] {
  const rows = sqlite.prepare(
    `SELECT e.*, v.slug AS venue_slug, coalesce(v.name, e.venue_name) AS venue_name, d.detail_json
     FROM events e LEFT JOIN venues v ON v.id = e.venue_id LEFT JOIN event_details d ON d.event_id = e.id
     WHERE e.id NOT IN (SELECT record_id FROM stale_records)`,
  );
  const artists = sqlite.prepare(
    `SELECT a.slug, a.name FROM lineups l JOIN artists a ON a.id = l.artist_id
     WHERE l.record_id = ? AND a.id NOT IN (SELECT record_id FROM stale_records)`,
  );
  let wrong = 0;
  for (const row of rows.iterate() as Iterable<EventRow>) {
    if (!isRenderedCorrectly(row, (id) => artists.all(id) as SlugAndName[])) wrong++;
  }
  const misplaced = ['event_artists', 'event_genres', 'event_places', 'event_sales'].flatMap((table) => {
    const count =
      prepareValue<number>(
        sqlite,
        `SELECT count(*) FROM ${table} x JOIN events e ON e.id = x.event_id
         WHERE (x.start_ts, x.start_date, x.ends_ts) <> (e.start_ts, e.start_date, e.ends_ts)
           AND e.id NOT IN (SELECT record_id FROM stale_records)`,
      ).get() ?? 0;
    return count === 0 ? [] : [`${count} rows of ${table} are not at the time of their event`];
  });
  return [...(wrong === 0 ? [] : [`${wrong} events are shown otherwise than they are stored`]), ...misplaced];
}

function isRenderedCorrectly(row: EventRow, artistsOf: (id: number) => SlugAndName[]): boolean {
  const item = parseRendering(row.item_json);
  const detail = row.detail_json === null ? {} : parseRendering(`{${row.detail_json}}`);
  if (item === null || detail === null) return false;
  if (itemColumns.some((name) => item[name] !== row[name])) return false;
  if (row.detail_json !== null && detailColumns.some((name) => detail[name] !== row[name])) return false;
  if (item.id !== publicId('event', row.id) || item.url !== pageUrl('event', row.slug)) return false;
  const venue = item.venue as Partial<SlugAndName & Place> | null;
  if ((venue?.name ?? null) !== row.venue_name || (venue?.slug ?? null) !== row.venue_slug) return false;
  // Search hits have the columns.
  if (venue !== null && (venue.city !== row.city || venue.country !== row.country)) return false;
  const lineup = item.lineup as SlugAndName[];
  return artistsOf(row.id).every(({ slug, name }) =>
    lineup.some((ref) => ref.slug === slug && ref.name === name),
  );
}

/**
 * Parses a rendering; null if it is not the JSON that was written. Renderings of earlier versions have halves of characters
 * as escapes, which the columns have as U+FFFD.
 */
function parseRendering(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    if (JSON.stringify(value) !== text) return null;
    if (!text.includes('\\ud')) return value;
    return JSON.parse(text, (_, member: unknown) =>
      typeof member === 'string' ? member.toWellFormed() : member,
    ) as Record<string, unknown>;
  } catch {
    return null;
  }
}
