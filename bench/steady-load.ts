/** Sends requests at a constant rate, without waiting for answers: the latency that a client sees while other work runs. */
import { Child } from './child.ts';
import type { Latencies, SteadyHandlers } from './steady-client.ts';

export type Summary = {
  requests: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
  /** The p99 of how late the client itself sent its requests: where this is large, it is not the server that is measured. */
  clientLateMs: number;
};

/** Sends a request at a steady rate to one path after the other, from a process of its own. */
export class SteadyLoad {
  readonly #client = new Child<SteadyHandlers>('steady-client.ts');

  /** Begins to send `rate` requests a second. */
  async start(port: number, key: string, paths: readonly string[], rate: number): Promise<void> {
    await this.#client.call('start', { port, key, paths, rate });
  }

  /** What was measured since the last call. */
  take(): Promise<Latencies> {
    return this.#client.call('take', undefined);
  }

  /** Ends when the last request was answered. */
  async stop(): Promise<void> {
    await this.#client.call('stop', undefined);
    await this.#client.stop();
  }
}

/** Of all the times together. */
export function summarize(...some: readonly Latencies[]): Summary {
  const sorted = inOrder(some.flatMap(({ ms }) => ms));
  return {
    requests: sorted.length,
    failed: some.reduce((sum, { failed }) => sum + failed, 0),
    p50Ms: at(sorted, 0.5),
    p99Ms: at(sorted, 0.99),
    worstMs: at(sorted, 1),
    clientLateMs: at(inOrder(some.flatMap(({ lateMs }) => lateMs)), 0.99),
  };
}

const inOrder = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b);
const at = (sorted: readonly number[], share: number): number =>
  round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);

export const round = (value: number): number => Math.round(value * 100) / 100;
