/**
 * The cookies of browsers (RFC 6265). With https their names have the prefix `__Host-`: a browser then accepts them from
 * this host only, never from another host of the domain.
 */
import type { IncomingMessage } from 'node:http';

/** `secure`: browsers reach the pages by https (`isHttps`). */
export type CookieScope = { secure: boolean };

const cookieName = (name: string, { secure }: CookieScope): string =>
  secure ? `__Host-cratebase_${name}` : `cratebase_${name}`;

/** Whether a URL has the scheme https. */
export const isHttps = (url: string): boolean => url.startsWith('https:');

/** The first cookie of a name; undefined without one. */
function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The token of the session, for `access.sessions.find`. */
export const readSessionToken = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('session', scope));

/** The device cookie that `access.sessions` issued to this browser. */
export const readDeviceCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('known', scope));

/** Keeps the device cookie for a year, also after signing out. */
export const deviceCookie = (value: string, scope: CookieScope): string =>
  formatCookie(cookieName('known', scope), value, scope, 365 * 86_400);

/** The language that the visitor chose. */
export const readLanguageCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('language', scope));

/** Remembers a chosen language for a year. */
export const languageCookie = (value: string, scope: CookieScope): string =>
  formatCookie(cookieName('language', scope), value, scope, 365 * 86_400);

/** The slug of the city that the visitor chose, percent-encoded. */
export const readCityCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('city', scope));

/** Remembers a city for a year; an empty slug deletes the cookie. */
export const cityCookie = (slug: string, scope: CookieScope): string =>
  formatCookie(cookieName('city', scope), encodeURIComponent(slug), scope, slug === '' ? 0 : 365 * 86_400);

/** The cookie that binds a form to a browser without a session. */
export const readFormCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('form', scope));

/** Formats a `Set-Cookie` value. `maxAge` is in seconds; without it, the cookie lasts until the browser closes. */
function formatCookie(name: string, value: string, { secure }: CookieScope, maxAge?: number): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure ? '; Secure' : ''}`;
}

/** Stores the token of a session for `maxAge` seconds. */
export const sessionCookie = (token: string, scope: CookieScope & { maxAge?: number }): string =>
  formatCookie(cookieName('session', scope), token, scope, scope.maxAge);

/** Deletes the session cookie. */
export const clearedSessionCookie = (scope: CookieScope): string =>
  formatCookie(cookieName('session', scope), '', scope, 0);

/** The token of the link for the first operator, while its page is open. */
export const readStartCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('start', scope));

/** Keeps the token of the link for the first operator for `maxAge` seconds; 0 deletes it. */
export const startCookie = (token: string, scope: CookieScope, maxAge: number): string =>
  formatCookie(cookieName('start', scope), token, scope, maxAge);

/** Keeps the value that binds a form to a browser without a session, until the browser closes. */
export const formCookie = (value: string, scope: CookieScope): string =>
  formatCookie(cookieName('form', scope), value, scope);

/** A sign-in in progress: waiting for a code, for the OpenID provider, or for the password of the account to link. */
export type FlowName = 'code' | 'openid' | 'link';

/** The sealed value of a sign-in in progress. */
export const readFlowCookie = (
  request: IncomingMessage,
  name: FlowName,
  scope: CookieScope,
): string | undefined => readCookie(request, cookieName(name, scope));

/** Keeps the sealed value of a sign-in in progress for `maxAge` seconds; 0 deletes it. */
export const flowCookie = (name: FlowName, value: string, scope: CookieScope, maxAge: number): string =>
  formatCookie(cookieName(name, scope), value, scope, maxAge);
