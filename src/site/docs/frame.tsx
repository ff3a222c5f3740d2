/** What stands around the content of every page of documentation. */
import type { ComponentChildren, VNode } from 'preact';
import type { Session } from '../../access/access.ts';
import { guides } from '../../contract/guides.ts';
import { page } from '../../pages/page.tsx';
import type { Place } from '../../pages/place.ts';
import { pathOfAsset } from './assets.ts';

/** One request for a page: for whom, of which service. */
export type Reading = {
  place: Place;
  baseUrl: string;
  accountUrl: string;
  name: string;
  version: string;
  session: Session | null;
  /** The path asked for, without its query. */
  path: string;
};

export type Framed = {
  title: string;
  /** For search engines: one sentence. */
  description: string;
  /** Whether the menu of guides stands beside it. */
  menu: boolean;
  /** Further elements of the head. */
  head?: ComponentChildren;
  children: ComponentChildren;
};

/** The whole document. */
export async function frame(reading: Reading, framed: Framed): Promise<string> {
  const { place, path } = reading;
  const [style, script] = await Promise.all([pathOfAsset('style'), pathOfAsset('script')]);
  return page({
    place,
    title: framed.title,
    viewer: null,
    bar: <Bar reading={reading} />,
    head: (
      <>
        <meta name="description" content={framed.description} />
        <link rel="canonical" href={place.url + path} />
        {framed.head}
        <link rel="stylesheet" href={place.prefix + style} />
        <script src={place.prefix + script} defer />
      </>
    ),
    children: framed.menu ? <Sheet reading={reading}>{framed.children}</Sheet> : framed.children,
  });
}

function Bar({ reading }: { reading: Reading }): VNode {
  const { place, path, session, accountUrl } = reading;
  const entries: [string, string, boolean][] = [
    ['Reference', '/docs', path === '/docs'],
    ['Guides', '/docs/guides', path.startsWith('/docs/guides')],
    ['Changelog', '/changelog', path === '/changelog'],
  ];
  const next = encodeURIComponent(place.prefix + path);
  return (
    <nav aria-label="Main">
      <ul>
        {entries.map(([label, to, isHere]) => (
          <li key={to}>
            <a href={place.prefix + to} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
              {label}
            </a>
          </li>
        ))}
        <li>
          {session === null ? (
            <a href={`${accountUrl}/account/sign-in?next=${next}`}>Sign in</a>
          ) : (
            <a href={`${place.prefix}/account/developer`}>Account</a>
          )}
        </li>
      </ul>
    </nav>
  );
}

/** A text with the list of guides beside it; above it, closed, where there is no room. */
function Sheet({ reading, children }: { reading: Reading; children: ComponentChildren }): VNode {
  const { place, path } = reading;
  return (
    <div class="sheet">
      <nav class="guides" aria-label="Guides">
        <ol>
          {guides.map(({ name, title }) => {
            const to = `/docs/guides/${name}`;
            return (
              <li key={name}>
                <a href={place.prefix + to} {...(to === path ? { 'aria-current': 'page' as const } : {})}>
                  {title}
                </a>
              </li>
            );
          })}
        </ol>
      </nav>
      <article>{children}</article>
    </div>
  );
}
