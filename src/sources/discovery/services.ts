/**
 * Addresses that name their service: those whose interface is known, and those that are not read. Sorted by host. To
 * add a service, add an entry with its host and what to read instead.
 */
import type { SourceType } from '../adapter.ts';

/** A source that an address may be. */
export type Candidate = {
  type: SourceType;
  url: string;
  /** Options of the type, each `name=value`. */
  options: string[];
  /** What it is, in words, such as "a calendar". */
  label: string;
  /** Licence and credit that the service states. */
  license?: string;
  attribution?: string;
};

const discogsRefusal =
  'Discogs publishes its artists and labels as dumps, not as pages to read. Download them from data.discogs.com and run `cratebase import discogs_…_artists.xml.gz --source discogs --type discogs`.';
/** The address of a dump, at any server: it has gigabytes, which no preview reads. */
const discogsDump = /discogs_\d{8}_(?:artists|labels)\.xml\.gz$/;

type Service = {
  host: RegExp;
  /** Returns the source that an address stands for; null if the address is not one of those. */
  toCandidate?: (url: URL) => Candidate | null;
  /** Why the service is not read, and what to do instead. */
  refusal?: string;
};

const musicbrainzIncludes: Readonly<Record<string, string>> = {
  artist: 'aliases+genres+url-rels',
  event: 'artist-rels+place-rels+url-rels',
  label: 'aliases+genres+url-rels',
  place: 'aliases+url-rels',
};

/** Licence and credit of the data of OpenStreetMap and of Wikidata. */
export const openstreetmapCredit = { license: 'ODbL-1.0', attribution: '© OpenStreetMap contributors' };
export const wikidataCredit = { license: 'CC0-1.0', attribution: 'Wikidata' };

/** A service whose terms are known to forbid it: the guide "Your city in ten minutes" cites them. */
const forbidden = (name: string, instead: string): string =>
  `The terms of ${name} do not allow to copy its listings. ${instead}`;
/** A service that is not read without its permission. */
const withoutPermission = (name: string): string =>
  `cratebase does not read ${name} without its permission. ${ownPages}`;
const ownPages = 'Add the page or the calendar of the venue or promoter itself.';

const ofService = (type: SourceType, { href }: URL, label: string): Candidate => ({
  ...{ type, url: href, label },
  options: [],
});

const services: readonly Service[] = [
  {
    host: /^(?:[\w-]+\.)?bandsintown\.com$/,
    refusal: forbidden('Bandsintown', `Its interface needs a key as a partner. ${ownPages}`),
  },
  {
    host: /^api\.seatgeek\.com$/,
    toCandidate: (url) => ofService('seatgeek', url, 'the API of SeatGeek'),
  },
  {
    host: /^api\.tickettailor\.com$/,
    toCandidate: (url) => ofService('tickettailor', url, 'a box office of Ticket Tailor'),
  },
  {
    host: /^app\.ticketmaster\.com$/,
    toCandidate: (url) => ofService('ticketmaster', url, 'the Discovery API of Ticketmaster'),
  },
  {
    host: /^calendar\.google\.com$/,
    toCandidate: (url) => {
      const id = url.searchParams.get('src') ?? decodeCalendarId(url.searchParams.get('cid'));
      if (id === null || url.pathname.startsWith('/calendar/ical/')) return null;
      const address = `https://calendar.google.com/calendar/ical/${encodeURIComponent(id)}/public/basic.ics`;
      return { type: 'ical', url: address, options: [], label: 'a public Google Calendar' };
    },
  },
  { host: /^(?:[\w-]+\.)?dice\.fm$/, refusal: withoutPermission('DICE') },
  {
    host: /^(?:www\.)?discogs\.com$/,
    refusal: discogsRefusal,
  },
  {
    host: /^docs\.google\.com$/,
    toCandidate: (url) => {
      const [, id] = /^\/spreadsheets\/d\/([\w-]{20,100})(?:\/|$)/.exec(url.pathname) ?? [];
      if (id === undefined || id === 'e') return null;
      const sheet = /[#&?]gid=(\d{1,20})/.exec(`${url.search}${url.hash}`)?.[1] ?? '0';
      const address = `https://docs.google.com/spreadsheets/d/${id}/export?format=csv&gid=${sheet}`;
      return { type: 'csv', url: address, options: [], label: 'a table of Google Sheets' };
    },
  },
  { host: /^(?:[\w-]+\.)?(?:facebook|fb)\.(?:com|me)$/, refusal: forbidden('Facebook', ownPages) },
  {
    host: /^www\.eventbriteapi\.com$/,
    toCandidate: (url) => ofService('eventbrite', url, 'an organizer of Eventbrite'),
  },
  { host: /^(?:www\.)?instagram\.com$/, refusal: forbidden('Instagram', ownPages) },
  {
    host: /^(?:beta\.)?musicbrainz\.org$/,
    toCandidate: (url) => {
      const [, kind = '', id] =
        /^\/(artist|event|label|place)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/.exec(url.pathname) ??
        [];
      if (id === undefined) return null;
      const address = `https://musicbrainz.org/ws/2/${kind}/${id}?fmt=json&inc=${musicbrainzIncludes[kind]}`;
      return {
        ...{ type: 'musicbrainz', url: address, options: ['genres=all'] },
        label: `one ${kind} of MusicBrainz`,
        ...{ license: 'CC0-1.0', attribution: 'MusicBrainz' },
      };
    },
  },
  {
    host: /^(?:[\w-]+\.)?overpass-api\.de$/,
    toCandidate: (url) => ({
      ...ofService('openstreetmap', url, 'places of OpenStreetMap'),
      ...openstreetmapCredit,
    }),
  },
  {
    host: /^query\.wikidata\.org$/,
    toCandidate: (url) => ({
      ...ofService('wikidata', url, 'a query of Wikidata'),
      ...wikidataCredit,
    }),
  },
  { host: /^(?:www\.)?(?:ra\.co|residentadvisor\.net)$/, refusal: withoutPermission('Resident Advisor') },
  { host: /^(?:[\w-]+\.)?songkick\.com$/, refusal: withoutPermission('Songkick') },
  {
    host: /^(?:www\.)?ticketmaster\.[a-z.]{2,6}$/,
    refusal:
      'Ticketmaster is read through its Discovery API, not through its pages. Get a key at developer.ticketmaster.com, set CRATEBASE_TICKETMASTER_KEY, and add https://app.ticketmaster.com/discovery/v2/events.json?city=Berlin with your city.',
  },
];

/** A calendar's `cid` is its id in base64. */
function decodeCalendarId(cid: string | null): string | null {
  if (cid === null || cid.length > 500) return null;
  const text = cid.includes('@') ? cid : Buffer.from(cid, 'base64').toString('utf8');
  return /^[\w.%+#-]{1,200}@[\w.-]{1,200}$/.test(text) ? text : null;
}

/** Returns the source that an address stands for without a request; null if its service is not known. */
export function candidateOfService(address: string): Candidate | null {
  const url = new URL(address);
  return services.find(({ host }) => host.test(url.hostname))?.toCandidate?.(url) ?? null;
}

/** Returns why the service of an address is not read; null if it may be. */
export const refusalOf = (address: string): string | null =>
  services.find(({ host }) => host.test(new URL(address).hostname))?.refusal ??
  (discogsDump.test(address) ? discogsRefusal : null);
