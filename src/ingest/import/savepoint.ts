/** One line as all or nothing within its batch, which costs as much as writing it (docs/decisions/15-write-lock.md). */
import type { ImportState } from '../../store/schedule/import-state.ts';
import { TimeOutOfRange } from '../../text/feed-time.ts';
import { RejectedRecord } from '../records/places.ts';
import type { WriteSession } from '../write-session.ts';
import type { Tally } from './tally.ts';

/** Whether what was thrown only concerns the line. */
export const isRejection = (failure: unknown): failure is Error =>
  failure instanceof RejectedRecord || failure instanceof TimeOutOfRange;

/**
 * Runs `write` and settles what it wrote; where the line is rejected, nothing of it is left.
 * @returns what the line was rejected with; null where it was written
 */
export function withSavepoint(
  { bench, state, tally }: { bench: WriteSession; state: ImportState; tally: Tally },
  write: () => void,
): Error | null {
  const { writer } = bench;
  const { changed } = writer;
  const kinds = tally.snapshot();
  try {
    state.inSavepoint(() => {
      write();
      bench.flush();
    });
    return null;
  } catch (failure) {
    if (!isRejection(failure)) throw failure;
    bench.rollbackToSavepoint();
    writer.changed = changed;
    tally.kinds = kinds;
    return failure;
  }
}
