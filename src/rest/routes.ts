/** The REST API: 33 operations under /api/v1. One `RestHandler` answers all of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Polka } from 'polka';
import type { Access, AdmissionResult, Credential, PendingRequest } from '../access/access.ts';
import { bodyPieces, nextCursorOf } from '../catalogue/handlers.ts';
import type { Catalogue } from '../catalogue/request.ts';
import type { Clock } from '../clock.ts';
import { Problem } from '../contract/errors.ts';
import {
  apiPrefix,
  type OperationDefinition,
  type OperationId,
  operationIds,
  operations,
} from '../contract/operations.ts';
import { preflightHeaders } from '../http/cors.ts';
import { headersOfProblem, unauthorized, wrongScope } from '../http/credential-problems.ts';
import { matchesETag } from '../http/etag.ts';
import { type InjectedFault, injectFault } from '../http/fault-injection.ts';
import { setOperation } from '../http/metrics.ts';
import { type HttpResponse, newRequestId, toProblem } from '../http/problem-response.ts';
import { exceededLimit, limitHeaderPairs, overLimitProblem } from '../http/rate-limit-headers.ts';
import { type CachedResponse, encodeBody, ResponseCache } from '../http/response-cache.ts';
import { turnBudget } from '../http/turn-budget.ts';
import { describeFailure, type Log } from '../log.ts';
import { memoize } from '../memoize.ts';
import { clockPartsOf } from './clock-parts.ts';
import { encodeJson } from './encode-json.ts';
import { parseRequest, type QueryParameters } from './parse-request.ts';
import { checkParameterCount, decodeParams, nextPageUrl } from './request-url.ts';
import { sendResponse, toProblemResponse } from './send-response.ts';

export type RestDependencies = Catalogue & {
  access: Access;
  clock: Clock;
  log: Log;
  baseUrl: string;
  version: string;
  fail: readonly InjectedFault[];
  /** Whether bodies are compressed for clients that accept it. */
  compress: boolean;
};

type RestRequest = IncomingMessage & {
  params: Record<string, string>;
  query: QueryParameters;
  originalUrl: string;
};

type RestCall = { operation: OperationId; req: RestRequest; res: ServerResponse; requestId: string };

const allowedMethods = 'GET, HEAD, OPTIONS';

/** Mounts the routes of all operations, for any method: the handler answers those that are not allowed with 405. */
export function mountRest(app: Polka, deps: RestDependencies): void {
  const handler = new RestHandler(deps);
  for (const operation of operationIds) {
    const path = operations[operation].path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.all(`${apiPrefix}${path}`, (req, res) => handler.handle(operation, req as RestRequest, res));
  }
}

class RestHandler {
  readonly #deps: RestDependencies;
  readonly #cache: ResponseCache;
  readonly #vary: string;
  /** Until when (ms) the requests of a credential are refused: no response is rendered for them. */
  readonly #refusedUntil = new LRUCache<string, number>({ max: 10_000 });

  constructor(deps: RestDependencies) {
    this.#deps = deps;
    this.#cache = new ResponseCache(deps.reader.secret, `${deps.version} ${deps.baseUrl}`);
    this.#vary = deps.compress ? 'Authorization, Accept-Encoding' : 'Authorization';
  }

  /** Answers a request. The router checked its path; this checks the method. docs/spec/errors.md has the order of checks. */
  handle(operation: OperationId, req: RestRequest, res: ServerResponse): void {
    const call = { operation, req, res, requestId: newRequestId() };
    setOperation(res, operation);
    if (req.method === 'OPTIONS') {
      sendResponse(req, res, call.requestId, preflightResponse);
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      this.fail(call, methodNotAllowed());
      return;
    }
    const credential = this.#deps.access.verifiedCredential(req.headers.authorization);
    // Almost every request has a key that was verified before: promises would be most of its garbage.
    if (credential !== undefined) this.#take(call, credential);
    else void this.#authenticate(call);
  }

  async #authenticate(call: RestCall): Promise<void> {
    const { access } = this.#deps;
    const { authorization } = call.req.headers;
    try {
      const credential = await access.authenticate(authorization);
      if (credential === null) throw unauthorized(access.credentialKind(authorization));
      this.#take(call, credential);
    } catch (failure) {
      this.fail(call, failure);
    }
  }

  /** Computes the response in this turn of the event loop if it has time, otherwise in a later one. */
  #take(call: RestCall, credential: Credential): void {
    if (turnBudget.hasTime()) {
      this.#count(call, credential);
      return;
    }
    try {
      turnBudget.defer(credential.id, () => this.#count(call, credential));
    } catch (failure) {
      this.fail(call, failure);
    }
  }

  /** Computes the response and its cost, and queues the request to be counted against the rate window and the quota. */
  #count(call: RestCall, credential: Credential): void {
    const { access, clock } = this.#deps;
    // The cost depends on the response (304, 429 and 5xx cost nothing), so the response comes first, except for a request that
    // will be refused.
    const isRefused = (this.#refusedUntil.get(credential.id) ?? 0) > clock.now();
    const early = isRefused ? null : this.#attempt(call, credential);
    const cost = early !== null && isFree(early.status) ? 0 : 1;
    access.enqueue(new CountedCall(this, call, credential, cost, early));
  }

  /** Sends the response of a request that was counted, or its refusal. */
  settle(call: RestCall, credential: Credential, early: HttpResponse | null, verdict: AdmissionResult): void {
    try {
      sendResponse(call.req, call.res, call.requestId, this.#answer(call, credential, early, verdict));
    } catch (failure) {
      this.fail(call, failure);
    }
  }

  #answer(
    call: RestCall,
    credential: Credential,
    early: HttpResponse | null,
    verdict: AdmissionResult,
  ): HttpResponse {
    if (verdict.outcome !== 'admitted') return this.#refusal(credential, verdict, call.requestId);
    if (early === null) this.#refusedUntil.delete(credential.id);
    const answer = early ?? this.#attempt(call, credential);
    answer.headers.push(...limitHeaderPairs(verdict.limits));
    return answer;
  }

  /** Answers a request that failed before it had a response. */
  fail({ req, res, requestId }: RestCall, failure: unknown): void {
    const problem = this.#problem(failure, requestId);
    sendResponse(req, res, requestId, toProblemResponse(problem, requestId, headersOf(problem)));
  }

  #refusal(credential: Credential, verdict: AdmissionResult, requestId: string): HttpResponse {
    if (verdict.outcome === 'admitted' || verdict.outcome === 'revoked') throw unauthorized('key');
    this.#refusedUntil.set(credential.id, this.#deps.clock.now() + verdict.retryAfter * 1_000 - 1_000);
    const fields = [...limitHeaderPairs(verdict.limits), 'Retry-After', String(verdict.retryAfter)];
    const problem = overLimitProblem(verdict.outcome, verdict.retryAfter, verdict.accountWindow);
    return { ...toProblemResponse(problem, requestId, fields), rateLimitReason: exceededLimit(verdict) };
  }

  /** The response without the headers of limits; never throws. */
  #attempt({ operation, req, requestId }: RestCall, { scope }: Credential): HttpResponse {
    try {
      if (scope === 'agents') throw wrongScope();
      injectFault(this.#deps.fail);
      const rendered = this.#render(operation, req);
      const { tag } = rendered;
      const fields = ['ETag', tag, 'Cache-Control', 'private, max-age=60', 'Vary', this.#vary];
      if (matchesETag(req.headers['if-none-match'], tag)) return { status: 304, headers: fields, body: null };
      const acceptEncoding = this.#deps.compress ? req.headers['accept-encoding'] : undefined;
      const { body, coding } = encodeBody(rendered, acceptEncoding);
      if (coding !== 'identity') fields.push('Content-Encoding', coding);
      if (rendered.modified !== null) fields.push('Last-Modified', rendered.modified);
      if (rendered.next !== null) fields.push('Link', `<${rendered.next}>; rel="next"`);
      return { status: 200, headers: fields, body };
    } catch (failure) {
      const problem = this.#problem(failure, requestId);
      return toProblemResponse(problem, requestId, headersOf(problem));
    }
  }

  /** The body, from the cache if it is current. */
  #render(operation: OperationId, req: RestRequest): CachedResponse {
    const { reader, clock, baseUrl } = this.#deps;
    const url = req.originalUrl;
    const now = clock.now();
    return reader.snapshot(() => {
      const state = this.#stateOf(operations[operation], now, req.query);
      const cached = this.#cache.get(url, state);
      if (cached) return cached;
      checkParameterCount(operations[operation], url);
      const request = parseRequest(operation, decodeParams(req.params), req.query, now);
      const pieces = bodyPieces(request, this.#deps);
      const next = nextPageUrl(baseUrl, url, nextCursorOf(pieces));
      const modified = operations[operation].shape === 'detail' ? lastModifiedOf(pieces) : null;
      return this.#cache.set(url, state, encodeJson(pieces, baseUrl), { next, modified });
    });
  }

  /** What the body of an operation depends on besides its URL. The ETag is a digest of both and of the version. */
  #stateOf(row: OperationDefinition, now: number, query: QueryParameters): string {
    const { reader } = this.#deps;
    const { revision, lastSyncedTs } = reader.state();
    const parts = clockPartsOf(row, query);
    if (parts.length === 0) return String(revision);
    const state = `${revision} ${reader.epoch(now, revision, parts)}`;
    return row.dependsOnSync ? `${state} ${lastSyncedTs}` : state;
  }

  /** Converts a failure to a problem. Unexpected failures are logged, and not described to the client. */
  #problem(failure: unknown, requestId: string): Problem {
    if (failure instanceof Problem) {
      // The client learns only that it has to wait; the log has the cause.
      if (failure.cause !== undefined) {
        this.#deps.log('warn', failure.message, { request_id: requestId, ...describeFailure(failure.cause) });
      }
      return failure;
    }
    this.#deps.log('error', 'a request failed', { request_id: requestId, ...describeFailure(failure) });
    return toProblem(failure);
  }
}

/** A request with its response while it waits to be counted. */
class CountedCall implements PendingRequest {
  readonly channel = 'rest';
  readonly credential: Credential;
  readonly cost: number;
  readonly #handler: RestHandler;
  readonly #call: RestCall;
  readonly #early: HttpResponse | null;

  constructor(
    handler: RestHandler,
    call: RestCall,
    credential: Credential,
    cost: number,
    early: HttpResponse | null,
  ) {
    this.#handler = handler;
    this.#call = call;
    this.credential = credential;
    this.cost = cost;
    this.#early = early;
  }

  settled(verdict: AdmissionResult): void {
    this.#handler.settle(this.#call, this.credential, this.#early, verdict);
  }

  failed(failure: unknown): void {
    this.#handler.fail(this.#call, failure);
  }
}

/** Returns the last `updated_at` of a detail, which is that of the record, as an HTTP date; null without one. */
function lastModifiedOf(pieces: readonly string[]): string | null {
  const member = '"updated_at":"';
  // The record is the piece between the braces.
  const json = pieces[1] ?? '';
  const at = json.lastIndexOf(member);
  if (at < 0) return null;
  const begin = at + member.length;
  return httpDateOf(json.slice(begin, json.indexOf('"', begin)));
}

/** The HTTP date of a time in the format of RFC 3339; null for other texts. Records of one import share their time. */
const httpDateOf = memoize(1_000, (text: string): string | null =>
  Number.isNaN(Date.parse(text)) ? null : new Date(text).toUTCString(),
);

const isFree = (status: number): boolean => status === 304 || status === 429 || status >= 500;

const headersOf = (problem: Problem): string[] =>
  headersOfProblem(problem, { allowedMethods, busyRetryAfter: 5 });

const methodNotAllowed = () => new Problem('method_not_allowed', `Read endpoints take ${allowedMethods}.`);

const preflightResponse: HttpResponse = {
  status: 204,
  headers: preflightHeaders(allowedMethods, 'Authorization, Content-Type, If-None-Match'),
  body: null,
};
