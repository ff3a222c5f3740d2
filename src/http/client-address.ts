/** Who is at the other end of a connection. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const ipv4MappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address as text; undefined where it is none. A version 4 address within version 6 is written as the former. */
function parseAddress(text: string | undefined): string | undefined {
  const bare = (text ?? '').trim().replace(/^\[(.*)\](?::\d+)?$/, '$1');
  const address = ipv4MappedPattern.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : (address.split('%', 1)[0] as string).toLowerCase();
}

/**
 * The address that a request comes from. `X-Forwarded-For` is believed only with `trustProxy`, and of it only the last
 * entry: the one that the proxy in front has added itself.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const own = parseAddress(request.socket.remoteAddress) ?? 'unknown';
  if (!trustProxy) return own;
  const forwarded = request.headers['x-forwarded-for'];
  const list = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '');
  return parseAddress(list.split(',').at(-1)) ?? own;
}

/** What the browser says of itself. */
export const userAgent = (request: IncomingMessage): string => request.headers['user-agent'] ?? '';
