/**
 * Connections: which response an unreadable request belongs to, how kept-alive connections end, and how many there may
 * be. Node.js alone would answer one request twice, and cut off requests in transit when the server stops.
 */

import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as SocketServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

type ResponseClass = new (request: IncomingMessage) => ServerResponse;

/** While the server stops, each response has `Connection: close`. */
export type ShutdownState = { isStopping: boolean };

/** The response to the last request that was read on a connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>();
/** Connections that were refused, or will be after the response to an earlier request. */
const refusedSockets = new WeakSet<Socket>();

/**
 * Returns a response class that tracks the last response of each connection.
 *
 * @param Base the class to extend
 * @param ending read when a response starts
 */
export function trackedResponseClass(Base: ResponseClass, ending: ShutdownState): typeof ServerResponse {
  const Tracked = class extends Base {
    constructor(...args: ConstructorParameters<ResponseClass>) {
      super(...args);
      lastResponses.set(args[0].socket, this);
    }

    get isServerStopping(): boolean {
      return ending.isStopping;
    }

    override writeHead(...args: unknown[]): this {
      if (ending.isStopping) this.shouldKeepAlive = false;
      return super.writeHead(...(args as Parameters<ServerResponse['writeHead']>));
    }
  };
  // The class of a server takes any request, that of the base only its own.
  return Tracked as unknown as typeof ServerResponse;
}

/**
 * Handles bytes that are not a request (RFC 9112, section 2.2) or a request that timed out. Calls `refuse` when the
 * connection is free for another response; closes the connection if the request was already answered.
 *
 * @param refuse writes a response to the socket and ends it
 */
export function refuseWhenFree(socket: Socket, refuse: () => void): void {
  if (refusedSockets.has(socket)) return;
  const response = lastResponses.get(socket);
  const inBody = response !== undefined && !response.req.complete;
  if (response === undefined || (!inBody && response.writableFinished)) {
    refusedSockets.add(socket);
    refuse();
  } else if (!inBody) {
    // Pipelined after a request: its response comes first.
    refusedSockets.add(socket);
    response.once('finish', () => {
      if (socket.writable) refuse();
      else socket.destroy();
    });
  } else if (response.writableFinished) {
    socket.destroySoon();
  } else if (response.headersSent) {
    refusedSockets.add(socket);
    response.once('finish', () => socket.destroySoon());
  } else if (response.socket === null) {
    // The response waits behind others, and the end of the request's body cannot be found any more.
    socket.destroy();
  } else {
    refusedSockets.add(socket);
    refuse();
  }
}

/** The open connections of a server, each with the time at which it was accepted, of `performance.now()`. */
export type OpenConnections = ReadonlyMap<Socket, number>;

/** Tracks the open connections of a server: at its end, those that never sent a request are closed. */
export function trackConnections(server: Server): OpenConnections {
  const connections = new Map<Socket, number>();
  server.on('connection', (socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/** How often idle connections are looked for when the server stops. */
const sweepMs = 50;
/**
 * Kept-alive connections may still send a request until this many sweeps were due, 300 ms. Sweeps are counted, not
 * milliseconds: a process that had no processor for a while has not read what arrived meanwhile.
 */
const lingerSweeps = 6;
/** A new connection may send its first request for this long: its client may have had no processor since it connected. */
const firstRequestMs = 2_000;
/** After this time, connections with unanswered requests are closed. */
const graceMs = 5_000;

/** A server that is asked without a pause stops after this time all the same. */
const maxAcceptMs = 2_000;
/** In a turn of the event loop that is longer, further connections may have come after the last was accepted. */
const quietTurnMs = 1;

/**
 * Accepts the connections that the system has made and this process has not seen: it would reset them when the listening
 * socket is closed, with the requests that their clients have sent. Resolves after a short turn of the event loop that
 * brought none.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let connectionCount = 0;
  const count = () => {
    connectionCount += 1;
  };
  server.on('connection', count);
  const start = performance.now();
  // The first immediate may run before sockets are read, those that follow run after them.
  await setImmediate();
  for (let isQuiet = false; !isQuiet && performance.now() - start < maxAcceptMs; ) {
    const [turnStart, before] = [performance.now(), connectionCount];
    await setImmediate();
    isQuiet = connectionCount === before && performance.now() - turnStart < quietTurnMs;
  }
  server.off('connection', count);
}

/**
 * Stops a server: accepts no new connections, answers the requests of open ones, and closes idle ones. Resolves when the
 * last connection is closed, after five seconds at most.
 */
export async function endConnections(
  server: Server,
  connections: OpenConnections,
  ending: ShutdownState,
): Promise<void> {
  if (ending.isStopping) return;
  ending.isStopping = true;
  const closing = new Promise<void>((resolve) => server.once('close', () => resolve()));
  await acceptWaiting(server);
  // `http.Server.close` would cut off kept-alive connections at once, with requests that are not read yet.
  SocketServer.prototype.close.call(server);
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node.js does not count a connection as idle before its first request.
    const lastAcceptedAt = performance.now() - firstRequestMs;
    for (const [socket, acceptedAt] of connections)
      if (socket.bytesRead === 0 && acceptedAt < lastAcceptedAt) socket.destroy();
  };
  let sweeps = 0;
  const sweep = setInterval(() => {
    sweeps += 1;
    // Timers run before sockets are read: what has arrived by now is read first.
    if (sweeps >= lingerSweeps) void setImmediate().then(closeIdle);
  }, sweepMs);
  const late = setTimeout(() => server.closeAllConnections(), graceMs);
  await closing;
  clearInterval(sweep);
  clearTimeout(late);
}

/** File handles that stay free for files: the data file, its log, a sync that starts. */
const reservedHandles = 64;

/**
 * Counts the connections that this process can hold and still open files.
 *
 * @returns null if the system does not tell the limit of file handles; only Linux does, in /proc
 */
export function connectionLimit(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const softLimit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
    if (Number.isNaN(softLimit)) return null;
    const open = readdirSync('/proc/self/fd').length;
    return Math.max(1, softLimit - open - Math.min(reservedHandles, Math.ceil(softLimit / 4)));
  } catch {
    return null;
  }
}
