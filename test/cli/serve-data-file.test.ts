/** The data file under a running service: its log moved into it, and what becomes of the service when it is changed. */
import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { folder, run } from '../support/cli-run.ts';
import { type Served, serve } from '../support/serve-process.ts';

const cwd = folder();
const at = (name: string): string => join(cwd, name);
const limits = '--window 1000000 --quota 100000000 --plan pro';

const statusOf = async ({ url, key }: Served, path: string): Promise<number> => {
  const response = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
};

/** Asks until the answer has this status; fails after some seconds. */
async function becomes(served: Served, path: string, status: number): Promise<void> {
  let last = 0;
  for (let tries = 0; tries < 200 && last !== status; tries++) {
    last = await statusOf(served, path);
    if (last !== status) await delay(25);
  }
  assert.equal(last, status, path);
}

/** What went wrong, as the log has it. */
const troubles = (served: Served) => served.log().filter(({ level }) => level !== 'info');

describe('a data file that is changed under a service', () => {
  before(async () => {
    // Each service gets a copy: making the sample events takes longer than a test.
    await (await serve(`--dev --data whole.db ${limits}`, { cwd })).stop();
    await run(['import', '-', '--source', 'a', '--data', 'other.db'], {
      cwd,
      input: '{"kind":"artist","external_id":"a","name":"From Elsewhere"}\n',
    });
  });

  type Change = { how: string; change: (data: string) => void; message: RegExp };
  const changes: Change[] = [
    {
      how: 'overwritten by another (cp)',
      change: (data) => copyFileSync(at('other.db'), data),
      message: /overwritten/,
    },
    { how: 'cut to nothing', change: (data) => truncateSync(data, 0), message: /overwritten or cut off/ },
    {
      how: 'cut in half',
      change: (data) => truncateSync(data, Math.floor(statSync(data).size / 2)),
      message: /overwritten or cut off/,
    },
    {
      how: 'replaced by another (mv)',
      change: (data) => {
        copyFileSync(at('other.db'), `${data}.new`);
        renameSync(`${data}.new`, data);
      },
      message: /replaced by another/,
    },
    { how: 'deleted', change: (data) => rmSync(data), message: /is gone/ },
  ];
  for (const workers of [1, 2]) {
    for (const [index, { how, change, message }] of changes.entries()) {
      test(`${how}: 503 and one line in the log, with ${workers} workers`, async () => {
        const name = `changed-${workers}-${index}.db`;
        copyFileSync(at('whole.db'), at(name));
        const served = await serve(`--dev --data ${name} --workers ${workers} ${limits}`, { cwd });
        for (let count = 0; count < 50; count++) assert.equal(await statusOf(served, '/api/v1/genres'), 200);
        await delay(1_500);
        change(at(name));
        for (let worker = 0; worker < workers * 4; worker++) await becomes(served, '/docs', 503);
        for (let count = 0; count < 10; count++) {
          for (const path of ['/api/v1/events', '/events', '/readyz', '/docs', '/mcp'])
            assert.equal(await statusOf(served, path), 503, path);
        }
        assert.equal(await statusOf(served, '/healthz'), 200);
        const lines = troubles(served).filter(({ trouble }) => trouble === undefined);
        assert.equal(lines.length, 1, JSON.stringify(troubles(served)));
        assert.match(String(lines[0]?.message), message);
        assert.match(String(lines[0]?.advice), /503/);
        assert.equal(await served.stop(), 0);
        // The next start takes what lies there, as it is.
        assert.ok(!existsSync(at(`${name}-wal`)));
        const isOther = index === 0 || index === 3;
        if (!isOther) return;
        assert.deepEqual(readFileSync(at(name)), readFileSync(at('other.db')));
        const again = await serve(`--dev --empty --data ${name} ${limits}`, { cwd });
        assert.equal(await statusOf(again, '/api/v1/artists/from-elsewhere'), 200);
        await again.stop();
        const verified = await run(['verify', '--data', name], { cwd });
        assert.equal(verified.status, 0, verified.stdout);
      });
    }
  }

  test('overwritten by its own backup, of the same revision: 503, and the backup stays as it is', async () => {
    copyFileSync(at('whole.db'), at('own.db'));
    const served = await serve(`--dev --data own.db ${limits}`, { cwd });
    const create = (name: string) =>
      run(['keys', 'create', 'dev@localhost', '--name', name, '--data', 'own.db'], { cwd });
    assert.equal((await create('first')).status, 0);
    const copied = await run(['backup', at('own-backup.db'), '--data', 'own.db'], { cwd });
    assert.equal(copied.status, 0, copied.stderr);
    assert.equal((await create('second')).status, 0);
    assert.equal(await statusOf(served, '/api/v1/genres'), 200);
    // An overwrite in the same quarter of a second as a restart of the log is not noticed.
    await delay(2_000);
    copyFileSync(at('own-backup.db'), at('own.db'));
    await becomes(served, '/readyz', 503);
    assert.match(String(troubles(served).at(-1)?.message), /overwritten/);
    assert.equal(await served.stop(), 0);
    const verified = await run(['verify', '--data', 'own.db'], { cwd });
    assert.equal(verified.status, 0, verified.stdout);
    assert.deepEqual(readFileSync(at('own.db')), readFileSync(at('own-backup.db')));
  });

  test('overwritten by its own backup at once after a change: 503, or nothing is lost', async () => {
    copyFileSync(at('whole.db'), at('at-once.db'));
    const served = await serve(`--dev --data at-once.db ${limits}`, { cwd });
    const copied = await run(['backup', at('at-once-backup.db'), '--data', 'at-once.db'], { cwd });
    assert.equal(copied.status, 0, copied.stderr);
    for (let attempt = 0; attempt < 4; attempt++) {
      const created = await run(
        ['keys', 'create', 'dev@localhost', '--name', `k${attempt}`, '--data', 'at-once.db'],
        { cwd },
      );
      if (created.status !== 0) break;
      await statusOf(served, '/api/v1/genres');
      copyFileSync(at('at-once-backup.db'), at('at-once.db'));
      await delay(600);
    }
    const isNoticed = (await statusOf(served, '/readyz')) === 503;
    const { stdout } = await run(['keys', 'list', 'dev@localhost', '--json', '--data', 'at-once.db'], {
      cwd,
    });
    if (!isNoticed) assert.match(stdout, /"k3"/);
    assert.equal(await served.stop(), 0);
    const verified = await run(['verify', '--data', 'at-once.db'], { cwd });
    assert.equal(verified.status, 0, verified.stdout);
  });

  test('damaged in its midst: not ready, with advice in the log', async () => {
    copyFileSync(at('whole.db'), at('damaged.db'));
    const again = await serve(`--dev --data damaged.db --no-sync ${limits}`, { cwd });
    const file = openSync(at('damaged.db'), 'r+');
    const { size } = statSync(at('damaged.db'));
    // All but the first pages, so that whatever is asked for meets it.
    writeSync(file, Buffer.alloc(size - 40 * 4_096, 0xab), 0, size - 40 * 4_096, 40 * 4_096);
    closeSync(file);
    let status = 0;
    for (let tries = 0; tries < 200 && status !== 503; tries++)
      for (const path of ['/api/v1/stats', '/api/v1/artists', '/api/v1/events', '/api/v1/venues'])
        status = Math.max(status, await statusOf(again, path));
    assert.equal(status, 503);
    await becomes(again, '/readyz', 503);
    const findings = troubles(again).filter(({ advice }) => /cratebase restore/.test(String(advice)));
    assert.ok(findings.length > 0, JSON.stringify(troubles(again)));
    await again.stop();
  });

  test('taken away and put back: it serves again', async () => {
    const served = await serve(`--dev --empty --data back.db ${limits}`, { cwd });
    renameSync(at('back.db'), at('away.db'));
    await becomes(served, '/api/v1/genres', 503);
    renameSync(at('away.db'), at('back.db'));
    await becomes(served, '/api/v1/genres', 200);
    assert.deepEqual(
      served
        .log()
        .map(({ message }) => message)
        .slice(1),
      ['The data file is gone.', 'the data file is there again'],
    );
    assert.equal(await served.stop(), 0);
  });
});

describe('a log that is deleted under a service', () => {
  const addKey = (name: string) =>
    run(['keys', 'create', 'dev@localhost', '--name', 'second', '--json', '--data', name], { cwd });

  for (const [index, ends] of [['-wal'], ['-shm'], ['-wal', '-shm']].entries()) {
    for (const workers of [1, 2]) {
      test(`${ends.join(' and ')}: 503, one line, nothing lost, with ${workers} workers`, async () => {
        const name = `log-gone-${workers}-${index}.db`;
        const served = await serve(`--dev --empty --data ${name} --workers ${workers} ${limits}`, { cwd });
        assert.equal(await statusOf(served, '/api/v1/genres'), 200);
        const made = await addKey(name);
        assert.equal(made.status, 0, made.stderr);
        const { id, key } = JSON.parse(made.stdout);
        // The thread that looks after the file opens it shortly after the start.
        await delay(1_000);
        for (const end of ends) rmSync(at(name + end));
        // Another process makes no second log that the service knows nothing of.
        const refused = await run(['keys', 'revoke', id, '--data', name], { cwd });
        assert.equal(refused.status, 1);
        assert.match(refused.stderr, /log .*was deleted.*[Ss]top that process/);
        for (let worker = 0; worker < workers * 4; worker++) await becomes(served, '/docs', 503);
        const lines = troubles(served).filter(({ trouble }) => trouble === undefined);
        assert.equal(lines.length, 1, JSON.stringify(troubles(served)));
        assert.match(String(lines[0]?.message), /write-ahead log .*deleted or replaced/);
        assert.equal(await served.stop(), 0);
        const revoked = await run(['keys', 'revoke', id, '--data', name], { cwd });
        assert.equal(revoked.status, 0, revoked.stderr);
        const again = await serve(`--dev --data ${name} ${limits}`, { cwd });
        // What was committed before is there: the account, its first key, the second one and its end.
        assert.equal(await statusOf(again, '/api/v1/genres'), 200);
        assert.equal(await statusOf({ ...again, key }, '/api/v1/genres'), 401);
        await again.stop();
        const verified = await run(['verify', '--data', name], { cwd });
        assert.equal(verified.status, 0, verified.stdout);
      });
    }
  }

  /** A new data file that is closed, so that all of it is in the file itself, and a key. */
  const makeKey = async (name: string): Promise<string> => {
    const commands = [
      ['import', '-', '--source', 'a', '--data', name],
      ['accounts', 'create', 'a@example.com', '--plan', 'pro', '--data', name],
      ['keys', 'create', 'a@example.com', '--name', 'k', '--data', name, '--json'],
    ];
    let stdout = '';
    for (const command of commands) {
      const done = await run(command, { cwd, input: '' });
      assert.equal(done.status, 0, done.stderr);
      stdout = done.stdout;
    }
    return JSON.parse(stdout).key;
  };
  const cuts: [how: string, left: number][] = [
    ['emptied', 0],
    ['cut off after two frames', 32 + 2 * 4_120],
  ];
  for (const [index, [how, left]] of cuts.entries()) {
    for (const workers of [1, 2]) {
      test(`the log is ${how} between requests: 503, and the file stays whole, with ${workers} workers`, async () => {
        const name = `log-cut-${workers}-${index}.db`;
        const key = await makeKey(name);
        const served = { ...(await serve(`--data ${name} --no-sync --workers ${workers}`, { cwd })), key };
        // Once the thread has moved the log into the file, the next requests are in the log alone for a minute.
        await delay(1_000);
        for (let count = 0; count < 10; count++)
          assert.equal(await statusOf(served, `/api/v1/genres?limit=${count + 1}`), 200);
        truncateSync(at(`${name}-wal`), left);
        // Counting goes on behind the hole at once.
        for (let count = 0; count < 40; count++) await statusOf(served, `/api/v1/genres?limit=${count + 1}`);
        await served.stop();
        const verified = await run(['verify', '--data', name], { cwd });
        assert.equal(verified.status, 0, verified.stdout);
        assert.ok(existsSync(at(`${name}.overwritten-wal`)));
        const again = { ...(await serve(`--data ${name} --no-sync`, { cwd })), key };
        assert.equal(await statusOf(again, '/api/v1/genres'), 200);
        await again.stop();
      });
    }
  }

  test('an emptied log is reported, and nothing is answered until the service is started again', async () => {
    await run(['import', '-', '--data', 'log-emptied.db'], { cwd, input: '' });
    const served = await serve(`--dev --data log-emptied.db ${limits}`, { cwd });
    await delay(1_000);
    truncateSync(at('log-emptied.db-wal'), 0);
    await becomes(served, '/docs', 503);
    const lines = troubles(served).filter(({ trouble }) => trouble === undefined);
    assert.match(String(lines.at(-1)?.message), /write-ahead log .*emptied or cut off/);
    assert.equal(await served.stop(), 0);
    const verified = await run(['verify', '--data', 'log-emptied.db'], { cwd });
    assert.equal(verified.status, 0, verified.stdout);
  });

  test('a log that is cut off and longer than before at the next check is found, and commands write nothing', async () => {
    const key = await makeKey('log-cut.db');
    const served = { ...(await serve(`--data log-cut.db --no-sync`, { cwd })), key };
    const create = ['keys', 'create', 'a@example.com', '--name', 'further', '--json', '--data', 'log-cut.db'];
    await delay(1_000);
    assert.equal((await run(create, { cwd })).status, 0);
    for (let count = 0; count < 40; count++) await statusOf(served, `/api/v1/genres?limit=${count + 1}`);
    const { size } = statSync(at('log-cut.db-wal'));
    truncateSync(at('log-cut.db-wal'), 50_000);
    for (let count = 0; statSync(at('log-cut.db-wal')).size <= size && count < 200; count++)
      await statusOf(served, `/api/v1/genres?limit=${count + 1}`);
    await becomes(served, '/readyz', 503);
    assert.match(String(troubles(served).at(-1)?.message), /write-ahead log .*emptied or cut off/);
    for (const command of [create, ['import', '-', '--source', 'a', '--data', 'log-cut.db']]) {
      const refused = await run(command, {
        cwd,
        input: '{"kind":"artist","external_id":"a","name":"Ada"}\n',
      });
      assert.equal(refused.status, 1, command.join(' '));
      assert.match(
        refused.stderr,
        /write-ahead log .*emptied or cut off.*cratebase serve/,
        command.join(' '),
      );
    }
    const examined = await run(['doctor', '--data', 'log-cut.db'], { cwd });
    assert.match(examined.stdout, /(?:data file|does not answer): The write-ahead log .*emptied or cut off/);
    assert.equal(await served.stop(), 0);
    const verified = await run(['verify', '--data', 'log-cut.db'], { cwd });
    assert.equal(verified.status, 0, verified.stdout);
  });

  test('an import whose log is emptied ends, and the file stays whole', async () => {
    const served = await serve(`--dev --empty --data import-cut.db ${limits}`, { cwd });
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({
        kind: 'artist',
        external_id: `${index}`,
        name: `Act ${index}`,
        aliases: [`Alias of ${index}`],
      }),
    );
    const importing = run(['import', '-', '--source', 'a', '--data', 'import-cut.db'], {
      cwd,
      input: lines.join('\n'),
    });
    const { size } = statSync(at('import-cut.db-wal'));
    for (let waits = 0; statSync(at('import-cut.db-wal')).size < size + 200_000 && waits < 500; waits++)
      await delay(10);
    truncateSync(at('import-cut.db-wal'), 0);
    const imported = await importing;
    assert.equal(imported.status, 1, imported.stdout);
    assert.match(imported.stderr, /write-ahead log .*emptied or cut off/);
    await becomes(served, '/readyz', 503);
    assert.equal(await served.stop(), 0);
    const verified = await run(['verify', '--data', 'import-cut.db'], { cwd });
    assert.equal(verified.status, 0, verified.stdout);
  });

  test('commits of another program to a new log outlive the service', async () => {
    const served = await serve(`--dev --empty --data second-log.db ${limits}`, { cwd });
    await delay(1_000);
    for (const end of ['-wal', '-shm']) rmSync(at(`second-log.db${end}`));
    await becomes(served, '/docs', 503);
    const other = new Database(at('second-log.db'));
    other.exec("INSERT INTO settings (key, value) VALUES ('of another program', 'x')");
    other.close();
    assert.equal(await served.stop(), 0);
    const sqlite = new Database(at('second-log.db'));
    const value = sqlite.prepare("SELECT value FROM settings WHERE key = 'of another program'").pluck().get();
    assert.equal(value, 'x');
    assert.equal(sqlite.pragma('integrity_check', { simple: true }), 'ok');
    sqlite.close();
  });
});

describe('the write-ahead log of a service', () => {
  const metrics = async ({ url }: Served): Promise<string> => {
    const response = await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer let-me-in' } });
    return response.text();
  };
  const gauge = async (served: Served, name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics(served))?.[1]);
  const env = { CRATEBASE_METRICS_TOKEN: 'let-me-in' };
  /** Writes to the file, as an import would: so many pages that the log would grow without end. */
  const write = (name: string, pages: number) => {
    const sqlite = new Database(at(name));
    sqlite.pragma('wal_autocheckpoint = 0');
    sqlite.exec('CREATE TABLE IF NOT EXISTS ballast (text TEXT)');
    const insert = sqlite.prepare('INSERT INTO ballast VALUES (?)');
    sqlite.transaction(() => {
      for (let page = 0; page < pages; page++) insert.run('x'.repeat(3_900));
    })();
    sqlite.close();
  };

  for (const workers of [1, 2]) {
    test(`is moved into the file meanwhile, with ${workers} workers`, async () => {
      const name = `log-${workers}.db`;
      const served = await serve(`--dev --empty --data ${name} --workers ${workers} ${limits}`, { cwd, env });
      const before = statSync(at(name)).size;
      for (let round = 0; round < 12; round++) {
        write(name, 2_000);
        await delay(300);
        assert.equal(await statusOf(served, '/api/v1/genres'), 200);
      }
      // Nearly all of it is in the file, and the log was begun anew.
      for (let tries = 0; tries < 40 && statSync(at(name)).size < before + 20_000 * 4_096; tries++)
        await delay(100);
      assert.ok(statSync(at(name)).size >= before + 20_000 * 4_096);
      assert.ok(statSync(at(`${name}-wal`)).size < 18_000 * 4_120, `${statSync(at(`${name}-wal`)).size}`);
      assert.deepEqual(troubles(served), []);
      await served.stop();
      assert.ok(!existsSync(at(`${name}-wal`)));
    });
  }

  test('that a long reader holds is reported in the log and in the metrics, and shrinks afterwards', async () => {
    const served = await serve(`--dev --empty --data held.db ${limits}`, { cwd, env });
    write('held.db', 1);
    const reader = new Database(at('held.db'));
    reader.exec('BEGIN; SELECT count(*) FROM ballast');
    write('held.db', 18_000);
    for (let tries = 0; tries < 300 && troubles(served).length === 0; tries++) await delay(100);
    assert.deepEqual(
      troubles(served).map(({ message }) => message),
      ['a reader keeps the write-ahead log from shrinking'],
    );
    assert.ok((await gauge(served, 'cratebase_log_bytes')) > 18_000 * 4_096);
    assert.ok((await gauge(served, 'cratebase_log_held_seconds')) >= 10);
    assert.equal(await statusOf(served, '/api/v1/genres'), 200);
    reader.close();
    const isOver = () => served.log().some(({ message }) => message === 'the write-ahead log shrinks again');
    for (let tries = 0; tries < 100 && !isOver(); tries++) await delay(50);
    assert.ok(isOver());
    assert.equal(await gauge(served, 'cratebase_log_held_seconds'), 0);
    await served.stop();
  });
});
