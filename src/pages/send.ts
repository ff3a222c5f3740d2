/** Sends pages and redirects, with a Content-Security-Policy that allows only scripts and styles of the service. */
import type { ServerResponse } from 'node:http';
import { newRequestId } from '../http/problem-response.ts';

export type SendOptions = {
  /**
   * Targets of the page's forms: 'self', or 'anywhere' for a form whose response redirects to another host
   * (Chromium checks the redirect too).
   */
  forms?: 'self' | 'anywhere';
  /** Sources of images: the service, or any https address. */
  pictures?: 'self' | 'https';
  /** The origin of a tile server for maps, from which images may come as well. */
  tiles?: string;
  /**
   * Sources of audio: none if absent. Podcast hosts redirect through services that count listeners, whose hosts are not
   * known before, so that no narrower source than the scheme works.
   */
  audio?: 'https:' | 'https: http:';
  /** Sites whose pages may show the page in a frame: none if absent, or all. Such a page has no forms and no scripts. */
  frames?: 'anywhere';
  /** Hosts that scripts may request: none if absent, or the service. */
  connect?: 'self';
  /** `Cache-Control`; `no-store` by default. */
  cache?: string;
  headers?: Record<string, string | string[]>;
};

const embeddedPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  'frame-ancestors *',
].join('; ');

function contentSecurityPolicy(options: SendOptions): string {
  const { forms = 'self', pictures = 'self', connect: asks, tiles, audio } = options;
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "manifest-src 'self'",
    ...(asks === 'self' ? ["connect-src 'self'"] : []),
    pictures === 'https'
      ? "img-src 'self' https: data:"
      : `img-src 'self' data:${tiles === undefined ? '' : ` ${tiles}`}`,
    ...(audio === undefined ? [] : [`media-src ${audio}`]),
    ...(forms === 'self' ? ["form-action 'self'"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** `Cache-Control` of pages that hold secret tokens: no cache keeps them, and no proxy compresses them. */
export const privateCacheControl = 'no-store, no-transform';

/** Sends a page with the security headers of all pages. */
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
    'Content-Security-Policy':
      options.frames === 'anywhere' ? embeddedPolicy : contentSecurityPolicy(options),
    ...(options.frames === 'anywhere' ? {} : { 'X-Frame-Options': 'DENY' }),
    'X-Content-Type-Options': 'nosniff',
    // With `no-referrer`, browsers send "Origin: null" for the service's own forms.
    'Referrer-Policy': options.frames === 'anywhere' ? 'strict-origin-when-cross-origin' : 'same-origin',
    ...options.headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : html);
}

/** Redirects with 303. @param location a path of the service, or a verified address */
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
