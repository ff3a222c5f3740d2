/** Commands of the executable that are killed with SIGKILL at random moments: nothing is lost, and the next run completes them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { schemaVersion } from '../../src/store/file/migrations.ts';
import { reasonToSkip } from '../support/executable.ts';
import {
  ask,
  folder,
  random,
  replace,
  report,
  run,
  runAndKill,
  type Service,
  serve,
  start,
  timed,
  tries,
} from './fault-table.ts';
import { feed } from './feeds.ts';

const file = 'test/faults/killed.test.ts';
const cwd = folder();
const at = (name: string): string => join(cwd, name);
const command = (line: string) => run(line.split(' '), { cwd });
const exported = async (data: string): Promise<string[]> =>
  (await command(`export --data ${data}`)).stdout.split('\n').toSorted();
const verify = (data: string) => command(`verify --data ${data}`);

/** Kills `line` at random moments of an undisturbed run's time, and checks the file after each; says how many were cut. */
async function killAtRandom(
  name: string,
  line: string,
  { prepare, check }: { prepare: () => unknown; check: () => Promise<void> },
): Promise<number> {
  const draw = random(name);
  await prepare();
  const whole = await timed(() => command(line));
  let cut = 0;
  for (let attempt = 0; attempt < tries; attempt++) {
    await prepare();
    const ms = draw() * whole;
    if (await runAndKill(line.split(' '), ms, { cwd })) cut++;
    try {
      await check();
    } catch (failure) {
      throw new Error(`${name}, killed after ${ms.toFixed(1)} of ${whole.toFixed(0)} ms`, { cause: failure });
    }
  }
  assert.ok(cut > 0, `${name}: no run was killed before its end`);
  return cut;
}

describe('killed with SIGKILL', { skip: reasonToSkip() }, () => {
  before(async () => {
    writeFileSync(at('a.ndjson'), feed('alpha', 200));
    writeFileSync(at('b.ndjson'), feed('bravo', 200, true));
    writeFileSync(at('none.ndjson'), '');
    await command('import a.ndjson --source alpha --data before.db');
    // With an account in the file an import leaves the file to others between short transactions.
    await command('accounts create someone@music.example --data before.db');
    await command(`sources add bravo --type feed --url ${at('b.ndjson')} --complete --data before.db`);
    replace(at('before.db'), at('whole.db'));
    await command('import b.ndjson --source bravo --complete --data whole.db');
  });

  for (const [fault, line] of [
    ['kill -9 during import', 'import b.ndjson --source bravo --complete --data cut.db'],
    ['kill -9 during sync', 'sync bravo --data cut.db'],
  ] as const)
    test(fault, async () => {
      const whole = await exported('whole.db');
      const cut = await killAtRandom(fault, line, {
        prepare: () => replace(at('before.db'), at('cut.db')),
        check: async () => {
          await command(line);
          assert.deepEqual(await exported('cut.db'), whole);
          await verify('cut.db');
        },
      });
      const outcome = `${cut} cut; each run again equals the undisturbed one, verify passes`;
      report({ fault, tried: tries, outcome, test: file });
    });

  test('kill -9 during merge', async () => {
    const merge = 'merge artist/performer-1 artist/performer-2 --data merged.db';
    const states = await Promise.all(
      ['before.db', 'merged.db'].map(async (name) => {
        if (name !== 'merged.db') return (await exported(name)).join('\n');
        replace(at('before.db'), at(name));
        await command(merge);
        return (await exported(name)).join('\n');
      }),
    );
    let [done, completed] = [0, 0];
    const cut = await killAtRandom('kill -9 during merge', merge, {
      prepare: () => replace(at('before.db'), at('merged.db')),
      check: async () => {
        let state = states.indexOf((await exported('merged.db')).join('\n'));
        if (state === -1) {
          // The records are one, and what shows them was not written anew yet: the next command that writes does that.
          completed++;
          await command('import none.ndjson --source none --complete --data merged.db');
          state = states.indexOf((await exported('merged.db')).join('\n'));
        }
        assert.notEqual(state, -1, 'neither the state before the merge nor the one after it');
        done += state;
        await verify('merged.db');
      },
    });
    const outcome = `${cut} cut, ${done} of ${tries} merged (${completed} completed by the next write), the others as before`;
    report({ fault: 'kill -9 during merge', tried: tries, outcome, test: file });
  });

  test('kill -9 during migration', async () => {
    const rows = 30_000;
    const old = new Database(at('old.db'));
    old.exec(readFileSync(new URL('../support/schema-v3.sql', import.meta.url), 'utf8'));
    const fill = old.prepare('INSERT INTO settings (key, value) VALUES (?, hex(randomblob(400)))');
    old.transaction(() => {
      for (let row = 0; row < rows; row++) fill.run(`filler ${row}`);
      old.prepare("INSERT INTO settings (key, value) VALUES ('cursor_key', ?)").run('0'.repeat(64));
    })();
    old.pragma(`application_id = ${0x63726174}`);
    old.pragma('user_version = 3');
    old.close();
    // An import migrates an older file before it writes.
    const bak = at('older.db.v3.bak');
    let copies = 0;
    const cut = await killAtRandom(
      'kill -9 during migration',
      'import none.ndjson --source none --complete --data older.db',
      {
        prepare: () => {
          replace(at('old.db'), at('older.db'));
          for (const name of readdirSync(cwd))
            if (name.startsWith('older.db.')) rmSync(at(name), { recursive: true });
        },
        check: async () => {
          if (existsSync(bak)) {
            copies++;
            assertWholeCopy(bak, rows);
          }
          await command('import none.ndjson --source none --complete --data older.db');
          const migrated = new Database(at('older.db'), { readonly: true });
          assert.equal(migrated.pragma('user_version', { simple: true }), schemaVersion);
          const kept = migrated
            .prepare("SELECT count(*) FROM settings WHERE key LIKE 'filler %'")
            .pluck()
            .get();
          assert.equal(kept, rows);
          migrated.close();
          assertWholeCopy(bak, rows);
        },
      },
    );
    const outcome = `${cut} cut, ${copies} with a copy already made; the next start migrates, the copy is whole`;
    report({ fault: 'kill -9 during migration', tried: tries, outcome, test: file });
  });

  test('kill -9 during backup', async () => {
    let whole = 0;
    const place = at('backups');
    const cut = await killAtRandom('kill -9 during backup', 'backup backups/copy.db --data before.db', {
      prepare: () => {
        rmSync(place, { recursive: true, force: true });
        mkdirSync(place);
      },
      check: async () => {
        if (existsSync(join(place, 'copy.db'))) {
          whole++;
          await verify('backups/copy.db');
        }
        await command('backup backups/again.db --data before.db');
        await verify('backups/again.db');
        const left = readdirSync(place).filter((name) => !/^(copy|again)\.db/.test(name));
        assert.deepEqual(left, [], 'what a killed backup left is removed by the next one');
      },
    });
    const outcome = `${cut} cut; ${whole} copies, all whole, no other copy; the next backup removes what was left`;
    report({ fault: 'kill -9 during backup', tried: tries, outcome, test: file });
  });

  test('kill -9 during restore', async () => {
    await command('backup good.db --data whole.db');
    const [old, restored] = [await exported('before.db'), await exported('whole.db')];
    let put = 0;
    const cut = await killAtRandom('kill -9 during restore', 'restore good.db --data restored.db', {
      prepare: () => {
        for (const name of readdirSync(cwd)) if (name.startsWith('restored.db')) rmSync(at(name));
        replace(at('before.db'), at('restored.db'));
      },
      check: async () => {
        const now = await exported('restored.db');
        const isRestored = now.length === restored.length;
        if (isRestored) put++;
        assert.deepEqual(now, isRestored ? restored : old);
        await verify('restored.db');
      },
    });
    const outcome = `${cut} cut; ${put} of ${tries} restored, the others as before`;
    report({ fault: 'kill -9 during restore', tried: tries, outcome, test: file });
  });

  test('kill -9 of a service that counts and checkpoints', async () => {
    const draw = random('kill -9 of a service');
    let [answered, counted] = [0, 0];
    for (let attempt = 0; attempt < tries; attempt++) {
      replace(at('before.db'), at('served.db'));
      const service = await serve(
        ['--data', 'served.db', '--plan', 'pro', '--window', '1000000', '--quota', '1000000', '--no-sync'],
        { cwd },
      );
      const first = await used('served.db');
      const ok = await askUntilKilled(service, 500 + draw() * 2_000);
      const later = (await used('served.db')) - first;
      assert.ok(later >= ok, `${ok} requests were answered and ${later} are counted`);
      // At most what was on its way: one request of each connection.
      assert.ok(later <= ok + 16, `${ok} requests were answered and ${later} are counted`);
      answered += ok;
      counted += later;
      await verify('served.db');
    }
    const outcome = `${answered} requests answered, ${counted} counted: none forgotten, verify passes`;
    report({ fault: 'kill -9 of a service under load', tried: tries, outcome, test: file });
  });

  test('kill -9 during a checkpoint', async () => {
    const draw = random('kill -9 during a checkpoint');
    const whole = await exported('whole.db');
    for (let attempt = 0; attempt < tries; attempt++) {
      replace(at('before.db'), at('log.db'));
      // A reader that stays keeps the log from being put away; the next program that opens the file has it to do.
      const reader = new Database(at('log.db'), { readonly: true });
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM records').get();
      await command('import b.ndjson --source bravo --complete --data log.db');
      reader.close();
      const { child, ended } = start(
        ['import', 'none.ndjson', '--source', 'none', '--complete', '--data', 'log.db'],
        {
          cwd,
        },
      );
      await Promise.race([sleep(50 + draw() * 250), ended]);
      child.kill('SIGKILL');
      await ended;
      assert.deepEqual(await exported('log.db'), whole);
      await verify('log.db');
    }
    const outcome = 'the file equals the undisturbed one, verify passes';
    report({ fault: 'kill -9 while a log of an import is put away', tried: tries, outcome, test: file });
  });
});

/** The copy that a migration of schema 3 makes first. */
function assertWholeCopy(path: string, rows: number): void {
  const copy = new Database(path, { readonly: true });
  assert.equal(copy.pragma('integrity_check', { simple: true }), 'ok');
  assert.equal(copy.pragma('user_version', { simple: true }), 3);
  assert.equal(copy.prepare("SELECT count(*) FROM settings WHERE key LIKE 'filler %'").pluck().get(), rows);
  copy.close();
}

async function used(data: string): Promise<number> {
  const { stdout } = await command(`accounts show dev@localhost --json --data ${data}`);
  return (JSON.parse(stdout) as { usage: { used: number } }).usage.used;
}

/** Sixteen connections ask without a pause until the service is killed after `ms`; how many requests had 200. */
async function askUntilKilled(service: Service, ms: number): Promise<number> {
  let [ok, isOver] = [0, false];
  const asking = Array.from({ length: 16 }, async () => {
    while (!isOver) if ((await ask(service, '/api/v1/genres?limit=1')) === 200) ok++;
  });
  await sleep(ms);
  service.child.kill('SIGKILL');
  isOver = true;
  await Promise.all(asking);
  await service.ended;
  return ok;
}
