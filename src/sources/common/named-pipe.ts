/** Reads named pipes (FIFOs) without blocking, so that a pipe without a writer can time out. */

import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import { stated } from './values.ts';

const chunkBytes = 65_536;
/** Poll interval of an empty pipe, ms. */
const pollIntervalMs = 20;

/**
 * Reads a named pipe until all writers have closed it.
 * @param idleTimeoutMs max wait in ms for a writer, and for each chunk
 * @throws Failure after the timeout
 */
export async function* readPipe(
  path: string,
  idleTimeoutMs: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // A blocking open would occupy a thread, and keep the process alive, until a writer comes.
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    let isOpened = false;
    let lastDataAt = performance.now();
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const length = readWaiting(pipe, chunk);
      // null: a writer exists but has written nothing. 0: no writer, not yet or no longer.
      if (length === 0 && isOpened) return;
      isOpened ||= length !== 0;
      if (length !== null && length > 0) {
        yield chunk.subarray(0, length);
        lastDataAt = performance.now();
      } else {
        if (performance.now() - lastDataAt > idleTimeoutMs) {
          const seconds = Math.round(idleTimeoutMs / 1_000);
          throw new Failure(`${path} is a named pipe, and no data arrived for ${seconds} s.`);
        }
        await sleep(pollIntervalMs, undefined, stated({ signal }));
      }
    }
  } finally {
    closeSync(pipe);
  }
}

/**
 * Reads available bytes.
 * @returns the number of bytes; null if no bytes have been written yet
 */
function readWaiting(pipe: number, chunk: Buffer): number | null {
  try {
    return readSync(pipe, chunk, 0, chunk.length, null);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw failure;
  }
}
