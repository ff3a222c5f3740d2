/** Detects a locked data file, and limits how long a connection waits for the lock. */
import type Database from 'better-sqlite3';

/** Whether another process holds the write lock. */
export const isBusy = (failure: unknown): boolean =>
  (failure as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;

/**
 * Runs `work` with its own busy timeout.
 * @param timeoutMs how long SQLite may wait for a locked file; it blocks the event loop meanwhile
 */
export function withBusyTimeout<T>(sqlite: Database.Database, timeoutMs: number, work: () => T): T {
  const before = sqlite.pragma('busy_timeout', { simple: true }) as number;
  sqlite.pragma(`busy_timeout = ${Math.min(timeoutMs, before)}`);
  try {
    return work();
  } finally {
    sqlite.pragma(`busy_timeout = ${before}`);
  }
}
