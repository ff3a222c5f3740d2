/** Floods of sign-ups and of OAuth clients: what one network, one provider and the whole service let through. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Access, AccountError, openAccess, TooManyClients } from '../../src/access/access.ts';
import { InstanceSecret } from '../../src/access/instance-secret.ts';
import { Passwords } from '../../src/access/passwords.ts';
import { Throttle } from '../../src/access/throttle.ts';
import { signUpThrottleKeys } from '../../src/access/throttle-rules.ts';
import type { GuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { documentFetch } from '../../src/oauth/document-fetch.ts';
import { AttemptStore } from '../../src/store/access/attempts.ts';
import { OAuthStore } from '../../src/store/access/oauth.ts';
import { openDatabase } from '../../src/store/database.ts';
import { SqliteEngine } from '../../src/store/engine/sqlite-engine.ts';
import { hiddenFields, Person, password, servePages } from '../support/account-pages.ts';
import { callback, openStage } from '../support/oauth.ts';
import { temporaryFolder } from '../support/program.ts';

const begin = Date.parse('2026-11-20T12:00:00Z');
const hour = 3_600_000;
const hex = (number: number): string => number.toString(16);

/** A file with a clock that the test sets; `open` gives one more connection, as a worker has. */
function setUp(t: TestContext) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'test.db');
  const clock = { time: begin, now: () => clock.time };
  const closing: (() => void)[] = [];
  t.after(() => {
    for (const close of closing) close();
    folder.remove();
  });
  const connect = () => {
    const sqlite = openDatabase(path, { create: true });
    closing.push(() => sqlite.close());
    return sqlite;
  };
  /** Sign-ups without the hashing of their passwords: true where one would be heard. */
  const gate = () => {
    const sqlite = connect();
    const secret = new InstanceSecret(Buffer.from('key'));
    const throttle = new Throttle(new SqliteEngine(sqlite), new AttemptStore(), clock, secret);
    return async (address: string): Promise<boolean> => {
      const { allOf: every, anyOf: oneOf, taken } = signUpThrottleKeys(address);
      try {
        await throttle.consume(every, oneOf);
      } catch (failure) {
        assert.ok(failure instanceof AccountError && (failure.retryAfter ?? 0) > 0);
        return false;
      }
      await throttle.refund(taken);
      return true;
    };
  };
  const open = (): Access => {
    const access = openAccess(openDatabase(path, { create: true }), clock, clock);
    closing.push(() => access.close());
    return access;
  };
  return { path, clock, connect, gate, open };
}

/** How many of so many tries are heard, each from the address that its number gives. */
async function heardOf(
  knock: (address: string) => Promise<boolean>,
  addressOf: (round: number) => string,
  rounds: number,
): Promise<number> {
  let heard = 0;
  for (let round = 0; round < rounds; round += 1) if (await knock(addressOf(round))) heard += 1;
  return heard;
}

const floods: [prefix: string, most: number, addressOf: (round: number) => string][] = [
  ['/64', 30, (round) => `2001:db8:1:1::${hex(round)}`],
  ['/56', 40, (round) => `2001:db8:1:10${hex(16 + round)}::1`],
  ['/48', 60, (round) => `2001:db8:1:${hex(round)}00::1`],
  ['/32 of IPv6', 120, (round) => `2001:db8:${hex(round)}::1`],
  ['/32 of IPv4', 30, () => '198.51.100.7'],
  ['/24', 60, (round) => `198.51.100.${round}`],
  ['/16', 120, (round) => `198.51.${round}.7`],
];
for (const [prefix, most, addressOf] of floods) {
  test(`of 200 sign-ups at once out of one ${prefix}, ${most} are heard`, async (t) => {
    const { gate } = setUp(t);
    const knock = gate();
    assert.equal(await heardOf(knock, addressOf, 200), most);
    assert.equal(await knock('203.0.113.5'), true, 'others go on');
  });
}

test('a pause gives no more than the pace: not 60 again after a quiet hour', async (t) => {
  const { gate, clock } = setUp(t);
  const knock = gate();
  const flood = () => heardOf(knock, (round) => `2001:db8:4:${hex(round)}00::1`, 100);
  assert.equal(await flood(), 60);
  clock.time += hour + 1;
  assert.equal(await flood(), 12);
  clock.time += 24 * hour;
  assert.equal(await flood(), 60);
});

test('one provider does not use up the service; when many did, others have a reserve', async (t) => {
  const { gate, clock } = setUp(t);
  const workers = [gate(), gate()] as const;
  const knock = (address: string) => (workers[address.length % 2] as (typeof workers)[0])(address);
  // A holder of one /32: each sign-up from a /48 of its own.
  assert.equal(await heardOf(knock, (round) => `2001:db8:${hex(round)}::1`, 400), 120);
  assert.equal(await knock('203.0.113.5'), true);
  // Ten providers at once.
  const all = await heardOf(knock, (round) => `2a0${round % 10}:1:${hex(round)}::1`, 1_000);
  assert.ok(all >= 79 && all <= 79 + 60, `${all}`);
  // Of the reserve each of them has two.
  assert.ok(all <= 79 + 20, `${all}`);
  assert.equal(await knock('192.0.2.1'), true, 'a network that was not seen before is heard');
  assert.equal(await knock('192.0.2.2'), true);
  assert.equal(await knock('192.0.2.3'), false);
  // What the whole service lets through in an hour, whoever comes.
  let heard = 0;
  for (let second = 0; second < 3_600; second += 6) {
    clock.time += 6_000;
    heard += await heardOf(knock, (round) => `10.${(second / 6 + round) % 256}.1.1`, 3);
  }
  assert.ok(heard <= 300 + 120 + 60, `${heard} in an hour`);
});

test('a clock that is set back does not lengthen a wait, and rows are bounded', async (t) => {
  const { gate, clock, connect } = setUp(t);
  const knock = gate();
  await heardOf(knock, (round) => `2001:db8:4:${hex(round)}00::1`, 60);
  assert.equal(await knock('2001:db8:4:ff00::1'), false);
  clock.time -= 365 * 24 * hour;
  assert.equal(await knock('2001:db8:4:ff00::1'), true);

  const sqlite = connect();
  const store = new AttemptStore();
  const engine = new SqliteEngine(sqlite);
  const count = () => sqlite.prepare('SELECT count(*) FROM attempts').pluck().get() as number;
  sqlite.exec('DELETE FROM attempts');
  await engine.write(async (tx) => {
    for (let row = 0; row < 50; row += 1)
      await store.set(tx, { subject: `${row}`, failed: 1, last_ts: row, next_allowed_ts: 0 });
    await store.trim(tx, 20);
    assert.equal(count(), 20);
    assert.ok((await store.get(tx, '49')) && !(await store.get(tx, '29')));
    await store.trim(tx, 20);
    assert.equal(count(), 20);
    await store.set(tx, { subject: 'busy', failed: 9, last_ts: 0, next_allowed_ts: 100 });
    await store.prune(tx, 50, 50);
    assert.deepEqual([count(), (await store.get(tx, 'busy'))?.failed], [1, 9], 'what is not free yet stays');
  });
});

test('the same work for a taken email as for a free one, and so many answers from one /48', async (t) => {
  const { open } = setUp(t);
  const hashed = t.mock.method(Passwords.prototype, 'hash');
  const access = open();
  await access.accounts.create({ email: 'ada@example.com', password });
  const reasons: string[] = [];
  for (let round = 0; round < 60; round += 1) {
    const from = { address: `2001:db8:4:${hex(round)}00::1`, userAgent: 'bot' };
    const failure = await access.sessions
      .signUp('ada@example.com', password, from)
      .catch((reason: unknown) => reason);
    assert.ok(failure instanceof AccountError);
    reasons.push(failure.reason);
  }
  assert.equal(reasons.filter((reason) => reason === 'taken').length, 20);
  const free = { address: '2001:db8:4:aa00::1', userAgent: 'bot' };
  await assert.rejects(access.sessions.signUp('free@example.com', password, free), { reason: 'slow' });
  const elsewhere = { address: '2001:db8:5::1', userAgent: 'person' };
  await access.sessions.signUp('free@example.com', password, elsewhere);
  assert.equal(hashed.mock.callCount(), 21, 'one for each that was heard');
});

test('one password tried on 400 accounts out of one /48: 120 tries are heard, and others go on', async (t) => {
  const { open } = setUp(t);
  const access = open();
  t.mock.method(Passwords.prototype, 'matches', async () => false);
  const attempt = async (address: string, who: string): Promise<string | undefined> => {
    const failure = await access.sessions
      .signIn(who, 'winter2026!', { address, userAgent: 'bot' })
      .catch((reason: unknown) => reason);
    return (failure as AccountError).reason;
  };
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < 400; round += 1) {
    const outcome = String(await attempt(`2001:db8:4:${hex(round * 97)}::1`, `person${round}@example.com`));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  assert.deepEqual(outcomes, { credentials: 120, slow: 280 });
  assert.equal(await attempt('2001:db8:5::1', 'person1@example.com'), 'credentials');
});

test('over HTTP: of 400 sign-ups out of one /48, 60 make an account', async () => {
  const pages = await servePages({ trustProxy: true });
  const bot = new Person(pages);
  const form = hiddenFields((await bot.open('/account/sign-up')).text, '/account/sign-up');
  const statuses = new Map<number, number>();
  const signUp = async (round: number) => {
    const sent = { ...form, email: `bot${round}@example.com`, password };
    const from = { 'x-forwarded-for': `2001:db8:77:${hex(round * 97)}::1` };
    const one = new Person(pages);
    for (const [name, value] of bot.cookies) one.cookies.set(name, value);
    const { status, headers } = await one.post('/account/sign-up', sent, from);
    if (status === 429) assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  for (let batch = 0; batch < 400; batch += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => signUp(batch + index)));
  }
  assert.deepEqual([statuses.get(303), statuses.get(429)], [60, 340]);
  assert.equal((await pages.access.accounts.list()).length, 60);
  const person = new Person(pages);
  const own = hiddenFields((await person.open('/account/sign-up')).text, '/account/sign-up');
  const sent = { ...own, email: 'person@example.com', password };
  const answer = await person.post('/account/sign-up', sent, { 'x-forwarded-for': '203.0.113.5' });
  assert.equal(answer.status, 303);
});

test('over HTTP: a client that has just registered outlives 2,500 registrations from as many networks', async () => {
  const stage = await openStage({ more: ['--trust-proxy', '--workers', '2'] });
  const { service } = stage;
  try {
    const register = (from: string) =>
      service.post('/oauth/register', JSON.stringify({ redirect_uris: [callback] }), {
        'x-forwarded-for': from,
      });
    const person = service.person({ 'x-forwarded-for': '203.0.113.5' });
    await person.signUp('ada@example.com');
    const { body } = await register('203.0.113.5');
    const client = String(body.client_id);
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 2_500; batch += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const round = batch + index;
          return register(`${11 + (round >> 8)}.${round & 255}.7.7`);
        }),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const made = statuses.get(201) ?? 0;
    assert.ok(made >= 339 && made < 400, `${made} registered`);
    assert.equal(statuses.get(429), 2_500 - made);
    const { code, verifier } = await service.code(person, client);
    assert.equal((await service.redeem(client, code, verifier)).status, 200);
  } finally {
    await stage.close();
  }
});

test('a client is kept for the hour that its request may last, however many others register', async (t) => {
  const { open, clock } = setUp(t);
  const access = open();
  await access.oauth.registerClient('victim', {}, '203.0.113.5');
  let made = 0;
  for (let second = 0; second < 3_600; second += 3) {
    clock.time += 3_000;
    for (let round = 0; round < 2; round += 1) {
      const number = (second / 3) * 2 + round;
      const registered = access.oauth.registerClient(
        `c${number}`,
        {},
        `${11 + (number >> 8)}.${number & 255}.7.7`,
      );
      await registered.then(
        () => (made += 1),
        (failure: unknown) => assert.ok(failure instanceof TooManyClients && failure.retryAfter > 0),
      );
    }
  }
  assert.ok(made > 900 && made <= 1_000, `${made}`);
  assert.ok(await access.oauth.client('victim'));
});

test('an app that a person has authorized may register for many people of one network', async (t) => {
  const { open, connect } = setUp(t);
  const access = open();
  const app = { redirect_uris: ['https://assistant.example/callback'], client_name: 'Assistant' };
  const register = (id: string, metadata: object, from: string) =>
    access.oauth.registerClient(id, { ...metadata, client_id: id }, from).then(
      () => true,
      (failure: unknown) => {
        assert.ok(failure instanceof TooManyClients);
        return false;
      },
    );
  const many = async (name: string, metadata: object, from: string) => {
    let made = 0;
    for (let number = 0; number < 100; number += 1)
      if (await register(`${name}${number}`, metadata, from)) made += 1;
    return made;
  };
  assert.equal(await many('before', app, '203.0.113.5'), 30);
  connect().prepare("UPDATE oauth_clients SET last_used_ts = 1 WHERE id = 'before0'").run();
  assert.equal(await many('after', app, '203.0.113.5'), 60);
  // Others still have the limits of their network, and a copied name alone is not enough.
  assert.equal(
    await many('other', { ...app, redirect_uris: ['https://other.example/cb'] }, '198.51.100.7'),
    30,
  );
});

test('where room ends, the region with most unused clients loses its oldest; used ones and other regions none', async (t) => {
  const sqlite = setUp(t).connect();
  const insert = sqlite.prepare("INSERT INTO oauth_clients VALUES (?, '{}', 'o', ?, ?, ?)");
  insert.run('old', 'quiet', 1, null);
  for (let number = 1; number <= 5; number += 1) insert.run(`crowd${number}`, 'crowd', 10 + number, null);
  insert.run('used', 'crowd', 2, 3);
  const store = new OAuthStore();
  const engine = new SqliteEngine(sqlite);
  const trim = (max: number, since: number) =>
    engine.write((tx) => store.cleanup.trimUnusedClients(tx, max, since));
  const kept = () => sqlite.prepare('SELECT id FROM oauth_clients ORDER BY id').pluck().all();
  await trim(6, 0);
  assert.equal(kept().length, 7);
  await trim(3, 0);
  assert.deepEqual(kept(), ['crowd4', 'crowd5', 'old', 'used']);
  await trim(1, 0);
  assert.deepEqual(kept(), ['crowd5', 'used']);
  insert.run('before', 'calm', 5, null);
  insert.run('crowd6', 'crowd', 16, null);
  await trim(2, 10);
  assert.deepEqual(kept(), ['crowd5', 'crowd6', 'used'], 'those from before a time go first');
});

test('requests that wait for a person are kept for their hour too', async (t) => {
  const { open, clock } = setUp(t);
  const access = open();
  await access.oauth.saveItem('Interaction', 'mine', {}, 3_600, '203.0.113.5');
  let made = 0;
  for (let number = 0; number < 4_000; number += 1) {
    const saved = access.oauth.saveItem(
      'Interaction',
      `i${number}`,
      {},
      3_600,
      `${11 + (number >> 8)}.${number & 255}.7.7`,
    );
    await saved.then(
      () => (made += 1),
      (failure: unknown) => assert.ok(failure instanceof TooManyClients),
    );
    clock.time += 800;
  }
  assert.ok(made > 1_500 && made <= 1_900, `${made}`);
  assert.ok(await access.oauth.findItem('Interaction', 'mine'));
  // A second one of a region is younger than most: what is over ends before it.
  clock.time += 3_000_000;
  await access.oauth.saveItem('Interaction', 'second', {}, 3_600, '203.0.113.5');
  for (let number = 0; number < 500; number += 1) {
    clock.time += 3_200;
    await access.oauth
      .saveItem('Interaction', `j${number}`, {}, 3_600, `${40 + (number >> 8)}.${number & 255}.7.7`)
      .catch((failure: unknown) => assert.ok(failure instanceof TooManyClients));
  }
  clock.time += 20_000;
  await access.oauth.saveItem('Interaction', 'third', {}, 3_600, '203.0.113.5');
  assert.ok(await access.oauth.findItem('Interaction', 'second'));
  // One that is there already may go on: it is no new request.
  await access.oauth.saveItem('Interaction', 'mine', { result: 1 }, 3_600, '203.0.113.5');
});

test('documents of apps are fetched 30 times in a minute for a /64, 60 times for a /48; neighbours in a /24 are others', async () => {
  let [address, fetched] = ['', 0];
  const fetch = async () => {
    fetched += 1;
    throw new Error('nothing is there');
  };
  const ask = documentFetch({ fetch: fetch as unknown as GuardedFetch, caller: () => address });
  const floodFrom = async (addressOf: (round: number) => string): Promise<number> => {
    const before = fetched;
    for (let round = 0; round < 90; round += 1) {
      address = addressOf(round);
      await assert.rejects(ask(`https://app${fetched}-${round}.example/client`));
    }
    return fetched - before;
  };
  assert.equal(await floodFrom((round) => `2001:db8:1:1::${hex(round)}`), 30);
  assert.equal(await floodFrom((round) => `2001:db8:2:${hex(round)}::1`), 60);
  assert.equal(await floodFrom((round) => `192.0.2.${round}`), 90);
});
