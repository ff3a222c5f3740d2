/**
 * What apps say of themselves, in registrations and in their metadata documents. Real ones name grants, methods and
 * scopes of other services too; RFC 7591, 2 lets a server leave out what it does not have, and the library would refuse
 * the whole for one such value.
 */

import { isGoodRedirect } from './redirects.ts';

type Given = Record<string, unknown>;

const grantTypes = ['authorization_code', 'refresh_token'];
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'] as const;
/** A document may name more than a registration, which is kept. */
const mostRedirects = { registration: 10, document: 30 };
const longestAddress = 2_000;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longestAddress;
const isOneOf = (names: readonly string[], value: unknown): value is string =>
  typeof value === 'string' && names.includes(value);
const isHttps = (value: unknown): value is string =>
  isText(value) && URL.canParse(value) && new URL(value).protocol === 'https:';
const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What of the given can be used here. What is left out is as if it had not been said; where a member is of no use as
 * it stands but cannot be left out either (redirect addresses, keys), it stays, and the library says what is wrong.
 */
export function tidyMetadata(given: unknown, of: keyof typeof mostRedirects): unknown {
  if (!isRecord(given)) return given;
  const kept: Given = {
    client_name: nameOf(given.client_name),
    redirect_uris: redirectsOf(given.redirect_uris, mostRedirects[of]),
    grant_types: someOf(grantTypes, given.grant_types),
    response_types: someOf(['code'], given.response_types),
    token_endpoint_auth_method: methodOf(given.token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: algorithmOf(given),
    jwks: isRecord(given.jwks) ? given.jwks : undefined,
  };
  for (const name of ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'jwks_uri']) {
    if (isHttps(given[name])) kept[name] = given[name];
  }
  // Must be looked at by the library: the one is its identity in a document, the other is forbidden there.
  for (const name of ['client_id', 'client_secret', 'client_secret_expires_at']) {
    if (name in given) kept[name] = given[name];
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** A name on one line, without what could turn the text around it; undefined where nothing is left. */
export function nameOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const plain = given
    .slice(0, 1_000)
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...plain].slice(0, 80).join('').trim() || undefined;
}

/** Too many, or one that no answer may go to, is told as a mistake by what is then no address. */
function redirectsOf(given: unknown, most: number): unknown {
  if (!Array.isArray(given)) return given;
  return given.length > most || !given.every(isGoodRedirect) ? ['not a usable address'] : given;
}

/** Those of the given that are known; undefined (which means the default) where none is. */
function someOf(known: readonly string[], given: unknown): string[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const found = known.filter((name) => given.includes(name));
  return found.length === 0 ? undefined : found;
}

/**
 * Whoever does not say how, or names a way unknown here, gets by without proving itself, as a public client does
 * (RFC 7591, 3.2.1); but a secret is a secret, however it was to be shown.
 */
function methodOf(given: unknown): string {
  if (isOneOf(authMethods, given)) return given;
  return given === 'client_secret_jwt' ? 'client_secret_basic' : 'none';
}

const algorithmOf = ({
  token_endpoint_auth_method: method,
  token_endpoint_auth_signing_alg: given,
}: Given) => (method === 'private_key_jwt' && isOneOf(signingAlgorithms, given) ? given : undefined);
