/**
 * The agents' door: {base_url}/mcp, revision 2026-07-28, and the revisions before it, all without a session. The
 * protocol is the SDK's; here stands what a service owes beside it: who may call, what it costs, what is refused.
 *
 * What is wrong with a request as HTTP (its method, Host, credential, size, type) is told in the error body of
 * docs/spec/errors.md; what is wrong with the message in it, in a JSON-RPC error, as the revisions demand.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isJsonContentType,
  type McpHttpHandler,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { Polka } from 'polka';
import type { Access, AdmissionResult, Credential } from '../access/access.ts';
import type { Catalogue } from '../catalogue/handlers.ts';
import type { Clock } from '../clock.ts';
import { errorTypes, Problem } from '../contract/errors.ts';
import type { Plan } from '../contract/plans.ts';
import { catalogueScope } from '../contract/scopes.ts';
import { preflightHeaders } from '../http/cors.ts';
import { FairScheduler } from '../http/fair-scheduler.ts';
import { type InjectedFault, injectFault } from '../http/fault-injection.ts';
import { setRateLimitReason } from '../http/metrics.ts';
import {
  corsHeaders,
  type HttpResponse,
  newRequestId,
  noSniffHeader,
  problemBody,
  toProblem,
} from '../http/problem-response.ts';
import { exceededLimit, limitHeaderPairs, overLimitProblem } from '../http/rate-limit-headers.ts';
import { readBody } from '../http/request-body.ts';
import { describeFailure, type Log } from '../log.ts';
import { mountDiscovery, resourceMetadataPath, revisions } from './discovery.ts';
import { readFastPathCall, writeFastPathResult } from './fast-path.ts';
import { createOriginCheck, type OriginCheck } from './origin-check.ts';
import { adaptRequest, maxBodyBytes } from './request-adapter.ts';
import { ToolRegistry } from './server.ts';
import type { Tool, ToolContext } from './tool.ts';

export type McpDeps = Catalogue & {
  tools: readonly Tool[];
  access: Access;
  clock: Clock;
  log: Log;
  baseUrl: string;
  accountUrl: string;
  /** The service's name, as its attribution shows it. */
  name: string;
  version: string;
  fail: readonly InjectedFault[];
};

/** Puts the agent endpoint on the server, and the documents by which it is found. */
export function mountMcp(app: Polka, deps: McpDeps): void {
  const door = new McpHandler(deps);
  mountDiscovery(app, deps);
  app.all('/mcp', (req, res) => void door.handle(req, res));
}

/** What a caller sent: a message (or a batch of them) and how many requests are in it; or why it is none. */
type ParsedMessage =
  | { payload: unknown; requests: number }
  | { refusal: (requestId: string) => HttpResponse };
/** What is known of a credential from its last request. */
type CredentialState = { plan: Plan; refusedUntil: number };

const allowedMethods = 'POST, OPTIONS';

class McpHandler {
  readonly #deps: McpDeps;
  readonly #checkOrigin: OriginCheck;
  readonly #challenge: string;
  readonly #resource: string;
  readonly #registry: ToolRegistry;
  /** How the server names itself in an answer, as JSON. */
  readonly #identity: string;
  readonly #handlers: Record<Plan, McpHttpHandler>;
  readonly #states = new LRUCache<string, CredentialState>({ max: 10_000 });
  /** Failures of tools, by the exchange they happened in. */
  readonly #failures = new WeakMap<object, unknown>();
  /** The credentials of the exchanges that are batches: their calls take turns. */
  readonly #batches = new WeakMap<object, string>();
  readonly #turns = new FairScheduler();

  constructor(deps: McpDeps) {
    this.#deps = deps;
    this.#checkOrigin = createOriginCheck(deps.baseUrl);
    this.#resource = `${deps.baseUrl}/mcp`;
    this.#challenge = `Bearer realm="cratebase", resource_metadata="${deps.baseUrl}${resourceMetadataPath}", scope="${catalogueScope}"`;
    const toolbox = new ToolRegistry(deps.tools, deps);
    this.#registry = toolbox;
    this.#identity = JSON.stringify({ [SERVER_INFO_META_KEY]: toolbox.implementation });
    const handlerOf = (plan: Plan) =>
      createMcpHandler(({ requestInfo }) => {
        const lane = requestInfo && this.#batches.get(requestInfo);
        return toolbox.createServer(
          () => this.#toolContext(plan),
          (failure) => {
            if (requestInfo !== undefined) this.#failures.set(requestInfo, failure);
          },
          lane === undefined ? undefined : (call) => this.#turns.run(lane, call),
        );
      });
    this.#handlers = { free: handlerOf('free'), premium: handlerOf('premium'), pro: handlerOf('pro') };
  }

  /** A request's whole life. Order of checks: method, where it is sent from, credential, … */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const requestId = newRequestId();
    try {
      if (req.method === 'OPTIONS') return sendResponse(res, requestId, preflightResponse);
      if (req.method !== 'POST')
        return sendResponse(
          res,
          requestId,
          problemResponse(methodNotAllowed, requestId, ['Allow', allowedMethods]),
        );
      const foreign = this.#checkOrigin(req.headers.host, req.headers.origin);
      if (foreign !== null)
        return sendResponse(res, requestId, problemResponse(badRequest(foreign), requestId, [], 403));
      const { authorization } = req.headers;
      const credential = await this.#deps.access.authenticate(authorization, this.#resource);
      if (credential === null) {
        return sendResponse(res, requestId, this.#unauthorized(requestId, authorization));
      }
      const body = await readBody(req, maxBodyBytes);
      if (body === null) return;
      sendResponse(res, requestId, await this.#answer(req, parseMessage(req, body), credential, requestId));
    } catch (failure) {
      sendResponse(res, requestId, this.#errorResponse(failure, requestId));
    }
  }

  /**
   * … window and quota, the message. What a request costs depends on its answer (an accepted notification and a 5xx cost
   * nothing), and the answer on the plan, which is only known for sure when it is counted. So it is worked out for the
   * plan of last time, and again where that has changed; but not for a caller who is surely going to be refused.
   */
  async #answer(
    req: IncomingMessage,
    message: ParsedMessage,
    credential: Credential,
    requestId: string,
  ): Promise<HttpResponse> {
    const known = this.#states.get(credential.id);
    const isNotice = 'requests' in message && message.requests === 0;
    const isSpent = !isNotice && known !== undefined && known.refusedUntil > this.#deps.clock.now();
    const plan = known?.plan ?? 'free';
    const early = isSpent ? null : await this.#respond(req, message, plan, credential, requestId);
    const cost = costOf(message, early?.status);
    const verdict = await this.#deps.access.admit(credential, cost, 'mcp');
    if (verdict.outcome === 'revoked') return this.#unauthorized(requestId, req.headers.authorization);
    // What costs nothing needs nothing of the month; the window counts it like all others.
    const isFree = isNotice && early?.status === 202 && verdict.outcome === 'quota_exceeded';
    if (isFree) return { ...early, headers: [...early.headers, ...limitHeaderPairs(verdict.limits)] };
    const refusedUntil =
      verdict.outcome === 'admitted' ? 0 : this.#deps.clock.now() + (verdict.retryAfter - 1) * 1_000;
    this.#states.set(credential.id, { plan: verdict.plan, refusedUntil });
    if (verdict.outcome !== 'admitted') return limitResponse(verdict, cost, requestId);
    const isRight = early !== null && (verdict.plan === plan || early.status >= 500);
    const answer = isRight ? early : await this.#respond(req, message, verdict.plan, credential, requestId);
    return { ...answer, headers: [...answer.headers, ...limitHeaderPairs(verdict.limits)] };
  }

  /** The answer but for the limits' headers; never rejects. */
  async #respond(
    req: IncomingMessage,
    message: ParsedMessage,
    plan: Plan,
    credential: Credential,
    requestId: string,
  ): Promise<HttpResponse> {
    try {
      injectFault(this.#deps.fail);
      if ('refusal' in message) return message.refusal(requestId);
      const straight = readFastPathCall(req.headers, message.payload);
      const answer =
        straight && this.#registry.callTool(straight.name, straight.args, this.#toolContext(plan));
      if (straight && answer) return jsonResponse(200, writeFastPathResult(straight, answer, this.#identity));
      const request = adaptRequest(this.#resource, req.headers);
      if (Array.isArray(message.payload)) this.#batches.set(request, credential.id);
      const response = await this.#handlers[plan].fetch(request, { parsedBody: message.payload });
      const body = listServedRevisions(response.status, Buffer.from(await response.arrayBuffer()));
      if (this.#failures.has(request)) throw this.#failures.get(request);
      if (response.status >= 500) throw new Error(`The protocol failed: ${body.subarray(0, 500)}`);
      if (response.status === 406) return problemResponse(badRequest(notAcceptable), requestId, [], 406);
      const type = response.headers.get('content-type');
      if (type === null) return { status: response.status, headers: [], body: null };
      return { status: response.status, headers: ['Content-Type', type], body };
    } catch (failure) {
      return this.#errorResponse(failure, requestId);
    }
  }

  #toolContext(plan: Plan): ToolContext {
    const { baseUrl, name, clock, reader, search } = this.#deps;
    return { plan, baseUrl, name, now: clock.now(), catalogue: { reader, search } };
  }

  /** Whatever failed, as one of the error types; what is unexpected goes to the log and to nobody else. */
  #errorResponse(failure: unknown, requestId: string): HttpResponse {
    if (!(failure instanceof Problem)) {
      this.#deps.log('error', 'a request failed', { request_id: requestId, ...describeFailure(failure) });
    }
    const problem = toProblem(failure);
    const waits = problem.type === 'unavailable' || problem.type === 'rate_limited';
    return problemResponse(problem, requestId, waits ? ['Retry-After', '5'] : []);
  }

  /** A challenge that leads a client to where it gets a credential (RFC 9728, 5.1; RFC 6750, 3). */
  #unauthorized(requestId: string, authorization: string | undefined): HttpResponse {
    const { accountUrl, access } = this.#deps;
    const message =
      access.credentialKind(authorization) === 'token'
        ? 'This connection has ended or expired. Connect again: a client that speaks OAuth 2.1 asks for a new token where WWW-Authenticate leads.'
        : `Send a valid key or access token with every request: Authorization: Bearer cb_live_… Keys are made at ${accountUrl}/account/developer; a client that speaks OAuth 2.1 gets a token by itself, from where WWW-Authenticate leads.`;
    const problem = new Problem('unauthorized', message);
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    return problemResponse(problem, requestId, ['WWW-Authenticate', `${this.#challenge}${error}`]);
  }
}

const methodNotAllowed = new Problem(
  'method_not_allowed',
  `This endpoint takes ${allowedMethods}: every message is a POST, and there are no sessions to read from or to end.`,
);
const notAcceptable = 'Accept must list both application/json and text/event-stream.';

/** Of HTTP, and no error type's own: told as what it is, a header or a body that cannot be read. */
const badRequest = (message: string): Problem => new Problem('invalid_parameter', message);

/** Reads the message, as far as it has to be known what it costs. The rest is the SDK's. */
function parseMessage(req: IncomingMessage, body: Buffer | 'too large'): ParsedMessage {
  if (body === 'too large') {
    return {
      refusal: (id) =>
        problemResponse(badRequest(`A body has ${maxBodyBytes} bytes at most. Send less.`), id, [], 413),
    };
  }
  if (!isJsonContentType(req.headers['content-type'] ?? null)) {
    return {
      refusal: (id) => problemResponse(badRequest('Send JSON: Content-Type: application/json.'), id, [], 415),
    };
  }
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    const version = req.headers['mcp-protocol-version'];
    if (Array.isArray(payload) && typeof version === 'string' && revisionsWithoutBatches.has(version)) {
      const message = `Invalid request: revision ${version} has no batches. Send each message by itself.`;
      return { refusal: () => rpcErrorResponse(-32600, message) };
    }
    const messages = Array.isArray(payload) ? payload : [payload];
    if (messages.length > maxBatchMessages) {
      const message = `Invalid request: a batch holds at most ${maxBatchMessages} messages, not ${messages.length}. Send several batches.`;
      return { refusal: () => rpcErrorResponse(-32600, message) };
    }
    return { payload, requests: messages.filter(isRequest).length };
  } catch {
    return { refusal: () => rpcErrorResponse(-32700, 'Parse error: the body is not JSON.') };
  }
}

/** The revisions of the handshake that took batches out again; the newest answers for itself. */
const revisionsWithoutBatches = new Set(['2025-06-18', '2025-11-25']);

/** A notification has no id; an answer (which older revisions let a client send) has no method. */
const isRequest = (message: unknown): boolean =>
  typeof message !== 'object' || message === null || ('id' in message && 'method' in message);

/** Messages in a batch, notifications included. */
export const maxBatchMessages = 10;

/**
 * An accepted notification and a failure of ours cost nothing; each request of a batch costs one, but a batch that is
 * refused as a whole costs one altogether. Without a status (no answer yet) it is taken for granted that all will be well.
 */
function costOf(message: ParsedMessage, status = 200): number {
  if (status === 202 || status >= 500) return 0;
  if (status >= 400 || 'refusal' in message) return 1;
  return message.requests;
}

const unsupportedRevision = -32022;

/**
 * The body of an answer; where it refuses a revision, its message names all that are served here. `data.supported` stays
 * as the SDK has it: the protocol wants it to be what `server/discover` says, the revisions without a handshake.
 */
function listServedRevisions(status: number, body: Buffer): Buffer {
  if (status !== 400 || !body.includes(String(unsupportedRevision))) return body;
  const answer = JSON.parse(body.toString()) as { error?: { code?: number; message?: string } };
  if (answer.error?.code !== unsupportedRevision) return body;
  const [newest, ...older] = revisions;
  answer.error.message = `${answer.error.message}. Served here: ${newest}, and after the handshake (initialize) ${older.join(', ')}.`;
  return Buffer.from(JSON.stringify(answer));
}

/** A refusal of HTTP's layer, in the error body of docs/spec/errors.md. */
function problemResponse(
  problem: Problem,
  requestId: string,
  fields: string[],
  status?: number,
): HttpResponse {
  return jsonResponse(status ?? errorTypes[problem.type].status, problemBody(problem, requestId), fields);
}

const rpcErrorResponse = (code: number, message: string): HttpResponse =>
  jsonResponse(400, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));

const jsonResponse = (status: number, json: string, fields: string[] = []): HttpResponse => ({
  status,
  headers: ['Content-Type', 'application/json', ...fields],
  body: Buffer.from(json),
});

type LimitVerdict = Extract<AdmissionResult, { retryAfter: number }>;

/** A batch is answered as a whole or not at all; where part of it would be, that is told. */
function limitResponse(verdict: LimitVerdict, requests: number, requestId: string): HttpResponse {
  const { outcome, retryAfter, limits, accountWindow } = verdict;
  const [window, inWindow, , , inMonth] = limits;
  const inTime = accountWindow?.remaining ?? inWindow;
  const left = outcome === 'rate_limited' ? inTime : inMonth;
  const whose =
    outcome === 'quota_exceeded'
      ? "this account's month"
      : accountWindow === undefined
        ? `this key's window of ${window}`
        : `this account's window of ${accountWindow.limit}`;
  const problem =
    requests < 2 || left === 0
      ? overLimitProblem(outcome, retryAfter, accountWindow)
      : new Problem(
          outcome,
          `A batch of ${requests} requests is more than the ${left} that ${whose} has left. Send fewer at once.`,
        );
  const headers = [...limitHeaderPairs(limits), 'Retry-After', String(retryAfter)];
  return { ...problemResponse(problem, requestId, headers), rateLimitReason: exceededLimit(verdict) };
}

/** The answer to a browser that asks before it calls. */
const preflightResponse: HttpResponse = {
  status: 204,
  headers: preflightHeaders(
    allowedMethods,
    'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  ),
  body: null,
};

const commonHeaders = [
  ...Object.entries({ ...corsHeaders, ...noSniffHeader }).flat(),
  'Cache-Control',
  'no-store',
];

function sendResponse(
  res: ServerResponse,
  requestId: string,
  { status, headers: fields, body, rateLimitReason }: HttpResponse,
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (rateLimitReason !== undefined) setRateLimitReason(res, rateLimitReason);
  const headers = [...fields, 'X-Request-Id', requestId, ...commonHeaders];
  if (body !== null || status !== 204) headers.push('Content-Length', String(body?.length ?? 0));
  res.writeHead(status, headers);
  res.end(body ?? undefined);
}
