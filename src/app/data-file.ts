/** The data file on its disk: its state, checks and copies. */
import { statSync } from 'node:fs';
import { Problem } from '../contract/errors.ts';
import { describeFailure, type Log } from '../log.ts';
import type { DamageCheckPace } from '../store/file/damage-check.ts';
import { LockMonitor } from '../store/file/lock-monitor.ts';
import { type LogFiles, logFilesOf, rescueLog } from '../store/file/log-files.ts';
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
import type { CopyProgressListener } from '../store/file/snapshot.ts';
import { readInstanceSecret } from '../store/instance-secret.ts';
import type { Connections, Sqlite } from './connections.ts';

export class DataFile {
  readonly path: string;
  /** The latest state reported by the process that maintains the file. */
  state: FileState = healthyFile;
  readonly #sqlite: Sqlite;
  readonly #connections: Connections;
  readonly #inode: bigint;
  readonly #logFiles: LogFiles;

  constructor(path: string, connections: Connections) {
    this.path = path;
    this.#connections = connections;
    this.#sqlite = connections.catalogue;
    this.#inode = statSync(path, { bigint: true }).ino;
    this.#logFiles = logFilesOf(path);
  }

  /** Whether the file or its write-ahead log was replaced or cut off and must not be written to. */
  get isOverwritten(): boolean {
    const { fault } = this.state;
    return fault === 'overwritten' || fault === 'separated' || fault === 'cut_log';
  }

  /** Notes in `state` if the log was cut off since the watching thread looked at it. Call it before a checkpoint. */
  lookAtLog(): void {
    if (this.state.fault === null && hasCutLog(this.#sqlite))
      this.state = { ...this.state, fault: 'cut_log' };
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
      isLogCut: () => hasCutLog(this.#sqlite),
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
