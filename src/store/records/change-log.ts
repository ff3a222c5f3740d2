/**
 * The change log of records, by batch, kept forever. Creations are in `records.created_revision`; the table has
 * rows only for later changes.
 */

import type { Kind } from '../../contract/fields.ts';
import { kinds } from '../../contract/fields.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import { mapKeys } from '../values.ts';
import { kindTables } from './kind-tables.ts';

export type ChangeType =
  | 'created'
  | 'updated'
  | 'cancelled'
  | 'withdrawn'
  | 'merged'
  | 'hidden'
  | 'deleted'
  | 'restored';
export type Change = {
  /** The revision of the batch. */
  revision: number;
  id: number;
  kind: Kind;
  what: ChangeType;
  /** For "updated": names of the changed fields, as in response bodies. */
  fields: string[];
  /** For "merged": the slug that the record had, and the surviving record. For "hidden" and "deleted": the slug. */
  slug: string | null;
  into: number | null;
};

/** A record that was merged into another. */
export type MergedRecord = {
  kind: Kind;
  slug: string;
  revision: number;
  /** The present slug of the surviving record. */
  into: string;
};

/** A record that left the catalogue: an editor hid or deleted it, or no source lists it any more. */
export type RemovedChange = { slug: string; revision: number; change: 'hidden' | 'deleted' };

type ChangeRow = Omit<Change, 'fields'> & { fields: string | null };
type ChangeSummaryRow = { revision: number; what: ChangeType; fields: string | null };

/** The present slug of each record. */
const slugOwners = Object.entries(kindTables)
  .map(([kind, { table }]) => `SELECT '${kind}' AS kind, id, slug FROM ${table}`)
  .join(' UNION ALL ');
const columns =
  'c.revision, c.record_id AS id, r.kind, c.change_type AS what, c.fields, c.slug, c.merged_into_id AS "into"';
const creations = `SELECT created_revision AS revision, id, kind, 'created' AS what, NULL AS fields, NULL AS slug, NULL AS "into"
  FROM records`;

/** Reads the change log. */
export class ChangeLog extends SqliteStore {
  readonly #since = this.sqlite.prepare(
    `${creations} WHERE revision > @revision AND created_revision > @revision
     UNION ALL SELECT ${columns} FROM changes c JOIN records r ON r.id = c.record_id WHERE c.revision > @revision
     ORDER BY revision, id, what`,
  );
  readonly #createdRevision = prepareValue<number>(
    this.sqlite,
    'SELECT created_revision FROM records WHERE id = ?',
  );
  readonly #changesOf = this.sqlite.prepare<unknown[], ChangeSummaryRow>(
    'SELECT revision, change_type AS what, fields FROM changes WHERE record_id = ? AND revision > ? ORDER BY revision',
  );
  readonly #listing = this.sqlite.prepare(
    'SELECT 1 FROM source_records WHERE record_id = ? AND content IS NOT NULL AND withdrawn_ts IS NULL LIMIT 1',
  );
  // The slug resolves to the last survivor, even after several merges.
  readonly #merges = this.sqlite.prepare(
    `SELECT c.slug, max(c.revision) AS revision, o.slug AS "into"
     FROM changes c JOIN records r ON r.id = c.record_id
     JOIN slugs s ON s.kind = r.kind AND s.slug = c.slug
     JOIN (${slugOwners}) o ON o.kind = r.kind AND o.id = s.record_id
     WHERE c.change_type = 'merged' AND c.revision > @since AND r.kind = @kind AND o.slug <> c.slug
     GROUP BY c.slug ORDER BY c.slug`,
  );
  readonly #removals = mapKeys(kinds, (kind) =>
    this.sqlite.prepare(
      `SELECT c.slug, max(c.revision) AS revision, c.change_type AS change
       FROM changes c JOIN records r ON r.id = c.record_id
       WHERE c.revision > @since AND c.change_type IN ('hidden', 'deleted') AND c.slug IS NOT NULL
         AND r.kind = '${kind}' AND r.created_revision <= @since
         AND NOT EXISTS (SELECT 1 FROM ${kindTables[kind].table} t WHERE t.id = c.record_id)
         AND NOT EXISTS (SELECT 1 FROM ${kindTables[kind].table} t WHERE t.slug = c.slug)
       GROUP BY c.slug ORDER BY c.slug`,
    ),
  );
  readonly #history = this.sqlite.prepare<unknown[], ChangeRow>(
    `${creations} WHERE id = @id
     UNION ALL SELECT ${columns} FROM changes c JOIN records r ON r.id = c.record_id
     WHERE c.record_id = @id OR c.merged_into_id = @id
     ORDER BY revision, id, what`,
  );

  /**
   * Summarizes the changes of an existing record after a revision: the most important change type, and the
   * changed fields.
   */
  summarize(id: number, since: number): { change: ChangeType; fields?: string[] } {
    if ((this.#createdRevision.get(id) ?? 0) > since) return { change: 'created' };
    const rows = this.#changesOf.all(id, since);
    const change = changePriority.find(
      (what) => rows.some((row) => row.what === what) && this.#isCurrent(what, id, rows),
    );
    const fields = rows.flatMap((row) => (row.fields === null ? [] : (JSON.parse(row.fields) as string[])));
    return { change: change ?? 'updated', fields: [...new Set(fields)].sort() };
  }

  /** Whether a change was not reverted later. */
  #isCurrent(what: ChangeType, id: number, rows: readonly ChangeSummaryRow[]): boolean {
    if (what === 'withdrawn') return this.#listing.get(id) === undefined;
    return what !== 'cancelled' || !isReinstated(rows);
  }

  /** Records of a kind that were merged after a revision and not split again, with their present survivors. */
  *mergesSince(kind: Kind, since: number): Generator<MergedRecord> {
    for (const row of this.#merges.iterate({ kind, since }))
      yield { kind, ...(row as Omit<MergedRecord, 'kind'>) };
  }

  /** Records of a kind that existed at a revision and were removed after it, and not restored. */
  removalsSince(kind: Kind, since: number): RemovedChange[] {
    return this.#removals[kind].all({ since }) as RemovedChange[];
  }

  /** All changes after a revision of the catalogue, oldest first. */
  *since(revision: number): Generator<Change> {
    for (const row of this.#since.iterate({ revision })) yield toChange(row as ChangeRow);
  }

  /** The history of one record, oldest first, with its creation and the records merged into it. */
  forRecord(id: number): Change[] {
    return this.#history.all({ id }).map(toChange);
  }
}

/** Change types by importance; only the most important one is reported. */
const changePriority = ['created', 'restored', 'cancelled', 'withdrawn', 'updated'] as const;

/** Whether the status changed after the last cancellation. */
function isReinstated(rows: readonly ChangeSummaryRow[]): boolean {
  const last = rows.findLast(({ what }) => what === 'cancelled')?.revision ?? 0;
  return rows.some(
    ({ revision, fields }) => revision > last && fields !== null && JSON.parse(fields).includes('status'),
  );
}

const toChange = ({ fields, ...row }: ChangeRow): Change => ({
  ...row,
  fields: fields === null ? [] : (JSON.parse(fields) as string[]),
});

/** Collects the changes of a batch and writes them at its end. Several updates of a record become one. */
export class ChangeRecorder extends SqliteStore {
  readonly #fields = new Map<number, Set<string>>();
  readonly #changes = new Map<
    string,
    { id: number; what: ChangeType; slug: string | null; into: number | null }
  >();
  readonly #insert = this.sqlite.prepare(
    'INSERT OR REPLACE INTO changes (revision, record_id, change_type, fields, slug, merged_into_id, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );

  /** Records that fields of a record changed that is older than this batch. */
  recordUpdate(id: number, fields: Iterable<string>): void {
    let names = this.#fields.get(id);
    if (names === undefined) {
      names = new Set();
      this.#fields.set(id, names);
    }
    for (const field of fields) names.add(field);
  }

  /** Records that a record's status became "cancelled", or that no source lists it any more. */
  recordStatus(id: number, what: 'cancelled' | 'withdrawn'): void {
    this.#changes.set(`${id} ${what}`, { id, what, slug: null, into: null });
  }

  /** Records that a record with this slug left the catalogue, or came back (without a slug). */
  recordRemoval(id: number, what: 'hidden' | 'deleted' | 'restored', slug: string | null): void {
    this.#changes.set(`${id} ${what}`, { id, what, slug, into: null });
  }

  /** Records that a record with this slug was merged into another. */
  recordMerge(id: number, into: number, slug: string | null): void {
    this.#changes.set(`${id} merged`, { id, what: 'merged', slug, into });
  }

  /** Writes the collected changes under the revision of the batch. */
  flush(revision: number): void {
    for (const [id, fields] of this.#fields) {
      const text = JSON.stringify([...fields].sort());
      this.#insert.run(revision, id, 'updated', text, null, null, checksumOf(text, null, null));
    }
    for (const { id, what, slug, into } of this.#changes.values()) {
      this.#insert.run(revision, id, what, null, slug, into, checksumOf(null, slug, into));
    }
    this.discard();
  }

  /** Discards the collected changes after a rollback. */
  discard(): void {
    this.#fields.clear();
    this.#changes.clear();
  }
}
