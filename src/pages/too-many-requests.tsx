/** The page for visitors whose network has used up its share of the processing time (429). */
import type { ServerResponse } from 'node:http';
import { languageHeaders, pageLanguage } from './language.ts';
import { type Language, messagesOf } from './messages/messages.ts';
import { page } from './page.tsx';
import { sendPage } from './send.ts';
import type { SiteUrl } from './site-url.ts';

/** Returns a function that sends the page, rendered once per language. The caller has set `Retry-After` on the response. */
export function tooManyRequestsPage(siteUrl: SiteUrl): (response: ServerResponse, seconds: number) => void {
  const rendered = new Map<Language, { html: string; version: string }>();
  return (response) => {
    const chosen = pageLanguage(response.req, siteUrl);
    const { language } = chosen;
    const { version } = siteUrl.identity;
    let entry = rendered.get(language);
    if (entry?.version !== version) {
      entry = { html: render(siteUrl, language), version };
      rendered.set(language, entry);
    }
    sendPage(response, 429, entry.html, { headers: languageHeaders(chosen, siteUrl) });
  };
}

function render(siteUrl: SiteUrl, language: Language): string {
  const { tooMany } = messagesOf(language);
  return page({
    siteUrl,
    language,
    title: tooMany.title,
    viewer: null,
    bar: <span />,
    children: (
      <>
        <p class="kind">429</p>
        <h1>{tooMany.title}</h1>
        <p class="lead">{tooMany.text}</p>
      </>
    ),
  });
}
