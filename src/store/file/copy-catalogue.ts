/** Copies a whole catalogue from another file: the starter catalogue inside the executable. */
import type Database from 'better-sqlite3';
import { checksumColumns } from '../integrity/checksums.ts';
import { prepareValue } from '../statement.ts';

/** Tables of the file or its accounts, which are not copied. */
const excludedTables = new Set([
  'settings',
  'write_leases',
  'catalogue',
  'accounts',
  'pending_accounts',
  'api_keys',
  'rate_windows',
  'usage_months',
  'usage_days',
  'sessions',
  'attempts',
  'retained_usage',
  'oauth_clients',
  'oauth_grants',
  'oauth_items',
  'plan_limits',
  'one_time_links',
  'external_logins',
  'passkeys',
  'totp_secrets',
  'recovery_codes',
  'audit_log',
]);

/**
 * Copies the catalogue of the file at `path` into an empty one, in one transaction. Every timestamp of a write is
 * set to `now` (ms).
 */
export function copyCatalogueFrom(sqlite: Database.Database, path: string, now: number): void {
  sqlite.prepare('ATTACH ? AS other').run(path);
  try {
    sqlite
      .transaction(() => {
        // Children may be inserted before their parents.
        sqlite.pragma('defer_foreign_keys = ON');
        for (const table of catalogueTables(sqlite)) {
          sqlite.exec(`INSERT INTO main.${table} SELECT * FROM other.${table}`);
          for (const column of timestampColumns(sqlite, table)) {
            const also = checksumColumns[table]?.summed.includes(column)
              ? `checksum = checksum + @now - ${column}, `
              : '';
            sqlite
              .prepare(`UPDATE main.${table} SET ${also}${column} = @now WHERE ${column} IS NOT NULL`)
              .run({ now });
          }
        }
        // Names of kinds that are not searched have no terms and no row in the index.
        sqlite.exec(
          "INSERT INTO main.name_search (rowid, terms) SELECT id, terms FROM main.names WHERE terms <> '' ORDER BY id",
        );
        sqlite
          .prepare(
            'UPDATE main.catalogue SET (revision, max_event_duration_ms) = (SELECT revision, max_event_duration_ms FROM other.catalogue), last_synced_ts = ?',
          )
          .run(now);
      })
      .immediate();
  } finally {
    sqlite.exec('DETACH other');
  }
}

/** Whether the catalogue has no sources and no records. */
export const isCatalogueEmpty = (sqlite: Database.Database): boolean =>
  sqlite.prepare('SELECT 1 FROM sources UNION ALL SELECT 1 FROM records LIMIT 1').get() === undefined;

/** The ordinary tables of the catalogue. */
function catalogueTables(sqlite: Database.Database): string[] {
  const names = prepareValue<string>(
    sqlite,
    `SELECT name FROM main.sqlite_master
       WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'name_search_%'`,
  ).all();
  return names.filter((name) => !excludedTables.has(name));
}

/** The columns with the time of a write to this file. */
function timestampColumns(sqlite: Database.Database, table: string): string[] {
  const columns = prepareValue<string>(sqlite, 'SELECT name FROM pragma_table_info(?)').all(table);
  return columns.filter((name) =>
    ['updated_ts', 'content_updated_ts', 'created_ts', 'last_run_ts'].includes(name),
  );
}
