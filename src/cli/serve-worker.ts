/** One of the processes of `serve --workers N`: it is told what to do by the one that made it. */
import { type App, clockOf, type FileState, openApp } from '../app.ts';
import { type Counts, ownCounts, startServer } from '../doors.ts';
import { Failure } from '../failure.ts';
import { stderrLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { ToPrimary, ToWorker } from './serve-messages.ts';
import { logUnexpected, stopSignal, surviveClosedPipes } from './serve-process.ts';

const reportMs = 1_000;
/** How long the counts of the others are waited for. */
const patienceMs = 2_000;

/** Answers until it is told to stop, then ends the process. */
export async function runWorker(): Promise<void> {
  surviveClosedPipes();
  logUnexpected();
  const primary = new Primary();
  try {
    const config = await primary.config;
    if (config !== null) await serveAs(primary, config);
    process.exit(0);
  } catch (failure) {
    const { message } = failure instanceof Error ? failure : new Error(String(failure));
    const exitStatus = failure instanceof Failure ? failure.exitStatus : 1;
    await primary.send({ type: 'failed', message, exitStatus });
    process.exit(exitStatus);
  }
}

async function serveAs(primary: Primary, config: Settings): Promise<void> {
  const app: App = openApp({ data: config.data, create: false, clock: clockOf(config) });
  primary.hearFile((state) => {
    app.fileState = state;
  });
  try {
    await app.leaveCheckpoints();
    const running = await startServer(app, { config, log: stderrLog, totals: () => primary.totals() });
    if (config.metricsToken !== null) primary.report();
    await primary.send({ type: 'ready' });
    await primary.stopped;
    await running.stop();
  } finally {
    app.close();
  }
}

/** The process that made this one. */
class Primary {
  /** What to serve; null where it is told to stop before that. */
  readonly config: Promise<Settings | null>;
  readonly stopped: Promise<void>;
  #file: FileState | null = null;
  #onFile: (state: FileState) => void = () => {};
  readonly #asked = new Map<number, (counts: Counts) => void>();
  #asks = 0;

  constructor() {
    let configure: (config: Settings | null) => void = () => {};
    let stop: () => void = () => {};
    this.config = new Promise((resolve) => {
      configure = resolve;
    });
    const told = new Promise<void>((resolve) => {
      stop = resolve;
    });
    this.stopped = Promise.race([told, stopSignal().then(() => {})]);
    process.on('message', (message: ToWorker) => {
      if (message.type === 'start' || message.type === 'file') this.#heardFile(message.file);
      if (message.type === 'start') configure(message.config);
      else if (message.type === 'file') return;
      else if (message.type === 'totals') this.#asked.get(message.ask)?.(message.counts);
      else if (message.type === 'report') void this.#tellCounts(message.ask);
      else {
        configure(null);
        stop();
      }
    });
    void this.send({ type: 'waiting' });
  }

  /** Tells `listener` how the data file stands, now and whenever that changes. */
  hearFile(listener: (state: FileState) => void): void {
    this.#onFile = listener;
    if (this.#file !== null) listener(this.#file);
  }

  #heardFile(state: FileState): void {
    this.#file = state;
    this.#onFile(state);
  }

  send(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => {
      if (!process.send || !process.connected) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  }

  /** Tells now and then how much was answered, so that little is forgotten when this process dies. */
  report(): void {
    void this.#tellCounts(null);
    setInterval(() => void this.#tellCounts(null), reportMs).unref();
  }

  /** The counts of all processes; of this one alone, where the other does not answer. */
  async totals(): Promise<Counts> {
    const ask = ++this.#asks;
    const answer = new Promise<Counts>((resolve) => {
      this.#asked.set(ask, resolve);
      setTimeout(() => resolve(ownCounts()), patienceMs).unref();
    });
    await this.send({ type: 'totals', ask });
    const counts = await answer;
    this.#asked.delete(ask);
    return counts;
  }

  #tellCounts(ask: number | null): Promise<void> {
    return this.send({ type: 'counts', counts: ownCounts(), ask });
  }
}
