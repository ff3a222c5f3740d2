/** Stores the identity of the service in the table `settings`, under keys that begin with `site.`. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from './database.ts';

const prefix = 'site.';
/** Rises with every change; readers poll this row only. */
const versionKey = 'site.version';

/** Reads the number of changes so far. */
export const siteSettingsVersion = (sqlite: Database.Database): number =>
  Number(readSetting(sqlite, versionKey) ?? 0);

/** Reads all values by their names without the prefix. */
export function readSiteSettings(sqlite: Database.Database): Map<string, string> {
  const rows = sqlite
    .prepare("SELECT key, value FROM settings WHERE key >= 'site.' AND key < 'site/' AND key <> ?")
    .all(versionKey) as { key: string; value: string }[];
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

/** Sets or, with null, removes a value. The caller has opened a transaction. */
export function writeSiteSetting(sqlite: Database.Database, name: string, value: string | null): void {
  if (value === null) sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + name);
  else writeSetting(sqlite, prefix + name, value);
}

/** Counts a change, so that other processes read the values again. */
export const countSiteSettingsChange = (sqlite: Database.Database): void =>
  writeSetting(sqlite, versionKey, String(siteSettingsVersion(sqlite) + 1));
