/** Schema 9, one step per line of this list. A step is SQL that changes tables of schema 8; earlier steps stay as they are. */
export const schema9: readonly string[] = [
  // Line-ups say which artists play a set together. Rows without texts have no checksum.
  `ALTER TABLE lineups ADD COLUMN set_position INTEGER;
UPDATE lineups SET checksum = row_checksum(billing, stage, set_start_at, set_end_at, set_position) WHERE checksum IS NOT NULL`,
  // Events are rendered with more members, line-ups are read again. Until then, `EventItems` completes their items.
  `INSERT OR IGNORE INTO stale_records (record_id) SELECT id FROM editions UNION ALL SELECT id FROM events ORDER BY 1`,
];
