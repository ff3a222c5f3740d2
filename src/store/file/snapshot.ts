/**
 * One state of the data file for a long read. A read transaction keeps the log from restarting, so the log grows
 * while it lasts. If the consumer is slow, the read continues from a copy of the state
 * (docs/decisions/11-copies.md).
 */
import { copyFileSync, existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { describeWriteError } from '../database.ts';
import { createScratchDirectory, type ScratchDirectory } from './scratch-directory.ts';

/** How much the log may grow during one read, in bytes: the size it keeps anyway (`journal_size_limit`). */
export const maxLogGrowthBytes = 67_108_864;

/** Receives the number of copied pages. Throwing aborts the copy. */
export type CopyProgressListener = (progress: { done: number; total: number }) => void;

/** Keeps one state of the data file readable through `sqlite`, from its creation until `close`. */
export class Snapshot {
  readonly #live: Database.Database;
  readonly #path: string;
  readonly #initialLogBytes: number;
  #copy: { sqlite: Database.Database; scratch: ScratchDirectory } | undefined;

  /** @param live a connection that is used for nothing else meanwhile */
  constructor(live: Database.Database) {
    this.#live = live;
    this.#path = live.name;
    live.exec('BEGIN');
    // The first read statement determines the state.
    live.prepare('SELECT count(*) FROM sqlite_master').get();
    this.#initialLogBytes = this.#logBytes();
  }

  /** The connection to read the state from, until the next call of `releaseLog`. */
  get sqlite(): Database.Database {
    return this.#copy?.sqlite ?? this.#live;
  }

  /** Whether the log has grown by more than `maxBytes` since the start, and no copy was made. */
  isLogTooLarge(maxBytes = maxLogGrowthBytes): boolean {
    return this.#copy === undefined && this.#logBytes() - this.#initialLogBytes > maxBytes;
  }

  /**
   * Continues with a copy beside the data file if the log has grown by more than `maxBytes`, and releases the
   * log.
   * @throws Failure if there is no room for the copy
   */
  async releaseLog(maxBytes = maxLogGrowthBytes): Promise<void> {
    if (!this.isLogTooLarge(maxBytes)) return;
    const scratch = createScratchDirectory(dirname(this.#path), 'snapshot');
    const draft = join(scratch.path, 'snapshot.db');
    try {
      await copyPages(this.#live, draft);
      const sqlite = new Database(draft, { readonly: true });
      this.#copy = { sqlite, scratch };
    } catch (failure) {
      scratch.remove();
      const why = describeWriteError(failure, draft);
      if (!(why instanceof Failure)) throw why;
      throw new Failure(
        `The client reads so slowly that the write-ahead log of ${this.#path} grows, and no copy of the file can be made to continue from. ${why.message}`,
      );
    }
    if (this.#live.inTransaction) this.#live.exec('COMMIT');
  }

  close(): void {
    if (this.#copy) {
      this.#copy.sqlite.close();
      this.#copy.scratch.remove();
    } else if (this.#live.open && this.#live.inTransaction) this.#live.exec('COMMIT');
  }

  #logBytes(): number {
    const log = `${existsSync(this.#path) ? realpathSync(this.#path) : this.#path}-wal`;
    return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  }
}

/** Pages copied per step; other work runs between steps. */
const pagesPerStep = 2_000;

/** Copies the state that a connection reads to a new file. */
export async function copyPages(
  sqlite: Database.Database,
  draft: string,
  onPages: CopyProgressListener = () => {},
): Promise<void> {
  // A file on a read-only disk does not change.
  if (!(sqlite instanceof Database)) return copyFileSync((sqlite as Database.Database).name, draft);
  let listenerFailure: unknown;
  try {
    await sqlite.backup(draft, {
      progress: ({ totalPages, remainingPages }) => {
        try {
          onPages({ done: totalPages - remainingPages, total: totalPages });
        } catch (failure) {
          listenerFailure = failure;
          throw failure;
        }
        return pagesPerStep;
      },
    });
  } catch (failure) {
    rmSync(draft, { force: true });
    throw listenerFailure ?? failure;
  }
}
