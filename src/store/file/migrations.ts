/**
 * The migrations: SQL that upgrades a data file of an older schema step by step. New files are created from
 * schema.sql; a test checks that both give the same schema.
 */
import {
  accountTables,
  inheritedNames,
  rebuildBlockingKeys,
  recentBlockingKeys,
  sourceTables,
} from './migrations/to-5.ts';
import { checksums, pendingAccounts } from './migrations/to-6.ts';
import { standardNames } from './migrations/to-7.ts';
import { administration } from './migrations/to-8.ts';
import { schema9 } from './migrations/to-9.ts';
import { schema10 } from './migrations/to-10.ts';

/** The schema version that this program reads and writes, stored as `user_version`. */
export const schemaVersion = 10;

/**
 * Upgrades a file from the version before `to`. Runs in one transaction with the new version number. `sql` may
 * call `row_checksum` (`checksumOf`) and `grid_cell` (`cellOf`).
 */
export type Migration = { to: number; sql: string };

export const migrations: readonly Migration[] = [
  { to: 2, sql: accountTables + sourceTables },
  { to: 3, sql: inheritedNames },
  { to: 4, sql: recentBlockingKeys },
  { to: 5, sql: rebuildBlockingKeys },
  { to: 6, sql: pendingAccounts + checksums },
  { to: 7, sql: standardNames },
  { to: 8, sql: administration },
  { to: 9, sql: schema9.join(';\n') },
  { to: 10, sql: schema10.join(';\n') },
];
