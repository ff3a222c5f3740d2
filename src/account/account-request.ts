/** One request for a page, and how it is answered. */
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
  formCookie,
  readDeviceCookie,
  readFormCookie,
  sessionCookie,
} from '../http/cookies.ts';
import type { Log } from '../log.ts';
import { page } from '../pages/page.tsx';
import { redirect, sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';

export type AccountDeps = {
  access: Access;
  clock: Clock;
  log: Log;
  /** Where the pages of accounts lie. */
  siteUrl: SiteUrl;
  /** Where the API lies. */
  baseUrl: string;
  registration: 'open' | 'approval' | 'closed';
  trustProxy: boolean;
};

export type AccountPageContent = {
  title: string;
  current?: string;
  children: ComponentChildren;
  /** Where forms of the page may lead (`sendPage`). */
  forms?: 'self' | 'anywhere';
};

const formCookiePattern = /^[\w-]{43}$/;

export class AccountRequest {
  readonly deps: AccountDeps;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Who is signed in. */
  readonly session: Session | null;
  readonly query: URLSearchParams;
  /** What was posted; empty for a page that is only looked at. */
  readonly form: URLSearchParams;
  /** The part of the path that names a record. */
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

  /** One field of the form; empty where it is absent. */
  field(name: string): string {
    return this.form.get(name) ?? '';
  }

  /** The path of a page as browsers are to ask for it. */
  path(path: string): string {
    return this.deps.siteUrl.prefix + path;
  }

  /** What a form carries that is open to whoever is not signed in; gives the browser a cookie to go with it. */
  formToken(): string {
    if (this.#formCookie === undefined) {
      this.#formCookie = randomBytes(32).toString('base64url');
      this.#cookies.push(formCookie(this.#formCookie, this.deps.siteUrl));
    }
    return this.deps.access.formToken(this.#formCookie);
  }

  /** Whether the posted form was made for this browser. */
  hasValidFormToken(): boolean {
    const cookie = this.#formCookie;
    return cookie !== undefined && equalsConstantTime(this.field('csrf'), this.deps.access.formToken(cookie));
  }

  /** Whether the posted form was made for this session. */
  hasValidSessionToken(): boolean {
    return this.session !== null && equalsConstantTime(this.field('csrf'), this.session.csrf);
  }

  /** From the answer on, the browser has this session. */
  signIn(session: Session): void {
    const { siteUrl } = this.deps;
    this.#cookies.push(
      sessionCookie(session.token, { secure: siteUrl.secure, maxAge: Math.floor(maxSessionMs / 1000) }),
      deviceCookie(this.deps.access.sessions.issueDeviceCookie(session, this.requestSource), siteUrl),
    );
  }

  /** From the answer on, the browser has none. */
  signOut(): void {
    this.#cookies.push(clearedSessionCookie(this.deps.siteUrl));
  }

  /** Answers with a page. */
  render(status: number, shown: AccountPageContent, headers: Record<string, string> = {}): void {
    const { siteUrl } = this.deps;
    const { forms = 'self', ...content } = shown;
    const viewer =
      this.session === null ? null : { email: this.session.account.email, csrf: this.session.csrf };
    const html = page({ siteUrl, viewer, ...content });
    sendPage(this.response, status, html, { forms, headers: this.#withCookies(headers) });
  }

  /** Sends the browser on to another of our pages. */
  redirect(path: string): void {
    redirect(this.response, this.path(path), this.#withCookies({}));
  }

  #withCookies(headers: Record<string, string>): Record<string, string | string[]> {
    return this.#cookies.length === 0 ? headers : { ...headers, 'Set-Cookie': this.#cookies };
  }
}

/** A page for who is signed in. */
export type SignedInRequest = AccountRequest & { readonly session: Session };
