/**
 * Rows that a connection changed by counting requests. A connection that reads the catalogue and counts
 * (`engine/counting-writer.ts`) tells its changes of the catalogue from these.
 */
import type Database from 'better-sqlite3';

const counted = new WeakMap<Database.Database, number>();

/** The number of rows that a connection has changed by counting requests, also in transactions that were rolled back. */
export const countedChangesOf = (sqlite: Database.Database): number => counted.get(sqlite) ?? 0;

/** Notes that a connection has changed more rows by counting requests. */
export function addCountedChanges(sqlite: Database.Database, rows: number): void {
  counted.set(sqlite, countedChangesOf(sqlite) + rows);
}
