/** What all account pages have: the request, its session and cookies, and the texts in its language. */
import type { ComponentChildren } from 'preact';
import { type Access, type BrowserInfo, maxSessionMs, type Session } from '../access/access.ts';
import type { Clock } from '../clock.ts';
import { includesRole } from '../contract/roles.ts';
import { clientAddress, userAgent } from '../http/client-address.ts';
import {
  clearedSessionCookie,
  deviceCookie,
  type FlowName,
  flowCookie,
  readDeviceCookie,
  readFlowCookie,
  sessionCookie,
} from '../http/cookies.ts';
import { describeFailure, type Log } from '../log.ts';
import type { Mailer } from '../mail/mailer.ts';
import { FormRequest, type FormRequestParts } from '../pages/form-request.ts';
import { languageHeaders, type PageLanguage, pageLanguage } from '../pages/language.ts';
import { type Messages, messagesOf } from '../pages/messages/messages.ts';
import { page, type Viewer } from '../pages/page.tsx';
import { privateCacheControl, redirect, sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import type { OpenIdProvider } from './openid/provider.ts';
import { safeRedirectTarget } from './redirect-target.ts';

export type AccountDeps = {
  access: Access;
  clock: Clock;
  log: Log;
  /** The site of the account pages. */
  siteUrl: SiteUrl;
  /** Base address of the API. */
  baseUrl: string;
  registration: 'open' | 'approval' | 'closed';
  /** Sends mails; null: the service sends none. */
  mail: Mailer | null;
  /** The OpenID provider; null: none. */
  openid: OpenIdProvider | null;
  /** Whether people sign in and up with a password of this service. */
  localPasswords: boolean;
  trustProxy: boolean;
};

export type AccountPageContent = {
  title: string;
  current?: string;
  /** Additional elements of the head. */
  head?: ComponentChildren;
  children: ComponentChildren;
  /** Allowed targets of the forms (`sendPage`). */
  forms?: 'self' | 'anywhere';
};

/** How long a sign-in with several steps may take, in ms. */
const flowLifetimeMs = 10 * 60_000;

/** A request for an account page and its response. It has no session if the cookie has none that is valid. */
export class AccountRequest extends FormRequest<Session> {
  readonly deps: AccountDeps;
  /** The id in the path; empty if it has none. */
  readonly recordId: string;
  readonly #language: PageLanguage;

  constructor(parts: FormRequestParts<Session> & { deps: AccountDeps; id: string }) {
    super(parts, parts.deps.siteUrl, parts.deps.access);
    this.deps = parts.deps;
    this.recordId = parts.id;
    this.#language = pageLanguage(parts.request, parts.deps.siteUrl, this.query.get('lang'));
  }

  /** The texts of all pages in the visitor's language. */
  get messages(): Messages {
    return messagesOf(this.#language.language);
  }

  /** The texts of the account pages in the visitor's language. */
  get words(): Messages['account'] {
    return this.messages.account;
  }

  /** The address and the browser that the request comes from, with the device cookie that it sent. */
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

  /** Keeps the state of a sign-in in progress in this browser. It can neither be read nor changed there. */
  keepFlow(name: FlowName, value: unknown): void {
    const { access, siteUrl } = this.deps;
    const sealed = access.signIn.sealed.seal(name, value, flowLifetimeMs);
    this.setCookie(flowCookie(name, sealed, siteUrl, flowLifetimeMs / 1000));
  }

  /** Returns the state of a sign-in in progress in this browser; null if there is none or it has expired. */
  flow<T>(name: FlowName): T | null {
    const { access, siteUrl } = this.deps;
    return access.signIn.sealed.unseal<T>(name, readFlowCookie(this.request, name, siteUrl));
  }

  /** Ends a sign-in in progress. */
  endFlow(name: FlowName): void {
    this.setCookie(flowCookie(name, '', this.deps.siteUrl, 0));
  }

  /** Runs work after the response, which must not depend on it. A failure is logged. */
  afterResponse(work: () => Promise<void>): void {
    const run = () => {
      work().catch((failure: unknown) =>
        this.deps.log('error', 'work after a response failed', describeFailure(failure)),
      );
    };
    if (this.response.writableFinished || this.response.destroyed) run();
    else this.response.once('close', run);
  }

  /** Sends a page. */
  render(status: number, pageContent: AccountPageContent, headers: Record<string, string> = {}): void {
    const { siteUrl } = this.deps;
    const { forms = 'self', ...content } = pageContent;
    const viewer = toViewer(this.session);
    const { 'Set-Cookie': cookie, ...pageHeaders } = languageHeaders(this.#language, siteUrl);
    if (cookie !== undefined) this.setCookie(cookie);
    const translated = status === 200 ? this.#ownAddress() : null;
    const { language } = this.#language;
    const html = page({ siteUrl, viewer, language, ...(translated !== null && { translated }), ...content });
    sendPage(this.response, status, html, {
      forms,
      cache: privateCacheControl,
      headers: this.withCookies({ ...pageHeaders, ...headers }),
    });
  }

  /** Path and query of this page for other languages; null if opening it shows another page. */
  #ownAddress(): string | null {
    const { method, url = '' } = this.request;
    if (method !== 'GET' && method !== 'HEAD') return null;
    const query = new URLSearchParams();
    const next = this.query.get('next');
    if (next !== null) query.set('next', safeRedirectTarget(next));
    for (const name of ['done', 'page']) {
      const value = this.query.get(name);
      if (value !== null) query.set(name, value);
    }
    return (url.split('?', 1)[0] ?? '') + (query.size > 0 ? `?${query}` : '');
  }

  /** Redirects to the address of the OpenID provider. */
  redirectAway(url: string): void {
    redirect(this.response, url, this.withCookies({}));
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
