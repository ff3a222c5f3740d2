/** Backups on schedule: `serve --backup-dir`, `backup --dir`, their rotation, and what is told about failures. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openApp } from '../../src/app.ts';
import { registerService } from '../../src/cli/serve/service-registry.ts';
import { readServeConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/store/database.ts';
import { run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cratebase-scheduled-'));
const small = join(cwd, 'small');
let isMounted = false;
after(() => {
  if (isMounted) execFileSync('umount', ['-l', small]);
  rmSync(cwd, { recursive: true, force: true });
});

const cratebase = (...args: string[]) => run(args, { cwd });
const copiesIn = (folder: string): string[] =>
  readdirSync(join(cwd, folder))
    .filter((name) => name.endsWith('.db'))
    .sort();

function newFile(name: string): string {
  const path = join(cwd, name);
  openDatabase(path, { create: true }).close();
  return path;
}

/** Waits for a line of the log. */
async function logged(served: Served, message: string): Promise<Record<string, unknown>> {
  for (;;) {
    const line = served.log().find((one) => one.message === message);
    if (line !== undefined) return line;
    await pause(50);
  }
}

/** Sets the time of the last success in the data file. */
function rewindBackups(path: string, ms: number): void {
  const sqlite = openDatabase(path, { create: false });
  const states = JSON.parse(
    sqlite.prepare("SELECT value FROM settings WHERE key = 'backups'").pluck().get() as string,
  ) as { lastSuccessTs: number }[];
  for (const state of states) state.lastSuccessTs -= ms;
  sqlite.prepare("UPDATE settings SET value = ? WHERE key = 'backups'").run(JSON.stringify(states));
  sqlite.close();
}

test('rotation removes the oldest copies of this data file, and nothing else', async () => {
  const data = newFile('rotate.db');
  // Another data file with the same name.
  mkdirSync(join(cwd, 'other'));
  const other = newFile('other/rotate.db');
  mkdirSync(join(cwd, 'rotate'));
  const folder = join(cwd, 'rotate');
  const app = openApp({ data, create: false, readOnly: true });
  const second = openApp({ data: other, create: false, readOnly: true });
  const hour = 3_600_000;
  const start = Date.parse('2026-11-20T00:00:00Z');
  const made = async (which: typeof app, at: number, keep: number) => {
    const copy = await which.backups.folder(folder).backUp(at, { keep });
    assert.ok(!('skipped' in copy));
    return copy;
  };
  const first = await made(app, start, 2);
  assert.match(first.name, /^rotate-[0-9a-f]{6}-20261120T000000Z\.db$/);
  const stranger = await made(second, start, 2);
  const [prefix] = first.name.split('20261120') as [string];
  const kept = ['notes.txt', 'rotate-20250101T000000Z.db', `${prefix}20250101T000000Z.db.bak`];
  for (const name of kept) writeFileSync(join(folder, name), 'keep me');
  mkdirSync(join(folder, `${prefix}20250101T000000Z.db`));
  symlinkSync(join(folder, 'notes.txt'), join(folder, `${prefix}20250102T000000Z.db`));
  await made(app, start + hour, 2);
  const third = await made(app, start + 2 * hour, 2);
  assert.deepEqual(third.removed, [first.name]);
  const left = readdirSync(folder);
  for (const name of [...kept, stranger.name, `${prefix}20250101T000000Z.db`, `${prefix}20250102T000000Z.db`])
    assert.ok(left.includes(name), name);
  // The clock is set back: the new copy is the oldest by its name, and stays.
  const early = await made(app, start - hour, 2);
  assert.ok(existsSync(early.path));
  assert.deepEqual(early.removed, [first.name.replace('T00', 'T01')]);
  assert.equal(statSync(early.path).mode & 0o777, 0o600);
  const skipped = await app.backups.folder(folder).backUp(start + 2 * hour + 1, { keep: 2, everyMs: hour });
  assert.deepEqual(skipped, { skipped: true, newestTs: start + 2 * hour });
  app.close();
  second.close();
  const { status, stdout } = await cratebase('verify', '--data', early.path);
  assert.equal(status, 0, stdout);
});

test('several processes at once make one copy', async () => {
  newFile('many.db');
  mkdirSync(join(cwd, 'many'));
  const commands = await Promise.all(
    [1, 2, 3].map(() => cratebase('backup', '--dir', 'many', '--every', '1h', '--data', 'many.db', '--json')),
  );
  assert.ok(commands.every(({ status }) => status === 0));
  const results = commands.map(({ stdout }) => JSON.parse(stdout) as { skipped?: true; file?: string });
  assert.equal(results.filter(({ skipped }) => skipped === true).length, 2);
  assert.equal(copiesIn('many').length, 1);
});

test('the service backs up when it is due: at the first start, after a pause, and not in between', async () => {
  mkdirSync(join(cwd, 'due'));
  const line = '--empty --no-sync --data due.db --backup-dir due --backup-every 12h --backup-keep 2';
  const first = await serve(line, { cwd });
  const done = await logged(first, 'the data file was backed up');
  assert.equal(await first.stop(), 0);
  const [copy] = copiesIn('due');
  assert.equal(done.file, join(cwd, 'due', String(copy)));
  assert.equal(done.bytes, statSync(String(done.file)).size);
  assert.equal((await cratebase('verify', '--data', String(done.file))).status, 0);
  assert.match(
    (await cratebase('doctor', '--data', 'due.db')).stdout,
    /ok +backups: the last one is of .*1 copy in/,
  );

  const second = await serve(line, { cwd });
  await pause(2_500);
  assert.ok(!second.log().some(({ message }) => message === 'the data file was backed up'));
  await second.stop();
  assert.equal(copiesIn('due').length, 1);

  rewindBackups(join(cwd, 'due.db'), 13 * 3_600_000);
  rmSync(String(done.file));
  const third = await serve(`${line} --workers 2`, { cwd });
  await logged(third, 'the data file was backed up');
  await third.stop();
  assert.equal(copiesIn('due').length, 1);
  const app = openApp({ data: join(cwd, 'due.db'), create: false, readOnly: true });
  const report = await app.backups.report();
  app.close();
  assert.equal(report?.folder, join(cwd, 'due'));
  assert.deepEqual(
    report?.backups.map(({ ok, file, error }) => [ok, file, error]),
    [[true, join(cwd, 'due', String(copiesIn('due')[0])), null]],
  );
  assert.deepEqual([report?.failures, report?.keep, report?.every_ms], [0, 2, 12 * 3_600_000]);
});

test('a folder that is not there is one line in the log, and the service answers', async () => {
  const served = await serve('--dev --empty --no-sync --data gone.db --backup-dir gone', { cwd });
  const failed = await logged(served, 'the backup failed');
  assert.match(String(failed.error), /^The folder \S+gone does not exist\. Create it: mkdir /);
  assert.deepEqual([failed.level, failed.again_in], ['error', '1h']);
  const answer = await fetch(`${served.url}/api/v1/stats`, {
    headers: { Authorization: `Bearer ${served.key}` },
  });
  assert.equal(answer.status, 200);
  const doctor = (await cratebase('doctor', '--data', 'gone.db', '--json')).stdout;
  const { findings } = JSON.parse(doctor) as {
    findings: { check: string; status: string; message: string }[];
  };
  const finding = findings.find(({ check }) => check === 'backups');
  assert.match(
    `${finding?.status} ${finding?.message}`,
    /^warning The folder of the backups, .*cannot be read \(ENOENT\)/,
  );
  mkdirSync(join(cwd, 'gone'));
  assert.match(
    (await cratebase('doctor', '--data', 'gone.db')).stdout,
    /WARNING +backups: The last backup failed \(once\): The folder/,
  );
  await served.stop();
  assert.equal(served.log().filter(({ message }) => message === 'the backup failed').length, 1);
  // A start tries again at once.
  const again = await serve('--dev --empty --no-sync --data gone.db --backup-dir gone', { cwd });
  await logged(again, 'the data file was backed up');
  await again.stop();
  const app = openApp({ data: join(cwd, 'gone.db'), create: false, readOnly: true });
  const report = await app.backups.report();
  app.close();
  assert.deepEqual([report?.failures, report?.backups.map(({ ok }) => ok)], [0, [true, false]]);
});

/** Mounts a small disk; false without the right to do so. */
function mountSmallDisk(path: string): boolean {
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', path], { stdio: 'pipe' });
    isMounted = true;
    return true;
  } catch {
    return false;
  }
}
const skip = process.platform === 'linux' && mountSmallDisk(small) ? false : 'needs a disk of its own (root)';

test('a full disk is one line in the log, leaves no remains, and the service answers', { skip }, async () => {
  const served = await serve('--dev --empty --no-sync --data full.db --backup-dir small', { cwd });
  const failed = await logged(served, 'the backup failed');
  assert.match(String(failed.error), /^The disk of \S+small\S* is full\. Make room on it/);
  const answer = await fetch(`${served.url}/api/v1/stats`, {
    headers: { Authorization: `Bearer ${served.key}` },
  });
  assert.equal(answer.status, 200);
  await served.stop();
  assert.deepEqual(
    readdirSync(small).filter((name) => !name.endsWith('-lock')),
    [],
  );
});

test('wrong options are refused', async () => {
  const wrong: [string, RegExp][] = [
    ['serve --backup-every 1h', /--backup-every works only together with --backup-dir/],
    ['serve --backup-dir x --backup-every 10s', /--backup-every must be a time span from 1m to 31d/],
    ['serve --backup-dir x --backup-keep 0', /--backup-keep must be a whole number from 1/],
    ['backup', /Name the file of the copy, or a folder/],
    ['backup a.db --dir x', /Name the file of the copy, or a folder/],
    ['backup a.db --keep 3', /only together with --dir/],
    ['backup --dir x --keep none', /--keep is a whole number/],
    ['backup --dir x --every often', /--every is a time span/],
  ];
  newFile('cratebase.db');
  for (const [line, words] of wrong) {
    const { status, stderr } = await cratebase(...line.split(' '));
    assert.equal(status, 2, line);
    assert.match(stderr, words, line);
  }
  const missing = await cratebase('backup', '--dir', 'nowhere');
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /^cratebase: The folder \S+nowhere does not exist/);
  assert.ok(!readFileSync(join(cwd, 'cratebase.db')).equals(Buffer.alloc(0)));
});

test('doctor says that backups and exports are scheduled before the first one', async () => {
  const path = newFile('young.db');
  const scheduleLines = async () => {
    const { stdout } = await cratebase('doctor', '--data', 'young.db');
    return stdout.split('\n').filter((line) => /^ok\s+(?:backups|exports)\b/.test(line));
  };
  const app = openApp({ data: path, create: false });
  try {
    assert.equal((await scheduleLines()).filter((line) => line.includes('none are scheduled')).length, 2);
    // As a service registers that has just started.
    const flags = { data: path, backupDir: 'bk', exportDir: 'ex' };
    const unregister = registerService(app, readServeConfig(flags, {}), flags, 9, () => {});
    const lines = await scheduleLines();
    assert.equal(
      lines.filter((line) => line.includes('scheduled, none made yet')).length,
      2,
      lines.join('\n'),
    );
    unregister();
  } finally {
    app.close();
  }
});
