/** The settings of the mail server: what they accept, and what the server gets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Mailer, smtpOptions } from '../../src/mail/mailer.ts';
import { parseMailFrom, parseSender, parseSmtpUrl } from '../../src/setting-values.ts';
import { serveMail } from '../support/smtp.ts';

test('a % in the user or password of the server is written as %25', () => {
  for (const wrong of ['smtp://user:50%@mail.example.org', 'smtp://us%er:x@mail.example.org'])
    assert.equal(parseSmtpUrl(wrong), undefined, wrong);
  const url = 'smtp://us%25er:50%25@mail.example.org';
  assert.equal(parseSmtpUrl(url), url);
  assert.deepEqual(smtpOptions(url).auth, { user: 'us%er', pass: '50%' });
});

test('a sender is a name and an address', () => {
  for (const [text, sender] of [
    ['noreply@example.org', { name: '', address: 'noreply@example.org' }],
    ['<noreply@example.org>', { name: '', address: 'noreply@example.org' }],
    ['Our club <noreply@example.org>', { name: 'Our club', address: 'noreply@example.org' }],
    ['"Our club" <noreply@example.org>', { name: 'Our club', address: 'noreply@example.org' }],
    ['Club: Berlin <a@b>', { name: 'Club: Berlin', address: 'a@b' }],
  ] as const) {
    assert.deepEqual(parseSender(text), sender, text);
    assert.equal(parseMailFrom(text), text);
  }
  assert.equal(parseMailFrom('Club <a@b'), undefined);
});

test('a name with a colon or comma is the name of one sender', async () => {
  const mailbox = await serveMail();
  const mailer = new Mailer({
    smtpUrl: mailbox.url,
    from: 'Club: Berlin, Mitte <a@b.example>',
    log: () => {},
  });
  mailer.send({ to: 'you@example.com', subject: 'a', text: 'a' }, 'test');
  const { text } = await mailbox.waitFor(1);
  assert.match(text, /^From: "Club: Berlin, Mitte" <a@b\.example>/m);
  mailer.close();
});

test('a transport that cannot be opened is opened again, and closing does not throw', async () => {
  const lines: string[] = [];
  const mailer = new Mailer({
    smtpUrl: 'smtp://user:50%@127.0.0.1',
    from: 'a@b.example',
    log: (_, message) => void lines.push(message),
    retryDelaysMs: [1],
  });
  mailer.send({ to: 'you@example.com', subject: 'a', text: 'a' }, 'test');
  while (lines.length < 2) await pause(5);
  assert.deepEqual(lines, ['mail delayed', 'mail not sent']);
  mailer.send({ to: 'you@example.com', subject: 'a', text: 'a' }, 'test');
  mailer.close();
  await pause(50);
});

test('mails that wait when the service ends are in the log', async () => {
  const lines: string[] = [];
  const mailer = new Mailer({
    smtpUrl: 'smtp://user:50%@127.0.0.1',
    from: 'a@b.example',
    log: (_, message, { purpose, reason } = {}) => void lines.push([message, purpose, reason].join(', ')),
    retryDelaysMs: [3_600_000],
  });
  mailer.send({ to: 'you@example.com', subject: 'a', text: 'a' }, 'reset');
  while (lines.length < 1) await pause(5);
  mailer.close();
  mailer.send({ to: 'you@example.com', subject: 'a', text: 'a' }, 'late');
  assert.deepEqual(lines, [
    'mail delayed, reset, error',
    'mail not sent, reset, the service ends',
    'mail not sent, late, the service ends',
  ]);
});
