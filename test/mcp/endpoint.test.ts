/** The MCP endpoint with raw requests: authentication, cost, errors and discovery. */
import assert from 'node:assert/strict';
import { createServer, type Server as HttpServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import polka from 'polka';
import { z } from 'zod';
import type { Access } from '../../src/access/access.ts';
import { generateApiKey } from '../../src/access/api-key-format.ts';
import { Problem } from '../../src/contract/errors.ts';
import { operations } from '../../src/contract/operations.ts';
import type { Plan } from '../../src/contract/plans.ts';
import { toolNames } from '../../src/contract/tools.ts';
import { type McpDeps, mountMcp } from '../../src/mcp/handler.ts';
import { createOriginCheck } from '../../src/mcp/origin-check.ts';
import { type Tool, ToolInputError } from '../../src/mcp/tool.ts';
import { everywhere, limitsOf, problem } from '../support/expect.ts';
import { feed, feedNow } from '../support/feed.ts';
import {
  type Answer,
  importFeed,
  runJson,
  type Server,
  startServer,
  temporaryFolder,
  usedRequests,
} from '../support/program.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'endpoint.db');
const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

let server: Server;
before(async () => {
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow, plan: 'pro', window: 100_000 });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

type Sent = { method?: string; headers?: Record<string, string | null>; body?: string; to?: Server };

/** Sends just this; a header that is null is left out. */
function send({ method = 'POST', headers = {}, body = '', to = server }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(to.url);
  const all = {
    authorization: `Bearer ${to.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const kept = Object.fromEntries(
    Object.entries(all).filter((field): field is [string, string] => field[1] !== null),
  );
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path: '/mcp', method, headers: kept, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          const { statusCode = 0, headers: given } = response;
          resolve({ status: statusCode, headers: given, text, json: () => JSON.parse(text) as unknown });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const text = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const mirrored = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': revision,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

/** A request of the new revision, as it should be. */
const modern = (method: string, params: Record<string, unknown> = {}): Sent => ({
  headers: mirrored(method, params.name as string | undefined),
  body: text({ id: 7, method, params: { ...params, _meta: meta } }),
});
const call = (name: string, given: Record<string, unknown> = {}): Sent =>
  modern('tools/call', { name, arguments: given });
/** A request of the revisions before. */
const old = (method: string, params: Record<string, unknown> = {}): Sent => ({
  body: text({ id: 7, method, params }),
});
const initialize = (protocolVersion: string): Sent =>
  old('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });
const notification: Sent = { body: text({ method: 'notifications/initialized' }) };

type Rpc = {
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};
/** The message of an answer, also out of a stream of events. */
function rpc({ headers, text: body }: Answer): Rpc {
  const isStream = headers['content-type'] === 'text/event-stream';
  return JSON.parse(isStream ? (/^data: (.+)$/m.exec(body)?.[1] as string) : body) as Rpc;
}

const listedNames = (answer: Answer): string[] => {
  const tools = (rpc(answer).result?.tools ?? []) as { name: string }[];
  return tools.map(({ name }) => name);
};

const used = (email = 'dev@localhost'): number => usedRequests(dataFile, email);

/** What every answer must be, and no answer may be. */
function always(answer: Answer): void {
  everywhere(answer);
  assert.equal(answer.headers['mcp-session-id'], undefined);
}

// ------------------------------------------------------------------------------------------------ answers

describe('the revision 2026-07-28', () => {
  it('server/discover tells versions, capabilities and how long that holds', async () => {
    const answer = await send(modern('server/discover'));
    always(answer);
    limitsOf(answer);
    const { result, id } = rpc(answer);
    assert.equal(id, 7);
    const { supportedVersions, capabilities, resultType, ttlMs, cacheScope } = result ?? {};
    assert.deepEqual(
      { supportedVersions, capabilities, resultType, ttlMs, cacheScope },
      {
        supportedVersions: [revision],
        capabilities: { tools: {} },
        resultType: 'complete',
        ttlMs: 3_600_000,
        cacheScope: 'private',
      },
    );
  });

  it('tools/list has the tools in their order, each time the same', async () => {
    const [first, second] = [await send(modern('tools/list')), await send(modern('tools/list'))];
    assert.equal(first.text, second.text);
    const { resultType, ttlMs, cacheScope } = rpc(first).result ?? {};
    assert.deepEqual(listedNames(first), toolNames);
    assert.deepEqual(
      { resultType, ttlMs, cacheScope },
      { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' },
    );
  });

  it('a name may come encoded, a session id is ignored', async () => {
    const encoded = `=?base64?${Buffer.from('artist_info').toString('base64')}?=`;
    const asked = call('artist_info', { artist: 'Ben Klock' });
    const headers = { ...asked.headers, 'mcp-name': encoded, 'mcp-session-id': 'mine' };
    const answer = await send({ ...asked, headers });
    always(answer);
    assert.equal(rpc(answer).result?.isError, undefined);
  });
});

describe('the straight way and the SDK’s', () => {
  const asked: [name: string, given: Record<string, unknown>][] = [
    ['search_events', { city: 'Berlin', include_past: true, from: '2012-01-01' }],
    ['search_events', { limit: 1_000_000 }],
    ['search_events', { from: 'yesteryear' }],
    ['artist_info', { artist: 'Ben Klok' }],
    ['artist_info', {}],
    ['artist_upcoming_events', { artist: '"\\\u2028 😀' }],
    ['venue_upcoming_events', { venue: 'Berghain' }],
  ];
  for (const [name, given] of asked) {
    it(`give the same bytes: ${name} ${JSON.stringify(given)}`, async () => {
      const straight = await send(call(name, given));
      // A level for log messages changes nothing here, but is unusual enough for the SDK's way.
      const _meta = { ...meta, 'io.modelcontextprotocol/logLevel': 'error' };
      const body = text({ id: 7, method: 'tools/call', params: { name, arguments: given, _meta } });
      const other = await send({ headers: mirrored('tools/call', name), body });
      assert.equal(straight.status, other.status);
      assert.equal(straight.text, other.text);
      assert.equal(straight.headers['content-type'], other.headers['content-type']);
    });
  }

  const unusual: [what: string, payload: object][] = [
    ['no id', { method: 'tools/call', params: { name: 'artist_info', _meta: meta } }],
    ['an id that is none', { id: null, method: 'tools/call', params: { name: 'artist_info', _meta: meta } }],
    ['a broken id', { id: 1.5, method: 'tools/call', params: { name: 'artist_info', _meta: meta } }],
    [
      'arguments that are none',
      { id: 7, method: 'tools/call', params: { name: 'artist_info', arguments: [], _meta: meta } },
    ],
    ['a name that is none', { id: 7, method: 'tools/call', params: { name: 7, _meta: meta } }],
    [
      'a client without a version',
      {
        id: 7,
        method: 'tools/call',
        params: {
          name: 'artist_info',
          _meta: { ...meta, 'io.modelcontextprotocol/clientInfo': { name: 'test' } },
        },
      },
    ],
  ];
  for (const [what, payload] of unusual) {
    it(`${what}: never answered as a call`, async () => {
      const answer = await send({ headers: mirrored('tools/call', 'artist_info'), body: text(payload) });
      assert.ok(answer.status === 202 || answer.status === 400 || rpc(answer).error, answer.text);
    });
  }
});

describe('the revisions before', () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    it(`${version}: initialize is answered, and no session begins`, async () => {
      const answer = await send(initialize(version));
      assert.equal(answer.status, 200);
      always(answer);
      limitsOf(answer);
      assert.equal(rpc(answer).result?.protocolVersion, version);
      const list = await send(old('tools/list'));
      assert.deepEqual(listedNames(list), toolNames);
    });
  }

  it('a batch costs what its requests cost', async () => {
    const before = used();
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const body = JSON.stringify([
      ping(1),
      ping(2),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ping(3),
    ]);
    const answer = await send({ body });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.text.match(/"result":/g)?.length, 3);
    assert.equal(used() - before, 3);
    const large = await send({ body: JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ping(id))) });
    assert.equal(large.status, 400);
    assert.equal(used() - before, 4, 'what is refused as a whole costs one');
  });

  it('a batch holds ten messages', async () => {
    const pings = (length: number) => ({
      body: JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
    });
    const whole = await send(pings(10));
    assert.equal(whole.status, 200, whole.text);
    assert.equal(whole.text.match(/"result":/g)?.length, 10);
    const refused = await send(pings(11));
    assert.equal(refused.status, 400);
    assert.equal(rpc(refused).error?.code, -32600);
    assert.match(rpc(refused).error?.message ?? '', /at most 10 messages, not 11/);
  });

  it('a batch gives each request its own id', async () => {
    const batch = (...ids: unknown[]) => ({
      body: JSON.stringify(ids.map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
    });
    const refused = await send(batch(1, 'a', 1));
    assert.equal(refused.status, 400);
    assert.equal(rpc(refused).error?.code, -32600);
    assert.match(rpc(refused).error?.message ?? '', /two requests of the batch have the id 1\./);
    const whole = await send(batch(1, '1', 2));
    assert.equal(whole.text.match(/"result":/g)?.length, 3, whole.text);
  });

  it('a body of thousands of values is refused before the messages are validated', async () => {
    const call = (count: number) => {
      const many = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
      const params = { name: 'search_events', arguments: many };
      return { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
    };
    const refused = await send(call(2_000));
    assert.equal(refused.status, 400);
    assert.equal(rpc(refused).error?.code, -32600);
    assert.match(rpc(refused).error?.message ?? '', /a body has at most 2000 values/);
    assert.equal((await send(call(1_000))).status, 200);
  });

  it('the calls of a batch are answered each by itself, wrong ones too', async () => {
    const names = ['search_events', 'drop_tables', 'artist_info'];
    const body = JSON.stringify(
      names.map((name, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: { artist: 'x' } },
      })),
    );
    const { status, text } = await send({ body });
    assert.equal(status, 200, text);
    assert.equal(text.match(/"result":/g)?.length, 2);
    assert.match(text, /"id":1/);
    assert.match(text, /Use one of search_events/);
  });

  it('an unsupported revision gets the list of supported ones', async () => {
    const answer = await send({
      headers: { ...listing.headers, 'mcp-protocol-version': '2099-01-01' },
      body: withMeta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }).body as string,
    });
    const { code, message, data } = rpc(answer).error as { code: number; message: string; data?: unknown };
    assert.equal(code, -32022);
    assert.match(
      message,
      /2026-07-28, and with the handshake \(initialize\) 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05\.$/,
    );
    assert.deepEqual(data, { supported: [revision], requested: '2099-01-01' }, 'as server/discover has it');
  });

  it('the revisions without batches have none', async () => {
    for (const version of ['2025-06-18', '2025-11-25']) {
      const refused = await send({
        body: JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]),
        headers: { 'mcp-protocol-version': version },
      });
      assert.equal(refused.status, 400);
      assert.equal(rpc(refused).error?.code, -32600);
    }
  });

  it('Accept may admit both kinds of answer in whatever way', async () => {
    for (const accept of [
      '*/*',
      'application/*, text/*',
      'APPLICATION/JSON, TEXT/EVENT-STREAM',
      'text/*;q=0.5, */*',
    ]) {
      assert.equal((await send({ ...old('ping'), headers: { accept } })).status, 200, accept);
    }
    for (const accept of ['text/html', 'application/json', 'image/*']) {
      assert.equal((await send({ ...old('ping'), headers: { accept } })).status, 406, accept);
    }
  });

  it('a handshake or a call that lacks something gets one sentence that names it', async () => {
    for (const sent of [
      old('initialize'),
      old('initialize', { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'a', version: '1' } }),
      old('tools/call'),
      modern('tools/call'),
    ]) {
      const { error } = rpc(await send(sent));
      assert.ok(error, JSON.stringify(sent));
      assert.doesNotMatch(error.message, /invalid_type|\n/);
    }
  });
});

// ------------------------------------------------------------------------------------------------ refusals

type Case = { what: string; sent: Sent; status: number; code?: number; says?: RegExp };
const listing = modern('tools/list');
const without = (header: string, sent = listing): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers ?? {}).filter(([name]) => name !== header)),
});
const withMeta = (changed: object): Sent => ({
  ...listing,
  body: text({ id: 7, method: 'tools/list', params: { _meta: { ...meta, ...changed } } }),
});

/** What is wrong with a message is told as JSON-RPC, with the codes and statuses of the revision. */
const messages: Case[] = [
  { what: 'no Mcp-Method', sent: without('mcp-method'), status: 400, code: -32020, says: /Mcp-Method/ },
  { what: 'no MCP-Protocol-Version', sent: without('mcp-protocol-version'), status: 400, code: -32020 },
  {
    what: 'another Mcp-Method',
    sent: { ...listing, headers: mirrored('tools/call') },
    status: 400,
    code: -32020,
  },
  {
    what: 'no Mcp-Name',
    sent: without('mcp-name', call('artist_info', { artist: 'x' })),
    status: 400,
    code: -32020,
    says: /Mcp-Name/,
  },
  {
    what: 'another Mcp-Name',
    sent: { ...call('artist_info'), headers: mirrored('tools/call', 'search_events') },
    status: 400,
    code: -32020,
  },
  {
    what: 'a name that is badly encoded',
    sent: { ...call('artist_info'), headers: mirrored('tools/call', '=?base64?%%%?=') },
    status: 400,
    code: -32020,
  },
  {
    what: 'another MCP-Protocol-Version',
    sent: { ...listing, headers: { ...listing.headers, 'mcp-protocol-version': '2025-11-25' } },
    status: 400,
    code: -32020,
  },
  {
    what: 'no _meta',
    sent: { ...listing, body: text({ id: 7, method: 'tools/list', params: {} }) },
    status: 400,
    code: -32602,
  },
  {
    what: 'no capabilities in _meta',
    sent: withMeta({ 'io.modelcontextprotocol/clientCapabilities': undefined }),
    status: 400,
    code: -32602,
  },
  {
    what: 'a revision nobody knows',
    sent: {
      headers: { ...listing.headers, 'mcp-protocol-version': '2099-01-01' },
      body: withMeta({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }).body as string,
    },
    status: 400,
    code: -32022,
  },
  { what: 'a method nobody knows', sent: modern('festivals/list'), status: 404, code: -32601 },
  { what: 'the old handshake in the new revision', sent: modern('initialize'), status: 404, code: -32601 },
  {
    what: 'a tool nobody knows',
    sent: call('drop_tables'),
    status: 200,
    code: -32602,
    says: /Use one of search_events/,
  },
  {
    what: 'a page of the list that does not exist',
    sent: modern('tools/list', { cursor: 'abc' }),
    status: 200,
    code: -32602,
    says: /Leave out `cursor`/,
  },
  { what: 'garbage', sent: { body: '{"jsonrpc": "2.0", ' }, status: 400, code: -32700 },
  { what: 'nothing', sent: { body: '' }, status: 400, code: -32700 },
  { what: 'JSON that is no message', sent: { body: '{"hello":"world"}' }, status: 400, code: -32600 },
  { what: 'a number', sent: { body: '42' }, status: 400, code: -32600 },
  { what: 'an empty batch', sent: { body: '[]' }, status: 400, code: -32600 },
  {
    what: 'a batch in the new revision',
    sent: { ...listing, body: `[${listing.body}]` },
    status: 400,
    code: -32600,
  },
];

describe('a message that is wrong', () => {
  for (const { what, sent, status, code, says } of messages) {
    it(what, async () => {
      const answer = await send(sent);
      assert.equal(answer.status, status, answer.text);
      always(answer);
      limitsOf(answer);
      const { error } = rpc(answer);
      assert.equal(error?.code, code, answer.text);
      if (says) assert.match(error?.message ?? '', says);
    });
  }

  it('costs one all the same', async () => {
    const before = used();
    for (const { sent } of messages) await send(sent);
    assert.equal(used() - before, messages.length);
  });
});

/** What is wrong with a request is told in the error body of docs/spec/errors.md. */
function refusedAs(status: number, type: string, answer: Answer): void {
  assert.equal(answer.status, status, answer.text);
  always(answer);
  const { error } = answer.json() as {
    error: { type: string; message: string; param: null; request_id: string };
  };
  assert.deepEqual(Object.keys(error), ['type', 'message', 'param', 'request_id']);
  assert.equal(error.type, type);
  assert.equal(error.request_id, answer.headers['x-request-id']);
}

describe('a request that is wrong', () => {
  it('GET, DELETE and others: 405, with and without a key', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      for (const authorization of [null, `Bearer ${server.key}`]) {
        const answer = await send({ method, headers: { authorization } });
        refusedAs(405, 'method_not_allowed', answer);
        assert.equal(answer.headers.allow, 'POST, OPTIONS');
      }
    }
    assert.equal((await send({ method: 'HEAD' })).status, 405);
  });

  it('OPTIONS is answered to anyone', async () => {
    const answer = await send({
      method: 'OPTIONS',
      headers: { authorization: null, origin: 'https://example.org' },
    });
    assert.equal(answer.status, 204);
    always(answer);
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
    for (const name of ['authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'content-type']) {
      assert.ok(allowed.includes(name), name);
    }
    assert.match(String(answer.headers['access-control-allow-methods']), /POST/);
  });

  it('too large, by its own word or in fact', async () => {
    const large = text({ id: 1, method: 'ping', params: { filler: 'x'.repeat(1_048_576) } });
    const told = await send({ body: large, headers: { 'content-length': String(large.length) } });
    refusedAs(413, 'invalid_parameter', told);
    limitsOf(told);
    const streamed = await send({ body: large, headers: { 'transfer-encoding': 'chunked' } });
    refusedAs(413, 'invalid_parameter', streamed);
    limitsOf(streamed);
  });

  it('not JSON by its type', async () => {
    for (const type of ['text/plain', null]) {
      const answer = await send({ ...listing, headers: { ...listing.headers, 'content-type': type } });
      refusedAs(415, 'invalid_parameter', answer);
      limitsOf(answer);
    }
  });

  it('an old client that cannot take what is sent', async () => {
    const answer = await send({ ...old('ping'), headers: { accept: 'text/html' } });
    refusedAs(406, 'invalid_parameter', answer);
    limitsOf(answer);
  });

  it('half a body costs nothing, and delays no other request', async () => {
    const before = used();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"jsonrpc":`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    assert.equal((await send(listing)).status, 200);
    assert.equal(used() - before, 1);
  });

  const foreign: [what: string, headers: Record<string, string>][] = [
    ['a name that was made to point here', { host: 'evil.example' }],
    ['the same with a port', { host: 'evil.example:4880' }],
    ['a name like an address', { host: '127.0.0.1.evil.example' }],
    ['nonsense', { host: 'a b' }],
    ['an address behind a user name', { host: 'evil.example@127.0.0.1' }],
    ['an address with a path', { host: '127.0.0.1/evil.example' }],
    ['a page behind a user name', { origin: 'http://evil.example@localhost' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of no site', { origin: 'null' }],
    ['a file', { origin: 'file://' }],
  ];
  for (const [what, headers] of foreign) {
    it(`from elsewhere: ${what}`, async () => {
      const answer = await send({ ...listing, headers: { ...listing.headers, ...headers } });
      refusedAs(403, 'foreign_origin', answer);
    });
  }

  it('pages of this machine may call, and addresses in figures are names enough', async () => {
    const { host, port } = new URL(server.url);
    const fine = [
      { origin: server.url },
      { origin: 'http://localhost:6274' },
      { origin: 'http://[::1]:3000' },
      { host: `localhost:${port}` },
      { host: '[::1]:1' },
      { host, origin: `http://${host}` },
    ];
    for (const headers of fine) {
      const answer = await send({ ...listing, headers: { ...listing.headers, ...headers } });
      assert.equal(answer.status, 200, JSON.stringify(headers));
    }
  });
});

describe('where a request comes from', () => {
  it('a service with a public name is open to every site, under its own name alone', () => {
    const gate = createOriginCheck('https://music.example.org/base');
    for (const host of ['music.example.org', 'MUSIC.example.org:443', 'localhost:4880', '10.0.0.7:4880']) {
      for (const origin of [undefined, 'https://music.example.org', 'https://inspector.example.com']) {
        assert.equal(gate(host, origin), null, `${host} ${origin}`);
      }
    }
    for (const [host, origin] of [
      ['evil.example', undefined],
      [undefined, undefined],
      ['music.example.org', 'null'],
      ['music.example.org', 'file:///etc'],
    ]) {
      assert.match(gate(host, origin) ?? '', /--base-url|page of the service/, `${host} ${origin}`);
    }
  });

  it('a service at home is open to pages of its own machine', () => {
    for (const baseUrl of ['http://127.0.0.1:4880', 'http://192.168.1.5:4880', 'http://[::1]:4880']) {
      const gate = createOriginCheck(baseUrl);
      assert.equal(gate(new URL(baseUrl).host, undefined), null);
      assert.equal(gate('localhost', 'http://localhost:6274'), null);
      assert.equal(gate('192.168.1.5', baseUrl), null);
      assert.notEqual(gate('localhost', 'https://inspector.example.com'), null);
      assert.notEqual(gate('nas.local', undefined), null);
    }
  });
});

// ------------------------------------------------------------------------------------------------ inside a process

describe('a tool that fails', () => {
  const log: unknown[] = [];
  const costs: number[] = [];
  let plan: Plan = 'pro';
  let port = 0;
  let http: HttpServer;
  before(async () => {
    const shape = z.strictObject({ how: z.string() });
    const odd: Tool = {
      name: 'odd',
      title: 'Odd',
      description: 'Fails as it is told to.',
      plans: ['pro'],
      input: shape,
      output: z.strictObject({ plan: z.string() }),
      run: ({ how }, call) => {
        if (how === 'unexpectedly') throw new Error('a secret of the inside');
        if (how === 'unavailable') throw new Problem('unavailable', 'The data file cannot be read.');
        if (how === 'usefully') throw new ToolInputError('Say it otherwise.');
        return { structured: { plan: call.plan }, text: 'well' };
      },
    };
    const access = {
      authenticate: async () => ({ id: 'key', account: 'account' }),
      admit: async (_credential: unknown, cost: number) => {
        costs.push(cost);
        return { outcome: 'admitted', plan, limits: [1, 1, 1, 1, 1, 1] };
      },
    } as unknown as Access;
    const app = polka();
    const reader = {
      snapshot: (read: () => unknown) => read(),
      state: () => ({ revision: 1, lastSyncedTs: null, longestMs: 0 }),
      unchangedSpan: () => ({ from: 0, until: Number.POSITIVE_INFINITY }),
    } as unknown as McpDeps['reader'];
    mountMcp(app, {
      reader,
      ...({} as { search: McpDeps['search'] }),
      tools: [odd],
      access,
      clock: { now: () => Date.parse(feedNow) },
      log: (...line) => log.push(line),
      baseUrl: 'http://127.0.0.1',
      accountUrl: 'http://127.0.0.1',
      name: 'test',
      version: '1',
      fail: [],
    });
    http = createServer((req, res) => app.handler(req as never, res));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    port = (http.address() as AddressInfo).port;
  });
  after(() => http.close());

  const ask = (how: string): Promise<Answer> =>
    send({ ...call('odd', { how }), to: { url: `http://127.0.0.1:${port}`, key: 'any' } as Server });

  it('is reported as what it is, and counts only for the caller', async () => {
    const cases: [how: string, status: number, says: RegExp][] = [
      ['well', 200, /"plan":"pro"/],
      ['usefully', 200, /"text":"Say it otherwise\."\}\],"isError":true/],
      ['unexpectedly', 500, /"internal_error"/],
      ['unavailable', 503, /"unavailable"/],
    ];
    for (const [how, status, says] of cases) {
      for (const round of [1, 2]) {
        const answer = await ask(how);
        assert.equal(answer.status, status, `${how} ${round}: ${answer.text}`);
        assert.match(answer.text, says);
        assert.doesNotMatch(answer.text, /secret/);
        assert.equal(answer.headers['x-quota-limit'], '1');
      }
    }
    assert.deepEqual(costs, [1, 1, 1, 1, 0, 0, 0, 0]);
    assert.match(JSON.stringify(log), /a secret of the inside/);
  });

  it('and one whose plan was taken away meanwhile is not run for the old one', async () => {
    plan = 'free';
    const answer = await ask('well');
    assert.match(answer.text, /odd is not part of the Free plan\. It comes with Pro\./);
  });
});

// ------------------------------------------------------------------------------------------------ who, and how much

describe('authorization', () => {
  const challenge = (headers: IncomingHttpHeaders): string => String(headers['www-authenticate']);
  const expected = () =>
    `Bearer realm="cratebase", resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="catalogue:read"`;

  it('without a key nothing is answered, discovery and handshake included', async () => {
    const all = [
      modern('server/discover'),
      listing,
      call('search_events'),
      initialize('2025-06-18'),
      old('ping'),
    ];
    for (const sent of [...all, notification, { body: '{' }]) {
      const answer = await send({ ...sent, headers: { ...sent.headers, authorization: null } });
      problem('unauthorized', answer);
      always(answer);
      assert.equal(challenge(answer.headers), expected());
      assert.equal(answer.headers['x-quota-limit'], undefined);
    }
  });

  it('a key that is malformed, unknown or revoked is an invalid token', async () => {
    const args = ['keys', 'create', 'dev@localhost', '--name', 'gone', '--data', dataFile];
    const { id, key } = runJson<{ id: string; key: string }>(args);
    const asWith = (given: string) =>
      send({ ...listing, headers: { ...listing.headers, authorization: given } });
    assert.equal((await asWith(`Bearer ${key}`)).status, 200);
    runJson(['keys', 'revoke', id, '--data', dataFile]);
    const bad = [`Bearer ${key}`, `Bearer ${generateApiKey()}`, 'Bearer nonsense', 'Basic abc', 'Bearer'];
    for (const authorization of bad) {
      const answer = await asWith(authorization);
      problem('unauthorized', answer);
      always(answer);
      assert.equal(challenge(answer.headers), `${expected()}, error="invalid_token"`);
    }
  });
});

describe('the meter', () => {
  it('counts calls with REST as one, and notifications not at all', async () => {
    const before = used();
    const left = async (sent: Sent) => limitsOf(await send(sent))['X-Quota-Remaining'];
    const first = await left(listing);
    const rest = limitsOf(await server.get('/api/v1/stats'))['X-Quota-Remaining'];
    assert.equal(rest, first - 1);
    assert.equal(await left(call('artist_info', { artist: 'Ben Klock' })), first - 2);
    const accepted = await send(notification);
    assert.equal(accepted.status, 202);
    assert.equal(accepted.text, '');
    always(accepted);
    assert.equal(limitsOf(accepted)['X-Quota-Remaining'], first - 2);
    assert.equal(await left(call('artist_info', { artist: 7 })), first - 3);
    assert.equal(used() - before, 4);
  });

  it('a change of plan is felt at the next request', async () => {
    const names = async () => listedNames(await send(listing));
    assert.equal((await names()).length, 4);
    runJson(['accounts', 'set-plan', 'dev@localhost', 'free', '--data', dataFile]);
    assert.deepEqual(await names(), ['search_events', 'artist_info']);
    const refused = rpc(await send(call('artist_upcoming_events', { artist: 'Ben Klock' })));
    assert.match(JSON.stringify(refused.result), /Premium and Pro/);
    runJson(['accounts', 'set-plan', 'dev@localhost', 'premium', '--data', dataFile]);
    assert.equal((await names()).length, 4);
    runJson(['accounts', 'set-plan', 'dev@localhost', 'pro', '--data', dataFile]);
  });

  const limited: [type: 'rate_limited' | 'quota_exceeded', limits: { window?: number; quota?: number }][] = [
    ['rate_limited', { window: 3 }],
    ['quota_exceeded', { quota: 3 }],
  ];
  for (const [type, limits] of limited) {
    it(`${type}: a 429 that says when to come back`, async () => {
      const file = join(folder.path, `${type}.db`);
      importFeed(file, feed.slice(0, 1));
      const small = await startServer({ dataFile: file, now: feedNow, ...limits });
      try {
        for (const sent of [initialize('2025-06-18'), listing, old('ping')]) {
          assert.equal((await send({ ...sent, to: small })).status, 200);
        }
        const notified = await send({ ...notification, to: small });
        if (type === 'quota_exceeded') {
          assert.equal(notified.status, 202, 'what costs nothing needs nothing of the month');
          assert.equal(limitsOf(notified)['X-Quota-Remaining'], 0);
        } else problem(type, notified);
        for (const sent of [listing, call('search_events'), { body: '{' }, old('ping')]) {
          const answer = await send({ ...sent, to: small });
          problem(type, answer);
          always(answer);
          const left = limitsOf(answer);
          assert.equal(left[type === 'rate_limited' ? 'X-RateLimit-Remaining' : 'X-Quota-Remaining'], 0);
        }
      } finally {
        await small.stop();
      }
    });
  }

  for (const [type, limits] of [
    ['rate_limited', { window: 5 }],
    ['quota_exceeded', { quota: 5 }],
  ] as const) {
    it(`${type}: a batch that does not fit costs nothing, and one that fits is answered`, async () => {
      const file = join(folder.path, `batch-${type}.db`);
      importFeed(file, feed.slice(0, 1));
      const small = await startServer({ dataFile: file, now: feedNow, ...limits });
      const batchOf = (length: number) => ({
        body: JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
        to: small,
      });
      const remaining = type === 'rate_limited' ? 'X-RateLimit-Remaining' : 'X-Quota-Remaining';
      try {
        assert.equal(limitsOf(await send(batchOf(2)))[remaining], 3);
        for (const size of [4, 6, 10]) {
          const refused = await send(batchOf(size));
          problem(type, refused);
          assert.equal(limitsOf(refused)[remaining], 3, `a batch of ${size} burns nothing`);
          assert.match(refused.text, /the 3 that .* has left\. Send fewer at once/);
        }
        const answered = await send(batchOf(3));
        assert.equal(answered.text.match(/"result":/g)?.length, 3);
        assert.equal(limitsOf(answered)[remaining], 0);
      } finally {
        await small.stop();
      }
    });
  }

  it('a failure of ours costs nothing and tells nothing', async () => {
    const file = join(folder.path, 'failing.db');
    importFeed(file, feed.slice(0, 1));
    const failing = await startServer({ dataFile: file, now: feedNow, quota: 5, more: ['--fail', '503:1'] });
    try {
      for (let round = 0; round < 7; round += 1) {
        const answer = await send({ ...listing, to: failing });
        problem('unavailable', answer);
        always(answer);
        assert.equal(limitsOf(answer)['X-Quota-Remaining'], 5);
      }
    } finally {
      await failing.stop();
    }
  });
});

// ------------------------------------------------------------------------------------------------ being found

describe('being found', () => {
  const open = { key: null };

  it('the metadata of the protected resource', async () => {
    const answer = await server.get('/.well-known/oauth-protected-resource/mcp', open);
    assert.equal(answer.status, 200);
    everywhere(answer);
    const { resource_name, resource_documentation, ...rest } = answer.json() as Record<string, unknown>;
    assert.ok(resource_name);
    assert.equal(resource_documentation, `${server.url}/llms.txt`);
    assert.deepEqual(rest, {
      resource: `${server.url}/mcp`,
      authorization_servers: [server.url],
      scopes_supported: ['catalogue:read'],
      bearer_methods_supported: ['header'],
    });
  });

  it('the server card, the same at both addresses', async () => {
    const paths = ['/mcp/server-card', '/.well-known/mcp/server-card.json'];
    const [one, other] = await Promise.all(paths.map((path) => server.get(path, open)));
    assert.equal(one?.text, other?.text);
    assert.match(String(one?.headers['content-type']), /^application\/mcp-server-card\+json/);
    const card = one?.json() as Record<string, string> & {
      remotes: { type: string; url: string; supportedProtocolVersions: string[] }[];
    };
    assert.equal(card.$schema, 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json');
    assert.match(String(card.name), /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.ok(String(card.description).length <= 100);
    const [remote] = card.remotes;
    assert.deepEqual([remote?.type, remote?.url], ['streamable-http', `${server.url}/mcp`]);
    assert.deepEqual(remote?.supportedProtocolVersions.slice(0, 5), [
      revision,
      '2025-11-25',
      '2025-06-18',
      '2025-03-26',
      '2024-11-05',
    ]);
  });

  it('the text map names every endpoint, every tool, the limits and the sentence to show', async () => {
    const { status, headers, text: map } = await server.get('/llms.txt', open);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    for (const { path } of Object.values(operations)) assert.ok(map.includes(`\`${path}\``), path);
    const { components } = JSON.parse((await server.get('/openapi.json', open)).text) as {
      components: { parameters: Record<string, { in: string; name: string }> };
    };
    const known = new Set(
      Object.values(components.parameters).flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    );
    const named = [...map.matchAll(/^- `\/[^`]+`: .*? \((`.*`)\)$/gm)].flatMap(([, list = '']) =>
      list.split(', ').map((name) => name.slice(1, -1)),
    );
    assert.ok(named.includes('external_id') && named.includes('status'));
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
      'parameters as requests write them',
    );
    for (const name of toolNames) assert.ok(map.includes(`\`${name}\``), name);
    for (const part of [`${server.url}/mcp`, '/openapi.json', 'Bearer', '| Free | 60 | 10,000 |']) {
      assert.ok(map.includes(part), part);
    }
    assert.ok(map.includes(`Data from cratebase (${server.url})`));
  });

  it('the documents take GET, HEAD and OPTIONS, and know what a caller has', async () => {
    for (const path of ['/llms.txt', '/mcp/server-card', '/.well-known/oauth-protected-resource/mcp']) {
      const { headers } = await server.get(path, open);
      const again = await server.get(path, { ...open, headers: { 'if-none-match': String(headers.etag) } });
      assert.equal(again.status, 304);
      const head = await server.get(path, { ...open, method: 'HEAD' });
      assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', headers.etag]);
      assert.equal((await server.get(path, { ...open, method: 'OPTIONS' })).status, 204);
      problem('method_not_allowed', await server.get(path, { ...open, method: 'POST' }));
    }
  });
});
