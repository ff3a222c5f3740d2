/** Disks that are full, read-only or damaged under the executable. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { flips } from '../support/bit-flips.ts';
import { reasonToSkip } from '../support/executable.ts';
import { ask, folder, random, replace, report, run, seed, serve, stop, tries } from './fault-table.ts';
import { feed } from './feeds.ts';

const file = 'test/faults/disks.test.ts';
const cwd = folder();
const at = (name: string): string => join(cwd, name);
const command = (line: string, expected: number | null = 0) => run(line.split(' '), { cwd }, expected);
const exported = async (data: string): Promise<string[]> =>
  (await command(`export --data ${data}`)).stdout.split('\n').toSorted();
const importing = (data: string) => `import b.ndjson --source bravo --complete --data ${data}`;

const disk = at('disk');
function mountDisk(): boolean {
  try {
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', disk], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
const skip = reasonToSkip() || (mountDisk() ? false : 'needs a disk of its own (root)');

/** Leaves `release` bytes on the disk. */
function fill(free: number): void {
  const path = join(disk, 'filler');
  rmSync(path, { force: true });
  const handle = openSync(path, 'w');
  try {
    for (const size of [65_536, 4_096])
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (failure) {
        assert.equal((failure as NodeJS.ErrnoException).code, 'ENOSPC');
      }
  } finally {
    closeSync(handle);
  }
  const { size } = statSync(path);
  execFileSync('truncate', ['-s', String(Math.max(0, size - free)), path]);
}

describe('disks', { skip }, () => {
  // Before the folder around it is removed.
  after(() => execFileSync('umount', ['-l', disk]));
  before(async () => {
    writeFileSync(at('a.ndjson'), feed('alpha', 200));
    writeFileSync(at('b.ndjson'), feed('bravo', 200, true));
    await command('import a.ndjson --source alpha --data before.db');
    await command('accounts create someone@music.example --data before.db');
    replace(at('before.db'), at('whole.db'));
    await command(importing('whole.db'));
  });

  test('a full disk during an import', async () => {
    const whole = await exported('whole.db');
    const draw = random('full disk');
    let stopped = 0;
    for (let attempt = 0; attempt < tries; attempt++) {
      rmSync(join(disk, 'filler'), { force: true });
      replace(at('before.db'), join(disk, 'full.db'));
      fill(Math.floor(draw() * 2_000_000));
      const first = await command(importing('disk/full.db'), null);
      if (first.status !== 0) {
        stopped++;
        assert.match(first.stderr, /The disk of disk\/full\.db is full\. Make room on it/);
        assert.doesNotMatch(first.stderr, /^\s+at /m);
      }
      rmSync(join(disk, 'filler'));
      await command(importing('disk/full.db'));
      assert.deepEqual(await exported('disk/full.db'), whole);
      await command('verify --data disk/full.db');
    }
    assert.ok(stopped > 0, 'the disk was never full');
    const outcome = `${stopped} stopped with one line; the same import again equals the undisturbed one`;
    report({ fault: 'disk full during import', tried: tries, outcome, test: file });
  });

  test('a read-only disk', async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(disk, `kept.db${end}`), { force: true });
    copyFileSync(at('whole.db'), join(disk, 'kept.db'));
    const sum = readFileSync(join(disk, 'kept.db'));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    try {
      const lines = [
        'search performer',
        'show artist performer-1',
        'stats',
        'export',
        'verify',
        'explain artist/performer-1',
      ];
      for (const line of lines) {
        const { stdout } = await command(`${line} --data disk/kept.db`);
        assert.notEqual(stdout, '', line);
      }
      const refused = await command(importing('disk/kept.db'), 1);
      assert.match(refused.stderr, /disk\/kept\.db.* cannot be written/);
      assert.deepEqual(readFileSync(join(disk, 'kept.db')), sum);
      report({
        fault: 'read-only disk',
        tried: lines.length + 1,
        outcome: `${lines.map((line) => line.split(' ', 1)[0]).join(', ')} answer; import is refused with advice`,
        test: file,
      });
    } finally {
      execFileSync('mount', ['-o', 'remount,rw', disk]);
    }
  });

  test('damaged pages', async () => {
    const content = readFileSync(at('whole.db'));
    let [found, asked, unavailable] = [0, 0, 0];
    const count = tries * 4;
    let attempt = 0;
    for (const { offset, bit } of flips(at('whole.db'), count, seed)) {
      const spoilt = Buffer.from(content);
      spoilt[offset] = (spoilt[offset] as number) ^ (1 << bit);
      for (const end of ['-wal', '-shm']) rmSync(at(`spoilt.db${end}`), { force: true });
      writeFileSync(at('spoilt.db'), spoilt);
      if ((await command('verify --data spoilt.db', null)).status === 1) found++;
      if (attempt++ >= 2) continue;
      // Whatever is damaged, the service answers each request, and goes on.
      const service = await serve(['--data', 'spoilt.db', '--no-sync'], { cwd }).catch(() => null);
      if (service === null) continue;
      for (const path of ['events', 'artists', 'venues', 'stats', 'search?q=perf', 'artists/performer-1']) {
        asked++;
        const status = await ask(service, `/api/v1/${path}`);
        assert.ok([200, 404, 503].includes(status), `${path}: ${status}`);
        if (status === 503) unavailable++;
      }
      assert.equal((await stop(service)).status, 0);
    }
    const outcome = `verify finds ${found} of ${count} flipped bits; the service answered ${asked} of ${asked} requests (${unavailable} with 503)`;
    report({ fault: 'flipped bits in pages', tried: count, outcome, test: file });
    assert.ok(found >= count * 0.9, `verify found ${found} of ${count}`);
  });
});
