/**
 * Watches the data file of a running service outside the event loop that answers requests. It checkpoints the
 * write-ahead log in small steps, and detects that the file was deleted, replaced or overwritten.
 *
 * https://sqlite.org/wal.html, "Checkpointing"; https://sqlite.org/pragma.html#pragma_wal_checkpoint
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { CheckpointedPages } from './checkpointed-pages.ts';
import {
  isLogCut,
  isSeparated,
  LogCheck,
  type LogFiles,
  type LogFrames,
  logFilesOf,
  openLog,
  rescueLog,
} from './log-files.ts';
import { findPlaceFault } from './place-fault.ts';

/** The interval between checks. */
const checkIntervalMs = 250;
/**
 * A checkpoint starts when this many frames (pages of 4 KiB) are not in the file yet; fewer wait up to
 * `maxCheckpointDelayMs`. A commit after a complete checkpoint restarts the log and waits for the disk once,
 * which should be rare.
 */
const checkpointFrames = 4_000;
const maxCheckpointDelayMs = 60_000;
/** How many checks in a row may miss the key in the file. */
const maxKeyMisses = 2;
/**
 * The log is restarted from this size on (58 MB); from `urgentFrames` on with a longer timeout. Restarted after half a
 * second more of a high load, it is still shorter than the limit to which SQLite shortens it then: the frames at its end
 * show that the file has them (`checkpointed-pages.ts`).
 */
const restartFrames = 14_000;
const urgentFrames = 32_000;
/** A restart is prepared until this many frames were written during a checkpoint, or for so many checkpoints. */
const smallRest = 100;
const maxPasses = 4;
/** How long a restart may wait for the write lock. Writers wait meanwhile, without blocking their event loop. */
const restartTimeoutMs = 15;
const urgentTimeoutMs = 100;
/** The operator is warned if a reader has delayed a restart for this long. */
const heldLogWarningMs = 10_000;

/**
 * `separated`: the write-ahead log or its index was deleted or replaced. `cut_log`: the log was emptied or cut off.
 */
export type FileFault = 'missing' | 'replaced' | 'overwritten' | 'separated' | 'cut_log';
export type FileState = {
  /** The fault of the file; null if it is the file that was opened. */
  fault: FileFault | null;
  /** Size of the log's content, in bytes. */
  logBytes: number;
  /** How long readers have delayed a restart of the log, in ms; 0 if they do not. */
  heldMs: number;
};

export type WatchOptions = {
  path: string;
  /** The identity of the file: its inode, and the random key in its settings. */
  inode: bigint;
  key: string;
  /** The inodes of the log and index that the service's connections use. */
  logFiles: LogFiles;
};

/** Error codes of SQLite for content that belongs to another file. */
const foreignContentCodes = /^SQLITE_(NOTADB|CORRUPT|IOERR_SHORT_READ|ERROR)/;

type Checkpoint = LogFrames & { busy: number };

/**
 * Whether a file is shorter than its pages. Pages in the log may still extend it, unless all are checkpointed or the
 * file was longer before.
 * @param log and `checkpointed` in frames; -1 if SQLite could not read them because another process was writing the
 * index of the log at that moment
 * @param size of the file, and its largest and its required size, in bytes
 */
export function isFileCut({
  log,
  checkpointed,
  size,
  maxSize,
  minSize,
}: Record<'log' | 'checkpointed' | 'size' | 'maxSize' | 'minSize', number>): boolean {
  const isCheckpointed = log >= 0 && log === checkpointed;
  return (isCheckpointed || size < maxSize) && size < minSize;
}

/** Watches one file over a connection of its own. */
export class FileWatcher {
  readonly #options: WatchOptions;
  #sqlite: Database.Database | null = null;
  #revisionOf: Database.Statement | null = null;
  #settingsPages: Database.Statement | null = null;
  /** Pages of the file that contained the key. */
  #keyPages: number[] = [];
  #keyMisses = 0;
  /**
   * Never closed before the process ends: closing any handle of a file releases all POSIX locks that the process
   * has on it.
   */
  #handle: number | null = null;
  /** A handle of the log. */
  #log: number | null = null;
  #isForeign = false;
  #isSeparated = false;
  #isLogCut = false;
  #logCheck: LogCheck | null = null;
  #checkpointedPages: CheckpointedPages | null = null;
  #maxFileBytes = 0;
  #revision = 0;
  #checkpointedAt = Number.NEGATIVE_INFINITY;
  #dueSince: number | null = null;
  /** How far the log was checkpointed when a restart failed; null since one succeeded. */
  #heldAt: number | null = null;
  #pageSize = 4_096;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /**
   * Checks the file, then checkpoints its log if that is due. Throws SQLite's error for conditions that may pass.
   */
  check(): FileState {
    const fault = this.#findFault();
    if (fault === 'separated') this.#rescue();
    if (fault !== null) return { fault, logBytes: 0, heldMs: 0 };
    // Write nothing to a file that may be another one.
    const frames = this.#keyMisses > 0 ? 0 : this.#checkpointIfDue();
    if (this.#isLogCut) return { fault: 'cut_log', logBytes: 0, heldMs: 0 };
    if (this.#isForeign) return { fault: 'overwritten', logBytes: 0, heldMs: 0 };
    const since = this.#dueSince;
    return {
      fault: null,
      logBytes: frames * (this.#pageSize + 24),
      heldMs: since === null ? 0 : Math.round(performance.now() - since),
    };
  }

  close(): void {
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
    this.#sqlite?.close();
    this.#sqlite = null;
  }

  /** Without a connection from before the loss, the process of the service rescues the log alone (`app/data-file.ts`). */
  #rescue(): void {
    if (this.#sqlite !== null) rescueLog(this.#sqlite, this.#options.logFiles);
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
    this.#logCheck = new LogCheck(sqlite);
    this.#checkpointedPages = new CheckpointedPages(sqlite, this.#handle, this.#pageSize);
    this.#log = openLog(this.#options.path);
    this.#sqlite = sqlite;
    return sqlite;
  }

  #findFault(): FileFault | null {
    // An overwritten file stays overwritten.
    if (this.#isForeign) return 'overwritten';
    const placeFault = findPlaceFault(this.#options.path, this.#options.inode);
    if (placeFault !== null) return placeFault;
    // A log that is put back may lack writes of another process.
    if (this.#hasLostLog())
      return this.#sqlite !== null && this.#hasCutLog(this.#sqlite) ? 'cut_log' : 'separated';
    // Pages of a hole in the log look like those of another file.
    this.#isLogCut ||= this.#sqlite !== null && this.#logCheck?.isCut() === true;
    if (this.#isLogCut) return 'cut_log';
    const wasOpen = this.#sqlite !== null;
    const isOther = this.#isOther();
    if (this.#hasLostLog()) {
      // A connection that was opened after the loss made a log of its own, which has none of the commits.
      if (!wasOpen) this.close();
      return 'separated';
    }
    // The log may have been cut off since it was looked at.
    if (isOther && this.#sqlite !== null && this.#hasCutLog(this.#sqlite)) return 'cut_log';
    this.#isForeign = isOther;
    return this.#isForeign ? 'overwritten' : null;
  }

  #hasLostLog(): boolean {
    this.#isSeparated ||= isSeparated(this.#options.logFiles, logFilesOf(this.#options.path));
    return this.#isSeparated;
  }

  /** Whether the log was emptied or cut off. One that was stays so. */
  #hasCutLog(sqlite: Database.Database): boolean {
    this.#isLogCut ||= isLogCut(sqlite, this.#log);
    return this.#isLogCut;
  }

  /** Whether the content is not that of the opened file. */
  #isOther(): boolean {
    try {
      const sqlite = this.#open();
      // Cached pages would hide the content of the file.
      sqlite.pragma('shrink_memory');
      const isCut = this.#isCut(sqlite);
      const revision = (this.#revisionOf?.get() as number | undefined) ?? -1;
      // An earlier copy of the file has the same key.
      const isOlder = revision < this.#revision;
      this.#revision = revision;
      // While another process checkpoints, a page may be partly written.
      this.#keyMisses = this.#hasKey() ? 0 : this.#keyMisses + 1;
      const isOverwritten = this.#checkpointedPages?.areOverwritten() === true;
      return isCut || isOlder || isOverwritten || this.#keyMisses > maxKeyMisses;
    } catch (failure) {
      if (failure instanceof Database.SqliteError && foreignContentCodes.test(failure.code)) return true;
      throw failure;
    }
  }

  /**
   * Whether the file itself contains the key. SQLite would read it from the log and hide that the file does not.
   */
  #hasKey(): boolean {
    if (this.#keyPages.some((page) => this.#pageHasKey(page))) return true;
    const pages = (this.#settingsPages?.all() ?? []) as number[];
    const keyPages = pages.filter((page) => this.#pageHasKey(page));
    // The key of a new file is in the log until the first checkpoint.
    if (keyPages.length === 0) return this.#keyPages.length === 0;
    this.#keyPages = keyPages;
    return true;
  }

  #pageHasKey(page: number): boolean {
    const content = Buffer.alloc(this.#pageSize);
    readSync(this.#handle as number, content, 0, content.length, (page - 1) * content.length);
    return content.includes(this.#options.key);
  }

  /** Whether the file is shorter than its pages. */
  #isCut(sqlite: Database.Database): boolean {
    const pages = Number(sqlite.pragma('page_count', { simple: true }));
    const { log, checkpointed } = this.#checkpoint(sqlite, 'NOOP');
    // Of the opened file: that at the path may have been deleted or replaced since it was looked at.
    const { size } = fstatSync(this.#handle as number);
    const isCut = isFileCut({
      log,
      checkpointed,
      size,
      maxSize: this.#maxFileBytes,
      minSize: pages * this.#pageSize,
    });
    // `VACUUM` makes a file shorter.
    const isWhole = log >= 0 && log === checkpointed && !isCut;
    this.#maxFileBytes = isWhole ? size : Math.max(this.#maxFileBytes, size);
    return isCut;
  }

  #checkpoint(sqlite: Database.Database, mode: 'NOOP' | 'PASSIVE' | 'RESTART'): Checkpoint {
    return (sqlite.pragma(`wal_checkpoint(${mode})`) as Checkpoint[])[0] as Checkpoint;
  }

  /** Checkpoints the log if that is due. Returns the number of frames in the log. */
  #checkpointIfDue(): number {
    const sqlite = this.#open();
    const now = performance.now();
    let { log, checkpointed } = this.#checkpoint(sqlite, 'NOOP');
    const pendingFrames = log - checkpointed;
    if (
      pendingFrames >= checkpointFrames ||
      (pendingFrames > 0 && now - this.#checkpointedAt >= maxCheckpointDelayMs)
    ) {
      if (this.#hasCutLog(sqlite)) return 0;
      ({ log } = this.#checkpoint(sqlite, 'PASSIVE'));
      this.#checkpointedAt = now;
      if (this.#isOverwrittenNow()) return 0;
    }
    if (log < restartFrames) {
      this.#dueSince = null;
      this.#heldAt = null;
      return Math.max(0, log);
    }
    if (this.#hasCutLog(sqlite)) return 0;
    // Writers restart a completely checkpointed log themselves, but under constant load it never is.
    const isRestarted = this.#restart(sqlite, log);
    this.#dueSince = isRestarted ? null : (this.#dueSince ?? now);
    return this.#isOverwrittenNow() ? 0 : log;
  }

  /**
   * Looks again after a checkpoint whether the file is overwritten: the next writer may restart the log, which then no longer
   * has the pages of the checkpoint.
   */
  #isOverwrittenNow(): boolean {
    this.#isForeign = this.#checkpointedPages?.areOverwritten() === true;
    return this.#isForeign;
  }

  /**
   * Makes the next writer restart the log; false if readers or writers prevent it. Passive checkpoints and a
   * sync come first, until little was written during the last one: writers are blocked while the rest is copied, and
   * while a reader is waited for. A log that is checkpointed completely is restarted by writers themselves.
   */
  #restart(sqlite: Database.Database, frames: number): boolean {
    fsyncSync(this.#handle as number);
    let before = frames;
    let done = 0;
    for (let pass = 0; pass < maxPasses; pass++) {
      const { log, checkpointed } = this.#checkpoint(sqlite, 'PASSIVE');
      done = checkpointed;
      if (log - before <= smallRest) break;
      before = log;
    }
    // The reader that made the last attempt fail still reads: another one would only block writers.
    if (done === this.#heldAt) return false;
    sqlite.pragma(`busy_timeout = ${frames > urgentFrames ? urgentTimeoutMs : restartTimeoutMs}`);
    try {
      const { busy, checkpointed } = this.#checkpoint(sqlite, 'RESTART');
      this.#heldAt = busy === 0 ? null : checkpointed;
      return busy === 0;
    } finally {
      sqlite.pragma('busy_timeout = 0');
    }
  }
}

export type WatchHandle = { stop(): void };

/**
 * Checks the file at an interval until it is stopped.
 * @param onChange receives each state that differs from the previous one
 */
export function startWatching(options: WatchOptions, onChange: (state: FileState) => void): WatchHandle {
  const watch = new FileWatcher(options);
  let last = '';
  const check = () => {
    try {
      const state = watch.check();
      const text = JSON.stringify(state);
      if (text === last) return;
      last = text;
      onChange(state);
    } catch {
      // The file is locked, or the disk fails or is full. Requests report that, and the next check may succeed.
    }
  };
  check();
  const timer = setInterval(check, checkIntervalMs);
  return {
    stop() {
      clearInterval(timer);
      watch.close();
    },
  };
}

/** Whether a reader has delayed a restart of the log for so long that the operator should know. */
export const isHeldLong = (state: FileState): boolean => state.heldMs >= heldLogWarningMs;
