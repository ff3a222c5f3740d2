/** MusicBrainz: the recorded answers, dumps line by line, and what is neither. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { musicbrainz } from '../../src/sources/musicbrainz/adapter.ts';
import { isElectronic } from '../../src/sources/musicbrainz/electronic-genres.ts';
import { festivalName } from '../../src/sources/musicbrainz/events.ts';
import { counts, ofKind, readSource } from '../support/run-adapter.ts';

const data = fileURLToPath(new URL('../../../shared/data/musicbrainz', import.meta.url));
const skip = existsSync(data) ? false : 'the recorded data is not here';
const all = { genres: 'all' };

/** Reads entities as lines of a dump's file. */
const dump = (file: string, entities: object[], options: Record<string, string> = {}) =>
  readSource(musicbrainz, file, {
    pages: { [file]: entities.map((entity) => JSON.stringify(entity)).join('\n') },
    options,
  });
const url = (type: string, resource: string) => ({
  'target-type': 'url',
  type,
  direction: 'forward',
  ended: false,
  url: { id: 'u', resource },
});
const area = { id: 'berlin', name: 'Berlin', type: 'City', 'iso-3166-2-codes': ['DE-BE'] };

test('every recorded answer is read', { skip }, async () => {
  const folder = await readSource(musicbrainz, data, { options: all });
  assert.deepEqual(counts(folder), { city: 2, artist: 47, label: 12, venue: 21, edition: 8, event: 3 });
  const reasons = folder.rejected.map(({ reason }) => reason);
  assert.equal(
    reasons.filter((reason) => reason === 'has no name').length,
    8,
    'the concerts that are called [concert]',
  );
  assert.equal(reasons.filter((reason) => /^is a (?:release|url):/.test(reason)).length, 2);
  assert.equal(
    reasons.filter((reason) => /no country/.test(reason)).length,
    1,
    'New Leipzig, of which nothing is told',
  );
  assert.equal(reasons.length, 11);
  for (const file of readdirSync(data)) {
    const reading = await readSource(musicbrainz, `${data}/${file}`, { options: all });
    assert.equal(reading.end.ended, 'whole', file);
  }
});

test('of the recorded answers none is electronic music; places and cities are taken all the same', {
  skip,
}, async () => {
  assert.deepEqual(counts(await readSource(musicbrainz, data)), { city: 2, venue: 21 });
});

test('the recorded answers: what a person would say of them', { skip }, async () => {
  const reading = await readSource(musicbrainz, data, { options: all });
  const cave = ofKind(reading, 'artist').find(({ name }) => name === 'Nick Cave');
  assert.equal(cave?.country, 'AU');
  assert.equal(cave?.real_name, 'Nicholas Edward Cave');
  assert.deepEqual(cave?.aliases, ['ニック・ケイヴ']);
  assert.equal(cave?.external_ids?.musicbrainz, '4aae17a7-9f0c-487b-b60e-f8eafb410b1d');
  assert.equal(cave?.external_ids?.discogs, '31844');
  assert.equal(cave?.external_ids?.wikidata, 'Q192668');
  assert.equal(cave?.external_ids?.songkick, '457613');
  assert.equal(cave?.links?.[0]?.url, 'http://nickcave.com/');
  const venue = ofKind(reading, 'venue').find(({ name }) => name === 'Distillery');
  assert.deepEqual([venue?.city, venue?.country, venue?.latitude], ['Leipzig', 'DE', 51.320449]);
  const hall = ofKind(reading, 'venue').find(({ name }) => name === 'Royal Albert Hall');
  assert.deepEqual([hall?.city, hall?.country], ['London', 'GB']);
  const universal = ofKind(reading, 'label').find(({ name }) => name === 'Universal Music Group');
  assert.deepEqual(
    [universal?.country, universal?.founded_year, universal?.artists?.length],
    ['US', 1934, 3],
  );
  assert.equal(universal?.parent, undefined, 'what it owns is not its parent');
  const ring = ofKind(reading, 'edition').find(({ name }) => name === 'Rock am Ring 2002');
  assert.deepEqual(ring?.festival, {
    external_id: 'ca3e512b-4156-46f8-893f-2d87a89d0141',
    name: 'Rock am Ring',
  });
  assert.deepEqual(
    [ring?.edition, ring?.start_at, ring?.end_at, ring?.lineup?.length],
    ['2002', '2002-05-17', '2002-05-19', 18],
  );
  assert.equal(ring?.venue?.name, 'Nürburgring');
  const gotik = ofKind(reading, 'edition').filter(({ festival }) => festival.name === 'Wave-Gotik-Treffen');
  assert.deepEqual(gotik.map(({ edition }) => edition).sort(), [
    '2012',
    '2013',
    '2014',
    '2015',
    '2016',
    '2017',
    '2018',
  ]);
  const woo = ofKind(reading, 'event').find(({ name }) => name?.startsWith('Dr. Woo'));
  assert.equal(woo?.start_at, '2016-11-11T20:00');
});

test('artists: electronic music alone, unless all is asked for', async () => {
  const artists = [
    {
      id: 'a1',
      name: 'One',
      gender: null,
      genres: [
        { name: 'rock', count: 9 },
        { name: 'minimal techno', count: 3 },
      ],
    },
    { id: 'a2', name: 'Two', gender: null, genres: [{ name: 'rock', count: 2 }], tags: [] },
    {
      id: 'a3',
      name: 'Three',
      gender: null,
      tags: [
        { name: 'deep house', count: 1 },
        { name: 'seen live', count: 5 },
      ],
    },
    { id: 'a4', name: 'Four', gender: null, tags: [{ name: 'techno', count: 0 }] },
    { id: 'a5', name: '[unknown]', gender: null, tags: [{ name: 'techno', count: 9 }] },
  ];
  const some = await dump('mbdump/artist', artists);
  assert.deepEqual(
    ofKind(some, 'artist').map(({ name, genres }) => [name, genres]),
    [
      ['One', ['minimal techno']],
      ['Three', ['deep house']],
    ],
  );
  const every = await dump('mbdump/artist', artists, all);
  assert.deepEqual(
    ofKind(every, 'artist').map(({ name, genres }) => [name, genres]),
    [
      ['One', ['rock', 'minimal techno']],
      ['Two', ['rock']],
      ['Three', ['deep house']],
      ['Four', undefined],
    ],
  );
  await assert.rejects(dump('mbdump/artist', artists, { genres: 'techno' }), /"electronic" or "all"/);
});

test('which genres are electronic', () => {
  const yes = [
    'techno',
    'Deep House',
    'drum and bass',
    'Drum & Bass',
    'uk garage',
    'idm',
    'dark ambient',
    'psytrance',
    'italo-disco',
    'synth-pop',
    'electronic',
    'acid techno',
    'trip hop',
    'EBM',
    'dance',
    'hardcore techno',
    'jungle',
    'future garage',
    'wonky',
  ];
  const no = [
    'rock',
    'garage rock',
    'hardcore punk',
    'new wave',
    'jungle pop',
    'opera house',
    'electroacoustic',
    'ambient pop',
    'acid jazz',
    'disco',
    'housewives',
    'progressive rock',
    'jazz',
    'dub',
    'seen live',
    '',
  ];
  assert.deepEqual(
    yes.filter((name) => !isElectronic(name)),
    [],
  );
  assert.deepEqual(no.filter(isElectronic), []);
});

test('names: aliases, legal names, other scripts, links', async () => {
  const reading = await dump('mbdump/artist', [
    {
      id: 'a1',
      name: '電気グルーヴ',
      'sort-name': 'Denki Groove',
      gender: null,
      country: 'XW',
      area: { id: 'jp', name: 'Japan', 'iso-3166-1-codes': ['JP'] },
      aliases: [
        { name: 'Denki', type: 'Artist name' },
        { name: 'denky', type: 'Search hint' },
        { name: 'Legal Person', type: 'Legal name' },
      ],
      tags: [{ name: 'techno', count: 1 }],
      relations: [
        url('official homepage', 'http://www.denkigroove.com'),
        url('discogs', 'https://www.discogs.com/artist/4711'),
        url('soundcloud', 'https://soundcloud.com/denki'),
        url('image', 'https://commons.wikimedia.org/wiki/File:X.jpg'),
        { ...url('myspace', 'https://myspace.com/denki'), ended: true },
      ],
    },
  ]);
  const [artist] = ofKind(reading, 'artist');
  assert.equal(artist?.country, 'JP');
  assert.deepEqual(artist?.aliases, ['Denki', 'Denki Groove']);
  assert.equal(artist?.real_name, 'Legal Person');
  assert.deepEqual(artist?.external_ids, { discogs: '4711', soundcloud: 'denki', musicbrainz: 'a1' });
  assert.deepEqual(
    artist?.links?.map(({ type }) => type),
    ['website', 'discogs', 'soundcloud'],
  );
});

test('places: cities and countries through what contains them; circles end', async () => {
  const part = (of: object) => ({
    'target-type': 'area',
    type: 'part of',
    direction: 'backward',
    ended: false,
    area: of,
  });
  const pages = {
    '/dump/area': [
      { id: 'mitte', name: 'Mitte', type: 'District', relations: [part({ id: 'berlin', name: 'Berlin' })] },
      {
        id: 'berlin',
        name: 'Berlin',
        type: 'City',
        relations: [part({ id: 'de', name: 'Germany', type: 'Country', 'iso-3166-1-codes': ['DE'] })],
      },
      { id: 'x', name: 'X', type: 'City', relations: [part({ id: 'y', name: 'Y' })] },
      { id: 'y', name: 'Y', type: 'District', relations: [part({ id: 'x', name: 'X' })] },
    ],
    '/dump/place': [
      {
        id: 'p1',
        name: 'Tresor',
        type: 'Venue',
        coordinates: { latitude: '52.51', longitude: '13.42' },
        area: { id: 'mitte', name: 'Mitte' },
      },
      { id: 'p2', name: 'Circle', type: 'Venue', coordinates: null, area: { id: 'y', name: 'Y' } },
      { id: 'p3', name: 'Hansa', type: 'Studio', coordinates: null, area: { id: 'berlin', name: 'Berlin' } },
      { id: 'p4', name: 'Nowhere', type: 'Venue', coordinates: null, area: null, address: '' },
      {
        id: 'p5',
        name: 'Fabric',
        type: 'Venue',
        coordinates: null,
        area: { id: 'q', name: 'Islington' },
        address: '77A Charterhouse Street, London EC1M 6HJ',
      },
    ],
  };
  const text = Object.fromEntries(
    Object.entries(pages).map(([file, list]) => [file, list.map((each) => JSON.stringify(each)).join('\n')]),
  );
  // The file of areas beside the one that is read.
  const folder = ['/dump/area', '/dump/place'];
  const reading = await readSource(musicbrainz, '/dump/place', { pages: text, folder });
  assert.deepEqual(
    ofKind(reading, 'venue').map(({ name, city, country }) => [name, city, country]),
    [
      ['Tresor', 'Berlin', 'DE'],
      ['Fabric', 'London', 'GB'],
    ],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason.split(':')[0]),
    ['has no country', 'has no city'],
  );
});

test('shows, festivals and what belongs to whom', async () => {
  const performer = (id: string, name: string, type = 'main performer') => ({
    'target-type': 'artist',
    type,
    direction: 'backward',
    artist: { id, name },
  });
  const event = (id: string, more: object) => ({
    id,
    name: `Night ${id}`,
    setlist: '',
    cancelled: false,
    time: '',
    tags: [{ name: 'techno', count: 1 }],
    'life-span': { begin: '2025-05-01', end: '2025-05-01' },
    ...more,
  });
  const reading = await dump('mbdump/event', [
    event('e1', {
      time: '23:00',
      relations: [
        performer('a1', 'Headliner'),
        performer('a2', 'Opener', 'support act'),
        performer('a3', 'Host', 'host'),
        {
          'target-type': 'place',
          type: 'held at',
          direction: 'forward',
          place: { id: 'p1', name: 'Tresor', area },
        },
      ],
    }),
    event('e2', { cancelled: true }),
    event('e3', { 'life-span': { begin: '2025-05', end: null } }),
    event('e4', { 'life-span': {} }),
    event('e5', {
      type: 'Festival',
      name: 'Awakenings 2025',
      'life-span': { begin: '2025-06-28', end: '2025-06-29' },
    }),
    event('e6', {
      type: 'Festival',
      name: 'Awakenings 2025: Day 1',
      relations: [
        {
          'target-type': 'event',
          type: 'parts',
          direction: 'backward',
          event: { id: 'e5', name: 'Awakenings 2025' },
        },
      ],
    }),
    event('e7', { tags: [], name: 'A rock show' }),
    event('e8', { 'life-span': { begin: '2025-02-31' } }),
  ]);
  const shows = ofKind(reading, 'event');
  assert.deepEqual(
    shows.map(({ external_id }) => external_id),
    ['e1', 'e2', 'e6'],
  );
  assert.equal(shows[0]?.start_at, '2025-05-01T23:00');
  assert.deepEqual(shows[0]?.lineup, [
    { external_id: 'a1', name: 'Headliner', billing: 'headline' },
    { external_id: 'a2', name: 'Opener', billing: 'support' },
  ]);
  assert.deepEqual(shows[0]?.venue, { external_id: 'p1', name: 'Tresor', city: 'Berlin', country: 'DE' });
  assert.equal(shows[1]?.status, 'cancelled');
  assert.deepEqual(shows[2]?.festival, { festival: { name: 'Awakenings' }, edition: '2025' });
  assert.deepEqual(
    ofKind(reading, 'edition').map(({ festival, edition }) => [festival.name, edition]),
    [['Awakenings', '2025']],
  );
  assert.deepEqual(
    reading.rejected.map(({ reason }) => reason),
    ['has no full date (2025-05)', 'has no date', 'has no full date (2025-02-31)'],
  );
});

test('a festival’s name without its number and year', () => {
  const cases = [
    ['23. Wave-Gotik-Treffen', 'Wave-Gotik-Treffen'],
    ['Rock am Ring 2002', 'Rock am Ring'],
    ['12th Annual Detroit Electronic Music Festival', 'Detroit Electronic Music Festival'],
    ['Nature One (1999)', 'Nature One'],
    ['Mayday 2000: Datapop', 'Mayday 2000: Datapop'],
    ['2000', '2000'],
  ];
  for (const [name = '', bare] of cases) assert.equal(festivalName(name), bare);
});

test('performers make an event one of electronic music; the event does so for its festival', async () => {
  const pages: Record<string, string> = {
    artist: JSON.stringify({ id: 'a1', name: 'Known', gender: null, tags: [{ name: 'techno', count: 1 }] }),
    event: JSON.stringify({
      id: 'e1',
      name: 'Fest 2024',
      type: 'Festival',
      setlist: '',
      'life-span': { begin: '2024-07-01' },
      relations: [
        {
          'target-type': 'artist',
          type: 'main performer',
          direction: 'backward',
          artist: { id: 'a1', name: 'Known' },
        },
        {
          'target-type': 'series',
          type: 'part of',
          direction: 'forward',
          series: { id: 's1', name: 'Fest' },
        },
      ],
    }),
    series: `${JSON.stringify({ id: 's1', name: 'Fest', type: 'Festival', relations: [url('official homepage', 'https://fest.example.org/')] })}\n${JSON.stringify({ id: 's2', name: 'A Tour', type: 'Tour' })}\n${JSON.stringify({ id: 's3', name: 'Other', type: 'Festival' })}`,
  };
  const reading = await readSource(musicbrainz, 'mbdump', {
    pages: Object.fromEntries(Object.entries(pages).map(([file, text]) => [`mbdump/${file}`, text])),
    folder: Object.keys(pages).map((file) => `mbdump/${file}`),
  });
  assert.deepEqual(counts(reading), { artist: 1, edition: 1, festival: 1 });
  const [festival] = ofKind(reading, 'festival');
  assert.deepEqual([festival?.external_id, festival?.website], ['s1', 'https://fest.example.org/']);
});

test('labels and genres', async () => {
  const labels = await dump('mbdump/label', [
    {
      id: 'l1',
      name: 'Tresor',
      'label-code': 1,
      type: 'Original Production',
      country: 'DE',
      'life-span': { begin: '1991-10' },
      genres: [{ name: 'techno', count: 4 }],
      relations: [
        {
          'target-type': 'label',
          type: 'label ownership',
          direction: 'backward',
          label: { id: 'l0', name: 'Tresor Berlin' },
        },
        {
          'target-type': 'label',
          type: 'label ownership',
          direction: 'forward',
          label: { id: 'l9', name: 'Owned' },
        },
        {
          'target-type': 'artist',
          type: 'recording contract',
          direction: 'backward',
          artist: { id: 'a1', name: 'Jeff Mills' },
        },
      ],
    },
    {
      id: 'l2',
      name: 'Sheets',
      'label-code': null,
      type: 'Publisher',
      genres: [{ name: 'techno', count: 1 }],
    },
    { id: 'l3', name: 'Rocks', 'label-code': null, type: null, genres: [] },
  ]);
  assert.deepEqual(ofKind(labels, 'label'), [
    {
      kind: 'label',
      external_id: 'l1',
      name: 'Tresor',
      country: 'DE',
      founded_year: 1991,
      parent: { external_id: 'l0', name: 'Tresor Berlin' },
      artists: [{ external_id: 'a1', name: 'Jeff Mills' }],
      external_ids: { musicbrainz: 'l1' },
    },
  ]);
  const genres = await dump('mbdump/genre', [
    {
      id: 'g1',
      name: 'dub techno',
      disambiguation: '',
      relations: [
        {
          'target-type': 'genre',
          type: 'subgenre',
          direction: 'backward',
          genre: { id: 'g2', name: 'techno' },
        },
      ],
    },
    { id: 'g2', name: 'techno' },
    { id: 'g3', name: 'rock' },
  ]);
  assert.deepEqual(
    ofKind(genres, 'genre').map(({ name, parent }) => [name, parent]),
    [
      ['dub techno', 'techno'],
      ['techno', undefined],
    ],
  );
});

test('documents and dumps that are not as they should be', async () => {
  const read = (text: string | Uint8Array) =>
    readSource(musicbrainz, 'artist.json', { pages: { 'artist.json': text }, options: all });
  const good = (id: string) => JSON.stringify({ id, name: `Name ${id}`, gender: null });
  const pretty = JSON.stringify({ created: 'x', count: 1, artists: [{ id: 'a', name: 'A' }] }, null, 2);
  assert.deepEqual(counts(await read(pretty)), { artist: 1 });
  assert.deepEqual(counts(await read(`[${good('1')},${good('2')}]`)), { artist: 2 });
  const lines = await read(`not json\n${good('1')}\n{"id":\n${good('2')}\n42\n${good('3')}\n`);
  assert.deepEqual(counts(lines), { artist: 3 });
  assert.deepEqual(
    lines.rejected.map(({ where }) => where),
    ['artist.json line 1', 'artist.json line 3', 'artist.json line 5'],
  );
  const broken = await read(`bad\nworse\n${good('1')}\n`);
  assert.deepEqual([counts(broken), broken.rejected.length], [{ artist: 1 }, 2]);
  const cut = await read(pretty.slice(0, -10));
  assert.equal(cut.end.ended, 'partial');
  assert.equal(cut.rejected.length, 1);
  assert.deepEqual(await read('').then(({ records, end }) => [records.length, end.ended]), [0, 'whole']);
  const deep = await read('['.repeat(100_000));
  assert.equal(deep.rejected.length, 1);
  const latin = await read(
    Buffer.concat([
      Buffer.from(good('1')),
      Buffer.from('\n{"id":"2","name":"R\xf6yksopp"}\n', 'latin1'),
      Buffer.from(good('3')),
    ]),
  );
  assert.deepEqual([counts(latin), latin.rejected[0]?.reason], [{ artist: 2 }, 'is not UTF-8']);
  const nameless = await read(
    `${JSON.stringify({ id: '1', gender: null })}\n${JSON.stringify({ name: 'x', gender: null })}`,
  );
  assert.deepEqual(
    nameless.rejected.map(({ reason }) => reason),
    ['has no name', 'has no id'],
  );
});

test('packed files say how to unpack them', async () => {
  const xz = Buffer.concat([Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), Buffer.alloc(600)]);
  const tar = Buffer.alloc(1_024);
  tar.write('mbdump/artist', 0);
  tar.write('ustar', 257);
  for (const bytes of [xz, tar])
    await assert.rejects(
      readSource(musicbrainz, 'artist.tar.xz', { pages: { 'artist.tar.xz': bytes } }),
      /Unpack it first/,
    );
});

test('a large dump goes through in memory that does not grow with it', async () => {
  const line = JSON.stringify({
    id: 'x',
    name: 'Somebody',
    gender: null,
    tags: [{ name: 'techno', count: 1 }],
    annotation: 'word '.repeat(100),
  });
  const block = Buffer.from(
    `${Array.from({ length: 500 }, (_, index) => line.replace('"x"', `"${index}"`)).join('\n')}\n`,
  );
  async function* lines() {
    for (let turn = 0; turn < 200; turn++) yield block;
  }
  let taken = 0;
  let highest = 0;
  await readSource(musicbrainz, 'mbdump/artist', {
    pages: { 'mbdump/artist': lines },
    take: () => {
      if (++taken % 20_000 === 0) highest = Math.max(highest, process.memoryUsage().heapUsed);
    },
  });
  assert.equal(taken, 100_000);
  assert.ok(highest < 300e6, `${highest} bytes in use`);
});
