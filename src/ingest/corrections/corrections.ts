/** What operators put right of matching (docs/spec/imports.md#promises, promise 4): each correction in its turn, whole or not at all. */
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

/** So many records that are shown with one are led to another in one transaction. */
const maxLedAtOnce = 1_000;

export type CorrectionResult = { record: RecordSummary; revision: number; decisions: number };
/** `otherSide` is the record that `record` is kept apart from. */
export type NeverMergeReport = CorrectionResult & { other: RecordSummary };
/** `name_from` tells whose statement gives the name; null where no source speaks of the record. */
export type MergeReport = CorrectionResult & MergeResult & { name_from: NameOwner | null };
export type SplitReport = CorrectionResult & { parts: RecordSummary[] };

/** Kinds that are made of other records' parts and go where those go. */
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
   * @param onWait called once where a change has to wait for another writer, with what that does: "an import of berghain"
   */
  constructor(sqlite: Database.Database, now: number, onWait?: (what: string) => void) {
    this.#sqlite = sqlite;
    this.#onWait = onWait;
    const bench = new WriteSession(sqlite, { now, onCreated: () => {} });
    this.#session = bench;
    this.#names = new RecordFinder(sqlite);
    this.#explainer = new RecordExplainer(bench, this.#names);
    this.#decisions = new DecisionWriter(bench, now);
    this.#applier = new CorrectionApplier(bench, now);
    const houses = new CityVenues(bench);
    this.#merger = new MergeCorrection(bench, this.#names, this.#applier, houses);
    this.#splitter = new SplitCorrection(bench, this.#decisions, this.#applier, houses);
  }

  /** Pairs that may be one and were kept apart, likeliest first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#explainer.duplicates(kind);
  }

  /** Records beside which more were found that may be the same than are compared or listed. */
  omittedCandidates(kind: FeedKind | null): OmittedCandidates[] {
    return this.#explainer.omittedCandidates(kind);
  }

  /** What a record consists of and why, and what nearly was the same. */
  explain(text: string): Explanation {
    return this.#explainer.explain(text);
  }

  /** Makes one record of two: B goes into A, whatever matching says of them, now and at every later sync. */
  async merge(textA: string, textB: string, { force = false } = {}): Promise<MergeReport> {
    // A slip is said at once, not when an import is over that has to be waited for.
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

  /** Two records stay two, whatever matching says of them. */
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
   * Parts a record: the parts named ("source:external id", or the slug of what is known by name alone) become one of their
   * own; without any, each does. What was a record of its own before has its slug back: the one of those that led to the
   * record that is named as well, else the one that reads like it.
   */
  async split(text: string, named: readonly string[]): Promise<SplitReport> {
    findRecord(this.#names, text);
    const parts: RecordSummary[] = [];
    const done = await this.#runCorrection('a split', () => {
      const record = findRecord(this.#names, text);
      const kind = record.kind as FeedKind;
      if (dependentKinds.includes(kind)) throw dependentKindError(kind);
      const { made, decisions } = this.#splitter.split(record, named);
      for (const id of made) {
        const found = this.#names.byId(kind, id);
        if (found) parts.push(toRecordSummary(found));
      }
      return { record, decisions };
    });
    return { ...done, parts };
  }

  /** Two different records of one kind that can be decided of. */
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

  /** Leads most of very many records that are shown with `b` to `a`, in transactions of their own. */
  async #leadAhead(
    batches: WriteBatches,
    a: RecordIdentity,
    b: RecordIdentity,
    { records }: MergeResult['moved'],
  ): Promise<void> {
    const count = Object.values(records).reduce((sum, one) => sum + one, 0);
    for (let isMore = count > maxLedAtOnce; isMore; ) {
      await batches.beginWhenFree();
      batches.doing('records led ahead of a merge');
      isMore = this.#session.matcher.merger.leadSome(b.kind as FeedKind, b.id, a.id, maxLedAtOnce);
      await batches.commit();
    }
  }

  /**
   * Runs a change in one transaction, then works out what follows from it in short ones.
   * @param beforeWords what is done before, in transactions of its own
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
        batches.doing(what);
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
    `Both name one record already, ${kind}/${slug}. \`cratebase explain ${kind}/${slug}\` shows why, \`cratebase split ${publicId(kind, id)}\` parts it.`,
  );

const dependentKindError = (kind: FeedKind): Failure =>
  new Failure(
    kind === 'edition'
      ? 'An edition is its festival and its key: merge or split the festivals.'
      : 'An episode is its podcast and its name: merge or split the podcasts.',
  );
