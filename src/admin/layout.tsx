/** The header of the console: links to the rest of the service, and the sections. */
import type { VNode } from 'preact';
import { includesRole, type Role } from '../contract/roles.ts';
import { assetPaths } from '../pages/assets.ts';
import type { Messages } from '../pages/messages/messages.ts';
import type { Viewer } from '../pages/page.tsx';
import { CsrfField } from '../pages/parts.tsx';
import type { SiteUrl } from '../pages/site-url.ts';

/** The menu of the console. An entry shows if the account has its role. */
const sections: readonly { path: string; label: keyof Messages['consoleFrame']; role: Role }[] = [
  { path: '/admin', label: 'overview', role: 'editor' },
  { path: '/admin/sources', label: 'sources', role: 'editor' },
  { path: '/admin/review', label: 'review', role: 'editor' },
  { path: '/admin/records', label: 'records', role: 'editor' },
  { path: '/admin/accounts', label: 'accounts', role: 'operator' },
  { path: '/admin/settings', label: 'settings', role: 'operator' },
  { path: '/admin/audit', label: 'audit', role: 'editor' },
];

type AdminHeaderProps = {
  siteUrl: SiteUrl;
  baseUrl: string;
  viewer: Viewer | null;
  role: Role;
  /** The path of the current section. */
  section: string | undefined;
  messages: Messages;
};

/** Returns the additional elements of the head: the styles of the console. */
export const adminHead = (prefix: string): VNode => (
  <link rel="stylesheet" href={prefix + assetPaths.adminStyle} />
);

/** Returns the header. Without a role for the console it has no sections. */
export function adminHeader({ siteUrl, baseUrl, viewer, role, section, messages }: AdminHeaderProps): VNode {
  const { prefix } = siteUrl;
  const { frame, consoleFrame } = messages;
  const ownSections = sections.filter((entry) => includesRole(role, entry.role));
  return (
    <>
      <nav class="service" aria-label={frame.service}>
        <ul>
          <li>
            <a href={`${baseUrl}/`}>{consoleFrame.site}</a>
          </li>
          {viewer !== null && (
            <>
              <li>
                <a href={`${prefix}/account/security`}>{frame.account}</a>
              </li>
              <li>
                <form method="post" action={`${prefix}/account/sign-out`}>
                  <CsrfField token={viewer.csrf} />
                  <button class="plain" type="submit">
                    {frame.signOut}
                  </button>
                </form>
              </li>
            </>
          )}
        </ul>
      </nav>
      {ownSections.length > 0 && (
        <nav class="sections" aria-label={consoleFrame.admin}>
          <ul>
            {ownSections.map(({ path, label }) => (
              <li key={path}>
                <a href={prefix + path} {...(path === section ? { 'aria-current': 'page' as const } : {})}>
                  {consoleFrame[label]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  );
}
