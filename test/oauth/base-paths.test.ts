/** The authorization server where people have an address of their own, and below a path behind a proxy. */
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { Browser } from '../support/http-browser.ts';
import { callback, openStage, pkce } from '../support/oauth.ts';

type Metadata = Record<
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'registration_endpoint',
  string
>;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** From the resource's metadata to a token, as a client that knows nothing else; gives the status of a call. */
async function goThrough(resourceMetadata: string, metadataOf: (issuer: string) => string): Promise<number> {
  const read = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).json();
  const { resource, authorization_servers } = (await read(resourceMetadata)) as {
    resource: string;
    authorization_servers: [string];
  };
  const [issuer] = authorization_servers;
  const server = (await read(metadataOf(issuer))) as Metadata;
  assert.equal(server.issuer, issuer);
  for (const [name, address] of Object.entries(server)) {
    if (name.endsWith('_endpoint'))
      assert.ok(String(address).startsWith(`${issuer}/oauth/`), String(address));
  }
  const person = new Browser(issuer);
  const { pathname } = new URL(issuer);
  await person.signUp('places@example.com', undefined, pathname === '/' ? '' : pathname);
  const { client_id } = (await read(server.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [callback] }),
  })) as { client_id: string };
  const { verifier, challenge } = pkce();
  const asked = { client_id, response_type: 'code', redirect_uri: callback, resource };
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
  const back = await person.decide(
    `${server.authorization_endpoint}?${new URLSearchParams({ ...asked, ...proof })}`,
  );
  assert.equal(back.searchParams.get('iss'), issuer);
  const { access_token: token } = (await read(server.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id,
      redirect_uri: callback,
      code: String(back.searchParams.get('code')),
      code_verifier: verifier,
    }),
  })) as { access_token: string };
  const called = await fetch(resource, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return called.status;
}

it('is where people sign in, also where that is another host, and the clock stands still', async () => {
  const port = await freePort();
  const stage = await openStage({
    now: '2026-01-01T00:00:00Z',
    more: ['--port', String(port), '--account-url', `http://localhost:${port}`],
  });
  try {
    const { url } = stage.service;
    const status = await goThrough(
      `${url}/.well-known/oauth-protected-resource/mcp`,
      (issuer) => `${issuer}/.well-known/oauth-authorization-server`,
    );
    assert.equal(status, 200);
  } finally {
    await stage.close();
  }
});

it('lives below a path, behind a proxy that takes it off', async () => {
  const port = await freePort();
  const proxy = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(/^\/music(?=\/)/, '');
    const { method, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const stage = await openStage({ more: ['--port', String(port), '--base-url', `${origin}/music`] });
  try {
    const status = await goThrough(
      `${origin}/music/.well-known/oauth-protected-resource/mcp`,
      () => `${origin}/.well-known/oauth-authorization-server/music`,
    );
    assert.equal(status, 200);
  } finally {
    await stage.close();
    proxy.closeAllConnections();
    proxy.close();
  }
});
