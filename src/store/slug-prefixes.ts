/** Slugs by prefix, for shell completion. */
import type Database from 'better-sqlite3';
import type { Kind } from '../contract/fields.ts';
import { prepareValue } from './statement.ts';

/** Slugs of a kind with the prefix, sorted, including former slugs. Editions are `festival/edition`. */
export function slugsWithPrefix(
  sqlite: Database.Database,
  kind: Kind,
  prefix: string,
  limit: number,
): string[] {
  if (kind === 'edition') return editionsWithPrefix(sqlite, prefix, limit);
  return prepareValue<string>(
    sqlite,
    `SELECT slug FROM slugs WHERE kind = ? AND slug >= ? AND slug < ?
       AND record_id NOT IN (SELECT record_id FROM removed_records) ORDER BY slug LIMIT ?`,
  ).all(kind, prefix, `${prefix}\u{10ffff}`, limit);
}

function editionsWithPrefix(sqlite: Database.Database, prefix: string, limit: number): string[] {
  const at = prefix.indexOf('/');
  if (at === -1) return slugsWithPrefix(sqlite, 'festival', prefix, limit).map((slug) => `${slug}/`);
  const festival = prefix.slice(0, at);
  const edition = prefix.slice(at + 1);
  const editions = prepareValue<string>(
    sqlite,
    `SELECT edition FROM editions
       WHERE festival_id = (SELECT record_id FROM slugs WHERE kind = 'festival' AND slug = ?)
       ORDER BY sort_ts DESC, id DESC`,
  ).all(festival);
  return editions
    .filter((name) => name.startsWith(edition))
    .slice(0, limit)
    .map((name) => `${festival}/${name}`);
}
