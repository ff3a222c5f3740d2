/**
 * The thread that checks the data file of a service in short pieces (`piecewise.ts`); started by `damage-check.ts`. It
 * pauses between pieces, so that a check uses a small share of one core.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { checkInPieces } from './piecewise.ts';

export type CheckThreadOptions = {
  path: string;
  /** Pause after each piece of work, as a multiple of the time that it took. */
  pauseFactor: number;
};
/** `error`: why the file could not be checked; null if it was. */
export type CheckThreadResult = { problems: string[]; error: string | null };

/** Time that pieces may take before the next pause, in ms. */
const maxWorkMs = 5;

function check({ path, pauseFactor }: CheckThreadOptions, report: (result: CheckThreadResult) => void): void {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true });
  sqlite.pragma('cache_size = -1024');
  const pieces = checkInPieces(sqlite);
  const end = (result: CheckThreadResult) => {
    sqlite.close();
    report(result);
  };
  const step = () => {
    const began = performance.now();
    try {
      while (performance.now() - began < maxWorkMs) {
        const piece = pieces.next();
        if (piece.done) return end({ problems: piece.value, error: null });
      }
    } catch (failure) {
      return end({ problems: [], error: failure instanceof Error ? failure.message : String(failure) });
    }
    setTimeout(step, (performance.now() - began) * pauseFactor);
  };
  step();
}

if (parentPort !== null) check(workerData as CheckThreadOptions, (result) => parentPort?.postMessage(result));
