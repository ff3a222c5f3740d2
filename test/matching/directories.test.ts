/** Artists, houses, labels and festivals as directories write them, in whatever order these come (docs/spec/imports.md#promises, promise 3). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase } from '../../src/store/database.ts';
import { parseArtistName } from '../../src/text/artist-name.ts';
import { freshFile, permutations, says } from '../support/matching.ts';

type Said = { source?: string } & Record<string, unknown> & { name: string };
type Case = {
  what: string;
  kind: string;
  /** Cities on record, with their other names. */
  cities?: object[];
  said: Said[];
  /** Which of them are one record: a letter for each, equal letters for one. */
  are: string;
};

const glasgow = { city: 'Glasgow', country: 'GB' };
const copenhagen = { city: 'Copenhagen', country: 'DK' };

const cases: Case[] = [
  // -------------------------------------------------------------------------------------------------- artists
  {
    what: 'a mark of the performance',
    kind: 'artist',
    said: [{ name: 'Speedy J' }, { name: 'Speedy J (live)' }],
    are: 'aa',
  },
  {
    what: 'two marks, one of a country',
    kind: 'artist',
    said: [{ name: 'KiNK', country: 'BG' }, { name: 'KINK (BG) live' }],
    are: 'aa',
  },
  {
    what: 'a mark that is no country',
    kind: 'artist',
    said: [{ name: 'Peggy Gou', country: 'KR' }, { name: 'Peggy Gou (DJ)' }],
    are: 'aa',
  },
  {
    what: 'countries in brackets',
    kind: 'artist',
    said: [{ name: 'Justice (UK)' }, { name: 'Justice', country: 'FR' }, { name: 'Justice', country: 'GB' }],
    are: 'aba',
  },
  {
    what: 'the number of a namesake',
    kind: 'artist',
    said: [
      { name: 'Shed (5)', country: 'DE' },
      { name: 'Shed', country: 'DE' },
    ],
    are: 'aa',
  },
  {
    what: 'two things in brackets',
    kind: 'artist',
    said: [{ name: 'Avalanche (producer)' }, { name: 'Avalanche (band)' }],
    are: 'ab',
  },
  {
    what: 'initials in brackets',
    kind: 'artist',
    said: [{ name: 'MAW (Masters at Work)' }, { name: 'Masters At Work' }],
    are: 'aa',
  },
  {
    what: 'a label in brackets is no name',
    kind: 'artist',
    said: [{ name: 'Vera Lindt (Nordwerk)' }, { name: 'Nordwerk' }],
    are: 'ab',
  },
  {
    what: 'two scripts in one name',
    kind: 'artist',
    said: [{ name: '페기 구 (Peggy Gou)' }, { name: 'Peggy Gou' }],
    are: 'aa',
  },
  {
    what: 'two scripts, by sound',
    kind: 'artist',
    said: [
      { name: 'Кедр Ливанский', country: 'RU' },
      { name: 'Kedr Livanskiy', country: 'RU' },
    ],
    are: 'aa',
  },
  {
    what: 'umlauts written out, in capitals',
    kind: 'artist',
    said: [{ name: 'Sven Väth' }, { name: 'SVEN VAETH' }],
    are: 'aa',
  },
  {
    what: 'spaces and apostrophes',
    kind: 'artist',
    said: [{ name: '2manydjs' }, { name: "2 Many DJ's" }],
    are: 'aa',
  },
  {
    what: 'two in another order',
    kind: 'artist',
    said: [{ name: 'Ann Lee & Bob Ray' }, { name: 'Bob Ray and Ann Lee' }],
    are: 'aa',
  },
  {
    what: 'a short word with "DJ" and without',
    kind: 'artist',
    said: [
      { name: 'DJ Rush', country: 'US' },
      { name: 'Rush', genres: ['Rock'] },
    ],
    are: 'ab',
  },
  {
    what: 'a spelling that a third knows',
    kind: 'artist',
    said: [
      { name: 'Moodymann', country: 'US' },
      { name: 'Moodyman' },
      { name: 'Moodymann', aliases: ['Moodyman'] },
    ],
    are: 'aaa',
  },
  {
    what: 'a long name in two countries, which a third has without one',
    kind: 'artist',
    said: [
      { name: 'Ricardo Villalobos', country: 'DE' },
      { name: 'Ricardo Villalobos', country: 'CL' },
      { name: 'Ricardo Villalobos' },
    ],
    are: 'aaa',
  },
  {
    what: 'an id that a source has by being the service',
    kind: 'artist',
    said: [
      { source: 'discogs', external_id: '1054', name: 'Sasha', real_name: 'Alexander Coe' },
      { source: 'mb', name: 'Sasha', country: 'GB', external_ids: { discogs: '1054' } },
      { source: 'mb2', name: 'Sasha', country: 'DE', external_ids: { discogs: '131055' } },
    ],
    are: 'aab',
  },
  {
    what: 'an id in the address of a page',
    kind: 'artist',
    said: [
      { name: 'Shed', links: [{ type: 'discogs', url: 'https://www.discogs.com/artist/211341-Shed' }] },
      { name: 'Head High', external_ids: { discogs: '211341' } },
    ],
    are: 'aa',
  },
  {
    what: 'a real name that the other tells',
    kind: 'artist',
    said: [
      { name: 'Justice', real_name: 'Tony Bowes' },
      { name: 'Justice', country: 'GB', biography: 'Drum & bass producer Tony Bowes.' },
      { name: 'Justice', country: 'FR' },
    ],
    are: 'aab',
  },
  // ---------------------------------------------------------------------------------------------------- houses
  {
    what: 'a city in two languages',
    kind: 'venue',
    cities: [{ name: 'Nuremberg', country: 'DE', timezone: 'Europe/Berlin', aliases: ['Nürnberg'] }],
    said: [
      { name: 'Die Rakete', city: 'Nuremberg', country: 'DE', address: 'Vogelweiherstr. 64' },
      { name: 'Rakete Club', city: 'Nürnberg', country: 'DE' },
    ],
    are: 'aa',
  },
  {
    what: 'a suburb for the city, at one address',
    kind: 'venue',
    said: [
      {
        name: 'Robert Johnson',
        city: 'Frankfurt',
        country: 'DE',
        address: 'Nordring 131; 63067 Offenbach am Main',
      },
      { name: 'Robert-Johnson', city: 'Offenbach am Main', country: 'DE', address: 'Nordring 131' },
    ],
    are: 'aa',
  },
  {
    what: 'a city by its initials',
    kind: 'venue',
    said: [
      {
        name: 'Zouk Club Kuala Lumpur',
        city: 'Kuala Lumpur',
        country: 'MY',
        address: '436 Jalan Tun Razak; TREC',
      },
      { name: 'Zouk KL', city: 'Kuala Lumpur', country: 'MY', address: 'TREC, 436 Jalan Tun Razak' },
    ],
    are: 'aa',
  },
  {
    what: 'rooms that a source lists apart',
    kind: 'venue',
    said: [
      { source: 'gigs', external_id: '1', name: 'Store Vega', ...copenhagen },
      { source: 'gigs', external_id: '2', name: 'Lille Vega', ...copenhagen },
      { source: 'guide', name: 'Lille VEGA', ...copenhagen },
    ],
    are: 'abb',
  },
  {
    what: 'a house and its room',
    kind: 'venue',
    said: [
      { name: 'SWG3', ...glasgow, address: '100 Eastvale Place' },
      { name: 'SWG3 Galvanizers', ...glasgow, address: '100 Eastvale Place' },
    ],
    are: 'aa',
  },
  {
    what: 'letters of a script that is spelt by sound',
    kind: 'venue',
    said: [
      { name: 'Bassiani Club', city: 'Tbilisi', country: 'GE', latitude: 41.7231, longitude: 44.7901 },
      { name: 'ბასიანი', city: 'თბილისი', country: 'GE', latitude: 41.7234, longitude: 44.79044 },
    ],
    are: 'aa',
  },
  // ---------------------------------------------------------------------------------------------------- labels
  {
    what: 'what labels are called, and nothing else known',
    kind: 'label',
    said: [{ name: 'Drumcode' }, { name: 'Drumcode Records', country: 'SE' }],
    are: 'aa',
  },
  {
    what: 'an imprint of its own',
    kind: 'label',
    said: [{ name: 'Drumcode' }, { name: 'Drumcode Limited' }, { name: 'Drumcode Ltd.' }],
    are: 'abb',
  },
  {
    what: 'one parent, or two',
    kind: 'label',
    said: [
      { name: 'Apollo', parent: { name: 'R & S Records' } },
      { name: 'Apollo Records', parent: { name: 'R&S' } },
      { name: 'Apollo', parent: { name: 'Universal' }, country: 'US', founded_year: 1928 },
    ],
    are: 'aab',
  },
  // ------------------------------------------------------------------------------------------------- festivals
  {
    what: 'year and city in the name',
    kind: 'festival',
    said: [
      { name: 'Sónar', city: 'Barcelona', country: 'ES' },
      { name: 'Sónar Barcelona 2026', city: 'Barcelona', country: 'ES' },
      { name: 'Sonar Festival', city: 'Barcelona', country: 'ES' },
    ],
    are: 'aaa',
  },
  {
    what: 'what springs from a festival',
    kind: 'festival',
    said: [
      { name: 'Dekmantel Festival', city: 'Amsterdam', country: 'NL', website: 'https://dekmantel.example' },
      { name: 'Dekmantel Selectors', city: 'Tisno', country: 'HR', website: 'https://dekmantel.example' },
      { name: 'Dekmantel Selectors 2026', city: 'Tisno', country: 'HR' },
    ],
    are: 'abb',
  },
  {
    what: 'a country in the name, in two languages',
    kind: 'festival',
    said: [
      { name: 'Time Warp Brasil', city: 'São Paulo', country: 'BR' },
      { name: 'Time Warp Brazil 2025', city: 'Sao Paulo', country: 'BR' },
      { name: 'Time Warp', city: 'Mannheim', country: 'DE' },
    ],
    are: 'aab',
  },
  {
    what: 'called like the village it is in',
    kind: 'festival',
    said: [
      { name: 'Houghton', city: "King's Lynn", country: 'GB' },
      { name: 'Houghton Festival', city: 'Houghton St. Giles', country: 'GB' },
    ],
    are: 'aa',
  },
  {
    what: 'a word more, and one website in one city; a word more for an occasion',
    kind: 'festival',
    said: [
      { name: 'S2O Songkran Music Festival', city: 'Bangkok', country: 'TH', website: 'https://s2o.example' },
      { name: 'S2O Festival', city: 'Bangkok', country: 'TH', website: 'http://s2o.example' },
      { name: 'S2O Winter', city: 'Bangkok', country: 'TH', website: 'http://s2o.example' },
    ],
    are: 'aab',
  },
  {
    what: 'another name in brackets',
    kind: 'festival',
    said: [
      { name: 'Ultra Korea', city: 'Seoul', country: 'KR' },
      { name: 'UMF Korea (Ultra Music Festival)', city: 'Seoul', country: 'KR' },
    ],
    are: 'aa',
  },
  {
    what: 'a byname in quotes',
    kind: 'artist',
    said: [{ name: 'Anthony "Shake" Shakir', country: 'US' }, { name: 'Anthony Shakir' }],
    are: 'aa',
  },
  {
    what: 'the point of a city in the place of a house',
    kind: 'venue',
    cities: [
      {
        name: 'Melbourne',
        country: 'AU',
        timezone: 'Australia/Melbourne',
        latitude: -37.814,
        longitude: 144.963,
      },
    ],
    said: [
      { name: 'Revolver Upstairs', city: 'Melbourne', country: 'AU', latitude: -37.814, longitude: 144.9633 },
      { name: 'Revolver Upstairs', city: 'Melbourne', country: 'AU', latitude: -37.853, longitude: 144.9929 },
    ],
    are: 'aa',
  },
  {
    what: 'a name in another order, in brackets',
    kind: 'venue',
    said: [
      { name: 'The Espy (Esplanade Hotel)', city: 'St. Kilda', country: 'AU', address: '11 The Esplanade' },
      { name: 'Hotel Esplanade', city: 'St Kilda', country: 'AU' },
    ],
    are: 'aa',
  },
  {
    what: 'its initials in front',
    kind: 'festival',
    said: [
      { name: 'Amsterdam Dance Event', city: 'Amsterdam', country: 'NL' },
      { name: 'ADE - Amsterdam Dance Event 2026', city: 'Amsterdam', country: 'NL' },
    ],
    are: 'aa',
  },
];

for (const { what, kind, cities = [], said, are } of cases) {
  test(`${kind}: ${what}`, async (t) => {
    const lines = said.map(({ source, ...members }, at) => ({
      source: source ?? `s${at}`,
      line: { kind, external_id: 'x', ...members },
    }));
    for (const order of permutations(lines)) {
      const sqlite = freshFile(t);
      await says(
        sqlite,
        'cities',
        cities.map((city, at) => ({ kind: 'city', external_id: String(at), ...city })),
      );
      // A source says all that it says in one run, as feeds do.
      const sources = [...new Set(order.map(({ source }) => source))];
      for (const source of sources)
        await says(
          sqlite,
          source,
          order.filter((one) => one.source === source).map(({ line }) => line),
        );
      const find = sqlite
        .prepare(
          `SELECT p.record_id FROM source_records p JOIN sources s ON s.id = p.source_id
           WHERE s.name = ? AND p.kind = ? AND p.external_id = ?`,
        )
        .pluck();
      const records = lines.map(({ source, line }) => find.get(source, kind, line.external_id));
      const found = records.map((record) => 'abcdef'[[...new Set(records)].indexOf(record)]).join('');
      assert.equal(found, are, order.map(({ source, line }) => `${source} ${line.name}`).join(', then '));
    }
  });
}

test('text behind a name is recognized', () => {
  const read = (name: string) => {
    const { names, country, qualifier: aside } = parseArtistName(name);
    return [names.join(' = '), country, aside];
  };
  assert.deepEqual(read('Floating Points (DJ Set)'), ['Floating Points', null, null]);
  assert.deepEqual(read('!!! (Chk Chk Chk)'), ['!!! = Chk Chk Chk', null, null]);
  assert.deepEqual(read('Answer Code Request (Ostgut Ton)'), ['Answer Code Request', null, 'ostgut ton']);
  assert.deepEqual(read('Rush (Canada)'), ['Rush', 'CA', null]);
  // Nothing is left of a name that is a mark itself.
  assert.deepEqual(read('Live'), ['Live', null, null]);
  assert.deepEqual(read('(live)'), ['(live)', null, null]);
});

test('a label and a festival that are only mentioned are those on record, whichever came first', async (t) => {
  const directory = [
    { kind: 'label', external_id: 'l', name: 'Nordwerk', country: 'DE' },
    { kind: 'festival', external_id: 'f', name: 'Deichklang', city: 'Berlin', country: 'DE' },
  ];
  const mentions = [
    { kind: 'label', external_id: 'm', name: 'Nordwerk Schwarz', parent: { name: 'Nordwerk Records' } },
    {
      kind: 'edition',
      external_id: 'e',
      festival: { name: 'Deichklang Festival 2026' },
      edition: '2026',
      start_at: '2026-06-05',
    },
  ];
  for (const order of permutations([['directory', directory] as const, ['mentions', mentions] as const])) {
    const sqlite = freshFile(t);
    for (const [source, lines] of order) await says(sqlite, source, lines);
    const count = (table: string) => sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    assert.deepEqual([count('labels'), count('festivals')], [2, 1], order.map(([source]) => source).join());
  }
});

test('records that an older version indexed under fewer keys are found after the first import', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'guide', [
    { kind: 'festival', external_id: '1', name: 'Sónar', city: 'Barcelona', country: 'ES' },
  ]);
  // The same catalogue as a version wrote it that had schema 3, which had no key of this festival.
  const path = `${sqlite.name}.v3`;
  const old = new Database(path);
  old.exec(readFileSync(new URL('../support/schema-v3.sql', import.meta.url), 'utf8'));
  old.prepare('ATTACH ? AS new').run(sqlite.name);
  old.pragma('foreign_keys = OFF');
  for (const table of ['settings', 'records', 'slugs', 'names', 'cities', 'festivals']) {
    const columns = old
      .prepare('SELECT name FROM pragma_table_info(?, ?)')
      .pluck()
      .all(table, 'main')
      .join(', ');
    old.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM new.${table}`);
  }
  old.exec(`
    INSERT INTO main.sources SELECT id, name, type, trust, clock, run_count, last_run_ts, created_ts FROM new.sources;
    INSERT INTO main.provider_records (source_id, kind, external_id, record_id, statement, stated_ts, run)
      SELECT source_id, kind, external_id, record_id, content, content_updated_ts, last_seen_run FROM new.source_records;
    INSERT INTO main.name_search (rowid, terms) SELECT id, terms FROM main.names WHERE terms <> '';
    PRAGMA main.application_id = ${0x63726174};
    PRAGMA main.user_version = 3`);
  old.close();
  sqlite.close();
  const migrated = openDatabase(path, { create: false });
  t.after(() => migrated.close());
  await says(migrated, 'gigs', [
    {
      kind: 'festival',
      external_id: '2',
      name: 'Festival Sonar Barcelona 2026',
      city: 'Barcelona',
      country: 'ES',
    },
  ]);
  assert.equal(migrated.prepare('SELECT count(*) FROM festivals').pluck().get(), 1);
});

test('overlong names are compared as they stand, and a source of them takes no longer', async (t) => {
  const sqlite = freshFile(t);
  const lines = Array.from({ length: 60 }, (_, at) => ({
    kind: 'venue',
    external_id: String(at),
    name: `${'ab - '.repeat(190)}${at}`,
    ...copenhagen,
  }));
  for (const source of ['one', 'other']) await says(sqlite, source, lines);
  assert.equal(sqlite.prepare('SELECT count(*) FROM venues').pluck().get(), 60);
});
