/** The edit form of a record: the values that it shows, also after an error, and the changes that it submits. */
import type { FieldState } from '../../contract/record-details.ts';
import { Failure } from '../../failure.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import {
  areChanged,
  columnsOfType,
  moreRows,
  type Row,
  type RowType,
  rowsOfValue,
  rowTypeOf,
  sentRows,
  valueOfRows,
  withEmptyRows,
} from './rows.ts';
import { fromInputText, toInputText } from './values.ts';

export type Suggestions = readonly (readonly [value: string, label: string])[];

/** The form of a page: `values` is what was sent with it, null if it was only opened. */
export type ShownForm = {
  values: URLSearchParams | null;
  errors: Readonly<Record<string, string>>;
  /** What the browser suggests, by the name of the input. */
  suggestions?: Readonly<Record<string, Suggestions>>;
};
export const openedForm: ShownForm = { values: null, errors: {} };

/** A field as the form shows it. */
export type ShownField = {
  /** The present value, which the next change expects. */
  was: string;
  text: string;
  /** The rows of a list; null: the field is one text. */
  rows: { type: RowType; rows: Row[]; focusedRow: number | null } | null;
};

const normalize = (text: string): string => text.replaceAll('\r\n', '\n').trim();

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value that the form showed before. A form that was tampered with is refused. */
function valueBefore(name: string, text: string): unknown {
  if (text === '') return null;
  if (isJsonText(text)) return JSON.parse(text) as unknown;
  throw new Failure(`The form has no readable value of ${name} before. Open its page again.`, 2, {
    code: 'form',
  });
}

/** Returns what the form shows for a field: what the person changed, otherwise the present value. */
export function shownField(field: FieldState, { values }: ShownForm): ShownField {
  const type = rowTypeOf(field);
  if (type !== null) return shownRows(field, type, values);
  const present = toInputText(field);
  const input = values?.get(`field.${field.name}`) ?? null;
  const before = values?.get(`was.${field.name}`) ?? '';
  const isChanged = input !== null && normalize(input) !== normalize(before);
  return { was: present, text: isChanged ? input : present, rows: null };
}

function shownRows({ name, value }: FieldState, type: RowType, values: URLSearchParams | null): ShownField {
  const was = value === null ? '' : JSON.stringify(value);
  const typedRows = values === null ? null : sentRows(values, name, type);
  const hasMore = values?.get('more') === name;
  const text = values?.get(`was.${name}`) ?? '';
  const before = isJsonText(text) ? (JSON.parse(text) as unknown) : null;
  const isTyped = typedRows !== null && (hasMore || areChanged(type, typedRows, before));
  const entries = isTyped ? typedRows : rowsOfValue(type, value);
  const rows = isTyped && !hasMore ? entries : withEmptyRows(type, entries, hasMore ? moreRows : undefined);
  return { was, text: '', rows: { type, rows, focusedRow: hasMore ? entries.length : null } };
}

/**
 * Takes out the ids of references: they are slugs of this catalogue, no ids of a source. An artist whose name is the one
 * that was shown stays the same record.
 */
function withoutIds({ type, value: shown }: FieldState, value: unknown): unknown {
  if (type === 'ids' || typeof value !== 'object' || value === null) return value;
  if ((type === 'acts' || type === 'artists') && Array.isArray(value)) {
    const names = new Map(((shown ?? []) as Act[]).map((one) => [one.external_id, one.name]));
    return value.map(({ external_id: id, ...act }: Act) =>
      id !== undefined && names.get(id) === act.name ? { ...act, record: `artist/${id}` } : act,
    );
  }
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'external_id' ? undefined : one)));
}

type Act = { external_id?: string; name: string };
type Change = { field: string; operation: 'set'; value: unknown };

/**
 * Returns the changes that a form asks for, and the values that it showed before. Throws a `Failure` that names the input
 * of an invalid value.
 */
export function readChanges(
  form: URLSearchParams,
  fields: readonly FieldState[],
  messages: Messages,
): { changes: Change[]; expected: Record<string, unknown> } {
  const changes: Change[] = [];
  const expected: Record<string, unknown> = {};
  const words = messages.consoleRecords.rows;
  for (const field of fields) {
    const { name } = field;
    const was = form.get(`was.${name}`) ?? '';
    const rows = Object.hasOwn(columnsOfType, field.type)
      ? sentRows(form, name, field.type as RowType)
      : null;
    if (rows !== null) {
      const type = field.type as RowType;
      const before = valueBefore(name, was);
      if (!areChanged(type, rows, before)) continue;
      changes.push({
        field: name,
        operation: 'set',
        value: valueOfRows({ field: name, type, before }, rows, words),
      });
      expected[name] = before;
      continue;
    }
    const text = form.get(`field.${name}`);
    if (text === null || normalize(text) === normalize(was)) continue;
    changes.push({ field: name, operation: 'set', value: withoutIds(field, fromInputText(field, text)) });
    expected[name] = fromInputText(field, was);
  }
  return { changes, expected };
}

/** Returns the input of a field for its error: the group of its rows, or its text. */
export const inputOfField =
  (form: URLSearchParams) =>
  (field: string): string =>
    field.includes('.') || form.has(`rows.${field}`) ? field : `field.${field}`;
