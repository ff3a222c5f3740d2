/** Where cities lie: the region each is in, and which lie near to which. */
import type { ApiRecord } from '../../contract/records.ts';
import type { NamedRecordEntry } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import type { Catalogue } from '../handlers.ts';

export type CityLocation = {
  id: number;
  slug: string;
  name: string;
  country: string | null;
  region: string | null;
  latitude: number | null;
  longitude: number | null;
};
/** By slug, the city with the most venues first; and the same by the words of the region. */
type CityIndex = {
  bySlug: ReadonlyMap<string, CityLocation>;
  byRegion: ReadonlyMap<string, readonly CityLocation[]>;
};

/** What was read beside one list of all cities, which is another one when the catalogue is. */
const cityIndexes = new WeakMap<readonly NamedRecordEntry[], CityIndex>();

function cityIndexOf({ reader }: Catalogue): CityIndex {
  const all = reader.namedRecords.allNames('city');
  const read = cityIndexes.get(all);
  if (read) return read;
  const items = new Map(
    reader.byName
      .source('city')
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

/** A city by its slug; null where there is none. */
export const findCity = (catalogue: Catalogue, slug: string): CityLocation | null =>
  cityIndexOf(catalogue).bySlug.get(slug) ?? null;

/** The cities of a region by its name, those with the most venues first; none where no city is said to be in one. */
export const citiesOfRegion = (catalogue: Catalogue, text: string): readonly CityLocation[] =>
  cityIndexOf(catalogue).byRegion.get(normalizeForSearch(text)) ?? [];

/** What people take for one place: an island, a city and its suburbs. */
const maxNearKm = 25;
type Point = { latitude: number | null; longitude: number | null };

/** Whether two points are known to lie near each other. */
export function areNear(left: Point, right: Point): boolean {
  if (left.latitude === null || left.longitude === null) return false;
  if (right.latitude === null || right.longitude === null) return false;
  const north = (left.latitude - right.latitude) * 111.2;
  const turn = Math.abs(left.longitude - right.longitude);
  const east = Math.min(turn, 360 - turn) * 111.3 * Math.cos((left.latitude * Math.PI) / 180);
  return Math.hypot(north, east) <= maxNearKm;
}

/** Other cities near a city, those with the most venues first. */
export function citiesNear(catalogue: Catalogue, slug: string): CityLocation[] {
  const { bySlug } = cityIndexOf(catalogue);
  const here = bySlug.get(slug);
  return here ? [...bySlug.values()].filter((other) => other !== here && areNear(here, other)) : [];
}
