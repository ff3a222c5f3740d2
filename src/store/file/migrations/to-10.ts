/** Schema 10, one step per line of this list. A step is SQL that changes tables of schema 9; earlier steps stay as they are. */
export const schema10: readonly string[] = [
  // Filters of lists read the columns of an index, not the long rows (docs/decisions/39-pairs-of-filters.md).
  `DROP INDEX IF EXISTS events_by_start;
CREATE INDEX events_by_start ON events (start_ts, id, start_date, ends_ts, status, country, city_folded, venue_id, city_id, edition_id, updated_ts)`,
  `CREATE INDEX events_by_update_time ON events (updated_ts, start_ts, id, start_date, ends_ts)`,
];
