/**
 * Which listings are one show. What comes in is compared with what lies near it in place and time; where something may be
 * the same, everything connected with it is put together anew, so that the order of coming does not matter.
 */
import { LRUCache } from 'lru-cache';
import type { FeedRecordContent } from '../../contract/feed.ts';
import {
  type CandidatePair,
  clusterRecords,
  compareRecordKeys,
  moveToFront,
  recordKeyText,
  type SourceRecordKey,
} from '../../matching/clustering.ts';
import { cannotLink, isAmbiguous, isTransitiveEvidence } from '../../matching/events/cluster-constraints.ts';
import { compareEvents } from '../../matching/events/compare-events.ts';
import { explainMatch } from '../../matching/explain.ts';
import type { EventFacts, MatchResult } from '../../matching/model.ts';
import { pagesOf } from '../../matching/page-links.ts';
import { limitPossibleMatches } from '../../matching/possible-matches.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { type Assignment, assignRecords, type PreparedAssignment } from './assign-records.ts';
import type { DecisionLookup } from './decision-lookup.ts';
import { EventCandidates } from './event-candidates.ts';
import { EventFactsBuilder, type SourceEvent } from './event-facts.ts';
import type { RecordMerger } from './merge-records.ts';
import type { ResolutionContext } from './resolution-context.ts';
import { EventScoreCache } from './score-cache.ts';

/** A statement in the work of putting together: where it stands now, and how it reads. */
type AssignedEvent = SourceEvent & { record: number | null; listing: EventFacts };

/** The records that lie about a statement. */
type CandidatesByEvent = Map<AssignedEvent, ReadonlySet<number>>;

export type SourceIdentity = { id: number; name: string; clock: 'instant' | 'local' };

/**
 * So many statements are put together anew at once: those nearest to the one that came. What lies beyond stays in the
 * records it is in; as every statement is at the centre once, and what decides of it lies next to it, all come to be judged.
 */
const maxGroupSize = 40;
/** Of one record so many of its statements, those nearest to one that is the same. */
const maxPerRecord = 20;
/** A record of so many statements takes no more: each would be read and weighed for the next. */
const maxSourceRecords = 200;
const maxFullRecords = 10_000;
/** So often two listings are compared for one that came. */
const maxComparisons = 3_000;
/** So many listings are kept as they were read: as long as one reads the same, how it is judged is known. */
const maxCachedFacts = 4_000;
/** And so many letters of them. */
const maxCachedChars = 16_000_000;

/** A listing with its text; and the statement it was read from, where that lay in the file. */
type CachedEventFacts = {
  text: string;
  facts: EventFacts;
  source: { text: string; statement: FeedRecordContent<'event'> } | null;
};

export class EventMatcher {
  readonly #context: ResolutionContext;
  readonly #store: MatchStore;
  readonly #merger: RecordMerger;
  readonly #decisions: DecisionLookup;
  readonly #factsBuilder: EventFactsBuilder;
  readonly #candidates: EventCandidates;
  /** Statements of records, as they were when the work on one statement began. */
  readonly #read = new Map<number, AssignedEvent[]>();
  readonly #scores: EventScoreCache;
  /** Records that were seen to have `maxSourceRecords`. */
  readonly #full = new Set<number>();
  readonly #factsCache = new LRUCache<string, CachedEventFacts>({
    max: maxCachedFacts,
    maxSize: maxCachedChars,
    sizeCalculation: ({ text, source: said }) => text.length + (said?.text.length ?? 0) + 1,
  });

  constructor(bench: ResolutionContext, store: MatchStore, decisions: DecisionLookup, merging: RecordMerger) {
    this.#context = bench;
    this.#merger = merging;
    this.#store = store;
    this.#decisions = decisions;
    this.#factsBuilder = new EventFactsBuilder(bench.context, bench.sources);
    this.#candidates = new EventCandidates(store, this.#factsBuilder);
    this.#scores = new EventScoreCache(store, (record) => this.#eventsOf(record));
  }

  clearCache(): void {
    this.#full.clear();
    this.#factsBuilder.clearCache();
    this.#candidates.clearCache();
  }

  /** Forgets what was read: the work on another statement begins. */
  #startRecord(): void {
    this.#read.clear();
    this.#factsBuilder.startRecord();
  }

  /**
   * Finds the record of a statement that its source makes for the first time, and what has to be put in order with it.
   * Only reads; the placement that it returns writes. The caller binds the statement, files it, and works all records
   * out again.
   */
  place(
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): PreparedAssignment {
    this.#startRecord();
    const said = toSourceEvent(source, externalId, statement);
    this.#scores.setPending(said);
    const hasDecided = this.#decisions.of('event', { source: source.name, externalId }).length > 0;
    const shaken = this.#shaken(said);
    if (!hasDecided && shaken.length === 0 && this.#candidates.candidates(said).size === 0)
      return () => ({ record: null, changed: [] });
    return this.#prepareAssignment([this.#node(said, null), ...shaken], said);
  }

  /**
   * Statements that were judged by a page which turns out to serve several dates: it did not when its source gave it to
   * one show alone, and the order in which a source lists its shows must not matter.
   */
  #shaken(said: SourceEvent): AssignedEvent[] {
    const { source, statement } = said;
    if (!this.#candidates.hasOtherSources(said.sourceId)) return [];
    return pagesOf(statement)
      .filter(({ isSpecific: specific }) => specific)
      .flatMap(({ key }) => {
        const nodes = this.#scores
          .recordsWithPage(key, statement.start_at)
          .flatMap((one) => this.#eventsOf(one));
        const named = nodes.filter((one) => pagesOf(one.statement).some((page) => page.key === key));
        const starts = new Set(
          named.filter((one) => one.source === source).map((one) => one.statement.start_at),
        );
        return starts.size === 1 && !starts.has(statement.start_at) ? nodes : [];
      });
  }

  /** Files a record under the keys of a statement of it. */
  index(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): void {
    this.#factsBuilder.startRecord();
    this.#candidates.index(record, toSourceEvent(source, externalId, statement));
  }

  /** Takes a record from under the keys of a statement that is not its own any more. */
  unindex(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): void {
    this.#startRecord();
    this.#full.delete(record);
    this.#candidates.unindex(record, toSourceEvent(source, externalId, statement));
    // What other statements of the record share with it stays.
    for (const other of this.#eventsOf(record)) {
      if (other.sourceId !== source.id || other.externalId !== externalId)
        this.#candidates.index(record, other);
    }
  }

  /**
   * Puts a record's statements in order again, after one of them or what they name changed.
   * @param isFixed nothing moves: only what is in doubt is noted anew
   * @param changed the statement that changed, where it is known: of more than are put together at once it must be one
   */
  regroup(record: number, isFixed = false, changed: SourceRecordKey | null = null): Assignment {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#resettling(record, isFixed, changed)();
  }

  /** The same in two steps: reads now, and writes when the placement that it returns is called. */
  prepareRegroup(record: number): PreparedAssignment {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#resettling(record, false, null);
  }

  /**
   * The same for a record of which a statement is about to be stored in the place of what its source said before. The
   * caller files it under its new keys first.
   */
  prepareUpdate(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): PreparedAssignment {
    this.#startRecord();
    const said = toSourceEvent(source, externalId, statement);
    const isSame = (one: SourceEvent) => one.sourceId === source.id && one.externalId === externalId;
    const nodes = this.#eventsOf(record);
    const node = this.#node(said, record);
    const now = nodes.some(isSame) ? nodes.map((one) => (isSame(one) ? node : one)) : [...nodes, node];
    this.#read.set(record, now);
    this.#scores.setPending(said);
    return this.#resettling(record, false, node);
  }

  #resettling(record: number, isFixed: boolean, changed: SourceRecordKey | null): PreparedAssignment {
    const nodes = moveToFront(this.#eventsOf(record), changed, maxGroupSize);
    const alone =
      nodes.length === 1 &&
      !this.#store.hasDecisions() &&
      this.#candidates.candidates(nodes[0] as AssignedEvent, record).size === 0;
    const stays = { record, changed: [] };
    if (nodes.length === 0) return () => stays;
    if (alone) {
      return () => {
        this.#dropPossibleMatches(nodes);
        for (const { source, externalId } of nodes)
          this.#store.setUncomparedCount('event', source, externalId, 0);
        return stays;
      };
    }
    return this.#prepareAssignment(nodes, nodes[0] as AssignedEvent, isFixed);
  }

  /** How two statements are judged. */
  judge(a: SourceEvent, b: SourceEvent): MatchResult {
    this.#factsBuilder.startRecord();
    return compareEvents(this.#factsBuilder.factsOf(a), this.#factsBuilder.factsOf(b));
  }

  /** The statements of a record. */
  sourceRecordsOf(record: number): SourceEvent[] {
    this.#startRecord();
    return this.#eventsOf(record);
  }

  /** Statements of other records that lie near one of this record, with how they are judged; likeliest first. */
  nearMatches(record: number): CandidatePair<SourceEvent & { record: number | null }>[] {
    this.#startRecord();
    const nodes = this.#eventsOf(record);
    const pairs: CandidatePair<AssignedEvent>[] = [];
    for (const a of nodes) {
      for (const other of this.#candidates.candidates(a, record)) {
        for (const b of this.#eventsOf(other))
          pairs.push({ a, b, result: compareEvents(a.listing, b.listing) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }

  // ------------------------------------------------------------------------------------------------- statements

  #node(said: SourceEvent, record: number | null): AssignedEvent {
    return { ...said, record, listing: this.#cached(this.#factsBuilder.factsOf(said), null) };
  }

  /** The listing as it was read before, if it reads the same: what was found of that holds for it. */
  #cached(listing: EventFacts, said: CachedEventFacts['source']): EventFacts {
    const text = JSON.stringify(listing);
    const anchor = recordKeyText(listing);
    const known = this.#factsCache.get(anchor);
    const isKnown = known?.text === text;
    if (isKnown && (said === null || said.text === known.source?.text)) return known.facts;
    const kept = isKnown ? known.facts : listing;
    this.#factsCache.set(anchor, { text, facts: kept, source: said });
    return kept;
  }

  #eventsOf(record: number): AssignedEvent[] {
    let nodes = this.#read.get(record);
    if (nodes === undefined) {
      nodes = this.#readEvents(record);
      this.#read.set(record, nodes);
    }
    return nodes;
  }

  /** The statements of a record; null of one that has so many that it takes no more. */
  #eventsIfRoom(record: number): AssignedEvent[] | null {
    if (this.#full.has(record)) return null;
    const nodes = this.#eventsOf(record);
    if (nodes.length < maxSourceRecords) return nodes;
    if (this.#full.size >= maxFullRecords) this.#full.clear();
    this.#full.add(record);
    return null;
  }

  #readEvents(record: number): AssignedEvent[] {
    return this.#context.sources.statementsOf(record).map((row) => {
      const anchor = { source: row.source_name, externalId: row.external_id };
      const text = row.statement;
      const known = this.#factsCache.get(recordKeyText(anchor))?.source;
      const statement =
        known?.text === text ? known.statement : (JSON.parse(text) as FeedRecordContent<'event'>);
      const said = {
        ...anchor,
        sourceId: row.source_id,
        clock: row.clock as SourceEvent['clock'],
        statement,
      };
      const listing = this.#cached(this.#factsBuilder.factsOf(said), { text, statement });
      return { ...said, record, listing };
    });
  }

  // ------------------------------------------------------------------------------------------------- putting together

  /**
   * Everything that is the same as one of `first`, or is in one record with it, and so on from there: what decides of it.
   * @returns the statements, and the records that lie about each; one for which they are not known stays where it is; and
   *   how many records near the first one were not compared
   */
  #connectedEvents(first: AssignedEvent[]): {
    nodes: AssignedEvent[];
    around: CandidatesByEvent;
    left: number;
  } {
    const nodes = new Map(first.map((node) => [recordKeyText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    const around: CandidatesByEvent = new Map();
    const most = Math.max(maxGroupSize, first.length);
    let [compared, left] = [0, 0];
    for (const node of nodes.values()) {
      this.#context.releaseLockIfDue();
      const isFirst = first.includes(node);
      if ((nodes.size >= maxGroupSize || compared >= maxComparisons) && node.record !== null && !isFirst)
        continue;
      const near = this.#candidates.rankedCandidates(node, node.record);
      around.set(node, near.records);
      if (isFirst) left += near.omitted;
      const same: { record: number; said: AssignedEvent[]; score: number }[] = [];
      for (const record of near.records) {
        if (records.has(record)) continue;
        this.#context.releaseLockIfDue();
        const said = this.#eventsIfRoom(record);
        if (said === null) {
          if (isFirst) left++;
          continue;
        }
        compared += said.length;
        const score = this.#bestScore(node, said);
        if (score !== null) same.push({ record, said, score });
      }
      for (const { record, said } of same.toSorted(byScore)) {
        const room = Math.min(most - nodes.size, maxPerRecord);
        if (room > 0) this.#addRecord(record, this.#mostLikely(node, said, room), nodes, records);
        else if (isFirst) left++;
      }
      for (const partner of this.#decisions.partners('event', node)) {
        const record = this.#recordOf(partner.source, partner.externalId);
        if (record !== null && !records.has(record))
          this.#addRecord(record, this.#eventsOf(record), nodes, records);
      }
    }
    return { nodes: [...nodes.values()], around, left };
  }

  /** How likely the likeliest of a record's statements is the same; null where none is. */
  #bestScore(node: AssignedEvent, said: readonly AssignedEvent[]): number | null {
    let likeliest: number | null = null;
    for (const one of said) {
      const { outcome, score } = this.#scores.compare(node.listing, one.listing);
      if (outcome === 'same' || this.#decisions.between('event', node, one) === 'same')
        likeliest = Math.max(likeliest ?? 0, score);
    }
    return likeliest;
  }

  /** Of a record of more statements than there is room for, those likeliest the same as one. */
  #mostLikely(node: AssignedEvent, said: AssignedEvent[], room: number): AssignedEvent[] {
    if (said.length <= room) return said;
    return said
      .map((one) => ({
        record: 0,
        said: [one],
        score: this.#scores.compare(node.listing, one.listing).score,
      }))
      .toSorted(byScore)
      .slice(0, room)
      .flatMap((one) => one.said);
  }

  #addRecord(
    record: number,
    said: AssignedEvent[],
    nodes: Map<string, AssignedEvent>,
    records: Set<number | null>,
  ): void {
    records.add(record);
    for (const one of said) nodes.set(recordKeyText(one), one);
  }

  #recordOf(source: string, externalId: string): number | null {
    const id = this.#context.sources.findSource(source)?.id;
    if (id === undefined) return null;
    return this.#context.sources.find({ source: id, kind: 'event', externalId })?.record_id ?? null;
  }

  #prepareAssignment(all: AssignedEvent[], subject: SourceEvent, isFixed = false): PreparedAssignment {
    const first = all.slice(0, maxGroupSize);
    const { nodes, around, left } = this.#connectedEvents(first);
    const { clusters, possibleMatches: doubts } = clusterRecords(nodes, {
      compare: (a, b) => {
        this.#context.releaseLockIfDue();
        return this.#scores.compare(a.listing, b.listing);
      },
      decision: (a, b) => this.#decisions.between('event', a, b),
      mustLink: (node) => (around.has(node) && !isFixed ? null : node.record),
      cannotLink,
      isTransitiveEvidence,
      isAmbiguous,
    });
    const known = doubts.filter(({ a, b }) => around.has(a) || around.has(b));
    const { noted, leftOut } = limitPossibleMatches([
      ...known,
      ...this.#possibleMatchesAround(clusters, around),
    ]);
    return () => {
      this.#dropPossibleMatches([...around.keys()]);
      this.#notePossibleMatches(noted);
      this.#store.setUncomparedCount('event', subject.source, subject.externalId, left + leftOut(subject));
      return assignRecords('event', clusters, subject, {
        desk: this.#context,
        merging: this.#merger,
        moved: (node, from, to) => {
          this.unindex(from, sourceOf(node), node.externalId, node.statement);
          this.index(to, sourceOf(node), node.externalId, node.statement);
        },
      });
    };
  }

  #dropPossibleMatches(nodes: AssignedEvent[]): void {
    for (const { source, externalId } of nodes)
      this.#store.removePossibleMatches('event', source, externalId);
  }

  /** What may be the same as one of a cluster, and is not at hand: of each record the likeliest pair. */
  #possibleMatchesAround(
    clusters: AssignedEvent[][],
    around: CandidatesByEvent,
  ): CandidatePair<AssignedEvent>[] {
    const atHand = new Set(clusters.flat().map(({ record }) => record));
    return clusters.flatMap((members) => {
      const best = new Map<number, CandidatePair<AssignedEvent>>();
      for (const a of members) {
        for (const other of around.get(a) ?? []) {
          if (atHand.has(other)) continue;
          for (const b of this.#eventsIfRoom(other) ?? []) {
            const judgement = this.#scores.compare(a.listing, b.listing);
            if (judgement.outcome === 'different') continue;
            if ((best.get(other)?.result.score ?? 0) < judgement.score)
              best.set(other, { a, b, result: judgement });
          }
        }
      }
      const isParted = (record: number): boolean =>
        this.#eventsOf(record).some((b) =>
          members.some((a) => this.#decisions.between('event', a, b) === 'different'),
        );
      return [...best].filter(([record]) => !isParted(record)).map(([, pair]) => pair);
    });
  }

  #notePossibleMatches(doubts: CandidatePair<AssignedEvent>[]): void {
    for (const pair of doubts) {
      const { score, rule, reasons } = explainMatch(pair.result);
      const [a, b] = [pair.a, pair.b].sort(compareRecordKeys) as [AssignedEvent, AssignedEvent];
      this.#store.addPossibleMatch({
        kind: 'event',
        a_source: a.source,
        a_external: a.externalId,
        b_source: b.source,
        b_external: b.externalId,
        score,
        rule,
        reasons: JSON.stringify(reasons),
      });
    }
  }
}

/** The likeliest first; of equal ones the first by what sources call them. */
const byScore = (
  a: { said: readonly AssignedEvent[]; score: number },
  b: { said: readonly AssignedEvent[]; score: number },
): number => b.score - a.score || compareRecordKeys(a.said[0] as AssignedEvent, b.said[0] as AssignedEvent);

const toSourceEvent = (
  { id, name, clock }: SourceIdentity,
  externalId: string,
  statement: FeedRecordContent<'event'>,
): SourceEvent => ({
  source: name,
  sourceId: id,
  clock,
  externalId,
  statement,
});
const sourceOf = ({ sourceId, source, clock }: SourceEvent): SourceIdentity => ({
  id: sourceId,
  name: source,
  clock,
});
