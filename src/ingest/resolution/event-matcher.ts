/**
 * Matches source records of events. A new source record is compared with nearby ones; if any may match, everything
 * connected with it is regrouped, so that the order of imports does not matter.
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
import type { WriteContext } from '../write-context.ts';
import { type Assignment, assignRecords, type PreparedAssignment } from './assign-records.ts';
import type { DecisionLookup } from './decision-lookup.ts';
import { EventCandidates } from './event-candidates.ts';
import { EventFactsBuilder, type SourceEvent } from './event-facts.ts';
import type { RecordMerger } from './merge-records.ts';
import { EventScoreCache } from './score-cache.ts';

/** A source record of an event with its current record and its facts. */
type AssignedEvent = SourceEvent & { record: number | null; facts: EventFacts };

/** The candidate records of each event. */
type CandidatesByEvent = Map<AssignedEvent, ReadonlySet<number>>;

export type SourceIdentity = { id: number; name: string; clock: 'instant' | 'local' };

/**
 * Maximum number of source records regrouped at once; the nearest to the subject come first. Others stay in their
 * records. Each source record is the subject once and is compared with its neighbours then, so every pair is compared.
 */
const maxGroupSize = 40;
/** Maximum number of source records included from one record, best matches first. */
const maxPerRecord = 20;
/** A record with this many source records accepts no more, because all of them would be compared with each new one. */
const maxSourceRecords = 200;
const maxFullRecords = 10_000;
/** Maximum comparisons for one source record. */
const maxComparisons = 3_000;
/** Maximum number of cached facts; cached comparisons stay valid as long as the facts are unchanged. */
const maxCachedFacts = 4_000;
/** Maximum total length of the cached facts in characters. */
const maxCachedChars = 16_000_000;

/** Facts with their text, and the parsed source record if it is stored. */
type CachedEventFacts = {
  text: string;
  facts: EventFacts;
  source: { text: string; statement: FeedRecordContent<'event'> } | null;
};

export class EventMatcher {
  readonly #context: WriteContext;
  readonly #store: MatchStore;
  readonly #merger: RecordMerger;
  readonly #decisions: DecisionLookup;
  readonly #factsBuilder: EventFactsBuilder;
  readonly #candidates: EventCandidates;
  /** Source records read for the current one. */
  readonly #read = new Map<number, AssignedEvent[]>();
  readonly #scores: EventScoreCache;
  /** Records that have reached `maxSourceRecords`. */
  readonly #full = new Set<number>();
  readonly #factsCache = new LRUCache<string, CachedEventFacts>({
    max: maxCachedFacts,
    maxSize: maxCachedChars,
    sizeCalculation: ({ text, source: parsed }) => text.length + (parsed?.text.length ?? 0) + 1,
  });

  constructor(context: WriteContext, store: MatchStore, decisions: DecisionLookup, merger: RecordMerger) {
    this.#context = context;
    this.#merger = merger;
    this.#store = store;
    this.#decisions = decisions;
    this.#factsBuilder = new EventFactsBuilder(context);
    this.#candidates = new EventCandidates(store, this.#factsBuilder);
    this.#scores = new EventScoreCache(store, (record) => this.#eventsOf(record));
  }

  clearCache(): void {
    this.#full.clear();
    this.#factsBuilder.clearCache();
    this.#candidates.clearCache();
  }

  /** Clears look-ups before another source record is processed. */
  #startRecord(): void {
    this.#read.clear();
    this.#factsBuilder.startRecord();
  }

  /**
   * Prepares the assignment of a new source record, and of those that must be regrouped with it. Only reads; the
   * returned assignment writes. The caller binds and indexes the source record and rebuilds all changed records.
   */
  place(
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): PreparedAssignment {
    this.#startRecord();
    const event = toSourceEvent(source, externalId, statement);
    this.#scores.setPending(event);
    const hasDecided = this.#decisions.of('event', { source: source.name, externalId }).length > 0;
    const shaken = this.#affectedByPages(event);
    if (!hasDecided && shaken.length === 0 && this.#candidates.candidates(event).size === 0)
      return () => ({ record: null, changed: [] });
    return this.#prepareAssignment([this.#toAssignedEvent(event, null), ...shaken], event);
  }

  /**
   * Source records that matched by a page which now turns out to serve several dates. Their source had used it for one
   * event only; the order in which a source lists its events must not matter.
   */
  #affectedByPages(event: SourceEvent): AssignedEvent[] {
    const { source, statement } = event;
    if (!this.#candidates.hasOtherSources(event.sourceId)) return [];
    return pagesOf(statement)
      .filter(({ isSpecific: specific }) => specific)
      .flatMap(({ key }) => {
        const events = this.#scores
          .recordsWithPage(key, statement.start_at)
          .flatMap((one) => this.#eventsOf(one));
        const pageEvents = events.filter((one) => pagesOf(one.statement).some((page) => page.key === key));
        const starts = new Set(
          pageEvents.filter((one) => one.source === source).map((one) => one.statement.start_at),
        );
        return starts.size === 1 && !starts.has(statement.start_at) ? events : [];
      });
  }

  /** Indexes a record under the blocking keys of a source record. */
  index(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): void {
    this.#factsBuilder.startRecord();
    this.#candidates.index(record, toSourceEvent(source, externalId, statement));
  }

  /** Removes a record from the blocking keys of a source record. */
  unindex(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): void {
    this.#startRecord();
    this.#full.delete(record);
    this.#candidates.unindex(record, toSourceEvent(source, externalId, statement));
    // Keys shared with other source records of the record stay.
    for (const other of this.#eventsOf(record)) {
      if (other.sourceId !== source.id || other.externalId !== externalId)
        this.#candidates.index(record, other);
    }
  }

  /**
   * Regroups the source records of a record after one of them, or a record they name, changed.
   * @param isFixed whether source records stay where they are, so that only possible matches are stored
   * @param changed the changed source record, which must be among those regrouped
   */
  regroup(record: number, isFixed = false, changed: SourceRecordKey | null = null): Assignment {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#prepareRegroupOf(record, isFixed, changed)();
  }

  /** Like `regroup`, in two steps: reads now; the returned assignment writes. */
  prepareRegroup(record: number): PreparedAssignment {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#prepareRegroupOf(record, false, null);
  }

  /**
   * Prepares the regrouping for a source record that is about to be replaced. The caller first indexes it under its new
   * keys.
   */
  prepareUpdate(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
  ): PreparedAssignment {
    this.#startRecord();
    const event = toSourceEvent(source, externalId, statement);
    const isSame = (one: SourceEvent) => one.sourceId === source.id && one.externalId === externalId;
    const events = this.#eventsOf(record);
    const updated = this.#toAssignedEvent(event, record);
    const now = events.some(isSame)
      ? events.map((one) => (isSame(one) ? updated : one))
      : [...events, updated];
    this.#read.set(record, now);
    this.#scores.setPending(event);
    return this.#prepareRegroupOf(record, false, updated);
  }

  #prepareRegroupOf(record: number, isFixed: boolean, changed: SourceRecordKey | null): PreparedAssignment {
    const events = moveToFront(this.#eventsOf(record), changed, maxGroupSize);
    const isAlone =
      events.length === 1 &&
      !this.#store.hasDecisions() &&
      this.#candidates.candidates(events[0] as AssignedEvent, record).size === 0;
    const unchanged = { record, changed: [] };
    if (events.length === 0) return () => unchanged;
    if (isAlone) {
      return () => {
        this.#dropPossibleMatches(events);
        for (const { source, externalId } of events)
          this.#store.setUncomparedCount('event', source, externalId, 0);
        return unchanged;
      };
    }
    return this.#prepareAssignment(events, events[0] as AssignedEvent, isFixed);
  }

  /** Compares two source records. */
  compare(a: SourceEvent, b: SourceEvent): MatchResult {
    this.#factsBuilder.startRecord();
    return compareEvents(this.#factsBuilder.factsOf(a), this.#factsBuilder.factsOf(b));
  }

  /** The source records of a record. */
  sourceRecordsOf(record: number): SourceEvent[] {
    this.#startRecord();
    return this.#eventsOf(record);
  }

  /** Pairs of this record's source records and nearby ones of other records, highest score first. */
  nearMatches(record: number): CandidatePair<SourceEvent & { record: number | null }>[] {
    this.#startRecord();
    const events = this.#eventsOf(record);
    const pairs: CandidatePair<AssignedEvent>[] = [];
    for (const a of events) {
      for (const other of this.#candidates.candidates(a, record)) {
        for (const b of this.#eventsOf(other)) pairs.push({ a, b, result: compareEvents(a.facts, b.facts) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }

  #toAssignedEvent(event: SourceEvent, record: number | null): AssignedEvent {
    return { ...event, record, facts: this.#cachedFacts(this.#factsBuilder.factsOf(event), null) };
  }

  /** Returns the cached facts object if the facts are unchanged, so that cached comparisons apply. */
  #cachedFacts(facts: EventFacts, parsed: CachedEventFacts['source']): EventFacts {
    const text = JSON.stringify(facts);
    const key = recordKeyText(facts);
    const cached = this.#factsCache.get(key);
    const isKnown = cached?.text === text;
    if (isKnown && (parsed === null || parsed.text === cached.source?.text)) return cached.facts;
    const kept = isKnown ? cached.facts : facts;
    this.#factsCache.set(key, { text, facts: kept, source: parsed });
    return kept;
  }

  #eventsOf(record: number): AssignedEvent[] {
    let events = this.#read.get(record);
    if (events === undefined) {
      events = this.#readEvents(record);
      this.#read.set(record, events);
    }
    return events;
  }

  /** The source records of a record; null if it has so many that it accepts no more. */
  #eventsIfRoom(record: number): AssignedEvent[] | null {
    if (this.#full.has(record)) return null;
    const events = this.#eventsOf(record);
    if (events.length < maxSourceRecords) return events;
    if (this.#full.size >= maxFullRecords) this.#full.clear();
    this.#full.add(record);
    return null;
  }

  #readEvents(record: number): AssignedEvent[] {
    return this.#context.sources.statementsOf(record).map((row) => {
      const key = { source: row.source_name, externalId: row.external_id };
      const text = row.content;
      const cached = this.#factsCache.get(recordKeyText(key))?.source;
      const statement =
        cached?.text === text ? cached.statement : (JSON.parse(text) as FeedRecordContent<'event'>);
      const event = {
        ...key,
        sourceId: row.source_id,
        clock: row.clock as SourceEvent['clock'],
        statement,
      };
      const facts = this.#cachedFacts(this.#factsBuilder.factsOf(event), { text, statement });
      return { ...event, record, facts };
    });
  }

  /**
   * Collects everything that matches one of `first` or shares a record with it, transitively.
   * @returns the source records, the candidate records of each (those without an entry stay where they are), and the
   *   number of records near the first one that were not compared
   */
  #connectedEvents(first: AssignedEvent[]): {
    events: AssignedEvent[];
    around: CandidatesByEvent;
    uncompared: number;
  } {
    const events = new Map(first.map((event) => [recordKeyText(event), event]));
    const records = new Set(first.map(({ record }) => record));
    const around: CandidatesByEvent = new Map();
    const maxEvents = Math.max(maxGroupSize, first.length);
    let [compared, uncompared] = [0, 0];
    for (const event of events.values()) {
      this.#context.releaseLockIfDue();
      const isFirst = first.includes(event);
      if ((events.size >= maxGroupSize || compared >= maxComparisons) && event.record !== null && !isFirst)
        continue;
      const candidates = this.#candidates.rankedCandidates(event, event.record);
      around.set(event, candidates.records);
      if (isFirst) uncompared += candidates.omitted;
      const matches: { record: number; others: AssignedEvent[]; score: number }[] = [];
      for (const record of candidates.records) {
        if (records.has(record)) continue;
        this.#context.releaseLockIfDue();
        const others = this.#eventsIfRoom(record);
        if (others === null) {
          if (isFirst) uncompared++;
          continue;
        }
        compared += others.length;
        const score = this.#bestScore(event, others);
        if (score !== null) matches.push({ record, others, score });
      }
      for (const { record, others } of matches.toSorted(byScore)) {
        const room = Math.min(maxEvents - events.size, maxPerRecord);
        if (room > 0) this.#addRecord(record, this.#mostLikely(event, others, room), events, records);
        else if (isFirst) uncompared++;
      }
      for (const partner of this.#decisions.partners('event', event)) {
        const record = this.#recordOf(partner.source, partner.externalId);
        if (record !== null && !records.has(record))
          this.#addRecord(record, this.#eventsOf(record), events, records);
      }
    }
    return { events: [...events.values()], around, uncompared };
  }

  /** The best score of a record's matching source records; null if none matches. */
  #bestScore(event: AssignedEvent, others: readonly AssignedEvent[]): number | null {
    let best: number | null = null;
    for (const one of others) {
      const { outcome, score } = this.#scores.compare(event.facts, one.facts);
      if (outcome === 'same' || this.#decisions.between('event', event, one) === 'same')
        best = Math.max(best ?? 0, score);
    }
    return best;
  }

  /** The best matches among more source records than there is room for. */
  #mostLikely(event: AssignedEvent, others: AssignedEvent[], room: number): AssignedEvent[] {
    if (others.length <= room) return others;
    return others
      .map((one) => ({
        record: 0,
        others: [one],
        score: this.#scores.compare(event.facts, one.facts).score,
      }))
      .toSorted(byScore)
      .slice(0, room)
      .flatMap((one) => one.others);
  }

  #addRecord(
    record: number,
    added: AssignedEvent[],
    events: Map<string, AssignedEvent>,
    records: Set<number | null>,
  ): void {
    records.add(record);
    for (const one of added) events.set(recordKeyText(one), one);
  }

  #recordOf(source: string, externalId: string): number | null {
    const id = this.#context.sources.findSource(source)?.id;
    if (id === undefined) return null;
    return this.#context.sources.find({ source: id, kind: 'event', externalId })?.record_id ?? null;
  }

  #prepareAssignment(all: AssignedEvent[], subject: SourceEvent, isFixed = false): PreparedAssignment {
    const first = all.slice(0, maxGroupSize);
    const { removed } = this.#context.lookup;
    const { events, around, uncompared } = this.#connectedEvents(first);
    const { clusters, possibleMatches } = clusterRecords(events, {
      compare: (a, b) => {
        this.#context.releaseLockIfDue();
        return this.#scores.compare(a.facts, b.facts);
      },
      decision: (a, b) => removed.decisionOf(a, b) ?? this.#decisions.between('event', a, b),
      mustLink: (event) =>
        around.has(event) && !isFixed && !removed.isFixed(event.record) ? null : event.record,
      cannotLink,
      isTransitiveEvidence,
      isAmbiguous,
    });
    const ownPairs = possibleMatches.filter(({ a, b }) => around.has(a) || around.has(b));
    const { noted, leftOut } = limitPossibleMatches([
      ...ownPairs,
      ...this.#possibleMatchesAround(clusters, around),
    ]);
    return () => {
      this.#dropPossibleMatches([...around.keys()]);
      this.#notePossibleMatches(noted);
      this.#store.setUncomparedCount(
        'event',
        subject.source,
        subject.externalId,
        uncompared + leftOut(subject),
      );
      return assignRecords('event', clusters, subject, {
        context: this.#context,
        merger: this.#merger,
        onMoved: (event, from, to) => {
          this.unindex(from, sourceOf(event), event.externalId, event.statement);
          this.index(to, sourceOf(event), event.externalId, event.statement);
        },
      });
    };
  }

  #dropPossibleMatches(events: AssignedEvent[]): void {
    for (const { source, externalId } of events)
      this.#store.removePossibleMatches('event', source, externalId);
  }

  /** Possible matches between a cluster and records outside the group: the best pair per record. */
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
            const result = this.#scores.compare(a.facts, b.facts);
            if (result.outcome === 'different') continue;
            if ((best.get(other)?.result.score ?? 0) < result.score) best.set(other, { a, b, result });
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

  #notePossibleMatches(possibleMatches: CandidatePair<AssignedEvent>[]): void {
    for (const pair of possibleMatches) {
      const { score, rule, reasons } = explainMatch(pair.result);
      const [a, b] = [pair.a, pair.b].sort(compareRecordKeys) as [AssignedEvent, AssignedEvent];
      this.#store.addPossibleMatch({
        kind: 'event',
        a_source: a.source,
        a_external_id: a.externalId,
        b_source: b.source,
        b_external_id: b.externalId,
        score,
        rule,
        reasons: JSON.stringify(reasons),
      });
    }
  }
}

/** Highest score first; ties by source record key. */
const byScore = (
  a: { others: readonly AssignedEvent[]; score: number },
  b: { others: readonly AssignedEvent[]; score: number },
): number =>
  b.score - a.score || compareRecordKeys(a.others[0] as AssignedEvent, b.others[0] as AssignedEvent);

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
