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
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import Database from 'better-sqlite3';
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
