/** Writes the edits of a record within an open transaction: stores them, computes the record again, and logs the change. */

import { type EditableField, editableFieldsOf } from '../../contract/editable-fields.ts';
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldState } from '../../contract/record-details.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import type { StoredEdit } from '../../store/edits.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { RecordLog, undoAction } from '../record-log.ts';
import { entryKey, removedTexts } from '../records/record-edits.ts';
import { isNamedEntityKind } from '../resolution/entity-matcher.ts';
import type { WriteSession } from '../write-session.ts';
import { type FieldEdits, storedFields, toStored } from './change-set.ts';
import type { CreatedRecords } from './created-records.ts';
import { ensureAnchor } from './editors-source.ts';
import { describeFields } from './field-states.ts';

/** What the audit log keeps of an edit, and what an undo needs. */
export type EditDetails = {
  /** The shown values before and after, by field. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** All edits of these fields before and after. */
  edits_before: StoredEdit[];
  edits_after: StoredEdit[];
  /** The revision of the catalogue that shows the change. */
  revision: number;
  /** Public ids of the records that exist because the edit names them. */
  created?: readonly string[];
  reason?: string | undefined;
  /** The entry that this one undoes. */
  undone?: number;
};
export type EditedField = { field: string; before: unknown; after: unknown; source_value: unknown };
export type WrittenEdit = { auditId: number; fields: EditedField[] };
export type AuditNote = { action: string; reason?: string | undefined; undone?: number };

/** Kinds whose records are shown in others under their name or an alias. */
const embeddedKinds = ['artist', 'venue', 'city', 'festival', 'genre'] as const;

/** Writes the edits of one person. Its methods must be called within a batch, `isStored` and `assertUnchanged` aside. */
export class EditWriter {
  readonly #session: WriteSession;
  readonly #log: RecordLog;
  readonly #actor: Actor;
  readonly #created: CreatedRecords;

  constructor(session: WriteSession, actor: Actor, created: CreatedRecords) {
    this.#session = session;
    this.#log = new RecordLog(session.writer.sqlite, session.now, actor);
    this.#actor = actor;
    this.#created = created;
  }

  /** Replaces the edits of fields. Fields without edits show what the sources say again. */
  write(record: RecordIdentity, edits: ReadonlyMap<string, FieldEdits>, note: AuditNote): WrittenEdit {
    const { now } = this.#session;
    const kind = record.kind as FeedKind;
    const rows = [...edits].flatMap(([field, one]) => toStored(kind, field, one));
    const anchor = rows.length > 0 ? ensureAnchor(this.#session, record, edits) : null;
    const newEdits = rows.map(
      ({ field, value }): StoredEdit => ({
        ...(anchor as NonNullable<typeof anchor>),
        field,
        value,
        editedBy: this.#actor,
        editedTs: now,
      }),
    );
    return this.replace(record, [...edits.keys()], newEdits, note);
  }

  /** Replaces all edits of these fields by the given ones. */
  replace(
    record: RecordIdentity,
    fields: readonly string[],
    edits: readonly StoredEdit[],
    note: AuditNote,
  ): WrittenEdit {
    const { sources, matcher } = this.#session;
    const kind = record.kind as FeedKind;
    const before = describeFields(this.#session, kind, record.id);
    const editsBefore = this.#present(record, fields);
    const store = (): void => {
      sources.edits.remove(record.id, fields.flatMap(storedFields));
      for (const edit of edits) sources.edits.put(edit, record.id);
    };
    if (isNamedEntityKind(kind)) matcher.entities.candidates.followIds(kind, record.id, store);
    else store();
    this.#rebuild(kind, record.id, fields);
    const after = describeFields(this.#session, kind, record.id);
    assertShown(kind, fields, before, after, edits);
    const changes = fields.map((field) => changeOf(field, before, after));
    const details: EditDetails = {
      before: Object.fromEntries(changes.map((one) => [one.field, one.before])),
      after: Object.fromEntries(changes.map((one) => [one.field, one.after])),
      edits_before: editsBefore,
      edits_after: [...edits],
      revision: this.revision(),
      ...this.#created.details(),
      ...(note.reason === undefined ? {} : { reason: note.reason }),
      ...(note.undone === undefined ? {} : { undone: note.undone }),
    };
    return { auditId: this.log(note.action, record, details), fields: changes };
  }

  /** Stores earlier edits of fields again, to undo an entry of the audit log. */
  restore(
    record: RecordIdentity,
    fields: readonly string[],
    edits: readonly StoredEdit[],
    undone: number,
  ): WrittenEdit {
    // The source record that they were anchored at may have left the record.
    const anchor = edits.length > 0 ? ensureAnchor(this.#session, record, new Map()) : null;
    const anchored = edits.map((edit) => ({ ...edit, ...anchor }));
    return this.replace(record, fields, anchored, { action: undoAction, undone });
  }

  /** Whether these are the present edits of the record. */
  isStored(record: RecordIdentity, edits: ReadonlyMap<string, FieldEdits>): boolean {
    const rows = [...edits].flatMap(([field, one]) => toStored(record.kind as FeedKind, field, one));
    return editsText(rows) === editsText(this.#present(record, [...edits.keys()]));
  }

  /** Throws a `Failure` if the edits of these fields are others than an entry of the audit log left. */
  assertUnchanged(
    record: RecordIdentity,
    fields: readonly string[],
    expectedEdits: readonly StoredEdit[],
    auditId: number,
  ): void {
    const present = this.#present(record, fields);
    if (editsText(present) === editsText(expectedEdits)) return;
    const last = present.at(-1);
    const who = last === undefined ? '' : ` by ${last.editedBy}`;
    throw new Failure(
      `${fields.join(', ')} of ${record.kind}/${record.slug} changed again${who} since entry ${auditId}. Repeat the command with --force to undo it anyway.`,
      1,
      { code: 'changed_again' },
    );
  }

  #present(record: RecordIdentity, fields: readonly string[]): StoredEdit[] {
    const names = fields.flatMap(storedFields);
    return this.#session.sources.edits.of(record.id).filter(({ field }) => names.includes(field));
  }

  /** Computes a record again. If its names changed, the records that name it follow. */
  #rebuild(kind: FeedKind, id: number, fields: readonly string[]): void {
    this.#session.rebuild(kind, id);
    this.#session.flush();
    if (!fields.includes('aliases') && !fields.includes('name')) return;
    const { lookup, resolver } = this.#session;
    resolver.clearCache();
    const embedded = embeddedKinds.find((one) => one === kind);
    if (embedded !== undefined) lookup.markDependents(embedded, id);
  }

  /** The revision that shows the changes of the open transaction. */
  revision(): number {
    const { writer } = this.#session;
    return writer.changed ? writer.revision : writer.revision - 1;
  }

  /** Adds an entry about a record to the audit log. Returns its id. */
  log(action: string, record: RecordIdentity, details: Record<string, unknown>): number {
    return this.#log.add(action, record, details);
  }
}

/** Edits as text, to compare them without their anchors, editors and times. */
const editsText = (edits: readonly { field: string; value: unknown }[]): string =>
  JSON.stringify(edits.map(({ field, value }) => [field, JSON.stringify(value)]).sort());

const stateOf = (states: readonly FieldState[], field: string): FieldState =>
  states.find(({ name }) => name === field) as FieldState;

function changeOf(field: string, before: readonly FieldState[], after: readonly FieldState[]): EditedField {
  const now = stateOf(after, field);
  return {
    field,
    before: stateOf(before, field).value,
    after: now.value,
    source_value: now.source_value,
  };
}

/** Throws a `Failure` if the record does not show what an edit says, because other fields contradict it. */
function assertShown(
  kind: FeedKind,
  fields: readonly string[],
  before: readonly FieldState[],
  after: readonly FieldState[],
  edits: readonly StoredEdit[],
): void {
  const shownValue = (states: readonly FieldState[], field: string) =>
    states.find(({ name }) => name === field)?.value ?? null;
  const isNone = edits.some(({ field, value }) => field === 'end_at' && value === null);
  const end = edits.find(({ field }) => field === 'end_at')?.value ?? shownValue(before, 'end_at');
  const changesTimes = fields.some((field) => ['start_at', 'end_at', 'timezone'].includes(field));
  if (changesTimes && end !== null && !isNone && shownValue(after, 'end_at') === null && edits.length > 0)
    throw new Failure(
      `The ${kind} would end before it starts: start_at ${String(shownValue(after, 'start_at'))}, end_at ${String(end)}. Set both in one command, or end_at= for no end. Nothing was changed.`,
      2,
      { field: 'end_at', code: 'end_before_start' },
    );
  for (const { field, value } of edits) {
    if (!field.endsWith('-')) continue;
    const name = field.slice(0, -1);
    const definition = editableFieldsOf(kind)[name] as EditableField;
    const list = shownValue(after, name);
    const keys = new Set(
      (Array.isArray(list) ? list : Object.keys(list ?? {})).map((one) => entryKey(definition, one)),
    );
    const shownText = removedTexts(value).find((text) => keys.has(entryKey(definition, text)));
    if (shownText !== undefined && name !== 'aliases')
      throw new Failure(
        `${name} still shows ${JSON.stringify(shownText)} after it was taken away. Set the whole list: ${name}=JSON. Nothing was changed.`,
      );
  }
}
