/** How a page is sent: with a policy under which nothing runs or loads but what is ours. */
import type { ServerResponse } from 'node:http';
import { newRequestId } from '../http/problem-response.ts';

export type SendOptions = {
  /**
   * Where forms of the page may be sent: 'self', or 'anywhere' for a form whose answer leads on to another host
   * (Chromium checks the redirect too).
   */
  forms?: 'self' | 'anywhere';
  /** Pictures may come from any https address. */
  pictures?: 'self' | 'https';
  /** What scripts of the page may ask: nothing, or the service itself. */
  connect?: 'self';
  /** `Cache-Control`; nothing is kept by default. */
  cache?: string;
  headers?: Record<string, string | string[]>;
};

function contentSecurityPolicy({ forms = 'self', pictures = 'self', connect: asks }: SendOptions): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    ...(asks === 'self' ? ["connect-src 'self'"] : []),
    pictures === 'https' ? "img-src 'self' https: data:" : "img-src 'self' data:",
    ...(forms === 'self' ? ["form-action 'self'"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Ends the response with a page. */
export function sendPage(
  response: ServerResponse,
  status: number,
  html: string | Buffer,
  options: SendOptions = {},
): void {
  if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', newRequestId());
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': options.cache ?? 'no-store',
    'Content-Security-Policy': contentSecurityPolicy(options),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // Not `no-referrer`: with it, browsers say "Origin: null" of our own forms.
    'Referrer-Policy': 'same-origin',
    ...options.headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : html);
}

/** Sends the browser on, by GET, to a path of ours (or an address that is known to be good). */
export function redirect(
  response: ServerResponse,
  location: string,
  headers: Record<string, string | string[]> = {},
): void {
  if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', newRequestId());
  response.writeHead(303, {
    Location: location,
    'Content-Length': 0,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    ...headers,
  });
  response.end();
}
