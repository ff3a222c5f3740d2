/**
 * What becomes of a connection: which response an unreadable request belongs to, and how a kept-alive connection ends.
 * Node alone would answer one request twice, and cut off requests that are on their way when the service ends.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as SocketServer } from 'node:net';

type ResponseClass = new (request: IncomingMessage) => ServerResponse;

/** Whether the server is ending: from then on each answer says `Connection: close`. */
export type ShutdownState = { isStopping: boolean };

/** The response to the last request that was read on a connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>();
/** Connections that were refused, or are to be refused once what came before is answered. */
const refused = new WeakSet<Socket>();

/**
 * Makes the class of a server's responses.
 *
 * @param Base the class to extend
 * @param ending read whenever an answer begins
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
 * Decides what to do about bytes that are no request (RFC 9112, section 2.2), or about a request that did not arrive in
 * time. Calls `refuse` when the connection is free for one more answer; closes it where the request was answered already.
 *
 * @param socket where they came from
 * @param refuse writes an answer to the socket and ends it
 */
export function refuseWhenFree(socket: Socket, refuse: () => void): void {
  if (refused.has(socket)) return;
  const response = lastResponses.get(socket);
  const inBody = response !== undefined && !response.req.complete;
  if (response === undefined || (!inBody && response.writableFinished)) {
    refused.add(socket);
    refuse();
  } else if (!inBody) {
    // Pipelined after a request whose answer is not out yet: that comes first.
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
    // It waits behind other answers, which its body cannot be told apart from any more.
    socket.destroy();
  } else {
    refused.add(socket);
    refuse();
  }
}

/** The connections of a server, to be closed at its end where they never brought a request. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** How long kept-alive connections may still bring a request when the server ends. */
const lingerMs = 300;
/** How often connections that came to rest are looked for after that. */
const sweepMs = 50;
/** After this, what is still not answered is cut off. */
const graceMs = 5_000;

/**
 * Ends a server: takes no new connections, answers the requests that are on their way over kept-alive ones, closes those
 * that bring none, and resolves when the last is closed; after five seconds at most.
 */
export async function endConnections(
  server: Server,
  sockets: ReadonlySet<Socket>,
  ending: ShutdownState,
): Promise<void> {
  if (ending.isStopping) return;
  ending.isStopping = true;
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  // The close of http.Server would cut off kept-alive connections at once, and with them requests not read yet.
  SocketServer.prototype.close.call(server);
  const closeIdle = () => {
    server.closeIdleConnections();
    // To Node, one that has said nothing yet is not idle.
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
