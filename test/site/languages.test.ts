/** The pages in each language: complete texts, the choice of the language, addresses, caches. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'cheerio/slim';
import { transformSync } from 'esbuild';
import { negotiateLanguage } from '../../src/pages/language.ts';
import * as de from '../../src/pages/messages/de.ts';
import * as en from '../../src/pages/messages/en.ts';
import { languages } from '../../src/pages/messages/messages.ts';
import { feed, feedNow } from '../support/feed.ts';
import { textsOf, textsOnlyIn, visibleText } from '../support/languages.ts';
import { decodedBytes, maxPageBytes } from '../support/page-size.ts';
import { importFeed, run, type Server, startServer, temporaryFolder } from '../support/program.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

describe('texts', () => {
  const english = textsOf(en, '');
  for (const [code, messages] of Object.entries(languages))
    test(`${code} has every text, with the same places, and no other text`, () => {
      const texts = textsOf(messages, '');
      assert.deepEqual([...texts.keys()], [...english.keys()]);
      for (const [path, text] of texts) {
        assert.notEqual(text.trim(), '', path);
        const places = (one: string) => [...new Set(one.match(/\{[a-z]+\}|#/g))].sort();
        assert.deepEqual(places(text), places(english.get(path) ?? ''), path);
      }
    });

  test('German differs from English wherever it is a sentence, and has German quotation marks', () => {
    for (const [path, text] of textsOf(de, '')) {
      if (/[.!?]$/.test(text)) assert.notEqual(text, english.get(path), path);
      assert.ok(!/["“][^“”"]*”/.test(text), `${path}: „…“`);
      assert.ok(!/\w\.\.\.|\w - \w/.test(text), `${path}: … and –`);
    }
  });

  test('plural forms and numbers are those of the language', () => {
    assert.deepEqual(
      [0, 1, 2, 2_300].map((count) => en.counts.editions(count)),
      ['0 editions', '1 edition', '2 editions', '2,300 editions'],
    );
    assert.deepEqual(
      [0, 1, 2, 2_300].map((count) => de.counts.editions(count)),
      ['0 Ausgaben', '1 Ausgabe', '2 Ausgaben', '2.300 Ausgaben'],
    );
  });

  test('dates, prices, countries and zones are those of the language', () => {
    assert.equal(en.formats.longDate('2026-12-05'), 'Saturday 5 December 2026');
    assert.equal(de.formats.longDate('2026-12-05'), 'Samstag, 5. Dezember 2026');
    assert.equal(de.formats.shortDate('2026-03-05'), '5. März 2026');
    assert.equal(de.formats.monthName('2026-10'), 'Oktober 2026');
    assert.equal(de.formats.price(12.5, 'EUR').replace(/\s/g, ' '), '12,50 €');
    assert.equal(de.formats.price(12, 'XYZ1'), '12 XYZ1');
    assert.equal(de.formats.country('AT'), 'Österreich');
    assert.equal(
      de.formats.zone('Europe/Berlin', '2026-12-05T22:00:00+01:00'),
      'Mitteleuropäische Normalzeit',
    );
    for (const { formats } of [en, de]) {
      assert.equal(formats.longDate('no date'), 'no date');
      assert.equal(formats.zone('Mars/Olympus', '2026-12-05T22:00:00Z'), '');
    }
  });
});

/** Views whose pages exist in every language: no text of theirs stands in the code. */
const translated = [
  'site/views',
  'site/components',
  'site/layout.tsx',
  'pages/page.tsx',
  'pages/header.tsx',
  'pages/bar-chart.tsx',
  'pages/error-page.tsx',
  'pages/failed.ts',
  'pages/too-many-requests.ts',
  'oauth/consent.tsx',
  'oauth/error-pages.tsx',
  'pages/parts.tsx',
  'pages/usage-chart.tsx',
  'account',
  'account/mails.ts',
];

function filesOf(path: string): string[] {
  const full = join(source, path);
  if (/\.tsx?$/.test(path)) return [full];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.tsx'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names that are the same in every language, and codes. */
const names =
  /^(?:MusicBrainz|Discogs|Resident Advisor|Spotify|Wikidata|SoundCloud|GeoNames|CC BY 4\.0|ID|side wide|<!doctype html>|GB IE US [A-Z ]+)$/;
/** Lines of the log, headers, commands and names of sealed values in the account pages. */
const machineTexts =
  /^(?:Retry-After|cratebase accounts (?:reset-link|create you@example\.com)|account exists|confirm sign-up|reset link (?:refused|requested)|second factor|sign-in failed|sign-up refused)$/;
/** What precedes a string that no visitor reads: attributes, imports, keys of queries, and changes in the log. */
const unseen =
  /(?:\b(?:class|rel|d|viewBox|type|content): |\bfrom |\bimport |\.related\(|\blogAccountChange\(visit, )$/;

/** Whether a literal reads like words: it begins with a capital letter, or has a space between letters. */
const isWords = (text: string): boolean =>
  (/^\s*\p{Lu}\p{Ll}/u.test(text) || /\p{L} +\p{L}/u.test(text)) &&
  !names.test(text.trim()) &&
  !machineTexts.test(text.trim());

/** The words in strings, templates and elements of a file. esbuild turns elements into calls, and removes types. */
function shownLiterals(code: string): string[] {
  const { code: plain } = transformSync(code, { loader: 'tsx', jsx: 'transform', charset: 'utf8' });
  const pieces = [...plain.matchAll(/"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g)];
  return pieces
    .filter(({ index }) => !unseen.test(plain.slice(Math.max(0, index - 30), index)))
    .flatMap(([, string, template]) => [string ?? '', ...(template ?? '').split(/\$\{[^}]*\}/)])
    .filter(isWords);
}

test('no text for visitors stands in the code of a translated page', () => {
  const sample = `const a = { title: 'Past events' }; const b = <p class="soft small">Hello {a.title} to you</p>;`;
  assert.deepEqual(shownLiterals(sample), ['Past events', 'Hello ', ' to you']);
  const found = translated
    .flatMap(filesOf)
    .flatMap((file) =>
      shownLiterals(readFileSync(file, 'utf8')).map((literal) => `${file.slice(source.length)}: ${literal}`),
    );
  assert.deepEqual(found, []);
});

test('Accept-Language is read as RFC 9110 says', () => {
  const cases: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['DE-CH', 'de'],
    ['en-GB, de;q=0.5', 'en'],
    ['fr, de;q=0.3, en;q=0.2', 'de'],
    ['en;q=0.3, de;q=0.7', 'de'],
    ['de;q=0, en', 'en'],
    ['de;q=0', null],
    ['*', 'en'],
    ['fr, *;q=0.5', 'en'],
    ['de;q=nonsense, en;q=0.1', 'en'],
    ['fr-FR', null],
    ['defg', null],
    [`de,${'x'.repeat(1_000)}`, null],
  ];
  for (const [header, expected] of cases) assert.equal(negotiateLanguage(header), expected, header);
});

describe('pages', () => {
  const folder = temporaryFolder();
  const dataFile = join(folder.path, 'languages.db');
  let server: Server;
  before(async () => {
    importFeed(dataFile, feed);
    const credited = run(['sources', 'set', 'test', '--license', 'CC-BY-4.0', '--data', dataFile]);
    assert.equal(credited.status, 0, credited.stderr);
    server = await startServer({ dataFile, now: feedNow });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await server.get(path, { key: null, headers: { accept: 'text/html', ...headers } });
    return { ...answer, $: load(answer.text) };
  };
  const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };

  /** The pages of every kind; an episode and an edition are found on others. */
  async function paths(): Promise<string[]> {
    const linked = async (path: string, pattern: RegExp) => pattern.exec((await read(path)).text)?.[0] ?? '';
    return [
      '/',
      '/events',
      '/events?country=DE&from=2026-12-01&genre=techno&city=berlin',
      '/events?country=Nowhere&genre=nothing&from=soon',
      '/artists',
      '/artists?country=DE',
      '/artists?country=Nowhere',
      '/artists?genre=techno',
      '/venues?city=berlin',
      '/festivals',
      '/cities',
      '/labels',
      '/genres',
      '/podcasts',
      '/stats',
      '/about',
      '/search',
      '/search?q=nova',
      '/search?q=zzzzqqqq',
      '/nothing-here',
      '/artists/ben-klock',
      '/artists/ben-klock?past=all',
      '/venues/berghain',
      '/venues/tresor',
      '/cities/berlin',
      '/cities/berlin?when=tonight',
      '/cities/berlin?when=2026-12',
      '/cities/berlin?when=week',
      '/events?when=2026-12-05',
      '/search?q=techno+in+Berlin+in+December',
      '/labels/ostgut-ton',
      '/labels/ostgut-ton?artists=all',
      '/genres/techno',
      '/festivals/dekmantel',
      '/festivals/dekmantel/editions/2026',
      '/podcasts/ra-podcast',
      await linked('/podcasts/ra-podcast', /\/episodes\/[a-z0-9-]+/),
      await linked('/events', /\/events\/[a-z0-9-]+/),
    ];
  }

  test('are in one language: none has a text of the other one', async () => {
    // Names of the test catalogue contain words of the pages.
    const catalogue = feed.map((line) => JSON.stringify(line)).join('\n');
    const sides = [
      ['de', german, textsOnlyIn(en, de)],
      ['en', {}, textsOnlyIn(de, en)],
    ] as const;
    for (const path of await paths())
      for (const [language, headers, forbidden] of sides) {
        const answer = await read(path, headers);
        assert.equal(answer.$('html').attr('lang'), language, path);
        assert.equal(answer.headers['content-language'], language, path);
        const text = visibleText(answer.$);
        const found = forbidden.filter((pattern) => pattern.test(text) && !pattern.test(catalogue));
        assert.deepEqual(
          found.map(({ source: piece }) => piece),
          [],
          `${path} in ${language}`,
        );
      }
  });

  test('the licence of an event is named in the language of the page', async () => {
    const [, path = ''] = /href="(\/events\/[a-z0-9-]+)"/.exec((await read('/events')).text) ?? [];
    const creditOf = async (headers = {}) =>
      (await read(path, headers)).$('section[aria-labelledby="sources"] .small').last().text();
    assert.equal(await creditOf(), 'test, licence: CC-BY-4.0');
    assert.equal(await creditOf(german), 'test, Lizenz: CC-BY-4.0');
  });

  test('weigh as little in German as in English', async () => {
    for (const path of await paths()) {
      const { text } = await read(path, german);
      assert.ok(decodedBytes(text) <= maxPageBytes, `${path}: ${decodedBytes(text)} bytes`);
    }
  });

  test('follow the address first, then the choice, then Accept-Language', async () => {
    const languageOf = async (path: string, headers: Record<string, string> = {}) =>
      (await read(path, headers)).$('html').attr('lang');
    assert.equal(await languageOf('/events'), 'en');
    assert.equal(await languageOf('/events', german), 'de');
    assert.equal(await languageOf('/events?lang=en', german), 'en');
    assert.equal(await languageOf('/events', { ...german, cookie: 'cratebase_language=en' }), 'en');
    assert.equal(await languageOf('/events', { cookie: 'cratebase_language=de' }), 'de');
    assert.equal(await languageOf('/events?lang=en', { cookie: 'cratebase_language=de' }), 'en');
    assert.equal(await languageOf('/events?lang=xx', german), 'de', 'an unknown language names none');
    assert.equal(await languageOf('/events?lang=__proto__', { cookie: 'cratebase_language=toString' }), 'en');
  });

  test('remember the language that an address names, and are then for one visitor', async () => {
    const { headers, $ } = await read('/events?city=berlin');
    assert.equal(headers['set-cookie'], undefined);
    assert.equal(headers['cache-control'], 'public, max-age=60');
    assert.equal(headers.vary, 'Accept-Language, Cookie, Accept-Encoding');
    const link = $('.foot a[hreflang=de]');
    assert.equal(link.text(), 'Deutsch');
    assert.equal(link.attr('lang'), 'de');
    assert.equal(link.attr('href'), '/events?city=berlin&lang=de');
    const chosen = await read(link.attr('href') ?? '');
    assert.equal(chosen.$('html').attr('lang'), 'de');
    assert.equal(chosen.headers['cache-control'], 'private, no-cache');
    assert.match(
      String(chosen.headers['set-cookie']),
      /^cratebase_language=de; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
    );
    assert.equal(chosen.$('.foot a[hreflang=en]').attr('href'), '/events?city=berlin&lang=en');
  });

  test('have tags by language: a condition never brings the other one', async () => {
    for (const path of ['/labels', '/search/hits?q=berlin']) {
      const [english, other] = [await read(path), await read(path, german)];
      assert.notEqual(english.headers.etag, other.headers.etag, path);
      assert.notEqual(english.text, other.text, path);
      // Cached from the second request on.
      assert.equal((await read(path)).text, english.text);
      assert.equal((await read(path, german)).text, other.text);
      const tag = String(english.headers.etag);
      assert.equal((await read(path, { 'if-none-match': tag })).status, 304);
      assert.equal((await read(path, { ...german, 'if-none-match': tag })).status, 200);
    }
  });

  test('tell search engines their addresses by language', async () => {
    const alternates = async (path: string) => {
      const { $ } = await read(path);
      return {
        canonical: $('link[rel=canonical]').attr('href'),
        others: $('link[hreflang]')
          .toArray()
          .filter((one) => one.name === 'link')
          .map((one) => `${$(one).attr('hreflang')} ${$(one).attr('href')}`),
      };
    };
    const url = `${server.url}/artists/ben-klock`;
    const others = [`en ${url}`, `de ${url}?lang=de`];
    assert.deepEqual(await alternates('/artists/ben-klock'), { canonical: url, others });
    assert.deepEqual(await alternates('/artists/ben-klock?lang=de'), { canonical: `${url}?lang=de`, others });
    assert.deepEqual(await alternates('/artists/ben-klock?lang=en'), { canonical: url, others });
    assert.deepEqual((await alternates('/search?q=a')).others, [], 'none for a page that is not indexed');
  });

  test('countries are found by their German names', async () => {
    const { $ } = await read('/events?country=Deutschland', german);
    assert.equal($('h1').text(), 'Events in Deutschland');
  });

  test('documentation and API stay in English', async () => {
    for (const path of ['/docs', '/docs/guides', '/changelog']) {
      const { $ } = await read(path, german);
      assert.equal($('html').attr('lang'), 'en', path);
      assert.equal($('.foot [hreflang]').length, 0, 'no switch where there is no other language');
    }
    const { text } = await server.get('/api/v1/artists/nobody-of-this-name', { headers: german });
    assert.match(text, /"message":"[^"]*\b(?:is|no|not|There)\b/);
  });

  test('feeds and calendars are the same for every subscriber', async () => {
    for (const path of [
      '/artists/ben-klock.atom',
      '/artists/ben-klock.ics',
      '/events.atom?genre=techno,house&country=DE',
      '/events.ics?genre=techno,house&country=DE',
      '/cities/berlin.ics?genre=techno,house',
      '/robots.txt',
    ]) {
      const [english, other] = [await read(path), await read(path, german)];
      assert.equal(english.text, other.text, path);
      assert.equal(english.headers.vary, 'Accept-Encoding');
    }
    const named = await read('/events.atom?genre=techno,house&country=DE&lang=de');
    assert.match(named.text, /<title>Techno or House, Germany: upcoming events<\/title>/);
    assert.equal(named.headers['set-cookie'], undefined);
  });

  test('the refusal of an app is in the language of the visitor', async () => {
    const { $, status, headers } = await read('/oauth/authorize?client_id=unknown', german);
    assert.ok(status >= 400);
    assert.equal($('html').attr('lang'), 'de');
    assert.equal($('h1').text(), de.consent.failed);
    assert.equal(headers.vary, 'Accept-Language, Cookie');
    assert.equal((await read('/oauth/authorize?client_id=unknown')).$('h1').text(), en.consent.failed);
    const over = await read('/oauth/interaction/nothing', german);
    assert.equal(over.$('h1').text(), de.consent.over);
  });
});
