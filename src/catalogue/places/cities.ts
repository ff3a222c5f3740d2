/** Locations of cities: the region of each, and the cities near each other. */
import type { ApiRecord } from '../../contract/records.ts';
import type { NamedRecordEntry } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import type { Catalogue } from '../request.ts';
import { englishRegionName } from './region-names.ts';
import { isInRegion, type Region, regionByName } from './regions.ts';

export type CityLocation = {
  id: number;
  slug: string;
  name: string;
  country: string | null;
  region: string | null;
  latitude: number | null;
  longitude: number | null;
};
/** Cities by slug and by normalized region name, the city with the most venues first. */
type CityIndex = {
  bySlug: ReadonlyMap<string, CityLocation>;
  byRegion: ReadonlyMap<string, readonly CityLocation[]>;
};

/** Index per list of all cities. A changed catalogue has a new list. */
const cityIndexes = new WeakMap<readonly NamedRecordEntry[], CityIndex>();

function cityIndexOf({ reader }: Catalogue): CityIndex {
  const all = reader.namedRecords.allNames('city');
  const read = cityIndexes.get(all);
  if (read) return read;
  const items = new Map(
    reader.byName
      .source('city', {}, { now: 0 })
      .fetch(null, Number.MAX_SAFE_INTEGER, null)
      .map(([json]) => JSON.parse(json) as ApiRecord<'CityItem'>)
      .map((item) => [item.slug, item]),
  );
  const bySlug = new Map<string, CityLocation>();
  const byRegion = new Map<string, CityLocation[]>();
  for (const { id, slug } of all) {
    const item = items.get(slug);
    if (item === undefined || bySlug.has(slug)) continue;
    const { name, country, region, latitude, longitude } = item;
    const place = Object.freeze({ id, slug, name, country, region, latitude, longitude });
    bySlug.set(slug, place);
    if (region === null) continue;
    const words = normalizeForSearch(region);
    byRegion.set(words, [...(byRegion.get(words) ?? []), place]);
  }
  const cities = { bySlug, byRegion };
  cityIndexes.set(all, cities);
  return cities;
}

/** Finds a city by its present slug; null if there is none. The index of cities is rebuilt when the catalogue changes. */
export const findCity = (catalogue: Catalogue, slug: string): CityLocation | null =>
  cityIndexOf(catalogue).bySlug.get(slug) ?? null;

/** Cities of a region beyond these, those with the fewest venues, are left out. */
const maxRegionCities = 60;

/** A region by its name, and its cities on record, most venues first. */
export type RegionOfCities = { name: string; cities: readonly CityLocation[] };

/** Returns the region of this name with its cities: an administrative one, or an island or coast; null without cities. */
export function regionNamed(catalogue: Catalogue, text: string, country?: string): RegionOfCities | null {
  const { bySlug, byRegion } = cityIndexOf(catalogue);
  const fits = (city: CityLocation) => country === undefined || city.country === country;
  const region = regionByName(text);
  const stated = byRegion.get(englishRegionName(normalizeForSearch(text)))?.filter(fits) ?? [];
  const within =
    region === null ? [] : [...bySlug.values()].filter((city) => fits(city) && isInRegion(city, region));
  const [first] = within.length > 0 ? within : stated;
  if (first === undefined) return null;
  const name = within.length > 0 ? (region as Region).name : (first.region as string);
  // Of regions with the same name, the one whose city has the most venues wins.
  const cities = new Set([...within, ...stated.filter((city) => city.country === first.country)]);
  return { name, cities: [...cities].slice(0, maxRegionCities) };
}

/** Returns the cities of a region by its name, most venues first; empty if no city is in it. */
export const citiesOfRegion = (catalogue: Catalogue, text: string): readonly CityLocation[] =>
  regionNamed(catalogue, text)?.cities ?? [];

/** Returns the region that is named like a city and contains it, with this city first: Ibiza. Null if it has no other city. */
export function regionAround(catalogue: Catalogue, text: string, slug: string): RegionOfCities | null {
  const region = regionByName(text);
  const city = region === null ? null : findCity(catalogue, slug);
  if (region === null || city === null || !isInRegion(city, region)) return null;
  const cities = new Set([city, ...(regionNamed(catalogue, text)?.cities ?? [])]);
  return cities.size < 2 ? null : { name: region.name, cities: [...cities].slice(0, maxRegionCities) };
}

/** Maximum distance within one destination: an island, or a city and its suburbs. */
const maxNearKm = 25;
type Point = { latitude: number | null; longitude: number | null };

/** Whether two points are within a distance in km; false if a position is unknown. */
export function areNear(left: Point, right: Point, maxKm = maxNearKm): boolean {
  if (left.latitude === null || left.longitude === null) return false;
  if (right.latitude === null || right.longitude === null) return false;
  const north = (left.latitude - right.latitude) * 111.2;
  const turn = Math.abs(left.longitude - right.longitude);
  const east = Math.min(turn, 360 - turn) * 111.3 * Math.cos((left.latitude * Math.PI) / 180);
  return Math.hypot(north, east) <= maxKm;
}

/** Returns the other cities within a distance in km of a city, most venues first. */
export function citiesNear(catalogue: Catalogue, slug: string, maxKm = maxNearKm): CityLocation[] {
  const { bySlug } = cityIndexOf(catalogue);
  const here = bySlug.get(slug);
  return here ? [...bySlug.values()].filter((other) => other !== here && areNear(here, other, maxKm)) : [];
}

/** Returns the cities with a position, the nearest first, at most `limit`. */
export function nearestCities(
  catalogue: Catalogue,
  here: { latitude: number; longitude: number },
  limit: number,
): CityLocation[] {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const distance = ({ latitude, longitude }: { latitude: number; longitude: number }): number => {
    const north = Math.sin(radians(latitude - here.latitude) / 2) ** 2;
    const east = Math.sin(radians(longitude - here.longitude) / 2) ** 2;
    return north + Math.cos(radians(latitude)) * Math.cos(radians(here.latitude)) * east;
  };
  return [...cityIndexOf(catalogue).bySlug.values()]
    .flatMap((city) => {
      const { latitude, longitude } = city;
      return latitude === null || longitude === null
        ? []
        : [{ city, far: distance({ latitude, longitude }) }];
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, limit)
    .map(({ city }) => city);
}
