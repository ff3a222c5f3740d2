/** The address and the browser of a client, and the detection of a proxy that the service does not expect. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { memoize } from '../memoize.ts';
import type { RequestHandler } from './server.ts';

const ipv4MappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** No address is longer. */
const maxAddressLength = 100;

/** Normalizes an IP address; undefined if it is none. An IPv4 address mapped into IPv6 becomes IPv4. */
const parseAddress = (text: string | undefined): string | undefined =>
  text === undefined || text.length > maxAddressLength ? undefined : (normalizeAddress(text) ?? undefined);

/** Memoized: a client sends many requests from one address. */
const normalizeAddress = memoize(1_000, (text: string): string | null => {
  // Some proxies append the port.
  const bare = text
    .trim()
    .replace(/^\[(.*)\](?::\d{1,5})?$/, '$1')
    .replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, '$1');
  const address = ipv4MappedPattern.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? null : (address.split('%', 1)[0] as string).toLowerCase();
});

/**
 * Returns the client address of a request; `unknown` if the socket has none. With `trustProxy` it is the last entry of
 * `X-Forwarded-For`, which the proxy in front adds: a client can forge the others.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const peer = parseAddress(request.socket.remoteAddress) ?? 'unknown';
  if (!trustProxy) return peer;
  const forwarded = request.headers['x-forwarded-for'];
  const list = Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '');
  return parseAddress(list.split(',').at(-1)) ?? peer;
}

/** The User-Agent header; empty without one. */
export const userAgent = (request: IncomingMessage): string => request.headers['user-agent'] ?? '';

/** Wraps `handler`, and calls `onDetected` once, after the first request that a proxy in the local network passed on. */
export function detectProxy(handler: RequestHandler, onDetected: () => void): RequestHandler {
  let isDetected = false;
  return (request, response) => {
    if (!isDetected && request.headers['x-forwarded-for'] !== undefined && isFromLocalNetwork(request)) {
      isDetected = true;
      // `onDetected` writes to the data file: the response does not wait for it.
      response.once('close', onDetected);
    }
    handler(request, response);
  };
}

/** A client elsewhere may have forged the header. */
function isFromLocalNetwork(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress?.split('%', 1)[0] ?? '';
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast';
}
