/** A proxy in front that nobody spoke of: seen once, by what it adds to requests. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { RequestHandler } from './server.ts';

/** `handler`, and `tell` called once: at the first request that a proxy near by has passed on. */
export function detectProxy(handler: RequestHandler, onDetected: () => void): RequestHandler {
  let told = false;
  return (request, response) => {
    if (!told && request.headers['x-forwarded-for'] !== undefined && isFromLocalNetwork(request)) {
      told = true;
      // Telling writes; the answer does not wait for that.
      response.once('close', onDetected);
    }
    handler(request, response);
  };
}

/** From this machine or its network. Whoever comes from elsewhere may have made the header up. */
function isFromLocalNetwork(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress?.split('%', 1)[0] ?? '';
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast';
}
