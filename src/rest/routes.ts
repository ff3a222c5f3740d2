/** The REST door: 33 operations under /api/v1, one way through all of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Polka } from 'polka';
import type { Access, AdmissionResult, Credential } from '../access/access.ts';
import { type Catalogue, handleOperation } from '../catalogue/handlers.ts';
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
import { matchesETag } from '../http/etag.ts';
import { type InjectedFault, injectFault } from '../http/fault-injection.ts';
import { type HttpResponse, newRequestId, toProblem } from '../http/problem-response.ts';
import { exceededLimit, limitHeaderPairs, overLimitProblem } from '../http/rate-limit-headers.ts';
import { type CachedResponse, ResponseCache } from '../http/response-cache.ts';
import { describeFailure, type Log } from '../log.ts';
import { withBaseUrl } from '../store/records/serialize.ts';
import { parseRequest, type QueryParameters } from './parse-request.ts';
import { sendResponse, toProblemResponse } from './send-response.ts';

export type RestDependencies = Catalogue & {
  access: Access;
  clock: Clock;
  log: Log;
  baseUrl: string;
  version: string;
  fail: readonly InjectedFault[];
};

type RestRequest = IncomingMessage & {
  params: Record<string, string>;
  query: QueryParameters;
  originalUrl: string;
};

const allowedMethods = 'GET, HEAD, OPTIONS';

/** Puts the 33 operations on the server. */
export function mountRest(app: Polka, deps: RestDependencies): void {
  const door = new RestHandler(deps);
  for (const operation of operationIds) {
    const path = operations[operation].path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.all(
      `${apiPrefix}${path}`,
      (req, res) => void door.handle(operation, req as unknown as RestRequest, res),
    );
  }
}

class RestHandler {
  readonly #deps: RestDependencies;
  readonly #rendering: ResponseCache;
  /** Credentials last refused, and until when (ms) they surely are: nothing is worked out for them in advance. */
  readonly #spent = new LRUCache<string, number>({ max: 10_000 });

  constructor(deps: RestDependencies) {
    this.#deps = deps;
    this.#rendering = new ResponseCache(deps.reader.secret, `${deps.version} ${deps.baseUrl}`);
  }

  /** A request's whole life. Order of checks as docs/spec/errors.md: path (the router), method, credential, … */
  async handle(operation: OperationId, req: RestRequest, res: ServerResponse): Promise<void> {
    const requestId = newRequestId();
    try {
      if (req.method === 'OPTIONS') return sendResponse(req, res, requestId, preflightResponse);
      if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed();
      const credential = await this.#deps.access.authenticate(req.headers.authorization);
      if (credential === null)
        throw unauthorized(this.#deps.access.credentialKind(req.headers.authorization));
      sendResponse(req, res, requestId, await this.#answer(operation, req, credential, requestId));
    } catch (failure) {
      const problem = this.#problem(failure, requestId);
      sendResponse(req, res, requestId, toProblemResponse(problem, requestId, headersOf(problem)));
    }
  }

  /** … window and quota, parameters, the record. */
  async #answer(
    operation: OperationId,
    req: RestRequest,
    credential: Credential,
    requestId: string,
  ): Promise<HttpResponse> {
    const { access, clock } = this.#deps;
    // What a request costs depends on its answer (a 304 and a 5xx cost nothing), so that is worked out first - except
    // for one that is going to be refused, which must not cost anybody anything.
    const surelyRefused = (this.#spent.get(credential.id) ?? 0) > clock.now();
    const early = surelyRefused ? null : this.#attempt(operation, req, requestId);
    const verdict = await access.admit(credential, early !== null && isFree(early.status) ? 0 : 1, 'rest');
    if (verdict.outcome !== 'admitted') return this.#refusal(credential, verdict, requestId);
    if (surelyRefused) this.#spent.delete(credential.id);
    const answer = early ?? this.#attempt(operation, req, requestId);
    return { ...answer, headers: [...answer.headers, ...limitHeaderPairs(verdict.limits)] };
  }

  #refusal(credential: Credential, verdict: AdmissionResult, requestId: string): HttpResponse {
    if (verdict.outcome === 'admitted' || verdict.outcome === 'revoked') throw unauthorized('key');
    this.#spent.set(credential.id, this.#deps.clock.now() + verdict.retryAfter * 1_000 - 1_000);
    const fields = [...limitHeaderPairs(verdict.limits), 'Retry-After', String(verdict.retryAfter)];
    const problem = overLimitProblem(verdict.outcome, verdict.retryAfter, verdict.accountWindow);
    return { ...toProblemResponse(problem, requestId, fields), rateLimitReason: exceededLimit(verdict) };
  }

  /** The answer but for the limits' headers; never throws. */
  #attempt(operation: OperationId, req: RestRequest, requestId: string): HttpResponse {
    try {
      injectFault(this.#deps.fail);
      const { tag, body } = this.#render(operation, req);
      const fields = ['ETag', tag, 'Cache-Control', 'private, max-age=60', 'Vary', 'Authorization'];
      if (matchesETag(req.headers['if-none-match'], tag)) return { status: 304, headers: fields, body: null };
      return { status: 200, headers: fields, body };
    } catch (failure) {
      const problem = this.#problem(failure, requestId);
      return toProblemResponse(problem, requestId, headersOf(problem));
    }
  }

  /** The body, from the cache where it is still right. */
  #render(operation: OperationId, req: RestRequest): CachedResponse {
    const { reader, clock, baseUrl } = this.#deps;
    const url = req.originalUrl;
    const now = clock.now();
    return reader.snapshot(() => {
      const { revision, lastSyncedTs } = reader.state();
      const row: OperationDefinition = operations[operation];
      const state = row.dependsOnClock
        ? `${revision} ${lastSyncedTs} ${reader.epoch(now, revision)}`
        : String(revision);
      const known = this.#rendering.get(url, state);
      if (known) return known;
      const question = parseRequest(operation, decodeParams(req.params), req.query, now);
      const json = handleOperation(question, this.#deps);
      return this.#rendering.set(url, state, Buffer.from(withBaseUrl(json, baseUrl)));
    });
  }

  /** Whatever failed, as one of the error types; what is unexpected goes to the log and to nobody else. */
  #problem(failure: unknown, requestId: string): Problem {
    if (failure instanceof Problem) {
      // The caller is told to wait; why, the operator has to know.
      if (failure.cause !== undefined) {
        this.#deps.log('warn', failure.message, { request_id: requestId, ...describeFailure(failure.cause) });
      }
      return failure;
    }
    this.#deps.log('error', 'a request failed', { request_id: requestId, ...describeFailure(failure) });
    return toProblem(failure);
  }
}

const isFree = (status: number): boolean => status === 304 || status === 429 || status >= 500;

/** Headers that belong to a type of error. */
function headersOf({ type }: Problem): string[] {
  if (type === 'unauthorized') return ['WWW-Authenticate', 'Bearer realm="cratebase"'];
  if (type === 'method_not_allowed') return ['Allow', allowedMethods];
  if (type === 'unavailable' || type === 'rate_limited') return ['Retry-After', '5'];
  return [];
}

/** What is wrong with what was sent, as far as its looks tell: a revoked key is not told from an unknown one. */
const credentialProblems: Record<ReturnType<Access['credentialKind']>, string> = {
  none: 'This request has no key.',
  other: 'The Authorization header does not contain a valid API key.',
  mistyped: 'This key is mistyped or cut short: its checksum does not fit.',
  key: 'This key is unknown here, or was revoked.',
  token: 'An access token is for /mcp alone; this API takes keys.',
};
const unauthorized = (kind: keyof typeof credentialProblems) =>
  new Problem(
    'unauthorized',
    `${credentialProblems[kind]} Send a valid key: Authorization: Bearer cb_live_… (made on the account's developer page, or by \`cratebase keys create\`).`,
  );
const methodNotAllowed = () => new Problem('method_not_allowed', `Read endpoints take ${allowedMethods}.`);

/** The answer to a browser that asks before it calls. */
const preflightResponse: HttpResponse = {
  status: 204,
  headers: preflightHeaders(allowedMethods, 'Authorization, Content-Type, If-None-Match'),
  body: null,
};

/** Path parameters, decoded; what cannot be decoded is nobody's slug. */
function decodeParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}
