/**
 * JSON-LD with schema.org objects. Members without a value are omitted, because null does not mean "unknown" in
 * JSON-LD.
 */
import { absoluteUrl, type PageContext } from '../page-context.ts';

export type Thing = { '@type': string | string[] } & Record<string, unknown>;
export type Crumb = { name: string; path: string };

/** Serializes for a script element: the text cannot end the element or begin a comment. */
export function jsonLdText(things: readonly Thing[]): string {
  const text = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': things.map(withoutEmptyMembers),
  });
  return text.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Removes members without a value. */
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

/** The breadcrumb trail of a page. */
export const breadcrumbs = (context: PageContext, crumbs: readonly Crumb[]): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: absoluteUrl(context, path),
  })),
});

/** The website with its search action. */
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

/** An item list. */
export const collectionPage = (context: PageContext, name: string, path: string): Thing => ({
  '@type': 'CollectionPage',
  name,
  url: absoluteUrl(context, path),
});
