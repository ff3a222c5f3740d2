/** Resolves references to venues: by the source's own id, by name within a city, or by a similar name. */
import type { LRUCache } from 'lru-cache';
import type { FeedVenueReference } from '../../contract/feed.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import type { RowOf, SavedRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import type { StoreContext } from '../store-context.ts';
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
  context: StoreContext;
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
  createPlaceholder: (name: string, more: SavedRow) => number;
};

/** Resolves venues of references and creates those that are unknown. */
export class VenueResolver {
  readonly #context: StoreContext;
  readonly #deps: VenueResolverDeps;

  constructor(deps: VenueResolverDeps) {
    this.#context = deps.context;
    this.#deps = deps;
  }

  /**
   * Returns the id of the venue of a reference. Creates the venue if needed. The venue may be a removed record. Returns
   * null if the place is not known.
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
      const cached = this.#deps.cache.get(key);
      if (cached !== undefined) return cached;
      const row = this.#context.sources.find({
        source: sourceRun.sourceId,
        kind: 'venue',
        externalId: external,
      });
      if (row) {
        this.#deps.cache.set(key, row.record_id);
        return row.record_id;
      }
      const removedId = this.#deps.blockedRecord(external, sourceRun);
      if (removedId !== null) return removedId;
    }
    if (city === null) return this.#unplacedVenue(reference, countryCode, sourceRun);
    return this.#deps.resolve(
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
    const city = this.#context.writer.row('city', cityId) as RowOf<'city'>;
    const others = cityIds.filter((id) => id !== cityId);
    const isFree = (id: number) =>
      (reference.external_id == null || !this.#context.sources.hasRecord(sourceRun.sourceId, 'venue', id)) &&
      !(
        isStated &&
        others.includes(this.#context.writer.row('venue', id)?.city_id ?? -1) &&
        !this.#deps.cities.disambiguator.isMovable(id)
      );
    const existingId =
      this.#findMergedVenue(reference.name, cityId, isFree) ??
      this.#deps.venueIndex.find(reference.name, city.name, city.country, isFree) ??
      null;
    if (existingId !== null) return existingId;
    const id = this.#deps.createPlaceholder(reference.name, { city_id: cityId });
    this.#deps.venueIndex.index(id, [reference.name], { city: city.name, country: city.country });
    if (others.length > 0) this.#deps.cities.disambiguator.markVenueEventsStale(reference.name, others);
    return id;
  }

  /** A venue of another city that a source also places in this one, or did before a merge. */
  #findMergedVenue(name: string, cityId: number, isFree: (id: number) => boolean): number | null {
    const folded = fold(name);
    const isCity = (cityName: string, country: string | null) =>
      this.#deps.cities.findExisting(fold(cityName), country) === cityId;
    const matches = this.#context.lookup
      .byName('venue', folded)
      .filter(({ id }) => isFree(id) && isPlacedInCity(this.#context, id, { folded, city: cityId, isCity }));
    return matches.length === 1 ? (matches[0] as NameMatch).id : null;
  }

  /**
   * Without a place, a reference means an existing venue with a unique name. With an id of the source, the venue is
   * created anyway, because its place may follow. A name alone creates no venue.
   */
  #unplacedVenue(reference: FeedVenueReference, country: string | null, sourceRun: SourceRun): number | null {
    const matches = this.#context.lookup
      .byName('venue', fold(reference.name))
      .filter((venue) => country === null || venue.country === country);
    const only = matches.length === 1 ? (matches[0] as NameMatch).id : null;
    if (reference.external_id == null) return only;
    return this.#deps.resolve(
      reference,
      sourceRun,
      '',
      (venue) => venue.id === only,
      () => this.#deps.createPlaceholder(reference.name, { country }),
    );
  }
}
