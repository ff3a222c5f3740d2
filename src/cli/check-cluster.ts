/** Checks of `doctor --cluster`: PostgreSQL, its standbys, the nodes and their clocks. */
import { statSync } from 'node:fs';
import type { ClusterAddressParts, ClusterFacts, ObjectFacts } from '../app.ts';
import { systemClock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { formatBytes } from '../format-bytes.ts';
import { plural } from '../plural.ts';
import { type AddFinding, checkKey, maxClockSkewMs } from './check-service.ts';
import { shellQuote } from './command.ts';

/**
 * Checks the cluster, and returns what it found; null if PostgreSQL cannot be used.
 * @param objects where objects are stored; null: in PostgreSQL
 */
export async function checkCluster(
  address: ClusterAddressParts,
  objects: string | null,
  add: AddFinding,
): Promise<ClusterFacts | null> {
  const { programVersion, readClusterState } = await import('../app.ts');
  try {
    const state = await readClusterState(address);
    checkServer(state, add);
    checkStandbys(state, add);
    checkNodes(state, programVersion(), add);
    checkCatalogue(state, add);
    await checkPlace(address, objects, add);
    return state;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    add('cluster', 'failed', failure.message);
    return null;
  }
}

function checkServer({ server, accounts, missing_rights: missing }: ClusterFacts, add: AddFinding): void {
  const { postgres, tls, fsync, full_page_writes: fullPages, synchronous_commit: commit } = server;
  add(
    'cluster',
    'ok',
    `PostgreSQL ${postgres}, ${plural(accounts, 'account')}, TLS ${tls ? 'on' : 'off: on this machine'}`,
  );
  if (missing.length > 0)
    add(
      'cluster',
      'failed',
      `The role of PostgreSQL lacks rights: ${missing.join(', ')}.`,
      'Give it the rights of docs/guides/several-machines.md.',
    );
  if (server.read_only)
    add(
      'cluster',
      'failed',
      'PostgreSQL is read-only (default_transaction_read_only): no request with a key is answered.',
      'Look at its disk and log, and let it write again.',
    );
  if (!fsync || !fullPages) {
    const setting = fsync ? 'full_page_writes' : 'fsync';
    add(
      'cluster',
      'failed',
      `PostgreSQL runs with ${setting} = off: a power cut can lose or damage the accounts.`,
      `Set ${setting} = on.`,
    );
  }
  if (commit !== 'on' && commit !== 'remote_apply')
    add(
      'cluster',
      'failed',
      `Commits are not durable: synchronous_commit is ${commit}.`,
      'Let the connections of cratebase set synchronous_commit = on.',
    );
  if (server.connections > server.max_connections * 0.8) {
    const message = `${server.connections} of ${server.max_connections} connections are in use.`;
    add('cluster', 'warning', message, 'Raise max_connections: a process of cratebase uses up to 20.');
  }
}

function checkStandbys({ server }: ClusterFacts, add: AddFinding): void {
  const { synchronous_standbys: synchronous, asynchronous_standbys: asynchronous } = server;
  if (synchronous === null)
    add(
      'standby',
      'warning',
      'This role cannot see the standby servers.',
      'To allow it, run: GRANT pg_monitor TO ROLE.',
    );
  else if (synchronous > 0)
    add('standby', 'ok', plural(synchronous, 'synchronous standby', 'synchronous standbys'));
  else {
    const message =
      asynchronous === 0
        ? 'There is no standby: without this server, no key works.'
        : 'The standbys are asynchronous: a failover can forget the last counts and changes.';
    add(
      'standby',
      'warning',
      message,
      'Make one synchronous with synchronous_standby_names, or use a managed PostgreSQL with one.',
    );
  }
}

function checkNodes({ server, nodes }: ClusterFacts, version: string, add: AddFinding): void {
  const live = nodes.filter((node) => node.live);
  const versions = [...new Set(live.map((node) => node.version))].sort();
  if (live.length === 0)
    add('nodes', 'warning', 'No node runs.', 'Start one with `cratebase serve --cluster`.');
  else if (versions.length > 1)
    add(
      'nodes',
      'warning',
      `The nodes run several versions: ${versions.join(', ')}.`,
      'Update all nodes to the newest one.',
    );
  else
    add(
      'nodes',
      'ok',
      `${plural(live.length, 'node')} of version ${versions[0]}${versions[0] === version ? '' : ` (this program: ${version})`}`,
    );
  for (const { machine, pid, seen_at, live: isLive } of nodes)
    if (!isLive)
      add(
        'nodes',
        'warning',
        `Process ${pid} on ${machine} was last seen at ${seen_at.slice(0, 19)}Z.`,
        'Check its log, or start it again.',
      );
  const skewed = live.filter((node) => Math.abs(node.clock_ahead_ms ?? 0) > maxClockSkewMs);
  for (const { machine, clock_ahead_ms: ahead } of skewed)
    add(
      'clock',
      'warning',
      `The clock of ${machine} differs from PostgreSQL's by ${Math.round((ahead ?? 0) / 1000)} s.`,
      'Synchronize both with a time server.',
    );
  if (Math.abs(server.clock_ahead_ms) > maxClockSkewMs)
    add(
      'clock',
      'warning',
      `The clock of this machine differs from PostgreSQL's by ${Math.round(server.clock_ahead_ms / 1000)} s.`,
      'Synchronize both with a time server.',
    );
}

const hourMs = 3_600_000;
/** A base is made each week, by the next change. */
const maxBaseAgeMs = 9 * 24 * hourMs;
/** Publications are kept for 48 hours; the next change deletes older ones. */
const maxRetentionMs = 72 * hourMs;

/** Checks the published catalogue, which nodes serve it, and what is kept for those that were away. */
function checkCatalogue({ catalogue, nodes }: ClusterFacts, add: AddFinding): void {
  const { head, revision, bytes, base, base_at: baseAt, published_at: publishedAt } = catalogue;
  if (head === 0) {
    const advice = 'Publish one: `cratebase cluster init --from FILE`.';
    add('catalogue', 'failed', 'The cluster has no catalogue: nodes cannot start.', advice);
    return;
  }
  const what = `publication ${head} of ${publishedAt?.slice(0, 19)}Z, revision ${revision}, ${formatBytes(bytes ?? 0)}`;
  add('catalogue', 'ok', what);
  for (const { machine, pid, serving } of nodes.filter((node) => node.behind))
    add(
      'catalogue',
      'warning',
      `Process ${pid} on ${machine} serves ${serving === null ? 'no publication' : `publication ${serving}`}, not ${head}.`,
      'Check its log, its disk, and that its --objects is that of the other machines.',
    );
  for (const { machine, pid, problem } of nodes)
    if (problem !== null)
      add(
        'catalogue',
        'warning',
        `Process ${pid} on ${machine} cannot open the current publication: ${problem}`,
        'The other nodes do not wait for it. It continues when the cause is fixed.',
      );
  const old = nodes.filter((node) => node.live && node.schema_max < (catalogue.schema ?? 0));
  for (const { machine, pid } of old)
    add(
      'catalogue',
      'failed',
      `Process ${pid} on ${machine} cannot read schema ${catalogue.schema} of the catalogue.`,
      'Update it to the version of the other nodes.',
    );
  if (base === null)
    add(
      'retention',
      'failed',
      'No complete copy of the catalogue is stored: new nodes cannot start.',
      'Make any change, such as `cratebase sync`.',
    );
  else checkAges(catalogue, baseAt, add);
}

function checkAges(
  { publications, oldest_at: oldestAt, base }: ClusterFacts['catalogue'],
  baseAt: string | null,
  add: AddFinding,
): void {
  const ageOf = (at: string | null) => Date.now() - Date.parse(at ?? '');
  const summary = `${plural(publications, 'publication')} since ${oldestAt?.slice(0, 19)}Z, a whole copy of number ${base}`;
  const isLate = publications > 1 && ageOf(baseAt) > maxBaseAgeMs && ageOf(oldestAt) > maxRetentionMs;
  if (isLate)
    add(
      'retention',
      'warning',
      `${summary}: the whole copy is old, and old publications are not deleted.`,
      'Check the logs of the nodes: a node does this after a change.',
    );
  else add('retention', 'ok', summary);
}

async function checkPlace(
  address: ClusterAddressParts,
  place: string | null,
  add: AddFinding,
): Promise<void> {
  const { checkObjects } = await import('../app.ts');
  const name = place ?? 'PostgreSQL';
  try {
    const facts = await checkObjects(address, place);
    const { missing, damaged } = facts;
    if (missing > 0)
      add(
        'objects',
        'failed',
        `${name} lacks ${plural(missing, 'object')} of the publications.`,
        'Restore the objects from a backup of that place.',
      );
    if (damaged.length > 0)
      add('objects', 'failed', describeDamage(name, damaged), 'Bring them back from a copy of the place.');
    if (missing + damaged.length === 0) add('objects', 'ok', describeObjects(name, facts));
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    add(
      'objects',
      'failed',
      `${name} cannot be used: ${message}`,
      'Nodes keep serving, but nothing is published.',
    );
  }
}

const maxNames = 5;

function describeDamage(place: string, names: readonly string[]): string {
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${place} has ${plural(names.length, 'damaged object')}: ${names.slice(0, maxNames).join(', ')}${more}`;
}

function describeObjects(place: string, facts: ObjectFacts): string {
  const { put_ms: put, get_ms: get, objects, bytes, listed, compared } = facts;
  const whole =
    compared === listed ? 'all are whole' : `${compared} of ${listed} were read in time, and are whole`;
  return `${place}: ${plural(objects, 'object')}, ${formatBytes(bytes)}, ${whole}; stored in ${put} ms, read in ${get} ms`;
}

/** Checks the folder of the node on this machine, and a key against the accounts of the cluster. */
export async function checkNodeFolder(
  path: string,
  { address, head, key }: { address: ClusterAddressParts; head: number | null; key: string | undefined },
  add: AddFinding,
): Promise<void> {
  const { openCluster, readServedPublication } = await import('../app.ts');
  if (key !== undefined && head !== null) {
    const access = await openCluster(address, systemClock);
    try {
      await checkKey({ access: async () => access, clock: systemClock }, key, add);
    } finally {
      await access.closed();
    }
  }
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) return;
  if (!about.isDirectory()) {
    const advice = 'Name the folder of the node with --data.';
    add('node folder', 'warning', `${path} is a file, which the cluster does not serve.`, advice);
    return;
  }
  const serving = await readServedPublication(path);
  if (serving === null)
    add('node folder', 'warning', `${path} holds no publication.`, '`cratebase serve --cluster` fetches it.');
  else if (head !== null && serving !== head)
    add(
      'node folder',
      'warning',
      `${path} serves publication ${serving}, not ${head}.`,
      'Start its service.',
    );
  else add('node folder', 'ok', `${path} serves publication ${serving}`);
  if ((about.mode & 0o007) !== 0)
    add(
      'node folder',
      'warning',
      `Every user of this machine may read ${path}.`,
      `\`chmod 700 ${shellQuote(path)}\``,
    );
}
