/** The history of a source and what it contributes, for editors who judge it. Only reads. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Contribution, SourceRunSummary } from '../../contract/source-summaries.ts';
import { SharedRecords } from '../../store/schedule/shared-records.ts';
import { type SourceRunRow, SourceRunStore } from '../../store/schedule/source-runs.ts';
import { usualRecords } from './shortfall.ts';

/** Records that a contribution counts, and records per look-up. */
const maxCounted = 20_000;
const pageSize = 500;

/** Reads the runs and the contribution of sources by their ids. */
export class SourceHistory {
  readonly #runs: SourceRunStore;
  readonly #shared: SharedRecords;

  constructor(sqlite: Database.Database) {
    this.#runs = new SourceRunStore(sqlite);
    this.#shared = new SharedRecords(sqlite);
  }

  /** The last runs, newest first. */
  runs(source: number): SourceRunSummary[] {
    return this.#runs.list(source).map(toSummary);
  }

  /** The usual number of records of a complete read; null if it is not known. */
  usual(source: number): number | null {
    return usualRecords(this.#runs.list(source));
  }

  /** Counts the records that only this source lists. Works in short steps, so that a service stays responsive. */
  async contribution(source: number): Promise<Contribution> {
    let [records, shared] = [0, 0];
    for (let last = { kind: '', external_id: '' }; records < maxCounted; ) {
      const rows = this.#shared.page(source, last, pageSize);
      records += rows.length;
      shared += rows.filter(({ is_shared }) => is_shared === 1).length;
      const end = rows.at(-1);
      if (end === undefined || rows.length < pageSize)
        return { records, only: records - shared, shared, is_complete: true };
      last = end;
      await nextTurn();
    }
    return { records, only: records - shared, shared, is_complete: false };
  }
}

function toSummary({ id, startedTs, endedTs, outcome, records, report }: SourceRunRow): SourceRunSummary {
  return {
    id,
    started_at: new Date(startedTs).toISOString(),
    ended_at: new Date(endedTs).toISOString(),
    outcome,
    records,
    kinds: report.kinds ?? {},
    rejected: report.rejected ?? 0,
    skipped: report.skipped ?? 0,
    rules: report.rules ?? {},
    error: report.error ?? null,
  };
}
