/** What waits to be worked out again. */
import type Database from 'better-sqlite3';

/** Whether records or places in search wait to be worked out: an import is under way, or what it left was killed. */
export const hasStaleRecords = (sqlite: Database.Database): boolean =>
  sqlite
    .prepare('SELECT 1 WHERE EXISTS (SELECT 1 FROM stale_records) OR EXISTS (SELECT 1 FROM stale_name_ranks)')
    .get() !== undefined;
