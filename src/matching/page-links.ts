/** Compares the links of two listings: one page in common is strong evidence, unless it serves many events. */
import { LRUCache } from 'lru-cache';
import { getOrCreate, memoize, memoizeByObject } from '../memoize.ts';
import { type EventFacts, type Evidence, evidenceOf } from './model.ts';
import { eventWeights } from './weights.ts';

const eventEvidence = evidenceOf(eventWeights);

type PageLink = { key: string; host: string; isSpecific: boolean; written: string };

/** Query parameters that name an event; all others are for tracking. */
const eventParameters =
  /^(?:id|e|eid|event|event_?id|eventid|show|p|v|perf|performance|performance_?id|tid|concert|item|nid)$/i;
const nestedUrl = /^https?:\/\/|^https?%3a/i;

/** The key under which two URLs are one page; null where the text is no URL. */
export function pageKey(url: string): string | null {
  return readPage(url)?.key ?? null;
}

const urlPattern = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)(?::\d+)?([^?#]*)(?:\?([^#]*))?/i;

/** Memoized, since a listing is compared with many others. */
const readPage: (url: string) => PageLink | null = memoize(5_000, parsePage);

/** Parses a URL with a pattern: `new URL` would cost more than all other work on most listings. */
function parsePage(url: string): PageLink | null {
  const match = urlPattern.exec(url);
  if (match === null) return null;
  const [, name = '', path = '', asked = ''] = match;
  const query: string[] = [];
  for (const one of asked === '' ? [] : asked.split('&')) {
    const [parameter = '', value = ''] = one.split('=', 2);
    // Affiliates wrap the address of the page in one of their own.
    if (nestedUrl.test(value)) return parsePage(decodeText(value));
    if (eventParameters.test(parameter) && value !== '') query.push(decodeText(value).toLowerCase());
  }
  const host = name.toLowerCase().replace(/^(?:www|m|mobile|tickets?|shop)\.(?=.*\.)/, '');
  const segments = decodeText(path)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const parts = segments.filter(
    (part) => !/^(?:[a-z]{2}|[a-z]{2}-[a-z]{2}|index\.(?:html?|php))$/.test(part),
  );
  const key = [host, ...parts, ...query.sort()].join('/');
  return {
    key,
    host,
    isSpecific: isSpecific(withoutListPath(parts), query) || isNumberedEvent(segments),
    written: url,
  };
}

function decodeText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a path or query names one event, by a number or by joined words. A list or a front page has neither. */
const isSpecific = (parts: string[], query: string[]): boolean =>
  query.some((value) => /\d/.test(value)) ||
  parts.some(
    (part) =>
      /\d{3,}/.test(part) || (part.length >= 8 && /[-_]/.test(part)) || /^(?=.*\d)[a-z0-9]{6,}$/.test(part),
  );

/** Path segments before the number of an event, in several languages. */
const eventPathWords =
  /^(?:e|id|events?|eventos?|eventi|evenements?|evenementen|événements?|shows?|gigs?|concerts?|conciertos?|concert[oi]|concerten|konzerte?|koncert[yi]?|performances?|part(?:y|ies)|nights?|veranstaltung(?:en)?|vorstellung(?:en)?|voorstelling(?:en)?|termine?|spectacles?|soirees?|wydarzeni[ea]|tapahtumat?)$/;

/** "/events/77": a number of any length, where the segment before it names an event. */
function isNumberedEvent(parts: readonly string[]): boolean {
  const [before = '', last = ''] = parts.slice(-2);
  return (
    /^\d+(?:\.(?:html?|php|aspx?))?$/.test(last) && eventPathWords.test(before) && !yearPattern.test(last)
  );
}

const yearPattern = /^(?:199|20[0-4])\d$/;
const listPathPattern =
  /\/(?:(?:p|pages?|seite|pagina|página|strona|tags?|categor(?:y|ies)|kategorien?|archives?|archiv)\/\d+|(?:199|20[0-4])\d(?:\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?)?)$/;

/** "/events/page/123", "/archive/2026/12": page numbers and dates of lists name no event. */
const withoutListPath = (parts: string[]): string[] => {
  const path = `/${parts.join('/')}`;
  return listPathPattern.test(path) ? path.replace(listPathPattern, '').split('/').filter(Boolean) : parts;
};

/** The pages of a listing: its own, and those of its tickets. */
export function pagesOf(listing: Pick<EventFacts, 'url' | 'tickets'>): PageLink[] {
  const pages = [
    ...(listing.url ? [readPage(listing.url)] : []),
    ...(listing.tickets ?? []).map(({ url }) => (url ? readPage(url) : null)),
  ];
  return pages.filter((page) => page !== null);
}

/** The keys of the pages of a listing; each object is read once. */
export const pageKeysOf = memoizeByObject(
  (listing: Pick<EventFacts, 'url' | 'tickets'>): ReadonlySet<string> =>
    new Set(pagesOf(listing).map(({ key }) => key)),
);

type PageLinks = {
  all: readonly PageLink[];
  specific: readonly PageLink[];
  keys: ReadonlySet<string>;
  /** What `sharedPages` found with the pages of others. */
  sharedWith: WeakMap<PageLinks, SharedPages>;
};

const toPageLinks = (listing: EventFacts): PageLinks => {
  const all = pagesOf(listing);
  const specific = all.filter(({ isSpecific }) => isSpecific);
  return { all, specific, keys: pageKeysOf(listing), sharedWith: new WeakMap() };
};
/** Maximum total length of the addresses of recent listings in characters. */
const maxAddressChars = 2_000_000;
const linksByAddresses = new LRUCache<string, PageLinks>({
  maxSize: maxAddressChars,
  sizeCalculation: (_, addresses) => addresses.length + 100,
});

/** The pages of a listing; the same object for the same addresses, so that they are compared once. */
const cachedPagesOf = memoizeByObject((listing: EventFacts): PageLinks => {
  const addresses = [listing.url ?? '', ...(listing.tickets ?? []).map(({ url }) => url ?? '')].join('\n');
  return getOrCreate(linksByAddresses, addresses, () => toPageLinks(listing));
});

/**
 * Compares the links of two listings.
 * @param busy pages (as written) that serve events of several dates: a link to them weighs little
 */
export function compareLinks(a: EventFacts, b: EventFacts, busy: ReadonlySet<string>): Evidence[] {
  const [pagesA, pagesB] = [cachedPagesOf(a), cachedPagesOf(b)];
  if (pagesA.all.length === 0 || pagesB.all.length === 0) return [];
  const shared = pagesA.all.filter(({ key }) => pagesB.keys.has(key));
  const isBusy = ({ written }: PageLink) => busy.has(written);
  const telling = shared.find((page) => page.isSpecific && !isBusy(page));
  if (telling) return [eventEvidence('link.shared', telling.key)];
  if (shared.length === 0) return compareHosts(pagesA, pagesB);
  return [eventEvidence(shared.some(isBusy) ? 'link.shared-busy' : 'link.shared-general')];
}

/** The pages of one event that two listings share: unique keys, and the addresses as each writes them. */
export type SharedPages = {
  keys: readonly string[];
  pages: readonly Pick<PageLink, 'key' | 'written'>[];
};

/** The pages of one event that two listings share; the same object for the same addresses. */
export function sharedPages(a: EventFacts, b: EventFacts): SharedPages {
  const [pages, others] = [cachedPagesOf(a), cachedPagesOf(b)];
  if (pages.specific.length === 0 || others.all.length === 0) return noPages;
  return getOrCreate(pages.sharedWith, others, () => findSharedPages(pages, others));
}

function findSharedPages({ specific }: PageLinks, others: PageLinks): SharedPages {
  const shared = specific.filter(({ key }) => others.keys.has(key));
  if (shared.length === 0) return noPages;
  const keys = new Set(shared.map(({ key }) => key));
  return { keys: [...keys], pages: [...shared, ...others.all.filter(({ key }) => keys.has(key))] };
}
const noPages: SharedPages = { keys: [], pages: [] };

/** Two event pages at one seller are evidence against one event. */
function compareHosts(a: PageLinks, b: PageLinks): Evidence[] {
  const hosts = new Set(b.specific.map(({ host }) => host));
  const common = a.specific.find(({ host }) => hosts.has(host));
  if (!common) return [];
  return [eventEvidence('link.two-pages', common.host)];
}
