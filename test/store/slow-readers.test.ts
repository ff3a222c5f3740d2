/** Who reads the whole file slowly holds nobody up: the log of what is written meanwhile stays short. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { openDatabase, readSetting, writeSetting } from '../../src/store/database.ts';
import { backUpTo } from '../../src/store/file/maintenance.ts';
import { maxLogGrowthBytes } from '../../src/store/file/snapshot.ts';
import { folder, run, start } from '../support/cli-run.ts';

const cwd = folder();
const data = join(cwd, 'many.db');
const scratch = () => readdirSync(cwd).filter((name) => name.startsWith('.cratebase-'));
const logBytes = (path: string) => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

let written = 0;
/** Commits so many megabytes, one at a time, as a sync would. */
function writeMegabytes(sqlite: Database.Database, count: number, each: () => void = () => {}): void {
  for (let i = 0; i < count; i++) {
    writeSetting(sqlite, 'filler', String(written++ % 10).repeat(1_000_000));
    each();
  }
}

/** Writes on until who reads goes on from a copy. */
async function writeUntilCopied(sqlite: Database.Database): Promise<void> {
  for (let megabytes = 0; scratch().length === 0; megabytes++) {
    assert.ok(megabytes < 400, `no copy after ${megabytes} MB; the log has ${logBytes(data)} bytes`);
    writeMegabytes(sqlite, 1);
    await delay(5);
  }
  assert.match(scratch().join(), /^\.cratebase-snapshot-/);
}

before(async () => {
  await run(['import', '-', '--source', 'many', '--data', data], {
    cwd,
    input: Array.from({ length: 20_000 }, (_, i) =>
      JSON.stringify({
        kind: 'genre',
        external_id: `${i}`,
        name: `Genre ${i}`,
        description: 'd'.repeat(200),
      }),
    ).join('\n'),
  });
});

describe('an export that stands still', () => {
  test('lets the log go, and ends with the state that it began with', async () => {
    const expected = await run(['export', '--data', data], { cwd });
    const child = start(['export', '--data', data], { cwd });
    const writer = openDatabase(data, { create: false });
    after(() => child.kill('SIGKILL'));
    // It has begun, and cannot go on: nobody takes more than the first piece.
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    child.stdout.pause();
    const pieces = [first];
    child.stdout.on('data', (piece) => pieces.push(piece));
    child.stdout.pause();
    writer.exec("UPDATE genres SET name = 'Changed meanwhile'");
    await writeUntilCopied(writer);
    // As soon as it reads from its copy, all of the log can be moved into the file.
    const isLetGo = () => {
      const [{ busy }] = writer.pragma('wal_checkpoint(RESTART)') as [{ busy: number }];
      return busy === 0;
    };
    writer.pragma('busy_timeout = 50');
    for (let tries = 0; !isLetGo(); tries++) {
      assert.ok(tries < 400, 'the log is still held');
      await delay(25);
    }
    let most = 0;
    writeMegabytes(writer, 250, () => {
      most = Math.max(most, logBytes(data));
    });
    assert.ok(most < 2.2 * maxLogGrowthBytes, `${most} bytes`);
    child.stdout.resume();
    const [status] = await once(child, 'close');
    assert.equal(status, 0);
    assert.equal(Buffer.concat(pieces).toString(), expected.stdout);
    assert.deepEqual(scratch(), []);
    writer.close();
  });

  test('is ended by a signal, and leaves nothing behind', async () => {
    const child = start(['export', '--data', data], { cwd });
    const writer = openDatabase(data, { create: false });
    after(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.stdout.pause();
    await writeUntilCopied(writer);
    child.kill('SIGTERM');
    const [status] = await once(child, 'exit');
    assert.equal(status, 143);
    assert.deepEqual(scratch(), []);
    writer.close();
  });
});

/** A disk that is not the one of the data file. */
const elsewhere = '/dev/shm';
const isElsewhere = existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(cwd).dev;

test('a backup to a slow disk lets the log go too', {
  skip: isElsewhere ? false : 'needs a second disk',
}, async (t) => {
  const place = mkdtempSync(join(elsewhere, 'cratebase-slow-'));
  t.after(() => rmSync(place, { recursive: true }));
  const sqlite = openDatabase(data, { create: false });
  const writer = openDatabase(data, { create: false });
  // More than two steps of pages.
  writeMegabytes(writer, 1);
  writeSetting(writer, 'bulk', 'b'.repeat(25_000_000));
  writeSetting(writer, 'state', 'before');
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  let [steps, most] = [0, 0];
  await backUpTo(sqlite, join(place, 'copy.db'), () => {
    if (steps++ === 0) writeSetting(writer, 'state', 'after');
    if (steps > 12) return;
    // So much is written while a step takes its time.
    writeMegabytes(writer, 40);
    most = Math.max(most, logBytes(data));
  });
  assert.ok(steps > 3, `${steps} steps`);
  assert.ok(most < 3 * maxLogGrowthBytes, `${most} bytes`);
  const copy = openDatabase(join(place, 'copy.db'), { create: false });
  assert.equal(readSetting(copy, 'state'), 'before');
  for (const open of [copy, sqlite, writer]) open.close();
  assert.deepEqual(readdirSync(place), ['copy.db']);
  assert.deepEqual(scratch(), []);
});
