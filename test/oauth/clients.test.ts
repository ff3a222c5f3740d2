/**
 * An agent's way in, from the 401 to a call of a tool, with both SDK clients as they are (2.x and 1.x) and a person at
 * a browser: by registration, by metadata document, with a secret, to a scheme of its own; refreshed, and revoked.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  type StoredOAuthClientInformation,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Browser, csrfOf } from '../support/http-browser.ts';
import { callback, openStage, type Service, type Stage } from '../support/oauth.ts';
import { runJson } from '../support/program.ts';

const self = { name: 'test', version: '1.0.0' };

type Shape = { metadata: OAuthClientMetadata; document?: string; information?: StoredOAuthClientInformation };

/** What an app keeps of its authorization, and the address that it wants opened. */
class Memory implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly redirectUrl: string;
  opened: URL | undefined;
  asked = 0;
  saved: OAuthTokens | undefined;
  #information: StoredOAuthClientInformation | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  constructor({ metadata, document, information }: Shape) {
    this.clientMetadata = metadata;
    this.redirectUrl = metadata.redirect_uris[0] as string;
    this.#information = information;
    if (document !== undefined) this.clientMetadataUrl = document;
  }
  state() {
    return 'of the client';
  }
  clientInformation() {
    return this.#information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.#information = information;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.asked += 1;
    this.opened = address;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }
  discoveryState() {
    return this.#discovery;
  }
  invalidateCredentials(what: string) {
    if (what === 'tokens' || what === 'all') this.saved = undefined;
  }
}

type Peer = { tools: () => Promise<string[]>; close: () => Promise<void> };
type Kit = {
  connect: (url: URL, memory: Memory) => Promise<Peer>;
  finish: (url: URL, memory: Memory, answer: URLSearchParams) => Promise<void>;
};

const kits: Record<string, Kit> = {
  'client 2.x': {
    connect: async (url, authProvider) => {
      const client = new Client(self, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
      return {
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    },
    finish: (url, authProvider, answer) =>
      new StreamableHTTPClientTransport(url, { authProvider }).finishAuth(answer),
  },
  'sdk 1.x': {
    connect: async (url, memory) => {
      const client = new OldClient(self);
      const authProvider = memory as unknown as OldProvider;
      // Its own types are not as exact as ours.
      const transport = new OldTransport(url, { authProvider }) as unknown as Parameters<
        typeof client.connect
      >[0];
      await client.connect(transport);
      return {
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    },
    finish: (url, memory, answer) =>
      new OldTransport(url, { authProvider: memory as unknown as OldProvider }).finishAuth(
        answer.get('code') as string,
      ),
  },
};

const publicApp = (more: Partial<OAuthClientMetadata> = {}): OAuthClientMetadata => ({
  client_name: 'An agent',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  ...more,
});

describe('agents', () => {
  let stage: Stage;
  let service: Service;
  let person: Browser;
  let url: URL;
  const email = 'clients@example.com';
  before(async () => {
    stage = await openStage();
    service = stage.service;
    person = await service.member(email);
    url = new URL(service.resource);
    stage.host.documents.set('/agent.json', {
      body: JSON.stringify({
        client_id: `${stage.host.url}/agent.json`,
        ...publicApp({ client_name: 'A known agent' }),
      }),
    });
  });
  after(() => stage.close());

  /** The ways in which real clients come. */
  const shapes: Record<string, () => Promise<Shape>> = {
    'registers itself': async () => ({ metadata: publicApp() }),
    'has a metadata document': async () => ({
      metadata: publicApp(),
      document: `${stage.host.url}/agent.json`,
    }),
    'registers with a secret (basic)': async () => ({
      metadata: publicApp({ token_endpoint_auth_method: 'client_secret_basic' }),
    }),
    'registers with a secret (post)': async () => ({
      metadata: publicApp({ token_endpoint_auth_method: 'client_secret_post' }),
    }),
    'has a scheme of its own': async () => ({
      metadata: publicApp({
        client_name: 'Cursor',
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
        application_type: 'web',
      } as Partial<OAuthClientMetadata>),
    }),
    'asks for what this is not': async () => ({
      metadata: publicApp({
        scope: 'openid profile email offline_access',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code', 'id_token'],
        contacts: ['not an email'],
        logo_uri: '',
      }),
    }),
    'was registered beforehand': async () => {
      const { client_id, client_secret } = await service.register({
        client_name: 'Registered',
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_basic',
      });
      return {
        metadata: publicApp({ token_endpoint_auth_method: 'client_secret_basic' }),
        information: {
          client_id,
          client_secret: client_secret as string,
          token_endpoint_auth_method: 'client_secret_basic',
        } as StoredOAuthClientInformation,
      };
    },
  };

  /** From the 401 to being let in. */
  async function letIn(kit: Kit, shape: Shape): Promise<Memory> {
    const memory = new Memory(shape);
    await assert.rejects(kit.connect(url, memory), /unauthorized/i);
    assert.ok(memory.opened, 'the client was led to the authorization server');
    assert.equal(memory.opened.searchParams.get('resource'), service.resource);
    const back = await person.decide(memory.opened.href);
    assert.equal(back.searchParams.get('iss'), service.url);
    assert.equal(back.searchParams.get('state'), 'of the client');
    assert.ok(back.href.startsWith(memory.redirectUrl), back.href);
    await kit.finish(url, memory, back.searchParams);
    return memory;
  }

  for (const [kitName, kit] of Object.entries(kits)) {
    for (const [shapeName, shape] of Object.entries(shapes)) {
      it(`${kitName}: ${shapeName}`, async () => {
        const memory = await letIn(kit, await shape());
        const peer = await kit.connect(url, memory);
        assert.deepEqual(await peer.tools(), ['search_events', 'artist_info']);
        await peer.close();
        assert.equal(memory.asked, 1);
        assert.deepEqual(
          [memory.saved?.token_type, memory.saved?.expires_in, memory.saved?.scope],
          ['Bearer', 3600, 'catalogue:read'],
        );
      });
    }

    it(`${kitName}: an access token that is over is refreshed, and nobody is asked`, async () => {
      const memory = await letIn(kit, await (shapes['registers itself'] as () => Promise<Shape>)());
      const tokens = memory.saved as OAuthTokens;
      memory.saved = { ...tokens, access_token: 'x'.repeat(43) };
      const peer = await kit.connect(url, memory);
      assert.equal((await peer.tools()).length, 2);
      await peer.close();
      assert.equal(memory.asked, 1);
      assert.notEqual(memory.saved?.refresh_token, tokens.refresh_token, 'rotated');
    });

    it(`${kitName}: disconnected on the dashboard, it has to ask again`, async () => {
      const memory = await letIn(kit, {
        metadata: publicApp({ client_name: `Doomed ${kitName}` }),
      });
      const peer = await kit.connect(url, memory);
      await peer.tools();
      const { connected_apps: apps } = runJson<{
        connected_apps: { id: string; name: string; scopes: string[]; last_used_at: string | null }[];
      }>(['accounts', 'show', email, '--data', stage.dataFile]);
      const app = apps.find(({ name }) => name === `Doomed ${kitName}`);
      assert.ok(app, JSON.stringify(apps));
      assert.deepEqual(app.scopes, ['catalogue:read']);
      assert.ok(app.last_used_at);
      const path = `/account/developer/apps/${app.id}/disconnect`;
      const page = await person.walk(path);
      const done = await person.ask(path, { csrf: csrfOf(page) });
      assert.equal(done.status, 303, done.text);
      await peer.close();
      await assert.rejects(kit.connect(url, memory), /unauthorized/i);
      assert.equal(memory.asked, 2);
    });
  }
});
