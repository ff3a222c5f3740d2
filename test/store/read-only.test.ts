/** A data file on a disk that is mounted read-only: what only reads answers as before, the rest says why it cannot. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { openImmutable } from '../../src/store/file/immutable-database.ts';
import { folder, run } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string, input = '') => run(line.split(' '), { cwd, input });
const disk = join(cwd, 'disk');

function mountDisk(): boolean {
  try {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'none', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
const remount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, disk], { stdio: 'pipe' });
const mounted = mountDisk();

const feed = [
  { kind: 'genre', external_id: 'g', name: 'Techno' },
  { kind: 'city', external_id: 'c', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  { kind: 'venue', external_id: 'v', name: 'Tresor', city: 'Berlin', country: 'DE' },
  { kind: 'artist', external_id: 'a', name: 'Ben Klock', genres: ['Techno'] },
  {
    kind: 'event',
    external_id: 'e',
    name: 'Klubnacht',
    start_at: '2026-12-05T23:59:00+01:00',
    venue: { external_id: 'v', name: 'Tresor' },
  },
]
  .map((record) => JSON.stringify(record))
  .join('\n');

const reading = [
  'search ben klock',
  'show artist ben-klock',
  'show venue tresor',
  'stats',
  'export',
  'duplicates',
  'explain ben-klock',
  'verify',
  'accounts list',
  'keys list a@example.com',
  'sources list',
];

test('a file that is changed while it is read without a log gives an error, not a mixture', async () => {
  await command('import - --source a --data changing.db', feed);
  const path = join(cwd, 'changing.db');
  const reader = openImmutable(path);
  const count = reader.prepare('SELECT count(*) FROM artists').pluck();
  assert.equal(count.get(), 1);
  const rows = reader.prepare("SELECT value FROM json_each('[1,2,3]')").iterate();
  rows.next();
  // Another user's service writes into the file, and not only into its log.
  const writer = new Database(path);
  writer.exec("UPDATE artists SET real_name = 'Other'");
  writer.pragma('wal_checkpoint(TRUNCATE)');
  writer.close();
  const changed = /changing\.db was changed while it was read\. Run the command again\./;
  assert.throws(() => count.get(), changed);
  assert.throws(() => count.all(), changed);
  assert.throws(() => [...rows], changed);
  reader.close();
});

describe('a read-only disk', { skip: mounted ? false : 'needs a disk of its own (root)' }, () => {
  let expected: string[] = [];
  before(async () => {
    const imported = await command('import - --source a --data disk/closed.db', feed);
    assert.equal(imported.status, 0, imported.stderr);
    await command('accounts create a@example.com --data disk/closed.db');
    const plain = await Promise.all(reading.map((line) => command(`${line} --json --data disk/closed.db`)));
    for (const { status, stderr } of plain) assert.equal(status, 0, stderr);
    expected = plain.map(({ stdout }) => stdout);
    // The files that a killed service leaves: the last commits are in the log only.
    copyFileSync(join(disk, 'closed.db'), join(disk, 'died.db'));
    const sqlite = new Database(join(disk, 'died.db'));
    sqlite.pragma('journal_mode = WAL');
    sqlite.prepare("UPDATE artists SET real_name = 'Logged' WHERE slug = 'ben-klock'").run();
    for (const end of ['', '-wal', '-shm'])
      copyFileSync(join(disk, `died.db${end}`), join(disk, `logged.db${end}`));
    for (const end of ['', '-wal']) copyFileSync(join(disk, `died.db${end}`), join(disk, `torn.db${end}`));
    sqlite.close();
    remount('ro');
  });
  after(() => execFileSync('umount', ['-l', disk]));

  test('reading commands give the same output as on a writable disk', async () => {
    for (const [index, line] of reading.entries()) {
      const { status, stdout, stderr } = await command(`${line} --json --data disk/closed.db`);
      assert.equal(status, 0, `${line}: ${stderr}`);
      assert.equal(stdout, expected[index], line);
    }
    const { stdout } = await command('doctor --data disk/closed.db --port 9');
    assert.match(stdout, /ok +data file: .*schema/);
  });

  test('the write-ahead log of a crashed service is read too, or reported as unreadable', async () => {
    const shown = await command('show artist ben-klock --json --data disk/logged.db');
    assert.match(shown.stdout, /"real_name": ?"Logged"/, shown.stderr);
    const torn = await command('stats --data disk/torn.db');
    assert.equal(torn.status, 1);
    assert.match(torn.stderr, /torn\.db was not closed, and cannot be written: .*Copy both files/);
  });

  test('a backup of it is made elsewhere', async () => {
    assert.equal((await command('backup copy.db --data disk/closed.db')).status, 0);
    const { stdout } = await command('show artist ben-klock --json --data copy.db');
    assert.equal(stdout, expected[1]);
  });

  test('commands that write say that the disk is read-only, and which commands still work', async () => {
    for (const line of ['import - --source a', 'serve --port 0', 'accounts create b@example.com', 'sync']) {
      const { status, stderr } = await command(`${line} --data disk/closed.db`);
      assert.equal(status, 1, line);
      assert.match(stderr, /the disk is mounted read-only\. Reading commands work/, line);
    }
    assert.ok(existsSync(disk) && readdirSync(disk).every((name) => !name.startsWith('.cratebase')));
  });
});
