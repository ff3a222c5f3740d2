/** Computes the edits of a field that a change leads to. */
import { type EditableField, editableFieldsOf } from '../../contract/editable-fields.ts';
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldState } from '../../contract/record-details.ts';
import { Failure } from '../../failure.ts';
import type { StoredEdit } from '../../store/edits.ts';
import { entryKey, removedTexts } from '../records/record-edits.ts';
import { type FieldReader, fieldOf } from './field-values.ts';
import type { FieldChange } from './parse-change.ts';

/** The edits of one field: its value, or the entries of a list that were added and taken away, by their keys. */
export type FieldEdits = {
  set: { value: unknown } | null;
  added: Map<string, unknown>;
  removed: Map<string, string>;
};

/** Entries listed in messages. */
const maxListed = 10;

/** The names under which the edits of a field are stored. */
export const storedFields = (field: string): string[] => [field, `${field}+`, `${field}-`];

/** The edits of a field among those of a record. */
export function readFieldEdits(
  kind: FeedKind,
  field: string,
  storedEdits: readonly StoredEdit[],
): FieldEdits {
  const edits: FieldEdits = { set: null, added: new Map(), removed: new Map() };
  const definition = editableFieldsOf(kind)[field] as EditableField;
  for (const { field: name, value } of storedEdits) {
    if (name === field) edits.set = { value };
    if (name === `${field}+`)
      for (const [key, entry] of keyed(definition, value)) edits.added.set(key, entry);
    if (name === `${field}-`)
      for (const text of removedTexts(value)) edits.removed.set(entryKey(definition, text), text);
  }
  return edits;
}

/** The edits of a field as they are stored: names and values. */
export function toStored(kind: FeedKind, field: string, { set, added, removed }: FieldEdits) {
  const [setName, addedName, removedName] = storedFields(field) as [string, string, string];
  const isObject = editableFieldsOf(kind)[field]?.type === 'ids';
  const rows: { field: string; value: unknown }[] = [];
  if (set !== null) rows.push({ field: setName, value: set.value });
  if (added.size > 0)
    rows.push({ field: addedName, value: isObject ? Object.fromEntries(added) : [...added.values()] });
  if (removed.size > 0) rows.push({ field: removedName, value: [...removed.values()] });
  return rows;
}

/** The entries of a list, or the members of an object, by their keys. */
const keyed = (definition: EditableField, value: unknown): [string, unknown][] =>
  Array.isArray(value)
    ? value.map((entry) => [entryKey(definition, entry), entry])
    : Object.entries((value as Record<string, unknown> | null) ?? {});

/**
 * Applies changes to the edits of a record. Throws a `Failure` with advice for an unknown field or an invalid value.
 * @param states the fields of the record before
 * @param stored the edits of the record before
 * @returns the new edits of each field that changes
 */
export function applyChanges(
  kind: FeedKind,
  changes: readonly FieldChange[],
  { states, stored }: { states: readonly FieldState[]; stored: readonly StoredEdit[] },
  reader: FieldReader,
): Map<string, FieldEdits> {
  const result = new Map<string, FieldEdits>();
  for (const change of changes) {
    const field = fieldOf(kind, change.field);
    const edits = result.get(field) ?? readFieldEdits(kind, field, stored);
    const state = states.find(({ name }) => name === field) as FieldState;
    if (change.operation === 'add') addEntries(kind, edits, state, change.value, reader);
    else if (change.operation === 'remove') removeEntries(kind, edits, state, change.value, reader);
    else {
      // `artist=A artist=B` in one command is a list of both.
      const isRepeated = result.has(field) && state.is_list && edits.set !== null;
      const value = reader.value(kind, field, change.value);
      edits.set = { value: isRepeated ? joinLists(edits.set?.value, value) : value };
      edits.added.clear();
      edits.removed.clear();
    }
    result.set(field, edits);
  }
  return result;
}

const joinLists = (one: unknown, two: unknown): unknown =>
  Array.isArray(one) && Array.isArray(two) ? [...one, ...two] : two;

function addEntries(
  kind: FeedKind,
  edits: FieldEdits,
  { name }: FieldState,
  value: unknown,
  reader: FieldReader,
): void {
  const definition = editableFieldsOf(kind)[name] as EditableField;
  for (const [key, entry] of keyed(definition, reader.entries(kind, name, value))) {
    edits.removed.delete(key);
    edits.added.set(key, entry);
  }
}

function removeEntries(
  kind: FeedKind,
  edits: FieldEdits,
  state: FieldState,
  value: unknown,
  reader: FieldReader,
): void {
  const definition = editableFieldsOf(kind)[state.name] as EditableField;
  const stated = new Set(keyed(definition, state.source_value).map(([key]) => key));
  const shownEntries = new Map(keyed(definition, state.value));
  for (const text of reader.removedTexts(kind, state.name, value)) {
    const key = entryKey(definition, text);
    const wasAdded = edits.added.delete(key);
    if (!wasAdded && !stated.has(key) && !shownEntries.has(key))
      throw missingEntry(state, text, [...shownEntries.values()]);
    // An entry that only an editor added needs no mark.
    if (!wasAdded || stated.has(key))
      edits.removed.set(key, definition.type === 'ids' ? key : (textOf(shownEntries.get(key)) ?? text));
  }
}

/** The text of a shown entry: exact in upper and lower case. */
function textOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry;
  const { url, name } = (entry ?? {}) as { url?: string; name?: string };
  return url ?? name ?? null;
}

function missingEntry({ name, value }: FieldState, text: string, entries: unknown[]): Failure {
  const texts =
    Array.isArray(value) || value === null
      ? entries.map((entry) => textOf(entry) ?? '')
      : Object.keys(value as object);
  const rest = texts.length > maxListed ? ` and ${texts.length - maxListed} more` : '';
  const list = texts.length === 0 ? 'It is empty.' : `It has ${texts.slice(0, maxListed).join(', ')}${rest}.`;
  return new Failure(`${name} has no entry ${JSON.stringify(text.slice(0, 100))}. ${list}`);
}
