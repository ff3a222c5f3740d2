/** Commands and nodes that are killed: what they have stored becomes active, and their lease is free at once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ClusterAddress } from '../../src/cluster/address.ts';
import { connectionOptions } from '../../src/cluster/connection.ts';
import { isEndedProcess } from '../../src/cluster/process-id.ts';
import { folder, run, start } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { serve } from '../support/serve-process.ts';

const cwd = folder();
let address: ClusterAddress;
let env: Record<string, string>;

const server = usePostgres(async () => {
  address = await server.createDatabase();
  env = { CRATEBASE_CLUSTER: clusterUrl(address) };
  await json(['cluster', 'init', '--empty']);
});

async function json<T>(args: string[], input = ''): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], { cwd, env, input });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as T;
}
async function query(sql: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(connectionOptions(address));
  await client.connect();
  await client.query(sql, values);
  await client.end();
}

type State = {
  catalogue: { head: number; next: number | null };
  leases: { holder: string | null; machine: string | null; pid: number | null }[];
};
const readState = () => json<State>(['cluster', 'status']);
const lineOf = (name: string) => `${JSON.stringify({ kind: 'artist', external_id: name, name })}\n`;
const importWords = ['import', '-', '--source', 'club'];

/** A node that lives and prepares no publication: what is stored waits for it. */
const addSlowNode = () =>
  query(
    "INSERT INTO nodes (id, machine, pid, url, version, schema_min, schema_max, revision, started_ts, seen_ts, serving, prepared) VALUES ('node_slow', 'elsewhere', 7, '', '', 1, 1, 0, now_ms(), now_ms() + 600000, 1, 1)",
  );
const removeSlowNode = () => query("DELETE FROM nodes WHERE id = 'node_slow'");

/** Starts an import, and kills it when it has stored its publication. Returns its process number. */
async function killAfterStored(name: string): Promise<number> {
  const command = start(importWords, { cwd, env });
  command.stdin.end(lineOf(name));
  let text = '';
  const exited = once(command, 'exit');
  command.stderr.on('data', (part) => {
    text += part;
    if (/stored as publication \d+/.test(text)) command.kill('SIGKILL');
  });
  const [, signal] = await exited;
  assert.equal(signal, 'SIGKILL', text);
  return command.pid as number;
}

test('the next command takes the lease of a killed one at once, and activates what it stored', {
  skip,
}, async () => {
  await addSlowNode();
  const pid = await killAfterStored('Person One');
  const state = await readState();
  assert.deepEqual([state.catalogue.head, state.catalogue.next], [1, 2]);
  assert.equal(state.leases[0]?.pid, pid);
  const shown = await run(['cluster', 'status'], { cwd, env });
  assert.match(shown.stdout, new RegExp(`^catalogue +command_\\S+ +\\S+ +${pid} `, 'm'));
  await removeSlowNode();
  const next = await run(importWords, { cwd, env, input: lineOf('Person Two') });
  assert.equal(next.status, 0, next.stderr);
  assert.match(next.stderr, /publication 2 of an interrupted command or node becomes active first/);
  assert.doesNotMatch(next.stderr, /waiting for its end/);
  assert.match(next.stderr, /published as number 3/);
  const { data } = await json<{ data: unknown[] }>(['search', 'person']);
  assert.equal(data.length, 2);
});

test('`cluster leave` frees the lease of a killed command', { skip }, async () => {
  await addSlowNode();
  const pid = await killAfterStored('Person Three');
  await removeSlowNode();
  const left = await json<{ data: { pid: number }[] }>(['cluster', 'leave']);
  assert.deepEqual(
    left.data.map((one) => one.pid),
    [pid],
  );
  assert.equal((await readState()).leases[0]?.holder, null);
});

test('the lease of a running command is not freed; one on another machine is by its name', {
  skip,
}, async () => {
  const command = start(importWords, { cwd, env });
  const ended = once(command, 'exit');
  let holder: string | null = null;
  while (holder === null) {
    await pause(100);
    holder = (await readState()).leases[0]?.holder ?? null;
  }
  assert.deepEqual(await json(['cluster', 'leave']), { data: [] });
  const refused = await run(['cluster', 'leave', '--node', holder], { cwd, env });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, new RegExp(`still runs: process ${command.pid} on `));
  command.stdin.end(lineOf('Person Four'));
  const [status] = await ended;
  assert.equal(status, 0);

  const uuid = '00000000-0000-0000-0000-000000000000';
  const away = `command_1_2_${uuid}_${uuid}_elsewhere`;
  await query("UPDATE leases SET holder = $1, until_ts = now_ms() + 600000 WHERE name = 'catalogue'", [away]);
  assert.deepEqual(await json(['cluster', 'leave']), { data: [] });
  assert.equal((await readState()).leases[0]?.machine, 'elsewhere');
  const left = await json<{ data: { machine: string }[] }>(['cluster', 'leave', '--node', away]);
  assert.equal(left.data[0]?.machine, 'elsewhere');
  assert.equal((await readState()).leases[0]?.holder, null);
});

test('the lease of a killed node is taken at once on its machine, and that of one after a restart of the system is not', {
  skip,
}, async () => {
  const node = await serve('--no-sync --data node', { cwd, env });
  const { nodes } = await json<{ nodes: { id: string; pid: number }[] }>(['cluster', 'status']);
  const id = nodes.find(({ pid }) => pid === node.child.pid)?.id as string;
  await node.stop('SIGKILL');
  const hold = (holder: string) =>
    query("UPDATE leases SET holder = $1, until_ts = now_ms() + 60000 WHERE name = 'catalogue'", [holder]);
  await hold(id);
  const next = await run(importWords, { cwd, env, input: lineOf('Person Five') });
  assert.equal(next.status, 0, next.stderr);
  assert.doesNotMatch(next.stderr, /waiting for its end/);
  const after = await json<{ nodes: { id: string }[] }>(['cluster', 'status']);
  assert.ok(after.nodes.every((one) => one.id !== id));

  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const otherBoot = id.replace(boot, '00000000-0000-0000-0000-000000000000');
  assert.notEqual(otherBoot, id);
  assert.deepEqual([isEndedProcess(id), isEndedProcess(otherBoot)], [true, false]);
});

test('an import that loses its lease says that nothing is published', { skip }, async () => {
  const command = start(importWords, { cwd, env });
  const exited = once(command, 'close');
  let text = '';
  command.stderr.on('data', (part) => {
    text += part;
  });
  command.stdin.write(lineOf('Person Six'));
  let holder: string | null = null;
  while (!holder?.startsWith('command_')) {
    await pause(100);
    holder = (await readState()).leases[0]?.holder ?? null;
  }
  // Another node took it, as after a pause of this machine.
  await query("UPDATE leases SET holder = 'node_other', term = term + 1 WHERE name = 'catalogue'");
  const [status] = await exited;
  assert.equal(status, 1, text);
  assert.match(text, /Another node has the lease to change the catalogue\. Nothing was published\./);
  assert.match(text, /was ended by SIGTERM: .* read\. Nothing of it is published\. Run it again\./);
  assert.doesNotMatch(text, /data is in the catalogue/);
  await query("UPDATE leases SET until_ts = 0 WHERE name = 'catalogue'");
  const { data } = await json<{ data: unknown[] }>(['search', 'person', 'six']);
  assert.deepEqual(data, []);
});
