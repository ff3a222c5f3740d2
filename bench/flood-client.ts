/** The flood, in a process of its own: connections that each send the next request as soon as the last is answered. */
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { answerParent } from './child.ts';
import { Random } from './random.ts';

export type Flood = {
  port: number;
  kind: 'words' | 'paths' | 'maps' | 'batches';
  connections: number;
  seconds: number;
  /** Of the callers who send batches. */
  keys: readonly string[];
};

/** How many answers there were, by status. */
export type Answers = Record<string, number>;
type Sent = { path: string; headers?: Record<string, string>; body?: string };

// Visitors have machines of their own: these leave the processor to the server and to the caller who is measured.
setPriority(constants.priority.PRIORITY_LOW);
const random = new Random(11);
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const word = (): string => Array.from({ length: random.whole(5, 9) }, () => random.pick(letters)).join('');
const words = (count: number): string[] => Array.from({ length: count }, word);

const batch = (size: number): string =>
  JSON.stringify(
    Array.from({ length: size }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'search_events', arguments: { query: words(6).join(' ') } },
    })),
  );
/** A whole window of a free key; where a batch has to be smaller, as much as it may be. */
const batchSizes = { whole: 60, allowed: 10 };

/** The paths of all parts of the sitemap. */
async function readParts(port: number): Promise<string[]> {
  const index = await (await fetch(`http://127.0.0.1:${port}/sitemap.xml`)).text();
  return [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url as string).pathname);
}

class Flooding {
  readonly #flood: Flood;
  readonly #agent: Agent;
  readonly #answers: Answers = {};
  #parts: string[] = [];
  #sent = 0;
  #batch = batchSizes.whole;

  constructor(flood: Flood) {
    this.#flood = flood;
    this.#agent = new Agent({ keepAlive: true, maxSockets: flood.connections });
  }

  async run(): Promise<Answers> {
    const { connections, seconds, kind } = this.#flood;
    if (kind === 'maps') this.#parts = await readParts(this.#flood.port);
    const until = performance.now() + seconds * 1_000;
    await Promise.all(Array.from({ length: connections }, () => this.#ask(until)));
    this.#agent.destroy();
    return this.#answers;
  }

  async #ask(until: number): Promise<void> {
    while (performance.now() < until) {
      const status = await this.#send(this.#next());
      if (this.#flood.kind === 'batches' && status === '400') this.#batch = batchSizes.allowed;
      this.#answers[status] = (this.#answers[status] ?? 0) + 1;
    }
  }

  #next(): Sent {
    this.#sent += 1;
    switch (this.#flood.kind) {
      case 'words':
        return { path: `/search?q=${words(6).join('+')}` };
      case 'paths':
        return { path: `/${words(2).join('-')}` };
      case 'maps':
        // Every second name is made up.
        return {
          path:
            this.#sent % 2 === 0 ? random.pick(this.#parts) : `/sitemaps/event-${random.whole(0, 100)}.xml`,
        };
      default: {
        const { keys } = this.#flood;
        const headers = {
          authorization: `Bearer ${keys[this.#sent % keys.length]}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        return { path: '/mcp', headers, body: batch(this.#batch) };
      }
    }
  }

  #send({ path, headers = { accept: 'text/html' }, body }: Sent): Promise<string> {
    const { port } = this.#flood;
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve) => {
      const sent = request(
        { host: '127.0.0.1', port, path, method, agent: this.#agent, headers },
        (answer) => {
          answer.resume();
          answer.once('close', () => resolve(String(answer.statusCode)));
        },
      );
      sent.once('error', () => resolve('none'));
      sent.end(body);
    });
  }
}

const handlers = { flood: (flood: Flood): Promise<Answers> => new Flooding(flood).run() };
export type FloodHandlers = typeof handlers;

answerParent(handlers);
