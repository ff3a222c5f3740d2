/** What other sites and devices show of the pages: pictures, previews, embedded lists, the installed app. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'cheerio/slim';
import { parseAtomFeed } from 'feedsmith';
import { feed, feedNow } from '../support/feed.ts';
import { importFeed, type Server, startServer, temporaryFolder } from '../support/program.ts';

const publicUrl = 'https://music.test/crate';
const folder = temporaryFolder();
const line = (kind: string, external_id: string, members: object) => ({ kind, external_id, ...members });
const tresor = { name: 'Tresor', city: 'Berlin', country: 'DE' };
const hostile = '</title><script>alert(1)</script> & "quotes"';
const added = [
  line('event', 'x-hostile', { name: hostile, start_at: '2026-12-05T23:00', venue: tresor }),
  line('event', 'x-japanese', { name: '電気グルーヴ', start_at: '2026-12-06T22:00', venue: tresor }),
  line('event', 'x-techno', {
    name: 'Techno At Tresor',
    start_at: '2026-12-07T22:00',
    venue: tresor,
    genres: ['Techno'],
    lineup: [{ name: 'Ann Sharing' }],
  }),
  line('event', 'x-house', {
    name: 'House At Tresor',
    start_at: '2026-12-08T22:00',
    venue: tresor,
    genres: ['House'],
    lineup: [{ name: 'Ann Sharing' }],
  }),
  line('event', 'x-festival', {
    name: 'Dekmantel Warm-up',
    start_at: '2026-12-09T22:00',
    venue: { name: 'Garage', city: 'Amsterdam', country: 'NL' },
    genres: ['Techno'],
    festival: { festival: { external_id: 'f-dekmantel', name: 'Dekmantel' }, edition: '2026' },
  }),
];

let server: Server;
let port = 0;

/** A port that is free now: the server announces its public address, and not the port that it listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}
before(async () => {
  const dataFile = join(folder.path, 'site.db');
  importFeed(dataFile, [...feed, ...added]);
  port = await freePort();
  const options = ['--port', String(port), '--base-url', publicUrl];
  server = await startServer({ dataFile, now: feedNow, more: options });
});
after(async () => {
  await server.stop();
  folder.remove();
});

type Binary = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/** Requests a path; the server listens on its own address, whatever its public one is. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Binary> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });
}
/** Requests an operation with the key of the server. */
const api = async (path: string): Promise<unknown> => {
  const { body } = await ask(`/api/v1${path}`, { authorization: `Bearer ${server.key}` });
  return JSON.parse(body.toString());
};
const html = { accept: 'text/html' };
const pageAt = async (path: string, headers = {}) => {
  const answer = await ask(path, { ...html, ...headers });
  assert.equal(answer.status, 200, `${path}: ${answer.status}`);
  return { ...answer, $: load(answer.body.toString()) };
};
const tag = ($: ReturnType<typeof load>, name: string) =>
  $(`meta[property="${name}"], meta[name="${name}"]`).attr('content');

/** Width and height of a PNG (RFC 2083, section 4.1.1). */
function pngSize(png: Buffer): [number, number] {
  assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

const pagesWithPictures = [
  '/events/techno-at-tresor-2026-12-07',
  '/artists/ben-klock',
  '/venues/berghain',
  '/cities/berlin',
  '/cities/berlin?when=weekend',
  '/cities/berlin?when=2026-12-07&genre=techno',
  '/festivals/dekmantel',
  '/festivals/dekmantel/editions/2026',
  '/labels/ostgut-ton',
  '/genres/techno',
  '/podcasts/ra-podcast',
  '/events?city=berlin&genre=techno',
  '/venues',
  '/',
  '/stats',
];

describe('previews', () => {
  for (const path of pagesWithPictures)
    test(`${path} names a picture of 1200 × 630 pixels at a public address`, async () => {
      const { $ } = await pageAt(path);
      const title = tag($, 'og:title') as string;
      assert.ok(title.length > 1);
      assert.equal(tag($, 'og:image:alt'), title);
      assert.ok((tag($, 'og:description') ?? '').length > 5);
      assert.equal(tag($, 'twitter:card'), 'summary_large_image');
      assert.ok(tag($, 'og:url')?.startsWith(`${publicUrl}/`), tag($, 'og:url'));
      const address = tag($, 'og:image') as string;
      assert.ok(address.startsWith(`${publicUrl}/og/`), address);
      const picture = await ask(address.slice(publicUrl.length));
      assert.equal(picture.status, 200, address);
      assert.equal(picture.headers['content-type'], 'image/png');
      assert.deepEqual(pngSize(picture.body), [1200, 630]);
      assert.ok(picture.body.length > 5_000 && picture.body.length < 200_000);
    });

  test('an episode has a picture too', async () => {
    const list = (await api('/podcasts/ra-podcast/episodes')) as {
      data: { slug: string }[];
    };
    const picture = await ask(`/og/episodes/${list.data[0]?.slug}.png`);
    assert.deepEqual(pngSize(picture.body), [1200, 630]);
  });

  test('the address of a selection of days is the shared one', async () => {
    const { $ } = await pageAt('/cities/berlin?when=weekend');
    assert.equal(tag($, 'og:url'), `${publicUrl}/cities/berlin?when=weekend`);
    assert.equal(tag($, 'og:title'), 'This weekend in Berlin');
  });

  test('a picture changes with its page, its language, and nothing else', async () => {
    const tags = await Promise.all(
      ['', '?lang=de', '?v=other', '?utm_source=x'].map(
        async (query) => (await ask(`/og/cities/berlin.png${query}`)).headers.etag,
      ),
    );
    assert.notEqual(tags[0], tags[1]);
    assert.equal(tags[0], tags[2]);
    assert.equal(tags[0], tags[3]);
    const german = { 'accept-language': 'de', cookie: 'cratebase_language=de' };
    const again = await ask('/og/cities/berlin.png', german);
    assert.equal(again.headers.etag, tags[0], 'the language of the network that fetches it does not count');
    assert.equal(again.headers['set-cookie'], undefined);
    const unchanged = await ask('/og/cities/berlin.png', { 'if-none-match': String(tags[0]) });
    assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
    const { $ } = await pageAt('/cities/berlin?lang=de');
    assert.match(tag($, 'og:image') ?? '', /lang=de/);
  });

  test('hostile and foreign names make pictures', async () => {
    const slugs = (await api('/events?limit=100')) as {
      data: { slug: string; name: string }[];
    };
    for (const name of [hostile, '電気グルーヴ']) {
      const slug = slugs.data.find((event) => event.name === name)?.slug;
      assert.ok(slug, name);
      const picture = await ask(`/og/events/${slug}.png`);
      assert.deepEqual(pngSize(picture.body), [1200, 630], name);
    }
  });

  test('records that do not exist have no picture, and formats of records have none', async () => {
    for (const path of ['/og/events/nothing.png', '/og/artists/ben-klock.svg', '/og/account.png', '/og/.png'])
      assert.equal((await ask(path)).status, 404, path);
    const moved = await ask('/og/Artists/Ben-Klock.png');
    assert.equal(moved.status, 301);
    assert.equal(moved.headers.location, '/crate/og/artists/ben-klock.png');
  });
});

describe('feeds and calendars', () => {
  const titles = async (query: string): Promise<string[]> => {
    const { body, status } = await ask(`/events.atom?${query}`);
    assert.equal(status, 200, query);
    return (parseAtomFeed(body.toString()).entries ?? []).map(({ title }) =>
      String(typeof title === 'object' ? title.value : title).replace(/, \w+ \d+ \w+ \d+$/, ''),
    );
  };

  test('of every combination of filters', async () => {
    assert.deepEqual(await titles('artist=ann-sharing&venue=tresor&genre=techno'), ['Techno At Tresor']);
    assert.deepEqual(await titles('city=berlin&artist=ann-sharing&genre=house'), ['House At Tresor']);
    assert.deepEqual(await titles('venue=tresor&genre=house'), ['Midnight Start', 'House At Tresor']);
    assert.deepEqual(await titles('festival=dekmantel'), ['Dekmantel Warm-up']);
    assert.deepEqual(await titles('festival=dekmantel&city=amsterdam&genre=techno'), ['Dekmantel Warm-up']);
    assert.deepEqual(await titles('festival=dekmantel&city=berlin'), []);
    assert.deepEqual(await titles('artist=unknown-artist'), []);
    const calendar = (await ask('/events.ics?city=berlin&artist=ann-sharing&genre=house')).body.toString();
    assert.equal(calendar.match(/^BEGIN:VEVENT/gm)?.length, 1);
    assert.match(calendar, /SUMMARY:House At Tresor/);
  });

  test('are linked by the page that they belong to, with its filters', async () => {
    const links = async (path: string) => {
      const { $ } = await pageAt(path);
      return $('link[rel=alternate][type="application/atom+xml"], link[rel=alternate][type="text/calendar"]')
        .toArray()
        .map((element) => $(element).attr('href'));
    };
    const both = (path: string, query = '') => [`/crate${path}.atom${query}`, `/crate${path}.ics${query}`];
    assert.deepEqual(await links('/'), both('/events'));
    assert.deepEqual(await links('/events'), both('/events'));
    assert.deepEqual(
      await links('/events?city=berlin&artist=ann-sharing&genre=techno'),
      both('/events', '?city=berlin&artist=ann-sharing&genre=techno'),
    );
    assert.deepEqual(
      await links('/cities/berlin?when=weekend&genre=techno'),
      both('/cities/berlin', '?genre=techno'),
    );
    assert.deepEqual(await links('/genres/techno'), both('/events', '?genre=techno'));
    assert.deepEqual(await links('/festivals/dekmantel'), both('/events', '?festival=dekmantel'));
    for (const path of ['/artists/ben-klock', '/venues/berghain', '/labels/ostgut-ton'])
      assert.deepEqual(await links(path), both(path));
  });
});

describe('embedded lists', () => {
  const embed = (query: string, headers = {}) => pageAt(`/embed/events?${query}`, headers);
  const names = ($: ReturnType<typeof load>) =>
    $('a.name')
      .toArray()
      .map((element) => $(element).text());

  test('may be framed by every site, without scripts, forms and cookies; other pages may not', async () => {
    const { headers, body, $ } = await embed('city=berlin&lang=de', { 'accept-language': 'en' });
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors \*$/);
    assert.doesNotMatch(String(headers['content-security-policy']), /script-src|unsafe/);
    assert.match(String(headers['content-security-policy']), /; img-src 'self';/, 'pictures of the service');
    assert.equal(headers['x-frame-options'], undefined);
    assert.equal(headers['set-cookie'], undefined);
    assert.equal($('script, form, iframe').length, 0);
    const pictures = $('img').toArray();
    for (const picture of pictures) assert.match($(picture).attr('src') ?? '', /^\/(?:crate\/)?media\//);
    assert.equal($('html').attr('lang'), 'de');
    assert.ok(body.length < 60_000);
    for (const path of ['/', '/cities/berlin', '/events', '/account/sign-in', '/docs', '/offline']) {
      const other = await ask(path, html);
      assert.equal(other.headers['x-frame-options'], 'DENY', path);
      assert.match(String(other.headers['content-security-policy']), /frame-ancestors 'none'/, path);
    }
  });

  test('select by city, venue, artist, festival and genre, and are as long as the address says', async () => {
    assert.deepEqual(names((await embed('artist=ann-sharing&venue=tresor')).$), [
      'Techno At Tresor',
      'House At Tresor',
    ]);
    assert.deepEqual(names((await embed('artist=ann-sharing&venue=tresor&limit=1')).$), ['Techno At Tresor']);
    assert.deepEqual(names((await embed('festival=dekmantel&genre=techno')).$), ['Dekmantel Warm-up']);
    const nothing = (await embed('genre=nonsense')).$;
    assert.deepEqual([names(nothing), nothing('.empty').text()], [[], 'No upcoming events.']);
    assert.equal(names((await embed('limit=0')).$).length, 1);
    assert.ok(names((await embed('limit=9999')).$).length <= 50);
  });

  test('have the theme that the address names, and lead to the whole list in a new tab', async () => {
    const { $ } = await embed('city=berlin&theme=dark');
    assert.equal($('html').attr('data-theme'), 'dark');
    assert.equal((await embed('theme=%22%3E%3Cscript%3E')).$('html').attr('data-theme'), undefined);
    assert.equal($('base').attr('target'), '_blank');
    assert.equal($('footer a').attr('href'), '/crate/events?city=berlin');
    const style = await ask(String($('link[rel=stylesheet]').attr('href')).slice('/crate'.length));
    assert.match(style.body.toString(), /data-theme=dark/);
  });

  test('are offered as code on the pages whose events they show', async () => {
    const code = async (path: string) => (await pageAt(path)).$('#embed-code').text();
    const found = await code('/cities/berlin?genre=techno');
    assert.match(
      found,
      /^<iframe src="https:\/\/music\.test\/crate\/embed\/events\?city=berlin&amp;genre=techno&amp;lang=en" title="[^"<>]+"/,
    );
    for (const [path, query] of [
      ['/venues/tresor', 'venue=tresor'],
      ['/artists/ann-sharing', 'artist=ann-sharing'],
      ['/genres/techno', 'genre=techno'],
      ['/festivals/dekmantel', 'festival=dekmantel'],
      ['/events?city=berlin&venue=tresor', 'city=berlin&amp;venue=tresor'],
    ] as const)
      assert.ok((await code(path)).includes(`/embed/events?${query}&amp;lang=en"`), path);
  });
});

describe('the installed app', () => {
  test('has a manifest with icons of the sizes that it states', async () => {
    const { $ } = await pageAt('/');
    const path = String($('link[rel=manifest]').attr('href')).slice('/crate'.length);
    const { body, headers } = await ask(path);
    assert.match(String(headers['content-type']), /^application\/manifest\+json/);
    const manifest = JSON.parse(body.toString()) as {
      name: string;
      start_url: string;
      scope: string;
      icons: { src: string; sizes: string; purpose: string }[];
    };
    assert.deepEqual(
      [manifest.name, manifest.start_url, manifest.scope],
      ['cratebase', '/crate/', '/crate/'],
    );
    assert.deepEqual(
      manifest.icons.map(({ purpose }) => purpose),
      ['any', 'any', 'maskable'],
    );
    for (const { src, sizes } of manifest.icons) {
      const icon = await ask(src.slice('/crate'.length));
      assert.equal(pngSize(icon.body).join('x'), sizes, src);
    }
    assert.equal($('meta[name="theme-color"]').length, 2);
    const touch = await ask(String($('link[rel=apple-touch-icon]').attr('href')).slice('/crate'.length));
    assert.deepEqual(pngSize(touch.body), [180, 180]);
  });

  test('has a worker that only requests the service, under the address of the pages', async () => {
    const { body, headers } = await ask('/sw.js');
    assert.match(String(headers['content-type']), /^text\/javascript/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['content-security-policy'], "default-src 'none'; connect-src 'self'");
    assert.match(body.toString(), /"offline":"\/crate\/offline"/);
    const offline = await pageAt('/offline');
    assert.equal(offline.$('h1').text(), 'You are offline');
    assert.match(offline.$('meta[name=robots]').attr('content') ?? '', /noindex/);
  });
});

test('a page for sharing has another ETag than the same page without a public address', async () => {
  const dataFile = join(folder.path, 'addresses.db');
  importFeed(dataFile, feed);
  const own = await freePort();
  const read = async (more: string[]) => {
    const other = await startServer({ dataFile, now: feedNow, more: ['--port', String(own), ...more] });
    const answer = await fetch(`http://127.0.0.1:${own}/about`, { headers: html });
    const page = { etag: answer.headers.get('etag'), isShared: (await answer.text()).includes('og:url') };
    await other.stop();
    return page;
  };
  const [local, shared] = [await read([]), await read(['--base-url', `http://127.0.0.1:${own}`])];
  assert.deepEqual([local.isShared, shared.isShared], [false, true]);
  assert.notEqual(local.etag, shared.etag);
});
