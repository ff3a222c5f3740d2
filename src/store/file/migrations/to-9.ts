/** The steps from schema 8 to schema 9, in order. Each entry is SQL. Released entries must not change: files have run them. */
export const schema9: readonly string[] = [
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

/** Tables and indexes of the filters by place, tickets, status and time (docs/decisions/31-near.md). */
function filtersOfLists(): string[] {
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
