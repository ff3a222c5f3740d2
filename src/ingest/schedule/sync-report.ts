import type { RecordKey } from '../../sources/common/input-items.ts';
import type { Skipped } from '../../sources/read-source.ts';
import type { ImportReport, RejectedItem } from '../import/import-feed.ts';

/** The report of one source's run. */
export type SyncReport = Omit<ImportReport, 'refused' | 'rejectedCount' | 'lock'> & {
  /**
   * `failed` and `partial`: not everything could be read; everything that was read is in the catalogue. `refused`:
   * nothing was withdrawn because more than half would have been.
   */
  outcome: 'done' | 'unchanged' | 'partial' | 'refused' | 'failed';
  rejected_count: number;
  /** Items that were skipped on purpose, such as a day on which a venue is closed. */
  skipped: Skipped[];
  skipped_count: number;
  /** The error in one line; null if the outcome is `done`. */
  error: string | null;
  /** The next run, ISO 8601; null if none is scheduled (a dry run). */
  next_run_at: string | null;
};

export type SyncOptions = {
  /** Withdraw records even if more than half would go. */
  force?: boolean;
  /** Download every page even if it has not changed. */
  fresh?: boolean;
  /**
   * Started manually, possibly without the service's permissions: if a private address is refused, the state and next
   * run of the source do not change.
   */
  byHand?: boolean;
  /** Stops the work at a committed batch; aborted with an `Interrupted`. */
  signal?: AbortSignal | undefined;
  onWait?: (what: string) => void;
  onProgress?: (progress: { records: number }) => void;
  onRejected?: (rejected: RejectedItem) => void;
  /** Receives program errors; the report contains one line of each. */
  onDefect?: (failure: unknown) => void;
  onMatched?: ((subject: RecordKey) => void) | undefined;
};
