/** Commands that look into the data file and change it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { environment, folder, program, run, start } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string, options: { input?: string | Buffer; env?: Record<string, string> } = {}) =>
  run(line.split(' '), { cwd, ...options });

/** The members of a document that the tests look at. */
type Counts = { created: number; updated: number; unchanged: number; matched: number; withdrawn: number };
type Document = Record<string, unknown> & {
  id: string;
  key: string;
  revision: number;
  kinds: Record<string, Counts>;
  data: Record<string, string>[];
};

async function json(line: string, input: string | Buffer = ''): Promise<Document> {
  const { status, stdout, stderr } = await command(`${line} --json`, { input });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Document;
}

/** A record of every kind, with every member that a feed can state. */
const lines = [
  {
    kind: 'genre',
    external_id: 'g1',
    name: 'Techno',
    aliases: ['Tekkno'],
    description: 'Four to the floor.',
  },
  { kind: 'genre', external_id: 'g2', name: 'Dub Techno', parent: 'Techno' },
  {
    kind: 'city',
    external_id: 'c1',
    name: 'Köln',
    country: 'DE',
    region: 'NRW',
    latitude: 50.94,
    longitude: 6.96,
    timezone: 'Europe/Berlin',
    population: 1_080_000,
    aliases: ['Cologne'],
  },
  {
    kind: 'venue',
    external_id: 'v1',
    name: 'Gewölbe',
    city: 'Köln',
    country: 'DE',
    address: 'Hans-Böckler-Platz 2',
    postal_code: '50672',
    latitude: 50.945,
    longitude: 6.94,
    capacity: 350,
    website: 'https://gewoelbe.example/',
    image_url: 'https://gewoelbe.example/a.jpg',
    aliases: ['Gewoelbe Köln'],
    links: [{ type: 'instagram', url: 'https://instagram.example/gewoelbe' }],
    external_ids: { discogs: '7' },
  },
  {
    kind: 'artist',
    external_id: 'a1',
    name: 'Âme',
    country: 'DE',
    real_name: 'Kristian Beyer & Frank Wiedemann',
    biography: 'Two lines\nof text.',
    genres: ['Techno'],
    aliases: ['Ame'],
    links: [{ type: 'website', url: 'https://ame.example/' }],
    external_ids: { musicbrainz: 'x-1', discogs: '42' },
  },
  { kind: 'artist', external_id: 'a2', name: '¥ØU$UK€ ¥UK1MAT$U', country: 'JP' },
  { kind: 'label', external_id: 'l1', name: 'Kompakt', country: 'DE', founded_year: 1998 },
  {
    kind: 'label',
    external_id: 'l2',
    name: 'Kompakt Extra',
    parent: { external_id: 'l1', name: 'Kompakt' },
    artists: [{ external_id: 'a1', name: 'Âme' }],
  },
  { kind: 'festival', external_id: 'f1', name: 'c/o pop', city: 'Köln', country: 'DE', genres: ['Techno'] },
  {
    kind: 'edition',
    external_id: 'e1',
    festival: { external_id: 'f1', name: 'c/o pop' },
    edition: '2027',
    start_at: '2027-04-21',
    end_at: '2027-04-25',
    city: 'Köln',
    country: 'DE',
    lineup: [{ external_id: 'a2', name: '¥ØU$UK€ ¥UK1MAT$U', billing: 'headline' }],
    tickets: [{ seller: 'Shop', url: 'https://shop.example/1', price_min: 99.5, currency: 'EUR' }],
  },
  {
    kind: 'event',
    external_id: 'x1',
    name: 'Kompakt Nacht',
    start_at: '2027-03-27T23:00',
    end_at: '2027-03-28T06:00',
    status: 'scheduled',
    venue: { external_id: 'v1', name: 'Gewölbe', city: 'Köln', country: 'DE' },
    description: 'The night the clocks change.',
    minimum_age: 18,
    url: 'https://gewoelbe.example/1',
    genres: ['Dub Techno'],
    lineup: [
      { external_id: 'a1', name: 'Âme', stage: 'Floor', set_start_at: '2027-03-28T01:30' },
      { name: 'Michael Mayer', billing: 'headline' },
    ],
    tickets: [{ seller: 'Shop', url: 'https://shop.example/2', availability: 'limited' }],
    festival: { festival: { external_id: 'f1', name: 'c/o pop' }, edition: '2027' },
  },
  { kind: 'event', external_id: 'x2', name: 'Somewhere', start_at: '2027-05-01', venue: { name: 'TBA' } },
  { kind: 'event', external_id: 'x3', name: 'No zone', start_at: '2027-05-01T22:30', country: 'JP' },
  { kind: 'podcast', external_id: 'p1', name: 'Kompakt Radio', publisher: 'Kompakt' },
  {
    kind: 'episode',
    external_id: 'p1-1',
    podcast: { external_id: 'p1', name: 'Kompakt Radio' },
    name: 'One',
    number: 1,
    published_at: '2026-10-01T10:00:00Z',
    duration_seconds: 3600,
    artists: [{ name: 'Âme' }],
    tracklist: [
      { position: 1, start_seconds: 0, artist_name: 'Âme', title: 'Rej', label_name: 'Kompakt' },
      { position: 2, artist_name: 'ID', title: 'ID' },
    ],
  },
];
const feed = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
const feedFile = join(cwd, 'feed.ndjson');
writeFileSync(feedFile, feed);
writeFileSync(`${feedFile}.gz`, gzipSync(feed));

describe('import', () => {
  test('a missing file is made, without the starter catalogue; a second run changes nothing', async () => {
    const first = await json('import feed.ndjson --source one --data one.db');
    assert.deepEqual(Object.keys(first), ['source', 'revision', 'kinds', 'rejected', 'seconds']);
    assert.equal(first.source, 'one');
    assert.deepEqual(first.rejected, []);
    const counts = { created: 2, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 };
    assert.deepEqual(first.kinds.genre, counts);
    const again = await json('import feed.ndjson --source one --data one.db');
    assert.equal(again.revision, first.revision);
    const unchanged = Object.values(again.kinds).map((kind) => kind.unchanged);
    assert.equal(
      unchanged.reduce((sum, count) => sum + count, 0),
      lines.length,
    );
    assert.equal((await json('stats --data one.db')).events, 3);
  });

  test('gzip is recognized by its content, in files and on standard input', async () => {
    const packed = readFileSync(`${feedFile}.gz`);
    copyFileSync(`${feedFile}.gz`, join(cwd, 'packed-under-another-name'));
    await json('import packed-under-another-name --source one --data gz1.db');
    await json('import - --source one --data gz2.db', packed);
    await json('import - --source one --data gz3.db', Buffer.concat([packed, gzipSync('')]));
    for (const name of ['gz1', 'gz2', 'gz3'])
      assert.equal((await json(`stats --data ${name}.db`)).artists, 3, name);
  });

  test('names of sources: what they may hold, and the one that is taken', async () => {
    await json('import feed.ndjson --source one --data names.db');
    for (const name of ['bad/name', '-x', 'a:b', 'a*'])
      assert.match(
        (
          await run(
            ['sources', 'add', '--data', 'names.db', '--type', 'feed', '--url', 'feed.ndjson', '--', name],
            { cwd },
          )
        ).stderr,
        /has letters, digits, spaces and the characters/,
        name,
      );
    const added = await command('sources add starter --type feed --url feed.ndjson --data names.db');
    assert.match(added.stderr, /starter is the name of the built-in starter catalogue/);
    const served = start(['serve', '--port', '0', '--data', 'filled.db'], { cwd });
    await once(served.stdout, 'data');
    served.kill();
    await once(served, 'exit');
    const imported = await command('import feed.ndjson --source starter --data filled.db');
    assert.equal(imported.status, 2);
    assert.match(imported.stderr, /starter is the name of the built-in starter catalogue/);
    const doctor = await command('doctor --data filled.db --port 9');
    assert.match(doctor.stdout, /^page-limit +100 ms/m);
  });

  test('a file that is called .gz and holds something else is refused in one line', async () => {
    const noise = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256));
    writeFileSync(join(cwd, 'noise.ndjson.gz'), noise);
    const { status, stderr } = await command('import noise.ndjson.gz --source one --data noise.db');
    assert.equal(status, 1);
    assert.match(stderr, /^cratebase: noise\.ndjson\.gz is not a gzip file.*\n$/);
    // Unpacked by a program that left its name.
    copyFileSync(feedFile, join(cwd, 'plain.ndjson.gz'));
    await json('import plain.ndjson.gz --source one --data plain-gz.db');
  });

  test('a truncated gzip file is reported; the records before the end stay', async () => {
    const packed = readFileSync(`${feedFile}.gz`);
    writeFileSync(join(cwd, 'cut.gz'), packed.subarray(0, packed.length - 20));
    const { status, stderr } = await command('import cut.gz --source one --data cut.db');
    assert.equal(status, 1);
    assert.match(stderr, /^cratebase: cut\.gz is not a complete gzip file/);
  });

  test('what can be read of a damaged gzip file is imported, and counted', async () => {
    const { default: Database } = await import('better-sqlite3');
    const line = (at: number) =>
      `${JSON.stringify({ kind: 'artist', external_id: `a${at}`, name: `Act ${at} ${Math.sin(at)}` })}\n`;
    for (const count of [1, 3_000]) {
      const packed = gzipSync(Array.from({ length: count }, (_, at) => line(at)).join(''));
      const wrongSum = Buffer.from(packed);
      wrongSum.writeUInt32LE((packed.readUInt32LE(packed.length - 8) ^ 1) >>> 0, packed.length - 8);
      const damaged = { rest: Buffer.concat([packed, Buffer.from('garbage garbage')]), sum: wrongSum };
      for (const [name, bytes] of Object.entries({ ...damaged, end: packed.subarray(0, -4) })) {
        const file = `${name}-${count}.ndjson.gz`;
        writeFileSync(join(cwd, file), bytes);
        const { status, stderr } = await command(`import ${file} --source one --data ${file}.db`);
        assert.equal(status, 1, file);
        const said =
          /is not a complete gzip file \(.*\)\. ([\d,]+) lines? before the error (?:was|were) read\.\n$/;
        const [, read = ''] = said.exec(stderr) ?? [];
        const lines = Number(read.replace(',', ''));
        // A part of 1 kB is lost, with the lines in it.
        assert.ok(lines <= count && lines > count - 50, stderr);
        const sqlite = new Database(join(cwd, `${file}.db`), { readonly: true });
        const stored = sqlite.prepare("SELECT count(*) FROM records WHERE kind = 'artist'").pluck().get();
        assert.equal(stored, lines, file);
        sqlite.close();
      }
    }
  });

  test('bad lines are reported with file and number, the rest is imported, the exit status shows it', async () => {
    const bad =
      '{"kind":"artist","external_id":"1"}\n\nnot json\n{"kind":"artist","external_id":"2","name":"Good"}';
    writeFileSync(join(cwd, 'bad.ndjson'), bad);
    const one = await command('import bad.ndjson --source bad --data bad.db --json');
    assert.equal(one.status, 1);
    const report = JSON.parse(one.stdout);
    assert.deepEqual(
      report.rejected.map(({ line }: { line: number }) => line),
      [1, 3],
    );
    assert.match(one.stderr, /^bad\.ndjson:1: .+\nbad\.ndjson:3: .+\n$/);
    assert.equal(report.kinds.artist.created, 1);

    const both = await command(
      'import feed.ndjson bad.ndjson feed.ndjson --source both --data bad.db --json',
    );
    assert.equal(both.status, 1);
    assert.deepEqual(
      JSON.parse(both.stdout).rejected.map((each: object) => ({ ...each, reason: '' })),
      [1, 3].map((line) => ({ file: 'bad.ndjson', line, reason: '' })),
    );
    assert.match(both.stderr, /^bad\.ndjson:1: .+\nbad\.ndjson:3: .+\n$/);
  });

  test('a repeated entry of a calendar is reported with file, line and id', async () => {
    const night = (name: string) =>
      `BEGIN:VEVENT\r\nUID:n1@club\r\nDTSTART:20400101T200000Z\r\nSUMMARY:${name}\r\nEND:VEVENT\r\n`;
    mkdirSync(join(cwd, 'calendars'));
    for (const [file, name] of [
      ['a.ics', 'One'],
      ['b.ics', 'Two'],
    ] as const)
      writeFileSync(join(cwd, 'calendars', file), `BEGIN:VCALENDAR\r\n${night(name)}END:VCALENDAR\r\n`);
    const args = 'import calendars --source cal --type ical --data cal.db --json';
    const { status, stdout, stderr } = await command(args);
    assert.equal(status, 1);
    assert.match(stderr, /^calendars\/b\.ics:2: differs from an earlier line for event "n1@club"/);
    assert.equal(JSON.parse(stdout).rejected[0].where, 'calendars/b.ics:2');
  });

  test('of many bad lines five are printed, and all are in a file that the next run replaces', async () => {
    const bad = Array.from({ length: 1_234 }, (_, at) => `no line ${at}`);
    writeFileSync(
      join(cwd, 'many.ndjson'),
      [...lines.map((line) => JSON.stringify(line)), ...bad].join('\n'),
    );
    const { status, stdout, stderr } = await command('import many.ndjson --source many --data many.db');
    assert.equal(status, 1);
    assert.match(stdout, /1,234 lines rejected/);
    assert.equal(stderr.match(/^many\.ndjson:\d+: not JSON/gm)?.length, 5);
    assert.match(stderr, /^… and 1,229 more rejected; all 1,234 are in many\.db\.rejected-many\.txt$/m);
    const path = join(cwd, 'many.db.rejected-many.txt');
    const kept = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.equal(kept.length, 1_234);
    assert.match(kept.at(-1) ?? '', new RegExp(`^many\\.ndjson:${lines.length + 1_234}: not JSON`));
    writeFileSync(join(cwd, 'fewer.ndjson'), bad.slice(0, 7).join('\n'));
    await command('import fewer.ndjson --source many --data many.db');
    assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 7);
    await command('import many.ndjson --source another --data many.db');
    assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 7, 'of another source');
    writeFileSync(join(cwd, 'fewer.ndjson'), bad.slice(0, 5).join('\n'));
    await command('import fewer.ndjson --source many --data many.db');
    assert.ok(!existsSync(path), 'of five lines, which were all printed');
  });

  test('input that goes on without a valid line is abandoned, and earlier records stay', async () => {
    const good = `${JSON.stringify({ kind: 'artist', external_id: 'a', name: 'A' })}\n`;
    writeFileSync(join(cwd, 'endless.ndjson'), good + 'no line of a feed\n'.repeat(1_000_000));
    writeFileSync(
      join(cwd, 'blank.ndjson.gz'),
      gzipSync(Buffer.concat([Buffer.from(good), Buffer.alloc(200_000_000, 10)])),
    );
    writeFileSync(
      join(cwd, 'long.ndjson.gz'),
      gzipSync(Buffer.concat([Buffer.from(good), Buffer.alloc(300_000_000, 'x')])),
    );
    const said: [file: string, RegExp][] = [
      [
        'endless.ndjson',
        /endless\.ndjson contains 10,000 lines without a readable one\. Reading stopped there\./,
      ],
      ['blank.ndjson.gz', /It contains 1,000,000 blank lines in a row\. Reading stopped there\./],
      ['long.ndjson.gz', /long\.ndjson\.gz contains 256 MiB without a readable one\./],
    ];
    for (const [file, says] of said) {
      const ended = await command(`import ${file} --source left --data ${file}.db`);
      assert.equal(ended.status, 1, file);
      assert.match(ended.stderr, says);
      assert.equal((await json(`stats --data ${file}.db`)).artists, 1, file);
    }
  });

  test('a file that cannot be imported is reported with its actual format', async () => {
    const calendar = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
    const texts: Record<string, string> = {
      'page.html': '<!DOCTYPE html>\n<html><body><p>Nothing here</p></body></html>',
      'club.ics': calendar,
      'mixes.xml': '<?xml version="1.0"?>\n<rss version="2.0"><channel><title>T</title></channel></rss>',
      'tm.json': '{"_embedded": {}, "page": {"totalElements": 0}}',
      'empty.ndjson': '',
      'notes.txt': 'buy milk',
    };
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(cwd, name), text);
    writeFileSync(join(cwd, 'page.html.gz'), gzipSync(texts['page.html'] as string));
    const said: [file: string, type: string, says: RegExp][] = [
      [
        'page.html',
        'feed',
        /page\.html contains no records of type feed: it looks like an HTML page\. Try --type jsonld\./,
      ],
      ['page.html.gz', 'feed', /it looks like an HTML page\. Try --type jsonld\./],
      [
        'page.html',
        'ical',
        /page\.html is not a calendar: .* It looks like an HTML page: try --type jsonld\./,
      ],
      [
        'page.html',
        'jsonld',
        /describes no events.*\n.*No record of page\.html was imported\. The messages above/,
      ],
      ['club.ics', 'feed', /it looks like a calendar\. Try --type ical\./],
      ['club.ics', 'ical', /it looks like a calendar without entries\./],
      ['club.ics', 'jsonld', /it looks like a calendar\. Try --type ical\./],
      ['mixes.xml', 'feed', /it looks like an RSS or Atom feed\. Try --type podcast\./],
      [
        'tm.json',
        'ticketmaster',
        /tm\.json: skipped: lists no events[\s\S]*it looks like a Ticketmaster response without entries/,
      ],
      ['empty.ndjson', 'ical', /empty\.ndjson is not a calendar/],
      ['notes.txt', 'feed', /notes\.txt contains no records of type feed\. Supported types: feed, jsonld/],
    ];
    for (const [file, type, says] of said) {
      const ended = await command(`import ${file} --source nothing --type ${type} --data nothing.db`);
      assert.equal(ended.status, 1, `${file} as ${type}`);
      assert.match(ended.stderr, says);
    }
    // The lines of such a file are no records with mistakes: only the message is printed.
    const table = 'name,date,city,country\nNight,2030-05-03,Berlin,DE\nDay,2030-05-04,Berlin,DE\n';
    const hint = (name: string) =>
      `cratebase: ${name} contains no records of type feed: it looks like a table (CSV). Try --type csv.\n`;
    writeFileSync(join(cwd, 'nights.csv'), table);
    writeFileSync(join(cwd, 'long.csv'), `${table}${'Night,2030-05-03,Berlin,DE\n'.repeat(9_000)}`);
    for (const name of ['nights.csv', 'long.csv']) {
      const ended = await command(`import ${name} --source nights --data nothing.db`);
      assert.deepEqual([ended.status, ended.stdout, ended.stderr], [1, '', hint(name)]);
    }
    const pipedTable = await command('import - --source nights --data nothing.db', { input: table });
    assert.deepEqual([pipedTable.stdout, pipedTable.stderr], ['', hint('standard input')]);
    assert.deepEqual(
      readdirSync(cwd).filter((name) => name.startsWith('nothing.db.rejected')),
      [],
    );
    // A table whose rows are all wrong has entries; a reason is printed once.
    writeFileSync(join(cwd, 'wrong.csv'), 'name,date\nNight,soon\nDay,3/5/2030\n');
    const wrong = await command('import wrong.csv --type csv --source wrong --data wrong.db');
    assert.match(wrong.stdout, /^no records; revision 0 after [\d.]+ s, 2 records rejected \(see above\)\n$/);
    assert.equal(
      wrong.stderr,
      [
        'wrong.csv:2: has a date that cannot be read: soon; write it as 2030-05-03',
        'wrong.csv:3: has a date whose day and month cannot be told apart: 3/5/2030; write it as 2030-05-03',
        'cratebase: No record of wrong.csv was imported. The messages above say why.\n',
      ].join('\n'),
    );
    writeFileSync(join(cwd, 'untitled.csv'), 'a,b\n1,2\n');
    const untitled = await command('import untitled.csv --type csv --source wrong --data wrong.db');
    assert.deepEqual(untitled.stderr.split('\n'), [
      'untitled.csv:1: its first row must name the columns, "name" and "date" among them',
      'cratebase: No record of untitled.csv was imported. The messages above say why.',
      '',
    ]);
    // With a feed beside it, its lines are reported.
    writeFileSync(join(cwd, 'one.ndjson'), '{"kind":"artist","external_id":"1","name":"One"}\n');
    const both = await command('import nights.csv one.ndjson --source nights --data nothing.db');
    assert.match(both.stderr, /^nights\.csv:1: .*\nnights\.csv:2: .*\nnights\.csv:3: [^\n]*\n$/);
    assert.match(both.stdout, /artist .*3 lines rejected/s);
    const piped = await command('import - --source nothing --data nothing.db', { input: calendar });
    assert.match(piped.stderr, /standard input contains no records of type feed: it looks like a calendar\./);
    // That a source lists nothing any more can be meant, and an empty feed is what a mirror gets where nothing changed.
    for (const line of [
      'import - --source nothing --complete --force --data nothing.db',
      'import empty.ndjson --source nothing --data nothing.db',
    ]) {
      const meant = await command(line, { input: '' });
      assert.deepEqual([meant.status, meant.stderr], [0, ''], line);
    }
  });

  test('two imports at once into a file that is not there yet both end, and nothing is lost', async () => {
    const artist = (id: string) => JSON.stringify({ kind: 'artist', external_id: id, name: `Artist ${id}` });
    const names = ['x', 'y', 'z'];
    for (const name of names) {
      const some = Array.from({ length: 500 }, (_, at) => artist(`${name}${at}`));
      writeFileSync(join(cwd, `${name}.ndjson`), some.join('\n'));
    }
    for (let round = 0; round < 3; round++) {
      const ended = await Promise.all(
        names.map((name) => command(`import ${name}.ndjson --source ${name} --data at-once-${round}.db`)),
      );
      for (const { status, stderr } of ended) assert.equal(status, 0, stderr);
      assert.equal((await json(`stats --data at-once-${round}.db`)).artists, 1_500);
    }
  });

  test('files that do not end with a line feed are still read line by line', async () => {
    writeFileSync(join(cwd, 'a.ndjson'), '\ufeff{"kind":"artist","external_id":"a","name":"A"}');
    writeFileSync(join(cwd, 'b.ndjson'), '\ufeff{"kind":"artist","external_id":"b","name":"B"}');
    const { kinds } = await json('import a.ndjson b.ndjson --source ab --data ab.db');
    assert.equal(kinds.artist?.created, 2);
  });

  test('--complete withdraws over all files together; more than half only with --force', async () => {
    const event = (id: number) => ({
      kind: 'event',
      external_id: `${id}`,
      name: `E${id}`,
      start_at: '2040-01-01',
    });
    const write = (name: string, ids: number[]) =>
      writeFileSync(join(cwd, name), ids.map((id) => JSON.stringify(event(id))).join('\n'));
    write('c1.ndjson', [1, 2]);
    write('c2.ndjson', [3, 4]);
    await json('import c1.ndjson c2.ndjson --source c --complete --data c.db');
    const same = await json('import c1.ndjson c2.ndjson --source c --complete --data c.db');
    assert.equal(same.kinds.event?.withdrawn, 0);
    write('c3.ndjson', [1]);
    const refused = await command('import c3.ndjson --source c --complete --data c.db');
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /--force/);
    const result = await command('import c3.ndjson --source c --complete --data c.db --json');
    assert.equal(result.status, 1);
    assert.match(JSON.parse(result.stdout).refused, /no longer lists 3 of 4 records.*--force/);
    const forced = await json('import c3.ndjson --source c --complete --force --data c.db');
    assert.equal(forced.kinds.event?.withdrawn, 3);
  });

  test('--dry-run tells the same and changes nothing', async () => {
    const before = readdirSync(cwd).length;
    const report = await json('import feed.ndjson --source dry --data dry.db --dry-run');
    assert.equal(report.kinds.event?.created, 3);
    assert.equal(readdirSync(cwd).length, before);
    await json('import a.ndjson --source ab --data dry.db');
    const revision = (await json('import a.ndjson --source ab --data dry.db')).revision;
    const { kinds } = await json('import b.ndjson --source ab --data dry.db --dry-run');
    assert.equal(kinds.artist?.created, 1);
    assert.equal((await json('import a.ndjson --source ab --data dry.db')).revision, revision);
    assert.equal((await json('stats --data dry.db')).artists, 1);
  });
});

describe('the catalogue', { concurrency: 2 }, () => {
  before(async () => {
    await json('import feed.ndjson --source one --data look.db');
  });

  test('search', async () => {
    const { data } = await json('search kompakt --data look.db');
    assert.deepEqual([data[0]?.type, data[0]?.slug], ['label', 'kompakt']);
    assert.equal(data[0]?.url, 'http://127.0.0.1:4880/labels/kompakt');
    const env = { CRATEBASE_BASE_URL: 'https://music.example.org/' };
    const { stdout } = await command('search ame --data look.db --json --limit 1', { env });
    assert.equal(JSON.parse(stdout).data[0].url, 'https://music.example.org/artists/ame');
    assert.match(
      (await command('search kompakt nacht --data look.db')).stdout,
      /event +Kompakt Nacht +Köln, DE +2027-03-27/,
    );
    assert.match((await command('search zzzzqqq --data look.db')).stdout, /^Nothing found for "zzzzqqq"/);
  });

  test('search answers questions about days, places and prices', async () => {
    const names = async (question: string) =>
      (await json(`search ${question} --data look.db`)).data.map(({ type, name }) => `${type} ${name}`);
    assert.deepEqual(await names('what is on in March 2027'), ['event Kompakt Nacht']);
    assert.deepEqual(await names('wann ist was los in Köln'), ['event Kompakt Nacht']);
    assert.deepEqual(await names('anything in March 2028'), []);
    assert.match(
      (await command('search anything in March 2028 --data look.db')).stdout,
      /^Nothing found for "anything in March 2028"\. Try fewer words, or other days\.$/m,
    );
  });

  const records: [string, string, string][] = [
    ['event', 'kompakt-nacht-2027-03-27', 'Kompakt Nacht'],
    ['artist', 'ame', 'Âme'],
    ['venue', 'gewolbe', 'Gewölbe'],
    ['festival', 'c-o-pop', 'c/o pop'],
    ['edition', 'c-o-pop/2027', 'c/o pop 2027'],
    ['city', 'koln', 'Köln'],
    ['label', 'kompakt-extra', 'Kompakt Extra'],
    ['genre', 'dub-techno', 'Dub Techno'],
    ['podcast', 'kompakt-radio', 'Kompakt Radio'],
    ['episode', 'kompakt-radio-one', 'One'],
  ];
  for (const [kind, slug, name] of records) {
    test(`show ${kind} ${slug}`, async () => {
      assert.equal((await json(`show ${kind} ${slug} --data look.db`)).name, name);
      const { stdout } = await command(`show ${kind} ${slug} --data look.db`);
      assert.match(stdout, new RegExp(`^Name +${name}$`, 'm'));
    });
  }

  test('show has what belongs to a record', async () => {
    const shows = async (line: string, ...expected: RegExp[]) => {
      const { stdout } = await command(`show ${line} --data look.db`);
      for (const each of expected) assert.match(stdout, each, line);
    };
    await shows(
      'event kompakt-nacht-2027-03-27',
      /^Starts +Sat 2027-03-27 23:00$/m,
      /^Line-up\nNAME +BILLING +STAGE +SET +SLUG\nÂme +– +Floor +Sun 2027-03-28 01:30 +ame\n/m,
      /^Michael Mayer +headline +– +– +michael-mayer$/m,
      /^Tickets\nSELLER +AVAILABILITY +URL\nShop +limited +https:\/\/shop\.example\/2$/m,
    );
    // Of an untrusted clock only the day is told.
    await shows('event no-zone-2027-05-01', /^Starts +Sat 2027-05-01$/m);
    await shows('edition c-o-pop/2027', /^Tickets\nSELLER +PRICE +URL\nShop +99\.5 EUR +https:/m);
    await shows('artist ame', /^Genres\nNAME +SLUG\nTechno/m, /^Upcoming events\nWHEN +NAME +WHERE +SLUG\n/m);
    await shows(
      'festival c-o-pop',
      /^Editions\nEDITION +WHEN +WHERE\n2027 +2027-04-21 – 2027-04-25 +Köln, DE/m,
    );
    await shows('label kompakt-extra', /^Roster\nNAME +COUNTRY +SLUG\nÂme +DE +ame/m);
    await shows('venue gewolbe', /^Location +Hans-Böckler-Platz 2, 50672, 50\.945, 6\.94$/m);
    await shows('podcast kompakt-radio', /^Episodes\nWHEN +NUMBER +NAME +SLUG\n2026-10-01 +1 +One/m);
    await shows(
      'episode kompakt-radio-one',
      /^Duration +1:00:00$/m,
      /^Tracklist\n# {2}AT +ARTIST +TITLE +LABEL\n1 {2}0:00 +Âme +Rej +Kompakt\n2 {2}– +ID +ID +–$/m,
    );

    type Whole = { lineup: { stage: string }[]; tickets: { url: string }[]; tracklist: { title: string }[] };
    const of = async (line: string) => (await json(`show ${line} --data look.db`)) as unknown as Whole;
    const event = await of('event kompakt-nacht-2027-03-27');
    assert.deepEqual(
      [event.lineup[0]?.stage, event.tickets.map(({ url }) => url)],
      ['Floor', ['https://shop.example/2']],
    );
    assert.equal((await of('episode kompakt-radio-one')).tracklist[0]?.title, 'Rej');
  });

  test('show of an unknown record', async () => {
    const { status, stderr } = await command('show artist nobody --data look.db');
    assert.equal(status, 1);
    assert.equal(stderr, 'cratebase: There is no artist "nobody". Search with `cratebase search`.\n');
    assert.equal((await command('show edition c-o-pop/1999 --data look.db')).status, 1);
  });

  test('stats', async () => {
    const stats = await json('stats --data look.db');
    assert.deepEqual([stats.artists, stats.events, stats.editions, stats.tracks], [3, 3, 1, 2]);
    assert.match((await command('stats --data look.db')).stdout, /^editions +1$/m);
  });
});

test('reading leaves nothing behind', () => {
  assert.equal(existsSync(join(cwd, 'look.db-wal')), false);
});

describe('export', () => {
  const written = async (line: string) => {
    const { status, stdout, stderr } = await command(line);
    assert.equal(status, 0, stderr);
    return stdout;
  };

  test('imported into an empty file it makes the same catalogue', async () => {
    await json('import feed.ndjson --source one --data from.db');
    const first = await written('export --data from.db');
    await json('import - --source export --data to.db', first);
    assert.equal(await written('export --data to.db'), first);
    for (const [kind, slug] of [
      ['event', 'kompakt-nacht-2027-03-27'],
      ['event', 'no-zone-2027-05-01'],
      ['event', 'somewhere-2027-05-01'],
      ['edition', 'c-o-pop/2027'],
      ['label', 'kompakt-extra'],
      ['episode', 'kompakt-radio-one'],
    ]) {
      const shown = async (data: string) => {
        // Ids are by order of creation, and what is said of sources and times (of tickets, too) is of this import.
        const { id, sources, ...rest } = await json(`show ${kind} ${slug} --data ${data}`);
        return JSON.parse(JSON.stringify(rest, (name, value) => (name === 'updated_at' ? undefined : value)));
      };
      assert.deepEqual(await shown('to.db'), await shown('from.db'));
    }
  });

  test('an event is exported as its source stated it', async () => {
    const all = (await written('export --kind event --data from.db')).trim().split('\n');
    const events = all.map((line) => JSON.parse(line) as Record<string, unknown>);
    const night = events.find((event) => event.name === 'Kompakt Nacht');
    assert.deepEqual(night?.lineup, [
      {
        external_id: 'ame',
        name: 'Âme',
        stage: 'Floor',
        set_start_at: '2027-03-28T01:30:00+01:00',
      },
      { external_id: 'michael-mayer', name: 'Michael Mayer', billing: 'headline' },
    ]);
    assert.equal(night?.end_at, '2027-03-28T06:00:00+02:00');
    assert.equal(events.find((event) => event.name === 'Somewhere')?.start_at, '2027-05-01');
    assert.equal(events.find((event) => event.name === 'No zone')?.start_at, '2027-05-01T22:30:00');
  });

  test('--kind, --since, --json', async () => {
    const podcasts = (await written('export --kind podcast --data from.db')).trim().split('\n');
    assert.equal(podcasts.length, 1);
    const { data, revision } = await json('export --data from.db');
    assert.equal(data.length, (await written('export --data from.db')).trim().split('\n').length);
    assert.equal(await written(`export --since ${revision} --data from.db`), '');
    await json('import a.ndjson --source ab --data from.db');
    const since = await written(`export --since ${revision} --data from.db`);
    assert.deepEqual(JSON.parse(since), {
      kind: 'artist',
      external_id: 'a',
      slug: 'a',
      revision: revision + 1,
      change: 'created',
      name: 'A',
    });
  });

  test('a reader that has seen enough ends it quietly', async () => {
    await run(['import', '-', '--source', 'many', '--data', 'many.db'], {
      cwd,
      input: Array.from({ length: 20_000 }, (_, i) =>
        JSON.stringify({ kind: 'genre', external_id: `${i}`, name: `Genre ${i}` }),
      ).join('\n'),
    });
    const child = start(['export', '--data', 'many.db'], { cwd });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual([status, stderr], [0, '']);
  });
});

test('an interrupted dry run leaves nothing behind', async () => {
  await json('import feed.ndjson --source one --data torn.db');
  const files = () =>
    readdirSync(cwd)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort();
  const before = files();
  const child = start(['import', '-', '--source', 'x', '--dry-run', '--data', 'torn.db'], { cwd });
  while (readdirSync(cwd).every((name) => !name.startsWith('.cratebase-'))) await setTimeout(10);
  child.kill('SIGINT');
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 130);
  assert.deepEqual(files(), before);
});

describe('accounts and keys', () => {
  before(async () => {
    await json('import feed.ndjson --source one --data access.db');
  });

  test('plans set changes nothing if one of its options is wrong', async () => {
    await json('import feed.ndjson --source one --data plans.db');
    const hasExports = async () => (await json('plans list --data plans.db')).data[0]?.exports;
    for (const wrong of ['--month abc', '--month 5', '--window 0']) {
      const { status } = await command(`plans set free --exports on ${wrong} --data plans.db`);
      assert.deepEqual([status, await hasExports()], [2, false], wrong);
    }
    const both = await json('plans set free --exports on --month 50000 --data plans.db');
    assert.deepEqual([both.quota, await hasExports()], [50_000, true]);
    assert.deepEqual(await json('plans set free --exports off --data plans.db'), {
      plan: 'free',
      exports: false,
    });
    assert.equal(await hasExports(), false);
  });

  test('operator-link takes the public address', async () => {
    const line = 'accounts operator-link --base-url https://music.example --data access.db';
    assert.match((await json(line)).url as string, /^https:\/\/music\.example\/admin\/start\?token=op_/);
    const account = await json(`${line} --account-url https://accounts.example`);
    assert.match(account.url as string, /^https:\/\/accounts\.example\/admin\/start/);
  });

  test('mcp --print-config keeps the options that were given', async () => {
    const argsOf = async (options: string) => {
      const { stdout } = await command(`mcp --print-config --data access.db${options}`);
      return (JSON.parse(stdout) as { mcpServers: { cratebase: { args: string[] } } }).mcpServers.cratebase
        .args;
    };
    assert.deepEqual((await argsOf('')).slice(-3), ['mcp', '--data', join(cwd, 'access.db')]);
    const given = ' --agent-tools all --plan free --name Music --base-url https://music.example';
    assert.deepEqual((await argsOf(given)).slice(-8), [
      ...['--plan', 'free', '--agent-tools', 'all'],
      ...['--name', 'Music', '--base-url', 'https://music.example'],
    ]);
  });

  test('an account from its making to its end', async () => {
    const made = await json('accounts create Ada@Example.org --plan premium --data access.db');
    assert.deepEqual(Object.keys(made), ['id', 'email', 'plan', 'role', 'created_at', 'suspended_at']);
    assert.deepEqual([made.email, made.plan], ['ada@example.org', 'premium']);
    const twice = await command('accounts create ada@example.org --data access.db');
    assert.equal(twice.status, 1);
    assert.match(twice.stderr, /There is an account/);
    const { data } = await json('accounts list --data access.db');
    assert.deepEqual(data, [made]);
    assert.equal((await json('accounts set-plan ada@example.org pro --data access.db')).plan, 'pro');
    assert.equal((await command('accounts set-plan ada@example.org gold --data access.db')).status, 2);

    const key = await json('keys create ada@example.org --name laptop --data access.db');
    assert.deepEqual(Object.keys(key), ['id', 'name', 'key', 'created_at', 'expires_at', 'scope']);
    assert.match(key.key, /^cb_live_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}$/);
    const listed = (await json('keys list ada@example.org --data access.db')).data;
    const members = [
      'id',
      'account',
      'name',
      'hint',
      'created_at',
      'last_used_at',
      'revoked_at',
      'expires_at',
      'scope',
    ];
    assert.deepEqual(Object.keys(listed[0] ?? {}), members);
    assert.ok(!JSON.stringify(listed).includes(key.key));
    const shown = await json('accounts show ada@example.org --data access.db');
    assert.deepEqual(shown.keys, listed);
    assert.deepEqual(shown.connected_apps, []);
    assert.equal((shown.usage as { quota: number }).quota, 1_000_000);

    assert.ok((await json(`keys revoke ${key.id} --data access.db`)).revoked_at);
    assert.equal((await command('keys revoke key_none --data access.db')).status, 1);
    await json('accounts delete ada@example.org --yes --data access.db');
    assert.deepEqual((await json('accounts list --data access.db')).data, []);
    assert.equal((await command('accounts show ada@example.org --data access.db')).status, 1);
  });

  test('a new account sees what it cannot do yet', async () => {
    const made = await command('accounts create eve@example.org --data access.db');
    assert.equal(made.stdout, 'created eve@example.org (free)\n');
    assert.match(
      made.stderr,
      /it cannot sign in in the browser\. To set one:\n {2}cratebase accounts set-password eve@example\.org --data access\.db\n/,
    );
    assert.match(
      made.stderr,
      /\n {2}cratebase keys create eve@example\.org --name first --data access\.db\n$/,
    );
    const input = 'correct horse battery';
    const other = await command('accounts create mallory@example.org --password-stdin --data access.db', {
      input,
    });
    assert.doesNotMatch(other.stderr, /password/);
    assert.match(other.stderr, /keys create/);
    for (const name of ['eve', 'mallory'])
      await json(`accounts delete ${name}@example.org --yes --data access.db`);
  });

  test('passwords come on standard input, and never come back', async () => {
    const password = 'correct horse battery';
    const create = 'accounts create bob@example.org --password-stdin --data access.db';
    const made = await command(`${create} --json`, { input: `${password}\nsecond line` });
    assert.equal(made.status, 0, made.stderr);
    assert.ok(!(made.stdout + made.stderr).includes(password));
    const set = (input: string) =>
      command('accounts set-password bob@example.org --data access.db', { input });
    assert.equal((await set('another good one\r\n')).status, 0);
    assert.match((await set('short\n')).stderr, /A password has 10/);
    assert.match((await set('')).stderr, /Standard input contains no password/);
    assert.match(
      (await command('accounts set-password nobody@example.org --data access.db', { input: 'long enough' }))
        .stderr,
      /No account nobody@example\.org/,
    );
  });

  test('people get tables', async () => {
    await json('keys create bob@example.org --name phone --data access.db');
    assert.match(
      (await command('accounts list --data access.db')).stdout,
      /^EMAIL +PLAN +ROLE +CREATED +SUSPENDED\nbob@example\.org +free +user/,
    );
    assert.match(
      (await command('keys list --data access.db')).stdout,
      /^ID +ACCOUNT +NAME +KEY[\s\S]*phone +cb_live_\w{6}_…\w{4}/,
    );
    assert.match(
      (await command('accounts show bob@example.org --data access.db')).stdout,
      /Usage +0 of 10,000 in \d{4}-\d\d/,
    );
    const created = await command('keys create bob@example.org --name tablet --data access.db');
    assert.match(created.stdout, /^cb_live_\w+\n$/);
  });
});

describe('care of the file', () => {
  before(async () => {
    await json('import feed.ndjson --source one --data care.db');
  });

  test('verify finds a sound file sound', async () => {
    const { ok, checks } = await json('verify --data care.db');
    assert.equal(ok, true);
    assert.deepEqual(
      (checks as { name: string }[]).map(({ name }) => name),
      ['integrity', 'schema', 'foreign keys', 'search index', 'names', 'events', 'rows'],
    );
    assert.match((await command('verify --data care.db')).stdout, /^ok +integrity\n/);
  });

  const damages: [string, RegExp][] = [
    ["DELETE FROM names WHERE record_id = (SELECT id FROM artists WHERE slug = 'ame')", /FAILED +names/],
    ["UPDATE names SET terms = 'other words' WHERE name = 'Kompakt'", /FAILED +search index/],
    ["DELETE FROM genres WHERE slug = 'techno'", /FAILED +foreign keys/],
    ["UPDATE artists SET links = '[ ]' WHERE slug = 'ame'", /FAILED +rows/],
  ];
  for (const [sql, found] of damages) {
    test(`verify finds: ${sql}`, async () => {
      copyFileSync(join(cwd, 'care.db'), join(cwd, 'damaged.db'));
      const { default: Database } = await import('better-sqlite3');
      const sqlite = new Database(join(cwd, 'damaged.db'));
      sqlite.pragma('foreign_keys = OFF');
      sqlite.exec(sql);
      sqlite.close();
      const { status, stdout, stderr } = await command('verify --data damaged.db');
      assert.equal(status, 1);
      assert.match(stdout, found);
      assert.match(stderr, /cratebase (restore|export)/);
    });
  }

  test('a backup, and the way back', async () => {
    const made = await json('backup copy.db --data care.db');
    assert.equal(made.bytes, statSync(join(cwd, 'copy.db')).size);
    const digest = createHash('sha256')
      .update(readFileSync(join(cwd, 'copy.db')))
      .digest('hex');
    assert.equal(made.sha256, digest);
    const result = await command('backup result.db --data care.db');
    assert.match(result.stdout, /wrote result\.db \(.*, [\d,]+ bytes\)\nSHA-256 [0-9a-f]{64}\n/);
    const again = await command('backup copy.db --data care.db');
    assert.equal(again.status, 1);
    assert.match(again.stderr, /copy\.db already exists/);
    assert.equal((await command('backup copy.db --force --data care.db')).status, 0);
    assert.equal((await command('backup care.db --force --data care.db')).status, 2);

    await json('import a.ndjson --source ab --data care.db');
    assert.equal((await json('stats --data care.db')).artists, 4);
    const { kept } = await json('restore copy.db --data care.db');
    assert.equal(kept, 'care.db.before-restore');
    assert.equal((await json('stats --data care.db')).artists, 3);
    assert.equal((await json('stats --data care.db.before-restore')).artists, 4);
    assert.equal((await json('restore copy.db --data care.db')).kept, 'care.db.before-restore-2');
    assert.equal((await json('restore copy.db --data elsewhere.db')).kept, null);
    assert.equal((await json('verify --data elsewhere.db')).ok, true);
  });

  test('a damaged backup is not put in place', async () => {
    copyFileSync(join(cwd, 'copy.db'), join(cwd, 'short.db'));
    truncateSync(join(cwd, 'short.db'), 200_000);
    const { status, stderr } = await command('restore short.db --data care.db');
    assert.equal(status, 1);
    assert.match(stderr, /^cratebase: short\.db is damaged/);
    assert.equal((await command('restore feed.ndjson --data care.db')).status, 1);
    assert.equal((await command('restore care.db --data care.db')).status, 2);
    assert.equal((await json('stats --data care.db')).artists, 3);
    assert.deepEqual(
      readdirSync(cwd).filter((name) => name.startsWith('.')),
      [],
    );
  });

  test('a damaged data file is replaced by a backup', async () => {
    writeFileSync(join(cwd, 'ruin.db'), 'nothing of it is left');
    assert.equal((await json('restore copy.db --data ruin.db')).kept, 'ruin.db.before-restore');
    assert.equal((await json('stats --data ruin.db')).artists, 3);
  });

  test('restore is refused while another process has the file open', async () => {
    const { default: Database } = await import('better-sqlite3');
    const open = new Database(join(cwd, 'care.db'));
    open.prepare('SELECT count(*) FROM artists').get();
    const { status, stderr } = await command('restore copy.db --data care.db');
    open.close();
    assert.equal(status, 1);
    assert.match(stderr, /care\.db is in use\. Stop `cratebase serve` first/);
  });

  test('doctor', async () => {
    const good = await command('doctor --data care.db --port 9 --json', {
      env: { CRATEBASE_METRICS_TOKEN: 'hide-me', CRATEBASE_PROT: '80' },
    });
    assert.equal(good.status, 0, good.stdout);
    assert.ok(!good.stdout.includes('hide-me'));
    const report = JSON.parse(good.stdout);
    const members = ['ok', 'versions', 'service', 'settings', 'data', 'cluster', 'findings'];
    assert.deepEqual(Object.keys(report), members);
    assert.deepEqual(Object.keys(report.versions), ['cratebase', 'node', 'sqlite', 'platform']);
    assert.equal(report.data.counts.artists, 3);
    assert.match(good.stdout, /CRATEBASE_PROT is not a setting/);
    const text = await command('doctor --data feed.ndjson --base-url http://127.0.0.1:9');
    assert.equal(text.status, 1);
    assert.match(text.stdout, /FAILED +data file: feed\.ndjson is not a data file/);
    assert.match(text.stdout, /FAILED +reachability: http:\/\/127\.0\.0\.1:9\/healthz does not answer/);
  });

  test('doctor warns of a data file that every user may read, and says how to fix it', {
    skip: process.platform === 'win32',
  }, async () => {
    await json('import feed.ndjson --source ab --data private.db');
    const about = async () => (await command('doctor --port 9 --data private.db')).stdout;
    assert.doesNotMatch(await about(), /Every user/);
    chmodSync(join(cwd, 'private.db'), 0o644);
    const result = await about();
    assert.match(result, /WARNING +data file: Every user of this machine may read or write .*private\.db\./);
    const [, mends = ''] = /`(chmod 600 [^`]+)`/.exec(result) ?? [];
    execFileSync('/bin/sh', ['-c', mends], { cwd });
    assert.doesNotMatch(await about(), /Every user/);
  });

  test('doctor names what is most often wrong', async () => {
    type Report = { findings: { check: string; status: string; message: string }[] };
    const findings = async (line: string, env: Record<string, string> = {}) => {
      const { stdout } = await command(`doctor ${line} --json`, { env });
      return (JSON.parse(stdout) as Report).findings.map(
        ({ check, status, message }) => `${status} ${check}: ${message}`,
      );
    };
    const says = async (line: string, expected: RegExp, env: Record<string, string> = {}) => {
      const found = await findings(line, env);
      assert.ok(
        found.some((finding) => expected.test(finding)),
        `${line}\n${found.join('\n')}`,
      );
    };
    const { createServer } = await import('node:http');
    const other = createServer((_request, response) => response.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    try {
      await says(
        `--data care.db --port ${port}`,
        /failed port: Another program uses port .* but is not cratebase/,
      );
    } finally {
      other.close();
    }
    const { createServer: listen } = await import('node:net');
    const mute = listen((socket) => socket.destroy());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    try {
      const { port: taken } = mute.address() as { port: number };
      await says(
        `--data care.db --port ${taken}`,
        /failed port: Another program uses port \d+ on 127\.0\.0\.1/,
      );
    } finally {
      mute.close();
    }
    await command('accounts create nobody@example.com --data quiet.db');
    const artist = '{"kind": "artist", "external_id": "1", "name": "Ben Klock"}\n';
    await command('import - --source a --data quiet.db', { input: artist });
    await says('--data quiet.db --port 9', /warning catalogue: There are no upcoming events/);
    await says('--data quiet.db --port 9 --registration closed', /warning access: Registration is closed/);
    const old = new (await import('better-sqlite3')).default(join(cwd, 'old.db'));
    old.exec(readFileSync(new URL('../support/schema-v1.sql', import.meta.url), 'utf8'));
    old.exec(`PRAGMA application_id = ${0x63726174}; PRAGMA user_version = 1`);
    old.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run('cursor_key', '00'.repeat(32));
    old.close();
    await says(
      '--data old.db --port 9',
      /warning data file: old\.db has schema 1; this cratebase reads schema \d+\..* bring it up to date/,
    );
    // A machine that is short of room, or of the time.
    writeFileSync(
      join(cwd, 'machine.cjs'),
      `const { FREE, LATE } = process.env;
       if (FREE) require('node:fs').statfsSync = () => ({ bavail: Number(FREE), bsize: 1 });
       const { now } = Date;
       if (LATE) {
         Date.now = () => now() + Number(LATE);
         globalThis.Date = class extends Date {
           constructor(...given) {
             super(...(given.length > 0 ? given : [Date.now()]));
           }
         };
       }`,
    );
    const on = (machine: Record<string, string>) => ({
      NODE_OPTIONS: `-r ${join(cwd, 'machine.cjs')}`,
      ...machine,
    });
    await says('--data care.db --port 9', /failed disk: Only 50 MB free/, on({ FREE: '50e6' }));
    await says('--data care.db --port 9', /warning disk: .* not enough for a backup/, on({ FREE: '500e6' }));
    const day = 86_400_000;
    await says(
      '--data care.db --port 9',
      /warning clock: .* before the last import/,
      on({ LATE: `${-3_600_000}` }),
    );
    await says('--data care.db --port 9', /failed clock: The clock says /, on({ LATE: `${-40_000 * day}` }));
    await says(
      '--data care.db --port 9',
      /warning catalogue: .* All events are over\. Check the clock/,
      on({ LATE: `${3000 * day}` }),
    );

    const made = JSON.parse((await command('accounts create key@example.com --data care.db --json')).stdout);
    assert.equal(made.plan, 'free');
    const { id, key } = JSON.parse(
      (await command('keys create key@example.com --name k --data care.db --json')).stdout,
    );
    await says(
      `--data care.db --port 9 --key ${key}`,
      /ok key: The key is valid\. [\d,]+ of [\d,]+ requests of the month are left/,
    );
    await command('accounts set-limits key@example.com --month 3 --data care.db');
    const care = new (await import('better-sqlite3')).default(join(cwd, 'care.db'));
    care
      .prepare(
        "INSERT INTO usage_months (account_id, month, used) SELECT id, strftime('%Y-%m'), 3 FROM accounts WHERE email = 'key@example.com'",
      )
      .run();
    care.close();
    await says(
      `--data care.db --port 9 --key ${key}`,
      /failed key: .* all 3 requests of the month are used up/,
    );
    await command('accounts set-limits key@example.com --default --data care.db');
    await command('accounts suspend key@example.com --reason test --data care.db');
    await says(
      `--data care.db --port 9 --key ${key}`,
      /failed key: The key is valid, but its account is suspended/,
    );
    await command('accounts unsuspend key@example.com --data care.db');
    await says(
      `--data care.db --port 9 --key ${key.slice(0, -1)}-`,
      /failed key: This is not a cratebase key/,
    );
    const last = key.endsWith('a') ? 'b' : 'a';
    await says(`--data care.db --port 9 --key ${key.slice(0, -1)}${last}`, /failed key: The key is mistyped/);
    await says(`--data quiet.db --port 9 --key ${key}`, /failed key: The key belongs to another service/);
    await command(`keys revoke ${id} --data care.db`);
    await says(`--data care.db --port 9 --key ${key}`, /failed key: The key is revoked/);
  });

  test('openapi', async () => {
    const { stdout } = await command('openapi --base-url https://music.example.org/ --name Crates');
    const document = JSON.parse(stdout);
    assert.equal(document.openapi.slice(0, 3), '3.1');
    assert.equal(document.info.title, 'Crates');
    assert.equal(document.servers[0].url, 'https://music.example.org/api/v1');
  });
});

describe('a terminal', { skip: hasScript() ? false : 'needs script(1)' }, () => {
  const terminal = (
    line: string,
    { cols = 60, env = {} }: { cols?: number; env?: Record<string, string> } = {},
  ) =>
    execFileSync(
      'script',
      ['-qec', `stty cols ${cols}; ${process.execPath} ${program} ${line}`, '/dev/null'],
      {
        cwd,
        env: environment({ TERM: 'xterm', ...env }),
      },
    )
      .toString()
      .replaceAll('\r', '');

  test('titles are bold, unless NO_COLOR is set or the output is not a terminal', async () => {
    for (const line of ['stats', 'show event wide-1-2027-05-01', 'search wide']) {
      const data = `${line} --data wide.db`;
      assert.ok(terminal(data).includes('\u001b[1m'), line);
      for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
        assert.ok(!terminal(data, { env: env as Record<string, string> }).includes('\u001b'), line);
      assert.ok(!(await command(data)).stdout.includes('\u001b'), line);
    }
  });

  before(async () => {
    const event = (id: number, name: string, venue: string) => ({
      kind: 'event',
      external_id: `${id}`,
      name,
      start_at: '2027-05-01',
      venue: { name: venue, city: 'Köln', country: 'DE' },
      lineup: [{ name: '電気グルーヴ' }],
      tickets: [{ seller: 'Shop', url: `https://shop.example/${'long-'.repeat(20)}` }],
    });
    const input = [
      event(1, 'Wide 1', 'Gewölbe'),
      event(2, 'Wide ワイド 電気グルーヴ 卓球 ｆｕｌｌ「」', '渋谷クラブ'),
      event(3, 'Wide 🎧🔊 ❤️ 👍🏽 🇯🇵 한국', 'Ａ🪩'),
      event(4, `Wide ${'and so on '.repeat(12)}`, 'A place of which the name is a long one'),
    ];
    await command(`accounts create ${'somebody'.repeat(4)}@example.org --data wide.db`);
    await command('import - --source wide --data wide.db', {
      input: input.map((line) => JSON.stringify(line)).join('\n'),
    });
  });

  for (const cols of [60, 80, 120]) {
    test(`tables fit ${cols} columns and stand in line, whatever the script`, () => {
      const shown = terminal('search wide --data wide.db', { cols, env: { NO_COLOR: '1' } })
        .trimEnd()
        .split('\n');
      const where = shown.map((line) => columnsOf(line.slice(0, line.search(/\S+, \S\S +2027|WHERE/))));
      const rows = shown.filter((line) => /^(event|KIND)/.test(line));
      assert.equal(rows.length, 5, shown.join('\n'));
      for (const line of rows) assert.ok(columnsOf(line) <= cols, line);
      const starts = new Set(rows.map((line) => where[shown.indexOf(line)]));
      assert.equal(starts.size, 1, shown.join('\n'));
      // A slug is never cut: it is to be copied.
      for (const slug of ['wide-1-2027-05-01', 'wide-and-so-on']) assert.ok(shown.join('\n').includes(slug));
      assert.ok(!shown.some((line) => /wide-\S*…/.test(line)));
      const list = terminal('accounts list --data wide.db', { cols, env: { NO_COLOR: '1' } });
      for (const line of list.split('\n')) assert.ok(columnsOf(line) <= cols, line);
    });
  }

  test('review refuses the options of a list', () => {
    assert.throws(
      () => terminal('review --limit 5 --data wide.db'),
      (failure: { status?: number; stdout?: Buffer }) =>
        failure.status === 2 && /--limit and --after are for a list/.test(String(failure.stdout)),
    );
  });

  test('a value that is too long for its column is on the next line', () => {
    const shown = terminal('show event wide-1-2027-05-01 --data wide.db', { env: { NO_COLOR: '1' } });
    assert.match(shown, /^Tickets\nSELLER\n {2}URL\nShop\n {2}https:\/\/shop\.example\/(long-){20}$/m);
  });
});

/** How many columns a text takes, as wcwidth has it; of a cluster the first letter counts. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text))
    columns += /^[\u3000-\u9fff\uac00-\ud7a3\uff01-\uff60]|^\p{RI}|^\p{Emoji_Presentation}|\ufe0f/u.test(
      segment,
    )
      ? 2
      : 1;
  return columns;
}

function hasScript(): boolean {
  try {
    execFileSync('script', ['-qec', 'true', '/dev/null']);
    return true;
  } catch {
    return false;
  }
}

test('the audit log in the terminal has the values of settings, plans and suspensions', async () => {
  const data = join(cwd, 'audit.db');
  await json(`import - --source club --data ${data}`, '{"kind":"artist","external_id":"a1","name":"Ana"}');
  const on = (line: string) => json(`${line} --data ${data}`);
  await on('settings set name=Clubs');
  await on('settings set name=Venues');
  await on('accounts create ada@example.com');
  await on('accounts suspend ada@example.com --reason abuse');
  await on('plans set free --month 700 --from 2099-01-01 --note More');
  await on('plans cancel free 2099-01-01');
  const { stdout } = await command(`audit --data ${data}`);
  const rows = stdout.trimEnd().split('\n').slice(1);
  const what = rows.map((row) => row.trimEnd().split(/ {2,}/).slice(3).join(' '));
  assert.deepEqual(
    what.map((text) => text.replace(/acc_\w+/, 'acc_1').replace(/(?<=none → )20[\d-]+T[\d:]+Z/, 'TIME')),
    [
      'plan.cancel plan/free cancelled: quota 10000 → 700, from 2099-01-01T00:00:00Z; “More”',
      'plan.set plan/free quota 10000 → 700, from 2099-01-01T00:00:00Z; “More”',
      'account.suspend account/acc_1 suspended none → TIME; “abuse”',
      'account.create account/acc_1',
      'setting.set setting/site.name Clubs → Venues',
      'setting.set setting/site.name none → Clubs',
    ],
  );
});

test('undo takes back a change of an account, and the undo itself', async () => {
  const data = join(cwd, 'undo.db');
  await json(`import - --source club --data ${data}`, '{"kind":"artist","external_id":"a1","name":"Ana"}');
  const on = (line: string) => json(`${line} --data ${data}`);
  await on('accounts create ada@example.com');
  await on('accounts set-plan ada@example.com premium');
  const planOf = async () => (await on('accounts show ada@example.com')).plan;
  const list = (await on('audit --action account.set-plan')).data as unknown as { id: number }[];
  const undone = await on(`undo ${list[0]?.id}`);
  assert.deepEqual([undone.account, await planOf()], ['ada@example.com', 'free']);
  const again = await command(`undo ${list[0]?.id} --data ${data}`);
  assert.match(again.stderr, /was undone already/);
  const redone = await on(`undo ${undone.audit_id}`);
  assert.equal(await planOf(), 'premium');
  await on('accounts set-plan ada@example.com pro');
  const changed = await command(`undo ${redone.audit_id} --data ${data}`);
  assert.deepEqual([changed.status, await planOf()], [1, 'pro']);
  assert.match(changed.stderr, /changed again since/);
  await on(`undo ${redone.audit_id} --force`);
  assert.equal(await planOf(), 'free');
});
