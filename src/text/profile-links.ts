/** Classifies the web addresses of an artist, label, venue or festival, and extracts ids from them. */
import type { ExternalService } from '../contract/fields.ts';

export type ProfileLink = { type: string; url: string };
export type ProfileLinks = {
  /** The first address that belongs to no known service. */
  website: string | undefined;
  links: ProfileLink[];
  external_ids: Partial<Record<ExternalService, string>>;
};

/** Services by host; other hosts are websites. */
const servicesByHost: [RegExp, string][] = [
  [/(?:^|\.)facebook\.com$|^fb\.(?:com|me)$/, 'facebook'],
  [/(?:^|\.)instagram\.com$/, 'instagram'],
  [/(?:^|\.)(?:twitter|x)\.com$/, 'twitter'],
  [/(?:^|\.)youtube\.com$|^youtu\.be$/, 'youtube'],
  [/(?:^|\.)soundcloud\.com$/, 'soundcloud'],
  [/(?:^|\.)bandcamp\.com$/, 'bandcamp'],
  [/(?:^|\.)mixcloud\.com$/, 'mixcloud'],
  [/(?:^|\.)spotify\.com$/, 'spotify'],
  [/(?:^|\.)(?:itunes|music)\.apple\.com$/, 'apple_music'],
  [/(?:^|\.)beatport\.com$/, 'beatport'],
  [/(?:^|\.)(?:ra\.co|residentadvisor\.net)$/, 'ra'],
  [/(?:^|\.)discogs\.com$/, 'discogs'],
  [/(?:^|\.)musicbrainz\.org$/, 'musicbrainz'],
  [/(?:^|\.)wikipedia\.org$/, 'wikipedia'],
  [/(?:^|\.)wikidata\.org$/, 'wikidata'],
  [/(?:^|\.)songkick\.com$/, 'songkick'],
  [/(?:^|\.)bandsintown\.com$/, 'bandsintown'],
  [/(?:^|\.)setlist\.fm$/, 'setlistfm'],
  [/(?:^|\.)ticketmaster\.[a-z.]+$/, 'ticketmaster'],
  [/(?:^|\.)last\.fm$|(?:^|\.)lastfm\.[a-z.]+$/, 'lastfm'],
  [/(?:^|\.)myspace\.com$/, 'myspace'],
  [/(?:^|\.)vimeo\.com$/, 'vimeo'],
  [/(?:^|\.)twitch\.tv$/, 'twitch'],
  [/(?:^|\.)tiktok\.com$/, 'tiktok'],
  [/(?:^|\.)tumblr\.com$/, 'tumblr'],
  [/(?:^|\.)(?:vk\.com|vkontakte\.ru)$/, 'vk'],
  [/(?:^|\.)allmusic\.com$/, 'allmusic'],
  [/(?:^|\.)imdb\.com$/, 'imdb'],
  [/(?:^|\.)deezer\.com$/, 'deezer'],
  [/(?:^|\.)tidal\.com$/, 'tidal'],
];
/** Databases and similar sites, whose pages are not an artist's own website. */
const databaseHosts =
  /(?:^|\.)(?:viaf\.org|isni\.org|bnf\.fr|loc\.gov|d-nb\.info|worldcat\.org|rateyourmusic\.com|secondhandsongs\.com|whosampled\.com|bbc\.co\.uk|flickr\.com|plus\.google\.com|google\.com|bookogs\.com|rolldabeats\.com|linkedin\.com|dailymotion\.com|imvdb\.com|genius\.com|geonames\.org|commons\.wikimedia\.org|archive\.org|openstreetmap\.org|foursquare\.com|blogspot\.[a-z.]+|linktr\.ee)$/;

/** Addresses that contain an id of their service. */
const idPatterns: [ExternalService, RegExp][] = [
  ['discogs', /discogs\.com\/(?:[a-z]{2}\/)?(?:artist|label|user)?\/?(?<=\/(?:artist|label)\/)(\d+)/],
  ['musicbrainz', /musicbrainz\.org\/(?:artist|label|place|series)\/([\da-f-]{36})/],
  [
    'ra',
    /(?:ra\.co|residentadvisor\.net)\/(?:(?:dj|labels|clubs|profile|promoters)\/|(?:club|record-label|promoter)\.aspx\?id=)([\w.-]+)/,
  ],
  ['spotify', /open\.spotify\.com\/(?:intl-[a-z]+\/)?artist\/([\dA-Za-z]{22})/],
  ['wikidata', /wikidata\.org\/(?:wiki|entity)\/(Q\d+)/],
  ['songkick', /songkick\.com\/(?:artists|venues|festivals)\/(\d+)/],
  ['setlistfm', /setlist\.fm\/(?:setlists|venue|festivals?)\/(?:[^/]*-)?([\da-f]{6,10})\.html/],
  ['bandsintown', /bandsintown\.com\/(?:\w{2}\/)?(?:a|v)\/(\d+)/],
  ['beatport', /beatport\.com\/(?:artist|label)\/[^/]+\/(\d+)/],
  ['soundcloud', /soundcloud\.com\/([\w-]+)\/?$/],
  ['mixcloud', /mixcloud\.com\/([\w-]+)\/?$/],
  ['bandcamp', /^https?:\/\/([\w-]+)\.bandcamp\.com/],
  ['ticketmaster', /ticketmaster\.[a-z.]+\/(?:[^/]+\/)?(?:artist|venue)\/(\w+)/],
];

const maxLinks = 60;

/** Returns the service of an address; `other` for databases, and `website` for all other sites. */
export function serviceOf({ hostname }: URL): string {
  const host = hostname.replace(/^www\./, '').toLowerCase();
  const service = servicesByHost.find(([pattern]) => pattern.test(host))?.[1];
  return service ?? (databaseHosts.test(host) ? 'other' : 'website');
}

/** Adds the id that an address has at its service, unless an address before it had one. */
export function addServiceIds(ids: ProfileLinks['external_ids'], url: URL): void {
  const type = serviceOf(url);
  for (const [service, pattern] of idPatterns) {
    const id = service === type ? pattern.exec(url.href)?.[1] : undefined;
    if (id !== undefined) ids[service] ??= id;
  }
}

/**
 * Parses the addresses of a profile. Invalid addresses are left out.
 * @param addresses as a source lists them; http if they have no scheme
 * @returns unique links, the website, and the ids of services
 */
export function parseProfileLinks(addresses: Iterable<string>): ProfileLinks {
  const links = new Map<string, ProfileLink>();
  const external: ProfileLinks['external_ids'] = {};
  for (const address of addresses) {
    const url = toWebUrl(address);
    if (url === null || links.size >= maxLinks) continue;
    links.set(url.href, { type: serviceOf(url), url: url.href });
    addServiceIds(external, url);
  }
  const list = [...links.values()];
  return { website: list.find(({ type }) => type === 'website')?.url, links: list, external_ids: external };
}

function toWebUrl(address: string): URL | null {
  const text = address.trim();
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:/i.test(text) && !/^[\w.-]+:\d+(?:\/|$)/.test(text) ? text : `http://${text}`,
  );
  const usable = url !== null && /^https?:$/.test(url.protocol) && /\.[a-z]{2,}$/i.test(url.hostname);
  return usable && url.href.length <= 2_000 && url.username === '' ? url : null;
}
