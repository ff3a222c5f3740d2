/** What every page of the catalogue is made from: what can be read, when, and how pages are addressed. */
import type { Catalogue } from '../catalogue/handlers.ts';
import type { Kind } from '../contract/fields.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { baseUrlPlaceholder, editionUrl, pageUrl } from '../store/records/serialize.ts';
import type { SiteReader } from '../store/site/site-reader.ts';
import type { Figures } from './cached-figures.ts';

/** One question for a page. */
export type PageContext = Catalogue & {
  site: SiteReader;
  figures: Figures;
  siteUrl: SiteUrl;
  /** Where accounts are, as a page can link to it. */
  accountUrl: string;
  /** Of the program. */
  version: string;
  /** ms since 1970. */
  now: number;
  /** The path asked for, as it is properly written. */
  path: string;
  query: URLSearchParams;
};

/** An address that a record says (`url`), as a link within the pages. */
export const resolvePath = ({ siteUrl }: PageContext, url: string): string =>
  url.replace(baseUrlPlaceholder, siteUrl.prefix);
/** The same, whole. */
export const resolveUrl = ({ siteUrl }: PageContext, url: string): string =>
  url.replace(baseUrlPlaceholder, siteUrl.url);
/** The whole address of a path. */
export const absoluteUrl = ({ siteUrl }: PageContext, path: string): string => siteUrl.url + path;

/** The path of a record's page. */
export const recordPath = (context: PageContext, kind: Exclude<Kind, 'edition'>, slug: string): string =>
  resolvePath(context, pageUrl(kind, slug));
/** The path of an edition's page. */
export const editionPath = (context: PageContext, festival: string, edition: string): string =>
  resolvePath(context, editionUrl(festival, edition));

/** One value of the query, without what surrounds it; empty where it is absent, cut where nobody means so much. */
export function queryParameter({ query }: PageContext, name: string, maxLength = 200): string {
  const text = (query.get(name) ?? '').toWellFormed().replace(/\p{Cc}+/gu, ' ');
  return text.trim().slice(0, maxLength).toWellFormed();
}

/** Only these may be linked to; anything else is shown as text or not at all. */
export const isHttpUrl = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** The path of a record's page below the address of the pages. */
export const unprefixedPath = (kind: Exclude<Kind, 'edition'>, slug: string): string =>
  pageUrl(kind, slug).replace(baseUrlPlaceholder, '');

/** Text of any length as one line that a preview shows whole. */
export function shorten(text: string, maxLength = 200): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/\s+\S*$/u, '')}…`;
}
