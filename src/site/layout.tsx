/** The layout of the catalogue's pages: header, breadcrumbs, and metadata in the head. */
import type { ComponentChildren, VNode } from 'preact';
import { assetPaths } from '../pages/assets.ts';
import { HeaderBar, SearchScript } from '../pages/header.tsx';
import { defaultLanguage, languageCodes } from '../pages/messages/messages.ts';
import { page, withLanguage } from '../pages/page.tsx';
import { iconPath, manifestPath, themeColours } from './app/manifest.ts';
import { serviceWorkerPath } from './app/service-worker.ts';
import { breadcrumbs, type Crumb, jsonLdText, type Thing } from './formats/json-ld.ts';
import { absoluteUrl, type PageContext, shorten } from './page-context.ts';
import { SharingTags } from './sharing/tags.tsx';

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
  /** Canonical path, if it differs from the requested one; null: search engines must not index the page. */
  canonical?: string | null;
  /** The record is invented: search engines must not index it, and it has no schema.org objects. */
  isSample?: boolean;
  feeds?: readonly { path: string; type: string; title: string }[];
  /** The content has a large search box, so the header has none. */
  hasSearchBox?: boolean;
  children: ComponentChildren;
};

const sections = [
  'events',
  'artists',
  'venues',
  'festivals',
  'cities',
  'labels',
  'genres',
  'podcasts',
] as const;

/** Renders the whole document. */
export function renderPage(context: PageContext, leaf: PageView): string {
  const { siteUrl, language, messages } = context;
  return page({
    siteUrl,
    language,
    translated: context.path + (context.query.size > 0 ? `?${context.query}` : ''),
    title: leaf.title,
    viewer: null,
    head: <Head context={context} leaf={leaf} />,
    bar: <PageHeader context={context} leaf={leaf} />,
    foot: (
      <>
        <a href={`${siteUrl.prefix}/stats`}>{messages.frame.statistics}</a>
        <a href={`${siteUrl.prefix}/about`}>{messages.frame.about}</a>
      </>
    ),
    children: (
      <>
        {leaf.crumbs && leaf.crumbs.length > 1 && <Breadcrumbs context={context} crumbs={leaf.crumbs} />}
        {leaf.children}
      </>
    ),
  });
}

function Head({ context, leaf }: { context: PageContext; leaf: PageView }): VNode {
  const { prefix, identity } = context.siteUrl;
  const path = leaf.canonical === undefined ? context.path : leaf.canonical;
  // The page in the default language has the address without a language.
  const isOther = context.isLanguageNamed && context.language !== defaultLanguage;
  const canonical = path !== null && isOther ? withLanguage(path, context.language) : path;
  const description = shorten(leaf.description);
  const graph = leaf.isSample
    ? []
    : [...(leaf.structuredData ?? []), ...(leaf.crumbs ? [breadcrumbs(context, leaf.crumbs)] : [])];
  return (
    <>
      <link rel="stylesheet" href={prefix + assetPaths.siteStyle} />
      <SearchScript prefix={prefix} />
      <AppLinks context={context} />
      <meta name="description" content={description} />
      {leaf.isSample && identity.indexing && <meta name="robots" content="noindex" />}
      {canonical === null ? (
        identity.indexing && <meta name="robots" content="noindex, follow" />
      ) : (
        <link rel="canonical" href={absoluteUrl(context, canonical)} />
      )}
      {path !== null && !leaf.isSample && identity.indexing && (
        <LanguageAlternates context={context} path={path} />
      )}
      <SharingTags context={context} leaf={leaf} description={description} canonical={canonical} />
      {(leaf.feeds ?? []).map(({ path, type, title }) => (
        <link rel="alternate" key={path} href={prefix + path} type={type} title={title} />
      ))}
      {graph.length > 0 && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLdText(graph) }} />
      )}
    </>
  );
}

/** What browsers need to install the pages as an app. */
function AppLinks({ context }: { context: PageContext }): VNode {
  const { siteUrl, language } = context;
  return (
    <>
      <link rel="manifest" href={withLanguage(siteUrl.prefix + manifestPath, language)} />
      <link rel="apple-touch-icon" href={iconPath(context, 'touch-180.png')} />
      <meta name="theme-color" content={themeColours.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={themeColours.dark} media="(prefers-color-scheme: dark)" />
      <link rel="x-service-worker" href={siteUrl.prefix + serviceWorkerPath} />
    </>
  );
}

/** The addresses of the page by language, for search engines; the one without a language follows the visitor. */
function LanguageAlternates({ context, path }: { context: PageContext; path: string }): VNode {
  return (
    <>
      {languageCodes.map((code) => (
        <link
          rel="alternate"
          hreflang={code}
          href={absoluteUrl(context, code === defaultLanguage ? path : withLanguage(path, code))}
          key={code}
        />
      ))}
    </>
  );
}

function PageHeader({ context, leaf }: { context: PageContext; leaf: PageView }): VNode {
  const { prefix } = context.siteUrl;
  const { frame, lists } = context.messages;
  return (
    <HeaderBar
      sectionsLabel={frame.catalogue}
      search={leaf.hasSearchBox ? null : prefix}
      service={[
        { href: `${prefix}/docs`, label: frame.api },
        { href: `${context.accountUrl}/account/developer`, label: frame.account },
      ]}
      sections={sections.map((section) => ({
        href: `${prefix}/${section}`,
        label: lists[section],
        current: `/${section}` === leaf.section,
      }))}
    />
  );
}

function Breadcrumbs({ context, crumbs }: { context: PageContext; crumbs: readonly Crumb[] }): VNode {
  return (
    <nav class="crumbs" aria-label={context.messages.frame.breadcrumb}>
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
