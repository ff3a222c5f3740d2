/** Responses of the documentation: HTML pages, and texts that anyone may read from any origin. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchesETag, strongETag } from '../../http/etag.ts';
import { sendPage } from '../../pages/send.ts';

export type HtmlResponse = { html: string; status?: number; headers?: Record<string, string> };
export type TextResponse = { text: string; type: string };
export type DocsResponse = HtmlResponse | TextResponse;

/** Sends a page. It may show who is signed in, so it is never cached. The reference's script requests the API. */
export function sendHtml(response: ServerResponse, { html, status = 200, headers = {} }: HtmlResponse): void {
  sendPage(response, status, html, { connect: 'self', headers });
}

/** Sends a text that is the same for every visitor, with an ETag and open to all origins. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { text, type }: TextResponse,
): void {
  const tag = strongETag(text);
  const isUnchanged = matchesETag(request.headers['if-none-match'], tag);
  response.writeHead(isUnchanged ? 304 : 200, {
    'Content-Type': type,
    ...(isUnchanged ? {} : { 'Content-Length': Buffer.byteLength(text) }),
    ETag: tag,
    'Cache-Control': 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(isUnchanged || request.method === 'HEAD' ? undefined : text);
}
