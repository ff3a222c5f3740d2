/** Lowers the priority of work that must not slow down a service on the same machine. */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { App } from '../app.ts';

/** As `nice -n 10`: a tenth of the processor time of normal work, if both want all of it. */
const loweredPriority = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of this process, with the threads it starts later, unless it is lower already. Linux has a priority
 * for each thread (setpriority(2), "C library/kernel differences"), so those that run already are lowered one by one.
 */
export function lowerOwnPriority(): void {
  for (const thread of process.platform === 'linux' ? ownThreads() : [process.pid]) {
    try {
      // A higher number is a lower priority. Reads that a service starts have a lower one.
      if (getPriority(thread) < loweredPriority) setPriority(thread, loweredPriority);
    } catch {
      // The thread has ended.
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
