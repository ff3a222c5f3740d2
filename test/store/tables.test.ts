/** `src/store/tables.ts` says of every table what `schema.sql` says. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Column types by table and column, as text: `string`, `number | null`, `Generated<number>` … */
type Described = Map<string, Map<string, string>>;

/** The columns in the braces of a type, each on a line of its own. */
function columnsOf(lines: string, name: string): [string, string][] {
  const found = [...lines.matchAll(/^ +(\w+): (.+);$/gm)];
  assert.equal(found.length, lines.trim().split('\n').length, `${name}: a line is not "column: type;"`);
  return found.map(([, column, type]) => [column as string, type as string]);
}

/** What `tables.ts` says, read as text: types leave nothing behind that a program could look at. */
function written(): Described {
  const source = read('src/store/tables.ts');
  const shared = new Map<string, [string, string][]>();
  for (const [, name = '', lines = ''] of source.matchAll(/^type (\w+) = \{\n([\s\S]*?)^\};$/gm))
    shared.set(name, columnsOf(lines, name));
  const tables: Described = new Map();
  const body = /export type Tables = \{\n([\s\S]*?)\n\};/.exec(source)?.[1];
  assert.ok(body, 'src/store/tables.ts has no `export type Tables = {…};`');
  for (const [, table = '', name, lines = ''] of body.matchAll(
    /^ {2}(\w+): (?:(\w+) & )?\{\n([\s\S]*?)^ {2}\};$/gm,
  )) {
    const common = name === undefined ? [] : shared.get(name);
    assert.ok(common, `${table}: there is no type ${name}`);
    tables.set(table, new Map([...common, ...columnsOf(lines, table)]));
  }
  return tables;
}

type TableInfo = { name: string; type: string };
type ColumnInfo = {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
  hidden: number;
};

/** The types of the two virtual tables' columns, of which SQLite says nothing. */
const virtualColumns: Record<string, Record<string, string>> = {
  name_search: { rowid: 'number', terms: 'string' },
  search_terms: { term: 'string', doc: 'number', cnt: 'number' },
};

/** What `schema.sql` says, as SQLite understood it. */
function built(): Described {
  const sqlite = new Database(':memory:');
  sqlite.exec(read('schema.sql'));
  const tables: Described = new Map();
  const list = sqlite.pragma('table_list') as TableInfo[];
  for (const { name, type } of list) {
    if (name.startsWith('sqlite_') || type === 'shadow') continue;
    const columns = (sqlite.pragma(`table_xinfo(${name})`) as ColumnInfo[]).filter(
      ({ hidden }) => hidden !== 1,
    );
    if (type === 'virtual') {
      const known = virtualColumns[name] ?? {};
      const own = Object.keys(known).filter((column) => column !== 'rowid');
      assert.deepEqual(
        columns.map((column) => column.name),
        own,
        `virtual table ${name}`,
      );
      tables.set(name, new Map(Object.entries(known)));
      continue;
    }
    const text = sqlite.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(name) as string;
    const numbered = /\bAUTOINCREMENT\b/.test(text);
    tables.set(name, new Map(columns.map((column) => [column.name, typeOf(column, numbered)])));
  }
  sqlite.close();
  return tables;
}

/** @param numbered whether the table gives out its own key (AUTOINCREMENT) */
function typeOf({ type, notnull, dflt_value, pk }: ColumnInfo, numbered: boolean): string {
  const known: Record<string, string> = { INTEGER: 'number', REAL: 'number', TEXT: 'string', BLOB: 'Buffer' };
  const value = `${known[type] ?? type}${notnull || pk ? '' : ' | null'}`;
  return dflt_value !== null || (numbered && pk) ? `Generated<${value}>` : value;
}

test('tables.ts and schema.sql agree', () => {
  const [inTypes, inSql] = [written(), built()];
  const differences: string[] = [];
  for (const table of new Set([...inSql.keys(), ...inTypes.keys()])) {
    const [types, columns] = [inTypes.get(table), inSql.get(table)];
    if (!types || !columns) {
      differences.push(`${table}: missing in ${types ? 'schema.sql' : 'tables.ts'}`);
      continue;
    }
    for (const column of new Set([...columns.keys(), ...types.keys()])) {
      const [said, is] = [types.get(column) ?? 'nothing', columns.get(column) ?? 'nothing'];
      if (said !== is) differences.push(`${table}.${column}: tables.ts says ${said}, schema.sql ${is}`);
    }
  }
  assert.deepEqual(differences, []);
  assert.ok(inSql.size > 25);
});

test('every foreign key of the catalogue stays in the catalogue, and of access in access', () => {
  const sqlite = new Database(':memory:');
  sqlite.exec(read('schema.sql'));
  const access = new Set([
    'accounts',
    'api_keys',
    'rate_windows',
    'usage_months',
    'usage_days',
    'sessions',
    'oauth_grants',
    'oauth_items',
    'one_time_links',
    'external_logins',
    'passkeys',
    'totp_secrets',
    'recovery_codes',
  ]);
  for (const { name, type } of sqlite.pragma('table_list') as TableInfo[]) {
    if (type !== 'table') continue;
    for (const { table } of sqlite.pragma(`foreign_key_list(${name})`) as { table: string }[]) {
      assert.equal(access.has(table), access.has(name), `${name} references ${table}`);
    }
  }
  sqlite.close();
});
