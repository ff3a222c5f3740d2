/** Caches of imports keep what was used last, and take no memory before they have entries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLruCache } from '../../src/store/lru-cache.ts';

test('the entry that was not used for the longest time is dropped', () => {
  const cache = createLruCache<string, number>(3);
  for (const [name, value] of Object.entries({ a: 1, b: 2, c: 3 })) cache.set(name, value);
  assert.equal(cache.get('a'), 1);
  cache.set('d', 4);
  assert.deepEqual([...cache.keys()].sort(), ['a', 'c', 'd']);
  assert.equal(cache.size, 3);
  cache.set('a', 5);
  assert.equal(cache.get('a'), 5);
  cache.clear();
  assert.equal(cache.size, 0);
});

test('an empty cache is small, however many entries it may have', () => {
  const bytes = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = bytes();
  const caches = Array.from({ length: 100 }, () => createLruCache<number, number>(100_000));
  assert.ok(bytes() - before < 20_000_000, `${bytes() - before} bytes`);
  assert.equal(caches.length, 100);
});
