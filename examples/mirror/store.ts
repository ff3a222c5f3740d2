/** The mirror's copy of the catalogue: a SQLite file with one row per record, and the revision that it has reached. */
import { DatabaseSync } from 'node:sqlite';

/** A line of the export or of /changes. */
export type Line = {
  revision: number;
  change: 'present' | 'hidden' | 'deleted' | 'withdrawn' | 'merged' | 'end';
  kind: string;
  id: string;
  slug: string | null;
  data?: object;
  lists?: object;
  /** Of the last line. */
  epoch?: string;
  has_more?: boolean;
};
/** Where to continue. Without an epoch, the mirror has not begun. */
export type Position = { since: number; epoch: string | null };

export class Store {
  readonly #file: DatabaseSync;

  constructor(path: string) {
    this.#file = new DatabaseSync(path);
    this.#file.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS records (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, slug TEXT NOT NULL, data TEXT NOT NULL, lists TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS records_by_slug ON records (kind, slug);
      CREATE TABLE IF NOT EXISTS position (one INTEGER PRIMARY KEY CHECK (one = 1), since INTEGER, epoch TEXT);`);
  }

  position(): Position {
    const row = this.#file.prepare('SELECT since, epoch FROM position').get();
    return (row as Position | undefined) ?? { since: 0, epoch: null };
  }

  /** Runs changes as one transaction: after a crash, all of them are there or none. */
  async transaction(change: () => Promise<Position>): Promise<void> {
    this.#file.exec('BEGIN IMMEDIATE');
    try {
      const { since, epoch } = await change();
      this.#file
        .prepare('INSERT OR REPLACE INTO position (one, since, epoch) VALUES (1, ?, ?)')
        .run(since, epoch);
      this.#file.exec('COMMIT');
    } catch (failure) {
      this.#file.exec('ROLLBACK');
      throw failure;
    }
  }

  clear(): void {
    this.#file.exec('DELETE FROM records');
  }

  /** Stores the document of a record, or deletes the record. Applying a line twice changes nothing. */
  apply(line: Line): void {
    if (line.change === 'present') {
      const { id, kind, slug, data, lists } = line;
      this.#file
        .prepare('INSERT OR REPLACE INTO records (id, kind, slug, data, lists) VALUES (?, ?, ?, ?, ?)')
        .run(id, kind, slug, JSON.stringify(data), JSON.stringify(lists));
    } else this.#file.prepare('DELETE FROM records WHERE id = ?').run(line.id);
  }

  count(): number {
    return (this.#file.prepare('SELECT count(*) AS n FROM records').get() as { n: number }).n;
  }

  close(): void {
    this.#file.close();
  }
}
