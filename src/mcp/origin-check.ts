/**
 * Whom a request was sent to and from where: protection against DNS rebinding (revision 2026-07-28, Streamable HTTP,
 * Security). A page of another site makes its own name point to this machine; the browser then takes this service for
 * that site. What gives it away is the name in `HostName`, and the site in `Origin`.
 *
 * Cross-origin calls as such are allowed (docs/spec/http.md#cross-origin-requests): a browser adds no credential here by itself,
 * so a script can do no more than its owner's key can from anywhere. What may not be is that a service which only its
 * own machine or network can reach is reached from outside through somebody's browser. So:
 * - `HostName` must be the service's own name, `localhost`, or an address in figures (which no name can be made to be).
 * - `Origin`, where a browser sends one, must be the service's own or one of this machine, unless the service has a
 *   public name: then nothing is hidden behind the browser, and any site may call.
 */
import { isIP } from 'node:net';

export type OriginCheck = (host: string | undefined, origin: string | undefined) => string | null;

/** What is wrong with a request's `HostName` and `Origin`, and what to do about it; null where nothing is. */
export function createOriginCheck(baseUrl: string): OriginCheck {
  const own = new URL(baseUrl);
  const isPublic = isDomainName(own.hostname);
  const names = new Set([own.hostname, 'localhost']);
  // Nearly all requests carry the same two values.
  const good = new Set<string>();
  return (host, origin) => {
    const pair = `${host} ${origin}`;
    if (good.has(pair)) return null;
    const name = isHostHeader(host) ? hostnameOf(`http://${host}`) : null;
    if (host === undefined || name === null || (isDomainName(name) && !names.has(name))) {
      return (
        `The Host header does not name this service. Call ${baseUrl}/mcp; or start the service with the address ` +
        'that you call as --base-url, and have a proxy in front pass Host on.'
      );
    }
    if (origin !== undefined && !isAllowedOrigin(origin, own, isPublic)) {
      return 'Pages of this origin may not call this service. Call it without a browser, or from its own address.';
    }
    if (good.size < 100) good.add(pair);
    return null;
  };
}

function isAllowedOrigin(origin: string, own: URL, isPublic: boolean): boolean {
  if (origin === own.origin) return true;
  const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  const name = isHostHeader(host) ? hostnameOf(origin) : null;
  if (name === null) return false;
  return isPublic || isLoopback(name);
}

/** A name or an address, and a port (RFC 9110, 7.2): no user, no path, nothing else that a URL may have. */
const isHostHeader = (host: string | undefined): boolean =>
  host !== undefined && /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host);

function hostnameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);

/** A name that somebody's name server answers for. */
const isDomainName = (name: string): boolean =>
  name !== 'localhost' && isIP(name.replace(/^\[|\]$/g, '')) === 0;
