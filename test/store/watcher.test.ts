/** What watches the data file finds no fault in a file that grows while others write. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openApp } from '../../src/app.ts';
import { openDatabase } from '../../src/store/database.ts';
import { hasLogHole, logFilesOf } from '../../src/store/file/log-files.ts';
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

/** Makes a data file and what watches it. */
function makeWatched(name: string) {
  const path = join(folder.path, name);
  const sqlite = openDatabase(path, { create: true });
  const key = readInstanceSecret(sqlite);
  const inode = statSync(path, { bigint: true }).ino;
  return { path, sqlite, watcher: new FileWatcher({ path, inode, key, logFiles: logFilesOf(path) }) };
}

/** The fault that a check finds. `interfere` is called before each pragma in the midst of the check. */
function faultOf(watcher: FileWatcher, interfere: (pragma: string) => void) {
  const own = Database.prototype.pragma;
  Database.prototype.pragma = function (text, options) {
    interfere(text);
    return own.call(this, text, options);
  };
  try {
    return watcher.check().fault;
  } finally {
    Database.prototype.pragma = own;
  }
}

test('a file that is deleted in the midst of a check is missing, not cut', () => {
  const { path, sqlite, watcher } = makeWatched('deleted.db');
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  assert.equal(watcher.check().fault, null);
  const fault = faultOf(watcher, (pragma) => {
    // The length of the file is read after this.
    if (pragma === 'page_count') rmSync(path);
  });
  assert.equal(fault, null);
  assert.equal(watcher.check().fault, 'missing');
  watcher.close();
  sqlite.close();
});

test('a log that is emptied in the midst of a check is cut off, and the file is not overwritten', () => {
  const { path, sqlite, watcher } = makeWatched('emptied.db');
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  assert.equal(watcher.check().fault, null);
  sqlite.exec('UPDATE catalogue SET revision = revision + 1');
  const fault = faultOf(watcher, (pragma) => {
    // The content of the file is looked at after this.
    if (pragma === 'shrink_memory') truncateSync(`${path}-wal`);
  });
  assert.equal(fault, 'cut_log');
  assert.equal(watcher.check().fault, 'cut_log');
  watcher.close();
  sqlite.close();
});

for (const left of [0, 100, 32 + 2 * 4_120, 32 + 3 * 4_120 + 57])
  test(`a log that was cut off after ${left} bytes is found when it is longer than before by now`, () => {
    const { path, sqlite, watcher } = makeWatched(`cut-${left}.db`);
    const write = sqlite.prepare('UPDATE catalogue SET revision = revision + 1');
    sqlite.pragma('wal_autocheckpoint = 0');
    // The first check makes a checkpoint, after which the log is begun anew.
    assert.equal(watcher.check().fault, null);
    for (let commits = 0; commits < 6; commits++) write.run();
    assert.equal(watcher.check().fault, null);
    for (let commits = 0; commits < 3; commits++) write.run();
    truncateSync(`${path}-wal`, left);
    for (let commits = 0; commits < 9; commits++) write.run();
    assert.ok(statSync(`${path}-wal`).size > 32 + 9 * 4_120);
    assert.equal(watcher.check().fault, 'cut_log');
    assert.ok(hasLogHole(path));
    watcher.close();
    sqlite.close();
  });

test('a log that is cut off among many new frames is found when it is longer than before by now', () => {
  const { path, sqlite, watcher } = makeWatched('cut-many.db');
  const write = sqlite.prepare('UPDATE catalogue SET revision = revision + 1');
  sqlite.pragma('wal_autocheckpoint = 0');
  assert.equal(watcher.check().fault, null);
  for (let commits = 0; commits < 600; commits++) write.run();
  truncateSync(`${path}-wal`, 32 + 500 * 4_120);
  for (let commits = 0; commits < 200; commits++) write.run();
  assert.equal(watcher.check().fault, 'cut_log');
  watcher.close();
  sqlite.close();
});

for (const lose of [rmSync, (path: string) => renameSync(path, `${path}.elsewhere`)])
  test(`a log that was cut off and is ${lose === rmSync ? 'deleted' : 'renamed'} after that is not moved into the file`, () => {
    const { path, sqlite, watcher } = makeWatched(`cut-${lose === rmSync ? 'deleted' : 'renamed'}.db`);
    const write = sqlite.prepare('UPDATE catalogue SET revision = revision + 1');
    sqlite.pragma('wal_autocheckpoint = 0');
    assert.equal(watcher.check().fault, null);
    for (let commits = 0; commits < 6; commits++) write.run();
    assert.equal(watcher.check().fault, null);
    truncateSync(`${path}-wal`, 0);
    write.run();
    lose(`${path}-wal`);
    assert.equal(watcher.check().fault, 'cut_log');
    watcher.close();
  });

describe('a file that is overwritten by an earlier copy of itself, of the same revision and length', () => {
  /** Makes such a copy, and changes the file. Half of the changes are in the log alone, if `isInLog`. */
  const makeCopy = (name: string, isInLog: boolean) => {
    const watched = makeWatched(name);
    const { path, sqlite, watcher } = watched;
    const insert = sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, 1)');
    insert.run('first');
    sqlite.pragma('wal_checkpoint(PASSIVE)');
    assert.equal(watcher.check().fault, null);
    copyFileSync(path, `${path}.copy`);
    insert.run('second');
    sqlite.pragma('wal_checkpoint(PASSIVE)');
    if (isInLog) sqlite.exec('UPDATE catalogue SET last_synced_ts = 1');
    assert.equal(watcher.check().fault, null);
    assert.equal(statSync(path).size, statSync(`${path}.copy`).size);
    return watched;
  };
  for (const isInLog of [false, true])
    test(`is found ${isInLog ? 'beside a log with further changes' : 'beside a log that is checkpointed'}`, () => {
      const { path, sqlite, watcher } = makeCopy(`copied-${isInLog}.db`, isInLog);
      copyFileSync(`${path}.copy`, path);
      assert.equal(watcher.check().fault, 'overwritten');
      assert.equal(watcher.check().fault, 'overwritten');
      watcher.close();
      sqlite.close();
    });

  test('is found beside a log that was begun anew just before', () => {
    const { path, sqlite, watcher } = makeCopy('copied-anew.db', false);
    sqlite.exec('UPDATE catalogue SET last_synced_ts = 1');
    copyFileSync(`${path}.copy`, path);
    assert.equal(watcher.check().fault, 'overwritten');
    watcher.close();
    sqlite.close();
  });

  test('is found beside a log that was begun anew right after a checkpoint of the watcher', () => {
    const { path, sqlite, watcher } = makeWatched('own-checkpoint.db');
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(path, `${path}.copy`);
    sqlite.exec("INSERT INTO settings (key, value) VALUES ('first', 1)");
    // The first check makes a checkpoint.
    assert.equal(watcher.check().fault, null);
    sqlite.exec('UPDATE catalogue SET last_synced_ts = 1');
    copyFileSync(`${path}.copy`, path);
    assert.equal(watcher.check().fault, 'overwritten');
    watcher.close();
    sqlite.close();
  });

  test('is found beside a log that another program checkpointed and began anew since the last look', () => {
    const { path, sqlite, watcher } = makeCopy('others-checkpoint.db', true);
    const write = sqlite.prepare('UPDATE catalogue SET last_synced_ts = ?');
    for (let commits = 0; commits < 5; commits++) write.run(commits);
    assert.equal(watcher.check().fault, null);
    for (let commits = 5; commits < 8; commits++) write.run(commits);
    sqlite.pragma('wal_checkpoint(PASSIVE)');
    write.run(8);
    copyFileSync(`${path}.copy`, path);
    assert.equal(watcher.check().fault, 'overwritten');
    watcher.close();
    sqlite.close();
  });

  test('is found if the time of the file does not show it', () => {
    const { path, sqlite, watcher } = makeCopy('same-time.db', false);
    const { atime, mtime } = statSync(path);
    copyFileSync(`${path}.copy`, path);
    utimesSync(path, atime, mtime);
    assert.equal(watcher.check().fault, 'overwritten');
    watcher.close();
    sqlite.close();
  });

  test('is not taken for one if it has the same pages', () => {
    const { path, sqlite, watcher } = makeCopy('same.db', true);
    copyFileSync(path, `${path}.same`);
    copyFileSync(`${path}.same`, path);
    assert.equal(watcher.check().fault, null);
    watcher.close();
    sqlite.close();
  });
});

test('a log that SQLite shortens when it is begun anew is no sign of another file', () => {
  const { path, sqlite, watcher } = makeWatched('shortened.db');
  sqlite.pragma('wal_autocheckpoint = 0');
  const limit = 100_000;
  sqlite.pragma(`journal_size_limit = ${limit}`);
  const write = sqlite.prepare('UPDATE catalogue SET last_synced_ts = ?');
  assert.equal(watcher.check().fault, null);
  for (let commits = 0; commits < 40; commits++) write.run(commits);
  assert.equal(watcher.check().fault, null);
  for (let commits = 40; commits < 45; commits++) write.run(commits);
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  write.run(45);
  assert.equal(statSync(`${path}-wal`).size, limit);
  assert.equal(watcher.check().fault, null);
  watcher.close();
  sqlite.close();
});

test('a file that others made shorter and write on has no fault', () => {
  const { sqlite, watcher } = makeWatched('vacuumed.db');
  const fill = sqlite.prepare(
    "INSERT OR REPLACE INTO settings (key, value) VALUES ('large', hex(zeroblob(450000)))",
  );
  fill.run();
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  assert.equal(watcher.check().fault, null);
  sqlite.exec("DELETE FROM settings WHERE key = 'large'");
  sqlite.exec('VACUUM');
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  assert.equal(watcher.check().fault, null);
  fill.run();
  assert.equal(watcher.check().fault, null);
  watcher.close();
  sqlite.close();
});

/** Writes, checkpoints in all modes, and restarts the log, as other programs may at any time. */
const checkpointerSource = `
  const sqlite = new (require('better-sqlite3'))(process.argv[1], { timeout: 60_000 });
  sqlite.pragma('synchronous = OFF');
  const writes = [
    sqlite.prepare('UPDATE catalogue SET last_synced_ts = abs(random() % 1000000)'),
    sqlite.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES ('k' || abs(random() % 500), hex(randomblob(400)))"),
    sqlite.prepare("DELETE FROM settings WHERE key = 'k' || abs(random() % 500)"),
  ];
  const modes = ['PASSIVE', 'PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'];
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  for (;;) {
    sqlite.pragma('wal_autocheckpoint = ' + pick([0, 1, 20, 1000]));
    for (let commits = 0; commits < 50; commits++) pick(writes).run();
    sqlite.pragma('wal_checkpoint(' + pick(modes) + ')');
  }`;
/** A longer test, in ms: `CRATEBASE_WATCH_MS=60000`. */
const watchedMs = Number(process.env.CRATEBASE_WATCH_MS ?? 1_500);

test('a file that others write and checkpoint has no fault', async () => {
  const { path, sqlite, watcher } = makeWatched('checkpointed.db');
  const start = () =>
    spawn(process.execPath, ['-e', checkpointerSource, path], {
      cwd: new URL('../../', import.meta.url),
      stdio: 'inherit',
    });
  const others = [start(), start()];
  // A checkpoint that is killed leaves some of its pages in the file.
  const killing = setInterval(() => {
    const other = start();
    setTimeout(() => other.kill('SIGKILL'), 150 + Math.random() * 200);
    others.push(other);
  }, 400);
  const until = performance.now() + watchedMs;
  let checks = 0;
  try {
    while (performance.now() < until) {
      assert.equal(watcher.check().fault, null);
      checks++;
      await sleep(Math.random() * 10);
    }
  } finally {
    clearInterval(killing);
    for (const other of others) other.kill('SIGKILL');
  }
  assert.ok(checks > 10);
  assert.equal(watcher.check().fault, null);
  watcher.close();
  sqlite.close();
});

test('a log that is lost while the watcher opens the file is lost, and the file is not overwritten', () => {
  const { path, sqlite, watcher } = makeWatched('lost.db');
  const fault = faultOf(watcher, () => {
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  });
  assert.equal(fault, 'separated');
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

test('a log that is emptied before the thread has opened the file is cut off, and the file is not overwritten', async () => {
  const path = join(folder.path, 'emptied-early.db');
  const app = openApp({ data: path, create: true });
  truncateSync(`${path}-wal`);
  const messages: string[] = [];
  const monitor = app.file.maintain((_level, message) => messages.push(message));
  while (app.file.state.fault === null) await sleep(10);
  assert.equal(app.file.state.fault, 'cut_log');
  assert.match(messages.join(), /^The write-ahead log .* was emptied or cut off\.$/);
  await monitor.stop();
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
