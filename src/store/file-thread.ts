/** The thread that looks after the data file of a service (`file-watch.ts`); begun by `file-keeper.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type WatchOptions, watchFile } from './file-watch.ts';

const watching = watchFile(workerData as WatchOptions, (state) => parentPort?.postMessage(state));

// The one message there is: to end.
parentPort?.once('message', () => {
  watching.stop();
  parentPort?.close();
});
