/** A data file that is lost, or whose write-ahead log is cut off, while an import without a service uses it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Ended, folder, run, start } from '../support/cli-run.ts';

const cwd = folder();
const at = (name: string): string => join(cwd, name);
const frameBytes = 24 + 4_096;

const artists = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const name = `Act ${first + index}`;
    return `${JSON.stringify({ kind: 'artist', external_id: name, name, aliases: [`Alias of ${name}`] })}\n`;
  }).join('');

const createKey = (name: string): Promise<Ended> =>
  run(['keys', 'create', 'a@example.com', '--name', 'k', '--json', '--data', name], { cwd });

/** Imports into a copy of a data file, and calls `interfere` when half of the feed is in its log. */
async function importWith(name: string, interfere: () => unknown): Promise<Ended> {
  copyFileSync(at('whole.db'), at(name));
  const child = start(['import', '-', '--source', 'a', '--data', name], { cwd });
  const ended: Ended = { status: null, stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    ended.stdout += text;
  });
  child.stderr.on('data', (text) => {
    ended.stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.write(artists(0, 3_000));
  // The import commits what it has before it waits for more.
  const logBytes = () => statSync(at(`${name}-wal`), { throwIfNoEntry: false })?.size ?? 0;
  for (let before = -1, waits = 0; (before < 100_000 || before !== logBytes()) && waits < 200; waits++) {
    before = logBytes();
    await delay(250);
  }
  assert.ok(logBytes() > 100_000);
  await interfere();
  child.stdin.end(artists(3_000, 3_000));
  [ended.status] = (await once(child, 'close')) as [number];
  return ended;
}

const assertWhole = async (name: string): Promise<void> => {
  const verified = await run(['verify', '--data', name], { cwd });
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
};

describe('an import without a service', () => {
  before(async () => {
    const made = await run(['import', '-', '--source', 'a', '--data', 'whole.db'], {
      cwd,
      input: artists(0, 1),
    });
    assert.equal(made.status, 0, made.stderr);
    const account = await run(['accounts', 'create', 'a@example.com', '--data', 'whole.db'], { cwd });
    assert.equal(account.status, 0, account.stderr);
  });

  const cuts: [how: string, left: (size: number) => number][] = [
    ['emptied', () => 0],
    ['cut to its half', (size) => Math.floor(size / 2)],
    ['cut at its end', (size) => size - 30 * frameBytes],
  ];
  for (const [how, left] of cuts)
    test(`fails if its log is ${how}, and the file stays whole`, async () => {
      const name = `${how.replaceAll(' ', '-')}.db`;
      const log = at(`${name}-wal`);
      const imported = await importWith(name, () => truncateSync(log, left(statSync(log).size)));
      assert.equal(imported.status, 1, imported.stdout);
      assert.match(imported.stderr, /write-ahead log .*emptied or cut off/);
      await assertWhole(name);
    });

  test('fails if its log is emptied, as does a command meanwhile, and the file stays whole', async () => {
    let created: Promise<Ended> | undefined;
    const imported = await importWith('beside.db', () => {
      truncateSync(at('beside.db-wal'), 0);
      created = createKey('beside.db');
    });
    assert.equal(imported.status, 1, imported.stdout);
    const { status, stderr } = (await created) as Ended;
    // A command that comes after the end of the import finds the file without the log.
    if (status !== 0) assert.match(stderr, /write-ahead log/);
    await assertWhole('beside.db');
  });

  test('fails if the file is deleted', async () => {
    const imported = await importWith('deleted.db', () => rmSync(at('deleted.db')));
    assert.equal(imported.status, 1, imported.stdout);
    assert.match(imported.stderr, /deleted\.db was deleted or moved while it was in use/);
  });

  test('fails if the file is moved, which stays whole', async () => {
    const imported = await importWith('moved.db', () => renameSync(at('moved.db'), at('elsewhere.db')));
    assert.equal(imported.status, 1, imported.stdout);
    assert.match(imported.stderr, /moved\.db was deleted or moved while it was in use/);
    await assertWhole('elsewhere.db');
  });

  test('fails if the file is replaced, and leaves the new one as it is', async () => {
    const imported = await importWith('replaced.db', () => {
      copyFileSync(at('whole.db'), at('new.db'));
      renameSync(at('new.db'), at('replaced.db'));
    });
    assert.equal(imported.status, 1, imported.stdout);
    assert.match(imported.stderr, /replaced\.db was replaced by another file while it was in use/);
    assert.deepEqual(readFileSync(at('replaced.db')), readFileSync(at('whole.db')));
    await assertWhole('replaced.db');
  });
});
