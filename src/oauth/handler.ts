/**
 * HTTP endpoints of the authorization server (docs/spec/credentials.md): metadata, registration, authorization, tokens
 * and the consent page. The library has the protocol; this file prepares its requests. It is loaded at the first
 * request, because most services never get one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Access } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { readSessionToken } from '../http/cookies.ts';
import { preflightHeaders } from '../http/cors.ts';
import { corsHeaders, newRequestId, noSniffHeader, sendProblem } from '../http/problem-response.ts';
import { readBody } from '../http/request-body.ts';
import { answerFailure } from '../http/server.ts';
import { chargeTime } from '../http/visitor-gate.ts';
import type { Log } from '../log.ts';
import { isCrossSite } from '../pages/same-site.ts';
import type { SiteUrl } from '../pages/site-url.ts';

export type OAuthDeps = {
  access: Access;
  log: Log;
  /** The site of the account pages; its address is the issuer. */
  siteUrl: SiteUrl;
  baseUrl: string;
  trustProxy: boolean;
  /** Opens the guarded fetch, for documents at addresses that clients choose. */
  openFetch: () => Promise<GuardedFetch>;
};

/** An endpoint: its methods, and whether it may be called cross-origin. */
type Endpoint = {
  path: string;
  methods: readonly string[];
  allowsCrossOrigin: boolean;
  isCacheable?: boolean;
  /** Limit of the body; default `maxBodyBytes`. */
  maxBytes?: number;
};
const maxBodyBytes = 65_536;
/**
 * Processing time of a request in ms that is charged to its network at once: the library works in later turns of the event
 * loop, which are not measured (bench: an authorization request takes 2 ms in all).
 */
const laterMs = 2;

const endpoints: readonly Endpoint[] = [
  { path: '/oauth/authorize', methods: ['GET', 'HEAD'], allowsCrossOrigin: false },
  { path: '/oauth/authorize/:uid', methods: ['GET', 'HEAD'], allowsCrossOrigin: false },
  { path: '/oauth/token', methods: ['POST'], allowsCrossOrigin: true },
  // Registrations are stored.
  { path: '/oauth/register', methods: ['POST'], allowsCrossOrigin: true, maxBytes: 16_384 },
  { path: '/oauth/revoke', methods: ['POST'], allowsCrossOrigin: true },
  { path: '/oauth/jwks', methods: ['GET', 'HEAD'], allowsCrossOrigin: true, isCacheable: true },
  {
    path: '/.well-known/oauth-authorization-server',
    methods: ['GET', 'HEAD'],
    allowsCrossOrigin: true,
    isCacheable: true,
  },
  {
    path: '/.well-known/openid-configuration',
    methods: ['GET', 'HEAD'],
    allowsCrossOrigin: true,
    isCacheable: true,
  },
];

/** Mounts the authorization server. Returns steps that load its modules, which write nothing. */
export function mountOAuth(app: Polka, deps: OAuthDeps): (() => Promise<unknown>)[] {
  const oauth = new OAuthHandler(deps);
  const { prefix } = deps.siteUrl;
  for (const path of endpoints) {
    const handler = oauth.withErrorHandling((request, response) =>
      oauth.handleEndpoint(path, request, response),
    );
    app.all(path.path, handler);
    if (prefix === '' || !path.path.startsWith('/.well-known/')) continue;
    // If the issuer has a path, clients append it to the address of the metadata (RFC 8414, 3.1).
    app.all(path.path + prefix, (request, response) => {
      request.url = path.path;
      handler(request, response);
    });
  }
  app.all(
    '/oauth/interaction/:uid',
    oauth.withErrorHandling((req, res) => oauth.handleInteraction(req, res)),
  );
  return [deps.openFetch, ...Object.values(modules)];
}

/** Modules that the first request loads. */
const modules = {
  requests: () => import('./request-normalization.ts'),
  metadata: () => import('./client-metadata.ts'),
  shared: () => import('./shared-clients.ts'),
  rates: () => import('./rate-limit.ts'),
  interactions: () => import('./interactions.tsx'),
  provider: () => import('./provider.ts'),
};

type LoadedServer = Awaited<ReturnType<OAuthHandler['load']>>;
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

class OAuthHandler {
  readonly #deps: OAuthDeps;
  readonly #resource: string;
  readonly #origin: URL;
  #loaded: Promise<LoadedServer> | undefined;

  constructor(deps: OAuthDeps) {
    this.#deps = deps;
    this.#resource = `${deps.baseUrl}/mcp`;
    this.#origin = new URL(deps.siteUrl.url);
  }

  /** Returns the handler with the headers of every response, and with an answer for a failure. */
  withErrorHandling(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void {
    return (request, response) => {
      response.setHeader('X-Request-Id', newRequestId());
      response.setHeader('X-Content-Type-Options', noSniffHeader['X-Content-Type-Options']);
      handler(request, response).catch((failure: unknown) =>
        answerFailure(failure, response, this.#deps.log),
      );
    };
  }

  async handleEndpoint(
    { path, methods, allowsCrossOrigin, isCacheable, maxBytes = maxBodyBytes }: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = '' } = request;
    if (allowsCrossOrigin)
      for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
    if (allowsCrossOrigin && method === 'OPTIONS') return sendPreflight(response, methods);
    if (!methods.includes(method)) {
      const problem = new Problem('method_not_allowed', `This endpoint supports ${methods.join(', ')}.`);
      return sendProblem(response, problem, { Allow: methods.join(', ') });
    }
    if (isCacheable !== true) chargeTime(request, laterMs);
    const { handle, requests, metadata, shared, showError, isWithinLimit } = await this.#loadOnce();
    if (method === 'POST') {
      const body = await readBody(request, maxBytes);
      if (body === null || body === 'too large') return sendBodyTooLarge(response, maxBytes);
      const text = this.#normalizeBody(path, body.toString(), request, { requests, metadata, shared });
      requests.replaceBody(request, text);
    } else if (path === '/oauth/authorize') {
      const query = (request.url ?? '').split('?').slice(1).join('?');
      const fault = requests.authorizationRequestError(query);
      if (fault !== null) return showError(response, 400, this.#deps.siteUrl, fault);
      if (!isWithinLimit(request)) return showError(response, 429, this.#deps.siteUrl, tooManyRequests);
      request.url = `${path}?${requests.normalizeAuthorizationRequest(query, this.#resource)}`;
    }
    if (isCacheable) response.setHeader('Cache-Control', 'public, max-age=300');
    this.#setTrustedHeaders(request);
    handle(request, response);
  }

  /** Handles the consent page and its form. */
  async handleInteraction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    chargeTime(request, laterMs);
    const { interactions } = await this.#loadOnce();
    // Before `#setTrustedHeaders` changes the headers.
    const isForeign = isCrossSite(request, this.#deps.siteUrl);
    this.#setTrustedHeaders(request);
    await interactions.handle(request, response, isForeign);
  }

  #normalizeBody(
    path: string,
    body: string,
    request: IncomingMessage,
    { requests, metadata, shared }: Pick<LoadedServer, 'requests' | 'metadata' | 'shared'>,
  ): string {
    if (path === '/oauth/token') return requests.normalizeTokenRequest(body, this.#resource);
    if (path !== '/oauth/register') return body;
    try {
      const input: unknown = JSON.parse(body);
      const clientMetadata = metadata.normalizeClientMetadata(input, 'registration');
      const text = JSON.stringify(clientMetadata);
      shared.rememberIdentity(request, input, clientMetadata);
      return text;
    } catch {
      return body;
    }
  }

  /**
   * Sets host and protocol from the configuration, not from the request, and removes the session cookie of the
   * library: its session lasts for one authorization, so that it never belongs to another account than the one that is
   * signed in.
   */
  #setTrustedHeaders(request: IncomingMessage): void {
    const { host, protocol } = this.#origin;
    const { headers } = request;
    headers.host = host;
    headers['x-forwarded-host'] = host;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    (request as { originalUrl?: string }).originalUrl = this.#deps.siteUrl.prefix + (request.url ?? '/');
    if (headers.cookie !== undefined) headers.cookie = withoutSessionCookie(headers.cookie);
  }

  #loadOnce(): Promise<LoadedServer> {
    this.#loaded ??= this.load().catch((failure: unknown) => {
      this.#loaded = undefined;
      throw failure;
    });
    return this.#loaded;
  }

  /** Loads the modules and creates the server of the library. Call it once (`#loadOnce`). */
  async load() {
    const { access, siteUrl, openFetch, trustProxy, log } = this.#deps;
    const [
      { createProvider, networkOf },
      { InteractionHandler, showError },
      requests,
      metadata,
      shared,
      rates,
      fetch,
    ] = await Promise.all([
      modules.provider(),
      modules.interactions(),
      modules.requests(),
      modules.metadata(),
      modules.shared(),
      modules.rates(),
      openFetch(),
    ]);
    const accountOf = async (request: IncomingMessage) =>
      (await access.sessions.find(readSessionToken(request, siteUrl)))?.account.id ?? null;
    const provider = await createProvider({
      ...this.#deps,
      resource: this.#resource,
      fetch,
      accountOf,
      showError: (ctx, out, status = ctx.status) => {
        ctx.respond = false;
        showError(ctx.res, status, siteUrl, out);
      },
    });
    const interactions = new InteractionHandler({ provider, access, siteUrl, log, trustProxy });
    const rate = rates.createRateLimit(maxAuthorizationsPerMinute);
    const isWithinLimit = (request: IncomingMessage) => rate(networkOf(request, trustProxy));
    return {
      handle: provider.callback(),
      interactions,
      requests,
      metadata,
      shared,
      showError,
      isWithinLimit,
    };
  }
}

const withoutSessionCookie = (cookies: string): string =>
  cookies
    .split(';')
    .filter((cookie) => !/^\s*cratebase_oauth(?:\.sig)?=/.test(cookie))
    .join(';');

function sendPreflight(response: ServerResponse, methods: readonly string[]): void {
  const fields = preflightHeaders(
    [...methods, 'OPTIONS'].join(', '),
    'Authorization, Content-Type, Accept, MCP-Protocol-Version',
  );
  response.writeHead(204, fields).end();
}

/** Authorization requests per network and minute: more than people make, even if many share an address. */
const maxAuthorizationsPerMinute = 300;
const tooManyRequests = {
  error: 'temporarily_unavailable',
  error_description: 'too many requests came from this network within a minute',
};

function sendBodyTooLarge(response: ServerResponse, maxBytes: number): void {
  const body = JSON.stringify({
    error: 'invalid_request',
    error_description: `the body is longer than ${maxBytes.toLocaleString('en')} bytes`,
  });
  response.writeHead(413, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
}
