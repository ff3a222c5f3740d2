/** How documentation is sent: with a policy under which only this server is asked for anything. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesETag, strongETag } from '../../http/etag.ts';
import { sendPage } from '../../pages/send.ts';

export type HtmlResponse = { html: string; status?: number; headers?: Record<string, string> };
export type TextResponse = { text: string; type: string };
export type DocsResponse = HtmlResponse | TextResponse;

/**
 * Beside what all pages may do, the reference asks the API. It never leaves this server: no `unsafe-eval`, no inline
 * script, no inline style sheet.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page; it may show who is signed in, so nobody else keeps it. */
export function sendHtml(response: ServerResponse, { html, status = 200, headers = {} }: HtmlResponse): void {
  sendPage(response, status, html, {
    headers: { 'Content-Security-Policy': contentSecurityPolicy, ...headers },
  });
}

/** A text that is the same for everybody, to be read from anywhere. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { text, type }: TextResponse,
): void {
  const tag = strongETag(text);
  const known = matchesETag(request.headers['if-none-match'], tag);
  response.writeHead(known ? 304 : 200, {
    'Content-Type': type,
    ...(known ? {} : { 'Content-Length': Buffer.byteLength(text) }),
    ETag: tag,
    'Cache-Control': 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(known || request.method === 'HEAD' ? undefined : text);
}
