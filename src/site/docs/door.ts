/** What developers read: the reference at /docs, the guides with their Markdown twins, the changelog. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Access, Session } from '../../access/access.ts';
import { type Guide, guides } from '../../contract/guides.ts';
import { readSessionToken } from '../../http/cookies.ts';
import { newRequestId } from '../../http/problem.ts';
import { answerFailure } from '../../http/server.ts';
import type { Log } from '../../log.ts';
import { type Place, placeOf } from '../../pages/place.ts';
import { sendOn } from '../../pages/send.ts';
import { assetPath, sendDocsAsset } from './assets.ts';
import { changelogPage } from './changelog.tsx';
import type { Reading } from './frame.tsx';
import { guidePage, guidesPage, guideText } from './guides.tsx';
import { answerKey } from './key.ts';
import { missingPage, refusedPage } from './missing.tsx';
import { referencePage } from './reference.tsx';
import { type Sent, sendHtml, sendText } from './send.ts';

export type DocsDeps = {
  access: Access;
  log: Log;
  /** Where the service lies, and where accounts do: addresses without a slash at their end. */
  baseUrl: string;
  accountUrl: string;
  /** The service's name. */
  name: string;
  version: string;
  /** Whether the catalogue has pages too. */
  site: boolean;
};

/** Puts /docs and all below it, and /changelog, on the server. */
export function mountDocs(app: Polka, deps: DocsDeps): void {
  const door = new DocsDoor(deps);
  for (const path of ['/docs', '/docs/*', '/changelog']) {
    app.all(path, (request, response) => void door.call(request, response));
  }
}

type Show = (reading: Reading) => Sent | Promise<Sent>;

class DocsDoor {
  readonly #deps: DocsDeps;
  readonly #place: Place;
  readonly #pages: ReadonlyMap<string, Show>;

  constructor(deps: DocsDeps) {
    this.#deps = deps;
    this.#place = placeOf(deps.baseUrl, deps.name);
    this.#pages = new Map<string, Show>([
      ['/docs', referencePage],
      ['/docs/guides', guidesPage],
      ['/changelog', changelogPage],
      ...guides.flatMap(pagesOfGuide),
    ]);
  }

  async call(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Request-Id', newRequestId());
    try {
      await this.#answer(request, response);
    } catch (failure) {
      answerFailure(failure, response, this.#deps.log);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] as string;
    if (path.startsWith(assetPath)) return sendDocsAsset(request, response);
    const session = await this.#session(request);
    if (path === '/docs/key')
      return answerKey(request, response, { session, keys: this.#deps.access.keys, place: this.#place });
    const reading = { ...this.#deps, place: this.#place, session, path };
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendHtml(response, await refusedPage(reading));
    const show = this.#pages.get(path);
    if (show === undefined && path.endsWith('/') && this.#pages.has(path.slice(0, -1))) {
      return sendOn(response, this.#place.prefix + path.slice(0, -1));
    }
    const sent = await (show ?? missingPage)(reading);
    if ('html' in sent) sendHtml(response, sent);
    else sendText(request, response, sent);
  }

  /** Who is signed in: known here only where pages of accounts lie on this very host. */
  async #session(request: IncomingMessage): Promise<Session | null> {
    const { access, accountUrl, baseUrl } = this.#deps;
    if (new URL(accountUrl).origin !== new URL(baseUrl).origin) return null;
    return access.sessions.find(readSessionToken(request, this.#place));
  }
}

/** A guide as a page, and as the Markdown that it is written in. */
const pagesOfGuide = (guide: Guide): [string, Show][] => [
  [`/docs/guides/${guide.name}`, (reading) => guidePage(reading, guide)],
  [
    `/docs/guides/${guide.name}.md`,
    (reading) => ({ text: guideText(reading, guide), type: 'text/markdown; charset=utf-8' }),
  ],
];
