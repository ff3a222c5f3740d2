/** Tells whether the queues of `ingest/process-stale.ts` have entries. */
import type Database from 'better-sqlite3';

/** Whether records or name ranks must still be recomputed: an import is running, or one was killed. */
export const hasStaleRecords = (sqlite: Database.Database): boolean =>
  sqlite
    .prepare(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM stale_records) OR EXISTS (SELECT 1 FROM stale_name_ranks) OR EXISTS (SELECT 1 FROM stale_documents)',
    )
    .get() !== undefined;
