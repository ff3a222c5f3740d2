/** Importing feeds (docs/spec/imports.md#promises), on real files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import type { OperationRequest } from '../../src/catalogue/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { type ImportOptions, importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

/** A fresh data file, gone when the test ends. */
function freshFile(t: { after(fn: () => void): void }): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-import-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  t.after(() => {
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  return sqlite;
}

const feed = async (
  sqlite: Database.Database,
  lines: (object | string)[],
  options: Partial<ImportOptions> = {},
) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  async function* input() {
    // In small pieces, so that lines and letters are cut in the middle.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37);
  }
  return await importFeed(sqlite, {
    source: 's',
    type: 'feed',
    now,
    alone: true,
    input: input(),
    ...options,
  });
};

/** The `data` of an operation. */
function ask(sqlite: Database.Database, operation: OperationId, asked: Partial<OperationRequest> = {}) {
  const question = {
    operation,
    slug: '',
    edition: '',
    filters: {},
    limit: 100,
    cursor: undefined,
    q: '',
    now,
    ...asked,
  };
  const body = handleOperation(question, {
    reader: openCatalogueReader(sqlite),
    search: { search: () => [] } as never,
  });
  return JSON.parse(body).data;
}

const berlin = {
  kind: 'city',
  external_id: 'b',
  name: 'Berlin',
  country: 'DE',
  timezone: 'Europe/Berlin',
  aliases: ['Berlino'],
};
const house = { kind: 'venue', external_id: 'v', name: 'Haus', city: 'Berlin', country: 'DE' };
const night = (id: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: '2026-12-01T23:00',
  venue: { external_id: 'v', name: 'Haus' },
  lineup: [{ name: 'Âme' }, { name: 'Dixon', billing: 'headline' }],
  ...more,
});

test('the same feed twice changes nothing', async (t) => {
  const sqlite = freshFile(t);
  const lines = [berlin, house, night('1'), night('2')];
  const first = await feed(sqlite, lines);
  assert.deepEqual(first.kinds.event, { created: 2, updated: 0, unchanged: 0, matched: 0, withdrawn: 0 });
  assert.equal(first.kinds.artist?.created, 2, 'artists named by a line-up are put on record');
  const second = await feed(sqlite, lines);
  assert.equal(second.revision, first.revision);
  for (const counts of Object.values(second.kinds))
    assert.equal(counts.created + counts.updated + counts.matched, 0);
  const third = await feed(sqlite, [berlin, house, night('1', { name: 'Renamed' }), night('2')]);
  assert.equal(third.kinds.event?.updated, 1);
  assert.ok(third.revision > second.revision);
  assert.deepEqual(
    ask(sqlite, 'listEvents').map((event: { slug: string; name: string }) => [event.slug, event.name]),
    [
      ['night-1-2026-12-01', 'Renamed'],
      ['night-2-2026-12-01', 'Night 2'],
    ],
    'a slug outlives a change of name',
  );
});

test('bad lines are reported by number, the rest goes in', async (t) => {
  const sqlite = freshFile(t);
  const report = await feed(sqlite, [
    `﻿${JSON.stringify(berlin)}`,
    '{"kind":"event"',
    '[]',
    '',
    { kind: 'song', external_id: 'x', name: 'x' },
    { kind: 'artist', external_id: '', name: 'x' },
    { kind: 'artist', external_id: 'x', name: '   ' },
    { kind: 'artist', external_id: 'x', name: 'x', country: 'Germany' },
    { kind: 'event', external_id: 'x', name: 'x', start_at: '2026-02-30' },
    { kind: 'event', external_id: 'x', name: 'x' },
    { kind: 'city', external_id: 'x', name: 'x', country: 'DE', timezone: '+01:00' },
    { kind: 'venue', external_id: 'x', name: 'x', city: 'y', country: 'DE', website: 'javascript:alert(1)' },
    { kind: 'genre', external_id: 'g', name: 'Loop', parent: 'Loop' },
    {
      kind: 'artist',
      external_id: 'ok',
      name: 'Line\u2028Feed\u0000\u001b[31m',
      unknown_member: { deep: [] },
    },
  ]);
  assert.deepEqual(
    report.rejected.map(({ line }) => line),
    [2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  );
  assert.match(report.rejected[7]?.reason ?? '', /^start_at is missing/);
  assert.match(report.rejected[5]?.reason ?? '', /ISO 3166-1 .*: "GERMANY"$/);
  assert.equal(report.rejected[6]?.reason, 'start_at is not a time: 2026-02-30 does not exist');
  assert.deepEqual(
    ask(sqlite, 'listArtists').map(({ name }: { name: string }) => name),
    ['Line Feed [31m'],
  );
  assert.deepEqual(ask(sqlite, 'listGenres'), [], 'a rejected line leaves nothing behind');
  assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
});

test('references: by external id, by folded name, alias and place', async (t) => {
  const sqlite = freshFile(t);
  await feed(sqlite, [
    berlin,
    { kind: 'venue', external_id: 'v1', name: 'Club Ost', city: 'Berlino', country: 'DE' },
    { kind: 'venue', external_id: 'v2', name: 'Club Ost', city: 'Wien', country: 'AT' },
    { kind: 'artist', external_id: 'a1', name: 'Ame', country: 'DE' },
    { kind: 'artist', external_id: 'a2', name: 'Âme', country: 'FR' },
    { kind: 'artist', external_id: 'aphex', name: 'Aphex Twin', aliases: ['AFX', 'Polygon Window'] },
    { kind: 'artist', external_id: 'afx', name: 'AFX' },
    night('1', {
      venue: { name: 'CLUB OST', city: 'berlin', country: 'DE' },
      lineup: [{ external_id: 'a2', name: 'whatever' }],
    }),
    night('2', {
      venue: { name: 'Club Ost', city: 'Wien', country: 'AT' },
      lineup: [{ name: 'afx' }, { name: 'polygon window' }],
    }),
    night('3', { venue: { name: 'TBA', city: 'Berlin', country: 'DE' }, lineup: [] }),
    night('4', { venue: null, city: 'Berlino', country: 'DE', lineup: [] }),
  ]);
  const events = ask(sqlite, 'listEvents');
  const by = Object.fromEntries(events.map((event: { name: string }) => [event.name, event]));
  assert.deepEqual(by['Night 1'].venue, {
    slug: 'club-ost',
    name: 'Club Ost',
    city: 'Berlin',
    country: 'DE',
    latitude: null,
    longitude: null,
  });
  assert.deepEqual(
    by['Night 1'].lineup,
    [{ slug: 'ame-fr', name: 'Âme', set: 1 }],
    'two of one name at one source are two',
  );
  assert.equal(by['Night 2'].venue.slug, 'club-ost-wien');
  assert.deepEqual(
    by['Night 2'].lineup.map(({ slug }: { slug: string }) => slug),
    ['afx', 'aphex-twin'],
  );
  assert.deepEqual(by['Night 3'].venue, {
    slug: null,
    name: 'TBA',
    city: 'Berlin',
    country: 'DE',
    latitude: null,
    longitude: null,
  });
  assert.equal(
    by['Night 3'].timezone,
    'Europe/Berlin',
    "the city's zone reads the clock where there is no venue",
  );
  assert.deepEqual(by['Night 4'].venue, {
    slug: null,
    name: null,
    city: 'Berlin',
    country: 'DE',
    latitude: null,
    longitude: null,
  });
});

test('clocks: trusted, local, skipped, repeated, untrusted, and what comes later in the feed', async (t) => {
  const sqlite = freshFile(t);
  const at = (id: string, start_at: string, more: object = {}) =>
    night(id, { start_at, lineup: [], ...more });
  await feed(sqlite, [
    at('local', '2026-12-01T23:00'),
    at('instant', '2026-12-01T23:00:00Z'),
    at('offset', '2026-12-02T23:00:00+0100'),
    at('hours', '2026-12-03T23:00+01'),
    at('gap', '2026-03-29T02:30'),
    at('twice', '2026-10-25T02:30'),
    at('date', '2026-07-01'),
    at('nowhere', '2026-07-01T22:00', { venue: null }),
    // The city, and with it the zone, is only known after the events were.
    house,
    berlin,
  ]);
  const starts = Object.fromEntries(
    ask(sqlite, 'listEvents').map((event: { name: string; start_at: string; timezone: string }) => [
      event.name.slice(6),
      [event.start_at, event.timezone],
    ]),
  );
  assert.deepEqual(starts, {
    local: ['2026-12-01T23:00:00+01:00', 'Europe/Berlin'],
    instant: ['2026-12-02T00:00:00+01:00', 'Europe/Berlin'],
    offset: ['2026-12-02T23:00:00+01:00', 'Europe/Berlin'],
    hours: ['2026-12-03T23:00:00+01:00', 'Europe/Berlin'],
    gap: ['2026-03-29T03:30:00+02:00', 'Europe/Berlin'],
    twice: ['2026-10-25T02:30:00+02:00', 'Europe/Berlin'],
    date: ['2026-07-01T00:00:00Z', null],
    nowhere: ['2026-07-01T22:00:00Z', null],
  });
  await feed(sqlite, [night('z', { start_at: '2026-12-01T23:00:00Z' })], {
    source: 'writes-z',
    clock: 'local',
  });
  const [z] = ask(sqlite, 'listEvents', { filters: { artist: 'dixon' } });
  assert.deepEqual(
    [z.start_at, z.venue.slug],
    ['2026-12-01T23:00:00+01:00', 'haus'],
    'a declared Z is a local clock',
  );
});

test('a complete feed withdraws what it no longer lists, with a brake', async (t) => {
  const sqlite = freshFile(t);
  const past = night('past', { start_at: '2020-01-01T23:00' });
  const all = [berlin, house, past, night('1'), night('2'), night('3')];
  await feed(sqlite, all);
  const refused = await feed(sqlite, [berlin], { complete: true });
  assert.match(refused.refused ?? '', /no longer lists 5 of 6/);
  assert.ok(ask(sqlite, 'listEvents').every((event: { status: string | null }) => event.status === null));
  const done = await feed(sqlite, [berlin, house, night('1'), night('2')], { complete: true });
  assert.equal(done.kinds.event?.withdrawn, 2);
  const statuses = () =>
    Object.fromEntries(
      ask(sqlite, 'listEvents').map((e: { name: string; status: string }) => [e.name, e.status]),
    );
  assert.deepEqual(statuses(), {
    'Night past': null,
    'Night 1': null,
    'Night 2': null,
    'Night 3': 'cancelled',
  });
  await feed(sqlite, all, { complete: true });
  assert.equal(statuses()['Night 3'], null, 'what is listed again is back');
});

test('fields have an owner: higher trust, then the newer statement; silence blanks nothing', async (t) => {
  const sqlite = freshFile(t);
  const artist = (more: object) => ({ kind: 'artist', external_id: 'a', name: 'Objekt', ...more });
  await feed(sqlite, [artist({ country: 'DE', biography: 'low', aliases: ['TJ'] })], {
    source: 'low',
    trust: 10,
  });
  await feed(sqlite, [artist({ biography: 'high', aliases: ['Object'] })], { source: 'high', trust: 90 });
  const shown = ask(sqlite, 'getArtist', { slug: 'objekt' });
  assert.deepEqual([shown.country, shown.biography, shown.aliases], ['DE', 'high', ['Object', 'TJ']]);
  await feed(sqlite, [artist({ biography: null })], { source: 'high' });
  assert.equal(ask(sqlite, 'getArtist', { slug: 'objekt' }).biography, null, 'null says "none"');
});

test('genres below count and filter with those above; a moved branch takes its events along', async (t) => {
  const sqlite = freshFile(t);
  const genre = (name: string, parent: string | null) => ({ kind: 'genre', external_id: name, name, parent });
  await feed(sqlite, [
    genre('Electronic', null),
    genre('Techno', 'Electronic'),
    genre('Dub Techno', 'Techno'),
    genre('Dub', 'Electronic'),
    berlin,
    house,
    night('1', { genres: ['Dub Techno', 'dub'] }),
    { kind: 'artist', external_id: 'a', name: 'Monolake', genres: ['Dub Techno'] },
  ]);
  const names = (slug: string) => ask(sqlite, 'listEvents', { filters: { genre: slug } }).length;
  assert.deepEqual(['electronic', 'techno', 'dub-techno', 'dub', 'none'].map(names), [1, 1, 1, 1, 0]);
  const techno = ask(sqlite, 'getGenre', { slug: 'techno' });
  assert.deepEqual([techno.artist_count, techno.upcoming_event_count], [1, 1]);
  await feed(sqlite, [genre('Dub Techno', 'Dub')]);
  assert.deepEqual(['electronic', 'techno', 'dub-techno', 'dub'].map(names), [1, 0, 1, 1]);
  assert.equal(ask(sqlite, 'getGenre', { slug: 'techno' }).artist_count, 0);
  const report = await feed(sqlite, [genre('Electronic', 'Dub Techno')]);
  assert.match(report.rejected[0]?.reason ?? '', /cannot be its own (parent|ancestor)/);
});

test('a walk begun before a sync meets every record exactly once, moved and renamed ones too', async (t) => {
  const sqlite = freshFile(t);
  const many = Array.from({ length: 40 }, (_, i) =>
    night(`e${i}`, { start_at: `2026-12-${String(1 + (i % 28)).padStart(2, '0')}T20:00` }),
  );
  const artists = Array.from({ length: 40 }, (_, i) => ({
    kind: 'artist',
    external_id: `x${i}`,
    name: `Name ${String(i).padStart(2, '0')}`,
  }));
  await feed(sqlite, [berlin, house, ...many, ...artists]);
  const walk = async (operation: OperationId, change: () => Promise<unknown>) => {
    const reader = openCatalogueReader(sqlite);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; ; page++) {
      const question = { operation, slug: '', edition: '', filters: {}, limit: 7, cursor, q: '', now };
      const body = JSON.parse(handleOperation(question, { reader, search: null as never }));
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (page === 2) await change();
      if (!body.page.has_more) return seen;
      cursor = body.page.next_cursor;
    }
  };
  const ids = (operation: OperationId) =>
    ask(sqlite, operation)
      .map(({ id }: { id: string }) => id)
      .sort();
  const eventsBefore = ids('listEvents');
  const seenEvents = await walk('listEvents', () =>
    // From the end to the beginning, and from the beginning to the end.
    feed(
      sqlite,
      many.map((event, i) => ({
        ...event,
        start_at: i % 2 ? '2026-11-25T20:00' : `2027-01-${String(1 + (i % 28)).padStart(2, '0')}T20:00`,
      })),
    ),
  );
  assert.deepEqual([...seenEvents].sort(), eventsBefore);
  const artistsBefore = ids('listArtists');
  const seenArtists = await walk('listArtists', () =>
    feed(
      sqlite,
      artists.map((artist, i) => ({ ...artist, name: i % 2 ? `Aaa ${i}` : `Zzz ${i}` })),
    ),
  );
  assert.deepEqual([...seenArtists].sort(), artistsBefore);
});

test('a walk of a line-up, tickets or tracks goes on in what the list was', async (t) => {
  const sqlite = freshFile(t);
  const acts = Array.from({ length: 12 }, (_, i) => `Act ${i}`);
  const lineup = (names: string[]) => names.map((name) => ({ name }));
  const tickets = (names: string[]) =>
    names.map((seller) => ({ seller, url: `https://t.example/${encodeURIComponent(seller)}` }));
  const tracklist = (names: string[]) => names.map((title) => ({ artist_name: 'X', title }));
  const lines = (names: string[]) => [
    berlin,
    house,
    night('1', { lineup: lineup(names), tickets: tickets(names) }),
    { kind: 'podcast', external_id: 'p', name: 'Pod' },
    {
      kind: 'episode',
      external_id: 'e',
      podcast: { name: 'Pod' },
      name: 'Pod 1',
      tracklist: tracklist(names),
    },
  ];
  await feed(sqlite, lines(acts));
  const changes = [acts.slice(1), ['Opening', ...acts], acts.toReversed(), acts];
  for (const [operation, slug, name] of [
    ['listEventLineup', 'night-1-2026-12-01', 'name'],
    ['listEventTickets', 'night-1-2026-12-01', 'seller'],
    ['listTracks', 'pod-1', 'title'],
  ] as const) {
    for (const change of changes) {
      const reader = openCatalogueReader(sqlite);
      const before = ask(sqlite, operation, { slug }).map((entry: Record<string, string>) => entry[name]);
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; ; page++) {
        const question = { operation, slug, edition: '', filters: {}, limit: 5, cursor, q: '', now };
        const body = JSON.parse(handleOperation(question, { reader, search: null as never }));
        seen.push(...body.data.map((entry: Record<string, string>) => entry[name]));
        if (page === 0) await feed(sqlite, lines(change));
        if (!body.page.has_more) break;
        cursor = body.page.next_cursor;
      }
      assert.deepEqual(seen, before, operation);
    }
  }
});

test('a time zone is kept in its own case, an old name as it is', async (t) => {
  const sqlite = freshFile(t);
  const zones = {
    'europe/berlin': 'Europe/Berlin',
    'EUROPE/BERLIN': 'Europe/Berlin',
    'america/port-au-prince': 'America/Port-au-Prince',
    'africa/dar_es_salaam': 'Africa/Dar_es_Salaam',
    'us/pacific': 'US/Pacific',
    'asia/calcutta': 'Asia/Calcutta',
    'gb-eire': 'GB-Eire',
    est5edt: 'EST5EDT',
    utc: 'UTC',
  };
  for (const [written, own] of Object.entries(zones)) {
    await feed(sqlite, [house, night('1', { timezone: written })]);
    assert.equal(ask(sqlite, 'listEvents')[0].timezone, own, written);
  }
});

test('a line that was skipped still lists its record; one id is one line', async (t) => {
  const sqlite = freshFile(t);
  const all = [berlin, house, night('1'), night('2'), night('3'), night('4')];
  await feed(sqlite, all, { complete: true });
  const statuses = () => ask(sqlite, 'listEvents').map((event: { status: string | null }) => event.status);
  const bad = await feed(
    sqlite,
    [berlin, house, night('1'), night('2'), night('3'), night('4', { minimum_age: -1 })],
    { complete: true },
  );
  assert.match(bad.rejected[0]?.reason ?? '', /^minimum_age must be 0 or more/);
  assert.equal(bad.refused, null);
  assert.deepEqual(statuses(), [null, null, null, null]);
  const cut = await feed(
    sqlite,
    [berlin, house, night('1'), night('2'), night('3'), '{"kind":"event","exter'],
    { complete: true },
  );
  assert.match(cut.refused ?? '', /1 line has no readable key/);
  assert.deepEqual(statuses(), [null, null, null, null]);
  const twice = [...all, night('1', { name: 'Something else' })];
  const first = await feed(sqlite, twice);
  assert.match(first.rejected[0]?.reason ?? '', /each external_id may have one line only/);
  assert.equal((await feed(sqlite, twice)).revision, first.revision);
  const late = await feed(sqlite, [night('9', { start_at: '9999-12-31T23:59:59Z', timezone: 'Asia/Tokyo' })]);
  assert.match(late.rejected[0]?.reason ?? '', /outside the years/);
});

test('many of one name keep their slugs apart; odd names get readable ones', async (t) => {
  const sqlite = freshFile(t);
  const artists = ['¥ØU$UK€ ¥UK1MAT$U', '!!!', '電気', '🎉', 'Fred again..', 'Above & Beyond'];
  await feed(
    sqlite,
    artists.map((name, i) => ({ kind: 'artist', external_id: `o${i}`, name })),
  );
  await feed(
    sqlite,
    Array.from({ length: 30 }, (_, i) => ({ kind: 'artist', external_id: `k${i}`, name: 'K' })),
  );
  const slugs: string[] = ask(sqlite, 'listArtists').map(({ slug }: { slug: string }) => slug);
  assert.equal(new Set(slugs).size, 36);
  for (const slug of slugs) assert.match(slug, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  assert.ok(
    ['yousuke-yuk1matsu', 'dianqi', 'fred-again', 'above-and-beyond', 'k', 'k-2', 'k-30'].every((slug) =>
      slugs.includes(slug),
    ),
    slugs.join(),
  );
});

test('tracklists: IDs are unidentified, credits link whom the catalogue knows', async (t) => {
  const sqlite = freshFile(t);
  await feed(sqlite, [
    { kind: 'artist', external_id: 'a', name: 'Âme' },
    { kind: 'artist', external_id: 'd', name: 'Dixon' },
    { kind: 'label', external_id: 'i', name: 'Innervisions' },
    { kind: 'podcast', external_id: 'p', name: 'Pod' },
    {
      kind: 'episode',
      external_id: 'e',
      podcast: { name: 'pod' },
      name: 'Pod 001',
      artists: [{ name: 'Dixon' }],
      tracklist: [
        { artist_name: 'Ame & Dixon', title: 'Rej', label_name: 'Innervisions' },
        { artist_name: 'ID', title: 'ID' },
        { artist_name: 'Nobody Known', title: 'Something', start_seconds: 90.5 },
      ],
    },
  ]);
  const tracks = ask(sqlite, 'listTracks', { slug: 'pod-001' });
  assert.deepEqual(
    tracks[0].artists.map(({ slug }: { slug: string }) => slug),
    ['ame', 'dixon'],
  );
  assert.equal(tracks[0].label.slug, 'innervisions');
  assert.deepEqual([tracks[1].artist_name, tracks[1].title, tracks[1].identified], [null, null, false]);
  assert.deepEqual([tracks[2].artists, tracks[2].identified, tracks[2].start_seconds], [[], true, 90.5]);
});

/** What `verify` finds wrong. */
const problems = (sqlite: Database.Database): string[] =>
  [...checkFile(sqlite)].flatMap((check) => check.problems);

test('a line that fails half-way takes back itself alone', async (t) => {
  const sqlite = freshFile(t);
  const late = { name: 'Nobody', set_start_at: '9999-12-31T23:59:59Z' };
  const lines = [
    berlin,
    house,
    night('1'),
    night('bad', { timezone: 'Asia/Tokyo', lineup: [{ name: 'New Here' }, late] }),
    '{"kind":"event"',
    night('2', { lineup: [{ name: 'Âme' }, { name: 'Later' }] }),
    night('worse', { timezone: 'Asia/Tokyo', lineup: [late] }),
    night('3'),
  ];
  const report = await feed(sqlite, lines);
  assert.deepEqual(
    report.rejected.map(({ line }) => line),
    [4, 5, 7],
  );
  assert.match(report.rejected[0]?.reason ?? '', /outside the years/);
  assert.deepEqual([report.kinds.event?.created, report.kinds.artist?.created], [3, 3]);
  assert.deepEqual(
    ask(sqlite, 'listArtists').map(({ name }: { name: string }) => name),
    ['Âme', 'Dixon', 'Later'],
  );
  assert.deepEqual(problems(sqlite), []);
  assert.equal((await feed(sqlite, lines)).revision, report.revision);
});

test('a run that dies anywhere and is run again is the same as one that was not disturbed', async (t) => {
  const lines = [
    berlin,
    house,
    ...Array.from({ length: 30 }, (_, i) =>
      night(`n${i}`, {
        start_at: `2026-12-${10 + (i % 20)}T2${i % 4}:00`,
        lineup: [{ name: `Act ${i % 7}` }],
      }),
    ),
    { ...house, external_id: 'v2', name: 'Other' },
    { kind: 'artist', external_id: 'a3', name: 'Act 3', aliases: ['Third'] },
  ];
  const whole = freshFile(t);
  await feed(whole, lines);
  const shown = (sqlite: Database.Database) =>
    ask(sqlite, 'listEvents').map(({ id: _, ...event }: { id: string }) => JSON.stringify(event));
  for (const [at, until] of [3, 9, 17, 26, 33].entries()) {
    const sqlite = freshFile(t);
    async function* dying() {
      for (const [index, line] of lines.entries()) {
        if (index === until) throw new Error('the power is gone');
        yield Buffer.from(`${JSON.stringify(line)}\n`);
      }
    }
    await assert.rejects(feed(sqlite, [], { input: dying(), alone: at % 2 === 0 }), /the power is gone/);
    await feed(sqlite, lines);
    assert.deepEqual(shown(sqlite), shown(whole));
    assert.deepEqual(problems(sqlite), []);
  }
});

test('a slow source does not delay the others', async (t) => {
  const sqlite = freshFile(t);
  const other = openDatabase(sqlite.name, { create: false });
  t.after(() => other.close());
  other.pragma('busy_timeout = 0');
  let wrote = 0;
  async function* slow() {
    for (const line of [berlin, house, night('1')]) {
      yield Buffer.from(`${JSON.stringify(line)}\n`);
      await new Promise((resolve) => setTimeout(resolve, 60));
      other.exec('BEGIN IMMEDIATE; COMMIT');
      wrote++;
    }
  }
  for (const alone of [true, false]) await feed(sqlite, [], { input: slow(), alone });
  assert.equal(wrote, 6);
});

test('line-ups are read: acts split, marks dropped, no artist for TBA', async (t) => {
  const sqlite = freshFile(t);
  const playing = (...names: (string | object)[]) => ({
    lineup: names.map((name) => (typeof name === 'string' ? { name } : name)),
  });
  const casino = { kind: 'artist', external_id: 'cvj', name: 'Casino Versus Japan' };
  const lines = [
    berlin,
    house,
    night('1', playing('Âme b2b Dixon (live)', 'TBA', 'Steffi', '+ special guest')),
    night('2', playing('18+', 'D’Julz', 'Dance With The Dead', 'Ben UFO (& Joy Orbison)', 'Joy Orbison')),
    night('3', playing({ external_id: 'duo', name: 'Simian b2b Mobile' })),
    night('4', playing('Casino Versus Japan')),
  ];
  await feed(sqlite, lines);
  const acts = () =>
    ask(sqlite, 'listEvents').map((event: { lineup: { name: string }[] }) =>
      event.lineup.map(({ name }) => name),
    );
  assert.deepEqual(acts(), [
    ['Âme', 'Dixon', 'Steffi'],
    ['18+', 'D’Julz', 'Dance With The Dead', 'Ben UFO', 'Joy Orbison'],
    ['Simian b2b Mobile'],
    ['Casino', 'Japan'],
  ]);
  const { revision } = await feed(sqlite, [...lines, casino]);
  assert.deepEqual(acts()[3], ['Casino Versus Japan'], 'a source that knows the artist knows better');
  assert.equal((await feed(sqlite, [...lines, casino])).revision, revision);
  const other = freshFile(t);
  await feed(other, [casino, ...lines]);
  assert.deepEqual(
    ask(other, 'listEvents').at(3).lineup,
    ask(sqlite, 'listEvents').at(3).lineup,
    'in either order',
  );
});

test('a title states who plays only if no source lists the line-up', async (t) => {
  const sqlite = freshFile(t);
  const titled = {
    kind: 'event',
    external_id: '1',
    name: 'Drumcode: Adam Beyer b2b Cirez D, Ilario Alicante (live) + more',
    start_at: '2026-12-01T23:00',
    venue: { external_id: 'v', name: 'Haus' },
  };
  const plain = { ...titled, external_id: '2', name: 'Klubnacht', start_at: '2026-12-02T23:00' };
  const none = { ...titled, external_id: '3', start_at: '2026-12-03T23:00', lineup: [] };
  const acts = () =>
    ask(sqlite, 'listEvents').map((event: { lineup: { name: string }[] }) =>
      event.lineup.map(({ name }) => name),
    );
  const { revision } = await feed(sqlite, [berlin, house, titled, plain, none]);
  assert.deepEqual(acts(), [['Adam Beyer', 'Cirez D', 'Ilario Alicante'], [], []]);
  assert.equal((await feed(sqlite, [berlin, house, titled, plain, none])).revision, revision);
  const listed = { ...titled, lineup: [{ name: 'Adam Beyer' }, { name: 'Ilario Alicante' }] };
  await feed(sqlite, [house, listed], { source: 'other' });
  assert.deepEqual(acts()[0], ['Adam Beyer', 'Ilario Alicante'], 'a line-up is worth more than a title');
  assert.equal(ask(sqlite, 'listEvents').length, 3);
});

test('addresses are answered as URIs, whatever the feed has', async (t) => {
  const sqlite = freshFile(t);
  const written = [
    'https://club.example/ä b',
    'https://müller.example/x|y^{}',
    'https://ok.example',
    'https://x.example/100%',
    'https://x.example/%C3%A4?a=b%20c#d',
  ];
  await feed(
    sqlite,
    written.map((url, at) => night(String(at), { url, lineup: [] })),
  );
  const read = sqlite
    .prepare("SELECT content FROM source_records WHERE kind = 'event' ORDER BY external_id")
    .pluck()
    .all()
    .map((statement) => (JSON.parse(statement as string) as { url: string }).url);
  assert.deepEqual(read, [
    'https://club.example/%C3%A4%20b',
    'https://xn--mller-kva.example/x%7Cy%5E%7B%7D',
    'https://ok.example',
    'https://x.example/100%25',
    'https://x.example/%C3%A4?a=b%20c#d',
  ]);
});
