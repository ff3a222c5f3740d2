/** The sizes of the spaces in which V8 keeps objects. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Requests of a node wait for PostgreSQL. In a smaller space, a collection copies most of them while they wait. */
const enoughBytes = 16 << 20;
const checkEveryMs = 250;

/**
 * Collects the old generation each time it has grown by a fifth. By default V8 lets it grow to a multiple of what is in
 * use, and buffers outside the heap with it (docs/decisions/62-small-heap.md).
 */
export function collectOldGenerationOften(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

/** Lets the space of new objects grow no further. By default V8 doubles it repeatedly, to over 100 MB, without collecting faster. */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the space of new objects grow to about 16 MB. Returns a function that ends the checks. */
export function growYoungGeneration(): () => void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const timer = setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (space === undefined || space.space_size < enoughBytes) return;
    keepYoungGeneration();
    clearInterval(timer);
  }, checkEveryMs).unref();
  return () => clearInterval(timer);
}
