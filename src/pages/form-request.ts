/** Requests for pages with forms. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { equalsConstantTime } from '../http/constant-time-equal.ts';
import { formCookie, readFormCookie } from '../http/cookies.ts';
import { redirect } from './send.ts';
import type { SiteUrl } from './site-url.ts';

/** Returns the CSRF token of a form without a session, by the cookie of its browser. */
export type FormTokens = { formToken(cookie: string): string };

export type FormRequestParts<S> = {
  request: IncomingMessage;
  response: ServerResponse;
  /** The session of the signed-in account; null: none. */
  session: S | null;
  /** The posted form; empty for GET. */
  form: URLSearchParams;
};

const formCookiePattern = /^[\w-]{43}$/;

/**
 * A request for a page with forms: its fields, its CSRF tokens and its cookies. The account pages, the console and OAuth extend
 * it.
 */
export class FormRequest<S extends { readonly csrf: string }> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The session of the signed-in account; null: none. */
  readonly session: S | null;
  readonly query: URLSearchParams;
  /** The posted form; empty for GET. */
  readonly form: URLSearchParams;
  readonly #siteUrl: SiteUrl;
  readonly #tokens: FormTokens;
  readonly #cookies: string[] = [];
  #formCookie: string | undefined;

  constructor(parts: FormRequestParts<S>, siteUrl: SiteUrl, tokens: FormTokens) {
    this.request = parts.request;
    this.response = parts.response;
    this.session = parts.session;
    this.form = parts.form;
    this.query = new URLSearchParams(/\?(.*)/.exec(parts.request.url ?? '')?.[1]);
    this.#siteUrl = siteUrl;
    this.#tokens = tokens;
    const cookie = readFormCookie(parts.request, siteUrl);
    if (cookie !== undefined && formCookiePattern.test(cookie)) this.#formCookie = cookie;
  }

  /** Returns a field of the form; empty if it is missing. */
  field(name: string): string {
    return this.form.get(name) ?? '';
  }

  /** Returns the path of a page with the prefix of the site. */
  path(path: string): string {
    return this.#siteUrl.prefix + path;
  }

  /** Returns the CSRF token of a form without a session, and sets the cookie that belongs to it. */
  formToken(): string {
    if (this.#formCookie === undefined) {
      this.#formCookie = randomBytes(32).toString('base64url');
      this.setCookie(formCookie(this.#formCookie, this.#siteUrl));
    }
    return this.#tokens.formToken(this.#formCookie);
  }

  /** Returns whether the CSRF token of the form belongs to this browser. */
  hasValidFormToken(): boolean {
    const cookie = this.#formCookie;
    return cookie !== undefined && equalsConstantTime(this.field('csrf'), this.#tokens.formToken(cookie));
  }

  /** Returns whether the CSRF token of the form belongs to this session. */
  hasValidSessionToken(): boolean {
    return this.session !== null && equalsConstantTime(this.field('csrf'), this.session.csrf);
  }

  /** Sets a cookie with the response. @param cookie the value of a `Set-Cookie` header (`http/cookies.ts`) */
  setCookie(cookie: string): void {
    this.#cookies.push(cookie);
  }

  /** Redirects to another page of the site. */
  redirect(path: string): void {
    redirect(this.response, this.path(path), this.withCookies({}));
  }

  /** Returns headers with the cookies of this response. */
  protected withCookies(headers: Record<string, string>): Record<string, string | string[]> {
    return this.#cookies.length === 0 ? headers : { ...headers, 'Set-Cookie': this.#cookies };
  }
}
