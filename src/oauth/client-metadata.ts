/**
 * What apps say of themselves, in registrations and in their metadata documents. Real ones name grants, methods and
 * scopes of other services too; RFC 7591, 2 lets a server leave out what it does not have, and the library would refuse
 * the whole for one such value.
 */

import { isAllowedRedirectUri } from './redirect-uris.ts';

type ClientMetadata = Record<string, unknown>;

const grantTypes = ['authorization_code', 'refresh_token'];
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'] as const;
/** A document may name more than a registration, which is kept. */
const maxRedirects = { registration: 10, document: 30 };
const maxUrlLength = 2_000;

const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxUrlLength;
const isOneOf = (names: readonly string[], value: unknown): value is string =>
  typeof value === 'string' && names.includes(value);
const isHttps = (value: unknown): value is string =>
  isShortText(value) && URL.canParse(value) && new URL(value).protocol === 'https:';
const isRecord = (value: unknown): value is ClientMetadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What of the given can be used here. What is left out is as if it had not been said; where a member is of no use as
 * it stands but cannot be left out either (redirect addresses, keys), it stays, and the library says what is wrong.
 */
export function normalizeClientMetadata(given: unknown, of: keyof typeof maxRedirects): unknown {
  if (!isRecord(given)) return given;
  const kept: ClientMetadata = {
    client_name: cleanClientName(given.client_name),
    redirect_uris: redirectUrisOf(given.redirect_uris, maxRedirects[of]),
    grant_types: knownValues(grantTypes, given.grant_types),
    response_types: knownValues(['code'], given.response_types),
    token_endpoint_auth_method: authMethodOf(given.token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: signingAlgorithmOf(given),
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
export function cleanClientName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const plain = given
    .slice(0, 1_000)
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...plain].slice(0, 80).join('').trim() || undefined;
}

/** Too many, or one that no answer may go to, is told as a mistake by what is then no address. */
function redirectUrisOf(given: unknown, max: number): unknown {
  if (!Array.isArray(given)) return given;
  return given.length > max || !given.every(isAllowedRedirectUri) ? ['not a usable address'] : given;
}

/** Those of the given that are known; undefined (which means the default) where none is. */
function knownValues(known: readonly string[], given: unknown): string[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const found = known.filter((name) => given.includes(name));
  return found.length === 0 ? undefined : found;
}

/**
 * Whoever does not say how, or names a way unknown here, gets by without proving itself, as a public client does
 * (RFC 7591, 3.2.1); but a secret is a secret, however it was to be shown.
 */
function authMethodOf(given: unknown): string {
  if (isOneOf(authMethods, given)) return given;
  return given === 'client_secret_jwt' ? 'client_secret_basic' : 'none';
}

const signingAlgorithmOf = ({
  token_endpoint_auth_method: method,
  token_endpoint_auth_signing_alg: given,
}: ClientMetadata) => (method === 'private_key_jwt' && isOneOf(signingAlgorithms, given) ? given : undefined);
