/** Which statements speak of one venue, artist, label or festival. As with shows, a block is put together anew as a whole. */
import type { FeedRecordContent } from '../../contract/feed.ts';
import {
  type CandidatePair,
  clusterRecords,
  compareRecordKeys,
  type MatchDecision,
  moveToFront,
  recordKeyText,
  type SourceRecordKey,
} from '../../matching/clustering.ts';
import { entityBlockingKeys } from '../../matching/entities/blocking-keys.ts';
import {
  compareEntities,
  type EntityFacts,
  type EntitySourceRecord,
  type NamedEntityKind,
} from '../../matching/entities/compare-entities.ts';
import { areSimilarNames, isNameVariant } from '../../matching/entities/name-variants.ts';
import { explainMatch } from '../../matching/explain.ts';
import { impliedIds, normalizeId } from '../../matching/external-ids.ts';
import type { MatchResult } from '../../matching/model.ts';
import { compareByBestMember, mustLinkGroups } from '../../matching/must-link.ts';
import { limitPossibleMatches } from '../../matching/possible-matches.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import { parseArtistName } from '../../text/artist-name.ts';
import { fold } from '../../text/fold.ts';
import { lookupForms } from '../../text/lookup-forms.ts';
import { type Assignment, assignRecords, type PreparedAssignment } from './assign-records.ts';
import type { DecisionLookup } from './decision-lookup.ts';
import { EntitySourceRecords } from './entity-source-records.ts';
import type { SourceIdentity } from './event-matcher.ts';
import type { RecordMerger } from './merge-records.ts';
import { PairCache } from './pair-cache.ts';
import type { ResolutionContext } from './resolution-context.ts';
import type { VenueCandidates } from './venue-candidates.ts';

/** So many of one name are told apart at once, those nearest to the one that came. */
const maxGroupSize = 32;
/** So many records are read for one statement, best evidence first, and so often two statements are compared. */
const maxRecordsRead = 80;
const maxComparisons = 2_000;
/** Whoever has so many candidates is not looked for any further. */
const maxCandidates = 400;
/** So many names are looked up for one statement; then its own and those of its neighbours, without their aliases. */
const maxNameLookups = 1_000;
/** So many judgements are kept at hand, about 15 MB. */
const maxCachedPairs = 20_000;

export class EntityMatcher {
  readonly #context: ResolutionContext;
  readonly #store: MatchStore;
  readonly #decisions: DecisionLookup;
  readonly #merger: RecordMerger;
  readonly #venues: VenueCandidates;
  readonly #sourceRecords: EntitySourceRecords;
  readonly #recordsByName = new Map<string, readonly number[]>();
  readonly #results = new PairCache<EntityFacts, MatchResult>(maxCachedPairs);

  constructor(
    desk: ResolutionContext,
    store: MatchStore,
    decisions: DecisionLookup,
    merging: RecordMerger,
    houses: VenueCandidates,
  ) {
    this.#context = desk;
    this.#store = store;
    this.#decisions = decisions;
    this.#merger = merging;
    this.#venues = houses;
    this.#sourceRecords = new EntitySourceRecords(desk, decisions);
  }

  /** Finds the record of a statement made for the first time; see `EventMatcher.place`. */
  place(
    kind: NamedEntityKind,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<NamedEntityKind>,
  ): PreparedAssignment {
    this.#startRecord();
    const node: EntitySourceRecord = {
      source: source.name,
      sourceId: source.id,
      externalId,
      record: null,
      facts: this.#sourceRecords.facts(kind, source.name, externalId, statement),
    };
    const placement = this.#prepareAssignment(kind, [node], { coming: statement });
    return () => {
      const settled = placement();
      if (settled.record !== null) this.#keepName(kind, settled.record, statement.name);
      return settled;
    };
  }

  /** A record known by name alone that a source now calls otherwise is still meant by its name. */
  #keepName(kind: NamedEntityKind, record: number, name: string): void {
    const row = this.#context.writer.row(kind, record);
    if (row === undefined || row.folded === fold(name)) return;
    this.#merger.keepName(kind, record, this.#decisions.hasDecisionForName(kind, row.slug as string));
  }

  /** Puts a record's statements in order again, after one of them changed; see `EventMatcher.resettle`. */
  regroup(kind: NamedEntityKind, record: number, isFixed = false): Assignment {
    this.#startRecord();
    const nodes = moveToFront(this.#sourceRecords.of(kind, record), null, maxGroupSize);
    return nodes.length === 0 ? { record, changed: [] } : this.#prepareAssignment(kind, nodes, { isFixed })();
  }

  /**
   * The same for a record of which a statement is about to be stored in the place of what its source said before; see
   * `EventMatcher.restating`.
   */
  prepareUpdate(
    kind: NamedEntityKind,
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<NamedEntityKind>,
  ): PreparedAssignment {
    this.#startRecord();
    const coming = { source: source.name, sourceId: source.id, externalId, text: JSON.stringify(statement) };
    return this.#prepareAssignment(
      kind,
      moveToFront(this.#sourceRecords.of(kind, record, coming), coming, maxGroupSize),
    );
  }

  /** Files a record under what a statement of it calls it, and the ids that stand in it. */
  index(
    kind: NamedEntityKind,
    record: number,
    { source, externalId }: SourceRecordKey,
    statement: FeedRecordContent<NamedEntityKind>,
  ): void {
    const { external_ids, links, name, aliases, country } = statement as FeedRecordContent<'artist'>;
    for (const [service, id] of Object.entries(external_ids ?? {}))
      if (id != null) this.#store.addExternalId(kind, service, normalizeId(id), record);
    for (const [service, { ids }] of Object.entries(impliedIds(source, externalId, links)))
      for (const id of ids) this.#store.addExternalId(kind, service, id, record);
    // An artist's alias is no other name where a source lists it by itself.
    const names = kind === 'artist' ? [name] : [name, ...(aliases ?? [])];
    if (kind === 'venue') {
      const { city, address } = statement as FeedRecordContent<'venue'>;
      this.#venues.index(record, names, { city, country: country ?? null, address });
    } else this.#store.addBlockingKeys(entityBlockingKeys(kind, { names, country }), record, 0);
  }

  /** Files a record of which nobody says more than the name under what its row has of it. */
  indexRow(kind: NamedEntityKind, record: number): void {
    const row = this.#context.writer.row(kind, record);
    if (row === undefined) return;
    const { name, city = null, country = null } = row as Record<string, string | null>;
    if (kind === 'venue') this.#venues.index(record, [name as string], { city, country });
    else this.indexName(kind, record, name as string);
  }

  /** Files a record that is known by a name alone. */
  indexName(kind: NamedEntityKind, record: number, name: string): void {
    this.#store.addBlockingKeys(entityBlockingKeys(kind, { names: [name], country: null }), record, 0);
  }

  /** Statements of other records that may be the same as one of this record, likeliest first. */
  nearMatches(kind: NamedEntityKind, record: number): CandidatePair<EntitySourceRecord>[] {
    this.#startRecord();
    const pairs: CandidatePair<EntitySourceRecord>[] = [];
    for (const a of this.#sourceRecords.of(kind, record)) {
      for (const other of this.#candidates(kind, a.facts, record)) {
        for (const b of this.#sourceRecords.of(kind, other))
          pairs.push({ a, b, result: compareEntities(kind, a, b) });
      }
    }
    return pairs.toSorted((x, y) => y.result.score - x.result.score);
  }

  /** The statements of a record; of one that is known by name alone the name. */
  sourceRecordsOf(kind: NamedEntityKind, record: number): EntitySourceRecord[] {
    this.#startRecord();
    return [...this.#sourceRecords.of(kind, record)];
  }

  /** How two of them are judged. */
  compare(kind: NamedEntityKind, a: EntitySourceRecord, b: EntitySourceRecord): MatchResult {
    return compareEntities(kind, a, b);
  }

  // ------------------------------------------------------------------------------------------------- candidates

  #candidates(kind: NamedEntityKind, facts: EntityFacts, except: number | null): Set<number> {
    const found = new Set<number>();
    const add = (records: readonly number[]): void => {
      for (const record of records) found.add(record);
    };
    for (const [service, id] of Object.entries(facts.externalIds ?? {}))
      if (id != null) add(this.#store.findByExternalId(kind, service, normalizeId(id)));
    for (const [service, { ids }] of Object.entries(facts.impliedIds ?? {}))
      for (const id of ids) add(this.#store.findByExternalId(kind, service, id));
    // An artist's alias is no other name where a source lists it by itself; but it may be its name, written otherwise.
    const aliases = (facts.aliases ?? []).filter(
      (alias) => kind !== 'artist' || isNameVariant(alias, facts.name),
    );
    const { lookup } = this.#context.context;
    add(lookup.byNormalizedName(kind, facts.name));
    const own = [facts.name, ...(kind === 'artist' ? parseArtistName(facts.name).names : [])];
    const names = [...own, ...aliases];
    for (const [at, name] of names.entries()) {
      if (at >= own.length && this.#recordsByName.size >= maxNameLookups) break;
      for (const form of lookupForms(kind, name))
        if (found.size < maxCandidates) add(this.#recordsNamed(kind, form));
    }
    if (found.size < maxCandidates) add(this.#indexedRecords(kind, names, facts));
    if (except !== null) found.delete(except);
    return found;
  }

  /** Records that have a folded name; each name is looked up once for a statement. */
  #recordsNamed(kind: NamedEntityKind, folded: string): readonly number[] {
    let records = this.#recordsByName.get(folded);
    if (records === undefined) {
      records = this.#context.context.lookup.byName(kind, folded).map(({ id }) => id);
      this.#recordsByName.set(folded, records);
    }
    return records;
  }

  /** Forget what was looked up: the work on another statement begins. */
  #startRecord(): void {
    this.#recordsByName.clear();
    this.#sourceRecords.startRecord();
  }

  /** Records that were filed under a word, a writing or the sound of one of these names. */
  #indexedRecords(kind: NamedEntityKind, names: readonly string[], facts: EntityFacts): number[] {
    const { city = null, country = null, address } = facts;
    if (kind === 'venue') return this.#venues.candidates(names, { city, country, address });
    const keys = entityBlockingKeys(kind, { names, country });
    const records = this.#store
      .findByBlockingKeys(keys.flatMap((key) => [key, key]))
      .map(([, record]) => record);
    if (kind !== 'artist') return [...new Set(records)];
    // Many sound alike: those are read whose names are nearly these.
    return [...new Set(records)].filter((record) => {
      const name = this.#context.writer.row(kind, record)?.name;
      return typeof name === 'string' && names.some((one) => areSimilarNames(one, name));
    });
  }

  // ------------------------------------------------------------------------------------------------- putting together

  #prepareAssignment(
    kind: NamedEntityKind,
    first: readonly EntitySourceRecord[],
    {
      isFixed = false,
      coming = null,
    }: { isFixed?: boolean; coming?: FeedRecordContent<NamedEntityKind> | null } = {},
  ): PreparedAssignment {
    const subject = first[0] as EntitySourceRecord;
    const { nodes, left } = this.#connectedRecords(kind, first.slice(0, maxGroupSize));
    if (nodes.length === first.length && first.length === 1) {
      return () => {
        this.#store.setUncomparedCount(kind, subject.source, subject.externalId, left);
        return { record: subject.record, changed: [] };
      };
    }
    if (coming !== null) this.#sourceRecords.cacheFacts(kind, subject, coming);
    const decided = (a: EntitySourceRecord, b: EntitySourceRecord) => this.#decided(kind, a, b);
    const groups = this.#decisions.hasAny() ? mustLinkGroups(nodes, decided) : new Map();
    const done = clusterRecords(nodes, {
      compare: compareByBestMember((a, b) => this.#judge(kind, a, b), groups),
      decision: decided,
      mustLink: (node) => (isFixed ? node.record : null),
      cannotLink,
      isTransitiveEvidence,
      isAmbiguous: (judgement) => !differsOnlyByName(judgement),
      allowAmbiguousGroups: true,
    });
    const doubts = limitPossibleMatches(done.possibleMatches);
    return () => {
      this.#notePossibleMatches(kind, nodes, doubts.noted);
      this.#store.setUncomparedCount(
        kind,
        subject.source,
        subject.externalId,
        left + doubts.leftOut(subject),
      );
      return assignRecords(kind, done.clusters, subject, {
        desk: this.#context,
        merging: this.#merger,
        moved: (node, _from, to) => this.#moved(kind, node, to),
      });
    };
  }

  /** Files what came into another record under that one. */
  #moved(kind: NamedEntityKind, node: EntitySourceRecord, to: number): void {
    if (node.isPlaceholder && kind === 'venue')
      this.#venues.index(to, [node.facts.name], {
        city: node.facts.city ?? null,
        country: node.facts.country ?? null,
      });
    const said = this.#context.sources.find({ source: node.sourceId, kind, externalId: node.externalId });
    if (said?.statement)
      this.index(kind, to, node, JSON.parse(said.statement) as FeedRecordContent<NamedEntityKind>);
  }

  /** What was decided of two; a name that went into a record stays with it until it is parted. */
  #decided(kind: NamedEntityKind, a: EntitySourceRecord, b: EntitySourceRecord): MatchDecision | undefined {
    const isOwn =
      a.record !== null && a.record === b.record && (a.isDecidedName === true || b.isDecidedName === true);
    return this.#decisions.between(kind, a, b) ?? (isOwn ? 'same' : undefined);
  }

  /**
   * Everything that may be the same as one of `first`, and so on from there, best evidence first.
   * @returns the statements, and how many records may be the same and were not compared or taken
   */
  #connectedRecords(
    kind: NamedEntityKind,
    first: readonly EntitySourceRecord[],
  ): { nodes: EntitySourceRecord[]; left: number } {
    const nodes = new Map(first.map((node) => [recordKeyText(node), node]));
    const records = new Set(first.map(({ record }) => record));
    const read = new Set<number>();
    const left = new Set<number>();
    const work = { compared: 0 };
    for (const node of nodes.values()) {
      if (nodes.size >= maxGroupSize && nodes.size > first.length) break;
      const candidates = [
        ...this.#candidates(kind, node.facts, node.record),
        ...this.#partners(kind, node),
      ].filter((record) => !records.has(record));
      const near: { record: number; said: readonly EntitySourceRecord[]; score: number }[] = [];
      for (const record of candidates) {
        if (work.compared >= maxComparisons || (read.size >= maxRecordsRead && !read.has(record))) {
          left.add(record);
          continue;
        }
        read.add(record);
        const said = this.#sourceRecords.of(kind, record);
        work.compared += said.length;
        const score = this.#bestScore(kind, node, said);
        if (score !== null) near.push({ record, said, score });
      }
      for (const { record, said } of near.toSorted(byScore)) {
        if (records.has(record)) continue;
        const room = Math.max(maxGroupSize, first.length) - nodes.size;
        if (room <= 0) {
          left.add(record);
          continue;
        }
        records.add(record);
        for (const one of said.slice(0, room)) nodes.set(recordKeyText(one), one);
      }
    }
    for (const record of records) if (record !== null) left.delete(record);
    return { nodes: [...nodes.values()], left: left.size };
  }

  /** How near the nearest of a record's statements is; null where none is. */
  #bestScore(
    kind: NamedEntityKind,
    node: EntitySourceRecord,
    said: readonly EntitySourceRecord[],
  ): number | null {
    let nearest: number | null = null;
    for (const one of said) {
      const { score, rule } = this.#judge(kind, node, one);
      // Two of one name that are different may both be meant by a third: they are told apart together.
      const isNear =
        score >= 0.1 ||
        rule === 'external-id' ||
        rule === 'two-ids' ||
        this.#decisions.between(kind, node, one) === 'same';
      if (isNear) nearest = Math.max(nearest ?? 0, score);
    }
    return nearest;
  }

  /** How two are judged; each two once. */
  #judge(kind: NamedEntityKind, a: EntitySourceRecord, b: EntitySourceRecord): MatchResult {
    const known = this.#results.get(a.facts, b.facts);
    if (known !== undefined) return known;
    this.#context.releaseLockIfDue();
    const judgement = compareEntities(kind, a, b);
    this.#results.set(a.facts, b.facts, judgement);
    return judgement;
  }

  #partners(kind: NamedEntityKind, node: EntitySourceRecord): number[] {
    return this.#decisions.partners(kind, node).flatMap(({ source, externalId }) => {
      const id = this.#context.sources.findSource(source)?.id;
      const record =
        id === undefined ? null : this.#context.sources.find({ source: id, kind, externalId })?.record_id;
      return record == null ? [] : [record];
    });
  }

  #notePossibleMatches(
    kind: NamedEntityKind,
    nodes: EntitySourceRecord[],
    doubts: CandidatePair<EntitySourceRecord>[],
  ): void {
    for (const { source, externalId } of nodes) this.#store.removePossibleMatches(kind, source, externalId);
    for (const { a, b, result } of doubts) {
      const { score, rule, reasons } = explainMatch(result);
      this.#store.addPossibleMatch({
        kind,
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
  a: { said: readonly EntitySourceRecord[]; score: number },
  b: { said: readonly EntitySourceRecord[]; score: number },
): number =>
  b.score - a.score || compareRecordKeys(a.said[0] as EntitySourceRecord, b.said[0] as EntitySourceRecord);

/** Whether two cannot be one, though both may be the same as a third. */
const cannotLink = ({ outcome, score, rule, reasons }: MatchResult): boolean =>
  score < 0.1 ||
  rule === 'two-ids' ||
  (outcome === 'different' && reasons.some(({ evidence, weight }) => evidence === 'country' && weight < -2));

/** Whether nothing but the names speaks against two. */
const differsOnlyByName = ({ rule, reasons }: MatchResult): boolean =>
  rule === 'weighed' && reasons.every(({ evidence, weight }) => weight > -1.2 || evidence === 'name');

/**
 * Nothing but their names speaks against two, and a third is the same as both: it knows the one by a name, and the other by
 * an alias, an id, or the same name in other letters.
 */
const isTransitiveEvidence = (between: MatchResult, one: MatchResult, other: MatchResult): boolean =>
  differsOnlyByName(between) && [one, other].every(({ outcome }) => outcome === 'same');
