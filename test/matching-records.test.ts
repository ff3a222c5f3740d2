/** One artist, venue, label, festival is one record across sources (feed.md, promise 3), in whatever order they come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import type { OperationId } from '../src/contract/operations.ts';
import { ask, freshFile, type Line, permutations, says } from './support/matching.ts';

type Kind = 'artist' | 'venue' | 'label' | 'festival';
const lists: Record<Kind, OperationId> = {
  artist: 'listArtists',
  venue: 'listVenues',
  label: 'listLabels',
  festival: 'listFestivals',
};

type Case = { what: string; kind: Kind; records: number; said: object[] };
const berlin = { city: 'Berlin', country: 'DE' };
const at = (latitude: number, longitude: number) => ({ latitude, longitude });

const cases: Case[] = [
  { what: 'one name', kind: 'artist', records: 1, said: [{ name: 'Âme' }, { name: 'AME', country: 'DE' }] },
  {
    what: 'one id under two names',
    kind: 'artist',
    records: 1,
    said: [
      { name: 'Yukimatsu', external_ids: { discogs: '77' } },
      { name: '¥ØU$UK€ ¥UK1MAT$U', external_ids: { discogs: '77' } },
    ],
  },
  {
    what: 'one name, two ids at a service',
    kind: 'artist',
    records: 2,
    said: [
      { name: 'Nova', external_ids: { musicbrainz: 'x' } },
      { name: 'Nova', external_ids: { musicbrainz: 'y' } },
    ],
  },
  {
    what: 'one name in two countries',
    kind: 'artist',
    records: 2,
    said: [
      { name: 'Nova', country: 'GB' },
      { name: 'Nova', country: 'DE' },
    ],
  },
  {
    what: 'an alias that is listed by itself',
    kind: 'artist',
    records: 2,
    said: [
      { name: 'Richard', real_name: 'R. James', aliases: ['Analord'] },
      { name: 'Analord', real_name: 'R. James' },
    ],
  },
  {
    what: '"The", "DJ", "&"',
    kind: 'artist',
    records: 1,
    said: [{ name: 'The Fields & Stones' }, { name: 'Fields and Stones' }, { name: 'DJ Fields & Stones' }],
  },
  {
    what: 'letters of another name',
    kind: 'artist',
    records: 2,
    said: [{ name: 'Marlon Vex' }, { name: 'Marlon Rex' }],
  },
  {
    what: 'a third that may be either',
    kind: 'artist',
    records: 3,
    said: [{ name: 'Nova', country: 'GB' }, { name: 'Nova', country: 'DE' }, { name: 'Nova' }],
  },
  {
    what: 'a label with and without "Records"',
    kind: 'label',
    records: 1,
    said: [
      { name: 'Nordwerk', country: 'DE' },
      { name: 'Nordwerk Records', country: 'DE' },
    ],
  },
  {
    what: 'labels of one name, founded far apart in two countries',
    kind: 'label',
    records: 2,
    said: [
      { name: 'Echo', country: 'DE', founded_year: 1988 },
      { name: 'Echo', country: 'US', founded_year: 2015 },
    ],
  },
  {
    what: 'a festival with and without the word',
    kind: 'festival',
    records: 1,
    said: [
      { name: 'Deichklang', ...berlin },
      { name: 'Deichklang Festival', ...berlin },
    ],
  },
  {
    what: 'festivals of one name in two cities',
    kind: 'festival',
    records: 2,
    said: [
      { name: 'Sunrise', ...berlin },
      { name: 'Sunrise', city: 'Lisbon', country: 'PT' },
    ],
  },
  {
    what: 'a house with generic words',
    kind: 'venue',
    records: 1,
    said: [
      { name: 'Kornspeicher', ...berlin },
      { name: 'Club Kornspeicher Berlin', ...berlin },
    ],
  },
  {
    what: 'a house and its room',
    kind: 'venue',
    records: 1,
    said: [
      { name: 'Kornspeicher', ...berlin },
      { name: 'Kornspeicher (Main Room)', ...berlin },
    ],
  },
  {
    what: 'a house by another name it gives',
    kind: 'venue',
    records: 1,
    said: [
      { name: 'Kornspeicher', ...berlin, aliases: ['Alter Speicher'] },
      { name: 'Alter Speicher', ...berlin },
    ],
  },
  {
    what: 'houses of one name in two cities',
    kind: 'venue',
    records: 2,
    said: [
      { name: 'Kornspeicher', ...berlin },
      { name: 'Kornspeicher', city: 'Bremen', country: 'DE' },
    ],
  },
  {
    what: 'numbered halls',
    kind: 'venue',
    records: 2,
    said: [
      { name: 'Werkhalle 1', ...berlin },
      { name: 'Werkhalle 2', ...berlin },
    ],
  },
  {
    what: 'the house next door',
    kind: 'venue',
    records: 2,
    said: [
      { name: 'Kornspeicher', ...berlin, address: 'Am Ufer 12', ...at(52.5, 13.4) },
      { name: 'Kornspeicher Kantine', ...berlin, address: 'Am Ufer 14', ...at(52.5004, 13.4004) },
    ],
  },
  {
    what: 'one name, kilometres apart in one city',
    kind: 'venue',
    records: 2,
    said: [
      { name: 'Garage', ...berlin, ...at(52.5011, 13.4022) },
      { name: 'Garage', ...berlin, ...at(52.5611, 13.2022) },
    ],
  },
  {
    what: 'a suburb for the city',
    kind: 'venue',
    records: 1,
    said: [
      { name: 'Anderswo', city: 'Brooklyn', country: 'US', ...at(40.70961, -73.92341) },
      { name: 'Anderswo', city: 'New York', country: 'US', ...at(40.70955, -73.92335) },
    ],
  },
];

for (const { what, kind, records, said } of cases) {
  test(`${kind}: ${what}: ${records === 1 ? 'one record' : `${records} records`}`, async (t) => {
    const lines = said.map((members, i) => ({
      source: `s${i}`,
      line: { kind, external_id: 'x', ...members },
    }));
    for (const order of permutations(lines)) {
      const sqlite = freshFile(t);
      for (const { source, line } of order) await says(sqlite, source, [line]);
      const list = ask(sqlite, lists[kind]);
      assert.equal(list.length, records, JSON.stringify(list.map(({ name }: { name: string }) => name)));
      const revision = (await says(sqlite, 's0', [lines[0]?.line as Line])).revision;
      for (const { source, line } of order)
        assert.equal((await says(sqlite, source, [line])).revision, revision);
      assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
    }
  });
}

const lineup = (sqlite: Database.Database, slug: string): string[] =>
  ask(sqlite, 'getEvent', { slug }).lineup.map((one: { slug: string }) => one.slug);

test('what is known by name alone joins the one record of that name, with all that names it', async (t) => {
  const sqlite = freshFile(t);
  const show = {
    kind: 'event',
    external_id: '1',
    name: 'Tiefdruck',
    start_at: '2026-12-04T23:00',
    ...berlin,
  };
  await says(sqlite, 'a', [
    { ...show, venue: { name: 'Club Kornspeicher' }, lineup: [{ name: 'DJ Vera Lindt' }] },
  ]);
  await says(sqlite, 'b', [
    { kind: 'artist', external_id: '9', name: 'Vera Lindt', country: 'DE' },
    { kind: 'venue', external_id: '8', name: 'Kornspeicher', ...berlin, capacity: 400 },
  ]);
  assert.equal(ask(sqlite, 'listArtists').length, 1);
  assert.equal(ask(sqlite, 'listVenues').length, 1);
  const [artist] = ask(sqlite, 'listArtists');
  assert.equal(artist.name, 'Vera Lindt');
  assert.deepEqual(lineup(sqlite, 'tiefdruck-2026-12-04'), [artist.slug]);
  assert.equal(ask(sqlite, 'listEvents')[0].venue.name, 'Kornspeicher');
});

test('artists of one name with two ids at one source are two; each show keeps its own', async (t) => {
  const sqlite = freshFile(t);
  const show = (id: string, day: string) => ({
    kind: 'event',
    external_id: `e${id}`,
    name: `Night ${id}`,
    start_at: `2026-12-${day}`,
    ...berlin,
    lineup: [{ external_id: id, name: 'Nova' }],
  });
  await says(sqlite, 'a', [
    { kind: 'artist', external_id: '1', name: 'Nova' },
    { kind: 'artist', external_id: '2', name: 'Nova' },
    show('1', '01'),
    show('2', '02'),
  ]);
  assert.equal(ask(sqlite, 'listArtists').length, 2);
  const slugs = ask(sqlite, 'listEvents').map(
    (event: { lineup: { slug: string }[] }) => event.lineup[0]?.slug,
  );
  assert.deepEqual([...slugs].sort(), ['nova', 'nova-2']);
});

test('two festivals that turn out to be one bring their editions together', async (t) => {
  const sqlite = freshFile(t);
  const edition = (more: object) => ({ kind: 'edition', external_id: 'f26', edition: '2026', ...more });
  await says(sqlite, 'a', [
    { kind: 'festival', external_id: 'f', name: 'Deichklang', ...berlin },
    edition({ festival: { external_id: 'f', name: 'Deichklang' }, start_at: '2026-06-05' }),
  ]);
  const other = { kind: 'festival', external_id: 'g', name: 'Klang am Deich', ...berlin };
  const theirs = edition({
    external_id: 'g26',
    festival: { external_id: 'g', name: 'Klang am Deich' },
    end_at: '2026-06-07',
    lineup: [{ name: 'Vera Lindt' }],
  });
  await says(sqlite, 'b', [other, theirs]);
  assert.equal(ask(sqlite, 'listFestivals').length, 2);
  await says(sqlite, 'b', [{ ...other, aliases: ['Deichklang'] }, theirs]);
  assert.equal(ask(sqlite, 'listFestivals').length, 1);
  for (const slug of ['deichklang', 'klang-am-deich']) {
    const editions = ask(sqlite, 'listFestivalEditions', { slug });
    assert.equal(editions.length, 1);
    assert.deepEqual(
      [editions[0].start_at?.slice(0, 10), editions[0].end_at?.slice(0, 10)],
      ['2026-06-05', '2026-06-07'],
    );
  }
  assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
});
