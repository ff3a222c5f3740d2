/**
 * `npm run bench:sync` measures the latency of requests while a feed is imported into the served file, against the same
 * load without an import (docs/spec/imports.md#promises, promise 8). Requests are sent at a constant rate, without waiting
 * for answers. Half of the quiet time is measured before the import and half after it, when the catalogue has grown.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mixedPaths, walkEvents } from './cases.ts';
import { makeCaller, prepareCatalogue } from './catalogue.ts';
import { generateFeed } from './generate.ts';
import { findProgram, type Program, startServer } from './server.ts';
import { round, SteadyLoad, type Summary, summarize } from './steady-load.ts';

const usage = `npm run bench:sync -- [options]
  --events N      events that go in (20000)
  --served N      events that the served catalogue has before (20000)
  --rate N        requests a second (100)
  --quiet S       seconds without an import, half before and half after it (30)
  --sync          by \`sync\` of a source rather than by \`import\`
  --same          the events that are there already, from another source: each has to be matched
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --json          print one JSON document`;

const goal = 3;
const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    served: { type: 'string', default: '20000' },
    rate: { type: 'string', default: '100' },
    quiet: { type: 'string', default: '30' },
    sync: { type: 'boolean', default: false },
    same: { type: 'boolean', default: false },
    program: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Runs the program to its end; resolves with the seconds it took. */
function runProgram({ command, args }: Program, more: readonly string[]): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (piece) => {
      said = (said + piece).slice(-2_000);
    });
    child.once('error', reject);
    child.once('exit', (status) => {
      if (status === 0) resolve((performance.now() - began) / 1_000);
      else reject(new Error(`${more[0]} ended with ${status}: ${said}`));
    });
  });
}

async function main(): Promise<void> {
  const [events, served] = [Number(given.events), Number(given.served)];
  const [rate, quiet] = [Number(given.rate), Number(given.quiet)];
  const note = (text: string) => console.error(text);
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-bench-'));
  try {
    const file = join(folder, 'served.db');
    copyFileSync(await prepareCatalogue({ events: served, note }), file);
    const feed = join(folder, 'feed.ndjson');
    // A month and a bit later: shows that are not there yet.
    const now = new Date();
    const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
    const today = given.same ? month : month + 40 * 86_400_000;
    await pipeline(Readable.from(generateFeed({ events, today })), createWriteStream(feed));
    const { key } = await makeCaller(file);
    const program = findProgram(given.program);
    const bringing = given.sync
      ? ['sync', 'later', '--data', file]
      : ['import', feed, '--source', 'later', '--data', file];
    const server = await startServer(program, file);
    const load = new SteadyLoad(server.url, key, mixedPaths(await walkEvents(server.url, key), Date.now()));
    const sending = load.run(rate);
    await sleep(5_000);
    load.take();
    await sleep(quiet * 500);
    const before = load.take();
    // Not before: the server reads sources that are due by itself.
    if (given.sync) {
      await runProgram(program, ['sources', 'add', 'later', '--type', 'feed', '--url', feed, '--data', file]);
    }
    const seconds = await runProgram(program, bringing);
    const during = load.take();
    await sleep(2_000);
    load.take();
    await sleep(quiet * 500);
    const after = load.take();
    load.stop();
    await sending;
    await server.stop();
    print(
      { program: program.description, events, served, rate, seconds: round(seconds) },
      summarize(before, after),
      summarize(during),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print(what: Record<string, string | number>, idle: Summary, during: Summary): void {
  const ratio = round(during.p99Ms / idle.p99Ms);
  if (given.json) {
    console.log(JSON.stringify({ ...what, idle, during, ratio, goal }));
    return;
  }
  const line = (name: string, { requests, failed, p50Ms, p99Ms, worstMs }: Summary) =>
    console.log(
      `${name.padEnd(8)}${requests} requests, ${failed} failed: p50 ${p50Ms} ms, p99 ${p99Ms} ms, worst ${worstMs} ms`,
    );
  console.log(
    `${what.program}: ${what.events} events into ${what.served} in ${what.seconds} s, ${what.rate} requests a second`,
  );
  line('quiet', idle);
  line('during', during);
  console.log(`p99     ${ratio} times (goal: at most ${goal})`);
}

if (given.help) console.log(usage);
else await main();
