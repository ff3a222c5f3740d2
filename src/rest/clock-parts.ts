/** Tells on which changes of time a response depends besides the catalogue, such as "an event has ended". */
import type { ClockPart, OperationDefinition } from '../contract/operations.ts';
import { type FilterName, parameterOf } from '../contract/parameters.ts';
import type { QueryParameters } from './parse-request.ts';

/** The filters whose answer changes while time passes. */
const clockFilters: Partial<Record<FilterName, ClockPart>> = {
  upcoming: 'events',
  venue_status: 'endings',
  label_status: 'endings',
  life_status: 'endings',
};

/** What a response depends on besides the catalogue. Lists of upcoming events do not, within a window that is given. */
export function clockPartsOf(row: OperationDefinition, query: QueryParameters): readonly ClockPart[] {
  const { filters = [], dependsOnClock = [] } = row;
  if (filters.length === 0) return dependsOnClock;
  const has = (name: FilterName) => filters.includes(name) && Object.hasOwn(query, parameterOf(name));
  // An empty bound counts as none.
  const hasDate = (name: FilterName) => has(name) && /\d/.test(String(query[parameterOf(name)]));
  if (row.returns === 'EventItem' && (hasDate('from') || hasDate('to'))) return [];
  const filtered = filters.flatMap((name) => (has(name) ? (clockFilters[name] ?? []) : []));
  return filtered.length === 0 ? dependsOnClock : [...new Set([...dependsOnClock, ...filtered])];
}
