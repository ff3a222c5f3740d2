/** The registry of services that use the file. `doctor` and upgrades read it. */

import { hostname, uptime } from 'node:os';
import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import type { SettingReport } from '../../config.ts';
import { isProcessRunning } from './process-alive.ts';

export type RunningService = {
  pid: number;
  /** Its address on this machine. */
  url: string;
  started_at: string;
  /** The version of cratebase; null if the service did not record it. */
  version: string | null;
  /** Its start settings, with secrets redacted. */
  settings: SettingReport[];
};
export type RegisteredService = RunningService & { machine: string; data: string };

const prefix = 'serving/';

/** How long entries of services on other machines are kept: whether they still run is unknown. */
const remoteRetentionMs = 7 * dayMs;

/** Saves the entry of a service under a unique name; null deletes it. */
export function registerService(
  sqlite: Database.Database,
  name: string,
  note: RegisteredService | null,
): void {
  if (note === null) sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + name);
  else {
    sqlite
      .prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)')
      .run(prefix + name, JSON.stringify(note));
  }
}

/** Deletes the entries of services that ended without unregistering. */
export function removeDeadServices(sqlite: Database.Database): void {
  for (const { name, note } of readServices(sqlite)) if (isDead(note)) registerService(sqlite, name, null);
}

/** The services on this machine that use the file at `path`, last started first. */
export function findRunningServices(sqlite: Database.Database, path: string): RunningService[] {
  const isHere = (note: RegisteredService | null): note is RegisteredService =>
    note !== null && note.machine === hostname() && note.data === resolve(path) && isAlive(note);
  return readServices(sqlite)
    .map(({ note }) => note)
    .filter(isHere)
    .map(({ machine: _, data: __, ...service }) => service)
    .sort((a, b) => b.started_at.localeCompare(a.started_at));
}

function readServices(sqlite: Database.Database): { name: string; note: RegisteredService | null }[] {
  const rows = sqlite
    .prepare('SELECT key, value FROM settings WHERE key >= ? AND key < ?')
    .all(prefix, 'serving0') as { key: string; value: string }[];
  return rows.map(({ key, value }) => ({ name: key.slice(prefix.length), note: read(value) }));
}

/**
 * Whether a service may be using the file: one on this machine whose process runs, or one on another machine. An
 * unreadable entry counts.
 */
export const hasRunningService = (sqlite: Database.Database): boolean =>
  readServices(sqlite).some(({ note }) => note === null || !isDead(note));

function read(text: string): RegisteredService | null {
  try {
    const note = JSON.parse(text) as RegisteredService;
    return { ...note, version: note.version ?? null };
  } catch {
    return null;
  }
}

const isDead = (note: RegisteredService | null): boolean =>
  note === null ||
  (note.machine === hostname()
    ? !isAlive(note)
    : Date.parse(note.started_at) < Date.now() - remoteRetentionMs);

/** Whether the process of the service runs. After a restart of the machine another process may have its id. */
function isAlive({ pid, started_at }: RegisteredService): boolean {
  if (Date.parse(started_at) < Date.now() - uptime() * 1000) return false;
  return isProcessRunning(pid);
}
