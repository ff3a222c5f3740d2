/** Resolves city references by name, country and location hints. */

import type { LRUCache } from 'lru-cache';
import type { FeedRecordContent } from '../../contract/feed.ts';
import type { Place, PlaceChoice, PlaceLookup } from '../../places/places.ts';
import { parseAliases } from '../../store/records/serialize.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import type { RowOf, SavedRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { isRegionOrCountry } from '../../text/region-names.ts';
import { cityWithoutRegion } from '../../text/tokens.ts';
import type { StoreContext } from '../store-context.ts';
import { type CityChoice, CityDisambiguator, type LocationHints } from './city-disambiguation.ts';
import { CityPlaces, locationOfPlace, namesOfPlace, usedName } from './city-places.ts';
import type { NameLookup } from './name-lookup.ts';
import { isNamedBySource } from './source-names.ts';

/** A city by name, as a source states it. */
export type CityReference = { city: string | null; country: string | null };

const cityKey = (folded: string, country: string): string => `city\0${country}\0${folded}`;
const unambiguousChoice = (id: number): CityChoice => ({ id, isStated: false, candidates: [] });
/** Marks a cached name and country that several cities share. */
const ambiguousCityId = -1;
/** Maximum number of names of a city known by name only. */
const maxNames = 20;

export type CityResolverDeps = {
  context: StoreContext;
  finder: NameLookup;
  /** Recently resolved cities and references within them; cleared when a name may mean another record. */
  cache: LRUCache<string, number>;
  /** Creates a city with only a name. */
  createPlaceholder(name: string, more: SavedRow): number;
  /** Adds columns to a city known by name only. */
  completePlaceholder(id: number, columns: SavedRow): unknown;
  /** Changes the names of a city known by name only. */
  rename(id: number, names: [name: string, ...aliases: string[]]): void;
  places: PlaceLookup;
};

/** Resolves and creates cities, and tells where a name may mean another city since a change. */
export class CityResolver {
  readonly disambiguator: CityDisambiguator;
  readonly places: CityPlaces;
  readonly #context: StoreContext;
  readonly #deps: CityResolverDeps;

  constructor(deps: CityResolverDeps) {
    this.#context = deps.context;
    this.#deps = deps;
    this.places = new CityPlaces(deps.context.lookup, deps.places);
    this.disambiguator = new CityDisambiguator(deps.context, this.places);
  }

  /**
   * The city of a name. Without a country, an existing city with a unique name, or a place that the hints identify or
   * that is by far the largest of its name. If several share the name, the hints in `where` decide.
   */
  find(name: string | null, country: string | null, where: LocationHints): number | null {
    return this.choose(name, country, where)?.id ?? null;
  }

  /** Like `find`, with the candidates and whether the hints identify the city. */
  choose(name: string | null, country: string | null, where: LocationHints): CityChoice | null {
    if (name === null || isPlaceholderVenue(name)) return null;
    const choice =
      country === null ? this.#chooseAnywhere(name, where) : this.#chooseIn(name, country, where);
    if (choice === null || !this.disambiguator.isOtherCity(choice.id, where)) return choice;
    return this.#namesake(name, country, where, choice) ?? choice;
  }

  #chooseAnywhere(name: string, where: LocationHints): CityChoice | null {
    const ids = this.#context.lookup.byName('city', fold(name)).map(({ id }) => id);
    const [only, ...others] = ids;
    if (only !== undefined && others.length === 0) return unambiguousChoice(only);
    if (ids.length > 1) {
      const choice = this.disambiguator.choose(ids, where);
      if (choice.isStated) return choice;
    }
    const placeChoice = this.places.find(name, null, where);
    const id =
      placeChoice === null
        ? null
        : ids.length > 0
          ? this.places.cityAt(placeChoice.place)
          : this.#atPlace(placeChoice, name);
    return id === null ? null : unambiguousChoice(id);
  }

  #chooseIn(name: string, country: string, where: LocationHints): CityChoice | null {
    const folded = fold(name);
    const key = cityKey(folded, country);
    let id = this.#deps.cache.get(key);
    if (id === undefined) {
      const ids = this.disambiguator.citiesNamed(folded, country);
      if (ids.length === 0 && this.#isRemoved(folded, country)) return null;
      const cityId = ids.length > 1 ? ambiguousCityId : (ids[0] ?? this.#findOrCreate(name, country, where));
      if (cityId === null) return null;
      id = cityId;
      if (id !== ambiguousCityId) this.#complete(id, name, where);
      this.#deps.cache.set(key, id);
    }
    if (id !== ambiguousCityId) return unambiguousChoice(id);
    return this.disambiguator.choose(this.disambiguator.citiesNamed(folded, country), where);
  }

  /** The place of this name that the hints state, if a city is too far from them or in another zone. */
  #namesake(
    name: string,
    country: string | null,
    where: LocationHints,
    { id, candidates }: CityChoice,
  ): CityChoice | null {
    const placeChoice = this.places.find(name, country, where);
    if (placeChoice === null || !placeChoice.isStated || this.places.cityAt(placeChoice.place) === id)
      return null;
    const other = this.#atPlace(placeChoice, name);
    if (other === null || other === id || this.disambiguator.isOtherCity(other, where)) return null;
    return { id: other, isStated: true, candidates: [...new Set([id, other, ...candidates])] };
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

  /**
   * The city that a source record with another name for it means: one known by name only that a source calls so, or the
   * one at its place, if the record has coordinates. Null if there is none.
   * @param isFree whether the source has no other record for the city
   */
  underOtherName(statement: FeedRecordContent<'city'>, isFree: (id: number) => boolean): number | null {
    const { name, country, latitude } = statement;
    const stub = this.#context.lookup
      .byName('city', fold(name))
      .find((one) => one.country === country && !this.#context.sources.isDescribed(one.id));
    if (stub !== undefined) return stub.id;
    const placeChoice = latitude == null ? null : this.places.find(name, country, statement);
    const city = placeChoice === null ? null : this.places.cityAt(placeChoice.place);
    return city !== null && isFree(city) ? city : null;
  }

  /** The city of an existing venue, from its source records, otherwise from its events. */
  cityOfVenue(venueId: number, { city, country }: CityReference, where: LocationHints): number | null {
    const choice = this.choose(city, country, where);
    if (choice === null || choice.isStated || choice.candidates.length === 0) return choice?.id ?? null;
    return this.disambiguator.cityOfVenue(venueId, choice.candidates);
  }

  /** Must be called when a city was created or its distinguishing columns changed. */
  cityChanged(city: number): void {
    const row = this.#context.writer.row('city', city);
    if (row !== undefined) this.places.cityChanged(city, row);
    const cities = this.disambiguator.sameNameCities(city);
    if (cities.length === 0) return;
    this.#deps.cache.clear();
    this.disambiguator.markCitiesStale(cities);
  }

  /** Must be called when a venue moved to a city: events in cities of the same name may mean this venue. */
  venueMoved(venueId: number, city: number | null): void {
    const row = city === null ? undefined : this.#context.writer.row('city', city);
    if (row === undefined || city === null) return;
    const cached = this.#deps.cache.get(cityKey(row.folded, row.country));
    // Usually the city is the only one of its name, and cached as such.
    const cities = cached === city ? [] : this.disambiguator.sameNameCities(city);
    if (cities.length === 0) return;
    this.#deps.cache.clear();
    this.disambiguator.markVenueEventsStale(
      this.#context.writer.displayNameOf('venue', venueId).name,
      cities,
    );
  }

  /** The existing city of a name; null if there is none. */
  findExisting(folded: string, country: string | null): number | null {
    const cities = this.disambiguator.citiesNamed(folded, country);
    if (cities.length > 1) return this.disambiguator.choose(cities, {}).id;
    return this.#deps.finder.find('city', folded, (city) => city.country === country);
  }

  /** Whether a city of this name was removed and none has taken its place. */
  #isRemoved(folded: string, country: string): boolean {
    const { removed } = this.#context.lookup;
    const city = removed.byName('city', folded).find((one) => one.country === country);
    if (
      city === undefined ||
      this.#context.lookup.byName('city', folded).some((one) => one.country === country)
    )
      return false;
    removed.noteReference(city.id);
    return true;
  }

  /** The city of a name that no city has as its own; null if it is removed. */
  #findOrCreate(name: string, country: string, where: LocationHints): number | null {
    const cityId =
      this.#deps.finder.find('city', fold(name), (city) => city.country === country) ??
      this.#findMerged(name, country) ??
      this.#inRegion(name, country);
    if (cityId !== null) return cityId;
    const placeChoice = this.places.find(name, country, where);
    if (placeChoice !== null) return this.#atPlace(placeChoice, name);
    return this.#create(name, { country, timezone: this.places.zoneAt(where) });
  }

  /** The city at a place, created if needed; null if it is removed. */
  #atPlace(placeChoice: PlaceChoice, statedName: string): number | null {
    const { place } = placeChoice;
    const nameInUse = usedName(placeChoice, statedName);
    const cityId = this.places.cityAt(place);
    if (cityId !== null) {
      this.#addName(cityId, place, nameInUse);
      return cityId;
    }
    if (this.#isRemoved(fold(place.name), place.country)) return null;
    const [name, ...aliases] = namesOfPlace(place, [nameInUse]);
    return this.#create(name, {
      country: place.country,
      ...locationOfPlace(place),
      aliases: JSON.stringify(aliases),
    });
  }

  /** Adds a name that a source uses for a city known by name only. */
  #addName(id: number, place: Place, name: string): void {
    const row = this.#context.writer.row('city', id) as RowOf<'city'>;
    const names = [row.name, ...parseAliases(row.aliases)];
    if (names.includes(name) || this.#context.sources.isDescribed(id)) return;
    const all = namesOfPlace(place, [...names, name]);
    if (all.length > maxNames || all.join('\0') === names.join('\0')) return;
    this.#deps.rename(id, all);
    if (all[0] === row.name) return;
    this.#deps.cache.clear();
    this.#context.lookup.markDependents('city', id);
    this.cityChanged(id);
  }

  #create(name: string, columns: SavedRow): number {
    const id = this.#deps.createPlaceholder(name, columns);
    this.cityChanged(id);
    return id;
  }

  /** Adds what is known of its place to a city known by name only. */
  #complete(id: number, name: string, where: LocationHints): void {
    const row = this.#context.writer.row('city', id) as RowOf<'city'>;
    if (row.timezone !== null || row.latitude !== null || this.#context.sources.isDescribed(id)) return;
    const placeChoice = this.places.find(name, row.country, where);
    if (placeChoice === null) return;
    this.#deps.completePlaceholder(id, locationOfPlace(placeChoice.place));
    this.#context.lookup.markDependents('city', id);
    this.cityChanged(id);
  }

  /** "Seattle, WA": the only city of this name in that region; not "Portland, ME" if Portland is in Oregon. */
  #inRegion(name: string, country: string): number | null {
    const cityName = cityWithoutRegion(name);
    const region = name.slice(cityName.length).replace(/^\s*,/, '');
    if (region.trim() === '') return null;
    const matches = this.#context.lookup.byName('city', fold(cityName)).filter(({ id }) => {
      const city = this.#context.writer.row('city', id);
      return city?.country === country && isRegionOrCountry(region, [city.region, country]);
    });
    return matches.length === 1 ? (matches[0] as NameMatch).id : null;
  }

  /** The city that another one of this name and country was merged into. */
  #findMerged(name: string, country: string): number | null {
    const folded = fold(name);
    const matches = this.#context.lookup
      .byName('city', folded)
      .filter(({ id }) => isNamedBySource(this.#context, id, { folded, place: country }));
    return matches.length === 1 ? (matches[0] as NameMatch).id : null;
  }
}
