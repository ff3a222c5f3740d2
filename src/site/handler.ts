/** The public pages of the catalogue: no account, no quota. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Catalogue } from '../catalogue/request.ts';
import type { Clock } from '../clock.ts';
import { Problem } from '../contract/errors.ts';
import { DividedWork, runDivided } from '../divided-work.ts';
import { matchesETag } from '../http/etag.ts';
import { newRequestId, sendProblem } from '../http/problem-response.ts';
import { type CachedResponse, encodeBody, ResponseCache } from '../http/response-cache.ts';
import { runInTurn } from '../http/visitor-gate.ts';
import type { Log } from '../log.ts';
import { assetPaths } from '../pages/assets.ts';
import { answerFailedPage, isForPage } from '../pages/failed.ts';
import { languageHeaders } from '../pages/language.ts';
import { messagesOf } from '../pages/messages/messages.ts';
import { sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { Painter } from '../pictures/painter.ts';
import type { SiteReader } from '../store/site/site-reader.ts';
import { manifestText } from './app/manifest.ts';
import { serviceWorkerText, workerHeaders } from './app/service-worker.ts';
import { type Figures, openFigures } from './cached-figures.ts';
import {
  answerCityChoice,
  answerNear,
  choiceMethods,
  positionHeaders,
  rememberedCity,
} from './city-choice.ts';
import { embedPage } from './embed/embed-page.tsx';
import { atomFeed } from './formats/atom.ts';
import { loadCalendar, type WriteCalendar } from './formats/icalendar.ts';
import { robotsText } from './formats/sitemap.ts';
import { SitemapFiles } from './formats/sitemap-files.ts';
import { loadListSubscription, loadSubscription, type Subscription } from './formats/subscriptions.ts';
import { renderPage } from './layout.tsx';
import type { PageContext } from './page-context.ts';
import { cacheAddress, chooseLanguage, pageState } from './page-state.ts';
import {
  foreignContent,
  mediaTypes,
  movedPath,
  pageCacheControl,
  type RouteResult,
  responseType,
  searchTermsIn,
} from './response.ts';
import { parseRoute, type Route } from './route.ts';
import { pictureOf, sendPicture } from './sharing/answer-picture.ts';
import { SitemapAnswers } from './sitemap-answers.ts';
import { currentSlug, listPage, recordPage } from './view-table.ts';
import { notFoundPage, suggestionOptions } from './views/search.tsx';

export type SiteDeps = Catalogue & {
  site: SiteReader;
  clock: Clock;
  log: Log;
  /** Address of the public pages (`--base-url`). */
  siteUrl: SiteUrl;
  /** Whether the operator has set that address; without it, pages have no absolute addresses for previews. */
  hasPublicUrl?: boolean;
  accountUrl: string;
  version: string;
  /** Whether bodies are compressed for clients that accept it. */
  compress: boolean;
  /** Number of addresses per part of the sitemap. */
  sitemapPartSize?: number;
};

const namedCacheControl = 'private, no-cache';
const allowedMethods = 'GET, HEAD, OPTIONS';
const maxCacheBytes = 12 * 1024 * 1024;
/** Query parameters that change a page; all others are ignored. */
const pageParameters = [
  'q',
  'cursor',
  'past',
  'day',
  'when',
  'at',
  'venue',
  'after',
  'city',
  'country',
  'genre',
  'from',
  'to',
  'letter',
  'artists',
  'artist',
  'festival',
  'limit',
  'theme',
];

/** Handles requests for pages, from route to response. */
export class SiteHandler {
  readonly #deps: SiteDeps;
  readonly #responses: ResponseCache;
  readonly #figures: Figures;
  #calendar: WriteCalendar | undefined;
  readonly #sitemap: SitemapAnswers;
  readonly #painter = new Painter();

  constructor(deps: SiteDeps) {
    this.#deps = deps;
    const { reader, site, version, siteUrl, accountUrl, hasPublicUrl } = deps;
    const program = ['site', version, siteUrl.url, accountUrl, hasPublicUrl, ...Object.values(assetPaths)];
    this.#responses = new ResponseCache(reader.secret, program.join(' '), maxCacheBytes);
    this.#figures = openFigures(reader, site);
    this.#sitemap = new SitemapAnswers({
      files: new SitemapFiles(site.map, deps.sitemapPartSize),
      revision: () => reader.state().revision,
      compress: deps.compress,
      tag: (path, state) => this.#responses.tag(path, state),
      // Without suggestions, so that invented names cost little.
      sendNotFound: (request, response) => this.sendNotFound(request, response, '/'),
    });
  }

  /** Handles a request for a page; returns false if the path is not a page of the site. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s, 2);
    const route = parseRoute(path);
    if (route === null) return false;
    void this.#call(request, response, route, path, query);
    return true;
  }

  /** Sends a browser the 404 page; returns false, without a response, for programs. */
  sendNotFound(
    request: IncomingMessage,
    response: ServerResponse,
    path = (request.url ?? '/').split('?', 1)[0] as string,
  ): boolean {
    if (!isForPage(request) || /^\/+(?:api|mcp|oauth|account|\.well-known)(?:\/|$)/i.test(path)) return false;
    try {
      const context = this.#createContext(request, '/', '');
      this.#deps.reader.snapshot(() => this.#sendNotFoundPage(context, response, path));
    } catch (failure) {
      answerFailedPage(failure, response, this.#deps);
    }
    return true;
  }

  async #call(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    path: string,
    query: string,
  ): Promise<void> {
    response.setHeader('X-Request-Id', newRequestId());
    try {
      if (request.method === 'OPTIONS') {
        const allow = route.to === 'city choice' ? choiceMethods : allowedMethods;
        response.writeHead(204, { Allow: allow }).end();
      } else if (route.to === 'city choice') {
        answerCityChoice(request, response, route, this.#deps);
      } else if (request.method !== 'GET' && request.method !== 'HEAD') {
        sendProblem(response, new Problem('method_not_allowed', 'Use GET or HEAD on pages.'), {
          Allow: allowedMethods,
        });
      } else if (route.to === 'elsewhere' || route.path !== path) {
        this.#redirect(
          response,
          301,
          route.path + (query === '' || route.to === 'elsewhere' ? '' : `?${query}`),
        );
      } else {
        await this.#answer(request, response, route, query);
      }
    } catch (failure) {
      this.#fail(response, failure);
    }
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    query: string,
  ): Promise<void> {
    let context = this.#createContext(request, route.path, query);
    if (route.to === 'sitemap' || route.to === 'sitemap part') {
      await this.#sitemap.answer(request, response, context, route);
      return;
    }
    if (route.to === 'near') {
      context.reader.snapshot(() => answerNear(context, response));
      return;
    }
    if (route.to === 'picture' || route.to === 'icon') {
      const picture = context.reader.snapshot(() => pictureOf(context, route));
      if (picture === null) this.#sendNoPicture(response);
      else await sendPicture(request, response, this.#painter, picture);
      return;
    }
    if ('format' in route && route.format === 'ics') this.#calendar ??= await loadCalendar();
    const url = cacheAddress(context, route);
    const { reader, clock } = this.#deps;
    let state = '';
    const divided = new DividedWork(() =>
      reader.snapshot(() => {
        const stateNow = pageState(context, clock.now());
        // Parts have one time, which belongs to their state.
        if (state !== '' && state !== stateNow) context = this.#createContext(request, route.path, query);
        state = stateNow;
        return state;
      }),
    );
    const answer = () => this.#answerPage(request, response, context, route, url, state);
    // The first part belongs to the turn in which the request came.
    if (divided.run(answer).isDone) return;
    await runDivided(divided, (part, isContinued) => runInTurn(request, part, isContinued), answer);
  }

  /** Sends a page from the cache or a new one. `state` is what the page depends on (`pageState`). */
  #answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    context: PageContext,
    route: Route,
    url: string,
    state: string,
  ): void {
    this.#deps.reader.snapshot(() => {
      const rendered = this.#responses.get(url, state) ?? this.#render(context, route, url, state);
      if (rendered === null) this.#sendNotFoundPage(context, response, route.path);
      else if ('moved' in rendered) this.#redirect(response, 301, rendered.moved);
      else this.#send(request, response, context, route, rendered);
    });
  }

  #createContext(request: IncomingMessage, path: string, query: string): PageContext {
    const { clock, log: _, compress: __, ...deps } = this.#deps;
    const parameters = new URLSearchParams(query);
    const relevant = pageParameters.flatMap((name): [string, string][] => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    });
    const choice = chooseLanguage(request, deps.siteUrl, path, parameters.get('lang'));
    return {
      ...deps,
      hasPublicUrl: deps.hasPublicUrl ?? false,
      figures: this.#figures,
      now: clock.now(),
      path,
      query: new URLSearchParams(relevant),
      language: choice.language,
      messages: messagesOf(choice.language),
      isLanguageNamed: choice.isNamed,
      rememberedCity: rememberedCity(request, this.#deps),
    };
  }

  #render(
    context: PageContext,
    route: Route,
    url: string,
    state: string,
  ): CachedResponse | { moved: string } | null {
    const result = this.#make(context, route);
    if (result === null || 'moved' in result) return result;
    return this.#responses.set(url, state, Buffer.from(result.body));
  }

  #sendNoPicture(response: ServerResponse): void {
    sendProblem(response, new Problem('not_found', 'There is no page with this picture.'));
  }

  #make(context: PageContext, route: Route): RouteResult {
    switch (route.to) {
      case 'embed':
        return { type: 'embed', body: embedPage(context) };
      case 'manifest':
        return { type: 'manifest', body: manifestText(context) };
      case 'worker':
        return { type: 'worker', body: serviceWorkerText(context) };
      case 'hits':
        return { type: 'hits', body: suggestionOptions(context) };
      case 'robots':
        return { type: 'text', body: robotsText(context) };
      case 'event feed':
        return this.#makeFeed(context, route.format, loadListSubscription(context, route.format));
      case 'record':
        return this.#makeRecord(context, route);
      default:
        return { type: 'html', body: renderPage(context, listPage(context, route)) };
    }
  }

  #makeRecord(
    context: PageContext,
    { kind, slug, edition, format, path }: Route & { to: 'record' },
  ): RouteResult {
    const { reader } = context;
    const recordId = reader.find(kind === 'edition' ? 'festival' : kind, slug);
    if (recordId === null) return null;
    const id = kind === 'edition' ? reader.details.festivals.findEdition(recordId, edition) : recordId;
    if (id === null) return null;
    const slugNow = currentSlug(context, kind === 'edition' ? 'festival' : kind, recordId);
    if (slugNow !== slug) return { moved: movedPath(path, slug, slugNow, context.query) };
    if (format === 'page') return { type: 'html', body: renderPage(context, recordPage(context, kind, id)) };
    return this.#makeFeed(context, format, loadSubscription(context, kind, id, format));
  }

  #makeFeed(context: PageContext, format: 'atom' | 'ics', subscription: Subscription): RouteResult {
    const path = context.path + (context.query.size > 0 ? `?${context.query}` : '');
    if (format === 'atom') return { type: 'atom', body: atomFeed(context, subscription, path) };
    return { type: 'ics', body: (this.#calendar as WriteCalendar)(context, subscription) };
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    context: PageContext,
    route: Route,
    rendered: CachedResponse,
  ): void {
    const { tag } = rendered;
    const type = responseType(route);
    const inLanguage = type === 'html' || type === 'hits';
    const headers: Record<string, string> = {
      ETag: tag,
      // A response that sets a cookie belongs to one visitor, and the browser has to see the cookie each time.
      'Cache-Control':
        inLanguage && (context.isLanguageNamed || context.rememberedCity !== null)
          ? namedCacheControl
          : pageCacheControl,
      ...(inLanguage ? this.#languageHeaders(context) : {}),
    };
    if (this.#deps.compress)
      headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
    if (matchesETag(request.headers['if-none-match'], tag)) {
      response.writeHead(304, headers).end();
      return;
    }
    const acceptEncoding = this.#deps.compress ? request.headers['accept-encoding'] : undefined;
    const { body, coding } = encodeBody(rendered, acceptEncoding);
    if (coding !== 'identity') headers['Content-Encoding'] = coding;
    if (type === 'html') {
      sendPage(response, 200, body, {
        connect: 'self',
        ...foreignContent(route, context.siteUrl),
        headers: { ...headers, ...positionHeaders(route, context.siteUrl) },
      });
      return;
    }
    if (type === 'embed') {
      sendPage(response, 200, body, {
        frames: 'anywhere',
        headers: { ...headers, 'Content-Language': context.language },
      });
      return;
    }
    if (type === 'worker') Object.assign(headers, workerHeaders);
    response.writeHead(200, {
      ...headers,
      'Content-Type': mediaTypes[type],
      'Content-Length': body.length,
      'X-Content-Type-Options': 'nosniff',
      ...(type === 'ics' && { 'Content-Disposition': `inline; filename="${route.path.split('/').at(-1)}"` }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #languageHeaders({ language, isLanguageNamed, siteUrl }: PageContext): Record<string, string> {
    return languageHeaders({ language, isNamed: isLanguageNamed }, siteUrl);
  }

  #sendNotFoundPage(context: PageContext, response: ServerResponse, path: string): void {
    sendPage(response, 404, renderPage(context, notFoundPage(context, searchTermsIn(path))), {
      connect: 'self',
      headers: this.#languageHeaders(context),
    });
  }

  #redirect(response: ServerResponse, status: 301 | 302, path: string): void {
    response.writeHead(status, {
      Location: this.#deps.siteUrl.prefix + path,
      'Content-Length': 0,
      'Cache-Control': pageCacheControl,
    });
    response.end();
  }

  /** Redirects an invalid cursor to the first page of its list; sends other failures as problems. */
  #fail(response: ServerResponse, failure: unknown): void {
    if (failure instanceof Problem && failure.type === 'invalid_cursor' && !response.headersSent) {
      const [path = '/', query = ''] = (response.req.url ?? '/').split(/\?(.*)/s, 2);
      const rest = new URLSearchParams(query);
      rest.delete('cursor');
      this.#redirect(response, 302, `${path}${rest.size > 0 ? `?${rest}` : ''}`);
      return;
    }
    answerFailedPage(failure, response, this.#deps);
  }
}
