/** Tests of the authorization server: a service, browsers, clients, and a host of client documents. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import { Browser } from './http-browser.ts';
import { type Server, type ServerOptions, startServer, temporaryFolder } from './program.ts';

export type Json = Record<string, unknown>;
export type Answered = { status: number; headers: Headers; body: Json };
export type Pair = { access_token: string; refresh_token: string };

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** The redirect address of most clients; no program listens there. */
export const callback = 'http://127.0.0.1:5599/callback';

async function readAnswer(answer: Response): Promise<Answered> {
  const text = await answer.text();
  let body: Json;
  try {
    body = (text === '' ? {} : JSON.parse(text)) as Json;
  } catch {
    body = { text };
  }
  return { status: answer.status, headers: answer.headers, body };
}

/** A service with helpers. */
export class Service {
  readonly server: Server;
  readonly url: string;
  readonly resource: string;

  constructor(server: Server) {
    this.server = server;
    this.url = server.url;
    this.resource = `${server.url}/mcp`;
  }

  async post(path: string, form: Record<string, string> | string, headers: Record<string, string> = {}) {
    const isText = typeof form === 'string';
    const type: Record<string, string> = isText ? { 'content-type': 'application/json' } : {};
    const body = isText ? form : new URLSearchParams(form);
    return readAnswer(
      await fetch(this.url + path, {
        method: 'POST',
        body,
        headers: { ...type, ...headers },
        redirect: 'manual',
      }),
    );
  }

  async register(metadata: Json): Promise<Json & { client_id: string; client_secret?: string }> {
    const { status, body } = await this.post('/oauth/register', JSON.stringify(metadata));
    assert.equal(status, 201, JSON.stringify(body));
    return body as Json & { client_id: string };
  }

  /** Returns the authorization address of a client. */
  authorizeUrl(parameters: Record<string, string>): string {
    const url = new URL('/oauth/authorize', this.url);
    url.search = new URLSearchParams({
      response_type: 'code',
      redirect_uri: callback,
      code_challenge_method: 'S256',
      state: 'a state',
      ...parameters,
    }).toString();
    return url.href;
  }

  /** Gets a code for the client: the browser allows the request. */
  async code(browser: Browser, client: string, more: Record<string, string> = {}) {
    const { verifier, challenge } = pkce();
    const back = await browser.decide(
      this.authorizeUrl({ client_id: client, code_challenge: challenge, ...more }),
    );
    const code = back.searchParams.get('code');
    assert.ok(code, back.href);
    return { code, verifier, back };
  }

  redeem(
    client: string,
    code: string,
    verifier: string,
    more: Record<string, string> = {},
  ): Promise<Answered> {
    return this.post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
      ...more,
    });
  }

  refresh(client: string, token: string, more: Record<string, string> = {}): Promise<Answered> {
    return this.post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: client,
      refresh_token: token,
      ...more,
    });
  }

  /** Registers a public client and gets its tokens. */
  async connect(browser: Browser, metadata: Json = {}): Promise<Pair & { client: string }> {
    const { client_id: client } = await this.register({
      client_name: 'Test app',
      redirect_uris: [callback],
      ...metadata,
    });
    const { code, verifier } = await this.code(browser, client);
    const { status, body } = await this.redeem(client, code, verifier);
    assert.equal(status, 200, JSON.stringify(body));
    return { client, ...(body as unknown as Pair) };
  }

  /** Calls the MCP endpoint. */
  async call(token: string): Promise<{ status: number; headers: Headers }> {
    const { status, headers } = await this.post(
      '/mcp',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    );
    return { status, headers };
  }

  person(headers: Record<string, string> = {}): Browser {
    return new Browser(this.url, headers);
  }

  /** Returns a browser that is signed in with a new account. */
  async member(email: string): Promise<Browser> {
    const browser = this.person();
    await browser.signUp(email);
    return browser;
  }
}

/** An https host whose documents a test changes; undefined is a 404. */
export type DocumentHost = {
  url: string;
  documents: Map<string, { status?: number; headers?: Record<string, string>; body: string | Buffer }>;
  asked: string[];
};

export type Stage = { service: Service; host: DocumentHost; dataFile: string; close: () => Promise<void> };

/** Starts a service, and a host that it may fetch from and whose certificate it trusts. */
export async function openStage(options: Partial<ServerOptions> = {}): Promise<Stage> {
  const folder = temporaryFolder();
  const certificate = makeCertificate();
  const authority = join(folder.path, 'authority.pem');
  writeFileSync(authority, certificate.cert);
  const documents: DocumentHost['documents'] = new Map();
  const asked: string[] = [];
  const host = createServer(certificate, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { status = 200, headers = {}, body } = documents.get(path) ?? { status: 404, body: 'none' };
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const dataFile = join(folder.path, 'oauth.db');
  const { more = [], ...rest } = options;
  const server = await startServer({
    dataFile,
    more: ['--empty', '--fetch-allow', '127.0.0.1/32', ...more],
    env: { NODE_EXTRA_CA_CERTS: authority },
    ...rest,
  }).catch((failure: unknown) => {
    host.close();
    throw failure;
  });
  return {
    service: new Service(server),
    host: { url, documents, asked },
    dataFile,
    close: async () => {
      await server.stop();
      host.closeAllConnections();
      host.close();
      folder.remove();
    },
  };
}
