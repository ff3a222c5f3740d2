/** From address and parameters to a question, as the table says (docs/spec/lists.md#filters). */
import type { OperationRequest } from '../catalogue/handlers.ts';
import { Problem } from '../contract/errors.ts';
import { type OperationDefinition, type OperationId, operations } from '../contract/operations.ts';
import { type FilterName, type Filters, filters, parsePageLimit } from '../contract/parameters.ts';

/** Parameters as the query string gives them: of a repeated one, the first. */
export type QueryParameters = Record<string, string | string[] | undefined>;

/** The first value of a parameter; an empty one counts as absent. */
function firstValue(given: QueryParameters, name: string): string | undefined {
  const all = Object.hasOwn(given, name) ? given[name] : undefined;
  const first = Array.isArray(all) ? all[0] : all;
  return first === undefined || first.trim() === '' ? undefined : first;
}

/** Reads the parameters of an operation; throws `invalid_parameter` with the way out. */
export function parseRequest(
  operation: OperationId,
  path: { slug?: string; edition?: string },
  given: QueryParameters,
  now: number,
): OperationRequest {
  const row: OperationDefinition = operations[operation];
  const asked: Filters = {};
  for (const name of row.filters ?? []) {
    const text = firstValue(given, name);
    if (text !== undefined) (asked as Record<FilterName, unknown>)[name] = parseFilter(name, text);
  }
  const search = row.shape === 'search';
  const q = search ? firstValue(given, 'q') : '';
  if (q === undefined) throw new Problem('invalid_parameter', 'Say what to look for: /search?q=ben+klo', 'q');
  return {
    operation,
    slug: path.slug ?? '',
    edition: path.edition ?? '',
    filters: asked,
    limit: parsePageLimit(firstValue(given, 'limit'), search ? 'search' : 'list'),
    cursor: row.shape === 'list' ? firstValue(given, 'cursor') : undefined,
    q,
    now,
  };
}

function parseFilter(name: FilterName, text: string): unknown {
  const { read, error } = filters[name];
  const found = read(text.trim());
  if (found === null) throw new Problem('invalid_parameter', error, name);
  return found;
}
