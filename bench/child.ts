/** A child process of the benchmark with calls and answers. The load generator and the bare server each run in one. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Call = { id: number; name: string; value: unknown };
type Answer = { id: number; value?: unknown; failure?: string };
/** The calls that a child answers, by name. */
export type Handlers = Record<string, (value: never) => unknown>;
type Reply<H extends Handlers, N extends keyof H> = Awaited<ReturnType<H[N]>>;

/** The parent's side; `H` are the handlers of the child. */
export class Child<H extends Handlers> {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (why: Error) => void }>();
  #lastId = 0;

  /** Starts `file`, a module of this folder. */
  constructor(file: string) {
    this.#process = fork(fileURLToPath(new URL(file, import.meta.url)), {
      execArgv: ['--import', import.meta.resolve('tsx')],
      serialization: 'advanced',
    });
    this.#process.on('message', (answer: Answer) => this.#settle(answer));
    this.#process.once('exit', (status, signal) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`bench/${file} ended with ${signal ?? status}`));
      }
    });
  }

  /** The id of the process. */
  get pid(): number {
    return this.#process.pid ?? 0;
  }

  call<N extends keyof H & string>(name: N, value: Parameters<H[N]>[0]): Promise<Reply<H, N>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, name, value } satisfies Call);
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
  }

  #settle({ id, value, failure }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure === undefined) waiting?.resolve(value as never);
    else waiting?.reject(new Error(failure));
  }
}

/** The child's side: answers the calls of the parent, and exits with it. */
export function answerParent(handlers: Handlers): void {
  process.once('disconnect', () => process.exit(0));
  process.on('message', async ({ id, name, value }: Call) => {
    const answer: Answer = { id };
    try {
      answer.value = await handlers[name]?.(value as never);
    } catch (failure) {
      answer.failure = failure instanceof Error ? failure.message : String(failure);
    }
    process.send?.(answer);
  });
}

export type Busy = { idle: number; active: number };
/** The share of the time from `before` to `now` in which a thread was busy, from 0 to 1. */
export const busySince = (before: Busy, now: Busy): number => {
  const active = now.active - before.active;
  return active / Math.max(1e-9, active + now.idle - before.idle);
};
