/** `--registration approval`: people ask for an account, the operator admits it or turns it down. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { AccountError, openAccess } from '../../src/access/access.ts';
import { Passwords } from '../../src/access/passwords.ts';
import { frozenClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { isSignedIn, Person, password, servePages } from '../support/account-pages.ts';
import { folder, run } from '../support/cli-run.ts';
import { temporaryFolder } from '../support/program.ts';
import { linkIn, serveMail } from '../support/smtp.ts';

const pages = await servePages({ registration: 'approval' });
const someone = () => new Person(pages);
const cwd = dirname(pages.dataFile);

type Json = Record<string, unknown>;
async function json(...args: string[]): Promise<Json> {
  const { status, stdout, stderr } = await run([...args, '--data', pages.dataFile, '--json'], { cwd });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Json;
}
const command = (...args: string[]) => run([...args, '--data', pages.dataFile], { cwd });

const ask = (person: Person, email: string, given = password) =>
  person.fill('/account/sign-up', { email, password: given });

test('a person asks, waits, is admitted, and signs in with the password chosen before', async () => {
  const ada = someone();
  const form = await ada.open('/account/sign-up');
  assert.match(form.text, /The operator of this service admits each account/);
  const asked = await ask(ada, ' Ada@Example.com ');
  assert.deepEqual([asked.status, asked.headers.location], [303, '/account/requested']);
  assert.equal(ada.cookies.has('cratebase_session'), false);
  assert.match((await ada.open('/account/requested')).text, /Your request was received/);
  assert.equal(await isSignedIn(ada), false);

  const waiting = await ada.signIn('ada@example.com');
  assert.equal(waiting.status, 403);
  assert.match(waiting.text, /not admitted yet/);
  assert.equal(ada.cookies.has('cratebase_session'), false);
  const wrong = await ada.signIn('ada@example.com', 'not the password');
  assert.equal(wrong.status, 401);
  assert.doesNotMatch(wrong.text, /admitted/);

  assert.deepEqual((await json('accounts', 'list')).data, []);
  const keys = await command('keys', 'create', 'ada@example.com', '--name', 'early');
  assert.equal(keys.status, 1);
  assert.match(keys.stderr, /No account ada@example\.com/);
  const { data } = (await json('accounts', 'list', '--pending')) as { data: Json[] };
  assert.equal(data.length, 1);
  assert.deepEqual(Object.keys(data[0] as Json), ['email', 'address', 'requested_at', 'expires_at']);
  assert.deepEqual([data[0]?.email, data[0]?.address], ['ada@example.com', '127.0.0.1']);
  const listed = await command('accounts', 'list', '--pending');
  assert.match(listed.stdout, /EMAIL +ADDRESS +REQUESTED +EXPIRES\nada@example\.com +127\.0\.0\.1/);
  assert.match(listed.stderr, /cratebase accounts approve EMAIL/);

  const shown = await command('accounts', 'show', 'Ada@example.com');
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /State +waiting for approval[\s\S]*accounts approve ada@example\.com/);
  assert.equal((await json('accounts', 'show', 'ada@example.com')).pending, true);

  const admitted = await json('accounts', 'approve', 'ADA@example.com');
  assert.deepEqual([admitted.email, admitted.plan], ['ada@example.com', 'free']);
  assert.deepEqual((await json('accounts', 'list', '--pending')).data, []);
  assert.equal((await ada.signIn('ada@example.com')).status, 303);
  assert.match(await ada.createKey('first'), /^cb_live_/);
  const again = await command('accounts', 'approve', 'ada@example.com');
  assert.deepEqual([again.status, again.stdout], [1, '']);
  assert.match(again.stderr, /has an account already/);
});

test('one who is turned down may ask again, and nothing is kept of the first request', async () => {
  await ask(someone(), 'bob@example.com');
  const { email, requested_at } = await json('accounts', 'reject', 'bob@example.com');
  assert.deepEqual([email, typeof requested_at], ['bob@example.com', 'string']);
  assert.equal((await someone().signIn('bob@example.com')).status, 401);
  const none = await command('accounts', 'reject', 'bob@example.com');
  assert.equal(none.status, 1);
  assert.match(none.stderr, /No request .*accounts list --pending/);
  await ask(someone(), 'bob@example.com', 'another password for bob');
  assert.equal(
    (await command('accounts', 'approve', 'bob@example.com')).stdout,
    'approved bob@example.com (free)\n',
  );
  assert.equal((await someone().signIn('bob@example.com')).status, 401);
  assert.equal((await someone().signIn('bob@example.com', 'another password for bob')).status, 303);
});

test('the answer to a sign-up is the same where the email has an account, waits already, or is new', async (t) => {
  await pages.access.accounts.create({ email: 'has@example.com', password });
  await ask(someone(), 'waits@example.com');
  const hashed = t.mock.method(Passwords.prototype, 'hash');
  const answers: unknown[] = [];
  for (const email of ['has@example.com', 'waits@example.com', 'new@example.com']) {
    const { status, headers, text } = await ask(someone(), email, 'somebody else wants it');
    const { location, 'set-cookie': cookies } = headers;
    answers.push({ status, location, cookies, text });
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  assert.equal(hashed.mock.callCount(), 3, 'each hashed a password');
  assert.equal((await someone().signIn('has@example.com')).status, 303, 'the account is left alone');
  assert.equal((await someone().signIn('waits@example.com')).status, 403, 'so is the request');
  assert.match(
    pages.log.join('\n'),
    /"account requested",\{"account":"unknown_[\w-]{16}","address":"127\.0\.0\.1"\}/,
  );
  assert.doesNotMatch(pages.log.join(), /@example/);
});

test('an account that the operator makes settles the request for it', async () => {
  await ask(someone(), 'eve@example.com');
  await pages.access.accounts.create({ email: 'eve@example.com' });
  const { data } = (await json('accounts', 'list', '--pending')) as { data: Json[] };
  assert.ok(!data.some(({ email }) => email === 'eve@example.com'));
  assert.equal((await someone().signIn('eve@example.com')).status, 401, 'it has no password');
});

test('with open registration there is no page of requests, and a request is answered by signing up', async () => {
  const open = await servePages();
  const ada = new Person(open);
  assert.equal((await ada.send('/account/requested')).headers.location, '/account/sign-up');
  await open.access.pending.request('ada@example.com', password, '203.0.113.5');
  await ada.signUp('ada@example.com');
  assert.deepEqual(await open.access.pending.list(), []);
});

/** Adds a thousand requests of one region, a millisecond apart. @param since ms since 1970 */
const addThousandRequests = (file: Database.Database, since: number): void =>
  void file
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO pending_accounts
       SELECT 'flood' || i || '@example.com', 'x', '2001:db8::1', '2001:db8::/48', ? + i FROM n`,
    )
    .run(since);

test('so many requests wait, for so long; where there are too many, a crowded region loses its newest', async (t) => {
  const place = temporaryFolder();
  const path = join(place.path, 'test.db');
  const clock = { time: Date.parse('2026-11-20T12:00:00Z'), now: () => clock.time };
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => {
    access.close();
    place.remove();
  });
  const file = new Database(path);
  addThousandRequests(file, clock.time - 100_000);
  await access.pending.request('ada@example.com', password, '203.0.113.5');
  const emails = (await access.pending.list()).map(({ email }) => email);
  assert.equal(emails.length, 1_000);
  assert.equal(emails.at(-1), 'ada@example.com');
  assert.ok(emails.includes('flood999@example.com') && !emails.includes('flood1000@example.com'));
  const crowded = access.pending.request('late@example.com', password, '2001:db8::2');
  await assert.rejects(
    crowded,
    (failure) => failure instanceof AccountError && failure.retryAfter === 86_400,
  );
  file.close();

  clock.time += 30 * 86_400_000 + 1;
  assert.deepEqual(await access.pending.list(), []);
  await assert.rejects(access.pending.approve('ada@example.com'), /No request/);
  await access.prune();
  const left = new Database(path, { readonly: true });
  assert.equal(left.prepare('SELECT count(*) FROM pending_accounts').pluck().get(), 0);
  left.close();
});

test('a person whose request has expired asks again, and waits again', async (t) => {
  const place = temporaryFolder();
  const clock = { time: Date.parse('2026-11-20T12:00:00Z'), now: () => clock.time };
  const access = openAccess(openDatabase(join(place.path, 'test.db'), { create: true }), clock, clock);
  t.after(() => {
    access.close();
    place.remove();
  });
  await access.pending.request('ada@example.com', password, '203.0.113.5');
  clock.time += 30 * 86_400_000 + 1;
  await access.pending.request('ada@example.com', 'a password of today', '203.0.113.5');
  const [request] = await access.pending.list();
  assert.deepEqual([request?.email, request?.requested_at], ['ada@example.com', '2026-12-20T12:00:00Z']);
  await access.pending.approve('ada@example.com');
  const from = { address: '203.0.113.5', userAgent: 'test' };
  await access.sessions.signIn('ada@example.com', 'a password of today', from);
});

test('where too many wait, those with a confirmed address are told so too, and their link stays valid', async (t) => {
  const place = temporaryFolder();
  const path = join(place.path, 'test.db');
  const clock = frozenClock(Date.parse('2026-11-20T12:00:00Z'));
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => {
    access.close();
    place.remove();
  });
  const { signUps, externalLogins } = access.signIn;
  const [email, address] = ['late@example.com', '2001:db8::2'];
  const mail = await signUps.createMail(await signUps.accept(email, password, address));
  assert.equal(mail?.kind, 'confirm');
  const token = mail.path.split('/').at(-1) ?? '';
  const file = new Database(path);
  addThousandRequests(file, clock.now() - 100_000);
  const isFull = (error: unknown) => error instanceof AccountError && error.code === 'slow_waiting_list';
  await assert.rejects(signUps.confirmRequest(token, password, address), isFull);
  const identity = {
    issuer: 'https://id.example',
    subject: '1',
    email: 'x@example.com',
    emailVerified: true,
  };
  const policy = { registration: 'approval', domains: [] } as const;
  await assert.rejects(externalLogins.signIn(identity, policy, address), isFull);
  assert.equal(await signUps.find(token), email);
  file.prepare('DELETE FROM pending_accounts').run();
  file.close();
  assert.equal(await signUps.confirmRequest(token, password, address), email);
  assert.equal((await access.pending.list()).length, 1);
});

test('a confirmed sign-up whose email got an account meanwhile says so', async () => {
  const mailbox = await serveMail();
  for (const registration of ['open', 'approval']) {
    const pages = await servePages({ smtpUrl: mailbox.url, mailFrom: 'noreply@example.org', registration });
    const [email, count] = [`${registration}@example.com`, mailbox.mails.length];
    const ada = new Person(pages);
    await ada.fill('/account/sign-up', { email, password });
    const path = linkIn(await mailbox.waitFor(count + 1), pages.url);
    await pages.access.accounts.create({ email });
    const refused = await ada.fill(path, { password });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /There is an account with this email already\. Sign in to it\./);
    assert.ok(pages.log.some((line) => line.includes('"sign-up refused"') && line.includes('"taken"')));
    assert.deepEqual(await pages.access.pending.list(), []);
  }
});

test('a request of several at once for one email is one, and the first password holds', async (t) => {
  const place = temporaryFolder();
  const access = openAccess(
    openDatabase(join(place.path, 'test.db'), { create: true }),
    frozenClock(Date.parse('2026-11-20T12:00:00Z')),
  );
  t.after(() => {
    access.close();
    place.remove();
  });
  const from = '203.0.113.5';
  await access.pending.request('ada@example.com', password, from);
  const others = Array.from({ length: 5 }, (_, round) =>
    access.pending.request('ada@example.com', `another password ${round}`, from),
  );
  await Promise.all(others);
  assert.equal((await access.pending.list()).length, 1);
  await access.pending.approve('ada@example.com');
  await access.sessions.signIn('ada@example.com', password, { address: from, userAgent: 'test' });
});

test('delete without a terminal asks for --yes, and deletes nothing until then', async () => {
  const place = folder();
  const data = ['--data', join(place, 'd.db')];
  openDatabase(join(place, 'd.db'), { create: true }).close();
  assert.equal((await run(['accounts', 'create', 'ada@example.com', ...data])).status, 0);
  for (const more of [[], ['--json']]) {
    const refused = await run(['accounts', 'delete', 'ada@example.com', ...more, ...data], { input: 'y\n' });
    assert.deepEqual([refused.status, refused.stdout], [2, '']);
    assert.match(refused.stderr, /^cratebase: Deleting .* without a terminal requires --yes\.\n$/);
  }
  assert.equal((await run(['accounts', 'show', 'ada@example.com', ...data])).status, 0);
  const deleted = await run(['accounts', 'delete', 'ada@example.com', '--yes', ...data]);
  assert.deepEqual([deleted.status, deleted.stdout], [0, 'deleted ada@example.com\n']);
});
