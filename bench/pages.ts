/**
 * `npm run bench:pages`: measures each kind of web page beside a bare node:http server that sends the same bytes. One
 * visitor requests one page after the other over one connection: first pages that were not requested since the server
 * started, then the same ones again.
 */
import { get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { Temporal } from 'temporal-polyfill';
import { prepareCatalogue } from './catalogue.ts';
import { agent } from './fetch.ts';
import { readBenchOptions } from './options.ts';
import { Random } from './random.ts';
import { findProgram, type Running, startServer } from './server.ts';

const usage = `npm run bench:pages -- [options]
  --events N      events in the catalogue (100000); a million takes some 10 minutes to make, once
  --data FILE     another catalogue: what \`bench:import -- --keep FILE\` left
  --pages N       pages of each kind (200)
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --json          print one JSON document`;

const goals = { p99Ms: 10, bytes: 50_000 };
const { values: given } = readBenchOptions(usage, {
  options: {
    events: { type: 'string', default: '100000' },
    data: { type: 'string' },
    pages: { type: 'string', default: '200' },
    program: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Answer = { ms: number; bytes: number };
type Times = { p50Ms: number; p99Ms: number; worstMs: number };
type Row = {
  kind: string;
  pages: number;
  maxBytes: number;
  first: Times;
  again: Times;
  bare: Times;
  ratio: number;
};

/** One page, with what it weighs as it is sent to a browser. */
function ask(url: string): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' } }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      response.once('end', () => {
        if (response.statusCode === 200) resolve({ ms: performance.now() - began, bytes });
        else reject(new Error(`${url} gave ${response.statusCode}`));
      });
    }).once('error', reject);
  });
}

/** The addresses in a sitemap, which `fetch` decompresses. */
async function locations(url: string): Promise<string[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} gave ${response.status}`);
  const xml = await response.text();
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, found = '']) => found.replaceAll('&amp;', '&'));
}

/** Addresses of pages by kind, out of the sitemap, and those of no record. */
async function addresses(url: string, most: number): Promise<Map<string, string[]>> {
  const random = new Random(7);
  const found = new Map<string, string[]>();
  const parts = await locations(`${url}/sitemap.xml`);
  if (parts.length === 0) throw new Error('the sitemap names no pages');
  const byKind = Map.groupBy(parts, (part) => /\/([a-z]+)(?:-\d+)?\.xml$/.exec(part)?.[1] ?? 'other');
  for (const [kind, files] of byKind) {
    const pages: string[] = [];
    for (const file of files) pages.push(...(await locations(file)));
    for (let left = pages.length; left > 1; ) {
      const at = random.whole(0, --left);
      [pages[at], pages[left]] = [pages[left] as string, pages[at] as string];
    }
    found.set(kind, pages.slice(0, most));
  }
  const letters = [...'abcdefghijklmnoprstvw'];
  found.set(
    'search',
    letters.flatMap((one) => letters.map((two) => `${url}/search?q=${one}${two}`)).slice(0, most),
  );
  const days = Array.from({ length: 60 }, (_, day) => Temporal.Now.plainDateISO().add({ days: day }));
  const periods = {
    day: days.map(String),
    week: [...new Set(days.map(weekText))],
    month: Array.from({ length: 12 }, (_, month) =>
      String(days[0]?.add({ months: month }).toPlainYearMonth()),
    ),
  };
  found.set('events from a day', days.map((day) => `${url}/events?from=${day}`).slice(0, most));
  const cities = found.get('city') ?? [];
  const genres = (found.get('genre') ?? []).map((page) => page.slice(page.lastIndexOf('/') + 1));
  for (const [kind, values] of Object.entries(periods)) {
    found.set(kind, values.map((when) => `${url}/events?when=${when}`).slice(0, most));
    found.set(`${kind} of a city`, combine(cities, values, 'when', most));
  }
  found.set('city and genre', combine(cities, genres, 'genre', most));
  const cityDays = combine(cities, periods.day, 'when', most);
  found.set(
    'city, genre, day',
    genres.length === 0 ? [] : cityDays.map((page, at) => `${page}&genre=${genres[at % genres.length]}`),
  );
  found.set(
    'subscriptions',
    (found.get('artist') ?? []).flatMap((page) => [`${page}.atom`, `${page}.ics`]).slice(0, most),
  );
  return found;
}

/** The ISO week of a day: 2026-W48. */
const weekText = ({ yearOfWeek, weekOfYear }: Temporal.PlainDate): string =>
  `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`;

/** The pages with each value of a parameter, beginning with different ones, so that few addresses have many of both. */
const combine = (
  pages: readonly string[],
  values: readonly string[],
  name: string,
  most: number,
): string[] => {
  if (pages.length === 0 || values.length === 0) return [];
  const rounds = Array.from({ length: Math.ceil(most / pages.length) }, (_, round) => round);
  const addresses = rounds.flatMap((round) =>
    pages.map((page, at) => `${page}?${name}=${values[(at + round) % values.length]}`),
  );
  return [...new Set(addresses)].slice(0, most);
};

function timesOf(some: readonly number[]): Times {
  const sorted = some.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  return { p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1) };
}
const round = (value: number): number => Math.round(value * 100) / 100;

/** A server that sends as many bytes as the request states. */
const bareSource = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(Buffer.alloc(Number(request.url.slice(1)), 97));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

async function startBare(): Promise<{ url: string; stop: () => Promise<number> }> {
  const worker = new Worker(bareSource, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() };
}

async function measure(kind: string, pages: readonly string[], bare: string): Promise<Row> {
  const first: Answer[] = [];
  for (const page of pages) first.push(await ask(page));
  const [again, plain]: number[][] = [[], []];
  for (const [at, page] of pages.entries()) {
    again?.push((await ask(page)).ms);
    plain?.push((await ask(`${bare}/${first[at]?.bytes}`)).ms);
  }
  const times = { first: timesOf(first.map(({ ms }) => ms)), again: timesOf(again ?? []) };
  const bareTimes = timesOf(plain ?? []);
  return {
    kind,
    pages: pages.length,
    maxBytes: Math.max(...first.map(({ bytes }) => bytes)),
    ...times,
    bare: bareTimes,
    ratio: round(times.first.p50Ms / bareTimes.p50Ms),
  };
}

/** Waits until the service has loaded the words of names, which takes a share of its processor time after a start. */
async function untilIdle(server: Running): Promise<void> {
  const maxShare = 0.05;
  const pauseMs = 1_000;
  for (let before = Number.NEGATIVE_INFINITY; server.processorMs() - before > maxShare * pauseMs; ) {
    before = server.processorMs();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function main(): Promise<void> {
  const note = (text: string) => console.error(text);
  const file = given.data ?? (await prepareCatalogue({ events: Number(given.events), note }));
  const program = findProgram(given.program);
  // One visitor asks for more than a network may, and no source is read meanwhile.
  const server = await startServer(program, file, { more: ['--no-sync', '--page-limit', '0'] });
  const bare = await startBare();
  try {
    const pages = await addresses(server.url, Number(given.pages));
    // The code is warm, the pages are not.
    for (const some of pages.values())
      for (const page of some.splice(0, Math.min(3, some.length - 1))) await ask(page);
    await untilIdle(server);
    const rows: Row[] = [];
    for (const [kind, some] of pages) if (some.length > 0) rows.push(await measure(kind, some, bare.url));
    print(program.description, rows);
  } finally {
    await bare.stop();
    await server.stop();
    agent.destroy();
  }
}

function print(program: string, rows: readonly Row[]): void {
  if (given.json) {
    console.log(JSON.stringify({ program, events: Number(given.events), rows, goals }));
    return;
  }
  console.log(
    `${program}, ${given.data ?? `${given.events} events`}; ms, one visitor; ratio of the first answers' p50 to the bare server's`,
  );
  console.log(
    'kind               pages  most bytes   first p50    p99  worst   again p50    p99   bare p50   ratio',
  );
  for (const { kind, pages, maxBytes, first, again, bare, ratio } of rows) {
    const figures = [first.p50Ms, first.p99Ms, first.worstMs, again.p50Ms, again.p99Ms, bare.p50Ms, ratio];
    const isMet = first.p99Ms < goals.p99Ms && maxBytes < goals.bytes;
    const widths = [12, 7, 7, 12, 7, 11, 8];
    const columns = figures.map((figure, at) => figure.toFixed(2).padStart(widths[at] as number));
    console.log(
      `${kind.padEnd(18)}${String(pages).padStart(6)}${String(maxBytes).padStart(12)}${columns.join('')}${isMet ? '' : '  MISSED'}`,
    );
  }
  console.log(`goal: p99 under ${goals.p99Ms} ms, under ${goals.bytes} bytes`);
}

if (given.help) console.log(usage);
else await main();
