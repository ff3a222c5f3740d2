/** Reads members of JSON responses. Any member may be missing or have an unexpected type. */
import { wellFormed } from '../../well-formed.ts';
import { isJsonObject, type JsonObject } from './values.ts';

/** Returns the value at a path of names and indexes; undefined if the path ends early. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  let current: unknown = value;
  for (const step of path) {
    if (typeof step === 'number') current = Array.isArray(current) ? current[step] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}

/** Returns a text that is not blank, or the digits of a number. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const text = path.length === 0 ? value : valueAt(value, ...path);
  if (typeof text === 'number') return String(text);
  return typeof text === 'string' && text.trim() !== '' ? wellFormed(text.trim()) : null;
}

/** Returns the objects among the first 5,000 entries of the list at a path; empty if there is no list. */
export function listAt(value: unknown, ...path: (string | number)[]): JsonObject[] {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list.slice(0, 5_000).filter(isJsonObject) : [];
}

/**
 * Returns the HTTP address at a path; null if there is none or it has more than 4,000 characters. Repairs `//host/…`
 * and `https://http://…`.
 */
export function urlAt(value: unknown, ...path: (string | number)[]): string | null {
  const url =
    textAt(value, ...path)
      ?.replace(/^\/\//, 'https://')
      .replace(/^https?:\/\/(?=https?:\/\/)/, '') ?? null;
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= 4_000 ? url : null;
}
