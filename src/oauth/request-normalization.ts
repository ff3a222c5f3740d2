/**
 * Normalizes requests of real clients for the library. Unsupported parameters are removed (RFC 6749, 3.1: unknown
 * parameters are ignored).
 */
import type { IncomingMessage } from 'node:http';
import { catalogueScope } from '../contract/scopes.ts';

const prompts = ['none', 'login', 'consent'];
/** Parameters of OpenID Connect, which the library rejects without the scope `openid`. */
const openIdParameters = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/** Normalizes the query of an authorization request. */
export function normalizeAuthorizationRequest(query: string, resource: string): string {
  const parameters = new URLSearchParams(query);
  for (const name of openIdParameters) parameters.delete(name);
  // Other scopes are ignored (RFC 6749, 3.3); refresh tokens need none.
  replaceOnce(parameters, 'scope', () => catalogueScope);
  replaceOnce(parameters, 'prompt', (text) =>
    prompts.filter((prompt) => text.split(' ').includes(prompt)).join(' '),
  );
  if (!parameters.has('scope')) parameters.set('scope', catalogueScope);
  normalizeResource(parameters, resource);
  return parameters.toString();
}

/** Normalizes the body of a token request. */
export function normalizeTokenRequest(body: string, resource: string): string {
  const parameters = new URLSearchParams(body);
  normalizeResource(parameters, resource);
  // A refresh may repeat the scopes of the first request, of which only this one was granted.
  replaceOnce(parameters, 'scope', () => catalogueScope);
  return parameters.toString();
}

/** Changes a parameter. A repeated one stays: the library rejects it. */
function replaceOnce(parameters: URLSearchParams, name: string, change: (text: string) => string): void {
  const values = parameters.getAll(name);
  if (values.length !== 1) return;
  const replacement = change(values[0] as string);
  if (replacement === '') parameters.delete(name);
  else parameters.set(name, replacement);
}

/** Removes variants of the resource: clients write it with or without a slash at its end, and some repeat it (RFC 8707, 2). */
function normalizeResource(parameters: URLSearchParams, resource: string): void {
  const values = parameters.getAll('resource').filter((value) => value !== '');
  parameters.delete('resource');
  const resources = new Set(values.map((value) => (isSameUrl(value, resource) ? resource : value)));
  for (const value of resources) parameters.append('resource', value);
}

function isSameUrl(one: string, other: string): boolean {
  if (!URL.canParse(one)) return false;
  return new URL(one).href.replace(/\/$/, '') === new URL(other).href;
}

/** Characters of an authorization request and of its `state`, which are stored for an hour. */
const maxQueryLength = 8_192;
const maxStateLength = 2_000;

/** Returns the error of an authorization request that is rejected before the library parses it; null: none. */
export function authorizationRequestError(
  query: string,
): { error: string; error_description: string } | null {
  const fault = (error: string, error_description: string) => ({ error, error_description });
  if (query.length > maxQueryLength) {
    return fault('invalid_request', `the request is longer than ${maxQueryLength} characters`);
  }
  const parameters = new URLSearchParams(query);
  if (parameters.getAll('state').some((state) => state.length > maxStateLength)) {
    return fault('invalid_request', `state is longer than ${maxStateLength} characters`);
  }
  if (parameters.getAll('response_mode').some((mode) => mode !== '' && mode !== 'query')) {
    return fault('unsupported_response_mode', 'answers are given in the query alone');
  }
  return null;
}

/** Replaces the body of a request that was already read. */
export function replaceBody(request: IncomingMessage, body: string): void {
  const content = Buffer.from(body);
  async function* iterator() {
    yield content;
  }
  Object.defineProperties(request, { readable: { value: true }, iterator: { value: iterator } });
  request.headers['content-length'] = String(content.length);
  delete request.headers['transfer-encoding'];
}
