/**
 * Copies accounts, credentials and counts between a data file and the database of a cluster, in both directions.
 * Both have the same tables and columns, so rows are copied by the names of the columns.
 */
import type Database from 'better-sqlite3';
import type pg from 'pg';
import { accountSubjects } from '../contract/undo.ts';
import { Failure } from '../failure.ts';
import { type ClusterAddress, connectToPrimary } from './connection.ts';

/** The tables in an order in which no row comes before one that it refers to, and the order of the rows of each. */
const orders = {
  accounts: 'id',
  plan_limits: 'plan, effective_ts',
  one_time_links: 'token_hash',
  external_logins: 'issuer, subject',
  passkeys: 'id',
  totp_secrets: 'account_id',
  recovery_codes: 'account_id, code_hash',
  pending_accounts: 'email',
  api_keys: 'id',
  rate_windows: 'credential_id',
  usage_months: 'account_id, month',
  usage_days: 'account_id, day, channel',
  sessions: 'id',
  attempts: 'subject',
  retained_usage: 'digest',
  // The order of insertion decides which clients and requests go first when there are too many.
  oauth_clients: 'rowid',
  oauth_grants: 'id',
  oauth_items: 'rowid',
} as const;
const tables = Object.keys(orders) as (keyof typeof orders)[];

/** The settings that belong to accounts: the secret, the limits of plans, and the keys of the OAuth server. */
const settingKeys = ['cursor_key', 'plan_limits_version', 'export_plans', 'oauth_jwks', 'oauth_cookie_key'];
/** Entries of a cluster have higher numbers than those of data files (`schema.sql`). */
const firstAuditId = 1_000_000_000;
const batchSize = 500;

/** How many rows of each table were copied; tables without rows are left out. */
export type CopiedRows = Record<string, number>;

/**
 * Copies the accounts of a data file into a cluster, in one transaction.
 *
 * @param sqlite a connection to the file, which is not changed
 * @param address a database that is prepared (`prepareDatabase`). Fails if it has other accounts; null: it has the same
 *   accounts and keys, and nothing was copied
 */
export async function copyAccountsIntoCluster(
  sqlite: Database.Database,
  address: ClusterAddress,
): Promise<CopiedRows | null> {
  return withClient(address, async (client) => {
    await client.query('LOCK TABLE accounts IN EXCLUSIVE MODE');
    const hasAccounts = (await client.query('SELECT 1 FROM accounts LIMIT 1')).rowCount !== 0;
    if (hasAccounts || (await client.query('SELECT 1 FROM publications LIMIT 1')).rowCount !== 0) {
      if (await hasSameAccounts(sqlite, client)) return null;
      throw new Failure(
        `The cluster has ${hasAccounts ? 'other accounts' : 'another catalogue'} already. Name an empty database to copy a data file into it.`,
      );
    }
    await client.query('DELETE FROM settings WHERE key = ANY ($1)', [settingKeys]);
    const copied: CopiedRows = {};
    const copy = async (table: string, select: string, values: string[] = []) => {
      const rows = sqlite.prepare(select).all(...values) as object[];
      for (let start = 0; start < rows.length; start += batchSize)
        await insertRows(client, table, columnsOf(sqlite, table), rows.slice(start, start + batchSize));
      if (rows.length > 0) copied[table] = rows.length;
    };
    for (const table of tables) await copy(table, `SELECT * FROM ${table} ORDER BY ${orders[table]}`);
    await copy('settings', `SELECT * FROM settings WHERE key IN (${marks(settingKeys)})`, settingKeys);
    await copy(
      'audit_log',
      `SELECT *, id + ${firstAuditId} AS id, undone_by + ${firstAuditId} AS undone_by
       FROM audit_log WHERE subject_kind IN (${marks(accountSubjects)}) ORDER BY id`,
      [...accountSubjects],
    );
    await client.query(
      `SELECT setval(pg_get_serial_sequence('audit_log', 'id'), (SELECT coalesce(max(id), ${firstAuditId}) + 1 FROM audit_log), false)`,
    );
    return copied;
  });
}

/**
 * Copies the accounts of a cluster into a data file, in one transaction of each.
 *
 * @param sqlite a connection to a file of the present schema. Fails if it has accounts
 */
export async function copyAccountsFromCluster(
  address: ClusterAddress,
  sqlite: Database.Database,
): Promise<CopiedRows> {
  const rowsOf = await withClient(address, readAccounts);
  return sqlite.transaction(() => {
    if (sqlite.prepare('SELECT 1 FROM accounts LIMIT 1').get() !== undefined)
      throw new Failure(
        'The data file has accounts already. Name a file without accounts to copy them into it.',
      );
    const copied: CopiedRows = {};
    for (const [table, rows] of Object.entries(rowsOf)) {
      const columns = columnsOf(sqlite, table).filter((column) => table !== 'audit_log' || column !== 'id');
      const values = columns.map((column) => `@${column}`).join(', ');
      const insert = sqlite.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${values})`,
      );
      if (table === 'audit_log') copyAuditLog(sqlite, insert, rows as AuditIds[]);
      else for (const row of rows) insert.run(row);
      if (rows.length > 0) copied[table] = rows.length;
    }
    return copied;
  })();
}

/** Whether a cluster has the secret, the accounts and the keys of a data file and no others. */
async function hasSameAccounts(sqlite: Database.Database, client: pg.Client): Promise<boolean> {
  for (const select of [
    "SELECT value FROM settings WHERE key = 'cursor_key'",
    'SELECT id, email FROM accounts ORDER BY id',
    'SELECT id, secret_hash FROM api_keys ORDER BY id',
  ]) {
    const { rows } = await client.query(select);
    if (JSON.stringify(rows) !== JSON.stringify(sqlite.prepare(select).all())) return false;
  }
  return true;
}

/**
 * The settings that only one service or machine needs: who serves the file, its backups and exports, and times of
 * writing.
 */
const localSettings = "key LIKE 'serving/%' OR key IN ('backups', 'exports', 'written_at', 'forwarded_at')";

/** Deletes what does not belong to the catalogue: accounts, their settings and secrets, and the state of services. */
export function keepCatalogueAlone(sqlite: Database.Database): void {
  sqlite.transaction(() => {
    deleteAccounts(sqlite);
    sqlite.prepare(`DELETE FROM settings WHERE key IN (${marks(settingKeys)})`).run(...settingKeys);
    sqlite.prepare(`DELETE FROM settings WHERE ${localSettings}`).run();
  })();
}

/** Deletes the accounts of a data file and all that belongs to them. */
function deleteAccounts(sqlite: Database.Database): void {
  for (const table of tables.toReversed()) sqlite.prepare(`DELETE FROM ${table}`).run();
  sqlite
    .prepare(`DELETE FROM audit_log WHERE subject_kind IN (${marks(accountSubjects)})`)
    .run(...accountSubjects);
}

type AuditIds = { id: number; undone_by: number | null };

/** The file has entries of the catalogue with the same numbers, so entries get new ones, and keep what undid them. */
function copyAuditLog(sqlite: Database.Database, insert: Database.Statement, rows: AuditIds[]): void {
  const ids = new Map<number, number>();
  for (const row of rows) ids.set(row.id, Number(insert.run({ ...row, undone_by: null }).lastInsertRowid));
  const markUndone = sqlite.prepare('UPDATE audit_log SET undone_by = ? WHERE id = ?');
  for (const { id, undone_by: by } of rows) if (by !== null) markUndone.run(ids.get(by) ?? null, ids.get(id));
}

async function readAccounts(client: pg.Client): Promise<Record<string, object[]>> {
  const rowsOf: Record<string, object[]> = {};
  for (const table of tables)
    rowsOf[table] = (await client.query(`SELECT * FROM ${table} ORDER BY ${orders[table]}`)).rows;
  rowsOf.settings = (await client.query('SELECT * FROM settings WHERE key = ANY ($1)', [settingKeys])).rows;
  rowsOf.audit_log = (await client.query('SELECT * FROM audit_log ORDER BY id')).rows;
  return rowsOf;
}

/** Runs `work` in one transaction that sees one state of the database. */
async function withClient<T>(address: ClusterAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPrimary(address);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    // A transaction that is open is rolled back with its connection.
    await client.end();
  }
}

async function insertRows(
  client: pg.Client,
  table: string,
  columns: string[],
  rows: object[],
): Promise<void> {
  const names = columns.join(', ');
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** The columns of a table in the data file; the order of insertion has one in PostgreSQL alone. */
const columnsOf = (sqlite: Database.Database, table: string): string[] =>
  sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
