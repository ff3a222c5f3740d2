/** Reads which sources are being read at present. Each method is one short look-up, so a service may call it. */
import { hostname, uptime } from 'node:os';
import { isProcessRunning } from '../file/process-alive.ts';
import { SqliteStore } from '../statement.ts';
import { findRunOwner, type RunOwner } from './active-runs.ts';

/** Whether a process is known to have ended; only processes of this machine can be checked. */
export function isProcessGone({ pid, machine, began }: RunOwner): boolean {
  if (machine !== hostname()) return false;
  if (began < Date.now() - uptime() * 1_000) return true;
  // In containers, process ids are reused.
  return pid === process.pid || !isProcessRunning(pid);
}

export type SourceProgress = {
  isRunning: boolean;
  /** The id of its last run that ended; 0: it has none. */
  lastRun: number;
  /** Whether it has a schedule or source records. It has neither after it was removed with its records. */
  exists: boolean;
};

/** Reads the runs in progress. A run whose process has ended does not count; one on another machine does. */
export class RunningSources extends SqliteStore {
  readonly #all = this.sqlite.prepare<unknown[], { name: string; value: string }>(
    `SELECT s.name, t.value FROM settings t JOIN sources s ON s.id = CAST(substr(t.key, 9) AS INTEGER)
     WHERE t.key > 'reading/' AND t.key < 'reading0'`,
  );
  readonly #source = this.sqlite.prepare<unknown[], { id: number; last_run: number; has_any: 0 | 1 }>(
    `SELECT s.id, coalesce((SELECT max(id) FROM source_runs WHERE source_id = s.id), 0) AS last_run,
       EXISTS (SELECT 1 FROM schedules WHERE source_id = s.id)
         OR EXISTS (SELECT 1 FROM source_records WHERE source_id = s.id) AS has_any
     FROM sources s WHERE s.name = ?`,
  );

  /** The names of the sources that are being read. */
  names(): string[] {
    const rows = this.#all.all();
    return rows.flatMap(({ name, value }) => (isProcessGone(JSON.parse(value) as RunOwner) ? [] : [name]));
  }

  /** How far the reading or the removal of a source is; undefined if there is no source of this name. */
  find(name: string): SourceProgress | undefined {
    const row = this.#source.get(name);
    if (row === undefined) return undefined;
    const owner = findRunOwner(this.sqlite, row.id);
    return {
      isRunning: owner !== null && !isProcessGone(owner),
      lastRun: row.last_run,
      exists: row.has_any === 1,
    };
  }
}
