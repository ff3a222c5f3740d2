-- The whole data file of cratebase. Two halves that never reference each other: the catalogue (what the music is) and
-- access (who may read it), so that either can move to another place without the other.
--
-- Times that order or bound things are integers: milliseconds since 1970 (…_ts) or calendar dates as yyyymmdd
-- (…_date). Texts that bodies show are kept as they are shown. JSON columns are read whole, never searched.
--
-- `checksum` lets `verify` see damage to what stands here once (store/integrity/checksums.ts). In small tables an index (…_whole)
-- repeats that, and SQLite's own check compares the two.

-- ------------------------------------------------------------------------------------------------ the file itself

CREATE TABLE settings (
  key TEXT PRIMARY KEY,               -- cursor_key (secret), created_at, sample_start …
  value TEXT NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX settings_whole ON settings (value);

-- One row. `currentRevision` rises with every committed batch that changed the catalogue: readers, caches and ETags go by it.
CREATE TABLE catalogue (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL DEFAULT 0,
  longest_ms INTEGER NOT NULL DEFAULT 0, -- the longest time from any event's start to when it is over
  last_synced_ts INTEGER
) STRICT;
INSERT INTO catalogue (id) VALUES (1);

-- ------------------------------------------------------------------------------------------------ records and names

-- Every record of whatever kind; ids are never reused and rise in the order of creation.
CREATE TABLE records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  revision INTEGER NOT NULL,          -- when it last changed
  created_revision INTEGER NOT NULL DEFAULT 0 -- of the batch that made it; 0 where that was before it was noted
) STRICT;
CREATE INDEX records_by_revision ON records (revision);
CREATE INDEX records_by_kind ON records (kind, id, created_revision);

-- What became of records after they were made, kept for good: a row of each sort for a record and batch. Made itself is
-- `records.created_revision`.
CREATE TABLE changes (
  revision INTEGER NOT NULL,          -- of the batch
  record_id INTEGER NOT NULL REFERENCES records (id),
  what TEXT NOT NULL,                 -- 'updated', 'cancelled', 'withdrawn' or 'merged'
  fields TEXT,                        -- 'updated': names of the fields, a JSON array
  slug TEXT,                          -- 'merged': the record's own until then
  into_id INTEGER REFERENCES records (id), -- 'merged': the record that took it in
  checksum INTEGER,
  PRIMARY KEY (revision, record_id, what)
) WITHOUT ROWID, STRICT;
CREATE INDEX changes_by_record ON changes (record_id, revision);
CREATE INDEX changes_by_into ON changes (into_id) WHERE into_id IS NOT NULL;

-- Every slug that ever named a record, the present one included: old ones go on answering.
CREATE TABLE slugs (
  kind TEXT NOT NULL,
  slug TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  PRIMARY KEY (kind, slug)
) WITHOUT ROWID, STRICT;
CREATE INDEX slugs_by_record ON slugs (record_id);

-- Names and aliases. Of searchable kinds the row id puts the more prominent (events: the later) in order, so that
-- "the first 50 of a full-text match" are the best 50 without sorting the match.
CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  name TEXT NOT NULL,
  is_alias INTEGER NOT NULL,
  folded TEXT NOT NULL,               -- as lists compare names
  words TEXT NOT NULL,                -- as search compares them: punctuation dropped as well
  terms TEXT NOT NULL,                -- what the full-text index holds; empty where the kind is not searched
  checksum INTEGER
) STRICT;
CREATE INDEX names_by_folded ON names (kind, folded, record_id);
CREATE INDEX names_by_words ON names (words, is_alias) WHERE terms <> '';
CREATE INDEX names_by_record ON names (record_id);

CREATE VIRTUAL TABLE name_search USING fts5 (
  terms, content = 'names', content_rowid = 'id', prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE search_terms USING fts5vocab (name_search, 'row');

-- Records to be worked out again from their statements, since something they are shown with changed.
CREATE TABLE stale_records (
  record_id INTEGER PRIMARY KEY REFERENCES records (id)
) STRICT;

-- Records whose place in `names` waits to be worked out again (their prominence changed).
CREATE TABLE stale_names (
  record_id INTEGER PRIMARY KEY REFERENCES records (id)
) STRICT;

-- The place in its lists that a record had before it moved, so that a walk begun earlier meets it exactly once.
CREATE TABLE moves (
  kind TEXT NOT NULL,
  revision INTEGER NOT NULL,          -- of the batch that moved it
  record_id INTEGER NOT NULL REFERENCES records (id),
  old_key TEXT NOT NULL,              -- JSON array: the sort key before
  checksum INTEGER,
  PRIMARY KEY (kind, revision, record_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX moves_by_record ON moves (record_id);

-- A line-up, ticket list or tracklist as it was before a batch changed it, for the walks that began before: its entries
-- have no place of their own to come back to.
CREATE TABLE former_lists (
  record_id INTEGER NOT NULL REFERENCES records (id),
  list TEXT NOT NULL,                 -- 'lineup', 'tickets' or 'tracks'
  revision INTEGER NOT NULL,          -- of the batch that changed it
  entries TEXT NOT NULL,              -- JSON array of [entry as JSON text, ...sort key]
  checksum INTEGER,
  PRIMARY KEY (record_id, list, revision)
) STRICT;
CREATE INDEX former_lists_by_revision ON former_lists (revision);

-- ------------------------------------------------------------------------------------------------ sources

CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  trust INTEGER NOT NULL,
  clock TEXT NOT NULL,                -- 'instant', or 'local': its times written with Z are local clock times
  runs INTEGER NOT NULL DEFAULT 0,
  last_run_ts INTEGER,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX sources_whole ON sources (type, trust, clock, runs, last_run_ts, created_ts);

-- Where a source is read from, and when (`sources add`). A source without a row here is imported by hand alone.
CREATE TABLE schedules (
  source_id INTEGER PRIMARY KEY REFERENCES sources (id),
  url TEXT NOT NULL,                  -- an address or a path; may hold a key, and is never shown whole
  every_ms INTEGER NOT NULL,
  complete INTEGER NOT NULL,          -- what it lists no longer is withdrawn
  options TEXT NOT NULL,              -- JSON object of what its adapter may be told
  next_ts INTEGER NOT NULL,           -- when it is due
  ok_ts INTEGER,                      -- when it was last read without a failure
  failures INTEGER NOT NULL DEFAULT 0, -- since then
  error TEXT,                         -- the last of them
  report TEXT                         -- what the last run did, as JSON
) STRICT;
CREATE INDEX schedules_by_next ON schedules (next_ts);
CREATE INDEX schedules_whole ON schedules (url, every_ms, complete, options, next_ts, ok_ts, failures, error, report);

-- What the last finished run of a source found where, so that the next asks only for what changed.
CREATE TABLE source_pages (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  page TEXT NOT NULL,
  etag TEXT, last_modified TEXT,
  PRIMARY KEY (source_id, page)
) WITHOUT ROWID, STRICT;
CREATE INDEX source_pages_whole ON source_pages (etag, last_modified);

-- Whose turn it is to write the catalogue: one process at a time, for as long as it says that it goes on.
CREATE TABLE turns (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  what TEXT NOT NULL,                 -- what is being done, for whoever waits
  until_ts INTEGER NOT NULL
) STRICT;

-- (source, kind, external id) always lands on the same record. `statement` is what the source last said, as JSON;
-- null where the source has only named the record so far.
CREATE TABLE provider_records (
  source_id INTEGER NOT NULL REFERENCES sources (id),
  kind TEXT NOT NULL,
  external_id TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  statement TEXT,
  stated_ts INTEGER NOT NULL,
  run INTEGER NOT NULL,               -- the source's run that saw it last
  withdrawn_ts INTEGER,
  checksum INTEGER,
  UNIQUE (source_id, kind, external_id) -- with row ids: statements are long, and would make a key's tree sparse
) STRICT;
CREATE INDEX provider_records_by_record ON provider_records (record_id);

-- ------------------------------------------------------------------------------------------------ matching

-- Where listings and houses are looked for that may be one with another: `key` is a hash of a word or address and the
-- day (match/keys.ts), `tag` the source and a hash of the city. What was filed lately is in `match_keys_new`, a tree so
-- small that it stays in memory; from there keys go over, neighbours together (store/resolution/blocking-keys.ts).
CREATE TABLE match_keys (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;
CREATE TABLE match_keys_new (
  key INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  tag INTEGER NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (key, record_id, tag)
) WITHOUT ROWID, STRICT;

-- Ids of records at services, to find them by.
CREATE TABLE external_keys (
  kind TEXT NOT NULL,
  service TEXT NOT NULL,
  value TEXT NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records (id),
  checksum INTEGER,
  PRIMARY KEY (kind, service, value, record_id)
) WITHOUT ROWID, STRICT;

-- What an operator decided of two: of records by what sources call them ("source", external id), of records known by
-- name alone by their slug ("", slug). Of a merge `a` is the one that stays; other pairs stand in the order of their
-- texts. By names, not by ids of this file: decisions outlive every sync, and a source that is removed and comes again.
CREATE TABLE match_decisions (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external TEXT NOT NULL,
  verdict TEXT NOT NULL,              -- 'same' or 'different'
  decided_ts INTEGER NOT NULL,
  PRIMARY KEY (kind, a_source, a_external, b_source, b_external)
) WITHOUT ROWID, STRICT;
CREATE INDEX match_decisions_by_second ON match_decisions (kind, b_source, b_external);
CREATE INDEX match_decisions_whole ON match_decisions (verdict, decided_ts);

-- Names that a record took over from others that went into it and that no source states: a correction keeps them.
-- `place` is where the name was meant (a venue's city by its slug, a city's country; else ''), `slugColumn` that of the record an
-- operator merged, which a split brings back; '' where matching did it.
CREATE TABLE given_names (
  record_id INTEGER NOT NULL REFERENCES records (id),
  name TEXT NOT NULL,
  place TEXT NOT NULL DEFAULT '',
  slug TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (record_id, name, place)
) WITHOUT ROWID, STRICT;
CREATE INDEX given_names_whole ON given_names (slug);

-- Pairs that may be one and were kept apart.
CREATE TABLE match_doubts (
  kind TEXT NOT NULL,
  a_source TEXT NOT NULL, a_external TEXT NOT NULL,
  b_source TEXT NOT NULL, b_external TEXT NOT NULL,
  score REAL NOT NULL,
  rule TEXT NOT NULL,
  reasons TEXT NOT NULL,              -- JSON: [{evidence, weight, text}]
  checksum INTEGER,
  PRIMARY KEY (kind, a_source, a_external, b_source, b_external)
) WITHOUT ROWID, STRICT;
CREATE INDEX match_doubts_by_second ON match_doubts (kind, b_source, b_external);
CREATE INDEX match_doubts_by_score ON match_doubts (score);

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

CREATE TABLE venues (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  city_id INTEGER REFERENCES cities (id),
  city TEXT, country TEXT, timezone TEXT,  -- city's name and zone stand here too: events are read through venues
  address TEXT, postal_code TEXT, latitude REAL, longitude REAL, capacity INTEGER, website TEXT, image_url TEXT,
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX venues_by_name ON venues (folded, slug);
CREATE INDEX venues_by_country ON venues (country, folded, slug);
CREATE INDEX venues_by_city ON venues (city_id);

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

-- ------------------------------------------------------------------------------------------------ artists and labels

CREATE TABLE artists (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  country TEXT, image_url TEXT, real_name TEXT, biography TEXT,
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX artists_by_name ON artists (folded, slug);
CREATE INDEX artists_by_country ON artists (country, folded, slug);

CREATE TABLE labels (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  parent_id INTEGER REFERENCES labels (id),
  country TEXT, founded_year INTEGER, description TEXT, website TEXT, image_url TEXT,
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX labels_by_name ON labels (folded, slug);
CREATE INDEX labels_by_country ON labels (country, folded, slug);
CREATE INDEX labels_by_parent ON labels (parent_id);

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
  aliases TEXT NOT NULL DEFAULT '[]',
  links TEXT NOT NULL DEFAULT '[]',
  external_ids TEXT NOT NULL DEFAULT '{}',
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX festivals_by_name ON festivals (folded, slug);
CREATE INDEX festivals_by_country ON festivals (country, folded, slug);
CREATE INDEX festivals_by_city ON festivals (city_id);

CREATE TABLE editions (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  festival_id INTEGER NOT NULL REFERENCES festivals (id),
  edition TEXT NOT NULL,
  name TEXT NOT NULL,
  start_ts INTEGER, over_ts INTEGER,  -- null where no date is known
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
CREATE INDEX editions_by_over ON editions (over_ts);
CREATE INDEX editions_by_venue ON editions (venue_id);
CREATE INDEX editions_by_city ON editions (city_id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  start_ts INTEGER NOT NULL,
  start_date INTEGER NOT NULL,        -- local
  over_ts INTEGER NOT NULL,           -- when it stops being upcoming
  country TEXT,
  city_folded TEXT,
  venue_id INTEGER REFERENCES venues (id),
  city_id INTEGER REFERENCES cities (id),
  item TEXT NOT NULL,                 -- the list item as JSON; U+0001 stands where base_url goes
  name TEXT NOT NULL,
  start_at TEXT NOT NULL, end_at TEXT, timezone TEXT, status TEXT,
  venue_name TEXT,                    -- of a venue that is not on record
  city TEXT,
  edition_id INTEGER REFERENCES editions (id),
  description TEXT, image_url TEXT, minimum_age INTEGER,
  updated_ts INTEGER NOT NULL,
  checksum INTEGER
) STRICT;
CREATE INDEX events_by_start ON events (start_ts, id);
CREATE INDEX events_by_country ON events (country, start_ts, id, start_date);
CREATE INDEX events_by_city_text ON events (city_folded, start_ts, id, start_date);
CREATE INDEX events_by_venue ON events (venue_id, start_ts, id, start_date, over_ts);
CREATE INDEX events_by_city ON events (city_id, start_ts, id, start_date, over_ts);
CREATE INDEX events_by_over ON events (over_ts);
CREATE INDEX events_by_edition ON events (edition_id);

-- The members that an event's detail adds to its list item, but updated_at: rendered when it is written, as JSON text
-- without its braces.
CREATE TABLE event_details (
  event_id INTEGER PRIMARY KEY REFERENCES events (id),
  rest TEXT NOT NULL,
  checksum INTEGER
) STRICT;

-- Who plays at an event or edition; an artist may play twice.
CREATE TABLE lineups (
  record_id INTEGER NOT NULL REFERENCES records (id),
  position INTEGER NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  billing TEXT, stage TEXT, set_start_at TEXT, set_end_at TEXT,
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

-- The ways to an event that lists take, each in the order of its list.
CREATE TABLE event_artists (
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  start_ts INTEGER NOT NULL,
  event_id INTEGER NOT NULL REFERENCES events (id),
  start_date INTEGER NOT NULL,
  over_ts INTEGER NOT NULL,
  PRIMARY KEY (artist_id, start_ts, event_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX event_artists_by_event ON event_artists (event_id);

-- `direct` = 0 where the event has the genre only through one below it.
CREATE TABLE event_genres (
  genre_id INTEGER NOT NULL REFERENCES genres (id),
  start_ts INTEGER NOT NULL,
  event_id INTEGER NOT NULL REFERENCES events (id),
  start_date INTEGER NOT NULL,
  over_ts INTEGER NOT NULL,
  direct INTEGER NOT NULL,
  PRIMARY KEY (genre_id, start_ts, event_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX event_genres_by_event ON event_genres (event_id, direct);

CREATE TABLE artist_genres (
  genre_id INTEGER NOT NULL REFERENCES genres (id),
  artist_id INTEGER NOT NULL REFERENCES artists (id),
  direct INTEGER NOT NULL,
  PRIMARY KEY (genre_id, artist_id)
) WITHOUT ROWID, STRICT;
CREATE INDEX artist_genres_by_artist ON artist_genres (artist_id, direct);

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

CREATE TABLE episodes (
  id INTEGER PRIMARY KEY REFERENCES records (id),
  slug TEXT NOT NULL UNIQUE,
  podcast_id INTEGER NOT NULL REFERENCES podcasts (id),
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  number INTEGER,
  published_ts INTEGER NOT NULL,      -- where there is no date: far in the past, so that it comes last
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
  password_hash TEXT,                 -- argon2id; null: cannot sign in
  window_limit INTEGER,               -- own limits (serve --dev); null: the plan's
  quota_limit INTEGER,
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_whole ON accounts (plan, password_hash, window_limit, quota_limit, created_ts);

-- Accounts that people asked for and the operator has not admitted yet (serve --registration approval).
CREATE TABLE pending_accounts (
  email TEXT PRIMARY KEY,             -- folded to lower case
  password_hash TEXT NOT NULL,        -- argon2id
  address TEXT NOT NULL,              -- that the request came from
  region TEXT NOT NULL,               -- its /48 (IPv6) or /24 (IPv4)
  created_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX pending_accounts_by_time ON pending_accounts (created_ts);
CREATE INDEX pending_accounts_whole ON pending_accounts (password_hash, address, region);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,                -- key_…
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  public_id TEXT NOT NULL UNIQUE,     -- the six characters after cb_live_
  name TEXT NOT NULL,
  secret_hash TEXT NOT NULL,          -- argon2id
  last_four TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER,
  revoked_ts INTEGER
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_ts);
CREATE INDEX api_keys_whole ON api_keys (name, secret_hash, last_four, revoked_ts);

-- The window of a credential that is open, or was last.
CREATE TABLE rate_windows (
  credential_id TEXT PRIMARY KEY,
  opened_ts INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT;

-- What an account used of its monthly quota; month as 'yyyy-mm', UTC.
CREATE TABLE usage_months (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  month TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT;

-- The same by day ('yyyy-mm-dd', UTC) and door ('rest', 'mcp'), for the people who look at it.
CREATE TABLE usage_days (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  door TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, door)
) STRICT;

-- Who is signed in, in which browser. Of the cookie the file holds a SHA-256 only.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,                -- ses_…: by it its owner ends it
  token_hash TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_ts INTEGER NOT NULL,
  used_ts INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id, used_ts);
CREATE INDEX sessions_whole ON sessions (address, user_agent, created_ts);

-- Tries that failed, or may yet, by what they are counted for: an account, an address, both together.
CREATE TABLE attempts (
  subject TEXT PRIMARY KEY,           -- a digest
  failed INTEGER NOT NULL,
  last_ts INTEGER NOT NULL,
  free_ts INTEGER NOT NULL            -- none is heard before; of a paced limit: none counts any more
) STRICT;
CREATE INDEX attempts_by_time ON attempts (last_ts);

-- What deleted accounts used of their month, by a digest of email and month that only this file can make: an account
-- made anew in the same month goes on where the old one ended.
CREATE TABLE former_usage (
  digest TEXT PRIMARY KEY,
  month TEXT NOT NULL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX former_usage_whole ON former_usage (month, used);

-- Apps that registered themselves; those known by a document at their own address are not kept.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  metadata TEXT NOT NULL,             -- JSON (RFC 7591, 2); of a secret its SHA-256 only
  origin TEXT NOT NULL,               -- digest of the network that it came from
  region TEXT NOT NULL,               -- the same of the wider network around it
  created_ts INTEGER NOT NULL,
  used_ts INTEGER                     -- when somebody last let it in; null: nobody did
) STRICT;
CREATE INDEX oauth_clients_by_time ON oauth_clients (created_ts);
CREATE INDEX oauth_clients_unused ON oauth_clients (region, created_ts, id) WHERE used_ts IS NULL;
CREATE INDEX oauth_clients_whole ON oauth_clients (metadata, origin, region, used_ts);

-- What an account lets an app do: one row for each time that somebody allowed it.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,                -- app_…
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  name TEXT NOT NULL,
  uri TEXT,
  host TEXT,
  verified INTEGER NOT NULL,          -- its host vouches for its name
  scopes TEXT NOT NULL,               -- with spaces between
  created_ts INTEGER NOT NULL,
  last_used_ts INTEGER
) STRICT;
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, created_ts);
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_whole ON oauth_grants (payload, name, uri, host, verified, scopes);

-- Codes, tokens and requests under way.
CREATE TABLE oauth_items (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,                   -- SHA-256 of what is presented
  grant_id TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  expires_ts INTEGER NOT NULL,
  consumed_ts INTEGER,
  origin TEXT,                        -- of a request under way: digest of the network that it came from
  region TEXT,                        -- the same of the wider network around it
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX oauth_items_by_grant ON oauth_items (grant_id, kind);
CREATE INDEX oauth_items_by_end ON oauth_items (expires_ts);
CREATE INDEX oauth_items_by_origin ON oauth_items (origin, expires_ts) WHERE origin IS NOT NULL;
CREATE INDEX oauth_items_by_region ON oauth_items (region, expires_ts) WHERE region IS NOT NULL;
CREATE INDEX oauth_items_pending ON oauth_items (expires_ts) WHERE origin IS NOT NULL;
CREATE INDEX oauth_items_whole ON oauth_items (payload, consumed_ts, origin, region);
