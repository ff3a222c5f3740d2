/** Secrets of clients: random and long, so that the file keeps their SHA-256. */
import { hash } from 'node:crypto';

const digestOf = (text: string): string => hash('sha256', text, 'base64url');

/** Whether a client's secret is the one it was given; `kept` is what `client` has of it. */
export const matchesClientSecret = (storedDigest: unknown, given: string): boolean =>
  storedDigest === secretDigest(given);

const secretDigest = (secret: string): string => `sha256-${digestOf(secret)}`;

/** A client's metadata as it is kept. */
export function hashClientSecret(metadata: Record<string, unknown>): Record<string, unknown> {
  const { client_secret: secret } = metadata;
  return typeof secret === 'string' ? { ...metadata, client_secret: secretDigest(secret) } : metadata;
}
