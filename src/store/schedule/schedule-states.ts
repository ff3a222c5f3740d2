/**
 * Reads the states of schedules for the pages and metrics of a service. It leaves out the reports of runs, which have up
 * to 100 rejected records each: those of 300 sources are several megabytes, and would delay other requests.
 */

import { sql } from 'kysely';
import { SqliteStore } from '../statement.ts';
import { maxClockSkewMs, type ScheduleRow } from './schedules.ts';

export type ScheduleState = Pick<
  ScheduleRow,
  'source_id' | 'name' | 'next_ts' | 'last_success_ts' | 'failures' | 'rejected'
>;

/** The index has the number of rejected records; without its name, SQLite would read the reports. */
export const statesQuery = `
  SELECT c.source_id, s.name, c.next_ts, c.last_success_ts, c.failures,
    ifnull(json_extract(c.last_report, '$.rejected_count'), 0) AS rejected
  FROM schedules AS c INDEXED BY schedules_states JOIN sources AS s ON s.id = c.source_id ORDER BY s.name`;

/** Reads schedules without their reports, and which sources are due. */
export class ScheduleStates extends SqliteStore {
  /** All schedules by name. */
  readonly all = this.selectAll<[], ScheduleState>(statesQuery);
  /** The number of all sources, also of those that were imported without a schedule. */
  readonly countSources = this.selectCount<[]>('SELECT count(*) FROM sources');
  /** The names of the sources due at `now` (ms) and not paused, longest overdue first. */
  readonly due = this.selectValues<[now: number], string>(
    (now) => sql`SELECT s.name FROM schedules AS c JOIN sources AS s ON s.id = c.source_id
      WHERE (c.next_ts <= ${now} OR c.next_ts - c.interval_ms > ${now} + ${maxClockSkewMs}) AND c.paused_ts IS NULL
      ORDER BY c.next_ts, s.name`,
  );
}
