/** Entity tags (RFC 9110, section 8.8.3) and the condition of a request. */
import { hash } from 'node:crypto';

/** The strong entity tag of a body that never changes while the process runs. */
export const strongETag = (body: string | Buffer): string =>
  `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** A weak entity tag: for a body that is sent in several content codings, or of the facts that decide a body. */
export const weakETag = (body: string | Buffer): string => `W/${strongETag(body)}`;

/**
 * Evaluates an `If-None-Match` header by weak comparison (RFC 9110, section 13.1.2).
 *
 * @param header the header; undefined without one
 * @param tag the entity tag of the response, weak or strong
 * @returns whether the response is 304
 */
export function matchesETag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaqueTag = tag.replace(/^W\//, '');
  return (header.match(/"[^"]*"/g) ?? []).some((other) => other === opaqueTag);
}
