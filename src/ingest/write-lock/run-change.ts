/** Runs changes that a person waits for, as corrections, edits and removals make them. */
import type Database from 'better-sqlite3';
import type { WriteSession } from '../write-session.ts';
import { WriteBatches } from './write-batches.ts';
import { type WriteLeaseOptions, withWriteLease } from './write-lease.ts';

export type ChangeOptions = Omit<WriteLeaseOptions, 'wait' | 'isWatched'> & {
  /** Age in ms at which a transaction ends, for work whose commits take long. */
  maxBatchMs?: number;
};

/** Waits for the write lease and runs `work`, whose transactions do not rest. One that it leaves open is rolled back. */
export function runChange<T>(
  sqlite: Database.Database,
  session: WriteSession,
  { maxBatchMs, ...lease }: ChangeOptions,
  work: (batches: WriteBatches) => Promise<T>,
): Promise<T> {
  return withWriteLease(sqlite, { ...lease, wait: true }, async () => {
    const batches = new WriteBatches(sqlite, session, {
      isAlone: false,
      isAwaited: true,
      signal: lease.signal,
      ...(maxBatchMs === undefined ? {} : { maxBatchMs }),
    });
    try {
      return await work(batches);
    } finally {
      session.rollback();
      batches.close();
    }
  });
}
