/** A running service's hold on its data file: the thread that looks after it, and what that thread last said. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import { Problem } from '../../contract/errors.ts';
import type { Log } from '../../log.ts';
import {
  type FileFault,
  type FileState,
  isHeldLong,
  startWatching,
  type WatchHandle,
  type WatchOptions,
} from './watcher.ts';

export type { FileState } from './watcher.ts';

/** The state of a file of which nothing is known yet. */
export const healthyFile: FileState = { fault: null, logBytes: 0, heldMs: 0 };
/** How long the thread is given to finish a pass. */
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
  overwritten: {
    message: 'The data file was overwritten or cut off.',
    advice:
      'stop the service, put a whole file there if this is none (cratebase restore FILE), and start it again; until then requests are answered with 503, and nothing is written',
  },
};

/** What a request is told of a state; null: it can be answered. */
export function problemForState({ fault: trouble }: FileState): Problem | null {
  return trouble === null
    ? null
    : new Problem('unavailable', `${messages[trouble].message} The operator has to restart the service.`);
}

/** Looks after a file from its construction until `close`. One of them is enough for all processes of a service. */
export class FileMonitor {
  state: FileState = healthyFile;
  readonly #options: WatchOptions;
  readonly #log: Log;
  readonly #tell: (state: FileState) => void;
  #thread: Worker | null = null;
  /** Where there can be no thread, this one looks. */
  #here: WatchHandle | null = null;
  #isHeldTold = false;
  #ending = false;

  /** @param tell hears of every change; `log` is told of those that matter to the operator */
  constructor(options: WatchOptions, log: Log, tell: (state: FileState) => void = () => {}) {
    this.#options = options;
    this.#log = log;
    this.#tell = tell;
    this.#begin();
  }

  /** Ends the thread, after the pass that it is in. */
  async stop(): Promise<void> {
    this.#ending = true;
    this.#here?.stop();
    const thread = this.#thread;
    if (thread === null) return;
    const ended = once(thread, 'exit');
    thread.postMessage('stop');
    const late = setTimeout(() => void thread.terminate(), stopTimeoutMs);
    await ended;
    clearTimeout(late);
  }

  #begin(): void {
    try {
      const thread = startThread('store/file/watch-thread', this.#options);
      this.#thread = thread;
      thread.unref();
      thread.on('message', (state: FileState) => this.#hear(state));
      thread.once('error', (failure) => this.#lookHere(failure));
    } catch (failure) {
      this.#lookHere(failure);
    }
  }

  #lookHere(failure: unknown): void {
    this.#thread = null;
    if (this.#ending) return;
    const error = failure instanceof Error ? failure.message : String(failure);
    this.#log('warn', 'the data file is looked after without a thread', { error });
    this.#here = startWatching(this.#options, (state) => this.#hear(state));
  }

  #hear(state: FileState): void {
    const before = this.state.fault;
    this.state = state;
    if (state.fault !== before) {
      if (state.fault === null) this.#log('info', 'the data file is there again');
      else {
        const { message, advice } = messages[state.fault];
        this.#log('error', message, { data: this.#options.path, advice });
      }
    }
    if (isHeldLong(state) !== this.#isHeldTold) {
      this.#isHeldTold = !this.#isHeldTold;
      const bytes = state.logBytes;
      if (this.#isHeldTold) {
        this.#log('warn', 'a reader keeps the write-ahead log from shrinking', {
          bytes,
          advice:
            'an export, a backup or another program has the file open for long; it shrinks when that ends',
        });
      } else this.#log('info', 'the write-ahead log shrinks again', { bytes });
    }
    this.#tell(state);
  }
}
