/**
 * Rejects forms that pages of other sites post. Forms also carry a CSRF token (`account-request.ts`); the two checks are
 * independent.
 */
import type { IncomingMessage } from 'node:http';
import type { SiteUrl } from './site-url.ts';

/**
 * Whether a page of another site sent the request. Browsers state it in `Sec-Fetch-Site`. Older browsers, and browsers on
 * plain http, send `Origin`, which must be the site's or that of the requested host.
 */
export function isCrossSite(request: IncomingMessage, siteUrl: SiteUrl): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === new URL(siteUrl.url).origin) return false;
  return !/^https?:\/\//.test(origin) || origin.replace(/^https?:\/\//, '') !== host;
}
