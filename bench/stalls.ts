/**
 * `npm run bench:stalls` measures the longest waits of one client that sends one request after the other over one
 * connection; usage counting and its checkpoints cause them. The programs take turns with plain node:http between them,
 * so that a disturbance of the machine affects all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { BareHandlers } from './bare.ts';
import { Child } from './child.ts';
import { readBenchOptions } from './options.ts';
import { findProgram, type Program } from './server.ts';

const usage = `npm run bench:stalls -- [options]
  --requests N    of each side (20000)
  --program FILE  another executable than dist/cratebase (which, where it is not up to date, is run from source)
  --before FILE   a program to compare with, such as bin/cratebase.mjs of an older checkout
  --json          print one JSON document`;

const path = '/api/v1/events?limit=50';
const rounds = 5;
/** Requests that are not measured, while code is compiled. */
const warmUp = 500;

type Side = { name: string; ms: number[]; port: number; key: string; stop: () => Promise<void> };
export type Stalls = {
  name: string;
  requests: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  worstMs: number;
  /** Answers that took longer than 20 ms. */
  over20Ms: number;
};

/** Starts a program over a new data file in `folder`. */
async function startSide(name: string, program: Program, folder: string): Promise<Side> {
  const data = join(folder, `${name}.db`);
  const limits = ['--plan', 'pro', '--window', '1000000000', '--quota', '1000000000'];
  const args = ['serve', '--dev', '--json', '--data', data, '--port', '0', '--no-sync', ...limits];
  const child = spawn(program.command, [...program.args, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  for await (const piece of child.stdout) {
    out += piece;
    if (out.includes('\n')) break;
  }
  child.stdout.resume();
  const { url, key } = JSON.parse(out) as { url: string; key: string };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { name, ms: [], port: Number(new URL(url).port), key, stop };
}

/** node:http, answering with the same bytes. */
async function startBare(like: Side): Promise<Side> {
  const bare = new Child<BareHandlers>('bare.ts');
  const port = await bare.call('listen', undefined);
  await bare.call('learn', { from: `http://127.0.0.1:${like.port}`, key: like.key, paths: [path] });
  return { name: 'node:http alone', ms: [], port, key: like.key, stop: () => bare.stop() };
}

/** Asks `count` times over one connection, the next when the last is answered; gives how long each took, in ms. */
async function askAgain({ port, key }: Side, count: number): Promise<number[]> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const ms: number[] = [];
  try {
    while (ms.length < count) {
      const began = performance.now();
      socket.write(request, 'latin1');
      await answered(socket);
      ms.push(performance.now() - began);
    }
  } finally {
    socket.destroy();
  }
  return ms;
}

/** Resolves when one whole answer is there; rejects where it is none with status 200. */
function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let heard: Buffer = Buffer.alloc(0);
    const done = (failure?: Error) => {
      socket.off('data', read).off('close', broken);
      if (failure) reject(failure);
      else resolve();
    };
    const broken = () => done(new Error('The server closed the connection.'));
    const read = (piece: Buffer) => {
      heard = heard.length === 0 ? piece : Buffer.concat([heard, piece]);
      const end = heard.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = heard.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
      if (head.slice(9, 12) !== '200') done(new Error(`Not an answer to measure: ${head}`));
      else if (heard.length >= end + 4 + length) done();
    };
    socket.on('data', read).on('close', broken);
  });
}

function summarize({ name, ms }: Side): Stalls {
  const sorted = Float64Array.from(ms).sort();
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3));
  return {
    name,
    requests: ms.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    p999Ms: at(0.999),
    worstMs: at(1),
    over20Ms: ms.filter((one) => one > 20).length,
  };
}

async function measure(programs: readonly [string, Program][], requests: number): Promise<Stalls[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-stalls-'));
  const sides: Side[] = [];
  try {
    for (const [name, program] of programs) sides.push(await startSide(name, program, folder));
    sides.push(await startBare(sides[0] as Side));
    for (const side of sides) await askAgain(side, warmUp);
    for (let round = 0; round < rounds; round++) {
      for (const side of sides) side.ms.push(...(await askAgain(side, Math.ceil(requests / rounds))));
    }
    return sides.map(summarize);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function render(results: readonly Stalls[]): string {
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(18) : String(cell).padStart(10))).join('');
  const rows = results.map((one) =>
    line([one.name, one.requests, one.p50Ms, one.p99Ms, one.p999Ms, one.worstMs, one.over20Ms]),
  );
  return [line(['', 'requests', 'p50 ms', 'p99 ms', 'p99.9 ms', 'worst ms', '> 20 ms']), ...rows].join('\n');
}

const { values } = readBenchOptions(usage, {
  options: {
    requests: { type: 'string', default: '20000' },
    program: { type: 'string' },
    before: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const requests = Number(values.requests);
if (values.help) console.log(usage);
else if (!Number.isInteger(requests) || requests < rounds) {
  console.error(`--requests is a whole number, ${rounds} at least, not ${values.requests}.\n\n${usage}`);
  process.exitCode = 2;
} else {
  const programs: [string, Program][] = [['cratebase', findProgram(values.program)]];
  if (values.before !== undefined) programs.push(['before', findProgram(values.before)]);
  const results = await measure(programs, requests);
  console.log(values.json ? JSON.stringify(results) : render(results));
}
