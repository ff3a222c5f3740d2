/**
 * Fast path of `tools/call`: a valid call of revision 2026-07-28, as most requests are, bypasses the SDK, which takes
 * longer than a query of the catalogue. Invalid and unusual requests go through the SDK, which also reports errors. The
 * tests compare both paths.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';

/** The revision of the endpoint. Earlier ones are served too. */
export const currentRevision = '2026-07-28';

export type FastPathCall = { id: string | number; name: string; args: Record<string, unknown> };
type JsonObject = Record<string, unknown>;

/** Returns the call if it can take the fast path, otherwise null. */
export function readFastPathCall(headers: IncomingHttpHeaders, payload: unknown): FastPathCall | null {
  if (headers['mcp-method'] !== 'tools/call' || headers['mcp-protocol-version'] !== currentRevision)
    return null;
  if (!isObject(payload) || !hasOnlyKeys(payload, messageKeys)) return null;
  const { jsonrpc, id, method, params } = payload;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return null;
  if (!isObject(params) || !hasOnlyKeys(params, paramsKeys) || !isPlainMeta(params._meta)) return null;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || name !== headers['mcp-name'] || !isObject(args)) return null;
  return { id, name, args };
}

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

/** Returns the response message as the SDK would write it. `identity` is JSON. */
export function writeFastPathResult({ id }: FastPathCall, result: CallToolResult, identity: string): string {
  const members = JSON.stringify(result).slice(0, -1);
  return `{"result":${members},"resultType":"complete","_meta":${identity}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
