/** The thread that looks after the data file of a service (`watcher.ts`); begun by `monitor.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { startWatching, type WatchOptions } from './watcher.ts';

const watcher = startWatching(workerData as WatchOptions, (state) => parentPort?.postMessage(state));

// The one message there is: to end.
parentPort?.once('message', () => {
  watcher.stop();
  parentPort?.close();
});
