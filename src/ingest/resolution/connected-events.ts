/** Collects the source records of events that are regrouped together: those connected by matches. */
import { recordKeyText } from '../../matching/clustering.ts';
import type { EventCandidates } from './event-candidates.ts';
import type { AssignedEvent, EventSourceRecords } from './event-source-records.ts';
import { byScore, type MatchTools, partnerRecords } from './regrouping.ts';
import type { EventScoreCache } from './score-cache.ts';

/** The candidate records of each event. */
export type CandidatesByEvent = Map<AssignedEvent, ReadonlySet<number>>;

/**
 * Maximum number of source records regrouped at once; the nearest to the subject come first. Others stay in their
 * records. Each source record is the subject once and is compared with its neighbours then, so every pair is compared.
 */
export const maxGroupSize = 40;
/** Maximum number of source records included from one record, best matches first. */
const maxPerRecord = 20;
/** Maximum comparisons for one source record. */
const maxComparisons = 3_000;

type EventTools = { records: EventSourceRecords; candidates: EventCandidates; scores: EventScoreCache };

/** Collects groups of events for regrouping. Only reads; may end the open batch (`releaseLockIfDue`). */
export class ConnectedEvents {
  readonly #tools: MatchTools & EventTools;

  constructor(tools: MatchTools, eventTools: EventTools) {
    this.#tools = { ...tools, ...eventTools };
  }

  /**
   * Collects everything that matches one of `first` or shares a record with it, transitively.
   * @returns the source records, the candidate records of each (those without an entry stay where they are), and the
   *   number of records near the first one that were not compared
   */
  collect(first: AssignedEvent[]): {
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
      this.#tools.context.releaseLockIfDue();
      const isFirst = first.includes(event);
      if ((events.size >= maxGroupSize || compared >= maxComparisons) && event.record !== null && !isFirst)
        continue;
      const candidates = this.#tools.candidates.rankedCandidates(event, event.record);
      around.set(event, candidates.records);
      if (isFirst) uncompared += candidates.omitted;
      const matches: { record: number; others: AssignedEvent[]; score: number }[] = [];
      for (const record of candidates.records) {
        if (records.has(record)) continue;
        this.#tools.context.releaseLockIfDue();
        const others = this.#tools.records.ifRoom(record);
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
      for (const record of partnerRecords(this.#tools, 'event', event)) {
        if (!records.has(record)) this.#addRecord(record, this.#tools.records.of(record), events, records);
      }
    }
    return { events: [...events.values()], around, uncompared };
  }

  /** The best score of a record's matching source records; null if none matches. */
  #bestScore(event: AssignedEvent, others: readonly AssignedEvent[]): number | null {
    let best: number | null = null;
    for (const one of others) {
      this.#tools.context.releaseLockIfDue();
      const { outcome, score } = this.#tools.scores.compare(event.facts, one.facts);
      if (outcome === 'same' || this.#tools.decisions.between('event', event, one) === 'same')
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
        score: this.#tools.scores.compare(event.facts, one.facts).score,
      }))
      .toSorted(byScore)
      .slice(0, room)
      .flatMap((one) => one.others);
  }

  #addRecord(
    record: number,
    others: AssignedEvent[],
    events: Map<string, AssignedEvent>,
    records: Set<number | null>,
  ): void {
    records.add(record);
    for (const one of others) events.set(recordKeyText(one), one);
  }
}
