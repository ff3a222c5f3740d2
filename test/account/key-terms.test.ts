/** Keys with an end, a scope or a successor: on the dashboard, and what the API and agents answer to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../src/clock.ts';
import { idsOn, Person, servePages } from '../support/account-pages.ts';

const time = { now: Date.parse('2026-11-20T12:00:00Z') };
const clock: Clock = { now: () => time.now };
const pages = await servePages({}, clock);
const dashboard = '/account/developer';
const keyForm = '/account/developer/keys';
const keyPattern = /cb_live_\w{6}_\w{38}/;

const ask = (key: string, path = '/api/v1/stats') =>
  new Person(pages).send(path, { headers: { authorization: `Bearer ${key}` } });

const callAgent = (key: string) =>
  new Person(pages).send('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

async function member(email: string): Promise<Person> {
  const person = new Person(pages);
  await person.signUp(email);
  return person;
}

async function create(person: Person, fields: Record<string, string>): Promise<string> {
  const answer = await person.fill(dashboard, { name: 'laptop', ...fields }, keyForm);
  assert.equal(answer.status, 200, answer.text);
  const [key] = keyPattern.exec(answer.text) ?? [];
  assert.ok(key);
  return key;
}

test('a key of the wrong scope gets 403 with limit headers, and the request counts', async () => {
  const person = await member('scope@example.com');
  const rest = await create(person, { scope: 'rest' });
  const agents = await create(person, { scope: 'agents' });
  assert.match((await person.open(dashboard)).text, /Agents \(MCP\) only[\s\S]*REST API only/);
  assert.equal((await ask(rest)).status, 200);
  assert.equal((await callAgent(agents)).status, 200);
  for (const answer of [await ask(agents), await callAgent(rest)]) {
    assert.equal(answer.status, 403);
    const { error } = answer.json() as { error: { type: string; message: string; request_id: string } };
    assert.equal(error.type, 'forbidden');
    assert.match(error.message, /Send a key with the scope (rest|agents) or all/);
    assert.equal(error.request_id, answer.headers['x-request-id']);
    assert.match(String(answer.headers['x-quota-remaining']), /^\d+$/);
  }
  // Four requests, whatever their status.
  const { usage } = await pages.access.accounts.show('scope@example.com');
  assert.equal(usage.used, 4);
});

test('an expired key gets the 401 of a revoked one, and is listed as expired', async () => {
  const person = await member('expiry@example.com');
  const key = await create(person, { expires: '30d' });
  assert.match((await person.open(dashboard)).text, /, expires <time[^>]*>20 Dec 2026, 12:00 UTC/);
  assert.equal((await ask(key)).status, 200);
  const before = time.now;
  time.now += 30 * 86_400_000;
  try {
    for (const answer of [await ask(key), await ask(key), await callAgent(key)]) {
      assert.equal(answer.status, 401);
      assert.equal((answer.json() as { error: { type: string } }).error.type, 'unauthorized');
    }
    assert.equal((await person.signIn('expiry@example.com')).status, 303);
    const { text } = await person.open(dashboard);
    assert.match(text, /<span class="tag">expired<\/span>[\s\S]*, expired <time/);
    assert.doesNotMatch(text, /\/rotate"|\/revoke"/);
    const [{ id } = { id: '' }] = await pages.access.keys.list('expiry@example.com');
    assert.equal((await person.send(`${keyForm}/${id}/rotate`)).status, 303);
  } finally {
    time.now = before;
  }
});

test('replacing a key: the page asks how long the old one stays, and shows the new one once', async () => {
  const person = await member('rotate@example.com');
  const old = await create(person, { scope: 'rest' });
  const [id] = idsOn((await person.open(dashboard)).text, /keys\/(key_\w+)\/rotate/g);
  const path = `${keyForm}/${id}/rotate`;
  const question = await person.open(path);
  assert.match(question.text, /Replace this key\?[\s\S]*one more day/);
  const answer = await person.fill(path, { overlap: '1h' });
  assert.equal(answer.status, 200, answer.text);
  const [next = ''] = keyPattern.exec(answer.text) ?? [];
  assert.match(answer.text, /The old key is valid until <time[^>]*>20 Nov 2026, 13:00 UTC/);
  assert.deepEqual([(await ask(old)).status, (await ask(next)).status], [200, 200]);
  assert.equal((await callAgent(next)).status, 403, 'the scope is that of the old key');
  time.now += 3_600_000;
  assert.deepEqual([(await ask(old)).status, (await ask(next)).status], [401, 200]);
  assert.ok(pages.log.some((line) => line.includes('key rotated') && line.includes(String(id))));
  const eve = await member('eve@example.com');
  assert.equal((await eve.send(path)).status, 404);
  const [other] = idsOn((await person.open(dashboard)).text, /keys\/(key_\w+)\/rotate/g);
  const refused = await person.fill(`${keyForm}/${other}/rotate`, { overlap: 'ever' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /Choose from the list how long the old key stays valid/);
});
