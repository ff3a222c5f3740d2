/** Acts whose names consist of emoji. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareArtists } from '../../src/matching/entities/compare-artists.ts';
import { isSameAct, readLineupActs } from '../../src/matching/events/lineup-acts.ts';
import { artistNameKey, compactKey, parseArtistName } from '../../src/text/artist-name.ts';
import { lineupFromDescription } from '../../src/text/description-lineup.ts';
import { parseLineup, parseLineupEntry } from '../../src/text/lineup/parse.ts';
import { isSameName, nameKey } from '../../src/text/name-similarity.ts';
import { importFeed, startServer, temporaryFolder } from '../support/program.ts';

const entry = (name: string): string[] => parseLineupEntry(name).map((act) => act.name);

test('a name of emoji stays as it is written', () => {
  assert.deepEqual(entry('DJ 👩‍🎤'), ['DJ 👩‍🎤']);
  assert.deepEqual(entry('👾'), ['👾']);
  assert.deepEqual(parseArtistName('DJ 👩‍🎤').names, ['DJ 👩‍🎤']);
  assert.deepEqual(entry('Ben 🔥 Klock'), ['Ben Klock']);
  assert.deepEqual(entry('🔥 TBA 🔥'), []);
  assert.deepEqual(entry('DJ'), []);
  // A line of emoji in a text separates.
  assert.deepEqual(
    parseLineup('Ann\n🔥🔥🔥\nBob').map((act) => act.name),
    ['Ann', 'Bob'],
  );
});

test('free texts keep the names of emoji that structured line-ups keep', () => {
  const acts = (text: string) => parseLineup(text).map((act) => act.name);
  assert.deepEqual(acts('Ann, 👩‍🎤, Bob'), ['Ann', '👩‍🎤', 'Bob']);
  assert.deepEqual(acts('👾; Ann'), ['👾', 'Ann']);
  assert.deepEqual(acts('Ann\nDJ 🎧\nBob'), ['Ann', 'DJ 🎧', 'Bob']);
  assert.deepEqual(acts('DJ 🎧 (live), Ann'), ['DJ 🎧', 'Ann']);
  assert.deepEqual(parseLineup('DJ 🎧 (live), Ann')[0]?.tags, ['live']);
  assert.deepEqual(acts('Ann b2b 🐙'), ['Ann', '🐙']);
  assert.deepEqual(parseLineup('Ann b2b 🐙')[1]?.tags, ['b2b']);
  for (const name of ['👩‍🎤', 'DJ 🎧', '👾', 'The 🔥🔥', '\u{1fae9}', '👁️'])
    assert.deepEqual(acts(`Ann, ${name}`), ['Ann', ...entry(name)]);
  // Decoration.
  assert.deepEqual(acts('Ann 🔥 Bob 🔥 Cleo'), ['Ann', 'Bob', 'Cleo']);
  assert.deepEqual(acts('🪩 Ann, 🪩 Bob'), ['Ann', 'Bob']);
  assert.deepEqual(acts('Ann, 🇩🇪, Bob, 🎉🎉🎉'), ['Ann', 'Bob']);
  assert.deepEqual(acts('🔥\nAnn\nBob'), ['Ann', 'Bob']);
});

test('descriptions keep the names of emoji in their line-ups', () => {
  const names = (text: string) => lineupFromDescription(text).map((act) => act.name);
  assert.deepEqual(names('A long night.\nLine-up: Anna Lindt, 👩‍🎤, Vera Kohl'), [
    'Anna Lindt',
    '👩‍🎤',
    'Vera Kohl',
  ]);
  assert.deepEqual(names('LINE-UP\nAnna Lindt\nDJ 🎧\nVera Kohl'), ['Anna Lindt', 'DJ 🎧', 'Vera Kohl']);
});

test('names of emoji are artists of the line-up', async () => {
  const folder = temporaryFolder();
  const dataFile = join(folder.path, 'data.db');
  const names = [
    'DJ 👩‍🎤',
    'Ben Klock',
    '👾',
    '🔥',
    'DJ 🎧',
    'The 🔥🔥',
    'The 🪩',
    '\u{1fae9}',
    'DJ \u{1fae9}\u{1fadf}',
  ];
  const event = (external_id: string, start_at: string) => ({
    kind: 'event',
    external_id,
    name: 'Klubnacht',
    start_at,
    venue: { name: 'Tresor', city: 'Berlin', country: 'DE' },
    lineup: names.map((name) => ({ name })),
  });
  importFeed(dataFile, [event('1', '2027-01-01T22:00'), event('2', '2027-01-08T22:00')]);
  const server = await startServer({ dataFile, now: '2026-11-28T12:00:00Z' });
  try {
    const { data } = (await server.get('/api/v1/events')).json() as {
      data: { lineup: { name: string; slug: string }[] }[];
    };
    for (const { lineup } of data)
      assert.deepEqual(
        lineup.map(({ name }) => name),
        names,
      );
    assert.equal(new Set(data.flatMap(({ lineup }) => lineup.map(({ slug }) => slug))).size, names.length);
  } finally {
    await server.stop();
    folder.remove();
  }
});

test('two names of emoji are two acts', () => {
  const acts = readLineupActs(
    ['DJ 👩‍🎤', 'DJ 👨‍🎤', 'DJ 🎧', '👾', '\u{1fae9}', '\u{1fadf}'].map((name) => ({ name })),
  );
  assert.deepEqual(
    acts.map(({ displayName }) => displayName),
    ['DJ 👩‍🎤', 'DJ 👨‍🎤', 'DJ 🎧', '👾', '\u{1fae9}', '\u{1fadf}'],
  );
  for (const a of acts)
    for (const b of acts) assert.equal(isSameAct(a, b), a === b, `${a.displayName}, ${b.displayName}`);
  assert.equal(isSameName('DJ 👩‍🎤', 'DJ 👨‍🎤'), false);
  // A colour of skin and the form of a sign change no name.
  assert.equal(nameKey('DJ 👩🏽‍🎤'), nameKey('DJ 👩‍🎤'));
  assert.equal(nameKey('❤️'), nameKey('❤'));
});

test('a name of emoji keeps them beside a mark', () => {
  const read = (name: string) => parseLineupEntry(name).map((act) => [act.name, act.tags, act.group]);
  assert.deepEqual(read('DJ 🎧 (live)'), [['DJ 🎧', ['live'], null]]);
  assert.deepEqual(read('DJ 🎧 live'), [['DJ 🎧', ['live'], null]]);
  assert.deepEqual(read('👾 (DE)'), [['👾', [], null]]);
  assert.deepEqual(read('👾 b2b 🎧'), [
    ['👾', ['b2b'], 1],
    ['🎧', ['b2b'], 1],
  ]);
  assert.deepEqual(read('DJ 🎧 b2b Ben Klock (live)'), [
    ['DJ 🎧', ['b2b'], 1],
    ['Ben Klock', ['live', 'b2b'], 1],
  ]);
  assert.deepEqual(read('Mr 🎩 vs Mrs 👒'), [
    ['Mr 🎩', [], 1],
    ['Mrs 👒', [], 1],
  ]);
  assert.deepEqual(parseArtistName('DJ 🎧 (DE)'), { names: ['DJ 🎧'], country: 'DE', qualifier: null });
  assert.deepEqual(parseArtistName('DJ 🎧 live set').names, ['DJ 🎧']);
  // Decoration is no name.
  for (const name of ['🔴 LIVE', '🔥 live 🔥', '🔥 (sold out)']) assert.deepEqual(entry(name), [], name);
  assert.deepEqual(entry('Ben Klock 🔥 (live)'), ['Ben Klock']);
  const [act] = readLineupActs([{ name: 'DJ 🎧 (live)' }]);
  assert.equal(act?.displayName, 'DJ 🎧');
});

test('marks keep two names of emoji apart', () => {
  assert.notEqual(nameKey('DJ 🎧 (live)'), nameKey('DJ 👾 (live)'));
  assert.notEqual(compactKey('DJ 🎧 (live)'), compactKey('DJ 👾 (live)'));
});

test('a name of emoji is not the name that spells them', () => {
  const names = [
    'DJ 🎧',
    'DJ Headphones',
    'DJ 👾',
    'DJ Space Invader',
    '🎧',
    '🎤',
    '🎤🎤🎤',
    '🎤🎤🎧',
    'Headphones',
  ];
  for (const key of [compactKey, nameKey])
    assert.equal(new Set(names.map(key)).size, names.length - (key === nameKey ? 1 : 0));
  const emoji = names.filter((name) => !/[a-z]{3}/i.test(name));
  for (const a of emoji)
    for (const b of names) {
      const same = a === b;
      assert.equal(artistNameKey(a) === artistNameKey(b), same, `${a}, ${b}`);
      assert.equal(isSameName(a, b), same, `${a}, ${b}`);
      const link = { website: 'https://example.com/' };
      const { score } = compareArtists({ name: a, ...link }, { name: b, ...link });
      assert.equal(
        score > compareArtists({ name: 'Ann Lee', ...link }, { name: 'Bob Ray', ...link }).score,
        same,
        `${a}, ${b}`,
      );
      const [one, two] = [a, b].map((name) => readLineupActs([{ name }])[0]);
      assert.ok(one !== undefined && two !== undefined);
      assert.equal(isSameAct(one, two), same, `${a}, ${b}`);
    }
});
