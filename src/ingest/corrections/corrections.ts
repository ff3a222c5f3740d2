/**
 * Operators' corrections of matching (docs/spec/imports.md#promises, promise 4). Each runs with the write lease and is
 * atomic.
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import { RecordFinder, type RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import { processStale } from '../process-stale.ts';
import { WriteBatches } from '../write-lock/write-batches.ts';
import { withWriteLease } from '../write-lock/write-lease.ts';
import { WriteSession } from '../write-session.ts';
import { CorrectionApplier } from './apply.ts';
import { CityVenues } from './city-venues.ts';
import { DecisionWriter } from './decisions.ts';
import {
  type Duplicate,
  type Explanation,
  type OmittedCandidates,
  RecordExplainer,
  type RecordSummary,
  toRecordSummary,
} from './explain.ts';
import { findRecord } from './find-record.ts';
import { MergeCorrection, type MergeResult, type NameOwner } from './merge.ts';
import { SplitCorrection } from './split.ts';

/** Maximum number of dependent records redirected in one transaction. */
const maxLedAtOnce = 1_000;

export type CorrectionResult = { record: RecordSummary; revision: number; decisions: number };
/** `other` is the record that `record` stays separate from. */
export type NeverMergeReport = CorrectionResult & { other: RecordSummary };
/** `name_from` is the source record that provides the name; null if no source does. */
export type MergeReport = CorrectionResult & MergeResult & { name_from: NameOwner | null };
export type SplitReport = CorrectionResult & { parts: RecordSummary[] };

/** Kinds that belong to another record and move with it. */
const dependentKinds: readonly FeedKind[] = ['edition', 'episode'];

export class Corrections {
  readonly #sqlite: Database.Database;
  readonly #session: WriteSession;
  readonly #names: RecordFinder;
  readonly #explainer: RecordExplainer;
  readonly #decisions: DecisionWriter;
  readonly #applier: CorrectionApplier;
  readonly #merger: MergeCorrection;
  readonly #splitter: SplitCorrection;
  readonly #onWait: ((what: string) => void) | undefined;

  /**
   * @param now ms since 1970
   * @param onWait called once, with the other writer's work ("an import of berghain"), if a change has to wait
   */
  constructor(sqlite: Database.Database, now: number, onWait?: (what: string) => void) {
    this.#sqlite = sqlite;
    this.#onWait = onWait;
    const session = new WriteSession(sqlite, { now, onCreated: () => {} });
    this.#session = session;
    this.#names = new RecordFinder(sqlite);
    this.#explainer = new RecordExplainer(session, this.#names);
    this.#decisions = new DecisionWriter(session, now);
    this.#applier = new CorrectionApplier(session, now);
    const cityVenues = new CityVenues(session);
    this.#merger = new MergeCorrection(session, this.#names, this.#applier, cityVenues);
    this.#splitter = new SplitCorrection(session, this.#decisions, this.#applier, cityVenues);
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
  async merge(textA: string, textB: string, { force = false } = {}): Promise<MergeReport> {
    // Validates the input before waiting for a running import.
    this.#findPair(textA, textB);
    let absorbed: MergeResult | undefined;
    let moved: MergeResult['moved'] | undefined;
    const ahead = async (batches: WriteBatches) => {
      const [a, b] = this.#findPair(textA, textB);
      const anchors = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)] as const;
      if (!force) this.#decisions.check(a.kind as FeedKind, ...anchors, 'different');
      moved = this.#merger.movedWith(b);
      await this.#leadAhead(batches, a, b, moved);
    };
    const work = () => {
      const [a, b] = this.#findPair(textA, textB);
      const kind = a.kind as FeedKind;
      const [anchorsA, anchorsB] = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)];
      this.#decisions.revoke(kind, anchorsA, anchorsB, 'different', { force });
      const decisions = this.#decisions.mustLink(kind, anchorsA, anchorsB);
      absorbed = this.#merger.merge(a, b, moved ?? this.#merger.movedWith(b));
      return { record: a, decisions };
    };
    const done = await this.#runCorrection('a merge', work, ahead);
    const id = findRecord(this.#names, done.record.id).id;
    const name_from = this.#merger.nameOwner(id, done.record);
    return { ...done, ...(absorbed as NonNullable<typeof absorbed>), name_from };
  }

  /** Keeps two records apart, overriding matching. */
  async neverMerge(textA: string, textB: string, { force = false } = {}): Promise<NeverMergeReport> {
    this.#findPair(textA, textB);
    let second: RecordIdentity | undefined;
    const done = await this.#runCorrection('a correction', () => {
      const [a, b] = this.#findPair(textA, textB);
      second = b;
      const kind = a.kind as FeedKind;
      const [anchorsA, anchorsB] = [this.#decisions.recordKeys(a), this.#decisions.recordKeys(b)];
      this.#decisions.revoke(kind, anchorsA, anchorsB, 'same', { force });
      const decisions = this.#decisions.cannotLink(kind, [anchorsA, anchorsB]);
      this.#applier.regroup(kind, [a.id, b.id]);
      return { record: a, decisions };
    });
    const { kind, id } = second as RecordIdentity;
    const other = this.#names.byId(kind, id) ?? (second as RecordIdentity);
    return { ...done, other: toRecordSummary(other) };
  }

  /**
   * Splits a record: the named parts ("source:external id", or the slug of a record known by name only) become a
   * record; without names, each part does. A former record gets its slug back: the redirect that is named as well,
   * otherwise the one that resembles its name.
   */
  async split(text: string, named: readonly string[]): Promise<SplitReport> {
    findRecord(this.#names, text);
    const parts: RecordSummary[] = [];
    const done = await this.#runCorrection('a split', () => {
      const record = findRecord(this.#names, text);
      const kind = record.kind as FeedKind;
      if (dependentKinds.includes(kind)) throw dependentKindError(kind);
      const { made: newRecords, decisions } = this.#splitter.split(record, named);
      for (const id of newRecords) {
        const newRecord = this.#names.byId(kind, id);
        if (newRecord) parts.push(toRecordSummary(newRecord));
      }
      return { record, decisions };
    });
    return { ...done, parts };
  }

  /** Finds two different records of one kind that decisions can apply to. */
  #findPair(textA: string, textB: string): [RecordIdentity, RecordIdentity] {
    const [a, b] = [findRecord(this.#names, textA), findRecord(this.#names, textB)];
    if (a.kind !== b.kind)
      throw new Failure(
        `${a.kind}/${a.slug} and ${b.kind}/${b.slug} are of different kinds. Name two records of one kind, as in ${a.kind}/SLUG ${a.kind}/SLUG.`,
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
   * @param before runs first, in transactions of its own
   */
  async #runCorrection(
    what: string,
    work: () => { record: RecordIdentity; decisions: number },
    ahead: (batches: WriteBatches) => Promise<void> = async () => {},
  ): Promise<CorrectionResult> {
    return await withWriteLease(this.#sqlite, { what, wait: true, onWait: this.#onWait }, async () => {
      const batches = new WriteBatches(this.#sqlite, this.#session, { isAlone: false });
      try {
        await ahead(batches);
        await batches.beginWhenFree();
        batches.noteWrite(what);
        this.#session.writer.beginSavepoint();
        const { record, decisions } = work();
        await batches.commit();
        await processStale(this.#session, batches);
        const now = this.#names.byId(record.kind, record.id) ?? record;
        return { record: toRecordSummary(now), revision: this.#names.revision(), decisions };
      } finally {
        this.#session.rollback();
      }
    });
  }
}

const alreadyMergedError = ({ kind, slug, id }: RecordIdentity): Failure =>
  new Failure(
    `Both name the same record, ${kind}/${slug}. \`cratebase explain ${kind}/${slug}\` shows why, \`cratebase split ${publicId(kind, id)}\` separates it.`,
  );

const dependentKindError = (kind: FeedKind): Failure =>
  new Failure(
    kind === 'edition'
      ? 'An edition belongs to its festival. Merge or split the festivals instead.'
      : 'An episode belongs to its podcast. Merge or split the podcasts instead.',
  );
