/** One line as all or nothing within its batch, which costs as much as writing it (docs/decisions/15-write-lock.md). */
import type { ImportState } from '../store/import-state.ts';
import { RejectedStatement } from './records/places.ts';
import type { Tally } from './tally.ts';
import { TimeOutOfRange } from './time.ts';
import type { Workbench } from './workbench.ts';

/** Whether what was thrown only concerns the line. */
export const isRejection = (failure: unknown): failure is Error =>
  failure instanceof RejectedStatement || failure instanceof TimeOutOfRange;

/**
 * Runs `write` and settles what it wrote; where the line is rejected, nothing of it is left.
 * @returns what the line was rejected with; null where it was written
 */
export function withSavepoint(
  { bench, state, tally }: { bench: Workbench; state: ImportState; tally: Tally },
  write: () => void,
): Error | null {
  const { writer } = bench;
  const { changed } = writer;
  const kinds = tally.snapshot();
  try {
    state.line(() => {
      write();
      bench.settle();
    });
    return null;
  } catch (failure) {
    if (!isRejection(failure)) throw failure;
    bench.undoLine();
    writer.changed = changed;
    tally.kinds = kinds;
    return failure;
  }
}
