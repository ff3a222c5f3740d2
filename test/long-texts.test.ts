/** Texts that once took minutes or never ended: each is read in the time that its length needs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedLines } from '../src/contract/feed.ts';
import { unplayed } from '../src/sync/reading/instruments.ts';
import { readLineup } from '../src/sync/reading/lineup.ts';
import { podcast } from '../src/sync/sources/podcast.ts';
import { readSource } from './support/adapting.ts';

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
      inTime(() => unplayed(text)),
      text,
    );
    assert.ok(inTime(() => readLineup(text)).length > 0);
  });
  test('a list of them is no part of the name', () => {
    assert.equal(
      inTime(() => unplayed(`${instruments(75)}keys`)),
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
      assert.equal(unplayed(written), name, written);
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
    const read = (length: number) => feedLines.venue.safeParse({ ...venue, [member]: 'x'.repeat(length) });
    assert.ok(read(longestOf).success);
    assert.equal(read(longestOf + 1).error?.issues[0]?.message, 'is longer than 1,000 characters');
  }
  const artist = { name: 'Ann', biography: 'x'.repeat(100_000) };
  assert.ok(feedLines.artist.safeParse(artist).success);
  assert.ok(!feedLines.artist.safeParse({ ...artist, real_name: artist.biography }).success);
});
