/**
 * Connections that each carry one request at a time. They are bare sockets that read into one buffer: the collections of an
 * HTTP client's garbage take 10 to 40 ms, which would count as waiting for the server.
 */
import { connect, type Socket } from 'node:net';

/** A request that a client sends. */
export type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: string };
/** Gets the status of a response when all of it has arrived; null where it did not arrive. */
type WhenDone = (status: string | null) => void;

/** All sockets read into this one: what was read is handled before the next read. */
const buffer = Buffer.allocUnsafe(65_536);
const endOfHead = Buffer.from('\r\n\r\n');

/** The text of a request to this machine. */
export function requestText(port: number, { path, method, headers = {}, body }: Sent): string {
  const all = {
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method ?? (body === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** Sends each request over a connection that is free, or a new one. */
export class Connections {
  readonly #port: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(port: number) {
    this.#port = port;
  }

  send(request: string, whenDone: WhenDone): void {
    const connection = this.#free();
    connection.send(request, (status) => {
      if (connection.isClosed) this.#all.delete(connection);
      else this.#idle.push(connection);
      whenDone(status);
    });
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #free(): Connection {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isClosed) return idle;
      this.#all.delete(idle);
    }
    const connection = new Connection(this.#port);
    this.#all.add(connection);
    return connection;
  }
}

class Connection {
  readonly #socket: Socket;
  #whenDone: WhenDone | null = null;
  /** The beginning of a response whose head is not all here yet. */
  #head: Buffer | null = null;
  /** How much of the body is to come; null before its head was read. */
  #left: number | null = null;
  #status = '';

  constructor(port: number) {
    const callback = (length: number) => {
      this.#read(buffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#finish(null));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  send(request: string, whenDone: WhenDone): void {
    this.#whenDone = whenDone;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#left === null) this.#readHead(chunk);
    else this.#left -= chunk.length;
    if (this.#left === null) return;
    if (this.#left < 0) this.close();
    else if (this.#left === 0) this.#finish(this.#status);
  }

  #readHead(chunk: Buffer): void {
    const data = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
    const end = data.indexOf(endOfHead);
    if (end === -1) {
      this.#head = Buffer.from(data);
      return;
    }
    this.#head = null;
    const head = data.toString('latin1', 0, end);
    this.#status = head.slice(9, 12);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) this.close();
    else this.#left = Number(length) - (data.length - end - endOfHead.length);
  }

  #finish(status: string | null): void {
    const whenDone = this.#whenDone;
    this.#whenDone = null;
    this.#left = null;
    whenDone?.(status);
  }
}
