/** Doubtful pairs: their order, what an editor sees, decisions, two people at once, undo, and the conversation by keys. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type App, openApp } from '../../src/app.ts';
import { reviewPairs } from '../../src/cli/review-loop.ts';
import { frozenClock } from '../../src/clock.ts';
import type { Actor } from '../../src/contract/roles.ts';
import { formatAgo } from '../../src/ingest/review/decided.ts';
import { folder, run } from '../support/cli-run.ts';
import { ask, freshFile, type Line, matchingNow, says } from '../support/matching.ts';

const ada: Actor = 'account:ada@example.com';
const bo: Actor = 'account:bo@example.com';
const house = { venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' } };
const event = (id: string, name: string, day: string, more: object = {}): Line => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: `${day}T23:00`,
  ...house,
  ...more,
});
const upcomingDay = '2027-12-04';
const pastDay = '2025-12-05';

/** A catalogue with a doubtful pair of upcoming events and one of past events, opened by `people`. */
async function doubtfulEvents(t: TestContext, { people = 1, past = false } = {}) {
  const sqlite = freshFile(t);
  const more = (id: string, name: string) =>
    past ? [event(id, name, pastDay, id === '11' ? { lineup: [{ name: 'Orrin' }] } : {})] : [];
  await says(sqlite, 'one', [
    event('1', 'Club Night', upcomingDay, { lineup: [{ name: 'Vera Lindt' }] }),
    ...more('11', 'Club Night'),
  ]);
  await says(sqlite, 'two', [event('2', 'Friday Party', upcomingDay), ...more('12', 'Friday Party')]);
  const apps = Array.from({ length: people }, (_, at) =>
    openApp({ data: sqlite.name, create: false, clock: frozenClock(matchingNow + at * 120_000) }),
  );
  t.after(() => {
    for (const app of apps) app.close();
  });
  return { sqlite, apps: apps as [App, ...App[]] };
}

const eventSlugs = (sqlite: Parameters<typeof ask>[0]) =>
  ask(sqlite, 'listEvents').map(({ slug }: { slug: string }) => slug);

test('upcoming events come first; each pair has both records, the evidence and what a merge gives', async (t) => {
  const { apps } = await doubtfulEvents(t, { past: true });
  const review = await apps[0].review(ada);
  const { data, total, after } = await review.next({ limit: 10 });
  assert.equal(total, 2);
  assert.equal(after, null);
  assert.deepEqual(
    data.map((item) => [item.kind, item.is_upcoming]),
    [
      ['event', true],
      ['event', false],
    ],
  );
  const [first] = data;
  assert.ok(first);
  assert.equal(first.pair, `${first.a.id}-${first.b.id}`);
  assert.deepEqual(
    [first.a.name, first.a.venue, first.a.city, first.a.country],
    ['Club Night', 'Kornspeicher', 'Hamburg', 'DE'],
  );
  assert.deepEqual(first.a.lineup, ['Vera Lindt']);
  assert.deepEqual(first.b.sources, [
    { source: 'two', external_id: '2', name: 'Friday Party', url: null, withdrawn: false },
  ]);
  assert.ok(
    first.reasons.length >= 2 && first.reasons.every(({ text, weight }) => text !== '' && weight !== 0),
  );
  assert.equal(first.merge.stays.slug, 'club-night-2027-12-04');
  assert.deepEqual(first.merge.conflicts, []);
  assert.deepEqual(await review.count(), { total: 2, upcoming: 1, kinds: { event: 2 } });
  const second = await review.next({ limit: 1, after: first.pair });
  assert.equal(second.data[0]?.pair, data[1]?.pair);
  assert.equal((await review.next({ kind: 'artist' })).total, 0);
});

test('same merges into the older record under the forecast name, and undo opens the pair again', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t);
  const review = await apps[0].review(ada);
  const item = (await review.next()).data[0];
  assert.ok(item);
  const done = await review.decide(item.pair, 'same');
  assert.deepEqual(eventSlugs(sqlite), [item.a.slug]);
  assert.equal(ask(sqlite, 'getEvent', { slug: item.b.slug }).name, item.merge.name);
  assert.equal((await review.next()).total, 0);
  const entry = sqlite
    .prepare('SELECT actor, action, subject FROM audit_log WHERE id = ?')
    .get(done.audit_id);
  assert.deepEqual(entry, { actor: ada, action: 'record.merge', subject: item.a.slug });

  const undone = await review.undo(done.audit_id);
  assert.equal(eventSlugs(sqlite).length, 2);
  const again = (await review.next()).data[0];
  assert.equal(again?.pair, undone.pair);
  assert.deepEqual([again?.a.slug, again?.b.slug], [item.a.slug, item.b.slug]);
  assert.equal(sqlite.prepare('SELECT count(*) FROM match_decisions').pluck().get(), 0);
  await assert.rejects(review.undo(done.audit_id), /is undone already/);
  // The former pair still names the two: an open page can decide it.
  await review.decide(item.pair, 'different');
  assert.equal((await review.next()).total, 0);
});

test('different keeps both through later imports, until it is undone', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t);
  const review = await apps[0].review(ada);
  const pair = (await review.next()).data[0]?.pair ?? '';
  const done = await review.decide(pair, 'different');
  await says(sqlite, 'two', [event('2', 'Club Night', upcomingDay, { lineup: [{ name: 'Vera Lindt' }] })]);
  assert.equal(eventSlugs(sqlite).length, 2);
  assert.equal((await review.next()).total, 0);
  await review.undo(done.audit_id);
  await says(sqlite, 'two', [event('2', 'Club Night!', upcomingDay, { lineup: [{ name: 'Vera Lindt' }] })]);
  assert.equal(eventSlugs(sqlite).length, 1, 'matching decides again');
});

test('later takes a pair out of the queue until a source changes one of its records', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t);
  const review = await apps[0].review(ada);
  const pair = (await review.next()).data[0]?.pair ?? '';
  const { audit_id } = await review.decide(pair, 'later');
  assert.equal((await review.next()).total, 0);
  await says(sqlite, 'two', [event('2', 'Friday Party', upcomingDay)]);
  assert.equal((await (await apps[0].review(ada)).count()).total, 0, 'nothing changed');
  await review.undo(audit_id);
  assert.equal((await review.next()).total, 1);
  await review.decide(pair, 'later');
  await says(sqlite, 'two', [event('2', 'Friday Party', upcomingDay, { description: 'Doors at 11.' })]);
  const later = openApp({ data: sqlite.name, create: false });
  t.after(() => later.close());
  assert.equal((await (await later.review(bo)).next()).data[0]?.pair, pair);
});

for (const [first, second] of [
  ['same', 'same'],
  ['same', 'different'],
  ['different', 'same'],
  ['later', 'same'],
] as const) {
  test(`two people decide one pair: ${first}, then ${second}`, async (t) => {
    const { sqlite, apps } = await doubtfulEvents(t, { people: 2 });
    const [one, two] = [await apps[0].review(ada), await (apps[1] as App).review(bo)];
    const pair = (await one.next()).data[0]?.pair ?? '';
    assert.equal((await two.next()).data[0]?.pair, pair);
    await one.decide(pair, first);
    await assert.rejects(two.decide(pair, second), (failure: Error) => {
      assert.match(failure.message, /decided already: ada@example\.com .* 2 minutes ago/);
      return true;
    });
    assert.equal(eventSlugs(sqlite).length, first === 'same' ? 1 : 2);
    assert.equal(sqlite.prepare('SELECT count(*) FROM audit_log').pluck().get(), 1);
  });
}

test('two people decide at the same moment: one decision holds, the other person gets a message', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t, { people: 2 });
  const [one, two] = [await apps[0].review(ada), await (apps[1] as App).review(bo)];
  const pair = (await one.next()).data[0]?.pair ?? '';
  const results = await Promise.allSettled([one.decide(pair, 'same'), two.decide(pair, 'different')]);
  const failed = results.filter((result) => result.status === 'rejected');
  assert.equal(failed.length, 1);
  assert.match(failed[0]?.reason.message, /decided already: (ada|bo)@example\.com/);
  assert.equal(sqlite.prepare('SELECT count(*) FROM audit_log').pluck().get(), 1);
});

test('pairs whose records are gone are not shown, and deciding them says why', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t, { people: 2 });
  const [one, two] = [await apps[0].review(ada), await (apps[1] as App).review(bo)];
  const item = (await one.next()).data[0];
  assert.ok(item);
  await two.count();
  await (await apps[0].corrections()).merge(item.b.id, item.a.id);
  // The second person's queue still holds the pair.
  assert.deepEqual((await two.next()).data, []);
  await assert.rejects(two.decide(item.pair, 'same'), /one record now: an import or another correction/);
  await assert.rejects(two.decide('evt_000001', 'same'), /is no pair/);
  await assert.rejects(two.decide('evt_00000b-evt_00000a', 'same'), /is no pair/);
  assert.equal(eventSlugs(sqlite).length, 1);
});

test('reading a long queue leaves the event loop free', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t);
  const row = sqlite.prepare('SELECT * FROM possible_matches').get() as Record<string, unknown>;
  const insert = sqlite.prepare(
    'INSERT INTO possible_matches VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @score, @rule, @reasons, @checksum)',
  );
  sqlite.transaction(() => {
    for (let at = 0; at < 50_000; at++) insert.run({ ...row, b_external_id: `gone-${at}` });
  })();
  let [turns, isDone] = [0, false];
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  count();
  const review = await apps[0].review(ada);
  assert.equal((await review.next()).total, 1);
  isDone = true;
  assert.ok(turns > 2, `${turns} turns of the event loop`);
});

test('keys decide, undo and end; a decision of another person is shown', async (t) => {
  const { sqlite, apps } = await doubtfulEvents(t, { people: 2, past: true });
  const printed: string[] = [];
  const keys = ['x', 'u', 's', 'u', 'd', 'l', 'q'];
  const decisions = await reviewPairs({
    next: async () => (await apps[0].review(ada)).next(),
    decide: async (pair, verdict) => {
      // Somebody else puts the second pair off while it is on screen.
      if (verdict === 'later') await (await (apps[1] as App).review(bo)).decide(pair, 'different');
      return (await apps[0].review(ada)).decide(pair, verdict);
    },
    undo: async (id) => (await apps[0].review(ada)).undo(id),
    readKey: async () => keys.shift() ?? null,
    print: (text) => void printed.push(text),
  });
  assert.equal(decisions, 1);
  const text = printed.join('\n');
  assert.match(text, /^\n1 of 2\n/);
  assert.match(text, /There is no decision to undo/);
  assert.match(text, /undone: same/);
  assert.match(text, /\n2 of 2\n/);
  assert.match(text, /decided already: bo@example\.com decided that they are different/);
  assert.match(text, /No more pairs to review\.$/);
  assert.equal(eventSlugs(sqlite).length, 4);
});

test('the commands list, decide and undo without a terminal', async () => {
  const at = folder();
  for (const [source, name] of [
    ['one', 'Club Night'],
    ['two', 'Friday Party'],
  ] as const) {
    writeFileSync(join(at, `${source}.ndjson`), JSON.stringify(event(source, name, upcomingDay)));
    const { status, stderr } = await run(['import', `${source}.ndjson`, '--source', source], { cwd: at });
    assert.equal(status, 0, stderr);
  }
  const command = (...args: string[]) => run(['review', ...args], { cwd: at });
  const listed = await command();
  assert.match(listed.stdout, /≠ +name +Club Night +Friday Party/);
  assert.match(listed.stdout, /1 pair to review \(event 1\)/);
  const { pair } = JSON.parse((await command('--json')).stdout).data[0];
  const decided = JSON.parse((await command('decide', pair, 'same', '--json')).stdout);
  assert.equal(decided.verdict, 'same');
  const second = await command('decide', pair, 'same');
  assert.equal(second.status, 1);
  assert.match(second.stderr, /^cratebase: This pair is decided already: .* merged them just now/);
  assert.equal(JSON.parse((await command('--json')).stdout).total, 0);
  assert.equal((await command('undo', String(decided.audit_id))).status, 0);
  assert.equal(JSON.parse((await command('--json')).stdout).total, 1);
  assert.match((await command('decide', pair, 'maybe')).stderr, /The verdict is same, different or later/);
  assert.match((await command('undo', 'x')).stderr, /is not the number of an entry/);
  assert.match((await command('--limit', '0')).stderr, /--limit must be a whole number from 1 to 100/);
});

test('times since a decision', () => {
  const minute = 60_000;
  assert.deepEqual([0, minute, 2 * minute, 60 * minute, 49 * 60 * minute].map(formatAgo), [
    'just now',
    '1 minute ago',
    '2 minutes ago',
    '1 hour ago',
    '2 days ago',
  ]);
});
