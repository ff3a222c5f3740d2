/** The statements of the catalogue's writer that concern all kinds of records. */
import type Database from 'better-sqlite3';

/** Prepares the statements on a connection. */
export const prepareWriterStatements = (sqlite: Database.Database) => ({
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
});

export type WriterStatements = ReturnType<typeof prepareWriterStatements>;
