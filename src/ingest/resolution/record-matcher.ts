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
import { EventMatcher, type SourceIdentity } from './event-matcher.ts';
import { findExactMatch } from './exact-match.ts';
import type { JointArtists } from './joint-artists.ts';
import { RecordMerger } from './merge-records.ts';
import type { VenueCandidates } from './venue-candidates.ts';

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
    this.events = new EventMatcher(context, store, this.decisions, this.merger);
    this.entities = new EntityMatcher(context, store, this.decisions, this.merger, this.venues);
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
    if (kind === 'event')
      return this.events.place(source, externalId, statement as FeedRecordContent<'event'>);
    if (isNamedEntityKind(kind))
      return this.entities.place(kind, source, externalId, statement as FeedRecordContent<NamedEntityKind>);
    // An exact match is fast, and it may create a festival or podcast.
    return () => {
      const { run } = this.#context;
      const sourceRun = { sourceId: source.id, run };
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
    if (kind === 'event')
      this.events.index(record, source, externalId, statement as FeedRecordContent<'event'>);
    else if (isNamedEntityKind(kind))
      this.entities.candidates.index(
        kind,
        record,
        { source: source.name, externalId },
        statement as FeedRecordContent<NamedEntityKind>,
      );
  }

  /** Removes an event from the blocking keys of a source record, before its content changes. Other kinds keep theirs. */
  unindexSourceRecord(
    kind: FeedKind,
    record: number,
    source: SourceIdentity,
    externalId: string,
    content: string | null,
  ): void {
    if (kind === 'event' && content !== null)
      this.events.unindex(record, source, externalId, parseContent<'event'>(content));
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
    const placement = isNamedEntityKind(kind)
      ? this.#prepareEntityUpdate(
          kind,
          record,
          source,
          externalId,
          statement as FeedRecordContent<NamedEntityKind>,
          before,
        )
      : kind === 'event'
        ? this.#prepareEventUpdate(
            record,
            source,
            externalId,
            statement as FeedRecordContent<'event'>,
            before,
          )
        : kind === 'edition'
          ? this.#prepareEditionUpdate(record, source, externalId, statement as FeedRecordContent<'edition'>)
          : null;
    if (placement === null) return () => ({ record, changed: [] });
    return () => {
      const assignment = placement();
      const now = this.#context.sources.find({ source: source.id, kind, externalId })?.record_id ?? record;
      const others = new Set([
        ...assignment.changed,
        ...(assignment.record === null ? [] : [assignment.record]),
      ]);
      others.delete(now);
      return { record: now, changed: [...others] };
    };
  }

  /** Moves a source record whose festival or key changed to the record of that edition, if there is one. */
  #prepareEditionUpdate(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'edition'>,
  ): PreparedAssignment {
    const { run, sources, writer, lookup } = this.#context;
    return () => {
      const match = findExactMatch(this.#context, 'edition', statement, { sourceId: source.id, run });
      // Two editions of the source were one record until now.
      const isSeparate = match === null && sources.countStatements(source.id, record) > 1;
      const home = isSeparate ? writer.newRecord('edition') : (match ?? record);
      if (home === record) return { record, changed: [] };
      sources.move({ source: source.id, kind: 'edition', externalId }, home);
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
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<NamedEntityKind>,
    before: string | null,
  ): PreparedAssignment | null {
    const old = before === null ? null : parseContent<NamedEntityKind>(before);
    if (old !== null && identityFields(old) === identityFields(statement)) return null;
    const placement = this.entities.prepareUpdate(kind, record, source, externalId, statement);
    return () => {
      this.entities.candidates.index(kind, record, { source: source.name, externalId }, statement);
      return placement();
    };
  }

  #prepareEventUpdate(
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<'event'>,
    before: string | null,
  ): PreparedAssignment | null {
    const old = before === null ? null : parseContent<'event'>(before);
    if (old !== null && comparedFields(old) === comparedFields(statement)) return null;
    const placement = this.events.prepareUpdate(record, source, externalId, statement);
    return () => {
      if (old !== null) this.events.unindex(record, source, externalId, old);
      this.events.index(record, source, externalId, statement);
      return placement();
    };
  }
}

/** The fields that entity matching compares. */
const identityFields = (statement: FeedRecordContent<NamedEntityKind>): string => {
  const { name, country, aliases, external_ids, links } = statement;
  const { city, address, latitude, longitude, website, real_name } = statement as Partial<
    FeedRecordContent<'venue'> & FeedRecordContent<'artist'>
  >;
  return JSON.stringify([
    name,
    country,
    aliases,
    external_ids,
    links,
    city,
    address,
    latitude,
    longitude,
    website,
    real_name,
  ]);
};

/** The fields that event matching compares. */
const comparedFields = ({
  name,
  start_at,
  end_at,
  timezone,
  venue,
  city,
  country,
  lineup,
  tickets,
  url,
  festival,
  genres,
}: FeedRecordContent<'event'>): string =>
  JSON.stringify([
    name,
    start_at,
    end_at,
    timezone,
    venue,
    city,
    country,
    lineup,
    tickets,
    url,
    festival,
    genres,
  ]);
