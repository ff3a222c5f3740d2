/** The account pages in German: every way in, what is refused, and the mails. A page is in one language. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'cheerio/slim';
import { Secret, TOTP } from 'otpauth';
import * as de from '../../src/pages/messages/de.ts';
import * as en from '../../src/pages/messages/en.ts';
import { isAccessible } from '../support/accessibility.ts';
import { assertLanguage, german } from '../support/account-language.ts';
import { type Pages, Person, password, servePages } from '../support/account-pages.ts';
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import type { Answer } from '../support/program.ts';
import { serveMail } from '../support/smtp.ts';

const words = de.account;
const mailbox = await serveMail();
const noMail = await servePages();
const mailed = await servePages({ smtpUrl: mailbox.url, mailFrom: 'noreply@example.org' });
const approving = await servePages({ registration: 'approval' });
const closed = await servePages({ registration: 'closed' });

const from = { address: '192.0.2.1', userAgent: 'test', known: undefined };

const heading = (answer: Answer): string => assertLanguage(answer, 'de')('h1').text();
const notice = (answer: Answer): string => assertLanguage(answer, 'de')('.notice.bad, .error[id]').text();

const openPaths: [Pages, string][] = [
  [noMail, '/account/sign-in'],
  [noMail, '/account/sign-in?done=signed-out'],
  [noMail, '/account/sign-in?done=reset'],
  [noMail, '/account/sign-up'],
  [noMail, '/account/forgot'],
  [noMail, '/account/forgot/sent'],
  [noMail, '/account/sign-up/sent'],
  [noMail, '/account/reset/void'],
  [noMail, '/account/confirm/void'],
  [noMail, '/account/nothing'],
  [mailed, '/account/forgot'],
  [approving, '/account/sign-up'],
  [approving, '/account/requested'],
  [closed, '/account/sign-up'],
];

describe('pages without a session', () => {
  test('are in the language of the visitor, wholly', async () => {
    for (const [pages, path] of openPaths) {
      assertLanguage(await german(pages).send(path), 'de');
      assertLanguage(await new Person(pages).send(path), 'en');
      assertLanguage(await new Person(pages).send(path, { headers: { 'accept-language': 'de-AT' } }), 'de');
    }
  });

  test('lead to the other language, which is remembered', async () => {
    const person = new Person(noMail);
    const $ = load((await person.open('/account/sign-in?next=%2Fdocs')).text);
    const href = $('.foot a[hreflang=de]').attr('href') ?? '';
    assert.equal(href, '/account/sign-in?next=%2Fdocs&lang=de');
    const chosen = await person.open(href);
    assert.equal(heading(chosen), 'Anmelden');
    assert.equal(load(chosen.text)('input[name=next]').attr('value'), '/docs');
    assert.equal(heading(await person.open('/account/sign-up')), 'Konto erstellen');
    const refused = await person.fill('/account/sign-in', { email: 'x', password: 'y' });
    assert.equal(
      load(refused.text)('.foot [hreflang]').length,
      0,
      'opening it again would show another page',
    );
  });
});

describe('mails', () => {
  test('are in the language in which they were asked for, and their links lead to German pages', async () => {
    const person = german(mailed);
    const email = 'mailed@example.com';
    await person.fill('/account/sign-up', { email, password });
    const link = async (count: number, said: RegExp) => {
      const { text: plain } = await mailbox.waitFor(count);
      assert.match(plain, said);
      assert.doesNotMatch(plain, /\b(?:open|mail|ignore)\b/);
      return /\/account\/(?:confirm|reset)\/[\w-]+/.exec(plain)?.[0] ?? '';
    };
    const confirm = await link(1, /innerhalb eines Tages diesen Link öffnen/);
    assert.equal(heading(await person.open(confirm)), words.confirm.title);
    const wrong = await person.fill(confirm, { password: 'not the password' });
    assert.equal(notice(wrong), words.refusals.credentials_of_sign_up);
    assert.equal((await person.fill(confirm, { password })).status, 303);
    assert.equal(heading(await person.send(confirm)), words.common.voidLink);
    const other = german(mailed);
    await other.fill('/account/forgot', { email });
    const reset = await link(2, /innerhalb einer Stunde diesen Link öffnen/);
    assert.equal(heading(await other.open(reset)), words.reset.title);
    assert.match(notice(await other.fill(reset, { password: 'short' })), /dieses hat 5\./);
  });
});

describe('the second factor', () => {
  test('asks for its code in German', async () => {
    const email = 'coded@example.com';
    const owner = new Person(noMail);
    await owner.signUp(email);
    const { secondFactors } = noMail.access.signIn;
    const session = await noMail.access.sessions.signIn(email, password, from);
    const { key } = await secondFactors.begin(session.account, 'cratebase');
    await secondFactors.confirm(
      session.account.id,
      new TOTP({ secret: Secret.fromBase32(key) }).generate(),
      from,
    );
    const person = german(noMail);
    assert.equal((await person.signIn(email)).headers.location, '/account/sign-in/code');
    assert.equal(heading(await person.open('/account/sign-in/code')), words.code.title);
    assert.equal(notice(await person.fill('/account/sign-in/code', { code: '000000' })), words.refusals.code);
  });
});

describe('refusals', () => {
  test('of signing in and up are shown in German by their codes', async () => {
    const person = german(noMail);
    await new Person(noMail).signUp('taken@example.com');
    const refuse = async (path: string, fields: Record<string, string>) =>
      notice(await person.fill(path, fields));
    const { refusals } = words;
    assert.equal(
      await refuse('/account/sign-in', { email: 'nobody@example.com', password }),
      refusals.credentials,
    );
    assert.equal(await refuse('/account/sign-up', { email: 'none', password }), refusals.email);
    const email = 'new@example.com';
    assert.equal(
      await refuse('/account/sign-up', { email, password: 'short' }),
      'Ein Passwort hat 10 bis 1000 Zeichen; dieses hat 5. Bitte ein anderes wählen.',
    );
    assert.equal(
      await refuse('/account/sign-up', { email, password: 'passwordpassword' }),
      refusals.password,
    );
    assert.equal(await refuse('/account/sign-up', { email, password: email }), refusals.password_is_email);
    assert.equal(await refuse('/account/sign-up', { email: 'taken@example.com', password }), refusals.taken);
  });

  test('of forms are shown in German', async () => {
    const person = german(noMail);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (body: string | Buffer, headers: Record<string, string> = type) =>
      person.send('/account/sign-in', { method: 'POST', body, headers });
    const { failures } = words;
    assert.equal(heading(await person.post('/account/sign-in', {})), failures.stale);
    assert.equal(heading(await post('', { ...type, 'sec-fetch-site': 'cross-site' })), failures.crossSite);
    assert.equal(heading(await post('%zz')), failures.other);
    const long = await post('x'.repeat(20_000));
    assert.equal(long.status, 413);
    assert.equal(heading(long), failures.other);
    assert.equal(heading(await person.send('/account/sign-in', { method: 'PUT' })), failures.method);
  });

  test('wait for minutes and seconds', () => {
    assert.match(words.refusals.slow(1), / 1 Sekunde warten/);
    assert.match(words.refusals.slow(119), / 119 Sekunden warten/);
    assert.match(words.refusals.slow(121), / 3 Minuten warten/);
    assert.equal(en.account.refusals.slow(121), 'Too many tries. Wait 3 minutes, then try again.');
  });
});

const skip = skipWithoutBrowser;

test('German pages fit their windows, and axe finds nothing', { skip, timeout: 120_000 }, async () => {
  const browser = await startBrowser();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ locale: 'de-DE', colorScheme });
      const page = await context.newPage();
      for (const [pages, path] of openPaths) {
        await page.goto(pages.url.replace('127.0.0.1', 'localhost') + path);
        assert.equal(await page.locator('html').getAttribute('lang'), 'de', path);
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          if (width === 390) await isAccessible(page);
          const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
          assert.ok(over <= 0, `${path} is ${over} px too wide at ${width}`);
        }
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
});

test('one of something is in the singular', () => {
  assert.deepEqual(
    [en, de].map(({ counts, edition, festival, home, stats, venue, consoleOperator }) => [
      counts.episodes(1),
      counts.tracks(1),
      festival.earlierOnes(1),
      edition.drawing('Friday', 1, 1).split('.')[0],
      home.nextDays(1),
      stats.inMonths(1).trim(),
      venue.people(1),
      consoleOperator.ways.factorSince(1).split(', ')[1],
    ]),
    [
      [
        ...['1 episode', '1 track', 'and 1 earlier one', 'Timetable of Friday: 1 set on 1 stage'],
        ...['Events of the next day.', 'events in 1 month', '1 person', '1 recovery code left'],
      ],
      [
        ...['1 Folge', '1 Track', 'und 1 frühere', 'Zeitplan für Friday: 1 Set auf 1 Bühne'],
        ...['Events des nächsten Tages.', 'Events in 1 Monat', '1 Person', '1 Wiederherstellungscode übrig'],
      ],
    ],
  );
  assert.deepEqual([en.venue.holds, en.common.also], ['Capacity', 'Also known as']);
  assert.deepEqual([de.venue.holds, de.common.also], ['Platz für', 'Auch bekannt als']);
});
