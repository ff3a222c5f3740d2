/**
 * Requests as real clients send them, brought into the form that the library takes. Nothing is made of a request here
 * that its sender did not say; what has no meaning here is left out (RFC 6749, 3.1: unknown parameters are ignored).
 */
import type { IncomingMessage } from 'node:http';
import { catalogueScope } from '../contract/scopes.ts';

const prompts = ['none', 'login', 'consent'];
/** They belong to OpenID Connect, which this is not; the library refuses them where `openid` is not asked for. */
const openIdParameters = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/** The query of an authorization request. */
export function normalizeAuthorizationRequest(query: string, resource: string): string {
  const parameters = new URLSearchParams(query);
  for (const name of openIdParameters) parameters.delete(name);
  // What else a client asks for is ignored (RFC 6749, 3.3); refresh tokens come by themselves.
  replaceOnce(parameters, 'scope', () => catalogueScope);
  replaceOnce(parameters, 'prompt', (text) =>
    prompts.filter((prompt) => text.split(' ').includes(prompt)).join(' '),
  );
  if (!parameters.has('scope')) parameters.set('scope', catalogueScope);
  normalizeResource(parameters, resource);
  return parameters.toString();
}

/** The body of a token request. */
export function normalizeTokenRequest(body: string, resource: string): string {
  const parameters = new URLSearchParams(body);
  normalizeResource(parameters, resource);
  // A refresh may name what was asked for at first, of which only this was granted.
  replaceOnce(parameters, 'scope', () => catalogueScope);
  return parameters.toString();
}

/** A parameter given twice is a mistake that the library tells: it stays. */
function replaceOnce(parameters: URLSearchParams, name: string, change: (text: string) => string): void {
  const given = parameters.getAll(name);
  if (given.length !== 1) return;
  const changed = change(given[0] as string);
  if (changed === '') parameters.delete(name);
  else parameters.set(name, changed);
}

/** Clients name the resource with a slash at its end or without, and some name it twice (RFC 8707, 2). */
function normalizeResource(parameters: URLSearchParams, resource: string): void {
  const given = parameters.getAll('resource').filter((one) => one !== '');
  parameters.delete('resource');
  const named = new Set(given.map((one) => (isSameUrl(one, resource) ? resource : one)));
  for (const one of named) parameters.append('resource', one);
}

function isSameUrl(one: string, other: string): boolean {
  if (!URL.canParse(one)) return false;
  return new URL(one).href.replace(/\/$/, '') === new URL(other).href;
}

/** Most characters of an authorization request, and of what a client wants back from it: both are kept for an hour. */
const maxQueryLength = 8_192;
const maxStateLength = 2_000;

/** Why an authorization request (its query) is not even looked at; null where it is. */
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

/** Lets whoever reads the request next find this body instead of the one that was read already. */
export function replaceBody(request: IncomingMessage, body: string): void {
  const content = Buffer.from(body);
  async function* iterator() {
    yield content;
  }
  Object.defineProperties(request, { readable: { value: true }, iterator: { value: iterator } });
  request.headers['content-length'] = String(content.length);
  delete request.headers['transfer-encoding'];
}
