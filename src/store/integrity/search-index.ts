/** Whether the full-text index is what the names make it. */
import Database from 'better-sqlite3';

/** What the index consists of beside the names (https://sqlite.org/fts5.html#fts5_data_structures), and the columns of each. */
const indexTables = {
  name_search_data: ['id', 'block'],
  name_search_idx: ['segid', 'term', 'pgno'],
  name_search_docsize: ['id', 'sz'],
  name_search_config: ['k', 'v'],
} as const;

/**
 * The index against the names, prefixes and places of words included, by FTS5's own check. That takes names that are not
 * searched for missing ones: so the index is copied aside, beside the names that are.
 * @returns what is wrong, in words; nothing where all is well
 */
export function findSearchIndexProblems(sqlite: Database.Database): string[] {
  // A file of its own, gone when it is closed: what is checked may lie on a disk that nothing can be written to.
  const aside = new Database('');
  try {
    aside.unsafeMode();
    aside.exec(`
      CREATE TABLE names (id INTEGER PRIMARY KEY, terms TEXT NOT NULL);
      CREATE VIRTUAL TABLE name_search USING fts5 (
        terms, content = 'names', content_rowid = 'id', prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 0"
      );
      BEGIN`);
    copyRows(sqlite, aside, 'names', ['id', 'terms'], "WHERE terms <> ''");
    for (const [table, columns] of Object.entries(indexTables)) {
      aside.exec(`DELETE FROM ${table}`);
      copyRows(sqlite, aside, table, columns, '');
    }
    aside.exec('COMMIT');
    aside.exec("INSERT INTO name_search (name_search, rank) VALUES ('integrity-check', 1)");
    return [];
  } catch (failure) {
    if (!(failure instanceof Database.SqliteError)) throw failure;
    return [`the index is not what the names make it (${failure.message})`];
  } finally {
    aside.close();
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

/** Whole numbers go in as such: those of this library would be REAL, in columns that take anything. */
const toBindable = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
