/**
 * The tools that write the catalogue, created once per connection, and the rebuilding of records from their source
 * records. Imports and corrections use it.
 */
import type Database from 'better-sqlite3';
import type { FeedKind, FeedRecordContent } from '../contract/feed.ts';
import type { ForeignCommits } from '../store/resolution/added-keys.ts';
import { MatchStore } from '../store/resolution/match-store.ts';
import { MergeStore } from '../store/resolution/merge-store.ts';
import { RecordLookup } from '../store/resolution/record-lookup.ts';
import type { SeenRecords } from '../store/resolution/seen-records.ts';
import { SourceCredits } from '../store/resolution/source-credits.ts';
import { type SourceRecordCache, sourceRecordCacheOf } from '../store/resolution/source-record-cache.ts';
import { type ParsedSourceRow, parseStatement, SourceRecords } from '../store/resolution/source-records.ts';
import { type NameIndexWriter, openNameIndexWriter } from '../store/search/name-index.ts';
import { CatalogueWriter, type RowOf } from '../store/writer.ts';
import { rebuildArtist, rebuildLabel } from './records/artists.ts';
import { rebuildEvent } from './records/events.ts';
import { rebuildEdition, rebuildFestival } from './records/festivals.ts';
import type { CreationContext } from './records/placeholder-records.ts';
import { rebuildCity, rebuildGenre, rebuildVenue } from './records/places.ts';
import { creditsOf, rebuildEpisode, rebuildPodcast } from './records/podcasts.ts';
import type { SourceLink } from './records/rebuild-helpers.ts';
import { RecordEdits } from './records/record-edits.ts';
import { type SourceRecord, sortByTrust, toSourceRecord } from './records/survivorship.ts';
import { StatementScrubber } from './removals/forgetting/scrubber.ts';
import { RecordRemover } from './removals/record-remover.ts';
import { indexEntityName } from './resolution/entity-candidates.ts';
import { JointArtists } from './resolution/joint-artists.ts';
import { NameLookup } from './resolution/name-lookup.ts';
import { RecordMatcher } from './resolution/record-matcher.ts';
import { ReferenceResolver } from './resolution/reference-resolver.ts';
import { VenueCandidates } from './resolution/venue-candidates.ts';
import type { WriteContext } from './write-context.ts';

type Rebuild<K extends FeedKind> = (
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<K>[],
  sourceLinks: SourceLink[],
  withdrawn: SourceRecord<K>[],
) => void;
const rebuilders: { [K in FeedKind]: Rebuild<K> } = {
  genre: rebuildGenre,
  city: rebuildCity,
  venue: rebuildVenue,
  artist: rebuildArtist,
  label: rebuildLabel,
  festival: rebuildFestival,
  edition: rebuildEdition,
  event: rebuildEvent,
  podcast: rebuildPodcast,
  episode: rebuildEpisode,
};

/** The tools of one writer on a connection. `begin` clears their caches if another process wrote. */
export class WriteSession implements WriteContext {
  readonly lookup: RecordLookup;
  readonly resolver: ReferenceResolver;
  readonly now: number;
  run = 0;
  readonly sources: SourceRecords;
  readonly writer: CatalogueWriter;
  readonly names: NameIndexWriter;
  readonly matcher: RecordMatcher;
  readonly remover: RecordRemover;
  readonly #credits: SourceCredits;
  readonly #statements: SourceRecordCache;
  readonly #foreignCommits: ForeignCommits | undefined;
  /** Changes whenever results of earlier reads may be outdated. */
  epoch = 0;
  releaseLockIfDue: () => void = () => {};

  /** @param seen the source records that the present run contained, for sessions of one import */
  constructor(sqlite: Database.Database, creation: CreationContext, seen?: SeenRecords) {
    this.writer = new CatalogueWriter(sqlite);
    this.sources = new SourceRecords(sqlite, seen);
    this.#statements = sourceRecordCacheOf(sqlite);
    this.#statements.clear();
    this.#foreignCommits = seen?.added?.foreignCommits;
    this.names = openNameIndexWriter(sqlite);
    this.#credits = new SourceCredits(sqlite);
    this.names.startBuffering();
    this.lookup = new RecordLookup(sqlite, seen?.added?.names);
    this.writer.rowOfRemoved = (id) => this.lookup.removed.rowOf(id);
    this.names.onChange = (changed) => this.lookup.onNamesChanged(changed);
    this.now = creation.now;
    const [store, merges] = [new MatchStore(sqlite, seen?.added?.blockingKeys), new MergeStore(sqlite)];
    const finder = new NameLookup(this);
    const venues = new VenueCandidates(this, store);
    const jointArtists = new JointArtists(this, store, merges, finder);
    this.resolver = new ReferenceResolver(this, creation, {
      finder,
      venueIndex: venues,
      jointArtistIndex: jointArtists,
      indexName: (kind, record, name) => indexEntityName(store, kind, record, name),
    });
    this.matcher = new RecordMatcher(this, store, merges, { venues, jointArtists });
    this.remover = new RecordRemover(this, sqlite);
  }

  /** Takes forgotten artists out of source records. */
  scrubber(): StatementScrubber {
    const { forgotten, removed } = this.lookup;
    return new StatementScrubber(forgotten, (record) =>
      removed.isForgotten(record) ? null : (this.writer.row('artist', record)?.name ?? null),
    );
  }

  /** Begins a batch and clears the caches if another process wrote since the last one. */
  begin(): void {
    // Rules change without a new revision of the catalogue.
    this.#credits.clear();
    if (this.writer.begin()) this.#clearCaches();
    this.#foreignCommits?.onBegun();
  }

  /** Writes the buffered changes within the batch. */
  flush(): void {
    this.names.flush();
    this.writer.flush();
  }

  /** Writes the buffered changes and ends the batch. */
  commit(): void {
    this.flush();
    this.matcher.store.compactBlockingKeys();
    this.#foreignCommits?.beforeEnd();
    this.writer.commit();
    this.#statements.onCommitted();
  }

  /** Ends the batch without its changes and clears the caches. Does no harm without an open batch. */
  rollback(): void {
    this.#foreignCommits?.beforeEnd();
    this.writer.rollback();
    this.names.discard();
    this.#clearCaches();
  }

  /** Drops changes that were buffered since a savepoint that was rolled back. */
  rollbackToSavepoint(): void {
    this.writer.rollbackToSavepoint();
    this.names.discard();
    this.#clearCaches();
  }

  #clearCaches(): void {
    this.epoch++;
    this.resolver.clearCache();
    this.lookup.clearGenreCache();
    this.lookup.onNamesChanged(null);
    this.lookup.removed.reload();
    this.lookup.forgotten.reload();
    this.matcher.clearCache();
    this.sources.edits.clearCache();
  }

  /** Rebuilds a record from all its source records; does nothing for a record known by name only. */
  rebuild(kind: FeedKind, id: number): void {
    this.rebuildFrom(kind, id, this.sources.parsedStatementsOf(id));
  }

  /** The parsed source records of a record if comparing has left them in memory; null if they must be read. */
  recentSourceRecordsOf<K extends FeedKind>(id: number): ParsedSourceRow<K>[] | null {
    return this.#statements.peek(id)?.map((row) => parseStatement<K>(row)) ?? null;
  }

  /**
   * Rebuilds a record from the given source records, which must be all it has. A removed record stays as it is, unless
   * it was removed because no source listed it, and one does again.
   */
  rebuildFrom<K extends FeedKind>(kind: K, id: number, rows: ParsedSourceRow<K>[]): void {
    const { removed } = this.lookup;
    if (removed.isFixed(id)) return;
    if (removed.has(id)) {
      const record = removed.find(id);
      if (record === null || !rows.some((row) => row.withdrawn_ts === null)) return;
      this.remover.clearRemoval(kind, record);
    }
    const outer = removed.rebuilding;
    removed.rebuilding = id;
    try {
      this.#rebuildFrom(kind, id, rows);
    } finally {
      removed.rebuilding = outer;
    }
  }

  #rebuildFrom<K extends FeedKind>(kind: K, id: number, rows: ParsedSourceRow<K>[]): void {
    const current = rows.some((row) => row.withdrawn_ts === null)
      ? rows.filter((row) => row.withdrawn_ts === null)
      : rows;
    if (current.length === 0) return;
    // Cached event facts depend on venues and artists.
    if (kind !== 'event') this.matcher.clearCache();
    const withdrawn = rows.length === current.length ? [] : rows.filter((row) => !current.includes(row));
    const sourceLinks = current.map(({ source_id, source_name: name, external_id, statement }) => {
      const url = (statement as { url?: string | null }).url ?? null;
      const credit = this.#credits.of(source_id);
      return credit === null ? { name, external_id, url } : { name, external_id, url, ...credit };
    });
    const edits = this.editsOf(kind, id);
    const sourceRecords = sortByTrust(current.map((row) => toSourceRecord(row)));
    const withdrawnRecords = withdrawn.map((row) => toSourceRecord(row));
    const rebuild: Rebuild<K> = rebuilders[kind];
    if (edits === null) rebuild(this, id, sourceRecords, sourceLinks, withdrawnRecords);
    else rebuild(this, id, edits.apply(sourceRecords), sourceLinks, edits.apply(withdrawnRecords));
  }

  /** The edits of a record; null if it has none. */
  editsOf(kind: FeedKind, id: number): RecordEdits | null {
    const edits = this.sources.edits.of(id);
    return edits.length === 0 ? null : new RecordEdits(kind, edits);
  }

  /**
   * Prepares the rebuild of a record after a record it displays changed. Only reads. The returned function writes and
   * must be called within a batch, before any other write.
   */
  prepareRefresh(id: number): () => void {
    this.writer.beginSavepoint();
    const { lookup } = this;
    const kind = lookup.kindOf(id) as FeedKind;
    if (lookup.removed.isFixed(id)) return () => {};
    const before = this.writer.row(kind, id);
    const rowCount = this.sources.statementsOf(id).length;
    // The record was merged in the meantime.
    if (before === undefined && rowCount === 0) return () => {};
    if (kind === 'event' && !this.#hasCatalogueSlug(id, before)) return this.#prepareRegroup(id);
    if (kind === 'episode') this.readTracks(id, null);
    return () => {
      this.matcher.reindex(kind, id);
      if (kind === 'venue' && rowCount === 0) this.#adoptCity(id, before as RowOf<'venue'>);
      else if (kind === 'artist' && rowCount === 0)
        this.matcher.jointArtists.resolveMention(id, this.matcher.merger);
      else this.rebuild(kind, id);
    };
  }

  /**
   * Looks up the artists and labels of tracklists by reading only, which fills the cache for the write.
   * @param id the episode whose source records are read; null for a new one
   */
  readTracks(id: number | null, statement: FeedRecordContent<'episode'> | null): void {
    const others = id === null ? [] : this.sources.parsedStatementsOf<'episode'>(id);
    for (const one of [...others.map((row) => row.statement), statement])
      for (const track of one?.tracklist ?? []) creditsOf(this, track);
  }

  /**
   * Whether the event comes from another cratebase catalogue and is bound by its slug there; such events are not
   * regrouped.
   */
  #hasCatalogueSlug(id: number, row: { slug: string } | undefined): boolean {
    return this.sources.statementsOf(id).every(({ external_id }) => external_id === row?.slug);
  }

  /** Regroups an event after a record it names changed: it may now match another event, or no longer match. */
  #prepareRegroup(id: number): () => void {
    const placement = this.matcher.events.prepareRegroup(id);
    return () => {
      const { record, changed } = placement();
      for (const one of new Set([...changed, ...(record === null ? [] : [record])]))
        this.rebuild('event', one);
    };
  }

  /**
   * Updates the city name and time zone of a venue known by name only. If several cities share the name, its events
   * decide.
   */
  #adoptCity(id: number, venue: { city_id: number | null }): void {
    const { resolver } = this;
    const cityRow = venue.city_id === null ? undefined : this.writer.row('city', venue.city_id);
    if (!cityRow) return;
    const cityReference = { city: cityRow.name, country: cityRow.country };
    const cityId = resolver.cities.cityOfVenue(id, cityReference, {}) ?? cityRow.id;
    const city = this.writer.row('city', cityId) ?? cityRow;
    const row = {
      city_id: cityId,
      city: city.name,
      country: city.country,
      timezone: city.timezone,
    };
    const changedColumns = this.writer.save('venue', id, row, () => [], this.now);
    if (changedColumns.has('city_id')) resolver.cities.venueMoved(id, cityId);
    if (changedColumns.size > 0) this.lookup.markDependents('venue', id);
  }
}
