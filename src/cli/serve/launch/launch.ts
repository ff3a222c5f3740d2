/**
 * Starts processes without stopping the event loop. Starting one copies the page tables of this process and waits until
 * the other program is loaded: 10 to 40 ms for a service of 200 MB. A thread waits instead, and passes input and output on.
 */
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../assets.ts';

/** The messages between a service and its thread that starts processes (`launch-thread.ts`). */
export type LaunchRequest =
  | { type: 'start'; id: number; command: string; args: string[]; env: NodeJS.ProcessEnv; priority?: number }
  | { type: 'input'; id: number; text: string }
  | { type: 'end'; id: number }
  | { type: 'kill'; id: number; signal: NodeJS.Signals };

export type LaunchReport =
  | { type: 'started'; id: number; pid: number }
  | { type: 'output'; id: number; stream: 'stdout' | 'stderr'; bytes: Uint8Array }
  | { type: 'failed'; id: number; message: string }
  | { type: 'closed'; id: number; status: number | null; signal: NodeJS.Signals | null };

export type LaunchOptions = {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Scheduling priority (`os.constants.priority`); by default that of this process. */
  priority?: number;
};

/** Starts a process. It emits `close` with status and signal, after `error` if it could not be started. */
export function launch({ command, args, env, priority }: LaunchOptions): LaunchedProcess {
  launcher ??= new Launcher();
  return launcher.start({
    command,
    args: [...args],
    env: { ...env },
    ...(priority !== undefined && { priority }),
  });
}

/** A process that the thread started, with the members of a `ChildProcess` that the service uses. */
export class LaunchedProcess extends EventEmitter<{
  error: [Error];
  close: [status: number | null, signal: NodeJS.Signals | null];
}> {
  readonly stdin: Writable;
  readonly stdout = new Readable({ read() {} });
  readonly stderr = new Readable({ read() {} });
  /** Undefined until the process runs. */
  pid: number | undefined;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly #send: (message: LaunchRequest) => void;
  readonly #id: number;
  #isClosed = false;

  constructor(id: number, send: (message: LaunchRequest) => void) {
    super();
    this.#id = id;
    this.#send = send;
    this.stdin = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        send({ type: 'input', id, text: String(text) });
        done();
      },
      final: (done) => {
        send({ type: 'end', id });
        done();
      },
    });
  }

  /** Sends a signal to the process, once it runs. */
  kill(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.#send({ type: 'kill', id: this.#id, signal });
  }

  /** Takes what the thread reports. */
  take(report: LaunchReport): void {
    if (report.type === 'started') this.pid = report.pid;
    else if (report.type === 'output') this[report.stream].push(report.bytes);
    else if (report.type === 'failed') this.#fail(new Error(report.message));
    else this.close(report.status, report.signal);
  }

  #fail(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error);
  }

  /** Ends the output; `close` follows when it was read. */
  close(status: number | null, signal: NodeJS.Signals | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    [this.exitCode, this.signalCode] = [status, signal];
    let open = 2;
    for (const stream of [this.stdout, this.stderr]) {
      const onClose = (): void => {
        open -= 1;
        if (open === 0) this.emit('close', status, signal);
      };
      if (stream.destroyed) onClose();
      else stream.once('close', onClose).push(null);
      // A reader that stopped, or none, does not keep `close` from coming.
      if (stream.readableFlowing === null) stream.resume();
    }
  }

  /** Reports that the thread died, and with it the connection to the process. */
  lose(error: Error): void {
    if (this.#isClosed) return;
    this.#fail(error);
    this.close(null, 'SIGKILL');
  }
}

class Launcher {
  readonly #thread: Worker;
  readonly #running = new Map<number, LaunchedProcess>();
  #lastId = 0;

  constructor() {
    this.#thread = startThread('cli/serve/launch/launch-thread', null);
    this.#thread.unref();
    this.#thread.on('message', (report: LaunchReport) => this.#take(report));
    this.#thread.once('error', (error) => this.#die(error));
    this.#thread.once('exit', () => this.#die(new Error('The thread that starts processes ended.')));
  }

  start(request: Omit<LaunchRequest & { type: 'start' }, 'id' | 'type'>): LaunchedProcess {
    this.#lastId += 1;
    const id = this.#lastId;
    const launched = new LaunchedProcess(id, (message) => this.#thread.postMessage(message));
    // The process keeps this one running until it ends.
    if (this.#running.size === 0) this.#thread.ref();
    this.#running.set(id, launched);
    this.#thread.postMessage({ type: 'start', id, ...request } satisfies LaunchRequest);
    return launched;
  }

  #take(report: LaunchReport): void {
    const launched = this.#running.get(report.id);
    if (report.type === 'closed') {
      this.#running.delete(report.id);
      if (this.#running.size === 0) this.#thread.unref();
    }
    launched?.take(report);
  }

  /** Reports all processes as lost. The next one gets a new thread. */
  #die(error: unknown): void {
    if (launcher === this) launcher = undefined;
    const failure = error instanceof Error ? error : new Error(String(error));
    for (const launched of this.#running.values()) launched.lose(failure);
    this.#running.clear();
  }
}

let launcher: Launcher | undefined;
