/** How agents find and install the tools: registry entry, proof of the domain, bundle, and a first start without a file. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { validateManifest } from '@anthropic-ai/mcpb';
import { unzipSync } from 'fflate';
import { toolNames } from '../../src/contract/tools.ts';
import { registryEntry } from '../../src/mcp/discovery.ts';
import { run, start } from '../support/cli-run.ts';
import { temporaryFolder } from '../support/program.ts';

type BundleFile = { path: string; content: string | Buffer };
type Bundles = {
  makeMcpb(options: object): [name: string, content: Buffer];
  mcpbFiles(options: object): BundleFile[];
};
const bundles: string = '../../bin/release/mcpb.mjs';
const { makeMcpb, mcpbFiles } = (await import(bundles)) as Bundles;

const facts = {
  baseUrl: 'https://music.example.org',
  accountUrl: 'https://music.example.org',
  name: 'Music',
  version: '1.2.3',
};

describe('the entry for the MCP registry', () => {
  const entry = registryEntry(facts);

  it('has the members that the registry requires, within its limits', () => {
    assert.match(
      entry.$schema,
      /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/,
    );
    assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.equal(entry.name, 'org.example.music/cratebase');
    assert.ok(entry.description.length >= 1 && entry.description.length <= 100);
    assert.ok(entry.title.length >= 1 && entry.title.length <= 100);
    assert.match(entry.version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(Object.keys(entry).sort(), [
      ...['$schema', 'description', 'icons', 'name', 'remotes', 'title', 'version', 'websiteUrl'],
    ]);
    for (const { src, mimeType, sizes } of entry.icons) {
      assert.match(src, /^https:\/\/music\.example\.org\/assets\//);
      assert.equal(mimeType, 'image/svg+xml');
      assert.deepEqual(sizes, ['any']);
    }
  });
  it('names the endpoint, and a header that clients with OAuth leave out', () => {
    const [remote] = entry.remotes;
    assert.deepEqual([remote?.type, remote?.url], ['streamable-http', 'https://music.example.org/mcp']);
    assert.deepEqual(Object.keys(remote ?? {}).sort(), ['headers', 'type', 'url']);
    assert.equal(remote?.headers[0]?.isRequired, false);
    assert.equal(remote?.headers[0]?.isSecret, true);
  });
});

describe('the bundle', () => {
  const options = {
    target: 'linux-x64',
    version: '1.2.3',
    executable: Buffer.from('#!/bin/sh\n'),
    license: 'MIT',
    notices: 'none',
    time: new Date('2026-01-01T00:00:00Z'),
  };

  it('passes the official validator, with its icon', () => {
    const folder = temporaryFolder();
    try {
      for (const { path, content } of mcpbFiles(options)) {
        mkdirSync(dirname(join(folder.path, path)), { recursive: true });
        writeFileSync(join(folder.path, path), content);
      }
      assert.equal(validateManifest(join(folder.path, 'manifest.json')), true);
    } finally {
      folder.remove();
    }
  });
  it('is a zip with the executable and the four tools, the same for the same input', () => {
    const [name, content] = makeMcpb(options);
    assert.equal(name, 'cratebase-1.2.3-linux-x64.mcpb');
    assert.deepEqual(makeMcpb(options)[1], content);
    const files = unzipSync(content);
    const manifest = JSON.parse(Buffer.from(files['manifest.json'] as Uint8Array).toString());
    assert.ok(files[manifest.server.entry_point]);
    assert.deepEqual(
      manifest.tools.map((tool: { name: string }) => tool.name),
      toolNames,
    );
    for (const target of ['darwin-arm64', 'win-x64'])
      assert.match(makeMcpb({ ...options, target })[0], new RegExp(target));
  });
});

describe('a first start', () => {
  it('creates the data file, and answers from the starter catalogue', async () => {
    const folder = temporaryFolder();
    try {
      const answer = await callOverStdio(folder.path, {
        name: 'artist_info',
        arguments: { artist: 'Ben Klock' },
      });
      assert.equal(answer.result.structuredContent.match.slug, 'ben-klock');
      assert.ok(existsSync(join(folder.path, 'share', 'cratebase', 'cratebase.db')));
    } finally {
      folder.remove();
    }
  });
  it('names a folder that cannot be created', async () => {
    const folder = temporaryFolder();
    try {
      writeFileSync(join(folder.path, 'file'), '');
      const { status, stderr } = await run(['mcp', '--data', join(folder.path, 'file', 'c.db')]);
      assert.equal(status, 1);
      assert.match(stderr, /The folder \S+file cannot be created \(EEXIST\)\. Choose another file/);
    } finally {
      folder.remove();
    }
  });
  it('has examples without a path of one machine', () => {
    const example = JSON.parse(
      readFileSync(new URL('../../examples/agents/stdio.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual(example.mcpServers.cratebase.args, ['mcp']);
  });
});

describe('the registry entry in the terminal', () => {
  it('needs a public address', async () => {
    const printed = await run(['mcp', '--print-server-json', '--base-url', facts.baseUrl]);
    assert.equal(JSON.parse(printed.stdout).name, 'org.example.music/cratebase');
    const { status, stderr } = await run([
      'mcp',
      '--print-server-json',
      '--base-url',
      'http://127.0.0.1:4880',
    ]);
    assert.equal(status, 2);
    assert.match(stderr, /public https address/);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: an answer as a client without our types reads it
async function callOverStdio(folder: string, params: object): Promise<any> {
  const child = start(['mcp'], { cwd: folder, env: { XDG_DATA_HOME: join(folder, 'share') } });
  const info = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  for (const message of [
    { id: 1, method: 'initialize', params: info },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    let text = '';
    for await (const piece of child.stdout) {
      text += piece;
      const line = text.split('\n').find((one) => one.includes('"id":2'));
      if (line !== undefined && text.endsWith('\n')) return JSON.parse(line);
    }
    throw new Error(`no answer: ${text}`);
  } finally {
    child.kill();
  }
}
