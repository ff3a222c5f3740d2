/** How often somebody may do something within a minute. Each process counts for itself: these are caps, not quotas. */
import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;

/** Counts one more for `who`, and says whether there were not too many yet. */
export type RateLimit = (who: string) => boolean;

/** @param max in a minute that begins with the first */
export function createRateLimit(max: number): RateLimit {
  const counts = new LRUCache<string, { count: number }>({ max: 10_000, ttl: minuteMs, noUpdateTTL: true });
  return (who) => {
    const counted = counts.get(who) ?? { count: 0 };
    counted.count += 1;
    counts.set(who, counted);
    return counted.count <= max;
  };
}
