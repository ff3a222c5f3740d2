/**
 * `npm run bench:flood` measures the latency of one caller with a key while other clients send as many requests as they
 * can, and compares it with the latency before. Each flood meets a newly started server. The caller's requests are sent
 * at a constant rate, without waiting for answers.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mixedPaths, walkEvents } from './cases.ts';
import { describeCatalogue, makeCaller, makeFreeKeys, prepareCatalogue } from './catalogue.ts';
import { Child } from './child.ts';
import type { Answers, Flood, FloodHandlers } from './flood-client.ts';
import { readBenchOptions } from './options.ts';
import { findProgram, type Program, startServer } from './server.ts';
import { round, SteadyLoad, type Summary, summarize } from './steady-load.ts';

const usage = `npm run bench:flood -- [options]
  --events N      events in the catalogue (20000)
  --seconds S     of each flood, and of the quiet before it (8)
  --rate N        requests a second of the caller who is measured (100)
  --only A,B      some of the floods: words, crowd, paths, maps, batches
  --before FILE   another executable or bin/cratebase.mjs, which meets the same floods first
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --folder DIR    where catalogues are kept (bench/data)
  --json          print one JSON document`;

const goal = 3;
const warmUpMs = 2_000;
const freeKeys = 20;
const { values: given } = readBenchOptions(usage, {
  options: {
    events: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '8' },
    rate: { type: 'string', default: '100' },
    only: { type: 'string' },
    before: { type: 'string' },
    program: { type: 'string' },
    folder: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Case = Pick<Flood, 'kind' | 'connections'> & { name: string; what: string };
const cases: readonly Case[] = [
  { name: 'words', kind: 'words', connections: 8, what: 'six unknown words, 8 connections' },
  { name: 'crowd', kind: 'words', connections: 200, what: 'six unknown words, 200 connections' },
  { name: 'paths', kind: 'paths', connections: 8, what: 'unknown paths, 8 connections' },
  { name: 'maps', kind: 'maps', connections: 8, what: 'parts of the sitemap, 8 connections' },
  {
    name: 'batches',
    kind: 'batches',
    connections: 8,
    what: `MCP batches, ${freeKeys} keys of a free account`,
  },
];

type Result = {
  flood: string;
  program: string;
  quiet: Summary;
  under: Summary;
  ratio: number;
  answers: Answers;
};

/** One flood on one program, on a copy of the catalogue. */
async function measure(one: Case, program: Program, catalogue: string, flooder: Child<FloodHandlers>) {
  const [seconds, rate] = [Number(given.seconds), Number(given.rate)];
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-bench-'));
  try {
    const file = join(folder, 'served.db');
    copyFileSync(catalogue, file);
    const { key } = await makeCaller(file);
    const keys = one.kind === 'batches' ? await makeFreeKeys(file, freeKeys) : [];
    const server = await startServer(program, file);
    // Checking a key for the first time takes long, on other threads: that is not what is measured.
    for (const free of keys) {
      await fetch(`${server.url}/api/v1/stats`, { headers: { authorization: `Bearer ${free}` } });
    }
    const load = new SteadyLoad();
    await load.start(server.port, key, mixedPaths(await walkEvents(server.url, key), Date.now()), rate);
    await sleep(warmUpMs);
    await load.take();
    await sleep(seconds * 1_000);
    const quiet = summarize(await load.take());
    const { kind, connections } = one;
    const answers = await flooder.call('flood', { port: server.port, kind, connections, seconds, keys });
    const under = summarize(await load.take());
    await load.stop();
    await server.stop();
    const ratio = round(under.p99Ms / quiet.p99Ms);
    return { flood: one.what, program: program.description, quiet, under, ratio, answers };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print({ flood, program, quiet, under, ratio, answers }: Result): void {
  const times = ({ p50Ms, p99Ms, worstMs }: Summary) => `p50 ${p50Ms}, p99 ${p99Ms}, worst ${worstMs} ms`;
  const failed = under.failed === 0 ? '' : `, ${under.failed} of ${under.requests} failed`;
  const counts = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
  console.log(`${flood}: ${program}`);
  console.log(`  quiet ${times(quiet)}`);
  console.log(`  under ${times(under)}${failed}; the flood got ${counts.join(', ')}`);
  console.log(`  p99 ${ratio} times (goal: at most ${goal})`);
}

async function main(): Promise<void> {
  const events = Number(given.events);
  const wanted = given.only?.split(',') ?? cases.map(({ name }) => name);
  const note = (text: string) => console.error(text);
  const folder = given.folder === undefined ? {} : { folder: given.folder };
  const catalogue = await prepareCatalogue({ events, note, ...folder });
  const programs = [
    ...(given.before === undefined ? [] : [findProgram(given.before)]),
    findProgram(given.program),
  ];
  const flooder = new Child<FloodHandlers>('flood-client.ts');
  const results: Result[] = [];
  try {
    if (!given.json) console.log(describeCatalogue(events));
    for (const one of cases.filter(({ name }) => wanted.includes(name))) {
      for (const program of programs) {
        const result = await measure(one, program, catalogue, flooder);
        results.push(result);
        if (!given.json) print(result);
      }
    }
  } finally {
    await flooder.stop();
  }
  if (given.json) console.log(JSON.stringify({ events, rate: Number(given.rate), goal, results }));
}

if (given.help) console.log(usage);
else await main();
