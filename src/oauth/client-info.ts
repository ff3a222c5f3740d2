/** Description of an OAuth client for the consent page. */
import type Provider from 'oidc-provider';
import { scopes } from '../contract/scopes.ts';
import { cleanClientName } from './client-metadata.ts';
import { loopbackHost } from './redirect-uris.ts';

type Client = InstanceType<Provider['Client']>;

/** The destination of the authorization response; `name` is a host, or the scheme of an app on the device. */
export type RedirectDestination = { kind: 'host' | 'device' | 'scheme'; name: string };

export type ClientInfo = {
  /** The name that the client claims; null: none. */
  claimedName: string | null;
  /** The claimed name, otherwise the host; for lists. Empty: neither. */
  name: string;
  /** The client's page; null: none. */
  uri: string | null;
  /** The host of the redirect address, otherwise the host that publishes the metadata; null: neither. */
  host: string | null;
  /** Its own host publishes the metadata, and the response goes to that host or stays on the device. */
  verified: boolean;
  /** The host that publishes the metadata, if the response goes to another host. */
  publisher: string | null;
  destination: RedirectDestination;
  resource: string;
  scopes: (keyof typeof scopes)[];
};

/**
 * Describes the client of an authorization request, as the person who decides must see it.
 * @param parameters parameters of the request, which the library has validated
 */
export function describeClient(client: Client, parameters: Record<string, unknown>): ClientInfo {
  const destination = redirectDestination(String(parameters.redirect_uri));
  const own = client.clientIdMetadataDocument === true ? new URL(client.clientId).host : null;
  const isElsewhere = destination.kind === 'host' && destination.name !== own;
  const requestedScopes = String(parameters.scope ?? '').split(' ');
  const host = destination.kind === 'host' ? destination.name : own;
  const claimed = cleanClientName(client.clientName) ?? null;
  return {
    claimedName: claimed,
    name: claimed ?? host ?? '',
    uri: client.clientUri ?? null,
    host,
    verified: own !== null && !isElsewhere,
    publisher: isElsewhere ? own : null,
    destination,
    resource: String(parameters.resource),
    scopes: (Object.keys(scopes) as (keyof typeof scopes)[]).filter((scope) =>
      requestedScopes.includes(scope),
    ),
  };
}

/** Returns where a response to a redirect address goes. Throws a `TypeError` for a text that is no address. */
export function redirectDestination(address: string): RedirectDestination {
  const { protocol, hostname, host } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'scheme', name: protocol.slice(0, -1) };
  return loopbackHost.test(hostname) ? { kind: 'device', name: host } : { kind: 'host', name: host };
}
