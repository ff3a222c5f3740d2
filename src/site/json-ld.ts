/**
 * Records in the words of schema.org, as JSON-LD. Members without a value are left out: there null means something else
 * than "not known".
 */
import { type Ask, addressOf } from './site.ts';

export type Thing = { '@type': string | string[] } & Record<string, unknown>;
export type Crumb = { name: string; path: string };

/** What stands in the script element: nothing in it can end that element or begin a comment. */
export function graphText(things: readonly Thing[]): string {
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': things.map(bare) });
  return text.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Without the members that say nothing. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([, member]) =>
          member !== null && member !== undefined && !(Array.isArray(member) && member.length === 0),
      )
      .map(([name, member]) => [name, bare(member)]),
  );
}

/** The way from the front page to a page. */
export const breadcrumbs = (ask: Ask, crumbs: readonly Crumb[]): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: addressOf(ask, path),
  })),
});

/** The service itself, and how it is searched. */
export const webSite = (ask: Ask): Thing => ({
  '@type': 'WebSite',
  name: ask.place.name,
  url: addressOf(ask, '/'),
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${addressOf(ask, '/search')}?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
});

/** A list. */
export const collectionPage = (ask: Ask, name: string, path: string): Thing => ({
  '@type': 'CollectionPage',
  name,
  url: addressOf(ask, path),
});
