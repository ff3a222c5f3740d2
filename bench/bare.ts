/**
 * The baseline of the benchmarks, in a process of its own: a plain node:http server that sends the same bytes from memory,
 * or a page or a record of one prepared SELECT of ready JSON. It has no keys, no usage counting and no parameters.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { answerParent, busySince } from './child.ts';
import { fetchResponse } from './fetch.ts';
import { serialMark } from './messages.ts';
import { Random } from './random.ts';

const pageSize = 50;
const mostPositions = 100_000;
/** A cursor is as long as one of cratebase's. */
const pageEnd = `],"page":{"next_cursor":"${'x'.repeat(64)}","has_more":true}}`;

type Learn = {
  from: string;
  key: string;
  paths: string[];
  /** Whether the other server's headers are taken over, too. */
  withHeaders?: boolean;
};
type Respond = (url: string, response: ServerResponse) => void;

/** Headers that Node.js writes itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive']);

/** `headers` are names and values in turn. */
type Answer = { body: Buffer; headers: string[] };
const answers = new Map<string, Answer>();
let respond: Respond = fromMemory;
let lastBusy = performance.eventLoopUtilization();

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

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

function openForReading(file: string): Database.Database {
  // better-sqlite3 cannot open a WAL file read-only if its -shm file does not exist yet; query_only prevents writes.
  const sqlite = new Database(file, { fileMustExist: true });
  sqlite.pragma('query_only = ON');
  sqlite.pragma('cache_size = -16000');
  return sqlite;
}

/** Answers each request with the event whose slug is the last part of the path. */
function recordFromSelect(file: string): Respond {
  const select = openForReading(file)
    .prepare(
      'SELECT item_json, (SELECT detail_json FROM event_details d WHERE d.event_id = e.id) FROM events e WHERE slug = ?',
    )
    .raw();
  return (url, response) => {
    const [path = ''] = url.split('?');
    const slug = path.slice(path.lastIndexOf('/') + 1);
    const [item, detail] = select.get(slug) as [string, string];
    send(response, Buffer.from(`{"data":${item.slice(0, -1)},${detail}}}`));
  };
}

/** Answers each request with a page from a random position of the list. */
function pageFromSelect(file: string): Respond {
  const sqlite = openForReading(file);
  const positions = somePositions(sqlite);
  const select = sqlite
    .prepare(
      `SELECT item_json FROM events WHERE (start_ts, id) > (?, ?) ORDER BY start_ts, id LIMIT ${pageSize}`,
    )
    .pluck();
  const random = new Random(7);
  return (_url, response) => {
    const [startTs, id] = random.pick(positions);
    const items = select.all(startTs, id) as string[];
    send(response, Buffer.from(`{"data":[${items.join(',')}${pageEnd}`));
  };
}

function somePositions(sqlite: Database.Database): [number, number][] {
  const count = sqlite.prepare('SELECT count(*) FROM events').pluck().get() as number;
  const step = Math.ceil(count / mostPositions);
  const rows = sqlite.prepare('SELECT start_ts, id FROM events ORDER BY start_ts, id').raw();
  const positions: [number, number][] = [];
  let at = 0;
  for (const row of rows.iterate()) {
    if (at++ % step === 0 && at < count - pageSize) positions.push(row as [number, number]);
  }
  return positions.length > 0 ? positions : [[0, 0]];
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
  select: ({ file, from }: { file: string; from: 'select-page' | 'select-record' }): void => {
    respond = from === 'select-page' ? pageFromSelect(file) : recordFromSelect(file);
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
