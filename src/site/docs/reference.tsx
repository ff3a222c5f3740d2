/** /docs: the reference, drawn from the OpenAPI document; without scripts, a list of the endpoints. */
import { randomBytes } from 'node:crypto';
import type { VNode } from 'preact';
import { guides } from '../../contract/guides.ts';
import { introduction } from '../../contract/openapi.ts';
import { apiPrefix, type OperationId, type OperationRow, operations } from '../../contract/operations.ts';
import { pathOfAsset } from './assets.ts';
import { frame, type Reading } from './frame.tsx';
import { toHtml } from './markdown.ts';
import type { Html } from './send.ts';

export async function referencePage(reading: Reading): Promise<Html> {
  const { prefix } = reading.place;
  const [viewer, viewerStyle] = await Promise.all([pathOfAsset('viewer'), pathOfAsset('viewerStyle')]);
  const html = await frame(reading, {
    title: 'API reference',
    description: `The REST API of ${reading.name}: every endpoint, parameter and field, with examples to try.`,
    menu: false,
    head: (
      <>
        <link rel="stylesheet" href={prefix + viewerStyle} />
        <script src={prefix + viewer} defer />
      </>
    ),
    children: <Reference reading={reading} />,
  });
  return { html };
}

function Reference({ reading }: { reading: Reading }): VNode {
  const { place, baseUrl } = reading;
  const { prefix } = place;
  return (
    <>
      <h1>API reference</h1>
      <p class="lead">
        Version 1, at <code>{baseUrl + apiPrefix}</code>. All of this page comes from one document,{' '}
        <a href={`${prefix}/openapi.json`}>openapi.json</a>, from which clients can be generated too.
      </p>
      <nav class="chips-line" aria-label="Guides">
        {guides.map(({ name, title }) => (
          <a key={name} href={`${prefix}/docs/guides/${name}`}>
            {title}
          </a>
        ))}
      </nav>
      <KeyPanel reading={reading} />
      <details class="about">
        <summary>Envelopes, plans and errors at a glance</summary>
        <div class="prose" dangerouslySetInnerHTML={{ __html: toHtml(introduction(reading), prefix) }} />
      </details>
      <div id="reference" data-document={`${prefix}/openapi.json`}>
        <Endpoints />
      </div>
    </>
  );
}

/** With which key "Execute" asks. It needs a script to be of use, and is shown by it. */
function KeyPanel({ reading }: { reading: Reading }): VNode {
  const { place, session, accountUrl } = reading;
  return (
    <section id="key-panel" class="key-panel" aria-labelledby="key-title" hidden>
      <h2 id="key-title">Try it with a key</h2>
      <p id="key-state" role="status">
        Requests from this page need a key. It stays in this tab and is forgotten when the tab is closed.
      </p>
      <form
        id="key-form"
        class="line"
        method="post"
        action={`${place.prefix}/docs/key`}
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
          <a href={`${accountUrl}/account/sign-in?next=${encodeURIComponent(`${place.prefix}/docs`)}`}>
            Sign in
          </a>{' '}
          to make one here, or make one at <a href={`${accountUrl}/account/developer`}>your account</a>.
        </p>
      )}
    </section>
  );
}

/** Every endpoint on a line, by what it is about; each leads to its place in the reference. */
function Endpoints(): VNode {
  const rows = Object.entries(operations) as [OperationId, OperationRow][];
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
                    <code>{apiPrefix + path}</code>
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
