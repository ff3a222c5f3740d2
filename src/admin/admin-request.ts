/** Requests of the console: what their handlers use, and the person who sent them. */
import type { ComponentChildren } from 'preact';
import { type Access, type BrowserInfo, maxSessionMs, type Session } from '../access/access.ts';
import type { Clock } from '../clock.ts';
import type { ActionCaller, ActionRunner } from '../contract/action-runner.ts';
import { type Actor, includesRole, type Role } from '../contract/roles.ts';
import { clientAddress, userAgent } from '../http/client-address.ts';
import { deviceCookie, readDeviceCookie, sessionCookie } from '../http/cookies.ts';
import type { Log } from '../log.ts';
import type { Mailer } from '../mail/mailer.ts';
import { FormRequest, type FormRequestParts } from '../pages/form-request.ts';
import { languageHeaders, type PageLanguage, pageLanguage } from '../pages/language.ts';
import { type Messages, messagesOf } from '../pages/messages/messages.ts';
import { page } from '../pages/page.tsx';
import { privateCacheControl, sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { adminHead, adminHeader } from './layout.tsx';
import type { IdentityStore, ServiceReader } from './service-reader.ts';

export type AdminDeps = {
  access: Access;
  clock: Clock;
  log: Log;
  /** The site of the account pages and of the console. */
  siteUrl: SiteUrl;
  /** Base address of the API and of the public pages. */
  baseUrl: string;
  trustProxy: boolean;
  /** Whether people sign in with a password of this service. */
  localPasswords: boolean;
  /** Sends mails; null: the service sends none. */
  mail: Mailer | null;
  runAction: ActionRunner;
  service: ServiceReader;
  /** The identity of the service; null: it is not kept in the data file. */
  identity: IdentityStore | null;
};

export type AdminPageContent = {
  title: string;
  /** The path of the section in the menu (`layout.tsx`). */
  section?: string;
  /** Scripts of the page may request pages of the console. */
  connect?: 'self';
  children: ComponentChildren;
};

/** A request for a page of the console, and its response. */
export class AdminRequest extends FormRequest<Session> {
  readonly deps: AdminDeps;
  /** The parts of the path that `*` stands for. */
  readonly ids: readonly string[];
  /** The file of a form with one; null: the form has none. */
  readonly file: Buffer | null;
  #language: PageLanguage;

  constructor(
    parts: FormRequestParts<Session> & { deps: AdminDeps; ids: readonly string[]; file?: Buffer | null },
  ) {
    super(parts, parts.deps.siteUrl, parts.deps.access);
    this.deps = parts.deps;
    this.ids = parts.ids;
    this.file = parts.file ?? null;
    this.#language = pageLanguage(parts.request, parts.deps.siteUrl, this.query.get('lang'));
  }

  /** The texts in the visitor's language. */
  get messages(): Messages {
    return messagesOf(this.#language.language);
  }

  /** The address and the browser of the client, with the device cookie of an earlier sign-in. */
  get requestSource(): BrowserInfo {
    return {
      address: clientAddress(this.request, this.deps.trustProxy),
      userAgent: userAgent(this.request),
      known: readDeviceCookie(this.request, this.deps.siteUrl),
    };
  }

  /** Sets the cookies of a session with the response. */
  signIn(session: Session): void {
    const { siteUrl, access } = this.deps;
    const maxAge = Math.floor(maxSessionMs / 1000);
    this.setCookie(sessionCookie(session.token, { secure: siteUrl.secure, maxAge }));
    this.setCookie(deviceCookie(access.sessions.issueDeviceCookie(session, this.requestSource), siteUrl));
  }

  /** Whether the signed-in account has a role or one above it. */
  hasRole(role: Role): boolean {
    return this.session !== null && includesRole(this.session.account.role, role);
  }

  /** Sends a page with the header of the console, in the language of the visitor, with the cookies that were set before. */
  render(
    status: number,
    { section, connect, ...content }: AdminPageContent,
    headers: Record<string, string> = {},
  ): void {
    const { siteUrl, baseUrl } = this.deps;
    const { session } = this;
    const viewer = session && { email: session.account.email, csrf: session.csrf };
    const { language } = this.#language;
    const { 'Set-Cookie': cookie, ...sent } = languageHeaders(this.#language, siteUrl);
    if (cookie !== undefined) this.setCookie(cookie);
    const { messages } = this;
    const translated = status === 200 ? this.#ownAddress() : null;
    const html = page({
      siteUrl,
      viewer,
      language,
      ...(translated !== null && { translated }),
      ...content,
      title: `${content.title} · ${messages.consoleFrame.admin}`,
      home: '/admin',
      head: adminHead(siteUrl.prefix),
      bar: adminHeader({
        siteUrl,
        baseUrl,
        viewer,
        role: session?.account.role ?? 'user',
        section,
        messages,
      }),
    });
    sendPage(this.response, status, html, {
      ...(connect === undefined ? {} : { connect }),
      cache: privateCacheControl,
      headers: this.withCookies({ ...sent, ...headers }),
    });
  }

  /** Sends a JSON document, for the script of a page. */
  sendJson(value: unknown): void {
    const body = JSON.stringify(value);
    this.response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': privateCacheControl,
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    });
    this.response.end(this.request.method === 'HEAD' ? undefined : body);
  }

  /** Path and query of this page for other languages; null for the response to a form. */
  #ownAddress(): string | null {
    const { method, url = '' } = this.request;
    if (method !== 'GET' && method !== 'HEAD') return null;
    const query = new URLSearchParams(this.query);
    query.delete('lang');
    return (url.split('?', 1)[0] ?? '') + (query.size > 0 ? `?${query}` : '');
  }
}

/** A request of an account with the role that its route requires. */
export type StaffRequest = AdminRequest & { readonly session: Session };

/** Returns the signed-in account as the audit log names it. */
export const actorOf = ({ session }: StaffRequest): Actor => `account:${session.account.email}`;

/** Returns the signed-in account as actions are run by it. */
export const callerOf = (visit: StaffRequest): ActionCaller => ({
  actor: actorOf(visit),
  role: visit.session.account.role,
});

/** Runs an action of the catalogue as the signed-in account (`contract/action-runner.ts`). */
export const runAction = <T>(visit: StaffRequest, action: string, input: unknown): Promise<T> =>
  visit.deps.runAction<T>(action, input, callerOf(visit));
