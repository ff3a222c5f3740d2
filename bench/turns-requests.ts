/** Requests of `bench/turns.ts`, and values drawn for them. */
import { apiPrefix, operations } from '../src/contract/operations.ts';
import type { Sent } from './connections.ts';
import type { BenchRequest } from './filter-requests.ts';
import type { Question } from './mcp-questions.ts';
import { Random } from './random.ts';

/** A position up to 3 degrees away. */
export function jitter(position: string, random: Random): string {
  const [latitude, longitude] = position.split(',').map(Number) as [number, number];
  const by = () => random.whole(-300, 300) / 100;
  return `${(latitude + by()).toFixed(4)},${(longitude + by()).toFixed(4)}`;
}

/** At most `count` values, evenly spread. */
export const spread = <T>(all: readonly T[], count: number): T[] => {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor(at * step)] as T);
};

/** The share of each attack among the requests of a mixed load, in percent. */
const mixture = {
  'API: pages of 100, deep': 35,
  'pages of records': 40,
  'API: search': 10,
  'API: pairs of filters': 8,
  'MCP: all sorts of questions': 7,
};
const mixedRequests = 6_000;

/** Requests of lists, details, searches, filters and agents in a mixed order; details are those of the API. */
export function mixedOf(attacks: readonly { name: string; requests: Sent[] }[], key: string): Sent[] {
  const headers = { authorization: `Bearer ${key}` };
  const all = Object.entries(mixture).flatMap(([name, percent]) => {
    const own = attacks.find((one) => one.name === name)?.requests ?? [];
    const requests =
      name === 'pages of records' ? own.map(({ path }) => ({ path: `${apiPrefix}${path}`, headers })) : own;
    const count = (mixedRequests * percent) / 100;
    return Array.from({ length: count }, (_, at) => requests[at % requests.length] as Sent);
  });
  return shuffled(all, new Random(7));
}

export function shuffled<T>(all: readonly T[], random: Random): T[] {
  const rest = [...all];
  for (let at = rest.length - 1; at > 0; at--) {
    const other = random.whole(0, at);
    [rest[at], rest[other]] = [rest[other] as T, rest[at] as T];
  }
  return rest;
}

/** The path of a request of `bench/filters.ts`. */
export const toPath = ({ operation, slug, query }: BenchRequest): string => {
  const parameters = new URLSearchParams({ limit: '100', ...query });
  if (operations[operation].shape === 'detail' || operation === 'getStats') parameters.delete('limit');
  const path = operations[operation].path.replace(/\{\w+\}/, slug);
  return `${apiPrefix}${path}?${parameters}`;
};

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const callOf = (id: number, { tool, given }: Question, _meta: object = meta): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: tool, arguments: given, _meta },
});

/** The only revision with batches. */
const batchRevision = '2025-03-26';

/** A call of the present revision, or a batch of an earlier one. */
export function mcp(key: string, message: object): Sent {
  const isBatch = Array.isArray(message);
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (isBatch) headers['mcp-protocol-version'] = batchRevision;
  else {
    const { params } = message as { params: { name: string } };
    Object.assign(headers, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    });
  }
  return { path: '/mcp', headers, body: JSON.stringify(message) };
}
