/**
 * `npm run bench:sync` measures the latency of requests while a feed is imported into the served file, against the same
 * load without an import (docs/spec/imports.md#promises, promise 8), and the speed of the import, against the same import
 * into a copy that no process serves. Requests are sent at a constant rate, without waiting for answers. Half of the quiet
 * time is measured before the import and half after it, when the catalogue has grown.
 */
import { copyFileSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { mixedPaths, walkEvents } from './cases.ts';
import { makeCaller, prepareCatalogue } from './catalogue.ts';
import { generateFeed, generateSecondFeed } from './generate.ts';
import { verdict } from './measure.ts';
import { readBenchOptions } from './options.ts';
import { cpuSecondsOf, type ProgramRun, runProgram } from './program-run.ts';
import { findProgram, type Program, startServer } from './server.ts';
import { round, SteadyLoad, type Summary, summarize } from './steady-load.ts';

const usage = `npm run bench:sync -- [options]
  --events N      events that go in (20000)
  --served N      events that the served catalogue has before (20000)
  --rate N        requests a second (100)
  --quiet S       seconds without an import, half before and half after it (30)
  --sync          by \`sync\` of a source rather than by \`import\`
  --second-source half of the events are there already, from another source: each has to be matched
  --same          all events are there already, from another source
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --folder DIR    where the served catalogue is kept (bench/data)
  --json          print one JSON document`;

/** The p99 beside an import over the quiet one; the speed beside a server over the one without; the time of the import over its processor time. */
const goals = { p99Ratio: 3, speedRatio: 0.25, stretch: 3 };

/** The program compiles and fills its caches before it is measured. */
const warmUpMs = 5_000;

export type SyncOptions = {
  events: number;
  served: number;
  rate: number;
  /** Seconds. */
  quiet: number;
  feed: 'new' | 'second-source' | 'same';
  bySync: boolean;
  program: Program;
  /** Where the served catalogue is kept. */
  folder?: string | undefined;
  note: (text: string) => void;
};

export type SyncFigures = {
  events: number;
  served: number;
  rate: number;
  /** The same import while no process serves the file, and beside the server. */
  alone: ProgramRun;
  beside: ProgramRun;
  /** Processor time in s of the server during the import. */
  serverCpuSeconds: number | null;
  idle: Summary;
  during: Summary;
  /** What `goals` compares. */
  p99Ratio: number;
  speedRatio: number;
  stretch: number | null;
  /** Like `stretch`, without the time in which other programs had the processors. */
  ownStretch: number | null;
  goals: typeof goals;
};

/** Imports a feed into a catalogue without and with a server. */
export async function measureSync(options: SyncOptions): Promise<SyncFigures> {
  const { events, served, rate, program, note } = options;
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-bench-'));
  try {
    const [file, copy] = [join(folder, 'served.db'), join(folder, 'alone.db')];
    copyFileSync(await prepareCatalogue({ events: served, note, folder: options.folder }), file);
    copyFileSync(file, copy);
    const feed = join(folder, 'feed.ndjson');
    await pipeline(Readable.from(feedOf(options)), createWriteStream(feed));
    note('importing without a server …');
    const alone = await bring(options, feed, copy);
    rmSync(copy);
    note('importing beside a server …');
    const { beside, serverCpuSeconds, idle, during } = await besideServer(options, feed, file);
    return {
      ...{ events, served, rate, alone, beside, serverCpuSeconds, idle, during },
      p99Ratio: round(during.p99Ms / idle.p99Ms),
      speedRatio: round(alone.seconds / beside.seconds),
      stretch: beside.cpuSeconds === null ? null : round(beside.seconds / beside.cpuSeconds),
      ownStretch: ownStretchOf(beside),
      goals,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }

  /** Measures the load before, during and after the import. */
  async function besideServer({ quiet }: SyncOptions, feed: string, file: string) {
    const { key } = await makeCaller(file);
    const server = await startServer(program, file);
    const load = new SteadyLoad();
    await load.start(server.port, key, mixedPaths(await walkEvents(server.url, key), Date.now()), rate);
    await sleep(warmUpMs);
    await load.take();
    await sleep(quiet * 500);
    const before = await load.take();
    const cpuBefore = cpuSecondsOf(server.pid);
    const beside = await bring(options, feed, file);
    const cpuAfter = cpuSecondsOf(server.pid);
    const during = await load.take();
    await sleep(2_000);
    await load.take();
    await sleep(quiet * 500);
    const after = await load.take();
    await load.stop();
    await server.stop();
    const serverCpuSeconds = cpuBefore === null || cpuAfter === null ? null : round(cpuAfter - cpuBefore);
    return { beside, serverCpuSeconds, idle: summarize(before, after), during: summarize(during) };
  }
}

function ownStretchOf({ seconds, cpuSeconds, queuedSeconds }: ProgramRun): number | null {
  return cpuSeconds === null || queuedSeconds === null ? null : round((seconds - queuedSeconds) / cpuSeconds);
}

function feedOf({ events, served, feed }: SyncOptions): AsyncGenerator<Uint8Array> {
  const now = new Date();
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  if (feed === 'second-source') return generateSecondFeed({ events: served, today: month }, events);
  // A month and a bit later: shows that are not there yet.
  return generateFeed({ events, today: feed === 'same' ? month : month + 40 * 86_400_000 });
}

async function bring({ program, bySync }: SyncOptions, feed: string, file: string): Promise<ProgramRun> {
  if (!bySync) return await runProgram(program, ['import', feed, '--source', 'later', '--data', file]);
  // Not before: the server reads sources that are due by itself.
  await runProgram(program, ['sources', 'add', 'later', '--type', 'feed', '--url', feed, '--data', file]);
  return await runProgram(program, ['sync', 'later', '--data', file]);
}

function print(figures: SyncFigures, { program, feed }: SyncOptions): void {
  const { idle, during, alone, beside } = figures;
  const line = (name: string, { requests, failed, p50Ms, p99Ms, worstMs, clientLateMs }: Summary) =>
    console.log(
      `${name.padEnd(8)}${requests} requests, ${failed} failed: p50 ${p50Ms} ms, p99 ${p99Ms} ms, worst ${worstMs} ms; sent late by ${clientLateMs} ms (p99)`,
    );
  const run = (name: string, { seconds, cpuSeconds, queuedSeconds }: ProgramRun) =>
    console.log(
      `${name.padEnd(8)}${seconds} s, ${cpuSeconds ?? '?'} s of processor time, ${queuedSeconds ?? '?'} s of waiting for a processor`,
    );
  console.log(
    `${program.description}: ${figures.events} events (${feed}) into ${figures.served}, ${figures.rate} requests a second`,
  );
  run('alone', alone);
  run('beside', beside);
  console.log(`server  ${figures.serverCpuSeconds ?? '?'} s of processor time during the import`);
  line('quiet', idle);
  line('during', during);
  const { p99Ratio, speedRatio, stretch, ownStretch } = figures;
  console.log(
    `p99     ${p99Ratio} times the quiet one   goal ${goals.p99Ratio}   ${verdict(p99Ratio <= goals.p99Ratio)}`,
  );
  console.log(
    `speed   ${speedRatio} of the one without a server   goal ${goals.speedRatio}   ${verdict(speedRatio >= goals.speedRatio)}`,
  );
  console.log(
    `time    ${stretch ?? '?'} times the processor time of the import, ${ownStretch ?? '?'} times without the waiting for a processor   goal ${goals.stretch}   ${verdict(stretch === null ? null : stretch <= goals.stretch)}`,
  );
}

async function main(): Promise<void> {
  const { values: given } = readBenchOptions(usage, {
    options: {
      events: { type: 'string', default: '20000' },
      served: { type: 'string', default: '20000' },
      rate: { type: 'string', default: '100' },
      quiet: { type: 'string', default: '30' },
      sync: { type: 'boolean', default: false },
      'second-source': { type: 'boolean', default: false },
      same: { type: 'boolean', default: false },
      program: { type: 'string' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (given.help) {
    console.log(usage);
    return;
  }
  const options: SyncOptions = {
    events: Number(given.events),
    served: Number(given.served),
    rate: Number(given.rate),
    quiet: Number(given.quiet),
    feed: given['second-source'] ? 'second-source' : given.same ? 'same' : 'new',
    bySync: given.sync,
    program: findProgram(given.program),
    folder: given.folder,
    note: (text) => console.error(text),
  };
  const figures = await measureSync(options);
  if (given.json) console.log(JSON.stringify({ program: options.program.description, ...figures }));
  else print(figures, options);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
