-- The schema of a cratebase data file. It has two halves without references between them: the catalogue (records,
-- sources, matching) and access (accounts, API keys, OAuth). Each half could move to a file of its own.
--
-- Times that order or bound rows are integers: milliseconds since 1970 (…_ts) or calendar dates as yyyymmdd
-- (…_date). Texts that response bodies show are stored as they are shown. JSON columns are read whole and never
-- searched.
--
-- `checksum` lets `verify` detect damage to data that is stored only once (store/integrity/checksums.ts). Small
-- tables have a redundant index (…_integrity) instead: SQLite's integrity check compares it with the table.

-- ------------------------------------------------------------------------------------------------ the file itself

CREATE TABLE settings (
  key TEXT PRIMARY KEY,               -- cursor_key (secret), created_at, sample_start …
  value TEXT NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX settings_integrity ON settings (value);

-- One row. `revision` rises with every committed batch that changed the catalogue. Readers, caches and ETags
-- depend on it.
CREATE TABLE catalogue (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL DEFAULT 0,
  max_event_duration_ms INTEGER NOT NULL DEFAULT 0, -- longest time from an event's start to its `ends_ts`
  last_synced_ts INTEGER
) STRICT;
INSERT INTO catalogue (id) VALUES (1);

-- ------------------------------------------------------------------------------------------------ records and names

-- Every record of every kind. Ids are never reused and rise in the order of creation.
CREATE TABLE records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  revision INTEGER NOT NULL,          -- when it last changed
  created_revision INTEGER NOT NULL DEFAULT 0 -- of the batch that created it; 0 for records older than this column
) STRICT;
CREATE INDEX records_by_revision ON records (revision);
CREATE INDEX records_by_kind ON records (kind, id, created_revision);

-- When records were created: all from `first_id` on, up to the next row, at `created_ts`. Both rise.
CREATE TABLE creation_times (
  first_id INTEGER PRIMARY KEY,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX creation_times_by_time ON creation_times (created_ts);

-- The change log: updates, cancellations, withdrawals, removals and merges of records, kept forever. At most one row
-- per record, batch and change type. Creations are in `records.created_revision`.
CREATE TABLE changes (
  revision INTEGER NOT NULL,          -- of the batch
  record_id INTEGER NOT NULL REFERENCES records (id),
  change_type TEXT NOT NULL,          -- 'updated', 'cancelled', 'withdrawn', 'merged', 'hidden', 'deleted' or 'restored'
  fields TEXT,                        -- 'updated': names of the fields, a JSON array
  slug TEXT,                          -- 'merged': the slug of the record before the merge
  merged_into_id INTEGER REFERENCES records (id), -- 'merged': the surviving record
  checksum INTEGER,
  PRIMARY KEY (revision, record_id, change_type)
) WITHOUT ROWID, STRICT;
CREATE INDEX changes_by_record ON changes (record_id, revision);
CREATE INDEX changes_by_merged_into ON changes (merged_into_id) WHERE merged_into_id IS NOT NULL;

-- Every slug that a record has or had. Former slugs keep resolving to the record.
CREATE TABLE slugs (
  kind TEXT NOT NULL,
  slug TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  PRIMARY KEY (kind, slug)
) WITHOUT ROWID, STRICT;
CREATE INDEX slugs_by_record ON slugs (record_id);

-- Names and aliases. For searchable kinds the row id orders names by prominence (events: by start). The first 50
-- rows of a full-text match are therefore the best 50, without a sort.
CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  name TEXT NOT NULL,
  is_alias INTEGER NOT NULL,
  folded TEXT NOT NULL,               -- case-folded: the sort and comparison key of lists
  words TEXT NOT NULL,                -- the same without punctuation: the key of exact name search
  terms TEXT NOT NULL,                -- text in the full-text index; empty for kinds that are not searched
  checksum INTEGER
) STRICT;
CREATE INDEX names_by_folded ON names (kind, folded, record_id);
CREATE INDEX names_by_words ON names (words, is_alias) WHERE terms <> '';
CREATE INDEX names_by_record ON names (record_id);

CREATE VIRTUAL TABLE name_search USING fts5 (
  terms, content = 'names', content_rowid = 'id', prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE search_terms USING fts5vocab (name_search, 'row');

-- Records whose row must be recomputed from their source records, because a record that they show changed.
CREATE TABLE stale_records (
  record_id INTEGER PRIMARY KEY REFERENCES records (id)
) STRICT;

-- Records whose document changed because a record that it names did. They still have to get a new revision, so that
-- the change feed contains them. (Events are in `stale_records`: their documents are stored.)
CREATE TABLE stale_documents (
  record_id INTEGER PRIMARY KEY REFERENCES records (id)
) STRICT;

-- Records whose row ids in `names` must be recomputed, because their prominence changed.
CREATE TABLE stale_name_ranks (
  record_id INTEGER PRIMARY KEY REFERENCES records (id)
) STRICT;

-- The former sort keys of records that moved in a list. Pagination that began before the move returns the record
-- exactly once.
CREATE TABLE sort_key_history (
  kind TEXT NOT NULL,
  revision INTEGER NOT NULL,          -- of the batch that changed the sort key
  record_id INTEGER NOT NULL REFERENCES records (id),
  previous_sort_key TEXT NOT NULL,    -- JSON array
  checksum INTEGER,
  PRIMARY KEY (kind, revision, record_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX sort_key_history_by_record ON sort_key_history (record_id);

-- Former versions of line-ups, ticket lists and tracklists, for pagination that began before a batch changed
-- them. Their entries are not records and have no sort key history.
CREATE TABLE list_history (
  record_id INTEGER NOT NULL REFERENCES records (id),
  list_name TEXT NOT NULL,            -- 'lineup', 'tickets' or 'tracks'
  revision INTEGER NOT NULL,          -- of the batch that changed it
  entries TEXT NOT NULL,              -- JSON array of [entry as JSON text, ...sort key]
  checksum INTEGER,
  PRIMARY KEY (record_id, list_name, revision)
) STRICT;
CREATE INDEX list_history_by_revision ON list_history (revision);

-- ------------------------------------------------------------------------------------------------ sources

CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  trust INTEGER NOT NULL,
  clock TEXT NOT NULL,                -- 'local': times written with Z are local clock times; else 'instant'
  run_count INTEGER NOT NULL DEFAULT 0,
  last_run_ts INTEGER,
  created_ts INTEGER NOT NULL,
  rules TEXT NOT NULL DEFAULT '{}'    -- JSON object: patterns, defaults, licence … (`sources set`)
) STRICT;
CREATE INDEX sources_integrity ON sources (type, trust, clock, run_count, last_run_ts, created_ts, rules);

-- Address and interval of sources that are imported on a schedule (`sources add`). Sources without a row here are
-- imported only by hand.
CREATE TABLE schedules (
  source_id INTEGER PRIMARY KEY REFERENCES sources (id),
  url TEXT NOT NULL,                  -- URL or file path; may contain a secret, so it is shown redacted
  interval_ms INTEGER NOT NULL,
  is_full_feed INTEGER NOT NULL,      -- 1: records that the feed no longer lists are withdrawn
  options TEXT NOT NULL,              -- JSON object: the options of the source's adapter
  next_ts INTEGER NOT NULL,           -- when the next run is due
  last_success_ts INTEGER,            -- time of the last successful run
  failures INTEGER NOT NULL DEFAULT 0, -- failed runs since the last success
  last_error TEXT,                    -- message of the last failure
  last_report TEXT,                   -- JSON: report of the last run
  paused_ts INTEGER                   -- when an editor paused it; null: it runs
) STRICT;
CREATE INDEX schedules_by_next ON schedules (next_ts);
CREATE INDEX schedules_states ON schedules (source_id, next_ts, last_success_ts, failures, ifnull(json_extract(last_report, '$.rejected_count'), 0));
CREATE INDEX schedules_integrity ON schedules (url, interval_ms, is_full_feed, options, next_ts, last_success_ts, failures, last_error, last_report, paused_ts);

-- HTTP validators of the pages that the last finished run of a source fetched. The next run sends conditional
-- requests.
CREATE TABLE source_pages (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  page TEXT NOT NULL,
  etag TEXT, last_modified TEXT,
  PRIMARY KEY (source_id, page)
) WITHOUT ROWID, STRICT;
CREATE INDEX source_pages_integrity ON source_pages (etag, last_modified);

-- The last runs of each source, for its history and to recognise a run that brings far fewer records than usual.
CREATE TABLE source_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id INTEGER NOT NULL REFERENCES sources (id),
  started_ts INTEGER NOT NULL,
  ended_ts INTEGER NOT NULL,
  outcome TEXT NOT NULL,              -- 'done', 'unchanged', 'partial', 'refused' or 'failed'
  records INTEGER NOT NULL,           -- valid records that the source listed
  report TEXT NOT NULL                -- JSON: counts by kind, rejected and skipped records, error
) STRICT;
CREATE INDEX source_runs_by_source ON source_runs (source_id, id);
CREATE INDEX source_runs_integrity ON source_runs (started_ts, ended_ts, outcome, records, report);

-- Source records that wait for an editor, because the rules of their source say so.
CREATE TABLE held_source_records (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  kind TEXT NOT NULL,
  external_id TEXT NOT NULL,
  content TEXT NOT NULL,              -- JSON, as in source_records
  state TEXT NOT NULL,                -- 'waiting', 'approved' or 'rejected'
  held_ts INTEGER NOT NULL,
  PRIMARY KEY (source_id, kind, external_id)
) STRICT;
CREATE INDEX held_source_records_by_time ON held_source_records (state, held_ts);
CREATE INDEX held_source_records_integrity ON held_source_records (content);

-- The write lease of the catalogue: one process writes at a time and renews its lease while it works.
CREATE TABLE write_leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  purpose TEXT NOT NULL,              -- shown to waiting processes
  expires_ts INTEGER NOT NULL
) STRICT;

-- A source record: what one source states about one record. (source, kind, external id) always resolves to the
-- same record. `content` is the last content as JSON; null if the source only referred to the record.
CREATE TABLE source_records (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  kind TEXT NOT NULL,
  external_id TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  content TEXT,
  content_updated_ts INTEGER NOT NULL,
  last_seen_run INTEGER NOT NULL,     -- number of the source's run that last wrote it
  withdrawn_ts INTEGER,
  checksum INTEGER,
  UNIQUE (source_id, kind, external_id) -- a rowid table: long rows would make the key's tree sparse
) STRICT;
CREATE INDEX source_records_by_record ON source_records (record_id);

-- ------------------------------------------------------------------------------------------------ matching

-- Blocking keys of matching: records that share a key are candidate pairs. `key` is a hash of a word or address
-- and the day, `scope` is the source and a hash of the city. New rows go to `recent_blocking_keys`, which is
-- small enough to stay in memory. Ranges of it move to `blocking_keys` (store/resolution/blocking-keys.ts).
CREATE TABLE blocking_keys (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  scope INTEGER NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (key, record_id, scope)
) WITHOUT ROWID, STRICT;
CREATE TABLE recent_blocking_keys (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  scope INTEGER NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (key, record_id, scope)
) WITHOUT ROWID, STRICT;

-- Ids of records at external services, for lookups.
CREATE TABLE external_ids (
  kind TEXT NOT NULL,
  service TEXT NOT NULL,
  external_id TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  checksum INTEGER,
  PRIMARY KEY (kind, service, external_id, record_id)
) WITHOUT ROWID, STRICT;

-- Decisions of the operator about two records. A record is identified by the name of a source and its external id
-- there, or by ('', slug) if no source has an id for it. For a merge `a` survives; other pairs are in text order.
-- The rows hold no record ids: decisions outlive every import and the removal of a source.
CREATE TABLE match_decisions (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external_id TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external_id TEXT NOT NULL,
  verdict TEXT NOT NULL,              -- 'same' or 'different'
  decided_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, a_source, a_external_id, b_source, b_external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX match_decisions_by_second ON match_decisions (kind, b_source, b_external_id);
CREATE INDEX match_decisions_integrity ON match_decisions (verdict, decided_ts);

-- Names that a record inherited from records merged into it and that no source states. Corrections keep them.
-- `place` scopes the name: the slug of a venue's city, the country of a city, else ''. `merged_slug` is the slug
-- of the record that an operator merged, which a split restores; '' if matching merged it.
CREATE TABLE inherited_names (
  record_id INTEGER NOT NULL REFERENCES records (id),
  name TEXT NOT NULL,
  place TEXT NOT NULL DEFAULT '',
  merged_slug TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (record_id, name, place)
) WITHOUT ROWID, STRICT;
CREATE INDEX inherited_names_integrity ON inherited_names (merged_slug);

-- Possible matches: pairs scored too low to be merged and too high to be dismissed.
CREATE TABLE possible_matches (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external_id TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external_id TEXT NOT NULL,
  score REAL NOT NULL,
  rule TEXT NOT NULL,
  reasons TEXT NOT NULL,              -- JSON: [{evidence, weight, text}]
  checksum INTEGER,
  PRIMARY KEY (kind, a_source, a_external_id, b_source, b_external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX possible_matches_by_second ON possible_matches (kind, b_source, b_external_id);
CREATE INDEX possible_matches_by_score ON possible_matches (score);

-- Possible matches that an editor put off. A pair returns to the queue when one of its two source records changes.
CREATE TABLE postponed_matches (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external_id TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external_id TEXT NOT NULL,
  a_digest INTEGER NOT NULL,          -- of the content of the source record then; 0 without content
  b_digest INTEGER NOT NULL,
  postponed_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, a_source, a_external_id, b_source, b_external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX postponed_matches_integrity ON postponed_matches (a_digest, b_digest, postponed_ts);

-- The number of candidates that were not compared with a source record, because there were too many.
CREATE TABLE uncompared_counts (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX uncompared_counts_by_count ON uncompared_counts (count);

-- ------------------------------------------------------------------------------------------------ people's corrections

-- Records that an editor hid, deleted or forgot. Their rows are gone from the tables of their kind, so that no list,
-- search or export contains them. Their source records stay, so that a restore can rebuild them.
CREATE TABLE removed_records (
  record_id INTEGER PRIMARY KEY REFERENCES records (id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,                -- 'hidden', 'deleted' or 'forgotten'
  slug TEXT NOT NULL,
  name TEXT NOT NULL,                 -- '' if forgotten
  saved TEXT,                         -- JSON: what a restore needs of a record without source records
  reason TEXT,
  removed_by TEXT NOT NULL,           -- as audit_log.actor; 'source:NAME': no source lists it, which a listing ends
  removed_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_records_by_time ON removed_records (removed_ts);
CREATE INDEX removed_records_integrity ON removed_records (kind, state, slug, name, saved, reason, removed_by);

-- The block list: identities of removed records at their sources. It outlives the source and its records.
CREATE TABLE blocked_source_records (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,               -- name of the source
  external_id TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX blocked_source_records_by_record ON blocked_source_records (record_id);

-- The records that name a removed record in a source. They are recomputed when it is restored.
CREATE TABLE removed_references (
  removed_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  PRIMARY KEY (removed_id, record_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX removed_references_by_record ON removed_references (record_id);

-- Names and ids of forgotten people, as keyed digests: imports do not bring them back.
CREATE TABLE forgotten_names (
  digest TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX forgotten_names_integrity ON forgotten_names (kind, record_id, created_ts);

-- Fields that an editor set. They stand above every source until they are reset. A record is identified as in
-- match_decisions; `record_id` is the record that has this identity now.
CREATE TABLE edits (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  field TEXT NOT NULL,                -- a field of the feed format, or 'aliases-', 'links-': entries taken away
  record_id INTEGER NOT NULL,
  value TEXT NOT NULL,                -- JSON
  edited_by TEXT NOT NULL,
  edited_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, source, external_id, field)
) WITHOUT ROWID, STRICT;
CREATE INDEX edits_by_record ON edits (record_id, field);
CREATE INDEX edits_integrity ON edits (value, edited_by, edited_ts);

-- The audit log: what people did in the terminal and in the console. Rows are never changed, except to mark an
-- action as undone.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  created_ts INTEGER NOT NULL,
  actor TEXT NOT NULL,                -- 'account:EMAIL' or 'terminal:USER'
  action TEXT NOT NULL,               -- 'record.hide', 'source.add', 'account.suspend' …
  subject_kind TEXT NOT NULL,         -- 'artist', 'source', 'account', 'setting' …
  subject TEXT NOT NULL,              -- slug, name or id, as shown
  record_id INTEGER,                  -- of a record: its history
  details TEXT NOT NULL,              -- JSON: before, after, reason and what an undo needs
  undone_by INTEGER                   -- id of the entry that undid this one
) STRICT;
CREATE INDEX audit_log_by_record ON audit_log (record_id, id);
CREATE INDEX audit_log_by_subject ON audit_log (subject_kind, subject, id);
CREATE INDEX audit_log_integrity ON audit_log (created_ts, actor, action, details, undone_by);

-- ------------------------------------------------------------------------------------------------ places and genres

CREATE TABLE cities (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  country TEXT NOT NULL,
  region TEXT, latitude REAL, longitude REAL, timezone TEXT, population INTEGER,
  aliases TEXT NOT NULL DEFAULT '[]',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX cities_by_name ON cities (folded, slug);
CREATE INDEX cities_by_country ON cities (country, folded, slug);
CREATE INDEX cities_by_update ON cities (updated_ts);

CREATE TABLE venues (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  city_id INTEGER REFERENCES cities (id),
  city TEXT, country TEXT, timezone TEXT,  -- city's name and time zone are copied here: events are read through venues
  address TEXT, postal_code TEXT, latitude REAL, longitude REAL, capacity INTEGER, website TEXT, image_url TEXT,
  closed_at TEXT,                     -- partial date: 2016, 2016-03 or 2016-03-12
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX venues_by_name ON venues (folded, slug);
CREATE INDEX venues_by_country ON venues (country, folded, slug);
CREATE INDEX venues_by_city ON venues (city_id);
CREATE INDEX venues_by_update ON venues (updated_ts);
CREATE INDEX venues_by_end ON venues (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX venues_by_position ON venues (latitude, longitude);

CREATE TABLE genres (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  parent_id INTEGER REFERENCES genres (id),
  description TEXT,
  aliases TEXT NOT NULL DEFAULT '[]',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX genres_by_name ON genres (folded, slug);
CREATE INDEX genres_by_parent ON genres (parent_id, folded, slug);
CREATE INDEX genres_by_update ON genres (updated_ts);

-- ------------------------------------------------------------------------------------------------ artists and labels

CREATE TABLE artists (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  country TEXT, image_url TEXT, real_name TEXT, biography TEXT,
  ended_at TEXT,                      -- partial date
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX artists_by_name ON artists (folded, slug);
CREATE INDEX artists_by_country ON artists (country, folded, slug);
CREATE INDEX artists_by_update ON artists (updated_ts);
CREATE INDEX artists_by_end ON artists (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE labels (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  parent_id INTEGER REFERENCES labels (id),
  country TEXT, founded_year INTEGER, description TEXT, website TEXT, image_url TEXT,
  closed_at TEXT,                     -- partial date
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX labels_by_name ON labels (folded, slug);
CREATE INDEX labels_by_country ON labels (country, folded, slug);
CREATE INDEX labels_by_parent ON labels (parent_id);
CREATE INDEX labels_by_update ON labels (updated_ts);
CREATE INDEX labels_by_end ON labels (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE label_artists (
  label_id INTEGER NOT NULL REFERENCES labels (id),
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  PRIMARY KEY (label_id, artist_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX label_artists_by_artist ON label_artists (artist_id, label_id);

-- ------------------------------------------------------------------------------------------------ festivals and events

CREATE TABLE festivals (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  city_id INTEGER REFERENCES cities (id),
  city TEXT, country TEXT, image_url TEXT, description TEXT, website TEXT,
  ended_at TEXT,                      -- partial date
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX festivals_by_name ON festivals (folded, slug);
CREATE INDEX festivals_by_country ON festivals (country, folded, slug);
CREATE INDEX festivals_by_city ON festivals (city_id);
CREATE INDEX festivals_by_update ON festivals (updated_ts);
CREATE INDEX festivals_by_end ON festivals (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE editions (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  festival_id INTEGER NOT NULL REFERENCES festivals (id),
  edition TEXT NOT NULL,
  name TEXT NOT NULL,
  start_ts INTEGER, ends_ts INTEGER,  -- null without a date
  sort_ts INTEGER NOT NULL,           -- start_ts, or the year that `edition` names
  start_at TEXT, end_at TEXT, timezone TEXT, status TEXT,
  venue_id INTEGER REFERENCES venues (id),
  venue_name TEXT,
  city_id INTEGER REFERENCES cities (id),
  city TEXT, country TEXT, description TEXT, image_url TEXT,
  updated_ts INTEGER NOT NULL,
  checksum INTEGER,
  UNIQUE (festival_id, edition)
) STRICT;
CREATE INDEX editions_by_date ON editions (festival_id, sort_ts DESC, id DESC);
CREATE INDEX editions_by_start ON editions (start_ts);
CREATE INDEX editions_by_end ON editions (ends_ts);
CREATE INDEX editions_by_venue ON editions (venue_id);
CREATE INDEX editions_by_city ON editions (city_id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  start_ts INTEGER NOT NULL,
  start_date INTEGER NOT NULL,        -- local
  ends_ts INTEGER NOT NULL,           -- when it is no longer upcoming
  country TEXT,
  city_folded TEXT,
  venue_id INTEGER REFERENCES venues (id),
  city_id INTEGER REFERENCES cities (id),
  item_json TEXT NOT NULL,            -- the list item as JSON; U+0001 is the placeholder of base_url
  name TEXT NOT NULL,
  start_at TEXT NOT NULL, end_at TEXT, timezone TEXT, status TEXT,
  venue_name TEXT,                    -- of a venue without a record
  city TEXT,
  edition_id INTEGER REFERENCES editions (id),
  description TEXT, image_url TEXT, minimum_age INTEGER,
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
-- The columns that filters of lists read: a row of the table is 20 times as long.
CREATE INDEX events_by_start ON events (start_ts, id, start_date, ends_ts, status, country, city_folded, venue_id, city_id, edition_id, updated_ts);
CREATE INDEX events_by_country ON events (country, start_ts, id, start_date);
CREATE INDEX events_by_city_text ON events (city_folded, start_ts, id, start_date);
CREATE INDEX events_by_venue ON events (venue_id, start_ts, id, start_date, ends_ts);
CREATE INDEX events_by_city ON events (city_id, start_ts, id, start_date, ends_ts);
CREATE INDEX events_by_end ON events (ends_ts);
CREATE INDEX events_by_venue_text ON events (venue_name) WHERE venue_id IS NULL AND venue_name IS NOT NULL;
CREATE INDEX events_by_edition ON events (edition_id);
CREATE INDEX events_by_status ON events (status, start_ts, id, start_date, ends_ts) WHERE status <> 'scheduled';
CREATE INDEX events_by_update ON events (updated_ts / 86400000, start_ts, id, start_date, ends_ts, updated_ts);
CREATE INDEX events_by_update_time ON events (updated_ts, start_ts, id, start_date, ends_ts);

-- The JSON members that the detail of an event adds to its list item, except updated_at. They are rendered when
-- the event is written and stored without the braces.
CREATE TABLE event_details (
  event_id INTEGER PRIMARY KEY REFERENCES events (id),
  detail_json TEXT NOT NULL,
  checksum INTEGER
) STRICT;

-- The line-up of an event or edition. An artist may appear twice.
CREATE TABLE lineups (
  record_id INTEGER NOT NULL REFERENCES records (id),
  position INTEGER NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  billing TEXT, stage TEXT, set_start_at TEXT, set_end_at TEXT,
  set_position INTEGER,               -- of the first artist of the same set (b2b); null: the artist plays alone
  checksum INTEGER,
  PRIMARY KEY (record_id, position)
) WITHOUT ROWID, STRICT;
CREATE INDEX lineups_by_artist ON lineups (artist_id, record_id);

CREATE TABLE tickets (
  record_id INTEGER NOT NULL REFERENCES records (id),
  seller TEXT NOT NULL,
  url TEXT NOT NULL,
  price_min REAL, price_max REAL, currency TEXT, availability TEXT,
  updated_ts INTEGER,
  checksum INTEGER,
  PRIMARY KEY (record_id, seller, url)
) WITHOUT ROWID, STRICT;

-- Events by artist, in the order of the artist's event list.
CREATE TABLE event_artists (
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  start_ts INTEGER NOT NULL,
  event_id INTEGER NOT NULL REFERENCES events (id),
  start_date INTEGER NOT NULL,
  ends_ts INTEGER NOT NULL,
  PRIMARY KEY (artist_id, start_ts, event_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX event_artists_by_event ON event_artists (event_id);

-- Events by genre. `is_direct` is 1 if a source or an editor states the genre, 2 if it is derived from the line-up,
-- 0 if the event has it only through a descendant genre.
CREATE TABLE event_genres (
  genre_id INTEGER NOT NULL REFERENCES genres (id),
  start_ts INTEGER NOT NULL,
  event_id INTEGER NOT NULL REFERENCES events (id),
  start_date INTEGER NOT NULL,
  ends_ts INTEGER NOT NULL,
  is_direct INTEGER NOT NULL,
  PRIMARY KEY (genre_id, start_ts, event_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX event_genres_by_event ON event_genres (event_id, is_direct);

-- Where events are: at the position of their venue, or of their city if the venue has none. `cell` and `region` are
-- cells of two grids (store/areas.ts). Each index holds all columns: filters by area read nothing else.
CREATE TABLE event_places (
  event_id INTEGER PRIMARY KEY REFERENCES events (id),
  cell INTEGER NOT NULL,
  region INTEGER NOT NULL,
  start_ts INTEGER NOT NULL,
  start_date INTEGER NOT NULL,
  ends_ts INTEGER NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  status INTEGER,                     -- position in eventStatuses (contract/fields.ts)
  has_tickets INTEGER NOT NULL,
  country TEXT
) STRICT;
CREATE INDEX event_places_by_cell ON event_places (cell, start_ts, event_id, start_date, ends_ts, latitude, longitude, status, has_tickets, country);
CREATE INDEX event_places_by_region ON event_places (region, start_ts, event_id, start_date, ends_ts, latitude, longitude, status, has_tickets, country, cell);

-- Events with tickets.
CREATE TABLE event_sales (
  event_id INTEGER PRIMARY KEY REFERENCES events (id),
  start_ts INTEGER NOT NULL,
  start_date INTEGER NOT NULL,
  ends_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX event_sales_by_start ON event_sales (start_ts, event_id, start_date, ends_ts);

CREATE TABLE artist_genres (
  genre_id INTEGER NOT NULL REFERENCES genres (id),
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  is_direct INTEGER NOT NULL,
  PRIMARY KEY (genre_id, artist_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX artist_genres_by_artist ON artist_genres (artist_id, is_direct);

CREATE TABLE festival_genres (
  festival_id INTEGER NOT NULL REFERENCES festivals (id),
  genre_id INTEGER NOT NULL REFERENCES genres (id),
  PRIMARY KEY (festival_id, genre_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX festival_genres_by_genre ON festival_genres (genre_id);

-- ------------------------------------------------------------------------------------------------ podcasts

CREATE TABLE podcasts (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  publisher TEXT, description TEXT, website TEXT, feed_url TEXT, image_url TEXT,
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX podcasts_by_name ON podcasts (folded, slug);
CREATE INDEX podcasts_by_update ON podcasts (updated_ts);

CREATE TABLE episodes (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  podcast_id INTEGER NOT NULL REFERENCES podcasts (id),
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  number INTEGER,
  published_ts INTEGER NOT NULL,      -- without a date: far in the past, which sorts the episode last
  published_at TEXT,
  duration_seconds INTEGER, description TEXT, audio_url TEXT, image_url TEXT,
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX episodes_by_name ON episodes (podcast_id, folded);
CREATE INDEX episodes_by_date ON episodes (podcast_id, published_ts DESC, id DESC);

CREATE TABLE episode_artists (
  episode_id INTEGER NOT NULL REFERENCES episodes (id),
  position INTEGER NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  PRIMARY KEY (episode_id, position)
) WITHOUT ROWID, STRICT;
CREATE INDEX episode_artists_by_artist ON episode_artists (artist_id);

CREATE TABLE tracks (
  episode_id INTEGER NOT NULL REFERENCES episodes (id),
  position INTEGER NOT NULL,
  start_seconds REAL, artist_name TEXT, title TEXT, label_name TEXT,
  label_id INTEGER REFERENCES labels (id),
  identified INTEGER NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (episode_id, position)
) WITHOUT ROWID, STRICT;
CREATE INDEX tracks_by_label ON tracks (label_id);

CREATE TABLE track_artists (
  episode_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  PRIMARY KEY (episode_id, position, ordinal),
  FOREIGN KEY (episode_id, position) REFERENCES tracks (episode_id, position) ON DELETE CASCADE
) WITHOUT ROWID, STRICT;
CREATE INDEX track_artists_by_artist ON track_artists (artist_id);

-- ------------------------------------------------------------------------------------------------ access

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,                -- acc_…
  email TEXT NOT NULL UNIQUE,         -- folded to lower case
  plan TEXT NOT NULL,
  password_hash TEXT,                 -- argon2id; null: sign-in is disabled
  window_limit INTEGER,               -- overrides the plan's limit (serve --dev); null: the plan's
  quota_limit INTEGER,
  created_ts INTEGER NOT NULL,
  role TEXT NOT NULL DEFAULT 'user',  -- 'user', 'editor' or 'operator'
  suspended_ts INTEGER,               -- not null: every credential of the account is refused
  verified_ts INTEGER                 -- when its owner proved to receive mail at the address
) STRICT;
CREATE INDEX accounts_integrity ON accounts (plan, password_hash, window_limit, quota_limit, created_ts, suspended_ts, verified_ts);
CREATE INDEX accounts_by_role ON accounts (role, id);

-- Limits of the plans that an operator set. The row with the latest `effective_ts` that has passed applies; without
-- one, the limits of contract/plans.ts.
CREATE TABLE plan_limits (
  plan TEXT NOT NULL,
  effective_ts INTEGER NOT NULL,
  window_limit INTEGER NOT NULL,
  quota_limit INTEGER NOT NULL,
  note TEXT NOT NULL DEFAULT '',      -- the changelog entry of a reduction
  created_ts INTEGER NOT NULL,        -- when it was announced
  PRIMARY KEY (plan, effective_ts)
) STRICT;
CREATE INDEX plan_limits_integrity ON plan_limits (window_limit, quota_limit, note, created_ts);

-- Links that work once: to reset a password, to become the first operator, to confirm an address.
CREATE TABLE one_time_links (
  token_hash TEXT PRIMARY KEY,        -- SHA-256
  purpose TEXT NOT NULL,              -- 'reset', 'operator', 'verify', or 'challenge': used by a passkey
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  payload TEXT,
  created_ts INTEGER NOT NULL,
  expires_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX one_time_links_by_account ON one_time_links (account_id, purpose);
CREATE INDEX one_time_links_integrity ON one_time_links (expires_ts, created_ts, payload);

-- Accounts at an OpenID provider that sign in to an account here.
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

-- Passkeys (WebAuthn credentials).
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,                -- credential id, base64url
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,           -- COSE key, base64url
  sign_count INTEGER NOT NULL,
  transports TEXT NOT NULL,           -- JSON array
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER
) STRICT;
CREATE INDEX passkeys_by_account ON passkeys (account_id, created_ts);
CREATE INDEX passkeys_integrity ON passkeys (name, public_key, transports);

-- One-time passwords by time (RFC 6238), and the codes that replace a lost device.
CREATE TABLE totp_secrets (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,               -- encrypted with the key of this file
  confirmed_ts INTEGER,               -- null: not in use yet
  last_step INTEGER NOT NULL DEFAULT 0, -- a code is accepted once
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

-- Accounts that wait for the operator's approval (serve --registration approval).
CREATE TABLE pending_accounts (
  email TEXT PRIMARY KEY,             -- folded to lower case
  password_hash TEXT NOT NULL,        -- argon2id
  address TEXT NOT NULL,              -- IP address of the request
  region TEXT NOT NULL,               -- its /48 (IPv6) or /24 (IPv4)
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX pending_accounts_by_time ON pending_accounts (created_ts);
CREATE INDEX pending_accounts_integrity ON pending_accounts (password_hash, address, region);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,                -- key_…
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  public_id TEXT NOT NULL UNIQUE,     -- the six characters after cb_live_
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,          -- argon2id
  last_four TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER,
  revoked_ts INTEGER,
  expires_ts INTEGER,                 -- refused from then on; null: never
  scope TEXT NOT NULL DEFAULT 'all'   -- 'rest', 'agents' or 'all'
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_ts);
CREATE INDEX api_keys_integrity ON api_keys (name, secret_hash, last_four, revoked_ts, expires_ts, scope);

-- The current or last rate-limit window of each credential.
CREATE TABLE rate_windows (
  credential_id TEXT PRIMARY KEY,
  started_ts INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT;

-- Requests of an account by month ('yyyy-mm', UTC), counted against its monthly quota.
CREATE TABLE usage_months (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT;

-- The same by day ('yyyy-mm-dd', UTC) and channel ('rest', 'mcp'), for reports.
CREATE TABLE usage_days (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  channel TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, channel)
) STRICT;

-- Browser sessions. The file holds only the SHA-256 of the cookie.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,                -- ses_…: the owner ends the session by it
  token_hash TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id, last_used_ts);
CREATE INDEX sessions_integrity ON sessions (address, user_agent, created_ts);

-- Failed and pending attempts per subject: an account, an address, or both together.
CREATE TABLE attempts (
  subject TEXT PRIMARY KEY,           -- a digest
  failed INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  next_allowed_ts INTEGER NOT NULL    -- earlier attempts are refused; for a paced limit: attempts expire then
) STRICT;
CREATE INDEX attempts_by_time ON attempts (last_ts);

-- Requests of deleted accounts in the month, by a keyed digest of email and month. The secret key is in this
-- file. An account that is created again in the same month continues with the old count.
CREATE TABLE retained_usage (
  digest TEXT PRIMARY KEY,
  month TEXT NOT NULL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX retained_usage_integrity ON retained_usage (month, used);

-- OAuth clients that registered dynamically. Clients identified by a metadata document at their own URL are not
-- stored.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  metadata TEXT NOT NULL,             -- JSON (RFC 7591, section 2); a secret only as its SHA-256
  origin TEXT NOT NULL,               -- digest of the network of the request
  region TEXT NOT NULL,               -- digest of the wider network around it
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER                -- when a user last authorized it; null: never
) STRICT;
CREATE INDEX oauth_clients_by_time ON oauth_clients (created_ts);
CREATE INDEX oauth_clients_unused ON oauth_clients (region, created_ts, id) WHERE last_used_ts IS NULL;
CREATE INDEX oauth_clients_integrity ON oauth_clients (metadata, origin, region, last_used_ts);

-- The access that an account granted to an app: one row per authorization.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,                -- app_…
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  name TEXT NOT NULL,
  uri TEXT,
  host TEXT,
  verified INTEGER NOT NULL,          -- 1: the host confirms the name
  scopes TEXT NOT NULL,               -- separated by spaces
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, created_ts);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_integrity ON oauth_grants (payload, name, uri, host, verified, scopes);

-- Authorization codes, tokens and pending authorization requests.
CREATE TABLE oauth_items (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,                   -- SHA-256 of the presented value
  grant_id TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  expires_ts INTEGER NOT NULL,
  consumed_ts INTEGER,
  origin TEXT,                        -- pending requests: digest of the network of the request
  region TEXT,                        -- digest of the wider network around it
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX oauth_items_by_grant ON oauth_items (grant_id, kind);
CREATE INDEX oauth_items_by_end ON oauth_items (expires_ts);
CREATE INDEX oauth_items_by_origin ON oauth_items (origin, expires_ts) WHERE origin IS NOT NULL;
CREATE INDEX oauth_items_by_region ON oauth_items (region, expires_ts) WHERE region IS NOT NULL;
CREATE INDEX oauth_items_pending ON oauth_items (expires_ts) WHERE origin IS NOT NULL;
CREATE INDEX oauth_items_integrity ON oauth_items (payload, consumed_ts, origin, region);
