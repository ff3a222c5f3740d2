/** What requests are answered with, and under which addresses. */
import type { Route } from './route.ts';

/** What a request is answered with, once it is known where from. */
export type ResponseBody = { type: 'html' | 'atom' | 'ics' | 'hits' | 'xml' | 'text'; body: string };
export type RouteResult = ResponseBody | { moved: string } | null;

/** The media types of answers; pages are sent in a way of their own. */
export const mediaTypes: Record<Exclude<ResponseBody['type'], 'html'>, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  hits: 'text/html; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

/** The path of a record that is called otherwise now: the ending stays, and so does what is asked of it. */
export function movedPath(path: string, slug: string, present: string, query: URLSearchParams): string {
  query.delete('cursor');
  const moved = path.replace(`/${encodeURIComponent(slug)}`, `/${present}`);
  return query.size === 0 ? moved : `${moved}?${query}`;
}

/** What the answer for a route is. */
export function responseType(route: Route): ResponseBody['type'] {
  if (route.to === 'record' && route.format !== 'page') return route.format;
  if (route.to === 'hits') return 'hits';
  if (route.to === 'robots') return 'text';
  return route.to === 'sitemap' || route.to === 'sitemap part' ? 'xml' : 'html';
}

/** What somebody may have looked for, by the last piece of a path. */
export function searchTermsIn(path: string): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // Then as it stands.
  }
  return text
    .toWellFormed()
    .replace(/\.(?:atom|ics|html?|php)$/i, '')
    .replace(/[\p{Cc}_+-]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed();
}
