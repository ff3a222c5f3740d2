/**
 * The change log: what became of which record in which batch, kept for good. That a record was made stands in
 * `records.created_revision`; rows are only for what came after.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { kindTables } from './kind-tables.ts';

export type ChangeType = 'created' | 'updated' | 'cancelled' | 'withdrawn' | 'merged';
export type Change = {
  /** Of the batch that did it. */
  revision: number;
  id: number;
  kind: Kind;
  what: ChangeType;
  /** Names of the fields, as bodies show them, where `what` is "updated". */
  fields: string[];
  /** Where `what` is "merged": the slug the record had, and the record that took it in. */
  slug: string | null;
  into: number | null;
};

/** A record that went into another one. */
export type MergedRecord = {
  kind: Kind;
  slug: string;
  revision: number;
  /** The slug of the record where it is now. */
  into: string;
};

type ChangeRow = Omit<Change, 'fields'> & { fields: string | null };
type ChangeSummaryRow = { revision: number; what: ChangeType; fields: string | null };

/** The slug that each record has of itself. */
const slugOwners = Object.entries(kindTables)
  .map(([kind, { table }]) => `SELECT '${kind}' AS kind, id, slug FROM ${table}`)
  .join(' UNION ALL ');
const columns =
  'c.revision, c.record_id AS id, r.kind, c.change_type AS what, c.fields, c.slug, c.merged_into_id AS "into"';
const creations = `SELECT created_revision AS revision, id, kind, 'created' AS what, NULL AS fields, NULL AS slug, NULL AS "into"
  FROM records`;

/** The reading side of the change log. */
export class ChangeLog {
  readonly #since: Database.Statement;
  readonly #of: Database.Statement;
  readonly #made: Database.Statement;
  readonly #between: Database.Statement;
  readonly #listed: Database.Statement;
  readonly #merged: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#since = sqlite.prepare(
      `${creations} WHERE revision > @revision AND created_revision > @revision
       UNION ALL SELECT ${columns} FROM changes c JOIN records r ON r.id = c.record_id WHERE c.revision > @revision
       ORDER BY revision, id, what`,
    );
    this.#made = sqlite.prepare('SELECT created_revision FROM records WHERE id = ?').pluck();
    this.#between = sqlite.prepare(
      'SELECT revision, change_type AS what, fields FROM changes WHERE record_id = ? AND revision > ? ORDER BY revision',
    );
    this.#listed = sqlite.prepare(
      'SELECT 1 FROM source_records WHERE record_id = ? AND content IS NOT NULL AND withdrawn_ts IS NULL LIMIT 1',
    );
    // However often it was merged on: its slug says with whom it answers now, and so does that one's own.
    this.#merged = sqlite.prepare(
      `SELECT c.slug, max(c.revision) AS revision, o.slug AS "into"
       FROM changes c JOIN records r ON r.id = c.record_id
       JOIN slugs s ON s.kind = r.kind AND s.slug = c.slug
       JOIN (${slugOwners}) o ON o.kind = r.kind AND o.id = s.record_id
       WHERE c.change_type = 'merged' AND c.revision > @since AND r.kind = @kind AND o.slug <> c.slug
       GROUP BY c.slug ORDER BY c.slug`,
    );
    this.#of = sqlite.prepare(
      `${creations} WHERE id = @id
       UNION ALL SELECT ${columns} FROM changes c JOIN records r ON r.id = c.record_id
       WHERE c.record_id = @id OR c.merged_into_id = @id
       ORDER BY revision, id, what`,
    );
  }

  /** What became of a record that is still there after a revision, in one word, and the fields that have other values. */
  summarize(id: number, since: number): { change: ChangeType; fields?: string[] } {
    if ((this.#made.get(id) as number) > since) return { change: 'created' };
    const rows = this.#between.all(id, since) as ChangeSummaryRow[];
    const change = changePriority.find(
      (what) => rows.some((row) => row.what === what) && this.#holds(what, id, rows),
    );
    const fields = rows.flatMap((row) => (row.fields === null ? [] : (JSON.parse(row.fields) as string[])));
    return { change: change ?? 'updated', fields: [...new Set(fields)].sort() };
  }

  /** Whether what happened to a record was not taken back since. */
  #holds(what: ChangeType, id: number, rows: readonly ChangeSummaryRow[]): boolean {
    if (what === 'withdrawn') return this.#listed.get(id) === undefined;
    return what !== 'cancelled' || !isReinstated(rows);
  }

  /** Records of a kind that went into others after a revision and did not come back, and where they are now. */
  *mergesSince(kind: Kind, since: number): Generator<MergedRecord> {
    for (const row of this.#merged.iterate({ kind, since }))
      yield { kind, ...(row as Omit<MergedRecord, 'kind'>) };
  }

  /** All that happened after a revision of the catalogue, oldest first. */
  *since(revision: number): Generator<Change> {
    for (const row of this.#since.iterate({ revision })) yield toChange(row as ChangeRow);
  }

  /** The life of one record, oldest first: from when it was made, with the records it took in. */
  forRecord(id: number): Change[] {
    return (this.#of.all({ id }) as ChangeRow[]).map(toChange);
  }
}

/** The most telling first: what an update besides adds nothing to. */
const changePriority = ['created', 'cancelled', 'withdrawn', 'updated'] as const;

/** Whether what was cancelled has another status since. */
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

/** The changes of a batch, noted while it is under way and written at its end: several updates of a record are one. */
export class ChangeRecorder {
  readonly #insert: Database.Statement;
  readonly #fields = new Map<number, Set<string>>();
  readonly #marks = new Map<
    string,
    { id: number; what: ChangeType; slug: string | null; into: number | null }
  >();

  constructor(sqlite: Database.Database) {
    this.#insert = sqlite.prepare(
      'INSERT OR REPLACE INTO changes (revision, record_id, change_type, fields, slug, merged_into_id, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  /** Fields of a record that were there before this batch have other values now. */
  recordUpdate(id: number, fields: Iterable<string>): void {
    let known = this.#fields.get(id);
    if (known === undefined) {
      known = new Set();
      this.#fields.set(id, known);
    }
    for (const field of fields) known.add(field);
  }

  /** A record's status became "cancelled", or no source lists it any more. */
  recordStatus(id: number, what: 'cancelled' | 'withdrawn'): void {
    this.#marks.set(`${id} ${what}`, { id, what, slug: null, into: null });
  }

  /** A record, which had this slug, went into another one. */
  recordMerge(id: number, into: number, slug: string | null): void {
    this.#marks.set(`${id} merged`, { id, what: 'merged', slug, into });
  }

  /** Writes what was noted, under the revision of the batch. */
  flush(revision: number): void {
    for (const [id, fields] of this.#fields) {
      const text = JSON.stringify([...fields].sort());
      this.#insert.run(revision, id, 'updated', text, null, null, checksumOf(text, null, null));
    }
    for (const { id, what, slug, into } of this.#marks.values()) {
      this.#insert.run(revision, id, what, null, slug, into, checksumOf(null, slug, into));
    }
    this.discard();
  }

  /** The batch is undone: nothing of it happened. */
  discard(): void {
    this.#fields.clear();
    this.#marks.clear();
  }
}
