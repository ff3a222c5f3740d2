/** Tells whether another connection committed. */
import type Database from 'better-sqlite3';

/** A number that changes with every commit of another connection, and not with commits of this one. */
export const dataVersionOf = (sqlite: Database.Database): number =>
  sqlite.pragma('data_version', { simple: true }) as number;
