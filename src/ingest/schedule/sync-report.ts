/** What a sync is told, and what it tells. */

import type { RecordKey } from '../../sources/common/input-items.ts';
import type { Skipped } from '../../sources/read-source.ts';
import type { ImportReport, RejectedItem } from '../import/import-feed.ts';

/** What one source's run did. */
export type SyncReport = Omit<ImportReport, 'refused' | 'rejectedCount' | 'lock'> & {
  /**
   * `failed` and `partial`: not all could be read, what was read is in the catalogue. `refused`: read, but so much would
   * have been withdrawn that nothing was.
   */
  outcome: 'done' | 'unchanged' | 'partial' | 'refused' | 'failed';
  rejected_count: number;
  /** What is nothing for the catalogue, such as a night on which a house is closed: nobody has to mend it. */
  skipped: Skipped[];
  skipped_count: number;
  /** Why it is not `doneMessages`, in one line. */
  error: string | null;
  /** When it is read next, ISO 8601; null where that is not planned (a dry run). */
  next_run_at: string | null;
};

export type SyncOptions = {
  /** Withdraw even more than half. */
  force?: boolean;
  /** Every page is read whether it changed or not. */
  fresh?: boolean;
  /**
   * Beside the schedule, by somebody who may have left out what the service is allowed: where a private address is
   * refused, the source's state and its next run stay what they are.
   */
  byHand?: boolean;
  /** Ends the work at a committed batch; aborted with an `Interrupted`. */
  signal?: AbortSignal | undefined;
  onWait?: (what: string) => void;
  onProgress?: (progress: { records: number }) => void;
  onRejected?: (rejected: RejectedItem) => void;
  /** Hears of what the program itself did wrong; the report has one line of it. */
  onDefect?: (failure: unknown) => void;
  onMatched?: ((subject: RecordKey) => void) | undefined;
};
