/** The Discovery API v2 as far as it is read here. Every member may be missing, and be of another type than it should. */

import { isJsonObject, type JsonObject } from '../common/values.ts';

/** The value at a path of names and indexes; undefined where the way breaks off. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  let here: unknown = value;
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

/** A text that is not blank; of a number its digits. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = path.length === 0 ? value : valueAt(value, ...path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : null;
}

export function listAt(value: unknown, ...path: (string | number)[]): JsonObject[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.slice(0, 5_000).filter(isJsonObject) : [];
}

export function urlAt(value: unknown, ...path: (string | number)[]): string | null {
  const found =
    textAt(value, ...path)
      ?.replace(/^\/\//, 'https://')
      .replace(/^https?:\/\/(?=https?:\/\/)/, '') ?? null;
  return found !== null && /^https?:\/\//i.test(found) && URL.canParse(found) && found.length <= 4_000
    ? found
    : null;
}

/** What an answer that is an error says: a fault of the gateway, or the errors of the API. */
export function findError(body: unknown): string | null {
  const fault = textAt(body, 'fault', 'faultstring') ?? textAt(body, 'fault', 'detail', 'errorcode');
  if (fault !== null) return fault;
  const errors = listAt(body, 'errors').map((error) =>
    [textAt(error, 'code'), textAt(error, 'detail')].filter((part) => part !== null).join(': '),
  );
  return errors.length === 0 ? null : errors.join('; ');
}
