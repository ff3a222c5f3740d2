/**
 * Records in the words of schema.org, as JSON-LD. Members without a value are left out: there null means something else
 * than "not known".
 */
import { absoluteUrl, type PageContext } from '../page-context.ts';

export type Thing = { '@type': string | string[] } & Record<string, unknown>;
export type Crumb = { name: string; path: string };

/** What stands in the script element: nothing in it can end that element or begin a comment. */
export function jsonLdText(things: readonly Thing[]): string {
  const text = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': things.map(withoutEmptyMembers),
  });
  return text.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Without the members that say nothing. */
function withoutEmptyMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyMembers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([, member]) =>
          member !== null && member !== undefined && !(Array.isArray(member) && member.length === 0),
      )
      .map(([name, member]) => [name, withoutEmptyMembers(member)]),
  );
}

/** The way from the front page to a page. */
export const breadcrumbs = (context: PageContext, crumbs: readonly Crumb[]): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: absoluteUrl(context, path),
  })),
});

/** The service itself, and how it is searched. */
export const webSite = (context: PageContext): Thing => ({
  '@type': 'WebSite',
  name: context.siteUrl.name,
  url: absoluteUrl(context, '/'),
  potentialAction: {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${absoluteUrl(context, '/search')}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  },
});

/** A list. */
export const collectionPage = (context: PageContext, name: string, path: string): Thing => ({
  '@type': 'CollectionPage',
  name,
  url: absoluteUrl(context, path),
});
