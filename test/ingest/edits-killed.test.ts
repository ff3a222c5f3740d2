/** An edit that is killed leaves all of it or nothing, and an edit beside an import waits for it (docs/guides/correcting.md). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type Database from 'better-sqlite3';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { folder, run, start } from '../support/cli-run.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const module = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
const event = (at: number) => ({
  kind: 'event',
  external_id: `e${at}`,
  name: `Night ${at}`,
  start_at: `${new Date(matchingNow + at * 86_400_000).toISOString().slice(0, 10)}T22:00`,
  venue: { name: 'Kornspeicher', city: 'Berlin', country: 'DE' },
  lineup: [{ name: `Act ${at}` }],
});
const events = Array.from({ length: 20 }, (_, at) => event(at));

/** Renames the venue in a process that kills itself before or after its first transaction ends. */
function editUntilKilled(sqlite: Database.Database, when: 'before' | 'after'): void {
  const code = `
    import { WriteBatches } from ${module('ingest/write-lock/write-batches.ts')};
    import { Edits } from ${module('ingest/edits/edits.ts')};
    import { openDatabase } from ${module('store/database.ts')};
    const { end } = WriteBatches.prototype;
    WriteBatches.prototype.end = function () {
      if (${when === 'after'}) end.call(this);
      process.kill(process.pid, 'SIGKILL');
    };
    const sqlite = openDatabase(${JSON.stringify(sqlite.name)}, { create: false });
    const edits = new Edits(sqlite, { now: ${matchingNow}, actor: 'terminal:ada' });
    await edits.set('venue/kornspeicher', [{ field: 'name', operation: 'set', value: 'Mehlspeicher' }]);`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const { signal, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(signal, 'SIGKILL', stderr);
}

const count = (sqlite: Database.Database, table: string): number =>
  sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
const venues = (sqlite: Database.Database): string[] => [
  ...new Set<string>(ask(sqlite, 'listEvents').map((one: { venue: { name: string } }) => one.venue.name)),
];

test('killed before its commit nothing is edited, killed after it the next import completes it', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', events);
  editUntilKilled(sqlite, 'before');
  assert.deepEqual([count(sqlite, 'edits'), count(sqlite, 'audit_log'), count(sqlite, 'sources')], [0, 0, 1]);
  assert.equal(ask(sqlite, 'getVenue', { slug: 'kornspeicher' }).name, 'Kornspeicher');

  editUntilKilled(sqlite, 'after');
  assert.deepEqual([count(sqlite, 'edits'), count(sqlite, 'audit_log')], [1, 1]);
  assert.equal(ask(sqlite, 'getVenue', { slug: 'kornspeicher' }).name, 'Mehlspeicher');
  assert.ok(count(sqlite, 'stale_records') >= events.length);
  await says(sqlite, 'one', events);
  assert.deepEqual(venues(sqlite), ['Mehlspeicher']);
  assert.equal(count(sqlite, 'stale_records'), 0);
  for (const { name, problems } of checkFile(sqlite)) assert.deepEqual(problems, [], name);
});

test('an edit beside an import waits, and stands after it', async () => {
  const at = folder();
  const data = join(at, 'c.db');
  const file = join(at, 'feed.ndjson');
  const lines = Array.from({ length: 3_000 }, (_, index) => event((index % 700) + 1)).map((line, index) => ({
    ...line,
    external_id: `x${index}`,
    name: `Night ${index}`,
    lineup: [{ name: 'Vera Lindt' }],
  }));
  const command = async (...args: string[]) => {
    const ended = await run([...args, '--data', data, '--json'], { cwd: at });
    assert.equal(ended.status, 0, ended.stderr);
    return JSON.parse(ended.stdout);
  };
  writeFileSync(
    file,
    JSON.stringify({ kind: 'artist', external_id: '1', name: 'Vera Lindt', country: 'DE' }),
  );
  await command('import', file, '--source', 'one');
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const importing = start(['import', file, '--source', 'two', '--data', data], { cwd: at });
  importing.stdin.end();
  const ended = new Promise<number | null>((resolve) => importing.on('close', resolve));
  importing.stdout.resume();
  importing.stderr.resume();
  const done = await command('edit', 'artist/vera-lindt', 'country=FR', 'name=Vera L.');
  assert.equal(await ended, 0);
  assert.deepEqual(
    done.fields.map((one: { field: string; after: unknown }) => [one.field, one.after]),
    [
      ['country', 'FR'],
      ['name', 'Vera L.'],
    ],
  );
  const { country, name } = await command('show', 'artist', 'vera-lindt');
  assert.deepEqual([country, name], ['FR', 'Vera L.']);
  await command('verify');
});

test('the commands print what they did, and how to undo it', async () => {
  const at = folder();
  const data = join(at, 'c.db');
  const text = async (...args: string[]) => {
    const { status, stdout, stderr } = await run([...args, '--data', data], { cwd: at });
    return { status, text: status === 0 ? stdout : stderr };
  };
  const file = join(at, 'feed.ndjson');
  writeFileSync(
    file,
    JSON.stringify({ kind: 'artist', external_id: '1', name: 'Vera Lindt', country: 'DE' }),
  );
  await text('import', file, '--source', 'one');
  const edited = await text('edit', 'artist/vera-lindt', 'country=FR', '--reason', 'she said so');
  assert.match(edited.text, /^edited +Vera Lindt \(artist\/vera-lindt, art_\w+\)\ncountry +DE → FR\n/);
  assert.match(edited.text, /^undo +cratebase undo 1 --data /m);
  assert.match(
    (await text('edit', 'artist/vera-lindt')).text,
    /^country +FR +edited by terminal:\S+; one: DE$/m,
  );
  const explained = (await text('explain', 'artist/vera-lindt')).text;
  assert.match(
    explained,
    /1 edited field\n {2}country: FR\n {4}by terminal:\S+, \S+Z\n {4}sources: DE \(one:1\)/,
  );
  assert.match(
    (await text('history', 'artist/vera-lindt')).text,
    /record\.edit +country DE → FR; “she said so”/,
  );
  assert.match((await text('audit', '--action', 'record.')).text, /artist\/vera-lindt/);
  assert.equal((await text('audit', '--actor', 'account:a@b.c')).text, 'No entries.\n');
  assert.match(
    (await text('edit', 'artist/vera-lindt', '--reset', 'country')).text,
    /country +DE \(the sources decide\)/,
  );
  assert.match((await text('undo', '2')).text, /^undone +entry 2\n/);
  const unknown = await text('edit', 'artist/vera-lindt', 'contry=FR');
  assert.deepEqual([unknown.status, unknown.text.trim().split('\n').length], [2, 1]);
  assert.equal((await text('edit', 'artist/vera-lindt', 'nonsense')).status, 2);
  assert.equal((await text('undo', 'x')).status, 2);
  assert.equal((await text('edit', 'artist/vera-lindt', 'country=FR', '--reset')).status, 2);
  const added = await text('add', 'event', 'name=Winter', 'start_at=2027-12-05', 'artist=artist/vera-lindt');
  assert.match(added.text, /^added +Winter \(event\/winter-2027-12-05, evt_\w+\)\n/);
  writeFileSync(
    join(at, 'e.json'),
    '{"name": "Winter", "start_at": "2027-12-05", "lineup": [{"name": "Vera Lindt"}]}',
  );
  assert.match((await text('add', 'event', '--from', 'e.json')).text, /^(?:found|added) +Winter/);
  assert.match((await text('import', file, '--source', 'editors')).text, /editors is the name of the source/);
});
