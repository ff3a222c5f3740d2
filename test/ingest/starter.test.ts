/** The starter catalogue: what it holds, that it agrees with itself, and both ways of filling a new file with it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { readAsset, seedPaths } from '../../src/assets.ts';
import { importStarter, makeStarterFile, requestStarter } from '../../src/ingest/starter.ts';
import { openDatabase } from '../../src/store/database.ts';
import { copyCatalogueFrom } from '../../src/store/file/copy-catalogue.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { fold } from '../../src/text/fold.ts';
import { run, startServer } from '../support/program.ts';
import { serve } from '../support/serve-process.ts';

type Line = {
  kind: string;
  external_id: string;
  name: string;
  country?: string;
  genres?: string[];
  timezone?: string;
  latitude?: number;
  parent?: string | null;
  artists?: { name: string; external_id?: string }[];
  lineup?: {
    name: string;
    external_id?: string;
    stage?: string;
    set_start_at?: string;
    set_end_at?: string;
  }[];
  festival?: { external_id: string };
  podcast?: { external_id?: string; name: string };
  tracklist?: object[];
  aliases?: string[];
  external_ids?: Record<string, string>;
  image_url?: string;
  image_credit?: string;
  image_license?: string;
};
const lines = seedPaths().flatMap((path) =>
  readAsset(path)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line),
);
const of = (kind: string) => lines.filter((line) => line.kind === kind);
const count = <T>(items: T[], key: (item: T) => string) => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};
const now = Date.parse('2026-11-20T12:00:00Z');

test('the seed holds what the product promises', () => {
  const genres = new Set(of('genre').map(({ name }) => name));
  assert.ok(genres.size >= 150);
  assert.ok(of('city').filter((city) => city.timezone && city.latitude !== undefined).length >= 150);
  assert.ok(of('venue').length >= 150);
  assert.ok(of('artist').filter((artist) => artist.country && artist.genres?.length).length >= 500);
  assert.ok(of('label').filter((label) => (label.artists?.length ?? 0) >= 3).length >= 150);
  const editions = count(of('edition'), (edition) => edition.festival?.external_id ?? '');
  assert.ok(of('festival').filter(({ external_id }) => (editions.get(external_id) ?? 0) >= 3).length >= 40);
  const episodes = count(of('episode'), (episode) => episode.podcast?.name ?? '');
  assert.ok(of('podcast').filter(({ name }) => (episodes.get(name) ?? 0) >= 1).length >= 15);
  assert.ok(of('episode').some((episode) => (episode.tracklist?.length ?? 0) >= 5));
  assert.ok(of('artist').filter((artist) => artist.aliases?.length).length >= 200);
});

test('the seed agrees with itself: parents, genres and artists that it names are in it', () => {
  const genres = new Set(of('genre').flatMap(({ name, aliases = [] }) => [name, ...aliases].map(fold)));
  for (const { name, parent } of of('genre'))
    assert.ok(parent == null || genres.has(fold(parent)), `${name}: ${parent}`);
  const artists = new Map(of('artist').map((artist) => [artist.external_id, artist.name]));
  for (const line of lines) {
    for (const genre of line.genres ?? [])
      assert.ok(genres.has(fold(genre)), `${line.external_id}: genre ${genre}`);
    for (const artist of [...(line.artists ?? []), ...(line.lineup ?? [])]) {
      if (artist.external_id !== undefined)
        assert.ok(artists.has(artist.external_id), `${line.external_id}: ${artist.name}`);
    }
  }
  for (const [key, times] of count(lines, ({ kind, external_id }) => `${kind} ${external_id}`))
    assert.equal(times, 1, key);
});

test('ids of the seed at other services have their form, and no two records of a kind share one', () => {
  const forms: Record<string, RegExp> = {
    musicbrainz: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    discogs: /^[1-9][0-9]{0,9}$/,
    wikidata: /^Q[1-9][0-9]{0,9}$/,
  };
  const holders = new Map<string, string>();
  for (const { kind, external_id, external_ids = {} } of lines)
    for (const [service, id] of Object.entries(external_ids)) {
      assert.match(id, forms[service] ?? /^(?!)/, `${external_id}: ${service} ${id}`);
      const key = `${kind} ${service} ${id}`;
      assert.equal(holders.get(key), undefined, `${external_id}: ${key}`);
      holders.set(key, external_id);
    }
  assert.ok(of('artist').filter(({ external_ids }) => external_ids).length >= 400);
  assert.ok(of('venue').filter(({ external_ids }) => external_ids).length >= 60);
  assert.ok(of('festival').filter(({ external_ids }) => external_ids).length >= 15);
  assert.ok(of('label').filter(({ external_ids }) => external_ids).length >= 15);
});

test('pictures of the seed are files of Wikimedia Commons with author and licence', () => {
  const pictures = lines.filter(({ image_url }) => image_url !== undefined);
  assert.ok(pictures.length >= 100);
  for (const { external_id, image_url, image_credit, image_license } of pictures) {
    assert.match(
      image_url ?? '',
      /^https:\/\/commons\.wikimedia\.org\/wiki\/Special:FilePath\/[^?]+\?width=1200$/,
    );
    assert.ok(image_credit, external_id);
    assert.match(image_license ?? '', /^(CC |CC0|FAL|Public domain)/, external_id);
  }
});

test('one festival of the seed has stages and set times, one set after the other', () => {
  const edition = of('edition').find(({ external_id }) => external_id === 'ultra-music-festival-2019');
  const stages = Map.groupBy(edition?.lineup ?? [], ({ stage }) => stage ?? '');
  assert.equal(stages.size, 4);
  for (const [stage, sets] of stages) {
    let last = { start: 0, end: 0 };
    for (const { name, set_start_at, set_end_at } of sets) {
      const set = { start: Date.parse(set_start_at ?? ''), end: Date.parse(set_end_at ?? '') };
      assert.ok(set.end > set.start, `${stage}: ${name}`);
      assert.ok(set.start >= last.end || set.start === last.start, `${stage}: ${name}`);
      last = set;
    }
  }
});

test('a new file is filled, with samples for 120 days, and the same on the same day', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-starter-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [seeded, carried, taken] = ['seeded.db', 'carried.db', 'taken.db'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const first = openDatabase(seeded, { create: true });
  requestStarter(first);
  assert.equal(await importStarter(first, now), true);
  assert.equal(await importStarter(first, now), false, 'once is enough');
  const stats = openCatalogueReader(first).stats(now);
  assert.ok(stats.upcoming_events > 400, `${stats.upcoming_events} samples`);
  const samples = first.prepare('SELECT name, start_date FROM events').all() as {
    name: string;
    start_date: number;
  }[];
  assert.ok(samples.every(({ name }) => name.startsWith('Sample ')));
  assert.deepEqual(
    [Math.min(...samples.map((s) => s.start_date)), Math.max(...samples.map((s) => s.start_date))],
    [20261120, 20270319],
  );
  assert.deepEqual(first.pragma('foreign_key_check'), []);
  assert.equal(stats.artists, of('artist').length, 'nobody is named who is not in the seed');

  // As the executable does it: the catalogue ready-made, taken over.
  await makeStarterFile(carried);
  const second = openDatabase(taken, { create: true });
  copyCatalogueFrom(second, carried, now);
  const { events: _events, upcoming_events: _upcoming, ...same } = openCatalogueReader(second).stats(now);
  const { events: _e, upcoming_events: _u, ...wanted } = stats;
  assert.deepEqual(same, wanted);
  assert.deepEqual(second.pragma('foreign_key_check'), []);
  second.prepare("INSERT INTO name_search (name_search, rank) VALUES ('integrity-check', 0)").run();
  const search = 'SELECT count(*) FROM name_search WHERE name_search MATCH \'"klock"\'';
  assert.equal(second.prepare(search).pluck().get(), 1);
  const slugs = (db: typeof first) =>
    db.prepare("SELECT kind, slug FROM slugs WHERE kind <> 'event' ORDER BY 1, 2").all();
  const seededSlugs = slugs(first);
  assert.deepEqual(slugs(second), seededSlugs);
  first.close();
  second.close();

  // Without samples: the same catalogue, and nothing invented.
  const third = openDatabase(join(folder, 'plain.db'), { create: true });
  requestStarter(third, { samples: false });
  assert.equal(await importStarter(third, now), true);
  assert.deepEqual(openCatalogueReader(third).stats(now), { ...stats, events: 0, upcoming_events: 0 });
  assert.deepEqual(slugs(third), seededSlugs);
  third.close();
  assert.ok(readFileSync(taken).length > 0);
});

test('`serve` invents nothing without --samples or --dev, and the commands say what samples are', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-samples-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [plain, full] = [join(folder, 'plain.db'), join(folder, 'full.db')];
  const stats = async (dataFile: string, more: string[], env = {}) => {
    const server = await startServer({ dataFile, more, env });
    const { data } = (await server.get('/api/v1/stats')).json() as { data: Record<string, number> };
    await server.stop();
    return data;
  };
  const served = await serve(`--data ${join(folder, 'served.db')} --no-sync`, { cwd: folder });
  const home = await (await fetch(`${served.url}/`)).text();
  assert.match(home, /Add your city/);
  assert.match(home, /href="\/admin\/sources\/add"/);
  await served.stop();
  const own = new Database(join(folder, 'served.db'), { readonly: true });
  assert.equal(own.prepare('SELECT count(*) FROM events').pluck().get(), 0);
  own.close();
  const sampled = await serve(`--data ${join(folder, 'sampled.db')} --no-sync --samples`, { cwd: folder });
  await sampled.stop();
  const invented = new Database(join(folder, 'sampled.db'), { readonly: true });
  assert.equal(invented.prepare('SELECT count(*) FROM events').pluck().get(), 600);
  const again = await serve(`--data ${join(folder, 'served.db')} --no-sync --samples`, { cwd: folder });
  await again.stop();
  const warning = again.log().find(({ message }) => /--samples adds no sample events/.test(String(message)));
  assert.match(String(warning?.advice), /start with a new file/);
  const ended = `SELECT (SELECT count(*) FROM event_artists x JOIN artists a ON a.id = x.artist_id WHERE a.ended_at IS NOT NULL),
    (SELECT count(*) FROM events e JOIN venues v ON v.id = e.venue_id WHERE v.closed_at IS NOT NULL),
    (SELECT count(*) FROM artists WHERE ended_at IS NOT NULL) > 20, (SELECT count(*) FROM venues WHERE closed_at IS NOT NULL) > 20`;
  assert.deepEqual(invented.prepare(ended).raw().get(), [0, 0, 1, 1], 'no sample bills the dead');
  invented.close();
  const without = await stats(plain, [], { CRATEBASE_NO_SAMPLES: '1' });
  assert.equal(without.events, 0);
  assert.equal(without.artists, of('artist').length);
  assert.equal((await stats(plain, [])).events, 0, 'a later start adds none');
  assert.equal((await stats(full, [])).events, 600);
  assert.equal((await stats(join(folder, 'flag.db'), ['--no-samples'])).events, 0);

  const list = (data: string) => run(['sources', 'list', '--data', data]);
  assert.equal(list(plain).stderr, '');
  assert.match(
    list(full).stderr,
    /^600 sample events of the starter catalogue are not real\..*--dev or --samples/,
  );
  const removed = run(['sources', 'remove', 'sample', '--data', full]);
  assert.equal(removed.status, 1);
  assert.match(removed.stderr, /sample is not a scheduled source\. 600 sample events .* are not real/);
  assert.match(removed.stderr, /`cratebase samples remove --data/);
  const asked = run(['samples', 'remove', '--data', full]);
  assert.equal(asked.status, 2);
  assert.match(asked.stderr, /^Deleting sample deletes 600 events.*Add --yes to confirm/s);
  assert.equal((await stats(full, [])).events, 600, 'nothing is deleted before the confirmation');
  const gone = run(['samples', 'remove', '--yes', '--data', full]);
  assert.equal(gone.status, 0, gone.stderr);
  assert.match(gone.stdout, /^removed sample: 600 events deleted.* stay, because other sources or records/);
  assert.equal((await stats(full, [])).events, 0);
  assert.equal(list(full).stderr, '');
});
