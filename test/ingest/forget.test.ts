/** What is known of an artist is erased on request, in place, in the history, and in what is imported later. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { WriteSession } from '../../src/ingest/write-session.ts';
import { AuditLog } from '../../src/store/audit-log.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { backUpTo } from '../../src/store/file/maintenance.ts';
import { ask, assertSettled, freshFile, matchingNow, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
const removalsOf = (sqlite: Database.Database) => new Removals(sqlite, { now: matchingNow, actor });
const revision = (sqlite: Database.Database) =>
  sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
const night = (id: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name: `Nacht ${id}`,
  start_at: '2027-12-04T23:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  ...more,
});

/** Texts of the person; each must be gone from the bytes of the file. */
const details = [
  'Zacharias Quittenbaum',
  'Quittenbaum',
  'Nebelkrähe',
  'biografisches',
  'quitte.example',
  'mbid-4711-qq',
  '99887766',
  'portrait-quitte',
];
const profile = {
  kind: 'artist',
  external_id: 'mbid-4711-qq',
  name: 'Yolanda Zwirn',
  real_name: 'Zacharias Quittenbaum',
  aliases: ['Nebelkrähe', 'Zacharias Quittenbaum'],
  biography: 'Etwas biografisches.',
  country: 'DE',
  genres: ['Techno'],
  image_url: 'https://quitte.example/portrait-quitte.jpg',
  links: [{ type: 'website', url: 'https://quitte.example/' }],
  external_ids: { discogs: '99887766' },
};
const feed = [
  profile,
  night('1', { lineup: [{ external_id: 'mbid-4711-qq', name: 'Yolanda Zwirn' }, { name: 'Klara Otto' }] }),
  night('2', { start_at: '2027-12-05T23:00', lineup: [{ name: 'Nebelkrähe' }, { name: 'Mo Park' }] }),
  night('3', {
    name: 'Yolanda Zwirn all night long',
    start_at: '2027-12-06T23:00',
    lineup: [{ name: 'Yolanda Zwirn' }],
    description: 'With Yolanda Zwirn and friends.',
  }),
  night('4', {
    start_at: '2027-12-07T23:00',
    name: 'Ode an Yolanda Zwirn',
    lineup: [{ name: 'Klara Otto' }],
  }),
  { kind: 'label', external_id: 'l', name: 'Garn', artists: [{ name: 'Yolanda Zwirn' }] },
  {
    kind: 'episode',
    external_id: 'p',
    podcast: { name: 'Funk' },
    name: 'Funk 1: Yolanda Zwirn',
    artists: [{ name: 'Yolanda Zwirn' }],
    tracklist: [
      { artist_name: 'Yolanda Zwirn', title: 'Eins' },
      { artist_name: 'Yolanda Zwirn & Mo Park', title: 'Zwei' },
    ],
  },
];

/** The bytes of the file and its log. */
const bytesOf = (path: string): Buffer =>
  Buffer.concat([path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file)));

function assertGone(path: string, texts: readonly string[]): void {
  const bytes = bytesOf(path).toString('latin1').toLowerCase();
  for (const text of texts) {
    const searched = Buffer.from(text, 'utf8').toString('latin1').toLowerCase();
    const at = bytes.indexOf(searched);
    assert.equal(at, -1, `${text}: …${bytes.slice(Math.max(0, at - 80), at + 80)}…`);
  }
}

const lineupOf = (sqlite: Database.Database, slug: string): string[] =>
  ask(sqlite, 'getEvent', { slug }).lineup.map(({ name }: { name: string }) => name);

/** Imports the feed, a changed one, and the feed again; then every text is in the file. */
async function readTwice(sqlite: Database.Database): Promise<void> {
  await says(sqlite, 'one', feed);
  // A second version of everything leaves the first one in unused parts of the file and in the history.
  await says(
    sqlite,
    'one',
    feed.map((line) => ({ ...line, image_url: 'https://x.example/other.jpg' })),
  );
  await says(sqlite, 'one', feed);
  for (const text of details) assert.throws(() => assertGone(sqlite.name, [text]));
}

test('a forgotten artist keeps the stage name and the events, and nothing else', async (t) => {
  const sqlite = freshFile(t);
  await readTwice(sqlite);
  const removals = removalsOf(sqlite);
  const before = ask(sqlite, 'listArtistEvents', { slug: 'yolanda-zwirn' }).length;
  await removals.hide('artist/yolanda-zwirn', { reason: 'Zacharias Quittenbaum asks' });
  await removals.unhide('artist/yolanda-zwirn');
  const report = await removals.forget('artist/yolanda-zwirn', { name: 'keep' });
  assert.deepEqual([report.slug, report.name, report.is_file_rewritten], ['yolanda-zwirn', 'keep', true]);
  const shown = ask(sqlite, 'getArtist', { slug: 'yolanda-zwirn' });
  assert.deepEqual(
    [
      shown.name,
      shown.real_name,
      shown.biography,
      shown.country,
      shown.image_url,
      shown.links,
      shown.aliases,
    ],
    ['Yolanda Zwirn', null, null, null, null, [], []],
  );
  assert.deepEqual(Object.values(shown.external_ids).filter(Boolean), []);
  assert.equal(ask(sqlite, 'listArtistGenres', { slug: 'yolanda-zwirn' }).length, 1);
  assert.equal(ask(sqlite, 'listArtistEvents', { slug: 'yolanda-zwirn' }).length, before);
  assert.deepEqual(lineupOf(sqlite, 'nacht-2-2027-12-05'), ['Yolanda Zwirn', 'Mo Park']);
  assertGone(sqlite.name, details);
  assertSettled(sqlite);

  // The same feed again, and another source that knows the same.
  const forgottenAt = revision(sqlite);
  await says(sqlite, 'one', feed);
  assert.equal(revision(sqlite), forgottenAt);
  const other = [
    { ...profile, external_id: 'q', name: 'Zacharias Quittenbaum', aliases: ['Yolanda Zwirn'] },
    night('9', { start_at: '2028-01-05T23:00', lineup: [{ name: 'Zacharias Quittenbaum' }] }),
  ];
  await says(sqlite, 'two', other);
  const addedAt = revision(sqlite);
  await says(sqlite, 'two', other);
  assert.equal(revision(sqlite), addedAt);
  assert.deepEqual(lineupOf(sqlite, 'nacht-9-2028-01-05'), ['Yolanda Zwirn']);
  assertGone(sqlite.name, details);
  assert.equal(
    ask(sqlite, 'listArtists').filter(({ name }: { name: string }) => /Quitten|Zwirn/.test(name)).length,
    1,
  );
  assertSettled(sqlite);
  const [entry] = new AuditLog(sqlite).list({ action: 'record.forget', limit: 5 });
  assert.deepEqual(
    [entry?.actor, entry?.subject, entry?.details],
    [actor, 'yolanda-zwirn', { name: 'keep' }],
  );
});

test('with --name remove, line-ups omit the artist and no byte of the name is left', async (t) => {
  const sqlite = freshFile(t);
  await readTwice(sqlite);
  const removals = removalsOf(sqlite);
  const report = await removals.forget('artist/yolanda-zwirn', { name: 'remove' });
  assert.equal(report.slug, null);
  assert.throws(() => ask(sqlite, 'getArtist', { slug: 'yolanda-zwirn' }), /There is no artist/);
  assert.deepEqual(lineupOf(sqlite, 'nacht-1-2027-12-04'), ['Klara Otto']);
  const titles = ask(sqlite, 'listEvents').map(({ name }: { name: string }) => name);
  assert.deepEqual(titles, ['Nacht 1', 'Nacht 2', 'removed artist all night long', 'Ode an removed artist']);
  assert.deepEqual(
    ask(sqlite, 'listTracks', { slug: 'funk-1-removed-artist' }).map(
      ({ artist_name }: { artist_name: string | null }) => artist_name,
    ),
    [null, 'removed artist & Mo Park'],
  );
  const names = [...details, 'Yolanda Zwirn', 'yolanda-zwirn', 'zwirn'];
  assertGone(sqlite.name, names);
  assertSettled(sqlite);
  assert.ok(![...exportLines(sqlite, { since: 0 })].flat().some((line) => /zwirn/i.test(line)));
  const copy = `${sqlite.name}.copy`;
  t.after(() => rmSync(copy, { force: true }));
  await backUpTo(sqlite, copy);
  assertGone(copy, names);

  const forgottenAt = revision(sqlite);
  await says(sqlite, 'one', feed);
  assert.equal(revision(sqlite), forgottenAt);
  await says(sqlite, 'two', [
    { kind: 'artist', external_id: '5', name: 'YOLANDA ZWIRN', country: 'AT' },
    night('9', {
      start_at: '2028-01-05T23:00',
      name: 'Yolanda Zwirn live',
      lineup: [{ name: 'Yolanda  Zwirn' }],
    }),
  ]);
  assert.equal(
    ask(sqlite, 'getEvent', { slug: 'removed-artist-live-2028-01-05' }).name,
    'removed artist live',
  );
  assertGone(sqlite.name, names);
  assertSettled(sqlite);

  // Repeated, as after an interruption; a forgotten record cannot come back.
  const again = await removals.forget(report.id, { name: 'keep' });
  assert.equal(again.name, 'remove');
  await assert.rejects(removals.restore(report.id), /forgotten for good/);
  assert.deepEqual(
    removals.list({ limit: 5 }).map(({ state, name, slug }) => [state, name, slug]),
    [['forgotten', '', '']],
  );
  assertSettled(sqlite);
});

for (const name of ['keep', 'remove'] as const)
  test(`an artist who was merged into another and left it again is forgotten by all its ids (--name ${name})`, async (t) => {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', [
      { kind: 'artist', external_id: 'k', name: 'Klara Otto' },
      { ...profile, aliases: [], name: 'Yolanda Zwirn' },
    ]);
    const corrections = new Corrections(sqlite, matchingNow, undefined, actor);
    const { audit_id } = await corrections.merge('artist/klara-otto', 'artist/yolanda-zwirn');
    await corrections.undo(audit_id as number);
    await corrections.merge('artist/klara-otto', 'artist/yolanda-zwirn');
    await corrections.split('artist/klara-otto', ['one:mbid-4711-qq']);
    await removalsOf(sqlite).forget('artist/yolanda-zwirn', { name });
    assertGone(
      sqlite.name,
      details.filter((text) => text !== 'Nebelkrähe' && (name === 'remove' || !/mbid/.test(text))),
    );
    if (name === 'remove') assertGone(sqlite.name, ['zwirn']);
    const lines = [...exportLines(sqlite, { since: 0 })].flat();
    assert.equal(
      lines.some((line) => /zwirn/i.test(line)),
      name === 'keep',
    );
    assertSettled(sqlite);
  });

test('the id that an editor set for an artist is forgotten, too', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [profile, { kind: 'artist', external_id: 'k', name: 'Klara Otto' }]);
  const edits = new Edits(sqlite, { now: matchingNow, actor });
  await edits.set('artist/yolanda-zwirn', [parseChange('external_id+=discogs:77553311')]);
  await edits.set('artist/yolanda-zwirn', [parseChange('link+=https://www.discogs.com/artist/66442200')]);
  assert.throws(() => assertGone(sqlite.name, ['77553311']));
  await removalsOf(sqlite).forget('artist/yolanda-zwirn', { name: 'remove' });
  assertGone(sqlite.name, ['77553311', '66442200']);
  assertSettled(sqlite);
});

test('while a service runs, the file is not rewritten, but a backup is clean', async (t) => {
  const sqlite = freshFile(t);
  await readTwice(sqlite);
  const { registerService } = await import('../../src/store/file/service-registry.ts');
  registerService(sqlite, 'test', {
    pid: process.pid,
    url: 'http://127.0.0.1:1',
    started_at: new Date().toISOString(),
    version: '0',
    settings: [],
    machine: 'here',
    data: sqlite.name,
  } as never);
  const removals = removalsOf(sqlite);
  const report = await removals.forget('artist/yolanda-zwirn', { name: 'remove' });
  assert.equal(report.is_file_rewritten, false);
  const copy = `${sqlite.name}.copy`;
  t.after(() => rmSync(copy, { force: true }));
  await backUpTo(sqlite, copy);
  assertGone(copy, [...details, 'zwirn']);
  registerService(sqlite, 'test', null);
  assert.equal(removals.sweep(), true);
  assertGone(sqlite.name, [...details, 'zwirn']);
  assertSettled(sqlite);
});

test('pictures that a service keeps go, and other files beside them stay', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const folder = `${sqlite.name}.media`;
  mkdirSync(folder);
  const digest = '0123456789abcdef'.repeat(2);
  const kept = [`${digest}.picture`, `${digest}.failed`, `${digest}.picture.12.0badcafe.draft`];
  for (const name of [...kept, 'readme.txt', 'own.picture']) writeFileSync(join(folder, name), 'x');
  await removalsOf(sqlite).forget('artist/yolanda-zwirn', { name: 'keep' });
  assert.deepEqual(readdirSync(folder).sort(), ['own.picture', 'readme.txt']);
});

test('rejected records of later runs do not name the person, and lists of earlier runs go', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const list = `${sqlite.name}.rejected-one.txt`;
  writeFileSync(list, 'record 3: "Zacharias Quittenbaum" has no country\n');
  await removalsOf(sqlite).forget('artist/yolanda-zwirn', { name: 'remove' });
  assert.ok(!existsSync(list));
  const seen: unknown[] = [];
  const report = await says(
    sqlite,
    'one',
    [
      night('8', { start_at: 'Quittenbaum, Nebelkrähe', venue: { name: 'Zacharias Quittenbaum' } }),
      {
        kind: 'label',
        external_id: 'mbid-4711-qq',
        name: 'Yolanda Zwirn',
        parent: { name: 'Yolanda Zwirn' },
      },
      { kind: 'label', external_id: 'y1', name: 'Nebelkrähe', parent: { name: 'Nebelkrähe' } },
      { kind: 'artist', external_id: 'x1', name: 'Jemand', country: 'Zacharias Quittenbaum' },
    ],
    { onRejected: (rejected) => seen.push(rejected) },
  );
  assert.ok(report.rejectedCount >= 2, JSON.stringify(report.rejected));
  assert.doesNotMatch(JSON.stringify([report.rejected, seen]), /Zwirn|Zacharias|Nebelkr/);
  assert.match(JSON.stringify(seen), /removed artist/);
  const scrubber = new WriteSession(sqlite, { now: matchingNow, onCreated: () => {} }).scrubber();
  assert.match(
    scrubber.scrubNote('artist mbid-4711-qq: "Nebelkrähe" (Mo Park) is wrong', 'one'),
    /^artist forgotten-\S+: "removed artist" \(Mo Park\) is wrong$/,
  );
  assert.equal(scrubber.scrubNote('artist mbid-4711-qq: Mo', 'two'), 'artist mbid-4711-qq: Mo');
});

test('another artist of the same name is left alone', async (t) => {
  const sqlite = freshFile(t);
  const one = {
    kind: 'artist',
    external_id: 'a',
    name: 'Shed',
    country: 'DE',
    external_ids: { discogs: '1' },
  };
  const two = {
    kind: 'artist',
    external_id: 'b',
    name: 'Shed',
    country: 'US',
    external_ids: { discogs: '2' },
  };
  await says(sqlite, 'one', [one, two]);
  const slugs = ask(sqlite, 'listArtists').map(({ slug }: { slug: string }) => slug);
  assert.equal(slugs.length, 2);
  const removals = removalsOf(sqlite);
  const german = ask(sqlite, 'listArtists').find(({ country }: { country: string }) => country === 'DE').slug;
  await removals.forget(`artist/${german}`, { name: 'remove' });
  await says(sqlite, 'one', [one, two]);
  await says(sqlite, 'two', [night('1', { lineup: [{ name: 'Shed' }] })]);
  assert.deepEqual(
    ask(sqlite, 'listArtists').map(({ country }: { country: string }) => country),
    ['US'],
  );
  assert.deepEqual(lineupOf(sqlite, 'nacht-1-2027-12-04'), ['Shed']);
  await assert.rejects(removals.forget('event/nacht-1-2027-12-04', { name: 'keep' }), /Only an artist/);
  assertSettled(sqlite);
});

const editsOf = (sqlite: Database.Database) => new Edits(sqlite, { now: matchingNow, actor });
const change = (field: string, operation: 'set' | 'add' | 'remove', value: string) => ({
  field,
  operation,
  value,
});

/** Leaves the person's texts in every table that is no source record. Returns the ids of the entries about the artist. */
async function leaveTraces(sqlite: Database.Database): Promise<number[]> {
  const edits = editsOf(sqlite);
  const removals = removalsOf(sqlite);
  const own = [
    await edits.set('artist/yolanda-zwirn', [change('real_name', 'set', 'Zacharias Quittenbaum jr.')]),
    await edits.set('artist/yolanda-zwirn', [change('biography', 'set', 'Noch etwas biografisches.')], {
      reason: 'mail of Zacharias Quittenbaum',
    }),
  ];
  await edits.set('event/nacht-1-2027-12-04', [
    change('description', 'set', 'Zacharias Quittenbaum alias NEBELKRÄHE plays; tickets by Mo'),
  ]);
  await edits.set('event/nacht-2-2027-12-05', [change('lineup', 'add', 'Nebelkrähe')], {
    reason: 'Quittenbaum? No: zacharias quittenbaum says so.',
  });
  await removals.hide('event/yolanda-zwirn-all-night-long-2027-12-06', { reason: 'Nebelkrähe asked' });
  const source = sqlite.prepare("SELECT id FROM sources WHERE name = 'one'").pluck().get() as number;
  const held = sqlite.prepare("INSERT INTO held_source_records VALUES (?, ?, ?, ?, 'waiting', 1)");
  const { kind: _, external_id: __, ...content } = profile;
  held.run(source, 'artist', 'new-quittenbaum', JSON.stringify(content));
  const lineup = [{ name: 'Nebelkrähe' }, { name: 'Mo Park' }];
  const event = { name: 'Yolanda Zwirn live', start_at: '2027-12-24T23:00', lineup };
  held.run(source, 'event', 'w', JSON.stringify({ ...event, description: 'Zacharias Quittenbaum!' }));
  const report = JSON.stringify({ error: 'artist "Zacharias Quittenbaum": alias Nebelkrähe, mbid-4711-qq' });
  sqlite.prepare("INSERT INTO source_runs VALUES (NULL, ?, 1, 2, 'failed', 0, ?)").run(source, report);
  const rejected = [{ where: 'artist mbid-4711-qq', reason: 'Zacharias Quittenbaum has no country' }];
  sqlite
    .prepare("INSERT INTO schedules VALUES (?, 'x.jsonl', 1, 1, '{}', 9e15, NULL, 1, ?, ?, NULL)")
    .run(source, 'no: Nebelkrähe', JSON.stringify({ outcome: 'failed', rejected_count: 1, rejected }));
  sqlite
    .prepare("INSERT INTO postponed_matches VALUES ('artist', 'one', 'mbid-4711-qq', 'one', 'x', 1, 2, 3)")
    .run();
  const audit = new AuditLog(sqlite);
  const entry = { createdTs: 1, actor, recordId: null } as const;
  const summary = { id: 'art_0', kind: 'artist', slug: 'yolanda-zwirn', name: 'Nebelkrähe' };
  audit.add({
    ...entry,
    action: 'record.never-merge',
    subjectKind: 'artist',
    subject: 'mo-park',
    details: { other: summary, matches: [{ a_external_id: 'mbid-4711-qq' }] },
  });
  audit.add({
    ...entry,
    action: 'source.approve',
    subjectKind: 'source',
    subject: 'one',
    details: { records: ['artist:mbid-4711-qq'] },
  });
  return own.map(({ audit_id }) => audit_id as number);
}

for (const name of ['keep', 'remove'] as const)
  test(`traces outside source records are erased (--name ${name})`, async (t) => {
    const sqlite = freshFile(t);
    await readTwice(sqlite);
    const own = await leaveTraces(sqlite);
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    for (const trace of ['Quittenbaum jr.', 'alias NEBELKRÄHE', 'new-quittenbaum', 'no: Nebelkrähe'])
      assert.throws(() => assertGone(sqlite.name, [trace]), trace);
    await removalsOf(sqlite).forget('artist/yolanda-zwirn', { name });
    assertGone(sqlite.name, [
      ...details.filter((one) => one !== 'Quittenbaum'),
      ...(name === 'remove' ? ['zwirn'] : []),
    ]);
    assertSettled(sqlite);
    const log = new AuditLog(sqlite).list({ limit: 100 });
    const entryOf = (action: string) => log.find((one) => one.action === action);
    const shown = name === 'keep' ? 'Yolanda Zwirn' : 'removed artist';
    assert.equal(entryOf('record.hide')?.details.reason, `${shown} asked`);
    assert.deepEqual(entryOf('record.never-merge')?.details, {
      other: {
        id: 'art_0',
        kind: 'artist',
        slug: name === 'keep' ? 'yolanda-zwirn' : 'removed-artist',
        name: shown,
      },
      matches: [],
    });
    assert.deepEqual(entryOf('source.approve')?.details, { records: ['artist:removed'] });
    const held = sqlite.prepare('SELECT kind, content FROM held_source_records').all() as {
      kind: string;
      content: string;
    }[];
    assert.deepEqual(
      held.map(({ kind }) => kind),
      ['event'],
    );
    assert.deepEqual(
      JSON.parse(held[0]?.content as string).lineup.map((one: { name: string }) => one.name),
      name === 'keep' ? ['Yolanda Zwirn', 'Mo Park'] : ['Mo Park'],
    );
    // What was written about other records stays, and their edits too.
    assert.match(ask(sqlite, 'getEvent', { slug: 'nacht-1-2027-12-04' }).description, /tickets by Mo$/);
    for (const id of own)
      await assert.rejects(editsOf(sqlite).undo(id), /cannot be undone: its artist was forgotten/);
    // A hidden event of the artist comes back without the person.
    const hidden = removalsOf(sqlite).list({ limit: 5, kind: 'event' })[0]?.slug as string;
    await removalsOf(sqlite).unhide(`event/${hidden}`);
    assert.equal(ask(sqlite, 'getEvent', { slug: hidden }).name, `${shown} all night long`);
    assertSettled(sqlite);
  });

test('an edit cannot bring a forgotten person back', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const edits = editsOf(sqlite);
  await removalsOf(sqlite).forget('artist/yolanda-zwirn', { name: 'keep' });
  const own = /yolanda-zwirn was forgotten .* cannot be edited any more, only genres/;
  for (const [field, value] of [
    ['real_name', 'Zacharias Quittenbaum'],
    ['name', 'Zacharias'],
    ['biography', 'Text'],
    ['links', 'https://quitte.example/'],
  ] as const)
    await assert.rejects(
      edits.set('artist/yolanda-zwirn', [change(field, field === 'links' ? 'add' : 'set', value)]),
      own,
    );
  await edits.set('artist/yolanda-zwirn', [change('genres', 'add', 'House')]);
  const names = /names an artist who was forgotten/;
  const event = 'event/nacht-1-2027-12-04';
  await assert.rejects(edits.set(event, [change('lineup', 'add', 'Nebelkrähe')]), names);
  await assert.rejects(
    edits.set(event, [change('description', 'set', 'With Zacharias Quittenbaum.')]),
    names,
  );
  await assert.rejects(
    edits.set('artist/mo-park', [change('aliases', 'add', 'Zacharias Quittenbaum')]),
    names,
  );
  await assert.rejects(edits.add('artist', [change('name', 'set', 'Zacharias Quittenbaum')]), names);
  await assert.rejects(
    edits.add('artist', [change('name', 'set', 'Yolanda Zwirn'), change('country', 'set', 'DE')]),
    names,
  );
  await edits.set('event/nacht-2-2027-12-05', [change('lineup', 'add', 'Klara Otto')]);
  await edits.set('event/ode-an-yolanda-zwirn-2027-12-07', [change('lineup', 'add', 'Yolanda Zwirn')]);
  assert.deepEqual(lineupOf(sqlite, 'ode-an-yolanda-zwirn-2027-12-07'), ['Klara Otto', 'Yolanda Zwirn']);
  assert.equal(ask(sqlite, 'getArtist', { slug: 'yolanda-zwirn' }).real_name, null);
  assertGone(sqlite.name, ['nebelkrähe', 'zacharias']);
  assertSettled(sqlite);
});

const removedEverywhere = [
  { kind: 'artist', external_id: 'a1', name: 'Zorblax Quintessa', country: 'DE' },
  {
    kind: 'label',
    external_id: 'l1',
    name: 'Zorblax Quintessa Recordings',
    description: 'Run by Zorblax Quintessa',
    website: 'https://zorblaxquintessa.example/',
    aliases: ['ZORBLAX QUINTESSA Rec', 'ZQR'],
  },
  {
    kind: 'label',
    external_id: 'l2',
    name: 'Sublabel',
    parent: { external_id: 'l1', name: 'Zorblax Quintessa Recordings' },
  },
  { kind: 'label', external_id: 'l3', name: 'Other', parent: { name: 'Zorblax Quintessa' } },
  { kind: 'festival', external_id: 'f1', name: 'Zorblax Quintessa Festival', city: 'Berlin', country: 'DE' },
  {
    kind: 'edition',
    external_id: 'f1-27',
    festival: { external_id: 'f1', name: 'Zorblax Quintessa Festival' },
    edition: '2027',
    start_at: '2027-07-01',
  },
  { kind: 'venue', external_id: 'v1', name: 'Zorblax Quintessa Club', city: 'Berlin', country: 'DE' },
  { kind: 'podcast', external_id: 'p1', name: 'Zorblax Quintessa Podcast' },
  {
    kind: 'episode',
    external_id: 'e1',
    podcast: { external_id: 'p1', name: 'Zorblax Quintessa Podcast' },
    name: 'One',
  },
  night('d1', {
    description: `With Zorblax Quintessa on the decks. ${'word '.repeat(500)} ZORBLAX-Quintessa`,
  }),
  night('d2', {
    start_at: '2027-12-05T23:00',
    venue: { name: 'Zorblax Quintessa Cellar', city: 'Berlin', country: 'DE' },
    lineup: [{ name: 'Zorblax Quintessa', external_id: 'a1' }, { name: 'Zorblax Quintessa & Duo Partner' }],
    url: 'https://x.example/zorblax-quintessa',
    image_url: 'https://x.example/ZORBLAX%20quintessa.jpg',
    tickets: [
      { seller: 'One', url: 'https://x.example/zorblax_quintessa/1' },
      { seller: 'Two', url: 'https://x.example/2' },
    ],
  }),
  {
    kind: 'artist',
    external_id: 'a9',
    name: 'Duo Partner',
    biography: 'One half of Zorblax Quintessa.',
    aliases: ['Zorblax Quintessa & Duo Partner', 'DP'],
    links: [
      { type: 'website', url: 'https://x.example/zorblax-quintessa' },
      { type: 'website', url: 'https://x.example/duo-partner' },
    ],
  },
];

test('a removed name is gone from addresses, references, descriptions and other artists', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 's9', removedEverywhere);
  const asExported = [...exportLines(sqlite, { since: 0 })].flat().map((line) => JSON.parse(line) as object);
  await removalsOf(sqlite).forget('artist/zorblax-quintessa', { name: 'remove' });
  const exported = () => [...exportLines(sqlite, { since: 0 })].flat();
  const assertUnnamed = () => {
    assert.deepEqual(
      exported().filter((line) => /zorblax/i.test(line)),
      [],
    );
    assertGone(sqlite.name, ['zorblax']);
    assertSettled(sqlite);
  };
  assertUnnamed();
  const forgottenAt = revision(sqlite);
  await says(sqlite, 's9', removedEverywhere);
  assert.equal(revision(sqlite), forgottenAt);
  assertUnnamed();

  const label = ask(sqlite, 'getLabel', { slug: 'removed-artist-recordings' });
  assert.deepEqual(
    [label.name, label.description, label.website, label.aliases],
    ['removed artist Recordings', 'Run by removed artist', null, ['ZQR']],
  );
  assert.equal(ask(sqlite, 'getLabel', { slug: 'sublabel' }).parent.slug, 'removed-artist-recordings');
  assert.equal(ask(sqlite, 'getLabel', { slug: 'other' }).parent, null);
  assert.throws(() => ask(sqlite, 'getLabel', { slug: 'zorblax-quintessa-recordings' }), /There is no label/);
  for (const [operation, slug] of [
    ['getFestival', 'removed-artist-festival'],
    ['getVenue', 'removed-artist-club'],
    ['getPodcast', 'removed-artist-podcast'],
  ] as const)
    assert.equal(ask(sqlite, operation, { slug }).slug, slug);
  const partner = ask(sqlite, 'getArtist', { slug: 'removed-artist-and-duo-partner' });
  assert.deepEqual([partner.biography, partner.aliases], ['One half of removed artist.', ['DP']]);
  assert.deepEqual(
    partner.links.map(({ url }: { url: string }) => url),
    ['https://x.example/duo-partner'],
  );
  const event = ask(sqlite, 'getEvent', { slug: 'nacht-d2-2027-12-05' });
  assert.equal(event.image_url, null);
  assert.match(event.venue.name, /^removed artist C/);
  assert.equal(exported().filter((line) => line.includes('"https://x.example/2"')).length, 1);

  // An earlier export, imported as another source, states slugs and the same texts.
  const other = freshFile(t);
  await says(other, 's9', removedEverywhere);
  await removalsOf(other).forget('artist/zorblax-quintessa', { name: 'remove' });
  await says(
    other,
    'two',
    asExported.filter((line) => !('into' in line)),
  );
  assert.deepEqual(
    [...exportLines(other, { since: 0 })].flat().filter((line) => /zorblax/i.test(line)),
    [],
  );
});

test('an artist whose id a source gave to another forgotten artist since can be forgotten too', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'a', [
    { kind: 'artist', external_id: 'x', name: 'Anna Grau', biography: 'Of before.' },
    { kind: 'artist', external_id: 'y', name: 'Bodo Lang' },
  ]);
  const removals = removalsOf(sqlite);
  await removals.forget('artist/bodo-lang', { name: 'keep' });
  await says(sqlite, 'a', [{ kind: 'artist', external_id: 'x', name: 'Bodo Lang' }]);
  await removals.forget('artist/anna-grau', { name: 'keep' });
  assert.equal(ask(sqlite, 'getArtist', { slug: 'anna-grau' }).biography, null);
  assert.equal(ask(sqlite, 'getArtist', { slug: 'bodo-lang' }).name, 'Bodo Lang');
  assertSettled(sqlite);
});
