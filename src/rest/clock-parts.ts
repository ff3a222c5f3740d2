/** Tells on which changes of time a response depends besides the catalogue, such as "an event has ended". */
import type { ClockPart, OperationDefinition } from '../contract/operations.ts';
import { type FilterName, parameterOf } from '../contract/parameters.ts';
import { memoizeByObject } from '../memoize.ts';
import type { QueryParameters } from './parse-request.ts';

/** The filters whose answer changes while time passes. */
const clockFilters: Partial<Record<FilterName, ClockPart>> = {
  upcoming: 'events',
  venue_status: 'endings',
  label_status: 'endings',
  life_status: 'endings',
};

/** The parameters of an operation that change what its response depends on. */
type ClockParameters = { dates: readonly string[]; filters: readonly (readonly [string, ClockPart])[] };

/** Once for each operation: most requests have none of these parameters. */
const parametersOf = memoizeByObject(({ filters = [], returns }: OperationDefinition): ClockParameters => {
  const dates = returns === 'EventItem' ? filters.filter((name) => name === 'from' || name === 'to') : [];
  return {
    dates: dates.map(parameterOf),
    filters: filters.flatMap((name) => {
      const part = clockFilters[name];
      return part === undefined ? [] : [[parameterOf(name), part] as const];
    }),
  };
});

/** What a response depends on besides the catalogue. Lists of upcoming events do not, within a window that is given. */
export function clockPartsOf(row: OperationDefinition, query: QueryParameters): readonly ClockPart[] {
  const { dependsOnClock = [] } = row;
  const { dates, filters } = parametersOf(row);
  for (const name of dates) {
    // An empty bound counts as none.
    if (Object.hasOwn(query, name) && /\d/.test(String(query[name]))) return [];
  }
  let parts = dependsOnClock;
  for (const [name, part] of filters) {
    if (Object.hasOwn(query, name) && !parts.includes(part)) parts = [...parts, part];
  }
  return parts;
}
