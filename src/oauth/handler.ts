/**
 * The authorization server's door (docs/spec/credentials.md): its metadata, where clients register, ask and get
 * tokens, and the page on which a person decides. The protocol is the library's; here stands what it is given, and what
 * a service owes beside it. It is made when it is first asked for: most services never are.
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
import type { Log } from '../log.ts';
import { isCrossSite } from '../pages/same-site.ts';
import type { SiteUrl } from '../pages/site-url.ts';

export type OAuthDeps = {
  access: Access;
  log: Log;
  /** Where people's pages are; its address is the issuer. */
  siteUrl: SiteUrl;
  baseUrl: string;
  trustProxy: boolean;
  /** The guarded way out, for documents at addresses that strangers choose. */
  openFetch: () => Promise<GuardedFetch>;
};

/** One address of the server: what it takes, and whether scripts of other sites may call it. */
type Endpoint = {
  path: string;
  methods: readonly string[];
  allowsCrossOrigin: boolean;
  isCacheable?: boolean;
  /** Of a body; 65,536 where nothing is said. */
  maxBytes?: number;
};
const maxBodyBytes = 65_536;

const endpoints: readonly Endpoint[] = [
  { path: '/oauth/authorize', methods: ['GET', 'HEAD'], allowsCrossOrigin: false },
  { path: '/oauth/authorize/:uid', methods: ['GET', 'HEAD'], allowsCrossOrigin: false },
  { path: '/oauth/token', methods: ['POST'], allowsCrossOrigin: true },
  // What is registered is kept.
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

/** Puts the authorization server on the service. */
export function mountOAuth(app: Polka, deps: OAuthDeps): void {
  const door = new OAuthHandler(deps);
  const { prefix } = deps.siteUrl;
  for (const path of endpoints) {
    const handler = door.withErrorHandling((request, response) =>
      door.handleEndpoint(path, request, response),
    );
    app.all(path.path, handler);
    if (prefix === '' || !path.path.startsWith('/.well-known/')) continue;
    // Of an issuer with a path, the metadata is looked for with that path at the end (RFC 8414, 3.1).
    app.all(path.path + prefix, (request, response) => {
      request.url = path.path;
      handler(request, response);
    });
  }
  app.all(
    '/oauth/interaction/:uid',
    door.withErrorHandling((req, res) => door.handleInteraction(req, res)),
  );
}

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
    { path, methods, allowsCrossOrigin: open, isCacheable: fixed, maxBytes: most = maxBodyBytes }: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = '' } = request;
    if (open) for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
    if (open && method === 'OPTIONS') return sendPreflight(response, methods);
    if (!methods.includes(method)) {
      const problem = new Problem('method_not_allowed', `This address takes ${methods.join(', ')}.`);
      return sendProblem(response, problem, { Allow: methods.join(', ') });
    }
    const { handle, requests, metadata, showError, mayAsk } = await this.#loadOnce();
    if (method === 'POST') {
      const body = await readBody(request, most);
      if (body === null || body === 'too large') return sendBodyTooLarge(response, most);
      requests.replaceBody(request, this.#normalizeBody(path, body.toString(), { requests, metadata }));
    } else if (path === '/oauth/authorize') {
      const query = (request.url ?? '').split('?').slice(1).join('?');
      const fault = requests.authorizationRequestError(query);
      if (fault !== null) return showError(response, 400, this.#deps.siteUrl, fault);
      if (!mayAsk(request)) return showError(response, 429, this.#deps.siteUrl, tooManyRequests);
      request.url = `${path}?${requests.normalizeAuthorizationRequest(query, this.#resource)}`;
    }
    if (fixed) response.setHeader('Cache-Control', 'public, max-age=300');
    this.#setTrustedHeaders(request);
    handle(request, response);
  }

  /** The page on which a person decides, and the answer that it sends. */
  async handleInteraction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { interactions } = await this.#loadOnce();
    // With the headers as they were sent.
    const isFromElsewhere = isCrossSite(request, this.#deps.siteUrl);
    this.#setTrustedHeaders(request);
    await interactions.handle(request, response, isFromElsewhere);
  }

  #normalizeBody(
    path: string,
    body: string,
    { requests, metadata }: Pick<LoadedServer, 'requests' | 'metadata'>,
  ): string {
    if (path === '/oauth/token') return requests.normalizeTokenRequest(body, this.#resource);
    if (path !== '/oauth/register') return body;
    try {
      return JSON.stringify(metadata.normalizeClientMetadata(JSON.parse(body), 'registration'));
    } catch {
      return body;
    }
  }

  /**
   * What the library believes of a request beyond what it says: which address it was sent to. That is configured, and
   * what a request claims of it changes nothing. And the library's own session: it lasts for one authorization, so that
   * none can ever speak for another account than the one that is signed in.
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

  async load() {
    const { access, siteUrl, openFetch, trustProxy, log } = this.#deps;
    const [
      { createProvider: makeProvider, networkOf },
      { InteractionHandler: Interactions, showError },
      requests,
      metadata,
      rates,
      fetch,
    ] = await Promise.all([
      import('./provider.ts'),
      import('./interactions.tsx'),
      import('./request-normalization.ts'),
      import('./client-metadata.ts'),
      import('./rate-limit.ts'),
      openFetch(),
    ]);
    const accountOf = async (request: IncomingMessage) =>
      (await access.sessions.find(readSessionToken(request, siteUrl)))?.account.id ?? null;
    const provider = await makeProvider({
      ...this.#deps,
      resource: this.#resource,
      fetch,
      accountOf,
      showError: (ctx, out, status = ctx.status) => {
        ctx.respond = false;
        showError(ctx.res, status, siteUrl, out);
      },
    });
    const interactions = new Interactions({ provider, access, siteUrl, log, trustProxy });
    const rate = rates.createRateLimit(maxAuthorizationsPerMinute);
    const mayAsk = (request: IncomingMessage) => rate(networkOf(request, trustProxy));
    return { handle: provider.callback(), interactions, requests, metadata, showError, mayAsk };
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

/** Authorization requests of one network within a minute: more than people make, also where many share an address. */
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
