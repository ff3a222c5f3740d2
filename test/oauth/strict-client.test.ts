/** The authorization server before a strict referee: `oauth4webapi` takes nothing that the specifications do not allow. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import type { Browser } from '../support/http-browser.ts';
import { callback, openStage, type Service, type Stage } from '../support/oauth.ts';

/** This service is reached without https here; nothing else is taken less seriously. */
const plain = { [oauth.allowInsecureRequests]: true } as const;

describe('a strict client', () => {
  let stage: Stage;
  let service: Service;
  let person: Browser;
  let issuer: URL;
  let server: oauth.AuthorizationServer;
  before(async () => {
    stage = await openStage();
    service = stage.service;
    person = await service.member('referee@example.com');
    issuer = new URL(service.url);
    server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain }),
    );
  });
  after(() => stage.close());

  /** The whole way, with everything checked that can be. */
  async function goThrough(client: oauth.Client, proof: oauth.ClientAuth): Promise<void> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint as string);
    address.search = new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: callback,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      scope: 'catalogue:read',
      resource: service.resource,
    }).toString();
    const back = await person.decide(address.href);
    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, proof, parameters, callback, verifier, {
        additionalParameters: { resource: service.resource },
        ...plain,
      }),
    );
    assert.equal(granted.token_type, 'bearer');
    assert.equal(granted.id_token, undefined);
    assert.equal((await service.call(granted.access_token)).status, 200);
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, granted.refresh_token as string, plain),
    );
    assert.equal((await service.call(renewed.access_token)).status, 200);
    const revocation = await oauth.revocationRequest(
      server,
      client,
      proof,
      renewed.refresh_token as string,
      plain,
    );
    await oauth.processRevocationResponse(revocation);
    assert.equal((await service.call(renewed.access_token)).status, 401);
  }

  it('finds the server from its metadata, by both names', async () => {
    const other = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...plain }),
    );
    assert.deepEqual(other, server);
    assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
    assert.deepEqual(server.scopes_supported, ['catalogue:read', 'offline_access']);
    assert.equal(server.authorization_response_iss_parameter_supported, true);
    assert.equal(server.client_id_metadata_document_supported, true);
    assert.deepEqual(server.response_types_supported, ['code']);
    assert.deepEqual(server.grant_types_supported?.sort(), ['authorization_code', 'refresh_token']);
    const keys = (await (await fetch(server.jwks_uri as string)).json()) as { keys: object[] };
    assert.equal(keys.keys.length, 1);
    assert.ok(!('d' in (keys.keys[0] as object)), 'the public half alone');
  });

  it('finds it from the resource', async () => {
    const resource = new URL(service.resource);
    const found = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, plain),
    );
    assert.deepEqual(found.authorization_servers, [service.url]);
    assert.deepEqual(found.scopes_supported, ['catalogue:read']);
    assert.deepEqual(found.bearer_methods_supported, ['header']);
  });

  const registered: Record<string, (secret: string) => oauth.ClientAuth> = {
    none: () => oauth.None(),
    client_secret_basic: oauth.ClientSecretBasic,
    client_secret_post: oauth.ClientSecretPost,
  };
  for (const [method, proof] of Object.entries(registered)) {
    it(`registers itself, ${method}`, async () => {
      const request = await oauth.dynamicClientRegistrationRequest(
        server,
        { client_name: 'Referee', redirect_uris: [callback], token_endpoint_auth_method: method },
        plain,
      );
      const client = await oauth.processDynamicClientRegistrationResponse(request);
      assert.equal(client.token_endpoint_auth_method, method);
      await goThrough(client, proof(String(client.client_secret)));
    });
  }

  for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
    it(`proves itself with a key of its document (${algorithm})`, async () => {
      const { publicKey, privateKey } = await oauth.generateKeyPair(
        algorithm === 'EdDSA' ? 'Ed25519' : algorithm,
        { extractable: true },
      );
      const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one', use: 'sig' };
      const path = `/${algorithm}`;
      const clientId = `${stage.host.url}${path}`;
      stage.host.documents.set(`${path}/keys`, { body: JSON.stringify({ keys: [jwk] }) });
      stage.host.documents.set(path, {
        body: JSON.stringify({
          client_id: clientId,
          client_name: 'ChatGPT',
          client_uri: 'https://chatgpt.example',
          redirect_uris: [callback],
          grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
          response_types: ['code'],
          token_endpoint_auth_method: 'private_key_jwt',
          token_endpoint_auth_signing_alg: algorithm === 'EdDSA' ? 'Ed25519' : algorithm,
          jwks_uri: `${clientId}/keys`,
        }),
      });
      const proof = oauth.PrivateKeyJwt({ key: privateKey, kid: 'one' });
      await goThrough({ client_id: clientId }, proof);
      const { code, verifier } = await service.code(person, clientId);
      assert.equal((await service.redeem(clientId, code, verifier)).status, 401, 'not without the key');
    });
  }
});
