/** The files of examples/cluster name commands, options and settings that exist, and what can read them accepts them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { buildProgram } from '../../src/cli/program.ts';
import { parseClusterAddress } from '../../src/cluster/address.ts';
import { readServeConfig, unknownVariables } from '../../src/config.ts';
import { temporaryFolder } from '../support/program.ts';

const folder = fileURLToPath(new URL('../../examples/cluster/', import.meta.url));
const guide = fileURLToPath(new URL('../../docs/guides/several-machines.md', import.meta.url));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

type Service = {
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }> | string[];
  healthcheck?: { test: string[] };
};
type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
};
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const nodes = Object.entries(compose.services).filter(([name]) => /^node\d$/.test(name));

/** Checks that a command line of cratebase names a command and options that it has. */
function assertCommandLine(words: readonly string[]): void {
  let command: Command = buildProgram();
  for (const word of words.filter((one) => !one.startsWith('--'))) {
    const next = command.commands.find((one) => one.name() === word);
    if (next !== undefined) command = next;
  }
  assert.notEqual(command.name(), 'cratebase', words.join(' '));
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map(({ long }) => long);
  for (const word of words.filter((one) => one.startsWith('--')))
    assert.ok(options.includes(word), `${command.name()} ${word}`);
}

/** Checks that variables are settings of cratebase with valid values. */
function assertEnvironment(variables: Record<string, string>): void {
  assert.deepEqual(unknownVariables(variables), []);
  const { CRATEBASE_CLUSTER_FILE, CRATEBASE_NATIVES, ...settings } = variables;
  assert.ok(CRATEBASE_CLUSTER_FILE);
  readServeConfig({}, settings);
}

test('compose.yaml has services whose commands, settings, volumes and secrets exist', () => {
  assert.equal(nodes.length, 3);
  for (const [
    name,
    { command, environment = {}, volumes = [], secrets = [], depends_on: after = {} },
  ] of Object.entries(compose.services)) {
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) assert.ok(readdirSync(folder).includes(source.slice(2)), source);
      else assert.ok(source in compose.volumes, `${name}: ${source}`);
    }
    for (const secret of secrets) assert.ok(secret in compose.secrets, `${name}: ${secret}`);
    for (const other of Array.isArray(after) ? after : Object.keys(after))
      assert.ok(other in compose.services, `${name}: ${other}`);
    if (command !== undefined) assertCommandLine(command);
    if ('CRATEBASE_CLUSTER_FILE' in environment) assertEnvironment(environment);
  }
});

test('each node of compose.yaml has a folder of its own, and the load balancer names each', () => {
  const folders = nodes.map(([, { volumes }]) => volumes?.find((one) => one.endsWith(':/data')));
  assert.equal(new Set(folders).size, nodes.length);
  const named = /reverse_proxy ([^{]+)\{/.exec(read('Caddyfile'))?.[1]?.trim().split(' ');
  const { CRATEBASE_PORT: port } = nodes[0]?.[1].environment ?? {};
  assert.deepEqual(
    named,
    nodes.map(([name]) => `${name}:${port}`),
  );
});

test('the address of the cluster is that of the role, over a socket that PostgreSQL and the nodes share', () => {
  const address = parseClusterAddress(read('cluster').trim());
  const sql = read('role.sql');
  assert.ok(sql.includes(`CREATE ROLE ${address.user} LOGIN PASSWORD '${address.password}'`));
  assert.ok(sql.includes(`CREATE DATABASE ${address.database};`));
  for (const [, { volumes = [] }] of nodes) assert.ok(volumes.includes(`socket:${address.host}`));
  assert.ok(compose.services.postgres?.volumes?.includes(`socket:/var${address.host}`));
  assert.equal(address.tls, undefined);
});

test('role.sql has the statements of the guide', () => {
  const statementsOf = (sql: string) =>
    sql
      .replace(/^(--|\\).*$/gm, '')
      .split(';')
      .map((one) => one.trim())
      .filter(Boolean);
  const text = readFileSync(guide, 'utf8');
  const inGuide = [...text.matchAll(/^```sql\n([^`]+)^```/gm)].flatMap(([, sql]) =>
    statementsOf(sql as string),
  );
  const optional = /`(GRANT pg_monitor TO \w+)`/.exec(text)?.[1];
  assert.deepEqual(statementsOf(read('role.sql')), [...inGuide, optional]);
});

test('the units run commands with settings that exist', () => {
  for (const name of units.filter((one) => one.endsWith('.service'))) {
    const text = read(name);
    const [, line = ''] = /^ExecStart=\/usr\/bin\/cratebase (.+)$/m.exec(text) ?? [];
    assertCommandLine(line.split(' '));
    const variables = [...text.matchAll(/^Environment=(\w+)=(.+)$/gm)].map(([, key, value]) => [key, value]);
    assertEnvironment(Object.fromEntries(variables));
  }
});

test('systemd accepts the units', { skip: has('systemd-analyze') ? false : 'needs systemd-analyze' }, (t) => {
  const place = temporaryFolder();
  t.after(() => place.remove());
  const paths = units.map((name) => {
    const path = join(place.path, name);
    // The executable and its manual are not installed here.
    const text = read(name)
      .replaceAll('/usr/bin/cratebase', process.execPath)
      .replace(/^Documentation=man:.*\n/m, '');
    writeFileSync(path, text);
    return path;
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
});

test('Caddy accepts the Caddyfile', { skip: has('caddy') ? false : 'caddy is not installed' }, () => {
  const args = ['validate', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  const { status, stderr } = spawnSync('caddy', args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('docker compose accepts compose.yaml', {
  skip: spawnSync('docker', ['compose', 'version']).status === 0 ? false : 'needs docker compose',
}, () => {
  const { status, stderr } = spawnSync(
    'docker',
    ['compose', '-f', join(folder, 'compose.yaml'), 'config', '-q'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr);
});
