/**
 * The real clients against the running program: @modelcontextprotocol/client 2.x and @modelcontextprotocol/sdk 1.x, over
 * HTTP and over standard input and output. Each calls every tool; every answer is checked against the schema that the
 * program declares for it, by the client and once more here.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { type ToolName, toolNames } from '../../src/contract/tools.ts';
import { feed, feedNow } from '../support/feed.ts';
import {
  importFeed,
  programCommand,
  runJson,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/program.ts';

const [command, ...first] = programCommand;

const calls: Record<ToolName, Record<string, unknown>> = {
  search_events: { city: 'Berlin', include_past: true, from: '2012-01-01', limit: 3 },
  artist_info: { artist: 'Ben Klok' },
  artist_upcoming_events: { artist: 'Ben Klock' },
  venue_upcoming_events: { venue: 'Berghain Berlin', limit: 2 },
};

type Listed = { name: string; title?: string | undefined; outputSchema?: unknown; annotations?: unknown };
type Called = { content?: unknown; structuredContent?: unknown; isError?: unknown };
/** What both generations of the client can do. */
type Peer = {
  listTools(): Promise<{ tools: Listed[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
};

const self = { name: 'cratebase-test', version: '1.0.0' };
const authorized = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });

const folder = temporaryFolder();
const dataFile = join(folder.path, 'clients.db');
let server: Server;
let free: { key: string };
before(async () => {
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow, plan: 'pro' });
  runJson(['accounts', 'create', 'free@example.org', '--data', dataFile]);
  free = runJson(['keys', 'create', 'free@example.org', '--name', 'test', '--data', dataFile]);
});
after(async () => {
  await server?.stop();
  folder.remove();
});

async function connect(mode: VersionNegotiationMode, transport: Transport): Promise<Peer> {
  const client = new Client(self, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

async function connectOld(transport: unknown): Promise<Peer> {
  const client = new OldClient(self);
  await client.connect(transport as OldTransport);
  return client;
}

const address = () => new URL(`${server.url}/mcp`);
const http = (key = server.key) => new StreamableHTTPClientTransport(address(), authorized(key));
const local = (...more: string[]) => ({
  command,
  args: [...first, 'mcp', '--data', dataFile, ...more],
  stderr: 'inherit' as const,
});
const stdio = (...more: string[]) => new StdioClientTransport(local(...more));
const pinned = { pin: '2026-07-28' };

const peers: Record<string, () => Promise<Peer>> = {
  'client 2.x, auto, HTTP': () => connect('auto', http()),
  'client 2.x, pinned to 2026-07-28, HTTP': () => connect(pinned, http()),
  'client 2.x, legacy, HTTP': () => connect('legacy', http()),
  'client 2.x, auto, stdio': () => connect('auto', stdio()),
  'client 2.x, pinned to 2026-07-28, stdio': () => connect(pinned, stdio()),
  'sdk 1.x, HTTP': () => connectOld(new OldHttp(address(), authorized(server.key))),
  'sdk 1.x, stdio': () => connectOld(new OldStdio(local())),
};

/** The text that a model reads. */
function textOf({ content }: Called): string {
  const [part] = content as { type: string; text: string }[];
  assert.equal(part?.type, 'text');
  return part.text;
}

async function assertFits(schema: unknown, value: unknown): Promise<void> {
  const read = await fromJsonSchema(schema as Parameters<typeof fromJsonSchema>[0])['~standard'].validate(
    value,
  );
  assert.equal(read.issues, undefined, JSON.stringify(read.issues));
}

for (const [name, open] of Object.entries(peers)) {
  it(`${name}: every tool is listed, called, and answers as declared`, async () => {
    const peer = await open();
    try {
      const { tools } = await peer.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        toolNames,
      );
      for (const { name: tool, title, outputSchema, annotations } of tools) {
        assert.ok(title, tool);
        assert.deepEqual(annotations, {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        });
        const params = { name: tool, arguments: calls[tool as ToolName] };
        const answer = (await peer.callTool(params)) as Called;
        assert.ok(!answer.isError, textOf(answer));
        assert.ok(textOf(answer).length > 10);
        await assertFits(outputSchema, answer.structuredContent);
        const again = (await peer.callTool(params)) as Called;
        assert.equal(JSON.stringify(again.structuredContent), JSON.stringify(answer.structuredContent));
      }
    } finally {
      await peer.close();
    }
  });
}

describe('a plan without a tool', () => {
  const freePeers: Record<string, () => Promise<Peer>> = {
    'client 2.x, HTTP': () => connect('auto', http(free.key)),
    'sdk 1.x, HTTP': () => connectOld(new OldHttp(address(), authorized(free.key))),
    'client 2.x, stdio': () => connect('auto', stdio('--plan', 'free')),
    'sdk 1.x, stdio': () => connectOld(new OldStdio(local('--plan', 'free'))),
  };
  for (const [name, open] of Object.entries(freePeers)) {
    it(`${name}: is not shown it, and is told which plans have it`, async () => {
      const peer = await open();
      try {
        const { tools } = await peer.listTools();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          ['search_events', 'artist_info'],
        );
        const params = { name: 'venue_upcoming_events', arguments: { venue: 'Berghain' } };
        const answer = (await peer.callTool(params)) as Called;
        assert.equal(answer.isError, true);
        assert.match(textOf(answer), /venue_upcoming_events is not part of the Free plan.*Premium and Pro/);
        const named = (await peer.callTool({ name: 'artist_info', arguments: calls.artist_info })) as Called;
        assert.match(textOf(named), /Data from cratebase \(http/, 'the attribution of a Free account');
      } finally {
        await peer.close();
      }
    });
  }
});

it('both clients tell that there is no key', async () => {
  await assert.rejects(connect('auto', new StreamableHTTPClientTransport(address())));
  await assert.rejects(connectOld(new OldHttp(address())));
});

it('over standard input and output nothing is written but the protocol, and the end of input is the end', async () => {
  const child = spawn(command, [...first, 'mcp', '--data', dataFile], { stdio: 'pipe' });
  let out = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: self },
  });
  send({ method: 'notifications/initialized' });
  child.stdin.write('this is no message\n');
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'artist_info', arguments: { artist: 'Ben Klock', limit: 1e6 } },
  });
  while (!out.includes('"id":2')) await new Promise((settle) => setTimeout(settle, 20));
  child.stdin.end();
  assert.equal(await ended, 0);
  const lines = out.trimEnd().split('\n');
  for (const line of lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0', line);
  assert.match(lines.at(-1) as string, /There is no input \\"limit\\", only artist/);
});

it('over standard input, what is no message is answered as such, and the log has a line for it at most', async () => {
  const child = spawn(command, [...first, 'mcp', '--data', dataFile], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const ended = new Promise<number | null>((settle) => child.once('close', settle));
  const call = { jsonrpc: '2.0', id: 9, method: 'initialize' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: self };
  child.stdin.write('\ufeff{"jsonrpc": "2.0", "id": 1,\n');
  child.stdin.write('\n   \n[{"jsonrpc":"2.0","id":2,"method":"ping"}]\n"text"\nnull\n');
  child.stdin.write('{"id":3,"method":"ping"}\n{"jsonrpc":"2.0","id":{},"method":"ping"}\n');
  child.stdin.write(`{"jsonrpc":"2.0","id":4,"method":"ping","params":"${'x'.repeat(3_000_000)}"}\n`);
  child.stdin.write(`${JSON.stringify({ ...call, params })}\n`);
  while (!out.includes('"id":9')) await new Promise((settle) => setTimeout(settle, 20));
  child.stdin.end('{"jsonrpc":"2.0","id":10,"method":"ping"}');
  assert.equal(await ended, 0);
  assert.doesNotMatch(err, /MaxListeners/);
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  const expected = [
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [3, -32600],
    [null, -32600],
    [null, -32600],
    [9, undefined],
    [10, undefined],
  ];
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    expected,
  );
  assert.doesNotMatch(err, /\n\s+at /, 'no stack trace');
});

it('a file that is no data file is told in one line', async () => {
  const data = join(folder.path, 'notes.txt');
  writeFileSync(data, 'Friday: Ben Klock');
  const child = spawn(command, [...first, 'mcp', '--data', data], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  const status = await new Promise<number | null>((settle) => child.once('close', settle));
  assert.deepEqual({ status, out }, { status: 1, out: '' });
  assert.match(err, /^cratebase: [^\n]+notes\.txt is not a data file[^\n]*\n$/);
});
