/** Sends requests at a constant rate, without waiting for answers: the latency that a client sees while other work runs. */
import { Agent, get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialMark } from './messages.ts';

/** What became of the requests of some time, in ms; `failed` of those that were not answered with 200. */
export type Latencies = { ms: number[]; failed: number };
export type Summary = { requests: number; failed: number; p50Ms: number; p99Ms: number; worstMs: number };

/** Sends a request at a steady rate to one address after the other. */
export class SteadyLoad {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #key: string;
  readonly #url: string;
  readonly #paths: readonly string[];
  #current: Latencies = { ms: [], failed: 0 };
  #under = 0;
  #sent = 0;
  #over = false;

  constructor(url: string, key: string, paths: readonly string[]) {
    this.#url = url;
    this.#key = key;
    this.#paths = paths;
  }

  /** Begins to send; ends with `close`. */
  async run(rate: number): Promise<void> {
    const began = performance.now();
    for (let count = 0; !this.#over; count++) {
      const due = began + (count * 1_000) / rate;
      const wait = due - performance.now();
      if (wait > 0.5) await sleep(wait);
      this.#send();
    }
    while (this.#under > 0) await sleep(10);
    this.#agent.destroy();
  }

  stop(): void {
    this.#over = true;
  }

  /** What was measured since the last call. */
  take(): Latencies {
    const taken = this.#current;
    this.#current = { ms: [], failed: 0 };
    return taken;
  }

  #send(): void {
    const path = this.#paths[this.#sent % this.#paths.length] as string;
    const serial = `${path.includes('?') ? '&' : '?'}${serialMark}${++this.#sent}`;
    const into = this.#current;
    const began = performance.now();
    this.#under++;
    const done = (isGood: boolean) => {
      this.#under--;
      into.ms.push(performance.now() - began);
      if (!isGood) into.failed++;
    };
    const headers = { authorization: `Bearer ${this.#key}` };
    get(`${this.#url}${path}${serial}`, { agent: this.#agent, headers }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode === 200));
    }).once('error', () => done(false));
  }
}

/** Of all the times together. */
export function summarize(...some: readonly Latencies[]): Summary {
  const sorted = some.flatMap(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  return {
    requests: sorted.length,
    failed: some.reduce((sum, { failed }) => sum + failed, 0),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(1),
  };
}

export const round = (value: number): number => Math.round(value * 100) / 100;
