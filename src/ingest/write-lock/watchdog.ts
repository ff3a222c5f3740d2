/**
 * The last resort against a blocked event loop: a thread that kills the process. `record-time-limit.ts` aborts slow
 * records earlier; this covers an adapter or SQLite itself keeping the process too busy to renew its write lease.
 */
import { Worker } from 'node:worker_threads';

/** Maximum time in ms without a turn of the event loop; equals the duration of a write lease. */
const maxStandstillMs = 60_000;
const heartbeatMs = 1_000;

/** The thread gets its code as text, because the executable is a single file. */
const workerCode = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { beats, what, maxStillMs, pid } = workerData;
const heart = new Int32Array(beats);
let [last, since] = [-1, Date.now()];
let looked = Date.now();
setInterval(() => {
  const now = Date.now();
  // The machine was suspended, so the time does not count.
  if (now - looked > maxStillMs / 2) since = now;
  looked = now;
  const beat = Atomics.load(heart, 0);
  if (beat !== last) [last, since] = [beat, now];
  if (now - since < maxStillMs) return;
  try {
    writeSync(2, 'WatchdogError: ' + what + ' has not gone on for ' + maxStillMs / 1000 + ' s, and was ended. What it committed stays.\\n');
  } catch {}
  process.kill(pid, 'SIGKILL');
}, Math.min(1000, maxStillMs / 8));
`;

export type Watchdog = { stop(): void };

/**
 * Watches this process until it is stopped. If the event loop does not run for a minute, the thread writes a line to
 * standard error and kills the process: its transaction is rolled back, and the lock and write lease become free.
 * @param what the current work, for the message: "the sync of berghain"
 */
export function startWatchdog(what: string, stillMs = maxStandstillMs): Watchdog {
  const beats = new SharedArrayBuffer(4);
  const heart = new Int32Array(beats);
  const timer = setInterval(() => Atomics.add(heart, 0, 1), Math.min(heartbeatMs, stillMs / 8)).unref();
  const worker = new Worker(workerCode, {
    eval: true,
    // The worker's standard streams go through the blocked event loop, so it writes to the file descriptor.
    workerData: { beats, what, maxStillMs: stillMs, pid: process.pid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  // If the thread cannot start, the work continues without it.
  worker.on('error', () => {});
  worker.unref();
  return {
    stop() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}
