/** Which services answer from the file: what each noted of itself when it began, for `doctor` to judge. */
import { hostname } from 'node:os';
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from './database.ts';

const prefix = 'serving/';
const forwardedKey = 'forwarded_at';

/** Notes what a service says of itself (JSON), under a name that no other has; null takes the note away. */
export function noteServing(sqlite: Database.Database, name: string, note: string | null): void {
  if (note !== null) writeSetting(sqlite, prefix + name, note);
  else sqlite.prepare('DELETE FROM settings WHERE key = ?').run(prefix + name);
}

/** All notes, those of services that died without a word included. */
export function servingNotes(sqlite: Database.Database): { name: string; note: string }[] {
  const rows = sqlite
    .prepare('SELECT key, value FROM settings WHERE key >= ? AND key < ?')
    .all(prefix, 'serving0') as { key: string; value: string }[];
  return rows.map(({ key, value }) => ({ name: key.slice(prefix.length), note: value }));
}

/**
 * Whether a service may be answering from the file: one on this machine whose process is there, or one on another machine.
 * A note that cannot be read counts.
 */
export const isServed = (sqlite: Database.Database): boolean =>
  servingNotes(sqlite).some(({ note }) => {
    try {
      const { machine, pid } = JSON.parse(note) as { machine: string; pid: number };
      if (machine !== hostname()) return true;
      process.kill(pid, 0);
      return true;
    } catch (failure) {
      return (failure as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  });

/** Notes that a request came through a proxy that nobody said is there. `at` is in ms since 1970. */
export const noteForwarded = (sqlite: Database.Database, at: number): void =>
  writeSetting(sqlite, forwardedKey, String(at));

/** When a service last noted that, in ms since 1970; 0 for never. */
export const forwardedAt = (sqlite: Database.Database): number =>
  Number(readSetting(sqlite, forwardedKey) ?? 0);
