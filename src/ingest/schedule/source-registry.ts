/**
 * The registry of scheduled sources (docs/spec/imports.md#sources), used by the commands `sources` and `sync` and by
 * the scheduler of `serve`.
 */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import { Failure, Interrupted } from '../../failure.ts';
import type { BlockedHost } from '../../fetch/blocked-host.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { isFileError } from '../../log.ts';
import type { SourceType } from '../../sources/adapter.ts';
import { BlockedAddressError } from '../../sources/common/fetch-error.ts';
import type { RecordKey } from '../../sources/common/input-items.ts';
import { isHttpUrl } from '../../sources/common/redact.ts';
import { readSource, type Skipped, SkippedItems } from '../../sources/read-source.ts';
import { readRevision } from '../../store/file/maintenance.ts';
import { type ScheduleRow, ScheduleStore } from '../../store/schedule/schedules.ts';
import { hasStaleRecords } from '../../store/stale.ts';
import { type ImportReport, importFeed, type RejectedItem } from '../import/import-feed.ts';
import { finishInterruptedWork } from '../process-stale.ts';
import { withWriteLease } from '../write-lock/write-lease.ts';
import { describeDefect, isProcessGone, recordDeadRuns, unexpectedExitReason } from './dead-runs.ts';
import { PageValidators } from './page-validators.ts';
import { RunAbort } from './run-abort.ts';
import { mergeRunReport } from './run-report.ts';
import { nextRetry, nextRun } from './schedule-times.ts';
import {
  parseSourceConfig,
  type SourceConfigInput,
  type SourceSummary,
  secretValues,
  toImportSummary,
  toSourceSummary,
} from './source-config.ts';
import { SourceRun } from './source-run.ts';

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
  /** The error in one line; null if the outcome is `done`. */
  error: string | null;
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
  /** Stops the work at a committed batch; aborted with an `Interrupted`. */
  signal?: AbortSignal | undefined;
  onWait?: (what: string) => void;
  onProgress?: (progress: { records: number }) => void;
  onRejected?: (rejected: RejectedItem) => void;
  /** Receives program errors; the report contains one line of each. */
  onDefect?: (failure: unknown) => void;
  onMatched?: ((subject: RecordKey) => void) | undefined;
};

/** Returns the secret options that the environment sets for a source type. */
type SecretSettings = (type: SourceType) => Record<string, string>;
export type SourceRegistryDeps = {
  fetch: GuardedFetch;
  secretSettings: SecretSettings;
  /** Returns why a URL must not be fetched, as far as this is known without a request; null if it may be. */
  blockedHostOf: (address: string) => BlockedHost | null;
};

export class SourceRegistry {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #fetch: GuardedFetch;
  readonly #secretSettings: SecretSettings;
  readonly #blockedHostOf: SourceRegistryDeps['blockedHostOf'];
  readonly #schedules: ScheduleStore;
  /** The current run. */
  #runAbort: RunAbort | null = null;

  constructor(
    sqlite: Database.Database,
    clock: Clock,
    { fetch, secretSettings: keys, blockedHostOf: blocked }: SourceRegistryDeps,
  ) {
    this.#sqlite = sqlite;
    this.#clock = clock;
    this.#fetch = fetch;
    this.#secretSettings = keys;
    this.#blockedHostOf = blocked;
    this.#schedules = new ScheduleStore(sqlite);
  }

  /** Adds a source, which is due at once. Throws a `Failure` if a setting is invalid or the name is taken. */
  add(input: SourceConfigInput): SourceSummary {
    const plan = parseSourceConfig(input);
    const now = this.#clock.now();
    if (!this.#schedules.add({ ...plan, nextTs: now }, now)) {
      throw new Failure(
        `There is a source ${plan.name} already. Remove it first (its records stay), or use another name.`,
      );
    }
    return this.#show(this.#find(plan.name));
  }

  /** Returns the private host that blocks a source with the current settings; null if none does or it is unknown. */
  blocked(name: string): BlockedHost | null {
    const { url } = this.#find(name);
    return isHttpUrl(url) ? this.#blockedHostOf(url) : null;
  }

  /** All scheduled sources by name, then sources that have records but no schedule: imported manually, or removed. */
  list(): SourceSummary[] {
    const planned = this.#schedules.all().map((row) => this.#show(row));
    const imported = this.#schedules
      .imports()
      .map((row) => toImportSummary(row, this.#schedules.countRecords(row.source_id)));
    return [...planned, ...imported.filter(({ records }) => records > 0)];
  }

  /**
   * Removes a schedule. The records stay, or are withdrawn as after a complete feed without records.
   * @returns the number of listed and withdrawn records
   */
  async remove(
    name: string,
    { withdraw }: { withdraw: boolean },
  ): Promise<{ name: string; records: number; withdrawn: number }> {
    const row = this.#find(name);
    const records = this.#schedules.countRecords(row.source_id);
    let withdrawn = 0;
    if (withdraw) {
      const report = await this.#withLease(`the removal of ${name}`, {}, () =>
        importFeed(this.#sqlite, {
          ...sourceOf(row),
          now: this.#clock.now(),
          input: emptyInput(),
          complete: true,
          force: true,
          // An operator's removal is no cancellation.
          onMissing: 'remove',
        }),
      );
      withdrawn = Object.values(report.kinds).reduce((sum, kind) => sum + kind.withdrawn, 0);
    }
    this.#schedules.remove(row.source_id);
    return { name: row.name, records, withdrawn };
  }

  /** The names of the sources that are due, longest overdue first. */
  due(): string[] {
    return this.#schedules.due(this.#clock.now()).map(({ name }) => name);
  }

  /**
   * Finishes the work of a killed command or sync while holding the write lease.
   * @param signal stops the work at a committed transaction and throws the abort reason
   */
  async finishInterrupted(signal?: AbortSignal | undefined): Promise<void> {
    if (!hasStaleRecords(this.#sqlite)) return;
    await this.#withLease('what was left half done', { signal }, async () => {
      // The previous holder of the lease may have finished it.
      if (hasStaleRecords(this.#sqlite)) await finishInterruptedWork(this.#sqlite, this.#clock.now(), signal);
    });
  }

  /** Throws a `Failure` if there is no source of this name. */
  assertExists(name: string): void {
    this.#find(name);
  }

  /** The names of all sources. */
  names(): string[] {
    return this.#schedules.all().map(({ name }) => name);
  }

  /** Records runs of this machine whose process died as failures. Returns the names of their sources. */
  recordDeadRuns(): Promise<string[]> {
    return recordDeadRuns(this.#sqlite, this.#clock.now(), (runner) =>
      isProcessGone(runner) ? unexpectedExitReason : null,
    );
  }

  /**
   * Aborts the current run with a failure from elsewhere, such as a socket error; it is reported like any other.
   * @returns false if no source is being read
   */
  interrupt(failure: unknown): boolean {
    this.#runAbort?.abort(failure);
    return this.#runAbort !== null;
  }

  /**
   * Runs a source while holding the write lease, and schedules its next run. A source that cannot be read is reported,
   * not thrown.
   * @throws Failure if there is no source of this name
   */
  async sync(name: string, options: SyncOptions = {}): Promise<SyncReport> {
    this.#find(name);
    return await this.#withLease(`the sync of ${name}`, options, () => this.#runWithNote(name, options));
  }

  /** Marks the run in the file while it lasts, so that a later process can tell if this one died. */
  async #runWithNote(name: string, options: SyncOptions): Promise<SyncReport> {
    const { signal } = options;
    // The lease holder writes alone, so all other runs marked as running have ended.
    await recordDeadRuns(this.#sqlite, this.#clock.now(), () => unexpectedExitReason, signal);
    const row = this.#find(name);
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
    const reading = readSource({
      type: row.type as SourceType,
      location: row.url,
      complete: row.is_full_feed === 1,
      options: { ...parseOptions(row), ...this.#secretSettings(row.type as SourceType) },
      now: startedAt,
      fetch: this.#fetch,
      validators: memory,
      onSkipped: (one) => skipped.add(one),
      signal: interrupt.signal,
    });
    const records = interrupt.untilAborted(reading.records);
    const { isAllowed, ...read } = await this.#import(row, { ...reading, records }, options);
    const report = { ...read, ...skipped.toReport() };
    if (!isAllowed && options.byHand) {
      await run.giveUp();
      return { ...report, next_run_at: new Date(planned).toISOString() };
    }
    const now = this.#clock.now();
    const isGood = report.outcome === 'done' || report.outcome === 'unchanged';
    const next = isGood ? nextRun(startedAt, every) : nextRetry(now, every, row.failures + 1);
    const scheduled = { ...report, next_run_at: new Date(next).toISOString() };
    const reportText = JSON.stringify(mergeRunReport(scheduled, row.last_report, memory.unchanged()));
    if (isGood) {
      const pages = report.outcome === 'done' ? memory.rowsAfterSuccess() : null;
      await run.succeed({ now, next, report: reportText }, pages);
    } else {
      await run.fail({ next, error: report.error ?? '', report: reportText }, memory.rowsAfterFailure());
    }
    return scheduled;
  }

  async #import(
    row: ScheduleRow,
    reading: ReturnType<typeof readSource>,
    options: SyncOptions,
  ): Promise<Omit<SyncReport, keyof ReturnType<SkippedItems['toReport']>> & { isAllowed: boolean }> {
    const startedAt = performance.now();
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
        complete: () => row.is_full_feed === 1 && reading.end().ended === 'whole',
        force: options.force,
        onProgress: ({ lines }) => options.onProgress?.({ records: lines }),
        onRejected: options.onRejected,
        onMatched: options.onMatched,
        signal: options.signal,
      });
      const withStatus = { ...report, rejected_count: rejectedCount, next_run_at: null, isAllowed: true };
      if (row.type === 'feed' && hasNoRecords(withStatus))
        return { ...withStatus, outcome: 'failed', error: noRecordsMessage(withStatus) };
      const end = reading.end();
      const outcome = refused !== null ? 'refused' : end.ended === 'whole' ? 'done' : end.ended;
      const error = refused ?? (end.ended === 'partial' ? end.reason : null);
      return { ...withStatus, outcome, error };
    } catch (failure) {
      // If the data file itself fails, the failure cannot be stored.
      if (isFileError(failure) || failure instanceof Interrupted) throw failure;
      if (!(failure instanceof Failure)) options.onDefect?.(failure);
      const error = failure instanceof Failure ? failure.message : describeDefect(failure);
      return {
        source: row.name,
        outcome: 'failed',
        error: redactSecrets(error, secretValues(row.url, parseOptions(row))),
        revision: readRevision(this.#sqlite),
        kinds: {},
        rejected: [],
        rejected_count: 0,
        seconds: Math.round(performance.now() - startedAt) / 1_000,
        next_run_at: null,
        isAllowed: !(failure instanceof BlockedAddressError),
      };
    }
  }

  #withLease<T>(what: string, options: SyncOptions, work: () => Promise<T>): Promise<T> {
    return withWriteLease(
      this.#sqlite,
      {
        what,
        wait: true,
        isWatched: options.signal !== undefined,
        onWait: options.onWait,
        signal: options.signal,
      },
      work,
    );
  }

  #find(name: string): ScheduleRow {
    const row = this.#schedules.find(name);
    if (row) return row;
    if (this.#schedules.imports().some((source) => source.name === name)) {
      throw new Failure(`${name} is not scheduled. Schedule it with \`cratebase sources add ${name} …\`.`);
    }
    const names = this.names().slice(0, 20);
    throw new Failure(
      names.length === 0
        ? `There is no source ${name}: none is set up yet. See \`cratebase sources add --help\`.`
        : `There is no source ${name}. There are ${names.join(', ')}.`,
    );
  }

  #show(row: ScheduleRow): SourceSummary {
    return toSourceSummary(row, this.#schedules.countRecords(row.source_id));
  }
}

type RejectionSummary = Pick<SyncReport, 'kinds' | 'rejected' | 'rejected_count'>;

/** Whether the input had lines but no valid record, so it is probably not a feed. */
const hasNoRecords = ({ kinds, rejected_count }: RejectionSummary): boolean =>
  rejected_count > 0 && Object.keys(kinds).length === 0;

function noRecordsMessage({ rejected_count: count, rejected: [first] }: RejectionSummary): string {
  const lines = count === 1 ? 'its only line' : `all of its ${count.toLocaleString('en')} lines`;
  const where = first?.where ?? `line ${first?.line}`;
  return `It is no feed: ${lines} had to be rejected (${where}: ${first?.reason}). Its address or --type may be wrong.`;
}

const sourceOf = ({ name, type, trust, clock }: ScheduleRow) => ({ source: name, type, trust, clock });

const parseOptions = ({ options }: ScheduleRow) => JSON.parse(options) as Record<string, string>;

async function* emptyInput(): AsyncGenerator<Uint8Array> {}

/** Removes secret values from a message. */
const redactSecrets = (message: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, '(hidden)'), message);
