/** dist/cratebase serves with the accounts of a real PostgreSQL. Needs `npm run build`; skipped without. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { folder } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { executable, reasonToSkip } from '../support/executable.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres.ts';

describe('the executable in a cluster', { skip: reasonToSkip() || skipWithoutPostgres }, () => {
  const place = folder();
  let server: PostgresServer;
  let env: Record<string, string>;
  before(async () => {
    server = new PostgresServer();
    await server.start();
    env = { CRATEBASE_CLUSTER: clusterUrl(await server.createDatabase()) };
  });
  after(() => server.remove());

  const run = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(executable, args, { cwd: place, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  };

  it('creates the tables, and answers with a key of the cluster in two processes', async () => {
    assert.match(run('cluster', 'init'), /created the tables/);
    run('accounts', 'create', 'ada@example.com');
    const { key } = JSON.parse(run('keys', 'create', 'ada@example.com', '--name', 'one', '--json')) as {
      key: string;
    };
    const args = [
      'serve',
      '--empty',
      '--no-sync',
      '--port',
      '0',
      '--data',
      'a.db',
      '--workers',
      '2',
      '--json',
    ];
    const child = spawn(executable, args, { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };
      const headers = { authorization: `Bearer ${key}` };
      for (let left = 3; left > 0; left -= 1)
        assert.equal((await fetch(`${url}/api/v1/events`, { headers })).status, 200);
      assert.match(run('accounts', 'show', 'ada@example.com'), /Usage +3 of/);
      assert.match(run('cluster', 'status'), /live/);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    }
  });

  it('replaces a damaged copy of the catalogue', async () => {
    const args = ['serve', '--no-sync', '--port', '0', '--data', 'damaged', '--json'];
    const child = spawn(executable, args, { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.on('data', (part) => {
      log += part;
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };
      const servingPath = () => {
        const note = readFileSync(join(place, 'damaged', 'slot.json'), 'utf8');
        return join(place, 'damaged', `${(JSON.parse(note) as { serving: string }).serving}.db`);
      };
      const path = servingPath();
      const whole = readFileSync(path);
      // All pages but that of the schema, before a request has read them.
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(whole.length - 65_536, 0xab), 0, undefined, 65_536);
      closeSync(file);
      const until = performance.now() + 60_000;
      while (servingPath() === path) {
        assert.ok(performance.now() < until, log);
        await (await fetch(`${url}/events?page=${Math.random()}`)).arrayBuffer();
        await pause(100);
      }
      assert.ok(readFileSync(servingPath()).equals(whole));
      assert.match(log, /the copy of the catalogue on this node is damaged/);
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    }
  });
});
