/** The mirror of examples/mirror, killed at random while the catalogue changes, ends with an equal catalogue. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { derivedMembers } from '../../src/catalogue/mirror/documents.ts';
import type { Kind } from '../../src/contract/fields.ts';
import { openDatabase } from '../../src/store/database.ts';
import { folder, run } from '../support/cli-run.ts';
import { withSeed } from '../support/random-seed.ts';
import { type Served, serve } from '../support/serve-process.ts';
import { randomFrom } from './random-lines.ts';
import { RandomOperations } from './random-operations.ts';

const program = fileURLToPath(new URL('../../examples/mirror/mirror.ts', import.meta.url));
type Row = { id: string; kind: Kind; slug: string; data: string; lists: string };
type Document = Record<string, unknown> & { slug?: string; edition?: string; festival?: { slug: string } };

const startMirror = (server: Served, copy: string): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, copy], {
    env: { BASE: server.url, KEY: server.key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

/** Makes an export. Two cannot be made in the same second. */
async function exportInto(folder: string, server: Served, data: string): Promise<void> {
  const args = ['export', '--dir', folder, '--keep', '1', '--base-url', server.url, '--data', data];
  let made = await run(args);
  if (/an export was made in this second/.test(made.stderr)) {
    await delay(1_000);
    made = await run(args);
  }
  assert.equal(made.status, 0, made.stderr);
}

/** Runs the mirror to its end. */
async function finish(mirror: ChildProcess): Promise<void> {
  let error = '';
  mirror.stderr?.on('data', (text) => {
    error += text;
  });
  const [status] = await once(mirror, 'close');
  assert.equal(status, 0, error);
}

async function get(
  server: Served,
  path: string,
): Promise<{ data: unknown; page?: { next_cursor: string | null } }> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return (await response.json()) as { data: unknown };
}

/** All entries of a list. */
async function all(server: Served, path: string): Promise<Document[]> {
  const entries: Document[] = [];
  for (let cursor = ''; ; ) {
    const sign = path.includes('?') ? '&' : '?';
    const { data, page } = await get(server, `${path}${sign}limit=100${cursor && `&cursor=${cursor}`}`);
    entries.push(...(data as Document[]));
    if (!page?.next_cursor) return entries;
    cursor = page.next_cursor;
  }
}

const pathOf = (kind: Kind, document: Document): string => {
  if (kind === 'edition') return `/festivals/${document.festival?.slug}/editions/${document.edition}`;
  const plural = kind === 'city' ? 'cities' : `${kind}s`;
  return `/${plural}/${document.slug}`;
};

/** The paths of all records that the API lists. */
async function listed(server: Served): Promise<string[]> {
  const paths: string[] = [];
  for (const kind of ['artist', 'venue', 'festival', 'label', 'genre', 'city', 'podcast'] as const) {
    const list = kind === 'city' ? '/cities' : `/${kind}s`;
    for (const item of await all(server, list)) {
      paths.push(pathOf(kind, item));
      const parts = kind === 'festival' ? 'editions' : kind === 'podcast' ? 'episodes' : null;
      if (parts === null) continue;
      for (const part of await all(server, `${list}/${item.slug}/${parts}`))
        paths.push(pathOf(parts === 'editions' ? 'edition' : 'episode', part));
    }
  }
  for (const event of await all(server, '/events?from=2020-01-01')) paths.push(pathOf('event', event));
  return paths.sort();
}

/** Compares each record of the copy with the API, and the records of the API with the copy. */
async function compare(server: Served, copy: string): Promise<number> {
  const sqlite = new DatabaseSync(copy, { readOnly: true });
  const rows = sqlite.prepare('SELECT * FROM records').all() as Row[];
  sqlite.close();
  const paths: string[] = [];
  for (const { kind, data, lists } of rows) {
    const document = JSON.parse(data) as Document;
    const path = pathOf(kind, document);
    paths.push(path);
    const expected = (await get(server, path)).data as Document;
    for (const member of derivedMembers[kind]) delete expected[member];
    assert.deepEqual(document, expected, path);
    for (const [name, entries] of Object.entries(JSON.parse(lists) as Record<string, Document[]>)) {
      const same = await all(server, `${path}/${name === 'tracks' ? 'tracklist' : name}`);
      // References, where the API lists whole items.
      if (kind === 'label' || kind === 'artist') {
        assert.deepEqual(
          entries.map(({ slug }) => slug),
          same.map(({ slug }) => slug),
          `${path}/${name}`,
        );
      } else assert.deepEqual(entries, same, `${path}/${name}`);
    }
  }
  assert.deepEqual(paths.sort(), await listed(server));
  return rows.length;
}

test('a mirror that is killed at random ends with an equal catalogue', (t) =>
  withSeed(async (seed, done) => {
    const [random, pauses] = [randomFrom(seed), randomFrom(seed + 1)];
    const cwd = folder();
    const [data, copy, exports] = [join(cwd, 'c.db'), join(cwd, 'copy.db'), join(cwd, 'exports')];
    mkdirSync(exports);
    const server = await serve(
      `--dev --plan pro --window 1000000 --quota 100000000 --empty --no-sync --data ${data} --export-dir ${exports} --export-every 31d`,
      { cwd },
    );
    const sqlite = openDatabase(data, { create: false });
    t.after(() => sqlite.close());
    const operations = new RandomOperations(sqlite, random);
    done.push(await operations.import());
    let [kills, isDone] = [0, false];
    const killing = (async () => {
      while (!isDone) {
        const mirror = startMirror(server, copy);
        const exit = once(mirror, 'exit');
        await Promise.race([exit, delay(60 + pauses() * 500)]);
        if (mirror.exitCode === null && mirror.kill('SIGKILL')) kills++;
        await exit;
      }
    })();
    try {
      for (let round = 0; round < 20 || (kills <= 5 && round < 200); round++) {
        done.push(await operations.step());
        if (round % 7 !== 3) continue;
        await exportInto(exports, server, data);
      }
    } finally {
      isDone = true;
    }
    await killing;
    await finish(startMirror(server, copy));
    const records = await compare(server, copy);
    t.diagnostic(`${records} records, ${kills} kills`);
    assert.ok(kills > 5, `${kills} kills`);
    assert.ok(records > 20, `${records} records`);
    await server.stop();
  }));
