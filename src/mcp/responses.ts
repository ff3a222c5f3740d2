/** The HTTP responses of the endpoint, and how they are sent. */
import type { ServerResponse } from 'node:http';
import type { AdmissionResult } from '../access/access.ts';
import { errorTypes, Problem, type ProblemReport } from '../contract/errors.ts';
import { preflightHeaders } from '../http/cors.ts';
import { setRateLimitReason } from '../http/metrics.ts';
import { corsHeaders, type HttpResponse, noSniffHeader, problemBody } from '../http/problem-response.ts';
import { exceededLimit, limitHeaderPairs, overLimitProblem } from '../http/rate-limit-headers.ts';

/** The methods of the endpoint, for Allow. */
export const allowedMethods = 'POST, OPTIONS';

/** Makes a problem of the type `invalid_parameter`, which is a 400 unless the response names another status. */
export const badRequest = (message: string): Problem => new Problem('invalid_parameter', message);

/** Returns an HTTP error with the body of docs/spec/errors.md. `headers` alternates names and values. */
export function problemResponse(
  problem: ProblemReport,
  requestId: string,
  headers: string[],
  status?: number,
): HttpResponse {
  return jsonResponse(status ?? errorTypes[problem.type].status, problemBody(problem, requestId), headers);
}

/** Returns a JSON-RPC error for a body that names no request. */
export const rpcErrorResponse = (code: number, message: string): HttpResponse =>
  jsonResponse(400, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));

/** Returns a response with a JSON text. `headers` alternates names and values. */
export const jsonResponse = (status: number, json: string, headers: string[] = []): HttpResponse => ({
  status,
  headers: ['Content-Type', 'application/json', ...headers],
  body: Buffer.from(json),
});

type LimitVerdict = Extract<AdmissionResult, { retryAfter: number }>;

/** Returns a 429. A batch is processed as a whole or not at all; the message says if a smaller one would fit. */
export function limitResponse(verdict: LimitVerdict, requests: number, requestId: string): HttpResponse {
  const { outcome, retryAfter, limits, accountWindow } = verdict;
  const [window, inWindow, , , inMonth] = limits;
  const inTime = accountWindow?.remaining ?? inWindow;
  const remaining = outcome === 'rate_limited' ? inTime : inMonth;
  const whose =
    outcome === 'quota_exceeded'
      ? "this account's month"
      : accountWindow === undefined
        ? `this key's window of ${window}`
        : `this account's window of ${accountWindow.limit}`;
  const problem =
    requests < 2 || remaining === 0
      ? overLimitProblem(outcome, retryAfter, accountWindow)
      : {
          type: outcome,
          message: `A batch of ${requests} requests is more than the ${remaining} that ${whose} has left. Send fewer at once.`,
          param: null,
        };
  const headers = [...limitHeaderPairs(limits), 'Retry-After', String(retryAfter)];
  return { ...problemResponse(problem, requestId, headers), rateLimitReason: exceededLimit(verdict) };
}

/** The response to a CORS preflight. */
export const preflightResponse: HttpResponse = {
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

/** Sends a response with the headers that all responses have. */
export function sendResponse(
  res: ServerResponse,
  requestId: string,
  { status, headers: ownHeaders, body, rateLimitReason }: HttpResponse,
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (rateLimitReason !== undefined) setRateLimitReason(res, rateLimitReason);
  const headers = [...ownHeaders, 'X-Request-Id', requestId, ...commonHeaders];
  if (body !== null || status !== 204) headers.push('Content-Length', String(body?.length ?? 0));
  res.writeHead(status, headers);
  res.end(body ?? undefined);
}
