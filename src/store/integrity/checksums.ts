/**
 * Row checksums for data that is stored only once, so that `verify` detects disk errors
 * (docs/decisions/11-copies.md). Data that an index repeats has none: SQLite's integrity check compares the two.
 */
import { crc32 } from 'node:zlib';
import type { SqlValue } from '../values.ts';

/**
 * The checksum of a table: the CRC-32 of `columns`, plus the numbers in `summed`. A statement that updates only a
 * summed column adds the difference.
 */
export type ChecksumColumns = { columns: readonly string[]; summed: readonly string[] };

const withUpdatedTs = (...columns: string[]): ChecksumColumns => ({ columns, summed: ['updated_ts'] });
const columnsOnly = (...columns: string[]): ChecksumColumns => ({ columns, summed: [] });

/** The checksum columns by table. */
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
    ...['capacity', 'website', 'image_url', 'aliases', 'links', 'external_ids', 'closed_at'],
  ),
  genres: withUpdatedTs('name', 'folded', 'description', 'aliases'),
  artists: withUpdatedTs(
    ...['name', 'folded', 'country', 'image_url', 'real_name', 'biography', 'aliases', 'links'],
    'external_ids',
    'ended_at',
  ),
  labels: withUpdatedTs(
    ...['name', 'folded', 'country', 'founded_year', 'description', 'website', 'image_url', 'aliases'],
    ...['links', 'external_ids', 'closed_at'],
  ),
  festivals: withUpdatedTs(
    ...['name', 'folded', 'city', 'country', 'image_url', 'description', 'website', 'aliases', 'links'],
    'external_ids',
    'ended_at',
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
  lineups: columnsOnly('billing', 'stage', 'set_start_at', 'set_end_at', 'set_position'),
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
 * The CRC-32 (ISO 3309) of values as stored; null if all are null. For such rows SQLite's integrity check detects
 * a value of the wrong type.
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

/** Creates the function that computes the checksum of a table's row from its values by name. */
export function rowChecksum(table: string): (row: Readonly<Record<string, SqlValue>>) => number | null {
  const { columns, summed: added } = checksumColumns[table] as ChecksumColumns;
  return (row) => {
    let text = '';
    let isEmpty = true;
    for (const name of columns) {
      const value = row[name] ?? null;
      if (value !== null) isEmpty = false;
      text += `${value}\u0000`;
    }
    const own = isEmpty ? null : crc32(text);
    if (added.length === 0) return own;
    let sum = own ?? 0;
    for (const name of added) sum += Number(row[name] ?? 0);
    return sum;
  };
}

/**
 * The same for rows with values in the order of `names`, the first one separate. It serves tables with very many
 * rows.
 */
export function orderedRowChecksum(
  table: string,
  names: readonly string[],
): (first: SqlValue, rest: readonly SqlValue[]) => number | null {
  const { columns, summed: added } = checksumColumns[table] as ChecksumColumns;
  const own = columns.map((name) => names.indexOf(name));
  const more = added.map((name) => names.indexOf(name));
  // Most acts of a line-up have the same values in these columns.
  let last: { text: string; sum: number } | null = null;
  return (first, rest) => {
    let text = '';
    let isEmpty = true;
    for (const index of own) {
      const value = index === 0 ? first : (rest[index - 1] as SqlValue);
      if (value !== null) isEmpty = false;
      text += `${value}\u0000`;
    }
    if (!isEmpty && last?.text !== text) last = { text, sum: crc32(text) };
    let sum = isEmpty ? null : (last as { sum: number }).sum;
    for (const index of more) sum = (sum ?? 0) + Number(rest[index - 1] ?? 0);
    return sum;
  };
}

/** Tables of numbers with very many rows. Their checksum can be computed in SQL. */
export const blockingKeyTables = ['blocking_keys', 'recent_blocking_keys'] as const;
const prime = 65_521;
export const keyChecksumSql = `(key % ${prime} + 3 * record_id + 5 * scope) % ${prime}`;

/**
 * Computes `keyChecksumSql` for a row. Small prime factors modulo a larger prime: every bit of each number
 * changes the result.
 */
export const keyChecksum = (key: number, record: number, scope: number): number =>
  ((key % prime) + 3 * record + 5 * scope) % prime;
