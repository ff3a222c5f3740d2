/** The list of guides, and each guide as a page and as Markdown. */
import { readAsset } from '../../assets.ts';
import { type Guide, guides } from '../../contract/guides.ts';
import { escapeMarkdown } from '../../contract/openapi.ts';
import { describePlanChange, type PlansInForce, planTable } from '../../contract/plans.ts';
import { type DocsContext, renderDocsPage } from './layout.tsx';
import { fillPlaceholders, toHtml } from './markdown.ts';
import type { HtmlResponse } from './send.ts';

/** Removes comments for authors: markers of `npm run docs`, and instructions for the tests. */
const withoutComments = (markdown: string): string =>
  markdown.replace(/^<!--.*-->\n/gm, '').replace(/^```(\w+) .*$/gm, '```$1');

const tableStart = '<!-- written by npm run docs: plans -->\n';
const tableEnd = '<!-- end -->\n';

/** Replaces the table of the plans by the limits in force here, and adds the changes to come. */
function withLimits(markdown: string, { plans, upcoming }: PlansInForce): string {
  const changes = upcoming.map(
    (change) => `- ${describePlanChange(change)} ${escapeMarkdown(change.note)}\n`,
  );
  const text = `${planTable(plans)}\n${changes.length === 0 ? '' : `\n${changes.join('')}`}`;
  const start = markdown.indexOf(tableStart);
  const end = markdown.indexOf(tableEnd, start);
  return start === -1 || end === -1
    ? markdown
    : markdown.slice(0, start) + text + markdown.slice(end + tableEnd.length);
}

/** A guide as Markdown with the addresses and limits of this service. */
export const guideText = (context: DocsContext, { name }: Guide): string =>
  fillPlaceholders(withoutComments(withLimits(readAsset(`docs/guides/${name}.md`), context.limits)), context);

/** The page of a guide, with links to the next one and to its Markdown. */
export async function guidePage(context: DocsContext, guide: Guide): Promise<HtmlResponse> {
  const { prefix } = context.siteUrl;
  const at = guides.indexOf(guide);
  const next = guides[at + 1];
  const twin = `${prefix}/docs/guides/${guide.name}.md`;
  const html = await renderDocsPage(context, {
    title: guide.title,
    description: `${guide.summary}.`,
    menu: true,
    head: <link rel="alternate" type="text/markdown" href={twin} />,
    children: (
      <>
        <div class="prose" dangerouslySetInnerHTML={{ __html: toHtml(guideText(context, guide), prefix) }} />
        <p class="after small">
          {next !== undefined && <a href={`${prefix}/docs/guides/${next.name}`}>{`Next: ${next.title}`}</a>}
          <a href={twin}>This page as Markdown</a>
        </p>
      </>
    ),
  });
  return { html };
}

/** The page with the list of guides. */
export async function guidesPage(context: DocsContext): Promise<HtmlResponse> {
  const { prefix } = context.siteUrl;
  const html = await renderDocsPage(context, {
    title: 'Guides',
    description: 'How to call the API, connect an agent, and run a service of your own.',
    menu: false,
    children: (
      <>
        <h1>Guides</h1>
        <p class="lead">
          The tests run the examples of these guides. Add <code>.md</code> to the address of a guide to get it
          as Markdown. The <a href={`${prefix}/docs`}>reference</a> describes every endpoint.
        </p>
        <ol class="toc">
          {guides.map(({ name, title, summary }) => (
            <li key={name}>
              <h2>
                <a href={`${prefix}/docs/guides/${name}`}>{title}</a>
              </h2>
              <p class="soft">{summary}</p>
            </li>
          ))}
        </ol>
      </>
    ),
  });
  return { html };
}
