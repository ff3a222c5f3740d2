/** The HTML document around the content of every page. */
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPaths } from './assets.ts';
import type { SiteUrl } from './site-url.ts';

/** The person who is signed in. */
export type Viewer = {
  email: string;
  csrf: string;
  /** Whether the menu links to the console at /admin. */
  hasConsole?: boolean;
};

export type PageOptions = {
  siteUrl: SiteUrl;
  /** Title of this page; the service's name is appended. */
  title: string;
  viewer: Viewer | null;
  /** Path that the logo links to, below the site URL; the home page if absent. */
  home?: string;
  /** Path of this page's menu entry, below the site URL. */
  current?: string;
  /** Additional elements of the head: description, canonical address, structured data. */
  head?: ComponentChildren;
  /** Header that replaces the account menu. */
  bar?: ComponentChildren;
  /** Additional links of the footer. */
  foot?: ComponentChildren;
  children: ComponentChildren;
};

/** Renders a whole HTML document. The renderer escapes all texts. */
export function page(options: PageOptions): string {
  return `<!doctype html>${renderToString(<Document {...options} />)}`;
}

function Document(options: PageOptions): VNode {
  const { siteUrl, title, viewer, home = '/', current, head, bar, foot, children } = options;
  const { prefix, name } = siteUrl;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${name}`}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href={prefix + assetPaths.style} />
        <link rel="icon" href={prefix + assetPaths.icon} type="image/svg+xml" />
        <script src={prefix + assetPaths.script} defer />
        {head}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="bar">
          <a class="mark" href={prefix + home}>
            <Logo />
            <span>{name}</span>
          </a>
          {bar ?? <Menu siteUrl={siteUrl} viewer={viewer} current={current} />}
        </header>
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="foot">
          <span>{name}: a catalogue of electronic music</span>
          <a href={`${prefix}/docs`}>API reference</a>
          <a href={`${prefix}/changelog`}>Changelog</a>
          <a href={`${prefix}/llms.txt`}>For agents</a>
          {foot}
        </footer>
      </body>
    </html>
  );
}

type MenuProps = { siteUrl: SiteUrl; viewer: Viewer | null; current: string | undefined };

function Menu({ siteUrl, viewer, current }: MenuProps): VNode {
  return (
    <nav aria-label="Main">
      <ul>
        <MenuEntry siteUrl={siteUrl} path="/docs" current={current} label="API" />
        {viewer === null ? (
          <MenuEntry siteUrl={siteUrl} path="/account/sign-in" current={current} label="Sign in" />
        ) : (
          <SignedInMenu siteUrl={siteUrl} viewer={viewer} current={current} />
        )}
      </ul>
    </nav>
  );
}

type MenuEntryProps = { siteUrl: SiteUrl; path: string; current: string | undefined; label: string };

function MenuEntry({ siteUrl, path, current, label }: MenuEntryProps): VNode {
  return (
    <li>
      <a href={siteUrl.prefix + path} {...(path === current ? { 'aria-current': 'page' } : {})}>
        {label}
      </a>
    </li>
  );
}

type SignedInMenuProps = { siteUrl: SiteUrl; viewer: Viewer; current: string | undefined };

function SignedInMenu({ siteUrl, viewer, current }: SignedInMenuProps): VNode {
  return (
    <>
      {viewer.hasConsole && <MenuEntry siteUrl={siteUrl} path="/admin" current={current} label="Admin" />}
      <MenuEntry siteUrl={siteUrl} path="/account/developer" current={current} label="Developer" />
      <MenuEntry siteUrl={siteUrl} path="/account/security" current={current} label="Account" />
      <li>
        <form method="post" action={`${siteUrl.prefix}/account/sign-out`}>
          <input type="hidden" name="csrf" value={viewer.csrf} />
          <button class="plain" type="submit">
            Sign out
          </button>
        </form>
      </li>
    </>
  );
}

/** The logo: records in a crate, one of them pulled out. */
function Logo(): VNode {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 8h3v14H2zM7 8h3v14H7zM17 8h3v14h-3z" fill="currentColor" />
      <path d="M12 2h3v20h-3z" fill="#d9480f" />
    </svg>
  );
}
