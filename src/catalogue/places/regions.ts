/** Islands, coasts and other regions that people name instead of a town: `seed/regions.json`. */
import { readAsset } from '../../assets.ts';
import { normalizeForSearch } from '../../text/fold.ts';

/** A region: its bounding box contains its towns. */
export type Region = {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  aliases?: readonly string[];
  /** South, west, north, east in degrees. */
  box: readonly [south: number, west: number, north: number, east: number];
};

let regionsByName: ReadonlyMap<string, Region> | null = null;

/** Returns the region with this name ("Mallorca", "Majorca", "the Bay Area"), or null. */
export function regionByName(text: string): Region | null {
  if (text.length > 100) return null;
  regionsByName ??= new Map(
    (JSON.parse(readAsset('seed/regions.json')) as Region[]).flatMap((region) =>
      [region.name, ...(region.aliases ?? [])].map((name) => [normalizeForSearch(name), region] as const),
    ),
  );
  return regionsByName.get(normalizeForSearch(text).replace(/^the /, '')) ?? null;
}

/** Whether a city is in a region, by its country and position. */
export function isInRegion(
  city: { country: string | null; latitude: number | null; longitude: number | null },
  { country, box: [south, west, north, east] }: Region,
): boolean {
  if (city.country !== country || city.latitude === null || city.longitude === null) return false;
  return city.latitude >= south && city.latitude <= north && city.longitude >= west && city.longitude <= east;
}
