/** Forms of operators: a new account with its link, limits of plans, the logo, the identity, and the audit log. */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { load } from 'cheerio/slim';
import { Person, password } from '../support/account-pages.ts';
import { personWithRole, serveAdmin } from '../support/admin-pages.ts';
import { run } from '../support/cli-run.ts';
import { importFeed } from '../support/program.ts';
import { serveMail } from '../support/smtp.ts';

const mailbox = await serveMail();
const pages = await serveAdmin();
const mailing = await serveAdmin({ smtpUrl: mailbox.url, mailFrom: 'noreply@example.org' });
const operator = await personWithRole(pages, 'operator@example.com', 'operator');
const { accounts, plans } = pages.access;
const auditLog = pages.app.auditLog();

const lastEntries = (limit: number) => auditLog.list({ limit });

/** Sends a form with a file, as a browser does. */
async function upload(person: Person, page: string, action: string, file: Buffer | string) {
  const { text } = await person.open(page);
  const form = new FormData();
  form.set('csrf', /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '');
  form.set('logo', new Blob([new Uint8Array(Buffer.from(file))]), 'logo');
  const request = new Request(person.url, { method: 'POST', body: form });
  return person.send(action, {
    method: 'POST',
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      origin: person.url,
      'sec-fetch-site': 'same-origin',
    },
    body: Buffer.from(await request.arrayBuffer()),
  });
}

test('an account is created with plan and role; the link is shown once and sets the password', async () => {
  const fields = { email: 'New@Example.com', plan: 'pro', role: 'editor' };
  const answer = await operator.fill('/admin/new-account', fields);
  assert.equal(answer.status, 200);
  const { email, plan, role, id } = await accounts.show('new@example.com');
  assert.deepEqual([email, plan, role], ['new@example.com', 'pro', 'editor']);
  const [link, created] = lastEntries(2);
  assert.deepEqual([created?.action, created?.actor], ['account.create', 'account:operator@example.com']);
  assert.deepEqual(created?.details, { plan: 'pro', role: 'editor' });
  assert.equal(link?.action, 'account.reset-link');
  const address = new URL(load(answer.text)('#link').text());
  assert.doesNotMatch((await operator.open(`/admin/accounts/${id}`)).text, /account\/reset\//);
  const owner = new Person(pages);
  assert.equal((await owner.fill(address.pathname, { password })).status, 303);
  assert.equal((await owner.signIn('new@example.com')).status, 303);
  assert.equal((await owner.send('/admin')).status, 200);

  const taken = await operator.fill('/admin/new-account', fields);
  assert.equal(taken.status, 422);
  const $ = load(taken.text);
  assert.equal($('#field-email').attr('aria-invalid'), 'true');
  assert.equal($('#field-email').attr('value'), 'New@Example.com');
  assert.equal($('#field-role option[selected]').attr('value'), 'editor');
  assert.match($('#field-email-error').text(), /There is an account new@example\.com already/);
  const wrong = await operator.fill('/admin/new-account', { email: 'nowhere', plan: 'free', role: 'user' });
  assert.match(load(wrong.text)('#field-email-error').text(), /like name@example\.com/);
});

test('with a mail server the link is mailed and not shown', async () => {
  const own = { email: 'operator@example.com', password, role: 'operator' };
  await mailing.access.accounts.create(own);
  const person = new Person(mailing);
  await person.signIn(own.email);
  const answer = await person.fill('/admin/new-account', {
    email: 'invited@example.com',
    plan: 'free',
    role: 'user',
  });
  assert.equal(answer.status, 200);
  assert.doesNotMatch(answer.text, /account\/reset/);
  assert.match(answer.text, /is on its way to <bdi>invited@example\.com/);
  const mail = await mailbox.waitFor(1);
  assert.deepEqual(mail?.to, ['invited@example.com']);
  const path = /\/account\/reset\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  assert.equal((await new Person(mailing).fill(path, { password })).status, 303);
});

test('the terminal creates accounts with a role, too', async () => {
  const made = await run(
    ['accounts', 'create', 'cli@example.com', '--role', 'editor', '--json', '--data', pages.dataFile],
    {},
  );
  assert.equal(made.status, 0, made.stderr);
  assert.equal((await accounts.show('cli@example.com')).role, 'editor');
});

test('limits of a plan: an increase at once, a reduction with note and date, and its cancellation', async () => {
  const save = (month: string, more: Record<string, string> = {}) =>
    operator.fill(
      '/admin/settings',
      { plan: 'free', 'free-month': month, 'free-window': '60', 'free-from': '', 'free-note': '', ...more },
      '/admin/settings/plan',
    );
  assert.equal((await save('20 000')).headers.location, '/admin/settings?done=plan');
  const free = async () => (await plans.list()).find(({ plan }) => plan === 'free');
  assert.equal((await free())?.quota, 20_000);

  const noNote = await save('500');
  assert.equal(noNote.status, 422);
  const $ = load(noNote.text);
  assert.equal($('#field-free-month').attr('value'), '500');
  assert.equal($('#field-premium-month').attr('value'), '100000');
  assert.equal($('#field-free-note').attr('aria-invalid'), 'true');
  assert.match($('#field-free-note-error').text(), /This reduces the limits\. Give the reason/);
  const tooSoon = load((await save('500', { 'free-note': 'The disk is small.' })).text);
  const day = /Choose (\d{4}-\d\d-\d\d) or later/.exec(tooSoon('#field-free-from-error').text())?.[1];
  assert.ok(day);
  assert.equal(tooSoon('#field-free-note').attr('value'), 'The disk is small.');
  // The date that the form names is accepted.
  const announced = await save('500', { 'free-note': 'The disk is small.', 'free-from': day });
  assert.equal(announced.status, 303, announced.text);
  const [change] = (await free())?.upcoming ?? [];
  assert.deepEqual([change?.quota, change?.from.slice(0, 10)], [500, day]);
  const { text } = await operator.open('/admin/settings');
  assert.match(text, /500 requests a month, 60 per key[\s\S]*The disk is small\./);
  const cancelled = await operator.fill('/admin/settings', {}, '/admin/settings/plan-change');
  assert.equal(cancelled.headers.location, '/admin/settings?done=plan-cancelled');
  assert.deepEqual((await free())?.upcoming, []);
  assert.match((await operator.open('/admin/audit?action=plan.')).text, /Cancelled a change of the plan/);
});

test('the plans that may read the change feed and the exports are chosen by check boxes', async () => {
  const checked = async () => {
    const $ = load((await operator.open('/admin/settings')).text);
    return $('#exports ~ * input[type=checkbox][checked], section:has(#exports) input[checked]')
      .toArray()
      .map((input) => $(input).attr('name'));
  };
  assert.deepEqual(await checked(), ['exports-premium', 'exports-pro']);
  const saved = await operator.fill(
    '/admin/settings',
    { 'exports-free': '1', 'exports-premium': '', 'exports-pro': '1' },
    '/admin/settings/exports',
  );
  assert.equal(saved.headers.location, '/admin/settings?done=exports');
  assert.deepEqual(await pages.access.exports.plans(), ['free', 'pro']);
  assert.deepEqual(await checked(), ['exports-free', 'exports-pro']);
  assert.deepEqual(
    lastEntries(2).map(({ action, subject }) => [action, subject]),
    [
      ['plan.exports', 'premium'],
      ['plan.exports', 'free'],
    ],
  );
  const { text } = await operator.open('/admin/audit?action=plan.');
  assert.match(text, /Changed who may read the change feed and exports: plan/);
});

test('a logo is uploaded, shown and removed; what is no image, or too long, is refused', async () => {
  const action = '/admin/settings/logo';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z"/></svg>';
  const done = await upload(operator, '/admin/settings', action, svg);
  assert.equal(done.headers.location, '/admin/settings?done=logo');
  const { text } = await operator.open('/admin/settings');
  const path = /<img src="(\/[^"]+\.svg)"/.exec(text)?.[1] ?? '';
  assert.equal((await operator.open(path)).text, svg);

  const script = svg.replace('<path', '<script>alert(1)</script><path');
  for (const [file, reason] of [
    [script, /scripts or foreign objects/],
    ['GIF89a', /not a PNG, WebP or SVG/],
    ['', /Choose a file/],
    [`${svg}${' '.repeat(70_000)}`, /at most 64 KB/],
  ] as const) {
    const refused = await upload(operator, '/admin/settings', action, file);
    assert.equal(refused.status, 422);
    assert.match(load(refused.text)('#field-logo-error').text(), reason);
  }
  assert.equal((await upload(operator, '/admin/settings', action, 'x'.repeat(200_000))).status, 413);
  assert.equal(pages.app.identity.current().logo?.content.toString(), svg);
  const removed = await operator.fill('/admin/settings', { do: 'remove' }, action);
  assert.equal(removed.headers.location, '/admin/settings?done=logo-removed');
  assert.equal(pages.app.identity.current().logo, null);
});

test('the start options have the values of the data file, and say so', async () => {
  const unset = { value: null, from: 'default', problem: null };
  pages.app.services.register('test', {
    pid: process.pid,
    url: pages.url,
    started_at: new Date().toISOString(),
    version: '0',
    settings: ['imprint', 'terms'].map((name) => ({ name, ...unset })),
    machine: hostname(),
    data: pages.dataFile,
  } as never);
  const fields = { 'identity-imprint': 'https://klub.example/impressum' };
  const saved = await operator.fill('/admin/settings', fields, '/admin/settings/identity');
  assert.equal(saved.status, 303);
  const $ = load((await operator.open('/admin/settings')).text);
  const rows = $('section[aria-labelledby="options"] tbody tr')
    .toArray()
    .map((row) =>
      $(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text()),
    );
  assert.deepEqual(rows, [
    ['--imprint', 'https://klub.example/impressum', 'data file'],
    ['--terms', '–', 'default'],
  ]);
  await operator.fill('/admin/settings', { 'identity-imprint': '' }, '/admin/settings/identity');
  pages.app.services.register('test', null);
});

test('a value of the identity that another operator changed meanwhile stays', async () => {
  const action = '/admin/settings/identity';
  const $ = load((await operator.open('/admin/settings')).text);
  const inputs = $(`form[action="${action}"]`).find('input, textarea, select').toArray();
  const form = Object.fromEntries(
    inputs.map((one) => {
      const input = $(one);
      const text = input.is('select') ? input.find('[selected]').attr('value') : input.attr('value');
      return [input.attr('name') ?? '', (input.is('textarea') ? input.text() : text) ?? ''];
    }),
  );
  const { identity } = pages.app;
  await identity.set({ footer: 'By the club', about: 'One\nTwo' }, 'terminal:other');
  const saved = await operator.post(action, { ...form, 'identity-contact': 'https://klub.example/' });
  assert.equal(saved.headers.location, '/admin/settings?done=identity', saved.text);
  const { footer, about, contact } = identity.current();
  assert.deepEqual([footer, about], ['By the club', 'One\nTwo']);
  assert.match(contact ?? '', /klub\.example/);
  await identity.set({ footer: null, about: null, contact: null }, 'terminal:other');
});

test('a refused identity is shown again with every value; nothing of it is stored', async () => {
  const fields = {
    'identity-name': 'Hamburg bei Nacht',
    'identity-accent': 'blue-ish',
    'identity-about': 'One\n\nTwo',
  };
  const answer = await operator.fill('/admin/settings', fields, '/admin/settings/identity');
  assert.equal(answer.status, 422);
  const $ = load(answer.text);
  assert.equal($('#field-identity-name').attr('value'), 'Hamburg bei Nacht');
  assert.equal($('#field-identity-accent').attr('value'), 'blue-ish');
  assert.equal($('#field-identity-about').text(), 'One\n\nTwo');
  assert.equal($('#field-identity-accent').attr('aria-invalid'), 'true');
  assert.equal($('#errors a').attr('href'), '#field-identity-accent');
  assert.equal(pages.app.identity.current().name, 'cratebase');
  const city = { ...fields, 'identity-accent': '#0057b8', 'identity-homeCity': 'atlantis' };
  const unknown = await operator.fill('/admin/settings', city, '/admin/settings/identity');
  assert.match(load(unknown.text)('#field-identity-homeCity-error').text(), /There is no city "atlantis"/);
});

test('the audit log has a sentence for each action; what a source did not set is folded', async () => {
  const add = ['sources', 'add', 'club', '--type', 'ical', '--url', 'https://club.example/a.ics'];
  const { status, stderr } = await run([...add, '--data', pages.dataFile], {});
  assert.equal(status, 0, stderr);
  const $ = load((await operator.open('/admin/audit?action=source.')).text);
  const entry = $('ol.rows > li').first();
  assert.match(entry.find('strong').text(), /^Added the source$/);
  const lines = entry.find('.what > dl dt').length;
  const folded = entry.find('details dt').length;
  assert.equal(lines, 2);
  assert.equal((await operator.send(entry.find('p a').attr('href') ?? '')).status, 200);
  assert.ok(folded >= 8, `${folded} folded lines`);
  assert.equal(entry.find('details').attr('open'), undefined);
});

test('the audit log offers no undo that would leave no operator', async () => {
  const $ = load((await operator.open('/admin/audit?action=account.set-role')).text);
  const entry = $('ol.rows > li').filter((_, one) => $(one).text().includes('operator@example.com'));
  assert.ok(entry.length > 0);
  assert.equal(entry.find('form').length, 0);
});

test('the German audit log has German words for values and names', async () => {
  await operator.send('/admin/audit?lang=de');
  const fields = { 'identity-homeCity': '', 'identity-name': 'Nachtplan' };
  await operator.fill('/admin/settings', fields, '/admin/settings/identity');
  const $ = load((await operator.open('/admin/audit?action=setting.')).text);
  assert.match($('ol.rows > li').first().text(), /Einstellung geändert: Name/);
  operator.cookies.delete('cratebase_language');
});

test('the city of the home page may be given by its name', async () => {
  const line = { kind: 'city', external_id: 'k', name: 'Köln', country: 'DE' };
  importFeed(pages.dataFile, [line]);
  const fields = { 'identity-homeCity': 'Köln' };
  const answer = await operator.fill('/admin/settings', fields, '/admin/settings/identity');
  assert.equal(answer.status, 303, answer.text);
  const slug = pages.app.identity.current().homeCity;
  assert.equal((await operator.send(`/cities/${slug}`)).status, 200);
});
