/** Ends a body that arrives so slowly that it holds up the sources behind it. */
import { FetchFailure } from './fetch-failure.ts';

/** Time of waiting for the network after which the bytes are counted, in ms. */
export const dripWindowMs = 60_000;
/** Minimum average speed: a modem of 1990 is faster. */
const minBytesPerSecond = 128;

/**
 * Yields the chunks of a body. Only the time of waiting for the next chunk counts, not that of a slow reader.
 * @throws FetchFailure `timeout` if less than 128 bytes per second arrived in a window
 */
export async function* refuseDrip(
  chunks: AsyncIterable<Uint8Array>,
  windowMs: number = dripWindowMs,
): AsyncGenerator<Uint8Array> {
  let [waitedMs, bytes, askedAt] = [0, 0, performance.now()];
  for await (const chunk of chunks) {
    waitedMs += performance.now() - askedAt;
    bytes += chunk.length;
    if (waitedMs >= windowMs) {
      if (bytes < (waitedMs / 1_000) * minBytesPerSecond)
        throw new FetchFailure('timeout', `It sends less than ${minBytesPerSecond} bytes a second.`);
      [waitedMs, bytes] = [0, 0];
    }
    yield chunk;
    askedAt = performance.now();
  }
}
