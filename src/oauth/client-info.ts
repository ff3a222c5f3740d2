/** Who asks for access, in words for the person who is asked. */
import type Provider from 'oidc-provider';
import { scopes } from '../contract/scopes.ts';
import { cleanClientName } from './client-metadata.ts';
import { loopbackHost } from './redirect-uris.ts';

type Client = InstanceType<Provider['Client']>;

/** Where the answer goes; `name` is a host, or the scheme that an app of the device has claimed. */
export type RedirectDestination = { kind: 'host' | 'device' | 'scheme'; name: string };

export type ClientInfo = {
  /** What it calls itself; null: nothing. */
  claimedName: string | null;
  /** The same, for lists: where it has no name, its host. */
  name: string;
  /** Its own page, where it names one. */
  uri: string | null;
  /** The host by which it is known: the one that vouches for it, else the one that the answer goes to; null: neither. */
  host: string | null;
  /** Its own host publishes its name, and the answer goes to that host or stays on this device. */
  verified: boolean;
  /** The host that publishes its name and address, where the answer goes to another. */
  publisher: string | null;
  destination: RedirectDestination;
  resource: string;
  scopes: (keyof typeof scopes)[];
};

/** @param parameters of the authorization request, as the library has checked them */
export function describeClient(client: Client, parameters: Record<string, unknown>): ClientInfo {
  const destination = redirectDestination(String(parameters.redirect_uri));
  const own = client.clientIdMetadataDocument === true ? new URL(client.clientId).host : null;
  const isElsewhere = destination.kind === 'host' && destination.name !== own;
  const asked = String(parameters.scope ?? '').split(' ');
  const host = destination.kind === 'host' ? destination.name : own;
  const claimed = cleanClientName(client.clientName) ?? null;
  return {
    claimedName: claimed,
    name: claimed ?? host ?? 'An app without a name',
    uri: client.clientUri ?? null,
    host,
    verified: own !== null && !isElsewhere,
    publisher: isElsewhere ? own : null,
    destination,
    resource: String(parameters.resource),
    scopes: (Object.keys(scopes) as (keyof typeof scopes)[]).filter((scope) => asked.includes(scope)),
  };
}

/** @param address a registered one */
export function redirectDestination(address: string): RedirectDestination {
  const { protocol, hostname, host } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'scheme', name: protocol.slice(0, -1) };
  return loopbackHost.test(hostname) ? { kind: 'device', name: host } : { kind: 'host', name: host };
}
