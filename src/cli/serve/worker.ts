/** A worker of `serve --workers N`. The primary process controls it by messages. */
import {
  type App,
  type ClusterAddressParts,
  clockFor,
  type FileState,
  openApp,
  openClusterWith,
  readCluster,
} from '../../app.ts';
import { Failure } from '../../failure.ts';
import { stderrLog } from '../../log.ts';
import {
  onDamage,
  type ProcessMetrics,
  type PublicationState,
  processMetrics,
  startServer,
} from '../../server.ts';
import type { Settings } from '../../settings.ts';
import { createActionProcesses } from './action-process.ts';
import type { NodeInStart, SlotStep, ToPrimary, ToWorker } from './messages.ts';
import {
  createIdentitySetter,
  createNodeActions,
  type NodeChange,
  type NodeChangeReply,
  readOutcome,
} from './node/node-change.ts';
import { openSlot } from './node/open-slot.ts';
import { SlotApps } from './node/slot-apps.ts';
import { ignorePipeErrors, logUncaughtErrors, waitForStopSignal } from './process.ts';

const reportIntervalMs = 1_000;
/** Time to wait for the counts of all processes. */
const totalsTimeoutMs = 2_000;

type MoveSlot = (step: SlotStep, path: string) => Promise<void>;

/** Serves until the primary says stop, then ends the process. */
export async function runWorker(): Promise<void> {
  ignorePipeErrors();
  logUncaughtErrors();
  const primary = new PrimaryConnection();
  try {
    const config = await primary.config;
    if (config !== null) await serveWorker(primary, config);
    process.exit(0);
  } catch (failure) {
    const { message } = failure instanceof Error ? failure : new Error(String(failure));
    const exitStatus = failure instanceof Failure ? failure.exitStatus : 1;
    await primary.send({ type: 'failed', message, exitStatus });
    process.exit(exitStatus);
  }
}

async function serveWorker(primary: PrimaryConnection, config: Settings): Promise<void> {
  const { node } = primary;
  if (node !== null) return serveNodeWorker(primary, config, node);
  const app: App = openApp({
    data: config.data,
    create: false,
    clock: clockFor(config),
    cluster: readCluster(config),
  });
  primary.onFileState((state) => {
    app.file.state = state;
  });
  try {
    await app.disableAutoCheckpoint();
    const actions = createActionProcesses({ config, log: stderrLog });
    const server = await startServer(app, {
      config,
      log: stderrLog,
      totals: () => primary.totals(),
      runAction: actions.run,
    });
    await serveUntilStopped(primary, config, () => Promise.all([server.close(), actions.stop()]));
  } finally {
    app.close();
  }
}

/** A worker of a node of a cluster: the primary process says which slot it serves. */
async function serveNodeWorker(
  primary: PrimaryConnection,
  config: Settings,
  { slot, publication, secret }: NodeInStart,
): Promise<void> {
  const members = readCluster(config) as ClusterAddressParts;
  const access = await openClusterWith(members, clockFor(config), Buffer.from(secret, 'hex'));
  const slots = new SlotApps((path) => openSlot(path, config, members, access));
  try {
    await slots.serve(slot);
    const actions = createActionProcesses({ config, log: stderrLog });
    const change = (request: NodeChange) => primary.change(request);
    const server = await startServer(slots.app, {
      config,
      log: stderrLog,
      totals: () => primary.totals(),
      runAction: createNodeActions(slots, actions, change),
      setIdentity: createIdentitySetter(() => slots.app, change),
      publication: () => primary.publication ?? publication,
    });
    slots.attach(server);
    onDamage(() => void primary.send({ type: 'damage' }));
    primary.onSlot((step, path) => slots[step](path));
    let head = 0;
    access.onHead((next) => {
      if (next === head) return;
      head = next;
      void primary.send({ type: 'head', head });
    });
    await serveUntilStopped(primary, config, () => Promise.all([server.close(), actions.stop()]));
  } finally {
    slots.close();
    await access.closed();
  }
}

async function serveUntilStopped(
  primary: PrimaryConnection,
  config: Settings,
  stop: () => Promise<unknown>,
): Promise<void> {
  if (config.metricsToken !== null) primary.startReporting();
  await primary.send({ type: 'ready' });
  await primary.stopped;
  await stop();
}

/** The connection to the primary process. */
class PrimaryConnection {
  readonly #config = Promise.withResolvers<Settings | null>();
  readonly #stop = Promise.withResolvers<void>();
  /** The configuration; null if the worker is stopped before it gets one. */
  readonly config = this.#config.promise;
  readonly stopped = Promise.race([this.#stop.promise, waitForStopSignal()]);
  /** What the node of a cluster serves at the start of this worker; null: there is no cluster. */
  node: NodeInStart | null = null;
  /** What the node serves, once the primary process has said it again. */
  publication: PublicationState | null = null;
  readonly #pendingChanges = new Map<number, (reply: NodeChangeReply) => void>();
  readonly #move = Promise.withResolvers<MoveSlot>();
  /** Steps with slots that came before this worker serves are taken when it does. */
  #moves: Promise<unknown> = this.#move.promise;
  #file: FileState | null = null;
  #fileStateListener: (state: FileState) => void = () => {};
  readonly #pendingTotals = new Map<number, (counts: ProcessMetrics) => void>();
  #lastRequestId = 0;

  constructor() {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'start' || message.type === 'file') this.#setFileState(message.file);
      if (message.type === 'start') {
        this.node = message.node;
        this.#config.resolve(message.config);
      } else if (message.type === 'slot') this.#moveSlot(message);
      else if (message.type === 'publication') this.publication = message.publication;
      else if (message.type === 'changed') this.#pendingChanges.get(message.requestId)?.(message.reply);
      else if (message.type === 'file') return;
      else if (message.type === 'totals') this.#pendingTotals.get(message.requestId)?.(message.counts);
      else if (message.type === 'report') void this.#sendCounts(message.requestId);
      else {
        this.#config.resolve(null);
        this.#stop.resolve();
      }
    });
    void this.send({ type: 'waiting' });
  }

  /** Calls `listener` with the state of the data file, now and after every change. */
  onFileState(listener: (state: FileState) => void): void {
    this.#fileStateListener = listener;
    if (this.#file !== null) listener(this.#file);
  }

  /** Prepares, serves and closes slots as the primary process says, one after the other. */
  onSlot(move: MoveSlot): void {
    this.#move.resolve(move);
  }

  #moveSlot({ requestId, step, path }: Extract<ToWorker, { type: 'slot' }>): void {
    const take = async () => {
      let error: string | null = null;
      try {
        await (await this.#move.promise)(step, path);
      } catch (failure) {
        error = failure instanceof Error ? failure.message : String(failure);
      }
      await this.send({ type: 'moved', requestId, error });
    };
    this.#moves = this.#moves.then(take);
  }

  /** Has the primary process change the catalogue. */
  async change(change: NodeChange): Promise<unknown> {
    const requestId = ++this.#lastRequestId;
    const reply = new Promise<NodeChangeReply>((resolve) => this.#pendingChanges.set(requestId, resolve));
    await this.send({ type: 'change', requestId, change });
    const outcome = await reply;
    this.#pendingChanges.delete(requestId);
    return readOutcome(outcome);
  }

  #setFileState(state: FileState): void {
    this.#file = state;
    this.#fileStateListener(state);
  }

  send(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => {
      if (!process.send || !process.connected) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  }

  /** Sends the counts periodically, so that few are lost when this process dies. */
  startReporting(): void {
    void this.#sendCounts(null);
    setInterval(() => void this.#sendCounts(null), reportIntervalMs).unref();
  }

  /** Returns the counts of all processes; those of this one if the primary does not answer in time. */
  async totals(): Promise<ProcessMetrics> {
    const requestId = ++this.#lastRequestId;
    const response = new Promise<ProcessMetrics>((resolve) => {
      this.#pendingTotals.set(requestId, resolve);
      setTimeout(() => resolve(processMetrics()), totalsTimeoutMs).unref();
    });
    await this.send({ type: 'totals', requestId });
    const counts = await response;
    this.#pendingTotals.delete(requestId);
    return counts;
  }

  #sendCounts(requestId: number | null): Promise<void> {
    return this.send({ type: 'counts', counts: processMetrics(), requestId });
  }
}
