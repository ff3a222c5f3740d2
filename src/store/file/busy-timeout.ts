/** Detects a locked data file, and limits how long a connection waits for the lock. */
import type Database from 'better-sqlite3';

/** Whether another process holds the write lock. */
export const isBusy = (failure: unknown): boolean =>
  (failure as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;

/**
 * Runs `work` with a busy timeout of its own.
 * @param timeoutMs how long a locked file may be waited for inside SQLite; the event loop stands still for as long
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
