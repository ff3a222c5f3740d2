/** A record as the action `record.show` returns it. */
import type { FieldState, StatementSummary } from '../../contract/record-details.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { Namesake } from '../../store/namesakes.ts';

export type RemovedSummary = RecordSummary & {
  state: 'hidden' | 'deleted' | 'forgotten';
  reason: string | null;
  removed_by: string;
  removed_at: string;
};
export type HistoryEntry = {
  id: number | null;
  at: string | null;
  revision?: number | null;
  actor: string | null;
  action: string;
  fields?: string[];
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  undone_by: number | null;
};
export type ShownRecord = {
  record: RecordSummary;
  removed: RemovedSummary | null;
  fields: FieldState[];
  explanation: {
    statements: StatementSummary[];
    near: { record: RecordSummary; score: number; decision: string | null }[];
  } | null;
  history: HistoryEntry[];
  /** The records that the latest change created because it names them. */
  created: RecordSummary[];
  /** Its clock time is not shown, because no time zone is known. */
  lacks_timezone: boolean;
  /** The artists that share their name with one in the line-up. */
  namesakes: Namesake[];
};
