/**
 * Applies one line atomically within its batch, which costs as much as writing it (docs/decisions/15-write-lock.md).
 */
import type { ImportState } from '../../store/schedule/import-state.ts';
import { TimeOutOfRange } from '../../text/feed-time.ts';
import { RejectedRecord } from '../records/places.ts';
import type { WriteSession } from '../write-session.ts';
import type { Tally } from './tally.ts';

/** Whether an error concerns only the line. */
export const isRejection = (failure: unknown): failure is Error =>
  failure instanceof RejectedRecord || failure instanceof TimeOutOfRange;

/**
 * Runs `write` in a savepoint and flushes it; rolls back if the line is rejected. What was buffered before stays.
 * @returns the rejection, or null if the line was written
 */
export function withSavepoint(
  { session, state, tally }: { session: WriteSession; state: ImportState; tally: Tally },
  write: () => void,
): Error | null {
  const { writer } = session;
  const { changed } = writer;
  const kinds = tally.snapshot();
  // A rollback discards what is buffered, such as the new artists of the line, which exist already.
  session.flush();
  try {
    state.inSavepoint(() => {
      write();
      session.flush();
    });
    return null;
  } catch (failure) {
    if (!isRejection(failure)) throw failure;
    session.rollbackToSavepoint();
    writer.changed = changed;
    tally.kinds = kinds;
    return failure;
  }
}
