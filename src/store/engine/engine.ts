/**
 * Runs transactions on the half of the data that holds accounts, credentials and counts. One implementation uses the
 * data file (`sqlite-engine.ts`). The stores of `store/access` are written once, and do not know which one runs them.
 */
import type { Tx } from './statement.ts';

export type { Tx } from './statement.ts';

export type Engine = {
  /** Runs `work`, which only reads. Rejects with `unavailable` if the data cannot be read at present. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a write transaction and commits it; an error of `work` rolls it back. `work` may run again: the file
   * was locked, or another transaction changed what it read. It awaits only statements of its `tx`, never a hash, a file
   * or a timer, because others wait for the lock. Rejects with `unavailable` if the data cannot be written at present.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Like `write`, for changes that must survive a power cut: keys, passwords, revocations. */
  writeDurably<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
};
