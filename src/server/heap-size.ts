/** The sizes of the spaces in which V8 keeps objects (docs/decisions/62-small-heap.md). */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Most garbage of a server is short-lived: in a larger space, it is collected no faster. */
const enoughBytes = 16 << 20;
const checkEveryMs = 100;

/**
 * Collects the old generation each time it has grown by half. By default V8 lets it grow to a multiple of what is in
 * use, and buffers outside the heap with it.
 */
export function collectOldGenerationOften(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * Keeps the space of new objects at about 16 MB. By default V8 doubles it to over 100 MB. It makes the space small again
 * while a service is idle, so the size is checked all the time.
 *
 * @returns a function that ends the checks
 */
export function limitYoungGeneration(): () => void {
  let grows: boolean | undefined;
  const check = (): void => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const isSmall = space !== undefined && space.space_size < enoughBytes;
    if (isSmall === grows) return;
    grows = isSmall;
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`);
  };
  check();
  const timer = setInterval(check, checkEveryMs).unref();
  return () => clearInterval(timer);
}
