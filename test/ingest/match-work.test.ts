/** The work of matching is counted, because times depend on the machine: hostile records must not multiply it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { EventScoreCache } from '../../src/ingest/resolution/score-cache.ts';
import { compareEvents } from '../../src/matching/events/compare-events.ts';
import type { EventFacts } from '../../src/matching/model.ts';
import { pageKeysOf } from '../../src/matching/page-links.ts';
import { MatchStore } from '../../src/store/resolution/match-store.ts';
import { RecordLookup } from '../../src/store/resolution/record-lookup.ts';
import { TraceStore } from '../../src/store/resolution/trace-store.ts';
import { freshFile, says } from '../support/matching.ts';

/** Runs work and returns how often each statement ran that it prepared on the connection. */
async function countStatements(
  sqlite: Database.Database,
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const { prepare } = sqlite;
  const counted = (text: string) => {
    const statement = prepare.call(sqlite, text);
    for (const method of ['all', 'get', 'run'] as const) {
      const own = statement[method].bind(statement) as (...values: unknown[]) => unknown;
      Object.assign(statement, {
        [method]: (...values: unknown[]) => {
          counts.set(text, (counts.get(text) ?? 0) + 1);
          return own(...values);
        },
      });
    }
    return statement;
  };
  Object.assign(sqlite, { prepare: counted });
  try {
    await work();
  } finally {
    Object.assign(sqlite, { prepare });
  }
  return counts;
}

/** How often artists were looked up by name, one by one or many together. */
const lookupsOf = (counts: ReadonlyMap<string, number>, how: 'single' | 'together'): number => {
  const condition = /n\.kind = 'artist' AND n\.folded = (\?|j\.value)/;
  const placeholder = how === 'single' ? '?' : 'j.value';
  return [...counts].reduce(
    (sum, [text, count]) => (condition.exec(text)?.[1] === placeholder ? sum + count : sum),
    0,
  );
};

const venue = { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };
const nights = (count: number, more: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'event',
    external_id: `e${index}`,
    name: `Tiefdruck ${index}`,
    start_at: '2027-12-01T23:00',
    venue,
    ...more(index),
  }));

test('possible matches are removed through an index on each side', (t) => {
  const sqlite = freshFile(t);
  const plans: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite);
  Object.assign(sqlite, {
    prepare: (text: string) => {
      if (text.startsWith('DELETE FROM possible_matches')) {
        const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
        for (const { detail } of plan.all(1, 1, 1)) plans.push(detail);
      }
      return prepare(text);
    },
  });
  new MatchStore(sqlite);
  new TraceStore(sqlite).deletePossible('event', 'club', '1');
  assert.equal(plans.length, 4);
  for (const plan of plans) assert.match(plan, /\(kind=\? AND [ab]_source=\? AND [ab]_external_id=\?\)/);
});

test('a new artist does not clear the look-ups of other names', async (t) => {
  const sqlite = freshFile(t);
  const lineup = Array.from({ length: 400 }, (_, index) => ({ name: `Vera Lindt ${index}` }));
  const counts = await countStatements(sqlite, () =>
    says(
      sqlite,
      'club',
      nights(1, () => ({ lineup })),
    ),
  );
  assert.ok(lookupsOf(counts, 'together') > 0);
  assert.ok(lookupsOf(counts, 'single') <= 20, `${lookupsOf(counts, 'single')} look-ups of 400 names`);
});

test('the acts of a long line-up are looked up in a few statements', async (t) => {
  const sqlite = freshFile(t);
  const lineup = Array.from({ length: 400 }, (_, index) => ({ name: `Vera Lindt ${index}` }));
  const lines = nights(1, () => ({ lineup }));
  await says(sqlite, 'club', lines);
  const counts = await countStatements(sqlite, () => says(sqlite, 'tickets', lines));
  assert.ok(lookupsOf(counts, 'together') > 0);
  assert.ok(lookupsOf(counts, 'single') <= 20, `${lookupsOf(counts, 'single')} look-ups of 400 names`);
});

test('the acts of long line-ups nearby are looked up in a few statements', async (t) => {
  const sqlite = freshFile(t);
  const lineupOf = (night: number) =>
    Array.from({ length: 300 }, (_, index) => ({ name: `Vera Lindt ${night} ${index}` }));
  await says(
    sqlite,
    'club',
    nights(4, (index) => ({ lineup: lineupOf(index) })),
  );
  const counts = await countStatements(sqlite, () =>
    says(
      sqlite,
      'tickets',
      nights(1, () => ({ lineup: lineupOf(0) })),
    ),
  );
  assert.ok(lookupsOf(counts, 'single') <= 40, `${lookupsOf(counts, 'single')} look-ups of 1,200 names`);
});

test('names that are looked up together find what single look-ups find', async (t) => {
  const sqlite = freshFile(t);
  const artist = (index: number, more: object) => ({ kind: 'artist', external_id: `a${index}`, ...more });
  await says(sqlite, 'club', [
    artist(0, { name: 'Vera Lindt', aliases: ['Omar-S', 'VL'] }),
    artist(1, { name: 'The Omar S' }),
    artist(2, { name: 'DJ Ørsted', aliases: ['VL'] }),
    ...Array.from({ length: 120 }, (_, index) => artist(10 + index, { name: 'Adam' })),
    ...Array.from({ length: 120 }, (_, index) =>
      artist(200 + index, { name: `Eve ${index}`, aliases: ['E'] }),
    ),
  ]);
  const folded = [
    'vera lindt',
    'omar-s',
    'vl',
    'the omar s',
    'adam',
    'e',
    'orsted',
    'dj orsted',
    'no one',
    '',
  ];
  const odd = ['\ud83c', 'a\0b', '"', "o'; --", '\u2028'];
  const [single, together] = [new RecordLookup(sqlite), new RecordLookup(sqlite)];
  together.prefetchByName('artist', [...folded, ...odd]);
  together.prefetchByNormalizedName('artist', [...folded, ...odd]);
  for (const name of [...folded, ...odd]) {
    assert.deepEqual(together.byName('artist', name), single.byName('artist', name), name);
    assert.deepEqual(
      together.byNormalizedName('artist', name),
      single.byNormalizedName('artist', name),
      name,
    );
  }
  assert.equal(together.byName('artist', 'adam').length, 100);
  assert.equal(together.byName('artist', 'vl').length, 2);
});

test('a new record with common aliases does not clear the look-ups of them', async (t) => {
  const sqlite = freshFile(t);
  const aliases = Array.from({ length: 40 }, (_, index) => `Other name ${index}`);
  const artists = Array.from({ length: 30 }, (_, index) => ({
    kind: 'artist',
    external_id: `a${index}`,
    name: `Vera Lindt ${index}`,
    aliases,
  }));
  const counts = await countStatements(sqlite, () => says(sqlite, 'club', artists));
  const lookups = lookupsOf(counts, 'single') + lookupsOf(counts, 'together');
  assert.ok(lookups <= 30 * 8, `${lookups} look-ups for 30 artists of 40 aliases each`);
});

test('a new city of a name that others have marks what is in them in one statement', async (t) => {
  const sqlite = freshFile(t);
  const cities = Array.from({ length: 30 }, (_, index) => ({
    kind: 'city',
    external_id: `c${index}`,
    name: 'Neustadt',
    country: 'DE',
    region: `Region ${index}`,
    latitude: 47 + index / 14,
    longitude: 6,
  }));
  const counts = await countStatements(sqlite, () => says(sqlite, 'club', cities));
  const marks = [...counts].reduce(
    (sum, [text, count]) => sum + (text.startsWith('INSERT OR IGNORE INTO stale_records') ? count : 0),
    0,
  );
  assert.ok(marks > 0 && marks <= 30 * 3, `${marks} statements marked records for 30 cities`);
});

test('the source records of one record are parsed once, however many are added to it', async (t) => {
  const sqlite = freshFile(t);
  const tickets = [{ seller: 'Seller', url: 'https://seller.example/event/1000' }];
  let parses = 0;
  const { parse } = JSON;
  t.after(() => {
    JSON.parse = parse;
  });
  JSON.parse = (text: string, ...more: []) => {
    if (text.includes('seller.example')) parses++;
    return parse(text, ...more);
  };
  await says(
    sqlite,
    'club',
    nights(40, () => ({ name: 'Tiefdruck', tickets })),
  );
  assert.ok(parses <= 40 * 8, `${parses} source records of one event of 40 were parsed`);
});

test('cached look-ups of names find what is stored while records are written', async (t) => {
  const sqlite = freshFile(t);
  const stored = new RecordLookup(sqlite);
  const { recordsNamed, isPrimaryArtist } = RecordLookup.prototype;
  t.after(() => Object.assign(RecordLookup.prototype, { recordsNamed, isPrimaryArtist }));
  let checked = 0;
  Object.assign(RecordLookup.prototype, {
    recordsNamed(this: RecordLookup, ...[kind, folded]: Parameters<typeof recordsNamed>) {
      const found = recordsNamed.call(this, kind, folded);
      if (this === stored) return found;
      checked++;
      stored.onNamesChanged(null);
      assert.deepEqual(found, recordsNamed.call(stored, kind, folded), `${kind} ${folded}`);
      return found;
    },
    isPrimaryArtist(this: RecordLookup, folded: string) {
      const found = isPrimaryArtist.call(this, folded);
      stored.onNamesChanged(null);
      assert.equal(found, isPrimaryArtist.call(stored, folded), folded);
      return found;
    },
  });
  const named = (kind: string, index: number, round: number) => ({
    kind,
    external_id: `${kind}${index}`,
    // Some are named as others are called, some have one name twice, and some get other names in the second round.
    name: index % 9 === 0 ? `Other ${(index / 9) % 7}` : `Vera ${(index * (1 + (index % 2) * round)) % 50}`,
    aliases: [...Array.from({ length: 20 }, (_, at) => `Other ${(index + at) % 30}`), 'Adam', 'ADAM'],
    ...(kind === 'venue' ? { city: 'Hamburg', country: 'DE' } : {}),
  });
  for (const round of [0, 1])
    for (const source of ['club', 'tickets'])
      await says(
        sqlite,
        source,
        ['artist', 'venue', 'festival', 'label'].flatMap((kind) =>
          Array.from({ length: kind === 'artist' ? 60 : 12 }, (_, index) => named(kind, index, round)),
        ),
      );
  assert.ok(checked > 1_000, `${checked} look-ups`);
});

test('the pages of a listing are read once, however many listings share them', () => {
  let reads = 0;
  const statement = {
    url: null,
    get tickets() {
      reads++;
      return [{ seller: 'Seller', url: 'https://seller.example/event/1000' }];
    },
  };
  for (let times = 0; times < 60; times++) assert.equal(pageKeysOf(statement).size, 1);
  assert.equal(reads, 1);
});

test('the facts of stored source records are built once in a run', async (t) => {
  const sqlite = freshFile(t);
  const { EventFactsBuilder } = await import('../../src/ingest/resolution/event-facts.ts');
  const { factsOf } = EventFactsBuilder.prototype;
  let built = 0;
  EventFactsBuilder.prototype.factsOf = function counted(...values) {
    built++;
    return factsOf.apply(this, values);
  };
  t.after(() => {
    EventFactsBuilder.prototype.factsOf = factsOf;
  });
  await says(
    sqlite,
    'club',
    nights(30, () => ({})),
  );
  built = 0;
  await says(
    sqlite,
    'city',
    nights(30, () => ({})),
  );
  // Each of the 30 new ones once before and once after it is stored, and each of the 30 stored ones.
  assert.ok(built <= 200, `facts built ${built} times for 60 source records`);
});

test('the source records of candidates are read once, as long as they stay the same', async (t) => {
  const sqlite = freshFile(t);
  await says(
    sqlite,
    'club',
    nights(60, () => ({})),
  );
  const counts = await countStatements(sqlite, () =>
    says(
      sqlite,
      'city',
      nights(60, (index) => ({ start_at: `2027-12-01T${String(index % 24).padStart(2, '0')}:00` })),
    ),
  );
  const isReading = /from "source_records" as "r" inner join "sources" .* where "r"\."record_id" = \?/;
  const reads = [...counts].reduce((sum, [text, count]) => sum + (isReading.test(text) ? count : 0), 0);
  // Each new one is compared with up to 60 others.
  assert.ok(reads > 0);
  assert.ok(reads <= 600, `source records of a record read ${reads} times for 60 lines`);
});

test('the source records of a matched event are read once', async (t) => {
  const sqlite = freshFile(t);
  const dated = nights(24, (index) => ({
    start_at: `${2026 + Math.trunc(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-15T23:00`,
    lineup: [{ name: `Act ${index} of ${index}` }],
  }));
  await says(sqlite, 'club', dated);
  const counts = await countStatements(sqlite, () => says(sqlite, 'city', dated));
  const isReading = /from "source_records" as "r" inner join "sources" .* where "r"\."record_id" = \?/;
  const reads = [...counts].reduce((sum, [text, count]) => sum + (isReading.test(text) ? count : 0), 0);
  const merged = sqlite.prepare(
    'SELECT count(*) FROM (SELECT record_id FROM source_records WHERE content IS NOT NULL GROUP BY record_id HAVING count(*) = 2)',
  );
  assert.equal(merged.pluck().get(), dated.length);
  assert.equal(reads, dated.length, 'to compare, and not to merge');
});

test('listings that many sources copy are compared once', async (t) => {
  const sqlite = freshFile(t);
  for (let index = 0; index < 40; index++)
    await says(sqlite, `source ${index}`, [
      { ...nights(1, () => ({}))[0], start_at: index % 2 ? '2027-12-01T20:00' : '2027-12-01T23:00' },
    ]);
  assert.equal(sqlite.prepare('SELECT count(*) FROM events').pluck().get(), 2);
  const facts = (source: string, startAt: string): EventFacts => ({
    source,
    externalId: source,
    name: 'Tiefdruck',
    startAt,
    venue,
  });
  const scores = new EventScoreCache(new MatchStore(sqlite), () => []);
  const [early, late] = [
    facts('source 1', '2027-12-01T20:00'),
    facts('source 2', '2027-12-01T23:00'),
  ] as const;
  const result = scores.compare(early, late);
  for (let index = 3; index < 20; index++)
    assert.equal(scores.compare(facts(`source ${index}`, '2027-12-01T23:00'), early), result);
});

test('a comparison that is kept is that of the two listings, whatever their sources are called', async (t) => {
  const scores = new EventScoreCache(new MatchStore(freshFile(t)), () => []);
  const names = ['Kornspeicher', 'kornspeicher.example', 'Tiefdruck', 'Aal', 'Zander', 'lindtbooking'];
  const titles = ['Tiefdruck', 'Tiefdruck at Kornspeicher', 'Vera Lindt in Lindtbooking', 'Kornspeicher'];
  const venues = [
    venue,
    { ...venue, name: 'Lagerhalle' },
    { ...venue, name: 'Tiefdruck', externalId: '7' },
    null,
  ];
  const lineups = [[{ name: 'Vera Lindt' }], []];
  const listings = names.flatMap((source, at) =>
    titles.flatMap((name, title) =>
      venues.map(
        (one, where): EventFacts => ({
          source,
          externalId: `${title}-${where}`,
          name,
          startAt: at % 2 ? '2027-12-01T23:00' : '2027-12-01T22:00',
          venue: one,
          lineup: lineups[(title + where) % 2],
        }),
      ),
    ),
  );
  for (const a of listings)
    for (const b of listings)
      assert.deepEqual(scores.compare(a, b), compareEvents(a, b), `${a.source} ${b.source}`);
});

test('artists who share aliases with many others are resolved without work for each alias of each of them', async (t) => {
  const sqlite = freshFile(t);
  const aliases = Array.from({ length: 30 }, (_, index) => `Vera Lindt ${index}`);
  const artists = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'artist',
      external_id: `a${from + index}`,
      name: `Kollektiv ${index % 3}`,
      aliases,
    }));
  await says(sqlite, 'one', artists(0, 110));
  const counts = await countStatements(sqlite, () => says(sqlite, 'other', artists(110, 20)));
  const runs = (pattern: RegExp) =>
    [...counts].reduce((sum, [text, count]) => sum + (pattern.test(text) ? count : 0), 0);
  const dependents = runs(/SELECT episode_id FROM episode_artists WHERE artist_id/);
  assert.ok(dependents > 0 && dependents <= 2 * 20, `${dependents} searches for records that show artists`);
  // Each alias once. Afterwards only names are looked up, since the oldest holders of an alias stay the same.
  const lookups = runs(/n\.kind = 'artist' AND n\.folded = \?/);
  assert.ok(lookups > 0 && lookups <= aliases.length + 10 * 20, `${lookups} look-ups of names`);
});

test('a new alias of a name that many mention is looked up once for all its holders', async (t) => {
  const sqlite = freshFile(t);
  const lineup = [{ name: 'Vera Lindt' }, { name: 'Olga Brandt' }];
  await says(
    sqlite,
    'club',
    nights(1, () => ({ lineup })),
  );
  const person = { kind: 'artist', external_id: 'a1', name: 'Ada Kern' };
  await says(sqlite, 'people', [{ ...person, aliases: ['Vera Lindt', 'Olga Brandt'] }]);
  const named = sqlite.prepare('SELECT name FROM artists ORDER BY name').pluck().all();
  assert.deepEqual(named, ['Ada Kern']);
});
