/** Collects which records the current batch changed, and writes it at its end: revisions, times, the stale queue. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';
import type { KindStatements } from './kind-statements.ts';

/** The marks of one batch. They are in memory until `flush` writes them, so a rolled back batch must `discard` them. */
export class RecordMarks {
  readonly #kinds: Record<Kind, KindStatements>;
  readonly #setRevision: Database.Statement;
  readonly #markStale: Database.Statement;
  /** Records older than the batch that changed in it, with kind and time (ms). */
  readonly #touched = new Map<number, { kind: Kind; now: number }>();
  readonly #stale = new Set<number>();
  /** Records older than the batch that get its revision, although they have no row. */
  readonly #revised = new Set<number>();

  constructor(sqlite: Database.Database, kinds: Record<Kind, KindStatements>) {
    this.#kinds = kinds;
    this.#setRevision = sqlite.prepare('UPDATE records SET revision = ? WHERE id = ?');
    this.#markStale = sqlite.prepare('INSERT OR IGNORE INTO stale_records (record_id) VALUES (?)');
  }

  /** Marks a record as changed at `now` (ms). */
  touch(kind: Kind, id: number, now: number): void {
    this.#touched.set(id, { kind, now });
  }

  /** Marks a record that gets the revision of the batch and keeps its time. */
  revise(id: number): void {
    this.#revised.add(id);
  }

  /** Marks a record to be recomputed after the batch. */
  markStale(id: number): void {
    this.#stale.add(id);
  }

  /** Writes the marks with the revision of the batch, and forgets them. */
  flush(revision: number): void {
    for (const [id, { kind, now }] of this.#touched) {
      this.#setRevision.run(revision, id);
      this.#kinds[kind].touch.run({ now, id });
    }
    for (const id of this.#revised) this.#setRevision.run(revision, id);
    for (const id of this.#stale) this.#markStale.run(id);
    this.discard();
  }

  /** Forgets the marks. */
  discard(): void {
    this.#touched.clear();
    this.#revised.clear();
    this.#stale.clear();
  }
}

/** Whether records or name ranks must still be recomputed: an import is running, or one was killed. */
export const hasStaleRecords = (sqlite: Database.Database): boolean =>
  sqlite
    .prepare(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM stale_records) OR EXISTS (SELECT 1 FROM stale_name_ranks) OR EXISTS (SELECT 1 FROM stale_documents)',
    )
    .get() !== undefined;
