/**
 * Fast path of `tools/call`: a valid call bypasses the SDK, which takes longer than a query of the catalogue. Invalid and
 * unusual requests go through the SDK, which also reports errors. The tests compare both paths.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { HttpResponse } from '../http/problem-response.ts';
import { acceptsBoth } from './request-adapter.ts';

/** The revision of the endpoint. Earlier ones are served too. */
export const currentRevision = '2026-07-28';
/** Earlier revisions whose calls may take the fast path. They are answered with a stream of one event. */
const streamedRevisions: ReadonlySet<string> = new Set(['2025-03-26', '2025-06-18', '2025-11-25']);

/** `isStreamed` for a call of an earlier revision. */
export type FastPathCall = {
  id: string | number;
  name: string;
  args: Record<string, unknown>;
  isStreamed: boolean;
};
type JsonObject = Record<string, unknown>;

/** Returns the call if it can take the fast path, otherwise null. */
export function readFastPathCall(headers: IncomingHttpHeaders, payload: unknown): FastPathCall | null {
  const isStreamed = headers['mcp-protocol-version'] !== currentRevision;
  if (isStreamed ? !isPlainEarlierRequest(headers) : headers['mcp-method'] !== 'tools/call') return null;
  if (!isObject(payload) || !hasOnlyKeys(payload, messageKeys)) return null;
  const { jsonrpc, id, method, params } = payload;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return null;
  if (!isObject(params) || !hasOnlyKeys(params, paramsKeys)) return null;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (!(isStreamed ? isPlainEarlierMeta(meta) : isPlainMeta(meta))) return null;
  if (typeof name !== 'string' || !isObject(args)) return null;
  return isStreamed || name === headers['mcp-name'] ? { id, name, args, isStreamed } : null;
}

/** Returns whether the headers are those of an earlier revision and of a client that accepts both media types. */
function isPlainEarlierRequest(headers: IncomingHttpHeaders): boolean {
  const { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name, accept } = headers;
  return (
    typeof revision === 'string' &&
    streamedRevisions.has(revision) &&
    method === undefined &&
    name === undefined &&
    accept !== undefined &&
    acceptsBoth(accept)
  );
}

/** Returns whether `_meta` of an earlier revision is absent or has a progress token only. */
const isPlainEarlierMeta = (meta: unknown): boolean =>
  meta === undefined ||
  (isObject(meta) &&
    hasOnlyKeys(meta, earlierMetaKeys) &&
    (meta.progressToken === undefined || isId(meta.progressToken)));
const earlierMetaKeys = new Set(['progressToken']);

const messageKeys = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramsKeys = new Set(['name', 'arguments', '_meta']);
const metaKeys = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  'progressToken',
]);

/** Returns whether `_meta` has the required members and no unusual ones. The tools do not use client capabilities. */
function isPlainMeta(meta: unknown): boolean {
  if (!isObject(meta) || !hasOnlyKeys(meta, metaKeys)) return false;
  const { progressToken, [CLIENT_INFO_META_KEY]: client } = meta;
  return (
    meta[PROTOCOL_VERSION_META_KEY] === currentRevision &&
    arePlainCapabilities(meta[CLIENT_CAPABILITIES_META_KEY]) &&
    (progressToken === undefined || isId(progressToken)) &&
    (client === undefined || isPlainClient(client))
  );
}

const clientKeys = new Set(['name', 'version']);
const isPlainClient = (client: unknown): boolean =>
  isObject(client) &&
  hasOnlyKeys(client, clientKeys) &&
  typeof client.name === 'string' &&
  typeof client.version === 'string';

/** Returns whether all capabilities are empty objects. The SDK validates all others. */
const arePlainCapabilities = (capabilities: unknown): boolean =>
  isObject(capabilities) &&
  Object.entries(capabilities).every(
    ([name, value]) => capabilityNames.has(name) && isObject(value) && Object.keys(value).length === 0,
  );
const capabilityNames = new Set(['elicitation', 'sampling', 'roots']);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value);

function hasOnlyKeys(object: JsonObject, members: ReadonlySet<string>): boolean {
  for (const name in object) if (!members.has(name)) return false;
  return true;
}

/**
 * Returns the response as the SDK would write it.
 * @param result the result of the tool as JSON
 * @param identity the server info as JSON, which the current revision has in `_meta`
 */
export function fastPathResponse(call: FastPathCall, result: Buffer, identity: string): HttpResponse {
  const id = JSON.stringify(call.id);
  if (call.isStreamed) {
    const [start, end] = ['event: message\ndata: {"result":', `,"jsonrpc":"2.0","id":${id}}\n\n`];
    return response('text/event-stream', [start, result, end]);
  }
  const end = `,"resultType":"complete","_meta":${identity}},"jsonrpc":"2.0","id":${id}}`;
  return response('application/json', ['{"result":', result.subarray(0, -1), end]);
}

const response = (type: string, pieces: readonly (string | Buffer)[]): HttpResponse => ({
  status: 200,
  headers: ['Content-Type', type],
  body: Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))),
});
