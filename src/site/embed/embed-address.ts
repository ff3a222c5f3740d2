/** The addresses of embedded lists: `/embed/events` with the filters of the list of events. */
import { escapeXml } from '../../escape-xml.ts';
import { type PageContext, withQuery } from '../page-context.ts';

export const embedPath = '/embed/events';

/** The filter of a record's page, by its folder. */
const filterOfFolder: Readonly<Record<string, string>> = {
  artists: 'artist',
  cities: 'city',
  festivals: 'festival',
  venues: 'venue',
};

/**
 * The path of the embedded list of a page.
 * @param path the page of a record, or that of the list of events
 * @param query the filters of the page
 * @returns null if the events of the page cannot be selected by a filter
 */
export function embedAddress(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  language: string,
): string | null {
  const [, folder = '', slug] = path.split('/');
  if (path === '/events') return withQuery(embedPath, { ...query, lang: language });
  const filter = filterOfFolder[folder];
  if (filter === undefined || slug === undefined) return null;
  return withQuery(embedPath, { [filter]: decodeURIComponent(slug), ...query, lang: language });
}

/** The HTML that a site copies. @param address the path of the embedded list */
export function embedCode({ siteUrl, messages }: PageContext, address: string, title: string): string {
  const label = messages.sharing.embedTitle(title, siteUrl.name);
  return `<iframe src="${escapeXml(siteUrl.url + address)}" title="${escapeXml(label)}" width="100%" height="480" style="border:0" loading="lazy"></iframe>`;
}
