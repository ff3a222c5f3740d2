/** Resolves references to venues: by the source's own id, by name within a city, or by a similar name. */
import type { LRUCache } from 'lru-cache';
import type { FeedVenueReference } from '../../contract/feed.ts';
import type { NameMatch, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { CatalogueWriter, RecordRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import type { CityChoice } from './city-disambiguation.ts';
import type { CityReference, CityResolver } from './city-resolver.ts';
import { type NamedReference, type SourceRun, sourceKey } from './references.ts';
import { isPlacedInCity } from './source-names.ts';

/** Finds venues by similar names. */
export type VenueIndex = {
  /** The venue in this city that best matches the name; null if none does. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null;
  index(record: number, names: readonly string[], where: CityReference): void;
};

type VenueResolverDeps = {
  writer: CatalogueWriter;
  sources: SourceRecords;
  lookup: RecordLookup;
  venueIndex: VenueIndex;
  cities: CityResolver;
  /** The resolved references; see `references.ts` for its keys. */
  cache: LRUCache<string, number>;
  /** Resolves a reference by its id or by a name that fits, and creates the record if needed. */
  resolve: (
    reference: NamedReference,
    sourceRun: SourceRun,
    place: string,
    fits: (candidate: NameMatch) => boolean,
    create: () => number,
  ) => number;
  /** Returns the removed record that had this id at the source before the source was removed. */
  blockedRecord: (externalId: string, sourceRun: SourceRun) => number | null;
  createPlaceholder: (name: string, more: RecordRow) => number;
};

export class VenueResolver {
  readonly #writer: CatalogueWriter;
  readonly #sources: SourceRecords;
  readonly #lookup: RecordLookup;
  readonly #venueIndex: VenueIndex;
  readonly #cities: CityResolver;
  readonly #cache: LRUCache<string, number>;
  readonly #resolve: VenueResolverDeps['resolve'];
  readonly #blockedRecord: VenueResolverDeps['blockedRecord'];
  readonly #createPlaceholder: VenueResolverDeps['createPlaceholder'];

  constructor(deps: VenueResolverDeps) {
    this.#writer = deps.writer;
    this.#sources = deps.sources;
    this.#lookup = deps.lookup;
    this.#venueIndex = deps.venueIndex;
    this.#cities = deps.cities;
    this.#cache = deps.cache;
    this.#resolve = deps.resolve;
    this.#blockedRecord = deps.blockedRecord;
    this.#createPlaceholder = deps.createPlaceholder;
  }

  /**
   * The venue of a reference, created if needed, also a removed one; null without a known place.
   * @param city the city of the venue, if it is known
   * @param countryCode the country that is stated
   */
  resolve(
    reference: FeedVenueReference,
    city: CityChoice | null,
    countryCode: string | null,
    sourceRun: SourceRun,
  ): number | null {
    const external = reference.external_id;
    if (external != null) {
      const key = sourceKey('venue', sourceRun.sourceId, external);
      const cached = this.#cache.get(key);
      if (cached !== undefined) return cached;
      const row = this.#sources.find({ source: sourceRun.sourceId, kind: 'venue', externalId: external });
      if (row) {
        this.#cache.set(key, row.record_id);
        return row.record_id;
      }
      const removedId = this.#blockedRecord(external, sourceRun);
      if (removedId !== null) return removedId;
    }
    if (city === null) return this.#unplacedVenue(reference, countryCode, sourceRun);
    return this.#resolve(
      reference,
      sourceRun,
      city.isStated ? `${city.id}!` : String(city.id),
      (venue) => venue.city_id === city.id,
      () => this.#findOrCreateVenue(reference, city, sourceRun),
    );
  }

  /** An existing venue with a similar name, otherwise a new one. */
  #findOrCreateVenue(
    reference: FeedVenueReference,
    { id: cityId, isStated, candidates: cityIds }: CityChoice,
    sourceRun: SourceRun,
  ): number {
    const city = this.#writer.row('city', cityId) as { name: string; country: string };
    const others = cityIds.filter((id) => id !== cityId);
    const isFree = (id: number) =>
      (reference.external_id == null || !this.#sources.hasRecord(sourceRun.sourceId, 'venue', id)) &&
      !(
        isStated &&
        others.includes(this.#writer.row('venue', id)?.city_id as number) &&
        !this.#cities.disambiguator.isMovable(id)
      );
    const existing =
      this.#findMergedVenue(reference.name, cityId, isFree) ??
      this.#venueIndex.find(reference.name, city.name, city.country, isFree) ??
      null;
    if (existing !== null) return existing;
    const id = this.#createPlaceholder(reference.name, { city_id: cityId });
    this.#venueIndex.index(id, [reference.name], { city: city.name, country: city.country });
    if (others.length > 0) this.#cities.disambiguator.markVenueEventsStale(reference.name, others);
    return id;
  }

  /** A venue of another city that a source also places in this one, or did before a merge. */
  #findMergedVenue(name: string, cityId: number, isFree: (id: number) => boolean): number | null {
    const folded = fold(name);
    const isCity = (cityName: string, country: string | null) =>
      this.#cities.findExisting(fold(cityName), country) === cityId;
    const matches = this.#lookup
      .byName('venue', folded)
      .filter(
        ({ id }) =>
          isFree(id) && isPlacedInCity(this.#lookup, this.#sources, id, { folded, city: cityId, isCity }),
      );
    return matches.length === 1 ? (matches[0] as NameMatch).id : null;
  }

  /**
   * Without a place, a reference means an existing venue with a unique name. With an id of the source, the venue is
   * created anyway, because its place may follow. A name alone creates no venue.
   */
  #unplacedVenue(reference: FeedVenueReference, country: string | null, sourceRun: SourceRun): number | null {
    const matches = this.#lookup
      .byName('venue', fold(reference.name))
      .filter((venue) => country === null || venue.country === country);
    const only = matches.length === 1 ? (matches[0] as NameMatch).id : null;
    if (reference.external_id == null) return only;
    return this.#resolve(
      reference,
      sourceRun,
      '',
      (venue) => venue.id === only,
      () => this.#createPlaceholder(reference.name, { country }),
    );
  }
}
