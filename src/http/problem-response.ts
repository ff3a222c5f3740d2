/** The answer to a request that fails (docs/spec/errors.md), for everything that is not the REST API's own. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { errorTypes, Problem } from '../contract/errors.ts';
import { limitHeaders } from '../contract/plans.ts';
import { isCorruption, isFileError } from '../log.ts';
import type { RateLimitReason } from './metrics.ts';

/** A response of the REST API or the MCP endpoint, before it is sent. */
export type HttpResponse = {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer | null;
  /** The limit that a 429 is about. */
  rateLimitReason?: RateLimitReason;
};

const processId = randomBytes(6).toString('base64url');
let requestCount = 0;

/** A request's id: unique over processes and restarts, and cheap, since every answer has one. */
export const newRequestId = (): string => `req_${processId}${(++requestCount).toString(36)}`;

/** Every header that a caller's script may read (docs/spec/limits.md). */
const exposedHeaders = [
  ...limitHeaders,
  'X-Request-Id',
  'Retry-After',
  'ETag',
  'WWW-Authenticate',
  'Allow',
].join(', ');

/** What lets a script of any origin read an answer of the API (docs/spec/http.md). */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
} as const;

/** No browser takes an answer for something else than its type says. */
export const noSniffHeader = { 'X-Content-Type-Options': 'nosniff' } as const;

const corsPaths = /^\/(?:api\/v1|mcp|\.well-known)(?:[/?]|$)/;

/** The body of a failure. */
export function problemBody(problem: Problem, requestId: string): string {
  const { type, message, param } = problem;
  return JSON.stringify({ error: { type, message, param, request_id: requestId } });
}

/** How long a caller should wait before it asks again, in seconds. */
const retrySeconds = 5;

/** Answers with a problem; does nothing where an answer has begun. */
export function sendProblem(
  response: ServerResponse,
  problem: Problem,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const requestId = String(response.getHeader('X-Request-Id') ?? newRequestId());
  const body = problemBody(problem, requestId);
  response.writeHead(errorTypes[problem.type].status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...noSniffHeader,
    ...(problem.type === 'unavailable' ? { 'Retry-After': String(retrySeconds) } : {}),
    ...(corsPaths.test(response.req.url ?? '') ? corsHeaders : {}),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** How long after the last request that met damage the service is not ready, ms. */
const damageMemoryMs = 60_000;
let damageMetAt = Number.NEGATIVE_INFINITY;

/** Whether a request of this process met a damaged page of the data file within the last minute. */
export const hasRecentDamage = (): boolean => performance.now() - damageMetAt < damageMemoryMs;

/** What a caller is told of a failure: the problem it is, or one that describes nothing. */
export function toProblem(failure: unknown): Problem {
  if (isCorruption(failure) || (failure instanceof Error && isCorruption(failure.cause)))
    damageMetAt = performance.now();
  if (failure instanceof Problem) return failure;
  if (isFileError(failure)) {
    return new Problem('unavailable', 'The data file cannot be used at present. Try again shortly.');
  }
  return new Problem('internal_error', 'Something went wrong here. Report it with the request id.');
}
