/** `cluster init`, `cluster status`, and `backup --cluster`, the way back. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openApp } from '../../src/app.ts';
import type { ClusterAddress } from '../../src/cluster/address.ts';
import { connectionOptions } from '../../src/cluster/connection.ts';
import { folder, run } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { serve } from '../support/serve-process.ts';

const place = folder();
const email = 'ada@example.com';
let env: Record<string, string>;
let address: ClusterAddress;

const server = usePostgres(async () => {
  address = await server.createDatabase();
  env = { CRATEBASE_CLUSTER: clusterUrl(address) };
});

async function query(sql: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(connectionOptions(address));
  await client.connect();
  await client.query(sql, values);
  await client.end();
}

const attempt = (args: string[], withCluster = true) =>
  run(args, { cwd: place, env: withCluster ? env : {} });
async function json<T>(args: string[], withCluster = true): Promise<T> {
  const { status, stdout, stderr } = await attempt([...args, '--json'], withCluster);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}

test('accounts go into a cluster, are used there, and come back in a backup', { skip }, async () => {
  await json(['import', '-', '--source', 'none', '--data', 'one.db'], false);
  await json(['accounts', 'create', email, '--data', 'one.db'], false);
  const { key } = await json<{ key: string }>(
    ['keys', 'create', email, '--name', 'one', '--data', 'one.db'],
    false,
  );

  const early = await attempt(['cluster', 'status']);
  assert.equal(early.status, 1);
  assert.match(early.stderr, /no tables of a cluster.*cratebase cluster init/);
  const unprepared = await attempt(['serve', '--port', '0', '--data', 'new.db', '--empty']);
  assert.match(unprepared.stderr, /cratebase cluster init/);
  assert.equal(existsSync(join(place, 'new.db')), false);

  type Init = {
    created: boolean;
    copied: Record<string, number> | null;
    published: { number: number } | null;
  };
  const made = await json<Init>([...init, 'one.db']);
  assert.deepEqual([made.created, made.copied?.accounts, made.copied?.api_keys], [true, 1, 1]);
  assert.equal(made.published?.number, 1);
  assert.deepEqual(await json([...init, 'one.db']), { created: false, copied: null, published: null });
  await json(['import', '-', '--source', 'none', '--data', 'two.db'], false);
  const other = await attempt([...init, 'two.db']);
  assert.match(other.stderr, /has other accounts already/);

  await json(['accounts', 'set-plan', email, 'pro']);
  const { data: keys } = await json<{ data: unknown[] }>(['keys', 'list', email]);
  assert.equal(keys.length, 1);
  const backup = await json<{ accounts: number }>(['backup', 'both.db']);
  assert.equal(backup.accounts, 1);

  await json(['restore', 'both.db', '--data', 'back.db'], false);
  const account = await json<{ plan: string }>(['accounts', 'show', email, '--data', 'back.db'], false);
  assert.equal(account.plan, 'pro');
  const alone = await serve('--no-sync --data back.db', { cwd: place });
  const answer = await fetch(`${alone.url}/api/v1/events`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200);
  await alone.stop();
});

const init = ['cluster', 'init', '--from'];

test('the status names the nodes that live', { skip }, async () => {
  type State = {
    server: { tls: boolean; fsync: boolean; synchronous_commit: string };
    catalogue: { head: number; base: number | null };
    nodes: {
      id: string;
      live: boolean;
      behind: boolean;
      leader: boolean;
      serving: number | null;
      pid: number;
      url: string;
      clock_ahead_ms: number | null;
      version: string;
    }[];
  };
  const node = await serve('--no-sync --data node', { cwd: place, env });
  let state: State;
  do {
    await pause(200);
    state = await json<State>(['cluster', 'status']);
  } while (state.nodes.length === 0 || state.nodes[0]?.clock_ahead_ms === null);
  assert.equal(state.nodes.length, 1);
  assert.deepEqual(
    [state.nodes[0]?.live, state.nodes[0]?.url, state.nodes[0]?.pid],
    [true, node.url, node.child.pid],
  );
  assert.deepEqual([state.catalogue.head, state.catalogue.base], [1, 1]);
  assert.deepEqual(
    [state.nodes[0]?.serving, state.nodes[0]?.behind, state.nodes[0]?.leader],
    [1, false, false],
  );
  assert.ok(Math.abs(state.nodes[0]?.clock_ahead_ms ?? 1e9) < 1_000);
  assert.deepEqual(
    [state.server.tls, state.server.fsync, state.server.synchronous_commit],
    [false, true, 'on'],
  );
  const { stdout } = await attempt(['cluster', 'status']);
  assert.match(stdout, /^MACHINE +PROCESS/m);
  assert.match(stdout, /live/);
  assert.match(stdout, /^Catalogue +publication 1 of /m);
  type Report = {
    ok: boolean;
    findings: { check: string; status: string; message: string }[];
    cluster: State;
  };
  const doctor = await attempt(['doctor', '--data', 'node', '--json']);
  const report = JSON.parse(doctor.stdout) as Report;
  const found = (check: string) =>
    report.findings.filter((one) => one.check === check).map(({ message }) => message);
  assert.match(String(found('cluster')), /^PostgreSQL \d+.*, 1 account, TLS off: on this machine$/);
  assert.match(String(found('standby')), /There is no standby/);
  assert.match(String(found('nodes')), /^1 node of version /);
  assert.match(String(found('catalogue')), /^publication 1 of .*, revision \d+, /);
  assert.match(String(found('retention')), /^1 publication since .*, a whole copy of number 1$/);
  assert.match(String(found('objects')), /^PostgreSQL: \d+ objects?, .*; stored in \d+ ms, read in \d+ ms$/);
  assert.match(String(found('node folder')), /^node serves publication 1$/);
  assert.match(String(found('service')), new RegExp(`^process ${node.child.pid} answers at ${node.url}$`));
  assert.equal(report.ok, true, doctor.stdout);
  assert.equal(report.cluster.nodes.length, 1);
  assert.ok(!doctor.stdout.includes('postgres://'));
  await node.stop();
  state = await json<State>(['cluster', 'status']);
  assert.deepEqual(state.nodes, []);
});

test('a node that was killed leaves at once; one that runs does not', { skip }, async () => {
  type State = { nodes: { id: string; pid: number; live: boolean }[]; leases: { holder: string | null }[] };
  const nodes = [
    await serve('--no-sync --data node', { cwd: place, env }),
    await serve('--no-sync --data other', { cwd: place, env }),
  ];
  const listed = async (count: number): Promise<State> => {
    for (;;) {
      const state = await json<State>(['cluster', 'status']);
      if (state.nodes.length === count) return state;
      await pause(100);
    }
  };
  const { nodes: both } = await listed(2);
  const idOf = (at: number) => both.find(({ pid }) => pid === nodes[at]?.child.pid)?.id as string;
  nodes[0]?.child.kill('SIGKILL');
  const ended = new Promise((resolve) => nodes[0]?.child.once('exit', resolve));
  await ended;
  const holdLease = (id: string) =>
    query("UPDATE leases SET holder = $1, until_ts = now_ms() + 60000 WHERE name = 'catalogue'", [id]);
  await holdLease(idOf(1));
  const runs = await attempt(['cluster', 'leave', '--node', idOf(1)]);
  assert.equal(runs.status, 1);
  assert.match(runs.stderr, /still runs: process \d+ on .* Stop it there/);
  assert.equal((await listed(2)).leases[0]?.holder, idOf(1), 'a refused command changes nothing');
  await holdLease(idOf(0));
  const held = await json<{ nodes: { id: string; leader: boolean }[] }>(['cluster', 'status']);
  assert.equal(held.nodes.find(({ leader }) => leader)?.id, idOf(0));
  const left = await json<{ data: { id: string }[] }>(['cluster', 'leave']);
  assert.deepEqual(
    left.data.map(({ id }) => id),
    [idOf(0)],
  );
  const after = await listed(1);
  assert.equal(after.nodes[0]?.id, idOf(1));
  assert.equal(after.leases[0]?.holder, null);
  assert.deepEqual(await json(['cluster', 'leave']), { data: [] });
  const unknown = await attempt(['cluster', 'leave', '--node', 'node_x']);
  assert.equal(unknown.status, 2);
  const { data } = await json<{ data: { action: string; details: { pid: number } }[] }>([
    'audit',
    '--action',
    'cluster.leave',
  ]);
  assert.deepEqual(
    data.map(({ details }) => details.pid),
    [nodes[0]?.child.pid],
  );
  await nodes[1]?.stop();
});

test('a node makes scheduled backups with accounts and catalogue', { skip }, async () => {
  mkdirSync(join(place, 'copies'));
  const node = await serve('--no-sync --data node --backup-dir copies --backup-every 1h', {
    cwd: place,
    env,
  });
  const copies = () => readdirSync(join(place, 'copies')).filter((name) => name.endsWith('.db'));
  while (copies().length === 0) await pause(100);
  const [copy] = copies();
  const account = await json<{ plan: string }>(
    ['accounts', 'show', email, '--data', join('copies', copy as string)],
    false,
  );
  assert.equal(account.plan, 'pro');
  await node.stop();
});

test('the doctor finds a catalogue that cannot be fetched, and nodes behind', { skip }, async () => {
  type Report = { ok: boolean; findings: { check: string; status: string; message: string }[] };
  const findings = async (args: string[] = [], more: Record<string, string> = {}) => {
    const { stdout } = await run(['doctor', '--data', 'node', '--json', ...args], {
      cwd: place,
      env: { ...env, ...more },
    });
    const { findings: all } = JSON.parse(stdout) as Report;
    return all
      .filter(({ status }) => status !== 'ok')
      .map(({ check, status, message }) => `${check} ${status}: ${message}`);
  };
  await query(
    "INSERT INTO nodes (id, machine, pid, url, version, schema_min, schema_max, revision, started_ts, seen_ts, clock_ahead_ms, serving, prepared, wants_base) VALUES ('node_b', 'elsewhere', 7, '', '0.0.1', 1, 2, 0, now_ms(), now_ms() + 60000, 30000, NULL, NULL, 0)",
  );
  const shown = (await findings()).join('\n');
  assert.match(shown, /catalogue warning: Process 7 on elsewhere serves no publication, not 1/);
  assert.match(shown, /catalogue failed: Process 7 on elsewhere cannot read schema \d+/);
  assert.match(shown, /clock warning: The clock of elsewhere differs from PostgreSQL's by 30 s/);
  await query("DELETE FROM nodes WHERE id = 'node_b'");
  const elsewhere = (await findings(['--objects', 'other-place'])).join('\n');
  assert.match(
    elsewhere,
    /objects failed: other-place cannot be used: The objects of this cluster are in PostgreSQL, not in the folder/,
  );
  const broken = (
    await findings(['--objects', 's3://music/x'], {
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    })
  ).join('\n');
  assert.match(
    broken,
    /objects failed: s3:\/\/music\/x cannot be used: The objects of this cluster are in PostgreSQL, not in s3:\/\/music\/x at/,
  );
  await query(
    'UPDATE publications SET base_ms = base_ms - 10 * 86400000, published_ms = published_ms - 10 * 86400000',
  );
  await query(
    'INSERT INTO publications SELECT 2, 1, revision, schema_version, page_size, page_count, root, base, base_bytes, NULL, NULL, NULL, term, now_ms() FROM publications',
  );
  assert.match(
    (await findings()).join('\n'),
    /retention warning: 2 publications since .* old publications are not deleted/,
  );
  await query('DELETE FROM publications WHERE number = 2');
  const empty = clusterUrl(await server.createDatabase());
  const none = await run(['doctor', '--json'], { cwd: place, env: { CRATEBASE_CLUSTER: empty } });
  assert.match(none.stdout, /no tables of a cluster/);
});

test('a file that any service serves alone is not copied into a cluster', { skip }, async () => {
  const data = join(place, 'served.db');
  const app = openApp({ data, create: true });
  const register = (name: string, started: number, cluster: string | null | undefined) =>
    app.services.register(name, {
      ...{ pid: process.pid, url: 'http://127.0.0.1:1', started_at: new Date(started).toISOString() },
      ...{ version: null, machine: hostname(), data },
      settings:
        cluster === undefined ? [] : [{ name: 'cluster', value: cluster, from: 'option', problem: null }],
    });
  const attemptInit = () => attempt(['cluster', 'init', '--from', data]);
  // An older version of the program registers without the setting.
  for (const value of [null, undefined]) {
    register('alone', Date.now() - 1_000, value);
    register('later', Date.now(), 'postgres://…');
    const refused = await attemptInit();
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /Process \d+ serves .*served\.db\. Stop it first/);
  }
  app.services.register('alone', null);
  // It is refused for its accounts then.
  assert.doesNotMatch((await attemptInit()).stderr, /serves/);
  app.services.register('later', null);
  app.close();
});

test('mistakes say what to do', { skip }, async () => {
  const none = await attempt(['cluster', 'status'], false);
  assert.equal(none.status, 2);
  assert.match(none.stderr, /--cluster postgres:/);
  const away = await attempt(['accounts', 'list', '--cluster', 'postgres://a@127.0.0.1:9/m'], false);
  assert.equal(away.status, 1);
  assert.match(away.stderr, /cannot be used: .*ECONNREFUSED.* Check that PostgreSQL runs/);
  const secret = await attempt(['accounts', 'list', '--cluster', 'postgres://a:b@127.0.0.1:9/m'], false);
  assert.equal(secret.status, 2);
  assert.match(secret.stderr, /CRATEBASE_CLUSTER_FILE/);
});
