/** Finds on a page what leads to its events: calendars, feeds, the program that made it, links to event pages. */
import { descendants, parseHtml } from '../common/html.ts';
import { isSameSite, normalizeUrl } from '../common/web-links.ts';
import { parseWebPage } from '../jsonld/graph.ts';
import { listedUrls, parsePageEvents } from '../jsonld/page-events.ts';
import { candidateOfService } from './services.ts';

export type PageHints = {
  /** Calendars that the page links to, the ones that it declares first. */
  calendars: string[];
  /** Feeds (RSS, Atom) that it declares. */
  feeds: string[];
  /** The REST interface of the WordPress site that made it. */
  wordpressApi: string | null;
  /** Programs that made the page, by their marks. */
  platforms: Set<Platform>;
  /** Events that the page itself describes. */
  eventCount: number;
  /** Pages that an ItemList names. */
  listed: string[];
  /** Links of the same site that look like pages of events. */
  eventLinks: string[];
  /** Links of the same site that look like a programme. */
  programmes: string[];
  /** Other links of the same site, one of each folder that several are in, the largest folder first. */
  folderLinks: string[];
};

export type Platform = 'gancio' | 'mobilizon' | 'squarespace' | 'tribe' | 'wordpress';

/** Marks in the source of a page, by platform. */
const marks: readonly (readonly [Platform, RegExp])[] = [
  ['gancio', /\bgancio\b|\/feed\/ics\b/i],
  ['mobilizon', /\bmobilizon\b/i],
  ['squarespace', /static1?\.squarespace\.com|SQUARESPACE_CONTEXT/],
  ['tribe', /tribe-events|\/tribe\/events\//],
  ['wordpress', /\/wp-json\b|\/wp-content\//],
];

const eventWords =
  /\/(?:events?|gigs?|shows?|konzerte?|concerts?|part(?:y|ies)|termine?|veranstaltung(?:en)?|evenements?|eventos?|eventi|agenda|programme?|whats-on)\/[^/?#]{3}/i;
const programmeWords =
  /\/(?:events?|gigs|shows|konzerte|concerts|termine|veranstaltungen|evenements|eventos|eventi|agenda|programm?e?|calendar|kalender|calendrier|whats-on|line-?up|tickets)\/?$/i;
const maxLinks = 20;

/** @param url the final address of the page */
export function findHints(text: string, url: string): PageHints {
  const declared = findLinks(text, url);
  const page = parseWebPage(text, url);
  const own = page.links.filter((link) => isSameSite(link, url) && link !== url);
  return {
    ...declared,
    platforms: new Set(marks.filter(([, mark]) => mark.test(text)).map(([platform]) => platform)),
    eventCount: parsePageEvents(page, url, {}, () => {}).length,
    listed: listedUrls(page)
      .filter((link) => isSameSite(link, url) && link !== url)
      .slice(0, maxLinks),
    eventLinks: own.filter((link) => eventWords.test(new URL(link).pathname)).slice(0, maxLinks),
    programmes: own.filter((link) => programmeWords.test(new URL(link).pathname)).slice(0, maxLinks),
    folderLinks: firstOfFolders(own),
  };
}

/** Links in a folder that make it a list of pages, such as of events, and folders that are looked at. */
const minFolderLinks = 3;
const maxFolders = 2;
const otherFolders = /\/(?:tags?|categor(?:y|ies)|authors?|wp-content|assets|static|images?|media|legal)\//i;

/** Returns the first link of each large folder. */
function firstOfFolders(links: readonly string[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const link of links) {
    const folder = folderOf(link);
    if (folder === null || otherFolders.test(folder) || eventWords.test(new URL(link).pathname)) continue;
    folders.set(folder, (folders.get(folder) ?? new Set()).add(link));
  }
  return [...folders.values()]
    .filter(({ size }) => size >= minFolderLinks)
    .sort((a, b) => b.size - a.size)
    .slice(0, maxFolders)
    .flatMap((group) => [...group].slice(0, 1));
}

/** The folder of a page, such as `/events/`; null for the root. */
export function folderOf(link: string): string | null {
  const [, folder] = /^(\/.*\/)[^/]+\/?$/.exec(new URL(link).pathname) ?? [];
  return folder === undefined || folder === '/' ? null : folder;
}

function findLinks(text: string, base: string): Pick<PageHints, 'calendars' | 'feeds' | 'wordpressApi'> {
  const declared = new Set<string>();
  const linked = new Set<string>();
  const feeds = new Set<string>();
  let wordpressApi: string | null = null;
  for (const { name, attribs = {} } of descendants(parseHtml(text))) {
    if (name !== 'link' && name !== 'a' && name !== 'iframe') continue;
    const written = (attribs.href ?? attribs.src ?? '').replace(/^webcals?:\/\//i, 'https://');
    const href = normalizeUrl(written, base);
    if (href === null) continue;
    const type = (attribs.type ?? '').toLowerCase();
    if (name === 'link' && attribs.rel === 'https://api.w.org/') wordpressApi ??= href;
    else if (name === 'link' && /\balternate\b/i.test(attribs.rel ?? '')) {
      if (type.startsWith('text/calendar')) declared.add(href);
      else if (/^application\/(?:rss|atom)\+xml/.test(type)) feeds.add(href);
    } else {
      const service = candidateOfService(href);
      if (service?.type === 'ical') linked.add(service.url);
      else if (/\.ics(?:[?#]|$)|[?&](?:outlook-)?ical=1\b|\/ical\/?(?:[?#]|$)/i.test(href)) linked.add(href);
    }
  }
  return {
    calendars: [...new Set([...declared, ...linked])].slice(0, maxLinks),
    feeds: [...feeds].slice(0, maxLinks),
    wordpressApi,
  };
}
