/** The client of `SteadyLoad`, in a process of its own. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from './child.ts';
import { Connections, requestText } from './connections.ts';
import { serialMark } from './messages.ts';

export type SteadyOrder = { port: number; key: string; paths: readonly string[]; rate: number };
/** What became of the requests of some time, in ms; `failed` of those that were not answered with 200. */
export type Latencies = {
  ms: number[];
  /** How much later than due each request was sent: a client that was held up itself. */
  lateMs: number[];
  failed: number;
};

const none = (): Latencies => ({ ms: [], lateMs: [], failed: 0 });

/** Sends a request at a steady rate to one path after the other. */
class Sending {
  readonly #order: SteadyOrder;
  readonly #connections: Connections;
  readonly ended: Promise<void>;
  #latencies = none();
  #under = 0;
  #sent = 0;
  #over = false;

  constructor(order: SteadyOrder) {
    this.#order = order;
    this.#connections = new Connections(order.port);
    this.ended = this.#run();
  }

  take(): Latencies {
    const taken = this.#latencies;
    this.#latencies = none();
    return taken;
  }

  /** Resolves when the last request was answered. */
  async stop(): Promise<void> {
    this.#over = true;
    await this.ended;
  }

  async #run(): Promise<void> {
    const began = performance.now();
    for (let count = 0; !this.#over; count++) {
      const due = began + (count * 1_000) / this.#order.rate;
      const wait = due - performance.now();
      if (wait > 0.5) await sleep(wait);
      this.#send(due);
    }
    while (this.#under > 0) await sleep(10);
    this.#connections.close();
  }

  #send(due: number): void {
    const { paths, port, key } = this.#order;
    const path = paths[this.#sent % paths.length] as string;
    const serial = `${path.includes('?') ? '&' : '?'}${serialMark}${++this.#sent}`;
    const request = requestText(port, { path: path + serial, headers: { Authorization: `Bearer ${key}` } });
    const into = this.#latencies;
    const began = performance.now();
    into.lateMs.push(Math.max(0, began - due));
    this.#under++;
    this.#connections.send(request, (status) => {
      this.#under--;
      into.ms.push(performance.now() - began);
      if (status !== '200') into.failed++;
    });
  }
}

let sending: Sending | null = null;
const handlers = {
  start: (order: SteadyOrder): void => {
    sending = new Sending(order);
  },
  take: (): Latencies => sending?.take() ?? none(),
  stop: (): Promise<void> | undefined => sending?.stop(),
};
export type SteadyHandlers = typeof handlers;

answerParent(handlers);
