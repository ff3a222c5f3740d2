/** A sync whose process dies, or whose program fails: the source that was being read is told of it, the others are read. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { folder, run, start } from '../support/cli-run.ts';

const cwd = folder();
const allow = ['--fetch-allow', '127.0.0.0/8'];
/** `/stuck` sends a line and then nothing; everything else is a whole feed. */
let stuck: ServerResponse[] = [];
let server: Server;
let address = '';
const line = (id: string): string =>
  `${JSON.stringify({ kind: 'artist', external_id: id, name: `Artist ${id}` })}\n`;

before(async () => {
  server = createServer(({ url = '' }, response) => {
    response.on('error', () => {});
    if (!url.startsWith('/stuck')) return response.end(line(url.slice(1)));
    response.write(line('first'));
    stuck.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  stuck = [];
});

let files = 0;
async function fileWith(...names: string[]): Promise<string> {
  const data = `d${++files}.db`;
  for (const name of names) {
    const args = ['sources', 'add', name, '--type', 'feed', '--url', `${address}/${name}`, '--data', data];
    assert.equal((await run(args, { cwd })).status, 0);
    // They are due in this order.
    await sleep(2);
  }
  return data;
}
type Shown = Record<'name' | 'last_error' | 'next_run_at' | 'last_success_at', string> &
  Record<'failures' | 'records', number>;
async function list(data: string): Promise<Shown[]> {
  const { stdout } = await run(['sources', 'list', '--json', '--data', data], { cwd });
  return (JSON.parse(stdout) as { data: Shown[] }).data;
}
const find = (shown: Shown[], name: string): Shown => shown.find((one) => one.name === name) as Shown;

async function until<T>(ask: () => T | null | Promise<T | null>): Promise<T> {
  for (let round = 0; round < 300; round++) {
    const found = await ask();
    if (found !== null) return found;
    await sleep(100);
  }
  throw new Error('it did not happen');
}
/** Until the source is being read and its first record is committed. */
const untilStuck = (data: string) =>
  until(async () => {
    if (stuck.length === 0) return null;
    const sqlite = new Database(join(cwd, data), { readonly: true });
    try {
      return sqlite.prepare('SELECT count(*) FROM source_records').pluck().get() === 0 ? null : true;
    } finally {
      sqlite.close();
    }
  });
/** The process that reads a source now, as the file has it. */
function readerOf(data: string): number {
  const sqlite = new Database(join(cwd, data), { readonly: true });
  try {
    const note = sqlite.prepare("SELECT value FROM settings WHERE key LIKE 'reading/%'").pluck().get();
    return (JSON.parse(String(note)) as { pid: number }).pid;
  } finally {
    sqlite.close();
  }
}

function watch(args: string[], env: Record<string, string> = {}) {
  const child = start(args, { cwd, env });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.err += text;
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, said, ended };
}

describe('a sync under serve', () => {
  test('that is killed is reported at its source, and the next source is read by the same service', async () => {
    const data = await fileWith('stuck', 'other');
    const { child, said, ended } = watch(['serve', '--empty', '--port', '0', '--data', data, ...allow]);
    try {
      await untilStuck(data);
      process.kill(readerOf(data), 'SIGKILL');
      await until(() => (/a source was read/.test(said.err) ? true : null));
      const shown = await list(data);
      assert.deepEqual([find(shown, 'stuck').failures, find(shown, 'stuck').records], [1, 1]);
      assert.match(find(shown, 'stuck').last_error, /ended by SIGKILL, probably because memory ran out/);
      assert.ok(Date.parse(find(shown, 'stuck').next_run_at) > Date.now() + 60_000);
      assert.deepEqual([find(shown, 'other').failures, find(shown, 'other').records], [0, 1]);
      assert.match(said.err, /the sync process died while reading a source.*"source":"stuck"/);
      const table = await run(['sources', 'list', '--data', data], { cwd });
      assert.doesNotMatch(table.stdout, /not read yet/);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });

  test('that dies together with the service is reported at the next start', async () => {
    const data = await fileWith('stuck');
    const first = watch(['serve', '--empty', '--port', '0', '--data', data, ...allow]);
    await untilStuck(data);
    const reader = readerOf(data);
    first.child.kill('SIGKILL');
    process.kill(reader, 'SIGKILL');
    await first.ended;
    const second = watch(['serve', '--empty', '--port', '0', '--data', data, ...allow]);
    try {
      await until(() => (/the sync process died while reading a source/.test(second.said.err) ? true : null));
      const [source] = await list(data);
      assert.match(String(source?.last_error), /ended unexpectedly/);
      assert.equal(source?.failures, 1);
    } finally {
      second.child.kill('SIGTERM');
      await second.ended;
    }
  });

  test('that is ended with the service has not failed, and is due again', async () => {
    const data = await fileWith('stuck');
    const { child, ended } = watch(['serve', '--empty', '--port', '0', '--data', data, ...allow]);
    await untilStuck(data);
    child.kill('SIGTERM');
    await ended;
    const [source] = await list(data);
    assert.deepEqual([source?.failures, source?.last_error], [0, null]);
    assert.ok(Date.parse(String(source?.next_run_at)) <= Date.now());
    const table = await run(['sources', 'list', '--data', data], { cwd });
    assert.match(table.stdout, /not read completely yet/);
  });
});

describe('a sync by itself', () => {
  /** A mistake in the program that strikes outside of every call, as one of a socket's does. */
  const defect = join(cwd, 'defect.cjs');
  writeFileSync(
    defect,
    "process.on('SIGUSR2', () => { throw new RangeError('paused for ever\\nsecond line'); });\n",
  );

  test('ends the source on which the program fails, and reads the next', async () => {
    const data = await fileWith('stuck', 'other');
    const env = { NODE_OPTIONS: `--require=${defect}` };
    const { child, said, ended } = watch(['sync', '--due', '--json', '--data', data, ...allow], env);
    await untilStuck(data);
    child.kill('SIGUSR2');
    assert.deepEqual(await ended, [1, null], said.err);
    const { data: reports } = JSON.parse(said.out) as { data: Record<string, unknown>[] };
    assert.deepEqual(
      reports.map(({ source, outcome }) => [source, outcome]),
      [
        ['stuck', 'failed'],
        ['other', 'done'],
      ],
    );
    assert.match(
      String(reports[0]?.error),
      /^The program failed: RangeError: paused for ever \(at process\.<anonymous> \(defect\.cjs:1:\d+\)\)$/,
    );
    const shown = find(await list(data), 'stuck');
    assert.deepEqual([shown.failures, shown.records, shown.last_error], [1, 1, reports[0]?.error]);
  });

  test('that was killed is reported by the next one, once', async () => {
    const data = await fileWith('stuck', 'other');
    const { child, ended } = watch(['sync', 'stuck', '--data', data, ...allow]);
    await untilStuck(data);
    child.kill('SIGKILL');
    await ended;
    for (let round = 0; round < 2; round++) {
      assert.equal((await run(['sync', '--due', '--data', data, ...allow], { cwd })).status, 0);
      const shown = await list(data);
      assert.equal(find(shown, 'stuck').failures, 1);
      assert.match(find(shown, 'stuck').last_error, /ended unexpectedly/);
      assert.equal(find(shown, 'other').records, 1);
    }
  });
});
