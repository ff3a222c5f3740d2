/** Statements that read and write the rows of one kind. */
import type Database from 'better-sqlite3';
import { rowChecksum } from '../integrity/checksums.ts';
import type { RecordRow } from '../values.ts';

export type KindStatements = {
  find: Database.Statement;
  name: Database.Statement;
  insert: Database.Statement;
  update: Database.Statement;
  touch: Database.Statement;
  checksum: (row: RecordRow) => number | null;
  columns: string[];
  columnSet: Set<string>;
  /** The columns that an update sets, in order. */
  settable: string[];
};

/**
 * Prepares the statements of a table of records. Values are bound in the order of `columns` (insert), or of `settable`
 * and then the id (update). `name` gives an empty `folded` for kinds without folded names.
 */
export function prepareKindStatements(sqlite: Database.Database, table: string): KindStatements {
  const columns = (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const settable = columns.filter((name) => name !== 'id' && name !== 'slug');
  const has = (name: string) => (columns.includes(name) ? name : `'' AS ${name}`);
  return {
    columns,
    columnSet: new Set(columns.filter((name) => name !== 'checksum')),
    settable,
    find: sqlite.prepare(`SELECT * FROM ${table} WHERE id = ?`),
    name: sqlite.prepare(`SELECT slug, name, ${has('folded')} FROM ${table} WHERE id = ?`).raw(),
    insert: sqlite.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ),
    update: sqlite.prepare(
      `UPDATE ${table} SET ${settable.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ),
    touch: sqlite.prepare(
      `UPDATE ${table} SET checksum = checksum + @now - updated_ts, updated_ts = @now WHERE id = @id`,
    ),
    checksum: rowChecksum(table),
  };
}
