/**
 * The migrations: SQL that upgrades a data file of an older schema step by step. New files are created from
 * schema.sql; a test checks that both give the same schema.
 */
/** The schema version that this program reads and writes, stored as `user_version`. */
export const schemaVersion = 7;

/**
 * Upgrades a file from the version before `to`. Runs in one transaction with the new version number. `sql` may
 * call `row_checksum` (`checksumOf`).
 */
export type Migration = { to: number; sql: string };

/** Tables of sessions, attempts, retained usage and OAuth. */
const accountTables = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  used_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id, used_ts);

CREATE TABLE attempts (
  subject TEXT PRIMARY KEY,
  failed INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  free_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_by_time ON attempts (last_ts);

CREATE TABLE former_usage (
  digest TEXT PRIMARY KEY,
  month TEXT NOT NULL,
  used INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  metadata TEXT NOT NULL,
  origin TEXT NOT NULL,
  region TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  used_ts INTEGER
) STRICT;
CREATE INDEX oauth_clients_by_time ON oauth_clients (created_ts);
CREATE INDEX oauth_clients_unused ON oauth_clients (created_ts) WHERE used_ts IS NULL;

CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  name TEXT NOT NULL,
  uri TEXT,
  host TEXT,
  verified INTEGER NOT NULL,
  scopes TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, created_ts);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);

CREATE TABLE oauth_items (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  grant_id TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  expires_ts INTEGER NOT NULL,
  consumed_ts INTEGER,
  origin TEXT,
  region TEXT,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX oauth_items_by_grant ON oauth_items (grant_id, kind);
CREATE INDEX oauth_items_by_end ON oauth_items (expires_ts);
CREATE INDEX oauth_items_by_origin ON oauth_items (origin, expires_ts) WHERE origin IS NOT NULL;
CREATE INDEX oauth_items_by_region ON oauth_items (region, expires_ts) WHERE region IS NOT NULL;
CREATE INDEX oauth_items_pending ON oauth_items (expires_ts) WHERE origin IS NOT NULL;
`;

/** Tables of sources, matching and the change log. */
const sourceTables = `
ALTER TABLE records ADD COLUMN created_revision INTEGER NOT NULL DEFAULT 0;
CREATE TABLE changes (
  revision INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  what TEXT NOT NULL,
  fields TEXT,
  slug TEXT,
  into_id INTEGER REFERENCES records (id),
  PRIMARY KEY (revision, record_id, what)
) WITHOUT ROWID, STRICT;
CREATE INDEX changes_by_record ON changes (record_id, revision);
CREATE INDEX changes_by_into ON changes (into_id) WHERE into_id IS NOT NULL;
CREATE TABLE schedules (
  source_id INTEGER PRIMARY KEY REFERENCES sources (id),
  url TEXT NOT NULL,
  every_ms INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  options TEXT NOT NULL,
  next_ts INTEGER NOT NULL,
  ok_ts INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  report TEXT
) STRICT;
CREATE INDEX schedules_by_next ON schedules (next_ts);
CREATE TABLE source_pages (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  page TEXT NOT NULL,
  etag TEXT, last_modified TEXT,
  PRIMARY KEY (source_id, page)
) WITHOUT ROWID, STRICT;
CREATE TABLE turns (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  what TEXT NOT NULL,
  until_ts INTEGER NOT NULL
) STRICT;
CREATE TABLE match_keys (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;
CREATE TABLE external_keys (
  kind TEXT NOT NULL,
  service TEXT NOT NULL,
  value TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  PRIMARY KEY (kind, service, value, record_id)
) WITHOUT ROWID, STRICT;
CREATE TABLE match_decisions (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external TEXT NOT NULL,
  verdict TEXT NOT NULL,
  decided_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, a_source, a_external, b_source, b_external)
) WITHOUT ROWID, STRICT;
CREATE INDEX match_decisions_by_second ON match_decisions (kind, b_source, b_external);
CREATE TABLE given_names (
  record_id INTEGER NOT NULL REFERENCES records (id),
  name TEXT NOT NULL,
  PRIMARY KEY (record_id, name)
) WITHOUT ROWID, STRICT;
CREATE TABLE match_doubts (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external TEXT NOT NULL,
  score REAL NOT NULL,
  rule TEXT NOT NULL,
  reasons TEXT NOT NULL,
  PRIMARY KEY (kind, a_source, a_external, b_source, b_external)
) WITHOUT ROWID, STRICT;
CREATE INDEX match_doubts_by_second ON match_doubts (kind, b_source, b_external);
CREATE INDEX match_doubts_by_score ON match_doubts (score);
`;

/** The scope of an inherited name, and the slug that a split restores. */
const inheritedNames = `
ALTER TABLE given_names RENAME TO given_names_before;
CREATE TABLE given_names (
  record_id INTEGER NOT NULL REFERENCES records (id),
  name TEXT NOT NULL,
  place TEXT NOT NULL DEFAULT '',
  slug TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (record_id, name, place)
) WITHOUT ROWID, STRICT;
INSERT INTO given_names (record_id, name) SELECT DISTINCT record_id, name FROM given_names_before;
DROP TABLE given_names_before;
`;

/** The table that receives new blocking keys. */
const recentBlockingKeys = `
CREATE TABLE match_keys_new (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;
`;

/** Venues, labels, festivals and artists have more blocking keys than before. The next import recomputes them. */
const rebuildBlockingKeys = `
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM venues;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM labels;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM festivals;
INSERT OR IGNORE INTO stale_records (record_id)
  SELECT record_id FROM provider_records WHERE kind = 'artist' AND statement IS NOT NULL;
`;

/** Accounts that wait for approval; and an index that counts unused OAuth clients by region. */
const pendingAccounts = `
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
const checksums = `${addChecksumsSql}
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

/**
 * Standard names for tables, columns and indexes; and a separate table for counts of candidates that were not
 * compared.
 */
const standardNames = `
CREATE TABLE uncompared_counts (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id)
) WITHOUT ROWID, STRICT;
INSERT INTO uncompared_counts (kind, source, external_id, count)
  SELECT kind, a_source, a_external, cast(reasons AS INTEGER) FROM match_doubts WHERE rule = 'left out';
DELETE FROM match_doubts WHERE rule = 'left out';
CREATE INDEX uncompared_counts_by_count ON uncompared_counts (count);
DROP INDEX settings_whole;
DROP INDEX changes_by_into;
DROP INDEX moves_by_record;
DROP INDEX former_lists_by_revision;
DROP INDEX sources_whole;
DROP INDEX schedules_whole;
DROP INDEX source_pages_whole;
DROP INDEX provider_records_by_record;
DROP INDEX match_decisions_whole;
DROP INDEX given_names_whole;
DROP INDEX match_doubts_by_second;
DROP INDEX match_doubts_by_score;
DROP INDEX editions_by_over;
DROP INDEX events_by_over;
DROP INDEX accounts_whole;
DROP INDEX pending_accounts_whole;
DROP INDEX api_keys_whole;
DROP INDEX sessions_whole;
DROP INDEX former_usage_whole;
DROP INDEX oauth_clients_whole;
DROP INDEX oauth_grants_whole;
DROP INDEX oauth_items_whole;
ALTER TABLE catalogue RENAME COLUMN longest_ms TO max_event_duration_ms;
ALTER TABLE changes RENAME COLUMN what TO change_type;
ALTER TABLE changes RENAME COLUMN into_id TO merged_into_id;
ALTER TABLE moves RENAME COLUMN old_key TO previous_sort_key;
ALTER TABLE former_lists RENAME COLUMN list TO list_name;
ALTER TABLE sources RENAME COLUMN runs TO run_count;
ALTER TABLE schedules RENAME COLUMN every_ms TO interval_ms;
ALTER TABLE schedules RENAME COLUMN complete TO is_full_feed;
ALTER TABLE schedules RENAME COLUMN ok_ts TO last_success_ts;
ALTER TABLE schedules RENAME COLUMN error TO last_error;
ALTER TABLE schedules RENAME COLUMN report TO last_report;
ALTER TABLE turns RENAME COLUMN what TO purpose;
ALTER TABLE turns RENAME COLUMN until_ts TO expires_ts;
ALTER TABLE provider_records RENAME COLUMN statement TO content;
ALTER TABLE provider_records RENAME COLUMN stated_ts TO content_updated_ts;
ALTER TABLE provider_records RENAME COLUMN run TO last_seen_run;
ALTER TABLE match_keys RENAME COLUMN tag TO scope;
ALTER TABLE match_keys_new RENAME COLUMN tag TO scope;
ALTER TABLE external_keys RENAME COLUMN value TO external_id;
ALTER TABLE match_decisions RENAME COLUMN a_external TO a_external_id;
ALTER TABLE match_decisions RENAME COLUMN b_external TO b_external_id;
ALTER TABLE match_doubts RENAME COLUMN a_external TO a_external_id;
ALTER TABLE match_doubts RENAME COLUMN b_external TO b_external_id;
ALTER TABLE given_names RENAME COLUMN slug TO merged_slug;
ALTER TABLE editions RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE events RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE event_artists RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE event_genres RENAME COLUMN over_ts TO ends_ts;
ALTER TABLE event_genres RENAME COLUMN direct TO is_direct;
ALTER TABLE artist_genres RENAME COLUMN direct TO is_direct;
ALTER TABLE rate_windows RENAME COLUMN opened_ts TO started_ts;
ALTER TABLE usage_days RENAME COLUMN door TO channel;
ALTER TABLE events RENAME COLUMN item TO item_json;
ALTER TABLE event_details RENAME COLUMN rest TO detail_json;
ALTER TABLE sessions RENAME COLUMN used_ts TO last_used_ts;
ALTER TABLE attempts RENAME COLUMN free_ts TO next_allowed_ts;
ALTER TABLE oauth_clients RENAME COLUMN used_ts TO last_used_ts;
ALTER TABLE moves RENAME TO sort_key_history;
ALTER TABLE former_lists RENAME TO list_history;
ALTER TABLE stale_names RENAME TO stale_name_ranks;
ALTER TABLE turns RENAME TO write_leases;
ALTER TABLE provider_records RENAME TO source_records;
ALTER TABLE match_keys RENAME TO blocking_keys;
ALTER TABLE match_keys_new RENAME TO recent_blocking_keys;
ALTER TABLE external_keys RENAME TO external_ids;
ALTER TABLE given_names RENAME TO inherited_names;
ALTER TABLE match_doubts RENAME TO possible_matches;
ALTER TABLE former_usage RENAME TO retained_usage;
CREATE INDEX settings_integrity ON settings (value);
CREATE INDEX changes_by_merged_into ON changes (merged_into_id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX sort_key_history_by_record ON sort_key_history (record_id);
CREATE INDEX list_history_by_revision ON list_history (revision);
CREATE INDEX sources_integrity ON sources (type, trust, clock, run_count, last_run_ts, created_ts);
CREATE INDEX schedules_integrity ON schedules (url, interval_ms, is_full_feed, options, next_ts, last_success_ts, failures, last_error, last_report);
CREATE INDEX source_pages_integrity ON source_pages (etag, last_modified);
CREATE INDEX source_records_by_record ON source_records (record_id);
CREATE INDEX match_decisions_integrity ON match_decisions (verdict, decided_ts);
CREATE INDEX inherited_names_integrity ON inherited_names (merged_slug);
CREATE INDEX possible_matches_by_second ON possible_matches (kind, b_source, b_external_id);
CREATE INDEX possible_matches_by_score ON possible_matches (score);
CREATE INDEX editions_by_end ON editions (ends_ts);
CREATE INDEX events_by_end ON events (ends_ts);
CREATE INDEX accounts_integrity ON accounts (plan, password_hash, window_limit, quota_limit, created_ts);
CREATE INDEX pending_accounts_integrity ON pending_accounts (password_hash, address, region);
CREATE INDEX api_keys_integrity ON api_keys (name, secret_hash, last_four, revoked_ts);
CREATE INDEX sessions_integrity ON sessions (address, user_agent, created_ts);
CREATE INDEX retained_usage_integrity ON retained_usage (month, used);
CREATE INDEX oauth_clients_integrity ON oauth_clients (metadata, origin, region, last_used_ts);
CREATE INDEX oauth_grants_integrity ON oauth_grants (payload, name, uri, host, verified, scopes);
CREATE INDEX oauth_items_integrity ON oauth_items (payload, consumed_ts, origin, region);
`;

export const migrations: readonly Migration[] = [
  { to: 2, sql: accountTables + sourceTables },
  { to: 3, sql: inheritedNames },
  { to: 4, sql: recentBlockingKeys },
  { to: 5, sql: rebuildBlockingKeys },
  { to: 6, sql: pendingAccounts + checksums },
  { to: 7, sql: standardNames },
];
