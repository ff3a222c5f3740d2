/** Checks the full-text index against the names. */
import Database from 'better-sqlite3';

/**
 * The tables of the index besides the names (https://sqlite.org/fts5.html#fts5_data_structures), and their
 * columns.
 */
const indexTables = {
  name_search_data: ['id', 'block'],
  name_search_idx: ['segid', 'term', 'pgno'],
  name_search_docsize: ['id', 'sz'],
  name_search_config: ['k', 'v'],
} as const;

/**
 * Runs FTS5's own integrity check, which covers prefixes and word positions. It reports names that are not
 * searched as missing. The check therefore runs on a copy of the index with only the searched names.
 * @returns descriptions of the problems; empty if there are none
 */
export function findSearchIndexProblems(sqlite: Database.Database): string[] {
  // A temporary database: the checked file may be on a read-only disk.
  const copy = new Database('');
  try {
    copy.unsafeMode();
    copy.exec(`
      CREATE TABLE names (id INTEGER PRIMARY KEY, terms TEXT NOT NULL);
      CREATE VIRTUAL TABLE name_search USING fts5 (
        terms, content = 'names', content_rowid = 'id', prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 0"
      );
      BEGIN`);
    copyRows(sqlite, copy, 'names', ['id', 'terms'], "WHERE terms <> ''");
    for (const [table, columns] of Object.entries(indexTables)) {
      copy.exec(`DELETE FROM ${table}`);
      copyRows(sqlite, copy, table, columns, '');
    }
    copy.exec('COMMIT');
    copy.exec("INSERT INTO name_search (name_search, rank) VALUES ('integrity-check', 1)");
    return [];
  } catch (failure) {
    if (!(failure instanceof Database.SqliteError)) throw failure;
    return [`the index is not what the names make it (${failure.message})`];
  } finally {
    copy.close();
  }
}

function copyRows(
  from: Database.Database,
  to: Database.Database,
  table: string,
  columns: readonly string[],
  where: string,
): void {
  const list = columns.join(', ');
  const insert = to.prepare(`INSERT INTO ${table} (${list}) VALUES (${columns.map(() => '?').join(', ')})`);
  const rows = from.prepare(`SELECT ${list} FROM ${table} ${where}`).raw();
  for (const row of rows.iterate() as Iterable<unknown[]>) insert.run(row.map(toBindable));
}

/** Integers are bound as BigInt: better-sqlite3 binds numbers as REAL, and these columns have no type. */
const toBindable = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
