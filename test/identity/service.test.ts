/** The identity of a running service: set in the terminal, seen at once in every process and on every kind of page. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from 'cheerio/slim';
import { openApp } from '../../src/app.ts';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, run, runJson, type Server, startServer, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'identity.db');
const data = ['--data', dataFile];
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="#0057b8"/></svg>';
const logoFile = join(folder.path, 'logo.svg');

let server: Server;
before(async () => {
  importFeed(dataFile, feed);
  writeFileSync(logoFile, logo);
  server = await startServer({ dataFile, now: feedNow, more: ['--workers', '2'] });
});
after(async () => {
  await server.stop();
  folder.remove();
});

type Shown = {
  name: string;
  value: string | null;
  stored: string | null;
  from: string;
  fixed_by: string | null;
};
const set = (...changes: string[]) =>
  runJson<{ data: Shown[] }>(['settings', 'set', ...changes, ...data]).data;
const unset = (...names: string[]) =>
  runJson<{ data: Shown[] }>(['settings', 'unset', ...names, ...data]).data;
const list = () => runJson<{ data: Shown[] }>(['settings', 'list', ...data]).data;
const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await server.get(path, { key: null, headers: { accept: 'text/html', ...headers } });
  return { ...answer, $: load(answer.text) };
};
/** Every worker has looked at the data file by then. */
const followed = () => pause(600);

describe('a service', () => {
  test('shows name, logo, colour, links and texts on every kind of page, in both processes', async () => {
    set(
      'name=Klub <i>Kalender</i>',
      `logo=${logoFile}`,
      'accent=#ffcc00',
      'contact=hallo@klub.example',
      'imprint=https://klub.example/impressum',
      'privacy=https://klub.example/privacy?a=1&b=2',
      'terms=https://klub.example/terms',
      'footer=Made by <b>people</b> & machines.',
    );
    await followed();
    const paths = ['/', '/events', '/about', '/nothing-here', '/docs', '/docs/guides', '/changelog'];
    const others = [
      '/account/sign-in',
      '/account/sign-up',
      '/account/nothing',
      '/oauth/authorize?client_id=x',
    ];
    // New connections go to both workers in turn.
    for (const path of [...paths, ...others])
      for (const connection of ['close', 'close', 'keep-alive']) {
        const { $, text } = await read(path, { connection });
        assert.match($('title').text(), / · Klub <i>Kalender<\/i>$/, path);
        assert.equal($('.mark span').text(), 'Klub <i>Kalender</i>', path);
        assert.match($('.mark img').attr('src') ?? '', /^\/assets\/logo-[0-9a-f]{12}\.svg$/, path);
        assert.equal($('link[rel=icon]').attr('href'), $('.mark img').attr('src'));
        assert.ok(text.includes('href="/assets/accent-ffcc00.css"'), path);
        const links = $('.foot a')
          .toArray()
          .map((link) => `${$(link).text()} ${$(link).attr('href')}`);
        for (const link of [
          'Contact mailto:hallo@klub.example',
          'Imprint https://klub.example/impressum',
          'Privacy https://klub.example/privacy?a=1&b=2',
          'Terms https://klub.example/terms',
        ])
          assert.ok(links.includes(link), `${path}: ${links.join(', ')}`);
        assert.equal($('.foot .own').text(), 'Made by <b>people</b> & machines.', path);
        assert.ok(!text.includes('<b>people') && !text.includes('<i>Kalender'), `${path}: markup stays text`);
      }
    const { $ } = await read('/events');
    assert.equal($('meta[property="og:site_name"]').attr('content'), 'Klub <i>Kalender</i>');
  });

  test('serves the logo so that nothing in it runs, and the colour as a style sheet', async () => {
    const { $ } = await read('/');
    const image = await read($('.mark img').attr('src') ?? '');
    assert.equal(image.text, logo);
    assert.equal(image.headers['content-type'], 'image/svg+xml');
    assert.match(String(image.headers['content-security-policy']), /default-src 'none'.*; sandbox;/);
    assert.equal(image.headers['x-content-type-options'], 'nosniff');
    assert.match(String(image.headers['content-disposition']), /^inline; filename="logo\.svg"$/);
    const style = await read('/assets/accent-ffcc00.css');
    assert.equal(style.status, 200);
    assert.match(
      style.text,
      /^:root\{--accent:#[0-9a-f]{6};--on-accent:#[0-9a-f]{6}\}\n@media \(prefers-color-scheme: dark\)\{/,
    );
    assert.equal((await read('/assets/accent-url.css')).status, 404);
    assert.equal((await read('/assets/logo-000000000000.svg')).status, 404);
  });

  test('says on /about who runs it; the text is plain', async () => {
    set('about=We are <four> people.\n\nWrite to us.');
    await followed();
    const { $ } = await read('/about');
    assert.equal($('p.about').text(), 'We are <four> people.\n\nWrite to us.');
    assert.ok($('main').text().includes('hallo@klub.example'));
    assert.equal($('q').text(), `Data from Klub <i>Kalender</i> (${server.url})`);
  });

  test('names itself and its attribution to programs and agents', async () => {
    const sentence = 'Dates by Klub Kalender, klub.example [x](javascript:y)';
    set(`attribution=${sentence}`);
    await followed();
    const llms = (await read('/llms.txt')).text;
    assert.ok(llms.startsWith('# Klub <i>Kalender</i>\n') && llms.includes(sentence));
    const api = (await read('/openapi.json')).json() as {
      info: { title: string; description: string; contact: Record<string, string> };
    };
    assert.equal(api.info.title, 'Klub <i>Kalender</i>');
    assert.deepEqual(api.info.contact, {
      name: 'Klub <i>Kalender</i>',
      url: `${server.url}/about`,
      email: 'hallo@klub.example',
    });
    assert.ok(api.info.description.includes('\\[x\\](javascript:y)'), 'the sentence is no markup');
    assert.equal((await read('/about')).$('q').text(), sentence);
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_events', arguments: { artist: 'Ben Klock' } },
      }),
    });
    const text = await answer.text();
    assert.ok(text.includes(sentence), text);
    const card = (await read('/mcp/server-card')).json() as { title: string };
    assert.equal(card.title, 'Klub <i>Kalender</i>');
  });

  test('keeps search engines away while indexing is off', async () => {
    set('indexing=off');
    await followed();
    assert.equal((await read('/robots.txt')).text, 'User-agent: *\nDisallow: /\n');
    for (const path of ['/', '/events', '/docs', '/account/sign-in', '/nothing-here']) {
      const { $, headers } = await read(path);
      assert.equal(headers['x-robots-tag'], 'noindex, nofollow', path);
      assert.deepEqual(
        $('meta[name=robots]')
          .toArray()
          .map((one) => $(one).attr('content')),
        ['noindex, nofollow'],
        path,
      );
    }
    unset('indexing');
    await followed();
    const { $, headers } = await read('/');
    assert.equal(headers['x-robots-tag'], undefined);
    assert.equal($('meta[name=robots]').length, 0);
    assert.match((await read('/robots.txt')).text, /Sitemap: /);
  });

  test('shows its home city first', async () => {
    assert.notEqual((await read('/')).$('main h2').first().text(), 'Tonight in Berlin');
    set('home-city=berlin');
    await followed();
    const { $ } = await read('/');
    assert.equal($('main h2').first().text(), 'Tonight in Berlin');
    const places = $('section:has(#home-city) li p:not(.acts)')
      .toArray()
      .map((place) => $(place).text());
    // Venues of Berlin; the city is in the heading.
    assert.ok(
      places.length > 0 && places.every((place) => /^(?:Berghain|Tresor)$/.test(place)),
      places.join('; '),
    );
    assert.ok($('section:has(#home-city) a[href="/cities/berlin"]').length === 1);
    const { status, stderr } = run(['settings', 'set', 'home-city=atlantis', ...data]);
    assert.equal(status, 1);
    assert.match(stderr, /There is no city "atlantis".*\/cities\/berlin/);
  });

  test('a page that was cached before a change has another tag after it', async () => {
    const first = await read('/labels');
    const tag = String(first.headers.etag);
    assert.equal((await read('/labels', { 'if-none-match': tag })).status, 304);
    set('footer=Another sentence.');
    await followed();
    assert.equal((await read('/labels', { 'if-none-match': tag })).status, 200);
  });
});

describe('the command', () => {
  test('lists values with their origin; a change is in the audit log with what was before', async () => {
    unset('name', 'logo');
    set('name=First');
    set('name=Second', `logo=${logoFile}`);
    const byName = new Map(list().map((setting) => [setting.name, setting]));
    assert.deepEqual(
      ['name', 'logo', 'terms', 'indexing'].map((name) => [byName.get(name)?.value, byName.get(name)?.from]),
      [
        ['Second', 'file'],
        [`image/svg+xml, ${logo.length} bytes`, 'file'],
        ['https://klub.example/terms', 'file'],
        ['on', 'default'],
      ],
    );
    const sqlite = openApp({ data: dataFile, create: false });
    try {
      const { AuditLog } = await import('../../src/store/audit-log.ts');
      const { openDatabase } = await import('../../src/store/database.ts');
      const connection = openDatabase(dataFile, { create: false });
      const entries = new AuditLog(connection).list({
        subjectKind: 'setting',
        subject: 'site.name',
        limit: 2,
      });
      assert.deepEqual(
        entries.map(({ action, details }) => ({ action, ...details })),
        [
          { action: 'setting.set', before: 'First', after: 'Second' },
          { action: 'setting.set', before: null, after: 'First' },
        ],
      );
      assert.match(entries[0]?.actor ?? '', /^terminal:/);
      const [ofLogo] = new AuditLog(connection).list({ subject: 'site.logo', limit: 1 });
      assert.match(String(ofLogo?.details.after), /^image\/svg\+xml, \d+ bytes, SHA-256 [0-9a-f]{12}…$/);
      connection.close();
    } finally {
      sqlite.close();
    }
  });

  test('stores nothing if one value is invalid, and nothing twice', () => {
    const before = list();
    const { status, stderr } = run(['settings', 'set', 'name=Third', 'accent=blue', ...data]);
    assert.equal(status, 1);
    assert.match(stderr, /accent is a colour such as #0057b8, not "blue"\./);
    assert.deepEqual(list(), before);
    const wrong: [string[], RegExp][] = [
      [['set', 'nothing=1'], /There is no setting "nothing"\. Settings: name, logo, /],
      [['set', 'name'], /"name" has no value\. Write NAME=VALUE/],
      [['set', 'name='], /To remove it: cratebase settings unset name/],
      [['get', 'nothing'], /There is no setting "nothing"/],
    ];
    for (const [args, message] of wrong) {
      const ended = run(['settings', ...args, ...data]);
      assert.equal(ended.status, 2, args.join(' '));
      assert.match(ended.stderr, message);
    }
    const missing = run(['settings', 'set', 'logo=/nowhere/logo.svg', ...data]);
    assert.match(missing.stderr, /The logo \/nowhere\/logo\.svg cannot be read \(ENOENT\)\./);
  });

  test('says how an accent colour is adjusted', () => {
    const { stdout } = run(['settings', 'set', 'accent=#ffcc00', ...data]);
    assert.match(stdout, /#[0-9a-f]{6} on light pages \(adjusted for contrast\), #ffcc00 on dark pages/);
  });
});

describe('options and variables', () => {
  test('precede the data file; the terminal says so, and the service refuses to change them', async () => {
    const own = join(folder.path, 'own.db');
    importFeed(own, feed);
    const imprint = 'https://klub.example/impressum';
    runJson([
      ...['settings', 'set', 'name=From the file', 'footer=From the file', `imprint=${imprint}`],
      ...['--data', own],
    ]);
    const fixed = await startServer({
      dataFile: own,
      now: feedNow,
      more: ['--name', 'From the option'],
      env: { CRATEBASE_FOOTER: 'From a variable' },
    });
    try {
      const { text } = await fixed.get('/', { key: null, headers: { accept: 'text/html' } });
      const $ = load(text);
      assert.equal($('.mark span').text(), 'From the option');
      assert.equal($('.foot .own').text(), 'From a variable');
      const shown = runJson<{ data: Shown[] }>(['settings', 'list', '--data', own]).data;
      assert.deepEqual(
        shown
          .filter(({ from }) => from === 'configuration')
          .map(({ name, value, stored, fixed_by }) => [name, value, stored, fixed_by]),
        [
          ['name', 'From the option', 'From the file', '--name of the service'],
          ['footer', 'From a variable', 'From the file', 'CRATEBASE_FOOTER of the service'],
        ],
      );
      const checked = JSON.parse(run(['doctor', '--data', own, '--json']).stdout) as { settings: Shown[] };
      const origins = new Map(checked.settings.map(({ name, value, from }) => [name, [value, from]]));
      assert.deepEqual(origins.get('imprint'), [imprint, 'file']);
      assert.deepEqual(origins.get('name'), ['From the option', '--name']);
      const { stderr } = run(['settings', 'set', 'name=Stored', '--data', own]);
      assert.match(
        stderr,
        /name is stored, but --name of the service has precedence\. Remove that to use it\./,
      );
    } finally {
      await fixed.stop();
    }
    const app = openApp({ data: own, create: false });
    try {
      app.identity.configure({ accent: '#0057b8' });
      assert.equal(app.identity.current().accent, '#0057b8');
      await assert.rejects(app.identity.set({ accent: '#ffcc00' }, 'account:ada@example.com'), {
        message:
          'accent is set by --accent or CRATEBASE_ACCENT of the service, which has precedence. Change it there.',
      });
      const identity = await app.identity.set(
        { terms: 'https://a.example/', footer: null },
        'account:ada@example.com',
      );
      assert.deepEqual([identity.terms, identity.footer], ['https://a.example/', null]);
      assert.equal(app.identity.current().terms, 'https://a.example/');
    } finally {
      app.close();
    }
  });

  test('that are invalid end the start with one line, before a data file is created', () => {
    for (const [option, value, message] of [
      ['--accent', 'blue', /--accent or CRATEBASE_ACCENT: accent is a colour/],
      ['--logo', '/nowhere.png', /--logo or CRATEBASE_LOGO: The logo \/nowhere\.png cannot be read/],
      ['--imprint', 'javascript:x', /imprint is an http or https address/],
      ['--indexing', 'maybe', /--indexing must be on or off/],
    ] as const) {
      const path = join(folder.path, 'never.db');
      const { status, stderr } = run(['serve', option, value, '--data', path, '--port', '0']);
      assert.equal(status, 2, `${option}: ${stderr}`);
      assert.match(stderr, message);
    }
  });
});
