/** How a process that waits for the write lock gets it from an import (docs/decisions/40-handing-over-the-lock.md). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { RecordMatcher } from '../../src/ingest/resolution/record-matcher.ts';
import { LockHandover } from '../../src/ingest/write-lock/lock-handover.ts';
import { LockTimes } from '../../src/ingest/write-lock/lock-times.ts';
import { WriteBatches } from '../../src/ingest/write-lock/write-batches.ts';
import { WriteSession } from '../../src/ingest/write-session.ts';
import { openDatabase } from '../../src/store/database.ts';
import { blockFor } from '../../src/store/file/block-for.ts';
import { LockRequester, lockRequestPath } from '../../src/store/file/lock-requests.ts';
import { NameIndexWriter } from '../../src/store/search/name-index.ts';
import { folder, run } from '../support/cli-run.ts';

const cwd = folder();
const now = Date.UTC(2026, 10, 1);
const children = new Set<ChildProcess>();
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

const moduleUrl = (path: string): string =>
  pathToFileURL(fileURLToPath(new URL(`../../src/${path}`, import.meta.url))).href;

/** Starts a process that writes to the file every 5 ms until its standard input ends; prints the number of writes. */
function startWriter(file: string): ChildProcess {
  const script = join(cwd, 'writer.mjs');
  writeFileSync(
    script,
    `import Database from 'better-sqlite3';
     import { setTimeout as sleep } from 'node:timers/promises';
     import { Transactions } from ${JSON.stringify(moduleUrl('store/transactions.ts'))};
     const sqlite = new Database(process.argv[2]);
     const transactions = new Transactions(sqlite);
     const write = sqlite.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES ('test', ?)");
     let [writes, isOver] = [0, false];
     process.stdin.on('end', () => { isOver = true; }).resume();
     console.log('ready');
     for (; !isOver; await sleep(5)) await transactions.write(() => write.run(String(++writes)));
     console.log(writes);
     sqlite.close();
     process.exit();`,
  );
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  symlinkSyncOnce(modules, join(cwd, 'node_modules'));
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
}

function symlinkSyncOnce(target: string, path: string): void {
  if (!existsSync(path)) symlinkSync(target, path, 'junction');
}

async function* bytes(records: readonly object[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
const shows = (source: string) =>
  Array.from({ length: 400 }, (_, id) => ({
    kind: 'event',
    external_id: `${source}-${id}`,
    name: `Night number ${id}`,
    start_at: `${new Date(now + (id % 90) * 86_400_000).toISOString().slice(0, 10)}T22:00`,
    venue: { name: `House ${id % 9}`, city: 'Berlin', country: 'DE' },
    lineup: [{ name: `Artist number ${id % 40}` }, { name: `Artist number ${(id * 7) % 40}` }],
  }));

test('an import hands the lock over to a process that asks for it, and deletes the file of requests', async () => {
  const file = join(cwd, 'handover.db');
  const sqlite = openDatabase(file, { create: true });
  const read = (source: string) =>
    importFeed(sqlite, { source, type: 'feed', now, alone: false, input: bytes(shows(source)) });
  const writer = startWriter(file);
  let text = '';
  writer.stdout?.on('data', (piece) => {
    text += piece;
  });
  await once(writer.stdout as NodeJS.ReadableStream, 'data');
  const reports = [await read('a'), await read('b')];
  assert.ok(!existsSync(lockRequestPath(file)));
  const exit = once(writer, 'exit');
  writer.stdin?.end();
  assert.deepEqual(await exit, [0, null]);
  const writes = Number(text.split('\n')[1]);
  const handovers = reports.reduce((sum, { lock }) => sum + lock.handovers, 0);
  assert.ok(handovers > 0 && handovers <= writes, `${handovers} handovers, ${writes} writes`);
  assert.deepEqual(
    [reports[0]?.kinds.event?.created, reports[1]?.kinds.event?.matched],
    [400, 400],
    'the import is complete',
  );
  sqlite.close();
});

test('beside a process that writes, no transaction is open while a record is compared', async (t) => {
  const file = join(cwd, 'compared.db');
  const sqlite = openDatabase(file, { create: true });
  t.after(() => sqlite.close());
  const open: boolean[] = [];
  const { place } = RecordMatcher.prototype;
  mock.method(RecordMatcher.prototype, 'place', function (this: RecordMatcher, ...values: never) {
    open.push(sqlite.inTransaction);
    return place.apply(this, values);
  });
  t.after(() => mock.restoreAll());
  await importFeed(sqlite, {
    source: 'a',
    type: 'feed',
    now,
    alone: false,
    input: bytes(shows('a').slice(0, 20)),
  });
  assert.equal(open.length, 20);
  assert.ok(!open.includes(true), open.join());
});

for (const isAwaited of [false, true])
  test(`${isAwaited ? 'work that a person waits for does not rest' : 'an import rests'} after a transaction for which another process waited`, async (t) => {
    const file = join(cwd, `rest-${isAwaited}.db`);
    const sqlite = openDatabase(file, { create: true });
    t.after(() => sqlite.close());
    const session = new WriteSession(sqlite, { now, onCreated: () => {} });
    const batches = new WriteBatches(sqlite, session, { isAlone: false, isAwaited });
    t.after(() => batches.close());
    /** Holds the lock for 15 ms, and returns how long the next transaction then waits, in ms. */
    const waitAfter = (isWanted: boolean): number => {
      assert.ok(batches.begin());
      blockFor(15);
      if (isWanted) writeFileSync(lockRequestPath(file), Buffer.of(1));
      batches.end();
      // The other process had the lock.
      writeFileSync(lockRequestPath(file), Buffer.of(0));
      const start = performance.now();
      assert.ok(batches.begin());
      const waited = performance.now() - start;
      batches.end();
      return waited;
    };
    // Other programs may delay this one: the shortest of some is compared.
    const shortest = async (isWanted: boolean): Promise<number> => {
      const waits: number[] = [];
      for (let round = 0; round < 5; round++) {
        // Long after the last request, as far as this object knows.
        await sleep(130);
        waits.push(waitAfter(isWanted));
      }
      return Math.min(...waits);
    };
    const [wanted, unwanted] = [await shortest(true), await shortest(false)];
    assert.ok(unwanted < 5, `${unwanted} ms although nobody waited`);
    if (isAwaited) assert.ok(wanted < 5, `${wanted} ms`);
    else assert.ok(wanted > 20 && wanted < 35, `${wanted} ms`);
  });

test('the merge of the search index at the end of an import hands the lock over', async (t) => {
  const file = join(cwd, 'merged.db');
  const sqlite = openDatabase(file, { create: true });
  t.after(() => sqlite.close());
  const before = await importFeed(sqlite, {
    source: 'a',
    type: 'feed',
    now,
    alone: true,
    input: bytes(shows('a')),
  });
  assert.equal(before.lock.handovers, 0);
  const { mergeSegments } = NameIndexWriter.prototype;
  let steps = 0;
  mock.method(NameIndexWriter.prototype, 'mergeSegments', function (this: NameIndexWriter, isFirst: boolean) {
    steps++;
    // As another process that was refused the lock, and ended since.
    writeFileSync(lockRequestPath(file), Buffer.of(1));
    return mergeSegments.call(this, isFirst);
  });
  t.after(() => mock.restoreAll());
  const others = shows('b').map((show) => ({ ...show, name: `Other ${show.name}`, venue: null }));
  const report = await importFeed(sqlite, {
    source: 'b',
    type: 'feed',
    now,
    alone: false,
    input: bytes(others),
  });
  assert.ok(steps > 0);
  assert.ok(report.lock.handovers >= steps, `${report.lock.handovers} of ${steps}`);
});

test('a request is seen through a link to the data file, and ends when the lock was taken', () => {
  const file = join(cwd, 'linked.db');
  openDatabase(file, { create: true }).close();
  const link = join(cwd, 'link.db');
  symlinkSync(file, link);
  assert.equal(lockRequestPath(link), lockRequestPath(file));
  const path = lockRequestPath(file);
  // As of an import that was killed. No import of this process listens, so that its own requests are written.
  writeFileSync(path, Buffer.of(0));
  const requester = new LockRequester(link);
  requester.request();
  assert.deepEqual([...readFileSync(path)], [1]);
  requester.done();
  assert.deepEqual([...readFileSync(path)], [0]);
});

test('a request of a process that ended is forgotten, and so is one that a killed import left', () => {
  const file = join(cwd, 'ended.db');
  openDatabase(file, { create: true }).close();
  const path = lockRequestPath(file);
  writeFileSync(path, Buffer.of(1));
  const times = new LockTimes();
  const handover = new LockHandover(file, times);
  handover.listen();
  assert.equal(handover.isRequested, false);
  writeFileSync(path, Buffer.of(1));
  handover.release();
  handover.waitUntilTaken();
  assert.deepEqual([...readFileSync(path)], [0]);
  assert.equal(times.report().handovers, 1);
  handover.release();
  handover.waitUntilTaken();
  assert.equal(times.report().handovers, 1);
  handover.close();
  assert.ok(!existsSync(path));
});

test('requests still arrive after an edit, by another process or by this one', async () => {
  const file = join(cwd, 'edited.db');
  const sqlite = openDatabase(file, { create: true });
  const input = bytes(shows('a').slice(0, 1));
  await importFeed(sqlite, { source: 'a', type: 'feed', now, alone: true, input });
  const record = `event/${sqlite.prepare('SELECT slug FROM events').pluck().get()}`;
  const handover = new LockHandover(file, new LockTimes());
  handover.listen();
  const seesRequest = () => {
    handover.release();
    writeFileSync(lockRequestPath(file), Buffer.of(1));
    return handover.release();
  };
  assert.equal(seesRequest(), true);
  const { status, stderr } = await run(['edit', record, 'minimum_age=18', '--data', file]);
  assert.equal(status, 0, stderr);
  assert.equal(seesRequest(), true);
  await new Edits(sqlite, { now, actor: 'terminal:ada' }).set(record, [parseChange('minimum_age=21')]);
  assert.equal(seesRequest(), true);
  handover.close();
  assert.ok(!existsSync(lockRequestPath(file)));
  sqlite.close();
});

test('an import whose folder takes no further file works without requests', async () => {
  const file = join(cwd, 'refused.db');
  const sqlite = openDatabase(file, { create: true });
  // A link is not followed.
  symlinkSync(join(cwd, 'elsewhere'), lockRequestPath(file));
  const { kinds, lock } = await importFeed(sqlite, {
    source: 'a',
    type: 'feed',
    now,
    alone: false,
    input: bytes(shows('a').slice(0, 30)),
  });
  assert.deepEqual([kinds.event?.created, lock.handovers], [30, 0]);
  assert.ok(!existsSync(join(cwd, 'elsewhere')));
  sqlite.close();
});
