/**
 * Hands the write lock over to a process that asks for it (docs/decisions/40-handing-over-the-lock.md). The holder looks
 * for requests between its steps, commits, and begins again when the other process had the lock.
 */
import { blockFor } from '../../store/file/block-for.ts';
import { type LockRequestListener, listenForLockRequests } from '../../store/file/lock-requests.ts';
import type { LockTimes } from './lock-times.ts';

/** Shortest time in ms between two looks for a request: one look takes 2 µs. */
const lookIntervalMs = 0.1;
/** How long to wait for the process that asked; it may have ended. It tries every millisecond. */
const maxHandoverMs = 10;
const waitStepMs = 0.2;

/** Sees and serves the lock requests of other processes for one writer. */
export class LockHandover {
  readonly #dataPath: string;
  readonly #times: LockTimes;
  #listener: LockRequestListener | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isRequested = false;
  /** Time of the commit after which another process should take the lock; null if none asked for it. */
  #releasedAt: number | null = null;

  constructor(dataPath: string, times: LockTimes) {
    this.#dataPath = dataPath;
    this.#times = times;
  }

  /** Begins to listen. Without it, no request is seen. */
  listen(): void {
    this.#listener ??= listenForLockRequests(this.#dataPath);
  }

  /** Stops listening. `listen` may be called again. */
  close(): void {
    this.#listener?.close();
    this.#listener = null;
  }

  /** Whether another process asked for the lock, at most 0.1 ms ago. */
  get isRequested(): boolean {
    if (this.#listener === null || this.#isRequested) return this.#isRequested;
    const now = performance.now();
    if (now - this.#lookedAt < lookIntervalMs) return false;
    this.#lookedAt = now;
    this.#isRequested = this.#listener.isRequested;
    return this.#isRequested;
  }

  /** Notes that the lock is free. @returns whether another process asked for it */
  release(): boolean {
    if (this.#listener === null) return false;
    this.#listener.renew();
    const isRequested = this.#isRequested || this.#listener.isRequested;
    if (isRequested) this.#releasedAt = performance.now();
    this.#isRequested = false;
    return isRequested;
  }

  /** Blocks the thread until the process that asked for the lock had it, for 10 ms at most. */
  waitUntilTaken(): void {
    const [listener, releasedAt] = [this.#listener, this.#releasedAt];
    if (listener === null || releasedAt === null) return;
    while (listener.isRequested) {
      // The record that was compared since the commit may have taken longer: the other process gets a step at least.
      blockFor(waitStepMs);
      if (performance.now() - releasedAt > maxHandoverMs) listener.clear();
    }
    this.#times.addHandover(performance.now() - releasedAt);
    this.#releasedAt = null;
    this.#isRequested = false;
  }
}
