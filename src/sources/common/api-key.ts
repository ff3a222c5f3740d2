/** The key of a service, from the options of a source. */
import { Failure } from '../../failure.ts';
import type { AdapterContext } from '../adapter.ts';

/**
 * Returns the key of a service.
 * @param service name of the service
 * @param variable environment variable of the operator's key
 * @param where where a person gets a key
 * @throws Failure without a key
 */
export function requireKey(
  { options }: AdapterContext,
  service: string,
  variable: string,
  where: string,
): string {
  const key = options.apikey?.trim() ?? '';
  // A line break would add a header to the request.
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new Failure(
    `${service} needs ${key === '' ? 'a' : 'another'} key: set ${variable}, or ${variable}_FILE to a file with it. ${where}`,
  );
}
