/**
 * The MCP endpoint {base_url}/mcp: revision 2026-07-28 and earlier ones, all without sessions. The SDK has the protocol;
 * this file has authentication, limits and errors.
 *
 * Errors of HTTP (method, Host, credential, size, type) have the body of docs/spec/errors.md. Errors of the message are
 * JSON-RPC errors, as the revisions require.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, type McpHttpHandler, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { Polka } from 'polka';
import type { Access, Credential } from '../access/access.ts';
import type { Catalogue } from '../catalogue/request.ts';
import type { Clock } from '../clock.ts';
import { Problem } from '../contract/errors.ts';
import type { Plan } from '../contract/plans.ts';
import { catalogueScope } from '../contract/scopes.ts';
import { DividedWork, type RunInTurn, runDivided } from '../divided-work.ts';
import { FairScheduler } from '../http/fair-scheduler.ts';
import { type InjectedFault, injectFault } from '../http/fault-injection.ts';
import { setOperation } from '../http/metrics.ts';
import { type HttpResponse, newRequestId, toProblem } from '../http/problem-response.ts';
import { limitHeaderPairs } from '../http/rate-limit-headers.ts';
import { turnBudget } from '../http/turn-budget.ts';
import { describeFailure, type Log } from '../log.ts';
import { AnswerCache } from './answer-cache.ts';
import { BodyMemory } from './body-memory.ts';
import { mountDiscovery, resourceMetadataPath, revisions } from './discovery.ts';
import { fastPathResponse, readFastPathCall } from './fast-path.ts';
import { costOf, operationOf, type ParsedMessage, parseMessage } from './message.ts';
import { createOriginCheck, type OriginCheck } from './origin-check.ts';
import { adaptRequest } from './request-adapter.ts';
import {
  allowedMethods,
  badRequest,
  limitResponse,
  preflightResponse,
  problemResponse,
  sendResponse,
} from './responses.ts';
import { ToolRegistry } from './server.ts';
import type { Tool, ToolContext } from './tool.ts';

export type McpDeps = Catalogue & {
  tools: readonly Tool[];
  /** These, and those that a client gets on request only. */
  allTools?: readonly Tool[];
  access: Access;
  clock: Clock;
  log: Log;
  baseUrl: string;
  accountUrl: string;
  /** The service's name, attribution and home city; they may change while it runs. */
  readonly name: string;
  readonly attribution?: string | null;
  readonly homeCity?: string | null;
  version: string;
  /** Public key of the operator at the MCP registry. */
  registryKey?: string | null;
  fail: readonly InjectedFault[];
};

/** Mounts the endpoint and its discovery documents. Returns steps that prepare the first list of tools and question. */
export function mountMcp(app: Polka, deps: McpDeps): (() => unknown)[] {
  const handler = new McpHandler(deps);
  mountDiscovery(app, deps, () => deps.access.plans.inForce(), deps.registryKey ?? null);
  app.all('/mcp', (req, res) => void handler.handle(req, res));
  return [...handler.listingSteps(), ...firstQuestions.map((question) => () => handler.warmUp(question))];
}

/** Questions that need ever more code, so that none of them compiles all of it. */
const firstQuestions: readonly object[] = [
  { city: 'Berlin' },
  { query: 'Berlin' },
  { query: 'techno in Berlin' },
  { query: 'techno in Berlin tonight' },
];

type Toolset = { registry: ToolRegistry; handlers: Record<Plan, McpHttpHandler> };

/** Whether the address of a request asks for all tools. */
const asksForAllTools = (url: string | undefined): boolean =>
  url?.includes('?') === true && new URLSearchParams(url.slice(url.indexOf('?'))).get('tools') === 'all';

/** State of a credential after its last request. `refusedUntil` is in ms since 1970. */
type CredentialState = { plan: Plan; refusedUntil: number };

class McpHandler {
  readonly #deps: McpDeps;
  readonly #checkOrigin: OriginCheck;
  readonly #challenge: string;
  readonly #resource: string;
  /** The tools of every client, and those of clients that ask for all (`/mcp?tools=all`). */
  readonly #standard: Toolset;
  readonly #all: Toolset;
  /** The server info of a response, as JSON, for a name of the service. */
  #serverInfo: { json: string; name: string } | undefined;
  readonly #states = new LRUCache<string, CredentialState>({ max: 10_000 });
  /** Unexpected failures of tools, by request. */
  readonly #failures = new WeakMap<object, unknown>();
  /** Credential ids of requests to the SDK: their calls run in turns. */
  readonly #callers = new WeakMap<object, string>();
  readonly #turns = new FairScheduler();
  readonly #bodies = new BodyMemory();

  constructor(deps: McpDeps) {
    this.#deps = deps;
    this.#checkOrigin = createOriginCheck(deps.baseUrl);
    this.#resource = `${deps.baseUrl}/mcp`;
    this.#challenge = `Bearer realm="cratebase", resource_metadata="${deps.baseUrl}${resourceMetadataPath}", scope="${catalogueScope}"`;
    const answers = new AnswerCache(deps.reader);
    this.#standard = this.#openToolset(new ToolRegistry(deps.tools, deps, false, answers));
    this.#all = this.#openToolset(new ToolRegistry(deps.allTools ?? deps.tools, deps, true, answers));
  }

  #openToolset(registry: ToolRegistry): Toolset {
    const handlerOf = (plan: Plan) =>
      createMcpHandler(({ requestInfo }) => {
        const queueKey = requestInfo && this.#callers.get(requestInfo);
        return registry.createServer(
          () => this.#toolContext(plan),
          (failure) => {
            if (requestInfo !== undefined) this.#failures.set(requestInfo, failure);
          },
          queueKey === undefined
            ? undefined
            : (call) => this.#runDivided((part, isNext) => this.#turns.run(queueKey, part, isNext), call),
        );
      });
    const handlers = { free: handlerOf('free'), premium: handlerOf('premium'), pro: handlerOf('pro') };
    return { registry, handlers };
  }

  /** Steps that describe each tool for the lists of clients. */
  listingSteps(): (() => unknown)[] {
    return this.#all.registry.listingSteps();
  }

  /** Answers a question of `search_events` without a caller. */
  warmUp(question: object): void {
    this.#standard.registry.callTool('search_events', question, this.#toolContext('free'));
  }

  /** Handles a request. Order of checks: method, Host and Origin, credential, then those of `#answer`. */
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
      const originError = this.#checkOrigin(req.headers.host, req.headers.origin);
      if (originError !== null)
        return sendResponse(
          res,
          requestId,
          problemResponse(new Problem('foreign_origin', originError), requestId, []),
        );
      const { authorization } = req.headers;
      const credential = await this.#deps.access.authenticate(authorization, this.#resource);
      if (credential === null) {
        return sendResponse(res, requestId, this.#unauthorized(requestId, authorization));
      }
      const body = await this.#bodies.read(req, credential.id);
      if (body === null) return;
      const message = await turnBudget.run(credential.id, () => parseMessage(req, body));
      setOperation(res, operationOf(message));
      sendResponse(res, requestId, await this.#answer(req, message, credential, requestId));
    } catch (failure) {
      sendResponse(res, requestId, this.#errorResponse(failure, requestId));
    }
  }

  /**
   * Counts and answers a message. The cost depends on the response (an accepted notification and a 5xx cost nothing), and
   * the response on the plan, which is only certain after counting. So the response is computed for the plan of the last
   * request, and again if the plan has changed; a caller over the limit is refused without computing it.
   */
  async #answer(
    req: IncomingMessage,
    message: ParsedMessage,
    credential: Credential,
    requestId: string,
  ): Promise<HttpResponse> {
    const state = this.#states.get(credential.id);
    const isNotification = 'requests' in message && message.requests === 0;
    const isOverLimit = !isNotification && state !== undefined && state.refusedUntil > this.#deps.clock.now();
    const plan = state?.plan ?? 'free';
    const early = isOverLimit ? null : await this.#respond(req, message, plan, credential, requestId);
    const cost = costOf(message, early?.status);
    const verdict = await this.#deps.access.admit(credential, cost, 'mcp');
    if (verdict.outcome === 'revoked') return this.#unauthorized(requestId, req.headers.authorization);
    // A notification is accepted with the monthly quota used up; the window counts it.
    const isFree = isNotification && early?.status === 202 && verdict.outcome === 'quota_exceeded';
    if (isFree) return { ...early, headers: [...early.headers, ...limitHeaderPairs(verdict.limits)] };
    const refusedUntil =
      verdict.outcome === 'admitted' ? 0 : this.#deps.clock.now() + (verdict.retryAfter - 1) * 1_000;
    this.#states.set(credential.id, { plan: verdict.plan, refusedUntil });
    if (verdict.outcome !== 'admitted') return limitResponse(verdict, cost, requestId);
    const isFinal = early !== null && (verdict.plan === plan || early.status >= 500);
    const answer = isFinal ? early : await this.#respond(req, message, verdict.plan, credential, requestId);
    return { ...answer, headers: [...answer.headers, ...limitHeaderPairs(verdict.limits)] };
  }

  /** Returns the response without the limit headers; never rejects. */
  async #respond(
    req: IncomingMessage,
    message: ParsedMessage,
    plan: Plan,
    credential: Credential,
    requestId: string,
  ): Promise<HttpResponse> {
    try {
      if (credential.scope === 'rest') throw wrongScope;
      injectFault(this.#deps.fail);
      if ('toErrorResponse' in message) return message.toErrorResponse(requestId);
      const call = readFastPathCall(req.headers, message.payload);
      const { registry, handlers } = asksForAllTools(req.url) ? this.#all : this.#standard;
      let context: ToolContext | undefined;
      const result =
        call &&
        (await this.#runDivided(
          (part, isContinued) => turnBudget.run(credential.id, part, isContinued),
          () => {
            context ??= this.#toolContext(plan);
            return registry.callToolAsJson(call.name, call.args, context);
          },
        ));
      if (call && result) return fastPathResponse(call, result, this.#readServerInfo());
      const request = adaptRequest(this.#resource, req.headers);
      this.#callers.set(request, credential.id);
      const response = await handlers[plan].fetch(request, { parsedBody: message.payload });
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

  /** Runs the parts of a call, each in a turn of its own. */
  #runDivided<T>(runInTurn: RunInTurn, call: () => T): Promise<T> {
    const { reader } = this.#deps;
    const divided = new DividedWork(() => reader.snapshot(() => reader.state().revision));
    return runDivided(divided, runInTurn, call);
  }

  #toolContext(plan: Plan): ToolContext {
    const { baseUrl, name, attribution = null, homeCity = null, clock, reader, search } = this.#deps;
    return { plan, baseUrl, name, attribution, homeCity, now: clock.now(), catalogue: { reader, search } };
  }

  #readServerInfo(): string {
    const { name } = this.#deps;
    if (this.#serverInfo?.name !== name) {
      const json = JSON.stringify({ [SERVER_INFO_META_KEY]: this.#standard.registry.implementation });
      this.#serverInfo = { json, name };
    }
    return this.#serverInfo.json;
  }

  /** Returns the response for a failure. Details of unexpected failures go to the log only. */
  #errorResponse(failure: unknown, requestId: string): HttpResponse {
    if (!(failure instanceof Problem)) {
      this.#deps.log('error', 'a request failed', { request_id: requestId, ...describeFailure(failure) });
    }
    const problem = toProblem(failure);
    const isTemporary = problem.type === 'unavailable' || problem.type === 'rate_limited';
    return problemResponse(problem, requestId, isTemporary ? ['Retry-After', '5'] : []);
  }

  /** Returns a 401 with a challenge that names the resource metadata (RFC 9728, 5.1; RFC 6750, 3). */
  #unauthorized(requestId: string, authorization: string | undefined): HttpResponse {
    const { accountUrl, access } = this.#deps;
    const message =
      access.credentialKind(authorization) === 'token'
        ? 'The access token is not valid any more. Connect again: an OAuth 2.1 client gets a new token from the authorization server named by WWW-Authenticate.'
        : `Send a valid API key or access token with every request: Authorization: Bearer cb_live_… Create a key at ${accountUrl}/account/developer. An OAuth 2.1 client gets a token from the authorization server named by WWW-Authenticate.`;
    const problem = new Problem('unauthorized', message);
    const error = authorization === undefined ? '' : ', error="invalid_token"';
    return problemResponse(problem, requestId, ['WWW-Authenticate', `${this.#challenge}${error}`]);
  }
}

const methodNotAllowed = new Problem(
  'method_not_allowed',
  `This endpoint supports ${allowedMethods}. Send every message by POST; there are no sessions.`,
);
const wrongScope = new Problem(
  'forbidden',
  'This key is for the REST API only. Send a key with the scope agents or all: it is chosen when a key is created.',
);
const notAcceptable = 'Accept must list both application/json and text/event-stream.';

const unsupportedRevision = -32022;

/**
 * Adds all served revisions to the message of an unsupported-revision error. `data.supported` stays: the protocol
 * requires the list of `server/discover`, which has the revisions without a handshake.
 */
function listServedRevisions(status: number, body: Buffer): Buffer {
  if (status !== 400 || !body.includes(String(unsupportedRevision))) return body;
  const answer = JSON.parse(body.toString()) as { error?: { code?: number; message?: string } };
  if (answer.error?.code !== unsupportedRevision) return body;
  const [newest, ...older] = revisions;
  answer.error.message = `${answer.error.message}. Supported: ${newest}, and with the handshake (initialize) ${older.join(', ')}.`;
  return Buffer.from(JSON.stringify(answer));
}
