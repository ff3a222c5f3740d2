/**
 * Runs jobs in a thread of their own, one after the other. A job that takes too long ends the thread, and so does each
 * failure, because the thread may be in any state then. An idle thread ends too, which returns its memory.
 */
import { parentPort, type Worker } from 'node:worker_threads';

/** A message to the thread, and its reply. */
export type Job<Input> = { id: number; input: Input };
export type JobReply<Output> = { id: number; result: Output } | { id: number; problem: string };

/** A job that failed, with the reason. */
export class JobFailure extends Error {}

export type ThreadJobsOptions = {
  start: () => Worker;
  /** Maximum duration of a job, and time until an idle thread ends, in ms. */
  timeoutMs: number;
  idleMs: number;
  /** After this many jobs a thread is replaced. */
  maxJobs: number;
};

type PendingJob<Input, Output> = Job<Input> & {
  resolve: (result: Output) => void;
  reject: (failure: JobFailure) => void;
};

/** A queue of jobs for one thread, which is started with the first job. Inputs and outputs are structured-cloneable. */
export class ThreadJobs<Input, Output> {
  readonly #options: ThreadJobsOptions;
  readonly #waiting: PendingJob<Input, Output>[] = [];
  #current: PendingJob<Input, Output> | null = null;
  #thread: Worker | null = null;
  #done = 0;
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadJobsOptions) {
    this.#options = options;
  }

  /** The number of jobs that wait or run. */
  get size(): number {
    return this.#waiting.length + (this.#current === null ? 0 : 1);
  }

  /** Runs a job. Rejects with a `JobFailure`. */
  run(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id: ++this.#lastId, input, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread. Jobs that wait or run fail. */
  async close(): Promise<void> {
    const jobs = this.#waiting.splice(0);
    if (this.#current !== null) jobs.push(this.#current);
    this.#current = null;
    for (const { reject } of jobs) reject(new JobFailure('stopped'));
    await this.#end();
  }

  #next(): void {
    if (this.#current !== null) return;
    clearTimeout(this.#timer);
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#timer = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
      return;
    }
    this.#current = job;
    this.#timer = setTimeout(() => this.#fail('took too long'), this.#options.timeoutMs);
    this.#thread ??= this.#start();
    this.#thread.postMessage({ id: job.id, input: job.input } satisfies Job<Input>);
  }

  #start(): Worker {
    const thread = this.#options.start();
    const fail = (reason: string) => {
      if (this.#thread === thread) this.#fail(reason);
    };
    thread.on('message', (reply: JobReply<Output>) => {
      if (this.#thread === thread) this.#take(reply);
    });
    thread.on('error', (failure) => fail(failure.message));
    thread.on('exit', () => fail('the thread ended'));
    thread.unref();
    return thread;
  }

  #take(reply: JobReply<Output>): void {
    const job = this.#current;
    if (job?.id !== reply.id) return;
    if ('problem' in reply) {
      this.#fail(reply.problem);
      return;
    }
    this.#current = null;
    this.#done += 1;
    job.resolve(reply.result);
    if (this.#done >= this.#options.maxJobs) void this.#end();
    this.#next();
  }

  #fail(reason: string): void {
    const job = this.#current;
    this.#current = null;
    void this.#end();
    job?.reject(new JobFailure(reason));
    this.#next();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = null;
    this.#done = 0;
    await thread?.terminate();
  }
}

/** The side of the thread: answers each job with the result of a function, or with its failure. */
export function answerJobs<Input, Output>(run: (input: Input) => Output | Promise<Output>): void {
  parentPort?.on('message', async ({ id, input }: Job<Input>) => {
    let reply: JobReply<Output>;
    try {
      reply = { id, result: await run(input) };
    } catch (failure) {
      reply = { id, problem: failure instanceof Error ? failure.message.slice(0, 200) : 'failed' };
    }
    parentPort?.postMessage(reply);
  });
}
