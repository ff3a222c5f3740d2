/** Files that are not ours, or not for this version: not a byte of them changes, and nothing is left beside them. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { identifyFile } from '../../src/store/file/identity.ts';
import { schemaVersion } from '../../src/store/file/migrations.ts';
import { folder, run, start } from '../support/cli-run.ts';

const cwd = folder();
const command = (line: string, input = '') => run(line.split(' '), { cwd, input });
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Every file of a folder with its content: what must be the same afterwards. */
const state = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path)
      .sort()
      .map((name) => {
        const file = join(path, name);
        if (!statSync(file).isFile()) return [name, 'no file'];
        return [name, createHash('sha256').update(readFileSync(file)).digest('hex')];
      }),
  );

/** A folder of its own with a file in it, made as `make` says. */
function place(make: (path: string) => void): string {
  const path = mkdtempSync(join(cwd, 'place-'));
  make(join(path, 'x.db'));
  return path;
}

/** Runs SQL in a process that then dies without closing the file: its log stays. */
function diesAfter(path: string, sql: string): void {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1]);
    sqlite.exec(process.argv[2]); process.kill(process.pid, 'SIGKILL')`;
  try {
    execFileSync(process.execPath, ['-e', script, path, sql], { cwd: process.cwd() });
  } catch (failure) {
    assert.equal((failure as { signal: string }).signal, 'SIGKILL');
  }
}

const table = 'CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)';
const ours = `PRAGMA application_id = ${0x63726174}`;
const newer = `${ours}; PRAGMA user_version = ${schemaVersion + 1}`;
const build = (sql: string) => (path: string) => {
  const sqlite = new Database(path);
  sqlite.exec(sql);
  sqlite.close();
};

/** `keeps`: which of its files are compared; the index of a log (-shm) may be made anew from the log. */
type Foreign = { make: (path: string) => void; says: RegExp; keeps?: RegExp };
const foreign: Record<string, Foreign> = {
  "another program's file": { make: build(table), says: /is not a cratebase data file/ },
  'one with a version of its own': {
    make: build(`${table}; PRAGMA user_version = 3; PRAGMA application_id = 7`),
    says: /is not a cratebase data file/,
  },
  'one in WAL mode': { make: build(`PRAGMA journal_mode = WAL; ${table}`), says: /is not a cratebase data/ },
  'one whose log holds all there is': {
    make: (path) => diesAfter(path, `PRAGMA journal_mode = WAL; ${table}`),
    says: /is not a cratebase data file/,
  },
  'one whose log holds what was not committed': {
    make: (path) =>
      diesAfter(
        path,
        `PRAGMA journal_mode = WAL; PRAGMA cache_size = 5; ${table}; BEGIN;
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
         INSERT INTO theirs SELECT hex(randomblob(50)) FROM n`,
      ),
    says: /is not a cratebase data file/,
  },
  'a text': {
    make: (path) => writeFileSync(path, 'a letter to somebody, '.repeat(30)),
    says: /is not a data/,
  },
  'a short text': { make: (path) => writeFileSync(path, 'x'), says: /is not a data file/ },
  'a newer data file': { make: build(`${table}; ${newer}`), says: /newer cratebase .*Update cratebase/ },
  'one that its log alone makes newer': {
    make: (path) => {
      build(`PRAGMA journal_mode = WAL; ${table}; ${ours}; PRAGMA user_version = 1`)(path);
      diesAfter(path, newer);
    },
    says: /newer cratebase/,
  },
  'one with our mark, and none of our tables': {
    make: build(`${table}; ${ours}; PRAGMA user_version = ${schemaVersion}`),
    says: /is marked as a cratebase data file, but lacks its tables \(settings, /,
  },
  'one with our mark, no version, and a table': {
    make: build(`PRAGMA journal_mode = WAL; ${table}; ${ours}`),
    says: /lacks its tables/,
  },
  'one with our mark, an older version, and some of our tables': {
    make: build(`CREATE TABLE settings (key TEXT, value TEXT); ${ours}; PRAGMA user_version = 3`),
    says: /lacks its tables/,
  },
  'one of our mark and version in a log that was not closed': {
    make: (path) =>
      diesAfter(path, `PRAGMA journal_mode = WAL; ${table}; ${ours}; PRAGMA user_version = ${schemaVersion}`),
    says: /lacks its tables/,
    keeps: /^x\.db(-wal)?$/,
  },
  'a folder': { make: (path) => mkdirSync(path), says: /is a folder/ },
  'a pipe': { make: (path) => execFileSync('mkfifo', [path]), says: /is not a regular file/ },
  'a link to such a file': {
    make: (path) => {
      build(`PRAGMA journal_mode = WAL; ${table}`)(`${path}.real`);
      symlinkSync(`${path}.real`, path);
    },
    says: /is not a cratebase data file/,
  },
};

describe('is not changed by a byte:', { skip: process.platform === 'win32', concurrency: 2 }, () => {
  for (const [name, { make, says, keeps = /./ }] of Object.entries(foreign)) {
    const kept = (path: string) =>
      Object.fromEntries(Object.entries(state(path)).filter(([file]) => keeps.test(file)));
    test(name, async () => {
      const path = place(make);
      const before = kept(path);
      const data = `--data ${join(path, 'x.db')}`;
      for (const line of [`search x ${data}`, `import - --source a ${data}`, `serve --port 0 ${data}`]) {
        const { status, stderr } = await command(line);
        assert.deepEqual(
          [status, says.test(stderr.split('\n').at(-2) ?? '')],
          [1, true],
          `${line}: ${stderr}`,
        );
        assert.deepEqual(kept(path), before, line);
      }
      const doctor = await command(`doctor --port 9 ${data}`);
      assert.match(doctor.stdout, says);
      assert.deepEqual(kept(path), before);
    });
  }
});

test('an empty file is filled by who may make one, and refused by who reads', async () => {
  const path = place((file) => writeFileSync(file, ''));
  const before = state(path);
  const refused = await command(`search x --data ${path}/x.db`);
  assert.match(refused.stderr, /x\.db is empty: start `cratebase serve` to fill it/);
  assert.deepEqual(state(path), before);
  assert.equal((await command(`import - --source a --data ${path}/x.db`)).status, 0);
  assert.deepEqual(identifyFile(`${path}/x.db`), { owner: 'ours', schema: schemaVersion });
});

test('a file that was just made, and has all it holds in its log, is known as ours', async () => {
  const path = place(() => {});
  diesAfter(
    join(path, 'x.db'),
    `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${table}; ${ours}; PRAGMA user_version = 5`,
  );
  const written = readFileSync(join(path, 'x.db'));
  assert.ok(written.length < 112 || written.readUInt32BE(68) === 0);
  assert.deepEqual(identifyFile(join(path, 'x.db')), { owner: 'ours', schema: 5 });
});

test('a restore does not take the place of a file of another program', async () => {
  await command('import - --source a --data whole.db');
  const path = place(build(`PRAGMA journal_mode = WAL; ${table}`));
  const before = state(path);
  const { status, stderr } = await command(`restore whole.db --data ${path}/x.db`);
  assert.equal(status, 1);
  assert.match(stderr, /is not a cratebase data file/);
  assert.deepEqual(state(path), before);
});

describe('a file of an older schema', () => {
  const old = (path: string) => {
    build(readFileSync(new URL('../support/schema-v1.sql', import.meta.url), 'utf8'))(path);
    build(
      `${ours}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
       INSERT INTO settings (key, value) VALUES ('cursor_key', '${'00'.repeat(32)}')`,
    )(path);
  };
  const readers = [
    'search x',
    'show artist x',
    'stats',
    'export',
    'verify',
    'duplicates',
    'explain x',
    'accounts list',
    'keys list a@example.com',
    'sources list',
    'mcp',
  ];

  test('is refused by read-only commands, with advice; a backup of it has the same schema', async () => {
    const path = place(old);
    const before = state(path);
    for (const line of readers) {
      const { status, stderr } = await command(`${line} --data ${path}/x.db`);
      assert.equal(status, 1, line);
      assert.match(
        stderr,
        /x\.db has schema 1; this cratebase reads schema \d+\. Start `cratebase serve`.*copy/,
      );
      assert.deepEqual(state(path), before, line);
    }
    const backup = await command(`backup ${path}/copy.db --data ${path}/x.db`);
    assert.equal(backup.status, 0, backup.stderr);
    assert.deepEqual(identifyFile(`${path}/copy.db`), { owner: 'ours', schema: 1 });
    // An older backup is brought up to date on its way.
    assert.equal((await command(`restore ${path}/copy.db --data ${path}/again.db`)).status, 0);
    assert.deepEqual(identifyFile(`${path}/again.db`), { owner: 'ours', schema: schemaVersion });
    assert.deepEqual(identifyFile(`${path}/copy.db`), { owner: 'ours', schema: 1 });
    assert.deepEqual(readdirSync(path).sort(), ['again.db', 'copy.db', 'x.db']);
  });

  describe('that a service uses', () => {
    const path = place(old);
    before(async () => {
      // Of another version: a process that has the file open, and noted itself as services do.
      const script = `const os = require('node:os');
        const sqlite = new (require('better-sqlite3'))(process.argv[1]);
        const note = { pid: process.pid, url: 'http://127.0.0.1:1', started_at: new Date().toISOString(),
          version: '0.8.0', settings: [], machine: os.hostname(), data: process.argv[1] };
        sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run('serving/x', JSON.stringify(note));
        console.log('there'); setInterval(() => {}, 1000);`;
      const { spawn } = await import('node:child_process');
      const child = spawn(process.execPath, ['-e', script, join(path, 'x.db')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.add(child);
      await once(child.stdout as NodeJS.ReadableStream, 'data');
    });

    test('is never upgraded', async () => {
      const before = state(path);
      for (const line of ['import - --source a', 'accounts create a@example.com', 'serve --port 0', 'sync']) {
        const { status, stderr } = await command(`${line} --data ${path}/x.db`);
        assert.equal(status, 1, line);
        assert.match(stderr, /schema 1.*a service of cratebase 0\.8\.0 \(process \d+\).*[Ss]top that/, line);
      }
      const doctor = await command(`doctor --data ${path}/x.db --port 9`);
      assert.match(
        doctor.stdout,
        /WARNING +data file: .*has schema 1; .*used by a service of cratebase 0\.8\.0/,
      );
      const [{ 'x.db-shm': _, ...now }, { 'x.db-shm': __, ...then }] = [state(path), before];
      assert.deepEqual(now, then);
    });

    test('is, as soon as the service is gone', async () => {
      for (const child of running) child.kill('SIGKILL');
      const { status, stderr } = await command(`import - --source a --data ${path}/x.db`);
      assert.equal(status, 0, stderr);
      assert.deepEqual(identifyFile(`${path}/x.db`), { owner: 'ours', schema: schemaVersion });
      assert.ok(existsSync(`${path}/x.db.v1.bak`));
    });
  });

  test('two that start at once bring it up to date once', async () => {
    const path = place(old);
    const lines = [1, 2, 3].map((n) => command(`import - --source a${n} --data ${path}/x.db`));
    for (const { status, stderr } of await Promise.all(lines)) assert.equal(status, 0, stderr);
    assert.deepEqual(readdirSync(path).sort(), ['x.db', 'x.db.v1.bak']);
    assert.deepEqual(identifyFile(`${path}/x.db.v1.bak`), { owner: 'ours', schema: 1 });
  });
});

test('a service notes its version', async () => {
  const child = start(['serve', '--empty', '--no-sync', '--port', '0', '--data', 'served.db'], { cwd });
  running.add(child);
  await once(child.stdout, 'data');
  const { stdout } = await command('doctor --data served.db --json');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal(JSON.parse(stdout).service.version, version);
  child.kill();
  await once(child, 'close');
});
