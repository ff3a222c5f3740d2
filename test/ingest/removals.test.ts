/** Records that editors hide or delete leave the catalogue, stay away in later imports, and can come back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../src/contract/feed.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { AuditLog } from '../../src/store/audit-log.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { SitemapReader } from '../../src/store/site/sitemap.ts';
import { ask, assertSettled, freshFile, matchingNow, partition, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
const removalsOf = (sqlite: Database.Database) => new Removals(sqlite, { now: matchingNow, actor });
const revision = (sqlite: Database.Database) =>
  sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
const stats = (sqlite: Database.Database) => openCatalogueReader(sqlite).stats(matchingNow);
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
const lineupOf = (sqlite: Database.Database, slug: string): string[] =>
  ask(sqlite, 'getEvent', { slug }).lineup.map(({ name }: { name: string }) => name);
const exported = (sqlite: Database.Database, since = 0): Record<string, unknown>[] =>
  [...exportLines(sqlite, { since })].flat().map((line) => JSON.parse(line));

const feed = [
  event('1', 'Tiefdruck', acts('Vera Lindt', 'Klara Otto')),
  event('2', 'Brain Break', { ...acts('Vera Lindt'), start_at: '2027-12-05T23:00' }),
];

test('a hidden event is gone from lists, counts, exports and sitemaps, and stays away', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const removals = removalsOf(sqlite);
  const before = exported(sqlite);
  const report = await removals.hide('event/brain-break-2027-12-05', { reason: 'no event' });
  assert.equal(report.state, 'hidden');
  assert.equal(report.changed, true);

  assert.deepEqual(partition(sqlite), ['one:1']);
  assert.equal(stats(sqlite).events, 1);
  assert.throws(() => ask(sqlite, 'getEvent', { slug: 'brain-break-2027-12-05' }), /There is no event/);
  assert.throws(
    () => ask(sqlite, 'listEventLineup', { slug: 'brain-break-2027-12-05' }),
    /There is no event/,
  );
  assert.ok(!JSON.stringify(exported(sqlite)).includes('Brain Break'));
  assert.deepEqual(
    new SitemapReader(sqlite).entries('event', 0, null, 10).map(({ url }) => url.split('/').at(-1)),
    ['tiefdruck-2027-12-04'],
  );
  assert.deepEqual(
    ask(sqlite, 'listArtistEvents', { slug: 'vera-lindt' }).map(({ name }: { name: string }) => name),
    ['Tiefdruck'],
  );
  assertSettled(sqlite);

  // The same feed again changes nothing, and neither does a changed one.
  const hiddenAt = revision(sqlite);
  await says(sqlite, 'one', feed);
  assert.equal(revision(sqlite), hiddenAt);
  await says(sqlite, 'one', [feed[0] as object, { ...feed[1], description: 'Stand up.' }]);
  // Another source that lists it binds to the hidden event.
  await says(sqlite, 'two', [
    event('b', 'Brain Break', { ...acts('Vera Lindt'), start_at: '2027-12-05T23:00' }),
  ]);
  assert.deepEqual(partition(sqlite), ['one:1']);
  assertSettled(sqlite);

  const again = await removals.hide(report.record.id);
  assert.deepEqual([again.changed, again.audit_id], [false, null]);
  const [listed] = removals.list({ limit: 10 });
  assert.deepEqual(
    [listed?.slug, listed?.state, listed?.reason, listed?.removed_by],
    ['brain-break-2027-12-05', 'hidden', 'no event', actor],
  );

  await removals.unhide('event/brain-break-2027-12-05');
  assert.deepEqual(partition(sqlite), ['one:1', 'one:2 + two:b']);
  const shown = ask(sqlite, 'getEvent', { slug: 'brain-break-2027-12-05' });
  assert.equal(shown.id, report.record.id);
  assert.equal(shown.description, 'Stand up.');
  assert.deepEqual(
    exported(sqlite).map(({ slug }) => slug),
    before.map(({ slug }) => slug),
  );
  assert.deepEqual(removals.list({ limit: 10 }), []);
  assertSettled(sqlite);
  const entries = new AuditLog(sqlite).list({ subject: 'brain-break-2027-12-05', limit: 10 });
  assert.deepEqual(
    entries.map(({ action, undoneBy }) => [action, undoneBy]),
    [
      ['record.restore', null],
      ['record.hide', entries[0]?.id],
    ],
  );
});

test('a hidden artist leaves line-ups, is not created anew by name, and comes back everywhere', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    { kind: 'artist', external_id: 'vl', name: 'Vera Lindt', aliases: ['V. Lindt'] },
    {
      kind: 'label',
      external_id: 'l',
      name: 'Tief',
      artists: [{ name: 'Vera Lindt' }, { name: 'Klara Otto' }],
    },
    {
      kind: 'episode',
      external_id: 'p1',
      podcast: { name: 'Funk' },
      name: 'Funk 1',
      artists: [{ name: 'Vera Lindt' }],
      tracklist: [{ artist_name: 'Vera Lindt', title: 'Eins', label_name: 'Tief' }],
    },
    ...feed,
  ]);
  const removals = removalsOf(sqlite);
  await removals.delete('artist/vera-lindt');
  assert.deepEqual(lineupOf(sqlite, 'tiefdruck-2027-12-04'), ['Klara Otto']);
  assert.deepEqual(lineupOf(sqlite, 'brain-break-2027-12-05'), []);
  assert.equal(ask(sqlite, 'listLabelArtists', { slug: 'tief' }).length, 1);
  assert.deepEqual(ask(sqlite, 'getEpisode', { slug: 'funk-1' }).artists, []);
  assertSettled(sqlite);

  // A new event names the artist in several spellings, and a source describes it.
  await says(sqlite, 'two', [
    event('3', 'Hochdruck', { ...acts('VERA LINDT', 'Mo Park'), start_at: '2027-12-09T23:00' }),
    event('4', 'Nebel', { ...acts('V. Lindt'), start_at: '2027-12-10T23:00' }),
    { kind: 'artist', external_id: 'x', name: 'Vera Lindt', country: 'DE' },
  ]);
  assert.deepEqual(lineupOf(sqlite, 'hochdruck-2027-12-09'), ['Mo Park']);
  assert.deepEqual(lineupOf(sqlite, 'nebel-2027-12-10'), []);
  assert.deepEqual(
    ask(sqlite, 'listArtists').map(({ slug }: { slug: string }) => slug),
    ['klara-otto', 'mo-park'],
  );
  assertSettled(sqlite);

  await removals.restore('artist/vera-lindt');
  assert.deepEqual(lineupOf(sqlite, 'tiefdruck-2027-12-04'), ['Vera Lindt', 'Klara Otto']);
  assert.deepEqual(lineupOf(sqlite, 'hochdruck-2027-12-09'), ['Vera Lindt', 'Mo Park']);
  assert.deepEqual(lineupOf(sqlite, 'nebel-2027-12-10'), ['Vera Lindt']);
  assert.equal(ask(sqlite, 'listLabelArtists', { slug: 'tief' }).length, 2);
  assert.equal(ask(sqlite, 'getEpisode', { slug: 'funk-1' }).artists[0].slug, 'vera-lindt');
  assert.equal(ask(sqlite, 'listTracks', { slug: 'funk-1' })[0].artists[0].slug, 'vera-lindt');
  assert.equal(ask(sqlite, 'getArtist', { slug: 'vera-lindt' }).country, 'DE');
  assertSettled(sqlite);
});

test('an artist and a venue known by name only come back with their slugs', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const removals = removalsOf(sqlite);
  const venue = ask(sqlite, 'getVenue', { slug: 'kornspeicher' });
  await removals.hide('artist/klara-otto');
  await removals.hide('venue/kornspeicher');
  const shown = ask(sqlite, 'getEvent', { slug: 'tiefdruck-2027-12-04' });
  assert.deepEqual(
    [shown.venue.slug, shown.venue.name, shown.city.slug, shown.timezone],
    [null, 'Kornspeicher', 'hamburg', 'Europe/Berlin'],
  );
  await says(sqlite, 'two', [event('9', 'Nebel', { ...acts('Klara Otto'), start_at: '2028-01-02T23:00' })]);
  assert.equal(ask(sqlite, 'listVenues').length, 0);
  assertSettled(sqlite);
  await removals.unhide('artist/klara-otto');
  await removals.unhide('venue/kornspeicher');
  assert.deepEqual(lineupOf(sqlite, 'tiefdruck-2027-12-04'), ['Vera Lindt', 'Klara Otto']);
  assert.equal(ask(sqlite, 'getVenue', { slug: 'kornspeicher' }).id, venue.id);
  assert.equal(ask(sqlite, 'listVenueEvents', { slug: 'kornspeicher' }).length, 3);
  assertSettled(sqlite);
});

test('a festival takes its editions along, a podcast its episodes, and new ones do not appear', async (t) => {
  const sqlite = freshFile(t);
  const edition = (year: string) => ({
    kind: 'edition',
    external_id: `e${year}`,
    festival: { name: 'Nordlicht' },
    edition: year,
    start_at: `${year}-08-01`,
  });
  const episode = (number: number) => ({
    kind: 'episode',
    external_id: `p${number}`,
    podcast: { name: 'Funk' },
    name: `Funk ${number}`,
  });
  const festivalEvent = event('f', 'Nordlicht Tag 1', {
    festival: { festival: { name: 'Nordlicht' }, edition: '2027' },
  });
  await says(sqlite, 'one', [edition('2026'), edition('2027'), episode(1), festivalEvent]);
  const removals = removalsOf(sqlite);
  const report = await removals.delete('festival/nordlicht');
  assert.equal(report.parts, 2);
  await removals.hide('podcast/funk');
  await says(sqlite, 'one', [edition('2028'), episode(2)]);
  await says(sqlite, 'two', [
    { ...edition('2028'), external_id: 'other' },
    { ...episode(2), external_id: 'o' },
  ]);
  const { festivals, editions, podcasts, episodes, events } = stats(sqlite);
  assert.deepEqual([festivals, editions, podcasts, episodes, events], [0, 0, 0, 0, 1]);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'nordlicht-tag-1-2027-12-04' }).festival_edition, null);
  assert.equal(removals.list({ kind: 'festival', limit: 5 })[0]?.parts, 3);
  assertSettled(sqlite);
  await assert.rejects(removals.restore('edition/nordlicht-2027'), /removed with festival\/nordlicht/);

  await removals.restore('festival/nordlicht');
  await removals.unhide('podcast/funk');
  assert.deepEqual(
    ask(sqlite, 'listFestivalEditions', { slug: 'nordlicht' }).map((one: { edition: string }) => one.edition),
    ['2028', '2027', '2026'],
  );
  assert.equal(ask(sqlite, 'listPodcastEpisodes', { slug: 'funk' }).length, 2);
  const shown = ask(sqlite, 'getEvent', { slug: 'nordlicht-tag-1-2027-12-04' });
  assert.equal(shown.festival_edition.edition, '2027');
  assertSettled(sqlite);
});

test('cities and genres in use stay; an unused one goes and is not created anew', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    { kind: 'city', external_id: 'c', name: 'Atlantis', country: 'GR' },
    { kind: 'genre', external_id: 'g', name: 'Wrong' },
    event('1', 'Tiefdruck', { genres: ['Techno'] }),
  ]);
  const removals = removalsOf(sqlite);
  await assert.rejects(removals.delete('city/hamburg'), /used by .*1 event.*cratebase merge/);
  await assert.rejects(removals.hide('genre/techno'), /used by 1 event/);
  await removals.delete('city/atlantis');
  await removals.delete('genre/wrong');
  await says(sqlite, 'two', [
    { kind: 'city', external_id: 'c2', name: 'Atlantis', country: 'GR' },
    event('5', 'Flut', {
      venue: { name: 'Grotte', city: 'Atlantis', country: 'GR' },
      genres: ['Wrong', 'Techno'],
    }),
  ]);
  const shown = ask(sqlite, 'getEvent', { slug: 'flut-2027-12-04' });
  assert.deepEqual([shown.city, shown.venue.city, shown.genres.length], [null, 'Atlantis', 1]);
  assert.equal(stats(sqlite).cities, 1);
  assertSettled(sqlite);
  await removals.restore('city/atlantis');
  await removals.restore('genre/wrong');
  assert.equal(ask(sqlite, 'getEvent', { slug: 'flut-2027-12-04' }).city.slug, 'atlantis');
  assertSettled(sqlite);
});

test('the change log and an increment of the export name what went and what came back', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const since = revision(sqlite);
  const removals = removalsOf(sqlite);
  await removals.delete('event/brain-break-2027-12-05');
  const lines = exported(sqlite, since);
  assert.deepEqual(
    lines.find(({ change }) => change === 'deleted'),
    {
      kind: 'event',
      external_id: 'brain-break-2027-12-05',
      slug: 'brain-break-2027-12-05',
      revision: since + 1,
      change: 'deleted',
    },
  );

  // A mirror that reads increments follows, and reads a restore too.
  const mirror = freshFile(t);
  await says(mirror, 'export', exported(sqlite, 0));
  await removals.restore('event/brain-break-2027-12-05');
  await says(mirror, 'export', exported(sqlite, 0));
  assert.equal(stats(mirror).events, 2);
  const restoredAt = revision(sqlite);
  await removals.delete('event/brain-break-2027-12-05');
  await says(mirror, 'export', exported(sqlite, restoredAt));
  assert.equal(stats(mirror).events, 1);
  const deletedAt = revision(sqlite);
  await removals.restore('event/brain-break-2027-12-05');
  const [back] = exported(sqlite, deletedAt).filter(({ kind }) => kind === 'event');
  assert.equal(back?.change, 'restored');
  await says(mirror, 'export', exported(sqlite, deletedAt));
  assert.equal(stats(mirror).events, 2);
  assertSettled(mirror);
});

test('corrections refuse removed records with advice; a decision made before stays', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  await says(sqlite, 'two', [event('b', 'Tiefdruck', acts('Vera Lindt', 'Klara Otto'))]);
  const removals = removalsOf(sqlite);
  await removals.hide('event/tiefdruck-2027-12-04');
  const corrections = new Corrections(sqlite, matchingNow);
  await assert.rejects(
    corrections.merge('event/brain-break-2027-12-05', 'event/tiefdruck-2027-12-04'),
    /is hidden\. Bring it back with `cratebase unhide/,
  );
  await assert.rejects(corrections.split('event/tiefdruck-2027-12-04', []), /is hidden\. Bring it back/);
  assert.match(corrections.explain('event/tiefdruck-2027-12-04').removed ?? '', /is hidden\./);
  await assert.rejects(removals.hide('event/nothing'), /There is no record/);
  // A listing that moves away from the hidden show stays with it.
  await says(sqlite, 'two', [event('b', 'Something else', { start_at: '2028-03-04T20:00' })]);
  assert.deepEqual(partition(sqlite), ['one:2']);
  assertSettled(sqlite);
  await removals.delete('event/tiefdruck-2027-12-04');
  await assert.rejects(removals.unhide('event/tiefdruck-2027-12-04'), /deleted, not hidden/);
  await assert.rejects(removals.hide('event/tiefdruck-2027-12-04'), /deleted already/);
  await removals.restore('event/tiefdruck-2027-12-04');
  // The listing that moved is an event of its own now.
  assert.deepEqual(partition(sqlite), ['one:1', 'one:2', 'two:b']);
  assertSettled(sqlite);
});

test('pagination that began before a removal goes on', async (t) => {
  const sqlite = freshFile(t);
  const days = Array.from({ length: 9 }, (_, day) =>
    event(`${day}`, `Nacht ${day}`, {
      ...acts('A One', 'B Two', 'C Three', 'D Four'),
      start_at: `2027-12-1${day}T23:00`,
    }),
  );
  await says(sqlite, 'one', days);
  const { handleOperation } = await import('../../src/catalogue/handlers.ts');
  const page = (operation: 'listEvents' | 'listEventLineup', cursor?: string, slug = '') =>
    JSON.parse(
      handleOperation(
        { operation, slug, edition: '', filters: {}, limit: 2, cursor, q: '', now: matchingNow },
        { reader: openCatalogueReader(sqlite), search: { search: () => [] } as never },
      ),
    );
  const first = page('listEvents');
  const lineup = page('listEventLineup', undefined, 'nacht-8-2027-12-18');
  const removals = removalsOf(sqlite);
  for (const day of [1, 4]) await removals.hide(`event/nacht-${day}-2027-12-1${day}`);
  await removals.hide('artist/b-two');
  const names = first.data.map(({ name }: { name: string }) => name);
  for (let next = first.page.next_cursor; next !== null; ) {
    const more = page('listEvents', next);
    names.push(...more.data.map(({ name }: { name: string }) => name));
    next = more.page.next_cursor;
  }
  assert.deepEqual(
    names,
    [0, 1, 2, 3, 5, 6, 7, 8].map((day) => `Nacht ${day}`),
  );
  const rest = page('listEventLineup', lineup.page.next_cursor, 'nacht-8-2027-12-18');
  assert.deepEqual(
    rest.data.map(({ name }: { name: string }) => name),
    ['C Three', 'D Four'],
  );
});

for (const [kind, slug] of [
  ['artist', 'vera-lindt'],
  ['venue', 'kornspeicher'],
] as const satisfies [FeedKind, string][]) {
  test(`the ${kind} of many events is hidden in short transactions and comes back`, async (t) => {
    const sqlite = freshFile(t);
    const many = Array.from({ length: 600 }, (_, day) =>
      event(`${day}`, `Nacht ${day}`, {
        ...acts('Vera Lindt', `Act ${day % 7}`),
        start_at: `${new Date(matchingNow + day * 86_400_000).toISOString().slice(0, 10)}T23:00`,
      }),
    );
    await says(sqlite, 'one', many);
    const shown = () => sqlite.prepare('SELECT id, item_json FROM events ORDER BY id').all();
    const before = shown();
    const removals = removalsOf(sqlite);
    await removals.hide(`${kind}/${slug}`);
    assert.notDeepEqual(shown(), before);
    assertSettled(sqlite);
    const hiddenAt = revision(sqlite);
    await says(sqlite, 'one', many);
    assert.equal(revision(sqlite), hiddenAt);
    await removals.unhide(`${kind}/${slug}`);
    assert.deepEqual(shown(), before);
    assertSettled(sqlite);
  });
}

test('a removed edition whose place another one took is not restored, and the rest of its festival is', async (t) => {
  const sqlite = freshFile(t);
  const edition = (id: string, festival: string, year: string) => ({
    kind: 'edition',
    external_id: id,
    festival: { name: festival },
    edition: year,
  });
  await says(sqlite, 'one', [edition('f26', 'Break Week', '2026'), edition('f27', 'Break Week', '2027')]);
  await says(sqlite, 'two', [edition('g27', 'Bruchwoche', '2027')]);
  const removals = removalsOf(sqlite);
  await removals.hide('edition/break-week-2027');
  const corrections = new Corrections(sqlite, matchingNow, undefined, actor);
  await corrections.merge('festival/break-week', 'festival/bruchwoche');
  await assert.rejects(
    removals.unhide('edition/break-week-2027'),
    /edition\/break-week-2027 stays removed: edition "2027" of its festival is another record already/,
  );
  assertSettled(sqlite);
  await removals.delete('edition/bruchwoche-2027');
  await removals.unhide('edition/break-week-2027');
  await removals.delete('festival/break-week');
  await removals.restore('festival/break-week');
  assert.deepEqual(
    ask(sqlite, 'listFestivalEditions', { slug: 'break-week' }).map(
      ({ edition: year }: { edition: string }) => year,
    ),
    ['2027', '2026'],
  );
  assertSettled(sqlite);
});
