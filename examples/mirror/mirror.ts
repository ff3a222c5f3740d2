/**
 * A mirror: a copy of a cratebase catalogue that takes an export and then follows the changes. It can be killed at any
 * moment, and continues where it was. Node.js 24 runs it as it is:
 *
 *   BASE=https://music.example.org KEY=cb_live_… node mirror.ts mirror.db
 *   … node mirror.ts mirror.db --follow 60     looks for changes every 60 seconds
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, fileLines, HistoryLost } from './client.ts';
import { type Line, type Position, Store } from './store.ts';

/** Records of one request of /changes. */
const limit = 5_000;

/** Replaces the copy by the newest export. Without exports, it begins with all records of /changes. */
async function begin(client: Client, store: Store, path: string): Promise<void> {
  const manifest = await client.manifest();
  if (manifest === null) {
    await store.transaction(async () => {
      store.clear();
      return { since: 0, epoch: null };
    });
    return follow(client, store);
  }
  const file = `${path}.export`;
  // An export can be removed during a long download: the next attempt takes the newest.
  if (!(await client.download(manifest, 'catalogue.ndjson.gz', file))) return begin(client, store, path);
  await store.transaction(async () => {
    store.clear();
    for await (const line of fileLines(file)) if (line.change !== 'end') store.apply(line);
    return { since: manifest.revision, epoch: manifest.epoch };
  });
  rmSync(file, { force: true });
}

/** Applies the changes since the last revision, one response after the other, until there are no more. */
async function follow(client: Client, store: Store): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const { since, epoch } = store.position();
    const query = new URLSearchParams({ since: String(since), limit: String(limit) });
    if (epoch !== null) query.set('epoch', epoch);
    let end: Line | null = null;
    await store.transaction(async () => {
      end = await applyLines(client.lines(`/changes?${query}`), store);
      return { since: end.revision, epoch: end.epoch } as Position;
    });
    hasMore = (end as Line | null)?.has_more === true;
  }
}

/** Applies the lines of a response, and returns the last one. Without it, the response is not whole. */
async function applyLines(lines: AsyncIterable<Line>, store: Store): Promise<Line> {
  for await (const line of lines) {
    if (line.change === 'end') return line;
    store.apply(line);
  }
  throw new Error('the response of /changes broke off');
}

/** Brings the copy up to date. */
async function update(client: Client, store: Store, path: string): Promise<void> {
  try {
    if (store.position().epoch === null) await begin(client, store, path);
    await follow(client, store);
  } catch (failure) {
    if (!(failure instanceof HistoryLost)) throw failure;
    console.error(`mirror: begins anew: ${failure.message}`);
    await begin(client, store, path);
    await follow(client, store);
  }
}

const [path, option, seconds] = process.argv.slice(2);
const { BASE: url, KEY: key } = process.env;
if (path === undefined || url === undefined || key === undefined) {
  console.error('usage: BASE=… KEY=… node mirror.ts FILE [--follow SECONDS]');
  process.exit(2);
}
const client = new Client(url, key);
const store = new Store(path);
do {
  try {
    await update(client, store, path);
    const { since } = store.position();
    console.log(JSON.stringify({ revision: since, records: store.count() }));
  } catch (failure) {
    console.error(`mirror: ${failure instanceof Error ? failure.message : failure}`);
    if (option !== '--follow') process.exit(1);
  }
  if (option === '--follow') await sleep(Number(seconds ?? 60) * 1_000);
} while (option === '--follow');
store.close();
