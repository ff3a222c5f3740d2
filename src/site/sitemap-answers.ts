/** The responses to requests for the sitemap. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../contract/errors.ts';
import { negotiateCoding } from '../http/compression.ts';
import { matchesETag } from '../http/etag.ts';
import { sendProblem } from '../http/problem-response.ts';
import { chargeBytes, runInTurn } from '../http/visitor-gate.ts';
import type { MapRoute, SitemapFiles } from './formats/sitemap-files.ts';
import type { PageContext } from './page-context.ts';
import { mediaTypes, pageCacheControl } from './response.ts';

const sitemapCacheControl = 'public, max-age=3600';
const encodingHeaders = { identity: {}, gzip: { 'Content-Encoding': 'gzip' } } as const;
const noSuchPart = 'There is no such part of the sitemap. /sitemap.xml lists all of them.';

type SitemapDeps = {
  files: SitemapFiles;
  /** Returns the revision of the catalogue. */
  revision: () => number;
  /** Whether files are compressed for clients that accept it. */
  compress: boolean;
  /** Returns the ETag of a path in a state of the catalogue. */
  tag: (path: string, state: string) => string;
  /** Sends a browser the 404 page; returns false, without a response, for programs. */
  sendNotFound: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/** Answers requests for the files of the sitemap: from the cache, or with files that are rendered in turns of the network. */
export class SitemapAnswers {
  readonly #deps: SitemapDeps;

  constructor(deps: SitemapDeps) {
    this.#deps = deps;
  }

  /** Sends a file of the sitemap. A matching ETag of the current revision needs no rendering. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    context: PageContext,
    route: MapRoute,
  ): Promise<void> {
    const state = String(this.#deps.revision());
    const tag = this.#deps.tag(route.path, state);
    const headers = {
      ETag: tag,
      'Cache-Control': route.to === 'sitemap' ? pageCacheControl : sitemapCacheControl,
      ...(this.#deps.compress && { Vary: 'Accept-Encoding' }),
    };
    const condition = request.headers['if-none-match'];
    if (condition?.trim() !== '*' && matchesETag(condition, tag)) {
      response.writeHead(304, headers).end();
      return;
    }
    const acceptEncoding = this.#deps.compress ? request.headers['accept-encoding'] : undefined;
    const encoding = negotiateCoding(acceptEncoding, ['gzip']);
    const send = (body: Buffer | null) => {
      if (body === null) this.#sendNoPart(request, response);
      else sendMap(request, response, { ...headers, ...encodingHeaders[encoding] }, body);
    };
    const file = this.#deps.files.kept(route, encoding, state);
    if (file !== undefined) {
      send(file);
      return;
    }
    const body = await this.#deps.files.render(context, route, encoding, (piece) =>
      runInTurn(request, piece),
    );
    await runInTurn(request, () => send(body));
  }

  #sendNoPart(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#deps.sendNotFound(request, response))
      sendProblem(response, new Problem('not_found', noSuchPart));
  }
}

function sendMap(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
  body: Buffer,
): void {
  if (request.headers['if-none-match']?.trim() === '*') {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    'Content-Type': mediaTypes.xml,
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  chargeBytes(request, body.length);
  response.end(body);
}
