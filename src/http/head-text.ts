/**
 * Sends a successful response whose head is one text.
 *
 * `ServerResponse.writeHead` checks and joins each of 25 header fields on its own: 1 to 2 µs of the 18 to 30 of a request
 * (docs/decisions/77-head-as-one-text.md).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CountedResponse } from './metrics.ts';

/** How long a connection is kept, in seconds: longer than proxies keep it, so that none is closed while a proxy uses it again. */
export const keepAliveSeconds = 75;

/** Characters that a value must not have: control characters, and those that are not Latin-1 (RFC 9110, section 5.5). */
const notInValues = /[^\t\x20-\x7e\x80-\xff]/;

/** The field of `OutgoingMessage` with the head, which `end` sends first. */
type WithHead = { _header: string | null };

/**
 * Sends a response with status 200 to a GET request over a connection that stays open. The head is the one that
 * Node.js would write.
 *
 * @param own fields that differ between responses, names and values in turn
 * @param others the lines of the other fields, each with its end
 * @param body at least one byte
 * @returns false, and nothing is sent, where Node.js has to write the head: other methods and versions of HTTP, connections
 *   that end, headers set before, values that must not be sent
 */
export function sendWithHeadText(
  request: IncomingMessage,
  response: ServerResponse,
  own: readonly string[],
  others: string,
  body: Buffer,
): boolean {
  if (!(response instanceof CountedResponse) || !response.shouldKeepAlive || response.isServerStopping)
    return false;
  if (request.method !== 'GET' || request.httpVersion !== '1.1' || response.getHeaderNames().length > 0)
    return false;
  let head = 'HTTP/1.1 200 OK\r\n';
  for (let at = 0; at < own.length; at += 2) {
    const value = own[at + 1] as string;
    if (notInValues.test(value)) return false;
    head += `${own[at]}: ${value}\r\n`;
  }
  head += `${others}Content-Length: ${body.length}\r\nDate: ${httpDate()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
  (response as unknown as WithHead)._header = head;
  response.end(body);
  return true;
}

let date = { second: 0, text: '' };

/** The present time as in the Date header (RFC 9110, section 6.6.1). */
function httpDate(): string {
  const now = Date.now();
  const second = Math.trunc(now / 1_000);
  if (second !== date.second) date = { second, text: new Date(now).toUTCString() };
  return date.text;
}
