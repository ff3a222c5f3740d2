/** The data file on its disk: its state, checks and copies. */
import { closeSync, statSync } from 'node:fs';
import { Problem } from '../contract/errors.ts';
import { describeFailure, type Log } from '../log.ts';
import type { DamageCheckPace } from '../store/file/damage-check.ts';
import { LockMonitor } from '../store/file/lock-monitor.ts';
import {
  isSeparated,
  type LogFiles,
  logFilesOf,
  openLog,
  rescueLog,
  unlessUnreadable,
} from '../store/file/log-files.ts';
import {
  backUpTo,
  checkFile,
  type FileCheck,
  type FileFacts,
  hasCutLog,
  moveLogAside,
  probeWrite,
  readFacts,
  readRevision,
} from '../store/file/maintenance.ts';
import { FileMonitor, type FileState, healthyFile } from '../store/file/monitor.ts';
import { findPlaceFault } from '../store/file/place-fault.ts';
import { hasRunningService } from '../store/file/service-registry.ts';
import type { CopyProgressListener } from '../store/file/snapshot.ts';
import { readInstanceSecret } from '../store/instance-secret.ts';
import type { Connections, Sqlite } from './connections.ts';

/**
 * The data file of an open catalogue. It must exist: the constructor notes its inode and its log, by which `look`
 * notices that it was replaced.
 */
export class DataFile {
  readonly path: string;
  /** The latest state reported by the process that maintains the file. */
  state: FileState = healthyFile;
  readonly #sqlite: Sqlite;
  readonly #connections: Connections;
  readonly #inode: bigint;
  readonly #logFiles: LogFiles;
  /** A handle of the log. */
  #log: number | null;
  /** Whether a service used the file when it was last seen without a fault. */
  #isServed: boolean;

  constructor(path: string, connections: Connections) {
    this.path = path;
    this.#connections = connections;
    this.#sqlite = connections.catalogue;
    this.#inode = statSync(path, { bigint: true }).ino;
    this.#logFiles = logFilesOf(path);
    this.#log = openLog(path);
    this.#isServed = this.#findServed() ?? false;
  }

  /** Whether the file or its write-ahead log was replaced or cut off and must not be written to. */
  get isOverwritten(): boolean {
    const { fault } = this.state;
    return fault === 'overwritten' || fault === 'separated' || fault === 'cut_log';
  }

  /**
   * Notes in `state` what happened to the file or its log since it was opened, or since the watching thread looked at it.
   * Call it before a checkpoint.
   */
  look(): void {
    if (this.state.fault !== null) return;
    this.#isServed = this.#findServed() ?? this.#isServed;
    const fault = findPlaceFault(this.path, this.#inode) ?? (this.#hasCutLog() ? 'cut_log' : null);
    if (fault !== null) this.state = { ...this.state, fault };
  }

  #hasCutLog(): boolean {
    return hasCutLog(this.#sqlite, this.#log);
  }

  /** Closes the handle of the log. Call it before the last connection is closed. */
  close(): void {
    if (this.#log !== null) closeSync(this.#log);
    this.#log = null;
  }

  /** Null if that cannot be read, as beside a log that was cut off. */
  #findServed(): boolean | null {
    return unlessUnreadable(() => hasRunningService(this.#sqlite));
  }

  /**
   * Ends the use of a file with a fault by a process that is no service. Its log is moved aside, unless a service does
   * that or the log belongs to others. The process will end without closing its connections: closing the last one would
   * write what is left of the log into the file, and damage it.
   */
  abandon(): void {
    const isOwn = !isSeparated(this.#logFiles, logFilesOf(this.path));
    if (isOwn && !this.#isServed) moveLogAside(this.path);
    process.once('exit', () => process.exit());
  }

  /** Returns the revision of the file at the path. Throws if the file is missing, replaced or unreadable. */
  revisionOnDisk(): number {
    const { ino } = statSync(this.path, { bigint: true });
    if (ino !== this.#inode) throw new Problem('unavailable', 'The data file was replaced. Restart.');
    return readRevision(this.#sqlite);
  }

  /** Throws the SQLite error if the file cannot be written. */
  tryWrite(): void {
    probeWrite(this.#connections.direct);
  }

  /** Watches until the file is closed whether another process holds the write lock for more than five seconds. */
  watchLock(onChange: (isStuck: boolean) => void): LockMonitor {
    return new LockMonitor(this.#sqlite, onChange);
  }

  /**
   * Maintains the file until stopped (`store/file/watcher.ts`). One process of a service does this for all of them.
   * `state` holds the current state.
   * @param pace when the file is checked for damage (`store/file/damage-check.ts`)
   */
  maintain(log: Log, onState?: (state: FileState) => void, pace: Partial<DamageCheckPace> = {}): FileMonitor {
    const key = readInstanceSecret(this.#sqlite);
    return new FileMonitor({ path: this.path, inode: this.#inode, key, logFiles: this.#logFiles }, log, {
      onChange: (state) => {
        this.state = state;
        if (state.fault === 'separated') this.#rescueLog(log);
        onState?.(state);
      },
      isLogCut: () => this.#hasCutLog(),
      pace,
    });
  }

  /**
   * Moves a deleted log into the data file. The thread that watches the file has done so before it reported the loss,
   * unless it started later than that. Blocks the event loop, but all requests except those for
   * the health of the service are refused by now.
   */
  #rescueLog(log: Log): void {
    try {
      // Its hole would damage the file.
      if (this.#hasCutLog()) return;
      rescueLog(this.#sqlite, this.#logFiles);
    } catch (failure) {
      log('error', 'the deleted log could not be moved into the data file', describeFailure(failure));
    }
  }

  /** Moves the write-ahead log of a deleted file aside, so that it is never applied to another file at the same path. */
  moveLogAside(): void {
    moveLogAside(this.path);
  }

  /** Checks integrity, foreign keys and the search index, one after the other. */
  check(): Generator<FileCheck> {
    return checkFile(this.#sqlite);
  }

  /** Returns schema, revision and counts of the file. */
  facts(): FileFacts {
    return readFacts(this.#sqlite);
  }

  /** Copies the file while it is in use. `complete` changes the copy before it appears. */
  copyTo(
    target: string,
    onPages?: CopyProgressListener,
    complete?: (copy: string) => Promise<void>,
  ): Promise<void> {
    return backUpTo(this.#sqlite, target, onPages, complete);
  }
}
