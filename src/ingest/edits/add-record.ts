/** Adds records that people write by hand: lines of a feed of the source `editors`, matched like all others. */

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FeedKind, feedRecordSchemas } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import { Failure } from '../../failure.ts';
import type { RecordFinder, RecordIdentity } from '../../store/records/record-finder.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import type { SourceRecordRow, SourceRow } from '../../store/resolution/source-records.ts';
import { readSpan } from '../../text/feed-time.ts';
import { toRecordSummary } from '../corrections/explain.ts';
import { describeRemoval } from '../corrections/find-record.ts';
import { InvalidLine, type ParsedRecord, parseRecord } from '../import/parse-record.ts';
import { isRejection } from '../import/savepoint.ts';
import { RecordUpserter, type UpsertOutcome } from '../import/upsert.ts';
import { editorsSourceName, editorsSourceType } from '../schedule/source-config.ts';
import type { WriteBatches } from '../write-lock/write-batches.ts';
import type { WriteSession } from '../write-session.ts';
import { bindChosenRecords, withIdsOfChosen } from './chosen-records.ts';
import type { CreatedRecords } from './created-records.ts';
import type { EditWriter } from './edit-writer.ts';
import { lacksTimezone } from './field-states.ts';
import type { FieldReader } from './field-values.ts';
import type { FieldChange } from './parse-change.ts';

/**
 * A record that was added. `outcome` is `created`, or `matched` if the catalogue had it already: it then shows the new
 * values together with those of its sources. `namesakes` are other records with its name, if it was created: one of them may
 * be the same, which matching leaves to people. `created` are records that exist because the new one names them.
 */
export type AddedRecord = {
  record: RecordSummary;
  outcome: UpsertOutcome;
  namesakes: RecordSummary[];
  created: RecordSummary[];
  /** Its clock time is not shown, because no time zone is known. */
  lacks_timezone: boolean;
  external_id: string;
  audit_id: number | null;
};

/** What the audit log keeps of an addition, and what an undo needs. */
export type AdditionDetails = {
  source: string;
  external_id: string;
  outcome: UpsertOutcome;
  line: Omit<ParsedRecord, 'slug'>;
  /** What the line with this id stated before, if it replaced one. */
  replaced_line?: ParsedRecord['statement'];
  revision: number;
  reason?: string;
};

/** Kinds whose records often share a name: their times tell them apart. */
const kindsByTime: ReadonlySet<string> = new Set(['event', 'edition', 'episode']);

/** Lines that one call adds at most. */
const maxRecords = 1_000;

/** Reads `event name=… start_at=…` as a line of a feed. Throws a `Failure` that lists the fields of the kind. */
export function parseFields(
  kindText: string,
  fields: readonly FieldChange[],
  reader: FieldReader,
): Record<string, unknown> {
  const kind = Object.keys(feedRecordSchemas).find((one) => one === kindText.trim().toLowerCase()) as
    | FeedKind
    | undefined;
  if (kind === undefined)
    throw new Failure(
      `Unknown kind ${JSON.stringify(kindText)}. Use one of ${Object.keys(feedRecordSchemas).join(', ')}.`,
      2,
    );
  const line: Record<string, unknown> = { kind };
  for (const { field, operation, value } of fields) {
    if (operation === 'remove') throw new Failure(`A new record has no ${field} to take away.`, 2);
    const [name, member] = reader.member(kind, field, value);
    const memberValue = withIdsOfChosen(member);
    const before = line[name];
    if (Array.isArray(before) && Array.isArray(memberValue)) line[name] = [...before, ...memberValue];
    else if (before !== undefined) throw new Failure(`${name} is given twice.`, 2);
    else line[name] = memberValue;
  }
  return line;
}

/** Validates lines before any is written. A line without `external_id` gets one. */
export function validateRecords(lines: readonly unknown[]): ParsedRecord[] {
  if (lines.length === 0) throw new Failure('There is no record to add.', 2);
  if (lines.length > maxRecords)
    throw new Failure(
      `${lines.length} records are too many to add by hand. Use \`cratebase import\` with a source of your own.`,
    );
  return lines.map((line, at) => {
    const where = lines.length > 1 ? `Record ${at + 1}: ` : '';
    try {
      const id = isObject(line) && line.external_id == null ? { external_id: newExternalId() } : {};
      const record = parseRecord(isObject(line) ? { ...line, ...id } : line);
      if ('into' in record) throw new InvalidLine(tombstoneReason(line));
      assertOrderOfTimes(record, where);
      return { ...record, slug: null };
    } catch (failure) {
      if (failure instanceof InvalidLine || isRejection(failure))
        throw new Failure(`${where}${failure.message}. Nothing was added.`, 2);
      throw failure;
    }
  });
}

/** Says which command does what a line of an export reports (`change`). */
function tombstoneReason(line: unknown): string {
  const { change } = line as { change: keyof typeof commandOfChange };
  return `change "${change}" cannot be added; use \`cratebase ${commandOfChange[change]}\``;
}
const commandOfChange = { merged: 'merge', deleted: 'delete', hidden: 'hide' } as const;

/** Rejects an end before the start, which an import drops. */
function assertOrderOfTimes({ statement }: ParsedRecord, where: string): void {
  const { start_at, end_at, timezone } = statement as {
    start_at?: string | null;
    end_at?: string | null;
    timezone?: string | null;
  };
  if (start_at == null || end_at == null) return;
  if (readSpan(start_at, end_at, timezone ?? 'UTC', 'instant').endAt === null)
    throw new Failure(`${where}end_at ${end_at} is before start_at ${start_at}. Nothing was added.`, 2, {
      field: 'end_at',
      code: 'end_before_start',
    });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const newExternalId = (): string => randomBytes(8).toString('hex');

/** Writes lines of the source `editors`, and takes them back for an undo. */
export class RecordAdder {
  readonly #session: WriteSession;
  readonly #names: RecordFinder;
  readonly #writer: EditWriter;
  readonly #created: CreatedRecords;

  constructor(session: WriteSession, names: RecordFinder, writer: EditWriter, created: CreatedRecords) {
    this.#session = session;
    this.#names = names;
    this.#writer = writer;
    this.#created = created;
  }

  /**
   * Adds one record, in one transaction; a line with very many new artists creates those in transactions before it.
   * @param reason why it is added, for the audit log
   */
  async add(batches: WriteBatches, record: ParsedRecord, reason: string | undefined): Promise<AddedRecord> {
    const session = this.#session;
    await batches.beginWhenFree();
    session.sources.store.ensure(editorsSourceName, editorsSourceType, session.now);
    const source = session.sources.store.beginRun(editorsSourceName, session.now);
    session.run = source.run_count;
    this.#created.clear();
    bindChosenRecords(session, source.id, record);
    const replacedLine = this.#lineOf(source, record);
    let outcome = 'unchanged' as UpsertOutcome;
    const upserter = new RecordUpserter(session, source, session.now, (_, what) => {
      outcome = what;
    });
    const write = await this.#createArtists(batches, upserter, record);
    write();
    session.flush();
    const present = this.#recordOf(source, record);
    const { slug: _, ...line } = record;
    const details: AdditionDetails = {
      source: source.name,
      external_id: record.externalId,
      outcome,
      line,
      ...(replacedLine === null ? {} : { replaced_line: replacedLine }),
      revision: this.#writer.revision(),
      ...this.#created.details(),
      ...(reason === undefined ? {} : { reason }),
    };
    const auditId = outcome === 'unchanged' ? null : this.#writer.log('record.add', present, details);
    const created = this.#created.summaries(this.#names);
    await batches.commit();
    return {
      record: toRecordSummary(present),
      outcome,
      namesakes: outcome === 'created' ? this.#namesakesOf(present) : [],
      created,
      lacks_timezone: lacksTimezone(session, record.kind, present.id),
      external_id: record.externalId,
      audit_id: auditId,
    };
  }

  /** What a line by hand states now; null if there is none with this id. */
  #lineOf(source: SourceRow, { kind, externalId }: ParsedRecord): ParsedRecord['statement'] | null {
    const content = this.#session.sources.find({ source: source.id, kind, externalId })?.content;
    return content == null ? null : parseContent(content);
  }

  #namesakesOf(record: RecordIdentity): RecordSummary[] {
    return kindsByTime.has(record.kind) ? [] : this.#names.namesakesOf(record).map(toRecordSummary);
  }

  /**
   * Takes back a record that was added to one that sources state as well, within an open transaction. Returns false
   * if no source states it: the record itself would have to go.
   */
  takeBack(record: RecordIdentity, externalId: string): boolean {
    const session = this.#session;
    const kind = record.kind as FeedKind;
    const source = session.sources.findSource(editorsSourceName);
    const others = session.sources
      .statementsOf(record.id)
      .filter((row) => row.source_id !== source?.id || row.external_id !== externalId);
    if (others.length === 0) return false;
    const key = { source: source?.id ?? 0, kind, externalId };
    const content = session.sources.find(key)?.content;
    if (content != null && source !== undefined)
      session.matcher.unindexSourceRecord(kind, record.id, source, externalId, content);
    session.sources.remove(key);
    session.rebuild(kind, record.id);
    session.flush();
    return true;
  }

  /**
   * Writes the line again that an addition replaced, within an open transaction. Returns its record.
   * @throws Failure if the line changed again since, unless forced
   */
  putBack(auditId: number, details: AdditionDetails, { force }: { force: boolean }): RecordIdentity {
    const session = this.#session;
    const { line, replaced_line: statement = line.statement } = details;
    const source = session.sources.store.beginRun(editorsSourceName, session.now);
    session.run = source.run_count;
    const record: ParsedRecord = { ...line, statement, slug: null };
    if (!force && JSON.stringify(this.#lineOf(source, record)) !== JSON.stringify(line.statement))
      throw new Failure(
        `The line ${record.externalId} was added again since entry ${auditId}. Repeat the command with --force to undo it anyway.`,
        1,
        { code: 'changed_again' },
      );
    const upserter = new RecordUpserter(session, source, session.now, () => {});
    for (;;) {
      const { newArtists, write } = upserter.plan(record);
      if (newArtists.length === 0) {
        write();
        break;
      }
      for (const create of newArtists) create();
    }
    session.flush();
    return this.#recordOf(source, record);
  }

  /** Creates the artists of long lists in short transactions. Returns the write of the record itself. */
  async #createArtists(
    batches: WriteBatches,
    upserter: RecordUpserter,
    record: ParsedRecord,
  ): Promise<() => void> {
    for (;;) {
      const plan = upserter.plan(record);
      if (plan.newArtists.length === 0) return plan.write;
      while (plan.newArtists.length > 0) {
        plan.newArtists.shift()?.();
        if (!batches.isDue()) continue;
        await batches.commit();
        await nextTurn();
        await batches.beginWhenFree();
      }
    }
  }

  /** The record of an added line. Throws a `Failure` if it is one that was removed: only a restore brings that back. */
  #recordOf(source: SourceRow, { kind, externalId }: ParsedRecord): RecordIdentity {
    const row = this.#session.sources.find({ source: source.id, kind, externalId }) as SourceRecordRow;
    const id = row.record_id;
    const record = this.#names.byId(kind, id);
    if (record !== null) return record;
    const names = this.#names.withRemoved();
    const removedRecord = names.byId(kind, id) as RecordIdentity;
    throw new Failure(
      `This record is in the catalogue, but is not shown: ${describeRemoval(names, removedRecord)} It was not added.`,
      1,
      { code: 'added_removed', value: `${removedRecord.kind}/${removedRecord.slug}` },
    );
  }
}
