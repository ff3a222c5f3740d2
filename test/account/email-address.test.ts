/** Which emails new accounts can have: one spelling per mailbox, on every way in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEmail, parseFormEmail, parseNewEmail } from '../../src/access/account-input.ts';
import { mailThrottleKeys } from '../../src/access/throttle-rules.ts';
import { Person, password, servePages } from '../support/account-pages.ts';
import { serveMail } from '../support/smtp.ts';

const bare = [
  'ada@example.com',
  'dev@localhost',
  "o'neil+club.2026=x@mail-1.example.co.uk",
  '!#$%&*/?^_`{|}~-@example.com',
  'günther@bücher.example',
  'ada@xn--bcher-kva.example',
  '用户@例え.テスト',
  `${'a'.repeat(64)}@example.com`,
];

const refused = [
  '7<vic@b.example>',
  'vic@b.example>',
  '<vic@b.example',
  'x<vic@b.example',
  'vic(x)@b.example',
  'vic@b.example(x)',
  'vic@b.example.',
  'vic@.b.example',
  'vic@b..example',
  'vic.@b.example',
  '.vic@b.example',
  'v..ic@b.example',
  '"vic"@b.example',
  'vic\\x@b.example',
  'a,vic@b.example',
  'vic@b.example,c.example',
  'vic@b.example;c.example',
  'group:vic@b.example',
  'vic@[192.0.2.1]',
  'vic@192.0.2.1',
  'vic@b.example:25',
  'vic@-b.example',
  'vic@b-.example',
  'vic@b\u3002example',
  'vic@\uff42.example',
  '\uff56ic@b.example',
  `${'a'.repeat(65)}@example.com`,
  `vic@${'b'.repeat(64)}.example`,
];

test('new accounts have a bare address', () => {
  for (const email of bare) {
    assert.equal(parseNewEmail(` ${email} `), email);
    assert.equal(parseFormEmail(email), email);
  }
  for (const email of refused) {
    assert.throws(() => parseNewEmail(email), /is not an email address/, email);
    assert.throws(() => parseFormEmail(email), /Write an email address/, email);
  }
});

test('accounts of earlier versions with another address can still be named', () => {
  assert.equal(parseEmail('7<vic@b.example>'), '7<vic@b.example>');
});

test('both spellings of a domain count for the mails of one address', () => {
  assert.deepEqual(mailThrottleKeys('ada@bücher.example'), mailThrottleKeys('ada@xn--bcher-kva.example'));
});

test('a sign-up and an account of the operator refuse a mailbox in mail syntax', async () => {
  const mailbox = await serveMail();
  const pages = await servePages({ smtpUrl: mailbox.url, mailFrom: 'noreply@example.org' });
  for (let round = 0; round < 8; round += 1) {
    const email = `${round}<target@q.example>`;
    const answer = await new Person(pages).fill('/account/sign-up', { email, password });
    assert.equal(answer.status, 400, email);
    assert.match(answer.text, /Write an email address/);
  }
  const { accounts } = pages.access;
  await assert.rejects(accounts.create({ email: '1<vic@b.example>' }), /is not an email address/);
  await assert.rejects(accounts.ensure('vic(x)@b.example', 'free'), /is not an email address/);
  await new Person(pages).fill('/account/sign-up', { email: 'target@q.example', password });
  const mail = await mailbox.waitFor(1);
  assert.deepEqual(mail.to, ['target@q.example']);
  assert.equal(mailbox.mails.length, 1);
});
