/** Pages that say why a request was not answered: a status, a title and one paragraph. */
import type { Language } from './messages/messages.ts';
import { page } from './page.tsx';
import type { SiteUrl } from './site-url.ts';

/** Renders such a page. Throws if the name and the colours of the service cannot be read. */
export const errorPage = (
  siteUrl: SiteUrl,
  language: Language,
  status: number,
  { title, text }: { title: string; text: string },
): string =>
  page({
    siteUrl,
    language,
    title,
    viewer: null,
    bar: <span />,
    children: (
      <>
        <p class="kind">{status}</p>
        <h1>{title}</h1>
        <p class="lead">{text}</p>
      </>
    ),
  });
