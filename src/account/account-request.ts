/** A request for an account page, and its response. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ComponentChildren } from 'preact';
import { type Access, type BrowserInfo, maxSessionMs, type Session } from '../access/access.ts';
import type { Clock } from '../clock.ts';
import { clientAddress, userAgent } from '../http/client-address.ts';
import { equalsConstantTime } from '../http/constant-time-equal.ts';
import {
  clearedSessionCookie,
  deviceCookie,
  type FlowName,
  flowCookie,
  formCookie,
  readDeviceCookie,
  readFlowCookie,
  readFormCookie,
  sessionCookie,
} from '../http/cookies.ts';
import { describeFailure, type Log } from '../log.ts';
import type { Mailer } from '../mail/mailer.ts';
import { page } from '../pages/page.tsx';
import { redirect, sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import type { OpenIdProvider } from './openid/provider.ts';

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
const formCookiePattern = /^[\w-]{43}$/;

export class AccountRequest {
  readonly deps: AccountDeps;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The session of the signed-in account; null: none. */
  readonly session: Session | null;
  readonly query: URLSearchParams;
  /** The posted form; empty for GET. */
  readonly form: URLSearchParams;
  /** The id in the path; empty if it has none. */
  readonly recordId: string;
  readonly #cookies: string[] = [];
  #formCookie: string | undefined;

  constructor(parts: {
    deps: AccountDeps;
    request: IncomingMessage;
    response: ServerResponse;
    session: Session | null;
    form: URLSearchParams;
    id: string;
  }) {
    this.deps = parts.deps;
    this.request = parts.request;
    this.response = parts.response;
    this.session = parts.session;
    this.form = parts.form;
    this.recordId = parts.id;
    this.query = new URLSearchParams((parts.request.url ?? '').split('?', 2)[1] ?? '');
    const cookie = readFormCookie(parts.request, parts.deps.siteUrl);
    if (cookie !== undefined && formCookiePattern.test(cookie)) this.#formCookie = cookie;
  }

  get requestSource(): BrowserInfo {
    return {
      address: clientAddress(this.request, this.deps.trustProxy),
      userAgent: userAgent(this.request),
      known: readDeviceCookie(this.request, this.deps.siteUrl),
    };
  }

  /** Returns a field of the form; empty if it is missing. */
  field(name: string): string {
    return this.form.get(name) ?? '';
  }

  /** Returns the path of a page with the prefix of the site. */
  path(path: string): string {
    return this.deps.siteUrl.prefix + path;
  }

  /** Returns the CSRF token of a form without a session, and sets the cookie that belongs to it. */
  formToken(): string {
    if (this.#formCookie === undefined) {
      this.#formCookie = randomBytes(32).toString('base64url');
      this.#cookies.push(formCookie(this.#formCookie, this.deps.siteUrl));
    }
    return this.deps.access.formToken(this.#formCookie);
  }

  /** Returns whether the CSRF token of the form belongs to this browser. */
  hasValidFormToken(): boolean {
    const cookie = this.#formCookie;
    return cookie !== undefined && equalsConstantTime(this.field('csrf'), this.deps.access.formToken(cookie));
  }

  /** Returns whether the CSRF token of the form belongs to this session. */
  hasValidSessionToken(): boolean {
    return this.session !== null && equalsConstantTime(this.field('csrf'), this.session.csrf);
  }

  /** Sets the cookies of a session with the response. */
  signIn(session: Session): void {
    const { siteUrl } = this.deps;
    this.#cookies.push(
      sessionCookie(session.token, { secure: siteUrl.secure, maxAge: Math.floor(maxSessionMs / 1000) }),
      deviceCookie(this.deps.access.sessions.issueDeviceCookie(session, this.requestSource), siteUrl),
    );
  }

  /** Clears the session cookie with the response. */
  signOut(): void {
    this.#cookies.push(clearedSessionCookie(this.deps.siteUrl));
  }

  /** Keeps the state of a sign-in in progress in this browser. It can neither be read nor changed there. */
  keepFlow(name: FlowName, value: unknown): void {
    const { access, siteUrl } = this.deps;
    const sealed = access.signIn.sealed.seal(name, value, flowLifetimeMs);
    this.#cookies.push(flowCookie(name, sealed, siteUrl, flowLifetimeMs / 1000));
  }

  /** Returns the state of a sign-in in progress in this browser; null if there is none or it has expired. */
  flow<T>(name: FlowName): T | null {
    const { access, siteUrl } = this.deps;
    return access.signIn.sealed.unseal<T>(name, readFlowCookie(this.request, name, siteUrl));
  }

  /** Ends a sign-in in progress. */
  endFlow(name: FlowName): void {
    this.#cookies.push(flowCookie(name, '', this.deps.siteUrl, 0));
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
    const viewer =
      this.session === null ? null : { email: this.session.account.email, csrf: this.session.csrf };
    const html = page({ siteUrl, viewer, ...content });
    sendPage(this.response, status, html, { forms, headers: this.#withCookies(headers) });
  }

  /** Redirects to another page of the site. */
  redirect(path: string): void {
    redirect(this.response, this.path(path), this.#withCookies({}));
  }

  /** Redirects to the address of the OpenID provider. */
  redirectAway(url: string): void {
    redirect(this.response, url, this.#withCookies({}));
  }

  #withCookies(headers: Record<string, string>): Record<string, string | string[]> {
    return this.#cookies.length === 0 ? headers : { ...headers, 'Set-Cookie': this.#cookies };
  }
}

/** A request with a session. */
export type SignedInRequest = AccountRequest & { readonly session: Session };
