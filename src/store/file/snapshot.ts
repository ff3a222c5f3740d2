/**
 * One state of the data file for who reads all of it. While a transaction reads, the log that others write to cannot
 * begin anew, and grows as long as the reading takes: a reader that is slow, because who takes what it reads is, goes on
 * from a copy of that state (docs/decisions/11-copies.md).
 */
import { copyFileSync, existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { describeWriteError } from '../database.ts';
import { createScratchDirectory, type ScratchDirectory } from './scratch-directory.ts';

/** So much the log may grow for one reader, in bytes: as much as it keeps at any rate (`journal_size_limit`). */
export const maxLogGrowthBytes = 67_108_864;

/** Says how many pages are copied; what it throws ends the copying. */
export type CopyProgressListener = (progress: { done: number; total: number }) => void;

export class Snapshot {
  readonly #live: Database.Database;
  readonly #path: string;
  readonly #began: number;
  #copy: { sqlite: Database.Database; scratch: ScratchDirectory } | undefined;

  /** @param live a connection that nobody else uses meanwhile */
  constructor(live: Database.Database) {
    this.#live = live;
    this.#path = live.name;
    live.exec('BEGIN');
    // The state is that of the first statement that reads.
    live.prepare('SELECT count(*) FROM sqlite_master').get();
    this.#began = this.#logBytes();
  }

  /** Where to read the state, until `releaseLog` is called the next time. */
  get sqlite(): Database.Database {
    return this.#copy?.sqlite ?? this.#live;
  }

  /** Whether the log has grown by more than `most` bytes since, and nothing was done about it. */
  isLogTooLarge(maxBytes = maxLogGrowthBytes): boolean {
    return this.#copy === undefined && this.#logBytes() - this.#began > maxBytes;
  }

  /**
   * Where the log has grown by more than `most` bytes, goes on with a copy beside the data file, and lets the log go.
   * @throws Failure where there is no room for the copy
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
        `What is read is taken so slowly that the log of ${this.#path} grows, and a copy of the file to go on from cannot be made. ${why.message}`,
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

/** So many pages are copied at a time: between them others have their turn. */
const pagesPerStep = 2_000;

/** Copies the state that a connection reads, in a file that is not there yet. */
export async function copyPages(
  sqlite: Database.Database,
  draft: string,
  onPages: CopyProgressListener = () => {},
): Promise<void> {
  // Of a file on a read-only disk, which does not change.
  if (!(sqlite instanceof Database)) return copyFileSync((sqlite as Database.Database).name, draft);
  let stopped: unknown;
  try {
    await sqlite.backup(draft, {
      progress: ({ totalPages, remainingPages }) => {
        try {
          onPages({ done: totalPages - remainingPages, total: totalPages });
        } catch (failure) {
          stopped = failure;
          throw failure;
        }
        return pagesPerStep;
      },
    });
  } catch (failure) {
    rmSync(draft, { force: true });
    throw stopped ?? failure;
  }
}
