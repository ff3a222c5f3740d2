/** The runs of scheduled sources: due, running, interrupted. It reads the data file and does not load the importer. */
import type { Clock } from '../clock.ts';
import type { SourceState } from '../http/service-endpoints.ts';
import { hasStaleRecords } from '../store/records/record-marks.ts';
import { hasApprovedRecords } from '../store/schedule/held-records.ts';
import { RunningSources } from '../store/schedule/running-sources.ts';
import { type ScheduleState, ScheduleStates } from '../store/schedule/schedule-states.ts';
import { ScheduleStore } from '../store/schedule/schedules.ts';
import type { Connections, Sqlite } from './connections.ts';

/** The schedule of the sources of a data file, as far as it needs no importer. */
export class SourceRuns {
  readonly #connections: Connections;
  readonly #sqlite: Sqlite;
  readonly #clock: Clock;
  #store: ScheduleStore | undefined;
  #states: ScheduleStates | undefined;
  #running: RunningSources | undefined;

  constructor(connections: Connections, clock: Clock) {
    this.#connections = connections;
    this.#sqlite = connections.catalogue;
    this.#clock = clock;
  }

  /** Opens the stored schedule of each source. */
  get store(): ScheduleStore {
    this.#store ??= new ScheduleStore(this.#sqlite);
    return this.#store;
  }

  /** Opens the state of runs: which sources are being read, and how far one is. */
  get running(): RunningSources {
    this.#running ??= new RunningSources(this.#sqlite);
    return this.#running;
  }

  /** Returns the names of due sources. It is cheap to poll. */
  due(): string[] {
    return this.#openStates().due(this.#clock.now());
  }

  /** Returns the schedule of each source without the report of its last run, by name. */
  scheduleStates(): ScheduleState[] {
    return this.#openStates().all();
  }

  /** Returns the number of all sources, also of those without a schedule. */
  countSources(): number {
    return this.#openStates().countSources();
  }

  #openStates(): ScheduleStates {
    this.#states ??= new ScheduleStates(this.#sqlite);
    return this.#states;
  }

  /** Returns the public state of each source, without details for the operator. */
  states(): SourceState[] {
    return this.scheduleStates().map(({ name, failures, rejected, last_success_ts, next_ts }) => ({
      name,
      state: failures > 0 ? 'failing' : last_success_ts === null ? 'new' : 'ok',
      failures,
      rejected,
      last_success_at: last_success_ts === null ? null : new Date(last_success_ts).toISOString(),
      next_run_at: new Date(next_ts).toISOString(),
    }));
  }

  /**
   * Whether an interrupted command or sync left unfinished work that no process continues, or an editor approved records.
   * `sync --due` finishes it.
   */
  async hasUnfinishedWork(): Promise<boolean> {
    if (!hasStaleRecords(this.#sqlite) && !hasApprovedRecords(this.#sqlite)) return false;
    const { isLeaseHeld: isTaken } = await import('../ingest/write-lock/write-lease.ts');
    return !isTaken(this.#sqlite);
  }

  /**
   * Records the runs of sources whose process died (`ingest/schedule/dead-runs.ts`).
   * @param exited the process that ended, and the reason
   * @returns the names of the sources that were being read
   */
  async recordCrashed(exited?: { pid: number; reason: string }): Promise<string[]> {
    const {
      isProcessGone: isGone,
      recordDeadRuns: recordDeaths,
      unexpectedExitReason: unseen,
    } = await import('../ingest/schedule/dead-runs.ts');
    return recordDeaths(this.#connections.direct, this.#clock.now(), (runner) => {
      if (exited !== undefined && runner.pid === exited.pid && isGone(runner)) return exited.reason;
      return isGone(runner) ? unseen : null;
    });
  }
}
