/** A record as the action `record.show` returns it. */
import type { Namesake } from '../../store/namesakes.ts';

export type RecordSummary = { id: string; kind: string; slug: string; name: string };
export type RemovedSummary = RecordSummary & {
  state: 'hidden' | 'deleted' | 'forgotten';
  reason: string | null;
  removed_by: string;
  removed_at: string;
};
export type FieldState = {
  name: string;
  type: string;
  is_list: boolean;
  is_required: boolean;
  choices: readonly string[];
  value: unknown;
  source_value: unknown;
  owner: { source: string; external_id: string } | null;
  is_derived: boolean;
  derived_from: 'lineup' | 'description' | 'title' | null;
  edit: { by: string; at: string } | null;
};
export type Statement = {
  source: string;
  external_id: string;
  name: string | null;
  start_at: string | null;
  place: string | null;
  url: string | null;
  withdrawn: boolean;
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
    statements: Statement[];
    near: { record: RecordSummary; score: number; decision: string | null }[];
  } | null;
  history: HistoryEntry[];
  /** The artists that share their name with one in the line-up. */
  namesakes: Namesake[];
};
