/**
 * Normalization of client metadata, from registrations and metadata documents. Real clients name grants, methods and
 * scopes of other services too. A server may leave out what it does not support (RFC 7591, 2); the library would reject
 * the whole metadata for one such value.
 */
import { isAllowedRedirectUri } from './redirect-uris.ts';

type ClientMetadata = Record<string, unknown>;

const grantTypes = ['authorization_code', 'refresh_token'];
/** How clients may authenticate at the token endpoint (RFC 7591, 2); a public client does not (`none`). */
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
/** How clients may sign their assertions (`private_key_jwt`). */
export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'] as const;
/** Metadata that applies to members left out. */
export const clientDefaults = {
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  id_token_signed_response_alg: 'RS256',
} as const;
/** Redirect addresses. A registration has a lower limit because it is stored. */
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
 * Returns the supported members of client metadata. An unsupported member is left out, unless the client depends on it
 * (redirect addresses, keys): then it stays, and the library reports the error.
 */
export function normalizeClientMetadata(input: unknown, origin: keyof typeof maxRedirects): unknown {
  if (!isRecord(input)) return input;
  const metadata: ClientMetadata = {
    client_name: cleanClientName(input.client_name),
    redirect_uris: redirectUrisOf(input.redirect_uris, maxRedirects[origin]),
    grant_types: supportedValues(grantTypes, input.grant_types),
    response_types: supportedValues(['code'], input.response_types),
    token_endpoint_auth_method: authMethodOf(input.token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: signingAlgorithmOf(input),
    jwks: isRecord(input.jwks) ? input.jwks : undefined,
  };
  for (const name of ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'jwks_uri']) {
    if (isHttps(input[name])) metadata[name] = input[name];
  }
  // The library validates these: client_id is the identity of a document, secrets are forbidden in it.
  for (const name of ['client_id', 'client_secret', 'client_secret_expires_at']) {
    if (name in input) metadata[name] = input[name];
  }
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

/** Characters that show nothing, with two symbols: the blank Braille pattern and the null note head. */
const blankCharacters = /[\p{C}\p{Z}\u2800\u{1d159}]+/gu;

/**
 * Returns a name on one line without bidi controls and invisible characters, at most 80 characters; undefined if it has
 * no letter, digit or symbol.
 */
export function cleanClientName(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined;
  const text = input
    .slice(0, 1_000)
    .normalize('NFC')
    .replace(blankCharacters, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .trim();
  const name = [...text].slice(0, 80).join('').trim();
  return /[\p{L}\p{N}\p{S}]/u.test(name) ? name : undefined;
}

/** Returns the addresses; if one is not allowed or there are too many, an invalid one, which the library rejects. */
function redirectUrisOf(input: unknown, max: number): unknown {
  if (!Array.isArray(input)) return input;
  return input.length > max || !input.every(isAllowedRedirectUri) ? ['not a usable address'] : input;
}

/** Returns the supported values of a list; undefined (the default applies) if there is none. */
function supportedValues(supported: readonly string[], input: unknown): string[] | undefined {
  if (!Array.isArray(input)) return undefined;
  const values = supported.filter((name) => input.includes(name));
  return values.length === 0 ? undefined : values;
}

/**
 * Returns the authentication method. A missing or unsupported one becomes that of a public client (RFC 7591, 3.2.1),
 * but a client with a secret keeps it.
 */
function authMethodOf(input: unknown): string {
  if (isOneOf(authMethods, input)) return input;
  return input === 'client_secret_jwt' ? 'client_secret_basic' : 'none';
}

const signingAlgorithmOf = ({
  token_endpoint_auth_method: method,
  token_endpoint_auth_signing_alg: algorithm,
}: ClientMetadata) =>
  method === 'private_key_jwt' && isOneOf(signingAlgorithms, algorithm) ? algorithm : undefined;
