/**
 * What stands in the file once has a checksum in its row, so that `verify` sees when a disk gave back something else
 * (docs/decisions/11-copies.md). What an index repeats has none: SQLite's own check compares the two.
 */
import { crc32 } from 'node:zlib';
import type { SqlValue } from '../values.ts';

/**
 * Of a table: the columns whose CRC-32 its checksum is, and columns of numbers that are added to that. Those are set by
 * themselves, and a statement that does so adds the difference.
 */
export type ChecksumColumns = { columns: readonly string[]; summed: readonly string[] };

const withUpdatedTs = (...columns: string[]): ChecksumColumns => ({ columns, summed: ['updated_ts'] });
const columnsOnly = (...columns: string[]): ChecksumColumns => ({ columns, summed: [] });

/** The tables whose rows have a checksum. */
export const checksumColumns: Readonly<Record<string, ChecksumColumns>> = {
  cities: withUpdatedTs(
    'name',
    'folded',
    'country',
    'region',
    'latitude',
    'longitude',
    'timezone',
    'population',
    'aliases',
  ),
  venues: withUpdatedTs(
    ...['name', 'folded', 'city', 'country', 'timezone', 'address', 'postal_code', 'latitude', 'longitude'],
    ...['capacity', 'website', 'image_url', 'aliases', 'links', 'external_ids'],
  ),
  genres: withUpdatedTs('name', 'folded', 'description', 'aliases'),
  artists: withUpdatedTs(
    ...['name', 'folded', 'country', 'image_url', 'real_name', 'biography', 'aliases', 'links'],
    'external_ids',
  ),
  labels: withUpdatedTs(
    ...['name', 'folded', 'country', 'founded_year', 'description', 'website', 'image_url', 'aliases'],
    ...['links', 'external_ids'],
  ),
  festivals: withUpdatedTs(
    ...['name', 'folded', 'city', 'country', 'image_url', 'description', 'website', 'aliases', 'links'],
    'external_ids',
  ),
  editions: withUpdatedTs(
    ...['edition', 'name', 'start_ts', 'ends_ts', 'sort_ts', 'start_at', 'end_at', 'timezone', 'status'],
    ...['venue_name', 'city', 'country', 'description', 'image_url'],
  ),
  events: withUpdatedTs(
    ...[
      'start_ts',
      'start_date',
      'ends_ts',
      'country',
      'city_folded',
      'item_json',
      'name',
      'start_at',
      'end_at',
    ],
    ...['timezone', 'status', 'venue_name', 'city', 'description', 'image_url', 'minimum_age'],
  ),
  podcasts: withUpdatedTs(
    ...['name', 'folded', 'publisher', 'description', 'website', 'feed_url', 'image_url', 'aliases', 'links'],
  ),
  episodes: withUpdatedTs(
    ...['name', 'folded', 'number', 'published_ts', 'published_at', 'duration_seconds', 'description'],
    ...['audio_url', 'image_url'],
  ),
  event_details: columnsOnly('event_id', 'detail_json'),
  names: columnsOnly('name', 'is_alias', 'words', 'terms'),
  lineups: columnsOnly('billing', 'stage', 'set_start_at', 'set_end_at'),
  tickets: withUpdatedTs('record_id', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability'),
  tracks: columnsOnly(
    ...['episode_id', 'position', 'start_seconds', 'artist_name', 'title', 'label_name', 'identified'],
  ),
  source_records: { columns: ['content'], summed: ['content_updated_ts', 'last_seen_run', 'withdrawn_ts'] },
  external_ids: { columns: ['kind', 'service', 'external_id'], summed: ['record_id'] },
  possible_matches: columnsOnly('rule', 'reasons'),
  changes: columnsOnly('fields', 'slug', 'merged_into_id'),
  sort_key_history: columnsOnly('previous_sort_key'),
  list_history: columnsOnly('entries'),
};

/**
 * The CRC-32 (ISO 3309) of values as they stand in the file; null where all of them are null: of such a row SQLite's own
 * check sees that a value is not of its column's type.
 */
export function checksumOf(...values: readonly unknown[]): number | null {
  let text = '';
  let isEmpty = true;
  for (const value of values) {
    if (value !== null) isEmpty = false;
    text += `${value}\u0000`;
  }
  return isEmpty ? null : crc32(text);
}

/** How the checksum of a table's row is made from its values by name. */
export function rowChecksum(table: string): (row: Readonly<Record<string, SqlValue>>) => number | null {
  const { columns, summed: added } = checksumColumns[table] as ChecksumColumns;
  return (row) => {
    const own = checksumOf(...columns.map((name) => row[name] ?? null));
    if (added.length === 0) return own;
    let sum = own ?? 0;
    for (const name of added) sum += Number(row[name] ?? 0);
    return sum;
  };
}

/** The same for rows whose values come in the order of `names`, the first of them by itself; very many of them do. */
export function orderedRowChecksum(
  table: string,
  names: readonly string[],
): (first: SqlValue, rest: readonly SqlValue[]) => number | null {
  const { columns, summed: added } = checksumColumns[table] as ChecksumColumns;
  const own = columns.map((name) => names.indexOf(name));
  const more = added.map((name) => names.indexOf(name));
  return (first, rest) => {
    let isEmpty = true;
    const values: SqlValue[] = [];
    for (const place of own) {
      const value = place === 0 ? first : (rest[place - 1] as SqlValue);
      if (value !== null) isEmpty = false;
      values.push(value);
    }
    let sum = isEmpty ? null : checksumOf(...values);
    for (const place of more) sum = (sum ?? 0) + Number(rest[place - 1] ?? 0);
    return sum;
  };
}

/** Tables of numbers alone, of which very many rows go in; and their checksum, for which SQL has all that it takes. */
export const blockingKeyTables = ['blocking_keys', 'recent_blocking_keys'] as const;
const prime = 65_521;
export const keyChecksumSql = `(key % ${prime} + 3 * record_id + 5 * scope) % ${prime}`;

/** `keyChecksumSql` of a row. Times a small prime, modulo a larger one: each bit of each number makes a difference. */
export const keyChecksum = (key: number, record: number, scope: number): number =>
  ((key % prime) + 3 * record + 5 * scope) % prime;
