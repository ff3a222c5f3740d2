/**
 * Protection against DNS rebinding (revision 2026-07-28, Streamable HTTP, Security): another site points its own name to
 * this machine, and the browser takes this service for that site. `Host` and `Origin` reveal it.
 *
 * Cross-origin calls as such are allowed (docs/spec/http.md#cross-origin-requests): a browser adds no credential by
 * itself, so a script can do no more than the owner of its key. But a service that only its own machine or network
 * reaches must not be reachable from outside through a browser. So:
 * - `Host` must be the name of the service, `localhost` or an IP address (which DNS cannot change).
 * - `Origin`, if present, must be that of the service or of this machine. A service with a public name accepts any: it
 *   is reachable without the browser.
 */
import { isIP } from 'node:net';

export type OriginCheck = (host: string | undefined, origin: string | undefined) => string | null;

/** Returns a check of `Host` and `Origin`, which returns an error message, or null if both are allowed. */
export function createOriginCheck(baseUrl: string): OriginCheck {
  const own = new URL(baseUrl);
  const isPublic = isDomainName(own.hostname);
  const names = new Set([own.hostname, 'localhost']);
  // Nearly all requests have the same two values.
  const allowedPairs = new Set<string>();
  return (host, origin) => {
    const pair = `${host} ${origin}`;
    if (allowedPairs.has(pair)) return null;
    const name = isHostHeader(host) ? hostnameOf(`http://${host}`) : null;
    if (host === undefined || name === null || (isDomainName(name) && !names.has(name))) {
      return (
        `The Host header does not name this service. Call ${baseUrl}/mcp. To use another address, start the service ` +
        'with it as --base-url. A proxy must forward the Host header.'
      );
    }
    if (origin !== undefined && !isAllowedOrigin(origin, own, isPublic)) {
      return 'Pages of this origin may not call this service. Call it without a browser, or from a page of the service.';
    }
    if (allowedPairs.size < 100) allowedPairs.add(pair);
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

/** Host and port (RFC 9110, 7.2), without user, path or other parts of a URL. */
const isHostHeader = (host: string | undefined): boolean =>
  host !== undefined && /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host);

function hostnameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null;
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);

/** A name that DNS resolves. */
const isDomainName = (name: string): boolean =>
  name !== 'localhost' && isIP(name.replace(/^\[|\]$/g, '')) === 0;
