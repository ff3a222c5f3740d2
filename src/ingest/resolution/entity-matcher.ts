/**
 * Matches source records of venues, artists, labels and festivals. As with events, connected source records are
 * regrouped together.
 */

import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import {
  type CandidatePair,
  clusterRecords,
  type MatchDecision,
  moveToFront,
  recordKeyText,
} from '../../matching/clustering.ts';
import {
  cannotLink,
  differsOnlyByName,
  isTransitiveEvidence,
} from '../../matching/entities/cluster-constraints.ts';
import {
  compareEntities,
  type EntitySourceRecord,
  type NamedEntityKind,
  namedEntityKinds,
} from '../../matching/entities/compare-entities.ts';
import type { MatchResult } from '../../matching/model.ts';
import { compareByBestMember, mustLinkGroups } from '../../matching/must-link.ts';
import { limitPossibleMatches } from '../../matching/possible-matches.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import { fold } from '../../text/fold.ts';
import { type Assignment, assignRecords, type PreparedAssignment } from './assign-records.ts';
import { EntityCandidates } from './entity-candidates.ts';
import { type EntityComparisons, entityComparisonsOf } from './entity-comparisons.ts';
import { EntitySourceRecords } from './entity-source-records.ts';
import type { SourceStatement } from './event-facts.ts';
import {
  byScore,
  dropPossibleMatches,
  type MatchTools,
  partnerRecords,
  storePossibleMatches,
} from './regrouping.ts';
import type { VenueCandidates } from './venue-candidates.ts';

/** Maximum number of source records regrouped at once; the nearest to the subject come first. */
const maxGroupSize = 32;
/** Maximum number of records read for one source record, and of comparisons; best evidence first. */
const maxRecordsRead = 80;
const maxComparisons = 2_000;

/** Whether a kind is matched by evidence about names, rather than as an event or by an exact name. */
export const isNamedEntityKind = (kind: FeedKind): kind is NamedEntityKind =>
  (namedEntityKinds as readonly FeedKind[]).includes(kind);

/** Matches source records of named entities. Prepared assignments only read until they are called within a batch. */
export class EntityMatcher {
  readonly #tools: MatchTools;
  readonly #venues: VenueCandidates;
  readonly #sourceRecords: EntitySourceRecords;
  /** Finds records for comparison, and indexes them. */
  readonly candidates: EntityCandidates;
  readonly #results: EntityComparisons['results'];

  constructor(tools: MatchTools, venues: VenueCandidates) {
    const { context, store, decisions } = tools;
    this.#tools = tools;
    this.#venues = venues;
    this.#results = entityComparisonsOf(context.writer.sqlite).results;
    this.#sourceRecords = new EntitySourceRecords(context, decisions);
    this.candidates = new EntityCandidates(context, store, venues);
  }

  /** Prepares the assignment of a new source record; see `EventMatcher.place`. */
  place(kind: NamedEntityKind, stated: SourceStatement<NamedEntityKind>): PreparedAssignment {
    this.#startRecord();
    const { source, sourceId, externalId, statement } = stated;
    const facts = this.#sourceRecords.facts(kind, stated);
    const sourceRecord: EntitySourceRecord = { source, sourceId, externalId, record: null, facts };
    const placement = this.#prepareAssignment(kind, [sourceRecord], { newStatement: statement });
    return () => {
      const assignment = placement();
      if (assignment.record !== null) this.#keepName(kind, assignment.record, statement.name);
      return assignment;
    };
  }

  /** A record known by name only keeps this name if its first source record has another. */
  #keepName(kind: NamedEntityKind, record: number, name: string): void {
    const row = this.#tools.context.writer.row(kind, record);
    if (row === undefined || row.folded === fold(name)) return;
    this.#tools.merger.keepName(kind, record, this.#tools.decisions.hasDecisionForName(kind, row.slug));
  }

  /** Regroups the source records of a record after one of them changed; see `EventMatcher.regroup`. */
  regroup(kind: NamedEntityKind, record: number, isFixed = false): Assignment {
    this.#startRecord();
    const sourceRecords = moveToFront(this.#sourceRecords.of(kind, record), null, maxGroupSize);
    return sourceRecords.length === 0
      ? { record, changed: [] }
      : this.#prepareAssignment(kind, sourceRecords, { isFixed })();
  }

  /** Prepares the regrouping for a source record that is about to be replaced; see `EventMatcher.prepareUpdate`. */
  prepareUpdate(
    kind: NamedEntityKind,
    record: number,
    { source, sourceId, externalId, statement }: SourceStatement<NamedEntityKind>,
  ): PreparedAssignment {
    this.#startRecord();
    const pending = { source, sourceId, externalId, text: JSON.stringify(statement) };
    return this.#prepareAssignment(
      kind,
      moveToFront(this.#sourceRecords.of(kind, record, pending), pending, maxGroupSize),
    );
  }

  /** Possible matches between source records of this record and those of others, highest score first. */
  nearMatches(kind: NamedEntityKind, record: number): CandidatePair<EntitySourceRecord>[] {
    this.#startRecord();
    const pairs: CandidatePair<EntitySourceRecord>[] = [];
    for (const a of this.#sourceRecords.of(kind, record)) {
      for (const other of this.candidates.find(kind, a.facts, record)) {
        for (const b of this.#sourceRecords.of(kind, other))
          pairs.push({ a, b, result: compareEntities(kind, a, b) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }

  /** The source records of a record; for one known by name only, its name. */
  sourceRecordsOf(kind: NamedEntityKind, record: number): EntitySourceRecord[] {
    this.#startRecord();
    return [...this.#sourceRecords.of(kind, record)];
  }

  /** Compares two source records without the cache. */
  compare(kind: NamedEntityKind, a: EntitySourceRecord, b: EntitySourceRecord): MatchResult {
    return compareEntities(kind, a, b);
  }

  /** Clears look-ups before another source record is processed. */
  #startRecord(): void {
    this.candidates.startRecord();
    this.#sourceRecords.startRecord();
  }

  #prepareAssignment(
    kind: NamedEntityKind,
    first: readonly EntitySourceRecord[],
    {
      isFixed = false,
      newStatement = null,
    }: { isFixed?: boolean; newStatement?: FeedRecordContent<NamedEntityKind> | null } = {},
  ): PreparedAssignment {
    const subject = first[0] as EntitySourceRecord;
    const { sourceRecords, uncompared } = this.#connectedRecords(kind, first.slice(0, maxGroupSize));
    if (sourceRecords.length === first.length && first.length === 1) {
      return () => {
        this.#tools.store.setUncomparedCount(kind, subject.source, subject.externalId, uncompared);
        return { record: subject.record, changed: [] };
      };
    }
    if (newStatement !== null) this.#sourceRecords.cacheFacts(kind, subject, newStatement);
    const decision = (a: EntitySourceRecord, b: EntitySourceRecord) => this.#decisionFor(kind, a, b);
    const groups = this.#tools.decisions.hasAny() ? mustLinkGroups(sourceRecords, decision) : new Map();
    const clustering = clusterRecords(sourceRecords, {
      compare: compareByBestMember((a, b) => this.#compareCached(kind, a, b), groups),
      decision,
      mustLink: ({ record }) =>
        isFixed || this.#tools.context.lookup.removed.isFixed(record) ? record : null,
      cannotLink,
      isTransitiveEvidence,
      isAmbiguous: (result) => !differsOnlyByName(result),
      allowAmbiguousGroups: true,
    });
    const possibleMatches = limitPossibleMatches(clustering.possibleMatches);
    return () => {
      dropPossibleMatches(this.#tools.store, kind, sourceRecords);
      storePossibleMatches(this.#tools.store, kind, possibleMatches.noted);
      this.#tools.store.setUncomparedCount(
        kind,
        subject.source,
        subject.externalId,
        uncompared + possibleMatches.leftOut(subject),
      );
      return assignRecords(kind, clustering.clusters, subject, {
        ...this.#tools,
        onMoved: (sourceRecord, from, to) => this.#reindexMoved(kind, sourceRecord, from, to),
      });
    };
  }

  /** Indexes a moved source record under its new record. */
  #reindexMoved(kind: NamedEntityKind, sourceRecord: EntitySourceRecord, from: number, to: number): void {
    if (sourceRecord.isPlaceholder && kind === 'venue')
      this.#venues.index(to, [sourceRecord.facts.name], {
        city: sourceRecord.facts.city ?? null,
        country: sourceRecord.facts.country ?? null,
      });
    const row = this.#tools.context.sources.find({
      source: sourceRecord.sourceId,
      kind,
      externalId: sourceRecord.externalId,
    });
    if (row?.content)
      this.candidates.move(kind, { from, to }, sourceRecord, parseContent<NamedEntityKind>(row.content));
  }

  /** The decision about a pair. A name inherited from a merged record stays with its record until it is split. */
  #decisionFor(
    kind: NamedEntityKind,
    a: EntitySourceRecord,
    b: EntitySourceRecord,
  ): MatchDecision | undefined {
    const ofRemoved = this.#tools.context.lookup.removed.decisionOf(a, b);
    if (ofRemoved !== undefined) return ofRemoved;
    const isOwn =
      a.record !== null && a.record === b.record && (a.isDecidedName === true || b.isDecidedName === true);
    return this.#tools.decisions.between(kind, a, b) ?? (isOwn ? 'same' : undefined);
  }

  /**
   * Collects everything that may match one of `first`, transitively, best evidence first.
   * @returns the source records, and the number of possible matches that were not compared or included
   */
  #connectedRecords(
    kind: NamedEntityKind,
    first: readonly EntitySourceRecord[],
  ): { sourceRecords: EntitySourceRecord[]; uncompared: number } {
    const sourceRecords = new Map(first.map((sourceRecord) => [recordKeyText(sourceRecord), sourceRecord]));
    const records = new Set(first.map(({ record }) => record));
    const readRecords = new Set<number>();
    const uncompared = new Set<number>();
    const work = { compared: 0 };
    for (const sourceRecord of sourceRecords.values()) {
      if (sourceRecords.size >= maxGroupSize && sourceRecords.size > first.length) break;
      const candidates = [
        ...this.candidates.find(kind, sourceRecord.facts, sourceRecord.record),
        ...partnerRecords(this.#tools, kind, sourceRecord),
      ].filter((record) => !records.has(record));
      const matches: { record: number; others: readonly EntitySourceRecord[]; score: number }[] = [];
      for (const record of candidates) {
        if (
          work.compared >= maxComparisons ||
          (readRecords.size >= maxRecordsRead && !readRecords.has(record))
        ) {
          uncompared.add(record);
          continue;
        }
        readRecords.add(record);
        const others = this.#sourceRecords.of(kind, record);
        work.compared += others.length;
        const score = this.#bestScore(kind, sourceRecord, others);
        if (score !== null) matches.push({ record, others, score });
      }
      for (const { record, others } of matches.toSorted(byScore)) {
        if (records.has(record)) continue;
        const room = Math.max(maxGroupSize, first.length) - sourceRecords.size;
        if (room <= 0) {
          uncompared.add(record);
          continue;
        }
        records.add(record);
        for (const one of others.slice(0, room)) sourceRecords.set(recordKeyText(one), one);
      }
    }
    for (const record of records) if (record !== null) uncompared.delete(record);
    return { sourceRecords: [...sourceRecords.values()], uncompared: uncompared.size };
  }

  /** The best score of a record's source records; null if none is near. */
  #bestScore(
    kind: NamedEntityKind,
    sourceRecord: EntitySourceRecord,
    others: readonly EntitySourceRecord[],
  ): number | null {
    let best: number | null = null;
    for (const one of others) {
      const { score, rule } = this.#compareCached(kind, sourceRecord, one);
      // Different records of one name may both match a third, so they are clustered together.
      const isNear =
        score >= 0.1 ||
        rule === 'external-id' ||
        rule === 'two-ids' ||
        this.#tools.decisions.between(kind, sourceRecord, one) === 'same';
      if (isNear) best = Math.max(best ?? 0, score);
    }
    return best;
  }

  /** Compares two source records; results are cached. */
  #compareCached(kind: NamedEntityKind, a: EntitySourceRecord, b: EntitySourceRecord): MatchResult {
    const cached = this.#results.get(a.facts, b.facts);
    if (cached !== undefined) return cached;
    this.#tools.context.releaseLockIfDue();
    const result = compareEntities(kind, a, b);
    this.#results.set(a.facts, b.facts, result);
    return result;
  }
}
