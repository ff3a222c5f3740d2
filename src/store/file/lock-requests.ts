/**
 * Lets a process that waits for the write lock of the data file say so to the import that holds it
 * (docs/decisions/40-handing-over-the-lock.md). SQLite's lock has no queue: without a request, an import would have to
 * pause after each transaction in case another process waits.
 *
 * The import creates a file of one byte beside the data file. A waiting process sets the byte to 1 and clears it when it
 * got the lock. Losing a request does no harm: it is repeated with each attempt to get the lock.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';

const suffix = '-lock-request';
const [requested, free] = [Buffer.of(1), Buffer.of(0)];

/** The listeners of this process, by path. It makes no requests to itself. */
const listeners = new Map<string, LockRequestListener>();

/** The path of the file of requests for the data file at `path`. */
export const lockRequestPath = (path: string): string => realpathSync(path) + suffix;

/** The side of the process that holds the lock for long. */
export class LockRequestListener {
  readonly #path: string;
  #file: number;
  readonly #byte = Buffer.alloc(1);
  /** How often it was handed out and not closed yet. */
  #users = 0;

  /** Throws if the file cannot be created. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openRequests(path);
  }

  /** Counts a user, which must call `close`. */
  share(): this {
    this.#users++;
    return this;
  }

  /** Whether another process waits for the lock. */
  get isRequested(): boolean {
    return readSync(this.#file, this.#byte, 0, 1, 0) === 1 && this.#byte[0] === 1;
  }

  /** Forgets a request whose process did not take the lock. */
  clear(): void {
    writeSync(this.#file, free, 0, 1, 0);
  }

  /** Creates the file again if another process deleted it: an edit listens, too, while it writes. */
  renew(): void {
    try {
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino === fstatSync(this.#file).ino) return;
      const file = openRequests(this.#path);
      closeSync(this.#file);
      this.#file = file;
    } catch {
      // The folder takes no further file now: the next transaction tries again.
    }
  }

  /** Deletes the file when no user is left. */
  close(): void {
    this.#users--;
    if (this.#users <= 0) this.end();
  }

  /** Deletes the file. */
  end(): void {
    if (listeners.get(this.#path) !== this) return;
    listeners.delete(this.#path);
    closeSync(this.#file);
    removeQuietly(this.#path);
  }
}

/** Opens the file of requests, without any request. */
function openRequests(path: string): number {
  const { O_CREAT, O_TRUNC, O_RDWR, O_NOFOLLOW = 0 } = constants;
  const file = openSync(path, O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW, 0o600);
  giveToOwner(file, path.slice(0, -suffix.length));
  return file;
}

/** A service that does not run as root must be able to write the file of an import that does. */
function giveToOwner(file: number, dataPath: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataPath);
  fchownSync(file, uid, gid);
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A process that is just writing to it keeps it on Windows. The next import uses it again.
  }
}

let deletesAtExit = false;

/**
 * The listener of this process for a data file, created at the first call. The file is deleted when all callers have
 * called `close`, or at the end of the process.
 * @param dataPath the path of the data file
 * @returns null if the file cannot be created, for example on a full disk
 */
export function listenForLockRequests(dataPath: string): LockRequestListener | null {
  try {
    const path = lockRequestPath(dataPath);
    const present = listeners.get(path);
    if (present !== undefined) return present.share();
    const listener = new LockRequestListener(path);
    listeners.set(path, listener);
    if (!deletesAtExit) process.once('exit', () => [...listeners.values()].forEach((one) => void one.end()));
    deletesAtExit = true;
    return listener.share();
  } catch {
    return null;
  }
}

/** The side of a process that waits for the lock of one data file. */
export class LockRequester {
  readonly #dataPath: string;
  #path: string | null = null;
  #hasRequested = false;

  constructor(dataPath: string) {
    this.#dataPath = dataPath;
  }

  /**
   * Asks the holder of the lock to release it. Call it after each refused attempt.
   * @returns whether an import listens
   */
  request(): boolean {
    const isHeard = this.#write(requested);
    this.#hasRequested ||= isHeard;
    return isHeard;
  }

  /** Withdraws the request, if any. Call it when the lock was taken and released, or when the waiting ends. */
  done(): void {
    if (!this.#hasRequested) return;
    this.#hasRequested = false;
    this.#write(free);
  }

  /** Writes the byte. Returns false if no import listens. */
  #write(byte: Buffer): boolean {
    try {
      this.#path ??= lockRequestPath(this.#dataPath);
      if (listeners.has(this.#path) || !existsSync(this.#path)) return false;
      // Opened each time: the file of the next import is another one.
      const file = openSync(this.#path, 'r+');
      try {
        writeSync(file, byte, 0, 1, 0);
      } finally {
        closeSync(file);
      }
      return true;
    } catch {
      // The import has just ended, or this process may not write the file.
      return false;
    }
  }
}
