/** Which city a line means by its name, its country, and what else it says of where it is. */
import type { LRUCache } from 'lru-cache';
import type { NameMatch, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { CatalogueWriter, RecordRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { isRegionOrCountry } from '../../text/region-names.ts';
import { cityWithoutRegion } from '../../text/tokens.ts';
import { type CityChoice, CityDisambiguator, type LocationHints } from './city-disambiguation.ts';
import type { NameLookup } from './name-lookup.ts';
import { isNamedBySource } from './source-names.ts';

/** A city by its name, as a line says it. */
export type CityReference = { city: string | null; country: string | null };

const cityKey = (folded: string, country: string): string => `city\0${country}\0${folded}`;
const unambiguousChoice = (id: number): CityChoice => ({ id, isStated: false, candidates: [] });
/** In place of a city's id, where its name and country alone do not say which is meant. */
const ambiguousCityId = -1;

export type CityResolverDeps = {
  writer: CatalogueWriter;
  sources: SourceRecords;
  lookup: RecordLookup;
  finder: NameLookup;
  /** What was found lately, of cities and of what lies in them; emptied when a name may mean another. */
  cache: LRUCache<string, number>;
  /** Puts a city on record under its name. */
  createPlaceholder(name: string, more: RecordRow): number;
};

export class CityResolver {
  readonly disambiguator: CityDisambiguator;
  readonly #writer: CatalogueWriter;
  readonly #sources: SourceRecords;
  readonly #lookup: RecordLookup;
  readonly #finder: NameLookup;
  readonly #cache: LRUCache<string, number>;
  readonly #createPlaceholder: CityResolverDeps['createPlaceholder'];

  constructor({ writer, sources, lookup, finder, cache, createPlaceholder: stub }: CityResolverDeps) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#finder = finder;
    this.#cache = cache;
    this.#createPlaceholder = stub;
    this.disambiguator = new CityDisambiguator(writer, sources, lookup);
  }

  /**
   * The city of a name; without a country only one that is already known and the only one of its name. Of several of one
   * name the one that `place` says.
   */
  find(name: string | null, country: string | null, where: LocationHints): number | null {
    return this.choose(name, country, where)?.id ?? null;
  }

  /** The same, and whether what is said tells it from others of its name. */
  choose(name: string | null, country: string | null, where: LocationHints): CityChoice | null {
    if (name === null || isPlaceholderVenue(name)) return null;
    const folded = fold(name);
    if (country === null) {
      const found = this.#lookup.byName('city', folded).map(({ id }) => id);
      if (found.length === 0) return null;
      if (found.length === 1) return unambiguousChoice(found[0] as number);
      const chosen = this.disambiguator.choose(found, where);
      return chosen.isStated ? chosen : null;
    }
    const key = cityKey(folded, country);
    let id = this.#cache.get(key);
    if (id === undefined) {
      const among = this.disambiguator.citiesNamed(folded, country);
      id = among.length > 1 ? ambiguousCityId : (among[0] ?? this.#findOrCreate(name, country));
      this.#cache.set(key, id);
    }
    if (id !== ambiguousCityId) return unambiguousChoice(id);
    return this.disambiguator.choose(this.disambiguator.citiesNamed(folded, country), where);
  }

  /** Those of some cities of one name that a source may mean by what it says of one, the likeliest first. */
  rankCandidates(cities: NameMatch[], hints: LocationHints): NameMatch[] {
    const left = cities.filter(({ id }) => !this.disambiguator.isOtherCity(id, hints));
    if (left.length < 2) return left;
    const own = left.filter((one) => one.is_alias === 0);
    const ids = (own.length > 0 ? own : left).map(({ id }) => id);
    const { id: first } = this.disambiguator.choose(ids, hints);
    return left.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  }

  /** The city in which a house is on record, by what is said of it; else by what is said of its shows. */
  cityOfVenue(venueId: number, { city, country }: CityReference, where: LocationHints): number | null {
    const town = this.choose(city, country, where);
    if (town === null || town.isStated || town.candidates.length === 0) return town?.id ?? null;
    return this.disambiguator.cityOfVenue(venueId, town.candidates);
  }

  /** A city was put on record, or what tells it from others of its name changed. */
  cityChanged(city: number): void {
    const among = this.disambiguator.sameNameCities(city);
    if (among.length === 0) return;
    this.#cache.clear();
    this.disambiguator.markCitiesStale(among);
  }

  /** A house came into a city, or into another one: shows in those of its name may be meant for it. */
  venueMoved(venueId: number, city: number | null): void {
    const row = city === null ? undefined : this.#writer.row('city', city);
    if (row === undefined || city === null) return;
    const known = this.#cache.get(cityKey(row.folded as string, row.country as string));
    // The ordinary city is the only one of its name, and known to be.
    const among = known === city ? [] : this.disambiguator.sameNameCities(city);
    if (among.length === 0) return;
    this.#cache.clear();
    this.disambiguator.markVenueEventsStale(this.#writer.displayNameOf('venue', venueId).name, among);
  }

  /** The city on record that a name means there; null where there is none. */
  findExisting(folded: string, country: string | null): number | null {
    const among = this.disambiguator.citiesNamed(folded, country);
    if (among.length > 1) return this.disambiguator.choose(among, {}).id;
    return this.#finder.find('city', folded, (city) => city.country === country);
  }

  #findOrCreate(name: string, country: string): number {
    return (
      this.#finder.find('city', fold(name), (city) => city.country === country) ??
      this.#findMerged(name, country) ??
      this.#inRegion(name, country) ??
      this.#createPlaceholder(name, { country, timezone: null })
    );
  }

  /** "Seattle, WA": the one city of this name whose region it is; not "Portland, ME" where Portland is in Oregon. */
  #inRegion(name: string, country: string): number | null {
    const town = cityWithoutRegion(name);
    const region = name.slice(town.length).replace(/^\s*,/, '');
    if (region.trim() === '') return null;
    const found = this.#lookup.byName('city', fold(town)).filter(({ id }) => {
      const city = this.#writer.row('city', id);
      return city?.country === country && isRegionOrCountry(region, [city.region as string | null, country]);
    });
    return found.length === 1 ? (found[0] as NameMatch).id : null;
  }

  /** A city that another one of this name and country went into. */
  #findMerged(name: string, country: string): number | null {
    const folded = fold(name);
    const found = this.#lookup
      .byName('city', folded)
      .filter(({ id }) => isNamedBySource(this.#lookup, this.#sources, id, { folded, place: country }));
    return found.length === 1 ? (found[0] as NameMatch).id : null;
  }
}
