/** The change log with the names of what changed, for people. */
import type Database from 'better-sqlite3';
import type { Kind } from '../contract/fields.ts';
import { type Change, ChangeLog } from './records/change-log.ts';
import { kindTables } from './records/kind-tables.ts';

/** A change and what it is about; `into` is the slug of the record that took it in. */
export type ChangeWithName = Omit<Change, 'id' | 'into' | 'slug'> & {
  slug: string | null;
  name: string | null;
  into: string | null;
};

/** All that happened after a revision, oldest first; a record that took another in is named by what it is now. */
export function* changesWithNames(sqlite: Database.Database, since: number): Generator<ChangeWithName> {
  const about = new Map<Kind, Database.Statement>();
  const find = (kind: Kind, id: number): { slug: string; name: string } | undefined => {
    let statement = about.get(kind);
    if (statement === undefined) {
      statement = sqlite.prepare(`SELECT slug, name FROM ${kindTables[kind].table} WHERE id = ?`);
      about.set(kind, statement);
    }
    return statement.get(id) as { slug: string; name: string } | undefined;
  };
  for (const { id, into, slug, ...change } of new ChangeLog(sqlite).since(since)) {
    const record = find(change.kind, into ?? id);
    yield {
      ...change,
      slug: slug ?? record?.slug ?? null,
      name: record?.name ?? null,
      into: into === null ? null : (record?.slug ?? null),
    };
  }
}
