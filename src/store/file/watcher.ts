/**
 * Looks after the data file while a service runs, away from the event loop that answers: brings what the write-ahead log
 * holds into the file in small passes, and notices when the file is no longer the one that was opened.
 *
 * https://sqlite.org/wal.html, "Checkpointing"; https://sqlite.org/pragma.html#pragma_wal_checkpoint
 */
import { fsyncSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isSeparated, isUnreplaced, type LogFiles, logFilesOf } from './log-files.ts';

/** How often is looked. */
const checkIntervalMs = 250;
/**
 * So many frames in the log that are not in the file yet begin a pass (a frame is a page of 4 KiB); fewer wait a while. A
 * commit that finds all of them in the file begins the log anew, and waits for the disk once: that is to be rare.
 */
const checkpointFrames = 4_000;
const maxCheckpointDelayMs = 60_000;
/** So often in a row may the key not be found in the file. */
const maxKeyMisses = 2;
/** From so many frames on (64 MB) the log is made to begin anew; from so many on with more patience. */
const restartFrames = 16_000;
const urgentFrames = 32_000;
/** How long the writers' lock may be waited for then. Writers wait meanwhile, without holding up their event loop. */
const restartTimeoutMs = 15;
const urgentTimeoutMs = 100;
/** So much later than it should have, the log has still not begun anew: somebody has read for long. */
const heldLogWarningMs = 10_000;

/** `separated`: its write-ahead log, or the index of that, was deleted or replaced. */
export type FileFault = 'missing' | 'replaced' | 'overwritten' | 'separated';
export type FileState = {
  /** What became of the file; null: it is the one that was opened. */
  fault: FileFault | null;
  /** Size of what the log holds, in bytes. */
  logBytes: number;
  /** How long readers have kept the log from beginning anew, in ms; 0 while they do not. */
  heldMs: number;
};

export type WatchOptions = {
  path: string;
  /** Which file it is: by its place on the disk, and by the random key in its settings. */
  inode: bigint;
  key: string;
  /** The log and its index that the connections of the service use. */
  logFiles: LogFiles;
};

/** SQLite's words for content that is not that of this file. */
const foreignContentCodes = /^SQLITE_(NOTADB|CORRUPT|IOERR_SHORT_READ|ERROR)/;

/** The result of `PRAGMA wal_checkpoint`, in frames. */
type Checkpoint = { busy: number; log: number; checkpointed: number };

/** One file, looked after by a connection of its own. */
export class FileWatcher {
  readonly #options: WatchOptions;
  #sqlite: Database.Database | null = null;
  #revisionOf: Database.Statement | null = null;
  #settingsPages: Database.Statement | null = null;
  /** Where the key was found in the file. */
  #keyPages: number[] = [];
  #misses = 0;
  /** Never closed before the process ends: closing any handle of a file lets go all locks that the process has on it. */
  #handle: number | null = null;
  #isForeign = false;
  #isSeparated = false;
  #largest = 0;
  #revision = 0;
  #passedAt = Number.NEGATIVE_INFINITY;
  #dueSince: number | null = null;
  #pageSize = 4_096;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Looks once: checks the file, then moves what the log holds. Throws what SQLite says where it can be done later. */
  check(): FileState {
    const trouble = this.#trouble();
    if (trouble === 'separated') this.#rescue();
    if (trouble !== null) return { fault: trouble, logBytes: 0, heldMs: 0 };
    // Nothing is written to what may be another file.
    const frames = this.#misses > 0 ? 0 : this.#pass();
    const since = this.#dueSince;
    return {
      fault: null,
      logBytes: frames * (this.#pageSize + 24),
      heldMs: since === null ? 0 : Math.round(performance.now() - since),
    };
  }

  close(): void {
    this.#sqlite?.close();
    this.#sqlite = null;
  }

  /**
   * Moves what was committed to the deleted log into the data file. Not while there is a new log or a new index: then
   * another process may have written since, and pages of the old log would overwrite its changes.
   */
  #rescue(): void {
    if (this.#sqlite === null) return;
    if (!isUnreplaced(this.#options.logFiles, logFilesOf(this.#options.path))) return;
    this.#checkpoint(this.#sqlite, 'PASSIVE');
  }

  #open(): Database.Database {
    if (this.#sqlite !== null) return this.#sqlite;
    const sqlite = new Database(this.#options.path, { fileMustExist: true, timeout: 0 });
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma('wal_autocheckpoint = 0');
    sqlite.pragma('journal_size_limit = 67108864');
    sqlite.pragma('cache_size = -256');
    this.#pageSize = Number(sqlite.pragma('page_size', { simple: true }));
    this.#revisionOf = sqlite.prepare('SELECT revision FROM catalogue').pluck();
    this.#settingsPages = sqlite.prepare("SELECT pageno FROM dbstat WHERE name = 'settings'").pluck();
    this.#handle ??= openSync(this.#options.path, 'r+');
    this.#sqlite = sqlite;
    return sqlite;
  }

  #trouble(): FileFault | null {
    // What was written over does not become right again.
    if (this.#isForeign) return 'overwritten';
    const stats = statSync(this.#options.path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return 'missing';
    if (stats.ino !== this.#options.inode) return 'replaced';
    // Put back, the log may lack what another process has written meanwhile.
    this.#isSeparated ||= isSeparated(this.#options.logFiles, logFilesOf(this.#options.path));
    if (this.#isSeparated) return 'separated';
    this.#isForeign = this.#isOther();
    return this.#isForeign ? 'overwritten' : null;
  }

  /** Whether the content is another than that which was opened. */
  #isOther(): boolean {
    try {
      const sqlite = this.#open();
      // Pages in memory would hide what is in the file.
      sqlite.pragma('shrink_memory');
      const isCut = this.#isCut(sqlite);
      const revision = (this.#revisionOf?.get() as number | undefined) ?? -1;
      // A copy made earlier has the same key.
      const isOlder = revision < this.#revision;
      this.#revision = revision;
      // While another process checkpoints, a page may just be on its way.
      this.#misses = this.#hasKey() ? 0 : this.#misses + 1;
      return isCut || isOlder || this.#misses > maxKeyMisses;
    } catch (failure) {
      if (failure instanceof Database.SqliteError && foreignContentCodes.test(failure.code)) return true;
      throw failure;
    }
  }

  /** Whether the key stands in the file itself: what the log holds would hide that it does not. */
  #hasKey(): boolean {
    if (this.#keyPages.some((page) => this.#pageHasKey(page))) return true;
    const pages = (this.#settingsPages?.all() ?? []) as number[];
    const found = pages.filter((page) => this.#pageHasKey(page));
    // Before it was found once it may be on its way: a new file begins in the log.
    if (found.length === 0) return this.#keyPages.length === 0;
    this.#keyPages = found;
    return true;
  }

  #pageHasKey(page: number): boolean {
    const content = Buffer.alloc(this.#pageSize);
    readSync(this.#handle as number, content, 0, content.length, (page - 1) * content.length);
    return content.includes(this.#options.key);
  }

  /** Whether the file is shorter than its content. */
  #isCut(sqlite: Database.Database): boolean {
    const pages = Number(sqlite.pragma('page_count', { simple: true }));
    const { log, checkpointed } = this.#checkpoint(sqlite, 'NOOP');
    const size = statSync(this.#options.path, { throwIfNoEntry: false })?.size ?? 0;
    // Pages of the log may make it as long as it has to be. Where there are none left, or it was longer already, they do not.
    const isCut = (log === checkpointed || size < this.#largest) && size < pages * this.#pageSize;
    this.#largest = Math.max(this.#largest, size);
    return isCut;
  }

  #checkpoint(sqlite: Database.Database, mode: 'NOOP' | 'PASSIVE' | 'RESTART'): Checkpoint {
    return (sqlite.pragma(`wal_checkpoint(${mode})`) as Checkpoint[])[0] as Checkpoint;
  }

  /** Brings into the file what may be, if there is enough of it; gives the frames that the log has then. */
  #pass(): number {
    const sqlite = this.#open();
    const now = performance.now();
    let { log, checkpointed } = this.#checkpoint(sqlite, 'NOOP');
    const pending = log - checkpointed;
    if (pending >= checkpointFrames || (pending > 0 && now - this.#passedAt >= maxCheckpointDelayMs)) {
      ({ log } = this.#checkpoint(sqlite, 'PASSIVE'));
      this.#passedAt = now;
    }
    if (log < restartFrames) {
      this.#dueSince = null;
      return Math.max(0, log);
    }
    // Writers begin it anew by themselves when they find all of it in the file. While they never rest, they do not.
    const isRestarted = this.#restart(sqlite, log);
    this.#dueSince = isRestarted ? null : (this.#dueSince ?? now);
    return log;
  }

  /**
   * Has the next writer begin the log anew; false where readers or writers are in the way. Writers are kept out while the
   * rest is moved and synced, so that next to nothing is left to move and to sync by then.
   */
  #restart(sqlite: Database.Database, frames: number): boolean {
    fsyncSync(this.#handle as number);
    this.#checkpoint(sqlite, 'PASSIVE');
    sqlite.pragma(`busy_timeout = ${frames > urgentFrames ? urgentTimeoutMs : restartTimeoutMs}`);
    try {
      return this.#checkpoint(sqlite, 'RESTART').busy === 0;
    } finally {
      sqlite.pragma('busy_timeout = 0');
    }
  }
}

export type WatchHandle = { stop(): void };

/**
 * Looks again and again, until it is stopped.
 *
 * @param onChange is called with each state that differs from the one before
 */
export function startWatching(options: WatchOptions, onChange: (state: FileState) => void): WatchHandle {
  const watch = new FileWatcher(options);
  let last = '';
  const look = () => {
    try {
      const state = watch.check();
      const text = JSON.stringify(state);
      if (text === last) return;
      last = text;
      onChange(state);
    } catch {
      // Locked, or the disk fails or is full: requests find that out and tell it. The next look may go well.
    }
  };
  look();
  const timer = setInterval(look, checkIntervalMs);
  return {
    stop() {
      clearInterval(timer);
      watch.close();
    },
  };
}

/** Whether a log has been held so long that the operator should know. */
export const isHeldLong = (state: FileState): boolean => state.heldMs >= heldLogWarningMs;
