/** A process of the bench that is asked things: the load and the bare server each have their own, off this one's thread. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Question = { ask: number; name: string; value: unknown };
type Answer = { ask: number; value?: unknown; failure?: string };
/** What a child can be asked, by name. */
export type Handlers = Record<string, (value: never) => unknown>;
type Reply<H extends Handlers, N extends keyof H> = Awaited<ReturnType<H[N]>>;

/** The asking side; `H` are the handlers of the child. */
export class Child<H extends Handlers> {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (why: Error) => void }>();
  #asked = 0;

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

  ask<N extends keyof H & string>(name: N, value: Parameters<H[N]>[0]): Promise<Reply<H, N>> {
    return new Promise((resolve, reject) => {
      const ask = ++this.#asked;
      this.#waiting.set(ask, { resolve, reject });
      this.#process.send({ ask, name, value } satisfies Question);
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
  }

  #settle({ ask, value, failure }: Answer): void {
    const waiting = this.#waiting.get(ask);
    this.#waiting.delete(ask);
    if (failure === undefined) waiting?.resolve(value as never);
    else waiting?.reject(new Error(failure));
  }
}

/** The asked side. Ends with the process that asks. */
export function answerParent(handlers: Handlers): void {
  process.once('disconnect', () => process.exit(0));
  process.on('message', async ({ ask, name, value }: Question) => {
    const answer: Answer = { ask };
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
