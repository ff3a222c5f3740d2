/** The page for visitors whose network has used up its share of the processing time (429). */
import type { ServerResponse } from 'node:http';
import { page } from './page.tsx';
import { sendPage } from './send.ts';
import type { SiteUrl } from './site-url.ts';

/** Returns a function that sends the page, rendered once. The caller has set `Retry-After` on the response. */
export function tooManyRequestsPage(siteUrl: SiteUrl): (response: ServerResponse, seconds: number) => void {
  let html: string | undefined;
  return (response) => {
    html ??= page({
      siteUrl,
      title: 'Too many requests',
      viewer: null,
      bar: <span />,
      children: (
        <>
          <p class="kind">429</p>
          <h1>Too many requests</h1>
          <p class="lead">
            Your network has used up its share of the page requests. Wait a moment, then reload the page.
          </p>
        </>
      ),
    });
    sendPage(response, 429, html);
  };
}
