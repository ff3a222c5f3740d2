/**
 * `node --import tsx bench/filters.ts`: how long every kind of read holds the event loop, on the readers that the service
 * uses: each filter of /events alone and in pairs, lists by name, the busiest records, and searches. The best of some
 * rounds counts, so that a busy machine disturbs the figures little.
 */
import { writeFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { bodyPieces } from '../src/catalogue/handlers.ts';
import { openSearch } from '../src/catalogue/search.ts';
import { cursorFilters } from '../src/contract/parameters.ts';
import { encodeJson } from '../src/rest/encode-json.ts';
import { parseRequest } from '../src/rest/parse-request.ts';
import { openDatabase } from '../src/store/database.ts';
import { CursorCodec } from '../src/store/lists/cursor.ts';
import { CatalogueReader } from '../src/store/reader.ts';
import { prepareCatalogue } from './catalogue.ts';
import {
  type BenchRequest,
  busyGroups,
  CatalogueValues,
  eventGroups,
  nameGroups,
  type RequestGroup,
  searchGroups,
} from './filter-requests.ts';
import { readBenchOptions } from './options.ts';

const usage = `node --import tsx bench/filters.ts [options]
  --events N     size of the catalogue (100000); made at the first run, kept in bench/data
  --data FILE    a data file of this schema; it is not changed
  --rounds N     how often each request is measured; the best counts (3)
  --only TEXT    groups and titles that contain the text
  --all          print every line, not only the slowest 10 of each group
  --json         print one JSON document
  --output FILE  write the JSON document to a file, too`;

export type GroupResult = {
  title: string;
  group: string;
  goalMs: number;
  requests: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Statements and rows that the slowest request read. */
  statements: number;
  rows: number;
  slowest: string;
  met: boolean;
};
type Measured = { ms: number; statements: number; rows: number; request: BenchRequest };

/** Counts the statements and rows that are read through a connection. */
function countReads(sqlite: Database.Database): {
  connection: Database.Database;
  counts: { statements: number; rows: number };
} {
  const counts = { statements: 0, rows: 0 };
  const prepare = sqlite.prepare.bind(sqlite);
  const connection = new Proxy(sqlite, {
    get(target, name) {
      if (name !== 'prepare') {
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (text: string) => {
        const statement = prepare(text);
        const [all, get] = [statement.all.bind(statement), statement.get.bind(statement)];
        return Object.assign(statement, {
          all: (...values: unknown[]) => {
            const rows = all(...values);
            counts.statements += 1;
            counts.rows += rows.length;
            return rows;
          },
          get: (...values: unknown[]) => {
            counts.statements += 1;
            counts.rows += 1;
            return get(...values);
          },
        });
      };
    },
  });
  return { connection, counts };
}

/** Answers requests as the service does, without HTTP. */
class Answers {
  readonly #catalogue;
  readonly #cursors: CursorCodec;
  readonly #counts;
  readonly #positions: Database.Statement;
  readonly #events: number;
  readonly #now: number;
  readonly #keys = new Map<number, [number, number]>();

  constructor(sqlite: Database.Database, now: number) {
    const { connection, counts } = countReads(sqlite);
    const reader = new CatalogueReader(connection);
    this.#catalogue = { reader, search: openSearch(connection) };
    this.#counts = counts;
    this.#cursors = new CursorCodec(reader.secret);
    this.#positions = sqlite
      .prepare(
        'SELECT start_ts, id FROM events INDEXED BY events_by_start ORDER BY start_ts, id LIMIT 1 OFFSET ?',
      )
      .raw();
    this.#events = sqlite.prepare('SELECT count(*) FROM events').pluck().get() as number;
    this.#now = now;
    while (!this.#catalogue.search.loadWords());
  }

  measure(request: BenchRequest): Measured {
    const { operation, slug, query, depth } = request;
    const cursor = depth === null ? {} : { cursor: this.#cursorAt(request, depth) };
    const parameters = { ...query, ...cursor };
    const [statements, rows] = [this.#counts.statements, this.#counts.rows];
    const before = performance.now();
    const parsed = parseRequest(operation, { slug }, parameters, this.#now);
    encodeJson(bodyPieces(parsed, this.#catalogue), 'http://127.0.0.1:8080');
    return {
      ms: performance.now() - before,
      statements: this.#counts.statements - statements,
      rows: this.#counts.rows - rows,
      request,
    };
  }

  /** The cursor of a walk that has reached a share of all events. */
  #cursorAt({ operation, slug, query }: BenchRequest, depth: number): string {
    const offset = Math.floor(depth * (this.#events - 1));
    const key = this.#keys.get(offset) ?? (this.#positions.get(offset) as [number, number]);
    this.#keys.set(offset, key);
    const { filters } = parseRequest(operation, { slug }, query, this.#now);
    const scope = JSON.stringify([operation, slug, '', cursorFilters(filters)]);
    const { revision } = this.#catalogue.reader.state();
    return this.#cursors.encode({ key, revision }, scope);
  }
}

function measureGroup(
  { title, group, goalMs, requests }: RequestGroup,
  answers: Answers,
  rounds: number,
): GroupResult {
  // The first time prepares the statements.
  for (const request of requests) answers.measure(request);
  let measured = requests.map((request) => answers.measure(request));
  // Other programs interrupt a request now and then, but seldom the same one twice.
  for (let round = 1; round < rounds; round++) {
    measured = measured.map((best) => {
      const again = answers.measure(best.request);
      return again.ms < best.ms ? again : best;
    });
  }
  measured.sort((a, b) => a.ms - b.ms);
  const at = (share: number) => measured[Math.floor(share * (measured.length - 1))]?.ms ?? Number.NaN;
  const last = measured.at(-1) as Measured;
  const { operation, slug, query, depth } = last.request;
  const p99Ms = at(0.99);
  return {
    title,
    group,
    goalMs,
    requests: measured.length,
    p50Ms: at(0.5),
    p99Ms,
    maxMs: last.ms,
    statements: last.statements,
    rows: last.rows,
    slowest:
      `${operation} ${slug} ${decodeURIComponent(`${new URLSearchParams(query)}`)}${depth === null ? '' : ` at ${depth}`}`.slice(
        0,
        160,
      ),
    met: p99Ms < goalMs,
  };
}

/** Measures all groups whose group or title contains `only`. */
export function measureFilters(
  path: string,
  { rounds = 3, only = '', now = Date.now() } = {},
): GroupResult[] {
  const sqlite = openDatabase(path, { create: false });
  sqlite.pragma('query_only = ON');
  try {
    const values = new CatalogueValues(sqlite, now);
    const answers = new Answers(sqlite, now);
    return [...eventGroups(values), ...nameGroups(values), ...busyGroups(values), ...searchGroups(values)]
      .filter(({ title, group }) => `${group}: ${title}`.includes(only))
      .map((group) => measureGroup(group, answers, rounds));
  } finally {
    sqlite.close();
  }
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1).padStart(8);

/** The table for people: the slowest lines of each group, or all. */
export function renderFilters(results: readonly GroupResult[], all: boolean): string {
  const lines = [
    `${'time per request, ms'.padEnd(44)}     p50      p99      max  goal         rows  slowest request`,
  ];
  for (const group of new Set(results.map((result) => result.group))) {
    const own = results.filter((result) => result.group === group).sort((a, b) => b.p99Ms - a.p99Ms);
    const missed = own.filter(({ met }) => !met).length;
    lines.push('', `${group}: ${own.length} cases, ${missed === 0 ? 'all met' : `${missed} MISSED`}`);
    for (const one of all ? own : own.slice(0, Math.max(10, missed))) {
      const figures = [one.p50Ms, one.p99Ms, one.maxMs].map(ms).join(' ');
      lines.push(
        `  ${one.title.padEnd(40)} ${figures} ${String(one.goalMs).padStart(4)} ${one.met ? 'met   ' : 'MISSED'} ${String(one.rows).padStart(6)}  ${one.slowest}`,
      );
    }
  }
  return lines.join('\n');
}

async function main(): Promise<void> {
  const { values } = readBenchOptions(usage, {
    options: {
      events: { type: 'string', default: '100000' },
      data: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      output: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const note = (text: string): void => void process.stderr.write(`${text}\n`);
  const path = values.data ?? (await prepareCatalogue({ events: Number(values.events), note }));
  const results = measureFilters(path, { rounds: Number(values.rounds), only: values.only });
  const document = JSON.stringify(results);
  if (values.output !== undefined) writeFileSync(values.output, document);
  process.stdout.write(`${values.json ? document : renderFilters(results, values.all)}\n`);
}

if (import.meta.main) await main();
