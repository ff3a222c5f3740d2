/** Which services answer from the file: what each noted of itself when it began, for `doctor` and for upgrades to judge. */

import { hostname, uptime } from 'node:os';
import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { dayMs } from '../../clock.ts';
import type { SettingReport } from '../../config.ts';
import { isProcessRunning } from './process-alive.ts';

export type RunningService = {
  pid: number;
  /** Under which it answers on this machine. */
  url: string;
  started_at: string;
  /** Of cratebase; null where it is one that did not note its version. */
  version: string | null;
  /** As it was started, secrets hidden. */
  settings: SettingReport[];
};
export type RegisteredService = RunningService & { machine: string; data: string };

const prefix = 'serving/';

/** Of services elsewhere nobody knows whether they live; so long their notes are kept. */
const remoteRetentionMs = 7 * dayMs;

/** Notes what a service says of itself, under a name that no other has; null takes the note away. */
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

/** Takes away the notes of services that died without a word. */
export function removeDeadServices(sqlite: Database.Database): void {
  for (const { name, note } of readServices(sqlite)) if (isDead(note)) registerService(sqlite, name, null);
}

/** The services that answer from the file at `path` on this machine, the one started last first. */
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
 * Whether a service may be answering from the file: one on this machine whose process is there, or one on another machine.
 * A note that cannot be read counts.
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

/** Whether its process is there; after a start of the machine another may have its number. */
function isAlive({ pid, started_at }: RegisteredService): boolean {
  if (Date.parse(started_at) < Date.now() - uptime() * 1000) return false;
  return isProcessRunning(pid);
}
