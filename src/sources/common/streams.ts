/** Streams of bytes: unpacked where they are gzipped, and cut off where they grow too large. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../../failure.ts';

/** The bytes of a stream, unpacked where they begin as gzip does. */
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
  // What goes wrong on the way is thrown where the result is read.
  pipeline(Readable.from(packed), unpacker, () => {});
  try {
    yield* unpacker as AsyncIterable<Uint8Array>;
  } finally {
    unpacker.destroy();
  }
}

/** Throws a `Failure` once there is more: a small archive may hold any amount. */
export async function* limitBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name: string,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of source) {
    length += piece.length;
    if (length > maxBytes) throw new Failure(`${name} is larger than ${maxBytes} bytes.`);
    yield piece;
  }
}

/** Bytes a second: slower than any line that people use. */
const minBytesPerSecond = 500;

/**
 * Throws a `Failure` once it was waited for `ms` and hardly anything has come: a transfer that never ends holds up all
 * others. The time that the reader takes does not count.
 * @param onWaited hears of each wait, in ms
 */
export async function* requireThroughput(
  source: AsyncIterable<Uint8Array>,
  name: string,
  graceMs: number,
  onWaited?: (ms: number) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let [waited, length] = [0, 0];
  try {
    for (;;) {
      const began = performance.now();
      const next = await iterator.next();
      const passed = performance.now() - began;
      onWaited?.(passed);
      if (next.done) return;
      waited += passed;
      length += next.value.length;
      if (waited > graceMs && length < (waited / 1_000) * minBytesPerSecond) {
        throw new Failure(`${name} sends too slowly: ${length} bytes in ${Math.round(waited / 1_000)} s.`);
      }
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
