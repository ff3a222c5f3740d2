/**
 * Checks a data file in short pieces while a service uses it: each statement reads for a few milliseconds, so that the
 * write-ahead log is never held (docs/decisions/54-damage-check.md). It reads every table, compares each index with its
 * table, and checks the row checksums.
 */
import Database from 'better-sqlite3';
import { type CheckedTable, describeTables, quote } from './checked-tables.ts';
import { blockingKeyTables, checksumColumns, checksumOf, keyChecksumSql } from './checksums.ts';
import { findSchemaProblems } from './schema-text.ts';

/** What one piece takes, in ms; the number of rows in the next one follows from it. */
const targetPieceMs = 5;
const firstRows = 100;
const minRows = 5;
const maxRows = 2_000;
/** Larger tables are not counted, which would read them in one piece. */
const maxCountedRows = 100_000;
/** Problems that are listed; one table gives one of each type. */
const maxProblems = 20;
/** Error codes of SQLite for damaged content. Other errors, such as a locked file, end the check. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_READ)/;

/** Values of the key of a table; null: before the first row. */
type Position = readonly unknown[] | null;
type Range = { from: Position; to: readonly unknown[] };

/**
 * Checks the file, and yields after each statement. Throws SQLite's error if the file cannot be read for another reason
 * than damage.
 * @returns what is damaged, in a sentence for each table
 */
export function* checkInPieces(sqlite: Database.Database): Generator<void, string[]> {
  const problems = collectDamage('the schema', () => findSchemaProblems(sqlite));
  yield;
  let tables: CheckedTable[] = [];
  problems.push(
    ...collectDamage('the schema', () => {
      tables = describeTables(sqlite);
      return [];
    }),
  );
  for (const table of tables) {
    if (problems.length >= maxProblems) break;
    yield* checkTable(sqlite, table, problems);
  }
  return problems;
}

function* checkTable(sqlite: Database.Database, table: CheckedTable, problems: string[]): Generator<void> {
  const wrong = new Map<string, number>();
  let rows = firstRows;
  let rowCount = 0;
  let position: Position = null;
  try {
    const checks = preparePieceChecks(sqlite, table);
    const keysAfter = keyStatements(sqlite, table);
    for (;;) {
      const began = performance.now();
      const keys = keysAfter(position, rows);
      const to = keys.at(-1);
      yield;
      if (to === undefined) break;
      // A page of another place has other keys than its neighbours.
      if (keys.length > 1 && !isAscending([...(position === null ? [] : [position]), ...keys]))
        wrong.set(`rows of ${table.name} are out of order`, 1);
      rowCount += keys.length;
      let maxPieceMs = performance.now() - began;
      for (const check of checks) {
        const startedMs = performance.now();
        const count = check.count({ from: position, to });
        if (count > 0) wrong.set(check.problem, (wrong.get(check.problem) ?? 0) + count);
        maxPieceMs = Math.max(maxPieceMs, performance.now() - startedMs);
        yield;
      }
      position = to;
      const factor = Math.min(2, targetPieceMs / Math.max(maxPieceMs, 0.1));
      rows = Math.round(Math.min(maxRows, Math.max(minRows, rows * factor)));
    }
    if (rowCount <= maxCountedRows) {
      const surplus = countSurplus(sqlite, table);
      if (surplus > 0) wrong.set(`rows of ${table.name} are missing, which an index has`, surplus);
      yield;
    }
  } catch (failure) {
    if (!isDamage(failure)) throw failure;
    problems.push(`${table.name}: ${failure.message}`);
  }
  for (const [problem, count] of wrong) problems.push(`${count} ${problem}`);
}

/** Whether the keys of a table with a rowid ascend. SQLite compares those of other tables by its own rules. */
const isAscending = (keys: readonly (readonly unknown[])[]): boolean =>
  keys.every(([key], at) => {
    const before = keys[at - 1]?.[0];
    return keys[at]?.length !== 1 || typeof key !== 'number' || typeof before !== 'number' || before < key;
  });

/** The number of entries that indexes of all rows have more than the table. */
function countSurplus(sqlite: Database.Database, { name, from, indexes }: CheckedTable): number {
  const wholeIndexes = indexes.filter(({ condition }) => condition === null);
  if (wholeIndexes.length === 0) return 0;
  const counts = wholeIndexes.map(
    (index) => `(SELECT count(*) FROM ${quote(name)} INDEXED BY ${quote(index.name)})`,
  );
  const all = sqlite
    .prepare(`SELECT (SELECT count(*) FROM ${from}), ${counts.join(', ')}`)
    .raw()
    .get() as number[];
  const [own = 0, ...others] = all;
  return Math.max(...others) - own;
}

type PieceCheck = { problem: string; count: (range: Range) => number };

/** Makes the checks of a piece of a table. */
function preparePieceChecks(sqlite: Database.Database, table: CheckedTable): PieceCheck[] {
  const checks = table.indexes.map(({ name, terms, condition }): PieceCheck => {
    const own = [...table.key.map((column) => ({ text: column, as: column })), ...terms];
    const columns = own.map(({ text }, at) => `${text} AS k${at}`).join(', ');
    const same = own.map(({ text }, at) => `${text} IS a.k${at}`).join(' AND ');
    const where = condition === null ? '' : ` AND (${condition})`;
    return {
      problem: `rows of ${table.name} are missing in the index ${name}`,
      count: countInRange(
        sqlite,
        table,
        (range) =>
          `SELECT count(*) FROM (SELECT ${columns} FROM ${table.from} WHERE ${range}${where}) a
           WHERE NOT EXISTS (SELECT 1 FROM ${quote(table.name)} INDEXED BY ${quote(name)} WHERE ${same}${where})`,
      ),
    };
  });
  checks.push({
    problem: `rows of ${table.name} are not as they were written`,
    count: countWrongRows(sqlite, table),
  });
  return checks;
}

/** Counts the rows with a wrong checksum. Rows of other tables are only read, to their last byte. */
function countWrongRows(sqlite: Database.Database, table: CheckedTable): (range: Range) => number {
  const { name } = table;
  if ((blockingKeyTables as readonly string[]).includes(name)) {
    return countInRange(
      sqlite,
      table,
      (range) => `SELECT count(*) FROM ${table.from} WHERE ${range} AND checksum IS NOT ${keyChecksumSql}`,
    );
  }
  const sums = checksumColumns[name];
  if (sums === undefined) {
    const last = table.columns.map((column) => `max(substr(${quote(column)}, -1))`).join(', ');
    return countInRange(
      sqlite,
      table,
      (range) => `SELECT 0 FROM (SELECT ${last} FROM ${table.from} WHERE ${range})`,
    );
  }
  const own = ['checksum', ...sums.summed.map((column) => `coalesce(${column}, 0)`)].join(' - ');
  const expectedOf = (values: readonly unknown[]) =>
    sums.summed.length > 0 ? (checksumOf(...values) ?? 0) : checksumOf(...values);
  const rowsIn = statementsInRange(
    sqlite,
    table,
    (range) => `SELECT ${own}, ${sums.columns.join(', ')} FROM ${table.from} WHERE ${range}`,
  );
  return (range) => {
    let wrong = 0;
    for (const [sum, ...values] of rowsIn(range)) if (sum !== expectedOf(values)) wrong++;
    return wrong;
  };
}

const countInRange = (
  sqlite: Database.Database,
  table: CheckedTable,
  sqlOf: (range: string) => string,
): ((range: Range) => number) => {
  const rowsIn = statementsInRange(sqlite, table, sqlOf);
  return (range) => {
    let sum = 0;
    for (const [count] of rowsIn(range)) sum += Number(count);
    return sum;
  };
};

/** Prepares a statement for pieces after a position, and one for the first piece. */
function statementsInRange(
  sqlite: Database.Database,
  { key }: CheckedTable,
  sqlOf: (range: string) => string,
): (range: Range) => Iterable<unknown[]> {
  const [columns, slots] = [key.join(', '), key.map(() => '?').join(', ')];
  const until = `(${columns}) <= (${slots})`;
  const first = sqlite.prepare(sqlOf(until)).raw();
  const next = sqlite.prepare(sqlOf(`(${columns}) > (${slots}) AND ${until}`)).raw();
  // One row at a time: a row may have a megabyte.
  return ({ from, to }) =>
    (from === null ? first.iterate(...to) : next.iterate(...from, ...to)) as Iterable<unknown[]>;
}

/** Prepares the reading of the keys of a piece; none behind the last row of the table. */
function keyStatements(
  sqlite: Database.Database,
  { from, key }: CheckedTable,
): (after: Position, rows: number) => unknown[][] {
  const [columns, slots] = [key.join(', '), key.map(() => '?').join(', ')];
  const select = (where: string) =>
    sqlite.prepare(`SELECT ${columns} FROM ${from} ${where} ORDER BY ${columns} LIMIT ?`).raw();
  const [first, next] = [select(''), select(`WHERE (${columns}) > (${slots})`)];
  return (after, rows) => (after === null ? first.all(rows) : next.all(...after, rows)) as unknown[][];
}

function collectDamage(name: string, look: () => string[]): string[] {
  try {
    return look();
  } catch (failure) {
    if (isDamage(failure)) return [`${name}: ${failure.message}`];
    throw failure;
  }
}

const isDamage = (failure: unknown): failure is Error =>
  failure instanceof Database.SqliteError && damageCodes.test(failure.code);
