/** /account/developer over HTTP: keys shown once, used, counted, revoked; the plan and the month; nothing of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenClock } from '../../src/clock.ts';
import { hiddenFields, idsOn, Person, servePages } from '../support/account-pages.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const pages = await servePages({}, frozenClock(now));
const dashboard = '/account/developer';
const newKey = '/account/developer/keys';
let made = 0;

async function member(): Promise<{ person: Person; email: string }> {
  const person = new Person(pages);
  const email = `developer${++made}@example.com`;
  await person.signUp(email);
  return { person, email };
}

/** Asks the API with a key, as a program does. */
const ask = (key: string, path = '/api/v1/stats') =>
  new Person(pages).send(path, { headers: { authorization: `Bearer ${key}` } });

test('a key is shown once, works, is counted, and stops when it is revoked', async () => {
  const { person } = await member();
  assert.match(
    (await person.open(dashboard)).text,
    /No keys yet[\s\S]*No requests yet[\s\S]*No app is connected/,
  );
  const answer = await person.fill(dashboard, { name: 'laptop' }, newKey);
  const [key = ''] = /cb_live_\w{6}_\w{38}/.exec(answer.text) ?? [];
  assert.equal(answer.headers['cache-control'], 'no-store, no-transform');
  const [, curl = ''] = /<code id="curl">([^<]*)/.exec(answer.text) ?? [];
  const readable = curl.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  assert.equal(readable, `curl -H 'Authorization: Bearer ${key}' '${pages.url}/api/v1/events?limit=3'`);

  const listed = await person.open(dashboard);
  assert.ok(!listed.text.includes(key));
  assert.ok(listed.text.includes(`cb_live_${key.slice(8, 14)}_…${key.slice(-4)}`));
  assert.match(listed.text, /Created <time[^>]*>20 Nov 2026<\/time>, never used/);
  for (let round = 0; round < 3; round += 1) assert.equal((await ask(key)).status, 200);
  const used = await person.open(dashboard);
  assert.match(used.text, /3 of 10,000 requests/);
  assert.match(used.text, /last used <time[^>]*>20 Nov 2026, 12:00 UTC/);
  assert.match(used.text, /begins again on <time[^>]*>1 Dec 2026/);
  assert.match(used.text, /<th scope="row">20 Nov<\/th><td class="number">3<\/td><td class="number">0<\/td>/);
  assert.match(used.text, /<th scope="row">Nov 2026<\/th><td class="number">3<\/td>/);
  assert.ok(used.text.includes(`Data from cratebase (${pages.url})`));

  const [id] = idsOn(used.text, /keys\/(key_\w+)\/revoke/g);
  const revoke = `${newKey}/${id}/revoke`;
  assert.match((await person.open(revoke)).text, /Revoke this key\?/);
  assert.equal((await ask(key)).status, 200, 'looking at the question revokes nothing');
  assert.equal((await person.fill(revoke, {})).headers.location, '/account/developer?done=revoked#keys');
  assert.equal((await ask(key)).status, 401);
  const after = await person.open(dashboard);
  assert.match(after.text, /<span class="tag">revoked<\/span>/);
  assert.ok(!after.text.includes(revoke));
  assert.equal((await person.send(revoke)).status, 303, 'there is nothing left to ask');
});

test('a form that is sent twice, or ten times at once, makes one key', async () => {
  const { person, email } = await member();
  const form = { ...hiddenFields((await person.open(dashboard)).text, newKey), name: 'once' };
  assert.equal((await person.post(newKey, form)).status, 200);
  const again = await person.post(newKey, form);
  assert.equal(again.headers.location, '/account/developer?done=sent-before#keys');
  assert.match((await person.open('/account/developer?done=sent-before')).text, /was sent before/);
  const next = { ...hiddenFields((await person.open(dashboard)).text, newKey), name: 'burst' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => person.post(newKey, next)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal((await pages.access.keys.list(email)).length, 2);
});

test('names of keys: escaped, in any script, never more than a line', async () => {
  const { person, email } = await member();
  for (const name of ['', '   ', 'x'.repeat(101), 'a\nb', 'a\r\nSet-Cookie: x=1', 'a\u0000b', 'a\u2028b']) {
    const answer = await person.fill(dashboard, { name }, newKey);
    assert.equal(answer.status, 400, JSON.stringify(name));
    assert.match(answer.text, /Give a name of 1 to 100 characters/);
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  const names = ['<img src=x onerror=alert(1)>', '"\'&', '電気グルーヴ', '\u202egnp.exe', 'W'.repeat(100)];
  for (const name of names) await person.fill(dashboard, { name }, newKey);
  const { text } = await person.open(dashboard);
  assert.ok(!text.includes('<img'));
  assert.ok(text.includes('&lt;img src=x onerror=alert(1)'));
  assert.ok(text.includes('電気グルーヴ'));
  // What turns the text around it is left out.
  const kept = names.map((name) => name.replace('\u202e', '')).sort();
  assert.deepEqual((await pages.access.keys.list(email)).map(({ name }) => name).sort(), kept);
});

test('keys and apps of another account are as good as none', async () => {
  const [ada, mallory] = [await member(), await member()];
  const key = await ada.person.createKey('mine');
  const [id] = idsOn((await ada.person.open(dashboard)).text, /keys\/(key_\w+)\/revoke/g);
  const path = `${newKey}/${id}/revoke`;
  const token = hiddenFields((await mallory.person.open(dashboard)).text, '/account/sign-out');
  assert.equal((await mallory.person.send(path)).status, 404);
  assert.equal((await mallory.person.post(path, token)).status, 404);
  assert.equal((await mallory.person.post(`${newKey}/key_nope/revoke`, token)).status, 404);
  const app = '/account/developer/apps/whatever/disconnect';
  assert.equal((await mallory.person.send(app)).status, 404);
  assert.equal((await mallory.person.post(app, token)).status, 404);
  assert.equal((await ask(key)).status, 200);
  assert.ok(!(await mallory.person.open(dashboard)).text.includes('mine'));
});

test('connected apps: what they may do, and the way to end it', async (t) => {
  const { person, email } = await member();
  const { id } = await pages.access.accounts.show(email);
  const app = {
    id: 'g1',
    name: '<b>Agent</b>',
    uri: null,
    host: 'agent.example',
    scopes: ['catalogue:read'],
  };
  let connected = [{ ...app, createdTs: now, lastUsedTs: now, verified: false }];
  t.mock.method(pages.access.apps, 'list', async (account: string) => (account === id ? connected : []));
  t.mock.method(pages.access.apps, 'disconnect', async (account: string, given: string) => {
    const known = account === id && given === 'g1' && connected.length > 0;
    if (known) connected = [];
    return known;
  });
  const { text } = await person.open(dashboard);
  assert.match(
    text,
    /&lt;b>Agent[\s\S]*agent\.example<\/b><\/span>, not verified[\s\S]*May read the catalogue/,
  );
  connected = [{ ...app, host: 'login.agent.example', createdTs: now, lastUsedTs: now, verified: true }];
  assert.match(
    (await person.open(dashboard)).text,
    /name verified by <span class="host">.*<b>agent\.example<\/b>/,
  );
  const path = '/account/developer/apps/g1/disconnect';
  assert.match((await person.open(path)).text, /Disconnect this app\?/);
  const { person: mallory } = await member();
  const token = hiddenFields((await mallory.open(dashboard)).text, '/account/sign-out');
  assert.equal((await mallory.post(path, token)).status, 404);
  assert.equal((await person.fill(path, {})).headers.location, '/account/developer?done=disconnected#apps');
  assert.match((await person.open(dashboard)).text, /No app is connected/);
});

test('a hundred keys at most, in pages that stay small', async () => {
  const { person, email } = await member();
  for (let round = 0; round < 100; round += 1)
    await pages.access.keys.create(email, `${'長'.repeat(96)} ${round}`);
  const answer = await person.fill(dashboard, { name: 'one more' }, newKey);
  assert.equal(answer.status, 400);
  assert.match(answer.text, /100 active keys/);
  const first = await person.open(dashboard);
  assert.match(first.text, /Page 1 of 5/);
  assert.ok(Buffer.byteLength(first.text) < 50_000, `${Buffer.byteLength(first.text)} bytes`);
  for (const page of ['5', '99', '-1', 'x']) await person.open(`${dashboard}?page=${page}`);
  let listed = 0;
  for (let page = 1; page <= 5; page += 1) {
    listed += idsOn((await person.open(`${dashboard}?page=${page}`)).text, /(長) \d+<\/bdi>/g).length;
  }
  assert.equal(listed, 100);
});

test('plan, own limits and a used-up month are shown as they are', async () => {
  const { person, email } = await member();
  const key = await person.createKey('k');
  await pages.access.accounts.setLimits(email, { window: null, quota: 2 });
  for (let round = 0; round < 3; round += 1) await ask(key);
  assert.match((await person.open(dashboard)).text, /2 of 2 requests[\s\S]*The month is used up/);
  await pages.access.accounts.setPlan(email, 'pro');
  await pages.access.accounts.setLimits(email, { window: null, quota: null });
  const pro = await person.open(dashboard);
  assert.match(pro.text, /<dd>Pro<\/dd>[\s\S]*1,000,000 requests[\s\S]*1,200 requests for each key/);
  assert.ok(!pro.text.includes('Show this wherever'), 'only Free accounts must name their source');
});

test('assets of pages come from this service, are cached permanently, and are small', async () => {
  const visitor = new Person(pages);
  const { text } = await visitor.open('/account/sign-in');
  const paths = idsOn(text, /(?:href|src)="(\/assets\/[^"]+)"/g);
  assert.equal(paths.length, 3);
  let bytes = Buffer.byteLength(text);
  for (const path of paths) {
    const asset = await visitor.open(path);
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(asset.headers['x-content-type-options'], 'nosniff');
    assert.doesNotMatch(asset.text, /url\(|@import|https?:\/\/(?!www\.w3\.org)/, 'nothing from elsewhere');
    bytes += Buffer.byteLength(asset.text);
  }
  assert.ok(bytes < 50_000);
  assert.equal((await visitor.send('/assets/style-000000000000.css')).status, 404);
});
