/** The data file across versions of its schema: a newer one is refused, an older one copied and then migrated. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase, readSetting, schemaVersion, writeSetting } from '../../src/store/database.ts';
import { findRowProblems } from '../../src/store/integrity/rows.ts';
import { says } from '../support/matching.ts';

function freshPath(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-database-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'c.db');
}

test('a new file has the present schema, and is for its owner alone', (t) => {
  const path = freshPath(t);
  const sqlite = openDatabase(path, { create: true });
  assert.equal(sqlite.pragma('user_version', { simple: true }), schemaVersion);
  assert.equal(readSetting(sqlite, 'cursor_key')?.length, 64);
  sqlite.close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a newer schema is refused, and the file left as it is', (t) => {
  const path = freshPath(t);
  const sqlite = openDatabase(path, { create: true });
  sqlite.pragma(`user_version = ${schemaVersion + 1}`);
  sqlite.close();
  assert.throws(() => openDatabase(path, { create: true }), /written by a newer cratebase.*Update cratebase/);
  assert.equal(existsSync(`${path}.v${schemaVersion + 1}.bak`), false);
});

test('an older schema is migrated, step by step, after a backup', (t) => {
  const path = freshPath(t);
  const old = openDatabase(path, { create: true });
  writeSetting(old, 'kept', 'yes');
  old.close();
  const [first, second] = [schemaVersion + 1, schemaVersion + 2];
  const migrations = [
    { to: first, sql: 'CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT' },
    { to: second, sql: 'INSERT INTO added (id) VALUES (7)' },
  ];
  const migrated = openDatabase(path, { create: false, version: second, migrations });
  assert.equal(migrated.pragma('user_version', { simple: true }), second);
  assert.equal(migrated.prepare('SELECT id FROM added').pluck().get(), 7);
  assert.equal(readSetting(migrated, 'kept'), 'yes');
  migrated.close();
  assert.equal(statSync(`${path}.v${schemaVersion}.bak`).mode & 0o777, 0o600);
  const backup = openDatabase(`${path}.v${schemaVersion}.bak`, { create: false });
  assert.equal(readSetting(backup, 'kept'), 'yes');
  backup.close();
});

test('a failing migration changes nothing; a missing one is reported', (t) => {
  const path = freshPath(t);
  openDatabase(path, { create: true }).close();
  const version = schemaVersion + 1;
  const broken = [{ to: version, sql: 'CREATE TABLE half (id INTEGER); SELECT no_such_column FROM half' }];
  assert.throws(() => openDatabase(path, { create: false, version, migrations: broken }));
  assert.throws(
    () => openDatabase(path, { create: false, version, migrations: [] }),
    /there is no way from it/,
  );
  const same = openDatabase(path, { create: false });
  assert.equal(same.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'half'").pluck().get(), 0);
  same.close();
});

test('a file that is no data file is reported in one line', (t) => {
  const path = freshPath(t);
  assert.throws(() => openDatabase(path, { create: false }), /There is no data file at/);
  writeFileSync(path, 'not a database, but long enough to have a header of its own to be read');
  assert.throws(() => openDatabase(path, { create: true }), /is not a data file/);
});

/** Every table's columns and every index of a file, without their order: ALTER TABLE adds at the end. */
function shapeOf(sqlite: Database.Database): unknown {
  const names = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all() as string[];
  const columns = names.map((name) => [
    name,
    (sqlite.pragma(`table_xinfo(${name})`) as { name: string; cid: number }[])
      .map(({ cid: _, ...column }) => column)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    sqlite.pragma(`foreign_key_list(${name})`),
  ]);
  const indexes = sqlite
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY name",
    )
    .all();
  return { columns, indexes };
}

/** Writes a file of an older schema, with the rows that `sql` inserts. */
function writeOldFile(path: string, version: number, sql = ''): void {
  const sqlite = new Database(path);
  sqlite.exec(readFileSync(new URL(`../support/schema-v${version}.sql`, import.meta.url), 'utf8'));
  sqlite.exec(sql);
  sqlite.pragma(`application_id = ${0x63726174}`);
  sqlite.pragma(`user_version = ${version}`);
  sqlite.close();
}

for (const before of [1, 2, 3, 5, 6, 7, 8, 9]) {
  test(`a file of schema ${before} becomes what a new file is`, (t) => {
    const [old, made] = [freshPath(t), freshPath(t)];
    writeOldFile(old, before);
    const migrated = openDatabase(old, { create: false });
    const fresh = openDatabase(made, { create: true });
    assert.deepEqual(shapeOf(migrated), shapeOf(fresh));
    migrated.close();
    fresh.close();
  });
}

test('rows keep their values and checksums when tables and columns get other names', (t) => {
  const path = freshPath(t);
  writeOldFile(
    path,
    5,
    `INSERT INTO records (id, kind, revision) VALUES (1, 'genre', 1), (2, 'genre', 2);
     INSERT INTO genres (id, slug, name, folded, updated_ts) VALUES (1, 'techno', 'Techno', 'techno', 3);
     INSERT INTO sources (id, name, type, trust, clock, runs, created_ts) VALUES (1, 'one', 'file', 50, 'instant', 4, 0);
     INSERT INTO schedules (source_id, url, every_ms, complete, options, next_ts, ok_ts, error, report)
       VALUES (1, 'https://example.org', 5, 1, '{}', 6, 7, 'failed', '{}');
     INSERT INTO provider_records (source_id, kind, external_id, record_id, statement, stated_ts, run)
       VALUES (1, 'genre', 't', 1, '{"name":"Techno"}', 8, 4);
     INSERT INTO changes (revision, record_id, what, slug, into_id) VALUES (2, 2, 'merged', 'tekno', 1);
     INSERT INTO given_names (record_id, name, slug) VALUES (1, 'Tekno', 'tekno');
     INSERT INTO moves (kind, revision, record_id, old_key) VALUES ('genre', 2, 1, '["tekno"]');
     INSERT INTO former_lists (record_id, list, revision, entries) VALUES (1, 'lineup', 2, '[]');
     INSERT INTO match_keys (key, record_id, tag) VALUES (70000, 1, 9);
     INSERT INTO match_keys_new (key, record_id, tag) VALUES (80000, 1, 9);
     INSERT INTO external_keys (kind, service, value, record_id) VALUES ('genre', 'wikidata', 'Q170611', 1);
     INSERT INTO match_doubts (kind, a_source, a_external, b_source, b_external, score, rule, reasons)
       VALUES ('genre', 'one', 't', 'one', 'u', 0.5, 'name', '[]'), ('genre', 'one', 't', '', '', -1, 'left out', '12');`,
  );
  const sqlite = openDatabase(path, { create: false });
  t.after(() => sqlite.close());
  const row = (sql: string) => sqlite.prepare(sql).raw().get();
  assert.deepEqual(row('SELECT content, content_updated_ts, last_seen_run FROM source_records'), [
    '{"name":"Techno"}',
    8,
    4,
  ]);
  assert.deepEqual(row('SELECT change_type, slug, merged_into_id FROM changes'), ['merged', 'tekno', 1]);
  assert.deepEqual(row('SELECT name, merged_slug FROM inherited_names'), ['Tekno', 'tekno']);
  assert.deepEqual(row('SELECT previous_sort_key FROM sort_key_history'), ['["tekno"]']);
  assert.deepEqual(row('SELECT list_name, entries FROM list_history'), ['lineup', '[]']);
  assert.deepEqual(row('SELECT scope FROM blocking_keys UNION SELECT scope FROM recent_blocking_keys'), [9]);
  assert.deepEqual(row('SELECT service, external_id FROM external_ids'), ['wikidata', 'Q170611']);
  assert.deepEqual(
    row('SELECT interval_ms, is_full_feed, last_success_ts, last_error, last_report FROM schedules'),
    [5, 1, 7, 'failed', '{}'],
  );
  assert.deepEqual(row('SELECT count(*), max(rule) FROM possible_matches'), [1, 'name']);
  assert.deepEqual(row('SELECT source, external_id, count FROM uncompared_counts'), ['one', 't', 12]);
  assert.deepEqual(findRowProblems(sqlite), []);
  assert.equal(sqlite.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(sqlite.pragma('foreign_key_check'), []);
});

test('events with several titles are recomputed once: the best title is shown, the others are found', async (t) => {
  const path = freshPath(t);
  const listing = (name: string) => ({
    name,
    start_at: '2027-12-04T23:00',
    venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    lineup: [{ name: 'Vera Lindt' }, { name: 'Orrin' }],
  });
  const row = (source: number, event: number, name: string) =>
    `(${source}, 'event', '${event}', ${event}, '${JSON.stringify(listing(name))}', 5, 1)`;
  // Event 2 has one title only.
  writeOldFile(
    path,
    8,
    `INSERT INTO sources (id, name, type, trust, clock, run_count, created_ts) VALUES (1, 'one', 'feed', 50, 'instant', 1, 0), (2, 'two', 'feed', 50, 'instant', 1, 0);
     INSERT INTO records (id, kind, revision) VALUES (1, 'event', 1), (2, 'event', 1);
     INSERT INTO slugs (kind, slug, record_id) VALUES ('event', 'night-1', 1), ('event', 'night-2', 2);
     INSERT INTO events (id, slug, start_ts, start_date, ends_ts, item_json, name, start_at, updated_ts)
       SELECT id, 'night-' || id, 0, 19700101, 0, '{}', 'TIEFDRUCKGEBIET LADENSCHLUSS', '1970-01-01T00:00:00Z', 0 FROM records;
     INSERT INTO source_records (source_id, kind, external_id, record_id, content, content_updated_ts, last_seen_run)
       VALUES ${row(1, 1, 'Tiefdruckgebiet')}, ${row(2, 1, 'TIEFDRUCKGEBIET LADENSCHLUSS')}, ${row(1, 2, 'Hochdruck')}, ${row(2, 2, 'Hochdruck')};`,
  );
  const sqlite = openDatabase(path, { create: false });
  t.after(() => sqlite.close());
  const stale = sqlite.prepare('SELECT record_id FROM stale_records ORDER BY 1').pluck();
  assert.ok(stale.all().includes(1));
  await says(sqlite, 'three', []);
  assert.deepEqual(stale.all(), []);
  assert.equal(sqlite.prepare('SELECT name FROM events WHERE id = 1').pluck().get(), 'Tiefdruckgebiet');
  const aliases = sqlite.prepare('SELECT folded FROM names WHERE record_id = 1 AND is_alias = 1').pluck();
  assert.deepEqual(aliases.all(), ['tiefdruckgebiet ladenschluss']);
});

test('events are recomputed once, to be rendered with the members of this version', (t) => {
  const path = freshPath(t);
  writeOldFile(
    path,
    7,
    `INSERT INTO records (id, kind, revision) VALUES (1, 'genre', 1), (2, 'artist', 1), (3, 'event', 1), (4, 'event', 1), (5, 'event', 1);
     INSERT INTO genres (id, slug, name, folded, updated_ts) VALUES (1, 'techno', 'Techno', 'techno', 3);
     INSERT INTO artists (id, slug, name, folded, updated_ts) VALUES (2, 'orrin', 'Orrin', 'orrin', 3);
     INSERT INTO artist_genres VALUES (1, 2, 1);
     INSERT INTO events (id, slug, start_ts, start_date, ends_ts, item_json, name, start_at, updated_ts)
       SELECT id, 'night-' || id, 0, 19700101, 0, '{}', 'Night', '1970-01-01T00:00:00Z', 0 FROM records WHERE kind = 'event';
     INSERT INTO event_artists (artist_id, start_ts, event_id, start_date, ends_ts) VALUES (2, 0, 3, 19700101, 0), (2, 0, 4, 19700101, 0);
     INSERT INTO event_genres (genre_id, start_ts, event_id, start_date, ends_ts, is_direct) VALUES (1, 0, 4, 19700101, 0, 1);`,
  );
  const sqlite = openDatabase(path, { create: false });
  t.after(() => sqlite.close());
  assert.deepEqual(sqlite.prepare('SELECT record_id FROM stale_records').pluck().all(), [3, 4, 5]);
  const damaged = findRowProblems(sqlite).filter((problem) => problem.includes('artists'));
  assert.deepEqual(damaged, [], 'checksums include the new columns');
});

test('events without artists whose description may list them are computed again', async (t) => {
  const path = freshPath(t);
  const content = (description: string) =>
    JSON.stringify({ name: 'Night', start_at: '2027-12-04', timezone: 'Europe/Berlin', description });
  const row = (event: number, text: string) => `(1, 'event', '${event}', ${event}, '${content(text)}', 5, 1)`;
  writeOldFile(
    path,
    9,
    `INSERT INTO sources (id, name, type, trust, clock, run_count, created_ts) VALUES (1, 'one', 'feed', 50, 'instant', 1, 0);
     INSERT INTO records (id, kind, revision) VALUES (1, 'event', 1), (2, 'event', 1);
     INSERT INTO slugs (kind, slug, record_id) VALUES ('event', 'night-1', 1), ('event', 'night-2', 2);
     INSERT INTO events (id, slug, start_ts, start_date, ends_ts, item_json, name, start_at, description, updated_ts)
       SELECT id, 'night-' || id, 0, 19700101, 0, '{}', 'Night', '1970-01-01T00:00:00Z',
         CASE id WHEN 1 THEN 'Line-up: Vera Lindt' ELSE 'All night' END, 0 FROM records;
     INSERT INTO source_records (source_id, kind, external_id, record_id, content, content_updated_ts, last_seen_run)
       VALUES ${row(1, 'Line-up: Vera Lindt')}, ${row(2, 'All night')};`,
  );
  const sqlite = openDatabase(path, { create: false });
  t.after(() => sqlite.close());
  assert.deepEqual(sqlite.prepare('SELECT record_id FROM stale_records').pluck().all(), [1]);
  await says(sqlite, 'two', []);
  assert.deepEqual(
    sqlite
      .prepare('SELECT a.name FROM lineups l JOIN artists a ON a.id = l.artist_id WHERE l.record_id = 1')
      .pluck()
      .all(),
    ['Vera Lindt'],
  );
});
