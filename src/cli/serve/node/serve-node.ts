/** `serve --cluster`: a node, which follows the published catalogue and serves it, in one process or several. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type App,
  type ClusterAccess,
  type ClusterAddressParts,
  type ClusterNode,
  type NodeOptions,
  programVersion,
  type Slot,
} from '../../../app.ts';
import { serverUrl } from '../../../config.ts';
import { Failure } from '../../../failure.ts';
import type { Log } from '../../../log.ts';
import { onDamage, type PublicationState, startServer } from '../../../server.ts';
import type { Settings } from '../../../settings.ts';
import { shellQuote } from '../../command.ts';
import { createActionProcesses } from '../action-process.ts';
import { startNodeBackups } from '../backup-scheduler.ts';
import { stopParts, waitForStopSignal } from '../process.ts';
import { findFreePort, WorkerPool } from '../worker-pool.ts';
import { NodeChanges } from './changes.ts';
import { createIdentitySetter, createNodeActions, createNodeChanger } from './node-change.ts';
import { startNodeScheduler } from './node-scheduler.ts';
import { openWhenPossible } from './open-node.ts';
import { startSchemaUpgrade } from './schema-upgrade.ts';
import type { SlotApps } from './slot-apps.ts';

export type NodeStart = {
  config: Settings;
  members: ClusterAddressParts;
  log: Log;
  /** Is called with the catalogue before it is served; not if PostgreSQL is away then. */
  onOpen: (app: App) => Promise<void>;
  /** Is called with the catalogue and the port when the service answers. */
  announce: (app: App, port: number) => void;
};

/**
 * Serves until SIGINT or SIGTERM. While PostgreSQL is away, it serves the public pages of the catalogue in its
 * folder, or waits if there is none.
 * @throws Failure if PostgreSQL answers and the node cannot serve
 */
export async function serveNode({ config: given, members, log, onOpen, announce }: NodeStart): Promise<void> {
  refuseUnusable(given);
  const stopSignal = waitForStopSignal();
  const config = { ...given, mediaDir: given.mediaDir ?? join(given.data, 'media') };
  let pool: WorkerPool | null = null;
  const readersOf = (slots: SlotApps) => slotReaders(slots, () => pool, log);
  const openedNode = await openWhenPossible({ config, members, log, stopped: stopSignal, readersOf });
  if (openedNode === null) return;
  const { access, node, slots, isAway } = openedNode;
  try {
    if (!isAway) await onOpen(slots.app);
    const run = { config, log, node, slots, access, stopped: stopSignal, announce };
    if (config.workers === 1) await runAlone(run);
    else {
      const port = config.port === 0 ? await findFreePort(config.host) : config.port;
      await runWorkers({ ...run, config: { ...config, port } }, (newPool) => {
        pool = newPool;
      });
    }
  } finally {
    await stopParts({ node: node.close() });
    slots.close();
    await stopParts({ accounts: access.closed() });
  }
  log('info', 'stopped');
}

/** Prepares, serves and closes slots in this process and its workers. */
function slotReaders(
  slots: SlotApps,
  readPool: () => WorkerPool | null,
  log: Log,
): NonNullable<NodeOptions['readers']> {
  return {
    prepare: async ({ path, publication, revision }: Slot) => {
      // It is opened when it is served, at the latest.
      if (slots.isServing)
        await Promise.all([slots.makeReady(path), readPool()?.sendSlot('makeReady', path)]);
      log('info', 'a publication is ready', { publication, revision });
    },
    release: async (path: string) => {
      await Promise.all([slots.release(path), readPool()?.sendSlot('release', path)]);
    },
    serve: async ({ path, publication, revision }: Slot) => {
      const began = performance.now();
      await Promise.all([slots.serve(path), readPool()?.sendSlot('serve', path)]);
      log('info', 'a publication is served', { publication, revision, ms: round(performance.now() - began) });
    },
  };
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
  const server = await startServer(slots.app, {
    config,
    log,
    runAction: createNodeActions(slots, actions, change),
    setIdentity: createIdentitySetter(readApp, change),
    publication: () => node.state(),
  });
  slots.attach(server);
  access.onHead((head) => node.notice(head));
  onDamage(() => node.checkSoon());
  await runUntilStopped(run, changes, server.port, () => ({
    server: server.close(),
    actions: actions.stop(),
  }));
}

async function runWorkers(run: NodeRun, onPool: (pool: WorkerPool) => void): Promise<void> {
  const { config, log, node, slots, access } = run;
  const actions = createActionProcesses({ config, log });
  const changes = new NodeChanges(node, log);
  const pool = new WorkerPool(config, log, {
    secret: access.secret,
    slotPath: () => slots.app.path,
    publication: (): PublicationState => node.state(),
    notice: (head) => node.notice(head),
    checkSoon: () => node.checkSoon(),
    change: createNodeChanger(changes, actions, log),
  });
  onPool(pool);
  try {
    await Promise.race([pool.start(), run.stopped]);
    await runUntilStopped(run, changes, config.port, () => ({
      workers: pool.stop(),
      actions: actions.stop(),
    }));
  } finally {
    await pool.stop();
  }
}

async function runUntilStopped(
  { config, log, node, slots, stopped, announce }: NodeRun,
  changes: NodeChanges,
  port: number,
  stop: () => Record<string, Promise<unknown>>,
): Promise<void> {
  const url = serverUrl(config.host, port);
  const { newest_schema: schema } = slots.app.file.facts();
  node.start({ url, version: programVersion(), schemas: { min: schema, max: schema } });
  announce(slots.app, port);
  const hasUnfinished = async () => node.hasUnfinished || (await node.isBaseWanted());
  const options = { config, log, readApp: () => slots.app, changes, hasUnfinished };
  const schedule = config.noSync ? null : startNodeScheduler(options);
  const backups = startNodeBackups(config, log);
  const upgrade = startSchemaUpgrade({ node, changes, log });
  const reason = await Promise.race([stopped, node.failed]);
  log('info', 'stopping', reason instanceof Failure ? { error: reason.message } : { signal: reason });
  await stopParts({
    sources: schedule?.stop(),
    backups: backups?.stop(),
    upgrade: upgrade.stop(),
    changes: changes.stop(),
    ...stop(),
  });
  if (reason instanceof Failure) throw reason;
}

/** Throws a `Failure` for settings that a node cannot have. */
function refuseUnusable({ data, exportDir }: Settings): void {
  if (existsSync(data) && !statSync(data).isDirectory())
    throw new Failure(
      `${data} is a file. A node of a cluster keeps its copies of the catalogue in a folder: name one with --data. \`cratebase cluster init --from ${shellQuote(data)}\` publishes the file.`,
    );
  if (exportDir !== null)
    throw new Failure(
      'A node of a cluster makes no scheduled exports. Leave out --export-dir; clients follow /changes.',
      2,
    );
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
