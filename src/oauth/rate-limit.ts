/** Rate limits per minute. Each process counts on its own: these are caps, not quotas. */
import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;

/** Counts a use for `key`; returns whether it is within the limit. */
export type RateLimit = (key: string) => boolean;

/**
 * Creates a counter of uses by key, for 10,000 keys.
 * @param max uses per minute, which begins with the first use
 */
export function createRateLimit(max: number): RateLimit {
  const counts = new LRUCache<string, { count: number }>({ max: 10_000, ttl: minuteMs, noUpdateTTL: true });
  return (key) => {
    const entry = counts.get(key) ?? { count: 0 };
    entry.count += 1;
    counts.set(key, entry);
    return entry.count <= max;
  };
}
