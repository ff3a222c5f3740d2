/**
 * The cookies of people's browsers (RFC 6265). Behind https their names begin with `__Host-`: a browser then takes them
 * from this very host alone, never from a neighbour below the same domain.
 */
import type { IncomingMessage } from 'node:http';

/** `secure`: pages are reached by https (`isHttps`). */
export type CookieScope = { secure: boolean };

const cookieName = (name: string, { secure }: CookieScope): string =>
  secure ? `__Host-cratebase_${name}` : `cratebase_${name}`;

/** Whether browsers reach pages at this address by https. */
export const isHttps = (accountUrl: string): boolean => accountUrl.startsWith('https:');

/** The first cookie of this name; undefined where there is none. */
export function readCookie(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The token of whoever is signed in, as `access.sessions.find` takes it. */
export const readSessionToken = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('session', scope));

/** What `access.sessions.mark` gave this browser. */
export const readDeviceCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('known', scope));

/** Marks a browser as one in which somebody was signed in; it stays when they sign out. */
export const deviceCookie = (marks: string, scope: CookieScope): string =>
  formatCookie(cookieName('known', scope), marks, scope, 365 * 86_400);

/** What a browser that is not signed in is told apart by, while it fills in a form. */
export const readFormCookie = (request: IncomingMessage, scope: CookieScope): string | undefined =>
  readCookie(request, cookieName('form', scope));

/** A `Set-Cookie` value. `maxAge` in seconds; without it, the cookie lasts until the browser is closed. */
function formatCookie(name: string, value: string, { secure }: CookieScope, maxAge?: number): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure ? '; Secure' : ''}`;
}

/** Signs in: the session's token, for `maxAge` seconds. */
export const sessionCookie = (token: string, scope: CookieScope & { maxAge?: number }): string =>
  formatCookie(cookieName('session', scope), token, scope, scope.maxAge);

/** Signs out. */
export const clearedSessionCookie = (scope: CookieScope): string =>
  formatCookie(cookieName('session', scope), '', scope, 0);

export const formCookie = (value: string, scope: CookieScope): string =>
  formatCookie(cookieName('form', scope), value, scope);

export const clearedFormCookie = (scope: CookieScope): string =>
  formatCookie(cookieName('form', scope), '', scope, 0);
