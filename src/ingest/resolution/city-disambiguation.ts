/**
 * Cities of one name in one country ("Portland" in Oregon and in Maine), told apart by what a line says of where it is:
 * its coordinates, else its time zone, else the region in its address.
 */

import { distanceMeters } from '../../matching/entities/compare-locations.ts';
import type { RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { CatalogueWriter, RecordRow } from '../../store/writer.ts';
import { fold, normalizeForSearch } from '../../text/fold.ts';
import { isRegionName } from '../../text/region-names.ts';
import { offsetAt } from '../../text/time-zones.ts';

/** What a line says of where it is, beside the name of the city. */
export type LocationHints = {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  timezone?: string | null | undefined;
  address?: string | null | undefined;
};
/** The city that is meant, whether the line says so (else it is the largest of the name), and among which it is. */
export type CityChoice = { id: number; isStated: boolean; candidates: readonly number[] };

/** A house further away than this is not in the city, m. */
const maxCityDistanceM = 150_000;

export class CityDisambiguator {
  readonly #writer: CatalogueWriter;
  readonly #sources: SourceRecords;
  readonly #lookup: RecordLookup;

  constructor(writer: CatalogueWriter, sources: SourceRecords, lookup: RecordLookup) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
  }

  /** The cities on record whose own name it is; of any country, where none is given. */
  citiesNamed(folded: string, country: string | null): number[] {
    return this.#lookup
      .byName('city', folded)
      .filter((city) => city.is_alias === 0 && (country === null || city.country === country))
      .map(({ id }) => id);
  }

  /** A city and the others of its name and country; none where it is the only one. */
  sameNameCities(city: number): number[] {
    const row = this.#writer.row('city', city);
    const found = row ? this.citiesNamed(row.folded as string, row.country as string) : [];
    return found.length > 1 ? found : [];
  }

  /** Which of several cities is meant; the same one whichever of them came first. */
  choose(cities: readonly number[], where: LocationHints): CityChoice {
    const rows = cities.map((id) => ({ id, row: this.#writer.row('city', id) as RecordRow }));
    for (const narrow of [filterByDistance, filterByTimeZone, filterByRegion]) {
      const left = narrow(rows, where);
      if (left.length === 1) return { id: (left[0] as CityCandidate).id, isStated: true, candidates: cities };
      // Of two in one zone, that zone still rules out all others.
      if (left.length > 0 && left.length < rows.length) rows.splice(0, rows.length, ...left);
    }
    return { id: this.#largest(rows), isStated: rows.length < cities.length, candidates: cities };
  }

  /** Whether what is said of a city cannot be said of this one of its name: it lies elsewhere, or has other clocks. */
  isOtherCity(city: number, hints: LocationHints): boolean {
    const row = this.#writer.row('city', city) as RecordRow;
    const metres = distanceToCity(hints, row);
    if (metres !== null) return metres > maxCityDistanceM;
    const zone = row.timezone as string | null;
    return zone !== null && hints.timezone != null && !haveSameClocks(zone, hints.timezone);
  }

  /** The one that most people live in; of those of which that is not known the one that a source names first. */
  #largest(towns: readonly CityCandidate[]): number {
    const ranked = towns.map(({ id, row }) => {
      const [first] = this.#sources.externalIdsOf(id);
      const anchor = first ? `${first.source_name}\0${first.external_id}` : '\uffff';
      return { id, people: (row.population as number | null) ?? -1, anchor };
    });
    return ranked.reduce((a, b) =>
      b.people > a.people || (b.people === a.people && b.anchor < a.anchor) ? b : a,
    ).id;
  }

  /**
   * The city of a house of which no line of its own says more than the name: the one that its shows say, where they are
   * agreed; else the foremost.
   */
  cityOfVenue(venueId: number, cities: readonly number[]): number {
    const told = this.#citiesStatedByEvents(venueId, cities);
    return told.size === 1 ? ([...told][0] as number) : this.choose(cities, {}).id;
  }

  /** Whether nothing keeps a house in the city of this name where it stands: no line of its own, and none of its shows. */
  isMovable(venueId: number): boolean {
    const city = this.#writer.row('venue', venueId)?.city_id as number | null | undefined;
    if (city == null || !this.hasUnstatedCity(venueId)) return false;
    return !this.#citiesStatedByEvents(venueId, this.sameNameCities(city)).has(city);
  }

  /** Whether a house stands in one of several cities of a name, and no line of its own says in which. */
  hasUnstatedCity(venueId: number): boolean {
    const city = this.#writer.row('venue', venueId)?.city_id as number | null | undefined;
    const cities = city == null ? [] : this.sameNameCities(city);
    if (cities.length === 0) return false;
    return !this.#sources
      .statementsOf(venueId)
      .some(({ content: statement }) => this.choose(cities, JSON.parse(statement) as LocationHints).isStated);
  }

  /** The cities that the shows in a house say. */
  #citiesStatedByEvents(house: number, cities: readonly number[]): Set<number> {
    const told = new Set<number>();
    for (const show of this.#lookup.dependents('venue', house)) {
      for (const { content: statement } of this.#sources.statementsOf(show)) {
        const { timezone } = JSON.parse(statement) as LocationHints;
        const { id, isStated: isTold } = this.choose(cities, { timezone });
        if (isTold) told.add(id);
      }
    }
    return told;
  }

  /** Has all that names one of these cities worked out again: another of them may be meant now. */
  markCitiesStale(cities: readonly number[]): void {
    for (const city of cities) this.#lookup.markDependents('city', city);
  }

  /** The same of the shows in houses of this name in these cities. */
  markVenueEventsStale(name: string, cities: readonly number[]): void {
    for (const { id, city_id: city } of this.#lookup.byName('venue', fold(name))) {
      if (city === null || !cities.includes(city)) continue;
      this.#lookup.markDependents('venue', id);
    }
  }
}

type CityCandidate = { id: number; row: RecordRow };

const coordinatesOf = ({ latitude, longitude }: LocationHints | RecordRow) =>
  ({ latitude, longitude }) as { latitude: number | null; longitude: number | null };

const distanceToCity = (where: LocationHints, row: RecordRow): number | null =>
  distanceMeters({ name: '', ...coordinatesOf(where) }, { name: '', ...coordinatesOf(row) });

/** The nearest; where all that are known to lie anywhere are far away, those of which nobody knows where they lie. */
function filterByDistance(towns: readonly CityCandidate[], where: LocationHints): readonly CityCandidate[] {
  const distances = towns.map((town) => ({ town, metres: distanceToCity(where, town.row) }));
  const known = distances.filter((one): one is typeof one & { metres: number } => one.metres !== null);
  if (known.length === 0) return towns;
  const nearest = known.reduce((a, b) => (b.metres < a.metres ? b : a));
  if (nearest.metres <= maxCityDistanceM || known.length === towns.length) return [nearest.town];
  return distances.filter(({ metres }) => metres === null).map(({ town }) => town);
}

/** Those whose clocks are this zone's, the year round; where none has them, those of which nobody knows. */
function filterByTimeZone(
  towns: readonly CityCandidate[],
  { timezone }: LocationHints,
): readonly CityCandidate[] {
  if (timezone == null) return towns;
  const zoned = (fits: (zone: string | null) => boolean) =>
    towns.filter(({ row }) => fits(row.timezone as string | null));
  const same = zoned((zone) => zone === timezone);
  if (same.length > 0) return same;
  const alike = zoned((zone) => zone !== null && haveSameClocks(zone, timezone));
  return alike.length > 0 ? alike : zoned((zone) => zone === null);
}

const winter = Date.UTC(2026, 0, 15);
const summer = Date.UTC(2026, 6, 15);

/** Whether two zones show the same clock, in winter and in summer. */
const haveSameClocks = (a: string, b: string): boolean =>
  [winter, summer].every((ts) => offsetAt(a, ts) === offsetAt(b, ts));

/** Those whose region stands in a part of the address that is not its first: "1 Ash St, Portland, OR 97214". */
function filterByRegion(
  towns: readonly CityCandidate[],
  { address }: LocationHints,
): readonly CityCandidate[] {
  const parts = (address ?? '')
    .split(/[,\n]/)
    .slice(1)
    .map((part) => normalizeForSearch(part.replace(/[\d-]+/g, ' ')))
    .filter((part) => part !== '');
  if (parts.length === 0) return towns;
  return towns.filter(({ row }) => {
    const region = normalizeForSearch((row.region as string | null) ?? '');
    return region !== '' && parts.some((part) => isRegionName(part, region) || isRegionName(region, part));
  });
}
