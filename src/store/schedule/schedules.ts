/**
 * Stores the schedules of sources and the results of their runs
 * (docs/spec/imports.md#sources).
 */
import { sql } from 'kysely';
import type { StoredRejections } from '../../contract/source-summaries.ts';
import { sourceRecordCacheOf } from '../resolution/source-record-cache.ts';
import { query, SqliteStore } from '../statement.ts';
import { deleteRun, findRunOwner, type RunOwner, saveRun } from './active-runs.ts';
import { type SourcePageRow, SourcePageStore } from './source-pages.ts';
import { type NewSourceRun, SourceRunStore } from './source-runs.ts';

export type { SourcePageRow } from './source-pages.ts';

/**
 * A run is planned at most one interval ahead. A later one was planned by a clock that was wrong; more than this (ms)
 * ahead of the interval, the source is due.
 */
export const maxClockSkewMs = 300_000;

export type NewSchedule = {
  name: string;
  type: string;
  url: string;
  /** Null: keep the present value, or use the default for a new source. */
  trust: number | null;
  clock: 'instant' | 'local' | null;
  everyMs: number;
  complete: boolean;
  options: Readonly<Record<string, string>>;
  /** ms since 1970: when the first run is due. */
  nextTs: number;
};

/** Parses the column `options`: the values of the options by name. */
export const parseOptions = (options: string): Record<string, string> => JSON.parse(options);

/** Parses the column `last_report`: the rejected records of a run. */
export function parseRejections(report: string | null): StoredRejections {
  const { rejected_count = 0, rejected = [] } = JSON.parse(report ?? '{}') as Partial<StoredRejections>;
  return { rejected_count, rejected };
}

export type ScheduleRow = {
  source_id: number;
  name: string;
  type: string;
  trust: number;
  clock: 'instant' | 'local';
  url: string;
  interval_ms: number;
  /** 0 or 1. */
  is_full_feed: number;
  /** JSON object. */
  options: string;
  next_ts: number;
  last_success_ts: number | null;
  failures: number;
  last_error: string | null;
  /** JSON: report of the last run, with the records rejected at the last import. */
  last_report: string | null;
  /** The number of rejected records in the report. */
  rejected: number;
  last_run_ts: number | null;
  /** When an editor paused it; null: it runs. */
  paused_ts: number | null;
  /** JSON object. */
  rules: string;
};
/** A source without a schedule, which is imported by hand. */
export type UnscheduledSourceRow = Pick<
  ScheduleRow,
  'source_id' | 'name' | 'type' | 'trust' | 'clock' | 'last_run_ts' | 'rules'
>;
/** New values of a schedule; members that are left out stay. */
export type ScheduleChanges = {
  url?: string;
  everyMs?: number;
  complete?: boolean;
  options?: Readonly<Record<string, string>>;
  /** ms since 1970; null: not paused. */
  pausedTs?: number | null;
  /** ms since 1970. */
  nextTs?: number;
  /** The next run is due at this time (ms) at the latest. */
  latestNextTs?: number;
};
/** New values of a source; members that are left out stay. */
export type SourceSettings = { trust?: number; clock?: 'instant' | 'local'; rules?: string };

/** What is saved of a run that ended: times in ms, the report as JSON. */
type SuccessfulRun = { now: number; next: number; report: string };
type FailedRun = { next: number; error: string; report: string | null };

const scheduleRows = query
  .selectFrom('schedules as c')
  .innerJoin('sources as s', 's.id', 'c.source_id')
  .select([
    'c.source_id',
    's.name',
    's.type',
    's.trust',
    's.clock',
    'c.url',
    'c.interval_ms',
    'c.is_full_feed',
    'c.options',
    'c.next_ts',
    'c.last_success_ts',
    'c.failures',
    'c.last_error',
    'c.last_report',
    's.last_run_ts',
    'c.paused_ts',
    's.rules',
    sql<number>`coalesce(json_extract(c.last_report, '$.rejected_count'), 0)`.as('rejected'),
  ]);

const unscheduledRows = query
  .selectFrom('sources as s')
  .leftJoin('schedules as c', 'c.source_id', 's.id')
  .where('c.source_id', 'is', null)
  .select(['s.id as source_id', 's.name', 's.type', 's.trust', 's.clock', 's.last_run_ts', 's.rules']);

/** Stores sources with their schedules and outcomes of runs. Times and intervals are in ms. */
export class ScheduleStore extends SqliteStore {
  readonly #pages = new SourcePageStore(this.sqlite);
  readonly #runs = new SourceRunStore(this.sqlite);
  /** All schedules by name. */
  readonly all = this.selectAll<[], ScheduleRow>(() => scheduleRows.orderBy('s.name'));
  /** The schedule of the source of this name; undefined if it has none. */
  readonly find = this.selectFirst<[name: string], ScheduleRow>((name) =>
    scheduleRows.where('s.name', '=', name),
  );
  /** The sources without a schedule, by name. */
  readonly imports = this.selectAll<[], UnscheduledSourceRow>(() => unscheduledRows.orderBy('s.name'));
  readonly #importByName = this.selectFirst<[name: string], UnscheduledSourceRow>((name) =>
    unscheduledRows.where('s.name', '=', name),
  );
  readonly #dueRows = this.selectAll<[now: number, latest: number], ScheduleRow>((now, latest) =>
    scheduleRows
      .where(({ eb, or, ref }) =>
        or([eb('c.next_ts', '<=', now), eb(eb('c.next_ts', '-', ref('c.interval_ms')), '>', latest)]),
      )
      .where('c.paused_ts', 'is', null)
      .orderBy('c.next_ts')
      .orderBy('s.name'),
  );
  readonly #remove = this.execute<[source: number]>('DELETE FROM schedules WHERE source_id = ?');
  readonly #postpone = this.execute<[next: number, source: number]>(
    'UPDATE schedules SET next_ts = ? WHERE source_id = ?',
  );
  readonly #markSuccess = this.execute<[source: number, end: SuccessfulRun]>((source, end) =>
    query
      .updateTable('schedules')
      .set({
        last_success_ts: end.now,
        next_ts: end.next,
        failures: 0,
        last_error: null,
        last_report: end.report,
      })
      .where('source_id', '=', source),
  );
  readonly #markFailure = this.execute<[source: number, end: FailedRun]>((source, end) =>
    query
      .updateTable('schedules')
      .set((eb) => ({
        next_ts: end.next,
        failures: eb('failures', '+', 1),
        last_error: end.error,
        last_report: end.report,
      }))
      .where('source_id', '=', source),
  );
  readonly #markCrash = this.execute<[next: number, error: string, source: number]>(
    'UPDATE schedules SET next_ts = ?, failures = failures + 1, last_error = ? WHERE source_id = ?',
  );
  /** The number of records that the source lists at present. */
  readonly countRecords = this.selectCount<[source: number]>(
    'SELECT count(*) FROM source_records WHERE source_id = ? AND content IS NOT NULL AND withdrawn_ts IS NULL',
  );
  /** The HTTP validators of a source's pages. */
  readonly pages = this.#pages.all;

  /** The source of this name with its schedule, or without one; undefined if there is none. */
  findAny(name: string): ScheduleRow | UnscheduledSourceRow | undefined {
    return this.find(name) ?? this.#importByName(name);
  }

  /** Changes a source. */
  setSource(source: number, { trust, clock, rules }: SourceSettings): void {
    this.sqlite
      .prepare(
        'UPDATE sources SET trust = coalesce(?, trust), clock = coalesce(?, clock), rules = coalesce(?, rules) WHERE id = ?',
      )
      .run(trust ?? null, clock ?? null, rules ?? null, source);
    sourceRecordCacheOf(this.sqlite).clear();
  }

  /** Changes a schedule. */
  setSchedule(source: number, changes: ScheduleChanges): void {
    const { url, everyMs, complete, options, pausedTs, nextTs, latestNextTs } = changes;
    this.sqlite
      .prepare(
        `UPDATE schedules SET url = coalesce(@url, url), interval_ms = coalesce(@everyMs, interval_ms),
           is_full_feed = coalesce(@complete, is_full_feed), options = coalesce(@options, options),
           next_ts = coalesce(@nextTs, min(next_ts, coalesce(@latestNextTs, next_ts))),
           paused_ts = CASE WHEN @setsPaused THEN @pausedTs ELSE paused_ts END
         WHERE source_id = @source`,
      )
      .run({
        source,
        url: url ?? null,
        everyMs: everyMs ?? null,
        complete: complete === undefined ? null : Number(complete),
        options: options === undefined ? null : JSON.stringify(options),
        nextTs: nextTs ?? null,
        latestNextTs: latestNextTs ?? null,
        setsPaused: Number(pausedTs !== undefined),
        pausedTs: pausedTs ?? null,
      });
  }

  /** The schedules due at `now` (ms) and not paused, longest overdue first. */
  due(now: number): ScheduleRow[] {
    return this.#dueRows(now, now + maxClockSkewMs);
  }

  /**
   * Adds a schedule, and creates the source if it does not exist. Settings of an existing source are replaced;
   * its records stay. Returns false if the source already has a schedule.
   */
  add(plan: NewSchedule, now: number): boolean {
    const work = this.sqlite.transaction(() => {
      if (this.find(plan.name)) return false;
      this.sqlite
        .prepare(
          `INSERT INTO sources (name, type, trust, clock, created_ts)
           VALUES (@name, @type, coalesce(@trust, 50), coalesce(@clock, 'instant'), @now)
           ON CONFLICT (name) DO UPDATE
           SET type = excluded.type, trust = coalesce(@trust, trust), clock = coalesce(@clock, clock)`,
        )
        .run({ name: plan.name, type: plan.type, trust: plan.trust, clock: plan.clock, now });
      this.sqlite
        .prepare(
          `INSERT INTO schedules (source_id, url, interval_ms, is_full_feed, options, next_ts)
           SELECT id, @url, @every, @complete, @options, @next FROM sources WHERE name = @name`,
        )
        .run({
          name: plan.name,
          url: plan.url,
          every: plan.everyMs,
          complete: plan.complete ? 1 : 0,
          options: JSON.stringify(plan.options),
          next: plan.nextTs,
        });
      return true;
    });
    return work.immediate();
  }

  /** Removes the schedule; the source's records stay in the catalogue. */
  remove(source: number): void {
    this.sqlite
      .transaction(() => {
        this.#pages.clear(source);
        this.#remove(source);
        deleteRun(this.sqlite, source);
      })
      .immediate();
  }

  /** Saves that a run starts, and postpones the next one, so that a crashed run is not repeated at once. */
  startRun(source: number, next: number, runOwner: RunOwner): void {
    this.sqlite
      .transaction(() => {
        this.#postpone(next, source);
        saveRun(this.sqlite, source, runOwner);
      })
      .immediate();
  }

  /** Cancels a run: the source is due again at `next`. */
  cancelRun(source: number, next: number): void {
    this.sqlite
      .transaction(() => {
        this.#postpone(next, source);
        deleteRun(this.sqlite, source);
      })
      .immediate();
  }

  /** The process that runs the source's import or crashed during it; null if there is none. */
  runner(source: number): RunOwner | null {
    return findRunOwner(this.sqlite, source);
  }

  /** Saves that the process of a run crashed; false if the run has ended otherwise. */
  failCrashedRun(
    source: number,
    { next, error, run }: { next: number; error: string; run: NewSourceRun },
  ): boolean {
    return this.sqlite
      .transaction(() => {
        if (!deleteRun(this.sqlite, source)) return false;
        this.#markCrash(next, error, source);
        this.#runs.add(source, run);
        return true;
      })
      .immediate();
  }

  /** Saves a successful run and the validators of its pages; `pages` null: keep the present ones. */
  completeRun(
    source: number,
    { run, ...end }: SuccessfulRun & { run: NewSourceRun },
    pages: SourcePageRow[] | null,
  ): void {
    this.sqlite
      .transaction(() => {
        this.#markSuccess(source, end);
        this.#runs.add(source, run);
        deleteRun(this.sqlite, source);
        if (pages !== null) this.#pages.replace(source, pages);
      })
      .immediate();
  }

  /** Saves a failed run and the validators that are still valid. */
  failRun(source: number, { run, ...end }: FailedRun & { run: NewSourceRun }, pages: SourcePageRow[]): void {
    this.sqlite
      .transaction(() => {
        this.#markFailure(source, end);
        this.#runs.add(source, run);
        deleteRun(this.sqlite, source);
        this.#pages.replace(source, pages);
      })
      .immediate();
  }

  /**
   * Clears a source's validators, so that the next run fetches every page. Does nothing if the source has no
   * schedule.
   */
  clearPages(name: string): void {
    const row = this.find(name);
    if (row) this.#pages.clear(row.source_id);
  }
}
