/**
 * Distinguishes cities of one name in one country ("Portland" in Oregon and in Maine) by coordinates, otherwise by time
 * zone, otherwise by the region in the address.
 */

import { distanceMeters } from '../../matching/entities/compare-locations.ts';
import { haveSameClocks } from '../../places/places.ts';
import type { RowOf } from '../../store/writer.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isRegionName } from '../../text/region-names.ts';
import type { StoreContext } from '../store-context.ts';
import type { CityPlaces } from './city-places.ts';

/** What a source record states about a location besides the city's name. */
export type LocationHints = {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  timezone?: string | null | undefined;
  address?: string | null | undefined;
};
/** The chosen city, whether the hints identify it (otherwise it is the largest), and all candidates. */
export type CityChoice = { id: number; isStated: boolean; candidates: readonly number[] };

/** Maximum distance in m between a venue and its city. */
const maxCityDistanceM = 150_000;

/** Chooses among cities of one name. Only reads, apart from the marks for rebuilding. */
export class CityDisambiguator {
  readonly #context: StoreContext;
  readonly #places: CityPlaces;

  constructor(context: StoreContext, places: CityPlaces) {
    this.#context = context;
    this.#places = places;
  }

  /** The cities with this primary name; in any country if none is given. */
  citiesNamed(folded: string, country: string | null): number[] {
    return this.#context.lookup
      .byName('city', folded)
      .filter((city) => city.is_alias === 0 && (country === null || city.country === country))
      .map(({ id }) => id);
  }

  /** All cities with the name and country of this one, or none if it is the only one. */
  sameNameCities(city: number): number[] {
    const row = this.#context.writer.row('city', city);
    const cities = row ? this.citiesNamed(row.folded, row.country) : [];
    return cities.length > 1 ? cities : [];
  }

  /** Chooses among several cities, independently of their order. */
  choose(cities: readonly number[], where: LocationHints): CityChoice {
    const rows = cities.map((id) => ({ id, row: this.#context.writer.row('city', id) as RowOf<'city'> }));
    for (const narrow of [filterByDistance, filterByTimeZone, filterByRegion]) {
      const matches = narrow(rows, where);
      if (matches.length === 1)
        return { id: (matches[0] as CityCandidate).id, isStated: true, candidates: cities };
      // Candidates in one zone still exclude all others.
      if (matches.length > 0 && matches.length < rows.length) rows.splice(0, rows.length, ...matches);
    }
    return { id: this.#largest(rows), isStated: rows.length < cities.length, candidates: cities };
  }

  /** Whether hints contradict a city: too far away, or another local time. */
  isOtherCity(city: number, hints: LocationHints): boolean {
    const row = this.#context.writer.row('city', city) as RowOf<'city'>;
    const metres = distanceToCity(hints, row);
    if (metres !== null) return metres > maxCityDistanceM;
    const zone = row.timezone;
    return zone !== null && hints.timezone != null && !haveSameClocks(zone, hints.timezone);
  }

  /** The city with the largest population; for unknown populations the one with the first source key. */
  #largest(candidates: readonly CityCandidate[]): number {
    const ranked = candidates.map(({ id, row }) => ({ id, people: this.#places.populationOf(row) ?? -1 }));
    const most = ranked.reduce((max, { people }) => Math.max(max, people), -1);
    const largest = ranked.filter(({ people }) => people === most);
    if (largest.length === 1) return (largest[0] as { id: number }).id;
    const keyed = largest.map(({ id }) => {
      const [first] = this.#context.sources.externalIdsOf(id);
      return { id, sourceKey: first ? `${first.source_name}\0${first.external_id}` : '\uffff' };
    });
    return keyed.reduce((a, b) => (b.sourceKey < a.sourceKey ? b : a)).id;
  }

  /**
   * The city of a venue whose source records name only the city: the one that its events state if they agree, otherwise
   * the largest.
   */
  cityOfVenue(venueId: number, cities: readonly number[]): number {
    const statedCities = this.#citiesStatedByEvents(venueId, cities);
    const [city, ...others] = statedCities;
    return city !== undefined && others.length === 0 ? city : this.choose(cities, {}).id;
  }

  /**
   * Whether a venue may move to another city of the same name: neither its source records nor its events state the
   * city.
   */
  isMovable(venueId: number): boolean {
    const city = this.#context.writer.row('venue', venueId)?.city_id;
    if (city == null || !this.hasUnstatedCity(venueId)) return false;
    return !this.#citiesStatedByEvents(venueId, this.sameNameCities(city)).has(city);
  }

  /** Whether a venue is in one of several cities of a name and no source record states which. */
  hasUnstatedCity(venueId: number): boolean {
    const city = this.#context.writer.row('venue', venueId)?.city_id;
    const cities = city == null ? [] : this.sameNameCities(city);
    if (cities.length === 0) return false;
    return !this.#context.sources
      .parsedStatementsOf<'venue'>(venueId)
      .some(({ statement }) => this.choose(cities, statement).isStated);
  }

  #citiesStatedByEvents(venueId: number, cities: readonly number[]): Set<number> {
    const statedCities = new Set<number>();
    for (const show of this.#context.lookup.dependents('venue', venueId)) {
      for (const { statement } of this.#context.sources.parsedStatementsOf<'event'>(show)) {
        const { id, isStated } = this.choose(cities, { timezone: statement.timezone });
        if (isStated) statedCities.add(id);
      }
    }
    return statedCities;
  }

  /** Marks everything in these cities for rebuilding, because their name may now mean another of them. */
  markCitiesStale(cities: readonly number[]): void {
    this.#context.lookup.markDependentsOfCities(cities);
  }

  /** Marks the events at venues of this name in these cities for rebuilding. */
  markVenueEventsStale(name: string, cities: readonly number[]): void {
    for (const { id, city_id: city } of this.#context.lookup.byName('venue', fold(name))) {
      if (city === null || !cities.includes(city)) continue;
      this.#context.lookup.markDependents('venue', id);
    }
  }
}

type CityCandidate = { id: number; row: RowOf<'city'> };

const coordinatesOf = ({ latitude, longitude }: LocationHints | RowOf<'city'>) =>
  ({ latitude, longitude }) as { latitude: number | null; longitude: number | null };

const distanceToCity = (where: LocationHints, row: RowOf<'city'>): number | null =>
  distanceMeters({ name: '', ...coordinatesOf(where) }, { name: '', ...coordinatesOf(row) });

/** The nearest city; if all located cities are too far away, those without coordinates. */
function filterByDistance(
  candidates: readonly CityCandidate[],
  where: LocationHints,
): readonly CityCandidate[] {
  const distances = candidates.map((candidate) => ({
    town: candidate,
    metres: distanceToCity(where, candidate.row),
  }));
  const located = distances.filter((one): one is typeof one & { metres: number } => one.metres !== null);
  if (located.length === 0) return candidates;
  const nearest = located.reduce((a, b) => (b.metres < a.metres ? b : a));
  if (nearest.metres <= maxCityDistanceM || located.length === candidates.length) return [nearest.town];
  return distances.filter(({ metres }) => metres === null).map(({ town }) => town);
}

/** The cities with the same local time all year; if there are none, those without a time zone. */
function filterByTimeZone(
  candidates: readonly CityCandidate[],
  { timezone }: LocationHints,
): readonly CityCandidate[] {
  if (timezone == null) return candidates;
  const zoned = (fits: (zone: string | null) => boolean) =>
    candidates.filter(({ row }) => fits(row.timezone));
  const same = zoned((zone) => zone === timezone);
  if (same.length > 0) return same;
  const equivalent = zoned((zone) => zone !== null && haveSameClocks(zone, timezone));
  return equivalent.length > 0 ? equivalent : zoned((zone) => zone === null);
}

/** The cities whose region is a later part of the address: "1 Ash St, Portland, OR 97214". */
function filterByRegion(
  candidates: readonly CityCandidate[],
  { address }: LocationHints,
): readonly CityCandidate[] {
  const parts = (address ?? '')
    .split(/[,\n]/)
    .slice(1)
    .map((part) => normalizeForSearch(part.replace(/[\d-]+/g, ' ')))
    .filter((part) => part !== '');
  if (parts.length === 0) return candidates;
  return candidates.filter(({ row }) => {
    const region = normalizeForSearch(row.region ?? '');
    return region !== '' && parts.some((part) => isRegionName(part, region) || isRegionName(region, part));
  });
}
