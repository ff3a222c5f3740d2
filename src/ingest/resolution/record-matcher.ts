/** Matching as imports meet it: where a statement belongs, and what its coming changes for others. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import { type NamedEntityKind, namedEntityKinds } from '../../matching/entities/compare-entities.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { MergeStore } from '../../store/resolution/merge-store.ts';
import type { PreparedAssignment } from './assign-records.ts';
import { DecisionLookup } from './decision-lookup.ts';
import { EntityMatcher } from './entity-matcher.ts';
import { EventMatcher, type SourceIdentity } from './event-matcher.ts';
import { findExactMatch } from './exact-match.ts';
import { JointArtists } from './joint-artists.ts';
import { RecordMerger } from './merge-records.ts';
import type { ResolutionContext } from './resolution-context.ts';
import { VenueCandidates } from './venue-candidates.ts';

export class RecordMatcher {
  readonly decisions: DecisionLookup;
  readonly merger: RecordMerger;
  readonly events: EventMatcher;
  readonly entities: EntityMatcher;
  readonly venues: VenueCandidates;
  readonly jointArtists: JointArtists;
  readonly store: MatchStore;
  readonly #context: ResolutionContext;

  constructor(desk: ResolutionContext, store: MatchStore, merges: MergeStore) {
    this.#context = desk;
    this.store = store;
    this.decisions = new DecisionLookup(store);
    this.merger = new RecordMerger(desk, merges);
    this.events = new EventMatcher(desk, store, this.decisions, this.merger);
    this.venues = new VenueCandidates(desk, store);
    this.entities = new EntityMatcher(desk, store, this.decisions, this.merger, this.venues);
    this.jointArtists = new JointArtists(desk, store, merges, this.merger);
    desk.context.resolver.jointArtistIndex = this.jointArtists;
    desk.context.resolver.venueIndex = this.venues;
    desk.context.resolver.nameIndex = this.entities;
  }

  /** Forget what is kept at hand: a batch was undone, or places and people changed. */
  clearCache(): void {
    this.store.clearCache();
    this.events.clearCache();
    this.jointArtists.clearCache();
  }

  /**
   * The record that a source's first statement of something speaks of, null for a new one; and what else changed. Only
   * reads; the placement that it returns writes.
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
    // Found by name alone, which takes no time; and it may put a festival or podcast on record.
    return () => {
      const { context, sources } = this.#context;
      const speaker = { sourceId: source.id, run: context.run };
      const record = findExactMatch(context, sources, kind, statement, speaker);
      if (record !== null)
        this.merger.keepFormerName(kind, record, statement as { name?: string; country?: string });
      return { record, changed: [] };
    };
  }

  /** To be called when the statement is bound to its record. */
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
      this.entities.index(
        kind,
        record,
        { source: source.name, externalId },
        statement as FeedRecordContent<NamedEntityKind>,
      );
  }

  /** Files a record under its names once more: its city may be called otherwise now, or another version filed it. */
  reindex(kind: FeedKind, record: number): void {
    if (!isNamedEntityKind(kind)) return;
    const said = this.#context.sources.statementsOf(record);
    for (const { source_name, external_id, content: statement } of said) {
      const anchor = { source: source_name, externalId: external_id };
      this.entities.index(kind, record, anchor, JSON.parse(statement) as FeedRecordContent<NamedEntityKind>);
    }
    if (said.length === 0 && kind !== 'artist') this.entities.indexRow(kind, record);
  }

  /**
   * Where a statement belongs that is made again, with what it was before. Only reads; the placement that it returns is
   * to be called when the new statement is stored, and writes.
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
        : null;
    if (placement === null) return () => ({ record, changed: [] });
    return () => {
      const settled = placement();
      const now = this.#context.sources.find({ source: source.id, kind, externalId })?.record_id ?? record;
      const others = new Set([...settled.changed, ...(settled.record === null ? [] : [settled.record])]);
      others.delete(now);
      return { record: now, changed: [...others] };
    };
  }

  /** Null where nothing changed that tells whom it speaks of; so below. */
  #prepareEntityUpdate(
    kind: NamedEntityKind,
    record: number,
    source: SourceIdentity,
    externalId: string,
    statement: FeedRecordContent<NamedEntityKind>,
    before: string | null,
  ): PreparedAssignment | null {
    if (before !== null && identityFields(JSON.parse(before)) === identityFields(statement)) return null;
    const placement = this.entities.prepareUpdate(kind, record, source, externalId, statement);
    return () => {
      this.entities.index(kind, record, { source: source.name, externalId }, statement);
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
    const old = before === null ? null : (JSON.parse(before) as FeedRecordContent<'event'>);
    if (old !== null && comparedFields(old) === comparedFields(statement)) return null;
    const placement = this.events.prepareUpdate(record, source, externalId, statement);
    return () => {
      if (old !== null) this.events.unindex(record, source, externalId, old);
      this.events.index(record, source, externalId, statement);
      return placement();
    };
  }
}

const isNamedEntityKind = (kind: FeedKind): kind is NamedEntityKind =>
  (namedEntityKinds as readonly FeedKind[]).includes(kind);

/** What of a statement tells whom it speaks of. */
const identityFields = (said: FeedRecordContent<NamedEntityKind>): string => {
  const { name, country, aliases, external_ids, links } = said;
  const { city, address, latitude, longitude, website, real_name } = said as Partial<
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

/** What of a statement matching weighs. */
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
