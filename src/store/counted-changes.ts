/**
 * Rows that a connection changed by counting requests. A connection that reads the catalogue and counts
 * (`engine/counting-writer.ts`) tells its changes of the catalogue from these.
 */
import type Database from 'better-sqlite3';
import { prepareValue } from './statement.ts';

const counted = new WeakMap<Database.Database, number>();

/** The number of rows that a connection has changed by counting requests. */
export const countedChangesOf = (sqlite: Database.Database): number => counted.get(sqlite) ?? 0;

/** Returns a function that runs the counting of requests on a connection, and notes how many rows it changed. */
export function trackCountedChanges(sqlite: Database.Database): <T>(count: () => T) => T {
  const totalChanges = prepareValue<number>(sqlite, 'SELECT total_changes()');
  return (count) => {
    const before = totalChanges.one();
    try {
      return count();
    } finally {
      counted.set(sqlite, countedChangesOf(sqlite) + totalChanges.one() - before);
    }
  };
}
