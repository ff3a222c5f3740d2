/** Schemas 2 to 5. */
/** Tables of sessions, attempts, retained usage and OAuth. */
export const accountTables = `
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
export const sourceTables = `
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
export const inheritedNames = `
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
export const recentBlockingKeys = `
CREATE TABLE match_keys_new (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;
`;

/** Venues, labels, festivals and artists have more blocking keys than before. The next import recomputes them. */
export const rebuildBlockingKeys = `
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM venues;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM labels;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM festivals;
INSERT OR IGNORE INTO stale_records (record_id)
  SELECT record_id FROM provider_records WHERE kind = 'artist' AND statement IS NOT NULL;
`;
