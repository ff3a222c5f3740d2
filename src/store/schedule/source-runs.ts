/** Stores the last runs of each source. */
import { SqliteStore } from '../statement.ts';
import type { Row } from '../tables.ts';

/** Runs kept per source. */
const maxRuns = 100;

export type NewSourceRun = {
  /** ms since 1970. */
  startedTs: number;
  endedTs: number;
  outcome: string;
  /** Valid records that the source listed. */
  records: number;
  /** Counts, error and what else is known; stored as JSON. */
  report: SourceRunReport;
};
export type SourceRunReport = {
  kinds?: Record<string, Record<string, number>>;
  rejected?: number;
  skipped?: number;
  /** Records that each rule of the source skipped. */
  rules?: Record<string, number>;
  error?: string | null;
  seconds?: number;
  /** Whether the run read the source completely, so that its number of records can be compared with other runs. */
  isFullRead?: boolean;
  /** Whether an editor accepted its number of records as the new normal. */
  isAccepted?: boolean;
};
export type SourceRunRow = NewSourceRun & { id: number };

/** Stores the outcomes of runs; the last 100 of each source are kept. */
export class SourceRunStore extends SqliteStore {
  readonly #insert = this.sqlite.prepare(
    'INSERT INTO source_runs (source_id, started_ts, ended_ts, outcome, records, report) VALUES (?, ?, ?, ?, ?, ?)',
  );
  readonly #prune = this.sqlite.prepare(
    `DELETE FROM source_runs WHERE source_id = @source AND id <=
       (SELECT id FROM source_runs WHERE source_id = @source ORDER BY id DESC LIMIT 1 OFFSET ${maxRuns})`,
  );
  readonly #list = this.selectAll<[source: number, limit: number], Omit<Row<'source_runs'>, 'source_id'>>(
    'SELECT id, started_ts, ended_ts, outcome, records, report FROM source_runs WHERE source_id = ? ORDER BY id DESC LIMIT ?',
  );

  /** Adds a run, in the transaction that saves its outcome, and deletes the oldest beyond the limit. */
  add(source: number, run: NewSourceRun): void {
    const { startedTs, endedTs, outcome, records, report } = run;
    this.#insert.run(source, startedTs, endedTs, outcome, records, JSON.stringify(report));
    this.#prune.run({ source });
  }

  /** The last runs of a source, newest first. */
  list(source: number, limit = maxRuns): SourceRunRow[] {
    return this.#list(source, limit).map((row) => ({
      id: row.id,
      startedTs: row.started_ts,
      endedTs: row.ended_ts,
      outcome: row.outcome,
      records: row.records,
      report: JSON.parse(row.report) as SourceRunReport,
    }));
  }
}
