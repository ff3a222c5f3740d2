/** The size of the space in which V8 keeps new objects. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Requests of a node wait for PostgreSQL. In a smaller space, a collection copies most of them while they wait. */
const enoughBytes = 16 << 20;
const checkEveryMs = 250;

/** Lets the space grow no further. By default V8 doubles it repeatedly, to over 100 MB, without collecting faster. */
export function keepYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the space grow to about 16 MB. Returns a function that ends the checks. */
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
