/**
 * Runs whose process died (an exception, a signal, no memory left): each is written to the source that was being read, as
 * a failure like any other, so that it is tried again later and the other sources are read meanwhile.
 */
import { hostname, uptime } from 'node:os';
import type Database from 'better-sqlite3';
import { isProcessRunning } from '../../store/file/process-alive.ts';
import type { RunOwner } from '../../store/schedule/active-runs.ts';
import { type ScheduleRow, ScheduleStore } from '../../store/schedule/schedules.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { nextRetry } from './schedule-times.ts';

/** This process, as it is noted while it reads a source. */
export const currentRunner = (): RunOwner => ({ pid: process.pid, machine: hostname(), began: Date.now() });

/** Where nobody was there to see how the process ended. */
export const unexpectedExitReason =
  'The process that read it ended without a word: it was killed, the memory ran out, or the machine stopped.';

/**
 * Notes all runs whose process has died: each counts as a failure of its source, and the next run is put off.
 * @param isDead whether a run that is noted as under way is one of those
 * @param signal ends the waiting for the file's lock; what it is aborted with is thrown
 * @returns the names of their sources
 */
export async function recordDeadRuns(
  sqlite: Database.Database,
  now: number,
  isDead: (runner: RunOwner) => string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  const schedules = new ScheduleStore(sqlite);
  const patience = new LockRetry(sqlite, signal);
  const names: string[] = [];
  for (const row of schedules.all()) {
    const runner = schedules.runner(row.source_id);
    const reason = runner === null ? null : isDead(runner);
    if (reason === null) continue;
    if (await patience.write(() => recordFailure(schedules, row, reason, now))) names.push(row.name);
  }
  return names;
}

function recordFailure(schedules: ScheduleStore, row: ScheduleRow, reason: string, now: number): boolean {
  const next = nextRetry(now, row.interval_ms, row.failures + 1);
  return schedules.failCrashedRun(row.source_id, { next, error: reason });
}

/** Whether a process is known to have ended: only one of this machine can be asked. */
export function isProcessGone({ pid, machine, began }: RunOwner): boolean {
  if (machine !== hostname()) return false;
  if (began < Date.now() - uptime() * 1_000) return true;
  // In a container every process may have the number that the one before it had.
  return pid === process.pid || !isProcessRunning(pid);
}

/** Of a line of a stack trace so many letters are read. */
const maxFrameLength = 500;

/** What went wrong in the program, in one line: the error, and the place without its folders. */
export function describeDefect(failure: unknown): string {
  if (!(failure instanceof Error)) return `The program failed: ${String(failure)}`.slice(0, 500);
  const [said = ''] = `${failure.name}: ${failure.message}`.split('\n');
  const frames = (failure.stack ?? '').split('\n').map((line) => line.trim());
  const frame = frames.find((line) => line.startsWith('at ')) ?? '';
  const place = frame.slice(3, maxFrameLength).replace(/(?:file:\/\/)?[^\s()]*[\\/]/g, '');
  return `The program failed: ${said.slice(0, 300)}${place === '' ? '' : ` (at ${place.slice(0, 100)})`}`;
}
