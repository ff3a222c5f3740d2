/** /changelog: observable changes, newest first (docs/spec/service.md#versioning). */
import type { VNode } from 'preact';
import { type ChangelogEntry, changelog, serviceChangelog } from '../../contract/changelog.ts';
import { DateTime } from '../../pages/parts.tsx';
import { type DocsContext, renderDocsPage } from './layout.tsx';
import type { HtmlResponse } from './send.ts';

/** The page of changes: those that the operator announced, then those of the software. */
export async function changelogPage(context: DocsContext): Promise<HtmlResponse> {
  const { prefix } = context.siteUrl;
  // What the operator announced, apart from the history of the program that any service has.
  const announced = serviceChangelog(context.limits.announced).filter((entry) => !changelog.includes(entry));
  const html = await renderDocsPage(context, {
    title: 'Changelog',
    description: 'Observable changes of the API and of the agent endpoint, newest first.',
    menu: false,
    children: (
      <>
        <h1>Changelog</h1>
        <p class="lead">
          Changes that callers can observe, newest first. Additions come without notice. Removals and lower
          quotas are announced here before they take effect. For programs:{' '}
          <a href={`${prefix}/changelog.json`}>changelog.json</a>.
        </p>
        {announced.length > 0 && (
          <>
            <h2 class="changes-of">{context.siteUrl.name}</h2>
            <Entries entries={announced} />
          </>
        )}
        <h2 class="changes-of">cratebase, the software of this service</h2>
        <Entries entries={changelog} />
      </>
    ),
  });
  return { html };
}

function Entries({ entries }: { entries: readonly ChangelogEntry[] }): VNode {
  return (
    <ol class="changes">
      {entries.map(({ date, breaking, text }) => (
        <li key={date + text}>
          <p class="label">
            <DateTime at={Date.parse(date)} />
          </p>
          <p>
            {breaking && <span class="tag">breaking</span>} {text}
          </p>
        </li>
      ))}
    </ol>
  );
}
