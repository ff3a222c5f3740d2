/**
 * Matches source records of events. A new source record is compared with nearby ones; if any may match, everything
 * connected with it is regrouped, so that the order of imports does not matter.
 */
import {
  type CandidatePair,
  clusterRecords,
  compareRecordKeys,
  moveToFront,
  type SourceRecordKey,
} from '../../matching/clustering.ts';
import { cannotLink, isAmbiguous, isTransitiveEvidence } from '../../matching/events/cluster-constraints.ts';
import { compareEvents } from '../../matching/events/compare-events.ts';
import type { MatchResult } from '../../matching/model.ts';
import { pageKeysOf, pagesOf } from '../../matching/page-links.ts';
import { limitPossibleMatches } from '../../matching/possible-matches.ts';
import { memoize } from '../../memoize.ts';
import { type Assignment, assignRecords, type PreparedAssignment } from './assign-records.ts';
import { type CandidatesByEvent, ConnectedEvents, maxGroupSize } from './connected-events.ts';
import { EventCandidates } from './event-candidates.ts';
import { EventFactsBuilder, type SourceEvent } from './event-facts.ts';
import { type AssignedEvent, EventSourceRecords } from './event-source-records.ts';
import {
  dropPossibleMatches,
  isSameSourceRecord,
  type MatchTools,
  storePossibleMatches,
  withPending,
} from './regrouping.ts';
import { EventScoreCache } from './score-cache.ts';

/** Matches source records of events. Prepared assignments only read until they are called within a batch. */
export class EventMatcher {
  readonly #tools: MatchTools;
  readonly #factsBuilder: EventFactsBuilder;
  readonly #candidates: EventCandidates;
  readonly #records: EventSourceRecords;
  readonly #connected: ConnectedEvents;
  readonly #scores: EventScoreCache;

  constructor(tools: MatchTools) {
    const { context, store } = tools;
    this.#tools = tools;
    this.#factsBuilder = new EventFactsBuilder(context);
    this.#candidates = new EventCandidates(store, this.#factsBuilder);
    this.#records = new EventSourceRecords(context, this.#factsBuilder);
    const [records, candidates] = [this.#records, this.#candidates];
    this.#scores = new EventScoreCache(store, (record) => records.of(record));
    this.#connected = new ConnectedEvents(tools, { records, candidates, scores: this.#scores });
  }

  /** Clears what depends on venues, artists and stored records. Comparisons stay: they depend on facts alone. */
  clearCache(): void {
    this.#records.clearCache();
    this.#factsBuilder.clearCache();
    this.#candidates.clearCache();
  }

  /** Clears look-ups before another source record is processed. */
  #startRecord(): void {
    this.#records.startRecord();
    this.#candidates.startRecord();
    this.#factsBuilder.startRecord();
  }

  /**
   * Prepares the assignment of a new source record, and of those that must be regrouped with it. Only reads; the
   * returned assignment writes. The caller binds and indexes the source record and rebuilds all changed records.
   */
  place(event: SourceEvent): PreparedAssignment {
    this.#startRecord();
    this.#scores.setPending(event);
    const hasDecided = this.#tools.decisions.of('event', event).length > 0;
    const shaken = this.#affectedByPages(event);
    if (!hasDecided && shaken.length === 0 && this.#candidates.candidates(event).size === 0)
      return () => ({ record: null, changed: [] });
    return this.#prepareAssignment([this.#records.assign(event, null), ...shaken], event);
  }

  /**
   * Source records that matched by a page which now turns out to serve several dates. Their source had used it for one
   * event only; the order in which a source lists its events must not matter.
   */
  #affectedByPages(event: SourceEvent): AssignedEvent[] {
    const { source, statement } = event;
    if (!this.#candidates.hasOtherSources(event.sourceId)) return [];
    const specific = pagesOf(statement).filter(({ isSpecific }) => isSpecific);
    const keys = [...new Set(specific.map(({ key }) => key))];
    const eventsOf = memoize(
      keys.length,
      (records: readonly number[]) => {
        const events = records.flatMap((one) => this.#records.of(one));
        return { events, own: events.filter((one) => one.source === source) };
      },
      (records) => records.join(),
    );
    // Of the candidates, too, some share a page: their ranges lie within these.
    const { found } = this.#candidates;
    const recordsByPage = this.#scores.recordsWithPages(keys, statement.start_at, found);
    return keys.flatMap((key, at) => {
      const { events, own } = eventsOf(recordsByPage[at] ?? []);
      if (own.every((one) => one.statement.start_at === statement.start_at)) return [];
      const starts = new Set(
        own.filter((one) => pageKeysOf(one.statement).has(key)).map((one) => one.statement.start_at),
      );
      return starts.size === 1 && !starts.has(statement.start_at) ? events : [];
    });
  }

  /** Indexes a record under the blocking keys of a source record. */
  index(record: number, event: SourceEvent): void {
    this.#factsBuilder.startRecord();
    this.#candidates.index(record, event);
  }

  /** Removes a record from the blocking keys of a source record. */
  unindex(record: number, event: SourceEvent): void {
    this.#startRecord();
    this.#records.reopen(record);
    this.#candidates.unindex(record, event);
    // Keys shared with other source records of the record stay.
    for (const other of this.#records.of(record))
      if (!isSameSourceRecord(other, event)) this.#candidates.index(record, other);
  }

  /**
   * Regroups the source records of a record after one of them, or a record they name, changed.
   * @param isFixed whether source records stay where they are, so that only possible matches are stored
   * @param changedKey the changed source record, which must be among those regrouped
   */
  regroup(record: number, isFixed = false, changedKey: SourceRecordKey | null = null): Assignment {
    this.#startRecord();
    this.#scores.setPending(null);
    return this.#prepareRegroupOf(record, isFixed, changedKey)();
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
  prepareUpdate(record: number, event: SourceEvent): PreparedAssignment {
    this.#startRecord();
    const updatedEvent = this.#records.assign(event, record);
    this.#records.replace(record, withPending(this.#records.of(record), updatedEvent));
    this.#scores.setPending(event);
    return this.#prepareRegroupOf(record, false, updatedEvent);
  }

  #prepareRegroupOf(
    record: number,
    isFixed: boolean,
    changedKey: SourceRecordKey | null,
  ): PreparedAssignment {
    const events = moveToFront(this.#records.of(record), changedKey, maxGroupSize);
    const isAlone =
      events.length === 1 &&
      !this.#tools.store.hasDecisions() &&
      this.#candidates.candidates(events[0] as AssignedEvent, record).size === 0;
    const unchanged = { record, changed: [] };
    if (events.length === 0) return () => unchanged;
    if (isAlone) {
      return () => {
        dropPossibleMatches(this.#tools.store, 'event', events);
        for (const { source, externalId } of events)
          this.#tools.store.setUncomparedCount('event', source, externalId, 0);
        return unchanged;
      };
    }
    return this.#prepareAssignment(events, events[0] as AssignedEvent, isFixed);
  }

  /** Compares two source records without the cache and without pages that serve several dates. */
  compare(a: SourceEvent, b: SourceEvent): MatchResult {
    this.#factsBuilder.startRecord();
    return compareEvents(this.#factsBuilder.factsOf(a), this.#factsBuilder.factsOf(b));
  }

  /** The source records of an event. */
  sourceRecordsOf(record: number): SourceEvent[] {
    this.#startRecord();
    return this.#records.of(record);
  }

  /** Pairs of this record's source records and nearby ones of other records, highest score first. */
  nearMatches(record: number): CandidatePair<SourceEvent & { record: number | null }>[] {
    this.#startRecord();
    const events = this.#records.of(record);
    const pairs: CandidatePair<AssignedEvent>[] = [];
    for (const a of events) {
      for (const other of this.#candidates.candidates(a, record)) {
        for (const b of this.#records.of(other))
          pairs.push({ a, b, result: compareEvents(a.facts, b.facts) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }

  #prepareAssignment(all: AssignedEvent[], subject: SourceEvent, isFixed = false): PreparedAssignment {
    const first = all.slice(0, maxGroupSize);
    const { removed } = this.#tools.context.lookup;
    const { events, around, uncompared } = this.#connected.collect(first);
    const { clusters, possibleMatches } = clusterRecords(events, {
      compare: (a, b) => {
        this.#tools.context.releaseLockIfDue();
        return this.#scores.compare(a.facts, b.facts);
      },
      decision: (a, b) => removed.decisionOf(a, b) ?? this.#tools.decisions.between('event', a, b),
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
      dropPossibleMatches(this.#tools.store, 'event', around.keys());
      storePossibleMatches(this.#tools.store, 'event', noted.map(inKeyOrder));
      this.#tools.store.setUncomparedCount(
        'event',
        subject.source,
        subject.externalId,
        uncompared + leftOut(subject),
      );
      return assignRecords('event', clusters, subject, {
        ...this.#tools,
        onMoved: (event, from, to) => {
          this.unindex(from, event);
          this.index(to, event);
        },
      });
    };
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
          for (const b of this.#records.ifRoom(other) ?? []) {
            this.#tools.context.releaseLockIfDue();
            const result = this.#scores.compare(a.facts, b.facts);
            if (result.outcome === 'different') continue;
            if ((best.get(other)?.result.score ?? 0) < result.score) best.set(other, { a, b, result });
          }
        }
      }
      const isParted = (record: number): boolean =>
        this.#records
          .of(record)
          .some((b) => members.some((a) => this.#tools.decisions.between('event', a, b) === 'different'));
      return [...best].filter(([record]) => !isParted(record)).map(([, pair]) => pair);
    });
  }
}

/** The pair with its source records in the order of their keys. */
const inKeyOrder = (pair: CandidatePair<AssignedEvent>): CandidatePair<AssignedEvent> =>
  compareRecordKeys(pair.a, pair.b) <= 0 ? pair : { ...pair, a: pair.b, b: pair.a };
