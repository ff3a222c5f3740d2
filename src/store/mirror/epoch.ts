/**
 * The epoch of a data file: a text that changes when revisions start to mean something else. A client that follows
 * the change feed compares it, and starts from the beginning when it differs.
 */
import { createHash, randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { readSetting, writeSetting } from '../database.ts';
import { readInstanceSecret } from '../instance-secret.ts';

/** Set to a new value when the file continues from a backup. */
const lineageSetting = 'lineage';

/**
 * The epoch of the file. It differs in another file, in a file that was restored from a backup, and if documents have
 * other members.
 * @param format a text that changes with the members of documents
 */
export function readEpoch(sqlite: Database.Database, format: string): string {
  const parts = [readInstanceSecret(sqlite), readSetting(sqlite, lineageSetting) ?? '', format];
  return createHash('sha256')
    .update(`epoch\0${parts.join('\0')}`)
    .digest('hex')
    .slice(0, 16);
}

/** Gives the file another epoch, because revisions after the present one may exist elsewhere. */
export function startLineage(sqlite: Database.Database): void {
  writeSetting(sqlite, lineageSetting, randomBytes(8).toString('hex'));
}
