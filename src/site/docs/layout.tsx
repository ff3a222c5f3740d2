/** The layout of the documentation's pages. */
import type { ComponentChildren, VNode } from 'preact';
import type { Session } from '../../access/access.ts';
import { guides } from '../../contract/guides.ts';
import type { PlansInForce } from '../../contract/plans.ts';
import { HeaderBar, SearchScript } from '../../pages/header.tsx';
import { page } from '../../pages/page.tsx';
import type { SiteUrl } from '../../pages/site-url.ts';
import { docsAssetPath } from './assets.ts';

/** A request for a page of the documentation. */
export type DocsContext = {
  siteUrl: SiteUrl;
  baseUrl: string;
  accountUrl: string;
  name: string;
  /** The attribution that the operator chose; null: the usual one. */
  attribution: string | null;
  version: string;
  /** Whether the catalogue's pages are on; the search box and the logo lead to them. */
  site: boolean;
  session: Session | null;
  /** The limits of the plans, and their changes. */
  limits: PlansInForce;
  /** The requested path without its query. */
  path: string;
};

export type DocsPage = {
  title: string;
  /** One sentence for search engines. */
  description: string;
  /** Whether the menu of guides is shown beside the content. */
  menu: boolean;
  /** Additional elements of the head. */
  head?: ComponentChildren;
  children: ComponentChildren;
};

/** Renders the whole document. */
export async function renderDocsPage(context: DocsContext, content: DocsPage): Promise<string> {
  const { siteUrl, path } = context;
  const [style, script] = await Promise.all([docsAssetPath('style'), docsAssetPath('script')]);
  return page({
    siteUrl,
    title: content.title,
    viewer: null,
    home: context.site ? '/' : '/docs',
    bar: <DocsHeader context={context} />,
    foot: context.site && (
      <>
        <a href={`${siteUrl.prefix}/stats`}>Statistics</a>
        <a href={`${siteUrl.prefix}/about`}>About</a>
      </>
    ),
    head: (
      <>
        <meta name="description" content={content.description} />
        <link rel="canonical" href={siteUrl.url + path} />
        <meta property="og:title" content={content.title} />
        <meta property="og:description" content={content.description} />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={siteUrl.name} />
        <meta name="twitter:card" content="summary" />
        {context.site && <SearchScript prefix={siteUrl.prefix} />}
        {content.head}
        <link rel="stylesheet" href={siteUrl.prefix + style} />
        <script src={siteUrl.prefix + script} defer />
      </>
    ),
    children: content.menu ? (
      <GuideLayout context={context}>{content.children}</GuideLayout>
    ) : (
      content.children
    ),
  });
}

const sections: readonly [path: string, label: string][] = [
  ['/docs', 'Reference'],
  ['/docs/guides', 'Guides'],
  ['/changelog', 'Changelog'],
];

/** The header with the sections of the documentation. */
function DocsHeader({ context }: { context: DocsContext }): VNode {
  const { siteUrl, path, session, accountUrl, site } = context;
  const next = encodeURIComponent(siteUrl.prefix + path);
  return (
    <HeaderBar
      sectionsLabel="Documentation"
      search={site ? siteUrl.prefix : null}
      service={[
        { href: `${siteUrl.prefix}/docs`, label: 'API', current: true },
        session === null
          ? { href: `${accountUrl}/account/sign-in?next=${next}`, label: 'Sign in' }
          : { href: `${accountUrl}/account/developer`, label: 'Account' },
      ]}
      sections={sections.map(([to, label]) => ({
        href: siteUrl.prefix + to,
        label,
        current: to === path || (to !== '/docs' && path.startsWith(`${to}/`)),
      }))}
    />
  );
}

/** A text with the list of guides beside it, or below it on narrow screens. */
function GuideLayout({ context, children }: { context: DocsContext; children: ComponentChildren }): VNode {
  const { siteUrl, path } = context;
  return (
    <div class="sheet">
      <article>{children}</article>
      <nav class="guides" aria-labelledby="guides">
        <h2 id="guides">Guides</h2>
        <ol>
          {guides.map(({ name, title }) => {
            const to = `/docs/guides/${name}`;
            return (
              <li key={name}>
                <a href={siteUrl.prefix + to} {...(to === path ? { 'aria-current': 'page' as const } : {})}>
                  {title}
                </a>
              </li>
            );
          })}
        </ol>
      </nav>
    </div>
  );
}
