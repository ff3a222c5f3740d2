/** The data file and write-ahead log of a process that writes much: whether they are whole, and checkpoints. */
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Failure } from '../../failure.ts';
import { isLogCut, LogCheck, logFramesOf, unlessUnreadable } from './log-files.ts';
import { findPlaceFault, type PlaceFault } from './place-fault.ts';

/** How often a writer looks at its log, in ms. A look takes 30 µs and reads the frames that are new. */
const lookIntervalMs = 250;

/**
 * Turns off SQLite's own checkpoints of a connection: they would copy the hole of a log that was cut off. What uses the
 * connection, `WriterLog` or the thread that watches the file of a service, makes them.
 */
export function disableAutoCheckpoint(sqlite: Database.Database): void {
  sqlite.pragma('wal_autocheckpoint = 0');
}

/** Says that the log of a data file was emptied or cut off, and what to do. @param path of the data file */
export const cutLogMessage = (path: string): string =>
  `The write-ahead log of ${path} (-wal) was emptied or cut off while it was in use. End all processes that have the file open (\`cratebase serve\`), then repeat the last changes: the file goes on from its last checkpoint, which usually lacks less than a minute.`;

/** Says what happened to a data file while a command or an import used it, and what to do. @param path of the data file */
export function lostFileMessage(fault: PlaceFault | 'cut_log', path: string): string {
  if (fault === 'cut_log') return cutLogMessage(path);
  return fault === 'missing'
    ? `${path} was deleted or moved while it was in use. What was written since is not at this place: put the file back, then repeat the last changes.`
    : `${path} was replaced by another file while it was in use. What was written since is not in the new one: repeat the last changes.`;
}

/** Watches and checkpoints the write-ahead log of one writing connection, in place of SQLite (`disableAutoCheckpoint`). */
export class WriterLog {
  readonly #sqlite: Database.Database;
  readonly #check: LogCheck;
  /** Null: it is in memory. */
  readonly #inode: bigint | null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(sqlite: Database.Database) {
    disableAutoCheckpoint(sqlite);
    this.#sqlite = sqlite;
    this.#check = new LogCheck(sqlite);
    this.#inode = statSync(sqlite.name, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  }

  /**
   * Throws a `Failure` if the data file was deleted, moved or replaced, or its log emptied or cut off. Call it between
   * transactions; it looks four times a second.
   */
  refuseIfLost(): void {
    const now = performance.now();
    if (now - this.#lookedAt < lookIntervalMs) return;
    this.#lookedAt = now;
    const { name } = this.#sqlite;
    const isCut = () => unlessUnreadable(() => this.#check.isCut()) === true;
    const placeFault = this.#inode === null ? null : findPlaceFault(name, this.#inode);
    const fault = placeFault ?? (isCut() ? 'cut_log' : null);
    if (fault !== null) throw new Failure(lostFileMessage(fault, name));
  }

  /**
   * Checkpoints a log of at least so many frames. Call it after each commit, as SQLite would do it: while readers prevent a
   * restart, the log stays long although the data file has almost all of it.
   */
  checkpointFrom(frames: number): void {
    const state = unlessUnreadable(() => logFramesOf(this.#sqlite));
    if (state !== null && state.log >= frames && state.checkpointed < state.log) this.checkpoint();
  }

  /**
   * Checkpoints the log as far as other users of the file allow. Blocks no other connection, and does not report a disk that
   * is full: what was committed is in the log, and the next commit reports it.
   */
  checkpoint(): void {
    unlessUnreadable(() => {
      if (!isLogCut(this.#sqlite)) this.#sqlite.pragma('wal_checkpoint(PASSIVE)');
    });
  }
}
