/**
 * Resolves references in feeds (docs/spec/feed-format.md): by the source's own id if given, otherwise by folded name,
 * alias and place. Unknown names become placeholder records, so that nothing is lost.
 */
import type { FeedKind, FeedVenueReference } from '../../contract/feed.ts';
import { worldPlaces } from '../../places/places.ts';
import { createLruCache } from '../../store/lru-cache.ts';
import { RecordFinder } from '../../store/records/record-finder.ts';
import type { InheritedName, NameMatch } from '../../store/resolution/record-lookup.ts';
import type { SavedRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import {
  type CreationContext,
  type NameOnlyKind,
  PlaceholderRecords,
} from '../records/placeholder-records.ts';
import { defaultEditionRow, editionSlug } from '../records/row-defaults.ts';
import type { StoreContext } from '../store-context.ts';
import type { CityChoice, LocationHints } from './city-disambiguation.ts';
import { type CityReference, CityResolver } from './city-resolver.ts';
import type { NameLookup } from './name-lookup.ts';
import { cacheKey, chosenRecord, type NamedReference, type SourceRun } from './references.ts';
import { type VenueIndex, VenueResolver } from './venue-resolver.ts';

export type { NamedReference, SourceRun } from './references.ts';
export type { VenueIndex } from './venue-resolver.ts';

/** Maximum number of names per credit. */
const maxCredited = 20;

/** Marks line-ups for rebuilding when more is known about artists (`joint-artists.ts`). */
export type JointArtistIndex = {
  index(record: number, parts: readonly string[]): void;
  onArtistsAdded(names: readonly string[]): void;
  onJointArtistAdded(name: string): void;
  onNamesAdded(record: number, name: string, aliases: readonly string[]): void;
};

/** The indexes that resolve names; none of them needs the resolver. */
export type ReferenceIndexes = {
  finder: NameLookup;
  venueIndex: VenueIndex;
  jointArtistIndex: JointArtistIndex;
  /** Indexes a label or festival for similar names. */
  indexName(kind: 'label' | 'festival', record: number, name: string): void;
};

/** Resolves references of one session. Methods that may create or bind records must be called within a batch. */
export class ReferenceResolver {
  readonly #context: StoreContext;
  readonly #creation: CreationContext;
  readonly indexes: ReferenceIndexes;
  readonly #placeholders: PlaceholderRecords;
  readonly #records: RecordFinder;
  readonly #cache = createLruCache<string, number>(100_000);
  readonly cities: CityResolver;
  readonly #venues: VenueResolver;
  /** Whether the external ids of the current record are slugs of another catalogue. */
  externalIdsAreSlugs = false;

  constructor(context: StoreContext, creation: CreationContext, indexes: ReferenceIndexes) {
    const { writer } = context;
    this.#context = context;
    this.#creation = creation;
    this.indexes = indexes;
    this.#records = new RecordFinder(writer.sqlite, { findsRemoved: true });
    this.#placeholders = new PlaceholderRecords(context, creation);
    this.cities = new CityResolver({
      context,
      finder: indexes.finder,
      cache: this.#cache,
      createPlaceholder: (name, more) => this.#createPlaceholder('city', name, more),
      completePlaceholder: (id, columns) => writer.save('city', id, columns, () => [], creation.now),
      rename: (id, [name, ...aliases]) => this.#placeholders.renameCity(id, name, aliases),
      places: worldPlaces,
    });
    this.#venues = new VenueResolver({
      context,
      venueIndex: indexes.venueIndex,
      cities: this.cities,
      cache: this.#cache,
      resolve: (...reference) => this.#resolve('venue', ...reference),
      blockedRecord: (externalId, sourceRun) => this.#blockedRecord('venue', externalId, sourceRun),
      createPlaceholder: (name, more) => this.#createPlaceholder('venue', name, more),
    });
  }

  /** Clears the cache after names changed or a batch was rolled back. */
  clearCache(): void {
    this.#cache.clear();
    this.cities.places.clearCache();
  }

  /** The artist of a reference, created if needed; null if it is removed. The other kinds below do the same. */
  artist(reference: NamedReference, sourceRun: SourceRun): number | null {
    const publicId = chosenRecord(reference.external_id);
    if (publicId !== null) {
      const record = this.#records.byPublicId(publicId);
      if (record?.kind === 'artist') return this.#unlessRemoved(record.id);
      // It was deleted for good: its name is what is left of it.
      return this.artist({ name: reference.name }, sourceRun);
    }
    return this.#unlessRemoved(this.#resolveName('artist', reference, sourceRun));
  }

  /** The record, unless it is removed; then the record that is being rebuilt is noted as one that names it. */
  #unlessRemoved(id: number): number | null {
    const { removed } = this.#context.lookup;
    if (!removed.has(id)) return id;
    removed.noteReference(id);
    return null;
  }

  /**
   * The artist of a reference, also a removed one, found by reading only and cached; null if `artist` would create one
   * or bind the source's id.
   */
  findArtist(reference: NamedReference, sourceRun: SourceRun): number | null {
    const key = cacheKey('artist', reference, sourceRun, '');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const external = reference.external_id ?? null;
    const id =
      external === null
        ? this.indexes.finder.find('artist', fold(reference.name), () => true)
        : this.#context.sources.find({ source: sourceRun.sourceId, kind: 'artist', externalId: external })
            ?.record_id;
    if (id == null) return null;
    this.#cache.set(key, id);
    return id;
  }

  /** Looks up the artists of a long list at once, by reading only. */
  prefetchArtists(names: readonly string[]): void {
    this.indexes.finder.prefetchArtists(names);
  }

  /** Whether a source lists an artist of this name or has an id for it, rather than only mentioning it. */
  isArtist(name: string): boolean {
    return this.indexes.finder.isArtist(name);
  }

  /** The parts of "A & B" if they exist and the whole does not; otherwise the name itself. */
  splitJointName(name: string): readonly string[] {
    return this.indexes.finder.splitJointName(name);
  }

  /** The label of a reference, created if needed; null if it is removed. */
  label(reference: NamedReference, sourceRun: SourceRun): number | null {
    return this.#unlessRemoved(this.#resolveName('label', reference, sourceRun));
  }

  /** The podcast of a reference, also a removed one. */
  podcast(reference: NamedReference, sourceRun: SourceRun): number {
    return this.#resolveName('podcast', reference, sourceRun);
  }

  /** The festival of a reference, also a removed one. */
  festival(reference: NamedReference, sourceRun: SourceRun): number {
    return this.#resolveName('festival', reference, sourceRun);
  }

  /** The genre of a name, created if needed; null if it is removed. */
  genre(name: string, sourceRun: SourceRun): number | null {
    const removedId = this.#context.lookup.removed.byName('genre', fold(name))[0]?.id;
    const isNew = removedId !== undefined && this.#context.lookup.byName('genre', fold(name)).length === 0;
    if (isNew) return this.#unlessRemoved(removedId);
    return this.#unlessRemoved(this.#resolveName('genre', { name }, sourceRun));
  }

  /**
   * The venue of a reference, also a removed one (`isRemoved`); null for a placeholder such as "TBA" and for a venue
   * without a known place.
   * @param place the city stated beside the reference, used if the reference has none, and location hints
   */
  venue(
    reference: FeedVenueReference,
    place: CityReference & { where: LocationHints },
    sourceRun: SourceRun,
  ): number | null {
    if (isPlaceholderVenue(reference.name)) return null;
    const cityName = reference.city ?? place.city;
    const countryCode = reference.country ?? place.country;
    const city: CityChoice | null = this.cities.choose(cityName, countryCode, place.where);
    const venueId = this.#venues.resolve(reference, city, countryCode, sourceRun);
    // It was placed in the largest of several cities without evidence, so it is rebuilt.
    if (
      venueId !== null &&
      !this.#context.lookup.removed.has(venueId) &&
      city?.isStated &&
      this.#isInOtherCity(venueId, city.id) &&
      this.cities.disambiguator.hasUnstatedCity(venueId)
    )
      this.#context.writer.markStale(venueId);
    return venueId;
  }

  /** Whether a record is removed; then the record that is being rebuilt is noted as one that names it. */
  isRemoved(id: number): boolean {
    return this.#unlessRemoved(id) === null;
  }

  #isInOtherCity(venueId: number, city: number): boolean {
    return this.#context.writer.row('venue', venueId)?.city_id !== city;
  }

  /** The existing artists of a credit: the whole name, otherwise its parts ("A & B", "A feat. B"). */
  creditedArtists(credit: string): number[] {
    const find = (name: string) => this.indexes.finder.artistByName(name);
    const wholeCredit = find(credit);
    if (wholeCredit !== null) return [wholeCredit];
    const parts = credit.split(/\s*(?:,|&|\+|\/|;|\bfeat\.?|\bft\.?|\bvs\.?|\bwith\b|\bb2b\b|\band\b)\s*/i);
    if (parts.length === 1) return [];
    const artists = parts.filter(Boolean).slice(0, maxCredited).map(find);
    return [...new Set(artists.filter((id) => id !== null))];
  }

  /** The given records without removed ones. */
  shown(ids: readonly number[]): number[] {
    return ids.filter((id) => !this.isRemoved(id));
  }

  /** The edition of a festival, created if needed; null if the edition or the festival is removed. */
  edition(festivalId: number, edition: string): number | null {
    const existingId = this.#context.lookup.edition(festivalId, edition);
    if (this.#unlessRemoved(festivalId) === null) return null;
    if (existingId !== null) return this.#unlessRemoved(existingId);
    const festival = this.#context.writer.row('festival', festivalId) as { name: string; slug: string };
    const id = this.#context.writer.newRecord('edition');
    this.#creation.onCreated('edition', id);
    this.#context.writer.save(
      'edition',
      id,
      defaultEditionRow(festivalId, edition, `${festival.name} ${edition}`),
      () => [editionSlug(festival.slug, edition)],
      this.#creation.now,
    );
    return id;
  }

  /** The record of a kind whose names need no place, created if needed, also a removed one. */
  #resolveName(
    kind: Exclude<NameOnlyKind, 'city' | 'venue'>,
    reference: NamedReference,
    sourceRun: SourceRun,
  ): number {
    // A line-up has thousands of names that are known: no functions are created for them.
    const cached = this.#cache.get(cacheKey(kind, reference, sourceRun, ''));
    if (cached !== undefined) return cached;
    const create = () => this.#createPlaceholder(kind, reference.name, {});
    return this.#resolve(kind, reference, sourceRun, '', () => true, create);
  }

  #resolve(
    kind: FeedKind,
    reference: NamedReference,
    sourceRun: SourceRun,
    place: string,
    fits: (candidate: NameMatch) => boolean,
    create: () => number,
  ): number {
    const external = reference.external_id ?? null;
    const key = cacheKey(kind, reference, sourceRun, place);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const folded = fold(reference.name);
    const id =
      external === null
        ? (this.indexes.finder.find(kind, folded, fits) ?? create())
        : this.#resolveBound(kind, external, reference.name, sourceRun, fits, create);
    this.#cache.set(key, id);
    return id;
  }

  /** Binds the source's id to the record that its name finds, unless the source has another id for it. */
  #resolveBound(
    kind: FeedKind,
    externalId: string,
    name: string,
    sourceRun: SourceRun,
    fits: (candidate: NameMatch) => boolean,
    create: () => number,
  ): number {
    const key = { source: sourceRun.sourceId, kind, externalId };
    const row = this.#context.sources.find(key);
    if (row) return row.record_id;
    const id =
      this.#blockedRecord(kind, externalId, sourceRun) ??
      this.indexes.finder.find(
        kind,
        fold(name),
        (candidate) =>
          fits(candidate) && !this.#context.sources.hasRecord(sourceRun.sourceId, kind, candidate.id),
      ) ??
      this.#create(externalId, create);
    this.#context.sources.bind(key, id, null, this.#creation.now, sourceRun.run);
    if (kind === 'artist') this.indexes.jointArtistIndex.onJointArtistAdded(name);
    return id;
  }

  /** The removed record that had this id at the source before the source was removed. */
  #blockedRecord(kind: FeedKind, externalId: string, { sourceId }: SourceRun): number | null {
    const source = this.#context.sources.nameOf(sourceId);
    return source === null ? null : this.#context.lookup.removed.blockedRecord(kind, source, externalId);
  }

  #create(externalId: string, create: () => number): number {
    if (this.externalIdsAreSlugs) this.#context.writer.requestSlug(externalId);
    return create();
  }

  /** Recreates a merged record that was known by name only, with its former slug. */
  recreate(kind: NameOnlyKind, { name, place, slug }: InheritedName): number {
    this.#context.writer.requestSlug(slug, true);
    const id = this.#createPlaceholder(kind, name, this.#placeholders.locationColumns(kind, place));
    if (kind === 'venue')
      this.indexes.venueIndex.index(id, [name], this.#context.writer.row(kind, id) as CityReference);
    return id;
  }

  /** Reduces a record without source records to this name. */
  reduceToName(kind: NameOnlyKind, id: number, name: InheritedName): void {
    this.#placeholders.reduceToName(kind, id, name);
  }

  #createPlaceholder(kind: NameOnlyKind, name: string, more: SavedRow): number {
    const id = this.#placeholders.create(kind, name, more);
    if (kind === 'artist') this.indexes.jointArtistIndex.onArtistsAdded([name]);
    if (kind === 'label' || kind === 'festival') this.indexes.indexName(kind, id, name);
    return id;
  }
}
