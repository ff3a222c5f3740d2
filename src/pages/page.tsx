/** The HTML document around the content of every page. */
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Identity } from '../contract/identity.ts';
import { accentPath, assetPaths, logoPath } from './assets.ts';
import {
  defaultLanguage,
  type Language,
  languageCodes,
  MessagesContext,
  messagesOf,
  useMessages,
} from './messages/messages.ts';
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
  /** The language of all texts of the page; English if absent. */
  language?: Language;
  /** Path and query of this page in other languages, below the site URL; without it, there is no switch. */
  translated?: string;
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
  const messages = messagesOf(options.language ?? defaultLanguage);
  return `<!doctype html>${renderToString(
    <MessagesContext.Provider value={messages}>
      <Document {...options} />
    </MessagesContext.Provider>,
  )}`;
}

function Document(options: PageOptions): VNode {
  const { siteUrl, title, viewer, home = '/', current, head, bar, foot, children } = options;
  const { language = defaultLanguage, translated } = options;
  const { frame } = useMessages();
  const { prefix, identity } = siteUrl;
  const { name, logo, accent } = identity;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${name}`}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href={prefix + assetPaths.style} />
        {accent !== null && <link rel="stylesheet" href={prefix + accentPath(accent)} />}
        {logo === null ? (
          <link rel="icon" href={prefix + assetPaths.icon} type="image/svg+xml" />
        ) : (
          <link rel="icon" href={prefix + logoPath(logo)} type={logo.type} />
        )}
        <script src={prefix + assetPaths.script} defer />
        {!identity.indexing && <meta name="robots" content="noindex, nofollow" />}
        {head}
      </head>
      <body>
        <a class="skip" href="#content">
          {frame.skip}
        </a>
        <header class="bar">
          <a class="mark" href={prefix + home}>
            {logo === null ? <Logo /> : <img src={prefix + logoPath(logo)} alt="" height={28} />}
            <span>{name}</span>
          </a>
          {bar ?? <Menu siteUrl={siteUrl} viewer={viewer} current={current} />}
        </header>
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer class="foot">
          <span>{frame.tagline(name)}</span>
          <a href={`${prefix}/docs`}>{frame.apiReference}</a>
          <a href={`${prefix}/changelog`}>{frame.changelog}</a>
          <a href={`${prefix}/llms.txt`}>{frame.forAgents}</a>
          {foot}
          <OperatorLinks identity={identity} />
          {translated !== undefined && <LanguageSwitch address={prefix + translated} current={language} />}
          {identity.footer !== null && <span class="own">{identity.footer}</span>}
        </footer>
      </body>
    </html>
  );
}

/** The links of the operator that are set: contact, imprint, privacy policy, terms of use. */
function OperatorLinks({ identity }: { identity: Identity }): VNode {
  const { frame } = useMessages();
  const { contact, imprint, privacy, terms } = identity;
  const links: [address: string | null, text: string][] = [
    [contact === null ? null : contactAddress(contact), frame.contact],
    [imprint, frame.imprint],
    [privacy, frame.privacy],
    [terms, frame.terms],
  ];
  return (
    <>
      {links.map(
        ([address, text]) =>
          address !== null && (
            <a href={address} key={text}>
              {text}
            </a>
          ),
      )}
    </>
  );
}

/** The address behind a contact: a URL as it is, an email address as `mailto:`. */
export const contactAddress = (contact: string): string =>
  /^https?:/.test(contact) ? contact : `mailto:${encodeURIComponent(contact).replace('%40', '@')}`;

/** Links to the page in the other languages. Opening one remembers the language (`language.ts`). */
function LanguageSwitch({ address, current }: { address: string; current: Language }): VNode {
  const { frame } = useMessages();
  return (
    <>
      {languageCodes
        .filter((code) => code !== current)
        .map((code) => (
          <a href={withLanguage(address, code)} lang={code} hreflang={code} title={frame.language} key={code}>
            {messagesOf(code).languageName}
          </a>
        ))}
    </>
  );
}

/** Adds the language to an address that may have a query. */
export const withLanguage = (address: string, language: Language): string =>
  `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;

type MenuProps = { siteUrl: SiteUrl; viewer: Viewer | null; current: string | undefined };

function Menu({ siteUrl, viewer, current }: MenuProps): VNode {
  const { frame } = useMessages();
  return (
    <nav aria-label={frame.main}>
      <ul>
        <MenuEntry siteUrl={siteUrl} path="/docs" current={current} label={frame.api} />
        {viewer === null ? (
          <MenuEntry siteUrl={siteUrl} path="/account/sign-in" current={current} label={frame.signIn} />
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
  const { frame } = useMessages();
  return (
    <>
      {viewer.hasConsole && (
        <MenuEntry siteUrl={siteUrl} path="/admin" current={current} label={frame.console} />
      )}
      <MenuEntry siteUrl={siteUrl} path="/account/developer" current={current} label={frame.developer} />
      <MenuEntry siteUrl={siteUrl} path="/account/security" current={current} label={frame.account} />
      <li>
        <form method="post" action={`${siteUrl.prefix}/account/sign-out`}>
          <input type="hidden" name="csrf" value={viewer.csrf} />
          <button class="plain" type="submit">
            {frame.signOut}
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
