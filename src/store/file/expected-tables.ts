/** Checks that a file with our application id has our tables, before anything is written. */
import { existsSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { readAsset } from '../../assets.ts';
import { schemaVersion } from './migrations.ts';

/** Tables that every schema version has. */
const everySchema = [
  'accounts',
  'api_keys',
  'artists',
  'catalogue',
  'events',
  'records',
  'settings',
  'slugs',
  'sources',
  'venues',
];

const tablesOf = (schema: number): readonly string[] =>
  schema === schemaVersion
    ? [...readAsset('schema.sql').matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w{1,64})/gm)].map(
        ([, name]) => name as string,
      )
    : everySchema;

/**
 * Returns the tables that the file at `path` lacks. Changes neither the file nor its log.
 * @param path a file with our application id that this process does not have open
 * @param schema its `user_version`; 0 without any table is a file that is not filled yet
 */
export function missingTables(path: string, schema: number): string[] {
  const real = realpathSync(path);
  // A read-only connection leaves a log alone when it closes. Without a log it could not remove the one it
  // creates.
  const readonly = ['-wal', '-journal'].some((end) => existsSync(real + end));
  const sqlite = new Database(path, { readonly, timeout: 10_000, fileMustExist: true });
  try {
    const names = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    if (schema === 0 && names.length === 0) return [];
    return tablesOf(schema).filter((name) => !names.includes(name));
  } finally {
    sqlite.close();
  }
}
