/** A file of schema 8: its events are answered whole at once, and rendered again without becoming changed events. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Database from 'better-sqlite3';
import { schema9 } from '../../src/store/file/migrations/to-9.ts';
import { schema10 } from '../../src/store/file/migrations/to-10.ts';
import { checksumOf, rowChecksum } from '../../src/store/integrity/checksums.ts';
import { type Entry, listed, succeeded } from '../support/expect.ts';
import * as feed from '../support/feed.ts';
import {
  type Answer,
  importFeed,
  run,
  runJson,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/program.ts';
import { ask, walk } from '../support/rest-client.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'catalogue.db');
/** The answers of a file that this version wrote, by path. */
const expected = new Map<string, unknown>();
const joint = 'joint-night-2026-12-05';
const lineupPaths = [`/events/${joint}/lineup`, '/festivals/dekmantel/editions/2026/lineup'];

const lines = [
  ...feed.feed,
  {
    kind: 'event',
    external_id: 'joint',
    name: 'Joint Night',
    start_at: '2026-12-05T23:00',
    timezone: 'Europe/Berlin',
    lineup: [{ name: 'Orrin Vale' }, { name: 'Tessa Noor b2b Mara Quill' }],
    tickets: [{ seller: 'one', url: 'https://one.test/', price_min: 12, currency: 'EUR' }],
  },
];

/** Renders the events of a file as schema 8 did, and takes away what schema 9 added. */
function toSchema8(path: string): void {
  const sqlite = new Database(path);
  const rows = sqlite
    .prepare('SELECT e.*, d.detail_json FROM events e JOIN event_details d ON d.event_id = e.id')
    .all() as Record<string, never>[];
  const set = sqlite.prepare('UPDATE events SET item_json = ?, checksum = ? WHERE id = ?');
  const setDetail = sqlite.prepare(
    'UPDATE event_details SET detail_json = ?, checksum = ? WHERE event_id = ?',
  );
  for (const row of rows) {
    const { id, slug, name, start_at, end_at, timezone, status, venue, url, lineup, ...more } = JSON.parse(
      String(row.item_json),
    );
    const { city, description, sources } = JSON.parse(`{${row.detail_json}}`);
    const refs = lineup.map((artist: Entry) => ({ slug: artist.slug, name: artist.name }));
    const item_json = JSON.stringify({
      ...{ id, slug, name, start_at, end_at, timezone, status, venue, url },
      lineup: refs,
    });
    const { date, festival_edition, genres, image_url, minimum_age } = more;
    const detail = JSON.stringify({
      ...{ date, city, festival_edition, genres, description, image_url, minimum_age, sources },
    }).slice(1, -1);
    set.run(item_json, rowChecksum('events')({ ...row, item_json }), row.id);
    setDetail.run(detail, checksumOf(row.id, detail), row.id);
  }
  const lineups = sqlite.prepare('SELECT * FROM lineups').all() as Record<string, never>[];
  const setSum = sqlite.prepare('UPDATE lineups SET checksum = ? WHERE record_id = ? AND position = ?');
  for (const { record_id, position, billing, stage, set_start_at, set_end_at } of lineups)
    setSum.run(checksumOf(billing, stage, set_start_at, set_end_at), record_id, position);
  sqlite.exec('ALTER TABLE lineups DROP COLUMN set_position');
  for (const [, what, name] of [...schema10, ...schema9].join(';\n').matchAll(/CREATE (TABLE|INDEX) (\w+)/g))
    sqlite.exec(`DROP ${what} IF EXISTS ${name}`);
  sqlite.exec("DELETE FROM settings WHERE key = 'changes_from'");
  sqlite.exec("DELETE FROM settings WHERE key LIKE 'schema_%'");
  sqlite.pragma('user_version = 8');
  sqlite.close();
}

const serve = (): Promise<Server> =>
  startServer({ dataFile, now: feed.feedNow, window: 1_000_000, quota: 1_000_000 });

/** Asks for the lists and details of all events; links are compared without the port of the server. */
async function answersOf(server: Server): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(server.url, ''));
  const items = await walk(server, 'listEvents', '/events');
  answers.set('/events', plain(items));
  for (const { slug } of items) {
    const answer: Answer = await ask(server, `/events/${slug}`);
    answers.set(String(slug), plain(succeeded('getEvent', answer)));
  }
  for (const path of lineupPaths) {
    const operation = path.startsWith('/events') ? 'listEventLineup' : 'listEditionLineup';
    answers.set(path, listed(operation, await ask(server, path)).data);
  }
  return answers;
}

const countOf = (sql: string): number => {
  const sqlite = new Database(dataFile, { readonly: true });
  const count = sqlite.prepare(sql).pluck().get() as number;
  sqlite.close();
  return count;
};

before(async () => {
  importFeed(dataFile, lines);
  const server = await serve();
  for (const [path, answer] of await answersOf(server)) expected.set(path, answer);
  await server.stop();
  toSchema8(dataFile);
});
after(() => folder.remove());

/** Answers without the numbers of sets, which a file of schema 8 does not have. */
const withoutSets = (answers: ReadonlyMap<string, unknown>): unknown =>
  JSON.parse(JSON.stringify([...answers], (key, value) => (key === 'set' ? undefined : value)));

test('events that wait are answered with every member, and are no changes once rendered', async () => {
  const changesBefore = countOf('SELECT count(*) FROM changes');
  const server = await serve();
  try {
    assert.ok(countOf('SELECT count(*) FROM stale_records') >= 20, 'the upgrade queues all events');
    assert.deepEqual(withoutSets(await answersOf(server)), withoutSets(expected));
  } finally {
    await server.stop();
  }
  const damaged = run(['verify', '--data', dataFile]);
  assert.equal(damaged.status, 0, damaged.stdout + damaged.stderr);

  runJson(['sync', '--due', '--data', dataFile]);
  assert.equal(countOf('SELECT count(*) FROM stale_records'), 0);
  assert.equal(countOf("SELECT count(*) FROM events WHERE item_json LIKE '%]}'"), 0);
  const jointId = `(SELECT id FROM events WHERE slug = '${joint}')`;
  assert.equal(countOf(`SELECT count(*) FROM changes WHERE record_id <> ${jointId}`), changesBefore);
  const again = await serve();
  try {
    const answers = await answersOf(again);
    // Its line-up says more than before: that is a change.
    for (const one of [answers, expected]) one.set('/events', without(one.get('/events') as Entry[], joint));
    assert.deepEqual(withoutTime(answers, joint), withoutTime(expected, joint));
  } finally {
    await again.stop();
  }
  assert.equal(run(['verify', '--data', dataFile]).status, 0);
});

const without = (items: Entry[], slug: string): Entry[] => items.filter((item) => item.slug !== slug);
function withoutTime(answers: ReadonlyMap<string, unknown>, slug: string): [string, unknown][] {
  return [...answers].map(([path, answer]) => {
    const { updated_at: _, ...data } = (answer as { data: Entry }).data ?? {};
    return [path, path === slug ? data : answer];
  });
}
