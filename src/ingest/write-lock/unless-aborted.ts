/** Waiting that ends on demand. */

/**
 * Waits for `work`, or until `signal` is aborted. Work that is left behind goes on unheard.
 * @throws what the signal was aborted with
 */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    // What loses the race may fail later, when nobody listens any more.
    work.catch(() => {});
  }
}
