/** The link of the first operator: printed once, used once, and gone from every later address. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import type { Clock } from '../../src/clock.ts';
import { hiddenFields, Person, password, servePages } from '../support/account-pages.ts';
import { openActions, personWithRole } from '../support/admin-pages.ts';
import { environment, folder, program, run } from '../support/cli-run.ts';

const running = new Set<() => void>();
after(() => {
  for (const stop of running) stop();
});

/** Starts `serve --json` and returns the document that it prints, and its log at the end. */
async function serveJson(
  data: string,
): Promise<{ url: string; operator_link: string | null; end: () => Promise<string> }> {
  const args = [program, 'serve', '--empty', '--no-sync', '--port', '0', '--json', '--data', data];
  const child = spawn(process.execPath, args, { env: environment(), stdio: 'pipe' });
  const kill = () => void child.kill('SIGKILL');
  running.add(kill);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  let out = '';
  for await (const piece of child.stdout) {
    out += String(piece);
    if (out.endsWith('\n')) break;
  }
  const end = async () => {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
    running.delete(kill);
    return log;
  };
  return { ...(JSON.parse(out) as { url: string; operator_link: string | null }), end };
}

test('serve prints a link until there is an operator; the link makes one', async () => {
  const data = join(folder(), 'a.db');
  const service = await serveJson(data);
  const link = new URL(service.operator_link ?? '');
  assert.equal(link.origin, service.url);
  assert.match(link.href, /\/admin\/start\?token=op_[\w-]{43}$/);
  const token = link.searchParams.get('token') as string;
  const file = new Database(data, { readonly: true });
  const rows = JSON.stringify(file.prepare('SELECT * FROM one_time_links').all());
  file.close();
  assert.match(rows, /"purpose":"operator"/);
  assert.ok(!rows.includes(token));

  const person = new Person(service);
  const first = await person.send(link.pathname + link.search);
  assert.equal(first.status, 303);
  assert.equal(first.headers.location, '/admin/start');
  const created = await person.fill('/admin/start', { email: 'ada@example.com', password });
  assert.equal(created.status, 303, created.text);
  assert.equal(created.headers.location, '/admin/welcome');
  const welcome = await person.open('/admin/welcome');
  assert.match(welcome.text, /You are the operator/);
  assert.match(welcome.text, /action="\/admin\/sources\/preview"/);
  assert.equal((await person.send('/admin/settings')).status, 200);
  assert.equal((await person.send(link.pathname + link.search)).status, 410);
  assert.equal((await new Person(service).send(link.pathname + link.search)).status, 410);
  const log = await service.end();
  assert.ok(!log.includes(token));

  const again = await serveJson(data);
  assert.equal(again.operator_link, null);
  await again.end();
  const printed = await run(['accounts', 'operator-link', '--data', data]);
  assert.match(printed.stdout, /^http:\/\/127\.0\.0\.1:4880\/admin\/start\?token=op_/);
});

const hour = 3_600_000;
const time = { ms: Date.now() };
const clock: Clock = { now: () => time.ms };
const pages = await servePages({}, clock, openActions);
const { operatorLinks, accounts } = pages.access;

test('a link is refused if it is wrong, expired, or there is an operator', async () => {
  const person = new Person(pages);
  for (const token of ['', 'x', `op_${'x'.repeat(43)}`]) {
    const { status, text } = await person.send(`/admin/start?token=${token}`);
    assert.equal(status, 410);
    assert.match(text, /cratebase accounts operator-link/);
  }
  const link = await operatorLinks.createFirst();
  assert.ok(link);
  assert.equal(await operatorLinks.isValid(link.token), true);
  await personWithRole(pages, 'first@example.com', 'operator');
  assert.equal(await operatorLinks.isValid(link.token), false);
  assert.match(
    (await person.send(`/admin/start?token=${link.token}`)).text,
    /This service has an operator already\. Sign in\./,
  );
  assert.equal(await operatorLinks.createFirst(), null);
  const other = await operatorLinks.create('terminal:test');
  assert.equal(await operatorLinks.isValid(other.token), true);
  const file = new Database(pages.dataFile);
  file.prepare('UPDATE one_time_links SET expires_ts = expires_ts - ?').run(hour);
  file.close();
  assert.equal(await operatorLinks.isValid(other.token), false);
});

test('of the links for the first operator only the last works, and none after it was claimed', async () => {
  const own = await servePages();
  const { operatorLinks: links, accounts: people } = own.access;
  const [early, late] = [await links.createFirst(), await links.createFirst()];
  assert.ok(early && late);
  assert.equal(await links.isValid(early.token), false);
  assert.equal(await links.isValid(late.token), true);
  // As files have them that an earlier version wrote.
  const file = new Database(own.dataFile);
  file
    .prepare(`INSERT INTO one_time_links SELECT ?, purpose, account_id, payload, created_ts, expires_ts
      FROM one_time_links`)
    .run(createHash('sha256').update(early.token).digest('base64url'));
  file.close();
  assert.equal(await links.isValid(early.token), true);
  await links.claimForNew(late.token, 'first@example.com', password, '127.0.0.1');
  await people.delete('first@example.com', undefined, { force: true });
  for (const { token } of [early, late]) assert.equal(await links.isValid(token), false);
});

test('the page after the first start counts sources without a schedule', async () => {
  const own = await servePages();
  const file = new Database(own.dataFile);
  const before = file.prepare('SELECT count(*) FROM sources').pluck().get() as number;
  file
    .prepare(
      "INSERT INTO sources (name, type, trust, clock, created_ts) VALUES ('once', 'feed', 50, 'instant', 0)",
    )
    .run();
  file.close();
  const person = await personWithRole(own, 'ada@example.com', 'operator');
  const { text } = await person.open('/admin/welcome');
  assert.match(text, new RegExp(`<dt>Sources</dt><dd>${before + 1}</dd>`));
});

test('a signed-in account becomes the operator; a form says what is wrong and keeps the link', async () => {
  const { token } = await operatorLinks.create('terminal:test');
  const person = new Person(pages);
  await person.send(`/admin/start?token=${token}`);
  const short = await person.fill('/admin/start', { email: 'bob@example.com', password: 'short' });
  assert.equal(short.status, 400);
  assert.match(short.text, /10 to 1000 characters; this one has 5/);
  const taken = await person.fill('/admin/start', { email: 'first@example.com', password });
  assert.equal(taken.status, 409);
  assert.match(taken.text, /There is an account with this email already\. Sign in to it\./);
  await person.signUp('bob@example.com');
  const { text } = await person.open('/admin/start');
  assert.match(text, /You are signed in as <bdi>bob@example\.com/);
  const fields = hiddenFields(text, '/admin/start');
  const [one, two] = await Promise.all([
    person.post('/admin/start', fields),
    person.post('/admin/start', fields),
  ]);
  assert.deepEqual([one.status, two.status].sort(), [303, 409]);
  assert.equal((await accounts.show('bob@example.com')).role, 'operator');
});
