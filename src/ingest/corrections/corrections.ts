/**
 * Operators' corrections of matching (docs/spec/imports.md#promises, promise 4). Each runs with the write lease and is
 * atomic.
 */

import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import { AuditLog } from '../../store/audit-log.ts';
import { RecordFinder, type RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import { ReviewStore } from '../../store/resolution/review-store.ts';
import { processStale } from '../process-stale.ts';
import { runChange } from '../write-lock/run-change.ts';
import type { WriteBatches } from '../write-lock/write-batches.ts';
import { WriteSession } from '../write-session.ts';
import { CorrectionApplier } from './apply.ts';
import { CityVenues } from './city-venues.ts';
import {
  CorrectionLog,
  correctionActions,
  type PairDetails,
  pairDetails,
  type SplitDetails,
} from './correction-log.ts';
import { DecisionWriter } from './decisions.ts';
import {
  type Duplicate,
  type Explanation,
  type OmittedCandidates,
  RecordExplainer,
  toRecordSummary,
} from './explain.ts';
import { findRecord } from './find-record.ts';
import { MergeCorrection, type MergeResult, type NameOwner } from './merge.ts';
import { SplitCorrection } from './split.ts';

/** Maximum number of dependent records redirected in one transaction. */
const maxLedAtOnce = 1_000;

/** `audit_id` is the entry of the audit log, for an undo; null if the caller named no actor. */
export type CorrectionResult = {
  record: RecordSummary;
  revision: number;
  decisions: number;
  audit_id: number | null;
};
/** `check` runs first within the transaction, and throws if the decision must not be made any more. */
export type DecisionOptions = { force?: boolean; check?: () => void };
/** `undone` is the entry that a merge undoes, and `marksUndone` whether nothing of it remains after this merge. */
type MergeOptions = DecisionOptions & { undone?: number; marksUndone?: boolean };
type CorrectionWork = { record: RecordIdentity; decisions: number; audit_id: number | null };
/** `other` is the record that `record` stays separate from. */
export type NeverMergeReport = CorrectionResult & { other: RecordSummary };
/** `name_from` is the source record that provides the name; null if no source does. */
export type MergeReport = CorrectionResult & MergeResult & { name_from: NameOwner | null };
export type SplitReport = CorrectionResult & { parts: RecordSummary[] };

/** Entries of a record that are searched for a split. */
const maxEntriesRead = 100;

/** Kinds that belong to another record and move with it. */
const dependentKinds: readonly FeedKind[] = ['edition', 'episode'];

/**
 * Merges, splits and keeps apart records, and explains why matching joined them or did not.
 * Records are named by id, kind/slug, page URL, or a unique slug (`find-record.ts`).
 */
export class Corrections {
  readonly #sqlite: Database.Database;
  readonly #session: WriteSession;
  readonly #names: RecordFinder;
  readonly #explainer: RecordExplainer;
  readonly #decisions: DecisionWriter;
  readonly #applier: CorrectionApplier;
  readonly #merger: MergeCorrection;
  readonly #splitter: SplitCorrection;
  readonly #log: CorrectionLog;
  readonly #matches: ReviewStore;
  readonly #audit: AuditLog;
  readonly #onWait: ((what: string) => void) | undefined;

  /**
   * @param now ms since 1970
   * @param onWait called once, with the other writer's work ("an import of berghain"), if a change has to wait
   * @param actor the person who corrects; each change is then written to the audit log
   */
  constructor(sqlite: Database.Database, now: number, onWait?: (what: string) => void, actor?: Actor) {
    this.#sqlite = sqlite;
    this.#onWait = onWait;
    const session = new WriteSession(sqlite, { now, onCreated: () => {} });
    this.#session = session;
    this.#names = new RecordFinder(sqlite);
    this.#explainer = new RecordExplainer(session, this.#names);
    this.#decisions = new DecisionWriter(session, now);
    this.#applier = new CorrectionApplier(session, now);
    const [names, decisions, applier] = [this.#names, this.#decisions, this.#applier];
    const tools = { session, names, decisions, applier, cityVenues: new CityVenues(session) };
    this.#merger = new MergeCorrection(tools);
    this.#splitter = new SplitCorrection(tools);
    this.#log = new CorrectionLog(sqlite, now, actor);
    this.#matches = new ReviewStore(sqlite);
    this.#audit = new AuditLog(sqlite);
  }

  /** Possible matches that were kept apart, highest score first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#explainer.duplicates(kind);
  }

  /** Records with more candidates than are compared or listed. */
  omittedCandidates(kind: FeedKind | null): OmittedCandidates[] {
    return this.#explainer.omittedCandidates(kind);
  }

  /** The source records of a record, why they match, and near matches. */
  explain(text: string): Explanation {
    return this.#explainer.explain(text);
  }

  /** Merges B into A, overriding matching now and in later syncs. */
  async merge(textA: string, textB: string, options: DecisionOptions = {}): Promise<MergeReport> {
    return await this.#merge(textA, textB, options);
  }

  async #merge(
    textA: string,
    textB: string,
    { force = false, check, undone, marksUndone = false }: MergeOptions,
  ): Promise<MergeReport> {
    // Validates the input before waiting for a running import.
    this.#findPair(textA, textB);
    let absorbed: MergeResult | undefined;
    let moved: MergeResult['moved'] | undefined;
    const ahead = async (batches: WriteBatches) => {
      check?.();
      const [a, b] = this.#findPair(textA, textB);
      const anchors = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)] as const;
      if (!force) this.#decisions.check(a.kind as FeedKind, ...anchors, 'different');
      moved = this.#merger.movedWith(b);
      await this.#leadAhead(batches, a, b, moved);
    };
    const work = () => {
      check?.();
      const [a, b] = this.#findPair(textA, textB);
      const kind = a.kind as FeedKind;
      const [anchorsA, anchorsB] = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)];
      const matches = this.#matches.storedBetween(kind, a.id, b.id);
      const replaced = this.#decisions.revoke(kind, anchorsA, anchorsB, 'different', { force });
      const decisions = this.#decisions.mustLink(kind, anchorsA, anchorsB);
      absorbed = this.#merger.merge(a, b, moved ?? this.#merger.movedWith(b));
      const details = {
        ...pairDetails(a, b, { replaced, matches, split: absorbed.undo }),
        ...(undone === undefined ? {} : { undone }),
      };
      const auditId = this.#log.add(correctionActions.merge, a, details);
      if (undone !== undefined && auditId !== null && marksUndone) this.#audit.markUndone(undone, auditId);
      return { record: a, decisions, audit_id: auditId };
    };
    const result = await this.#runCorrection('a merge', work, ahead);
    const id = findRecord(this.#names, result.record.id).id;
    const name_from = this.#merger.nameOwner(id, result.record);
    return { ...result, ...(absorbed as NonNullable<typeof absorbed>), name_from };
  }

  /** Keeps two records apart, overriding matching. */
  async neverMerge(
    textA: string,
    textB: string,
    { force = false, check }: DecisionOptions = {},
  ): Promise<NeverMergeReport> {
    this.#findPair(textA, textB);
    let second: RecordIdentity | undefined;
    const result = await this.#runCorrection('a correction', () => {
      check?.();
      const [a, b] = this.#findPair(textA, textB);
      second = b;
      const kind = a.kind as FeedKind;
      const [anchorsA, anchorsB] = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)];
      const matches = this.#matches.storedBetween(kind, a.id, b.id);
      const replaced = this.#decisions.revoke(kind, anchorsA, anchorsB, 'same', { force });
      const decisions = this.#decisions.cannotLink(kind, [anchorsA, anchorsB]);
      this.#applier.regroup(kind, [a.id, b.id]);
      const details = pairDetails(a, b, { replaced, matches });
      return { record: a, decisions, audit_id: this.#log.add(correctionActions.neverMerge, a, details) };
    });
    const { kind, id } = second as RecordIdentity;
    const other = this.#names.byId(kind, id) ?? (second as RecordIdentity);
    return { ...result, other: toRecordSummary(other) };
  }

  /**
   * Splits a record: the named parts ("source:external id", or the slug of a record known by name only) become a
   * record; without names, each part does. A former record gets its slug back: the redirect that is named as well,
   * otherwise the one that resembles its name.
   */
  async split(text: string, partTexts: readonly string[]): Promise<SplitReport> {
    findRecord(this.#names, text);
    const parts: RecordSummary[] = [];
    const result = await this.#runCorrection('a split', () => {
      const record = findRecord(this.#names, text);
      const kind = record.kind as FeedKind;
      if (dependentKinds.includes(kind)) throw dependentKindError(kind);
      const { newRecords, decisions } = this.#splitter.split(record, partTexts);
      parts.push(...newRecords.flatMap((id) => this.#names.byId(kind, id) ?? []).map(toRecordSummary));
      const details: SplitDetails = { record: toRecordSummary(record), parts };
      return { record, decisions, audit_id: this.#log.add(correctionActions.split, record, details) };
    });
    return { ...result, parts };
  }

  /**
   * Undoes a merge, a `never-merge` or a split by its entry of the audit log. The pair is then undecided as before. A
   * split is undone by merging its parts again. Throws a `Failure` if the entry cannot be undone.
   */
  async undo(auditId: number): Promise<CorrectionResult> {
    const entry = this.#audit.find(auditId);
    if (entry === undefined)
      throw new Failure(`There is no entry ${auditId} in the audit log.`, 1, {
        code: 'entry_missing',
        value: auditId,
      });
    const assertOnce = () => {
      const undoneBy = this.#audit.find(auditId)?.undoneBy ?? null;
      if (undoneBy !== null)
        throw new Failure(`Entry ${auditId} of the audit log is undone already (entry ${undoneBy}).`, 1, {
          code: 'undone_already',
          value: auditId,
        });
    };
    assertOnce();
    if (entry.action === correctionActions.merge)
      return this.#undoMerge(auditId, entry.details as PairDetails, assertOnce);
    if (entry.action === correctionActions.neverMerge)
      return this.#undoNeverMerge(auditId, entry.details as PairDetails, assertOnce);
    if (entry.action === correctionActions.split)
      return this.#undoSplit(auditId, entry.details as SplitDetails, assertOnce);
    throw new Failure(`Entry ${auditId} of the audit log (${entry.action}) is no decision about a pair.`, 1, {
      code: 'not_undoable',
      value: auditId,
    });
  }

  /** Separates merged records. If the merge replaced an earlier decision, that one holds again. */
  #undoMerge(auditId: number, details: PairDetails, check: () => void): Promise<CorrectionResult> {
    return this.#runCorrection('a split', () => {
      check();
      const record = findRecord(this.#names, details.record.id);
      const kind = record.kind as FeedKind;
      const partTexts = (details.split ?? []).slice(2);
      const { newRecords, decisions } = this.#splitMerged(auditId, record, partTexts);
      const present = findRecord(this.#names, details.record.id);
      const parts = newRecords.flatMap((id) => this.#names.byId(kind, id) ?? []);
      for (const part of details.replaced ? [] : parts) this.#forgetDecision(present, part, 'different');
      this.#matches.restore(details.matches);
      const undo = { pair: details.pair, parts: parts.map(toRecordSummary) };
      return { record, decisions, audit_id: this.#log.addUndo(auditId, record, undo) };
    });
  }

  /** Separates what a merge joined. Throws a `Failure` that names a later split, if that one separated it already. */
  #splitMerged(auditId: number, record: RecordIdentity, named: readonly string[]) {
    try {
      return this.#splitter.split(record, named);
    } catch (failure) {
      const later = this.#audit
        .list({ recordId: record.id, action: correctionActions.split, limit: maxEntriesRead })
        .find(({ id, undoneBy }) => id > auditId && undoneBy === null);
      if (!(failure instanceof Failure) || later === undefined) throw failure;
      throw new Failure(
        `Entry ${auditId} cannot be undone: entry ${later.id} split the record since. Undo entry ${later.id} first.`,
        1,
        { code: 'split_since', value: later.id },
      );
    }
  }

  #undoNeverMerge(auditId: number, details: PairDetails, check: () => void): Promise<CorrectionResult> {
    return this.#runCorrection('a correction', () => {
      check();
      const [a, b] = this.#findPair(details.record.id, details.other.id);
      this.#forgetDecision(a, b, 'different');
      this.#matches.restore(details.matches);
      return {
        record: a,
        decisions: 0,
        audit_id: this.#log.addUndo(auditId, a, { pair: details.pair }),
      };
    });
  }

  async #undoSplit(auditId: number, details: SplitDetails, check: () => void): Promise<CorrectionResult> {
    if (details.parts.length === 0)
      throw new Failure('The split made no records; there is nothing to undo.', 1, {
        code: 'nothing_to_undo',
      });
    const { id } = findRecord(this.#names, details.record.id);
    // Others were merged since, by hand or by an undo that was interrupted.
    const separate = details.parts.filter((part) => findRecord(this.#names, part.id).id !== id);
    for (const [at, part] of separate.entries()) {
      const options = { force: true, check, undone: auditId, marksUndone: at === separate.length - 1 };
      const { record, decisions, revision, audit_id } = await this.#merge(
        details.record.id,
        part.id,
        options,
      );
      if (options.marksUndone) return { record, decisions, revision, audit_id };
    }
    return this.#runCorrection('a correction', () => {
      check();
      const record = findRecord(this.#names, details.record.id);
      return { record, decisions: 0, audit_id: this.#log.addUndo(auditId, record, { parts: details.parts }) };
    });
  }

  /** Removes a decision about two records. Their source records stay where they are. */
  #forgetDecision(a: RecordIdentity, b: RecordIdentity, verdict: 'same' | 'different'): void {
    const kind = a.kind as FeedKind;
    const [keysA, keysB] = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)];
    this.#decisions.revoke(kind, keysA, keysB, verdict, { force: true });
    this.#applier.regroup(kind, [a.id, b.id], true);
  }

  /** Finds two different records of one kind that decisions can apply to. */
  #findPair(textA: string, textB: string): [RecordIdentity, RecordIdentity] {
    const [a, b] = [findRecord(this.#names, textA), findRecord(this.#names, textB)];
    if (a.kind !== b.kind)
      throw new Failure(
        `${a.kind}/${a.slug} and ${b.kind}/${b.slug} are of different kinds. Name two records of one kind, as in ${a.kind}/SLUG ${a.kind}/SLUG.`,
        1,
        { code: 'kinds_differ' },
      );
    if (dependentKinds.includes(a.kind as FeedKind)) throw dependentKindError(a.kind as FeedKind);
    if (a.id === b.id) throw alreadyMergedError(a);
    return [a, b];
  }

  /** Redirects most dependents of `b` to `a` in transactions of their own, if there are very many. */
  async #leadAhead(
    batches: WriteBatches,
    a: RecordIdentity,
    b: RecordIdentity,
    { records }: MergeResult['moved'],
  ): Promise<void> {
    const count = Object.values(records).reduce((sum, one) => sum + one, 0);
    for (let isMore = count > maxLedAtOnce; isMore; ) {
      await batches.beginWhenFree();
      batches.noteWrite('records led ahead of a merge');
      isMore = this.#session.matcher.merger.leadSome(b.kind as FeedKind, b.id, a.id, maxLedAtOnce);
      await batches.commit();
    }
  }

  /**
   * Applies a change in one transaction, then processes the stale queue in short ones.
   * @param ahead runs first, in transactions of its own
   */
  async #runCorrection(
    what: string,
    work: () => CorrectionWork,
    ahead: (batches: WriteBatches) => Promise<void> = async () => {},
  ): Promise<CorrectionResult> {
    const options = { what, isBrief: true, onWait: this.#onWait };
    return await runChange(this.#sqlite, this.#session, options, async (batches) => {
      await ahead(batches);
      await batches.beginWhenFree();
      batches.noteWrite(what);
      this.#session.writer.beginSavepoint();
      const { record, decisions, audit_id } = work();
      await batches.commit();
      await processStale(this.#session, batches);
      const now = this.#names.byId(record.kind, record.id) ?? record;
      return { record: toRecordSummary(now), revision: this.#names.revision(), decisions, audit_id };
    });
  }
}

const alreadyMergedError = ({ kind, slug, id }: RecordIdentity): Failure =>
  new Failure(
    `Both name the same record, ${kind}/${slug}. \`cratebase explain ${kind}/${slug}\` shows why, \`cratebase split ${publicId(kind, id)}\` separates it.`,
    1,
    { code: 'same_record', value: `${kind}/${slug}` },
  );

const dependentKindError = (kind: FeedKind): Failure =>
  new Failure(
    kind === 'edition'
      ? 'An edition belongs to its festival. Merge or split the festivals instead.'
      : 'An episode belongs to its podcast. Merge or split the podcasts instead.',
    1,
    { code: kind === 'edition' ? 'part_of_festival' : 'part_of_podcast' },
  );
