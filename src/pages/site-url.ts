/** The address and name of the service, for all pages. */
import { isHttps } from '../http/cookies.ts';

export type SiteUrl = {
  /** The address of the pages without a slash at its end, as configured; never taken from a request. */
  readonly url: string;
  /** The path of the address, which precedes all paths of pages: '' or '/music'. */
  readonly prefix: string;
  /** Whether browsers use https; cookies are `Secure` then. */
  readonly secure: boolean;
  /** The service's name. */
  readonly name: string;
};

/** Parses a configured address. @param url without a slash at its end (`--account-url` or `--base-url`) */
export function createSiteUrl(url: string, name: string): SiteUrl {
  const { pathname } = new URL(url);
  return { url, prefix: pathname === '/' ? '' : pathname.replace(/\/+$/, ''), secure: isHttps(url), name };
}
