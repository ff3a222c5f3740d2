/** Which services answer from the file: what each noted of itself when it began, for `doctor` and for upgrades to judge. */
import { hostname, uptime } from 'node:os';
import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import type { SettingReport } from '../config.ts';
import { isRunning } from './processes.ts';

export type Service = {
  pid: number;
  /** Under which it answers on this machine. */
  url: string;
  started_at: string;
  /** Of cratebase; null where it is one that did not note its version. */
  version: string | null;
  /** As it was started, secrets hidden. */
  settings: SettingReport[];
};
export type ServiceNote = Service & { machine: string; data: string };

const prefix = 'serving/';

/** Of services elsewhere nobody knows whether they live; so long their notes are kept. */
const keptMs = 7 * 86_400_000;

/** Notes what a service says of itself, under a name that no other has; null takes the note away. */
export function noteServing(sqlite: Database.Database, name: string, note: ServiceNote | null): void {
  if (note === null) sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + name);
  else {
    sqlite
      .prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)')
      .run(prefix + name, JSON.stringify(note));
  }
}

/** Takes away the notes of services that died without a word. */
export function forgetPast(sqlite: Database.Database): void {
  for (const { name, note } of notes(sqlite)) if (isPast(note)) noteServing(sqlite, name, null);
}

/** The services that answer from the file at `path` on this machine, the one started last first. */
export function livingServices(sqlite: Database.Database, path: string): Service[] {
  const isHere = (note: ServiceNote | null): note is ServiceNote =>
    note !== null && note.machine === hostname() && note.data === resolve(path) && isAlive(note);
  return notes(sqlite)
    .map(({ note }) => note)
    .filter(isHere)
    .map(({ machine: _, data: __, ...service }) => service)
    .sort((a, b) => b.started_at.localeCompare(a.started_at));
}

function notes(sqlite: Database.Database): { name: string; note: ServiceNote | null }[] {
  const rows = sqlite
    .prepare('SELECT key, value FROM settings WHERE key >= ? AND key < ?')
    .all(prefix, 'serving0') as { key: string; value: string }[];
  return rows.map(({ key, value }) => ({ name: key.slice(prefix.length), note: read(value) }));
}

/**
 * Whether a service may be answering from the file: one on this machine whose process is there, or one on another machine.
 * A note that cannot be read counts.
 */
export const isServed = (sqlite: Database.Database): boolean =>
  notes(sqlite).some(({ note }) => note === null || !isPast(note));

function read(text: string): ServiceNote | null {
  try {
    const note = JSON.parse(text) as ServiceNote;
    return { ...note, version: note.version ?? null };
  } catch {
    return null;
  }
}

const isPast = (note: ServiceNote | null): boolean =>
  note === null ||
  (note.machine === hostname() ? !isAlive(note) : Date.parse(note.started_at) < Date.now() - keptMs);

/** Whether its process is there; after a start of the machine another may have its number. */
function isAlive({ pid, started_at }: ServiceNote): boolean {
  if (Date.parse(started_at) < Date.now() - uptime() * 1000) return false;
  return isRunning(pid);
}
