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
import Database from 'better-sqlite3';
import { build } from 'esbuild';
import { importFeed } from '../src/ingest/import/import-feed.ts';
import { fileChunkBytes } from '../src/sources/common/input-items.ts';
import { openDatabase } from '../src/store/database.ts';
import { generateFeed, generateSecondFeed } from './generate.ts';
import { readBenchOptions } from './options.ts';

const usage = `npm run bench:import -- [options]
  --events N       events in the feed (100000), each with one to eight on its line-up
  --second-source  then as many events of a second source, which lists half of the same shows
  --shared         import as beside a server that accounts may ask
  --profile DIR    write the import's CPU profile there
  --keep FILE      leave the imported file there
  --folder DIR     where the files lie while it runs (the system's folder for such)
  --json           print one JSON document`;

/** `secondShare`: the speed of the second source as a share of the speed into the empty file. */
const goals = { share: 0.3, secondShare: 0.5, memoryMb: 400 };
/** Rows that the bare loop reads, then inserts in one transaction. */
const bareBatch = 10_000;
const today = Date.UTC(2026, 10, 1);
/** As deep in the repository as this file: what it reads is found from there. */
const bundle = fileURLToPath(new URL('.import.mjs', import.meta.url));

type Phase = 'import' | 'bare';
type Job = { phase: Phase; source: string; feed: string; file: string; target: string; isServed: boolean };
type Phased = {
  seconds: number;
  cpuSeconds: number;
  rows: number;
  matched: number;
  lineup: number;
  peakMb: number;
};

export type ImportBenchOptions = {
  events: number;
  secondSource: boolean;
  /** Whether to import as beside a server. */
  shared: boolean;
  profile?: string | undefined;
  keep?: string | undefined;
  folder: string;
  note: (text: string) => void;
};
export type ImportSpeed = { seconds: number; cpuSeconds: number; eventsPerSecond: number; peakMb: number };
export type ImportBenchFigures = {
  events: number;
  lineup: number;
  rows: number;
  import: ImportSpeed;
  bare: ImportSpeed;
  /** The time of the bare loop over that of the import, and the same of processor time. */
  share: number;
  cpuShare: number;
  /** The second source; its speed over that of `import`, and the same of processor time; null without one. */
  second: (ImportSpeed & { matched: number; share: number; cpuShare: number }) | null;
  goals: typeof goals;
};

const phases: Record<Phase, (job: Job) => Promise<Phased> | Phased> = {
  import: importIt,
  bare: insertIt,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.send) process.once('message', (job: Job) => void answer(job));
  else await main();
}

async function answer(job: Job): Promise<void> {
  const figures = await phases[job.phase](job);
  process.send?.(figures);
  process.disconnect();
}

async function main(): Promise<void> {
  const { values: given } = readBenchOptions(usage, {
    options: {
      events: { type: 'string', default: '100000' },
      'second-source': { type: 'boolean', default: false },
      shared: { type: 'boolean', default: false },
      profile: { type: 'string' },
      keep: { type: 'string' },
      folder: { type: 'string', default: tmpdir() },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (given.help) {
    console.log(usage);
    return;
  }
  const { folder, keep, profile, shared } = given;
  const figures = await measureImport({
    events: Number(given.events),
    secondSource: given['second-source'],
    ...{ folder, keep, profile, shared },
    note: (text) => console.error(text),
  });
  if (given.json) console.log(JSON.stringify(figures));
  else print(figures);
}

/** Imports a feed into an empty file, then a second source into it; inserts the rows of the first in a bare loop. */
export async function measureImport(options: ImportBenchOptions): Promise<ImportBenchFigures> {
  const { events, secondSource, shared, note } = options;
  if (!Number.isInteger(events) || events < 1) throw new Error(`events is a whole number, not ${events}`);
  const folder = mkdtempSync(join(options.folder, 'cratebase-bench-'));
  try {
    await build({
      entryPoints: [fileURLToPath(import.meta.url)],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    const files = { feed: join(folder, 'feed'), file: join(folder, 'a.db'), target: join(folder, 'b.db') };
    const job = { ...files, source: 'bench', isServed: shared };
    note('writing the feed …');
    await pipeline(Readable.from(generateFeed({ events, today })), createWriteStream(files.feed));
    note(`importing ${Math.round(statSync(files.feed).size / 1e6)} MB …`);
    const imported = await run({ ...job, phase: 'import' }, options.profile);
    note('the same rows in a bare loop …');
    const bare = await run({ ...job, phase: 'bare' });
    let second: Phased | null = null;
    if (secondSource) {
      await pipeline(Readable.from(generateSecondFeed({ events, today })), createWriteStream(files.feed));
      note('importing a second source …');
      second = await run({ ...job, phase: 'import', source: 'second' }, options.profile);
    }
    if (options.keep) renameSync(files.file, options.keep);
    return compare(events, imported, bare, second);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(bundle, { force: true });
  }
}

/** Runs a phase in a process of its own, so that its memory is its own. */
async function run(job: Job, profile?: string): Promise<Phased> {
  const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const child: ChildProcess = fork(bundle, [], { execArgv });
  child.send(job);
  return await new Promise((resolve, reject) => {
    let figures: Phased | undefined;
    child.once('message', (message) => {
      figures = message as Phased;
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

async function importIt({ feed, file, isServed, source }: Job): Promise<Phased> {
  const sqlite = openDatabase(file, { create: true });
  const began = performance.now();
  const cpu = process.cpuUsage();
  const report = await importFeed(sqlite, {
    source,
    type: 'feed',
    now: today,
    input: createReadStream(feed, { highWaterMark: fileChunkBytes }),
    // As the command does: it looks for a service, and finds none.
    ...(isServed && { alone: false }),
    onRejected: ({ line, reason }) => {
      throw new Error(`The generated feed is wrong in line ${line}: ${reason}`);
    },
  });
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = cpuSince(cpu);
  const lineup = sqlite.prepare('SELECT count(*) FROM lineups').pluck().get() as number;
  sqlite.close();
  const { created = 0, matched = 0 } = report.kinds.event ?? {};
  return { seconds, cpuSeconds, rows: created, matched, lineup, peakMb: peakMb() };
}

/** Every row of every table into a new file of the same schema, and the names into its full-text index. */
function insertIt({ file, target }: Job): Phased {
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
  return { seconds: ms / 1_000, cpuSeconds, rows, matched: 0, lineup: 0, peakMb: peakMb() };
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

function compare(events: number, imported: Phased, bare: Phased, second: Phased | null): ImportBenchFigures {
  const speedOf = ({ seconds, cpuSeconds, peakMb }: Phased): ImportSpeed => ({
    seconds: round(seconds),
    cpuSeconds: round(cpuSeconds),
    eventsPerSecond: Math.round(events / seconds),
    peakMb,
  });
  const ratios = (base: Phased, one: Phased) => ({
    share: round(base.seconds / one.seconds),
    cpuShare: round(base.cpuSeconds / one.cpuSeconds),
  });
  return {
    events,
    lineup: imported.lineup,
    rows: bare.rows,
    import: speedOf(imported),
    bare: speedOf(bare),
    ...ratios(bare, imported),
    second: second && { ...speedOf(second), matched: second.matched, ...ratios(imported, second) },
    goals,
  };
}

function print({ events, lineup, rows, bare, second, share, cpuShare, ...rest }: ImportBenchFigures): void {
  const line = (name: string, { seconds, cpuSeconds, eventsPerSecond, peakMb }: ImportSpeed) =>
    console.log(
      `${name.padEnd(8)}${seconds} s (${cpuSeconds} s of processor time)  ${eventsPerSecond} events/s  ${peakMb} MB`,
    );
  console.log(`${events} events, ${lineup} line-up entries, ${rows} rows in all`);
  line('import', rest.import);
  line('bare', bare);
  console.log(
    `share   ${share}, of processor time ${cpuShare} (goal: ${goals.share}); memory under ${goals.memoryMb} MB`,
  );
  if (second === null) return;
  line('second', second);
  console.log(
    `share   ${second.share} of the speed into the empty file, of processor time ${second.cpuShare} (goal: ${goals.secondShare}); ${second.matched} of ${events} events matched`,
  );
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
