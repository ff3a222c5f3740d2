/** One of the processes of `serve --workers N`: it is told what to do by the one that made it. */
import { type App, type Counts, clockOf, openApp, ownCounts, startServer, sumCounts } from '../app.ts';
import type { Settings } from '../config.ts';
import { Failure } from '../failure.ts';
import { stderrLog } from '../log.ts';
import type { ToPrimary, ToWorker } from './serve-messages.ts';
import { logUnexpected, stopSignal, surviveClosedPipes } from './serve-process.ts';

const reportMs = 1_000;
/** A supervisor that does not answer leaves this process's own counts. */
const answerMs = 1_000;

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
  try {
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
  readonly #asked = new Map<number, (others: Counts) => void>();
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
    this.stopped = Promise.race([told, stopSignal()]);
    process.on('message', (message: ToWorker) => {
      if (message.type === 'start') configure(message.config);
      else if (message.type === 'totals') this.#asked.get(message.ask)?.(message.counts);
      else {
        configure(null);
        stop();
      }
    });
    void this.send({ type: 'waiting' });
  }

  send(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => {
      if (!process.send || !process.connected) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  }

  /** Tells now and then how much was answered, so that nothing is lost when this process dies. */
  report(): void {
    const send = () => this.send({ type: 'counts', counts: ownCounts(), ask: null });
    void send();
    setInterval(() => void send(), reportMs).unref();
  }

  /** The counts of all processes. */
  async totals(): Promise<Counts> {
    const own = ownCounts();
    const ask = ++this.#asks;
    const others = new Promise<Counts | null>((resolve) => {
      this.#asked.set(ask, resolve);
      setTimeout(() => resolve(null), answerMs).unref();
    });
    await this.send({ type: 'counts', counts: own, ask });
    const counts = await others;
    this.#asked.delete(ask);
    return counts === null ? own : sumCounts([own, counts]);
  }
}
