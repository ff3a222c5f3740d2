/**
 * `npm run bench:turns` measures the longest turns of the service's event loop while callers are hostile, in processor
 * time of its main thread: other work of the machine hardly changes them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, constants as fileModes, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../src/store/database.ts';
import { type Caller, makeCaller, prepareCatalogue, revokeCaller } from './catalogue.ts';
import { Child } from './child.ts';
import type { Sent } from './connections.ts';
import { readBenchOptions } from './options.ts';
import { type Attack, attacksOf } from './turns-attacks.ts';
import type { Answers, TurnsHandlers } from './turns-client.ts';
import { mixedOf } from './turns-requests.ts';

const usage = `npm run bench:turns -- [options]
  --events N      events in the catalogue (100000)
  --data FILE     another data file; it is copied
  --in-place      serve the file itself: it gains and loses a key, and counts of requests
  --folder DIR    where catalogues and copies are kept (bench/data)
  --seconds S     of each attack (5)
  --mixed A,B     instead of attacks, requests of all sorts at these constant rates per second, one after the other
  --only A,B      attacks whose name has one of the texts, which have no comma
  --before FILE   bin/cratebase.mjs of another checkout instead of this one
  --profile       print the functions of the longest turns
  --json          print one JSON document`;

const goalMs = 20;
/** How long the service may take to load the words of a name, in ms. Until then, words with typos take longer. */
const loadMsPerName = 0.02;
const root = fileURLToPath(new URL('../', import.meta.url));

const { values: given } = readBenchOptions(usage, {
  options: {
    events: { type: 'string', default: '100000' },
    data: { type: 'string' },
    'in-place': { type: 'boolean', default: false },
    folder: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    mixed: { type: 'string' },
    only: { type: 'string', default: '' },
    before: { type: 'string' },
    profile: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Turns = { turns: number; p50Ms: number; p9999Ms: number; worstMs: number; over: number };
type LongTurn = { ms: number; stacks: string[] };
type Result = Turns & { attack: string; connections: number; answers: Answers };

/** The service, with the script that measures its turns. */
class MeasuredService {
  readonly #process: ChildProcess;
  port = 0;

  constructor(script: string, file: string) {
    const preload = fileURLToPath(new URL('turns-inside.mjs', import.meta.url));
    // No limit for visitors: attackers have many networks.
    const options = ['--port', '0', '--json', '--no-sync', '--page-limit', '0'];
    this.#process = spawn(
      process.execPath,
      ['--import', preload, script, 'serve', '--data', file, ...options],
      {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      },
    );
  }

  /** Resolves when the service answers. */
  async start(): Promise<void> {
    let out = '';
    for await (const piece of this.#process.stdout ?? []) {
      out += piece;
      if (out.includes('\n')) break;
    }
    if (!out.includes('\n')) throw new Error('The service did not start.');
    this.port = Number(new URL((JSON.parse(out) as { url: string }).url).port);
  }

  ask<T>(turns: 'reset' | 'report' | 'profile' | 'profiled'): Promise<T> {
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error('The service ended.'));
      this.#process.once('exit', failed);
      this.#process.once('message', (message) => {
        this.#process.off('exit', failed);
        resolve((message as { turns: T }).turns);
      });
      this.#process.send({ turns });
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
  }
}

/** The parameters of pages all over the list of events: some of each of six years. */
async function readCursors(url: string, key: string): Promise<string[]> {
  const cursors: string[] = [];
  for (let year = 0; year < 6; year++) {
    const from = new Date(Date.now() - year * 360 * 86_400_000).toISOString().slice(0, 10);
    let query = `limit=100&from=${from}`;
    for (let page = 0; page < 8; page++) {
      const response = await fetch(`${url}/api/v1/events?${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { page: position } = (await response.json()) as { page: { next_cursor: string | null } };
      if (position.next_cursor === null) break;
      const next = `from=${from}&cursor=${encodeURIComponent(position.next_cursor)}`;
      cursors.push(next);
      query = `limit=100&${next}`;
    }
  }
  return cursors;
}

/** The paths of all parts of the sitemap. */
async function readParts(url: string): Promise<string[]> {
  const index = await (await fetch(`${url}/sitemap.xml`)).text();
  return [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, part]) => new URL(part as string).pathname);
}

/** The pictures that pages of records show. */
async function readPictures(url: string, parts: readonly string[]): Promise<string[]> {
  const pictures = new Set<string>();
  for (const part of parts.slice(0, 4)) {
    const map = await (await fetch(url + part)).text();
    const pages = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].slice(0, 8);
    for (const [, page] of pages) {
      const { pathname } = new URL(page as string);
      const html = await (await fetch(url + pathname, { headers: { accept: 'text/html' } })).text();
      for (const [path] of html.matchAll(/\/media\/[^"' ,&]+/g)) pictures.add(path);
    }
  }
  return [...pictures, '/media/unknown'];
}

async function attack(
  service: MeasuredService,
  client: Child<TurnsHandlers>,
  one: Attack,
  connections: number,
): Promise<Result> {
  const [seconds, port] = [Number(given.seconds), service.port];
  const flood = { port, connections, requests: one.requests };
  // Compiles the code of the requests.
  if (one.kind !== 'idle') await client.call('flood', { ...flood, seconds: 1, connections: 4 });
  await sleep(500);
  if (given.profile) await service.ask('profile');
  await service.ask('reset');
  const [answers] =
    one.kind === 'idle'
      ? [await client.call('idle', { port, connections, seconds })]
      : await Promise.all([
          client.call('flood', { ...flood, seconds }),
          ...(one.name === '/changes' ? [client.call('slowReader', { ...flood, seconds })] : []),
        ]);
  const turns = await service.ask<Turns>('report');
  if (given.profile) printLong(await service.ask<LongTurn[]>('profiled'));
  return { attack: one.name, connections, ...turns, answers };
}

function printLong(turns: readonly LongTurn[]): void {
  for (const { ms, stacks } of turns.filter(({ ms: spent }) => spent > goalMs / 2).slice(0, 3)) {
    console.log(`--- a turn of ${ms.toFixed(1)} ms\n${stacks.join('\n')}`);
  }
}

/** Sends requests of all sorts at a constant rate, and prints how long they waited. */
async function loadMixed(
  service: MeasuredService,
  client: Child<TurnsHandlers>,
  requests: Sent[],
  rate: number,
): Promise<object> {
  const load = { port: service.port, requests, rate };
  await client.call('steady', { ...load, rate: Math.min(rate, 100), seconds: 5 });
  if (given.profile) await service.ask('profile');
  await service.ask('reset');
  const { ms, answers } = await client.call('steady', { ...load, seconds: Number(given.seconds) });
  const turns = await service.ask<Turns>('report');
  if (given.profile) printLong(await service.ask<LongTurn[]>('profiled'));
  const sorted = Float64Array.from(ms).sort();
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  const waits = [0.5, 0.99, 0.999, 0.9999, 1].map(at);
  const counts = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
  if (!given.json)
    console.log(
      `${line([`${rate} requests/s`, ...waits.map((wait) => wait.toFixed(1)), turns.worstMs.toFixed(1), turns.over])}  ${counts.join(', ')}`,
    );
  const [p50Ms, p99Ms, p999Ms, p9999Ms, worstMs] = waits;
  return { rate, waits: { p50Ms, p99Ms, p999Ms, p9999Ms, worstMs }, turns, answers };
}

const mixedHead = ['waits in ms', 'p50', 'p99', 'p99.9', 'p99.99', 'worst', 'worst turn', '> 20 ms'];

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(34) : String(cell).padStart(12))).join('');

function print({ attack: name, connections, turns, p9999Ms, worstMs, over, answers }: Result): void {
  const counts = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
  console.log(
    `${line([name, connections, turns, p9999Ms.toFixed(1), worstMs.toFixed(1), over])}  ${counts.join(', ')}`,
  );
}

async function main(): Promise<void> {
  const events = Number(given.events);
  const note = (text: string) => console.error(text);
  const catalogue = given.data ?? (await prepareCatalogue({ events, note, folder: given.folder }));
  const folder = given['in-place'] ? null : mkdtempSync(join(given.folder ?? dirname(catalogue), 'turns-'));
  const file = folder === null ? catalogue : join(folder, 'served.db');
  const client = new Child<TurnsHandlers>('turns-client.ts');
  let service: MeasuredService | null = null;
  let caller: Caller | null = null;
  try {
    if (folder !== null) copyFileSync(catalogue, file, fileModes.COPYFILE_FICLONE);
    caller = await makeCaller(file);
    const { key } = caller;
    service = new MeasuredService(given.before ?? join(root, 'bin', 'cratebase.mjs'), file);
    await service.start();
    const url = `http://127.0.0.1:${service.port}`;
    const sqlite = openDatabase(file, { create: false });
    const parts = await readParts(url);
    const [cursors, pictures] = [await readCursors(url, key), await readPictures(url, parts)];
    const attacks = attacksOf(file, sqlite, { key, cursors, parts, pictures });
    const names = sqlite.prepare('SELECT count(*) FROM names').pluck().get() as number;
    sqlite.close();
    await sleep(names * loadMsPerName);
    if (given.mixed !== undefined) {
      const loads: object[] = [];
      if (!given.json) console.log(line(mixedHead));
      const requests = mixedOf(attacks, key);
      for (const rate of given.mixed.split(',').map(Number))
        loads.push(await loadMixed(service, client, requests, rate));
      if (given.json) console.log(JSON.stringify({ goalMs, loads }, null, 2));
      return;
    }
    const wanted = given.only.split(',');
    const results: Result[] = [];
    if (!given.json)
      console.log(line(['attack', 'connections', 'turns', 'p99.99 ms', 'worst ms', '> 20 ms']));
    for (const one of attacks.filter(({ name }) => wanted.some((text) => name.includes(text)))) {
      for (const connections of one.connections) {
        const result = await attack(service, client, one, connections);
        results.push(result);
        if (!given.json) print(result);
      }
    }
    if (given.json) console.log(JSON.stringify({ goalMs, results }, null, 2));
  } finally {
    await client.stop();
    await service?.stop();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    else if (caller !== null) await revokeCaller(file, caller);
  }
}

if (given.help) console.log(usage);
else await main();
