/** Refused sign-ins are logged with their account and counted; refused links for a new password are only logged. */
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { processMetrics } from '../../src/http/metrics.ts';
import { type Pages, Person, password, servePages } from '../support/account-pages.ts';

type Line = [level: string, message: string, fields: Record<string, string>];

/** A service at localhost: passkeys need a host name. */
async function serveAtLocalhost(): Promise<Pages> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const pages = await servePages({ port: String(port), baseUrl: `http://localhost:${port}` });
  return { ...pages, url: `http://localhost:${port}` };
}

const pages = await serveAtLocalhost();
const email = 'ada@example.com';
const ada = new Person(pages);
await ada.signUp(email);
const { id } = await pages.access.accounts.show(email);

/** Does something that is refused, and returns its line of the log and how many failed sign-ins it counted. */
async function refusal(work: () => Promise<{ status: number }>) {
  const failures = () => processMetrics().accountEvents.sign_in_failed ?? 0;
  const before = failures();
  assert.ok((await work()).status >= 400);
  const [, message, fields] = JSON.parse(pages.log.at(-1) ?? '[]') as Line;
  const { account, by, reason } = fields;
  return { message, account, by, reason, counted: failures() - before };
}

test('a wrong password of a signed-in person has the account, wherever it is asked for', async () => {
  const expected = {
    ...{ message: 'sign-in failed', account: id, by: undefined, reason: 'credentials' },
    counted: 1,
  };
  const wrong = { password: 'not the password' };
  const changed = { ...wrong, new_password: 'another password altogether' };
  const passkeys = '/account/security/passkeys/new';
  const factor = '/account/security/second-factor';
  assert.deepEqual(await refusal(() => ada.fill(passkeys, wrong)), expected);
  assert.deepEqual(await refusal(() => ada.fill(factor, wrong)), expected);
  const change = () => ada.fill('/account/security', changed, '/account/security/password');
  assert.deepEqual(await refusal(change), expected);
});

test('a refused passkey counts as a failed sign-in, whose account is not known', async () => {
  const person = new Person(pages);
  const form = { answer: '{}', ticket: 'x' };
  const refused = await refusal(() => person.fill('/account/sign-in', form, '/account/sign-in/passkey'));
  assert.deepEqual(refused, {
    ...{ message: 'sign-in failed', account: undefined, by: 'passkey', reason: 'passkey' },
    counted: 1,
  });
});

test('a refused link for a new password is logged, and is no failed sign-in', async () => {
  const { path } = await pages.access.signIn.resets.create(email, 'terminal:test');
  const person = new Person(pages);
  const { text } = await person.open(path);
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  assert.equal((await person.post(path, { csrf, password })).status, 303);
  const refused = await refusal(() => person.post(path, { csrf, password }));
  assert.match(refused.account ?? '', /^unknown_/);
  assert.deepEqual(
    { ...refused, account: null },
    { message: 'reset link refused', account: null, by: undefined, reason: 'link', counted: 0 },
  );
});
