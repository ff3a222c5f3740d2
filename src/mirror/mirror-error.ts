/** The errors of the change feed and the exports that the API does not have (docs/spec/changes.md#errors). */
import type { ServerResponse } from 'node:http';
import { noSniffHeader } from '../http/problem-response.ts';

/** Error types with their status. */
const mirrorErrors = { gone: 410, range_not_satisfiable: 416 } as const;

/**
 * An error of `/changes` or `/exports` that other endpoints do not have. Its type decides the status of the response.
 */
export class MirrorError extends Error {
  readonly type: keyof typeof mirrorErrors;
  readonly param: string | null;
  /** Headers of the response, names and values in turn. */
  readonly headers: string[];

  constructor(
    type: keyof typeof mirrorErrors,
    message: string,
    param: string | null = null,
    headers: string[] = [],
  ) {
    super(message);
    this.type = type;
    this.param = param;
    this.headers = headers;
  }
}

/** Sends the error in the form of all others (docs/spec/errors.md). */
export function sendMirrorError(
  response: ServerResponse,
  { type, message, param, headers: own }: MirrorError,
  requestId: string,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify({ error: { type, message, param, request_id: requestId } });
  response.writeHead(mirrorErrors[type], [
    ...own,
    ...headers,
    ...['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))],
    ...['X-Request-Id', requestId, 'Cache-Control', 'no-store'],
    ...Object.entries(noSniffHeader).flat(),
  ]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
