/** Links to pages of shows, compared: the same page is strong evidence, unless it serves many shows. */
import { memoize } from '../memoize.ts';
import { type EventFacts, type Evidence, evidenceOf } from './model.ts';
import { eventWeights } from './weights.ts';

const eventEvidence = evidenceOf(eventWeights);

type PageLink = { key: string; host: string; isSpecific: boolean; written: string };

/** Query parameters that name a show; all others say where a visitor came from. */
const eventParameters =
  /^(?:id|e|eid|event|event_?id|eventid|show|p|v|perf|performance|performance_?id|tid|concert|item|nid)$/i;
const nestedUrl = /^https?:\/\/|^https?%3a/i;

/** An address as two listings are compared by it; null where it is none. */
export function pageKey(url: string): string | null {
  return readPage(url)?.key ?? null;
}

const urlPattern = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)(?::\d+)?([^?#]*)(?:\?([^#]*))?/i;

/** A listing is compared with many, and read again with each of its record. */
const readPage: (url: string) => PageLink | null = memoize(5_000, parsePage);

/** Read by hand: the platform's own reader costs more than all else that is done with most listings. */
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
  const written = decodeText(path)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const parts = written.filter((part) => !/^(?:[a-z]{2}|[a-z]{2}-[a-z]{2}|index\.(?:html?|php))$/.test(part));
  const key = [host, ...parts, ...query.sort()].join('/');
  return {
    key,
    host,
    isSpecific: isSpecific(withoutListPath(parts), query) || isNumberedEvent(written),
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

/** Whether an address names one thing: a number, or words put together. A programme or a front page does not. */
const isSpecific = (parts: string[], query: string[]): boolean =>
  query.some((value) => /\d/.test(value)) ||
  parts.some(
    (part) =>
      /\d{3,}/.test(part) || (part.length >= 8 && /[-_]/.test(part)) || /^(?=.*\d)[a-z0-9]{6,}$/.test(part),
  );

/** What stands before the number of a show, in the languages in which pages of shows are addressed. */
const eventPathWords =
  /^(?:e|id|events?|eventos?|eventi|evenements?|evenementen|événements?|shows?|gigs?|concerts?|conciertos?|concert[oi]|concerten|konzerte?|koncert[yi]?|performances?|part(?:y|ies)|nights?|veranstaltung(?:en)?|vorstellung(?:en)?|voorstelling(?:en)?|termine?|spectacles?|soirees?|wydarzeni[ea]|tapahtumat?)$/;

/** "/events/77": a number of any length, where the part before it says whose number it is. */
function isNumberedEvent(parts: readonly string[]): boolean {
  const [before = '', last = ''] = parts.slice(-2);
  return (
    /^\d+(?:\.(?:html?|php|aspx?))?$/.test(last) && eventPathWords.test(before) && !yearPattern.test(last)
  );
}

const yearPattern = /^(?:199|20[0-4])\d$/;
const listPathPattern =
  /\/(?:(?:p|pages?|seite|pagina|página|strona|tags?|categor(?:y|ies)|kategorien?|archives?|archiv)\/\d+|(?:199|20[0-4])\d(?:\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?)?)$/;

/** "/events/page/123", "/archive/2026/12": what counts pages of a list, or says of when it is, names no show. */
const withoutListPath = (parts: string[]): string[] => {
  const path = `/${parts.join('/')}`;
  return listPathPattern.test(path) ? path.replace(listPathPattern, '').split('/').filter(Boolean) : parts;
};

/** The pages that a listing names: its own, and where its tickets are sold. */
export function pagesOf(listing: Pick<EventFacts, 'url' | 'tickets'>): PageLink[] {
  const pages = [
    ...(listing.url ? [readPage(listing.url)] : []),
    ...(listing.tickets ?? []).map(({ url }) => (url ? readPage(url) : null)),
  ];
  return pages.filter((page) => page !== null);
}

type PageLinks = { all: readonly PageLink[]; specific: readonly PageLink[]; keys: ReadonlySet<string> };
const pagesCache = new WeakMap<EventFacts, PageLinks>();

/** The pages of a listing; each object is read once. */
function cachedPagesOf(listing: EventFacts): PageLinks {
  let pages = pagesCache.get(listing);
  if (pages === undefined) {
    const all = pagesOf(listing);
    pages = {
      all,
      specific: all.filter(({ isSpecific: specific }) => specific),
      keys: new Set(all.map(({ key }) => key)),
    };
    pagesCache.set(listing, pages);
  }
  return pages;
}

/**
 * What the links of two listings say.
 * @param busy pages (as written) that are known to serve shows of several dates: a link to them says little
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

/** Pages of a show of its own that two listings name, as each writes them. */
export function sharedPages(a: EventFacts, b: EventFacts): readonly Pick<PageLink, 'key' | 'written'>[] {
  const [pages, others] = [cachedPagesOf(a), cachedPagesOf(b)];
  if (pages.specific.length === 0 || others.all.length === 0) return noPages;
  const shared = pages.specific.filter(({ key }) => others.keys.has(key));
  if (shared.length === 0) return noPages;
  const keys = new Set(shared.map(({ key }) => key));
  return [...shared, ...others.all.filter(({ key }) => keys.has(key))];
}
const noPages: readonly PageLink[] = [];

/** One seller sells the two under two addresses: rather two shows. */
function compareHosts(a: PageLinks, b: PageLinks): Evidence[] {
  const hosts = new Set(b.specific.map(({ host }) => host));
  const common = a.specific.find(({ host }) => hosts.has(host));
  if (!common) return [];
  return [eventEvidence('link.two-pages', common.host)];
}
