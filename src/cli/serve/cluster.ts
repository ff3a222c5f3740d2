/** `serve --workers N`: one process that answers nothing and keeps N that do. */
import cluster, { type Worker } from 'node:cluster';
import { type AddressInfo, createServer } from 'node:net';
import { clockFor, type FileMonitor, type FileState, openApp } from '../../app.ts';
import { type ProcessMetrics, sumMetrics } from '../../doors.ts';
import { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import type { Announce, ToPrimary, ToWorker } from './messages.ts';
import { exitIfFileLost, waitForStopSignal } from './process.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

/** A worker that dies is made again after this long; each time it dies early, after twice as long. */
const minRestartDelayMs = 100;
const maxRestartDelayMs = 30_000;
/** Who lived this long did not die of its start. */
const stableUptimeMs = 60_000;
/** A little more than a worker takes to end by itself. */
const stopTimeoutMs = 8_000;
/** How long the counts of a worker are waited for. */
const reportTimeoutMs = 1_000;

/** Runs until the process is asked to end; throws a `Failure` where the workers cannot start. */
export async function superviseWorkers(config: Settings, log: Log, announce: Announce): Promise<void> {
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const crew = new WorkerPool({ ...config, port }, log);
  const stopped = waitForStopSignal();
  const app = openApp({ data: config.data, create: false, clock: clockFor(config) });
  let schedule: Scheduler | null = null;
  let forget = () => {};
  let keeper: FileMonitor | undefined;
  try {
    keeper = app.maintainFile(log, (state) => crew.sendFileState(state));
    const early = await Promise.race([crew.start(), stopped]);
    if (early === undefined) forget = announce(app, port);
    if (!config.noSync) schedule = startScheduler(app, config, log);
    log('info', 'stopping', { signal: await stopped });
  } finally {
    await Promise.all([schedule?.stop(), crew.stop()]);
    forget();
    await keeper?.stop();
    app.close();
  }
  log('info', 'stopped');
  exitIfFileLost(app);
}

/** Port 0 would be another one for each worker that is made later. */
function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(new Failure(`${host} is not an address of this machine.`)));
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

class WorkerPool {
  isStopping = false;
  readonly #config: Settings;
  readonly #log: Log;
  readonly #counts = new Map<number, ProcessMetrics>();
  /** Who waits for reports of workers, by the number of the question. */
  readonly #reports = new Map<number, (worker: number) => void>();
  #lastRequestId = 0;
  readonly #ready = new Set<number>();
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  #file: FileState = { fault: null, logBytes: 0, heldMs: 0 };
  #exitedCounts: ProcessMetrics = sumMetrics([]);
  #delayMs = minRestartDelayMs;
  #started = false;
  #startPromise: { resolve: () => void; reject: (failure: Failure) => void } | null = null;

  constructor(config: Settings, log: Log) {
    this.#config = config;
    this.#log = log;
    // Workers are told by message what to do, not by the arguments of this process.
    cluster.setupPrimary({ args: [] });
  }

  /** Resolves when all answer; rejects with what the first that failed says. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#startPromise = { resolve, reject };
      for (let made = 0; made < this.#config.workers; made++) this.#fork();
    });
  }

  /** Ends all workers, with grace as long as they take it. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.#restartTimers) clearTimeout(timer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const exits = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) sendTo(worker, { type: 'stop' });
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, stopTimeoutMs);
    await Promise.all(exits);
    clearTimeout(late);
  }

  /** Tells all workers how the data file stands; those that are made later hear it at their start. */
  sendFileState(file: FileState): void {
    this.#file = file;
    for (const worker of Object.values(cluster.workers ?? {})) sendTo(worker, { type: 'file', file });
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
      sendTo(
        worker,
        this.isStopping ? { type: 'stop' } : { type: 'start', config: this.#config, file: this.#file },
      );
    } else if (message.type === 'ready') {
      this.#ready.add(worker.id);
      if (this.#ready.size < this.#config.workers || this.#started) return;
      this.#started = true;
      this.#startPromise?.resolve();
    } else if (message.type === 'totals') void this.#sendTotals(worker, message.ask);
    else {
      this.#counts.set(worker.id, message.counts);
      if (message.ask !== null) this.#reports.get(message.ask)?.(worker.id);
    }
  }

  /** Asks all who answer for their counts, and tells the sum to the one who wants it. */
  async #sendTotals(worker: Worker, wanted: number): Promise<void> {
    const ask = ++this.#lastRequestId;
    const missing = new Set(this.#ready);
    await new Promise<void>((resolve) => {
      this.#reports.set(ask, (id) => {
        missing.delete(id);
        if (missing.size === 0) resolve();
      });
      setTimeout(resolve, reportTimeoutMs).unref();
      for (const id of missing) sendTo(cluster.workers?.[id], { type: 'report', ask });
    });
    this.#reports.delete(ask);
    const counts = sumMetrics([this.#exitedCounts, ...this.#counts.values()]);
    sendTo(worker, { type: 'totals', ask: wanted, counts });
  }

  #handleExit(worker: Worker, born: number, failure: Failure | null, why: string | number): void {
    const last = this.#counts.get(worker.id);
    // What it answered stays answered.
    if (last) this.#exitedCounts = sumMetrics([this.#exitedCounts, { ...last, memory: 0, processes: 0 }]);
    this.#counts.delete(worker.id);
    this.#ready.delete(worker.id);
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

/** Tells a worker; one that has gone hears nothing. */
function sendTo(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => {});
}
