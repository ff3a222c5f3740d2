/** Discogs: the recorded dumps against the relations drawn from them, and dumps that are not as they should be. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { discogs } from '../../src/sources/discogs/adapter.ts';
import { profileToText, stripDisambiguation } from '../../src/sources/discogs/profile.ts';
import { counts, ofKind, readSource } from '../support/run-adapter.ts';

const data = fileURLToPath(new URL('../../../shared/data/discogs/', import.meta.url));
const skip = existsSync(data) ? false : 'the recorded data is not here';

const artistsXml = (inner: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<artists>\n${inner}\n</artists>`;
const artist = (id: number, name: string, more = '') =>
  `<artist><id>${id}</id><name>${name}</name>${more}</artist>`;
const read = (text: string | Uint8Array) => readSource(discogs, 'dump.xml', { pages: { 'dump.xml': text } });

test('the recorded artists: each one, with what the relations say', { skip }, async () => {
  const reading = await readSource(discogs, `${data}discogs_20200806_artists.xml.gz`);
  assert.deepEqual(counts(reading), { artist: 989 });
  assert.deepEqual(reading.end, { ended: 'whole' });
  assert.equal(reading.rejected.length, 11);
  for (const { reason } of reading.rejected) assert.match(reason, /not to be used/);
  const byId = new Map(ofKind(reading, 'artist').map((record) => [record.external_id, record]));
  let checked = 0;
  for (const line of readFileSync(`${data}artist_name_relations.tsv`, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)) {
    const [id = '', name = '', relation, other = ''] = line.split('\t');
    const record = byId.get(id);
    if (!record) continue;
    assert.equal(record.name, stripDisambiguation(name));
    if (relation === 'realname') assert.equal(record.real_name ?? '', other.replace(/\s+/g, ' ').trim());
    else if (relation === 'namevariation' || relation === 'alias_other_identity') {
      const alias = stripDisambiguation(other);
      assert.ok(alias === record.name || record.aliases?.includes(alias), `${name}: ${other}`);
    }
    checked++;
  }
  assert.ok(checked > 2_000);
});

test('the recorded artists: what a person would say of some of them', { skip }, async () => {
  const reading = await readSource(discogs, `${data}discogs_20200806_artists.xml.gz`);
  const wink = ofKind(reading, 'artist').find(({ external_id }) => external_id === '3');
  assert.equal(wink?.name, 'Josh Wink');
  assert.equal(wink?.real_name, 'Joshua Winkelman');
  assert.ok(wink?.aliases?.includes('Size 9') && wink.aliases.includes('Accent'));
  assert.match(
    wink?.biography ?? '',
    /^After forming Ovum Recordings as an independent label .* partner King Britt,/,
  );
  assert.equal(wink?.external_ids?.discogs, '3');
  assert.equal(wink?.external_ids?.songkick, '250682');
  assert.ok(
    wink?.links?.some(
      ({ type, url }) => type === 'soundcloud' && url === 'https://soundcloud.com/joshwinkofficial',
    ),
  );
  // Another identity that the dump has as an artist of its own is a record of its own.
  const persuader = ofKind(reading, 'artist').find(({ external_id }) => external_id === '1');
  const jesper = ofKind(reading, 'artist').find(({ external_id }) => external_id === '239');
  assert.ok(persuader?.aliases?.includes('Jesper Dahlbäck'));
  assert.ok(jesper === undefined || jesper.name === 'Jesper Dahlbäck');
  for (const { biography } of ofKind(reading, 'artist'))
    assert.doesNotMatch(biography ?? '', /\[[a-z]=?\d|\[\/?[biu]\]|\[url/);
});

test('the recorded labels', { skip }, async () => {
  const reading = await readSource(discogs, `${data}discogs_20200806_labels.xml.gz`);
  assert.deepEqual(counts(reading), { label: 994 });
  assert.equal(reading.rejected.length, 6);
  const labels = ofKind(reading, 'label');
  const planet = labels.find(({ external_id }) => external_id === '1');
  assert.equal(planet?.name, 'Planet E');
  assert.equal(planet?.website, 'http://planet-e.net/');
  assert.match(planet?.description ?? '', /^Carl Craig's classic techno label founded in 1991\./);
  assert.equal(
    JSON.stringify(planet).includes('313 874'),
    false,
    'addresses and telephone numbers are not taken',
  );
  assert.ok(labels.some(({ parent }) => parent?.external_id === '1866' && parent.name === 'Columbia'));
  assert.equal(labels.filter(({ parent }) => parent).length > 10, true);
});

test('a folder holds both dumps; other files in it are reported', { skip }, async () => {
  const reading = await readSource(discogs, data.replace(/\/$/, ''));
  assert.deepEqual(counts(reading), { artist: 989, label: 994 });
  assert.equal(reading.end.ended, 'partial');
  assert.match(reading.rejected.at(0)?.where ?? '', /artist_name_relations\.tsv/);
});

test('artists of one name are distinguished by their ids, not by their numbers', async () => {
  const reading = await read(
    artistsXml(artist(5, 'Accent (3)') + artist(6, 'Accent (4)') + artist(7, '(2)')),
  );
  assert.deepEqual(
    ofKind(reading, 'artist').map(({ external_id, name }) => [external_id, name]),
    [
      ['5', 'Accent'],
      ['6', 'Accent'],
      ['7', '(2)'],
    ],
  );
});

test('profiles as plain text', () => {
  const cases: [string, string][] = [
    ['Half of [a=Porter Ricks] on [l=Chain Reaction (2)].', 'Half of Porter Ricks on Chain Reaction.'],
    [
      'See [url=http://example.org/x]their site[/url] or [url]http://example.org[/url].',
      'See their site or http://example.org.',
    ],
    ['[b]Bold[/b], [i]slanted[/i] and [u]under[/u].', 'Bold, slanted and under.'],
    ['Born in Detroit. Alias of [a239]. Lives in Berlin.', 'Born in Detroit. Lives in Berlin.'],
    ['Known for [m=The Bells].\r\n\r\n\r\nSee [r123].', 'Known for The Bells.'],
    ['[a=DJ [x]', '[a=DJ [x]'],
    ['', ''],
  ];
  for (const [profile, text] of cases) assert.equal(profileToText(profile), text);
});

test('names without Discogs’ own marks', () => {
  assert.equal(stripDisambiguation('Robert (14)'), 'Robert');
  assert.equal(stripDisambiguation('J. Wink (DJ  Wink)'), 'J. Wink (DJ  Wink)');
  assert.equal(stripDisambiguation('Prince*'), 'Prince');
  assert.equal(stripDisambiguation('!!!'), '!!!');
});

test('addresses: those without a scheme count, others do not', async () => {
  const urls = [
    'www.example.org',
    'https://ra.co/dj/x',
    'https://open.spotify.com/artist/0TnOYISbd1XYRBk9myaseg',
    'javascript:alert(1)',
    'mail me',
    'https://www.wikidata.org/wiki/Q42',
    'https://someone.bandcamp.com',
  ];
  const reading = await read(
    artistsXml(artist(1, 'X', `<urls>${urls.map((url) => `<url>${url}</url>`).join('')}</urls>`)),
  );
  const [record] = ofKind(reading, 'artist');
  assert.deepEqual(record?.external_ids, {
    ra: 'x',
    spotify: '0TnOYISbd1XYRBk9myaseg',
    wikidata: 'Q42',
    bandcamp: 'someone',
    discogs: '1',
  });
  assert.deepEqual(
    record?.links?.map(({ type }) => type),
    ['website', 'ra', 'spotify', 'wikidata', 'bandcamp'],
  );
});

test('an error in one record does not affect the others', async () => {
  const reading = await read(
    artistsXml(
      artist(1, 'Good') +
        artist(2, 'Broken &undefined; entity') +
        '<artist><name>No id</name></artist>' +
        '<artist><id>4</id></artist>' +
        '<label><id>5</id><name>Astray</name></label>' +
        artist(6, 'A \u000b control') +
        artist(7, 'Good too'),
    ),
  );
  assert.deepEqual(
    ofKind(reading, 'artist').map(({ name }) => name),
    ['Good', 'Good too'],
  );
  assert.equal(reading.rejected.length, 5);
  assert.match(reading.rejected[0]?.reason ?? '', /entity/);
  assert.deepEqual(reading.end, { ended: 'whole' });
});

test('a file of one artist, or one label, is read as a dump of it', async () => {
  const single = await read(
    artist(27, 'Cari Lekebusch', '<aliases><name id="3">Mystic Letter K</name></aliases>'),
  );
  assert.deepEqual(
    ofKind(single, 'artist').map(({ external_id, name, aliases }) => [external_id, name, aliases]),
    [['27', 'Cari Lekebusch', ['Mystic Letter K']]],
  );
  assert.deepEqual(single.end, { ended: 'whole' });
  const label = await read('<label><id>5</id><name>Svek</name><profile>Stockholm.</profile></label>');
  assert.deepEqual(
    ofKind(label, 'label').map(({ external_id, name }) => [external_id, name]),
    [['5', 'Svek']],
  );
});

test('dumps that are none', async () => {
  const cases: [string | Uint8Array, RegExp][] = [
    ['', /contains no XML/],
    ['not xml at all', /is not XML/],
    ['<releases><release id="1"/></releases>', /contains releases/],
    [artistsXml(artist(1, 'Whole')).slice(0, -20), /ends early/],
    [`<artists>${'<a>'.repeat(5_000)}`, /nested deeper/],
    [
      `<artists><artist><id>1</id><name>${'x'.repeat(5_000_000)}</name></artist></artists>`,
      /longer than 2 MiB/,
    ],
    [`<artists>${'x'.repeat(5_000_000)}`, /longer than 2 MiB/],
  ];
  for (const [text, reason] of cases) {
    const reading = await read(text);
    assert.equal(reading.end.ended, 'partial');
    assert.match(reading.rejected.at(-1)?.reason ?? '', reason);
  }
});

test('entities of a document’s own are not expanded, nor fetched', async () => {
  const bomb =
    '<!DOCTYPE artists [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]>' +
    `<artists>${artist(1, 'x &c;')}${artist(2, 'y &d;')}${artist(3, 'z')}</artists>`;
  const reading = await read(bomb);
  assert.deepEqual(
    ofKind(reading, 'artist').map(({ name }) => name),
    ['z'],
  );
  assert.equal(reading.rejected.length, 2);
});

test('bytes that are no UTF-8 cost their record; another declared encoding is read', async () => {
  const latin = Buffer.from(artistsXml(artist(1, 'Röyksopp') + artist(2, 'Plain')), 'latin1');
  const wrong = await read(latin);
  assert.deepEqual(
    ofKind(wrong, 'artist').map(({ name }) => name),
    ['Plain'],
  );
  const declared = await read(Buffer.from(latin.toString('latin1').replace('utf-8', 'iso-8859-1'), 'latin1'));
  assert.equal(ofKind(declared, 'artist')[0]?.name, 'Röyksopp');
});

test('a large dump goes through in memory that does not grow with it', async () => {
  let size = 0;
  const block = Buffer.from(
    Array.from({ length: 500 }, (_, index) =>
      artist(index + 1, 'Somebody', `<profile>${'word '.repeat(60)}</profile>`),
    ).join('\n'),
  );
  async function* dump() {
    yield Buffer.from('<artists>');
    for (let turn = 0; turn < 200; turn++) {
      size += block.length;
      yield block;
    }
    yield Buffer.from('</artists>');
  }
  let taken = 0;
  let highest = 0;
  const reading = await readSource(discogs, 'dump.xml', {
    pages: { 'dump.xml': dump },
    take: () => {
      if (++taken % 20_000 === 0) highest = Math.max(highest, process.memoryUsage().heapUsed);
    },
  });
  assert.equal(taken, 100_000);
  assert.equal(reading.rejected.length, 0);
  assert.ok(size > 30e6 && highest < 300e6, `${highest} bytes in use over ${size}`);
});

test('gzipped files are read as they are; a truncated one is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'discogs-'));
  try {
    const whole = gzipSync(
      artistsXml(Array.from({ length: 2_000 }, (_, index) => artist(index + 1, `Name ${index}`)).join('\n')),
    );
    writeFileSync(join(folder, 'artists.xml.gz'), whole);
    assert.deepEqual(counts(await readSource(discogs, join(folder, 'artists.xml.gz'))), { artist: 2_000 });
    writeFileSync(join(folder, 'artists.xml.gz'), whole.subarray(0, whole.length - 500));
    await assert.rejects(readSource(discogs, join(folder, 'artists.xml.gz')), /is not a complete gzip file/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
