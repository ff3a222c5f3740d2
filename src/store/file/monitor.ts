/**
 * Monitors the data file of a running service: starts the watching thread and the checks for damage, and keeps the last
 * state they reported.
 */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import { Problem } from '../../contract/errors.ts';
import type { Log } from '../../log.ts';
import { DamageCheck, type DamageCheckPace, type DamageState, uncheckedFile } from './damage-check.ts';
import {
  type FileFault,
  isHeldLong,
  startWatching,
  type FileState as WatchedState,
  type WatchHandle,
  type WatchOptions,
} from './watcher.ts';

/** What the watching thread reports, and the last check for damage. */
export type FileState = WatchedState & DamageState;

/** The state before the first report. */
export const healthyFile: FileState = { fault: null, logBytes: 0, heldMs: 0, ...uncheckedFile };
/** How long the thread may take to finish a check. */
const stopTimeoutMs = 2_000;

const messages: Record<FileFault, { message: string; advice: string }> = {
  missing: {
    message: 'The data file is gone.',
    advice: 'put it back, or restart the service with another; until then requests are answered with 503',
  },
  replaced: {
    message: 'The data file was replaced by another.',
    advice:
      'restart the service to use the other, or put the first back; until then requests are answered with 503',
  },
  separated: {
    message: 'The write-ahead log of the data file (-wal or -shm) was deleted or replaced.',
    advice:
      'restart the service, and leave the files beside the data file alone while it runs; until then requests are answered with 503, and nothing is written',
  },
  cut_log: {
    message: 'The write-ahead log of the data file (-wal) was emptied or cut off.',
    advice:
      'restart the service: it goes on with what the data file has, which usually lacks less than a minute; leave the files beside the data file alone while it runs; until then requests are answered with 503, and nothing is written',
  },
  overwritten: {
    message: 'The data file was overwritten or cut off.',
    advice:
      'stop the service, put a whole file there if this is none (cratebase restore FILE), and start it again; until then requests are answered with 503, and nothing is written',
  },
};

/** The error response while the data file has a fault. */
export const problemForFault = (fault: FileFault): Problem =>
  new Problem('unavailable', `${messages[fault].message} The operator has to restart the service.`);

/** The error response for a state; null if requests can be answered. */
export const problemForState = ({ fault }: WatchedState): Problem | null =>
  fault === null ? null : problemForFault(fault);

export type MonitorOptions = {
  onChange: (state: FileState) => void;
  isLogCut: () => boolean;
  /** When the file is checked for damage. */
  pace: Partial<DamageCheckPace>;
};

/** Watches a file from construction until `stop`. One monitor is enough for all processes of a service. */
export class FileMonitor {
  state: FileState = healthyFile;
  readonly #options: WatchOptions;
  readonly #log: Log;
  readonly #onChange: (state: FileState) => void;
  readonly #isLogCut: () => boolean;
  #thread: Worker | null = null;
  /** The watcher in this thread, if a separate one cannot start. */
  #fallback: WatchHandle | null = null;
  #isHeldReported = false;
  #isStopping = false;
  readonly #damageCheck: DamageCheck;

  /**
   * @param log receives the state changes that matter to the operator
   * @param onChange is called with every state change
   * @param isLogCut whether the log was emptied or cut off, as a connection from before that sees it
   */
  constructor(options: WatchOptions, log: Log, { onChange, isLogCut, pace }: MonitorOptions) {
    this.#options = options;
    this.#log = log;
    this.#onChange = onChange;
    this.#isLogCut = isLogCut;
    this.#damageCheck = new DamageCheck(options.path, log, {
      isUsable: () => this.state.fault === null,
      onChange: () => {
        this.state = { ...this.state, ...this.#damageCheck.state };
        this.#onChange(this.state);
      },
      pace,
    });
    this.#start();
  }

  /** Stops the thread after its current check. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#damageCheck.stop();
    this.#fallback?.stop();
    const thread = this.#thread;
    if (thread === null) return;
    const exit = once(thread, 'exit');
    thread.postMessage('stop');
    const timer = setTimeout(() => void thread.terminate(), stopTimeoutMs);
    await exit;
    clearTimeout(timer);
  }

  /** Logs a fault of the data file, with what to do about it. */
  logFault(fault: FileFault): void {
    const { message, advice } = messages[fault];
    this.#log('error', message, { data: this.#options.path, advice });
  }

  #start(): void {
    try {
      const thread = startThread('store/file/watch-thread', this.#options);
      this.#thread = thread;
      thread.unref();
      thread.on('message', (state: WatchedState) => this.#update(state));
      thread.once('error', (failure) => this.#watchInProcess(failure));
    } catch (failure) {
      this.#watchInProcess(failure);
    }
  }

  #watchInProcess(failure: unknown): void {
    this.#thread = null;
    if (this.#isStopping) return;
    const error = failure instanceof Error ? failure.message : String(failure);
    this.#log('warn', 'the data file is looked after without a thread', { error });
    this.#fallback = startWatching(this.#options, (state) => this.#update(state));
  }

  #update(watched: WatchedState): void {
    const before = this.state.fault;
    // A watcher that opens the file after its log was cut off finds pages of the log missing, and cannot tell why.
    const isLogCut = watched.fault === 'overwritten' && this.#isLogCut();
    const state: WatchedState = isLogCut ? { ...watched, fault: 'cut_log' } : watched;
    this.state = { ...state, ...this.#damageCheck.state };
    if (state.fault !== before) {
      if (state.fault === null) this.#log('info', 'the data file is there again');
      else this.logFault(state.fault);
    }
    if (isHeldLong(state) !== this.#isHeldReported) {
      this.#isHeldReported = !this.#isHeldReported;
      const bytes = state.logBytes;
      if (this.#isHeldReported) {
        this.#log('warn', 'a reader keeps the write-ahead log from shrinking', {
          bytes,
          advice:
            'an export, a backup or another program has the file open for long; it shrinks when that ends',
        });
      } else this.#log('info', 'the write-ahead log shrinks again', { bytes });
    }
    this.#onChange(this.state);
  }
}
