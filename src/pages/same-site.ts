/**
 * Which posted forms are heard at all: those that a browser sends from our own pages. Beside this every form carries a
 * token (`account-request.ts`); either would do, and neither is trusted alone.
 */
import type { IncomingMessage } from 'node:http';
import type { SiteUrl } from './site-url.ts';

/**
 * Whether the browser says that another site's page sent this. `Sec-Fetch-Site` says so by itself; older browsers,
 * and those that come by plain http, send `Origin`, which must be ours or that of the host they called.
 */
export function isCrossSite(request: IncomingMessage, siteUrl: SiteUrl): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === new URL(siteUrl.url).origin) return false;
  return !/^https?:\/\//.test(origin) || origin.replace(/^https?:\/\//, '') !== host;
}
