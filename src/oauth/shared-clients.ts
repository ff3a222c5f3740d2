/**
 * Clients that share an id (docs/decisions/47-shared-clients.md). A public client has no secret, so the installations of
 * one app need no ids of their own (RFC 7591, 3.2.1: a server may issue the same id to several instances of a client).
 */
import type { IncomingMessage } from 'node:http';
import { clientDefaults } from './client-metadata.ts';
import { loopbackHost } from './redirect-uris.ts';

type ClientMetadata = Record<string, unknown>;

/** Members of clients that share an id. Others, such as keys, are of one installation. */
const sharedMembers = new Set([
  'client_name',
  'client_uri',
  'grant_types',
  'logo_uri',
  'policy_uri',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
  'tos_uri',
]);
/** Members that the library replaces or removes for a public client. */
const ignoredMembers = new Set(['client_id', 'client_secret', 'client_secret_expires_at']);

const identities = new WeakMap<IncomingMessage, string>();

/**
 * Remembers what makes the app of a registration the same (`identityOf`).
 *
 * Clients that authenticate, have keys, or have no name or redirect address share no id. Those that state no
 * authentication method neither: they are public here, but RFC 7591, 2 defines another default.
 *
 * @param input metadata as the client sent it
 * @param clientMetadata metadata as it is stored (`normalizeClientMetadata`)
 */
export function rememberIdentity(request: IncomingMessage, input: unknown, clientMetadata: unknown): void {
  if (!isObject(input) || input.token_endpoint_auth_method !== 'none' || !isObject(clientMetadata)) return;
  const identity = sharedIdentity(clientMetadata);
  if (identity !== null) identities.set(request, identity);
}

/** Returns a text that is the same for all registrations of an app; null if the client shares no id. */
export const identityOf = (request: IncomingMessage): string | null => identities.get(request) ?? null;

/** The port of a loopback address is left out, because the app chooses it for each request (RFC 8252, 7.3). */
function sharedIdentity(clientMetadata: ClientMetadata): string | null {
  const metadata = Object.fromEntries(
    Object.entries(clientMetadata).filter(([key]) => !ignoredMembers.has(key)),
  );
  const { client_name: name, redirect_uris: addresses } = metadata;
  if (typeof name !== 'string' || !isTextList(addresses) || addresses.length === 0) return null;
  if (!Object.keys(metadata).every((key) => sharedMembers.has(key))) return null;
  const places = [...new Set(addresses.map(withoutLoopbackPort))].sort();
  const members = Object.entries({ ...clientDefaults, ...metadata, redirect_uris: places });
  return JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const isObject = (value: unknown): value is ClientMetadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/**
 * Adds the address without a port to a single loopback address, so that an authorization request must name its address:
 * the stored port can be that of another installation.
 */
export function anyLoopbackPort(metadata: ClientMetadata): ClientMetadata {
  const { redirect_uris: addresses } = metadata;
  if (!Array.isArray(addresses) || addresses.length !== 1) return metadata;
  const [address] = addresses as [string];
  if (!isLoopback(address)) return metadata;
  const portless = withoutLoopbackPort(address);
  // An address without a port is not that of one installation.
  return portless === address ? metadata : { ...metadata, redirect_uris: [address, portless] };
}

/** Removes the port from the text, so that two addresses are the same if the library accepts one for the other. */
function withoutLoopbackPort(address: string): string {
  return isLoopback(address) ? address.replace(/^(http:\/\/(?:\[::1\]|[^/:?#[\]]+)):\d*/i, '$1') : address;
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && loopbackHost.test(hostname);
}
