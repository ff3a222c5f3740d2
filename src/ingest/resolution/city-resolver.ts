/** Resolves city references by name, country and location hints. */
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

/** A city by name, as a source states it. */
export type CityReference = { city: string | null; country: string | null };

const cityKey = (folded: string, country: string): string => `city\0${country}\0${folded}`;
const unambiguousChoice = (id: number): CityChoice => ({ id, isStated: false, candidates: [] });
/** Marks a cached name and country that several cities share. */
const ambiguousCityId = -1;

export type CityResolverDeps = {
  writer: CatalogueWriter;
  sources: SourceRecords;
  lookup: RecordLookup;
  finder: NameLookup;
  /** Recently resolved cities and references within them; cleared when a name may mean another record. */
  cache: LRUCache<string, number>;
  /** Creates a city with only a name. */
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

  constructor({ writer, sources, lookup, finder, cache, createPlaceholder }: CityResolverDeps) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#finder = finder;
    this.#cache = cache;
    this.#createPlaceholder = createPlaceholder;
    this.disambiguator = new CityDisambiguator(writer, sources, lookup);
  }

  /**
   * The city of a name. Without a country, only an existing city with a unique name. If several share the name, the
   * hints in `where` decide.
   */
  find(name: string | null, country: string | null, where: LocationHints): number | null {
    return this.choose(name, country, where)?.id ?? null;
  }

  /** Like `find`, with the candidates and whether the hints identify the city. */
  choose(name: string | null, country: string | null, where: LocationHints): CityChoice | null {
    if (name === null || isPlaceholderVenue(name)) return null;
    const folded = fold(name);
    if (country === null) {
      const ids = this.#lookup.byName('city', folded).map(({ id }) => id);
      if (ids.length === 0) return null;
      if (ids.length === 1) return unambiguousChoice(ids[0] as number);
      const chosen = this.disambiguator.choose(ids, where);
      return chosen.isStated ? chosen : null;
    }
    const key = cityKey(folded, country);
    let id = this.#cache.get(key);
    if (id === undefined) {
      const ids = this.disambiguator.citiesNamed(folded, country);
      if (ids.length === 0 && this.#isRemoved(folded, country)) return null;
      id = ids.length > 1 ? ambiguousCityId : (ids[0] ?? this.#findOrCreate(name, country));
      this.#cache.set(key, id);
    }
    if (id !== ambiguousCityId) return unambiguousChoice(id);
    return this.disambiguator.choose(this.disambiguator.citiesNamed(folded, country), where);
  }

  /** The cities among those of one name that the hints do not contradict, best first. */
  rankCandidates(cities: NameMatch[], hints: LocationHints): NameMatch[] {
    const possible = cities.filter(({ id }) => !this.disambiguator.isOtherCity(id, hints));
    if (possible.length < 2) return possible;
    const own = possible.filter((one) => one.is_alias === 0);
    const ids = (own.length > 0 ? own : possible).map(({ id }) => id);
    const { id: first } = this.disambiguator.choose(ids, hints);
    return possible.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  }

  /** The city of an existing venue, from its source records, otherwise from its events. */
  cityOfVenue(venueId: number, { city, country }: CityReference, where: LocationHints): number | null {
    const choice = this.choose(city, country, where);
    if (choice === null || choice.isStated || choice.candidates.length === 0) return choice?.id ?? null;
    return this.disambiguator.cityOfVenue(venueId, choice.candidates);
  }

  /** Must be called when a city was created or its distinguishing columns changed. */
  cityChanged(city: number): void {
    const cities = this.disambiguator.sameNameCities(city);
    if (cities.length === 0) return;
    this.#cache.clear();
    this.disambiguator.markCitiesStale(cities);
  }

  /** Must be called when a venue moved to a city: events in cities of the same name may mean this venue. */
  venueMoved(venueId: number, city: number | null): void {
    const row = city === null ? undefined : this.#writer.row('city', city);
    if (row === undefined || city === null) return;
    const cached = this.#cache.get(cityKey(row.folded as string, row.country as string));
    // Usually the city is the only one of its name, and cached as such.
    const cities = cached === city ? [] : this.disambiguator.sameNameCities(city);
    if (cities.length === 0) return;
    this.#cache.clear();
    this.disambiguator.markVenueEventsStale(this.#writer.displayNameOf('venue', venueId).name, cities);
  }

  /** The existing city of a name; null if there is none. */
  findExisting(folded: string, country: string | null): number | null {
    const cities = this.disambiguator.citiesNamed(folded, country);
    if (cities.length > 1) return this.disambiguator.choose(cities, {}).id;
    return this.#finder.find('city', folded, (city) => city.country === country);
  }

  /** Whether a city of this name was removed and none has taken its place. */
  #isRemoved(folded: string, country: string): boolean {
    const { removed } = this.#lookup;
    const city = removed.byName('city', folded).find((one) => one.country === country);
    if (city === undefined || this.#lookup.byName('city', folded).some((one) => one.country === country))
      return false;
    removed.noteReference(city.id);
    return true;
  }

  #findOrCreate(name: string, country: string): number {
    return (
      this.#finder.find('city', fold(name), (city) => city.country === country) ??
      this.#findMerged(name, country) ??
      this.#inRegion(name, country) ??
      this.#createPlaceholder(name, { country, timezone: null })
    );
  }

  /** "Seattle, WA": the only city of this name in that region; not "Portland, ME" if Portland is in Oregon. */
  #inRegion(name: string, country: string): number | null {
    const cityName = cityWithoutRegion(name);
    const region = name.slice(cityName.length).replace(/^\s*,/, '');
    if (region.trim() === '') return null;
    const matches = this.#lookup.byName('city', fold(cityName)).filter(({ id }) => {
      const city = this.#writer.row('city', id);
      return city?.country === country && isRegionOrCountry(region, [city.region as string | null, country]);
    });
    return matches.length === 1 ? (matches[0] as NameMatch).id : null;
  }

  /** The city that another one of this name and country was merged into. */
  #findMerged(name: string, country: string): number | null {
    const folded = fold(name);
    const matches = this.#lookup
      .byName('city', folded)
      .filter(({ id }) => isNamedBySource(this.#lookup, this.#sources, id, { folded, place: country }));
    return matches.length === 1 ? (matches[0] as NameMatch).id : null;
  }
}
