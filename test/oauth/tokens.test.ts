/** What tokens are good for and for how long, what of them is kept, and that several processes agree about them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { openAccess } from '../../src/access/access.ts';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Browser } from '../support/http-browser.ts';
import { openStage, type Service, type Stage } from '../support/oauth.ts';
import { run, temporaryFolder } from '../support/program.ts';

/** Changes the file as if time had passed. */
function change(stage: Stage, sql: string, ...values: unknown[]): void {
  const file = new Database(stage.dataFile);
  file.prepare(sql).run(...values);
  file.close();
}

const later = 'UPDATE oauth_items SET consumed_ts = consumed_ts - 11000 WHERE consumed_ts IS NOT NULL';
const over = (kind: string) =>
  `UPDATE oauth_items SET expires_ts = 1, payload = json_set(payload, '$.exp', 1) WHERE kind = '${kind}'`;

describe('tokens', () => {
  let stage: Stage;
  let service: Service;
  let person: Browser;
  before(async () => {
    stage = await openStage();
    service = stage.service;
    person = await service.member('tokens@example.com');
  });
  after(() => stage.close());

  it('are for the agents’ endpoint alone', async () => {
    const { access_token: token } = await service.connect(person);
    assert.equal((await service.call(token)).status, 200);
    const rest = await service.server.get('/api/v1/stats', { key: token });
    assert.equal(rest.status, 401);
    change(stage, `UPDATE oauth_items SET payload = json_set(payload, '$.aud', 'https://other.example/mcp')`);
    const other = await service.connect(person);
    change(
      stage,
      `UPDATE oauth_items SET payload = json_set(payload, '$.aud', 'https://other.example/mcp') WHERE kind = 'AccessToken'`,
    );
    assert.equal((await service.call(other.access_token)).status, 401);
  });

  it('a 401 leads to the metadata, and says that the token is at fault', async () => {
    for (const token of ['x', 'x'.repeat(43), `${'x'.repeat(43)}=`, 'ey.J.x']) {
      const { status, headers } = await service.call(token);
      assert.equal(status, 401);
      const challenge = headers.get('www-authenticate') ?? '';
      assert.match(challenge, /error="invalid_token"/);
      assert.match(challenge, /scope="catalogue:read"/);
      assert.ok(
        challenge.includes(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`),
      );
    }
  });

  it('run out', async () => {
    const { client, access_token: access, refresh_token: refresh } = await service.connect(person);
    change(stage, over('AccessToken'));
    assert.equal((await service.call(access)).status, 401);
    const renewed = await service.refresh(client, refresh);
    assert.equal(renewed.status, 200);
    assert.equal((await service.call(String(renewed.body.access_token))).status, 200);
    change(stage, over('RefreshToken'));
    const late = await service.refresh(client, String(renewed.body.refresh_token));
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant']);
  });

  it('a refresh token is for one time, but for clients that race with themselves', async () => {
    const { client, refresh_token: first } = await service.connect(person);
    const racing = await Promise.all(Array.from({ length: 8 }, () => service.refresh(client, first)));
    assert.deepEqual(
      racing.map(({ status }) => status),
      Array(8).fill(200),
    );
    const tokens = racing.map(({ body }) => String(body.access_token));
    assert.equal(new Set(tokens).size, 8);
    for (const token of tokens) assert.equal((await service.call(token)).status, 200);
  });

  it('used again later, it ends its family, and no other', async () => {
    const bystander = await service.connect(person);
    const { client, access_token: access, refresh_token: first } = await service.connect(person);
    const { body: second } = await service.refresh(client, first);
    change(stage, later);
    const reused = await service.refresh(client, first);
    assert.deepEqual([reused.status, reused.body.error], [400, 'invalid_grant']);
    assert.equal((await service.refresh(client, String(second.refresh_token))).status, 400);
    for (const token of [access, String(second.access_token)]) {
      assert.equal((await service.call(token)).status, 401);
    }
    assert.equal((await service.call(bystander.access_token)).status, 200);
    assert.equal((await service.refresh(bystander.client, bystander.refresh_token)).status, 200);
  });

  it('used again within its grace, it gives the same successor: a thief gets no branch of his own', async () => {
    const { client, refresh_token: first } = await service.connect(person);
    const racing = await Promise.all(Array.from({ length: 8 }, () => service.refresh(client, first)));
    const successors = new Set(racing.map(({ body }) => String(body.refresh_token)));
    assert.equal(successors.size, 1);
    const [second = ''] = successors;
    assert.match(second, /^[\w-]{43}$/);
    assert.notEqual(second, first);
    // As eight seconds later: still within the grace.
    change(stage, 'UPDATE oauth_items SET consumed_ts = consumed_ts - 8000 WHERE consumed_ts IS NOT NULL');
    const repeated = await service.refresh(client, first);
    assert.deepEqual([repeated.status, repeated.body.refresh_token], [200, second]);
    const third = await service.refresh(client, second);
    assert.equal(third.status, 200);
    assert.ok(![first, second].includes(String(third.body.refresh_token)));
    assert.equal((await service.call(String(third.body.access_token))).status, 200);
  });

  it('used again after its successor was used, it ends its family, also within its grace', async () => {
    const { client, refresh_token: first } = await service.connect(person);
    const { body: second } = await service.refresh(client, first);
    const { body: third } = await service.refresh(client, String(second.refresh_token));
    const reused = await service.refresh(client, first);
    assert.deepEqual([reused.status, reused.body.error], [400, 'invalid_grant']);
    for (const token of [second, third]) {
      assert.equal((await service.refresh(client, String(token.refresh_token))).status, 400);
      assert.equal((await service.call(String(token.access_token))).status, 401);
    }
  });

  it('the successor of a token is another in another file', async () => {
    const { client, refresh_token: first } = await service.connect(person);
    const { body } = await service.refresh(client, first);
    const guess = createHash('sha256').update(first).digest('base64url');
    assert.notEqual(body.refresh_token, guess);
    const folder = temporaryFolder();
    const access = openAccess(openDatabase(join(folder.path, 'other.db'), { create: true }), systemClock);
    assert.notEqual(access.oauth.successorOf(first), body.refresh_token);
    assert.equal(access.oauth.successorOf(first), access.oauth.successorOf(first));
    access.close();
    folder.remove();
  });

  it('two installations of one client do not sign each other out', async () => {
    const { client_id: client } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
    const installations = [];
    for (let index = 0; index < 2; index += 1) {
      const { code, verifier } = await service.code(person, client);
      installations.push((await service.redeem(client, code, verifier)).body);
    }
    const [one, other] = installations as [Record<string, string>, Record<string, string>];
    await service.post('/oauth/revoke', { token: one.refresh_token as string, client_id: client });
    assert.equal((await service.call(one.access_token as string)).status, 401);
    assert.equal((await service.call(other.access_token as string)).status, 200);
  });

  it('only their own client revokes them; an unknown one is no mistake', async () => {
    const { access_token: access } = await service.connect(person);
    const { client_id: stranger } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
    assert.equal(
      (await service.post('/oauth/revoke', { token: access, client_id: stranger })).status,
      200,
      'RFC 7009, 2.2',
    );
    assert.equal((await service.call(access)).status, 200);
    assert.equal(
      (await service.post('/oauth/revoke', { token: 'unknown', client_id: stranger })).status,
      200,
    );
  });

  it('share their account’s quota and plan, and have a window of their own', async () => {
    const { client, access_token: token, refresh_token: refresh } = await service.connect(person);
    const first = (await service.call(token)).headers;
    assert.deepEqual(
      [first.get('x-ratelimit-limit'), first.get('x-ratelimit-remaining'), first.get('x-quota-limit')],
      ['60', '59', '10000'],
    );
    run(['accounts', 'set-plan', 'tokens@example.com', 'premium', '--data', stage.dataFile]);
    const second = (await service.call(token)).headers;
    assert.equal(second.get('x-ratelimit-limit'), '300');
    assert.equal(second.get('x-ratelimit-remaining'), '298');
    assert.equal(
      Number(second.get('x-quota-remaining')),
      100_000 - 10_000 + Number(first.get('x-quota-remaining')) - 1,
    );
    const { body } = await service.refresh(client, refresh);
    const renewed = (await service.call(String(body.access_token))).headers;
    assert.equal(renewed.get('x-ratelimit-remaining'), '297', 'no new window by a new token');
    const other = await service.connect(person);
    assert.equal((await service.call(other.access_token)).headers.get('x-ratelimit-remaining'), '299');
  });

  it('end with their account', async () => {
    const doomed = await service.member('doomed@example.com');
    const { client, access_token: access, refresh_token: refresh } = await service.connect(doomed);
    assert.equal((await service.call(access)).status, 200);
    assert.equal(
      run(['accounts', 'delete', 'doomed@example.com', '--yes', '--data', stage.dataFile]).status,
      0,
    );
    assert.equal((await service.call(access)).status, 401);
    assert.equal((await service.refresh(client, refresh)).status, 400);
    const file = new Database(stage.dataFile, { readonly: true });
    const left = file.prepare(`SELECT count(*) FROM oauth_grants WHERE client_id = ?`).pluck().get(client);
    file.close();
    assert.equal(left, 0);
  });

  it('no secret that a client presents is in the file', async () => {
    const secretive = await service.register({
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    const secret = String(secretive.client_secret);
    const { code, verifier } = await service.code(person, secretive.client_id);
    const { body } = await service.redeem(secretive.client_id, code, verifier, { client_secret: secret });
    const waiting = await person.walk(
      service.authorizeUrl({ client_id: secretive.client_id, code_challenge: 'c'.repeat(43) }),
    );
    const uid = waiting.url.split('/').at(-1) as string;
    const folder = dirname(stage.dataFile);
    const all = readdirSync(folder)
      .filter((name) => name.startsWith('oauth.db'))
      .map((name) => readFileSync(join(folder, name)));
    const content = Buffer.concat(all);
    assert.ok(content.includes('catalogue:read'));
    for (const text of [code, verifier, secret, uid, String(body.access_token), String(body.refresh_token)]) {
      assert.ok(text.length >= 40);
      assert.ok(!content.includes(text), text);
    }
  });

  it('the resource may be named with a slash at its end, twice, or not at all; no other is served', async () => {
    const { client_id: client } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
    for (const resource of [service.resource, `${service.resource}/`]) {
      const { code, verifier } = await service.code(person, client, { resource });
      const { body } = await service.redeem(client, code, verifier, { resource: `${service.resource}/` });
      assert.equal((await service.call(String(body.access_token))).status, 200);
    }
    for (const resource of ['https://other.example/mcp', service.url, `${service.resource}x`, 'nonsense']) {
      const seen = await person.walk(
        service.authorizeUrl({ client_id: client, code_challenge: 'c'.repeat(43), resource }),
      );
      assert.equal(seen.status, 400);
      assert.match(seen.text, /asks for access to another service[\s\S]*<code>invalid_target<\/code>/);
    }
    const { code, verifier } = await service.code(person, client);
    const wrong = await service.redeem(client, code, verifier, { resource: 'https://other.example/mcp' });
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_target']);
  });

  it('expired rows are deleted: tokens, grants without tokens, unapproved clients', async () => {
    const { client } = await service.connect(person);
    const { client_id: unused } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
    const count = (sql: string, ...values: unknown[]) => {
      const file = new Database(stage.dataFile, { readonly: true });
      const found = file
        .prepare(sql)
        .pluck()
        .get(...values);
      file.close();
      return found;
    };
    const clients = 'SELECT count(*) FROM oauth_clients WHERE id = ?';
    change(stage, 'UPDATE oauth_clients SET created_ts = created_ts - 8 * 86400000');
    change(stage, 'UPDATE oauth_grants SET created_ts = 1');
    await service.server.stop();
    const again = await openStage({ dataFile: stage.dataFile });
    await until(() => count(clients, unused) === 0);
    assert.equal(count(clients, client), 1, 'somebody let it in');
    change(stage, 'UPDATE oauth_items SET expires_ts = 1');
    change(stage, 'UPDATE oauth_clients SET last_used_ts = 1');
    await again.service.server.stop();
    const last = await openStage({ dataFile: stage.dataFile });
    await until(() => count('SELECT count(*) FROM oauth_items') === 0);
    await until(() => count('SELECT count(*) FROM oauth_grants') === 0);
    await until(() => count(clients, client) === 0);
    await again.close();
    await last.close();
  });
});

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 1) {
    assert.ok(waited < 200, String(isSo));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('several worker processes', () => {
  it('know the same clients, requests, tokens and revocations', async () => {
    const stage = await openStage({ more: ['--workers', '2'] });
    const { service } = stage;
    try {
      const person = await service.member('workers@example.com');
      // Six tabs of one browser.
      const flows = await Promise.all(Array.from({ length: 6 }, () => service.connect(person)));
      for (const { access_token: token } of flows) {
        const statuses = await Promise.all(Array.from({ length: 6 }, () => service.call(token)));
        assert.ok(statuses.every(({ status }) => status === 200));
      }
      const [{ client, refresh_token: refresh, access_token: access }, other] = flows as [
        (typeof flows)[0],
        (typeof flows)[0],
      ];
      const renewed = await Promise.all(
        Array.from({ length: 8 }, () => service.refresh(other.client, other.refresh_token)),
      );
      assert.equal(new Set(renewed.map(({ body }) => body.refresh_token)).size, 1, 'one successor');
      await service.post('/oauth/revoke', { token: refresh, client_id: client });
      const after = await Promise.all(Array.from({ length: 8 }, () => service.call(access)));
      assert.ok(after.every(({ status }) => status === 401));
      const { client_id: racing } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
      const { code, verifier } = await service.code(person, racing);
      const redeemed = await Promise.all(
        Array.from({ length: 8 }, () => service.redeem(racing, code, verifier)),
      );
      // None, where the replay was noticed before the first had its tokens: all that came of the code ends then.
      assert.ok(redeemed.filter(({ status }) => status === 200).length <= 1);
    } finally {
      await stage.close();
    }
  });
});
