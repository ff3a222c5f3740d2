/** What the tests of a client may want of a server: run with `node --test`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCratebase } from './cratebase.ts';

const now = '2026-11-20T12:00:00Z';
const errorOf = async (answer: Response) => ((await answer.json()) as { error: { type: string } }).error.type;

test('answers are the same at every run, but for the port and cursors', async (t) => {
  const cratebase = await startCratebase({ now });
  t.after(() => cratebase.stop());
  const answer = await cratebase.get('/artists/ben-klock/events');
  const { data } = (await answer.json()) as { data: { slug: string; start_at: string }[] };
  assert.deepEqual(
    data.map((event) => [event.slug, event.start_at]),
    [['sample-techno-late-shift-ben-klock-2027-01-17', '2027-01-17T22:00:00+00:00']],
  );
});

test('a quota runs out', async (t) => {
  const cratebase = await startCratebase({ now, empty: true, quota: 2 });
  t.after(() => cratebase.stop());
  const answers: Response[] = [];
  for (let count = 0; count < 3; count += 1) answers.push(await cratebase.get('/stats'));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429],
  );
  const last = answers[2] as Response;
  assert.equal(await errorOf(last), 'quota_exceeded');
  assert.ok(Number(last.headers.get('retry-after')) > 0);
});

test('a key is revoked while the client runs', async (t) => {
  const cratebase = await startCratebase({ empty: true });
  t.after(() => cratebase.stop());
  cratebase.run('accounts', 'create', 'ada@example.com');
  const made = cratebase.run<{ id: string; key: string }>(
    'keys',
    'create',
    'ada@example.com',
    '--name',
    'test',
  );
  assert.equal((await cratebase.get('/stats', made.key)).status, 200);
  cratebase.run('keys', 'revoke', made.id);
  assert.equal((await cratebase.get('/stats', made.key)).status, 401);
});

test('a cursor is not accepted', async (t) => {
  const cratebase = await startCratebase({ empty: true });
  t.after(() => cratebase.stop());
  const answer = await cratebase.get('/artists?cursor=AAAA');
  assert.equal(answer.status, 400);
  assert.equal(await errorOf(answer), 'invalid_cursor');
});

test('failures now and then', async (t) => {
  const cratebase = await startCratebase({ empty: true, plan: 'pro', fail: ['503:0.5'] });
  t.after(() => cratebase.stop());
  const seen = new Set<number>();
  for (let count = 0; count < 40 && seen.size < 2; count += 1)
    seen.add((await cratebase.get('/stats')).status);
  assert.deepEqual([...seen].sort(), [200, 503]);
});
