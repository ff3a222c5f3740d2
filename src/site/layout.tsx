/** The layout of the catalogue's pages: header, breadcrumbs, and metadata in the head. */
import type { ComponentChildren, VNode } from 'preact';
import { assetPaths } from '../pages/assets.ts';
import { HeaderBar, SearchScript } from '../pages/header.tsx';
import { page } from '../pages/page.tsx';
import { breadcrumbs, type Crumb, jsonLdText, type Thing } from './formats/json-ld.ts';
import { absoluteUrl, isHttpUrl, type PageContext, shorten } from './page-context.ts';

export type PageView = {
  /** Title of the document; the service's name is appended. */
  title: string;
  /** One sentence for search engines and previews. */
  description: string;
  /** The menu section of the page. */
  section?: string;
  /** Breadcrumbs; the last one is the page itself. */
  crumbs?: readonly Crumb[];
  /** schema.org objects. */
  structuredData?: readonly Thing[];
  /** Open Graph type. */
  type?: 'website' | 'article' | 'profile' | 'music.radio_station';
  image?: string | null;
  /** Canonical path, if it differs from the requested one; null: search engines must not index the page. */
  canonical?: string | null;
  /** The record is invented: search engines must not index it, and it has no schema.org objects. */
  isSample?: boolean;
  feeds?: readonly { path: string; type: string; title: string }[];
  /** The content has a large search box, so the header has none. */
  hasSearchBox?: boolean;
  children: ComponentChildren;
};

const sections: readonly [path: string, label: string][] = [
  ['/events', 'Events'],
  ['/artists', 'Artists'],
  ['/venues', 'Venues'],
  ['/festivals', 'Festivals'],
  ['/cities', 'Cities'],
  ['/labels', 'Labels'],
  ['/genres', 'Genres'],
  ['/podcasts', 'Podcasts'],
];

/** Renders the whole document. */
export function renderPage(context: PageContext, leaf: PageView): string {
  return page({
    siteUrl: context.siteUrl,
    title: leaf.title,
    viewer: null,
    head: <Head context={context} leaf={leaf} />,
    bar: <PageHeader context={context} leaf={leaf} />,
    foot: <a href={`${context.siteUrl.prefix}/stats`}>Statistics</a>,
    children: (
      <>
        {leaf.crumbs && leaf.crumbs.length > 1 && <Breadcrumbs context={context} crumbs={leaf.crumbs} />}
        {leaf.children}
      </>
    ),
  });
}

function Head({ context, leaf }: { context: PageContext; leaf: PageView }): VNode {
  const { prefix, name } = context.siteUrl;
  const canonical = leaf.canonical === undefined ? context.path : leaf.canonical;
  const description = shorten(leaf.description);
  const graph = leaf.isSample
    ? []
    : [...(leaf.structuredData ?? []), ...(leaf.crumbs ? [breadcrumbs(context, leaf.crumbs)] : [])];
  const image = isHttpUrl(leaf.image ?? null) ? (leaf.image as string) : null;
  return (
    <>
      <link rel="stylesheet" href={prefix + assetPaths.siteStyle} />
      <SearchScript prefix={prefix} />
      <meta name="description" content={description} />
      {leaf.isSample && <meta name="robots" content="noindex" />}
      {canonical === null ? (
        <meta name="robots" content="noindex, follow" />
      ) : (
        <link rel="canonical" href={absoluteUrl(context, canonical)} />
      )}
      <meta property="og:title" content={leaf.title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content={leaf.type ?? 'website'} />
      <meta property="og:site_name" content={name} />
      {canonical !== null && <meta property="og:url" content={absoluteUrl(context, canonical)} />}
      {image !== null && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={image === null ? 'summary' : 'summary_large_image'} />
      {(leaf.feeds ?? []).map(({ path, type, title }) => (
        <link rel="alternate" key={path} href={prefix + path} type={type} title={title} />
      ))}
      {graph.length > 0 && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLdText(graph) }} />
      )}
    </>
  );
}

function PageHeader({ context, leaf }: { context: PageContext; leaf: PageView }): VNode {
  const { prefix } = context.siteUrl;
  return (
    <HeaderBar
      sectionsLabel="Catalogue"
      search={leaf.hasSearchBox ? null : prefix}
      service={[
        { href: `${prefix}/docs`, label: 'API' },
        { href: `${context.accountUrl}/account/developer`, label: 'Account' },
      ]}
      sections={sections.map(([path, label]) => ({
        href: prefix + path,
        label,
        current: path === leaf.section,
      }))}
    />
  );
}

function Breadcrumbs({ context, crumbs }: { context: PageContext; crumbs: readonly Crumb[] }): VNode {
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.slice(0, -1).map(({ name, path }) => (
          <li key={path}>
            <a href={context.siteUrl.prefix + path}>{name}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
