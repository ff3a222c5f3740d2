/**
 * Reads which records changed after a revision, each once with its last revision, in the order of the revisions.
 * A record that changes again moves to a later revision, so a walk never needs one state of the file
 * (docs/decisions/33-changes-and-exports.md).
 */

import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Kind } from '../../contract/fields.ts';
import { kinds } from '../../contract/fields.ts';
import { readSetting } from '../database.ts';
import { kindTables } from '../records/kind-tables.ts';
import { publicId } from '../records/serialize.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import { mapKeys } from '../values.ts';

export type ChangedRecord = { id: number; kind: Kind; revision: number };
/** A place between two records of the walk. */
export type WalkPosition = { revision: number; id: number };
/** Why a record is not in the catalogue. */
export type TombstoneChange = 'hidden' | 'deleted' | 'withdrawn' | 'merged';
export type Tombstone = {
  change: TombstoneChange;
  /** The slug that the record had; null if it never had one, or if it was forgotten. */
  slug: string | null;
  /** Of a merged record: the record that it is part of now. */
  into?: { id: string; slug: string };
};

/** The setting with the first revision since which revisions are complete; 0 if it is missing. */
const completeFromSetting = 'changes_from';
/** The actor of removals that no person decided (`removed_records.removed_by`). */
const unlistedPrefix = 'source:';

type LastChange = { what: string; slug: string | null; into: number | null };
type RemovalRow = { state: string; slug: string; removed_by: string };

/** The first revision since which all changes are known. */
export const readCompleteFrom = (sqlite: Database.Database): number =>
  Number(readSetting(sqlite, completeFromSetting) ?? 0);

/** Reads changed records and tombstones for the change feed (docs/spec/changes.md). `completeFrom` is read once. */
export class ChangedRecords extends SqliteStore {
  /** The first revision since which all changes are known. */
  readonly completeFrom: number = readCompleteFrom(this.sqlite);
  /** The next records after a position, in the order of their revisions. */
  readonly page = this.selectAll<[after: WalkPosition, until: number, limit: number], ChangedRecord>(
    (after, until, limit) => sql`SELECT id, kind, revision FROM records
     WHERE (revision, id) > (${after.revision}, ${after.id}) AND revision <= ${until}
     ORDER BY revision, id LIMIT ${limit}`,
  );
  /** The number of records whose last change is after `since` and not after `until`, at most `limit`. */
  readonly count = this.selectCount<[since: number, until: number, limit: number]>(
    'SELECT count(*) FROM (SELECT 1 FROM records WHERE revision > ? AND revision <= ? LIMIT ?)',
  );
  readonly #revisionAt = prepareValue<number>(
    this.sqlite,
    'SELECT revision FROM records WHERE revision > @since ORDER BY revision LIMIT 1 OFFSET @offset',
  );
  readonly #lastChange = this.sqlite.prepare<unknown[], LastChange>(
    `SELECT change_type AS what, slug, merged_into_id AS "into" FROM changes
     WHERE record_id = ? AND change_type IN ('merged', 'hidden', 'deleted') ORDER BY revision DESC LIMIT 1`,
  );
  readonly #removal = this.sqlite.prepare<unknown[], RemovalRow>(
    'SELECT state, slug, removed_by FROM removed_records WHERE record_id = ?',
  );
  readonly #presentSlug = mapKeys(kinds, (kind) =>
    this.sqlite.prepare<[number], string>(`SELECT slug FROM ${kindTables[kind].table} WHERE id = ?`).pluck(),
  );

  /**
   * The revision at which a response of about `limit` records ends: that of its last record, with all others of this
   * revision, or `revision` if fewer records changed.
   */
  lastRevision(since: number, limit: number, revision: number): number {
    const reached = this.#revisionAt.get({ since, offset: limit - 1 });
    return Math.min(reached ?? revision, revision);
  }

  /** The present slug of a record; null if it is not in the catalogue. */
  slugOf(kind: Kind, id: number): string | null {
    return this.#presentSlug[kind].get(id) ?? null;
  }

  /** Why a record without a row is not in the catalogue. */
  tombstoneOf(kind: Kind, id: number): Tombstone {
    const removal = this.#removal.get(id);
    if (removal !== undefined) return tombstoneOfRemoval(removal);
    const last = this.#lastChange.get(id);
    if (last === undefined) return { change: 'deleted', slug: null };
    if (last.what !== 'merged') return { change: last.what as 'hidden' | 'deleted', slug: last.slug };
    const into = this.#survivorOf(kind, last);
    // The survivor was removed, and with it what was merged into it.
    if (into === null) return { change: 'deleted', slug: last.slug };
    return { change: 'merged', slug: last.slug, into };
  }

  #survivorOf(kind: Kind, first: LastChange): { id: string; slug: string } | null {
    const visited = new Set<number>();
    let id = first.into;
    while (id !== null && !visited.has(id)) {
      const slug = this.slugOf(kind, id);
      if (slug !== null) return { id: publicId(kind, id), slug };
      visited.add(id);
      const next = this.#lastChange.get(id);
      id = next?.what === 'merged' ? next.into : null;
    }
    return null;
  }
}

function tombstoneOfRemoval({ state, slug, removed_by: by }: RemovalRow): Tombstone {
  if (state === 'forgotten') return { change: 'deleted', slug: null };
  const change = by.startsWith(unlistedPrefix) ? 'withdrawn' : (state as 'hidden' | 'deleted');
  return { change, slug: slug === '' ? null : slug };
}
