/** What every page of the catalogue is made from: what can be read, when, and how pages are addressed. */
import type { Catalogue } from '../catalogue/answers.ts';
import type { Kind } from '../contract/fields.ts';
import type { Place } from '../pages/place.ts';
import { base, editionUrl, pageUrl } from '../store/show.ts';
import type { SiteReader } from '../store/site.ts';
import type { Figures } from './figures.ts';

/** One question for a page. */
export type Ask = Catalogue & {
  site: SiteReader;
  figures: Figures;
  place: Place;
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
export const local = ({ place }: Ask, url: string): string => url.replace(base, place.prefix);
/** The same, whole. */
export const absolute = ({ place }: Ask, url: string): string => url.replace(base, place.url);
/** The whole address of a path. */
export const addressOf = ({ place }: Ask, path: string): string => place.url + path;

/** The path of a record's page. */
export const pathOf = (ask: Ask, kind: Exclude<Kind, 'edition'>, slug: string): string =>
  local(ask, pageUrl(kind, slug));
/** The path of an edition's page. */
export const editionPath = (ask: Ask, festival: string, edition: string): string =>
  local(ask, editionUrl(festival, edition));

/** One value of the query, without what surrounds it; empty where it is absent, cut where nobody means so much. */
export function asked({ query }: Ask, name: string, longest = 200): string {
  const text = (query.get(name) ?? '').toWellFormed().replace(/\p{Cc}+/gu, ' ');
  return text.trim().slice(0, longest).toWellFormed();
}

/** Only these may be linked to; anything else is shown as text or not at all. */
export const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** The path of a record's page below the address of the pages. */
export const plainPath = (kind: Exclude<Kind, 'edition'>, slug: string): string =>
  pageUrl(kind, slug).replace(base, '');

/** Text of any length as one line that a preview shows whole. */
export function oneLine(text: string, most = 200): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/\s+\S*$/u, '')}…`;
}
