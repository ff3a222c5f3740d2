/** A source that was a mistake leaves with everything that only it brought; nothing becomes "cancelled" by that. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { importStarter, requestStarter } from '../../src/ingest/starter.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { ask, assertSettled, freshFile, matchingNow, partition, says } from '../support/matching.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const module = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
const actor = 'terminal:ada' as const;
const removalsOf = (sqlite: Database.Database, now = matchingNow) => new Removals(sqlite, { now, actor });
const revision = (sqlite: Database.Database) =>
  sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
const counts = (sqlite: Database.Database) => {
  const { artists, events, festivals, editions, venues, cities, labels, genres } =
    openCatalogueReader(sqlite).stats(matchingNow);
  return { artists, events, festivals, editions, venues, cities, labels, genres };
};
const event = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-04T23:00',
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  ...more,
});
const acts = (...names: string[]) => ({ lineup: names.map((name) => ({ name })) });

/** Everything that readers see, without ids and times. */
const view = (sqlite: Database.Database) => ({
  counts: counts(sqlite),
  events: partition(sqlite),
  artists: sqlite.prepare('SELECT name, country, aliases, external_ids FROM artists ORDER BY folded').all(),
  venues: sqlite.prepare('SELECT name, city, country, address, timezone FROM venues ORDER BY folded').all(),
  lineups: sqlite
    .prepare(
      'SELECT e.name AS event, l.position, a.name FROM lineups l JOIN events e ON e.id = l.record_id JOIN artists a ON a.id = l.artist_id ORDER BY 1, 2',
    )
    .all(),
  names: sqlite.prepare('SELECT kind, name FROM names ORDER BY kind, name').all(),
});

const good = [
  { kind: 'artist', external_id: 'vl', name: 'Vera Lindt', country: 'DE' },
  event('1', 'Tiefdruck', acts('Vera Lindt', 'Klara Otto')),
];
const wrong = [
  { kind: 'artist', external_id: 'v', name: 'Vera Lindt', aliases: ['VL'], external_ids: { discogs: '77' } },
  { kind: 'venue', external_id: 'k', name: 'Kornspeicher', city: 'Hamburg', country: 'DE', address: 'Weg 1' },
  {
    kind: 'label',
    external_id: 'l',
    name: 'Falsch',
    parent: { name: 'Ganz Falsch' },
    artists: [{ name: 'Zed' }],
  },
  event('a', 'Tiefdruck', acts('Vera Lindt', 'Klara Otto', 'Only Here')),
  ...Array.from({ length: 30 }, (_, day) =>
    event(`b${day}`, 'Brain Break', {
      ...acts('Coach'),
      start_at: `2027-11-${String(day + 1).padStart(2, '0')}T12:00`,
      venue: { name: `Room ${day % 3}`, city: 'Bremen', country: 'DE' },
      festival: { festival: { name: 'Break Week' }, edition: '2027' },
      genres: ['Stretching'],
    }),
  ),
];

test('a purge leaves the catalogue as if the source had never been read', async (t) => {
  const [sqlite, without] = [freshFile(t), freshFile(t)];
  await says(sqlite, 'good', good);
  await says(without, 'good', good);
  await says(sqlite, 'wrong', wrong);
  assert.equal(counts(sqlite).events, 31);
  const removals = removalsOf(sqlite);
  const preview = removals.previewPurge('wrong');
  assert.equal(preview.source_records, wrong.length);
  const report = await removals.purgeSource('wrong');
  assert.deepEqual(report.removed, preview.removed);
  assert.deepEqual(report.removed, {
    event: 30,
    edition: 1,
    festival: 1,
    label: 2,
    artist: 3,
    venue: 3,
    genre: 1,
    city: 1,
  });
  assert.deepEqual(view(sqlite), view(without));
  assertSettled(sqlite);
  assert.throws(() => removals.previewPurge('wrong'), /There is no source wrong/);

  // Read again after it was set right: the slugs are free, and a second run changes nothing.
  await says(sqlite, 'wrong', wrong.slice(0, 5));
  assert.equal(ask(sqlite, 'getEvent', { slug: 'brain-break-2027-11-01' }).name, 'Brain Break');
  const readAt = revision(sqlite);
  await says(sqlite, 'wrong', wrong.slice(0, 5));
  assert.equal(revision(sqlite), readAt);
  assertSettled(sqlite);
});

test('a record that a person removed stays removed when its source is purged and read again', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'good', good);
  await says(sqlite, 'wrong', wrong);
  const removals = removalsOf(sqlite);
  await removals.delete('event/brain-break-2027-11-01');
  await removals.hide('artist/coach');
  await removals.purgeSource('wrong');
  await says(sqlite, 'wrong', wrong);
  assert.throws(() => ask(sqlite, 'getEvent', { slug: 'brain-break-2027-11-01' }), /There is no event/);
  assert.throws(() => ask(sqlite, 'getArtist', { slug: 'coach' }), /There is no artist/);
  assert.equal(counts(sqlite).events, 30);
  assertSettled(sqlite);
  await removals.restore('event/brain-break-2027-11-01');
  assert.equal(counts(sqlite).events, 31);
  await removals.purgeSource('wrong');
  await assert.rejects(removals.restore('artist/nobody'), /There is no record/);
  assert.equal(counts(sqlite).events, 1);
  assertSettled(sqlite);
});

test('a deleted event whose only source was purged cannot come back', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'wrong', wrong);
  const removals = removalsOf(sqlite);
  await removals.delete('event/brain-break-2027-11-01');
  await removals.purgeSource('wrong');
  assert.deepEqual(counts(sqlite), {
    artists: 0,
    events: 0,
    festivals: 0,
    editions: 0,
    venues: 0,
    cities: 0,
    labels: 0,
    genres: 0,
  });
  await assert.rejects(removals.restore('event/brain-break-2027-11-01'), /Nothing is left/);
  assertSettled(sqlite);
});

/** Purges a source in a process that kills itself after so many transactions. */
function purgeUntilKilled(sqlite: Database.Database, source: string, transactions: number): void {
  const code = `
    import { WriteBatches } from ${module('ingest/write-lock/write-batches.ts')};
    import { Removals } from ${module('ingest/removals/removals.ts')};
    import { openDatabase } from ${module('store/database.ts')};
    const { end } = WriteBatches.prototype;
    let left = ${transactions};
    WriteBatches.prototype.end = function () {
      const isOpen = this.isOpen;
      end.call(this);
      if (isOpen && --left === 0) process.kill(process.pid, 'SIGKILL');
    };
    const sqlite = openDatabase(${JSON.stringify(sqlite.name)}, { create: false });
    await new Removals(sqlite, { now: ${matchingNow}, actor: 'terminal:ada' }).purgeSource(${JSON.stringify(source)});`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const { signal, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(signal, 'SIGKILL', stderr);
}

test('a killed purge is completed by repeating it', async (t) => {
  const [sqlite, without] = [freshFile(t), freshFile(t)];
  await says(sqlite, 'good', good);
  await says(without, 'good', good);
  await says(sqlite, 'wrong', wrong);
  const before = counts(sqlite).events;
  purgeUntilKilled(sqlite, 'wrong', 6);
  const half = counts(sqlite).events;
  assert.ok(half < before && half > 1, `${half} of ${before}`);
  for (const { name, ok, problems } of checkFile(sqlite)) assert.ok(ok, `${name}: ${problems.join('; ')}`);
  await removalsOf(sqlite).purgeSource('wrong');
  assert.deepEqual(view(sqlite), view(without));
  assertSettled(sqlite);
});

test('the sample events go with what only they named; the starter catalogue stays', async (t) => {
  const sqlite = freshFile(t);
  requestStarter(sqlite);
  await importStarter(sqlite, matchingNow);
  const { events, ...others } = counts(sqlite);
  assert.ok(events > 100);
  const removals = removalsOf(sqlite);
  const { removed } = await removals.removeSamples();
  assert.deepEqual(removed, { event: events });
  assert.deepEqual(counts(sqlite), { events: 0, ...others });
  await assert.rejects(removals.removeSamples(), /no sample events/);
  assertSettled(sqlite);
});

const day = 86_400_000;
const setRules = (sqlite: Database.Database, rules: object) =>
  sqlite.prepare("UPDATE sources SET rules = ? WHERE name = 'club'").run(JSON.stringify(rules));
const nights = [event('1', 'Tiefdruck'), event('2', 'Hochdruck', { start_at: '2027-12-05T23:00' })];
const listed = { complete: true, force: true };

test('an upcoming event that no source lists becomes cancelled, or leaves by a rule of its source', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'club', nights, listed);
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'hochdruck-2027-12-05' }).status, 'cancelled');
  await says(sqlite, 'club', nights, listed);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'hochdruck-2027-12-05' }).status, null);

  setRules(sqlite, { onMissing: 'remove' });
  const { id } = ask(sqlite, 'getEvent', { slug: 'hochdruck-2027-12-05' });
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  assert.deepEqual(partition(sqlite), ['club:1']);
  const removedAt = revision(sqlite);
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  assert.equal(revision(sqlite), removedAt);
  assert.equal(removalsOf(sqlite).list({ limit: 5 })[0]?.removed_by, 'source:club');
  assertSettled(sqlite);
  // It is no decision of a person: a listing brings it back, also one of another source.
  await says(sqlite, 'club', nights, listed);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'hochdruck-2027-12-05' }).id, id);
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  await says(sqlite, 'seller', [{ ...nights[1], external_id: 'x' }]);
  assert.deepEqual(partition(sqlite), ['club:1', 'seller:x']);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'hochdruck-2027-12-05' }).id, id);
  assertSettled(sqlite);
});

test('with a grace time it is cancelled first and leaves later; a past event stays', async (t) => {
  const sqlite = freshFile(t);
  const past = event('0', 'Gestern', { start_at: '2026-11-01T23:00' });
  await says(sqlite, 'club', [past, ...nights], listed);
  setRules(sqlite, { onMissing: { removeAfterMs: 7 * day } });
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  assert.equal(ask(sqlite, 'getEvent', { slug: 'hochdruck-2027-12-05' }).status, 'cancelled');
  await says(sqlite, 'club', nights.slice(0, 1), { ...listed, now: matchingNow + 6 * day });
  assert.equal(partition(sqlite).length, 3);
  await says(sqlite, 'club', nights.slice(0, 1), { ...listed, now: matchingNow + 7 * day });
  assert.deepEqual(
    ask(sqlite, 'listEvents').map(({ slug }: { slug: string }) => slug),
    ['gestern-2026-11-01', 'tiefdruck-2027-12-04'],
  );
  assert.equal(ask(sqlite, 'getEvent', { slug: 'gestern-2026-11-01' }).status, null);
  assertSettled(sqlite);
});

test('the preview of a purge counts the events that left before, and what only they named', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'good', good);
  await says(
    sqlite,
    'club',
    [...nights, event('3', 'Nur Hier', { start_at: '2027-12-06T23:00', ...acts('Only Here') })],
    listed,
  );
  setRules(sqlite, { onMissing: 'remove' });
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  const removals = removalsOf(sqlite);
  const preview = removals.previewPurge('club');
  assert.ok((preview.removed.event ?? 0) >= 2, JSON.stringify(preview));
  assert.deepEqual((await removals.purgeSource('club')).removed, preview.removed);
  assertSettled(sqlite);
});

test('an event that a person deleted is not brought back by a listing', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'club', nights, listed);
  setRules(sqlite, { onMissing: 'remove' });
  await says(sqlite, 'club', nights.slice(0, 1), listed);
  await removalsOf(sqlite).delete('event/hochdruck-2027-12-05');
  await says(sqlite, 'club', nights, listed);
  assert.deepEqual(partition(sqlite), ['club:1']);
  assertSettled(sqlite);
});

test('an edition of a deleted festival is removed with it, also after a purge', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'wrong', [{ kind: 'festival', external_id: 'f', name: 'Break Week' }]);
  const removals = removalsOf(sqlite);
  await removals.delete('festival/break-week');
  await removals.purgeSource('wrong');
  const festival = { external_id: 'f', name: 'Break Week' };
  await says(sqlite, 'wrong', [{ kind: 'edition', external_id: 'f27', festival, edition: '2027' }]);
  assert.deepEqual(counts(sqlite), counts(freshFile(t)));
  assertSettled(sqlite);
});
