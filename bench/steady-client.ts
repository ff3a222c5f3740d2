/**
 * The client of `SteadyLoad`, in a process of its own. It uses bare sockets that read into one buffer: the collections of an
 * HTTP client's garbage take 10 to 40 ms, which would count as waiting for the server.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from './child.ts';
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
/** All sockets read into this one: what was read is handled before the next read. */
const buffer = Buffer.allocUnsafe(65_536);
const endOfHead = Buffer.from('\r\n\r\n');

/** One connection, which carries one request at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #whenIdle: (connection: Connection) => void;
  #into: Latencies | null = null;
  #began = 0;
  /** The beginning of a response whose head is not all here yet. */
  #head = Buffer.alloc(0);
  /** How much of the body is to come; null before its head was read. */
  #left: number | null = null;
  #isGood = false;

  constructor(port: number, whenIdle: (connection: Connection) => void) {
    this.#whenIdle = whenIdle;
    const callback = (length: number) => {
      this.#read(buffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#fail());
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Sends a request, whose latency goes `into`. */
  send(request: string, into: Latencies): void {
    this.#into = into;
    this.#began = performance.now();
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#left !== null) {
      this.#left -= chunk.length;
    } else {
      const data = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = data.indexOf(endOfHead);
      if (end === -1) {
        this.#head = Buffer.from(data);
        return;
      }
      this.#head = Buffer.alloc(0);
      const head = data.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) {
        this.close();
        return;
      }
      this.#isGood = head.slice(9, 12) === '200';
      this.#left = Number(length) - (data.length - end - endOfHead.length);
    }
    if (this.#left < 0) this.close();
    else if (this.#left === 0) this.#finish(this.#isGood);
  }

  #fail(): void {
    if (this.#into !== null) this.#finish(false);
  }

  #finish(isGood: boolean): void {
    const into = this.#into as Latencies;
    into.ms.push(performance.now() - this.#began);
    if (!isGood) into.failed++;
    this.#into = null;
    this.#left = null;
    this.#whenIdle(this);
  }
}

/** Sends a request at a steady rate to one path after the other, each over a connection that is free. */
class Sending {
  readonly #order: SteadyOrder;
  readonly #end: string;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly ended: Promise<void>;
  #latencies = none();
  #under = 0;
  #sent = 0;
  #over = false;

  constructor(order: SteadyOrder) {
    this.#order = order;
    this.#end = ` HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nAuthorization: Bearer ${order.key}\r\n\r\n`;
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
      this.#latencies.lateMs.push(Math.max(0, performance.now() - due));
      this.#send();
    }
    while (this.#under > 0) await sleep(10);
    for (const connection of this.#all) connection.close();
  }

  #send(): void {
    const { paths } = this.#order;
    const path = paths[this.#sent % paths.length] as string;
    const serial = `${path.includes('?') ? '&' : '?'}${serialMark}${++this.#sent}`;
    this.#under++;
    this.#free().send(`GET ${path}${serial}${this.#end}`, this.#latencies);
  }

  #free(): Connection {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isClosed) return idle;
      this.#all.delete(idle);
    }
    const connection = new Connection(this.#order.port, (free) => {
      this.#under--;
      this.#idle.push(free);
    });
    this.#all.add(connection);
    return connection;
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
