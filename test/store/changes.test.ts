/** The change log, and mirrors that follow it (`export --since`), on real files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import type Database from 'better-sqlite3';
import type { Kind } from '../../src/contract/fields.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { type ImportOptions, importFeed } from '../../src/ingest/import/import-feed.ts';
import { processStale } from '../../src/ingest/process-stale.ts';
import { WriteBatches } from '../../src/ingest/write-lock/write-batches.ts';
import { WriteSession } from '../../src/ingest/write-session.ts';
import { openDatabase } from '../../src/store/database.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { ChangeLog } from '../../src/store/records/change-log.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

// A transaction ends after a time, so a busy machine would split an import into several revisions.
mock.method(WriteBatches.prototype, 'isDue', () => false);
mock.getter(WriteBatches.prototype, 'mustEndBeforeCompare', () => false);

/** Fresh data files, gone when the test ends. */
function freshFile(t: { after(fn: () => void): void }): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-changes-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  t.after(() => {
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  return sqlite;
}

async function feed(
  sqlite: Database.Database,
  lines: readonly (object | string)[],
  options: Partial<ImportOptions> = {},
) {
  async function* input() {
    for (const line of lines)
      yield Buffer.from(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }
  const report = await importFeed(sqlite, { source: 's', type: 'feed', now, input: input(), ...options });
  assert.deepEqual(report.rejected, []);
  return report;
}

/** All lines of an export, and the revision they lead to. */
function exported(sqlite: Database.Database, since = 0): { lines: string[]; revision: number } {
  const lines: string[] = [];
  const batches = exportLines(sqlite, { since });
  for (let batch = batches.next(); ; batch = batches.next()) {
    if (batch.done) return { lines, revision: batch.value };
    lines.push(...batch.value);
  }
}
const sorted = (sqlite: Database.Database): string[] => exported(sqlite).lines.toSorted();

/** Makes two records one, as a match or an operator does. */
async function merge(sqlite: Database.Database, kind: Kind, from: number, into: number): Promise<void> {
  const bench = new WriteSession(sqlite, { now, onCreated: () => {} });
  const batches = new WriteBatches(sqlite, bench, { isAlone: true });
  batches.begin();
  bench.writer.beginSavepoint();
  bench.matcher.merger.merge(kind, from, into);
  bench.rebuild(kind, into);
  await batches.commit();
  await processStale(bench, batches);
}

const idOf = (sqlite: Database.Database, kind: Kind, slug: string): number =>
  sqlite.prepare('SELECT record_id FROM slugs WHERE kind = ? AND slug = ?').pluck().get(kind, slug) as number;
/** What `verify` finds wrong. */
const problems = (sqlite: Database.Database): string[] =>
  [...checkFile(sqlite)].flatMap((check) => check.problems);

const night = (id: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: `2026-12-0${id.length}T23:00`,
  venue: { external_id: 'v', name: 'Haus' },
  lineup: [
    { external_id: 'ame', name: 'Âme' },
    { name: 'Dixon', billing: 'headline' },
  ],
  genres: ['House'],
  url: `https://listing.example/${id}`,
  tickets: [{ seller: 'Tür', url: `https://t.example/${id}`, price_min: 10, currency: 'EUR' }],
  ...more,
});
const base = [
  { kind: 'genre', external_id: 'g', name: 'House', parent: 'Electronic' },
  { kind: 'city', external_id: 'b', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  { kind: 'venue', external_id: 'v', name: 'Haus', city: 'Berlin', country: 'DE', capacity: 300 },
  {
    kind: 'artist',
    external_id: 'ame',
    name: 'Âme',
    genres: ['House'],
    links: [{ type: 'web', url: 'https://ame.example' }],
  },
  { kind: 'artist', external_id: 'ame2', name: 'Âme (live)', country: 'DE' },
  { kind: 'artist', external_id: 'trikk', name: 'Trikk' },
  { kind: 'artist', external_id: 'trikk2', name: 'Trikk' },
  { kind: 'label', external_id: 'i', name: 'Innervisions', artists: [{ external_id: 'ame', name: 'Âme' }] },
  { kind: 'festival', external_id: 'f', name: 'Lost', city: 'Berlin', country: 'DE' },
  {
    kind: 'edition',
    external_id: 'f26',
    festival: { external_id: 'f', name: 'Lost' },
    edition: '2026',
    start_at: '2026-08-01',
  },
  { kind: 'podcast', external_id: 'p', name: 'Pod' },
  {
    kind: 'episode',
    external_id: 'e1',
    podcast: { external_id: 'p', name: 'Pod' },
    name: 'Pod 1',
    published_at: '2026-01-01',
    tracklist: [{ artist_name: 'Âme', title: 'Rej', label_name: 'Innervisions' }],
  },
];
const nights = [
  night('1'),
  night('22'),
  night('333', { festival: { festival: { external_id: 'f', name: 'Lost' }, edition: '2026' } }),
  night('4444', { lineup: [{ external_id: 'ame2', name: 'Âme (live)' }] }),
];

test('the log says what became of a record, and in which fields', async (t) => {
  const sqlite = freshFile(t);
  await feed(sqlite, [...base, ...nights]);
  const id = idOf(sqlite, 'event', 'night-1-2026-12-01');
  const changes = new ChangeLog(sqlite);
  const loggedChanges = () => changes.forRecord(id).map(({ what, fields }) => [what, ...fields]);
  assert.deepEqual(loggedChanges(), [['created']]);
  const renamed = night('1', { name: 'Renamed', lineup: [{ name: 'Dixon' }], minimum_age: 18 });
  await feed(sqlite, [...base, renamed]);
  assert.deepEqual(loggedChanges().slice(1), [['updated', 'lineup', 'minimum_age', 'name']]);
  await feed(sqlite, [
    ...base,
    renamed,
    ...nights.slice(1, 3),
    { kind: 'artist', external_id: 'x', name: 'X' },
  ]);
  assert.equal(loggedChanges().length, 2, 'the same again is no change');
  await feed(sqlite, [...base, ...nights.slice(1)], { complete: true });
  assert.deepEqual(
    loggedChanges()
      .slice(2)
      .map(([what]) => what)
      .toSorted(),
    ['cancelled', 'updated', 'withdrawn'],
  );
  const revision = exported(sqlite).revision;
  await feed(sqlite, [base[1] as object, { ...base[2], name: 'Haus am See' }, ...nights.slice(1)]);
  const after = [...changes.since(revision)].map(({ kind, what, fields }) => `${kind} ${what} ${fields}`);
  assert.ok(
    after.includes('venue updated aliases,name') || after.includes('venue updated name'),
    after.join('; '),
  );
  assert.ok(after.includes('event updated venue'), 'what is shown with it changed');
  assert.deepEqual([...changes.since(exported(sqlite).revision)], []);
});

test('a mirror that follows every export is the same catalogue', async (t) => {
  const [original, mirror] = [freshFile(t), freshFile(t)];
  let seen = 0;
  const follow = async (what: string) => {
    const { lines, revision } = exported(original, seen);
    await feed(mirror, lines, { source: 'mirror' });
    assert.deepEqual(sorted(mirror), sorted(original), what);
    const before = exported(mirror).revision;
    assert.equal((await feed(mirror, lines, { source: 'mirror' })).revision, before, `${what}: again`);
    assert.deepEqual([problems(original), problems(mirror)], [[], []], what);
    seen = revision;
    return lines.map((line) => JSON.parse(line));
  };
  await feed(original, [...base, ...nights]);
  await follow('the whole');

  await feed(original, [
    { ...base[3], name: 'Ame', biography: 'Two from Karlsruhe' },
    night('1', { name: 'Renamed', start_at: '2026-12-24T22:00', tickets: [] }),
    night('55555'),
    { kind: 'artist', external_id: 'new', name: 'New' },
  ]);
  const some = await follow('names, times, new ones');
  const moved = some.find(({ name }) => name === 'Renamed');
  assert.deepEqual([moved.change, moved.slug], ['updated', 'night-1-2026-12-01']);
  assert.ok(moved.fields.includes('start_at') && moved.fields.includes('tickets'));
  assert.equal(some.find(({ name }) => name === 'New').change, 'created');
  assert.equal(
    some.some(({ slug }) => slug === 'pod'),
    false,
    'what did not change is not told',
  );

  await feed(original, [...base, ...nights.slice(0, 3), night('55555')], { complete: true });
  const cancelled = (await follow('withdrawn')).find(({ external_id }) =>
    external_id.startsWith('night-4444'),
  );
  assert.deepEqual([cancelled.change, cancelled.status], ['cancelled', 'cancelled']);
  await feed(original, [night('4444')]);
  await follow('listed again');

  const artists = ['ame-live', 'ame', 'trikk', 'trikk-2'].map((slug) => idOf(original, 'artist', slug));
  const [live, ame, trikk, other] = artists as [number, number, number, number];
  await merge(original, 'artist', live, ame);
  const merged = (await follow('merged artists')).filter(({ change }) => change === 'merged');
  assert.deepEqual(
    merged.map(({ kind, external_id, into }) => [kind, external_id, into]),
    [['artist', 'ame-live', 'ame']],
  );
  await merge(original, 'artist', other, trikk);
  await merge(original, 'artist', trikk, ame);
  await merge(
    original,
    'event',
    idOf(original, 'event', 'night-55555-2026-12-05'),
    idOf(original, 'event', 'night-22-2026-12-02'),
  );
  await follow('merged on, and events');
  assert.equal(
    idOf(mirror, 'artist', 'trikk-2'),
    idOf(mirror, 'artist', 'ame'),
    'old slugs answer with the survivor',
  );

  const late = freshFile(t);
  await feed(late, exported(original).lines, { source: 'mirror' });
  assert.deepEqual(sorted(late), sorted(original), 'begun late');
  assert.equal(idOf(late, 'artist', 'trikk-2'), idOf(late, 'artist', 'ame'));
});

test('withdrawals and returns are logged for every kind', async (t) => {
  const sqlite = freshFile(t);
  const { revision } = await feed(sqlite, [...base, ...nights]);
  const loggedChanges = (since: number) =>
    exported(sqlite, since)
      .lines.map((line) => JSON.parse(line))
      .map(({ kind, external_id, change }) => `${kind} ${external_id} ${change}`)
      .toSorted();
  const isGone = ({ external_id }: object & { external_id?: string }) =>
    ['ame2', 'f26', 'e1', 'i', '4444'].includes(external_id ?? '');
  const rest = [...base, ...nights].filter((line) => !isGone(line));
  const gone = await feed(sqlite, rest, { complete: true });
  assert.equal(gone.revision, revision + 1);
  assert.deepEqual(loggedChanges(revision), [
    'artist ame-live withdrawn',
    'edition lost-2026 withdrawn',
    'episode pod-1 withdrawn',
    'event night-4444-2026-12-04 cancelled',
    'label innervisions withdrawn',
  ]);
  assert.equal((await feed(sqlite, rest, { complete: true })).revision, gone.revision);
  const back = await feed(sqlite, [...base, ...nights]);
  assert.equal(back.revision, gone.revision + 1);
  for (const since of [revision, gone.revision]) {
    assert.deepEqual(
      loggedChanges(since).filter((line) => !/^venue|^festival|^podcast/.test(line)),
      [
        'artist ame-live updated',
        'edition lost-2026 updated',
        'episode pod-1 updated',
        'event night-4444-2026-12-04 updated',
        'label innervisions updated',
      ],
      'listed again',
    );
  }
  // One of two that list it: what is shown of it stays as it is.
  const [city, , , live] = base.slice(1) as [object, object, object, object];
  await feed(sqlite, [city, live], { source: 'other' });
  const both = exported(sqlite).revision;
  await feed(sqlite, [city], { source: 'other', complete: true });
  assert.deepEqual([exported(sqlite).revision, loggedChanges(both)], [both, []]);
});

test('a revision that the file has not come to is refused', async (t) => {
  const sqlite = freshFile(t);
  const { revision } = await feed(sqlite, base);
  assert.deepEqual(exported(sqlite, revision), { lines: [], revision });
  assert.throws(
    () => exported(sqlite, revision + 1),
    /at revision 1, which is before 2: .*backup.*Start again: `cratebase export` without --since/,
  );
  assert.equal(exported(sqlite).revision, revision, 'the file is free again');
});

const alone = (id: string) => ({ kind: 'artist', external_id: id, slug: id, name: `Name ${id}` });
const went = (id: string, into: string) => ({ ...alone(id), change: 'merged', into });

test('a mirror keeps apart what its original does, and leads old slugs where that leads them', async (t) => {
  const [original, mirror] = [freshFile(t), freshFile(t)];
  let seen = 0;
  const follow = async (what: string) => {
    const { lines, revision } = exported(original, seen);
    await feed(mirror, lines, { source: 'mirror' });
    assert.deepEqual(sorted(mirror), sorted(original), what);
    seen = revision;
  };
  const show = (id: string, more: object = {}) => night('1', { external_id: id, url: null, ...more });
  const corrections = () => new Corrections(original, now);
  await feed(original, [...base, show('a', { name: 'Tief', start_at: '2026-12-01T20:00' })]);
  await feed(original, [show('b')], { source: 'other' });
  await follow('two shows of one night');
  await feed(original, [show('a')]);
  await corrections().split('event/tief-2026-12-01', ['other:b']);
  await follow('alike, and parted');
  // What is shown with them changes: the mirror does not judge of them anew.
  await feed(original, [{ ...base[2], name: 'Haus am See' }]);
  await follow('their house has another name');

  await feed(original, ['b', 'c', 'd'].map(alone));
  await corrections().merge('artist/b', 'artist/c');
  await follow('c went into b');
  const [record = '', , ...parts] = (await corrections().merge('artist/d', 'artist/b')).undo;
  await follow('b went into d');
  await corrections().split(record, parts);
  await follow('b has its own again');
  assert.equal(idOf(mirror, 'artist', 'c'), idOf(mirror, 'artist', 'b'));
  assert.notEqual(idOf(mirror, 'artist', 'd'), idOf(mirror, 'artist', 'b'));
});

test('records that would contain themselves are refused each time', async (t) => {
  const cases: [lines: object[][], reasons: RegExp[], left: string[]][] = [
    [
      [[alone('a'), alone('b'), went('a', 'b'), went('b', 'a')]],
      [/earlier line/, /earlier line/],
      ['a', 'b'],
    ],
    [
      [
        [alone('a'), alone('b')],
        [went('a', 'b'), went('b', 'a')],
      ],
      [/into is "a".*ring/],
      ['b'],
    ],
    [[[alone('a')], [went('a', 'a')]], [/into is "a", which is this record itself/], ['a']],
    [
      [['a', 'b', 'c', 'd'].map(alone), [went('a', 'b'), went('b', 'c'), went('c', 'a'), went('d', 'a')]],
      [/into is "a".*ring/],
      ['c'],
    ],
  ];
  for (const [files, reasons, left] of cases) {
    const sqlite = freshFile(t);
    const tell = (lines: object[]) =>
      importFeed(sqlite, {
        source: 'm',
        type: 'feed',
        now,
        input: (async function* () {
          yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
        })(),
      });
    for (const lines of files) await tell(lines);
    const slugs = () => sqlite.prepare('SELECT slug FROM artists ORDER BY slug').pluck().all();
    const state = () => [exported(sqlite).revision, ...sorted(sqlite)];
    const before = state();
    const { rejected } = await tell(files.at(-1) ?? []);
    assert.equal(rejected.length, reasons.length);
    for (const [at, { reason }] of rejected.entries()) assert.match(reason, reasons[at] as RegExp);
    assert.deepEqual(slugs(), left);
    assert.deepEqual(state(), before);
  }
});

test('a merge that is turned round at its source is turned round here', async (t) => {
  const sqlite = freshFile(t);
  const shown = () => sqlite.prepare('SELECT slug FROM artists ORDER BY slug').pluck().all();
  await feed(sqlite, ['a', 'b', 'c'].map(alone));
  await feed(sqlite, [went('a', 'b')]);
  assert.deepEqual(shown(), ['b', 'c']);
  const turned = [alone('a'), went('b', 'a')];
  const { revision } = await feed(sqlite, turned);
  assert.deepEqual(shown(), ['a', 'c']);
  assert.equal(idOf(sqlite, 'artist', 'b'), idOf(sqlite, 'artist', 'a'));
  assert.equal((await feed(sqlite, turned)).revision, revision);
  // And all of it into a third, by way of either.
  await feed(sqlite, [went('a', 'c')]);
  await feed(sqlite, [went('b', 'a')]);
  assert.deepEqual(shown(), ['c']);
});

test('a tombstone of an unknown record is refused; slugs of a feed are used if they are free', async (t) => {
  const sqlite = freshFile(t);
  const report = await importFeed(sqlite, {
    source: 's',
    type: 'feed',
    now,
    records: (async function* () {
      yield { record: { kind: 'artist', external_id: 'a', slug: 'a', change: 'merged', into: 'b' } };
      yield {
        record: { kind: 'artist', external_id: 'x', slug: 'Not A Slug', name: 'One' },
        where: 'page 2',
      };
      yield { record: { kind: 'artist', external_id: 'y', slug: 'one', name: 'Two' } };
      yield { rejected: { where: 'page 3', reason: 'is torn', subject: null } };
    })(),
  });
  assert.match(report.rejected[0]?.reason ?? '', /into is "b"/);
  assert.deepEqual(report.rejected[1], { line: 4, where: 'page 3', reason: 'is torn' });
  const slugs = sqlite.prepare('SELECT name, slug FROM artists ORDER BY id').raw().all();
  assert.deepEqual(slugs, [
    ['One', 'one'],
    ['Two', 'two'],
  ]);
});
