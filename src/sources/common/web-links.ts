/** Recognizes profile pages of known services, and normalizes web addresses. */
import type { ExternalService } from '../../contract/fields.ts';
import { addServiceIds, type ProfileLink, serviceOf } from '../../text/profile-links.ts';

/** Returns an address with its service; `website` for sites that belong to no known one. */
export const toProfileLink = (url: string): ProfileLink => ({ type: serviceOf(new URL(url)), url });

/** Extracts service ids from addresses. The first id of a service counts. */
export function extractServiceIds(urls: readonly string[]): Partial<Record<ExternalService, string>> {
  const ids: Partial<Record<ExternalService, string>> = {};
  for (const url of urls) addServiceIds(ids, new URL(url));
  return ids;
}

const trackingParameter = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|_ga|_gl|yclid)$/i;

/**
 * Normalizes a web address: absolute, without credentials and tracking parameters.
 * @returns null if it is not an http address
 */
export function normalizeUrl(text: string, base: string | null): string | null {
  const written = text.trim().replace(/^\/\//, 'https://');
  if (written === '' || !URL.canParse(written, base ?? undefined)) return null;
  const url = new URL(written, base ?? undefined);
  if (!/^https?:$/.test(url.protocol) || url.href.length > 2_000) return null;
  for (const name of [...url.searchParams.keys()])
    if (trackingParameter.test(name)) url.searchParams.delete(name);
  url.username = '';
  url.password = '';
  return url.href;
}

/** "club.example", "www.club.example/tickets?id=1": a host with a domain, and a path. */
const bareAddress = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?::\d{1,5})?(?:[/?#]\S*)?$/u;

/**
 * Normalizes a web address that a person wrote, with or without `https://`.
 * @returns null if it is not an http address
 */
export function normalizeWrittenUrl(text: string): string | null {
  const written = text.trim();
  return normalizeUrl(bareAddress.test(written) ? `https://${written}` : written, null);
}

/** Whether two addresses are on the same site; `www.` is ignored. */
export const isSameSite = (one: string, other: string): boolean => siteHost(one) === siteHost(other);
/** Returns the host and port of an address without `www.`. Throws `TypeError` if the text is not a URL. */
export const siteHost = (url: string): string => new URL(url).host.replace(/^www\./, '');
