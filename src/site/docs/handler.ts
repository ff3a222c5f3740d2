/** The documentation: the reference at /docs, the guides as pages and Markdown, the changelog. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Access, Session } from '../../access/access.ts';
import { type Guide, guides } from '../../contract/guides.ts';
import type { ReadIdentity } from '../../contract/identity.ts';
import { readSessionToken } from '../../http/cookies.ts';
import { newRequestId } from '../../http/problem-response.ts';
import { answerFailure } from '../../http/server.ts';
import type { Log } from '../../log.ts';
import { redirect } from '../../pages/send.ts';
import { createSiteUrl, type SiteUrl } from '../../pages/site-url.ts';
import { docsAssetPath, docsAssetPrefix, sendDocsAsset } from './assets.ts';
import { changelogPage } from './changelog.tsx';
import { docsNotFoundPage, methodNotAllowedPage } from './error-pages.tsx';
import { guidePage, guidesPage, guideText } from './guides.tsx';
import type { DocsContext } from './layout.tsx';
import { referencePage } from './reference.tsx';
import { handleKeyRequest } from './reference-key.ts';
import { type DocsResponse, sendHtml, sendText } from './send.ts';

export type DocsDeps = {
  access: Access;
  log: Log;
  /** Addresses of the service and of the account pages, without a slash at the end. */
  baseUrl: string;
  accountUrl: string;
  readIdentity: ReadIdentity;
  version: string;
  /** Whether the catalogue's pages are on (`--site`). */
  site: boolean;
};

/** Mounts /docs, everything below it, and /changelog. Returns steps that prepare the reference. */
export function mountDocs(app: Polka, deps: DocsDeps): (() => Promise<unknown>)[] {
  const handler = new DocsHandler(deps);
  for (const path of ['/docs', '/docs/*', '/changelog']) {
    app.all(path, (request, response) => void handler.handle(request, response));
  }
  return [() => docsAssetPath('viewer'), () => docsAssetPath('viewerStyle'), () => handler.warmUp()];
}

type RenderDocs = (context: DocsContext) => DocsResponse | Promise<DocsResponse>;

class DocsHandler {
  readonly #deps: DocsDeps;
  readonly #siteUrl: SiteUrl;
  readonly #pages: ReadonlyMap<string, RenderDocs>;

  constructor(deps: DocsDeps) {
    this.#deps = deps;
    this.#siteUrl = createSiteUrl(deps.baseUrl, deps.readIdentity);
    this.#pages = new Map<string, RenderDocs>([
      ['/docs', referencePage],
      ['/docs/guides', guidesPage],
      ['/changelog', changelogPage],
      ...guides.flatMap(pagesOfGuide),
    ]);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Request-Id', newRequestId());
    try {
      await this.#answer(request, response);
    } catch (failure) {
      answerFailure(failure, response, this.#deps.log);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] as string;
    if (path.startsWith(docsAssetPrefix)) return sendDocsAsset(request, response);
    const session = await this.#session(request);
    if (path === '/docs/key')
      return handleKeyRequest(request, response, {
        session,
        keys: this.#deps.access.keys,
        siteUrl: this.#siteUrl,
      });
    const context = await this.#context(path, session);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendHtml(response, await methodNotAllowedPage(context));
    const show = this.#pages.get(path);
    if (show === undefined && path.endsWith('/') && this.#pages.has(path.slice(0, -1))) {
      return redirect(response, this.#siteUrl.prefix + path.slice(0, -1));
    }
    const result = await (show ?? docsNotFoundPage)(context);
    if ('html' in result) sendHtml(response, result);
    else sendText(request, response, result);
  }

  /** Renders the reference for a visitor without a session. */
  async warmUp(): Promise<void> {
    await referencePage(await this.#context('/docs', null));
  }

  async #context(path: string, session: Session | null): Promise<DocsContext> {
    const limits = await this.#deps.access.plans.forPages();
    const { name, attribution } = this.#siteUrl.identity;
    return { ...this.#deps, siteUrl: this.#siteUrl, name, attribution, session, limits, path };
  }

  /** The session of the visitor; null if account pages are on another host. */
  async #session(request: IncomingMessage): Promise<Session | null> {
    const { access, accountUrl, baseUrl } = this.#deps;
    if (new URL(accountUrl).origin !== new URL(baseUrl).origin) return null;
    return access.sessions.find(readSessionToken(request, this.#siteUrl));
  }
}

/** The routes of a guide: a page, and its Markdown. */
const pagesOfGuide = (guide: Guide): [string, RenderDocs][] => [
  [`/docs/guides/${guide.name}`, (context) => guidePage(context, guide)],
  [
    `/docs/guides/${guide.name}.md`,
    (context) => ({ text: guideText(context, guide), type: 'text/markdown; charset=utf-8' }),
  ],
];
