/** What the checks of scheduled backups and exports have in common: the last success, and whether the next one is late. */

import type { App } from '../app.ts';

/** Whether a running service of this machine makes backups or exports: its `--backup-dir` or `--export-dir` is set. */
export const isScheduled = (app: App, setting: 'backup-dir' | 'export-dir'): boolean =>
  app.services
    .running()
    .some(({ settings }) => settings.some(({ name, value }) => name === setting && value !== null));

/** A run is late if the last success is this many intervals old. */
const lateAfterIntervals = 2;

type Schedule = { last_success_at: string | null; every_ms: number };

/** Describes the last success, for the end of a sentence. */
export const describeLast = ({ last_success_at: at }: Pick<Schedule, 'last_success_at'>): string =>
  at === null ? 'none has succeeded yet' : `the last one is of ${at.slice(0, 16)}Z`;

/** Whether a run is late, or none has succeeded yet. */
export const isLate = ({ last_success_at: at, every_ms: every }: Schedule, now = Date.now()): boolean =>
  at === null || now - Date.parse(at) > lateAfterIntervals * every;

/** How often a schedule failed since its last success: "once", "3 times in a row". */
export const describeFailures = (count: number): string =>
  count === 1 ? 'once' : `${count.toLocaleString('en')} times in a row`;
