/**
 * Runs whose process died (an exception, a signal, no memory left): each is written to the source that was being read, as
 * a failure like any other, so that it is tried again later and the other sources are read meanwhile.
 */
import { hostname, uptime } from 'node:os';
import type Database from 'better-sqlite3';
import { isRunning } from '../store/processes.ts';
import type { Runner } from '../store/run-notes.ts';
import { type ScheduleRow, Schedules } from '../store/schedules.ts';
import { Patience } from './patience.ts';
import { nextTry } from './timing.ts';

/** This process, as it is noted while it reads a source. */
export const thisRunner = (): Runner => ({ pid: process.pid, machine: hostname(), began: Date.now() });

/** Where nobody was there to see how the process ended. */
export const unseen =
  'The process that read it ended without a word: it was killed, the memory ran out, or the machine stopped.';

/**
 * Notes all runs whose process has died: each counts as a failure of its source, and the next run is put off.
 * @param isDead whether a run that is noted as under way is one of those
 * @param signal ends the waiting for the file's lock; what it is aborted with is thrown
 * @returns the names of their sources
 */
export async function recordDeaths(
  sqlite: Database.Database,
  now: number,
  isDead: (runner: Runner) => string | null,
  signal?: AbortSignal,
): Promise<string[]> {
  const schedules = new Schedules(sqlite);
  const patience = new Patience(sqlite, signal);
  const names: string[] = [];
  for (const row of schedules.all()) {
    const runner = schedules.runner(row.source_id);
    const reason = runner === null ? null : isDead(runner);
    if (reason === null) continue;
    if (await patience.write(() => record(schedules, row, reason, now))) names.push(row.name);
  }
  return names;
}

function record(schedules: Schedules, row: ScheduleRow, reason: string, now: number): boolean {
  const next = nextTry(now, row.every_ms, row.failures + 1);
  return schedules.die(row.source_id, { next, error: reason });
}

/** Whether a process is known to have ended: only one of this machine can be asked. */
export function isGone({ pid, machine, began }: Runner): boolean {
  if (machine !== hostname()) return false;
  if (began < Date.now() - uptime() * 1_000) return true;
  // In a container every process may have the number that the one before it had.
  return pid === process.pid || !isRunning(pid);
}

/** Of a line of a stack trace so many letters are read. */
const longestFrame = 500;

/** What went wrong in the program, in one line: the error, and the place without its folders. */
export function lineOf(failure: unknown): string {
  if (!(failure instanceof Error)) return `The program failed: ${String(failure)}`.slice(0, 500);
  const [said = ''] = `${failure.name}: ${failure.message}`.split('\n');
  const frames = (failure.stack ?? '').split('\n').map((line) => line.trim());
  const frame = frames.find((line) => line.startsWith('at ')) ?? '';
  const place = frame.slice(3, longestFrame).replace(/(?:file:\/\/)?[^\s()]*[\\/]/g, '');
  return `The program failed: ${said.slice(0, 300)}${place === '' ? '' : ` (at ${place.slice(0, 100)})`}`;
}
