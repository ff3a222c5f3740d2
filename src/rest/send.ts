/** Sending answers: headers in one array, bodies in one piece. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTypes, type Problem } from '../contract/errors.ts';
import { limitHeaders } from '../contract/plans.ts';

/** Every header that a caller's script may read (decisions.md, Limits). */
const exposed = [...limitHeaders, 'X-Request-Id', 'Retry-After', 'ETag', 'WWW-Authenticate', 'Allow'].join(
  ', ',
);
const boot = randomBytes(6).toString('base64url');
let requests = 0;

/** A request's id: unique over processes and restarts. */
export const newRequestId = (): string => `req_${boot}${(++requests).toString(36)}`;

/** Headers of every answer of the API. */
const common = (requestId: string): string[] => [
  'X-Request-Id',
  requestId,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposed,
];

/** The six headers of an authenticated answer. */
export function limitFields(limits: readonly number[] | null): string[] {
  return limits === null ? [] : limitHeaders.flatMap((name, index) => [name, String(limits[index])]);
}

export type Sent = { status: number; fields: string[]; body: Buffer | null };

/** Sends an answer; a HEAD request gets the headers of the GET. */
export function send(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  { status, fields, body }: Sent,
): void {
  const headers = [...fields, ...common(requestId)];
  if (body !== null) headers.push('Content-Type', 'application/json', 'Content-Length', String(body.length));
  res.writeHead(status, headers);
  res.end(req.method === 'HEAD' || body === null ? undefined : body);
}

/** A problem as the error body and its status. */
export function problemAnswer(problem: Problem, requestId: string, fields: string[] = []): Sent {
  const { type, message, param } = problem;
  const body = Buffer.from(JSON.stringify({ error: { type, message, param, request_id: requestId } }));
  return { status: errorTypes[type].status, fields, body };
}
