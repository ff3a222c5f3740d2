/** What is shown about one record, in the terminal and the console. */
import type { EditableFieldType } from './editable-fields.ts';

/** A source record that states a value. */
export type FieldOwner = { source: string; external_id: string };
/** Who changed a field last, and when. */
export type FieldEdit = {
  by: string;
  at: string;
  /** Whether the field is set as a whole. */
  is_set: boolean;
  /** Entries of a list that were added, and the names or addresses of those taken away. */
  added: unknown[];
  removed: string[];
};
/** A field of a record, for a form. */
export type FieldState = {
  name: string;
  type: EditableFieldType;
  is_list: boolean;
  is_required: boolean;
  choices: readonly string[];
  /** What the record shows; null for "none". */
  value: unknown;
  /** What it would show without edits. */
  source_value: unknown;
  /** The source record whose value that is; null for a list of several sources, and if no source states one. */
  owner: FieldOwner | null;
  /** Whether no source states the value: genres follow from the line-up, a line-up from description or title. */
  is_derived: boolean;
  /** What a derived value follows from. */
  derived_from: 'lineup' | 'description' | 'title' | null;
  /** Null if no editor changed the field. */
  edit: FieldEdit | null;
};

/** A source record; `withdrawn` if its source no longer lists it. */
export type StatementSummary = {
  source: string;
  external_id: string;
  name: string | null;
  /** Start and place as stated, which usually differ between two source records. */
  start_at: string | null;
  place: string | null;
  url: string | null;
  withdrawn: boolean;
};
