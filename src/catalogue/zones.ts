/** Returns the time zone of a country, from its first city. */
import { getOrCreate, memoizeByObject } from '../memoize.ts';
import type { NamedRecordEntry } from '../store/search/named-records.ts';
import type { Catalogue } from './request.ts';

/** Zones by list of all cities. A changed catalogue has a new list. */
const zonesOfCities = memoizeByObject((_: readonly NamedRecordEntry[]) => new Map<string, string | null>());

/** Returns the zone of the country's city with the most venues, then people; null if no city is on record. */
export function countryZone({ reader }: Catalogue, country: string): string | null {
  const cities = reader.namedRecords.allNames('city');
  return getOrCreate(
    zonesOfCities(cities),
    country,
    () => cities.find((city) => city.country === country && city.timezone !== null)?.timezone ?? null,
  );
}
