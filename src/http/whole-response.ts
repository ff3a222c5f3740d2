/**
 * Sends a response whose headers and body are known as one text. Node.js would check and compare each of its 18 headers,
 * and send headers and body as two buffers: together a fifth of the processor time of a short response.
 */
import type { IncomingMessage } from 'node:http';
import type { CountedResponse } from './metrics.ts';

/** How long a connection is kept for another request, in ms: longer than proxies keep theirs. */
export const keepAliveMs = 75_000;

/** A longer text is copied once more before it is written (`StreamBase::WriteString` in Node.js). */
const maxTextBytes = 16_384;
/** What no header may have (RFC 9110, section 5.5). */
const forbiddenPattern = /[^\t\x20-\x7e\x80-\xff]/;
const statusLine = 'HTTP/1.1 200 OK\r\n';
const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1_000}\r\n\r\n`;
let date = { second: Number.NaN, text: '' };

/**
 * Sends a response with status 200 to a GET request, if Node.js would send the same: on a connection that stays open, to a
 * client of HTTP/1.1, without headers from elsewhere.
 *
 * @param headers names and values in turn, without those of the connection and the date
 * @returns false if nothing was sent
 */
export function sendWhole(
  request: IncomingMessage,
  response: CountedResponse,
  headers: readonly string[],
  body: Buffer,
): boolean {
  if (!isPlain(request, response) || forbiddenPattern.test(headers.join(''))) return false;
  let head = statusLine;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  head += `Content-Length: ${body.length}\r\nDate: ${currentDate()}\r\n${keepAlive}`;
  // Node.js has no other way to send headers as they are. It writes this text before the body.
  Object.assign(response, { _header: head });
  if (!response.headersSent) return false;
  if (head.length + body.length > maxTextBytes) response.end(body);
  else response.end(body.toString('latin1'), 'latin1');
  return true;
}

/** Whether Node.js would add the same headers as `sendWhole`. */
function isPlain(request: IncomingMessage, response: CountedResponse): boolean {
  return (
    request.method === 'GET' &&
    request.httpVersionMinor === 1 &&
    request.headers.expect === undefined &&
    response.shouldKeepAlive &&
    !response.isLast() &&
    !response.headersSent &&
    response.getHeaderNames().length === 0
  );
}

function currentDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== date.second) date = { second, text: new Date(second * 1_000).toUTCString() };
  return date.text;
}
