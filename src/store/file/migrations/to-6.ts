/** Schema 6: pending accounts, and checksums of stored data. */
/** Accounts that wait for approval; and an index that counts unused OAuth clients by region. */
export const pendingAccounts = `
CREATE TABLE pending_accounts (
  email TEXT PRIMARY KEY,
  password_hash TEXT NOT NULL,
  address TEXT NOT NULL,
  region TEXT NOT NULL,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX pending_accounts_by_time ON pending_accounts (created_ts);
DROP INDEX oauth_clients_unused;
CREATE INDEX oauth_clients_unused ON oauth_clients (region, created_ts, id) WHERE used_ts IS NULL;
`;

/** The checksum of a row of schema 6, by table: the CRC-32 of `columns` plus the values of `summed`. */
const checksumsOfSchema6: Readonly<Record<string, { columns: string; summed?: readonly string[] }>> = {
  cities: {
    columns: 'name, folded, country, region, latitude, longitude, timezone, population, aliases',
    summed: ['updated_ts'],
  },
  venues: {
    columns:
      'name, folded, city, country, timezone, address, postal_code, latitude, longitude, capacity, website, image_url, aliases, links, external_ids',
    summed: ['updated_ts'],
  },
  genres: { columns: 'name, folded, description, aliases', summed: ['updated_ts'] },
  artists: {
    columns: 'name, folded, country, image_url, real_name, biography, aliases, links, external_ids',
    summed: ['updated_ts'],
  },
  labels: {
    columns:
      'name, folded, country, founded_year, description, website, image_url, aliases, links, external_ids',
    summed: ['updated_ts'],
  },
  festivals: {
    columns: 'name, folded, city, country, image_url, description, website, aliases, links, external_ids',
    summed: ['updated_ts'],
  },
  editions: {
    columns:
      'edition, name, start_ts, over_ts, sort_ts, start_at, end_at, timezone, status, venue_name, city, country, description, image_url',
    summed: ['updated_ts'],
  },
  events: {
    columns:
      'start_ts, start_date, over_ts, country, city_folded, item, name, start_at, end_at, timezone, status, venue_name, city, description, image_url, minimum_age',
    summed: ['updated_ts'],
  },
  podcasts: {
    columns: 'name, folded, publisher, description, website, feed_url, image_url, aliases, links',
    summed: ['updated_ts'],
  },
  episodes: {
    columns:
      'name, folded, number, published_ts, published_at, duration_seconds, description, audio_url, image_url',
    summed: ['updated_ts'],
  },
  event_details: { columns: 'event_id, rest' },
  names: { columns: 'name, is_alias, words, terms' },
  lineups: { columns: 'billing, stage, set_start_at, set_end_at' },
  tickets: {
    columns: 'record_id, seller, url, price_min, price_max, currency, availability',
    summed: ['updated_ts'],
  },
  tracks: { columns: 'episode_id, position, start_seconds, artist_name, title, label_name, identified' },
  provider_records: { columns: 'statement', summed: ['stated_ts', 'run', 'withdrawn_ts'] },
  external_keys: { columns: 'kind, service, value', summed: ['record_id'] },
  match_doubts: { columns: 'rule, reasons' },
  changes: { columns: 'fields, slug, into_id' },
  moves: { columns: 'old_key' },
  former_lists: { columns: 'entries' },
};
const addChecksumsSql = [
  ...Object.entries(checksumsOfSchema6).map(([table, { columns, summed = [] }]) => {
    const own = `row_checksum(${columns})`;
    return [
      table,
      summed.length === 0 ? own : [own, ...summed].map((value) => `coalesce(${value}, 0)`).join(' + '),
    ];
  }),
  ...['match_keys', 'match_keys_new'].map((table) => [
    table,
    '(key % 65521 + 3 * record_id + 5 * tag) % 65521',
  ]),
]
  .map(
    ([table, sum]) =>
      `ALTER TABLE ${table} ADD COLUMN checksum INTEGER;\nUPDATE ${table} SET checksum = ${sum};\n`,
  )
  .join('');

/** Data that is stored only once gets a checksum in its row or a redundant index. */
export const checksums = `${addChecksumsSql}
DROP INDEX records_by_kind;
CREATE INDEX records_by_kind ON records (kind, id, created_revision);
DROP INDEX event_genres_by_event;
CREATE INDEX event_genres_by_event ON event_genres (event_id, direct);
DROP INDEX artist_genres_by_artist;
CREATE INDEX artist_genres_by_artist ON artist_genres (artist_id, direct);
CREATE INDEX settings_whole ON settings (value);
CREATE INDEX sources_whole ON sources (type, trust, clock, runs, last_run_ts, created_ts);
CREATE INDEX schedules_whole ON schedules (url, every_ms, complete, options, next_ts, ok_ts, failures, error, report);
CREATE INDEX source_pages_whole ON source_pages (etag, last_modified);
CREATE INDEX match_decisions_whole ON match_decisions (verdict, decided_ts);
CREATE INDEX given_names_whole ON given_names (slug);
CREATE INDEX accounts_whole ON accounts (plan, password_hash, window_limit, quota_limit, created_ts);
CREATE INDEX pending_accounts_whole ON pending_accounts (password_hash, address, region);
CREATE INDEX api_keys_whole ON api_keys (name, secret_hash, last_four, revoked_ts);
CREATE INDEX sessions_whole ON sessions (address, user_agent, created_ts);
CREATE INDEX former_usage_whole ON former_usage (month, used);
CREATE INDEX oauth_clients_whole ON oauth_clients (metadata, origin, region, used_ts);
CREATE INDEX oauth_grants_whole ON oauth_grants (payload, name, uri, host, verified, scopes);
CREATE INDEX oauth_items_whole ON oauth_items (payload, consumed_ts, origin, region);
`;
