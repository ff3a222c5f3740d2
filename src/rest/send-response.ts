/** Sends REST responses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTypes, type ProblemReport } from '../contract/errors.ts';
import { sendWithHeadText } from '../http/head-text.ts';
import { setRateLimitReason } from '../http/metrics.ts';
import { corsHeaders, type HttpResponse, noSniffHeader, problemBody } from '../http/problem-response.ts';

const common = [...Object.entries(corsHeaders), ...Object.entries(noSniffHeader)];
const commonHeaders = common.flat();
const commonLines = common.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** Sends a response; a HEAD request gets the headers of the GET. */
export function sendResponse(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  { status, headers: own, body, rateLimitReason }: HttpResponse,
): void {
  if (rateLimitReason !== undefined) setRateLimitReason(res, rateLimitReason);
  if (status === 200 && body !== null) {
    const others = `${commonLines}X-Request-Id: ${requestId}\r\nContent-Type: application/json\r\n`;
    if (sendWithHeadText(req, res, own, others, body)) return;
  }
  const headers = own.concat(commonHeaders);
  headers.push('X-Request-Id', requestId);
  if (body !== null) headers.push('Content-Type', 'application/json', 'Content-Length', String(body.length));
  res.writeHead(status, headers);
  res.end(req.method === 'HEAD' || body === null ? undefined : body);
}

/** Converts a problem to a response. `headers` are names and values in turn. */
export function toProblemResponse(
  problem: ProblemReport,
  requestId: string,
  headers: string[] = [],
): HttpResponse {
  const body = Buffer.from(problemBody(problem, requestId));
  return {
    status: errorTypes[problem.type].status,
    headers: ['Cache-Control', 'no-store', ...headers],
    body,
  };
}
