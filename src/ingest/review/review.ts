/**
 * The review of doubtful pairs: records that may be the same and that matching kept apart. People decide each pair in
 * the terminal or the console; docs/guides/reviewing.md describes it.
 */

import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { idPrefixes, type Kind } from '../../contract/fields.ts';
import type { ReviewCounts, ReviewItem, ReviewPage, ReviewSide } from '../../contract/review-items.ts';
import type { Actor } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import { type AuditEntry, AuditLog } from '../../store/audit-log.ts';
import { RecordFinder, type RecordIdentity } from '../../store/records/record-finder.ts';
import { parseReasons } from '../../store/resolution/match-store.ts';
import type { OpenMatch, ReviewStore } from '../../store/resolution/review-store.ts';
import { SourceRecords } from '../../store/resolution/source-records.ts';
import { correctionActions, type PairDetails, pairDetails, pairIdOf } from '../corrections/correction-log.ts';
import type { Corrections } from '../corrections/corrections.ts';
import { toRecordSummary } from '../corrections/explain.ts';
import { RecordLog } from '../record-log.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { AlreadyDecided, describeDecision } from './decided.ts';
import type { NearName, NearNames } from './near-names.ts';
import type { QueuedPair, ReviewQueue } from './queue.ts';
import { forecastMerge, type ShownRecord, toSide } from './sides.ts';

export const verdicts = ['same', 'different', 'later'] as const;
export type Verdict = (typeof verdicts)[number];

/** The action of a pair that was put off, in the audit log. */
export const postponeAction = 'review.later';

/** Selects pairs: of one kind, behind a pair, at most `limit`. */
export type ReviewFilter = { kind?: FeedKind | null; after?: string | null; limit?: number };
export type DecisionReport = {
  pair: string;
  verdict: Verdict;
  /** The record that stays, and the other one. */
  record: ReviewItem['merge']['stays'];
  other: ReviewItem['merge']['stays'];
  /** Undoes the decision. */
  audit_id: number;
};

export type ReviewDeps = {
  sqlite: Database.Database;
  store: ReviewStore;
  queue: ReviewQueue;
  /** Pairs of a bare record and a richer one with almost the same name. */
  nearNames: NearNames;
  /** ms since 1970. */
  now: number;
  actor: Actor;
  /** Returns a record as the API shows it. */
  record: (kind: Kind, slug: string) => ShownRecord;
  /** Opens the corrections for the same actor, on first use. */
  corrections: () => Promise<Corrections>;
};

/** Lists and decides pairs for one person. A pair is named by its two ids: `art_00001a-art_00002b`. */
export class Review {
  readonly #deps: ReviewDeps;
  readonly #names: RecordFinder;
  readonly #sources: SourceRecords;
  readonly #audit: AuditLog;
  readonly #log: RecordLog;

  constructor(deps: ReviewDeps) {
    this.#deps = deps;
    this.#names = new RecordFinder(deps.sqlite);
    this.#sources = new SourceRecords(deps.sqlite);
    this.#audit = new AuditLog(deps.sqlite);
    this.#log = new RecordLog(deps.sqlite, deps.now, deps.actor);
  }

  /** The first open pairs, most urgent first. */
  async next({ kind = null, after = null, limit = 1 }: ReviewFilter = {}): Promise<ReviewPage> {
    const all = (await this.#deps.queue.pairs()).filter((one) => kind === null || one.kind === kind);
    const start = after === null ? 0 : all.findIndex(({ pair }) => pair === after) + 1;
    const data: ReviewItem[] = [];
    let at = start;
    for (; at < all.length && data.length < limit; at++) {
      const item = this.#itemOf(all[at] as QueuedPair);
      if (item !== null) data.push(item);
    }
    return { data, total: all.length, after: at < all.length ? (data.at(-1)?.pair ?? null) : null };
  }

  /** The number of open pairs. */
  async count(): Promise<ReviewCounts> {
    const kinds: Partial<Record<FeedKind, number>> = {};
    let upcoming = 0;
    const pairs = await this.#deps.queue.pairs();
    for (const { kind, isUpcoming } of pairs) {
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (isUpcoming) upcoming++;
    }
    return { total: pairs.length, upcoming, kinds };
  }

  /** One pair, whether or not it is first. Throws a `Failure` if it is not open. */
  find(pair: string): ReviewItem {
    const [a, b] = this.#openPair(pair);
    const match = this.#bestMatch(a, b) as OpenMatch;
    const ends = match.ids.map((id) => this.#deps.store.endOf(a.kind, id) ?? 0);
    const isUpcoming = a.kind === 'event' && ends.some((end) => end > this.#deps.now);
    return this.#toItem(a, b, match, isUpcoming);
  }

  /**
   * Decides a pair: `same` merges the newer record into the older one, `different` keeps both for good, `later` takes
   * the pair out of the queue until one of its source records changes. Throws `AlreadyDecided` if the pair was decided
   * meanwhile; then nothing changes.
   */
  async decide(pair: string, verdict: Verdict): Promise<DecisionReport> {
    const [a, b] = this.#openPair(pair);
    const report = { pair, verdict, record: toRecordSummary(a), other: toRecordSummary(b) };
    if (verdict === 'later') return { ...report, audit_id: await this.#postpone(pair) };
    const corrections = await this.#deps.corrections();
    // Another person may decide while this one waits for the write lock.
    const check = () => void this.#openPair(pair);
    const ids = [report.record.id, report.other.id] as const;
    const result =
      verdict === 'same'
        ? await corrections.merge(...ids, { check })
        : await corrections.neverMerge(...ids, { check });
    return { ...report, audit_id: result.audit_id as number };
  }

  /** Undoes a decision by its entry of the audit log. Returns the pair, which is open again. */
  async undo(auditId: number): Promise<{ pair: string | null; audit_id: number }> {
    const entry = this.#audit.find(auditId);
    const pair = (entry?.details as Partial<PairDetails> | undefined)?.pair ?? null;
    const audit_id =
      entry?.action === postponeAction
        ? await this.#write(() => this.#undoPostponed(auditId, entry))
        : ((await (await this.#deps.corrections()).undo(auditId)).audit_id as number);
    const [a, b] = pair === null ? [null, null] : this.#recordsOf(pair);
    return { pair: a && b ? pairIdOf(a.kind as FeedKind, a.id, b.id) : pair, audit_id };
  }

  #undoPostponed(auditId: number, entry: AuditEntry): number {
    if (this.#audit.find(auditId)?.undoneBy != null)
      throw new Failure(`Entry ${auditId} of the audit log is undone already.`, 1, {
        code: 'undone_already',
        value: auditId,
      });
    const { pair } = entry.details as PairDetails;
    const [a, b] = this.#recordsOf(pair);
    if (a === null || b === null)
      throw new Failure('One of the two records was removed meanwhile.', 1, { code: 'pair_removed' });
    const near = this.#nearOf(a, b);
    this.#deps.store.resume(a.kind as FeedKind, a.id, b.id, near);
    return this.#log.addUndo(auditId, a, { pair });
  }

  #postpone(pair: string): Promise<number> {
    return this.#write(() => {
      const [a, b] = this.#openPair(pair);
      this.#deps.store.postpone(a.kind as FeedKind, a.id, b.id, this.#deps.now, this.#nearOf(a, b));
      const details = pairDetails(a, b, { replaced: false, matches: [] });
      return this.#log.add(postponeAction, a, details);
    });
  }

  #write(work: () => number): Promise<number> {
    const { sqlite } = this.#deps;
    return new LockRetry(sqlite).write(() => sqlite.transaction(work).immediate());
  }

  /** The records of an open pair, the older one first. Throws with the reason if it is not open. */
  #openPair(pair: string): [RecordIdentity, RecordIdentity] {
    const records = this.#recordsOf(pair);
    const [a, b] = records;
    if (a !== null && b !== null && a.id !== b.id && this.#bestMatch(a, b) !== undefined) return [a, b];
    throw this.#whyClosed(pair, records);
  }

  /**
   * The two records that a pair names, the older one first. Former ids lead to the present record: an undone merge gives
   * the separated record a new id.
   */
  #recordsOf(pair: string): [RecordIdentity | null, RecordIdentity | null] {
    parsePair(pair);
    const [one = '', other = ''] = pair.split('-');
    const [a, b] = [this.#names.byPublicId(one), this.#names.byPublicId(other)];
    return a !== null && b !== null && a.id > b.id ? [b, a] : [a, b];
  }

  #whyClosed(pair: string, [a, b]: readonly [RecordIdentity | null, RecordIdentity | null]): Failure {
    const [kind, ...ids] = parsePair(pair);
    const isPostponed =
      a !== null && b !== null && this.#deps.store.isPostponed(kind, a.id, b.id, this.#nearOf(a, b));
    const present = [a, b].flatMap((one) => (one === null ? [] : [one.id]));
    const entry = this.#lastDecision(pair, [...ids, ...present]);
    // A pair that was put off once may be closed for another reason.
    if (entry !== null && (entry.action !== postponeAction || isPostponed))
      return new AlreadyDecided(describeDecision(entry, this.#deps.now), entry);
    if (a === null || b === null)
      return new Failure('One of the two records was removed meanwhile.', 1, { code: 'pair_removed' });
    if (a.id === b.id)
      return new Failure('These two are one record now: an import or another correction merged them.', 1, {
        code: 'pair_merged',
      });
    if (isPostponed)
      return new Failure('This pair was put off. It returns when one of its source records changes.', 1, {
        code: 'pair_postponed',
      });
    return new Failure(
      'This pair is not in doubt any more. `cratebase review --json` lists the open pairs.',
      1,
      { code: 'pair_not_open' },
    );
  }

  /** The decision about a pair that still holds; null if no person decided it. */
  #lastDecision(pair: string, ids: readonly number[]): AuditEntry | null {
    const [kind] = parsePair(pair);
    const names = new Set([pair, ...ids.flatMap((one) => ids.map((other) => pairIdOf(kind, one, other)))]);
    const isDecision = ({ action, details, undoneBy }: AuditEntry): boolean =>
      undoneBy === null &&
      decisionActions.includes(action) &&
      names.has((details as Partial<PairDetails>).pair ?? '');
    const entries = [...new Set(ids)].flatMap((recordId) =>
      this.#audit.list({ recordId, limit: maxEntriesRead }),
    );
    return entries.filter(isDecision).toSorted((one, other) => other.id - one.id)[0] ?? null;
  }

  #bestMatch(a: RecordIdentity, b: RecordIdentity): OpenMatch | undefined {
    const { store } = this.#deps;
    const [stored] = store.between(a.kind as FeedKind, a.id, b.id);
    if (stored !== undefined) return stored;
    const near = this.#nearOf(a, b);
    if (near === null || store.isNearPostponed(near)) return undefined;
    return { ...near, ids: [a.id, b.id] };
  }

  #nearOf(a: RecordIdentity, b: RecordIdentity): NearName | null {
    return this.#deps.nearNames.between(a.kind as FeedKind, a.id, b.id);
  }

  /** A pair of the queue as it is now; null if it was decided since the queue was read. */
  #itemOf({ kind, ids, isUpcoming }: QueuedPair): ReviewItem | null {
    const [a, b] = [this.#names.byId(kind, ids[0]), this.#names.byId(kind, ids[1])];
    const match = a && b && this.#bestMatch(a, b);
    return match ? this.#toItem(a, b, match, isUpcoming) : null;
  }

  #toItem(a: RecordIdentity, b: RecordIdentity, match: OpenMatch, isUpcoming: boolean): ReviewItem {
    const { kind, score, rule } = match;
    const statements = [a, b].map(({ id }) => this.#sources.statementsOf(id));
    const [sideA, sideB] = [a, b].map((record, at) =>
      toSide(
        toRecordSummary(record),
        this.#deps.record(kind, record.slug),
        statements[at] ?? [],
        this.#deps.store.counts(kind, record.id),
      ),
    ) as [ReviewSide, ReviewSide];
    const reasons = parseReasons(match.reasons).toSorted(
      (one, other) => Math.abs(other.weight) - Math.abs(one.weight),
    );
    return {
      pair: pairIdOf(kind, a.id, b.id),
      kind,
      score,
      rule,
      is_upcoming: isUpcoming,
      reasons,
      a: sideA,
      b: sideB,
      merge: forecastMerge(sideA, sideB, statements.flat()),
    };
  }
}

/** Entries of a record's history that are read to find a decision. */
const maxEntriesRead = 50;

/** The actions that decide a pair. */
const decisionActions: readonly string[] = [
  correctionActions.merge,
  correctionActions.neverMerge,
  postponeAction,
];

/** Parses `art_00001a-art_00002b`. Throws a `Failure` (wrong usage) for another text. */
function parsePair(pair: string): [FeedKind, number, number] {
  const [, prefix, one = '', second, other = ''] =
    /^([a-z]+)_([0-9a-z]+)-([a-z]+)_([0-9a-z]+)$/.exec(pair) ?? [];
  const kind = (Object.keys(idPrefixes) as Kind[]).find((name) => idPrefixes[name] === prefix);
  const ids = [Number.parseInt(one, 36), Number.parseInt(other, 36)] as const;
  if (kind === undefined || prefix !== second || pairIdOf(kind as FeedKind, ...ids) !== pair)
    throw new Failure(
      `${JSON.stringify(pair)} is no pair. Name it as \`cratebase review --json\` does, such as art_00001a-art_00002b.`,
      2,
    );
  return [kind as FeedKind, ...ids];
}
