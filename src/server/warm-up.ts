/** Runs code before the first request that needs it: V8 compiles it, and modules are read, when they are first used. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure, type Log } from '../log.ts';

/** A part of what a first request would wait for. */
export type WarmUpStep = () => unknown;

/** Callers that wait for the start are served first. */
const delayMs = { start: 3_000, step: 100 };

/** Runs the steps one after the other, with pauses for requests; returns their end, and a function that stops them. */
export function warmUp(
  steps: readonly WarmUpStep[],
  log: Log,
  delays = delayMs,
): { done: Promise<void>; stop: () => void } {
  const stopping = new AbortController();
  const wait = (ms: number) => sleep(ms, undefined, { ref: false, signal: stopping.signal });
  const run = async () => {
    await wait(delays.start);
    for (const step of steps) {
      try {
        await step();
      } catch (failure) {
        log('warn', 'a part of the service could not be prepared', describeFailure(failure));
      }
      await wait(delays.step);
    }
  };
  // Only the signal ends a wait with an error.
  return { done: run().catch(() => undefined), stop: () => stopping.abort() };
}
