/** Addresses of the web that say who someone is: the service they lead to, and the id that stands in them. */

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

/** The service that an address leads to; `website` where it is somebody's own. */
export function toProfileLink(url: string): ProfileLink {
  const { hostname } = new URL(url);
  return { type: services.find(({ host }) => host.test(hostname))?.service ?? 'website', url };
}

/** The ids that stand in addresses, by service; of two of one service the first counts. */
export function extractServiceIds(urls: readonly string[]): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const url of urls) {
    const { hostname, pathname } = new URL(url);
    const found = services.find(({ host }) => host.test(hostname));
    const id = found?.id?.exec(pathname)?.[1];
    if (found && id !== undefined) ids[found.service] ??= id;
  }
  return ids;
}

const trackingParameter = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|_ga|_gl|yclid)$/i;

/** An address as one that names its page: absolute, without what only counts visits. Null where it is none of the web. */
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

/** Whether two hosts are one site: `www.` makes no difference. */
export const isSameSite = (one: string, other: string): boolean => siteHost(one) === siteHost(other);
export const siteHost = (url: string): string => new URL(url).host.replace(/^www\./, '');
