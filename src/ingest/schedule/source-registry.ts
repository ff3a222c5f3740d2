/**
 * The sources that fill the catalogue, and reading them (docs/spec/imports.md#sources): what `sources`, `sync` and the schedule of
 * `createServer` do.
 */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import { Failure, Interrupted } from '../../failure.ts';
import type { BlockedHost } from '../../fetch/blocked-host.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { isFileError } from '../../log.ts';
import type { SourceType } from '../../sources/adapter.ts';
import { BlockedAddressError } from '../../sources/common/fetch-error.ts';
import { isHttpUrl } from '../../sources/common/redact.ts';
import { readSource, SkippedItems } from '../../sources/read-source.ts';
import { readRevision } from '../../store/file/maintenance.ts';
import { type ScheduleRow, ScheduleStore } from '../../store/schedule/schedules.ts';
import { hasStaleRecords } from '../../store/stale.ts';
import { importFeed } from '../import/import-feed.ts';
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
import type { SyncOptions, SyncReport } from './sync-report.ts';

export type { SyncOptions, SyncReport } from './sync-report.ts';

/** The settings with secrets that the environment has for sources of a type. */
type SecretSettings = (type: SourceType) => Record<string, string>;
export type SourceRegistryDeps = {
  fetch: GuardedFetch;
  secretSettings: SecretSettings;
  /** What may not be fetched from an address, as far as can be told without asking anybody; null: nothing. */
  blockedHostOf: (address: string) => BlockedHost | null;
};

export class SourceRegistry {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #fetch: GuardedFetch;
  readonly #secretSettings: SecretSettings;
  readonly #blockedHostOf: SourceRegistryDeps['blockedHostOf'];
  readonly #schedules: ScheduleStore;
  /** The run under way. */
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

  /** Plans a source; it is due at once. Throws a `Failure` that says what is accepted, or that the name is taken. */
  add(input: SourceConfigInput): SourceSummary {
    const plan = parseSourceConfig(input);
    const now = this.#clock.now();
    if (!this.#schedules.add({ ...plan, nextTs: now }, now)) {
      throw new Failure(
        `There is a source ${plan.name} already. Remove it first (what it said stays), or use another name.`,
      );
    }
    return this.#show(this.#find(plan.name));
  }

  /** Which private host is in the way of a source as `createServer` would be started now; null where none is, or nobody knows. */
  blocked(name: string): BlockedHost | null {
    const { url } = this.#find(name);
    return isHttpUrl(url) ? this.#blockedHostOf(url) : null;
  }

  /** All that are planned, by name, then those that have records and are not: imported by hand, or removed. */
  list(): SourceSummary[] {
    const planned = this.#schedules.all().map((row) => this.#show(row));
    const imported = this.#schedules
      .imports()
      .map((row) => toImportSummary(row, this.#schedules.countRecords(row.source_id)));
    return [...planned, ...imported.filter(({ records }) => records > 0)];
  }

  /**
   * Ends a plan; the records stay, or are withdrawn like those of a complete feed that lists nothing.
   * @returns how many records it listed, and how many were withdrawn
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
        }),
      );
      withdrawn = Object.values(report.kinds).reduce((sum, kind) => sum + kind.withdrawn, 0);
    }
    this.#schedules.remove(row.source_id);
    return { name: row.name, records, withdrawn };
  }

  /** The names of the sources that are due, the longest waiting first. */
  due(): string[] {
    return this.#schedules.due(this.#clock.now()).map(({ name }) => name);
  }

  /**
   * Works out what a command or a sync that was killed has left half done, in its turn.
   * @param signal ends the work at a committed transaction; what it is aborted with is thrown
   */
  async finishInterrupted(signal?: AbortSignal | undefined): Promise<void> {
    if (!hasStaleRecords(this.#sqlite)) return;
    await this.#withLease('what was left half done', { signal }, async () => {
      // Where the turn was waited for, its holder has done it.
      if (hasStaleRecords(this.#sqlite)) await finishInterruptedWork(this.#sqlite, this.#clock.now(), signal);
    });
  }

  /** Throws a `Failure` where there is no source of the name. */
  assertExists(name: string): void {
    this.#find(name);
  }

  /** The names of all sources. */
  names(): string[] {
    return this.#schedules.all().map(({ name }) => name);
  }

  /** Notes the runs of this machine whose process has died since; gives the names of their sources. */
  recordDeadRuns(): Promise<string[]> {
    return recordDeadRuns(this.#sqlite, this.#clock.now(), (runner) =>
      isProcessGone(runner) ? unexpectedExitReason : null,
    );
  }

  /**
   * Ends the run under way with a failure that came from elsewhere, such as a socket of it: it is reported like any other.
   * @returns false where nothing is being read
   */
  interrupt(failure: unknown): boolean {
    this.#runAbort?.abort(failure);
    return this.#runAbort !== null;
  }

  /**
   * Reads a source into the catalogue, in its turn, and plans its next run. A source that cannot be read is reported, not
   * thrown.
   * @throws Failure where there is no source of that name
   */
  async sync(name: string, options: SyncOptions = {}): Promise<SyncReport> {
    this.#find(name);
    return await this.#withLease(`the sync of ${name}`, options, () => this.#runWithNote(name, options));
  }

  /** Runs, and leaves a note of that in the file for as long: whoever finds it later knows that this process died. */
  async #runWithNote(name: string, options: SyncOptions): Promise<SyncReport> {
    const { signal } = options;
    // Whose turn it is writes alone: all other runs that are noted are over.
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
      // Who is told to end does so in good order: the source did not fail, and is due as before.
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
    const began = this.#clock.now();
    const { source_id: source, interval_ms: every, next_ts: planned } = row;
    const memory = new PageValidators(options.fresh ? [] : this.#schedules.pages(source));
    const skipped = new SkippedItems();
    const reading = readSource({
      type: row.type as SourceType,
      location: row.url,
      complete: row.is_full_feed === 1,
      options: { ...parseOptions(row), ...this.#secretSettings(row.type as SourceType) },
      now: began,
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
    const next = isGood ? nextRun(began, every) : nextRetry(now, every, row.failures + 1);
    const told = { ...report, next_run_at: new Date(next).toISOString() };
    const kept = JSON.stringify(mergeRunReport(told, row.last_report, memory.unchanged()));
    if (isGood) {
      const pages = report.outcome === 'done' ? memory.rowsAfterSuccess() : null;
      await run.succeed({ now, next, report: kept }, pages);
    } else {
      await run.fail({ next, error: report.error ?? '', report: kept }, memory.rowsAfterFailure());
    }
    return told;
  }

  async #import(
    row: ScheduleRow,
    reading: ReturnType<typeof readSource>,
    options: SyncOptions,
  ): Promise<Omit<SyncReport, keyof ReturnType<SkippedItems['toReport']>> & { isAllowed: boolean }> {
    const began = performance.now();
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
      const told = { ...report, rejected_count: rejectedCount, next_run_at: null, isAllowed: true };
      if (row.type === 'feed' && hasNoRecords(told))
        return { ...told, outcome: 'failed', error: noRecordsMessage(told) };
      const end = reading.end();
      const outcome = refused !== null ? 'refused' : end.ended === 'whole' ? 'done' : end.ended;
      const error = refused ?? (end.ended === 'partial' ? end.reason : null);
      return { ...told, outcome, error };
    } catch (failure) {
      // Where the data file is the trouble, nothing can be noted in it either.
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
        seconds: Math.round(performance.now() - began) / 1_000,
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
    const known = this.names().slice(0, 20);
    throw new Failure(
      known.length === 0
        ? `There is no source ${name}: none is set up yet. See \`cratebase sources add --help\`.`
        : `There is no source ${name}. There are ${known.join(', ')}.`,
    );
  }

  #show(row: ScheduleRow): SourceSummary {
    return toSourceSummary(row, this.#schedules.countRecords(row.source_id));
  }
}

type RejectionSummary = Pick<SyncReport, 'kinds' | 'rejected' | 'rejected_count'>;

/** A page of something else: it has lines, and none of them is a record. */
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

/** A message without the values that nobody should see. */
const redactSecrets = (message: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, '(hidden)'), message);
