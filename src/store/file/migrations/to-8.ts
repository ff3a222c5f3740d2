/** Schema 8: removed and edited records, the audit log, roles, ways to sign in, rules and runs of sources. */
export const administration = `
CREATE TABLE postponed_matches (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external_id TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external_id TEXT NOT NULL,
  a_digest INTEGER NOT NULL,
  b_digest INTEGER NOT NULL,
  postponed_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, a_source, a_external_id, b_source, b_external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX postponed_matches_integrity ON postponed_matches (a_digest, b_digest, postponed_ts);
CREATE TABLE removed_records (
  record_id INTEGER PRIMARY KEY REFERENCES records (id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  saved TEXT,
  reason TEXT,
  removed_by TEXT NOT NULL,
  removed_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_records_by_time ON removed_records (removed_ts);
CREATE INDEX removed_records_integrity ON removed_records (kind, state, slug, name, saved, reason, removed_by);
CREATE TABLE blocked_source_records (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX blocked_source_records_by_record ON blocked_source_records (record_id);
CREATE TABLE removed_references (
  removed_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  PRIMARY KEY (removed_id, record_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX removed_references_by_record ON removed_references (record_id);
CREATE TABLE forgotten_names (
  digest TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX forgotten_names_integrity ON forgotten_names (kind, record_id, created_ts);
CREATE TABLE edits (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  field TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  value TEXT NOT NULL,
  edited_by TEXT NOT NULL,
  edited_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id, field)
) WITHOUT ROWID, STRICT;
CREATE INDEX edits_by_record ON edits (record_id, field);
CREATE INDEX edits_integrity ON edits (value, edited_by, edited_ts);
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  created_ts INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  record_id INTEGER,
  details TEXT NOT NULL,
  undone_by INTEGER
) STRICT;
CREATE INDEX audit_log_by_record ON audit_log (record_id, id);
CREATE INDEX audit_log_by_subject ON audit_log (subject_kind, subject, id);
CREATE INDEX audit_log_integrity ON audit_log (created_ts, actor, action, details, undone_by);
ALTER TABLE sources ADD COLUMN rules TEXT NOT NULL DEFAULT '{}';
DROP INDEX sources_integrity;
CREATE INDEX sources_integrity ON sources (type, trust, clock, run_count, last_run_ts, created_ts, rules);
ALTER TABLE schedules ADD COLUMN paused_ts INTEGER;
DROP INDEX schedules_integrity;
CREATE INDEX schedules_integrity ON schedules (url, interval_ms, is_full_feed, options, next_ts, last_success_ts, failures, last_error, last_report, paused_ts);
CREATE TABLE source_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id INTEGER NOT NULL REFERENCES sources (id),
  started_ts INTEGER NOT NULL,
  ended_ts INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  records INTEGER NOT NULL,
  report TEXT NOT NULL
) STRICT;
CREATE INDEX source_runs_by_source ON source_runs (source_id, id);
CREATE INDEX source_runs_integrity ON source_runs (started_ts, ended_ts, outcome, records, report);
CREATE TABLE held_source_records (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  kind TEXT NOT NULL,
  external_id TEXT NOT NULL,
  content TEXT NOT NULL,
  state TEXT NOT NULL,
  held_ts INTEGER NOT NULL,
  PRIMARY KEY (source_id, kind, external_id)
) STRICT;
CREATE INDEX held_source_records_by_time ON held_source_records (state, held_ts);
CREATE INDEX held_source_records_integrity ON held_source_records (content);
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'user';
ALTER TABLE accounts ADD COLUMN suspended_ts INTEGER;
ALTER TABLE accounts ADD COLUMN verified_ts INTEGER;
DROP INDEX accounts_integrity;
CREATE INDEX accounts_integrity ON accounts (plan, password_hash, window_limit, quota_limit, created_ts, suspended_ts, verified_ts);
CREATE INDEX accounts_by_role ON accounts (role, id);
ALTER TABLE api_keys ADD COLUMN expires_ts INTEGER;
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'all';
DROP INDEX api_keys_integrity;
CREATE INDEX api_keys_integrity ON api_keys (name, secret_hash, last_four, revoked_ts, expires_ts, scope);
CREATE TABLE plan_limits (
  plan TEXT NOT NULL,
  effective_ts INTEGER NOT NULL,
  window_limit INTEGER NOT NULL,
  quota_limit INTEGER NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_ts INTEGER NOT NULL,
  PRIMARY KEY (plan, effective_ts)
) STRICT;
CREATE INDEX plan_limits_integrity ON plan_limits (window_limit, quota_limit, note, created_ts);
CREATE TABLE one_time_links (
  token_hash TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  payload TEXT,
  created_ts INTEGER NOT NULL,
  expires_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX one_time_links_by_account ON one_time_links (account_id, purpose);
CREATE INDEX one_time_links_integrity ON one_time_links (expires_ts, created_ts, payload);
CREATE TABLE external_logins (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER,
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX external_logins_by_account ON external_logins (account_id, issuer);
CREATE INDEX external_logins_integrity ON external_logins (email, created_ts);
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,
  sign_count INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER
) STRICT;
CREATE INDEX passkeys_by_account ON passkeys (account_id, created_ts);
CREATE INDEX passkeys_integrity ON passkeys (name, public_key, transports);
CREATE TABLE totp_secrets (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  confirmed_ts INTEGER,
  last_step INTEGER NOT NULL DEFAULT 0,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX totp_secrets_integrity ON totp_secrets (secret, confirmed_ts, created_ts);
CREATE TABLE recovery_codes (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  used_ts INTEGER,
  PRIMARY KEY (account_id, code_hash)
) STRICT;
CREATE INDEX recovery_codes_integrity ON recovery_codes (used_ts);
ALTER TABLE venues ADD COLUMN closed_at TEXT;
UPDATE venues SET checksum = ifnull(row_checksum(name, folded, city, country, timezone, address, postal_code, latitude, longitude, capacity, website, image_url, aliases, links, external_ids, closed_at), 0) + updated_ts;
ALTER TABLE artists ADD COLUMN ended_at TEXT;
UPDATE artists SET checksum = ifnull(row_checksum(name, folded, country, image_url, real_name, biography, aliases, links, external_ids, ended_at), 0) + updated_ts;
ALTER TABLE labels ADD COLUMN closed_at TEXT;
UPDATE labels SET checksum = ifnull(row_checksum(name, folded, country, founded_year, description, website, image_url, aliases, links, external_ids, closed_at), 0) + updated_ts;
ALTER TABLE festivals ADD COLUMN ended_at TEXT;
UPDATE festivals SET checksum = ifnull(row_checksum(name, folded, city, country, image_url, description, website, aliases, links, external_ids, ended_at), 0) + updated_ts;
INSERT OR IGNORE INTO stale_records (record_id)
  SELECT e.id FROM events e WHERE NOT EXISTS (SELECT 1 FROM event_genres g WHERE g.event_id = e.id)
    AND EXISTS (SELECT 1 FROM event_artists x JOIN artist_genres a ON a.artist_id = x.artist_id WHERE x.event_id = e.id)
  ORDER BY e.id;
`;
