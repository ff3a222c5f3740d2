/** The request context of the catalogue's pages, and addresses of pages. */
import type { Catalogue } from '../catalogue/request.ts';
import type { Kind } from '../contract/fields.ts';
import type { Language, Messages } from '../pages/messages/messages.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { baseUrlPlaceholder, editionUrl, pageUrl } from '../store/records/serialize.ts';
import type { SiteReader } from '../store/site/site-reader.ts';
import type { Figures } from './cached-figures.ts';

/** A request for a page, and what it is rendered from. */
export type PageContext = Catalogue & {
  site: SiteReader;
  figures: Figures;
  siteUrl: SiteUrl;
  /** Whether the operator has set the public address of the pages; otherwise it is a local one. */
  hasPublicUrl: boolean;
  /** Address of the account pages, for links. */
  accountUrl: string;
  /** Version of the program. */
  version: string;
  /** Current time in ms since 1970. */
  now: number;
  /** The canonical form of the requested path. */
  path: string;
  query: URLSearchParams;
  /** The language of the page, its texts, and whether the address names it (`?lang=`). */
  language: Language;
  messages: Messages;
  isLanguageNamed: boolean;
  /** The slug of the city that the visitor chose to be remembered; null: none. */
  rememberedCity: string | null;
};

/** The slug of the city that the visitor chose, otherwise the one of the operator; null without any. */
export const homeCityOf = ({ rememberedCity, siteUrl }: PageContext): string | null =>
  rememberedCity ?? siteUrl.identity.homeCity;

/** Resolves the `url` of a record to a path of this site. */
export const resolvePath = ({ siteUrl }: PageContext, url: string): string =>
  url.replace(baseUrlPlaceholder, siteUrl.prefix);
/** Resolves the `url` of a record to an absolute URL. */
export const resolveUrl = ({ siteUrl }: PageContext, url: string): string =>
  url.replace(baseUrlPlaceholder, siteUrl.url);
/** The absolute URL of a path. */
export const absoluteUrl = ({ siteUrl }: PageContext, path: string): string => siteUrl.url + path;

/** The path of a record's page. */
export const recordPath = (context: PageContext, kind: Exclude<Kind, 'edition'>, slug: string): string =>
  resolvePath(context, pageUrl(kind, slug));
/** The path of an edition's page. */
export const editionPath = (context: PageContext, festival: string, edition: string): string =>
  resolvePath(context, editionUrl(festival, edition));

/** Reads a query parameter: trimmed, truncated to `maxLength` letters, empty if absent. */
export function queryParameter({ query }: PageContext, name: string, maxLength = 200): string {
  const text = (query.get(name) ?? '').toWellFormed().replace(/\p{Cc}+/gu, ' ');
  return text.trim().slice(0, maxLength).toWellFormed();
}

/** Appends query parameters to a path; empty ones are omitted. */
export function withQuery(path: string, parameters: Record<string, string | null | undefined>): string {
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

/** Whether an address is http or https; other addresses never become links. */
export const isHttpUrl = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** The path of a record's page without the prefix of the site. */
export const unprefixedPath = (kind: Exclude<Kind, 'edition'>, slug: string): string =>
  pageUrl(kind, slug).replace(baseUrlPlaceholder, '');

/** Shortens a text to one line for previews, between words. */
export function shorten(text: string, maxLength = 200): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/\s+\S*$/u, '')}…`;
}
