/** Stores sources: their settings and runs. Their records are in `source-records.ts`. */
import { SqliteStore } from '../statement.ts';
import { sourceRecordCacheOf } from './source-record-cache.ts';

export type SourceRow = {
  id: number;
  name: string;
  trust: number;
  clock: 'instant' | 'local';
  run_count: number;
  /** JSON object. */
  rules: string;
};

/** Records marked stale per transaction. */
const maxMarkedPerBatch = 1_000;

/** Stores sources by name. Trust is 0 to 100, 50 for a new source; the clock of a new one is `instant`. */
export class SourceStore extends SqliteStore {
  /** The source with this name; undefined if there is none. */
  readonly find = this.selectFirst<[name: string], SourceRow>(
    'SELECT id, name, trust, clock, run_count, rules FROM sources WHERE name = ?',
  );
  /** The name of a source; null if there is none with this id. */
  readonly nameOf = this.selectValue<[source: number], string>('SELECT name FROM sources WHERE id = ?');

  /**
   * Opens the source of a name for a run, and creates it if it is new. Given settings replace the present ones.
   * If they change, the records of the source are first marked to be recomputed. The caller holds the write
   * lease.
   */
  async open(
    name: string,
    type: string,
    settings: { trust?: number | undefined; clock?: 'instant' | 'local' | undefined },
    { now, write }: { now: number; write: <T>(work: () => T) => Promise<T> },
  ): Promise<SourceRow> {
    const before = this.find(name);
    const { trust = before?.trust, clock = before?.clock } = settings;
    // Marks left by a killed run are harmless: recomputing an unchanged record changes nothing.
    if (before && (trust !== before.trust || clock !== before.clock))
      await this.markRecordsStale(before.id, write);
    const insert = this.sqlite.prepare(
      'INSERT INTO sources (name, type, trust, clock, created_ts) VALUES (?, ?, 50, ?, ?) ON CONFLICT (name) DO NOTHING',
    );
    const update = this.sqlite.prepare(
      'UPDATE sources SET trust = coalesce(?, trust), clock = coalesce(?, clock), run_count = run_count + 1, last_run_ts = ? WHERE name = ?',
    );
    const run = this.sqlite.transaction(() => {
      insert.run(name, type, 'instant', now);
      update.run(settings.trust ?? null, settings.clock ?? null, now, name);
      sourceRecordCacheOf(this.sqlite).clear();
      return this.find(name) as SourceRow;
    });
    return await write(() => run.immediate());
  }

  /** Returns the source of a name, and creates it if it is new. For writes within an open transaction. */
  ensure(name: string, type: string, now: number): SourceRow {
    this.sqlite
      .prepare(
        `INSERT INTO sources (name, type, trust, clock, created_ts) VALUES (?, ?, 50, 'instant', ?)
         ON CONFLICT (name) DO NOTHING`,
      )
      .run(name, type, now);
    return this.find(name) as SourceRow;
  }

  /** Counts a run of a source within an open transaction, and returns the source. */
  beginRun(name: string, now: number): SourceRow {
    this.sqlite
      .prepare('UPDATE sources SET run_count = run_count + 1, last_run_ts = ? WHERE name = ?')
      .run(now, name);
    return this.find(name) as SourceRow;
  }

  /** Marks every record that the source describes to be recomputed, in batches. */
  async markRecordsStale(source: number, write: <T>(work: () => T) => Promise<T>): Promise<void> {
    const page = this.sqlite.prepare(
      `SELECT kind, external_id, record_id, content IS NOT NULL AS states FROM source_records
       WHERE source_id = ? AND (kind, external_id) > (?, ?) ORDER BY kind, external_id LIMIT ${maxMarkedPerBatch}`,
    );
    const mark = this.sqlite.prepare('INSERT OR IGNORE INTO stale_records (record_id) VALUES (?)');
    const markAll = this.sqlite.transaction((ids: readonly number[]) => {
      for (const id of ids) mark.run(id);
    });
    type Row = { kind: string; external_id: string; record_id: number; states: number };
    for (let [kind, id] = ['', '']; ; ) {
      const rows = page.all(source, kind, id) as Row[];
      const last = rows.at(-1);
      if (last === undefined) return;
      [kind, id] = [last.kind, last.external_id];
      const staleIds = rows.filter((row) => row.states === 1).map((row) => row.record_id);
      await write(() => markAll.immediate(staleIds.sort((a, b) => a - b)));
    }
  }

  /** The rules of a source as JSON. */
  rulesOf(source: number): string {
    return (this.sqlite.prepare('SELECT rules FROM sources WHERE id = ?').pluck().get(source) ??
      '{}') as string;
  }
}
