/**
 * Takes records out of the catalogue and brings them back, for people in the terminal and the console
 * (docs/decisions/17-removals.md). Each change runs with the write lease, in transactions of milliseconds, and writes an
 * entry of the audit log.
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { Actor } from '../../contract/roles.ts';
import type { PurgeForecast } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { type AuditEntry, AuditLog } from '../../store/audit-log.ts';
import { isBusy } from '../../store/file/busy-timeout.ts';
import { hasRunningService } from '../../store/file/service-registry.ts';
import { RecordFinder, type RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import { ForgetStore } from '../../store/resolution/forget-store.ts';
import type { RemovalState, RemovedRecord, RemovedRecords } from '../../store/resolution/removed-records.ts';
import { SourcePurgeStore } from '../../store/resolution/source-purge.ts';
import { sampleSource } from '../../store/schedule/sample-events.ts';
import { toRecordSummary } from '../corrections/explain.ts';
import { processStale } from '../process-stale.ts';
import { RecordLog } from '../record-log.ts';
import { runChange } from '../write-lock/run-change.ts';
import type { WriteBatches } from '../write-lock/write-batches.ts';
import { WriteSession } from '../write-session.ts';
import { deleteKeptPictures, deleteRejectionLists } from './forgetting/files-beside.ts';
import { ForgetArtist } from './forgetting/forget-artist.ts';
import type { NameChoice } from './forgetting/forget-traces.ts';
import { SourcePurge } from './purge.ts';
import { PurgePreview } from './purge-preview.ts';
import { type Removal, RemovalSteps } from './removal-steps.ts';
import { RemovalTargets } from './removal-targets.ts';
import type { ForgetReport, PurgeReport, RemovalReport, RemovedQuery, RemovedSummary } from './reports.ts';

const actions = { hidden: 'record.hide', deleted: 'record.delete' } as const;
const restoreAction = 'record.restore';
const isRemoval = ({ action }: AuditEntry): boolean => Object.values<string>(actions).includes(action);
/** Age in ms at which a transaction ends: deleted names and blocking keys are written as it commits. */
const maxBatchMs = 4;

export type RemovalsOptions = {
  /** ms since 1970. */
  now: number;
  actor: Actor;
  /** Called once, with the other writer's work, if a change has to wait. */
  onWait?: ((what: string) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** Hides, deletes, restores and forgets records and purges sources, for one person. */
export class Removals {
  readonly #sqlite: Database.Database;
  readonly #options: RemovalsOptions;
  readonly #session: WriteSession;
  readonly #finder: RecordFinder;
  readonly #audit: AuditLog;
  readonly #log: RecordLog;
  readonly #targets: RemovalTargets;
  readonly #steps: RemovalSteps;

  constructor(sqlite: Database.Database, options: RemovalsOptions) {
    this.#sqlite = sqlite;
    this.#options = options;
    this.#session = new WriteSession(sqlite, { now: options.now, onCreated: () => {} });
    this.#finder = new RecordFinder(sqlite, { findsRemoved: true });
    this.#audit = new AuditLog(sqlite);
    this.#log = new RecordLog(sqlite, options.now, options.actor);
    this.#targets = new RemovalTargets(this.#session, this.#finder);
    this.#steps = new RemovalSteps(this.#session, options.actor);
  }

  /** Hides a record until `unhide`. It leaves lists, search, pages, agents, exports and counts. */
  hide(text: string, { reason = null }: { reason?: string | null } = {}): Promise<RemovalReport> {
    return this.#remove(text, 'hidden', reason);
  }

  /**
   * Deletes a record. Only `restore` brings it back.
   * @param undone the entry of the addition that this undoes
   */
  delete(
    text: string,
    { reason = null, undone = null }: { reason?: string | null; undone?: number | null } = {},
  ): Promise<RemovalReport> {
    return this.#remove(text, 'deleted', reason, undone);
  }

  /** Brings a hidden record back, with its slug and what its sources state now. */
  unhide(text: string): Promise<RemovalReport> {
    return this.#restore(text, ['hidden']);
  }

  /** Brings a deleted or hidden record back, with its slug and what its sources state now. */
  restore(text: string): Promise<RemovalReport> {
    return this.#restore(text, ['hidden', 'deleted']);
  }

  /** Throws a `Failure` if a record cannot be changed so. Only reads: several records are all checked before the first changes. */
  check(change: 'hide' | 'delete' | 'unhide' | 'restore', text: string): void {
    this.#removed.reload();
    if (change === 'hide' || change === 'delete')
      this.#targets.findRemovable(text, change === 'hide' ? 'hidden' : 'deleted');
    else this.#targets.findRestorable(text, change === 'unhide' ? ['hidden'] : ['hidden', 'deleted']);
  }

  /** Removed records, the latest first. Editions and episodes that went with their festival or podcast are counted. */
  list({ id, ...query }: RemovedQuery): RemovedSummary[] {
    const record = id === undefined ? undefined : this.#finder.byPublicId(id);
    if (record === null) return [];
    return this.#removed.list({ ...query, id: record?.id }).map((record) => ({
      id: publicId(record.kind, record.id),
      kind: record.kind as FeedKind,
      slug: record.slug,
      name: record.name,
      state: record.state,
      reason: record.reason,
      removed_by: record.removedBy,
      removed_at: new Date(record.removedTs).toISOString(),
      parts: record.parts,
    }));
  }

  /**
   * Reverts the removal or the restore of an entry of the audit log. Throws a `Failure` if it was reverted before, or
   * if the record was merged or removed since.
   */
  async undo(auditId: number): Promise<RemovalReport> {
    const entry = this.#audit.find(auditId);
    const id = entry?.recordId ?? null;
    const isRestore = entry?.action === restoreAction;
    if (entry === undefined || id === null || !(isRestore || isRemoval(entry)))
      throw new Failure(`Entry ${auditId} of the audit log is no removal of a record.`, 1, {
        code: 'not_undoable',
        value: auditId,
      });
    if (entry.undoneBy !== null)
      throw new Failure(`Entry ${auditId} is undone already.`, 1, { code: 'undone_already', value: auditId });
    const text = publicId(entry.subjectKind as FeedKind, id);
    return isRestore
      ? await this.#undoRestore(entry, text)
      : await this.#restore(text, ['hidden', 'deleted']);
  }

  /** Removes a record again as it was removed before its restore. */
  async #undoRestore({ id, recordId, details }: AuditEntry, text: string): Promise<RemovalReport> {
    const state = details.before;
    if (state !== 'hidden' && state !== 'deleted')
      throw new Failure(`Entry ${id} brought back only parts of a record: it cannot be undone.`, 1, {
        code: 'not_undoable',
        value: id,
      });
    this.#removed.reload();
    const record = this.#targets.findRemovable(text, state);
    if (record.id !== recordId)
      throw new Failure(
        `The record of entry ${id} was merged into ${record.kind}/${record.slug} since. Undo the merge first.`,
        1,
        { code: 'merged_since', value: `${record.kind}/${record.slug}` },
      );
    if (this.#removed.has(record.id))
      throw new Failure(`${record.kind}/${record.slug} was removed again since entry ${id}.`, 1, {
        code: 'removed_again',
      });
    const removal = this.#audit
      .list({ recordId: record.id, action: actions[state], limit: 100 })
      .find(({ undoneBy }) => undoneBy === id);
    return await this.#remove(text, state, (removal?.details.reason ?? null) as string | null, id);
  }

  /**
   * Forgets an artist: real name, biography, picture, links, ids and aliases are overwritten, also in what sources
   * stated. Imports do not bring them back. This cannot be reversed; repeat it if it was interrupted.
   * @param name whether the stage name and its events stay, or line-ups omit the artist
   */
  async forget(text: string, { name }: { name: NameChoice }): Promise<ForgetReport> {
    this.#targets.findForgettable(text);
    // The text may be a name, which must not stay in the lease.
    const report = await this.#run('a privacy request', async (batches) => {
      const record = this.#targets.findForgettable(text);
      const { actor, now: createdTs } = this.#options;
      const choice = this.#removed.isForgotten(record.id) ? 'remove' : name;
      const subject = choice === 'keep' ? record.slug : publicId('artist', record.id);
      const store = new ForgetStore(this.#sqlite);
      let auditId = 0;
      const forgetting = new ForgetArtist(this.#sqlite, this.#session, { name: choice, by: actor });
      const changedCount = await forgetting.run(batches, record.id, () => {
        store.eraseAudit(record.id, subject);
        auditId = this.#audit.add({
          createdTs,
          actor,
          action: 'record.forget',
          subjectKind: 'artist',
          subject,
          recordId: record.id,
          details: { name: choice },
        });
      });
      return {
        id: publicId('artist', record.id),
        slug: choice === 'keep' ? record.slug : null,
        name: choice,
        changed_records: changedCount,
        revision: this.#finder.revision(),
        audit_id: auditId,
      };
    });
    deleteRejectionLists(this.#sqlite.name);
    deleteKeptPictures(this.#sqlite.name);
    return { ...report, is_file_rewritten: this.sweep() };
  }

  /**
   * Rewrites the data file, so that its unused parts hold nothing that was forgotten. Returns false while another process
   * uses the file. It takes as long as copying the file.
   */
  sweep(): boolean {
    const store = new ForgetStore(this.#sqlite);
    if (hasRunningService(this.#sqlite)) {
      store.emptyLog();
      return false;
    }
    try {
      store.rewriteFile();
      return true;
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
      return false;
    }
  }

  /** Counts what `purgeSource` would delete. Throws a `Failure` if there is no source of this name. */
  previewPurge(name: string): PurgeForecast {
    const source = this.#targets.findSource(name);
    const counts = new PurgePreview(this.#sqlite, source.id, this.#session.lookup).count();
    const sourceRecords = new SourcePurgeStore(this.#sqlite).countRecords(source.id);
    return { source: name, source_records: sourceRecords, ...counts };
  }

  /**
   * Deletes a source with all its source records, and the records that only it named. This cannot be reversed. Repeat
   * it if it was interrupted.
   * @throws Failure if there is no source of this name
   */
  async purgeSource(
    name: string,
    { onProgress }: { onProgress?: (records: number) => void } = {},
  ): Promise<PurgeReport> {
    this.#targets.findSource(name);
    const { signal } = this.#options;
    const what = `the removal of ${name} with its records`;
    const remove = async (batches: WriteBatches): Promise<PurgeReport> => {
      const source = this.#targets.findSource(name);
      const { hidden: _, ...preview } = this.previewPurge(name);
      const purge = new SourcePurge(this.#sqlite, this.#session, source);
      await batches.beginWhenFree();
      batches.noteWrite(`the schedule of ${name}`);
      new SourcePurgeStore(this.#sqlite).unschedule(source.id);
      const { now: createdTs, actor } = this.#options;
      const details = { purge: true, source_records: preview.source_records, removed: preview.removed };
      const entry = { createdTs, actor, subjectKind: 'source', subject: name, recordId: null, details };
      const auditId = this.#audit.add({ ...entry, action: 'source.remove' });
      await batches.commit();
      await purge.run(batches, { signal, ...(onProgress === undefined ? {} : { onProgress }) });
      await processStale(this.#session, batches);
      const { removed, kept } = purge;
      return { ...preview, removed, kept, revision: this.#finder.revision(), audit_id: auditId };
    };
    // It takes long, and may be about the source whose import would lend the lease.
    return await this.#run(what, remove, { isBrief: false });
  }

  /** Counts what `removeSamples` would delete. Throws a `Failure` if there are no sample events. */
  previewSamples(): PurgeForecast {
    this.#assertSamples();
    return this.previewPurge(sampleSource);
  }

  /** Deletes the sample events of the starter catalogue, and what only they named. */
  async removeSamples(options: { onProgress?: (records: number) => void } = {}): Promise<PurgeReport> {
    this.#assertSamples();
    return await this.purgeSource(sampleSource, options);
  }

  #assertSamples(): void {
    if (this.#session.sources.findSource(sampleSource) === undefined)
      throw new Failure('There are no sample events in this catalogue.');
  }

  get #removed(): RemovedRecords {
    return this.#session.lookup.removed;
  }

  /** @param undone the entry that the removal undoes; it is marked in the same transaction */
  async #remove(
    text: string,
    state: Removal,
    reason: string | null,
    undone: number | null = null,
  ): Promise<RemovalReport> {
    // Validates the input before waiting for a running import.
    this.#removed.reload();
    this.#targets.findRemovable(text, state);
    return await this.#run(`the removal of ${text}`, async (batches) => {
      const record = this.#targets.findRemovable(text, state);
      const before = this.#removed.find(record.id);
      if (before !== null && isAlready(before, state)) return this.#report(record, before.state, null, 0);
      const parts = before === null ? await this.#steps.removeAhead(batches, record, state, reason) : 0;
      await batches.beginWhenFree();
      batches.noteWrite(`${record.kind} ${record.slug}, ${state}`);
      this.#session.writer.beginSavepoint();
      if (before === null)
        this.#session.remover.remove(record.kind as FeedKind, record.id, {
          state,
          by: this.#options.actor,
          reason,
        });
      else this.#steps.changeState(before, state, reason);
      const auditId = this.#log.add(actions[state], record, {
        before: before?.state ?? 'shown',
        after: state,
        ...(reason === null ? {} : { reason }),
        ...(parts === 0 ? {} : { parts }),
        ...(undone === null ? {} : { undone }),
      });
      if (undone !== null) this.#audit.markUndone(undone, auditId);
      await batches.commit();
      await processStale(this.#session, batches);
      return this.#report(record, state, auditId, parts);
    });
  }

  async #restore(text: string, states: readonly RemovalState[]): Promise<RemovalReport> {
    this.#removed.reload();
    this.#targets.findRestorable(text, states);
    return await this.#run(`the restore of ${text}`, async (batches) => {
      const record = this.#targets.findRestorable(text, states);
      const kind = record.kind as FeedKind;
      const before = this.#removed.find(record.id);
      const parts = this.#removed.removedWith(record.id);
      if (before === null && parts.length === 0) return this.#report(record, 'shown', null, 0);
      await batches.beginWhenFree();
      batches.noteWrite(`${kind} ${record.slug}, restored`);
      this.#session.writer.beginSavepoint();
      this.#steps.restore(record);
      const auditId = this.#log.add(restoreAction, record, {
        before: before?.state ?? 'shown',
        after: 'shown',
        ...(parts.length === 0 ? {} : { parts: parts.length }),
      });
      this.#markUndone(record.id, auditId);
      await batches.commit();
      await this.#steps.restoreParts(batches, parts);
      await processStale(this.#session, batches);
      return this.#report(record, 'shown', auditId, parts.length);
    });
  }

  /** Marks the removals of a record as undone by its restore. */
  #markUndone(recordId: number, by: number): void {
    for (const entry of this.#audit.list({ recordId, action: 'record.', limit: 100 }))
      if (entry.undoneBy === null && isRemoval(entry)) this.#audit.markUndone(entry.id, by);
  }

  #report(
    record: RecordIdentity,
    state: RemovalReport['state'],
    auditId: number | null,
    parts: number,
  ): RemovalReport {
    const now = this.#finder.byId(record.kind, record.id) ?? record;
    return {
      record: toRecordSummary(now),
      state,
      changed: auditId !== null,
      parts,
      revision: this.#finder.revision(),
      audit_id: auditId,
    };
  }

  #run<T>(
    what: string,
    work: (batches: WriteBatches) => Promise<T>,
    { isBrief = true }: { isBrief?: boolean } = {},
  ): Promise<T> {
    const { onWait, signal } = this.#options;
    const options = { what, isBrief, onWait, signal, maxBatchMs };
    return runChange(this.#sqlite, this.#session, options, async (batches) => {
      // Clears the caches if another process wrote.
      await batches.beginWhenFree();
      await batches.commit();
      return await work(batches);
    });
  }
}

const isAlready = (before: RemovedRecord, state: Removal): boolean =>
  before.state === state && !before.removedBy.startsWith('source:');
