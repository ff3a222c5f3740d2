/** A request for an account page, and its response. */
import type { ComponentChildren } from 'preact';
import { type Access, type BrowserInfo, maxSessionMs, type Session } from '../access/access.ts';
import type { Clock } from '../clock.ts';
import { includesRole } from '../contract/roles.ts';
import { clientAddress, userAgent } from '../http/client-address.ts';
import { clearedSessionCookie, deviceCookie, readDeviceCookie, sessionCookie } from '../http/cookies.ts';
import type { Log } from '../log.ts';
import { FormRequest, type FormRequestParts } from '../pages/form-request.ts';
import { page, type Viewer } from '../pages/page.tsx';
import { sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';

export type AccountDeps = {
  access: Access;
  clock: Clock;
  log: Log;
  /** The site of the account pages. */
  siteUrl: SiteUrl;
  /** Base address of the API. */
  baseUrl: string;
  registration: 'open' | 'approval' | 'closed';
  trustProxy: boolean;
};

export type AccountPageContent = {
  title: string;
  current?: string;
  children: ComponentChildren;
  /** Allowed targets of the forms (`sendPage`). */
  forms?: 'self' | 'anywhere';
};

export class AccountRequest extends FormRequest<Session> {
  readonly deps: AccountDeps;
  /** The id in the path; empty if it has none. */
  readonly recordId: string;

  constructor(parts: FormRequestParts<Session> & { deps: AccountDeps; id: string }) {
    super(parts, parts.deps.siteUrl, parts.deps.access);
    this.deps = parts.deps;
    this.recordId = parts.id;
  }

  get requestSource(): BrowserInfo {
    return {
      address: clientAddress(this.request, this.deps.trustProxy),
      userAgent: userAgent(this.request),
      known: readDeviceCookie(this.request, this.deps.siteUrl),
    };
  }

  /** Sets the cookies of a session with the response. */
  signIn(session: Session): void {
    const { siteUrl } = this.deps;
    const maxAge = Math.floor(maxSessionMs / 1000);
    this.setCookie(sessionCookie(session.token, { secure: siteUrl.secure, maxAge }));
    this.setCookie(
      deviceCookie(this.deps.access.sessions.issueDeviceCookie(session, this.requestSource), siteUrl),
    );
  }

  /** Clears the session cookie with the response. */
  signOut(): void {
    this.setCookie(clearedSessionCookie(this.deps.siteUrl));
  }

  /** Sends a page. */
  render(status: number, pageContent: AccountPageContent, headers: Record<string, string> = {}): void {
    const { siteUrl } = this.deps;
    const { forms = 'self', ...content } = pageContent;
    const viewer = toViewer(this.session);
    const html = page({ siteUrl, viewer, ...content });
    sendPage(this.response, status, html, { forms, headers: this.withCookies(headers) });
  }
}

/** A request with a session. */
export type SignedInRequest = AccountRequest & { readonly session: Session };

/** Returns the viewer of a page. Editors and operators get a link to the console. */
const toViewer = (session: Session | null): Viewer | null =>
  session && {
    email: session.account.email,
    csrf: session.csrf,
    hasConsole: includesRole(session.account.role, 'editor'),
  };
