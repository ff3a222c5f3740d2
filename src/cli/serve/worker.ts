/** A worker of `serve --workers N`. The primary process controls it by messages. */
import { type App, clockFor, type FileState, openApp } from '../../app.ts';
import { type ProcessMetrics, processMetrics, startServer } from '../../doors.ts';
import { Failure } from '../../failure.ts';
import { stderrLog } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import { createActionProcesses } from './action-process.ts';
import type { ToPrimary, ToWorker } from './messages.ts';
import { ignorePipeErrors, logUncaughtErrors, waitForStopSignal } from './process.ts';

const reportIntervalMs = 1_000;
/** Time to wait for the counts of all processes. */
const totalsTimeoutMs = 2_000;

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
  const app: App = openApp({ data: config.data, create: false, clock: clockFor(config) });
  primary.onFileState((state) => {
    app.file.state = state;
  });
  try {
    await app.disableAutoCheckpoint();
    const actions = createActionProcesses({ config, log: stderrLog });
    const running = await startServer(app, {
      config,
      log: stderrLog,
      totals: () => primary.totals(),
      runAction: actions.run,
    });
    if (config.metricsToken !== null) primary.startReporting();
    await primary.send({ type: 'ready' });
    await primary.stopped;
    await Promise.all([running.close(), actions.stop()]);
  } finally {
    app.close();
  }
}

/** The connection to the primary process. */
class PrimaryConnection {
  /** The configuration; null if the worker is stopped before it gets one. */
  readonly config: Promise<Settings | null>;
  readonly stopped: Promise<void>;
  #file: FileState | null = null;
  #fileStateListener: (state: FileState) => void = () => {};
  readonly #pendingTotals = new Map<number, (counts: ProcessMetrics) => void>();
  #lastRequestId = 0;

  constructor() {
    let configure: (config: Settings | null) => void = () => {};
    let stop: () => void = () => {};
    this.config = new Promise((resolve) => {
      configure = resolve;
    });
    const stopMessage = new Promise<void>((resolve) => {
      stop = resolve;
    });
    this.stopped = Promise.race([stopMessage, waitForStopSignal().then(() => {})]);
    process.on('message', (message: ToWorker) => {
      if (message.type === 'start' || message.type === 'file') this.#setFileState(message.file);
      if (message.type === 'start') configure(message.config);
      else if (message.type === 'file') return;
      else if (message.type === 'totals') this.#pendingTotals.get(message.requestId)?.(message.counts);
      else if (message.type === 'report') void this.#sendCounts(message.requestId);
      else {
        configure(null);
        stop();
      }
    });
    void this.send({ type: 'waiting' });
  }

  /** Calls `listener` with the state of the data file, now and after every change. */
  onFileState(listener: (state: FileState) => void): void {
    this.#fileStateListener = listener;
    if (this.#file !== null) listener(this.#file);
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
