/** Which files `backup` and `restore` replace: regular ones, behind links, and none that a running service needs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase } from '../../src/store/database.ts';
import { folder, run } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string, place = cwd) => run(line.split(' '), { cwd: place });
const data = join(cwd, 'base.db');
const artist = (name: string) => JSON.stringify({ kind: 'artist', external_id: name, name });

async function addArtist(name: string, file: string): Promise<void> {
  const feed = join(cwd, `${name}.ndjson`);
  writeFileSync(feed, artist(name));
  const { status, stderr } = await command(`import ${feed} --source ${name} --data ${file}`);
  assert.equal(status, 0, stderr);
}

async function artistsIn(file: string): Promise<number> {
  const { stdout } = await command(`stats --json --data ${file}`);
  return (JSON.parse(stdout) as { artists: number }).artists;
}

before(() => addArtist('ada', data));

test('backup replaces no named pipe and no socket', async () => {
  const place = mkdtempSync(join(cwd, 'nodes-'));
  execFileSync('mkfifo', [join(place, 'pipe')]);
  symlinkSync('pipe', join(place, 'link'));
  const socket = createServer().listen(join(place, 'socket'));
  await once(socket, 'listening');
  for (const name of ['pipe', 'link', 'socket']) {
    for (const force of ['', ' --force']) {
      const { status, stderr } = await command(`backup ${name}${force} --data ${data}`, place);
      assert.equal(status, 2, name);
      assert.match(stderr, new RegExp(`^cratebase: ${name} is not a regular file\\. Name another file`));
    }
  }
  assert.ok(lstatSync(join(place, 'pipe')).isFIFO());
  assert.ok(lstatSync(join(place, 'socket')).isSocket());
  assert.deepEqual(readdirSync(place).sort(), ['link', 'pipe', 'socket']);
  socket.close();
});

test('backup writes the file behind a link, and the link stays', async () => {
  const place = mkdtempSync(join(cwd, 'links-'));
  mkdirSync(join(place, 'disk'));
  writeFileSync(join(place, 'disk', 'copy.db'), 'an older copy');
  symlinkSync('disk/copy.db', join(place, 'copy.db'));
  symlinkSync('disk/new.db', join(place, 'new.db'));
  symlinkSync('circle', join(place, 'circle'));
  const unforced = await command(`backup copy.db --data ${data}`, place);
  assert.equal(unforced.status, 1);
  assert.match(unforced.stderr, /copy\.db already exists/);
  for (const [name, line] of [
    ['copy.db', 'backup copy.db --force'],
    ['new.db', 'backup new.db'],
  ] as const) {
    assert.equal((await command(`${line} --data ${data}`, place)).status, 0, line);
    assert.equal(readlinkSync(join(place, name)), `disk/${name}`);
    assert.equal(await artistsIn(join(place, 'disk', name)), 1);
  }
  const circle = await command(`backup circle --force --data ${data}`, place);
  assert.equal(circle.status, 2);
  assert.match(circle.stderr, /leads in a circle/);
});

test('backup replaces no file that SQLite keeps beside a database', async () => {
  const place = mkdtempSync(join(cwd, 'companions-'));
  copyFileSync(data, join(place, 'base.db'));
  symlinkSync('base.db-wal', join(place, 'link'));
  const open = new Database(join(place, 'base.db'));
  open.prepare("UPDATE settings SET value = value WHERE key = 'created_at'").run();
  const log = statSync(join(place, 'base.db-wal')).ino;
  for (const name of ['base.db-wal', 'base.db-shm', 'base.db-journal', 'link']) {
    const { status, stderr } = await command(`backup ${name} --force --data base.db`, place);
    assert.equal(status, 2, name);
    assert.match(stderr, /belongs to the database .*base\.db\. Name another file/);
  }
  assert.equal(statSync(join(place, 'base.db-wal')).ino, log);
  open.close();
  assert.equal((await command('backup other.db-wal --data base.db', place)).status, 0, 'a name alone');
});

test('restore replaces the data file behind a link, and keeps it there', async () => {
  const place = mkdtempSync(join(cwd, 'restore-'));
  for (const name of ['disk', 'etc']) mkdirSync(join(place, name));
  symlinkSync('../disk/real.db', join(place, 'etc', 'c.db'));
  copyFileSync(data, join(place, 'disk', 'real.db'));
  await addArtist('eve', join(place, 'etc', 'c.db'));
  const { status, stdout, stderr } = await command(`restore ${data} --data etc/c.db --json`, place);
  assert.equal(status, 0, stderr);
  const kept = join(place, 'disk', 'real.db.before-restore');
  assert.deepEqual(JSON.parse(stdout), { data: 'etc/c.db', kept });
  assert.equal(readlinkSync(join(place, 'etc', 'c.db')), '../disk/real.db');
  assert.ok(lstatSync(kept).isFile());
  assert.equal(await artistsIn(kept), 2);
  assert.equal(await artistsIn(join(place, 'disk', 'real.db')), 1);
  assert.deepEqual(readdirSync(join(place, 'etc')), ['c.db']);
});

test('restore writes the file that a link names if it is missing, and replaces no named pipe', async () => {
  const place = mkdtempSync(join(cwd, 'lost-'));
  mkdirSync(join(place, 'disk'));
  symlinkSync('disk/real.db', join(place, 'c.db'));
  execFileSync('mkfifo', [join(place, 'pipe')]);
  assert.equal((await command(`restore ${data} --data c.db`, place)).status, 0);
  assert.equal(await artistsIn(join(place, 'disk', 'real.db')), 1);
  assert.ok(lstatSync(join(place, 'c.db')).isSymbolicLink());
  const refused = await command(`restore ${data} --data pipe`, place);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /pipe is not a regular file/);
});

test('the copy before an upgrade is beside the data file, not beside a link to it', () => {
  const place = mkdtempSync(join(cwd, 'upgrade-'));
  for (const name of ['disk', 'etc']) mkdirSync(join(place, name));
  const old = new Database(join(place, 'disk', 'real.db'));
  old.exec(readFileSync(new URL('../support/schema-v1.sql', import.meta.url), 'utf8'));
  old.pragma(`application_id = ${0x63726174}`);
  old.pragma('user_version = 1');
  const add = old.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
  add.run('cursor_key', '00'.repeat(32));
  old.close();
  symlinkSync('../disk/real.db', join(place, 'etc', 'c.db'));
  openDatabase(join(place, 'etc', 'c.db'), { create: false }).close();
  assert.deepEqual(readdirSync(join(place, 'etc')), ['c.db']);
  assert.ok(readdirSync(join(place, 'disk')).includes('real.db.v1.bak'));
});
