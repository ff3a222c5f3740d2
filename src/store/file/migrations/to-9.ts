/** Schema 9, one step per line of this list. A step is SQL that changes tables of schema 8; earlier steps stay as they are. */
export const schema9: readonly string[] = [
  'CREATE TABLE stale_documents (record_id INTEGER PRIMARY KEY REFERENCES records (id)) STRICT',
  // Before the upgrade, merged records and records that name a changed one got no revision.
  "INSERT OR REPLACE INTO settings (key, value) SELECT 'changes_from', revision FROM catalogue",
];
