/**
 * The language of a page: the one that its address names (`?lang=de`), then the one that the visitor chose before, then
 * the first of `Accept-Language` (RFC 9110, section 12.5.4) that exists, then English.
 */
import type { IncomingMessage } from 'node:http';
import { type CookieScope, languageCookie, readLanguageCookie } from '../http/cookies.ts';
import { defaultLanguage, isLanguage, type Language } from './messages/messages.ts';

/** The request headers on which the language of a page depends. */
export const languageVary = 'Accept-Language, Cookie';

export type PageLanguage = {
  language: Language;
  /** Whether the address names it, so that the response is about one language and sets a cookie. */
  isNamed: boolean;
};

const maxHeaderLength = 1_000;

/** Reads the preferred language of a header; null if none of its languages exists. */
export function negotiateLanguage(header: string | undefined): Language | null {
  if (header === undefined || header.length > maxHeaderLength) return null;
  let best: { language: Language; weight: number } | null = null;
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0;
    const code = range === '*' ? defaultLanguage : (range.split('-', 1)[0] ?? '');
    // Of two with the same weight, the first one is preferred.
    if (isLanguage(code) && weight > (best?.weight ?? 0)) best = { language: code, weight };
  }
  return best?.language ?? null;
}

/** Returns the language of a request. @param named the value of `?lang=`; null without one */
export function pageLanguage(
  request: IncomingMessage,
  scope: CookieScope,
  named: string | null = null,
): PageLanguage {
  if (isLanguage(named)) return { language: named, isNamed: true };
  const cookie = readLanguageCookie(request, scope);
  const language = isLanguage(cookie)
    ? cookie
    : (negotiateLanguage(request.headers['accept-language']) ?? defaultLanguage);
  return { language, isNamed: false };
}

/** Returns the value of `?lang=` in an address; null without one. */
export function languageInAddress(address: string | undefined): string | null {
  const at = (address ?? '').indexOf('?');
  return at < 0 ? null : new URLSearchParams((address ?? '').slice(at)).get('lang');
}

/** The headers of a page whose language was chosen from the request; one whose address names it remembers the choice. */
export function languageHeaders(
  { language, isNamed }: PageLanguage,
  scope: CookieScope,
): Record<string, string> {
  return {
    'Content-Language': language,
    Vary: languageVary,
    ...(isNamed ? { 'Set-Cookie': languageCookie(language, scope) } : {}),
  };
}
