/** The change log with names, for people to read. */
import type Database from 'better-sqlite3';
import type { Kind } from '../contract/fields.ts';
import { type Change, ChangeLog } from './records/change-log.ts';
import { kindTables } from './records/kind-tables.ts';

/** A change with the name of its record; `into` is the slug of the record it was merged into. */
export type ChangeWithName = Omit<Change, 'id' | 'into' | 'slug'> & {
  slug: string | null;
  name: string | null;
  into: string | null;
};

/** All changes after a revision, oldest first. A merge shows the current name of the surviving record. */
export function* changesWithNames(sqlite: Database.Database, since: number): Generator<ChangeWithName> {
  const statements = new Map<Kind, Database.Statement>();
  const find = (kind: Kind, id: number): { slug: string; name: string } | undefined => {
    let statement = statements.get(kind);
    if (statement === undefined) {
      statement = sqlite.prepare(`SELECT slug, name FROM ${kindTables[kind].table} WHERE id = ?`);
      statements.set(kind, statement);
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
