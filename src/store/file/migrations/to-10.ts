/** The steps from schema 9 to schema 10, in order. Each entry is SQL. Released entries must not change: files have run them. */
export const schema10: readonly string[] = [
  'CREATE INDEX events_by_venue_text ON events (venue_name) WHERE venue_id IS NULL AND venue_name IS NOT NULL',
  // Filters of lists read the columns of an index, not the long rows (docs/decisions/39-pairs-of-filters.md).
  `DROP INDEX IF EXISTS events_by_start;
CREATE INDEX events_by_start ON events (start_ts, id, start_date, ends_ts, status, country, city_folded, venue_id, city_id, edition_id, updated_ts)`,
  `CREATE INDEX events_by_update_time ON events (updated_ts, start_ts, id, start_date, ends_ts)`,
  // Events without artists whose description may list them are computed again (docs/decisions/36-descriptions.md).
  `INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM events e
    WHERE (description LIKE '%line%up%' OR description LIKE '%live%:%' OR description LIKE '%dj%:%' OR description LIKE '%act%:%'
        OR description LIKE '%artist%:%' OR description LIKE '%feat%:%' OR description LIKE '%w/ %' OR description LIKE '%with%,%'
        OR description LIKE '%mit%,%')
      AND NOT EXISTS (SELECT 1 FROM lineups l WHERE l.record_id = e.id) ORDER BY 1`,
];
