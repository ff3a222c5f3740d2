/**
 * The thread that checks the slot that serves in short pieces; started by `slot-check.ts`. It pauses between pieces, so
 * that a check uses a small share of one core.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { NotPages, noPages, summarizeInPieces } from './pages.ts';

export type SlotCheckOptions = {
  /** The descriptor of the slot in this process. */
  file: number;
  /** Pause after each piece, as a multiple of the time that it took. */
  pauseFactor: number;
};
/** The root of the pages; `error`: why they could not be read, null if they were. */
export type SlotCheckResult = { root: string; error: null } | { root: null; error: string };

/** A piece takes a few milliseconds. */
const pieceBytes = 1 << 20;
/** The disk cannot read a page. */
const unreadable = /^EIO$/;

function check({ file, pauseFactor }: SlotCheckOptions, report: (result: SlotCheckResult) => void): void {
  const pieces = summarizeInPieces(file, pieceBytes);
  const step = () => {
    const began = performance.now();
    try {
      const piece = pieces.next();
      if (piece.done) return report({ root: piece.value.root, error: null });
    } catch (failure) {
      return report(describe(failure));
    }
    setTimeout(step, (performance.now() - began) * pauseFactor);
  };
  step();
}

function describe(failure: unknown): SlotCheckResult {
  const { code, message } = failure as NodeJS.ErrnoException;
  if (failure instanceof NotPages || unreadable.test(code ?? '')) return { root: noPages.root, error: null };
  return { root: null, error: message };
}

if (parentPort !== null) check(workerData as SlotCheckOptions, (result) => parentPort?.postMessage(result));
