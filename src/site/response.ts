/** Results of routes, media types, and redirects of renamed records. */
import type { SendOptions } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import type { Route } from './route.ts';

/** The result of a route: a body, a redirect, or null for "not found". */
export type ResponseBody = {
  type: 'html' | 'embed' | 'manifest' | 'worker' | 'atom' | 'ics' | 'hits' | 'xml' | 'text';
  body: string;
};
export type RouteResult = ResponseBody | { moved: string } | null;

/** How long a page may be kept. */
export const pageCacheControl = 'public, max-age=60';

/** The media types of responses other than pages. */
export const mediaTypes: Record<Exclude<ResponseBody['type'], 'html' | 'embed'>, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  hits: 'text/html; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  manifest: 'application/manifest+json; charset=utf-8',
  worker: 'text/javascript; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

const mappedKinds = new Set(['venue', 'city', 'event']);

/** What the page of a record may load from elsewhere: the audio of an episode, and tiles of the operator's tile server. */
export function foreignContent(
  route: Route,
  { url, identity }: SiteUrl,
): Pick<SendOptions, 'audio' | 'tiles'> {
  if (route.to !== 'record') return {};
  // A page behind https cannot play plain http anyway.
  if (route.kind === 'episode') return { audio: url.startsWith('https:') ? 'https:' : 'https: http:' };
  const { mapTiles } = identity;
  return mapTiles !== null && mappedKinds.has(route.kind)
    ? { tiles: new URL(mapTiles.replace(/\{[xyz]\}/g, '0')).origin }
    : {};
}

/**
 * Returns the path of a record with its current slug in place of a former one; keeps the ending and the query except for
 * the cursor, which belongs to the former path.
 * @param path the canonical path, such as `/artists/former-slug.ics`
 */
export function movedPath(path: string, slug: string, present: string, query: URLSearchParams): string {
  const [, collection = '', record = '', ...below] = path.split('/');
  const ending = record.slice(encodeURIComponent(slug).length);
  const moved = ['', collection, encodeURIComponent(present) + ending, ...below].join('/');
  const rest = new URLSearchParams(query);
  rest.delete('cursor');
  return rest.size === 0 ? moved : `${moved}?${rest}`;
}

/** The type of a route's response. */
export function responseType(route: Route): ResponseBody['type'] {
  if (route.to === 'record' && route.format !== 'page') return route.format;
  if (route.to === 'event feed') return route.format;
  if (route.to === 'hits' || route.to === 'embed' || route.to === 'manifest' || route.to === 'worker')
    return route.to;
  if (route.to === 'robots') return 'text';
  return route.to === 'sitemap' || route.to === 'sitemap part' ? 'xml' : 'html';
}

/** Derives search terms from the last segment of a path. */
export function searchTermsIn(path: string): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // Invalid escapes: use the text unchanged.
  }
  return text
    .toWellFormed()
    .replace(/\.(?:atom|ics|html?|php)$/i, '')
    .replace(/[\p{Cc}_+-]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed();
}
