/** What operators decide is remembered and outlives every sync (docs/spec/imports.md#promises, promise 4), through the command line. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatDuplicates } from '../../src/cli/commands/duplicates.ts';
import type { FeedKind } from '../../src/contract/feed.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { folder, run } from '../support/cli-run.ts';
import { ask, freshFile, matchingNow, says as tells } from '../support/matching.ts';

type Shown = { id: string; slug: string; name: string; kind: string };
const place = { venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' } };
const event = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-04T23:00',
  ...place,
  ...more,
});
const acts = (...names: string[]) => ({ lineup: names.map((name) => ({ name })) });

/** A catalogue in a folder of its own, and the commands that ask it. */
function catalogue() {
  const at = folder();
  const data = join(at, 'c.db');
  const command = async (...args: string[]) => run([...args, '--data', data, '--json'], { cwd: at });
  const ok = async (...args: string[]) => {
    const { status, stdout, stderr } = await command(...args);
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const fails = async (pattern: RegExp, ...args: string[]) => {
    const { status, stderr } = await command(...args);
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, pattern);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  };
  const says = async (source: string, ...lines: object[]) => {
    const file = join(at, `${source}.ndjson`);
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return ok('import', file, '--source', source);
  };
  const sources = async (slug: string): Promise<string[]> =>
    (await ok('show', 'event', slug)).sources.map(
      (one: { name: string; external_id: string }) => `${one.name}:${one.external_id}`,
    );
  const text = async (...args: string[]) => (await run([...args, '--data', data], { cwd: at })).stdout;
  return { ok, fails, says, sources, text };
}

test('pairs in doubt are listed with reasons; merge makes one of them for good', async () => {
  const { ok, fails, says, sources } = catalogue();
  const a = event('1', 'Club Night', acts('Vera Lindt'));
  const b = event('2', 'Friday Party');
  await says('one', a);
  await says('two', b);
  const { data } = await ok('duplicates', '--kind', 'event');
  assert.equal(data.length, 1);
  assert.ok(
    data[0].score > 0.3 && data[0].score < 0.9 && data[0].reasons.length >= 2,
    JSON.stringify(data[0]),
  );
  assert.equal((await ok('duplicates', '--kind', 'venue')).data.length, 0);
  const [x, y]: [Shown, Shown] = [data[0].a.record, data[0].b.record];
  await fails(/There is no record "evt_zzzzzz"/, 'merge', x.id, 'evt_zzzzzz');
  await fails(/different kinds/, 'merge', x.id, 'venue/kornspeicher');
  await fails(/Both name the same record/, 'merge', x.id, `event/${x.slug}`);
  const { record } = await ok('merge', x.id, `https://any.example/events/${y.slug}`);
  assert.equal(record.id, x.id);
  assert.deepEqual((await sources(x.slug)).sort(), ['one:1', 'two:2']);
  assert.deepEqual(
    await ok('show', 'event', y.slug),
    await ok('show', 'event', x.slug),
    'the other slug goes on answering',
  );
  assert.equal((await ok('duplicates')).data.length, 0);
  // A former id is led on, and every later sync leaves it so.
  assert.equal((await ok('explain', y.id)).id, x.id);
  const { revision } = await says('two', b);
  assert.equal((await says('one', a)).revision, revision);
  await says('two', { ...b, name: 'Something else altogether', ...acts('Orrin') });
  assert.equal((await sources(x.slug)).length, 2);
  const explained = await ok('explain', x.slug);
  assert.equal(explained.links[0].decision, 'same');
  await fails(/Both name the same record/, 'never-merge', x.id, y.id);
  assert.equal((await ok('verify')).ok ?? true, true);
});

test('split parts what was one, never-merge keeps apart what is alike; both outlive every sync', async () => {
  const { ok, fails, says, sources, text } = catalogue();
  const a = event('1', 'Tiefdruck', acts('Vera Lindt', 'Orrin'));
  const b = event('2', 'Tiefdruck', acts('Orrin', 'Vera Lindt'));
  await says('one', a);
  const { kinds } = await says('two', b);
  assert.equal(kinds.event.matched, 1);
  const slug = 'tiefdruck-2027-12-04';
  const explained = await ok('explain', slug);
  assert.equal(explained.statements.length, 2);
  assert.equal(explained.links[0].outcome, 'same');
  assert.ok(explained.links[0].reasons.some(({ evidence }: { evidence: string }) => evidence === 'line-up'));
  await fails(/has no statement "x:y"; it has one:1, two:2/, 'split', slug, '--statement', 'x:y');
  const { record: kept, parts, undo: commands } = await ok('split', slug, '--statement', 'two:2');
  assert.equal(parts.length, 1);
  assert.deepEqual(commands, [[kept.id, parts[0].id, '--force']]);
  assert.deepEqual(await sources(slug), ['one:1']);
  assert.deepEqual(await sources(parts[0].slug), ['two:2']);
  await fails(/one source record only/, 'split', slug);
  await says('two', { ...b, name: 'Tiefdruck!' });
  await says('one', { ...a, name: 'TIEFDRUCK' });
  assert.deepEqual(await sources(slug), ['one:1']);
  assert.equal((await ok('explain', slug)).near[0].decision, 'different');
  await fails(/earlier decision says that these are separate records/, 'merge', slug, parts[0].slug);
  await ok('merge', slug, parts[0].slug, '--force');
  assert.equal((await sources(slug)).length, 2);
  const parted = await text('split', slug, '--statement', 'two:2');
  const [, undo = ''] = /^undo: cratebase (undo \d+)/m.exec(parted) ?? [];
  assert.equal((await sources(slug)).length, 1);
  await ok(...undo.split(' '));
  assert.equal((await sources(slug)).length, 2);

  await says('one', a, event('7', 'Nordlicht', acts('Juno Vale')));
  const { record, other } = await ok('never-merge', 'event/nordlicht-2027-12-04', slug);
  assert.equal(record.slug, 'nordlicht-2027-12-04');
  assert.deepEqual([other.kind, other.slug, other.id], ['event', slug, (await ok('explain', slug)).id]);
  const result = await text('never-merge', 'event/nordlicht-2027-12-04', slug, '--force');
  assert.match(result, /^kept separate +Nordlicht \(event\/nordlicht-2027-12-04, evt_\w+\)\n/);
  assert.match(result, new RegExp(`\\nfrom +${other.name} \\(event/${slug}, ${other.id}\\)\\nrevision`));
  await says('three', event('9', 'Nordlicht', acts('Juno Vale')));
  assert.deepEqual((await sources('nordlicht-2027-12-04')).sort(), ['one:7', 'three:9']);
});

test('artists, venues and cities are merged with all that names them; names of stubs are remembered', async () => {
  const { ok, says } = catalogue();
  const show = (id: string, day: string, name: string, venue: string) =>
    event(id, `Night ${id}`, {
      start_at: `2027-12-${day}T22:00`,
      ...acts(name),
      venue: { name: venue, city: 'Hamburg', country: 'DE' },
    });
  const lines = [
    show('1', '01', 'Vera Lindt', 'Kornspeicher'),
    show('2', '02', 'V. Lindt', 'Alter Hafenschuppen'),
  ];
  await says('one', ...lines);
  await ok('merge', 'artist/vera-lindt', 'artist/v-lindt');
  await ok('merge', 'venue/kornspeicher', 'venue/alter-hafenschuppen');
  for (const slug of ['vera-lindt', 'v-lindt']) {
    const artist = await ok('show', 'artist', slug);
    assert.deepEqual(
      [artist.name, artist.aliases, artist.upcoming_event_count],
      ['Vera Lindt', ['V. Lindt'], 2],
    );
  }
  const second = await ok('show', 'event', 'night-2-2027-12-02');
  assert.deepEqual([second.lineup[0].slug, second.venue.slug], ['vera-lindt', 'kornspeicher']);
  // The old names go on meaning the survivor, in shows that are still to come in as well.
  await says('one', ...lines, show('3', '03', 'V. Lindt', 'Alter Hafenschuppen'));
  const third = await ok('show', 'event', 'night-3-2027-12-03');
  assert.deepEqual([third.lineup[0].slug, third.venue.slug], ['vera-lindt', 'kornspeicher']);
  assert.equal((await ok('stats')).artists, 1);
  await says('two', {
    kind: 'city',
    external_id: 'h',
    name: 'Hamborg',
    country: 'DE',
    timezone: 'Europe/Berlin',
  });
  await ok('merge', 'city/hamburg', 'city/hamborg');
  assert.equal((await ok('show', 'event', 'night-1-2027-12-01')).timezone, 'Europe/Berlin');
  assert.equal((await ok('stats')).cities, 1);
});

const madrid = { city: 'Madrid', country: 'ES' };
const suburb = { city: 'Humanes de Madrid', country: 'ES' };
const day = (id: string, more: object) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: `2027-12-0${id}T22:00`,
  ...more,
});
const plays = (id: string, name: string, more: object = {}) =>
  day(id, { ...place, lineup: [{ name, ...more }] });
const edition = (festival: string, key: string) => ({
  kind: 'edition',
  external_id: key,
  festival: { name: festival },
  edition: key,
});

/** Two records that are one, as two sources have them; and what a third says of the second later on. */
type Two = {
  what: string;
  kind: 'venue' | 'artist' | 'festival' | 'label' | 'city';
  slugs: [string, string];
} & {
  a: object[];
  b: object[];
  later: object;
};
const fabrik = { kind: 'venue', slugs: ['fabrik', 'fabrik-madrid'] } as const;
const stated = { kind: 'venue', external_id: 'z', name: 'Fabrik Madrid', ...madrid, capacity: 900 };
const twos: Two[] = [
  {
    what: 'houses in two cities, known by name alone',
    ...fabrik,
    slugs: [...fabrik.slugs],
    a: [day('1', { venue: { name: 'Fabrik', ...suburb } })],
    b: [day('2', { venue: { name: 'Fabrik Madrid', ...madrid } })],
    later: stated,
  },
  {
    what: 'houses in two cities that their sources describe',
    ...fabrik,
    slugs: [...fabrik.slugs],
    a: [
      { kind: 'venue', external_id: 'v', name: 'Fabrik', ...suburb },
      day('1', { venue: { name: 'Fabrik', ...suburb } }),
    ],
    b: [
      { kind: 'venue', external_id: 'v', name: 'Fabrik Madrid', ...madrid },
      day('2', { venue: { name: 'Fabrik Madrid', ...madrid } }),
      day('3', { venue: { name: 'Club Fabrik Madrid', ...madrid } }),
    ],
    later: stated,
  },
  {
    what: 'houses with ids of their sources',
    ...fabrik,
    slugs: [...fabrik.slugs],
    a: [day('1', { venue: { external_id: '9', name: 'Fabrik', ...suburb } })],
    b: [day('2', { venue: { external_id: '7', name: 'Fabrik Madrid', ...madrid } })],
    later: stated,
  },
  {
    what: 'a house known by name alone and one that is described',
    ...fabrik,
    slugs: [...fabrik.slugs],
    a: [day('1', { venue: { name: 'Fabrik', ...suburb } })],
    b: [{ ...stated, external_id: 'v' }, day('2', { venue: { name: 'Fabrik Madrid', ...madrid } })],
    later: { ...stated, name: 'Fabrik', ...suburb },
  },
  {
    what: 'artists known by name alone',
    kind: 'artist',
    slugs: ['vera-lindt', 'v-lindt'],
    a: [plays('1', 'Vera Lindt')],
    b: [plays('2', 'V. Lindt')],
    later: { kind: 'artist', external_id: 'z', name: 'V. Lindt', country: 'DE' },
  },
  {
    what: 'an artist known by name alone and one that is described',
    kind: 'artist',
    slugs: ['vera-lindt', 'koze'],
    a: [plays('1', 'Vera Lindt', { external_id: 'x' })],
    b: [{ kind: 'artist', external_id: 'q', name: 'Koze', genres: ['House'] }, plays('2', 'DJ Koze')],
    later: { kind: 'artist', external_id: 'z', name: 'Vera Lindt', country: 'FR' },
  },
  {
    what: 'festivals',
    kind: 'festival',
    slugs: ['deichklang', 'klang-am-deich'],
    a: [edition('Deichklang', '2027')],
    b: [edition('Klang am Deich', '2028')],
    later: { kind: 'festival', external_id: 'z', name: 'Klang am Deich', country: 'DE' },
  },
  {
    what: 'labels',
    kind: 'label',
    slugs: ['nordwerk', 'suedwerk'],
    a: [{ kind: 'label', external_id: '1', name: 'Nordwerk', country: 'DE' }],
    b: [{ kind: 'label', external_id: '2', name: 'Unterton', parent: { name: 'Suedwerk' } }],
    later: { kind: 'label', external_id: 'z', name: 'Suedwerk', country: 'DE' },
  },
  {
    what: 'cities in two countries',
    kind: 'city',
    slugs: ['hamburg', 'hamborg'],
    a: [day('1', { venue: { name: 'Halle', city: 'Hamburg', country: 'DE' } })],
    b: [day('2', { venue: { name: 'Kaj', city: 'Hamborg', country: 'DK' } })],
    later: { kind: 'city', external_id: 'z', name: 'Hamborg', country: 'DK' },
  },
];

for (const { what, kind, slugs, a, b, later } of twos) {
  test(`merged and parted again: ${what}`, async (t) => {
    const list = (
      {
        venue: 'listVenues',
        artist: 'listArtists',
        festival: 'listFestivals',
        label: 'listLabels',
        city: 'listCities',
      } as const
    )[kind];
    for (const [stays, goes] of [slugs, slugs.toReversed()] as [string, string][]) {
      const sqlite = freshFile(t);
      const all = () =>
        JSON.stringify([ask(sqlite, list), ask(sqlite, 'listVenues'), ask(sqlite, 'listEvents')]);
      await tells(sqlite, 'a', a);
      await tells(sqlite, 'b', b);
      const before = all();
      const count = ask(sqlite, list).length;
      const merged = await new Corrections(sqlite, matchingNow).merge(`${kind}/${stays}`, `${kind}/${goes}`);
      assert.equal(ask(sqlite, list).length, count - 1, 'one of them, and no third');
      // Whatever is said again, and in whatever order, nothing changes.
      for (const [source, lines] of [
        ['b', b],
        ['a', a],
      ] as const)
        assert.equal((await tells(sqlite, source, lines)).revision, merged.revision);
      await tells(sqlite, 'z', [later]);
      assert.equal(ask(sqlite, list).length, count - 1, 'what a third source says of it joins them');
      assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);

      const other = freshFile(t);
      await tells(other, 'a', a);
      await tells(other, 'b', b);
      const corrections = new Corrections(other, matchingNow);
      const [record = '', , ...statements] = (await corrections.merge(`${kind}/${stays}`, `${kind}/${goes}`))
        .undo;
      const { revision } = await corrections.split(record, statements);
      const again = JSON.stringify([ask(other, list), ask(other, 'listVenues'), ask(other, 'listEvents')]);
      assert.equal(withoutIds(again), withoutIds(before), 'as it was, slugs included');
      for (const [source, lines] of [
        ['b', b],
        ['a', a],
      ] as const)
        assert.equal((await tells(other, source, lines)).revision, revision);
      await assert.rejects(
        new Corrections(other, matchingNow).merge(`${kind}/${stays}`, `${kind}/${goes}`),
        /earlier decision/,
      );
      assert.equal(other.pragma('foreign_key_check', { simple: true }), undefined);
    }
  });
}

/** A record that is made again has a new id: ids are never used twice. */
const withoutIds = (text: string): string => text.replace(/"id":"[^"]*"/g, '');

test('a merge states what became of each record; mistakes are reported with advice', async () => {
  const { ok, fails, says } = catalogue();
  await says('one', event('1', 'Tiefdruck', { venue: { name: 'Fabrik', ...suburb } }));
  await says(
    'two',
    { ...stated, external_id: 'v' },
    event('2', 'Nordlicht', { venue: { name: 'Fabrik Madrid', ...madrid } }),
  );
  const merged = await ok('merge', 'venue/fabrik', 'venue/fabrik-madrid');
  assert.deepEqual(
    [merged.record.slug, merged.record.name, merged.merged.slug, merged.moved, merged.name_from],
    [
      'fabrik',
      'Fabrik Madrid',
      'fabrik-madrid',
      { statements: 1, records: { event: 1 } },
      { source: 'two', external_id: 'v', because: 'only' },
    ],
  );
  assert.deepEqual(merged.undo, ['venue/fabrik', '--statement', 'two:v']);
  await fails(/same record, venue\/fabrik.*explain.*split/, 'merge', 'venue/fabrik', 'venue/fabrik-madrid');
  await fails(/different kinds\. Name two records of one kind/, 'merge', 'venue/fabrik', 'city/madrid');
  await fails(/no record "venue\/nowhere".*cratebase search/, 'merge', 'venue/fabrik', 'venue/nowhere');
  const explained = await ok('explain', 'fabrik');
  assert.deepEqual(explained.given_names, [{ name: 'Fabrik', slug: 'fabrik' }]);
  assert.equal(explained.links[0].decision, 'same');
});

test('explain shows each near miss once and no distant ones; its text fits 80 columns', async (t) => {
  const sqlite = freshFile(t);
  const night = (id: string, name: string, more: object = {}) => event(id, name, more);
  await tells(sqlite, 'one', [
    night('1', 'Tiefdruck', acts('Vera Lindt', 'Orrin')),
    night('2', 'Kinderdisko', { start_at: '2027-12-04T14:00' }),
  ]);
  await tells(sqlite, 'two', [night('1', 'Tiefdruck', acts('Orrin')), night('9', 'Friday Party')]);
  await tells(sqlite, 'three', [night('1', 'Tiefdruck w/ Vera Lindt')]);
  const explained = new Corrections(sqlite, matchingNow).explain('event/tiefdruck-2027-12-04');
  assert.equal(explained.statements.length, 3);
  assert.deepEqual(
    explained.links.map(({ score }) => score),
    explained.links.map(({ score }) => score).toSorted((x, y) => y - x),
  );
  assert.equal(new Set(explained.near.map(({ record }) => record.id)).size, explained.near.length);
  assert.ok(
    explained.near.every(({ score, decision }) => decision !== null || score > 0.1),
    JSON.stringify(explained.near),
  );
  const { status, stdout } = await run(['explain', 'event/tiefdruck-2027-12-04', '--data', sqlite.name]);
  assert.equal(status, 0);
  assert.ok(
    stdout.split('\n').every((line) => line.length <= 80),
    stdout,
  );
  assert.match(stdout, /3 source records\n {2}one:1 {2}Tiefdruck\n/);
});

const names = (sqlite: Parameters<typeof ask>[0]): string[][] =>
  ask(sqlite, 'listEvents').map(({ lineup }: { lineup: Shown[] }) =>
    lineup.map(({ name }) => name).toSorted(),
  );

for (const [slugs, what] of [
  [['birthday-bash-2027-12-04', 'extravaganza-2027-12-04'], 'the newer one stays'],
  [['extravaganza-2027-12-04', 'birthday-bash-2027-12-04'], 'the older one stays'],
] as const) {
  test(`split gives each record of a merge its own again, and no ids change places: ${what}`, async (t) => {
    const sqlite = freshFile(t);
    await tells(sqlite, 'a', [event('1', 'Extravaganza', acts('Orrin'))]);
    await tells(sqlite, 'b', [event('2', 'Birthday Bash', { start_at: '2027-12-04T12:00' })]);
    const before = ask(sqlite, 'listEvents') as Shown[];
    const corrections = new Corrections(sqlite, matchingNow);
    const idOf = (slug: string) => before.find((one) => one.slug === slug)?.id as string;
    const [kept, goes] = slugs;
    await corrections.merge(`event/${kept}`, `event/${goes}`);
    await corrections.split(`event/${kept}`, []);
    const after = ask(sqlite, 'listEvents') as Shown[];
    const named = (all: Shown[]) => all.map(({ slug, name }) => `${slug} ${name}`).toSorted();
    assert.deepEqual(named(after), named(before));
    assert.equal(after.find(({ slug }) => slug === kept)?.id, idOf(kept));
    // What was merged has a new id, and its old one leads there.
    for (const slug of slugs) assert.equal(corrections.explain(idOf(slug)).slug, slug);
    // Whichever of its parts is named, the record keeps its own.
    const { undo } = await corrections.merge(`event/${kept}`, `event/${goes}`, { force: true });
    const own = undo[2] === 'a:1' ? 'b:2' : 'a:1';
    await corrections.split(`event/${kept}`, [own]);
    for (const slug of slugs) assert.equal(corrections.explain(idOf(slug)).slug, slug);
  });
}

const early = { start_at: '2027-12-04T18:00', ...acts('Ida Novak') };
const night = { start_at: '2027-12-04T23:00', ...acts('Orrin') };
/** A record of two statements, another that one of the two cannot be one with, and one that comes later. */
const manifold: { kind: FeedKind; slugs: [string, string]; list: OperationId; lines: object[][] }[] = [
  {
    kind: 'event',
    list: 'listEvents',
    slugs: ['early-show-2027-12-04', 'some-night-2027-12-04'],
    lines: [
      [event('1', 'Early Show', early)],
      [event('1', 'Early Show', early), event('2', 'Some Night', night)],
      [event('1', 'Early Show', early)],
    ],
  },
  ...(
    [
      ['artist', 'listArtists', { country: 'DE' }],
      ['label', 'listLabels', { country: 'DE' }],
      ['festival', 'listFestivals', { city: 'Hamburg', country: 'DE' }],
      ['venue', 'listVenues', { city: 'Hamburg', country: 'DE' }],
    ] as const
  ).map(([kind, list, more]) => {
    const one = { kind, external_id: '1', name: 'Nordwerk', ...more };
    const two = { kind, external_id: '2', name: 'Unterdeck', ...more };
    return {
      kind,
      list,
      slugs: ['nordwerk', 'unterdeck'] as [string, string],
      lines: [[one], [one, two], [one]],
    };
  }),
];

for (const { kind, list, slugs, lines } of manifold) {
  for (const [stays, goes] of [slugs, slugs.toReversed()] as [string, string][]) {
    test(`merged is all that is in both, and parted again each has its own: ${kind} ${stays}`, async (t) => {
      const sqlite = freshFile(t);
      const [ones = [], twos = [], later = []] = lines;
      const parts = (slug: string) =>
        new Corrections(sqlite, matchingNow)
          .explain(`${kind}/${slug}`)
          .statements.map(({ source, external_id }) => `${source}:${external_id}`)
          .toSorted();
      const state = (of = sqlite) => listed(of, list);
      await tells(sqlite, 'a', ones);
      await tells(sqlite, 'b', twos);
      assert.deepEqual(slugs.map(parts), [['a:1', 'b:1'], ['b:2']]);
      const before = state();
      const corrections = new Corrections(sqlite, matchingNow);
      const merged = await corrections.merge(`${kind}/${stays}`, `${kind}/${goes}`);
      assert.equal(merged.record.slug, stays);
      assert.deepEqual(parts(stays), ['a:1', 'b:1', 'b:2']);
      assert.deepEqual(
        ask(sqlite, list).map(({ slug }: Shown) => slug),
        [stays],
        'one record, and no third',
      );
      for (const [source, said] of [
        ['b', twos],
        ['a', ones],
      ] as const)
        assert.equal((await tells(sqlite, source, said)).revision, merged.revision);
      // Said otherwise, it stays; and so does what a third source says of it.
      await tells(sqlite, 'b', [...twos.slice(1), { ...twos[0], image_url: 'https://p.example/1' }]);
      await tells(sqlite, 'a', [{ ...ones[0], image_url: 'https://p.example/2' }]);
      await tells(sqlite, 'c', later);
      assert.deepEqual(parts(stays), ['a:1', 'b:1', 'b:2', 'c:1']);

      const other = freshFile(t);
      await tells(other, 'a', ones);
      await tells(other, 'b', twos);
      const again = new Corrections(other, matchingNow);
      const [record = '', , ...statements] = (await again.merge(`${kind}/${stays}`, `${kind}/${goes}`)).undo;
      const { revision } = await again.split(record, statements);
      assert.deepEqual(state(other), before, 'as it was, slugs included');
      assert.deepEqual(
        exported(other).filter((line) => /"change":"merged"/.test(line)),
        [],
        'no slug is left over',
      );
      await tells(other, 'a', ones);
      assert.equal((await tells(other, 'b', twos)).revision, revision);
    });
  }
}

/** What a list shows, without the ids. */
const listed = (sqlite: Parameters<typeof ask>[0], list: OperationId): string[] =>
  ask(sqlite, list)
    .map((one: Shown) => withoutIds(JSON.stringify(one)))
    .toSorted();

function exported(sqlite: Parameters<typeof ask>[0]): string[] {
  return [...exportLines(sqlite, { since: 0 })].flat();
}

test('a merge of merged records is taken back one by one, each with the slugs and ids that led to it', async (t) => {
  const sqlite = freshFile(t);
  const on = (id: string, name: string, day: string) =>
    event(id, name, { start_at: `2027-12-${day}T23:00`, ...acts(`Act ${id}`) });
  await tells(sqlite, 'a', [on('1', 'Tiefdruck', '04'), on('2', 'Nordlicht', '11')]);
  await tells(sqlite, 'b', [on('3', 'Extravaganza', '18'), on('4', 'Birthday Bash', '25')]);
  await tells(sqlite, 'b', [on('3', 'Nordlicht', '18'), on('4', 'Birthday Bash', '25')]);
  const corrections = new Corrections(sqlite, matchingNow);
  const answers = () =>
    (
      sqlite.prepare("SELECT slug FROM slugs WHERE kind = 'event' ORDER BY slug").pluck().all() as string[]
    ).map((slug) => `${slug} ${corrections.explain(`event/${slug}`).slug}`);
  const ids = (ask(sqlite, 'listEvents') as Shown[]).map(({ id }) => id);
  const lead = () => ids.map((id) => corrections.explain(id).slug);
  const done: { before: string[][]; undo: string[] }[] = [];
  for (const [stays, goes] of [
    ['tiefdruck-2027-12-04', 'nordlicht-2027-12-11'],
    ['extravaganza-2027-12-18', 'birthday-bash-2027-12-25'],
    ['tiefdruck-2027-12-04', 'extravaganza-2027-12-18'],
  ]) {
    const before = [answers(), lead()];
    const { undo } = await corrections.merge(`event/${stays}`, `event/${goes}`);
    done.push({ before, undo });
  }
  assert.equal(ask(sqlite, 'listEvents').length, 1);
  for (const { before, undo } of done.toReversed()) {
    const [record = '', , ...statements] = undo;
    await corrections.split(record, statements);
    assert.deepEqual([answers(), lead()], before, undo.join(' '));
  }
  await assert.rejects(
    corrections.split('event/tiefdruck-2027-12-04', ['nordlicht-2027-12-11']),
    /one source record only/,
  );
});

test('a record that its source renamed since the merge gets its slug back as well', async (t) => {
  const sqlite = freshFile(t);
  await tells(sqlite, 'a', [event('1', 'Extravaganza', acts('Orrin'))]);
  await tells(sqlite, 'b', [event('2', 'Birthday Bash')]);
  const corrections = new Corrections(sqlite, matchingNow);
  await corrections.merge('event/extravaganza-2027-12-04', 'event/birthday-bash-2027-12-04');
  await tells(sqlite, 'b', [event('2', 'Ten Years')]);
  const { record, parts } = await corrections.split('event/extravaganza-2027-12-04', []);
  assert.deepEqual(
    [record.name, parts[0]?.slug, parts[0]?.name],
    ['Extravaganza', 'birthday-bash-2027-12-04', 'Ten Years'],
  );
});

test('the id of an artist that was merged into one known by name alone leads to it again after a split', async (t) => {
  const sqlite = freshFile(t);
  await tells(sqlite, 'a', [{ kind: 'artist', external_id: 'c', name: 'Calibre', country: 'GB' }]);
  await tells(sqlite, 'b', [plays('1', 'Calibre & DRS')]);
  const corrections = new Corrections(sqlite, matchingNow);
  const before = corrections.explain('artist/calibre');
  const [record = '', , ...statements] = (await corrections.merge('artist/calibre-and-drs', 'artist/calibre'))
    .undo;
  assert.equal(corrections.explain(before.id).slug, 'calibre-and-drs');
  await corrections.split(record, statements);
  assert.deepEqual(
    [corrections.explain(before.id).slug, corrections.explain(before.id).name],
    ['calibre', 'Calibre'],
  );
});

test('a duo that another source bills as two is in the line-up once, whichever source came first', async (t) => {
  const duo = { name: 'Nils & Marta', external_id: '7' };
  const plain = [{ name: 'Nils' }, { name: 'Marta' }];
  const told = plain.map((one, at) => ({ ...one, external_id: `${at}` }));
  for (const [lists, shown] of [
    [
      [[{ name: 'Nils & Marta' }], plain],
      ['Marta', 'Nils'],
    ],
    [[[duo], plain], ['Nils & Marta']],
    [
      [[duo], told],
      ['Marta', 'Nils'],
    ],
    [
      [[duo, ...told], plain],
      ['Marta', 'Nils', 'Nils & Marta'],
    ],
    [
      [[duo], [{ name: 'Nils' }]],
      ['Nils', 'Nils & Marta'],
    ],
  ] as const) {
    const found = [];
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const sqlite = freshFile(t);
      for (const at of order)
        await tells(sqlite, `s${at}`, [event('1', 'Tiefdruck', { lineup: lists[at as 0 | 1] })]);
      assert.deepEqual(names(sqlite), [shown], JSON.stringify([lists, order]));
      found.push(
        ask(sqlite, 'listArtists')
          .map(({ slug }: Shown) => slug)
          .toSorted(),
      );
    }
    assert.deepEqual(found[0], found[1]);
  }
});

test('merge says what the two differ in, and what goes on answering', async () => {
  const { ok, says } = catalogue();
  const london = { name: 'Dock Shed', city: 'London', country: 'GB' };
  await says('one', event('1', 'Tiefdruck'), event('3', 'Nordlicht'));
  await says('two', event('2', 'Extravaganza', { start_at: '2027-12-09T23:00', venue: london }));
  assert.deepEqual((await ok('merge', 'tiefdruck-2027-12-04', 'nordlicht-2027-12-04')).contradicts, []);
  const { contradicts } = await ok('merge', 'tiefdruck-2027-12-04', 'extravaganza-2027-12-09');
  assert.deepEqual(contradicts, [
    { what: 'date', kept: '2027-12-04', merged: '2027-12-09' },
    { what: 'venue', kept: 'Kornspeicher', merged: 'Dock Shed' },
    { what: 'city', kept: 'Hamburg', merged: 'London' },
  ]);
  const at = catalogue();
  await at.says('one', event('1', 'Tiefdruck'));
  await at.says('two', event('2', 'Extravaganza', { start_at: '2027-12-09T23:00', venue: london }));
  const text = await at.text('merge', 'tiefdruck-2027-12-04', 'extravaganza-2027-12-09');
  assert.match(text, /differ: date 2027-12-04 and 2027-12-09; venue .*; city Hamburg and London\. /);
  const [, undo = ''] = /^undo +cratebase (undo \d+)/m.exec(text) ?? [];
  await at.ok(...undo.split(' '));
  assert.deepEqual(await at.sources('tiefdruck-2027-12-04'), ['one:1']);
  assert.match(text, /its slug and its id lead to the record above/);
});

test('on a narrow terminal the pairs in doubt keep both ids whole', () => {
  const side = (id: string) => ({
    source: 'a-seller-of-tickets',
    external_id: id,
    record: { id, kind: 'event' as const, slug: id, name: 'A night of a very long name that goes on' },
  });
  const pair = { kind: 'event' as const, score: 0.51, rule: 'weights', reasons: [] };
  const found = [{ ...pair, a: side('evt_00001a'), b: side('evt_00002b') }];
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 60 });
  try {
    const lines = formatDuplicates(found).split('\n');
    assert.equal(lines.at(-1), '  evt_00001a evt_00002b');
    assert.ok(
      lines.slice(2).every((line) => line.length <= 60),
      lines.join('\n'),
    );
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
  }
});

for (const described of [false, true]) {
  test(`undo of the first of two merges keeps the second: names alone${described ? ', and one described' : ''}`, async (t) => {
    const sqlite = freshFile(t);
    const night = [event('1', 'Tiefdruck', acts('Vera Lindt', 'Orrin', 'Mabel Quist'))];
    const artists = described ? [{ kind: 'artist', external_id: 'v', name: 'Vera Lindt' }] : [];
    await tells(sqlite, 'a', [...artists, ...night]);
    const slugs = () => (ask(sqlite, 'listArtists') as Shown[]).map(({ slug }) => slug).toSorted();
    const corrections = new Corrections(sqlite, matchingNow);
    const first = await corrections.merge('artist/vera-lindt', 'artist/orrin');
    await corrections.merge('artist/vera-lindt', 'artist/mabel-quist');
    assert.deepEqual(slugs(), ['vera-lindt']);
    const [record = '', , ...parts] = first.undo;
    await corrections.split(record, parts);
    assert.deepEqual(slugs(), ['orrin', 'vera-lindt']);
    const explained = corrections.explain('artist/vera-lindt');
    assert.deepEqual(
      explained.given_names.map(({ slug }) => slug),
      ['mabel-quist'],
    );
    const decided = sqlite
      .prepare(`SELECT verdict FROM match_decisions WHERE 'mabel-quist' IN (a_external_id, b_external_id)
        AND 'orrin' NOT IN (a_external_id, b_external_id)`)
      .pluck()
      .all();
    assert.deepEqual(decided, ['same']);
    await tells(sqlite, 'a', [...artists, ...night]);
    await tells(sqlite, 'b', [
      event('2', 'Nordlicht', { start_at: '2027-12-05T22:00', ...acts('Orrin', 'Mabel Quist') }),
    ]);
    assert.deepEqual(slugs(), ['orrin', 'vera-lindt']);
    assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
  });
}
