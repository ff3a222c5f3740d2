/** The notice when 80 and 100 percent of the month are used: header of REST and MCP, dashboard, terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenClock } from '../../src/clock.ts';
import { quotaNotice } from '../../src/contract/plans.ts';
import { Person, servePages } from '../support/account-pages.ts';
import { run } from '../support/program.ts';

// The terminal counts in the month of the real clock.
const pages = await servePages({}, frozenClock(Date.now()));

test('the marks are exact', () => {
  const marks = [0, 7, 8, 9, 10, 11].map((used) => quotaNotice(used, 10));
  assert.deepEqual(marks, [null, null, 80, 80, 100, 100]);
  assert.deepEqual(
    [quotaNotice(3, 4), quotaNotice(4, 4), quotaNotice(0, 0), quotaNotice(0, 1)],
    [null, 100, 100, null],
  );
});

test('REST and MCP, 200, 304 and 429 have the header from 80 percent on; the dashboard and the terminal say it', async () => {
  const person = new Person(pages);
  await person.signUp('ada@example.com');
  const key = await person.createKey('laptop');
  await pages.access.accounts.setLimits('ada@example.com', { quota: 5, window: 1_000 });
  const authorization = `Bearer ${key}`;
  const rest = (headers: Record<string, string> = {}) =>
    person.send('/api/v1/stats', { headers: { authorization, ...headers } });
  const agent = () =>
    person.send('/mcp', {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  const dashboard = async () => (await person.open('/account/developer')).text;
  for (const expected of [undefined, undefined, undefined]) {
    const { status, headers } = await rest();
    assert.deepEqual([status, headers['x-quota-notice']], [200, expected]);
  }
  assert.doesNotMatch(await dashboard(), /of the month are used|month is used up/);
  const fourth = await agent();
  assert.deepEqual([fourth.status, fourth.headers['x-quota-notice']], [200, '80']);
  assert.match(await dashboard(), /At least 80 % of the month are used: 4 of 5 requests/);
  assert.match(
    run(['accounts', 'show', 'ada@example.com', '--data', pages.dataFile]).stdout,
    /4 of 5 in .*80 % are used/,
  );
  const fifth = await rest();
  assert.deepEqual([fifth.status, fifth.headers['x-quota-notice']], [200, '100']);
  assert.match(String(fifth.headers['access-control-expose-headers']), /X-Quota-Notice/);
  for (const refused of [
    await rest({ 'if-none-match': String(fifth.headers.etag) }),
    await rest(),
    await agent(),
  ]) {
    assert.deepEqual([refused.status, refused.headers['x-quota-notice']], [429, '100']);
    assert.equal(refused.headers['x-quota-remaining'], '0');
  }
  assert.match(await dashboard(), /role="alert">The month is used up: 5 of 5 requests/);
  await pages.access.accounts.setLimits('ada@example.com', { quota: 100 });
  assert.equal((await rest()).headers['x-quota-notice'], undefined);
});
