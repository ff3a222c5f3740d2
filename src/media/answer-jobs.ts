/** The side of the thread of `thread-jobs.ts`. */
import { parentPort } from 'node:worker_threads';
import type { Job, JobReply } from './thread-jobs.ts';

/** Answers each job with the result of a function, or with its failure. */
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
