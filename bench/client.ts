/**
 * The load generator, in a process of its own: connections that each send the next request when the last is answered. It
 * uses bare sockets, because an HTTP client costs as much as the measured server.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { answerParent, busySince } from './child.ts';
import { type Round, type RoundResult, serialMark } from './messages.ts';

const lists = new Map<string, { paths: string[]; next: number }>();
let key = '';
let serial = 0;

/** Requests of one round, and what became of them. */
class Load {
  readonly latencies: number[] = [];
  /** When the last counted answer arrived, on the clock of `performance.now`. */
  answeredAt = 0;
  sent = 0;
  bytes = 0;
  readonly #round: Round;
  readonly #list: { paths: string[]; next: number };
  readonly #end: string;

  constructor(round: Round) {
    const list = lists.get(round.list);
    if (!list || list.paths.length === 0) throw new Error(`The client knows no paths "${round.list}".`);
    this.#round = round;
    this.#list = list;
    this.#end = ` HTTP/1.1\r\nHost: 127.0.0.1:${round.port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  }

  nextRequest(): string {
    const { paths } = this.#list;
    const path = paths[this.#list.next++ % paths.length] as string;
    this.sent++;
    if (!this.#round.cold) return `GET ${path}${this.#end}`;
    return `GET ${path}${path.includes('?') ? '&' : '?'}${serialMark}${++serial}${this.#end}`;
  }

  async run(): Promise<RoundResult> {
    const { connections, port, seconds } = this.#round;
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
    const began = performance.now();
    const before = performance.eventLoopUtilization();
    const until = began + seconds * 1_000;
    try {
      await Promise.all(sockets.map((socket) => new Conversation(socket, this, until).ended));
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    const clientBusy = busySince(before, performance.eventLoopUtilization());
    const sorted = Float64Array.from(this.latencies).sort();
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
    return {
      requests: sorted.length,
      sent: this.sent,
      perSecond: sorted.length / Math.max(seconds, (this.answeredAt - began) / 1_000),
      bytesPerAnswer: Math.round(this.bytes / Math.max(1, sorted.length)),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      clientBusy,
    };
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** One connection: request, answer, request … until the time is up. */
class Conversation {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #load: Load;
  readonly #until: number;
  #resolve: () => void = () => {};
  #reject: (why: Error) => void = () => {};
  #began = 0;
  /** The beginning of an answer whose head is not all here yet. */
  #head: Buffer | null = null;
  /** How much of the body is to come; null before its head was read. */
  #left: number | null = null;

  constructor(socket: Socket, load: Load, until: number) {
    this.#socket = socket;
    this.#load = load;
    this.#until = until;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#reject(error));
    socket.on('close', () => this.#reject(new Error('The server closed a connection.')));
    this.#send();
  }

  #send(): void {
    this.#began = performance.now();
    this.#socket.write(this.#load.nextRequest(), 'latin1');
  }

  #read(chunk: Buffer): void {
    if (this.#left === null) {
      const data = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
      const end = data.indexOf('\r\n\r\n');
      if (end === -1) {
        this.#head = data;
        return;
      }
      this.#head = null;
      const head = data.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (head.slice(9, 12) !== '200' || length === undefined) {
        this.#reject(new Error(`Not an answer to measure: ${data.toString('latin1', 0, 1_000)}`));
        return;
      }
      this.#load.bytes += Number(length);
      this.#left = Number(length) - (data.length - end - 4);
    } else {
      this.#left -= chunk.length;
    }
    if (this.#left === 0) this.#finish();
    else if (this.#left < 0) this.#reject(new Error('An answer was longer than its Content-Length.'));
  }

  #finish(): void {
    this.#left = null;
    const now = performance.now();
    const load = this.#load;
    const isOver = now > this.#until;
    // On a machine that does much else no answer may arrive in time. The first one counts, however late.
    if (!isOver || load.latencies.length === 0) {
      load.latencies.push(now - this.#began);
      load.answeredAt = now;
    }
    if (isOver) this.#resolve();
    else this.#send();
  }
}

const handlers = {
  key: (value: string): void => {
    key = value;
  },
  paths: ({ name, paths }: { name: string; paths: string[] }): void => {
    lists.set(name, { paths, next: 0 });
  },
  round: (round: Round): Promise<RoundResult> => new Load(round).run(),
};
export type ClientHandlers = typeof handlers;

answerParent(handlers);
