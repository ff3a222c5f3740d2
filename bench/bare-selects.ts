/** What a bare server answers from one prepared SELECT of ready JSON: a page of a list, or a record. */
import type { ServerResponse } from 'node:http';
import Database from 'better-sqlite3';
import { Random } from './random.ts';

const pageSize = 50;
const maxPositions = 100_000;
/** A cursor is as long as one of cratebase's. */
const pageEnd = `],"page":{"next_cursor":"${'x'.repeat(64)}","has_more":true}}`;

export type Selected = 'select-page' | 'select-record';
export type Respond = (url: string, response: ServerResponse) => void;

export function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

/** Returns what answers each request with a page or a record of a data file. */
export const answerFrom = (file: string, selected: Selected): Respond =>
  selected === 'select-page' ? pageFromSelect(file) : recordFromSelect(file);

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
  const step = Math.ceil(count / maxPositions);
  const rows = sqlite.prepare('SELECT start_ts, id FROM events ORDER BY start_ts, id').raw();
  const positions: [number, number][] = [];
  let at = 0;
  for (const row of rows.iterate()) {
    if (at++ % step === 0 && at < count - pageSize) positions.push(row as [number, number]);
  }
  return positions.length > 0 ? positions : [[0, 0]];
}
