/** `serve --workers N`: one process that answers nothing and keeps N that do. */
import cluster, { type Worker } from 'node:cluster';
import { type AddressInfo, createServer } from 'node:net';
import { clockOf, type FileKeeper, type FileState, openApp } from '../app.ts';
import { type Counts, sumCounts } from '../doors.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Announce, ToPrimary, ToWorker } from './serve-messages.ts';
import { endAt, stopSignal } from './serve-process.ts';
import { keepSynced, type Schedule } from './serve-sync.ts';

/** A worker that dies is made again after this long; each time it dies early, after twice as long. */
const firstDelayMs = 100;
const longestDelayMs = 30_000;
/** Who lived this long did not die of its start. */
const healthyMs = 60_000;
/** A little more than a worker takes to end by itself. */
const patienceMs = 8_000;
/** How long the counts of a worker are waited for. */
const reportMs = 1_000;

/** Runs until the process is asked to end; throws a `Failure` where the workers cannot start. */
export async function supervise(config: Settings, log: Log, announce: Announce): Promise<void> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const crew = new Crew({ ...config, port }, log);
  const stopped = stopSignal();
  const app = openApp({ data: config.data, create: false, clock: clockOf(config) });
  let schedule: Schedule | null = null;
  let forget = () => {};
  let keeper: FileKeeper | undefined;
  try {
    keeper = app.keepFile(log, (state) => crew.tellFile(state));
    const early = await Promise.race([crew.start(), stopped]);
    if (early === undefined) forget = announce(app, port);
    if (!config.noSync) schedule = keepSynced(app, config, log);
    log('info', 'stopping', { signal: await stopped });
  } finally {
    await Promise.all([schedule?.stop(), crew.stop()]);
    forget();
    await keeper?.stop();
    app.close();
  }
  log('info', 'stopped');
  endAt(app);
}

/** Port 0 would be another one for each worker that is made later. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(new Failure(`${host} is not an address of this machine.`)));
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

class Crew {
  ending = false;
  readonly #config: Settings;
  readonly #log: Log;
  readonly #counts = new Map<number, Counts>();
  /** Who waits for reports of workers, by the number of the question. */
  readonly #reports = new Map<number, (worker: number) => void>();
  #asks = 0;
  readonly #ready = new Set<number>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  #file: FileState = { trouble: null, logBytes: 0, heldMs: 0 };
  #gone: Counts = { answers: [], memory: 0, processes: 0 };
  #delayMs = firstDelayMs;
  #started = false;
  #begin: { resolve: () => void; reject: (failure: Failure) => void } | null = null;

  constructor(config: Settings, log: Log) {
    this.#config = config;
    this.#log = log;
    // Workers are told by message what to do, not by the arguments of this process.
    cluster.setupPrimary({ args: [] });
  }

  /** Resolves when all answer; rejects with what the first that failed says. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#begin = { resolve, reject };
      for (let made = 0; made < this.#config.workers; made++) this.#fork();
    });
  }

  /** Ends all workers, with grace as long as they take it. */
  async stop(): Promise<void> {
    this.ending = true;
    for (const timer of this.#waiting) clearTimeout(timer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const exits = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) tell(worker, { type: 'stop' });
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, patienceMs);
    await Promise.all(exits);
    clearTimeout(late);
  }

  /** Tells all workers how the data file stands; those that are made later hear it at their start. */
  tellFile(file: FileState): void {
    this.#file = file;
    for (const worker of Object.values(cluster.workers ?? {})) tell(worker, { type: 'file', file });
  }

  #fork(): void {
    const worker = cluster.fork({ CRATEBASE_ROLE: 'worker' });
    const born = Date.now();
    let failure: Failure | null = null;
    worker.on('message', (message: ToPrimary) => {
      if (message.type === 'failed') failure = new Failure(message.message, message.exitStatus);
      else this.#hear(worker, message);
    });
    worker.on('error', (error) => this.#log('warn', 'worker', { error: error.message }));
    worker.once('exit', (status, signal) => this.#mourn(worker, born, failure, signal ?? status));
  }

  #hear(worker: Worker, message: Exclude<ToPrimary, { type: 'failed' }>): void {
    if (message.type === 'waiting') {
      tell(
        worker,
        this.ending ? { type: 'stop' } : { type: 'start', config: this.#config, file: this.#file },
      );
    } else if (message.type === 'ready') {
      this.#ready.add(worker.id);
      if (this.#ready.size < this.#config.workers || this.#started) return;
      this.#started = true;
      this.#begin?.resolve();
    } else if (message.type === 'totals') void this.#tellTotals(worker, message.ask);
    else {
      this.#counts.set(worker.id, message.counts);
      if (message.ask !== null) this.#reports.get(message.ask)?.(worker.id);
    }
  }

  /** Asks all who answer for their counts, and tells the sum to the one who wants it. */
  async #tellTotals(worker: Worker, wanted: number): Promise<void> {
    const ask = ++this.#asks;
    const missing = new Set(this.#ready);
    await new Promise<void>((resolve) => {
      this.#reports.set(ask, (id) => {
        missing.delete(id);
        if (missing.size === 0) resolve();
      });
      setTimeout(resolve, reportMs).unref();
      for (const id of missing) tell(cluster.workers?.[id], { type: 'report', ask });
    });
    this.#reports.delete(ask);
    const counts = sumCounts([this.#gone, ...this.#counts.values()]);
    tell(worker, { type: 'totals', ask: wanted, counts });
  }

  #mourn(worker: Worker, born: number, failure: Failure | null, why: string | number): void {
    const last = this.#counts.get(worker.id);
    // What it answered stays answered.
    if (last) this.#gone = sumCounts([this.#gone, { ...last, memory: 0, processes: 0 }]);
    this.#counts.delete(worker.id);
    this.#ready.delete(worker.id);
    if (this.ending) return;
    if (!this.#started) {
      this.#begin?.reject(failure ?? new Failure(`A worker ended during its start (${why}).`));
      return;
    }
    if (Date.now() - born > healthyMs) this.#delayMs = firstDelayMs;
    const fields = { pid: worker.process.pid, why, again_in_ms: this.#delayMs };
    this.#log('error', 'a worker ended', failure ? { ...fields, error: failure.message } : fields);
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#fork();
    }, this.#delayMs);
    this.#waiting.add(timer);
    this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
  }
}

/** Tells a worker; one that has gone hears nothing. */
function tell(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => {});
}
