/** Runs the changes that a node makes to the catalogue: console actions, identity of the service, due sources. */
import type { ClusterNode } from '../../../app.ts';
import { ActionDelayed } from '../../../contract/action-runner.ts';
import { Failure } from '../../../failure.ts';
import { describeFailure, type Log } from '../../../log.ts';

type Work = (path: string, signal: AbortSignal) => Promise<unknown>;
type Job = {
  work: Work;
  waitMs: number;
  resolve: (result: unknown) => void;
  reject: (failure: unknown) => void;
};

/** How long a person waits for another node, and for the whole change. The change goes on after the latter (ms). */
const leaseWaitMs = 20_000;
const patienceMs = 25_000;

/** Runs changes one after the other. Those that wait at the same time are published together. */
export class NodeChanges {
  readonly #node: ClusterNode;
  readonly #log: Log;
  #jobs: Job[] = [];
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(node: ClusterNode, log: Log) {
    this.#node = node;
    this.#log = log;
  }

  /** Whether a change runs or waits. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /**
   * Runs work on the data file at a path, and resolves when all live nodes serve what it changed.
   * @param work closes the file before it ends
   */
  run<T>(work: (path: string, signal: AbortSignal) => Promise<T>, waitMs = 0): Promise<T> {
    if (this.#isStopped)
      return Promise.reject(
        new Failure('The service is stopping. Try again shortly.', 1, { code: 'stopping' }),
      );
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, waitMs, resolve: resolve as Job['resolve'], reject });
      this.#running ??= this.#runAll();
    });
  }

  /** The same for a person: after some seconds, the page says that the change goes on. */
  runForPerson<T>(work: (path: string) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new ActionDelayed(null, 'change')), patienceMs);
      this.run(work, leaseWaitMs)
        .then(resolve, reject)
        .finally(() => clearTimeout(late));
    });
  }

  /** Refuses what waits, and resolves when the change under way is published. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { reject } of this.#jobs.splice(0))
      reject(
        new Failure('The service stopped before it carried this out. Nothing was changed.', 1, {
          code: 'stopped_before',
        }),
      );
    await this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#jobs.length > 0) await this.#runTogether(this.#jobs.splice(0));
    this.#running = null;
  }

  async #runTogether(jobs: readonly Job[]): Promise<void> {
    const callbacks: (() => void)[] = [];
    const change = async (path: string, signal: AbortSignal): Promise<void> => {
      for (const { work, resolve, reject } of jobs) {
        try {
          const result = await work(path, signal);
          callbacks.push(() => resolve(result));
        } catch (failure) {
          callbacks.push(() => reject(failure));
        }
      }
    };
    const began = performance.now();
    try {
      const { published } = await this.#node.change(change, {
        waitMs: Math.max(...jobs.map(({ waitMs }) => waitMs)),
        onStep: (step) => {
          if (step === 'head') this.#log('info', 'this node has the lease to change the catalogue');
        },
        onProblem: (failure) =>
          this.#log('warn', 'old publications could not be deleted', describeFailure(failure)),
      });
      const ms = Math.round(performance.now() - began);
      if (published !== null) this.#log('info', 'published', { ...published, ms });
      for (const settle of callbacks) settle();
    } catch (failure) {
      for (const { reject } of jobs) reject(failure);
    }
  }
}
