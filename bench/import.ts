/**
 * `npm run bench:import` measures the speed of the import of a feed, as a share of a plain insert loop of the resulting rows
 * on the same machine in the same minutes, and the peak memory of both. Both run from one JavaScript file, as the
 * executable does, because a loader of TypeScript takes 30 MB.
 */
import { type ChildProcess, fork } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { build } from 'esbuild';
import { importFeed } from '../src/ingest/import/import-feed.ts';
import { openDatabase } from '../src/store/database.ts';
import { generateFeed } from './generate.ts';

const usage = `npm run bench:import -- [options]
  --events N       events in the feed (100000), each with one to eight on its line-up
  --shared         import as beside a server that accounts may ask
  --profile DIR    write the import's CPU profile there
  --keep FILE      leave the imported file there
  --folder DIR     where the files lie while it runs (the system's folder for such)
  --json           print one JSON document`;

const goals = { share: 0.25, memoryMb: 400 };
/** Rows that the bare loop reads, then inserts in one transaction. */
const bareBatch = 10_000;
const today = Date.UTC(2026, 10, 1);
/** As deep in the repository as this file: what it reads is found from there. */
const bundle = fileURLToPath(new URL('.import.mjs', import.meta.url));

type Phase = 'import' | 'bare';
type Job = { phase: Phase; feed: string; file: string; target: string; alone: boolean };
type Figures = { seconds: number; cpuSeconds: number; rows: number; lineup: number; peakMb: number };

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    shared: { type: 'boolean', default: false },
    profile: { type: 'string' },
    keep: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const phases: Record<Phase, (job: Job) => Promise<Figures> | Figures> = {
  import: importIt,
  bare: insertIt,
};

if (process.send) process.once('message', (job: Job) => void answer(job));
else if (given.help) console.log(usage);
else await main();

async function answer(job: Job): Promise<void> {
  const figures = await phases[job.phase](job);
  process.send?.(figures);
  process.disconnect();
}

async function main(): Promise<void> {
  const events = Number(given.events);
  if (!Number.isInteger(events) || events < 1)
    throw new Error(`--events is a whole number, not ${given.events}`);
  const folder = mkdtempSync(join(given.folder, 'cratebase-bench-'));
  try {
    await build({
      entryPoints: [fileURLToPath(import.meta.url)],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      keepNames: true,
    });
    const files = { feed: join(folder, 'feed'), file: join(folder, 'a.db'), target: join(folder, 'b.db') };
    console.error('writing the feed …');
    await pipeline(Readable.from(generateFeed({ events, today })), createWriteStream(files.feed));
    console.error(`importing ${Math.round(statSync(files.feed).size / 1e6)} MB …`);
    const imported = await run({ ...files, phase: 'import', alone: !given.shared });
    console.error('the same rows in a bare loop …');
    const bare = await run({ ...files, phase: 'bare', alone: !given.shared });
    if (given.keep) renameSync(files.file, given.keep);
    print(events, imported, bare);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(bundle, { force: true });
  }
}

/** Runs a phase in a process of its own, so that its memory is its own. */
async function run(job: Job): Promise<Figures> {
  const profile =
    job.phase === 'import' && given.profile ? ['--cpu-prof', `--cpu-prof-dir=${given.profile}`] : [];
  const child: ChildProcess = fork(bundle, [], { execArgv: profile });
  child.send(job);
  return await new Promise((resolve, reject) => {
    let figures: Figures | undefined;
    child.once('message', (message) => {
      figures = message as Figures;
    });
    child.once('exit', (code) => {
      if (figures) resolve(figures);
      else reject(new Error(`${job.phase} ended with ${code}`));
    });
  });
}

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

async function importIt({ feed, file, alone }: Job): Promise<Figures> {
  const sqlite = openDatabase(file, { create: true });
  const began = performance.now();
  const cpu = process.cpuUsage();
  const report = await importFeed(sqlite, {
    source: 'bench',
    type: 'feed',
    now: today,
    input: createReadStream(feed),
    alone,
    onRejected: ({ line, reason }) => {
      throw new Error(`The generated feed is wrong in line ${line}: ${reason}`);
    },
  });
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = cpuSince(cpu);
  const lineup = sqlite.prepare('SELECT count(*) FROM lineups').pluck().get() as number;
  sqlite.close();
  return { seconds, cpuSeconds, rows: report.kinds.event?.created ?? 0, lineup, peakMb: peakMb() };
}

/** Every row of every table into a new file of the same schema, and the names into its full-text index. */
function insertIt({ file, target }: Job): Figures {
  const from = new Database(file, { readonly: true });
  const to = openDatabase(target, { create: true });
  to.pragma('foreign_keys = OFF');
  to.pragma('cache_size = -64000');
  let [ms, cpuSeconds, rows] = [0, 0, 0];
  const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map((match) => match[1] as string);
  const copy = (table: string, read: string, insert: string) => {
    const statement = to.prepare(insert);
    const insertAll = to.transaction((batch: unknown[][]) => {
      for (const row of batch) statement.run(...row);
    });
    for (const batch of batches(from.prepare(read).raw().iterate() as Iterable<unknown[]>)) {
      const began = performance.now();
      const cpu = process.cpuUsage();
      insertAll(batch);
      cpuSeconds += cpuSince(cpu);
      ms += performance.now() - began;
      rows += batch.length;
    }
    void table;
  };
  for (const table of tables) {
    const width = from.prepare(`SELECT * FROM ${table}`).columns().length;
    const places = Array.from({ length: width }, () => '?').join(', ');
    copy(table, `SELECT * FROM ${table}`, `INSERT OR REPLACE INTO ${table} VALUES (${places})`);
  }
  copy(
    'name_search',
    "SELECT id, terms FROM names WHERE terms <> '' ORDER BY id",
    'INSERT INTO name_search (rowid, terms) VALUES (CAST(? AS INTEGER), ?)',
  );
  to.close();
  return { seconds: ms / 1_000, cpuSeconds, rows, lineup: 0, peakMb: peakMb() };
}

/** Time that the process had the processor for, s: what other work on the machine cannot lengthen much. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function* batches(rows: Iterable<unknown[]>): Generator<unknown[][]> {
  let batch: unknown[][] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < bareBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function print(events: number, imported: Figures, bare: Figures): void {
  const share = bare.seconds / imported.seconds;
  const result = {
    events,
    lineup: imported.lineup,
    rows: bare.rows,
    import: {
      seconds: round(imported.seconds),
      cpuSeconds: round(imported.cpuSeconds),
      eventsPerSecond: Math.round(events / imported.seconds),
      peakMb: imported.peakMb,
    },
    bare: {
      seconds: round(bare.seconds),
      cpuSeconds: round(bare.cpuSeconds),
      eventsPerSecond: Math.round(events / bare.seconds),
      peakMb: bare.peakMb,
    },
    share: round(share),
    cpuShare: round(bare.cpuSeconds / imported.cpuSeconds),
    goals,
  };
  if (given.json) console.log(JSON.stringify(result));
  else {
    console.log(`${events} events, ${imported.lineup} line-up entries, ${bare.rows} rows in all`);
    console.log(
      `import  ${result.import.seconds} s (${result.import.cpuSeconds} s of processor time)  ${result.import.eventsPerSecond} events/s  ${imported.peakMb} MB`,
    );
    console.log(
      `bare    ${result.bare.seconds} s (${result.bare.cpuSeconds} s of processor time)  ${result.bare.eventsPerSecond} events/s  ${bare.peakMb} MB`,
    );
    console.log(
      `share   ${result.share}, of processor time ${result.cpuShare} (goal: ${goals.share}); memory under ${goals.memoryMb} MB`,
    );
  }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
