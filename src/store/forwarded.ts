/** Whether a service on the file saw a proxy that nobody said is there. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from './database.ts';

const forwardedKey = 'forwarded_at';

/** Notes that a request came through a proxy that nobody said is there. `at` is in ms since 1970. */
export const noteForwarded = (sqlite: Database.Database, at: number): void =>
  writeSetting(sqlite, forwardedKey, String(at));

/** When a service last noted that, in ms since 1970; 0 for never. */
export const forwardedAt = (sqlite: Database.Database): number =>
  Number(readSetting(sqlite, forwardedKey) ?? 0);
