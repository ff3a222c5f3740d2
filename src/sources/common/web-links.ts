/** Recognizes profile pages of known services, and normalizes web addresses. */

type LinkService = { service: string; host: RegExp; id?: RegExp };

const services: readonly LinkService[] = [
  {
    service: 'musicbrainz',
    host: /(?:^|\.)musicbrainz\.org$/,
    id: /^\/(?:artist|place|label|event|series)\/([\da-f-]{36})/,
  },
  { service: 'discogs', host: /(?:^|\.)discogs\.com$/, id: /^\/(?:[a-z]{2}\/)?(?:artist|label)\/(\d+)/ },
  {
    service: 'ra',
    host: /(?:^|\.)(?:ra\.co|residentadvisor\.net)$/,
    id: /^\/(?:dj|clubs|labels|profile)\/([\w.-]+)/,
  },
  { service: 'spotify', host: /^open\.spotify\.com$/, id: /^\/(?:intl-\w+\/)?artist\/(\w{22})/ },
  { service: 'wikidata', host: /(?:^|\.)wikidata\.org$/, id: /^\/(?:wiki|entity)\/(Q\d+)/ },
  { service: 'songkick', host: /(?:^|\.)songkick\.com$/, id: /^\/(?:artists|venues|festivals)\/(\d+)/ },
  { service: 'setlistfm', host: /(?:^|\.)setlist\.fm$/ },
  { service: 'bandsintown', host: /(?:^|\.)bandsintown\.com$/, id: /^\/(?:\w{2}\/)?(?:a|v)\/(\d+)/ },
  { service: 'beatport', host: /(?:^|\.)beatport\.com$/, id: /^\/(?:artist|label)\/[^/]+\/(\d+)/ },
  { service: 'soundcloud', host: /(?:^|\.)soundcloud\.com$/, id: /^\/([\w-]+)\/?$/ },
  { service: 'mixcloud', host: /(?:^|\.)mixcloud\.com$/, id: /^\/([\w-]+)\/?$/ },
  { service: 'bandcamp', host: /(?:^|\.)bandcamp\.com$/ },
  { service: 'facebook', host: /(?:^|\.)facebook\.com$/ },
  { service: 'instagram', host: /(?:^|\.)instagram\.com$/ },
  { service: 'twitter', host: /(?:^|\.)(?:twitter|x)\.com$/ },
  { service: 'youtube', host: /(?:^|\.)(?:youtube\.com|youtu\.be)$/ },
  { service: 'wikipedia', host: /(?:^|\.)wikipedia\.org$/ },
  { service: 'lastfm', host: /(?:^|\.)last\.fm$/ },
  { service: 'ticketmaster', host: /(?:^|\.)ticketmaster\.[a-z.]{2,6}$/ },
];

export type ProfileLink = { type: string; url: string };

/** Returns the service of an address; `website` for all other sites. */
export function toProfileLink(url: string): ProfileLink {
  const { hostname } = new URL(url);
  return { type: services.find(({ host }) => host.test(hostname))?.service ?? 'website', url };
}

/** Extracts service ids from addresses. The first id of a service counts. */
export function extractServiceIds(urls: readonly string[]): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const url of urls) {
    const { hostname, pathname } = new URL(url);
    const match = services.find(({ host }) => host.test(hostname));
    const id = match?.id?.exec(pathname)?.[1];
    if (match && id !== undefined) ids[match.service] ??= id;
  }
  return ids;
}

const trackingParameter = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|_ga|_gl|yclid)$/i;

/**
 * Normalizes a web address: absolute, without credentials and tracking parameters.
 * @returns null where it is no http address
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
 * @returns null where it is no http address
 */
export function normalizeWrittenUrl(text: string): string | null {
  const written = text.trim();
  return normalizeUrl(bareAddress.test(written) ? `https://${written}` : written, null);
}

/** Whether two addresses are on the same site; `www.` is ignored. */
export const isSameSite = (one: string, other: string): boolean => siteHost(one) === siteHost(other);
export const siteHost = (url: string): string => new URL(url).host.replace(/^www\./, '');
