/** What the response for a page depends on: its address, the language, the state of the catalogue and the time. */
import type { IncomingMessage } from 'node:http';
import { type PageLanguage, pageLanguage } from '../pages/language.ts';
import { defaultLanguage, isLanguage } from '../pages/messages/messages.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import type { PageContext } from './page-context.ts';
import type { Route } from './route.ts';

const quarterMs = 15 * 60_000;
/** Responses that do not depend on the visitor: their language is the one that the address names, or English. */
const namedLanguageOnly = /^\/(?:og|icons|embed|sw\.js)(?:\/|$)/;
/** Feeds and calendars, which are in English for every subscriber (docs/guides/identity.md). */
const feedPaths = /^\/[^/]+(?:\/[^/]+)?\.(?:atom|ics)$/;

/** Returns the key of a page in the cache. */
export function cacheAddress(context: PageContext, route: Route): string {
  const suffix = context.isLanguageNamed ? ' named' : '';
  // A question without a place is read in the time zone of the visitor's city.
  const isOfCity =
    route.to === 'home' || route.to === 'search' || route.path === `/cities/${context.rememberedCity}`;
  const choice = isOfCity ? context.rememberedCity : null;
  return `${route.path}?${context.query} ${context.language}${suffix}${choice === null ? '' : ` ${choice}`}`;
}

/**
 * Returns what a page depends on besides its address.
 * @param now ms since 1970
 */
export function pageState({ reader, siteUrl }: PageContext, now: number): string {
  const { revision, lastSyncedTs } = reader.state();
  // "Tonight" and "tomorrow" change on a quarter of an hour, in whichever time zone.
  const quarter = Math.floor(now / quarterMs);
  return `${revision} ${lastSyncedTs} ${reader.epoch(now, revision)} ${quarter} ${siteUrl.identity.version}`;
}

/**
 * Returns the language of a response.
 * @param path the canonical path
 * @param named the value of `?lang=`; null without one
 */
export function chooseLanguage(
  request: IncomingMessage,
  siteUrl: SiteUrl,
  path: string,
  named: string | null,
): PageLanguage {
  if (feedPaths.test(path)) return { language: defaultLanguage, isNamed: false };
  if (!namedLanguageOnly.test(path)) return pageLanguage(request, siteUrl, named);
  return { language: isLanguage(named) ? named : defaultLanguage, isNamed: false };
}
