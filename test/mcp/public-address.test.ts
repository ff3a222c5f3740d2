/** A service with a public address behind a proxy: what it publishes names that address alone, and leads somewhere. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as feed from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const address = 'https://music.example.org';
const { publicKey } = generateKeyPairSync('ed25519');
const registryKey = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
let server: Server;
before(async () => {
  const dataFile = join(folder.path, 'public.db');
  importFeed(dataFile, feed.feed);
  server = await startServer({
    dataFile,
    more: ['--base-url', address, '--trust-proxy', '--mcp-registry-key', registryKey],
  });
});
after(async () => {
  await server?.stop();
  folder.remove();
});

/** Requests a path as the proxy does, without a key. */
const get = (path: string) =>
  server.get(path, { key: null, headers: { host: 'music.example.org', 'x-forwarded-proto': 'https' } });
const documents = [
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/mcp/server-card.json',
  '/mcp/server-card',
  '/mcp/server.json',
  '/openapi.json',
  '/llms.txt',
  '/robots.txt',
];

test('no document names the local address, and the addresses of each agree', async () => {
  const json = new Map<string, Record<string, unknown>>();
  for (const path of documents) {
    const { status, text } = await get(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /localhost|127\.0\.0\.1|\[::1\]/, path);
    assert.ok(text.includes(address), path);
    if (text.startsWith('{')) json.set(path, JSON.parse(text) as Record<string, unknown>);
  }
  const resource = json.get('/.well-known/oauth-protected-resource/mcp');
  assert.equal(resource?.resource, `${address}/mcp`);
  assert.deepEqual(resource?.authorization_servers, [address]);
  assert.equal(json.get('/.well-known/oauth-authorization-server')?.issuer, address);
  const [card, entry] = [json.get('/.well-known/mcp/server-card.json'), json.get('/mcp/server.json')];
  for (const name of ['name', 'version', 'description', 'title', 'websiteUrl'])
    assert.deepEqual(card?.[name], entry?.[name], name);
  for (const one of [card, entry])
    assert.deepEqual(
      ((one?.remotes ?? []) as { url: string }[]).map(({ url }) => url),
      [`${address}/mcp`],
    );
  assert.equal(
    (await get('/.well-known/mcp-registry-auth')).text.trim(),
    `v=MCPv1; k=ed25519; p=${registryKey}`,
  );
});

test('the addresses in them lead to something', async () => {
  const paths = new Set<string>();
  for (const path of documents.filter((one) => one !== '/openapi.json')) {
    const { text } = await get(path);
    for (const [, found = ''] of text.matchAll(/https:\/\/music\.example\.org([\w/.-]*)/g))
      paths.add(found.replace(/\.$/, '') || '/');
  }
  assert.ok(paths.size > 10, [...paths].join(' '));
  for (const path of paths) {
    const { status } = await get(path);
    assert.ok(status < 500 && (status !== 404 || path === '/api/v1'), `${path}: ${status}`);
  }
});

test('a refused request of an agent names the metadata of the public address', async () => {
  const { status, headers } = await server.get('/mcp', {
    method: 'POST',
    key: null,
    headers: { host: 'music.example.org', 'content-type': 'application/json' },
  });
  assert.equal(status, 401);
  assert.match(
    String(headers['www-authenticate']),
    new RegExp(`resource_metadata="${address}/\\.well-known/oauth-protected-resource/mcp"`),
  );
});
