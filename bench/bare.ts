/**
 * The baseline of the benchmarks, in a process of its own: a plain node:http server that sends the same bytes from memory,
 * or a page or a record of one prepared SELECT of ready JSON. It has no keys, no usage counting and no parameters.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { answerFrom, type Respond, type Selected, send } from './bare-selects.ts';
import { answerParent, busySince } from './child.ts';
import { fetchResponse } from './fetch.ts';
import { serialMark } from './messages.ts';

type Learn = {
  from: string;
  key: string;
  paths: string[];
  /** Whether the other server's headers are taken over, too. */
  withHeaders?: boolean;
};
/** Headers that Node.js writes itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive']);

/** `headers` are names and values in turn. */
type Answer = { body: Buffer; headers: string[] };
const answers = new Map<string, Answer>();
let respond: Respond = fromMemory;
let lastBusy = performance.eventLoopUtilization();

/** The headers without those that Node.js writes itself. */
const withoutOwn = (headers: readonly string[]): string[] =>
  headers.flatMap((name, at) =>
    at % 2 === 0 && !ownHeaders.has(name.toLowerCase()) ? [name, headers[at + 1] as string] : [],
  );

function fromMemory(url: string, response: ServerResponse): void {
  const mark = url.lastIndexOf(serialMark);
  const answer = answers.get(mark === -1 ? url : url.slice(0, mark - 1));
  if (answer === undefined) response.writeHead(404, { 'Content-Length': 0 }).end();
  else if (answer.headers.length === 0) send(response, answer.body);
  else response.writeHead(200, answer.headers).end(answer.body);
}

const handlers = {
  /** Listens; the port. */
  listen: (): Promise<number> =>
    new Promise((resolve) => {
      const server = createServer((request, response) => respond(request.url ?? '/', response));
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
  /** Takes over the bodies that another server gives for these paths; how many bytes they are together. */
  learn: async ({ from, key, paths, withHeaders = false }: Learn): Promise<number> => {
    answers.clear();
    respond = fromMemory;
    let bytes = 0;
    for (const path of paths) {
      const { body, headers } = await fetchResponse(from, path, key);
      answers.set(path, { body, headers: withHeaders ? withoutOwn(headers) : [] });
      bytes += body.length;
    }
    return bytes;
  },
  select: ({ file, from }: { file: string; from: Selected }): void => {
    respond = answerFrom(file, from);
  },
  /** Returns the share of the time since the last call in which the thread was busy. */
  busy: (): number => {
    const now = performance.eventLoopUtilization();
    const share = busySince(lastBusy, now);
    lastBusy = now;
    return share;
  },
};
export type BareHandlers = typeof handlers;

answerParent(handlers);
