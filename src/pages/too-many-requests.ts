/** The page for visitors whose network has used up its share of the processing time (429). */
import type { ServerResponse } from 'node:http';
import { errorPage } from './error-page.tsx';
import { languageHeaders, pageLanguage } from './language.ts';
import { type Language, messagesOf } from './messages/messages.ts';
import { sendPage } from './send.ts';
import type { SiteUrl } from './site-url.ts';

/** Returns a function that sends the page, rendered once per language. The caller has set `Retry-After` on the response. */
export function tooManyRequestsPage(siteUrl: SiteUrl): (response: ServerResponse, seconds: number) => void {
  const pages = new Map<Language, { html: string; version: string }>();
  return (response) => {
    const choice = pageLanguage(response.req, siteUrl);
    const { language } = choice;
    const { version } = siteUrl.identity;
    let entry = pages.get(language);
    if (entry?.version !== version) {
      entry = { html: errorPage(siteUrl, language, 429, messagesOf(language).tooMany), version };
      pages.set(language, entry);
    }
    sendPage(response, 429, entry.html, { headers: languageHeaders(choice, siteUrl) });
  };
}
