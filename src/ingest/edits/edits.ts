/**
 * Editors' corrections of fields, and records written by hand (docs/guides/correcting.md). Each change runs with the
 * write lease, is one transaction, and is in the audit log.
 */

import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { FieldState } from '../../contract/record-details.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { type AuditEntry, AuditLog } from '../../store/audit-log.ts';
import { RecordFinder, type RecordIdentity } from '../../store/records/record-finder.ts';
import { toRecordSummary } from '../corrections/explain.ts';
import { describeRemoval, findRecord } from '../corrections/find-record.ts';
import { isRejection } from '../import/savepoint.ts';
import { processStale } from '../process-stale.ts';
import { undoAction } from '../record-log.ts';
import { runChange } from '../write-lock/run-change.ts';
import { WriteSession } from '../write-session.ts';
import {
  type AddedRecord,
  type AdditionDetails,
  parseFields,
  RecordAdder,
  validateRecords,
} from './add-record.ts';
import { applyChanges } from './change-set.ts';
import { CreatedRecords, eraseCreated } from './created-records.ts';
import { type EditDetails, type EditedField, EditWriter } from './edit-writer.ts';
import { completePlace } from './event-place.ts';
import { assertExpected } from './expected-values.ts';
import { describeFields, lacksTimezone } from './field-states.ts';
import { FieldReader, fieldOf } from './field-values.ts';
import { assertAddable, assertEditable } from './forgotten-values.ts';
import { type HistoryEntry, readHistory } from './history.ts';
import type { FieldChange } from './parse-change.ts';
import { assertCurrent, type UndoActions, type UndoReport } from './undo.ts';

/** `audit_id` names the change for `undo`; null if nothing changed. */
export type EditReport = {
  record: RecordSummary;
  revision: number;
  audit_id: number | null;
  fields: EditedField[];
  /** Records that exist because the edit names them. */
  created: RecordSummary[];
  /** The edit set a clock time that is not shown, because no time zone is known. */
  lacks_timezone: boolean;
};
export type EditOptions = {
  /** The values that the fields had when the editor saw them. The change is refused if one changed since. */
  expected?: Readonly<Record<string, unknown>> | undefined;
  reason?: string | undefined;
};
export type EditableRecord = RecordSummary & { fields: FieldState[] };
export type AddReport = { records: AddedRecord[]; revision: number };

/** Fields that decide whether the clock time of a start is shown. */
const timeFields: ReadonlySet<string> = new Set(['start_at', 'timezone', 'venue', 'city', 'country']);

/** Deletes a record that an editor added, to undo the entry `auditId`. */
export type DeleteAdded = (record: RecordIdentity, auditId: number) => Promise<UndoReport>;

type EditsDeps = {
  /** ms since 1970. */
  now: number;
  actor: Actor;
  /** How entries that other parts of the program wrote are undone, by their action. */
  undoActions?: UndoActions;
  /** Deletes a record that only exists by hand, and marks the entry of its addition as undone. */
  deleteAdded?: DeleteAdded | undefined;
  /** Called once, with the other writer's work, if a change has to wait. */
  onWait?: ((what: string) => void) | undefined;
};

/** Shows, changes, adds and undoes records for one person. Records are named as `findRecord` reads them. */
export class Edits {
  readonly #sqlite: Database.Database;
  readonly #session: WriteSession;
  readonly #names: RecordFinder;
  readonly #reader: FieldReader;
  readonly #writer: EditWriter;
  readonly #log: AuditLog;
  readonly #created = new CreatedRecords();
  readonly #deps: EditsDeps;

  constructor(sqlite: Database.Database, deps: EditsDeps) {
    this.#sqlite = sqlite;
    this.#session = new WriteSession(sqlite, { now: deps.now, onCreated: this.#created.note });
    this.#names = new RecordFinder(sqlite);
    this.#reader = new FieldReader(this.#names);
    this.#writer = new EditWriter(this.#session, deps.actor, this.#created);
    this.#log = new AuditLog(sqlite);
    this.#deps = deps;
  }

  /** The editable fields of a record: what it shows, what its sources say, and who edited them. */
  fields(text: string): EditableRecord {
    const record = this.#find(text);
    return {
      ...toRecordSummary(record),
      fields: describeFields(this.#session, record.kind as FeedKind, record.id),
    };
  }

  /** Finds a record. Another process may have edited it since this one read its edits. */
  #find(text: string): RecordIdentity {
    this.#session.sources.edits.clearCache();
    return findRecord(this.#names, text);
  }

  /** Sets fields above every source, and adds entries to lists or takes them away. */
  async set(
    text: string,
    changes: readonly FieldChange[],
    { expected = {}, reason }: EditOptions = {},
  ): Promise<EditReport> {
    if (changes.length === 0) throw new Failure('Name at least one change, such as country=FR.', 2);
    const prepare = () => {
      const record = this.#find(text);
      const kind = record.kind as FeedKind;
      const states = describeFields(this.#session, kind, record.id);
      assertExpected(kind, states, expected);
      const stored = this.#session.sources.edits.of(record.id);
      const edits = applyChanges(kind, changes, { states, stored }, this.#reader);
      completePlace(kind, edits, states);
      assertEditable(this.#session, record, edits);
      return { record, edits };
    };
    // Validates the input before waiting for a running import.
    prepare();
    return await this.#run('an edit', () => {
      const { record, edits } = prepare();
      if (this.#writer.isStored(record, edits)) return { record, auditId: null, fields: [] };
      return { record, ...this.#writer.write(record, edits, { action: 'record.edit', reason }) };
    });
  }

  /** Removes the edits of fields, so that the sources decide again; of all fields if none is named. */
  async reset(text: string, fields: readonly string[], { reason }: EditOptions = {}): Promise<EditReport> {
    const prepare = () => {
      const record = this.#find(text);
      const kind = record.kind as FeedKind;
      const edited = new Set(
        this.#session.sources.edits.of(record.id).map(({ field }) => field.replace(/[+-]$/, '')),
      );
      const fieldNames = fields.length > 0 ? fields.map((one) => fieldOf(kind, one)) : [...edited];
      const unedited = fieldNames.find((one) => !edited.has(one));
      if (unedited !== undefined || fieldNames.length === 0)
        throw new Failure(
          `${record.kind}/${record.slug} has no edit${unedited === undefined ? '' : ` of ${unedited}`}. Edited: ${[...edited].join(', ') || 'nothing'}.`,
          1,
          { field: 'reset', code: 'no_edit' },
        );
      return { record, fieldNames };
    };
    prepare();
    return await this.#run('an edit', () => {
      const { record, fieldNames } = prepare();
      return { record, ...this.#writer.replace(record, fieldNames, [], { action: 'record.reset', reason }) };
    });
  }

  /**
   * Adds a record by hand, which is matched as a record of the source `editors`.
   * @param fields fields of the feed format, as `parseChange` reads them
   */
  async add(kind: string, fields: readonly FieldChange[], { reason }: EditOptions = {}): Promise<AddReport> {
    return await this.addRecords([parseFields(kind, fields, this.#reader)], { reason });
  }

  /**
   * Adds records by hand that are written as lines of a feed, each in its own transaction. Adds nothing if a line does not
   * fit the format.
   * @throws Failure if the catalogue refuses one: it names the records before it, which were added
   */
  async addRecords(lines: readonly unknown[], { reason }: EditOptions = {}): Promise<AddReport> {
    const records = validateRecords(lines);
    for (const record of records) assertAddable(this.#session, record);
    const adder = new RecordAdder(this.#session, this.#names, this.#writer, this.#created);
    const addedRecords: AddedRecord[] = [];
    const options = { what: 'adding a record', isBrief: true, onWait: this.#deps.onWait };
    await runChange(this.#sqlite, this.#session, options, async (batches) => {
      try {
        for (const record of records) addedRecords.push(await adder.add(batches, record, reason));
        await processStale(this.#session, batches);
      } catch (failure) {
        throw asFailure(failure, addedRecords);
      }
    });
    return {
      records: addedRecords.map((one) => ({ ...one, record: this.#summary(one.record) })),
      revision: this.#names.revision(),
    };
  }

  #summary(record: RecordSummary): RecordSummary {
    const present = this.#names.byPublicId(record.id);
    return present === null ? record : toRecordSummary(present);
  }

  /** What happened to a record, newest first: who changed it, when, from what, to what. */
  history(text: string, limit = 100): HistoryEntry[] {
    return readHistory(this.#sqlite, findRecord(this.#names.withRemoved(), text), limit);
  }

  /** The records that an entry of the history created because it names them, as far as they exist. */
  createdBy({ details }: HistoryEntry): RecordSummary[] {
    const ids = Array.isArray(details.created) ? (details.created as string[]) : [];
    return ids.flatMap((id) => this.#names.byPublicId(id) ?? []).map(toRecordSummary);
  }

  /** Whether the clock time of a record is not shown, because no time zone is known. */
  lacksTimezone(text: string): boolean {
    const record = this.#find(text);
    return lacksTimezone(this.#session, record.kind as FeedKind, record.id);
  }

  /** Why a record is not shown and how it comes back, in one sentence; null if it is shown. */
  removalOf(text: string): string | null {
    const names = this.#names.withRemoved();
    const record = findRecord(names, text);
    return names.removalOf(record.id) === null ? null : describeRemoval(names, record);
  }

  /**
   * Undoes an entry of the audit log. Throws a `Failure` if it was changed again since, unless forced, or if its action
   * cannot be undone.
   */
  async undo(auditId: number, { force = false } = {}): Promise<UndoReport> {
    const entry = assertCurrent(this.#log, auditId);
    const isEdit = 'edits_before' in entry.details && 'edits_after' in entry.details;
    if (isEdit) return await this.#undoEdit(auditId, entry.details as EditDetails, force);
    if (entry.action === 'record.add') return await this.#undoAdd(entry, force);
    const action = this.#deps.undoActions?.[entry.action];
    if (action === undefined)
      throw new Failure(`Entry ${auditId} (${entry.action}) cannot be undone.`, 1, {
        code: 'not_undoable',
        value: auditId,
      });
    return await action(entry, { force });
  }

  async #undoEdit(auditId: number, details: EditDetails, force: boolean): Promise<UndoReport> {
    const undoEdit = () => {
      const entry = assertCurrent(this.#log, auditId);
      this.#session.sources.edits.clearCache();
      const record = this.#recordOf(entry);
      const fields = Object.keys(details.after);
      if (!force) this.#writer.assertUnchanged(record, fields, details.edits_after, auditId);
      const edit = this.#writer.restore(record, fields, details.edits_before, auditId);
      this.#log.markUndone(auditId, edit.auditId);
      return { record, ...edit };
    };
    // Events of a venue name its city until they are computed again.
    const created = details.created ?? [];
    const eraseOrphans = () => eraseCreated(this.#session, this.#names, created);
    const report = await this.#run('an edit', undoEdit, created.length > 0 ? eraseOrphans : null);
    return { ...report, undone: auditId };
  }

  #recordOf({ id, recordId }: AuditEntry): RecordIdentity {
    const record = recordId === null ? null : this.#names.bySurvivor(recordId);
    if (record !== null) return record;
    throw new Failure(`The record of entry ${id} is not in the catalogue any more.`, 1, {
      code: 'record_gone',
    });
  }

  /**
   * Takes a record by hand back. If only this entry states it, the record is deleted. If the entry replaced a line of an
   * earlier one, that line is written again.
   */
  async #undoAdd(entry: AuditEntry, force: boolean): Promise<UndoReport> {
    const { id } = entry;
    const details = entry.details as AdditionDetails;
    const record = this.#recordOf(entry);
    const adder = new RecordAdder(this.#session, this.#names, this.#writer, this.#created);
    let isTakenBack = false;
    const report = await this.#run('taking a record back', () => {
      assertCurrent(this.#log, id);
      const isReplacement = details.replaced_line !== undefined;
      const present = isReplacement ? adder.putBack(id, details, { force }) : record;
      isTakenBack = isReplacement || adder.takeBack(record, details.external_id);
      if (!isTakenBack) return { record, auditId: null, fields: [] };
      const auditId = this.#writer.log(undoAction, present, {
        undone: id,
        revision: this.#writer.revision(),
      });
      this.#log.markUndone(id, auditId);
      return { record: present, auditId, fields: [] };
    });
    if (isTakenBack) return { ...report, undone: id };
    if (this.#deps.deleteAdded === undefined)
      throw new Failure(
        `No source states ${record.kind}/${record.slug}. Take it out with \`cratebase delete ${record.kind}/${record.slug}\`.`,
      );
    return await this.#deps.deleteAdded(record, id);
  }

  /**
   * Runs a change in one transaction, then computes the records that depend on it.
   * @param afterwards runs in a transaction of its own after that
   */
  async #run(
    what: string,
    work: () => { record: RecordIdentity; auditId: number | null; fields: EditedField[] },
    afterwards: (() => void) | null = null,
  ): Promise<EditReport> {
    const options = { what, isBrief: true, onWait: this.#deps.onWait };
    return await runChange(this.#sqlite, this.#session, options, async (batches) => {
      try {
        await batches.beginWhenFree();
        batches.noteWrite(what);
        this.#session.writer.beginSavepoint();
        this.#created.clear();
        const { record, auditId, fields } = work();
        this.#session.flush();
        const created = this.#created.summaries(this.#names);
        await batches.commit();
        await processStale(this.#session, batches);
        if (afterwards !== null) {
          await batches.beginWhenFree();
          this.#session.writer.beginSavepoint();
          afterwards();
          await batches.commit();
        }
        const present = this.#names.byId(record.kind, record.id) ?? record;
        const isTimed = fields.some(({ field }) => timeFields.has(field));
        return {
          record: toRecordSummary(present),
          revision: this.#names.revision(),
          audit_id: auditId,
          fields,
          created,
          lacks_timezone: isTimed && lacksTimezone(this.#session, record.kind as FeedKind, record.id),
        };
      } catch (failure) {
        throw asFailure(failure, []);
      }
    });
  }

  /** The person who edits, as the audit log names them. */
  get actor(): Actor {
    return this.#deps.actor;
  }
}

/**
 * A record that contradicts the catalogue is the editor's mistake, not one of the program. The message says which records
 * were added before it.
 */
function asFailure(failure: unknown, addedRecords: readonly AddedRecord[]): unknown {
  const note = describeAdded(addedRecords);
  if (isRejection(failure)) return new Failure(`${failure.message}. ${note || 'Nothing was changed.'}`);
  if (failure instanceof Failure && note !== '') failure.message += ` ${note}`;
  return failure;
}

/** Max commands in a message; `cratebase audit` lists all. */
const maxUndoCommands = 10;

function describeAdded(addedRecords: readonly AddedRecord[]): string {
  if (addedRecords.length === 0) return '';
  const commands = addedRecords.flatMap(({ audit_id }) =>
    audit_id === null ? [] : [`cratebase undo ${audit_id}`],
  );
  const more = commands.length > maxUndoCommands ? ', …; `cratebase audit` lists them all' : '';
  return `${plural(addedRecords.length, 'record')} before it ${addedRecords.length === 1 ? 'was' : 'were'} added (undo: ${commands.slice(0, maxUndoCommands).join(', ')}${more}).`;
}
