/** The addresses of pictures: `/og` and the path of the page, with `.png`. */
import { hash } from 'node:crypto';
import { defaultLanguage } from '../../pages/messages/messages.ts';
import { type PageContext, withQuery } from '../page-context.ts';
import { parseRoute, type Route } from '../route.ts';

/** The parameters of a page that its picture depends on. */
const pictureParameters = [
  'when',
  'city',
  'country',
  'venue',
  'artist',
  'festival',
  'genre',
  'from',
  'to',
] as const;
const sitePicture = '/og/site.png';

/** The page that a picture shows; null: it has none of its own. */
export function picturedRoute(path: string): Route | null {
  const route = parseRoute(path);
  if (route === null) return null;
  return (route.to === 'record' && route.format === 'page') || route.to === 'list' ? route : null;
}

/**
 * The path of the picture of the present page. It contains a digest of the page's texts: networks keep pictures by their
 * address, so that a changed page needs another one.
 */
export function picturePath(context: PageContext, texts: readonly string[]): string {
  const { path, query, language, siteUrl, version } = context;
  const own = picturedRoute(path) !== null;
  const filters = own
    ? Object.fromEntries(pictureParameters.map((name) => [name, query.get(name) ?? '']))
    : {};
  const digest = hash('sha256', JSON.stringify([version, siteUrl.identity.version, texts]), 'base64url');
  return withQuery(own ? `/og${path}.png` : sitePicture, {
    ...filters,
    lang: language === defaultLanguage ? '' : language,
    v: digest.slice(0, 10),
  });
}
