/** Error pages of the documentation. */
import { type DocsContext, renderDocsPage } from './layout.tsx';
import type { HtmlResponse } from './send.ts';

async function messagePage(
  context: DocsContext,
  status: number,
  title: string,
  text: string,
): Promise<HtmlResponse> {
  const { prefix } = context.siteUrl;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <p class="actions">
        <a class="button" href={`${prefix}/docs`}>
          API reference
        </a>
        <a class="button quiet" href={`${prefix}/docs/guides`}>
          All guides
        </a>
      </p>
    </>
  );
  const html = await renderDocsPage(context, { title, description: text, menu: false, children });
  return { html, status };
}

/** The page for a path below /docs that does not exist (404). */
export const docsNotFoundPage = (context: DocsContext): Promise<HtmlResponse> =>
  messagePage(
    context,
    404,
    'Page not found',
    'The guide may have been renamed. The list of guides has all of them.',
  );

/** The page for a method other than GET and HEAD (405). */
export async function methodNotAllowedPage(context: DocsContext): Promise<HtmlResponse> {
  const response = await messagePage(context, 405, 'Method not allowed', 'Use GET or HEAD on this page.');
  return { ...response, headers: { Allow: 'GET, HEAD' } };
}
