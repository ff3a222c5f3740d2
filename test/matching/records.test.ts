/** One artist, venue, label, festival is one record across sources (docs/spec/imports.md#promises, promise 3), in whatever order they come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import type { OperationId } from '../../src/contract/operations.ts';
import { ask, freshFile, type Line, permutations, says } from '../support/matching.ts';

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
    what: 'halls whose letters beside a number differ',
    kind: 'venue',
    records: 2,
    said: [
      { name: 'P0 Hall', ...berlin },
      { name: 'Q0 Hall', ...berlin },
    ],
  },
  {
    what: 'rooms whose letters behind a number differ',
    kind: 'venue',
    records: 2,
    said: [
      { name: 'Werkraum 1A', ...berlin },
      { name: 'Werkraum 1B', ...berlin },
    ],
  },
  {
    what: 'a code with a space in it, and a slip elsewhere',
    kind: 'venue',
    records: 1,
    said: [
      { name: 'K4 Kornspeicher', ...berlin },
      { name: 'K 4 Kornspeichr', ...berlin },
    ],
  },
  {
    what: 'names whose letters beside a number differ',
    kind: 'festival',
    records: 2,
    said: [
      { name: 'Ufer P0 Open Air', ...berlin },
      { name: 'Ufer Q0 Open Air', ...berlin },
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

test('a record known by name only joins the one record of that name, with its references', async (t) => {
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

const night = (id: string, ...names: (string | object)[]) => ({
  kind: 'event',
  external_id: `night-${id}`,
  name: `Night ${id}`,
  start_at: `2026-12-0${id}`,
  ...berlin,
  lineup: names.map((name) => (typeof name === 'string' ? { name } : name)),
});
const artist = (name: string) => ({ kind: 'artist', external_id: name, name });
const allien = 'Ellen Allien';
const dettmann = 'Marcel Dettmann';

/** Who plays the first night, and who is on record in all. */
const duos: { what: string; lines: Line[]; plays: string[]; artists: string[] }[] = [
  {
    what: 'two whom other line-ups name',
    lines: [night('1', `${allien} & ${dettmann}`), night('2', allien), night('3', dettmann)],
    plays: [allien, dettmann],
    artists: [allien, dettmann],
  },
  {
    what: 'two whom a source knows',
    lines: [night('1', `${allien} and ${dettmann} (live)`), artist(allien), artist(dettmann)],
    plays: [allien, dettmann],
    artists: [allien, dettmann],
  },
  {
    what: 'two in a title',
    lines: [
      { ...night('1'), name: `w/ ${allien} & ${dettmann}`, lineup: undefined },
      artist(allien),
      artist(dettmann),
    ],
    plays: [allien, dettmann],
    artists: [allien, dettmann],
  },
  {
    what: 'two whom the same line-up names',
    lines: [night('1', 'Ann Lee & Bob Ray', 'Bob Ray', 'Ann Lee')],
    plays: ['Ann Lee', 'Bob Ray'],
    artists: ['Ann Lee', 'Bob Ray'],
  },
  {
    what: 'two written otherwise elsewhere',
    lines: [night('1', 'DJ Koze & Âme'), night('2', 'Koze'), night('3', 'AME')],
    plays: ['Koze', 'AME'],
    artists: ['AME', 'Koze'],
  },
  {
    what: 'three',
    lines: [night('1', 'Ann & Bob & Cid'), night('2', 'Cid', 'Bob', 'Ann')],
    plays: ['Ann', 'Bob', 'Cid'],
    artists: ['Ann', 'Bob', 'Cid'],
  },
  {
    what: 'back to back with two',
    lines: [night('1', 'Ann Lee b2b Bob Ray & Cid'), night('2', 'Bob Ray'), night('3', 'Cid')],
    plays: ['Ann Lee', 'Bob Ray', 'Cid'],
    artists: ['Ann Lee', 'Bob Ray', 'Cid'],
  },
  ...['Ann Lee x Bob Ray', 'Ann Lee + Bob Ray'].map((written) => ({
    what: written,
    lines: [night('1', written)],
    plays: ['Ann Lee', 'Bob Ray'],
    artists: ['Ann Lee', 'Bob Ray'],
  })),
  {
    what: 'a duo that a source knows',
    lines: [night('1', 'Above & Beyond'), night('2', 'Above', 'Beyond'), artist('Above & Beyond')],
    plays: ['Above & Beyond'],
    artists: ['Above', 'Above & Beyond', 'Beyond'],
  },
  {
    what: 'a duo that a source has an id for',
    lines: [
      night('1', 'Above and Beyond'),
      night('2', 'Above', 'Beyond'),
      night('3', { external_id: '7', name: 'Above & Beyond' }),
    ],
    plays: ['Above & Beyond'],
    artists: ['Above', 'Above & Beyond', 'Beyond'],
  },
  {
    what: 'a duo of whom one is known',
    lines: [night('1', 'Simon & Garfunkel'), night('2', 'Simon')],
    plays: ['Simon & Garfunkel'],
    artists: ['Simon', 'Simon & Garfunkel'],
  },
];

for (const { what, lines, plays, artists } of duos) {
  test(`"A & B": ${what}`, async (t) => {
    for (const order of permutations(lines)) {
      for (const isOneSource of order[0] === lines[0] ? [true, false] : [false]) {
        const sqlite = freshFile(t);
        const all = isOneSource
          ? [{ source: 's', said: order }]
          : order.map((line) => ({ source: `s${lines.indexOf(line)}`, said: [line] }));
        for (const { source, said } of all) await says(sqlite, source, said);
        const first = ask(sqlite, 'listEvents').find(
          ({ start_at }: { start_at: string }) => start_at.slice(0, 10) === '2026-12-01',
        );
        const key = (name: string) => name.replace(' and ', ' & ');
        const names = first.lineup.map(({ name }: { name: string }) => key(name));
        assert.deepEqual(names, plays);
        const known = ask(sqlite, 'listArtists').map(({ name }: { name: string }) => key(name));
        assert.deepEqual(known, artists, 'nobody is made up of two');
        const { revision } = await says(sqlite, 's', []);
        for (const { source, said } of all)
          assert.equal((await says(sqlite, source, said)).revision, revision, 'nothing changes needlessly');
        assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
        sqlite.close();
      }
    }
  });
}

/** What line-ups and artists say of one another, and what artists there are then, in whatever order it is said. */
const mentions: { what: string; lines: Line[]; artists: string[] }[] = [
  {
    what: 'a name that is an alias of one artist',
    lines: [night('1', 'Koze'), { ...artist('Stefan Kozalla'), aliases: ['Koze'] }],
    artists: ['Stefan Kozalla'],
  },
  {
    what: 'an alias that is an artist of its own',
    lines: [night('1', 'AFX'), { ...artist('Aphex Twin'), aliases: ['AFX'] }, artist('AFX')],
    artists: ['AFX', 'Aphex Twin'],
  },
  {
    what: 'an alias that several have',
    lines: [
      night('1', 'Nova'),
      { ...artist('Nova Blum'), aliases: ['Nova'] },
      { ...artist('Tom Nova'), aliases: ['Nova'] },
    ],
    artists: ['Nova', 'Nova Blum', 'Tom Nova'],
  },
  {
    what: 'a name of two letters',
    lines: [night('1', 'I-F'), { ...artist('I-F'), country: 'NL' }],
    artists: ['I-F'],
  },
  {
    what: 'signs between the words',
    lines: [night('1', 'Omar S'), { ...artist('Omar-S'), country: 'US' }],
    artists: ['Omar-S'],
  },
  {
    what: 'a spelling that one source lists and another uses',
    lines: [{ ...artist('Cari Lekebusch'), aliases: ['C. Lekebusch'] }, artist('C. Lekebusch')],
    artists: ['C. Lekebusch or Cari Lekebusch'],
  },
  {
    what: 'another name altogether, which two sources use',
    lines: [{ ...artist('Oliver Ho'), aliases: ['Raudive'] }, artist('Raudive')],
    artists: ['Oliver Ho', 'Raudive'],
  },
];

for (const { what, lines, artists } of mentions) {
  test(`artists and mentions: ${what}`, async (t) => {
    for (const order of permutations(lines)) {
      const sqlite = freshFile(t);
      for (const line of order) await says(sqlite, `s${lines.indexOf(line)}`, [line]);
      const known: string[] = ask(sqlite, 'listArtists').map(({ name }: { name: string }) => name);
      assert.equal(known.length, artists.length, JSON.stringify([order.map(({ kind }) => kind), known]));
      assert.ok(
        known.every((name) => artists.some((one) => one.split(' or ').includes(name))),
        known.join(),
      );
      const { revision } = await says(sqlite, 's', []);
      for (const line of order)
        assert.equal((await says(sqlite, `s${lines.indexOf(line)}`, [line])).revision, revision);
      assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
    }
  });
}
