/**
 * What it takes to write the catalogue: the tools, made once for a connection, and working out records from what is said
 * of them. Imports use it, and so does whoever corrects what they decided.
 */
import type Database from 'better-sqlite3';
import type { FeedKind, FeedRecordContent } from '../contract/feed.ts';
import { MatchStore } from '../store/resolution/match-store.ts';
import { MergeStore } from '../store/resolution/merge-store.ts';
import { RecordLookup } from '../store/resolution/record-lookup.ts';
import { SourceRecords, type SourceStatementRow } from '../store/resolution/source-records.ts';
import { type NameIndexWriter, openNameIndexWriter } from '../store/search/name-index.ts';
import { CatalogueWriter, type RecordRow } from '../store/writer.ts';
import { rebuildArtist, rebuildLabel } from './records/artists.ts';
import { rebuildEvent } from './records/events.ts';
import { rebuildEdition, rebuildFestival } from './records/festivals.ts';
import type { CreationContext } from './records/placeholder-records.ts';
import { rebuildCity, rebuildGenre, rebuildVenue } from './records/places.ts';
import { creditsOf, rebuildEpisode, rebuildPodcast } from './records/podcasts.ts';
import type { RebuildContext, SourceLink } from './records/rebuild-context.ts';
import { type SourceRecord, sortByTrust } from './records/survivorship.ts';
import { RecordMatcher } from './resolution/record-matcher.ts';
import { ReferenceResolver } from './resolution/reference-resolver.ts';

const rebuilders: {
  [K in FeedKind]: (
    context: RebuildContext,
    id: number,
    said: SourceRecord<K>[],
    listings: SourceLink[],
    gone: SourceRecord<K>[],
  ) => void;
} = {
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

/** One statement, read: the row it stands in, and what it says. */
export type ParsedSourceRow = Omit<SourceStatementRow, 'content'> & {
  statement: FeedRecordContent<FeedKind>;
};

const toSourceRecord = (row: ParsedSourceRow): SourceRecord<FeedKind> => ({
  sourceId: row.source_id,
  sourceName: row.source_name,
  trust: row.trust,
  clock: row.clock as 'instant' | 'local',
  externalId: row.external_id,
  statedTs: row.content_updated_ts,
  withdrawnTs: row.withdrawn_ts,
  statement: row.statement,
});

export class WriteSession {
  readonly context: RebuildContext;
  readonly sources: SourceRecords;
  readonly writer: CatalogueWriter;
  readonly names: NameIndexWriter;
  readonly matcher: RecordMatcher;
  /** Another number whenever what was read before may be wrong. */
  epoch = 0;
  /** To be called now and then by what only reads for long: may end the transaction under way, and so let others write. */
  releaseLockIfDue: () => void = () => {};

  constructor(sqlite: Database.Database, making: CreationContext) {
    this.writer = new CatalogueWriter(sqlite);
    this.sources = new SourceRecords(sqlite);
    this.names = openNameIndexWriter(sqlite);
    this.names.startBuffering();
    const lookup = new RecordLookup(sqlite);
    this.names.onChange = (kind) => lookup.forgetNames(kind);
    const resolver = new ReferenceResolver(this.writer, this.names, this.sources, lookup, making);
    this.context = { writer: this.writer, names: this.names, lookup, resolver, now: making.now, run: 0 };
    this.matcher = new RecordMatcher(this, new MatchStore(sqlite), new MergeStore(sqlite));
  }

  /** Begins a batch; what another writer changed since the last one is not believed any more. */
  begin(): void {
    if (this.writer.begin()) this.#clearCaches();
  }

  /** Writes what waits in memory, within the batch. */
  flush(): void {
    this.names.flush();
    this.writer.flush();
  }

  commit(): void {
    this.flush();
    this.matcher.store.compactBlockingKeys();
    this.writer.commit();
  }

  rollback(): void {
    this.writer.rollback();
    this.names.discard();
    this.#clearCaches();
  }

  /** A savepoint was undone: what was noted since it was set, and not settled, did not happen. */
  rollbackToSavepoint(): void {
    this.writer.rollbackToSavepoint();
    this.names.discard();
    this.#clearCaches();
  }

  #clearCaches(): void {
    this.epoch++;
    this.context.resolver.clearCache();
    this.context.lookup.clearGenreCache();
    this.context.lookup.forgetNames(null);
    this.matcher.clearCache();
  }

  /** Works a record out again from all that is said of it; known by name alone, it stays as it is. */
  rebuild(kind: FeedKind, id: number): void {
    this.rebuildFrom(
      kind,
      id,
      this.sources.statementsOf(id).map((row) => ({ ...row, statement: JSON.parse(row.content) as never })),
    );
  }

  /** Works a record out from these statements: all there are of it. */
  rebuildFrom(kind: FeedKind, id: number, rows: ParsedSourceRow[]): void {
    const listed = rows.some((row) => row.withdrawn_ts === null)
      ? rows.filter((row) => row.withdrawn_ts === null)
      : rows;
    if (listed.length === 0) return;
    // Listings are read with what is known of places and people.
    if (kind !== 'event') this.matcher.clearCache();
    const gone = rows.length === listed.length ? [] : rows.filter((row) => !listed.includes(row));
    const listings = listed.map(({ source_name, external_id, statement }) => ({
      name: source_name,
      external_id,
      url: (statement as { url?: string | null }).url ?? null,
    }));
    const said = sortByTrust(listed.map(toSourceRecord));
    rebuilders[kind](this.context, id, said as never, listings, gone.map(toSourceRecord) as never);
  }

  /**
   * Works out a record that something it is shown with changed. Only reads; what it returns writes, within a batch and
   * before anything else is written.
   */
  prepareRefresh(id: number): () => void {
    this.writer.beginSavepoint();
    const { lookup } = this.context;
    const kind = lookup.kindOf(id) as FeedKind;
    const before = this.writer.row(kind, id);
    const said = this.sources.statementsOf(id).length;
    // Merged into another meanwhile: nothing of it is left to be worked out.
    if (before === undefined && said === 0) return () => {};
    if (kind === 'event' && !this.#hasCatalogueSlug(id, before)) return this.#prepareRegroup(id);
    if (kind === 'episode') this.readTracks(id, null);
    return () => {
      this.matcher.reindex(kind, id);
      if (kind === 'venue' && said === 0) this.#adoptCity(id, before as never);
      else if (kind === 'artist' && said === 0) this.matcher.jointArtists.resolveMention(id);
      else this.rebuild(kind, id);
    };
  }

  /**
   * Looks up whom and what tracklists name, by reading alone, so that it is at hand when the episode is written.
   * @param recordId the episode, whose statements are read; null for a new one
   */
  readTracks(id: number | null, statement: FeedRecordContent<'episode'> | null): void {
    const others = id === null ? [] : this.sources.statementsOf(id).map((row) => JSON.parse(row.content));
    for (const one of [...others, statement] as (FeedRecordContent<'episode'> | null)[])
      for (const track of one?.tracklist ?? []) creditsOf(this.context, track);
  }

  /** Whether an event is another catalogue's, known by its slug there: that one has told its shows apart already. */
  #hasCatalogueSlug(id: number, row: RecordRow | undefined): boolean {
    return this.sources.statementsOf(id).every(({ external_id }) => external_id === row?.slug);
  }

  /** What an event names changed: it may be another's show now, or not any more. */
  #prepareRegroup(id: number): () => void {
    const placement = this.matcher.events.prepareRegroup(id);
    return () => {
      const { record, changed } = placement();
      for (const one of new Set([...changed, ...(record === null ? [] : [record])]))
        this.rebuild('event', one);
    };
  }

  /** A venue known by name alone takes its city's name and zone; of several cities of one name, that which its shows say. */
  #adoptCity(id: number, venue: { city_id: number | null }): void {
    const { resolver } = this.context;
    const known = venue.city_id === null ? undefined : this.writer.row('city', venue.city_id);
    if (!known) return;
    const named = { city: known.name as string, country: known.country as string };
    const cityId = resolver.cities.cityOfVenue(id, named, {}) ?? (venue.city_id as number);
    const city = this.writer.row('city', cityId) as typeof known;
    const row = {
      city_id: cityId,
      city: city.name as string,
      country: city.country as string,
      timezone: city.timezone as string | null,
    };
    const differing = this.writer.save('venue', id, row, () => [], this.context.now);
    if (differing.has('city_id')) resolver.cities.venueMoved(id, cityId);
    if (differing.size > 0) this.context.lookup.markDependents('venue', id);
  }
}
