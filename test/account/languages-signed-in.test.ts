/** The account pages of a person who is signed in, in German: every page and every refusal, then in a browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { load } from 'cheerio/slim';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import * as de from '../../src/pages/messages/de.ts';
import { isAccessible } from '../support/accessibility.ts';
import { assertLanguage, german } from '../support/account-language.ts';
import {
  hiddenFields,
  idsOn,
  type Pages,
  type Person,
  password,
  servePages,
} from '../support/account-pages.ts';
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts';
import type { Answer } from '../support/program.ts';

const words = de.account;
const clock = { now: () => Date.now() + clock.ahead, ahead: 0 };
const pages = await servePages({ baseUrl: 'http://localhost:4880' }, clock);
const { access } = pages;

const dashboard = '/account/developer';
const security = '/account/security';

const heading = (answer: Answer): string => assertLanguage(answer, 'de')('h1').text();
const notice = (answer: Answer): string => assertLanguage(answer, 'de')('.notice.bad, .error[id]').text();
const main = (answer: Answer): string => assertLanguage(answer, 'de')('main').text().replace(/\s+/g, ' ');

/** A person who chose German and is signed in. */
async function signedIn(email: string): Promise<Person & { id: string }> {
  const person = german(pages);
  await person.signUp(email);
  return Object.assign(person, { id: (await access.accounts.show(email)).id });
}

/** Writes to the file what only a browser or a provider could make. */
function write(sql: string, ...values: unknown[]): void {
  const file = new Database(pages.dataFile);
  file.prepare(sql).run(...values);
  file.close();
}
const addPasskey = (account: string, name: string) =>
  write(
    `INSERT INTO passkeys VALUES (?, ?, ?, 'key', 0, '[]', ?, NULL)`,
    name.replace(/\W/g, '-'),
    account,
    name,
    Date.UTC(2026, 2, 5),
  );

describe('the developer page', () => {
  test('is in the language of the visitor, and leads to the other one', async () => {
    const person = await signedIn('empty@example.com');
    const $ = assertLanguage(await person.open(dashboard), 'de');
    assert.equal($('h1').text(), words.developer.title);
    assert.match(
      $('main').text(),
      /Noch keine Schlüssel[\s\S]*Noch keine Anfragen[\s\S]*Keine App ist verbunden/,
    );
    const href = $('.foot a[hreflang=en]').attr('href') ?? '';
    assert.equal(href, '/account/developer?lang=en');
    assertLanguage(await person.open(href), 'en');
    assertLanguage(await person.open(security), 'en');
    assertLanguage(await person.open('/account/security?done=ended&lang=de'), 'de');
    assert.match(main(await person.open('/account/security?done=ended')), /Dieser Browser ist abgemeldet\./);
  });

  test('has keys of every state, their pages, and their refusals in German', async () => {
    const person = await signedIn('keys@example.com');
    const create = (fields: Record<string, string>) => person.fill(dashboard, fields, `${dashboard}/keys`);
    const created = await create({ name: 'laptop', expires: '30d', scope: 'rest' });
    assert.equal(heading(created), words.key.newTitle);
    assert.match(main(created), /Ausprobieren/);
    assert.match(main(await create({ name: 'bot', scope: 'agents' })), /Der Agent braucht ihn/);
    assert.equal(notice(await create({ name: '' })), words.refusals.name);
    assert.equal(
      notice(await create({ name: 'x', scope: 'all', expires: 'never!' })),
      words.refusals.terms_expiry,
    );
    const [bot = '', laptop = ''] = idsOn((await person.open(dashboard)).text, /keys\/(key_\w+)\/rotate/g);
    assert.equal(heading(await person.open(`${dashboard}/keys/${laptop}/rotate`)), words.key.replaceHeading);
    const rotated = await person.fill(`${dashboard}/keys/${laptop}/rotate`, { overlap: '24h' });
    assert.match(main(rotated), /Der alte Schlüssel gilt bis \d+\. \S+ 20\d\d um \d\d:\d\d Uhr UTC/);
    const ended = await person.fill(`${dashboard}/keys/${bot}/rotate`, { overlap: '0m' });
    assert.match(main(ended), /Der alte Schlüssel gilt nicht mehr/);
    const [newest = ''] = idsOn((await person.open(dashboard)).text, /keys\/(key_\w+)\/revoke/g);
    assert.equal(heading(await person.open(`${dashboard}/keys/${newest}/revoke`)), words.key.revokeHeading);
    const { headers } = await person.fill(`${dashboard}/keys/${newest}/revoke`, {});
    assert.match(
      main(await person.open(String(headers.location).replace(/#.*/, ''))),
      /Der Schlüssel ist widerrufen\./,
    );
    for (let count = 0; count < 25; count += 1) {
      const { id } = await access.keys.create('keys@example.com', `old ${count}`);
      await access.keys.revoke(id);
    }
    const list = main(await person.open(dashboard));
    assert.match(list, /Erzeugt am \d+\. \S+ 20\d\d, noch nicht benutzt, widerrufen am/);
    assert.match(list, /gültig bis/);
    assert.match(list, /Seite 1 von 2/);
    assert.equal(
      load((await person.open(`${dashboard}?page=2`)).text)('.foot a[hreflang=en]').attr('href'),
      `${dashboard}?page=2&lang=en`,
    );
    write(
      `WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 100)
       INSERT INTO api_keys (id, account_id, public_id, name, secret_hash, last_four, created_ts)
       SELECT 'key_copy' || n, account_id, 'copy' || n, 'copy ' || n, secret_hash, last_four, created_ts
       FROM api_keys, more WHERE api_keys.id = ?`,
      laptop,
    );
    assert.match(notice(await create({ name: 'one more' })), /^Es gibt schon 100 aktive Schlüssel/);
  });

  test('has usage, notices, limits and changes of the plan in German', async () => {
    const email = 'quota@example.com';
    const person = await signedIn(email);
    await access.accounts.setLimits(email, { quota: 2_000, window: 1_500 });
    const credential = await access.authenticate(`Bearer ${await person.createKey('laptop')}`);
    assert.ok(credential);
    await access.admit(credential, 1_200, 'rest');
    await access.admit(credential, 1, 'mcp');
    const half = main(await person.open(dashboard));
    assert.match(half, /1\.201 von 2\.000 Anfragen/);
    assert.match(half, /Die Zählung beginnt am 1\. \S+ 20\d\d um 00:00 Uhr UTC von vorn/);
    assert.match(half, /REST, oben: 1\.200/);
    assert.match(half, /2\.000 Anfragen für das Konto \(eigenes Limit; der Tarif hat 10\.000\)/);
    await access.accounts.setLimits(email, { quota: 1_400, window: 1_500 });
    assert.match(
      main(await person.open(dashboard)),
      /Mindestens 80 % des Monatskontingents sind verbraucht: 1\.201 von 1\.400/,
    );
    await access.accounts.setLimits(email, { quota: 1_201, window: 1_500 });
    assert.match(
      notice(await person.open(dashboard)),
      /^Das Monatskontingent ist verbraucht: 1\.201 von 1\.201 Anfragen/,
    );
    await access.plans.set('free', { quota: 5_000, from: '2099-01-01', note: 'x' });
    assert.match(
      main(await person.open(dashboard)),
      /Ab 1\. Jan\. 2099 hat der Tarif „Free“ 5\.000 Anfragen je Konto und Monat und 60 je Schlüssel und 60 s\./,
    );
  });

  test('has apps in German', async (t) => {
    const person = await signedIn('apps@example.com');
    const app = {
      id: 'g1',
      name: 'Zed',
      uri: null,
      scopes: ['catalogue:read'],
      createdTs: Date.UTC(2026, 2, 5),
    };
    const list = [
      { ...app, host: null, verified: false, lastUsedTs: null },
      { ...app, host: 'agent.example', verified: true, lastUsedTs: Date.UTC(2026, 2, 6, 14, 5) },
      { ...app, host: 'agent.example', verified: false, lastUsedTs: null, scopes: [] },
      { ...app, id: 'g2', name: '', host: null, verified: false, lastUsedTs: null },
    ];
    t.mock.method(access.apps, 'list', async () => list);
    const text = main(await person.open(dashboard));
    assert.match(text, /Darf: den Katalog lesen\./);
    assert.match(text, /Verbunden am 5\. März 2026, zuletzt benutzt am 6\. März 2026 um 14:05 Uhr UTC/);
    assert.match(text, /Name bestätigt von agent\.example[\s\S]*agent\.example, nicht bestätigt/);
    assert.match(text, /Eine App ohne Namen/);
    assert.equal(heading(await person.open(`${dashboard}/apps/g1/disconnect`)), words.apps.heading);
  });
});

describe('the page of the account', () => {
  test('has password, sessions and deletion with their refusals in German', async () => {
    const email = 'account@example.com';
    const person = await signedIn(email);
    await access.sessions.signIn(email, password, {
      address: '192.0.2.1',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      known: undefined,
    });
    const $ = assertLanguage(await person.open(security), 'de');
    assert.equal($('h1').text(), words.security.title);
    assert.match($('#sessions').closest('section').text(), /Firefox auf Linux/);
    assert.match($('#sessions').closest('section').text(), /Ein unbekannter Browser/);
    const change = (fields: Record<string, string>) => person.fill(security, fields, `${security}/password`);
    assert.equal(
      notice(await change({ password: 'wrong', new_password: `${password} two` })),
      words.security.wrongPassword,
    );
    assert.match(notice(await change({ password, new_password: 'short' })), /dieses hat 5\./);
    assert.match(main(await person.open(`${security}?done=password`)), /Ihr Passwort ist geändert\./);
    const remove = (fields: Record<string, string>) => person.fill('/account/delete', fields);
    assert.equal(heading(await person.open('/account/delete')), words.deletion.heading);
    assert.equal(
      notice(await remove({ email: 'x', password })),
      `Bitte ${email} eingeben, um dieses Konto zu löschen.`,
    );
    assert.equal(notice(await remove({ email, password: 'wrong' })), words.security.wrongPassword);
    await access.accounts.setRole(email, 'operator', 'terminal:test');
    assert.match(notice(await remove({ email, password })), /Dieser Dienst hat keinen anderen Betreiber/);
    assert.equal(heading(await person.send(`${security}/nothing`)), words.failures.notFound);
  });

  test('has the second factor in German, from its set-up to its end', async () => {
    const path = `${security}/second-factor`;
    const person = await signedIn('factor@example.com');
    assert.equal(heading(await person.open(path)), words.factor.title);
    assert.equal(notice(await person.fill(path, { password: 'wrong' })), words.security.wrongPassword);
    const begun = await person.fill(path, { password });
    assert.equal(heading(begun), words.factor.setUp);
    const key = load(begun.text)('#key').text().replaceAll(' ', '');
    const fields = hiddenFields(begun.text, `${path}/confirm`);
    const wrong = await person.post(`${path}/confirm`, { ...fields, code: '000000' });
    assert.equal(notice(wrong), words.refusals.code);
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: clock.now() });
    const on = await person.post(`${path}/confirm`, { ...hiddenFields(wrong.text, `${path}/confirm`), code });
    assert.equal(heading(on), words.factor.turnedOn);
    const codes = load(on.text)('#codes').text().split('\n');
    assert.match(
      main(await person.open(security)),
      /Eingeschaltet seit .*Unbenutzte Wiederherstellungscodes: 10\./,
    );
    assert.match(main(await person.open(path)), /Die bisherigen gelten dann nicht mehr\./);
    assert.equal(
      notice(await person.fill(path, { code: 'x' }, `${path}/recovery-codes`)),
      words.refusals.code,
    );
    const renewed = await person.fill(path, { code: codes[0] as string }, `${path}/recovery-codes`);
    assert.equal(heading(renewed), words.factor.renewed);
    const [fresh = ''] = load(renewed.text)('#codes').text().split('\n');
    assert.equal((await person.fill(path, { password, code: fresh }, `${path}/off`)).status, 303);
    assert.match(main(await person.open(`${security}?done=second-factor-off`)), /ausgeschaltet\./);
  });

  test('has passkeys in German', async () => {
    const path = `${security}/passkeys`;
    const person = await signedIn('passkeys@example.com');
    addPasskey(person.id, 'Telefon');
    assert.match(main(await person.open(security)), /Seit 5\. März 2026, noch nicht benutzt/);
    assert.equal(heading(await person.open(`${path}/new`)), words.passkeys.add);
    assert.equal(
      notice(await person.fill(`${path}/new`, { password: 'wrong' })),
      words.security.wrongPassword,
    );
    const form = await person.fill(`${path}/new`, { password });
    assert.match(main(form), /Bitte dem Passkey einen Namen geben/);
    assert.equal(load(form.text)('form[data-passkey]').attr('data-not-used'), words.passkey.notUsed);
    assert.equal(heading(await person.open(`${path}/Telefon/edit`)), words.passkeys.changeTitle);
    const twoLines = await person.fill(`${path}/Telefon/edit`, { name: 'Mein\u2028Telefon' });
    assert.equal(notice(twoLines), words.refusals.name);
    assert.match(twoLines.text, /name="name"[^>]* value="Mein\u2028Telefon"/, 'the name that was typed');
  });

  test('has linked logins in German', async () => {
    const person = await signedIn('oidc@example.com');
    const login = ['https://id.example.org', 'subject', person.id, 'oidc@example.org', Date.UTC(2026, 2, 5)];
    write('INSERT INTO external_logins VALUES (?, ?, ?, ?, ?, NULL)', ...login);
    const page = await person.open(security);
    assert.match(main(page), /id\.example\.org\s?oidc@example\.org, verknüpft am 5\. März 2026/);
    const [id = ''] = idsOn(page.text, /logins\/(login_[\w-]+)\/unlink/g);
    const path = `${security}/logins/${id}/unlink`;
    assert.equal(heading(await person.open(path)), words.logins.heading);
    assert.equal(notice(await person.fill(path, { password: 'wrong' })), words.security.wrongPassword);
    assert.equal((await person.fill(path, { password })).status, 303);
    assert.match(
      main(await person.open(`${security}?done=login-unlinked`)),
      /Die Verknüpfung ist aufgehoben\./,
    );
  });

  test('says in German that a sign-in is too long ago', async () => {
    const email = 'stale@example.com';
    const person = await signedIn(email);
    write('UPDATE accounts SET password_hash = NULL WHERE email = ?', email);
    clock.ahead = 3_600_000;
    try {
      for (const [path, action] of [
        [`${security}/second-factor`, `${security}/second-factor`],
        [`${security}/passkeys/new`, `${security}/passkeys/new`],
        ['/account/delete', '/account/delete'],
      ] as const)
        assert.equal(notice(await person.fill(path, { email }, action)), words.refusals.stale, path);
      const changed = await person.fill(security, { new_password: password }, `${security}/password`);
      assert.equal(notice(changed), words.refusals.stale);
    } finally {
      clock.ahead = 0;
    }
  });
});

const skip = skipWithoutBrowser;

/** Asserts that a page fits windows of three widths, and that axe finds nothing. */
async function fits(page: Page): Promise<void> {
  const where = `${page.url()} ${await page.title()}`;
  assert.equal(await page.locator('html').getAttribute('lang'), 'de', where);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    if (width === 390) await isAccessible(page);
    const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    assert.ok(over <= 0, `${where} is ${over} px too wide at ${width}`);
  }
}

test('a German browser: sign up, create, replace and revoke a key, set up codes, delete', {
  skip,
  timeout: 120_000,
}, async () => {
  const browser = await startBrowser();
  try {
    const own: Pages = await servePages();
    const context = await browser.newContext({ locale: 'de-DE', baseURL: own.url });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
    await page.goto('/account/sign-up');
    await page.getByLabel('E-Mail-Adresse').fill('grete@example.com');
    await page.getByLabel('Passwort').fill(password);
    await press('Konto erstellen');
    await page.getByLabel('Name des Schlüssels').fill('Rechner im Wohnzimmer');
    await fits(page);
    await page.getByLabel('Er läuft ab').selectOption({ label: 'nach 90 Tagen' });
    await press('API-Schlüssel erzeugen');
    await page.getByRole('heading', { name: 'Ihr neuer Schlüssel' }).waitFor();
    await fits(page);
    await follow('Der Schlüssel ist kopiert');
    await fits(page);
    await follow('Rechner im Wohnzimmer ersetzen');
    await fits(page);
    await press('Neuen Schlüssel erzeugen');
    await page.getByText('Der alte Schlüssel gilt bis').waitFor();
    await fits(page);
    await follow('Der Schlüssel ist kopiert');
    await follow('Rechner im Wohnzimmer widerrufen');
    await fits(page);
    await press('Schlüssel widerrufen');
    await page.getByText('Der Schlüssel ist widerrufen.').waitFor();
    await follow('Konto');
    await fits(page);
    await follow('Zweiten Faktor einrichten');
    await fits(page);
    await page.getByLabel('Ihr Passwort').fill(password);
    await press('Einrichten');
    const key = (await page.locator('#key').innerText()).replaceAll(' ', '');
    await fits(page);
    await page
      .getByRole('textbox', { name: 'Code' })
      .fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
    await press('Einschalten');
    await page.getByRole('heading', { name: 'Ihr zweiter Faktor ist eingeschaltet' }).waitFor();
    await fits(page);
    await follow('Die Codes sind aufbewahrt');
    await follow('Zweiten Faktor ändern');
    await fits(page);
    await page.goto('/account/delete');
    await fits(page);
    await page.getByLabel('Ihre E-Mail-Adresse').fill('grete@example.com');
    await page.getByLabel('Ihr Passwort').fill(password);
    await press('Endgültig löschen');
    await page.getByText('Ihr Konto ist gelöscht').waitFor();
  } finally {
    await browser.close();
  }
});
