/**
 * The authorization server's door (docs/spec/credentials.md): its metadata, where clients register, ask and get
 * tokens, and the page on which a person decides. The protocol is the library's; here stands what it is given, and what
 * a service owes beside it. It is made when it is first asked for: most services never are.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Access } from '../access/access.ts';
import { isForeign } from '../account/gate.ts';
import { Problem } from '../contract/errors.ts';
import type { GuardedFetch } from '../fetch/fetch.ts';
import { readSessionToken } from '../http/cookies.ts';
import { preflightFields } from '../http/preflight.ts';
import { crossOrigin, newRequestId, noSniff, sendProblem } from '../http/problem.ts';
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
type Path = {
  path: string;
  methods: readonly string[];
  open: boolean;
  fixed?: boolean;
  /** Of a body; 65,536 where nothing is said. */
  mostBytes?: number;
};
const mostBytes = 65_536;

const paths: readonly Path[] = [
  { path: '/oauth/authorize', methods: ['GET', 'HEAD'], open: false },
  { path: '/oauth/authorize/:uid', methods: ['GET', 'HEAD'], open: false },
  { path: '/oauth/token', methods: ['POST'], open: true },
  // What is registered is kept.
  { path: '/oauth/register', methods: ['POST'], open: true, mostBytes: 16_384 },
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
      response.setHeader('X-Content-Type-Options', noSniff['X-Content-Type-Options']);
      handler(request, response).catch((failure: unknown) =>
        answerFailure(failure, response, this.#deps.log),
      );
    };
  }

  async call(
    { path, methods, open, fixed, mostBytes: most = mostBytes }: Path,
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
    const { handle, requests, metadata, showError, mayAsk } = await this.#make();
    if (method === 'POST') {
      const body = await requests.readWhole(request, most);
      if (body === null) return refuseBody(response, most);
      requests.replaceBody(request, this.#tidyBody(path, body, { requests, metadata }));
    } else if (path === '/oauth/authorize') {
      const query = (request.url ?? '').split('?').slice(1).join('?');
      const fault = requests.faultOf(query);
      if (fault !== null) return showError(response, 400, this.#deps.place, fault);
      if (!mayAsk(request)) return showError(response, 429, this.#deps.place, tooOften);
      request.url = `${path}?${requests.tidyAuthorization(query, this.#resource)}`;
    }
    if (fixed) response.setHeader('Cache-Control', 'public, max-age=300');
    this.#isolate(request);
    handle(request, response);
  }

  /** The page on which a person decides, and the answer that it sends. */
  async decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { interactions } = await this.#make();
    // With the headers as they were sent.
    const isFromElsewhere = isForeign(request, this.#deps.place);
    this.#isolate(request);
    await interactions.answer(request, response, isFromElsewhere);
  }

  #tidyBody(path: string, body: string, { requests, metadata }: Pick<Made, 'requests' | 'metadata'>): string {
    if (path === '/oauth/token') return requests.tidyTokenRequest(body, this.#resource);
    if (path !== '/oauth/register') return body;
    try {
      return JSON.stringify(metadata.tidyMetadata(JSON.parse(body), 'registration'));
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
    const { access, place, openFetch, trustProxy, log } = this.#deps;
    const [{ makeProvider, networkOf }, { Interactions, showError }, requests, metadata, rates, fetch] =
      await Promise.all([
        import('./provider.ts'),
        import('./interactions.tsx'),
        import('./requests.ts'),
        import('./metadata.ts'),
        import('./rates.ts'),
        openFetch(),
      ]);
    const accountOf = async (request: IncomingMessage) =>
      (await access.sessions.find(readSessionToken(request, place)))?.account.id ?? null;
    const provider = await makeProvider({
      ...this.#deps,
      resource: this.#resource,
      fetch,
      accountOf,
      showError: (ctx, out, status = ctx.status) => {
        ctx.respond = false;
        showError(ctx.res, status, place, out);
      },
    });
    const interactions = new Interactions({ provider, access, place, log, trustProxy });
    const rate = rates.makeRate(mostAsked);
    const mayAsk = (request: IncomingMessage) => rate(networkOf(request, trustProxy));
    return { handle: provider.callback(), interactions, requests, metadata, showError, mayAsk };
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

/** Authorization requests of one network within a minute: more than people make, also where many share an address. */
const mostAsked = 300;
const tooOften = {
  error: 'temporarily_unavailable',
  error_description: 'too many requests came from this network within a minute',
};

function refuseBody(response: ServerResponse, most: number): void {
  const body = JSON.stringify({
    error: 'invalid_request',
    error_description: `the body is longer than ${most.toLocaleString('en')} bytes`,
  });
  response.writeHead(413, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body);
}
