/**
 * Connects the cities of the catalogue with the places of the world: names that mean one place mean one city, and a city
 * known by name only gets what is known of its place.
 */
import { getOrCreate } from '../../memoize.ts';
import type { Place, PlaceChoice, PlaceHints, PlaceLookup } from '../../places/places.ts';
import { createLruCache } from '../../store/lru-cache.ts';
import type { LocatedCity, RecordLookup } from '../../store/resolution/record-lookup.ts';
import { fold } from '../../text/fold.ts';

type CityLocation = Omit<LocatedCity, 'id'>;

/** Longer names are not stored. */
const maxNameLength = 60;

/** Looks up places of the world and the cities of the catalogue at them. Only reads. */
export class CityPlaces {
  readonly #lookup: RecordLookup;
  readonly #places: PlaceLookup;
  /** Cities by place, for each country that was asked for. */
  readonly #cities = new Map<string, Map<number, number>>();
  /** Places by country and name, without hints. */
  readonly #named = createLruCache<string, { place: Place | null }>(10_000);
  /** Places by what is stored of cities. Hundreds of cities of one name are compared with each new one. */
  readonly #stored = createLruCache<string, { place: Place | null }>(10_000);

  constructor(lookup: RecordLookup, places: PlaceLookup) {
    this.#lookup = lookup;
    this.#places = places;
  }

  /** Clears what depends on the catalogue. */
  clearCache(): void {
    this.#cities.clear();
  }

  /** The place of a name; null if there is none, or several and no hint decides without a country. */
  find(name: string, country: string | null, hints: PlaceHints): PlaceChoice | null {
    return this.#places.find(name, country, hints);
  }

  /** The city of the catalogue that is this place; null if there is none. */
  cityAt(place: Place): number | null {
    const city = this.#citiesIn(place.country).get(place.rank) ?? null;
    if (city === null || this.#lookup.hasCity(city)) return city;
    // It was removed or merged since.
    this.#cities.delete(place.country);
    return this.#citiesIn(place.country).get(place.rank) ?? null;
  }

  /** The city of the catalogue that a name in a country means as a place, without hints; null if there is none. */
  cityNamed(name: string, country: string): number | null {
    const key = `${country}\0${name}`;
    const cached = getOrCreate(this.#named, key, () => ({
      place: this.find(name, country, {})?.place ?? null,
    }));
    return cached.place === null ? null : this.cityAt(cached.place);
  }

  /** Must be called when a city was created or its name, country or position changed. */
  cityChanged(id: number, row: CityLocation): void {
    const cities = this.#cities.get(row.country);
    if (cities === undefined) return;
    for (const [rank, city] of cities) if (city === id) cities.delete(rank);
    const rank = this.#placeOf(row)?.rank;
    if (rank !== undefined && !cities.has(rank)) cities.set(rank, id);
  }

  /** The inhabitants of a city by its row, otherwise of its place; null if unknown. */
  populationOf(row: CityLocation): number | null {
    return row.population ?? this.#placeOf(row)?.population ?? null;
  }

  /** What a source left out of the location of a city, from its place; {} if nothing is missing or the place is unknown. */
  missingColumns(row: CityLocation): Partial<CityLocation> {
    if (row.latitude !== null && row.longitude !== null && row.timezone !== null) return {};
    const place = this.#placeOf(row);
    if (place === null) return {};
    const { latitude, longitude } = row.latitude === null || row.longitude === null ? place : row;
    return {
      latitude,
      longitude,
      region: row.region ?? place.region,
      timezone: row.timezone ?? place.timezone,
      population: row.population ?? place.population,
    };
  }

  /** The time zone at the position of the hints; null if it is unknown. */
  zoneAt({ latitude, longitude }: PlaceHints): string | null {
    return latitude == null || longitude == null ? null : this.#places.zoneAt(latitude, longitude);
  }

  #citiesIn(country: string): Map<number, number> {
    return getOrCreate(this.#cities, country, () => {
      const cities = new Map<number, number>();
      for (const row of this.#lookup.citiesOfCountry(country)) {
        const rank = this.#placeOf(row)?.rank;
        if (rank !== undefined && !cities.has(rank)) cities.set(rank, row.id);
      }
      return cities;
    });
  }

  #placeOf({ name, country, region, latitude, longitude, timezone }: CityLocation): Place | null {
    const key = JSON.stringify([name, country, region, latitude, longitude, timezone]);
    return getOrCreate(this.#stored, key, () => ({
      place: this.find(name, country, { region, latitude, longitude, timezone })?.place ?? null,
    })).place;
  }
}

/** The names of a city that is known by name only, from those that sources use; the first is the one to show. */
export function namesOfPlace(
  place: Place,
  usedNames: readonly string[],
): [name: string, ...aliases: string[]] {
  const names = [...new Set(usedNames.filter((name) => name.length <= maxNameLength))];
  // Independent of the order of sources: GeoNames' own name, then "München" before "Muenchen".
  const foreignLetters = (name: string) => name.replace(/[\x20-\x7e]+/g, '').length;
  names.sort(
    (a, b) =>
      Number(fold(b) === fold(place.name)) - Number(fold(a) === fold(place.name)) ||
      foreignLetters(b) - foreignLetters(a) ||
      a.length - b.length ||
      (a < b ? -1 : 1),
  );
  const [first = place.name, ...others] = names;
  const foldedNames = new Set([fold(first)]);
  return [
    first,
    ...[place.name, ...others].filter((name) => !foldedNames.has(fold(name)) && foldedNames.add(fold(name))),
  ];
}

/** The name that a source uses, unless it is a code or not quite the place's. */
export const usedName = ({ place, isListedName }: PlaceChoice, statedName: string): string =>
  isListedName && !/^[A-Z]{2,4}$/.test(statedName) ? statedName : place.name;

/** The columns that say where a place is. */
export const locationOfPlace = ({ region, latitude, longitude, timezone, population }: Place) => ({
  region,
  latitude,
  longitude,
  timezone,
  population,
});
