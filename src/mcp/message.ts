/** Reads the body of a request to the endpoint: a message or a batch, its name in the metrics, and what it costs. */

import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { extraToolNames } from '../contract/extra-tools.ts';
import { toolNames } from '../contract/tools.ts';
import type { HttpResponse } from '../http/problem-response.ts';
import { hasMoreValues } from './count-values.ts';
import { maxBodyBytes } from './request-adapter.ts';
import { badRequest, problemResponse, rpcErrorResponse } from './responses.ts';

/** A message or a batch, with the number of requests in it; or the error response for an invalid body. */
export type ParsedMessage =
  | { payload: unknown; requests: number }
  | { toErrorResponse: (requestId: string) => HttpResponse };
/** Parses the body and counts its requests. The SDK validates the messages. */
export function parseMessage(req: IncomingMessage, body: Buffer | 'too large'): ParsedMessage {
  if (body === 'too large') return refused(413, `The body has more than ${maxBodyBytes} bytes. Send less.`);
  if (!isJsonContentType(req.headers['content-type'] ?? null))
    return refused(415, 'Send JSON: Content-Type: application/json.');
  if (hasMoreValues(body, maxValues))
    return invalid(`a body has at most ${maxValues} values, members of members included. Send less.`);
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    const version = req.headers['mcp-protocol-version'];
    if (Array.isArray(payload) && typeof version === 'string' && revisionsWithoutBatches.has(version))
      return invalid(`revision ${version} has no batches. Send each message in its own request.`);
    const messages = Array.isArray(payload) ? payload : [payload];
    if (messages.length > maxBatchMessages)
      return invalid(
        `a batch has at most ${maxBatchMessages} messages, not ${messages.length}. Send several batches.`,
      );
    const requests = messages.filter(isRequest);
    const repeated = repeatedId(requests);
    if (repeated !== null)
      return invalid(`two requests of the batch have the id ${repeated}. Give each its own.`);
    return { payload, requests: requests.length };
  } catch {
    return { toErrorResponse: () => rpcErrorResponse(-32700, 'Parse error: the body is not JSON.') };
  }
}

const refused = (status: number, message: string): ParsedMessage => ({
  toErrorResponse: (id) => problemResponse(badRequest(message), id, [], status),
});
const invalid = (reason: string): ParsedMessage => ({
  toErrorResponse: () => rpcErrorResponse(-32600, `Invalid request: ${reason}`),
});

/** Returns an id, as JSON, that two requests of a batch have; null if all ids differ. A response names its request by the id. */
function repeatedId(requests: readonly unknown[]): string | null {
  const ids = new Set<string>();
  for (const request of requests) {
    const id = JSON.stringify((request as { id?: unknown } | null)?.id ?? null);
    if (ids.has(id)) return id.slice(0, maxShownId);
    if (id !== 'null') ids.add(id);
  }
  return null;
}
const maxShownId = 80;

/** Earlier revisions without batches. For the current one, the SDK refuses batches. */
const revisionsWithoutBatches = new Set(['2025-06-18', '2025-11-25']);

/** Objects, arrays, texts, numbers and others of a body. The SDK validates each several times. */
const maxValues = 2_000;

/** Methods with a name in the metrics; a bounded set, because clients choose the methods that they send. */
const countedMethods = new Set([
  'resources/read',
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'notifications/initialized',
  'notifications/cancelled',
]);
const countedTools: ReadonlySet<string> = new Set([...toolNames, ...extraToolNames]);

/** The name of a message in the metrics: a tool, a method, `batch` or `other`. */
export function operationOf(message: ParsedMessage): string {
  if (!('payload' in message)) return 'other';
  if (Array.isArray(message.payload)) return 'batch';
  const { method, params } = (message.payload ?? {}) as {
    method?: unknown;
    params?: { name?: unknown } | null;
  };
  if (method === 'tools/call') {
    const name = params?.name;
    return typeof name === 'string' && countedTools.has(name) ? name : 'tools/call';
  }
  return typeof method === 'string' && countedMethods.has(method) ? method : 'other';
}

/** A notification has no id; a response (which earlier revisions let a client send) has no method. */
const isRequest = (message: unknown): boolean =>
  typeof message !== 'object' || message === null || ('id' in message && 'method' in message);

/** Messages in a batch, notifications included. */
const maxBatchMessages = 10;

/**
 * Returns the cost in requests. An accepted notification and a 5xx cost nothing; each request of a batch costs one; a
 * batch that is refused as a whole costs one. Without a response yet, `status` is 200.
 */
export function costOf(message: ParsedMessage, status = 200): number {
  if (status === 202 || status >= 500) return 0;
  if (status >= 400 || 'toErrorResponse' in message) return 1;
  return message.requests;
}
