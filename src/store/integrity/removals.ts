/** Finds removed records that are still in a table of records or names, for the checks of the data file. */
import type Database from 'better-sqlite3';
import { kindTables } from '../records/kind-tables.ts';
import { prepareValue } from '../statement.ts';

/** Returns a sentence for each table with rows of removed records; none if all is well. */
export function findRemovalProblems(sqlite: Database.Database): string[] {
  const tables = [...new Set(Object.values(kindTables).map(({ table }) => table))];
  const shown = [...tables.map((table) => [table, 'id'] as const), ['names', 'record_id'] as const];
  return shown.flatMap(([table, column]) => {
    const count =
      prepareValue<number>(
        sqlite,
        `SELECT count(*) FROM removed_records m JOIN ${table} t ON t.${column} = m.record_id`,
      ).get() ?? 0;
    return count === 0 ? [] : [`${count} rows of ${table} belong to removed records`];
  });
}
