/** What stands around the content of a page of the catalogue: bar, way back, and what machines read in its head. */
import type { ComponentChildren, VNode } from 'preact';
import { assetPaths } from '../pages/assets.ts';
import { Bar, SearchScript } from '../pages/bar.tsx';
import { page } from '../pages/page.tsx';
import { breadcrumbs, type Crumb, graphText, type Thing } from './json-ld.ts';
import { type Ask, addressOf, isWeb, oneLine } from './site.ts';

export type Leaf = {
  /** Of the document; the service's name is added. */
  title: string;
  /** For search engines and previews: one sentence. */
  description: string;
  /** The section of the menu that it lies in. */
  section?: string;
  /** The way to it from the front page; the last is the page itself. */
  crumbs?: readonly Crumb[];
  /** What it says in schema.org's words. */
  things?: readonly Thing[];
  /** Its kind for Open Graph. */
  type?: 'website' | 'article' | 'profile' | 'music.radio_station';
  image?: string | null;
  /** Path of what it is properly called, where that is not the path asked for; null: it is not for search engines. */
  canonical?: string | null;
  /** What it tells of is invented: search engines leave it out, and it says nothing in schema.org's words. */
  invented?: boolean;
  feeds?: readonly { path: string; type: string; title: string }[];
  /** Its own large search box stands in the content. */
  searches?: boolean;
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

/** The whole document. */
export function frame(ask: Ask, leaf: Leaf): string {
  return page({
    place: ask.place,
    title: leaf.title,
    viewer: null,
    head: <Head ask={ask} leaf={leaf} />,
    bar: <Sections ask={ask} leaf={leaf} />,
    foot: <a href={`${ask.place.prefix}/stats`}>Statistics</a>,
    children: (
      <>
        {leaf.crumbs && leaf.crumbs.length > 1 && <Crumbs ask={ask} crumbs={leaf.crumbs} />}
        {leaf.children}
      </>
    ),
  });
}

function Head({ ask, leaf }: { ask: Ask; leaf: Leaf }): VNode {
  const { prefix, name } = ask.place;
  const canonical = leaf.canonical === undefined ? ask.path : leaf.canonical;
  const description = oneLine(leaf.description);
  const graph = leaf.invented
    ? []
    : [...(leaf.things ?? []), ...(leaf.crumbs ? [breadcrumbs(ask, leaf.crumbs)] : [])];
  const image = isWeb(leaf.image ?? null) ? (leaf.image as string) : null;
  return (
    <>
      <link rel="stylesheet" href={prefix + assetPaths.siteStyle} />
      <SearchScript prefix={prefix} />
      <meta name="description" content={description} />
      {leaf.invented && <meta name="robots" content="noindex" />}
      {canonical === null ? (
        <meta name="robots" content="noindex, follow" />
      ) : (
        <link rel="canonical" href={addressOf(ask, canonical)} />
      )}
      <meta property="og:title" content={leaf.title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content={leaf.type ?? 'website'} />
      <meta property="og:site_name" content={name} />
      {canonical !== null && <meta property="og:url" content={addressOf(ask, canonical)} />}
      {image !== null && <meta property="og:image" content={image} />}
      <meta name="twitter:card" content={image === null ? 'summary' : 'summary_large_image'} />
      {(leaf.feeds ?? []).map(({ path, type, title }) => (
        <link rel="alternate" key={path} href={prefix + path} type={type} title={title} />
      ))}
      {graph.length > 0 && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: graphText(graph) }} />
      )}
    </>
  );
}

function Sections({ ask, leaf }: { ask: Ask; leaf: Leaf }): VNode {
  const { prefix } = ask.place;
  return (
    <Bar
      part="Catalogue"
      search={leaf.searches ? null : prefix}
      service={[
        { href: `${prefix}/docs`, label: 'API' },
        { href: `${ask.accountUrl}/account/developer`, label: 'Account' },
      ]}
      sections={sections.map(([path, label]) => ({
        href: prefix + path,
        label,
        current: path === leaf.section,
      }))}
    />
  );
}

function Crumbs({ ask, crumbs }: { ask: Ask; crumbs: readonly Crumb[] }): VNode {
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.slice(0, -1).map(({ name, path }) => (
          <li key={path}>
            <a href={ask.place.prefix + path}>{name}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
