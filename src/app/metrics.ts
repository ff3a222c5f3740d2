/** The metrics that a service reports about its data file. Expensive counts are cached for a minute. */
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackupMetrics, ExportMetrics, FileMetrics, SourceMetrics } from '../http/metrics-text.ts';
import { countUndecidedPairs } from '../store/resolution/undecided-pairs.ts';
import { firstPosition, ListedRecords, type RecordPosition } from '../store/schedule/listed-records.ts';
import type { Backups } from './backups.ts';
import type { Sqlite } from './connections.ts';
import type { DataFile } from './data-file.ts';
import type { Exports } from './exports.ts';
import type { SourceRuns } from './source-runs.ts';

/** Maximum age of a count while the catalogue changes, in ms. */
const countMaxAgeMs = 60_000;
/** Source records that one step of a count reads: about a millisecond. */
const recordsPerStep = 1_000;

type MetricsOptions = {
  sqlite: Sqlite;
  file: DataFile;
  sourceRuns: SourceRuns;
  backups: Backups;
  exports: Exports;
};

/** The metrics of one data file for `/metrics` and the console. */
export class CatalogueMetrics {
  readonly #options: MetricsOptions;
  #counting: Promise<void> | null = null;
  #listed: ListedRecords | undefined;
  #undecidedPairs: { pairs: number; countedAtMs: number } | null = null;
  readonly #recordCounts = new Map<number, { records: number; revision: number; countedAtMs: number }>();

  constructor(options: MetricsOptions) {
    this.#options = options;
  }

  /** Returns the metrics of each scheduled source, by name. Requests at the same time share one count. */
  async sources(): Promise<SourceMetrics[]> {
    const plans = this.#options.sourceRuns.scheduleStates();
    this.#counting ??= this.#countAll(plans.map(({ source_id }) => source_id)).finally(() => {
      this.#counting = null;
    });
    await this.#counting;
    return plans.map(({ source_id, name, last_success_ts, failures, rejected }) => ({
      name,
      lastSuccessMs: last_success_ts,
      failures,
      rejected,
      records: this.#recordCounts.get(source_id)?.records ?? 0,
    }));
  }

  /** Returns the size of the data file, and the free space of its disk; null if they cannot be read. */
  async file(): Promise<FileMetrics> {
    const { path } = this.#options.file;
    const [file, disk] = await Promise.all([
      stat(path).catch(() => null),
      statfs(dirname(resolve(path))).catch(() => null),
    ]);
    return {
      fileBytes: file?.size ?? null,
      diskFreeBytes: disk === null ? null : disk.bavail * disk.bsize,
    };
  }

  /** Returns the metrics of the scheduled backups in a folder. */
  backups(folder: string): BackupMetrics {
    const state = this.#options.backups.state(folder);
    return {
      lastSuccessMs: state?.lastSuccessTs ?? null,
      lastBytes: state?.lastBytes ?? null,
      failures: state?.failures ?? 0,
    };
  }

  /** Returns the metrics of the scheduled exports in a folder. */
  exports(folder: string): ExportMetrics {
    const latest = this.#options.exports.state();
    const state = latest?.folder === resolve(folder) ? latest : null;
    return {
      lastSuccessMs: state?.last?.endedTs ?? null,
      lastBytes: state?.last?.bytes ?? null,
      lastRevision: state?.last?.revision ?? null,
      failures: state?.failures ?? 0,
    };
  }

  /** Counts the doubtful pairs without a decision, at most 5,000. The count is cached for a minute. */
  undecidedPairs(): number {
    const cached = this.#undecidedPairs;
    if (cached !== null && performance.now() - cached.countedAtMs < countMaxAgeMs) return cached.pairs;
    const pairs = countUndecidedPairs(this.#options.sqlite);
    this.#undecidedPairs = { pairs, countedAtMs: performance.now() };
    return pairs;
  }

  /** Counts the records of sources. Counts are cached for a minute, because each scans the records of its source. */
  async #countAll(sources: readonly number[]): Promise<void> {
    for (const source of sources) {
      const cached = this.#recordCounts.get(source);
      const isFresh = cached !== undefined && performance.now() - cached.countedAtMs < countMaxAgeMs;
      const revision = isFresh ? cached.revision : this.#options.file.revisionOnDisk();
      if (cached?.revision === revision) continue;
      const records = await this.#countRecords(source);
      this.#recordCounts.set(source, { records, revision, countedAtMs: performance.now() });
    }
  }

  /** Counts the records of a source in short steps, so that the service answers requests between them. */
  async #countRecords(source: number): Promise<number> {
    this.#listed ??= new ListedRecords(this.#options.sqlite);
    let records = 0;
    for (let after: RecordPosition | null = firstPosition; after !== null; ) {
      const page = this.#listed.count(source, after, recordsPerStep);
      records += page.records;
      after = page.next;
      await nextTurn();
    }
    return records;
  }
}
