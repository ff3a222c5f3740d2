/** Whether a service on the file saw a proxy that nobody said is there. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';

const proxySeenKey = 'forwarded_at';

/** Notes that a request came through a proxy that nobody said is there. `at` is in ms since 1970. */
export const saveProxySeen = (sqlite: Database.Database, at: number): void =>
  writeSetting(sqlite, proxySeenKey, String(at));

/** When a service last noted that, in ms since 1970; 0 for never. */
export const proxySeenAt = (sqlite: Database.Database): number =>
  Number(readSetting(sqlite, proxySeenKey) ?? 0);
