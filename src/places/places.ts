/** The places of the world, loaded on first use and kept: 11 MB, 30 ms. */
import { placesFile } from '../assets.ts';
import { findPlace, type PlaceChoice, type PlaceHints } from './find-place.ts';
import { openPlaceIndex, openPlaceIndexAsync, type PlaceIndex } from './place-index.ts';

export { haveSameClocks, type PlaceChoice, type PlaceHints } from './find-place.ts';
export type { Place } from './place-index.ts';

let index: PlaceIndex | null = null;

/** The index, for processes that serve no requests. */
export const placeIndex = (): PlaceIndex => (index ??= openPlaceIndex(placesFile()));

/** The index, for the serving process: it is decompressed in another thread. */
export async function loadPlaceIndex(): Promise<PlaceIndex> {
  index ??= await openPlaceIndexAsync(placesFile());
  return index;
}

/** The look-up that imports use; tests pass their own. */
export type PlaceLookup = {
  /** See `findPlace`. */
  find(name: string, country: string | null, hints: PlaceHints): PlaceChoice | null;
  /** The time zone at a position, from the nearest place; null far from all. */
  zoneAt(latitude: number, longitude: number): string | null;
};

/** Maximum distance in km of a position from the place whose zone it has. */
const maxZoneKm = 100;

/** Looks up places of GeoNames. Nothing is loaded before the first look-up. */
export const worldPlaces: PlaceLookup = {
  find: (name, country, hints) => findPlace(placeIndex(), name, country, hints),
  zoneAt: (latitude, longitude) => placeIndex().nearest(latitude, longitude, maxZoneKm)?.timezone ?? null,
};
