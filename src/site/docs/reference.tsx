/** /docs: the list of endpoints. Opening one replaces the list with Swagger UI, drawn from the OpenAPI document. */
import { randomBytes } from 'node:crypto';
import { Fragment, type VNode } from 'preact';
import { introduction } from '../../contract/openapi.ts';
import {
  apiPrefix,
  type OperationDefinition,
  type OperationId,
  operations,
} from '../../contract/operations.ts';
import { docsAssetPath } from './assets.ts';
import { type DocsContext, renderDocsPage } from './layout.tsx';
import { toHtml } from './markdown.ts';
import type { HtmlResponse } from './send.ts';

/** The page of the reference. It works without scripts as a list of endpoints; opening one needs them. */
export async function referencePage(context: DocsContext): Promise<HtmlResponse> {
  const { prefix } = context.siteUrl;
  const [viewer, viewerStyle] = await Promise.all([docsAssetPath('viewer'), docsAssetPath('viewerStyle')]);
  const html = await renderDocsPage(context, {
    title: 'API reference',
    description: `The REST API of ${context.name}: every endpoint, parameter and field, with examples to try.`,
    menu: false,
    children: <Reference context={context} viewer={prefix + viewer} viewerStyle={prefix + viewerStyle} />,
  });
  return { html };
}

function Reference(props: { context: DocsContext; viewer: string; viewerStyle: string }): VNode {
  const { context, viewer, viewerStyle } = props;
  const { siteUrl, baseUrl } = context;
  const { prefix } = siteUrl;
  return (
    <>
      <h1>API reference</h1>
      <p class="lead">
        Version 1, at <code>{baseUrl + apiPrefix}</code>. This page is generated from{' '}
        <a href={`${prefix}/openapi.json`}>openapi.json</a>; client generators can use that document too. New
        here? Start with <a href={`${prefix}/docs/guides/first-call`}>the first call</a>, or see{' '}
        <a href={`${prefix}/docs/guides`}>all guides</a>.
      </p>
      <KeyPanel context={context} />
      <details id="glance">
        <summary>Envelopes, plans and errors at a glance</summary>
        <div
          class="prose"
          dangerouslySetInnerHTML={{
            __html: toHtml(introduction({ ...context, plans: context.limits.plans }), prefix),
          }}
        />
      </details>
      <p id="open-one" class="soft">
        Open an endpoint to see its parameters and responses, and to send a request.
      </p>
      <div
        id="reference"
        data-document={`${prefix}/openapi.json`}
        data-viewer={viewer}
        data-looks={viewerStyle}
      >
        <Endpoints />
      </div>
    </>
  );
}

/** The form for the key of requests from this page. It needs a script; without one, the style sheet hides it. */
function KeyPanel({ context }: { context: DocsContext }): VNode {
  const { siteUrl, session, accountUrl } = context;
  return (
    <section id="key-panel" class="key-panel" aria-labelledby="key-title">
      <h2 id="key-title">Try it with a key</h2>
      <p id="key-state" role="status">
        Requests from this page need a key. It stays in this tab and is forgotten when the tab is closed.
      </p>
      <form
        id="key-form"
        class="line"
        method="post"
        action={`${siteUrl.prefix}/docs/key`}
        data-csrf={session?.csrf}
        data-form={session === null ? undefined : randomBytes(12).toString('base64url')}
      >
        <div class="field">
          <label for="key-input">API key</label>
          <input id="key-input" type="text" autocomplete="off" spellcheck={false} placeholder="cb_live_…" />
        </div>
        <button type="submit">Use this key</button>
        {session !== null && (
          <button type="button" class="quiet" id="key-make">
            Make a key for this page
          </button>
        )}
      </form>
      <div id="key-actions" class="actions" hidden>
        <button type="button" class="quiet" id="key-forget">
          Forget the key
        </button>
        {session !== null && (
          <button type="button" class="danger" id="key-revoke" hidden>
            Revoke it
          </button>
        )}
      </div>
      {session === null && (
        <p class="small soft">
          <a href={`${accountUrl}/account/sign-in?next=${encodeURIComponent(`${siteUrl.prefix}/docs`)}`}>
            Sign in
          </a>{' '}
          to make one here, or make one at <a href={`${accountUrl}/account/developer`}>your account</a>.
        </p>
      )}
    </section>
  );
}

/** A path that breaks before a slash, not inside a word. */
function BreakablePath({ path }: { path: string }): VNode {
  return (
    <>
      {path.split(/(?=\/)/).map((segment, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {segment}
        </Fragment>
      ))}
    </>
  );
}

/** All endpoints by tag; each links to its entry in the reference. */
function Endpoints(): VNode {
  const rows = Object.entries(operations) as [OperationId, OperationDefinition][];
  const tags = [...new Set(rows.map(([, { tag }]) => tag))];
  return (
    <div class="endpoints">
      {tags.map((tag) => (
        <section key={tag}>
          <h2>{tag}</h2>
          <ul class="rows">
            {rows
              .filter(([, row]) => row.tag === tag)
              .map(([id, { path, summary }]) => (
                <li key={id}>
                  <a href={`#/${tag}/${id}`}>
                    <code>
                      <BreakablePath path={apiPrefix + path} />
                    </code>
                  </a>
                  <span class="soft">{summary}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
