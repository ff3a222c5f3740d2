/** Events whose sources state no genre get those of their line-up (docs/decisions/21-derived-genres.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { ask, assertSound, freshFile, matchingNow, says } from '../support/matching.ts';

const genre = (name: string, parent: string | null) => ({ kind: 'genre', external_id: name, name, parent });
const genres = [
  genre('Electronic', null),
  genre('Techno', 'Electronic'),
  genre('Minimal Techno', 'Techno'),
  genre('Acid Techno', 'Techno'),
  genre('Hard Techno', 'Techno'),
  genre('House', 'Electronic'),
  genre('Ambient', 'Electronic'),
  genre('Dub', 'Electronic'),
  genre('Drone', 'Ambient'),
];
const artist = (name: string, ...own: string[]) => ({ kind: 'artist', external_id: name, name, genres: own });
const night = (lineup: string[], more: object = {}) => ({
  kind: 'event',
  external_id: '1',
  name: 'Tiefdruck',
  start_at: '2027-12-04T23:00',
  timezone: 'Europe/Berlin',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  lineup: lineup.map((name) => ({ name })),
  ...more,
});
const slug = 'tiefdruck-2027-12-04';
const artists = [
  artist('Vera Lindt', 'Techno'),
  artist('Orrin Vale', 'Techno', 'Dub'),
  artist('Hanne Brocker', 'House'),
  artist('Milo Strand', 'Minimal Techno'),
  artist('Petra Kolm', 'Acid Techno'),
  artist('Yusuf Adil', 'Hard Techno'),
  artist('Lone Falk', 'Drone'),
];

const genresOf = (sqlite: Database.Database): string[] =>
  ask(sqlite, 'getEvent', { slug }).genres.map(({ name }: { name: string }) => name);
const found = (sqlite: Database.Database, name: string): number =>
  ask(sqlite, 'listEvents', { filters: { genre: name } }).length;
const removalsOf = (sqlite: Database.Database) =>
  new Removals(sqlite, { now: matchingNow, actor: 'terminal:ada' });
const editsOf = (sqlite: Database.Database) => new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' });
const set = (sqlite: Database.Database, record: string, ...changes: string[]) =>
  editsOf(sqlite).set(record, changes.map(parseChange));
const explain = (sqlite: Database.Database) =>
  new Corrections(sqlite, matchingNow).explain(`event/${slug}`).derived;

/** A catalogue with the genres, the artists and an event with this line-up. */
async function catalogue(
  t: Parameters<typeof freshFile>[0],
  lineup: string[],
  more: object = {},
): Promise<Database.Database> {
  const sqlite = freshFile(t);
  await says(sqlite, 'starter', [...genres, ...artists]);
  await says(sqlite, 'calendar', [night(lineup, more)]);
  return sqlite;
}

for (const [lineup, expected] of [
  [['Vera Lindt'], ['Techno']],
  [['Vera Lindt', 'Unknown Act', 'Another Act'], ['Techno']],
  [['Unknown Act'], []],
  // Orrin Vale also plays Dub: one of three is no clear share.
  [['Vera Lindt', 'Orrin Vale', 'Hanne Brocker'], ['Techno']],
  [
    ['Vera Lindt', 'Hanne Brocker'],
    ['House', 'Techno'],
  ],
  // Each has another kind of techno.
  [['Milo Strand', 'Petra Kolm', 'Yusuf Adil'], ['Techno']],
  [
    ['Milo Strand', 'Vera Lindt'],
    ['Minimal Techno', 'Techno'],
  ],
  [['Milo Strand'], ['Minimal Techno']],
  // Nothing in common but the top of the tree.
  [['Vera Lindt', 'Hanne Brocker', 'Lone Falk'], ['Electronic']],
] as const)
  test(`${lineup.join(', ')}: ${expected.join(', ') || 'no genre'}`, async (t) => {
    const sqlite = await catalogue(t, [...lineup]);
    assert.deepEqual(genresOf(sqlite), expected);
    assertSound(sqlite);
  });

test('filters find derived genres and their parents; a count of the genre includes them', async (t) => {
  const sqlite = await catalogue(t, ['Milo Strand']);
  for (const name of ['minimal-techno', 'techno', 'electronic']) assert.equal(found(sqlite, name), 1, name);
  assert.equal(found(sqlite, 'house'), 0);
  assert.deepEqual(explain(sqlite), [{ field: 'genres', value: ['Minimal Techno'], from: 'lineup' }]);
});

test('a stated genre of any source wins, also "none"; without it the line-up decides again', async (t) => {
  const sqlite = await catalogue(t, ['Vera Lindt']);
  await says(sqlite, 'seller', [{ ...night(['Vera Lindt']), genres: ['House'] }], { trust: 1 });
  assert.deepEqual(genresOf(sqlite), ['House']);
  assert.deepEqual(explain(sqlite), []);
  assert.equal(found(sqlite, 'techno'), 0);
  await says(sqlite, 'seller', [{ ...night(['Vera Lindt']), genres: [] }], {
    trust: 1,
    now: matchingNow + 1,
  });
  assert.deepEqual(genresOf(sqlite), []);
  await removalsOf(sqlite).purgeSource('seller');
  assert.deepEqual(genresOf(sqlite), ['Techno']);
  assertSound(sqlite);
});

test('genres follow the line-up and the genres of its artists, and the parents of those', async (t) => {
  const sqlite = await catalogue(t, ['Vera Lindt']);
  await says(sqlite, 'calendar', [night(['Hanne Brocker'])], { now: matchingNow + 1 });
  assert.deepEqual(genresOf(sqlite), ['House']);
  await says(sqlite, 'starter', [artist('Hanne Brocker', 'Drone')], { now: matchingNow + 2 });
  assert.deepEqual(genresOf(sqlite), ['Drone']);
  assert.equal(found(sqlite, 'ambient'), 1);
  await says(sqlite, 'starter', [genre('Drone', 'Dub')], { now: matchingNow + 3 });
  assert.deepEqual([found(sqlite, 'ambient'), found(sqlite, 'dub')], [0, 1]);
  const { revision } = await says(sqlite, 'starter', [genre('Drone', 'Dub')], { now: matchingNow + 3 });
  assert.equal((await says(sqlite, 'calendar', [night(['Hanne Brocker'])])).revision, revision);
  assertSound(sqlite);
});

test('an artist known by name only gets genres later', async (t) => {
  const sqlite = await catalogue(t, ['New Act', 'Other Act']);
  assert.deepEqual(genresOf(sqlite), []);
  await says(sqlite, 'musicbrainz', [artist('New Act', 'Techno')]);
  assert.deepEqual(genresOf(sqlite), ['Techno']);
  await removalsOf(sqlite).purgeSource('musicbrainz');
  assert.deepEqual(genresOf(sqlite), []);
  assertSound(sqlite);
});

test('an edit stands above derived genres; entries are added to them and taken away', async (t) => {
  const sqlite = await catalogue(t, ['Vera Lindt', 'Hanne Brocker']);
  await set(sqlite, `event/${slug}`, 'genres-=House');
  assert.deepEqual(genresOf(sqlite), ['Techno']);
  assert.equal(found(sqlite, 'house'), 0);
  await set(sqlite, `event/${slug}`, 'genres+=Ambient');
  assert.deepEqual(genresOf(sqlite), ['Ambient', 'Techno']);
  assert.deepEqual(explain(sqlite)[0]?.value, ['Techno']);
  // The artist's genres still count, and the added one stays.
  await says(sqlite, 'starter', [artist('Vera Lindt', 'Dub')], { now: matchingNow + 1 });
  assert.deepEqual(genresOf(sqlite), ['Ambient', 'Dub']);
  await set(sqlite, `event/${slug}`, 'genres=');
  assert.deepEqual(genresOf(sqlite), []);
  await editsOf(sqlite).reset(`event/${slug}`, ['genres']);
  assert.deepEqual(genresOf(sqlite), ['Dub', 'House']);
  assertSound(sqlite);
});

test('an artist that merges, is hidden or forgotten takes its genres along', async (t) => {
  const sqlite = await catalogue(t, ['Vera Lindt', 'New Act']);
  assert.deepEqual(genresOf(sqlite), ['Techno']);
  const corrections = new Corrections(sqlite, matchingNow);
  await corrections.merge('artist/hanne-brocker', 'artist/new-act');
  assert.deepEqual(genresOf(sqlite), ['House', 'Techno']);
  await corrections.split('artist/hanne-brocker', ['new-act']);
  assert.deepEqual(genresOf(sqlite), ['Techno']);
  await removalsOf(sqlite).hide('artist/vera-lindt');
  assert.deepEqual(genresOf(sqlite), []);
  await removalsOf(sqlite).unhide('artist/vera-lindt');
  assert.deepEqual(genresOf(sqlite), ['Techno']);
  await removalsOf(sqlite).forget('artist/vera-lindt', { name: 'remove' });
  assert.deepEqual(genresOf(sqlite), []);
  assertSound(sqlite);
});

test('genres that merge change the shares', async (t) => {
  const sqlite = await catalogue(t, ['Hanne Brocker', 'Lone Falk', 'Vera Lindt']);
  assert.deepEqual(genresOf(sqlite), ['Electronic']);
  await new Corrections(sqlite, matchingNow).merge('genre/house', 'genre/drone');
  assert.deepEqual(genresOf(sqlite), ['Drone']);
  assertSound(sqlite);
});

test('an export leaves derived genres out, so that another catalogue derives its own', async (t) => {
  const sqlite = await catalogue(t, ['Vera Lindt']);
  const lines = [...exportLines(sqlite, { since: 0 })].flat().map((line) => JSON.parse(line));
  assert.equal(lines.find(({ kind }) => kind === 'event').genres, undefined);
  const copy = freshFile(t);
  await says(copy, 'copy', lines);
  assert.deepEqual(genresOf(copy), ['Techno']);
});
