/** The address and name of the service, for all pages. */
import { defaultIdentity, type Identity, type ReadIdentity } from '../contract/identity.ts';
import { isHttps } from '../http/cookies.ts';

export type SiteUrl = {
  /** The address of the pages without a slash at its end, as configured; never taken from a request. */
  readonly url: string;
  /** The path of the address, which precedes all paths of pages: '' or '/music'. */
  readonly prefix: string;
  /** Whether browsers use https; cookies are `Secure` then. */
  readonly secure: boolean;
  /** The service's present name. */
  readonly name: string;
  /** Its present name, logo, colours, links and texts. */
  readonly identity: Identity;
};

/**
 * Parses a configured address.
 * @param url without a slash at its end (`--account-url` or `--base-url`)
 * @param identity returns the present identity, or a name
 */
export function createSiteUrl(url: string, identity: ReadIdentity | string): SiteUrl {
  const { pathname } = new URL(url);
  const readIdentity = typeof identity === 'string' ? () => defaultIdentity(identity) : identity;
  return {
    url,
    prefix: pathname === '/' ? '' : pathname.replace(/\/+$/, ''),
    secure: isHttps(url),
    get name() {
      return readIdentity().name;
    },
    get identity() {
      return readIdentity();
    },
  };
}
