/** Runs one source: reads it, imports its records and saves the result of the run. */

import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import type { ClosedVenueNotice, RejectedItem } from '../../contract/source-summaries.ts';
import { Failure, Interrupted } from '../../failure.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { isFileError } from '../../log.ts';
import type { SourceType } from '../../sources/adapter.ts';
import { BlockedAddressError } from '../../sources/common/fetch-error.ts';
import type { RecordKey } from '../../sources/common/input-items.ts';
import { readSource, type Skipped, SkippedItems } from '../../sources/read-source.ts';
import { readRevision } from '../../store/file/maintenance.ts';
import { genreCheck } from '../../store/resolution/genre-check.ts';
import {
  parseOptions,
  type ScheduleRow,
  ScheduleStore,
  type UnscheduledSourceRow,
} from '../../store/schedule/schedules.ts';
import { type NewSourceRun, SourceRunStore } from '../../store/schedule/source-runs.ts';
import { isCityName } from '../import/city-check.ts';
import { type ImportReport, importFeed } from '../import/import-feed.ts';
import type { HeldLease } from '../write-lock/write-lease.ts';
import { closedVenuesOf } from './closed-venues.ts';
import { describeDefect, recordDeadRuns, unexpectedExitReason } from './dead-runs.ts';
import { PageValidators } from './page-validators.ts';
import { RunAbort } from './run-abort.ts';
import { mergeRunReport } from './run-report.ts';
import { nextRetry, nextRun } from './schedule-times.ts';
import { isShortfall, shortfallMessage, usualRecords } from './shortfall.ts';
import { secretValues } from './source-config.ts';
import { SourceRun } from './source-run.ts';
import { type ProcessorTime, WorkLimit } from './work-limit.ts';

/** The report of one source's run. */
export type SyncReport = Omit<ImportReport, 'refused' | 'rejectedCount' | 'lock'> & {
  /**
   * `failed` and `partial`: not everything could be read; everything that was read is in the catalogue. `refused`:
   * nothing was withdrawn because more than half would have been.
   */
  outcome: 'done' | 'unchanged' | 'partial' | 'refused' | 'failed';
  rejected_count: number;
  /** Items that were skipped on purpose, such as a day on which a venue is closed. */
  skipped: Skipped[];
  skipped_count: number;
  /** Values and columns that were left out. The records that have them were read. */
  notes: Skipped[];
  /** The error in one line; null if the outcome is `done`. */
  error: string | null;
  /** Events that the source lists at venues that closed before. */
  closed_venues: ClosedVenueNotice;
  /** The next run, ISO 8601; null if none is scheduled (a dry run). */
  next_run_at: string | null;
};

export type SyncOptions = {
  /** Withdraw records even if more than half would go. */
  force?: boolean;
  /** Download every page even if it has not changed. */
  fresh?: boolean;
  /**
   * Started manually, possibly without the service's permissions: if a private address is refused, the state and next
   * run of the source do not change.
   */
  byHand?: boolean;
  /** Whether the watchdog ends this process if the run blocks it. By default, it does if there is a `signal`. */
  isWatched?: boolean | undefined;
  /** The write lease of the run, lent to short work that waits. */
  lease?: HeldLease | undefined;
  /** Measures the processor time of the run; only tests set it. */
  processorTime?: ProcessorTime | undefined;
  /** Stops the work at a committed batch; aborted with an `Interrupted`. */
  signal?: AbortSignal | undefined;
  onWait?: (what: string) => void;
  onProgress?: (progress: { records: number }) => void;
  onRejected?: (item: RejectedItem) => void;
  /** Receives program errors; the report contains one line of each. */
  onDefect?: (failure: unknown) => void;
  onMatched?: ((subject: RecordKey) => void) | undefined;
};

/** Runs sources one at a time. */
export class SourceSync {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #fetch: GuardedFetch;
  readonly #secretSettings: (type: SourceType) => Record<string, string>;
  readonly #schedules: ScheduleStore;
  readonly #runs: SourceRunStore;
  /** The current run. */
  #runAbort: RunAbort | null = null;

  /** @param secretSettings returns the secret options that the environment sets for a source type */
  constructor(
    sqlite: Database.Database,
    clock: Clock,
    deps: { fetch: GuardedFetch; secretSettings: (type: SourceType) => Record<string, string> },
  ) {
    this.#sqlite = sqlite;
    this.#clock = clock;
    this.#fetch = deps.fetch;
    this.#secretSettings = deps.secretSettings;
    this.#schedules = new ScheduleStore(sqlite);
    this.#runs = new SourceRunStore(sqlite);
  }

  /**
   * Aborts the current run with a failure from elsewhere; it is reported like any other.
   * @returns false if no source is being read
   */
  interrupt(failure: unknown): boolean {
    this.#runAbort?.abort(failure);
    return this.#runAbort !== null;
  }

  /**
   * Runs a source. The caller holds the write lease. The run is marked in the file while it lasts, so that a later
   * process can tell if this one died.
   * @param find returns the source as it is when the run begins
   */
  async run(find: () => ScheduleRow, options: SyncOptions): Promise<SyncReport> {
    const { signal } = options;
    // The lease holder writes alone, so all other runs marked as running have ended.
    await recordDeadRuns(this.#sqlite, this.#clock.now(), () => unexpectedExitReason, signal);
    const row = find();
    const { source_id: source, interval_ms: every, next_ts: planned } = row;
    const run = new SourceRun(this.#sqlite, this.#schedules, { source, planned, signal });
    await run.begin(nextRetry(this.#clock.now(), every, row.failures + 1));
    const interrupt = new RunAbort();
    this.#runAbort = interrupt;
    try {
      return await this.#run(row, run, options, interrupt);
    } catch (failure) {
      // An interrupted run is no failure of the source, which stays due as before.
      if (failure instanceof Interrupted) await run.giveUpSoon();
      else run.unnote();
      throw failure;
    } finally {
      run.close();
      this.#runAbort = null;
    }
  }

  async #run(
    row: ScheduleRow,
    run: SourceRun,
    options: SyncOptions,
    interrupt: RunAbort,
  ): Promise<SyncReport> {
    const startedAt = this.#clock.now();
    const { source_id: source, interval_ms: every, next_ts: planned } = row;
    const memory = new PageValidators(options.fresh ? [] : this.#schedules.pages(source));
    const skipped = new SkippedItems();
    const settings = { ...parseOptions(row.options), ...this.#secretSettings(row.type as SourceType) };
    const reading = readSource({
      type: row.type as SourceType,
      location: row.url,
      complete: row.is_full_feed === 1,
      options: settings,
      now: startedAt,
      fetch: this.#fetch,
      validators: memory,
      onSkipped: (one) => skipped.add(one),
      isGenre: genreCheck(this.#sqlite),
      isCity: isCityName,
      signal: interrupt.signal,
    });
    const limit = new WorkLimit(options.processorTime);
    const records = limit.limit(interrupt.untilAborted(reading.records));
    const end = () => endOf(limit, reading);
    const isFullRead = () => isComparable(row) && end().ended === 'whole' && memory.unchanged().length === 0;
    const { isAllowed, ...read } = await this.#import(
      row,
      { ...reading, end, records, isFullRead, onSkipped: (one) => skipped.add(one) },
      options,
    );
    const closedVenues = closedVenuesOf(this.#sqlite, row.name, startedAt);
    const error = read.error === null ? null : redactSecrets(read.error, secretValues(row.url, settings));
    const report = { ...read, error, ...skipped.toReport(), closed_venues: closedVenues };
    if (!isAllowed && options.byHand) {
      await run.giveUp();
      return { ...report, next_run_at: new Date(planned).toISOString() };
    }
    const now = this.#clock.now();
    const isGood = report.outcome === 'done' || report.outcome === 'unchanged';
    const next = isGood ? nextRun(startedAt, every) : nextRetry(now, every, row.failures + 1);
    const scheduled = { ...report, next_run_at: new Date(next).toISOString() };
    const reportText = JSON.stringify(mergeRunReport(scheduled, row.last_report, memory.unchanged()));
    const marks = { isFullRead: isFullRead(), isAccepted: options.force === true };
    const entry = toRunEntry(report, { startedTs: startedAt, endedTs: now }, marks);
    if (isGood) {
      const pages = report.outcome === 'done' ? memory.rowsAfterSuccess() : null;
      await run.succeed({ now, next, report: reportText, run: entry }, pages);
    } else {
      const end = { next, error: report.error ?? '', report: reportText, run: entry };
      await run.fail(end, memory.rowsAfterFailure());
    }
    return scheduled;
  }

  async #import(
    row: ScheduleRow,
    reading: ReturnType<typeof readSource> & {
      isFullRead: () => boolean;
      onSkipped: (skipped: Skipped) => void;
    },
    options: SyncOptions,
  ): Promise<ReadReport & { isAllowed: boolean }> {
    const startedAt = performance.now();
    const usual = options.force === true ? null : usualRecords(this.#runs.list(row.source_id));
    const isShort = (records: number) => reading.isFullRead() && isShortfall(records, usual);
    try {
      const {
        refused,
        rejectedCount,
        lock: _,
        ...report
      } = await importFeed(this.#sqlite, {
        ...sourceOf(row),
        now: this.#clock.now(),
        records: reading.records,
        complete: ({ records }) =>
          row.is_full_feed === 1 && reading.end().ended === 'whole' && !isShort(records),
        force: options.force,
        onProgress: ({ lines }) => options.onProgress?.({ records: lines }),
        onRejected: options.onRejected,
        onSkipped: reading.onSkipped,
        onMatched: options.onMatched,
        lease: options.lease,
        signal: options.signal,
      });
      const withStatus = { ...report, rejected_count: rejectedCount, next_run_at: null, isAllowed: true };
      if (row.type === 'feed' && hasNoRecords(withStatus))
        return { ...withStatus, outcome: 'failed', error: noRecordsMessage(withStatus) };
      if (usual !== null && isShort(report.records))
        return { ...withStatus, outcome: 'failed', error: shortfallMessage(row.name, report.records, usual) };
      const end = reading.end();
      const outcome = refused !== null ? 'refused' : end.ended === 'whole' ? 'done' : end.ended;
      const error = refused ?? (end.ended === 'partial' ? end.reason : null);
      return { ...withStatus, outcome, error };
    } catch (failure) {
      // If the data file itself fails, the failure cannot be stored.
      if (isFileError(failure) || failure instanceof Interrupted) throw failure;
      if (!(failure instanceof Failure)) options.onDefect?.(failure);
      return {
        source: row.name,
        outcome: 'failed',
        error: failure instanceof Failure ? failure.message : describeDefect(failure),
        revision: readRevision(this.#sqlite),
        kinds: {},
        rejected: [],
        rejected_count: 0,
        records: 0,
        rules: {},
        seconds: Math.round(performance.now() - startedAt) / 1_000,
        next_run_at: null,
        isAllowed: !(failure instanceof BlockedAddressError),
      };
    }
  }
}

/** How a read ended, also one that the limit of its work ended. */
const endOf = ({ reason }: WorkLimit, { end }: ReturnType<typeof readSource>): ReturnType<typeof end> =>
  reason === null ? end() : { ended: 'partial', reason };

/** A report before what is counted after the import. */
type ReadReport = Omit<SyncReport, keyof ReturnType<SkippedItems['toReport']> | 'closed_venues'>;

type RejectionSummary = Pick<SyncReport, 'records' | 'rejected' | 'rejected_count'>;

/** Whether the input had lines but no valid record, so it is probably not a feed. */
const hasNoRecords = ({ records, rejected_count }: RejectionSummary): boolean =>
  rejected_count > 0 && records === 0;

function noRecordsMessage({ rejected_count: count, rejected: [first] }: RejectionSummary): string {
  const lines = count === 1 ? 'its only line' : `all of its ${count.toLocaleString('en')} lines`;
  const where = first?.where ?? `line ${first?.line}`;
  return `It is no feed: ${lines} had to be rejected (${where}: ${first?.reason}). Its address or --type may be wrong.`;
}

/**
 * Whether numbers of records of two complete reads can be compared. A feed that is not complete may list only what
 * changed.
 */
const isComparable = ({ type, is_full_feed }: ScheduleRow): boolean => type !== 'feed' || is_full_feed === 1;

/** Describes a run for the history of its source. */
function toRunEntry(
  report: SyncReport,
  times: { startedTs: number; endedTs: number },
  { isFullRead, isAccepted }: { isFullRead: boolean; isAccepted: boolean },
): NewSourceRun {
  const { outcome, records, kinds, rejected_count, skipped_count, rules, error, seconds } = report;
  return {
    ...times,
    outcome,
    records,
    report: {
      kinds,
      rejected: rejected_count,
      skipped: skipped_count,
      rules,
      error,
      seconds,
      isFullRead,
      ...(isAccepted ? { isAccepted } : {}),
    },
  };
}

/** The options of an import that say which source it is. */
export const sourceOf = ({ name, type, trust, clock }: ScheduleRow | UnscheduledSourceRow) => ({
  source: name,
  type,
  trust,
  clock,
});

/** Removes secret values from a message, also those within an address. */
const redactSecrets = (message: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '(hidden)'), message);
