/** Registrations of one app: many installations share a client, and none can change it or use up the limits of others. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openAccess, TooManyClients } from '../../src/access/access.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStage, type Service, type Stage } from '../support/oauth.ts';
import { temporaryFolder } from '../support/program.ts';

type Json = Record<string, unknown>;
const hour = 3_600_000;
const assistant = {
  client_name: 'Assistant',
  redirect_uris: ['https://assistant.example/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};
const network = '203.0.113.5';

async function serve(t: TestContext, more: readonly string[] = []): Promise<Stage> {
  const stage = await openStage({ more: ['--trust-proxy', ...more] });
  t.after(() => stage.close());
  return stage;
}

const register = (service: Service, metadata: Json, from = network) =>
  service.post('/oauth/register', JSON.stringify(metadata), { 'x-forwarded-for': from });

/** The ids that registrations get, and how many are refused. */
async function registerMany(service: Service, count: number, metadataOf: (round: number) => Json) {
  const ids: string[] = [];
  let refused = 0;
  for (let round = 0; round < count; round += 1) {
    const { status, body, headers } = await register(service, metadataOf(round));
    if (status === 201) ids.push(String(body.client_id));
    else {
      assert.equal(status, 429);
      assert.match(String(headers.get('retry-after')), /^[1-9]\d*$/);
      refused += 1;
    }
  }
  return { ids: new Set(ids).size, made: ids.length, refused };
}

function countClients({ dataFile }: Stage): number {
  const file = new Database(dataFile, { readonly: true });
  const count = file.prepare('SELECT count(*) FROM oauth_clients').pluck().get() as number;
  file.close();
  return count;
}

test('one app registers 150 times from one network: one client, and the limit of new ones is not used up', async (t) => {
  const stage = await serve(t);
  const { service } = stage;
  assert.deepEqual(await registerMany(service, 150, () => assistant), { ids: 1, made: 150, refused: 0 });
  assert.equal(countClients(stage), 1);
  const others = await registerMany(service, 40, (round) => ({
    ...assistant,
    client_name: `Other ${round}`,
  }));
  assert.deepEqual(others, { ids: 29, made: 29, refused: 11 });
  assert.equal((await register(service, assistant)).status, 201, 'a known app from a network at its limit');
});

test('the same client: order, defaults, members of other services, Unicode, and ports of loopback addresses', async (t) => {
  const { service } = await serve(t, ['--workers', '2']);
  const first = (await register(service, { ...assistant, client_name: 'Caf\u00e9' })).body;
  const same: Json[] = [
    Object.fromEntries(Object.entries({ ...assistant, client_name: 'Café' }).reverse()),
    { ...assistant, client_name: ' Cafe\u0301\n', grant_types: ['refresh_token', 'authorization_code', 'x'] },
    { client_name: 'Café', redirect_uris: assistant.redirect_uris, token_endpoint_auth_method: 'none' },
    { ...assistant, client_name: 'Café', scope: 'openid email', contacts: ['a@b.example'], software_id: '7' },
    { ...assistant, client_name: 'Café', client_id: 'chosen', client_secret: 'chosen' },
  ];
  for (const metadata of same) {
    const { status, body } = await register(service, metadata, '198.51.100.9');
    assert.deepEqual([status, body], [201, first]);
  }
  const local = (...ports: number[]) => ({
    ...assistant,
    redirect_uris: ports.map((port) => `http://127.0.0.1:${port}/callback`),
  });
  const ids = await registerMany(service, 50, (round) => local(40_000 + round));
  assert.deepEqual(ids, { ids: 1, made: 50, refused: 0 });
  const { body } = await register(service, local(50_001));
  assert.deepEqual(
    body.redirect_uris,
    ['http://127.0.0.1:50001/callback'],
    'an installation reads its own port',
  );
});

test('another client: any other metadata, no name, a secret, keys', async (t) => {
  const { service } = await serve(t);
  const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  const all: Json[] = [
    assistant,
    { ...assistant, redirect_uris: ['https://attacker.example/callback'] },
    { ...assistant, redirect_uris: [...assistant.redirect_uris, 'https://attacker.example/callback'] },
    { ...assistant, redirect_uris: ['https://assistant.example/Callback'] },
    { ...assistant, redirect_uris: ['https://assistant.example:8443/callback'] },
    { ...assistant, redirect_uris: ['http://127.0.0.1:1/callback'] },
    { ...assistant, redirect_uris: ['http://127.0.0.1:1/other'] },
    { ...assistant, redirect_uris: ['http://localhost:1/callback'] },
    { ...assistant, redirect_uris: ['http://[::1]:1/callback'] },
    { ...assistant, client_name: 'assistant' },
    { ...assistant, client_uri: 'https://attacker.example/' },
    { ...assistant, logo_uri: 'https://attacker.example/logo.png' },
    { ...assistant, grant_types: ['authorization_code'] },
    { ...assistant, client_name: undefined },
    { ...assistant, token_endpoint_auth_method: undefined },
    { ...assistant, token_endpoint_auth_method: undefined },
    { ...assistant, client_name: undefined },
    { ...assistant, token_endpoint_auth_method: 'client_secret_basic' },
    { ...assistant, token_endpoint_auth_method: 'client_secret_basic' },
    { ...assistant, jwks: { keys: [key] } },
    { ...assistant, jwks: { keys: [key] } },
  ];
  const answers: Json[] = [];
  for (const metadata of all) answers.push((await register(service, metadata)).body);
  assert.equal(new Set(answers.map(({ client_id: id }) => id)).size, all.length);
  const secrets = answers.map(({ client_secret: secret }) => secret).filter((secret) => secret !== undefined);
  assert.equal(new Set(secrets).size, 2);
});

test('metadata that defeats normalization shares no id, so it cannot poison that of an app', async (t) => {
  const { service } = await serve(t);
  const deep = `${'['.repeat(7_000)}${']'.repeat(7_000)}`;
  const text = JSON.stringify({ ...assistant, scope: 'openid', require_auth_time: true });
  const { body } = await service.post('/oauth/register', `${text.slice(0, -1)},"jwks":{"keys":${deep}}}`);
  const { body: honest } = await register(service, assistant);
  assert.notEqual(body.client_id, honest.client_id);
  const member = await service.member('poison@example.com');
  const { code, verifier } = await service.code(member, String(honest.client_id), {
    redirect_uri: assistant.redirect_uris[0] as string,
  });
  const redeemed = await service.redeem(String(honest.client_id), code, verifier, {
    redirect_uri: assistant.redirect_uris[0] as string,
  });
  assert.equal(redeemed.status, 200);
});

test('no registrant can change or delete a shared client, and people do not sign each other out', async (t) => {
  const { service } = await serve(t);
  const local = (port: number) => ({ ...assistant, redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const { body: one } = await register(service, local(7_001));
  const { body: two } = await register(service, local(7_002));
  assert.equal(one.client_id, two.client_id);
  assert.equal(one.client_id_issued_at, two.client_id_issued_at);
  for (const body of [one, two])
    assert.deepEqual([body.registration_access_token, body.registration_client_uri], [undefined, undefined]);
  const id = String(one.client_id);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status } = await fetch(`${service.url}/oauth/register/${id}`, { method });
    assert.ok(status === 404 || status === 405, `${method} ${status}`);
  }
  const pairs: Json[] = [];
  for (const [email, port] of [
    ['one@example.com', 7_001],
    ['two@example.com', 7_002],
  ] as const) {
    const redirect = { redirect_uri: `http://127.0.0.1:${port}/callback` };
    const { code, verifier } = await service.code(await service.member(email), id, redirect);
    const { status, body } = await service.redeem(id, code, verifier, redirect);
    assert.equal(status, 200);
    pairs.push(body);
  }
  const [first, second] = pairs as [Json, Json];
  await service.post('/oauth/revoke', { token: String(first.refresh_token), client_id: id });
  assert.equal((await service.call(String(first.access_token))).status, 401);
  assert.equal((await service.call(String(second.access_token))).status, 200);
});

test('an authorization request names the loopback address of its installation', async (t) => {
  const { service } = await serve(t);
  const { body } = await register(service, {
    ...assistant,
    redirect_uris: ['http://127.0.0.1:7001/callback'],
  });
  const address = new URL(
    service.authorizeUrl({ client_id: String(body.client_id), code_challenge: 'c'.repeat(43) }),
  );
  address.searchParams.delete('redirect_uri');
  const seen = await (await service.member('omitted@example.com')).walk(address.href);
  assert.equal(seen.status, 400);
  assert.match(seen.text, /redirect_uri/);
});

test('twenty first registrations at once, of two processes, make one client', async (t) => {
  const stage = await serve(t, ['--workers', '2']);
  const answers = await Promise.all(Array.from({ length: 20 }, () => register(stage.service, assistant)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.client_id)).size, 1);
  assert.equal(countClients(stage), 1);
});

/** Accounts over a file with a clock that the test sets. */
function open(t: TestContext) {
  const folder = temporaryFolder();
  const path = `${folder.path}/test.db`;
  const clock = { time: Date.parse('2026-11-20T12:00:00Z'), now: () => clock.time };
  const sqlite = openDatabase(path, { create: true });
  const access = openAccess(sqlite, clock, clock);
  t.after(() => {
    access.close();
    folder.remove();
  });
  const id = access.oauth.sharedClientId('assistant');
  const repeat = (from = network) =>
    access.oauth.registerClient(id, assistant, from).then(
      () => 0,
      (failure: unknown) => {
        assert.ok(failure instanceof TooManyClients);
        return failure.retryAfter;
      },
    );
  const file = new Database(path);
  t.after(() => file.close());
  const row = () => file.prepare('SELECT * FROM oauth_clients WHERE id = ?').get(id) as Json | undefined;
  return { access, clock, file, id, repeat, row };
}

test('one network repeats 600 registrations at once, then 600 an hour; others are not refused', async (t) => {
  const { repeat, clock } = open(t);
  assert.equal(await repeat('198.51.100.1'), 0);
  let made = 0;
  for (let round = 0; round < 700; round += 1) if ((await repeat()) === 0) made += 1;
  assert.equal(made, 600);
  assert.equal(await repeat(), 6);
  assert.equal(await repeat('198.51.100.2'), 0);
  clock.time += hour;
  for (let round = 0; round < 700; round += 1) if ((await repeat()) === 0) made += 1;
  assert.equal(made, 1_200);
});

test('a repeated registration renews an unused client, within the limits of new ones', async (t) => {
  const { access, clock, repeat, row } = open(t);
  const begin = clock.time;
  await repeat();
  clock.time += hour / 6;
  await repeat();
  assert.equal(row()?.created_ts, begin);
  clock.time += hour / 6;
  await repeat('198.51.100.1');
  assert.equal(row()?.created_ts, clock.time);
  // A network at its limit gets the id too, but does not keep the client longer.
  const renewed = clock.time;
  clock.time += hour / 2;
  for (let round = 0; round < 30; round += 1) await access.oauth.registerClient(`c${round}`, {}, network);
  assert.equal(await repeat(), 0);
  assert.equal(row()?.created_ts, renewed);
  assert.deepEqual(JSON.parse(String(row()?.metadata)), assistant, 'metadata stays');
});

test('an authorized client stays when unused ones are removed, and while it is repeated', async (t) => {
  const { access, clock, file, id, repeat, row } = open(t);
  await repeat();
  file.prepare('UPDATE oauth_clients SET last_used_ts = ? WHERE id = ?').run(clock.time, id);
  const insert = file.prepare("INSERT INTO oauth_clients VALUES (?, '{}', 'o', 'r', ?, NULL)");
  for (let round = 0; round < 2_000; round += 1) insert.run(`flood${round}`, clock.time + round);
  clock.time += 2 * hour;
  await access.oauth.registerClient('newest', {}, network);
  const unused = 'SELECT count(*) FROM oauth_clients WHERE last_used_ts IS NULL';
  assert.equal(file.prepare(unused).pluck().get(), 1_500);
  assert.ok(row());
  // It is deleted after 180 days without use. A registration shortly before renews it.
  clock.time += 179.5 * 24 * hour;
  await repeat();
  clock.time += 24 * hour;
  await access.prune();
  assert.ok(row());
});
