/**
 * The sources that fill the catalogue, and reading them (feed.md, Sources): what `sources`, `sync` and the schedule of
 * `serve` do.
 */
import type Database from 'better-sqlite3';
import type { Clock } from '../clock.ts';
import { Failure, Interrupted } from '../failure.ts';
import type { GuardedFetch } from '../fetch/fetch.ts';
import type { Blocked } from '../fetch/private.ts';
import { readRevision } from '../store/maintenance.ts';
import { type ScheduleRow, Schedules } from '../store/schedules.ts';
import { importFeed } from './import.ts';
import { keptReport } from './kept-report.ts';
import { PageMemory } from './page-memory.ts';
import { type GivenPlan, readPlan, type ShownSource, secretsOf, showSource } from './plans.ts';
import type { SourceType } from './sources/adapter.ts';
import { readSource, Skips } from './sources/read-source.ts';
import { NotAllowed } from './sources/refusal.ts';
import { isAddress } from './sources/shown.ts';
import type { SyncOptions, SyncReport } from './syncing.ts';
import { nextRun, nextTry } from './timing.ts';
import { inTurn } from './turn.ts';

export type { SyncOptions, SyncReport } from './syncing.ts';

/** The settings with secrets that the environment has for sources of a type. */
type Keys = (type: SourceType) => Record<string, string>;
export type FeedParts = {
  fetch: GuardedFetch;
  keys: Keys;
  /** What may not be fetched from an address, as far as can be told without asking anybody; null: nothing. */
  blocked: (address: string) => Blocked | null;
};

export class Feeds {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #fetch: GuardedFetch;
  readonly #keys: Keys;
  readonly #blocked: FeedParts['blocked'];
  readonly #schedules: Schedules;

  constructor(sqlite: Database.Database, clock: Clock, { fetch, keys, blocked }: FeedParts) {
    this.#sqlite = sqlite;
    this.#clock = clock;
    this.#fetch = fetch;
    this.#keys = keys;
    this.#blocked = blocked;
    this.#schedules = new Schedules(sqlite);
  }

  /** Plans a source; it is due at once. Throws a `Failure` that says what is accepted, or that the name is taken. */
  add(given: GivenPlan): ShownSource {
    const plan = readPlan(given);
    const now = this.#clock.now();
    if (!this.#schedules.add({ ...plan, nextTs: now }, now)) {
      throw new Failure(
        `There is a source ${plan.name} already. Remove it first (what it said stays), or use another name.`,
      );
    }
    return this.#show(this.#find(plan.name));
  }

  /** Which private host is in the way of a source as `serve` would be started now; null where none is, or nobody knows. */
  blocked(name: string): Blocked | null {
    const { url } = this.#find(name);
    return isAddress(url) ? this.#blocked(url) : null;
  }

  /** All that are planned, by name. */
  list(): ShownSource[] {
    return this.#schedules.all().map((row) => this.#show(row));
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
    const records = this.#schedules.records(row.source_id);
    let withdrawn = 0;
    if (withdraw) {
      const report = await this.#inTurn(`the removal of ${name}`, {}, () =>
        importFeed(this.#sqlite, {
          ...sourceOf(row),
          now: this.#clock.now(),
          input: nothing(),
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

  /** Throws a `Failure` where there is no source of the name. */
  check(name: string): void {
    this.#find(name);
  }

  /** The names of all sources. */
  names(): string[] {
    return this.#schedules.all().map(({ name }) => name);
  }

  /**
   * Reads a source into the catalogue, in its turn, and plans its next run. A source that cannot be read is reported, not
   * thrown.
   * @throws Failure where there is no source of that name
   */
  async sync(name: string, options: SyncOptions = {}): Promise<SyncReport> {
    const row = this.#find(name);
    return await this.#inTurn(`the sync of ${name}`, options, () => this.#run(row, options));
  }

  async #run(row: ScheduleRow, options: SyncOptions): Promise<SyncReport> {
    const began = this.#clock.now();
    const { source_id: source, every_ms: every, next_ts: planned } = row;
    // One that dies is not begun again at once.
    this.#schedules.postpone(source, nextTry(began, every, row.failures + 1));
    const memory = new PageMemory(options.fresh ? [] : this.#schedules.pages(source));
    const skipped = new Skips();
    const reading = readSource({
      type: row.type as SourceType,
      location: row.url,
      complete: row.complete === 1,
      options: { ...optionsOf(row), ...this.#keys(row.type as SourceType) },
      now: began,
      fetch: this.#fetch,
      validators: memory,
      onSkipped: (one) => skipped.add(one),
    });
    const { isAllowed, ...read } = await this.#import(row, reading, options);
    const report = { ...read, ...skipped.told() };
    if (!isAllowed && options.byHand) {
      this.#schedules.postpone(source, planned);
      return { ...report, next_run_at: new Date(planned).toISOString() };
    }
    const now = this.#clock.now();
    const isGood = report.outcome === 'done' || report.outcome === 'unchanged';
    const next = isGood ? nextRun(began, every) : nextTry(now, every, row.failures + 1);
    const told = { ...report, next_run_at: new Date(next).toISOString() };
    const kept = JSON.stringify(keptReport(told, row.report, memory.unchanged()));
    if (isGood) {
      const pages = report.outcome === 'done' ? memory.rows() : null;
      this.#schedules.succeed(source, { now, next, report: kept }, pages);
    } else {
      this.#schedules.fail(source, { next, error: report.error ?? '', report: kept }, memory.rowsBefore());
    }
    return told;
  }

  async #import(
    row: ScheduleRow,
    reading: ReturnType<typeof readSource>,
    options: SyncOptions,
  ): Promise<Omit<SyncReport, keyof ReturnType<Skips['told']>> & { isAllowed: boolean }> {
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
        complete: () => row.complete === 1 && reading.end().ended === 'whole',
        force: options.force,
        onProgress: ({ lines }) => options.onProgress?.({ records: lines }),
        onRejected: options.onRejected,
        onMatched: options.onMatched,
        signal: options.signal,
      });
      const told = { ...report, rejected_count: rejectedCount, next_run_at: null, isAllowed: true };
      if (row.type === 'feed' && isNoFeed(told)) return { ...told, outcome: 'failed', error: noFeed(told) };
      const end = reading.end();
      const outcome = refused !== null ? 'refused' : end.ended === 'whole' ? 'done' : end.ended;
      const error = refused ?? (end.ended === 'partial' ? end.reason : null);
      return { ...told, outcome, error };
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (failure instanceof Interrupted) {
        // It did not fail: it is due as before.
        this.#schedules.postpone(row.source_id, row.next_ts);
        throw failure;
      }
      return {
        source: row.name,
        outcome: 'failed',
        error: hide(failure.message, secretsOf(row.url, optionsOf(row))),
        revision: readRevision(this.#sqlite),
        kinds: {},
        rejected: [],
        rejected_count: 0,
        seconds: Math.round(performance.now() - began) / 1_000,
        next_run_at: null,
        isAllowed: !(failure instanceof NotAllowed),
      };
    }
  }

  #inTurn<T>(what: string, options: SyncOptions, work: () => Promise<T>): Promise<T> {
    return inTurn(
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
    const known = this.names().slice(0, 20);
    throw new Failure(
      known.length === 0
        ? `There is no source ${name}: none is set up yet. See \`cratebase sources add --help\`.`
        : `There is no source ${name}. There are ${known.join(', ')}.`,
    );
  }

  #show(row: ScheduleRow): ShownSource {
    return showSource(row, this.#schedules.records(row.source_id));
  }
}

type Told = Pick<SyncReport, 'kinds' | 'rejected' | 'rejected_count'>;

/** A page of something else: it has lines, and none of them is a record. */
const isNoFeed = ({ kinds, rejected_count }: Told): boolean =>
  rejected_count > 0 && Object.keys(kinds).length === 0;

function noFeed({ rejected_count: count, rejected: [first] }: Told): string {
  const lines = count === 1 ? 'its only line' : `all of its ${count.toLocaleString('en')} lines`;
  const where = first?.where ?? `line ${first?.line}`;
  return `It is no feed: ${lines} had to be rejected (${where}: ${first?.reason}). Its address or --type may be wrong.`;
}

const sourceOf = ({ name, type, trust, clock }: ScheduleRow) => ({ source: name, type, trust, clock });

const optionsOf = ({ options }: ScheduleRow) => JSON.parse(options) as Record<string, string>;

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A message without the values that nobody should see. */
const hide = (message: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, '(hidden)'), message);
