/** Sources that mean no good: each ends in a report, soon and in little memory, and leaves the catalogue as it was. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { Failure } from '../../src/failure.ts';
import { htmlToText, parseHtml, visibleText } from '../../src/sources/common/html.ts';
import { parseMicrodata } from '../../src/sources/jsonld/microdata.ts';
import { folder, run } from '../support/cli-run.ts';
import { eventsIn, fileWith, read, serve } from '../support/source-server.ts';

const failing = (says: RegExp) => (failure: unknown) =>
  failure instanceof Failure && says.test(failure.message);

/** Sends the same piece again until the client closes the connection. */
function forEver(response: ServerResponse, piece: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

function* pieces(count: number, fill: number | string): Generator<Buffer> {
  const piece = Buffer.alloc(1 << 20, fill);
  for (let sent = 0; sent < count; sent++) yield piece;
}

test('a source that sends a byte now and then is aborted', async (context) => {
  const url = await serve(context, (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  for (const type of ['feed', 'ical', 'podcast'] as const) {
    await assert.rejects(
      read(type, url, { minThroughputGraceMs: 300 }),
      failing(/sends too slowly: \d+ bytes in \d+ s\./),
    );
  }
});

test('a site that lets every page wait is left after a while, with what was read of it', async (context) => {
  let asked = 0;
  const night = (id: string) =>
    `<script type="application/ld+json">${JSON.stringify({
      ...{ '@type': 'MusicEvent', name: `Night ${id}`, startDate: '2027-01-01T20:00' },
      location: { '@type': 'Place', name: 'Salon', address: 'Berlin, Germany' },
    })}</script>`;
  const url: string = await serve(context, ({ url: path = '' }, response) => {
    if (path === '/sitemap.xml') {
      const pages = Array.from({ length: 500 }, (_, at) => `<url><loc>${url}/${at}</loc></url>`);
      return response.end(`<urlset>${pages.join('')}</urlset>`);
    }
    asked++;
    setTimeout(() => response.end(night(path)), 100);
  });
  const reading = await read('jsonld', `${url}/sitemap.xml`, { maxTotalWaitMs: 1_000 });
  assert.equal(reading.end.ended, 'partial');
  assert.match(String(reading.rejected[0]?.reason), /this source used up its 1 minute of waiting/);
  assert.ok(eventsIn(reading).length > 0 && asked <= 11, `${asked}`);
});

test('nor is the text of an error waited for', async (context) => {
  const url = await serve(context, (_request, response) => {
    response.writeHead(404);
    const timer = setInterval(() => response.write('x'), 100);
    response.on('close', () => clearInterval(timer));
  });
  await assert.rejects(read('ical', url), failing(/answered 404\. Check the address\./));
});

test('lines without end that mean nothing are left, be they short, long, or none', async (context) => {
  const url = await serve(context, ({ url: path }, response) => {
    if (path === '/bomb') {
      response.setHeader('content-encoding', 'gzip');
      return void Readable.from(pieces(300, 0))
        .pipe(createGzip({ level: 1 }))
        .pipe(response);
    }
    forEver(
      response,
      Buffer.from(path === '/lines' ? 'no line of a feed\n'.repeat(4_000) : 'x'.repeat(65_536)),
    );
  });
  for (const type of ['feed', 'musicbrainz'] as const) {
    await assert.rejects(read(type, `${url}/lines`), failing(/contains 10,000 lines without a readable one/));
    await assert.rejects(read(type, `${url}/line`), failing(/contains 256 MiB without a readable one/));
  }
  await assert.rejects(read('feed', `${url}/bomb`), failing(/contains 256 MiB without a readable one/));
});

test('one long line costs itself alone', async (context) => {
  const artist = (name: string) => `${JSON.stringify({ kind: 'artist', external_id: name, name })}\n`;
  const reading = await read(
    'feed',
    fileWith(context, 'long.ndjson', artist('A') + 'x'.repeat(100_000_000) + '\n'.repeat(3) + artist('B')),
  );
  assert.deepEqual(
    [reading.records.length, reading.rejected.map(({ reason }) => reason)],
    [2, ['is longer than 16 MiB']],
  );
});

test('thousands of rules that make thousands of nights each are cut', async (context) => {
  const rule = (uid: number) =>
    `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:N\nDTSTART:20261101T200000Z\nRRULE:FREQ=HOURLY\nEND:VEVENT\n`;
  const text = `BEGIN:VCALENDAR\n${Array.from({ length: 5_000 }, (_, uid) => rule(uid)).join('')}END:VCALENDAR\n`;
  const reading = await read('ical', fileWith(context, 'many.ics', text));
  assert.equal(reading.end.ended, 'partial');
  assert.match(JSON.stringify(reading.end), /more than 50000 occurrences of recurring events/);
  assert.ok(eventsIn(reading).length <= 51_000);
});

test('a site map that leads to itself, under one name or ever new ones, comes to an end', async (context) => {
  let asked = 0;
  const index = (...urls: string[]) =>
    `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
  const url: string = await serve(context, (request: IncomingMessage, response: ServerResponse) => {
    asked++;
    response.end(request.url === '/self.xml' ? index(`${url}/self.xml`) : index(`${url}/new-${asked}.xml`));
  });
  await read('jsonld', `${url}/self.xml`);
  assert.equal(asked, 1);
  const reading = await read('jsonld', `${url}/new.xml`);
  assert.match(JSON.stringify(reading.end), /more than 200 sitemaps/);
  assert.ok(asked < 210);
});

test('all of them at once: each is reported and put off, and the catalogue is as it was', async (context) => {
  const cwd = folder();
  const url: string = await serve(context, ({ url: path }, response) => {
    response.on('error', () => {});
    if (path === '/endless.ics') forEver(response, Buffer.from('BEGIN:VEVENT\nUID:u\n'.repeat(1_000)));
    else if (path === '/endless.html') forEver(response, Buffer.from('<div>'.repeat(10_000)));
    else if (path === '/endless.ndjson') forEver(response, Buffer.from('garbage\n'.repeat(5_000)));
    else if (path === '/loop.ics') response.writeHead(302, { location: '/loop.ics' }).end();
    else if (path === '/private.ics') response.writeHead(302, { location: 'http://127.0.0.2:9/x.ics' }).end();
    else if (path === '/later.ics') response.writeHead(429, { 'retry-after': '31536000' }).end();
    else if (path === '/cut.ndjson') response.end(gzipSync(Buffer.alloc(100_000, 'x')).subarray(0, 60));
    else if (path === '/deep.xml') forEver(response, Buffer.from('<artists><artist>'.repeat(1_000)));
    else response.writeHead(404).end();
  });
  const said: [type: string, path: string, RegExp][] = [
    ['ical', '/endless.ics', /is larger than 67108864 bytes/],
    ['jsonld', '/endless.html', /is larger than 54525952 bytes/],
    ['feed', '/endless.ndjson', /10,000 lines without a readable one/],
    ['ical', '/loop.ics', /redirects too often/],
    ['ical', '/private.ics', /redirects to another host: 127\.0\.0\.2 is not a public address/],
    ['ical', '/later.ics', /answered 429\. It limits requests/],
    ['feed', '/cut.ndjson', /not a complete gzip file/],
    ['discogs', '/deep.xml', /nested deeper/],
  ];
  for (const [type, path] of said) {
    const plan = ['--type', type, '--url', url + path, '--data', 'h.db'];
    assert.equal((await run(['sources', 'add', path.slice(1), ...plan], { cwd })).status, 0);
  }
  const began = Date.now();
  const ended = await run(['sync', '--data', 'h.db', '--fetch-allow', '127.0.0.1', '--json'], { cwd });
  assert.equal(ended.status, 1);
  const { data } = JSON.parse(ended.stdout) as { data: Record<string, string | number>[] };
  for (const [, path, says] of said) {
    const report = data.find(({ source }) => source === path.slice(1));
    assert.match(String(report?.error), says);
    assert.equal(report?.revision, 0);
  }
  const listed = await run(['sources', 'list', '--data', 'h.db', '--json'], { cwd });
  for (const source of (JSON.parse(listed.stdout) as { data: Record<string, string | number>[] }).data) {
    assert.equal(source.failures, 1);
    assert.ok(Date.parse(String(source.next_run_at)) - began > 4 * 60_000, String(source.name));
  }
});

/** A page with these nodes beside a show at the place `#here`. */
const page = (...nodes: object[]): string =>
  `<script type="application/ld+json">${JSON.stringify({
    '@graph': [
      { '@type': 'MusicEvent', name: 'Night', startDate: '2027-01-01T20:00', location: { '@id': '#here' } },
      ...nodes,
    ],
  })}</script>`;

test('a place that lies within itself, or in places without end, costs its page alone', async (context) => {
  const inPlace = (id: string, outer: unknown) => ({
    ...{ '@id': id, '@type': 'Place', name: `Place ${id}`, containedInPlace: outer },
  });
  let deep: object = { '@type': 'Place', name: 'Berlin' };
  for (let depth = 0; depth < 1_000; depth++)
    deep = { '@type': 'Place', name: 'Room', containedInPlace: deep };
  const pages: Record<string, string> = {
    '/self': page(inPlace('#here', { '@id': '#here' })),
    '/ring': page(inPlace('#here', { '@id': '#there' }), inPlace('#there', { '@id': '#here' })),
    '/deep': page(inPlace('#here', deep)),
    '/good': page(inPlace('#here', 'Berlin, Germany')),
  };
  const url: string = await serve(context, (request, response) => {
    const list = Object.keys(pages).map((path) => `<url><loc>${url}${path}</loc></url>`);
    response.end(pages[request.url ?? ''] ?? `<urlset>${list.join('')}</urlset>`);
  });
  const reading = await read('jsonld', `${url}/sitemap.xml`);
  assert.deepEqual(
    reading.rejected.map(({ where, reason }) => [where.slice(url.length), reason]),
    [
      ['/self', 'takes place in a place that contains itself'],
      ['/ring', 'takes place in a place that contains itself'],
      ['/deep', 'takes place in more than 20 places within each other'],
    ],
  );
  assert.deepEqual(
    eventsIn(reading).map(({ name }) => name),
    ['Night'],
  );
});

test('references of a page that lead to each other are followed for a while only', async (context) => {
  // Each of 60 items has all others as properties: their paths are more than anybody could walk.
  const ids = Array.from({ length: 60 }, (_, at) => `i${at}`);
  const items = ids.map(
    (id) =>
      `<div id=${id} itemscope itemprop=x itemtype="https://schema.org/Event" itemref="${ids.join(' ')}">`,
  );
  const began = performance.now();
  await read('jsonld', fileWith(context, 'refs.html', items.join('</div>')));
  assert.ok(performance.now() - began < 20_000);
});

test('gzips of blank lines only, or of endless events, are rejected early', async (context) => {
  const types = ['feed', 'jsonld', 'ical', 'podcast', 'ticketmaster', 'musicbrainz', 'discogs'] as const;
  const blank = fileWith(context, 'blank.gz', gzipSync(Buffer.alloc(4_000_000, 10)));
  for (const type of types) {
    const result = await read(type, blank).then(
      ({ records, rejected, end }) => records.length === 0 && (rejected.length > 0 || end.ended !== 'whole'),
      (failure: unknown) => failure instanceof Failure,
    );
    assert.ok(result, type);
  }
  const open = fileWith(context, 'open.gz', gzipSync('BEGIN:VEVENT\n'.repeat(1_000_000)));
  await assert.rejects(read('ical', open), failing(/more than 50,000 in a row cannot be read/));
});

/** `count` times the same around something, as deep as that. */
const nested = (open: string, inner: string, close: string, count = 50_000): string =>
  open.repeat(count) + inner + close.repeat(count);

test('endless nesting ends in records or a report, whatever the type', async (context) => {
  const event = `{"@type":"MusicEvent","name":"N","startDate":"2027-01-01T20:00","location":`;
  const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
  const night = 'BEGIN:VEVENT\nUID:1\nDTSTART:20270101T200000Z\nSUMMARY:N\n';
  const texts: [type: Parameters<typeof read>[0], name: string, text: string][] = [
    ['jsonld', 'values.html', script(`${event}${nested('{"@list":[', '"Berlin"', ']}')}}`)],
    ['jsonld', 'roots.html', script(nested('[', `${event}"Berlin"}`, ']'))],
    ['jsonld', 'acts.html', script(`${event}"Berlin","performer":${nested('{"performer":', '"x"', '}')}}`)],
    ['jsonld', 'boxes.html', nested('<div itemscope itemprop=location>', 'x', '</div>')],
    ['jsonld', 'sitemap.xml', `<urlset>${nested('<url>', 'x', '</url>')}</urlset>`],
    ['podcast', 'items.xml', `<rss><channel>${nested('<item>', 'x', '</item>')}</channel></rss>`],
    ['discogs', 'artists.xml', `<artists><artist>${nested('<a>', 'x', '</a>')}</artist></artists>`],
    ['ical', 'calendars.ics', nested('BEGIN:VCALENDAR\n', night, 'END:VCALENDAR\n')],
    [
      'ical',
      'alarms.ics',
      `BEGIN:VCALENDAR\n${night}${nested('BEGIN:VALARM\n', '', 'END:VALARM\n')}END:VEVENT\nEND:VCALENDAR\n`,
    ],
    [
      'ical',
      'zone.ics',
      `BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Z\n${nested('BEGIN:STANDARD\n', '', 'END:STANDARD\n')}END:VTIMEZONE\n${night}END:VEVENT\nEND:VCALENDAR\n`,
    ],
    ['ticketmaster', 'answers.json', nested('[', '1', ']')],
    ['ticketmaster', 'answer.json', nested('{"_embedded":', '1', '}')],
    ['musicbrainz', 'artist', nested('{"area":', '1', '}')],
    ['feed', 'lines.ndjson', `{"kind":"artist","external_id":"1","name":"A"}\n[${nested('[', '1', ']')}]\n`],
  ];
  for (const [type, name, text] of texts) {
    try {
      await read(type, fileWith(context, name, text));
    } catch (failure) {
      assert.ok(failure instanceof Failure, `${name}: ${failure}`);
    }
  }
});

/** Returns the processor time of a call in ms. */
function processorTime(call: () => void): number {
  const began = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

test('the time to read a page grows with its length only, and no text is lost in depth', () => {
  const deep = '<b>'.repeat(9_900);
  const pages: [name: string, text: string][] = [
    ['items without end tags', `<html><body>${'<li><p>'.repeat(714_000)}`],
    ['end tags without start tags', deep + '</i>'.repeat(1_250_000)],
    ['pairs', deep + '<b></b>'.repeat(700_000)],
    ['texts that end in their start tag', '<title/>'.repeat(625_000)],
    ['end tags in comments', '<div><!--</div>-->'.repeat(270_000)],
    ['pictures that an outer end tag ends', '<div><svg></div>'.repeat(310_000)],
  ];
  for (const [name, text] of pages) {
    const ms = processorTime(() => void parseHtml(text));
    assert.ok(ms < 8_000, `${name}: ${ms} ms`);
  }
  const list = Array.from({ length: 3_000 }, (_, at) => `<li><p>night ${at}<script>hidden</script>`).join('');
  assert.equal(visibleText(parseHtml(`<ul>${list}</ul>after`)).match(/night \d+/g)?.length, 3_000);
  assert.doesNotMatch(visibleText(parseHtml(list)), /hidden/);
});

test('a row of many elements before many cells is read in linear time', () => {
  const row = `<tr>${'<br>'.repeat(16_000)}${'<td>a'.repeat(16_000)}`;
  let text = '';
  const ms = processorTime(() => {
    for (let run = 0; run < 8; run++) text = htmlToText(row);
  });
  assert.ok(ms < 4_000, `${ms} ms`);
  assert.match(text, /^a ?\| a/);
});

test('items that refer to the same long text share it, up to a limit per page', () => {
  const item = '<div itemscope itemtype="http://schema.org/Event" itemref="x"></div>';
  const pages = [
    `${item.repeat(19_000)}<div id=x itemprop=name>${'word '.repeat(60_000)}</div>`,
    `${item.repeat(19_000)}<meta id=x itemprop=name content="${' word'.repeat(60_000)}">`,
    `${item.repeat(10)}<div id=x>${'<div itemprop=name>'.repeat(900)}${'<i></i>'.repeat(200_000)}text`,
  ];
  for (const text of pages) {
    const root = parseHtml(text);
    let items: { name?: unknown }[] = [];
    const ms = processorTime(() => {
      items = parseMicrodata(root);
    });
    assert.ok(ms < 8_000, `${ms} ms`);
    const names = items.flatMap(({ name }) => (name ?? []) as string[]);
    const characters = names.reduce((sum, name) => sum + name.length, 0);
    assert.ok(characters < 21_000_000, `${characters} characters`);
  }
});
