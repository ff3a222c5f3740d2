/** The page that the service worker shows without a connection. */
import type { PageView } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';

/** A sentence, and a link to the home page, which is usually kept. */
export function offlinePage({ messages, siteUrl }: PageContext): PageView {
  const { sharing } = messages;
  return {
    title: sharing.offlineTitle,
    description: sharing.offlineText,
    canonical: null,
    children: (
      <>
        <h1>{sharing.offlineTitle}</h1>
        <p class="lead">{sharing.offlineText}</p>
        <p class="below">
          <a class="button quiet" href={`${siteUrl.prefix}/`}>
            {sharing.offlineHome}
          </a>
        </p>
      </>
    ),
  };
}
