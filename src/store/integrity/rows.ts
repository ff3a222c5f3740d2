/** Checks rows against their checksums, and that removed records have none. */
import type Database from 'better-sqlite3';
import { kindTables } from '../records/kind-tables.ts';
import { prepareValue } from '../statement.ts';
import { blockingKeyTables, checksumColumns, checksumOf, keyChecksumSql } from './checksums.ts';

/** Counts the rows of each table whose checksum is wrong. */
export function findRowProblems(sqlite: Database.Database): string[] {
  const counts = [
    ...Object.keys(checksumColumns).map((table) => [table, countWrong(sqlite, table)] as const),
    ...blockingKeyTables.map((table) => [table, countWrongKeys(sqlite, table)] as const),
  ];
  return counts
    .filter(([, wrong]) => wrong > 0)
    .map(([table, wrong]) => `${wrong} rows of ${table} are not as they were written`);
}

function countWrong(sqlite: Database.Database, table: string): number {
  const { columns, summed } = checksumColumns[table] as (typeof checksumColumns)[string];
  const own = ['checksum', ...summed.map((name) => `coalesce(${name}, 0)`)].join(' - ');
  const rows = sqlite.prepare(`SELECT ${own}, ${columns.join(', ')} FROM ${table}`).raw();
  let wrong = 0;
  for (const [sum, ...values] of rows.iterate() as Iterable<unknown[]>) {
    const checksum = checksumOf(...values);
    if (sum !== (summed.length > 0 ? (checksum ?? 0) : checksum)) wrong++;
  }
  return wrong;
}

const countWrongKeys = (sqlite: Database.Database, table: string): number =>
  prepareValue<number>(
    sqlite,
    `SELECT count(*) FROM ${table} WHERE checksum IS NOT ${keyChecksumSql}`,
  ).get() ?? 0;

/** Returns a sentence for each table with rows of removed records; none if all is well. */
export function findRemovalProblems(sqlite: Database.Database): string[] {
  const tables = [...new Set(Object.values(kindTables).map(({ table }) => table))];
  const idColumns = [...tables.map((table) => [table, 'id'] as const), ['names', 'record_id'] as const];
  return idColumns.flatMap(([table, column]) => {
    const count =
      prepareValue<number>(
        sqlite,
        `SELECT count(*) FROM removed_records m JOIN ${table} t ON t.${column} = m.record_id`,
      ).get() ?? 0;
    return count === 0 ? [] : [`${count} rows of ${table} belong to removed records`];
  });
}
