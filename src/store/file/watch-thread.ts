/** The thread that watches the data file of a service (`watcher.ts`); started by `monitor.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { startWatching, type WatchOptions } from './watcher.ts';

const watcher = startWatching(workerData as WatchOptions, (state) => parentPort?.postMessage(state));

// The only message is the request to stop.
parentPort?.once('message', () => {
  watcher.stop();
  parentPort?.close();
});
