/** What watches the data file finds no fault in a file that grows while others write. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openApp } from '../../src/app.ts';
import { openDatabase } from '../../src/store/database.ts';
import { logFilesOf } from '../../src/store/file/log-files.ts';
import { FileWatcher, isFileCut } from '../../src/store/file/watcher.ts';
import { readInstanceSecret } from '../../src/store/instance-secret.ts';
import { temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
after(() => folder.remove());

describe('a file is cut off', () => {
  const sizes = { size: 8_192, minSize: 12_288, maxSize: 8_192 };
  const cases: [string, Parameters<typeof isFileCut>[0], boolean][] = [
    ['all pages of the log are in it', { ...sizes, log: 5, checkpointed: 5 }, true],
    ['it was longer before', { ...sizes, log: 5, checkpointed: 2, maxSize: 12_288 }, true],
    ['pages of the log may extend it', { ...sizes, log: 5, checkpointed: 2 }, false],
    ['the index of the log could not be read', { ...sizes, log: -1, checkpointed: -1 }, false],
    ['it is as long as its pages', { ...sizes, log: 5, checkpointed: 5, size: 12_288 }, false],
  ];
  for (const [condition, numbers, expected] of cases)
    test(`${expected ? 'if' : 'not if'} ${condition}`, () => assert.equal(isFileCut(numbers), expected));
});

/** Fewer frames than those from which on the watcher restarts the log, for which it would hold the write lock. */
const writerSource = `
  const sqlite = new (require('better-sqlite3'))(process.argv[1], { timeout: 60_000 });
  sqlite.pragma('wal_autocheckpoint = 0');
  sqlite.pragma('synchronous = OFF');
  const write = sqlite.prepare('UPDATE catalogue SET revision = revision + 1');
  for (let commits = 0; commits < 4_500; commits++) write.run();`;

test('a reader that stays is waited for once, not at each check', () => {
  const path = join(folder.path, 'held.db');
  const sqlite = openDatabase(path, { create: true });
  sqlite.pragma('wal_autocheckpoint = 0');
  sqlite.pragma('synchronous = OFF');
  const key = readInstanceSecret(sqlite);
  sqlite.exec('CREATE TABLE filler (content BLOB)');
  const insert = sqlite.prepare('INSERT INTO filler VALUES (zeroblob(1000000))');
  const grow = () => {
    for (let rows = 0; rows < 35; rows++) insert.run();
  };
  const inode = statSync(path, { bigint: true }).ino;
  const watcher = new FileWatcher({ path, inode, key, logFiles: logFilesOf(path) });
  /** Runs a check. Returns how often it tried to restart the log, for which it blocks writers. */
  const restartsOf = (): number => {
    const own = Database.prototype.pragma;
    let restarts = 0;
    Database.prototype.pragma = function (text, options) {
      if (text.includes('RESTART')) restarts++;
      return own.call(this, text, options);
    };
    try {
      assert.equal(watcher.check().fault, null);
    } finally {
      Database.prototype.pragma = own;
    }
    return restarts;
  };
  const reader = new Database(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM catalogue').get();
  // 70 MB: the log is to be restarted.
  grow();
  grow();
  assert.equal(restartsOf(), 1);
  assert.equal(restartsOf(), 0);
  grow();
  assert.equal(restartsOf(), 0);
  assert.ok(watcher.check().heldMs > 0);
  const later = new Database(path);
  later.exec('BEGIN');
  later.prepare('SELECT count(*) FROM catalogue').get();
  reader.exec('COMMIT');
  assert.equal(restartsOf(), 1, 'another reader');
  assert.equal(restartsOf(), 0);
  later.exec('COMMIT');
  // The log is checkpointed completely, so the next writer begins it anew.
  assert.equal(restartsOf(), 0);
  for (let rows = 0; rows < 3; rows++) insert.run();
  assert.ok(watcher.check().logBytes < 8_000_000);
  assert.equal(watcher.check().heldMs, 0);
  for (const one of [watcher, reader, later, sqlite]) one.close();
});

test('a file that is deleted in the midst of a check is missing, not cut', () => {
  const path = join(folder.path, 'deleted.db');
  const sqlite = openDatabase(path, { create: true });
  const key = readInstanceSecret(sqlite);
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  const inode = statSync(path, { bigint: true }).ino;
  const watcher = new FileWatcher({ path, inode, key, logFiles: logFilesOf(path) });
  assert.equal(watcher.check().fault, null);
  const own = Database.prototype.pragma;
  Database.prototype.pragma = function (text, options) {
    // The length of the file is read after this.
    if (text === 'page_count') rmSync(path);
    return own.call(this, text, options);
  };
  try {
    assert.equal(watcher.check().fault, null);
  } finally {
    Database.prototype.pragma = own;
  }
  assert.equal(watcher.check().fault, 'missing');
  watcher.close();
  sqlite.close();
});

test('a log that is lost while the watcher opens the file is lost, and the file is not overwritten', () => {
  const path = join(folder.path, 'lost.db');
  const sqlite = openDatabase(path, { create: true });
  const inode = statSync(path, { bigint: true }).ino;
  const watcher = new FileWatcher({
    path,
    inode,
    key: readInstanceSecret(sqlite),
    logFiles: logFilesOf(path),
  });
  const own = Database.prototype.pragma;
  Database.prototype.pragma = function (text, options) {
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    return own.call(this, text, options);
  };
  try {
    assert.equal(watcher.check().fault, 'separated');
  } finally {
    Database.prototype.pragma = own;
  }
  assert.equal(watcher.check().fault, 'separated');
  watcher.close();
  sqlite.close();
});

test('a log that is deleted before the thread has opened the file is moved into the file', async () => {
  const path = join(folder.path, 'early.db');
  const app = openApp({ data: path, create: true });
  const reader = new Database(path);
  const secret = readInstanceSecret(reader);
  reader.close();
  for (const end of ['-wal', '-shm']) rmSync(path + end);
  const monitor = app.file.maintain(() => {});
  while (app.file.state.fault === null) await sleep(10);
  assert.equal(app.file.state.fault, 'separated');
  await monitor.stop();
  copyFileSync(path, join(folder.path, 'rescued.db'));
  const rescued = new Database(join(folder.path, 'rescued.db'));
  assert.equal(rescued.pragma('integrity_check', { simple: true }), 'ok');
  assert.equal(readInstanceSecret(rescued), secret);
  rescued.close();
  app.close();
});

test('a file that a reader keeps short has no fault while three processes write', async () => {
  const path = join(folder.path, 'short.db');
  const sqlite = openDatabase(path, { create: true });
  const key = readInstanceSecret(sqlite);
  const reader = new Database(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM catalogue').get();
  sqlite.exec('CREATE TABLE filler (content BLOB)');
  const insert = sqlite.prepare('INSERT INTO filler VALUES (zeroblob(3000))');
  for (let rows = 0; rows < 400; rows++) insert.run();
  const inode = statSync(path, { bigint: true }).ino;
  const watcher = new FileWatcher({ path, inode, key, logFiles: logFilesOf(path) });
  const writers = [1, 2, 3].map(() =>
    spawn(process.execPath, ['-e', writerSource, path], {
      cwd: new URL('../../', import.meta.url),
      stdio: 'inherit',
    }),
  );
  let isOver = false;
  const ended = Promise.all(writers.map((writer) => once(writer, 'exit'))).then((exits) => {
    isOver = true;
    return exits;
  });
  while (!isOver) {
    assert.equal(watcher.check().fault, null);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const [status] of await ended) assert.equal(status, 0);
  assert.ok(statSync(path).size < Number(sqlite.pragma('page_count', { simple: true })) * 4_096);
  watcher.close();
  reader.close();
  sqlite.close();
});
