/** The pages of accounts and of the audit log: each change, its entry, its undo, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { Person, password } from '../support/account-pages.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';

const pages = await serveAdmin({ registration: 'open', pageLimit: '0' });
const { accounts, keys, pending } = pages.access;
const operator = await personWithRole(pages, 'operator@example.com', 'operator');
const editor = await personWithRole(pages, 'editor@example.com', 'editor');

const idOf = async (email: string): Promise<string> => (await accounts.show(email)).id;
const auditLog = pages.app.auditLog();
const lastEntry = () => {
  const [entry] = auditLog.list({ limit: 1 });
  assert.ok(entry);
  return entry;
};

/** Sends a form of the page of an account. */
async function change(person: Person, email: string, action: string, fields: Record<string, string> = {}) {
  const page = `/admin/accounts/${await idOf(email)}`;
  const { text } = await operator.open(page);
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const own = person === operator ? csrf : '';
  return person.post(`${page}/${action}`, { csrf: own, ...fields });
}

test('role, plan and limits are changed, logged with their values, and undone', async () => {
  const email = 'changed@example.com';
  await accounts.create({ email });
  const done = await change(operator, email, 'role', { role: 'editor' });
  assert.equal(done.headers.location, `/admin/accounts/${await idOf(email)}?done=role`);
  assert.equal((await accounts.show(email)).role, 'editor');
  const entry = lastEntry();
  assert.equal(entry.actor, 'account:operator@example.com');
  assert.equal(entry.action, 'account.set-role');
  assert.deepEqual(entry.details, { before: { role: 'user' }, after: { role: 'editor' } });

  await change(operator, email, 'plan', { plan: 'pro' });
  await change(operator, email, 'limits', { month: '50,000', window: '' });
  const { usage } = await accounts.show(email);
  assert.deepEqual([usage.quota, usage.window], [50_000, 1_200]);
  assert.deepEqual(lastEntry().details, {
    before: { window_limit: null, quota_limit: null },
    after: { window_limit: null, quota_limit: 50_000 },
  });
  const refused = await change(operator, email, 'limits', { month: 'many', window: '7' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /name="month"[^>]*aria-invalid="true"[^>]*value="many"/);
  assert.match(refused.text, /name="window"[^>]*value="7"/);
  assert.match(refused.text, /id="field-month-error">A limit is a whole number, or empty\./);
  assert.equal((await change(operator, email, 'role', { role: 'king' })).status, 422);
  assert.equal((await accounts.show(email)).usage.quota, 50_000);

  const path = `/admin/audit/${entry.id}/undo`;
  const undone = await operator.fill('/admin/audit', {}, path);
  assert.equal(undone.headers.location, '/admin/audit?done=undone');
  assert.equal((await accounts.show(email)).role, 'user');
  assert.equal(auditLog.find(entry.id)?.undoneBy, lastEntry().id);
  const { text } = await operator.open('/admin/audit');
  assert.match(text, new RegExp(`undone by entry ${lastEntry().id}`));
  assert.doesNotMatch(text, new RegExp(`action="${path}"`));
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const again = await operator.post(path, { csrf });
  assert.equal(again.status, 422);
  assert.match(again.text, /was undone already, by entry/);
});

test('an undo is refused after a later change', async () => {
  const email = 'twice@example.com';
  await accounts.create({ email });
  await accounts.setPlan(email, 'premium', 'terminal:test');
  const { id } = lastEntry();
  await accounts.setPlan(email, 'pro', 'terminal:test');
  const answer = await operator.fill('/admin/audit', {}, `/admin/audit/${id}/undo`);
  assert.equal(answer.status, 422);
  assert.match(answer.text, /was changed again since/);
  assert.equal((await accounts.show(email)).plan, 'pro');
});

test('the only operator keeps the role, and an operator cannot suspend the own account', async () => {
  const own = 'operator@example.com';
  const demoted = await change(operator, own, 'role', { role: 'user' });
  assert.equal(demoted.status, 422);
  assert.match(demoted.text, /operator@example\.com is the only operator/);
  assert.match((await change(operator, own, 'suspend')).text, /This is your own account/);
  assert.match((await change(operator, own, 'delete')).text, /is the only operator/);
  assert.equal((await accounts.show(own)).role, 'operator');
});

test('suspension ends a session at once; a reason is in the log', async () => {
  const email = 'bad@example.com';
  const person = new Person(pages);
  await person.signUp(email);
  await change(operator, email, 'suspend', { reason: 'sent spam' });
  assert.equal((await person.send('/account/developer')).status, 303);
  assert.equal(lastEntry().details.reason, 'sent spam');
  assert.match((await operator.open('/admin/accounts?suspended=1')).text, /bad@example\.com/);
  const twice = await change(operator, email, 'suspend');
  assert.equal(twice.status, 422);
  assert.match(twice.text, /is suspended already/);
  await change(operator, email, 'unsuspend');
  assert.equal((await person.send('/account/developer')).status, 200);
  await change(operator, email, 'sign-out');
  assert.equal((await person.send('/account/developer')).status, 303);
});

test('a key is revoked, an account deleted', async () => {
  const email = 'keys@example.com';
  await accounts.create({ email });
  const { id, key } = await keys.create(email, 'laptop');
  const status = async () =>
    (await fetch(`${pages.url}/api/v1/stats`, { headers: { authorization: `Bearer ${key}` } })).status;
  assert.equal(await status(), 200);
  await change(operator, email, `keys/${id}/revoke`);
  assert.equal(await status(), 401);
  assert.match((await change(operator, email, `keys/${id}/revoke`)).text, /is revoked already/);
  const account = await idOf(email);
  assert.match((await operator.open(`/admin/accounts/${account}/delete`)).text, /It has no active keys/);
  const gone = await change(operator, email, 'delete');
  assert.equal(gone.headers.location, '/admin/accounts?done=deleted');
  assert.equal((await operator.send(`/admin/accounts/${account}`)).status, 404);
});

test('a key that has expired is no active one', async () => {
  const email = 'expired@example.com';
  await accounts.create({ email });
  const { id } = await keys.create(email, 'old', { expires: '1h' });
  const file = new Database(pages.dataFile);
  file.prepare('UPDATE api_keys SET expires_ts = 1 WHERE id = ?').run(id);
  file.close();
  const page = `/admin/accounts/${await idOf(email)}`;
  const { text } = await operator.open(page);
  assert.match(text, /old(?:<\/\w+>)+ <span class="tag">expired<\/span>/);
  assert.doesNotMatch(text, new RegExp(`keys/${id}/revoke`));
  assert.match((await operator.open(`${page}/delete`)).text, /It has no active keys/);
});

test('separators of a limit stand before three digits: 1.5 is not 15', async () => {
  const email = 'limits@example.com';
  await accounts.create({ email });
  const save = (month: string) => change(operator, email, 'limits', { month, window: '' });
  const quota = async () => (await accounts.show(email)).own_limits.quota;
  for (const [text, limit] of [
    ['1500', 1_500],
    ['2,000', 2_000],
    ['3.000.000', 3_000_000],
    ['40 000', 40_000],
    ["5'000", 5_000],
  ] as const) {
    assert.equal((await save(text)).status, 303, text);
    assert.equal(await quota(), limit, text);
  }
  for (const text of ['1.5', '10.5', '1,50', '1,000.5', '1,000.000', ',500', '1 000 00', '-5', '1e3']) {
    const refused = await save(text);
    assert.equal(refused.status, 422, text);
    assert.match(refused.text, /id="field-month-error">A limit is a whole number, or empty\./);
  }
  assert.equal(await quota(), 5_000);
  const plan = { plan: 'free', 'free-month': '10.5', 'free-window': '60', 'free-from': '', 'free-note': '' };
  const refused = await operator.fill('/admin/settings', plan, '/admin/settings/plan');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="field-free-month-error"/);
});

test('a form without a decision decides nothing', async () => {
  await pending.request('patient@example.com', password, '192.0.2.9');
  const { text } = await operator.open('/admin/accounts');
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  for (const decision of [{}, { decision: 'maybe' }]) {
    const fields = { csrf, email: 'patient@example.com', ...decision };
    const refused = await operator.post('/admin/accounts/requests', fields as Record<string, string>);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /Open its page again, and send it from there\./);
  }
  assert.notEqual(await pending.find('patient@example.com'), null);
});

test('if two people decide about one request, the second gets a message that it is decided', async () => {
  await pending.request('waiting@example.com', password, '192.0.2.1');
  const { text } = await operator.open('/admin/accounts');
  assert.match(text, /Waiting for approval/);
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const fields = { csrf, email: 'waiting@example.com', decision: 'approve' };
  const [first, second] = await Promise.all([
    operator.post('/admin/accounts/requests', fields),
    operator.post('/admin/accounts/requests', { ...fields, decision: 'reject' }),
  ]);
  assert.deepEqual([first.status, second.status].sort(), [303, 409]);
  const lost = first.status === 409 ? first : second;
  assert.match(lost.text, /has an account already|No request for an account/);
});

test('the list is searched without wildcards, and has pages', async () => {
  for (let n = 0; n < 30; n += 1) await accounts.create({ email: `many_${n}@example.com` });
  const first = await operator.open('/admin/accounts?q=MANY_');
  assert.match(first.text, /30 accounts/);
  assert.match(first.text, /Page 1 of 2/);
  assert.match((await operator.open('/admin/accounts?q=many_&page=2')).text, /Newer accounts/);
  const beyond = await operator.open('/admin/accounts?q=many_&page=3');
  assert.match(beyond.text, /Page 2 of 2/);
  assert.match(beyond.text, /many_0@example\.com/);
  assert.match((await operator.open('/admin/accounts?q=%25')).text, /No account matches/);
  assert.match((await operator.open('/admin/accounts?role=editor')).text, /1 account</);
});

test('editors see no entries of keys; operators find them by a filter', async () => {
  const email = 'programmer@example.com';
  await accounts.create({ email });
  const { id } = await keys.create(email, 'laptop', {}, `account:${email}`);
  const next = await keys.rotate(id, {}, `account:${email}`);
  await keys.revoke(next.id, `account:${email}`);
  for (const path of ['/admin/audit', '/admin/audit?action=key.', `/admin/audit?actor=${email}`]) {
    const { text } = await editor.open(path);
    assert.doesNotMatch(
      text,
      /programmer@example\.com<|key_\w|(?:Created|Replaced|Revoked) the key|value="key\."/,
      path,
    );
  }
  const { text } = await operator.open('/admin/audit?action=key.');
  assert.match(text, /<option value="key\." selected[^>]*>API keys/);
  for (const action of ['Created', 'Replaced', 'Revoked'])
    assert.match(text, new RegExp(`${action} the key`));
});

test('editors see no entries of accounts, and undo none', async () => {
  const { text } = await editor.open('/admin/audit');
  assert.doesNotMatch(text, /acc_|changed@example\.com/);
  const [{ id } = { id: 0 }] = auditLog.list({ action: 'account.set-plan', limit: 1 });
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const answer = await editor.post(`/admin/audit/${id}/undo`, { csrf });
  assert.equal(answer.status, 422);
  assert.match(answer.text, /requires the role operator/);
  assert.match((await operator.open('/admin/audit?subject=changed@example.com')).text, /Changed the plan of/);
});

test('a flood of visitors of the same network does not lock an operator out', async () => {
  const limited = await serveAdmin({ registration: 'open', pageLimit: '1' });
  const operator = await personWithRole(limited, 'operator@example.com', 'operator');
  const visitor = new Person(limited);
  const forger = new Person(limited);
  forger.cookies.set('cratebase_session', 'x'.repeat(43));
  let refused = 0;
  for (let round = 0; round < 4; round += 1) {
    const flood = Array.from({ length: 100 }, () => visitor.send('/stats'));
    flood.push(...Array.from({ length: 20 }, () => forger.send('/admin')));
    assert.equal((await operator.send('/admin/audit')).status, 200);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    refused += statuses.filter((status) => status === 429).length;
    assert.equal((await operator.send('/admin')).status, 200);
  }
  assert.ok(refused > 100, `${refused} requests were refused`);
});
