/** `serve --workers N`: the primary process, which starts N workers that answer requests. */
import cluster, { type Worker } from 'node:cluster';
import { type AddressInfo, createServer } from 'node:net';
import { clockFor, type FileMonitor, type FileState, healthyFile, openApp, readCluster } from '../../app.ts';
import { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import { type ProcessMetrics, type PublicationState, sumMetrics } from '../../server.ts';
import type { Settings } from '../../settings.ts';
import { startBackups } from './backup-scheduler.ts';
import { startExports } from './export-scheduler.ts';
import type { Announce, NodeInStart, SlotStep, ToPrimary, ToWorker } from './messages.ts';
import { describeOutcome, type NodeChange } from './node/node-change.ts';
import { exitIfFileLost, stopParts, waitForStopSignal } from './process.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

/** Delay before a worker that died is replaced. It doubles each time a worker dies early. */
const minRestartDelayMs = 100;
const maxRestartDelayMs = 30_000;
/** A worker that lives this long started well: the delay is reset. */
const stableUptimeMs = 60_000;
/** Longer than the time in which a worker ends by itself. */
const stopTimeoutMs = 8_000;
/** Time to wait for the counts of the workers. */
const reportTimeoutMs = 1_000;
/** How often the workers of a node are told what it serves. */
const publicationIntervalMs = 1_000;

/** Runs the workers until SIGINT or SIGTERM; throws a `Failure` if they cannot start. */
export async function superviseWorkers(config: Settings, log: Log, announce: Announce): Promise<void> {
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const pool = new WorkerPool({ ...config, port }, log);
  const stopSignal = waitForStopSignal();
  const app = openApp({
    data: config.data,
    create: false,
    clock: clockFor(config),
    cluster: readCluster(config),
  });
  let schedule: Scheduler | null = null;
  let backups: Scheduler | null = null;
  let exports: Scheduler | null = null;
  let unregister = () => {};
  let monitor: FileMonitor | undefined;
  try {
    monitor = app.file.maintain(log, (state) => pool.sendFileState(state));
    const early = await Promise.race([pool.start(), stopSignal]);
    if (early === undefined) unregister = announce(app, port);
    if (!config.noSync) schedule = startScheduler(app, config, log);
    backups = startBackups(app, config, log);
    exports = startExports(app, config, port, log);
    log('info', 'stopping', { signal: await stopSignal });
  } finally {
    await stopParts({
      sources: schedule?.stop(),
      backups: backups?.stop(),
      exports: exports?.stop(),
      workers: pool.stop(),
    });
    unregister();
    await stopParts({ monitor: monitor?.stop() });
    app.close();
  }
  log('info', 'stopped');
  exitIfFileLost(app, monitor);
}

/** Returns a free port: with port 0, each worker would get another one. */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(new Failure(`${host} is not an address of this machine.`)));
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** What the workers of a node of a cluster get from it. */
export type PoolNode = {
  /** The secret of the cluster: workers start also while PostgreSQL is away. */
  secret: Buffer;
  /** The slot that is served: one of the two copies of the catalogue on the node. */
  slotPath: () => string;
  publication: () => PublicationState;
  notice: (head: number) => void;
  /** Checks immediately whether the served slot is damaged. */
  checkSoon: () => void;
  change: (change: NodeChange) => Promise<unknown>;
};

/** The workers of a service. */
export class WorkerPool {
  isStopping = false;
  readonly #config: Settings;
  readonly #log: Log;
  readonly #node: PoolNode | null;
  readonly #publicationTimer: NodeJS.Timeout | undefined;
  /** Workers that were told to use another slot and have not answered, by request id. */
  readonly #moving = new Map<number, { worker: number; done: (error: string | null) => void }>();
  readonly #counts = new Map<number, ProcessMetrics>();
  /** Callbacks for reports of workers, by request id. */
  readonly #reports = new Map<number, (worker: number) => void>();
  #lastRequestId = 0;
  readonly #ready = new Set<number>();
  /** Workers that know what they serve. */
  readonly #configured = new Set<number>();
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #file: FileState = healthyFile;
  #exitedCounts: ProcessMetrics = sumMetrics([]);
  #delayMs = minRestartDelayMs;
  #started = false;
  #startPromise: { resolve: () => void; reject: (failure: Failure) => void } | null = null;
  #stopping: Promise<void> | null = null;

  /** @param node the node of a cluster whose catalogue the workers serve */
  constructor(config: Settings, log: Log, node: PoolNode | null = null) {
    this.#config = config;
    this.#log = log;
    this.#node = node;
    if (node !== null)
      this.#publicationTimer = setInterval(() => this.#sendPublication(node), publicationIntervalMs);
    // Workers get their configuration by message, not from the arguments of this process.
    cluster.setupPrimary({ args: [] });
  }

  /** Resolves when all workers are ready; rejects with the failure of the first one that failed. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#startPromise = { resolve, reject };
      for (let count = 0; count < this.#config.workers; count++) this.#fork();
    });
  }

  /** Ends all workers; kills those that exceed the timeout. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.#publicationTimer);
    for (const timer of this.#restartTimers) clearTimeout(timer);
    // One that has just died is still in the list, and does not end again.
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker === undefined || worker.isDead() ? [] : [worker],
    );
    const exits = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) sendTo(worker, { type: 'stop' });
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, stopTimeoutMs);
    await Promise.all(exits);
    clearTimeout(late);
  }

  /** Sends the state of the data file to all workers; later workers get it at their start. */
  sendFileState(file: FileState): void {
    this.#file = file;
    for (const worker of Object.values(cluster.workers ?? {})) sendTo(worker, { type: 'file', file });
  }

  /**
   * Lets all workers prepare, serve or close a slot. Rejects if one cannot prepare or serve it: it goes on with the
   * former one.
   */
  async sendSlot(step: SlotStep, path: string): Promise<void> {
    const errors = await Promise.all([...this.#configured].map((id) => this.#sendSlotTo(id, step, path)));
    const error = errors.find((one) => one !== null);
    if (error !== undefined) throw new Failure(`A worker cannot use the slot ${path}: ${error}`);
  }

  #sendSlotTo(id: number, step: SlotStep, path: string): Promise<string | null> {
    const requestId = ++this.#lastRequestId;
    return new Promise((resolve) => {
      const done = (error: string | null) => {
        this.#moving.delete(requestId);
        resolve(error);
      };
      this.#moving.set(requestId, { worker: id, done });
      sendTo(cluster.workers?.[id], { type: 'slot', requestId, step, path });
    });
  }

  #describeNode(): NodeInStart | null {
    if (this.#node === null) return null;
    const { slotPath, publication, secret } = this.#node;
    return { slot: slotPath(), publication: publication(), secret: secret.toString('hex') };
  }

  #sendPublication(node: PoolNode): void {
    const publication = node.publication();
    for (const id of this.#configured) sendTo(cluster.workers?.[id], { type: 'publication', publication });
  }

  async #change(worker: Worker, requestId: number, change: NodeChange): Promise<void> {
    const reply = await describeOutcome((this.#node as PoolNode).change(change), this.#log);
    sendTo(worker, { type: 'changed', requestId, reply });
  }

  #fork(): void {
    const worker = cluster.fork({ CRATEBASE_ROLE: 'worker' });
    const born = Date.now();
    let failure: Failure | null = null;
    worker.on('message', (message: ToPrimary) => {
      if (message.type === 'failed') failure = new Failure(message.message, message.exitStatus);
      else this.#handleMessage(worker, message);
    });
    worker.on('error', (error) => this.#log('warn', 'worker', { error: error.message }));
    worker.once('exit', (status, signal) => this.#handleExit(worker, born, failure, signal ?? status));
  }

  #handleMessage(worker: Worker, message: Exclude<ToPrimary, { type: 'failed' }>): void {
    if (message.type === 'waiting') {
      this.#configured.add(worker.id);
      sendTo(
        worker,
        this.isStopping
          ? { type: 'stop' }
          : { type: 'start', config: this.#config, file: this.#file, node: this.#describeNode() },
      );
    } else if (message.type === 'ready') {
      this.#ready.add(worker.id);
      if (this.#ready.size < this.#config.workers || this.#started) return;
      this.#started = true;
      this.#startPromise?.resolve();
    } else if (message.type === 'totals') void this.#sendTotals(worker, message.requestId);
    else if (message.type === 'moved') this.#moving.get(message.requestId)?.done(message.error);
    else if (message.type === 'head') this.#node?.notice(message.head);
    else if (message.type === 'damage') this.#node?.checkSoon();
    else if (message.type === 'change') void this.#change(worker, message.requestId, message.change);
    else {
      this.#counts.set(worker.id, message.counts);
      if (message.requestId !== null) this.#reports.get(message.requestId)?.(worker.id);
    }
  }

  /** Collects the counts of all workers and sends the sum to one worker, as the response to `totalsId`. */
  async #sendTotals(worker: Worker, totalsId: number): Promise<void> {
    const requestId = ++this.#lastRequestId;
    const pendingWorkers = new Set(this.#ready);
    await new Promise<void>((resolve) => {
      this.#reports.set(requestId, (id) => {
        pendingWorkers.delete(id);
        if (pendingWorkers.size === 0) resolve();
      });
      setTimeout(resolve, reportTimeoutMs).unref();
      for (const id of pendingWorkers) sendTo(cluster.workers?.[id], { type: 'report', requestId });
    });
    this.#reports.delete(requestId);
    const counts = sumMetrics([this.#exitedCounts, ...this.#counts.values()]);
    sendTo(worker, { type: 'totals', requestId: totalsId, counts });
  }

  #handleExit(worker: Worker, born: number, failure: Failure | null, why: string | number): void {
    const last = this.#counts.get(worker.id);
    // Its responses stay in the totals.
    if (last) this.#exitedCounts = sumMetrics([this.#exitedCounts, { ...last, memory: 0, processes: 0 }]);
    this.#counts.delete(worker.id);
    this.#ready.delete(worker.id);
    this.#configured.delete(worker.id);
    for (const { worker: id, done } of this.#moving.values()) if (id === worker.id) done(null);
    if (this.isStopping) return;
    if (!this.#started) {
      this.#startPromise?.reject(failure ?? new Failure(`A worker ended during its start (${why}).`));
      return;
    }
    if (Date.now() - born > stableUptimeMs) this.#delayMs = minRestartDelayMs;
    const fields = { pid: worker.process.pid, why, again_in_ms: this.#delayMs };
    this.#log('error', 'a worker ended', failure ? { ...fields, error: failure.message } : fields);
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#fork();
    }, this.#delayMs);
    this.#restartTimers.add(timer);
    this.#delayMs = Math.min(this.#delayMs * 2, maxRestartDelayMs);
  }
}

/** Sends a message to a worker that is still connected. */
function sendTo(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => {});
}
