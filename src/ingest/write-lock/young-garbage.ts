/**
 * Collects young garbage while the write lock is free. V8 collects it when its space is full, wherever the program is, for
 * 4 to 8 ms: within a transaction, other processes would wait for the lock as long
 * (docs/decisions/40-handing-over-the-lock.md).
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often the space is looked at, in ms: a look takes 20 µs. */
const lookIntervalMs = 10;
/**
 * Garbage is collected from this share of the space on. Half of the space is for objects that survive; what is left of the
 * other half is more than a transaction takes.
 */
const dueShare = 0.2;
/** A smaller space is collected in less than a millisecond. */
const minDueBytes = 1 << 20;

type CollectGarbage = (options: { type: 'minor' }) => void;

/** Collects garbage at times that the caller chooses; does nothing in a V8 without that function. */
export class YoungGarbage {
  /** Undefined where this V8 does not offer it. */
  readonly #collect: CollectGarbage | undefined = findCollector();
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Collects the garbage if there is much. Returns whether it did. */
  collectIfMuch(): boolean {
    const now = performance.now();
    if (this.#collect === undefined || now - this.#lookedAt < lookIntervalMs) return false;
    this.#lookedAt = now;
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (space === undefined) return false;
    const dueBytes = Math.max(minDueBytes, space.space_size * dueShare);
    if (space.space_used_size < dueBytes) return false;
    this.#collect({ type: 'minor' });
    return true;
  }
}

/** V8 gives the function to contexts that are made while the flag is set. */
function findCollector(): CollectGarbage | undefined {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('globalThis.gc') as CollectGarbage | undefined;
  } finally {
    // V8 refuses code caches while other flags are set than at the start.
    setFlagsFromString('--no-expose-gc');
  }
}
