/**
 * How a data file of an older schema is brought to this one, step by step. schema.sql is what a new file gets; a test
 * compares what both lead to.
 */
import { addChecksumsSql } from '../integrity/checksums.ts';

/** The schema that this program reads and writes; stands in the file as `user_version`. */
export const schemaVersion = 6;

/**
 * How to bring a file of the version before to `wordEnd`. Each runs in one transaction with the new version number. Its SQL may
 * call `row_checksum` (`checksumOf`).
 */
export type Migration = { to: number; sql: string };

/** What people, their sessions and their apps need. */
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

/** What sources, matching and the change log need. */
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

/** Where a name that a record took over was meant, and what a split brings back. */
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

/** Where keys of matching are filed first. */
const recentBlockingKeys = `
CREATE TABLE match_keys_new (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;
`;

/** Houses, labels, festivals and artists are filed under more than before: they are filed anew with the next import. */
const rebuildBlockingKeys = `
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM venues;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM labels;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM festivals;
INSERT OR IGNORE INTO stale_records (record_id)
  SELECT record_id FROM provider_records WHERE kind = 'artist' AND statement IS NOT NULL;
`;

/** Accounts that wait to be admitted; and an index that tells which region has most of the unused clients. */
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

/** What is stored once has a checksum in its row, or stands in an index as well. */
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

export const migrations: readonly Migration[] = [
  { to: 2, sql: accountTables + sourceTables },
  { to: 3, sql: inheritedNames },
  { to: 4, sql: recentBlockingKeys },
  { to: 5, sql: rebuildBlockingKeys },
  { to: 6, sql: pendingAccounts + checksums },
];
