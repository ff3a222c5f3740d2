/** Reads error responses of the Discovery API v2. */
import { listAt, textAt } from '../common/json.ts';

/** Returns the message of an error response: a gateway fault, or the errors of the API. */
export function findError(body: unknown): string | null {
  const fault = textAt(body, 'fault', 'faultstring') ?? textAt(body, 'fault', 'detail', 'errorcode');
  if (fault !== null) return fault;
  const errors = listAt(body, 'errors').map((error) =>
    [textAt(error, 'code'), textAt(error, 'detail')].filter((part) => part !== null).join(': '),
  );
  return errors.length === 0 ? null : errors.join('; ');
}
