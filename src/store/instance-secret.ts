/** The secret of a service: its cursors, digests of forgotten names and names of copies depend on it. */
import type Database from 'better-sqlite3';
import { readSetting } from './database.ts';

let clusterSecret: string | null = null;

/** Uses the secret of a cluster for all files that this process opens: a published file has none. */
export function useClusterSecret(secret: Uint8Array): void {
  clusterSecret = Buffer.from(secret).toString('hex');
}

/** Returns the secret in hexadecimal: that of the cluster, or that of the data file. */
export const readInstanceSecret = (sqlite: Database.Database): string =>
  clusterSecret ?? readSetting(sqlite, 'cursor_key') ?? '';
