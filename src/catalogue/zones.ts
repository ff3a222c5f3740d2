/** The time zone of a country: that of its first city. */
import type { NamedRecordEntry } from '../store/search/named-records.ts';
import type { Catalogue } from './handlers.ts';

/** What was found out from one list of all cities, which is another one when the catalogue is. */
const zonesByCityList = new WeakMap<readonly NamedRecordEntry[], Map<string, string | null>>();

/** The zone of the city of the country that has the most venues, then people; null where none is on record. */
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
