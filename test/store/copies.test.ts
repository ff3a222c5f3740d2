/** Copies of the data file: whole or not there, whenever the process that makes them is killed or the disk is full. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openDatabase, schemaVersion } from '../../src/store/database.ts';
import { identifyFile } from '../../src/store/file/identity.ts';
import { createScratchDirectory, removeStaleDirectories } from '../../src/store/file/scratch-directory.ts';
import { random } from '../support/bit-flips.ts';
import { folder, run, start } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string, input = '') => run(line.split(' '), { cwd, input });
const place = () => mkdtempSync(join(cwd, 'place-'));
const scratch = (path: string) => readdirSync(path).filter((name) => name.startsWith('.cratebase-'));
const old = join(cwd, 'old.db');
const full = join(cwd, 'full.db');

before(async () => {
  const sqlite = new Database(old);
  sqlite.exec(readFileSync(new URL('../support/schema-v1.sql', import.meta.url), 'utf8'));
  sqlite.pragma(`application_id = ${0x63726174}`);
  sqlite.pragma('user_version = 1');
  const add = sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
  add.run('cursor_key', '00'.repeat(32));
  // So large that a copy takes its time.
  for (let i = 0; i < 200; i++) add.run(`filler-${i}`, `${i} `.repeat(20_000));
  sqlite.pragma('journal_mode = WAL');
  sqlite.close();
  const lines = Array.from({ length: 3_000 }, (_, i) =>
    JSON.stringify({ kind: 'genre', external_id: `${i}`, name: `Genre ${i}`, description: 'd'.repeat(500) }),
  );
  await command('import - --source a --data full.db', lines.join('\n'));
});

/** What a file is worth: its schema, and that it is whole. */
function worth(path: string): string {
  const identity = identifyFile(path);
  const sqlite = new Database(path);
  try {
    assert.equal(sqlite.pragma('integrity_check', { simple: true }), 'ok', path);
    const held = sqlite.prepare('SELECT count(*) FROM settings').pluck().get() as number;
    const genres = sqlite.prepare('SELECT count(*) FROM genres').pluck().get() as number;
    return `${identity.owner}, ${held > 200 ? 'filled' : 'small'}, ${genres} genres, schema ${sqlite.pragma('user_version', { simple: true })}`;
  } finally {
    sqlite.close();
  }
}
const worthOfOld = 'ours, filled, 0 genres, schema 1';
const worthOfNew = `ours, filled, 0 genres, schema ${schemaVersion}`;

describe('the copy made before a migration', () => {
  test('is made anew beside one that is broken, or of something else', () => {
    for (const spoil of [
      (copy: string) => writeFileSync(copy, ''),
      (copy: string) => {
        copyFileSync(old, copy);
        truncateSync(copy, 1_000_000);
      },
      (copy: string) => copyFileSync(full, copy),
      (copy: string) => mkdirSync(copy),
    ]) {
      const data = join(place(), 'x.db');
      copyFileSync(old, data);
      spoil(`${data}.v1.bak`);
      openDatabase(data, { create: false }).close();
      assert.equal(worth(`${data}.v1-2.bak`), worthOfOld);
      assert.equal(worth(data), worthOfNew);
    }
  });

  test('serves again where the migration failed and nothing was written since', () => {
    const data = join(place(), 'x.db');
    copyFileSync(old, data);
    const broken = [{ to: schemaVersion, sql: 'SELECT no_such_column' }];
    const names = () => readdirSync(join(data, '..')).sort();
    for (let tries = 0; tries < 2; tries++) {
      assert.throws(() => openDatabase(data, { create: false, migrations: broken }));
      assert.deepEqual(names(), ['x.db', 'x.db.v1.bak']);
    }
    const sqlite = new Database(data);
    sqlite.exec("INSERT INTO settings (key, value) VALUES ('more', '1')");
    sqlite.close();
    openDatabase(data, { create: false }).close();
    assert.deepEqual(names(), ['x.db', 'x.db.v1-2.bak', 'x.db.v1.bak']);
  });

  test('keeps a damaged file from being migrated', () => {
    const data = join(place(), 'x.db');
    copyFileSync(old, data);
    const content = readFileSync(data);
    content.fill(0xab, content.length - 5_000_000, content.length - 4_990_000);
    writeFileSync(data, content);
    assert.throws(() => openDatabase(data, { create: false }), /damaged/);
    assert.deepEqual(identifyFile(data), { owner: 'ours', schema: 1 });
    assert.deepEqual(readdirSync(join(data, '..')), ['x.db']);
  });
});

test('a file whose upgrade was killed while it was written is rolled back and upgraded', () => {
  const [data, unfinished] = [join(place(), 'x.db'), join(place(), 'unfinished.db')];
  copyFileSync(old, data);
  const sqlite = new Database(data);
  sqlite.pragma('journal_mode = DELETE');
  // SQLite then writes the journal without waiting, so that its copy is complete before the commit.
  sqlite.pragma('synchronous = OFF');
  sqlite.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${schemaVersion}`);
  copyFileSync(`${data}-journal`, `${unfinished}-journal`);
  sqlite.exec('COMMIT');
  sqlite.close();
  copyFileSync(data, unfinished);
  assert.deepEqual(identifyFile(unfinished), { owner: 'ours', schema: schemaVersion });
  openDatabase(unfinished, { create: false }).close();
  assert.equal(worth(unfinished), worthOfNew);
  assert.equal(worth(`${unfinished}.v1.bak`), worthOfOld);
});

/** A small disk of its own, where that can be had. */
const disk = join(cwd, 'disk');
function mountDisk(): boolean {
  try {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

test('a disk too small for the copy leaves the old file, and nothing else', async (t) => {
  if (!mountDisk()) return t.skip('needs a disk of its own (root)');
  t.after(() => execFileSync('umount', ['-l', disk]));
  copyFileSync(old, join(disk, 'x.db'));
  for (let tries = 0; tries < 2; tries++) {
    const { status, stderr } = await command('import - --source a --data disk/x.db');
    assert.equal(status, 1);
    assert.match(stderr, /The disk of disk\/x\.db is full/);
    assert.deepEqual(readdirSync(disk), ['x.db']);
  }
  execFileSync('mount', ['-o', 'remount,size=64m', disk]);
  assert.equal(worth(join(disk, 'x.db')), worthOfOld);
  assert.equal((await command('import - --source a --data disk/x.db')).status, 0);
  assert.equal(worth(join(disk, 'x.db')), worthOfNew);
});

/** The folders that were left in a place, each with its files and their ages in seconds, for messages. */
const left = (path: string): string =>
  scratch(path)
    .map((name) => {
      const files = ['.', ...readdirSync(join(path, name))].map((file) => {
        const { mtimeMs, size } = statSync(join(path, name, file));
        return `${file} (${((Date.now() - mtimeMs) / 1_000).toFixed(1)} s, ${size} bytes)`;
      });
      return `${name}: ${files.join(', ')}`;
    })
    .join('; ');

/** Lets a folder and what is in it have last changed so many seconds ago. */
function age(path: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  for (const each of [...readdirSync(path).map((name) => join(path, name)), path])
    utimesSync(each, then, then);
}

/** Runs a command and kills it so many milliseconds after its work began, which the folder for that tells. */
async function killed(line: string, path: string, ms: number): Promise<void> {
  const child = start(line.split(' '), { cwd });
  const closed = once(child, 'close').then(() => true);
  let isClosed = false;
  while (!isClosed && scratch(path).length === 0) isClosed = await Promise.race([closed, delay(1, false)]);
  await Promise.race([delay(ms), closed]);
  child.kill('SIGKILL');
  await closed;
}

const seed = Number(process.env.SEED ?? 20_261_122);
const rounds = Number(process.env.ROUNDS ?? 8);

describe(`killed at any moment (SEED=${seed})`, () => {
  test('a migration leaves the old file or the new one, and the next start ends it', async (t) => {
    const below = random(seed);
    const path = place();
    const data = join(path, 'x.db');
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
      copyFileSync(old, data);
      await killed(`import - --source a --data ${data}`, path, below(160));
      const kept = readdirSync(path).filter((name) => name.endsWith('.bak'));
      seen.add(`${kept.length} copies, ${scratch(path).length} left`);
      // A copy that is there is whole.
      for (const name of kept) assert.equal(worth(join(path, name)), worthOfOld);
      const before = left(path);
      // A process killed before it locked its folder: the folder is told from a new one by its age alone.
      for (const name of scratch(path)) age(join(path, name), 61);
      const ended = await command(`import - --source a --data ${data}`);
      assert.equal(ended.status, 0, ended.stderr);
      assert.equal(worth(data), worthOfNew);
      assert.equal(worth(`${data}.v1.bak`), worthOfOld);
      assert.equal(left(path), '', `round ${round}; before: ${before}`);
    }
    t.diagnostic([...seen].join('; '));
  });

  test('a backup is whole or not there, and the next one clears up', async (t) => {
    const below = random(seed + 1);
    const path = place();
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const copy = join(path, `${round}.db`);
      for (const name of scratch(path)) rmSync(join(path, name), { recursive: true });
      await killed(`backup ${copy} --data full.db`, path, below(400));
      seen.add(`${existsSync(copy) ? 'made' : 'not made'}, ${scratch(path).length} left`);
      if (existsSync(copy)) assert.match(worth(copy), /3000 genres/);
    }
    t.diagnostic([...seen].join('; '));
    await killed(`backup ${path}/none.db --data full.db`, path, 0);
    // A process killed before it locked its folder: the folder is told from a new one by its age alone.
    for (const name of scratch(path)) age(join(path, name), 61);
    assert.equal((await command(`backup ${path}/last.db --data full.db`)).status, 0);
    assert.deepEqual(scratch(path), []);
  });

  test('a restore leaves the old file or the new one', async (t) => {
    const below = random(seed + 2);
    const path = place();
    const data = join(path, 'x.db');
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
      await command(`import - --source a --data ${data}`);
      await killed(`restore full.db --data ${data}`, path, below(250));
      const is = worth(data);
      assert.match(is, /^ours, small, (0|3000) genres, schema \d+$/);
      seen.add(is);
      assert.equal((await command(`restore full.db --data ${data}`)).status, 0);
      assert.match(worth(data), /3000 genres/);
      assert.deepEqual(scratch(path), []);
    }
    t.diagnostic([...seen].join('; '));
  });
});

describe('folders for work under way', () => {
  test('are gone at once after SIGTERM', async () => {
    const path = place();
    const child = start(['backup', join(path, 'copy.db'), '--data', 'full.db'], { cwd });
    const closed = once(child, 'close');
    for (let tries = 0; scratch(path).length === 0 && tries < 1_000; tries++) await delay(2);
    child.kill('SIGTERM');
    await closed;
    assert.deepEqual(scratch(path), []);
  });

  test('are removed when their owner is gone, and never before', async () => {
    const path = place();
    const mine = createScratchDirectory(path, 'copy');
    // Of a process that died: there is no lock on it any more.
    const script = `const { mkdirSync, closeSync, openSync } = require('node:fs');
      mkdirSync(process.argv[1]); closeSync(openSync(process.argv[1] + '/locked', 'wx'));
      const lock = new (require('better-sqlite3'))(process.argv[1] + '/lock');
      lock.exec('BEGIN EXCLUSIVE'); process.kill(process.pid, 'SIGKILL')`;
    assert.throws(() => execFileSync(process.execPath, ['-e', script, join(path, '.cratebase-copy-dead')]));
    // Of a process that was killed while it removed its folder.
    mkdirSync(join(path, '.cratebase-copy-removed'));
    writeFileSync(join(path, '.cratebase-copy-removed', 'locked'), '');
    mkdirSync(join(path, '.cratebase-copy-new'));
    mkdirSync(join(path, '.cratebase-copy-older'));
    const before = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(path, '.cratebase-copy-older'), before, before);
    assert.equal(scratch(path).length, 5);
    assert.equal((await command(`backup ${path}/copy.db --data full.db`)).status, 0);
    const left = scratch(path).map((name) => join(path, name));
    assert.deepEqual(left.sort(), [join(path, '.cratebase-copy-new'), mine.path].sort());
    removeStaleDirectories(path);
    assert.ok(existsSync(mine.path));
    mine.remove();
    assert.ok(!existsSync(mine.path));
  });
});
