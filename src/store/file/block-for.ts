/** Waits without giving the thread to other work, for pauses of a few ms within a synchronous operation. */

const never = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread. @param ms how long, perhaps a fraction */
export function blockFor(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}
