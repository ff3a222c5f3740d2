/** Returns the time zone of a country, from its first city. */
import type { NamedRecordEntry } from '../store/search/named-records.ts';
import type { Catalogue } from './request.ts';

/** Zones by list of all cities. A changed catalogue has a new list. */
const zonesByCityList = new WeakMap<readonly NamedRecordEntry[], Map<string, string | null>>();

/** Returns the zone of the country's city with the most venues, then people; null if no city is on record. */
export function countryZone({ reader }: Catalogue, country: string): string | null {
  const cities = reader.namedRecords.allNames('city');
  const zones = zonesByCityList.get(cities) ?? new Map<string, string | null>();
  zonesByCityList.set(cities, zones);
  const zone = zones.get(country);
  if (zone !== undefined) return zone;
  const first = cities.find((city) => city.country === country && city.timezone !== null)?.timezone ?? null;
  zones.set(country, first);
  return first;
}
