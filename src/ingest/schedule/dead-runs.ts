/**
 * Finds runs whose process died (exception, signal, out of memory) and records each as a failure of its source, so that
 * it is retried later and other sources run first.
 */
import { hostname } from 'node:os';
import type Database from 'better-sqlite3';
import type { RunOwner } from '../../store/schedule/active-runs.ts';

export { isProcessGone } from '../../store/schedule/running-sources.ts';

import { type ScheduleRow, ScheduleStore } from '../../store/schedule/schedules.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { nextRetry } from './schedule-times.ts';

/** Identifies this process while it runs a source. */
export const currentRunner = (): RunOwner => ({ pid: process.pid, machine: hostname(), began: Date.now() });

/** The error of a run whose process ended unobserved. */
export const unexpectedExitReason =
  'The process that read the source ended unexpectedly: it was killed, ran out of memory, or the machine stopped.';

/**
 * Records all runs whose process died as failures of their sources and postpones the next runs.
 * @param isDead whether a run that is marked as running has died
 * @param signal stops waiting for the file lock and throws the abort reason
 * @returns the names of the sources
 */
export async function recordDeadRuns(
  sqlite: Database.Database,
  now: number,
  isDead: (runner: RunOwner) => string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  const schedules = new ScheduleStore(sqlite);
  const lockRetry = new LockRetry(sqlite, signal);
  const names: string[] = [];
  for (const row of schedules.all()) {
    const runner = schedules.runner(row.source_id);
    const reason = runner === null ? null : isDead(runner);
    if (reason === null) continue;
    const startedTs = runner?.began ?? now;
    if (await lockRetry.write(() => recordFailure(schedules, row, { reason, startedTs, now })))
      names.push(row.name);
  }
  return names;
}

function recordFailure(
  schedules: ScheduleStore,
  row: ScheduleRow,
  { reason, startedTs, now }: { reason: string; startedTs: number; now: number },
): boolean {
  const next = nextRetry(now, row.interval_ms, row.failures + 1);
  const run = { startedTs, endedTs: now, outcome: 'failed', records: 0, report: { error: reason } };
  return schedules.failCrashedRun(row.source_id, { next, error: reason, run });
}

/** Maximum length of a stack frame in messages. */
const maxFrameLength = 500;

/** Describes a program error in one line: the message, and the code location without folders. */
export function describeDefect(failure: unknown): string {
  if (!(failure instanceof Error)) return `The program failed: ${String(failure)}`.slice(0, 500);
  const [firstLine = ''] = `${failure.name}: ${failure.message}`.split('\n');
  const frames = (failure.stack ?? '').split('\n').map((line) => line.trim());
  const frame = frames.find((line) => line.startsWith('at ')) ?? '';
  const place = frame.slice(3, maxFrameLength).replace(/(?:file:\/\/)?[^\s()]*[\\/]/g, '');
  return `The program failed: ${firstLine.slice(0, 300)}${place === '' ? '' : ` (at ${place.slice(0, 100)})`}`;
}
