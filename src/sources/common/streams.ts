/** Unzips byte streams, and limits their size and minimum speed. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../../failure.ts';

/** Unzips a stream that starts with the gzip signature. */
export async function* gunzipIfNeeded(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  try {
    while (head.length < 2) {
      const next = await iterator.next();
      if (next.done) break;
      head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    }
    const whole = prepend(head, iterator);
    yield* head[0] === 0x1f && head[1] === 0x8b ? gunzip(whole) : whole;
  } finally {
    await iterator.return?.();
  }
}

async function* prepend(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacker = createGunzip();
  // Errors are thrown to the reader of the result.
  pipeline(Readable.from(packed), unpacker, () => {});
  try {
    yield* unpacker as AsyncIterable<Uint8Array>;
  } finally {
    unpacker.destroy();
  }
}

/**
 * Limits a stream: a small archive may contain any amount.
 * @throws Failure after `maxBytes`
 */
export async function* limitBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name: string,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBytes) throw new Failure(`${name} is larger than ${maxBytes} bytes.`);
    yield chunk;
  }
}

/** Min throughput in bytes per second, below any real connection. */
const minBytesPerSecond = 500;

/**
 * Fails a transfer that is too slow: an endless transfer would block all other sources. Time that the reader takes does
 * not count.
 * @param graceMs ms of waiting before the throughput is checked
 * @param onWaited receives each wait, in ms
 * @throws Failure below the min throughput
 */
export async function* requireThroughput(
  source: AsyncIterable<Uint8Array>,
  name: string,
  graceMs: number,
  onWaited?: (ms: number) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let [waitedMs, length] = [0, 0];
  try {
    for (;;) {
      const startedAt = performance.now();
      const next = await iterator.next();
      const elapsedMs = performance.now() - startedAt;
      onWaited?.(elapsedMs);
      if (next.done) return;
      waitedMs += elapsedMs;
      length += next.value.length;
      if (waitedMs > graceMs && length < (waitedMs / 1_000) * minBytesPerSecond) {
        throw new Failure(`${name} sends too slowly: ${length} bytes in ${Math.round(waitedMs / 1_000)} s.`);
      }
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
