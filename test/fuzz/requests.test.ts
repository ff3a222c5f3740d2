/**
 * Requests to a server: those of the OpenAPI document with something changed, messages of agents, and forms. None is
 * answered with a 5xx status, none takes over a second.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { toolNames } from '../../src/contract/tools.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';
import { type Chance, fuzz, type Outcome } from './fuzzer.ts';
import { mutated, mutatedValue, pump } from './mutate.ts';

type Sent = { method: string; path: string; headers?: Record<string, string>; body?: string };
type Answered = { status: number; text: string };

const folder = temporaryFolder();
const agent = new Agent({ keepAlive: true });
let server: Server;
/** Cursors that the server gave out, and slugs of records that it has. */
const cursors: string[] = ['eyJ2IjoxfQ'];
const slugs: Record<string, string[]> = {};

before(async () => {
  const dataFile = join(folder.path, 'fuzz.db');
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow, plan: 'pro', window: 1_000_000 });
  for (const collection of ['artists', 'events', 'venues', 'labels', 'festivals', 'cities', 'genres']) {
    const { data = [], page } = JSON.parse(
      (await send({ method: 'GET', path: `/api/v1/${collection}?limit=3` })).text,
    );
    slugs[collection] = data.map(({ slug }: { slug: string }) => slug);
    if (page?.next_cursor) cursors.push(page.next_cursor);
  }
});
after(async () => {
  agent.destroy();
  await server?.stop();
  folder.remove();
});

/** Sends bytes as they are; a request that Node's own client cannot send is none. */
function send({ method, path, headers = {}, body = '' }: Sent): Promise<Answered> {
  const { hostname, port } = new URL(server.url);
  const all = { authorization: `Bearer ${server.key}`, ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: all, agent, timeout: 20_000 },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode as number, text: Buffer.concat(pieces).toString() }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')));
    sent.on('error', (failure: NodeJS.ErrnoException) =>
      // The server may refuse a body that is too long by closing while it is sent.
      failure.code === 'EPIPE' || failure.code === 'ECONNRESET'
        ? resolve({ status: 413, text: '' })
        : reject(failure),
    );
    sent.end(body);
  });
}

async function attempt(sent: Sent): Promise<Outcome> {
  const { status, text } = await send(sent);
  assert.ok(status < 500, `${sent.method} ${sent.path.slice(0, 200)}: ${status} ${text.slice(0, 300)}`);
  return status < 400 ? 'read' : 'rejected';
}

/** What Node lets stand in a path or a header. */
const sendable = (text: string): string =>
  text.replace(/[^\x21-\x7e]/g, (sign) => encodeURIComponent(sign.toWellFormed()));
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());

type Parameter = { name: string; in: string; example?: unknown; schema?: { enum?: unknown[] } };
const document = JSON.parse(
  JSON.stringify(openApiDocument({ baseUrl: 'https://example.org', name: 'fuzz', version: '0' })),
);
const operations = Object.entries(
  document.paths as Record<string, Record<string, { parameters?: object[] }>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [] }]) => ({
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((one) => resolved(one) as Parameter),
  })),
);

function resolved(value: object): object {
  if (!('$ref' in value)) return value;
  let at = document;
  for (const name of String(value.$ref).slice(2).split('/')) at = at[name];
  return at;
}

const values = [
  'Berlin',
  'DE',
  '2026-12-05',
  '2026-12-05T23:00:00Z',
  '50',
  'techno',
  'true',
  '52.5',
  'Ann b2b Bob',
];

function sampleOf({ name, example, schema }: Parameter, chance: Chance): string {
  if (name === 'cursor') return chance.of(cursors);
  if (chance.once(2) && schema?.enum) return String(chance.of(schema.enum));
  return chance.once(2) && example !== undefined ? String(example) : chance.of(values);
}

const longestTarget = 12_000;

test('requests of the OpenAPI document', (context) =>
  fuzz<Sent>(context, {
    runs: 2_500,
    clock: 'wall',
    maxMs: 5_000,
    make(chance) {
      const { method, path, parameters } = chance.of(operations);
      const given = (parameter: Parameter): string => {
        const value = sampleOf(parameter, chance);
        return chance.once(4) ? mutated(value, chance, chance.once(20) ? longestTarget : 0) : value;
      };
      const known = slugs[/^\/(?:api\/v1\/)?(\w+)/.exec(path)?.[1] ?? ''] ?? ['ra-podcast'];
      const inPath = path.replace(/\{(\w+)\}/g, () => {
        const slug = chance.of(known);
        return escaped(chance.once(4) ? mutated(slug, chance) : slug);
      });
      const asked = parameters
        .filter((parameter) => parameter.in === 'query' && chance.once(3))
        .flatMap((parameter) => Array.from({ length: chance.once(10) ? 2 : 1 }, () => parameter))
        .map((parameter) => `${parameter.name}=${escaped(given(parameter))}`);
      const whole = `${inPath.startsWith('/api') ? inPath : `/api/v1${inPath}`}?${asked.join('&')}`;
      const target = chance.once(5) ? sendable(mutated(whole, chance)) : whole;
      const headers: Record<string, string> = {};
      if (chance.once(10)) headers['if-none-match'] = sendable(mutated('W/"abc"', chance));
      if (chance.once(20)) headers.authorization = sendable(mutated(`Bearer ${'cb_live_abc123'}`, chance));
      if (chance.once(20)) headers.origin = sendable(mutated('https://example.org', chance));
      return {
        method: chance.once(20) ? chance.of(['POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']) : method,
        path: `/${target.replace(/^\/+/, '')}`.slice(0, longestTarget),
        headers,
      };
    },
    attempt,
  }));

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const messages = [
  ...toolNames.flatMap((name) =>
    [
      { query: 'techno in Berlin on Friday' },
      { query: 'who plays at Tresor this weekend', limit: 5 },
      { name: 'Ben UFO', artist: 'Ben UFO', city: 'Berlin', country: 'DE' },
      { artist: 'Ann b2b Bob', from: '2026-12-01', to: '2026-12-31', venue: 'Tresor', genre: 'techno' },
    ].map((given) => ({ method: 'tools/call', params: { name, arguments: given, _meta: meta } })),
  ),
  { method: 'tools/list', params: { _meta: meta } },
  {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'f', version: '1' } },
  },
  { method: 'ping' },
].map((message, id) => ({ jsonrpc: '2.0', id, ...message }));

test('messages of agents', (context) =>
  fuzz<Sent>(context, {
    runs: 1_500,
    clock: 'wall',
    maxMs: 5_000,
    make(chance) {
      const one = chance.of(messages);
      const longest = chance.once(5) ? 50_000 : 2_000;
      const { params } = one as { params?: { name?: string; arguments?: object } };
      // Most messages are right but for what they ask: others would be refused before it is read.
      const asks =
        params?.arguments !== undefined && !chance.once(3)
          ? { ...one, params: { ...params, arguments: mutatedValue(params.arguments, chance, longest) } }
          : mutatedValue(chance.once(8) ? [one, chance.of(messages)] : one, chance, longest);
      const text = JSON.stringify(asks) ?? '';
      const mirrored = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': one.method,
        ...(params?.name === undefined ? {} : { 'mcp-name': params.name }),
      };
      return {
        method: 'POST',
        path: '/mcp',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(chance.once(4) ? {} : mirrored),
          ...(chance.once(10) ? { 'mcp-protocol-version': chance.of(['2025-06-18', 'x']) } : {}),
        },
        body: chance.once(6) ? mutated(text, chance, 20_000) : text,
      };
    },
    attempt,
  }));

const forms: Record<string, Record<string, string>> = {
  '/account/sign-in': { email: 'ann@example.org', password: 'correct horse battery staple' },
  '/account/sign-up': { email: 'ann@example.org', password: 'short', next: '/account/developer' },
  '/account/sign-out': { form: 'x' },
  '/account/developer/keys': { name: 'a key', form: 'x' },
  '/oauth/token': {
    grant_type: 'authorization_code',
    code: 'abc',
    client_id: 'c',
    redirect_uri: 'https://example.org/',
    code_verifier: 'v'.repeat(43),
  },
  '/oauth/token?refresh': {
    grant_type: 'refresh_token',
    refresh_token: 'abc',
    client_id: 'c',
    scope: 'read',
  },
  '/oauth/revoke': { token: 'abc', client_id: 'c' },
};
const authorization = {
  response_type: 'code',
  client_id: 'https://example.org/client.json',
  redirect_uri: 'http://127.0.0.1/cb',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 's',
  scope: 'read',
  resource: 'http://127.0.0.1/mcp',
};
const client = {
  redirect_uris: ['http://127.0.0.1/cb'],
  client_name: 'fuzz',
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
};

test('forms of accounts and of OAuth', (context) =>
  fuzz<Sent>(context, {
    runs: 1_500,
    clock: 'wall',
    maxMs: 5_000,
    make(chance) {
      const changed = (fields: object): [string, string][] =>
        Object.entries(mutatedValue(fields, chance, 20_000) as object).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
        ]);
      const way = chance.below(6);
      if (way === 0)
        return {
          method: 'POST',
          path: '/oauth/register',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(mutatedValue(client, chance, 10_000)) ?? '',
        };
      if (way === 1) {
        const query = changed(authorization).map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
        return { method: 'GET', path: `/oauth/authorize?${query.join('&')}`.slice(0, longestTarget) };
      }
      const path = chance.of(Object.keys(forms));
      const body = changed(forms[path] as object)
        .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
        .join('&');
      return {
        method: 'POST',
        path,
        headers: {
          'content-type': chance.once(15)
            ? chance.of(['application/json', 'text/plain', 'multipart/form-data; boundary='])
            : 'application/x-www-form-urlencoded',
          origin: chance.once(6) ? 'null' : server.url,
          'sec-fetch-site': 'same-origin',
          ...(chance.once(4) ? { cookie: sendable(mutated('session=abc; _interaction=def', chance)) } : {}),
        },
        body: chance.once(6)
          ? mutated(body, chance, 50_000)
          : chance.once(40)
            ? pump(chance, 1_000_000)
            : body,
      };
    },
    attempt,
  }));
