/** Error responses (docs/spec/errors.md), request ids, and the headers that all responses share. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTypes, Problem, type ProblemReport } from '../contract/errors.ts';
import { limitHeaders, quotaNoticeHeader } from '../contract/plans.ts';
import { isCorruption, isFileError, isRightMissing } from '../log.ts';
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

/** Returns a request id, unique over processes and restarts. A counter, because each response has one. */
export const newRequestId = (): string => `req_${processId}${(++requestCount).toString(36)}`;

/** The headers that a script of another origin may read (docs/spec/limits.md). */
const exposedHeaders = [
  ...limitHeaders,
  quotaNoticeHeader,
  'X-Request-Id',
  'Retry-After',
  'ETag',
  'Link',
  'WWW-Authenticate',
  'Allow',
].join(', ');

/** Lets scripts of any origin read responses of the API (docs/spec/http.md). */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
} as const;

/** Stops browsers from guessing the media type. */
export const noSniffHeader = { 'X-Content-Type-Options': 'nosniff' } as const;

const corsPaths = /^\/(?:api\/v1|mcp|\.well-known)(?:[/?]|$)/;

/** The JSON body of an error. */
export function problemBody(problem: ProblemReport, requestId: string): string {
  const { type, message, param } = problem;
  return JSON.stringify({ error: { type, message, param, request_id: requestId } });
}

/** Whether a request accepts HTML by name, as browsers do. */
export const acceptsHtml = ({ headers }: IncomingMessage): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

/** Retry-After of a 503, in seconds. */
export const retrySeconds = 5;

/** Sends an error. If the response has started, the connection is closed instead. */
export function sendProblem(
  response: ServerResponse,
  problem: ProblemReport,
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

/** How long the service is not ready after a request met damage, in ms. */
const damageMemoryMs = 60_000;
let damageMetAt = Number.NEGATIVE_INFINITY;
let damageListener = (): void => {};
/** How often the listener is called at most, in ms. */
const damageNoticeMs = 1_000;
let damageNoticedAt = Number.NEGATIVE_INFINITY;

/** Whether a request of this process met a damaged page of the data file in the last minute. */
export const hasRecentDamage = (): boolean => performance.now() - damageMetAt < damageMemoryMs;

/** Forgets the damage: the file is no longer read. */
export const forgetDamage = (): void => {
  damageMetAt = Number.NEGATIVE_INFINITY;
};

/** Calls a function when a request of this process meets a damaged page of the data file, once a second at most. */
export const onDamage = (listener: () => void): void => {
  damageListener = listener;
};

/** Converts a failure to a problem without internal details, and remembers damage of the data file. */
export function toProblem(failure: unknown): Problem {
  if (isCorruption(failure) || (failure instanceof Error && isCorruption(failure.cause))) {
    damageMetAt = performance.now();
    if (damageMetAt - damageNoticedAt > damageNoticeMs) {
      damageNoticedAt = damageMetAt;
      damageListener();
    }
  }
  if (failure instanceof Problem) return failure;
  if (isFileError(failure)) {
    return new Problem('unavailable', 'The data file cannot be used at present. Try again shortly.');
  }
  if (isRightMissing(failure))
    return new Problem(
      'unavailable',
      'The service lacks a right in its database. The operator has to grant it.',
    );
  return new Problem('internal_error', 'Something went wrong here. Report it with the request id.');
}
