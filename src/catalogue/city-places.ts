/** Where cities lie: the region each is in, and which lie near to which. */
import type { Shown } from '../contract/records.ts';
import { searchWords } from '../store/fold.ts';
import type { CalledRecord } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';

export type CityPlace = {
  id: number;
  slug: string;
  name: string;
  country: string | null;
  region: string | null;
  latitude: number | null;
  longitude: number | null;
};
/** By slug, the city with the most venues first; and the same by the words of the region. */
type Cities = { bySlug: ReadonlyMap<string, CityPlace>; byRegion: ReadonlyMap<string, readonly CityPlace[]> };

/** What was read beside one list of all cities, which is another one when the catalogue is. */
const known = new WeakMap<readonly CalledRecord[], Cities>();

function citiesOf({ reader }: Catalogue): Cities {
  const all = reader.named.all('city');
  const read = known.get(all);
  if (read) return read;
  const items = new Map(
    reader.byName
      .source('city')
      .fetch(null, Number.MAX_SAFE_INTEGER, null)
      .map(([json]) => JSON.parse(json) as Shown<'CityItem'>)
      .map((item) => [item.slug, item]),
  );
  const bySlug = new Map<string, CityPlace>();
  const byRegion = new Map<string, CityPlace[]>();
  for (const { id, slug } of all) {
    const item = items.get(slug);
    if (item === undefined || bySlug.has(slug)) continue;
    const { name, country, region, latitude, longitude } = item;
    const place = Object.freeze({ id, slug, name, country, region, latitude, longitude });
    bySlug.set(slug, place);
    if (region === null) continue;
    const words = searchWords(region);
    byRegion.set(words, [...(byRegion.get(words) ?? []), place]);
  }
  const cities = { bySlug, byRegion };
  known.set(all, cities);
  return cities;
}

/** A city by its slug; null where there is none. */
export const cityPlace = (catalogue: Catalogue, slug: string): CityPlace | null =>
  citiesOf(catalogue).bySlug.get(slug) ?? null;

/** The cities of a region by its name, those with the most venues first; none where no city is said to be in one. */
export const citiesOfRegion = (catalogue: Catalogue, text: string): readonly CityPlace[] =>
  citiesOf(catalogue).byRegion.get(searchWords(text)) ?? [];

/** What people take for one place: an island, a city and its suburbs. */
const nearKm = 25;
type Point = { latitude: number | null; longitude: number | null };

/** Whether two points are known to lie near each other. */
export function areNear(left: Point, right: Point): boolean {
  if (left.latitude === null || left.longitude === null) return false;
  if (right.latitude === null || right.longitude === null) return false;
  const north = (left.latitude - right.latitude) * 111.2;
  const turn = Math.abs(left.longitude - right.longitude);
  const east = Math.min(turn, 360 - turn) * 111.3 * Math.cos((left.latitude * Math.PI) / 180);
  return Math.hypot(north, east) <= nearKm;
}

/** Other cities near a city, those with the most venues first. */
export function citiesNear(catalogue: Catalogue, slug: string): CityPlace[] {
  const { bySlug } = citiesOf(catalogue);
  const here = bySlug.get(slug);
  return here ? [...bySlug.values()].filter((other) => other !== here && areNear(here, other)) : [];
}
