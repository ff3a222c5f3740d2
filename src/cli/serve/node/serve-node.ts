/** `serve --cluster`: a node, which follows the published catalogue and serves it, in one process or several. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type App,
  type ClusterAccess,
  type ClusterMembers,
  type ClusterNode,
  clockFor,
  objectsOpener,
  openCluster,
  openNode,
  programVersion,
  type Slot,
} from '../../../app.ts';
import { serverUrl } from '../../../config.ts';
import { Failure } from '../../../failure.ts';
import { describeFailure, type Log, throttleRepeats } from '../../../log.ts';
import { type PublicationState, startServer } from '../../../server.ts';
import type { Settings } from '../../../settings.ts';
import { createActionProcesses } from '../action-process.ts';
import { startNodeBackups } from '../backup-scheduler.ts';
import { findFreePort, WorkerPool } from '../cluster.ts';
import { waitForStopSignal } from '../process.ts';
import { NodeChanges } from './changes.ts';
import { createIdentitySetter, createNodeActions, createNodeChanger } from './node-change.ts';
import { startNodeScheduler } from './node-scheduler.ts';
import { openSlot } from './open-slot.ts';
import { startSchemaUpgrade } from './schema-upgrade.ts';
import { SlotApps } from './slot-apps.ts';

export type NodeStart = {
  config: Settings;
  members: ClusterMembers;
  log: Log;
  /** Is called with the catalogue before it is served. */
  onOpen: (app: App) => Promise<void>;
  /** Is called with the catalogue and the port when the service answers. */
  announce: (app: App, port: number) => void;
};

/** Serves until SIGINT or SIGTERM. Throws a `Failure` if the node cannot start. */
export async function serveNode({ config: given, members, log, onOpen, announce }: NodeStart): Promise<void> {
  refuseUnusable(given);
  const stopped = waitForStopSignal();
  const config = { ...given, mediaDir: given.mediaDir ?? join(given.data, 'media') };
  const access = await openCluster(members, clockFor(config));
  const slots = new SlotApps((path) => openSlot(path, config, members, access));
  let pool: WorkerPool | null = null;
  const readers = {
    prepare: async ({ path, publication, revision }: Slot) => {
      // It is opened when it is served, at the latest.
      if (slots.isServing) await Promise.all([slots.makeReady(path), pool?.sendSlot('makeReady', path)]);
      log('info', 'a publication is ready', { publication, revision });
    },
    release: async (path: string) => {
      await Promise.all([slots.release(path), pool?.sendSlot('release', path)]);
    },
    serve: async ({ path, publication, revision }: Slot) => {
      const began = performance.now();
      await Promise.all([slots.serve(path), pool?.sendSlot('serve', path)]);
      log('info', 'a publication is served', { publication, revision, ms: round(performance.now() - began) });
    },
  };
  const onProblem = problemLog(log);
  let node: ClusterNode | undefined;
  try {
    const openObjects = objectsOpener(config.objects);
    node = await openNode({ address: members, folder: config.data, openObjects, readers, onProblem });
    await onOpen(slots.app);
    const run = { config, log, node, slots, access, stopped, announce };
    if (config.workers === 1) await runAlone(run);
    else {
      const port = config.port === 0 ? await findFreePort(config.host) : config.port;
      await runWorkers({ ...run, config: { ...config, port } }, (made) => {
        pool = made;
      });
    }
  } finally {
    await node?.close();
    slots.close();
    await access.closed();
  }
  log('info', 'stopped');
}

type NodeRun = {
  config: Settings;
  log: Log;
  node: ClusterNode;
  slots: SlotApps;
  access: ClusterAccess;
  stopped: Promise<NodeJS.Signals>;
  announce: NodeStart['announce'];
};

async function runAlone(run: NodeRun): Promise<void> {
  const { config, log, node, slots, access } = run;
  const actions = createActionProcesses({ config, log });
  const changes = new NodeChanges(node, log);
  const change = createNodeChanger(changes, actions, log);
  const readApp = () => slots.app;
  const running = await startServer(slots.app, {
    config,
    log,
    runAction: createNodeActions(slots, actions, change),
    setIdentity: createIdentitySetter(readApp, change),
    publication: () => node.state(),
  });
  slots.attach(running);
  access.onHead((head) => node.notice(head));
  await runUntilStopped(run, changes, running.port, () => Promise.all([running.close(), actions.stop()]));
}

async function runWorkers(run: NodeRun, onPool: (pool: WorkerPool) => void): Promise<void> {
  const { config, log, node, slots } = run;
  const actions = createActionProcesses({ config, log });
  const changes = new NodeChanges(node, log);
  const pool = new WorkerPool(config, log, {
    slotPath: () => slots.app.path,
    publication: (): PublicationState => node.state(),
    notice: (head) => node.notice(head),
    change: createNodeChanger(changes, actions, log),
  });
  onPool(pool);
  try {
    await Promise.race([pool.start(), run.stopped]);
    await runUntilStopped(run, changes, config.port, () => Promise.all([pool.stop(), actions.stop()]));
  } finally {
    await pool.stop();
  }
}

async function runUntilStopped(
  { config, log, node, slots, stopped, announce }: NodeRun,
  changes: NodeChanges,
  port: number,
  stop: () => Promise<unknown>,
): Promise<void> {
  const url = serverUrl(config.host, port);
  const { newest_schema: schema } = slots.app.file.facts();
  node.start({ url, version: programVersion(), schemas: { min: schema, max: schema } });
  announce(slots.app, port);
  const options = { config, log, readApp: () => slots.app, changes, hasUnfinished: () => node.hasUnfinished };
  const schedule = config.noSync ? null : startNodeScheduler(options);
  const backups = startNodeBackups(config, log);
  const upgrade = startSchemaUpgrade({ node, changes, log });
  log('info', 'stopping', { signal: await stopped });
  await Promise.all([schedule?.stop(), backups?.stop(), upgrade.stop(), changes.stop(), stop()]);
}

/** Throws a `Failure` for settings that a node cannot have. */
function refuseUnusable({ data, exportDir }: Settings): void {
  if (existsSync(data) && !statSync(data).isDirectory())
    throw new Failure(
      `${data} is a file. A node of a cluster keeps its copies of the catalogue in a folder: name one with --data. \`cratebase cluster init --from ${data}\` publishes the file.`,
    );
  if (exportDir !== null)
    throw new Failure(
      'A node of a cluster makes no scheduled exports. Leave out --export-dir; clients follow /changes.',
      2,
    );
}

/** Writes each reason once a minute: a node tries again every second. */
function problemLog(log: Log): (failure: unknown) => void {
  // Numbers and names of objects differ from one try to the next.
  const warn = throttleRepeats(log, ({ error }) => String(error).replace(/[0-9a-f]{16,}|\d+/g, '#'));
  return (failure) => {
    const { stack, ...described } = describeFailure(failure);
    const isBug = failure instanceof TypeError || failure instanceof RangeError;
    warn('warn', 'the published catalogue cannot be followed', {
      ...described,
      ...(isBug && { stack }),
    });
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
