/** Records that a service received requests through a proxy that is not configured. */
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';

const proxySeenKey = 'forwarded_at';

/** Saves that a request came through an unconfigured proxy. `at` is in ms since 1970. */
export const saveProxySeen = (sqlite: Database.Database, at: number): void =>
  writeSetting(sqlite, proxySeenKey, String(at));

/** The last such request, in ms since 1970; 0 for never. */
export const proxySeenAt = (sqlite: Database.Database): number =>
  Number(readSetting(sqlite, proxySeenKey) ?? 0);
