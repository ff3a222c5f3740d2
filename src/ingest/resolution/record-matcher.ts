/** The entry point of matching for imports: assigns source records to records and regroups affected ones. */

import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { NamedEntityKind } from '../../matching/entities/compare-entities.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { MergeStore } from '../../store/resolution/merge-store.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import type { WriteContext } from '../write-context.ts';
import type { PreparedAssignment } from './assign-records.ts';
import { DecisionLookup } from './decision-lookup.ts';
import { EntityMatcher, isNamedEntityKind } from './entity-matcher.ts';
import type { SourceEvent, SourceStatement } from './event-facts.ts';
import { EventMatcher } from './event-matcher.ts';
import { findExactMatch } from './exact-match.ts';
import type { JointArtists } from './joint-artists.ts';
import { RecordMerger } from './merge-records.ts';
import type { VenueCandidates } from './venue-candidates.ts';

type SourceIdentity = { id: number; name: string; clock: 'instant' | 'local' };

/** Matches source records of all kinds. `decisions`, `merger` and `store` serve corrections as well. */
export class RecordMatcher {
  readonly decisions: DecisionLookup;
  readonly merger: RecordMerger;
  readonly events: EventMatcher;
  readonly entities: EntityMatcher;
  readonly venues: VenueCandidates;
  readonly jointArtists: JointArtists;
  readonly store: MatchStore;
  readonly #context: WriteContext;

  constructor(
    context: WriteContext,
    store: MatchStore,
    merges: MergeStore,
    { venues, jointArtists }: { venues: VenueCandidates; jointArtists: JointArtists },
  ) {
    this.#context = context;
    this.store = store;
    this.venues = venues;
    this.decisions = new DecisionLookup(store);
    this.merger = new RecordMerger(context, merges);
    const tools = { context, store, decisions: this.decisions, merger: this.merger };
    this.events = new EventMatcher(tools);
    this.entities = new EntityMatcher(tools, venues);
    this.jointArtists = jointArtists;
  }

  /** Clears caches after a rollback, or after venues or artists changed. */
  clearCache(): void {
    this.store.clearCache();
    this.events.clearCache();
    this.jointArtists.clearCache();
  }

  /**
   * Prepares the assignment of a new source record. Only reads; the returned assignment writes. Its record is null for
   * a new one.
   */
  place(
    kind: FeedKind,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<FeedKind>,
  ): PreparedAssignment {
    const stated = toSourceStatement(source, externalId, statement);
    if (kind === 'event') return this.events.place(stated as SourceEvent);
    if (isNamedEntityKind(kind)) return this.entities.place(kind, stated as SourceStatement<NamedEntityKind>);
    // An exact match is fast, and it may create a festival or podcast.
    return () => {
      const sourceRun = { sourceId: source.id, run: this.#context.run };
      const record = findExactMatch(this.#context, kind, statement, sourceRun);
      if (record !== null)
        this.merger.keepFormerName(kind, record, statement as { name?: string; country?: string });
      return { record, changed: [] };
    };
  }

  /** Must be called when the source record is bound to its record. */
  indexSourceRecord(
    kind: FeedKind,
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<FeedKind>,
  ): void {
    const stated = toSourceStatement(source, externalId, statement);
    if (kind === 'event') this.events.index(record, stated as SourceEvent);
    else if (isNamedEntityKind(kind))
      this.entities.candidates.index(kind, record, stated, statement as FeedRecordContent<NamedEntityKind>);
  }

  /**
   * Removes a record from the indexes of a source record that changes or leaves it: an event from its blocking keys, other
   * records from the look-ups by their ids.
   */
  unindexSourceRecord(
    kind: FeedKind,
    record: number,
    source: SourceIdentity,
    externalId: string,
    content: string | null,
  ): void {
    if (content === null) return;
    if (kind === 'event')
      this.events.unindex(
        record,
        toSourceStatement(source, externalId, parseContent<'event'>(content)) as SourceEvent,
      );
    else if (isNamedEntityKind(kind))
      this.entities.candidates.unindex(
        kind,
        record,
        { source: source.name, externalId },
        parseContent<NamedEntityKind>(content),
      );
  }

  /** Indexes a record again: the name of its city may have changed, or an older version indexed it. */
  reindex(kind: FeedKind, record: number): void {
    if (!isNamedEntityKind(kind)) return;
    const rows = this.#context.sources.parsedStatementsOf<NamedEntityKind>(record);
    for (const { source_name, external_id, statement } of rows) {
      const key = { source: source_name, externalId: external_id };
      this.entities.candidates.index(kind, record, key, statement);
    }
    if (rows.length === 0 && kind !== 'artist') this.entities.candidates.indexRow(kind, record);
  }

  /**
   * Prepares the assignment of a source record that changed. Only reads; call the returned assignment, which writes,
   * after the new source record is stored.
   */
  prepareUpdate(
    kind: FeedKind,
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<FeedKind>,
    before: string | null,
  ): PreparedAssignment {
    const stated = toSourceStatement(source, externalId, statement);
    const placement = isNamedEntityKind(kind)
      ? this.#prepareEntityUpdate(kind, record, stated as SourceStatement<NamedEntityKind>, before)
      : kind === 'event'
        ? this.#prepareEventUpdate(record, stated as SourceEvent, before)
        : kind === 'edition'
          ? this.#prepareEditionUpdate(record, stated as SourceStatement<'edition'>)
          : null;
    if (placement === null) return () => ({ record, changed: [] });
    return () => {
      const assignment = placement();
      const now = this.#context.sources.find({ source: source.id, kind, externalId })?.record_id ?? record;
      const others = new Set([...assignment.changed, assignment.record ?? now]);
      others.delete(now);
      return { record: now, changed: [...others] };
    };
  }

  /** Moves a source record whose festival or key changed to the record of that edition, if there is one. */
  #prepareEditionUpdate(
    record: number,
    { sourceId, externalId, statement }: SourceStatement<'edition'>,
  ): PreparedAssignment {
    const { run, sources, writer, lookup } = this.#context;
    return () => {
      const match = findExactMatch(this.#context, 'edition', statement, { sourceId, run });
      // Two editions of the source were one record until now.
      const isSeparate = match === null && sources.countStatements(sourceId, record) > 1;
      const home = isSeparate ? writer.newRecord('edition') : (match ?? record);
      if (home === record) return { record, changed: [] };
      sources.move({ source: sourceId, kind: 'edition', externalId }, home);
      const isLeft = sources.externalIdsOf(record).length === 0;
      if (!isLeft || lookup.removed.has(home)) return { record: home, changed: [record] };
      this.merger.merge('edition', record, home);
      return { record: home, changed: [] };
    };
  }

  /** Returns null if no compared field changed. */
  #prepareEntityUpdate(
    kind: NamedEntityKind,
    record: number,
    stated: SourceStatement<NamedEntityKind>,
    before: string | null,
  ): PreparedAssignment | null {
    const old = before === null ? null : parseContent<NamedEntityKind>(before);
    if (old !== null && identityFields(old) === identityFields(stated.statement)) return null;
    const placement = this.entities.prepareUpdate(kind, record, stated);
    return () => {
      if (old !== null) this.entities.candidates.unindex(kind, record, stated, old);
      this.entities.candidates.index(kind, record, stated, stated.statement);
      return placement();
    };
  }

  #prepareEventUpdate(record: number, event: SourceEvent, before: string | null): PreparedAssignment | null {
    const old = before === null ? null : parseContent<'event'>(before);
    if (old !== null && comparedFields(old) === comparedFields(event.statement)) return null;
    const placement = this.events.prepareUpdate(record, event);
    return () => {
      if (old !== null) this.events.unindex(record, { ...event, statement: old });
      this.events.index(record, event);
      return placement();
    };
  }
}

const toSourceStatement = <K extends FeedKind>(
  { id, name, clock }: SourceIdentity,
  externalId: string,
  statement: FeedRecordContent<K>,
): SourceStatement<K> => ({ source: name, sourceId: id, clock, externalId, statement });

/** The members that entity matching compares. */
const identityMembers = [
  'name',
  'country',
  'aliases',
  'external_ids',
  'links',
  'city',
  'address',
  'latitude',
  'longitude',
  'website',
  'real_name',
] as const;

function identityFields(statement: FeedRecordContent<NamedEntityKind>): string {
  const members: { readonly [M in (typeof identityMembers)[number]]?: unknown } = statement;
  return JSON.stringify(identityMembers.map((member) => members[member]));
}

/** The members that event matching compares. */
const comparedMembers = [
  'name',
  'start_at',
  'end_at',
  'timezone',
  'venue',
  'city',
  'country',
  'lineup',
  'tickets',
  'url',
  'festival',
  'genres',
] as const;

const comparedFields = (statement: FeedRecordContent<'event'>): string =>
  JSON.stringify(comparedMembers.map((member) => statement[member]));
