/** Texts that once took minutes or never ended: each is read in the time that its length needs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedRecordSchemas } from '../../src/contract/feed.ts';
import { profileToText } from '../../src/sources/discogs/profile.ts';
import { ical } from '../../src/sources/ical/adapter.ts';
import { jsonld } from '../../src/sources/jsonld/adapter.ts';
import { podcast } from '../../src/sources/podcast/adapter.ts';
import { stripInstruments } from '../../src/text/lineup/instruments.ts';
import { parseLineup } from '../../src/text/lineup/parse.ts';
import { normalizeText } from '../../src/text/normalize.ts';
import { parseTitle } from '../../src/text/title/parse.ts';
import { readSource } from '../support/run-adapter.ts';
import { fileWith, read } from '../support/source-server.ts';

/** What took minutes takes milliseconds; a second leaves room for a machine that does much else. */
const longest = 1_000;
const inTime = <T>(work: () => T): T => {
  const started = process.cpuUsage();
  const done = work();
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1_000 < longest, `took ${Math.round((user + system) / 1_000)} ms`);
  return done;
};

describe('instruments behind a name', () => {
  const instruments = (count: number): string => `Ann - vox, ${'double bass, '.repeat(count)}`;
  test('a list of them that ends in something else', () => {
    const text = `${instruments(75)}x!`;
    assert.equal(
      inTime(() => stripInstruments(text)),
      text,
    );
    assert.ok(inTime(() => parseLineup(text)).length > 0);
  });
  test('a list of them is no part of the name', () => {
    assert.equal(
      inTime(() => stripInstruments(`${instruments(75)}keys`)),
      'Ann',
    );
    for (const [written, name] of [
      ['Ann – drums, electronics', 'Ann'],
      ['Ann: electro-acoustic guitar & modular synth', 'Ann'],
      ['Ann | FLÖTE und Geige', 'Ann'],
      ['Ann –drums', 'Ann –drums'],
      ['Ann – drums of death', 'Ann – drums of death'],
      ['Ann – prepared', 'Ann – prepared'],
      ['Ann: x – bassbass', 'Ann: x'],
    ] as const)
      assert.equal(stripInstruments(written), name, written);
  });
});

test('a chapter that starts at a long row of zeros', async () => {
  const starts = ['0'.repeat(400), `${'0'.repeat(400)}x`, `${'00:'.repeat(200)}x`, '00:00:00.000', '0:0.x'];
  const chapters = starts.map((start) => `<psc:chapter start="${start}" title="Bonobo - Kerala"/>`);
  const text = `<rss version="2.0" xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Show</title>
    <item><guid>e1</guid><title>Episode</title><enclosure url="https://example.org/e.mp3" type="audio/mpeg"/>
    <psc:chapters version="1.2">${chapters.join('')}</psc:chapters></item></channel></rss>`;
  const started = process.cpuUsage();
  const { records } = await readSource(podcast, 'https://example.org/feed', {
    pages: { 'https://example.org/feed': text },
  });
  const { user } = process.cpuUsage(started);
  assert.ok(user / 1_000 < 5 * longest, `took ${Math.round(user / 1_000)} ms`);
  assert.equal(records.filter(({ kind }) => kind === 'episode').length, 1);
});

test('a line of a record is as short as a name; a text may be long', () => {
  const venue = { name: 'Halle', city: 'Ulm', country: 'DE' };
  for (const [member, longestOf] of [
    ['address', 1_000],
    ['postal_code', 1_000],
  ] as const) {
    const read = (length: number) =>
      feedRecordSchemas.venue.safeParse({ ...venue, [member]: 'x'.repeat(length) });
    assert.ok(read(longestOf).success);
    assert.equal(read(longestOf + 1).error?.issues[0]?.message, 'is longer than 1,000 characters');
  }
  const artist = { name: 'Ann', biography: 'x'.repeat(100_000) };
  assert.ok(feedRecordSchemas.artist.safeParse(artist).success);
  assert.ok(!feedRecordSchemas.artist.safeParse({ ...artist, real_name: artist.biography }).success);
});

test('a venue that is called by a row of dashes', () => {
  const read = inTime(() => parseTitle(' -'.repeat(250), { venue: ' -'.repeat(12) }));
  assert.equal(read.acts.length, 0);
  inTime(() => parseTitle(`Ann @ x${"'".repeat(40)}y`, { venue: `x${"'".repeat(40)}z` }));
  assert.ok(parseTitle('Ann @ Bar', { venue: 'Bar \\ 2' }), 'a backslash is a sign as others are');
  for (const title of ['Ann @ Bar - Grill', 'Ann @ Bar – Grill'])
    assert.deepEqual(
      parseTitle(title, { venue: 'Bar - Grill' }).acts.map(({ name }) => name),
      ['Ann'],
    );
});

test('words that have two readings do not double the work', () => {
  const tour = inTime(() => parseTitle(`Ann – ${'winter '.repeat(60)}x`));
  assert.deepEqual(
    tour.acts.map(({ name }) => name),
    parseTitle(`Ann – ${'winter '.repeat(3)}x`).acts.map(({ name }) => name),
  );
  assert.equal(parseTitle('Ann – UK & Ireland Winter Tour 2026').tour, 'UK & Ireland Winter Tour');
  assert.ok(inTime(() => parseLineup(`Ann, more ${'tba soon act '.repeat(60)}.`)).length > 0);
  const [act] = inTime(() => parseLineup('Ann, more tba soon'));
  assert.equal(act?.name, 'Ann');
});

describe('long rows', () => {
  test('of brackets in profiles of Discogs', () => {
    inTime(() => profileToText(`[a=${' '.repeat(90_000)}`));
    inTime(() => profileToText('[url=x]'.repeat(14_000)));
    inTime(() => profileToText(`${'[url='}${' '.repeat(90_000)}`));
    assert.equal(
      profileToText('[a= Ann (2) ] [url= https://example.org ][/url] [URL=x]site[/URL] [m= One ]'),
      'Ann https://example.org site One',
    );
    assert.equal(profileToText('[url=a]one [url=b]two[/url] three[/url]'), 'one two three');
  });
  test('of signs before an emoji', () => {
    const signs = ']]>=\u0000'.repeat(20_000);
    assert.ok(inTime(() => normalizeText(`Ann – ${signs} 🎵 Bob`)).startsWith('Ann – '));
  });
  test('of escaped quotation marks in JSON-LD', async () => {
    const broken = `<script type="application/ld+json">{"name": ${'\\"'.repeat(200_000)}</script>`;
    const started = process.cpuUsage();
    const location = 'https://example.org/';
    const { records } = await readSource(jsonld, location, { pages: { [location]: broken } }).catch(() => ({
      records: [],
    }));
    assert.equal(records.length, 0);
    assert.ok(process.cpuUsage(started).user / 1_000 < 5 * longest);
  });
  test('of empty lines in a calendar', async () => {
    const started = process.cpuUsage();
    const pages = { 'empty.ics': '\n'.repeat(1_000_000) };
    await assert.rejects(readSource(ical, 'empty.ics', { pages }), /is not a calendar/);
    assert.ok(process.cpuUsage(started).user / 1_000 < 5 * longest);
  });
});

test('a rejection of an identifier as long as a page is short', async (context) => {
  const dump = `<artists><artist><id>${'Room 1: '.repeat(50_000)}</id></artist></artists>`;
  const { rejected } = await read('discogs', fileWith(context, 'dump.xml', dump));
  assert.equal(rejected.length, 1);
  assert.ok((rejected[0]?.where.length ?? 0) <= 1_001);
});
