/** A suspended account: every credential of it is refused from the next request on, and works again afterwards. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStage, type Service, type Stage } from '../support/oauth.ts';
import { run, runJson } from '../support/program.ts';

const email = 'suspended@example.com';
let stage: Stage;
let service: Service;
before(async () => {
  stage = await openStage();
  service = stage.service;
});
after(() => stage.close());

const accounts = (...words: string[]) => run(['accounts', ...words, '--data', stage.dataFile]);

test('keys, sessions, tokens, refresh tokens and the password are refused, and come back', async () => {
  const person = await service.member(email);
  const { access_token: token, refresh_token: refresh, client } = await service.connect(person);
  const { key } = runJson<{ key: string }>([
    'keys',
    'create',
    email,
    '--name',
    'a',
    '--data',
    stage.dataFile,
  ]);
  const statuses = async () => ({
    key: (await service.server.get('/api/v1/stats', { key })).status,
    token: (await service.call(token)).status,
    session: (await person.ask('/account/developer')).status,
  });
  assert.deepEqual(await statuses(), { key: 200, token: 200, session: 200 });

  const suspended = accounts('suspend', email, '--reason', 'key published');
  assert.equal(suspended.stdout, `${email} is suspended\n`);
  assert.deepEqual(await statuses(), { key: 401, token: 401, session: 303 });
  const refreshed = await service.refresh(client, refresh);
  assert.equal(refreshed.status, 400);
  assert.equal(refreshed.body.error, 'invalid_grant');
  const stranger = service.person();
  const refused = await stranger.signIn(email, await stranger.walk('/account/sign-in'));
  assert.equal(refused.status, 403);
  assert.match(refused.text, /This account is suspended\. Ask the operator/);
  const shown = runJson<{ suspended_at: string }>(['accounts', 'show', email, '--data', stage.dataFile]);
  assert.match(shown.suspended_at, /^\d{4}-/);
  assert.match(accounts('suspend', email).stderr, /is suspended already/);

  assert.equal(accounts('unsuspend', email).stdout, `${email} is active again\n`);
  assert.deepEqual(await statuses(), { key: 200, token: 200, session: 200 });
});

test('a wrong password of a suspended account does not say that it is suspended', async () => {
  const other = 'quiet@example.com';
  await service.member(other);
  accounts('suspend', other);
  const stranger = service.person();
  const answer = await stranger.signIn(other, await stranger.walk('/account/sign-in'), 'a wrong password');
  assert.equal(answer.status, 401);
  assert.doesNotMatch(answer.text, /suspended/);
});
