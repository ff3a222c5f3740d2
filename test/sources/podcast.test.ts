/** Podcasts: every recorded feed, one small feed for each rule, and feeds that mean no good. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { podcast } from '../../src/sources/podcast/adapter.ts';
import { parseEpisodeTitle } from '../../src/sources/podcast/episode-title.ts';
import { parseDurationSeconds, parsePublished } from '../../src/sources/podcast/values.ts';
import { counts, ofKind, readSource } from '../support/run-adapter.ts';

const data = fileURLToPath(new URL('../../../shared/data/rss', import.meta.url));
const skip = existsSync(data) ? false : 'the recorded data is not here';
const address = 'https://feeds.example.org/show';

const namespaces =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:psc="http://podlove.org/simple-chapters"';
const music = '<itunes:category text="Music"/>';
const rss = (items: string, channel = music, title = 'Night Mix') =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ${namespaces}><channel><title>${title}</title><link>https://example.org/</link>${channel}${items}</channel></rss>`;
const item = (guid: string, more = '', title = `Title ${guid}`) =>
  `<item><title>${title}</title><guid isPermaLink="false">${guid}</guid><enclosure url="https://cdn.example.org/${guid}.mp3" length="1" type="audio/mpeg"/>${more}</item>`;
const read = (text: string | Uint8Array, more: Record<string, string> = {}) =>
  readSource(podcast, address, { pages: { [address]: text, ...more } });
const episodes = async (items: string, channel?: string, title?: string) =>
  ofKind(await read(rss(items, channel, title)), 'episode');

/** Of each recorded feed: its episodes, or why it is no podcast. */
const recorded: Record<string, number | RegExp> = {
  'atom-customfields.atom': 15,
  'content-encoded.rss': /none of its 7 items has a recording/,
  'craigslist.rss': /none of its 25/,
  'customfields.rss': /none of its 15/,
  'encoding.rss': /none of its 40/,
  'feedburner.atom': /none of its 25/,
  'giantbomb-podcast.rss': 730,
  'guardian.rss': /none of its 55/,
  'gulp-atom.atom': /none of its 10/,
  'heise.atom': /none of its 15/,
  'heraldsun.rss': 2,
  'incomplete-fields.atom': /no title/,
  'instant-article.rss': /none of its 1/,
  'item-itunes-episodeType.rss': 1,
  'itunes-category.rss': 1,
  'itunes-href.rss': /none of its 10/,
  'itunes-keywords-array.rss': 1,
  'itunes-keywords-astext.rss': 32,
  'itunes-keywords.rss': 1,
  'itunes-missing-image.rss': 130,
  'many-links.rss': /none of its 25/,
  'missing-fields.atom': /none of its 1/,
  'narro.rss': 1,
  'pagination-links.rss': 1,
  'reddit-atom.rss': /none of its 24/,
  'reddit-home.rss': /none of its 24/,
  'reddit.rss': /none of its 24/,
  'rss-1.rss': /none of its 69/,
  'unrecognized.rss': /is not a readable feed/,
  'uolNoticias.rss': /none of its 15/,
  'xml2js-options.rss': /none of its 69/,
};

test('every recorded feed', { skip }, async () => {
  assert.deepEqual(readdirSync(data).sort(), Object.keys(recorded));
  for (const [file, expected] of Object.entries(recorded)) {
    const reading = await readSource(podcast, `${data}/${file}`);
    const found = counts(reading);
    if (typeof expected === 'number') {
      assert.deepEqual(found, { podcast: 1, episode: expected }, file);
      assert.deepEqual(reading.rejected, [], file);
    } else {
      assert.deepEqual(found, {}, file);
      assert.equal(reading.rejected.length, 1, file);
      assert.match(reading.rejected[0]?.reason ?? '', expected, file);
    }
    // All of them are talk: none has tracks, and no title names an artist.
    for (const episode of ofKind(reading, 'episode'))
      assert.equal(episode.tracklist ?? episode.artists, undefined);
  }
});

test('a recorded podcast: what a person would say of it', { skip }, async () => {
  const reading = await readSource(podcast, `${data}/giantbomb-podcast.rss`);
  const [show] = ofKind(reading, 'podcast');
  assert.deepEqual([show?.name, show?.publisher], ['Giant Bombcast', 'Giant Bomb']);
  const [first] = ofKind(reading, 'episode');
  assert.deepEqual(
    [first?.external_id, first?.name, first?.number, first?.published_at, first?.duration_seconds],
    ['1600-2823', 'Giant Bombcast 603: Call of Tuesday', 603, '2019-10-01T14:30:00-08:00', 10_475],
  );
  assert.match(first?.audio_url ?? '', /\.mp3$/);
  assert.match(first?.description ?? '', /^Video games! Ghost Recon/);
});

test('an episode with all that a feed can say', async () => {
  const [show, episode] = (
    await read(
      rss(
        item(
          'e1',
          `<link>https://example.org/e1</link><pubDate>Sat, 02 May 2026 20:00:00 +0200</pubDate><itunes:episode>45</itunes:episode><itunes:duration>1:02:03</itunes:duration><itunes:image href="https://example.org/e1.jpg"/><description>Short.</description><content:encoded><![CDATA[<p>Longer &amp; better.</p><p>Tracklist:<br>1. Objekt - Ganzfeld [Leisure System]<br>2. ID - ID</p>]]></content:encoded><podcast:person role="guest">Objekt</podcast:person>`,
          'Night Mix 045: Objekt b2b Call Super',
        ),
        `${music}<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid><itunes:author>Night Crew</itunes:author><description>&lt;b&gt;Mixes&lt;/b&gt; at night</description><itunes:image href="/cover.jpg"/>`,
      ),
    )
  ).records;
  assert.deepEqual(show, {
    kind: 'podcast',
    external_id: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
    name: 'Night Mix',
    publisher: 'Night Crew',
    description: 'Mixes at night',
    website: 'https://example.org/',
    feed_url: address,
    image_url: 'https://feeds.example.org/cover.jpg',
  });
  assert.deepEqual(episode, {
    kind: 'episode',
    external_id: 'e1',
    podcast: { external_id: '917393e3-1b1e-5cef-ace4-edaa54e1f810', name: 'Night Mix' },
    name: 'Night Mix 045: Objekt b2b Call Super',
    number: 45,
    published_at: '2026-05-02T20:00:00+02:00',
    duration_seconds: 3_723,
    description: 'Longer & better.\n\nTracklist:\n1. Objekt - Ganzfeld [Leisure System]\n2. ID - ID',
    audio_url: 'https://cdn.example.org/e1.mp3',
    image_url: 'https://example.org/e1.jpg',
    artists: [{ name: 'Objekt' }, { name: 'Call Super' }],
    tracklist: [
      { position: 1, artist_name: 'Objekt', title: 'Ganzfeld', label_name: 'Leisure System' },
      { position: 2, artist_name: null, title: null },
    ],
  });
});

test('Atom: enclosures, content, ids', async () => {
  const reading = await read(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atomic Techno</title><id>urn:feed</id><link rel="self" href="${address}"/><link href="https://example.org/"/><author><name>Somebody</name></author><entry><id>urn:1</id><title>Mix 7: Surgeon</title><published>2026-01-02T03:04:05Z</published><updated>2026-02-02T00:00:00Z</updated><link rel="enclosure" type="audio/ogg" href="/7.ogg"/><link href="https://example.org/7"/><content type="html">&lt;p&gt;Hello&lt;/p&gt;</content></entry></feed>`,
  );
  const [show] = ofKind(reading, 'podcast');
  const [episode] = ofKind(reading, 'episode');
  assert.deepEqual(
    [show?.external_id, show?.publisher, show?.website],
    ['urn:feed', 'Somebody', 'https://example.org/'],
  );
  assert.deepEqual(
    [
      episode?.external_id,
      episode?.published_at,
      episode?.audio_url,
      episode?.description,
      episode?.number,
      episode?.artists,
    ],
    ['urn:1', '2026-01-02T03:04:05Z', 'https://feeds.example.org/7.ogg', 'Hello', 7, [{ name: 'Surgeon' }]],
  );
});

test('the identity of an episode: guid, else the recording, else the link', async () => {
  const enclosure = '<enclosure url="https://cdn.example.org/x.mp3" type="audio/mpeg"/>';
  const reading = await read(
    rss(
      `<item><title>A</title><guid>g</guid>${enclosure}</item><item><title>B</title>${enclosure}<link>https://example.org/b</link></item><item><title>C</title><link>https://example.org/c</link><itunes:duration>60</itunes:duration></item><item><title>D</title><itunes:duration>60</itunes:duration></item><item>${enclosure}<guid>e</guid></item><item><title>News</title><guid>f</guid></item><item><title>A again</title><guid>g</guid>${enclosure}</item>`,
    ),
  );
  assert.deepEqual(
    ofKind(reading, 'episode').map(({ external_id }) => external_id),
    ['g', 'https://cdn.example.org/x.mp3', 'https://example.org/c'],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason.split(' ').slice(0, 3).join(' ')),
    ['has no guid,', 'has no title', 'has no recording'],
  );
});

test('lengths in their many writings', () => {
  const cases: [string, number | null][] = [
    ['3723', 3_723],
    ['3723.6', 3_724],
    ['62:03', 3_723],
    ['1:02:03', 3_723],
    ['01:02:03.5', 3_723],
    ['PT1H2M3S', 3_723],
    ['PT62M', 3_720],
    ['1h 2m 3s', 3_723],
    ['1 hour, 2 minutes', 3_720],
    ['62 min', 3_720],
    ['62 Minuten', 3_720],
    ['45 seconds', 45],
    ['0', null],
    ['00:00:00', null],
    ['', null],
    ['about an hour', null],
    ['-5', null],
    ['999999999', null],
    ['P', null],
  ];
  for (const [text, seconds] of cases) assert.equal(parseDurationSeconds(text), seconds, text);
});

test('lengths reach the episode whatever they are written as', async () => {
  const lengths = ['1h 2m', '62:00', 'PT1H2M', '3720', '<![CDATA[01:02:00]]>', ' 1:02:00.0 '];
  const found = await episodes(
    lengths
      .map((length, index) => item(`e${index}`, `<itunes:duration>${length}</itunes:duration>`))
      .join(''),
  );
  assert.deepEqual(
    found.map(({ duration_seconds }) => duration_seconds),
    lengths.map(() => 3_720),
  );
});

test('dates in their many writings', () => {
  const cases: [string, string | null][] = [
    ['Sat, 02 May 2026 20:00:00 GMT', '2026-05-02T20:00:00Z'],
    ['Sat, 2 May 2026 20:00:00 -0800', '2026-05-02T20:00:00-08:00'],
    ['02 May 26 20:00 EST', '2026-05-02T20:00:00-05:00'],
    ['Sat, 02 May 2026 20:00:00 CEST', '2026-05-02T20:00:00+02:00'],
    ['Sat, 02 May 2026 20:00:00', '2026-05-02T20:00:00'],
    ['2026-05-02T20:00:00.123Z', '2026-05-02T20:00:00Z'],
    ['2026-05-02T20:00:00+0200', '2026-05-02T20:00:00+02:00'],
    ['2026-05-02', '2026-05-02'],
    ['May 2, 2026', '2026-05-02'],
    ['31 Feb 2026 00:00:00 GMT', null],
    ['0000-00-00 00:00:00', null],
    ['yesterday', null],
    ['', null],
  ];
  for (const [text, time] of cases) assert.equal(parsePublished(text), time, text);
});

test('titles: the number, and who plays where it plainly says so', () => {
  const cases: [title: string, podcast: string, number: number | null, artists: string[]][] = [
    ['RA.500 Ben Klock', 'RA Podcast', 500, ['Ben Klock']],
    ['EX.500 Laurent Garnier', 'RA Exchange', 500, ['Laurent Garnier']],
    ['Podcast 123: Helena Hauff', 'Some Series', 123, ['Helena Hauff']],
    ['Helena Hauff - Show 045', 'Some Series', 45, ['Helena Hauff']],
    ['HATE Podcast 123 with Dax J', 'HATE', 123, ['Dax J']],
    ['Ben Klock - HATE Podcast 123', 'HATE Podcast', 123, ['Ben Klock']],
    ['XLR8R Podcast 700: Ben UFO b2b Joy Orbison', 'XLR8R Podcast', 700, ['Ben UFO', 'Joy Orbison']],
    ['Mix Series 12: Tim Reaper x Dwarde', 'Mix Series', 12, ['Tim Reaper', 'Dwarde']],
    ['Clone Radio 12 | Serge, DJ Sotofett & Jasss', 'Clone Radio', 12, ['Serge', 'DJ Sotofett', 'Jasss']],
    ['Dekmantel Podcast 123 - Gabriel & Dresden', 'Dekmantel', 123, ['Gabriel & Dresden']],
    ['#45 | Helena Hauff', 'HATE Podcast', 45, ['Helena Hauff']],
    [
      'DCR590 - Drumcode Radio Live - Adam Beyer live from Junction 2',
      'Drumcode Radio Live',
      590,
      ['Adam Beyer'],
    ],
    ['Balance Selections 123: Sasha [Live]', 'Balance Selections', 123, ['Sasha']],
    ['Guest Mix: Nina Kraviz', 'Show', null, ['Nina Kraviz']],
    ['techno podcast 033 – i hate models', 'techno podcast', 33, ['i hate models']],
    ['Group Therapy 400', 'Group Therapy', 400, []],
    ['Episode 12: Interview with Carl Cox', 'Music Talk', 12, []],
    ['Episode 12 - How to make techno', 'Music Talk', 12, []],
    ['Mixmag Mix 12 - Best of 2020', 'Mixmag Mix', 12, []],
    ['Essential Mix 2020-05-05', 'Essential Mix', null, []],
    ['Summer Special 2020 - Part 2', 'X', null, []],
    ['2019', 'X', null, []],
    ['', 'X', null, []],
  ];
  for (const [title, name, number, artists] of cases) {
    assert.deepEqual(
      parseEpisodeTitle(title, { podcast: name, isMusicShow: true }),
      { number, artists },
      title,
    );
    assert.deepEqual(parseEpisodeTitle(title, { podcast: name, isMusicShow: false }).artists, [], title);
  }
});

test('shows that are not about music have no artists, and lists without a heading are no tracks', async () => {
  const notes =
    '<description>1. Doom - a game&lt;br&gt;2. Quake - a sequel&lt;br&gt;3. Myst - a riddle</description>';
  const [talk] = await episodes(
    item('e1', notes, 'Episode 12: Jane Doe'),
    '<itunes:category text="Leisure"/>',
  );
  assert.deepEqual([talk?.number, talk?.artists, talk?.tracklist], [12, undefined, undefined]);
});

test('chapters: in the feed, or fetched', async () => {
  const psc =
    '<psc:chapters version="1.2"><psc:chapter start="00:00:00" title="Bonobo - Kerala"/><psc:chapter start="04:05" title="Tycho - Awake"/><psc:chapter start="00:08:10.5" title="Rival Consoles - Recovery"/></psc:chapters>';
  const [simple] = await episodes(item('e1', psc));
  assert.deepEqual(
    simple?.tracklist?.map(({ start_seconds, title }) => [start_seconds, title]),
    [
      [0, 'Kerala'],
      [245, 'Awake'],
      [490, 'Recovery'],
    ],
  );
  const at = 'https://example.org/chapters.json';
  const json = JSON.stringify({
    version: '1.2.0',
    chapters: [
      { startTime: 0, title: 'Bonobo - Kerala' },
      { startTime: 245.2, title: 'Tycho - Awake', img: 'x' },
      { startTime: 300, title: 'An advertisement', toc: false },
      { startTime: 490, title: 'ID - ID' },
    ],
  });
  const text = rss(item('e1', `<podcast:chapters url="${at}" type="application/json+chapters"/>`));
  const fetched = await read(text, { [at]: json });
  assert.deepEqual(
    ofKind(fetched, 'episode')[0]?.tracklist?.map(({ start_seconds, artist_name }) => [
      start_seconds,
      artist_name,
    ]),
    [
      [0, 'Bonobo'],
      [245, 'Tycho'],
      [490, null],
    ],
  );
  for (const bad of ['no json', '{"chapters":[{"startTime":-1}]}', '{}', '']) {
    const reading = await read(text, { [at]: bad });
    assert.equal(ofKind(reading, 'episode').length, 1);
    assert.match(reading.rejected[0]?.reason ?? '', /^its chapters cannot be read/);
  }
  const missing = await read(text);
  assert.equal(ofKind(missing, 'episode').length, 1);
  assert.equal(missing.rejected.length, 1);
});

test('pages are followed to their end; loops and endless ones end', async () => {
  const next = (page: number) => `<atom:link rel="next" href="${address}?page=${page}"/>`;
  const pages = {
    [`${address}?page=2`]: rss(item('c') + item('d'), next(3)),
    [`${address}?page=3`]: rss(item('e'), next(1)),
    [`${address}?page=1`]: rss(item('a') + item('b'), next(2)),
  };
  const reading = await read(rss(item('a') + item('b'), next(2)), pages);
  assert.deepEqual(
    ofKind(reading, 'episode').map(({ external_id }) => external_id),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.equal(ofKind(reading, 'podcast').length, 1);
  assert.deepEqual(reading.end, { ended: 'whole' });
  const endless = Object.fromEntries(
    Array.from({ length: 400 }, (_, page) => [
      `${address}?page=${page}`,
      rss(item(`e${page}`), next(page + 1)),
    ]),
  );
  const long = await read(rss(item('first'), next(0)), endless);
  assert.equal(long.end.ended, 'partial');
  assert.equal(ofKind(long, 'episode').length, 200);
  const lost = await read(rss(item('a'), next(2)));
  assert.equal(lost.end.ended, 'partial');
  assert.equal(ofKind(lost, 'episode').length, 1);
});

test('a feed that breaks off is read up to there', async () => {
  const text = rss(item('a') + item('b') + item('c', `<description>${'words '.repeat(50)}</description>`));
  for (const cut of [30, 100, 300]) {
    const reading = await read(text.slice(0, -cut));
    assert.equal(reading.end.ended, 'partial', String(cut));
    assert.ok(ofKind(reading, 'episode').length >= 2);
    assert.match(reading.rejected.at(-1)?.reason ?? '', /ends early/);
  }
  const gone = await read(text.slice(0, 300));
  assert.equal(gone.end.ended, 'partial');
});

test('other encodings', async () => {
  const text = rss(item('a', '', 'Röyksopp in Tromsø'));
  const latin = Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1');
  assert.equal(ofKind(await read(latin), 'episode')[0]?.name, 'Röyksopp in Tromsø');
  const undeclared = Buffer.from(text.replace(' encoding="UTF-8"', ''), 'latin1');
  assert.equal(ofKind(await read(undeclared), 'episode')[0]?.name, 'Röyksopp in Tromsø');
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  assert.equal(ofKind(await read(wide), 'episode')[0]?.name, 'Röyksopp in Tromsø');
});

test('input that is no feed or is malicious ends in a report', async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>${rss(item('a', '', 'x &b;&c; y'))}`;
  const bombed = await read(bomb);
  assert.ok((ofKind(bombed, 'episode')[0]?.name.length ?? 0) < 30);
  const bad: string[] = [
    '',
    'hello',
    '<html><body>404</body></html>',
    '{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[]}',
    '<rss version="2.0"><channel>',
    rss(`<a>${'<b>'.repeat(50_000)}${'</b>'.repeat(50_000)}</a>`),
    '<rss version="2.0"><channel><title> </title></channel></rss>',
    rss('<item><__proto__>x</__proto__></item>'),
    '\u0000'.repeat(1_000),
  ];
  for (const text of bad) {
    const reading = await read(text);
    assert.deepEqual(reading.records, [], text.slice(0, 60));
    assert.equal(reading.end.ended, 'partial', text.slice(0, 60));
    assert.ok(reading.rejected.length > 0, text.slice(0, 60));
  }
});

test('hostile texts within a feed do not hold it up', async () => {
  const long = [
    `<itunes:duration>${' '.repeat(500_000)}x</itunes:duration>`,
    `<description>${'&lt;b&gt;'.repeat(100_000)}</description>`,
    `<description>${'00:00 A - B\n'.repeat(50_000)}</description>`,
    `<pubDate>${'Sat, '.repeat(50_000)}</pubDate>`,
    `<link>https://example.org/${'a'.repeat(100_000)}</link>`,
  ];
  const found = await episodes(long.map((more, index) => item(`e${index}`, more)).join(''));
  assert.equal(found.length, long.length);
  const [titled] = await episodes(
    item('t', '', `${'Podcast 1 - '.repeat(20_000)}x`),
    music,
    'A '.repeat(400),
  );
  assert.ok((titled?.name.length ?? 0) <= 1_000);
});

test('a feed too large is refused before it is read', async () => {
  async function* endless() {
    yield Buffer.from('<rss version="2.0"><channel><title>x</title>');
    const block = Buffer.alloc(1024 * 1024, 'x');
    for (;;) yield block;
  }
  await assert.rejects(readSource(podcast, address, { pages: { [address]: endless } }), /larger than/);
});
