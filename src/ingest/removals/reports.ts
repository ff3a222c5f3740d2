/** Types: reports of removals and purges, and the query for removed records. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { PurgeSummary } from '../../contract/source-summaries.ts';
import type { RemovalState } from '../../store/resolution/removed-records.ts';
import type { NameChoice } from './forgetting/forget-traces.ts';

export type RemovalReport = {
  record: RecordSummary;
  /** The state now; `shown` after a restore. */
  state: RemovalState | 'shown';
  /** Whether anything changed: false if the record was in this state before. */
  changed: boolean;
  /** The number of editions or episodes that went or came with it. */
  parts: number;
  revision: number;
  /** The entry of the audit log; null if nothing changed. */
  audit_id: number | null;
};
/** A removed record as it is listed. */
export type RemovedSummary = RecordSummary & {
  state: RemovalState;
  reason: string | null;
  removed_by: string;
  removed_at: string;
  parts: number;
};
/** `slug` is null if the name is forgotten too; `changed_records` named the artist. */
export type ForgetReport = {
  id: string;
  slug: string | null;
  name: NameChoice;
  changed_records: number;
  /** Whether unused parts of the file were overwritten; false while a service uses it. */
  is_file_rewritten: boolean;
  revision: number;
  audit_id: number;
};
export type PurgeReport = PurgeSummary & { revision: number; audit_id: number };
export type RemovedQuery = {
  /** Only the record with this public id. */
  id?: string | undefined;
  kind?: FeedKind | undefined;
  state?: RemovalState | undefined;
  /** ms since 1970. */
  beforeTs?: number | undefined;
  limit: number;
};
