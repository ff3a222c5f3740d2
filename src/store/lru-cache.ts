/** Caches of the least recently used entries that take no memory before they have entries. */
import { LRUCache } from 'lru-cache';

/**
 * Creates a cache that keeps the `maxEntries` most recently used entries. With the option `max`, `LRUCache` reserves and
 * fills its lists at once, and again at each `clear`: for the caches of one import, that takes longer than a small source.
 */
export const createLruCache = <Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
