/** The hostile callers of `bench/turns.ts`, in a process of their own. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerParent } from './child.ts';
import { Connections, requestText, type Sent } from './connections.ts';

export type Flood = { port: number; connections: number; seconds: number; requests: readonly Sent[] };
export type Answers = Record<string, number>;
/** A load of `rate` requests a second, whether the earlier ones are answered or not. */
export type Steady = Omit<Flood, 'connections'> & { rate: number };
/** How long each request waited for its whole answer since it was due, in ms. */
export type Waits = { answers: Answers; ms: number[] };

/** Reads a response to its end, or until `until`. */
function readAll(response: IncomingMessage, until: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), Math.max(1, until - performance.now()));
    response.resume();
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function send(agent: Agent, port: number, sent: Sent, until: number): Promise<string> {
  const { path, method = sent.body === undefined ? 'GET' : 'POST', headers = {}, body } = sent;
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, method, agent, headers }, (response) => {
      void readAll(response, until).then(() => resolve(String(response.statusCode)));
    });
    asked.once('error', () => resolve('none'));
    asked.end(body);
  });
}

/** Sends the requests in turn over connections that each send the next one as soon as the last is answered. */
async function flood({ port, connections, seconds, requests }: Flood): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answers = {};
  const until = performance.now() + seconds * 1_000;
  let next = 0;
  const ask = async () => {
    while (performance.now() < until) {
      const status = await send(agent, port, requests[next++ % requests.length] as Sent, until + 1_000);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  return answers;
}

/** Sends the requests in turn at a constant rate. A client that comes late counts as waiting of the requests. */
async function steady({ port, seconds, requests, rate }: Steady): Promise<Waits> {
  const connections = new Connections(port);
  const texts = requests.map((request) => requestText(port, request));
  const answers: Answers = {};
  const ms: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + (seconds + 10) * 1_000;
  const count = rate * seconds;
  for (let at = 0; at < count; at++) {
    const due = startedAt + (at * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0.5) await sleep(wait);
    // A timer may end a little early.
    const since = Math.min(due, performance.now());
    connections.send(texts[at % texts.length] as string, (status) => {
      ms.push(performance.now() - since);
      answers[status ?? 'none'] = (answers[status ?? 'none'] ?? 0) + 1;
    });
  }
  // Those that are not answered by then are closed, and count as waiting until then.
  while (ms.length < count && performance.now() < until) await sleep(10);
  connections.close();
  while (ms.length < count) await sleep(10);
  return { answers, ms };
}

/** Opens connections that send half of a request, and holds them. */
async function idle({ port, connections, seconds }: Omit<Flood, 'requests'>): Promise<Answers> {
  const sockets: Socket[] = [];
  const answers: Answers = { open: 0 };
  for (let at = 0; at < connections; at++) {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => {});
    socket.write(at % 2 === 0 ? 'GET / HTTP/1.1\r\nHost: 127' : '');
    sockets.push(socket);
    if (at % 100 === 99) await sleep(5);
  }
  await sleep(seconds * 1_000);
  answers.open = sockets.filter((socket) => !socket.destroyed).length;
  for (const socket of sockets) socket.destroy();
  return answers;
}

/** Asks for one long answer and reads 1 KB of it a second. */
function slowReader({ port, seconds, requests }: Flood): Promise<Answers> {
  const { path, headers = {} } = requests[0] as Sent;
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const timer = setInterval(() => socket.read(1_024), 1_000);
  return sleep(seconds * 1_000).then(() => {
    clearInterval(timer);
    socket.destroy();
    return { slow: 1 };
  });
}

const handlers = { flood, steady, idle, slowReader };
export type TurnsHandlers = typeof handlers;

answerParent(handlers);
