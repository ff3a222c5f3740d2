/** Finds the place that a name and a country mean. Of namesakes, position, region, time zone and size decide. */
import { fold, normalizeForSearch } from '../text/fold.ts';
import { isRegionName, isRegionOrCountry } from '../text/region-names.ts';
import { offsetAt } from '../text/time-zones.ts';
import { cityWithoutRegion, foldUmlauts } from '../text/tokens.ts';
import type { NamedPlace, Place, PlaceIndex } from './place-index.ts';

/** What is known of a place besides its name; every member may be missing. */
export type PlaceHints = {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  timezone?: string | null | undefined;
  /** The region, or an address with it behind a comma. */
  region?: string | null | undefined;
  address?: string | null | undefined;
};

/** The place that is meant. */
export type PlaceChoice = {
  place: Place;
  /** Whether the hints or its name alone identify it among its namesakes. */
  isStated: boolean;
  /** Whether GeoNames lists this name, rather than one with another spelling or without the region behind it. */
  isListedName: boolean;
};

/** Longer texts are no names of places. */
const maxNameLength = 100;
/** Maximum distance in km between a position and the place that it is in. */
const maxDistanceKm = 75;
/** Without a country, a place is meant if it has this many inhabitants, and this many times those of its namesakes. */
const minWorldPopulation = 50_000;
const minWorldShare = 5;
/** How much an alternative name weighs: a place called so by its own name wins against one five times its size. */
const alternativeWeight = 0.2;

/**
 * Finds the place of a name.
 * @param name "Portland", "Portland, OR", "München"
 * @param country ISO code; without it, the place must be identified by the hints or be by far the largest
 * @returns null if no place has the name, or a stated position is far from all that have it
 */
export function findPlace(
  index: PlaceIndex,
  name: string,
  country: string | null,
  hints: PlaceHints = {},
): PlaceChoice | null {
  if (name.length > maxNameLength) return null;
  const exactPlaces = index.named(name, country);
  const choice = chooseAmong(
    exactPlaces.length > 0 ? exactPlaces : respelled(index, name, country),
    name,
    country,
    hints,
  );
  return choice === null ? null : { ...choice, isListedName: exactPlaces.length > 0 };
}

function chooseAmong(
  candidates: readonly NamedPlace[],
  name: string,
  country: string | null,
  hints: PlaceHints,
): Omit<PlaceChoice, 'isListedName'> | null {
  if (candidates.length === 0) return null;
  const position = positionOf(hints);
  if (position !== null) return nearestOf(candidates, position);
  const regions = regionTexts(hints);
  const inRegion = candidates.filter(({ place }) => regions.some((text) => isInRegion(place, text)));
  const inZone = filterByZone(inRegion.length > 0 ? inRegion : candidates, hints.timezone);
  const narrowed = inZone.length > 0 ? inZone : inRegion.length > 0 ? inRegion : candidates;
  const isNarrowed = narrowed.length < candidates.length;
  const [first, second] = narrowed
    .map((one) => ({ one, score: scoreOf(one) }))
    .sort((a, b) => b.score - a.score || a.one.place.rank - b.one.place.rank);
  if (first === undefined) return null;
  const { place } = first.one;
  const isLocated = country !== null || inRegion.length > 0 || name.includes(',');
  if (!isLocated && !isWorldKnown(first.score, second?.score)) return null;
  return { place, isStated: candidates.length === 1 || isNarrowed };
}

/** Whether a name without a country can only mean the first of its namesakes. */
const isWorldKnown = (first: number, second = 0): boolean =>
  first >= minWorldPopulation && first >= second * minWorldShare;

const scoreOf = ({ place, isAlternative }: NamedPlace): number =>
  (place.population ?? 500) * (isAlternative ? alternativeWeight : 1) * (place.isDistrict ? 0.5 : 1);

/** The nearest place, unless it is too far away. */
function nearestOf(
  candidates: readonly NamedPlace[],
  position: Position,
): Omit<PlaceChoice, 'isListedName'> | null {
  const [nearest] = candidates
    .map(({ place }) => ({ place, km: distanceKm(position, place) }))
    .sort((a, b) => a.km - b.km);
  return nearest !== undefined && nearest.km <= maxDistanceKm
    ? { place: nearest.place, isStated: true }
    : null;
}

/** The places with the name without the region or country behind it, else in other spellings. */
function respelled(index: PlaceIndex, name: string, country: string | null): NamedPlace[] {
  const plain = cityWithoutRegion(name);
  const suffix = name.slice(plain.length).replace(/^\s*,/, '');
  // "Portland, ME": what is written behind the name is part of it.
  if (suffix.trim() !== '') {
    const exactPlaces = index.named(plain, country);
    const places = exactPlaces.length > 0 ? exactPlaces : respelled(index, plain, country);
    return places.filter(({ place }) => isRegionOrCountry(suffix, [place.region, place.country]));
  }
  for (const spelling of spellings(name)) {
    const candidates = index.named(spelling, country);
    if (candidates.length > 0) return candidates;
  }
  return [];
}

/** Other spellings: "Fuerth" for "Fürth", "St. Gallen" and "Sankt Gallen", "Frankfurt a. M.", "Offenbach/Main". */
function spellings(name: string): string[] {
  const folded = fold(name);
  const saint = /^(?:st|sankt|saint|ste|sainte)[.\s-]\s*/;
  const saints = saint.test(folded) ? ['st ', 'sankt ', 'saint ', 'sainte '] : [];
  const { town, river } = splitRiver(folded) ?? {};
  return [
    foldUmlauts(folded),
    ...saints.map((word) => folded.replace(saint, word)),
    ...(town === undefined ? [] : [`${town} am ${river}`, `${town} an der ${river}`, town]),
  ].filter((spelling) => spelling !== folded);
}

/** Splits "frankfurt a. m.", "frankfurt a.m.", "frankfurt/main": a town and the river that tells it apart; null without one. */
function splitRiver(folded: string): { town: string; river: string } | null {
  const at = Math.max(folded.lastIndexOf('/'), folded.lastIndexOf(' '));
  if (at < 1) return null;
  const before = folded.slice(0, at).trimEnd();
  const last = folded.slice(at + 1);
  const link = [' an der', ' a.d.', ' a. d.', ' am', ' a.', ' a'].find((words) => before.endsWith(words));
  if (folded[at] === ' ' && link === undefined && !last.startsWith('a.')) return null;
  const town = link === undefined ? before : before.slice(0, -link.length);
  return { town, river: normalizeForSearch(last.startsWith('a.') ? last.slice(2) : last) };
}

const isInRegion = (place: Place, text: string): boolean =>
  place.region !== null && (isRegionName(text, place.region) || normalizeForSearch(place.region) === text);

/** The normalized texts that may be a region: the stated one, and the parts of the address behind a comma. */
const regionTexts = ({ region, address }: PlaceHints): string[] => [
  ...(region ? [normalizeForSearch(region)] : []),
  ...(address ?? '')
    .slice(0, 300)
    .split(/[,\n]/)
    .slice(1)
    .map((part) => normalizeForSearch(part.replace(/[\d-]+/g, ' '))),
];

/** The places whose clocks show the time of the zone; all of them without a zone. */
function filterByZone(places: readonly NamedPlace[], zone: string | null | undefined): readonly NamedPlace[] {
  if (zone == null) return places;
  const same = places.filter(({ place }) => place.timezone === zone);
  return same.length > 0 ? same : places.filter(({ place }) => haveSameClocks(place.timezone, zone));
}

const winter = Date.UTC(2026, 0, 15);
const summer = Date.UTC(2026, 6, 15);

/** Whether two time zones have the same local time in winter and in summer. */
export const haveSameClocks = (a: string, b: string): boolean =>
  a === b || [winter, summer].every((ts) => offsetAt(a, ts) === offsetAt(b, ts));

type Position = { latitude: number; longitude: number };

/** The position of the hints; null if it is missing or 0, 0. */
const positionOf = ({ latitude, longitude }: PlaceHints): Position | null =>
  latitude == null || longitude == null || (latitude === 0 && longitude === 0)
    ? null
    : { latitude, longitude };

/** The distance of two positions in km, on a sphere. */
export function distanceKm(a: Position, b: Position): number {
  const rad = (value: number) => (value * Math.PI) / 180;
  const [north, east] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)];
  const h =
    Math.sin(north / 2) ** 2 +
    Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(east / 2) ** 2;
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(h)));
}
