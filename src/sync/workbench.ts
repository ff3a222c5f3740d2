/**
 * What it takes to write the catalogue: the tools, made once for a connection, and working out records from what is said
 * of them. Imports use it, and so does whoever corrects what they decided.
 */
import type Database from 'better-sqlite3';
import type { FeedKind, Statement } from '../contract/feed.ts';
import { Lookup } from '../store/lookup.ts';
import { MatchStore } from '../store/matching.ts';
import { MergeStore } from '../store/merging.ts';
import { type Names, openNames } from '../store/names.ts';
import { type SaidRow, Sources } from '../store/sources.ts';
import { type RowOf, Writer } from '../store/writer.ts';
import { Matching } from './match/matching.ts';
import { inOrderOfTrust, type Said } from './merge.ts';
import { rebuildArtist, rebuildLabel } from './records/artists.ts';
import type { Context, Listing } from './records/context.ts';
import { rebuildEvent } from './records/events.ts';
import { rebuildCity, rebuildGenre, rebuildVenue } from './records/places.ts';
import { creditsOf, rebuildEpisode, rebuildPodcast } from './records/podcasts.ts';
import { rebuildEdition, rebuildFestival } from './records/shows.ts';
import { Resolver } from './resolver.ts';
import type { Making } from './stubs.ts';

const rebuilders: {
  [K in FeedKind]: (
    context: Context,
    id: number,
    said: Said<K>[],
    listings: Listing[],
    gone: Said<K>[],
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
export type Stated = Omit<SaidRow, 'statement'> & { statement: Statement<FeedKind> };

const saidBy = (row: Stated): Said<FeedKind> => ({
  sourceId: row.source_id,
  sourceName: row.source_name,
  trust: row.trust,
  clock: row.clock as 'instant' | 'local',
  externalId: row.external_id,
  statedTs: row.stated_ts,
  withdrawnTs: row.withdrawn_ts,
  statement: row.statement,
});

export class Workbench {
  readonly context: Context;
  readonly sources: Sources;
  readonly writer: Writer;
  readonly names: Names;
  readonly matching: Matching;
  /** Another number whenever what was read before may be wrong. */
  epoch = 0;
  /** To be called now and then by what only reads for long: may end the transaction under way, and so let others write. */
  ease: () => void = () => {};

  constructor(sqlite: Database.Database, making: Making) {
    this.writer = new Writer(sqlite);
    this.sources = new Sources(sqlite);
    this.names = openNames(sqlite);
    this.names.hold();
    const lookup = new Lookup(sqlite);
    this.names.onChange = (kind) => lookup.forgetNames(kind);
    const resolver = new Resolver(this.writer, this.names, this.sources, lookup, making);
    this.context = { writer: this.writer, names: this.names, lookup, resolver, now: making.now, run: 0 };
    this.matching = new Matching(this, new MatchStore(sqlite), new MergeStore(sqlite));
  }

  /** Begins a batch; what another writer changed since the last one is not believed any more. */
  begin(): void {
    if (this.writer.begin()) this.#forget();
  }

  /** Writes what waits in memory, within the batch. */
  settle(): void {
    this.names.flush();
    this.writer.settle();
  }

  commit(): void {
    this.settle();
    this.matching.store.makeRoom();
    this.writer.commit();
  }

  rollback(): void {
    this.writer.rollback();
    this.names.forget();
    this.#forget();
  }

  /** A savepoint was undone: what was noted since it was set, and not settled, did not happen. */
  undoLine(): void {
    this.writer.undoLine();
    this.names.forget();
    this.#forget();
  }

  #forget(): void {
    this.epoch++;
    this.context.resolver.forget();
    this.context.lookup.forgetGenres();
    this.context.lookup.forgetNames(null);
    this.matching.forget();
  }

  /** Works a record out again from all that is said of it; known by name alone, it stays as it is. */
  rebuild(kind: FeedKind, id: number): void {
    this.build(
      kind,
      id,
      this.sources.said(id).map((row) => ({ ...row, statement: JSON.parse(row.statement) as never })),
    );
  }

  /** Works a record out from these statements: all there are of it. */
  build(kind: FeedKind, id: number, rows: Stated[]): void {
    const listed = rows.some((row) => row.withdrawn_ts === null)
      ? rows.filter((row) => row.withdrawn_ts === null)
      : rows;
    if (listed.length === 0) return;
    // Listings are read with what is known of places and people.
    if (kind !== 'event') this.matching.forget();
    const gone = rows.length === listed.length ? [] : rows.filter((row) => !listed.includes(row));
    const listings = listed.map(({ source_name, external_id, statement }) => ({
      name: source_name,
      external_id,
      url: (statement as { url?: string | null }).url ?? null,
    }));
    const said = inOrderOfTrust(listed.map(saidBy));
    rebuilders[kind](this.context, id, said as never, listings, gone.map(saidBy) as never);
  }

  /**
   * Works out a record that something it is shown with changed. Only reads; what it returns writes, within a batch and
   * before anything else is written.
   */
  refreshing(id: number): () => void {
    this.writer.beginLine();
    const { lookup } = this.context;
    const kind = lookup.kindOf(id) as FeedKind;
    const before = this.writer.row(kind, id);
    const said = this.sources.said(id).length;
    // Merged into another meanwhile: nothing of it is left to be worked out.
    if (before === undefined && said === 0) return () => {};
    if (kind === 'event' && !this.#isTold(id, before)) return this.#resettling(id);
    if (kind === 'episode') this.readTracks(id, null);
    return () => {
      this.matching.refile(kind, id);
      if (kind === 'venue' && said === 0) this.#followCity(id, before as never);
      else if (kind === 'artist' && said === 0) this.matching.wholes.refresh(id);
      else this.rebuild(kind, id);
    };
  }

  /**
   * Looks up whom and what tracklists name, by reading alone, so that it is at hand when the episode is written.
   * @param id the episode, whose statements are read; null for a new one
   */
  readTracks(id: number | null, statement: Statement<'episode'> | null): void {
    const others = id === null ? [] : this.sources.said(id).map((row) => JSON.parse(row.statement));
    for (const one of [...others, statement] as (Statement<'episode'> | null)[])
      for (const track of one?.tracklist ?? []) creditsOf(this.context, track);
  }

  /** Whether an event is another catalogue's, known by its slug there: that one has told its shows apart already. */
  #isTold(id: number, row: RowOf | undefined): boolean {
    return this.sources.said(id).every(({ external_id }) => external_id === row?.slug);
  }

  /** What an event names changed: it may be another's show now, or not any more. */
  #resettling(id: number): () => void {
    const placement = this.matching.events.resettling(id);
    return () => {
      const { record, changed } = placement();
      for (const one of new Set([...changed, ...(record === null ? [] : [record])]))
        this.rebuild('event', one);
    };
  }

  /** A venue known by name alone takes its city's name and zone; of several cities of one name, that which its shows say. */
  #followCity(id: number, venue: { city_id: number | null }): void {
    const { resolver } = this.context;
    const known = venue.city_id === null ? undefined : this.writer.row('city', venue.city_id);
    if (!known) return;
    const named = { city: known.name as string, country: known.country as string };
    const cityId = resolver.cities.ofHouse(id, named, {}) ?? (venue.city_id as number);
    const city = this.writer.row('city', cityId) as typeof known;
    const row = {
      city_id: cityId,
      city: city.name as string,
      country: city.country as string,
      timezone: city.timezone as string | null,
    };
    const differing = this.writer.save('venue', id, row, () => [], this.context.now);
    if (differing.has('city_id')) resolver.cities.houseMoved(id, cityId);
    if (differing.size > 0) this.context.lookup.markDependents('venue', id);
  }
}
