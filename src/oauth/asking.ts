/** Who asks for access, in words for the person who is asked. */
import type Provider from 'oidc-provider';
import { scopes } from '../contract/scopes.ts';
import { nameOf } from './metadata.ts';

type Client = InstanceType<Provider['Client']>;

/** Where the answer goes; `name` is a host, or the scheme that an app of the device has claimed. */
export type Destination = { kind: 'host' | 'device' | 'scheme'; name: string };

export type Asking = {
  name: string;
  /** Its own page, where it names one. */
  uri: string | null;
  /** The host that vouches for it, or that the answer goes to; null where it lives on people's machines. */
  host: string | null;
  /** Its name and its addresses were read from its own host. */
  verified: boolean;
  destination: Destination;
  resource: string;
  scopes: (keyof typeof scopes)[];
};

/** @param parameters of the authorization request, as the library has checked them */
export function describeClient(client: Client, parameters: Record<string, unknown>): Asking {
  const verified = client.clientIdMetadataDocument === true;
  const destination = destinationOf(String(parameters.redirect_uri));
  const own = verified ? new URL(client.clientId).host : null;
  const asked = String(parameters.scope ?? '').split(' ');
  return {
    name: nameOf(client.clientName) ?? own ?? 'An app without a name',
    uri: client.clientUri ?? null,
    host: own ?? (destination.kind === 'host' ? destination.name : null),
    verified,
    destination,
    resource: String(parameters.resource),
    scopes: (Object.keys(scopes) as (keyof typeof scopes)[]).filter((scope) => asked.includes(scope)),
  };
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function destinationOf(address: string): Destination {
  const { protocol, hostname, host } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'scheme', name: protocol.slice(0, -1) };
  return loopback.test(hostname) ? { kind: 'device', name: host } : { kind: 'host', name: host };
}
