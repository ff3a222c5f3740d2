/** The HTTP server: listens, rejects malformed requests, and stops gracefully. Handlers are passed in. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { Problem } from '../contract/errors.ts';
import { Failure } from '../failure.ts';
import { describeFailure, type Log } from '../log.ts';
import {
  connectionLimit,
  endConnections,
  refuseWhenFree,
  type ShutdownState,
  trackConnections,
  trackedResponseClass,
} from './connections.ts';
import { keepFirstRequests } from './first-requests.ts';
import { keepAliveSeconds } from './head-text.ts';
import { CountedResponse } from './metrics.ts';
import { newRequestId, problemBody, sendProblem, toProblem } from './problem-response.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export type ListeningServer = {
  port: number;
  /** Accepts no more connections, finishes open requests for five seconds at most, then resolves. */
  close(): Promise<void>;
};

export type ListenOptions = {
  host: string;
  /** 0 picks a free port. */
  port: number;
  log: Log;
  /** Why no request can be answered now; null if they can. Called for each request. */
  trouble?: () => Problem | null;
};

/**
 * Listens on `host` and `port`. `makeHandler` is called with the port before the first request.
 * Rejects with a `Failure` if the address cannot be used.
 */
export function listen(
  { host, port, log, trouble = () => null }: ListenOptions,
  makeHandler: (port: number) => RequestHandler,
): Promise<ListeningServer> {
  const ending: ShutdownState = { isStopping: false };
  const server = createServer({
    ServerResponse: trackedResponseClass(CountedResponse, ending),
    // Node.js would refuse a request without Host in its own words (`withErrorHandling`).
    requireHostHeader: false,
    // Node.js would read the body that a GET does not have (docs/decisions/78-requests-without-a-body.md).
    optimizeEmptyRequests: true,
    // How often the timeouts below are checked. Node.js would do so every half minute.
    connectionsCheckingInterval: 5_000,
  });
  server.keepAliveTimeout = keepAliveSeconds * 1_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 30_000;
  keepFirstRequests(server);
  const connections = trackConnections(server);
  limitConnections(server, log);
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    sendProblem(
      response,
      new Problem('invalid_parameter', 'This Expect header is not known here. Leave it out.'),
    );
  });
  server.on('connect', (_request, socket: Socket) => {
    const problem = new Problem('method_not_allowed', 'This is no proxy. Use GET.');
    refuseWhenFree(socket, () => refuse(socket, '405 Method Not Allowed', problem));
  });
  return new Promise((resolve, reject) => {
    server.once('error', (failure) => reject(toListenFailure(failure, host, port)));
    server.listen({ host, port }, () => {
      const bound = (server.address() as AddressInfo).port;
      try {
        server.on('request', withErrorHandling(makeHandler(bound), ending, trouble, log));
      } catch (failure) {
        server.close();
        reject(failure);
        return;
      }
      server.on('error', (failure) => log('error', 'server', describeFailure(failure)));
      resolve({ port: bound, close: () => endConnections(server, connections, ending) });
    });
  });
}

/** Rejects with a `Failure` if `host` and `port` cannot be used now. */
export function checkPortAvailable(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createSocketServer();
    server.once('error', (failure) => reject(toListenFailure(failure, host, port)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

const slash = 47;
const pathOf = (address: string): string => {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
};

const noHost = new Problem('invalid_parameter', 'A request of HTTP/1.1 needs one Host header. Send one.');

/** Whether a request has one Host header (RFC 9112, section 3.2). HTTP/1.0 has none. */
function hasHost({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

/** Answers and logs what a handler throws. While the server stops, /readyz is 503. */
function withErrorHandling(
  handler: RequestHandler,
  ending: ShutdownState,
  trouble: () => Problem | null,
  log: Log,
): RequestHandler {
  return (request, response) => {
    if (!hasHost(request)) {
      response.setHeader('Connection', 'close');
      sendProblem(response, noHost);
      return;
    }
    const problem = trouble();
    // /healthz tells whether the process is alive, and it is.
    if (problem !== null && !request.url?.startsWith('/healthz')) {
      sendProblem(response, problem);
      return;
    }
    if (ending.isStopping && request.url?.startsWith('/readyz')) {
      sendProblem(response, new Problem('unavailable', 'The service is shutting down. Try again shortly.'));
      return;
    }
    // A request line may have an absolute URL (RFC 9112, section 3.2.2).
    if (request.url?.charCodeAt(0) !== slash) request.url = pathOf(request.url ?? '/');
    try {
      handler(request, response);
    } catch (failure) {
      answerFailure(failure, response, log);
    }
  };
}

/** Answers a failed request without internal details, and logs them. */
export function answerFailure(failure: unknown, response: ServerResponse, log: Log): void {
  const problem = toProblem(failure);
  logFailure(failure, response, log);
  const headers: Record<string, string> =
    problem.type === 'unauthorized' ? { 'WWW-Authenticate': 'Bearer realm="cratebase"' } : {};
  sendProblem(response, problem, headers);
}

/** Logs why a request failed, with its id, unless the response says it. */
export function logFailure(failure: unknown, response: ServerResponse, log: Log): void {
  if (failure instanceof Problem) return;
  if (!response.headersSent && !response.hasHeader('X-Request-Id')) {
    response.setHeader('X-Request-Id', newRequestId());
  }
  const requestId = response.getHeader('X-Request-Id');
  log('error', 'request failed', { request_id: requestId, ...describeFailure(failure) });
}

/** Refuses connections beyond the file handles, and logs it: the system would close them silently. */
function limitConnections(server: Server, log: Log): void {
  const limit = connectionLimit();
  if (limit === null) return;
  server.maxConnections = limit;
  // Workers would pass the connection to each other forever.
  Object.assign(server, { dropMaxConnection: true });
  server.on('drop', () =>
    log('error', 'no file handles left: a connection was refused', {
      trouble: 'EMFILE',
      connections: limit,
      advice:
        'raise the limit of open files (ulimit -n, LimitNOFILE in systemd, --ulimit in Docker), or close connections',
    }),
  );
}

/** Answers a request that is not HTTP, has too long headers, or is too slow. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, problem] = toRefusal(error);
  refuseWhenFree(socket, () => refuse(socket, status, problem));
}

function toRefusal(error: NodeJS.ErrnoException): [status: string, problem: Problem] {
  const { rawPacket, bytesParsed = 0 } = error as { rawPacket?: Buffer; bytesParsed?: number };
  // Other requests may precede it in the same packet.
  const begin = (rawPacket?.lastIndexOf('\r\n\r\n', bytesParsed) ?? -1) + 1;
  const packet =
    rawPacket
      ?.subarray(begin, begin + 200)
      .toString('latin1')
      .trimStart() ?? '';
  if (error.code === 'HPE_INVALID_METHOD' && /^[A-Za-z]+ \/\S* HTTP\/1/.test(packet)) {
    return ['405 Method Not Allowed', new Problem('method_not_allowed', 'Use GET or HEAD, in capitals.')];
  }
  const [status, message] = refusalsByCode[error.code ?? ''] ?? [
    '400 Bad Request',
    'This is not a request that HTTP/1.1 knows. Check its first line and its headers.',
  ];
  return [status, new Problem('invalid_parameter', message)];
}

/** Answers on a socket without a response object, and closes it. */
function refuse(socket: Socket, status: string, problem: Problem): void {
  const requestId = newRequestId();
  const body = problemBody(problem, requestId);
  const allow = problem.type === 'method_not_allowed' ? 'Allow: GET, HEAD, OPTIONS\r\n' : '';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${allow}X-Request-Id: ${requestId}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}

const refusalsByCode: Record<string, [string, string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The path and the headers together are too long. Send less than 16 KiB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'The request did not arrive in time. Send it again at once.',
  ],
};

function toListenFailure(failure: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (failure.code) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} on ${host} is in use. Stop the program that has it, or choose another with --port (0 picks a free one).`,
      );
    case 'EACCES':
      return new Failure(
        `Port ${port} may not be used by this user. Choose one above 1023 with --port, and put a proxy in front.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new Failure(
        `${host} is not an address of this machine. Name one with --host, such as 127.0.0.1 or 0.0.0.0.`,
      );
    default:
      return failure;
  }
}
