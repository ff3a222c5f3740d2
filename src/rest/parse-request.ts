/** Parses the path and query of a request with the table of operations (docs/spec/lists.md#filters). */
import type { OperationRequest } from '../catalogue/request.ts';
import { Problem } from '../contract/errors.ts';
import { type OperationDefinition, type OperationId, operations } from '../contract/operations.ts';
import {
  type FilterName,
  type Filters,
  filters,
  parameterOf,
  parsePageLimit,
} from '../contract/parameters.ts';

/** The parameters of a query string. Of a repeated one, the first value counts. */
export type QueryParameters = Record<string, string | string[] | undefined>;

/** The first value of a parameter; an empty one counts as absent. */
function firstValue(query: QueryParameters, name: string): string | undefined {
  const all = Object.hasOwn(query, name) ? query[name] : undefined;
  const first = Array.isArray(all) ? all[0] : all;
  return first === undefined || first.trim() === '' ? undefined : first;
}

/** Parses the parameters of an operation. Throws `invalid_parameter` with the accepted values. */
export function parseRequest(
  operation: OperationId,
  path: { slug?: string; edition?: string },
  query: QueryParameters,
  now: number,
): OperationRequest {
  const row: OperationDefinition = operations[operation];
  const values: Filters = {};
  for (const name of row.filters ?? []) {
    const text = firstValue(query, parameterOf(name));
    if (text !== undefined) (values as Record<FilterName, unknown>)[name] = parseFilter(name, text);
  }
  checkPlace(values);
  const search = row.shape === 'search';
  const q = search ? firstValue(query, 'q') : '';
  if (q === undefined) throw new Problem('invalid_parameter', 'Say what to look for: /search?q=ben+klo', 'q');
  return {
    operation,
    slug: path.slug ?? '',
    edition: path.edition ?? '',
    filters: values,
    limit: parsePageLimit(firstValue(query, 'limit'), search ? 'search' : 'list'),
    cursor: row.shape === 'list' ? firstValue(query, 'cursor') : undefined,
    q,
    now,
  };
}

function parseFilter(name: FilterName, text: string): unknown {
  const { read, error } = filters[name];
  const value = read(text.trim());
  if (value === null) throw new Problem('invalid_parameter', error, parameterOf(name));
  return value;
}

function checkPlace({ near, radius, bbox }: Filters): void {
  if (near === undefined && radius !== undefined)
    throw new Problem(
      'invalid_parameter',
      'radius needs a position: add near=latitude,longitude, such as near=52.52,13.40.',
      'radius',
    );
  if (near !== undefined && bbox !== undefined)
    throw new Problem('invalid_parameter', 'Give either near or bbox: one area per request.', 'bbox');
}
