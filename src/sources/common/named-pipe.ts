/** Named pipes (FIFOs) as sources: read without blocking, so that one without a writer is given up. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../failure.ts';

const pieceBytes = 65_536;
/** Between two looks at a pipe that has nothing, ms. */
const lookMs = 20;

/**
 * Reads a named pipe to its end: until all that had it open for writing have closed it.
 * @param idleTimeoutMs how long is waited for a writer, and for each piece
 * @throws Failure where nothing comes for so long
 */
export async function* readPipe(
  path: string,
  silenceMs: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  // An open that blocks keeps a thread, and the process with it, until somebody writes.
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    let isOpened = false;
    let since = performance.now();
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const length = readWaiting(pipe, piece);
      // null: there is a writer, which has written nothing. 0: there is none, not yet or no longer.
      if (length === 0 && isOpened) return;
      isOpened ||= length !== 0;
      if (length !== null && length > 0) {
        yield piece.subarray(0, length);
        since = performance.now();
      } else {
        if (performance.now() - since > silenceMs) {
          const seconds = Math.round(silenceMs / 1_000);
          throw new Failure(`${path} is a named pipe, and nothing came from it for ${seconds} s.`);
        }
        await sleep(lookMs, undefined, signal === undefined ? {} : { signal });
      }
    }
  } finally {
    closeSync(pipe);
  }
}

/** How many bytes were read; null where none have been written yet. */
function readWaiting(pipe: number, piece: Buffer): number | null {
  try {
    return readSync(pipe, piece, 0, piece.length, null);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw failure;
  }
}
