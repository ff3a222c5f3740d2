/** Lowers the priority of work that must not slow down a service on the same machine. */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { App } from '../app.ts';

/** As `nice -n 10`: a tenth of the processor time of normal work, if both want all of it. */
const backgroundPriority = 10;

/**
 * Lowers the priority of this process, with the threads it starts later. Linux has a priority for each thread
 * (setpriority(2), "C library/kernel differences"), so those that run already are lowered one by one.
 */
export function lowerOwnPriority(): void {
  for (const thread of process.platform === 'linux' ? ownThreads() : [process.pid]) {
    try {
      setPriority(thread, backgroundPriority);
    } catch {
      // The thread has ended, or the priority is lower already and cannot be raised.
    }
  }
}

/** Lowers the priority of this process if a service runs on the data file: its requests come first. */
export function giveWayToService(app: App): void {
  if (app.services.running().length > 0) lowerOwnPriority();
}

/** The threads of this process, by the ids that Linux gives them. */
function ownThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}
