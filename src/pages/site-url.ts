/** Where pages lie, and under which name: what every page needs to know of the service. */
import { isHttps } from '../http/cookies.ts';

export type SiteUrl = {
  /** The address of the pages, as configured; never from a request. */
  readonly url: string;
  /** What stands before every path within the address: '' or such as '/music'. */
  readonly prefix: string;
  /** Browsers come by https. */
  readonly secure: boolean;
  /** The service's name. */
  readonly name: string;
};

/** @param url an address without a slash at its end (`--account-url` or `--base-url`) */
export function createSiteUrl(url: string, name: string): SiteUrl {
  const { pathname } = new URL(url);
  return { url, prefix: pathname === '/' ? '' : pathname.replace(/\/+$/, ''), secure: isHttps(url), name };
}
