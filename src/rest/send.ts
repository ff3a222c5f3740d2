/** Sending answers: headers in one array, bodies in one piece. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTypes, type Problem } from '../contract/errors.ts';
import { crossOrigin, noSniff, problemBody } from '../http/problem.ts';

const everywhere = [...Object.entries(crossOrigin), ...Object.entries(noSniff)].flat();

export type Sent = { status: number; fields: string[]; body: Buffer | null };

/** Sends an answer; a HEAD request gets the headers of the GET. */
export function send(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  { status, fields, body }: Sent,
): void {
  const headers = fields.concat(everywhere);
  headers.push('X-Request-Id', requestId);
  if (body !== null) headers.push('Content-Type', 'application/json', 'Content-Length', String(body.length));
  res.writeHead(status, headers);
  res.end(req.method === 'HEAD' || body === null ? undefined : body);
}

/** A problem as the error body and its status. */
export function problemAnswer(problem: Problem, requestId: string, fields: string[] = []): Sent {
  const body = Buffer.from(problemBody(problem, requestId));
  return { status: errorTypes[problem.type].status, fields: ['Cache-Control', 'no-store', ...fields], body };
}
