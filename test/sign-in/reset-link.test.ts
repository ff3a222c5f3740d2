/** One-time links for a new password, from the terminal and the console: who may use them, how often and how long. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { type Access, AccountError, openAccess } from '../../src/access/access.ts';
import { Failure } from '../../src/failure.ts';
import { openDatabase } from '../../src/store/database.ts';
import { isSignedIn, Person, password, servePages } from '../support/account-pages.ts';
import { run, runJson, temporaryFolder } from '../support/program.ts';

const begin = Date.parse('2026-11-20T12:00:00Z');
const email = 'ada@example.com';
const other = 'another password altogether';
const address = '203.0.113.5';

async function setUp(t: TestContext) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'test.db');
  const clock = { time: begin, now: () => clock.time };
  const access = openAccess(openDatabase(path, { create: true }), clock, clock);
  t.after(() => {
    access.close();
    folder.remove();
  });
  await access.accounts.create({ email, password });
  return { access, clock, path };
}

const tokenOf = ({ path }: { path: string }): string => path.split('/').at(-1) as string;
const create = async (access: Access) => tokenOf(await access.signIn.resets.create(email, 'terminal:root'));

/** The reason of a refusal, or "done". */
async function use(access: Access, token: string, chosen = other): Promise<string> {
  try {
    await access.signIn.resets.use(token, chosen, address);
    return 'done';
  } catch (failure) {
    assert.ok(failure instanceof AccountError);
    return failure.reason;
  }
}

test('a link works once, ends all sessions, and the file has only its digest', async (t) => {
  const { access, path } = await setUp(t);
  const from = { address, userAgent: 'test' };
  const { token: session } = await access.sessions.signIn(email, password, from);
  const token = await create(access);
  const file = new Database(path, { readonly: true });
  const stored = JSON.stringify(file.prepare('SELECT * FROM one_time_links').all());
  const logged = file
    .prepare("SELECT actor, details FROM audit_log WHERE action = 'account.reset-link'")
    .all();
  file.close();
  assert.ok(!stored.includes(token) && stored.includes('"reset"'));
  assert.deepEqual(logged, [{ actor: 'terminal:root', details: JSON.stringify({ email }) }]);

  assert.equal(await use(access, token, 'short'), 'password', 'a refused password leaves the link valid');
  assert.equal(await access.signIn.resets.find(token), email);
  assert.equal(await use(access, token), 'done');
  assert.equal(await access.sessions.find(session), null);
  assert.equal(await use(access, token), 'link');
  await assert.rejects(access.sessions.signIn(email, password, from), AccountError);
  await access.sessions.signIn(email, other, from);
});

test('two requests with one link set one password', async (t) => {
  const { access } = await setUp(t);
  const token = await create(access);
  const outcomes = await Promise.all([use(access, token, `${other} 1`), use(access, token, `${other} 2`)]);
  assert.deepEqual(outcomes.sort(), ['done', 'link']);
});

test('a newer link makes the earlier one void; each is valid for an hour; unknown ones are not', async (t) => {
  const { access, clock } = await setUp(t);
  const first = await create(access);
  const second = await create(access);
  assert.equal(await access.signIn.resets.find(first), null);
  assert.equal(await use(access, first), 'link');
  clock.time += 3_599_999;
  assert.equal(await access.signIn.resets.find(second), email);
  clock.time += 1;
  assert.equal(await use(access, second), 'link');
  assert.equal(await use(access, 'x'.repeat(43)), 'link');
  assert.equal(await use(access, ''), 'link');
});

test('a changed password makes a link void', async (t) => {
  const { access } = await setUp(t);
  const byOperator = await create(access);
  await access.accounts.setPassword(email, `${other} 1`);
  assert.equal(await use(access, byOperator), 'link');
  const byOwner = await create(access);
  const from = { address, userAgent: 'test' };
  const session = await access.sessions.signIn(email, `${other} 1`, from);
  await access.sessions.changePassword(session, `${other} 1`, `${other} 2`, from);
  assert.equal(await use(access, byOwner), 'link');
});

test('a suspended account gets no link, and a link made before its suspension does not work', async (t) => {
  const { access, path } = await setUp(t);
  const token = await create(access);
  const file = new Database(path);
  file.prepare('UPDATE accounts SET suspended_ts = 1').run();
  file.close();
  assert.equal(await use(access, token), 'link');
  await assert.rejects(
    create(access),
    (failure) => failure instanceof Failure && /suspended/.test(failure.message),
  );
  assert.equal(await access.signIn.resets.createLink(email), null);
});

test('guessing links is slowed down', async (t) => {
  const { access, clock } = await setUp(t);
  const outcomes: string[] = [];
  for (let round = 0; round < 30; round += 1) {
    outcomes.push(await use(access, `${round}`.padStart(43, 'a')));
  }
  assert.equal(outcomes.filter((outcome) => outcome === 'link').length, 20);
  assert.equal(outcomes.at(-1), 'slow');
  clock.time += 300_000;
  assert.equal(await use(access, await create(access)), 'done');
});

test('the page: a link from the terminal, a new password, every browser signed out', async () => {
  const pages = await servePages();
  const ada = new Person(pages);
  await ada.signUp(email);
  const { url } = runJson<{ url: string }>(['accounts', 'reset-link', email, '--data', pages.dataFile]);
  const path = new URL(url).pathname;
  const someone = new Person(pages);
  const page = await someone.open(path);
  assert.match(page.text, /ada@example\.com/);
  assert.equal(page.headers['referrer-policy'], 'same-origin');
  const short = await someone.fill(path, { password: 'short' });
  assert.equal(short.status, 400);
  assert.match(short.text, /this one has 5/);
  const done = await someone.fill(path, { password: other });
  assert.equal(done.headers.location, '/account/sign-in?done=reset');
  assert.match((await someone.open('/account/sign-in?done=reset')).text, /Your new password is set/);
  assert.ok(!(await isSignedIn(ada)));
  assert.ok(!(await isSignedIn(someone)), 'a link is not a session');
  assert.equal((await someone.signIn(email, other)).status, 303);
  const again = await someone.send(path);
  assert.equal(again.status, 410);
  assert.match(again.text, /does not work any more/);
  assert.ok(pages.log.some((line) => line.includes('password reset')));
  assert.ok(!pages.log.join('').includes(path.split('/').at(-1) as string), 'no token in the log');
});

test('without mail, the page of a forgotten password says to ask the operator', async () => {
  const pages = await servePages();
  const ada = new Person(pages);
  assert.match((await ada.open('/account/sign-in')).text, /href="\/account\/forgot"/);
  assert.match((await ada.open('/account/forgot')).text, /Ask its operator for a link/);
});

test('the terminal prints the link on one line, and refuses unknown accounts', (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const data = join(folder.path, 'x.db');
  run(['import', '-', '--source', 'x', '--data', data], '');
  runJson(['accounts', 'create', email, '--data', data]);
  const base = ['accounts', 'reset-link', '--data', data, '--base-url', 'https://music.example.org'];
  const { stdout, stderr } = run([...base, email]);
  assert.match(stdout, /^https:\/\/music\.example\.org\/account\/reset\/[\w-]{43}\n$/);
  assert.match(stderr, /works once, until 20\S+Z/);
  const other = run([...base, '--account-url', 'https://me.example.org/in', email]);
  assert.match(other.stdout, /^https:\/\/me\.example\.org\/in\/account\/reset\//);
  const unknown = run([...base, 'eve@example.com']);
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /No account eve@example\.com/);
});
