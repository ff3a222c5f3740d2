/** What an import is told, and what it reports. */
import type { FeedKind } from '../../contract/feed.ts';
import type { AdapterItem, RecordKey } from '../../sources/common/input-items.ts';
import type { LockReport } from '../write-lock/lock-times.ts';

export type ImportOptions = {
  source: string;
  type: string;
  trust?: number | undefined;
  clock?: 'instant' | 'local' | undefined;
  /**
   * What was read is all that the source lists: what it no longer lists is withdrawn. A function is asked when all was
   * read.
   */
  complete?: boolean | (() => boolean) | undefined;
  /** Withdraw even more than half. */
  force?: boolean | undefined;
  /** ms since 1970. */
  now: number;
  /**
   * Nobody else can use the file: long transactions, no rests between them. Where it is not said, see `WriteBatches`; false
   * says that others do.
   */
  alone?: boolean | undefined;
  /** Ends the work at a committed batch; what it is aborted with is thrown. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { lines: number }) => void) | undefined;
  onRejected?: ((rejected: RejectedItem) => void) | undefined;
  /** Hears of what went into a record that was there; of the same thing perhaps twice. */
  onMatched?: ((subject: RecordKey) => void) | undefined;
  /** A feed as bytes; or `countRecords`. */
  input?: AsyncIterable<Uint8Array> | undefined;
  /** What an adapter makes of another format; takes the place of `input`. */
  records?: AsyncIterable<AdapterItem> | undefined;
};

/** What was skipped: the line of a feed, or the number of the record and where its adapter found it. */
export type RejectedItem = { line: number; where?: string; reason: string };
export type KindCounts = {
  created: number;
  updated: number;
  unchanged: number;
  matched: number;
  withdrawn: number;
};
export type ImportReport = {
  source: string;
  /** The catalogue's revision afterwards. */
  revision: number;
  kinds: Partial<Record<FeedKind, KindCounts>>;
  /** At most `maxListedRejections` of the rejected lines; all of them went through `onRejected`. */
  rejected: RejectedItem[];
  rejectedCount: number;
  /** Why a complete feed withdrew nothing, where it did not. */
  refused: string | null;
  seconds: number;
  /** How long it held the file's write lock. */
  lock: LockReport;
};
