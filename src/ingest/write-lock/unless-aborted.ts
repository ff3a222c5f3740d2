/**
 * Waits for `work` until `signal` is aborted. Abandoned work continues, and its result is ignored.
 * @throws the abort reason
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
    // Abandoned work may reject later; the rejection must be handled.
    work.catch(() => {});
  }
}
