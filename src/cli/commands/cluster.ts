/** `cluster`: moves a data file into a cluster, and shows and removes its nodes. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { ClusterAddressParts, ClusterFacts, ClusterInit } from '../../app.ts';
import { Failure } from '../../failure.ts';
import { formatBytes } from '../../format-bytes.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, exitOnSignals, printResult } from '../command.ts';
import { formatFields, formatTable, note, Progress } from '../output/terminal.ts';
import { addClusterOptions, addObjectsOption, clusterOf, objectsOf } from '../with-access.ts';

const usageErrorStatus = 2;
const address = 'postgres://cratebase@db.example.org/cratebase';

/** Adds `cluster` and its subcommands to the program. */
export function addCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('Run several machines as one service, with PostgreSQL.');
  addClusterOptions(cluster);
  addExamples(cluster, [
    [`cratebase cluster init --cluster ${address} --from cratebase.db`, 'once: accounts and catalogue'],
    [`cratebase cluster status --cluster ${address}`, ''],
  ]);
  addInit(cluster);
  addStatus(cluster);
  addLeave(cluster);
  addObjects(cluster);
}

/** Returns the address of the cluster; throws a `Failure` (wrong usage) if the command names none. */
async function requireCluster(command: Command): Promise<ClusterAddressParts> {
  const cluster = await clusterOf(command);
  if (cluster === null)
    throw new Failure(`Name the PostgreSQL of the cluster: --cluster ${address}.`, usageErrorStatus);
  return cluster;
}

function addInit(cluster: Command): void {
  const command = cluster
    .command('init')
    .description(
      'Create the tables in an empty database, copy the accounts of a data file into them, and publish its catalogue. Stop the service on that file first. A second run changes nothing.',
    )
    .option('--from <file>', 'the data file, which stays as it is (default: the starter catalogue)')
    .option('--empty', 'without --from: begin with an empty catalogue');
  addObjectsOption(command);
  addExamples(command, [
    [`cratebase cluster init --cluster ${address} --from cratebase.db`, ''],
    ['CRATEBASE_CLUSTER_FILE=/run/secrets/cluster cratebase cluster init', 'without accounts'],
  ]);
  command.action(() => runInit(command));
}

async function runInit(command: Command): Promise<void> {
  const { from = null, empty = false } = command.opts<{ from?: string; empty?: true }>();
  if (from !== null && empty) throw new Failure('--empty works only without --from.', usageErrorStatus);
  const members = await requireCluster(command);
  if (from !== null && !existsSync(from))
    throw new Failure(`There is no file ${from}. Name a data file with --from.`);
  const { initCluster, openApp } = await import('../../app.ts');
  exitOnSignals();
  if (from !== null) refuseServed(openApp, from);
  const progress = new Progress('pages');
  const result = await initCluster({
    address: members,
    objects: objectsOf(command),
    from,
    isEmpty: empty,
    actor: terminalActor(),
    onPages: ({ done, total }) => progress.update({ done, total, count: done }),
    onWait: () => note('another process changes the catalogue of the cluster: waiting until it is done'),
  });
  progress.end();
  printResult(command, result, () => describeInit(result, from));
}

function describeInit({ created, copied, published }: ClusterInit, from: string | null): string {
  const lines = [created ? 'created the tables of the cluster' : 'the tables of the cluster are there'];
  if (from !== null) {
    const [accounts, keys] = [copied?.accounts ?? 0, copied?.api_keys ?? 0];
    const what = `copied ${plural(accounts, 'account')} and ${plural(keys, 'key')} from ${from}`;
    lines.push(copied === null ? `the cluster has the accounts of ${from} already` : what);
  }
  lines.push(
    published === null
      ? 'the cluster has a catalogue already'
      : `published the catalogue as number ${published.number} (${formatBytes(published.bytes)})`,
  );
  return lines.join('\n');
}

/** A service on the file would go on counting there, and what it counts would be lost. */
function refuseServed(openApp: typeof import('../../app.ts')['openApp'], from: string): void {
  const app = openApp({ data: from, create: false, readOnly: true });
  try {
    const service = app.services
      .running()
      .find(({ settings }) => (settings.find(({ name }) => name === 'cluster')?.value ?? null) === null);
    if (service !== undefined)
      throw new Failure(
        `Process ${service.pid} serves ${from}. Stop it first, or requests that it counts are lost.`,
      );
  } finally {
    app.close();
  }
}

function addStatus(cluster: Command): void {
  const command = cluster
    .command('status')
    .description('Show PostgreSQL, the published catalogue, the nodes of the cluster and their leases.');
  addExamples(command, [[`cratebase cluster status --cluster ${address} --json`, '']]);
  command.action(async () => {
    const members = await requireCluster(command);
    const { readClusterState } = await import('../../app.ts');
    exitOnSignals();
    const state = await readClusterState(members);
    printResult(command, state, () => formatState(state));
  });
}

function addLeave(cluster: Command): void {
  const command = cluster
    .command('leave')
    .description(
      'Remove nodes and commands that crashed or lost their machine. Publications then no longer wait for them, and their leases are free. A node that is stopped leaves by itself.',
    )
    .option(
      '--node <id>',
      'a node or the holder of a lease, on any machine (default: those of this machine whose process ended)',
    );
  addExamples(command, [
    [`cratebase cluster leave --cluster ${address}`, ''],
    [`cratebase cluster leave --cluster ${address} --node node_…`, 'as `cluster status --json` shows it'],
  ]);
  command.action(async () => {
    const members = await requireCluster(command);
    const { removeNodes } = await import('../../app.ts');
    exitOnSignals();
    const nodes = await removeNodes(members, command.opts<{ node?: string }>().node ?? null, terminalActor());
    const data = nodes.map(({ id, machine, pid, seen_at }) => ({ id, machine, pid, seen_at }));
    printResult(command, { data }, () =>
      data.length === 0
        ? 'No node or command of this machine has crashed.'
        : data
            .map(({ id, machine, pid }) => `removed ${machine === '' ? id : `process ${pid} on ${machine}`}`)
            .join('\n'),
    );
  });
}

function addObjects(cluster: Command): void {
  const command = cluster
    .command('objects')
    .argument('<place>', 'a folder that all machines share, s3://bucket/prefix, or `postgresql`')
    .description(
      'Move the published catalogue to another place. Afterwards, restart all nodes with the new place in --objects, and name it in commands. The old objects stay.',
    );
  addExamples(command, [
    [`cratebase cluster objects /srv/shared/cratebase --cluster ${address}`, ''],
    [`cratebase cluster objects postgresql --cluster ${address}`, 'back into PostgreSQL'],
  ]);
  command.action(async (place: string) => {
    const members = await requireCluster(command);
    const { moveClusterObjects } = await import('../../app.ts');
    exitOnSignals();
    const moved = await moveClusterObjects(members, place === 'postgresql' ? null : place, {
      actor: terminalActor(),
      onWait: () => note('another process changes the catalogue of the cluster: waiting until it is done'),
    });
    const option = moved.to.kind === 'postgresql' ? 'without --objects' : `with --objects ${moved.to.place}`;
    printResult(command, moved, () =>
      [
        `copied ${moved.copied} of ${plural(moved.objects, 'object')}`,
        `Start the nodes again ${option}. Then the old objects may be deleted.`,
      ].join('\n'),
    );
  });
}

const formatHead = ({ head, next, revision, published_at }: ClusterFacts['catalogue']): string =>
  head === 0
    ? 'none: run `cratebase cluster init`'
    : `publication ${head} of ${published_at?.slice(0, 19)}, revision ${revision}${next === null ? '' : `; ${next} is being prepared`}`;

const stateOf = ({ live, leader, behind, problem }: ClusterFacts['nodes'][number]): string =>
  [
    live ? 'live' : 'gone',
    ...(leader ? ['leader'] : []),
    ...(behind ? ['behind'] : []),
    ...(live && problem !== null ? ['failing'] : []),
  ].join(', ');

function formatState({ server, accounts, catalogue, nodes, leases }: ClusterFacts): string {
  const standbys = [server.synchronous_standbys, server.asynchronous_standbys];
  return [
    formatFields([
      ['PostgreSQL', server.postgres],
      ['TLS', server.tls ? 'on' : 'off'],
      [
        'Standbys',
        standbys.includes(null) ? 'unknown' : `${standbys[0]} synchronous, ${standbys[1]} asynchronous`,
      ],
      ['Connections', `${server.connections} of ${server.max_connections}`],
      ['Accounts', accounts],
      ['Catalogue', formatHead(catalogue)],
    ]),
    '',
    nodes.length === 0
      ? 'No nodes. Start one: `cratebase serve --cluster …`'
      : formatTable(
          ['MACHINE', 'PROCESS', 'ADDRESS', 'VERSION', 'SERVES', 'STARTED', 'SEEN', 'STATE', 'CLOCK'],
          nodes.map((node) => [
            node.machine,
            node.pid,
            node.url,
            node.version,
            node.serving,
            node.started_at.slice(0, 19),
            node.seen_at.slice(0, 19),
            stateOf(node),
            node.clock_ahead_ms === null ? '' : `${node.clock_ahead_ms} ms`,
          ]),
        ),
    ...(leases.length === 0
      ? []
      : [
          '',
          formatTable(
            ['LEASE', 'HOLDER', 'MACHINE', 'PROCESS', 'TERM', 'UNTIL'],
            leases.map(({ name, holder, machine, pid, term, until }) => [
              ...[name, holder, machine, pid, term, until],
            ]),
          ),
        ]),
  ].join('\n');
}
