/** Mails of a real SMTP server: reset links and confirmed sign-ups, and that no response tells who has an account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readServeConfig } from '../../src/config.ts';
import { Failure } from '../../src/failure.ts';
import { Mailer, smtpOptions } from '../../src/mail/mailer.ts';
import { isSignedIn, type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { linkIn, serveMail } from '../support/smtp.ts';

const from = 'Our club <noreply@example.org>';
const other = 'another password altogether';
let made = 0;
const freshEmail = () => `person${++made}@example.com`;

async function serveWithMail(flags: Record<string, string> = {}) {
  const mailbox = await serveMail();
  const pages = await servePages({ smtpUrl: mailbox.url, mailFrom: from, name: 'Our club', ...flags });
  return { mailbox, pages };
}

/** An answer without what is random in it. */
const comparable = ({ status, headers, text }: { status: number; headers: object; text: string }) => ({
  status,
  location: (headers as { location?: string }).location,
  text: text.replace(/value="[\w-]{43}"|req_[\w-]+/g, ''),
});

async function createAccount({ access }: Pages, email: string): Promise<void> {
  await access.accounts.create({ email, password });
}

test('a forgotten password: the mail has a link that works once and confirms the address', async () => {
  const { mailbox, pages } = await serveWithMail();
  const email = freshEmail();
  await createAccount(pages, email);
  const ada = new Person(pages);
  const answer = await ada.fill('/account/forgot', { email: ` ${email.toUpperCase()} ` });
  assert.equal(answer.headers.location, '/account/forgot/sent');
  const mail = await mailbox.waitFor(1);
  assert.deepEqual(mail.to, [email]);
  assert.match(mail.text, /^From: Our club <noreply@example\.org>/m);
  assert.match(mail.text, /^Subject: Set a new password for Our club/m);
  assert.match(mail.text, /^Auto-Submitted: auto-generated/m);
  const path = linkIn(mail, pages.url);
  assert.equal((await ada.fill(path, { password: other })).status, 303);
  assert.equal((await ada.send(path)).status, 410);
  assert.equal((await ada.signIn(email, other)).status, 303);
  const { sign_in } = await pages.access.accounts.show(email);
  assert.ok(sign_in.verified_at !== null);
  assert.ok(!pages.log.join('').includes(email), 'the log has no address');
});

test('nothing in the response tells whether an account exists; the mail goes only to those that do', async () => {
  const { mailbox, pages } = await serveWithMail();
  const email = freshEmail();
  await createAccount(pages, email);
  const answers: object[] = [];
  for (const asked of [email, freshEmail(), email]) {
    const ada = new Person(pages);
    answers.push(comparable(await ada.fill('/account/forgot', { email: asked })));
    answers.push(comparable(await ada.open('/account/forgot/sent')));
  }
  assert.deepEqual(answers.slice(0, 2), answers.slice(2, 4));
  assert.deepEqual(answers.slice(0, 2), answers.slice(4));
  await mailbox.waitFor(2);
  await pause(300);
  assert.deepEqual(
    mailbox.mails.map(({ to }) => to.join()),
    [email, email],
  );
  const [first, second] = mailbox.mails.map((mail) => linkIn(mail, pages.url)) as [string, string];
  const ada = new Person(pages);
  assert.equal((await ada.send(first)).status, 410, 'the second mail made the first void');
  assert.equal((await ada.send(second)).status, 200);
});

test('one address gets three mails, then one in 20 minutes; a network is slowed down; the answers stay the same', async () => {
  const { mailbox, pages } = await serveWithMail();
  const email = freshEmail();
  await createAccount(pages, email);
  const ada = new Person(pages);
  for (let round = 0; round < 5; round += 1) {
    const answer = await ada.fill('/account/forgot', { email });
    assert.equal(answer.headers.location, '/account/forgot/sent');
  }
  await mailbox.waitFor(3);
  await pause(300);
  assert.equal(mailbox.mails.length, 3);
  const statuses: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    statuses.push((await ada.fill('/account/forgot', { email: freshEmail() })).status);
  }
  assert.deepEqual(statuses.slice(0, 5), [303, 303, 303, 303, 303]);
  assert.equal(statuses.at(-1), 429, 'whether the address has an account or not');
  const slow = await ada.fill('/account/forgot', { email });
  assert.equal(slow.status, 429);
  assert.ok(Number(slow.headers['retry-after']) > 0);
  assert.ok(pages.log.some((line) => line.includes('reset link refused') && line.includes('slow')));
});

test('requests from many networks leave others a share', async () => {
  const { pages } = await serveWithMail();
  const { resets } = pages.access.signIn;
  const ask = (address: string) =>
    resets.countRequest(freshEmail(), address).then(
      () => true,
      () => false,
    );
  let taken = 0;
  for (let round = 0; round < 300; round += 1) {
    if (await ask(`2001:db8:${(round % 16).toString(16)}::${round.toString(16)}`)) taken += 1;
  }
  // One provider's /32 is one of many.
  assert.ok(taken <= 82, `${taken} of one provider`);
  assert.ok(await ask('198.51.100.7'));
});

test('sign-up with mail does not tell whether the address is taken', async () => {
  const { mailbox, pages } = await serveWithMail();
  const taken = freshEmail();
  await createAccount(pages, taken);
  const answers: object[] = [];
  for (const email of [taken, freshEmail()]) {
    const ada = new Person(pages);
    answers.push(comparable(await ada.fill('/account/sign-up', { email, password })));
    const sent = await ada.open('/account/sign-up/sent');
    assert.doesNotMatch(sent.text, /req_\w/, 'the id of a request is for failures');
    answers.push(comparable(sent));
    assert.ok(!(await isSignedIn(ada)));
  }
  assert.deepEqual(answers.slice(0, 2), answers.slice(2));
  await mailbox.waitFor(2);
  const subjects = mailbox.mails.map(({ to, text }) => `${to}: ${/^Subject: (.*?)\r?$/m.exec(text)?.[1]}`);
  assert.deepEqual(
    subjects.sort(),
    [
      `${taken}: You have an account at Our club`,
      `person${made}@example.com: Confirm your address for Our club`,
    ].sort(),
  );
});

test('the link of a sign-up creates a confirmed account, for the person who knows the password', async () => {
  const { mailbox, pages } = await serveWithMail();
  const email = freshEmail();
  const stranger = new Person(pages);
  await stranger.fill('/account/sign-up', { email, password: other });
  const strangers = linkIn(await mailbox.waitFor(1), pages.url);
  const ada = new Person(pages);
  // Ada opens the mail that a stranger caused: without the stranger's password, there is no account.
  const wrong = await ada.fill(strangers, { password });
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /not the password that you chose/);
  assert.deepEqual(await pages.access.accounts.list(), []);
  await ada.fill('/account/sign-up', { email, password });
  const own = linkIn(await mailbox.waitFor(2), pages.url);
  const done = await ada.fill(own, { password });
  assert.equal(done.headers.location, '/account/developer');
  assert.ok(await isSignedIn(ada));
  const { sign_in } = await pages.access.accounts.show(email);
  assert.ok(sign_in.verified_at !== null && sign_in.password);
  assert.equal((await ada.send(own)).status, 410);
  const late = await stranger.fill(strangers, { password: other });
  assert.equal(late.status, 409, 'the address has an account now');
  assert.equal((await stranger.signIn(email, other)).status, 401);
});

test('with --registration approval, a confirmed request replaces that of a stranger', async () => {
  const { mailbox, pages } = await serveWithMail({ registration: 'approval' });
  const email = freshEmail();
  await pages.access.pending.request(email, other, '198.51.100.7');
  const ada = new Person(pages);
  await ada.fill('/account/sign-up', { email, password });
  const path = linkIn(await mailbox.waitFor(1), pages.url);
  assert.equal((await ada.fill(path, { password })).headers.location, '/account/requested');
  await pages.access.pending.approve(email);
  assert.equal((await ada.signIn(email, other)).status, 401);
  assert.equal((await ada.signIn(email)).status, 303);
});

test('a temporary error of the server is retried, a permanent one is not, and neither reaches the browser', async () => {
  const mailbox = await serveMail();
  const lines: string[] = [];
  const log = (level: string, message: string, fields: object = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const mailer = new Mailer({ smtpUrl: mailbox.url, from, log, retryDelaysMs: [10, 10] });
  mailbox.refuseNext.push(451, 550);
  mailer.send({ to: 'a@example.com', subject: 'a', text: 'a' }, 'test');
  while (lines.length < 2) await pause(10);
  assert.match(lines[0] as string, /^warn mail delayed .*451/);
  assert.match(lines[1] as string, /^error mail not sent .*550/);
  mailbox.refuseNext.push(451, 421);
  mailer.send({ to: 'a@example.com', subject: 'a', text: 'a' }, 'test');
  await mailbox.waitFor(1);
  while (lines.length < 5) await pause(10);
  assert.match(lines.at(-1) as string, /^info mail sent/);
  assert.ok(!lines.join('').includes('a@example.com'));
  mailer.close();
});

test('TLS is required unless the mail server is on this machine', () => {
  const remote = smtpOptions('smtp://user:p%40ss@mail.example.org');
  assert.equal(remote.requireTLS, true);
  assert.equal(remote.port, 587);
  assert.deepEqual(remote.auth, { user: 'user', pass: 'p@ss' });
  assert.equal(smtpOptions('smtps://mail.example.org').port, 465);
  assert.equal(smtpOptions('smtp://localhost:25').requireTLS, false);
  assert.equal(smtpOptions('smtp://localhost.example.org').requireTLS, true);
});

test('settings that need each other are checked at the start, and the password of the server stays hidden', () => {
  const read = (flags: Record<string, string>) => () => readServeConfig(flags, {});
  assert.throws(read({ smtpUrl: 'smtp://mail.example.org' }), /needs --mail-from/);
  assert.throws(read({ smtpUrl: 'http://u:secret@x', mailFrom: from }), (failure) => {
    assert.ok(failure instanceof Failure);
    return /--smtp-url must be/.test(failure.message) && !failure.message.includes('secret');
  });
  for (const wrong of ['x', 'a@b@c', 'Name <a@b', '<a@b>>', 'a@b\nBcc: c@d'])
    assert.throws(read({ smtpUrl: 'smtp://x', mailFrom: wrong }), /--mail-from must be/, wrong);
  assert.throws(read({ localPasswords: 'off' }), /needs --oidc-issuer/);
  assert.throws(read({ oidcIssuer: 'https://login.example.org' }), /needs --oidc-client-id/);
  assert.throws(read({ oidcClientId: 'x' }), /needs --oidc-issuer/);
});
