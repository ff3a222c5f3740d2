/**
 * The last resort against work that does not go on: a thread that ends the process. What one record takes too long for
 * is ended before (`guard.ts`); here it is the adapter of a source, or SQLite itself, that keeps the process so busy that
 * it cannot renew its turn.
 */
import { Worker } from 'node:worker_threads';

/** The process does not go on once its event loop has stood still for so long, ms. As long as a turn lasts. */
const maxStandstillMs = 60_000;
const heartbeatMs = 1_000;

/** The thread has no module of its own: the executable is one file. */
const workerCode = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { beats, what, mostStillMs, pid } = workerData;
const heart = new Int32Array(beats);
let [last, since] = [-1, Date.now()];
let looked = Date.now();
setInterval(() => {
  const now = Date.now();
  // The machine slept, and so did both of us.
  if (now - looked > mostStillMs / 2) since = now;
  looked = now;
  const beat = Atomics.load(heart, 0);
  if (beat !== last) [last, since] = [beat, now];
  if (now - since < mostStillMs) return;
  try {
    writeSync(2, 'WatchdogError: ' + what + ' has not gone on for ' + mostStillMs / 1000 + ' s, and was ended. What it committed stays.\\n');
  } catch {}
  process.kill(pid, 'SIGKILL');
}, Math.min(1000, mostStillMs / 8));
`;

export type Watchdog = { stop(): void };

/**
 * Watches this process until it is stopped. Where its event loop stands still for a minute, a line on standard error says
 * so, and the process is killed: its transaction is undone, the lock is free, and its turn is another's.
 * @param what is being done, for the line: "the sync of berghain"
 */
export function startWatchdog(what: string, stillMs = maxStandstillMs): Watchdog {
  const beats = new SharedArrayBuffer(4);
  const heart = new Int32Array(beats);
  const timer = setInterval(() => Atomics.add(heart, 0, 1), Math.min(heartbeatMs, stillMs / 8)).unref();
  const worker = new Worker(workerCode, {
    eval: true,
    // What it prints would wait for the very loop that stands still.
    workerData: { beats, what, mostStillMs: stillMs, pid: process.pid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  // Without it the work goes on as before.
  worker.on('error', () => {});
  worker.unref();
  return {
    stop() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}
