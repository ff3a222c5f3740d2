/**
 * The authorization server's door (interface.md, Authentication 5): its metadata, where clients register, ask and get
 * tokens, and the page on which a person decides. The protocol is the library's; here stands what it is given, and what
 * a service owes beside it. It is made when it is first asked for: most services never are.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Access } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import type { GuardedFetch } from '../fetch/fetch.ts';
import { readSessionToken } from '../http/cookies.ts';
import { preflightFields } from '../http/preflight.ts';
import { crossOrigin, newRequestId, sendProblem } from '../http/problem.ts';
import { answerFailure } from '../http/server.ts';
import type { Log } from '../log.ts';
import type { Place } from '../pages/place.ts';

export type OAuthDeps = {
  access: Access;
  log: Log;
  /** Where people's pages are; its address is the issuer. */
  place: Place;
  baseUrl: string;
  trustProxy: boolean;
  /** The guarded way out, for documents at addresses that strangers choose. */
  openFetch: () => Promise<GuardedFetch>;
};

/** One address of the server: what it takes, and whether scripts of other sites may call it. */
type Path = { path: string; methods: readonly string[]; open: boolean; fixed?: boolean };

const paths: readonly Path[] = [
  { path: '/oauth/authorize', methods: ['GET', 'HEAD'], open: false },
  { path: '/oauth/authorize/:uid', methods: ['GET', 'HEAD'], open: false },
  { path: '/oauth/token', methods: ['POST'], open: true },
  { path: '/oauth/register', methods: ['POST'], open: true },
  { path: '/oauth/revoke', methods: ['POST'], open: true },
  { path: '/oauth/jwks', methods: ['GET', 'HEAD'], open: true, fixed: true },
  { path: '/.well-known/oauth-authorization-server', methods: ['GET', 'HEAD'], open: true, fixed: true },
  { path: '/.well-known/openid-configuration', methods: ['GET', 'HEAD'], open: true, fixed: true },
];

/** Puts the authorization server on the service. */
export function mountOAuth(app: Polka, deps: OAuthDeps): void {
  const door = new OAuthDoor(deps);
  const { prefix } = deps.place;
  for (const path of paths) {
    const handler = door.guarded((request, response) => door.call(path, request, response));
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
    door.guarded((req, res) => door.decide(req, res)),
  );
}

type Made = Awaited<ReturnType<OAuthDoor['make']>>;
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

class OAuthDoor {
  readonly #deps: OAuthDeps;
  readonly #resource: string;
  readonly #origin: URL;
  #made: Promise<Made> | undefined;

  constructor(deps: OAuthDeps) {
    this.#deps = deps;
    this.#resource = `${deps.baseUrl}/mcp`;
    this.#origin = new URL(deps.place.url);
  }

  guarded(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void {
    return (request, response) => {
      response.setHeader('X-Request-Id', newRequestId());
      handler(request, response).catch((failure: unknown) =>
        answerFailure(failure, response, this.#deps.log),
      );
    };
  }

  async call(
    { path, methods, open, fixed }: Path,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = '' } = request;
    if (open) for (const [name, value] of Object.entries(crossOrigin)) response.setHeader(name, value);
    if (open && method === 'OPTIONS') return preflight(response, methods);
    if (!methods.includes(method)) {
      const problem = new Problem('method_not_allowed', `This address takes ${methods.join(', ')}.`);
      return sendProblem(response, problem, { Allow: methods.join(', ') });
    }
    const { handle, requests, metadata } = await this.#make();
    if (method === 'POST') {
      const body = await requests.readWhole(request);
      if (body === null) return refuseBody(response);
      requests.replaceBody(request, this.#tidyBody(path, body, { requests, metadata }));
    } else if (path === '/oauth/authorize') {
      const query = (request.url ?? '').split('?').slice(1).join('?');
      request.url = `${path}?${requests.tidyAuthorization(query, this.#resource)}`;
    }
    if (fixed) response.setHeader('Cache-Control', 'public, max-age=300');
    this.#isolate(request);
    handle(request, response);
  }

  /** The page on which a person decides, and the answer that it sends. */
  async decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { interactions } = await this.#make();
    this.#isolate(request);
    await interactions.answer(request, response);
  }

  #tidyBody(path: string, body: string, { requests, metadata }: Pick<Made, 'requests' | 'metadata'>): string {
    if (path === '/oauth/token') return requests.tidyTokenRequest(body, this.#resource);
    if (path !== '/oauth/register') return body;
    try {
      return JSON.stringify(metadata.tidyMetadata(JSON.parse(body)));
    } catch {
      return body;
    }
  }

  /**
   * What the library believes of a request beyond what it says: which address it was sent to. That is configured, and
   * what a request claims of it changes nothing. And the library's own session: it lasts for one authorization, so that
   * none can ever speak for another account than the one that is signed in.
   */
  #isolate(request: IncomingMessage): void {
    const { host, protocol } = this.#origin;
    const { headers } = request;
    headers.host = host;
    headers['x-forwarded-host'] = host;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    (request as { originalUrl?: string }).originalUrl = this.#deps.place.prefix + (request.url ?? '/');
    if (headers.cookie !== undefined) headers.cookie = withoutSession(headers.cookie);
  }

  #make(): Promise<Made> {
    this.#made ??= this.make().catch((failure: unknown) => {
      this.#made = undefined;
      throw failure;
    });
    return this.#made;
  }

  async make() {
    const { access, place, openFetch } = this.#deps;
    const [{ makeProvider }, { Interactions, showError }, requests, metadata, fetch] = await Promise.all([
      import('./provider.ts'),
      import('./interactions.tsx'),
      import('./requests.ts'),
      import('./metadata.ts'),
      openFetch(),
    ]);
    const accountOf = async (request: IncomingMessage) =>
      (await access.sessions.find(readSessionToken(request, place)))?.account.id ?? null;
    const provider = await makeProvider({
      ...this.#deps,
      resource: this.#resource,
      fetch,
      accountOf,
      showError: (ctx, out) => {
        ctx.respond = false;
        showError(ctx.res, ctx.status, place, out);
      },
    });
    const interactions = new Interactions({ provider, access, place });
    return { handle: provider.callback(), interactions, requests, metadata };
  }
}

const withoutSession = (cookies: string): string =>
  cookies
    .split(';')
    .filter((cookie) => !/^\s*cratebase_oauth(?:\.sig)?=/.test(cookie))
    .join(';');

function preflight(response: ServerResponse, methods: readonly string[]): void {
  const fields = preflightFields(
    [...methods, 'OPTIONS'].join(', '),
    'Authorization, Content-Type, Accept, MCP-Protocol-Version',
  );
  response.writeHead(204, fields).end();
}

function refuseBody(response: ServerResponse): void {
  const body = JSON.stringify({
    error: 'invalid_request',
    error_description: 'the body is longer than 65,536 bytes',
  });
  response.writeHead(413, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
}
