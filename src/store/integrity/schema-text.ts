/**
 * Digests of the definitions of tables, indexes and triggers, so that `verify` detects damage in them
 * (docs/decisions/11-copies.md). SQLite keeps each definition only once.
 */
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';

/** The setting that holds the digests, as JSON from name to digest. */
const digestsSetting = 'schema_digests';

type Definition = { type: string; name: string; table: string; sql: string | null };

/**
 * Stores the digests of the definitions in the file. Call it in the transaction that creates or changes them,
 * at its end.
 */
export function writeSchemaDigests(sqlite: Database.Database): void {
  sqlite
    .prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)')
    .run(digestsSetting, JSON.stringify(Object.fromEntries(readDigests(sqlite))));
}

/** Compares the definitions with the stored digests. A file without stored digests has no problems. */
export function findSchemaProblems(sqlite: Database.Database): string[] {
  const text = sqlite.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(digestsSetting);
  if (text === undefined) return [];
  const storedDigests = parseDigests(String(text));
  if (storedDigests === null) return ['the digests of the schema are unreadable'];
  const actual = readDigests(sqlite);
  const differences = [...storedDigests].filter(([name, digest]) => actual.get(name) !== digest);
  const newNames = [...actual.keys()].filter((name) => !storedDigests.has(name));
  return [
    ...differences.map(([name]) => `${name} is ${actual.has(name) ? 'defined differently' : 'missing'}`),
    ...newNames.map((name) => `${name} is unknown`),
  ];
}

function parseDigests(text: string): Map<string, string> | null {
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  } catch {
    return null;
  }
}

/** The digest of each definition, by name. SQLite creates and drops its statistics tables by itself. */
function readDigests(sqlite: Database.Database): Map<string, string> {
  const definitions = sqlite
    .prepare(
      'SELECT type, name, tbl_name AS "table", sql FROM sqlite_master WHERE name NOT GLOB \'sqlite_stat*\' ORDER BY name',
    )
    .all() as Definition[];
  return new Map(definitions.map((definition) => [definition.name, digestOf(definition)]));
}

const digestOf = ({ type, table, sql }: Definition): string =>
  createHash('sha256')
    .update(JSON.stringify([type, table, sql]))
    .digest('hex')
    .slice(0, 12);
