/** Options and report of an import. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RejectedItem, RuleCounts } from '../../contract/source-summaries.ts';
import type { AdapterItem, RecordKey } from '../../sources/common/input-items.ts';
import type { Skipped } from '../../sources/read-source.ts';
import type { LockReport } from '../write-lock/lock-times.ts';
import type { HeldLease } from '../write-lock/write-lease.ts';
import type { MissingRule } from './missing-events.ts';

export type ImportOptions = {
  source: string;
  type: string;
  trust?: number | undefined;
  clock?: 'instant' | 'local' | undefined;
  /**
   * Whether the input lists all records of the source, so that records missing from it are withdrawn. A function is
   * called at the end of the input with the number of valid records.
   */
  complete?: boolean | ((input: { records: number }) => boolean) | undefined;
  /** Withdraw records even if more than half would go. */
  force?: boolean | undefined;
  /** What happens to upcoming events that no source lists any more; overrides the rules of the source. */
  onMissing?: MissingRule | undefined;
  /** Whether all missing records are withdrawn, also past events that the rules of the source would keep. */
  dropsPast?: boolean | undefined;
  /** ms since 1970. */
  now: number;
  /**
   * Whether no other process can use the file: long transactions without pauses. If undefined, `WriteBatches` detects
   * it.
   */
  alone?: boolean | undefined;
  /** Time limit of a record in ms; only tests set it. Default: `maxRecordMs`. */
  maxRecordMs?: number | undefined;
  /** The write lease, lent between two batches to short work that waits for it. */
  lease?: HeldLease | undefined;
  /** Stops the work at a committed batch and throws the abort reason. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((item: RejectedItem) => void) | undefined;
  /** Receives the records that a rule of the source skips. */
  onSkipped?: ((skipped: Skipped) => void) | undefined;
  /** Called for each source record that matched an existing record; possibly twice for the same one. */
  onMatched?: ((subject: RecordKey) => void) | undefined;
  /** The bytes of a feed; either this or `records`. */
  input?: AsyncIterable<Uint8Array> | undefined;
  /** Records from an adapter; replaces `input`. */
  records?: AsyncIterable<AdapterItem> | undefined;
};

export type KindCounts = {
  created: number;
  updated: number;
  unchanged: number;
  matched: number;
  withdrawn: number;
};
export type ImportReport = {
  source: string;
  /** The revision of the catalogue after the import. */
  revision: number;
  kinds: Partial<Record<FeedKind, KindCounts>>;
  /** At most `maxListedRejections` rejected lines; `onRejected` received all of them. */
  rejected: RejectedItem[];
  rejectedCount: number;
  /** The number of valid records that the input listed, including those that a rule skipped. */
  records: number;
  /** The number of records that each rule of the source skipped. */
  rules: RuleCounts;
  /** Why nothing was withdrawn, if a complete feed was refused. */
  refused: string | null;
  seconds: number;
  /** How long the import held the write lock. */
  lock: LockReport;
};
