/**
 * Connections: which response an unreadable request belongs to, how kept-alive connections end, and how many there may
 * be. Node.js alone would answer one request twice, and cut off requests in transit when the server stops.
 */

import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as SocketServer } from 'node:net';

type ResponseClass = new (request: IncomingMessage) => ServerResponse;

/** While the server stops, each response has `Connection: close`. */
export type ShutdownState = { isStopping: boolean };

/** The response to the last request that was read on a connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>();
/** Connections that were refused, or will be after the response to an earlier request. */
const refused = new WeakSet<Socket>();

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

    override writeHead(...args: unknown[]): this {
      if (ending.isStopping) this.shouldKeepAlive = false;
      return super.writeHead(...(args as Parameters<ServerResponse['writeHead']>));
    }
  };
  return Tracked as unknown as typeof ServerResponse;
}

/**
 * Handles bytes that are not a request (RFC 9112, section 2.2) or a request that timed out. Calls `refuse` when the
 * connection is free for another response; closes the connection if the request was already answered.
 *
 * @param refuse writes a response to the socket and ends it
 */
export function refuseWhenFree(socket: Socket, refuse: () => void): void {
  if (refused.has(socket)) return;
  const response = lastResponses.get(socket);
  const inBody = response !== undefined && !response.req.complete;
  if (response === undefined || (!inBody && response.writableFinished)) {
    refused.add(socket);
    refuse();
  } else if (!inBody) {
    // Pipelined after a request: its response comes first.
    refused.add(socket);
    response.once('finish', () => {
      if (socket.writable) refuse();
      else socket.destroy();
    });
  } else if (response.writableFinished) {
    socket.destroySoon();
  } else if (response.headersSent) {
    refused.add(socket);
    response.once('finish', () => socket.destroySoon());
  } else if (response.socket === null) {
    // The response waits behind others, and the end of the request's body cannot be found any more.
    socket.destroy();
  } else {
    refused.add(socket);
    refuse();
  }
}

/** Tracks the open connections of a server: at its end, those that never sent a request are closed. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** How long kept-alive connections may still send a request when the server stops. */
const lingerMs = 300;
/** How often idle connections are closed after that. */
const sweepMs = 50;
/** After this time, connections with unanswered requests are closed. */
const graceMs = 5_000;

/**
 * Stops a server: accepts no new connections, answers the requests of open ones, and closes idle ones. Resolves when the
 * last connection is closed, after five seconds at most.
 */
export async function endConnections(
  server: Server,
  sockets: ReadonlySet<Socket>,
  ending: ShutdownState,
): Promise<void> {
  if (ending.isStopping) return;
  ending.isStopping = true;
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  // `http.Server.close` would cut off kept-alive connections at once, with requests that are not read yet.
  SocketServer.prototype.close.call(server);
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node.js does not count a connection as idle before its first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  let sweep: NodeJS.Timeout | undefined;
  const linger = setTimeout(() => {
    closeIdle();
    sweep = setInterval(closeIdle, sweepMs);
  }, lingerMs);
  const late = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  for (const timer of [linger, sweep, late]) clearTimeout(timer);
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
